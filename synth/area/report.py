# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The area report: as data (its JSON keys are stable), as text, CSV and a plot."""
import csv
import io

import blocks
import ram
import tables
from plot import STYLE, draw

NOTES = """\
GE: area / area of a {nand2}, {ge_um2:g} um^2. Logic and flops: Yosys and ABC to {library}, timing by OpenSTA \
before layout (no wires).
{rams} FO4: the longest path, RAM access counted, over {fo4}.
A block's figures hold one instance and what is inside it. um^2 cells: logic and flops (um2.logic in JSON). \
{um2}. More: docs/area.md.
Made with {tools}; other versions map a little differently."""
MODELS = "RAM, low - high: models (CACTI 7, published two-port macros), not a layout."
TABLE = "RAM: the macros of the table, as many of one kind as hold a memory."


def notes(report):
    c, node = report["cells"], report["blocks"][0]["node"]
    table, fo4 = c["rams"] == "table", f"that of an {c['inverter']} that drives four of itself"
    if c["fo4_ps"] is None:
        um2 = f"um^2 for {node} nm, 1 GE = {ram.F2_PER_GE:.0f} F^2 as in the RAM model"
    else:
        fo4 = f"{c['fo4_ps']:g} ps: {c['inverter']} that drives four of itself"
        um2 = "um^2 of cells: the library's own; of RAM: " + (
            "the table's" if table else f"the models' at {node} nm" if node else "not without --node")
    return NOTES.format(**{**c, "um2": um2, "fo4": fo4, "rams": TABLE if table else MODELS})


def data(design, plane, lib, wanted):
    """Returns the report as in its JSON."""
    names = [n for n in hdgen_order(plane) if not wanted or n in wanted]
    count = instances(plane)
    out = []
    for name in names:
        b = plane[name]
        logic, flops = (b.total(lambda x, k=k: getattr(x, k)) for k in ("logic", "flops"))
        sizes = b.all_rams()
        ge, um2 = lib.ram_ge(sizes), lib.ram_um2(sizes)
        out.append({
            "name": name, "instances": count[name], "bytes": b.total(lambda x: tables.block_bytes(design, x)),
            "cells": b.total(lambda x: x.cells),
            "ge": {"total": tenth(lib.ge(logic + flops) + ge[1]), "logic": tenth(lib.ge(logic)),
                   "flops": tenth(lib.ge(flops)), "ram_low": tenth(ge[0]), "ram_high": tenth(ge[1])},
            "um2": {"logic": tenth(lib.um2(logic + flops)), "ram_low": tenth(um2[0]), "ram_high": tenth(um2[1])},
            "node": lib.node, "fo4": round(b.fo4, 1), "recipe": b.recipe, "from": b.path["from"], "to": b.path["to"],
            "inside": [{"name": kid.name, "instances": n} for kid, n in b.kids]})
    between = [{"from": p["from"], "to": p["to"], "fo4": round(p["ns"] / lib.fo4_ns, 1), "start": p["start"],
                "end": p["end"]} for p in plane["top"].boundaries] if "top" in names else []
    return {"version": 2, "config": design.name, "cells": lib.about(), "smx_memories": smx_memories(design, lib.node),
            "blocks": out, "boundaries": between, "tables": tables.report(design, plane, lib, wanted)}


def boundary(p):
    """The name of a pair of clusters."""
    return f"{p['from']} to {p['to']}"


def tenth(v):
    return None if v is None else round(v, 1)


def smx_memories(design, node):
    """Returns size and area of the registers and shared memory of all SMXs, by the model of one-port macros of 256 x
    128, for comparison with the tables."""
    total = design.params["NumSmx"] * (4 * design.params["RegsPerSmx"] + design.params["SmemPerSmx"])
    macros = total / (256 * 128 / 8)
    low, high = (macros * f(256, 128) for f in (ram.one_port_low_f2, ram.one_port_high_f2))
    return {"bytes": total, "ge": {"ram_low": round(ram.ge(low)), "ram_high": round(ram.ge(high))},
            "um2": {k: round(ram.um2(v, node)) if node else None for k, v in (("ram_low", low), ("ram_high", high))}}


