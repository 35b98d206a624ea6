# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The bitstream of the demonstrator: synthesis by Yosys, placement and routing by nextpnr, packing by ecppack. All
results are in the store, under the hash of their inputs."""
import gzip
import json
import shutil

import ecp5
import paths
import place
import store
import tools
import yowasp

TOP, DEVICE, MHZ = "hd_demo_ulx3s", "85k", 25  # the device and the oscillator of the board
HERE = "synth/fpga/demo"
PINS = f"{HERE}/ulx3s.lpf"
# Warnings that are errors. Not those of resized ports: Yosys 0.70 reports addresses of hd_ovfq_ahead, whose upper bits
# the RTL drops by a cast.
WRONG = "implicitly declared|no driver|not constant"
ECPPACK = "yowasp-ecppack"
# As in place.py, registers keep their names.
SYNTHESIS = """read_verilog -sv -Irtl {sources}
hierarchy -check -top {top}
synth_ecp5 -top {top} -run begin:map_luts
setattr -set keep 1 w:*_q
synth_ecp5 -top {top} -run map_luts:
write_json {work}/netlist.json
"""


def compressed(source, to):
    with open(source, "rb") as f, gzip.open(to, "wb", 6) as packed:
        shutil.copyfileobj(f, packed)


def expanded(source, to):
    with gzip.open(source) as packed, open(to, "wb") as f:
        shutil.copyfileobj(packed, f)


class Demo:
    def __init__(self, design, progress):
        self.design, self.progress = design, progress
        files, _ = design.files("fpga_demo", f"{HERE}/{TOP}.sv")
        texts = [open(f).read() for f in (*files, "rtl/common/hd_assert.svh")]

        def make(work, path):
            store.put_text(f"{work}/script.ys", SYNTHESIS.format(sources=" ".join(files), work=work, top=TOP))
            spent = yowasp.run(yowasp.YOSYS, ["-q", "-e", WRONG, f"{work}/script.ys"], work, self.log("yosys"),
                               "synthesis of the demonstrator", progress)
            with open(f"{work}/netlist.json") as f:
                cells = place.of_type(json.load(f)["modules"][TOP])
            compressed(f"{work}/netlist.json", path)
            return {"cells": cells}, spent
        self.path, note = place.obtain([SYNTHESIS, WRONG, *texts],
                                       f"synthesis of the demonstrator in {design.name}", "", self.log("yosys"),
                                       progress, make)
        self.key, self.cells = note["key"], note["cells"]
        large = ecp5.too_large(ecp5.counts(self.cells), DEVICE)
        if large:
            raise tools.Failed(f"the demonstrator in {design.name} does not fit into the {DEVICE}: {large}")

    def log(self, what):
        return f"{place.LOGS}/{self.design.name}-demo-{what}.log"

    def routed(self, seed):
        """Returns (figures, path of the compressed configuration) of the demonstrator with a seed."""
        log = self.log(f"{DEVICE}-{seed}")
        with open(PINS) as f:
            pins = f.read()

        def make(work, path):
            expanded(self.path, f"{work}/netlist.json")
            spent = yowasp.run(yowasp.NEXTPNR, [
                f"--{DEVICE}", "--package", ecp5.PACKAGE, "--speed", str(ecp5.GRADE), "--json", f"{work}/netlist.json",
                "--top", TOP, "--lpf", PINS, "--freq", str(MHZ), "--timing-allow-fail", "--seed", str(seed),
                "--textcfg", f"{work}/demo.config", "--report", f"{work}/report.json", "-q", "-l",
                f"{work}/nextpnr.log"], work, log, "routing of the demonstrator", self.progress)
            with open(f"{work}/report.json") as f:
                report = json.load(f)
            with open(f"{work}/netlist.json") as f:
                names = Names(json.load(f)["modules"][TOP])
            figures = {part: report["utilization"][bel]["used"] for part, bel in ecp5.BELS.items()}
            figures["mhz"] = round(next(clock["achieved"] for clock in report["fmax"].values()), 1)
            figures.update(paths.longest(report, names))
            compressed(f"{work}/demo.config", path)
            return {"figures": figures}, spent
        path, note = place.obtain([self.key, pins, DEVICE, str(MHZ), str(seed), json.dumps(ecp5.BELS), paths.CODE],
                                  f"routing of the demonstrator in {self.design.name}", f", seed {seed}", log,
                                  self.progress, make)
        return note["figures"], path

    def pack(self, config, to):
        """Writes the bitstream of a routed demonstrator."""
        def make(work, path):
            expanded(config, f"{work}/demo.config")
            spent = yowasp.run(ECPPACK, ["--compress", f"{work}/demo.config", path], work, self.log("ecppack"),
                               "packing of the demonstrator", self.progress)
            return {}, spent
        path, _ = place.obtain([store.digest_of(config), "ecppack --compress"],
                               f"packing of the demonstrator in {self.design.name}", "", self.log("ecppack"),
                               self.progress, make)
        shutil.copyfile(path, to)


class Names:
    """The registers that the flops of the netlist hold; other cells keep their names."""

    def __init__(self, module):
        self.registers = paths.registers(module)

    def of(self, cell):
        name = cell.partition("$")[0]
        return self.registers.get(name, name)
