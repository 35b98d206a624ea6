# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The files that are written."""
import os
import sys

NOTE = "Written by rtl/hdgen: do not edit."


def write(path, text):
    """Writes a file (no path: to standard output) only when its content changes, so that make rebuilds no more than it
    must."""
    if not path:
        sys.stdout.write(text)
        return
    if os.path.exists(path):
        with open(path) as f:
            if f.read() == text:
                return
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    tmp = f"{path}.{os.getpid()}.tmp"
    with open(tmp, "w") as f:
        f.write(text)
    os.replace(tmp, path)
