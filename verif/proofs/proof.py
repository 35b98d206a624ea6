# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The proof of a block: netlist, harness, and the three questions to CBMC. Netlists and answers are in the store, under
the hash of all that they depend on."""
import argparse
import glob
import json
import os
import re
import tempfile
import threading
import time

import checker
import flow
import harness
import store
import tools
from flat import Flat
from gates import Gates
from hdgen import headers, params
from hdgen.tables import subs

HERE = os.path.dirname(os.path.relpath(__file__))
BLOCKS, FILE = f"{HERE}/blocks", "_proof.h"
WORK, LOGS = "build/proofs/work", "build/proofs/log"
FORMAT = "proof 1"  # of the stored answers
OPTIONS = ["--no-standard-checks", "--unwinding-assertions", "--unwindset", "get.0:65",
           "--max-field-sensitivity-array-size", "4096", "--stop-on-fail"]
LIMITED = 'ulimit -t {seconds}; ulimit -v {memory}; "$@"; echo "exit code $?"'
LENGTH = """#include "{header}"
#include "common/hd_cfg.h"
#include <stdio.h>
{config}
int main(void) {{
  printf("%zu", (hd_{block}_size(&cfg) - offsetof({state}, {array})) / sizeof(({state} *)0)->{array}[0]);
  return 0;
}}
"""
FITS = threading.Lock()  # of params.FITTED
QUESTIONS = {"base": ["-DBASE"], "step": [], "reach": ["-DREACH"]}
BOUNDED = {"bounded": ["-DBASE"]}
# The parts of a counterexample in the output of CBMC.
VIOLATED, SHOWN = re.compile(r"Violated property:\n.*\n +(.*)\n"), re.compile(r"^ *OUTPUT (.*?) \(", re.M)


class Open(Exception):
    def __init__(self, found):
        super().__init__()
        self.found = found


def provable():
    """Returns the blocks that have an invariant and a contract, in the order of their names."""
    return sorted(os.path.basename(p).removesuffix(FILE) for p in glob.glob(f"{BLOCKS}/*{FILE}"))


def inner(block):
    return [block, *(b for r in subs(block) for b in inner(r["type"]))]


def answered():
    """Returns the blocks whose questions all have an answer, as their files say."""
    return [b for b in provable() if not hand_written(b)[1]["open"]]


def name_of(block, o):
    return "+".join([o.config, *o.sets]) + f"/{block}" + f" fault {o.fault}" * bool(o.fault)


def log_of(name, what):
    os.makedirs(LOGS, exist_ok=True)
    return f"{LOGS}/{name.replace('/', '-').replace(' ', '-')}-{what}.log"


def hand_written(block):
    """Returns the text of a block's file, "" if it has none, and the settings in it."""
    path = f"{BLOCKS}/{block}{FILE}"
    text = ""
    if os.path.exists(path):
        with open(path) as f:
            text = f.read()
    return text, harness.settings(text)


def kept(key, title, progress, ask):
    """Returns the answer of `ask()`, or that in the store. What is open, or bounded by time, is not stored."""
    def make(path):
        began = time.time()
        progress.begin(title, store.processor_of(title))
        try:
            found = ask()
        finally:
            progress.end(title)
        if found["result"] in ("open", "bounded"):
            raise Open(found)
        store.put_text(path, json.dumps(found))
        return {"made": began, "processor": found["seconds"]}
    try:
        path, _ = flow.stored(key, {"name": title}, f"{WORK}/{key}", make)
    except Open as e:
        return e.found
    with open(path) as f:
        return json.load(f)


def gates_of(block, o, settings, name, progress):
    """Returns the gates of a block, from the store or from Yosys. `o` has config, sets and fault."""
    os.makedirs(WORK, exist_ok=True)
    recipe = Flat("+".join([o.config, *o.sets]), block, settings["wires"], settings["defined"] == ["yes"], o.fault)
    recipe.prepare(None)

    def make(path):
        began = time.time()
        os.makedirs(os.path.dirname(recipe.log), exist_ok=True)
        progress.begin(f"gates of {name}", store.processor_of(recipe.name))
        try:
            store.copy(recipe.made(), path)
        finally:
            recipe.clean()
            progress.end(f"gates of {name}")
        return {"made": began, "processor": round(recipe.cpu, 1)}
    path, _ = flow.stored(recipe.key, {"name": recipe.name}, f"{WORK}/{recipe.key}", make)
    with open(path) as f:
        module = json.load(f)["modules"][recipe.top]
    return Gates(module, recipe.labels, recipe.named)


