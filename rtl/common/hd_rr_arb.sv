// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_rr_arb: round-robin arbiter: grants the first requester at or after a pointer. Combinational;
// the user keeps the pointer.
//
// - grant_o (one-hot) and index_o name the winner; valid_o: there is one. All 0 without a request.
// - next_o = winner + 1 (mod N) is the next pointer if the winner's transfer takes place; otherwise
//   the user must keep the pointer.
// - timing: the lowest request at or after the pointer and the lowest of all are found in parallel;
//   the first is used if it exists. Depth grows with log2 of N.
// - sim speed: requests below the pointer are masked in chunks of 32 bits, one simulator word.
// - N: any number from 1; ptr_i is below N. IdxW may be wider than needed.
module hd_rr_arb #(
  parameter int N    = 4,
  parameter int IdxW = N > 1 ? $clog2(N) : 1
) (
  input  logic [N-1:0]    req_i,
  input  logic [IdxW-1:0] ptr_i,
  output logic [N-1:0]    grant_o,
  output logic [IdxW-1:0] index_o,
  output logic            valid_o,
  output logic [IdxW-1:0] next_o
);

  logic [N-1:0] after;  // requests at or after the pointer
  logic [N-1:0] grant_after, grant_any;
  logic [IdxW-1:0] index_after, index_any;
  logic some_after;

  if (N <= 32) begin : g_word
    assign after = req_i & ({N{1'b1}} << ptr_i);
  end else begin : g_words
    localparam int NumChunks = (N + 31) / 32;
    logic [NumChunks-1:0] from, past;  // chunks at or after the pointer's, and after it
    logic [31:0] low;                  // bits at or after the pointer in its chunk

    assign from = {NumChunks{1'b1}} << ptr_i[IdxW-1:5];
    assign past = from << 1;
    assign low  = 32'hffffffff << ptr_i[4:0];

    for (genvar c = 0; c < NumChunks; c++) begin : g_chunk
      localparam int Width = N - c * 32 < 32 ? N - c * 32 : 32;
      assign after[c*32+:Width] = req_i[c*32+:Width]
          & ({Width{past[c]}} | (low[Width-1:0] & {Width{from[c]}}));
    end
  end

  hd_find_first #(.N(N), .IdxW(IdxW)) u_after (
    .req_i   (after),
    .onehot_o(grant_after),
    .index_o (index_after),
    .valid_o (some_after)
  );

  hd_find_first #(.N(N), .IdxW(IdxW)) u_any (
    .req_i   (req_i),
    .onehot_o(grant_any),
    .index_o (index_any),
    .valid_o (valid_o)
  );

  assign grant_o = some_after ? grant_after : grant_any;
  assign index_o = some_after ? index_after : index_any;

  assign next_o = (index_o == IdxW'(N - 1)) ? '0 : index_o + IdxW'(1);

endmodule
