// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_find_first: the lowest set bit of a vector, as index and as one-hot. Combinational.
//
// - valid_o: some bit is set. While none is, index_o and onehot_o are 0.
// - "Some lower bit is set" is a parallel prefix, so depth grows with log2 of N, and a simulator
//   works on whole words.
// - N: 1 or more, any number. IdxW may be wider than needed.
// Used for the lowest free TB slot and KD entry. Tested with the blocks that use it.
module hd_find_first #(
  parameter int N    = 4,
  parameter int IdxW = N > 1 ? $clog2(N) : 1
) (
  input  logic [N-1:0]    req_i,
  output logic [N-1:0]    onehot_o,
  output logic [IdxW-1:0] index_o,
  output logic            valid_o
);

  // Positions whose index has bit b set.
  function automatic logic [N-1:0] index_mask(input int b);
    for (int i = 0; i < N; i++) index_mask[i] = ((i >> b) % 2) == 1;
  endfunction

  logic [N-1:0] lower;  // some bit below this one is set

  always_comb begin
    lower = req_i << 1;
    for (int b = 0; b < IdxW; b++) lower = lower | (lower << (1 << b));
  end

  assign onehot_o = req_i & ~lower;
  assign valid_o  = |req_i;

  for (genvar b = 0; b < IdxW; b++) begin : g_index
    localparam logic [N-1:0] Mask = index_mask(b);
    assign index_o[b] = |(onehot_o & Mask);
  end

endmodule
