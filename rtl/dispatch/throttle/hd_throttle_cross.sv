// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_throttle_cross: compares two fractions, stalls / span and last_stalls / last_span, by
// cross-multiplication, bit by bit.
//
//   acc := (acc + stalls * last_span[k] - last_stalls * span[k]) / 2      in cycles since = k + 1
//
// What the halving drops is kept in one bit: that something was dropped. After 32 steps the
// difference of the products is acc * 2^32 and what was dropped: its sign is acc's, and it is 0 only
// if both are.
// - clear_i in t, since_i k in t+k, busy_i from t+1 on: higher_o and equal_o hold from t+33 on, as
//   long as the fractions stay.
// - No reset: what is here before clear_i is not looked at.
// Inside hd_throttle; page docs/dispatch/throttle.md.
`include "common/hd_fault.svh"
module hd_throttle_cross (
  input  logic                           clk_i,
  input  logic                           clear_i,
  input  logic [5:0]                     since_i,
  input  logic                           busy_i,
  input  logic [hd_pkg::ContendSumW-1:0] stalls_i,
  input  logic [hd_pkg::ContendW-1:0]    span_i,
  input  logic [hd_pkg::ContendSumW-1:0] last_stalls_i,
  input  logic [hd_pkg::ContendW-1:0]    last_span_i,
  output logic                           higher_o,
  output logic                           equal_o
);

  localparam int SumW = hd_pkg::ContendSumW;
  localparam int AccW = SumW + 1;

  logic signed [AccW-1:0] acc_q;
  logic dropped_q;

  logic step;
  logic [5:0] past;
  logic [4:0] k;
  logic signed [AccW:0] plus, minus, sum;

  assign past = since_i - 6'd1;
  assign k      = past[4:0];
  assign step   = busy_i && past < `HD_FAULT(327, 6'd32, 6'd31);
  assign plus   = {2'b0, stalls_i & {SumW{last_span_i[k]}}};
  assign minus  = {2'b0, last_stalls_i & {SumW{span_i[k]}}};
  assign sum    = {acc_q[AccW-1], acc_q} + plus - minus;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      acc_q     <= '0;
      dropped_q <= 1'b0;
    end else if (step) begin
      acc_q     <= sum[AccW:1];
      dropped_q <= `HD_FAULT(328, dropped_q || sum[0], sum[0]);
    end
  end

  assign equal_o  = acc_q == '0 && !dropped_q;
  assign higher_o = !acc_q[AccW-1] && !equal_o;

endmodule
