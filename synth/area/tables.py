# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The tables of the plane: entries, bits, bytes, and what they cost, beside the papers' own figures."""
import csv
import os
import re

import blocks
import flow
import ram
from flow import hdgen

ROWS = list(csv.DictReader(line for line in open(os.path.join(flow.HERE, "tables.csv")) if not line.startswith("#")))


def items(row):
    """The rows of the block's table of ports and state that make up a table; [] if the block, or one of them, is not there."""
    if row["block"] not in hdgen.BLOCKS:
        return []
    ports = {r["name"]: r for r in hdgen.port_rows(row["block"])}
    names = row["items"].split()
    return [ports[n] for n in names] if all(n in ports for n in names) else []


def register(item):
    """The RTL's register of an item; an output port shows the register of its name."""
    return item["rtl"] if item["dir"] in ("state", "table") else item["name"] + "_q"


def names_of(design, item):
    """What holds it: a register, a RAM, or the banks of one (NAME[PARAM])."""
    name = register(item)
    m = re.search(r"\[(\w+)\]", name)
    return [f"{name[:m.start()]}[{b}]{name[m.end():]}" for b in range(design.params[m.group(1)])] if m else [name]


def bits_of(design, item):
    return hdgen.width_of(item["type"], design.params) * design.count(item)


def entries_of(design, row):
    """(entries, bits of all): an entry is one element of the first item."""
    found = items(row)
    return (design.count(found[0]), sum(bits_of(design, i) for i in found)) if found else (None, None)


def block_bytes(design, block):
    """Bytes of the tables of one block (without those inside it): bits of all rows / 8."""
    bits = sum(entries_of(design, r)[1] or 0 for r in ROWS if r["block"] == block)
    return bits // 8 if bits % 8 == 0 else bits / 8


def cost(design, block, row, node):
    """What holds a table: kind, cells, GE and um^2 of the flops and of the RAMs (low, high)."""
    cells, flops, low, high, kinds = 0, 0.0, 0.0, 0.0, set()
    for name in (name for item in items(row) for name in names_of(design, item)):
        memory = block.memories.get(name)
        if memory and memory[2] == "RAM":
            low += ram.low_f2(*memory[:2])
            high += ram.high_f2(*memory[:2])
            kinds.add("RAM")
        else:
            number, um2 = block.registers.get(name) or block.registers.get(name + "_q", [0, 0.0])  # a signal X may show X_q
            cells += number
            flops += um2
            kinds.add("flops")
    return {"kind": " + ".join(sorted(kinds)), "cells": cells,
            "ge": {"flops": blocks.ge_of(flops), "ram_low": ram.ge(low), "ram_high": ram.ge(high)},
            "um2": {"flops": flops * ram.shrink(node), "ram_low": ram.um2(low, node), "ram_high": ram.um2(high, node)}}


def report(design, plane, node, wanted):
    out = []
    for row in ROWS:
        if wanted and row["block"] not in wanted:
            continue
        paper = int(row["paper_bytes"]) if row["paper_bytes"] else None
        entry = {"block": row["block"], "name": row["table"], "entries": None, "bits": None, "bytes": None, "kind": None,
                 "paper_bytes": paper, "ratio": None, "cells": None, "ge": None, "um2": None, "paper": row["paper"] or None, "figure": row["figure"] or None}
        if items(row) and row["block"] in plane:
            entries, bits = entries_of(design, row)
            entry.update(cost(design, plane[row["block"]], row, node), entries=entries, bits=round(bits / entries, 2), bytes=bits / 8,
                         ratio=round(bits / 8 / paper, 3) if paper else None)
        out.append(entry)
    return out
