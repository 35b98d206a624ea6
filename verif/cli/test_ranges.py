#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Checks the range in the message about a rejected number. Each option of the command that takes a number, and each
number of a line of a trace, is given one that is far too large. Both ends of the range in the answer must then be
accepted, and the numbers beyond them must be rejected with the same range. Run from the top of the checkout, after
make. Ends with `N passed, N failed`."""
import os
import re
import subprocess
import sys

OUT = "build/test/ranges"
HUGE = 10**30
RANGE = re.compile(r"whole number from (\d+) to (\d+)")
NONE = "/nosuch.mtx"  # no run: the file is missing
# The subcommands in which the options have an effect. None: all of them.
MODES = [
    ("run", ["sw", "--input", NONE], {"bins", "cycles-per-step", "uneven", "host-latency"}),
    ("run", ["sw", "--launch", "graph", "--order", "lvl", "--input", NONE], {"bound"}),
    ("run", ["dtw", "--input", NONE], {"data-seed"}),
    ("run", ["join", NONE], {"rows"}),
    ("run", ["sssp", NONE, "--launch", "cdp", "--sync"], {"context-cycles"}),
    ("run", ["bfs", NONE, "--launch", "cdp"], {"threshold", "child-size", "pending", "memory-latency"}),
    ("run", ["bfs", NONE, "--launch", "dtbl", "--policy", "tb-pri"], {"spill"}),
    ("run", ["bfs", NONE, "--smx", "gpu", "--warp", "lwf", "--throttle", "--series", f"{OUT}/x.csv"],
     {"throttle-epoch", "throttle-band", "series-every"}),
    ("run", [NONE], {"overhead", "cycles-per-edge", "block-size", "regs", "jitter", "take-every", "max-cycles",
                     "patience", "seed", "longest", "wave-cycles", "sources"}),
    ("run", ["bfs", NONE, "--smx", "gpu"],
     {"dram-bandwidth", "dram-queue", "issue-every", "l1-latency", "l1-ways", "l2-cycles", "l2-parts", "l2-ways",
      "merges", "mshrs", "store-buffer"}),
    ("equiv", ["fcfs", "--profile", "none"], None),
    ("graph graph500", ["-o", f"{OUT}/no/x.mtx"], {"degree", "seed"}),
    ("graph deplinks", [NONE], {"bound", "base", "seed"}),
    ("channels", ["fib", "--width", "3"], {"size", "cus"}),
    ("import", ["accelsim", NONE], None), ("bench", ["--config", "none"], None),
    ("faults", ["--config", "none"], None), ("wave", ["none"], None), ("replay", [NONE], None),
]
# Numbers whose range depends on others, or that are rejected for another reason (no power of two), with their own
# messages.
OTHERS = {"nodes", "sweeps", "width", "smem", "fault", "l1", "l2", "l2-latency", "dram-latency", "port-cycles",
          "schedulers"}
HOST = "0 0 1 1 1 1 1 1 16 0 50"
DEVICE = "0 0 1 1 1 1 1 16 0 50"


def options(command):
    """Returns the long options that take a value."""
    text = subprocess.run(["build/heddle", *command.split(), "--help"], capture_output=True, text=True).stdout
    return [name for name in re.findall(r"--([a-z0-9-]+)\[?=[A-Z]", text) if name != "json"]  # its value is a file


def output(words):
    return subprocess.run(["build/heddle", *words], capture_output=True, text=True, stdin=subprocess.DEVNULL).stderr


def reported(answer, number):
    """Returns whether the answer rejects this number."""
    return RANGE.search(answer) is not None or re.search(rf"\b{number}\b", answer) is not None


def wrong(answers):
    """Returns what is wrong with a range, where answers(n) is the answer to the number n; None: the answer has no
    range."""
    found = RANGE.search(answers(HUGE))
    if not found:
        return None
    low, high = int(found[1]), int(found[2])
    if low > high:
        return f"{low} to {high}"
    bad = [f"{n} is refused: {answers(n).strip()}" for n in (low, high) if reported(answers(n), n)]
    beyond = [n for n in (low - 1, high + 1) if n >= 0]
    bad += [f"{n} is not refused so: {answers(n).strip()}" for n in beyond if found[0] not in answers(n)]
    return "; ".join(bad)


def cases():
    """Yields (what, the answers to a number)."""
    done = set()
    for command, mode, names in MODES:
        for name in options(command):
            if (names is not None and name not in names) or (command, name) in done or name in OTHERS:
                continue
            done.add((command, name))

            def answers(n, command=command, mode=mode, name=name):
                more = {"jitter": ["--seed", "1"], "wave-cycles": ["--wave", f"{OUT}/x.fst"]}.get(name, [])
                return output([*command.split(), *mode, *more, f"--{name}={n}"])
            yield f"{command} --{name}", answers
    for line, kind in (HOST, "kernel"), (DEVICE, "launch"):
        words = line.split()
        for k in range(len(words)):
            def answers(n, words=words, k=k, kind=kind):
                mine = " ".join([*words[:k], str(n), *words[k + 1:]])
                with open(f"{OUT}/x.trace", "w") as f:
                    f.write("heddle-trace 2\n" + (f"kernel k {mine}\n" if kind == "kernel"
                                                  else f"kernel k {HOST}\nlaunch {mine}\n") + "end\n")
                return output(["run", "--trace", f"{OUT}/x.trace"])
            yield f"field {k + 1} of a {kind} of a trace", answers


def main():
    os.makedirs(OUT, exist_ok=True)
    passed = failed = 0
    for what, answers in cases():
        bad = wrong(answers)
        if bad is None:
            continue
        passed, failed = passed + (not bad), failed + bool(bad)
        print(f"FAILED  {what}: {bad}" if bad else f"ok      {what}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0 or passed < 50


if __name__ == "__main__":
    sys.exit(main())
