#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Writes everything that RTL, C model and harness must agree on, from the tables beside the RTL:
configurations, derived parameters, payload types, ports and architectural state of each block, register map.

  hdgen.py sv   --config NAME [--set P=V]... -o FILE   the package hd_pkg (and hd_regs_pkg) of a configuration
  hdgen.py head -o DIR                                 C headers and tables, for every configuration
  hdgen.py bind --config NAME --block B [--netlist] -o FILE   the C++ binding of one Verilated block
  hdgen.py vlt  --block B -o FILE                      which signals Verilator keeps visible for the binding
  hdgen.py gtkw --config NAME --block B -o FILE        the block's GTKWave view for a configuration
  hdgen.py doc  [--block B | --regs] [-o FILE]         the port table of a block, the register map, as Markdown
  hdgen.py limits [-o FILE]                            the module that checks the parameters in the elaboration of
                                                       the RTL
  hdgen.py list                                        the configurations and the blocks
"""
import argparse
import csv
import os
import re
import sys

RTL = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
LATER = {"gtx480ws": "the warp scheduler", "apu8": "channels"}
NOTE = "Written by rtl/pkg/hdgen.py: do not edit."


def die(text):
    sys.exit("hdgen: " + text)


def table(path):
    """Rows of a CSV file as dicts; lines that start with # are comments."""
    with open(os.path.join(RTL, path), newline="") as f:
        lines = [l for l in f if not l.startswith("#")]
    rows = list(csv.DictReader(lines))
    for r in rows:
        if None in r:
            die(f"{path}: too many fields in the line of {list(r.values())[:2]}")
        for k in r:
            r[k] = r[k] or ""
    return rows


def clog2(n):
    return max(1, (int(n) - 1).bit_length())


CLUSTER = {r["block"]: r["cluster"] for r in table("pkg/blocks.csv")}
BLOCKS = list(CLUSTER)
CONFIGS = table("pkg/configs.csv")
NAMES = [k for k in CONFIGS[0] if k not in ("param", "meaning")]
DERIVED = table("pkg/derived.csv")
LIMITS = table("pkg/limits.csv")
ENUMS = table("pkg/enums.csv")
TYPES = {}
for _r in table("pkg/types.csv"):
    TYPES.setdefault(_r["type"], []).append(_r)
MAP = table("service/regs/map.csv")


def folder(block):
    """Where a block's RTL lies, below rtl/."""
    return os.path.join(CLUSTER[block], block)


def counters():
    return [r for r in MAP if r["kind"] == "counter"]


def sticky():
    return [r for r in MAP if r["kind"] == "bit"]


def config_words():
    return [r for r in MAP if r["kind"] == "config"]


def snake(s):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", s).lower()


def base_params(config):
    if config in LATER:
        die(f"configuration '{config}' comes with {LATER[config]}; there are: {', '.join(NAMES)}")
    if config not in NAMES:
        die(f"no configuration '{config}'; there are: {', '.join(NAMES)}")
    return {r["param"]: int(r[config] or r["k20c"]) for r in CONFIGS}


def params(config, sets=()):
    """All parameters of a configuration by name, derived ones included."""
    p = base_params(config)
    for s in sets:
        name, _, value = s.partition("=")
        if name not in p:
            die(f"--set {s}: no parameter '{name}'; there are: {', '.join(p)}")
        if not re.fullmatch(r"\d+", value):
            die(f"--set {s}: '{value}' is not a whole number")
        p[name] = int(value)
    check(p, sizes())
    for d in DERIVED:
        p[d["param"]] = evaluate(d["expression"], p)
    p["NumCounters"] = len(counters())
    p["StatusW"] = len(sticky())
    check(p, relations())
    if p["NumConfig"] != len(config_words()):
        die("NumConfig (rtl/pkg/derived.csv): the words of kind config in rtl/service/regs/map.csv")
    return p


def check(p, rows):
    """Refuses what rows of rtl/pkg/limits.csv do not accept."""
    for r in rows:
        ok, text = limit(r)
        if not evaluate(ok, p):
            accepted = re.sub(r"\{(.*?)\}", lambda m: str(evaluate(m.group(1), p)), text)
            die(f"{r['param']}={p[r['param']]}: {accepted} is accepted")


def sizes():
    """The limits that name no derived parameter: they are judged before these are made."""
    late = {d["param"] for d in DERIVED}
    return [r for r in LIMITS if not late & set(re.findall(r"\w+", limit(r)[0]))]


def relations():
    return [r for r in LIMITS if r not in sizes()]


def limit(r):
    """A row of the limits as its condition and the words for what is accepted, with {expressions} in them."""
    if r["condition"]:
        return r["condition"], r["accepted"]
    text = " to ".join(e if e.isdigit() else f"{{{e}}}" for e in (r["min"], r["max"]))
    low = f"{r['param']} >= {r['min']} && " if r["min"] != "0" else ""
    return low + f"{r['param']} <= {r['max']}", text


def limit_format(r, translate):
    """The words for what a row accepts as a format with %d for each expression, and the expressions in
    another language."""
    text = limit(r)[1]
    return re.sub(r"\{.*?\}", "%d", text), [translate(e) for e in re.findall(r"\{(.*?)\}", text)]


def evaluate(expr, p):
    python = expr.replace(" / ", " // ").replace("&&", "and").replace("||", "or")
    return int(eval(python, {"clog2": clog2, "__builtins__": {}}, p))


def c_expr(expr):
    """An expression over parameters as C over `c`, a const struct hd_cfg *."""
    def sub(m):
        w = m.group(0)
        return "hd_clog2" if w == "clog2" else "c->" + snake(w)
    return re.sub(r"[A-Za-z_]\w*", sub, expr)


def port_rows(block):
    return table(f"{folder(block)}/{block}.csv")


def port_groups(block):
    """[(heading, its rows in and out)]: a row `group` heads the ports that follow it."""
    out = []
    for r in port_rows(block):
        if r["dir"] == "group":
            out.append((r["meaning"], []))
        elif r["dir"] in ("in", "out"):
            out += [("", [])] * (not out)
            out[-1][1].append(r)
    return out


def width_of(typ, p):
    if typ in TYPES:
        return sum(width_of(f["width"], p) for f in TYPES[typ])
    return evaluate(typ, p)


def leaves(typ, p, prefix="", lsb=0):
    """(path, lsb, width, type) of each leaf field, lowest bits last in the struct."""
    if typ not in TYPES:
        return [(prefix, lsb, width_of(typ, p), typ)]
    out, at = [], lsb + width_of(typ, p)
    for f in TYPES[typ]:
        at -= width_of(f["width"], p)
        out += leaves(f["width"], p, (prefix + "." if prefix else "") + f["field"], at)
    return out


