#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""FuseSoC's generator for the package of a configuration (rtl/heddle.core): FuseSoC calls it with a YAML file that
holds `vlnv`, the name of the core to make, and `parameters`: config (a name, k20c if left out), set (a list of
NAME=VALUE). It writes hd_pkg.sv and a core of that name into the current folder."""
import os
import subprocess
import sys

import yaml

with open(sys.argv[1]) as f:
    order = yaml.safe_load(f)
want = order.get("parameters") or {}
hdgen = os.path.dirname(os.path.abspath(__file__))
command = [sys.executable, "-B", hdgen, "sv", "--config", want.get("config", "k20c"), "-o", "hd_pkg.sv"]
for s in want.get("set") or []:
    command += ["--set", s]
if subprocess.call(command):
    sys.exit(1)  # hdgen has said why

core = {
    "name": order["vlnv"],
    "filesets": {"package": {"files": ["hd_pkg.sv"], "file_type": "systemVerilogSource"}},
    "targets": {"default": {"filesets": ["package"]}},
}
with open(order["vlnv"].split(":")[2] + ".core", "w") as f:
    f.write("CAPI=2:\n" + yaml.safe_dump(core, sort_keys=False))
