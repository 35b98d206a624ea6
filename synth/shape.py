#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Estimates the cost of two alternative structures of the plane in this checkout: a module for each cluster between
hd_top and the blocks, and a struct for each event (NAME_valid with its fields) in place of its ports. Prints a table in
Markdown, or JSON (--json)."""
import argparse
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, "rtl")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))


class Plane:
    """The wires of hd_top.sv: {(driving block, net): receiving blocks}; `top` is its pins."""

    def __init__(self):
        import nets
        self.top, self.blocks, self.users = nets.Top(), nets.nets.PLANE, {}
        for (block, _), text in self.top.inputs.items():
            self.use(text, block)
        for net, text in self.top.driver.items():
            if self.output(text):
                self.users.setdefault((self.output(text), net), set())
            if net.endswith("_o"):
                self.use(net, "top")

    def output(self, text):
        m = re.fullmatch(r"(\w+)\.\w+", text)
        return m and m[1] in self.blocks and m[1]

    def use(self, text, user, seen=()):
        for net in set(re.findall(r"(?<![\w.:'])([a-z]\w*)", text)) - set(seen):
            whole = self.top.driver.get(net)
            if whole and self.output(whole):
                self.users.setdefault((self.output(whole), net), set()).add(user)
            elif net.endswith("_i"):
                self.users.setdefault(("top", net), set()).add(user)
            for part in [whole] * bool(whole) + list(self.top.fields.get(net, {}).values()):
                if not self.output(part):
                    self.use(part, user, (*seen, net))


def clusters():
    from hdgen.tables import CLUSTER
    plane, between, pins = Plane(), 0, 0
    for (driver, _), users in plane.users.items():
        at = {CLUSTER[b] for b in {driver, *users} - {"top"}}
        between += len(at) > 1
        pins += len(at) if len(at) > 1 or "top" in {driver, *users} else 0
    with open("rtl/top/hd_top.sv") as f:
        lines = f.read().split("\n")
    names = {CLUSTER[b] for b in plane.blocks}
    least = lines.index(");") + 1 + between + pins + 4 * len(names)
    return {"wires of the plane, its inputs among them": len(plane.users), "of these between clusters": between,
            "pins of a module for each cluster": pins, "lines of hd_top.sv": len(lines) - 1,
            "with such modules, no fewer than (its header, those wires and pins)": least,
            "and the modules, no fewer than (their pins and those of the blocks)": pins + len(plane.top.inputs) + sum(
                1 for text in plane.top.driver.values() if plane.output(text))}


def events():
    from hdgen.tables import BLOCKS, port_rows
    ports = pins = 0
    kinds, names = set(), set()
    for block in BLOCKS:
        if block == "top":
            continue
        rows = [r for r in port_rows(block, "in", "out") if r["count"] == "1"]
        for r in rows:
            stem = r["name"].removesuffix("_valid")
            of_it = [o["name"] for o in rows if o["dir"] == r["dir"] and o is not r and not o["name"].endswith("_ready")
                     and (o["name"] == stem or o["name"].startswith(stem + "_"))]
            if stem != r["name"] and of_it:
                ports, pins = ports + 1, pins + len(of_it)
                kinds.add((stem, *of_it))
                names |= {r["name"], *of_it}
    any_name = "|".join(sorted(names, key=len, reverse=True))

    def uses(pattern, *where):
        return len(subprocess.run(["grep", "-rEoh", pattern, *where], capture_output=True, text=True).stdout.split())
    return {"kinds of events at the blocks": len(kinds), "ports of them": ports, "pins that structs would save": pins,
            "uses of their pins in C": uses(rf"(\.|->)({any_name})\b", "cmodel", "tb", "verif", "--include=*.[ch]"),
            "uses of their pins in modules": uses(rf"\b({any_name})(_[io])?\b", "rtl", "--include=*.sv")}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--json", action="store_true")
    a = p.parse_args()
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    found = {"clusters": clusters(), "events": events()}
    if a.json:
        print(json.dumps(found, indent=2))
        return
    print("| | |\n|---|---:|")
    for rows in found.values():
        for what, n in rows.items():
            print(f"| {what} | {n} |")


if __name__ == "__main__":
    main()
