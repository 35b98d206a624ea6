# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""A Python module for a configuration: ports of a block, fields of their payloads, registers, and functions that pack
and unpack them (accessors.py), for cocotb and other benches."""
import os

from . import params
from .expressions import camel, snake
from .output import NOTE
from .registers import reg_map
from .tables import ENUMS, TYPES, port_rows, rtl_name

ABOUT = '''"""The ports of hd_{block} and the registers of the plane, for benches in Python.

PARAMS, enums, TYPES {{payload: {{field: Field}}}}, PORTS {{port: Port}}, REGISTERS {{register: Register}} are tables;
pack(), unpack() and Port convert between bits and values, Pins connects them to the handles of cocotb. As a program it
prints the position of each field. docs/library.md describes its use."""'''
RECORDS = '''import enum
from collections import namedtuple

Field = namedtuple("Field", "lsb width type")  # type: its payload type, or "" for a number
Register = namedtuple("Register", "offset access reset fields")  # access: ro, rw, rw1c; fields: {name: (high, low)}'''


def own_code():
    """accessors.py without its licence and docstring."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "accessors.py")) as f:
        return f.read().split('"""', 2)[2].lstrip("\n")


def table(name, rows):
    return [f"{name} = {{", *(f"    {key!r}: {value}," for key, value in rows), "}"]


def fields(typ, p):
    """[(name, Field as text)] of a payload, the highest first."""
    at, out = params.width_of(typ, p), []
    for f in TYPES[typ]:
        width = params.width_of(f["width"], p)
        at -= width
        out.append((f["field"], f"Field({at}, {width}, {f['width'] if f['width'] in TYPES else ''!r})"))
    return out


def used(types):
    """These payloads and those inside them."""
    inside = {f["width"] for typ in types for f in TYPES[typ] if f["width"] in TYPES} - types
    return used(types | inside) if inside else types


def row(r, p):
    """The values of a Port as text. An array whose count is a number instead of a parameter is one vector."""
    width, n = params.shape(r, p)
    typ = r["type"] if r["type"] in TYPES else ""
    if r["count"].isdigit():
        width, n = width * n, 0
    return f"({rtl_name(r)!r}, {r['dir']!r}, {typ!r}, {width}, {n})"


def register(r):
    parts = ", ".join(f"{f.name!r}: ({f.high}, {f.low})" for f in r.fields)
    return f"Register({r.offset:#05x}, {r.access!r}, {r.reset:#x}, {{{parts}}})"


def gen_python(config, sets, block):
    p, ports = params.of(config, sets), port_rows(block, "in", "out")
    o = [f"# {NOTE} Configuration: {' '.join([config, *sets])}", ABOUT.format(block=block), RECORDS, ""]
    o += table("PARAMS", p.items())
    for en, rows in ENUMS.items():
        values = ", ".join(f"{snake(r['name']).upper()!r}: {r['value']}" for r in rows)
        o.append(f"{camel(en)} = enum.IntEnum({camel(en)!r}, {{{values}}})")
    o.append("TYPES = {")
    for typ in sorted(used({r["type"] for r in ports} & set(TYPES))):
        o += [f"    {typ!r}: {{", *(f"        {name!r}: {f}," for name, f in fields(typ, p)), "    },"]
    o += ["}", *table("REGISTERS", ((r.name, register(r)) for r in reg_map(p)))]
    o += table("ROWS", ((r["name"], row(r, p)) for r in ports))
    return "\n".join([*o, "", "", own_code()])
