#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""heddle prove: proves that the RTL of a block equals its golden model."""
import argparse
import csv
import json
import os
import sys

if not os.path.exists("rtl/heddle.core"):
    sys.exit("heddle prove: run it from the top of a checkout (there is no rtl/heddle.core here)")
sys.path[:0] = ["synth/area", "rtl", "tb/build"]
import checker  # noqa: E402
import faults  # noqa: E402
import flow  # noqa: E402
import proof  # noqa: E402
import results  # noqa: E402
import tools  # noqa: E402
from hdgen.output import put_text, usable  # noqa: E402
from hdgen.tables import NAMES  # noqa: E402
from parallel import threads  # noqa: E402
from progress import Progress  # noqa: E402
from usage import Parser, ended  # noqa: E402

BLOCKS = proof.provable()
EPILOG = """\
Examples:
  heddle prove                     every block that has an invariant, in tiny
  heddle prove fcfs -c k20c        another configuration
  heddle prove link --fault 30     a planted fault of verif/faults.csv must be refuted
  heddle prove agc --bounded 20    20 cycles from reset, without induction
  heddle prove kin --lockstep 1000000   no proof: does a run keep contract and invariant?

Exit codes: 0 all proved (with --fault or --model: all refuted), 1 not so, 2 bad usage, no tools, or a block that Yosys
or CBMC does not read."""


def arguments():
    p = Parser(prog="heddle prove", usage="%(prog)s [OPTION..] [BLOCK..]", epilog=EPILOG,
               formatter_class=argparse.RawDescriptionHelpFormatter,
               description="Proves that the RTL of a block equals its golden model, for all inputs that its contract "
                           "allows and for ever,\nby k-induction over both at once: Yosys, CBMC and CaDiCaL.")
    p.add_argument("blocks", nargs="*", metavar="BLOCK", help="block: " + " ".join(BLOCKS) + " (default: all)")
    p.add_argument("-c", "--config", default="tiny", metavar="NAME",
                   help="configuration: " + ", ".join(NAMES) + " (default tiny)")
    p.add_argument("-s", "--set", dest="sets", action="append", default=[], metavar="PARAM=VALUE",
                   help="change a parameter of the configuration; may be repeated")
    p.add_argument("-f", "--fault", metavar="ID", default="0",
                   help="plant this fault of verif/faults.csv in the RTL; all: each of the block's faults")
    p.add_argument("-m", "--model", metavar="OLD=>NEW", help="plant a fault in the model: replace the text OLD by NEW")
    p.add_argument("-q", "--question", action="append", choices=list(proof.QUESTIONS), metavar="NAME",
                   help=f"ask only this question: {', '.join(proof.QUESTIONS)}; may be repeated")
    p.add_argument("-b", "--bounded", type=int, default=0, metavar="N", help="check N cycles from reset instead")
    p.add_argument("--lockstep", type=int, default=0, metavar="N",
                   help="evaluate contract and invariant in N cycles of random lockstep instead")
    p.add_argument("--depth", type=int, default=0, metavar="N",
                   help="cycles that the induction assumes (default: as the block's file says, else 1)")
    p.add_argument("--unwind", type=int, default=0, metavar="N",
                   help="passes of a loop that are followed; it is checked that these are enough (default: as the "
                        "block's file says, else 12)")
    p.add_argument("-l", "--limit", type=int, default=900, metavar="S",
                   help="seconds of processor of one tool for a question (default 900)")
    p.add_argument("--memory", type=int, default=6, metavar="GIB", help="memory of one tool (default 6 GiB)")
    p.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N",
                   help="number of tools at once (default: one per processor)")
    p.add_argument("-t", "--trace", action="store_true", help="print the cycles of each counterexample")
    p.add_argument("-j", "--json", metavar="[=FILE]", help="print the results as JSON, or write them to FILE")
    p.add_argument("--page", action="store_true", help="print the table of docs/proofs.md")
    alone = {"-j": "--json=-", "--json": "--json=-"}  # a value follows "=", so that the next argument may be a block
    a = p.parse_args([alone.get(arg, arg) for arg in sys.argv[1:]])
    for b in a.blocks:
        if b not in BLOCKS:
            p.error(f"no invariant of a block '{b}'; there are: {', '.join(BLOCKS)}")
    for name in ("bounded", "lockstep", "depth", "unwind", "limit", "memory", "jobs"):
        least = int(name in ("limit", "memory", "jobs"))
        if getattr(a, name) < least:
            p.error(f"--{name} {getattr(a, name)}: accepted: {least} or more")
    if a.model and a.model.count("=>") != 1:
        p.error(f"--model '{a.model}': OLD=>NEW is accepted")
    a.model = a.model.split("=>") if a.model else None
    a.work = [(b, f) for b in a.blocks or BLOCKS for f in faults_of(p, b, a.fault)]
    if not a.work:
        p.error(f"--fault {a.fault}: no such fault of {', '.join(a.blocks or BLOCKS)} (verif/faults.csv)")
    a.expected = "refuted" if a.fault != "0" or a.model else \
        "held" if a.lockstep else "bounded" if a.bounded else "proved"
    if a.json and a.json != "-":
        usable(a.json)
    return a