ALL = {n: params(n) for n in NAMES}


# Parameters whose range goes beyond the named configurations: the C structs have room for all of it.
ROOM = {"MaxLevel": 16, "AgtHash": 2}


def max_over(expr):
    return max(evaluate(expr, {**p, **ROOM}) for p in ALL.values())


# ---------------------------------------------------------------------------------------------- SystemVerilog

def camel(t):
    return t[0].upper() + t[1:]


def gen_sv(config, sets):
    p = params(config, sets)
    name = config + "".join(" " + s for s in sets)
    o = [f"// {NOTE} Configuration: {name}", "package hd_pkg;", ""]
    meaning = {r["param"]: r["meaning"] for r in CONFIGS + DERIVED}
    for k, v in p.items():
        o.append(f"  localparam int {k} = {v};".ljust(42) + (f"// {meaning[k]}" if meaning.get(k) else ""))
    for t in TYPES:
        o.append(f"  localparam int {camel(t)}W = {width_of(t, p)};")
    o.append("")
    for en in dict.fromkeys(r["enum"] for r in ENUMS):
        rows = [r for r in ENUMS if r["enum"] == en]
        w = p[camel(en) + "W"]
        o.append(f"  typedef enum logic [{w - 1}:0] {{")
        o.append(",\n".join(f"    {camel(en)}{r['name']} = {w}'d{r['value']}" for r in rows))
        o.append(f"  }} {en}_e;\n")
    for t, fields in TYPES.items():
        o.append("  typedef struct packed {")
        for f in fields:
            typ = f"{f['width']}_t" if f["width"] in TYPES else f"logic [{width_of(f['width'], p) - 1}:0]"
            if enum_of(f["width"]):
                typ = enum_of(f["width"]) + "_e"
            o.append(f"    {typ} {f['field']};".ljust(34) + (f"// {f['meaning']}" if f["meaning"] else ""))
        o.append(f"  }} {t}_t;\n")
    o += ["endpackage", "", gen_regs_sv(p)]
    return "\n".join(o)


def reg_map(p):
    """(name, offset, access, reset, meaning) of each 32-bit word."""
    out, at = [], 0
    for r in MAP:
        if r["kind"] == "const":
            out.append((r["name"], at, "ro", evaluate(r["value"], p), r["meaning"]))
            at += 4
    bits = "; ".join(f"bit {r['value']} {r['name']}: {r['meaning']}" for r in sticky())
    out.append(("STATUS", 0x40, "rw1c", 0, bits))
    for i, r in enumerate(config_words()):
        out.append((r["name"], 0x80 + 4 * i, "rw", 0, r["meaning"]))
    for i, r in enumerate(counters()):
        out.append((r["name"] + "_LO", 0x100 + 8 * i, "rw", 0,
                    r["meaning"] + " (bits 31:0; a read latches the high half)"))
        out.append((r["name"] + "_HI", 0x104 + 8 * i, "rw", 0, "bits 47:32, as latched by the last read of a low half"))
    return out


def gen_regs_sv(p):
    o = ["package hd_regs_pkg;", ""]
    consts = [r for r in MAP if r["kind"] == "const"]
    o.append(f"  localparam int NumConsts = {len(consts)};  // words 0 to NumConsts - 1")
    vals = [evaluate(r["value"], p) for r in consts]
    o.append(f"  localparam logic [{32 * len(vals) - 1}:0] Consts = {{")
    o.append(",\n".join(f"    32'h{v:08x}" for v in reversed(vals)) + "\n  };")
    o.append("  localparam int StatusOffset = 'h40;")
    o.append("  localparam int ConfigBase = 'h80;  // one word each")
    o.append("  localparam int CounterBase = 'h100;  // two words each: low, high")
    for i, r in enumerate(config_words()):
        o.append(f"  localparam int Config{camel_words(r['name'])} = {i};")
    for r in sticky():
        o.append(f"  localparam int Status{camel_words(r['name'])} = {r['value']};")
    for i, r in enumerate(counters()):
        o.append(f"  localparam int Count{camel_words(r['name'])} = {i};")
    o += ["", "endpackage", ""]
    return "\n".join(o)


def camel_words(s):
    return "".join(w.capitalize() for w in s.split("_"))


# ---------------------------------------------------------------------------------------------- C

def c_type(width):
    return "uint8_t" if width <= 8 else "uint16_t" if width <= 16 else "uint32_t" if width <= 32 else "uint64_t"


SIZES = {"uint8_t": 1, "uint16_t": 2, "uint32_t": 4, "uint64_t": 8}


def c_layout(typ):
    """[(field, ctype or struct, offset)], size, alignment of the C struct of a payload type."""
    out, at, align = [], 0, 1
    for f in TYPES[typ]:
        if f["width"] in TYPES:
            _, size, al = c_layout(f["width"])
            ct = f"struct hd_{f['width']}"
        else:
            ct = c_type(max_over(f["width"]))
            size = al = SIZES[ct]
        at = (at + al - 1) // al * al
        out.append((f["field"], ct, at, size))
        at += size
        align = max(align, al)
    return out, (at + align - 1) // align * align, align


def gen_types_h():
    o = [f"/* {NOTE} */", "#ifndef HD_TYPES_H", "#define HD_TYPES_H", "", "#include <stdint.h>", ""]
    for en in dict.fromkeys(r["enum"] for r in ENUMS):
        rows = [r for r in ENUMS if r["enum"] == en]
        o.append(f"enum hd_{en} {{")
        o += [f"  HD_{en.upper()}_{snake(r['name']).upper()} = {r['value']}, /* {r['meaning']} */" for r in rows]
        o.append("};\n")
    o.append("/* The parameters of a configuration; rtl/pkg/configs.csv and derived.csv tell what each means. */")
    o.append("struct hd_cfg {\n  char name[96];")
    for r in CONFIGS + DERIVED:
        o.append(f"  uint32_t {snake(r['param'])};".ljust(34) + f"/* {r['meaning']} */")
    o.append("  uint32_t num_counters;\n  uint32_t status_w;\n};\n")
    for r in CONFIGS + DERIVED:
        o.append(f"#define HD_MAX_{snake(r['param']).upper()} {max_over(r['param'])}")
    o.append(f"#define HD_NUM_COUNTERS {len(counters())}")
    o.append(f"#define HD_STATUS_W {len(sticky())}\n")
    for t in TYPES:
        rows, size, _ = c_layout(t)
        meaning = {f["field"]: f["meaning"] for f in TYPES[t]}
        o.append(f"struct hd_{t} {{")
        at, pad = 0, 0
        for name, ct, off, sz in rows:
            if off > at:
                o.append(f"  uint8_t pad{pad}_[{off - at}];")
                pad += 1
            o.append(f"  {ct} {name};".ljust(34) + (f"/* {meaning[name]} */" if meaning[name] else ""))
            at = off + sz
        if size > at:
            o.append(f"  uint8_t pad{pad}_[{size - at}]; /* always 0: structs are compared as bytes */")
        o.append("};\n")
    o.append("#endif")
    return "\n".join(o) + "\n"


