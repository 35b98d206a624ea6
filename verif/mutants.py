#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The mutation score of blocks: runs the mutants of their netlists in random lockstep (heddle mutants), and proves of
those that survive, where it can, that no input which keeps the block's contract shows a difference at an output.

    mutants.py [BLOCK]..        default: every block, in the configuration that config_of names

Run from the top of the checkout, after make. Ends with `N passed, N failed`: a block fails if fewer than --score
percent of its mutants are killed, without those that are proved equivalent."""
import argparse
import concurrent.futures
import csv
import functools
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

if not os.path.exists("rtl/hdgen"):
    sys.exit("mutants.py: run it from the top of a checkout (there is no rtl/hdgen here)")
sys.path[:0] = ["rtl", "verif/proofs"]
from aiger import delta  # noqa: E402
from hdgen.tables import BLOCKS  # noqa: E402

LEFT, KEPT = "verif/mutants_left.csv", "results/mutants/*.json"
SELECT = 16  # bits that choose the mutant
YOSYS, SLACK = "0.23", 5  # another version makes other mutants: a score lower by SLACK is accepted
EQUIVALENT, DIFFERS, OPEN = "equivalent", "differs", "open"


def config_of(block):
    """The configuration of a block's mutants: in tiny throttle decides nothing (two SMXs are always open), no count of
    dcount has more than 3 bits, and no run of laperm uses up the numbers of arrivals."""
    return {"throttle": "tiny+NumSmx=4", "dcount": "tiny+DoneGrain=64+ChanCap=11", "laperm": "tiny+ArrivalW=4"}.get(
        block, "tiny")


def parser(name, doc, count):
    """The options that mutants.py and mutants_model.py have in common."""
    p = argparse.ArgumentParser(prog=name, description=doc.split("\n\n")[0],
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("blocks", nargs="*", metavar="BLOCK", help="default: every block but top")
    p.add_argument("--count", type=int, default=count, metavar="N",
                   help=f"run only N mutants of a block (default {count or 'all'})")
    p.add_argument("--cycles", type=int, default=20000, metavar="N", help="cycles of a run (default 20000)")
    p.add_argument("--runs", type=int, default=3, metavar="N", help="runs with other seeds (default 3)")
    p.add_argument("--score", type=float, default=0, metavar="PERCENT", help="least score that passes (default 0)")
    p.add_argument("--json", metavar="FILE", nargs="?", const="-",
                   help="write the results as JSON to FILE; without FILE print only JSON")
    return p


def parsed(p):
    a = p.parse_args()
    for block in a.blocks:
        if block not in BLOCKS:
            p.error(f"no block '{block}'; there are: {' '.join(BLOCKS)}")
    a.blocks = a.blocks or [b for b in BLOCKS if b != "top"]
    return a


def report(of, a, judge, head, row, change):
    """Judges the blocks and prints each result with its survivors, or all as JSON. Returns the exit code."""
    found, failed, quiet = [], 0, a.json == "-"
    show = (lambda *_: None) if quiet else (lambda text: print(text, flush=True))
    show(head)
    for block in a.blocks:
        r = judge(block, a)
        found.append(r)
        failed += r["score"] < a.score
        show("\n".join([row(r), *map(change, r["survivors"])]))
    text = json.dumps({"version": 1, "of": of, "blocks": found}, indent=None if quiet else 1)
    if quiet:
        print(text)
    elif a.json:
        with open(a.json, "w") as f:
            f.write(text)
    show(f"{len(found) - failed} passed, {failed} failed")
    return failed > 0


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
            out += delta(int(gate) - high) + delta(high - low)
        return bytes(out)

    def prove(self, mutant, seconds, folder):
        """EQUIVALENT, DIFFERS (an input sequence shows it) or OPEN, after `seconds` of processor time."""
        path = f"{folder}/{mutant}.aig"
        with open(path, "wb") as f:
            f.write(self.of(mutant))
        # dprove decides most mutants in a second. What it leaves open it writes to its folder.
        command = ["prlimit", f"--cpu={seconds}", "yosys-abc", "-c", f"read_aiger {path}; strash; fold; strash; dprove"]
        output = subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout
        os.remove(path)
        if "Networks are equivalent" in output:
            return EQUIVALENT
        return DIFFERS if "are not equivalent" in output or "was asserted in frame" in output else OPEN


def heddle(block, *options):
    """Runs heddle mutants; returns its JSON."""
    path = f"build/test/mutants-{block}.json"
    done = subprocess.run(["build/heddle", "mutants", block, "-c", config_of(block), f"--json={path}", *options],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    with open(path) as f:
        return json.load(f)


def judge(block, a):
    """The results of one block. Short runs come first, then proofs of the survivors, then long runs of the rest."""
    targets = [f"{config_of(block)}/{block}/{variant}" for variant in ("mutants", "mutant", "miter")]
    subprocess.run(["python3", "tb/build", "--quiet", *targets], check=True)
    limit = ["--count", str(a.count)] if a.count else []
    found = heddle(block, "--cycles", str(a.cycles), "--runs", str(a.runs), *limit)
    miter = Miter(f"build/{config_of(block)}/{block}/miter.aag")
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        found["proofs"] = miter.prove(0, 10 * a.seconds, folder)  # the netlist without a mutant
        if found["proofs"] == DIFFERS:
            raise SystemExit(f"mutants.py: {block}: the netlist without a mutant differs from the block")
        provable = found["proofs"] == EQUIVALENT  # else the block is too large for proofs of its mutants, too
        verdicts = pool.map(lambda s: miter.prove(s["mutant"], a.seconds, folder) if provable else OPEN,
                            found["survivors"])
        for survivor, verdict in zip(found["survivors"], verdicts):
            survivor["proof"] = verdict
    found["equivalent"] = sum(s["proof"] == EQUIVALENT for s in found["survivors"])
    return judge_longer(block, found, a)


def judge_again(block, a):
    """The kept results of one block after new long runs of its survivors."""
    subprocess.run(["python3", "tb/build", "--quiet", *(f"{config_of(block)}/{block}/{variant}"
                                                        for variant in ("mutants", "mutant"))], check=True)
    with open(KEPT.replace("*", block)) as f:
        return judge_longer(block, json.load(f)["blocks"][0], a)


def judge_longer(block, found, a):
    """The results after long runs of those that are not proved equivalent."""
    left = []
    for s in (s for s in found["survivors"] if s["proof"] != EQUIVALENT):
        longer = heddle(block, "--first", str(s["mutant"]), "--count", "1", "--cycles", str(a.long), "--runs", "5")
        if longer["survivors"]:
            left.append(s)
        for verdict, n in longer["killed"].items():
            found["killed"][verdict] = found["killed"].get(verdict, 0) + n
    found["survivors"] = left
    counted = found["mutants"] - found["equivalent"]
    found["score"] = round(100 * (counted - len(left)) / counted, 2) if counted else 100.0
    return found


def short(change):
    """A mutant in a few words: instance, file, line, cell, bit of its port, what it becomes. Yosys names most cells by
    their operator and its line; others have a `-src`."""
    mode, cell, port, bit = re.match(r"(\w+) -module \S+ -cell (\S+) -port (\w+) -portbit (\d+)", change).groups()
    path, name = re.fullmatch(r"(?:\$flatten)?((?:\\?[\w[\]]+\.)*)(.*)", cell).groups()
    at = re.search(r"\$rtl/[\w/]*/(\w+\.sv:\d+)\$", name) or re.search(r"-src rtl/[\w/]*/(\w+\.sv:\d+)", change)
    ram = re.match(r"\$memory\\([\w.[\]]+)\$(\w+)", name)
    kind = ram or re.match(r"\$(?:auto\$)?(\w+)", name)
    return " ".join([path.replace("\\", "")[:-1], at[1] if at else "",
                     f"{' '.join(kind.groups()) if kind else name} {port}[{bit}]",
                     {"inv": "inverted", "const0": "= 0", "const1": "= 1"}[mode]]).strip()


@functools.lru_cache(None)
def needed():
    """Returns (block, mutant in short) -> what a run would need to show the survivor, or why nothing can: then the text
    begins with that word."""
    with open(LEFT) as f:
        return {(r["block"], r["mutant"]): r["needs"] for r in csv.DictReader(f)}


def with_needs(of, block, survivors):
    """Returns of each survivor its mutant in short, the proof's verdict, and its text of needed()."""
    texts = [short(s["change"]) if of == "netlist" else s["change"] for s in survivors]
    return [(t, s.get("proof", ""), needed().get((block, t), "")) for t, s in zip(texts, survivors)]


