#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Checks that a waveform has the signals that its view for GTKWave shows. Each block is recorded for a cycle, and every
signal that the view names must be in the FST, under that name and with that width, including the signals of a failure:
the golden model's values, and those that are shown only if they differ. The files of names of states and codes that the
view refers to must exist, with a name for each number. The plane's view must show for each SMX slot, kernel, group,
block id and level, as numbers; and the occupancy. Run from the top of the checkout, after make; needs fst2vcd (Debian
package gtkwave).
  test_views.py [CONFIG/BLOCK | example/NAME]..    default: all blocks in k20c, and the examples that have a picture
Ends with `N passed, N failed`."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, "rtl")
from hdgen import params  # noqa: E402
from hdgen.tables import BLOCKS, VIEWS  # noqa: E402


NUMBER = "@24"
EXAMPLES = ["example/wireframe", "example/channels"]
SHOWN = ["slot", "kdei", "group", "agei", "blkid", "level"]  # for each SMX


def opened(view):
    """Returns the view with the lines that only the view of a failure shows."""
    return re.sub(r"^(!table.*|!?\?~.*|\?)$|^!?\??", "", view, flags=re.M)


def hidden(view, there):
    """Returns the signals of such lines that the waveform lacks: rows of RAMs, elements of large arrays."""
    rams = re.findall(r"^!table (\S+) (\d+) \d+ (\d+) (\S+)$", view, re.M)
    rows = [f"{ram}[0]" + (f"[{int(width) - 1}:0]" if width != "1" else "") for _, _, width, ram in rams]
    names = [f"{name}[{first}]" for name, first, *_ in rams] + re.findall(r"^!?\?~(.*)$", view, re.M)
    model = {re.sub(r"\[\d+:0\]$", "", s) for s in there if s.startswith("lockstep.model.")}
    prefixes = {s[:k] for s in model for k in range(len(s) + 1)}
    if any(".mem_q.mem_q[" in s for s in there):  # Verilator 5.048: an array is a scope, and wide ones are missing
        print("note    rows of RAMs are not judged: this Verilator records them under other names", flush=True)
        rows = []
    return [s for s in rows if s not in there] + [s for s in names if s not in prefixes]


def named(view):
    """Returns the signals that a view shows: lines that are no option or heading, without their labels; for a trace
    made of bits, (NUMBER)SIGNAL or SIGNAL each, the signals."""
    whole = re.findall(r"^(?:\+\{.*\} )?(\w.*)$", view, re.M)
    parts = re.findall(r"^#\{.*\} (.*)$", view, re.M)
    return whole + sorted({re.sub(r"^\(\d+\)", "", bit) for line in parts for bit in line.split()})


def beyond(view):
    """Returns bits of such traces that their signals do not have: bit 0 is the highest."""
    bits = re.findall(r"\((\d+)\)(\S+\[(\d+):0\])", view)
    return [f"({k}){name}" for k, name, high in bits if int(k) > int(high)]


def nameless(view):
    """Returns files of names that are missing or empty."""
    paths = {os.path.join("build/gen/names", n) for n in re.findall(r"^\^\d+ @(.*)$", view, re.M)}
    return [p for p in sorted(paths) if not os.path.exists(p) or not re.fullmatch(r"(\d+ \S+\n)+", open(p).read())]


def plane(view, config):
    """Returns the required content that the plane's view lacks."""
    p = params.of(config)
    lacks = []
    for smx in range(p["NumSmx"]):
        lines = view.split(f"-SMX {smx}\n")[1].splitlines()  # the first group of that name, up to its end
        for field in SHOWN:
            at = [k for k, line in enumerate(lines) if re.match(rf"#\{{dispatch_o {field}(\[|\}})", line)]
            lacks += [] if at and lines[at[0] - 1] in (NUMBER, "@28") else [f"SMX {smx}: {field} as a number"]
    held = view.split("-occupancy\n")[1].split("@200\n")[0]
    lacks += [f"occupancy: {v['label']}" for v in VIEWS if v["kind"] == "occupancy" and v["label"] not in held]
    return lacks


def recorded(vcd):
    """Returns the signals of a VCD in GTKWave's form: path.name[msb:lsb]."""
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


def waveform(fst):
    return subprocess.run(["fst2vcd", fst], check=True, capture_output=True, text=True).stdout


def look(config, block, folder):
    """Returns the view that was made with the block, and the waveform of an idle cycle. For an example: the view of its
    picture, and its run."""
    if config == "example":
        fst = f"{folder}/{block}.fst"
        subprocess.run(["build/heddle", "example", block, f"--wave={fst}"], check=True, capture_output=True)
        with open(f"docs/img/wave-{block}.gtkw") as f:
            return f.read(), waveform(fst)
    replay = f"{folder}/{block}-{config}"
    with open(replay, "w") as f:
        f.write(f"heddle-replay 1\nblock {block}\nconfig {config}\nseed 1\ntest view\nend 1\n")
    subprocess.run(["build/heddle", "replay", "--wave", replay], check=True, capture_output=True)
    with open(f"build/{config}/{block}/view.gtkw") as f:
        return f.read(), waveform(replay + ".fst")


def main():
    if not shutil.which("fst2vcd"):
        sys.exit("test_views.py: fst2vcd is missing (Debian package gtkwave)")
    failed, targets = 0, sys.argv[1:] or [*(f"k20c/{b}" for b in BLOCKS), *EXAMPLES]
    with tempfile.TemporaryDirectory() as folder:
        for target in targets:
            view, vcd = look(*target.split("/"), folder)
            all_of_it = opened(view)
            shown, there = named(all_of_it), recorded(vcd)
            missing = [f"not in the waveform: {s}" for s in shown + hidden(view, there) if s not in there]
            missing += [f"no bit of it: {s}" for s in beyond(all_of_it)]
            missing += [f"no names: {s}" for s in nameless(all_of_it)]
            if target.endswith("/top"):
                missing += [f"not shown: {s}" for s in plane(view, target.split("/")[0])]
            bad = missing or len(shown) < 3  # clock, reset, and at least one more
            failed += bool(bad)
            print(f"{'FAILED ' if bad else 'ok     '} {target}: {len(shown)} signals"
                  + "".join(f"; {s}" for s in missing[:5]))
    print(f"{len(targets) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    sys.exit(main())
