# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The register map (rtl/service/regs/map.csv) as a SystemVerilog package, a C header and the table of its page."""
import collections

from . import params
from .expressions import c_expr, clog2, evaluate, snake
from .output import NOTE
from .tables import ENUMS, MAP, die, TYPES

STATUS, LAST, CONFIG, COUNTER = 0x40, 0x44, 0x80, 0x100  # constants begin at 0
# A 32-bit word and its fields. kind: as in the map (STATUS: bit). A field's meaning may name an enum, `enum hd_NAME`.
Register = collections.namedtuple("Register", "name offset kind access reset meaning fields")
Field = collections.namedtuple("Field", "name high low meaning")


def policies():
    """The bits of the policy, and the meaning of their values."""
    rows = ENUMS["policy"]
    names = ", ".join(f"{r['value']} {snake(r['name']).replace('_', '-')}" for r in rows)
    return f"bits {clog2(len(rows)) - 1}:0: {names}"


def fields_of(register, p):
    """The fields of a register in the order of the map; a register without fields is one field VALUE."""
    out = []
    for r in MAP["field"]:
        owner, _, name = r["name"].partition(".")
        if owner == register:
            out.append(Field(name, *(evaluate(e, p) for e in r["value"].split(":")), r["meaning"]))
    return out or [Field("VALUE", 31, 0, "")]


def read_back(fields):
    """The fields of a configuration word, and the bits between and above them, which store what is written."""
    out, at = [], 0
    for f in [*sorted(fields, key=lambda f: f.low), Field("", 31, 32, "")]:
        if f.low > at:
            out.append(Field(f"UNUSED{at}", f.low - 1, at, "reads back what was written; no effect"))
        out += [f] if f.name else []
        at = f.high + 1
    return out


def meaning_of(r, p):
    """The meaning of a row, with {fields} and {policy} replaced by the lists of fields and of policies."""
    fields = ", ".join(f"{f.meaning} (bit{'s' if f.high > f.low else ''} {bits(f)})" for f in fields_of(r["name"], p))
    return r["meaning"].replace("{policy}", policies()).replace("{fields}", fields)


def bits(f):
    return f"{f.high}:{f.low}" if f.high > f.low else f"{f.low}"


def has(kind, p):
    """[(number, row)] of the words of a kind that are in the map with these parameters."""
    return [(i, r) for i, r in enumerate(MAP[kind]) if params.has(r, p)]


def reg_map(p):
    """All registers, in the order of their offsets."""
    def word(r, kind, offset, access, reset):
        fields = fields_of(r["name"], p)
        return Register(r["name"], offset, kind, access, reset, meaning_of(r, p),
                        read_back(fields) if kind == "config" else fields)
    out = [word(r, "const", 4 * i, "ro", evaluate(r["value"], p)) for i, r in enumerate(MAP["const"])]
    status = [Field(r["name"], int(r["value"]), int(r["value"]), r["meaning"]) for r in MAP["bit"]]
    told = "; ".join(f"bit {bits(f)} {f.name}: {f.meaning}" for f in status)
    out.append(Register("STATUS", STATUS, "bit", "rw1c", 0, told, status))
    out += [word(r, "last", LAST + 4 * i, "ro", 0) for i, r in has("last", p)]
    out += [word(r, "config", CONFIG + 4 * i, "rw", evaluate(r["value"], p)) for i, r in has("config", p)]
    lost = {r["name"].partition(".")[0] for r in MAP["field"]} - {r["name"] for k, rows in MAP.items() if k != "bit"
                                                                  for r in rows}
    if lost:
        die(f"rtl/service/regs/map.csv: a field of {', '.join(lost)}: only kind const, last or config has fields")
    for i, r in has("counter", p):
        for half, high, meaning in (("LO", 31, f"{r['meaning']} (bits 31:0; a read latches the high half)"),
                                    ("HI", 15, "bits 47:32, as latched by the last read of a low half")):
            offset = COUNTER + 8 * i + 4 * (half == "HI")
            out.append(Register(f"{r['name']}_{half}", offset, "counter", "rw", 0, meaning,
                                [Field("VALUE", high, 0, "")]))
    return out


def camel_words(s):
    return "".join(w.capitalize() for w in s.split("_"))


