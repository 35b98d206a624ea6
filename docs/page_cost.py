#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Measures the size of the page of a run (heddle run --page), and the time that headless Chromium needs for it: prints
a table for runs of several numbers of TBs, in kernels of 500 TBs on k20c. Times are medians, in milliseconds: until the
page is drawn; and to redraw it with the whole run, a tenth and a thousandth of it shown, which is the time of a zoom.

  page_cost.py [TBS]..          10000 100000 1000000
Run from the top of the checkout, after make; needs Chromium (Debian package chromium)."""
import os
import statistics
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path[:0] = ["docs"]
from browser import Browser  # noqa: E402

DIR = "build/page_cost"
TIMES = 5


def make(tbs):
    trace, page = f"{DIR}/{tbs}.trace", f"{DIR}/{tbs}.html"
    with open(trace, "w") as f:
        f.write("heddle-trace 1\n")
        for k in range(tbs // 500):
            f.write(f"{2000 * k} {k % 32} 500 1 1 {64 * (1 + k % 4)} 1 1 24 0 uniform(50,{400 + k % 5 * 200})\n")
    subprocess.run(["build/heddle", "run", "--trace", trace, "--seed", "1", "--engine", "model", "--quiet", "--page",
                    page], check=True)
    return page


def measure(page):
    """Returns bytes, milliseconds of loading, and milliseconds of drawing with each share of the run shown."""
    loads, draws = [], {1: [], 10: [], 1000: []}
    for _ in range(TIMES):
        with Browser(page) as b:
            loads.append(float(b.value("document.body.dataset.ready")))
            cycles = b.value("report.cycles")
            for share, took in draws.items():
                b.value(f"frame.show({cycles} * 0.4, {cycles} * (0.4 + 0.6 / {share}))" if share > 1 else
                        f"frame.show(0, {cycles})")
                b.drawn()
                took.append(b.value("frame.took"))
            if b.errors:
                sys.exit(f"page_cost.py: {b.errors[0]}")
    return os.path.getsize(page), statistics.median(loads), *(statistics.median(t) for t in draws.values())


def main():
    os.makedirs(DIR, exist_ok=True)
    sizes = [int(n) for n in sys.argv[1:]] or [10000, 100000, 1000000]
    print(f"{'TBs':>8}  {'bytes':>9}  {'loads':>6}  {'whole run':>9}  {'a tenth':>7}  {'a thousandth':>12}")
    for tbs in sizes:
        size, *times = measure(make(tbs))
        print(f"{tbs:8}  {size:9}  {times[0]:6.0f}  {times[1]:9.0f}  {times[2]:7.0f}  {times[3]:12.0f}")


if __name__ == "__main__":
    main()
