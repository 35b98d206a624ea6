#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Does a waveform have what its view for GTKWave shows? Each block is recorded for a cycle, and every signal that the
view names must be in the FST, under that name and as wide. Run from the top of the checkout, after make; needs
fst2vcd (Debian package gtkwave).
  test_views.py [CONFIG/BLOCK]..    default: all blocks in k20c
Ends with `N passed, N failed`."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, "rtl")
from hdgen.tables import BLOCKS  # noqa: E402


def named(view):
    """The signals that a view shows: lines that are no option or heading, without their labels."""
    return re.findall(r"^(?:\+\{.*\} )?(\w.*)$", view, re.M)


def recorded(vcd):
    """The signals of a VCD as GTKWave writes them: path.name[msb:lsb]."""
    path, found = [], set()
    for line in vcd.splitlines():
        word = line.split()
        if word[:1] == ["$scope"]:
            path.append(word[2])
        elif word[:1] == ["$upscope"]:
            path.pop()
        elif word[:1] == ["$var"]:
            found.add(".".join([*path, word[4]]) + (word[5] if word[2] != "1" else ""))
        elif word[:1] == ["$enddefinitions"]:
            break
    return found


def look(config, block, folder):
    """The view that was made with the block, and the waveform of a cycle in which nothing happens."""
    replay = f"{folder}/{block}-{config}"
    with open(replay, "w") as f:
        f.write(f"heddle-replay 1\nblock {block}\nconfig {config}\nseed 1\ntest view\nend 1\n")
    subprocess.run(["build/heddle", "replay", "--wave", replay], check=True, capture_output=True)
    vcd = subprocess.run(["fst2vcd", replay + ".fst"], check=True, capture_output=True, text=True).stdout
    with open(f"build/{config}/{block}/view.gtkw") as f:
        return f.read(), vcd


def main():
    if not shutil.which("fst2vcd"):
        sys.exit("test_views.py: fst2vcd is missing (Debian package gtkwave)")
    failed, targets = 0, sys.argv[1:] or [f"k20c/{b}" for b in BLOCKS]
    with tempfile.TemporaryDirectory() as folder:
        for target in targets:
            view, vcd = look(*target.split("/"), folder)
            shown, there = named(view), recorded(vcd)
            missing = [s for s in shown if s not in there]
            bad = missing or len(shown) < 3  # clock, reset, and something to see
            failed += bool(bad)
            print(f"{'FAILED ' if bad else 'ok     '} {target}: {len(shown)} signals"
                  + "".join(f"; not in the waveform: {s}" for s in missing[:5]))
    print(f"{len(targets) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    sys.exit(main())
