# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Static timing with OpenSTA: the longest path of a netlist, before layout (the library has no wire loads)."""
import re

import flow


UNITS = "set_cmd_units -time ns -capacitance pF\n"


def linked(lib, top, liberties, verilogs, clock="clk_i", reset="rst_ni"):
    """Tcl that reads a netlist of these cells, with these macros, and constrains it."""
    read = ("".join(f"read_liberty {f}\n" for f in (lib.path, *liberties)) + UNITS
            + "".join(f"read_verilog {f}\n" for f in verilogs))
    return f"""{read}link_design {top}
create_clock -name clk -period 1 [get_ports {clock}]
set inputs {{}}
foreach p [all_inputs] {{ if {{[get_name $p] != "{clock}"}} {{ lappend inputs $p }} }}
set_driving_cell -lib_cell {lib.driver.name} $inputs
set_input_delay 0 -clock clk $inputs
set_output_delay 0 -clock clk [all_outputs]
set_load {flow.OUT_LOAD * lib.input_pf:g} [all_outputs]
if {{[llength [get_ports -quiet {reset}]]}} {{ set_false_path -from [get_ports {reset}] }}
"""


class Path:
    """The longest path: `ns` is the clock period that it needs, `steps` its pins [(ns, delta, pin, cell)]."""

    def __init__(self, text):
        def find(pattern):
            m = re.search(pattern, text, re.M)
            return m.group(1) if m else None
        self.start, self.end = find(r"^Startpoint: (\S+)"), find(r"^Endpoint: (\S+)")
        arrival = find(r"^\s+([\d.]+)\s+data arrival time")
        if not arrival:
            raise flow.Failed("OpenSTA found no path")
        setup = find(r"(-?[\d.]+)\s+-?[\d.]+\s+library setup time")
        self.setup = -float(setup) if setup else 0.0
        self.ns = float(arrival) + self.setup
        self.steps = []
        for line in text[:text.index("data arrival time")].splitlines():
            m = re.match(r"(.{0,22}?)\s+(-?[\d.]+)\s+(-?[\d.]+)\s+[\^v]\s+(\S+)\s+\(([^)]*)\)", line)
            if m:
                self.steps.append((float(m.group(3)), float(m.group(2)), m.group(4), m.group(5)))


def run(key, tcl):
    """Returns what OpenSTA prints. Cached under the key, which names all that the files depend on, and the script."""
    def make(path):
        flow.write(path[:-4] + ".tcl", tcl)
        text = flow.run(["sta", "-exit", path[:-4] + ".tcl"], path + ".log")
        bad = re.search(r"^(Error.*|.*syntax error.*|Warning: (?!.*clock not allowed).*not found.*)$", text, re.M)
        if bad:
            raise flow.Failed(f"sta: {bad.group(1)} ({path}.log)")
        flow.write(path, text)
    with open(flow.cached(flow.sha(key, tcl), ".sta", make)) as f:
        return f.read()


def longest(key, constrained):
    """The longest path of a netlist that this Tcl reads and constrains."""
    return Path(run(key, constrained + "report_checks -path_delay max -fields {slew cap} -digits 4\n"))
