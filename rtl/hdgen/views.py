# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""What people see of a block's table: the view for GTKWave, the table of ports on its page."""
from . import params
from .params import inside, leaves, shape
from .tables import ENUM_OF, TYPES, port_groups, port_rows, rtl_name

# Addresses, names, bits: all other parameters are numbers.
HEX = {"PcW", "ParamW", "ParamUnitsW", "AddrW", "ApbAddrW", "TagW", "StatusW"}
VIEW = """[timestart] 0
[size] 1500 900
[pos] -1 -1
*-2.700000{}
[sst_width] 0
[signals_width] 330
[sst_expanded] 0""".format(" -1" * 27)


def gen_gtkw(config, sets, block):
    """A block's view for GTKWave: clock, ports under their headings, registers, and a group for each block inside."""
    p = params.of(config, sets)
    o = [VIEW, "@200", "-clock", "@28", f"{block}.clk_i", "@28", f"{block}.rst_ni"]
    for heading, rows in port_groups(block):
        o += ["@200", "-" + heading]
        for r in rows:
            o += wave_traces(f"{block}.{rtl_name(r)}", r, p)
    return "\n".join(o + wave_state(block, f"{block}.hd_{block}.", p)) + "\n"


def wave_state(block, path, p):
    """The registers of a block, then each block inside as a closed group."""
    registers = port_rows(block, "state")
    o = ["@200", "-registers"] * bool(registers)
    for r in registers:
        o += wave_traces(path + r["rtl"], r, p)
    for r, i, instance, q in inside(block, p):
        name = r["name"] + (f" {i}" if r["count"] != "1" else "")
        o += ["@c00200", "-" + name, *wave_state(r["type"], f"{path}{instance}.", q), "@1401200", "-" + name]
    return o


def wave_traces(name, r, p):
    """The traces of a port or register: one for each field of a payload; arrays are one number, element 0
    in the low digits."""
    w, n = shape(r, p)
    fields = leaves(r["type"], p, name) if r["count"] == "1" else [(name, 0, w * n, "")]
    o = []
    for path, _, w, typ in fields:
        number = typ not in HEX and (not typ.isdigit() or w <= 8) and typ
        radix = "100000028" if typ in ENUM_OF and path != name else "28" if w == 1 else "24" if number else "22"
        bits = f"[{w - 1}:0]" if w > 1 else ""
        # GTKWave shows what is behind the last point: the field alone.
        label = path[name.rindex(".") + 1:].replace(".", " ")
        o += ["@" + radix, (f"+{{{label}{bits}}} " if path != name else "") + path + bits]
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
