// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_fifo: a FIFO in flops, as a ring: first_q is the oldest row, count_q the occupancy.
//
// - push_i only while a row is free, pop_i only while !empty_o. Both may happen in one cycle. A
//   full FIFO stays full in the cycle in which an entry leaves; an entry pushed at t can be popped
//   at t+1.
// - write_i writes data_i to the row behind the youngest entry. Without push_i the row is not
//   counted and the next write replaces it. Every push_i needs a write_i; push_i may settle later
//   in the cycle. Only while a row is free.
// - full_o: at most Spare rows are free; with Spare 0 it means full.
// - data_o is the oldest entry, 0 while empty. All outputs come from registers.
// - Reset clears count and position; the rows have no reset.
// - Depth: any number from 1. Area: Width * Depth flops and a Depth:1 multiplexer.
`include "common/hd_assert.svh"
module hd_fifo #(
  parameter int Width = 8,
  parameter int Depth = 4,
  parameter int Spare = 0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             push_i,
  input  logic             write_i,
  input  logic [Width-1:0] data_i,
  output logic             full_o,
  input  logic             pop_i,
  output logic [Width-1:0] data_o,
  output logic             empty_o
);

  localparam int CountW = $clog2(Depth + 1);
  localparam int PosW = Depth > 1 ? $clog2(Depth) : 1;
  localparam int SumW = PosW + 1;

  logic [CountW-1:0] count_q;
  logic [PosW-1:0] first_q, first_d;
  logic [Width-1:0] row_q[Depth];

  // Row of the next entry: (first + count) mod Depth. Both are below Depth at a push.
  logic [SumW-1:0] last_sum;
  logic [PosW-1:0] last;

  assign last_sum = SumW'(first_q) + SumW'(count_q);
  assign last     = last_sum >= SumW'(Depth) ? PosW'(last_sum - SumW'(Depth)) : PosW'(last_sum);
  assign first_d  = (first_q == PosW'(Depth - 1)) ? '0 : first_q + PosW'(1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
      first_q <= '0;
    end else begin
      if (push_i != pop_i) count_q <= push_i ? count_q + CountW'(1) : count_q - CountW'(1);
      if (pop_i) first_q <= first_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (write_i) row_q[last] <= data_i;
  end

  if (Spare == 0) begin : g_full
    assign full_o = count_q == CountW'(Depth);
  end else begin : g_spare
    assign full_o = count_q >= CountW'(Depth - Spare);
  end
  assign empty_o = count_q == '0;
  assign data_o  = empty_o ? '0 : row_q[first_q];

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (write_i) `HD_ASSERT_IN(a_write, 32'(count_q) != Depth, "A full queue is written.")
      if (push_i) `HD_ASSERT_IN(a_push, write_i, "A row is pushed without being written.")
      if (pop_i) `HD_ASSERT_IN(a_pop, !empty_o, "An empty queue is popped.")
      `HD_ASSERT(a_count, 32'(count_q) <= Depth, "The queue counts more entries than it has rows.")
      // Always true if Depth is a power of two.
      `HD_ASSERT(a_first, $signed(32'(first_q)) - Depth < 0,
          "The position of the oldest row is outside of the ring.")
    end
  end

  // Rare: full; push and pop at once.
  `HD_COVER(c_full, full_o)
  `HD_COVER(c_push_pop, push_i && pop_i)
`endif

endmodule
