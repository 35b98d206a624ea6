#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Builds all results of Verilator and Yosys; each is built once and only after a change."""
import argparse
import contextlib
import json
import os
import re
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor

if not os.path.exists("rtl/hdgen"):
    sys.exit("build: run it from the top of a checkout (no rtl/hdgen here)")
sys.path.insert(0, "rtl")
import recipes  # noqa: E402
import store  # noqa: E402
import tools  # noqa: E402
from hdgen.tables import BLOCKS  # noqa: E402
from hdgen.views import gen_gtkw  # noqa: E402
from progress import Progress  # noqa: E402
from tools import Failed  # noqa: E402


def epilog():
    variants = "\n".join(f"  {name:12} {text}" for name, (_, text) in recipes.VARIANTS.items()
                         if not name.endswith("-wave"))
    return f"""\
CONFIG is a name or NAME+PARAM=VALUE+..; BLOCK a stem (or, for the checks, a small part of rtl/common without
hd_). The object is build/CONFIG/BLOCK/VARIANT.so, with a log in the same folder. VARIANT; append -wave for a build
that can record waveforms:
{variants}

Results are stored under the hash of all inputs: sources, the package constants that these use, binding, flags, tools,
processor. The store is outside the checkout:
  HEDDLE_CACHE       its folder (now {store.root()})
  HEDDLE_CACHE_SIZE  its size limit in MiB (now {store.limit() >> 20}); the least recently used results go first
If the store cannot be written, results go to {store.HERE}, and a message says so.

Examples:
  python3 tb/build tiny/pool/rtl tiny/pool/netlist
  python3 tb/build --why k20c/top/rtl
Exit codes: 0 all built, 1 a target could not be built, 2 bad usage, 128 + N ended by signal N."""


FEW = 4  # up to this many objects, the start of each is printed


def arguments():
    p = argparse.ArgumentParser(prog="build", usage="python3 tb/build [OPTION..] CONFIG/BLOCK/VARIANT..",
                                description=__doc__, epilog=epilog(),
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("targets", nargs="+", metavar="CONFIG/BLOCK/VARIANT", help="target to build")
    p.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1, metavar="N",
                   help="number of tools at once (default: one per processor)")
    p.add_argument("-q", "--quiet", action="store_true", help="print no progress")
    p.add_argument("-w", "--why", action="store_true", help="print the inputs of each target, and why it was built")
    p.add_argument("--json", action="store_true", help="print the output of --why as JSON")
    a = p.parse_args()
    if a.jobs < 1:
        p.error("--jobs: at least 1")
    return a


