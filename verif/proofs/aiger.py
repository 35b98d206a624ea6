# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""A flat netlist with some of its assertions as AIGER, for ABC."""
from gates import FLOP

FALSE, TRUE = 0, 1


def inverted(literal):
    return literal ^ 1


def delta(value):
    """Returns a number as in AIGER's binary form: 7 bits in a byte, the lowest first."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return out


class Aiger:
    """The output is 1 in a cycle in which an assertion of `own` fails although those of `owed` have held in all cycles
    up to it; without `own`, in each cycle up to which they have held. The block is in reset in the first cycle, and in
    no other; flops without reset begin with any value."""

    def __init__(self, gates, own, owed):
        self.gates, self.ands, self.same = gates, [], {}
        (reset,) = gates.ports["rst_ni"]["bits"]
        inputs = [b for b in gates.at if b not in gates.flops and b != reset] + gates.free
        self.inputs = len(inputs) + len(gates.state)  # each flop has one for its first value
        self.latches = len(gates.state) + 2
        self.literal = {b: 2 * (k + 1) for k, b in enumerate(inputs)} | {"0": FALSE, "1": TRUE}
        first = len(inputs) + 1
        flop = self.inputs + 1
        started, broken = (2 * (flop + len(gates.state) + k) for k in (0, 1))
        self.literal[reset] = started
        for k, q in enumerate(gates.state):
            self.literal[q] = self.mux(started, 2 * (flop + k), 2 * (first + k))
        holds = self.all(map(self.holds, owed))
        self.next = [self.following(q) for q in gates.state]
        self.next += [TRUE, self.either(broken, self.both(started, inverted(holds)))]
        fails = inverted(self.all(map(self.holds, own))) if own else TRUE
        self.output = self.all([started, inverted(broken), holds, fails])

    # ---- literals: twice the number of a variable, and 1 more if inverted --------------------------------------------

    def both(self, a, b):
        a, b = max(a, b), min(a, b)
        if b == FALSE or a == inverted(b):
            return FALSE
        if b == TRUE or a == b:
            return a
        if (a, b) not in self.same:
            self.ands.append((a, b))
            self.same[a, b] = 2 * (self.inputs + self.latches + len(self.ands))
        return self.same[a, b]

    def either(self, a, b):
        return inverted(self.both(inverted(a), inverted(b)))

    def mux(self, select, one, zero):
        return self.either(self.both(select, one), self.both(inverted(select), zero))

    def all(self, literals):
        result = TRUE
        for x in literals:
            result = self.both(result, x)
        return result

    def of(self, bit):
        """Returns the literal of a bit of the netlist."""
        if bit not in self.literal:
            for gate in self.gates.cone([bit]):
                if gate not in self.literal:
                    self.literal[gate] = self.gate(*self.gates.gates[gate])
        return self.literal[bit]

    def gate(self, kind, pins):
        a, b = self.literal[pins["A"]], self.literal[pins["B"]] if "B" in pins else None
        if kind == "$_MUX_":
            return self.mux(self.literal[pins["S"]], b, a)
        if kind in ("$_NOT_", "$_BUF_"):
            return inverted(a) if kind == "$_NOT_" else a
        if kind in ("$_ANDNOT_", "$_ORNOT_"):
            b = inverted(b)
        name = kind.strip("$_")
        if name in ("XOR", "XNOR"):
            return self.mux(a, inverted(b), b) ^ (name == "XNOR")
        result = self.both(a, b) if name in ("AND", "NAND", "ANDNOT") else self.either(a, b)
        return result ^ (name in ("NAND", "NOR"))

    def holds(self, assertion):
        return self.all(self.either(self.of(c), inverted(self.of(e))) for c, e in assertion.cells)

    def following(self, q):
        """Returns the next value of a flop."""
        kind, pins = self.gates.flops[q]
        reset, enable = FLOP.fullmatch(kind).groups()
        value = self.of(pins["D"])
        if enable:
            value = self.mux(self.of(pins["E"]) ^ (enable == "N"), value, self.literal[q])
        if reset:
            value = self.mux(self.of(pins["R"]) ^ (reset[0] == "N"), int(reset[1]), value)
        return value

    def binary(self):
        """Returns the binary form."""
        variables = self.inputs + self.latches + len(self.ands)
        out = bytearray(f"aig {variables} {self.inputs} {self.latches} 1 {len(self.ands)}\n".encode())
        out += "".join(f"{n}\n" for n in [*self.next, self.output]).encode()
        for k, (a, b) in enumerate(self.ands):
            out += delta(2 * (self.inputs + self.latches + 1 + k) - a) + delta(a - b)
        return bytes(out)
