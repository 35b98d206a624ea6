# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The assertions of a block's RTL: which hold for ever, by ABC's pdr, or for some cycles from reset, by its bmc3, if
those about the inputs hold? Answers are in the store, under the hash of all that they depend on."""
import re
import tempfile

import store
import tools
from aiger import Aiger
from harness import parted
from proof import LIMITED, WORK, gates_of, hand_written, kept, log_of, name_of

FORMAT = "assertion 1"  # of the stored answers
FRAMES = 100  # cycles that bmc3 tries at most
SCRIPT = "read_aiger {file}; strash; scorr; pdr -T {limit}; bmc3 -T {limit} -F {frames}"
SHOWN, NONE = re.compile(r"was asserted in frame (\d+)"), re.compile(r"No output asserted in (\d+) frames")


class Assertions:
    """`options` has config, sets, fault (a number, or 0), limit (seconds of pdr, and of bmc3) and memory (GiB)."""

    def __init__(self, block, options, progress):
        self.block, self.o, self.progress, self.name = block, options, progress, name_of(block, options)
        _, settings = hand_written(block)
        self.gates = gates_of(block, options, settings, self.name, progress)
        self.owed, self.own = parted(self.gates, settings["passes"])

    def results(self):
        """Returns the results of the block, with {name, result, depth, seconds} of each assertion. The result is
        `proved`; `bounded` (holds in `depth` cycles from reset); `refuted` (fails in cycle `depth`, with inputs that
        the integration assertions allow); or `open`. All are asked at once first, since most often all are proved."""
        inputs = self.answer("inputs", [])["result"]  # refuted, else anything would be proved
        alone = {"result": "unreachable" if inputs == "proved" else "open", "seconds": 0}
        together = self.answer("all assertions", self.own) if inputs == "refuted" else alone
        if inputs != "refuted" or together["result"] == "proved":
            answers = [{"name": a.name, **together, "seconds": together["seconds"] * (a is self.own[0])}
                       for a in self.own]
        else:
            answers = [{"name": a.name, **self.answer(a.name, [a])} for a in self.own]
        return {"name": self.block, "flops": len(self.gates.state), "gates": self.gates.count(),
                "assumed": [a.name for a in self.owed], "fault": self.o.fault, "assertions": answers}

    def answer(self, what, own):
        """Without `own` the question is whether there are inputs that keep all that is assumed: `refuted` if so."""
        question = Aiger(self.gates, own, self.owed).binary()
        key = store.digest("\0".join([FORMAT, tools.version("yosys-abc", "-q", "version"), SCRIPT, str(FRAMES),
                                      question.hex()]))
        title = f"{what} of {self.name}"
        return kept(key, title, self.progress, lambda: self.asked(title, question))

    def asked(self, title, question):
        with tempfile.TemporaryDirectory(dir=WORK) as work:
            with open(f"{work}/question.aig", "wb") as f:
                f.write(question)
            script = SCRIPT.format(file="question.aig", limit=self.o.limit, frames=FRAMES)
            limited = LIMITED.format(seconds=4 * self.o.limit, memory=self.o.memory << 20)
            said, seconds = tools.run(["sh", "-c", limited, "sh", "yosys-abc", "-c", script], work,
                                      log_of(self.name, "assertions"), title)
        found = {"result": "open", "seconds": round(seconds, 1)}
        shown, cycles = SHOWN.search(said), NONE.search(said)
        if shown:
            return {**found, "result": "refuted", "depth": int(shown[1])}
        if "Property proved" in said:
            return {**found, "result": "proved"}
        return {**found, "result": "bounded", "depth": int(cycles[1])} if cycles else found
