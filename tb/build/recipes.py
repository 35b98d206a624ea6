# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""How each variant of a block is made. A recipe names all files that it reads, with their content, and they are
written into a folder of its own: so the key, the hash of these files, of the commands, the tools and the recipe's own
text, can not miss anything."""
import contextlib
import functools
import glob
import inspect
import json
import os
import re
import shutil
from concurrent.futures import ThreadPoolExecutor

import faults
import sources
import store
import tools
from hdgen import binding, headers, params, signals, tables, vectors, wave
from tools import Failed

inspect.getsource = functools.lru_cache(None)(inspect.getsource)  # which reads and parses a whole file for a class

BIND = ["tb/engine/bind.h", "tb/engine/bind_api.h", "tb/engine/rtl_api.h"]
RAM = "rtl/common/hd_ram_1r1w.sv"
RAM_INCLUDES = ["rtl/common/hd_assert.svh"]
VERILATE = ("verilator --cc --prefix Vrtl --Mdir cpp -O3 --no-timing --x-assign unique --unroll-count 256 -fno-split "
            "-Wno-WIDTHCONCAT -Irtl")  # big has vectors with a bit for each of its 8321 AGEs
LARGE_MACHINE = 100  # SMXs; of more than that ..
KEEP_LOOPS = "--unroll-count 100"  # .. what is done for each two of them stays a loop: half the code
TRACE = "--trace-fst --trace-structs --trace-max-array 1024 --trace-max-width 4096"
LINT = "verilator --lint-only -Wall --assert --no-timing -Irtl"
COUNTING = "-fprofile-instr-generate"
TRAINING = "--cycles 5000 --seed 99"  # of the plane's profile
COMPILE = "-std=c++17 -march=native -fPIC -fvisibility=hidden -I."


class Recipe:
    """A result of one file. Subclasses fill in files {name: content}, commands and used (tools), and make
    the result in self.cwd."""
    march = ""
    result = ""  # how the name of the result ends in build/; "": it is not put there
    SOURCE = "rtl/**/hd_{block}.sv"

    def __init__(self, config, block, variant):
        self.config, self.block, self.variant = config, block, variant
        self.base, *self.sets = config.split("+")
        self.name = f"{config}/{block}/{variant}"
        self.source = next(iter(glob.glob(self.SOURCE.format(block=block), recursive=True)), "")
        self.top = os.path.basename(self.source)[:-3]
        self.files, self.used, self.commands = {}, [], []
        self.watched = {"tb/build", "rtl/hdgen", "rtl/pkg", *sources.PACKAGES.values()}  # where the files come from
        self.how = ""  # it is made, where that may differ from machine to machine
        self.cpu = 0.0  # seconds of processor that the tools took
        self.log = f"build/{self.name}.log"
        self.cwd = f"build/{self.name}.{os.getpid()}.dir"

    def add(self, *paths):
        """Files of the checkout, under their own names."""
        self.files.update((p, sources.read(p)) for p in paths)
        self.watched.update(paths)

    def add_sources(self, leave_out=()):
        """The block's sources and its part of the package; the names of the sources in the order in
        which they are read."""
        found = [p for p in sources.closure(self.source) if p not in leave_out]
        packages = sources.packages(self.base, self.sets, found)
        self.files.update(packages)
        self.add(*found)
        return [*packages] + [p for p in found if p.endswith(".sv")]

    def plant(self):
        """Puts the planted faults into the block's sources; the name of the file that is read before them. Of the
        table, only the edits of these sources reach the key."""
        self.files.update((p, faults.planted(p, text)) for p, text in self.files.items() if p.startswith("rtl/"))
        self.add(faults.PACKAGE)
        self.watched.add(faults.EDITS)
        return faults.PACKAGE

    def built(self, build, recipe):
        """The result of another recipe, of which this one is made: what makes that one stale makes this one stale."""
        path = build(recipe)
        self.watched |= recipe.watched
        return path

    @property
    def inputs(self):
        return {n: store.digest(c) for n, c in sorted(self.files.items())}

    @property
    def key(self):
        recipe = [inspect.getsource(c) for c in type(self).__mro__[:-1]]
        return store.digest(repr((recipe, self.used, self.commands, self.march, self.inputs)))

    def run(self, command, cwd=None, env=()):
        said, cpu = tools.run(command, cwd or self.cwd, self.log, self.name, env)
        self.cpu += cpu
        return said

    def made(self):
        """Path of the result, made now."""
        for name, content in self.files.items():
            path = f"{self.cwd}/{name}"
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as f:
                f.write(content)
        open(self.log, "w").close()
        return self.make()

    def clean(self):
        shutil.rmtree(self.cwd, ignore_errors=True)


class Lint(Recipe):
    """Verilator's lint of the block as top. The result is what it had to say, and that it had no complaint."""

    def prepare(self, build):
        inputs = self.add_sources()
        if self.variant == "lint-fault":
            inputs.insert(0, self.plant())
        self.add("rtl/lint.vlt")
        self.used = [tools.version("verilator", "--version")]
        self.commands = [[*LINT.split(), "rtl/lint.vlt", *inputs, "--top-module", self.top]]

    def make(self):
        store.put_text(f"{self.cwd}/said", self.run(self.commands[0]))
        return f"{self.cwd}/said"


