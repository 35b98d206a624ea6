#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""heddle area: area and longest paths of the blocks and their tables."""
import argparse
import json
import os
import sys

import blocks
import budget
import costs
import floorplan
import flow
import growth
import kept
import library
import plot
import ram
import report
import tables
from usage import Parser, ended
from hdgen.output import usable
from hdgen.tables import BLOCKS, NAMES

EPILOG = """\
Examples:
  heddle area                            every block of k20c, as text
  heddle area kd --path                  the KD, and its longest path step by step
  heddle area --set NumSmx=32 --json     another machine, as JSON
  heddle area kd --liberty my.lib        in cells of your own
  heddle area --growth --plot grow.svg   over SMXs, KD entries, AGT entries, ..
  heddle area --growth --axis=PqDepth pq a bank over the number of its places
  heddle area --costs                    what each paper's proposal adds to the plane of k20c
  heddle area --floorplan --plot f.svg   where the blocks of the plane could lie, and its longest wires

Exit codes: 0 done, 1 over budget, 2 bad usage, or the synthesis failed (a latch, a RAM turned into flops)."""


def arguments():
    p = Parser(prog="heddle area", usage="%(prog)s [OPTION..] [BLOCK..]", epilog=EPILOG,
               formatter_class=argparse.RawDescriptionHelpFormatter,
               description="Reports area and timing of blocks and tables, by synthesis to standard cells and a model "
                           "of RAM macros.")
    p.add_argument("blocks", nargs="*", metavar="BLOCK", help="report only these blocks: " + " ".join(BLOCKS)
                   + "; with --growth also these parts of blocks: " + " ".join(growth.PARTS))
    p.add_argument("-c", "--config", default="k20c", metavar="NAME",
                   help="configuration: " + ", ".join(NAMES) + " (default k20c)")
    p.add_argument("-s", "--set", action="append", default=[], metavar="PARAM=VALUE",
                   help="change a parameter of the configuration; may be repeated")
    p.add_argument("-n", "--node", type=int, choices=sorted(ram.NODES), metavar="NM",
                   help=f"process node of the um^2: {', '.join(map(str, sorted(ram.NODES)))} "
                        f"(default {library.NODE}); with --liberty: node of the RAM model alone")
    p.add_argument("-l", "--liberty", metavar="FILE", action="append",
                   help="use the standard cells of this file, plain or compressed; repeat it for a library in several "
                        "files; its smallest NAND2 and inverter define GE and FO4; or the name of a library of Debian: "
                        + ", ".join(library.NAMED))
    p.add_argument("-r", "--ram-table", metavar="FILE",
                   help=f"use your RAM macros, a CSV file with {','.join(ram.Table.COLUMNS)}")
    p.add_argument("-j", "--json", metavar="[=FILE]", help="print the report as JSON, or write it to FILE")
    p.add_argument("--csv", metavar="[=FILE]", help="print the report as CSV, or write it to FILE")
    p.add_argument("-p", "--plot", metavar="FILE", help="plot the blocks: FILE.svg or FILE.png")
    p.add_argument("--path", action="store_true", help="print the longest path of each block, step by step")
    p.add_argument("--netlist", metavar="FILE",
                   help="write the mapped Verilog of one BLOCK with its submodules and report nothing "
                        f"(cells: {flow.CELLS}, with --liberty: {flow.OWN_CELLS})")
    p.add_argument("--growth", action="store_true",
                   help="report area and longest path over SMXs, KD entries, AGT entries, entries and levels of a bank")
    p.add_argument("--axis", action="append", default=[], choices=growth.PARAMETERS, metavar="PARAM",
                   help=f"with --growth: only over this parameter: {', '.join(growth.PARAMETERS)}; may be repeated")
    p.add_argument("--costs", action="store_true",
                   help="report what each proposal of the papers costs: k20c-base, -cdp, -dtbl, -laperm, -wireframe "
                        "and k20c, and their differences")
    p.add_argument("--floorplan", action="store_true",
                   help="place the blocks of the plane by area and wires, and report the longest wires between them")
    p.add_argument("--check", action="store_true", help=f"compare with {budget.FILE}")
    p.add_argument("--accept", action="store_true", help=f"write {budget.FILE} and {kept.FILE}")
    # A value of --json or --csv follows "=", so that the next argument may be a block.
    alone = {"-j": "--json=-", "--json": "--json=-", "--csv": "--csv=-"}
    a = p.parse_args([alone.get(arg, arg) for arg in sys.argv[1:]])
    for b in a.blocks:
        if b not in BLOCKS and not (a.growth and b in growth.PARTS):
            p.error(f"no block '{b}'; there are: {', '.join(BLOCKS)}")
    if a.netlist and len(a.blocks) != 1:
        p.error("--netlist wants one BLOCK")
    if (a.netlist or a.check or a.accept) and (a.json or a.csv or a.plot or a.path) or a.check and a.accept:
        p.error("--netlist, --check and --accept report nothing else: no --json, --csv, --plot, --path")
    if a.json == a.csv == "-":
        p.error("--json and --csv: one of them to stdout")
    if a.plot and not plot.plottable(a.plot):
        p.error(f"--plot {a.plot}: it must end in .svg or .png")
    if (a.liberty or a.ram_table) and (a.check or a.accept):
        p.error("--check and --accept are for the cells and RAM of the budget: no --liberty, no --ram-table")
    if a.ram_table and (a.node or not a.liberty):
        p.error("--ram-table goes with --liberty, of the same process, and without --node: its um^2 and ns are taken "
                "as they are")
    if a.growth and (a.netlist or a.set or a.csv or a.path or a.check or a.accept):
        p.error("--growth goes with --config, --axis, --json, --plot, --liberty, --ram-table and blocks alone")
    if a.axis and not a.growth:
        p.error("--axis goes with --growth")
    if a.costs and (a.blocks or a.growth or a.netlist or a.set or a.csv or a.plot or a.path or a.check or a.accept):
        p.error("--costs goes with --json, --liberty, --node and --ram-table alone")
    if a.floorplan and (a.blocks or a.growth or a.costs or a.netlist or a.csv or a.path or a.check or a.accept):
        p.error("--floorplan goes with --config, --set, --node, --json, --plot, --liberty and --ram-table alone")
    if a.growth and not growth.chosen(a.axis, a.blocks):
        p.error("--growth shows none of these blocks over these parameters")
    for path in filter(None, (a.json, a.csv, a.plot, a.netlist)):
        if path != "-":
            usable(path)
    return a


