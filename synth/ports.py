#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Checks that the header of each block's module has the ports of its CSV, in the same order, under the same headings
(rows `group`), and that each port has a heading. Ports under a heading `Only in the RTL: ..` are in no CSV. Checks that
the modules of clusters and the plane are wired as the tables say. Run from the top of the checkout."""
import os
import re
import sys

sys.path.insert(0, "rtl")
from hdgen import clusters, sv  # noqa: E402
from hdgen.tables import BLOCKS, folder, port_groups, rtl_name  # noqa: E402


def header(block):
    """Returns the header's lines: `// heading`, `input port_i`, `output port_o`, without ports only in the RTL."""
    with open(f"rtl/{folder(block)}/hd_{block}.sv") as f:
        text = re.search(rf"^module hd_{block} (?:#\(\n.*?^\) )?\(\n(.*?)^\);", f.read(), re.M | re.S).group(1)
    text = re.sub(r"^  // Only in the RTL: .*\n([^/]*\n)*", "", text, flags=re.M)
    return [re.sub(r"^\s*(input|output)\b.*?(\w+),?\s*$", r"\1 \2", line).strip() for line in text.splitlines()]


def expected(block):
    words = {"in": "input ", "out": "output "}
    lines = ["input clk_i", "input rst_ni"]
    for heading, rows in port_groups(block):
        lines += ["// " + heading] * bool(heading) + [words[r["dir"]] + rtl_name(r) for r in rows]
    return lines


def main():
    wrong, groups, ports = [], 0, 0
    for block in BLOCKS:
        have, want = header(block), expected(block)
        at = next((i for i, pair in enumerate(zip(have, want)) if pair[0] != pair[1]), min(len(have), len(want)))
        if have != want:
            output = ["'" + lines[at] + "'" if at < len(lines) else "nothing" for lines in (have, want)]
            wrong.append(f"rtl/{folder(block)}/hd_{block}.sv: its header has {output[0]} "
                         f"where {block}.csv has {output[1]}")
        for heading, rows in port_groups(block):
            wrong += [f"rtl/{folder(block)}/{block}.csv: no row 'group' heads {rows[0]['name']}"] * (not heading)
            wrong += [f"rtl/{folder(block)}/{block}.csv: no port under the heading '{heading}'"] * (not rows)
            groups, ports = groups + 1, ports + len(rows)
    for path, text in clusters.gen_clusters().items():
        with open(f"rtl/{path}") as f:
            wrong += [f"rtl/{path} differs from the tables; {sv.COMMAND} writes it"] * (f.read() != text)
    print("\n".join(wrong)
          or f"{ports} ports of {len(BLOCKS)} blocks under {groups} headings, in the RTL as in the CSVs")
    return bool(wrong)


if __name__ == "__main__":
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    sys.exit(main())
