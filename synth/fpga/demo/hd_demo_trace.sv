// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_demo_trace: keeps the trace of the events of the plane until the serial line has taken it.
//
//   event --> [ FIFO of Depth rows ] --> hd_demo_send
//
// - One event per cycle. No event is lost: when only Spare rows are free, stall_o stops the
//   plane's outputs, so that no event arrives until 4 * Spare rows are free. The stall itself is a
//   row of kind 5, written in its last cycle: its first cycle, and the first cycle behind it.
// - stall_o comes from a flop.
// - Reset: empty.
// Part of the demonstrator (docs/demo.md).
`include "common/hd_assert.svh"
module hd_demo_trace #(
  parameter int Depth = 512,
  parameter int Spare = 4,
  parameter int CycleW = 40
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [CycleW-1:0] cycle_i,
  // Events
  input  logic              event_valid_i,
  input  logic [3:0]        event_kind_i,
  input  logic [127:0]      event_i,
  output logic              stall_o,
  // Rows
  output logic              valid_o,
  output logic [3:0]        kind_o,
  output logic [127:0]      data_o,
  input  logic              ready_i
);

  localparam int AddrW = $clog2(Depth);
  localparam logic [3:0] KindStall = 4'd5;

  logic [AddrW-1:0] first_q, last_q;
  logic [AddrW:0] count_q;           // rows in the RAM that were not read
  logic have_q;                      // the RAM's output is a row that was not sent
  logic stall_q, end_stall, push, pop;
  logic [CycleW-1:0] begin_q;
  logic [131:0] row, read;

  assign end_stall = stall_q && count_q <= (AddrW + 1)'(Depth - 4 * Spare);
  assign push      = event_valid_i || end_stall;
  assign row       = end_stall ? {KindStall, 128'({cycle_i + CycleW'(1), begin_q})}
                               : {event_kind_i, event_i};
  assign pop       = count_q != '0 && (!have_q || ready_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q <= '0;
      last_q  <= '0;
      count_q <= '0;
      have_q  <= 1'b0;
      stall_q <= 1'b0;
    end else begin
      if (push) last_q <= last_q + AddrW'(1);
      if (pop) first_q <= first_q + AddrW'(1);
      if (push != pop) count_q <= push ? count_q + (AddrW + 1)'(1) : count_q - (AddrW + 1)'(1);
      have_q <= pop || (have_q && !ready_i);
      if (end_stall) stall_q <= 1'b0;
      else if (count_q >= (AddrW + 1)'(Depth - Spare)) stall_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!stall_q) begin_q <= cycle_i + CycleW'(1);
  end

  hd_ram_1r1w #(
    .Width(132),
    .Depth(Depth)
  ) u_row (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .we_i    (push),
    .waddr_i (last_q),
    .wdata_i (row),
    .re_i    (pop),
    .raddr_i (first_q),
    .rdata_o (read)
  );

  assign stall_o = stall_q;
  assign valid_o = have_q;
  assign {kind_o, data_o} = read;

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (event_valid_i) `HD_ASSERT_IN(a_stall, !stall_q, "An event arrives during a stall.")
      `HD_ASSERT(a_count, 32'(count_q) <= Depth, "The trace counts more rows than it has.")
    end
  end
`endif

endmodule