def subs(block):
    return [r for r in port_rows(block) if r["dir"] == "sub"]


def shown(block):
    """Outputs that are compared where the block lies in another."""
    return [r for r in port_rows(block) if r["dir"] == "out" and r["rtl"] != "-"]


def c_member(r):
    """Declaration of a port or state item in C."""
    ct = f"struct hd_{r['type']}" if r["type"] in TYPES else c_type(max_over(r["type"]))
    n = "" if r["count"] == "1" else f"[{max_over(r['count'])}]"
    return f"  {ct} {r['name']}{n};"


def gen_ports_h(block):
    rows = port_rows(block)
    o = [f"/* {NOTE}",
         f" * Ports and architectural state of {block}: one field for each RTL port, without _i or _o. */",
         f"#ifndef HD_{block.upper()}_PORTS_H", f"#define HD_{block.upper()}_PORTS_H", "", '#include "hd_types.h"']
    o += [f'#include "hd_{r["type"]}_ports.h"' for r in rows if r["dir"] == "sub"]
    o.append("")
    for d in ("in", "out"):
        o.append(f"struct hd_{block}_{d} {{")
        for r in rows:
            if r["dir"] == d:
                c = f" of {r['count']}" if r["count"] != "1" else ""
                o.append(c_member(r).ljust(38) + f"/* {r['meaning'] or 'as named'}{c} */")
        o.append("};\n")
    arch = [r for r in rows if r["dir"] in ("state", "table", "sub")]
    o.append(f"struct hd_{block}_arch {{")
    for r in arch:
        if r["dir"] == "sub":
            n = "" if r["count"] == "1" else f"[{max_over(r['count'])}]"
            o.append(f"  struct hd_{r['type']}_arch {r['name']}{n};")
        else:
            o.append(c_member(r).ljust(38) + f"/* {r['meaning']} */")
            if r["dir"] == "table":
                o.append(f"  uint8_t {r['name']}_valid[{max_over(r['count'])}];".ljust(38) + "/* which rows count */")
    if not arch:
        o.append("  uint8_t none_;")
    o.append("};\n")
    if subs(block):
        o.append(f"/* Outputs of the blocks inside. */\nstruct hd_{block}_inner {{")
        for r in subs(block):
            n = "" if r["count"] == "1" else f"[{max_over(r['count'])}]"
            o.append(f"  struct hd_{r['type']}_out {r['name']}{n};")
            o += [f"  struct hd_{r['type']}_inner {r['name']}_inner;"] * bool(subs(r["type"]))
        o.append("};\n")
    o.append("#endif")
    return "\n".join(o) + "\n"


def gen_cfg_c():
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
    o += [f"  c->num_counters = {len(counters())};", f"  c->status_w = {len(sticky())};", "}"]
    for name, rows in (("sizes", sizes()), ("relations", relations())):
        o += ["", f"bool hd_cfg_{name}(const struct hd_cfg *c, char *err, size_t err_size) {{"]
        for r in rows:
            text, values = limit_format(r, lambda e: f"(int){c_long(e)}")
            args = "".join(", " + v for v in [f"(unsigned long)c->{snake(r['param'])}", *values])
            o += [f"  if (!({c_long(limit(r)[0])})) {{",
                  f'    snprintf(err, err_size, "{r["param"]}=%lu: {text} is accepted"{args});',
                  "    return false;", "  }"]
        o += ["  return true;", "}"]
    return "\n".join(o) + "\n"


def c_long(expr):
    """c_expr() in 64 bits with sign: what is looked at may be anything."""
    c = re.sub(r"\b\d+\b", lambda m: f"INT64_C({m.group(0)})", c_expr(expr))
    return "(" + c.replace("c->", "(int64_t)c->").replace("hd_clog2(", "hd_clog2((uint32_t)") + ")"


def gen_limits_sv():
    """hd_limits: the same in the elaboration of the RTL."""
    o = ["// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1",
         "// hd_limits: what the parameters may be, checked while the RTL is elaborated. No logic.",
         "//",
         "// Made from rtl/pkg/limits.csv by `hdgen.py limits -o rtl/common/hd_limits.sv`: do not edit. The",
         "// generator of hd_pkg refuses the same; this is for one that was changed by hand. Verilator says",
         "// the words; Yosys stops at their line.",
         "module hd_limits;", "",
         "  // As in the tables: at least 1.",
         "  function automatic int clog2(input int n);",
         "    clog2 = n > 2 ? $clog2(n) : 1;",
         "  endfunction"]
    names = {r["param"] for r in CONFIGS + DERIVED}

    def sv(expr):
        return re.sub(r"[A-Za-z_]\w*", lambda m: "hd_pkg::" + m.group(0) if m.group(0) in names else m.group(0), expr)
    for i, r in enumerate(LIMITS):
        text, values = limit_format(r, sv)
        value = sv(r["param"])
        ok = sv(limit(r)[0]).replace(" && ", "\n      && ").replace(" || ", "\n      || ")
        args = "".join(f",\n        {v}" for v in [value, *values])
        o += ["", f"  if (!({ok})) begin : g_{i}",
              f'    $fatal(1, "{r["param"]}=%0d: {text.replace("%d", "%0d")} is accepted"{args});', "  end"]
    return "\n".join([*o, "", "endmodule"]) + "\n"


def gen_blocks_h():
    """The blocks as macros that call another one for each of them."""
    def macro(text, name, calls):
        return ["", f"/* {text} */", f"#define {name} \\", " \\\n".join("  " + c for c in calls)]
    parts = []
    for r in subs("top"):
        parts += [f"ONE({r['type']})"]
        for k in subs(r["type"]):
            parts.append(f"ONE({k['type']})" if k["count"] == "1" else f"EACH({k['type']}, {r['type']})")
    o = [f"/* {NOTE} */", "#ifndef HD_BLOCKS_H", "#define HD_BLOCKS_H"]
    o += macro("X(b) of all blocks.", "HD_BLOCKS(X)", [f"X({b})" for b in BLOCKS])
    o += macro("X(b) of the blocks of the plane.", "HD_TOP_BLOCKS(X)", [f"X({r['type']})" for r in subs("top")])
    o += macro("The same, and behind a block those inside it, EACH(b, block) where each SMX has one: the groups of the "
               "plane's state.", "HD_TOP_PARTS(ONE, EACH)", parts)
    o += ["", f'#define HD_BLOCK_NAMES "{", ".join(BLOCKS)}"', "", "#endif"]
    return "\n".join(o) + "\n"


