#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Checks that generator, model and RTL accept the same parameters, with the same messages. Each row of
rtl/pkg/limits.csv is broken on both sides where it has two, and values at the limit are tried. Run from the top of the
checkout, after make. Ends with `N passed, N failed`."""
import glob
import re
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, "rtl")
from hdgen import layout, limits, params, sv, tables  # noqa: E402
from hdgen.expressions import evaluate  # noqa: E402

# Illegal pairs, each value alone within the range of its field.
PAIRS = ["RecW=8", "LevelW=2", "ParamW=4", "StreamIdW=2", "HwqIdW=3", "ExeW=2", "GroupXW=40",
         "RegsPerSmx=1000", "SmemPerSmx=262144", "AgtSize=1000", "AgtSize=1", "HwqDepth=3", "RegUnit=0",
         "ThreadsPerSmx=33", "OvfSlots=1", "NumKde=0"]


def output(command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


class Limits(unittest.TestCase):
    def generator(self, setting):
        """Returns the generator's message for k20c with one parameter changed; "" if it is accepted."""
        try:
            params.of("k20c", [setting])
        except SystemExit as e:
            return str(e).removeprefix("hdgen: ")
        return ""

    def model(self, setting):
        """Returns the command's message, which it prints before it builds anything."""
        code, text = output(["build/heddle", "equiv", "fcfs", "--config", "k20c", "--set", setting, "--cycles", "1"])
        self.assertEqual(code, 2, text)
        return text

    def rtl(self, setting):
        """Returns Verilator's message for hd_limits with a package in which a macro sets that parameter."""
        name, value = setting.split("=")
        code, text = output(["verilator", "--lint-only", "-Wno-lint", "-Wno-style", "--top-module", "hd_limits",
                           f"+define+{sv.macro(name)}={value}", "rtl/pkg/hd_pkg.sv", "rtl/common/hd_limits.sv"])
        words = re.findall(r"USERFATAL: \S+ (.*)", text)
        self.assertEqual(code != 0, bool(words), text)
        return words

    def test_the_generator_as_a_command(self):
        for setting, code in (PAIRS[0], 1), ("RecW=11", 0):
            done = subprocess.run([sys.executable, "rtl/hdgen", "config", "--set", setting], capture_output=True,
                                  text=True)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertEqual(done.stderr.strip().removeprefix("hdgen: "), self.generator(setting))
            self.assertEqual(done.stdout, "" if code else sv.gen_config("k20c", [setting]))

    def test_the_same_words(self):
        for setting in PAIRS:
            with self.subTest(setting):
                words = self.generator(setting)
                self.assertRegex(words, f"^{setting}: .* is accepted$")
                self.assertIn(words, self.model(setting))
                if setting != "RegUnit=0":  # nothing can be generated from it
                    self.assertIn(words, self.rtl(setting))

    def test_every_range_by_its_ends(self):
        k20c = params.of("k20c")
        for r in tables.LIMITS:
            if r["condition"]:
                continue
            low, high = (evaluate(r[k], k20c) for k in ("min", "max"))
            for value in (low - 1, high + 1):
                if value >= 0:
                    setting = f"{r['param']}={value}"
                    with self.subTest(setting):
                        words = self.generator(setting)
                        self.assertRegex(words, f"^{setting}: .* is accepted$")
                        self.assertIn(words, self.model(setting))

    def test_what_is_just_right(self):
        for setting in ("RecW=11", "LevelW=3", "ParamW=7", "StreamIdW=5", "HwqIdW=5", "ExeW=9",
                        "DoneSlack=20"):
            with self.subTest(setting):
                self.assertEqual(self.generator(setting), "")
                self.assertEqual(self.rtl(setting), [])

    def test_every_parameter_has_a_limit(self):
        self.assertEqual({r["param"] for r in tables.CONFIGS} - {r["param"] for r in tables.LIMITS}, set())

    def test_there_is_room_in_c(self):
        """The C structs have room for every legal value of one parameter, with the others as in a named configuration:
        elements of arrays, also of those that no table names, and bits of numbers."""
        counts, leaves = set(), set()
        for r in (r for b in tables.BLOCKS for r in tables.port_rows(b, "in", "out", "state", "table")):
            counts.add(r["count"])
            leaves |= {leaf for _, leaf in params.leaf_types(r["type"])}
        sources = [p for d in ("cmodel", "tb") for p in glob.glob(f"{d}/**/*.[ch]", recursive=True)]
        used = set(re.findall(r"\[[^\]]*\bHD_MAX_(\w+)", "".join(open(p).read() for p in sources)))
        counts |= {n for n in params.ALL["k20c"] if limits.snake(n).upper() in used}
        room = {c: params.max_over(c) for c in counts}
        room |= {leaf: 8 * layout.BYTES[layout.c_type(leaf)] for leaf in leaves - counts}
        room = {e: n for e, n in room.items() if re.search(r"[A-Za-z]", e)}
        ends = {r["param"]: {1 << k for k in range(17)} for r in tables.LIMITS}
        for r in tables.LIMITS:
            if not r["condition"]:
                ends[r["param"]] |= {evaluate(r["max"], p) for p in params.ALL.values()}
        for name, value, config in ((n, v, c) for n in ends for v in ends[n] for c in params.ALL):
            try:
                p = params.of(config, [f"{name}={value}"])
            except SystemExit:
                continue
            over = [e for e in room if evaluate(e, p) > room[e]]
            with self.subTest(f"{config}, {name}={value}"):
                self.assertEqual(over, [])


if __name__ == "__main__":
    suite = unittest.TestLoader().loadTestsFromNames(sys.argv[1:] or ["Limits"], sys.modules[__name__])
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(failed > 0)
