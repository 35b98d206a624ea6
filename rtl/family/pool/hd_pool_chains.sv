// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_pool_chains: allocates the rows of the pool, and keeps the order of the rows of each queue.
//
//   join --> the lowest free row, behind the last of its queue --> [first, last; behind]
//   head --> row of the first of its queue; when it leaves, the next row follows
//
// Queues per stream are ours.
// - A row joins with its kernel (join_here_i) and level, or waits for them from memory; back_* then
//   reports that they are here, or that the kernel was lost.
// - A row that joins while the only row of its queue leaves becomes the first of the queue.
// - here_o: the first kernel of the queue is on chip. level_o: its level, for queues of streams;
//   the level of a bank's queue follows from its number. Both are stored per queue.
// - Latency: one cycle. Rate: one join and one leave per cycle. All outputs come from registers.
// - Reset: all rows free, all queues empty.
// Part of hd_pool, whose tests cover it.
`include "common/hd_assert.svh"
module hd_pool_chains (
  input  logic                                                  clk_i,
  input  logic                              rst_ni,
  // A kernel gets a row
  output logic [hd_pkg::PoolFrontPosW-1:0]                      row_o,
  input  logic                                                  join_i,
  input  logic [hd_pkg::PoolQueueW-1:0]                         join_queue_i,
  input  logic                                                  join_here_i,
  input  logic [hd_pkg::LevelW-1:0]                             join_level_i,
  // It returns from memory
  input  logic                                                  back_i,
  input  logic [hd_pkg::PoolFrontPosW-1:0]                      back_row_i,
  input  logic                                                  back_lost_i,
  input  logic [hd_pkg::LevelW-1:0]                             back_level_i,
  // The head: the first of a queue, and it leaves
  input  logic [hd_pkg::PoolQueueW-1:0]                         head_queue_i,
  output logic [hd_pkg::PoolFrontPosW-1:0]                      head_row_o,
  output logic                                                  head_lost_o,
  input  logic                                                  leave_i,
  // The queues, and used rows
  output logic [hd_pkg::PoolQueues-1:0]                         valid_o,
  output logic [hd_pkg::PoolQueues-1:0]                         here_o,
  output logic [hd_pkg::NumStreams*hd_pkg::PoolRankW-1:0]       level_o,
  output logic [hd_pkg::PoolFrontW-1:0]                         rows_used_o
);

  localparam int Depth = hd_pkg::PoolDepth;
  localparam int RowW = hd_pkg::PoolFrontPosW;
  localparam int FrontW = hd_pkg::PoolFrontW;
  localparam int RankW = hd_pkg::PoolRankW;
  localparam int QueueW = hd_pkg::PoolQueueW;
  localparam int Queues = hd_pkg::PoolQueues;
  localparam int Streams = hd_pkg::NumStreams;

  logic [Queues-1:0] chip_valid_q;
  logic [Queues*RowW-1:0] chip_first_q, chip_last_q;
  logic [Depth-1:0] row_used_q, here_q, lost_q;
  logic [Depth*RowW-1:0] row_behind_q;
  logic [Depth*RankW-1:0] level_q;
  logic [Queues-1:0] first_here_q;  // of the first row of the queue
  logic [Streams*RankW-1:0] first_level_q;
  logic [FrontW-1:0] rows_used_q;

  // ---- A free row -------------------------------------------------------------------------------
  logic [Depth-1:0] row_free, row_new;
  logic row_some;

  assign row_free = ~row_used_q;

  hd_find_first #(.N(Depth), .IdxW(RowW)) u_row (
    .req_i   (row_free),
    .onehot_o(row_new),
    .index_o (row_o),
    .valid_o (row_some)
  );

  // ---- Chains -----------------------------------------------------------------------------------
  // The head's row does not change from the cycle in which it is read until it leaves.
  logic [RowW-1:0] head_row_q, head_last, head_behind, join_last;
  logic head_only, join_first;

  assign head_row_o  = chip_first_q[head_queue_i*RowW+:RowW];
  assign head_lost_o = lost_q[head_row_q];
  assign head_last   = chip_last_q[head_queue_i*RowW+:RowW];
  assign head_behind = row_behind_q[head_row_q*RowW+:RowW];
  assign head_only   = head_row_q == head_last;
  assign join_last   = chip_last_q[join_queue_i*RowW+:RowW];
  assign join_first  = !chip_valid_q[join_queue_i]
      || (leave_i && head_only && join_queue_i == head_queue_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      chip_valid_q <= '0;
      row_used_q   <= '0;
      rows_used_q  <= '0;
    end else begin
      if (leave_i && head_only) chip_valid_q[head_queue_i] <= 1'b0;
      if (join_i) chip_valid_q[join_queue_i] <= 1'b1;

      if (leave_i) row_used_q[head_row_q] <= 1'b0;
      if (join_i) row_used_q[row_o] <= 1'b1;
      if (join_i != leave_i) begin
        rows_used_q <= join_i ? rows_used_q + FrontW'(1) : rows_used_q - FrontW'(1);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    head_row_q <= head_row_o;
    if (leave_i) chip_first_q[head_queue_i*RowW+:RowW] <= head_behind;
    if (join_i) begin
      if (join_first) chip_first_q[join_queue_i*RowW+:RowW] <= row_o;
      else row_behind_q[join_last*RowW+:RowW] <= row_o;
      chip_last_q[join_queue_i*RowW+:RowW] <= row_o;
      here_q[row_o] <= join_here_i;
      lost_q[row_o] <= 1'b0;
    end
    if (back_i) begin
      here_q[back_row_i] <= 1'b1;
      lost_q[back_row_i] <= back_lost_i;
    end
  end

  // ---- State of the first kernel of each queue -------------------------------------------------
  logic behind_back, behind_here;      // the row behind the head's returns now; is then here
  logic [RankW-1:0] join_level, back_level, behind_level;

  // A level for comparison: levels above MaxLevel count as MaxLevel.
  function automatic logic [RankW-1:0] rank_of(input logic [hd_pkg::LevelW-1:0] level);
    rank_of = 32'(level) > hd_pkg::MaxLevel ? RankW'(hd_pkg::MaxLevel) : RankW'(level);
  endfunction

  assign join_level   = rank_of(join_level_i);
  assign back_level   = rank_of(back_level_i);
  assign behind_back  = back_i && back_row_i == head_behind;
  assign behind_here  = behind_back || here_q[head_behind];
  assign behind_level = behind_back ? back_level : level_q[head_behind*RankW+:RankW];

  always_ff @(posedge clk_i) begin
    if (join_i) level_q[row_o*RankW+:RankW] <= join_level;
    if (back_i) level_q[back_row_i*RankW+:RankW] <= back_level;
  end

  // The queue from which a kernel leaves, that which a kernel joins as its first, those whose first
  // kernel returns.
  logic [Queues-1:0] leaves, joins, back;

  always_comb begin
    leaves = '0;
    joins  = '0;
    back   = '0;
    if (leave_i) begin
      for (int q = 0; q < Queues; q++) leaves[q] = head_queue_i == QueueW'(q);
    end
    if (join_i && join_first) begin
      for (int q = 0; q < Queues; q++) joins[q] = join_queue_i == QueueW'(q);
    end
    if (back_i) begin
      for (int q = 0; q < Queues; q++) back[q] = chip_first_q[q*RowW+:RowW] == back_row_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (join_i || leave_i || back_i) begin
      for (int q = 0; q < Queues; q++) begin
        if (joins[q]) first_here_q[q] <= join_here_i;
        else if (leaves[q]) first_here_q[q] <= behind_here;
        else if (back[q]) first_here_q[q] <= 1'b1;
      end
      for (int q = 0; q < Streams; q++) begin
        if (joins[q]) begin
          first_level_q[q*RankW+:RankW] <= join_level;
        end else if (leaves[q]) begin
          first_level_q[q*RankW+:RankW] <= behind_level;
        end else if (back[q]) begin
          first_level_q[q*RankW+:RankW] <= back_level;
        end
      end
    end
  end

  // ---- Outputs ----------------------------------------------------------------------------------
  assign here_o      = chip_valid_q & first_here_q;
  assign level_o     = first_level_q;
  assign valid_o     = chip_valid_q;
  assign rows_used_o = rows_used_q;

  logic unused_bits;
  assign unused_bits = &{1'b0, row_new, row_some};

`ifdef HD_ASSERT_ON
  // sim speed: the state is checked in the cycle after it may have changed.
  logic stirred_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) stirred_q <= 1'b1;
    else stirred_q <= join_i || leave_i || back_i;
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (join_i) `HD_ASSERT_IN(a_row, row_some,
          "A kernel joins while no row is free.")
      if (back_i) `HD_ASSERT_IN(a_back, row_used_q[back_row_i] && !here_q[back_row_i],
          "A kernel returns from memory to a row that does not wait for it.")
      if (leave_i) `HD_ASSERT_IN(a_head, head_row_q == head_row_o,
          "The first row of the head queue changed in the cycle before it leaves.")
    end
    if (rst_ni && stirred_q) begin
      `HD_ASSERT(a_count, 32'(rows_used_q) == $countones(row_used_q),
          "The count of used rows differs from the number of used bits.")
    end
  end
  for (genvar q = 0; q < Queues; q++) begin : g_here
    always_ff @(posedge clk_i) begin
      if (rst_ni && stirred_q && chip_valid_q[q]) begin
        `HD_ASSERT(a_here, first_here_q[q] == here_q[chip_first_q[q*RowW+:RowW]],
            "The here bit stored for the first kernel of a queue differs from that of its row.")
      end
    end
  end
  for (genvar q = 0; q < Streams; q++) begin : g_level
    always_ff @(posedge clk_i) begin
      if (rst_ni && stirred_q && chip_valid_q[q] && first_here_q[q]) begin
        `HD_ASSERT(a_level, first_level_q[q*RankW+:RankW]
            == level_q[chip_first_q[q*RowW+:RowW]*RankW+:RankW],
            "The level stored for the first kernel of a stream differs from that of its row.")
      end
    end
  end

  // Rare: a kernel joins as the only one of its queue leaves.
  `HD_COVER(c_joins_leaver, join_i && leave_i && head_only && join_queue_i == head_queue_i)
`endif

endmodule
