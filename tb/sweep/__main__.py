#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Runs `heddle run` on the golden model for every combination of values of its axes, several at once, and tabulates the
results. It answers questions such as how waiting changes with twice the KD entries, or which policy suits a graph. An
axis is an option with several values, separated by commas. Reports are kept: a point that has a report does not run
again."""
import argparse
import csv
import io
import itertools
import json
import os
import shlex
import sys
import textwrap

if not os.path.exists("rtl/hdgen"):
    sys.exit("heddle sweep: run it from the top of a checkout (no rtl/hdgen here)")
sys.path[:0] = ["tb/experiments", "tb/page", "rtl", "synth/area", "tb/build", "python"]
import runs  # noqa: E402
from flow import Failed  # noqa: E402
from hdgen.output import put_text, usable  # noqa: E402
from heddle.reports import COLUMNS, VERDICTS, number_at  # noqa: E402
from join import Missing, page  # noqa: E402
from plot import STYLE, draw, plottable  # noqa: E402
from usage import Parser, ended  # noqa: E402

EPILOG = """\
Options after -- are passed to every `heddle run`; --engine both runs the points in lockstep.

Examples:
  heddle sweep road.gr --policy rr,tb-pri,smx-bind --launch dtbl
  heddle sweep bfs road.gr --set NumKde=16,32,64 --launch cdp,dtbl -- --sources 64
  heddle sweep sw --vary nodes=1k,4k --launch waves,cdp,graph --csv sw.csv --plot sw.svg
  heddle sweep --trace a.trace,b.trace --config k20c,big
