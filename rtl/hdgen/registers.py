# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The register map (rtl/service/regs/map.csv): as a package of SystemVerilog, as a C header, as a table of its page."""
from . import params
from .expressions import c_expr, clog2, evaluate, snake
from .output import NOTE
from .tables import ENUMS, MAP

STATUS, LAST, CONFIG, COUNTER = 0x40, 0x44, 0x80, 0x100  # constants begin at 0


def policies():
    """The bits of a policy and what they mean."""
    rows = ENUMS["policy"]
    names = ", ".join(f"{r['value']} {snake(r['name']).replace('_', '-')}" for r in rows)
    return f"bits {clog2(len(rows)) - 1}:0: {names}"


def reg_map(p):
    """(name, offset, access, reset, meaning) of each 32-bit word."""
    out = [(r["name"], 4 * i, "ro", evaluate(r["value"], p), r["meaning"]) for i, r in enumerate(MAP["const"])]
    bits = "; ".join(f"bit {r['value']} {r['name']}: {r['meaning']}" for r in MAP["bit"])
    out.append(("STATUS", STATUS, "rw1c", 0, bits))
    out += [(r["name"], LAST + 4 * i, "ro", 0, r["meaning"]) for i, r in enumerate(MAP["last"])]
    out += [(r["name"], CONFIG + 4 * i, "rw", evaluate(r["value"], p), r["meaning"].replace("{policy}", policies()))
            for i, r in enumerate(MAP["config"])]
    for i, r in enumerate(MAP["counter"]):
        out.append((r["name"] + "_LO", COUNTER + 8 * i, "rw", 0,
                    r["meaning"] + " (bits 31:0; a read latches the high half)"))
        out.append((r["name"] + "_HI", COUNTER + 8 * i + 4, "rw", 0,
                    "bits 47:32, as latched by the last read of a low half"))
    return out


def camel_words(s):
    return "".join(w.capitalize() for w in s.split("_"))


def words_sv(name, values):
    """A vector of 32-bit words, the first one lowest."""
    return [f"  localparam logic [{32 * len(values) - 1}:0] {name} = {{",
            ",\n".join(f"    32'h{v:08x}" for v in reversed(values)) + "\n  };"]


def gen_regs_sv(p):
    values, resets = ([evaluate(r["value"], p) for r in MAP[kind]] for kind in ("const", "config"))
    o = ["package hd_regs_pkg;", "",
         f"  localparam int NumConsts = {len(values)};  // words 0 to NumConsts - 1",
         *words_sv("Consts", values),
         f"  localparam int StatusOffset = 'h{STATUS:x};",
         *(f"  localparam int {camel_words(r['name'])}Offset = 'h{LAST + 4 * i:x};" for i, r in enumerate(MAP["last"])),
         f"  localparam int ConfigBase = 'h{CONFIG:x};  // one word each",
         *words_sv("ConfigResets", resets),
         f"  localparam int CounterBase = 'h{COUNTER:x};  // two words each: low, high"]
    o += [f"  localparam int Config{camel_words(r['name'])} = {i};" for i, r in enumerate(MAP["config"])]
    o += [f"  localparam int Status{camel_words(r['name'])} = {r['value']};" for r in MAP["bit"]]
    o += [f"  localparam int Count{camel_words(r['name'])} = {i};" for i, r in enumerate(MAP["counter"])]
    return "\n".join([*o, "", "endpackage", ""])


def c_value(expr):
    """The value of a constant as C, with `c` as the parameter of a macro."""
    return expr if expr.startswith("0x") else f"({c_expr(expr).replace('c->', '(c)->')})"


def gen_regs_h():
    o = [f"/* {NOTE} */", "#ifndef HD_REGS_MAP_H", "#define HD_REGS_MAP_H", "",
         f"#define HD_REG_CONSTS {len(MAP['const'])}"]
    o += [f"#define HD_REG_{name} 0x{at:03x}" for name, at, *_ in reg_map(params.ALL["k20c"])]
    o += [f"#define HD_STATUS_{r['name']} (1u << {r['value']})" for r in MAP["bit"]]
    o.append("\n/* Configuration words, in the order of the map. */\nenum hd_config {")
    o += [f"  HD_CONFIG_{r['name']}, /* {r['meaning'].replace('{policy}', policies())} */" for r in MAP["config"]]
    o.append("};\n\n/* Performance counters, in the order of the map. */\nenum hd_counter {")
    o += [f"  HD_COUNT_{r['name']}, /* {r['meaning']} */" for r in MAP["counter"]]
    o += ["};\n",
          "#define HD_COUNTER_NAMES {" + ", ".join(f'"{r["name"].lower()}"' for r in MAP["counter"]) + "}",
          "/* The read-only words at offset 0, 4, ..; c is a const struct hd_cfg *. */",
          "#define HD_REG_CONST_VALUES(c) {" + ", ".join(c_value(r["value"]) for r in MAP["const"]) + "}",
          "/* The configuration words after reset. */",
          "#define HD_REG_CONFIG_VALUES(c) {" + ", ".join(c_value(r["value"]) for r in MAP["config"]) + "}",
          "\n#endif"]
    return "\n".join(o) + "\n"


def gen_regs_doc():
    o = ["| offset | name | access | reset (k20c) | meaning |", "|---|---|---|---|---|"]
    for name, at, access, reset, meaning in reg_map(params.ALL["k20c"]):
        o.append(f"| 0x{at:03x} | `{name}` | {access} | 0x{reset:08x} | {meaning} |")
    return "\n".join(o) + "\n"
