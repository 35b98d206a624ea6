# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The wrapper in which a block is placed and routed. A block has more ports than a device has pins, and its paths would
begin and end at those pins. The wrapper has four pins; in it every input bit of the block is a flop of a shift
register, and every output bit is stored in a flop. A second shift register combines these flops by xor, so no output is
unused. All paths of the block are then from flop to flop.

The block is a module of its own in the netlist (keep_hierarchy), so Yosys optimizes nothing across its ports, and the
cells of the wrapper can be counted."""
from hdgen.params import shape
from hdgen.tables import port_rows, rtl_name

TOP, BLOCK = "hd_fpga", "u_block"


def bits(block, params, way):
    """Returns [(port of the RTL, its width)] of the ports in or out."""
    ports = ((rtl_name(r), *shape(r, params)) for r in port_rows(block, way))
    return [(name, width * count) for name, width, count in ports]


def names(ports):
    """Returns the name of every bit, the lowest first: host_launch_i[0], .."""
    return [f"{name}[{k}]" if width > 1 else name for name, width in ports for k in range(width)]


def pins(ports, vector):
    """Returns the connections of these ports to parts of a vector."""
    out, at = [], 0
    for name, width in ports:
        out.append(f".{name}({vector}[{at + width - 1}:{at}])")
        at += width
    return out


def verilog(block, params):
    """Returns the wrapper of a block."""
    ins, outs = bits(block, params, "in"), bits(block, params, "out")
    n, m = len(names(ins)), len(names(outs))
    connected = ",\n    ".join([".clk_i(clk)", ".rst_ni(rst_q[1])", *pins(ins, "in_q"), *pins(outs, "out")])
    return f"""\
module {TOP} (input clk, input rst_n, input si, output so);
  reg [1:0] rst_q;
  reg [{n - 1}:0] in_q;
  wire [{m - 1}:0] out;
  reg [{m - 1}:0] out_q, fold_q;
  always @(posedge clk) begin
    rst_q <= {{rst_q[0], rst_n}};
    in_q <= {{in_q, si}};
    out_q <= out;
    fold_q <= {{fold_q, 1'b0}} ^ out_q;
  end
  assign so = fold_q[{m - 1}];
  (* keep_hierarchy *) hd_{block} {BLOCK} (
    {connected}
  );
endmodule
"""


def port_of(register, bit, block, params):
    """Returns the port that a flop of the wrapper drives or stores."""
    if register == "rst_q":
        return "rst_ni"
    if register == "fold_q":
        return "the wrapper"
    return names(bits(block, params, "in" if register == "in_q" else "out"))[bit]
