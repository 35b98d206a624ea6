#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Counts the wires of the plane in this checkout. Prints a table in Markdown, or JSON (--json)."""
import argparse
import json
import os
import sys

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, os.path.join(TOP, "rtl"))
from hdgen import clusters, nets, tables  # noqa: E402


def counts():
    """Returns {what is counted: the number}. The clock counts as a wire and as a pin of each block, the reset does
    not."""
    wires = clusters.Wires()
    vector = {part: whole for whole, parts in wires.split.items() for part, _ in parts.values()}
    users = {}
    for w in wires.type:
        if not wires.is_read(w):
            continue
        blocks = [*wires.readers.get(w, []), *([wires.driver[w]] if w in wires.driver else [])]
        users.setdefault(vector.get(w, w), set()).update(tables.CLUSTER[b] for b in blocks)
    lines = {}
    for path in ["top/hd_top.sv", *(f"{c}/hd_{c}.sv" for c in clusters.CLUSTERS)]:
        with open(os.path.join(TOP, "rtl", path)) as f:
            lines[os.path.basename(path)] = f.read().count("\n")
    return {"wires of the plane, its inputs among them": 1 + len(users),
            "wires between clusters": 1 + sum(len(found) > 1 for found in users.values()),
            "pins of the blocks": sum(1 + len(tables.port_rows(b, "in", "out")) for b in nets.PLANE),
            **{f"lines of {name}": n for name, n in lines.items()}}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--json", action="store_true")
    a = p.parse_args()
    found = counts()
    if a.json:
        print(json.dumps(found, indent=2))
        return
    print("| | |\n|---|---:|")
    for name, n in found.items():
        print(f"| {name} | {n} |")


if __name__ == "__main__":
    main()
