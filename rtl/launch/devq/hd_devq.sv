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
// - A3 (hd_devq_effects) sends the pulses to the other blocks and the answer.
// - Latency: accepted at t, in A3 at t+3, answer offered at t+4. Rate: one group per cycle, one
//   kernel per 3 cycles, one save per 4. find_take_o and hold_* depend on match in the same cycle,
//   a2_group_o and a2_info_o on look_i, dev_launch_ready_o on the beats of the SMXs; all other
//   outputs come from registers.
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
  logic [hd_pkg::KinW-1:0] a2_up;
  logic [hd_pkg::LevelW-1:0] a2_level;
  logic [hd_pkg::SavW-1:0] a2_sav_pos;
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

  // ---- A3: effects -----------------------------------------------------------------------------
  logic answer_valid;
  logic [SmxW-1:0] answer_smx;
  hd_pkg::devanswer_t answer;

  hd_devq_effects u_effects (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .valid_i       (a2_valid),
    .is_group_i    (a2_is_group),
    .is_kernel_i   (a2_is_kernel),
    .is_save_i     (a2_is_save),
    .answer_i      (a2_answer),
    .smx_i         (a2_smx),
    .kdei_i        (a2_kdei),
    .new_i         (a2_new),
    .up_i          (a2_up),
    .level_i       (a2_level),
    .sav_pos_i     (a2_sav_pos),
    .one_i         (one),
    .is_one_o      (a3_is_one),
    .kept_i        (kept_i),
    .full_i        (full_i),
    .unhold_valid_o(unhold_valid_o),
    .unhold_kdei_o (unhold_kdei_o),
    .push_valid_o  (push_valid_o),
    .push_o        (push_o),
    .birth_valid_o (birth_valid_o),
    .birth_kdei_o  (birth_kdei_o),
    .birth_kin_o   (birth_kin_o),
    .birth_new_o   (birth_new_o),
    .save_valid_o  (save_valid_o),
    .save_kdei_o   (save_kdei_o),
    .save_kin_o    (save_kin_o),
    .save_pos_o    (save_pos_o),
    .save_entry_o  (save_entry_o),
    .dev_event_o   (dev_event_o),
    .dev_code_o    (dev_code_o),
    .dev_kind_o    (dev_kind_o),
    .answer_valid_o(answer_valid),
    .answer_smx_o  (answer_smx),
    .answer_o      (answer)
  );

  hd_devq_answers u_answers (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .taken_i           (taken),
    .open_o            (open),
    .answer_valid_i    (answer_valid),
    .answer_smx_i      (answer_smx),
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
    .gone_valid_i      (answer_valid),
    .gone_smx_i        (answer_smx)
  );

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT(a_one_at_a_time, $onehot0({a2_is_kernel, a2_is_save, a3_is_one}),
          "A2 and A3 hold more than one kernel or save.")
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
