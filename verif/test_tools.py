#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Checks that `make test-tools` (verif/tools) skips tool sets that this machine cannot try, fails when a part fails,
and puts the results into the table. A stub replaces smoke.sh, so nothing is built. Run from the top of the checkout.
Ends with `N passed, N failed`."""
import contextlib
import importlib.util
import io
import json
import os
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location("tools", "verif/tools/__main__.py")
tools = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tools)
TOP = os.getcwd()


class Matrix(unittest.TestCase):
    def setUp(self):
        """A checkout of two files; one is the stub."""
        self.dir = tempfile.TemporaryDirectory()
        os.chdir(self.dir.name)
        os.makedirs("verif/tools")
        with open("README.md", "w") as f:
            f.write("before\n" + "\n".join(tools.README) + "\nafter\n")
        self.smoke("ok      build", "1 passed, 0 failed", code=0)
        os.system("git init -q . && git add -A")

    def tearDown(self):
        os.chdir(TOP)
        self.dir.cleanup()

    def smoke(self, *lines, code):
        with open("verif/tools/smoke.sh", "w") as f:
            f.write("#!/bin/sh\n" + "".join(f"echo '{l}'\n" for l in lines) + f"echo $CC $* > parts\nexit {code}\n")
        os.chmod("verif/tools/smoke.sh", 0o755)

    def ran(self, *words):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), \
                mock.patch.object(sys, "argv", ["tools", *words]):
            try:
                code = tools.main()
            except SystemExit as e:
                code = e.code
        return code, out.getvalue(), err.getvalue()

    def test_an_unknown_name_is_refused(self):
        code, _, output = self.ran("nosuch")
        self.assertEqual((code, "no tools 'nosuch'; accepted: here debian-13 newest gcc" in output), (2, True))

    def test_the_list(self):
        code, output, _ = self.ran("--list")
        self.assertEqual((code, [l.split()[0] for l in output.splitlines()]), (0, [m.name for m in tools.MACHINES]))

    def test_what_passes_is_in_the_table_of_the_readme(self):
        code, output, _ = self.ran("here", "--readme", "--json", "t.json")
        self.assertEqual((code, output.splitlines()[-1]), (0, "1 passed, 0 failed"))
        with open("t.json") as f:
            (row,) = json.load(f)["rows"]
        self.assertEqual((row["verdict"], row["passed"]), ("PASS", 1))
        with open("README.md") as f:
            text = f.read()
        self.assertTrue(text.startswith("before\n") and text.endswith("after\n"))
        self.assertIn(f"| here | {row['versions']['Verilator']} | {row['versions']['Yosys']} | gcc ", text)

    def test_what_fails_is_named(self):
        self.smoke("FAILED  lockstep: every block, tiny", "0 passed, 1 failed", code=1)
        code, output, _ = self.ran("here")
        self.assertEqual((code, "FAILED lockstep: every block, tiny (build/tools/here.log)" in output), (1, True))

    def test_a_smoke_that_breaks_off_has_failed(self):
        self.smoke("ok      build", code=0)
        self.assertEqual(self.ran("here")[0], 1)

    def test_what_is_not_here_is_skipped(self):
        with mock.patch.object(tools.shutil, "which", lambda program: None), \
                mock.patch.object(tools.os, "geteuid", lambda: 1000):
            code, output, _ = self.ran("gcc", "debian-13")
        self.assertEqual(code, 0)
        self.assertIn("gcc skipped: no gcc here", output)
        self.assertIn("debian-13 skipped: only root can make the root of another Debian", output)
        self.assertEqual(output.splitlines()[-1], "0 passed, 0 failed")

    def test_compilers_and_parts_reach_the_smoke(self):
        with mock.patch.object(tools.shutil, "which", lambda program: f"/usr/bin/{program}"):
            self.ran("gcc")
        with open("build/tools/gcc/parts") as f:
            self.assertEqual(f.read().split(), ["/usr/bin/gcc", *tools.SOME.split()])

    def test_the_copy_has_what_git_has_and_keeps_what_was_built(self):
        self.ran("here")
        os.makedirs("build/tools/here/build", exist_ok=True)
        for name in ("build/tools/here/build/kept", "build/tools/here/gone", ".gitignore"):
            with open(name, "w") as f:
                f.write("build/\n")
        self.ran("here")
        self.assertEqual(sorted(os.listdir("build/tools/here")), [".gitignore", "README.md", "build", "parts", "verif"])


if __name__ == "__main__":
    result = unittest.main(exit=False, argv=sys.argv[:1]).result
    bad = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - bad} passed, {bad} failed")
    sys.exit(bad != 0)
