# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""Code that pins.py appends to the tables of a module of `hdgen python`: packs values into the flat ports, and back."""


def check(name, value, width):
    """The value as a number of `width` bits. Raises ValueError, naming the accepted range, if it does not fit."""
    number = int(value)
    if not 0 <= number < 1 << width:
        raise ValueError(f"{name}={number}: 0 to {(1 << width) - 1} is accepted")
    return number


def pack(typ, values):
    """The bits of a payload. values: {field: number, or for a nested payload such a dict}; a missing field is 0."""
    unknown = set(values) - set(TYPES[typ])
    if unknown:
        raise KeyError(f"{typ}: no field {', '.join(sorted(unknown))}; there are: {', '.join(TYPES[typ])}")
    bits = 0
    for name, value in values.items():
        f = TYPES[typ][name]
        bits |= (pack(f.type, value) if f.type else check(f"{typ}.{name}", value, f.width)) << f.lsb
    return bits


def unpack(typ, bits):
    """The fields of a payload's bits: {field: number, or for a nested payload such a dict}."""
    out = {}
    for name, f in TYPES[typ].items():
        part = int(bits) >> f.lsb & (1 << f.width) - 1
        out[name] = unpack(f.type, part) if f.type else part
    return out


def offsets(typ, path="", lsb=0):
    """{path: (lowest bit, width)} of each number in a payload; a path is, for example, `desc.pc`."""
    out = {}
    for name, f in TYPES[typ].items():
        if f.type:
            out.update(offsets(f.type, f"{path}{name}.", lsb + f.lsb))
        else:
            out[path + name] = (lsb + f.lsb, f.width)
    return out


class Port(namedtuple("Port", "rtl direction type width count")):
    """A port: name in the RTL, in or out, payload (or "" for numbers), width of an element, elements (0: no array)."""
    __slots__ = ()

    def pack(self, value):
        """The bits of the port. For an array the value is a list of all elements, the first in the lowest bits."""
        if not self.count:
            return pack(self.type, value) if self.type else check(self.rtl, value, self.width)
        if len(value) != self.count:
            raise ValueError(f"{self.rtl}: {len(value)} elements: {self.count} are accepted")
        one = self._replace(count=0)
        return sum(one.pack(v) << self.width * k for k, v in enumerate(value))

    def unpack(self, bits):
        """The value from which pack() makes these bits."""
        parts = [int(bits) >> self.width * k & (1 << self.width) - 1 for k in range(self.count or 1)]
        values = [unpack(self.type, part) if self.type else part for part in parts]
        return values if self.count else values[0]


PORTS = {name: Port(*row) for name, row in ROWS.items()}


class Pins:
    """The handles of a DUT under the names of the tables, without _i, _ni and _o: pins.clk, pins.psel, pins.wdata.
    AMBA ports then have their standard names, so a library accepts an object of this class as the entity of a bus:
    AxiBus.from_entity(pins)."""

    def __init__(self, dut):
        self._dut, self._name, self._log = dut, dut._name, dut._log
        self.clk, self.rst_n = dut.clk_i, dut.rst_ni
        for name, port in PORTS.items():
            setattr(self, name, getattr(dut, port.rtl))

    def get(self, name):
        """The value of a port: a number or a dict of fields; for an array a list of these."""
        return PORTS[name].unpack(getattr(self, name).value)

    def put(self, name, value):
        """Sets an input; the value has the form that get() returns."""
        getattr(self, name).value = PORTS[name].pack(value)

    def rest(self):
        """Sets all inputs but clock and reset to 0."""
        for name, port in PORTS.items():
            if port.direction == "in":
                getattr(self, name).value = 0


def main():
    """Prints the ports and the positions of their fields."""
    print("port (each element of an array); lowest bit; width")
    for port in PORTS.values():
        print(f"{port.rtl:24} {'':4} {port.width:4}" + (f" x {port.count}" if port.count else ""))
        for path, (lsb, width) in (offsets(port.type) if port.type else {}).items():
            print(f"  {path:22} {lsb:4} {width:4}")


if __name__ == "__main__":
    main()
