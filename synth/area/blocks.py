# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Area and longest path of a block, with the blocks inside it."""
import concurrent.futures
import functools
import json
import os

import boundaries
import flow
import kept
import library
import netlist
import ram
import timing
from hdgen.tables import BLOCKS

ALL = ["top", *BLOCKS]  # the plane first, and what is not in it yet

CODE = "".join(open(os.path.join(flow.HERE, f)).read()
               for f in ("blocks.py", "boundaries.py", "netlist.py", "timing.py", "library.py", "ram.py"))


AIM_FO4 = 40


class Block:
    """`kids`: [(Block, how many)]. Areas of the summary are the block's own; total() adds those inside. `content`: what
    it was found from."""

    def __init__(self, name, summary, kids, elaborated, lib, content=""):
        self.__dict__.update(summary)
        self.name, self.kids, self.elaborated, self.lib = name, kids, elaborated, lib
        self.found, self.content = summary, content

    def rams(self):
        """[(instance, rows, bits)] of the block itself."""
        return [(n, r, w) for n, (r, w, kind) in self.memories.items() if kind == "RAM"]

    def ram_sizes(self):
        return [(r, w) for _, r, w in self.rams()]

    def total(self, what):
        """A sum over the block and what is inside it: a function of a Block."""
        return what(self) + sum(n * kid.total(what) for kid, n in self.kids)

    def all_rams(self):
        """(rows, bits) of every RAM of the block and of the blocks inside it."""
        return self.ram_sizes() + [size for kid, n in self.kids for size in n * kid.all_rams()]

    @functools.cached_property
    def nets(self):
        """The net of the RTL that a gate drives."""
        return named(self.top, self.elaborated, self.recipe, self.lib, self.kids)[1].nets()

    def files(self):
        """The netlists of the block and of all inside it, as Verilog."""
        def make(path):
            module = named(self.top, self.elaborated, self.recipe, self.lib, self.kids)[0]
            flow.write(path + ".json", json.dumps({"creator": "heddle area", "modules": {self.top: module}}))
            flow.run(["yosys", "-q", "-p", f"read_json {path}.json; write_verilog -noattr {path}"], path + ".log")
            os.remove(path + ".json")
        out = [flow.cached(self.key, ".v", make)]
        for kid, _ in self.kids:
            out += [f for f in kid.files() if f not in out]
        return out

    @property
    def fo4(self):
        return self.path["ns"] / self.lib.fo4_ns


def examine(name, top, sources, boxes, lib, kids=(), note=lambda text: None, recipes=tuple(flow.RECIPES)):
    """Maps a module by each of the recipes and keeps the one with the smaller product of GE and FO4; above the
    aim the faster one. What the checkout has kept of it is not mapped again."""
    elaborated = flow.elaborate(top, sources, boxes)

    def content_of(recipes):
        return flow.sha(*flow.versions(), CODE, elaborated["key"], flow.MAP, flow.constraints(lib), lib.key(),
                        *(flow.recipe_text(r, lib) for r in recipes), *(kid.key for kid, _ in kids))
    content, key = content_of(flow.RECIPES), content_of(recipes)
    known = kept.find(content)
    if known and recipes in (tuple(flow.RECIPES), (known["recipe"],)):
        return Block(name, known, list(kids), elaborated, lib, content)

    def make(path):
        note(name)
        tries = [attempt(key, top, elaborated, recipe, lib, kids) for recipe in recipes]
        best, block = min(tries, key=lambda t: (max(t[0]["path"]["ns"], AIM_FO4 * lib.fo4_ns),
                                                (t[0]["logic"] + t[0]["flops"] + 1) * t[0]["path"]["ns"]))
        if name == "top":
            best["boundaries"] = boundaries_of(block)
        flow.write(path, json.dumps(best))
    with open(flow.cached(key, ".block", make)) as f:
        return Block(name, json.load(f), list(kids), elaborated, lib, content)


def named(top, elaborated, recipe, lib, kids):
    """A mapped module, and what is in it; its flops get the names of their registers, its large nets buffers."""
    module = flow.mapped(top, elaborated, recipe, lib)
    return module, netlist.Netlist(module, lib, {"hd_" + kid.name: vars(kid) for kid, _ in kids})


def attempt(key, top, elaborated, recipe, lib, kids):
    _, net = named(top, elaborated, recipe, lib, kids)
    summary = net.summary()
    memories = {n: (r, w, "RAM" if ram.worth(r, w) else "flops") for n, (r, w) in elaborated["memories"].items()}
    summary.update(top=top, key=flow.sha(key, recipe), recipe=recipe, memories=memories)
    block = Block(top, summary, list(kids), elaborated, lib)
    if sum(block.macros.values()) != len(block.rams()):
        raise flow.Failed(f"{top}: {dict(block.macros)} for the memories {block.memories}: "
                          "a memory has to be one macro, or flops")
    summary["path"] = path_of(block)
    return summary, block


def linked(block):
    """Tcl by which OpenSTA reads the block and constrains it."""
    sizes = set(block.all_rams())
    libs = [f"{flow.WORK}/{block.key}.ram.lib"] if sizes else []
    for path in libs:
        flow.write(path, ram.liberty(sizes, block.lib))
    return timing.linked(block.lib, block.top, libs, block.files())


def boundaries_of(plane):
    """The longest path from each cluster into each other one."""
    module = flow.mapped(plane.top, plane.elaborated, plane.recipe, plane.lib)
    found = boundaries.longest(plane.key, linked(plane), module, {"hd_" + kid.name for kid, _ in plane.kids})
    return [{**p, "start": own_name(p["start"]), "end": own_name(p["end"])} for p in found]


def path_of(block):
    p = timing.longest(block.key, linked(block))
    return {"ns": p.ns, "setup": p.setup, "from": own_name(p.start), "to": own_name(p.end),
            "steps": [{"ns": at, "delay": d, "pin": pin, "cell": cell, "net": net_of(block, pin)}
                      for at, d, pin, cell in p.steps]}


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


def plane(design, names, note=lambda text: None, recipes=(), lib=None):
    """The blocks named and all inside them: name -> Block. `lib`: cells.py if none is given. `recipes`: those of
    some blocks, of the others all are tried. As many at once as there are processors; what is inside a block is always
    begun before it, so that no two wait for each other."""
    lib, begun = lib or library.default(), {}

    def make(name, kids):
        return examine(name, "hd_" + name, *design.modules(name), lib, [(kid.result(), n) for kid, n in kids],
                       lambda n: note(f"{design.name} {n}"), dict(recipes).get(name, tuple(flow.RECIPES)))

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        def begin(name):
            if name not in begun:
                inside = {k: design.count(row) for k, row in flow.children(name).items()}
                kids = [(begin(k), n) for k, n in inside.items() if n]
                begun[name] = pool.submit(make, name, kids)
            return begun[name]
        for n in names:
            begin(n)
    return {name: block.result() for name, block in begun.items()}
