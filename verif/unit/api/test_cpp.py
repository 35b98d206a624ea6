#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""heddle.hpp with g++ and clang++, strict and sanitized: used, misused, and beside `heddle run` on random traces. Every
hand-out, completion and end of a kernel must come in the same cycle, with kernels and groups from the device, under
every policy, with SMXs that stall. Run from the top of the checkout, after `make all build/san/libheddle.a`.
Ends with `N passed, N failed`.  test_cpp.py [SEED]: another seed of the traces"""
import csv
import os
import random
import shutil
import subprocess
import sys
import tempfile

FLAGS = "-Wall -Wextra -Wpedantic -Werror -Wshadow -Wconversion -iquote build -iquote cmodel".split()
SANITIZED = "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined".split()
POLICIES = ["rr", "tb-pri", "smx-bind", "adaptive-bind"]
LAUNCHES = ["flat", "cdp", "dtbl"]
#         configuration, launches, policy, --ideal, --take-every, --pending
CASES = [("k20c", "flat", "rr", False, 1, 2048), ("k20c", "flat", "rr", False, 3, 2048),
         ("tiny", "flat", "rr", False, 1, 2048), ("tiny+NumSmx=3+CtasPerSmx=2", "flat", "rr", False, 2, 2048),
         ("gtx480", "flat", "rr", False, 1, 2048), ("big", "flat", "rr", False, 1, 2048)]
CASES += [(config, launch, policy, ideal, 1, 2048) for config in ("k20c", "tiny") for launch in ("cdp", "dtbl")
          for policy in POLICIES for ideal in (False, True)]
CASES += [("k20c", "dtbl", "rr", True, 2, 40), ("tiny", "cdp", "rr", True, 1, 12), ("tiny", "dtbl", "rr", True, 3, 12),
          ("tiny+AgtHash=0", "dtbl", "rr", True, 1, 2048), ("k20c+AgtHash=1+AgtSize=64", "dtbl", "rr", True, 1, 2048)]
failed = passed = 0


def tell(good, name, text=""):
    global failed, passed
    passed, failed = passed + good, failed + (not good)
    print(f"{'ok' if good else 'FAILED':7} {name}")
    if not good:
        print("\n".join("        " + line for line in text.splitlines()[-20:]))


def run(*words, **keywords):
    return subprocess.run(words, text=True, capture_output=True, timeout=300, **keywords)


def kernel(r, config, arrival, device):
    """A kernel of a trace, and the calls of its TBs."""
    small = config.startswith("tiny")
    hwqs, threads, smem = (2, (32, 64), (0, 256)) if small else (16, (32, 96, 256, 512), (0, 1024, 9000))
    regs = (0, 8) if small else (0, 16, 32)
    grid = r.choice([(r.randint(1, 40), 1, 1), (r.randint(1, 9), r.randint(1, 4), 1), (3, 2, r.randint(1, 3))])
    tbs = grid[0] * grid[1] * grid[2]
    k = {"arrival": arrival, "hwq": r.randrange(hwqs), "grid": grid, "block": (r.choice(threads), 1, 1),
         "regs": r.choice(regs), "smem": r.choice(smem), "calls": [],
         "duration": [r.choice((1, 5, 40, r.randint(1, 900))) for _ in range(tbs)]}
    warps = k["block"][0] // 32
    for _ in range(r.randint(0, min(3, warps)) if device else 0):
        first = r.randrange(tbs)
        k["calls"].append({"first": first, "last": r.randint(first, tbs - 1), "step": r.randint(1, 3),
                           "before": r.choice((0, 1, r.randint(0, 500))), "threads": r.randint(1, 32),
                           "grid": r.randint(1, 4), "block": (32 * r.randint(1, 2), 1, 1), "regs": regs[1],
                           "smem": r.choice(smem[:2]), "duration": r.choice((1, 20, r.randint(1, 400)))})
    return k


def kernels_of(r, config, device):
    arrival, kernels = 0, []
    for _ in range(r.randint(12, 30)):
        arrival += r.choice((0, 0, 1, 7, r.randint(0, 800)))
        kernels.append(kernel(r, config, arrival, device))
    if device and not any(k["calls"] for k in kernels):
        return kernels_of(r, config, device)
    return kernels


def words(*values):
    return " ".join(str(v) for v in values)


def as_trace(kernels):
    lines = ["heddle-trace 2"]
    for n, k in enumerate(kernels):
        lines.append(words("kernel", f"k{n}", k["arrival"], k["hwq"], *k["grid"], *k["block"], k["regs"], k["smem"],
                           f"each({', '.join(map(str, k['duration']))})"))
        lines += [words("launch", f"{c['first']}-{c['last']}/{c['step']}", c["before"], c["threads"], c["grid"],
                        *c["block"], c["regs"], c["smem"], c["duration"]) for c in k["calls"]]
    return "\n".join(lines) + "\n"


def as_numbers(kernels):
    lines = [len(kernels)]
    for k in kernels:
        lines.append(words(k["arrival"], k["hwq"], *k["grid"], *k["block"], k["regs"], k["smem"], *k["duration"],
                           len(k["calls"])))
        lines += [words(c["first"], c["last"], c["step"], c["before"], c["threads"], c["grid"], *c["block"], c["regs"],
                        c["smem"], c["duration"]) for c in k["calls"]]
    return "\n".join(map(str, lines)) + "\n"


def heddle_run(folder, kernels, config, launch, policy, ideal, take_every, pending):
    """What heddle run has of each TB and of each kernel of the host."""
    name, *changes = config.split("+")
    with open(f"{folder}/trace", "w") as f:
        f.write(as_trace(kernels))
    options = [f"--launch={launch}", f"--policy={policy}", f"--pending={pending}"] if launch != "flat" else []
    done = run("build/heddle", "run", "--trace", f"{folder}/trace", "--engine", "model", "-c", name,
               *(f"--set={c}" for c in changes), f"--take-every={take_every}", *options, *["--ideal"] * ideal,
               "--timeline", f"{folder}/tbs.csv", "--kernels", f"{folder}/kernels.csv")
    if done.returncode != 0:
        raise SystemExit(f"heddle run: exit code {done.returncode}\n{done.stdout[-1000:]}{done.stderr}")
    with open(f"{folder}/tbs.csv", newline="") as f:
        tbs = {words("tb", *(r[c] for c in ("kernel", "id", "smx", "slot", "dispatched", "done", "child")))
               for r in csv.DictReader(f)}
    with open(f"{folder}/kernels.csv", newline="") as f:
        ends = {words("kernel", r["kernel"], r["done"]) for r in csv.DictReader(f) if r["kind"] == "host"}
    return tbs, ends


def ascend(tbs):
    """Are the TBs of each launch handed out in the order of their ids?"""
    last = {}
    for number, tb, _, _, _, _, child in sorted((tuple(map(int, t.split()[1:])) for t in tbs), key=lambda t: t[4]):
        if last.get((number, child), -1) >= tb:
            return False
        last[number, child] = tb
    return True


def through_adapter(program, kernels, config, launch, policy, ideal, take_every, pending):
    return run(program, config, str(POLICIES.index(policy)), str(LAUNCHES.index(launch)), str(int(ideal)),
               str(take_every), str(pending), input=as_numbers(kernels))


def notices(folder, program):
    """A TB that runs for a cycle longer must show."""
    case = CASES[0]
    kernels = kernels_of(random.Random(5), case[0], False)
    tbs, ends = heddle_run(folder, kernels, *case)
    alike = set(through_adapter(program, kernels, *case).stdout.splitlines()) == tbs | ends
    kernels[3]["duration"][0] += 1
    tell(alike and set(through_adapter(program, kernels, *case).stdout.splitlines()) != tbs | ends,
         "a TB that runs for a cycle longer is noticed")


def compare(folder, program, cases, seed):
    tbs_all = children_all = 0
    for n, case in enumerate(cases):
        config, launch, policy, ideal, take_every, pending = case
        name = words(config, launch, policy, *["ideal"] * ideal, f"take-every {take_every} pending {pending}")
        kernels = kernels_of(random.Random(seed * 1000 + n), config, launch != "flat")
        tbs, ends = heddle_run(folder, kernels, *case)
        done = through_adapter(program, kernels, *case)
        lines = done.stdout.splitlines()
        got, children = set(lines), sum(not t.endswith(" 0") for t in tbs)
        wrong = sorted(got ^ (tbs | ends), key=lambda w: [int(v) for v in w.split()[5:6] + w.split()[1:]])
        good = done.returncode == 0 and not wrong and len(lines) == len(tbs) + len(ends)
        good = good and len(ends) == len(kernels) and (children > 0) == (launch != "flat")
        good = good and (take_every > 1 or ascend(tbs))
        text = [f"{'heddle run' if w in tbs | ends else 'heddle.hpp'}: {w}" for w in wrong[:12]]
        tell(good, f"{name}: {len(tbs)} TBs, {children} of them of {launch} launches, as heddle run",
             "\n".join(text) + f"\nexit code {done.returncode} {done.stderr[-800:]}")
        tbs_all, children_all = tbs_all + len(tbs), children_all + children
    print(f"{tbs_all} TBs compared, {children_all} of them launched by TBs")


def build(folder, compiler, source, library, *more):
    name = f"{folder}/{os.path.basename(source)[:-4]}-{os.path.basename(compiler)}"
    done = run(compiler, "-std=c++11", *FLAGS, *SANITIZED, *more, source, library, "-o", name)
    tell(done.returncode == 0, f"{os.path.basename(compiler)} -std=c++11 {source}", done.stderr)
    return name if done.returncode == 0 else None


def compilers():
    """With the library for each: sanitizers of two compilers are not linked into one program."""
    clang = next((c for c in ("clang++-19", "clang++") if shutil.which(c)), None)
    if clang is None:
        print("skipped: clang++: it is not installed")
    return [("g++", "build/san/libheddle.a")] + ([(clang, "build/libheddle.a")] if clang else [])


def main(seed):
    with tempfile.TemporaryDirectory() as folder:
        for n, (compiler, library) in enumerate(compilers()):
            for source in ("verif/unit/api/cpp_use.cpp", "verif/unit/api/cpp_trace.cpp"):
                program = build(folder, compiler, source, library)
                if program is None:
                    continue
                if source.endswith("cpp_use.cpp"):
                    done = run(program)
                    tell(done.returncode == 0 and "passed" in done.stdout, f"cpp_use, {compiler}: "
                         f"{(done.stdout.splitlines() or ['nothing'])[-1]}", done.stdout + done.stderr)
            for standard in ("14", "17", "20"):
                done = run(compiler, f"-std=c++{standard}", *FLAGS, "-fsyntax-only", "verif/unit/api/cpp_use.cpp")
                tell(done.returncode == 0, f"{compiler} -std=c++{standard}", done.stderr)
            if os.path.exists(f"{folder}/cpp_trace-{compiler}"):
                compare(folder, f"{folder}/cpp_trace-{compiler}", CASES[::1 + 3 * n], seed + n)
                notices(folder, f"{folder}/cpp_trace-{compiler}")
    print(f"{passed} passed, {failed} failed")
    return failed == 0


if __name__ == "__main__":
    sys.exit(not main(int(sys.argv[1]) if len(sys.argv) > 1 else 1))