def gen_fields_c():
    """Tables that name every leaf of every port and state item, for replay files and reports."""
    o = [f"/* {NOTE} */", '#include "engine/fields.h"', "", "#include <stddef.h>", ""]
    for b in BLOCKS:
        o.append(f'#include "hd_{b}_ports.h"')
    o += ["", "/* Runs once, and an optimizer takes minutes. */", '#pragma GCC optimize("O0")']
    o.append('\n#define W(e) ((uint16_t)(e))\n')
    for en in dict.fromkeys(r["enum"] for r in ENUMS):
        rows = [r for r in ENUMS if r["enum"] == en]
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
    return " + ".join(["1"] + [f"{c_expr(r['count'])} * ({groups_expr(r['type'])})"
                               for r in port_rows(block) if r["dir"] == "sub"])


def inner_calls(block, prefix, base):
    """The outputs of the blocks inside."""
    out, struct = [], f"struct hd_{block}_inner"
    for r in subs(block):
        n = c_expr(r["count"]) if r["count"] != "1" else "1"
        ty, name = f"struct hd_{r['type']}_out", f"{prefix}{r['name']}."
        out += field_calls(r["type"], "inner", ty, name, f"{base} + offsetof({struct}, {r['name']})", n,
                           f"sizeof({ty})")
        if subs(r["type"]):
            out += inner_calls(r["type"], name, f"{base} + offsetof({struct}, {r['name']}_inner)")
    return out


def field_calls(block, d, struct, prefix, base, subcount, substride, group="0"):
    out = []
    inner = f"{group} + 1"
    dirs = {"in": ("in",), "out": ("out",), "inner": ("out",), "arch": ("state", "table", "sub")}[d]
    for r in shown(block) if d == "inner" else port_rows(block):
        if r["dir"] not in dirs:
            continue
        if r["dir"] == "sub":
            ty = f"struct hd_{r['type']}_arch"
            off = f"{base or '0'} + offsetof({struct}, {r['name']})"
            n = c_expr(r["count"]) if r["count"] != "1" else "1"
            out += field_calls(r["type"], "arch", ty, prefix + r["name"] + ".", off, n, f"sizeof({ty})", inner)
            inner += f" + {n} * ({groups_expr(r['type'])})"
            continue
        off0 = (base + " + " if base else "") + f"offsetof({struct}, {r['name']})"
        count = c_expr(r["count"]) if r["count"] != "1" else "1"
        ty = f"struct hd_{r['type']}" if r["type"] in TYPES else c_type(max_over(r["type"]))
        kind = {"in": "HD_FIELD_IN", "out": "HD_FIELD_OUT", "state": "HD_FIELD_STATE",
                "table": "HD_FIELD_TABLE"}[r["dir"]]
        kind = "HD_FIELD_INNER" if d == "inner" else kind
        out.append(f'  hd_port_add(l, (struct hd_port){{"{prefix}{r["name"]}", {kind}, {off0}, {count}, sizeof({ty}), '
                   f'{subcount}, {substride}, {group}}});')
        for path, ct, w, enum in c_leaves(r["type"]):
            off = off0 + (f" + offsetof(struct hd_{r['type']}, {path})" if path else "")
            name = prefix + r["name"] + ("." + path if path else "")
            en = f"{enum}_names" if enum else "0"
            out.append(f'  hd_field_add(l, (struct hd_field){{"{name}", {kind}, W({c_expr(w)}), {SIZES[ct]}, {off}, '
                       f'{count}, sizeof({ty}), {subcount}, {substride}, {en}}});')
    return out


def enum_of(typ):
    """The enum whose width has that name, or None."""
    return next((en for en in dict.fromkeys(r["enum"] for r in ENUMS) if camel(en) + "W" == typ), None)


def c_leaves(typ, prefix=""):
    if typ not in TYPES:
        return [(prefix, c_type(max_over(typ)), typ, enum_of(typ))]
    out = []
    for f in TYPES[typ]:
        out += c_leaves(f["width"], (prefix + "." if prefix else "") + f["field"])
    return out


def gen_regs_h():
    p = ALL["k20c"]
    o = [f"/* {NOTE} */", "#ifndef HD_REGS_MAP_H", "#define HD_REGS_MAP_H", ""]
    consts = [r for r in MAP if r["kind"] == "const"]
    o.append(f"#define HD_REG_CONSTS {len(consts)}")
    for name, at, _, _, _ in reg_map(p):
        o.append(f"#define HD_REG_{name} 0x{at:03x}")
    for r in sticky():
        o.append(f"#define HD_STATUS_{r['name']} (1u << {r['value']})")
    o.append("\n/* Configuration words, in the order of the map. */\nenum hd_config {")
    o += [f"  HD_CONFIG_{r['name']}, /* {r['meaning']} */" for r in config_words()]
    o.append("};")
    o.append("\n/* Performance counters, in the order of the map. */\nenum hd_counter {")
    o += [f"  HD_COUNT_{r['name']}, /* {r['meaning']} */" for r in counters()]
    o.append("};\n")
    o.append("#define HD_COUNTER_NAMES {" + ", ".join(f'"{r["name"].lower()}"' for r in counters()) + "}")
    o.append("/* The read-only words at offset 0, 4, ..; c is a const struct hd_cfg *. */")
    o.append("#define HD_REG_CONST_VALUES(c) {" + ", ".join(c_expr_const(r["value"]) for r in consts) + "}")
    o.append("\n#endif")
    return "\n".join(o) + "\n"


def c_expr_const(e):
    return e if e.startswith("0x") else f"({c_expr(e).replace('c->', '(c)->')})"


# ---------------------------------------------------------------------------------------------- C++ binding

def sig_load(name, width, lsb, w):
    """C++ expression that reads w bits at lsb (a C++ expression) of a signal of that width."""
    if width <= 64:
        return f"(((uint64_t){name} >> ({lsb})) & {mask(w)})" if width != w else f"((uint64_t){name})"
    return f"wide_get({name}, {lsb}, {w})"


def mask(w):
    return f"0x{(1 << w) - 1:x}ull"