class Build:
    def __init__(self, progress):
        self.progress = progress

    def obtain(self, recipe):
        """Returns (path in the store, its note, whether it was built now)."""
        recipe.prepare(self.path)
        key = recipe.key
        found = store.find(key)
        if found:
            return *found, False
        with store.locked(key):
            found = store.find(key)  # another process has built it meanwhile
            if found:
                return *found, False
            began = time.time()
            os.makedirs(os.path.dirname(recipe.log), exist_ok=True)
            self.progress.begin(recipe.name, store.processor_of(recipe.name) if self.progress.begins else None)
            try:
                made = recipe.made()
                meta = {"key": key, "name": recipe.name, "made": began, "processor": round(recipe.cpu, 1)}
                path = store.add(key, made, meta)
            finally:
                recipe.clean()
                self.progress.end(recipe.name)
            self.progress.say("built", recipe.name, f"  {time.time() - began:.0f} s, {recipe.cpu:.0f} s of processor"
                                                    f"{recipe.how}")
        return path, meta, True

    def path(self, recipe):
        """As obtain(), for an input of another recipe; returns only its path."""
        return self.obtain(recipe)[0]

    def target(self, name):
        """Puts one target in place and returns its note."""
        tools.go_on()
        recipe = recipes.recipe(name)
        note_path, result = f"build/{name}.json", f"build/{name}{recipe.result}"
        try:
            with open(note_path) as f:
                old = json.load(f)
        except (OSError, ValueError):
            old = None
        try:
            path, _, made = self.obtain(recipe)
        except (Failed, OSError):
            if recipe.result and not tools.stopping.is_set():  # the old result has other sources: it must not be run
                with contextlib.suppress(FileNotFoundError):
                    os.remove(result)
            raise
        if isinstance(recipe, recipes.Verilated) and recipe.block in BLOCKS:  # of several at once, each whole
            store.put_text(f"build/{recipe.config}/{recipe.block}/view.gtkw",
                           gen_gtkw(recipe.base, recipe.sets, recipe.block))
        package = "".join(t for n, t in recipe.files.items() if n.endswith("_pkg.sv") and "/" not in n)
        new = {"target": name, "key": recipe.key, "inputs": recipe.inputs, "package": package, "tools": recipe.used,
               "commands": [" ".join(c) for c in recipe.commands], "processor": store.digest(recipe.march)}
        if old and old["key"] == recipe.key:
            new["why"], new["how"] = old["why"], old["how"]
        else:
            new["why"], new["how"] = reason(old, new), "built" if made else "taken from the store"
        here = old and old["key"] == recipe.key
        if recipe.result:
            here = here and os.path.exists(result) and store.digest_of(result) == store.digest_of(path)
            if not here:
                store.replace(result, lambda tmp: store.copy(path, tmp))
        if not here and not made:
            self.progress.say("store", name)
        watched = sorted(f for w in recipe.watched for f in (
            [w] if os.path.isfile(w) else
            [os.path.join(w, n) for n in os.listdir(w) if n.endswith((".py", ".csv"))]))
        store.put_text(f"build/{name}.inputs", "\n".join(watched) + "\n")
        store.put_text(note_path, json.dumps(new, indent=1) + "\n")
        return new


def constants(package):
    return dict(re.findall(r"localparam (?:int|logic \S+) (\w+) = ([^;]*);", package))


def reason(old, new):
    """Returns the reason for a rebuild: the differences from the previous note."""
    if not old:
        return "not built before"
    out = []
    a, b = constants(old["package"]), constants(new["package"])
    out += [f"{k} {a[k]} -> {b[k]}" for k in a if k in b and a[k] != b[k]]
    a, b = old["inputs"], new["inputs"]
    out += [f"{n} changed" for n in a if n in b and a[n] != b[n] and not (n == "hd_pkg.sv" and out)]
    out += [f"{n} is new" for n in b if n not in a] + [f"{n} is gone" for n in a if n not in b]
    out += [f"{k}: {' '.join(old[k])} -> {' '.join(new[k])}" for k in ("tools", "commands") if old[k] != new[k]]
    if old["processor"] != new["processor"]:
        out.append("another processor")
    return "; ".join(out) or "the recipe changed"


def explain(note):
    yield f"{note['target']}: {note['how']}: {note['why']}"
    yield from (f"    {sha[:12]}  {name}" for name, sha in note["inputs"].items())
    yield from (f"    with          {text}" for text in note["tools"] + note["commands"])


def main():
    a = arguments()
    tools.limit_to(a.jobs)
    stopped = []

    def stop(number, _):
        """Ends the tools, and so the threads, which remove incomplete files; a second signal ends the build at once."""
        stopped.append(number)
        signal.signal(number, signal.SIG_DFL)
        tools.stop()

    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, stop)
    failures, notes = [], []
    progress = Progress(a.quiet or a.json, begins=len(a.targets) <= FEW)
    build = Build(progress)
    with progress, ThreadPoolExecutor(2 * a.jobs) as pool:
        for future in [pool.submit(build.target, t) for t in dict.fromkeys(a.targets)]:
            try:
                notes.append(future.result())
            except (Failed, SystemExit, OSError) as e:
                failures.append(f"{e.filename}: {e.strerror}" if isinstance(e, OSError) and e.filename else str(e))
    if stopped:
        print(f"build: ended by {signal.Signals(stopped[0]).name}", file=sys.stderr)
        return 128 + stopped[0]
    if a.json:
        print(json.dumps(notes, indent=1))
    elif a.why:
        print("\n".join(line for n in notes for line in explain(n)))
    for text in failures:
        print(f"build: {text}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
