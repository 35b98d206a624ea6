# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""How each variant of a block is built. A recipe lists all files that it reads, with their content, and runs in a
folder that holds only these. Its key is the hash of these files, the commands, the tools and the recipe's own text, so
it covers every input."""
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

inspect.getsource = functools.lru_cache(None)(inspect.getsource)  # uncached, it reads and parses a whole file per class

BIND = ["tb/engine/bind.h", "tb/engine/bind_api.h", "tb/engine/rtl_api.h"]
RAM = "rtl/common/hd_ram_1r1w.sv"
RAM_INCLUDES = ["rtl/common/hd_assert.svh"]
VERILATE = ("verilator --cc --prefix Vrtl --Mdir cpp -O3 --no-timing --x-assign unique --unroll-count 256 -fno-split "
            "-Wno-WIDTHCONCAT -Irtl")  # big has vectors with one bit for each of its 8321 AGEs
LARGE_MACHINE = 100  # SMXs; above this, KEEP_LOOPS applies
KEEP_LOOPS = "--unroll-count 100"  # keeps logic for each pair of SMXs as a loop: half the code
TRACE = "--trace-fst --trace-structs --trace-max-array 1024 --trace-max-width 4096"
LINT = "verilator --lint-only -Wall --assert --no-timing -Irtl"
COUNTING = "-fprofile-instr-generate"
TRAINING = "--cycles 5000 --seed 99"  # run that makes the plane's profile
COMPILE = "-std=c++17 -march=native -fPIC -fvisibility=hidden -I."


class Recipe:
    """Builds one result file. Subclasses fill in files {name: content}, commands and used (tools), and build the result
    in self.cwd."""
    march = ""
    result = ""  # file name extension of the result in build/; "": it is not stored there
    SOURCE = "rtl/**/hd_{block}.sv"

    def __init__(self, config, block, variant):
        self.config, self.block, self.variant = config, block, variant
        self.base, *self.sets = config.split("+")
        self.name = f"{config}/{block}/{variant}"
        self.source = next(iter(glob.glob(self.SOURCE.format(block=block), recursive=True)), "")
        self.top = os.path.basename(self.source)[:-3]
        self.files, self.used, self.commands = {}, [], []
        self.watched = {"tb/build", "rtl/hdgen", "rtl/pkg", *sources.PACKAGES.values()}  # sources of the files
        self.how = ""  # how it is built, if that depends on the machine
        self.cpu = 0.0  # processor time of the tools, in seconds
        self.log = f"build/{self.name}.log"
        self.cwd = f"build/{self.name}.{os.getpid()}.dir"

    def add(self, *paths):
        """Adds files of the checkout, under their own names."""
        self.files.update((p, sources.read(p)) for p in paths)
        self.watched.update(paths)

    def add_sources(self, leave_out=()):
        """Adds the block's sources and its part of the packages. Returns the names of the sources in reading order."""
        found = [p for p in sources.closure(self.source) if p not in leave_out]
        packages = sources.packages(self.base, self.sets, found)
        self.files.update(packages)
        self.add(*found)
        return [*packages] + [p for p in found if p.endswith(".sv")]

    def plant(self):
        """Inserts the planted faults into the block's sources. Returns the name of the file to be read before them.
        Only the edits of these sources are part of the key."""
        self.files.update((p, faults.planted(p, text)) for p, text in self.files.items() if p.startswith("rtl/"))
        self.add(faults.PACKAGE)
        self.watched.add(faults.EDITS)
        return faults.PACKAGE

    def built(self, build, recipe):
        """Returns the result of another recipe as an input: whatever makes that one stale makes this one stale."""
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
        output, cpu = tools.run(command, cwd or self.cwd, self.log, self.name, env)
        self.cpu += cpu
        return output

    def made(self):
        """Builds the result and returns its path."""
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
    """Verilator's lint of the block as top. The result is its output; it exists only if there was no warning."""

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
    """A script for Yosys. A failure quotes the messages of Yosys, which -q would omit."""

    def prepare_script(self, script):
        self.files["script.ys"] = script
        self.used = [tools.version("yosys", "-V")]
        self.commands = [["yosys", "-q", "-e", "implicitly declared|no driver|not constant", "-l", "full.log",
                          "script.ys"]]

    def run_script(self):
        try:
            return self.run(self.commands[0])
        except Failed as e:
            if not os.path.exists(f"{self.cwd}/full.log"):  # Yosys is missing
                raise
            with open(f"{self.cwd}/full.log") as f:
                output = [line.strip() for line in f if re.search("Latch inferred|Warning|ERROR", line)]
            raise Failed("\n".join([str(e).splitlines()[0], *output[:5]]))


