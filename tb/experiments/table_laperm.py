#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
import columns
from plot import draw


def plot(path, rows):
    """Plots bars, a group for each launch model and number of searches: the share on the parent's SMX, and the waiting
    time relative to rr."""
    policies = list(dict.fromkeys(r["policy"] for r in rows))
    value = {(r["launch"], r["sources"], r["policy"]): r for r in rows}
    lines = []
    for launch, sources in dict.fromkeys((r["launch"], r["sources"]) for r in rows):
        base = value[launch, sources, "rr"]["wait_mean"]["mean"]
        of = [value[launch, sources, p] for p in policies]
        lines.append([f"{launch}, {sources}", *(100 * r["parents_smx_share"]["mean"] for r in of),
                      *(r["wait_mean"]["mean"] / base for r in of)])

    def bars(first):
        return ", ".join(f"$D using {first + k}{':xtic(1)' if k == 0 else ''} title '{p}'"
                         for k, p in enumerate(policies))
    draw(path, "\n".join([
        "set style data histograms", "set style histogram clustered gap 2", "set style fill solid 0.8 border -1",
        "set boxwidth 0.9",
        "set key above", "set yrange [0:*]", "set grid ytics", "set multiplot layout 2,1",
        "set ylabel \"% of TBs on the parent's SMX\"", f"plot {bars(2)}",
        "set xlabel 'launch model, searches at once'", "unset key",
        "set ylabel 'waiting of a child, over rr'", f"plot {bars(6)}", "unset multiplot"]), lines, 560)


columns.main(__file__, plot=plot)
