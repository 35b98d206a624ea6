#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""How often does an aggregated group find no free entry of the AGT? The golden model runs a workload with AGTs of several sizes and
with each way to choose an entry (dtbl-isca2015 sections 4.2 and 5.2 D; the hashes smx and freelist are ours).

  sweep_agt.py [--config NAME] [--sizes N,N,..] [--jobs N] [--json[=FILE]] [-- OPTION..]

What follows -- goes to `heddle run` as it is: `-- --ideal --seed 3`. The table: of the groups that found an eligible kernel, how many
overflowed; of all groups, how many found one; cycles, and the speed against the paper's size of the same hash.
"""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys

HASHES = ("paper", "smx", "freelist")  # by the value of AgtHash
BASE = 1024


def arguments():
    own, rest = sys.argv[1:], []
    if "--" in own:
        rest = own[own.index("--") + 1:]
        own = own[:own.index("--")]
    p = argparse.ArgumentParser(prog="sweep_agt.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--config", default="k20c", help="configuration of the plane (k20c)")
    p.add_argument("--sizes", default="512,1024,2048", help="entries of the AGT, powers of two (512,1024,2048)")
    p.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at once (one for each processor)")
    p.add_argument("--heddle", default="build/heddle", help="the command (build/heddle)")
    p.add_argument("--json", nargs="?", const="-", metavar="FILE", help="all numbers as JSON: to stdout, or to FILE beside the table")
    a = p.parse_args(own)
    try:
        a.sizes = [int(n) for n in a.sizes.split(",")]
    except ValueError:
        p.error(f"--sizes {a.sizes}: accepted: whole numbers parted by commas")
    return a, rest


def run(a, rest, size, value):
    command = [a.heddle, "run", "--engine", "model", "--launch", "dtbl", "--config", a.config, "--set", f"AgtSize={size}",
               "--set", f"AgtHash={value}", "--json", *rest]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.stderr.write(done.stderr or done.stdout)
        os._exit(done.returncode)  # at once: the other runs are not waited for
    report = json.loads(done.stdout)
    device = report["device"]
    return {"hash": HASHES[value], "agt_size": size, "overflow_rate": device["overflow_rate"], "match_rate": device["match_rate"],
            "groups": device["groups"], "groups_overflowed": device["groups_overflowed"], "cycles": report["cycles"],
            "wait_mean": device["wait_mean"], "records_most": device["records_most"], "bursts_read": device["bursts_read"]}


def speed(row, rows):
    base = [r for r in rows if r["hash"] == row["hash"] and r["agt_size"] == BASE]
    return base[0]["cycles"] / row["cycles"] if base else None


def main():
    a, rest = arguments()
    points = [(size, value) for value in range(len(HASHES)) for size in a.sizes]
    with concurrent.futures.ThreadPoolExecutor(max(1, a.jobs)) as pool:
        rows = list(pool.map(lambda point: run(a, rest, *point), points))
    for row in rows:
        row["speed"] = speed(row, rows)
    result = {"version": 1, "config": a.config, "options": rest, "rows": rows}
    if a.json == "-":
        print(json.dumps(result, indent=1))
        return
    print(f"AGT sweep: bfs on {a.config}, groups from the device, golden model{' ' if rest else ''}{' '.join(rest)}")
    print("  hash      entries  overflowed   matched     groups    waiting     cycles   speed")
    for r in rows:
        relative = f"{r['speed']:7.3f}" if r["speed"] else "      -"
        print(f"  {r['hash']:8}  {r['agt_size']:7}  {100 * r['overflow_rate']:8.2f} %  {100 * r['match_rate']:6.2f} %  {r['groups']:9}  "
              f"{r['wait_mean']:9.1f}  {r['cycles']:9} {relative}")
    if a.json:
        with open(a.json + ".tmp", "w") as f:
            json.dump(result, f, indent=1)
            f.write("\n")
        os.replace(a.json + ".tmp", a.json)


main()
