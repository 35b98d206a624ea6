#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Checks the waveform of a mismatch at the marker of its view against the report: the golden model's value, under the
name in the report, is the reported value; the RTL's trace and the model's trace below it differ; the cycle counter
shows the failing cycle.
  edge.py REPORT FST    Needs fst2vcd (Debian package gtkwave)."""
import re
import subprocess
import sys


def signals_at(vcd, time):
    """Returns {path.name: value as bits, or as a number} before and after the changes at the time."""
    path, name, now, before = [], {}, {}, None
    for line in vcd.splitlines():
        word = line.split()
        if line.startswith("$scope"):
            path.append(word[2])
        elif line.startswith("$upscope"):
            path.pop()
        elif line.startswith("$var"):
            name.setdefault(word[3], []).append(".".join([*path, word[4]]))
        elif line.startswith("#"):
            if before is None and int(line[1:]) >= time:
                before = dict(now)
            if int(line[1:]) > time:
                break
        elif line[:1] in "b01xz" and name:
            bits, code = (word[0][1:], word[1]) if line[0] == "b" else (line[0], line[1:].strip())
            now.update((n, bits) for n in name.get(code, []))
    return before, now


def value(trace, signals):
    """Returns the number that a line of a view shows."""
    bits = [re.fullmatch(r"(?:\((\d+)\))?(\S+?)(?:\[\d+:0\])?", token).groups()
            for token in re.sub(r"^[#+]\{[^}]*\} ", "", trace).split()]
    width = re.search(r"\[(\d+):0\]$", trace)
    digits = [signals[name].zfill(int(width.group(1)) + 1 if width else 1) for _, name in bits]
    return int("".join(d if k is None else d[int(k)] for (k, _), d in zip(bits, digits)), 2)


def main():
    with open(sys.argv[1]) as f:
        report = f.read()
    fst = sys.argv[2]
    with open(fst + ".gtkw") as f:
        view = f.read()
    cycle = int(re.search(r"^MISMATCH \S+ cycle (\d+)", report, re.M).group(1))
    label, _, model = re.search(r"^RTL shows (\S+) = (\w+), the model (\w+)", report, re.M).groups()
    in_state = "in the state after" in report
    marker = int(re.search(r"^\*\S+ (\d+)", view, re.M).group(1))
    vcd = subprocess.run(["fst2vcd", fst], check=True, capture_output=True, text=True).stdout
    before, behind = signals_at(vcd, marker)
    here = behind if in_state else before
    reported = view.split(f"-differs:\n@200\n-{label}\n")[1].splitlines()
    traces = [line for line in reported if line[0] not in "@^-"][:2]
    names = [signal for signal in here if signal == "lockstep.model." + label]
    checks = {
        "the marker is at the edge of the failing cycle": marker == 3000 + 1000 * (cycle + 1),
        "the counter shows it": int(before["lockstep.cycle"], 2) == cycle,
        "the model's value is there": names and (not re.match(r"0x|\d", model)
                                                  or int(here[names[0]], 2) == int(model, 0)),
        "the view has RTL and model, which differ": "lockstep.model." in traces[1]
                                                     and value(traces[0], here) != value(traces[1], here),
        "the model is below the RTL elsewhere": view.count("lockstep.model.") > 2,
    }
    for what, right in checks.items():
        if not right:
            print(f"{label}, cycle {cycle}: not so: {what}")
    return not all(checks.values())


if __name__ == "__main__":
    sys.exit(main())
