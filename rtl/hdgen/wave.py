# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The module that lockstep adds to a block's waveform: its signals are the model's values under the names that reports
use. It is Verilated with the block, and the simulator writes its signals like any others."""
from . import params
from .expressions import evaluate
from .fields import rows_of
from .output import NOTE
from .params import leaves, seen_by, shape
from .tables import subs
from .traces import ROWS


def compared(block, p):
    """(name, width) of each value of the golden model, in the order of the fields of the block (fields.py)."""
    return [*values(rows_of(block, "out"), p), *state(block, p), *inner(block, p)]


def values(rows, p, prefix="", times=1):
    """The values of ports or registers, for `times` blocks called `prefix`."""
    blocks = [f"{prefix}[{j}]." if times > 1 else f"{prefix}." for j in range(times)] if prefix else [""]
    for r in rows:
        n = shape(r, p)[1]
        elements = [f"{r['name']}[{i}]" if n > 1 else r["name"] for i in range(n)]
        for path, _, width, _ in leaves(r["type"], p):
            if width and not (r["dir"] == "table" and n > ROWS):
                yield from ((b + e + ("." + path if path else ""), width) for b in blocks for e in elements)


def state(block, p, prefix="", times=1):
    """Registers and tables, including those of the blocks inside."""
    for r in rows_of(block, "arch"):
        if r["dir"] == "sub":
            name = prefix + "." * bool(prefix) + r["name"]
            yield from state(r["type"], seen_by(r, p), name, evaluate(r["count"], p))
        else:
            yield from values([r], p, prefix, times)


def inner(block, p, prefix=""):
    """Outputs of the blocks inside."""
    for r in subs(block):
        q, name = seen_by(r, p), prefix + "." * bool(prefix) + r["name"]
        yield from values(rows_of(r["type"], "inner"), q, name, evaluate(r["count"], p))
        yield from inner(r["type"], q, name)


def gen_wave_sv(config, sets, block):
    """Two modules, both with the instance name `lockstep`: `position` shows lockstep.cycle, `model` shows
    lockstep.model.NAME."""
    names = compared(block, params.of(config, sets))
    every, tree = {name for name, _ in names}, {}
    for k, (name, width) in enumerate(names):
        *scopes, signal = name.split(".")
        at, path = tree, ""
        for n, scope in enumerate(scopes):
            path += scope
            if path in every:  # a scope cannot have the name of a signal
                signal = ".".join([*scopes[n:], signal])
                break
            at, path = at.setdefault(scope, {}), path + "."
        # If an output and a register have the same name, the output is shown.
        at.setdefault(signal, f"wire [{width - 1}:0] \\{signal} = value[{k}][{width - 1}:0];" if width > 1 else
                      f"wire \\{signal} = value[{k}][0];")
    o = [f"// {NOTE}", "module position (input logic [63:0] cycle);", "endmodule\n",
         "module model (", "  /*verilator tracing_off*/",
         f"  input logic [63:0] value [{len(names) or 1}]", "  /*verilator tracing_on*/", ");", *scope_of(tree, "  "),
         "endmodule"]
    return "\n".join(o) + "\n"


def scope_of(tree, indent):
    for name, at in tree.items():
        if isinstance(at, str):
            yield indent + at
        else:
            yield f"{indent}if (1) begin : \\{name} "
            yield from scope_of(at, indent + "  ")
            yield indent + "end"


def emit_wave(config, sets, block):
    """The same names for the binding, which checks that the harness uses the same ones."""
    names = compared(block, params.of(config, sets))
    return ["#if VM_TRACE", "static const char *const wave_names[] = {",
            *(f'    "{name}",' for name, _ in names), "    nullptr,", "};", "#endif\n"]
