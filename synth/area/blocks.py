# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Area and longest path of a block, with the blocks inside it."""
import concurrent.futures
import json
import os

import flow
import library
import netlist
import ram
import timing
from hdgen.tables import BLOCKS

ALL = ["top", *BLOCKS]  # the plane first, and what is not in it yet

CODE = "".join(open(os.path.join(flow.HERE, f)).read()
               for f in ("blocks.py", "netlist.py", "timing.py", "library.py", "ram.py"))


AIM_FO4 = 40


class Block:
    """`kids`: [(Block, how many)]. Areas of the summary are the block's own; ge() adds those inside."""

    def __init__(self, name, summary, kids, elaborated):
        self.__dict__.update(summary)
        self.name, self.kids, self.elaborated = name, kids, elaborated

    def rams(self):
        """[(instance, rows, bits)] of the block itself."""
        return [(n, r, w) for n, (r, w, kind) in self.memories.items() if kind == "RAM"]

    def total(self, what):
        """A sum over the block and what is inside it: a function of a Block."""
        return what(self) + sum(n * kid.total(what) for kid, n in self.kids)

    def sizes(self):
        """(rows, bits) of all RAMs."""
        out = {(r, w) for _, r, w in self.rams()}
        return out.union(*(kid.sizes() for kid, _ in self.kids))

    def files(self):
        """The netlists of the block and of all inside it, as Verilog."""
        def make(path):
            module = named(self.top, self.elaborated, self.recipe, library.install(flow.LIB), self.kids)[0]
            flow.write(path + ".json", json.dumps({"creator": "heddle area", "modules": {self.top: module}}))
            flow.run(["yosys", "-q", "-p", f"read_json {path}.json; write_verilog -noattr {path}"], path + ".log")
            os.remove(path + ".json")
        out = [flow.cached(self.key, ".v", make)]
        for kid, _ in self.kids:
            out += [f for f in kid.files() if f not in out]
        return out

    @property
    def fo4(self):
        return self.path["ns"] / library.FO4_NS


def ge_of(um2):
    return um2 / library.NAND2


def examine(name, top, sources, boxes, cells, kids=(), note=lambda text: None, recipes=tuple(flow.RECIPES)):
    """Maps a module by each of the recipes and keeps the one with the smaller product of GE and FO4; above the
    aim the faster one."""
    elaborated = flow.elaborate(top, sources, boxes)
    key = flow.sha(CODE, elaborated["key"], flow.MAP, flow.CONSTRAINTS, *(flow.RECIPES[r] for r in recipes),
                   open(flow.LIB).read(), *(kid.key for kid, _ in kids))

    def make(path):
        note(name)
        tries = [attempt(key, top, elaborated, recipe, cells, kids) for recipe in recipes]
        best = min(tries, key=lambda s: (max(s["path"]["ns"], AIM_FO4 * library.FO4_NS),
                                         (s["logic"] + s["flops"] + 1) * s["path"]["ns"]))
        flow.write(path, json.dumps(best))
    with open(flow.cached(key, ".block", make)) as f:
        return Block(name, json.load(f), list(kids), elaborated)


def named(top, elaborated, recipe, cells, kids):
    """A mapped module, and what is in it; its flops get the names of their registers, its large nets buffers."""
    module = flow.mapped(top, elaborated, recipe)
    return module, netlist.Netlist(module, cells, {"hd_" + kid.name: vars(kid) for kid, _ in kids})


def attempt(key, top, elaborated, recipe, cells, kids):
    _, net = named(top, elaborated, recipe, cells, kids)
    summary = net.summary()
    memories = {n: (r, w, "RAM" if ram.worth(r, w) else "flops") for n, (r, w) in elaborated["memories"].items()}
    summary.update(top=top, key=flow.sha(key, recipe), recipe=recipe, memories=memories)
    block = Block(top, summary, list(kids), elaborated)
    if sum(block.macros.values()) != len(block.rams()):
        raise flow.Failed(f"{top}: {dict(block.macros)} for the memories {block.memories}: "
                          "a memory has to be one macro, or flops")
    summary["path"] = path_of(block)
    return summary


def path_of(block):
    sizes = block.sizes()
    libs = [flow.LIB]
    if sizes:
        libs.append(f"{flow.WORK}/{block.key}.ram.lib")
        flow.write(libs[1], ram.liberty(sizes, library.FO4_NS))
    p = timing.longest(block.key, block.top, libs, block.files())
    return {"ns": p.ns, "setup": p.setup, "from": own_name(p.start), "to": own_name(p.end),
            "steps": [{"ns": at, "delay": d, "pin": pin, "cell": cell} for at, d, pin, cell in p.steps]}


def own_name(pin):
    """u_sched/g_smx[0].u_tbcr/valid_q[3]_reg -> u_sched.g_smx[0].u_tbcr.valid_q[3]; a RAM by its array."""
    name = pin.replace("\\", "").replace("/", ".")
    if name.endswith(netlist.REG):
        return name[:-len(netlist.REG)]
    return name[:-4] if name.endswith(".0.0") else name


def net_of(block, pin):
    """The net of the RTL that a cell of the path drives, or None."""
    if "/" not in pin:
        return None  # a port
    *instances, cell, _ = pin.replace("\\", "").split("/")
    for inst in instances:
        block = next((kid for kid, _ in block.kids if block.instances.get(inst) == kid.name), None)
        if block is None:
            return None
    return ".".join(instances + [block.nets[cell]]) if cell in block.nets else None


def plane(design, names, note=lambda text: None, recipes=()):
    """The blocks named and all inside them: name -> Block. `recipes`: those of some blocks, of the others all are
    tried. As many at once as there are processors; what is inside a block is always begun before it, so that no two
    wait for each other."""
    cells, begun = library.install(flow.LIB), {}

    def make(name, kids):
        return examine(name, "hd_" + name, *design.modules(name), cells, [(kid.result(), n) for kid, n in kids],
                       lambda n: note(f"{design.name} {n}"), dict(recipes).get(name, tuple(flow.RECIPES)))

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        def begin(name):
            if name not in begun:
                kids = [(begin(k), design.count(row)) for k, row in flow.children(name).items()]
                begun[name] = pool.submit(make, name, kids)
            return begun[name]
        for n in names:
            begin(n)
    return {name: block.result() for name, block in begun.items()}
