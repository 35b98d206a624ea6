# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The C++ binding of a Verilated block, for tb/engine/bind.h and bind_api.h."""
from . import params
from .access import emit_output, emit_store
from .expressions import snake
from .output import NOTE
from .params import inside
from .signals import below, state_groups
from .state import emit_state
from .tables import CONFIGS, port_rows, rtl_name, shown, subs
from .wave import emit_wave


def gen_bind(config, sets, block, netlist):
    p = params.of(config, sets)
    every = state_groups(block, p, f"hd_{block}")
    o = [f"// {NOTE}", f'#define HD_BLOCK "{block}"', f'#define HD_CONFIG "{config}"',
         f"#define HD_NETLIST {int(netlist)}",
         '#include "Vrtl.h"', '#include "Vrtl___024root.h"', 'extern "C" {', f'#include "hd_{block}_ports.h"', "}",
         "#define HD_CFG_VALUES \\"]
    o += [f"  cfg->{snake(r['param'])} = {p[r['param']]}; \\" for r in CONFIGS]
    o += ["", '#include "bind.h"', "", *emit_set_in(block, p), *emit_get_out(block, p),
          *emit_get_inner(block, p, netlist), *emit_state(block, every, [] if netlist else every),
          *emit_wave(config, sets, block),
          '#include "bind_api.h"']
    return "\n".join(o) + "\n"


def emit_set_in(block, p):
    """The function that sets the inputs."""
    o = ["static void set_in(Vrtl *t, const void *in_, void *last_, bool all) {",
         f"  const struct hd_{block}_in *in = (const struct hd_{block}_in *)in_;",
         f"  struct hd_{block}_in *last = (struct hd_{block}_in *)last_;"]
    for r in port_rows(block, "in"):
        o += emit_store(r, p)
    return o + ["  (void)in; (void)last; (void)all;\n}\n", f"#define HD_IN_BYTES sizeof(struct hd_{block}_in)"]


def emit_get_out(block, p):
    """The function that reads the outputs."""
    body, kept = [], 0
    for r in port_rows(block, "out"):
        statements, size = emit_output(f"t->{rtl_name(r)}", f"out->{r['name']}", r, p)
        body += statements
        kept += size
    return [f"#define HD_OUT_BYTES {kept + 8}  // a load may reach past the last word\n",
            "static void get_out(Vrtl *t, void *out_, unsigned char *last) {",
            f"  struct hd_{block}_out *out = (struct hd_{block}_out *)out_;", *body, "  (void)out; (void)last;\n}\n"]


def emit_get_inner(block, p, netlist):
    """The function that reads the outputs of the blocks inside; a netlist does not show them."""
    body, kept = ([], 0) if netlist else inner_outputs(block, p, f"hd_{block}", "inner->")
    o = [f"#define HD_INNER_BYTES {kept + 8}",
         "static void get_inner(Vrtl *t, void *inner_, unsigned char *last) {",
         "  const Vrtl___024root *root = t->rootp;"]
    if subs(block):
        o += [f"  struct hd_{block}_inner *inner = static_cast<struct hd_{block}_inner *>(inner_);", *body,
              "  (void)inner;"]
    return o + ["  (void)root; (void)inner_; (void)last;\n}\n"]


def inner_outputs(block, p, path, dst):
    """The statements of emit_get_inner(), and the bytes of wide arrays that they keep."""
    body, kept = [], 0
    for r, i, name, q in inside(block, p):
        instance, element = below(path, name), dst + r["name"] + (f"[{i}]" if r["count"] != "1" else "")
        found = [emit_output(f"root->{below(instance, rtl_name(port))}", f"{element}.{port['name']}", port, q)
                 for port in shown(r["type"])]
        found.append(inner_outputs(r["type"], q, instance, f"{dst}{r['name']}_inner."))
        body += [s for statements, _ in found for s in statements]
        kept += sum(size for _, size in found)
    return body, kept
