// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_pool_turn: which of some queues of the pool is next: those of the highest level only, if
// levels count, and of these the first at or after a pointer.
//
//   req, level --> [highest level] --round robin--> queue
//
// From laperm-isca2016 section 4.5 (the KMU takes the highest priority first).
// - With choose_i the pointer goes behind the queue that is told.
// - queue_o is 0 while nobody asks. Combinational; the levels of queues that do not ask do not
//   count.
// - Reset: pointer 0.
// Part of hd_pool; its rules are tested there.
module hd_pool_turn (
  input  logic                                             clk_i,
  input  logic                                             rst_ni,
  input  logic [hd_pkg::PoolQueues-1:0]                    req_i,
  input  logic [hd_pkg::PoolQueues*hd_pkg::PoolRankW-1:0]  level_i,
  input  logic                                             by_level_i,
  input  logic                                             choose_i,
  output logic                                             some_o,
  output logic [hd_pkg::PoolQueueW-1:0]                    queue_o
);

  localparam int Queues = hd_pkg::PoolQueues;
  localparam int QueueW = hd_pkg::PoolQueueW;
  localparam int RankW = hd_pkg::PoolRankW;
  localparam int MaxLevel = hd_pkg::MaxLevel;

  logic [QueueW-1:0] ptr_q, next;
  logic [Queues-1:0] best, unused_grant;

  // Those that ask and have the highest level of all that do.
  function automatic logic [Queues-1:0] highest(input logic [Queues-1:0] req,
      input logic [Queues*RankW-1:0] level);
    logic [Queues-1:0] at;
    logic above;
    highest = '0;
    above   = 1'b0;
    for (int l = MaxLevel; l >= 0; l--) begin
      for (int q = 0; q < Queues; q++) at[q] = req[q] && level[q*RankW+:RankW] == RankW'(l);
      if (!above) highest |= at;
      above = above || at != '0;
    end
  endfunction

  assign best = by_level_i ? highest(req_i, level_i) : req_i;

  hd_rr_arb #(.N(Queues), .IdxW(QueueW)) u_arb (
    .req_i  (best),
    .ptr_i  (ptr_q),
    .grant_o(unused_grant),
    .index_o(queue_o),
    .valid_o(some_o),
    .next_o (next)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ptr_q <= '0;
    else if (choose_i) ptr_q <= next;
  end

`ifdef VERILATOR
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // Somebody is next if somebody asks, and asks itself.
      a_some : assert (some_o == (req_i != '0));
      if (some_o) a_asks : assert (req_i[queue_o]);
    end
  end
  // The rare: levels leave somebody out.
  c_left_out :
  cover property (@(posedge clk_i) choose_i && best != req_i);
`endif

endmodule
