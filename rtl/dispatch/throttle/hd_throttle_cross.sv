// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_throttle_cross: compares two fractions, stalls / span and (1 + 2^-k) * last_stalls /
// last_span, exactly and bit-serially, by cross-multiplication. k is the dead band; with k = 0 (no
// dead band) the second fraction is last_stalls / last_span itself.
//
//   stalls * last_span * 2^k   against   last_stalls * span * (2^k + 1)
//
//   acc := (acc + stalls * A[i] - last_stalls * B[i]) / 2      in cycles since = i + 2
//
// A is last_span shifted left by k. B is span + (span << k), added bit-serially with a carry.
// timing: the bits of A and B are selected one cycle before the long addition that uses them. A
// single bit records whether halving dropped a one. After 40 steps (the bits of B with the largest
// k) the difference of the products is acc * 2^40 plus the dropped bits: its sign is that of acc,
// and it is 0 only if acc is 0 and nothing was dropped.
// - clear_i at t, since_i = k at t+k, busy_i from t+1 on: higher_o and equal_o are valid from t+42
//   on, while the fractions and the band stay unchanged.
// - No reset: the state before clear_i is not used.
// Part of hd_throttle; page docs/dispatch/throttle.md.
module hd_throttle_cross (
  input  logic                           clk_i,
  input  logic                           clear_i,
  input  logic [5:0]                     since_i,
  input  logic                           busy_i,
  input  logic [hd_pkg::BandW-1:0]       band_i,
  input  logic [hd_pkg::ContendSumW-1:0] stalls_i,
  input  logic [hd_pkg::ContendW-1:0]    span_i,
  input  logic [hd_pkg::ContendSumW-1:0] last_stalls_i,
  input  logic [hd_pkg::ContendW-1:0]    last_span_i,
  output logic                           higher_o,
  output logic                           equal_o
);

  localparam int SumW = hd_pkg::ContendSumW;
  localparam int AccW = SumW + 1;
  localparam int BandW = hd_pkg::BandW;
  localparam int Steps = hd_pkg::ContendW + 2 ** BandW;

  logic signed [AccW-1:0] acc_q;
  logic dropped_q, carry_q, step_q, last_bit_q, bar_bit_q;

  // ---- The bits of the multipliers -------------------------------------------------------------
  logic step, banded, carry;
  logic [5:0] at, from;  // bit of this step, and the bit that the shift moves there
  logic there, shifted;  // these bits exist in a span
  logic span_at, span_from, last_bit, bar_bit;

  assign at        = since_i - 6'd1;
  assign from      = at - 6'(band_i);
  assign there     = !at[5];
  assign shifted   = at >= 6'(band_i) && !from[5];
  assign step      = busy_i && at < 6'(Steps);
  assign banded    = band_i != '0;
  assign span_at   = there && span_i[at[4:0]];
  assign span_from = shifted && span_i[from[4:0]];
  assign last_bit  = shifted && last_span_i[from[4:0]];
  assign bar_bit   = span_from ^ (banded && (span_at ^ carry_q));
  assign carry     = (span_at && span_from) || (carry_q && (span_at || span_from));

  // ---- The difference of the products ----------------------------------------------------------
  logic [AccW:0] plus, minus;
  logic signed [AccW:0] sum;

  assign plus  = {2'b0, stalls_i & {SumW{last_bit_q}}};
  assign minus = {2'b0, last_stalls_i & {SumW{bar_bit_q}}};
  assign sum   = {acc_q[AccW-1], acc_q} + plus - minus;

  always_ff @(posedge clk_i) begin
    step_q     <= step && !clear_i;
    last_bit_q <= last_bit;
    bar_bit_q  <= bar_bit;
    if (clear_i) carry_q <= 1'b0;
    else if (step) carry_q <= carry;
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      acc_q     <= '0;
      dropped_q <= 1'b0;
    end else if (step_q) begin
      acc_q     <= sum[AccW:1];
      dropped_q <= dropped_q || sum[0];
    end
  end

  assign equal_o  = acc_q == '0 && !dropped_q;
  assign higher_o = !acc_q[AccW-1] && !equal_o;

endmodule
