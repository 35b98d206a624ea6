#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Runs breadth-first searches on SMXs that run warps (heddle run --smx gpu): flat, kernels (CDP) and aggregated groups
(DTBL) from the device, with the latencies of a K20c and with none (ideal); both also under each policy of the SMX
scheduler.

  table_gpu.py [--config NAME] [--engine NAME] [--seeds N] [--sources K,K,..] [--jobs N] [--json[=FILE]] [-- OPTION..]

One table for each number of searches at once; all its numbers are means over the seeds, with the standard deviation
after cycles. Columns: speed over flat and over the same launch model under rr; instructions per cycle; active threads
per instruction; hits of the L1s and of the L2; used share of DRAM's bandwidth, and its efficiency (share of the cycles
in which a channel has work); occupancy; cycles that a child waited for its first TB; share of children's TBs on the SMX
of their parent. Arguments after -- are passed to `heddle run`. With --engine both the first seed runs RTL and golden
model in lockstep.
"""
import statistics

import runs

POLICIES = ("tb-pri", "smx-bind", "adaptive-bind")
POINTS = [("flat", "rr", False), ("cdp", "rr", False), ("dtbl", "rr", False), ("cdp", "rr", True), ("dtbl", "rr", True),
          *((launch, policy, False) for launch in ("cdp", "dtbl") for policy in POLICIES)]
RATES = ("ipc", "active_threads", "l1_hit_rate", "l2_hit_rate", "dram_utilisation", "dram_efficiency")


def words(a, sources, launch, policy, ideal):
    return ["--smx", "gpu", "--sources", str(sources), "--launch", launch, "--policy", policy, "--engine", a.engine,
            *(["--ideal"] if ideal else [])]


def row(sources, launch, policy, ideal, reports):
    def over(get):
        return runs.over_seeds([get(r) for r in reports])

    def device(key):
        return over(lambda r: r["device"][key]) if launch != "flat" else None
    return {"sources": sources, "launch": launch, "policy": policy, "ideal": ideal, "seeds": len(reports),
            "cycles": over(lambda r: r["cycles"]), **{k: over(lambda r, k=k: r["gpu"][k]) for k in RATES},
            "occupancy": over(lambda r: statistics.fmean(r["occupancy"])), "wait_mean": device("wait_mean"),
            "parents_smx_share": device("parents_smx_share"),
            "cycles_compared": sum(r["cycles_compared"] for r in reports),
            "differences": sum(r["differences"] for r in reports), "answer_ok": all(r["answer_ok"] for r in reports)}


def add_speeds(rows):
    for r in rows:
        def cycles_of(launch, ideal):
            return [b["cycles"]["mean"] for b in rows if (b["sources"], b["launch"], b["policy"], b["ideal"]) ==
                    (r["sources"], launch, "rr", ideal)][0]
        r["over_flat"] = cycles_of("flat", False) / r["cycles"]["mean"]
        r["over_rr"] = cycles_of(r["launch"], r["ideal"]) / r["cycles"]["mean"]


def print_row(r):
    def percent(key):
        return runs.cell(r[key], "5.1f", 100, " %")
    print(f"  {r['launch']:4} {'ideal' if r['ideal'] else '':5}  {r['policy']:13}  "
          f"{runs.cell(r['cycles'], '8.0f', sd=True)}  {r['over_flat']:6.3f}  {r['over_rr']:5.3f}  "
          f"{runs.cell(r['ipc'], '5.2f')}  {percent('active_threads')}  {percent('l1_hit_rate')}  "
          f"{percent('l2_hit_rate')}  {percent('dram_utilisation')}  {percent('dram_efficiency')}  "
          f"{percent('occupancy')}  {runs.cell(r['wait_mean'], '8.0f')}  {percent('parents_smx_share')}")


def make_rows(a, reports):
    rows = [row(*point, found) for point, found in reports.items()]
    add_speeds(rows)
    return rows


def table(a, rest, rows):
    for sources in a.sources:
        print(f"SMXs that run warps: bfs on {a.config}, {runs.searches(sources)}, means of {a.seeds} seeds"
              f"{runs.further(rest)}")
        print(f"  {'launch':10}  {'policy':13}  {'cycles':>8}{'':9}  x flat   x rr    IPC  threads       L1"
              f"       L2     DRAM DRAM eff occupied   waiting parent's")
        for r in rows:
            if r["sources"] == sources:
                print_row(r)
    runs.print_answers(rows)


runs.main("table_gpu.py", __doc__, lambda a, p: [(sources, *point) for sources in a.sources for point in POINTS],
          words, make_rows, table)
