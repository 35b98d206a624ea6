#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Compares the simulation speed with that of another commit, which is built once, by its own build system, in
build/against/. The two run alternately. The ratio of the fastest turns counts, since these are least disturbed by other
load on the machine. Both must give the same outputs in every cycle of the recorded stimulus. If this commit's command
cannot load the other's plane, because parameters or ports have changed, it reports that instead.

  bench_against.py COMMIT [--config NAME] [--turns N] [--json=FILE] [-- OPTION..]      from the top of the checkout
"""
import argparse
import json
import os
import statistics
import subprocess
import sys


def run(argv, cwd=".", **env):
    done = subprocess.run(argv, cwd=cwd, env=dict(os.environ, **env), stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"bench: {' '.join(argv)} failed in {cwd}")
    return done.stdout


def build(commit, config):
    """Builds the command and the plane of a commit. Returns (its hash, its folder)."""
    sha = run(["git", "rev-parse", "--verify", "--short=12", commit + "^{commit}"]).strip()
    top = f"build/against/{sha}"
    if not os.path.exists(f"{top}/.built-{config}"):
        os.makedirs(top, exist_ok=True)
        print(f"  build  {sha} {config}", file=sys.stderr)
        run(["sh", "-c", f"git archive {sha} | tar -x -C {top}"])
        env = {"MAKEFLAGS": "", "MFLAGS": "", "MAKELEVEL": ""}
        run(["make", "-s", "all"], top, **env)
        if os.path.exists(f"{top}/tb/verilate.sh"):
            run(["tb/verilate.sh", config, "top", "rtl"], top, **env)
        else:
            run(["python3", "tb/build", f"{config}/top/rtl"], top, **env)
        open(f"{top}/.built-{config}", "w").close()
    return sha, top


def outputs(config, folder):
    """Returns (hash of the outputs of the plane in a folder, None), or (None, the reason why this commit's command
    cannot load it)."""
    done = subprocess.run(["build/heddle", "bench", "--config", config, "--turns", "0"],
                          env=dict(os.environ, HEDDLE_BUILD=folder), capture_output=True, text=True)
    return (None, done.stderr.strip()) if done.returncode else (done.stdout, None)


def speeds(report):
    """Returns {subject: cycles per second}, from either format of the report."""
    return report.get("cps") or {k[:-4]: v for k, v in report.items() if k.endswith("_cps")}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("commit")
    p.add_argument("--config", default="k20c")
    p.add_argument("--turns", type=int, default=9)
    p.add_argument("--json")
    cut = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    a = p.parse_args(sys.argv[1:cut])
    options = sys.argv[cut + 1:]  # for heddle bench: --variant fast ..
    sha, top = build(a.commit, a.config)
    common = ["build/heddle", "bench", "--config", a.config, "--json", "--turns", "1", "--out", "build/bench-turn.json"]
    mine, why = outputs(a.config, "build")
    if why:
        sys.exit(f"bench: {why}")
    theirs, why = outputs(a.config, f"{top}/build")
    same = None if why else mine == theirs
    ratios, best = {}, {}
    for turn in range(a.turns):
        old, new = speeds(json.loads(run(common, top))), speeds(json.loads(run([*common, *options])))
        for name, cps in new.items():
            was = old.get(name, old["rtl"])
            ratios.setdefault(name, []).append(cps / was)
            best[name] = [max(b) for b in zip(best.get(name, [0, 0]), [cps, was])]
    best = {name: cps / was for name, (cps, was) in best.items()}
    print(f"{a.config}, {a.turns} turns, cycles per second over those of {sha} (RTL builds over its RTL): "
          "of the fastest turns; of each turn the median, smallest, largest")
    for name, r in ratios.items():
        print(f"  {name:12} {best[name]:5.2f}   {statistics.median(r):5.2f}   {min(r):5.2f} - {max(r):5.2f}")
    print("outputs of the recorded stimulus: "
          + (f"not compared: {why}" if why else "the same in every cycle" if same else "DIFFERENT"))
    if a.json:
        with open(a.json, "w") as f:
            json.dump({"against": sha, "config": a.config, "ratios": ratios, "fastest": best, "outputs_same": same},
                      f, indent=1)
    return same is False


if __name__ == "__main__":
    sys.exit(main())
