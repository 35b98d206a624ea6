// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_sched_pick_walk: picks the SMX that gets a TB: the one at the pointer, if it can take it
// (Visit 1).
//
//   can_take[smx_ptr] --> granted
//
// Implements the role `pick`, selected by Visit; all implementations have these ports. This is the
// literal walk of laperm-isca2016 section IV: it looks at one SMX per cycle.
// - The pointer advances by one in every cycle in which a kernel is active.
// - Latency: granted_o in the same cycle. Rate: one TB per cycle if the SMX at the pointer can take
//   it.
// - Reset: pointer 0.
// Part of hd_sched, whose model and tests cover it; sched.csv shows the pointer.
`include "common/hd_assert.svh"

module hd_sched_pick_walk (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      active_i,    // a kernel is active
  input  logic [hd_pkg::NumSmx-1:0] can_take_i,
  input  logic                      stall_i,     // none gets a TB; timing: applied to the result
  output logic                      valid_o,
  output logic [hd_pkg::NumSmx-1:0] granted_o,   // the SMX that gets the TB, one-hot, or none
  output logic [hd_pkg::SmxW-1:0]   smx_o        // its number, or 0
);

  localparam int NumSmx = hd_pkg::NumSmx;
  localparam int SmxW = hd_pkg::SmxW;

  logic [SmxW-1:0] smx_ptr_q;

  assign granted_o = can_take_i & ({{NumSmx - 1{1'b0}}, !stall_i} << smx_ptr_q);
  assign valid_o   = can_take_i[smx_ptr_q] && !stall_i;
  assign smx_o     = smx_ptr_q & {SmxW{valid_o}};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) smx_ptr_q <= '0;
    else if (active_i) smx_ptr_q <= smx_ptr_q == SmxW'(NumSmx - 1) ? '0 : smx_ptr_q + SmxW'(1);
  end

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) `HD_ASSERT(a_ptr, 32'(smx_ptr_q) < NumSmx,
        "The pointer to the next SMX must be below NumSmx.")
  end
`endif

endmodule
