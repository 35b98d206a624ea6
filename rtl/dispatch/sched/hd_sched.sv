// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_sched: the SMX scheduler. Hands out one TB per cycle to the next SMX with room: TBs of the
// banks offered by laperm, and TBs of queue 0 (the oldest marked kernel and the graph).
//
//   laperm: bound, spare -----------+
//   KMU/KD, FCFS, --> [u_sscr: ----+--> [u_choice: --> the TB --> [u_smxs: g_smx[i].u_tbcr] --> SMX
//   link, agt, susp   kernel, unit]|     SMX, TB] <-- resources -----'   ^ cta_done
//   dats: TB of the graph ---------'  KD, agc: + 1 <--'              '--> [retired] --> KD, agc
//                                                                    '--> nodes done, to dgb
//
// From dtbl-isca2015 sections 2.2, 2.3, 4.2 and laperm-isca2016 section II. Rates, pointer rules,
// units and the retire path are ours.
// - u_sscr selects the next TB of queue 0; u_choice selects the SMX and the TB that it gets; u_smxs
//   holds the TB slots of the SMXs.
// - The descriptor of a TB comes from the KD one cycle after the grant. For a TB of a group, the
//   group's dimensions and parameter address replace the kernel's; for a saved TB, its context
//   pointer replaces the parameter address.
// - One completed TB of all SMXs is retired per cycle, round robin. timing: KD and agc receive it
//   one cycle later, so that the arbiter and their counters each have a full cycle.
// - Latency: kernel enters at t, decision t+1, dispatch t+2. grant_o is a function of registers and
//   of inputs that are registers elsewhere. timing: the grant settles last in the cycle, so it only
//   selects among prepared values.
// - Rate: one TB per cycle.
// - Reset: SSCR empty, pointers 0.
// Ports: sched.csv. Model cmodel/dispatch/sched, tests verif/unit and verif/equiv test_sched, page
// docs/dispatch/sched.md.
`include "common/hd_assert.svh"
module hd_sched (
  input  logic                                        clk_i,
  input  logic                                        rst_ni,
  // Kernel entry into the KD (kmu, kd)
  input  hd_pkg::entry_t                              kd_entry_i,
  input  hd_pkg::offer_t                              kmu_offer_i,
  input  hd_pkg::enter_t                              laperm_enter_i,
  // Marked kernels (fcfs)
  input  hd_pkg::entry_t                              fcfs_next_i,
  input  logic [hd_pkg::NumKde-1:0]                   fcfs_marked_i,
  // Entries of the KD (kd)
  input  logic [hd_pkg::NumKde*hd_pkg::NeedW-1:0]     kd_need_i,
  input  logic [hd_pkg::NumKde*hd_pkg::CtasW-1:0]     kd_ctas_i,
  input  logic [hd_pkg::NumKde*hd_pkg::LevelW-1:0]    kd_level_i,
  input  logic [hd_pkg::NumKde*hd_pkg::CtasW-1:0]     kd_nextbl_i,
  input  logic [hd_pkg::NumKde-1:0]                   kd_ndone_i,
  input  logic [hd_pkg::NumKde*hd_pkg::SavCountW-1:0] kd_sav_count_i,
  input  logic [hd_pkg::NumKde-1:0]                   kd_suspending_i,
  input  logic [hd_pkg::NumKde-1:0]                   kd_failed_i,
  input  logic                                        kd_stall_i,
  input  hd_pkg::desc_t                               kd_desc_i,
  // Group lists of the kernels (link)
  input  logic [hd_pkg::NumKde-1:0]                   link_pending_i,
  input  logic [hd_pkg::NumKde-1:0]                   link_single_i,
  input  hd_pkg::linked_t                             link_link_i,
  // Next group (agt) and free overflow slot (agc)
  input  hd_pkg::grouphead_t                          agt_group_i,
  input  hd_pkg::freeslot_t                               agc_slot_i,
  // Next saved TB (susp)
  input  hd_pkg::savedtb_t                            susp_saved_i,
  // Banks of priority queues (laperm)
  input  logic [hd_pkg::NumBank*hd_pkg::PqentryW-1:0] laperm_bank_front_i,
  input  logic [hd_pkg::NumBank*hd_pkg::CtasW-1:0]    laperm_bank_nextbl_i,
  input  logic [hd_pkg::NumBank-1:0]                  laperm_bank_last_i,
  input  logic [hd_pkg::NumSmx-1:0]                   laperm_bound_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::BankW-1:0]     laperm_bound_bank_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::NeedW-1:0]     laperm_bound_need_i,
  input  logic [hd_pkg::NumSmx-1:0]                   laperm_spare_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::BankW-1:0]     laperm_spare_bank_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::NeedW-1:0]     laperm_spare_need_i,
  input  hd_pkg::then_t                               laperm_then_i,
  // Next TB of the graph (dats)
  input  hd_pkg::graphtb_t                            dats_tb_i,
  input  logic [hd_pkg::NumKde-1:0]                   dats_older_i,
  input  hd_pkg::run_t                                dats_run_i,
  // Grant of a TB from a bank (laperm, kd, regs)
  output hd_pkg::take_t                               take_o,
  output logic [hd_pkg::NumBank-1:0]                  take_banks_o,
  // Grant of a TB of the graph (dats, kd, laperm, regs)
  output logic                                        graph_take_o,
  // Grant of a TB from the SSCR (kd, dats, laperm, regs)
  output hd_pkg::grant_t                              grant_o,
  // Kernel in the SSCR (kd, dats, fcfs, link, ovfq, agt, agc, susp, regs)
  output hd_pkg::entry_t                              sscr_o,
  output logic                                        unmark_o,
  output logic                                        rotate_o,
  output logic                                        give_way_o,
  output hd_pkg::schedev_t                            events_o,
  // Groups and saved TBs of that kernel (link, agt, agc, susp)
  output logic                                        advance_o,
  output logic                                        group_pop_o,
  output hd_pkg::hand_t                               hand_o,
  output logic                                        saved_pop_o,
  // Kernel parked within a unit (kd, agc)
  output hd_pkg::park_t                               park_o,
  // SMXs open to unbound TBs (throttle)
  input  logic [hd_pkg::NumSmx-1:0]                   throttle_open_i,
  output logic                                        unassigned_o,
  // Lookup of a TB slot (devq)
  input  hd_pkg::lookup_t                             devq_look_i,
  output hd_pkg::look_t                               look_o,
  // Retired TB (kd, agc)
  output hd_pkg::retired_t                            retire_o,
  // TBs to the SMXs
  output logic [hd_pkg::NumSmx-1:0]                   dispatch_valid_o,
  output logic [hd_pkg::NumSmx*hd_pkg::DispatchW-1:0] dispatch_o,
  input  logic [hd_pkg::NumSmx-1:0]                   dispatch_ready_i,
  // Completions of the SMXs, and their checks (regs)
  input  logic [hd_pkg::NumSmx-1:0]                   cta_done_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::SlotW-1:0]     cta_done_slot_i,
  output logic [hd_pkg::NumSmx-1:0]                   done_ok_o,
  output logic [hd_pkg::NumSmx-1:0]                   done_empty_o,
  output logic [hd_pkg::NumSmx-1:0]                   done_early_o,
  // Completed graph nodes (dgb)
  output logic [hd_pkg::NumSmx-1:0]                   node_done_o,
  output logic [hd_pkg::NumSmx*hd_pkg::LnaW-1:0]      node_place_o
);

  localparam int NumSmx = hd_pkg::NumSmx;
  localparam int NeedW = hd_pkg::NeedW;
  localparam int WarpsW = hd_pkg::WarpsW;
  localparam int RegUnitsW = hd_pkg::RegUnitsW;
  localparam int SmemUnitsW = hd_pkg::SmemUnitsW;

  // ---- The next TB ------------------------------------------------------------------------------
  logic cur_valid, unit_valid, offer_valid, last, grant_sscr;
  logic [hd_pkg::KdeW-1:0] cur_kdei;
  hd_pkg::sscrunit_t unit;
  hd_pkg::need_t need;
  logic [hd_pkg::CtasW-1:0] nextbl;
  logic is_group;
  logic new_valid;  // another kernel would be next
  logic waiting, unit_end, park;
  hd_pkg::progress_t progress;  // TBs queued in a bank count as already handed out for the SSCR
  hd_pkg::need_t new_need;

  always_comb begin
    progress = kmu_offer_i.kernel.progress;
    progress.ndone = kmu_offer_i.kernel.progress.ndone || laperm_enter_i.bank;
  end

  hd_sched_sscr u_sscr (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .enter_i         (kd_entry_i.valid && laperm_enter_i.mark),
    .enter_kdei_i    (kd_entry_i.kdei),
    .enter_need_i    (kmu_offer_i.kernel.need),
    .enter_ctas_i    (kmu_offer_i.kernel.ctas),
    .enter_level_i   (kmu_offer_i.kernel.level),
    .enter_progress_i(progress),
    .next_valid_i    (fcfs_next_i.valid),
    .next_kdei_i     (fcfs_next_i.kdei),
    .link_valid_i    (link_link_i.valid),
    .link_kdei_i     (link_link_i.kdei),
    .marked_i        (fcfs_marked_i),
    .need_i          (kd_need_i),
    .ctas_i          (kd_ctas_i),
    .level_i         (kd_level_i),
    .nextbl_i        (kd_nextbl_i),
    .ndone_i         (kd_ndone_i),
    .sav_count_i     (kd_sav_count_i),
    .suspending_i    (kd_suspending_i),
    .failed_i        (kd_failed_i),
    .pending_i       (link_pending_i),
    .single_i        (link_single_i),
    .group_valid_i   (agt_group_i.valid),
    .group_kdei_i    (agt_group_i.kdei),
    .group_i         (agt_group_i.group),
    .slot_valid_i    (agc_slot_i.valid),
    .slot_i          (agc_slot_i.slot),
    .sv_valid_i      (susp_saved_i.valid),
    .sv_kdei_i       (susp_saved_i.kdei),
    .sv_i            (susp_saved_i.tb),
    .cur_valid_o     (cur_valid),
    .cur_kdei_o      (cur_kdei),
    .shown_kdei_o    (sscr_o.kdei),
    .unit_valid_o    (unit_valid),
    .unit_o          (unit),
    .offer_valid_o   (offer_valid),
    .need_o          (need),
    .nextbl_o        (nextbl),
    .last_o          (last),
    .grant_i         (grant_sscr),
    .unmark_o        (unmark_o),
    .rotate_o        (rotate_o),
    .give_way_o      (give_way_o),
    .group_pop_o     (group_pop_o),
    .sv_pop_o        (saved_pop_o),
    .park_valid_o    (park),
    .new_valid_o     (new_valid),
    .new_need_o      (new_need)
  );

  assign is_group = unit.kind == hd_pkg::UnitGroup;

  // ---- Which SMX gets a TB, and which TB -------------------------------------------------------
  logic [NumSmx-1:0] granted, slot;
  logic [NumSmx*WarpsW-1:0] free_warps;
  logic [NumSmx*RegUnitsW-1:0] free_regs;
  logic [NumSmx*SmemUnitsW-1:0] free_smem;
  logic [NumSmx*NeedW-1:0] needs;
  logic graph_first;
  hd_pkg::cta_t cta;
  hd_pkg::desc_t desc;

  hd_sched_choice u_choice (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .cur_valid_i  (cur_valid),
    .cur_kdei_i   (cur_kdei),
    .unit_valid_i (unit_valid),
    .unit_i       (unit),
    .offer_valid_i(offer_valid),
    .need_i       (need),
    .nextbl_i     (nextbl),
    .new_valid_i  (new_valid),
    .new_need_i   (new_need),
    .bank_front_i (laperm_bank_front_i),
    .bank_nextbl_i(laperm_bank_nextbl_i),
    .bank_last_i  (laperm_bank_last_i),
    .bound_valid_i(laperm_bound_valid_i),
    .bound_bank_i (laperm_bound_bank_i),
    .bound_need_i (laperm_bound_need_i),
    .spare_valid_i(laperm_spare_valid_i),
    .spare_bank_i (laperm_spare_bank_i),
    .spare_need_i (laperm_spare_need_i),
    .then_valid_i (laperm_then_i.valid),
    .then_need_i  (laperm_then_i.need),
    .graph_valid_i(dats_tb_i.valid),
    .graph_index_i(dats_tb_i.index),
    .graph_cta_i  (dats_tb_i.cta),
    .graph_wants_i(dats_tb_i.wants),
    .graph_smx_i  (dats_tb_i.smx),
    .older_i      (dats_older_i),
    .run_valid_i  (dats_run_i.valid),
    .run_kdei_i   (dats_run_i.kdei),
    .run_need_i   (dats_run_i.need),
    .open_i       (throttle_open_i),
    .unassigned_o (unassigned_o),
    .stall_i      (kd_stall_i),
    .slot_i       (slot),
    .ready_i      (~dispatch_valid_o),
    .free_warps_i (free_warps),
    .free_regs_i  (free_regs),
    .free_smem_i  (free_smem),
    .granted_o    (granted),
    .smx_o        (grant_o.smx),
    .need_o       (needs),
    .graph_first_o(graph_first),
    .blocked_o    (events_o.blocked),
    .take_valid_o (take_o.valid),
    .take_bank_o  (take_o.bank),
    .take_o       (take_banks_o),
    .take_spare_o (take_o.spare),
    .take_kdei_o  (take_o.kdei),
    .take_last_o  (take_o.last),
    .graph_take_o (graph_take_o),
    .grant_sscr_o (grant_sscr),
    .cta_o        (cta),
    .desc_i       (kd_desc_i),
    .desc_o       (desc)
  );

  // ---- The SMXs ---------------------------------------------------------------------------------
  hd_sched_smxs u_smxs (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .granted_i       (granted),
    .cta_i           (cta),
    .needs_i         (needs),
    .desc_i          (desc),
    .need_i          (kd_need_i),
    .run_valid_i     (dats_run_i.valid),
    .run_kdei_i      (dats_run_i.kdei),
    .slot_o          (slot),
    .free_warps_o    (free_warps),
    .free_regs_o     (free_regs),
    .free_smem_o     (free_smem),
    .look_smx_i      (devq_look_i.smx),
    .look_slot_i     (devq_look_i.slot),
    .look_o          (look_o),
    .retire_valid_o  (retire_o.valid),
    .retire_o        (retire_o.tb),
    .dispatch_valid_o(dispatch_valid_o),
    .dispatch_o      (dispatch_o),
    .dispatch_ready_i(dispatch_ready_i),
    .cta_done_valid_i(cta_done_valid_i),
    .cta_done_slot_i (cta_done_slot_i),
    .done_ok_o       (done_ok_o),
    .done_empty_o    (done_empty_o),
    .done_early_o    (done_early_o),
    .node_done_o     (node_done_o),
    .node_place_o    (node_place_o)
  );

  // ---- Outputs ----------------------------------------------------------------------------------
  assign waiting  = cur_valid && !unit_valid;
  assign unit_end = grant_sscr && last;

  assign sscr_o.valid     = cur_valid;
  assign grant_o.valid    = grant_sscr;
  assign grant_o.kind     = (cur_valid && unit_valid) ? unit.kind : hd_pkg::UnitNative;
  assign grant_o.level    = (cur_valid && unit_valid && !graph_first) ? unit.level : '0;
  assign grant_o.unit_end = unit_end;
  assign advance_o        = unit_end && is_group;
  assign hand_o.load      = group_pop_o;
  assign hand_o.ptr       = group_pop_o ? agt_group_i.group.self : '0;
  assign hand_o.grant     = grant_sscr && is_group;
  assign hand_o.last      = unit_end && is_group;
  assign hand_o.park      = park && is_group;
  assign park_o.valid     = park;
  assign park_o.nextbl    = park ? nextbl : '0;

  assign events_o.waiting   = waiting;
  assign events_o.slot_wait = waiting && agt_group_i.valid && !agt_group_i.group.self.onchip
      && !agc_slot_i.valid;

`ifdef HD_ASSERT_ON
  // What the neighbours must show in the next cycle: the marked kernels (fcfs); those whose native
  // part is handed out, and the needs (kd).
  localparam int NumKde = hd_pkg::NumKde;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int CtasW = hd_pkg::CtasW;
  localparam int LevelW = hd_pkg::LevelW;
  localparam int MostOut = NumSmx * hd_pkg::DoneDepth + 1;
  localparam int OutW = $clog2(MostOut + 1);

  logic [NumKde-1:0] entered, linked, unmarked, ended, marked_q, ndone_q, handed, retired, busy;
  logic [NumKde*NeedW-1:0] need_q, needs_entered;
  logic [NumKde*OutW-1:0] out_q;  // TBs handed out and not retired
  logic [KdeW-1:0] next_kdei;
  logic ran_q;
  logic [LevelW-1:0] front_level;  // of the first entry of the bank that hands out a TB

  assign entered     = {{NumKde - 1{1'b0}}, kd_entry_i.valid && laperm_enter_i.mark}
      << kd_entry_i.kdei;
  assign linked      = {{NumKde - 1{1'b0}}, link_link_i.valid} << link_link_i.kdei;
  assign unmarked    = {{NumKde - 1{1'b0}}, unmark_o} << cur_kdei;
  assign ended       = {{NumKde - 1{1'b0}}, unit_end && unit.kind == hd_pkg::UnitNative}
      << cur_kdei;
  assign handed      = {{NumKde - 1{1'b0}}, granted != '0} << cta.kdei;
  assign retired     = {{NumKde - 1{1'b0}}, retire_o.valid} << retire_o.tb.kdei;
  assign next_kdei   = fcfs_next_i.kdei;
  assign front_level = laperm_bank_front_i[take_o.bank*hd_pkg::PqentryW+:LevelW];

  always_comb begin
    needs_entered = kd_need_i;
    if (kd_entry_i.valid) needs_entered[kd_entry_i.kdei*NeedW+:NeedW] = kmu_offer_i.kernel.need;
  end

  always_comb begin
    for (int k = 0; k < NumKde; k++) busy[k] = fcfs_marked_i[k] || out_q[k*OutW+:OutW] != '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      marked_q <= '0;
      ndone_q  <= '0;
      out_q    <= '0;
      ran_q    <= 1'b0;
    end else begin
      marked_q <= (fcfs_marked_i & ~unmarked) | linked | entered;
      ndone_q  <= (kd_ndone_i & fcfs_marked_i) | ended;
      ran_q    <= dats_run_i.valid;
      if ((handed | retired) != '0) begin
        for (int k = 0; k < NumKde; k++) begin
          if (handed[k] != retired[k]) begin
            out_q[k*OutW+:OutW] <= handed[k] ? out_q[k*OutW+:OutW] + OutW'(1)
                : out_q[k*OutW+:OutW] - OutW'(1);
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i) need_q <= needs_entered;

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT_IN(a_marks, fcfs_marked_i == marked_q,
          "The marks changed other than by an entry, a link, or the end of the kernel in the SSCR.")
      if (fcfs_next_i.valid) begin
        `HD_ASSERT_IN(a_next, fcfs_marked_i[next_kdei] && !(cur_valid && next_kdei == cur_kdei),
            "The next kernel is not marked, or is the one in the SSCR.")
        `HD_ASSERT_IN(a_next_left, kd_ndone_i[next_kdei]
            || kd_nextbl_i[next_kdei*CtasW+:CtasW] < kd_ctas_i[next_kdei*CtasW+:CtasW],
            "The next kernel has no native TB left, but its kd_ndone_i is 0.")
        `HD_ASSERT_IN(a_next_level, 32'(kd_level_i[next_kdei*LevelW+:LevelW]) <= hd_pkg::MaxLevel,
            "The level of the next kernel is above MaxLevel.")
      end
      if (cur_valid) begin
        `HD_ASSERT_IN(a_own_left, kd_ndone_i[cur_kdei]
            || kd_nextbl_i[cur_kdei*CtasW+:CtasW] < kd_ctas_i[cur_kdei*CtasW+:CtasW],
            "The kernel in the SSCR has no native TB left, but its kd_ndone_i is 0.")
        `HD_ASSERT_IN(a_own_level, 32'(kd_level_i[cur_kdei*LevelW+:LevelW]) <= hd_pkg::MaxLevel,
            "The level of the kernel in the SSCR is above MaxLevel.")
      end
      if (kd_entry_i.valid) begin
        `HD_ASSERT_IN(a_entry, !busy[kd_entry_i.kdei] && !handed[kd_entry_i.kdei]
            && !linked[kd_entry_i.kdei],
            "A kernel enters an entry that is marked, has TBs, or to which a group is linked.")
      end
      if (entered != '0) begin
        `HD_ASSERT_IN(a_enter, (progress.ndone || progress.nextbl < kmu_offer_i.kernel.ctas)
            && 32'(kmu_offer_i.kernel.level) <= hd_pkg::MaxLevel,
            "A kernel enters without native TBs although ndone is 0, or above MaxLevel.")
      end
      `HD_ASSERT_IN(a_ndone, (ndone_q & ~kd_ndone_i) == '0,
          "The native part of a marked kernel is handed out, but its kd_ndone_i is 0.")
      if (group_pop_o) `HD_ASSERT_IN(a_group_level,
          32'(agt_group_i.group.info.level) <= hd_pkg::MaxLevel,
          "The level of a group is above MaxLevel.")
      if (saved_pop_o) `HD_ASSERT_IN(a_saved_level,
          32'(susp_saved_i.tb.level) <= hd_pkg::MaxLevel,
          "The level of a saved TB is above MaxLevel.")
      if (take_o.valid) begin
        `HD_ASSERT_IN(a_bank_level, 32'(front_level) <= hd_pkg::MaxLevel,
            "The level of an entry of a bank is above MaxLevel.")
        `HD_ASSERT_IN(a_bank_need, (take_o.spare ? laperm_spare_need_i[grant_o.smx*NeedW+:NeedW]
            : laperm_bound_need_i[grant_o.smx*NeedW+:NeedW])
            == kd_need_i[take_o.kdei*NeedW+:NeedW],
            "A bank offers a TB with a need other than its kernel's.")
      end
      if (need_q != kd_need_i) begin
        for (int k = 0; k < NumKde; k++) begin
          if (busy[k]) `HD_ASSERT_IN(a_need_kept,
              need_q[k*NeedW+:NeedW] == kd_need_i[k*NeedW+:NeedW],
              "The need of a kernel changed while it is marked or has TBs.")
        end
      end
      if (graph_take_o) begin
        `HD_ASSERT_IN(a_need, dats_run_i.valid
            && dats_run_i.need == kd_need_i[dats_run_i.kdei*NeedW+:NeedW],
            "A TB of the graph is taken without a graph, or with a need other than its kernel's.")
      end
      if (dats_tb_i.valid) `HD_ASSERT_IN(a_graph_tb, dats_run_i.valid,
          "A TB of the graph is offered while no graph runs.")
      if (dats_run_i.valid) begin
        `HD_ASSERT_IN(a_graph_mark, !fcfs_marked_i[dats_run_i.kdei]
            && !(take_o.valid && take_o.kdei == dats_run_i.kdei),
            "The kernel of the running graph is marked, or a bank hands out a TB of it.")
        `HD_ASSERT_IN(a_graph_begin, ran_q || out_q[dats_run_i.kdei*OutW+:OutW] == '0,
            "A graph begins to run while TBs are left of its KD entry.")
      end
    end
  end
  `HD_ASSERT_PROP_IN(a_graph_kdei, dats_run_i.valid |=> !dats_run_i.valid
      || $stable(dats_run_i.kdei),
      "The running graph changes its kernel.")

  // Rare: no slot for a group from memory.
  `HD_COVER(c_slot_wait, events_o.slot_wait)
`endif

endmodule