def overlapping_memories(report):
    """Returns one line that compares the reported blocks with the memories of the SMXs."""
    m, first = report["smx_memories"], report["blocks"][0]
    n, g = first["instances"], first["ge"]
    share = sorted((100 * n * (g["total"] - g["ram_high"] + g["ram_low"]) / m["ge"]["ram_low"],
                    100 * n * g["total"] / m["ge"]["ram_high"]))
    return (f"Memories of the SMXs: {m['bytes'] / 1024:,.0f} KB, "
            f"{m['ge']['ram_low'] / 1000:,.0f} - {m['ge']['ram_high'] / 1000:,.0f} kGE as one-port macros. "
            f"{first['name']} beside them: {100 * n * first['bytes'] / m['bytes']:.3f} % of the bytes, "
            f"{share[0]:.2f} - {share[1]:.2f} % of the GE.")


def hdgen_order(plane):
    """Orders blocks from the outside in, each before the blocks inside it."""
    inside = {kid.name for b in plane.values() for kid, _ in b.kids}
    out = []

    def visit(b):
        if b.name not in out:
            out.append(b.name)
            for kid, _ in b.kids:
                visit(kid)
    for name, b in plane.items():
        if name not in inside:
            visit(b)
    return out


def instances(plane):
    """Returns the number of instances of each block in the report."""
    inside = {kid.name for b in plane.values() for kid, _ in b.kids}
    count = dict.fromkeys(plane, 0)

    def visit(b, n):
        count[b.name] += n
        for kid, k in b.kids:
            visit(kid, n * k)
    for name, b in plane.items():
        if name not in inside:
            visit(b, 1)
    return count


# ---- Text ----------------------------------------------------------------------------------------------------------

def aligned(rows, left):
    """Returns aligned columns of text; `left`: columns that are left-aligned."""
    widths = [max(len(r[k]) for r in rows) for k in range(len(rows[0]))]
    def line(row):
        cells = (c.ljust(w) if k in left else c.rjust(w) for k, (c, w) in enumerate(zip(row, widths)))
        return "  ".join(cells).rstrip()
    return "\n".join(map(line, rows))


def num(v, digits=0):
    return "-" if v is None else f"{v:,.{digits}f}"


def span(low, high, digits=0):
    return "-" if not high else num(high, digits) if low == high else f"{num(low, digits)} - {num(high, digits)}"


NOTHING = {"flops": None, "ram_low": 0, "ram_high": 0}


def depth(report):
    """Returns the nesting depth of each block."""
    out = {b["name"]: 0 for b in report["blocks"]}
    for b in report["blocks"]:
        for kid in b["inside"]:
            out[kid["name"]] = out[b["name"]] + 1
    return out


def text(report):
    deep = depth(report)
    rows = [["block", "", "bytes", "cells", "GE", "logic", "flops", "RAM low - high", "um^2 cells", "um^2 RAM", "FO4",
             "longest path"]]
    for b in report["blocks"]:
        g, u = b["ge"], b["um2"]
        rows.append(["  " * deep[b["name"]] + b["name"], f"x{b['instances']}" if b["instances"] != 1 else "",
                     num(b["bytes"]), num(b["cells"]), num(g["total"]), num(g["logic"]), num(g["flops"]),
                     span(g["ram_low"], g["ram_high"]), num(u["logic"]), span(u["ram_low"], u["ram_high"]),
                     num(b["fo4"], 1), f"{b['from']} -> {b['to']}"])
    trows = [["table", "block", "entries", "bits", "bytes", "kind", "flops", "GE flops", "RAM low - high",
              "um^2 flops", "um^2 RAM", "paper bytes", "ratio", "of the paper"]]
    for t in report["tables"]:
        g, u = t["ge"] or NOTHING, t["um2"] or NOTHING
        trows.append([t["name"], t["block"], num(t["entries"]), f"{t['bits']:g}" if t["bits"] else "-",
                      num(t["bytes"]), t["kind"] or "-", num(t["cells"] or None), num(g["flops"] or None),
                      span(g["ram_low"], g["ram_high"]), num(u["flops"] or None),
                      span(u["ram_low"], u["ram_high"]), num(t["paper_bytes"]), num(t["ratio"], 2),
                      t["figure"] or "-"])
    between = [["from", "to", "FO4", "longest path from one cluster into the other"]]
    between += [[p["from"], p["to"], num(p["fo4"], 1), f"{p['start']} -> {p['end']}"] for p in report["boundaries"]]
    parts = [report["config"], aligned(rows, (0, 11)), overlapping_memories(report), aligned(trows, (0, 1, 5, 13)),
             *([aligned(between, (0, 1, 3))] if between[1:] else []), notes(report)]
    return "\n\n".join(parts) + "\n"


