// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_onehot: one bit of many by its index. Combinational.
//
// - onehot_o[i] = valid_i and index_i == i; all 0 for an index of N or more.
// - Decoded in two parts, the low five index bits (a simulator's words) and the rest, whose
//   products are the bits: one AND a bit, where a shift would cost a multiplexer a bit and stage.
//   valid_i, often late, meets the high part.
// - N: 1 or more, any number. Used where N is hundreds.
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

  // high is 0 unless valid_i: the condition is for a simulator, and changes no gate.
  always_comb begin
    bits = '0;
    if (valid_i) begin
      for (int h = 0; h < NumHigh; h++) bits[h*NumLow+:NumLow] = {NumLow{high[h]}} & low;
    end
  end

  assign onehot_o = bits[N-1:0];

  logic unused_bits;  // of a size that needs fewer than the index has bits for
  assign unused_bits = &{1'b0, bits};

endmodule
