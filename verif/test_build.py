#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Tests the store of built objects. Every kind of input is changed in a copy of the checkout: exactly the objects that
depend on it are built again, for that reason; a damaged object is never used; stores of other users supply their
objects; signals end a build with all processes that it has started. A checkout whose path has blanks works, too. Run
from the top of the checkout. Ends with `N passed, N failed`."""
import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

RTL, LINT, PLANTED = "tiny/fcfs/rtl", "tiny/fcfs/lint", "tiny/fcfs/lint-fault"
EDITS = "verif/fault_edits.csv"
NO_CLIENT = 65534
CANNOT_WRITE = (r"^build: the store .* cannot be written \(.*\); new results go to build/store\. "
                r"HEDDLE_CACHE can name .*\n"
                r"(  making .*\n)*$")


class Store(unittest.TestCase):
    """Each test has its own store and checkout, in which both targets were built."""

    @classmethod
    def setUpClass(cls):
        cls.all = tempfile.TemporaryDirectory(prefix="a store ")
        cls.first = f"{cls.all.name}/first"
        for folder in ("rtl", "tb/build", "tb/engine"):
            shutil.copytree(folder, f"{cls.first}/{folder}", ignore=shutil.ignore_patterns("__pycache__"))
        os.mkdir(f"{cls.first}/verif")
        shutil.copy("verif/fault_edits.csv", f"{cls.first}/verif")
        cls.cache = f"{cls.all.name}/first.store"
        cls.made_first = cls.call(RTL, LINT, top=cls.first, cache=cls.cache)

    @classmethod
    def tearDownClass(cls):
        cls.all.cleanup()

    def setUp(self):
        self.top, self.store = f"{self.all.name}/top", f"{self.all.name}/store"
        for old, new in ((self.first, self.top), (self.cache, self.store)):
            shutil.rmtree(new, ignore_errors=True)
            shutil.copytree(old, new)
        self.more, self.user = {}, {}

    @classmethod
    def call(cls, *args, top, cache, user={}, **more):
        env = dict(os.environ, HEDDLE_CACHE=cache, PYTHONDONTWRITEBYTECODE="1", **more)
        return subprocess.run(["python3", "tb/build", *args], cwd=top, env=env, capture_output=True, text=True, **user)

    def build(self, *args):
        return self.call(*args, top=self.top, cache=self.store, user=self.user, **self.more)

    def made(self, *more):
        """Returns {target: built or store} of the targets that were not up to date; all exist afterwards."""
        done = self.build(RTL, LINT, *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return {line.split()[1]: line.split()[0] for line in done.stdout.splitlines()}

    def why(self, target=RTL):
        return json.loads(self.build("--json", target).stdout)[0]["why"]

    def edit(self, path, old, new):
        with open(f"{self.top}/{path}") as f:
            text = f.read()
        self.assertIn(old, text)
        with open(f"{self.top}/{path}", "w") as f:
            f.write(text.replace(old, new, 1))

    def objects(self):
        """Returns the entries of the store."""
        return [os.path.join(d, n[:-5]) for d, _, names in os.walk(self.store) for n in names if n.endswith(".json")]

    def object(self):
        with open(f"{self.top}/build/{RTL}.so", "rb") as f:
            return f.read()

    def test_what_begins(self):
        """A build is announced at once, with the time of the previous one if the store has one of that name."""
        self.assertEqual(sorted(self.made_first.stderr.splitlines()), [f"  making {LINT}", f"  making {RTL}"])
        self.edit("rtl/host/fcfs/hd_fcfs.sv", "endmodule", "endmodule // changed")
        self.assertRegex(self.build(LINT).stderr, rf"^  making {LINT}  about \d+ s of processor\n$")

    def test_first_time(self):
        self.assertEqual(sorted(line.split()[:2] for line in self.made_first.stdout.splitlines()),
                         [["built", LINT], ["built", RTL]])
        self.assertEqual(self.why(), "not built before")

    def test_nothing_changed(self):
        os.utime(f"{self.top}/rtl/host/fcfs/hd_fcfs.sv")  # only the modification time
        self.assertEqual(self.made(), {})

    def test_another_checkout(self):
        shutil.rmtree(f"{self.top}/build")
        self.assertEqual(self.made(), {RTL: "store", LINT: "store"})

    def test_source(self):
        self.edit("rtl/host/fcfs/hd_fcfs.sv", "endmodule", "endmodule  // the end")
        self.assertEqual(self.made(), {RTL: "built", LINT: "built"})
        self.assertEqual(self.why(), "rtl/host/fcfs/hd_fcfs.sv changed")

    def test_source_and_back(self):
        self.edit("rtl/host/fcfs/hd_fcfs.sv", "endmodule", "endmodule  // the end")
        self.made()
        self.edit("rtl/host/fcfs/hd_fcfs.sv", "endmodule  // the end", "endmodule")
        self.assertEqual(self.made(), {RTL: "store", LINT: "store"})

    def test_source_of_another_block(self):
        self.edit("rtl/family/pool/hd_pool.sv", "endmodule", "endmodule  // the end")
        self.assertEqual(self.made(), {})

    def test_new_part(self):
        """An instance of a part makes that part, and its includes, an input."""
        part = ("\n  logic unused_full, unused_empty, unused_data;\n"
                "  hd_fifo #(.Width(1), .Depth(1)) u_new (.clk_i(clk_i), .rst_ni(rst_ni), .push_i(1'b0), "
                ".write_i(1'b0), .data_i(1'b0), .pop_i(1'b0), .data_o(unused_data), .empty_o(unused_empty), "
                ".full_o(unused_full));\nendmodule")
        self.edit("rtl/host/fcfs/hd_fcfs.sv", "endmodule", part)
        self.build(LINT)
        with open(f"{self.top}/build/{LINT}.json") as f:
            was = f.read()
        self.build(RTL)
        self.assertIn("rtl/common/hd_fifo.sv is new", self.why())
        self.assertEqual(open(f"{self.top}/build/{LINT}.json").read(), was)

    def test_header(self):
        """A macro that the sources include."""
        self.edit("rtl/common/hd_assert.svh", "// Assertions,", "// All assertions,")
        self.assertEqual(self.made(), {RTL: "built", LINT: "built"})
        self.assertEqual(self.why(), "rtl/common/hd_assert.svh changed")

    def test_planted_fault(self):
        """It is an input of only the variants with faults, and of only the blocks that have its file."""
        self.build(PLANTED)
        self.edit(EDITS, "!stop && tag_valid_q && read_none", "tag_valid_q && read_none")
        self.assertEqual(self.made(PLANTED), {})
        self.edit(EDITS, ",at_last,at_end", ",at_last,at_second")
        self.assertEqual(self.made(PLANTED), {PLANTED: "built"})
        self.assertEqual(self.why(PLANTED), "rtl/host/fcfs/hd_fcfs.sv changed")

    def test_planted_fault_without_a_place(self):
        """Every fault is checked: a text that is missing, or occurs twice, is an error."""
        for was, times in (("planted", "0"), ("order_q", r"\d\d")):
            with self.subTest(was):
                self.edit(EDITS, "assign at_first = at_last,at_last,", f"{was},{was},")
                done = self.build(PLANTED)
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertRegex(done.stderr, f"{EDITS}:8: fault 7: rtl/host/fcfs/hd_fcfs.sv has '{was}' {times} "
                                 "times, not once")
                self.edit(EDITS, f"{was},{was},", "assign at_first = at_last,at_last,")

    def test_constant_that_is_used(self):
        self.edit("rtl/pkg/configs.csv", "NumKde,32,,,,,,16,16,,2,", "NumKde,32,,,,,,16,16,,3,")
        self.assertEqual(self.made(), {RTL: "built", LINT: "built"})
        self.assertIn("NumKde 2 -> 3", self.why())

    def test_constant_that_is_not_used(self):
        """The binding passes all parameters to the harness; the lint does not read this one."""
        self.edit("rtl/pkg/configs.csv", "PoolDepth,32,,,,,,,,,4,", "PoolDepth,32,,,,,,,,,3,")
        self.assertEqual(self.made(), {RTL: "built"})
        self.assertEqual(self.why(), "bind.cpp changed")

    def test_comment_of_a_constant(self):
        self.edit("rtl/pkg/configs.csv", "entries of the Kernel Distributor", "entries of the KD")
        self.assertEqual(self.made(), {})

    def test_package_of_other_tables(self):
        """The tables have changed and the package has not: neither target is built."""
        self.edit("rtl/pkg/derived.csv", "KdeW,clog2(NumKde),", "KdeW,clog2(NumKde) + 1,")
        done = self.build(LINT)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("rtl/pkg/hd_pkg.sv differs from the tables; python3 rtl/hdgen rtl writes it", done.stderr)

    def test_binding(self):
        self.edit("tb/engine/bind.h", "#pragma once", "#pragma once\n")
        self.assertEqual(self.made(), {RTL: "built"})
        self.assertEqual(self.why(), "bind.h changed")

    def test_generator(self):
        """The output of a generator is an input, except comments; its own text is not."""
        self.edit("rtl/hdgen/output.py", "Written by rtl/hdgen", "Written by the generator")
        self.edit("rtl/hdgen/access.py", '"""C++ statements', '"""The C++ statements')
        self.assertEqual(self.made(), {})
        self.edit("rtl/hdgen/state.py", "#define HD_GROUPS", "#define HD_GROUPS 0 +")
        self.assertEqual(self.made(), {RTL: "built"})
        self.assertEqual(self.why(), "bind.cpp changed")

    def test_looked_at(self):
        """The files that heddle checks before it loads an object: modules of generator and build, tables, sources."""
        for target in (RTL, LINT):
            with open(f"{self.top}/build/{target}.inputs") as f:
                listed = f.read().split()
            for pattern in ("rtl/hdgen/*.py", "tb/build/*.py", "rtl/pkg/*.*v", "rtl/host/fcfs/*.sv"):
                there = glob.glob(pattern, root_dir=self.top)
                self.assertTrue(there)
                self.assertLessEqual(set(there), set(listed))

    def test_flag(self):
        self.edit("tb/build/recipes.py", "-O3 --no-timing", "-O2 --no-timing")
        self.assertEqual(self.made(), {RTL: "built"})
        self.assertIn("commands: ", self.why())

    def test_recipe(self):
        """The text of the recipe itself, which is independent of that of the lint."""
        self.edit("tb/build/recipes.py", "Trace|ConstPool", "ConstPool|Trace")
        self.assertEqual(self.made(), {RTL: "built"})
        self.assertEqual(self.why(), "the recipe changed")

    def test_waiver(self):
        with open(f"{self.top}/rtl/lint.vlt", "a") as f:
            f.write("// one more\n")
        self.assertEqual(self.made(), {LINT: "built"})

    def test_tool(self):
        """Another version of the compiler, which only one target uses."""
        compiler = next(c for c in ("clang++-19", "clang++", "g++") if shutil.which(c))
        folder = f"{self.top}/bin"
        os.makedirs(folder)
        with open(f"{folder}/{compiler}", "w") as f:
            f.write(f'#!/bin/sh\n[ "$1" = --version ] && {{ echo "{compiler} of tomorrow"; exit; }}\n'
                    f'exec {shutil.which(compiler)} "$@"\n')
        os.chmod(f"{folder}/{compiler}", 0o755)
        os.utime(f"{folder}/{compiler}", (0, 0))  # always the same file for the compiler cache
        self.more = {"PATH": f"{folder}:{os.environ['PATH']}"}
        self.assertEqual(self.made(), {RTL: "built"})
        self.assertIn("of tomorrow", self.why())

    def of_others(self, *writable):
        """Makes the store another user's, who lets others write only to its folders `writable`. The checkout has no
        build/. Permissions do not bind root: then the build runs as another user."""
        shutil.rmtree(f"{self.top}/build")
        for folder, _, names in os.walk(self.store):
            os.chmod(folder, 0o777 if folder in writable else 0o555)
            for name in names:
                os.chmod(os.path.join(folder, name), 0o444)
        self.addCleanup(subprocess.run, ["chmod", "-R", "u+w", self.store])
        if os.getuid() == 0:
            os.chmod(self.all.name, 0o755)
            subprocess.run(["chown", "-R", str(NO_CLIENT), self.top], check=True)
            self.more = {"CCACHE_DISABLE": "1", "PATH": os.defpath}  # not the files in root's home
            self.user = {"user": NO_CLIENT, "group": NO_CLIENT, "extra_groups": []}

    def contents(self):
        """Returns path -> content of the store."""
        paths = [os.path.join(d, n) for d, _, names in os.walk(self.store) for n in names]
        return {p: open(p, "rb").read() for p in paths}

    def test_read_only_store(self):
        """Its entries are used; new objects stay in the checkout, and are used there the next time. A line reports
        this."""
        self.of_others()
        before = self.contents()
        self.assertEqual(self.made(), {RTL: "store", LINT: "store"})
        self.edit("rtl/host/fcfs/hd_fcfs.sv", "endmodule", "endmodule  // the end")
        done = self.build(RTL, LINT)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, CANNOT_WRITE)
        shutil.rmtree(f"{self.top}/build/tiny")
        self.assertEqual(self.made(), {RTL: "store", LINT: "store"})
        self.assertEqual(self.contents(), before)

    @unittest.skipIf(os.getuid(), "only root can make entries of another user")
    def test_entry_of_another_user(self):
        """In a folder that all users may write to: used, and left unchanged."""
        self.of_others(*(folder for folder, _, _ in os.walk(self.store)))
        before = self.contents()
        self.assertEqual(self.made(), {RTL: "store", LINT: "store"})
        self.assertEqual(self.contents(), before)

    def test_locks_of_another_user(self):
        """A lock that cannot be opened."""
        self.of_others(self.store)
        self.edit("rtl/host/fcfs/hd_fcfs.sv", "endmodule", "endmodule  // the end")
        done = self.build(LINT)
        self.assertEqual((done.returncode, done.stdout.split()[:2]), (0, ["built", LINT]), done.stderr)
        self.assertRegex(done.stderr, CANNOT_WRITE)

    def test_damaged_entry(self):
        sound = self.object()
        for path in self.objects():
            with open(path, "r+b") as f:
                f.seek(0, os.SEEK_END)
                f.write(b"x")
        shutil.rmtree(f"{self.top}/build")
        self.assertEqual(self.made(), {RTL: "built", LINT: "built"})
        self.assertEqual(len(self.object()), len(sound))

    def test_torn_note(self):
        for path in self.objects():
            with open(path + ".json", "w") as f:
                f.write('{"sha": ')
        shutil.rmtree(f"{self.top}/build")
        self.assertEqual(self.made(), {RTL: "built", LINT: "built"})

    def test_damaged_result(self):
        """The content of build/ is compared with the store."""
        sound = self.object()
        with open(f"{self.top}/build/{RTL}.so", "wb") as f:
            f.write(sound[:1000])
        self.assertEqual(self.made(), {RTL: "store"})
        self.assertEqual(self.object(), sound)

    def test_two_at_once(self):
        """The second build waits for the first and uses its object."""
        shutil.rmtree(self.store)
        shutil.rmtree(f"{self.top}/build")
        other = f"{self.all.name}/other"
        shutil.rmtree(other, ignore_errors=True)
        shutil.copytree(self.top, other)
        env = dict(os.environ, HEDDLE_CACHE=self.store)
        both = [subprocess.Popen([sys.executable, "tb/build", RTL], cwd=top, env=env, stdout=subprocess.PIPE,
                                 text=True) for top in (self.top, other)]
        output = sorted(p.communicate()[0].split()[0] for p in both)
        self.assertEqual(output, ["built", "store"])

    def stand_in(self):
        """A Verilator that leaves a file behind, starts a child, and does not end by itself."""
        folder = f"{self.top}/bin"
        os.makedirs(folder)
        with open(f"{folder}/verilator", "w") as f:
            f.write(f'#!/bin/sh\n[ "$1" != --version ] || exec {shutil.which("verilator")} --version\n'
                    f'echo half > half\nsleep 1000 &\necho $! > "{self.top}/child.new"\n'
                    f'mv "{self.top}/child.new" "{self.top}/child"\nwait\n')
        os.chmod(f"{folder}/verilator", 0o755)
        self.edit("rtl/host/fcfs/hd_fcfs.sv", "endmodule", "endmodule  // the end")
        return dict(os.environ, HEDDLE_CACHE=self.store, PATH=f"{folder}:{os.environ['PATH']}")

    @staticmethod
    def begin(*args, **more):
        return subprocess.Popen(["python3", "tb/build", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL), **more)

    def until(self, condition):
        end = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)

    def signalled(self, number):
        env = self.stand_in()
        before, there = self.contents(), self.listed()
        first = self.begin("-j1", LINT, RTL, cwd=self.top, env=env)
        self.until(lambda: os.path.exists(f"{self.top}/child"))
        waits = self.begin("-j1", LINT, cwd=self.top, env=env)  # for the lock of the first
        time.sleep(1)
        for process in (waits, first):
            self.addCleanup(process.kill)
            process.send_signal(number)
            out, err = process.communicate(timeout=20)
            output = [line for line in err.splitlines() if not line.startswith("  making ")]
            self.assertEqual((process.returncode, out, output), (128 + number, "", [f"build: ended by {number.name}"]))
        with open(f"{self.top}/child") as f:
            child = f.read().strip()
        self.until(lambda: not os.path.exists(f"/proc/{child}") or
                   open(f"/proc/{child}/stat").read().rsplit(")", 1)[1].split()[0] == "Z")
        self.assertEqual({k: v for k, v in self.contents().items() if "/locks/" not in k},
                         {k: v for k, v in before.items() if "/locks/" not in k})
        self.assertEqual(self.listed(), there)
        self.assertEqual(self.made(), {RTL: "built", LINT: "built"})

    def listed(self):
        return sorted(os.path.join(d, n) for d, folders, names in os.walk(f"{self.top}/build") for n in folders + names)

    def test_interrupt(self):
        """A signal to the build alone: it ends with its tools and their children, and leaves no incomplete file."""
        self.signalled(signal.SIGINT)

    def test_terminate(self):
        self.signalled(signal.SIGTERM)

    def test_small_store(self):
        """It stays within its size limit, but a new object is always usable."""
        self.more = {"HEDDLE_CACHE_SIZE": "0"}
        self.edit("rtl/host/fcfs/hd_fcfs.sv", "endmodule", "endmodule  // the end")
        self.assertEqual(self.made(), {RTL: "built", LINT: "built"})
        self.assertEqual(len(self.objects()), 1)

    def test_failure_leaves_nothing(self):
        shutil.rmtree(f"{self.top}/build/{RTL.rsplit('/', 1)[0]}")
        self.edit("rtl/host/fcfs/hd_fcfs.sv", "endmodule", "assign nowhere_q = 1;\nendmodule")
        done = self.build(RTL)
        self.assertEqual(done.returncode, 1)
        self.assertIn("rtl/host/fcfs/hd_fcfs.sv:", done.stderr)
        self.assertEqual(os.listdir(f"{self.top}/build/tiny/fcfs"), ["rtl.log"])

    def test_refusals(self):
        for target, text in (("tiny/loom/rtl", "no block 'loom'; there are: kmu"),
                             ("tiny/fcfs/gates", "no variant 'gates'; there are: rtl"),
                             ("k80/fcfs/rtl", "no configuration 'k80'; there are: k20c"),
                             ("fcfs", "not CONFIG/BLOCK/VARIANT"),
                             ("tiny+NumKde=0/fcfs/rtl", "NumKde=0: 1 to 128 is accepted"),
                             ("tiny+Kde=3/fcfs/rtl", "no parameter 'Kde'")):
            done = self.build(target)
            self.assertEqual((done.returncode, done.stdout), (1, ""), target)
            self.assertIn(text, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1)


class Checkout(unittest.TestCase):
    """A whole checkout, in a folder with blanks in its name, as is its store: make, scripts and the command work there.
    Every test uses the same copy."""

    @classmethod
    def setUpClass(cls):
        cls.all = tempfile.TemporaryDirectory(prefix="a checkout ")
        cls.top = f"{cls.all.name}/its top"
        shutil.copytree(".", cls.top, ignore=lambda folder, names: [
            n for n in names if n == "__pycache__" or folder == "." and n in ("build", ".git")])
        cls.env = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "JOBS")}
        cls.env["HEDDLE_CACHE"] = f"{cls.all.name}/its store"
        made = cls.run_there("make", "-j2", "all", "build/test/test_fcfs", "build/san/heddle")
        if made.returncode:
            raise AssertionError(made.stderr)

    @classmethod
    def tearDownClass(cls):
        cls.all.cleanup()

    @classmethod
    def run_there(cls, *command):
        return subprocess.run(command, cwd=cls.top, env=cls.env, capture_output=True, text=True)

    def works(self, *command):
        """Returns its output."""
        done = self.run_there(*command)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_lockstep(self):
        """The command builds the RTL that it needs, which is then in the store."""
        self.assertIn("PASS", self.works("build/heddle", "equiv", "fcfs", "-c", "tiny", "-n", "2000"))
        shutil.rmtree(f"{self.top}/build/tiny")
        self.assertEqual(self.works("python3", "tb/build", RTL).split(), ["store", RTL])

    def test_unit(self):
        self.works("build/test/test_fcfs")

    def test_generator(self):
        output = self.works("python3", "rtl/hdgen", "config", "--config", "tiny", "--set", "NumSmx=3")
        self.assertIn("NUM_SMX=3\n", output)

    def test_lint(self):
        self.works("synth/lint.sh", "--block", "fcfs")

    def test_page(self):
        self.assertIn("0 failed", self.works("docs/update.sh", "--check", "--no-area", "docs/host/fcfs.md"))

    def test_area(self):
        self.works("python3", "synth/area", "--config", "tiny", "--path", "fcfs")

    def test_jobs(self):
        """-j sets the number; without it, one for each processor."""
        for options, n in (((), len(os.sched_getaffinity(0))), (["-j1"], 1), (["-j", "5"], 5), (["JOBS=6"], 6)):
            for goal in ("run", "test"):
                done = self.run_there("make", "-n", *options, goal)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertRegex(done.stdout, rf"(?m)^python3 tb/build -j {n} ")

    def spoil(self, path):
        with open(f"{self.top}/{path}", "a") as f:
            self.addCleanup(os.truncate, f.name, f.tell())
            f.write("spoilt\n")

    def test_what_cannot_be_built(self):
        """A failed object fails the tests that need it, which name it, and make. The others are run."""
        with open(f"{self.top}/try", "w") as f:
            f.write('build/heddle equiv "$1" -c tiny -n 1000 && echo 1 passed, 0 failed')
        self.works("python3", "tb/build", "tiny/kd/rtl")
        self.spoil("rtl/host/kd/hd_kd.sv")
        self.spoil("verif/common/hd_common_tb.sv")
        done = self.run_there("make", "test-job", "SCRIPTS='sh try fcfs' 'sh try kd'", "TEST_BINS=", "EQUIV_RUNS=",
                              "UNIT_BIN=", "EXHAUSTIVE_BIN=", f"ALL_OBJECTS={RTL} tiny/kd/rtl k20c/common/bench")
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"(?m)^ok +sh-try-fcfs ")
        self.assertRegex(done.stdout, r"(?ms)^FAILED +sh-try-kd .*tiny/kd/rtl could not be built.*^---- *$")
        self.assertRegex(done.stdout,
                         r"(?ms)^FAILED +test_common .*build: k20c/common/bench: verilator failed.*^---- *$")
        self.assertIn("\n1 passed, 2 failed\n", done.stdout)


if __name__ == "__main__":
    tests = sys.argv[1:] or ["Store", "Checkout"]
    suite = unittest.TestLoader().loadTestsFromNames(tests, sys.modules[__name__])
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    failed = len(result.failures) + len(result.errors)
    bad = [test for test, _ in result.failures + result.errors if isinstance(test, unittest.TestCase)]  # no set-up
    print(f"{result.testsRun - len(bad) - len(result.skipped)} passed, {failed} failed")
    sys.exit(failed > 0)
