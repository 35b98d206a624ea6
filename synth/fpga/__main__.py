#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""heddle fpga: places and routes blocks on an FPGA, and reports what they take and how fast they are."""
import argparse
import json
import os
import sys

if sys.argv[1:2] == ["demo"]:
    os.execv(sys.executable, [sys.executable, "synth/fpga/demo", *sys.argv[2:]])
if not os.path.exists("rtl/heddle.core"):
    sys.exit("heddle fpga: run it from the top of a checkout (there is no rtl/heddle.core here)")
sys.path[:0] = ["synth/area", "rtl", "tb/build"]
import ecp5  # noqa: E402
import figures  # noqa: E402
import flow  # noqa: E402
import place  # noqa: E402
import tools  # noqa: E402
from hdgen.output import put_text, usable  # noqa: E402
from hdgen.tables import BLOCKS, NAMES  # noqa: E402
from parallel import threads  # noqa: E402
from progress import Progress  # noqa: E402
from usage import Parser, ended  # noqa: E402

EPILOG = """\
Examples:
  heddle fpga fcfs                       the FCFS controller of k20c
  heddle fpga pq link --seeds 9 --json   the best of nine seeds, as JSON
  heddle fpga kd --set NumKde=64         another size
  heddle fpga top -c tiny                the plane of tiny: half an hour
  heddle fpga demo --help                the demonstrator on a board

Exit codes: 0 done, 2 bad usage, no tools, or a block that does not fit or cannot be routed."""


def arguments():
    p = Parser(prog="heddle fpga", usage="%(prog)s [OPTION..] BLOCK..", epilog=EPILOG,
               formatter_class=argparse.RawDescriptionHelpFormatter,
               description="Places and routes blocks on an FPGA (ECP5), and reports LUTs, flops, RAM and clock rate.\n"
                           "Yosys and nextpnr come from PyPI at the first use.")
    p.add_argument("blocks", nargs="+", metavar="BLOCK", help="block: " + " ".join(BLOCKS))
    p.add_argument("-c", "--config", default="k20c", metavar="NAME",
                   help="configuration: " + ", ".join(NAMES) + " (default k20c)")
    p.add_argument("-s", "--set", action="append", default=[], metavar="PARAM=VALUE",
                   help="change a parameter of the configuration; may be repeated")
    p.add_argument("-d", "--device", default="85k", choices=list(ecp5.DEVICES), metavar="SIZE",
                   help=f"device: {', '.join(ecp5.DEVICES)}, thousands of LUTs (default 85k)")
    p.add_argument("--seeds", type=int, default=3, metavar="N", help="place and route with N seeds (default 3)")
    p.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N",
                   help="number of tools at once (default: one per processor)")
    p.add_argument("-j", "--json", metavar="[=FILE]", help="print the report as JSON, or write it to FILE")
    p.add_argument("--csv", metavar="[=FILE]", help="print the report as CSV, or write it to FILE")
    # A value of --json or --csv follows "=", so that the next argument may be a block.
    alone = {"-j": "--json=-", "--json": "--json=-", "--csv": "--csv=-"}
    a = p.parse_args([alone.get(arg, arg) for arg in sys.argv[1:]])
    for b in a.blocks:
        if b not in BLOCKS:
            p.error(f"no block '{b}'; there are: {', '.join(BLOCKS)}")
    for name in ("seeds", "jobs"):
        if getattr(a, name) < 1:
            p.error(f"--{name} {getattr(a, name)}: accepted: 1 or more")
    if a.json == a.csv == "-":
        p.error("--json and --csv: one of them to stdout")
    for path in filter(None, (a.json, a.csv)):
        if path != "-":
            usable(path)
    return a


def measure(a, design, progress):
    """Returns (figures of the blocks, messages of those that failed)."""
    def begun(name):
        block = place.Block(design, name, progress)
        block.refuse(a.device)
        return block, [pool.submit(block.routed, a.device, seed) for seed in range(1, a.seeds + 1)]

    found, failures = [], []
    with threads(a.jobs) as pool:
        for name, future in [(b, pool.submit(begun, b)) for b in dict.fromkeys(a.blocks)]:
            try:
                block, seeds = future.result()
                found.append(figures.block(name, ecp5.counts(block.added), [s.result() for s in seeds], a.device))
            except (tools.Failed, flow.Failed) as e:
                failures.append(str(e))
    return found, failures


def main():
    a = arguments()
    design = flow.Design(a.config, a.set)
    with Progress(quiet=False, begins=True) as progress:
        found, failures = measure(a, design, progress)
    if found:
        data = figures.data(design, a.device, a.seeds, found)
        for where, content in ((a.json, json.dumps(data, indent=2) + "\n"), (a.csv, figures.csv_text(data))):
            if where == "-":
                sys.stdout.write(content)
            elif where:
                put_text(where, content)
        if "-" not in (a.json, a.csv):
            sys.stdout.write(figures.text(data))
    for text in failures:
        print(f"heddle fpga: {text}", file=sys.stderr)
    return 2 if failures else 0


if __name__ == "__main__":
    try:
        sys.exit(ended(main, "heddle fpga"))
    except SystemExit as e:  # errors of the generator are texts
        if isinstance(e.code, str):
            print(f"heddle fpga: {e.code}", file=sys.stderr)
            sys.exit(2)
        raise
