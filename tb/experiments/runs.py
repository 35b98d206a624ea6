# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Many runs of `heddle run`, side by side, for the scripts that make tables of them."""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys


def parser(prog, doc):
    """Options that all tables have."""
    p = argparse.ArgumentParser(prog=prog, description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--config", default="k20c", help="configuration of the plane (k20c)")
    p.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at once (one for each processor)")
    p.add_argument("--heddle", default="build/heddle", help="the command (build/heddle)")
    p.add_argument("--json", nargs="?", const="-", metavar="FILE",
                   help="all numbers as JSON: to stdout, or to FILE beside the table")
    return p


def arguments(p):
    """The parsed options, and what follows -- for `heddle run`."""
    own, rest = sys.argv[1:], []
    if "--" in own:
        rest = own[own.index("--") + 1:]
        own = own[:own.index("--")]
    return p.parse_args(own), rest


def numbers(p, option, text):
    try:
        return [int(n) for n in text.split(",")]
    except ValueError:
        p.error(f"{option} {text}: accepted: whole numbers parted by commas")


def report(a, options):
    """The JSON report of one run; a run that fails ends the script with its text and exit code."""
    done = subprocess.run([a.heddle, "run", "--config", a.config, "--json", *options], capture_output=True, text=True)
    if done.returncode:
        sys.stderr.write(done.stderr or done.stdout)
        os._exit(done.returncode)  # at once: the other runs are not waited for
    return json.loads(done.stdout)


def reports(a, runs):
    """The reports of several runs, in their order; a line for each that ends, on a terminal."""
    def one(options):
        r = report(a, options)
        if sys.stderr.isatty():
            print("  done: heddle run " + " ".join(options), file=sys.stderr)
        return r
    with concurrent.futures.ThreadPoolExecutor(max(1, a.jobs)) as pool:
        return list(pool.map(one, runs))


def publish(a, rest, rows, table):
    """The table on stdout, all numbers in a.json; with --json alone they are on stdout instead."""
    result = {"version": 1, "config": a.config, "options": rest, "rows": rows}
    if a.json == "-":
        print(json.dumps(result, indent=1))
        return
    table()
    if a.json:
        with open(a.json + ".tmp", "w") as f:
            json.dump(result, f, indent=1)
            f.write("\n")
        os.replace(a.json + ".tmp", a.json)
