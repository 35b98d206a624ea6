#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Runs breadth-first searches under each launch model: flat, kernels from the device (CDP) and aggregated groups
(DTBL), the latter two with the latencies of a K20c and with none (dtbl-isca2015 section 5: CDP, CDPI, DTBL, DTBLI). CDP
also runs on planes with more KD entries, the other method of having more launches in execution (section 5.2).

  table_dtbl.py [--config NAME] [--kdes N,N,..] [--engine NAME] [--seeds N] [--sources K,K,..] [--jobs N]
                [--json[=FILE]] [-- OPTION..]

One table for each number of searches at once; all its numbers are means over the seeds, with the standard deviation
after cycles and waiting times. Columns: launched children, and the share whose work the parents' threads did, because
no buffer or record was free or the plane refused; cycles that a child waited for its first TB, from its launch and from
the call of the runtime, and the latter relative to that of a group of DTBL; share of groups that found an eligible
kernel, and the share of those that found no free entry of the AGT; TBs per cycle; occupancy; cycles, and the speed over
flat. Arguments after -- are passed to `heddle run`. With --engine both (default) the first seed of the configuration
itself runs RTL and golden model in lockstep; the other seeds, and a KD of another size, run on the model.
"""
import runs


def row(sources, name, ideal, kdes, reports):
    def over(get):
        return runs.over_seeds([get(r) for r in reports])

    def device(key):
        return over(lambda r: r["device"][key]) if name != "flat" else None
    return {"sources": sources, "launch": name, "ideal": ideal, "kdes": kdes, "seeds": len(reports),
            "children": device("launches"),
            "done_alone": device("done_alone"),
            "alone": runs.alone(reports) if name != "flat" else None,
            "ctas": over(lambda r: r["ctas"]), "wait_mean": device("wait_mean"),
            "wait_from_call_mean": device("wait_from_call_mean"), "match_rate": device("match_rate"),
            "overflow_rate": device("overflow_rate"), "ctas_per_cycle": over(lambda r: r["ctas_per_cycle"]),
            "occupancy": over(lambda r: sum(r["occupancy"]) / len(r["occupancy"])),
            "cycles": over(lambda r: r["cycles"]),
            "cycles_compared": sum(r["cycles_compared"] for r in reports),
            "differences": sum(r["differences"] for r in reports), "answer_ok": all(r["answer_ok"] for r in reports)}


def print_row(r):
    group = r["launch"] == "dtbl"
    compared = (f"{r['cycles_compared']} cycles, differences: {r['differences']}" if r["cycles_compared"]
                else "model alone")
    print(f"  {r['launch'] + (' ideal' if r['ideal'] else ''):10}  {r['kdes'] or '':>4}  "
          f"{runs.cell(r['children'], '8.0f')}  {runs.cell(r['alone'], '5.1f', 100, ' %')}  "
          f"{runs.cell(r['wait_mean'], '8.0f', sd=True)}  {runs.cell(r['wait_from_call_mean'], '8.0f', sd=True)}  "
          f"{'-' if r['wait_against_dtbl'] is None else format(r['wait_against_dtbl'], '.2f'):>6}  "
          f"{runs.cell(r['match_rate'] if group else None, '6.2f', 100, ' %')}  "
          f"{runs.cell(r['overflow_rate'] if group else None, '6.2f', 100, ' %')}  "
          f"{runs.cell(r['ctas_per_cycle'], '7.4f')}  {runs.cell(r['occupancy'], '5.1f', 100, ' %')}  "
          f"{runs.cell(r['cycles'], '8.0f', sd=True)}  {r['speed']:6.3f}  {compared}")


def options(p):
    p.add_argument("--kdes", default="64,128", help="further sizes of the KD for CDP, or '' (default 64,128)")


def points(a, p):
    each = [("flat", False, None), ("cdp", False, None), ("dtbl", False, None), ("cdp", True, None),
            ("dtbl", True, None)]
    sizes = runs.numbers(p, "--kdes", a.kdes) if a.kdes else []
    each += [("cdp", ideal, n) for n in sizes for ideal in (False, True)]
    return [(sources, *point) for sources in a.sources for point in each]


def words(a, sources, name, ideal, kdes):
    return ["--sources", str(sources), "--launch", name, *(["--ideal"] if ideal else []),
            "--engine", "model" if kdes else a.engine, *(["--set", f"NumKde={kdes}"] if kdes else [])]


def make_rows(a, reports):
    rows = [row(*point, found) for point, found in reports.items()]
    for r in rows:
        same = [b for b in rows if b["sources"] == r["sources"]]
        base = [b["wait_from_call_mean"] for b in same if b["launch"] == "dtbl" and b["ideal"] == r["ideal"]][0]
        wait = r["wait_from_call_mean"]
        r["wait_against_dtbl"] = wait["mean"] / base["mean"] if wait and base["mean"] else None
        r["speed"] = same[0]["cycles"]["mean"] / r["cycles"]["mean"]
    return rows


def table(a, rest, rows):
    for sources in a.sources:
        print(f"launch models: bfs on {a.config}, {runs.searches(sources)}, means of {a.seeds} seeds"
              f"{runs.further(rest)}")
        print(f"  {'launch':10}  KDEs  children    alone  {'waiting':>8}{'':9}  from call{'':8}  x DTBL   matched"
              f"  overflow  TBs/cyc  occupied    cycles{'':9}  x flat  compared")
        for r in rows:
            if r["sources"] == sources:
                print_row(r)
    runs.print_answers(rows)


runs.main("table_dtbl.py", __doc__, points, words, make_rows, table, options, engine="both")
