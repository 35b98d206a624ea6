#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Mutants of the golden model: universalmutator (PyPI) changes one line of a block's C files; each changed model that
compiles to other code runs in lockstep with the RTL, and what survives runs the unit tests of the block.

    mutants_model.py [BLOCK]..     default: every block but top; in the configuration of mutants.py

Run from the top of the checkout, after make. Ends with `N passed, N failed`: a block fails if fewer than --score
percent of its mutants are killed. The mutants of a block are a random choice that is the same in every run."""
import difflib
import glob
import json
import os
import random
import subprocess
import sys
import tempfile

import mutants

VENV, LIST = "build/venv/mutator", "verif/mutator.txt"
DIR = "build/common/mutants"  # the Makefile links a model with a changed file below build/common
LIMIT = 60  # seconds of a run: a mutant may loop for ever


def files_of(block):
    """The C files of the block's model."""
    return sorted(glob.glob(f"cmodel/*/{block}.c") + glob.glob(f"cmodel/*/{block}_*.c"))


def mutants_of(path, folder):
    """The texts of the file with one line changed, in the tool's order."""
    subprocess.run([f"{VENV}/bin/python", "-m", "universalmutator.genmutants", path, "c", "--noCheck", "--mutantDir",
                    folder], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    stem = os.path.basename(path).removesuffix(".c")
    made = glob.glob(f"{folder}/{stem}.mutant.*.c")
    return [open(m).read() for m in sorted(made, key=lambda m: int(m.split(".")[-2]))]


def counts(line):
    """Returns False for a changed line that only sets the size of the model's memory: a larger one changes nothing."""
    return "sizeof" not in line


def make(target, *variables):
    """Makes a target; returns False if that fails."""
    return subprocess.run(["make", "-s", target, *variables], capture_output=True).returncode == 0


def code_of(source):
    """The machine code of a C file, or None if it does not compile."""
    target = source[:-2] + ".o"
    if not make(target):
        return None
    with open(target, "rb") as f:
        return f.read()


def change(was, becomes, path):
    """The line of the file that a mutant changes: where, the old and the new text."""
    old, new = was.splitlines(), becomes.splitlines()
    for tag, a, b, c, d in difflib.SequenceMatcher(None, old, new, False).get_opcodes():
        if tag != "equal":
            return f"{path}:{a + 1}: {' '.join(old[a:b]).strip()} -> {' '.join(new[c:d]).strip() or '(deleted)'}"
    return f"{path}: none"


def run(command, seconds):
    """The exit code of a command and its output; -1 after the time limit."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds,
                              env={**os.environ, "HEDDLE_BUILD": "build"})
    except subprocess.TimeoutExpired:
        return -1, ""
    return done.returncode, done.stdout


def killed_by(block, folder, faulty, a):
    """What detects the mutant: the verdict of a run, a crash, no end, a unit test; None if nothing does."""
    heddle = f"{folder}/heddle"
    if not make(heddle, f"FAULTY={faulty}"):
        raise SystemExit(f"mutants_model.py: {heddle} can not be linked")
    for seed in range(1, a.runs + 1):
        code, out = run([heddle, "equiv", block, "--config", mutants.config_of(block), "--seed", str(seed),
                         "--cycles", str(a.cycles), "--out", "", "--json"], LIMIT)
        if code == -1:
            return "no end"
        try:
            verdict = json.loads(out)[0]["verdict"]
        except (ValueError, IndexError, KeyError):
            return "crash"
        if verdict != "PASS":
            return verdict
    for source in sorted(glob.glob(f"verif/unit/*/test_{block}.c") + glob.glob(f"verif/unit/*/test_{block}_*.c")):
        test = f"{folder}/test"
        if os.path.exists(test):
            os.remove(test)
        if make(test, f"FAULTY={faulty}", f"UNIT_O=build/san/{source[:-2]}.o") and run([test], 10 * LIMIT)[0] != 0:
            return os.path.basename(source)[:-2]
    return None


def judge(block, a):
    """The results of one block: mutants that were run, how they were killed, survivors."""
    rtl = f"{mutants.config_of(block)}/{block}/rtl"
    if subprocess.run(["python3", "tb/build", "--quiet", rtl]).returncode:
        raise SystemExit(f"mutants_model.py: {rtl} can not be built")
    found = {"config": mutants.config_of(block), "block": block, "mutants": 0, "killed": {}, "survivors": [],
             "same_code": 0, "invalid": 0}
    with tempfile.TemporaryDirectory() as folder:
        every = [(path, m) for path in files_of(block) for m in mutants_of(path, folder)]
    random.Random(block).shuffle(every)
    os.makedirs(f"{DIR}/{block}", exist_ok=True)
    originals = {}
    for path, text in every:
        if found["mutants"] == a.count:
            break
        source = f"{DIR}/{block}/{os.path.basename(path)}"

        def compiled(t):
            with open(source, "w") as f:
                f.write(t)
            return code_of(source)
        if path not in originals:
            original = open(path).read()
            originals[path] = original, compiled(original)
        what = change(originals[path][0], text, path)
        if not counts(what):
            continue
        code = compiled(text)
        if code is None or code == originals[path][1]:
            found["invalid" if code is None else "same_code"] += 1
            continue
        found["mutants"] += 1
        by = killed_by(block, f"{DIR}/{block}", source[:-2] + ".o", a)
        if by:
            found["killed"][by] = found["killed"].get(by, 0) + 1
        else:
            found["survivors"].append({"change": what})
    n = found["mutants"]
    found["score"] = round(100 * (n - len(found["survivors"])) / n, 2) if n else 100.0
    return found


def main():
    a = mutants.parsed(mutants.parser("mutants_model.py", __doc__, 100))
    if subprocess.run(["tb/install/venv.sh", VENV, LIST]).returncode:
        if a.json == "-":
            sys.exit("mutants_model.py: universalmutator can not be installed")
        print("skipped: universalmutator can not be installed\n0 passed, 0 failed")
        return 0

    def row(r):
        killed = sum(r["killed"].values())
        unit = sum(n for by, n in r["killed"].items() if by.startswith("test_"))
        return (f"{r['block']:8} {r['mutants']:7} {killed:7} {len(r['survivors']):8}  {r['score']:6.2f} %  "
                f"{killed - unit}, {unit}")
    return mutants.report("model", a, judge, "block    mutants  killed  survive   score   of lockstep, unit tests", row,
                          lambda s: f"    {s['change']}")


if __name__ == "__main__":
    sys.exit(main())
