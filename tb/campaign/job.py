# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Runs one job: its command, whose result is one JSON file, either complete or absent. Every verdict is a result. A
command that dies, exceeds its time limit or prints incomplete JSON leaves no result and may be tried again."""
import ctypes
import fcntl
import glob
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time

from hdgen.output import put_text

VERDICTS = {0: "PASS", 1: "MISMATCH", 2: "CONFIG", 3: "ASSERT", 4: "ORACLE", 5: "STUCK", 6: "LIMIT"}
SHORT = {"block", "config", "profile", "variant", "seed", "workload", "launch", "policy"}


class Lost(Exception):
    """The job left no result; the text is the reason."""


def fail_dir(run, job):
    return os.path.join(run, "fail", job["name"])


def words_of(run, job):
    """Returns the command, with the paths that depend on the folder of the run."""
    words = list(job["command"])
    if job.get("keeps"):
        words += ["--out", fail_dir(run, job)]
    if job.get("file"):
        words += ["--out", os.path.join(run, "logs", job["name"] + ".out.json")]
    return words


def die_with_parent():
    """Makes the command end with its job."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def execute(run, job):
    """Runs the command. Returns (exit code, standard output, standard error); standard error is also in logs/."""
    log = os.path.join(run, "logs", job["name"] + ".log")
    os.makedirs(os.path.dirname(log), exist_ok=True)
    with open(log, "w") as err:
        p = subprocess.Popen(words_of(run, job), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=err,
                             start_new_session=True, preexec_fn=die_with_parent)

        def end(number, _):
            os.killpg(p.pid, signal.SIGKILL)
            sys.exit(128 + number)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, end)
        try:
            out, _ = p.communicate(timeout=job["timeout"])
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, signal.SIGKILL)
            p.wait()
            raise Lost(f"took longer than {job['timeout']} s") from None
    return p.returncode, out.decode(errors="replace"), open(log, errors="replace").read()


def report_of(err):
    """Returns the part of a failure's output that explains it, one screen."""
    found = re.search(rf"^({'|'.join(VERDICTS.values())})\b.*", err, re.M | re.S)
    lines = (found[0] if found else err).splitlines()
    lines = [line for line in lines if not line.startswith(("run it again:", "look at it:"))]
    return "\n".join(lines if found else lines[-40:]).rstrip()


def failure(run, job, err):
    """Returns the results of a failure: its report, the paths of replay and waveform relative to the run, the field
    that differed, and a hash of the stimulus, equal for equal inputs."""
    out = {"report": report_of(err)}
    replays = sorted(glob.glob(os.path.join(fail_dir(run, job), "*.replay")))
    if replays:
        lines = open(replays[0]).read().splitlines()
        expect = [line.split() for line in lines if line.startswith("expect ")]
        inputs = [line for line in lines if line.startswith(("@", "end"))]
        out["replay"] = os.path.relpath(replays[0], run)
        out["field"] = expect[0][3] if expect and len(expect[0]) > 3 else ""
        out["at"] = int(expect[0][2]) if expect and len(expect[0]) > 2 else None
        out["stimulus"] = hashlib.sha256("\n".join(inputs).encode()).hexdigest()[:12]
        if os.path.exists(replays[0] + ".fst"):
            out["wave"] = out["replay"] + ".fst"
    return out


def parsed(job, code, out):
    """Returns the JSON that the command printed, or None; a failing command without JSON has a verdict, too."""
    if not job["json"] or (code and not out.strip()):
        return None
    try:
        found = json.loads(out)
    except ValueError as e:
        raise Lost(f"incomplete output: {e}") from None
    if isinstance(found, list) and len(found) == 1:
        found = found[0]
    if isinstance(found, dict):
        found.pop("replay", None)  # in `failure`, relative to the run
        found.pop("seconds", None)  # in `times`
    return found


def verdict_of(job, code, found):
    if code:
        return VERDICTS.get(code, "FAILED") if "build/heddle" in job["command"] else "FAILED"
    if any(not (found.get("covers") or {}).get(point) for point in job.get("hit", [])):
        return "COVERS"
    return "PASS" if not isinstance(found, dict) or found.get("answer_ok", True) else "WRONG"