def gen_bind(config, sets, block, netlist):
    p = params(config, sets)
    top = f"hd_{block}"
    rows = port_rows(block)
    o = [f"// {NOTE}", f'#define HD_BLOCK "{block}"', f'#define HD_CONFIG "{config}"',
         f"#define HD_NETLIST {int(netlist)}",
         f'#include "Vrtl.h"', '#include "Vrtl___024root.h"', 'extern "C" {', f'#include "hd_{block}_ports.h"', "}",
         "#define HD_CFG_VALUES \\"]
    o += [f"  cfg->{snake(r['param'])} = {p[r['param']]}; \\" for r in CONFIGS]
    o += ["", '#include "bind.h"', ""]
    o.append("static void set_in(Vrtl *t, const void *in_, void *last_, bool all) {")
    o.append(f"  const struct hd_{block}_in *in = (const struct hd_{block}_in *)in_;")
    o.append(f"  struct hd_{block}_in *last = (struct hd_{block}_in *)last_;")
    for r in rows:
        if r["dir"] == "in":
            o += emit_store(r, p)
    o.append("  (void)in; (void)last; (void)all;\n}\n")
    wide = [r for r in rows if r["dir"] == "out" and r["count"] != "1"
            and width_of(r["type"], p) * evaluate(r["count"], p) > 64]
    size = sum((width_of(r["type"], p) * evaluate(r["count"], p) + 31) // 32 * 4 for r in wide)
    o.append(f"#define HD_IN_BYTES sizeof(struct hd_{block}_in)")
    o.append(f"#define HD_OUT_BYTES {size + 8}  // a load may reach past the last word\n")
    o.append("static void get_out(Vrtl *t, void *out_, unsigned char *last) {")
    o.append(f"  struct hd_{block}_out *out = (struct hd_{block}_out *)out_;")
    for r in rows:
        if r["dir"] == "out" and r in wide:
            o += emit_wide_array(f"t->{r['name']}_o", f"out->{r['name']}", r, p)
        elif r["dir"] == "out":
            o += emit_load(f"t->{r['name']}_o", f"out->{r['name']}", r, p, "")
    o.append("  (void)out; (void)last;\n}\n")
    o += emit_inner(block, p, top, netlist)
    groups, tables = [], []
    if not netlist:
        emit_arch(block, p, top, "a->", "v->", groups, tables)
    for i, own in enumerate(tables):
        for k, body in enumerate(own):
            o.append(f"static void row_{i}_{k}(Vrtl___024root *root, struct hd_{block}_arch *a, "
                     f"const struct hd_{block}_arch *v, unsigned i, unsigned char *seen) {{")
            o += body + ["}\n"]
    for i, body in enumerate(groups):
        o.append(f"static void arch_{i}(Vrtl___024root *root, struct hd_{block}_arch *a, "
                 f"const struct hd_{block}_arch *v, unsigned mask, int tables, unsigned char *rows) {{")
        o += body + ["  (void)a; (void)v; (void)root; (void)mask; (void)tables; (void)rows;\n}\n"]
    signals = []
    if not netlist:
        raw_signals(block, top, p, signals)
    for i, names in enumerate(signals):
        o.append(f"static unsigned changed_{i}(const Vrtl___024root *root, unsigned char *last) {{\n  unsigned c = 0;")
        o += [f"  c |= static_cast<unsigned>(renew(root->{n}, last)) << {k};" for k, n in enumerate(names)]
        o.append("  (void)root; (void)last;\n  return c;\n}\n")
    o.append("static unsigned arch_changed(Vrtl *t, unsigned group, unsigned char *last) {\n  switch (group) {")
    o += [f"    case {i}: return changed_{i}(t->rootp, last);" for i in range(len(signals))]
    o.append("    default: (void)t; (void)last; return 0;\n  }\n}\n")
    o.append(f"#define HD_GROUPS {max(1, len(signals))}")
    sizes = [sum(n * size for n, size in own) for own in table_rows(block, p)]
    o.append(f"#define HD_TABLE_BYTES {max(1, sum(sizes))}")
    starts = ", ".join(str(sum(sizes[:i])) for i in range(max(1, len(signals))))
    o.append(f"static const unsigned table_at[HD_GROUPS] = {{{starts}}};")
    o.append(f"#define HD_GROUP_BYTES {max([1] + [sum(8 + w // 8 for w in names.values()) for names in signals])}\n")
    o.append("static void get_arch(Vrtl *t, unsigned group, void *a_, const void *v_, unsigned mask, int tables, "
             "unsigned char *rows) {")
    o.append(f"  struct hd_{block}_arch *a = (struct hd_{block}_arch *)a_;")
    o.append(f"  const struct hd_{block}_arch *v = (const struct hd_{block}_arch *)v_;")
    o.append("  switch (group) {")
    o += [f"    case {i}: arch_{i}(t->rootp, a, v, mask, tables, rows); break;" for i in range(len(groups))]
    o.append("    default: (void)a; (void)v; (void)mask; (void)tables; (void)rows; (void)t; break;\n  }\n}\n")
    o += emit_rows(block, p, tables) + emit_writes(block, p, top, netlist)
    o.append('#include "bind_api.h"')
    return "\n".join(o) + "\n"


def emit_store(r, p):
    """Packs a C field into an input; what is an array or a struct only when it changed."""
    w, n = width_of(r["type"], p), evaluate(r["count"], p)
    sig, src, last = f"t->{r['name']}_i", f"in->{r['name']}", f"last->{r['name']}"
    idx = "[i]" if r["count"] != "1" else ""
    if not idx and r["type"] not in TYPES:
        return [f"  {sig} = {src} & {mask(w)};"]
    if w * n <= 64:
        o = [f"  if (moved({src}, {last}, all)) {{"]
        if w == 1 and r["type"] not in TYPES:
            return o + [f"    {sig} = bytes_to_bits({src}, {n});", "  }"]
        o += ["    uint64_t x = 0;", (f"    for (int i = 0; i < {n}; i++) " if idx else "    ") + "{"]
        for path, lsb, lw, _ in leaves(r["type"], p):
            member = src + idx + ("." + path if path else "")
            o.append(f"      x |= ((uint64_t){member} & {mask(lw)}) << ({f'i * {w} + {lsb}' if idx else lsb});")
        return o + [f"    }}\n    {sig} = x;\n  }}"]
    o = [(f"  for (int i = 0; i < {n}; i++) " if idx else "  ") + f"if (moved({src}{idx}, {last}{idx}, all)) {{",
         f"    wide_writer x({sig}.data(), {f'i * {w}' if idx else 0});"]
    for path, _, lw, _ in reversed(leaves(r["type"], p)):
        member = src + idx + ("." + path if path else "")
        o.append(f"    x.put((uint64_t){member}, {lw});")
    return o + ["    x.flush();\n  }"]


def emit_load(sig, dst, r, p, guard):
    """Reads a port or a flat vector of state into a C field; guard is a C++ condition per element (uses i)."""
    w, n = width_of(r["type"], p), evaluate(r["count"], p)
    idx = "[i]" if r["count"] != "1" else ""
    total = w * n
    o = []
    if not idx and r["type"] not in TYPES and not guard:
        return [f"  {dst} = {sig};"]
    if (idx and r["type"] not in TYPES and total > 64 and w in (8, 16, 32, 64)
            and w == 8 * SIZES[c_type(max_over(r["type"]))]):
        src = f"reinterpret_cast<const {c_type(w)} *>({sig}.data())[i]"  # elements lie as in C: little-endian words
        return [f"  for (int i = 0; i < {n}; i++) {dst}[i] = " + (f"({guard}) ? {src} : 0;" if guard else f"{src};")]
    if idx and w == 1:
        words = f"{sig}.data()" if total > 64 else f"{sig}"
        valid = guard.replace("[i]", "") if guard else "nullptr"
        return [f"  bits_to_bytes({dst}, {words}, {n}, {valid});"]
    loop = f"  for (int i = 0; i < {n}; i++) " if idx else "  "
    if guard:
        ct = f"struct hd_{r['type']}" if r["type"] in TYPES else None
        clear = f"memset(&{dst}{idx}, 0, sizeof({dst}{idx}));"
        loop += f"if (!({guard})) {clear} else "
    o.append(loop + "{")
    for path, lsb, lw, _ in leaves(r["type"], p):
        member = dst + idx + ("." + path if path else "")
        at = f"i * {w} + {lsb}" if idx else str(lsb)
        if total <= 64:
            o.append(f"    {member} = ((uint64_t){sig} >> ({at})) & {mask(lw)};")
        else:
            o.append(f"    {member} = wide_get({sig}.data(), {at}, {lw});")
    o.append("  }")
    return o


def emit_wide_array(sig, dst, r, p):
    """Unpacks those elements of a wide array that changed; `last` keeps the array as it was."""
    w, n = width_of(r["type"], p), evaluate(r["count"], p)
    o = [f"  if (memcmp(last, {sig}.data(), sizeof {sig}) != 0) {{",
         f"    for (int i = 0; i < {n}; i++) {{", f"      if (same_bits({sig}.data(), last, i * {w}, {w})) continue;"]
    for path, lsb, lw, _ in leaves(r["type"], p):
        o.append(f"      {dst}[i]{'.' + path if path else ''} = wide_get({sig}.data(), i * {w} + {lsb}, {lw});")
    return o + ["    }", f"    memcpy(last, {sig}.data(), sizeof {sig});", "  }", f"  last += sizeof {sig};"]


def emit_inner(block, p, top, netlist):
    """The function that reads the outputs of the blocks inside."""
    body = []
    size = 0 if netlist else inner_loads(block, p, top, "inner->", body)
    o = [f"#define HD_INNER_BYTES {size + 8}"]
    o.append("static void get_inner(Vrtl *t, void *inner_, unsigned char *last) {\n"
             "  const Vrtl___024root *root = t->rootp;")
    if subs(block):
        o.append(f"  struct hd_{block}_inner *inner = static_cast<struct hd_{block}_inner *>(inner_);")
        o += body + ["  (void)inner;"]
    return o + ["  (void)root; (void)inner_; (void)last;\n}\n"]


def inner_loads(block, p, path, dst, out):
    """Appends the statements of emit_inner() to out; returns the bytes of wide arrays that they keep."""
    size = 0
    for k, (r, inner) in enumerate(inside(port_rows(block), path, p)):
        name = dst + r["name"] + (f"[{k}]" if r["count"] != "1" else "")
        for port in shown(r["type"]):
            bits = width_of(port["type"], p) * evaluate(port["count"], p)
            sig, to = f"root->{inner}__DOT__{port['name']}_o", f"{name}.{port['name']}"
            wide = port["count"] != "1" and bits > 64
            out += emit_wide_array(sig, to, port, p) if wide else emit_load(sig, to, port, p, "")
            size += (bits + 31) // 32 * 4 if wide else 0
        size += inner_loads(r["type"], p, inner, f"{dst}{r['name']}_inner.", out)
    return size


def emit_rows(block, p, tables):
    """The function that reads one row of each of a group's tables."""
    o = ["static void get_row(Vrtl *t, unsigned group, unsigned i, void *a_, const void *v_, unsigned char *rows) {",
         f"  struct hd_{block}_arch *a = (struct hd_{block}_arch *)a_;",
         f"  const struct hd_{block}_arch *v = (const struct hd_{block}_arch *)v_;", "  switch (group) {"]
    rows_of = table_rows(block, p)
    for g, own in enumerate(tables):
        at = 0
        for k in range(len(own)):
            n, size = rows_of[g][k]
            o.append((f"    case {g}:" if k == 0 else "     ")
                     + f" if (i < {n}) row_{g}_{k}(t->rootp, a, v, i, rows + {at});")
            at += n * size
        o += ["      break;"] * bool(own)
    return o + ["    default: break;\n  }\n  (void)t; (void)i; (void)a; (void)v; (void)rows;\n}\n"]


def emit_writes(block, p, top, netlist):
    """The function that tells which row of each table the coming edge writes."""
    found = []
    if not netlist:
        write_ports(block, top, p, found)
    o = ["static void get_writes(Vrtl *t, int32_t *row) {", "  const Vrtl___024root *root = t->rootp;"]
    for k, ports in enumerate(found):
        tell = " : ".join(f"root->{we} ? static_cast<int32_t>({first} + root->{at})" for first, we, at in ports)
        o.append(f"  row[{k}] = {tell + ' : ' if tell else ''}-1;")
    return o + ["  (void)root; (void)row;\n}\n"]


def write_ports(block, path, p, out):
    """[(first row, write enable, address)] of each table's RAM or its banks, in the order of the state groups."""
    rows = port_rows(block)
    for r in rows:
        if r["dir"] == "table":
            n = evaluate(r["count"], p)
            banks = banks_of(path + "__DOT__" + r["rtl"].replace(".", "__DOT__"), p) if n else []
            out.append([(k * n // len(banks), *(re.sub(r"[a-z]+_q$", port, b)
                                                for port in WRITE_PORTS[b.split("__DOT__")[-1]]))
                        for k, b in enumerate(banks)])
    for r, inner in inside(rows, path, p):
        write_ports(r["type"], inner, p, out)


