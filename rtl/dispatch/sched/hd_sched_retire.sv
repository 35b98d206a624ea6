// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_sched_retire: retires one completed TB of all SMXs per cycle, round robin, and reports it one
// cycle later. timing: the arbiter and the counters that follow each have a full cycle.
//
//   done FIFOs of the SMXs --> first at or after [retire_ptr] --> [retired] --> KD, agc
//
// - Latency: a TB at the head of its done FIFO at t is on retire_o at t+1. Rate: one TB per cycle.
// - Reset: pointer 0, nothing retired.
// Part of hd_sched, whose model and tests cover it; sched.csv shows the pointer.
`include "common/hd_assert.svh"
module hd_sched_retire (
  input  logic                                      clk_i,
  input  logic                                      rst_ni,
  input  logic [hd_pkg::NumSmx-1:0]                 done_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::RetireW-1:0] done_i,
  output logic [hd_pkg::NumSmx-1:0]                 pop_o,
  output logic                                      retire_valid_o,
  output hd_pkg::retire_t                           retire_o
);

  localparam int NumSmx = hd_pkg::NumSmx;
  localparam int SmxW = hd_pkg::SmxW;
  localparam int RetireW = hd_pkg::RetireW;

  logic [SmxW-1:0] retire_ptr_q, smx, next;
  logic retired_valid_q, any;
  hd_pkg::retire_t retired_q;

  hd_rr_arb #(.N(NumSmx), .IdxW(SmxW)) u_smx (
    .req_i  (done_valid_i),
    .ptr_i  (retire_ptr_q),
    .grant_o(pop_o),
    .index_o(smx),
    .valid_o(any),
    .next_o (next)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      retire_ptr_q    <= '0;
      retired_valid_q <= 1'b0;
    end else begin
      if (any) retire_ptr_q <= next;
      retired_valid_q <= any;
    end
  end

  always_ff @(posedge clk_i) retired_q <= done_i[smx*RetireW+:RetireW];

  assign retire_valid_o = retired_valid_q;
  assign retire_o       = retired_valid_q ? retired_q : '0;

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT(a_retire, $onehot0(pop_o) && (pop_o & ~done_valid_i) == '0,
          "More than one done FIFO is popped, or one that is empty.")
      `HD_ASSERT(a_ptr, 32'(retire_ptr_q) < NumSmx,
          "The pointer to the next SMX that retires must be below NumSmx.")
    end
  end
`endif

endmodule
