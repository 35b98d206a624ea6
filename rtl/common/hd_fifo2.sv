// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_fifo2: a FIFO of two entries whose oldest entry is always in the same register.
//
// - timing: a path from data_o starts at a flop; in hd_fifo it starts at a multiplexer of rows.
// - push_i only while !full_o, pop_i only while !empty_o. Both may happen in one cycle. A full FIFO
//   stays full in the cycle in which an entry leaves; an entry pushed at t can be popped at t+1.
// - data_o is the oldest entry, any value while empty. All outputs come from registers.
// - Reset clears the count; the entries have no reset.
`include "common/hd_assert.svh"
module hd_fifo2 #(
  parameter int Width = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  output logic             full_o,
  input  logic             pop_i,
  output logic [Width-1:0] data_o,
  output logic             empty_o
);

  logic [1:0] count_q;
  logic [Width-1:0] head_q, tail_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) count_q <= '0;
    else if (push_i != pop_i) count_q <= push_i ? count_q + 2'd1 : count_q - 2'd1;
  end

  always_ff @(posedge clk_i) begin
    if (pop_i || (push_i && empty_o)) head_q <= full_o ? tail_q : data_i;
    if (push_i) tail_q <= data_i;
  end

  assign full_o  = count_q[1];
  assign empty_o = count_q == '0;
  assign data_o  = head_q;

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (push_i) `HD_ASSERT_IN(a_push, !full_o, "A full queue is pushed.")
      if (pop_i) `HD_ASSERT_IN(a_pop, !empty_o, "An empty queue is popped.")
      `HD_ASSERT(a_range, count_q != 2'd3, "The queue of two counts three entries.")
    end
  end

  // Rare: full; push and pop at once.
  `HD_COVER(c_full, full_o)
  `HD_COVER(c_push_pop, push_i && pop_i)
`endif

endmodule
