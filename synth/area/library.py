# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The standard cells: those of cells.py, which stand for no process, or those of any liberty file, found by what they
do. Two libraries of Debian 12 have names here."""
import bz2
import gzip
import lzma
import os
import re
import tempfile
import zlib

import cells
import flow
import liberty
import ram
import timing

NAMED = {name: f"/usr/share/qflow/tech/{name}/{name}_stdcells.lib" for name in ("osu018", "osu035")}
PACKAGE = "qflow-tech-%s"
# Of OSU018 the LEF beside the liberty file tells the true sizes. A mapper that believes the file fills a design with
# "free" OAI21X1.
CORRECTED = {"OAI21X1": 32, "NAND3X1": 32, "LATCH": 56}
NODE = 180  # of the um^2 of the default cells

FO4_STAGES, FO4_SETTLED = 20, 8  # inverters of the chain that is measured, and those at its beginning that do not count

# What the mapper has to find: the name of a role, the truth table of its cell's output.
INVERTER, BUFFER, NAND2 = (True, False), (False, True), (True, True, True, False)


class Pin:
    """Of a cell: its name, function if it is an output, and pF of an input."""

    def __init__(self, group, pf):
        self.name, self.input = group.args[0], group.values.get("direction") == "input"
        self.function = group.values.get("function")
        self.pf = group.number("capacitance", 0.0) * pf
        self.clock = group.values.get("clock") == "true"


class Cell:
    def __init__(self, group, pf):
        self.name, self.area = group.args[0], group.number("area", 0.0)
        self.latch = bool(group.inside("latch", "latch_bank"))
        self.flops = group.inside("ff", "ff_bank")
        self.sequential = self.latch or bool(self.flops)
        pins = [Pin(g, pf) for g in group.inside("pin") if g.args]
        self.caps = {p.name: p.pf for p in pins if p.input}
        self.clocks = [p.name for p in pins if p.clock]
        self.outputs = [p.name for p in pins if p.function]
        self.table = None  # of a gate with one output
        if len(self.outputs) == 1 and not self.sequential:
            self.table = liberty.truth(next(p.function for p in pins if p.function), list(self.caps))
        # The outputs that show what a flop holds, the true one first.
        state = group.inside("ff", "latch")
        shows = [a.strip() for a in state[0].args] if state else []
        held = {(p.function or "").strip("() "): p.name for p in pins}
        self.holds = [held[name] for name in shows if name in held]


class Library:
    """`top`: the parsed text, without what the mapper is not to use; `rams`: RAM macros of one's own (ram.Table) or
    None; `node`: nm of the process, for the um^2 of the RAM model. `fo4_ns`: of cells without a process the ns of the
    file that are 1 FO4; a GE of theirs has as many um^2 as one of the RAM model."""

    def __init__(self, path, text, top, rams=None, node=None, fo4_ns=None):
        self.path, self.text, self.rams, self.node, self.process = path, text, rams, node, fo4_ns is None
        self.name = top.args[0] if top.args else path
        pf = self.load_unit(top) / 1e-12
        self.cells = {g.args[0]: Cell(g, pf) for g in top.inside("cell") if g.args}
        self.inverter = self.smallest("an inverter", self.gates(INVERTER))
        self.nand2 = self.smallest("a NAND of two inputs", self.gates(NAND2))
        buffers = sorted(self.gates(BUFFER), key=size)
        self.driver = self.smallest("a buffer", buffers)
        self.tree = buffers[min(1, len(buffers) - 1)]  # one size above what drives the inputs
        flops = [c for c in self.cells.values() if c.flops]
        self.smallest("a flop", flops)
        self.smallest("a flop with an asynchronous reset",
                      [c for c in flops if any({"clear", "preset"} & set(f.values) for f in c.flops)])
        for cell in (self.inverter, self.nand2):
            if cell.area <= 0 or min(cell.caps.values()) <= 0:
                raise liberty.Broken(f"cell {cell.name} without an area or a capacitance of its inputs")
        self.input_pf = next(iter(self.inverter.caps.values()))
        self.fo4_ns = fo4_ns or self.measured_fo4()

    @staticmethod
    def load_unit(top):
        value, prefix = (top.values.get("capacitive_load_unit", "1,pf").replace(" ", "").split(",") + [""])[:2]
        return liberty.unit(value + prefix, "f")

    def gates(self, table):
        return [c for c in self.cells.values() if c.table == table]

    def smallest(self, what, cells):
        if not cells:
            raise liberty.Broken(f"no cell that is {what} among its {len(self.cells)} cells")
        return min(cells, key=size)

    # -- Units
    def ge(self, um2):
        return um2 / self.nand2.area

    def um2(self, area):
        """um^2 of cells: the library's own; without a process those of a GE of the RAM model, at the requested node."""
        return area if self.process else self.ge(area) * ram.um2(ram.F2_PER_GE, self.node)

    def key(self):
        """What results depend on."""
        return self.text + repr(self.fo4_ns) + (self.rams.text if self.rams else "")

    # -- RAM: (low, high) of a list of sizes (rows, bits)
    def ram_ge(self, sizes):
        if self.rams:
            um2 = sum(self.rams.um2(*s) for s in sizes)
            return self.ge(um2), self.ge(um2)
        return tuple(sum(ram.ge(f(*s)) for s in sizes) for f in (ram.low_f2, ram.high_f2))

    def ram_um2(self, sizes):
        """None where no one told the node."""
        if self.rams:
            um2 = sum(self.rams.um2(*s) for s in sizes)
            return um2, um2
        if self.node is None:
            return (None, None)
        return tuple(sum(ram.um2(f(*s), self.node) for s in sizes) for f in (ram.low_f2, ram.high_f2))

    def ram_times(self, rows, bits):
        """ns of an access, and of the set-up before the clock."""
        if self.rams:
            return self.rams.times(rows, bits)
        return ram.access_fo4(rows, bits) * self.fo4_ns, ram.SETUP_FO4 * self.fo4_ns

    def is_clock(self, cell, pin):
        return cell in self.cells and pin in self.cells[cell].clocks

    # -- What the report says of it
    def about(self):
        return {"library": self.name, "nand2": self.nand2.name, "ge_um2": round(self.um2(self.nand2.area), 3),
                "inverter": self.inverter.name, "fo4_ps": round(1000 * self.fo4_ns, 2) if self.process else None,
                "rams": "table" if self.rams else "models", "tools": flow.text_of(flow.versions())}

    def measured_fo4(self):
        """ns of the smallest inverter that drives four of itself, in a chain of such."""
        n, inv = FO4_STAGES, self.inverter
        a, y = next(iter(inv.caps)), inv.outputs[0]
        gates = "".join(f"  {inv.name} s{k} (.{a}(w{k}), .{y}(w{k + 1}));\n"
                        + "".join(f"  {inv.name} l{k}{x} (.{a}(w{k + 1}), .{y}());\n" for x in "abc")
                        for k in range(n))
        with tempfile.TemporaryDirectory() as d:
            wires = ", ".join(f"w{k}" for k in range(1, n + 1))
            flow.write(f"{d}/c.v", f"module c (input w0, output y);\n  wire {wires};\n{gates}"
                       f"  {inv.name} z (.{a}(w{n}), .{y}(y));\nendmodule\n")
            flow.write(f"{d}/c.tcl", f"read_liberty {self.path}\n{timing.UNITS}read_verilog {d}/c.v\nlink_design c\n"
                       "create_clock -name v -period 9\nset_input_delay 0 -clock v [get_ports w0]\n"
                       "set_output_delay 0 -clock v [get_ports y]\nreport_checks -digits 6\n")
            output = flow.run(["sta", "-exit", f"{d}/c.tcl"], f"{d}/log")
        at = {pin: float(ns) for ns, pin in re.findall(r"(-?[\d.]+) [\^v] (s\d+)/", output)}
        first, last = f"s{FO4_SETTLED - 1}", f"s{n - 1}"
        if first not in at or last not in at or at[last] <= at[first]:
            why = next((w for w in output.splitlines() if "rror" in w), "")
            raise liberty.Broken(f"OpenSTA finds no delay of {inv.name}{why and ': ' + why}")
        return (at[last] - at[first]) / (n - FO4_SETTLED)


