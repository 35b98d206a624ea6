#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""heddle.Plane, used and misused: closed planes, copies, numbers and texts out of range, callbacks that raise, threads,
what TBs launch, graphs. Each test
runs in a process of its own, so that a crash fails one test. Run from the top of the checkout, after `make lib`.
Ends with `N passed, N failed`."""
import copy
import gc
import os
import pickle
import re
import subprocess
import sys
import threading
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, "python")
import heddle  # noqa: E402

KERNEL = {"grid": (3,), "cta": (64,), "regs": 16}
POLICIES = ", ".join(heddle.policies())
TB = heddle.Dispatch(0, 0, 0, 0, 0, 0, cta=(64, 1, 1))


class Number:
    """What is no int but counts as one."""
    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


class Python(unittest.TestCase):
    def setUp(self):
        self.plane = heddle.Plane("tiny")

    def tearDown(self):
        self.plane.close()

    def refused(self, kind, words, call, *args, **keywords):
        """The call raises `kind`, which is a heddle.Error, with these words."""
        with self.assertRaises(kind) as caught:
            call(*args, **keywords)
        self.assertIsInstance(caught.exception, heddle.Error)
        self.assertEqual(str(caught.exception), words)

    # ---- Closed planes

    def uses(self):
        """Every method and lookup of a plane, by name."""
        p = self.plane
        return {"reset": p.reset, "launch": lambda: p.launch(**KERNEL), "done": lambda: p.done(0, 0),
                "answer_ready": lambda: p.answer_ready(True), "dispatch_ready": lambda: p.dispatch_ready(0, True),
                "kernel_done_ready": lambda: p.kernel_done_ready(True), "launch_ready": p.launch_ready,
                "answer": p.answer, "kernel_done": p.kernel_done, "dispatches": p.dispatches, "tick": p.tick,
                "read": lambda: p.read(0), "write": lambda: p.write(0, 0), "run": lambda: p.run([], lambda tb: 1),
                "[]": lambda: p["NumSmx"], "with": p.__enter__, "handouts": lambda: p.handouts([]),
                "hold": lambda: p.hold(TB, 1), "launch_group": lambda: p.launch_group(TB, (1,)),
                "launch_kernel": lambda: p.launch_kernel(TB, (1,)), "graph": lambda: p.graph((1,)),
                "device_launch": lambda: p.device_launch(TB, "group", {"grid": (1,)}), "save": lambda: p.save(TB, 0),
                "launch_cycles": lambda: p.launch_cycles("group", 1), "device_answers": p.device_answers,
                "kernel_failed": p.kernel_failed, "state": lambda: p.state}

    def test_a_closed_plane(self):
        uses = self.uses()
        public = {n for n in dir(heddle.Plane) if not n.startswith("_") and callable(getattr(heddle.Plane, n))}
        self.assertEqual(public - set(uses), {"close"})
        self.plane.close()
        for name, use in uses.items():
            with self.subTest(name):
                self.refused(heddle.Error, "the plane is closed", use)
        self.plane.close()

    def test_behind_a_with_statement(self):
        with self.plane as plane:
            plane.tick()
        self.refused(heddle.Error, "the plane is closed", plane.tick)

    def test_a_with_statement_that_raises(self):
        with self.assertRaises(ZeroDivisionError):
            with self.plane as plane:
                plane.tick()
                raise ZeroDivisionError
        self.refused(heddle.Error, "the plane is closed", plane.tick)

    def test_a_plane_that_was_never_made(self):
        self.refused(heddle.Error, "the plane is closed", heddle.Plane.__new__(heddle.Plane).tick)

    def test_a_plane_that_is_made_again(self):
        self.plane.launch(**KERNEL)
        self.plane.__init__("k20c")
        self.assertEqual(self.plane.smxs, 13)
        self.plane.tick()

    def test_a_method_that_outlives_its_plane(self):
        tick = heddle.Plane("tiny").tick
        gc.collect()
        tick()

    def test_planes_in_a_circle(self):
        a, b = heddle.Plane("tiny"), heddle.Plane("tiny")
        a.other, b.other = b, a
        del a, b
        self.assertGreater(gc.collect(), 0)

    # ---- Copies

    def test_copies(self):
        for way in copy.copy, copy.deepcopy, pickle.dumps, lambda p: pickle.dumps(p, 0):
            self.refused(TypeError, "a plane can be neither copied nor pickled; make another one", way, self.plane)
        self.assertRaises(TypeError, copy.copy, vars(self.plane)["_handle"])
        self.plane.tick()

    # ---- Configurations

    def test_parameters(self):
        self.assertEqual(self.plane["Visit"], 0)
        self.assertEqual(heddle.Plane("tiny", NumSmx=Number(3))["NumSmx"], 3)
        for name in "NoSuchThing", "", "NumSmx\0", "numsmx", "\ud800", 3, None:
            with self.subTest(name), self.assertRaises(KeyError):
                self.plane[name]

    def test_configurations(self):
        self.refused(TypeError, "config=3: the name of a configuration is accepted", heddle.Plane, 3)
        self.refused(TypeError, "NumSmx='4': a whole number from 0 to 4294967295 is accepted", heddle.Plane, NumSmx="4")
        self.refused(TypeError, "NumSmx=4.0: a whole number from 0 to 4294967295 is accepted", heddle.Plane, NumSmx=4.0)
        self.refused(ValueError, f"NumSmx={2**32 + 4}: 0 to 4294967295 is accepted", heddle.Plane, NumSmx=2**32 + 4)
        self.refused(ValueError, "NumSmx=-1: 0 to 4294967295 is accepted", heddle.Plane, NumSmx=-1)
        self.refused(heddle.Error, "NumSmx=133: 1 to 132 is accepted", heddle.Plane, NumSmx=133)
        self.refused(ValueError, "config='tiny\\x00big': no NUL is accepted", heddle.Plane, "tiny\0big")
        for text in "", "nosuch", "\ud800", "é" * 30, "é" * 300, "a" + "é" * 300, "tiny+", "tiny+=", "+" * 1000:
            with self.subTest(text), self.assertRaises(heddle.Error):
                heddle.Plane(text)

    # ---- Numbers

    def test_sizes(self):
        p = self.plane
        for sizes, words in (
                ({"grid": (2**32 + 5,)}, "grid.x=4294967301: 1 to 2147483647 is accepted"),
                ({"grid": (0,)}, "grid.x=0: 1 to 2147483647 is accepted"),
                ({"grid": (1, 2**16)}, "grid.y=65536: 1 to 65535 is accepted"),
                ({"grid": (1, 1, -1)}, "grid.z=-1: 1 to 65535 is accepted"),
                ({"grid": (65538, 65535, 1)}, "ctas=4295032830: 1 to 4294967295 is accepted"),
                ({"cta": (2**32 + 64,)}, "cta.x=4294967360: 1 to 1024 is accepted"),
                ({"cta": (1025,)}, "cta.x=1025: 1 to 1024 is accepted"),
                ({"cta": (1, 1, 65)}, "cta.z=65: 1 to 64 is accepted"),
                ({"cta": (32, 33)}, "threads=1056: 1 to 1024 is accepted"),
                ({"grid": ()}, "grid=(): one to three numbers are accepted"),
                ({"grid": (1, 2, 3, 4)}, "grid=(1, 2, 3, 4): one to three numbers are accepted"),
                ({"cta": iter(int, 1)}, "cta=(0, 0, 0, 0): one to three numbers are accepted")):
            with self.subTest(words):
                self.refused(ValueError, words, p.launch, **dict({"grid": (1,), "cta": (64,)}, **sizes))
        for sizes, words in (
                ({"grid": 5}, "grid=5: one to three numbers are accepted, as (100,)"),
                ({"grid": None}, "grid=None: one to three numbers are accepted, as (100,)"),
                ({"grid": "12"}, "grid.x='1': a whole number from 1 to 2147483647 is accepted"),
                ({"cta": (64.0,)}, "cta.x=64.0: a whole number from 1 to 1024 is accepted")):
            with self.subTest(words):
                self.refused(TypeError, words, p.launch, **dict({"grid": (1,), "cta": (64,)}, **sizes))
        for _ in range(20):
            p.tick()
            self.assertIsNone(p.answer())
        p.launch([Number(2), 1], (Number(64),))

    def test_numbers(self):
        p, b = self.plane, {"grid": (1,), "cta": (64,)}
        for name, most in (("regs", 255), ("smem", 1024), ("tag", 65535), ("hwq", 1), ("pc", 2**40 - 1),
                           ("param", 2**40 - 1)):
            for value in -1, most + 1, 2**32, 2**64, 2**64 + 1:
                if value > most or value < 0:
                    self.refused(ValueError, f"{name}={value}: 0 to {most} is accepted", p.launch, **b, **{name: value})
            for value in 1.0, "1", None, b"1":
                self.refused(TypeError, f"{name}={value!r}: a whole number from 0 to {most} is accepted",
                             p.launch, **b, **{name: value})
        self.refused(ValueError, "tag=a number of 30001 bits: 0 to 65535 is accepted", p.launch, **b, tag=1 << 30000)
        for call, name, most in ((lambda v: p.done(v, 0), "smx", 1), (lambda v: p.done(0, v), "slot", 1),
                                 (lambda v: p.dispatch_ready(v, 1), "smx", 1), (p.read, "address", 2**32 - 1),
                                 (lambda v: p.write(v, 0), "address", 2**32 - 1),
                                 (lambda v: p.write(0, v), "value", 2**32 - 1)):
            for value in -1, most + 1, 2**32, 2**32 + 1, 2**64:
                self.refused(ValueError, f"{name}={value}: 0 to {most} is accepted", call, value)
            self.refused(TypeError, f"{name}='0': a whole number from 0 to {most} is accepted", call, "0")

    def test_what_counts_as_true(self):
        """256 is as true as 1: of an argument of 8 bits nothing is cut off."""
        p = self.plane
        for ready in 256, 2**40, -1, [0]:
            p.reset()
            p.launch(**KERNEL)
            p.answer_ready(ready), p.kernel_done_ready(ready), p.dispatch_ready(0, ready)
            answers = 0
            for _ in range(20):
                answers += p.answer() is not None
                for tb in p.dispatches():
                    self.assertEqual(tb.blkid // 2, 0 if tb.slot == 0 else 1)
                p.tick()
            self.assertEqual(answers, 1)

    def test_registers(self):
        self.assertEqual(self.plane.read(0), 0x4844444c)
        for address in 0xffc, 0x1000, 0x10000, 2**32 - 4:
            self.refused(heddle.Error, f"no register at {address:#x} that takes this (docs/service/regs.md)",
                         self.plane.read, address)

    def test_two_tbs_of_an_smx(self):
        self.plane.done(1, 0)
        self.plane.done(1, 0)
        self.refused(heddle.Error, "slot=1: SMX 1 has reported slot 0 as done in this cycle; one is accepted",
                     self.plane.done, 1, 1)
        self.plane.tick()
        self.plane.done(1, 1)
        self.plane.reset()
        self.plane.done(1, 0)

    # ---- Runs

    def test_the_kernels_of_a_run(self):
        run = self.plane.run
        self.refused(ValueError, "kernels[1]: grid.x=0: 1 to 2147483647 is accepted",
                     run, [KERNEL, dict(KERNEL, grid=(0,))], lambda tb: 1)
        self.refused(TypeError, "kernels[1]: regs='a': a whole number from 0 to 255 is accepted",
                     run, [KERNEL, dict(KERNEL, regs="a")], lambda tb: 1)
        self.refused(TypeError, "kernels[0]: the arguments of launch() as a dictionary are accepted",
                     run, [5], lambda tb: 1)
        self.refused(ValueError, "kernels[1]: tag=3: a tag that no kernel before has is accepted",
                     run, [dict(KERNEL, tag=3), dict(KERNEL, tag=3)], lambda tb: 1)
        self.refused(ValueError, "limit=-1: 1 to 18446744073709551615 is accepted", run, [KERNEL], lambda tb: 1, -1)
        with self.assertRaises(TypeError):
            run([dict(KERNEL, nosuch=3)], lambda tb: 1)
        self.assertEqual(self.plane.cycle, 0)
        self.assertEqual(run([KERNEL, KERNEL], lambda tb: 9).dispatches, 6)

    def test_how_long_a_tb_is_held(self):
        for hold in 0, -1, -2**40:
            self.refused(ValueError, f"hold={hold}: 1 to 18446744073709551615 is accepted",
                         heddle.Plane("tiny").run, [KERNEL], lambda tb: hold)
        for hold in 1.5, "1", None, float("nan"):
            self.refused(TypeError, f"hold={hold!r}: a whole number from 1 to 18446744073709551615 is accepted",
                         heddle.Plane("tiny").run, [KERNEL], lambda tb: hold)
        self.assertEqual(self.plane.run([KERNEL], lambda tb: Number(5)).dispatches, 3)

    def test_a_callback_that_raises(self):
        want = heddle.Plane("tiny").run([KERNEL], lambda tb: 30)
        words = "a run has not ended: reset() first"
        self.assertRaises(ZeroDivisionError, self.plane.run, [KERNEL], lambda tb: 1 // (1 - tb.blkid))
        self.refused(heddle.Error, words, self.plane.run, [KERNEL], lambda tb: 30)
        self.plane.reset()
        self.assertEqual(self.plane.run([KERNEL], lambda tb: 30), want)
        self.assertEqual(self.plane.run([KERNEL], lambda tb: 30), want)
        self.refused(heddle.Error, "1 kernels are not done after 5 cycles", self.plane.run, [KERNEL], lambda tb: 9, 5)
        self.refused(heddle.Error, words, self.plane.run, [], lambda tb: 1)

    def test_a_callback_that_uses_its_plane(self):
        words = "a run has not ended: reset() first"
        self.refused(heddle.Error, words, self.plane.run, [KERNEL], lambda tb: self.plane.run([KERNEL], lambda tb: 1))
        self.plane.reset()
        self.refused(heddle.Error, "the plane is closed", self.plane.run, [KERNEL], lambda tb: self.plane.close() or 1)

    def test_a_run_of_another_kernel(self):
        self.plane.launch(**KERNEL, tag=7)
        self.plane.tick()
        self.refused(heddle.Error, "kernel 7 is done, which this run has not launched",
                     self.plane.run, [dict(KERNEL, grid=(1000,))], lambda tb: 10)

    def test_a_run_sets_what_is_ready(self):
        want = heddle.Plane("tiny").run([KERNEL], lambda tb: 30)
        p = self.plane
        p.answer_ready(0), p.kernel_done_ready(0), p.dispatch_ready(0, 0), p.dispatch_ready(1, 0)
        self.assertEqual(p.run([KERNEL], lambda tb: 30), want)

    def test_refusals_have_words(self):
        words = "kernel 0 refused: one TB needs more than an empty SMX has (code 4, docs/host/kmu.md)"
        self.refused(heddle.Error, words, self.plane.run, [dict(KERNEL, regs=255)], lambda tb: 1)

    # ---- What TBs launch

    def families(self, policy, kind, **child):
        """A run in which each TB of the host launches two of three TBs: which, and the result."""
        seen, plane = [], heddle.Plane("tiny", policy=policy)
        def work(tb):
            seen.append((tb.level, tb.group, tb.grid))
            children = [dict({"grid": (3,)}, **child)] * 2
            return heddle.Work(200, **{kind: children}, refused=1000) if tb.level == 0 else 20
        return seen, plane.run([KERNEL], work), plane

    def test_launches(self):
        for policy in heddle.policies():
            for kind, child in ("groups", {}), ("kernels", {"pc": 64, "stream": 1}):
                with self.subTest(policy + kind):
                    seen, result, plane = self.families(policy, kind, **child)
                    self.assertEqual(seen.count((1, kind == "groups", (3, 1, 1))), 3 * result.launched)
                    self.assertEqual(seen.count((0, False, (3, 1, 1))), 3)
                    self.assertEqual((result.launched + result.refused, result.dispatches), (6, len(seen)))
                    self.assertGreater(result.launched, 3)
                    self.assertEqual(plane.state._replace(open_smxs=0), heddle.State(*[0] * 10))
                    self.assertTrue(all(answer.kind + "s" == kind for answer in plane.device_answers()))
                    self.assertEqual(plane.device_answers(), [])

    def test_launches_that_are_refused(self):
        """They take the TB as long as it says, and no other word comes of them."""
        seen, result, _ = self.families("rr", "kernels", regs=200)
        self.assertEqual((len(seen), result.launched, result.refused), (3, 0, 6))
        self.assertGreater(result.cycles, 2200)

    def test_handouts(self):
        order, plane = [], self.plane
        done = {}
        for tb in plane.handouts([KERNEL, KERNEL], done=done):
            order.append(plane.cycle)
            plane.hold(tb, 50)
        self.assertEqual((len(order), order, sorted(done)), (6, sorted(order), [0, 1]))
        plane.reset()
        want = plane.run([KERNEL, KERNEL], lambda tb: 50)
        self.assertEqual(want.done, done)

    def test_handouts_that_are_left(self):
        for _ in self.plane.handouts([KERNEL]):
            break
        self.refused(heddle.Error, "a run has not ended: reset() first", lambda: list(self.plane.handouts([KERNEL])))

    def test_state(self):
        most = [0] * 10
        for tb in self.plane.handouts([KERNEL]):
            self.plane.hold(tb, 50)
            most = [max(pair) for pair in zip(most, self.plane.state)]
        self.assertEqual((most[0] > 1, most[1], most[9]), (True, 1, self.plane["NumSmx"]))

    def test_saves(self):
        plane, back = heddle.Plane("k20c"), []
        for tb in plane.handouts([dict(KERNEL, grid=(2,), pc=64)]):
            if tb.restart:
                back.append(tb.param)
            elif tb.level == 0:
                plane.launch_kernel(tb, (3,), pc=128)
                plane.save(tb, 0x77, after=20)
            plane.hold(tb, 30 if tb.level == 0 else 500)
        self.assertEqual(back, [0x77, 0x77])
        self.assertEqual([a.kind for a in plane.device_answers()], ["kernel"] * 2 + ["save"] * 2)

    def test_launches_out_of_range(self):
        p, group = self.plane, {"grid": (1,)}
        for words, call in (
                ("smx=2: 0 to 1 is accepted", lambda: p.hold(TB._replace(smx=2), 1)),
                ("slot=99: 0 to 1 is accepted", lambda: p.launch_group(TB._replace(slot=99), (1,))),
                ("hold=0: 1 to 18446744073709551615 is accepted", lambda: p.hold(TB, 0)),
                ("refused=-1: 0 to 4294967295 is accepted", lambda: p.hold(TB, 1, -1)),
                ("after=0: 1 to 18446744073709551615 is accepted", lambda: p.device_launch(TB, "group", group, 0)),
                ("kind='save': one of kernel, group is accepted", lambda: p.device_launch(TB, "save", group)),
                ("children: 1 to 32 are accepted, a warp's; these are 0", lambda: p.device_launch(TB, "group", [])),
                ("children: 1 to 32 are accepted, a warp's; these are 33",
                 lambda: p.device_launch(TB, "group", [group] * 33)),
                ("children[1]: grid.x=0: 1 to 2147483647 is accepted",
                 lambda: p.device_launch(TB, "group", [group, {"grid": (0,)}])),
                ("children[0]: regs=256: 0 to 255 is accepted", lambda: p.launch_group(TB, (1,), regs=256)),
                ("children[0]: stream=99: 0 to 3 is accepted", lambda: p.launch_kernel(TB, (1,), stream=99)),
                ("context=-1: 0 to 1099511627775 is accepted", lambda: p.save(TB, -1)),
                ("threads=33: 1 to 32 is accepted", lambda: p.launch_cycles("group", 33)),
                ("policy='x': one of " + POLICIES + " is accepted",
                 lambda: heddle.Plane("tiny", policy="x")),
                ("memory_latency=0: 1 to 1048576 is accepted", lambda: heddle.Plane("tiny", memory_latency=0))):
            with self.subTest(words):
                self.refused(ValueError, words, call)
        self.refused(TypeError, "tb=(0, 0): a Dispatch of this plane is accepted", p.hold, (0, 0), 1)
        self.refused(TypeError, "kind=1: one of kernel, group is accepted", p.device_launch, TB, 1, group)
        self.refused(TypeError, "policy=0: one of " + POLICIES + " is accepted",
                     lambda: heddle.Plane("tiny", policy=0))

    # ---- Graphs

    def order(self, graph, **kernel):
        found = []
        self.plane.run([dict(KERNEL, grid=graph.grid, graph=graph, **kernel)],
                       lambda tb: found.append(tb.blkid) or 20)
        return found

    def test_graphs(self):
        plane = self.plane
        pattern = plane.graph((4, 4), pattern="wavefront")
        self.assertEqual((pattern.levels, pattern.edges), (7, 24))
        reported = plane.graph((4, 4), parents=lambda x, y, z: [(x - 1, y), (x, y - 1)], order="lvl", bound=1)
        edges = plane.graph((4, 4), [(a, a + 1) for a in range(15) if a % 4 < 3] + [(a, a + 4) for a in range(12)])
        self.assertEqual((reported.levels, reported.edges, edges.levels, edges.edges), (7, 24, 7, 24))
        order = self.order(pattern)
        self.assertEqual(sorted(order), list(range(16)))
        for a in range(16):
            for b in [a + 1] * (a % 4 < 3) + [a + 4] * (a < 12):
                self.assertLess(order.index(a), order.index(b))
        self.assertEqual(self.order(edges), order)
        self.assertEqual(sorted(self.order(reported)), list(range(16)))
        for name in heddle.PATTERNS:
            self.assertEqual(len(self.order(plane.graph((3, 4), pattern=name))), 12)

    def test_graphs_that_are_refused(self):
        plane = self.plane
        for words, call in (
                ("ctas=65536: 1 to 65535 is accepted", lambda: plane.graph((256, 256))),
                ("edges[1].child=4: 0 to 3 is accepted", lambda: plane.graph((4,), [(0, 1), (0, 4)])),
                ("pattern='x': one of " + ", ".join(heddle.PATTERNS) + " is accepted",
                 lambda: plane.graph((4,), pattern="x")),
                ("order='x': one of lrr, lvl, lvl-bind is accepted", lambda: plane.graph((4,), order="x")),
                ("bound=-1: 0 to 65535 is accepted", lambda: plane.graph((4,), order="lvl", bound=-1))):
            with self.subTest(words):
                self.refused(ValueError, words, call)
        self.refused(heddle.Error, "graph: TB 1 (1, 0, 0) is its own parent", plane.graph, (4,), [(1, 1)])
        self.refused(heddle.Error, "graph: a cycle of parents and children: TB 0 (0, 0, 0), TB 1 (1, 0, 0), and again "
                     "TB 0 (0, 0, 0)", plane.graph, (4,), [(0, 1), (1, 0)])
        graph = plane.graph((2, 2))
        self.refused(TypeError, "graph=3: what graph() returned is accepted", plane.launch, (2, 2), (64,), graph=3)
        self.refused(ValueError, "grid=(4, 1, 1): that of the graph, (2, 2, 1), is accepted",
                     plane.launch, (4,), (64,), graph=graph)
        self.refused(ValueError, "param=5: 0 is accepted with a graph, which takes its place",
                     plane.launch, (2, 2), (64,), graph=graph, param=5)
        mine = "graph: one of this plane, made since its reset and not launched yet, is accepted"
        self.refused(heddle.Error, mine, heddle.Plane("tiny").launch, (2, 2), (64,), graph=graph)
        self.order(graph)
        self.refused(heddle.Error, mine, plane.launch, (2, 2), (64,), graph=graph)
        graph = plane.graph((2, 2))
        plane.reset()
        self.refused(heddle.Error, mine, plane.launch, (2, 2), (64,), graph=graph)

    def test_names_of_numbers(self):
        """Words that stand for numbers of the library have its order."""
        with open("cmodel/api/deplinks.h") as f:
            text = f.read()
        def of(kind):
            found = re.search(r"enum hd_deplinks_" + kind + r" \{(.*?)\};", text, re.S)[1]
            return tuple(n.lower().replace("_", "-") for n in re.findall(r"HD_DEPLINKS_(\w+)(?=[ ,;=]|$)", re.sub(
                r"/\*.*?\*/", "", found, flags=re.S), re.M))
        self.assertEqual(of("pattern"), heddle.PATTERNS)
        self.assertEqual(of("policy"), heddle.ORDERS)
        with open("cmodel/api/dpi.h") as f:
            tables = re.findall(r"^  HD_DPI_([A-Z]+),", f.read(), re.M)
        self.assertEqual([name.split("_")[0].upper() for name in heddle.State._fields], tables)

    # ---- Threads

    def in_threads(self, *functions):
        failed = []

        def guarded(f):
            try:
                f()
            except heddle.Error as e:
                if str(e) != "the plane is closed":
                    failed.append(e)
        sys.setswitchinterval(1e-6)
        threads = [threading.Thread(target=guarded, args=(f,)) for f in functions]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(failed, [])

    def test_a_plane_closed_by_another_thread(self):
        for _ in range(50):
            plane = heddle.Plane("tiny")

            def ticks():
                for _ in range(100000):
                    plane.tick()
                    plane.dispatches()
            self.in_threads(ticks, ticks, plane.close)

    def test_a_plane_of_two_threads(self):
        def ticks():
            for _ in range(5000):
                self.plane.tick()
                self.plane.read(0x40)
        self.in_threads(ticks, ticks, ticks)

    def test_planes_of_their_own(self):
        want, results = heddle.Plane("tiny").run([KERNEL] * 5, lambda tb: 30), []
        self.in_threads(*[lambda: results.append(heddle.Plane("tiny").run([KERNEL] * 5, lambda tb: 30))] * 4)
        self.assertEqual(results, [want] * 4)

    # ---- The library

    def test_the_library_of_the_environment(self):
        env = dict(os.environ, HEDDLE_LIBRARY="/nosuch/libheddle.so")
        done = subprocess.run([sys.executable, "-Bc", "import heddle; heddle.Plane()"], text=True, capture_output=True,
                              env=dict(env, PYTHONPATH="python"))
        self.assertIn("HEDDLE_LIBRARY=/nosuch/libheddle.so: ", done.stderr)
        self.assertNotEqual(done.returncode, 0)


def main(names):
    if len(names) == 1:
        suite = unittest.TestLoader().loadTestsFromName(names[0], Python)
        return unittest.TextTestRunner(stream=sys.stdout).run(suite).wasSuccessful()
    names, failed = names or unittest.TestLoader().getTestCaseNames(Python), 0
    for name in names:
        done = subprocess.run([sys.executable, "-B", __file__, name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True)
        failed += done.returncode != 0
        print(f"{'ok' if done.returncode == 0 else 'FAILED':7} {name}")
        if done.returncode != 0:
            print(done.stdout[-3000:], f"exit code {done.returncode}")
    print(f"{len(names) - failed} passed, {failed} failed")
    return failed == 0


if __name__ == "__main__":
    sys.exit(not main(sys.argv[1:]))
