// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_onehot: decodes an index to a one-hot vector. Combinational.
//
// - onehot_o[i] = valid_i and index_i == i; all 0 for an index of N or more.
// - timing: decoded in two parts, the low five index bits (sim speed: one simulator word) and the
//   rest, then ANDed: one AND per bit, where a shift would cost a multiplexer per bit and stage.
//   valid_i, which often arrives late, gates the high part.
// - N: any number from 1. Used where N is in the hundreds.
module hd_onehot #(
  parameter int N    = 4,
  parameter int IdxW = N > 1 ? $clog2(N) : 1
) (
  input  logic            valid_i,
  input  logic [IdxW-1:0] index_i,
  output logic [N-1:0]    onehot_o
);

  localparam int LowW = IdxW < 5 ? IdxW : 5;
  localparam int NumLow = 1 << LowW;
  localparam int NumHigh = (N + NumLow - 1) / NumLow;

  logic [NumLow-1:0] low;
  logic [NumHigh-1:0] high;
  logic [NumHigh*NumLow-1:0] bits;

  assign low  = NumLow'(1) << index_i[LowW-1:0];
  assign high = {NumHigh{valid_i}} & (NumHigh'(1) << ({1'b0, index_i} >> LowW));

  // sim speed: high is 0 unless valid_i, so the condition changes no gate.
  always_comb begin
    bits = '0;
    if (valid_i) begin
      for (int h = 0; h < NumHigh; h++) bits[h*NumLow+:NumLow] = {NumLow{high[h]}} & low;
    end
  end

  assign onehot_o = bits[N-1:0];

  logic unused_bits;  // unused if the index could name more than N bits
  assign unused_bits = &{1'b0, bits};

endmodule
