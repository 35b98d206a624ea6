#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Runs the Cilk programs of channels-isca2014 on CUs around the apu: over 1 to 8 CUs, over widths of channels, with
padded elements, and lane by lane; prints the paper's numbers for comparison.

  table_channels.py [--programs NAME,..] [--parts NAME,..] [--small] [--keep DIR] [--json FILE]

Parts are cus, widths and variants. --small selects sizes at which everything takes a minute. With --keep, reports of
completed runs are kept and reused, so that an interrupted table continues.
"""
import argparse
import json
import os
import subprocess
import sys

PROGRAMS = {  # sizes: the paper's, a small one; widths around the paper's
    "fib": {"small": 16, "widths": [128, 1024, 4096, 32768]},
    "queens": {"small": 9, "widths": [1024, 4096, 16384, 32768]},
    "sort": {"small": 20000, "widths": [512, 4096, 32768]},
    "strassen": {"small": 128, "widths": [512, 2048, 8192, 32768]},
}
CUS = [1, 2, 4, 8]
VARIANTS = {"padded": ["--padded"], "per lane": ["--per-lane"]}
# From the paper: share of time at 8 CUs in which the GPU waits for the aggregator (table 5); speed of 8 CUs over one.
PAPER = {"fib": (0.301, None), "queens": (0.016, None), "sort": (0.058, 2.6), "strassen": (0.018, 4.3)}
VERSION = 3  # of the reports' keys


class Runs:
    def __init__(self, keep, small):
        self.keep, self.small = keep, small

    def get(self, program, *words):
        size = ["--size", str(PROGRAMS[program]["small"])] if self.small else []
        command = ["build/heddle", "channels", program, *size, *words, "--json"]
        path = os.path.join(self.keep, "_".join(w.strip("-") for w in command[2:]) + ".json") if self.keep else None
        if path and os.path.exists(path):
            with open(path, encoding="ascii") as f:
                report = json.load(f)
            if report["version"] == VERSION:
                return report
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"table_channels.py: {' '.join(command)}: exit code {done.returncode}")
        report = json.loads(done.stdout)
        if path:
            os.makedirs(self.keep, exist_ok=True)
            with open(path + ".part", "w", encoding="ascii") as f:
                f.write(done.stdout)
            os.replace(path + ".part", path)
        return report


def cells(r):
    t = r["time"]
    return {"cycles": r["cycles"], "wavefronts": r["wavefronts"], "partial": r["partial"], "yields": r["yields"],
            "wave_cycles": t["wave_cycles"], "blocked": t["blocked"], "blocked_idle": t["blocked_idle"],
            "empty": t["empty"], "issued": t["issued"], "l1": t["l1_hit_rate"], "l2": t["l2_hit_rate"],
            "dram_lines": t["dram_reads"] + t["dram_writes"]}


def row(program, part, what, r, base):
    return {"program": program, "part": part, "what": what, **cells(r),
            "speed": base["cycles"] / r["cycles"]}


def make(runs, programs, parts):
    for program in programs:
        if "cus" in parts:
            one = runs.get(program, "--cus", "1")
            for n in CUS:
                yield row(program, "cus", f"{n} CUs", runs.get(program, "--cus", str(n)), one)
        eight = runs.get(program, "--cus", "8")
        if "widths" in parts:
            for n in PROGRAMS[program]["widths"]:
                yield row(program, "widths", f"width {n}", runs.get(program, "--cus", "8", "--width", str(n)), eight)
        if "variants" in parts:
            for name, words in VARIANTS.items():
                yield row(program, "variants", name, runs.get(program, "--cus", "8", *words), eight)


HEAD = ("                    cycles  speed  wavefronts  partial  yields  cycles/wave   blocked  idle and   nothing"
        "  issued\n"
        "                                                                                   blocked      runs")


def print_row(r):
    print(f"  {r['what']:<12}{r['cycles']:12d}{r['speed']:7.2f}{r['wavefronts']:12d}{r['partial']:9d}{r['yields']:8d}"
          f"{r['wave_cycles']:13.0f}{100 * r['blocked']:8.3f} %{100 * r['blocked_idle']:8.3f} %"
          f"{100 * r['empty']:8.1f} %{100 * r['issued']:6.1f} %", flush=True)


def names(p, option, text, known):
    for name in text.split(","):
        if name not in known:
            p.error(f"{option} {name}: accepted: {', '.join(known)}")
    return text.split(",")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--programs", default=",".join(PROGRAMS))
    p.add_argument("--parts", default="cus,widths,variants")
    p.add_argument("--small", action="store_true")
    p.add_argument("--keep")
    p.add_argument("--json")
    a = p.parse_args()
    programs = names(p, "--programs", a.programs, PROGRAMS)
    parts = names(p, "--parts", a.parts, ["cus", "widths", "variants"])
    rows = []
    print(f"channels: programs on CUs around the apu's model{', at small sizes' if a.small else ''}; speed: of cus over"
          " one, of the others over 8 CUs\n" + HEAD)
    for r in make(Runs(a.keep, a.small), programs, parts):
        if not rows or rows[-1]["program"] != r["program"]:
            blocked, speed = PAPER[r["program"]]
            print(f"{r['program']}: the paper's aggregator blocks its GPU {100 * blocked:.1f} % of the time"
                  + (f"; 8 CUs are {speed} times as fast as one" if speed else ""))
        rows.append(r)
        print_row(r)
    if a.json:
        with open(a.json, "w", encoding="ascii") as f:
            json.dump({"version": 1, "rows": rows}, f, indent=1)


if __name__ == "__main__":
    main()
