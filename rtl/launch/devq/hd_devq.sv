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
// - The KD holds the kernel that was found from A1 (hold_*) to A3 (unhold_*).
// - A2 (hd_devq_room) checks that a running TB sent the launch and that it has room.
// - A3 sends the pulses to the other blocks and the answer.
// - Latency: accepted at t, in A3 at t+3, answer offered at t+4. Rate: one group per cycle, one
//   kernel per 3 cycles, one save per 4. find_take_o and hold_* depend on match in the same cycle,
//   a2_group_o and a2_info_o on look_i, dev_event_o and dev_code_o on kept_i and full_i,
//   dev_launch_ready_o on the beats of the SMXs; all other outputs come from registers.
// - Reset: all stages and FIFOs empty, no answers owed.
// Ports: devq.csv. Model cmodel/launch/devq, tests verif/unit and verif/equiv test_devq, page
// docs/launch/devq.md.
`include "common/hd_assert.svh"

module hd_devq (
  input  logic                                             clk_i,
  input  logic                                             rst_ni,
  // Launch commands from the SMXs
  input  logic [hd_pkg::NumSmx-1:0]                        dev_launch_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::DevlaunchW-1:0]     dev_launch_i,
  output logic [hd_pkg::NumSmx-1:0]                        dev_launch_ready_o,
  // Answers to the SMXs
  output logic [hd_pkg::NumSmx-1:0]                        dev_answer_valid_o,
  output logic [hd_pkg::NumSmx*hd_pkg::DevanswerW-1:0]     dev_answer_o,
  input  logic [hd_pkg::NumSmx-1:0]                        dev_answer_ready_i,
  // A1: search for a kernel (match)
  output logic                                             find_valid_o,
  output hd_pkg::key_t                                     find_key_o,
  output logic                                             find_first_o,
  output logic                                             find_take_o,
  input  logic                                             found_i,
  input  logic                                             found_hit_i,
  input  logic [hd_pkg::KdeW-1:0]                          found_kdei_i,
  // A1: hold on the kernel that was found (kd)
  output logic                                             hold_valid_o,
  output logic [hd_pkg::KdeW-1:0]                          hold_kdei_o,
  // A1: the slot of the launching TB (sched)
  output logic [hd_pkg::SmxW-1:0]                          look_smx_o,
  output logic [hd_pkg::SlotW-1:0]                         look_slot_o,
  input  hd_pkg::look_t                                    look_i,
  // Room for launches (link, laperm, spill, pool, kin)
  input  logic                                             room_i,
  input  logic [hd_pkg::NumBank*3-1:0]                     bank_room_i,
  input  logic [hd_pkg::SpillPutsW-1:0]                    rows_i,
  input  logic                                             pool_ready_i,
  input  logic                                             pool_two_i,
  input  logic                                             pool_full_i,
  input  logic [hd_pkg::NumStreams-1:0]                    stream_ok_i,
  input  logic                                             kin_free_i,
  input  logic [hd_pkg::KinW-1:0]                          kin_alloc_i,
  // Kernels of the KD: parent records, saved lists (kd)
  input  logic [hd_pkg::NumKde-1:0]                        kin_valid_i,
  input  logic [hd_pkg::NumKde*hd_pkg::KinW-1:0]           kin_i,
  input  logic [hd_pkg::NumKde-1:0]                        save_ok_i,
  input  logic [hd_pkg::NumKde*hd_pkg::SavW-1:0]           sav_first_i,
  input  logic [hd_pkg::NumKde*hd_pkg::SavCountW-1:0]      sav_count_i,
  // Room for saves (susp), sizes of the regions (regs)
  input  logic                                             save_room_i,
  input  logic [31:0]                                      rec_count_i,
  input  logic [31:0]                                      sus_count_i,
  // A2: group to link or queue (link, laperm, agt)
  output logic                                             a2_group_o,
  output logic [hd_pkg::KdeW-1:0]                          a2_kdei_o,
  output logic [hd_pkg::SmxW-1:0]                          a2_smx_o,
  output logic [hd_pkg::HwtidW-1:0]                        a2_hwtid_o,
  output logic [hd_pkg::RecW-1:0]                          a2_record_o,
  output hd_pkg::info_t                                    a2_info_o,
  // A3: result of the group (link, laperm, kd)
  input  logic                                             kept_i,
  input  logic                                             full_i,
  output logic                                             unhold_valid_o,
  output logic [hd_pkg::KdeW-1:0]                          unhold_kdei_o,
  // A3: device kernel (pool)
  output logic                                             push_valid_o,
  output hd_pkg::devk_t                                    push_o,
  // A3: new child of a kernel (kd, kin)
  output logic                                             birth_valid_o,
  output logic [hd_pkg::KdeW-1:0]                          birth_kdei_o,
  output logic [hd_pkg::KinW-1:0]                          birth_kin_o,
  output logic                                             birth_new_o,
  // A3: saved TB (kd, susp)
  output logic                                             save_valid_o,
  output logic [hd_pkg::KdeW-1:0]                          save_kdei_o,
  output logic [hd_pkg::KinW-1:0]                          save_kin_o,
  output logic [hd_pkg::SavW-1:0]                          save_pos_o,
  output hd_pkg::saved_t                                   save_entry_o,
  // A3: events for the counters (regs)
  output logic [6:0]                                       dev_event_o,
  output logic [hd_pkg::CodeW-1:0]                         dev_code_o,
  output logic [hd_pkg::KindW-1:0]                         dev_kind_o
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
    .rec_count_i(rec_count_i),
    .code_o     (a1_code),
    .need_o     (a1_need),
    .fits_o     (fits),
    .key_o      (find_key_o)
  );

  // timing: the key does not wait for the check; find_valid_o does.
  assign a1_bad       = a1_code != hd_pkg::CodeAccepted;
  assign find_valid_o = a1_group && !a1_bad && fits;
  assign look_smx_o   = a1_smx & {SmxW{!q_empty}};
  assign look_slot_o  = a1.slot & {SlotW{!q_empty}};

  assign is_group  = find_valid_o && found_hit_i;
  assign is_save   = a1_save;
  assign is_kernel = !q_empty && !a1_save && !a1_bad && !is_group;

  // The state that a kernel or save sees in A2 must still hold in A3, so no other one may be
  // between.
  assign may_go = is_group ? room_i && group_ok
      : a1_bad || (!one_at_a_time && (is_save ? save_room_i : pool_ready_i));
  assign take = !q_empty && (!find_valid_o || found_i) && may_go;
  assign find_take_o = take && find_valid_o;
  assign find_first_o = a1_first && !q_empty;
  assign hold_valid_o = take && is_group;
  assign hold_kdei_o = found_kdei_i & {KdeW{hold_valid_o}};

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
    .is_group_i (hold_valid_o),
    .is_kernel_i(take && is_kernel),
    .is_save_i  (take && is_save),
    .smx_i      (a1_smx),
    .beat_i     (a1),
    .need_i     (a1_need),
    .code_i     (a1_code),
    .kdei_i     (found_kdei_i),
    .one_stays_i(one_at_a_time),
    .look_i     (look_i),
    .pool_full_i(pool_full_i),
    .stream_ok_i(stream_ok_i),
    .kin_free_i (kin_free_i),
    .kin_alloc_i(kin_alloc_i),
    .kin_valid_i(kin_valid_i),
    .kin_i      (kin_i),
    .save_ok_i  (save_ok_i),
    .sav_first_i(sav_first_i),
    .sav_count_i(sav_count_i),
    .sus_count_i(sus_count_i),
    .a2_group_o (a2_group_o),
    .a2_kdei_o  (a2_kdei_o),
    .a2_smx_o   (a2_smx_o),
    .a2_hwtid_o (a2_hwtid_o),
    .a2_record_o(a2_record_o),
    .a2_info_o  (a2_info_o),
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
  // Refused if full_i reports that its bank has no room; kept_i reports that it overflowed. A group
  // from an empty slot ends the hold of its kernel, too.
  logic a3_accepted, a3_refused, from_group, group_taken, group_full;

  assign group_full  = a3_is_group_q && a3_accepted && full_i;
  assign group_taken = a3_is_group_q && a3_accepted && !full_i;
  assign a3_accepted = a3_valid_q && a3_answer_q.code == hd_pkg::CodeAccepted;

  assign unhold_valid_o = a3_is_group_q;
  assign unhold_kdei_o  = a3_kdei_q & {KdeW{unhold_valid_o}};

  // ---- A3: a kernel ----------------------------------------------------------------------------
  assign push_valid_o  = a3_is_kernel_q && a3_accepted;
  assign birth_valid_o = push_valid_o;
  assign birth_kdei_o  = a3_kdei_q & {KdeW{push_valid_o}};
  assign birth_kin_o   = a3_up_q & {KinW{push_valid_o}};
  assign birth_new_o   = a3_new_q && push_valid_o;

  always_comb begin
    push_o = '0;
    if (push_valid_o) begin
      push_o = one;
      push_o.level = a3_level_q;
      push_o.up = a3_up_q;
      push_o.smx = a3_smx_q;
    end
  end

  // ---- A3: a saved TB --------------------------------------------------------------------------
  assign save_valid_o = a3_is_save_q && a3_accepted;
  assign save_kdei_o  = a3_kdei_q & {KdeW{save_valid_o}};
  assign save_kin_o   = a3_up_q & {KinW{save_valid_o}};
  assign save_pos_o   = a3_pos_q & {SavW{save_valid_o}};
  assign save_entry_o = save_valid_o ? {one.desc.param, a3_level_q} : '0;

  // ---- A3: the answer and events ---------------------------------------------------------------
  hd_pkg::devanswer_t answer;  // depends on kept_i and full_i, as do the events

  always_comb begin
    answer = a3_answer_q;
    if (group_taken && kept_i) answer.code = hd_pkg::CodeKept;
    if (group_full) answer.code = hd_pkg::CodeRefused;
  end

  // Bits: bad, refused, save, unmatched, kept, group, kernel.
  assign a3_refused  = (a3_valid_q && a3_answer_q.code == hd_pkg::CodeRefused) || group_full;
  assign from_group  = a3_answer_q.kind == hd_pkg::KindGroup;
  assign dev_event_o = {a3_valid_q && !a3_accepted && !a3_refused, a3_refused, save_valid_o,
      push_valid_o && from_group, group_taken && kept_i, group_taken && !kept_i,
      push_valid_o && !from_group};
  assign dev_code_o  = answer.code & {CodeW{a3_valid_q}};
  assign dev_kind_o  = a3_answer_q.kind & {KindW{a3_valid_q}};

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
    .bank_room_i       (bank_room_i),
    .rows_i            (rows_i),
    .pool_ready_i      (pool_ready_i),
    .pool_two_i        (pool_two_i),
    .save_room_i       (save_room_i),
    .a1_smx_i          (a1_smx),
    .a1_group_i        (a1_group),
    .a1_alone_i        (a1_alone),
    .a1_row_i          (a1_row),
    .a1_take_i         (take),
    .a1_joins_i        (hold_valid_o),
    .a1_lone_i         (take && is_kernel && a1_group),
    .group_ok_o        (group_ok),
    .a2_one_i          (a2_is_kernel || a2_is_save),
    .a3_kernel_i       (push_valid_o),
    .a3_save_i         (save_valid_o),
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
      `HD_ASSERT(a_event, $countones(dev_event_o) == 32'(a3_valid_q),
          "An answer sets no event or several, or an event is set without an answer.")
      `HD_ASSERT_IN(a_found, (!found_i || find_valid_o) && (!found_hit_i || found_i),
          "The search gives a result without a request, or a hit without a result.")
    end
  end

  // Rare: A1 waits, for each reason.
  `HD_COVER(c_wait_search, find_valid_o && !found_i)
  `HD_COVER(c_wait_room, is_group && !room_i)
  `HD_COVER(c_wait_turn, (is_kernel || is_save) && one_at_a_time)
`endif

endmodule
