# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The wires of the plane, from the names of ports and rtl/top/nets.csv, and plane_wires.c, the wiring of the models."""
import re
import typing

from .expressions import c_expr, evaluate
from .output import NOTE
from .params import has, width_of
from .tables import die, port_rows, subs, table

PLANE = [r["type"] for r in subs("top")]
PORTS = {b: {(r["dir"], r["name"]): r for r in port_rows(b, "in", "out")} for b in ["top", *PLANE]}
LISTED = {(r["block"], r["port"]): r["from"] for r in table("top/nets.csv")}


class Source(typing.NamedTuple):
    """An output of a block, or an input of the plane (owner `top`); of a vector maybe one element."""
    owner: str
    port: str
    element: typing.Optional[int] = None

    @property
    def row(self):
        return PORTS[self.owner]["in" if self.owner == "top" else "out", self.port]


def is_a(block, port, direction):
    return (direction, port) in PORTS.get(block, {})


def of_its_name(block, port):
    """The outputs of blocks, and the input of the plane, with the same name as an input. The driver's name may come
    before the output's: kd_entry is the output entry of kd."""
    outputs = [Source(b, p) for b in PLANE if b != block for p in (port, port.removeprefix(b + "_"))
               if is_a(b, p, "out")]
    return list(dict.fromkeys(outputs)) + [Source("top", port)] * is_a("top", port, "in")


def parsed(block, port, text):
    """The sources that a line of nets.csv lists."""
    out = []
    for one in text.strip("[]").split(",") if text.startswith("[") else [text]:
        m = re.fullmatch(r"(\w+)\.(\w+)(?:\[(\d+)\])?", one.strip())
        if not m or not is_a(m[1], m[2], "in" if m[1] == "top" else "out"):
            die(f"rtl/top/nets.csv: {block},{port}: there is no {one.strip()}")
        out.append(Source(m[1], m[2], None if m[3] is None else int(m[3])))
    return out


def sources(block, port):
    """The sources of an input, more than one if each drives an element: the listed ones, or the one of its name."""
    if (block, port) in LISTED:
        return parsed(block, port, LISTED[block, port])
    found = of_its_name(block, port)
    if len(found) != 1:
        names = ", ".join(f"{s.owner}.{s.port}" for s in found)
        die(f"rtl/top/nets.csv: {block},{port}: "
            + (f"several sources have this name: {names}" if found else "no output has this name: add a line"))
    return found


def wires():
    """Yields (block, row of an input, its sources) for all inputs of blocks."""
    check_table()
    for b in PLANE:
        for r in port_rows(b, "in"):
            yield b, r, sources(b, r["name"])


def omitted(p):
    """The blocks that a plane with the parameters p does not have."""
    return {r["type"] for r in subs("top") if not has(r, p)}


def absent_value(source, p):
    """The bits of an output of an omitted block as a number, or None if they are no constants."""
    value = source.row.get("absent", "")
    if value.startswith(("{", "hd_")):
        return None
    width = width_of(source.row["type"], p) * (1 if source.element is not None else evaluate(source.row["count"], p))
    return (1 << width) - 1 if value == "ones" else evaluate(value or "0", p)


def ties(block, p):
    """Returns what omitted blocks leave of a block's ports. {input: [(width, number or None if it is driven), ..] from
    the lowest bits on}, and the outputs that only omitted blocks read."""
    gone, tied, read, lost = omitted(p), {}, set(), set()
    for b, row, found in wires():
        for s in (s for s in found if s.owner == block):
            (lost if b in gone else read).add(s.port)
        if b == block and any(s.owner in gone for s in found):
            width = width_of(row["type"], p) * evaluate(row["count"], p) // len(found)
            tied[row["name"]] = [(width, absent_value(s, p) if s.owner in gone else None) for s in found]
    instead = " ".join(r.get("absent", "") for b in gone for r in port_rows(b, "out"))
    pins = {r["name"] for r in port_rows("top", "out")}
    return tied, {o for o in lost - read - pins if not re.search(rf"\b{block}_{o}\b", instead)}


def check_table():
    """Exits with a message if a line names something unknown, or is redundant."""
    for (b, p), text in LISTED.items():
        if not is_a(b, p, "in"):
            die(f"rtl/top/nets.csv: {b},{p}: no such input")
        if of_its_name(b, p) == parsed(b, p, text):
            die(f"rtl/top/nets.csv: {b},{p}: redundant line: {text} is the source by its name")


def c_value(source):
    element = "" if source.element is None else f"[{source.element}]"
    return f"p->in->{source.port}" if source.owner == "top" else f"o->{source.owner}.{source.port}{element}"


def c_lines(row, found):
    to = f"i->{row['name']}"
    if len(found) > 1:
        return [f"{to}[{k}] = {c_value(s)};" for k, s in enumerate(found)]
    if row["count"] == "1":
        return [f"{to} = {c_value(found[0])};"]
    count = c_expr(row["count"]).replace("c->", "p->cfg->")
    return [f"memcpy({to}, {c_value(found[0])}, ({count}) * sizeof *{to});"]


def gen_wires_c():
    body = {}
    for b, row, found in wires():
        body.setdefault(b, []).extend(c_lines(row, found))
    o = [f"/* {NOTE} */", "#include <string.h>", "", '#include "env/top/plane_blocks.h"']
    for b, lines in body.items():
        o += ["", f"void hd_wire_{b}(struct hd_plane_blocks *p) {{", f"  struct hd_{b}_in *i = &p->{b}_in;",
              "  const struct hd_top_inner *o = &p->out;"]
        o += ["  " + line for line in lines] + ["  (void)o;", "}"]
    return "\n".join(o) + "\n"
