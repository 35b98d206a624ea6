#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Campaigns, from the file to the page: the jobs of a plan, error messages for a wrong file, a small campaign run by
Snakemake that is killed and continues, jobs that die, write incomplete results or take too long, planted faults, and
the page in a browser.
  test_campaign.py [OPTION..]    options for heddle campaign: how the jobs are run
Without Snakemake, or Chromium, the tests that need it are skipped by name. Ends with `N passed, N failed`."""
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path[:0] = ["tb/campaign", "rtl", "synth/area"]
import plan  # noqa: E402

DIR = "build/test/campaign"
SMALL = "verif/campaign/small.toml"
BUNDLED = ("faults", "long", "mutants", "nightly", "release", "smoke", "tables")
with open("verif/faults.csv") as f:
    FCFS = sum(line.split(",")[1] == "fcfs" for line in f)
CAUGHT = f"{FCFS} of {FCFS} caught"  # faults of SMALL, as its page shows them
counts = [0, 0]  # failed, passed

WRONG = (  # a file, and its error message
    ("", "nothing to run; accepted: [[equiv]]"),
    ("[[equiv]", "(at line 1"),
    ("abuot = 'x'\n", ":1: no entry 'abuot'; accepted: about"),
    ("\n[[equiv]]\nblocks = ['all']\nconfigs = ['tiny']\n", ":2: equiv: field 'cycles' is missing"),
    ("[[equiv]]\nblocks = ['kdd']\n", ':2: equiv: blocks: "kdd": accepted: all, -BLOCK, or one of kmu kd'),
    ("[[equiv]]\nblocks = ['kd']\nconfigs = ['k99']\n", ":3: equiv: configs: \"k99\": no configuration 'k99'"),
    ("[[equiv]]\nblocks = ['kd']\nconfigs = ['tiny+Foo=1']\n", "no parameter 'Foo'"),
    ("[[equiv]]\nseed = 3\n", ":2: equiv: no field 'seed'; accepted: blocks"),
    ("[[equiv]]\nblocks = ['kd']\nconfigs = ['tiny']\nseeds = '9..1'\n", ':4: equiv: seeds: "9..1": accepted: [1, 2]'),
    ("[[equiv]]\nblocks = ['kd']\nconfigs = ['tiny']\nseeds = '1..99999999999'\n",
     ':4: equiv: seeds: "1..99999999999": accepted: up to '),
    ("[[equiv]]\nblocks = ['kd']\nconfigs = ['tiny']\ncycles = 100000000000000000000\n", ':4: equiv: cycles: 1'),
    ("[[equiv]]\nblocks = ['kd']\nconfigs = ['tiny']\ncycles = -5\n", ":4: equiv: cycles: -5: accepted: a whole"),
    ("[[equiv]]\nblocks = ['fcfs']\nconfigs = ['tiny']\ncycles = 9\nfault = 99999\n",
     ":5: equiv: fault: 99999: accepted: an id of verif/faults.csv"),
    ("[[run]]\nworkloads = ['bfs']\nconfigs = ['tiny']\npolicies = ['best']\n", 'policies: "best": accepted: rr tb'),
    ("[[command]]\nname = 'a'\nrun = 'true'\n[[command]]\nname = 'a'\nrun = 'true'\n", ":4: command: a second job 'a'"),
    ("[[table]]\nname = 'a'\nscript = 'tb/experiments/table_gpu.py'\noptions = '--seeds 0'\n",
     ":1: table: options: table_gpu.py: error: --seeds 0: accepted: 1 or more"),
    ("[[command]]\nname = 'a b'\nrun = 'true'\n", "'a b' is not a name of a job"),
)


def note(ok, name, more=""):
    counts[bool(ok)] += 1
    print(f"{'ok     ' if ok else 'FAILED '} {name}" + ("" if ok else f"\n        {more}"), flush=True)


def campaign(*words, **more):
    return subprocess.run(["build/heddle", "campaign", *words], capture_output=True, text=True, **more)


def refusal(path):
    """Returns the error message for a wrong plan."""
    try:
        plan.read(path)
    except plan.Wrong as e:
        return str(e)
    return "it is accepted"


def plans():
    for name in BUNDLED:
        first = campaign(name, "--list", "--json")
        same = first.returncode == 0 and first.stdout == json.dumps(plan.read(name), indent=1) + "\n"
        note(same, f"the jobs of {name} are the same in two processes", first.stderr)
        names = [j["name"] for j in json.loads(first.stdout)["jobs"]]
        note(len(names) == len(set(names)), f"  each of its {len(names)} jobs has a name of its own")
    total = campaign("release", "--list").stdout.splitlines()[-1]
    note(int(total.split()[3]) >= 10**9, "release is 10^9 cycles at least", total)
    total = campaign("release", "--list", "--cycles", "10000000").stdout.splitlines()[-1]
    note(9900000 < int(total.split()[3]) <= 10000000, "a cut of release", total)
    for k, (text, reported) in enumerate(WRONG):
        path = f"{DIR}/wrong{k}.toml"
        with open(path, "w") as f:
            f.write(text)
        output = refusal(path)
        note(reported in output and path in output and "\n" not in output, f"refused: {reported}", output)
    r = campaign(path)
    alone = r.returncode == 2 and r.stderr == f"heddle campaign: {output}\n"
    note(alone, "  which the command says, and no more", r.stderr)
    r = campaign("smoke", "--estimate", SMALL)
    note(r.returncode == 2 and "not the summary.json of a run" in r.stderr, "refused: an estimate from no summary",
         r.stderr)
    r = campaign("nope")
    note(r.returncode == 2 and "bundled are: faults" in r.stderr, "refused: no such file", r.stderr)


def results(run):
    """Returns {job: its result without the times}, and how often it was tried."""
    found, tries = {}, {}
    for name in os.listdir(f"{run}/results"):
        with open(f"{run}/results/{name}") as f:
            r = json.load(f)
        tries[r["job"]] = r.pop("times")["tries"]
        found[r["job"]] = r
    return found, tries


def the_run():
    """Returns its folder: there is one for each plan and state of the sources."""
    run, = (d for d in os.listdir(f"{DIR}/small") if d != "index.html")
    return f"{DIR}/small/{run}"


def wait_for(seen):
    for _ in range(1200):
        if seen():
            return True
        time.sleep(0.1)
    return False


def killed(options, env):
    """The campaign is killed when some jobs are done."""
    def some():
        with contextlib.suppress(OSError):
            return any(len(os.listdir(f"{DIR}/small/{d}/results")) > 1 for d in os.listdir(f"{DIR}/small"))
    p = subprocess.Popen(["build/heddle", "campaign", SMALL, "--dir", DIR, *options], env=env,
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    note(wait_for(some), "some jobs are done")
    p.send_signal(signal.SIGKILL)
    p.wait()
    run = the_run()
    note(not os.path.exists(f"{run}/summary.json"), "  then the runner is killed, before the end")
    with open(f"{run}/results/kd-tiny-turns-s1.json", "w") as f:
        f.write('{"version": 1, "job"')  # as a full disk would leave it


def goes_on(options, env):
    r = campaign(SMALL, "--dir", DIR, "--json", *options, env=env)
    note(r.returncode == 1, "started again it ends, with the exit code of a mismatch", r.stderr)
    s = json.loads(r.stdout)
    with open(f"{the_run()}/plan.json") as f:
        names = {j["name"] for j in json.load(f)["jobs"]}
    found, tries = results(the_run())
    whole = set(found) == names - {"too-long"} and s["jobs"] == len(names)
    note(whole, "nothing is lost, nothing counted twice", tries)
    note((s["passed"], s["failed"], len(s["lost"])) == (len(names) - 3, 2, 1), "  and the sums say so", r.stdout[:900])
    note(tries["dies-once"] == 2 and tries["torn-once"] == 2, "what died or told half was tried again", tries)
    with open(f"{DIR}/tries") as f:
        n = len(f.read().split())
    reported = [g for g in s["lost"] if g["job"] == "too-long" and "took longer than 1 s" in g["tries"][-1]]
    note(3 <= n <= 6, "what takes too long is tried at most twice again each time", n)
    note(reported, "  and is reported with its reason", s["lost"])
    failures = s["failures"]
    note(len(failures) == 1 and len(failures[0]["jobs"]) == 2, "two failures of one kind are one row", failures)
    f = failures[0]
    note(f["block"] == "kd" and f["field"].startswith("pend") and f["report"].startswith("MISMATCH kd"),
         "  which names block and field and has the report", f)
    note(all(tries[j] == 1 for j in f["jobs"]), "a mismatch is not tried again", tries)
    again = subprocess.run(["build/heddle", "replay", f"{the_run()}/{f['replay']}"], capture_output=True, text=True)
    note(again.returncode == 1, "  and its replay shows it", again.stderr)
    note(os.path.exists(f"{the_run()}/{f['wave']}"), "  and its waveform is there")
    note([x["caught"] for x in s["faults"]].count(True) == len(s["faults"]) > 0, "planted faults, caught", s["faults"])
    note([len(t["rows"]) for t in s["tables"]] == [6], "a table has the rows of its jobs", s["tables"])
    return found


def nothing_new(env, options):
    before = {n: os.stat(f"{the_run()}/results/{n}").st_mtime_ns for n in os.listdir(f"{the_run()}/results")}
    r = campaign(SMALL, "--dir", DIR, *options, env=env)
    after = {n: os.stat(f"{the_run()}/results/{n}").st_mtime_ns for n in os.listdir(f"{the_run()}/results")}
    reported = campaign(SMALL, "--estimate", f"{the_run()}/summary.json").stdout
    note(re.search(r"^ +256 +\d", reported, re.M), "how long it would take on 256 cores", reported)
    note(before == after and r.returncode == 1, "a third start runs nothing that has a result", r.stderr)
    note(re.search(r"^MISMATCH kd pend\S* kd-tiny-random-s7-fault-9 and 1 more$", r.stdout, re.M)
         and "LOST too-long: " in r.stdout, "its text names the failure and the lost job", r.stdout)


SRUN = """#!/bin/sh
echo "$*" >> "$0.log"
while [ "${1#--}" != "$1" ]; do shift; done
exec "$@"
"""  # a stub of Slurm's srun; the real one is used in test_slurm.py


def on_slurm():
    """Each job goes through one srun."""
    folder = os.path.abspath(f"{DIR}/bin")
    os.makedirs(folder)
    with open(f"{folder}/srun", "w") as f:
        f.write(SRUN)
    os.chmod(f"{folder}/srun", 0o755)
    path = f"{DIR}/two.toml"
    with open(path, "w") as f:
        f.write("[[command]]\nname = 'a'\nrun = 'true'\n[[command]]\nname = 'b'\nrun = 'false'\n")
    r = campaign(path, "--dir", DIR, "--slurm", env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})
    note(r.returncode == 1 and "two: 1 passed, 1 failed, 0 lost" in r.stdout, "two jobs by way of srun", r.stderr)
    with open(f"{folder}/srun.log") as f:
        calls = sorted(re.search(r"--job-name=(\S+) python3 tb/campaign --job ", line)[1] for line in f)
    note(calls == ["heddle-a", "heddle-b"], "  each in an srun of its own, with its name", calls)


# Returns what is shown: its text, whether something is outside the window, and whether each picture was loaded.
PROBE = """<script>addEventListener('load', () => { const d = document.documentElement;
const out = {text: document.body.innerText, wide: d.scrollWidth - d.clientWidth, pictures: [...document.images].map(
i => i.naturalWidth)};
document.body.innerHTML = '<pre id=probe></pre>'; document.getElementById('probe').textContent = JSON.stringify(out); })
</script></body>"""


def shown():
    browser = shutil.which("chromium")
    if not browser:
        print("skipped: what a browser shows of the page: there is no chromium (Debian package chromium)")
        return
    with open(f"{DIR}/small/index.html") as f:
        page = f.read()
    note("http://" not in page.replace("http://www.w3.org", "") and "https://" not in page and " src=\"/" not in page,
         "the page asks for nothing from elsewhere")
    with open(f"{DIR}/probe.html", "w") as f:
        f.write(page.replace("</body>", PROBE))
    r = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1280,900", "--dump-dom",
                        "--virtual-time-budget=5000", f"--user-data-dir={os.path.abspath(DIR)}/browser",
                        "file://" + os.path.abspath(f"{DIR}/probe.html")], capture_output=True, text=True)
    found = re.search(r'<pre id="probe">(.*?)</pre>', r.stdout, re.S)
    if not found:
        note(False, "a browser shows the page", r.stderr[-300:])
        return
    d = json.loads(found[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
    for text in ("FAILED: 2 of", "MISMATCH kd pend", "RTL shows pend", "heddle replay build/test/campaign/small/",
                 "took longer than 1 s", CAUGHT, "kd-tiny-random-s7-fault-9", "Verilator 5", "Trend"):
        note(text in d["text"], f"  the page shows: {text}", d["text"][:300])
    note(d["wide"] <= 0, "  nothing needs a mouse to be seen", d)
    came = all(d["pictures"]) and (d["pictures"] or not shutil.which("gtkwave"))
    note(came, "  and its pictures came", d["pictures"])


def main():
    shutil.rmtree(DIR, ignore_errors=True)
    os.makedirs(DIR)
    plans()
    if shutil.which("snakemake"):
        env = {**os.environ, "CAMPAIGN_TEST": os.path.abspath(DIR)}
        options = sys.argv[1:] or ["--jobs", "2"]
        killed(options, env)
        goes_on(options, env)
        nothing_new(env, options)
        shown()
        on_slurm()
    else:
        print("skipped: a small campaign, killed and gone on with: there is no snakemake (Debian package snakemake)")
    print(f"{counts[1]} passed, {counts[0]} failed")
    return counts[0] > 0


if __name__ == "__main__":
    sys.exit(main())
