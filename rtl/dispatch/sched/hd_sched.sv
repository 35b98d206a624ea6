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
// - Latency: kernel enters at t, decision t+1, dispatch t+2. grant_* are functions of registers and
//   of inputs that are registers elsewhere. timing: the grant settles last in the cycle, so it only
//   selects among prepared values.
// - Rate: one TB per cycle.
// - Reset: SSCR empty, pointers 0.
// Ports: sched.csv. Model cmodel/dispatch/sched, tests verif/unit and verif/equiv test_sched, page
// docs/dispatch/sched.md.
`include "common/hd_assert.svh"
module hd_sched (
  input  logic                                         clk_i,
  input  logic                                         rst_ni,
  // Kernel entry into the KD (kmu, kd)
  input  logic                                         enter_valid_i,
  input  logic                                         enter_ready_i,
  input  logic [hd_pkg::KdeW-1:0]                      enter_kdei_i,
  input  hd_pkg::need_t                                enter_need_i,
  input  logic [hd_pkg::CtasW-1:0]                     enter_ctas_i,
  input  logic [hd_pkg::LevelW-1:0]                    enter_level_i,
  input  hd_pkg::progress_t                            enter_progress_i,
  // Marked kernels (fcfs)
  input  logic                                         next_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      next_kdei_i,
  input  logic [hd_pkg::NumKde-1:0]                    marked_i,
  // Entries of the KD (kd)
  input  logic [hd_pkg::NumKde*hd_pkg::NeedW-1:0]      need_i,
  input  logic [hd_pkg::NumKde*hd_pkg::CtasW-1:0]      ctas_i,
  input  logic [hd_pkg::NumKde*hd_pkg::LevelW-1:0]     level_i,
  input  logic [hd_pkg::NumKde*hd_pkg::CtasW-1:0]      nextbl_i,
  input  logic [hd_pkg::NumKde-1:0]                    ndone_i,
  input  logic [hd_pkg::NumKde*hd_pkg::SavCountW-1:0]  sav_count_i,
  input  logic [hd_pkg::NumKde-1:0]                    suspending_i,
  input  logic [hd_pkg::NumKde-1:0]                    failed_i,
  input  logic                                         steal_i,
  input  hd_pkg::desc_t                                desc_i,
  // Group lists of the kernels (link)
  input  logic [hd_pkg::NumKde-1:0]                    pending_i,
  input  logic [hd_pkg::NumKde-1:0]                    single_i,
  input  logic                                         link_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      link_kdei_i,
  // Next group (agt) and free overflow slot (agc)
  input  logic                                         group_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      group_kdei_i,
  input  hd_pkg::group_t                               group_i,
  input  logic                                         slot_valid_i,
  input  logic [hd_pkg::OvfW-1:0]                      slot_i,
  // Next saved TB (susp)
  input  logic                                         sv_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      sv_kdei_i,
  input  hd_pkg::saved_t                               sv_i,
  // Banks of priority queues (laperm)
  input  logic [hd_pkg::NumBank*hd_pkg::PqentryW-1:0]  bank_front_i,
  input  logic [hd_pkg::NumBank*hd_pkg::CtasW-1:0]     bank_nextbl_i,
  input  logic [hd_pkg::NumBank-1:0]                   bank_last_i,
  input  logic [hd_pkg::NumSmx-1:0]                    bound_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::BankW-1:0]      bound_bank_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::NeedW-1:0]      bound_need_i,
  input  logic [hd_pkg::NumSmx-1:0]                    spare_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::BankW-1:0]      spare_bank_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::NeedW-1:0]      spare_need_i,
  input  logic                                         then_valid_i,
  input  hd_pkg::need_t                                then_need_i,
  // Next TB of the graph (dats)
  input  logic                                         graph_valid_i,
  input  logic [hd_pkg::LnaW-1:0]                      graph_index_i,
  input  logic [hd_pkg::CtasW-1:0]                     graph_cta_i,
  input  logic                                         graph_wants_i,
  input  logic [hd_pkg::SmxW-1:0]                      graph_smx_i,
  input  logic [hd_pkg::NumKde-1:0]                    older_i,
  input  logic                                         run_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      run_kdei_i,
  input  hd_pkg::need_t                                run_need_i,
  // Grant of a TB from a bank (laperm, kd)
  output logic                                         take_valid_o,
  output logic [hd_pkg::BankW-1:0]                     take_bank_o,
  output logic [hd_pkg::NumBank-1:0]                   take_o,
  output logic                                         take_spare_o,
  output logic [hd_pkg::KdeW-1:0]                      take_kdei_o,
  output logic                                         take_last_o,
  // Grant of a TB of the graph (dats, kd)
  output logic                                         graph_take_o,
  // Grant of a TB from the SSCR (kd, regs)
  output logic                                         grant_valid_o,
  output logic [hd_pkg::KdeW-1:0]                      grant_kdei_o,
  output logic [hd_pkg::SmxW-1:0]                      grant_smx_o,
  output logic [hd_pkg::UnitW-1:0]                     grant_kind_o,
  output logic [hd_pkg::LevelW-1:0]                    grant_level_o,
  output logic                                         unit_end_o,
  // Kernel in the SSCR (fcfs, agt, susp, regs)
  output logic                                         unmark_o,
  output logic                                         rotate_o,
  output logic                                         give_way_o,
  output logic                                         blocked_o,
  output logic                                         cur_valid_o,
  output logic                                         waiting_o,
  output logic                                         slot_wait_o,
  // Groups and saved TBs of that kernel (link, agt, agc, susp)
  output logic                                         adv_valid_o,
  output logic                                         group_pop_o,
  output logic                                         load_valid_o,
  output hd_pkg::ptr_t                                 load_ptr_o,
  output logic                                         grant_group_o,
  output logic                                         grant_end_o,
  output logic                                         sv_pop_o,
  // Kernel parked within a unit (kd, agc)
  output logic                                         park_valid_o,
  output logic [hd_pkg::CtasW-1:0]                     park_nextbl_o,
  output logic                                         park_group_o,
  // SMXs open to unbound TBs (throttle)
  input  logic [hd_pkg::NumSmx-1:0]                    open_i,
  output logic                                         unassigned_o,
  // Lookup of a TB slot (devq)
  input  logic [hd_pkg::SmxW-1:0]                      look_smx_i,
  input  logic [hd_pkg::SlotW-1:0]                     look_slot_i,
  output hd_pkg::look_t                                look_o,
  // Retired TB (kd, agc)
  output logic                                         retire_valid_o,
  output hd_pkg::retire_t                              retire_o,
  // TBs to the SMXs
  output logic [hd_pkg::NumSmx-1:0]                    dispatch_valid_o,
  output logic [hd_pkg::NumSmx*hd_pkg::DispatchW-1:0]  dispatch_o,
  input  logic [hd_pkg::NumSmx-1:0]                    dispatch_ready_i,
  // Completions of the SMXs, and their checks (regs)
  input  logic [hd_pkg::NumSmx-1:0]                    cta_done_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::SlotW-1:0]      cta_done_slot_i,
  output logic [hd_pkg::NumSmx-1:0]                    done_ok_o,
  output logic [hd_pkg::NumSmx-1:0]                    done_empty_o,
  output logic [hd_pkg::NumSmx-1:0]                    done_early_o,
  // Completed graph nodes (dgb)
  output logic [hd_pkg::NumSmx-1:0]                    node_done_o,
  output logic [hd_pkg::NumSmx*hd_pkg::LnaW-1:0]       node_place_o
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
  hd_pkg::need_t new_need;

  hd_sched_sscr u_sscr (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .enter_i         (enter_valid_i && enter_ready_i),
    .enter_kdei_i    (enter_kdei_i),
    .enter_need_i    (enter_need_i),
    .enter_ctas_i    (enter_ctas_i),
    .enter_level_i   (enter_level_i),
    .enter_progress_i(enter_progress_i),
    .next_valid_i    (next_valid_i),
    .next_kdei_i     (next_kdei_i),
    .link_valid_i    (link_valid_i),
    .link_kdei_i     (link_kdei_i),
    .marked_i        (marked_i),
    .need_i          (need_i),
    .ctas_i          (ctas_i),
    .level_i         (level_i),
    .nextbl_i        (nextbl_i),
    .ndone_i         (ndone_i),
    .sav_count_i     (sav_count_i),
    .suspending_i    (suspending_i),
    .failed_i        (failed_i),
    .pending_i       (pending_i),
    .single_i        (single_i),
    .group_valid_i   (group_valid_i),
    .group_kdei_i    (group_kdei_i),
    .group_i         (group_i),
    .slot_valid_i    (slot_valid_i),
    .slot_i          (slot_i),
    .sv_valid_i      (sv_valid_i),
    .sv_kdei_i       (sv_kdei_i),
    .sv_i            (sv_i),
    .cur_valid_o     (cur_valid),
    .cur_kdei_o      (cur_kdei),
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
    .sv_pop_o        (sv_pop_o),
    .park_valid_o    (park_valid_o),
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
    .bank_front_i (bank_front_i),
    .bank_nextbl_i(bank_nextbl_i),
    .bank_last_i  (bank_last_i),
    .bound_valid_i(bound_valid_i),
    .bound_bank_i (bound_bank_i),
    .bound_need_i (bound_need_i),
    .spare_valid_i(spare_valid_i),
    .spare_bank_i (spare_bank_i),
    .spare_need_i (spare_need_i),
    .then_valid_i (then_valid_i),
    .then_need_i  (then_need_i),
    .graph_valid_i(graph_valid_i),
    .graph_index_i(graph_index_i),
    .graph_cta_i  (graph_cta_i),
    .graph_wants_i(graph_wants_i),
    .graph_smx_i  (graph_smx_i),
    .older_i      (older_i),
    .run_valid_i  (run_valid_i),
    .run_kdei_i   (run_kdei_i),
    .run_need_i   (run_need_i),
    .open_i       (open_i),
    .unassigned_o (unassigned_o),
    .slot_i       (slot),
    .ready_i      (~dispatch_valid_o & {NumSmx{!steal_i}}),
    .free_warps_i (free_warps),
    .free_regs_i  (free_regs),
    .free_smem_i  (free_smem),
    .granted_o    (granted),
    .smx_o        (grant_smx_o),
    .need_o       (needs),
    .graph_first_o(graph_first),
    .blocked_o    (blocked_o),
    .take_valid_o (take_valid_o),
    .take_bank_o  (take_bank_o),
    .take_o       (take_o),
    .take_spare_o (take_spare_o),
    .take_kdei_o  (take_kdei_o),
    .take_last_o  (take_last_o),
    .graph_take_o (graph_take_o),
    .grant_sscr_o (grant_sscr),
    .cta_o        (cta),
    .desc_i       (desc_i),
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
    .need_i          (need_i),
    .run_valid_i     (run_valid_i),
    .run_kdei_i      (run_kdei_i),
    .slot_o          (slot),
    .free_warps_o    (free_warps),
    .free_regs_o     (free_regs),
    .free_smem_o     (free_smem),
    .look_smx_i      (look_smx_i),
    .look_slot_i     (look_slot_i),
    .look_o          (look_o),
    .retire_valid_o  (retire_valid_o),
    .retire_o        (retire_o),
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
  assign grant_valid_o = grant_sscr;
  assign grant_kdei_o  = cur_valid ? cur_kdei : '0;
  assign grant_kind_o  = (cur_valid && unit_valid) ? unit.kind : '0;
  assign grant_level_o = (cur_valid && unit_valid && !graph_first) ? unit.level : '0;
  assign unit_end_o    = grant_sscr && last;
  assign cur_valid_o   = cur_valid;
  assign waiting_o     = cur_valid && !unit_valid;
  assign slot_wait_o   = waiting_o && group_valid_i && !group_i.self.onchip && !slot_valid_i;
  assign adv_valid_o   = unit_end_o && is_group;
  assign load_valid_o  = group_pop_o;
  assign load_ptr_o    = group_pop_o ? group_i.self : '0;
  assign grant_group_o = grant_sscr && is_group;
  assign grant_end_o   = adv_valid_o;
  assign park_nextbl_o = park_valid_o ? nextbl : '0;
  assign park_group_o  = park_valid_o && is_group;

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni && graph_take_o) begin
      `HD_ASSERT_IN(a_need, run_valid_i && run_need_i == need_i[run_kdei_i*NeedW+:NeedW],
          "A TB of the graph is taken without a graph, or with a need other than its kernel's.")
    end
  end

  // Rare: no slot for a group from memory.
  `HD_COVER(c_slot_wait, slot_wait_o)
`endif

endmodule
