// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_pool_head: which queue's first kernel is offered next, and whether it has been read.
//
//   ready --round robin--> [queue] --> reading its row --> there, until it leaves
//
// Queues by stream are ours.
// - One kernel at a time. While it is there its queue does not change.
// - Latency: ready at t, read_o t + 1, there_o t + 2; a kernel per 3 cycles. Outputs come from
//   registers.
// - Reset: none.
// Part of hd_pool; its rules are tested there.
module hd_pool_head (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  // Queues whose first may run
  input  logic [hd_pkg::NumStreams-1:0]  ready_i,
  // The one that is offered
  output logic [hd_pkg::StreamW-1:0]     queue_o,
  output logic                           read_o,
  output logic                           there_o,
  input  logic                           leave_i
);

  localparam int Queues = hd_pkg::NumStreams;
  localparam int StreamW = hd_pkg::StreamW;

  localparam logic [1:0] HeadNone = 2'd0;
  localparam logic [1:0] HeadReading = 2'd1;
  localparam logic [1:0] HeadThere = 2'd2;

  logic [1:0] head_state_q;
  logic [StreamW-1:0] head_queue_q, pick_ptr_q, pick, pick_next;
  logic [Queues-1:0] unused_ready;
  logic some_ready, choose;

  hd_rr_arb #(.N(Queues), .IdxW(StreamW)) u_pick (
    .req_i  (ready_i),
    .ptr_i  (pick_ptr_q),
    .grant_o(unused_ready),
    .index_o(pick),
    .valid_o(some_ready),
    .next_o (pick_next)
  );

  assign choose = head_state_q == HeadNone && some_ready;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_state_q <= HeadNone;
      head_queue_q <= '0;
      pick_ptr_q   <= '0;
    end else begin
      if (leave_i) head_state_q <= HeadNone;
      else if (choose) head_state_q <= HeadReading;
      else if (head_state_q == HeadReading) head_state_q <= HeadThere;
      if (choose) begin
        head_queue_q <= pick;
        pick_ptr_q   <= pick_next;
      end
    end
  end

  assign queue_o = head_queue_q;
  assign read_o  = head_state_q == HeadReading;
  assign there_o = head_state_q == HeadThere;

`ifdef VERILATOR
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // Only a kernel that is there leaves.
      if (leave_i) a_leave : assert (there_o);
    end
  end
`endif

endmodule
