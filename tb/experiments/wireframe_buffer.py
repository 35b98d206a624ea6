# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Measures the used rows of the dependency graph buffer's PUB, and the speed, over the sizes of its LNA and LEA
(wireframe-micro2017 figure 13)."""
import statistics

import runs
from plot import STYLE, draw

PUB = 256  # the maximum, so that the need is visible
LNA = {"lrr": 512, "lvl": 128}  # the paper's sizes, while the LEA varies
AXES = {"Lna": (32, 64, 128, 256, 512, 1024), "Lea": (64, 128, 256, 512, 1024, 2048, 4096)}
LEA = 4096  # while the LNA varies: more than its edges
ORDERS = tuple(LNA)


def sizes(axis, value, order):
    return (value, LEA) if axis == "Lna" else (LNA[order], value)


def point(axis, value, order, found):
    return {"axis": axis, "order": order, "lna": sizes(axis, value, order)[0], "lea": sizes(axis, value, order)[1],
            "pub_most": max(r["graph_buffer"]["pub_most"] for r in found),
            "early_updates": statistics.fmean(r["graph_buffer"]["early_updates"] for r in found),
            "level_range": max(r["level_range"] for r in found),
            "ctas_per_cycle": runs.over_seeds([r["ctas_per_cycle"] for r in found]),
            "answer_ok": all(r["answer_ok"] for r in found)}


def measure(a, workload, nodes, rest):
    """Runs the points of both axes. Returns them as rows of a table."""
    at = [(axis, v, order) for axis, values in AXES.items() for v in values for order in ORDERS]
    found = runs.spread(a, [[workload, "--nodes", nodes, "--launch", "graph", "--order", order, "--engine", a.engine,
                             "--set", f"Lna={sizes(axis, v, order)[0]}", "--set", f"Lea={sizes(axis, v, order)[1]}",
                             "--set", f"Pub={PUB}", *rest] for axis, v, order in at])
    return [point(*where, reports) for where, reports in zip(at, found)]


def cells(r):
    return (f"  {r['pub_most']:10}  {r['early_updates']:9.0f}  {1000 * r['ctas_per_cycle']['mean']:10.4f}"
            f"  {r['level_range']:5}")


def print_rows(rows):
    for axis, title in ("Lna", f"nodes of the LNA, an LEA of {LEA} edges"), \
            ("Lea", "edges of the LEA, an LNA of " + ", ".join(f"{LNA[o]} nodes ({o})" for o in ORDERS)):
        print(f"  {title}")
        print(f"  {axis:>6}" + "".join(f"  {o + ': PUB':>10}  in memory  TBs/kcycle  range" for o in ORDERS))
        for v in AXES[axis]:
            of = [r for o in ORDERS for r in rows if (r["axis"], r[axis.lower()], r["order"]) == (axis, v, o)]
            print(f"  {v:6}" + "".join(map(cells, of)))
    runs.print_answers(rows, right="all agree with a plain program")


def plot(path, rows):
    """Plots two panels, as in the paper: rows of the PUB as lines, TBs per cycle as dashes."""
    lines, parts = [], []
    for axis, title in ("Lna", "nodes of the LNA"), ("Lea", "edges of the LEA"):
        curves = []
        for k, order in enumerate(ORDERS):
            of = [r for r in rows if (r["axis"], r["order"]) == (axis, order)]
            first = len(lines)
            lines += [[r[axis.lower()], r["pub_most"], 1000 * r["ctas_per_cycle"]["mean"]] for r in of]
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