def argued(survivors):
    """How many of them, as with_needs() returns them, nothing can show, as a reason without a proof says."""
    return sum(why.startswith("nothing") for _, _, why in survivors)


def share(killed, survive):
    return f"{100 * killed / (killed + survive):.2f} %" if killed + survive else "100.00 %"


def table(paths):
    """Prints two tables of results that --json wrote: blocks with mutants, what killed them and survivors; and each
    survivor."""
    print("| of | block | mutants | equivalent | killed | by | survive | argued | score | of those that differ |")
    print("|---|---|---:|---:|---:|---|---:|---:|---:|---:|")
    total, left = {}, []

    def row(of, block, by, mutants, equivalent, killed, survive, argue):
        print(f"| {of} | {block} | {mutants:,} | {equivalent:,} | {killed:,} | {by} | {survive:,} | {argue:,} | "
              f"{share(killed, survive)} | {share(killed, survive - argue)} |")
    for path in paths:
        with open(path) as f:
            found = json.load(f)
        of = found["of"]
        for r in found["blocks"]:
            survivors = with_needs(of, r["block"], r["survivors"])
            by = ", ".join(f"{what.lower()} {n}" for what, n in sorted(r["killed"].items(), key=lambda k: -k[1]))
            counts = (r["mutants"], r.get("equivalent", 0), sum(r["killed"].values()), len(survivors),
                      argued(survivors))
            row(of, r["block"], by, *counts)
            total[of] = [x + y for x, y in zip(total.get(of, [0] * 5), counts)]
            left += [(of, r["block"], *s) for s in survivors]
    for of, counts in total.items():
        row(of, "all", "", *counts)
    print("\n| of | block | survivor | proof | what it needs |\n|---|---|---|---|---|")
    for of, block, change, proof, why in left:
        change = change.replace("|", "\\|")
        print(f"| {of} | {block} | `{change}` | {proof} | {why} |")


