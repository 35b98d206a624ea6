# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The C text of a proof that follows from the tables: how ports, registers and rows of the RTL correspond to those of
the model, and which assertions are assumed."""
import re

from gates import c_name, variables
from hdgen import params
from hdgen.expressions import snake
from hdgen.params import leaves, shape
from hdgen.signals import instances_of
from hdgen.tables import CONFIGS, DERIVED, TYPES, port_rows, rtl_name


def number(bits):
    """Returns bits, the lowest first, as a number."""
    if len(bits) == 1:
        return f"(uint64_t){bits[0]}"
    return "(" + " | ".join(f"(uint64_t){b} << {k}" for k, b in enumerate(bits)) + ")"


def leaves_of(row, p):
    """Returns [(C member, lsb, width, element)] of a port or register."""
    width, n = shape(row, p)
    return [(member, i * width + lsb, w, i) for i in range(n)
            for member, lsb, w, _ in leaves(row["type"], p, row["name"] + f"[{i}]" * (row["count"] != "1"))]


def equal(value, member, text):
    return f'  CHECK({value} == {member}, "{text}");'


def parted(gates, passes):
    """Returns the assertions that are assumed: those about the inputs of the block itself, and those of inner modules
    that are named in `passes`; and all others, which are to be proved."""
    unknown = set(passes) - gates.assertions.keys()
    if unknown:
        raise ValueError(f"no assertion {', '.join(sorted(unknown))}; there are: {' '.join(gates.assertions)}")
    owed = [a for a in gates.assertions.values() if a.kind == "assume" and (not a.path or a.name in passes)]
    return owed, [a for a in gates.assertions.values() if a not in owed]


class Tables:
    """The generated part of a block's harness. `lost` names compared registers that the netlist does not have."""

    def __init__(self, block, p, gates, passes):
        self.block, self.p, self.gates = block, p, gates
        self.memories, self.plain = gates.memories(), gates.plain()
        self.lost = []
        self.owed, self.own = parted(gates, passes)

    def config(self):
        """The configuration as a constant."""
        values = "".join(f"  .{snake(r['param'])} = {self.p[r['param']]}u,\n" for r in CONFIGS + DERIVED)
        return [f"static const struct hd_cfg cfg = {{\n{values}  .num_counters = {self.p['NumCounters']},"
                f" .status_w = {self.p['StatusW']}}};", ""]

    def inputs(self):
        lines = [f"static void in_of(struct hd_{self.block}_in *in) {{", "  memset(in, 0, sizeof *in);"]
        for r in port_rows(self.block, "in"):
            lines += [f"  in->{m} = {value};" for m, value in self.port("in", r)]
        return [*lines, "}", ""]

    def bits(self, way, r):
        """Returns the variables of a port: `way` is in or out."""
        width, n = shape(r, self.p)
        return variables(way, rtl_name(r), width * n)

    def port(self, way, r):
        """Returns [(C member, its value in the RTL)] of a port."""
        bits = self.bits(way, r)
        return [(m, number(bits[lsb:lsb + w])) for m, lsb, w, _ in leaves_of(r, self.p)]

    def vector(self):
        """Sets the inputs from a line of vectors (replay.c): the first port is in the last digits."""
        lines, at = ["#ifdef REPLAY", "static void vector(const char *end) {", "  BIT bits[1 << 14];",
                     "  for (unsigned i = 0; i < sizeof bits && end[-1 - (int)(i / 4)] != ' '; i++) {",
                     "    const char c = end[-1 - (int)(i / 4)];",
                     "    bits[i] = (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10) >> i % 4 & 1;", "  }"], 0
        for r in port_rows(self.block, "in"):
            bits = self.bits("in", r)
            lines += [f"  {v} = bits[{at + i}];" for i, v in enumerate(bits)]
            at += len(bits)
        return [*lines, "}", "#endif", ""]

    def payloads(self):
        lines = []
        for t in TYPES:
            members = [(m, number([f"b[{lsb + k}]" for k in range(w)])) for m, lsb, w, _ in leaves(t, self.p)]
            same = "".join(f"\n      && {value} == v->{m}" for m, value in members)
            lines += [f"static inline _Bool same_{t}(const BIT *b, const struct hd_{t} *v) {{", f"  return 1{same};",
                      "}", f"static inline void {t}_from(const BIT *b, struct hd_{t} *v) {{",
                      *(f"  v->{m} = {value};" for m, value in members), "}"]
        return [*lines, ""]

    def outputs(self):
        lines = [f"static void same_out(const struct hd_{self.block}_out *out) {{"]
        for r in port_rows(self.block, "out"):
            lines += [equal(value, "out->" + m, f"output {m}") for m, value in self.port("out", r)]
        return [*lines, "}", ""]

    def state(self):
        """Every register and row that lockstep compares."""
        lines = [f"static void same_state(const struct hd_{self.block}_arch *a) {{"]
        return [*lines, *self.group(self.block, "", "", self.p), "  (void)a;", "}", ""]

    def shown(self, bits, lsb, width):
        """Returns bits of a register as a number."""
        return number([self.gates.shows(b) for b in bits[lsb:lsb + width]])

    def group(self, block, path, member, p):
        lines = []
        for r in port_rows(block, "state"):
            lines += self.register(r, path + r["rtl"], member, p)
        for r in port_rows(block, "table"):
            lines += self.table(r, path, member, p)
        for r, i, name, q in params.inside(block, p):
            element = r["name"] + f"[{i}]" * (r["count"] != "1")
            lines += self.group(r["type"], f"{path}{name}.", f"{member}{element}.", q)
        return lines

    def register(self, r, name, member, p):
        """A register with `valid` is compared where that is set, and is 0 in the model elsewhere."""
        if name not in self.plain and shape(r, p)[1]:
            self.lost.append(name)
            return []
        lines = []
        for m, lsb, w, i in leaves_of(r, p):
            value = self.shown(self.plain[name], lsb, w)
            if r["valid"]:
                value = f"(a->{member}{r['valid']}" + f"[{i}]" * (r["count"] != "1") + f" ? {value} : 0)"
            lines.append(equal(value, f"a->{member}{m}", f"register {member}{m}"))
        return lines

    def table(self, r, path, member, p):
        (width, n), lines = shape(r, p), []
        rams = instances_of(r, p)
        for i in range(n):
            ram, row = path + rams[i * len(rams) // n], i % (n // len(rams))
            if row not in self.memories.get(ram, {}) and ram not in self.plain:
                self.lost.append(ram)
                break
            for m, lsb, w, _ in leaves(r["type"], p, f"{r['name']}[{i}]"):
                value = self.shown(self.plain[ram], row * width + lsb, w) if ram in self.plain else \
                    self.shown(self.memories[ram][row], lsb, w)
                lines.append(equal(f"(a->{member}{r['name']}_valid[{i}] ? {value} : 0)", f"a->{member}{m}",
                                   f"row {member}{m}"))
        return lines

    def assertions(self):
        def function(name, found, line):
            return [f"static void {name}(void) {{", *map(line, found), "}", ""]
        return [*function("owed_assertions", self.owed, lambda a: f"  ASSUME(holds_{c_name(a.name)});"),
                *function("own_assertions", self.own,
                          lambda a: f"  CHECK(holds_{c_name(a.name)}, \"assertion {a.name}\");")]

    def show(self):
        """What a counterexample prints, in pieces of 64 bits."""
        def pieces(text, bits):
            each = [(k, f" bits {k} on" if len(bits) > 64 else "") for k in range(0, len(bits), 64)]
            return [f'  __CPROVER_output("{text}{which}", {number(bits[k:k + 64])});' for k, which in each]
        lines = ["#ifdef SHOW", "static void show(void) {"]
        for name, bits in self.gates.registers.items():
            lines += pieces(name, [self.gates.shows(b) for b in bits])
        for way in ("in", "out"):
            for r in port_rows(self.block, way):
                bits = self.bits(way, r)
                for m, lsb, w, _ in leaves_of(r, self.p):
                    lines += pieces(f"{way} {m}", bits[lsb:lsb + w])
        return [*lines, "}", "#endif", ""]

    def c_text(self):
        return "\n".join([*self.config(), *self.payloads(), *self.inputs(), *self.vector(), *self.outputs(),
                          *self.state(), *self.assertions(), *self.show()])


def settings(text):
    """Returns the settings at the head of a block's file: a comment of lines `key: words`."""
    found = {"passes": [], "wires": [], "defined": ["yes"], "depth": ["1"], "unwind": ["12"], "sets": [],
             "uses": [], "open": []}
    head = re.search(rf"/\* ({'|'.join(found)}): .*?\*/", text, re.S)
    for key, words in re.findall(r"^(?:/\*| \*) (\w+): (.*?)(?: \*/)?$", head[0] if head else "", re.M):
        if key not in found:
            raise ValueError(f"no setting '{key}'; there are: {', '.join(found)}")
        found[key] = words.split()
    return found
