# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The tables in C: hd_types.h, hd_policies.h, hd_BLOCK_ports.h, hd_blocks.h, and hd_cfg_table.c of
the configurations."""
import functools

from .expressions import c_expr, clog2, snake
from .layout import c_type, dimension, struct_layout
from .limits import gen_limits_c
from .output import NOTE
from .params import ALL, room_for
from .tables import BLOCKS, CONFIGS, DERIVED, ENUMS, MAP, NAMES, TYPES, die, port_rows, subs


@functools.cache
def gen_types_h():
    o = [f"/* {NOTE} */", "#ifndef HD_TYPES_H", "#define HD_TYPES_H", "", "#include <stdint.h>", ""]
    for en, rows in ENUMS.items():
        o.append(f"enum hd_{en} {{")
        o += [f"  HD_{en.upper()}_{snake(r['name']).upper()} = {r['value']}, /* {r['meaning']} */" for r in rows]
        o.append("};\n")
    o.append("/* The parameters of a configuration, from rtl/pkg/configs.csv and derived.csv. */")
    o.append("struct hd_cfg {\n  char name[96];")
    for r in CONFIGS + DERIVED:
        o.append(f"  uint32_t {snake(r['param'])};".ljust(34) + f"/* {r['meaning']} */")
    o.append("  uint32_t num_counters;\n  uint32_t status_w;\n};\n")
    for r in CONFIGS + DERIVED:
        o.append(f"#define HD_MAX_{snake(r['param']).upper()} {room_for(r['param'])}")
    o.append(f"#define HD_NUM_COUNTERS {len(MAP['counter'])}")
    o.append(f"#define HD_STATUS_W {len(MAP['bit'])}\n")
    for t in TYPES:
        o += [f"struct hd_{t} {{", *members(t), "};\n"]
    o.append("#endif")
    return "\n".join(o) + "\n"


def gen_policies_h():
    """The policies as an X macro, in the order of their numbers."""
    names = [snake(r["name"]) for r in ENUMS["policy"]]
    words = [n.replace("_", "-") for n in names]
    if [r["value"] for r in ENUMS["policy"]] != [str(k) for k in range(len(names))]:
        die("rtl/pkg/enums.csv: the numbers of the policies must be 0, 1, ..")
    o = [f"/* {NOTE} */", "#ifndef HD_POLICIES_H", "#define HD_POLICIES_H", "", f"#define HD_NUM_POLICY {len(names)}",
         f"#define HD_POLICY_MASK {(1 << clog2(len(names))) - 1}u /* the bits of the register that select it */",
         "/* The policy that a word of the register selects; an unknown number selects Rr. */",
         "#define HD_POLICY_OF(word) (((word) & HD_POLICY_MASK) < HD_NUM_POLICY ? (word) & HD_POLICY_MASK : 0)",
         f'#define HD_POLICY_NAMES "{" ".join(words)}"', f'#define HD_POLICY_LISTED "{", ".join(words)}"', "",
         "/* X(name, word) for all policies, as in X(tb_pri, \"tb-pri\"). */", "#define HD_POLICIES(X) \\"]
    o += [f'  X({n}, "{w}") \\' for n, w in zip(names, words)]
    o[-1] = o[-1][:-2]
    return "\n".join([*o, "", "#endif"]) + "\n"


def members(typ):
    """The members of a payload's struct, with named padding."""
    rows, size, _ = struct_layout(typ)
    meaning = {f["field"]: f["meaning"] for f in TYPES[typ]}
    o, at, pad = [], 0, 0
    for name, ct, offset, bytes_of_it in rows:
        if offset > at:
            o.append(f"  uint8_t pad{pad}_[{offset - at}];")
            pad += 1
        o.append(f"  {ct} {name};".ljust(34) + (f"/* {meaning[name]} */" if meaning[name] else ""))
        at = offset + bytes_of_it
    if size > at:
        o.append(f"  uint8_t pad{pad}_[{size - at}]; /* always 0: structs are compared as bytes */")
    return o


def item(r, comment):
    """A port, a register or a table as a member of a struct."""
    return f"  {c_type(r['type'])} {r['name']}{dimension(r)};".ljust(38) + f"/* {comment} */"


