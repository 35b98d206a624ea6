#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Runs a notebook in its folder, with the present Python, which needs nbclient and ipykernel:
    notebook.py NOTEBOOK [OUT]
OUT: the notebook with its outputs. Fails with the first cell that fails."""
import os
import sys

import nbclient
import nbformat


def main(path, out=None):
    notebook = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(notebook, timeout=3000, kernel_name="python3", record_timing=False,
                                     resources={"metadata": {"path": os.path.dirname(path) or "."}})
    client.execute()
    pictures = 0
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            pictures += "image/png" in output.get("data", {})
    if out:
        notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"], "language_info": {"name": "python"}}
        nbformat.write(notebook, out)
    print(f"{sum(cell.cell_type == 'code' for cell in notebook.cells)} cells run, {pictures} plots")


if __name__ == "__main__":
    main(*sys.argv[1:])
