# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The files that are written."""
import contextlib
import os
import sys
import tempfile

NOTE = "Written by rtl/hdgen: do not edit."


def write(path, text):
    """Writes a file (no path: to standard output) only when its content changes, so that make rebuilds no more than it
    must."""
    if not path:
        sys.stdout.write(text)
        return
    if os.path.isfile(path):
        with open(path) as f:
            if f.read() == text:
                return
    put_text(path, text)


def put_text(path, text):
    def make(to):
        with open(to, "w") as f:
            f.write(text)
    replace(path, make)


def replace(path, make):
    """Puts a file in place whole or not at all; make(path) writes it, under a name of its own beside it. What a link
    points to is replaced, a device or a FIFO is written through."""
    path = os.path.realpath(path)
    if os.path.exists(path) and not os.path.isfile(path):
        make(path)
        return
    folder = os.path.dirname(path)
    os.makedirs(folder, exist_ok=True)
    handle, tmp = tempfile.mkstemp(dir=folder, prefix=".new-")
    os.close(handle)
    try:
        make(tmp)
        os.chmod(tmp, 0o644)
        os.replace(tmp, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.remove(tmp)
        raise
