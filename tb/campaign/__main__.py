#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Runs the jobs of a campaign with Snakemake, on this machine or a cluster, and reports the results on one page. An
interrupted campaign continues when it is started again: it keeps the results of jobs whose sources did not change."""
import argparse
import fcntl
import json
import os
import resource
import shutil
import subprocess
import sys
import time

if not os.path.exists("rtl/hdgen"):
    sys.exit("heddle campaign: run it from the top of a checkout (no rtl/hdgen here)")
sys.path[:0] = ["rtl", "synth/area"]
import job as jobs  # noqa: E402
import estimate  # noqa: E402
import page  # noqa: E402
import plan as plans  # noqa: E402
import summary  # noqa: E402
from hdgen.output import put_text, usable  # noqa: E402
from usage import Parser, ended  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
ENGINE_LOG = "engine.log"
PROCESSORS = os.cpu_count() or 1
ON_SLURM = 256
EPILOG = f"""\
NAME is a bundled campaign: {' '.join(plans.bundled())}. FILE is a file like those in tb/campaign/bundled
(docs/campaigns.md). Needs Snakemake (Debian package snakemake); --slurm also needs Slurm (slurm-wlm).

Examples:
  heddle campaign smoke
  heddle campaign release --cycles 10000000
Exit codes: 0 all jobs passed; 1, 3, 4, 5, 6 code of the first failure; 2 bad usage or input; 7 lost jobs."""


def arguments():
    p = Parser(prog="heddle campaign", usage="%(prog)s [OPTION..] NAME|FILE", description=__doc__, epilog=EPILOG,
               formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("campaign", metavar="NAME|FILE", nargs="?", help="campaign to run")
    p.add_argument("--list", action="store_true",
                   help="list the jobs and run nothing; without NAME: list the bundled campaigns")
    p.add_argument("--json", metavar="[=FILE]",
                   help="print the list of jobs or the summary as JSON, or write it to FILE")
    p.add_argument("--cycles", type=int, metavar="N", help="shorten the campaign to about N cycles of lockstep in all")
    p.add_argument("--estimate", metavar="SUMMARY",
                   help="estimate the time on 1, 16 and 256 cores from the summary.json of a run; runs nothing")
    p.add_argument("--jobs", type=int, metavar="N",
                   help=f"jobs at once (default: one per processor; on Slurm {ON_SLURM})")
    p.add_argument("--slurm", action="store_true", help="run each job with srun, on Slurm")
    p.add_argument("--profile", metavar="DIR", help="use this profile of Snakemake")
    p.add_argument("--dir", default="build/campaign", help="folder of results and pages (default build/campaign)")
    p.add_argument("--job", nargs=2, help=argparse.SUPPRESS)  # RUN NAME: what the engine calls
    # A value of --json follows "=", so that the next argument may be a campaign.
    a = p.parse_args(["--json=-" if arg == "--json" else arg for arg in sys.argv[1:]])
    if a.jobs is not None and a.jobs < 1:
        p.error(f"--jobs {a.jobs}: accepted: 1 or more")
    if a.slurm and a.profile:
        p.error("--slurm and --profile; one of them would be accepted")
    if a.profile and not os.path.isdir(a.profile):
        p.error(f"--profile {a.profile}: no such folder; one with config.yaml would be accepted")
    if a.cycles is not None and a.cycles < 1:
        p.error(f"--cycles {a.cycles}: accepted: 1 or more")
    if not a.campaign and not a.job and (a.cycles or a.estimate or a.jobs or a.slurm or a.profile):
        p.error(f"NAME is missing; accepted: {' '.join(plans.bundled())}, or a file")
    if a.estimate and a.json:
        p.error("--json has no effect here; without --estimate it would be accepted")
    if a.json and a.json != "-":
        usable(a.json)
    return a


def put_json(where, value):
    """Prints the value for --json, or writes it to the file of --json=FILE. Returns True if the text is to be printed:
    without --json, or in addition to a file."""
    if where == "-":
        print(json.dumps(value, indent=1))
    elif where:
        put_text(where, json.dumps(value, indent=1) + "\n")
    return where != "-"


def show(plan, where):
    """--list"""
    if not put_json(where, plan):
        return
    for j in plan["jobs"]:
        print(f"{j['name']:40}  {' '.join(j['command'])}")
    print(f"{plan['campaign']}: {len(plan['jobs'])} jobs, {plans.cycles(plan)} cycles of lockstep")


def show_bundled(where):
    found = [plans.read(name) for name in plans.bundled()]
    if not put_json(where, [{"campaign": p["campaign"], "about": p["about"], "jobs": len(p["jobs"]),
                             "cycles": plans.cycles(p)} for p in found]):
        return
    for p in found:
        print(f"{p['campaign']:10} {len(p['jobs']):5} jobs {plans.cycles(p):11} cycles  {p['about']}")


def foretell(plan, path):
    """--estimate"""
    try:
        print("\n".join(estimate.table(plan, path)))
    except (OSError, ValueError, KeyError) as e:
        print(f"heddle campaign: {path}: not the summary.json of a run: {e}", file=sys.stderr)
        return 2
    return 0


def engine(a, run):
    """Runs Snakemake on the jobs of the run that have no result yet; its messages go to engine.log. Returns the
    processor time in seconds that it took here, including the jobs unless they ran elsewhere."""
    words = ["snakemake", "--snakefile", os.path.join(HERE, "Snakefile"), "--directory", run, "--keep-going",
             "--nolock", "--ignore-incomplete", "--rerun-triggers", "mtime", "--quiet", "all",
             "--config", f"top={os.getcwd()}", f"run={run}", *(["slurm=1"] if a.slurm else [])]
    cores = a.jobs or (ON_SLURM if a.slurm else PROCESSORS)
    words += ["--profile", os.path.abspath(a.profile)] if a.profile else ["--cores", str(cores)]
    words += ["--latency-wait", "60"] if a.slurm else []  # a file of another node may become visible late
    before = processor()
    with open(os.path.join(run, ENGINE_LOG), "a") as log:
        subprocess.run(words, stdout=sys.stderr, stderr=log, preexec_fn=jobs.die_with_parent)
    return processor() - before


def last_words(run):
    """Returns the last line of Snakemake's log, which gives the reason if it ran no job."""
    with open(os.path.join(run, ENGINE_LOG), errors="replace") as log:
        return ([line.strip() for line in log if line.strip()] or ["nothing"])[-1]


