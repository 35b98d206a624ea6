#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""heddle.run, sweep, area and channels, legal and illegal use, with frames as lists. Run from the top of the checkout,
after `make lib all`. Ends with `N passed, N failed`."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, "python")
sys.modules["pandas"] = None  # as if not installed, on any machine
import heddle  # noqa: E402
from heddle import reports  # noqa: E402

SMALL = {"config": "tiny", "block_size": 64, "sources": 2}
GRAPH = "0 1\n0 2\n1 3\n2 3\n3 4\n"


class Runs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.graph = os.path.join(self.folder.name, "g.txt")
        with open(self.graph, "w") as f:
            f.write(GRAPH)

    def tearDown(self):
        self.folder.cleanup()

    def refused(self, kind, words, call, *args, **kwargs):
        with self.assertRaises(kind) as caught:
            call(*args, **kwargs)
        self.assertIsInstance(caught.exception, heddle.Error)
        self.assertIn(words, str(caught.exception))

    # ---- run

    def test_a_report_is_that_of_the_command(self):
        report = heddle.run("bfs", self.graph, launch="dtbl", threshold=1, child_size=1, NumKde=8, **SMALL)
        reported = json.loads(subprocess.run(
            ["build/heddle", "run", "bfs", self.graph, "--engine", "model", "--launch", "dtbl", "--threshold", "1",
             "--child-size", "1", "--set", "NumKde=8", "--config", "tiny", "--block-size", "64", "--sources", "2",
             "--json"], capture_output=True, text=True, check=True).stdout)
        reported.pop("seconds"), report.data.pop("seconds")
        self.assertEqual(dict(report.data), reported)
        self.assertEqual((report.cycles, report["cycles"], report.device.launches),
                         (reported["cycles"], reported["cycles"], reported["device"]["launches"]))
        self.assertTrue(report.passed and "tiny" in repr(report) and "dtbl" in report._repr_html_())

    def test_frames(self):
        report = heddle.run("bfs", self.graph, tbs=True, **SMALL)
        self.assertEqual(len(report.kernels), report["kernels"])
        self.assertEqual([type(report.kernels[0][key]) for key in ("kind", "wait")], [str, int])
        self.assertEqual(sum(row["ctas"] for row in report.kernels), report.ctas)
        self.assertEqual([row["smx"] for row in report.smxs], [0, 1])
        self.assertEqual([row["occupancy"] for row in report.smxs], report.occupancy)
        self.assertEqual(len(report.tbs), report.ctas)
        self.assertEqual([len(report.streams), len(report.longest)], [len(report.data["streams"]),
                                                                     len(report.data["longest"])])
        self.refused(heddle.Error, "tbs: a run with tbs=True is accepted",
                     lambda: heddle.run(None, self.graph, **SMALL).tbs)

    def test_flags_and_sets(self):
        report = heddle.run("bfs", graph=self.graph, launch="cdp", ideal=True, sync=False, seed=None,
                            set={"NumKde": 4}, **SMALL)
        self.assertEqual(report.command, ["heddle", "run", "--config=tiny", "--engine=model", "--launch=cdp", "--set",
                                          "NumKde=4", "--ideal", "--block-size=64", "--sources=2", "--", "bfs",
                                          self.graph])

    def test_a_run_that_does_not_pass(self):
        self.refused(heddle.Error, "LIMIT: the limit of 30 cycles was reached first",
                     heddle.run, "bfs", self.graph, max_cycles=30, **SMALL)
        report = heddle.run("bfs", self.graph, max_cycles=30, check=False, **SMALL)
        self.assertEqual((report.verdict, report.passed, report.cycles), ("LIMIT", False, 30))

    def test_runs_that_are_refused(self):
        for words, wrong in (("CONFIG: 'nope' is neither a workload nor a file", {"workload": "nope", "graph": None}),
                             ("policy 'x' is unknown; accepted: " + " ".join(heddle.policies()), {"policy": "x"}),
                             ("NumKde=0: 1 to 128 is accepted", {"NumKde": 0}),
                             ("unrecognized option '--nosuch=3'", {"nosuch": 3}),
                             ("nofile.mtx: No such file or directory", {"workload": "bfs", "graph": "nofile.mtx"}),
                             ("'--help' is neither a workload nor a file", {"workload": "--help", "graph": None})):
            with self.subTest(words):
                self.refused(heddle.Error, words, heddle.run, **dict(dict(SMALL, graph=self.graph), **wrong))
        for words, wrong in (("json: an option of `heddle run --help`", {"json": 1}),
                             ("_x: an option of `heddle run --help`", {"_x": 1}),
                             ("a b: an option of `heddle run --help`", {"a b": 1}),
                             ("set: 'a': the name of a parameter is accepted", {"set": {"a": 1}}),
                             ("config='a\\x00b': no NUL is accepted", {"config": "a\0b"})):
            with self.subTest(words):
                self.refused(ValueError, words, heddle.run, **wrong)
        for words, wrong in (("seed={}: a number, a text, a path, True or False is accepted", {"seed": {}}),
                             ("set=3: a dictionary of parameters is accepted", {"set": 3}),
                             ("graph=3: a text is accepted", {"graph": 3})):
            with self.subTest(words):
                self.refused(TypeError, words, heddle.run, **wrong)
        with self.assertRaisesRegex(AttributeError, "nosuch: the report has version, heddle"):
            heddle.run("bfs", self.graph, **SMALL).nosuch

    def test_no_program(self):
        os.environ["HEDDLE_PROGRAM"] = "/nosuch/heddle"
        try:
            self.refused(heddle.Error, "HEDDLE_PROGRAM=/nosuch/heddle: no such program", heddle.run)
        finally:
            del os.environ["HEDDLE_PROGRAM"]

    def test_a_program_that_breaks(self):
        for code, out, err, want in ((0, "", "", (7, {}, "ended with 0")), (-11, "", "", (7, {}, "ended with -11")),
                                     (0, "{", "", (7, {}, "ended with 0")), (2, "", "p: bad\nTry `p'", (2, {}, "bad")),
                                     (0, '{"a": 1}', "note", (0, {"a": 1}, ""))):
            self.assertEqual(reports.outcome(code, out, err, "p"), want)

    # ---- sweep

    def test_a_sweep(self):
        rows = heddle.sweep("bfs", self.graph, set={"NumKde": [2, 8]}, launch=["flat", "dtbl"],
                            metrics=["device.launches"], **SMALL)
        self.assertEqual([(r["NumKde"], r["launch"], r["verdict"]) for r in rows],
                         [(k, l, "PASS") for k in (2, 8) for l in ("flat", "dtbl")])
        one = heddle.run("bfs", self.graph, NumKde=8, launch="dtbl", **SMALL)
        self.assertEqual((rows[3]["cycles"], rows[3]["wait_mean"], rows[3]["device.launches"]),
                         (one.cycles, one.wait_mean, one.device.launches))
        self.assertEqual(rows[3]["occupancy"], sum(one.occupancy) / 2)
        self.assertIsNone(rows[0]["device.launches"])

    def test_points_that_fail(self):
        rows = heddle.sweep("bfs", self.graph, launch=["flat", "dtbl"], policy="tb-pri", jobs=2, **SMALL)
        self.assertEqual([(r["verdict"], r["cycles"] is None) for r in rows], [("CONFIG", True), ("PASS", False)])
        self.assertIn("--launch cdp or dtbl would be accepted", rows[0]["reason"])

    def test_axes(self):
        rows = heddle.sweep("bfs", self.graph, NumKde=range(2, 4), block_size=(64,), config="tiny")
        self.assertEqual([r["NumKde"] for r in rows], [2, 3])
        self.refused(ValueError, "NumKde=[]: different values, one or more, are accepted", heddle.sweep, NumKde=[])
        self.refused(ValueError, "NumKde=[2, 2]: different values", heddle.sweep, NumKde=[2, 2])
        self.refused(TypeError, "policy={}: a value or a list of values is accepted", heddle.sweep, policy={})
        self.refused(TypeError, "metrics='a': a list of texts is accepted", heddle.sweep, metrics="a")
        self.refused(ValueError, "jobs=0: 1 to 1024 is accepted", heddle.sweep, "bfs", self.graph, jobs=0)
        self.refused(ValueError, "json: an option", heddle.sweep, json=[1, 2])

    # ---- area, channels

    def test_areas(self):
        rows = heddle.area("pq", PqDepth=[64])
        reported = json.loads(subprocess.run(["build/heddle", "area", "--set", "PqDepth=64", "--json", "pq"],
                                         capture_output=True, text=True, check=True).stdout)
        self.assertEqual(len(rows), 1)
        self.assertEqual((rows[0]["PqDepth"], rows[0]["name"], rows[0]["ge.total"]),
                         (64, "pq", reported["blocks"][0]["ge"]["total"]))
        self.assertEqual(heddle.area("pq", what="tables", PqDepth=64)[0]["entries"], 64)

    def test_areas_that_are_refused(self):
        self.refused(heddle.Error, "no block 'nosuch'; there are: kmu,", heddle.area, "nosuch")
        self.refused(heddle.Error, "PqDepth=3000: 2 to 128 is accepted", heddle.area, "pq", PqDepth=3000)
        self.refused(ValueError, "'--help': the name of a block is accepted", heddle.area, "--help")
        self.refused(TypeError, "3: the name of a block is accepted", heddle.area, 3)
        self.refused(ValueError, "what='x': one of blocks, tables is accepted", heddle.area, "pq", what="x")
        self.refused(ValueError, "set: 'nodes': the name of a parameter is accepted", heddle.area, "pq", nodes=3)
        os.environ["HEDDLE_CHECKOUT"] = self.folder.name
        try:
            self.refused(heddle.Error, "the top of a checkout is accepted", heddle.area, "pq")
        finally:
            del os.environ["HEDDLE_CHECKOUT"]

    def test_channels(self):
        report = heddle.channels("fib", size=12, cus=2)
        self.assertEqual((report.answer, report.right, report.time.cus), (144, True, 2))
        self.refused(heddle.Error, "no program 'x'; fib, queens, sort or strassen would be accepted",
                     heddle.channels, "x")


def main():
    loaded = unittest.TestLoader().loadTestsFromTestCase(Runs)
    count = loaded.countTestCases()
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(loaded)
    bad = len({test.id().split(" ")[0] for test, _ in result.failures + result.errors})
    print(f"{count - bad} passed, {bad} failed")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