class Elaborate(Yosys):
    """Elaborates the block in Yosys; fails on a latch, a combinational loop, or an undriven or multiply driven net."""
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
    """Bits of named signals that Yosys folds to a constant for all inputs: one line NAME BITS per signal with such a
    bit, highest bit first, `-` for other bits. An undriven bit is no constant."""
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


# Blocks whose netlist computes a bit of an output from another bit of that output.
OUTPUTS_READ = ("memarb", "pool", "dats")


PAD = "module pad(input A, output Y);\n  assign Y = A;\nendmodule\n"


def pads(block, top):
    """Returns commands of Yosys after which a netlist drives its outputs through cells `pad` and does not read them: a
    port of the top stays a vector, and Verilator would take one that is read for a loop."""
    if block not in OUTPUTS_READ:
        return ""
    return f"iopadmap -bits -outpad pad A:Y {top}\nsplitnets {top}\n"


class Gates(Yosys):
    """Generic gates of a block, with the block's own module and port names.
    - In `tiny` the RAMs become gates too; in other configurations the RAM wrapper stays a black box.
    - Bits undriven after memory_map are rows beyond a depth that is no power of two: they become x, which is random in
      simulation, so a netlist that reads one differs from the model.
    - Build speed: modules are mapped one by one, not flattened, so that an SMX's block costs once for any number of
      SMXs. abc is omitted, since size does not matter here.
    - Nets are split into bits, also at the ports of inner modules: Verilator compiles that fastest. Without it, a
      vector in which one bit depends on another is a loop to Verilator 5.006 and evaluated wrongly (its warning is an
      error of the netlist's build)."""
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
{pads}write_verilog -noattr gates.v
"""

    def prepare(self, build):
        ram = [] if self.base == "tiny" else [RAM]
        inputs = " ".join(self.add_sources(leave_out=ram))
        self.add(*ram)
        lib = f"read_verilog -sv -lib -Irtl {RAM}" if ram else ""
        self.prepare_script(self.SCRIPT.format(lib=lib, inputs=inputs, top=self.top, pads=pads(self.block, self.top)))

    def make(self):
        self.run_script()
        with open(f"{self.cwd}/gates.v", "a") as f:
            f.write(PAD * (self.block in OUTPUTS_READ))
        return f"{self.cwd}/gates.v"


class Mutants(Yosys):
    """A flat netlist of a block with mutants that Yosys' `mutate` chooses: a bit of a cell's port inverted, set to 0 or
    set to 1. hd_fault_pkg::sel selects one of them; 0 selects the block itself. Cells stay as wide as in the RTL:
    Verilator runs that fastest, and a mutant names its line. The list of the mutants is at the top of the netlist, as
    comments. The other modes of `mutate` make a bit depend on another bit of its vector: a loop, for Verilator. A row
    that is read while it is written gives its old value, so that netlist and block agree even then."""
    result = ".sv"
    MODES, EACH = ("inv", "const0", "const1"), 134
    RAM = "rtl/common/hd_ram_1r1w.sv"
    SCRIPT = """read_verilog -sv -Irtl {inputs}