def processor():
    """Returns the processor time in seconds of all child processes so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def results(run):
    """Removes incomplete results, so that Snakemake runs their jobs again."""
    folder = os.path.join(run, "results")
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(folder):
        if not jobs.whole(os.path.join(folder, name)):
            os.remove(os.path.join(folder, name))
    for name in os.listdir(os.path.dirname(jobs.mark(run, ""))):
        if not os.path.exists(os.path.join(folder, name + ".json")):
            os.remove(jobs.mark(run, name))


def prepared(a, plan):
    """Prepares the folder of the run and its plan, and builds all objects. Returns the folder, or None if the build
    failed."""
    run = os.path.abspath(os.path.join(a.dir, plan["campaign"], plans.fingerprint(plan)))
    os.makedirs(run, exist_ok=True)
    put_text(os.path.join(run, "plan.json"), json.dumps(plan, indent=1) + "\n")
    results(run)
    for path in {path for table in plan["tables"] for path in table["inputs"]}:
        plans.columns.make_graph("build/heddle", path)
    needed = plans.objects(plan)
    build = [sys.executable, "tb/build", "-j", str(min(a.jobs or PROCESSORS, PROCESSORS)), *needed]
    if needed and subprocess.run(build, stdout=sys.stderr).returncode:
        return None
    return run


def execute(a, plan):
    """Runs the jobs without a result and writes the page. Returns the exit code."""
    if not shutil.which("snakemake"):
        print("heddle campaign: snakemake is not installed (Debian package snakemake; tb/install/setup.sh campaign)",
              file=sys.stderr)
        return 2
    if not os.access("build/heddle", os.X_OK):
        print("heddle campaign: build/heddle does not exist; make all builds it", file=sys.stderr)
        return 2
    run = prepared(a, plan)
    if not run:
        return 2
    with open(os.path.join(run, "lock"), "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"heddle campaign: this campaign is already running ({os.path.relpath(run)})", file=sys.stderr)
            return 2
        began = time.time()
        used = engine(a, run)
        s = summary.make(run, plan, began, used, not (a.slurm or a.profile))
    if any(not gone["tries"] for gone in s["lost"]):
        print(f"heddle campaign: Snakemake did not start all jobs; its last message: {last_words(run)}\n"
              f"  its log: {os.path.join(os.path.relpath(run), ENGINE_LOG)}", file=sys.stderr)
    folder = os.path.join(a.dir, plan["campaign"])
    summary.pictures(run, s)
    put_text(os.path.join(folder, "index.html"), page.html(run, s, summary.trend(folder), folder))
    if put_json(a.json, s):
        print("\n".join(summary.lines(s, folder)))
        print(f"page:    {os.path.join(folder, 'index.html')}")
    return summary.exit_code(s)


def main():
    a = arguments()
    if a.job:
        return jobs.main(*a.job)
    try:
        if not a.campaign:
            return show_bundled(a.json)
        plan = plans.read(a.campaign)
    except plans.Wrong as e:
        print(f"heddle campaign: {e}", file=sys.stderr)
        return 2
    if a.cycles:
        plan = plans.cut(plan, a.cycles)
    if a.estimate:
        return foretell(plan, a.estimate)
    return show(plan, a.json) if a.list else execute(a, plan)


if __name__ == "__main__":
    sys.exit(ended(main, "heddle campaign"))
