#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Checks that the planted faults still match the sources; prints a line for each that does not. Each fault of
verif/faults.csv has edits in verif/fault_edits.csv; each edit belongs to a fault, its text occurs once in its file, and
that file is a part of each block that the fault names; in verif/common_faults.csv each text occurs once in its file of
the model."""
import csv
import os
import sys

sys.path[:0] = ["rtl", "tb/build"]
import faults  # noqa: E402
import sources  # noqa: E402
from hdgen.tables import BLOCKS, folder  # noqa: E402

COMMON = "verif/common_faults.csv"


def table(path):
    """Returns the lines of a table: (number, row)."""
    with open(path, newline="", encoding="utf-8") as f:
        rows = csv.DictReader(f)
        return [(rows.line_num, row) for row in rows]


def parts(block):
    """Returns the files of a block and of all its instances."""
    return sources.closure(f"rtl/{folder(block)}/hd_{block}.sv") if block in BLOCKS else []


def failure(call, *arguments):
    """Returns the error message of a call as a list of one, or an empty list."""
    try:
        call(*arguments)
        return []
    except faults.Failed as e:
        return [str(e)]


def of_rtl(listed):
    """Yields errors of the edits of the RTL, and of their faults."""
    edited = set()
    for path in sorted({e.path for e in faults.edits()}):
        own = [e for e in faults.edits() if e.path == path]
        edited |= {e.id for e in own}
        for e in own:
            if e.id not in listed:
                yield f"{faults.EDITS}:{e.line}: fault {e.id}: {faults.FAULTS} does not list it"
                continue
            for block in listed[e.id][1]["block"].split():
                if path not in parts(block):
                    yield f"{faults.EDITS}:{e.line}: fault {e.id}: {path} is not a part of {block}, which must show it"
        text = sources.read(path) if os.path.exists(path) else ""
        wrong = [w for e in own for w in failure(faults.place, e, text)]
        yield from wrong or failure(faults.planted, path, text)
    for number in sorted(set(listed) - edited):
        yield f"{faults.FAULTS}:{listed[number][0]}: fault {number}: {faults.EDITS} has no edit of it"


def of_model(listed):
    """Yields errors of the faults that the model has too."""
    for line, row in table(COMMON):
        path, number = f"cmodel/{row['file']}", int(row["id"])
        if number not in listed:
            yield f"{COMMON}:{line}: fault {number}: {faults.FAULTS} does not list it"
        text = sources.read(path) if os.path.exists(path) else ""
        if text.count(row["was"]) != 1:
            yield f"{COMMON}:{line}: fault {number}: {path} has '{row['was']}' {text.count(row['was'])} times, not once"


def main():
    listed = {int(row["id"]): (line, row) for line, row in table(faults.FAULTS)}
    wrong = [*of_rtl(listed), *of_model(listed)]
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except faults.Failed as e:
        sys.exit(str(e))
