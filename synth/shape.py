#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Counts the wires of the plane in this checkout. Prints a table in Markdown, or JSON (--json)."""
import argparse
import json
import os
import re
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


def counts():
    from hdgen.tables import CLUSTER
    plane = Plane()
    between = sum(len({CLUSTER[b] for b in {driver, *users} - {"top"}}) > 1
                  for (driver, _), users in plane.users.items())
    with open("rtl/top/hd_top.sv") as f:
        lines = f.read().count("\n")
    outputs = sum(bool(plane.output(text)) for text in plane.top.driver.values())
    return {"wires of the plane, its inputs among them": len(plane.users), "of these between clusters": between,
            "pins of the blocks": len(plane.top.inputs) + outputs, "lines of hd_top.sv": lines}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--json", action="store_true")
    a = p.parse_args()
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    found = counts()
    if a.json:
        print(json.dumps(found, indent=2))
        return
    print("| | |\n|---|---:|")
    for name, n in found.items():
        print(f"| {name} | {n} |")


if __name__ == "__main__":
    main()
