// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_sched: SMX scheduler: hands out TBs, one per cycle, each to the next SMX with room: those of
// the banks that laperm offers, and those of queue 0, the oldest marked kernel and the graph.
//
//   laperm: bound, spare ---------------+
//   KMU/KD, FCFS, --> [u_sscr: kernel, -+-> u_offers --> [u_pick] --> g_smx[i].u_tbcr --> SMX
//   link, agt, susp     unit] <-- grant | ------------------'           |   ^ cta_done
//   dats: TB of the graph --------------'  KD, agc: + 1 <--'       [retire register] --> KD, agc
//                                                                       '--> nodes done, to dgb
//
// From dtbl-isca2015 sections 2.2, 2.3, 4.2 and laperm-isca2016 section II; rates, pointer rules,
// units and the retire path are ours.
// - u_sscr says which TB of queue 0 is next, u_offers what each SMX is offered, and which can take
//   it, u_pick, a module for the role `pick`, which does. u_tb is the TB that is handed out.
// - The descriptor of a TB is the KD's, one cycle after the grant; a group's dimensions and parameter
//   address, or a saved TB's context pointer, replace the kernel's.
// - One completed TB of all SMXs is retired per cycle, round robin; KD and agc are told one cycle
//   later, so that this choice and the count there each have a cycle of their own.
// - Latency: kernel enters at t, decision t+1, dispatch t+2. grant_* are functions of registers and
//   of inputs that are registers elsewhere. The grant is the last signal of the cycle to settle: it
//   only chooses among what is ready before it.
// - Reset: SSCR empty, pointers 0.
// Ports: sched.csv. Model cmodel/dispatch/sched, tests verif/unit and verif/equiv test_sched, page
// docs/dispatch/sched.md.
`include "common/hd_fault.svh"
module hd_sched (
  input  logic                                         clk_i,
  input  logic                                         rst_ni,
  // A kernel enters the KD (kmu, kd)
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
  // The entries of the KD (kd)
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
  // The kernels' lists of groups (link)
  input  logic [hd_pkg::NumKde-1:0]                    pending_i,
  input  logic [hd_pkg::NumKde-1:0]                    single_i,
  input  logic                                         link_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      link_kdei_i,
  // The next group (agt), a slot for it (agc)
  input  logic                                         group_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      group_kdei_i,
  input  hd_pkg::group_t                               group_i,
  input  logic                                         slot_valid_i,
  input  logic [hd_pkg::OvfW-1:0]                      slot_i,
  // The next saved TB (susp)
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
  // The next TB of the graph (dats)
  input  logic                                         graph_valid_i,
  input  logic [hd_pkg::LnaW-1:0]                      graph_index_i,
  input  logic [hd_pkg::CtasW-1:0]                     graph_cta_i,
  input  logic                                         graph_wants_i,
  input  logic [hd_pkg::SmxW-1:0]                      graph_smx_i,
  input  logic [hd_pkg::NumKde-1:0]                    older_i,
  input  logic                                         run_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      run_kdei_i,
  input  hd_pkg::need_t                                run_need_i,
  // A TB from a bank is handed out (laperm, kd)
  output logic                                         take_valid_o,
  output logic [hd_pkg::BankW-1:0]                     take_bank_o,
  output logic [hd_pkg::NumBank-1:0]                   take_o,
  output logic                                         take_spare_o,
  output logic [hd_pkg::KdeW-1:0]                      take_kdei_o,
  output logic                                         take_last_o,
  // A TB of the graph is handed out (dats, kd)
  output logic                                         graph_take_o,
  // A TB of the SSCR is handed out (kd, regs)
  output logic                                         grant_valid_o,
  output logic [hd_pkg::KdeW-1:0]                      grant_kdei_o,
  output logic [hd_pkg::SmxW-1:0]                      grant_smx_o,
  output logic [hd_pkg::UnitW-1:0]                     grant_kind_o,
  output logic [hd_pkg::LevelW-1:0]                    grant_level_o,
  output logic                                         unit_end_o,
  // The kernel in the SSCR (fcfs, agt, susp, regs)
  output logic                                         unmark_o,
  output logic                                         rotate_o,
  output logic                                         give_way_o,
  output logic                                         blocked_o,
  output logic                                         cur_valid_o,
  output logic                                         waiting_o,
  output logic                                         slot_wait_o,
  // Its groups and saved TBs (link, agt, agc, susp)
  output logic                                         adv_valid_o,
  output logic                                         group_pop_o,
  output logic                                         load_valid_o,
  output hd_pkg::ptr_t                                 load_ptr_o,
  output logic                                         grant_group_o,
  output logic                                         grant_end_o,
  output logic                                         sv_pop_o,
  // It stops within a unit (kd, agc)
  output logic                                         park_valid_o,
  output logic [hd_pkg::CtasW-1:0]                     park_nextbl_o,
  output logic                                         park_group_o,
  // A TB slot is asked for (devq)
  input  logic [hd_pkg::SmxW-1:0]                      look_smx_i,
  input  logic [hd_pkg::SlotW-1:0]                     look_slot_i,
  output hd_pkg::look_t                                look_o,
  // A TB is done (kd, agc)
  output logic                                         retire_valid_o,
  output hd_pkg::retire_t                              retire_o,
  // TBs to the SMXs
  output logic [hd_pkg::NumSmx-1:0]                    dispatch_valid_o,
  output logic [hd_pkg::NumSmx*hd_pkg::DispatchW-1:0]  dispatch_o,
  input  logic [hd_pkg::NumSmx-1:0]                    dispatch_ready_i,
  // Completions of the SMXs, and what they were (regs)
  input  logic [hd_pkg::NumSmx-1:0]                    cta_done_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::SlotW-1:0]      cta_done_slot_i,
  output logic [hd_pkg::NumSmx-1:0]                    done_ok_o,
  output logic [hd_pkg::NumSmx-1:0]                    done_empty_o,
  output logic [hd_pkg::NumSmx-1:0]                    done_early_o,
  // Nodes of the graph that are done (dgb)
  output logic [hd_pkg::NumSmx-1:0]                    node_done_o,
  output logic [hd_pkg::NumSmx*hd_pkg::LnaW-1:0]       node_place_o
);

  localparam int NumSmx = hd_pkg::NumSmx;
  localparam int SmxW = hd_pkg::SmxW;
  localparam int BankW = hd_pkg::BankW;
  localparam int SlotW = hd_pkg::SlotW;
  localparam int NeedW = hd_pkg::NeedW;
  localparam int LnaW = hd_pkg::LnaW;
  localparam int DispatchW = hd_pkg::DispatchW;
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
  logic new_valid;  // another kernel would follow
  hd_pkg::need_t new_need;

  hd_sscr u_sscr (
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

  // ---- The SMXs ---------------------------------------------------------------------------------
  logic [NumSmx-1:0] can_take, granted, retire_valid, popped;
  logic [NumSmx-1:0] slot_free, done_room;
  logic [NumSmx*WarpsW-1:0] free_warps;
  logic [NumSmx*RegUnitsW-1:0] free_regs;
  logic [NumSmx*SmemUnitsW-1:0] free_smem;
  logic [NumSmx*hd_pkg::RetireW-1:0] retire;
  logic [NumSmx*hd_pkg::LookW-1:0] look;
  hd_pkg::desc_t desc;

  for (genvar i = 0; i < NumSmx; i++) begin : g_smx
    hd_tbcr u_tbcr (
      .clk_i            (clk_i),
      .rst_ni           (rst_ni),
      .grant_i          (granted[i]),
      .grant_kdei_i     (cta_kdei),
      .grant_group_i    (cta_group),
      .grant_age_valid_i(cta_age_valid),
      .grant_agei_i     (cta_agei),
      .grant_level_i    (cta_level),
      .grant_restart_i  (cta_restart),
      .grant_blkid_i    (cta_blkid),
      .grant_need_i     (needs[i*NeedW+:NeedW]),
      .need_i           (need_i),
      .desc_i           (desc),
      .run_valid_i      (run_valid_i),
      .run_kdei_i       (run_kdei_i),
      .pop_i            (popped[i]),
      .look_slot_i      (look_slot_i),
      .look_o           (look[i*hd_pkg::LookW+:hd_pkg::LookW]),
      .slot_free_o      (slot_free[i]),
      .done_room_o      (done_room[i]),
      .free_warps_o     (free_warps[i*WarpsW+:WarpsW]),
      .free_regs_o      (free_regs[i*RegUnitsW+:RegUnitsW]),
      .free_smem_o      (free_smem[i*SmemUnitsW+:SmemUnitsW]),
      .retire_valid_o   (retire_valid[i]),
      .retire_o         (retire[i*hd_pkg::RetireW+:hd_pkg::RetireW]),
      .dispatch_valid_o (dispatch_valid_o[i]),
      .dispatch_o       (dispatch_o[i*DispatchW+:DispatchW]),
      .dispatch_ready_i (dispatch_ready_i[i]),
      .cta_done_valid_i (cta_done_valid_i[i]),
      .cta_done_slot_i  (cta_done_slot_i[i*SlotW+:SlotW]),
      .done_ok_o        (done_ok_o[i]),
      .done_empty_o     (done_empty_o[i]),
      .done_early_o     (done_early_o[i]),
      .node_done_o      (node_done_o[i]),
      .node_place_o     (node_place_o[i*LnaW+:LnaW])
    );

  end

  // ---- What each SMX is offered, and whether it can take it ---------------------------------------
  logic [NumSmx-1:0] from_bank;
  logic [NumSmx*BankW-1:0] bank;
  logic [NumSmx*NeedW-1:0] needs;
  logic graph_first, empty;

  hd_sched_offers u_offers (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .cur_valid_i  (cur_valid),
    .cur_kdei_i   (cur_kdei),
    .offer_valid_i(`HD_FAULT(98, offer_valid, unit_valid)),
    .need_i       (need),
    .new_valid_i  (new_valid),
    .new_need_i   (new_need),
    .bound_valid_i(bound_valid_i),
    .bound_bank_i (bound_bank_i),
    .bound_need_i (bound_need_i),
    .spare_valid_i(spare_valid_i),
    .spare_bank_i (spare_bank_i),
    .spare_need_i (spare_need_i),
    .then_valid_i (then_valid_i),
    .then_need_i  (then_need_i),
    .graph_valid_i(graph_valid_i),
    .graph_wants_i(graph_wants_i),
    .graph_smx_i  (graph_smx_i),
    .older_i      (older_i),
    .run_valid_i  (run_valid_i),
    .run_need_i   (run_need_i),
    .slot_i       (slot_free & done_room),
    .ready_i      (~dispatch_valid_o & {NumSmx{!steal_i}}),
    .free_warps_i (free_warps),
    .free_regs_i  (free_regs),
    .free_smem_i  (free_smem),
    .from_bank_o  (from_bank),
    .bank_o       (bank),
    .need_o       (needs),
    .graph_first_o(graph_first),
    .empty_o      (empty),
    .can_take_o   (can_take)
  );

  // ---- Choice of the SMX ------------------------------------------------------------------------
  logic [SmxW-1:0] smx;
  logic active, grant;

  assign active = !empty || from_bank != '0;

  if (hd_pkg::Visit != 0) begin : g_pick
    hd_pick_walk u_pick (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .active_i  (active),
      .can_take_i(can_take),
      .valid_o   (grant),
      .granted_o (granted),
      .smx_o     (smx)
    );
  end else begin : g_pick
    hd_pick_first u_pick (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .active_i  (active),
      .can_take_i(can_take),
      .valid_o   (grant),
      .granted_o (granted),
      .smx_o     (smx)
    );
  end

  // ---- The TB ------------------------------------------------------------------------------------
  logic cta_group, cta_age_valid, cta_restart;
  logic [hd_pkg::KdeW-1:0] cta_kdei;
  logic [hd_pkg::AgeiW-1:0] cta_agei;
  logic [hd_pkg::LevelW-1:0] cta_level;
  logic [hd_pkg::CtasW-1:0] cta_blkid;

  hd_sched_tb u_tb (
    .clk_i        (clk_i),
    .grant_i      (grant),
    .granted_i    (granted),
    .from_bank_i  (from_bank),
    .bank_i       (bank),
    .bank_front_i (bank_front_i),
    .bank_nextbl_i(bank_nextbl_i),
    .bank_last_i  (bank_last_i),
    .cur_kdei_i   (cur_kdei),
    .unit_i       (unit),
    .nextbl_i     (nextbl),
    .graph_first_i(graph_first),
    .run_kdei_i   (run_kdei_i),
    .graph_index_i(graph_index_i),
    .graph_cta_i  (graph_cta_i),
    .take_valid_o (take_valid_o),
    .take_bank_o  (take_bank_o),
    .take_o       (take_o),
    .take_kdei_o  (take_kdei_o),
    .take_last_o  (take_last_o),
    .kdei_o       (cta_kdei),
    .group_o      (cta_group),
    .age_valid_o  (cta_age_valid),
    .agei_o       (cta_agei),
    .level_o      (cta_level),
    .restart_o    (cta_restart),
    .blkid_o      (cta_blkid),
    .desc_i       (desc_i),
    .desc_o       (desc)
  );

  assign take_spare_o = (granted & from_bank & ~bound_valid_i) != '0;
  assign grant_sscr   = (granted & ~from_bank & {NumSmx{!graph_first}}) != '0;
  assign graph_take_o = (granted & ~bound_valid_i & {NumSmx{graph_first}}) != '0;

  // ---- Look -------------------------------------------------------------------------------------
  logic [SmxW-1:0] look_smx_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) look_smx_q <= '0;  // names an SMX from the start
    else look_smx_q <= look_smx_i;
  end

  assign look_o = look[look_smx_q*hd_pkg::LookW+:hd_pkg::LookW];

  // ---- Retired TBs ------------------------------------------------------------------------------
  hd_sched_retire u_retire (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .done_valid_i  (retire_valid),
    .done_i        (retire),
    .pop_o         (popped),
    .retire_valid_o(retire_valid_o),
    .retire_o      (retire_o)
  );

  // ---- Outputs ----------------------------------------------------------------------------------
  assign grant_valid_o = grant_sscr;
  assign grant_kdei_o  = cur_valid ? cur_kdei : '0;
  assign grant_smx_o   = smx;
  assign grant_kind_o  = (cur_valid && unit_valid) ? unit.kind : '0;
  assign grant_level_o = (cur_valid && unit_valid && `HD_FAULT(308, !graph_first, 1'b1))
      ? unit.level : '0;
  assign unit_end_o    = grant_sscr && last;
  assign blocked_o     = ((cur_valid && unit_valid) || graph_valid_i || from_bank != '0) && !grant;
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

`ifdef VERILATOR
  logic [NumSmx*hd_pkg::DoneCountW-1:0] owed;
  logic [31:0] outstanding;

  for (genvar i = 0; i < NumSmx; i++) begin : g_owed
    assign owed[i*hd_pkg::DoneCountW+:hd_pkg::DoneCountW] = g_smx[i].u_tbcr.owed_q;
  end

  always_comb begin
    outstanding = '0;
    for (int i = 0; i < NumSmx; i++) begin
      outstanding += 32'(owed[i*hd_pkg::DoneCountW+:hd_pkg::DoneCountW]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // One SMX at most gets the TB, and only one that can take it.
      a_grant : assert ($onehot0(granted) && (granted & ~can_take) == '0);
      // One of the three sources at most.
      a_source : assert ($onehot0({grant_valid_o, take_valid_o, graph_take_o}));
      // The graph's TBs need what its entry says: that comes back when they are done. They are those of
      // the graph that runs.
      if (graph_take_o) begin
        a_need : assert (run_valid_i && run_need_i == need_i[run_kdei_i*NeedW+:NeedW]);
      end
      // An AGE is named only by a TB of a group, a place of the LNA only by one of the graph.
      if (grant) a_agei : assert (cta_age_valid || graph_take_o || cta_agei == '0);
      // What is offered wants an SMX that exists.
      a_wants : assert (!graph_wants_i || 32'(graph_smx_i) < NumSmx);
      // No more TBs than there are slots are handed out and not yet retired: one is retired in every
      // cycle in which any is done. So the counts of agc can be modulo (ExeHalfW).
      if (granted != '0) begin
        a_outstanding : assert (outstanding + 1 - 32'(popped != '0) <= hd_pkg::Resident);
      end
    end
  end
  // The TB of the graph stays until it is taken, or the graph ends.
  a_graph_stable :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      graph_valid_i && !graph_take_o |=> !graph_valid_i
      || ($stable(run_kdei_i) && $stable(graph_index_i) && $stable(graph_smx_i)));
  // The rare: no slot for a group from memory, nobody has room, completions queue up; a wish that is
  // granted behind the pointer, the graph waits for an older kernel.
  c_wish :
  cover property (@(posedge clk_i) graph_take_o && graph_wants_i && smx == graph_smx_i);
  c_older :
  cover property (@(posedge clk_i) graph_valid_i && !graph_first);
  c_slot_wait :
  cover property (@(posedge clk_i) slot_wait_o);
  c_blocked :
  cover property (@(posedge clk_i) blocked_o);
  c_many_done :
  cover property (@(posedge clk_i) &retire_valid);
`endif

endmodule