def result(run, job, earlier):
    """Runs the job and returns its result, as it is stored."""
    shutil.rmtree(fail_dir(run, job), ignore_errors=True)
    began = time.time()
    code, out, err = execute(run, job)
    if code < 0:
        raise Lost(f"died of signal {-code} ({signal.Signals(-code).name})")
    if code >= 7 and "build/heddle" in job["command"]:
        raise Lost(f"internal error, exit code {code}: {' '.join(err.split())[-200:]}")
    found = parsed(job, code, out)
    verdict = verdict_of(job, code, found)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    made = {"version": 1, "job": job["name"], "kind": job["kind"], **{k: job[k] for k in job if k in SHORT},
            "command": " ".join(job["command"]), "verdict": verdict, "code": code, "result": found}
    if verdict == "COVERS":
        covers = found.get("covers") or {}
        missed = (p if p in covers else f"{p} (no such point)" for p in job["hit"] if not covers.get(p))
        made["failure"] = {"report": "not hit: " + " ".join(missed)}
    elif verdict != "PASS":
        made["failure"] = failure(run, job, err + ("" if job["json"] else out))
    made["times"] = {"began": round(began, 1), "seconds": round(time.time() - began, 2),
                     "processor": round(used.ru_utime + used.ru_stime, 2), "host": socket.gethostname(),
                     "tries": earlier + 1}
    return made


def whole(path):
    """Returns a stored result, or None if it is missing or incomplete."""
    try:
        with open(path) as f:
            r = json.load(f)
        return r if isinstance(r, dict) and "verdict" in r else None
    except (OSError, ValueError):
        return None


def tries(run, name):
    """Returns the outcome of each try that left no result, one line per try."""
    try:
        with open(os.path.join(run, "tries", name)) as f:
            lines = f.read().splitlines()
    except OSError:
        return []
    out = []
    for line in lines:
        if line == "began":
            out.append("killed together with its runner")
        elif out:
            out[-1] = line
    return out


def mark(run, name):
    """Returns the path of the file that marks the result as present for Snakemake."""
    path = os.path.join(run, "done", name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    return path


def progress(run, jobs):
    """Returns the number of jobs with a result, and an estimate of the remaining time from the jobs since the engine
    began (the time of its lock file)."""
    began = os.stat(os.path.join(run, "lock")).st_mtime
    with os.scandir(os.path.join(run, "results")) as entries:
        times = [e.stat().st_mtime for e in entries]
    since, left = sum(t >= began for t in times), jobs - len(times)
    if not left or not since:
        return f"{len(times)} of {jobs}"
    return f"{len(times)} of {jobs}, about {(time.time() - began) / since * left / 60:.0f} min left"


def main(run, name):
    """Runs one job of the plan; exit code 0 if there is a result."""
    with open(os.path.join(run, "plan.json")) as f:
        jobs = {j["name"]: j for j in json.load(f)["jobs"]}
    job = jobs[name]
    path, notes = os.path.join(run, "results", name + ".json"), os.path.join(run, "tries", name)
    os.makedirs(os.path.dirname(notes), exist_ok=True)
    with open(notes, "a") as note:
        fcntl.flock(note, fcntl.LOCK_EX)  # an earlier process of this job may have outlived its runner
        if whole(path):
            put_text(mark(run, name), "")
            return 0
        earlier = len(tries(run, name))
        print("began", file=note, flush=True)
        try:
            made = result(run, job, earlier)
        except Lost as e:
            print(e, file=note, flush=True)
            print(f"lost    {name}: {e}", flush=True)
            return 1
        put_text(path, json.dumps(made, indent=1) + "\n")
        print("done", file=note, flush=True)
        put_text(mark(run, name), "")
    word = "ok" if made["verdict"] == "PASS" else made["verdict"]
    print(f"{word:8} {name}  {made['times']['seconds']:.0f} s  ({progress(run, len(jobs))})", flush=True)
    return 0
