# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The wires of the plane, from rtl/top/nets.csv, and plane_wires.c, the wiring of the models. synth/nets.py compares
them with the instances in hd_top.sv."""
import re

from . import params
from .expressions import c_expr, snake
from .output import NOTE
from .params import width_of
from .tables import TYPES, die, port_rows, subs, table

PLANE = [r["type"] for r in subs("top")]
PORTS = {b: {(r["dir"], r["name"]): r for r in port_rows(b, "in", "out")} for b in ["top", *PLANE]}
LISTED = {(r["block"], r["port"]): r["from"] for r in table("top/nets.csv")}
REF = r"(\w+)\.(\w+)((?:\.\w+|\[\w+\])*)"


def is_a(block, port, direction):
    return (direction, port) in PORTS.get(block, {})


def alias(block, port):
    """Whether this name of the table is an input of a block, and so stands for its source."""
    return block != "top" and is_a(block, port, "in") and not is_a(block, port, "out")


def row_of(block, port):
    """The row of an output of a block or, if it has none of that name, of an input."""
    return PORTS[block].get(("out", port)) or PORTS[block]["in", port]


def of_its_name(block, port):
    """The outputs of blocks, and the input of the plane, with the same name as an input. The driver's name may come
    before the output's: kd_entry is the output entry of kd."""
    outputs = [f"{b}.{p}" for b in PLANE if b != block for p in (port, port.removeprefix(b + "_")) if is_a(b, p, "out")]
    return list(dict.fromkeys(outputs)) + [f"top.{port}"] * is_a("top", port, "in")


def source(block, port):
    """The source of an input: the listed one, or the one of the same name."""
    if (block, port) in LISTED:
        return LISTED[block, port]
    found = of_its_name(block, port)
    if len(found) != 1:
        why = f"several sources have this name: {', '.join(found)}" if found else "no output has this name: add a line"
        die(f"rtl/top/nets.csv: {block},{port}: {why}")
    return found[0]


def wires():
    """Yields (block, row of the input, [(field or "", source)]); the whole input precedes its fields."""
    check_table()
    for b in PLANE:
        for r in PORTS[b].values():
            if r["dir"] == "in":
                fields = [(p[len(r["name"]):], f) for (k, p), f in LISTED.items()
                          if k == b and p.startswith(r["name"] + ".")]
                whole = [] if fields and (b, r["name"]) not in LISTED else [("", source(b, r["name"]))]
                yield b, r, whole + fields


def check_table():
    """Exits with a message if a line names something unknown, or is redundant."""
    for (b, p), text in LISTED.items():
        if not is_a(b, p.split(".")[0], "in"):
            die(f"rtl/top/nets.csv: {b},{p}: no such input")
        for owner, port, _ in re.findall(REF, text):
            if not (is_a(owner, port, "in") or owner != "top" and is_a(owner, port, "out")):
                die(f"rtl/top/nets.csv: {b},{p}: there is no {owner}.{port}")
        if of_its_name(b, p) == [text]:
            die(f"rtl/top/nets.csv: {b},{p}: redundant line: {text} is the source by its name")


def c_ref(match):
    owner, port, rest = match.groups()
    if alias(owner, port):
        return c_value(source(owner, port), row_of(owner, port))
    rest = re.sub(r"\[([A-Z]\w*)\]", lambda m: f"[HD_CONFIG_{snake(m.group(1)).upper()}]", rest)
    return f"p->in->{port}{rest}" if owner == "top" else f"o->{owner}.{port}{rest}"


def c_value(text, row):
    """A source as C; a word of the register map is truncated to the input's width."""
    out = text.replace("&", "&&").replace("|", "||")
    out = re.sub(r"\b(Policy\w+)\b(?!\])", lambda m: "HD_" + snake(m.group(1)).upper(), out)
    out = re.sub(REF, c_ref, out)
    width = 32 if row["type"] in TYPES else width_of(row["type"], params.ALL["k20c"])
    return f"({out} & {(1 << width) - 1})" if text.startswith("regs.config[") and width < 32 else out


def c_lines(row, field, text):
    to = f"i->{row['name']}{field}"
    if text == "0":
        return [f"memset(&{to}, 0, sizeof {to});"]
    if text.startswith("["):
        return [f"{to}[{k}] = {c_value(e.strip(), row)};"
                for k, e in enumerate(text[1:-1].split(",")) if e.strip() != "0"]
    if row["count"] == "1" or field:
        return [f"{to} = {c_value(text, row)};"]
    count = c_expr(row["count"]).replace("c->", "p->cfg->")
    return [f"memcpy({to}, {c_value(text, row)}, ({count}) * sizeof *{to});"]


def gen_wires_c():
    o = [f"/* {NOTE} */", "#include <string.h>", "",
         '#include "hd_regs_map.h"', '#include "env/top/plane_blocks.h"']
    body = {}
    for b, row, parts in wires():
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
