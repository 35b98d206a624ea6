# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The register file of a configuration in the two languages that other tools read: SystemRDL 2.0 and IP-XACT (IEEE
1685-2014). Both describe the view of software on APB4; the rest is in docs/service/regs.md."""
import re
from xml.sax.saxutils import escape

from . import params
from .expressions import snake
from .output import NOTE
from .registers import reg_map
from .tables import ENUMS

NAME = "heddle_regs"
ABOUT = "Register file of Heddle, the thread-block dispatch plane of a GPU, behind APB4 (docs/service/regs.md)"
# Access of software and of the plane to each kind of register. STATUS: an event wins over a clear in the same cycle.
# Counters: a write wins, and the event of that cycle is not counted.
RDL = {
    "const": "sw = r; hw = na;",
    "bit": "sw = rw; onwrite = woclr; hw = na; hwset; precedence = hw;",
    "last": "sw = r; hw = w; we;",
    "config": "sw = rw; hw = r;",
    "counter": "sw = rw; hw = rw; we;",
}
CHANGES = {"bit", "last", "counter"}  # change without a write: volatile


def enum_of(f):
    """The enum of a field, or None."""
    found = re.fullmatch(r"enum hd_(\w+)", f.meaning)
    return found and found.group(1)


def reset_of(r, f):
    return r.reset >> f.low & (1 << f.high - f.low + 1) - 1


def heading(config, sets):
    return f"{NOTE} Configuration: {' '.join([config, *sets])}"


# ---- SystemRDL

def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def desc(text):
    return f"desc = {quoted(text)};"


def rdl_field(r, f):
    """A field: its properties, name, bits and reset value."""
    enum = enum_of(f)
    properties = [f"encode = {enum};"] if enum else [desc(f.meaning)] if f.meaning else []
    properties = " ".join([*properties, RDL[r.kind]])
    return f"    field {{ {properties} }} {f.name}[{f.high}:{f.low}] = {f.high - f.low + 1}'h{reset_of(r, f):x};"


def gen_rdl(config, sets):
    regs = reg_map(params.of(config, sets))
    o = [f"// {heading(config, sets)}", f"addrmap {NAME} {{", f"  {desc(ABOUT)}", "  littleendian;",
         "  default regwidth = 32;", "  default accesswidth = 32;"]
    for enum in dict.fromkeys(filter(None, (enum_of(f) for r in regs for f in r.fields))):
        o += ["", f"  enum {enum} {{"]
        o += [f"    {snake(row['name']).upper()} = {row['value']} {{ {desc(row['meaning'])} }};" for row in ENUMS[enum]]
        o.append("  };")
    for r in regs:
        o += ["", "  reg {", f"    {desc(r.meaning)}", *(rdl_field(r, f) for f in r.fields),
              f"  }} {r.name} @ 0x{r.offset:03x};"]
    return "\n".join([*o, "};"]) + "\n"


# ---- IP-XACT

def element(name, *inside):
    """An XML element as lines; one line for a text."""
    if len(inside) == 1 and isinstance(inside[0], str):
        return [f"<ipxact:{name}>{escape(inside[0])}</ipxact:{name}>"]
    return [f"<ipxact:{name}>", *("  " + line for part in inside for line in part), f"</ipxact:{name}>"]


def described(text):
    return element("description", text) if text else []


def xml_access(r):
    return [*element("volatile", str(r.kind in CHANGES).lower()),
            *element("access", "read-only" if r.access == "ro" else "read-write")]


def xml_field(r, f):
    enum = enum_of(f)
    values = [element("enumeratedValue", element("name", snake(row["name"]).upper()), described(row["meaning"]),
                      element("value", row["value"])) for row in ENUMS[enum]] if enum else []
    return element(
        "field", element("name", f.name), described("" if enum else f.meaning), element("bitOffset", f"{f.low}"),
        element("resets", element("reset", element("value", f"'h{reset_of(r, f):x}"))),
        element("bitWidth", f"{f.high - f.low + 1}"), xml_access(r),
        element("enumeratedValues", *values) if enum else [],
        element("modifiedWriteValue", "oneToClear") if r.access == "rw1c" else [])


def xml_register(r):
    return element("register", element("name", r.name), described(r.meaning),
                   element("addressOffset", f"'h{r.offset:03x}"), element("size", "32"), xml_access(r),
                   *(xml_field(r, f) for f in r.fields))


def gen_ipxact(config, sets):
    p = params.of(config, sets)
    regs = reg_map(p)
    major, minor = (reset_of(r, f) for r in regs if r.name == "VERSION" for f in reversed(r.fields))
    block = element(
        "addressBlock", element("name", "regs"), element("baseAddress", "'h0"),
        element("range", f"'h{1 << p['ApbAddrW']:x}"), element("width", "32"), element("usage", "register"),
        *(xml_register(r) for r in regs))
    first, *rest = element(
        "component", element("vendor", "heddle"), element("library", "gpu"), element("name", NAME),
        element("version", f"{major}.{minor}"),
        element("memoryMaps", element("memoryMap", element("name", NAME), block, element("addressUnitBits", "8"))),
        described(ABOUT))
    space = "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"
    schema = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"\n    ' \
             f'xsi:schemaLocation="{space} {space}/index.xsd"'
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', f"<!-- {heading(config, sets)} -->",
                      f'{first[:-1]} xmlns:ipxact="{space}"\n    {schema}>', *rest]) + "\n"
