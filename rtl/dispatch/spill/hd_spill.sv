// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_spill: keeps groups that found no place in their bank of priority queues in memory, in one
// queue per bank and level, and returns them in order.
//
//   put --> [u_puts] --> u_memring: put .. get --> [half] --> [u_backs] --> back
//     |        |            memory port    ^                     |
//     |        '--> [u_held: held, out]    '-- [bank_ptr]        |
//     '-- + 1 --> [u_lost: count of each kernel] <-- - 1 --------'
//                     '-- all returned --> lost
//
// From laperm-isca2016 section IV.E (a full queue overflows to memory). One queue per bank and
// level, places of a bank reserved for groups that return, and several bursts in flight are ours.
// - A put is enqueued in u_puts; its head stays there until its last beat to memory is accepted.
// - A request reads up to SpillLine groups of the highest level of a bank that can be read. It
//   reserves that many places of the bank, and of u_backs. Banks are served round robin.
// - Two cycles after a request was accepted memring reports how many groups it reads. The places
//   that it does not need are released one cycle later.
// - A group hit by a memory error is dropped, and its place released. Its kernel is unknown until
//   all groups have returned (hd_spill_lost); no group is accepted until then.
// - Latency: put at t, mem_o.valid at t+4; last beat of a group at t, back_o.valid at t+1. Rate:
//   one group in and one out per 7.5 cycles while groups wait in memory. Outputs come from
//   registers, except mem_o.wbeat, and reserve_o (from laperm_place_i).
// - Reset: empty; rows have no reset.
// Ports: spill.csv. Model cmodel/dispatch/spill, tests verif/unit test_spill and
// verif/equiv test_block, page docs/dispatch/spill.md.
`include "common/hd_assert.svh"
module hd_spill (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // Group without room in its bank (laperm)
  input  hd_pkg::bankgroup_t            laperm_put_i,
  output logic [hd_pkg::RingQueues-1:0] room_o,
  // Free rows for groups (devq)
  output logic [hd_pkg::SpillPutsW-1:0] rows_o,
  // Groups held (laperm)
  output logic [hd_pkg::RingQueues-1:0] held_o,
  // Groups refilled from memory (laperm)
  input  logic [hd_pkg::NumBank-1:0]    laperm_place_i,
  output logic [hd_pkg::NumBank-1:0]    reserve_o,
  output logic [hd_pkg::NumBank*3-1:0]  release_o,
  output hd_pkg::bankgroup_t            back_o,
  input  logic                          laperm_back_ready_i,
  // Lost group (kd, link, ovfq, agt, regs)
  output hd_pkg::entry_t                lost_o,
  // Region in memory (regs)
  input  hd_pkg::settings_t             regs_config_i,
  // Memory port (memarb)
  output hd_pkg::memup_t                mem_o,
  input  hd_pkg::memdown_t              mem_i
);

  localparam int NumBank = hd_pkg::NumBank;
  localparam int BankW = hd_pkg::BankW;
  localparam int MaxLevel = hd_pkg::MaxLevel;
  localparam int LevelW = hd_pkg::LevelW;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int Queues = hd_pkg::RingQueues;
  localparam int QueueW = hd_pkg::RingW;
  localparam int Depth = hd_pkg::SpillDepth;
  localparam int PutsW = hd_pkg::SpillPutsW;
  localparam int Flight = hd_pkg::SpillFlight;
  localparam int OutW = hd_pkg::SpillOutW;
  localparam int Line = hd_pkg::SpillLine;
  localparam int GroupW = hd_pkg::SpillgroupW;
  localparam int HalfW = hd_pkg::GroupXW + hd_pkg::GroupYW + hd_pkg::GroupZW + hd_pkg::CtasW;

  logic [PutsW-1:0] puts_q;            // occupancy of u_puts
  logic [2:0] spare_q;                 // places reserved for the last request that it does not need
  logic [QueueW-1:0] ask_queue_q;      // its queue
  logic [BankW-1:0] bank_ptr_q;
  logic gone_valid_q;                  // a group was lost in the previous cycle
  logic [QueueW-1:0] gone_queue_q;     // its queue

  // ---- Groups that wait to be written ----------------------------------------------------------
  hd_pkg::spillgroup_t put, first;
  hd_pkg::membeat_t put_data;
  logic puts_full, puts_none, put_ready, put_done;
  logic [2:0] put_beat;

  assign put.queue_no = QueueW'(32'(laperm_put_i.bank) * MaxLevel + 32'(laperm_put_i.info.level)
      - 1);
  assign put.kdei     = laperm_put_i.kdei;
  assign put.info     = laperm_put_i.info;

  hd_fifo #(.Width(GroupW), .Depth(Depth)) u_puts (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (laperm_put_i.valid),
    .write_i(laperm_put_i.valid),
    .data_i (put),
    .full_o (puts_full),
    .pop_i  (put_done),
    .data_o (first),
    .empty_o(puts_none)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      puts_q <= '0;
    end else if (laperm_put_i.valid != put_done) begin
      puts_q <= laperm_put_i.valid ? puts_q + PutsW'(1) : puts_q - PutsW'(1);
    end
  end

  assign rows_o = PutsW'(Depth) - puts_q;

  // The beats of the record.
  always_comb begin
    put_data      = '0;
    put_data.strb = '1;
    if (put_beat == '0) begin
      put_data.lo[31:0]  = 32'(first.info.ctas);
      put_data.lo[47:32] = 16'(first.info.grid_x);
      put_data.lo[63:48] = 16'(first.info.grid_y);
      put_data.hi        = 64'(first.info.grid_z);
    end else begin
      put_data.lo = 64'(first.info.param);
      put_data.hi = 64'(first.kdei);
    end
  end

  // ---- The next request -------------------------------------------------------------------------
  logic [Queues-1:0] readable, ask_at;
  logic [NumBank-1:0] ask_bank;
  logic [QueueW-1:0] get_queue;
  logic [BankW-1:0] bank_next;
  logic [OutW-1:0] outs;               // register of u_held
  logic get_valid, get_ready, get_taken;

  hd_spill_fetch u_fetch (
    .readable_i(readable),
    .place_i   (laperm_place_i),
    .room_i    (outs <= OutW'(Flight - Line)),
    .bank_ptr_i(bank_ptr_q),
    .valid_o   (get_valid),
    .bank_o    (ask_bank),
    .next_o    (bank_next),
    .queue_o   (get_queue),
    .queue_at_o(ask_at)
  );

  assign get_taken = get_valid && get_ready;
  assign reserve_o = ask_bank & {NumBank{get_taken}};

  // ---- Memory ----------------------------------------------------------------------------------
  logic got_beat_valid, got_valid, got_error, failing;
  logic [2:0] got_beat, asked;
  logic [QueueW-1:0] got_queue;
  logic [Queues-1:0] there, ring_room;
  logic [hd_pkg::RingUsedW-1:0] used;

  hd_memring u_memring (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .put_valid_i     (!puts_none),
    .put_queue_i     (first.queue_no),
    .put_ready_o     (put_ready),
    .put_beat_o      (put_beat),
    .put_data_i      (put_data),
    .put_done_o      (put_done),
    .get_valid_i     (get_valid),
    .get_queue_i     (get_queue),
    .get_ready_o     (get_ready),
    .asked_o         (asked),
    .got_beat_valid_o(got_beat_valid),
    .got_beat_o      (got_beat),
    .got_valid_o     (got_valid),
    .got_queue_o     (got_queue),
    .got_error_o     (got_error),
    .there_o         (there),
    .readable_o      (readable),
    .room_o          (ring_room),
    .used_o          (used),
    .failing_o       (failing),
    .base_i          (regs_config_i.spill_base),
    .count_i         (regs_config_i.spill_count),
    .mem_o           (mem_o),
    .mem_i           (mem_i)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      bank_ptr_q   <= '0;
      spare_q      <= '0;
      gone_valid_q <= 1'b0;
    end else begin
      if (get_taken) bank_ptr_q <= bank_next;
      spare_q      <= asked != '0 ? 3'(Line) - asked : '0;
      gone_valid_q <= got_valid && got_error;
    end
  end

  always_ff @(posedge clk_i) begin
    if (get_taken) ask_queue_q <= get_queue;
    if (got_valid) gone_queue_q <= got_queue;
  end

  // ---- Returning groups ------------------------------------------------------------------------
  logic [HalfW-1:0] half_q;  // fields of beat 0: grid, TBs
  hd_pkg::spillgroup_t got, back;
  logic [Queues-1:0] got_at, back_at;
  logic [LevelW-1:0] got_level;
  logic [KdeW-1:0] got_kdei;
  logic good, backs_full, backs_none, back_taken;

  always_ff @(posedge clk_i) begin
    if (got_beat_valid && got_beat == '0) begin
      half_q <= {mem_i.r.lo[32+:hd_pkg::GroupXW], mem_i.r.lo[48+:hd_pkg::GroupYW],
                 mem_i.r.hi[hd_pkg::GroupZW-1:0], mem_i.r.lo[hd_pkg::CtasW-1:0]};
    end
  end

  hd_onehot #(.N(Queues), .IdxW(QueueW)) u_got (
    .valid_i (got_valid),
    .index_i (got_queue),
    .onehot_o(got_at)
  );

  always_comb begin
    got_level = '0;
    for (int q = 0; q < Queues; q++) begin
      if (got_at[q]) got_level |= LevelW'(q % MaxLevel + 1);
    end
  end

  assign good         = got_valid && !got_error;
  assign got_kdei     = mem_i.r.hi[KdeW-1:0];
  assign got.queue_no = got_queue;
  assign got.kdei     = got_kdei;
  assign got.info     = {half_q, mem_i.r.lo[hd_pkg::ParamUnitsW-1:0], got_level};

  hd_fifo_ram #(.Width(GroupW), .Depth(Flight)) u_backs (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (good),
    .write_i(got_valid),  // timing: the error arrives late, only the count waits for it
    .data_i (got),
    .full_o (backs_full),
    .pop_i  (back_taken),
    .data_o (back),
    .empty_o(backs_none)
  );

  assign back_taken = laperm_back_ready_i && !backs_none;

  hd_onehot #(.N(Queues), .IdxW(QueueW)) u_back (
    .valid_i (!backs_none),
    .index_i (back.queue_no),
    .onehot_o(back_at)
  );

  // ---- Groups held, and groups out -------------------------------------------------------------
  logic [Queues-1:0] spare_at, gone_at;

  hd_onehot #(.N(Queues), .IdxW(QueueW)) u_spare (
    .valid_i(spare_q != '0), .index_i(ask_queue_q), .onehot_o(spare_at));
  hd_onehot #(.N(Queues), .IdxW(QueueW)) u_gone (
    .valid_i(gone_valid_q), .index_i(gone_queue_q), .onehot_o(gone_at));

  hd_spill_held u_held (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .put_i      (laperm_put_i.valid),
    .put_queue_i(put.queue_no),
    .put_done_i (put_done),
    .there_i    (there),
    .ask_i      (get_taken),
    .ask_at_i   (ask_at),
    .spare_i    (spare_q),
    .spare_at_i (spare_at),
    .back_i     (back_taken),
    .back_at_i  (back_at),
    .gone_at_i  (gone_at),
    .held_o     (held_o),
    .outs_o     (outs)
  );

  // Places that are given up: spare ones, and that of a lost group.
  for (genvar b = 0; b < NumBank; b++) begin : g_bank
    assign release_o[b*3+:3] = (spare_q & {3{spare_at[b*MaxLevel+:MaxLevel] != '0}})
        + 3'(gone_at[b*MaxLevel+:MaxLevel] != '0);
  end

  // ---- Losses -----------------------------------------------------------------------------------
  logic loss, returned, closed;

  assign loss     = failing || gone_valid_q;
  assign returned = !laperm_put_i.valid && puts_none && outs == '0 && used == '0 && !loss;

  hd_spill_lost u_lost (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .put_i      (laperm_put_i.valid),
    .put_kdei_i (laperm_put_i.kdei),
    .good_i     (good),
    .good_kdei_i(got_kdei),
    .loss_i     (loss),
    .returned_i (returned),
    .closed_o   (closed),
    .lost_o     (lost_o)
  );

  // ---- Outputs ----------------------------------------------------------------------------------
  assign room_o       = ring_room & {Queues{!closed && !failing}};
  assign back_o.valid = !backs_none;
  assign back_o.kdei  = back.kdei;
  assign back_o.info  = back.info;

  always_comb begin
    back_o.bank = '0;
    for (int b = 0; b < NumBank; b++) begin
      if (back_at[b*MaxLevel+:MaxLevel] != '0) back_o.bank |= BankW'(b);
    end
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, put_ready, puts_full, backs_full, mem_i.r};

`ifdef HD_ASSERT_ON
  `HD_ASSERT_PARAM(a_line, Line <= Flight && Line == hd_pkg::RingLine && Flight >= 2,
      "u_backs must have rows for the groups of one request.")

  logic take_ok, b_ok, r_ok;

  hd_mem_answers #(.Reads(hd_pkg::RingFlight), .Writes(hd_pkg::RingFlight)) u_answers (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .mem_up_i  (mem_o),
    .mem_down_i(mem_i),
    .take_ok_o (take_ok),
    .b_ok_o    (b_ok),
    .r_ok_o    (r_ok)
  );

  logic [Queues-1:0] room_q;           // room_o in the previous cycle: laperm decides in A2
  logic [31:0] base_q, count_q;        // the region in the previous cycle
  logic still_q;                       // it did not change in the previous cycle either
  logic region_same;

  assign region_same = regs_config_i.spill_base == base_q && regs_config_i.spill_count == count_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      room_q  <= '0;
      still_q <= 1'b0;
    end else begin
      room_q  <= room_o;
      still_q <= region_same;
    end
  end
  always_ff @(posedge clk_i) begin
    base_q  <= regs_config_i.spill_base;
    count_q <= regs_config_i.spill_count;
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT_IN(a_port, take_ok,
          "The port accepts a beat that it does not await, or a burst before the last beat.")
      `HD_ASSERT_IN(a_answer, b_ok, "The port answers a write that has no answer pending.")
      `HD_ASSERT_IN(a_port_beat, r_ok,
          "The port returns a beat of no read, or marks a wrong beat as last.")
      if (held_o != '0) `HD_ASSERT_IN(a_region, region_same,
          "The region changes while it holds groups.")
      if (laperm_put_i.valid) begin
        `HD_ASSERT_IN(a_still, region_same && still_q,
            "A group is put in the cycle of a change of the region, or in the next one.")
        `HD_ASSERT_IN(a_put, 32'(laperm_put_i.bank) < NumBank && laperm_put_i.info.level != '0
            && 32'(laperm_put_i.info.level) <= MaxLevel,
            "A group is put for a bank or with a level that does not exist.")
        `HD_ASSERT_IN(a_room, !puts_full && room_q[put.queue_no],
            "A group is put that its queue had no room for, or while rows_o is 0.")
      end
      `HD_ASSERT(a_puts, (puts_q == '0) == puts_none && (32'(puts_q) == Depth) == puts_full,
          "The flags of u_puts disagree with puts_q.")
      if (got_beat_valid) `HD_ASSERT(a_beat, got_valid == (got_beat == 3'd1) && outs != '0,
          "A beat arrives while no group is out, or a group ends before its last beat.")
      if (got_valid) `HD_ASSERT(a_backs, !backs_full && got_at != '0,
          "A group is read from a queue that does not exist, or without a row for it.")
      if (spare_q != '0) `HD_ASSERT(a_spare, 32'(spare_q) < Line && !get_taken,
          "A request needs none of its places, or the next one was accepted too soon.")
    end
  end

  // Rare: no bank has places; the maximum number of groups is out; places given up, also together
  // with that of a lost group; a group lost as another one enters its bank; u_puts full; a loss
  // without a group read in vain (closed by the answer of a write).
  `HD_COVER(c_no_place, readable != '0 && laperm_place_i == '0)
  `HD_COVER(c_all_out, outs > OutW'(Flight - Line))
  `HD_COVER(c_spare, spare_q != '0)
  `HD_COVER(c_spare_and_gone, spare_q != '0 && gone_valid_q)
  `HD_COVER(c_lost_and_back, got_valid && got_error && back_taken)
  `HD_COVER(c_puts_full, puts_full)
  `HD_COVER(c_closing, failing && !closed)
`endif

endmodule