def inside(rows, path, p):
    """Each block inside with its place in the hierarchy."""
    for r in rows:
        if r["dir"] == "sub":
            for i in range(evaluate(r["count"], p)):
                yield r, path + "__DOT__" + r["rtl"].replace("[]", f"__BRA__{i}__KET__").replace(".", "__DOT__")


def emit_arch(block, p, path, dst, val, groups, tables):
    """Appends the statements that read the state of a block to groups: its own registers, then each block inside; and
    those that read row i of each of its tables to tables."""
    o, own, bit, g, at = [], [], {}, len(groups), 0
    groups.append(o)
    tables.append(own)
    for r in port_rows(block):
        if r["dir"] == "sub":
            for i in range(evaluate(r["count"], p)):
                inst = r["rtl"].replace("[]", f"__BRA__{i}__KET__").replace(".", "__DOT__")
                idx = f"[{i}]" if r["count"] != "1" else ""
                emit_arch(r["type"], p, path + "__DOT__" + inst, f"{dst}{r['name']}{idx}.", f"{val}{r['name']}{idx}.",
                          groups, tables)
            continue
        if r["dir"] not in ("state", "table"):
            continue
        sig = "root->" + path + "__DOT__" + r["rtl"].replace(".", "__DOT__")
        if r["dir"] == "state":
            guard = ""
            bit[r["name"]] = 1 << len(bit)
            mask = bit[r["name"]] | bit.get(r["valid"], 0)  # unpacked when it or its valid changed
            o.append(f"  if (mask & {mask}u) {{")
            if r["valid"]:
                guard = f"{val}{r['valid']}" + ("[i]" if r["count"] != "1" else "")
            o += emit_load(sig, dst + r["name"], r, p, guard) + ["  }"]
        else:
            n, size = table_size(r, p)
            own.append(emit_table_row(sig, dst + r["name"], val + r["name"], r, p))
            o.append(f"  for (unsigned i = 0; tables && i < {n}; i++) "
                     f"row_{g}_{len(own) - 1}(root, a, v, i, rows + {at});")
            at += n * size


