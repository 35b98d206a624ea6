#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Runs breadth-first searches whose TBs launch kernels (CDP) or aggregated groups (DTBL), under each policy of the SMX
scheduler (laperm-isca2016 section IV): rr, tb-pri, smx-bind, adaptive-bind.

  table_laperm.py [--config NAME] [--engine NAME] [--seeds N] [--sources K,K,..] [--jobs N] [--json[=FILE]]
                  [--plot FILE] [-- OPTION..]

One table for each number of searches at once; all its numbers are means over the seeds, with the standard deviation
after cycles and waiting times. Columns: launched children, and the share whose work the parents' threads did; those of
them that the plane had refused; cycles that a child waited for its first TB, mean and 95th percentile; share of
children's TBs that ran on the SMX of their parent; number of times an SMX switched to children of another; groups that
waited in memory, because their bank was full, and TBs that were handed out while a group of a higher level waited
there; occupancy, and its standard deviation over the SMXs; cycles, and the speed over rr. Arguments after -- are passed
to `heddle run`. With --engine both (default) the first seed runs RTL and golden model in lockstep, the others run on
the model.

There are no caches behind the plane, so locality shows as the share on the parent's SMX, not as speed.
"""
import statistics

import runs
from plot import draw, plottable

POLICIES = ("rr", "tb-pri", "smx-bind", "adaptive-bind")  # the paper's policies


def row(sources, launch, policy, reports):
    def over(get):
        return runs.over_seeds([get(r) for r in reports])

    def device(key):
        return over(lambda r: r["device"][key])
    return {"sources": sources, "launch": launch, "policy": policy, "seeds": len(reports),
            "children": device("launches"), "alone": runs.alone(reports), "refused": device("refused"),
            "wait_mean": device("wait_mean"), "wait_p95": device("wait_p95"),
            "parents_smx_share": device("parents_smx_share"), "helps": device("helps"),
            "group_spills": device("group_spills"), "inversions": device("inversions"),
            "occupancy": over(lambda r: statistics.fmean(r["occupancy"])),
            "occupancy_sd": over(lambda r: statistics.pstdev(r["occupancy"])),
            "cycles": over(lambda r: r["cycles"]),
            "cycles_compared": sum(r["cycles_compared"] for r in reports),
            "differences": sum(r["differences"] for r in reports), "answer_ok": all(r["answer_ok"] for r in reports)}


def print_row(r):
    compared = (f"{r['cycles_compared']} cycles, differences: {r['differences']}" if r["cycles_compared"]
                else "model alone")
    print(f"  {r['launch']:4}  {r['policy']:13}  {runs.cell(r['children'], '8.0f')}  "
          f"{runs.cell(r['alone'], '5.1f', 100, ' %')}  {runs.cell(r['refused'], '7.0f')}  "
          f"{runs.cell(r['wait_mean'], '8.0f', sd=True)}  {runs.cell(r['wait_p95'], '8.0f')}  "
          f"{runs.cell(r['parents_smx_share'], '5.1f', 100, ' %')}  {runs.cell(r['helps'], '7.0f')}  "
          f"{runs.cell(r['group_spills'], '7.0f')}  {runs.cell(r['inversions'], '10.0f')}  "
          f"{runs.cell(r['occupancy'], '5.1f', 100, ' %')}  {runs.cell(r['occupancy_sd'], '4.1f', 100, ' %')}  "
          f"{runs.cell(r['cycles'], '8.0f', sd=True)}  {r['speed']:5.3f}  {compared}")


def plot(path, rows):
    """Plots bars, a group for each launch model and number of searches: the share on the parent's SMX, and the waiting
    time relative to rr."""
    points = list(dict.fromkeys((r["launch"], r["sources"]) for r in rows))
    value = {(r["launch"], r["sources"], r["policy"]): r for r in rows}
    lines = []
    for launch, sources in points:
        base = value[launch, sources, "rr"]["wait_mean"]["mean"]
        of = [value[launch, sources, p] for p in POLICIES]
        lines.append([f"{launch}, {sources}", *(100 * r["parents_smx_share"]["mean"] for r in of),
                      *(r["wait_mean"]["mean"] / base for r in of)])

    def bars(first):
        return ", ".join(f"$D using {first + k}{':xtic(1)' if k == 0 else ''} title '{p}'"
                         for k, p in enumerate(POLICIES))
    draw(path, "\n".join([
        "set style data histograms", "set style histogram clustered gap 2", "set style fill solid 0.8 border -1",
        "set boxwidth 0.9",
        "set key above", "set yrange [0:*]", "set grid ytics", "set multiplot layout 2,1",
        "set ylabel \"% of TBs on the parent's SMX\"", f"plot {bars(2)}",
        "set xlabel 'launch model, searches at once'", "unset key",
        "set ylabel 'waiting of a child, over rr'", f"plot {bars(6)}", "unset multiplot"]), lines, 560)


def options(p):
    p.add_argument("--plot", metavar="FILE", help="plot the shares and waiting times as bars: .svg or .png")


def points(a, p):
    if a.plot and not plottable(a.plot):
        p.error(f"--plot {a.plot}: accepted: a file that ends in .svg or .png")
    return [(sources, launch, policy) for sources in a.sources for launch in ("cdp", "dtbl") for policy in POLICIES]


def words(a, sources, launch, policy):
    return ["--sources", str(sources), "--launch", launch, "--policy", policy, "--engine", a.engine]


def make_rows(a, reports):
    rows = [row(*point, found) for point, found in reports.items()]
    for r in rows:
        base = [b for b in rows if (b["sources"], b["launch"], b["policy"]) == (r["sources"], r["launch"], "rr")][0]
        r["speed"] = base["cycles"]["mean"] / r["cycles"]["mean"]
    return rows


def table(a, rest, rows):
    for sources in a.sources:
        print(f"policies: bfs on {a.config}, {runs.searches(sources)}, means of {a.seeds} seeds{runs.further(rest)}")
        print(f"        {'policy':13}  children    alone  refused  {'waiting':>8}{'':9}  95 % to  parent's   helps"
              f"  spilled  inversions  occupied  +-SMXs    cycles{'':9}  x rr  compared")
        for r in rows:
            if r["sources"] == sources:
                print_row(r)
    print("parent's: there are no caches behind the plane, so locality shows as this share, not as speed")
    runs.print_answers(rows)


chosen, found = runs.main("table_laperm.py", __doc__, points, words, make_rows, table, options, engine="both")
if chosen.plot:
    plot(chosen.plot, found)
