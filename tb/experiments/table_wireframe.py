#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The workloads of tiles (wireframe-micro2017 section 5.2) wave by wave from the host, wave by wave from a TB (CDP),
and as one kernel with its graph, in each order.

  table_wireframe.py [--config NAME] [--engine NAME] [--seeds N] [--nodes N,N,..] [--workloads NAME,..] [--jobs N]
                     [--json[=FILE]] [-- OPTION..]

A table for each number of TBs: speed over waves from the host (means over the seeds of cycles, with the standard
deviation of the speeds behind), which is what the paper's figure 11 shows, and the mean over the workloads; then the
paper's means. What follows -- goes to `heddle run` as it is. With --engine both the first seed of each point is RTL
and golden model in lockstep. All TBs of one size take the same time here, so orders differ only where TBs have to wait
for a slot.
"""
import statistics

import runs

POINTS = {"waves": ("--launch", "waves"), "cdp": ("--launch", "cdp"),
          **{order: ("--launch", "graph", "--order", order) for order in ("lrr", "lvl", "lvl-bind")}}
WORKLOADS = "dtw,heat2d,hist,intimg,sor,sw"
PAPER = {"1k": {"lvl": 14.1}, "4k": {"cdp": 6.9, "lrr": 29.8, "lvl": 31.8}, "9k": {"lvl": 45.1}}  # % over waves


def row(nodes, workload, by_point):
    base = statistics.fmean(r["cycles"] for r in by_point["waves"])
    speed = {p: runs.over_seeds([base / r["cycles"] for r in found]) for p, found in by_point.items()}
    every = [r for found in by_point.values() for r in found]
    return {"nodes": nodes, "workload": workload, "seeds": len(by_point["waves"]), "waves": every[0]["graph"]["waves"],
            "cycles": {p: runs.over_seeds([r["cycles"] for r in found]) for p, found in by_point.items()},
            "speed": speed, "cycles_compared": sum(r["cycles_compared"] for r in every),
            "differences": sum(r["differences"] for r in every), "answer_ok": all(r["answer_ok"] for r in every)}


def percent(value, sd):
    return f"{100 * (value - 1):6.1f} %" + (f" +-{100 * sd:<4.1f}" if sd is not None else " " * 7)


def cells(head, values):
    print("  ".join(["", head, *values]).rstrip())


def print_table(nodes, rows):
    for r in rows:
        cells(f"{r['workload']:8}  {r['waves']:5}  {r['cycles']['waves']['mean']:10.0f}",
              [percent(r["speed"][p]["mean"], r["speed"][p]["sd"]) for p in POINTS if p != "waves"])
    means = {p: statistics.fmean(r["speed"][p]["mean"] for r in rows) for p in POINTS if p != "waves"}
    cells(f"{'mean':27}", [percent(m, None) for m in means.values()])
    paper = PAPER.get(nodes, {})
    cells(f"{'the paper':27}",
          [percent(1 + paper[p] / 100, None) if p in paper else f"{'-':>8}{'':7}" for p in means])


def options(p):
    p.add_argument("--nodes", default="1k,4k,9k", help="TBs, and so the tables that are made (1k,4k,9k)")
    p.add_argument("--workloads", default=WORKLOADS, help=f"those of the rows ({WORKLOADS})")


def points(a, p):
    return [(n, w, point) for n in a.nodes.split(",") for w in a.workloads.split(",") for point in POINTS]


def words(a, nodes, workload, point):
    return [workload, "--nodes", nodes, *POINTS[point], "--engine", a.engine]


def make_rows(a, reports):
    return [row(n, w, {point: reports[n, w, point] for point in POINTS})
            for n in a.nodes.split(",") for w in a.workloads.split(",")]


def table(a, rest, rows):
    for n in a.nodes.split(","):
        print(f"tiles: {n} TBs on {a.config}, speed over waves from the host, means of {a.seeds} seeds"
              f"{runs.further(rest)}")
        cells(f"{'workload':8}  waves  {'cycles':>10}", [f"{p:>8}{'':7}" for p in POINTS if p != "waves"])
        print_table(n, [r for r in rows if r["nodes"] == n])
    wrong = sum(not r["answer_ok"] for r in rows)
    print("answers: " + (f"WRONG in {wrong} rows" if wrong else "all agree with a plain program in every run"))


runs.main("table_wireframe.py", __doc__, points, words, make_rows, table, options)
