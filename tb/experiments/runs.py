# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Runs many `heddle run` in parallel, for the scripts that make tables of them."""
import argparse
import concurrent.futures
import functools
import hashlib
import json
import os
import statistics
import subprocess
import sys

sys.path[:0] = ["rtl", "synth/area", "tb/build"]
from hdgen.output import put_text, usable  # noqa: E402
from progress import moving  # noqa: E402

# Options of `heddle run` with a value that apply only to launches from TBs.
ABOUT_CHILDREN = ("--threshold", "--child-size", "--pending", "--memory-latency")


def parser(prog, doc):
    """Returns a parser with the options that all tables have."""
    p = argparse.ArgumentParser(prog=prog, description=doc, formatter_class=argparse.RawDescriptionHelpFormatter,
                                allow_abbrev=False)
    p.add_argument("--config", default="k20c", help="configuration of the plane (default k20c)")
    p.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at once (default: one per processor)")
    p.add_argument("--seeds", type=int, default=5,
                   help="runs of each point, with seeds 1 to N of the jitter (default 5)")
    p.add_argument("--sources", default="64,1", help="searches at once, one table for each (default 64,1)")
    p.add_argument("--heddle", default="build/heddle", help="the heddle command (default build/heddle)")
    p.add_argument("--json", nargs="?", const="-", metavar="FILE",
                   help="print all numbers as JSON, or write them to FILE in addition to the table")
    p.add_argument("--keep", metavar="DIR",
                   help="keep the report of each run in this folder, and use it instead of repeating the run")
    return p


def arguments(p):
    """Returns the parsed options, and the arguments for `heddle run`: unknown options and everything after --."""
    own, rest = sys.argv[1:], []
    if "--" in own:
        rest = own[own.index("--") + 1:]
        own = own[:own.index("--")]
    a, others = p.parse_known_args(own)
    rest = others + rest
    sys.excepthook = reported
    for path in (a.json, getattr(a, "plot", None)):
        if path and path != "-":
            usable(path)
    if a.seeds < 1:
        p.error(f"--seeds {a.seeds}: accepted: 1 or more")
    a.sources = numbers(p, "--sources", a.sources)
    return a, rest


def reported(kind, e, trace):
    """Replaces the traceback of an OSError by one line with the file and the error, and exit code 2."""
    if not issubclass(kind, OSError):
        return sys.__excepthook__(kind, e, trace)
    print(f"{e.filename or 'standard output'}: {e.strerror}", file=sys.stderr, flush=True)
    os._exit(2)


def numbers(p, option, text):
    try:
        return [int(n) for n in text.split(",")]
    except ValueError:
        p.error(f"{option} {text}: accepted: whole numbers separated by commas")


