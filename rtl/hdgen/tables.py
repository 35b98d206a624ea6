# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The CSV tables of the RTL as rows: blocks, configurations, limits, types, enums, register map, and the ports,
registers and tables of each block."""
import csv
import functools
import os
import sys

from .expressions import camel, clog2, snake

RTL = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


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


def grouped(path, column):
    """{value of a column: the rows that have it}"""
    out = {}
    for r in table(path):
        out.setdefault(r[column], []).append(r)
    return out


CLUSTER = {r["block"]: r["cluster"] for r in table("pkg/blocks.csv")}
BLOCKS = list(CLUSTER)
CONFIGS = table("pkg/configs.csv")
NAMES = [k for k in CONFIGS[0] if k not in ("param", "meaning")]
LIMITS = table("pkg/limits.csv")
TYPES = grouped("pkg/types.csv", "type")
ENUMS = grouped("pkg/enums.csv", "enum")
POLICIES = [snake(r["name"]).replace("_", "-") for r in ENUMS["policy"]]  # their names in commands
ENUM_OF = {camel(en) + "W": en for en in ENUMS}  # the enum whose width is that parameter
DERIVED = table("pkg/derived.csv")
for _r in DERIVED:
    if _r["expression"] == "enum":  # wide enough for its values
        _r["expression"] = str(clog2(len(ENUMS[ENUM_OF[_r["param"]]])))
VIEWS = table("pkg/views.csv")
MAP = grouped("service/regs/map.csv", "kind")
# The words of the register map that configure the plane as a payload, the first in the lowest bits.
NARROW = {"POLICY": "PolicyW", "THROTTLE": "1"}
TYPES["settings"] = [{"type": "settings", "field": r["name"].lower(), "width": NARROW.get(r["name"], "32"),
                      "meaning": r["meaning"]} for r in reversed(MAP["config"])]


def folder(block):
    """The folder of a block's RTL, relative to rtl/."""
    return os.path.join(CLUSTER[block], block)


def check_valid(path, rows):
    """Exits with a message unless each `valid` names a register above its row (which is read first) with as many
    elements."""
    above = {}
    for r in (r for r in rows if r["dir"] == "state"):
        if r["valid"] and r["valid"] not in above:
            below = any(b["name"] == r["valid"] for b in rows if b["dir"] == "state")
            die(f"{path}: {r['name']}: valid '{r['valid']}' " + ("is below it; it must be above" if below else
                                                                 "is not a register (row `state`) of the block"))
        if r["valid"] and r["count"] != "1" and r["count"] != above[r["valid"]]:
            die(f"{path}: {r['name']}: valid '{r['valid']}' has {above[r['valid']]} elements, not {r['count']}")
        above[r["name"]] = r["count"]


@functools.cache
def block_rows(block):
    """The rows of a block's table. Callers must not modify them. A block inside whose count is a parameter Has.. is one
    block, or none if the parameter is 0: its `has`."""
    path = f"{folder(block)}/{block}.csv"
    rows = table(path)
    for r in rows:
        r["has"] = r["count"] if r["dir"] == "sub" and r["count"].startswith("Has") else ""
        r["count"] = "1" if r["has"] else r["count"]
    check_valid(path, rows)
    return rows


def port_rows(block, *dirs):
    """The rows of a block's table, or only those of the given kinds: in, out, state, table, sub, group."""
    return [r for r in block_rows(block) if not dirs or r["dir"] in dirs]


def rtl_name(r):
    """The name of a port in the RTL."""
    return r["name"] + ("_i" if r["dir"] == "in" else "_o")


def port_groups(block):
    """[(heading, its rows in and out)]: a row `group` heads the ports that follow it."""
    out = []
    for r in port_rows(block, "group", "in", "out"):
        if r["dir"] == "group":
            out.append((r["meaning"], []))
        else:
            out += [("", [])] * (not out)
            out[-1][1].append(r)
    return out


def subs(block):
    """The blocks inside a block."""
    return port_rows(block, "sub")


def shown(block):
    """The outputs that are compared when the block is inside another."""
    return [r for r in port_rows(block, "out") if r["rtl"] != "-"]
