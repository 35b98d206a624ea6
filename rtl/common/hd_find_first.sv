// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_find_first: finds the lowest set bit of a vector, as index and as one-hot. Combinational.
//
// - valid_o: some bit is set. Otherwise index_o and onehot_o are 0.
// - Two levels: bits within chunks of 32 (sim speed: one simulator word), and chunks. In both, "a
//   lower bit is set" is a parallel prefix, so depth grows with log2 of N.
// - The low index bits come from the OR of the one-hots of all chunks: only one chunk has a bit
//   set.
// - N: any number from 1. IdxW may be wider than needed.
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

  localparam int Chunk = N < 32 ? N : 32;
  localparam int NumChunks = (N + Chunk - 1) / Chunk;

  localparam int MaskW = NumChunks > Chunk ? NumChunks : Chunk;

  // Positions whose index has bit b set.
  function automatic logic [MaskW-1:0] index_mask(input int b);
    for (int i = 0; i < MaskW; i++) index_mask[i] = ((i >> b) % 2) == 1;
  endfunction

  logic [NumChunks-1:0] some;     // a bit of this chunk is set
  logic [NumChunks-1:0] earlier;  // a bit of a lower chunk is set
  logic [NumChunks*Chunk-1:0] first;

  always_comb begin
    earlier = NumChunks'({some, 1'b0});
    for (int b = 0; b < $clog2(NumChunks); b++) earlier = earlier | (earlier << (1 << b));
  end

  for (genvar c = 0; c < NumChunks; c++) begin : g_chunk
    localparam int Width = N - c * Chunk < Chunk ? N - c * Chunk : Chunk;
    logic [Width-1:0] req, lower, lowest;  // lower: a lower bit of the chunk is set

    assign req = req_i[c*Chunk+:Width];
    assign some[c] = |req;

    always_comb begin
      lower  = '0;
      lowest = '0;
      if (!earlier[c]) begin
        lower = Width'({req, 1'b0});
        for (int b = 0; b < $clog2(Width); b++) lower = lower | (lower << (1 << b));
        lowest = req & ~lower;
      end
    end

    assign first[c*Chunk+:Chunk] = Chunk'(lowest);
  end

  assign onehot_o = first[N-1:0];
  assign valid_o  = |some;

  logic [Chunk-1:0] overlaid;

  always_comb begin
    overlaid = '0;
    for (int c = 0; c < NumChunks; c++) overlaid |= first[c*Chunk+:Chunk];
  end

  for (genvar b = 0; b < IdxW; b++) begin : g_index
    if (b < $clog2(Chunk)) begin : g_low
      localparam logic [Chunk-1:0] Mask = Chunk'(index_mask(b));
      assign index_o[b] = |(overlaid & Mask);
    end else begin : g_high
      localparam logic [NumChunks-1:0] Mask = NumChunks'(index_mask(b - $clog2(Chunk)));
      assign index_o[b] = |(some & ~earlier & Mask);
    end
  end

endmodule
