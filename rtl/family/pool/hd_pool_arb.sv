// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_pool_arb: selects the next of some queues of the pool, round robin over streams and banks. If
// levels count, only those whose queues have the highest level take part.
//
//   req of streams, level --+--> [highest level] --round robin--> turn --> queue
//   req of banks -----------+--> [highest level of each bank] --------------^
//
// From laperm-isca2016 section 4.5 (the KMU visits the SMXs' queues round robin, and takes the
// highest priority of one); round robin over streams is ours.
// - The level of a bank's queue follows from its number; that of a stream is level_i. Of a bank,
//   the highest level goes.
// - With choose_i the pointer moves behind the turn of the selected queue.
// - queue_o is 0 without a request. Combinational; levels of streams without a request are ignored.
// - Reset: pointer 0.
// Part of hd_pool, whose tests cover it.
`include "common/hd_assert.svh"
module hd_pool_arb (
  input  logic                                             clk_i,
  input  logic                                             rst_ni,
  input  logic [hd_pkg::PoolQueues-1:0]                    req_i,
  input  logic [hd_pkg::NumStreams*hd_pkg::PoolRankW-1:0]  level_i,
  input  logic                                             by_level_i,
  input  logic                                             choose_i,
  output logic                                             some_o,
  output logic [hd_pkg::PoolQueueW-1:0]                    queue_o
);

  localparam int Streams = hd_pkg::NumStreams;
  localparam int Banks = hd_pkg::NumBank;
  localparam int Queues = hd_pkg::PoolQueues;
  localparam int QueueW = hd_pkg::PoolQueueW;
  localparam int Turns = hd_pkg::PoolTurns;
  localparam int TurnW = hd_pkg::PoolTurnW;
  localparam int RankW = hd_pkg::PoolRankW;
  localparam int MaxLevel = hd_pkg::MaxLevel;

  logic [TurnW-1:0] ptr_q, next, unused_turn;
  logic [Turns-1:0] asks, best, grant;
  logic [Turns*QueueW-1:0] queues;     // the queue of each turn

  // ---- The queue of each turn -------------------------------------------------------------------
  for (genvar t = 0; t < Streams; t++) begin : g_stream
    assign asks[t]                  = req_i[t];
    assign queues[t*QueueW+:QueueW] = QueueW'(t);
  end

  for (genvar b = 0; b < Banks; b++) begin : g_bank
    localparam int First = Streams + b * MaxLevel;
    logic [MaxLevel-1:0] req;
    logic [QueueW-1:0] queue;

    assign req = req_i[First+:MaxLevel];

    always_comb begin
      queue = '0;
      for (int l = 0; l < MaxLevel; l++) begin
        if (req[l]) queue = QueueW'(First + l);
      end
    end

    assign asks[Streams+b]                    = req != '0;
    assign queues[(Streams+b)*QueueW+:QueueW] = queue;
  end

  // ---- Round robin -----------------------------------------------------------------------------
  // The requests of the highest requested level.
  function automatic logic [Turns-1:0] highest(input logic [Queues-1:0] req,
      input logic [Streams*RankW-1:0] level);
    logic [Turns-1:0] at;
    logic above;
    highest = '0;
    above   = 1'b0;
    for (int l = MaxLevel; l >= 0; l--) begin
      at = '0;
      for (int s = 0; s < Streams; s++) at[s] = req[s] && level[s*RankW+:RankW] == RankW'(l);
      for (int b = 0; b < Banks && l > 0; b++) at[Streams+b] = req[Streams+b*MaxLevel+l-1];
      if (!above) highest |= at;
      above = above || at != '0;
    end
  endfunction

  always_comb begin
    best = asks;
    if (by_level_i) best = highest(req_i, level_i);
  end

  hd_rr_arb #(.N(Turns), .IdxW(TurnW)) u_arb (
    .req_i  (best),
    .ptr_i  (ptr_q),
    .grant_o(grant),
    .index_o(unused_turn),
    .valid_o(some_o),
    .next_o (next)
  );

  always_comb begin
    queue_o = '0;
    for (int t = 0; t < Turns; t++) queue_o |= {QueueW{grant[t]}} & queues[t*QueueW+:QueueW];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ptr_q <= '0;
    else if (choose_i) ptr_q <= next;
  end

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT(a_some, some_o == (req_i != '0),
          "A queue is chosen while none is ready, or none is chosen while one is ready.")
      if (some_o) `HD_ASSERT(a_asks, req_i[queue_o],
          "The chosen queue is not ready.")
    end
  end

  // Rare: levels exclude a request.
  `HD_COVER(c_left_out, choose_i && best != asks)
`endif

endmodule