class Yosys(Recipe):
    """A script for Yosys. What it complains of is told in its own words, which -q would leave out."""

    def prepare_script(self, script):
        self.files["script.ys"] = script
        self.used = [tools.version("yosys", "-V")]
        self.commands = [["yosys", "-q", "-e", "implicitly declared|no driver|not constant", "-l", "full.log",
                          "script.ys"]]

    def run_script(self):
        try:
            return self.run(self.commands[0])
        except Failed as e:
            if not os.path.exists(f"{self.cwd}/full.log"):  # there is no Yosys
                raise
            with open(f"{self.cwd}/full.log") as f:
                said = [line.strip() for line in f if re.search("Latch inferred|Warning|ERROR", line)]
            raise Failed("\n".join([str(e).splitlines()[0], *said[:5]]))


class Elaborate(Yosys):
    """Yosys elaborates it: no latch, no combinational loop, no undriven or doubly driven net."""
    SCRIPT = """read_verilog -sv -Irtl {inputs}
hierarchy -check -top {top}
proc
select -assert-none t:$dlatch t:$adlatch t:$sr t:$dlatchsr
opt -fast
check -assert
"""

    def prepare(self, build):
        self.prepare_script(self.SCRIPT.format(inputs=" ".join(self.add_sources()), top=self.top))

    def make(self):
        store.put_text(f"{self.cwd}/said", self.run_script())
        return f"{self.cwd}/said"


class Constants(Yosys):
    """The bits of named signals that Yosys folds to a constant, whatever the inputs do: a line NAME BITS for each
    signal that has one, the highest bit first, `-` where it is none. What is undriven is no constant."""
    result = ".txt"
    SCRIPT = """read_verilog -sv -Irtl {inputs}
hierarchy -check -top {top}
proc
flatten
opt -fine
pmuxtree
techmap t:$shl
simplemap
opt -fine -mux_bool
write_json flat.json
"""

    def prepare(self, build):
        self.prepare_script(self.SCRIPT.format(inputs=" ".join(self.add_sources()), top=self.top))

    def make(self):
        self.run_script()
        with open(f"{self.cwd}/flat.json") as f:
            (module,) = json.load(f)["modules"].values()
        lines = []
        for name, net in sorted(module["netnames"].items()):
            bits = "".join(b if b in ("0", "1") else "-" for b in reversed(net["bits"]))
            if not net["hide_name"] and bits.strip("-"):
                lines.append(f"{name} {bits}\n")
        store.put_text(f"{self.cwd}/constants", "".join(lines))
        return f"{self.cwd}/constants"


