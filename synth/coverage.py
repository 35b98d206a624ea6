#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Sums up the coverage data of all blocks (build/<config>/<block>/coverage-<seed>.dat).

  coverage.py CONFIG BLOCK..

A block owns the points of its own files and of the rtl/common parts that it instantiates itself; the blocks inside it have
reports of their own. A line counts when it was executed, a toggle when the bit changed at least twice (up and down) in the run
of one seed, a cover property when it was hit. Exclusions (verif/coverage_exclusions.csv) name a file (rtl/*/*.sv: several), a kind, a regular expression for the signal (or INSTANCE.SIGNAL, with the innermost instance),
the source line or the property, and a reason; one that excludes nothing uncovered is an error for the configuration tiny.
"""
import csv
import fnmatch
import glob
import json
import re
import sys

NEED = 95.0
KINDS = ("line", "toggle", "cover")
PAGES = {"v_line": "line", "v_branch": "line", "v_toggle": "toggle", "v_user": "cover"}
HITS = {"line": 1, "toggle": 2, "cover": 1}


def points(config, block):
    """{(file, line, kind, name, instance): most hits of one seed}"""
    most = {}
    for path in glob.glob(f"build/{config}/{block}/coverage-*.dat"):
        with open(path) as f:
            for text in f:
                if not text.startswith("C '"):
                    continue
                fields, count = text[3:].rsplit("' ", 1)
                d = dict(x.split("\x02", 1) for x in fields.split("\x01") if x)
                key = (d["f"], int(d["l"]), PAGES[d["page"].split("/")[0]], d["o"], d["h"])
                most[key] = max(most.get(key, 0), int(count))
    return most


def own(block, blocks, file, instance):
    """Does the block answer for a point in that file, in that instance?"""
    if any(f"u_{b}" in instance.split(".")[1:] for b in blocks):
        return False
    return file.startswith((f"rtl/{block}/", "rtl/common/"))


class Source:
    """The lines of the source files."""

    def __init__(self):
        self.files = {}

    def __call__(self, file, line):
        if file not in self.files:
            with open(file) as f:
                self.files[file] = f.read().split("\n")
        return self.files[file][line - 1].strip()


def read_exclusions():
    with open("verif/coverage_exclusions.csv", newline="") as f:
        rows = list(csv.DictReader(x for x in f if not x.startswith("#")))
    for r in rows:
        r["used"] = 0
    return rows


def excluded(rows, file, kind, name, instance, source):
    texts = [source] if kind == "line" else [name, f"{instance.split('.')[-1]}.{name}"]
    for r in rows:
        if fnmatch.fnmatch(file, r["file"]) and r["kind"] == kind and any(re.fullmatch(r["pattern"], t) for t in texts):
            r["used"] += 1
            return True
    return False


def report(config, block, blocks, rows, source):
    """{kind: [covered, total, excluded]}; what is not covered goes to a file."""
    sums = {k: [0, 0, 0] for k in KINDS}
    missing = []
    for (file, line, kind, name, instance), count in points(config, block).items():
        if not own(block, blocks, file, instance):
            continue
        text = source(file, line)
        hit = count >= HITS[kind]
        if not hit and excluded(rows, file, kind, name, instance, text):
            sums[kind][2] += 1
            continue
        sums[kind][0] += hit
        sums[kind][1] += 1
        if not hit:
            missing.append(f"{kind:6} {file}:{line} {instance} {name} {count}   {text}")
    with open(f"build/{config}/{block}/coverage.txt", "w") as f:
        f.write("".join(m + "\n" for m in sorted(missing)))
    return sums


def percent(s):
    return 100.0 * s[0] / s[1] if s[1] else 100.0


def main():
    config, blocks = sys.argv[1], sys.argv[2:]
    rows, source, out, failed = read_exclusions(), Source(), {}, False
    print(f"{'block':8}" + "".join(f"{k + ' %':>10}{'hit/all':>12}" for k in KINDS) + f"{'excluded':>10}  ({config})")
    for b in blocks:
        sums = report(config, b, blocks, rows, source)
        low = [k for k in KINDS if percent(sums[k]) < NEED]
        failed |= bool(low)
        print(f"{b:8}" + "".join(f"{percent(sums[k]):10.1f}{f'{sums[k][0]}/{sums[k][1]}':>12}" for k in KINDS)
              + f"{sum(sums[k][2] for k in KINDS):10}" + (f"  below {NEED:.0f} %: {' '.join(low)} (build/{config}/{b}/coverage.txt)" if low else ""))
        out[b] = {k: {"hit": sums[k][0], "all": sums[k][1], "excluded": sums[k][2], "percent": round(percent(sums[k]), 2)} for k in KINDS}
    for r in rows:
        if not r["used"] and config == "tiny":
            print(f"exclusion without need: {r['file']} {r['kind']} {r['pattern']}")
            failed = True
    with open("build/coverage.json", "w") as f:
        json.dump({"version": 1, "config": config, "need_percent": NEED, "blocks": out}, f, indent=2)
    passed = sum(all(v["percent"] >= NEED for v in b.values()) for b in out.values())
    print(f"{passed} passed, {len(blocks) - passed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
