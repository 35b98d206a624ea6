# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""A testbench in plain Verilog that plays the vectors of `heddle equiv --vectors` (tb/engine/vectors.h) to a netlist
and compares all outputs in four states: an x is a difference."""
from . import params
from .output import NOTE
from .params import shape
from .tables import port_rows, rtl_name


def gen_vectors_tb(config, sets, block):
    p = params.of(config, sets)
    at, pins, checks = {"in": 0, "out": 0}, [], []
    for r in port_rows(block, *at):
        w, n = shape(r, p)
        bits = f"[{at[r['dir']] + w * n - 1}:{at[r['dir']]}]"
        at[r["dir"]] += w * n
        port, vector = rtl_name(r), "in" if r["dir"] == "in" else "got"
        pins.append(f"    .{port}({vector}{bits})")
        if r["dir"] == "out":
            checks.append(f'          if (got{bits} !== want{bits}) '
                          f'$display("cycle %0d: {port} is %h, expected %h", cycles, got{bits}, want{bits});')
    pins, checks = ",\n".join(pins), "\n".join(checks)
    return f"""// {NOTE}
`timescale 1ns / 1ns
module vectors_tb;
  reg clk, rst_n;
  reg [{at['in'] - 1}:0] in;
  reg [{at['out'] - 1}:0] want;
  wire [{at['out'] - 1}:0] got;
  reg [8*1000:1] name;
  integer file, held, cycles, differences;

  hd_{block} dut (
    .clk_i(clk),
    .rst_ni(rst_n),
{pins}
  );

  task reset(input integer n);
    begin
      rst_n = 0;
      #1;
      repeat (n) begin
        clk = 1;
        #1 clk = 0;
        #1;
      end
      rst_n = 1;
      #1;
    end
  endtask

  initial begin
    if (!$value$plusargs("vectors=%s", name)) begin
      $display("vectors_tb: no file given: +vectors=FILE");
      $finish_and_return(2);
    end
    file = $fopen(name, "r");
    if (file == 0) begin
      $display("vectors_tb: %0s cannot be read", name);
      $finish_and_return(2);
    end
    clk = 0;
    in = 0;
    cycles = 0;
    differences = 0;
    reset(2);
    while (differences < 10 && $fscanf(file, "%h %h %h", held, in, want) == 3) begin
      if (held != 0) begin
        reset(held);
      end else begin
        #1;
        if (got !== want) begin
          differences = differences + 1;
{checks}
        end
        cycles = cycles + 1;
        clk = 1;
        #1 clk = 0;
      end
    end
    $display("%0d cycles, %0d of them with a difference", cycles, differences);
    $finish_and_return(differences != 0);
  end
endmodule
"""
