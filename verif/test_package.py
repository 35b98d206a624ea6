#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Checks that the SystemVerilog in the tree agrees with the tables. Every constant of hd_pkg and the width of every
payload is read through Verilator and Yosys in each named configuration, and compared with the source of the C side
(rtl/hdgen/params.py). The lists rtl/files.f and rtl/configs/*.f are read where nothing was generated. Run from the top
of the checkout. Ends with `N passed, N failed`."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, "rtl")
from hdgen import params, sv, tables  # noqa: E402
from hdgen.expressions import camel, evaluate  # noqa: E402


def expected(p):
    """Returns {name: value} of the constants of hd_pkg, widths of payloads and words of the register map among them."""
    out = dict(p)
    out.update((camel(t) + "W", params.width_of(t, p)) for t in tables.TYPES)
    out.update((f"Num{camel(en)}", len(rows)) for en, rows in tables.ENUMS.items())
    for name, kind in (("RegConsts", "const"), ("RegResets", "config")):
        out.update((f"{name}[{32 * i}+:32]", evaluate(r["value"], p)) for i, r in enumerate(tables.MAP[kind]))
    for name, kind in (("ConfigHas", "config"), ("CounterHas", "counter")):
        out.update((f"{name}[{i}+:1]", evaluate(r["has"] or "1", p)) for i, r in enumerate(tables.MAP[kind]))
    return out


def macros(config, option):
    """Returns the macros of a configuration as options of a tool."""
    with open(f"rtl/configs/{config}.f") as f:
        return [option + line.removeprefix("+define+").strip() for line in f if line.startswith("+define+")]


class Package(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.tmp = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.tmp)

    def output(self, *command, cwd=None, env=None):
        """Returns the output of a tool that must report no error."""
        done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=env)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def written(self, name, text):
        with open(f"{self.tmp}/{name}", "w") as f:
            f.write(text)
        return f"{self.tmp}/{name}"

    @staticmethod
    def read(config, *files):
        """Returns the command with which Yosys reads files in a configuration."""
        return " ".join(["read_verilog -sv -Irtl", *macros(config, "-D"), "rtl/pkg/hd_pkg.sv", *files])

    def test_kept_files_are_up_to_date(self):
        for path, text in sv.kept().items():
            with self.subTest(path), open(f"rtl/{path}") as f:
                self.assertEqual(f.read(), text, f"run {sv.COMMAND}")
        self.assertEqual(sorted(os.listdir("rtl/configs")), sorted(n + ".f" for n in tables.NAMES))

    def test_every_constant_is_asked(self):
        with open("rtl/pkg/hd_pkg.sv") as f:
            declared = set(re.findall(r"localparam \S+ (?:\[\S+ )?(\w+) =", f.read()))
        self.assertEqual(declared, {n.partition("[")[0] for n in expected(params.ALL["k20c"])})

    def test_values_in_verilator(self):
        for config, p in params.ALL.items():
            want = expected(p)
            want.update((f"$bits(hd_pkg::{t}_t)", params.width_of(t, p)) for t in tables.TYPES)
            names = [n if n.startswith("$") else "hd_pkg::" + n for n in want]
            lines = "".join(f'  if (1) begin : g_{i}\n    $info("VALUE %0d %0d", {i}, {n});\n  end\n'
                            for i, n in enumerate(names))
            top = self.written("ask.sv", f"module ask;\n{lines}endmodule\n")
            text = self.output("verilator", "--lint-only", "--top-module", "ask", "-f", f"rtl/configs/{config}.f",
                             "rtl/pkg/hd_pkg.sv", top)
            got = {int(i): int(v) & 0xFFFFFFFF for i, v in re.findall(r"VALUE (\d+) (-?\d+)", text)}
            with self.subTest(config):
                self.assertEqual({n: got.get(i) for i, n in enumerate(want)}, want)

    def test_values_in_yosys(self):
        for config, p in params.ALL.items():
            want = expected(p)
            ports = ",\n".join(f"  output logic [31:0] o{i}" for i in range(len(want)))
            lines = "".join(f"  assign o{i} = hd_pkg::{n};\n" for i, n in enumerate(want))
            lines = re.sub(r"hd_pkg::(\w+)\[(\d+)\+:(\d+)\];", r"\3'(hd_pkg::\1 >> \2);", lines)
            top = self.written("ask.sv", f"module ask (\n{ports}\n);\n{lines}endmodule\n")
            out = f"{self.tmp}/ask.json"
            self.output("yosys", "-q", "-p", f"{self.read(config, top)}; hierarchy -check -top ask; "
                      f"proc; opt_expr; clean; write_json {out}")
            with open(out) as f:
                found = json.load(f)["modules"]["ask"]["ports"]
            got = {n: int("".join(reversed(found[f"o{i}"]["bits"])), 2) for i, n in enumerate(want)}
            with self.subTest(config):
                self.assertEqual(got, want)

    def test_widths_in_yosys(self):
        """Returns ports of each payload, whose width Yosys computes from its fields."""
        p = params.ALL["tiny"]
        ports = ",\n".join(f"  input hd_pkg::{t}_t {t}_i" for t in tables.TYPES)
        top = self.written("ask.sv", f"module ask (\n{ports}\n);\nendmodule\n")
        out = f"{self.tmp}/ask.json"
        self.output("yosys", "-q", "-p", f"{self.read('tiny', top)}; hierarchy -check -top ask; proc; write_json {out}")
        with open(out) as f:
            found = json.load(f)["modules"]["ask"]["ports"]
        self.assertEqual({t: len(found[t + "_i"]["bits"]) for t in tables.TYPES},
                         {t: params.width_of(t, p) for t in tables.TYPES})

    def clone(self):
        """The RTL as git checks it out, without Python."""
        shutil.copytree("rtl", f"{self.tmp}/rtl", ignore=shutil.ignore_patterns("__pycache__"))
        os.mkdir(f"{self.tmp}/bin")
        for tool in ("verilator", "yosys", "perl", "sh", "env"):
            os.symlink(shutil.which(tool), f"{self.tmp}/bin/{tool}")
        return {"PATH": f"{self.tmp}/bin"}

    def test_lists_without_python(self):
        """Verilator reads the plane by its list without a warning; Yosys reads it too."""
        env = self.clone()
        with self.assertRaises(FileNotFoundError):
            self.output("python3", "--version", env=env)
        for config in ([], ["-f", "rtl/configs/tiny.f"]):
            with self.subTest(config):
                output = self.output("verilator", "--lint-only", *config, "-f", "rtl/files.f", cwd=self.tmp, env=env)
                self.assertEqual(re.sub("^- .*\n", "", output, flags=re.M), "")  # later versions report their time
        with open("rtl/files.f") as f:
            files = [line.strip() for line in f if line.startswith("rtl/") and not line.startswith("rtl/pkg/hd_pkg")]
        self.output("yosys", "-q", "-p", f"{self.read('tiny', *files)}; hierarchy -check -top hd_top", cwd=self.tmp,
                  env=env)

    def test_two_planes(self):
        """Two configurations in one design, as docs/library.md describes."""
        self.clone()
        with open("docs/library.md") as f:
            recipe = re.search(r"```sh two planes\n(.*?)```", f.read(), re.S).group(1)
        self.output("sh", "-ec", recipe, cwd=self.tmp)
        top = self.written("both.sv", """module both;
  if (hd_pkg::NumSmx != 13 || small_pkg::NumSmx != 2) begin : g_wrong
    $fatal(1, "not two");
  end
  hd_top   u_large ();
  small_top u_small ();
endmodule
""")
        self.output("verilator", "--lint-only", "-Wno-PINMISSING", "--top-module", "both", "-f", "rtl/files.f",
                  "-f", "small/configs/tiny.f", "-f", "small/files.f", top, cwd=self.tmp)


if __name__ == "__main__":
    suite = unittest.TestLoader().loadTestsFromNames(sys.argv[1:] or ["Package"], sys.modules[__name__])
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    failed = len({getattr(t, "test_case", t) for t, _ in result.failures + result.errors})  # count a test once, not
                                                                                            # each of its parts
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(failed > 0)
