# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Finds the library, the program and the checkout, and declares the functions of the library.

The package may be in a wheel (which has both in _prefix), in an installation, or in a checkout. The environment
variables HEDDLE_LIBRARY, HEDDLE_PROGRAM and HEDDLE_CHECKOUT override the search."""
from __future__ import annotations

import ctypes
import ctypes.util
import os
import shutil
from typing import Any, Optional

from .errors import Error

HERE = os.path.dirname(os.path.abspath(__file__))
CHECKOUT = os.path.normpath(os.path.join(HERE, "../.."))


def _places(installed: str, built: str) -> list[str]:
    """Returns the possible paths: in a wheel, in a checkout, in an installation (PREFIX/share/heddle/python/heddle)."""
    return [os.path.join(HERE, "_prefix", installed), os.path.join(CHECKOUT, "build", built),
            os.path.join(HERE, "../../../..", installed)]


# Result, then arguments of each function hd_dpi_*: P plane, s text, b bit, u 32 bits, l 64 bits, U and L pointers to
# such.
FUNCTIONS = {
    "new": "Ps", "error": "sP", "free": "-P", "has_param": "bPs", "param": "uPs", "reset": "-P",
    "launch": "uPuuuuuuuuuull", "launch_graph": "uPuuuuuuuuuull", "launch_ready": "bP", "answer": "bPUU",
    "dispatch": "bPuUUULL", "dispatch_more": "bPuUUUUUUUUU", "dispatch_next": "uPu", "kernel_done": "bPU",
    "kernel_failed": "bP", "answer_ready": "-Pb", "dispatch_ready": "-Pub", "kernel_done_ready": "-Pb",
    "cta_done": "-Puu", "apb": "-Pbbbuuu", "apb_read": "bPU", "tick": "-P", "run": "lPl",
    "device": "uPuu", "policy": "su", "dev_launch": "uPuuuubuuuuuuuuull", "dev_answer": "bPUUUUU",
    "launch_cycles": "lPuu", "graph": "uPuuu", "graph_order": "uPuu", "graph_edge": "uPuu", "graph_pattern": "uPuul",
    "graph_end": "lPUU", "graph_text": "sP", "state": "uPu",
}
TYPES: dict[str, Any] = {
    "P": ctypes.c_void_p, "s": ctypes.c_char_p, "b": ctypes.c_uint8, "u": ctypes.c_uint32, "l": ctypes.c_uint64,
    "U": ctypes.POINTER(ctypes.c_uint32), "L": ctypes.POINTER(ctypes.c_uint64), "-": None}
_loaded: list[Any] = []


def _first(paths: list[str]) -> Optional[str]:
    return next((path for path in paths if os.path.exists(path)), None)


def _load() -> Any:
    named = os.environ.get("HEDDLE_LIBRARY")
    if named and "/" in named and not os.path.exists(named):
        raise Error(f"HEDDLE_LIBRARY={named}: no such file")
    place = named or _first(_places("lib/libheddle.so", "libheddle.so")) or ctypes.util.find_library("heddle")
    if not place:
        raise Error("no libheddle.so: set HEDDLE_LIBRARY, or `make lib` in the checkout")
    try:
        lib = ctypes.PyDLL(place)  # not CDLL: while a call runs, no other thread reaches the plane
        for name, types in FUNCTIONS.items():
            f = getattr(lib, "hd_dpi_" + name)
            f.restype, *f.argtypes = (TYPES[t] for t in types)
        for name in "hd_code_text", "hd_device_text":
            f = getattr(lib, name)
            f.restype, f.argtypes = ctypes.c_char_p, [ctypes.c_uint]
    except (OSError, AttributeError) as e:
        raise Error(str(e)) from None
    return lib


def library() -> Any:
    """Returns the shared library, loaded once, with the types of its functions."""
    if not _loaded:
        _loaded.append(_load())
    return _loaded[0]


def checkout() -> Optional[str]:
    """Returns the checkout: from HEDDLE_CHECKOUT, else around the package, else around the working folder; or None."""
    named = os.environ.get("HEDDLE_CHECKOUT")
    if named:
        if not os.path.exists(os.path.join(named, "synth/area")):
            raise Error(f"HEDDLE_CHECKOUT={named}: the top of a checkout is accepted; it has no synth/area")
        return named
    folder = os.getcwd()
    above = [folder]
    while os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
        above.append(folder)
    return next((top for top in [CHECKOUT, *above] if os.path.isfile(os.path.join(top, "rtl/hdgen/__init__.py"))
                 and os.path.isdir(os.path.join(top, "synth/area"))), None)


def program() -> str:
    """Returns the path of the `heddle` command."""
    named = os.environ.get("HEDDLE_PROGRAM")
    if named:
        if not os.access(named, os.X_OK):
            raise Error(f"HEDDLE_PROGRAM={named}: no such program")
        return named
    found = _first(_places("bin/heddle", "heddle")) or shutil.which("heddle")
    if not found:
        raise Error("no heddle command: set HEDDLE_PROGRAM, or `make all` in the checkout")
    return found
