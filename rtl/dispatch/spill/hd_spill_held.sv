// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_spill_held: tracks the groups that hd_spill holds, per bank and level.
//
//   put, [queues of the rows of u_puts], there, out > 0 --> [held]
//   ask --> + SpillLine [out, outs] <-- - 1 (in its bank, or lost), - spare
//
// Ours.
// - A group is held from its put until it is in its bank, or lost. held_o has the state of the
//   previous cycle, so a queue counts as held for one cycle more.
// - A request counts as SpillLine groups that are out (requested, not in their bank) until memring
//   reports how many it reads; then the others (spare) are subtracted.
// - Queues of the rows of u_puts are kept here a second time, because a FIFO shows only its oldest.
// - timing: ask_i and back_i arrive late, so what else changes is computed first.
// - Latency: an event at t changes held_o and outs_o at t+1. Both come from registers.
// - Reset: none held.
// Part of hd_spill, whose model and tests cover it; spill.csv shows the registers.
`include "common/hd_assert.svh"
module hd_spill_held (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // A group is put; the oldest of them has been written
  input  logic                          put_i,
  input  logic [hd_pkg::RingW-1:0]      put_queue_i,
  input  logic                          put_done_i,
  // Queues with groups in memory that are not requested
  input  logic [hd_pkg::RingQueues-1:0] there_i,
  // Groups are requested; their queue, one-hot, also valid without ask_i
  input  logic                          ask_i,
  input  logic [hd_pkg::RingQueues-1:0] ask_at_i,
  // Not as many as SpillLine; the queue, one-hot
  input  logic [2:0]                    spare_i,
  input  logic [hd_pkg::RingQueues-1:0] spare_at_i,
  // A group goes into its bank; its queue, one-hot, also valid without back_i
  input  logic                          back_i,
  input  logic [hd_pkg::RingQueues-1:0] back_at_i,
  // A group was lost; its queue, one-hot, or 0
  input  logic [hd_pkg::RingQueues-1:0] gone_at_i,
  output logic [hd_pkg::RingQueues-1:0] held_o,
  output logic [hd_pkg::SpillOutW-1:0]  outs_o
);

  localparam int Queues = hd_pkg::RingQueues;
  localparam int QueueW = hd_pkg::RingW;
  localparam int Depth = hd_pkg::SpillDepth;
  localparam int OutW = hd_pkg::SpillOutW;
  localparam logic [OutW-1:0] Line = OutW'(hd_pkg::SpillLine);

  logic [Queues-1:0] held_q;
  logic [Queues*OutW-1:0] out_q;
  logic [OutW-1:0] outs_q;             // sum of out_q

  // ---- Queues of the rows of u_puts ------------------------------------------------------------
  logic [Depth-1:0] row_valid_q;
  logic [Depth-1:0] row_first_q, row_next_q;  // one-hot: the oldest row, and the next free one
  logic [Depth*QueueW-1:0] row_queue_q;
  logic [Queues-1:0] put_at, waiting;

  // Turns a one-hot row number to that of the next row.
  function automatic logic [Depth-1:0] next_row(input logic [Depth-1:0] row);
    next_row = {row[Depth-2:0], row[Depth-1]};
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      row_valid_q <= '0;
      row_first_q <= Depth'(1);
      row_next_q  <= Depth'(1);
    end else if (put_i || put_done_i) begin
      row_valid_q <= (row_valid_q | (row_next_q & {Depth{put_i}}))
          & ~(row_first_q & {Depth{put_done_i}});
      if (put_done_i) row_first_q <= next_row(row_first_q);
      if (put_i) row_next_q <= next_row(row_next_q);
    end
  end

  always_ff @(posedge clk_i) begin
    if (put_i) begin
      for (int i = 0; i < Depth; i++) begin
        if (row_next_q[i]) row_queue_q[i*QueueW+:QueueW] <= put_queue_i;
      end
    end
  end

  hd_onehot #(.N(Queues), .IdxW(QueueW)) u_put (
    .valid_i (put_i),
    .index_i (put_queue_i),
    .onehot_o(put_at)
  );

  logic [Depth*Queues-1:0] row_at;

  for (genvar i = 0; i < Depth; i++) begin : g_row
    hd_onehot #(.N(Queues), .IdxW(QueueW)) u_row (
      .valid_i (row_valid_q[i]),
      .index_i (row_queue_q[i*QueueW+:QueueW]),
      .onehot_o(row_at[i*Queues+:Queues])
    );
  end

  always_comb begin
    waiting = '0;
    for (int i = 0; i < Depth; i++) waiting |= row_at[i*Queues+:Queues];
  end

  // ---- Groups that are out ----------------------------------------------------------------------
  logic gone;
  assign gone = gone_at_i != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      out_q  <= '0;
      outs_q <= '0;
    end else if (ask_i || back_i || spare_i != '0 || gone) begin
      for (int q = 0; q < Queues; q++) begin
        out_q[q*OutW+:OutW] <= out_q[q*OutW+:OutW]
            - (OutW'(spare_i) & {OutW{spare_at_i[q]}}) - OutW'(gone_at_i[q])
            + (Line & {OutW{ask_at_i[q] && ask_i}}) - OutW'(back_at_i[q] && back_i);
      end
      outs_q <= outs_q - OutW'(spare_i) - OutW'(gone)
          + (Line & {OutW{ask_i}}) - OutW'(back_i);
    end
  end

  // ---- Groups held ------------------------------------------------------------------------------
  logic [Queues-1:0] some_out;

  for (genvar q = 0; q < Queues; q++) begin : g_queue
    assign some_out[q] = out_q[q*OutW+:OutW] != '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) held_q <= '0;
    else held_q <= put_at | there_i | waiting | some_out;
  end

  assign held_o = held_q;
  assign outs_o = outs_q;

`ifdef HD_ASSERT_ON
  // sim speed: the counts are checked in the cycle after they may have changed.
  logic stirred_q;
  logic [31:0] sum;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) stirred_q <= 1'b1;
    else stirred_q <= ask_i || back_i || spare_i != '0 || gone;
  end
  always_comb begin
    sum = '0;
    if (stirred_q) begin
      for (int q = 0; q < Queues; q++) sum += 32'(out_q[q*OutW+:OutW]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // The second part is always true if SpillFlight is one less than a power of two.
      if (stirred_q) `HD_ASSERT(a_outs, sum == 32'(outs_q)
          && $signed(32'(outs_q)) - hd_pkg::SpillFlight <= 0,
          "The count of groups that are out differs from those of the queues, or is too high.")
      if (put_i) `HD_ASSERT_IN(a_put, (row_next_q & row_valid_q) == '0 && put_at != '0,
          "A group is put while all rows are in use, or into a queue that does not exist.")
      if (put_done_i) `HD_ASSERT(a_done, (row_first_q & row_valid_q) != '0,
          "A group has been written while none waits.")
      if (ask_i) `HD_ASSERT(a_ask, $onehot(ask_at_i) && spare_i == '0,
          "A request is for no queue or several, or the spare places of the last one remain.")
      if (back_i) `HD_ASSERT(a_back, $onehot(back_at_i) && (back_at_i & some_out) != '0,
          "A group goes into its bank from a queue that has none out.")
      if (gone) `HD_ASSERT(a_gone, (gone_at_i & some_out) != '0,
          "A group was lost from a queue that has none out.")
    end
  end

  // Rare: a request and a group that goes into its bank, of one queue; a lost group and one that
  // goes into its bank; a lost group and spare places.
  `HD_COVER(c_ask_and_back, ask_i && back_i && (ask_at_i & back_at_i) != '0)
  `HD_COVER(c_gone_and_back, back_i && (gone_at_i & back_at_i) != '0)
  `HD_COVER(c_gone_and_spare, spare_i != '0 && (gone_at_i & spare_at_i) != '0)
`endif

endmodule
