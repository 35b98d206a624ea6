#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""A campaign on a temporary Slurm of one node: the small one of test_campaign.py, killed and continued; then another
one, during which a job and the node's slurmd are killed. It must leave the same files as on this machine without Slurm,
byte by byte except the times.
  test_slurm.py [CAMPAIGN [OPTION..]]    the second campaign (smoke)
Skipped by name where Slurm cannot run. Ends with `N passed, N failed`."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

DIR = "build/test/slurm"
SLURM = "verif/campaign/slurm.sh"
counts = [0, 0]  # failed, passed


def note(ok, name, more=""):
    counts[bool(ok)] += 1
    print(f"{'ok     ' if ok else 'FAILED '} {name}" + ("" if ok else f"\n        {more}"), flush=True)


def start(words, where, *options):
    return subprocess.Popen(["build/heddle", "campaign", *words, "--json", "--dir", f"{DIR}/{where}", *options],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def results(where):
    """Returns {job: the text of its result without the times}."""
    out = {}
    for folder, _, names in os.walk(f"{DIR}/{where}"):
        for name in names if folder.endswith("/results") else ():
            with open(f"{folder}/{name}") as f:
                head, times, _ = f.read().partition('\n "times": {')
            out[name] = head + times
    return out


def wait_for_results(p, where, n):
    while len(results(where)) < n and p.poll() is None:
        time.sleep(0.2)


def begun(run, name):
    """Returns whether that job of a run has recorded its start, so that a try is counted if it dies now."""
    try:
        with open(f"{run}/tries/{name}") as f:
            return f.read().endswith("began\n")
    except FileNotFoundError:
        return False


def kill_one_job(where):
    """Kills a job of this campaign that Slurm runs and that has recorded its start; identified by its name in /proc.
    Returns its name if it had left no result."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as f:
                words = f.read().split(b"\0")
        except OSError:
            continue
        if words[1:3] != [b"tb/campaign", b"--job"] or os.path.abspath(f"{DIR}/{where}/").encode() not in words[3]:
            continue
        run, name = words[3].decode(), words[4].decode()
        if begun(run, name):
            os.kill(int(pid), signal.SIGKILL)
            while os.path.exists(f"/proc/{pid}"):
                time.sleep(0.05)
            if name + ".json" not in results(where):
                return name
    return None


def killed_node(words, conf):
    """Runs the campaign on Slurm, and kills slurmd and a job. Returns the name of the job."""
    p = start(words, "there", "--slurm")
    wait_for_results(p, "there", 2)
    hit = None
    while not hit and p.poll() is None:
        hit = kill_one_job("there")
    note(hit is not None, "some jobs are done; then one that runs is killed")
    with open(os.path.join(conf, "slurmd.pid")) as f:
        os.kill(int(f.read()), signal.SIGKILL)
    note(p.poll() is None, "  and slurmd, before the end")
    subprocess.run([SLURM, "node", conf], check=True)
    return p, hit


def main():
    words = sys.argv[1:] or ["smoke"]
    can = subprocess.run([SLURM, "can"], capture_output=True, text=True)
    if can.returncode or not shutil.which("snakemake"):
        why = can.stderr.strip() or "there is no snakemake (Debian package snakemake)"
        print(f"skipped: campaigns on Slurm: {why}")
        note(True, "what it needs is named")
        print(f"{counts[1]} passed, {counts[0]} failed")
        return 0
    shutil.rmtree(DIR, ignore_errors=True)
    os.makedirs(DIR)
    for name in [n for n in os.environ if n.startswith("SLURM_")]:
        del os.environ[name]  # variables of a Slurm that runs this test
    conf = tempfile.mkdtemp(prefix="heddle-slurm-")
    try:
        subprocess.run([SLURM, "up", conf], check=True)
        os.environ["SLURM_CONF"] = f"{conf}/slurm.conf"
        r = subprocess.run(["verif/campaign/test_campaign.py", "--slurm"], capture_output=True, text=True)
        note(r.returncode == 0, f"on Slurm: {r.stdout.splitlines()[-1]}", r.stdout)
        p, hit = killed_node(words, conf)
        there = json.loads(p.communicate()[0])
        note(p.returncode == 0 and not there["lost"], "it ends, and nothing is lost", there)
        tries = {r["job"]: r["tries"] for r in there["all"]}
        note(tries.get(hit, 0) > 1, "  the job that was killed was tried again", f"{hit}: {tries}")
    finally:
        subprocess.run([SLURM, "down", conf], check=True)
    p = start(words, "here", "--jobs", str(os.cpu_count()))
    p.communicate()
    here, there = results("here"), results("there")
    note(p.returncode == 0 and here == there and here, f"the same {len(here)} files as here, but for the times",
         [n for n in here | there if here.get(n) != there.get(n)])
    print(f"{counts[1]} passed, {counts[0]} failed")
    return counts[0] > 0


if __name__ == "__main__":
    sys.exit(main())
