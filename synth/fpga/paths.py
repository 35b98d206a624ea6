# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The longest path of a routed block, from the report of nextpnr, between registers of the RTL."""
import re

import wrapper

CODE = open(__file__).read()  # stored results depend on it
REGISTER = re.compile(r"_q(\[\d+\])*$")  # Yosys derives other names from it: order_q_LUT4_D


class Names:
    """The registers of the RTL that the cells of a netlist hold."""

    def __init__(self, modules, block, params):
        self.block, self.params = block, params
        self.inside = registers(modules["hd_" + block])
        self.around = registers(modules[wrapper.TOP])

    def of(self, cell):
        """Returns the register, the RAM or the port at a cell of the report: u_block.order_q_TRELLIS_FF_Q_3."""
        before, dot, name = cell.partition(".")
        if before == wrapper.BLOCK and dot:
            name = name.partition("$")[0]  # nextpnr adds $..
            return self.inside.get(name) or re.sub(r"(\.\d+)+$", "", name)
        register, bit = re.fullmatch(r"(\w+?)(?:\[(\d+)\])?", self.around.get(cell, cell)).groups()
        return wrapper.port_of(register, int(bit or 0), self.block, self.params)


def registers(module):
    """Returns {flop: the register that it holds, with its bit}."""
    names = {}
    # A register rather than a wire that shows it: registers come first.
    for name, net in sorted(module["netnames"].items(), key=lambda item: not REGISTER.search(item[0])):
        if not net.get("hide_name"):
            for k, bit in enumerate(net["bits"]):
                names.setdefault(bit, f"{name}[{k}]" if len(net["bits"]) > 1 else name)
    return {name: names.get(cell["connections"]["Q"][0], name) for name, cell in module["cells"].items()
            if cell["type"] == "TRELLIS_FF"}


def longest(report, names):
    """Returns {ns, wire_ns, from, to} of the longest path from a clock edge to the next."""
    found = [p["path"] for p in report["critical_paths"] if p["from"].startswith("posedge ") and p["from"] == p["to"]]
    path = max(found, key=lambda steps: sum(s["delay"] for s in steps))
    return {"ns": round(sum(s["delay"] for s in path), 2),
            "wire_ns": round(sum(s["delay"] for s in path if s["type"] == "routing"), 2),
            "from": names.of(path[0]["from"]["cell"]), "to": names.of(path[-1]["to"]["cell"])}
