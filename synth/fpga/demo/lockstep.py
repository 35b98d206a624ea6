# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Lockstep on hardware: loads a work into the demonstrator, starts it, and compares each event of its trace with the
golden model's as it arrives; then the plane's registers."""
import os
import runpy
import sys
import tempfile

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), *up) for up in
                (("..", "..", "..", "python"), ("..", "..", "..", "rtl"))]
import board  # noqa: E402
from hdgen.pins import gen_python  # noqa: E402
from line import Failed  # noqa: E402

MARGIN = 100_000  # cycles in which the plane is never silent, apart from the durations of TBs
AFTER = 2_000  # cycles after the last kernel in which no event may follow
LAST = 8  # events in a report


class Mismatch(Exception):
    """The first difference between board and model, with the events before it."""


def accessors(config):
    """Returns the names of the module of `hdgen python` for a configuration."""
    with tempfile.NamedTemporaryFile("w", suffix=".py") as f:
        f.write(gen_python(config, [], "top"))
        f.flush()
        return runpy.run_path(f.name)


def load(at, golden, work, pins):
    """Resets the plane and writes its registers, the durations and the launches."""
    at.control(run=False)
    at.control(run=True)
    for offset, value in golden.settings().items():
        at.write(board.APB, offset, value)
    for row, data in enumerate(work.rows()):
        at.write(board.TABLE, row, data)
    for n, parts in enumerate(work.launch_rows(pins)):
        for k, data in enumerate(parts):
            at.write(board.LAUNCHES, 4 * n + k, data)
    at.settle()


def fits(status, golden, pins):
    """Raises Failed if the board is another configuration than the model."""
    expected = {"smxs": golden.plane.smxs, "slots": golden.plane["CtasPerSmx"],
                "launch_bits": pins["PORTS"]["host_launch"].width}
    for name, value in expected.items():
        if getattr(status, name) != value:
            raise Failed(f"the board has {name}={getattr(status, name)}, the model {value}")


def difference(found, expected, earlier):
    lines = [f"board: {found if found is not None else 'no event'}",
             f"model: {expected if expected is not None else 'no event'}"]
    if type(found) is type(expected) and found is not None:
        lines.append("they differ in " + ", ".join(f for f, a, b in zip(found._fields, found, expected) if a != b))
    return "\n".join([*lines, "last events:", *(f"  {e}" for e in earlier)])


def run(at, golden, work, pins, change=lambda event: event):
    """Runs the work and returns (events, stalls). `change` alters the events of the board, for tests of the compare."""
    fits(at.status(), golden, pins)
    load(at, golden, work, pins)
    at.control(run=True, go=True, launches=len(work.launches))
    golden.begin()
    events, stalls = [], 0
    patience = MARGIN + max(work.table) + max(launch.first for launch in work.launches)
    while not golden.finished:
        found = at.next_event(patience)
        if found is not None:
            found = change(found)
        if isinstance(found, board.Stall):
            golden.stall = found
            stalls += 1
            continue
        expected = golden.next_event(golden.cycle + patience if found is None else found.cycle)
        if found != expected:
            raise Mismatch(difference(found, expected, events[-LAST:]))
        events.append(found)
    at.settle()
    extra = at.next_event(AFTER)
    while isinstance(extra, board.Stall):
        stalls += 1
        extra = at.next_event(AFTER)
    for found, expected in ((extra, None), (None, golden.next_event(golden.cycle + AFTER))):
        if found != expected:
            raise Mismatch(difference(found, expected, events[-LAST:]))
    compare_registers(at, golden, pins)
    status = at.status()
    if status.overrun:
        raise Failed("a queue of the board's memory was full: the times may differ")
    return events, stalls


def compare_registers(at, golden, pins):
    """The counter of cycles also counts those before go."""
    registers = {name: r.offset for name, r in pins["REGISTERS"].items() if not name.startswith("CYCLES")}
    for offset in registers.values():
        at.command(0, board.APB, offset)
    for (name, offset), found in zip(registers.items(), at.settle()):
        expected = golden.plane.read(offset)
        if found != expected:
            raise Mismatch(f"register {name}: board {found:#x}, model {expected:#x}")
