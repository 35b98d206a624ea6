// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_susp: suspended kernels in memory: writes saved TBs and kernel records, reads kernels back
// when their children are complete, and reads their saved TBs when they are handed out.
//
//   devq: save --> [u_save] --.                    .--> suspended, to kin
//   KD: suspend --> [record] --+--> one burst at  -+--> [head], to the KMU
//   kin: resume --------------'     a time         '--> u_saved: 16 saved TBs --> saved, to sched
//
// From dtbl-isca2015 section 2.4 (suspended kernels); records and saved lists are ours.
// - A parent record r owns SusStride bytes at SUS_BASE * 256 + SusStride * r: first the kernel
//   record (hd_krec_pack), then the saved list, 8 bytes per TB: context pointer 5, level 1, then 0.
// - Order of the bursts: saves, then a kernel record, then saved TBs, then kernels to resume. One
//   at a time, so a list is in memory before its kernel can be read back.
// - Saved TBs are read 16 at a time, for the kernel in the SSCR (hd_susp_saved).
// - Errors: if a save or a kernel record cannot be written, its kernel fails when its children are
//   complete (kin_fail_o). If a record cannot be read, the kernel fails at once (kin_fail_o.back).
//   If saved TBs cannot be read, the kernel stops (chunk_fail_o).
// - Latency: a burst takes the time of hd_burst; its result is visible one cycle after its end.
//   resume_ready_o depends on registers; saved_o follows sched_saved_pop_i by one cycle. Rate: one
//   burst at a time.
// - Reset: nothing waits.
// Ports: susp.csv. Model cmodel/family/susp, tests verif/unit and verif/equiv test_susp, page
// docs/family/susp.md.
`include "common/hd_assert.svh"
module hd_susp (
  input  logic                                        clk_i,
  input  logic                                        rst_ni,
  // Saved TB (devq A3)
  input  hd_pkg::save_t                               devq_save_i,
  output logic                                        save_room_o,
  output logic                                        saving_o,
  // Suspension of a kernel (kd, link)
  output logic                                        suspend_free_o,
  input  hd_pkg::offer_t                              kd_suspend_i,
  input  hd_pkg::list_t                               link_list_i,
  input  hd_pkg::memlist_t                            ovfq_taken_i,
  // Suspended kernel in memory (kin)
  output hd_pkg::suspended_t                          suspended_o,
  input  logic                                        kin_suspended_ready_i,
  // Failed suspended kernel (kin)
  output hd_pkg::kinfail_t                            kin_fail_o,
  // Resumption of a suspended kernel (kin)
  input  hd_pkg::parent_t                             kin_resume_i,
  output logic                                        resume_ready_o,
  // Resumed kernel (kmu)
  output hd_pkg::offer_t                              head_o,
  input  logic                                        kmu_susp_pop_i,
  // Kernel in the SSCR (sched), saved lists (kd)
  input  hd_pkg::entry_t                              sched_sscr_i,
  input  logic [hd_pkg::NumKde*hd_pkg::KinW-1:0]      kd_kin_i,
  input  logic [hd_pkg::NumKde*hd_pkg::SavW-1:0]      kd_sav_first_i,
  input  logic [hd_pkg::NumKde*hd_pkg::SavCountW-1:0] kd_sav_count_i,
  // Next saved TB (sched)
  output hd_pkg::savedtb_t                            saved_o,
  input  logic                                        sched_saved_pop_i,
  // Unreadable saved list (kd, link, ovfq, agt)
  output hd_pkg::entry_t                              chunk_fail_o,
  // Region in memory; events for the counters (regs)
  input  hd_pkg::settings_t                           regs_config_i,
  output hd_pkg::suspev_t                             events_o,
  // Memory port (memarb)
  output hd_pkg::memup_t                              mem_o,
  input  hd_pkg::memdown_t                            mem_i
);

  localparam int KdeW = hd_pkg::KdeW;
  localparam int KinW = hd_pkg::KinW;
  localparam int SavW = hd_pkg::SavW;
  localparam int AddrW = hd_pkg::AddrW;
  localparam int SaveW = KinW + SavW + hd_pkg::SavedW;

  typedef enum logic [2:0] {
    OpIdle   = 3'd0,
    OpSave   = 3'd1,
    OpRecord = 3'd2,
    OpChunk  = 3'd3,
    OpResume = 3'd4
  } op_e;

  op_e op_q, op_d;
  logic record_valid_q, told_q;  // told: the record is in memory, not reported to kin yet
  hd_pkg::kernel_t record_q;
  logic head_valid_q;
  logic [KinW-1:0] resume_kin_q;

  // ---- Waiting saves ---------------------------------------------------------------------------
  logic save_full, save_none, save_done;
  logic [KinW-1:0] save_kin;
  logic [SavW-1:0] save_pos;
  hd_pkg::saved_t save_entry;

  // At most one save is in flight when the room is reported, so the room is that of the FIFO.
  hd_fifo #(.Width(SaveW), .Depth(3)) u_save (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (devq_save_i.valid),
    .write_i(devq_save_i.valid),
    .data_i ({devq_save_i.kin, devq_save_i.pos, devq_save_i.tb}),
    .full_o (save_full),
    .pop_i  (save_done),
    .data_o ({save_kin, save_pos, save_entry}),
    .empty_o(save_none)
  );
  assign save_room_o = !save_full;

  // ---- The next burst ---------------------------------------------------------------------------
  logic idle, done, error, rdata_valid;
  logic chunk, chunk_stale, chunk_wanted;  // saved TBs: next in order; outdated; still wanted
  logic [KdeW-1:0] chunk_kdei;
  logic [SavW-1:0] chunk_pos;
  logic [2:0] beat;
  logic [KinW-1:0] kin;
  logic [AddrW-1:0] offset;

  always_comb begin
    op_d   = OpIdle;
    kin    = save_kin;
    offset = AddrW'(128) + ((AddrW'(save_pos) >> 1) << 4);
    if (!save_none) begin
      op_d = OpSave;
    end else if (record_valid_q && !told_q) begin
      op_d   = OpRecord;
      kin    = record_q.kin;
      offset = '0;
    end else if (chunk) begin
      op_d   = chunk_stale ? OpIdle : OpChunk;
      kin    = kd_kin_i[chunk_kdei*KinW+:KinW];
      offset = AddrW'(128) + ((AddrW'(chunk_pos) >> 4) << 7);
    end else if (!head_valid_q) begin
      op_d   = kin_resume_i.valid ? OpResume : OpIdle;
      kin    = kin_resume_i.kin;
      offset = '0;
    end
  end

  assign resume_ready_o = idle && save_none && !(record_valid_q && !told_q) && !chunk
      && !head_valid_q;

  hd_pkg::membeat_t wdata;
  logic [63:0] record_hi, record_lo, entry;

  hd_burst u_burst (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .start_i      (idle && op_d != OpIdle),
    .write_i      (op_d == OpSave || op_d == OpRecord),
    .addr_i       (AddrW'({regs_config_i.sus_base, 8'b0})
        + AddrW'(kin) * AddrW'(hd_pkg::SusStride) + offset),
    .len_i        (op_d == OpSave ? 3'd0 : 3'd7),
    .idle_o       (idle),
    .beat_o       (beat),
    .wdata_i      (wdata),
    .rdata_valid_o(rdata_valid),
    .done_o       (done),
    .error_o      (error),
    .mem_o        (mem_o),
    .mem_i        (mem_i)
  );

  // ---- Writes -----------------------------------------------------------------------------------
  hd_krec_pack u_pack (
    .kernel_i(record_q),
    .beat_i  (beat),
    .hi_o    (record_hi),
    .lo_o    (record_lo)
  );

  assign entry = {16'b0, 8'(save_entry.level), 40'(save_entry.ctx)};

  always_comb begin
    if (op_q == OpSave) begin
      wdata.hi   = save_pos[0] ? entry : '0;
      wdata.lo   = save_pos[0] ? '0 : entry;
      wdata.strb = save_pos[0] ? 16'hFF00 : 16'h00FF;
    end else begin
      wdata.hi   = record_hi;
      wdata.lo   = record_lo;
      wdata.strb = '1;
    end
  end

  // ---- Reads ------------------------------------------------------------------------------------
  hd_pkg::kernel_t head;

  hd_krec_unpack u_unpack (
    .clk_i   (clk_i),
    .we_i    (rdata_valid && op_q == OpResume),
    .beat_i  (beat),
    .hi_i    (mem_i.r.hi),
    .lo_i    (mem_i.r.lo),
    .kernel_o(head)
  );

  hd_susp_saved u_saved (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .cur_valid_i       (sched_sscr_i.valid),
    .cur_kdei_i        (sched_sscr_i.kdei),
    .sav_first_i       (kd_sav_first_i),
    .sav_count_i       (kd_sav_count_i),
    .next_o            (chunk),
    .stale_o           (chunk_stale),
    .kdei_o            (chunk_kdei),
    .pos_o             (chunk_pos),
    .reading_i         (op_q == OpChunk),
    .beat_valid_i      (rdata_valid),
    .beat_i            (beat),
    .r_i               (mem_i.r),
    .done_i            (done),
    .error_i           (error),
    .wanted_o          (chunk_wanted),
    .sv_valid_o        (saved_o.valid),
    .sv_kdei_o         (saved_o.kdei),
    .sv_o              (saved_o.tb),
    .sv_pop_i          (sched_saved_pop_i),
    .chunk_fail_valid_o(chunk_fail_o.valid),
    .chunk_fail_kdei_o (chunk_fail_o.kdei)
  );

  assign save_done = done && op_q == OpSave;

  // ---- Registers --------------------------------------------------------------------------------
  logic kin_fail_q, kin_fail_back_q, suspend_event_q, resume_event_q, error_event_q;
  logic [KinW-1:0] kin_fail_kin_q;
  logic saving_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      op_q            <= OpIdle;
      saving_q        <= 1'b0;
      record_valid_q  <= 1'b0;
      told_q          <= 1'b0;
      head_valid_q    <= 1'b0;
      kin_fail_q      <= 1'b0;
      kin_fail_back_q <= 1'b0;
      suspend_event_q <= 1'b0;
      resume_event_q  <= 1'b0;
      error_event_q   <= 1'b0;
    end else begin
      if (idle) op_q <= op_d;
      else if (done) op_q <= OpIdle;
      saving_q <= devq_save_i.valid || !save_none;

      record_valid_q <= kd_suspend_i.valid
          || (record_valid_q && !(told_q && kin_suspended_ready_i));
      if (done && op_q == OpRecord) told_q <= 1'b1;
      else if (kin_suspended_ready_i) told_q <= 1'b0;

      head_valid_q <= (head_valid_q && !kmu_susp_pop_i) || (done && op_q == OpResume && !error);

      kin_fail_q      <= error && op_q != OpChunk;
      kin_fail_back_q <= error && op_q == OpResume;
      suspend_event_q <= done && op_q == OpRecord && !error;
      resume_event_q  <= done && op_q == OpResume && !error;
      error_event_q   <= error && (op_q != OpChunk || chunk_wanted);
    end
  end

  always_ff @(posedge clk_i) begin
    if (kd_suspend_i.valid) begin
      record_q        <= kd_suspend_i.kernel;
      record_q.groups <= link_list_i;
      record_q.over   <= ovfq_taken_i;
    end
    if (idle) resume_kin_q <= kin_resume_i.kin;
    if (done) begin
      kin_fail_kin_q <= op_q == OpSave ? save_kin : op_q == OpRecord ? record_q.kin : resume_kin_q;
    end
  end

  // ---- Outputs ----------------------------------------------------------------------------------
  assign saving_o           = saving_q;
  assign suspend_free_o     = !record_valid_q;
  assign suspended_o.valid  = told_q;
  assign suspended_o.kin    = told_q ? record_q.kin : '0;
  assign suspended_o.origin = told_q ? record_q.origin : '0;
  assign kin_fail_o.valid   = kin_fail_q;
  assign kin_fail_o.kin     = kin_fail_q ? kin_fail_kin_q : '0;
  assign kin_fail_o.back    = kin_fail_back_q;
  assign head_o.valid       = head_valid_q;
  assign head_o.kernel      = head_valid_q ? head : '0;
  assign events_o.suspend   = suspend_event_q;
  assign events_o.resume    = resume_event_q;
  assign events_o.error     = error_event_q;

  logic unused_bits;
  assign unused_bits = &{1'b0, kd_suspend_i.kernel.groups, kd_suspend_i.kernel.over, mem_i.r.lo,
      mem_i.r.hi};

`ifdef HD_ASSERT_ON
  logic take_ok, b_ok, r_ok;

  hd_mem_answers #(.Reads(1), .Writes(1), .Beats(8)) u_answers (
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
      if (devq_save_i.valid) `HD_ASSERT_IN(a_save, !save_full,
          "A saved TB arrives while the queue of saves is full.")
      if (kd_suspend_i.valid) `HD_ASSERT_IN(a_suspend, suspend_free_o,
          "A kernel is suspended while the previous one has not been reported yet.")
      if (devq_save_i.valid) `HD_ASSERT_IN(a_pos, 32'(devq_save_i.pos) < hd_pkg::SavMax,
          "The position of a saved TB is beyond the end of the saved list.")
      if (sched_saved_pop_i) `HD_ASSERT_IN(a_pop, saved_o.valid,
          "A saved TB is popped while none is offered.")
    end
  end
  `HD_ASSERT_PROP(a_head_stable, head_o.valid && !kmu_susp_pop_i
      |=> head_o.valid && $stable(head_o.kernel),
      "The offered kernel changes or is withdrawn before it is accepted.")
  `HD_ASSERT_PROP(a_suspended_stable, suspended_o.valid && !kin_suspended_ready_i
      |=> suspended_o.valid && $stable(suspended_o.kin),
      "The report of a suspended kernel changes or is withdrawn before it is accepted.")

  // Rare: a burst of saved TBs is dropped; kin is not ready at once; an error of each kind.
  `HD_COVER(c_dropped, done && op_q == OpChunk && !chunk_wanted)
  `HD_COVER(c_told_waits, suspended_o.valid && !kin_suspended_ready_i)
  `HD_COVER(c_save_error, error && op_q == OpSave)
  `HD_COVER(c_record_error, error && op_q == OpRecord)
  `HD_COVER(c_chunk_error, error && chunk_wanted)
  `HD_COVER(c_resume_error, error && op_q == OpResume)
`endif

endmodule
