#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Draws the plane, docs/img/plane.svg: its blocks by cluster, and the streams between them, from the tables against
which the RTL is checked. A stream is an output with a valid bit. Events for the counters and reports of memory errors
are omitted.

  plane.py                draws it; needs Graphviz
  plane.py --check        fails if the drawing was made from other tables
Run from the top of the checkout."""
import collections
import hashlib
import re
import subprocess
import sys
import textwrap

sys.dont_write_bytecode = True
sys.path.insert(0, "rtl")
from hdgen import nets  # noqa: E402
from hdgen.tables import CLUSTER, TYPES  # noqa: E402

DRAWING = "docs/img/plane.svg"
OUTSIDE = {"host_launch": "host", "host_answer": "host", "kernel_done": "host", "record_done": "host",
           "dev_launch": "SMXs", "dev_answer": "SMXs", "dispatch": "SMXs", "cta_done": "SMXs"}
MEMORY = {"mem"}
LEFT_OUT = re.compile(r".*_fail|lost|enter")


def stream(row):
    """The name of the stream whose valid is this port, or a field of it; or an empty string."""
    if any(f["field"] in ("valid", "r_valid") for f in TYPES.get(row["type"], ())):
        return row["name"]
    return row["name"].removesuffix("_valid") if row["name"].endswith("_valid") else ""


def streams():
    """{(from, to): the names of the streams between these blocks}"""
    found = collections.defaultdict(set)
    for block, row, sources in nets.wires():
        if block == "regs" or not stream(row):
            continue
        for source in sources:
            name = stream(source.row)
            if name and not LEFT_OUT.fullmatch(name):
                found[OUTSIDE[name] if source.owner == "top" else source.owner, block].add(name)
    for name in (stream(row) for (direction, _), row in nets.PORTS["top"].items() if direction == "out"):
        if not name:
            continue
        for block in nets.PLANE:
            if ("out", name + "_valid") in nets.PORTS[block] and not LEFT_OUT.fullmatch(name):
                found[block, OUTSIDE[name]].add(name)
    return found


def role(block):
    """Returns the heading of the block's page, in lines of about 16 letters."""
    with open(f"docs/{CLUSTER[block]}/{block}.md") as f:
        return "\\n".join(textwrap.wrap(f.readline().split(": ", 1)[1].strip(), 16))


def graph():
    out = ["digraph plane {", '  graph [fontname="sans-serif", nodesep=0.35, ranksep=0.5]',
           '  node [shape=box, style="filled,rounded", fillcolor=white, fontname="sans-serif", fontsize=10]',
           '  edge [fontname="sans-serif", fontsize=9, arrowsize=0.6, color="#555555"]',
           '  { rank=source; host [shape=oval]; SMXs [shape=oval] } memory [shape=oval, label="memory\\n(AXI4)"]']
    clusters = collections.defaultdict(list)
    for block in nets.PLANE:
        clusters[CLUSTER[block]].append(block)
    for name, blocks in clusters.items():
        out += [f'  subgraph cluster_{name} {{ label="{name}"; style=filled; color="#e8eef5"',
                *(f'    {b} [label="{b}\\n{role(b)}"]' for b in blocks), "  }"]
    for (a, b), names in sorted(streams().items()):
        names = sorted(names)
        if set(names) <= MEMORY:
            if b == "memarb":
                out.append(f'  {a} -> memarb [dir=both, color="#b07030"]')
        else:
            far = a in OUTSIDE.values() or b in OUTSIDE.values()
            out.append(f'  {a} -> {b} [{"label" if far else "edgetooltip"}="{", ".join(names)}"]')
    return "\n".join([*out, '  memarb -> memory [dir=both, color="#b07030"]', "}"]) + "\n"


def main():
    text = graph()
    mark = f"<!-- tables {hashlib.sha256(text.encode()).hexdigest()[:16]} -->"
    if sys.argv[1:] == ["--check"]:
        with open(DRAWING) as f:
            fresh = mark in f.read()
        print("1 passed, 0 failed" if fresh else f"{DRAWING} is of other tables: python3 docs/plane.py draws it again\n"
              "0 passed, 1 failed")
        return not fresh
    if sys.argv[1:]:
        sys.exit(__doc__)
    drawn = subprocess.run(["dot", "-Tsvg"], input=text, text=True, capture_output=True, check=True).stdout
    with open(DRAWING, "w") as f:
        f.write(re.sub(r"<!--.*?-->\n?", "", drawn, flags=re.S).rstrip() + f"\n{mark}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
