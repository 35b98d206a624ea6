#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""What a change costs: builds made, seconds by the clock and of processor time, for the objects that
`make test` runs. In a clone of the last commit, with a store and a compiler cache of its own, both empty at
first. Prints a table in Markdown.

  build_cost.py       from the top of the checkout
"""
import os
import resource
import subprocess
import sys
import tempfile
import time

ENV = {"MAKEFLAGS": "", "MFLAGS": "", "MAKELEVEL": ""}


class Clone:
    def __init__(self, folder, top):
        self.folder, self.top = folder, top
        self.env = dict(os.environ, HEDDLE_CACHE=f"{folder}/store", CCACHE_DIR=f"{folder}/ccache", **ENV)

    def run(self, *argv):
        return subprocess.run(argv, cwd=self.top, env=self.env, check=True, stdout=subprocess.PIPE, text=True).stdout

    def cost(self, what, *argv):
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
        said = self.run(*argv)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        built = sum(line.startswith("  built") for line in said.splitlines())
        stored = sum(line.startswith("  store") for line in said.splitlines())
        print(f"| {what} | {built} | {stored} | {time.time() - began:.0f} | {cpu:.0f} |", flush=True)

    def edit(self, path, old, new):
        with open(f"{self.top}/{path}") as f:
            text = f.read()
        assert old in text
        with open(f"{self.top}/{path}", "w") as f:
            f.write(text.replace(old, new, 1))


def main():
    if len(sys.argv) > 1:
        print(__doc__.strip())
        return 0 if sys.argv[1] in ("-h", "--help") else 2
    with tempfile.TemporaryDirectory() as folder:
        for name in ("a", "b"):
            subprocess.run(["git", "clone", "-q", ".", f"{folder}/{name}"], check=True)
        a, b = Clone(folder, f"{folder}/a"), Clone(folder, f"{folder}/b")
        objects = a.run("make", "-s", "objects").split()
        build = ["python3", "tb/build", *objects]
        print(f"{len(objects)} objects, {os.cpu_count()} processors\n\n"
              "| | built | from the store | s | s of processor |\n|---|---:|---:|---:|---:|")
        a.cost("empty store", *build)
        a.cost("nothing changed", *build)
        b.cost("another clone, full store", *build)
        tests = [f"build/test/{t}" for t in ("test_pool", "test_pool_memory", "test_pool_records", "equiv_pool")]
        a.run("make", "-s", "-j2", "all", *tests)
        a.cost("`make check BLOCK=pool`, the first time", "make", "-s", "check", "BLOCK=pool")
        a.edit("rtl/family/pool/hd_pool.sv", "get_ptr_q <= get_next;", "get_ptr_q <= get_next | '0;")
        a.cost("`make check BLOCK=pool` after an edit of one line in `hd_pool.sv`", "make", "-s", "check", "BLOCK=pool")
        a.cost("then all objects", *build)
        a.edit("tb/engine/bind.h", "#pragma once", "#pragma once\n")
        a.cost("an edit of `bind.h`", *build)
        a.edit("rtl/common/hd_fifo.sv", "endmodule", "endmodule  // hd_fifo")
        a.cost("an edit of `hd_fifo.sv`", *build)
    return 0


if __name__ == "__main__":
    sys.exit(main())
