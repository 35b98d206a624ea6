// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_pool_join: selects the next kernel that gets a row of the pool: the oldest launched kernel, or
// one of a queue in memory.
//
//   fits ---------------------------+--> [join, queue] --> until it has the row
//   readable, may_row --> u_arb ---'
//   put, its level --> [mem_level] --^
//
// Queues per stream are ours.
// - The launched kernel goes first. Of the queues in memory, those of the highest level go first if
//   levels count (by_level_i).
// - The level of a stream in memory is the highest level of the kernels that went to memory since
//   it was last empty there, because the kernels in front of that one must return before it. The
//   exact levels behind a returning kernel are stored in memory only.
// - The selected kernel may have a row until it gets one: only a join allocates rows.
// - Latency: one cycle. Outputs come from registers.
// - Reset: none selected.
// Part of hd_pool, whose tests cover it.
`include "common/hd_assert.svh"
module hd_pool_join (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  // The oldest launched kernel may have a row, and its queue
  input  logic                           fits_i,
  input  logic [hd_pkg::PoolQueueW-1:0]  first_queue_i,
  // It goes to memory, behind others of its queue
  input  logic                           put_i,
  input  logic [hd_pkg::LevelW-1:0]      put_level_i,
  input  logic                           behind_i,
  // Queues in memory that may get a row
  input  logic [hd_pkg::PoolQueues-1:0]  wanted_i,
  input  logic                           by_level_i,
  // The selection: the launched kernel or a queue; its row is allocated
  output logic                           chip_o,
  output logic                           get_o,
  output logic [hd_pkg::PoolQueueW-1:0]  queue_o,
  input  logic                           joins_i
);

  localparam int QueueW = hd_pkg::PoolQueueW;
  localparam int Streams = hd_pkg::NumStreams;
  localparam int RankW = hd_pkg::PoolRankW;

  typedef enum logic [1:0] {
    JoinNone = 2'd0,
    JoinChip = 2'd1,
    JoinGet  = 2'd2
  } join_e;

  join_e join_q;
  logic [QueueW-1:0] join_queue_q, get_queue;
  logic get_some, choose_chip, choose_get;

  logic [Streams*RankW-1:0] mem_level_q;
  logic [RankW-1:0] put_rank;

  assign put_rank = 32'(put_level_i) > hd_pkg::MaxLevel ? RankW'(hd_pkg::MaxLevel)
      : RankW'(put_level_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) mem_level_q <= '0;
    else if (put_i) begin
      for (int s = 0; s < Streams; s++) begin
        if (first_queue_i == QueueW'(s) && (!behind_i || put_rank > mem_level_q[s*RankW+:RankW]))
          mem_level_q[s*RankW+:RankW] <= put_rank;
      end
    end
  end

  hd_pool_arb u_arb (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .req_i     (wanted_i),
    .level_i   (mem_level_q),
    .by_level_i(by_level_i),
    .choose_i  (choose_get),
    .some_o    (get_some),
    .queue_o   (get_queue)
  );

  assign choose_chip = join_q == JoinNone && fits_i;
  assign choose_get  = join_q == JoinNone && !fits_i && get_some;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) join_q <= JoinNone;
    else if (choose_chip) join_q <= JoinChip;
    else if (choose_get) join_q <= JoinGet;
    else if (joins_i) join_q <= JoinNone;
  end

  always_ff @(posedge clk_i) begin
    if (choose_chip || choose_get) join_queue_q <= choose_chip ? first_queue_i : get_queue;
  end

  assign chip_o  = join_q == JoinChip;
  assign get_o   = join_q == JoinGet;
  assign queue_o = join_queue_q;

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (joins_i) `HD_ASSERT_IN(a_joins, chip_o || get_o,
          "A kernel gets a row while none is chosen.")
    end
  end
`endif

endmodule
