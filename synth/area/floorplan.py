# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""A floor plan of the plane: each block a rectangle of its area, such that the wires between blocks are short.

A slicing tree, after D. F. Wong and C. L. Liu, A New Algorithm for Floorplan Design, DAC 1986: a leaf is a block, an
inner node cuts its rectangle in two, in proportion to the areas on both sides. So there is no space between blocks.
Simulated annealing exchanges blocks, turns cuts and moves them in the tree's postfix form. The cost of a plan is its
wire length, bits times half the perimeter of the box around the centres of the blocks that a wire joins, and more if a
block is longer than ASPECT times its width. Wires to the outside are not counted."""
import collections
import math
import random

from flow import Failed
from hdgen import nets
from hdgen.expressions import evaluate
from hdgen.params import width_of
from hdgen.tables import CLUSTER
from plot import draw
from report import aligned, num

UTILIZATION = 0.7  # of the area of logic by cells; a RAM has its own
ASPECT = 3
SEEDS, STEPS, COOLING, MOVES = 3, 100, 0.95, 600  # runs; temperatures of each, their ratio, and plans at each
SHOWN = 15  # pairs of blocks in the table
COLOURS = {"host": "#a8c5e6", "launch": "#f3cf9f", "family": "#bfe0b4", "dispatch": "#e6b3b3", "graph": "#d2bfe6",
           "service": "#d9d9d9"}
CUTS = "|", "-"  # side by side, one above the other


def wires(p, blocks):
    """Returns [(bits, driver, readers)] of the wires between blocks."""
    found = {}
    for reader, row, sources in nets.wires():
        if reader not in blocks:
            continue
        bits = width_of(row["type"], p) * evaluate(row["count"], p) // len(sources)
        for s in sources:
            if s.owner in blocks:
                found.setdefault(s, [bits, s.owner, []])[2].append(reader)
    return [tuple(w) for w in found.values()]


# ---- Plans ----------------------------------------------------------------------------------------------------------

def placed(tree, area, x, y, width, height, out):
    """Adds (x, y, width, height) of each block of the tree to `out`. A tree is a name, or (cut, tree, tree, area)."""
    if isinstance(tree, str):
        out[tree] = x, y, width, height
        return
    cut, a, b, whole = tree
    share = (area[a] if isinstance(a, str) else a[3]) / whole
    if cut == CUTS[0]:
        placed(a, area, x, y, width * share, height, out)
        placed(b, area, x + width * share, y, width * (1 - share), height, out)
    else:
        placed(a, area, x, y, width, height * share, out)
        placed(b, area, x, y + height * share, width, height * (1 - share), out)


def plan(postfix, area):
    """Returns the rectangles of a tree in postfix form, on a square."""
    stack = []
    for item in postfix:
        if item in CUTS:
            b, a = stack.pop(), stack.pop()
            stack.append((item, a, b, sum(area[t] if isinstance(t, str) else t[3] for t in (a, b))))
        else:
            stack.append(item)
    side, out = math.sqrt(sum(area.values())), {}
    placed(stack[0], area, 0.0, 0.0, side, side, out)
    return out


def centre(rectangle):
    x, y, width, height = rectangle
    return x + width / 2, y + height / 2


def length(found, joined):
    """Returns the wire length of a plan: bits times half the perimeter of each wire's box."""
    at = {b: centre(r) for b, r in found.items()}
    total = 0.0
    for bits, driver, readers in joined:
        xs, ys = zip(at[driver], *(at[r] for r in readers))
        total += bits * (max(xs) - min(xs) + max(ys) - min(ys))
    return total


def cost(found, joined):
    excess = 0.0
    for _, _, width, height in found.values():
        excess += max(0.0, max(width / height, height / width) / ASPECT - 1)
    return length(found, joined) * (1 + excess / len(found))


def changed(postfix, rng):
    """Returns another tree: two blocks exchanged, a cut turned, or a block and a cut that follow each other exchanged
    if a tree remains."""
    new, kind = list(postfix), rng.randrange(3)
    leaves = [k for k, item in enumerate(new) if item not in CUTS]
    cuts = [k for k, item in enumerate(new) if item in CUTS]
    if kind == 0:
        a, b = rng.sample(leaves, 2)
        new[a], new[b] = new[b], new[a]
    elif kind == 1:
        k = rng.choice(cuts)
        new[k] = CUTS[new[k] == CUTS[0]]
    else:
        k = rng.randrange(len(new) - 1)
        new[k], new[k + 1] = new[k + 1], new[k]
        depth = 0
        for item in new:
            depth += -1 if item in CUTS else 1
            if depth < 1:
                return postfix
    return new


def annealed(area, joined, seed, note):
    """Returns (cost, plan) of the best plan of one run."""
    rng, names = random.Random(seed), sorted(area)
    now = names[:1] + [item for k, name in enumerate(names[1:]) for item in (name, CUTS[k % 2])]
    price = cost(plan(now, area), joined)
    found, lowest, heat = now, price, price / 50
    for step in range(STEPS):
        note(f"floor plan {seed}/{SEEDS}, {100 * step // STEPS} %")
        for _ in range(MOVES):
            new = changed(now, rng)
            other = cost(plan(new, area), joined)
            if other < price or rng.random() < math.exp((price - other) / heat):
                now, price = new, other
                if price < lowest:
                    found, lowest = now, price
        heat *= COOLING
    return lowest, plan(found, area)