@functools.cache
def gen_ports_h(block):
    inside = subs(block)
    o = [f"/* {NOTE}",
         f" * Ports and architectural state of {block}: one field for each RTL port, without _i or _o. */",
         f"#ifndef HD_{block.upper()}_PORTS_H", f"#define HD_{block.upper()}_PORTS_H", "", '#include "hd_types.h"']
    o += [f'#include "hd_{r["type"]}_ports.h"' for r in inside] + [""]
    for d in ("in", "out"):
        o.append(f"struct hd_{block}_{d} {{")
        for r in port_rows(block, d):
            each = f"; {r['count']} elements" if r["count"] != "1" else ""
            o.append(item(r, (r["meaning"] or r["name"].replace("_", " ")) + each))
        o.append("};\n")
    arch = []
    for r in port_rows(block, "state", "table", "sub"):
        if r["dir"] == "sub":
            arch.append(f"  struct hd_{r['type']}_arch {r['name']}{dimension(r)};")
        else:
            arch.append(item(r, r["meaning"]))
        if r["dir"] == "table":
            arch.append(f"  uint8_t {r['name']}_valid{dimension(r)};".ljust(38) + "/* which rows are valid */")
    o += [f"struct hd_{block}_arch {{", *(arch or ["  uint8_t none_;"]), "};\n"]
    if inside:
        o.append(f"/* Outputs of the blocks inside. */\nstruct hd_{block}_inner {{")
        for r in inside:
            o.append(f"  struct hd_{r['type']}_out {r['name']}{dimension(r)};")
            o += [f"  struct hd_{r['type']}_inner {r['name']}_inner;"] * bool(subs(r["type"]))
        o.append("};\n")
    o.append("#endif")
    return "\n".join(o) + "\n"


def gen_blocks_h():
    """The blocks as X macros."""
    def macro(text, name, calls):
        return ["", f"/* {text} */", f"#define {name} \\", " \\\n".join("  " + c for c in calls)]
    parts = []
    for r in subs("top"):
        parts += [f"ONE({r['type']})"]
        for k in subs(r["type"]):
            parts.append(f"IN({k['type']}, {r['type']})" if k["count"] == "1"
                         else f"EACH({k['type']}, {r['type']}, {snake(k['count'])})")
    o = [f"/* {NOTE} */", "#ifndef HD_BLOCKS_H", "#define HD_BLOCKS_H"]
    o += macro("X(b) for all blocks.", "HD_BLOCKS(X)", [f"X({b})" for b in BLOCKS])
    o += macro("X(b) for the blocks of the plane.", "HD_TOP_BLOCKS(X)", [f"X({r['type']})" for r in subs("top")])
    o += ["", "/* Whether the plane has a block; c is a const struct hd_cfg *. */"]
    o += [f"#define HD_TOP_HAS_{r['type']}(c) {'(c)->' + snake(r['has']) if r['has'] else 1}" for r in subs("top")]
    o += macro("The groups of the plane's state: ONE(b) for each block, followed by those inside it: IN(b, block) "
               "or EACH(b, block, number) for an array.", "HD_TOP_PARTS(ONE, IN, EACH)", parts)
    o += ["", f'#define HD_BLOCK_NAMES "{", ".join(BLOCKS)}"', "", "#endif"]
    return "\n".join(o) + "\n"


def gen_cfg_c():
    """The configurations, the computation of their derived parameters, and the limits of the parameters."""
    o = [f"/* {NOTE} */", '#include "common/hd_cfg.h"', "", "#include <stddef.h>", "#include <stdio.h>", "",
         "const struct hd_cfg hd_cfg_table[] = {"]
    for n in NAMES:
        o.append(f'    {{.name = "{n}",')
        o += [f"     .{snake(r['param'])} = {ALL[n][r['param']]}," for r in CONFIGS]
        o.append("    },")
    o += ["};", f"const unsigned hd_cfg_table_n = {len(NAMES)};", "",
          "const struct hd_cfg_param hd_cfg_params[] = {"]
    o += [f'    {{"{r["param"]}", offsetof(struct hd_cfg, {snake(r["param"])}), "{r["meaning"]}"}},' for r in CONFIGS]
    o += ["};", f"const unsigned hd_cfg_params_n = {len(CONFIGS)};", "",
          "void hd_cfg_derive_raw(struct hd_cfg *c) {"]
    o += [f"  c->{snake(d['param'])} = {c_expr(d['expression'])};" for d in DERIVED]
    o += [f"  c->num_counters = {len(MAP['counter'])};", f"  c->status_w = {len(MAP['bit'])};", "}"]
    return "\n".join(o + gen_limits_c()) + "\n"
