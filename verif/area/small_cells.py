# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""A small liberty library for tests, not based on any process. Delays are linear in the load; names, units and the
syntax of functions can be chosen."""

# name, um^2, fF of an input, inputs, function, delay without load in ps, ps for each fF
GATES = [
    ("INV", 1.0, 2.0, "A", "!A", 4.0, 2.0),
    ("INV_WEAK", 0.5, 1.0, "A", "!A", 4.0, 6.0),  # marked dont_use
    ("BUF", 1.5, 2.0, "A", "A", 10.0, 1.5),
    ("BUF_WIDE", 2.0, 2.5, "A", "A", 11.0, 0.7),
    ("ND2", 1.5, 2.2, "AB", "!(A & B)", 5.0, 2.4),
    ("NR2", 1.5, 2.2, "AB", "!(A | B)", 6.0, 2.8),
    ("AND2", 2.0, 2.0, "AB", "A & B", 11.0, 1.8),
    ("XOR2", 3.0, 3.6, "AB", "A ^ B", 14.0, 2.6),
    ("AOI21", 2.0, 2.3, "ABC", "!((A & B) | C)", 7.0, 2.8),
]
LOADS, SLEWS = (0.5, 4.0, 32.0), (2.0, 20.0, 200.0)  # fF, ps


def numbers(values):
    return ", ".join(f"{v:.9g}" for v in values)


class Library:
    """`time`, `load`: ps and fF of the units of the file; `pins`: names of A, B, C, D, CK, RN and Q; `rewrite` turns a
    function, or a cell's name, into the text of the file."""

    def __init__(self, time=(1.0, '"1ps"'), load=(1.0, "1, ff"), prefix="", rewrite=lambda f: f, without=()):
        (self.ps, self.time), (self.ff, self.load) = time, load
        self.prefix, self.rewrite, self.without = prefix, rewrite, without

    def table(self, kind, base, slope):
        rows = (", ".join(f"{(base + slope * c + 0.1 * s) / self.ps:.9g}" for c in LOADS) for s in SLEWS)
        return f"      {kind} (grid) {{ values ({', '.join(chr(34) + r + chr(34) for r in rows)}); }}\n"

    def arc(self, pin, sense, base, slope):
        kinds = (("cell_rise", 1.0), ("cell_fall", 1.0), ("rise_transition", 1.5), ("fall_transition", 1.5))
        return (f'    timing () {{ related_pin : "{pin}"; {sense}\n'
                + "".join(self.table(k, base * f, slope * f) for k, f in kinds) + "    }\n")

    def check(self, kind, ps):
        one = f'(scalar) {{ values ("{ps / self.ps:.9g}"); }}'
        return (f'    timing () {{ related_pin : "CK"; timing_type : {kind}_rising; rise_constraint {one} '
                f"fall_constraint {one} }}\n")

    def input(self, name, ff, more=""):
        return f"    pin ({name}) {{ direction : input; capacitance : {ff / self.ff:.9g}; {more}}}\n"

    def gate(self, name, um2, ff, inputs, function, base, slope):
        sense = "" if "^" in function else f"timing_sense : {'negative' if '!' in function else 'positive'}_unate;"
        out = (f'    pin (Z) {{ direction : output; function : "{self.rewrite(function)}"; max_capacitance : '
               f"{100 / self.ff:.9g};\n" + "".join(self.arc(i, sense, base, slope) for i in inputs) + "    }\n")
        use = "    dont_use : true;\n" if "WEAK" in name else ""
        return self.cell(name, um2, use + "".join(self.input(i, ff) for i in inputs) + out)

    def flop(self, name, um2, resets):
        clear = {"R": ' clear : "!RN";', "S": ' preset : "!SN";'}
        state = ('    ff (held, held_n) { next_state : "D"; clocked_on : "CK";' + "".join(clear[r] for r in resets)
                 + (" clear_preset_var1 : L; clear_preset_var2 : H;" if len(resets) == 2 else "") + " }\n")
        pins = (self.input("CK", 2.0, "clock : true; ") + f"    pin (D) {{ direction : input; capacitance : "
                f"{2.0 / self.ff:.9g};\n{self.check('setup', 15)}{self.check('hold', 1)}    }}\n")
        pins += "".join(self.input(r + "N", 2.0) for r in resets)
        arcs = self.arc("CK", "timing_type : rising_edge;", 30.0, 1.6)
        out = f'    pin (Q) {{ direction : output; function : "held";\n{arcs}    }}\n'
        return self.cell(name, um2, state + pins + out)

    def cell(self, name, um2, body):
        if name in self.without:
            return ""
        return f"  cell ({self.prefix}{name}) {{\n    area : {um2};\n{body}  }}\n"

    def text(self):
        edges = "".join(f"  {a}_threshold_pct_{b} : {v};\n" for a, v in (("slew_upper", 80), ("slew_lower", 20),
                                                                       ("input", 50), ("output", 50))
                        for b in ("rise", "fall"))
        loads, slews = numbers(v / self.ff for v in LOADS), numbers(v / self.ps for v in SLEWS)
        return (f"/* For tests: {self.prefix or 'small'} cells */\nlibrary ({self.prefix}small) {{\n"
                f"  delay_model : table_lookup;\n  time_unit : {self.time};\n  capacitive_load_unit ({self.load});\n"
                '  voltage_unit : "1V";\n  current_unit : "1uA";\n  pulling_resistance_unit : "1kohm";\n'
                f"{edges}  nom_process : 1; nom_voltage : 0.8; nom_temperature : 25;\n"
                "  lu_table_template (grid) { variable_1 : input_net_transition; "
                "variable_2 : total_output_net_capacitance;\n"
                f'    index_1 ("{slews}"); index_2 ("{loads}"); }}\n'
                + "".join(self.gate(*g) for g in GATES)
                + self.flop("FF", 6.0, "") + self.flop("FFR", 8.0, "R") + self.flop("FFS", 8.0, "S") + "}\n")
