#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Runs each row of `make table-papers` at a small size, RTL and golden model in lockstep: a plane of `tiny`, SMXs that
run warps, every launch model and every policy of the SMX scheduler.

  lockstep_papers.py [--workloads NAME,..] [--nodes N] [--graphs DIR] [--jobs N] [--keep DIR] [--json[=FILE]]
                     [-- OPTION..]

Generated graphs have --nodes vertices. The graph of Debian's packages is cut to its first --nodes * 8 vertices; most of
these have no edges. A run that differs ends the script with its text and exit code. AGTs of other sizes are omitted,
since each would need another build of the plane.
"""
import gzip
import os

import papers
import runs

POINTS = {**papers.MODELS, **papers.POLICIES}
DEBIAN = "tb/data/debian12.mtx.gz"
ROWS = {"join": 256, "regx": 64, "amr": 16, "bht": 64}
SIZES = ["--block-size", "64", "--threshold", "16", "--child-size", "16"]


def options(p):
    papers.options(p)
    p.set_defaults(config="tiny", seeds=1, nodes=128)


def debian(a):
    """Writes the first vertices of the bundled graph and the edges among them. Returns the path."""
    path, n = os.path.join(a.graphs, f"debian-{a.nodes}.mtx.gz"), 8 * a.nodes
    if not os.path.exists(path):
        with gzip.open(DEBIAN, "rt") as f:
            head, *lines = [line for line in f if line.startswith("%%") or not line.startswith("%")]
        edges = [line for line in lines[1:] if max(int(v) for v in line.split()[:2]) <= n]
        os.makedirs(a.graphs, exist_ok=True)
        with gzip.open(path, "wt") as f:
            f.write(f"{head}{n} {n} {len(edges)}\n{''.join(edges)}")
    return path


def points(a, p):
    papers.check(a, p)
    return [(w, point) for w in a.workloads for point in POINTS]


def words(a, workload, point):
    kind = papers.WORKLOADS[workload][0]
    small = ["--rows", str(ROWS[kind])] if kind in ROWS else [debian(a)] if workload.endswith("-debian") else []
    return papers.words(a, workload, [*small, *SIZES, *POINTS[point]])


def make_rows(a, reports):
    rows = []
    for w in a.workloads:
        of = [reports[w, point][0] for point in POINTS]
        rows.append({"workload": w, "runs": len(of), "kernels": sum(r["kernels"] for r in of),
                     "children": sum(r["device"]["launches"] for r in of if "device" in r),
                     "cycles_compared": sum(r["cycles_compared"] for r in of),
                     "differences": sum(r["differences"] for r in of), "answer_ok": all(r["answer_ok"] for r in of)})
    return rows


def table(a, rest, rows):
    print(f"rows of the papers' tables on {a.config}, RTL and golden model in lockstep{runs.further(rest)}")
    print(f"  {'workload':14}{'runs':>6}{'kernels':>9}{'children':>10}{'cycles compared':>17}{'differences':>13}")
    for r in rows:
        print(f"  {r['workload']:14}{r['runs']:6}{r['kernels']:9}{r['children']:10}{r['cycles_compared']:17}"
              f"{r['differences']:13}")
    runs.print_answers(rows, "rows", "all agree with a plain program in every run")


runs.main("lockstep_papers.py", __doc__, points, words, make_rows, table, options, engine="both")
