#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Measures how often an aggregated group finds no free entry of the AGT. The golden model runs a workload with AGTs of
several sizes and with each method of choosing an entry (dtbl-isca2015 sections 4.2 and 5.2 D; the hashes smx and
freelist are ours).

  sweep_agt.py [--config NAME] [--sizes N,N,..] [--seeds N] [--sources K,K,..] [--jobs N] [--json[=FILE]]
               [OPTION..]

Any other option is passed to `heddle run`, for example `--ideal`. One table for each number of searches at once; its
numbers are means over the seeds, with the standard deviation after cycles. Columns: share of overflows among the groups
that found an eligible kernel; share of groups that found one; children whose work the parents' threads did; cycles, and
the speed relative to the paper's size with the same hash.
"""
import runs

HASHES = ("paper", "smx", "freelist")  # by the value of AgtHash
BASE = 1024


def row(sources, size, value, reports):
    def device(key):
        return runs.over_seeds([r["device"][key] for r in reports])
    return {"sources": sources, "hash": HASHES[value], "agt_size": size, "seeds": len(reports),
            "overflow_rate": device("overflow_rate"), "match_rate": device("match_rate"), "groups": device("groups"),
            "groups_overflowed": device("groups_overflowed"), "alone": runs.alone(reports),
            "cycles": runs.over_seeds([r["cycles"] for r in reports]), "wait_mean": device("wait_mean"),
            "records_most": device("records_most"), "bursts_read": device("bursts_read")}


def speed(of, rows):
    base = [r for r in rows if all(r[k] == of[k] for k in ("sources", "hash")) and r["agt_size"] == BASE]
    return base[0]["cycles"]["mean"] / of["cycles"]["mean"] if base else None


def main():
    p = runs.parser("sweep_agt.py", __doc__)
    p.add_argument("--sizes", default="512,1024,2048", help="entries of the AGT, powers of two (default 512,1024,2048)")
    a, rest = runs.arguments(p)
    points = [(sources, size, value) for sources in a.sources for value in range(len(HASHES))
              for size in runs.numbers(p, "--sizes", a.sizes)]
    reports = runs.spread(a, [["--sources", str(sources), "--engine", "model", "--launch", "dtbl", "--set",
                               f"AgtSize={size}", "--set", f"AgtHash={value}", *rest]
                              for sources, size, value in points])
    rows = [row(*point, found) for point, found in zip(points, reports)]
    for r in rows:
        r["speed"] = speed(r, rows)

    def table():
        for sources in a.sources:
            print(f"AGT sweep: bfs on {a.config}, {runs.searches(sources)}, means of {a.seeds} seeds, groups from the "
                  f"device, golden model{runs.further(rest)}")
            print(f"  hash      entries  overflow   matched    groups    alone   waiting    cycles{'':9}   speed")
            for r in rows:
                if r["sources"] == sources:
                    print(f"  {r['hash']:8}  {r['agt_size']:7}  {runs.cell(r['overflow_rate'], '6.2f', 100, ' %')}  "
                          f"{runs.cell(r['match_rate'], '6.2f', 100, ' %')}  {runs.cell(r['groups'], '8.0f')}  "
                          f"{runs.cell(r['alone'], '5.1f', 100, ' %')}  {runs.cell(r['wait_mean'], '8.0f')}  "
                          f"{runs.cell(r['cycles'], '8.0f', sd=True)} "
                          f"{format(r['speed'], '7.3f') if r['speed'] else '      -'}")

    runs.publish(a, rest, rows, table)


main()
