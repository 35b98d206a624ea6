# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""RAM macros: area and access time by a model, and their liberty and Yosys descriptions.

Area of R rows of W bits, F the feature size in um. `low` is fitted to CACTI 7 (one write and one read port), `high` to
published two-port macros of a 130 nm process (below 130 nm it is an extrapolation). In GE: those macros beside the
cells of the same process, 429 F^2 per NAND2; the same divisor is taken for `low`.
Access time: CACTI's 34 FO4 at 256 x 160 and 46.5 (43 to 50) at 1024 x 160, as a power of the number of bits, and at
least 22; that gives 22 to 30 for the small tables (CACTI: 22 to 29)."""
import csv
import math

NODES = {180: 0.18, 130: 0.13, 45: 0.045, 32: 0.032, 22: 0.022}
F2_PER_GE = 338 / 0.788
MIN_ROWS, MIN_BITS = 32, 1024  # below either, flops: RAM wins from 10 to 20 rows on, and small macros are hard to get
SETUP_FO4, SLEW_FO4 = 1.0, 1.0
PIN_LOAD, CLOCK_LOAD = 1.5, 2  # of an input, in inputs of the smallest inverter


def worth(rows, bits):
    return rows >= MIN_ROWS and rows * bits >= MIN_BITS


def low_f2(r, w):
    return 376 * r * w + 1023 * r + 3802 * w + 136 * w * w


def high_f2(r, w):
    return 338 * (r + 167.5) * (w + 7.75)


def one_port_low_f2(r, w):
    return 182 * r * w + 491 * r + 2310 * w + 47 * w * w


def one_port_high_f2(r, w):
    return 190 * (r + 163) * (w + 5)


def ge(f2):
    return f2 / F2_PER_GE


def um2(f2, node):
    return f2 * NODES[node] ** 2


_P = math.log(46.5 / 34) / math.log(4)


def access_fo4(r, w):
    return max(22.0, 34 * (r * w / (256 * 160)) ** _P)


class Table:
    """Macros of one's own instead of the models: a CSV file with a row for each. A memory is made of as many of one of
    them as hold it, side by side and one above the other, so that they take the least area; the time is that of one."""
    COLUMNS = ["rows", "bits", "um2", "access_ns", "setup_ns"]

    def __init__(self, path):
        try:
            with open(path) as f:
                self.text = f.read()
        except (OSError, UnicodeDecodeError) as e:
            raise ValueError(f"{path}: {getattr(e, 'strerror', 'this is no text')}")
        rows = csv.DictReader(self.text.splitlines())
        if rows.fieldnames != self.COLUMNS:
            raise ValueError(f"{path}: its first line has to be {','.join(self.COLUMNS)}")
        self.macros = []
        for row in rows:
            try:
                values = [float(row[c]) for c in self.COLUMNS]
            except (TypeError, ValueError):
                values = []
            if not values or not all(0 < v < math.inf for v in values[:4]) or not 0 <= values[4] < math.inf \
                    or values[0] % 1 or values[1] % 1:
                raise ValueError(f"{path}:{rows.line_num}: {len(self.COLUMNS)} numbers above 0 expected, "
                                 "rows and bits without a fraction")
            self.macros.append(values)
        if not self.macros:
            raise ValueError(f"{path}: no macro in it")

    def best(self, rows, bits):
        """(um^2 of all, macro)"""
        return min((math.ceil(rows / m[0]) * math.ceil(bits / m[1]) * m[2], m) for m in self.macros)

    def um2(self, rows, bits):
        return self.best(rows, bits)[0]

    def times(self, rows, bits):
        return tuple(self.best(rows, bits)[1][3:])


# ---- For the tools -------------------------------------------------------------------------------------------------

def full(rows):
    """Rows that the address can name: memory_libmap knows only macros of these sizes."""
    return 1 << max(1, (rows - 1).bit_length())


def macro(rows, width):
    return f"hd_sram_{full(rows)}x{width}"


def libmap(sizes):
    """Yosys: what a memory must look like to become one of these macros. `wrtrans all old`: what is read in the cycle
    of a write to the same row is not cared for (the wrapper forbids it), else a bypass of flops would appear. The cost,
    half of the bits, is below that of as many flops (1 a bit) for the memory that the macro is meant for, which fills
    more than half of it, and above for a small memory: that is not to end up in macros of another."""
    out = []
    for rows, width in sorted(sizes):
        out.append(f"""ram block $__{macro(rows, width)} {{
  abits {max(1, (rows - 1).bit_length())};
  width {width};
  cost {full(rows) * width // 2};
  init none;
  port sw "W" {{ clock posedge; wrtrans all old; }}
  port sr "R" {{ clock posedge; rden; }}
}}
""")
    return "".join(out)


def techmap(sizes):
    out = []
    for rows, width in sorted(sizes):
        a = max(1, (rows - 1).bit_length())
        out.append(f"""(* blackbox *)
module {macro(rows, width)} (input clk, input we, input [{a - 1}:0] waddr, input [{width - 1}:0] wdata,
    input re, input [{a - 1}:0] raddr, output [{width - 1}:0] rdata);
endmodule
module \\$__{macro(rows, width)} (PORT_W_CLK, PORT_W_ADDR, PORT_W_WR_DATA, PORT_W_WR_EN, PORT_R_CLK, PORT_R_ADDR,
    PORT_R_RD_DATA, PORT_R_RD_EN);
  parameter PORT_W_WR_EN_WIDTH = 1;
  input PORT_W_CLK, PORT_R_CLK, PORT_R_RD_EN, PORT_W_WR_EN;
  input [{a - 1}:0] PORT_W_ADDR, PORT_R_ADDR;
  input [{width - 1}:0] PORT_W_WR_DATA;
  output [{width - 1}:0] PORT_R_RD_DATA;
  {macro(rows, width)} _TECHMAP_REPLACE_ (.clk(PORT_R_CLK), .we(PORT_W_WR_EN), .waddr(PORT_W_ADDR), \
.wdata(PORT_W_WR_DATA),
    .re(PORT_R_RD_EN), .raddr(PORT_R_ADDR), .rdata(PORT_R_RD_DATA));
endmodule
""")
    return "".join(out)


def liberty(sizes, lib):
    """Macros as static timing sees them beside the cells of a library: access from the clock (by the rows that are
    there), setup to the clock, the load of a pin. Of two memories in macros of one name the larger counts."""
    types, cells = {}, []
    slew = SLEW_FO4 * lib.fo4_ns
    for rows, width in sorted({macro(*size): size for size in sorted(sizes)}.values()):
        a = max(1, (rows - 1).bit_length())
        types[a] = types[width] = 1
        access, setup = lib.ram_times(rows, width)

        def pin(name, bits):
            check = "".join(f' timing () {{ related_pin : "clk"; timing_type : {t}_rising; rise_constraint (scalar) '
                            f'{{ values ("{v:.4f}"); }} fall_constraint (scalar) {{ values ("{v:.4f}"); }} }}'
                            for t, v in (("setup", setup), ("hold", 0)))
            body = f"direction : input; capacitance : {PIN_LOAD * lib.input_pf:g};{check}"
            if bits:
                return f"    bus ({name}) {{ bus_type : bus{bits}; {body} }}\n"
            return f"    pin ({name}) {{ {body} }}\n"
        times = (("cell_rise", access), ("cell_fall", access), ("rise_transition", slew), ("fall_transition", slew))
        arc = ('timing () { related_pin : "clk"; timing_type : rising_edge; '
               + "".join(f'{k} (scalar) {{ values ("{v:.4f}"); }} ' for k, v in times) + "}")
        cells.append(f"  cell ({macro(rows, width)}) {{\n    area : 0;\n"
                     "    pin (clk) { direction : input; clock : true; "
                     f"capacitance : {CLOCK_LOAD * lib.input_pf:g}; }}\n"
                     + pin("we", 0) + pin("waddr", a) + pin("wdata", width) + pin("re", 0) + pin("raddr", a)
                     + f"    bus (rdata) {{ bus_type : bus{width}; direction : output; {arc} }}\n  }}\n")
    shares = (("slew_upper", 80), ("slew_lower", 20), ("input", 50), ("output", 50))
    head = ('library (hd_sram) {\n  delay_model : table_lookup;\n  time_unit : "1ns";\n  voltage_unit : "1V";\n'
            '  current_unit : "1uA";\n'
            '  pulling_resistance_unit : "1kohm";\n  capacitive_load_unit (1,pf);\n'
            + "".join(f"  {a}_threshold_pct_{b} : {v};\n" for a, v in shares for b in ("rise", "fall"))
            + "  nom_process : 1;\n  nom_voltage : 1.8;\n  nom_temperature : 25;\n"
            + "".join(f"  type (bus{n}) {{ base_type : array; data_type : bit; bit_width : {n}; "
                      f"bit_from : {n - 1}; bit_to : 0; downto : true; }}\n" for n in sorted(types)))
    return head + "".join(cells) + "}\n"
