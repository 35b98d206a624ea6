#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Measures the cost of a change: number of builds, wall time and processor time of `make run`, of `make test` and of
the checks after an edit. Works in clones of the last commit, with a store and a compiler cache of their own that are
empty at first; the packages must be installed. Prints a table in Markdown. The output of all commands, with the cost of
each object, is in build/build_cost.log. Exit code 1 if a command failed. Run it from the top of the checkout.
"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time

ENV = {"MAKEFLAGS": "", "MFLAGS": "", "MAKELEVEL": ""}
LOG = "build/build_cost.log"
# Edits: file, text, replacement.
EDITS = POOL, BIND, FIFO = (
    ("rtl/family/pool/hd_pool.sv", "refill_event_q <= got_valid && !got_error;",
     "refill_event_q <= !got_error && got_valid;"),
    ("tb/engine/bind.h", "#pragma once", "#pragma once\n"),
    ("rtl/common/hd_fifo.sv", "endmodule", "endmodule  // hd_fifo"),
)


class Clone:
    failed = False

    def __init__(self, top, caches):
        self.top = top
        self.env = dict(os.environ, HEDDLE_CACHE=f"{caches}/store", CCACHE_DIR=f"{caches}/ccache", **ENV)
        subprocess.run(["git", "clone", "-q", ".", self.top], check=True)

    def run(self, *argv):
        """Returns (output, failed). Any failure, also of a command that is not measured, makes the exit code 1."""
        done = subprocess.run(argv, cwd=self.top, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True)
        Clone.failed |= done.returncode != 0
        with open(LOG, "a") as f:
            f.write(f"==== {' '.join(argv)[:200]}\n{done.stdout}")
        return done.stdout, done.returncode != 0

    def cost(self, what, *argv):
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
        output, failed = self.run(*argv)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        built = sum(line.startswith("  built") for line in output.splitlines())
        stored = sum(line.startswith("  store") for line in output.splitlines())
        mark = " (FAILED)" * failed
        print(f"| {what}{mark} | {built} | {stored} | {time.time() - began:.0f} | {cpu:.0f} |", flush=True)

    def edit(self, path, old, new):
        text = content(f"{self.top}/{path}")
        with open(f"{self.top}/{path}", "w") as f:
            f.write(text.replace(old, new, 1))


def content(path):
    with open(path) as f:
        return f.read()


def main():
    p = argparse.ArgumentParser(prog="build_cost.py", description=__doc__)
    p.add_argument("--keep", metavar="DIR", help="store and compiler cache are DIR/store and DIR/ccache, and stay; if "
                   "DIR is there already, steps that need empty ones are skipped")
    keep = p.parse_args().keep
    for path, old, _ in EDITS:  # fail now, not after an hour
        if old not in content(path):
            sys.exit(f"build_cost: {path}: no '{old}' to edit; EDITS in {sys.argv[0]} must name a text that is there")
    os.makedirs("build", exist_ok=True)
    open(LOG, "w").close()
    with tempfile.TemporaryDirectory() as folder:
        full = os.path.abspath(keep or f"{folder}/full")
        empty = not os.path.exists(full)
        a, b = Clone(f"{folder}/a", full), Clone(f"{folder}/b", full)
        objects = a.run("make", "-s", "objects")[0].split()
        build = ["python3", "tb/build", *objects]
        print(f"{len(objects)} objects, {os.cpu_count()} processors\n\n"
              "| | built | from the store | s | s of processor |\n|---|---:|---:|---:|---:|")
        if empty:
            Clone(f"{folder}/c", f"{folder}/run").cost("`make run`, empty store", "make", "run")
            a.cost("`make test`, empty store", "make", "test")
        else:
            a.run(*build)
        a.cost("all objects, nothing changed", *build)
        b.cost("`make test` in another clone, full store", "make", "test")
        check = ["make", "-s", "check", "BLOCK=pool"]
        a.run(*check)
        a.cost("`make check BLOCK=pool`, nothing changed", *check)
        a.edit(*POOL)
        a.cost("`make check BLOCK=pool` after an edit of one line in `hd_pool.sv`", *check)
        a.cost("then all objects", *build)
        a.edit(*BIND)
        a.cost("an edit of `bind.h`", *build)
        a.edit(*FIFO)
        a.cost("an edit of `hd_fifo.sv`", *build)
    return int(Clone.failed)


if __name__ == "__main__":
    sys.exit(main())
