# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""fields_table.c: name, width and offset of every leaf of every port and state item, for replay files and reports.
Counts and widths are expressions in C, so that one table serves all configurations."""
import re

from .expressions import c_expr
from .layout import BYTES, c_type
from .output import NOTE
from .params import leaf_types
from .tables import BLOCKS, ENUM_OF, ENUMS, port_rows, shown, subs


def gen_fields_c():
    o = [f"/* {NOTE} */", '#include "engine/fields.h"', "", "#include <stddef.h>", ""]
    o += [f'#include "hd_{b}_ports.h"' for b in BLOCKS]
    o += ["", "/* Runs once; optimizing it would take minutes. */", "#ifdef __clang__",
          "#pragma clang optimize off", "#else", '#pragma GCC optimize("O0")', "#endif",
          "\n#define W(e) ((uint16_t)(e))\n"]
    for en, rows in ENUMS.items():
        o.append(f"static const char *const {en}_names[] = {{" + ", ".join(f'"{r["name"]}"' for r in rows) + ", 0};")
    for b in BLOCKS:
        o.append(f"\nvoid hd_{b}_fields(const struct hd_cfg *c, struct hd_field_list *l) {{")
        for d in ("in", "out", "arch"):
            o += field_calls(b, d, f"struct hd_{b}_{d}", "", "", "1", "0")
        o += inner_calls(b, "", "0")
        o.append(f"  l->groups = {groups_expr(b)};\n  (void)c;\n}}")
    o.append("\nconst struct hd_field_table hd_field_tables[] = {")
    for b in BLOCKS:
        inner = f"sizeof(struct hd_{b}_inner)" if subs(b) else "0"
        o.append(f'    {{"{b}", hd_{b}_fields, sizeof(struct hd_{b}_in), sizeof(struct hd_{b}_out), '
                 f'sizeof(struct hd_{b}_arch), {inner}}},')
    o.append("    {0, 0, 0, 0, 0, 0},\n};")
    return "\n".join(o) + "\n"


def groups_expr(block):
    """Number of state groups of a block as C: its own registers, then those of each block inside it."""
    return " + ".join(["1"] + [f"{c_expr(r['count'])} * ({groups_expr(r['type'])})" for r in subs(block)])


def inner_calls(block, prefix, base):
    """The outputs of the blocks inside."""
    out, struct = [], f"struct hd_{block}_inner"
    for r in subs(block):
        typ, name = f"struct hd_{r['type']}_out", f"{prefix}{r['name']}."
        out += field_calls(r["type"], "inner", typ, name, f"{base} + offsetof({struct}, {r['name']})",
                           c_expr(r["count"]), f"sizeof({typ})", names=r["valid"])
        if subs(r["type"]):
            out += inner_calls(r["type"], name, f"{base} + offsetof({struct}, {r['name']}_inner)")
    return out


def rows_of(block, part):
    """The rows of a part of a block."""
    if part == "inner":
        return shown(block)
    return port_rows(block, *(("state", "table", "sub") if part == "arch" else (part,)))


def seen(expr, names):
    """An expression in C, with the parameter names that a row `sub` sets for the block (seen_by())."""
    own, _, here = names.partition("=")
    return c_expr(re.sub(rf"\b{own}(?=[A-Z])", here, expr) if here else expr)


def field_calls(block, part, struct, prefix, base, subcount, substride, group="0", names=""):
    """The calls for a part of a block: in, out, inner (its outputs when it is inside another block) or arch. The part
    is at offset `base` and is repeated `subcount` times, `substride` bytes apart."""
    out, inner = [], f"{group} + 1"
    for r in rows_of(block, part):
        count = seen(r["count"], names)
        if r["dir"] == "sub":
            typ = f"struct hd_{r['type']}_arch"
            offset = f"{base or '0'} + offsetof({struct}, {r['name']})"
            out += field_calls(r["type"], "arch", typ, prefix + r["name"] + ".", offset, count, f"sizeof({typ})", inner,
                               r["valid"])
            inner += f" + {count} * ({groups_expr(r['type'])})"
            continue
        typ, offset = c_type(r["type"]), (base + " + " if base else "") + f"offsetof({struct}, {r['name']})"
        kind = "HD_FIELD_" + (part if part == "inner" else r["dir"]).upper()
        out.append(f'  hd_port_add(l, (struct hd_port){{"{prefix}{r["name"]}", {kind}, {offset}, {count}, '
                   f'sizeof({typ}), {subcount}, {substride}, {group}}});')
        for path, leaf in leaf_types(r["type"]):
            name, at = prefix + r["name"], offset
            if path:
                name, at = f"{name}.{path}", f"{at} + offsetof({typ}, {path})"
            words = f"{ENUM_OF[leaf]}_names" if leaf in ENUM_OF else "0"
            out.append(f'  hd_field_add(l, (struct hd_field){{"{name}", {kind}, W({seen(leaf, names)}), '
                       f'{BYTES[c_type(leaf)]}, {at}, {count}, sizeof({typ}), {subcount}, {substride}, {words}}});')
    return out
