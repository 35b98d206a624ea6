# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Dependency graphs of TBs (DepLinks): heddle/api/deplinks.h."""
from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable
from typing import Any, Optional

from .errors import U32, U64, Error, number, word

# Indexed by number: enum hd_deplinks_pattern, enum hd_deplinks_policy.
PATTERNS = "wavefront", "stencil", "barrier", "chain", "star", "star-in", "layered"
ORDERS = "lrr", "lvl", "lvl-bind"


class Graph:
    """A graph in the plane's memory, made by Plane.graph(), for one launch."""

    def __init__(self, param: int, grid: tuple[int, int, int], levels: int, edges: int) -> None:
        self.param, self.grid, self.levels, self.edges = param, grid, levels, edges

    def __repr__(self) -> str:
        return f"<heddle.Graph of {self.grid}: {self.edges} edges, {self.levels} levels>"


def _parents(grid: list[int], of: Callable[[int, int, int], Iterable[Iterable[int]]]) -> Iterable[tuple[int, int]]:
    """Yields (parent, child) of all TBs; parents outside the grid are ignored."""
    nx, ny, nz = grid
    for child in range(nx * ny * nz):
        for parent in of(child % nx, child // nx % ny, child // (nx * ny)):
            x, y, z = (*parent, 0, 0)[:3]
            if 0 <= x < nx and 0 <= y < ny and 0 <= z < nz:
                yield x + nx * (y + ny * z), child


def build(lib: Any, plane: Any, grid: list[int], edges: Iterable[tuple[int, int]], pattern: Optional[str],
          parents: Optional[Callable[[int, int, int], Iterable[Iterable[int]]]], order: str, bound: int, degree: int,
          seed: int) -> Graph:
    """Makes a graph and writes it to the plane's memory."""
    last = grid[0] * grid[1] * grid[2] - 1
    bound = number("bound", bound, 0, 65535)
    chosen = word("order", order, ORDERS)
    shape = None if pattern is None else (word("pattern", pattern, PATTERNS), number("degree", degree, 0, U32),
                                          number("seed", seed, 0, U64))
    listed = [*edges, *(_parents(grid, parents) if parents is not None else ())]
    pairs = [(number(f"edges[{k}].parent", a, 0, last), number(f"edges[{k}].child", b, 0, last))
             for k, (a, b) in enumerate(listed)]

    def good(code: int) -> None:
        if code:
            raise Error(f"graph: {lib.hd_dpi_graph_text(plane).decode()}")
    good(lib.hd_dpi_graph(plane, *grid))
    good(lib.hd_dpi_graph_order(plane, chosen, bound if chosen else 0))
    if shape is not None:
        good(lib.hd_dpi_graph_pattern(plane, *shape))
    for a, b in pairs:
        good(lib.hd_dpi_graph_edge(plane, a, b))
    levels, count = ctypes.c_uint32(), ctypes.c_uint32()
    param = lib.hd_dpi_graph_end(plane, levels, count)
    good(param == 0)
    return Graph(param, (grid[0], grid[1], grid[2]), levels.value, count.value)