def note(text):
    """Shows progress: one line that is overwritten on a terminal, one line per step elsewhere."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[Ksynthesizing {text} " if text else "\r\033[K")
    elif text:
        sys.stderr.write(f"  area   {text}\n")
    sys.stderr.flush()


def put(where, content):
    if where == "-":
        sys.stdout.write(content)
    else:
        flow.write(where, content)


def emit(a, data, text, draw, csv=None):
    """Prints every requested form; text if none of them goes to stdout."""
    if a.json:
        put(a.json, json.dumps(data, indent=2) + "\n")
    if csv and a.csv:
        put(a.csv, csv)
    if a.plot:
        draw(a.plot)
    if "-" not in (a.json, a.csv):
        sys.stdout.write(text)


def target(a):
    """Returns the requested cells and RAM macros."""
    try:
        rams = ram.Table(a.ram_table) if a.ram_table else None
    except ValueError as e:
        raise flow.Failed(e)
    return library.of(a.liberty, a.node, rams) if a.liberty else library.default(a.node)


def main():
    a = arguments()
    lib = target(a)
    if a.growth:
        axes = growth.chosen(a.axis, a.blocks)
        grown = growth.measure(a.config, axes, note, lib)
        note("")
        emit(a, grown, growth.text(grown, axes), lambda path: growth.plot(grown, axes, path))
        return 0
    if a.costs:
        found = costs.measure(note, lib)
        note("")
        emit(a, found, costs.text(found), None)
        return 0
    design = flow.Design(a.config, a.set)
    wanted, names = set(a.blocks), tables.blocks_of(a.blocks or blocks.ALL)
    if a.check:
        plane = blocks.plane(design, names, note, budget.recipes(design.name), lib)
        good, bad = budget.check(report.data(design, plane, lib, wanted))
        if not bad:
            print("\n".join(budget.other_tools() + [f"{len(good)} passed, 0 failed"]))
            return 0
    plane = blocks.plane(design, names, note, lib=lib)
    note("")
    if a.netlist:
        flow.write(a.netlist, "".join(open(f).read() for f in plane[a.blocks[0]].files()))
        flow.cell_models(lib)
        return 0
    data = report.data(design, plane, lib, wanted)
    if a.check:
        good, bad = budget.check(data)
        print("\n".join(budget.other_tools() + bad + [f"{len(good)} passed, {len(bad)} failed"]))
        return 1 if bad else 0
    if a.accept:
        print("\n".join(budget.accept(data)) or "nothing changed")
        kept.accept(design.name, [plane[b["name"]] for b in data["blocks"]])
        return 0
    if a.floorplan:
        found = floorplan.data(design.name, design.params, data, note)
        note("")
        emit(a, found, floorplan.text(found), lambda path: floorplan.plot(found, path))
        return 0
    text = report.text(data)
    if a.path:
        text = "\n".join(report.path_text(plane[b["name"]]) for b in data["blocks"])
    emit(a, data, text, lambda path: report.plot(data, path), report.csv_text(data))
    return 0


if __name__ == "__main__":
    if not os.path.exists("rtl/heddle.core"):
        sys.exit("heddle area: run it from the top of a checkout (there is no rtl/heddle.core here)")
    try:
        sys.exit(ended(main, "heddle area"))
    except flow.Failed as e:
        note("")
        print(f"heddle area: {e}", file=sys.stderr)
        sys.exit(2)
    except SystemExit as e:  # errors of the generator are texts
        if isinstance(e.code, str):
            print(f"heddle area: {e.code}", file=sys.stderr)
            sys.exit(2)
        raise
