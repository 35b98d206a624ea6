#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Runs stand-ins for the six kernels of cooperative-warp-tb-scheduling-2017 under each policy of the plane's warp
scheduler, without and with the throttle, and prints the paper's numbers for comparison.

  table_warp.py [--config NAME] [--seeds N] [--kernels NAME,..] [--policies NAME,..] [--engine NAME] [--jobs N]
                [--keep DIR] [--json[=FILE]] [-- OPTION..]

Each kernel runs alone. A seed changes the durations of warps, their addresses, and the arrival of the kernel; all
policies run the same work. Speeds are instructions per cycle relative to rr without the throttle and with the same
seed, mean over the seeds, followed by their standard deviation; the last rows are the mean over the kernels, and the
paper's. With --keep, reports of completed runs are kept and reused, so that an interrupted table continues. Arguments
after -- are passed to `heddle run`.
"""
import statistics

import runs

KERNELS = ["vectoradd", "multigpu", "montecarlo", "mergesort", "storegpu", "mummer"]
POLICIES = ["rr", "grr", "gto", "lwf"]
THROTTLE = {"": [], " throttle": ["--throttle"]}
CAUSES = ["raw", "pipe", "control", "choice"]
# The paper's numbers, mean over its kernels: speed over rr, over gto.
PAPER = {"lwf": (1.075, 1.02), "lwf throttle": (1.089, 1.032)}


def names(p, option, text, known):
    chosen = text.split(",")
    for name in chosen:
        if name not in known:
            p.error(f"{option} {name}: accepted: {', '.join(known)}")
    return chosen


def options(p):
    p.set_defaults(config="gtx480ws")
    p.add_argument("--kernels", default=",".join(KERNELS), help="stand-ins to run (default: all)")
    p.add_argument("--policies", default=",".join(POLICIES), help="policies to run (default: all); rr always runs")


def points(a, p):
    policies = names(p, "--policies", a.policies, POLICIES)
    chosen = [q for q in POLICIES if q == "rr" or q in policies]
    return [(k, q, t) for k in names(p, "--kernels", a.kernels, KERNELS) for t in THROTTLE for q in chosen]


def words(a, kernel, policy, throttle):
    return [kernel, "--engine", a.engine, "--smx", "gpu", "--warp", policy, "--issue-every", "4", *THROTTLE[throttle]]


def ipc(r):
    return r["gpu"]["ipc"]


def over(reports, base):
    return runs.over_seeds([ipc(r) / ipc(b) for r, b in zip(reports, base)])


def share(reports, config_schedulers, cause):
    """Returns the share of a stall cause in all cycles of all schedulers."""
    return statistics.fmean(r["gpu"]["warps"]["stalls_" + cause] / (r["cycles"] * config_schedulers) for r in reports)


def make_rows(a, reports):
    rows = []
    for (kernel, policy, throttle), of in reports.items():
        schedulers = 2 * len(of[0]["occupancy"])
        gto = reports.get((kernel, "gto", ""))
        row = {"kernel": kernel, "policy": policy + throttle, "cycles": runs.over_seeds([r["cycles"] for r in of]),
               "ipc": runs.over_seeds([ipc(r) for r in of]), "over_rr": over(of, reports[kernel, "rr", ""]),
               "over_gto": over(of, gto) if gto else None,
               "open": statistics.fmean(r["gpu"]["throttle"]["open_mean"] for r in of) if throttle else None,
               "contention": statistics.fmean((r["gpu"]["dram_full"] + r["gpu"]["icnt2sm"]) / r["cycles"] for r in of),
               "l1": statistics.fmean(r["gpu"]["l1_hit_rate"] for r in of),
               "starved": statistics.fmean(r["gpu"]["warps"]["starved"] for r in of),
               "answer_ok": all(r["answer_ok"] for r in of)}
        row["stalls"] = {c: share(of, schedulers, c) for c in CAUSES}
        rows.append(row)
    return rows


def print_row(row):
    stalls = "".join(f"{100 * row['stalls'][c]:8.1f} %" for c in CAUSES)
    opened = f"{row['open']:6.2f}" if row["open"] is not None else "     -"
    print(f"  {row['policy']:<13}{runs.cell(row['cycles'], '10.0f')}{runs.cell(row['ipc'], '8.3f')}"
          f"{runs.cell(row['over_rr'], '8.3f', sd=True)}{runs.cell(row['over_gto'], '8.3f', sd=True)}{stalls}"
          f"{row['contention']:8.3f}{opened}")


def means(rows):
    """Prints, for each policy, the means over the kernels of its speeds over rr and gto."""
    print("mean over the kernels         over rr  over gto    the paper's")
    for policy in dict.fromkeys(r["policy"] for r in rows):
        of = [r for r in rows if r["policy"] == policy]
        rr = statistics.fmean(r["over_rr"]["mean"] for r in of)
        gto = statistics.fmean(r["over_gto"]["mean"] for r in of) if of[0]["over_gto"] else None
        paper = "{:.3f} {:.3f}".format(*PAPER[policy]) if policy in PAPER else "-"
        print(f"  {policy:<26}{rr:9.3f}{'%10.3f' % gto if gto else '         -'}    {paper}")


def table(a, rest, rows):
    print(f"warp scheduler: stand-ins for the paper's kernels on {a.config}, means of {a.seeds} seeds"
          f"{runs.further(rest)}")
    for kernel in dict.fromkeys(r["kernel"] for r in rows):
        print(f"{kernel:<15}    cycles     IPC    over rr          over gto         RAW  pipeline   control    choice"
              "  contend  open")
        for row in rows:
            if row["kernel"] == kernel:
                print_row(row)
    means(rows)
    runs.print_answers(rows, "rows", "none is computed; every instruction of every TB was issued in every run")


if __name__ == "__main__":
    runs.main("table_warp.py", __doc__, points, words, make_rows, table, options)