def path_text(block):
    """Returns the longest path of a block, step by step."""
    p = block.path
    rows = [["FO4", "+", "cell", "pin", "drives"]]
    for s in p["steps"]:
        if rows[1:] and s["delay"] == 0 or block.lib.is_clock(s["cell"], s["pin"].rsplit("/", 1)[-1]):
            continue
        fo4, step = s["ns"] / block.lib.fo4_ns, s["delay"] / block.lib.fo4_ns
        rows.append([f"{fo4:.1f}", f"{step:.1f}", s["cell"], blocks.own_name(s["pin"].rsplit("/", 1)[0]),
                     s["net"] or ""])
    if p["setup"]:
        rows.append([f"{block.fo4:.1f}", f"{p['setup'] / block.lib.fo4_ns:.1f}", "setup",
                     blocks.own_name(p["to"]), ""])
    return f"{block.name}: {p['from']} -> {p['to']}, {block.fo4:.1f} FO4\n\n{aligned(rows, (2, 3, 4))}\n"


def csv_text(report):
    """Returns blocks, tables and boundaries as one CSV file; the column `row` distinguishes them."""
    head = ["row", "name", "block", "instances", "entries", "bits", "bytes", "kind", "cells",
            "ge_total", "ge_logic", "ge_flops", "ge_ram_low", "ge_ram_high",
            "um2_logic", "um2_flops", "um2_ram_low", "um2_ram_high",
            "node", "fo4", "from", "to", "paper_bytes", "ratio"]
    out = io.StringIO()
    w = csv.DictWriter(out, head, restval="", extrasaction="ignore", lineterminator="\n")
    w.writeheader()
    for b in report["blocks"]:
        w.writerow({"row": "block", **b, **{f"ge_{k}": v for k, v in b["ge"].items()},
                    **{f"um2_{k}": v for k, v in b["um2"].items()}})
    for t in report["tables"]:
        w.writerow({"row": "table", **{k: v for k, v in t.items() if v is not None},
                    **{f"{what}_{k}": tenth(v) for what in ("ge", "um2") for k, v in (t[what] or {}).items()}})
    for p in report["boundaries"]:
        w.writerow({"row": "boundary", "name": boundary(p), "fo4": p["fo4"], "from": p["start"], "to": p["end"]})
    return out.getvalue()


def plot(report, path):
    """Plots bars: kGE of each block itself (all its instances, without the blocks inside); points: FO4 including the
    blocks inside."""
    by_name = {b["name"]: b for b in report["blocks"]}
    rows = []
    for b in report["blocks"]:
        own = {k: b["ge"][k] - sum(kid["instances"] * by_name[kid["name"]]["ge"][k] for kid in b["inside"])
               for k in ("logic", "flops", "ram_high")}
        label = b["name"] + (f" x{b['instances']}" if b["instances"] > 1 else "")
        rows.append([label, *(own[k] * b["instances"] / 1000 for k in ("logic", "flops", "ram_high")), b["fo4"]])
    draw(path, STYLE + f"""set title "{report['config']}: area of each block itself, and its longest path"
set xtics rotate by -35 left
set style data histograms
set style histogram rowstacked
set boxwidth 0.6
set ylabel 'kGE'
set yrange [0:*]
set y2label 'FO4'
set y2tics
set y2range [0:70]
set arrow from graph 0,second 60 to graph 1,second 60 nohead dt 3 lc rgb '#c23b22'
plot $D using 2:xtic(1) title 'logic' lc rgb '#4878a8', '' using 3 title 'flops' lc rgb '#8db4d8', \\
  '' using 4 title 'RAM (high)' lc rgb '#d9c27e', \\
  '' using 0:5 axes x1y2 with points pt 7 ps 1.2 lc rgb '#c23b22' title 'FO4 (ceiling 60)'
""", rows)
