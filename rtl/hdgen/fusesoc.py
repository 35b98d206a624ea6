#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""FuseSoC's generator for a configuration (rtl/heddle.core): FuseSoC calls it with a YAML file that holds `vlnv`, the
name of the core to make, and `parameters`: config (a name, default k20c), set (a list of NAME=VALUE). It writes a core
of that name into the current folder. The core has no files: it sets macros, as a file of rtl/configs does."""
import os
import re
import subprocess
import sys

import yaml

with open(sys.argv[1]) as f:
    order = yaml.safe_load(f)
want = order.get("parameters") or {}
hdgen = os.path.dirname(os.path.abspath(__file__))
command = [sys.executable, "-B", hdgen, "config", "--config", want.get("config", "k20c")]
for s in want.get("set") or []:
    command += ["--set", s]
made = subprocess.run(command, stdout=subprocess.PIPE, text=True)
if made.returncode:
    sys.exit(1)  # hdgen has printed the reason

macros = dict(re.findall(r"^\+define\+(\w+)=(\d+)$", made.stdout, re.M))
core = {
    "name": order["vlnv"],
    "parameters": {m: {"datatype": "int", "paramtype": "vlogdefine", "default": int(v)} for m, v in macros.items()},
    "targets": {"default": {"parameters": list(macros)}},
}
with open(order["vlnv"].split(":")[2] + ".core", "w") as f:
    f.write("CAPI=2:\n" + yaml.safe_dump(core, sort_keys=False))
