# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The schedule of TBs: when they launch and when they end."""
from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator
from typing import Any, Optional


class Schedule:
    """Future cycles in which TBs launch and are done. A TB is not done while it has unanswered launches."""

    def __init__(self) -> None:
        self._launches: list[Any] = []  # a heap of (cycle, number, SMX, slot, kind, beats)
        self._ends: dict[int, list[tuple[int, int]]] = {}  # SMX: a heap of (its last cycle, slot)
        self._late: dict[tuple[int, int], int] = {}  # (SMX, slot): last cycle of a TB that waits for answers
        self._open: dict[tuple[int, int], int] = {}  # unanswered launches
        self._costs: dict[tuple[int, int], int] = {}  # extra cycles per refused launch
        self._more: dict[tuple[int, int], int] = {}  # extra cycles so far
        self._numbers = itertools.count()

    def hold(self, smx: int, slot: int, cycle: int, refused: int) -> None:
        """Ends the TB in that cycle, plus `refused` cycles for each refused launch."""
        if refused:
            self._costs[smx, slot] = refused
        heapq.heappush(self._ends.setdefault(smx, []), (cycle, slot))

    def launch(self, smx: int, slot: int, cycle: int, kind: int, beats: list[Any]) -> None:
        """Schedules a command of the TB for that cycle."""
        self._open[smx, slot] = self._open.get((smx, slot), 0) + len(beats)
        heapq.heappush(self._launches, (cycle, next(self._numbers), smx, slot, kind, beats))

    def launches(self, cycle: int) -> Iterator[Any]:
        """Removes and yields the commands of this cycle: SMX, slot, kind, beats."""
        while self._launches and self._launches[0][0] <= cycle:
            yield heapq.heappop(self._launches)[2:]

    def ends(self, cycle: int) -> Iterator[tuple[int, int]]:
        """Yields for each SMX the TB that is done in this cycle, if any; ended() removes it."""
        for smx, heap in self._ends.items():
            while heap and heap[0][0] <= cycle:
                at, slot = heap[0]
                if not self._open.get((smx, slot)) and not self._more.get((smx, slot)):
                    yield smx, slot
                    break
                heapq.heappop(heap)
                if self._open.get((smx, slot)):
                    self._late[smx, slot] = at
                else:
                    heapq.heappush(heap, (at + self._more.pop((smx, slot)), slot))

    def ended(self, smx: int) -> None:
        """Removes the TB that ends() yielded, once it was reported."""
        _, slot = heapq.heappop(self._ends[smx])
        self._costs.pop((smx, slot), None)

    def answered(self, smx: int, slot: int, cycle: int, accepted: bool) -> None:
        """Processes the answer to a launch of the TB."""
        at = (smx, slot)
        if at not in self._open:
            return
        self._open[at] -= 1
        if not accepted and self._costs.get(at):
            self._more[at] = self._more.get(at, 0) + self._costs[at]
        if self._open[at] == 0:
            del self._open[at]
            if at in self._late:
                heapq.heappush(self._ends[smx], (max(cycle, self._late.pop(at)), slot))

    def next(self, cycle: int) -> Optional[int]:
        """Returns the first later cycle with a scheduled event; None if nothing is scheduled."""
        found = [heap[0][0] for heap in self._ends.values() if heap]
        if self._launches:
            found.append(self._launches[0][0])
        return max(min(found), cycle + 1) if found else None
