#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
import columns


def show(t, rows):
    """Prints a line for each workload and each change of the caches for it, then the means over the workloads."""
    orders = t.axes["order"]["values"]
    print("tiles: {nodes} TBs, {size} x {size} cells on {config}, SMXs that run warps, {of_seeds}{further}"
          .format(**t.title))
    print(f"  {'':24}{'cycles':>10}{'speed over lrr':>20}{'hits of the L1s':>30}{'hits of the L2':>30}")
    print(f"  {'':24}{'of lrr':>10}" + "".join(f"{o:>10}" for o in (*orders[1:], *orders, *orders)))
    means = [{**r, "workload": "mean"} for r in columns.over(rows, "workload")]
    for r in [*rows, *means]:
        print(f"  {r['workload'] if r['change'] == 'none' else '  ' + r['change']:24}"
              + columns.cells(r["cycles"], orders[:1], "10.0f") + columns.cells(r["speed"], orders[1:], "10.3f")
              + columns.cells(r["l1_hit_rate"], orders, "8.1%") + columns.cells(r["l2_hit_rate"], orders, "8.1%"))


columns.main(__file__, show)
