#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Breadth-first searches under each launch model: flat, kernels from the device (CDP) and aggregated groups (DTBL), the
latter two with the latencies of a K20c and with none (dtbl-isca2015 section 5: CDP, CDPI, DTBL, DTBLI); CDP also on
planes with more KD entries, which is the other way to have more launches in execution (section 5.2).

  table_dtbl.py [--config NAME] [--kdes N,N,..] [--engine NAME] [--jobs N] [--json[=FILE]] [-- OPTION..]

The table: children that were launched, or that their parents' threads did themselves since no buffer or record was
free; cycles that a child waited for its first TB, on average, from its launch and from the call of the runtime, and how
much longer the latter is than that of a group of DTBL; groups that found an eligible kernel, and of these how many
found no free entry of the AGT; TBs per cycle; occupancy; cycles. What follows -- goes to `heddle run` as it is. With
--engine both (default) each run of the configuration itself is RTL and golden model in lockstep; one with a KD of
another size runs on the model.
"""
import runs


def row(name, ideal, kdes, report):
    device = report.get("device", {})
    return {"launch": name, "ideal": ideal, "kdes": kdes, "engine": report["engine"],
            "children": device.get("launches", 0),
            "done_alone": device.get("done_alone", 0), "ctas": report["ctas"], "wait_mean": device.get("wait_mean"),
            "wait_from_call_mean": device.get("wait_from_call_mean"), "match_rate": device.get("match_rate"),
            "overflow_rate": device.get("overflow_rate"), "ctas_per_cycle": report["ctas_per_cycle"],
            "occupancy": sum(report["occupancy"]) / len(report["occupancy"]), "cycles": report["cycles"],
            "cycles_compared": report["cycles_compared"], "differences": report["differences"],
            "answer_ok": report["answer_ok"]}


def cell(value, form):
    return f"{'-':>{len(format(0, form))}}" if value is None else format(value, form)


def main():
    p = runs.parser("table_dtbl.py", __doc__)
    p.add_argument("--kdes", default="64,128", help="further sizes of the KD for CDP, or an empty word (64,128)")
    p.add_argument("--engine", default="both", choices=("both", "model"),
                   help="both: lockstep (default); model: the golden model alone")
    a, rest = runs.arguments(p)
    points = [("flat", False, None), ("cdp", False, None), ("dtbl", False, None), ("cdp", True, None),
              ("dtbl", True, None)]
    sizes = runs.numbers(p, "--kdes", a.kdes) if a.kdes else []
    points += [("cdp", ideal, n) for n in sizes for ideal in (False, True)]
    reports = runs.reports(a, [["--launch", name, *(["--ideal"] if ideal else []),
                                "--engine", "model" if kdes else a.engine,
                                *(["--set", f"NumKde={kdes}"] if kdes else []), *rest] for name, ideal, kdes in points])
    rows = [row(*point, report) for point, report in zip(points, reports)]
    for r in rows:
        base = [b["wait_from_call_mean"] for b in rows if b["launch"] == "dtbl" and b["ideal"] == r["ideal"]][0]
        r["wait_against_dtbl"] = r["wait_from_call_mean"] / base if r["wait_from_call_mean"] and base else None

    def table():
        print(f"launch models: bfs on {a.config}{' ' if rest else ''}{' '.join(rest)}")
        print("  launch      KDEs  children   alone    waiting  from call  x DTBL    matched  overflowed   TBs/cycle"
              "  occupied     cycles  compared")
        for r in rows:
            percent = ["        -" if r["launch"] != "dtbl" else f"{100 * r[k]:7.2f} %"
                       for k in ("match_rate", "overflow_rate")]
            compared = (f"{r['cycles_compared']} cycles, differences: {r['differences']}" if r["cycles_compared"]
                        else "model alone")
            print(f"  {r['launch'] + (' ideal' if r['ideal'] else ''):10}  {r['kdes'] or '':>4}  {r['children']:8} "
                  f"{r['done_alone']:7}  {cell(r['wait_mean'] or None, '9.0f')}  "
                  f"{cell(r['wait_from_call_mean'] or None, '9.0f')}  {cell(r['wait_against_dtbl'], '6.2f')}  "
                  f"{percent[0]}  {percent[1]}  {r['ctas_per_cycle']:10.4f}  {100 * r['occupancy']:6.1f} %  "
                  f"{r['cycles']:9}  {compared}")
        wrong = [r for r in rows if not r["answer_ok"]]
        print("answers: " + (f"WRONG in {len(wrong)} runs" if wrong
                             else "all searches agree with a plain BFS in every run"))

    runs.publish(a, rest, rows, table)


main()