hierarchy -check -top {top}
proc
flatten
opt -fast
memory -nomap
opt -fast
memory_map
setundef -undriven -undef
opt -fast
{mutate}
opt -fast
check -assert
splitnets -driver
clean
write_verilog -noattr netlist.v
"""

    @classmethod
    def defined(cls, files):
        """The wrapper of RAMs without the attribute that lets Yosys choose what such a read gives."""
        if cls.RAM in files:
            files[cls.RAM] = files[cls.RAM].replace("(* no_rw_check *) ", "")

    def prepare(self, build):
        inputs = " ".join(self.add_sources())
        self.defined(self.files)
        mutate = [f"mutate -list {self.EACH} -seed 1 -mode {mode} -ctrl hd_mutant 16 {1 + k * self.EACH} -o {mode}.ys"
                  for k, mode in enumerate(self.MODES)] + [f"script {mode}.ys" for mode in self.MODES]
        self.prepare_script(self.SCRIPT.format(inputs=inputs, top=self.top, mutate="\n".join(mutate)))

    def make(self):
        self.run_script()
        with open(f"{self.cwd}/netlist.v") as f:
            text = f.read()
        mutants = ""
        for mode in self.MODES:
            with open(f"{self.cwd}/{mode}.ys") as f:
                mutants += "".join(f"// {line}" for line in f)
        selected = text.replace("  input [15:0] hd_mutant;\n  wire [15:0] hd_mutant;",
                                f"  wire [15:0] hd_mutant = 16'({faults.SELECTOR});")
        selected = re.sub(r",\s*hd_mutant\b|\bhd_mutant,", "", selected, count=1)  # the port
        store.put_text(f"{self.cwd}/mutants.sv", mutants + selected)
        return f"{self.cwd}/mutants.sv"


class Miter(Yosys):
    """The block beside its netlist with mutants, as an AIGER file with one output: 1 if an output of the two differs.
    The block's inputs keep its contract (its assertions of the kind `integration`, properties too, are assumed). The
    first 16 inputs select the mutant. Flops that reset does not set are 0 at first. The map of the inputs follows as a
    comment."""
    result = ".aag"
    # Yosys 0.23 does not read the checks of these: functions in them, names of signals in other modules.
    UNCHECKED = ("rtl/common/hd_axi4_rules.sv", "rtl/dispatch/sched/hd_sched_smxs.sv")
    PROPERTY = re.compile(r'`HD_ASSERT_PROP_IN\((\w+),\s*(.*?)(\|->|\|=>)(.*?),\s*"[^"]*"\)', re.S)
    CONTRACT = """`define HD_ASSERT_ON
`define HD_ASSERT_PARAM(label, cond, text)
`define HD_ASSERT(label, cond, text) ;
`define HD_ASSERT_IN(label, cond, text) assume (cond);
`define HD_ASSERT_PROP(label, prop, text)
`define HD_ASSERT_PROP_IN(label, prop, text)
`define HD_COVER(label, prop)
"""
    SCRIPT = """read_verilog -sv -formal -DSYNTHESIS -Irtl {inputs}
hierarchy -check -top {top}
proc
flatten
opt -fast
rename {top} block
design -stash block
read_verilog -sv mutants.sv
proc
opt -fast
rename {top} mutant
design -import block -as block
read_verilog -sv miter.sv
hierarchy -check -top miter
proc
flatten
async2sync
dffunmap
memory -nomap
memory_map
setundef -zero -undriven -init
opt -fast
techmap
opt -fast
dffunmap
abc -g AND -fast
opt_clean
write_aiger -ascii -zinit -map miter.map miter.aag
"""

    def prepare(self, build):
        inputs = " ".join(self.add_sources())
        self.files.update((p, self.PROPERTY.sub(self.assumed, text)) for p, text in self.files.items()
                          if p.startswith("rtl/"))
        for path in self.files.keys() & set(self.UNCHECKED):
            self.files[path] = self.files[path].replace("`ifdef HD_ASSERT_ON", "`ifdef HD_NEVER")
        self.files["rtl/common/hd_assert.svh"] = self.CONTRACT
        Mutants.defined(self.files)
        netlist = sources.read(self.built(build, Mutants(self.config, self.block, "mutants")))
        self.files["mutants.sv"] = netlist.replace(f"  wire [15:0] hd_mutant = 16'({faults.SELECTOR});",
                                                   "  input [15:0] hd_mutant; wire [15:0] hd_mutant;").replace(
            f"module {self.top}(", f"module {self.top}(hd_mutant, ", 1)
        self.files["miter.sv"] = self.miter(re.findall(r"^  (input|output) (\[\d+:0\] )?(\w+);", netlist, re.M))
        self.prepare_script(self.SCRIPT.format(inputs=inputs, top=self.top))

    @staticmethod
    def assumed(found):
        """A property as a statement, which Yosys reads: `a |-> b`, or `a |=> b` about the cycle before."""
        _, before, kind, after = found.groups()
        if kind == "|->":
            return f"always @(posedge clk_i) if (rst_ni) assume (!({before}) || ({after}));"
        return ("always @(posedge clk_i) if (rst_ni && $past(rst_ni)) "
                f"assume (!$past({before}) || ({after}));")

    @staticmethod
    def miter(ports):
        """In its first cycle the block is in reset, so that its flops get their values. Outputs are compared outside of
        reset, where the contract holds. A difference shows one cycle later, because Yosys assumes the contract of a
        cycle one cycle later, too."""
        ins, outs = ([p[1:] for p in ports if p[0] == way] for way in ("input", "output"))
        listed = ", ".join(f".{name}({'reset_n' if name == 'rst_ni' else name})" for _, name in ins)
        text = ["module miter(input [15:0] hd_mutant, " + ", ".join(f"input {w}{name}" for w, name in ins)
                + ", output reg differs);", "  reg started = 0;", "  always @(posedge clk_i) started <= 1;",
                "  wire reset_n = started & rst_ni;"]
        for side, more in (("block", ""), ("mutant", ".hd_mutant(hd_mutant), ")):
            text += [f"  wire {w}{side}_{name};" for w, name in outs]
            text.append(f"  {side} u_{side}({more}{listed}, "
                        + ", ".join(f".{name}({side}_{name})" for _, name in outs) + ");")
        text.append("  always @(posedge clk_i) differs <= reset_n & (" + " | ".join(
            f"(block_{n} != mutant_{n})" for _, n in outs) + ");")
        return "\n".join([*text, "endmodule"]) + "\n"

    def make(self):
        self.run_script()
        with open(f"{self.cwd}/miter.aag") as f, open(f"{self.cwd}/miter.map") as m:
            store.put_text(f"{self.cwd}/result.aag", f.read().rstrip("\n") + "\n" + m.read())
        return f"{self.cwd}/result.aag"


class Cells(Recipe):
    """Standard cells of a block as in the area report, and Verilog models of the cells."""

    def prepare(self, build):
        self.add_sources()
        self.add(*glob.glob("synth/area/*.py"))
        self.used = [tools.version("yosys", "-V")]

    def make(self):
        out = f"{self.cwd}/cells.v"
        self.run(["python3", "synth/area", "--config", self.config, "--netlist", out, self.block], ".")
        if self.block in OUTPUTS_READ:
            self.run(["yosys", "-q", "-p", f"read_verilog -lib build/area/cells.v; read_verilog {out}; "
                      + pads(self.block, self.top).replace("\n", "; ") + f"write_verilog -noattr {out}"], ".")
        with open(out, "a") as f:
            f.write(PAD * (self.block in OUTPUTS_READ) + sources.read("build/area/cells.v"))
        return out


class Verilated(Recipe):
    """The shared object that the harness loads."""
    result = ".so"
    FLAGS = "--assert --x-initial unique --flatten"
    OPT = "-O2"
    DEFINES = ""
    PLANTED = False  # contains the planted faults
    SLOW = re.compile(r"Slow|Syms|Trace|ConstPool")  # generated code that runs once or writes waveforms
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
            self.OPT = "-O1"  # compiles in two thirds of the time; runs with waveforms are short
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
        """Adds the C++ between the Verilated block and the harness."""
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
        """Runs Verilator, then two compilers in parallel: unoptimized for code that runs once, optimized for the rest.
        sim speed: the plane is compiled with a profile of branch counts from a short random lockstep run. The counting
        code is not optimized, which takes a tenth of the time to compile. The profile affects only speed, so the
        harness that makes it is not an input of the key."""
        self.generate()
        fast = "fast.cpp"  # code that runs in every cycle
        if not self.profdata:
            return self.linked(self.compiled([*self.units, (fast, [self.OPT])]), "result.so")
        *rest, counts = self.compiled([*self.units, (fast, ["-O0", COUNTING])])
        return self.linked([*rest, *self.compiled([(fast, [self.OPT, *self.profile([*rest, counts])])])], "result.so")

    def generate(self):
        """Generates the C++ of the block. Sets self.units to its files with their flags, except fast.cpp."""
        for command in [c for c in self.commands if c[0] == "verilator"]:
            self.run(command)
        self.compare_inputs()
        self.cpp = f"{self.cwd}/cpp"
        for name in self.files:
            if name.endswith((".h", ".cpp")):
                os.replace(f"{self.cwd}/{name}", f"{self.cpp}/{name}")
        made = sorted(f for f in os.listdir(self.cpp) if re.match(r"V.*(?<!__ALL)\.cpp$", f))
        rtl = [f for f in made if f.startswith("Vrtl")]
        # As one file: separate ones would each parse megabytes of headers, and one unit gives faster code.
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
        """Compiles (file, flags) pairs and returns the objects."""
        def compile_unit(unit):
            file, flags = unit
            warnings = ["-Wall", "-Wextra", "-Wno-unused-parameter"] * (file == "bind.cpp")
            to = os.path.basename(file)[:-4] + ".o"
            self.run([*tools.ccache(), *self.compile, *warnings, *flags, "-c", file, "-o", to], self.cpp)
            return to
        with ThreadPoolExecutor(len(units)) as pool:
            return list(pool.map(compile_unit, units))

    def linked(self, objects, to, *more):
        """Links the shared object and returns its path."""
        self.run([tools.compiler(), "-shared", "-Wl,-Bsymbolic", "-o", to, *objects, *more, "-lz",
                  *self.libraries, "-lpthread", "-latomic"], self.cpp)
        return f"{self.cpp}/{to}"

    def profile(self, objects):
        """Makes the profile with these objects and returns the flags that select it."""
        if not os.path.exists("build/heddle"):
            raise Failed(f"{self.name}: build/heddle, which makes its profile, is missing (make all)")
        place = f"{self.cpp}/{self.config}/{self.block}"
        os.makedirs(place)
        os.replace(self.linked(objects, "counts.so", COUNTING), f"{place}/rtl.so")
        env = {"HEDDLE_BUILD": os.path.abspath(self.cpp), "LLVM_PROFILE_FILE": os.path.abspath(f"{self.cpp}/raw")}
        with contextlib.suppress(Failed):  # RTL that differs from the model also gives a profile
            self.run(self.commands[-1], ".", env)
        if not os.path.exists(f"{self.cpp}/raw"):
            raise Failed(f"{self.name}: the run that makes its profile broke off ({self.log}); is build/heddle that "
                         "of these sources (make all)?")
        self.run([self.profdata, "merge", "-o", "profile", "raw"], self.cpp)
        return ["-fprofile-instr-use=profile", "-Wno-profile-instr-unprofiled", "-Wno-profile-instr-out-of-date",
                self.NO_HINTS]

    def together(self, name, parts):
        """Writes one file that includes several."""
        with open(f"{self.cpp}/{name}", "w") as to:
            to.writelines(f'#include "{part}"\n' for part in parts)

    def compare_inputs(self):
        """Fails if Verilator has read a file that is not part of the key."""
        with open(f"{self.cwd}/cpp/Vrtl__ver.d") as f:
            read = f.read().split(" : ", 1)[1].split()
        for path in read:
            if path not in self.files and not os.path.isabs(path):
                raise Failed(f"{self.name}: Verilator has read {path}, which is not among its inputs")


class Fast(Verilated):
    FLAGS = "--x-initial unique --flatten"


class Fault(Verilated):
    """For runs of a few thousand cycles: -O1 compiles the plane in three quarters of the time."""
    OPT = "-O1"
    DEFINES = "-DHD_FAULT_BUILD"
    PLANTED = True


class Coverage(Verilated):
    """Flops start at 0, so that the change from a random value at reset is no toggle. The code is large: -O1 compiles
    it several times faster."""
    FLAGS = "--assert --x-initial 0 --coverage-line --coverage-toggle --coverage-user"
    OPT = "-O1"


class Bench(Verilated):
    """A testbench of small modules with its own C++: verif/BLOCK/hd_BLOCK_tb.sv, BLOCK_tb.cpp and .h."""
    SOURCE = "verif/{block}/hd_{block}_tb.sv"

    def prepare(self, build):
        self.verilated(["rtl/lint.vlt", *self.add_sources()])
        self.add("rtl/lint.vlt")
        stem = f"verif/{self.block}/{self.block}_tb"
        self.files.update({"bind.cpp": sources.read(stem + ".cpp"), f"{self.block}_tb.h": sources.read(stem + ".h")})
        self.watched.update([stem + ".cpp", stem + ".h"])


class Demo(Fault):
    """The demonstrator on an FPGA board, hd_demo_BLOCK, behind its pins (verif/fpga/demo_tb.h), with the planted faults
    of the plane, all switched off."""
    SOURCE = "synth/fpga/demo/hd_demo_{block}.sv"
    WAIVERS = ["rtl/lint.vlt", "synth/fpga/demo/lint.vlt"]

    def prepare(self, build):
        inputs = self.add_sources()
        self.verilated([*self.WAIVERS, self.plant(), *inputs])
        self.add(*self.WAIVERS)
        stem = "verif/fpga/demo_tb"
        self.files.update({"bind.cpp": sources.read(stem + ".cpp"), "demo_tb.h": sources.read(stem + ".h")})
        self.watched.update([stem + ".cpp", stem + ".h"])


class Netlist(Verilated):
    """Unoptimized except in `tiny`: compiles in an eighth of the time. Runs of some ten thousand cycles take eight
    times as long, which is still less in total."""
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


class Mutant(Netlist):
    """The netlist with mutants. Runs are short, and there are many of them. Yosys assigns an output in parts, one of
    which reads another: Verilator sees a loop there."""
    FLAGS = Netlist.FLAGS + " -Wno-UNOPTFLAT"
    DEFINES = "-DHD_FAULT_BUILD"

    def prepare(self, build):
        self.files["mutants.sv"] = sources.read(self.built(build, Mutants(self.config, self.block, "mutants")))
        self.add(faults.PACKAGE)
        self.verilated([faults.PACKAGE, "mutants.sv"])
        self.bind(netlist=True)


class Icarus(Recipe):
    """For Icarus Verilog: the netlist of a block in tiny, including its RAMs, and the testbench that applies recorded
    vectors."""
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
    "rtl": (Verilated, "the RTL, with assertions"),
    "fast": (Fast, "the RTL without assertions, for long runs"),
    "fault": (Fault, "the RTL with the planted faults of verif/faults.csv, all switched off"),
    "cov": (Coverage, "the RTL with counters of line and toggle coverage"),
    "netlist": (Netlist, "generic gates, by Yosys"),
    "mutant": (Mutant, "the netlist with mutants, all switched off"),
    "mapped": (Mapped, "standard cells, as in the area report (blocks without RAM)"),
}
VARIANTS = {
    **VERILATED,
    **{f"{v}-wave": (recipe, f"{v} with waveforms") for v, (recipe, _) in VERILATED.items()},
    "lint": (Lint, "Verilator's lint, with the block as top"),
    "lint-fault": (Lint, "the same with the planted faults"),
    "icarus": (Icarus, "the netlist in Icarus Verilog, to replay the vectors of heddle equiv --vectors (tiny)"),
    "bench": (Bench, "the bench of the parts in verif/BLOCK"),
    "demo": (Demo, "the demonstrator on the board BLOCK (ulx3s), behind its pins"),
    "mutants": (Mutants, "the netlist with mutants and their list, as text"),
    "miter": (Miter, "the block and its netlist with mutants, for a proof that a mutant changes nothing (AIGER)"),
    "consts": (Constants, "the bits that Yosys folds to a constant, as text"),
    "check": (Elaborate, "elaboration in Yosys: fails on a latch, a loop, an undriven net or a net with two drivers"),
}


def recipe(target):
    """Returns the recipe of a target CONFIG/BLOCK/VARIANT."""
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
        made.OPT = "-O1"  # compiles in a third of the time; runs take three times as long
    return made
