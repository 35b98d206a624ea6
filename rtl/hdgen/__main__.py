#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Generates everything that RTL, C model and harness must agree on, from the CSV tables of the RTL.

  rtl                                         generated RTL that is committed: packages, limits, the wiring of
                                              the plane, rtl/configs, files.f
  config --config NAME [--set P=V]... -o FILE   a configuration as a list of macros, to be read before files.f
  head -o DIR                                 C headers and tables for all configurations, and the wires of the plane
  bind --config NAME --block B [--netlist] -o FILE   the C++ binding of one Verilated block
  vlt  --block B -o FILE                      the signals that Verilator keeps visible for the binding
  gtkw --config NAME --block B -o FILE        the block's GTKWave view for a configuration
  doc  --block B | --cluster C | --regs [-o FILE]   the port table of a block or a cluster, or the register map, as
                                              Markdown
  rdl  --config NAME [--set P=V]... -o FILE   the register file of a configuration in SystemRDL 2.0
  ipxact --config NAME [--set P=V]... -o FILE   the same in IP-XACT (IEEE 1685-2014)
  python --config NAME [--set P=V]... [--block B] -o FILE   a Python module: ports of a block (default top) and their
                                              fields, registers
  list                                        the configurations and the blocks
"""
import argparse
import os
import sys

sys.dont_write_bytecode = True  # leaves no files in an installed RTL folder
sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
from hdgen import binding, clusters, exchange, fields, headers, nets, pins  # noqa: E402
from hdgen import registers, signals, sv, traces, views  # noqa: E402
from hdgen.output import write  # noqa: E402
from hdgen.tables import BLOCKS, NAMES  # noqa: E402


def doc(a):
    if a.regs:
        return registers.gen_regs_doc()
    return clusters.gen_doc(a.cluster) if a.cluster else views.gen_doc(a.block)


ONE_FILE = {
    "config": lambda a: sv.gen_config(a.config, a.set),
    "bind": lambda a: binding.gen_bind(a.config, a.set, a.block, a.netlist),
    "vlt": lambda a: signals.gen_vlt(a.block),
    "gtkw": lambda a: views.gen_gtkw(a.config, a.set, a.block),
    "doc": doc,
    "rdl": lambda a: exchange.gen_rdl(a.config, a.set),
    "ipxact": lambda a: exchange.gen_ipxact(a.config, a.set),
    "python": lambda a: pins.gen_python(a.config, a.set, a.block or "top"),
    "list": lambda a: f"configurations: {' '.join(NAMES)}\nblocks: {' '.join(BLOCKS)}\n",
}


def arguments():
    p = argparse.ArgumentParser(prog="hdgen", description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("what", choices=[*ONE_FILE, "head", "rtl"])
    p.add_argument("--config", default="k20c")
    p.add_argument("--set", action="append", default=[], metavar="PARAM=VALUE")
    p.add_argument("--block", choices=BLOCKS)
    p.add_argument("--cluster", choices=clusters.CLUSTERS)
    p.add_argument("--regs", action="store_true")
    p.add_argument("--netlist", action="store_true")
    p.add_argument("-o", dest="out")
    a = p.parse_args()
    if not a.block and (a.what in ("bind", "vlt", "gtkw") or a.what == "doc" and not (a.regs or a.cluster)):
        p.error(f"{a.what}: --block is required")
    if not a.out and a.what == "head":
        p.error("head: -o FOLDER is required")
    return a


def head(folder):
    write(f"{folder}/hd_types.h", headers.gen_types_h())
    write(f"{folder}/hd_policies.h", headers.gen_policies_h())
    write(f"{folder}/hd_blocks.h", headers.gen_blocks_h())
    for b in BLOCKS:
        write(f"{folder}/hd_{b}_ports.h", headers.gen_ports_h(b))
    write(f"{folder}/hd_regs_map.h", registers.gen_regs_h())
    write(f"{folder}/hd_cfg_table.c", headers.gen_cfg_c())
    write(f"{folder}/fields_table.c", fields.gen_fields_c())
    write(f"{folder}/plane_wires.c", nets.gen_wires_c())
    for name, text in traces.gen_names().items():
        write(f"{folder}/names/{name}", text)


def main():
    a = arguments()
    if a.what == "head":
        head(a.out)
    elif a.what == "rtl":
        sv.write_kept()
    else:
        write(a.out, ONE_FILE[a.what](a))


if __name__ == "__main__":
    try:
        main()
    except OSError as e:
        sys.exit(f"hdgen: {e.filename}: {e.strerror}")