def main():
    p = parser("mutants.py", __doc__, None)
    p.add_argument("--long", type=int, default=1000000, metavar="N",
                   help="cycles of each of 5 runs of what survives and is not proved equivalent (default 1000000)")
    p.add_argument("--again", action="store_true",
                   help=f"only the long runs, of what survives in the kept results ({KEPT})")
    p.add_argument("--seconds", type=int, default=20, metavar="N", help="processor time of a proof (default 20)")
    p.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="proofs at once")
    p.add_argument("--table", nargs="*", metavar="FILE",
                   help=f"print a table of results that --json wrote (default {KEPT}); runs nothing")
    a = parsed(p)
    if a.table is not None:
        return table(a.table or sorted(glob.glob(KEPT)))
    os.makedirs("build/test", exist_ok=True)
    version = subprocess.run(["yosys", "-V"], capture_output=True, text=True).stdout.split()[1:2]
    if a.score and version != [YOSYS]:
        a.score -= SLACK
        print(f"Yosys {' '.join(version)} makes other mutants than {YOSYS}: {a.score:g} % are enough here")

    def row(r):
        survive, still_open = len(r["survivors"]), sum(s["proof"] == OPEN for s in r["survivors"])
        return (f"{r['block']:8} {r['mutants']:7} {r['mutants'] - r['equivalent'] - survive:7} {r['equivalent']:11} "
                f"{survive:8} {still_open:6}  {r['score']:5.2f} %")
    head = "block    mutants  killed  equivalent  survive   open   score"
    return report("netlist", a, judge_again if a.again else judge, head, row,
                  lambda s: f"    {s['mutant']:5} {s['proof']:8} {short(s['change'])}")


if __name__ == "__main__":
    sys.exit(main())
