#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Prints the named configurations of rtl/pkg/configs.csv as a table for docs/configurations.md. Run from the
top of the checkout."""
import csv

with open("rtl/pkg/configs.csv", newline="") as f:
    rows = list(csv.reader(line for line in f if not line.startswith("#")))
names = rows[0][1:-1]
print("| parameter | " + " | ".join(f"`{n}`" for n in names) + " | meaning |")
print("|---|" + "---:|" * len(names) + "---|")
for param, *values, meaning in (r for r in rows[1:] if r):
    print(f"| `{param}` | " + " | ".join(v or values[0] for v in values) + f" | {meaning} |")
