#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""How often does an aggregated group find no free entry of the AGT? The golden model runs a workload with
AGTs of several sizes and with each way to choose an entry (dtbl-isca2015 sections 4.2 and 5.2 D; the hashes
smx and freelist are ours).

  sweep_agt.py [--config NAME] [--sizes N,N,..] [--jobs N] [--json[=FILE]] [-- OPTION..]

What follows -- goes to `heddle run` as it is: `-- --ideal --seed 3`. The table: of the groups that found an
eligible kernel, how many overflowed; of all groups, how many found one; cycles, and the speed against the paper's
size of the same hash.
"""
import runs

HASHES = ("paper", "smx", "freelist")  # by the value of AgtHash
BASE = 1024


def row(size, value, report):
    device = report["device"]
    return {"hash": HASHES[value], "agt_size": size, "overflow_rate": device["overflow_rate"],
            "match_rate": device["match_rate"], "groups": device["groups"],
            "groups_overflowed": device["groups_overflowed"], "cycles": report["cycles"],
            "wait_mean": device["wait_mean"], "records_most": device["records_most"],
            "bursts_read": device["bursts_read"]}


def speed(of, rows):
    base = [r for r in rows if r["hash"] == of["hash"] and r["agt_size"] == BASE]
    return base[0]["cycles"] / of["cycles"] if base else None


def main():
    p = runs.parser("sweep_agt.py", __doc__)
    p.add_argument("--sizes", default="512,1024,2048", help="entries of the AGT, powers of two (512,1024,2048)")
    a, rest = runs.arguments(p)
    points = [(size, value) for value in range(len(HASHES)) for size in runs.numbers(p, "--sizes", a.sizes)]
    reports = runs.reports(a, [["--engine", "model", "--launch", "dtbl", "--set", f"AgtSize={size}",
                                "--set", f"AgtHash={value}", *rest] for size, value in points])
    rows = [row(*point, report) for point, report in zip(points, reports)]
    for r in rows:
        r["speed"] = speed(r, rows)

    def table():
        print(f"AGT sweep: bfs on {a.config}, groups from the device, golden model"
              f"{' ' if rest else ''}{' '.join(rest)}")
        print("  hash      entries  overflowed   matched     groups    waiting     cycles   speed")
        for r in rows:
            relative = f"{r['speed']:7.3f}" if r["speed"] else "      -"
            print(f"  {r['hash']:8}  {r['agt_size']:7}  {100 * r['overflow_rate']:8.2f} %  "
                  f"{100 * r['match_rate']:6.2f} %  {r['groups']:9}  {r['wait_mean']:9.1f}  {r['cycles']:9} {relative}")

    runs.publish(a, rest, rows, table)


main()
