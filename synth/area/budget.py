# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The budget file: the limits of each block, and of the paths from each cluster of the plane into each other one. Bytes
are exact; GE and FO4 have slack for the noise of the mapper."""
import csv
import os

import flow
import report as reports

FILE = "synth/area/budget.csv"
LIMITS = ["bytes", "ge", "fo4"]
HEAD = ["config", "block", *LIMITS, "recipe", "cells", "tools"]
SLACK = {"ge": 1.02, "fo4": 1.05}
# Additional slack for other versions of the tools, which map differently (measurements: docs/area.md).
OTHER_TOOLS = {"ge": 0.03, "fo4": 0.10}
NOTE = """\
# What each block takes, and the longest path from one cluster of the plane into another (`host to graph`); written by
# `make area-accept`, checked by the tests (bytes exact, GE + 2 %, FO4 + 5 %; with other tools than those of the line
# 3 % and 10 % more); recipe: the mapper's that won.
"""


def read():
    if not os.path.exists(FILE):
        return []
    with open(FILE) as f:
        return list(csv.DictReader(line for line in f if not line.startswith("#")))


def recipes(config):
    """Returns block -> the recipes to try first: the one that won when its budget was written. Any netlist within the
    budget is accepted."""
    return {r["block"]: (r["recipe"],) for r in read() if r["config"] == config and r.get("recipe")}


def now(report):
    made = {"config": report["config"], "cells": report["cells"]["library"],
            "tools": report["cells"]["tools"].replace(", ", " + ")}
    blocks = [{"block": b["name"], "bytes": f"{b['bytes']:g}", "ge": f"{b['ge']['total']:.0f}",
               "fo4": f"{b['fo4']:.1f}", "recipe": b["recipe"]} for b in report["blocks"]]
    boundaries = [{"block": reports.boundary(p), "bytes": "", "ge": "", "fo4": f"{p['fo4']:.1f}", "recipe": ""}
                  for p in report["boundaries"]]
    return [{**made, **row} for row in blocks + boundaries]


def accept(report):
    """Writes the blocks of the report; the others keep their lines, but pairs of clusters that no path joins any more.
    Returns the changes as lines of text."""
    new = {(r["config"], r["block"]): r for r in now(report)}
    old = {(r["config"], r["block"]): r for r in read()}
    gone = {at for at, r in old.items() if report["boundaries"] and r["ge"] == "" and at[0] == report["config"]}
    rows = {**{at: r for at, r in old.items() if at not in gone}, **new}
    lines = [",".join(r.get(k) or "" for k in HEAD) + "\n" for r in rows.values()]
    flow.write(FILE, NOTE + ",".join(HEAD) + "\n" + "".join(lines))
    return [f"{c} {b}: " + (", ".join(f"{k} {old[c, b][k]} -> {r[k]}" for k in LIMITS if old[c, b][k] != r[k])
                            if (c, b) in old else "new")
            for (c, b), r in new.items() if old.get((c, b)) != r]


def check(report):
    """Returns (blocks within their budget, error lines)."""
    old = {(r["config"], r["block"]): r for r in read()}
    good, bad = [], []
    for r in now(report):
        was = old.get((r["config"], r["block"]))
        if not was:
            bad.append(f"{r['config']} {r['block']}: not in {FILE} (make area-accept enters it)")
            continue
        more = OTHER_TOOLS if r["tools"] != was["tools"] else {}
        over = [f"{k} {was[k]} -> {r[k]}" for k in LIMITS if r[k]
                and (r[k] != was[k] if k == "bytes" else float(r[k]) > float(was[k]) * (SLACK[k] + more.get(k, 0)))]
        if over:
            bad.append(f"{r['config']} {r['block']}: over its budget: {', '.join(over)} "
                       "(if that is meant: make area-accept)")
        else:
            good.append(r["block"])
    return good, bad


def other_tools():
    """Returns a line that explains how budgets of other tools are compared, if there are any."""
    here = flow.text_of(flow.versions())
    other = sorted({r["tools"].replace(" + ", ", ") for r in read()} - {here})
    return [f"{FILE} is of {' and of '.join(other)}; here are {here}: compared with "
            + " and ".join(f"{100 * v:.0f} % more in {k.upper()}" for k, v in OTHER_TOOLS.items())] if other else []
