# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""A flat netlist as C functions of state and inputs: outputs, registers by their names, assertions, and the next state.
The types BIT and GATE are those of harness.h."""
import re

GATES = {"$_AND_": "{A} && {B}", "$_OR_": "{A} || {B}", "$_XOR_": "{A} != {B}", "$_NOT_": "!{A}", "$_BUF_": "{A}",
         "$_MUX_": "{S} ? {B} : {A}", "$_NAND_": "!({A} && {B})", "$_NOR_": "!({A} || {B})", "$_XNOR_": "{A} == {B}",
         "$_ANDNOT_": "{A} && !{B}", "$_ORNOT_": "{A} || !{B}"}
FLOP = re.compile(r"\$_(?:DFF|DFFE|SDFF)_P([NP][01])?([NP])?_")  # reset: level and value; enable
ASSERTION = re.compile(r"(?:\$flatten(.*)\.)?\$(assert|assume)\$(.+):(\d+)\$\d+")


def c_name(name):
    return re.sub(r"\W", "_", name)


class Assertion:
    """An assertion of the RTL. `path` is its instance, "" in the block's own module; `cells` has (condition, enable) of
    each cell, several in a loop."""

    def __init__(self, path, label, kind):
        self.path, self.label, self.kind, self.cells = path, label, kind, []
        self.name = f"{path}.{label}" if path else label


class Gates:
    """`kept` are names of wires that count as registers if they follow from the state alone."""

    def __init__(self, module, labels, kept):
        self.ports = module["ports"]
        self.gates, self.flops, self.free = {}, {}, []
        for part in (self.ports, module["netnames"]):
            for v in part.values():
                v["bits"] = [self.bit(b) for b in v["bits"]]
        cells = []
        for name, cell in module["cells"].items():
            pins = {pin: [self.bit(b) for b in bits] for pin, bits in cell["connections"].items()}
            self.add(cell["type"], pins)
            if cell["type"] in ("$assert", "$assume"):
                cells.append((name, cell["attributes"]["src"], pins["A"][0], pins["EN"][0]))
        self.inputs = {b for p in self.ports.values() if p["direction"] == "input" for b in p["bits"]}
        self.outputs = {n: p["bits"] for n, p in self.ports.items() if p["direction"] == "output"}
        self.registers = self.named(module["netnames"], kept)
        hidden = {b for v in module["netnames"].values() if v.get("hide_name") for b in v["bits"]}
        self.hidden = hidden - {b for bits in self.registers.values() for b in bits}
        self.assertions = self.labelled(cells, labels)
        self.needed()

    def bit(self, b):
        """A constant "0" or "1", a number of a wire, or a free bit for "x"."""
        return self.new_free() if b in ("x", "z") else b

    def new_free(self):
        """Returns a bit that has any value in each cycle."""
        self.free.append(f"in->free[{len(self.free)}]")
        return self.free[-1]

    def add(self, kind, pins):
        if kind in GATES:
            self.gates[pins["Y"][0]] = kind, {pin: bits[0] for pin, bits in pins.items() if pin != "Y"}
        elif FLOP.fullmatch(kind):
            self.flops[pins["Q"][0]] = kind, {pin: bits[0] for pin, bits in pins.items() if pin not in "CQ"}
        elif kind == "$anyseq":
            for b in pins["Y"]:
                self.gates[b] = "$_BUF_", {"A": self.new_free()}
        elif kind not in ("$assert", "$assume", "$cover", "$scopeinfo"):
            raise ValueError(f"unknown cell {kind}")

    def named(self, nets, kept):
        """Returns {name: bits} of the registers and kept wires; rows of a memory are NAME[i]."""
        memo = {}
        return {name: v["bits"] for name, v in nets.items()
                if not v.get("hide_name") and (name in kept or re.search(r"_q(\[\d+\])?$", name))
                and all(self.is_state(b, memo) for b in v["bits"])}

    def is_state(self, bit, memo):
        """Does a bit follow from the state alone?"""
        if isinstance(bit, str) or bit in self.flops:
            return not str(bit).startswith("in->")
        if bit not in self.gates:
            return False
        if bit not in memo:
            memo[bit] = all(b in self.flops or isinstance(b, str) and not b.startswith("in->")
                            for b in self.leaves([bit]) if b not in self.gates)
        return memo[bit]

    def labelled(self, cells, labels):
        """Returns the assertions by name. A cell's name has its file; its label is the last one before its end."""
        found = {}
        for name, src, condition, enable in cells:
            path, kind, file, line = ASSERTION.fullmatch(name).groups()
            end = int(re.search(rf"{re.escape(file)}:{line}\.\d+-(\d+)", src)[1])
            label = labels[file, max(at for where, at in labels if where == file and at <= end)]
            a = Assertion((path or "").replace("\\", ""), label, kind)
            found.setdefault(a.name, a).cells.append((self.now(condition), self.now(enable)))
        return dict(sorted(found.items()))

    def now(self, bit):
        """The check of a clocked assertion is a flop, which shows it in the next cycle: returns the bit before it."""
        if bit in self.flops and bit in self.hidden and self.flops[bit][0] == "$_DFF_P_":
            return self.flops[bit][1]["D"]
        return bit

    def cone(self, targets):
        """Returns the gates that the targets need, in an order in which they can be evaluated."""
        order, done = [], set()
        for target in targets:
            stack = [(target, False)]
            while stack:
                bit, complete = stack.pop()
                if complete:
                    order.append(bit)
                elif bit not in done and bit in self.gates:
                    done.add(bit)
                    stack.append((bit, True))
                    stack += [(b, False) for b in self.gates[bit][1].values()]
        return order

    def leaves(self, targets):
        """Returns the targets and all that their cone reads."""
        return set(targets).union(*(self.gates[g][1].values() for g in self.cone(targets)))

    def shown(self):
        """All bits that a question is about."""
        bits = [b for bits in [*self.outputs.values(), *self.registers.values()] for b in bits]
        return bits + [b for a in self.assertions.values() for pair in a.cells for b in pair]

    def needed(self):
        """Finds the flops that count, and makes bits that nothing drives free."""
        self.state, targets = set(), self.leaves(self.shown())
        while new := {b for b in targets if b in self.flops} - self.state:
            self.state |= new
            targets = self.leaves([b for q in new for b in self.flops[q][1].values()])
        self.state = sorted(self.state)
        self.at = {b: f"s->f[{i}]" for i, b in enumerate(self.state)}
        self.at |= {b: f"in->{c_name(n)}[{i}]" for n, p in self.ports.items() if p["direction"] == "input"
                    for i, b in enumerate(p["bits"])}
        read = self.leaves(self.shown() + [b for q in self.state for b in self.flops[q][1].values()])
        for b in sorted(b for b in read if not isinstance(b, str) and b not in self.at and b not in self.gates):
            self.at[b] = self.new_free()

    def count(self):
        """Returns the number of gates of the block, without those that only its assertions need."""
        return len(self.cone([b for bits in self.outputs.values() for b in bits]
                             + [b for q in self.state for b in self.flops[q][1].values()]))

    def memories(self):
        """Returns {name: {row: bits}} of the memories."""
        rows = {}
        for name, bits in self.registers.items():
            if m := re.fullmatch(r"(.*_q)\[(\d+)\]", name):
                rows.setdefault(m[1], {})[int(m[2])] = bits
        return rows

    def plain(self):
        """Returns {name: bits} of the registers that are no memory."""
        return {name: bits for name, bits in self.registers.items() if not re.search(r"_q\[\d+\]$", name)}

    # ---- C ----------------------------------------------------------------------------------------------------------

    def ref(self, bit):
        return bit if isinstance(bit, str) else self.at.get(bit, f"n{bit}")

    def next(self, q):
        """Returns the next value of a flop."""
        kind, pins = self.flops[q]
        reset, enable = FLOP.fullmatch(kind).groups()
        value = self.ref(pins["D"])
        if enable:
            value = f"({'!' * (enable == 'N')}{self.ref(pins['E'])} ? {value} : {self.ref(q)})"
        if reset:
            value = f"({'!' * (reset[0] == 'N')}{self.ref(pins['R'])} ? {reset[1]} : {value})"
        return value

    def function(self, name, struct, results):
        """Returns a C function that computes [(member, its value, the bits that the value needs)]."""
        lines = [f"static void {name}(const struct rtl_state *s, const struct rtl_in *in, struct {struct} *to) {{"]
        for b in self.cone([b for _, _, bits in results for b in bits]):
            kind, pins = self.gates[b]
            value = GATES[kind].format(**{pin: self.ref(v) for pin, v in pins.items()})
            lines.append(f"  const GATE n{b} = {value};")
        lines += [f"  to->{member} = {value};" for member, value, _ in results]
        return [*lines, "  (void)s;", "  (void)in;", "  (void)to;", "}", ""]

    def bits(self, member, bits):
        return [(f"{member}[{i}]", self.ref(b), [b]) for i, b in enumerate(bits)]

    def struct(self, name, members):
        """Returns a C struct of [(member, dimensions)]."""
        lines = [f"  BIT {member}" + "".join(f"[{max(1, n)}]" for n in sizes) + ";" for member, *sizes in members]
        return [f"struct {name} {{", *(lines or ["  BIT none_;"]), "};"]

    def any(self, struct, members):
        """Returns a function that gives each bit any value."""
        lines = [f"static void any_{struct}(struct rtl_{struct} *to) {{", "  uint64_t word;"]
        for i, member in enumerate(f"{name}[{i}]" for name, n in members for i in range(n)):
            lines += ["  word = nondet_word();"] * (i % 64 == 0) + [f"  to->{member} = word >> {i % 64} & 1;"]
        return [*lines, "}", ""]

    def c_text(self):
        ins = [(c_name(n), len(p["bits"])) for n, p in self.ports.items() if p["direction"] == "input"]
        ins.append(("free", len(self.free)))
        memories, plain = self.memories(), self.plain()
        rows = [(c_name(n), max(r) + 1, max(map(len, r.values()))) for n, r in memories.items()]
        registers = [part for n, bits in plain.items() for part in self.bits(c_name(n), bits)]
        registers += [part for n, r in memories.items() for k, bits in r.items()
                      for part in self.bits(f"{c_name(n)}[{k}]", bits)]
        holds = [(c_name(a.name), " && ".join(f"({self.ref(c)} || !{self.ref(e)})" for c, e in a.cells),
                  [b for pair in a.cells for b in pair]) for a in self.assertions.values()]
        return "\n".join([
            *self.struct("rtl_state", [("f", len(self.state))]), *self.struct("rtl_in", ins),
            *self.struct("rtl_out", [(c_name(n), len(b)) for n, b in self.outputs.items()]),
            *self.struct("rtl_regs", [(c_name(n), len(b)) for n, b in plain.items()] + rows),
            *self.struct("rtl_holds", [(name,) for name, _, _ in holds]), "",
            *self.any("state", [("f", len(self.state))]), *self.any("in", ins),
            *self.function("rtl_outputs", "rtl_out", [part for n, b in self.outputs.items()
                                                      for part in self.bits(c_name(n), b)]),
            *self.function("rtl_registers", "rtl_regs", registers),
            *self.function("rtl_assertions", "rtl_holds", holds),
            *self.function("rtl_next", "rtl_state", [(f"f[{i}]", self.next(q), list(self.flops[q][1].values()))
                                                     for i, q in enumerate(self.state)])])
