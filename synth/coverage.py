#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Summarizes the coverage data of blocks (build/CONFIG*/BLOCK/coverage-*.dat): prints a table, writes the uncovered
points to build/CONFIG/BLOCK/coverage.txt, and build/coverage.json.

  coverage.py CONFIG BLOCK..

A block owns the points of its own files and of the rtl/common parts that it instantiates itself; the blocks inside it
have reports of their own. A line counts when it was executed, a toggle when the bit changed at least twice (up and
down) in one run, a cover property when it was hit. The points are those of CONFIG, with the lines and properties that
only configurations derived from it have; runs in those count too.

A bit that Yosys folds to a constant (build/CONFIG/BLOCK/consts.txt) is not a point. verif/coverage_exclusions.csv lists
the other excluded points. All remaining points must be covered in tiny. An exclusion that excludes nothing, or that
matches more covered points than uncovered ones, is an error there; so is a constant bit that changed.
"""
import collections
import csv
import fnmatch
import glob
import json
import os
import re
import sys

sys.path.insert(0, "rtl")
from hdgen import params, tables  # noqa: E402

KINDS = ("line", "toggle", "cover")
PAGES = {"v_line": "line", "v_branch": "line", "v_toggle": "toggle", "v_user": "cover"}
HITS = {"line": 1, "toggle": 2, "cover": 1}


def read_points(path):
    """Returns {(file, line, kind, name, instance): hits} of one run; the instance is its path below the block."""
    found = {}
    with open(path) as f:
        for text in f:
            if text.startswith("C '"):
                fields, count = text[3:].rsplit("' ", 1)
                d = dict(x.split("\x02", 1) for x in fields.split("\x01") if x)
                instance = d["h"].split(".", 2)[2] if d["h"].count(".") > 1 else ""
                key = (d["f"], int(d["l"]), PAGES[d["page"].split("/")[0]], d["o"], instance)
                found[key] = max(found.get(key, 0), int(count))
    return found


def points(config, block):
    """Returns {point: most hits of one run}, for the configuration and for those derived from it. A bit of a derived
    one counts if its signal has the same width there."""
    itself, derived = {}, {}
    for folder in [f"build/{config}", *glob.glob(f"build/{config}+*")]:
        to = itself if folder == f"build/{config}" else derived
        most = {}
        for path in glob.glob(f"{folder}/{block}/coverage-*.dat"):
            for key, count in read_points(path).items():
                most[key] = max(most.get(key, 0), count)
        if to is derived:
            ours, theirs = widths(itself), widths(most)
            most = {k: n for k, n in most.items()
                    if k[2] != "toggle" or (k in itself and ours[signal(k)] == theirs[signal(k)])}
        for key, count in most.items():
            to[key] = max(to.get(key, 0), count)
    return itself, derived


# Generate blocks and the signal; then an element, a field or a bit of it.
NAME = re.compile(r"((?:g_\w+(?:\[\d+\])?\.)*\w+)(.*)")


def signal(point):
    """Returns the signal of a toggle."""
    return f"{point[4]}.{NAME.fullmatch(point[3])[1]}".lstrip(".")


def widths(found):
    """Returns {signal: number of its bits}."""
    return collections.Counter(signal(k) for k in found if k[2] == "toggle")


def own(block, blocks, file, instance):
    """Returns True if a point in that file and instance belongs to the block."""
    return (file.startswith((f"rtl/{tables.folder(block)}/", "rtl/common/"))
            and not any(f"u_{b}" in instance.split(".") for b in blocks))


class Source:
    """The lines of the source files."""

    def __init__(self):
        self.files = {}

    def __call__(self, file, line):
        if file not in self.files:
            with open(file) as f:
                self.files[file] = f.read().split("\n")
        return self.files[file][line - 1].strip()


def read_constants(config, block):
    """Returns {signal with its instance: its bits, lowest first}."""
    with open(f"build/{config}/{block}/consts.txt") as f:
        return {name: bits[::-1] for name, bits in (text.split() for text in f)}


def layouts(config):
    """Returns {names of all bits of a payload: {name: bit}}."""
    base, *sets = config.split("+")
    p, out = params.of(base, sets), {}
    for t in tables.TYPES:
        bits = {}
        for path, lsb, width, _ in params.leaves(t, p):
            bits.update({f"{path}[{k}]": lsb + k for k in range(width)})
        out[frozenset(bits)] = bits
    return out


def constant_bits(config, block, keys):
    """Returns the toggle points that are constant."""
    constants, known = read_constants(config, block), layouts(config)
    members = {}
    for key in keys:
        if key[2] == "toggle" and signal(key) in constants:
            rest = NAME.fullmatch(key[3])[2].lstrip(".")
            members.setdefault(signal(key), {})[rest if rest.endswith("]") else rest + "[0]"] = key
    out = set()
    for name, points_of in members.items():
        bits = constants[name]
        layout = known.get(frozenset(points_of), {f"[{k}]": k for k in range(len(bits))})
        out.update(key for rest, key in points_of.items() if bits[layout.get(rest, 0)] != "-" and rest in layout)
    return out


def read_exclusions():
    with open("verif/coverage_exclusions.csv", newline="") as f:
        rows = list(csv.DictReader(x for x in f if not x.startswith("#")))
    for r in rows:
        r["used"], r["covered"] = 0, []
    return rows


def excluded(rows, block, key, hit, source):
    """Returns True if the point is excluded. Records in the exclusion its excluded points and its covered matches."""
    file, line, kind, name, instance = key
    full = f"{instance}.{name}".lstrip(".")
    texts = (source(file, line), full) if kind == "line" else (full,)
    for r in rows:
        if (kind == r["kind"] and fnmatch.fnmatch(block, r["block"]) and fnmatch.fnmatch(file, r["file"])
                and any(re.fullmatch(r["pattern"], text) for text in texts)):
            if not hit:
                r["used"] += 1
                return True
            r["covered"].append(f"{block} {texts[0]}")
    return False


def report(config, block, rows, source, errors):
    """Returns {kind: [covered, total, excluded, constant]}; writes the uncovered points to a file."""
    sums = {k: [0, 0, 0, 0] for k in KINDS}
    itself, derived = points(config, block)
    constant = constant_bits(config, block, itself)
    missing = []
    for key in {**itself, **derived}:
        file, line, kind, name, instance = key
        count = max(itself.get(key, 0), derived.get(key, 0))
        if not own(block, tables.BLOCKS, file, instance):
            continue
        hit = count >= HITS[kind]
        if key in constant:
            sums[kind][3] += 1
            if itself[key] >= HITS[kind]:
                errors.append(f"{block}: {instance}.{name} is constant according to Yosys, but changed")
        elif excluded(rows, block, key, hit, source):
            sums[kind][2] += 1
        else:
            sums[kind][0] += hit
            sums[kind][1] += 1
            if not hit:
                missing.append(f"{kind:6} {file}:{line} {f'{instance}.{name}'.lstrip('.')} {count}   "
                               f"{source(file, line)}")
    with open(f"build/{config}/{block}/coverage.txt", "w") as f:
        f.write("".join(m + "\n" for m in sorted(missing)))
    return sums


def percent(s):
    return 100.0 * s[0] / s[1] if s[1] else 100.0


def main():
    config, blocks = sys.argv[1], sys.argv[2:]
    strict = config == "tiny"
    rows, source, out, errors, passed = read_exclusions(), Source(), {}, [], 0
    print(f"{'block':8}" + "".join(f"{k + ' %':>10}{'hit/all':>12}" for k in KINDS)
          + f"{'excluded':>10}{'constant':>10}  ({config})")
    for b in blocks:
        sums = report(config, b, rows, source, errors)
        low = [k for k in KINDS if sums[k][0] < sums[k][1]]
        passed += not (low and strict)
        told = f"  not covered: {' '.join(low)} (build/{config}/{b}/coverage.txt)" if low else ""
        print(f"{b:8}" + "".join(f"{percent(sums[k]):10.1f}{f'{sums[k][0]}/{sums[k][1]}':>12}" for k in KINDS)
              + "".join(f"{sum(sums[k][n] for k in KINDS):10}" for n in (2, 3)) + told)
        out[b] = {k: {"hit": s[0], "all": s[1], "excluded": s[2], "constant": s[3], "percent": round(percent(s), 2)}
                  for k, s in sums.items()}
    if strict:
        for r in rows:
            what = f"{r['block']} {r['file']} {r['kind']} {r['pattern']}"
            if not all(b in blocks for b in tables.BLOCKS if fnmatch.fnmatch(b, r["block"])):
                continue  # one of its blocks was not run
            if not r["used"]:
                errors.append(f"unnecessary exclusion: {what}")
            if len(r["covered"]) > r["used"]:
                errors.append(f"exclusion of covered points: {what}: {r['covered'][0]}, {len(r['covered'])} in all")
    for e in errors:
        print(e)
    os.makedirs("build", exist_ok=True)
    with open("build/coverage.json", "w") as f:
        json.dump({"version": 2, "config": config, "need_percent": 100.0 if strict else 0.0, "blocks": out,
                   "errors": errors}, f, indent=2)
    print(f"{passed} passed, {len(blocks) - passed + len(errors)} failed")
    return 1 if errors or passed < len(blocks) else 0


if __name__ == "__main__":
    sys.exit(main())
