#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
import columns


def show(t, rows):
    points = t.axes["point"]["values"]
    names = points[1:]  # all but flat

    def lines(title, names, rows, key, form="19.3f"):
        print(f"{title}\n  {'':24}" + "".join(f"{n:>19}" for n in names))
        for r in rows:
            print(f"  {r['change']:24}" + columns.cells(r[key], names, form))
    print("pairs on {config}, SMXs that run warps, {of_seeds}{further}".format(**t.title))
    for w in dict.fromkeys(r["workload"] for r in rows):
        lines(f"{w}: speed of cdp, dtbl over flat, of policies over rr", names,
              [r for r in rows if r["workload"] == w], "speed")
    means = columns.over(rows, "workload")
    lines("means over the workloads: speed", names, means, "speed")
    lines("  hits of the L1s", points, means, "l1_hit_rate")
    lines("  launches that the plane refuses", names, means, "refused", "19.0f")
    lines("  speed over rr with the change, over that without it", names[2:], means, "because")


columns.main(__file__, show)
