#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Checks that the JSON keys that the command prints are exactly those that docs/run.md lists. Run from the top of the
checkout, after make. Ends with `N passed, N failed`."""
import glob
import json
import os
import re
import subprocess
import sys

OUT = "build/test/json_keys"
TRACE = f"{OUT}/named.trace"
SMALL = f"{OUT}/made.mtx --config tiny --block-size 64 --sources 1 --engine model"
# Commands and their JSON; keys that are names (of cover points, builds, ..) are those of the objects in NAMES.
COMMANDS = [
    f"run {SMALL}", f"run {SMALL} --max-cycles 100", f"run {SMALL} --launch dtbl --policy smx-bind",
    f"run {SMALL} --launch cdp --sync", f"run {SMALL} --launch dtbl --smx gpu --footprint --warp lwf --throttle",
    "run sw --nodes 64 --size 64 --engine model",
    "run sor --nodes 64 --size 64 --engine model --launch graph",
    f"run sssp {SMALL}", f"run clr {SMALL}",
    *(f"run {kind} --rows 300 --sources 1 --engine model" for kind in ("join", "regx", "amr", "bht")),
    "run rec --sources 1 --engine model", "run mergesort --engine model --smx gpu --max-cycles 2000",
    f"run --trace {TRACE} --engine model --launch dtbl", "run fib --size 8",
    "example laperm --engine model", "example wireframe --engine model", "example channels --engine model",
    f"graph info {OUT}/made.mtx", "graph deplinks --pattern wavefront --grid 4x4",
    "channels fib --size 8", "channels fib --size 8 --cus 2",
    "equiv fcfs --config tiny --cycles 1000 --covers", "equiv fcfs --config tiny --profile no", "gpu",
    f"sweep {OUT}/made.mtx --keep {OUT}/runs --policy rr,tb-pri --launch dtbl -- --config tiny --block-size 64",
    "campaign",
    "campaign smoke --list", "area fcfs --config tiny",
]
NAMES = {"covers", "axes"}
# With --json=FILE these print their text and write what --json prints.
TO_FILE = ["example wireframe --engine model", f"graph info {OUT}/made.mtx", "channels fib --size 8",
           "run fib --size 8", "graph deplinks --pattern wavefront --grid 4x4",
           "equiv fcfs --config tiny --cycles 1000",
           "area fcfs --config tiny", "campaign", "campaign smoke --list", f"run {SMALL}"]


def listed():
    """Returns the words in backquotes in the section JSON of docs/run.md."""
    with open("docs/run.md") as f:
        section = re.search(r"^## JSON\n(.*?)^## ", f.read(), re.M | re.S)[1]
    return set(re.findall(r"`([a-z][a-z0-9_]*)`", section))


def keys(value, path=()):
    if isinstance(value, list):
        for v in value:
            yield from keys(v, path)
    elif isinstance(value, dict):
        for k, v in value.items():
            if not NAMES & set(path[-1:]):
                yield from k.split(".")
            yield from keys(v, (*path, k))


def printed(words):
    before, dashes, behind = words.partition(" -- ")
    command = [*before.split(), "--json", *(dashes + behind).split()]
    done = subprocess.run(["build/heddle", *command], capture_output=True, text=True)
    try:
        return json.loads(done.stdout)
    except ValueError:
        return done.stderr or "nothing"


def written(words):
    """What is wrong with the file that the command writes; "": nothing."""
    path = f"{OUT}/written.json"
    refused = subprocess.run(["build/heddle", *words.split(), "--json=/nowhere/x.json"], capture_output=True, text=True)
    done = subprocess.run(["build/heddle", *words.split(), f"--json={path}"], capture_output=True, text=True)
    try:
        with open(path) as f:
            same = set(keys(json.load(f))) == set(keys(printed(words)))
    except (OSError, ValueError) as e:
        return str(e)
    if refused.returncode != 2 or "/nowhere/x.json" not in refused.stderr or refused.stdout:
        return f"a file that cannot be written is not refused: {refused.stderr}"
    return "" if same and done.stdout.strip()[:1] not in ("", "{", "[") else "file and text are not those of --json"


def literals():
    """Returns the strings in the sources of the command, and names of its options with _ for -."""
    text = ""
    for path in (*glob.glob("tb/**/*.[ch]", recursive=True), *glob.glob("tb/**/*.py", recursive=True),
                 *glob.glob("synth/area/*.py"), *glob.glob("synth/fpga/*.py"),
                 *glob.glob("verif/proofs/*.py")):
        with open(path, encoding="utf-8") as f:
            text += f.read()
    return {word.replace("-", "_") for word in re.findall(r'"([a-z][a-z0-9_-]*)"', text)}


def main():
    os.makedirs(OUT, exist_ok=True)
    with open(TRACE, "w") as f:
        f.write("heddle-trace 2\nkernel a  0 0  4 1 1  64 1 1  16 0  50\nlaunch 0 10 1  1 32 1 1  16 0 40\n")
    subprocess.run(["build/heddle", "graph", "graph500", "--nodes", "1024", "-o", f"{OUT}/made.mtx"], check=True,
                   stdout=subprocess.DEVNULL)
    known, failed = listed(), 0
    for words in COMMANDS:
        found = printed(words)
        wrong = sorted(set(keys(found)) - known) if not isinstance(found, str) else [found.strip()]
        failed += bool(wrong)
        print(f"FAILED  {words}: not in docs/run.md: {' '.join(wrong)}" if wrong else f"ok      {words}")
    for words in TO_FILE:
        wrong = written(words)
        failed += bool(wrong)
        print(f"FAILED  {words} --json=FILE: {wrong}" if wrong else f"ok      {words} --json=FILE")
    gone = sorted(known - literals())
    print(f"FAILED  in no source: {' '.join(gone)}" if gone else "ok      each listed key is in a source")
    print(f"{len(COMMANDS) + len(TO_FILE) + 1 - failed - bool(gone)} passed, {failed + bool(gone)} failed")
    return bool(failed or gone)


if __name__ == "__main__":
    sys.exit(main())
