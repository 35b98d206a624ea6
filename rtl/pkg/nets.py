#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The wires of the plane, from rtl/top/nets.csv: the wiring of the models, and the check of hd_top.sv.

  nets.py              compares the instances in rtl/top/hd_top.sv with the table; a line for each difference, exit
                       code 1
  nets.py -o FILE      writes the wiring of the models
"""
import os
import re
import sys

import hdgen

BLOCKS = [r["type"] for r in hdgen.subs("top")]
PORTS = {b: {r["name"]: r for r in hdgen.port_rows(b) if r["dir"] in ("in", "out")} for b in ["top", *BLOCKS]}
LISTED = {(r["block"], r["port"]): r["from"] for r in hdgen.table("top/nets.csv")}
REF = r"(\w+)\.(\w+)((?:\.\w+|\[\w+\])*)"


def is_a(block, port, direction):
    return PORTS.get(block, {}).get(port, {}).get("dir") == direction


def of_its_name(block, port):
    """The outputs, and the input of the plane, that have the name of an input."""
    outputs = [f"{b}.{port}" for b in BLOCKS if b != block and is_a(b, port, "out")]
    return outputs + [f"top.{port}"] * is_a("top", port, "in")


def source(block, port):
    """Where an input comes from: as listed, or by its name."""
    if (block, port) in LISTED:
        return LISTED[block, port]
    found = of_its_name(block, port)
    if len(found) != 1:
        why = f"which one: {', '.join(found)}" if found else "a line is needed: no output has this name"
        hdgen.die(f"rtl/top/nets.csv: {block},{port}: {why}")
    return found[0]


def nets():
    """(block, row of the input, [(field or "", source)]); the fields of an input stand behind the whole of it."""
    for b in BLOCKS:
        for r in PORTS[b].values():
            if r["dir"] == "in":
                fields = [(p[len(r["name"]):], f) for (k, p), f in LISTED.items()
                          if k == b and p.startswith(r["name"] + ".")]
                whole = [] if fields and (b, r["name"]) not in LISTED else [("", source(b, r["name"]))]
                yield b, r, whole + fields


def check_table():
    for (b, p), text in LISTED.items():
        if not is_a(b, p.split(".")[0], "in"):
            hdgen.die(f"rtl/top/nets.csv: {b},{p}: no such input")
        for owner, port, _ in re.findall(REF, text):
            if not (is_a(owner, port, "in") if owner == "top" else owner in PORTS and port in PORTS[owner]):
                hdgen.die(f"rtl/top/nets.csv: {b},{p}: there is no {owner}.{port}")
        if of_its_name(b, p) == [text]:
            hdgen.die(f"rtl/top/nets.csv: {b},{p}: comes from {text} by its name: the line says nothing")


# ---- C -------------------------------------------------------------------------------------------------------------

def c_ref(match):
    owner, port, rest = match.groups()
    if owner != "top" and is_a(owner, port, "in"):
        return c_value(source(owner, port), PORTS[owner][port])
    rest = re.sub(r"\[([A-Z]\w*)\]", lambda m: f"[HD_CONFIG_{hdgen.snake(m.group(1)).upper()}]", rest)
    return f"p->in->{port}{rest}" if owner == "top" else f"o->{owner}.{port}{rest}"


def c_value(text, row):
    """A source as C; a word of the register map is cut to the input's width."""
    out = text.replace("&", "&&").replace("|", "||")
    out = re.sub(r"\b(Policy\w+)\b(?!\])", lambda m: "HD_" + hdgen.snake(m.group(1)).upper(), out)
    out = re.sub(REF, c_ref, out)
    width = 32 if row["type"] in hdgen.TYPES else hdgen.width_of(row["type"], hdgen.ALL["k20c"])
    return f"({out} & {(1 << width) - 1})" if text.startswith("regs.config[") and width < 32 else out


def c_lines(row, field, text):
    to = f"i->{row['name']}{field}"
    if text.startswith("["):
        return [f"{to}[{k}] = {c_value(e.strip(), row)};"
                for k, e in enumerate(text[1:-1].split(",")) if e.strip() != "0"]
    if row["count"] == "1" or field:
        return [f"{to} = {c_value(text, row)};"]
    count = hdgen.c_expr(row["count"]).replace("c->", "p->cfg->")
    return [f"memcpy({to}, {c_value(text, row)}, ({count}) * sizeof *{to});"]


