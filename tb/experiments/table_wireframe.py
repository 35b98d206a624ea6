#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
import columns
from plot import STYLE, draw

PANELS = ("lna", "nodes of the LNA", "an LEA of 4096 edges"), \
    ("lea", "edges of the LEA", "an LNA of 512 nodes (lrr), 128 nodes (lvl)")


def show_speeds(rows, points, paper):
    def cells(head, texts):
        print("  ".join(["", head, *texts]).rstrip())
    cells(f"{'workload':8}  waves  {'cycles':>10}", [f"{p:>8}{'':{15 - max(8, len(p))}}" for p in points])
    for r in rows:
        cells(f"{r['workload']:8}  {r['waves']['waves']:5}  {r['cycles']['waves']['mean']:10.0f}",
              [f"{columns.Cell(r['speed'][p]):6.1g+-4}" for p in points])
    mean = columns.averaged([r["speed"] for r in rows])
    cells(f"{'mean':27}", [f"{columns.Cell(mean[p]):6.1g}{'':7}" for p in points])
    cells(f"{'the paper':27}", [(f"{paper[p]:6.1f} %" if p in paper else f"{'-':>8}") + " " * 7 for p in points])


def show_buffer(rows, paper):
    print("  buffer     level range: mean   most   PUB: mean  most   in memory: mean    most   traffic: mean     most")
    keys = ("level_range", "pub_most", "early_share", "bytes_share")
    of = columns.averaged([{k: r[k] for k in keys} for r in rows])
    for p in of["pub_most"]:
        row = {k: of[k][p] for k in keys} | {"p": p, "paper": f"   (paper, levels: {paper[p]})" if p in paper else ""}
        print(columns.line("  {p:9}  {level_range:17.1f}  {level_range.most:5}  {pub_most:10.1f}  {pub_most.most:4}"
                          "  {early_share:13.1%}  {early_share.most:4.1%}  {bytes_share:11.3%}"
                          "  {bytes_share.most:5.3%}{paper}", row))


def show(t, rows):
    if t.a.buffer:
        return show_sizes(t, rows)
    paper = t.spec["paper"]
    for n in t.axes["nodes"]["values"]:
        of = [r for r in rows if r["nodes"] == n]
        print("tiles: {} TBs on {config}, speed over waves from the host, means of {n} seeds{further}"
              .format(n, **t.title))
        show_speeds(of, t.axes["point"]["values"][1:], paper["speed"].get(n, {}))
        show_buffer(of, paper["levels"].get(n, {}))
        if n in paper["traffic"]:
            print(f"  the paper's traffic: {paper['traffic'][n]}")


def show_sizes(t, rows):
    """Prints a table for each of LNA and LEA."""
    print("graph buffer: {workload}, {nodes} TBs on {config}, a PUB of 256, {n} seeds{further}".format(**t.title))
    for axis, title, other in PANELS:
        orders = t.axes["order"]["values"]
        print(f"  {title}, {other}")
        print(f"  {axis.title():>6}" + "".join(f"  {o + ': PUB':>10}  in memory  TBs/kcycle  range" for o in orders))
        for v in t.axes[axis]["values"]:
            of = [r for o in orders for r in rows if (r["axis"], r[axis], r["order"]) == (axis.title(), v, o)]
            print(f"  {v:6}" + "".join(
                f"  {r['pub_most']:10}  {r['early_updates']:9.0f}  {1000 * r['ctas_per_cycle']['mean']:10.4f}"
                f"  {r['level_range']:5}" for r in of))


def plot(path, rows):
    """Plots two panels, as in the paper: rows of the PUB as lines, TBs per cycle as dashes."""
    lines, parts = [], []
    for axis, title, _ in PANELS:
        curves = []
        for k, order in enumerate(dict.fromkeys(r["order"] for r in rows)):
            of = [r for r in rows if (r["axis"], r["order"]) == (axis.title(), order)]
            first = len(lines)
            lines += [[r[axis], r["pub_most"], 1000 * r["ctas_per_cycle"]["mean"]] for r in of]
            every = f"$D every ::{first}::{len(lines) - 1}"
            color = f"lw 2 lc rgb hsv2rgb({k / 2 + 0.05:.2f}, 0.75, 0.70)"
            curves += [f"{every} using 1:2 with linespoints pt {5 + 2 * k} {color} title '{order}: PUB'",
                       f"{every} using 1:3 axes x1y2 with linespoints dt 2 pt {4 + 2 * k} {color} "
                       f"title '{order}: TBs per 1000 cycles'"]
        parts.append(f"set xlabel '{title}'\nset logscale x 2\nplot {', '.join(curves)}\n")
    script = STYLE + ("set border 11\nset ylabel 'rows of the PUB in use at once'\nset y2label 'TBs per 1000 cycles'\n"
                      "set yrange [0:*]\nset y2range [0:*]\nset y2tics out\nset key outside below center horizontal\n"
                      "set multiplot layout 1,2\n" + "".join(parts) + "unset multiplot")
    draw(path, script, lines, 380)


columns.main(__file__, show, plot)
