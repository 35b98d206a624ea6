// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_fifo_ram: hd_fifo (without Spare) with its rows in a RAM, for many rows.
//
//   data --> [RAM] --> second --+--> [head] --> data_o
//     |----> [late] --^         |
//     '-------------------------'
//
// - Rules and timing of each port: see hd_fifo.
// - Every entry is written to the RAM. The oldest is also in head_q, so data_o starts at a flop and
//   not at the RAM. The RAM shows the second oldest, or late_q does if that was written in the
//   previous cycle.
// - Reset clears count and position; the rows and the other registers have no reset.
// - Depth: any number from 1. Area: the RAM and 2 * Width flops.
`include "common/hd_assert.svh"
module hd_fifo_ram #(
  parameter int Width = 8,
  parameter int Depth = 4
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
  logic late_valid_q;
  logic [Width-1:0] head_q, late_q;

  // Row of the next entry: (first + count) mod Depth. Both are below Depth at a push.
  logic [SumW-1:0] last_sum;
  logic [PosW-1:0] last;

  assign last_sum = SumW'(first_q) + SumW'(count_q);
  assign last     = last_sum >= SumW'(Depth) ? PosW'(last_sum - SumW'(Depth)) : PosW'(last_sum);

  function automatic logic [PosW-1:0] next_row(input logic [PosW-1:0] row);
    next_row = row == PosW'(Depth - 1) ? '0 : row + PosW'(1);
  endfunction

  assign first_d = pop_i ? next_row(first_q) : first_q;

  // The second oldest entry of the next cycle is in the RAM already, or it is written now.
  logic read;
  logic [Width-1:0] row, second;

  assign read = 32'(count_q) > 32'd1 + 32'(pop_i);

  hd_ram_1r1w #(.Width(Width), .Depth(Depth)) u_row (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (write_i),
    .waddr_i(last),
    .wdata_i(data_i),
    .re_i   (read),
    .raddr_i(next_row(first_d)),
    .rdata_o(row)
  );

  assign second = late_valid_q ? late_q : row;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
      first_q <= '0;
    end else begin
      if (push_i != pop_i) count_q <= push_i ? count_q + CountW'(1) : count_q - CountW'(1);
      first_q <= first_d;
    end
  end

  always_ff @(posedge clk_i) begin
    late_valid_q <= !read;
    if (write_i) late_q <= data_i;
    if (pop_i || empty_o) head_q <= 32'(count_q) > 32'd1 ? second : data_i;
  end

  assign full_o  = count_q == CountW'(Depth);
  assign empty_o = count_q == '0;
  assign data_o  = empty_o ? '0 : head_q;

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

  // Rare: full; push and pop at once; an entry leaves just after the next one was written.
  `HD_COVER(c_full, full_o)
  `HD_COVER(c_push_pop, push_i && pop_i)
  `HD_COVER(c_late, pop_i && late_valid_q && 32'(count_q) > 32'd1)
`endif

endmodule
