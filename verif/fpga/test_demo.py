#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Tests the demonstrator (docs/demo.md): its whole RTL in Verilator, through the two wires of its serial line, by the
host's program, in lockstep with the golden model. Ends with `N passed, N failed`.
  test_demo.py            from the top of the checkout: a minute and a half, and the build of tiny/ulx3s/demo
  test_demo.py --long     the whole bundled graph, each policy, random traces"""
import gzip
import os
import random
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path[:0] = ["synth/fpga/demo", "python", "rtl"]
import board  # noqa: E402
import heddle  # noqa: E402
import line  # noqa: E402
import lockstep  # noqa: E402
import model  # noqa: E402
import work  # noqa: E402

TARGET = "tiny/ulx3s/demo"
SMALL = "synth/fpga/demo/small.trace"
GRAPH = "tb/data/debian12.mtx.gz"
PINS = lockstep.accessors("tiny")
# Planted faults of the plane (verif/faults.csv): round robin of retired TBs, and of the SMXs.
FAULTS = (20, 29)


class Demo(unittest.TestCase):
    """A simulated board for each test."""

    def open(self, seed=1, fault=0):
        port = line.Simulated(f"build/{TARGET}.so", seed, fault)
        self.addCleanup(port.close)
        return board.Board(port)

    def lockstep(self, job, policy="rr", change=lambda event: event, **more):
        at = self.open(**more)
        return lockstep.run(at, model.Model(PINS, "tiny", policy, job), job, PINS, change)


def of_lines(*lines):
    """Returns the work of a trace of version 2."""
    with tempfile.NamedTemporaryFile("w", suffix=".trace") as f:
        f.write("\n".join(["heddle-trace 2", *lines, ""]))
        f.flush()
        return work.of_trace(f.name, "tiny")


class Lines(unittest.TestCase):
    def test_frames(self):
        sent = line.command(1, 3, 0x1234, 5)
        self.assertEqual((len(sent), line.check(sent)), (line.COMMAND, 0))
        body = bytes([line.FIRST + 2, *range(16)])
        frames, frame = line.Frames(), body + bytes([line.check(body)])
        self.assertEqual(list(frames.add(frame[:7])), [])
        self.assertEqual(list(frames.add(frame[7:])), [(2, int.from_bytes(bytes(range(16)), "little"))])
        with self.assertRaisesRegex(line.Failed, "damaged"):
            list(frames.add(body + b"\x00"))

    def test_no_port(self):
        with self.assertRaisesRegex(line.Failed, "^/nowhere/tty: "):
            line.Port("/nowhere/tty")

    def test_a_port_is_set(self):
        """A pseudo terminal passes all bytes unchanged."""
        ours, theirs = os.openpty()
        port = line.Port(os.ttyname(theirs))
        port.write(bytes(range(256)))
        self.assertEqual(os.read(ours, 256), bytes(range(256)))
        os.write(ours, b"\x00\x03\x0a\x0d\x11\x13\xff")
        self.assertEqual(port.read(0), b"\x00\x03\x0a\x0d\x11\x13\xff")
        port.close()
        os.close(ours)
        os.close(theirs)


class Works(unittest.TestCase):
    def test_limits(self):
        kernel = ({"grid": (1, 1, 1), "cta": (1, 1, 1), "regs": 0, "smem": 0, "hwq": 0}, 0, None)
        for kernels, why in (([(*kernel, [5])] * 257, "257 kernels"), ([(*kernel, [5, 6] * 2049)], "4098 durations"),
                             ([(*kernel, [1 << 24])], "16777216 cycles")):
            with self.assertRaisesRegex(line.Failed, why):
                work.Work(kernels)

    def test_a_trace_with_more(self):
        with self.assertRaisesRegex(line.Failed, "'after a b'"):
            of_lines("kernel a 0 0 1 1 1 32 1 1 0 0 5", "kernel b 0 1 1 1 1 32 1 1 0 0 5",
                     "kernel c 0 1 1 1 1 32 1 1 0 0 5", "after a b")

    def test_table(self):
        job = of_lines("kernel a 7 1 3 1 1 32 1 1 4 0 each(5,6,7)", "kernel b 2 0 2 1 1 32 1 1 4 0 9", "after a")
        self.assertEqual([(launch.arguments["hwq"], launch.first, launch.after) for launch in job.launches],
                         [(1, 7, None), (0, 2, 0)])
        self.assertEqual([job.duration(launch.arguments["pc"], 1) for launch in job.launches], [6, 9])


class Board(Demo):
    def test_memory(self):
        rng, at = random.Random(5), self.open()
        at.control(run=True)
        rows = {rng.randrange(4096): rng.getrandbits(128) for _ in range(20)}
        for row, data in rows.items():
            at.write(board.MEMORY, row, data)
        at.settle()
        self.assertEqual({row: at.read(board.MEMORY, row) for row in rows}, rows)

    def test_registers(self):
        at = self.open()
        at.control(run=True)
        registers = PINS["REGISTERS"]
        self.assertEqual(at.read(board.APB, registers["ID"].offset), registers["ID"].reset)
        at.write(board.APB, registers["REC_BASE"].offset, 0x1234)
        self.assertEqual(at.read(board.APB, registers["REC_BASE"].offset), 0x1234)
        with self.assertRaisesRegex(line.Failed, "no register"):
            at.read(board.APB, 0xffc)
        self.assertEqual(at.status(), board.Status(at.status().cycle, 1, 0, 0, 0, 0, 258, 2, 2))

    def test_damaged_commands(self):
        at = self.open()
        for data, why in ((line.command(0, 7, 0), "no such space"), (b"\x50" + bytes(19), "arrived damaged")):
            at.open = 1
            at.port.write(data)
            with self.assertRaisesRegex(line.Failed, why):
                at.settle()
        at.port.write(line.command(0, 0, 0)[:11])
        at.port.rest()
        at.status()

    def test_button(self):
        at = self.open()
        at.control(run=True)
        self.assertEqual(at.status().out_of_reset, 1)
        self.assertEqual(at.port.lib.demo_leds(at.port.tb) & 1, 1)
        at.port.lib.demo_press(at.port.tb, 1)
        at.port.read(100)
        at.port.lib.demo_press(at.port.tb, 0)
        self.assertEqual(at.status().out_of_reset, 0)
        self.assertEqual(at.port.lib.demo_leds(at.port.tb) & 1, 0)

    def test_another_configuration(self):
        job = of_lines("kernel a 0 0 1 1 1 32 1 1 0 0 5")
        with self.assertRaisesRegex(line.Failed, "the board has smxs=2, the model 13"):
            lockstep.run(self.open(), model.Model(lockstep.accessors("k20c"), "k20c", "rr", job), job, PINS)


class Lockstep(Demo):
    def test_small_trace(self):
        """With a launch that its HWQ refuses, one after another kernel, and one at its arrival."""
        job = work.of_trace(SMALL, "tiny")
        events, stalls = self.lockstep(job)
        self.assertEqual(stalls, 0)
        self.assertEqual(sum(isinstance(e, board.Tb) for e in events), 56)
        self.assertEqual(sorted(e.tag for e in events if isinstance(e, board.Done)), list(range(8)))
        self.assertIn(model.REFUSED, [e.code for e in events if isinstance(e, board.Answer)])

    def test_other_initial_values(self):
        job = work.of_trace(SMALL, "tiny")
        self.assertEqual(self.lockstep(job, seed=2), self.lockstep(job, seed=3))

    def test_policies(self):
        job = work.of_trace(SMALL, "tiny")
        for policy in heddle.policies():
            self.lockstep(job, policy)

    def test_runs_again(self):
        """A reset by the host, then the same events."""
        job, at = work.of_trace(SMALL, "tiny"), self.open()
        first, again = (lockstep.run(at, model.Model(PINS, "tiny", "rr", job), job, PINS) for _ in range(2))
        self.assertEqual(first, again)

    def test_cycles_are_those_of_heddle_run(self):
        """One kernel: no launch is refused, and the trace never waits. The board offers its first launch in cycle 1,
        heddle run in cycle 0."""
        text = "heddle-trace 1\n0 0 40 1 1 32 1 1 8 0 uniform(4,90)\n"
        with tempfile.NamedTemporaryFile("w", suffix=".trace") as f:
            f.write(text)
            f.flush()
            job = work.of_trace(f.name, "tiny")
            report = heddle.run(None, trace=f.name, config="tiny", tbs=True)
        expected = sorted((tb["dispatched"] + 1, tb["smx"], tb["slot"], tb["id"]) for tb in work.records(report.tbs))
        events, _ = self.lockstep(job)
        self.assertEqual([(e.cycle, e.smx, e.slot, e.blkid) for e in events if isinstance(e, board.Tb)], expected)

    def test_a_part_of_the_bundled_graph(self):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as f:
            f.write(cut(5000))
            f.flush()
            job = work.of_rounds("bfs", f.name, "tiny", 64, 8, sources=1)
        events, _ = self.lockstep(job)
        self.assertGreater(sum(isinstance(e, board.Tb) for e in events), 40)

    def test_the_trace_stalls_and_loses_nothing(self):
        """More TBs than the trace has rows, faster than the line takes them."""
        job = of_lines("kernel a 0 0 530 1 1 32 1 1 0 0 3")
        events, stalls = self.lockstep(job)
        self.assertEqual([e.blkid for e in events if isinstance(e, board.Tb)], list(range(530)))
        self.assertGreater(stalls, 0)


class Differences(Demo):
    """The compare finds what is wrong."""

    def test_planted_faults(self):
        job = work.of_trace(SMALL, "tiny")
        for fault in FAULTS:
            with self.assertRaises(lockstep.Mismatch, msg=fault):
                self.lockstep(job, fault=fault)

    def test_a_changed_event(self):
        job = work.of_trace(SMALL, "tiny")
        for kind, field in ((board.Tb, "blkid"), (board.Tb, "cycle"), (board.Tb, "fold"), (board.Done, "tag"),
                            (board.Answer, "code")):
            seen = []

            def change(event):
                seen.append(event)
                late = len(seen) > 5 and isinstance(event, kind) and not any(isinstance(e, str) for e in seen)
                return event._replace(**{field: getattr(event, field) ^ 1}) if late else event
            with self.assertRaisesRegex(lockstep.Mismatch, f"they differ in .*{field}|model: no event"):
                self.lockstep(job, change=change)

    def test_a_register(self):
        job = of_lines("kernel a 0 0 2 1 1 32 1 1 0 0 5")
        with self.assertRaisesRegex(lockstep.Mismatch, "register CTAS_OUT_LO"):
            self.lockstep(job, fault=28)


def cut(nodes):
    """Returns the bundled graph among its first nodes, as an edge list."""
    with gzip.open(GRAPH, "rt") as f:
        edges = [line.split() for line in f if not line.startswith("%")][1:]
    return "".join(f"{a} {b}\n" for a, b in edges if int(a) <= nodes and int(b) <= nodes)


class Command(unittest.TestCase):
    def demo(self, *argv):
        return subprocess.run([sys.executable, "synth/fpga", "demo", *argv], capture_output=True, text=True)

    def test_run(self):
        done = self.demo("--port", "sim")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"\APASS: 8 kernels, 56 hand-outs in 1,\d+ cycles, 0 stalls .* s\n\Z")

    def test_bad_usage(self):
        for argv, why in ((["--trace", "a", "--bfs", "b"], "one of them"), (["--port", "/nowhere"], "/nowhere: "),
                          (["--policy", "x", "--port", "sim"], "choose from"), (["--config", "x"], "configuration")):
            done = self.demo(*argv)
            self.assertEqual((done.returncode, done.stdout), (2, ""), argv)
            self.assertIn(why, done.stderr)


class Long(Demo):
    def test_bundled_graph(self):
        job = work.of_rounds("bfs", GRAPH, "tiny", 64, 8, sources=1)
        events, _ = self.lockstep(job)
        self.assertGreater(len(events), 900)

    def test_two_searches(self):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as f:
            f.write(cut(20000))
            f.flush()
            job = work.of_rounds("bfs", f.name, "tiny", 64, 8, sources=2)
        for policy in heddle.policies():
            self.lockstep(job, policy)

    def test_random_traces(self):
        for seed in range(20):
            rng = random.Random(seed)
            lines = [f"kernel k{k} {rng.randrange(2000)} {rng.randrange(2)} {rng.randint(1, 12)} {rng.randint(1, 2)} 1 "
                     f"{rng.choice((1, 16, 32, 33, 64, 128))} 1 1 {rng.randint(0, 8)} {rng.choice((0, 0, 256, 1024))} "
                     f"{rng.choice(('3', '40', 'uniform(3,200)', 'exp(60)'))}" for k in range(rng.randint(1, 20))]
            with self.subTest(seed=seed):
                self.lockstep(of_lines(*lines), seed=seed)


def main():
    long = "--long" in sys.argv[1:]
    names = [name for name in sys.argv[1:] if name != "--long"]
    if subprocess.run([sys.executable, "tb/build", "-q", TARGET]).returncode:
        print("0 passed, 1 failed")
        return 1
    loader = unittest.TestLoader()
    cases = [Lines, Works, Board, Lockstep, Differences, Command] + [Long] * long
    suite = (loader.loadTestsFromNames(names, sys.modules[__name__]) if names else
             unittest.TestSuite(loader.loadTestsFromTestCase(c) for c in cases))
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