def gen_c():
    o = [f"/* {hdgen.NOTE.replace('hdgen', 'nets')} */", "#include <string.h>", "",
         '#include "hd_regs_map.h"', '#include "env/top/plane_blocks.h"']
    body = {}
    for b, row, parts in nets():
        lines = body.setdefault(b, [])
        if parts[0][0]:
            lines.append(f"i->{row['name']} = (struct hd_{row['type']}){{0}};")
        for field, text in parts:
            lines += c_lines(row, field, text)
    for b, lines in body.items():
        o += ["", f"void hd_wire_{b}(struct hd_plane_blocks *p) {{", f"  struct hd_{b}_in *i = &p->{b}_in;",
              "  const struct hd_top_inner *o = &p->out;"]
        o += ["  " + line for line in lines] + ["  (void)o;", "}"]
    return "\n".join(o) + "\n"


# ---- hd_top.sv -----------------------------------------------------------------------------------------------------

def closing(text, at):
    """The place of the bracket that closes the one at `at`."""
    depth = 0
    for k in range(at, len(text)):
        depth += (text[k] in "({[") - (text[k] in ")}]")
        if depth == 0:
            return k
    hdgen.die("rtl/top/hd_top.sv: a bracket is not closed")


def split(text):
    """What stands between commas, outside of brackets."""
    out, depth, at = [], 0, 0
    for k, c in enumerate(text + ","):
        depth += (c in "({[") - (c in ")}]")
        if c == "," and depth == 0:
            out.append(text[at:k].strip())
            at = k + 1
    return out


class Top:
    """hd_top.sv: what each net is driven by, and each input of an instance."""

    def __init__(self, path):
        text = re.sub(r"//[^\n]*", "", open(path).read())
        while (m := re.search(r"`HD_FAULT\(", text)):  # as in a build without planted faults
            end = closing(text, m.end() - 1)
            text = text[:m.start()] + split(text[m.end():end])[1] + text[end + 1:]
        self.text = re.sub(r"\s+", " ", text)
        self.driver, self.inputs, self.fields = {}, {}, {}
        self.numbers = dict(re.findall(r"localparam int (Mem\w+) = (\d+);", self.text))
        for m in re.finditer(r"\bhd_(\w+) (?:# ?\([^;]*?\) )?u_(\w+) \(", self.text):
            if m.group(1) in BLOCKS:
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
        """An expression in the words of the table."""
        text = text.strip()
        if text.startswith("{") and closing(text, 0) == len(text) - 1:
            if re.fullmatch(r"\{[\w:]+\{1'b0\}\}", text):
                return "0"
            return "[" + ", ".join(self.plain(e) for e in reversed(split(text[1:-1]))) + "]"
        text = re.sub(r"(\w+)\[hd_regs_pkg::Config(\w+) ?\* ?32 ?\+: ?[\w:]+\]", r"\1[\2]", text)
        text = text.replace("hd_pkg::", "").replace("&&", "&").replace("||", "|")
        return re.sub(r"(?<![\w.\[])([a-z]\w*)((?:\.\w+|\[\w+\])*)",
                      lambda m: self.net(m.group(1)) + self.rest(m.group(2)), text)

    def rest(self, text):
        return re.sub(r"\[(Mem\w+)\]", lambda m: f"[{self.numbers[m.group(1)]}]", text)

    def net(self, name):
        if name in self.driver:
            value = self.driver[name]
            return value if re.fullmatch(r"\w+\.\w+", value) and value.split(".")[0] in BLOCKS else self.plain(value)
        return "top." + name[:-2] if name.endswith("_i") else name


def expand(text):
    """Inputs of blocks that are named stand for what they come from."""
    def sub(m):
        owner, port, rest = m.groups()
        return source(owner, port) + rest if owner != "top" and is_a(owner, port, "in") else m.group(0)
    return re.sub(REF, sub, text)


def check_rtl(path):
    top, wrong = Top(path), []
    for b, row, parts in nets():
        pin = top.inputs.get((b, row["name"]))
        if pin is None:
            wrong.append(f"u_{b}: {row['name']}_i is not connected")
            continue
        for field, text in parts:
            value = top.fields.get(pin, {}).get(field[1:], "") if field else pin
            found, wanted = top.plain(value), expand(text)
            if found != wanted:
                wrong.append(f"u_{b}: {row['name']}{field}_i is {found or 'not driven'}, in the table {wanted}")
    return wrong


def main():
    check_table()
    if sys.argv[1:2] == ["-o"]:
        hdgen.write(sys.argv[2], gen_c())
        return 0
    path = os.path.join(hdgen.RTL, "top", "hd_top.sv")
    wrong = check_rtl(path)
    for line in wrong:
        print(f"rtl/top/hd_top.sv: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
