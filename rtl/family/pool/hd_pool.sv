// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_pool: holds device kernels that wait to run: one queue per device stream, and one per bank of
// SMXs and nesting level; on chip, overflowing to memory.
//
//   push --> [u_in] --u_join--> [u_front: rows; u_chains: order] --> [u_head] --> the KMU, or lost
//                 '--> u_memq: put .. get --^
//
// From dtbl-isca2015 section 2.4 (device kernels wait in the KMU, and in memory), laperm-isca2016
// section 4.5 (queues per SMX and level, SMXs round robin, highest level first). Queues per stream
// are ours, so a kernel that waits for its stream blocks no other kernel.
// - A kernel without a stream goes to queue 0, or, if it arrives under a policy other than Rr, to
//   the queue of its SMX's bank and its level. Streams and banks are served round robin; under the
//   other policies only those whose next kernel has the highest level (hd_pool_arb).
// - A kernel gets a row if no kernel of its queue is in memory. A kernel that may not run yet gets
//   one only if more than Reserve rows are free, so that runnable kernels always find some.
// - At most one kernel of a stream is incomplete (busy); stream 0 imposes no order.
// - A kernel lost by a memory error returns marked as lost and is reported (lost) in its turn: its
//   parent record counts it down, and its stream continues.
// - Latency: push at t into an empty pool, head_o.valid at t+5. Rate: one kernel per 3 cycles out.
//   Outputs come from registers, except some of u_memq.
// - Reset: empty, no stream busy; rows have no reset.
// Ports: pool.csv. Model cmodel/family/pool, tests verif/unit and verif/equiv test_block, page
// docs/family/pool.md.
`include "common/hd_assert.svh"
module hd_pool (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // Launch of a device kernel, and room for it (devq A3)
  input  hd_pkg::devoffer_t             devq_push_i,
  output hd_pkg::poolroom_t             room_o,
  output logic [hd_pkg::NumStreams-1:0] stream_ok_o,
  // Policy: order of the kernels (regs)
  input  hd_pkg::settings_t             regs_config_i,
  // Device kernel ready to run (kmu)
  output hd_pkg::devoffer_t             head_o,
  input  logic                          kmu_pool_pop_i,
  // Completed device kernel (kin)
  input  hd_pkg::streamend_t            kin_stream_done_i,
  // Lost device kernel (kin)
  output hd_pkg::lost_t                 lost_o,
  input  logic                          kin_lost_ready_i,
  // Events for the counters (regs)
  output hd_pkg::poolev_t               events_o,
  // Memory port (memarb)
  output hd_pkg::memup_t                mem_o,
  input  hd_pkg::memdown_t              mem_i
);

  localparam int Depth = hd_pkg::PoolDepth;
  localparam int RowW = hd_pkg::PoolFrontPosW;
  localparam int FrontW = hd_pkg::PoolFrontW;
  localparam int CountW = hd_pkg::PoolCountW;
  localparam int NamedW = $clog2(Depth + 3);
  localparam int Streams = hd_pkg::NumStreams;
  localparam int Queues = hd_pkg::PoolQueues;
  localparam int QueueW = hd_pkg::PoolQueueW;
  localparam int RankW = hd_pkg::PoolRankW;
  localparam int StreamW = hd_pkg::StreamW;
  localparam int KinW = hd_pkg::KinW;
  localparam int Reserve = hd_pkg::PoolReserve;

  // Queues whose kernels do not wait for each other to complete: those without a stream.
  localparam logic [Queues-1:0] Open = ~((Queues'(1) << Streams) - Queues'(2));

  logic [Streams-1:0] busy_q;
  logic [Queues-1:0] busy, chip_valid, there, readable;
  logic [QueueW-1:0] join_queue;
  logic putting_q, by_level;

  assign busy     = Queues'(busy_q);
  assign by_level = regs_config_i.policy != hd_pkg::PolicyRr;

  // ---- Queues that may get a row ---------------------------------------------------------------
  logic [FrontW-1:0] rows_used;
  logic some_free, many_free;
  logic [Queues-1:0] runnable, may_row;

  assign some_free = rows_used != FrontW'(Depth);
  assign many_free = rows_used < FrontW'(Depth - Reserve);
  assign runnable = (~chip_valid & ~busy) | Open;
  assign may_row = {Queues{many_free}} | ({Queues{some_free}} & runnable);

  // ---- Launched kernels ------------------------------------------------------------------------
  logic fits, in_full, in_none, in_leaves, to_chip, put_valid, put_ready, put_done, got_valid;
  logic join_chip;  // driven by u_join below
  logic [1:0] in_count;
  logic [QueueW-1:0] first_queue;
  hd_pkg::devk_t first;

  hd_pool_in u_in (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .push_valid_i(devq_push_i.valid),
    .push_i      (devq_push_i.kernel),
    .by_level_i  (by_level),
    .leave_i     (in_leaves),
    .first_o     (first),
    .queue_o     (first_queue),
    .full_o      (in_full),
    .none_o      (in_none),
    .count_o     (in_count)
  );

  assign fits      = !there[first_queue] && may_row[first_queue];
  assign to_chip   = join_chip && !got_valid;
  assign put_valid = !in_none && !join_chip && (putting_q || !fits);
  assign in_leaves = to_chip || put_done;

  // ---- The next kernel that gets a row ---------------------------------------------------------
  logic get_valid, get_ready, joins;

  hd_pool_join u_join (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .fits_i       (!in_none && !putting_q && fits),
    .first_queue_i(first_queue),
    .put_i        (put_valid && put_ready),
    .put_level_i  (first.level),
    .behind_i     (there[first_queue]),
    .wanted_i     (readable & may_row),
    .by_level_i   (by_level),
    .chip_o       (join_chip),
    .get_o        (get_valid),
    .queue_o      (join_queue),
    .joins_i      (joins)
  );

  assign joins = to_chip || (get_valid && get_ready);

  // ---- Rows -------------------------------------------------------------------------------------
  logic [Queues-1:0] here;
  logic [Streams*RankW-1:0] level;     // of the first kernel of each stream
  logic [RowW-1:0] row, got_row, head_row;
  logic [QueueW-1:0] head_queue;
  logic leaves, got_error, head_read, head_there, head_lost;
  hd_pkg::devk_t back, head;

  hd_pool_chains u_chains (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .row_o       (row),
    .join_i      (joins),
    .join_queue_i(join_queue),
    .join_here_i (to_chip),
    .join_level_i(first.level),
    .back_i      (got_valid),
    .back_row_i  (got_row),
    .back_lost_i (got_error),
    .back_level_i(back.level),
    .head_queue_i(head_queue),
    .head_row_o  (head_row),
    .head_lost_o (head_lost),
    .leave_i     (leaves),
    .valid_o     (chip_valid),
    .here_o      (here),
    .level_o     (level),
    .rows_used_o (rows_used)
  );

  hd_ram_1r1w #(.Width(hd_pkg::DevkW), .Depth(Depth), .AddrW(RowW)) u_front (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (to_chip || got_valid),
    .waddr_i(got_valid ? got_row : row),
    .wdata_i(got_valid ? back : first),
    .re_i   (head_read),
    .raddr_i(head_row),
    .rdata_o(head)
  );

  // ---- The head ---------------------------------------------------------------------------------
  hd_pool_head u_head (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .ready_i   (here & ~busy),
    .level_i   (level),
    .by_level_i(by_level),
    .queue_o   (head_queue),
    .read_o    (head_read),
    .there_o   (head_there),
    .leave_i   (leaves)
  );

  logic [StreamW-1:0] head_stream;     // 0 for a bank's queue
  logic lost;                          // the head was lost in memory

  assign leaves      = kmu_pool_pop_i || (lost && kin_lost_ready_i);
  assign head_stream = 32'(head_queue) < Streams ? StreamW'(head_queue) : '0;

  // ---- Busy streams, the kernel being put ------------------------------------------------------
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q    <= '0;
      putting_q <= 1'b0;
    end else begin
      if (kin_stream_done_i.valid) busy_q[kin_stream_done_i.stream] <= 1'b0;
      if (leaves && head_stream != '0) busy_q[head_stream] <= 1'b1;
      putting_q <= (putting_q || (put_valid && put_ready)) && !put_done;
    end
  end

  // ---- Memory -----------------------------------------------------------------------------------
  logic [2:0] put_beat, got_beat;
  logic got_beat_valid;
  logic [KinW-1:0] got_side;
  logic [CountW-1:0] used, left;
  hd_pkg::membeat_t put_data;

  hd_memq u_memq (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .put_valid_i     (put_valid),
    .put_queue_i     (first_queue),
    .put_side_i      (first.up),
    .put_ready_o     (put_ready),
    .put_beat_o      (put_beat),
    .put_data_i      (put_data),
    .put_done_o      (put_done),
    .get_valid_i     (get_valid),
    .get_queue_i     (join_queue),
    .get_tag_i       (row),
    .get_ready_o     (get_ready),
    .got_beat_valid_o(got_beat_valid),
    .got_beat_o      (got_beat),
    .got_valid_o     (got_valid),
    .got_tag_o       (got_row),
    .got_side_o      (got_side),
    .got_error_o     (got_error),
    .there_o         (there),
    .readable_o      (readable),
    .used_o          (used),
    .left_o          (left),
    .base_i          (regs_config_i.dev_base),
    .count_i         (regs_config_i.dev_count),
    .mem_o           (mem_o),
    .mem_i           (mem_i)
  );

  hd_pool_record u_record (
    .clk_i       (clk_i),
    .put_i       (first),
    .put_beat_i  (put_beat),
    .put_data_o  (put_data),
    .beat_valid_i(got_beat_valid),
    .beat_i      (got_beat),
    .r_i         (mem_i.r),
    .side_i      (got_side),
    .back_o      (back)
  );

  // ---- Outputs ----------------------------------------------------------------------------------
  logic [NamedW-1:0] rows_named;
  logic mem_ok, chip_ok, spare, spill_event_q, refill_event_q, error_event_q;

  // Kernels in u_in go first; the one being put has its place already; one may be the first of its
  // stream.
  assign rows_named   = NamedW'(rows_used) + NamedW'(in_count);
  assign mem_ok       = 32'(left) > 32'(in_count) - 32'(putting_q);
  assign chip_ok      = 32'(rows_named) < Depth;
  assign spare        = 32'(rows_named) < Depth - Reserve;
  assign room_o.ready = !in_full;
  assign room_o.two   = in_none;
  assign room_o.full  = !(mem_ok || (used == '0 && chip_ok));
  assign stream_ok_o  = {Streams{mem_ok || spare}} | {{Streams - 1{1'b0}}, chip_ok}
      | ({Streams{chip_ok && in_none}} & runnable[Streams-1:0]);

  assign head_o.valid  = head_there && !head_lost;
  assign lost          = head_there && head_lost;
  assign lost_o.valid  = lost;
  assign lost_o.up     = lost ? head.up : '0;
  assign lost_o.stream = lost ? head_stream : '0;

  always_comb begin
    head_o.kernel = '0;
    if (head_o.valid) begin
      head_o.kernel        = head;
      head_o.kernel.stream = head_stream;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      spill_event_q  <= 1'b0;
      refill_event_q <= 1'b0;
      error_event_q  <= 1'b0;
    end else begin
      spill_event_q  <= mem_i.b_valid && !mem_i.b_error;
      refill_event_q <= got_valid && !got_error;
      error_event_q  <= got_valid && got_error;
    end
  end

  assign events_o.spill  = spill_event_q;
  assign events_o.refill = refill_event_q;
  assign events_o.error  = error_event_q;

  logic unused_bits;
  assign unused_bits = &{1'b0, head.stream};

`ifdef HD_ASSERT_ON
  logic take_ok, b_ok, r_ok;

  hd_mem_answers #(.Reads(hd_pkg::MemqFlight), .Writes(hd_pkg::MemqFlight), .Beats(8)) u_answers (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .mem_up_i  (mem_o),
    .mem_down_i(mem_i),
    .take_ok_o (take_ok),
    .b_ok_o    (b_ok),
    .r_ok_o    (r_ok)
  );

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT_IN(a_port, take_ok,
          "The port accepts a beat that it does not await, or a burst before the last beat.")
      `HD_ASSERT_IN(a_answer, b_ok,
          "The port answers a write that has no answer pending.")
      `HD_ASSERT_IN(a_beat, r_ok,
          "The port returns a beat of no read, or marks a wrong beat as last.")
      if (devq_push_i.valid) `HD_ASSERT_IN(a_push, !in_full,
          "A kernel is pushed while the input queue of the pool is full.")
      if (devq_push_i.valid) `HD_ASSERT_IN(a_stream, 32'(devq_push_i.kernel.stream) < Streams,
          "A kernel is pushed for a stream that does not exist.")
      if (kmu_pool_pop_i) `HD_ASSERT_IN(a_pop, head_o.valid,
          "The head is popped while none is offered.")
      if (kin_stream_done_i.valid) `HD_ASSERT_IN(a_done, busy_q[kin_stream_done_i.stream]
          || kin_stream_done_i.stream == '0,
          "A kernel of a stream completes while that stream has no incomplete kernel.")
      if (leaves) `HD_ASSERT(a_busy, !busy[head_queue],
          "A kernel leaves the pool while its stream already has an incomplete one.")
    end
  end

  `HD_ASSERT_PROP_IN(a_region, !in_none || used != '0 |-> $stable(regs_config_i.dev_base)
      && $stable(regs_config_i.dev_count),
      "The region changes while a kernel waits that is in memory or has no row.")

  // Rare: a kernel that waits for a put with another one behind it; a lost kernel whose report
  // waits; a row for a kernel of a busy stream.
  `HD_COVER(c_in_waits, in_full && put_valid && !put_ready)
  `HD_COVER(c_lost_waits, lost_o.valid && !kin_lost_ready_i)
  `HD_COVER(c_blocked, joins && busy[join_queue])
`endif

endmodule