class Proof:
    """`options` has config, sets (if there are none: as the block's file says), fault (a number, or 0), model ((old,
    new) texts, or None), bounded, depth, unwind (0: as the block's file says), limit (seconds of a question) and memory
    (GiB). `sets` are those of the block's file, if they are used."""

    def __init__(self, block, options, progress, whole=False):
        """`whole`: in the configuration itself, whatever the block's file says."""
        self.text, self.settings = hand_written(block)
        self.sets = [] if whole or options.sets else self.settings["sets"]
        self.block, self.progress = block, progress
        self.o = argparse.Namespace(**{**vars(options), "sets": options.sets or self.sets})
        self.p = params.of(self.o.config, self.o.sets)
        self.depth = options.bounded or options.depth or int(self.settings["depth"][0])
        self.unwind = max(options.unwind or int(self.settings["unwind"][0]), self.depth + 2)
        self.name = name_of(block, self.o)
        self.gates = gates_of(block, self.o, self.settings, self.name, progress)
        self.tables = harness.Tables(block, self.p, self.gates, self.settings["passes"])
        self.tables_text, self.rtl_text = self.tables.c_text(), self.gates.c_text()
        if self.tables.lost:
            raise tools.Failed(f"{self.name}: lockstep compares {', '.join(sorted(set(self.tables.lost)))}, which the "
                               "netlist does not have")

    # ---- the C text -------------------------------------------------------------------------------------------------

    def texts(self, defines):
        """Returns {file: preprocessed text} of a question: the harness and the sources of the model."""
        with tempfile.TemporaryDirectory(dir=WORK) as work:
            model = self.written(work)
            texts = {"main.i": self.preprocessed(work, f"{HERE}/main.c", *defines)}
            for path in model:
                texts[f"model_{os.path.basename(path)[:-2]}.i"] = \
                    self.preprocessed(work, path, "-include", f"{HERE}/typed.h")
            return texts

    def written(self, work):
        """Writes the generated headers. Returns the sources of the model."""
        with FITS:  # without the cache of these functions, which does not know the sizes
            params.FITTED[:] = [self.p]
            for b in inner(self.block):
                store.put_text(f"{work}/gen/hd_{b}_ports.h", headers.gen_ports_h.__wrapped__(b))
            store.put_text(f"{work}/gen/hd_types.h", headers.gen_types_h.__wrapped__())
        store.put_text(f"{work}/rtl.h", self.rtl_text)
        store.put_text(f"{work}/tables.h", self.tables_text)
        model = self.model(work)
        self.fix_length(work, model)
        return model

    def model(self, work):
        """Returns the sources of the model, one of them changed if a fault is planted there."""
        found = sorted(glob.glob(f"cmodel/*/{self.block}.c") + glob.glob(f"cmodel/*/{self.block}_*.c"))
        found += [f"cmodel/{name}.c" for name in self.settings["uses"]]
        if not self.o.model:
            return found
        old, new = self.o.model
        for k, path in enumerate(found):
            with open(path) as f:
                text = f.read()
            if old in text:
                found[k] = f"{work}/{os.path.basename(path)}"
                store.put_text(found[k], text.replace(old, new, 1))
                return found
        raise tools.Failed(f"the model of {self.block} has no text '{old}'")

    def header(self):
        (path,) = glob.glob(f"cmodel/*/{self.block}.h")
        return path.removeprefix("cmodel/")

    def fix_length(self, work, model):
        """Writes the model's header with the length of the array at the end of its state, if there is one: CBMC does
        not follow memory behind a struct."""
        with open(f"cmodel/{self.header()}") as f:
            text = f.read()
        arrays = re.findall(r"(\w+)\[\];", text)
        if not arrays:
            return
        (array,), state = arrays, f"struct hd_{self.block}"
        store.put_text(f"{work}/length.c", LENGTH.format(
            header=self.header(), config="\n".join(self.tables.config()), block=self.block, state=state, array=array))
        self.gcc(work, "-w", "-o", f"{work}/length", f"{work}/length.c", *model)
        length, _ = tools.run([f"{work}/length"], ".", self.log("gcc"), "the length of the model's state")
        store.put_text(f"{work}/{self.header()}", text.replace(f"{array}[];", f"{array}[{length}];"))

    def gcc(self, work, *argv):
        folders = [w for d in (work, "cmodel", "build", ".") for w in ("-iquote", d)]
        tools.run(["gcc", "-std=gnu11", *folders, *argv], ".", self.log("gcc"), f"gcc for {self.block}")

    def own(self):
        """Returns the options of gcc that name the block and its file."""
        return ["-iquote", HERE, f"-DBLOCK={self.block}", f'-DHEADER="{self.header()}"',
                f'-DOWN="{BLOCKS}/{self.block}{FILE}"']

    def preprocessed(self, work, path, *more):
        """Returns the text of a source with all that it includes."""
        self.gcc(work, "-E", "-P", *self.own(), *more, "-o", f"{work}/out.i", path)
        with open(f"{work}/out.i") as f:
            return f.read()

    def log(self, what):
        return log_of(self.name, what)

    # ---- questions --------------------------------------------------------------------------------------------------

    def defines(self, question):
        return [*{**QUESTIONS, **BOUNDED}[question], f"-DDEPTH={self.depth}"]

    def assumptions(self):
        """Returns the number of ASSUME in the block's file."""
        return len(re.findall(r"\bASSUME\(", self.text))

    def answer(self, question):
        """Returns {question, result, seconds, violated} of a question. Seconds are those of the processor. The result
        is `proved` or `refuted`; for `reach` `reached` or `unreachable`; or `open` if time or memory was not enough,
        which is not stored."""
        texts = self.texts(self.defines(question))
        options = [*OPTIONS, "--unwind", str(self.unwind)]
        key = store.digest("\0".join([FORMAT, *checker.versions(), *options,
                                      *(" ".join(t.split()) for pair in texts.items() for t in pair)]))
        return kept(key, f"{question} of {self.name}", self.progress, lambda: self.asked(question, texts, options))

    def asked(self, question, texts, options, trace=False):
        with tempfile.TemporaryDirectory(dir=WORK) as work:
            for name, text in texts.items():
                store.put_text(f"{work}/{name}", text)
            argv = [checker.program("cbmc"), *texts, *options]
            if trace:  # the values of a counterexample come from the solver inside CBMC
                argv.append("--trace")
            else:
                argv += ["--slice-formula", "--external-sat-solver", checker.program("cadical")]
            limited = LIMITED.format(seconds=self.o.limit, memory=self.o.memory << 20)
            said, seconds = tools.run(["sh", "-c", limited, "sh", *argv], work, self.log(question),
                                      f"{question} of {self.name}", {"TMPDIR": os.path.abspath(work)})
        found = {"question": question, "result": self.verdict(question, said, seconds), "seconds": round(seconds, 1)}
        if found["result"] == "refuted":
            found["violated"] = VIOLATED.search(said)[1]
        if trace:
            found["cycles"] = SHOWN.findall(said)
        return found

    def verdict(self, question, said, seconds):
        good, bad = ("unreachable", "reached") if question == "reach" else ("proved", "refuted")
        if "VERIFICATION SUCCESSFUL" in said:
            return good
        if "VERIFICATION FAILED" in said:
            return bad
        killed = "exit code 1(37|52)|bad_alloc|out of memory|[Mm]emory"  # by the limit of time, or for want of memory
        if seconds >= 0.9 * self.o.limit or re.search(killed, said):
            return "open"
        last = (said.splitlines() or ["no output"])[-1]
        raise tools.Failed(f"{question} of {self.name}: CBMC gave no verdict: {last} ({self.log(question)})")

    def lockstep(self, cycles):
        """Evaluates contract and invariant on a run of random lockstep. Returns an answer: `held`, or `broken` with the
        sentences that do not hold."""
        with tempfile.TemporaryDirectory(dir=WORK) as work:
            argv = ["build/heddle", "equiv", self.block, "--config", self.o.config, "--cycles", str(cycles),
                    "--vectors", f"{work}/vectors", *(w for s in self.o.sets for w in ("--set", s))]
            tools.run(argv, ".", self.log("lockstep"), f"lockstep of {self.name}")
            model = self.written(work)
            self.gcc(work, "-w", "-O0", "-DREPLAY", *self.own(), "-include", f"{HERE}/typed.h", "-o", f"{work}/replay",
                     f"{HERE}/replay.c", *model)
            said, seconds = tools.run(["sh", "-c", '"$1" < "$2"', "sh", f"{work}/replay", f"{work}/vectors"], ".",
                                      self.log("lockstep"), f"lockstep of {self.name}")
        *sentences, count = said.splitlines()
        found = {"question": "lockstep", "result": "broken" if sentences else "held", "seconds": round(seconds, 1)}
        self.depth = int(count.removeprefix("cycles: "))
        return {**found, "violated": "; ".join(sentences)} if sentences else found

    def counterexample(self, question):
        """Returns what the cycles of a counterexample hold, as lines."""
        texts = self.texts([*self.defines(question), "-DSHOW"])
        return self.asked(question, texts, [*OPTIONS, "--unwind", str(self.unwind)], trace=True)["cycles"]
