#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Measures the size of a checkout: the cost of additions (the recipes of verif/test_recipes.sh, done in a copy without
building), the number of copies of the list of blocks, ports and pins, lines written by hand. Prints a table in
Markdown with the numbers from before the reorganization (synth/house_before.csv; rows that no command could count then
are marked as counted by hand)."""
import argparse
import csv
import glob
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
BEFORE = os.path.join(HERE, "house_before.csv")
CODE = (".sv", ".svh", ".c", ".h", ".cpp", ".hpp", ".py", ".sh", ".mk", ".csv", ".tsv", ".in", ".txt", ".f", ".core",
        ".vlt")
OTHER = (".md", ".gtkw", ".replay")
# Data, drawings, and modules that are generated.
NEVER = r"tb/data/|docs/img/|results/|rtl/common/hd_limits.sv|rtl/(\w+)/hd_\1.sv"
RECIPES = {  # name of the recipe: what it adds
    "block": "a block",
    "wire": "a port between two blocks",
    "policy": "a policy",
    "parameter": "a parameter",
}


def files(top):
    """Returns the paths of files written by hand, relative to the top of the checkout."""
    out = []
    for folder, inside, names in os.walk(top):
        inside[:] = sorted(d for d in inside if d not in ("build", "__pycache__") and not d.startswith("."))
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), top)
            if (name.endswith(CODE + OTHER) or name == "Makefile") and not re.match(NEVER, path):
                out.append(path)
    return out


def lines(top, path):
    """Returns the lines of a file, without those between `made by COMMAND` and `end`."""
    out, made = [], False
    with open(os.path.join(top, path), errors="replace") as f:
        for line in f:
            made = made and line.strip() not in ("<!-- end -->", "// ---- end ----")
            if not made:
                out.append(line)
            made = made or bool(re.match(r"<!-- .*made by .* -->$|  // ---- .*made by ", line))
    return out


def blocks_of(top):
    path = os.path.join(top, "rtl/pkg/blocks.csv")
    if os.path.exists(path):
        with open(path) as f:
            return [line.split(",")[0] for line in f if not line.startswith(("#", "block,"))]
    return sorted({os.path.basename(os.path.dirname(p)) for p in glob.glob(os.path.join(top, "rtl/*/*.csv"))
                   if os.path.exists(re.sub(r"(\w+)\.csv$", r"hd_\1.sv", p))})


def lists_blocks(text, blocks):
    """Returns True if the text lists the blocks: at least 7/8 of them occur within as many lines as there are blocks,
    each as a word or after hd_, test_ or a path. Comments and drawings do not count."""
    text = [line for line in text if not re.match(r"\s*(//|/?\*|#(?!define))", line)]
    words = [set(re.findall(rf"(?<![a-z])(?:hd_|u_|test_|at_)*({'|'.join(blocks)})(?![a-z])", line)) for line in text]
    most = len(blocks)
    return any(w and 8 * len(set().union(*words[k:k + most])) >= 7 * len(blocks) for k, w in enumerate(words))


def ports_and_pins(text):
    """Returns (lines that declare a port or connect a pin, lines of code) of a SystemVerilog file."""
    code = [line for line in (re.sub(r"//.*", "", line).strip() for line in text) if line]
    return sum(bool(re.match(r"(input|output)\b|\.\w+\s*(\(|,|$)", line)) for line in code), len(code)


def count(top):
    """Returns {row: value}."""
    paths, out = files(top), {}
    sizes = {p: len(lines(top, p)) for p in paths}
    blocks = blocks_of(top)

    def some(pattern):
        return [p for p in paths if re.fullmatch(pattern, p)]
    copies = [p for p in some(r"(?!docs/|README|CHANGELOG|.*replay$|.*(faults|exclusions|budget|tables|left_out)\.csv)"
                              r".*") if lists_blocks(lines(top, p), blocks)]
    out["files with a list of the blocks"] = len(copies)
    out["lines of tb/"] = sum(n for p, n in sizes.items() if p.startswith("tb/"))
    out["blocks"] = len(blocks)
    rtl = sum(sizes[p] for p in some(r"rtl/.*\.svh?"))
    total = sum(sizes.values())
    out["lines of modules"] = rtl
    counts = [ports_and_pins(lines(top, p)) for p in some(r"rtl/.*\.sv")]
    out["ports and pins, of the code in modules"] = f"{sum(n for n, _ in counts) / sum(n for _, n in counts):.0%}"
    out["lines written by hand"] = total
    out["lines by hand for a line of a module"] = f"{total / rtl:.1f}"
    return out, copies


def recipes(top):
    """Returns {row: value} of the recipes; empty if the checkout has none."""
    if not os.path.exists(os.path.join(top, "verif/test_recipes.sh")):
        return {}
    done = subprocess.run(["verif/test_recipes.sh", "--count"], cwd=top, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"house.py: verif/test_recipes.sh --count failed\n{done.stdout}{done.stderr}")
    out = {}
    for word, made, touched, added in re.findall(r"^(\w+) +(\d+) files made, (\d+) touched, (\d+) lines", done.stdout,
                                                 re.M):
        if word in RECIPES:
            new = f"{made} new + " if int(made) else ""
            plural = "" if touched == "1" else "s"
            out[f"to add {RECIPES[word]}"] = f"{new}{touched} file{plural}, {added} lines"
    return out


def before():
    with open(BEFORE, newline="") as f:
        return {r["what"]: r for r in csv.DictReader(line for line in f if not line.startswith("#"))}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("checkout", nargs="?", default=os.path.dirname(HERE), help="top of the checkout (this one)")
    p.add_argument("--json", action="store_true", help="what is counted, as JSON, without the column of before")
    p.add_argument("--lists", action="store_true", help="only the files that hold a list of the blocks")
    a = p.parse_args()
    counted, copies = count(a.checkout)
    if a.lists:
        print("\n".join(copies))
        return
    now = {**recipes(a.checkout), **counted}
    if a.json:
        print(json.dumps(now, indent=2))
        return
    was = before()
    print("| | goal | before | now |\n|---|---:|---:|---:|")
    for what, value in now.items():
        r = was.get(what, {"value": "", "goal": "", "by": ""})
        print(f"| {what} | {r['goal']} | {r['value']}{' (by hand)' * (r['by'] == 'hand')} | {value} |")


if __name__ == "__main__":
    main()
