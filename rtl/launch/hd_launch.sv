// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_launch: launches of running TBs: accepts commands, finds the kernel that a group joins, links
// the group on chip or in memory, and reads the groups of the kernel in the SSCR ahead.
//
//   u_devq: commands of the SMXs, their checks, answers and effects
//   u_match: finds a kernel with the same key in the KD
//   u_link: links a group to its kernel, in an AGE or beyond the table
//   u_ovfq: groups beyond the table, in memory
//   u_agt: the aggregated group table; groups read ahead
//   u_agc: counts completed TBs of groups, frees AGEs
//
// - Contains only wiring, made from the tables by `python3 rtl/hdgen rtl`; latencies and rates are
//   those of the blocks. A port has the name of its wire: the driving block's name, then the
//   output's; or that of the plane's pin without _i or _o.
// Part of hd_top, whose tests cover it. Page docs/launch/launch.md.
module hd_launch (
  input  logic                                         clk_i,
  input  logic                                         rst_ni,
  // The plane's inputs
  input  logic [hd_pkg::NumSmx-1:0]                    dev_launch_valid,
  input  logic [hd_pkg::NumSmx*hd_pkg::DevlaunchW-1:0] dev_launch,
  input  logic [hd_pkg::NumSmx-1:0]                    dev_answer_ready,
  input  logic                                         record_done_ready,
  // From u_host
  input  hd_pkg::entry_t                               kd_entry,
  input  hd_pkg::offer_t                               kmu_offer,
  input  logic [hd_pkg::NumKde*hd_pkg::SavCountW-1:0]  kd_sav_count,
  input  logic [hd_pkg::NumKde-1:0]                    kd_failed,
  input  logic [hd_pkg::NumKde-1:0]                    kd_kin_valid,
  input  logic [hd_pkg::NumKde*hd_pkg::KinW-1:0]       kd_kin,
  input  logic [hd_pkg::NumKde-1:0]                    kd_save_ok,
  input  logic [hd_pkg::NumKde*hd_pkg::SavW-1:0]       kd_sav_first,
  input  logic [hd_pkg::NumKde-1:0]                    kd_eligible,
  input  hd_pkg::entry_t                               kd_take,
  input  logic                                         kd_busy,
  input  logic [hd_pkg::NumKde-1:0]                    kd_left,
  // From u_dispatch
  input  hd_pkg::entry_t                               sched_sscr,
  input  hd_pkg::retired_t                             sched_retire,
  input  hd_pkg::entry_t                               spill_lost,
  input  hd_pkg::look_t                                sched_look,
  input  logic [hd_pkg::NumBank*3-1:0]                 laperm_bank_room,
  input  logic [hd_pkg::SpillPutsW-1:0]                spill_rows,
  input  logic                                         laperm_full,
  input  logic                                         sched_advance,
  input  hd_pkg::schedev_t                             sched_events,
  input  logic                                         sched_group_pop,
  input  hd_pkg::hand_t                                sched_hand,
  // From u_family
  input  hd_pkg::entry_t                               susp_chunk_fail,
  input  hd_pkg::poolroom_t                            pool_room,
  input  logic [hd_pkg::NumStreams-1:0]                pool_stream_ok,
  input  hd_pkg::parent_t                              kin_free,
  input  logic                                         susp_save_room,
  input  logic                                         kin_busy,
  // From u_service
  input  hd_pkg::settings_t                            regs_config,
  input  hd_pkg::memdown_t                             memarb_ovfq,
  // Driven by u_devq
  output logic [hd_pkg::NumSmx-1:0]                    dev_launch_ready,
  output logic [hd_pkg::NumSmx-1:0]                    dev_answer_valid,
  output logic [hd_pkg::NumSmx*hd_pkg::DevanswerW-1:0] dev_answer,
  output hd_pkg::entry_t                               devq_hold,
  output hd_pkg::lookup_t                              devq_look,
  output hd_pkg::a2group_t                             devq_group,
  output hd_pkg::entry_t                               devq_unhold,
  output hd_pkg::devoffer_t                            devq_push,
  output hd_pkg::birth_t                               devq_birth,
  output hd_pkg::save_t                                devq_save,
  output logic [6:0]                                   devq_event,
  output logic [hd_pkg::CodeW-1:0]                     devq_code,
  output logic [hd_pkg::KindW-1:0]                     devq_kind,
  // Driven by u_match
  output hd_pkg::matchev_t                             match_events,
  // Driven by u_link
  output hd_pkg::linked_t                              link_link,
  output hd_pkg::list_t                                link_list,
  output logic [hd_pkg::NumKde-1:0]                    link_pending,
  output logic [hd_pkg::NumKde-1:0]                    link_single,
  // Driven by u_ovfq
  output logic [hd_pkg::NumKde-1:0]                    ovfq_unanswered,
  output hd_pkg::memlist_t                             ovfq_taken,
  output hd_pkg::entry_t                               ovfq_write_fail,
  output hd_pkg::entry_t                               ovfq_fetch_fail,
  output logic                                         ovfq_fetch,
  output hd_pkg::memup_t                               ovfq_mem,
  // Driven by u_agt
  output hd_pkg::grouphead_t                           agt_group,
  // Driven by u_agc
  output hd_pkg::freeslot_t                            agc_slot,
  output logic                                         record_done_valid,
  output logic [hd_pkg::RecW-1:0]                      record_done
);

  hd_pkg::find_t devq_find;
  logic devq_find_take, link_kept, link_refused, ovfq_room, agt_over_pop;
  hd_pkg::found_t match_found;
  hd_pkg::ageref_t link_alloc, agc_free;
  logic [hd_pkg::NumKde-1:0] link_chained, ovfq_there, ovfq_one, ovfq_full;
  logic [hd_pkg::NumKde*hd_pkg::AgtW-1:0] link_nagei, link_lagei;
  hd_pkg::grouphead_t ovfq_over;
  logic [hd_pkg::AgtW-1:0] agt_succ;

  if (hd_pkg::HasLaunch != 0) begin : g_devq
    hd_devq u_devq (
      .clk_i             (clk_i),
      .rst_ni            (rst_ni),
      .dev_launch_valid_i(dev_launch_valid),
      .dev_launch_i      (dev_launch),
      .dev_launch_ready_o(dev_launch_ready),
      .dev_answer_valid_o(dev_answer_valid),
      .dev_answer_o      (dev_answer),
      .dev_answer_ready_i(dev_answer_ready),
      .find_o            (devq_find),
      .find_take_o       (devq_find_take),
      .match_found_i     (match_found),
      .hold_o            (devq_hold),
      .look_o            (devq_look),
      .sched_look_i      (sched_look),
      .ovfq_room_i       (ovfq_room),
      .laperm_bank_room_i(laperm_bank_room),
      .spill_rows_i      (spill_rows),
      .pool_room_i       (pool_room),
      .pool_stream_ok_i  (pool_stream_ok),
      .kin_free_i        (kin_free),
      .kd_kin_valid_i    (kd_kin_valid),
      .kd_kin_i          (kd_kin),
      .kd_save_ok_i      (kd_save_ok),
      .kd_sav_first_i    (kd_sav_first),
      .kd_sav_count_i    (kd_sav_count),
      .susp_save_room_i  (susp_save_room),
      .regs_config_i     (regs_config),
      .group_o           (devq_group),
      .link_kept_i       (link_kept),
      .laperm_full_i     (laperm_full),
      .link_refused_i    (link_refused),
      .unhold_o          (devq_unhold),
      .push_o            (devq_push),
      .birth_o           (devq_birth),
      .save_o            (devq_save),
      .event_o           (devq_event),
      .code_o            (devq_code),
      .kind_o            (devq_kind)
    );
  end else begin : g_no_devq
    hd_devq_none u_devq (
      .clk_i             (clk_i),
      .rst_ni            (rst_ni),
      .dev_launch_valid_i(dev_launch_valid),
      .dev_launch_i      (dev_launch),
      .dev_launch_ready_o(dev_launch_ready),
      .dev_answer_valid_o(dev_answer_valid),
      .dev_answer_o      (dev_answer),
      .dev_answer_ready_i(dev_answer_ready),
      .code_o            (devq_code)
    );
    assign devq_find = '0;
    assign devq_find_take = '0;
    assign devq_hold = '0;
    assign devq_look = '0;
    assign devq_group = '0;
    assign devq_unhold = '0;
    assign devq_push = '0;
    assign devq_birth = '0;
    assign devq_save = '0;
    assign devq_event = '0;
    assign devq_kind = '0;
  end

  if (hd_pkg::HasGroups != 0) begin : g_match
    hd_match u_match (
      .clk_i           (clk_i),
      .rst_ni          (rst_ni),
      .kd_entry_i      (kd_entry),
      .kmu_offer_i     (kmu_offer),
      .kd_eligible_i   (kd_eligible),
      .devq_find_i     (devq_find),
      .devq_find_take_i(devq_find_take),
      .found_o         (match_found),
      .events_o        (match_events)
    );
  end else begin : g_no_match
    assign match_found = '0;
    assign match_events = '0;
  end

  if (hd_pkg::HasGroups != 0) begin : g_link
    hd_link u_link (
      .clk_i          (clk_i),
      .rst_ni         (rst_ni),
      .devq_group_i   (devq_group),
      .regs_config_i  (regs_config),
      .kept_o         (link_kept),
      .refused_o      (link_refused),
      .alloc_o        (link_alloc),
      .link_o         (link_link),
      .sched_advance_i(sched_advance),
      .sched_sscr_i   (sched_sscr),
      .agt_succ_i     (agt_succ),
      .kd_failed_i    (kd_failed),
      .fails_i        ({spill_lost, susp_chunk_fail, ovfq_fetch_fail, ovfq_write_fail}),
      .kd_take_i      (kd_take),
      .list_o         (link_list),
      .kd_entry_i     (kd_entry),
      .kmu_offer_i    (kmu_offer),
      .ovfq_there_i   (ovfq_there),
      .ovfq_one_i     (ovfq_one),
      .ovfq_full_i    (ovfq_full),
      .pending_o      (link_pending),
      .single_o       (link_single),
      .chained_o      (link_chained),
      .nagei_o        (link_nagei),
      .lagei_o        (link_lagei),
      .agc_free_i     (agc_free),
      .kd_busy_i      (kd_busy),
      .kin_busy_i     (kin_busy)
    );
  end else begin : g_no_link
    assign link_kept = '0;
    assign link_refused = '0;
    assign link_alloc = '0;
    assign link_link = '0;
    assign link_list = '0;
    assign link_pending = '0;
    assign link_single = '0;
    assign link_chained = '0;
    assign link_nagei = '0;
    assign link_lagei = '0;
  end

  if (hd_pkg::HasGroups != 0) begin : g_ovfq
    hd_ovfq u_ovfq (
      .clk_i          (clk_i),
      .rst_ni         (rst_ni),
      .link_link_i    (link_link),
      .room_o         (ovfq_room),
      .sched_advance_i(sched_advance),
      .sched_sscr_i   (sched_sscr),
      .link_chained_i (link_chained),
      .there_o        (ovfq_there),
      .one_o          (ovfq_one),
      .full_o         (ovfq_full),
      .unanswered_o   (ovfq_unanswered),
      .fails_i        ({spill_lost, susp_chunk_fail}),
      .kd_take_i      (kd_take),
      .kd_kin_i       (kd_kin),
      .taken_o        (ovfq_taken),
      .kd_entry_i     (kd_entry),
      .kmu_offer_i    (kmu_offer),
      .sched_events_i (sched_events),
      .over_o         (ovfq_over),
      .agt_over_pop_i (agt_over_pop),
      .regs_config_i  (regs_config),
      .write_fail_o   (ovfq_write_fail),
      .fetch_fail_o   (ovfq_fetch_fail),
      .fetch_o        (ovfq_fetch),
      .mem_o          (ovfq_mem),
      .mem_i          (memarb_ovfq)
    );
  end else begin : g_no_ovfq
    assign ovfq_room = '1;
    assign ovfq_there = '0;
    assign ovfq_one = '0;
    assign ovfq_full = '0;
    assign ovfq_unanswered = '0;
    assign ovfq_taken = '0;
    assign ovfq_over = '0;
    assign ovfq_write_fail = '0;
    assign ovfq_fetch_fail = '0;
    assign ovfq_fetch = '0;
    assign ovfq_mem = '0;
  end

  if (hd_pkg::HasGroups != 0) begin : g_agt
    hd_agt u_agt (
      .clk_i            (clk_i),
      .rst_ni           (rst_ni),
      .devq_group_i     (devq_group),
      .link_alloc_i     (link_alloc),
      .link_link_i      (link_link),
      .link_chained_i   (link_chained),
      .link_nagei_i     (link_nagei),
      .link_lagei_i     (link_lagei),
      .sched_sscr_i     (sched_sscr),
      .ovfq_over_i      (ovfq_over),
      .over_pop_o       (agt_over_pop),
      .group_o          (agt_group),
      .sched_group_pop_i(sched_group_pop),
      .succ_o           (agt_succ),
      .fails_i          ({spill_lost, susp_chunk_fail, ovfq_fetch_fail, ovfq_write_fail})
    );
  end else begin : g_no_agt
    assign agt_over_pop = '0;
    assign agt_group = '0;
    assign agt_succ = '0;
  end

  if (hd_pkg::HasGroups != 0) begin : g_agc
    hd_agc u_agc (
      .clk_i              (clk_i),
      .rst_ni             (rst_ni),
      .slot_o             (agc_slot),
      .sched_hand_i       (sched_hand),
      .sched_sscr_i       (sched_sscr),
      .kd_left_i          (kd_left),
      .sched_retire_i     (sched_retire),
      .free_o             (agc_free),
      .record_done_valid_o(record_done_valid),
      .record_done_o      (record_done),
      .record_done_ready_i(record_done_ready)
    );
  end else begin : g_no_agc
    assign agc_slot = '0;
    assign agc_free = '0;
    assign record_done_valid = '0;
    assign record_done = '0;
  end

endmodule