class Gates(Yosys):
    """Generic gates of a block, with the block's own module and port names. `tiny` goes to gates as a whole; elsewhere
    the RAM wrapper stays a black box. Undriven bits after memory_map are rows beyond a depth that is no power of two:
    they become x, and so random in simulation; a netlist that looks at one differs from the model. Modules are mapped
    one by one, not flattened: an SMX's block then costs once, whatever the number of SMXs. abc is left out: speed
    counts here, not size. Nets are split into bits, also at the ports of modules inside: that is what Verilator
    compiles fastest, and where one bit of a vector makes another bit of the same vector it evaluates the whole vector
    wrongly (such a vector is a loop to Verilator 5.006, and its warning an error of the netlist's build)."""
    SCRIPT = """{lib}
read_verilog -sv -Irtl {inputs}
hierarchy -check -top {top}
proc
select -assert-none t:$dlatch* t:$adlatch* t:$sr
opt -fast
check -assert
memory -nomap
opt -fast
memory_map
setundef -undriven -undef
opt -fast
techmap
opt -fast
check -assert
select -assert-none t:$_DLATCH* t:$_SR_*
select -assert-none t:$* t:$_* %d t:$paramod* %d
splitnets
splitnets -ports * {top} %d
clean
write_verilog -noattr gates.v
"""

    def prepare(self, build):
        ram = [] if self.base == "tiny" else [RAM]
        inputs = " ".join(self.add_sources(leave_out=ram))
        self.add(*ram)
        lib = f"read_verilog -sv -lib -Irtl {RAM}" if ram else ""
        self.prepare_script(self.SCRIPT.format(lib=lib, inputs=inputs, top=self.top))

    def make(self):
        self.run_script()
        return f"{self.cwd}/gates.v"


class Cells(Recipe):
    """Standard cells of a block as the area report has them, and the cells themselves as Verilog."""

    def prepare(self, build):
        self.add_sources()
        self.add(*glob.glob("synth/area/*.py"))
        self.used = [tools.version("yosys", "-V")]

    def make(self):
        out = os.path.abspath(f"{self.cwd}/cells.v")
        self.run(["python3", "synth/area", "--config", self.config, "--netlist", out, self.block], ".")
        with open(out, "a") as f:
            f.write(sources.read("build/area/cells.v"))
        return out


