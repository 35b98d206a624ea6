// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_dats: a register for one number; what it will be one day.
//
//   in --> [number] --> out
//
// - Latency: one cycle. Rate: one number per cycle.
// - All outputs but in_ready_o come from registers; that depends on out_ready_i in the same cycle.
// - Reset: empty.
// Ports: dats.csv. Model cmodel/graph/dats, tests verif/unit test_dats, page docs/graph/dats.md.
`include "common/hd_fault.svh"
module hd_dats (
  input  logic        clk_i,
  input  logic        rst_ni,
  // A number comes
  input  logic        in_valid_i,
  input  logic [31:0] in_number_i,
  output logic        in_ready_o,
  // and goes on
  output logic        out_valid_o,
  output logic [31:0] out_number_o,
  input  logic        out_ready_i
);

  logic valid_q;
  logic [31:0] number_q;
  logic take;

  assign in_ready_o   = !valid_q || out_ready_i;
  assign take         = in_valid_i && `HD_FAULT(256, in_ready_o, 1'b1);
  assign out_valid_o  = valid_q;
  assign out_number_o = number_q & {32{valid_q}};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else valid_q <= take || (valid_q && !out_ready_i);
  end

  always_ff @(posedge clk_i) begin
    if (take) number_q <= in_number_i;
  end

`ifdef VERILATOR
  // What is offered stays until it is taken.
  a_stable :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      out_valid_o && !out_ready_i |=> out_valid_o && $stable(out_number_o));
  // The rare: one leaves as another comes.
  c_both :
  cover property (@(posedge clk_i) take && valid_q);
`endif

endmodule
