# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The RTL signals that a binding reads: their names in Verilator's C++, and the file that keeps them visible there."""
import re

from .expressions import evaluate
from .output import NOTE
from .params import inside
from .tables import port_rows, rtl_name, shown

# Registers of common modules, whose instances may have any name. For all others, instance u_foo is of a module hd_foo..
# or hd_BLOCK_foo..
INSIDE = {"mem_q": "hd_ram_1r1w", "count_q": "hd_fifo hd_fifo2", "first_q": "hd_fifo", "row_q": "hd_fifo"}
# The write enable and the address of a write to rows.
WRITE_PORTS = {"mem_q": ("we_i", "waddr_i"), "row_q": ("push_i", "last")}


def below(path, name):
    """The C++ name of a signal or an instance below a path of the hierarchy."""
    return path + "__DOT__" + name.replace("[", "__BRA__").replace("]", "__KET__").replace(".", "__DOT__")


def instances_of(r, p):
    """The RAMs that hold a table: one, or the number of banks that the parameter in brackets gives."""
    m = re.search(r"\[(\w+)\]", r["rtl"])
    numbers = range(evaluate(m.group(1), p)) if m else [None]
    return [r["rtl"].replace(m.group(0), f"[{b}]") if m else r["rtl"] for b in numbers]


def banks(r, path, p):
    """instances_of() in C++."""
    return [below(path, ram) for ram in instances_of(r, p)]


def write_ports(r, path, p):
    """[(first row, write enable, address)] of a table's RAM or its banks."""
    n = evaluate(r["count"], p)
    register = r["rtl"].split(".")[-1]
    found = banks(r, path, p) if n else []
    return [(k * n // len(found), *(b.removesuffix(register) + port for port in WRITE_PORTS[register]))
            for k, b in enumerate(found)]


def state_groups(block, p, path, member=""):
    """[(block, hierarchy path, member of the C struct, parameters)] of each group of state: the block's own registers
    and tables, then those of each block inside. The path of an omitted block is None."""
    out = [(block, path, member, p)]
    for r, i, name, q in inside(block, p, all_of_them=True):
        element = r["name"] + (f"[{i}]" if r["count"] != "1" else "")
        out += state_groups(r["type"], q, path and name and below(path, name), f"{member}{element}.")
    return out


def visible(block, module, out):
    """Adds the signals that are read of a block, and of the blocks inside, to {module: set of signals}."""
    for r in port_rows(block, "state", "table", "sub"):
        *instances, signal = r["rtl"].split(".")
        if r["dir"] == "sub":
            inner = "hd_" + r["type"]
            out.setdefault(inner, set()).update(map(rtl_name, shown(r["type"])))
            visible(r["type"], inner, out)
        elif instances:
            part = instances[-1].removeprefix("u_")
            owner = INSIDE.get(signal, f"hd_{part}* {module}_{part}*")
            ports = WRITE_PORTS[signal] if r["dir"] == "table" else ()
            out.setdefault(owner, set()).update((signal, *ports))
        else:
            out.setdefault(module, set()).add(signal)


def gen_vlt(block):
    modules = {}
    visible(block, "hd_" + block, modules)
    o = ["`verilator_config", f"// {NOTE}"]
    for names, signals in modules.items():
        for s in sorted(signals):
            o += [f'public_flat_rd -module "{module}" -var "{s}"' for module in names.split()]
    return "\n".join(o) + "\n"