def gen_regs_sv(spdx, command):
    """The package hd_regs_pkg. Values of constants and reset values depend on parameters and are in hd_pkg."""
    o = [spdx, "// hd_regs_pkg: offsets and numbers of the register map.", "//",
         f"// Made from rtl/service/regs/map.csv by `{command}`: do not edit.", "package hd_regs_pkg;", "",
         f"  localparam int NumConsts = {len(MAP['const'])};  // words 0 to NumConsts - 1",
         f"  localparam int StatusOffset = 'h{STATUS:x};",
         *(f"  localparam int {camel_words(r['name'])}Offset = 'h{LAST + 4 * i:x};" for i, r in enumerate(MAP["last"])),
         f"  localparam int ConfigBase = 'h{CONFIG:x};  // one word each",
         f"  localparam int CounterBase = 'h{COUNTER:x};  // two words each: low, high"]
    o += [f"  localparam int Config{camel_words(r['name'])} = {i};" for i, r in enumerate(MAP["config"])]
    o += [f"  localparam int Status{camel_words(r['name'])} = {r['value']};" for r in MAP["bit"]]
    o += [f"  localparam int Count{camel_words(r['name'])} = {i};" for i, r in enumerate(MAP["counter"])]
    return "\n".join([*o, "", "endpackage", ""])


def c_value(expr):
    """The value of a constant as C, with `c` as the parameter of a macro."""
    return expr if expr.startswith("0x") else f"({c_expr(expr).replace('c->', '(c)->')})"


def c_has(r):
    return c_value(r["has"]) if r["has"] else "1"


def gen_regs_h():
    o = [f"/* {NOTE} */", "#ifndef HD_REGS_MAP_H", "#define HD_REGS_MAP_H", "",
         f"#define HD_REG_CONSTS {len(MAP['const'])}"]
    o += [f"#define HD_REG_{r.name} 0x{r.offset:03x}" for r in reg_map(params.ALL["k20c"])]
    o += [f"#define HD_STATUS_{r['name']} (1u << {r['value']})" for r in MAP["bit"]]
    o.append("\n/* Configuration words, in the order of the map. */\nenum hd_config {")
    o += [f"  HD_CONFIG_{r['name']}, /* {meaning_of(r, params.ALL['k20c'])} */" for r in MAP["config"]]
    o.append("};\n\n/* Performance counters, in the order of the map. */\nenum hd_counter {")
    o += [f"  HD_COUNT_{r['name']}, /* {r['meaning']} */" for r in MAP["counter"]]
    o += ["};\n",
          "#define HD_COUNTER_NAMES {" + ", ".join(f'"{r["name"].lower()}"' for r in MAP["counter"]) + "}",
          "/* The read-only words at offset 0, 4, ..; c is a const struct hd_cfg *. */",
          "#define HD_REG_CONST_VALUES(c) {" + ", ".join(c_value(r["value"]) for r in MAP["const"]) + "}",
          "/* The configuration words after reset. */",
          "#define HD_REG_CONFIG_VALUES(c) {" + ", ".join(c_value(r["value"]) for r in MAP["config"]) + "}",
          "/* Whether a configuration word or a counter is in the map; c is a const struct hd_cfg *. */",
          "#define HD_REG_CONFIG_HAS(c) {" + ", ".join(c_has(r) for r in MAP["config"]) + "}",
          "#define HD_REG_COUNTER_HAS(c) {" + ", ".join(c_has(r) for r in MAP["counter"]) + "}",
          "/* X(field, word) for the words that struct hd_settings holds whole. */",
          "#define HD_CONFIG_WORDS(X) " + " ".join(
              f"X({f['field']}, {f['field'].upper()})" for f in TYPES["settings"] if f["width"] == "32"),
          "\n#endif"]
    return "\n".join(o) + "\n"


def gen_regs_doc():
    o = ["| offset | name | access | reset (k20c) | meaning |", "|---|---|---|---|---|"]
    for r in reg_map(params.ALL["k20c"]):
        o.append(f"| 0x{r.offset:03x} | `{r.name}` | {r.access} | 0x{r.reset:08x} | {r.meaning} |")
    return "\n".join(o) + "\n"
