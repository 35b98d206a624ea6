#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Runs the workloads of tiles (wireframe-micro2017 section 5.2) wave by wave from the host, wave by wave from a TB
(CDP), as one kernel with barriers between its waves (DepLinks), and as one kernel with its graph, in each order.

  table_wireframe.py [--config NAME] [--engine NAME] [--seeds N] [--nodes N,N,..] [--workloads NAME,..] [--jobs N]
                     [--json[=FILE]] [-- OPTION..]
  table_wireframe.py --buffer [--plot FILE] [--nodes N] [--workloads NAME] [..]

One table for each number of TBs: speed over waves from the host (from the means of cycles over the seeds, followed by
the standard deviation of the speeds), as in the paper's figures 9 and 12, and the mean over the workloads; then the
paper's means. A + marks a larger buffer: barriers+ has 512 nodes and 16384 edges, lrr+ 512 and 2048, as in the paper's
LRR. Then the activity of the graph buffer over the workloads: the largest difference of levels among TBs that run at
once, rows of the PUB in use, updates that went to memory per 100 edges, and its traffic in % of the bytes that the
tiles read and write (figure 10). Arguments after -- are passed to `heddle run`: without --uneven, all TBs of one size
take the same time. With --engine both the first seed of each point runs RTL and golden model in lockstep. --buffer
prints rows of the PUB and TBs per cycle over the sizes of LNA and LEA (figure 13), for sor at 4k.
"""
import statistics

import runs
import wireframe_buffer
from plot import plottable

GRAPH = ("--launch", "graph", "--order")
LARGE = ("--set", "Lna=512", "--set")
POINTS = {"waves": ("--launch", "waves"), "cdp": ("--launch", "cdp"), "barriers": ("--launch", "barriers"),
          "barriers+": ("--launch", "barriers", *LARGE, "Lea=16384"), "lrr": (*GRAPH, "lrr"),
          "lrr+": (*GRAPH, "lrr", *LARGE, "Lea=2048"), "lvl": (*GRAPH, "lvl"), "lvl-bind": (*GRAPH, "lvl-bind")}
WORKLOADS = "dtw,heat2d,hist,intimg,sor,sw"
# The paper's numbers. Speed: % over waves. It gives levels and bytes for one size only, for the buffers that it used.
PAPER = {"1k": {"lvl": 14.1}, "4k": {"cdp": 6.9, "barriers+": 25.1, "lrr+": 29.8, "lvl": 31.8}, "9k": {"lvl": 45.1}}
PAPER_LEVELS = {"9k": {"lrr+": "mean 5, most 7", "lvl": "mean 2"}}
PAPER_BYTES = {"4k": "mean 0.12 %, most 0.16 % of all memory requests"}


def buffer_of(found):
    """Returns the activity of the graph buffer in the runs of a point."""
    g = [r["graph_buffer"] for r in found]
    return {"level_range": max(r["level_range"] for r in found), "pub_most": max(b["pub_most"] for b in g),
            "early_updates": statistics.fmean(b["early_updates"] for b in g),
            "early_share": statistics.fmean(b["early_updates"] / r["graph"]["edges"] for b, r in zip(g, found)),
            "bytes_share": statistics.fmean(b["bytes_share"] for b in g)}


def row(nodes, workload, by_point):
    base = statistics.fmean(r["cycles"] for r in by_point["waves"])
    speed = {p: runs.over_seeds([base / r["cycles"] for r in found]) for p, found in by_point.items()}
    every = [r for found in by_point.values() for r in found]
    return {"nodes": nodes, "workload": workload, "seeds": len(by_point["waves"]), "waves": every[0]["graph"]["waves"],
            "cycles": {p: runs.over_seeds([r["cycles"] for r in found]) for p, found in by_point.items()},
            "speed": speed, "buffer": {p: buffer_of(f) for p, f in by_point.items() if "graph_buffer" in f[0]},
            "cycles_compared": sum(r["cycles_compared"] for r in every),
            "differences": sum(r["differences"] for r in every), "answer_ok": all(r["answer_ok"] for r in every)}


def percent(value, sd):
    return f"{100 * (value - 1):6.1f} %" + (f" +-{100 * sd:<4.1f}" if sd is not None else " " * 7)


def cells(head, values):
    print("  ".join(["", head, *values]).rstrip())


def print_speeds(nodes, rows):
    for r in rows:
        cells(f"{r['workload']:8}  {r['waves']:5}  {r['cycles']['waves']['mean']:10.0f}",
              [percent(r["speed"][p]["mean"], r["speed"][p]["sd"]) for p in POINTS if p != "waves"])
    means = {p: statistics.fmean(r["speed"][p]["mean"] for r in rows) for p in POINTS if p != "waves"}
    cells(f"{'mean':27}", [percent(m, None) for m in means.values()])
    paper = PAPER.get(nodes, {})
    cells(f"{'the paper':27}",
          [percent(1 + paper[p] / 100, None) if p in paper else f"{'-':>8}{'':7}" for p in means])


def print_buffer(nodes, rows):
    print("  buffer     level range: mean   most   PUB: mean  most   in memory: mean    most   traffic: mean     most")
    for p in rows[0]["buffer"]:
        of = [r["buffer"][p] for r in rows]

        def two(key, scale=1):
            values = [scale * b[key] for b in of]
            return statistics.fmean(values), max(values)
        levels, pub = two("level_range"), two("pub_most")
        early, share = two("early_share", 100), two("bytes_share", 100)
        reported = PAPER_LEVELS.get(nodes, {}).get(p)
        paper = f"   (paper, levels: {reported})" if reported else ""
        print(f"  {p:9}  {levels[0]:17.1f}  {levels[1]:5}  {pub[0]:10.1f}  {pub[1]:4}"
              f"  {early[0]:13.1f} %  {early[1]:4.1f} %  {share[0]:11.3f} %  {share[1]:5.3f} %{paper}")
    if nodes in PAPER_BYTES:
        print(f"  the paper's traffic: {PAPER_BYTES[nodes]}")


def tables(a, rest):
    nodes, workloads = (a.nodes or "1k,4k,9k").split(","), (a.workloads or WORKLOADS).split(",")
    at = [(n, w, point) for n in nodes for w in workloads for point in POINTS]
    found = runs.spread(a, [[w, "--nodes", n, *POINTS[point], "--engine", a.engine, *rest] for n, w, point in at])
    reports = dict(zip(at, found))
    rows = [row(n, w, {point: reports[n, w, point] for point in POINTS}) for n in nodes for w in workloads]

    def table():
        for n in nodes:
            of = [r for r in rows if r["nodes"] == n]
            print(f"tiles: {n} TBs on {a.config}, speed over waves from the host, means of {a.seeds} seeds"
                  f"{runs.further(rest)}")
            cells(f"{'workload':8}  waves  {'cycles':>10}", [f"{p:>8}{'':{15 - max(8, len(p))}}" for p in POINTS
                                                            if p != "waves"])
            print_speeds(n, of)
            print_buffer(n, of)
        runs.print_answers(rows, "rows", "all agree with a plain program in every run")

    runs.publish(a, rest, rows, table)


def buffer(a, rest):
    nodes, workload = a.nodes or "4k", a.workloads or "sor"
    rows = wireframe_buffer.measure(a, workload, nodes, rest)

    def table():
        print(f"graph buffer: {workload}, {nodes} TBs on {a.config}, a PUB of {wireframe_buffer.PUB}, {a.seeds} seeds"
              f"{runs.further(rest)}")
        wireframe_buffer.print_rows(rows)

    runs.publish(a, rest, rows, table)
    if a.plot:
        wireframe_buffer.plot(a.plot, rows)


def main():
    p = runs.parser("table_wireframe.py", __doc__)
    p.add_argument("--engine", default="model", choices=("both", "model"),
                   help="both: the first seed in lockstep; model: the golden model alone (default)")
    p.add_argument("--nodes", help="numbers of TBs, one table for each (default 1k,4k,9k)")
    p.add_argument("--workloads", help=f"workloads of the rows (default {WORKLOADS})")
    p.add_argument("--buffer", action="store_true", help="vary the sizes of LNA and LEA, for one workload and size")
    p.add_argument("--plot", metavar="FILE", help="with --buffer: plot the table, .svg or .png")
    a, rest = runs.arguments(p)
    if a.plot and not (a.buffer and plottable(a.plot)):
        p.error(f"--plot {a.plot}: accepted: with --buffer, ending in .svg or .png")
    if a.buffer and "," in f"{a.nodes}{a.workloads}":
        p.error("--buffer: accepted: one workload, one number of nodes")
    (buffer if a.buffer else tables)(a, rest)


main()
