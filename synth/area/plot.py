# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Plots, by gnuplot."""
import os
import subprocess

from flow import Failed
from hdgen.output import replace

STYLE = """set style fill solid 0.9 noborder
set border 3
set tics nomirror out
set grid y lc rgb '#dddddd'
set key outside top center horizontal
"""


def plottable(path):
    return os.path.splitext(path)[1] in (".svg", ".png")


def draw(path, script, rows, height=480):
    """Writes a plot of rows of numbers; the ending of the file name selects svg or png."""
    kind = {".svg": f"svg size 900,{height} font 'Helvetica,13' background '#ffffff'",
            ".png": f"pngcairo size 1100,{height * 11 // 9} font 'Sans,11'"}[os.path.splitext(path)[1]]

    def cell(c):
        return f'"{c}"' if isinstance(c, str) else "NaN" if c is None else f"{c:.6g}"
    lines = "\n".join(" ".join(map(cell, r)) for r in rows)

    def make(to):
        whole = f"$D << EOD\n{lines}\nEOD\nset terminal {kind}\nset output '{to}'\n{script}\n"
        try:
            done = subprocess.run(["gnuplot"], input=whole, text=True, capture_output=True)
        except FileNotFoundError:
            raise Failed("gnuplot is missing (Debian package gnuplot-nox)")
        if done.returncode:
            raise Failed(f"gnuplot: {done.stderr.strip().splitlines()[-1]}")
    replace(path, make)