class Verilated(Recipe):
    """The shared object that the harness loads."""
    result = ".so"
    FLAGS = "--assert --x-initial unique --flatten"
    OPT = "-O2"
    DEFINES = ""
    PLANTED = False  # with the planted faults
    SLOW = re.compile(r"Slow|Syms|Trace|ConstPool")  # generated code that runs once, or writes waveforms
    # sim speed: clang believes Verilator's hints before the profile, and those of assertions say that they fail.
    NO_HINTS = "-D__builtin_expect(value,hint)=(value)"

    def prepare(self, build):
        inputs = [*self.add_sources(), "public.vlt"]
        if self.PLANTED:
            inputs.insert(0, self.plant())
        self.verilated(inputs)
        self.files["public.vlt"] = sources.code(signals.gen_vlt(self.block))
        self.bind(netlist=False)

    def verilated(self, inputs):
        self.wave = self.variant.endswith("-wave")
        self.march = tools.processor()
        if self.wave and self.OPT == "-O2":
            self.OPT = "-O1"  # two thirds of the time to compile, and what is looked at is seldom long
        flags = {"VM_TRACE": self.wave, "VM_TRACE_FST": self.wave, "VM_COVERAGE": self.variant.startswith("cov")}
        self.compile = [tools.compiler(), *COMPILE.split(), *(f"-D{k}={int(v)}" for k, v in flags.items()),
                        *self.DEFINES.split()]
        self.profdata = tools.profdata() if self.block == "top" and self.OPT == "-O2" else ""
        self.commands = [[*VERILATE.split(), "--top-module", self.top, *self.FLAGS.split(), *TRACE.split() * self.wave,
                          *inputs], [*self.compile, self.OPT]]
        self.used = [tools.version("verilator", "--version"), tools.version(tools.compiler(), "--version")]
        if self.profdata:
            self.used.append(COUNTING)
            self.commands.append(["build/heddle", "equiv", self.block, "--config", self.base,
                                  *(w for s in self.sets for w in ("--set", s)), *TRAINING.split()])
        self.how = f", {tools.compiler()}" + " with a profile" * bool(self.profdata)

    def bind(self, netlist):
        """The C++ between the Verilated block and the harness."""
        self.files["bind.cpp"] = sources.code(binding.gen_bind(self.base, self.sets, self.block, netlist))
        if self.wave:
            self.files["lockstep.sv"] = sources.code(wave.gen_wave_sv(self.base, self.sets, self.block))
            for module in "position", "model":
                self.commands.append([*VERILATE.replace("Vrtl", f"V{module}").split(), "--top-module", module,
                                      *TRACE.split(), "lockstep.sv"])
        self.files.update((os.path.basename(p), sources.read(p)) for p in BIND)
        self.watched.update([*BIND, *glob.glob("rtl/**/*.csv", recursive=True)])
        self.files["hd_types.h"] = sources.code(headers.gen_types_h())
        blocks = [self.block]
        for b in blocks:
            self.files[f"hd_{b}_ports.h"] = sources.code(headers.gen_ports_h(b))
            blocks += [r["type"] for r in tables.subs(b) if r["type"] not in blocks]

    def make(self):
        """Verilator, then compilers side by side: one for all that runs once, not optimized, one for the rest. The
        plane is compiled with a profile: what the code did in a short random lockstep run, where it counts how often
        each branch is taken, tells the compiler how to lay it out. The code that counts is not optimized, which costs
        a tenth of the time to compile. The profile changes the speed alone, so the harness that makes it is not among
        the inputs."""
        self.generate()
        fast = "fast.cpp"  # what runs in every cycle
        if not self.profdata:
            return self.linked(self.compiled([*self.units, (fast, [self.OPT])]), "result.so")
        *rest, counts = self.compiled([*self.units, (fast, ["-O0", COUNTING])])
        return self.linked([*rest, *self.compiled([(fast, [self.OPT, *self.profile([*rest, counts])])])], "result.so")

    def generate(self):
        """The C++ of the block; self.units are its files with their flags, but for fast.cpp."""
        for command in [c for c in self.commands if c[0] == "verilator"]:
            self.run(command)
        self.compare_inputs()
        self.cpp = f"{self.cwd}/cpp"
        for name in self.files:
            if name.endswith((".h", ".cpp")):
                os.replace(f"{self.cwd}/{name}", f"{self.cpp}/{name}")
        made = sorted(f for f in os.listdir(self.cpp) if re.match(r"V.*(?<!__ALL)\.cpp$", f))
        rtl = [f for f in made if f.startswith("Vrtl")]
        # As one: each file would read megabytes of header anew, and what sees all of it makes faster code.
        self.together("fast.cpp", [f for f in rtl if not self.SLOW.search(f)])
        self.together("slow.cpp", [f for f in rtl if self.SLOW.search(f)])
        added = ["position", "model"] * self.wave
        for module in added:
            self.together(f"{module}.cpp", [f for f in made if f.startswith(f"V{module}")])
        runtime = ["verilated", "verilated_dpi", "verilated_threads"] + ["verilated_fst_c"] * self.wave
        runtime += ["verilated_cov"] * self.variant.startswith("cov")
        root = tools.version("verilator", "--getenv", "VERILATOR_ROOT") + "/include"
        self.units = [("slow.cpp", ["-O0"]), ("bind.cpp", [self.OPT])]
        self.units += [(f"{module}.cpp", ["-O0"]) for module in added]
        self.units += [(f"{root}/{f}.cpp", ["-O2"]) for f in runtime]
        self.compile += ["-isystem", root, "-isystem", f"{root}/vltstd"]
        self.libraries = ["-llz4"] * os.path.isdir(f"{root}/fstcpp")  # Verilator's newer writer of waveforms

    def compiled(self, units):
        """The objects of files with their flags."""
        def compile_unit(unit):
            file, flags = unit
            warnings = ["-Wall", "-Wextra", "-Wno-unused-parameter"] * (file == "bind.cpp")
            to = os.path.basename(file)[:-4] + ".o"
            self.run([*tools.ccache(), *self.compile, *warnings, *flags, "-c", file, "-o", to], self.cpp)
            return to
        with ThreadPoolExecutor(len(units)) as pool:
            return list(pool.map(compile_unit, units))

    def linked(self, objects, to, *more):
        """The shared object."""
        self.run([tools.compiler(), "-shared", "-Wl,-Bsymbolic", "-o", to, *objects, *more, "-lz",
                  *self.libraries, "-lpthread", "-latomic"], self.cpp)
        return f"{self.cpp}/{to}"

    def profile(self, objects):
        """The flags that name the profile, made now with these objects."""
        if not os.path.exists("build/heddle"):
            raise Failed(f"{self.name}: build/heddle, which makes its profile, is missing (make all)")
        place = f"{self.cpp}/{self.config}/{self.block}"
        os.makedirs(place)
        os.replace(self.linked(objects, "counts.so", COUNTING), f"{place}/rtl.so")
        env = {"HEDDLE_BUILD": os.path.abspath(self.cpp), "LLVM_PROFILE_FILE": os.path.abspath(f"{self.cpp}/raw")}
        with contextlib.suppress(Failed):  # RTL that differs from the model makes a profile too
            self.run(self.commands[-1], ".", env)
        if not os.path.exists(f"{self.cpp}/raw"):
            raise Failed(f"{self.name}: the run that makes its profile broke off ({self.log}); is build/heddle that "
                         "of these sources (make all)?")
        self.run([self.profdata, "merge", "-o", "profile", "raw"], self.cpp)
        return ["-fprofile-instr-use=profile", "-Wno-profile-instr-unprofiled", "-Wno-profile-instr-out-of-date",
                self.NO_HINTS]

    def together(self, name, parts):
        """One file of several."""
        with open(f"{self.cpp}/{name}", "w") as to:
            to.writelines(f'#include "{part}"\n' for part in parts)

    def compare_inputs(self):
        """What Verilator says that it has read must be what the key was made of."""
        with open(f"{self.cwd}/cpp/Vrtl__ver.d") as f:
            read = f.read().split(" : ", 1)[1].split()
        for path in read:
            if path not in self.files and not os.path.isabs(path):
                raise Failed(f"{self.name}: Verilator has read {path}, which is not among its inputs")


