# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Views of a block's table: the view for GTKWave and the port table of its page."""
from . import params
from .expressions import evaluate
from .params import inside, shape
from .signals import instances_of
from .tables import TYPES, VIEWS, port_groups, port_rows, rtl_name, shown
from .traces import MODEL, MOST, ROWS, element, group, occupancy, row

VIEW = """[timestart] 0
[size] 1500 900
[pos] -1 -1
*-11.700000{}
[sst_width] 0
[signals_width] 330
[sst_expanded] 0""".format(" -1" * 27)
# Name of an element if all ports of a heading are arrays of the same size.
EACH = {"NumSmx": "SMX", "NumKde": "KDE", "NumHwq": "HWQ", "NumBank": "bank"}


def gen_gtkw(config, sets, block):
    """A block's view for GTKWave: clock, occupancy, ports under their headings, registers, and a group
    for each block inside. `^NUMBER @NAME` stands for the file NAME of gen_names(). tb/engine/view.c replaces the other
    lines that are not GTKWave's: `?` alone by the differing values, RTL and model; `?TRACE` is the model's value of the
    trace above it; lines with `!` are only shown if they differ."""
    p = params.of(config, sets)
    first = [r["name"] for r in VIEWS if (r["kind"], r["block"]) == ("first", block)]
    o = [VIEW, "@200", "-clock", "@28", f"{block}.clk_i", "@28", f"{block}.rst_ni", "@24", "lockstep.cycle[63:0]", "?"]
    held = wave_occupancy(block, f"{block}.hd_{block}.", p)
    o += ["@200", "-occupancy", *held] * bool(held)
    for heading, rows in sorted(port_groups(block), key=lambda g: g[0] not in first):
        o += ["@200", "-" + heading, *wave_ports(block, rows, p, heading in first)]
    o += wave_state(block, f"{block}.hd_{block}.", p, "")
    names = [line.lstrip("!?")[2:] if line.lstrip("!?").startswith("^@") else "" for line in o]
    files = list(dict.fromkeys(filter(None, names)))  # GTKWave needs a number for each
    return "\n".join(line.replace("^@", f"^{files.index(name) + 1} @") if name else line
                     for line, name in zip(o, names)) + "\n"


def compared(r):
    """The prefix of the model's values of a port of the block; None: not compared."""
    return "" if r["dir"] == "out" else None


def wave_ports(block, rows, p, is_open):
    """The ports under a heading; element by element if all are arrays of the same size."""
    counts = {r["count"] for r in rows}
    names = [f"{block}.{rtl_name(r)}" for r in rows]
    n = shape(rows[0], p)[1] if rows else 0
    if len(counts) != 1 or not 1 < n <= MOST["elements"]:
        return [line for name, r in zip(names, rows) for line in row(name, r, p, where=compared(r))]
    o = []
    for k in range(n):
        lines = [line for name, r in zip(names, rows)
                 for line in element(name, r, p, k, rtl_name(r), where=compared(r))]
        o += group(f"{EACH.get(*counts, 'element')} {k}", lines, is_open)
    return o


def wave_occupancy(block, path, p):
    """The rows of views.csv for the block and the blocks inside; an array of blocks is a group."""
    o, several = [], {}
    for v in VIEWS:
        if (v["kind"], v["block"]) == ("occupancy", block):
            (r,) = [r for r in port_rows(block, "state") if r["name"] == v["name"]]
            o += occupancy(path + r["rtl"], r, p, v["label"])
    for r, i, instance, q in inside(block, p):
        held = wave_occupancy(r["type"], f"{path}{instance}.", q)
        if r["count"] == "1":
            o += held
        else:
            each = EACH.get(r["count"], r["name"])
            several.setdefault(each, []).extend(line.replace("+{", f"+{{{each} {i}: ") for line in held)
    return o + [line for each, held in several.items() if held for line in group(f"each {each}", held, each == "SMX")]


def wave_state(block, path, p, where):
    """The registers of a block, then each block inside as a folded group. where: the prefix of compared names. Tables
    and outputs of the blocks inside are hidden unless they differ."""
    registers = port_rows(block, "state")
    o = ["@200", "-registers"] * bool(registers)
    for r in registers:
        o += row(path + r["rtl"], r, p, block, where)
    for r in port_rows(block, "table"):
        (w, n), rams = shape(r, p), instances_of(r, p)
        o += [f"!table {MODEL}{where}{r['name']} {k * n // len(rams)} {n // len(rams)} {w} {path}{ram}"
              for k, ram in enumerate(rams) if 0 < n // len(rams) <= ROWS]
    for r, i, instance, q in inside(block, p):
        name, below = r["name"] + (f" {i}" if r["count"] != "1" else ""), f"{path}{instance}."
        here = f"{where}{r['name']}" + (f"[{i}]" if evaluate(r["count"], p) > 1 else "") + "."
        o += group(name, wave_state(r["type"], below, q, here), False)
        o += ["!" + line for port in shown(r["type"]) for line in row(below + rtl_name(port), port, q, where=here)]
    return o


def gen_doc(block):
    """The ports of a block as a table in Markdown."""
    o = ["| port | width | count | meaning |", "|---|---|---|---|"]
    for heading, rows in port_groups(block):
        o.append(f"| **{heading}** | | | |")
        for r in rows:
            width = f"`{r['type']}_t`" if r["type"] in TYPES else r["type"]
            o.append(f"| `{rtl_name(r)}` | {width} | {r['count']} | {r['meaning']} |")
    return "\n".join(o) + "\n"
