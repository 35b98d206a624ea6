#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Checks that each register of the RTL is compared in lockstep by name (a row `state` or `table` of its block's CSV),
or is listed in verif/registers_left_out.csv with the output port at which it is compared, or a reason. Run from the top
of the checkout."""
import csv
import glob
import os
import re
import sys

sys.path.insert(0, "rtl")
from hdgen.signals import INSIDE  # noqa: E402
from hdgen.tables import BLOCKS, folder, port_rows, shown  # noqa: E402

LIST = "verif/registers_left_out.csv"


def synthesized(path):
    with open(path) as f:
        text = re.sub(r"//.*", "", f.read())
    return re.sub(r"`ifdef HD_ASSERT_ON.*?`endif", "", text, flags=re.S)


def clocked(path):
    """Returns the names that a clock edge writes: those before a `<=` outside of all brackets."""
    found, depth, at = set(), 0, 0
    text = synthesized(path)
    for m in re.finditer(r"[()\[\]{};:]|<=|\b(?:begin|end|else)\b|always_ff\s*@\s*", text):
        depth += (m.group() in "([{") - (m.group() in ")]}")
        if m.group() == "<=" and depth == 0:
            target = re.sub(r"\[.*\]|\.\w+", "", text[at:m.start()], flags=re.S).strip()
            found |= {target} if target.isidentifier() else set()  # otherwise it is a comparison
        if depth == 0 and m.group() not in "]<=":
            at = m.end()
    return found


def registers(path):
    """Returns the declared names that end in _q, and all names that a clock edge writes, except outputs."""
    found = {n for n in clocked(path) if not n.endswith("_o")}
    for names in re.findall(r"^\s*(?:\(\*.*?\*\)\s*)?(?:logic|hd_pkg::\w+|\w+_[et])\b([^;=()]*);",
                            synthesized(path), re.M):
        found |= set(re.findall(r"\b\w+_q\b", names))
    return found


def named(block):
    """Returns the registers of the block's own modules that its CSV names."""
    if block == "common":
        return set()
    rows = [r["rtl"].split(".") for r in port_rows(block, "state", "table")]
    return {r[-1] for r in rows if len(r) == 1 or r[-1] not in INSIDE}


def main():
    wrong, count = [], 0
    with open(LIST) as f:
        left_out = list(csv.DictReader(line for line in f if not line.startswith("#")))
    for block in BLOCKS + ["common"]:
        place = folder(block) if block != "common" else block
        own = set().union(*(registers(p) for p in glob.glob(f"rtl/{place}/*.sv") if not p.endswith("_pkg.sv")))
        ports = {r["name"] for r in shown(block)} if block != "common" else set()
        listed = [r for r in left_out if r["block"] == block]
        names = {r["register"] for r in listed}
        count += len(own)
        outputs = set().union(*(clocked(p) for p in glob.glob(f"rtl/{place}/*.sv"))) - own
        wrong += [f"{block}: {n} is a register but not an output of the block"
                  for n in sorted(outputs) if n.removesuffix("_o") not in ports]
        wrong += [f"{block}: {n} is neither in rtl/{place}/{block}.csv nor in {LIST}"
                  for n in sorted(own - named(block) - names)]
        for r in listed:
            if r["register"] not in own:
                wrong.append(f"{LIST}: {block} has no register {r['register']}")
            elif r["register"] in named(block):
                wrong.append(f"{LIST}: {block} {r['register']} is in rtl/{place}/{block}.csv")
            if r["port"] and r["port"] not in ports:
                wrong.append(f"{LIST}: {block} has no output {r['port']} that is compared inside the plane")
            if not r["port"] and not r["reason"]:
                wrong.append(f"{LIST}: {block} {r['register']}: neither a port nor a reason")
    wrong += [f"{LIST}: no block {r['block']}" for r in left_out if r["block"] not in BLOCKS + ["common"]]
    print("\n".join(wrong)
          or f"{count} registers: {count - len(left_out)} compared by name, {len(left_out)} not")
    return bool(wrong)


if __name__ == "__main__":
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    sys.exit(main())
