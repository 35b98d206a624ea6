#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Tests `heddle prove`: small blocks are proved, planted faults of RTL and model are refuted, a contract that no input
keeps is noticed. Ends with `N passed, N failed`.
  test_proofs.py [TEST..]      from the top of the checkout
Without CBMC the tests that prove are skipped by name."""
import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.dont_write_bytecode = True
sys.path[:0] = ["verif/proofs", "synth/area", "rtl", "tb/build", "verif/cli"]
import assertions  # noqa: E402
import checker  # noqa: E402
import flat  # noqa: E402
import harness  # noqa: E402
import proof  # noqa: E402
import test_json_keys  # noqa: E402
import tools  # noqa: E402
from gates import Gates  # noqa: E402
from hdgen.tables import BLOCKS  # noqa: E402
from progress import Progress  # noqa: E402

# Blocks, and a planted fault of each.
SMALL = {"agc": 65, "dats": 256, "fcfs": 8, "link": 201, "match": 35, "regs": 21, "tbcr": 13}
QUIET = Progress(quiet=True, begins=False)
OPTIONS = {"config": "tiny", "sets": [], "fault": 0, "model": None, "bounded": 0, "depth": 0, "unwind": 0, "limit": 600,
           "memory": 6}


def prove(*argv, **more):
    return subprocess.run([sys.executable, "verif/proofs", *argv], capture_output=True, text=True,
                          env={**os.environ, **more})


def results(*argv):
    """Returns (exit code, {block: its results})."""
    done = prove(*argv, "--json")
    return done.returncode, {b["name"]: b for b in json.loads(done.stdout or "{\"blocks\": []}")["blocks"]}


def one(block, **more):
    return proof.Proof(block, argparse.Namespace(**{**OPTIONS, **more}), QUIET)


@contextlib.contextmanager
def changed(old, new):
    """The hand-written file of fcfs with another text."""
    with open("verif/proofs/blocks/fcfs_proof.h") as f:
        text = f.read().replace(old, new, 1)
    with tempfile.TemporaryDirectory(dir="build") as folder, unittest.mock.patch.object(proof, "BLOCKS", folder):
        with open(f"{folder}/fcfs_proof.h", "w") as f:
            f.write(text)
        yield


def without_tools():
    """Returns why the tools are not available, or "": for skips."""
    try:
        checker.versions()
    except (checker.Missing, tools.Failed) as e:
        return str(e)
    return ""


MISSING = without_tools()
with_tools = unittest.skipIf(MISSING, f"cbmc, cadical: {MISSING}")


class Assertions(unittest.TestCase):
    def statement(self, text):
        return flat.PROPERTY.sub(flat.statement, text)

    def test_property_of_one_cycle(self):
        self.assertEqual(self.statement('`HD_ASSERT_PROP(a_x, a |-> f(b, c),\n    "Text.")'),
                         "always @(posedge clk_i) if (rst_ni) assert (!(a ) || ( f(b, c)));\n")

    def test_property_without_implication(self):
        self.assertEqual(self.statement('`HD_ASSERT_PROP_IN(a_x, a || b, "Text.")'),
                         "always @(posedge clk_i) if (rst_ni) assume (a || b);")

    def test_property_of_two_cycles(self):
        self.assertEqual(self.statement('`HD_ASSERT_PROP(a_x, a |=> $stable(b), "Text.")'),
                         "always @(posedge clk_i) if (rst_ni && $past(rst_ni)) assert (!$past(a ) || ( $stable(b)));")

    def test_assertions_have_their_labels(self):
        """All of a block, by instance, with the kind that the macro names; one names a signal of an instance."""
        found = one("tbcr").gates.assertions
        self.assertEqual(found["a_grant"].kind, "assume")
        self.assertEqual(found["u_free.a_fits"].kind, "assume")
        self.assertEqual(found["u_done.a_push"].kind, "assume")
        self.assertEqual(found["a_done_place"].kind, "assert")
        self.assertNotIn("a_owed", found)

    def test_assumed_are_those_of_the_ports(self):
        owed = [a.name for a in one("tbcr").tables.owed]
        self.assertEqual(owed, ["a_agei", "a_grant", "a_level", "a_need", "a_retire", "a_run", "u_free.a_fits"])

    def test_unknown_assertion(self):
        with self.assertRaisesRegex(ValueError, "no assertion a_none; there are: a_agei"):
            harness.Tables("tbcr", one("tbcr").p, one("tbcr").gates, ["a_none"])


class Netlist(unittest.TestCase):
    def gates(self):
        """A flop with enable and reset behind an AND of an input and an undriven bit."""
        module = {"ports": {"a_i": {"direction": "input", "bits": [2]}, "q_o": {"direction": "output", "bits": [4]}},
                  "netnames": {"count_q": {"bits": [4], "hide_name": 0}, "in_q": {"bits": [3], "hide_name": 0}},
                  "cells": {"g": {"type": "$_AND_", "connections": {"A": [2], "B": [9], "Y": [3]}},
                            "f": {"type": "$_DFFE_PN1P_", "connections": {"C": [8], "D": [3], "E": [2], "R": ["1"],
                                                                         "Q": [4]}}}}
        return Gates(module, {}, [])

    def test_next_state(self):
        gates = self.gates()
        self.assertEqual(gates.next(4), "(!1 ? 1 : (in_a_i_0 ? n3 : f0))")
        self.assertEqual((len(gates.state), gates.count(), len(gates.free)), (1, 1, 1))

    def test_registers_follow_from_the_state(self):
        self.assertEqual(list(self.gates().registers), ["count_q"])


class Work(unittest.TestCase):
    def test_arrays_have_the_sizes_of_the_configuration(self):
        for n in (3, 2):
            self.assertIn(f"uint8_t marked[{n}];", one("fcfs", sets=[f"NumKde={n}"]).texts([])["main.i"])

    def test_a_new_checkout_with_a_full_store(self):
        """The netlist is in the store, so nothing but this makes the folder of the work."""
        one("fcfs")
        with tempfile.TemporaryDirectory(dir="build") as folder, \
                unittest.mock.patch.object(proof, "WORK", f"{folder}/work"):
            one("fcfs")
            self.assertTrue(os.path.isdir(proof.WORK))


class Asserted(unittest.TestCase):
    """Assertions of the RTL, by ABC."""

    def test_small_blocks(self):
        code, blocks = results("fcfs", "match", "link", "memarb", "--assertions")
        found = {b: {a["result"] for a in r["assertions"]} for b, r in blocks.items()}
        self.assertEqual((code, found), (0, dict.fromkeys(("fcfs", "match", "link", "memarb"), {"proved"})))
        self.assertEqual(len(blocks["memarb"]["assertions"]), 9)
        self.assertEqual(set(test_json_keys.keys(list(blocks.values()))) - test_json_keys.listed(), set())

    def test_a_planted_fault(self):
        code, blocks = results("fcfs", "--assertions", "--fault", "8")
        found = [a for a in blocks["fcfs"]["assertions"] if a["result"] == "refuted"]
        self.assertEqual((code, bool(found)), (0, True))
        self.assertGreater(found[0]["depth"], 0)

    def test_a_fault_that_no_assertion_sees(self):
        self.assertEqual(results("match", "--assertions", "--fault", "34")[0], 1)

    def test_a_contract_that_does_not_say_enough(self):
        """In agt an assertion needs more than the assertions about the inputs."""
        code, blocks = results("agt", "--assertions")
        found = {a["name"]: a["result"] for a in blocks["agt"]["assertions"] if a["result"] != "proved"}
        self.assertEqual((code, found), (1, {"u_info.g_bank[0].u_ram.a_no_conflict": "refuted"}))

    def test_assumptions_that_no_input_keeps(self):
        block = assertions.Assertions("fcfs", argparse.Namespace(**{**OPTIONS, "limit": 20}), QUIET)
        block.owed[0].cells = [("0", "1")]
        self.assertEqual({a["result"] for a in block.results()["assertions"]}, {"unreachable"})

    def test_little_time(self):
        """What is bounded or open is not stored."""
        block = assertions.Assertions("devq", argparse.Namespace(**{**OPTIONS, "limit": 1}), QUIET)
        hard = [a for a in block.own if a.name == "u_answers.a_answer_stable"]
        self.assertIn(block.answer("hard", hard)["result"], ("bounded", "open"))


class Refusals(unittest.TestCase):
    def test_bad_usage(self):
        for argv, why in ((["nope"], "no invariant of a block 'nope'; there are: agc"),
                          (["fcfs", "--fault", "34"], "no such fault of fcfs"),
                          (["fcfs", "--fault", "x"], "a number of verif/faults.csv or all is accepted"),
                          (["fcfs", "--model", "x"], "OLD=>NEW is accepted"),
                          (["fcfs", "--limit", "0"], "--limit 0: accepted: 1 or more"),
                          (["top", "--assertions"], "no block 'top'; there are: kmu"),
                          (["fcfs", "--assertions", "--bounded", "9"], "--assertions is about the RTL alone"),
                          (["fcfs", "--config", "k99"], "no configuration 'k99'"),
                          (["fcfs", "--json=/nowhere/x.json"], "/nowhere/x.json: No such file")):
            r = prove(*argv)
            self.assertEqual((r.returncode, r.stdout), (2, ""), argv)
            self.assertIn(why, r.stderr)

    def test_every_file_is_of_a_block(self):
        self.assertLessEqual(set(proof.provable()), set(BLOCKS))

    def test_a_setting_that_does_not_exist(self):
        with self.assertRaisesRegex(ValueError, "no setting 'wire'; there are: passes, wires"):
            harness.settings("/* wires: a\n * wire: b */\n")


class Lockstep(unittest.TestCase):
    """Contracts and invariants on random stimuli."""

    def test_every_block_keeps_them(self):
        code, blocks = results("--lockstep", "20000")
        self.assertEqual({b: r["result"] for b, r in blocks.items()}, dict.fromkeys(proof.provable(), "held"))
        self.assertEqual(code, 0)

    def test_a_contract_that_is_too_tight(self):
        with changed("  ASSUME(", "  ASSUME(!in->sched_rotate);\n  ASSUME("):
            found = one("fcfs").lockstep(2000)
        self.assertEqual(found["result"], "broken")
        self.assertRegex(found["violated"], r"\Acontract: !in->sched_rotate: cycle \d+\Z")


@with_tools
class Proved(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.code, cls.blocks = results(*SMALL)

    def test_small_blocks_are_proved(self):
        found = {b: r["result"] for b, r in self.blocks.items()}
        self.assertEqual((self.code, found), (0, dict.fromkeys(SMALL, "proved")))

    def test_questions(self):
        for b in self.blocks.values():
            found = {q["question"]: q["result"] for q in b["questions"]}
            self.assertEqual(found, {"step": "proved", "base": "proved", "reach": "reached"}, b["name"])

    def test_flops_are_those_of_the_rtl(self):
        self.assertEqual(self.blocks["fcfs"]["flops"], 6)  # a count of two bits, two positions of one bit, two marks

    def test_a_planted_fault_is_refuted(self):
        for block, fault in SMALL.items():
            code, found = results(block, "--fault", str(fault))
            self.assertEqual((code, found[block]["result"], found[block]["fault"]), (0, "refuted", fault))

    def test_all_faults_of_a_block(self):
        code, found = results("fcfs", "--fault", "all")
        self.assertEqual((code, found["fcfs"]["result"]), (0, "refuted"))

    def test_a_fault_of_the_model_is_refuted(self):
        done = prove("fcfs", "--model", "m->count--;=>;", "--trace")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^fcfs .* refuted: ")
        self.assertRegex(done.stdout, r"(?m)^in sched_(unmark|rotate): 1")  # an entry leaves the head

    def test_bounded_from_reset(self):
        code, found = results("fcfs", "--bounded", "8")
        self.assertEqual((code, found["fcfs"]["result"], found["fcfs"]["depth"]), (0, "bounded", 8))

    def test_a_contract_that_no_input_keeps(self):
        """It proves everything, so `reach` must notice it."""
        with changed("  ASSUME(", "  ASSUME(in->sched_unmark && !in->sched_unmark);\n  ASSUME("):
            found = one("fcfs")
            self.assertEqual([found.answer(q)["result"] for q in ("step", "reach")], ["proved", "unreachable"])

    def test_an_invariant_that_does_not_hold(self):
        with changed("m->count <= cfg.num_kde", "m->count < cfg.num_kde"):
            answer = one("fcfs").answer("step")
        self.assertEqual((answer["result"], answer["violated"]), ("refuted", "range"))

    def test_too_little_time(self):
        """It is open, and is not stored."""
        found = one("kin", limit=1, depth=5)
        self.assertEqual([found.answer("step")["result"] for _ in range(2)], ["open", "open"])

    def test_second_run_makes_nothing(self):
        again = prove(*SMALL)
        self.assertEqual((again.returncode, again.stderr), (0, ""))

    def test_json_keys_are_those_of_the_page(self):
        self.assertEqual(set(test_json_keys.keys(list(self.blocks.values()))) - test_json_keys.listed(), set())


def main():
    if MISSING:
        print(f"skipped: proofs: {MISSING}")
    loader = unittest.TestLoader()
    cases = [Assertions, Netlist, Work, Asserted, Refusals, Lockstep, Proved]
    suite = (loader.loadTestsFromNames(sys.argv[1:], sys.modules[__name__]) if sys.argv[1:] else
             unittest.TestSuite(loader.loadTestsFromTestCase(c) for c in cases))
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
