# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The tables of the plane: entries, bits, bytes and area, with the figures of the papers for comparison."""
import csv
import os
import re

import flow
from hdgen.expressions import evaluate
from hdgen.params import width_of
from hdgen.tables import BLOCKS, port_rows

ROWS = list(csv.DictReader(line for line in open(os.path.join(flow.HERE, "tables.csv")) if not line.startswith("#")))


class Item:
    """One item of a row of tables.csv: NAME or BLOCK/NAME, of an array also NAME[FROM:TO], expressions. `elements` of
    it belong to the table, of `width` bits, `share` of all. A name in _q is a register of the RTL that the block's
    table of ports and state does not have."""

    def __init__(self, text, home):
        name, self.low, self.high = re.fullmatch(r"([\w/.]+)(?:\[(\w*):([^]]*)\])?", text).groups()
        self.block, self.name = name.split("/") if "/" in name else (home, name)
        self.row = next((r for r in port_rows(self.block) if r["name"] == self.name), None)
        self.there = self.row is not None or self.name.endswith("_q")
        if self.row:  # an output port shows the register of the same name
            self.register = self.row["rtl"] if self.row["dir"] in ("state", "table") else self.name + "_q"
        else:
            self.register = self.name
        # NAME[PARAM] consists of banks; an item that is not a register may show the one of the same name.
        name = re.sub(r"\\\[\w+\\\]", r"\\[\\d+\\]", re.escape(self.register))
        self.pattern = re.compile(r"(.*\.)?" + name + ("" if name.endswith("_q") else "(_q)?"))

    def measure(self, design, block):
        """Sets elements, width and share; values that the RTL's tables lack are read from the netlist."""
        memories = [m for n, m in block.memories.items() if self.names(n)]
        if self.row:
            count, self.width = design.count(self.row), width_of(self.row["type"], design.params)
        else:  # remaining flops: synthesis removes unread ones
            flops = sum(n for name, (n, _) in block.registers.items() if self.names(name))
            count = sum(r for r, _, _ in memories) or 1
            self.width = memories[0][1] if memories and memories[0][2] == "RAM" else flops / count
        low, high = (evaluate(v, design.params) if v else d for v, d in ((self.low, 0), (self.high, count)))
        self.elements = high - low if self.width else 0
        self.share = (high - low) / count if count else 0
        self.rams = [(r, w) for r, w, kind in memories if kind == "RAM"]
        self.flops = [] if self.rams else [f for name, f in block.registers.items() if self.names(name)]
        return self

    def names(self, found):
        """Returns True if a register of the netlist is this one, or that of an instance inside the block:
        u_lists.nagei_q is nagei_q."""
        return self.pattern.fullmatch(found) is not None


def items(row):
    """Returns the items of a table; [] if the block, or one of the rows, does not exist."""
    if row["block"] not in BLOCKS:
        return []
    found = [Item(text, row["block"]) for text in row["items"].split()]
    return found if all(i.there for i in found) else []


def blocks_of(names):
    """Returns the named blocks, and those that hold a part of their tables."""
    return list(dict.fromkeys([*names, *(i.block for row in ROWS if row["block"] in names for i in items(row))]))


def block_bytes(design, block):
    """Returns the bytes of the tables in one block (without the blocks inside it): bits / 8."""
    held = [i.measure(design, block) for row in ROWS for i in items(row) if i.block == block.name]
    bits = sum(i.elements * i.width for i in held)
    return bits // 8 if bits % 8 == 0 else bits / 8


def cost(found, lib):
    """Returns the storage of a table: kind, cells, GE and um^2 of the flops and of the RAMs (low, high)."""
    cells, flops, kinds, ge, um2 = 0, 0.0, set(), [0.0, 0.0], [0.0, 0.0]
    for i in found:
        ge = [a + i.share * b for a, b in zip(ge, lib.ram_ge(i.rams))]
        um2 = [None if b is None else a + i.share * b for a, b in zip(um2, lib.ram_um2(i.rams))]
        cells += round(i.share * sum(n for n, _ in i.flops))
        flops += i.share * sum(area for _, area in i.flops)
        kinds |= {"RAM"} if i.rams else {"flops"}
    return {"kind": " + ".join(sorted(kinds)), "cells": cells,
            "ge": {"flops": lib.ge(flops), "ram_low": ge[0], "ram_high": ge[1]},
            "um2": {"flops": lib.um2(flops), "ram_low": um2[0], "ram_high": um2[1]}}


def report(design, plane, lib, wanted):
    """Returns the tables of the requested blocks; figures are null where the RTL does not have them."""
    out = []
    for row in ROWS:
        if wanted and row["block"] not in wanted:
            continue
        paper = int(row["paper_bytes"]) if row["paper_bytes"] else None
        entry = {"block": row["block"], "name": row["table"], "entries": None, "bits": None, "bytes": None,
                 "kind": None, "paper_bytes": paper, "ratio": None, "cells": None, "ge": None, "um2": None,
                 "paper": row["paper"] or None, "figure": row["figure"] or None}
        found = [i.measure(design, plane[i.block]) for i in items(row)]
        bits = sum(i.elements * i.width for i in found)
        if bits:
            entries = found[0].elements
            entry.update(cost(found, lib), entries=entries, bits=round(bits / entries, 2), bytes=bits / 8,
                         ratio=round(bits / 8 / paper, 3) if paper else None)
        out.append(entry)
    return out
