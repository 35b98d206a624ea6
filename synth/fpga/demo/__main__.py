#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""heddle fpga demo: makes the bitstream of the demonstrator, or runs a work on it in lockstep with the golden model."""
import argparse
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
if not os.path.exists("rtl/heddle.core"):
    sys.exit("heddle fpga demo: run it from the top of a checkout (there is no rtl/heddle.core here)")
sys.path[:0] = [HERE, "synth/fpga", "synth/area", "rtl", "tb/build", "python"]
import board  # noqa: E402
import ecp5  # noqa: E402
import flow  # noqa: E402
import heddle  # noqa: E402
import line  # noqa: E402
import lockstep  # noqa: E402
import model  # noqa: E402
import tools  # noqa: E402
import work  # noqa: E402
import yowasp  # noqa: E402
from hdgen.tables import NAMES  # noqa: E402
from progress import Progress  # noqa: E402
from report import num  # noqa: E402
from usage import Parser, ended  # noqa: E402

import bitstream  # noqa: E402

EPILOG = """\
Examples:
  heddle fpga demo                                    the bitstream, in build/fpga
  heddle fpga demo --port sim                         the bundled trace on the simulated board
  heddle fpga demo --port /dev/ttyUSB0 --trace FILE   a trace on a ULX3S 85F
  heddle fpga demo --port sim --bfs GRAPH             a breadth-first search

Exit codes: 0 done, no difference; 1 board and model differ; 2 bad usage, no board, no tools, or it does not fit."""
SMALL = os.path.join(HERE, "small.trace")
BLOCK, REGS = 64, 8  # of a search in tiny


def arguments():
    p = Parser(prog="heddle fpga demo", usage="%(prog)s [OPTION..]", epilog=EPILOG,
               formatter_class=argparse.RawDescriptionHelpFormatter,
               description="Makes the bitstream of the demonstrator on a ULX3S 85F; or, with --port, runs a work on\n"
                           "it and compares each hand-out with the golden model, to the cycle.")
    p.add_argument("-c", "--config", default="tiny", metavar="NAME",
                   help="configuration: " + ", ".join(NAMES) + " (default tiny)")
    p.add_argument("--seed", type=int, default=1, metavar="N", help="seed of the placement, or of the simulated board")
    p.add_argument("-o", "--output", metavar="FILE", help="the bitstream (default build/fpga/demo-NAME.bit)")
    p.add_argument("-p", "--port", metavar="PORT", help="serial port of the board; sim: the simulated board")
    p.add_argument("--trace", metavar="FILE", help="run this trace (default: a small one)")
    p.add_argument("--bfs", metavar="GRAPH", help="run a breadth-first search in a graph")
    p.add_argument("--policy", default="rr", choices=heddle.policies(), metavar="NAME",
                   help=f"policy of the SMX scheduler: {', '.join(heddle.policies())} (default rr)")
    a = p.parse_args()
    if a.trace and a.bfs:
        p.error("--trace and --bfs: one of them")
    return a


def make(a):
    design = flow.Design(a.config)
    to = a.output or f"build/fpga/demo-{design.name}.bit"
    with Progress(quiet=False, begins=True) as progress:
        demo = bitstream.Demo(design, progress)
        figures, config = demo.routed(a.seed)
        demo.pack(config, to)
    share = ecp5.share(figures, bitstream.DEVICE)
    for part, name in ecp5.PARTS.items():
        print(f"{num(figures[part]):>7} {name}, {share[part]} %")
    print(f"{figures['mhz']:>7} MHz; the board has {bitstream.MHZ}")
    print(f"longest path: {figures['ns']} ns, {figures['wire_ns']} of it wires, {figures['from']} -> {figures['to']}")
    print(f"{to}: {os.path.getsize(to):,} bytes, {ecp5.name(bitstream.DEVICE)}, seed {a.seed}, {yowasp.versions()}")
    return 0


def port_of(a):
    if a.port != "sim":
        return line.Port(a.port)
    target = f"{a.config}/ulx3s/demo"
    if subprocess.run([sys.executable, "tb/build", target]).returncode:
        raise line.Failed(f"{target} cannot be built")
    return line.Simulated(f"build/{target}.so", a.seed)


def run(a):
    job = (work.of_rounds("bfs", a.bfs, a.config, BLOCK, REGS, sources=1) if a.bfs else
           work.of_trace(a.trace or SMALL, a.config))
    pins = lockstep.accessors(a.config)
    golden = model.Model(pins, a.config, a.policy, job)
    port = port_of(a)
    began = time.monotonic()
    try:
        events, stalls = lockstep.run(board.Board(port), golden, job, pins)
    except lockstep.Mismatch as e:
        print(f"MISMATCH\n{e}")
        return 1
    finally:
        port.close()
    tbs = sum(isinstance(e, board.Tb) for e in events)
    print(f"PASS: {num(len(job.launches))} kernels, {num(tbs)} hand-outs in {num(events[-1].cycle)} cycles, {stalls} "
          f"stalls of the trace, {time.monotonic() - began:.1f} s")
    return 0


def main():
    a = arguments()
    try:
        return run(a) if a.port else make(a)
    except (line.Failed, tools.Failed, flow.Failed, heddle.Error) as e:
        print(f"heddle fpga demo: {e}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    try:
        sys.exit(ended(main, "heddle fpga demo"))
    except SystemExit as e:  # errors of the generator are texts
        if isinstance(e.code, str):
            print(f"heddle fpga demo: {e.code}", file=sys.stderr)
            sys.exit(2)
        raise
