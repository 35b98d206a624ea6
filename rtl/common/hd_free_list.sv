// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_free_list: allocates indices, first freed first used; after reset 0, 1, 2, .. N - 1.
//
// - index_o is the next free index, valid_o that one exists; pop_i allocates it (only while
//   valid_o).
// - push_i frees index_i, which must be allocated. One allocation and one free per cycle; an index
//   freed at t can be allocated at t+1.
// - Indices that were never allocated come from a counter (fresh_q), freed ones from a ring, so the
//   ring needs no reset contents and could be a RAM.
// - Reset: all N free. index_o is 0 while none is free. Outputs come from registers.
`include "common/hd_assert.svh"

module hd_free_list #(
  parameter int N    = 4,
  parameter int IdxW = N > 1 ? $clog2(N) : 1
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            pop_i,
  output logic [IdxW-1:0] index_o,
  output logic            valid_o,
  input  logic            push_i,
  input  logic [IdxW-1:0] index_i
);

  localparam int CountW = $clog2(N + 1);

  logic [CountW-1:0] fresh_q;  // indices from here on were never allocated
  logic some_fresh;
  logic [IdxW-1:0] returned;
  logic none_returned, ring_full;

  assign some_fresh = fresh_q != CountW'(N);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fresh_q <= '0;
    else if (pop_i && some_fresh) fresh_q <= fresh_q + CountW'(1);
  end

  hd_fifo #(.Width(IdxW), .Depth(N)) u_returned (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (push_i),
    .write_i(push_i),
    .data_i (index_i),
    .full_o (ring_full),
    .pop_i  (pop_i && !some_fresh),
    .data_o (returned),
    .empty_o(none_returned)
  );

  assign valid_o = some_fresh || !none_returned;
  assign index_o = some_fresh ? IdxW'(fresh_q) : returned;

  logic unused_full;
  assign unused_full = ring_full;  // at most N indices exist

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (pop_i) `HD_ASSERT_IN(a_pop, valid_o, "An index is allocated while none is free.")
      if (push_i) `HD_ASSERT_IN(a_push, 32'(index_i) < 32'(fresh_q),
          "An index is freed that was never allocated.")
    end
  end

  // Rare: none free.
  `HD_COVER(c_none, !valid_o)
`endif

endmodule
