#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""heddle prove: proves that the RTL of a block equals its golden model, or that its assertions hold."""
import argparse
import csv
import json
import os
import sys

if not os.path.exists("rtl/heddle.core"):
    sys.exit("heddle prove: run it from the top of a checkout (there is no rtl/heddle.core here)")
sys.path[:0] = ["synth/area", "rtl", "tb/build"]
import assertions  # noqa: E402
import checker  # noqa: E402
import faults  # noqa: E402
import flow  # noqa: E402
import proof  # noqa: E402
import results  # noqa: E402
import tools  # noqa: E402
from hdgen.output import put_text, usable  # noqa: E402
from hdgen.tables import BLOCKS as EVERY, NAMES  # noqa: E402
from parallel import threads  # noqa: E402
from progress import Progress  # noqa: E402
from usage import Parser, ended  # noqa: E402

BLOCKS = proof.provable()
ASSERTED = [b for b in EVERY if b not in ("top", "apu")]  # their inner blocks are asked one by one
EPILOG = """\
Examples:
  heddle prove                     every block that has an invariant, in tiny
  heddle prove fcfs -c k20c        another configuration
  heddle prove link --fault 30     a planted fault of verif/faults.csv must be refuted
  heddle prove agc --bounded 20    20 cycles from reset, without induction
  heddle prove kin --lockstep 1000000   no proof: does a run keep contract and invariant?
  heddle prove --assertions        which assertions of the RTL hold for ever, in every block

Exit codes: 0 all proved (with --fault or --model: refuted), 1 not so, 2 bad usage, no tools, or a block that Yosys
or CBMC does not read."""


def arguments():
    p = Parser(prog="heddle prove", usage="%(prog)s [OPTION..] [BLOCK..]", epilog=EPILOG,
               formatter_class=argparse.RawDescriptionHelpFormatter,
               description="Proves that the RTL of a block equals its golden model, for all inputs that its contract "
                           "allows and for ever,\nby k-induction over both at once: Yosys, CBMC and CaDiCaL. With "
                           "--assertions: that the assertions of the\nRTL hold, without the model: Yosys and ABC.")
    p.add_argument("blocks", nargs="*", metavar="BLOCK", help="block: " + " ".join(BLOCKS)
                   + " (default: all, but those with an open step only with --lockstep); with --assertions any block "
                   "but top and apu")
    p.add_argument("-a", "--assertions", action="store_true",
                   help="prove the assertions of the RTL; assumed are those about the inputs")
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
    p.add_argument("-l", "--limit", type=int, metavar="S",
                   help="seconds of one tool for a question (default 900, with --assertions 20)")
    p.add_argument("--memory", type=int, default=6, metavar="GIB", help="memory of one tool (default 6 GiB)")
    p.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N",
                   help="number of tools at once (default: one per processor)")
    p.add_argument("-t", "--trace", action="store_true", help="print the cycles of each counterexample")
    p.add_argument("-j", "--json", metavar="[=FILE]", help="print the results as JSON, or write them to FILE")
    p.add_argument("--page", action="store_true", help="print a table of docs/proofs.md")
    alone = {"-j": "--json=-", "--json": "--json=-"}  # a value follows "=", so that the next argument may be a block
    a = p.parse_args([alone.get(arg, arg) for arg in sys.argv[1:]])
    for b in a.blocks:
        if b not in (ASSERTED if a.assertions else BLOCKS):
            p.error(f"no block '{b}'; there are: {', '.join(ASSERTED)}" if a.assertions else
                    f"no invariant of a block '{b}'; there are: {', '.join(BLOCKS)}")
    if a.assertions and (a.model or a.question or a.bounded or a.lockstep or a.depth or a.trace):
        p.error("--assertions is about the RTL alone: --model, --question, --bounded, --lockstep, --depth and --trace "
                "have no effect")
    a.limit = (20 if a.assertions else 900) if a.limit is None else a.limit
    for name in ("bounded", "lockstep", "depth", "unwind", "limit", "memory", "jobs"):
        least = int(name in ("limit", "memory", "jobs"))
        if getattr(a, name) < least:
            p.error(f"--{name} {getattr(a, name)}: accepted: {least} or more")
    if a.model and a.model.count("=>") != 1:
        p.error(f"--model '{a.model}': OLD=>NEW is accepted")
    a.model = a.model.split("=>") if a.model else None
    blocks = a.blocks or (ASSERTED if a.assertions else BLOCKS if a.lockstep else proof.answered())
    a.work = [(b, f) for b in blocks for f in faults_of(p, b, a.fault)]
    if not a.work:
        p.error(f"--fault {a.fault}: no such fault of {', '.join(blocks)} (verif/faults.csv)")
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
    if a.assertions:
        return assertions.Assertions(block, options, progress).results()
    one = proof.Proof(block, options, progress, whole=bool(a.lockstep))
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
        if not a.lockstep and not a.assertions:
            checker.versions()
    except (checker.Missing, tools.Failed) as e:
        print(f"heddle prove: {e}", file=sys.stderr)
        return 2
    with Progress(quiet=False, begins=True) as progress:
        found, failures = run(a, progress)
    if found:
        show(a, found)
    for text in failures:
        print(f"heddle prove: {text}", file=sys.stderr)
    if failures:
        return 2
    return int(not all(as_expected(a, b) for b in found))


def as_expected(a, block):
    """Is everything proved, or with a fault refuted?"""
    if not a.assertions:
        return block["result"] == a.expected
    answers = [x["result"] for x in block["assertions"]]
    return "refuted" in answers if a.fault != "0" else set(answers) <= {"proved"}


def show(a, found):
    """Prints the results, or writes them as JSON."""
    config = "+".join([a.config, *a.sets])
    if a.assertions:
        report, page, text = results.data_assertions(config, found), results.page_assertions, results.text_assertions
    else:
        report, page, text = results.data(config, found, a.lockstep), results.page, results.text
    if a.json:
        content = json.dumps(report, indent=2) + "\n"
        sys.stdout.write(content) if a.json == "-" else put_text(a.json, content)
    if a.json != "-":
        sys.stdout.write(page(report) if a.page else text(report))
        for line in (line for b in found for q in b.get("questions", []) for line in q.get("cycles", [])):
            print(line)


if __name__ == "__main__":
    try:
        sys.exit(ended(main, "heddle prove"))
    except SystemExit as e:  # errors of the generator are texts
        if isinstance(e.code, str):
            print(f"heddle prove: {e.code}", file=sys.stderr)
            sys.exit(2)
        raise