def raw_signals(block, path, p, groups):
    """{C++ name: bits} of the registers of each group, as emit_arch() orders them."""
    o = {}
    groups.append(o)
    rows = port_rows(block)
    for r in rows:
        if r["dir"] == "state":
            o[path + "__DOT__" + r["rtl"].replace(".", "__DOT__")] = width_of(r["type"], p) * evaluate(r["count"], p)
    for r, inner in inside(rows, path, p):
        raw_signals(r["type"], inner, p, groups)


def banks_of(rtl, p):
    """The RAMs that a table lies in: one, or as many banks as the parameter in brackets says."""
    m = re.search(r"\[(\w+)\]", rtl)
    if not m:
        return [rtl]
    return [rtl[:m.start()] + f"__BRA__{b}__KET__" + rtl[m.end():] for b in range(evaluate(m.group(1), p))]


def emit_table_row(sig, dst, val, r, p):
    """Reads row i of a RAM if it changed, or began to count; one that does not count reads as 0. `seen`
    keeps what was seen."""
    n, w = evaluate(r["count"], p), width_of(r["type"], p)
    if not n:
        return ["  (void)root; (void)a; (void)v; (void)i; (void)seen;"]
    banks = banks_of(sig, p)
    per_bank = n // len(banks)
    o = [f"  decltype({banks[0]}) *const banks[] = {{{', '.join('&' + b for b in banks)}}};",
         f"  const auto &row = (*banks[i / {per_bank}])[i % {per_bank}];", f"  seen += i * {table_size(r, p)[1]};",
         "  unsigned char counted = *seen;", f"  *seen++ = {dst}_valid[i] = {val}_valid[i];",
         "  bool changed = update(&row, sizeof row, seen);",
         f"  if (!{val}_valid[i]) {{ if (counted) memset(&{dst}[i], 0, sizeof({dst}[i])); return; }}",
         "  if (counted && !changed) return;"]
    for leaf, lsb, lw, _ in leaves(r["type"], p):
        member = f"{dst}[i]" + ("." + leaf if leaf else "")
        if w <= 64:
            o.append(f"  {member} = ((uint64_t)row >> {lsb}) & {mask(lw)};")
        else:
            o.append(f"  {member} = wide_get(row.data(), {lsb}, {lw});")
    return o


def table_size(r, p):
    """Rows of a table, and bytes that emit_table_row() keeps of one."""
    return evaluate(r["count"], p), 1 + 8 + width_of(r["type"], p) // 8


def table_rows(block, p):
    """table_size() of each table of each group."""
    rows = port_rows(block)
    out = [[table_size(r, p) for r in rows if r["dir"] == "table"]]
    for r in rows:
        if r["dir"] == "sub":
            out += table_rows(r["type"], p) * evaluate(r["count"], p)
    return out


# Registers of common modules, whatever their instances are called; of others instance u_foo is of a module hd_foo..
INSIDE = {"mem_q": "hd_ram_1r1w", "count_q": "hd_fifo hd_pair", "first_q": "hd_fifo", "row_q": "hd_fifo"}
# What tells of a write to rows: that there is one, and which.
WRITE_PORTS = {"mem_q": ("we_i", "waddr_i"), "row_q": ("push_i", "last")}


def state_signals(block, module, out):
    """{module: set of signals} that the binding reads."""
    for r in port_rows(block):
        if r["dir"] == "sub":
            out.setdefault("hd_" + r["type"], set()).update(port["name"] + "_o" for port in shown(r["type"]))
            state_signals(r["type"], "hd_" + r["type"], out)
        elif r["dir"] in ("state", "table"):
            parts = r["rtl"].split(".")
            if len(parts) == 1:
                out.setdefault(module, set()).add(parts[0])
            else:
                names = out.setdefault(INSIDE.get(parts[-1], "hd_" + parts[-2].removeprefix("u_")), set())
                names |= {parts[-1], *(WRITE_PORTS[parts[-1]] if r["dir"] == "table" else ())}


def gen_vectors_tb(config, sets, block):
    """A testbench in plain Verilog that plays what `heddle equiv --vectors` wrote (tb/engine/vectors.h) to a netlist,
    and compares all outputs in four states: an x is a difference."""
    p = params(config, sets)
    at, pins, checks = {"in": 0, "out": 0}, [], []
    for r in port_rows(block):
        if r["dir"] not in at:
            continue
        w, lsb = width_of(r["type"], p) * evaluate(r["count"], p), at[r["dir"]]
        at[r["dir"]] += w
        port, vector = (r["name"] + "_i", "in") if r["dir"] == "in" else (r["name"] + "_o", "got")
        bits = f"[{lsb + w - 1}:{lsb}]"
        pins.append(f"    .{port}({vector}{bits})")
        if r["dir"] == "out":
            checks.append(f'          if (got{bits} !== want{bits}) '
                          f'$display("cycle %0d: {port} is %h, expected %h", cycles, got{bits}, want{bits});')
    pins, checks = ",\n".join(pins), "\n".join(checks)
    return f"""// {NOTE}
`timescale 1ns / 1ns
module vectors_tb;
  reg clk, rst_n;
  reg [{at['in'] - 1}:0] in;
  reg [{at['out'] - 1}:0] want;
  wire [{at['out'] - 1}:0] got;
  reg [8*1000:1] name;
  integer file, held, cycles, differences;

  hd_{block} dut (
    .clk_i(clk),
    .rst_ni(rst_n),
{pins}
  );

  task reset(input integer n);
    begin
      rst_n = 0;
      #1;
      repeat (n) begin
        clk = 1;
        #1 clk = 0;
        #1;
      end
      rst_n = 1;
      #1;
    end
  endtask

  initial begin
    if (!$value$plusargs("vectors=%s", name)) begin
      $display("vectors_tb: say which file: +vectors=FILE");
      $finish_and_return(2);
    end
    file = $fopen(name, "r");
    if (file == 0) begin
      $display("vectors_tb: %0s can not be read", name);
      $finish_and_return(2);
    end
    clk = 0;
    in = 0;
    cycles = 0;
    differences = 0;
    reset(2);
    while (differences < 10 && $fscanf(file, "%h %h %h", held, in, want) == 3) begin
      if (held != 0) begin
        reset(held);
      end else begin
        #1;
        if (got !== want) begin
          differences = differences + 1;
{checks}
        end
        cycles = cycles + 1;
        clk = 1;
        #1 clk = 0;
      end
    end
    $display("%0d cycles, %0d of them with a difference", cycles, differences);
    $finish_and_return(differences != 0);
  end
endmodule
"""


