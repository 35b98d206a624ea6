#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The mutation score of blocks: runs the mutants of their netlists in random lockstep (heddle mutants), and proves of
those that survive, where it can, that no input which keeps the block's contract shows a difference at an output.

    mutants.py [BLOCK]..        default: every block; in tiny

Run from the top of the checkout, after make. Ends with `N passed, N failed`: a block fails if fewer than --score
percent of its mutants are killed, without those that are proved equivalent."""
import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

if not os.path.exists("rtl/hdgen"):
    sys.exit("mutants.py: run it from the top of a checkout (there is no rtl/hdgen here)")
sys.path.insert(0, "rtl")
from hdgen.tables import BLOCKS  # noqa: E402

SELECT = 16  # bits that choose the mutant
EQUIVALENT, DIFFERS, OPEN = "equivalent", "differs", "open"


def arguments():
    p = argparse.ArgumentParser(prog="mutants.py", description=__doc__.split("\n\n")[0],
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("blocks", nargs="*", metavar="BLOCK", help="default: every block but top")
    p.add_argument("--count", type=int, metavar="N", help="only the first N mutants of a block (default: all)")
    p.add_argument("--cycles", type=int, default=20000, metavar="N", help="cycles of a run (default 20000)")
    p.add_argument("--runs", type=int, default=3, metavar="N", help="runs with other seeds (default 3)")
    p.add_argument("--seconds", type=int, default=20, metavar="N", help="time limit of a proof (default 20)")
    p.add_argument("--score", type=float, default=0, metavar="PERCENT", help="least score that passes (default 0)")
    p.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="proofs at once")
    p.add_argument("--json", metavar="FILE", help="write the results as JSON")
    a = p.parse_args()
    for block in a.blocks:
        if block not in BLOCKS:
            p.error(f"no block '{block}'; there are: {' '.join(BLOCKS)}")
    return a


class Miter:
    """An AIGER file with inputs that select a mutant."""

    def __init__(self, path):
        with open(path) as f:
            text = f.read()
        self.lines = text.splitlines()
        self.variables, self.inputs, self.latches, self.outputs, self.gates, self.bad, self.constraints = (
            [*map(int, self.lines[0].split()[1:]), 0, 0][:7])
        bits = re.findall(r"^input (\d+) (\d+) hd_mutant$", text, re.M)
        assert len(bits) == SELECT and not self.bad, path
        self.select = {int(self.lines[1 + int(at)]): int(bit) for at, bit in bits}

    def of(self, mutant):
        """The same with these inputs fixed, in the binary form."""
        def literal(word):
            word = int(word)
            bit = self.select.get(word & ~1)
            return word if bit is None else (mutant >> bit & 1) ^ (word & 1)

        def number(value):
            while value > 127:
                out.append(value & 127 | 128)
                value >>= 7
            out.append(value)
        at = 1 + self.inputs
        head = f"aig {self.variables} {self.inputs} {self.latches} {self.outputs} {self.gates}"
        out = bytearray(f"{head} 0 {self.constraints}\n".encode())
        for line in self.lines[at:at + self.latches]:
            _, following, *initial = line.split()
            out += " ".join([str(literal(following)), *initial]).encode() + b"\n"
        at += self.latches
        for line in self.lines[at:at + self.outputs + self.constraints]:
            out += f"{literal(line)}\n".encode()
        at += self.outputs + self.constraints
        for line in self.lines[at:at + self.gates]:
            gate, *operands = line.split()
            high, low = sorted(map(literal, operands), reverse=True)
            number(int(gate) - high)
            number(high - low)
        return bytes(out)

    def prove(self, mutant, seconds, folder):
        """EQUIVALENT, DIFFERS (an input sequence shows it) or OPEN."""
        path = f"{folder}/{mutant}.aig"
        with open(path, "wb") as f:
            f.write(self.of(mutant))
        script = f"read_aiger {path}; fold; strash; scorr; pdr -T {seconds}"
        output = subprocess.run(["yosys-abc", "-c", script], capture_output=True, text=True).stdout
        os.remove(path)
        return EQUIVALENT if "Property proved" in output else DIFFERS if "was asserted in frame" in output else OPEN


def judge(block, a):
    """What became of the block's mutants."""
    targets = [f"tiny/{block}/{variant}" for variant in ("mutants", "mutant", "miter")]
    subprocess.run(["python3", "tb/build", "--quiet", *targets], check=True)
    limit = ["--count", str(a.count)] if a.count else []
    done = subprocess.run(["build/heddle", "mutants", block, f"--json=build/test/mutants-{block}.json", "--cycles",
                           str(a.cycles), "--runs", str(a.runs), *limit], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    with open(f"build/test/mutants-{block}.json") as f:
        found = json.load(f)
    miter = Miter(f"build/tiny/{block}/miter.aag")
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        verdicts = pool.map(lambda s: miter.prove(s["mutant"], a.seconds, folder), found["survivors"])
        for survivor, verdict in zip(found["survivors"], verdicts):
            survivor["proof"] = verdict
    equivalent = sum(s["proof"] == EQUIVALENT for s in found["survivors"])
    found["equivalent"] = equivalent
    found["survivors"] = [s for s in found["survivors"] if s["proof"] != EQUIVALENT]
    counted = found["mutants"] - equivalent
    found["score"] = round(100 * (counted - len(found["survivors"])) / counted, 2) if counted else 100.0
    return found


def main():
    a = arguments()
    os.makedirs("build/test", exist_ok=True)
    rows, failed = [], 0
    print("block    mutants  killed  equivalent  survive   open   score")
    for block in a.blocks or [b for b in BLOCKS if b != "top"]:
        r = judge(block, a)
        rows.append(r)
        still_open = sum(s["proof"] == OPEN for s in r["survivors"])
        failed += r["score"] < a.score
        survive = len(r["survivors"])
        print(f"{block:8} {r['mutants']:7} {r['mutants'] - r['equivalent'] - survive:7} {r['equivalent']:11} "
              f"{survive:8} {still_open:6}  {r['score']:5.2f} %", flush=True)
        for s in r["survivors"]:
            print(f"    {s['mutant']:5} {s['proof']:8} {s['change']}")
    if a.json:
        with open(a.json, "w") as f:
            json.dump({"version": 1, "config": "tiny", "blocks": rows}, f, indent=1)
    print(f"{len(rows) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
