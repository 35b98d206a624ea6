// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_onehot: one bit of many by its index. Combinational.
//
// - onehot_o[i] = valid_i and index_i == i; all 0 for an index of N or more.
// - Decoded in two halves, high and low index bits, whose products are the bits: one AND a bit,
//   where a shift would cost a multiplexer a bit and stage. valid_i, often late, meets the smaller
//   half.
// - N: 1 or more, any number. Used where N is hundreds.
module hd_onehot #(
  parameter int N    = 4,
  parameter int IdxW = N > 1 ? $clog2(N) : 1
) (
  input  logic            valid_i,
  input  logic [IdxW-1:0] index_i,
  output logic [N-1:0]    onehot_o
);

  localparam int LowW = (IdxW + 1) / 2;
  localparam int NumLow = 1 << LowW;
  localparam int NumHigh = (N + NumLow - 1) / NumLow;

  logic [NumLow-1:0] low;
  logic [NumHigh-1:0] high;

  for (genvar l = 0; l < NumLow; l++) begin : g_low
    assign low[l] = index_i[LowW-1:0] == LowW'(l);
  end
  for (genvar h = 0; h < NumHigh; h++) begin : g_high
    localparam int Width = N - h * NumLow < NumLow ? N - h * NumLow : NumLow;
    assign high[h] = valid_i && 32'(index_i) >> LowW == h;
    assign onehot_o[h*NumLow+:Width] = {Width{high[h]}} & low[Width-1:0];
  end

  logic unused_low;  // of a size that needs fewer than the index has bits for
  assign unused_low = &{1'b0, low};

endmodule
