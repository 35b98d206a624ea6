// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_sched_pick_first: picks the SMX that gets a TB: the first one at or after the pointer that can
// take it (Visit 0).
//
//   can_take --> first at or after [smx_ptr] --> granted
//
// Implements the role `pick`, selected by Visit; all implementations have these ports.
// - The pointer is one beyond the SMX that got the last TB.
// - Latency: granted_o in the same cycle. Rate: one TB per cycle.
// - Reset: pointer 0.
// Part of hd_sched, whose model and tests cover it; sched.csv shows the pointer.
`include "common/hd_assert.svh"
module hd_sched_pick_first (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      active_i,    // a kernel is active (unused here)
  input  logic [hd_pkg::NumSmx-1:0] can_take_i,
  input  logic                      stall_i,     // none gets a TB; timing: applied to the result
  output logic                      valid_o,
  output logic [hd_pkg::NumSmx-1:0] granted_o,   // the SMX that gets the TB, one-hot, or none
  output logic [hd_pkg::SmxW-1:0]   smx_o        // its number, or 0
);

  localparam int NumSmx = hd_pkg::NumSmx;
  localparam int SmxW = hd_pkg::SmxW;

  logic [SmxW-1:0] smx_ptr_q, smx, smx_next;
  logic [NumSmx-1:0] first;
  logic some;

  hd_rr_arb #(.N(NumSmx), .IdxW(SmxW)) u_smx (
    .req_i  (can_take_i),
    .ptr_i  (smx_ptr_q),
    .grant_o(first),
    .index_o(smx),
    .valid_o(some),
    .next_o (smx_next)
  );

  assign granted_o = first & {NumSmx{!stall_i}};
  assign valid_o   = some && !stall_i;
  assign smx_o     = smx & {SmxW{!stall_i}};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) smx_ptr_q <= '0;
    else if (valid_o) smx_ptr_q <= smx_next;
  end

  logic unused_active;
  assign unused_active = active_i;

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) `HD_ASSERT(a_ptr, 32'(smx_ptr_q) < NumSmx,
        "The pointer to the next SMX must be below NumSmx.")
  end
`endif

endmodule
