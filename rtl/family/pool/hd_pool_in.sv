// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_pool_in: input FIFO of the pool: launched device kernels that have neither a row nor a place
// in memory yet, with their queues.
//
//   push --> [queue?] --> [2] --> first
//
// From laperm-isca2016 section 4.5 (queues per SMX and level); queues per stream are ours.
// - A kernel's queue is that of its stream. Without a stream it is that of its SMX's bank and its
//   level, if levels count when it arrives (by_level_i) and its level is not 0; otherwise queue 0.
// - Two kernels, in order. first_o is 0 while empty. Outputs come from registers.
// - Reset: empty.
// Part of hd_pool, whose tests cover it.
module hd_pool_in (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  // A kernel is launched
  input  logic                           push_valid_i,
  input  hd_pkg::devk_t                  push_i,
  input  logic                           by_level_i,
  // The oldest kernel, and the occupancy
  input  logic                           leave_i,
  output hd_pkg::devk_t                  first_o,
  output logic [hd_pkg::PoolQueueW-1:0]  queue_o,
  output logic                           full_o,
  output logic                           none_o,
  output logic [1:0]                     count_o
);

  localparam int Streams = hd_pkg::NumStreams;
  localparam int MaxLevel = hd_pkg::MaxLevel;
  localparam int QueueW = hd_pkg::PoolQueueW;

  logic [QueueW-1:0] queue, of_bank, in_bank;

  // The first queue of the SMX's bank, and the offset of the level's queue.
  always_comb begin
    of_bank = QueueW'(Streams);
    for (int b = 1; b < hd_pkg::NumBank; b++) begin
      if (32'(push_i.smx) >= b * hd_pkg::SmxPerCluster) of_bank = QueueW'(Streams + b * MaxLevel);
    end
    in_bank = '0;
    for (int l = 1; l < MaxLevel; l++) begin
      if (32'(push_i.level) > l) in_bank = QueueW'(l);
    end
  end

  always_comb begin
    queue = QueueW'(push_i.stream);
    if (by_level_i && push_i.stream == '0 && push_i.level != '0) begin
      queue = of_bank + in_bank;
    end
  end

  hd_fifo2 #(.Width(QueueW + hd_pkg::DevkW)) u_fifo2 (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (push_valid_i),
    .data_i ({queue, push_i}),
    .full_o (full_o),
    .pop_i  (leave_i),
    .data_o ({queue_o, first_o}),
    .empty_o(none_o)
  );

  assign count_o = {full_o, !full_o && !none_o};

endmodule
