#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Checks that every C file includes only headers that its folder may use (synth/floors.csv), each with its folder name,
and that no two headers share a name. Prints a line for each violation. Run from the top of the checkout."""
import csv
import fnmatch
import glob
import os
import re
import sys

INCLUDE = re.compile(r'^#include "(.*)"', re.M)
BOUND = {"tb/engine/bind.h", "tb/engine/bind_api.h", "tb/engine/rtl_api.h"}  # copied next to Verilator's output


def rules():
    with open("synth/floors.csv", newline="") as f:
        rows = csv.DictReader(line for line in f if not line.startswith("#"))
        return [(r["room"], r["may include"].split()) for r in rows]


def may(room, other, found):
    """Returns True if a file of one folder may include a header of another."""
    names = next((names for pattern, names in found if fnmatch.fnmatch(room, pattern)), [])
    return any(fnmatch.fnmatch(other, n) or n == "model" and os.path.isdir(f"cmodel/{other}") for n in names)


def main():
    found, wrong, count = rules(), [], 0
    files = sorted(f for root in ("cmodel", "tb", "verif") for f in glob.glob(f"{root}/**/*.[ch]", recursive=True))
    seen = {}
    for path in files:
        name = os.path.basename(path)
        if name.endswith(".h"):
            if name in seen:
                wrong.append(f"{path}: {seen[name]} has the same name")
            seen[name] = path
        if path in BOUND:
            continue
        room = os.path.dirname(path)
        for header in INCLUDE.findall(open(path, encoding="utf8").read()):
            other, count = os.path.dirname(header), count + 1
            if not other and os.path.exists(os.path.join(room, header)) and not room.startswith("verif/"):
                wrong.append(f"{path}: {header} is included without its folder")
            elif other and other not in (room, room.partition("/")[2]) and not may(room, other, found):
                wrong.append(f"{path}: {header}: synth/floors.csv does not let {room} include it")
    print("\n".join(wrong) or f"{count} includes of {len(files)} files")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
