# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""A flat netlist as C: each flop, input and output is a variable of its own, and functions compute the outputs, the
registers by their names, the assertions, and the next state. The types BIT and GATE are those of harness.h.

Variables of their own, since CBMC expands the whole struct or array for each bit of it that is read."""
import re

GATES = {"$_AND_": "{A} && {B}", "$_OR_": "{A} || {B}", "$_XOR_": "{A} != {B}", "$_NOT_": "!{A}", "$_BUF_": "{A}",
         "$_MUX_": "{S} ? {B} : {A}", "$_NAND_": "!({A} && {B})", "$_NOR_": "!({A} || {B})", "$_XNOR_": "{A} == {B}",
         "$_ANDNOT_": "{A} && !{B}", "$_ORNOT_": "{A} || !{B}"}
FLOP = re.compile(r"\$_(?:DFF|DFFE|SDFF)_P([NP][01])?([NP])?_")  # reset: level and value; enable
ASSERTION = re.compile(r"(?:\$flatten(.*)\.)?\$(assert|assume)\$(.+):(\d+)\$\d+")


def c_name(name):
    return re.sub(r"\W", "_", name)


def variables(way, name, width):
    """Returns the variables of a port, one for each bit: `way` is in or out."""
    return [f"{way}_{c_name(name)}_{i}" for i in range(width)]


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
        self.free.append(f"free_{len(self.free)}")
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
            return not str(bit).startswith("free_")
        if bit not in self.gates:
            return False
        if bit not in memo:
            memo[bit] = all(b in self.flops or isinstance(b, str) and not b.startswith("free_")
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
        self.at = {b: f"f{i}" for i, b in enumerate(self.state)}
        self.at |= {b: pin for n, p in self.ports.items() if p["direction"] == "input"
                    for b, pin in zip(p["bits"], variables("in", n, len(p["bits"])))}
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

    def shows(self, bit):
        """Returns the variable of a register's bit after rtl_registers()."""
        return f"r{bit}" if bit in self.gates else self.ref(bit)

    def function(self, name, results, after=()):
        """Returns a C function that sets [(variable, its value, the bits that the value needs)], then does `after`."""
        lines = [f"static void {name}(void) {{"]
        for b in self.cone([b for _, _, bits in results for b in bits]):
            kind, pins = self.gates[b]
            value = GATES[kind].format(**{pin: self.ref(v) for pin, v in pins.items()})
            lines.append(f"  const GATE n{b} = {value};")
        return [*lines, *(f"  {variable} = {value};" for variable, value, _ in results), *after, "}", ""]

    def any(self, name, of):
        """Returns a function that gives each of these variables any value."""
        lines = [f"static void any_{name}(void) {{", "  uint64_t word;"]
        for i, variable in enumerate(of):
            lines += ["  word = nondet_word();"] * (i % 64 == 0) + [f"  {variable} = word >> {i % 64} & 1;"]
        return [*lines, "}", ""]

    def set_registers(self):
        """Returns the declarations of registers as arrays, and the function that sets them."""
        arrays, results = [], []
        for name, of in self.plain().items():
            arrays.append(f"static BIT rtl_{c_name(name)}[{len(of)}];")
            results += [(f"rtl_{c_name(name)}[{i}]", b) for i, b in enumerate(of)]
        for name, rows in self.memories().items():
            arrays.append(f"static BIT rtl_{c_name(name)}[{max(rows) + 1}][{max(map(len, rows.values()))}];")
            results += [(f"rtl_{c_name(name)}[{k}][{i}]", b) for k, of in rows.items() for i, b in enumerate(of)]
        bits = sorted({b for _, b in results if b in self.gates})
        return [*arrays, *(f"static BIT r{b};" for b in bits)], self.function(
            "rtl_registers", [(f"r{b}", self.ref(b), [b]) for b in bits]
            + [(variable, self.ref(b), [b]) for variable, b in results])

    def c_text(self):
        state = [self.at[q] for q in self.state]
        ins = [v for n, p in self.ports.items() if p["direction"] == "input"
               for v in variables("in", n, len(p["bits"]))]
        outs = [(v, self.ref(b), [b]) for n, bits in self.outputs.items()
                for v, b in zip(variables("out", n, len(bits)), bits)]
        holds = [(f"holds_{c_name(a.name)}", " && ".join(f"({self.ref(c)} || !{self.ref(e)})" for c, e in a.cells),
                  [b for pair in a.cells for b in pair]) for a in self.assertions.values()]
        nexts = [(f"const BIT next_{self.at[q]}", self.next(q), list(self.flops[q][1].values())) for q in self.state]
        arrays, registers = self.set_registers()
        return "\n".join([
            *(f"static BIT {v};" for v in [*state, *ins, *self.free, *(v for v, _, _ in outs + holds)]), *arrays, "",
            *self.any("state", state), *self.any("in", ins + self.free), *self.function("rtl_outputs", outs),
            *registers, *self.function("rtl_assertions", holds),
            *self.function("rtl_step", nexts, [f"  {v} = next_{v};" for v in state])])
