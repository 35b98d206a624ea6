// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_pool_head: selects the queue whose first kernel is offered next, and reads its row.
//
//   ready, level --u_arb--> [queue] --> read its row --> offered until it leaves
//
// Queues per stream are ours.
// - One kernel at a time; its queue does not change while it is offered.
// - Latency: ready at t, read_o at t+1, there_o at t+2. Rate: one kernel per 3 cycles. Outputs come
//   from registers.
// - Reset: none is offered.
// Part of hd_pool, whose tests cover it.
`include "common/hd_assert.svh"
module hd_pool_head (
  input  logic                                             clk_i,
  input  logic                                             rst_ni,
  // Queues whose first kernel may run, its level in those of streams, and whether levels count
  input  logic [hd_pkg::PoolQueues-1:0]                    ready_i,
  input  logic [hd_pkg::NumStreams*hd_pkg::PoolRankW-1:0]  level_i,
  input  logic                                             by_level_i,
  // The offered kernel
  output logic [hd_pkg::PoolQueueW-1:0]                    queue_o,
  output logic                                             read_o,
  output logic                                             there_o,
  input  logic                                             leave_i
);

  localparam int QueueW = hd_pkg::PoolQueueW;

  typedef enum logic [1:0] {
    HeadNone    = 2'd0,
    HeadReading = 2'd1,
    HeadThere   = 2'd2
  } head_e;

  head_e head_state_q;
  logic [QueueW-1:0] head_queue_q, pick;
  logic some_ready, choose;

  hd_pool_arb u_arb (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .req_i     (ready_i),
    .level_i   (level_i),
    .by_level_i(by_level_i),
    .choose_i  (choose),
    .some_o    (some_ready),
    .queue_o   (pick)
  );

  assign choose = head_state_q == HeadNone && some_ready;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_state_q <= HeadNone;
      head_queue_q <= '0;
    end else begin
      if (leave_i) head_state_q <= HeadNone;
      else if (choose) head_state_q <= HeadReading;
      else if (head_state_q == HeadReading) head_state_q <= HeadThere;
      if (choose) head_queue_q <= pick;
    end
  end

  assign queue_o = head_queue_q;
  assign read_o  = head_state_q == HeadReading;
  assign there_o = head_state_q == HeadThere;

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (leave_i) `HD_ASSERT_IN(a_leave, there_o, "The head leaves while none is offered.")
    end
  end
`endif

endmodule
