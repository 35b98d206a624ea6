# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Growth of area and longest path with the size of the machine."""
import blocks
import flow
import report
from hdgen.expressions import evaluate
from hdgen.tables import BLOCKS, folder
from plot import STYLE, draw

# The varied parameters, their values, and the blocks or parts of blocks that they change, which are shown. The first
# parameter of `sets` names the axis in a command. `recipe`: default RECIPE. `cells`: modules of a block that are mapped
# separately and are cells in it, like the blocks inside it, and their number: flattened they are too large for the
# mapper at the largest value (hd_laperm_oldest has a bit and some 25 gates for each pair of banks, an hd_laperm_backup
# examines all banks).
AXES = [
    {"name": "SMXs", "sets": "NumSmx={0}", "values": (13, 32, 64, 132), "recipe": "plain",
     "blocks": ("sched", "laperm", "spill", "devq", "regs", "sched/hd_sched_pick_first", "laperm/hd_laperm_oldest",
                "laperm/hd_laperm_levels"),
     "cells": {"laperm": {"hd_laperm_oldest": "1", "hd_laperm_backup": "NumSmx"}}},
    {"name": "KDEs", "sets": "NumKde={0} NumHwq={0} KdeSearchLanes={0}", "values": (16, 32, 64),
     "blocks": ("kmu", "kd", "match", "link", "ovfq", "tbcr", "sched")},
    {"name": "AGT entries", "sets": "AgtSize={0}", "values": (512, 1024, 2048),
     "blocks": ("link", "agt", "agc")},
    {"name": "entries of a bank", "sets": "PqDepth={0}", "values": (16, 32, 64, 128),
     "blocks": ("pq", "laperm")},
    {"name": "levels", "sets": "MaxLevel={0}", "values": (1, 4, 16),
     "blocks": ("pq", "laperm", "spill", "laperm/hd_laperm_oldest", "laperm/hd_laperm_levels")},
    {"name": "groups read back at once", "sets": "SpillFlight={0}", "values": (4, 8, 16, 32),
     "blocks": ("spill",)},
    {"name": "nodes of the LNA", "sets": "Lna={0}", "values": (16, 32, 64, 128),
     "blocks": ("dgb",)},
    {"name": "edges of the LEA", "sets": "Lea={0}", "values": (128, 512, 2048),
     "blocks": ("dgb",)},
    {"name": "children told in a cycle", "sets": "ChildLanes={0}", "values": (1, 2, 4),
     "blocks": ("dgb",)},
    {"name": "threads of an SMX", "sets": "ThreadsPerSmx={0}", "values": (1024, 1536, 2048),
     "blocks": ("warp",)},
    {"name": "channels", "sets": "NumChan={0}", "values": (16, 32, 64),
     "blocks": ("chan", "dcount", "agg", "yrec")},
    {"name": "CUs", "sets": "NumCu={0}", "values": (2, 4, 8),
     "blocks": ("chan", "agg", "yrec")},
]

# One of the two recipes: half the time, GE within 1 or 2 % of the better one, FO4 up to a fifth more. An axis with
# large blocks names a faster one (flow.GROWTH), for all its sizes.
RECIPE = "once"


def parameter(axis):
    return axis["sets"].partition("=")[0]


PARAMETERS = [parameter(a) for a in AXES]
PARTS = sorted({b for a in AXES for b in a["blocks"] if "/" in b})


def chosen(parameters, names):
    """Returns the axes of these parameters, each with these blocks and their parts, or only these parts; all if none is
    named. Empty axes are omitted."""
    axes = [dict(a, blocks=[b for b in a["blocks"] if not names or b in names or b.partition("/")[0] in names])
            for a in AXES if not parameters or parameter(a) in parameters]
    return [a for a in axes if a["blocks"]]


def source(block, module):
    return f"rtl/{folder(block)}/{module}.sv"


def part(design, name, note, lib, recipe):
    """Maps a module that is a part of a block, BLOCK/MODULE, separately."""
    block, module = name.split("/")
    return blocks.examine(name, module, *design.files(module, source(block, module)), lib,
                          note=lambda n: note(f"{design.name} {n}"), recipes=(recipe,))


def cell(design, block, module, note, lib, recipe):
    """Maps the same as a cell: named like a block, not timed separately, since it need not have a clock."""
    elaborated = flow.elaborate(module, *design.files(module, source(block, module)))
    note(f"{design.name} {block}/{module}")
    summary = blocks.named(module, elaborated, recipe, lib, [])[1].summary()
    summary.update(top=module, key=flow.sha("cell", blocks.CODE, elaborated["key"], flow.MAP, lib.key(),
                                            flow.recipe_text(recipe, lib)), recipe=recipe, memories={})
    return blocks.Block(module[len("hd_"):], summary, [], elaborated, lib)


