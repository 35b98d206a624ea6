# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""SystemVerilog that is generated from the tables and committed: the package hd_pkg, which is the same for every
configuration, the configurations as lists of macros, and the list of files."""
import os
import re
import textwrap

from . import clusters, limits, params, registers
from .expressions import camel, snake
from .output import write
from .tables import CONFIGS, DERIVED, ENUM_OF, ENUMS, MAP, NAMES, RTL, TYPES, die

COMMAND = "python3 rtl/hdgen rtl"
SPDX = "// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1"
HEAD = f"""{SPDX}
// hd_pkg: parameters, derived parameters, and the payloads of the streams.
//
// Made from the tables in rtl/pkg by `{COMMAND}`: do not edit. The defaults are
// those of k20c. A macro overrides each: HD_NUM_SMX sets NumSmx. A file of rtl/configs sets the
// macros of a configuration.
package hd_pkg;

  // Returns the number of bits for n different values, at least 1.
  function automatic int clog2(input int n);
    clog2 = n > 2 ? $clog2(n) : 1;
  endfunction
"""
LIST = f"""{SPDX}
// The sources of the plane, hd_top, in compilation order. From the top of a checkout:
//   verilator --lint-only -f rtl/files.f                          the configuration k20c
//   verilator --lint-only -f rtl/configs/tiny.f -f rtl/files.f    another one
// Made from rtl/heddle.core by `{COMMAND}`: do not edit.
"""


def macro(param):
    return "HD_" + snake(param).upper()


def member_type(typ):
    if typ in TYPES:
        return f"{typ}_t"
    if typ in ENUM_OF:
        return ENUM_OF[typ] + "_e"
    return f"logic [{int(typ) - 1 if typ.isdigit() else typ + '-1'}:0]"


def declared(declaration, column, meaning):
    """A declaration with its meaning, if it has one, as a comment: on the same line, or above it if the line would
    exceed 100 columns."""
    line = f"{declaration.ljust(column - 2)}  // {meaning}" if meaning else declaration
    if len(line) <= 100:
        return [line]
    margin = " " * (len(declaration) - len(declaration.lstrip()))
    about = textwrap.wrap(meaning, 100, initial_indent=margin + "// ", subsequent_indent=margin + "// ")
    return [*about, *textwrap.wrap(declaration.strip(), 100, initial_indent=margin, subsequent_indent=margin + "    ")]


def sv_expr(expr):
    """An expression of the tables in SystemVerilog. A comparison used as a number becomes ? 1 : 0: as a single bit it
    would be a lint warning."""
    return re.sub(r"\((\w+ (?:==|<|>|<=|>=) \w+)\)", r"(\1 ? 1 : 0)", expr)


def words(name, kind):
    """A vector of the register map's values for the words of a kind, the first in the lowest bits."""
    values = [r["value"] for r in reversed(MAP[kind])]
    out = [f"    32'h{int(v, 0):08x}" if v[0].isdigit() else f"    32'd0 | ({sv_expr(v)})" for v in values]
    return [f"  localparam logic [{32 * len(values) - 1}:0] {name} = {{", ",\n".join(out) + "\n  };"]


def mask(name, kind):
    """A vector with a bit for each word of a kind: 0 if the word is not in the map."""
    bits = ", ".join(f"{r['has']} != 0" if r["has"] else "1'b1" for r in reversed(MAP[kind]))
    return [f"  localparam logic [{len(MAP[kind]) - 1}:0] {name} = {{",
            *textwrap.wrap(bits, 100, initial_indent="    ", subsequent_indent="    "), "  };"]


def gen_pkg():
    """The package hd_pkg."""
    o = [HEAD]
    for r in CONFIGS:
        name = r["param"]
        o += [f"`ifdef {macro(name)}", f"  localparam int {name} = `{macro(name)};", "`else",
              *declared(f"  localparam int {name} = {r['k20c']};", 42, r["meaning"]), "`endif"]
    o.append("")
    for r in DERIVED:
        o += declared(f"  localparam int {r['param']} = {sv_expr(r['expression'])};", 56, r["meaning"])
    o += [f"  localparam int {name} = {len(MAP[kind])};" for name, kind in params.COUNTED.items()]
    o.append("")
    for en, rows in ENUMS.items():
        w = params.ALL["k20c"][camel(en) + "W"]  # the same in every configuration
        o.append(f"  typedef enum logic [{camel(en)}W-1:0] {{")
        o.append(",\n".join(f"    {camel(en)}{r['name']} = {w}'d{r['value']}" for r in rows))
        o += [f"  }} {en}_e;", f"  localparam int Num{camel(en)} = {len(rows)};\n"]
    for t, fields in TYPES.items():
        o.append("  typedef struct packed {")
        for f in fields:
            o += declared(f"    {member_type(f['width'])} {f['field']};", 34, f["meaning"])
        o.append(f"  }} {t}_t;")
        total = " + ".join(camel(f["width"]) + "W" if f["width"] in TYPES else f["width"] for f in fields)
        o += declared(f"  localparam int {camel(t)}W = {total};", 0, "")
        o.append("")
    o += ["  // The register map: constants from offset 0 on, reset values of the configuration words.",
          "  // `32'd0 |`: Verilator 5.006 takes a parameter alone as unsized."]
    return "\n".join([*o, *words("RegConsts", "const"), *words("RegResets", "config"), "",
                      "  // Which configuration words and counters are in the map.",
                      *mask("ConfigHas", "config"), *mask("CounterHas", "counter"), "", "endpackage", ""])


def gen_config(config, sets=(), note="Written by rtl/hdgen."):
    """A configuration as the list of its differences from k20c."""
    p = params.of(config, sets)
    changed = [r for r in CONFIGS if p[r["param"]] != int(r["k20c"])]
    name = " ".join([config, *sets])
    about = f"Parameters of {name} that differ from k20c" if changed else f"{name}: the default parameters"
    return "\n".join([SPDX, f"// {about}. {note}",
                      *(f"+define+{macro(r['param'])}={p[r['param']]}" for r in changed), ""])


def listed(fileset):
    """(include folders, files) of a fileset of heddle.core, relative to rtl/."""
    with open(os.path.join(RTL, "heddle.core")) as f:
        found = re.search(rf"^  {fileset}:\n(.*?)^(?:  )?\w", f.read(), re.M | re.S)
    if not found:
        die(f"rtl/heddle.core: no fileset {fileset}")
    folders = re.findall(r"include_path: ([^},\s]+)", found.group(1))
    return list(dict.fromkeys(folders)), re.findall(r"^ +- (\S+\.sv)$", found.group(1), re.M)


def gen_list():
    """The file list of the plane, for simulators."""
    folders, files = listed("rtl")
    lines = ["+incdir+" + os.path.normpath(f"rtl/{f}") for f in folders] + [f"rtl/{f}" for f in files]
    return LIST + "\n".join(lines) + "\n"


def kept():
    """{path below rtl: text} of all generated files that are committed."""
    note = f"Made by `{COMMAND}`."
    return {"pkg/hd_pkg.sv": gen_pkg(), "pkg/hd_regs_pkg.sv": registers.gen_regs_sv(SPDX, COMMAND),
            "common/hd_limits.sv": limits.gen_limits_sv(), "files.f": gen_list(),
            **clusters.gen_clusters(), **{f"configs/{n}.f": gen_config(n, note=note) for n in NAMES}}


def write_kept():
    for path, text in kept().items():
        write(os.path.join(RTL, path), text)