Exit codes: 0 all points passed; that of the first one that did not, as of heddle run; 6 interrupted."""


def values(p, option, text):
    found = text.split(",")
    if "" in found or len(set(found)) < len(found):
        p.error(f"{option} {text}: accepted: different values separated by commas")
    return found


def assignment(p, option, text):
    name, equals, listed = text.partition("=")
    if not name or not equals or name.startswith("-"):
        p.error(f"{option} {text}: accepted: NAME=VALUE,VALUE,..")
    return name, values(p, f"{option} {name}", listed)


def arguments():
    p = Parser(prog="heddle sweep", usage="%(prog)s [OPTION..] [WORKLOAD] [INPUT] [-- OPTION..]", description=__doc__,
               epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    p.add_argument("what", metavar="WORKLOAD INPUT", nargs="*",
                   help="as for heddle run; several values are separated by commas")
    p.add_argument("--trace", metavar="FILES", help="traces, instead of a workload")
    p.add_argument("--config", "-c", metavar="NAMES", help="configurations of the plane (default k20c)")
    p.add_argument("--set", "-s", metavar="P=VALUES", action="append", default=[],
                   help="values of a parameter; each --set is an axis")
    p.add_argument("--launch", metavar="NAMES", help="launch models")
    p.add_argument("--policy", metavar="NAMES", help="scheduling policies")
    p.add_argument("--vary", metavar="OPTION=VALUES", action="append", default=[],
                   help="values of any other option of heddle run; each --vary is an axis")
    p.add_argument("--metric", default="wait_mean", metavar="KEY",
                   help="key of the JSON report that is plotted, such as device.wait_mean (default wait_mean)")
    p.add_argument("--csv", metavar="FILE", help="write one row per point")
    p.add_argument("--json", nargs="?", const="-", metavar="FILE",
                   help="print the points as JSON, or write them to FILE")
    p.add_argument("--plot", metavar="FILE",
                   help="plot the metric over the numeric axis with most values: .svg or .png")
    p.add_argument("--page", metavar="FILE", help="write plot and table as one page for a browser: .html")
    p.add_argument("--jobs", "-j", type=int, default=os.cpu_count() or 1, metavar="N",
                   help="runs at once (default: one per processor)")
    p.add_argument("--keep", default="build/sweep/runs", metavar="DIR",
                   help="folder of the kept reports (default build/sweep/runs)")
    p.add_argument("--campaign", metavar="FILE",
                   help="run nothing: write the points as a campaign (.toml), for heddle campaign; then the same "
                        "command without this makes the table")
    own, rest = sys.argv[1:], []
    if "--" in own:
        rest = own[own.index("--") + 1:]
        own = own[:own.index("--")]
    a = p.parse_args(own)
    if a.jobs < 1:
        p.error(f"--jobs {a.jobs}: accepted: 1 or more")
    if len(a.what) > 2:
        p.error(f"'{a.what[2]}' is one argument too many; options of heddle run belong after --")
    if a.plot and not plottable(a.plot):
        p.error(f"--plot {a.plot}: accepted: a file that ends in .svg or .png")
    if a.page and not a.page.endswith(".html"):
        p.error(f"--page {a.page}: accepted: a file that ends in .html")
    if a.campaign and not a.campaign.endswith(".toml"):
        p.error(f"--campaign {a.campaign}: accepted: a file that ends in .toml")
    for path in (a.csv, a.json, a.plot, a.page, a.campaign):
        if path and path != "-":
            usable(path)
    return a, rest, axes(p, a)


def axes(p, a):
    """Returns [(name, values, function from a value to the arguments of heddle run)], in the order of the table's
    columns."""
    def option(name):
        return lambda v: [f"--{name}", v]
    is_input = len(a.what) == 1 and os.path.isfile(a.what[0].split(",")[0])
    names = ("input",) if is_input else ("workload", "input")
    found = [(names[k], [text] if os.path.exists(text) else values(p, "WORKLOAD or INPUT", text),
              lambda v: [v]) for k, text in enumerate(a.what)]
    found += [(name, values(p, f"--{name}", text), option(name)) for name, text in
              (("trace", a.trace), ("config", a.config)) if text]
    for text in a.set:
        name, listed = assignment(p, "--set", text)
        found.append((name, listed, lambda v, name=name: ["--set", f"{name}={v}"]))
    found += [(name, values(p, f"--{name}", text), option(name)) for name, text in
              (("launch", a.launch), ("policy", a.policy)) if text]
    for text in a.vary:
        name, listed = assignment(p, "--vary", text)
        found.append((name, listed, lambda v, name=name: [f"--{name}", v]))
    names = [name for name, *_ in found]
    for name in names:
        if names.count(name) > 1:
            p.error(f"{name} is given twice; accepted: all its values in one option")
    return found


class Point(runs.Run):
    """A combination: its values and its run."""

    def __init__(self, of, combination, rest, keep):
        options = [w for (_, _, words), v in zip(of, combination) for w in words(v)]
        super().__init__(["run", "--engine", "model", *options, *rest, "--json"], keep)
        self.values = {name: v for (name, _, _), v in zip(of, combination)}

    def row(self, metric):
        keys = dict.fromkeys((*COLUMNS, metric))
        return {**self.values, "verdict": VERDICTS[self.code],
                **{k: number_at(self.report, k) if self.code == 0 else None for k in keys}, "reason": self.reason}


def shown(v, key):
    if v is None:
        return "-"
    if key == "occupancy":
        return f"{100 * v:.1f} %"
    return f"{v:.1f}" if isinstance(v, float) and abs(v) >= 10 else f"{v:.4g}" if isinstance(v, float) else str(v)


def table(rows, of, rest, metric):
    """Prints the rows as text, without the columns whose values are all equal; the metric also relative to the first
    row that has it. A point that failed shows the reason."""
    print("heddle sweep: " + " ".join([*(f"{name} {v[0]}" for name, v, _ in of if len(v) == 1), *rest]))
    names = [name for name, v, _ in of if len(v) > 1]
    first = next((r[metric] for r in rows if r[metric]), None)
    keys = [k for k in dict.fromkeys((*COLUMNS, metric)) if any(r[k] is not None for r in rows)]
    head = [*names, *keys, f"x {metric}"]
    lines = []
    for r in rows:
        if r["verdict"] != "PASS":
            why = textwrap.shorten(r["reason"], 110, placeholder=" ..")
            lines.append(([str(r[n]) for n in names], f"{r['verdict']}: {why}"))
            continue
        ratio = f"{r[metric] / first:.3f}" if first and r[metric] is not None else "-"
        lines.append(([str(r[n]) for n in names] + [shown(r[k], k) for k in keys] + [ratio], ""))
    wide = [max(len(h), *(len(c[k]) for c, _ in lines if k < len(c)), 0) for k, h in enumerate(head)]

    def line(cells):
        return "  " + "  ".join(c.ljust(wide[k]) if k < len(names) else c.rjust(wide[k])
                                for k, c in enumerate(cells)).rstrip()
    print(line(head))
    for cells, why in lines:
        print(line(cells) + (f"  {why}" if why else ""))
    for key in dict.fromkeys(("cycles", metric)):
        good = [r for r in rows if r[key] is not None]
        if good and names:
            best = min(good, key=lambda r: r[key])
            print(f"least {key}: {shown(best[key], key)} with " + ", ".join(f"{n} {best[n]}" for n in names))


def table_csv(rows):
    out = io.StringIO()
    w = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    w.writeheader()
    w.writerows(rows)
    return out.getvalue()


def is_number(v):
    try:
        float(v)
    except ValueError:
        return False
    return True


def plot(path, rows, of, metric):
    """Plots the metric over the numeric axis with most values, a line for each combination of the others; without a
    numeric axis, over the values of the axis with most values, by name."""
    if not of:
        raise Failed("--plot: only one point; accepted: an axis with several values")
    numeric = [x for x in of if len(x[1]) > 1 and all(map(is_number, x[1]))]
    x, listed, _ = max(numeric or of, key=lambda axis: len(axis[1]))
    others = [name for name, found, _ in of if name != x and len(found) > 1]
    lines = list(dict.fromkeys(tuple(r[n] for n in others) for r in rows))
    at = {tuple(r[n] for n in others) + (r[x],): r[metric] for r in rows}
    data = [[float(v) if numeric else str(v), *(at.get(key + (v,)) for key in lines)] for v in listed]
    if all(v is None for row in data for v in row[1:]):
        raise Failed(f"--plot: no point has a number '{metric}'")
    script = [STYLE, f"set xlabel '{x}' noenhanced", f"set ylabel '{metric}' noenhanced", "set yrange [0:*]"]
    using = "1:{0}" if numeric else "{0}:xtic(1)"
    if not numeric:
        script += ["set xtics noenhanced", "set style data histograms", "set boxwidth 0.9"]
    curves = [f"$D using {using.format(k + 2)} {'with linespoints pt 7 lw 2' if numeric else ''} "
              f"title '{' '.join(key).replace(chr(39), '') or metric}' noenhanced" for k, key in enumerate(lines)]
    draw(path, "\n".join([*script, "plot " + ", ".join(curves)]), data)


def campaign(a, points):
    """Writes each point as a job of a campaign, whose report is kept."""
    jobs = ["# Written by heddle sweep: run it with heddle campaign; then the same sweep without --campaign has all",
            "# reports.", 'about = "a sweep of heddle run"', ""]
    for k, q in enumerate(points):
        words = shlex.join(["tb/experiments/runs.py", a.keep, *q.words])
        jobs += ["[[command]]", f'name = "point-{k + 1:04}"', f"run = {json.dumps(words)}", "json = true", ""]
    put_text(a.campaign, "\n".join(jobs))
    print(f"{a.campaign}: {len(points)} jobs; heddle campaign {a.campaign} runs them")


def main():
    a, rest, of = arguments()
    points = [Point(of, combination, rest, a.keep) for combination in itertools.product(*(v for _, v, _ in of))]
    if a.campaign:
        campaign(a, points)
        return 0
    if a.page:
        page("sweep.html", None)  # fails early if a file is missing
    runs.run_all(points, a.jobs)
    rows = [q.row(a.metric) for q in points if q.code is not None]
    result = {"version": 1, "axes": {name: v for name, v, _ in of}, "options": rest, "points": len(points),
              "rows": rows}
    if a.csv and rows:
        put_text(a.csv, table_csv(rows))
    if a.json == "-":
        print(json.dumps(result, indent=1))
    elif rows:
        table(rows, of, rest, a.metric)
    if a.json and a.json != "-":
        put_text(a.json, json.dumps(result, indent=1) + "\n")
    if a.page and rows:
        numbers = [k for k in dict.fromkeys((a.metric, *COLUMNS)) if any(r[k] is not None for r in rows)]
        put_text(a.page, page("sweep.html", {**result, "metric": a.metric, "numbers": numbers}))
    if runs.stop.is_set():
        print(f"heddle sweep: interrupted: {len(rows)} of {len(points)} points are done; the same command continues "
              f"from there (reports are in {a.keep})", file=sys.stderr)
        return 6
    bad = [q for q in points if q.code]
    if bad:
        print(f"heddle sweep: {len(bad)} of {len(points)} points failed", file=sys.stderr)
    if a.plot and len(bad) < len(points):
        plot(a.plot, rows, of, a.metric)
    return bad[0].code if bad else 0


def guarded():
    try:
        return main()
    except (Failed, Missing) as e:
        print(f"heddle sweep: {e}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(ended(guarded, "heddle sweep"))
