# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""What a mapped netlist holds: cells and areas, flops by the register that they are of, loads of ports, and the buffer
trees that carry a net to many blocks."""
import collections
import re

import flow
import ram

MACRO = "hd_sram_"
REG = "_reg"  # ends the name of a flop, before it stands the register that it holds
TREE_LOAD = 16  # that a net between blocks, or a buffer of its tree, drives at most, in inputs of the smallest inverter


class Netlist:
    """One module. `kids`: what is known of the blocks inside it (Netlist.summary), by module name."""

    def __init__(self, module, library, kids):
        self.mod, self.library, self.lib, self.kids = module, library, library.cells, kids
        self.name_flops()
        self.trees = self.grow_trees()

    # -- Loads
    def pin_load(self, cell, pin, index):
        kind = cell["type"]
        if kind in self.lib:
            return self.lib[kind].caps.get(pin, 0.0)
        if kind in self.kids:
            return self.kids[kind]["loads"].get(pin, {index: 0.0})[index]
        return ram.PIN_LOAD * self.library.input_pf if pin != "rdata" else 0.0

    def port_loads(self):
        """pF of every bit of every input port."""
        on_net = collections.defaultdict(float)
        for cell in self.mod["cells"].values():
            for pin, bits in cell["connections"].items():
                for k, bit in enumerate(bits):
                    on_net[bit] += self.pin_load(cell, pin, k)
        return {name: [on_net[b] for b in port["bits"]] for name, port in self.mod["ports"].items()
                if port["direction"] == "input"}

    def grow_trees(self):
        """A net that enters many blocks gets a tree of buffers: the mapper does not look into the blocks.
        The number of them."""
        cells, sinks = self.mod["cells"], collections.defaultdict(list)
        tree, limit = self.library.tree, TREE_LOAD * self.library.input_pf
        into_pin, out_pin = next(iter(tree.caps)), tree.outputs[0]
        for cell in cells.values():
            if cell["type"] in self.kids:
                for pin, bits in cell["connections"].items():
                    if pin in self.kids[cell["type"]]["loads"] and pin not in ("clk_i", "rst_ni"):
                        for k, bit in enumerate(bits):
                            if isinstance(bit, int):
                                sinks[bit].append((self.pin_load(cell, pin, k), bits, k))
        free = 1 + max((b for n in self.mod["netnames"].values() for b in n["bits"] if isinstance(b, int)), default=1)
        first = free
        for bit, level in sinks.items():
            while len(level) > 1 and sum(load for load, _, _ in level) > limit:
                groups = grouped(level, limit)
                if len(groups) == len(level) and max(load for load, _, _ in level) <= tree.caps[into_pin]:
                    break  # buffers would be as large a load
                level = []
                for group in groups:
                    n = free - first
                    for _, bits, k in group:
                        bits[k] = free
                    into = [bit]
                    cells[f"u_tree_{n}"] = {"hide_name": 0, "type": tree.name, "parameters": {}, "attributes": {},
                                            "port_directions": {into_pin: "input", out_pin: "output"},
                                            "connections": {into_pin: into, out_pin: [free]}}
                    self.mod["netnames"][f"tree_{n}"] = {"hide_name": 0, "bits": [free], "attributes": {}}
                    level.append((tree.caps[into_pin], into, 0))
                    free += 1
        return free - first

    # -- Names: a flop is called by the register that it holds
    def name_flops(self):
        names = {}
        for name, net in self.mod["netnames"].items():
            if net.get("hide_name"):
                continue
            for k, bit in enumerate(net["bits"]):
                full = f"{name}[{k}]" if len(net["bits"]) > 1 else name
                old = names.get(bit)
                # A register rather than a wire that shows it, and the innermost name.
                if old is None or (("_q" in full) > ("_q" in old)):
                    names[bit] = full
        cells = {}
        for name, cell in self.mod["cells"].items():
            kind = self.lib.get(cell["type"])
            if kind and kind.sequential:
                shown = [bit for pin in kind.holds for bit in cell["connections"].get(pin, []) if bit in names]
                name = (names[shown[0]] if shown else name) + REG
            cells[name] = cell
        assert len(cells) == len(self.mod["cells"]), "two flops of one name"
        self.mod["cells"] = cells
        self.net_names = names

    # -- Sums
    def summary(self):
        """Cells and um^2 of the module without the blocks inside it, and what a parent must know of it."""
        out = {"cells": 0, "logic": 0.0, "flops": 0.0, "trees": self.trees, "kids": collections.Counter(),
               "registers": {}, "instances": {},
               "loads": self.port_loads(), "macros": collections.Counter()}
        for name, cell in self.mod["cells"].items():
            kind = cell["type"]
            if kind in self.kids:
                out["kids"][kind] += 1
                out["instances"][name] = kind[len("hd_"):]
            elif kind.startswith(MACRO):
                out["macros"][kind] += 1
            elif kind in self.lib:
                out["cells"] += 1
                if self.lib[kind].sequential:
                    out["flops"] += self.lib[kind].area
                    held = out["registers"].setdefault(re.sub(r"(\[\d+\])+$", "", name[:-len(REG)]), [0, 0.0])
                    held[0] += 1
                    held[1] += self.lib[kind].area
                else:
                    out["logic"] += self.lib[kind].area
            else:
                raise flow.Failed(f"{self.library.name} has no cell for {kind}, which the mapper left")
        return out

    def nets(self):
        """The net of the RTL that a gate drives, of those that drive one."""
        out = {}
        for name, cell in self.mod["cells"].items():
            kind = self.lib.get(cell["type"])
            for pin in kind.outputs if kind and not kind.sequential else ():
                net = self.net_names.get(cell["connections"].get(pin, [None])[0])
                if net and not re.fullmatch(r"_\d+_|tree_\d+", net):
                    out[name] = net
        return out


def grouped(sinks, limit):
    """Sinks in groups that one buffer drives."""
    groups, load = [[]], 0.0
    for s in sinks:
        if groups[-1] and load + s[0] > limit:
            groups.append([])
            load = 0.0
        groups[-1].append(s)
        load += s[0]
    return groups
