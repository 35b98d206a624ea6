#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Checks that the instances in rtl/top/hd_top.sv are connected as in rtl/top/nets.csv; prints a line for each error."""
import os
import re
import sys

sys.path.insert(0, "rtl")
from hdgen import nets  # noqa: E402

TOP = "rtl/top/hd_top.sv"


def closing(text, at):
    """Returns the position of the bracket that closes the one at `at`."""
    depth = 0
    for k in range(at, len(text)):
        depth += (text[k] in "({[") - (text[k] in ")}]")
        if depth == 0:
            return k
    sys.exit(f"{TOP}: a bracket is not closed")


def split(text):
    """Splits the text at commas outside of brackets."""
    out, depth, at = [], 0, 0
    for k, c in enumerate(text + ","):
        depth += (c in "({[") - (c in ")}]")
        if c == "," and depth == 0:
            out.append(text[at:k].strip())
            at = k + 1
    return out


class Top:
    """hd_top.sv: the driver of each net and of each input of an instance."""

    def __init__(self):
        with open(TOP) as f:
            text = re.sub(r"//[^\n]*", "", f.read())
        self.text = re.sub(r"\s+", " ", text)
        self.driver, self.inputs, self.fields = {}, {}, {}
        self.numbers = dict(re.findall(r"localparam int (Mem\w+) = (\d+);", self.text))
        for m in re.finditer(r"\bhd_(\w+) (?:# ?\([^;]*?\) )?u_(\w+) \(", self.text):
            if m.group(1) in nets.PLANE:
                self.instance(m.group(1), self.text[m.end():closing(self.text, m.end() - 1)])
        for to, value in re.findall(r"(?:assign |(?<=begin )|(?<=; ))([\w.]+) = ([^;]+);", self.text):
            net, _, field = to.partition(".")
            if field:
                self.fields.setdefault(net, {})[field] = value
            else:
                self.driver[net] = value

    def instance(self, block, pins):
        for m in re.finditer(r"\.(\w+)_([io]) ?\(", pins):
            value = pins[m.end():closing(pins, m.end() - 1)].strip()
            if m.group(2) == "i":
                self.inputs[block, m.group(1)] = value
            else:
                self.driver[value] = f"{block}.{m.group(1)}"

    def plain(self, text):
        """Returns an expression in the notation of the table."""
        text = text.strip()
        if text in ("'0", "1'b0"):
            return "0"
        if text.startswith("{") and closing(text, 0) == len(text) - 1:
            if re.fullmatch(r"\{[\w:]+\{1'b0\}\}", text):
                return "0"
            return "[" + ", ".join(self.plain(e) for e in reversed(split(text[1:-1]))) + "]"
        text = re.sub(r"(\w+)\[hd_regs_pkg::Config(\w+) ?\* ?32 ?\+: ?[\w:]+\]", r"\1[\2]", text)
        text = re.sub(r"\[(\w+) ?\* ?hd_pkg::(\w+) ?\+: ?hd_pkg::\2\]", r"[\1]", text)  # an element of an array
        text = text.replace("hd_pkg::", "").replace("&&", "&").replace("||", "|")
        return re.sub(r"(?<![\w.\[])([a-z]\w*)((?:\.\w+|\[\w+\])*)",
                      lambda m: self.net(m.group(1)) + self.rest(m.group(2)), text)

    def rest(self, text):
        return re.sub(r"\[(Mem\w+)\]", lambda m: f"[{self.numbers[m.group(1)]}]", text)

    def net(self, name):
        if name in self.driver:
            value = self.driver[name]
            output = re.fullmatch(r"(\w+)\.\w+", value)
            return value if output and output[1] in nets.PLANE else self.plain(value)
        return "top." + name[:-2] if name.endswith("_i") else name


def expand(text):
    """Replaces named inputs of blocks by their sources."""
    def sub(m):
        owner, port, rest = m.groups()
        return nets.source(owner, port) + rest if nets.alias(owner, port) else m.group(0)
    return re.sub(nets.REF, sub, text)


def main():
    top, wrong, count = Top(), [], 0
    for b, row, parts in nets.wires():
        name = row["name"]
        pin = top.inputs.get((b, name))
        if pin is None:
            wrong.append(f"u_{b}: {name}_i is not connected")
            continue
        count += 1
        for field, text in parts:
            value = top.fields.get(pin, {}).get(field[1:], "") if field else pin
            found, wanted = top.plain(value), expand(text)
            if found != wanted:
                wrong.append(f"u_{b}: {name}{field}_i is {found or 'not driven'}, in the table {wanted}")
    print("\n".join(f"{TOP}: {line}" for line in wrong) or f"{count} inputs of blocks, connected as in the table")
    return bool(wrong)


if __name__ == "__main__":
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    sys.exit(main())
