# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""sweep(): many runs in parallel."""
from __future__ import annotations

import concurrent.futures
import itertools
import os
from collections.abc import Iterable, Mapping
from typing import Any, Optional

from .errors import OutOfRange, WrongType, number
from .frames import frame
from .reports import COLUMNS, _parameters, command, execute, number_at


def axis(name: str, value: Any) -> list[Any]:
    """Returns the values of an axis: the elements of a list, range or array; a single value is an axis of one. A tuple
    is one value: the values of an option that may be repeated."""
    if value is None or isinstance(value, (str, tuple, bytes, os.PathLike, bool)) or not isinstance(value, Iterable):
        return [value]
    if isinstance(value, Mapping):
        raise WrongType(f"{name}={value!r}: a value or a list of values is accepted")
    found = [v.item() if hasattr(v, "item") else v for v in value]
    if not found or any(v in found[:k] for k, v in enumerate(found)):
        raise OutOfRange(f"{name}={found}: different values, one or more, are accepted")
    return found


def sweep(workload: Any = "bfs", graph: Any = None, *, config: Any = "k20c", set: Optional[Mapping[str, Any]] = None,
          launch: Any = None, policy: Any = None, metrics: Iterable[str] = (), jobs: Optional[int] = None,
          **options: Any) -> Any:
    """Runs each combination of the values of its axes on the golden model, `jobs` in parallel (default: number of
    processors), and returns a frame with one row per run: the axes, `verdict`, the numbers of docs/sweep.md, `metrics`
    (other numbers of the report, such as "device.alone_share"), `reason`. The arguments are those of run(); a list is
    an axis:

        heddle.sweep("bfs", set={"NumKde": [32, 64, 128]}, policy=["rr", "smx-bind"], launch="dtbl")

    A point that fails is a row with its verdict and reason; invalid arguments raise before any run starts."""
    if isinstance(metrics, str):
        raise WrongType(f"metrics={metrics!r}: a list of texts is accepted")
    keys = tuple(dict.fromkeys((*COLUMNS, *metrics)))
    given = {"workload": workload, "graph": graph, "config": config, **_parameters(set), "launch": launch,
             "policy": policy, **options}
    axes = {name: axis(name, value) for name, value in given.items() if value is not None}
    points = [dict(zip(axes, values)) for values in itertools.product(*axes.values())]

    def parts(point: dict[str, Any]) -> tuple[Any, Any, dict[str, Any]]:
        rest = {"engine": "model", **{k: v for k, v in point.items() if k not in ("workload", "graph")}}
        return point.get("workload"), point.get("graph"), rest

    def row(point: dict[str, Any]) -> dict[str, Any]:
        report = execute(*parts(point), False, False)
        numbers = {key: number_at(report.data, key) if report.passed else None for key in keys}
        return {**point, "verdict": report.verdict, **numbers, "reason": report.reason}
    for point in points:
        command(*parts(point))
    at_once = number("jobs", jobs, 1, 1024) if jobs is not None else os.cpu_count() or 1
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        return frame(pool.map(row, points))
