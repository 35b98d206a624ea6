#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""heddle.Channels, legal and illegal use. Run from the top of the checkout, after `make lib all`. Ends with `N passed,
N failed`."""
import copy
import ctypes
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, "python")
import heddle  # noqa: E402
from heddle import Channels, Counts, Output  # noqa: E402


class Task(ctypes.Structure):
    _fields_ = [("n", ctypes.c_uint32)]


class Sum(ctypes.Structure):
    _fields_ = [("to", ctypes.c_uint32), ("parts", ctypes.c_uint32 * 2)]


class Node(ctypes.Structure):
    _fields_ = [("n", ctypes.c_uint32), ("to", ctypes.c_uint32)]


def fib(n, width):
    """Fibonacci as tb/work/cilk_fib.c computes it: (fib(n), counts of all)."""
    graph, values = Channels("apu8"), [0]
    tasks = graph.stack("tasks", Node, capacity=width, levels=n - 1)
    sums = graph.stack("sums", Sum, capacity=width, levels=n - 2, levelized=True)

    def spawn(wave):
        inner = [task for task in wave if task.n > 2]
        slots = range(len(values), len(values) + 2 * len(inner), 2)
        wave.put(sums, [Sum(task.to, (slot, slot + 1)) for task, slot in zip(inner, slots)])
        wave.put(tasks, [Node(task.n - 1 - k, slot + k) for task, slot in zip(inner, slots) for k in (0, 1)],
                 level=wave.level + 1)
        values.extend([0] * 2 * len(inner))
        for task in wave:
            if task.n <= 2:
                values[task.to] = 1

    def join(wave):
        for one in wave:
            values[one.to] = sum(values[part] for part in one.parts)
    graph.kernel("fib", tasks, spawn, [Output(sums), Output(tasks, rise=1, fan=2)])
    graph.kernel("join", sums, join)
    graph.put(tasks, [Node(n, 0)])
    return graph.execute(), values[0]


class Tasks(unittest.TestCase):
    def setUp(self):
        self.graph = Channels("apu8")
        self.stack = self.graph.stack("t", Task, capacity=1024)

    def refused(self, kind, words, call, *args, **kwargs):
        with self.assertRaises(kind) as caught:
            call(*args, **kwargs)
        self.assertIsInstance(caught.exception, heddle.Error)
        self.assertIn(words, str(caught.exception))

    def test_as_the_command_has_it(self):
        for width in (32768, 128):
            counts, answer = fib(16, width)
            report = heddle.channels("fib", size=16, width=width)
            self.assertEqual((answer, *counts), (report.answer, report.spawned + report.joined, report.wavefronts,
                                                 report.partial, report.yields))

    def test_counts_of_kernels(self):
        node = self.graph.kernel("k", self.stack, lambda wave: None)
        self.graph.put(self.stack, [Task(k) for k in range(100)])
        self.assertEqual(self.graph.execute(), Counts(100, 2, 1, 0))
        self.graph.put(self.stack, [Task(0)])
        self.graph.execute()
        self.assertEqual(self.graph.counts(node), Counts(101, 3, 2, 0))

    def test_elements_are_copies(self):
        seen = []

        def keep(wave):
            self.assertEqual(wave[-1].n, wave[len(wave) - 1].n)
            self.assertRaises(IndexError, lambda: wave[len(wave)])
            seen.extend(wave)
        self.graph.kernel("k", self.stack, keep)
        self.graph.put(self.stack, [Task(k) for k in range(70)])
        self.graph.execute()
        del self.graph, self.stack
        self.assertEqual([task.n for task in seen], list(range(70)))

    def test_a_kernel_that_raises(self):
        def fails(wave):
            raise ZeroDivisionError("mine")
        self.graph.kernel("k", self.stack, fails)
        self.graph.put(self.stack, [Task(1)])
        self.assertRaisesRegex(ZeroDivisionError, "mine", self.graph.execute)
        self.refused(heddle.Error, "channels: ", self.graph.execute)

    def test_a_wavefront_is_over(self):
        kept = []
        self.graph.kernel("k", self.stack, kept.append)
        self.graph.put(self.stack, [Task(1)])
        self.graph.execute()
        for call in (lambda: kept[0][0], lambda: kept[0].put(self.stack, [Task(1)])):
            self.refused(heddle.Error, "the wavefront is over", call)

    def test_a_kernel_calls_the_host(self):
        self.graph.kernel("k", self.stack, lambda wave: self.graph.put(self.stack, [Task(1)]))
        self.graph.put(self.stack, [Task(1)])
        self.refused(heddle.Error, "a kernel puts elements in by its wavefront's put()", self.graph.execute)

    def test_what_is_refused(self):
        other = Channels().stack("other", Task, capacity=1024)
        self.refused(heddle.Error, "config='nope'", Channels, "nope")
        self.refused(heddle.Error, "Nope=1: no such parameter", Channels, Nope=1)
        self.refused(heddle.Error, "1 to ", Channels, NumCu=0)
        self.refused(heddle.WrongType, "a text without NUL", Channels, "a\0b")
        self.refused(heddle.WrongType, "subclass of ctypes.Structure", self.graph.stack, "x", int, capacity=64)
        self.refused(heddle.OutOfRange, "capacity=0", self.graph.stack, "x", Task, capacity=0)
        self.refused(heddle.WrongType, "a stack of this graph", self.graph.kernel, "k", other, print)
        self.refused(heddle.WrongType, "a function of a Wave", self.graph.kernel, "k", self.stack, None)
        self.refused(heddle.WrongType, "can be neither copied", copy.copy, self.graph)
        self.refused(heddle.Error, "no kernel consumes", self.graph.execute)

    def test_elements_of_another_type(self):
        self.graph.kernel("k", self.stack, lambda wave: None)
        self.refused(heddle.WrongType, "elements[1]=3: Task is accepted", self.graph.put, self.stack, [Task(1), 3])
        self.refused(heddle.OutOfRange, "level=-1", self.graph.put, self.stack, [Task(1)], level=-1)

    def test_a_graph_that_waits_for_itself(self):
        self.graph.kernel("k", self.stack, lambda wave: None, [Output(self.stack)])
        self.refused(heddle.Error, "channels: ", self.graph.check)


if __name__ == "__main__":
    done = unittest.main(argv=sys.argv[:1] + ["-q"], exit=False).result
    failed = len(done.failures) + len(done.errors)
    print(f"{done.testsRun - failed} passed, {failed} failed")
    sys.exit(failed > 0)
