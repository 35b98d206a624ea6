# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""From the RTL to a routed block: synthesis by Yosys, then placement and routing by nextpnr, once for each seed. Both
results are in the store, under the hash of their inputs."""
import collections
import gzip
import json
import os
import re
import tempfile
import time

import ecp5
import flow
import paths
import store
import tools
import wrapper
import yowasp
from hdgen.tables import folder

WORK, LOGS = "build/fpga/work", "build/fpga/log"
MHZ = 100  # what nextpnr aims at
FORMAT = "fpga 1"  # of the stored results
# Registers (.._q) keep their names until the end, which changes no logic: at that point they are flops. Otherwise a
# register that an output shows would have only the name of the output, and one that none shows would have none.
SYNTHESIS = """read_verilog -sv -Irtl {sources}
read_verilog {work}/wrapper.v
hierarchy -check -top {top}
synth_ecp5 -top {top} -run begin:map_luts
setattr -set keep 1 w:*_q
synth_ecp5 -top {top} -run map_luts:
write_json {work}/netlist.json
"""
WRONG = "implicitly declared|no driver|not constant|Resizing cell port"  # warnings that are errors


def obtain(key, kind, which, log, progress, make):
    """Returns (file, note) of the store. If it does not exist, `make(work, path)` writes the file and returns more for
    its note, and its processor time; `work` is a folder for temporary files. `kind` and `which` name the result; all
    of a kind take about the same time."""
    entry = store.digest("\0".join([FORMAT, yowasp.modules(), *key]))

    def made(path):
        with tempfile.TemporaryDirectory(dir=WORK) as work:
            os.makedirs(LOGS, exist_ok=True)
            store.put_text(log, "")
            began = time.time()
            progress.begin(kind + which, store.processor_of(kind))
            try:
                more, processor = make(os.path.relpath(work), path)
            finally:
                progress.end(kind + which)
            return {**more, "made": began, "processor": round(processor, 1)}
    return flow.stored(entry, {"name": kind, "key": entry}, f"{WORK}/{entry}", made)


class Block:
    """A block in its wrapper, as a netlist of the device's cells: `cells` {type: number} of the block, and `added` of
    the wrapper."""

    def __init__(self, design, name, progress):
        self.design, self.name, self.progress = design, name, progress
        files, _ = design.files(f"fpga_{name}", f"rtl/{folder(name)}/hd_{name}.sv")
        around = wrapper.verilog(name, design.params)
        texts = [open(f).read() for f in (*files, "rtl/common/hd_assert.svh")]

        def make(work, path):
            store.put_text(f"{work}/wrapper.v", around)
            store.put_text(f"{work}/script.ys", SYNTHESIS.format(sources=" ".join(files), work=work, top=wrapper.TOP))
            spent = yowasp.run(yowasp.YOSYS, ["-q", "-e", WRONG, f"{work}/script.ys"], work, self.log("yosys"),
                               f"synthesis of {name}", progress)
            with open(f"{work}/netlist.json") as f:
                modules = json.load(f)["modules"]
            with open(f"{work}/netlist.json", "rb") as f, gzip.open(path, "wb", 6) as packed:
                packed.write(f.read())
            return {"cells": of_type(modules["hd_" + name]), "added": of_type(modules[wrapper.TOP])}, spent
        self.path, note = obtain([SYNTHESIS, WRONG, around, *texts], f"synthesis of {name} in {design.name}", "",
                                 self.log("yosys"), progress, make)
        self.key, self.cells, self.added = note["key"], note["cells"], note["added"]

    def log(self, what):
        return f"{LOGS}/{self.design.name}-{self.name}-{what}.log"

    def refuse(self, device):
        """Raises Failed if the block is too large for the device."""
        inside, added = ecp5.counts(self.cells), ecp5.counts(self.added)
        large = ecp5.too_large({part: n + added[part] for part, n in inside.items()}, device)
        if large:
            raise tools.Failed(f"{self.name} does not fit into the {device}: with the wrapper {large}")

    def routed(self, device, seed):
        """Returns the figures of the block on a device, with one seed."""
        log = self.log(f"{device}-{seed}")

        def make(work, path):
            self.unpack(work)
            spent = self.place(device, seed, work, log)
            with open(f"{work}/netlist.json") as f:
                modules = json.load(f)["modules"]
            with open(f"{work}/report.json") as f:
                report = json.load(f)
            used, added = report["utilization"], ecp5.counts(self.added)
            figures = {part: used[bel]["used"] - added[part] for part, bel in ecp5.BELS.items()}
            figures["mhz"] = next(clock["achieved"] for clock in report["fmax"].values())
            figures.update(paths.longest(report, paths.Names(modules, self.name, self.design.params)))
            store.put_text(path, json.dumps(figures))
            return {}, spent
        path, _ = obtain([self.key, device, str(seed), str(MHZ), json.dumps(ecp5.BELS), paths.CODE],
                         f"routing of {self.name} in {self.design.name}", f", seed {seed}", log, self.progress, make)
        with open(path) as f:
            return {"seed": seed, **json.load(f)}

    def unpack(self, work):
        with gzip.open(self.path) as packed, open(f"{work}/netlist.json", "wb") as f:
            f.write(packed.read())

    def place(self, device, seed, work, log):
        """Places and routes the netlist in `work`. Returns the processor time."""
        try:
            return yowasp.run(yowasp.NEXTPNR, [
                f"--{device}", "--package", ecp5.PACKAGE, "--speed", str(ecp5.GRADE), "--json", f"{work}/netlist.json",
                "--top", wrapper.TOP, "--freq", str(MHZ), "--timing-allow-fail", "--lpf-allow-unconstrained",
                "--seed", str(seed), "--report", f"{work}/report.json", "-q", "-l", f"{work}/nextpnr.log"],
                work, log, f"routing of {self.name}", self.progress)
        except tools.Failed as e:
            tools.go_on()  # stopped
            full = fullest(f"{work}/nextpnr.log")
            raise tools.Failed(f"{e}\n{self.name} may be too large for the {device}: {full}" if full else str(e))


def of_type(module):
    return collections.Counter(cell["type"] for cell in module["cells"].values())


def fullest(log):
    """Returns the parts that a log of nextpnr reports as most used, as text."""
    try:
        with open(log) as f:
            found = re.findall(r"(\w+): +(\d+)/ *(\d+) +(\d+)%", f.read())
    except OSError:
        return ""
    parts = sorted(((int(share), f"{used} {bel} of {of} ({share} %)") for bel, used, of, share in found
                    if bel in ecp5.BELS.values()), reverse=True)
    return ", ".join(text for _, text in parts[:2])
