# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""What each proposal of the papers costs: the plane with it beside the plane without it."""
import blocks
import flow
import report
import tables

BASE, DTBL, ALL = "k20c-base", "k20c-dtbl", "k20c"
# (proposal, its paper in tables.csv, the plane with it, the one without it)
PROPOSALS = [("launches of kernels by TBs (CDP)", "", "k20c-cdp", BASE),
             ("DTBL: launches of groups", "dtbl-isca2015", DTBL, "k20c-cdp"),
             ("LaPerm: priority queues, three policies", "laperm-isca2016", "k20c-laperm", DTBL),
             ("Wireframe: dependency graph buffer", "wireframe-micro2017", "k20c-wireframe", BASE),
             ("throttle", "", BASE + "+HasThrottle=1", BASE)]
PLANES = list(dict.fromkeys([BASE, *(plane for p in PROPOSALS for plane in reversed(p[2:])), ALL]))
COLUMNS = ["kGE", "logic", "flops", "RAM low - high", "bytes"]


def paper_bytes(paper, plane):
    """Returns the sum of a paper's figures for its tables; those of tbcr and pq are of one SMX."""
    count = report.instances(plane)
    rows = [r for r in tables.ROWS if paper and r["paper"] == paper and r["paper_bytes"]]
    return sum(int(r["paper_bytes"]) * count[r["block"]] for r in rows) or None


def measure(note, lib):
    """Returns the costs as in their JSON."""
    planes, mapped = {}, {}
    for name in PLANES:
        design = flow.Design(name)
        mapped[name] = blocks.plane(design, tables.blocks_of(["top"]), note, lib=lib)
        found = report.data(design, mapped[name], lib, {"top"})
        planes[name] = {k: found["blocks"][0][k] for k in ("ge", "bytes", "fo4", "from", "to")}
    out = []
    for proposal, paper, on, off in PROPOSALS:
        a, b = planes[on], planes[off]
        out.append({"proposal": proposal, "with": on, "without": off,
                    "ge": {k: round(a["ge"][k] - b["ge"][k], 1) for k in a["ge"]}, "bytes": a["bytes"] - b["bytes"],
                    "paper_bytes": paper_bytes(paper, mapped[on]), "fo4": round(a["fo4"] - b["fo4"], 1)})
    return {"version": 1, "planes": [{"config": name, **p} for name, p in planes.items()], "proposals": out,
            "cells": lib.about()}


def areas(x):
    kge = {k: v / 1000 for k, v in x["ge"].items()}
    return [*(report.num(kge[k], 1) for k in ("total", "logic", "flops")),
            report.span(kge["ram_low"], kge["ram_high"], 1), report.num(x["bytes"])]


def rows(found):
    """Returns the two tables, each with its heading."""
    planes = [["plane", *COLUMNS, "FO4"]] + [[p["config"], *areas(p), f"{p['fo4']:.1f}"] for p in found["planes"]]
    added = [["proposal", "over", *COLUMNS, "paper's bytes", "FO4"]]
    added += [[p["proposal"], p["without"], *areas(p), report.num(p["paper_bytes"]), f"{p['fo4']:+.1f}"]
              for p in found["proposals"]]
    return planes, added


def text(found):
    planes, added = rows(found)
    return (report.aligned(planes, {0}) + "\n\n" + report.aligned(added, {0, 1})
            + "\n\nkGE: total (logic, flops, RAM high). FO4: the longest path; of a proposal, what it adds.\n"
            + f"Made with {found['cells']['tools']}.\n")


def markdown(table):
    """Returns a table for a page."""
    head, *body = table
    left = {"plane", "proposal", "over"}
    rule = [("---" if h in left else "---:") for h in head]
    return "".join(f"| {' | '.join(row)} |\n" for row in (head, rule, *body))
