#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Area in custom cells and RAM macros: a liberty file is read by the functions of its cells, in its units, independent
of their names; unusable libraries are rejected with one line. Ends with `N passed, N failed`.
  test_liberty.py [TEST..]      from the top of the checkout"""
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.path[:0] = ["synth/area", "verif/area"]
import flow  # noqa: E402
import liberty  # noqa: E402
import library  # noqa: E402
import ram  # noqa: E402
from small_cells import Library  # noqa: E402



def area(*argv):
    return subprocess.run([sys.executable, "synth/area", *argv], capture_output=True, text=True)


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def file(self, text, name="own cells.lib"):
        path = f"{self.folder.name}/{name}"
        with open(path, "w") as f:
            f.write(text)
        return path

    def report(self, path, *argv):
        r = area("fcfs", "--json", "--liberty", path, *argv)
        self.assertEqual(r.returncode, 0, r.stderr)
        return json.loads(r.stdout)

    def refused(self, why, *argv):
        r = area("fcfs", *argv)
        self.assertEqual((r.returncode, r.stdout), (2, ""), r.stderr)
        self.assertRegex(r.stderr, rf"\Aheddle area: [^\n]*{why}[^\n]*\n\Z")


class Functions(unittest.TestCase):
    def test_ways_to_write_one(self):
        for text in ("!(A B)", "!(A&B)", "(A * B)'", "A' + B'", "!A | !B", "((A B) ^ 1)", "A ^ (A B) | !A"):
            self.assertEqual(liberty.truth(text, "AB"), (True, True, True, False), text)
        self.assertEqual(liberty.truth("!A'", "A"), (False, True))
        self.assertEqual(liberty.truth("A B + C", "ABC"), (False, True, False, True, False, True, True, True))
        self.assertIsNone(liberty.truth("held", "A"))

    def test_units(self):
        for text, base, value in (("1ns", "s", 1e-9), ("10ps", "s", 1e-11), ("1ff", "f", 1e-15), ("0.1pf", "f", 1e-13)):
            self.assertAlmostEqual(liberty.unit(text, base) / value, 1)
        with self.assertRaises(liberty.Broken):
            liberty.unit("1 hour", "s")


class Cells(Files):
    def test_small_cells(self):
        """Found by function; GE and FO4 are those of ND2 and INV. A flop is 8 um^2, a GE 1.5. The smaller inverter is
        marked dont_use, and is not used."""
        path = self.file(Library().text())
        r = self.report(path)
        self.assertEqual({k: r["cells"][k] for k in ("library", "nand2", "ge_um2", "inverter", "rams")},
                         {"library": "small", "nand2": "ND2", "ge_um2": 1.5, "inverter": "INV", "rams": "models"})
        # Four inputs of 2 fF at 2 ps each, 4 ps without load, and a tenth of the slew: d = 20 + 0.1 * 1.5 (d without
        # its slew) -> 23.3.
        self.assertAlmostEqual(r["cells"]["fo4_ps"], 23.3, delta=0.1)
        b = r["blocks"][0]
        flops = r["tables"][0]["cells"]
        self.assertAlmostEqual(r["tables"][0]["ge"]["flops"], flops * 8 / 1.5, delta=0.2)
        self.assertAlmostEqual(b["um2"]["logic"], (b["ge"]["logic"] + b["ge"]["flops"]) * 1.5, delta=0.3)
        netlist = f"{self.folder.name}/n.v"
        self.assertEqual(area("fcfs", "--liberty", path, "--netlist", netlist).returncode, 0)
        with open(netlist) as f:
            text = f.read()
        self.assertIn("INV ", text)
        with open("build/area/own_cells.v") as f:
            self.assertIn("module ND2(", f.read())
        self.assertNotIn("INV_WEAK", text)
        output = area("fcfs", "--liberty", path).stdout
        self.assertIn("GE: area / area of a ND2, 1.5 um^2.", output)
        self.assertIn("over 23.33 ps: INV that drives four of itself", output)

    def test_other_names_units_and_ways_to_write(self):
        """The same cells in ns and pF, under other names, with another syntax of functions: the same report."""
        other = Library((1000.0, "1ns"), (1000.0, "1,pf"), "x_", lambda f: {
            "!A": "A'", "!(A & B)": "(A B)'", "!(A | B)": "!A * !B", "A ^ B": "(A !B) + (!A B)"}.get(f, f))
        one, two = self.report(self.file(Library().text())), self.report(self.file(other.text(), "other.lib"))
        self.assertEqual(two["cells"].pop("nand2"), "x_" + one["cells"].pop("nand2"))
        for r in (one, two):
            del r["cells"]["library"], r["cells"]["inverter"]
        self.assertEqual(one["cells"], two["cells"])
        a, b = one["blocks"][0], two["blocks"][0]
        self.assertAlmostEqual(a["ge"]["total"], b["ge"]["total"], delta=0.01 * a["ge"]["total"])
        self.assertAlmostEqual(a["fo4"], b["fo4"], delta=1.5)
        self.assertEqual(one["tables"], two["tables"])

    def near_default(self, name, um2, fo4_ps):
        """A third-party library: its units, and GE and FO4 of logic close to those of the default cells."""
        r = self.report(name)
        self.assertEqual((r["cells"]["nand2"], r["cells"]["ge_um2"]), ("NAND2X1", um2))
        self.assertAlmostEqual(r["cells"]["fo4_ps"], fo4_ps, delta=0.05 * fo4_ps)
        own = json.loads(area("fcfs", "--json").stdout)["blocks"][0]
        self.assertAlmostEqual(r["blocks"][0]["ge"]["logic"] / own["ge"]["logic"], 1, delta=0.08)
        self.assertAlmostEqual(r["blocks"][0]["fo4"], own["fo4"], delta=3)

    @unittest.skipUnless(os.path.exists(library.NAMED["osu018"]), "Debian package qflow-tech-osu018 is not there")
    def test_osu018(self):
        self.near_default("osu018", 24, 99.2)

    @unittest.skipUnless(os.path.exists(library.NAMED["osu035"]), "Debian package qflow-tech-osu035 is not there")
    def test_osu035(self):
        self.near_default("osu035", 96, 157)

    def test_a_named_library_that_is_not_there(self):
        with unittest.mock.patch.dict(library.NAMED, osu018="/nowhere/osu018.lib"):
            with self.assertRaisesRegex(flow.Failed, r"/nowhere/osu018\.lib is missing \(Debian package qflow-t"):
                library.of(["osu018"])

    def test_compressed_and_several_files(self):
        """A library split into two files, one of them compressed, gives the same report as one file."""
        text = Library().text()
        whole = self.report(self.file(text))
        top = liberty.parse(text)
        cells = [g for g in top.groups if g.kind == "cell"]
        one = self.file(liberty.without(text, cells[5:]), "one.lib")
        two = f"{self.folder.name}/two.lib.gz"
        with open(two, "wb") as f:
            f.write(gzip.compress(liberty.without(text, cells[:5]).encode()))
        r = self.report(one, "--liberty", two)
        self.assertEqual(r["cells"], whole["cells"])
        self.assertEqual(r["blocks"], whole["blocks"])

    def test_a_path_in_own_cells(self):
        output = area("fcfs", "--path", "--liberty", self.file(Library().text())).stdout
        self.assertRegex(output, r"fcfs: \S+ -> \S+, [\d.]+ FO4\n\n +FO4 +\+ +cell")
        self.assertRegex(output, r"\b(ND2|NR2|AOI21)\b")
        self.assertNotIn("/CK", output)


class Refused(Files):
    def test_cells_that_are_missing(self):
        for without, why in ((("INV",), "no cell that is an inverter among its 10 cells"),
                             (("ND2",), "no cell that is a NAND of two inputs"),
                             (("BUF", "BUF_WIDE"), "no cell that is a buffer"),
                             (("FF", "FFR", "FFS"), "no cell that is a flop among"),
                             (("FFR", "FFS"), "no cell that is a flop with an asynchronous reset")):
            path = self.file(Library(without=without).text(), "few.lib")
            self.refused(rf"few\.lib: {why}", "--liberty", path)

    def test_broken_files(self):
        good = Library().text()
        for text, why in ((good[:len(good) // 2], r"line \d+: '.*' .*expected, not the end of the file"),
                          (good.replace("{", "[", 1), r"line 3: "), ("", "0 groups 'library' instead of one"),
                          (good + good, "2 groups 'library' instead of one"),
                          (good.replace("area : 1.5", "area : big"), r"cell \(BUF\): no number for area"),
                          (good.replace("1, ff", "1, acre"), "unit '1acre' is not understood"),
                          (good.replace("area : 1.5", "area : 0"), "cell ND2 without an area"),
                          (good.replace('"!A"', '"!(A"'), "function .* is not understood")):
            self.refused(rf"bad\.lib: {why}", "--liberty", self.file(text, "bad.lib"))
        self.refused("nowhere.lib: No such file", "--liberty", "nowhere.lib")
        self.refused("README.md: ", "--liberty", "README.md")
        self.refused("this is no text", "--liberty", "/bin/true")

    def test_unquoted(self):
        """An expression without quotation marks, for which the tools report only the line."""
        good = Library().text()
        text = re.sub(r'clear : "([^"]*)"', r"clear : !RN", good, count=1)
        line = text[:text.index("clear : !RN")].count("\n") + 1
        self.refused(rf"bad\.lib: line {line}: syntax error: clear is !RN without quotation marks", "--liberty",
                     self.file(text, "bad.lib"))

    def test_damaged(self):
        path = f"{self.folder.name}/x.lib.gz"
        with open(path, "wb") as f:
            f.write(gzip.compress(Library().text().encode())[:-20])
        self.refused(r"x\.lib\.gz: damaged or truncated", "--liberty", path)

    def test_two_files_that_differ(self):
        one = self.file(Library().text(), "one.lib")
        self.refused("cell [A-Z_0-9]+ is in an earlier file", "--liberty", one,
                     "--liberty", one)
        other = self.file(Library((1000.0, "1ns"), (1000.0, "1,pf"), "x_").text(), "two.lib")
        self.refused(r"two\.lib: its time_unit is", "--liberty", one, "--liberty", other)

    def test_options(self):
        for argv in (["--check"], ["--accept"]):
            r = area("fcfs", "--liberty", "x.lib", *argv)
            self.assertEqual(r.returncode, 2)
            self.assertIn("are for the cells and RAM of the budget", r.stderr)
        for argv in (["--node", "45", "--liberty", "x.lib"], []):  # the default cells have no um^2 and no ns
            self.assertIn("goes with --liberty", area("fcfs", "--ram-table", "x", *argv).stderr)


class RamTable(Files):
    HEAD = "rows,bits,um2,access_ns,setup_ns\n"

    def test_macros_that_hold_a_memory(self):
        t = ram.Table(self.file(self.HEAD + "64,32,1000,1.0,0.1\n256,128,9000,2.0,0.2\n"))
        self.assertEqual(t.best(64, 32)[0], 1000)
        self.assertEqual(t.best(65, 32)[0], 2000)
        self.assertEqual(t.um2(128, 64), 4000)  # two by two small ones
        self.assertEqual((t.um2(256, 120), t.times(256, 120)), (9000, (2.0, 0.2)))

    def test_report(self):
        """The hardware work queues: the row of a host queue in RAM, low and high halves, and a path from its access."""
        cells = ["--liberty", self.file(Library().text())]  # 1.5 um^2 to the GE, 23.3 ps to the FO4
        one = json.loads(area("kmu", "--json", *cells).stdout)["blocks"][0]
        table = self.file(self.HEAD + "128,256,15000,7.0,0.2\n", "rams.csv")
        r = json.loads(area("kmu", "--json", "--ram-table", table, *cells).stdout)
        b = r["blocks"][0]
        self.assertEqual(r["cells"]["rams"], "table")
        self.assertEqual((b["ge"]["ram_low"], b["ge"]["ram_high"], b["um2"]["ram_high"]), (10000, 10000, 15000))
        self.assertEqual(b["ge"]["flops"], one["ge"]["flops"])
        self.assertGreater(b["fo4"], 7.0 / 0.0234)
        output = area("kmu", "--ram-table", table, *cells).stdout
        self.assertIn("RAM: the macros of the table", output)

    def test_node_of_the_model(self):
        """um^2 of RAM by the model require a node; without one they are missing."""
        own = self.file(Library().text())
        self.assertEqual(self.report(own)["smx_memories"]["um2"], {"ram_low": None, "ram_high": None})
        r = self.report(own, "--node", "22")
        self.assertGreater(r["smx_memories"]["um2"]["ram_low"], 0)
        self.assertEqual(r["blocks"][0]["um2"], dict(self.report(own)["blocks"][0]["um2"], ram_low=0, ram_high=0))

    def test_bad_tables(self):
        for text, why in (("", "its first line has to be rows,bits,um2,access_ns,setup_ns"),
                          (self.HEAD, "no macro in it"), (self.HEAD + "64,32.5,1,1,1\n", ":2: 5 num"),
                          (self.HEAD + "1,2,3\n", r"rams\.csv:2: 5 numbers"),
                          (self.HEAD + "64,32,nan,1,1\n", ":2: 5 num"), (self.HEAD + "64,32,-1,1,1\n", ":2: 5 num")):
            self.refused(why, "--liberty", "x.lib", "--ram-table", self.file(text, "rams.csv"))
        self.refused("nowhere.csv: No such file", "--liberty", "x.lib", "--ram-table", "nowhere.csv")


def main():
    loader = unittest.TestLoader()
    if sys.argv[1:]:
        suite = loader.loadTestsFromNames(sys.argv[1:], sys.modules[__name__])
    else:
        suite = unittest.TestSuite(map(loader.loadTestsFromTestCase, (Functions, Cells, Refused, RamTable)))
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    sys.exit(main())