class Fast(Verilated):
    FLAGS = "--x-initial unique --flatten"


class Fault(Verilated):
    """Runs of some thousand cycles: -O1 compiles the plane in three quarters of the time."""
    OPT = "-O1"
    DEFINES = "-DHD_FAULT_BUILD"
    PLANTED = True


class Coverage(Verilated):
    """Flops start at 0, so that leaving a random value for reset is no toggle. Large code: -O1 compiles
    it several times faster."""
    FLAGS = "--assert --x-initial 0 --coverage-line --coverage-toggle --coverage-user"
    OPT = "-O1"


class Bench(Verilated):
    """A bench of small parts with a C++ of its own: verif/BLOCK/hd_BLOCK_tb.sv, BLOCK_tb.cpp and .h."""
    SOURCE = "verif/{block}/hd_{block}_tb.sv"

    def prepare(self, build):
        self.verilated(["rtl/lint.vlt", *self.add_sources()])
        self.add("rtl/lint.vlt")
        stem = f"verif/{self.block}/{self.block}_tb"
        self.files.update({"bind.cpp": sources.read(stem + ".cpp"), f"{self.block}_tb.h": sources.read(stem + ".h")})
        self.watched.update([stem + ".cpp", stem + ".h"])


class Netlist(Verilated):
    """Outside `tiny` not optimized: an eighth of the time to compile, and runs of some ten thousand cycles take eight
    times as long, which is still less."""
    FLAGS = "-Wno-lint -Wno-style --x-initial unique --flatten"

    def prepare(self, build):
        ram = [] if self.base == "tiny" else [RAM]
        if ram:
            self.add(RAM, *RAM_INCLUDES)
        self.add_gates(self.built(build, Gates(self.config, self.block, "gates")), ram)

    def add_gates(self, path, more):
        self.files["gates.v"] = sources.read(path)
        self.OPT = "-O1" if self.base == "tiny" else "-O0"
        self.verilated(["gates.v", *more])
        self.bind(netlist=True)


