# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The packages of a configuration in SystemVerilog: hd_pkg, and behind it hd_regs_pkg."""
import textwrap

from . import params
from .expressions import camel
from .output import NOTE
from .params import width_of
from .registers import gen_regs_sv
from .tables import CONFIGS, DERIVED, ENUM_OF, ENUMS, TYPES


def member_type(typ, p):
    if typ in TYPES:
        return f"{typ}_t"
    return ENUM_OF[typ] + "_e" if typ in ENUM_OF else f"logic [{width_of(typ, p) - 1}:0]"


def declared(declaration, column, meaning):
    """A declaration with its meaning, if it has one: behind it, or above it where the line would be wider than 100
    columns."""
    line = f"{declaration.ljust(column)}// {meaning}" if meaning else declaration
    if len(line) <= 100:
        return [line]
    margin = " " * (len(declaration) - len(declaration.lstrip())) + "// "
    return [*textwrap.wrap(meaning, 100, initial_indent=margin, subsequent_indent=margin), declaration]


def gen_sv(config, sets):
    p = params.of(config, sets)
    name = config + "".join(" " + s for s in sets)
    o = [f"// {NOTE} Configuration: {name}", "package hd_pkg;", ""]
    meaning = {r["param"]: r["meaning"] for r in CONFIGS + DERIVED}
    for k, v in p.items():
        o += declared(f"  localparam int {k} = {v};", 42, meaning.get(k))
    for t in TYPES:
        o.append(f"  localparam int {camel(t)}W = {width_of(t, p)};")
    o.append("")
    for en, rows in ENUMS.items():
        w = p[camel(en) + "W"]
        o.append(f"  typedef enum logic [{w - 1}:0] {{")
        o.append(",\n".join(f"    {camel(en)}{r['name']} = {w}'d{r['value']}" for r in rows))
        o += [f"  }} {en}_e;", f"  localparam int Num{camel(en)} = {len(rows)};\n"]
    for t, fields in TYPES.items():
        o.append("  typedef struct packed {")
        for f in fields:
            o += declared(f"    {member_type(f['width'], p)} {f['field']};", 34, f["meaning"])
        o.append(f"  }} {t}_t;\n")
    return "\n".join([*o, "endpackage", "", gen_regs_sv(p)])
