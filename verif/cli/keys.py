#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Checks a report of the heddle command: keys.py KIND FILE [CONDITION]

KIND is run, example, graph, deplinks, channels, equiv, bench or faults: the stable keys exist, have the right type, and
the CONDITION, a Python expression over the report r, is true. timeline, chrome and kernels take the run's JSON report
in place of the condition, kernels also the timeline as CSV. same: all files report the same run.
"""
import csv
import json
import re
import sys

NUMBER = (int, float)
HEAD = {"version": int, "heddle": str, "commit": str}
RUN = {
    **HEAD, "workload": str, "input": str, "config": str, "launch": str, "policy": str, "engine": str,
    "seed": int, "kernels": int, "ctas": int, "cycles": int, "ctas_per_cycle": NUMBER, "wait_mean": NUMBER,
    "streams": list, "longest": list, "occupancy": list, "cycles_compared": int, "differences": int, "answer_ok": bool,
}
EQUIV = {**HEAD, "block": str, "config": str, "seed": int, "cycles": int,
         "cycles_compared": int, "verdict": str, "events": int, "differences": int,
         "covers_hit": int, "covers_total": int}
BENCH = {**HEAD, "config": str, "cps": dict, "over_rtl": dict, "lockstep_adds_us": NUMBER,
         "outputs_sha256": str}
FAULT = {"fault": int, "block": str, "caught_by": str, "cycle": int, "signal": str}


def has(report, keys):
    for key, kind in keys.items():
        if key not in report:
            sys.exit(f"no key {key}")
        value = report[key]
        if not isinstance(value, kind) or isinstance(value, bool) != (kind is bool):
            sys.exit(f"{key} is {value!r}")
        if isinstance(value, NUMBER) and value < 0:
            sys.exit(f"{key} is {value}")


def check_run(r):
    has(r, RUN)
    if not r["occupancy"] or any(not isinstance(o, NUMBER) or not 0 <= o <= 1 for o in r["occupancy"]):
        sys.exit(f"occupancy is {r['occupancy']}")
    if r["cycles"] and abs(r["ctas_per_cycle"] - r["ctas"] / r["cycles"]) > 1e-9:
        sys.exit("ctas_per_cycle is not ctas / cycles")


def check_example(r):
    has(r, {**HEAD, "example": str, "config": str, "engine": str, "verdict": str})
    if r["example"] == "wireframe":
        return check_wireframe(r)
    if r["example"] == "channels":
        return check_channels(r)
    has(r, {"policies": list})
    for p in r["policies"]:
        has(p, {"policy": str, "verdict": str, "as_in_paper": bool, "cycles": int, "cycles_compared": int, "smx": list})
        tbs = [t for smx in p["smx"] for t in smx]
        if len({t["tb"] for t in tbs}) != len(tbs) or (
                p["as_in_paper"] and any(t["end"] - t["start"] != 100 for t in tbs)):
            sys.exit(f"{p['policy']}: a TB appears twice or lasts longer than others")


def check_channels(r):
    has(r, {"cycles": int, "cycles_compared": int, "steps": list})
    for s in r["steps"]:
        has(s, {"step": str, "event": str, "paper": str, "as_in_paper": bool, "cycle": int, "elements": str,
                "control": str, "room": str})


def check_wireframe(r):
    has(r, {"cycles": int, "cycles_compared": int, "steps": list, "tbs": list})
    for s in r["steps"]:
        has(s, {"step": str, "event": str, "paper": str, "as_in_paper": bool, "cycle": int, "tail": int, "head": int,
                "places": list, "pub": list})
        for k, p in enumerate(s["places"]):
            if p:
                has(p, {"node": int, "state": str, "parents": int, "edge_start": int, "end_known": bool})
            if p and (p["node"] % len(s["places"]) != k or p["end_known"] != (p["node"] < s["head"])):
                sys.exit(f"step {s['step']}: place {k}: {p}")


def check_graph(r):
    has(r, {**HEAD, "input": str, "format": str, "graph": dict, "edges_read": int, "mean_degree": NUMBER,
            "degrees": list})
    has(r["graph"], {"nodes": int, "edges": int, "largest_degree": int, "declared_nodes": int,
                     "weights_ignored": int, "vertex_weights_ignored": int, "fields_ignored": int,
                     "lines_ignored": int, "declared_edges": int, "directed": bool,
                     "made_undirected": bool})
    if sum(d["nodes"] for d in r["degrees"]) != r["graph"]["nodes"]:
        sys.exit("the degrees are not those of all nodes")


def check_deplinks(r):
    has(r, {**HEAD, "grid": list, "nodes": int, "edges": int, "merged": int, "ignored": int, "levels": int,
            "widest_level": int, "widest_level_tbs": int, "largest_in_degree": int, "largest_out_degree": int,
            "policy": str, "bound": int, "bytes": int, "arrays": dict})
    if ("input" in r) == ("pattern" in r):
        sys.exit("neither a file nor a pattern, or both")
    end = 0
    for name, size in ("node", 8 * r["nodes"] + 8), ("edge", 2 * r["edges"]), ("tb", 2 * r["nodes"]), \
            ("early", 2 * r["nodes"]):
        a = r["arrays"][name]
        if a["address"] < end or a["address"] % 128 or a["bytes"] != size:
            sys.exit(f"array {name}: {a}")
        end = a["address"] + size


def check_cilk(r):
    has(r, {**HEAD, "program": str, "config": str, "timed": bool, "right": bool, "verdict": str,
            "cycles_compared": int, "differences": int, "size": int, "width": int,
            "answer": int, "plain": int, "spawned": int, "spawned_wavefronts": int, "joined": int,
            "joined_wavefronts": int, "wavefronts": int, "partial": int, "yields": int})
    if r["spawned_wavefronts"] + r["joined_wavefronts"] != r["wavefronts"]:
        sys.exit("wavefronts that are of no channel")
    if r["timed"]:
        has(r, {"engine": str, "cycles": int})
        if r["cycles_compared"] < r["cycles"] if r["engine"] == "both" else r["cycles_compared"]:
            sys.exit(f"{r['cycles_compared']} of {r['cycles']} cycles compared, engine {r['engine']}")
        has(r["time"], {"padded": bool, "per_lane": bool, "cus": int,
                        "wave_cycles": NUMBER, "blocked": NUMBER, "blocked_idle": NUMBER, "empty": NUMBER,
                        "issued": NUMBER, "ops": int, "l1_hit_rate": NUMBER, "l2_hit_rate": NUMBER, "dram_reads": int,
                        "dram_writes": int})


def check_equiv(r):
    for block in r:
        has(block, EQUIV)
        if not block["covers_hit"] <= block["covers_total"]:
            sys.exit("more cover points hit than there are")


def check_bench(r):
    has(r, BENCH)
    for name, cps in r["cps"].items():
        if abs(r["over_rtl"][name] - cps / r["cps"]["rtl"]) > 1e-6:
            sys.exit(f"over_rtl of {name} is not the ratio")


def check_faults(r):
    has(r, {**HEAD, "config": str, "faults": list, "caught": int, "escaped": int})
    for fault in r["faults"]:
        has(fault, FAULT)


def stays_of(run):
    """Returns how often a TB was on an SMX: once, or twice if it was saved."""
    return run["ctas"] + run.get("device", {}).get("saves", {}).get("restarts", 0)


def check_timeline(path, run):
    rows = list(csv.DictReader(open(path)))
    stays = stays_of(run)
    if len(rows) != stays:
        sys.exit(f"{len(rows)} rows, {stays} times a TB was on an SMX")
    if set(rows[0]) - {"name"} != {"kernel", "id", "smx", "slot", "queued", "dispatched", "done", "child"}:
        sys.exit(f"columns: {list(rows[0])}")
    if len({(r["kernel"], r["child"], r["id"]) for r in rows}) != run["ctas"]:
        sys.exit("a TB appears twice")
    for r in rows:
        restarted = stays != run["ctas"] and r["queued"] == r["dispatched"]
        if not int(r["queued"]) - restarted < int(r["dispatched"]) < int(r["done"]) <= run["cycles"]:
            sys.exit(f"out of order: {r}")
    busy = {}
    for r in sorted(rows, key=lambda r: int(r["dispatched"])):
        place = r["smx"], r["slot"]
        if int(r["dispatched"]) <= busy.get(place, -1):
            sys.exit(f"slot in use: {r}")
        busy[place] = int(r["done"])


def check_kernels(path, run, timeline):
    """The table of launches agrees with the timeline of its TBs, and the report has its longest rows and means."""
    tbs = {}
    for t in csv.DictReader(open(timeline)):
        tbs.setdefault((int(t["kernel"]), int(t["child"])), []).append(t)
    rows = []
    for r in csv.DictReader(open(path)):
        r = {k: v if k in ("kind", "name") else int(v) for k, v in r.items()}
        of = tbs.pop((r["kernel"], r["child"]), [])
        first = min(int(t["dispatched"]) for t in of)
        last = max(int(t["done"]) for t in of)
        reported = (r["queued"], r["wait"], r["dispatched"], r["smxs"], r["ctas"])
        seen = (min(int(t["queued"]) for t in of), first - r["queued"], first, len({t["smx"] for t in of}),
                len({t["id"] for t in of}))
        if reported != seen or (r["kind"] == "host") != (r["child"] == 0) or (
                r["done"] != last if r["child"] else not last < r["done"] <= run["cycles"]):
            sys.exit(f"{r}, but the timeline has {seen}, its last TB ends at {last}")
        rows.append(r)
    if tbs or len(rows) < run["kernels"]:
        sys.exit(f"no row of {list(tbs)[:3]}")
    longest = sorted(rows, key=lambda r: (-r["wait"], r["queued"], r["kernel"], r["child"]))[:len(run["longest"])]
    if run["longest"] != longest:
        sys.exit(f"longest: {run['longest']}, not {longest}")
    waits = {}
    for r in rows:
        waits.setdefault((r["kind"], r["stream"]), []).append(r)
    if len(waits) != len(run["streams"]):
        sys.exit(f"{len(run['streams'])} streams, not {len(waits)}")
    for s in run["streams"]:
        of = waits[s["kind"], s["stream"]]
        mean = sum(r["wait"] for r in of) / len(of)
        if (s["launches"], s["ctas"], s["wait_max"]) != (
                len(of), sum(r["ctas"] for r in of), max(r["wait"] for r in of)) or abs(s["wait_mean"] - mean) > 1e-6:
            sys.exit(f"{s}, not of {len(of)} launches with mean {mean}")


def check_rows_told(events, run):
    """Slices of kernels and arrows to children agree with their rows."""
    reported = [e for e in events if e["ph"] == "X" and e["cat"] == "kernel" and e["name"] != "waits" or e["ph"] == "s"]
    for row in run["longest"]:
        key = ("child", row["child"]) if row["child"] else ("kernel", row["kernel"])
        args = [e["args"] for e in reported if e["args"].get(key[0]) == key[1]]
        if [[a[k] for k in ("wait", "dispatched", "done", "SMXs", "TBs")] for a in args] != [
                [row[k] for k in ("wait", "dispatched", "done", "smxs", "ctas")]]:
            sys.exit(f"{row} is shown as {args}")


def check_chrome(path, run):
    events = json.load(open(path))["traceEvents"]
    smxs = len(run["occupancy"])
    tbs = [e for e in events if e["ph"] == "X" and e["cat"] == "TB"]
    kernels = [e for e in events if e["ph"] == "X" and e["cat"] == "kernel" and e["name"] != "waits"]
    if run["verdict"] == "PASS" and (len(tbs), len(kernels)) != (stays_of(run), run["kernels"]) or not tbs:
        sys.exit(f"{len(tbs)} TBs and {len(kernels)} kernels, not {stays_of(run)} and {run['kernels']}")
    if any(e["dur"] <= 0 or not 0 <= e["pid"] < smxs for e in tbs) or any(e["pid"] != smxs for e in kernels):
        sys.exit("an event without length, SMX or HWQ")
    if run["verdict"] == "PASS":
        check_rows_told(events, run)
    check_names(tbs)
    check_nesting(events)
    check_arrows(events, tbs)
    check_counters(events, smxs)


def check_names(tbs):
    """Viewers choose the colour by the name without its digits: one per kernel, and one per child."""
    names = {}
    for e in tbs:
        names.setdefault(re.sub(r"\d+", "", e["name"]), set()).add((e["args"]["kernel"], e["args"]["child"]))
    if any(len(of) != 1 for of in names.values()) or len(names) != len(set.union(*names.values())):
        sys.exit("kernels or children that have their colour in common")


def check_nesting(events):
    """Slices of a thread follow each other or are nested, and every thread and process has its name."""
    named = {(e["pid"], e.get("tid")) for e in events if e["ph"] == "M" and e["name"].endswith("_name")}
    threads = {}
    for e in (e for e in events if e["ph"] == "X"):
        threads.setdefault((e["pid"], e["tid"]), []).append((e["ts"], -e["dur"]))
    for thread, slices in threads.items():
        if thread not in named or (thread[0], None) not in named:
            sys.exit(f"thread {thread} has no name")
        ends = []
        for ts, length in sorted(slices):
            while ends and ends[-1] <= ts:
                ends.pop()
            if ends and ts - length > ends[-1]:
                sys.exit(f"thread {thread}: a slice at {ts} overlaps")
            ends.append(ts - length)


def check_arrows(events, tbs):
    """An arrow for each child: from within a TB of its kernel to the start of its first TB."""
    first = {}
    for e in tbs:
        if e["args"]["child"]:
            first[e["args"]["child"]] = min(first.get(e["args"]["child"], e["ts"]), e["ts"])
    arrows = {}
    for e in events:
        if e["ph"] in "sf":
            arrows.setdefault(e["id"], {})[e["ph"]] = e
    if set(arrows) != {child - 1 for child in first}:
        sys.exit(f"{len(arrows)} arrows, {len(first)} children")
    at = {}
    for e in tbs:
        at.setdefault((e["pid"], e["tid"]), []).append(e)
    for n, a in arrows.items():
        def on(end):
            return [e for e in at[end["pid"], end["tid"]] if e["ts"] <= end["ts"] <= e["ts"] + e["dur"]]
        to = [e for e in on(a["f"]) if e["args"]["child"] == n + 1 and e["ts"] == a["f"]["ts"] == first[n + 1]]
        if not to or not any(e["args"]["kernel"] == to[0]["args"]["kernel"] for e in on(a["s"])):
            sys.exit(f"arrow {n} does not lead from a TB to its child")


def check_counters(events, smxs):
    series = {}
    for e in (e for e in events if e["ph"] == "C"):
        series.setdefault((e["pid"], e["name"]), []).append((e["ts"], e["args"]["TBs"]))
    if not {(smxs, "resident TBs"), (smxs, "waiting TBs")} <= set(series):
        sys.exit(f"counters: {sorted(series)}")
    for name, values in series.items():
        if values != sorted(values, key=lambda v: v[0]) or min(v for _, v in values) != 0 or values[-1][1] != 0:
            sys.exit(f"counter {name}")


def check_same(paths):
    own = {"engine", "seconds", "operations_per_second", "cycles_compared", "cycles_skipped"}
    first, *others = ({k: v for k, v in json.load(open(p)).items() if k not in own} for p in paths)
    for path, other in zip(paths[1:], others):
        for key in first.keys() | other.keys():
            if first.get(key) != other.get(key):
                sys.exit(f"{path}: {key} is {other.get(key)}, not {first.get(key)}")


def main():
    kind, path, *more = sys.argv[1:]
    if kind == "same":
        return check_same([path, *more])
    if kind in ("timeline", "chrome"):
        return {"timeline": check_timeline, "chrome": check_chrome}[kind](path, json.load(open(more[0])))
    if kind == "kernels":
        return check_kernels(path, json.load(open(more[0])), more[1])
    r = json.load(open(path))
    {"run": check_run, "example": check_example, "graph": check_graph, "deplinks": check_deplinks,
     "channels": check_cilk, "equiv": check_equiv, "bench": check_bench, "faults": check_faults}[kind](r)
    if more and not eval(more[0], {"r": r}):
        sys.exit(f"not so: {more[0]}")


main()
