# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Paths that cross from one cluster of the plane into another: for each pair the longest one, register to register."""
import collections
import re

import timing

MARK = "== "


def cluster(instance):
    """u_host.u_kd -> host; None for an instance outside the clusters."""
    m = re.match(r"u_(\w+)\.", instance)
    return m and m.group(1)


def wires(module, kids):
    """Returns (cluster that drives, cluster that reads) -> input pins of blocks of the second that blocks of the first
    drive. `module`: the mapped plane as Yosys writes it, without buffer trees; `kids`: the modules that are blocks."""
    drivers, readers = {}, collections.defaultdict(list)
    for name, cell in module["cells"].items():
        if cell["type"] not in kids or not cluster(name):
            continue
        for port, bits in cell["connections"].items():
            if port in ("clk_i", "rst_ni"):
                continue
            for k, bit in enumerate(bits):
                pin = f"{name}/{port}[{k}]" if len(bits) > 1 else f"{name}/{port}"
                if cell["port_directions"][port] == "output":
                    drivers[bit] = cluster(name)
                else:
                    readers[bit].append((cluster(name), pin))
    out = collections.defaultdict(set)
    for bit, source in drivers.items():
        for target, pin in readers[bit]:
            if target != source:
                out[source, target].add(pin)
    return out


def script(linked, instances, pairs):
    """`linked`: Tcl that reads and constrains the plane. Pins are found by name in an array, because brackets in a
    pattern of get_pins are not characters."""
    tcl = linked + "".join(
        f"foreach p [get_pins {{{name}/*}}] {{ set pin([string map {{\\\\ {{}}}} [get_full_name $p]]) $p }}\n"
        for name in instances)
    for (source, target), pins in pairs.items():
        tcl += f'puts "{MARK}{source} {target}"\nset in {{}}\n'
        tcl += "".join(f"lappend in $pin({pin})\n" for pin in sorted(pins))
        tcl += "report_checks -path_delay max -through $in -digits 4\n"
    return tcl


def longest(key, linked, module, kids):
    """Returns [{from, to: clusters, ns, start, end}], of the pairs that a path joins."""
    pairs = dict(sorted(wires(module, kids).items()))
    instances = sorted(n for n, cell in module["cells"].items() if cell["type"] in kids and cluster(n))
    text = timing.run(key, script(linked, instances, pairs)) if pairs else ""
    out = []
    for part in text.split(f"\n{MARK}")[1:]:
        source, target = part.split("\n", 1)[0].split()
        if "data arrival time" in part:
            p = timing.Path(part)
            out.append({"from": source, "to": target, "ns": p.ns, "start": p.start, "end": p.end})
    return out