def size(cell):
    return cell.area, min(cell.caps.values(), default=0.0), cell.name


def corrected(text):
    """The liberty text of OSU018 with the true areas."""
    for cell, area in CORRECTED.items():
        text, n = re.subn(r"(cell \(%s\) \{.*?area\s*:\s*)[\d.]+" % cell, r"\g<1>%d" % area, text, count=1, flags=re.S)
        if n != 1:
            raise liberty.Broken(f"no cell {cell}")
    return text


def default(node=None):
    """The cells of cells.py."""
    text = cells.text()
    if not os.path.exists(flow.LIB) or open(flow.LIB).read() != text:
        flow.write(flow.LIB, text)
    return Library(flow.LIB, text, liberty.parse(text), None, node or NODE, 5 * cells.TAU)


PACKED = {b"\x1f\x8b": gzip.decompress, b"\xfd7": lzma.decompress, b"BZ": bz2.decompress}


def read(path):
    """The text of a file, which may be compressed."""
    with open(path, "rb") as f:
        data = f.read()
    try:
        return PACKED.get(data[:2], bytes)(data).decode()
    except (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError, ValueError) as e:
        if isinstance(e, UnicodeDecodeError):
            raise
        raise liberty.Broken("damaged or truncated compressed data")


def of(paths, node=None, rams=None):
    """The library of these files, which may be one of NAMED."""
    path = paths[0]
    try:
        texts, tops = [], []
        for path in paths:
            if path in NAMED and not os.path.exists(path) and not os.path.exists(NAMED[path]):
                raise flow.Failed(f"{NAMED[path]} is missing (Debian package {PACKAGE % path}, in Debian 12 alone)")
            text = read(path if os.path.exists(path) else NAMED.get(path, path))
            texts.append(corrected(text) if path == "osu018" else text)
            tops.append(liberty.parse(texts[-1]))
            text = liberty.joined(texts, tops) if len(texts) > 1 else texts[0]
        path, top = ", ".join(paths), tops[0] if len(paths) == 1 else liberty.parse(text)
        unused = [g for g in top.inside("cell") if g.values.get("dont_use") == "true"]
        text = liberty.without(text, unused)
        top.groups = [g for g in top.groups if g not in unused]
        copy = f"{flow.WORK}/{flow.sha(text)}.lib"  # under a name that every tool can read
        flow.write(copy, text)
        return Library(copy, text, top, rams, node)
    except OSError as e:
        raise flow.Failed(f"{path}: {e.strerror}")
    except UnicodeDecodeError:
        raise flow.Failed(f"{path}: this is no text")
    except RecursionError:
        raise flow.Failed(f"{path}: groups within groups, too deep; a library has about five levels")
    except (liberty.Broken, flow.Failed) as e:
        raise flow.Failed(f"{path}: {e}")