@functools.lru_cache(None)
def digest(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def kept(a, options):
    """Returns the file in which the report of a run is kept. Its name is a hash of the command itself, the options and
    the files that they name."""
    files = [digest(word) for word in [a.heddle, *options] if os.path.isfile(word)]
    name = hashlib.sha256(json.dumps([a.config, *options, *files]).encode()).hexdigest()
    return os.path.join(a.keep, name[:32] + ".json")


def report(a, options):
    """Returns the JSON report of one run, or the kept report of an equal earlier run."""
    if a.keep is None:
        return run(a, options)
    path = kept(a, options)
    if not os.path.exists(path):
        os.makedirs(a.keep, exist_ok=True)
        put_text(path, json.dumps(run(a, options)) + "\n")
    with open(path) as f:
        return json.load(f)


def effective(options):
    """Returns the options that have an effect: omits those about launches from the device if there are none."""
    if "cdp" in options or "dtbl" in options:
        return options
    kept, values = [], iter(options)
    for word in values:
        if word in ABOUT_CHILDREN:
            next(values)
        elif word != "--ideal":
            kept.append(word)
    return kept


def run(a, options):
    """Returns the JSON report of one run. A run that fails ends the script with its text and exit code."""
    done = subprocess.run([a.heddle, "run", "--config", a.config, "--json", *effective(options)],
                          capture_output=True, text=True)
    if done.returncode:
        sys.stderr.write(done.stderr or done.stdout)
        os._exit(done.returncode)  # without waiting for the other runs
    return json.loads(done.stdout)


def reports(a, runs):
    """Returns the reports of several runs in their order; shows progress on a terminal."""
    ended = []

    def one(options):
        r = report(a, options)
        ended.append(options)
        moving(f"  {len(ended)} of {len(runs)} runs, the last: heddle run {' '.join(options)}"[:100])
        return r
    with concurrent.futures.ThreadPoolExecutor(max(1, a.jobs)) as pool:
        found = list(pool.map(one, runs))
    moving("")
    return found


def spread(a, runs):
    """Returns, for each list of options, the reports of all seeds. Seeds after the first run on the golden model alone,
    which lockstep has shown to agree with the RTL."""
    def options(words, seed):
        return [*words, "--seed", str(seed), *(["--engine", "model"] if seed > 1 else [])]
    seeds = range(1, a.seeds + 1)
    flat = reports(a, [options(words, seed) for words in runs for seed in seeds])
    return [flat[k * a.seeds:(k + 1) * a.seeds] for k in range(len(runs))]


def over_seeds(values):
    """Returns mean and standard deviation of a number over the seeds; None if a run has no such number."""
    if None in values:
        return None
    return {"mean": statistics.fmean(values), "sd": statistics.stdev(values) if len(values) > 1 else 0.0}


def alone(reports):
    """Returns the share of children whose work the parents' threads did themselves."""
    return over_seeds([r["device"]["alone_share"] for r in reports])


def searches(sources):
    return f"{sources} searches at once" if sources > 1 else "one search"


def cell(value, form, scale=1, unit="", sd=False):
    """Formats a mean for a table, with `sd` followed by the standard deviation; a dash for None."""
    blank = len(format(0, form)) + len(unit) + (9 if sd else 0)
    if value is None:
        return "-".rjust(blank)
    text = format(value["mean"] * scale, form) + unit
    return text + f" +-{value['sd'] * scale:<6.{form.partition('.')[2].rstrip('f') or 0}f}" if sd else text


def print_answers(rows, what="points", right="all searches agree with a plain BFS in every run"):
    """Prints the last line of a table: whether all answers are right."""
    wrong = sum(not r["answer_ok"] for r in rows)
    print("answers: " + (f"WRONG in {wrong} {what}" if wrong else right))


def further(rest):
    """Returns the arguments passed to `heddle run`, for the title of a table."""
    return "".join(" " + word for word in rest)


def main(prog, doc, points, words, make_rows, table, options=None, engine="model"):
    """Makes a table, from its options to its JSON. points(a, p) returns the points to run, as tuples; words(a, *point)
    the arguments of a point for `heddle run`; make_rows(a, reports by point) the rows; table(a, rest, rows) prints
    them; options(p) adds the table's own options. Returns the options and the rows."""
    p = parser(prog, doc)
    p.add_argument("--engine", default=engine, choices=("both", "model"),
                   help=f"both: the first seed in lockstep; model: the golden model alone (default {engine})")
    if options:
        options(p)
    a, rest = arguments(p)
    at = points(a, p)
    reports = dict(zip(at, spread(a, [[*words(a, *point), *rest] for point in at])))
    rows = make_rows(a, reports)
    publish(a, rest, rows, lambda: table(a, rest, rows))
    return a, rows


def publish(a, rest, rows, table):
    """Prints the table and writes all numbers to a.json; with --json alone prints only the numbers."""
    result = {"version": 1, "config": a.config, "options": rest, "rows": rows}
    if a.json == "-":
        print(json.dumps(result, indent=1))
        return
    table()
    if a.json:
        put_text(a.json, json.dumps(result, indent=1) + "\n")
