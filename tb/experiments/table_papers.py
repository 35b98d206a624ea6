#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
import statistics

import columns


def compare(row, old, new, key, how):
    """Returns how the number of a launch model compares with that of another ("/": ratio, "-": difference, "%":
    reduction, "": not at all); None if no TB launches."""
    if not any(columns.plain(row["children"].get(n)) for n in (old, new)):
        return None
    value, base = row[key][new], row[key].get(old)
    if how == "":
        return value
    if how == "-":
        return value - base
    return (value / base - (how == "%")) if base else None


def show_speeds(title, names, rows, paper, head="", cells=lambda r: ""):
    print(f"{title}\n  {'workload':14}{head}" + "".join(f"{n:>20}" for n in names))
    for r in rows:
        print(f"  {r['workload']:14}{cells(r)}" + columns.cells(r["speed"], names, ".3f+-6", 20))
    mean = columns.averaged([r["speed"] for r in rows])
    print(f"  {'mean':14}{'':{len(head)}}" + columns.cells(mean, names, "11.3f", -20).rstrip())
    print(f"  {'the paper':14}{'':{len(head)}}" + "".join(f"{paper.get(n, '-'):>10}{'':10}" for n in names).rstrip())


def show(t, rows):
    paper, points = t.spec["paper"], t.axes["point"]["values"]
    print("workloads of the papers on {config}, SMXs that run warps, means of {n} seeds{further}".format(**t.title))
    show_speeds("speed over flat", points[1:6], rows, paper, f"{'cycles':>11}{'children':>10}{'alone':>8}",
                lambda r: f"{r['cycles']['flat']['mean']:11.0f}{r['children']['dtbl']['mean']:10.0f}"
                          f"{100 * r['alone']['dtbl']['mean']:6.1f} %")
    show_speeds("speed over rr", points[6:12], rows, paper)
    show_speeds("DTBL, the paper's hash: speed over an AGT of 1024", points[13:], rows, paper)
    print("means over the workloads in which TBs launch")
    for title, old, new, key, how, reported in t.spec["compared"]:
        values = [v for r in rows if (v := compare(r, old, new, key, how)) is not None]
        if not values:
            text = "-"
        elif how == "/":
            text = f"{statistics.fmean(values):.2f}"
        else:
            text = f"{100 * statistics.fmean(values):.1f} {'points' if how == '-' else '%'}"
        print(f"  {title:42} {text:>12}   the paper: {reported}")


columns.main(__file__, show)
