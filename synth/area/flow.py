# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""From RTL to a mapped netlist of one block, with Yosys and ABC. The blocks inside it stay black boxes: each is mapped
once, however many instances there are. All results are cached in the store of tb/build, by the content of their
inputs."""
import contextlib
import functools
import json
import os
import re
import subprocess
import sys
import tempfile
import threading

import ram

sys.path[:0] = ["rtl", "tb/build"]
import sources  # noqa: E402
import store  # noqa: E402
import tools  # noqa: E402
from hdgen import nets, params  # noqa: E402
from hdgen.expressions import evaluate  # noqa: E402
from hdgen.output import put_text as write  # noqa: E402
from hdgen.tables import folder, subs  # noqa: E402

WORK = "build/area/work"  # work in progress, and logs
LIB = "build/area/cells.lib"
CELLS, OWN_CELLS = "build/area/cells.v", "build/area/own_cells.v"  # as Verilog; cells of --liberty
HERE = os.path.dirname(os.path.abspath(__file__))

# ABC: the fastest netlist of a cone first (&if -g), then area where there is slack, then buffers for high fan-out and
# sizing. Neither recipe is always better: blocks.py keeps one of the two netlists.
HEAD = "strash; &get -n; &fraig -x; &put; scorr; dc2; strash; &get -n; &st; &if -g -K 6; "
TAIL = "&dch; &nf -R 10 -F 5; &put; buffer -c -N 8; topo; upsize -D {ps}; dnsize -D {ps}; stime -p"
RECIPES = {"once": HEAD + TAIL, "twice": HEAD + "&st; &if -g -K 6; " + TAIL}
# Only for growth, which compares sizes with each other: without &dch, whose run time grows faster than the size.
GROWTH = {"plain": HEAD + TAIL.replace("&dch; ", "")}
# The Yosys scripts. Cached results depend only on them and on their inputs. Yosys names anonymous objects by file and
# line, and sorts by name. These names are replaced by numbers in text order, so that a comment, an assertion or a moved
# file changes neither the netlist nor its results.
ELABORATE = """read_verilog -sv -Irtl {package}
{boxes}
read_verilog -sv -Irtl {sources}
hierarchy -check -top {top}
rename -hide */w:*$func$*
rename -enumerate -pattern hd_no_%_
rename -hide */w:hd_no_* */c:hd_no_*
proc
flatten
delete t:$scopeinfo
select -assert-none t:$dlatch* t:$adlatch* t:$sr
opt_clean
rename -enumerate -pattern hd_no_%_
rename -hide w:hd_no_* c:hd_no_*
memory_collect
write_json {base}.mem
write_rtlil {path}.tmp
"""
TIES = ".ties.json"  # a file that lists the constants at the ports of a block
TIE = """read_rtlil {il}
hierarchy -top {top}
opt -full
opt_clean -purge
rename -enumerate -pattern hd_tied_%_
rename -hide w:hd_tied_* c:hd_tied_*
write_json {base}.mem
write_rtlil {path}.tmp
"""
MAP = """read_rtlil {il}
synth -flatten -top {top} -run begin:fine
{small}
memory_libmap -lib {base}.lm
techmap -map {base}.v
write_json {base}.left
memory_map
opt -fast -full
synth -run fine:check
delete t:$scopeinfo
dfflibmap -liberty {lib}
abc -liberty {lib} -constr {base}.constr -script {base}.abc
opt_clean
rename -enumerate -pattern _%_
write_json {path}.tmp
"""
OUT_LOAD = 5  # load of an output, in inputs of the smallest inverter
ABC_FO4 = 20  # the target of ABC's sizing


class Failed(Exception):
    pass


def run(argv, log):
    """Runs a tool with its output in a file; on failure raises Failed with the first error line."""
    with open(log, "w") as f:
        try:
            code = subprocess.run(argv, stdout=f, stderr=subprocess.STDOUT).returncode
        except FileNotFoundError:
            raise Failed(f"{argv[0]} is missing (see tb/install/setup.sh)")
    text = open(log).read()
    if code or "ERROR" in text:
        error = next((line for line in text.splitlines() if "ERROR" in line), f"{argv[0]} failed")
        raise Failed(f"{error} ({log})")
    return text


def sha(*parts):
    return store.digest("\0".join(parts))


@functools.lru_cache(None)
def versions():
    """Returns the versions of the tools, on which results depend too."""
    try:
        return [tools.version(*argv) for argv in (("yosys", "-V"), ("yosys-abc", "-q", "version"), ("sta", "-version"))]
    except tools.Failed as e:
        raise Failed(str(e))


def text_of(versions):
    """Returns the same for people: Yosys 0.23, ABC 1.01, OpenSTA 2.0.17."""
    numbers = (re.search(r"\d+\.[\w.+]+", v) for v in versions)
    return ", ".join(f"{tool} {n.group() if n else '?'}" for tool, n in zip(("Yosys", "ABC", "OpenSTA"), numbers))


def plain(path):
    """Returns the path, or a link to it: scripts of the tools do not accept blanks in a name."""
    if " " not in path:
        return path
    link = f"{WORK}/{os.path.basename(path)}"
    new = f"{link}.{os.getpid()}.{threading.get_ident()}"
    os.makedirs(WORK, exist_ok=True)
    os.symlink(os.path.abspath(path), new)
    os.replace(new, link)
    return link


@contextlib.contextmanager
def here():
    """Yields a prefix for relative paths that Yosys makes absolute for ABC: a link, if they would contain blanks."""
    if " " not in os.getcwd():
        yield ""
        return
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.getcwd(), f"{folder}/here")
        yield f"{folder}/here/"


def cached(key, suffix, make):
    """Returns the file with this content in the store; `make(path)` writes it if it does not exist. If two processes
    make one file, the second waits."""
    entry = sha("area 6", *versions(), key, suffix)
    return plain(stored(entry, {"name": f"area {suffix}"}, f"{WORK}/{os.getpid()}-{key}{suffix}", make)[0])


def stored(entry, note, path, make):
    """Returns (file, its note) of an entry of the store. If it does not exist, `make(path)` writes it, and may return
    more for the note. If two processes make one entry, the second waits."""
    found = store.find(entry)
    if found:
        return found
    with store.locked(entry):
        found = store.find(entry)
        if found:
            return found
        os.makedirs(os.path.dirname(path), exist_ok=True)
        note = {**note, **(make(path) or {})}
        kept = store.add(entry, path, note)
        os.remove(path)
        return kept, note


class Design:
    """One configuration of the RTL, or a folder of reference designs (verif/area)."""

    def __init__(self, config="k20c", sets=()):
        config, *more = config.split("+")  # NAME+PARAM=VALUE, as everywhere
        sets = [*more, *sets]
        self.config, self.sets = config, sets
        self.name = "+".join([config, *sets])
        self.params = params.of(config, sets)
        self.package = f"build/{self.name}/hd_pkg.sv"
        write(self.package, sources.package("hd_pkg", config, sets))

    def modules(self, block):
        """Returns the files of a block and of the small parts that it uses, and those of the blocks inside it (black
        boxes). The package contains only names used there, so that unrelated changes do not affect the mapper. The last
        file may be one of ties()."""
        files, boxes = self.files(block, f"rtl/{folder(block)}/hd_{block}.sv", [f"rtl/{folder(b)}/hd_{b}.sv"
                                                                                for b in children(block)])
        return files + self.ties(block), boxes

    def files(self, name, path, boxes=()):
        """Returns the same for any module."""
        boxes = list(boxes)
        own = [f for f in sources.closure(path, boxes) if f.endswith(".sv")]
        package = f"build/area/{self.name}/{name}_pkg.sv"
        write(package, "".join(sources.packages(self.config, self.sets, own + boxes).values()))
        return [package, *own], boxes

    def ties(self, block):
        """Returns a file with hdgen's ties() of a block of the plane, by the ports of its RTL, or none if there are
        none."""
        if block not in nets.PLANE:
            return []
        tied, lost = nets.ties(block, self.params)
        if not tied and not lost:
            return []
        path = f"build/area/{self.name}/{block}{TIES}"
        write(path, json.dumps([{f"{name}_i": parts for name, parts in tied.items()}, sorted(f"{o}_o" for o in lost)]))
        return [path]

    def count(self, row):
        """Returns how many of a block are inside; 0 if it is omitted."""
        return evaluate(row["count"], self.params) * params.has(row, self.params)


def children(block):
    """Returns the blocks inside a block: name -> row of its table. One with its own sizes there (A=B) is a part of
    it."""
    return {r["type"]: r for r in subs(block) if "=" not in r["valid"]}


def cell_models(lib):
    """Writes the cells as Verilog, from their functions in the library: for simulation and for proofs."""
    def make(path):
        run(["yosys", "-q", "-p", f"read_liberty {lib.path}; write_verilog -noattr {path}.tmp"], path + ".log")
        os.replace(path + ".tmp", path)
    with open(cached(sha("cells", lib.text), ".v", make)) as f:
        write(CELLS if lib.path == LIB else OWN_CELLS, f.read())


# ---- Steps ---------------------------------------------------------------------------------------------------------

def plain_il(path):
    """Returns the text of an RTLIL file without source positions, and removes the file."""
    with open(path) as f:
        il = f.read()
    os.remove(path)
    il = re.sub(r"^ *attribute \\src .*\n", "", il, flags=re.M)
    return re.sub(r"^autoidx .*", "autoidx 1", re.sub(r"^#.*\n", "", il, flags=re.M), flags=re.M)


def tied_il(il, top, ties):
    """Returns the text of a module whose inputs are tied to constants, and whose outputs that nothing reads are 0. The
    ports stay."""
    tied, lost = ties
    before, il, after = re.fullmatch(rf"(.*)(^module \\{top}\n.*?^end\n)(.*)", il, re.M | re.S).groups()
    lines = []
    for name in [*tied, *lost]:
        port = rf"^  wire (?:width (\d+) )?(?:in|out)put \d+ \\{name}$"
        declared = re.search(port, il, re.M)
        if not declared:
            raise Failed(f"{top} has no port {name}")
        width, inner = int(declared[1] or 1), f"\\{name}_tied"
        il = re.sub(rf"(?<!^    connect )\\{name}(?=\s)", lambda _: inner, il, flags=re.M)  # not a port of a cell
        il = il.replace(declared[0].replace(name, name + "_tied"), f"{declared[0]}\n  wire width {width} {inner}")
        if name in lost:
            lines.append(f"  connect \\{name} {width}'{0:0{width}b}")
            continue
        parts, at = [], 0
        for bits, value in tied[name]:
            parts.append(f"\\{name} [{at + bits - 1}:{at}]" if value is None else f"{bits}'{value:0{bits}b}")
            at += bits
        lines.append(f"  connect {inner} {{ {' '.join(reversed(parts))} }}")
    return before + il.removesuffix("end\n") + "".join(line + "\n" for line in lines) + "end\n" + after


def elaborate(top, files, boxes):
    """Returns the design before mapping: {il, its key, its memories}. Its text, without source positions, is the key of
    all later steps. A latch is an error."""
    texts = [open(f).read() for f in files + boxes]
    ties = json.loads(texts[len(files) - 1]) if files[-1].endswith(TIES) else None
    files = files[:-1] if ties else files
    with open("rtl/common/hd_assert.svh") as f:
        key = sha(top, ELABORATE, f.read(), *texts, *[TIE] * bool(ties))

    def make(path):
        base = path[:-len(".json")]
        black = "\n".join(f"read_verilog -sv -lib -Irtl {f}" for f in boxes)
        write(base + ".ys", ELABORATE.format(package=files[0], boxes=black, sources=" ".join(files[1:]), top=top,
                                             base=base, path=path))
        try:
            run(["yosys", "-q", "-e", "implicitly declared|no driver|not constant", base + ".ys"], base + ".log")
        finally:
            latch = re.search(r"Latch inferred for signal `(\S+)'", open(base + ".log").read())
            if latch:
                raise Failed(f"latch in {latch.group(1)} ({base}.log)".replace("\\", ""))
        il = plain_il(path + ".tmp")
        if ties:
            write(base + ".il", tied_il(il, top, ties))
            write(base + ".ys", TIE.format(il=base + ".il", top=top, base=base, path=path))
            run(["yosys", "-q", base + ".ys"], base + ".log")
            il = plain_il(path + ".tmp")
        with open(base + ".mem") as f:
            write(path, json.dumps({"il": il, "key": sha(il), "memories": memories(json.load(f)["modules"][top])}))
        os.remove(base + ".mem")
    with open(cached(key, ".json", make)) as f:
        return json.load(f)


def number(v):
    return int(v, 2) if isinstance(v, str) else v


def memories(module):
    """Returns name -> (rows, bits of a row) of every memory."""
    out = {}
    for cell in module["cells"].values():
        if cell["type"].startswith("$mem"):
            p = cell["parameters"]
            out[p["MEMID"].lstrip("\\")] = (number(p["SIZE"]), number(p["WIDTH"]))
    return out


def recipe_text(recipe, lib):
    return {**RECIPES, **GROWTH}[recipe].format(ps=round(1000 * ABC_FO4 * lib.fo4_ns))


def constraints(lib):
    return f"set_driving_cell {lib.driver.name}\nset_load {OUT_LOAD * lib.input_pf:g} [all_outputs]\n"


def mapped(top, elaborated, recipe, lib):
    """Returns the mapped netlist of a module, as Yosys writes it in JSON."""
    steps, limits = recipe_text(recipe, lib), constraints(lib)
    mems = elaborated["memories"]
    sizes = {(ram.full(r), w) for r, w in mems.values() if ram.worth(r, w)}
    # A memory too small for a macro would otherwise be merged into those of a larger memory of the block.
    small = "\n".join('setattr -set ram_style "logic" c:' + re.sub(r"[][]", "?", n)
                      for n, (r, w) in mems.items() if not ram.worth(r, w))
    key = sha(top, elaborated["key"], MAP, small, steps, limits, lib.text, ram.libmap(sizes),
              ram.techmap(sizes))

    def make(path):
        base = path[:-len(".mapped")]
        write(base + ".il", elaborated["il"])
        write(base + ".abc", steps.replace("; ", "\n") + "\n")
        write(base + ".constr", limits)
        write(base + ".lm", ram.libmap(sizes))
        write(base + ".v", ram.techmap(sizes))
        # Without a RAM these two have no input.
        script = MAP if sizes else re.sub(r"^(memory_libmap|techmap) .*\n", "", MAP, flags=re.M)
        with here() as before:
            write(base + ".ys", script.format(il=base + ".il", top=top, small=small, base=before + base,
                                              lib=before + lib.path, path=path))
            run(["yosys", "-q", base + ".ys"], base + ".log")
        with open(base + ".left") as f:
            left = memories(json.load(f)["modules"][top])
        os.remove(base + ".left")
        for name, (r, w) in left.items():
            if ram.worth(r, w):
                raise Failed(f"memory {name} of {top} ({r} x {w}) would turn into flops: it is read without a clock "
                             "edge of its own, or has more ports than one for writing and one for reading "
                             "(RAM goes through hd_ram_1r1w)")
        os.replace(path + ".tmp", path)
    with open(cached(key, ".mapped", make)) as f:
        return json.load(f)["modules"][top]
