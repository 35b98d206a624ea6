// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_spill: keeps groups that found no place in their bank of priority queues in memory, in one
// queue per bank and level, and returns them in order.
//
//   put --> [u_puts] --> u_memq: put .. get --> [half] --> [u_backs] --> back
//              |            memory port ^                     |    '---> lost
//              v                        |                     |
//           [u_held: counts]            '-- [bank_ptr, out_valid, out_level]
//
// From laperm-isca2016 section IV.E (a full queue overflows to memory). One queue per bank and
// level, a bank place kept free for returning groups, and several bursts in flight are ours.
// - A put is enqueued in u_puts; its head stays there until its last beat to memory is accepted.
// - A bank fetches at most one group at a time, of the highest level that can be read, and only
//   while the bank has a place. Banks are served round robin; at most as many groups are out
//   (fetched, not yet in their bank) as u_backs has rows.
// - A group hit by a memory error is reported (lost) and dropped.
// - Latency: put at t, mem_o.valid at t+3; last beat of a read at t, back_o.valid at t+1. Rate: one
//   group in and one out per 8 cycles. Outputs come from registers, except mem_o.wbeat.
// - Reset: empty; rows have no reset.
// Ports: spill.csv. Model cmodel/dispatch/spill, tests verif/unit test_spill and verif/equiv
// test_block, test_spill, page docs/dispatch/spill.md.
`include "common/hd_assert.svh"
module hd_spill (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // Group without room in its bank (laperm)
  input  hd_pkg::bankgroup_t              laperm_put_i,
  output logic                            put_ready_o,
  // Free rows for groups (devq)
  output logic [hd_pkg::SpillPutsW-1:0]   rows_o,
  // Groups held (laperm)
  output logic [hd_pkg::SpillqQueues-1:0] held_o,
  // Group refilled from memory (laperm)
  input  logic [hd_pkg::NumBank-1:0]      laperm_place_i,
  output hd_pkg::bankgroup_t              back_o,
  input  logic                            laperm_back_ready_i,
  // Lost group (kd, link, ovfq, agt, regs)
  output hd_pkg::entry_t                  lost_o,
  // Region in memory (regs)
  input  hd_pkg::settings_t               regs_config_i,
  // Memory port (memarb)
  output hd_pkg::memup_t                  mem_o,
  input  hd_pkg::memdown_t                mem_i
);

  localparam int NumBank = hd_pkg::NumBank;
  localparam int BankW = hd_pkg::BankW;
  localparam int MaxLevel = hd_pkg::MaxLevel;
  localparam int LevelW = hd_pkg::LevelW;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int Queues = hd_pkg::SpillqQueues;
  localparam int QueueW = hd_pkg::SpillqW;
  localparam int Depth = hd_pkg::SpillDepth;
  localparam int PutsW = hd_pkg::SpillPutsW;
  localparam int Flight = hd_pkg::SpillqFlight;
  localparam int FlightW = hd_pkg::SpillqFlightW;
  localparam int GroupW = hd_pkg::SpillgroupW;
  localparam int HalfW = hd_pkg::GroupXW + hd_pkg::GroupYW + hd_pkg::GroupZW + hd_pkg::CtasW;

  logic [PutsW-1:0] puts_q;  // occupancy of u_puts
  logic putting_q;           // the oldest of them has its place in memory
  logic [NumBank-1:0] out_valid_q;
  logic [NumBank*LevelW-1:0] out_level_q;
  logic [FlightW-1:0] outs_q;  // number of bits set in out_valid_q
  logic [BankW-1:0] bank_ptr_q;

  // The queue of a bank and level.
  function automatic logic [QueueW-1:0] queue_of(input logic [BankW-1:0] bank,
                                                 input logic [LevelW-1:0] level);
    queue_of = QueueW'(32'(bank) * MaxLevel + 32'(level) - 1);
  endfunction

  // ---- Groups that wait to be written ----------------------------------------------------------
  hd_pkg::spillgroup_t put, first;
  hd_pkg::membeat_t put_data;
  logic puts_full, puts_none, put_ready, put_done;
  logic [2:0] put_beat;
  logic [hd_pkg::SpillqCountW-1:0] left;

  assign put.queue_no = queue_of(laperm_put_i.bank, laperm_put_i.info.level);
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
      puts_q    <= '0;
      putting_q <= 1'b0;
    end else begin
      if (laperm_put_i.valid != put_done) begin
        puts_q <= laperm_put_i.valid ? puts_q + PutsW'(1) : puts_q - PutsW'(1);
      end
      putting_q <= (putting_q || (put_ready && !puts_none)) && !put_done;
    end
  end

  assign rows_o      = PutsW'(Depth) - puts_q;
  assign put_ready_o = !puts_full && 32'(left) > 32'(puts_q) - 32'(putting_q);

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
    end
  end

  // ---- The next fetch --------------------------------------------------------------------------
  logic [Queues-1:0] readable;
  logic [NumBank-1:0] asked;
  logic [NumBank*LevelW-1:0] ask_level;
  logic [QueueW-1:0] get_queue;
  logic [BankW-1:0] get_bank, bank_next;
  logic get_valid, get_ready, get_taken;

  hd_spill_fetch u_fetch (
    .readable_i (readable),
    .out_valid_i(out_valid_q),
    .place_i    (laperm_place_i),
    .room_i     (outs_q < FlightW'(Flight)),
    .bank_ptr_i (bank_ptr_q),
    .valid_o    (get_valid),
    .asked_o    (asked),
    .bank_o     (get_bank),
    .next_o     (bank_next),
    .queue_o    (get_queue),
    .level_o    (ask_level)
  );

  assign get_taken = get_valid && get_ready;

  // ---- Memory ----------------------------------------------------------------------------------
  logic got_beat_valid, got_valid, got_error, good, bad;
  logic [2:0] got_beat;
  logic [BankW-1:0] got_bank;
  logic [KdeW-1:0] got_kdei;
  logic [Queues-1:0] there;
  logic [hd_pkg::SpillqCountW-1:0] used;

  hd_memq #(.Queues(Queues), .Places(hd_pkg::SpillqPlaces), .SideW(KdeW), .TagW(BankW),
            .Flight(Flight), .Beats(2)) u_memq (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .put_valid_i     (!puts_none),
    .put_queue_i     (first.queue_no),
    .put_side_i      (first.kdei),
    .put_ready_o     (put_ready),
    .put_beat_o      (put_beat),
    .put_data_i      (put_data),
    .put_done_o      (put_done),
    .get_valid_i     (get_valid),
    .get_queue_i     (get_queue),
    .get_tag_i       (get_bank),
    .get_ready_o     (get_ready),
    .got_beat_valid_o(got_beat_valid),
    .got_beat_o      (got_beat),
    .got_valid_o     (got_valid),
    .got_tag_o       (got_bank),
    .got_side_o      (got_kdei),
    .got_error_o     (got_error),
    .there_o         (there),
    .readable_o      (readable),
    .used_o          (used),
    .left_o          (left),
    .base_i          (regs_config_i.spill_base),
    .count_i         (regs_config_i.spill_count),
    .mem_o           (mem_o),
    .mem_i           (mem_i)
  );

  // ---- Returning groups ------------------------------------------------------------------------
  logic [HalfW-1:0] half_q;  // fields of beat 0: grid, TBs
  hd_pkg::spillgroup_t got, back;
  logic [LevelW-1:0] got_level;
  logic backs_full, backs_none, back_taken, lost_q;
  logic [KdeW-1:0] lost_kdei_q;
  logic [Queues-1:0] back_at;

  assign good      = got_valid && !got_error;
  assign bad       = got_valid && got_error;
  assign got_level = out_level_q[got_bank*LevelW+:LevelW];

  always_ff @(posedge clk_i) begin
    if (got_beat_valid && got_beat == '0) begin
      half_q <= {mem_i.r.lo[32+:hd_pkg::GroupXW], mem_i.r.lo[48+:hd_pkg::GroupYW],
                 mem_i.r.hi[hd_pkg::GroupZW-1:0], mem_i.r.lo[hd_pkg::CtasW-1:0]};
    end
  end

  assign got.queue_no = queue_of(got_bank, got_level);
  assign got.kdei     = got_kdei;
  assign got.info     = {half_q, mem_i.r.lo[hd_pkg::ParamUnitsW-1:0], got_level};

  hd_fifo #(.Width(GroupW), .Depth(Flight)) u_backs (
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
  logic [NumBank-1:0] got_to, back_to;

  hd_spill_held u_held (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .put_valid_i (laperm_put_i.valid),
    .put_bank_i  (laperm_put_i.bank),
    .put_level_i (laperm_put_i.info.level),
    .back_taken_i(back_taken),
    .back_at_i   (back_at),
    .got_valid_i (got_valid),
    .got_bank_i  (got_bank),
    .got_level_i (got_level),
    .got_error_i (got_error),
    .held_o      (held_o)
  );

  for (genvar b = 0; b < NumBank; b++) begin : g_bank
    assign got_to[b]  = got_valid && got_bank == BankW'(b);
    assign back_to[b] = back_at[b*MaxLevel+:MaxLevel] != '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      out_valid_q <= '0;
      outs_q      <= '0;
      bank_ptr_q  <= '0;
      lost_q      <= 1'b0;
    end else begin
      out_valid_q <= (out_valid_q | (asked & {NumBank{get_taken}}))
          & ~(back_to & {NumBank{back_taken}}) & ~(got_to & {NumBank{got_error}});
      outs_q      <= outs_q + FlightW'(get_taken) - FlightW'(back_taken) - FlightW'(bad);
      if (get_taken) bank_ptr_q <= bank_next;
      lost_q      <= bad;
    end
  end

  always_ff @(posedge clk_i) begin
    for (int b = 0; b < NumBank; b++) begin
      if (asked[b] && get_taken) out_level_q[b*LevelW+:LevelW] <= ask_level[b*LevelW+:LevelW];
    end
    if (bad) lost_kdei_q <= got_kdei;
  end

  // ---- Outputs ----------------------------------------------------------------------------------
  assign back_o.valid = !backs_none;
  assign back_o.kdei  = back.kdei;
  assign back_o.info  = back.info;
  assign lost_o.valid = lost_q;
  assign lost_o.kdei  = lost_q ? lost_kdei_q : '0;

  always_comb begin
    back_o.bank = '0;
    for (int b = 0; b < NumBank; b++) if (back_to[b]) back_o.bank |= BankW'(b);
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, puts_full, backs_full, there, used, mem_i.r};

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (laperm_put_i.valid) begin
        `HD_ASSERT_IN(a_put, put_ready_o && 32'(laperm_put_i.bank) < NumBank,
            "A group is put without room, or into a bank that does not exist.")
        `HD_ASSERT_IN(a_level, laperm_put_i.info.level != '0
            && 32'(laperm_put_i.info.level) <= MaxLevel,
            "A group is put with a level that does not exist.")
      end
      `HD_ASSERT(a_puts, (puts_q == '0) == puts_none && (32'(puts_q) == Depth) == puts_full,
          "The flags of u_puts disagree with puts_q.")
      if (got_valid) `HD_ASSERT(a_got, out_valid_q[got_bank] && got_beat == 3'd1,
          "A group is read for a bank that has none out, or ends before its last beat.")
      if (!backs_none) `HD_ASSERT(a_back, (back_to & out_valid_q) != '0,
          "A group waits to go back to a bank that has none out.")
      `HD_ASSERT(a_outs, 32'(outs_q) == $countones(out_valid_q),
          "The count of groups that are out differs from the flags of the banks.")
    end
  end

  // Rare: no bank has a place; the maximum number of groups is out; all places in memory are
  // promised; one group lost and one back at once.
  `HD_COVER(c_no_place, readable != '0 && (laperm_place_i | out_valid_q) == '0)
  `HD_COVER(c_all_out, outs_q == FlightW'(Flight))
  `HD_COVER(c_places_waited_for, left != '0 && 32'(left) <= 32'(puts_q))
  `HD_COVER(c_lost_and_back, bad && back_taken)
`endif

endmodule
