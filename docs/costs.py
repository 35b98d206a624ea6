#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Prints what the papers' proposals cost, `heddle area --costs`, as a table: of the `proposals` or of the `planes`. Run
from the top of the checkout."""
import json
import subprocess
import sys

sys.path[:0] = ["synth/area", "rtl", "tb/build"]
import costs  # noqa: E402

found = subprocess.run([sys.executable, "synth/area", "--costs", "--json"], check=True, stdout=subprocess.PIPE).stdout
planes, proposals = costs.rows(json.loads(found))
print(costs.markdown({"planes": planes, "proposals": proposals}[sys.argv[1]]), end="")
