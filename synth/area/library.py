# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The standard cells: Debian's OSU018 liberty file with the areas that are wrong in it corrected, and what
is read from it."""
import os
import re

SOURCE = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"
PACKAGE = "qflow-tech-osu018"
# The LEF beside it tells the true sizes. A mapper that believes the file fills a design with "free" OAI21X1.
CORRECTED = {"OAI21X1": 32, "NAND3X1": 32, "LATCH": 56}

NAND2 = 24.0   # um^2 of NAND2X1: 1 GE
FO4_NS = 0.099  # an INVX1 that drives four of itself (verif/area measures it again)


class Cell:
    def __init__(self, name, text):
        self.name = name
        self.area = float(re.search(r"area\s*:\s*([\d.]+)", text).group(1))
        self.sequential = bool(re.search(r"^\s*(ff|latch)\s*\(", text, re.M))
        self.latch = bool(re.search(r"^\s*latch\s*\(", text, re.M))
        self.caps = {p: float(c) for p, c in re.findall(
            r"pin\s*\(\s*(\w+)\s*\)\s*\{[^}]*?direction\s*:\s*input;[^}]*?capacitance\s*:\s*([\d.]+)", text, re.S)}
        self.outputs = re.findall(r"pin\s*\(\s*(\w+)\s*\)\s*\{\s*direction\s*:\s*output", text)


def corrected(text):
    """The liberty text with the true areas."""
    for cell, area in CORRECTED.items():
        text, n = re.subn(r"(cell \(%s\) \{.*?area\s*:\s*)[\d.]+" % cell, r"\g<1>%d" % area, text, count=1, flags=re.S)
        if n != 1:
            raise SystemExit(f"area: {SOURCE} has no cell {cell}")
    return text


def install(path):
    """Writes the corrected file, unless it is there."""
    if not os.path.exists(SOURCE):
        raise SystemExit(f"area: {SOURCE} is missing (Debian package {PACKAGE})")
    with open(SOURCE) as f:
        text = corrected(f.read())
    if not os.path.exists(path) or open(path).read() != text:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        tmp = f"{path}.{os.getpid()}.tmp"  # several may begin at once
        with open(tmp, "w") as f:
            f.write(text)
        os.replace(tmp, path)
    return read(text)


def read(text):
    cells = {}
    for part in re.split(r"^\s*cell \(", text, flags=re.M)[1:]:
        name = part[:part.index(")")]
        cells[name] = Cell(name, part)
    return cells
