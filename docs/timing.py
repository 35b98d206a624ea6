#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Draws a timing diagram from a real run, as text for a page of docs/.

  timing.py REPLAY FROM TO SIGNAL[?VALID][=LABEL]...
  timing.py example:NAME[:POLICY] FROM TO SIGNAL[?VALID][=LABEL]...

Plays docs/replays/<block>.replay to RTL and model in lockstep (`heddle replay --wave`), or runs an example
(`heddle example NAME`), reads the waveform, and prints the cycles FROM to TO, one row for each signal. A SIGNAL is
named as in the waveform, from the block's module down (host_launch_i.tag, u_done.count_q, hwq_count_q[2:0]); it is
shown as 0 while the signal VALID is 0; LABEL is what the row is called. One bit is drawn as a level, anything wider as
a hexadecimal number: a bar where it changes, dashes while it is 0, two dots for leading digits that have no room. Each
column shows a cycle just before the clock edge that ends it.

Run from the top of the checkout, after `make rtl`. Needs fst2vcd (Debian package gtkwave)."""
import os
import re
import shutil
import subprocess
import sys

CELL = 7  # characters of a cycle


def fail(text):
    sys.exit(f"timing.py: {text}")


def run(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        fail(f"{command[0]} is missing (make all; Debian package gtkwave)")
    if done.returncode:
        fail(f"{' '.join(command)}: {done.stderr or done.stdout}")
    return done.stdout


def block_of(replay):
    if replay.startswith("example:"):
        return {"example:wireframe": "dgb", "example:channels": "apu"}.get(replay, "top")
    for line in open(replay):
        if line.startswith("block "):
            return line.split()[1]
    fail(f"{replay}: no line 'block'")


def waveform(replay):
    """The waveform of the run, as VCD. The FST is stored with a copy of the replay in build/."""
    copy = os.path.join("build", "docs", os.path.basename(replay).replace(":", "-"))
    os.makedirs(os.path.dirname(copy), exist_ok=True)
    if replay.startswith("example:"):
        _, name, policy = (replay + ":").split(":")[:3]
        run(["build/heddle", "example", name, *["--policy", policy][:2 * bool(policy)], "--wave", copy + ".fst"])
        return run(["fst2vcd", copy + ".fst"])
    shutil.copyfile(replay, copy)
    run(["build/heddle", "replay", "--wave", copy])
    return run(["fst2vcd", copy + ".fst"])


class Signals:
    """Values of all signals of a VCD as they are before each rising clock edge, from the first one after reset on."""

    def __init__(self, vcd, root):
        self.code = {}  # path under the root -> identifier code
        path = []
        lines = iter(vcd.splitlines())
        for line in lines:
            word = line.split()
            if not word:
                continue
            if word[0] == "$scope":
                path.append(word[2])
            elif word[0] == "$upscope":
                path.pop()
            elif word[0] == "$var" and ".".join(path).startswith(root):
                name = ".".join(path + [word[4]])[len(root) + 1:]
                self.code.setdefault(name, (word[3], int(word[2])))
            elif word[0] == "$enddefinitions":
                break
        self.read(lines, self.code["clk_i"][0], self.code["rst_ni"][0])

    def read(self, lines, clock, reset):
        now, step, self.cycle = {}, {}, []
        for line in lines:
            if line[:1] == "b":
                value, code = line[1:].split()
            elif line[:1] in "01xz" and len(line) > 1:
                value, code = line[0], line[1:]
            else:
                value, code = "", ""
            if line[:1] == "#":
                if step.get(clock) == "1" and (self.cycle or now.get(reset) == "1"):
                    self.cycle.append(dict(now))
                now.update(step)
                step = {}
            elif code:
                step[code] = value

    def row(self, spec):
        """Returns the values of a signal in every cycle, and its width."""
        m = re.fullmatch(r"([\w.\[\]]*?\w(?:\[\d+\](?=\.))*[\w.]*)(?:\[(\d+)(?::(\d+))?\])?", spec)
        name = m and m.group(1)
        if name not in self.code:
            near = [n for n in self.code if name and n.endswith(name.split(".")[-1])]
            fail(f"no signal '{spec}'; near it: {' '.join(near[:8])}")
        code, width = self.code[name]
        high = int(m.group(2)) if m.group(2) else width - 1
        low = int(m.group(3)) if m.group(3) else (high if m.group(2) else 0)
        bits = [c.get(code, "0").replace("x", "0").replace("z", "0") for c in self.cycle]
        return [int(b, 2) >> low & (1 << (high - low + 1)) - 1 for b in bits], high - low + 1


def level(values):
    text, before = "", None
    for v in values:
        before = v if before is None else before
        text += {(0, 0): "_", (0, 1): "/", (1, 0): "\\", (1, 1): "~"}[before, v] + ("~" if v else "_") * (CELL - 1)
        before = v
    return text


def number(values):
    text, before = "", None
    for v in values:
        word = "" if v == before or v == 0 else f"{v:x}"
        if len(word) > CELL - 1:
            word = ".." + word[3 - CELL:]
        fill = "-" if v == 0 else " "
        text += (("|" if before is not None and v != before else fill) + word).ljust(CELL, fill)[:CELL]
        before = v
    return text


def main():
    if len(sys.argv) < 5:
        fail("usage: timing.py REPLAY|example:NAME[:POLICY] FROM TO SIGNAL[?VALID][=LABEL]...")
    replay, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    block = block_of(replay)
    signals = Signals(waveform(replay), f"{block}.hd_{block}")
    rows = []
    for spec in sys.argv[4:]:
        signal, _, label = spec.partition("=")
        signal, _, valid = signal.partition("?")
        values, width = signals.row(signal)
        if valid:
            values = [v if ok else 0 for v, ok in zip(values, signals.row(valid)[0])]
        rows.append((label or signal, (level if width == 1 else number)(values[first:last + 1])))
    margin = max(len(label) for label, _ in rows) + 2
    print("```text")
    print("cycle".ljust(margin) + "".join(str(c).ljust(CELL) for c in range(first, last + 1)).rstrip())
    for label, text in rows:
        print((label.ljust(margin) + text).rstrip())
    print("```")


main()