def with_cells(design, block, cells, inside, note, lib, recipe):
    """Maps a block in which these modules are cells: {module: number}. `inside`: includes the blocks that it has."""
    kids = [(cell(design, block, m, note, lib, recipe), evaluate(n, design.params)) for m, n in cells.items()]
    boxes = [source(block, m) for m in cells]
    for name, row in flow.children(block).items():
        kids.append((inside[name], design.count(row)))
        boxes.append(source(name, f"hd_{name}"))
    module = f"hd_{block}"
    return blocks.examine(block, module, *design.files(f"{block}_cells", source(block, module), boxes), lib, kids,
                          lambda n: note(f"{design.name} {n}"), recipes=(recipe,))


def measure(config, axes, note, lib):
    """Returns a list of points {axis, value, block, ge, fo4, from, to}."""
    points = []
    for axis in axes:
        recipe = axis.get("recipe", RECIPE)
        by = dict.fromkeys(BLOCKS, (recipe,))
        for v in axis["values"]:
            design = flow.Design(config, axis["sets"].format(v).split())
            cells = {b: c for b, c in axis.get("cells", {}).items() if b in axis["blocks"]}
            whole = [b for b in axis["blocks"] if b in BLOCKS and b not in cells]
            plane = blocks.plane(design, whole + [k for b in cells for k in flow.children(b)], note, by, lib)
            for b, modules in cells.items():
                plane[b] = with_cells(design, b, modules, plane, note, lib, recipe)
            for name in axis["blocks"]:
                b = plane[name] if name in plane else part(design, name, note, lib, recipe)
                ge = lib.ge(b.total(lambda x: x.logic + x.flops)) + lib.ram_ge(b.all_rams())[1]
                points.append({"axis": axis["name"], "value": v, "block": name, "ge": round(ge, 1),
                               "fo4": round(b.fo4, 1), "from": b.path["from"], "to": b.path["to"]})
    return {"version": 1, "config": config, "points": points}


def series(grown, axis):
    """Returns block -> its points, in the order of the values."""
    out = {}
    for p in grown["points"]:
        if p["axis"] == axis:
            out.setdefault(p["block"], []).append(p)
    return out


def text(grown, axes):
    parts = []
    for axis in axes:
        rows = [["block", "", *map(str, axis["values"]), "grows by", "longest path at the largest"]]
        for block, points in series(grown, axis["name"]).items():
            ge, fo4 = [p["ge"] for p in points], [p["fo4"] for p in points]
            rows.append([block, "kGE", *(f"{v / 1000:,.1f}" for v in ge), f"x{ge[-1] / ge[0]:.2f}", ""])
            rows.append(["", "FO4", *(f"{v:.1f}" for v in fo4), f"{fo4[-1] - fo4[0]:+.1f}",
                         f"{points[-1]['from']} -> {points[-1]['to']}"])
        factor = axis["values"][-1] / axis["values"][0]
        title = f"{grown['config']}, {axis['name']} (x{factor:.2f} from the first to the last)"
        parts.append(f"{title}\n\n{report.aligned(rows, (0, 1, len(rows[0]) - 1))}\n")
    return "\n".join(parts)


def plot(grown, axes, path):
    rows, index = [], []
    for axis in axes:
        for block, points in series(grown, axis["name"]).items():
            index.append((axis["name"], block, len(rows), len(rows) + len(points) - 1))
            rows += [[p["value"], p["ge"] / 1000, p["fo4"]] for p in points]
    shown = sorted({b for _, b, _, _ in index})
    # Hues around the circle; lines also differ in the shape of their points.
    color = {b: f"hsv2rgb({k / len(shown):.3f}, 0.75, 0.70)" for k, b in enumerate(shown)}
    shape = {b: 4 + k for k, b in enumerate(shown)}

    def panel(axis, column, title, scale):
        lines = ", ".join(f"$D every ::{a}::{z} using 1:{column} with linespoints "
                          f"pt {shape[b]} lw 2 lc rgb {color[b]} title '{b}'"
                          for name, b, a, z in index if name == axis)
        return f"set xlabel '{axis}'\nset title '{title}'\n{scale}\nset logscale x 2\nplot {lines}\n"
    body = "".join(panel(a["name"], 2, "area (kGE)", "set logscale y\nset yrange [*:*]")
                   + panel(a["name"], 3, "longest path (FO4)", "unset logscale y\nset yrange [0:*]") for a in axes)
    script = (f"set key outside right center vertical font ',10'\nset multiplot layout {len(axes)},2\n"
              + body + "unset multiplot")
    draw(path, STYLE + script, rows, 240 * len(axes))
