#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Prints what the papers' proposals cost, `heddle area --costs`, as a table: of the `proposals` or of the `planes`. Run
from the top of the checkout."""
import sys

sys.path[:0] = ["synth/area", "rtl", "tb/build"]
import costs  # noqa: E402
import library  # noqa: E402

planes, proposals = costs.rows(costs.measure(lambda text: None, library.default()))
print(costs.markdown({"planes": planes, "proposals": proposals}[sys.argv[1]]), end="")
