// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_devq: accepts the launches of all SMXs, one beat per cycle, and sends each to its kernel (as a
// group), to the pool (as a device kernel), or to the saved TBs.
//
//   dev_launch[s] --A0--> [queue of 2] --A1: check, search (match)--> [A2: slot (sched), room] --+
//   dev_answer[s] <-- [FIFO of each SMX] <-- [A3: link, pool, kin, kd, susp] <-------------------+
//
// From dtbl-isca2015 section 4.2 and CUDA's dynamic parallelism. A group that finds no kernel, or
// does not fit an AGE, becomes a device kernel (section 4.2). The stages, the codes, and saves in
// the launch stream are ours.
// - A0 (hd_devq_arb) selects a beat and reserves a place for its answer (hd_devq_answers). A beat
//   that would wait behind A0 for its bank, pool or susp waits at its port instead (hd_devq_gate).
// - A1 (hd_devq_check) waits for the search, and for room: a group for ovfq's writes. Other waits
//   are avoided by A0, except if room was lost since. A2 and A3 never wait.
// - The KD holds the kernel that was found from A1 (hold_o) to A3 (unhold_o).
// - A2 (hd_devq_room) checks that a running TB sent the launch and that it has room.
// - A3 sends the pulses to the other blocks and the answer.
// - Latency: accepted at t, in A3 at t+3, answer offered at t+4. Rate: one group per cycle, one
//   kernel per 3 cycles, one save per 4. find_take_o and hold_o depend on match in the same cycle,
//   group_o.valid and group_o.info on sched_look_i, event_o and code_o on link_kept_i,
//   link_refused_i and laperm_full_i, dev_launch_ready_o on the beats of the SMXs; all other
//   outputs come from registers.
// - Reset: all stages and FIFOs empty, no answers owed.
// Ports: devq.csv. Model cmodel/launch/devq, tests verif/unit and verif/equiv test_devq, page
// docs/launch/devq.md.
`include "common/hd_assert.svh"

module hd_devq (
  input  logic                                         clk_i,
  input  logic                                         rst_ni,
  // Launch commands from the SMXs
  input  logic [hd_pkg::NumSmx-1:0]                    dev_launch_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::DevlaunchW-1:0] dev_launch_i,
  output logic [hd_pkg::NumSmx-1:0]                    dev_launch_ready_o,
  // Answers to the SMXs
  output logic [hd_pkg::NumSmx-1:0]                    dev_answer_valid_o,
  output logic [hd_pkg::NumSmx*hd_pkg::DevanswerW-1:0] dev_answer_o,
  input  logic [hd_pkg::NumSmx-1:0]                    dev_answer_ready_i,
  // A1: search for a kernel (match)
  output hd_pkg::find_t                                find_o,
  output logic                                         find_take_o,
  input  hd_pkg::found_t                               match_found_i,
  // A1: hold on the kernel that was found (kd)
  output hd_pkg::entry_t                               hold_o,
  // A1: the slot of the launching TB (sched)
  output hd_pkg::lookup_t                              look_o,
  input  hd_pkg::look_t                                sched_look_i,
  // Room for launches (ovfq, laperm, spill, pool, kin)
  input  logic                                         ovfq_room_i,
  input  logic [hd_pkg::NumBank*3-1:0]                 laperm_bank_room_i,
  input  logic [hd_pkg::SpillPutsW-1:0]                spill_rows_i,
  input  hd_pkg::poolroom_t                            pool_room_i,
  input  logic [hd_pkg::NumStreams-1:0]                pool_stream_ok_i,
  input  hd_pkg::parent_t                              kin_free_i,
  // Kernels of the KD: parent records, saved lists (kd)
  input  logic [hd_pkg::NumKde-1:0]                    kd_kin_valid_i,
  input  logic [hd_pkg::NumKde*hd_pkg::KinW-1:0]       kd_kin_i,
  input  logic [hd_pkg::NumKde-1:0]                    kd_save_ok_i,
  input  logic [hd_pkg::NumKde*hd_pkg::SavW-1:0]       kd_sav_first_i,
  input  logic [hd_pkg::NumKde*hd_pkg::SavCountW-1:0]  kd_sav_count_i,
  // Room for saves (susp), sizes of the regions (regs)
  input  logic                                         susp_save_room_i,
  input  hd_pkg::settings_t                            regs_config_i,
  // A2: group to link or queue (link, laperm, agt)
  output hd_pkg::a2group_t                             group_o,
  // A3: result of the group (link, laperm, kd)
  input  logic                                         link_kept_i,
  input  logic                                         laperm_full_i,
  input  logic                                         link_refused_i,
  output hd_pkg::entry_t                               unhold_o,
  // A3: device kernel (pool)
  output hd_pkg::devoffer_t                            push_o,
  // A3: new child of a kernel (kd, kin)
  output hd_pkg::birth_t                               birth_o,
  // A3: saved TB (kd, susp)
  output hd_pkg::save_t                                save_o,
  // A3: events for the counters (regs)
  output logic [6:0]                                   event_o,
  output logic [hd_pkg::CodeW-1:0]                     code_o,
  output logic [hd_pkg::KindW-1:0]                     kind_o
);

  localparam int NumSmx = hd_pkg::NumSmx;
  localparam int SmxW = hd_pkg::SmxW;
  localparam int SlotW = hd_pkg::SlotW;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int KindW = hd_pkg::KindW;
  localparam int KinW = hd_pkg::KinW;
  localparam int LevelW = hd_pkg::LevelW;
  localparam int CodeW = hd_pkg::CodeW;
  localparam int SavW = hd_pkg::SavW;

  // ---- A0: one beat of one SMX ------------------------------------------------------------------
  logic [NumSmx-1:0] open, taken, waits;
  logic taken_alone, taken_row, group_ok, take;
  hd_pkg::devlaunch_t a1;
  logic [SmxW-1:0] a1_smx;
  logic q_empty, a1_group, a1_alone, a1_row;
  logic a1_first;  // first of the beats that an SMX sends without another SMX in between

  hd_devq_arb u_arb (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .dev_launch_valid_i(dev_launch_valid_i),
    .dev_launch_i      (dev_launch_i),
    .dev_launch_ready_o(dev_launch_ready_o),
    .open_i            (open),
    .taken_o           (taken),
    .wait_i            (waits),
    .alone_i           (taken_alone),
    .row_i             (taken_row),
    .pop_i             (take),
    .empty_o           (q_empty),
    .group_o           (a1_group),
    .alone_o           (a1_alone),
    .row_o             (a1_row),
    .first_o           (a1_first),
    .smx_o             (a1_smx),
    .beat_o            (a1)
  );

  // ---- A1: check and search ---------------------------------------------------------------------
  logic a1_save, a1_bad, fits;
  logic is_group, is_kernel, is_save, one_at_a_time, may_go;
  hd_pkg::code_e a1_code;
  hd_pkg::need_t a1_need;

  assign a1_save = !q_empty && a1.kind == hd_pkg::KindSave;

  hd_devq_check u_check (
    .beat_i     (a1),
    .group_i    (a1_group),
    .rec_count_i(regs_config_i.rec_count),
    .code_o     (a1_code),
    .need_o     (a1_need),
    .fits_o     (fits),
    .key_o      (find_o.key)
  );

  // timing: the key does not wait for the check; find_o.valid does.
  logic joins;  // a group for a kernel in the KD leaves A1
  assign a1_bad       = a1_code != hd_pkg::CodeAccepted;
  assign find_o.valid = a1_group && !a1_bad && fits;
  assign look_o.smx   = a1_smx & {SmxW{!q_empty}};
  assign look_o.slot  = a1.slot & {SlotW{!q_empty}};

  assign is_group  = find_o.valid && match_found_i.hit;
  assign is_save   = a1_save;
  assign is_kernel = !q_empty && !a1_save && !a1_bad && !is_group;

  // The state that a kernel or save sees in A2 must still hold in A3, so no other one may be
  // between.
  assign may_go = is_group ? ovfq_room_i && group_ok
      : a1_bad || (!one_at_a_time && (is_save ? susp_save_room_i : pool_room_i.ready));
  assign take = !q_empty && (!find_o.valid || match_found_i.valid) && may_go;
  assign find_take_o = take && find_o.valid;
  assign find_o.first = a1_first && !q_empty;
  assign joins = take && is_group;
  assign hold_o.valid = joins;
  assign hold_o.kdei = match_found_i.kdei & {KdeW{joins}};

  // ---- A2: the launching TB, and room ----------------------------------------------------------
  logic a2_valid, a2_is_group, a2_is_kernel, a2_is_save, a2_new, a3_is_one;
  hd_pkg::devanswer_t a2_answer;
  logic [SmxW-1:0] a2_smx;
  logic [KdeW-1:0] a2_kdei;
  logic [KinW-1:0] a2_up;
  logic [LevelW-1:0] a2_level;
  logic [SavW-1:0] a2_sav_pos;
  hd_pkg::devk_t one;

  assign one_at_a_time = a2_is_kernel || a2_is_save || a3_is_one;

  hd_devq_room u_room (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .valid_i    (take),
    .is_group_i (joins),
    .is_kernel_i(take && is_kernel),
    .is_save_i  (take && is_save),
    .smx_i      (a1_smx),
    .beat_i     (a1),
    .need_i     (a1_need),
    .code_i     (a1_code),
    .kdei_i     (match_found_i.kdei),
    .one_stays_i(one_at_a_time),
    .look_i     (sched_look_i),
    .pool_full_i(pool_room_i.full),
    .stream_ok_i(pool_stream_ok_i),
    .kin_free_i (kin_free_i.valid),
    .kin_alloc_i(kin_free_i.kin),
    .kin_valid_i(kd_kin_valid_i),
    .kin_i      (kd_kin_i),
    .save_ok_i  (kd_save_ok_i),
    .sav_first_i(kd_sav_first_i),
    .sav_count_i(kd_sav_count_i),
    .sus_count_i(regs_config_i.sus_count),
    .a2_group_o (group_o.valid),
    .a2_kdei_o  (group_o.kdei),
    .a2_smx_o   (group_o.smx),
    .a2_hwtid_o (group_o.hwtid),
    .a2_record_o(group_o.record),
    .a2_info_o  (group_o.info),
    .valid_o    (a2_valid),
    .is_group_o (a2_is_group),
    .is_kernel_o(a2_is_kernel),
    .is_save_o  (a2_is_save),
    .smx_o      (a2_smx),
    .answer_o   (a2_answer),
    .kdei_o     (a2_kdei),
    .new_o      (a2_new),
    .up_o       (a2_up),
    .level_o    (a2_level),
    .sav_pos_o  (a2_sav_pos),
    .one_o      (one)
  );

  // ---- A3: registers of the launch -------------------------------------------------------------
  // Carries out a launch accepted in A2: the hold of a group ends, a kernel goes to the pool as a
  // child of the TB's kernel, a TB is saved. `one`, the data of a kernel or save, is unchanged
  // since A2.
  logic a3_valid_q, a3_is_group_q, a3_is_kernel_q, a3_is_save_q;
  hd_pkg::devanswer_t a3_answer_q;
  logic [SmxW-1:0] a3_smx_q;
  logic [KdeW-1:0] a3_kdei_q;
  logic a3_new_q;
  logic [KinW-1:0] a3_up_q;
  logic [LevelW-1:0] a3_level_q;
  logic [SavW-1:0] a3_pos_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      a3_valid_q     <= 1'b0;
      a3_is_group_q  <= 1'b0;
      a3_is_kernel_q <= 1'b0;
      a3_is_save_q   <= 1'b0;
    end else begin
      a3_valid_q     <= a2_valid;
      a3_is_group_q  <= a2_is_group;
      a3_is_kernel_q <= a2_is_kernel;
      a3_is_save_q   <= a2_is_save;
    end
  end

  always_ff @(posedge clk_i) begin
    a3_answer_q <= a2_answer;
    a3_smx_q    <= a2_smx;
    a3_kdei_q   <= a2_kdei;
    a3_new_q    <= a2_new;
    a3_up_q     <= a2_up;
    a3_level_q  <= a2_level;
    a3_pos_q    <= a2_sav_pos;
  end

  assign a3_is_one = a3_is_kernel_q || a3_is_save_q;

  // ---- A3: a group -----------------------------------------------------------------------------
  // Refused if its bank (laperm) or the list of its kernel (link) has no room; link_kept_i reports
  // that it overflowed. A group from an empty slot ends the hold of its kernel, too.
  logic a3_accepted, a3_refused, from_group, group_taken, group_full, no_room;

  assign no_room     = laperm_full_i || link_refused_i;
  assign group_full  = a3_is_group_q && a3_accepted && no_room;
  assign group_taken = a3_is_group_q && a3_accepted && !no_room;
  assign a3_accepted = a3_valid_q && a3_answer_q.code == hd_pkg::CodeAccepted;

  assign unhold_o.valid = a3_is_group_q;
  assign unhold_o.kdei  = a3_kdei_q & {KdeW{a3_is_group_q}};

  // ---- A3: a kernel ----------------------------------------------------------------------------
  logic new_kernel, new_save;

  assign new_kernel    = a3_is_kernel_q && a3_accepted;
  assign birth_o.valid = new_kernel;
  assign birth_o.kdei  = a3_kdei_q & {KdeW{new_kernel}};
  assign birth_o.kin   = a3_up_q & {KinW{new_kernel}};
  assign birth_o.alloc = a3_new_q && new_kernel;
  assign push_o.valid  = new_kernel;

  always_comb begin
    push_o.kernel = '0;
    if (new_kernel) begin
      push_o.kernel = one;
      push_o.kernel.level = a3_level_q;
      push_o.kernel.up = a3_up_q;
      push_o.kernel.smx = a3_smx_q;
    end
  end

  // ---- A3: a saved TB --------------------------------------------------------------------------
  assign new_save     = a3_is_save_q && a3_accepted;
  assign save_o.valid = new_save;
  assign save_o.kdei  = a3_kdei_q & {KdeW{new_save}};
  assign save_o.kin   = a3_up_q & {KinW{new_save}};
  assign save_o.pos   = a3_pos_q & {SavW{new_save}};
  assign save_o.tb    = new_save ? {one.desc.param, a3_level_q} : '0;

  // ---- A3: the answer and events ---------------------------------------------------------------
  hd_pkg::devanswer_t answer;  // depends on link_kept_i and no_room, as do the events

  always_comb begin
    answer = a3_answer_q;
    if (group_taken && link_kept_i) answer.code = hd_pkg::CodeKept;
    if (group_full) answer.code = hd_pkg::CodeRefused;
  end

  // Bits: bad, refused, save, unmatched, kept, group, kernel.
  assign a3_refused = (a3_valid_q && a3_answer_q.code == hd_pkg::CodeRefused) || group_full;
  assign from_group = a3_answer_q.kind == hd_pkg::KindGroup;
  assign event_o    = {a3_valid_q && !a3_accepted && !a3_refused, a3_refused, new_save,
      new_kernel && from_group, group_taken && link_kept_i, group_taken && !link_kept_i,
      new_kernel && !from_group};
  assign code_o = answer.code & {CodeW{a3_valid_q}};
  assign kind_o = a3_answer_q.kind & {KindW{a3_valid_q}};

  hd_devq_answers u_answers (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .taken_i           (taken),
    .open_o            (open),
    .answer_valid_i    (a3_valid_q),
    .answer_smx_i      (a3_smx_q),
    .answer_i          (answer),
    .dev_answer_valid_o(dev_answer_valid_o),
    .dev_answer_o      (dev_answer_o),
    .dev_answer_ready_i(dev_answer_ready_i)
  );

  // ---- SMXs that wait at their port ------------------------------------------------------------
  hd_devq_gate u_gate (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .dev_launch_valid_i(dev_launch_valid_i),
    .dev_launch_i      (dev_launch_i),
    .open_i            (open),
    .wait_o            (waits),
    .taken_i           (taken),
    .alone_o           (taken_alone),
    .row_o             (taken_row),
    .bank_room_i       (laperm_bank_room_i),
    .rows_i            (spill_rows_i),
    .pool_ready_i      (pool_room_i.ready),
    .pool_two_i        (pool_room_i.two),
    .save_room_i       (susp_save_room_i),
    .a1_smx_i          (a1_smx),
    .a1_group_i        (a1_group),
    .a1_alone_i        (a1_alone),
    .a1_row_i          (a1_row),
    .a1_take_i         (take),
    .a1_joins_i        (joins),
    .a1_lone_i         (take && is_kernel && a1_group),
    .group_ok_o        (group_ok),
    .a2_one_i          (a2_is_kernel || a2_is_save),
    .a3_kernel_i       (new_kernel),
    .a3_save_i         (new_save),
    .gone_valid_i      (a3_valid_q),
    .gone_smx_i        (a3_smx_q)
  );

  logic unused_bits;
  assign unused_bits = &{1'b0, one};

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT(a_one_at_a_time, $onehot0({a2_is_kernel, a2_is_save, a3_is_one}),
          "A2 and A3 hold more than one kernel or save.")
      `HD_ASSERT(a_mode, $onehot0({a3_is_group_q, a3_is_kernel_q, a3_is_save_q}),
          "A launch in A3 is more than one of group, kernel and save.")
      `HD_ASSERT(a_event, $countones(event_o) == 32'(a3_valid_q),
          "An answer sets no event or several, or an event is set without an answer.")
      `HD_ASSERT_IN(a_found, (!match_found_i.valid || find_o.valid)
          && (!match_found_i.hit || match_found_i.valid),
          "The search gives a result without a request, or a hit without a result.")
      `HD_ASSERT_IN(a_save_ok, (kd_save_ok_i & ~kd_kin_valid_i) == '0,
          "The KD accepts saves of a kernel that has no parent record.")
    end
  end

  // Rare: A1 waits, for each reason.
  `HD_COVER(c_wait_search, find_o.valid && !match_found_i.valid)
  `HD_COVER(c_wait_room, is_group && !ovfq_room_i)
  `HD_COVER(c_wait_turn, (is_kernel || is_save) && one_at_a_time)
`endif

endmodule
