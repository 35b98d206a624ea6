// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_dispatch: hands TBs out: which TB is next, and to which SMX.
//
//   u_sched: the SMX scheduler, with a TBCR for each SMX
//   u_throttle: how many SMXs are open to TBs that may run anywhere
//   u_laperm: LaPerm's banks of priority queues
//   u_spill: groups that do not fit in their bank, in memory
//
// - Contains only wiring, made from the tables by `python3 rtl/hdgen rtl`; latencies and rates are
//   those of the blocks. A port has the name of its wire: the driving block's name, then the
//   output's; or that of the plane's pin without _i or _o.
// Part of hd_top, whose tests cover it. Page docs/dispatch/dispatch.md.
module hd_dispatch (
  input  logic                                        clk_i,
  input  logic                                        rst_ni,
  // The plane's inputs
  input  logic [hd_pkg::NumSmx-1:0]                   dispatch_ready,
  input  logic [hd_pkg::NumSmx-1:0]                   cta_done_valid,
  input  logic [hd_pkg::NumSmx*hd_pkg::SlotW-1:0]     cta_done_slot,
  input  logic [hd_pkg::ContendW-1:0]                 cycles,
  input  logic [hd_pkg::ContendW-1:0]                 dram_full,
  input  logic [hd_pkg::ContendW-1:0]                 icnt2sm,
  // From u_host
  input  hd_pkg::entry_t                              kd_entry,
  input  hd_pkg::offer_t                              kmu_offer,
  input  logic [hd_pkg::NumKde-1:0]                   fcfs_marked,
  input  hd_pkg::entry_t                              fcfs_next,
  input  logic [hd_pkg::NumKde*hd_pkg::NeedW-1:0]     kd_need,
  input  logic [hd_pkg::NumKde*hd_pkg::CtasW-1:0]     kd_ctas,
  input  logic [hd_pkg::NumKde*hd_pkg::LevelW-1:0]    kd_level,
  input  logic [hd_pkg::NumKde*hd_pkg::CtasW-1:0]     kd_nextbl,
  input  logic [hd_pkg::NumKde-1:0]                   kd_ndone,
  input  logic [hd_pkg::NumKde*hd_pkg::SavCountW-1:0] kd_sav_count,
  input  logic [hd_pkg::NumKde-1:0]                   kd_suspending,
  input  logic [hd_pkg::NumKde-1:0]                   kd_failed,
  input  logic                                        kd_stall,
  input  hd_pkg::desc_t                               kd_desc,
  input  hd_pkg::entry_t                              kd_free,
  input  logic [hd_pkg::NumKde-1:0]                   kd_sav_full,
  // From u_graph
  input  hd_pkg::run_t                                dats_run,
  input  hd_pkg::graphtb_t                            dats_tb,
  input  logic [hd_pkg::NumKde-1:0]                   dats_older,
  // From u_launch
  input  logic [hd_pkg::NumKde-1:0]                   link_pending,
  input  hd_pkg::linked_t                             link_link,
  input  logic [hd_pkg::NumKde-1:0]                   link_single,
  input  hd_pkg::grouphead_t                          agt_group,
  input  hd_pkg::freeslot_t                           agc_slot,
  input  hd_pkg::lookup_t                             devq_look,
  input  hd_pkg::a2group_t                            devq_group,
  // From u_family
  input  hd_pkg::savedtb_t                            susp_saved,
  // From u_service
  input  hd_pkg::settings_t                           regs_config,
  input  hd_pkg::memdown_t                            memarb_spill,
  // Driven by u_sched
  output hd_pkg::take_t                               sched_take,
  output logic                                        sched_graph_take,
  output hd_pkg::grant_t                              sched_grant,
  output hd_pkg::entry_t                              sched_sscr,
  output logic                                        sched_unmark,
  output logic                                        sched_rotate,
  output logic                                        sched_give_way,
  output hd_pkg::schedev_t                            sched_events,
  output logic                                        sched_advance,
  output logic                                        sched_group_pop,
  output hd_pkg::hand_t                               sched_hand,
  output logic                                        sched_saved_pop,
  output hd_pkg::park_t                               sched_park,
  output hd_pkg::look_t                               sched_look,
  output hd_pkg::retired_t                            sched_retire,
  output logic [hd_pkg::NumSmx-1:0]                   dispatch_valid,
  output logic [hd_pkg::NumSmx*hd_pkg::DispatchW-1:0] dispatch,
  output logic [hd_pkg::NumSmx-1:0]                   sched_done_ok,
  output logic [hd_pkg::NumSmx-1:0]                   sched_done_empty,
  output logic [hd_pkg::NumSmx-1:0]                   sched_done_early,
  output logic [hd_pkg::NumSmx-1:0]                   sched_node_done,
  output logic [hd_pkg::NumSmx*hd_pkg::LnaW-1:0]      sched_node_place,
  // Driven by u_throttle
  output logic [hd_pkg::OpenW-1:0]                    open_count,
  // Driven by u_laperm
  output logic                                        laperm_full,
  output hd_pkg::entry_t                              laperm_push,
  output hd_pkg::enter_t                              laperm_enter,
  output hd_pkg::bankgroup_t                          laperm_put,
  output logic [hd_pkg::NumBank*3-1:0]                laperm_bank_room,
  output logic                                        laperm_back_ready,
  output logic                                        laperm_inversion,
  // Driven by u_spill
  output logic [hd_pkg::SpillPutsW-1:0]               spill_rows,
  output hd_pkg::bankgroup_t                          spill_back,
  output hd_pkg::entry_t                              spill_lost,
  output hd_pkg::memup_t                              spill_mem
);

  logic [hd_pkg::NumBank-1:0] sched_take_banks, laperm_bank_last, laperm_place, spill_reserve;
  logic sched_unassigned;
  logic [hd_pkg::NumSmx-1:0] throttle_open, laperm_bound_valid, laperm_spare_valid;
  logic [hd_pkg::NumBank*hd_pkg::PqentryW-1:0] laperm_bank_front;
  logic [hd_pkg::NumBank*hd_pkg::CtasW-1:0] laperm_bank_nextbl;
  logic [hd_pkg::NumSmx*hd_pkg::BankW-1:0] laperm_bound_bank, laperm_spare_bank;
  logic [hd_pkg::NumSmx*hd_pkg::NeedW-1:0] laperm_bound_need, laperm_spare_need;
  hd_pkg::then_t laperm_then;
  logic [hd_pkg::RingQueues-1:0] spill_room, spill_held;
  logic [hd_pkg::NumBank*3-1:0] spill_release;

  hd_sched u_sched (
    .clk_i               (clk_i),
    .rst_ni              (rst_ni),
    .kd_entry_i          (kd_entry),
    .kmu_offer_i         (kmu_offer),
    .laperm_enter_i      (laperm_enter),
    .fcfs_next_i         (fcfs_next),
    .fcfs_marked_i       (fcfs_marked),
    .kd_need_i           (kd_need),
    .kd_ctas_i           (kd_ctas),
    .kd_level_i          (kd_level),
    .kd_nextbl_i         (kd_nextbl),
    .kd_ndone_i          (kd_ndone),
    .kd_sav_count_i      (kd_sav_count),
    .kd_suspending_i     (kd_suspending),
    .kd_failed_i         (kd_failed),
    .kd_stall_i          (kd_stall),
    .kd_desc_i           (kd_desc),
    .link_pending_i      (link_pending),
    .link_single_i       (link_single),
    .link_link_i         (link_link),
    .agt_group_i         (agt_group),
    .agc_slot_i          (agc_slot),
    .susp_saved_i        (susp_saved),
    .laperm_bank_front_i (laperm_bank_front),
    .laperm_bank_nextbl_i(laperm_bank_nextbl),
    .laperm_bank_last_i  (laperm_bank_last),
    .laperm_bound_valid_i(laperm_bound_valid),
    .laperm_bound_bank_i (laperm_bound_bank),
    .laperm_bound_need_i (laperm_bound_need),
    .laperm_spare_valid_i(laperm_spare_valid),
    .laperm_spare_bank_i (laperm_spare_bank),
    .laperm_spare_need_i (laperm_spare_need),
    .laperm_then_i       (laperm_then),
    .dats_tb_i           (dats_tb),
    .dats_older_i        (dats_older),
    .dats_run_i          (dats_run),
    .take_o              (sched_take),
    .take_banks_o        (sched_take_banks),
    .graph_take_o        (sched_graph_take),
    .grant_o             (sched_grant),
    .sscr_o              (sched_sscr),
    .unmark_o            (sched_unmark),
    .rotate_o            (sched_rotate),
    .give_way_o          (sched_give_way),
    .events_o            (sched_events),
    .advance_o           (sched_advance),
    .group_pop_o         (sched_group_pop),
    .hand_o              (sched_hand),
    .saved_pop_o         (sched_saved_pop),
    .park_o              (sched_park),
    .throttle_open_i     (throttle_open),
    .unassigned_o        (sched_unassigned),
    .devq_look_i         (devq_look),
    .look_o              (sched_look),
    .retire_o            (sched_retire),
    .dispatch_valid_o    (dispatch_valid),
    .dispatch_o          (dispatch),
    .dispatch_ready_i    (dispatch_ready),
    .cta_done_valid_i    (cta_done_valid),
    .cta_done_slot_i     (cta_done_slot),
    .done_ok_o           (sched_done_ok),
    .done_empty_o        (sched_done_empty),
    .done_early_o        (sched_done_early),
    .node_done_o         (sched_node_done),
    .node_place_o        (sched_node_place)
  );

  if (hd_pkg::HasThrottle != 0) begin : g_throttle
    hd_throttle u_throttle (
      .clk_i             (clk_i),
      .rst_ni            (rst_ni),
      .regs_config_i     (regs_config),
      .sched_unassigned_i(sched_unassigned),
      .cycles_i          (cycles),
      .dram_full_i       (dram_full),
      .icnt2sm_i         (icnt2sm),
      .open_o            (throttle_open),
      .open_count_o      (open_count)
    );
  end else begin : g_no_throttle
    assign throttle_open = '1;
    assign open_count = hd_pkg::OpenW'(hd_pkg::NumSmx);
  end

  if (hd_pkg::HasBanks != 0) begin : g_laperm
    hd_laperm u_laperm (
      .clk_i             (clk_i),
      .rst_ni            (rst_ni),
      .regs_config_i     (regs_config),
      .devq_group_i      (devq_group),
      .full_o            (laperm_full),
      .push_o            (laperm_push),
      .kmu_offer_i       (kmu_offer),
      .kd_free_i         (kd_free),
      .enter_o           (laperm_enter),
      .kd_need_i         (kd_need),
      .kd_sav_full_i     (kd_sav_full),
      .bank_valid_o      (),
      .bank_front_o      (laperm_bank_front),
      .bank_nextbl_o     (laperm_bank_nextbl),
      .bank_last_o       (laperm_bank_last),
      .bound_valid_o     (laperm_bound_valid),
      .bound_bank_o      (laperm_bound_bank),
      .bound_need_o      (laperm_bound_need),
      .spare_valid_o     (laperm_spare_valid),
      .spare_bank_o      (laperm_spare_bank),
      .spare_need_o      (laperm_spare_need),
      .then_o            (laperm_then),
      .sched_take_i      (sched_take),
      .sched_graph_take_i(sched_graph_take),
      .sched_take_banks_i(sched_take_banks),
      .sched_grant_i     (sched_grant),
      .spill_room_i      (spill_room),
      .put_o             (laperm_put),
      .bank_room_o       (laperm_bank_room),
      .spill_held_i      (spill_held),
      .place_o           (laperm_place),
      .spill_reserve_i   (spill_reserve),
      .spill_release_i   (spill_release),
      .spill_back_i      (spill_back),
      .back_ready_o      (laperm_back_ready),
      .inversion_o       (laperm_inversion)
    );
  end else begin : g_no_laperm
    assign laperm_full = '0;
    assign laperm_push = '0;
    assign laperm_enter = {2'b0, kmu_offer.valid && !kmu_offer.kernel.graph};
    assign laperm_bank_front = '0;
    assign laperm_bank_nextbl = '0;
    assign laperm_bank_last = '0;
    assign laperm_bound_valid = '0;
    assign laperm_bound_bank = '0;
    assign laperm_bound_need = '0;
    assign laperm_spare_valid = '0;
    assign laperm_spare_bank = '0;
    assign laperm_spare_need = '0;
    assign laperm_then = '0;
    assign laperm_put = '0;
    assign laperm_bank_room = '1;
    assign laperm_place = '0;
    assign laperm_back_ready = '0;
    assign laperm_inversion = '0;
  end

  if (hd_pkg::HasBanks != 0) begin : g_spill
    hd_spill u_spill (
      .clk_i              (clk_i),
      .rst_ni             (rst_ni),
      .laperm_put_i       (laperm_put),
      .room_o             (spill_room),
      .rows_o             (spill_rows),
      .held_o             (spill_held),
      .laperm_place_i     (laperm_place),
      .reserve_o          (spill_reserve),
      .release_o          (spill_release),
      .back_o             (spill_back),
      .laperm_back_ready_i(laperm_back_ready),
      .lost_o             (spill_lost),
      .regs_config_i      (regs_config),
      .mem_o              (spill_mem),
      .mem_i              (memarb_spill)
    );
  end else begin : g_no_spill
    assign spill_room = '0;
    assign spill_rows = '0;
    assign spill_held = '0;
    assign spill_reserve = '0;
    assign spill_release = '0;
    assign spill_back = '0;
    assign spill_lost = '0;
    assign spill_mem = '0;
  end

endmodule
