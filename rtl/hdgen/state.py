# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The part of a binding that reads the state of a Verilated block: registers and tables, group by group (state_groups()
in signals.py). A netlist has no readable groups."""
from .access import emit_load, emit_table_row, row_bytes
from .expressions import evaluate
from .params import shape
from .signals import banks, below, write_ports
from .tables import port_rows

LAST_BIT = 31  # last bit of the word of changed registers: stands for the 32nd register and all after it


def emit_state(block, every, groups):
    """All functions that read the state. every: the groups of the block; groups: those that can be read."""
    o = []
    for g, group in enumerate(groups):
        o += emit_row_readers(block, g, group)
    for g, group in enumerate(groups):
        o += emit_reader(block, g, group)
    signals = [register_bits(group) for group in groups]
    for g, names in enumerate(signals):
        o += emit_changed(g, names)
    o.append("static unsigned arch_changed(Vrtl *t, unsigned group, unsigned char *last) {\n  switch (group) {")
    o += [f"    case {g}: return changed_{g}(t->rootp, last);" for g in range(len(groups))]
    o.append("    default: (void)t; (void)last; return 0;\n  }\n}\n")
    sizes = [sum(n * size for _, n, size, _ in tables_of(group)) for group in every]
    starts = ", ".join(str(sum(sizes[:g])) for g in range(max(1, len(groups))))
    o += [f"#define HD_GROUPS {max(1, len(groups))}", f"#define HD_TABLE_BYTES {max(1, sum(sizes))}",
          f"static const unsigned table_at[HD_GROUPS] = {{{starts}}};",
          f"#define HD_GROUP_BYTES {max([1] + [sum(8 + w // 8 for w in names.values()) for names in signals])}\n",
          "static void get_arch(Vrtl *t, unsigned group, void *a_, const void *v_, unsigned mask, int tables, "
          "unsigned char *rows) {", *switch(block)]
    o += [f"    case {g}: arch_{g}(t->rootp, a, v, mask, tables, rows); break;" for g in range(len(groups))]
    o.append("    default: (void)a; (void)v; (void)mask; (void)tables; (void)rows; (void)t; break;\n  }\n}\n")
    return o + emit_get_row(block, groups) + emit_get_writes(groups)


def switch(block):
    """Casts of the state, and the switch over the groups."""
    return [f"  struct hd_{block}_arch *a = (struct hd_{block}_arch *)a_;",
            f"  const struct hd_{block}_arch *v = (const struct hd_{block}_arch *)v_;", "  switch (group) {"]


def own(group, kind):
    """The rows `state` or `table` of a group; none if its block is omitted."""
    owner, path, _, _ = group
    return port_rows(owner, kind) if path else []


def tables_of(group):
    """[(row, entries, bytes kept per entry, offset of the table's bytes)] of a group."""
    _, _, _, p = group
    out, at = [], 0
    for r in own(group, "table"):
        n, size = evaluate(r["count"], p), row_bytes(r, p)
        out.append((r, n, size, at))
        at += n * size
    return out


def emit_row_readers(block, g, group):
    """One function per table of a group, which reads one row."""
    _, path, member, p = group
    o = []
    for k, (r, *_) in enumerate(tables_of(group)):
        o.append(f"static void row_{g}_{k}(Vrtl___024root *root, struct hd_{block}_arch *a, "
                 f"const struct hd_{block}_arch *v, unsigned i, unsigned char *seen) {{")
        signals = ["root->" + b for b in banks(r, path, p)]
        o += [*emit_table_row(signals, f"a->{member}{r['name']}", f"v->{member}{r['name']}", r, p), "}\n"]
    return o


def emit_reader(block, g, group):
    """The function that reads the changed registers of a group and, on demand, its tables."""
    _, path, member, p = group
    o = [f"static void arch_{g}(Vrtl___024root *root, struct hd_{block}_arch *a, "
         f"const struct hd_{block}_arch *v, unsigned mask, int tables, unsigned char *rows) {{"]
    bit = {}
    for r in own(group, "state"):
        bit[r["name"]] = 1 << min(len(bit), LAST_BIT)
        mask = bit[r["name"]] | bit.get(r["valid"], 0)  # unpacked when it or its valid changed
        guard = f"v->{member}{r['valid']}" + ("[i]" if r["count"] != "1" else "") if r["valid"] else ""
        load = emit_load("root->" + below(path, r["rtl"]), f"a->{member}{r['name']}", r, p, guard)
        o += [f"  if (mask & {mask}u) {{", *load, "  }"]
    for k, (_, n, _, at) in enumerate(tables_of(group)):
        o.append(f"  for (unsigned i = 0; tables && i < {n}; i++) row_{g}_{k}(root, a, v, i, rows + {at});")
    return o + ["  (void)a; (void)v; (void)root; (void)mask; (void)tables; (void)rows;\n}\n"]


def register_bits(group):
    """{register: its width} of a group, in the order of the bits of changed registers."""
    _, path, _, p = group
    return {below(path, r["rtl"]): w * n for r in own(group, "state") for w, n in [shape(r, p)]}


def emit_changed(g, names):
    """The function that returns a mask of the registers of a group that changed."""
    o = [f"static unsigned changed_{g}(const Vrtl___024root *root, unsigned char *last) {{\n  unsigned c = 0;"]
    for k, n in enumerate(names):
        o.append(f"  c |= static_cast<unsigned>(renew(root->{n}, last)) << {min(k, LAST_BIT)};")
    return o + ["  (void)root; (void)last;\n  return c;\n}\n"]


def emit_get_row(block, groups):
    """The function that reads one row of each of a group's tables."""
    o = ["static void get_row(Vrtl *t, unsigned group, unsigned i, void *a_, const void *v_, unsigned char *rows) {",
         *switch(block)]
    for g, group in enumerate(groups):
        calls = [f" if (i < {n}) row_{g}_{k}(t->rootp, a, v, i, rows + {at});"
                 for k, (_, n, _, at) in enumerate(tables_of(group))]
        if calls:
            o += [f"    case {g}:" + calls[0], *("     " + c for c in calls[1:]), "      break;"]
    return o + ["    default: break;\n  }\n  (void)t; (void)i; (void)a; (void)v; (void)rows;\n}\n"]


def emit_get_writes(groups):
    """The function that returns, for each table in the order of the groups, the row that the next clock edge writes."""
    o = ["static void get_writes(Vrtl *t, int32_t *row) {", "  const Vrtl___024root *root = t->rootp;"]
    found = [write_ports(r, path, p) if path else [] for owner, path, _, p in groups
             for r in port_rows(owner, "table")]
    for k, ports in enumerate(found):
        tell = [f"root->{we} ? static_cast<int32_t>({first} + root->{at})" for first, we, at in ports]
        o.append(f"  row[{k}] = {' : '.join([*tell, '-1'])};")
    return o + ["  (void)root; (void)row;\n}\n"]