class Mapped(Netlist):
    def prepare(self, build):
        self.add_gates(self.built(build, Cells(self.config, self.block, "cells")), [])


class Icarus(Recipe):
    """The netlist of a block in tiny, with its RAMs, and the testbench that plays recorded vectors to
    it, for Icarus Verilog."""
    result = ".vvp"

    def prepare(self, build):
        if self.base != "tiny":
            raise Failed(f"{self.name}: only in tiny do RAMs become gates too")
        self.files["gates.v"] = sources.read(self.built(build, Gates(self.config, self.block, "gates")))
        self.files["vectors_tb.v"] = sources.code(vectors.gen_vectors_tb(self.base, self.sets, self.block))
        self.watched.update(glob.glob("rtl/**/*.csv", recursive=True))
        self.used = [tools.version("iverilog", "-V")]
        self.commands = [["iverilog", "-g2005", "-o", "result.vvp", "vectors_tb.v", "gates.v"]]

    def make(self):
        self.run(self.commands[0])
        return f"{self.cwd}/result.vvp"


VERILATED = {
    "rtl": (Verilated, "the RTL as it is, with assertions"),
    "fast": (Fast, "the RTL without assertions, for long runs"),
    "fault": (Fault, "the RTL with the planted faults of verif/faults.csv, none of them switched on"),
    "cov": (Coverage, "the RTL, counting line and toggle coverage"),
    "netlist": (Netlist, "generic gates, as Yosys makes them"),
    "mapped": (Mapped, "standard cells, as the area report has them (blocks without RAM)"),
}
VARIANTS = {
    **VERILATED,
    **{f"{v}-wave": (recipe, f"{v} with waveforms") for v, (recipe, _) in VERILATED.items()},
    "lint": (Lint, "Verilator's lint of the block as top"),
    "lint-fault": (Lint, "the same with the planted faults"),
    "icarus": (Icarus, "the netlist in Icarus Verilog, to play what heddle equiv --vectors wrote (tiny)"),
    "bench": (Bench, "the bench of the parts in verif/BLOCK"),
    "consts": (Constants, "the bits that Yosys folds to a constant, as text"),
    "check": (Elaborate, "Yosys elaborates it: no latch, no loop, no undriven or doubly driven net"),
}


def recipe(target):
    """The recipe of a target CONFIG/BLOCK/VARIANT."""
    words = target.split("/")
    if len(words) != 3:
        raise Failed(f"{target}: not CONFIG/BLOCK/VARIANT")
    config, block, variant = words
    if variant not in VARIANTS:
        raise Failed(f"{target}: no variant '{variant}'; there are: {', '.join(VARIANTS)}")
    made = VARIANTS[variant][0](config, block, variant)
    if not made.source:
        raise Failed(f"{target}: no block '{block}'; there are: {', '.join(tables.BLOCKS)}")
    if isinstance(made, Verilated) and params.of(made.base, made.sets)["NumSmx"] > LARGE_MACHINE:
        made.FLAGS += f" {KEEP_LOOPS}"
        made.OPT = "-O1"  # a third of the time to compile; runs take three times as long
    return made