def faults_of(p, block, wanted):
    """Returns the numbers of the faults to be planted in a block: [0] is none. `all` omits those that show only with
    another parameter."""
    if wanted == "0":
        return [0]
    if wanted != "all" and not wanted.isdigit():
        p.error(f"--fault {wanted}: a number of verif/faults.csv or all is accepted")
    with open(faults.FAULTS, newline="") as f:
        return [int(r["id"]) for r in csv.DictReader(f) if block in r["block"].split()
                and (wanted == r["id"] or wanted == "all" and not r["set"])]


def prove(a, block, fault, progress):
    """Returns the results of a block. A fault is refuted by one question, so the others are not asked."""
    options = argparse.Namespace(**{**vars(a), "fault": fault})
    one = proof.Proof(block, options, progress)
    answers = {"lockstep": one.lockstep(a.lockstep)} if a.lockstep else {}
    for question in [] if a.lockstep else ["bounded"] if a.bounded else a.question or ["step", "base", "reach"]:
        answers[question] = one.answer(question)
        if answers[question]["result"] == "refuted":
            if a.trace:
                answers[question]["cycles"] = one.counterexample(question)
            break
    return results.block(one, answers)


def run(a, progress):
    """Returns (results of the blocks, messages of those that failed)."""
    found, failures = [], []
    with threads(a.jobs) as pool:
        for future in [pool.submit(prove, a, b, f, progress) for b, f in a.work]:
            try:
                found.append(future.result())
            except (tools.Failed, flow.Failed) as e:
                failures.append(str(e))
    return found, failures


def main():
    a = arguments()
    try:
        if not a.lockstep:
            checker.versions()
    except (checker.Missing, tools.Failed) as e:
        print(f"heddle prove: {e}", file=sys.stderr)
        return 2
    with Progress(quiet=False, begins=True) as progress:
        found, failures = run(a, progress)
    if found:
        report = results.data("+".join([a.config, *a.sets]), found, a.lockstep)
        if a.json:
            content = json.dumps(report, indent=2) + "\n"
            sys.stdout.write(content) if a.json == "-" else put_text(a.json, content)
        if a.json != "-":
            sys.stdout.write(results.page(report) if a.page else results.text(report))
            for line in (line for b in found for q in b["questions"] for line in q.get("cycles", [])):
                print(line)
    for text in failures:
        print(f"heddle prove: {text}", file=sys.stderr)
    return 2 if failures else int(any(b["result"] != a.expected for b in found))


if __name__ == "__main__":
    try:
        sys.exit(ended(main, "heddle prove"))
    except SystemExit as e:  # errors of the generator are texts
        if isinstance(e.code, str):
            print(f"heddle prove: {e.code}", file=sys.stderr)
            sys.exit(2)
        raise
