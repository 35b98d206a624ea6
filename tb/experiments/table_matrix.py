#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Combines each policy of the SMX scheduler with each of some other changes, on SMXs that run warps, with groups (DTBL)
and kernels (CDP) from the device. Also makes one change at a time, to find the cause of a number of `make
table-papers`.

  table_matrix.py [--config NAME] [--engine NAME] [--seeds N] [--workloads NAME,..] [--changes NAME,..] [--nodes N]
                  [--graphs DIR] [--jobs N] [--keep DIR] [--json[=FILE]] [-- OPTION..]

A row is a change and its effect on each column. First columns: speed over flat, which has the change as well. Others:
speed over rr with the same change. The last table divides that speed by the one without the change: above 1, policy and
change reinforce each other. With --keep, an interrupted table continues.
"""
import statistics

import papers
import runs
from hdgen.params import of as parameters

MANY = 65536
UNLIMITED = ["--pending", str(MANY)]
REMEMBERED = [*UNLIMITED, "--set", "SpillRows=32768"]
LAPERM = ["--l1", "32", "--l2", "1536"]
# Arguments of `heddle run`: those that apply only to runs with launches from TBs, and those that apply to all runs.
CHANGES = {"none": ([], []),
           "AGT's hash: the paper's": (["--set", "AgtHash=0"], []),
           "LaPerm's caches": ([], LAPERM),
           "L1 of 64 KB": ([], ["--l1", "64", "--l1-ways", "16"]),
           "128 MSHRs": ([], ["--mshrs", "128"]),
           "twice DRAM's bandwidth": ([], ["--dram-bandwidth", "590"]),
           "launches cost no time": (["--ideal"], []),
           "any number of launches": (UNLIMITED, []),
           ".. and memory for them": (REMEMBERED, []),
           ".. and LaPerm's caches": (REMEMBERED, LAPERM)}
LAUNCHES = ("cdp", "dtbl")
POLICIES = ("tb-pri", "smx-bind", "adaptive-bind")
PLAIN = {"flat": [], **{launch: ["--launch", launch] for launch in LAUNCHES}}
PAIRS = {f"{launch} {policy}": ["--launch", launch, "--policy", policy] for launch in LAUNCHES for policy in POLICIES}
POINTS = {**PLAIN, **PAIRS}


def base_of(point):
    return "flat" if point in PLAIN else point.split()[0]


def options(p):
    papers.options(p, "bfs-debian,bfs-graph500,join-skewed,regx-strings")
    p.add_argument("--changes", default=",".join(CHANGES), metavar="NAME,..", help="rows (default: all)")


def points(a, p):
    papers.check(a, p)
    a.changes = a.changes.split(",")
    for c in a.changes:
        if c not in CHANGES:
            p.error(f"--changes {c}: accepted: {', '.join(CHANGES)}")
    return [(w, c, point) for w in a.workloads for c in dict.fromkeys(["none", *a.changes]) for point in POINTS]


def words(a, workload, change, point):
    of_launches, of_smxs = CHANGES[change]
    p = parameters(a.config)  # a list of groups may have fewer places than a run may have launches
    most = str(min(MANY, 2 ** p["ListPosW"] - p["AgtSize"]))
    of_launches = [most if word == str(MANY) else word for word in of_launches]
    return papers.words(a, workload, [*POINTS[point], *(of_launches if point != "flat" else []), *of_smxs])


def cycles(reports):
    return statistics.fmean(r["cycles"] for r in reports)


def row(a, reports, workload, change):
    found = {p: reports[workload, change, p] for p in POINTS}
    speed = {p: cycles(found[base_of(p)]) / cycles(found[p]) for p in POINTS if p != "flat"}
    before = {p: cycles(reports[workload, "none", base_of(p)]) / cycles(reports[workload, "none", p]) for p in PAIRS}
    every = [r for of in found.values() for r in of]
    return {"workload": workload, "change": change, "seeds": a.seeds, "speed": speed,
            "because": {p: speed[p] / before[p] for p in PAIRS},
            "refused": {p: statistics.fmean(r["device"]["refused"] for r in found[p]) for p in POINTS if p != "flat"},
            "l1_hit_rate": {p: statistics.fmean(r["gpu"]["l1_hit_rate"] for r in found[p]) for p in POINTS},
            "answer_ok": all(r["answer_ok"] for r in every)}


def make_rows(a, reports):
    return [row(a, reports, w, c) for w in a.workloads for c in a.changes]


def print_lines(title, names, rows, key, form="19.3f"):
    print(f"{title}\n  {'':24}" + "".join(f"{n:>19}" for n in names))
    for change in dict.fromkeys(r["change"] for r in rows):
        of = [r for r in rows if r["change"] == change]
        print(f"  {change:24}" + "".join(format(statistics.fmean(r[key][n] for r in of), form) for n in names))


def table(a, rest, rows):
    seeds = "1 seed" if a.seeds == 1 else f"means of {a.seeds} seeds"
    print(f"pairs on {a.config}, SMXs that run warps, {seeds}{runs.further(rest)}")
    names = [n for n in POINTS if n != "flat"]
    for w in a.workloads:
        print_lines(f"{w}: speed of cdp, dtbl over flat, of policies over rr", names,
                    [r for r in rows if r["workload"] == w], "speed")
    print_lines("means over the workloads: speed", names, rows, "speed")
    print_lines("  hits of the L1s", list(POINTS), rows, "l1_hit_rate")
    print_lines("  launches that the plane refuses", names, rows, "refused", "19.0f")
    print_lines("  speed over rr with the change, over that without it", list(PAIRS), rows, "because")
    runs.print_answers(rows, "rows", "all agree with a plain program in every run")


runs.main("table_matrix.py", __doc__, points, words, make_rows, table, options)
