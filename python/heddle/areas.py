# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""area(): area and timing of blocks and their tables, by synthesis."""
from __future__ import annotations

import itertools
import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any, Optional

from .errors import Error, OutOfRange, WrongType, word
from .files import checkout
from .frames import frame
from .reports import _parameters, last_words, plain
from .sweeps import axis

WHAT = "blocks", "tables"


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a row without its lists, with the entries of nested objects as columns: ge.total."""
    found: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, Mapping):
            found.update({f"{key}.{inner}": number for inner, number in value.items()})
        elif not isinstance(value, list):
            found[key] = value
    return found


def area(*blocks: str, config: Any = "k20c", set: Optional[Mapping[str, Any]] = None, what: str = "blocks",
         **parameters: Any) -> Any:
    """Returns area and longest path of blocks, all if none is named (docs/area.md), as a frame with one row per block:
    ge.total and similar columns in gate equivalents, um2, fo4. what="tables": one row per table in them. A
    configuration or parameter that is a list is an axis: area("pq", PqDepth=[32, 64, 128]); its values are the first
    columns.

    Yosys synthesizes the sources, so a checkout is required: the working folder or the package is in one, or
    HEDDLE_CHECKOUT names it. Earlier results are cached there."""
    top = checkout()
    if top is None:
        raise Error("area() synthesizes the sources, and there is no checkout: work in one, or set HEDDLE_CHECKOUT to "
                    "its top")
    word("what", what, WHAT)
    for block in blocks:
        if not isinstance(block, str):
            raise WrongType(f"{block!r}: the name of a block is accepted")
        if not block.isidentifier():
            raise OutOfRange(f"{block!r}: the name of a block is accepted")
    axes = {name: axis(name, value) for name, value in
            {"config": config, **_parameters(set), **_parameters(parameters)}.items()}
    rows = []
    for values in itertools.product(*axes.values()):
        point = dict(zip(axes, values))
        chosen = [part for name, value in point.items() if name != "config"
                  for part in ("--set", f"{name}={plain(name, value)}")]
        done = subprocess.run([sys.executable, "synth/area", f"--config={plain('config', point['config'])}", *chosen,
                               "--json=-", *blocks], cwd=top, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode:
            raise Error(last_words(done.stderr, "heddle area") or f"heddle area ended with {done.returncode}")
        rows += [{**point, **_flat(row)} for row in json.loads(done.stdout)[what]]
    return frame(rows)
