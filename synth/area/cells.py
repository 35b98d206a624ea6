# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The default cells of the area report: a process-independent liberty library, by the method of logical effort
(Sutherland, Sproull and Harris). docs/area.md explains it.

Units. Load: 1 pF of the file is the input of an INVX1. Time: 1 ns is 1 FO4, an INVX1 that drives four of itself; by the
method that takes 4 + 1 = 5 tau. Area: 1 is a NAND2X1, 1 GE.

A gate of drive X with a load of C inverter inputs takes p + C / X tau; an input of it is a load of g X. Its logical
effort g and its parasitic delay p follow from the widths of its transistors: PMOS are twice as wide as NMOS of the same
drive, and each stack is as strong as the transistors of an inverter. Logical effort knows no slews, so delays do not
depend on them."""

TAU = 0.2  # ns of the file: a fifth of an FO4

# A column of a cell holds NMOS and PMOS transistors of 6 units in total (an INVX1 is 1 + 2); there is one more column
# between two cells, so that a NAND2X1 has three.
COLUMN, GE_COLUMNS = 6, 3

# The gates of one stage: function, (NMOS width, PMOS width) of each input, sum of the widths at the output. The g of an
# input is its width / 3, p the width at the output / 3.
STAGES = {
    "INV": ("!A", [(1, 2)], 3),
    "NAND2": ("!(A & B)", [(2, 2)] * 2, 2 + 4),
    "NAND3": ("!(A & B & C)", [(3, 2)] * 3, 3 + 6),
    "NAND4": ("!(A & B & C & D)", [(4, 2)] * 4, 4 + 8),
    "NOR2": ("!(A | B)", [(1, 4)] * 2, 2 + 4),
    "NOR3": ("!(A | B | C)", [(1, 6)] * 3, 3 + 6),
    "NOR4": ("!(A | B | C | D)", [(1, 8)] * 4, 4 + 8),
    "AOI21": ("!((A & B) | C)", [(2, 4), (2, 4), (1, 4)], 2 + 1 + 4),
    "AOI22": ("!((A & B) | (C & D))", [(2, 4)] * 4, 2 + 2 + 8),
    "AOI211": ("!((A & B) | C | D)", [(2, 6), (2, 6), (1, 6), (1, 6)], 2 + 1 + 1 + 6),
    "OAI21": ("!((A | B) & C)", [(2, 4), (2, 4), (2, 2)], 2 + 4 + 2),
    "OAI22": ("!((A | B) & (C | D))", [(2, 4)] * 4, 2 + 2 + 4 + 4),
    "OAI211": ("!((A | B) & C & D)", [(3, 4), (3, 4), (3, 2), (3, 2)], 3 + 4 + 2 + 2),
}
DRIVES = {"INV": (1, 2, 4, 8, 16), "NAND2": (1, 2, 4), "NOR2": (1, 2, 4)}  # 1 and 2 for the others
# An arm of a multiplexer, or the clocked inverter of a flop: two transistors in series, up and down.
ARM, ARM_G, ARM_P = [(2, 4), (2, 4)], 2, 2


def columns(widths, drive=1):
    """Returns the columns of transistors: [(NMOS width, PMOS width)] of the inputs."""
    return sum(-(-(n + p) * drive // COLUMN) for n, p in widths)


def area(cols):
    return (cols + 1) / GE_COLUMNS


class Gate:
    """A gate. `inputs`: pin -> load; `delays`: pin -> tau without a load."""

    def __init__(self, name, function, drive, cols, inputs, delays):
        self.name, self.function, self.drive, self.cols = name, function, drive, cols
        self.inputs, self.delays = inputs, delays


def stage(kind, drive, name=None):
    function, widths, joined = STAGES[kind]
    pins = "ABCD"[:len(widths)]
    return Gate(name or f"{kind}X{drive}", function, drive, columns(widths, drive),
                {pin: drive * sum(w) / 3 for pin, w in zip(pins, widths)}, dict.fromkeys(pins, joined / 3))


def followed(name, function, first, second):
    """A gate followed by an inverter."""
    more = second.inputs["A"] / first.drive + second.delays["A"]
    return Gate(name, function, second.drive, first.cols + second.cols, first.inputs,
                {pin: d + more for pin, d in first.delays.items()})


def exclusive(name, function, first, second):
    """A ^ B is !((A & B) | NOR(A, B)), its inverse !((A | B) & NAND(A, B))."""
    delay = first.delays["A"] + second.inputs["C"] / first.drive + second.delays["C"]
    return Gate(name, function, second.drive, first.cols + second.cols,
                {pin: first.inputs[pin] + second.inputs[pin] for pin in "AB"}, dict.fromkeys("AB", delay))


def multiplexer(drive):
    """Two arms, and an inverter for the select."""
    inv, arm = stage("INV", 1), ARM_G * drive
    select = inv.inputs["A"] + arm
    late = arm / inv.drive + inv.delays["A"] + 2 * ARM_P
    return Gate(f"MUXI2X{drive}", "!((A & !S) | (B & S))", drive, inv.cols + 2 * columns(ARM, drive),
                {"A": arm, "B": arm, "S": select}, {"A": 2 * ARM_P, "B": 2 * ARM_P, "S": late})


def gates():
    out = [stage(kind, x) for kind in STAGES for x in DRIVES.get(kind, (1, 2))]
    inv = {x: stage("INV", x) for x in (1, 2, 4, 8, 16)}
    for x, first in ((2, 1), (4, 1), (8, 2), (16, 4)):
        out.append(followed(f"BUFX{x}", "A", inv[first], inv[x]))
    for kind, of, function in (("AND2", "NAND2", "A & B"), ("AND3", "NAND3", "A & B & C"), ("OR2", "NOR2", "A | B"),
                               ("OR3", "NOR3", "A | B | C")):
        out += [followed(f"{kind}X{x}", function, stage(of, first), inv[x]) for x, first in ((1, 1), (2, 1), (4, 2))]
    for x in (1, 2):
        out.append(exclusive(f"XOR2X{x}", "A ^ B", stage("NOR2", x), stage("AOI21", x)))
        out.append(exclusive(f"XNOR2X{x}", "!(A ^ B)", stage("NAND2", x), stage("OAI21", x)))
        out.append(multiplexer(x))
    for x in (2, 4):
        out.append(followed(f"MUX2X{x}", "(A & !S) | (B & S)", multiplexer(x // 2), inv[x]))
    return out


class Flop:
    """Two latches, each a clocked inverter, an inverter and a keeper (a clocked inverter of a quarter of the width that
    holds the value); two inverters of drive 2 for the clock and its inverse; an output inverter of drive 2.

    Clock to output: the two clock inverters (each has half of the clock inputs of two clocked inverters and two keepers
    as its load, the first also the second), the clocked inverter of the second latch, the output inverter.
    Set-up: the input must pass the first latch before the first clock inverter begins to close it. Hold: 0."""
    DRIVE, KEEPER = 2, 0.25

    def __init__(self, name, reset=None):
        self.name, self.reset = name, reset  # reset: what the output becomes
        inv, keep = stage("INV", 1), self.KEEPER
        clocked = ARM_G * (1 + keep)  # load of each of the two clock nets: half of two pairs
        first = (clocked + 2) / 2 + 1
        second = clocked / 2 + 1
        held = keep * ARM_P  # load of a keeper's output on its node
        # A reset to 1 uses a NAND in place of the inverters, a reset to 0 the keepers.
        gate = stage("NAND2", 1) if reset == 1 else inv
        self.clk_to_q = first + second + (self.DRIVE + keep * gate.inputs["A"] + held + ARM_P) + 1
        through = gate.inputs["A"] + held + ARM_P + (ARM_G + keep * ARM_G) + gate.delays["A"]
        self.setup = through - first
        self.cols = 2 + 2 * (2 * columns(ARM) + inv.cols) + 1 + (2 if reset is not None else 0)
        self.clk, self.d, self.rn = 2, ARM_G, 2 * keep * 5 / 3 if reset == 0 else (1 + keep) * 4 / 3


# ---- Liberty -------------------------------------------------------------------------------------------------------

HEAD = """\
/* Made by synth/area/cells.py: they belong to no process. 1 ns: 1 FO4, 1 pF: the input of an INVX1, area 1: 1 GE. */
library (heddle_le) {
  delay_model : table_lookup;
  time_unit : "1ns";
  voltage_unit : "1V";
  current_unit : "1uA";
  pulling_resistance_unit : "1kohm";
  leakage_power_unit : "1nW";
  capacitive_load_unit (1, pf);
""" + "".join(f"  {a}_threshold_pct_{b} : {v};\n"
              for a, v in (("slew_upper", 80), ("slew_lower", 20), ("input", 50), ("output", 50))
              for b in ("rise", "fall")) + """\
  nom_process : 1;
  nom_voltage : 1;
  nom_temperature : 25;
  lu_table_template (line) {
    variable_1 : input_net_transition;
    variable_2 : total_output_net_capacitance;
    index_1 ("%s");
    index_2 ("%s");
  }
"""
SLEWS, LOADS = (0.1, 1.0, 10.0), (0.0, 4.0, 64.0)  # ns, pF: any two values work, since the tables are linear


def row(values):
    return ", ".join(f"{v:.6g}" for v in values)


def arc(pin, kind, tau, drive):
    """Tables linear in the load; the slew of the output equals its delay."""
    line = row(TAU * (tau + c / drive) for c in LOADS)
    values = ", ".join(f'"{line}"' for _ in SLEWS)
    tables = "".join(f"      {t} (line) {{ values ({values}); }}\n"
                     for t in ("cell_rise", "cell_fall", "rise_transition", "fall_transition"))
    return f'    timing () {{ related_pin : "{pin}"; {kind}\n{tables}    }}\n'


def pin_in(name, load, more=""):
    return f"    pin ({name}) {{ direction : input; capacitance : {load:.6g}; {more}}}\n"


def pin_out(name, function, drive, arcs):
    return (f'    pin ({name}) {{ direction : output; function : "{function}"; max_capacitance : {32 * drive:g};\n'
            f"{arcs}    }}\n")


def cell(name, cols, body):
    return f"  cell ({name}) {{\n    area : {area(cols):.6g};\n{body}  }}\n"


def sense(function, pin):
    if "^" in function or pin == "S":
        return "timing_sense : non_unate;"
    return f"timing_sense : {'negative' if function.startswith('!') else 'positive'}_unate;"


def gate_text(g):
    arcs = "".join(arc(pin, sense(g.function, pin), d, g.drive) for pin, d in g.delays.items())
    return cell(g.name, g.cols, "".join(pin_in(p, c) for p, c in g.inputs.items())
                + pin_out("Y", g.function, g.drive, arcs))


def flop_text(f):
    how = {None: "", 0: 'clear : "!RN"; ', 1: 'preset : "!SN"; '}[f.reset]
    check = "".join(f'      timing () {{ related_pin : "CK"; timing_type : {kind}_rising; rise_constraint (scalar) '
                    f'{{ values ("{v:.6g}"); }} fall_constraint (scalar) {{ values ("{v:.6g}"); }} }}\n'
                    for kind, v in (("setup", TAU * f.setup), ("hold", 0)))
    body = f'    ff (IQ, IQN) {{ clocked_on : "CK"; next_state : "D"; {how}}}\n'
    body += pin_in("CK", f.clk, "clock : true; ")
    body += f"    pin (D) {{ direction : input; capacitance : {f.d:.6g};\n{check}    }}\n"
    arcs = arc("CK", "timing_type : rising_edge; timing_sense : non_unate;", f.clk_to_q, f.DRIVE)
    if f.reset is not None:
        pin, kind = ("RN", "clear") if f.reset == 0 else ("SN", "preset")
        body += pin_in(pin, f.rn)
        arcs += arc(pin, f"timing_type : {kind}; timing_sense : {'positive' if f.reset == 0 else 'negative'}_unate;",
                    f.clk_to_q, f.DRIVE)
    return cell(f.name, f.cols, body + pin_out("Q", "IQ", f.DRIVE, arcs))


def text():
    ties = "".join(cell(f"TIE{v}", 1, f'    pin (Y) {{ direction : output; function : "{v}"; }}\n') for v in "01")
    flops = (Flop("DFF"), Flop("DFFR", 0), Flop("DFFS", 1))
    return (HEAD % (row(SLEWS), row(LOADS)) + "".join(map(gate_text, gates())) + ties
            + "".join(map(flop_text, flops)) + "}\n")


if __name__ == "__main__":
    print(text(), end="")
