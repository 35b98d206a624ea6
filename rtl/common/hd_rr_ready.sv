// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_rr_ready: the ready outputs that belong to hd_rr_arb. ready_o[i] is 1 if no requester ahead of
// i, counted from the pointer, requests; i's own request is ignored. Combinational.
//
// - At most one requester has its ready set: the winner of hd_rr_arb.
// - Depth grows with log2 of N.
module hd_rr_ready #(
  parameter int N    = 4,
  parameter int IdxW = N > 1 ? $clog2(N) : 1
) (
  input  logic [N-1:0]    req_i,
  input  logic [IdxW-1:0] ptr_i,
  output logic [N-1:0]    ready_o
);

  // seen: some lower one requests; seen_from_ptr: some lower one at or after the pointer.
  logic [N-1:0] from_ptr, seen, seen_from_ptr;

  assign from_ptr = {N{1'b1}} << ptr_i;

  always_comb begin
    seen = req_i << 1;
    seen_from_ptr = (req_i & from_ptr) << 1;
    for (int b = 0; b < IdxW; b++) begin
      seen = seen | (seen << (1 << b));
      seen_from_ptr = seen_from_ptr | (seen_from_ptr << (1 << b));
    end
  end

  assign ready_o = (from_ptr & ~seen_from_ptr)
      | (~from_ptr & ~seen & {N{(req_i & from_ptr) == '0}});

endmodule
