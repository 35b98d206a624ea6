#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Plants the same fault in RTL and golden model, which lockstep cannot detect, and shows which other checks detect it.

  verif/common_faults.py [-j] [ID..]     from the top of the checkout, after make; without an ID: all

Each fault of verif/common_faults.csv is one of verif/faults.csv in the RTL, and the same mistake in the model, made by
replacing text in copies of its files. The block and the plane (for channels: apu) then run in lockstep as `heddle
equiv` runs them, 300 000 cycles of tiny, seed 1. For pq, whose rules the oracle of laperm judges, laperm runs. Columns
of the list:

  id, file, was, becomes  of verif/faults.csv; a file of cmodel/; a text that occurs once in it; its replacement
  block, plane            how the run ends: oracle (a rule of an oracle is broken), stuck, assert (an assertion of the
                          RTL), hole (not detected), - (not run)
  else                    for faults that both runs miss: the failing unit test of the model, or why none detects it

Fails if a run ends in another way; MISMATCH means that the two mistakes are not the same. Prints a table for people,
with --json JSON for programs. Ends with `N passed, N failed`."""
import argparse
import collections
import concurrent.futures
import csv
import glob
import json
import os
import re
import subprocess
import sys

LIST, FAULTS, DIR = "verif/common_faults.csv", "verif/faults.csv", "build/common"
CYCLES = 300000
CHANNEL = {"chan", "dcount", "agg", "yrec"}
JUDGE = {"pq": "laperm"}  # has no oracle of its own: the oracle of the other block judges it
ENDS = {"ORACLE": "oracle", "STUCK": "stuck", "ASSERT": "assert", "PASS": "hole"}


class Wrong(Exception):
    """The list is malformed."""


def rows(path):
    with open(path, newline="", encoding="utf-8") as f:
        yield from enumerate(csv.DictReader(f), 2)


def read_list():
    """Returns {id: {"places": [(file, was, becomes)], "block", "plane", "else"}}."""
    out = {}
    for n, r in rows(LIST):
        f = out.setdefault(int(r["id"]), {"places": [], "block": r["block"], "plane": r["plane"], "else": r["else"]})
        if (f["block"], f["plane"], f["else"]) != (r["block"], r["plane"], r["else"]):
            raise Wrong(f"{LIST}:{n}: id {r['id']}: block, plane and else have to be the same in all its rows")
        f["places"].append((r["file"], r["was"], r["becomes"]))
        for end in (r["block"], r["plane"]):
            if end not in [*ENDS.values(), "-"]:
                raise Wrong(f"{LIST}:{n}: '{end}': accepted: {' '.join(ENDS.values())} -")
        if not r["file"].endswith(".c"):  # the other files would be compiled without it
            raise Wrong(f"{LIST}:{n}: file: '{r['file']}': a .c file is accepted")
        if {r["block"], r["plane"]} <= {"hole", "-"} and not r["else"]:
            raise Wrong(f"{LIST}:{n}: else: a unit test, or why nothing sees the fault")
    return out


def plant(number, fault):
    """Returns the command with the faulty model, and the folder of its files."""
    folder = f"{DIR}/{number}"
    texts = {}
    for name, was, becomes in fault["places"]:
        path = f"cmodel/{name}"
        text = texts.get(name) or open(path, encoding="utf-8").read()
        if text.count(was) != 1:
            raise Wrong(f"{LIST}: id {number}: {path} has '{was}' {text.count(was)} times, not once")
        texts[name] = text.replace(was, becomes)
    for name, text in texts.items():
        path = f"{folder}/{name}"
        if not os.path.exists(path) or open(path, encoding="utf-8").read() != text:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            open(path, "w", encoding="utf-8").write(text)
    return folder, " ".join(f"{folder}/{name}" for name in texts)


def make(target, *variables):
    done = subprocess.run(["make", "-s", target, *variables], capture_output=True, text=True)
    if done.returncode:
        raise Wrong(f"{target}: {done.stderr.strip()}")
    return target


def run(heddle, block, number, setting):
    sets = [w for s in setting.split("+") if "=" in s for w in ("--set", s)]
    command = [heddle, "equiv", block, "--config", "tiny", *sets, "--variant", "fault", "--fault", str(number),
               "--cycles", str(CYCLES), "--out", "", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "HEDDLE_BUILD": "build"})
    try:
        r = json.loads(done.stdout)[0]
    except (ValueError, IndexError):
        raise Wrong(f"{' '.join(command)}: {done.stderr.strip() or done.returncode}") from None
    end, what = ENDS.get(r["verdict"], r["verdict"]), r.get("failure", "")
    asserted = re.search(r"\[cycle (\d+)\] .*Assertion failed in ([\w.]+)", done.stderr)
    if end == "hole" and asserted:  # with a planted fault assertions fail and the run continues
        return {"end": "assert", "cycle": int(asserted[1]), "what": asserted[2]}
    return {"end": end, "cycle": r["cycles"], "what": what}


def judge(number, fault, planted):
    """Returns the results of both runs, whether they agree with the list, and a text."""
    folder, files = plant(number, fault)
    block = planted["block"].split()[0]
    out = {"id": number, "block": block, "fault": planted["what"], "runs": {}, "else": fault["else"]}
    heddle = make(f"{folder}/heddle", f"FAULTY={files}")
    around = "apu" if block in CHANNEL else "top"
    for column, name in (("block", JUDGE.get(block, block)), ("plane", around)):
        if fault[column] != "-":
            out["runs"][name] = run(heddle, name, number, planted["set"] or "")
            out["runs"][name]["expected"] = fault[column]
    ok = all(r["end"] == r["expected"] for r in out["runs"].values())
    if fault["else"].startswith("test_"):
        source, = glob.glob(f"verif/unit/*/{fault['else']}.c")
        test = make(f"{folder}/test", f"FAULTY={files}", f"UNIT_O=build/san/{source[:-2]}.o")
        code = subprocess.run([test], capture_output=True).returncode
        out["unit"] = "fails" if code else "passes"
        ok = ok and code != 0
    out["ok"] = ok
    return out


def show(r):
    cells = [f"{name} {x['end']}{'' if x['end'] == x['expected'] else ' (not ' + x['expected'] + ')'}"
             + (f" at {x['cycle']}" if x["end"] != "hole" else "") for name, x in r["runs"].items()]
    seen = next((x["what"] for x in r["runs"].values() if x["what"]), r["else"])
    print(f"{r['id']:4}  {r['block']:7} {'ok' if r['ok'] else 'FAILED':7} {', '.join(cells):50}  {r['fault']}: {seen}",
          flush=True)


def summary(results):
    """Returns how many faults each kind of check detects, and how many only it detects, in the random runs."""
    sees, alone = collections.Counter(), collections.Counter()
    for r in results:
        found = {(name if x["end"] == "oracle" else x["end"]) for name, x in r["runs"].items() if x["end"] != "hole"}
        sees.update(found)
        if len(found) == 1:
            alone.update(found)
    return {k: {"sees": sees[k], "alone": alone[k]} for k in sorted(sees)}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("id", nargs="*", type=int, help="faults of the list; none: all")
    p.add_argument("-j", "--json", action="store_true", help="print the results as JSON")
    a = p.parse_args()
    faults, planted = read_list(), {int(r["id"]): r for _, r in rows(FAULTS)}
    for number in a.id:
        if number not in faults:
            raise Wrong(f"no fault {number} in {LIST}")
    results = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for r in pool.map(lambda n: judge(n, faults[n], planted[n]), a.id or sorted(faults)):
            results.append(r)
            if not a.json:
                show(r)
    checks = summary(results)
    holes = [r["id"] for r in results if all(x["end"] == "hole" for x in r["runs"].values())]
    failed = sum(not r["ok"] for r in results)
    if a.json:
        print(json.dumps({"faults": results, "checks": checks, "holes": holes}, indent=1))
    else:
        print("seen by (alone): " + ", ".join(f"{k} {v['sees']} ({v['alone']})" for k, v in checks.items()))
        print("seen by none of the random runs: " + (" ".join(map(str, holes)) or "none"))
        print(f"{len(results) - failed} passed, {failed} failed")
    return 3 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Wrong, OSError) as e:
        sys.exit(f"common_faults: {e}")
