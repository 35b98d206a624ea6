# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The files that are written."""
import contextlib
import errno
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
    tmp = None
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            make(path)
            return
        handle, tmp = tempfile.mkstemp(dir=folder_of(path), prefix=".new-")
        os.close(handle)
        make(tmp)
        os.chmod(tmp, 0o644)
        os.replace(tmp, os.path.realpath(path))
    except OSError as e:
        if e.filename in (None, tmp) or tmp is None:  # a full disk does not tell which file it was
            e.filename = path
        raise
    finally:
        if tmp:
            with contextlib.suppress(FileNotFoundError):
                os.remove(tmp)


def folder_of(path):
    """Where what replaces a file is made, beside it; the folder is there then."""
    folder = os.path.dirname(os.path.realpath(path))
    os.makedirs(folder, exist_ok=True)
    return folder


def usable(path):
    """An OSError if a file could not be put there: for trying every path before a long run."""
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, "Is a directory", path)
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        raise FileNotFoundError(errno.ENOENT, "No such file or directory", path)
    if not os.access(path if os.path.exists(path) and not os.path.isfile(path) else folder, os.W_OK):
        raise PermissionError(errno.EACCES, "Permission denied", path)
