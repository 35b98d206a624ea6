#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Runs the workloads of dtbl-isca2015 and laperm-isca2016 on SMXs that run warps and prints the papers' numbers for
comparison: each flat, flat by warps, with kernels (CDP) and aggregated groups (DTBL) from the device, with the
latencies of a K20c and with none (ideal), under each policy of the SMX scheduler, and with AGTs of other sizes.

  table_papers.py [--config NAME] [--engine NAME] [--seeds N] [--workloads NAME,..] [--nodes N] [--graphs DIR]
                  [--jobs N] [--keep DIR] [--json[=FILE]] [-- OPTION..]

One problem of each workload at a time. Speeds are the base's mean of cycles divided by the cycles, mean over the seeds,
followed by their standard deviation; last rows: the mean over the workloads, and the paper's. A row of the last table
compares two launch models. With --keep, reports of completed runs are kept and reused, so that an interrupted table
continues. Missing graphs are generated in --graphs. Arguments after -- are passed to `heddle run`. With --engine both
the first seed of each point runs RTL and golden model in lockstep.
"""
import statistics

import papers
import runs

AGTS = {f"agt {n}": ["--launch", "dtbl", "--set", "AgtHash=0", "--set", f"AgtSize={n}"] for n in (1024, 512, 2048)}
POINTS = {**papers.MODELS, **papers.POLICIES, **AGTS}
# The papers' numbers: the mean speed over the base.
PAPER = {"cdp ideal": 1.43, "dtbl ideal": 1.63, "cdp": 0.86, "dtbl": 1.21, "cdp tb-pri": 1.04,
         "cdp adaptive-bind": 1.06, "dtbl tb-pri": 1.13, "dtbl smx-bind": 1.08, "dtbl adaptive-bind": 1.27,
         "agt 512": 0.76, "agt 2048": 1.20}


def occupancy(r):
    return statistics.fmean(r["occupancy"])


def gpu(key):
    return lambda r: r["gpu"][key]


def device(key):
    return lambda r: r["device"][key]


# Title, the two launch models, the quantity, how they are compared ("/": ratio, "-": difference in points, "%":
# reduction), the paper's number.
COMPARED = [
    ("DTBL over CDP, speed", "cdp", "dtbl", lambda r: 1 / r["cycles"], "/", "1.40"),
    ("waiting from the call, DTBL against CDP", "cdp", "dtbl", device("wait_from_call_mean"), "%", "-24.1 %"),
    ("  the same, ideal", "cdp ideal", "dtbl ideal", device("wait_from_call_mean"), "%", "-18.8 %"),
    ("groups that find a kernel", None, "dtbl", device("match_rate"), "", "98 %"),
    ("groups that overflow, the paper's hash", None, "agt 1024", device("overflow_rate"), "", "not given"),
    ("occupancy, DTBL ideal over CDP ideal", "cdp ideal", "dtbl ideal", occupancy, "/", "1.24"),
    ("  latency costs CDP", "cdp ideal", "cdp", occupancy, "-", "-10.7 points"),
    ("  latency costs DTBL", "dtbl ideal", "dtbl", occupancy, "-", "-5.2 points"),
    ("active threads, DTBL ideal over flat", "flat", "dtbl ideal", gpu("active_threads"), "-", "10.7 points"),
    ("DRAM efficiency, CDP ideal over flat", "flat", "cdp ideal", gpu("dram_efficiency"), "/", "1.14"),
    ("  DTBL ideal over flat", "flat", "dtbl ideal", gpu("dram_efficiency"), "/", "1.27"),
    ("hits of L2, tb-pri over rr, CDP", "cdp", "cdp tb-pri", gpu("l2_hit_rate"), "-", "6.7 points"),
    ("  of L2, DTBL", "dtbl", "dtbl tb-pri", gpu("l2_hit_rate"), "-", "8.7 points"),
    ("hits of L1, tb-pri over rr, CDP", "cdp", "cdp tb-pri", gpu("l1_hit_rate"), "-", "1.1 points"),
    ("  of L1, DTBL", "dtbl", "dtbl tb-pri", gpu("l1_hit_rate"), "-", "2.1 points"),
    ("  smx-bind over tb-pri, CDP", "cdp tb-pri", "cdp smx-bind", gpu("l1_hit_rate"), "-", "6.6 points"),
    ("  DTBL", "dtbl tb-pri", "dtbl smx-bind", gpu("l1_hit_rate"), "-", "13.6 points"),
    ("  adaptive-bind over smx-bind, DTBL", "dtbl smx-bind", "dtbl adaptive-bind", gpu("l1_hit_rate"), "-",
     "-3.1 points"),
]
# A row is identified by its title and its second point.
assert len({(title, new) for title, _, new, *_ in COMPARED}) == len(COMPARED)


def base_of(point):
    if point in papers.MODELS:
        return "flat"
    return "agt 1024" if point in AGTS else point.split()[0]


def points(a, p):
    papers.check(a, p)
    return [(w, point) for w in a.workloads for point in POINTS]


def words(a, workload, point):
    return papers.words(a, workload, POINTS[point])


def mean(reports, get):
    """Returns the mean of a quantity that a run may lack: a workload without launches has no waits."""
    values = [get(r) for r in reports]
    return statistics.fmean(values)


def compare(found, old, new, get, how):
    value = mean(found[new], get)
    if not any(r["device"]["launches"] for n in (old, new) if n and n not in ("flat", "warps") for r in found[n]):
        return None
    if how == "":
        return value
    base = mean(found[old], get)
    if how == "-":
        return value - base
    return (value / base - (how == "%")) if base else None


def row(workload, found):
    every = [r for reports in found.values() for r in reports]
    bases = {p: mean(found[base_of(p)], lambda r: r["cycles"]) for p in POINTS}
    return {"workload": workload, "seeds": len(found["flat"]),
            "cycles": {p: runs.over_seeds([r["cycles"] for r in found[p]]) for p in POINTS},
            "speed": {p: runs.over_seeds([bases[p] / r["cycles"] for r in found[p]]) for p in POINTS},
            "children": {p: runs.over_seeds([r["device"]["launches"] for r in found[p]]) for p in ("cdp", "dtbl")},
            "alone": {p: runs.alone(found[p]) for p in ("cdp", "dtbl")},
            "compared": {f"{title}, {new}": compare(found, old, new, get, how)
                         for title, old, new, get, how, _ in COMPARED},
            "cycles_compared": sum(r["cycles_compared"] for r in every),
            "differences": sum(r["differences"] for r in every), "answer_ok": all(r["answer_ok"] for r in every)}


def make_rows(a, reports):
    return [row(w, {p: reports[w, p] for p in POINTS}) for w in a.workloads]


def print_speeds(title, names, rows, head="", cells=lambda r: ""):
    print(f"{title}\n  {'workload':14}{head}" + "".join(f"{n:>20}" for n in names))
    for r in rows:
        print(f"  {r['workload']:14}{cells(r)}" +
              "".join(f"{runs.cell(r['speed'][n], '.3f', sd=True).rstrip():>20}" for n in names))
    blank = " " * len(head)
    means = [statistics.fmean(r["speed"][n]["mean"] for r in rows) for n in names]
    print(f"  {'mean':14}{blank}" + "".join(f"{m:>11.3f}{'':9}" for m in means).rstrip())
    print(f"  {'the paper':14}{blank}" + "".join(
        f"{format(PAPER[n], '.2f') if n in PAPER else '-':>10}{'':10}" for n in names).rstrip())


def print_compared(rows):
    print("means over the workloads in which TBs launch")
    for title, _, new, _, how, paper in COMPARED:
        values = [v for v in (r["compared"][f"{title}, {new}"] for r in rows) if v is not None]
        if not values:
            text = "-"
        elif how == "/":
            text = f"{statistics.fmean(values):.2f}"
        else:
            text = f"{100 * statistics.fmean(values):.1f} {'points' if how == '-' else '%'}"
        print(f"  {title:42} {text:>12}   the paper: {paper}")


def table(a, rest, rows):
    print(f"workloads of the papers on {a.config}, SMXs that run warps, means of {a.seeds} seeds{runs.further(rest)}")
    print_speeds("speed over flat", [n for n in papers.MODELS if n != "flat"], rows,
                 f"{'cycles':>11}{'children':>10}{'alone':>8}",
                 lambda r: f"{r['cycles']['flat']['mean']:11.0f}{r['children']['dtbl']['mean']:10.0f}"
                           f"{100 * r['alone']['dtbl']['mean']:6.1f} %")
    print_speeds("speed over rr", list(papers.POLICIES), rows)
    print_speeds("DTBL, the paper's hash: speed over an AGT of 1024", [n for n in AGTS if n != "agt 1024"], rows)
    print_compared(rows)
    runs.print_answers(rows, "rows", "all agree with a plain program in every run")


runs.main("table_papers.py", __doc__, points, words, make_rows, table, papers.options)
