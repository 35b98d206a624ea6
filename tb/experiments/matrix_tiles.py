#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Combines each order of Wireframe's graph kernels with other cache sizes: workloads of tiles on SMXs that run warps.

  matrix_tiles.py [--config NAME] [--engine NAME] [--seeds N] [--workloads NAME,..] [--changes NAME,..] [--nodes N]
                  [--size N] [--jobs N] [--keep DIR] [--json[=FILE]] [-- OPTION..]

A row is a workload, or a change of the caches for it. Columns: speed over lrr with the same change, hits of the L1s
and of the L2. Last rows: the means over the workloads. With --keep, an interrupted table continues.
"""
import statistics

import runs

ORDERS = ("lrr", "lvl", "lvl-bind")
CHANGES = {"none": [], "LaPerm's caches": ["--l1", "32", "--l2", "1536"],
           "L1 of 64 KB": ["--l1", "64", "--l1-ways", "16"], "an eighth of the L2": ["--l2", "96"]}


def options(p):
    p.add_argument("--workloads", default="dtw,heat2d,hist,intimg,sor,sw", help="workloads of tiles (default: all)")
    p.add_argument("--changes", default=",".join(CHANGES), metavar="NAME,..", help="rows (default: all)")
    p.add_argument("--nodes", default="1k", help="TBs (default 1k)")
    p.add_argument("--size", default="1024", help="cells per side (default 1024)")


def points(a, p):
    a.workloads, a.changes = a.workloads.split(","), a.changes.split(",")
    for c in a.changes:
        if c not in CHANGES:
            p.error(f"--changes {c}: accepted: {', '.join(CHANGES)}")
    return [(w, c, order) for w in a.workloads for c in a.changes for order in ORDERS]


def words(a, workload, change, order):
    return [workload, "--nodes", a.nodes, "--size", a.size, "--smx", "gpu", "--launch", "graph", "--order", order,
            "--engine", a.engine, *CHANGES[change]]


def mean(reports, get):
    return statistics.fmean(get(r) for r in reports)


def row(a, reports, workload, change):
    found = {o: reports[workload, change, o] for o in ORDERS}
    every = [r for of in found.values() for r in of]
    base = mean(found["lrr"], lambda r: r["cycles"])
    return {"workload": workload, "change": change, "seeds": a.seeds, "cycles": base,
            "speed": {o: base / mean(found[o], lambda r: r["cycles"]) for o in ORDERS},
            "l1_hit_rate": {o: mean(found[o], lambda r: r["gpu"]["l1_hit_rate"]) for o in ORDERS},
            "l2_hit_rate": {o: mean(found[o], lambda r: r["gpu"]["l2_hit_rate"]) for o in ORDERS},
            "answer_ok": all(r["answer_ok"] for r in every)}


def make_rows(a, reports):
    return [row(a, reports, w, c) for w in a.workloads for c in a.changes]


def line(rows, name):
    cells = [format(statistics.fmean(r["speed"][o] for r in rows), "10.3f") for o in ORDERS[1:]]
    for key in ("l1_hit_rate", "l2_hit_rate"):
        cells += [f"{100 * statistics.fmean(r[key][o] for r in rows):8.1f} %" for o in ORDERS]
    print(f"  {name:24}{statistics.fmean(r['cycles'] for r in rows):10.0f}" + "".join(cells))


def table(a, rest, rows):
    seeds = "1 seed" if a.seeds == 1 else f"means of {a.seeds} seeds"
    print(f"tiles: {a.nodes} TBs, {a.size} x {a.size} cells on {a.config}, SMXs that run warps, {seeds}"
          f"{runs.further(rest)}")
    print(f"  {'':24}{'cycles':>10}{'speed over lrr':>20}{'hits of the L1s':>30}{'hits of the L2':>30}")
    print(f"  {'':24}{'of lrr':>10}" + "".join(f"{o:>10}" for o in (*ORDERS[1:], *ORDERS, *ORDERS)))
    for w in a.workloads:
        for r in [r for r in rows if r["workload"] == w]:
            line([r], w if r["change"] == "none" else f"  {r['change']}")
    for c in a.changes:
        line([r for r in rows if r["change"] == c], "mean" if c == "none" else f"  {c}")
    runs.print_answers(rows, "rows", "all agree with a plain program in every run")


runs.main("matrix_tiles.py", __doc__, points, words, make_rows, table, options)