def best(area, joined, note):
    """Returns the best plan of SEEDS runs; the same one each time."""
    return min(annealed(area, joined, 1 + k, note) for k in range(SEEDS))[1]


# ---- The report -----------------------------------------------------------------------------------------------------

def data(config, p, report, note):
    """Returns the floor plan as in its JSON. `report` is the area report of the plane."""
    area = {}
    for b in report["blocks"]:
        if b["name"] in nets.PLANE:
            if None in (b["um2"]["logic"], b["um2"]["ram_low"]):
                raise Failed("a floor plan needs the um^2 of RAMs: name a --node")
            area[b["name"]] = (b["um2"]["logic"] / UTILIZATION + b["um2"]["ram_low"]) / 1e6
    joined = wires(p, area)
    found = best(area, joined, note)
    at = {b: centre(r) for b, r in found.items()}
    bits = collections.Counter()
    for n, driver, readers in joined:
        for r in readers:
            bits[driver, r] += n

    def apart(pair):
        (xa, ya), (xb, yb) = (at[b] for b in pair)
        return round(abs(xa - xb) + abs(ya - yb), 3)
    pairs = sorted(({"from": a, "to": b, "bits": n, "mm": apart((a, b))} for (a, b), n in bits.items()),
                   key=lambda w: (-w["mm"], w["from"], w["to"]))
    fo4 = {(b["from"], b["to"]): b["fo4"] for b in report["boundaries"]}
    clusters = collections.defaultdict(lambda: {"bits": 0, "mm": 0.0})
    for w in pairs:
        a, b = CLUSTER[w["from"]], CLUSTER[w["to"]]
        if a != b:
            c = clusters[a, b]
            c["bits"], c["mm"] = c["bits"] + w["bits"], max(c["mm"], w["mm"])
    return {"version": 1, "config": config, "node": report["blocks"][0]["node"], "utilization": UTILIZATION,
            "side_mm": round(math.sqrt(sum(area.values())), 3), "bits_mm": round(length(found, joined)),
            "blocks": [{"name": b, "cluster": CLUSTER[b], **dict(zip(("x", "y", "width", "height"),
                                                                    (round(v, 4) for v in found[b])))}
                       for b in sorted(found)],
            "wires": pairs,
            "clusters": [{"from": a, "to": b, **c, "fo4": fo4.get((a, b))} for (a, b), c in
                         sorted(clusters.items(), key=lambda item: -item[1]["mm"])]}


def text(plan):
    def table(head, rows):
        return aligned([head, *rows], (0, 1))
    return "\n\n".join([
        f"{plan['config']}: {plan['side_mm']:.2f} mm x {plan['side_mm']:.2f} mm at {plan['node']} nm, logic filled to "
        f"{100 * plan['utilization']:.0f} %; {num(plan['bits_mm'])} mm of wires between blocks",
        table(["from", "to", "bits", "mm"], [[w["from"], w["to"], num(w["bits"]), f"{w['mm']:.2f}"]
                                             for w in plan["wires"][:SHOWN]]),
        table(["from cluster", "to", "bits", "longest mm", "longest path FO4"],
              [[c["from"], c["to"], num(c["bits"]), f"{c['mm']:.2f}", num(c["fo4"], 1)] for c in plan["clusters"]]),
        "Length: between the centres of two blocks, along the axes. FO4: register to register, without wires."]) + "\n"


def plot(plan, path):
    """Draws the blocks in the colours of their clusters, and wires by their bits."""
    at = {b["name"]: centre((b["x"], b["y"], b["width"], b["height"])) for b in plan["blocks"]}
    title = f"{plan['config']}: blocks of the plane by area, {plan['side_mm']:.2f} mm at {plan['node']} nm"
    lines = [f"set title '{title}'", "unset border", "unset tics", "unset grid", "unset key", "set size ratio -1",
             f"set xrange [0:{plan['side_mm']}]", f"set yrange [0:{plan['side_mm']}]"]
    for b in plan["blocks"]:
        lines.append(f"set object rect from {b['x']},{b['y']} to {b['x'] + b['width']},{b['y'] + b['height']} "
                     f"fc rgb '{COLOURS[b['cluster']]}' fs solid 1 border lc rgb '#606060'")
        size = max(5, min(13, round(70 * b["width"] / plan["side_mm"])))
        lines.append("set label '{}' at {:.4f},{:.4f} center front font ',{}'".format(b["name"], *at[b["name"]], size))
    for w in plan["wires"]:
        if w["bits"] >= 64:
            (xa, ya), (xb, yb) = at[w["from"]], at[w["to"]]
            lines.append(f"set arrow from {xa:.4f},{ya:.4f} to {xb:.4f},{yb:.4f} nohead front "
                         f"lw {max(0.5, w['bits'] / 400):.2f} lc rgb '#50303030'")
    lines += [f"set label '{cluster}' at graph 1.02,{0.95 - 0.05 * k:.2f} front tc rgb '{colour}' font ',13'"
              for k, (cluster, colour) in enumerate(COLOURS.items())]
    draw(path, "\n".join([*lines, "set rmargin 14", "plot NaN notitle"]), [[0, 0]], 700)