def gen_vlt(block):
    sigs = {}
    state_signals(block, "hd_" + block, sigs)
    o = ["`verilator_config", f"// {NOTE}"]
    for m, names in sigs.items():
        for s in sorted(names):
            o += [f'public_flat_rd -module "{mod}*" -var "{s}"' for mod in m.split()]
    return "\n".join(o) + "\n"


# ---------------------------------------------------------------------------------------------- documents

def gen_doc(block):
    o = ["| port | width | count | meaning |", "|---|---|---|---|"]
    for heading, rows in port_groups(block):
        o.append(f"| **{heading}** | | | |")
        for r in rows:
            suffix = "_i" if r["dir"] == "in" else "_o"
            w = f"`{r['type']}_t`" if r["type"] in TYPES else r["type"]
            o.append(f"| `{r['name']}{suffix}` | {w} | {r['count']} | {r['meaning']} |")
    return "\n".join(o) + "\n"


def gen_regs_doc():
    o = ["| offset | name | access | reset (k20c) | meaning |", "|---|---|---|---|---|"]
    for name, at, acc, reset, meaning in reg_map(ALL["k20c"]):
        o.append(f"| 0x{at:03x} | `{name}` | {acc} | 0x{reset:08x} | {meaning} |")
    return "\n".join(o) + "\n"


# ---------------------------------------------------------------------------------------------- waveforms

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
    p = params(config, sets)
    o = [VIEW, "@200", "-clock", "@28", f"{block}.clk_i", "@28", f"{block}.rst_ni"]
    for heading, rows in port_groups(block):
        o += ["@200", "-" + heading]
        for r in rows:
            o += wave_traces(f"{block}.{r['name']}_{'i' if r['dir'] == 'in' else 'o'}", r, p)
    return "\n".join(o + wave_state(block, f"{block}.hd_{block}.", p)) + "\n"


def wave_state(block, path, p):
    """The registers of a block, then each block inside as a closed group."""
    rows = port_rows(block)
    o = ["@200", "-registers"] * any(r["dir"] == "state" for r in rows)
    for r in rows:
        if r["dir"] == "state":
            o += wave_traces(path + r["rtl"], r, p)
    for r in rows:
        for i in range(evaluate(r["count"], p) if r["dir"] == "sub" else 0):
            name = r["name"] + (f" {i}" if r["count"] != "1" else "")
            o += ["@c00200", "-" + name,
                  *wave_state(r["type"], path + r["rtl"].replace("[]", f"[{i}]") + ".", p), "@1401200", "-" + name]
    return o


def wave_traces(name, r, p):
    """The traces of a port or register: one for each field of a payload; arrays are one number, element 0
    in the low digits."""
    n = evaluate(r["count"], p)
    fields = leaves(r["type"], p, name) if r["count"] == "1" else [(name, 0, n * width_of(r["type"], p), "")]
    o = []
    for path, _, w, typ in fields:
        number = typ not in HEX and (not typ.isdigit() or w <= 8) and typ
        radix = "100000028" if enum_of(typ) and path != name else "28" if w == 1 else "24" if number else "22"
        bits = f"[{w - 1}:0]" if w > 1 else ""
        # GTKWave shows what is behind the last point: the field alone.
        label = path[name.rindex(".") + 1:].replace(".", " ")
        o += ["@" + radix, (f"+{{{label}{bits}}} " if path != name else "") + path + bits]
    return o


def write(path, text):
    """Writes a file only when its content changes, so that make rebuilds no more than it must."""
    if not path:
        sys.stdout.write(text)
        return
    if os.path.exists(path):
        with open(path) as f:
            if f.read() == text:
                return
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    tmp = f"{path}.{os.getpid()}.tmp"
    with open(tmp, "w") as f:
        f.write(text)
    os.replace(tmp, path)


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("what", choices=["sv", "head", "bind", "vlt", "gtkw", "doc", "limits", "list"])
    a.add_argument("--config", default="k20c")
    a.add_argument("--set", action="append", default=[], metavar="PARAM=VALUE")
    a.add_argument("--block", choices=BLOCKS)
    a.add_argument("--regs", action="store_true")
    a.add_argument("--netlist", action="store_true")
    a.add_argument("-o", dest="out")
    arg = a.parse_args()
    if arg.what == "sv":
        write(arg.out, gen_sv(arg.config, arg.set))
    elif arg.what == "head":
        write(f"{arg.out}/hd_types.h", gen_types_h())
        write(f"{arg.out}/hd_blocks.h", gen_blocks_h())
        for b in BLOCKS:
            write(f"{arg.out}/hd_{b}_ports.h", gen_ports_h(b))
        write(f"{arg.out}/hd_regs_map.h", gen_regs_h())
        write(f"{arg.out}/hd_cfg_table.c", gen_cfg_c())
        write(f"{arg.out}/fields_table.c", gen_fields_c())
    elif arg.what == "bind":
        write(arg.out, gen_bind(arg.config, arg.set, arg.block, arg.netlist))
    elif arg.what == "vlt":
        write(arg.out, gen_vlt(arg.block))
    elif arg.what == "gtkw":
        write(arg.out, gen_gtkw(arg.config, arg.set, arg.block))
    elif arg.what == "limits":
        write(arg.out, gen_limits_sv())
    elif arg.what == "doc":
        write(arg.out, gen_regs_doc() if arg.regs else gen_doc(arg.block))
    else:
        print("configurations:", *NAMES)
        print("blocks:", *BLOCKS)


if __name__ == "__main__":
    main()
