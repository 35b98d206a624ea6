# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Estimates the time of a campaign on a number of cores from the rates that a run measured."""
import heapq
import json

CORES = (1, 16, 256)


def rates(s):
    """Returns {(block, configuration): processor seconds per cycle}."""
    out = {}
    for block, of in s["matrix"].items():
        for config, profiles in of.items():
            cycles = sum(c["cycles"] for c in profiles.values())
            if cycles:
                out[block, config] = sum(c["processor"] for c in profiles.values()) / cycles
    return out


def seconds(plan, s):
    """Returns the seconds of each job of lockstep, and the list of (block, configuration) that the run did not
    measure."""
    measured, times, missing = rates(s), [], set()
    for j in plan["jobs"]:
        if j["kind"] == "equiv":
            rate = measured.get((j["block"], j["config"]))
            if rate is None:
                missing.add((j["block"], j["config"]))
            else:
                times.append(rate * j["cycles"])
    return times, sorted(missing)


def wall(times, cores):
    """Returns the total time if the longest jobs start first, each on the core that becomes free first."""
    free = [0.0] * cores
    for t in sorted(times, reverse=True):
        heapq.heappush(free, heapq.heappop(free) + t)
    return max(free)


def duration(t):
    return f"{t / 3600:.1f} h" if t >= 5400 else f"{t / 60:.1f} min"


def table(plan, path):
    """Returns the lines of the table, from the summary of a run at `path`."""
    with open(path) as f:
        s = json.load(f)
    times, missing = seconds(plan, s)
    if not times:
        raise ValueError("no block and configuration of the campaign was measured there")
    own = s["engine"]["processor"] / s["engine"]["jobs"] if s["engine"]["jobs"] else 0.0
    yield (f"{plan['campaign']}: {len(times)} jobs of lockstep, {duration(sum(times))} of processor time "
           f"by the rates that {s['run']} measured")
    yield f"  {'cores':>5}  {'takes':>10}  {'of ideal':>8}"
    for cores in CORES:
        took = wall([t + own for t in times], cores)
        yield f"  {cores:5}  {duration(took):>10}  {sum(times) / cores / took:8.0%}"
    yield (f"  longest job {duration(max(times))}; {own:.2f} s of processor time per job are the engine's, "
           f"{own * len(times) / (sum(times) + own * len(times)):.1%} of the total")
    yield "  assumed: cores as fast as those measured, one job per core, all objects built, no wait for files"
    if missing:
        yield "  not measured, therefore omitted: " + " ".join(f"{b}/{c}" for b, c in missing)
