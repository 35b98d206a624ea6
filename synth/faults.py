#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The planted faults still fit the sources; a line for each that does not. Each fault of verif/faults.csv has edits in
verif/fault_edits.csv, each edit is of a fault, its text stands once in its file, and that file is a part of each block
that the fault names; in verif/common_faults.csv each text stands once in its file of the model."""
import csv
import os
import sys

sys.path[:0] = ["rtl", "tb/build"]
import faults  # noqa: E402
import sources  # noqa: E402
from hdgen.tables import BLOCKS, folder  # noqa: E402

COMMON = "verif/common_faults.csv"


def table(path):
    """Each line of a table: its number, its row."""
    with open(path, newline="", encoding="utf-8") as f:
        rows = csv.DictReader(f)
        return [(rows.line_num, row) for row in rows]


def parts(block):
    """The files of a block and of all that is in it."""
    return sources.closure(f"rtl/{folder(block)}/hd_{block}.sv") if block in BLOCKS else []


def failure(call, *arguments):
    """What a call has to complain of: one message, or none."""
    try:
        call(*arguments)
        return []
    except faults.Failed as e:
        return [str(e)]


def of_rtl(listed):
    """What is wrong with the edits of the RTL, and with the faults that they are of."""
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
                    yield f"{faults.EDITS}:{e.line}: fault {e.id}: {path} is no part of {block}, where it is to show"
        text = sources.read(path) if os.path.exists(path) else ""
        wrong = [w for e in own for w in failure(faults.place, e, text)]
        yield from wrong or failure(faults.planted, path, text)
    for number in sorted(set(listed) - edited):
        yield f"{faults.FAULTS}:{listed[number][0]}: fault {number}: {faults.EDITS} has no edit of it"


def of_model(listed):
    """The same of the faults that the model has too."""
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
