#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Prints the named configurations of rtl/pkg/configs.csv as a table for docs/configurations.md, without those that are
k20c without some parts. Run from the top of the checkout."""
import csv

with open("rtl/pkg/configs.csv", newline="") as f:
    rows = list(csv.reader(line for line in f if not line.startswith("#")))
rows = [r for r in rows if r]
shown = [k for k in range(1, len(rows[0]) - 1) if k == 1 or any(r[k] for r in rows[1:] if not r[0].startswith("Has"))]
print("| parameter | " + " | ".join(f"`{rows[0][k]}`" for k in shown) + " | meaning |")
print("|---|" + "---:|" * len(shown) + "---|")
for r in rows[1:]:
    print(f"| `{r[0]}` | " + " | ".join(r[k] or r[1] for k in shown) + f" | {r[-1]} |")
