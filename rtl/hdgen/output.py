# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Writing of generated files."""
import contextlib
import errno
import os
import sys
import tempfile

NOTE = "Written by rtl/hdgen: do not edit."


def write(path, text):
    """Writes a file only if its content changes, so that make rebuilds no more than necessary. Without a path it writes
    to standard output."""
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
    """Replaces a file atomically: make(path) writes a temporary file in the same folder. The target of a link is
    replaced; a device or a FIFO is written directly."""
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
        if e.filename in (None, tmp) or tmp is None:  # the error of a full disk names no file
            e.filename = path
        raise
    finally:
        if tmp:
            with contextlib.suppress(FileNotFoundError):
                os.remove(tmp)


def folder_of(path):
    """Returns the folder of a file, links resolved, and creates it if necessary."""
    folder = os.path.dirname(os.path.realpath(path))
    os.makedirs(folder, exist_ok=True)
    return folder


def usable(path):
    """Raises OSError if a file could not be written there. For checking all paths before a long run."""
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, "Is a directory", path)
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        raise FileNotFoundError(errno.ENOENT, "No such file or directory", path)
    if not os.access(path if os.path.exists(path) and not os.path.isfile(path) else folder, os.W_OK):
        raise PermissionError(errno.EACCES, "Permission denied", path)
