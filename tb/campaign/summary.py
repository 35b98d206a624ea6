# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The results of a run of a campaign: counts; verdicts by block, configuration and profile; failures, equal ones in one
row; faults; covers; tables."""
import glob
import json
import os
import re
import subprocess
import time

from hdgen.output import put_text

import job as jobs
import plan as plans

CODES = {v: k for k, v in jobs.VERDICTS.items()}
TOOLS = (("verilator", "--version"), ("gcc", "--version"), ("clang", "--version"), ("python3", "--version"),
         ("yosys", "-V"), ("snakemake", "--version"))
KEPT = 12  # runs in the trend


def output_of(*words):
    """Returns the first line that a tool prints, or an empty text."""
    try:
        done = subprocess.run(words, capture_output=True, text=True)
    except OSError:
        return ""
    lines = (done.stdout or done.stderr).splitlines() if not done.returncode else []
    return lines[0].strip() if lines else ""


def tools():
    return {t: output_of(t, option) or "not installed" for t, option in TOOLS}


def commit():
    """Returns the commit of the run, with a + if the sources differ from it."""
    head = output_of("git", "log", "-1", "--format=%h %ci %s")
    return head and head + (" +" if output_of("git", "status", "--porcelain", "--untracked-files=no") else "")


def groups(found):
    """Returns a row for each failure; failures of the same block, field and stimulus share a row."""
    rows = {}
    for r in found:
        if r["verdict"] == "PASS":
            continue
        f = r["failure"]
        key = (r.get("block"), f["field"], f["stimulus"]) if "stimulus" in f else (r["job"],)
        row = rows.setdefault(key, {"verdict": r["verdict"], "block": r.get("block"), "field": f.get("field", ""),
                                    "stimulus": f.get("stimulus", ""), "at": f.get("at"), "jobs": [],
                                    "command": r["command"], "report": f["report"], "replay": f.get("replay"),
                                    "wave": f.get("wave")})
        row["jobs"].append(r["job"])
    return list(rows.values())


def matrix(found):
    """Returns {block: {configuration: {profile: cycles, jobs, verdict, processor time}}}."""
    out = {}
    for r in found:
        if r["kind"] != "equiv" or not isinstance(r["result"], dict):
            continue
        row = out.setdefault(r["block"], {}).setdefault(r["config"], {})
        cell = row.setdefault(r["profile"], {"cycles": 0, "jobs": 0, "verdict": "PASS", "processor": 0.0})
        cell["cycles"] += r["result"]["cycles"]
        cell["processor"] = round(cell["processor"] + r["times"]["processor"], 2)
        cell["jobs"] += 1
        if r["verdict"] != "PASS":
            cell["verdict"] = r["verdict"]
    return out


def covers(found):
    """Returns {block: {configuration: [number of points hit, number of points, points without a hit]}}."""
    hits = {}
    for r in found:
        if r["kind"] == "equiv" and isinstance(r["result"], dict):
            points = hits.setdefault(r["block"], {}).setdefault(r["config"], {})
            for point, n in r["result"].get("covers", {}).items():
                points[point] = points.get(point, 0) + n
    return {b: {c: [sum(n > 0 for n in p.values()), len(p), sorted(k for k, n in p.items() if not n)]
                for c, p in of.items()} for b, of in hits.items()}


def faults(found):
    """Returns the planted faults that the jobs of kind `faults` tried."""
    out = []
    for r in found:
        if r["kind"] == "faults" and isinstance(r["result"], dict):
            out += r["result"]["faults"]
    return out


def mutants(found):
    """Returns the scores of the jobs of kind `mutants`."""
    return [{"of": r["result"]["of"], **b} for r in found if r["kind"] == "mutants" and isinstance(r["result"], dict)
            for b in r["result"]["blocks"]]


def tables(found, plan):
    """Returns the rows of the tables: of those whose runs are jobs, and of scripts that print theirs."""
    results = {r["job"]: r["result"] for r in found if r["verdict"] == "PASS"}
    made = [{"job": t["name"], **dict(zip(("rows", "config"), plans.rows(t, results)))} for t in plan["tables"]]
    of = {name for t in plan["tables"] for name in t["jobs"]}
    return made + [{"job": r["job"], **{k: r["result"].get(k) for k in ("config", "rows")}} for r in found
                   if r["kind"] == "table" and r["job"] not in of and isinstance(r["result"], dict)]


def lost(run, plan):
    return [{"job": j["name"], "tries": jobs.tries(run, j["name"])} for j in plan["jobs"]
            if not jobs.whole(os.path.join(run, "results", j["name"] + ".json"))]


def own(found, began, used, here):
    """Returns the processor time of the engine itself, and the number of jobs that it ran. `used` is its time since
    `began`, which includes the jobs if they ran here."""
    ran = [r["times"]["processor"] for r in found if r["times"]["began"] >= began]
    return {"processor": round(max(0.0, used - sum(ran)) if here else used, 2), "jobs": len(ran)}


def make(run, plan, began, used, here):
    """Makes the summary of a run and writes it to summary.json. began, used: as for own()."""
    found = [r for j in plan["jobs"] if (r := jobs.whole(os.path.join(run, "results", j["name"] + ".json")))]
    s = {"version": 1, "campaign": plan["campaign"], "about": plan["about"], "run": os.path.basename(run),
         "commit": commit(), "tools": tools(),
         "began": min((r["times"]["began"] for r in found), default=0),
         "seconds": round(time.time() - began, 1), "engine": own(found, began, used, here),
         "processor": round(sum(r["times"]["processor"] for r in found), 1),
         "hosts": sorted({r["times"]["host"] for r in found}),
         "jobs": len(plan["jobs"]), "passed": sum(r["verdict"] == "PASS" for r in found),
         "failed": sum(r["verdict"] != "PASS" for r in found), "lost": lost(run, plan),
         "cycles": sum(r["result"]["cycles"] for r in found if r["kind"] == "equiv" and isinstance(r["result"], dict)),
         "failures": groups(found), "matrix": matrix(found), "covers": covers(found), "faults": faults(found),
         "mutants": mutants(found),
         "tables": tables(found, plan),
         "runs": [{"job": r["job"], "verdict": r["verdict"],
                   **{k: r["result"].get(k) for k in ("cycles", "ctas", "ctas_per_cycle", "wait_mean", "differences")}}
                  for r in found if r["kind"] == "run" and isinstance(r["result"], dict)],
         "all": [{"job": r["job"], "verdict": r["verdict"], "tries": r["times"]["tries"],
                  "seconds": r["times"]["seconds"]} for r in found]}
    put_text(os.path.join(run, "summary.json"), json.dumps(s, indent=1) + "\n")
    return s


def trend(folder):
    """Returns the summaries of the last runs of the campaign, the oldest first."""
    out = []
    for path in glob.glob(os.path.join(folder, "*", "summary.json")):
        try:
            with open(path) as f:
                out.append(json.load(f))
        except (OSError, ValueError, KeyError):
            continue
    return sorted(out, key=lambda s: s["began"])[-KEPT:]


def exit_code(s):
    """Returns 0 if all jobs passed, otherwise the heddle exit code of the first failure; 7 if jobs were lost."""
    for f in s["failures"]:
        return CODES.get(f["verdict"], 1)
    return 7 if s["lost"] else 0


def pictures(run, s, most=8):
    """Draws the waveforms of the first failures around the failing cycle, if GTKWave and a display for it are
    installed."""
    for f in s["failures"][:most]:
        if not f["wave"]:
            continue
        path = os.path.join(run, f["wave"])
        if not os.path.exists(path + ".png") and os.path.exists(path):
            words = ["build/heddle", "wave", path, "--picture", path + ".png", "--around", str(f["at"] or 0)]
            subprocess.run(words, capture_output=True, text=True, timeout=120)
        if os.path.exists(path + ".png"):
            f["picture"] = f["wave"] + ".png"


def lines(s, folder):
    """Returns the result as text: a line for each failure and each lost job, then the totals."""
    for f in s["failures"]:
        more = f"  and {len(f['jobs']) - 1} more" if len(f["jobs"]) > 1 else ""
        yield f"{f['verdict']} {f['block'] or ''} {f['field']}  {f['jobs'][0]}{more}".replace("  ", " ").strip()
        if f["replay"]:
            yield f"    heddle replay {os.path.join(folder, s['run'], f['replay'])}"
    for gone in s["lost"]:
        yield f"LOST {gone['job']}: {re.sub(' +', ' ', '; '.join(gone['tries']) or 'not started')}"
    yield (f"{s['campaign']}: {s['passed']} passed, {s['failed']} failed, {len(s['lost'])} lost; {s['cycles']} cycles, "
           f"{s['processor']:.0f} s of processor time")
