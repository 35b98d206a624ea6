// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_sched_choice: selects the SMX that gets a TB in this cycle, and that TB.
//
//   laperm: bound, spare --+                                          +--> granted, smx
//   [u_fair] --------------+                                          |
//   SSCR, graph -----------+--> [u_offers] --> can_take --> [u_pick] --+--> [u_tb] --> the TB, take
//   resources of SMXs -----'        '--> from_bank, bank, need --------------'
//
// From dtbl-isca2015 section 4.2 and laperm-isca2016 section II.
// - u_offers computes the TB offered to each SMX and whether the SMX can take it; u_pick, a module
//   for the role `pick`, selects one of those SMXs; u_tb selects the TB that it gets, and its
//   descriptor one cycle later.
// - TBs that may run on any SMX go only to open SMXs; a TB bound to an SMX goes there even if that
//   SMX is closed.
// - When it is the turn of queue 0 (u_fair, FairEvery), the banks offer nothing to open SMXs.
// - The TB comes from one of three sources: a bank, the SSCR, the graph.
// - timing: the grant settles last in the cycle, so it only selects among prepared values.
// - Latency: combinational, except desc_o and unassigned_o (one cycle later). Rate: one TB per
//   cycle.
// - Reset: pointer 0, no turn, unassigned_o 0.
// Part of hd_sched, whose model and tests cover it; sched.csv shows the pointer.
`include "common/hd_assert.svh"
module hd_sched_choice (
  input  logic                                         clk_i,
  input  logic                                         rst_ni,
  // The kernel in the SSCR, its unit, and the kernel that would be next
  input  logic                                         cur_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      cur_kdei_i,
  input  logic                                         unit_valid_i,
  input  hd_pkg::sscrunit_t                            unit_i,
  input  logic                                         offer_valid_i,
  input  hd_pkg::need_t                                need_i,
  input  logic [hd_pkg::CtasW-1:0]                     nextbl_i,
  input  logic                                         new_valid_i,
  input  hd_pkg::need_t                                new_need_i,
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
  // Open SMXs; whether a TB for any SMX was offered in the cycle before (throttle)
  input  logic [hd_pkg::NumSmx-1:0]                    open_i,
  output logic                                         unassigned_o,
  // No TB in this cycle: the KD reads a descriptor for a suspension (kd)
  input  logic                                         stall_i,
  // The SMXs: slot and done FIFO place, an empty dispatch register, free resources
  input  logic [hd_pkg::NumSmx-1:0]                    slot_i,
  input  logic [hd_pkg::NumSmx-1:0]                    ready_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::WarpsW-1:0]     free_warps_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::RegUnitsW-1:0]  free_regs_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::SmemUnitsW-1:0] free_smem_i,
  // The SMX that gets a TB; the need of the TB offered to each
  output logic [hd_pkg::NumSmx-1:0]                    granted_o,
  output logic [hd_pkg::SmxW-1:0]                      smx_o,
  output logic [hd_pkg::NumSmx*hd_pkg::NeedW-1:0]      need_o,
  output logic                                         graph_first_o,
  output logic                                         blocked_o,
  // The source of the TB
  output logic                                         take_valid_o,
  output logic [hd_pkg::BankW-1:0]                     take_bank_o,
  output logic [hd_pkg::NumBank-1:0]                   take_o,
  output logic                                         take_spare_o,
  output logic [hd_pkg::KdeW-1:0]                      take_kdei_o,
  output logic                                         take_last_o,
  output logic                                         graph_take_o,
  output logic                                         grant_sscr_o,
  // The TB, and its descriptor in the next cycle
  output hd_pkg::cta_t                                 cta_o,
  input  hd_pkg::desc_t                                desc_i,
  output hd_pkg::desc_t                                desc_o
);

  localparam int NumSmx = hd_pkg::NumSmx;
  localparam int BankW = hd_pkg::BankW;

  // ---- Is it the turn of queue 0? --------------------------------------------------------------
  // The banks withhold nothing from a closed SMX, since it takes no TB of queue 0.
  logic [NumSmx-1:0] kept, bound_valid, spare_valid;
  logic turn;

  assign kept        = {NumSmx{turn}} & open_i;
  assign bound_valid = bound_valid_i & ~kept;
  assign spare_valid = spare_valid_i & ~kept;

  // ---- The TB offered to each SMX, and whether it can take it ----------------------------------
  logic [NumSmx-1:0] from_bank, can_take;
  logic [NumSmx*BankW-1:0] bank;
  logic graph_first, empty;

  hd_sched_offers u_offers (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .cur_valid_i  (cur_valid_i),
    .cur_kdei_i   (cur_kdei_i),
    .offer_valid_i(offer_valid_i),
    .need_i       (need_i),
    .new_valid_i  (new_valid_i),
    .new_need_i   (new_need_i),
    .bound_valid_i(bound_valid),
    .bound_bank_i (bound_bank_i),
    .bound_need_i (bound_need_i),
    .spare_valid_i(spare_valid),
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
    .open_i       (open_i),
    .slot_i       (slot_i),
    .ready_i      (ready_i),
    .free_warps_i (free_warps_i),
    .free_regs_i  (free_regs_i),
    .free_smem_i  (free_smem_i),
    .from_bank_o  (from_bank),
    .bank_o       (bank),
    .need_o       (need_o),
    .graph_first_o(graph_first),
    .empty_o      (empty),
    .can_take_o   (can_take)
  );

  // ---- TBs that may go to any SMX --------------------------------------------------------------
  logic unassigned_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) unassigned_q <= 1'b0;
    else begin
      unassigned_q <= offer_valid_i || graph_valid_i || (empty && spare_valid_i != '0);
    end
  end

  assign unassigned_o = unassigned_q;

  // ---- Choice of the SMX ------------------------------------------------------------------------
  logic [NumSmx-1:0] granted;
  logic active, grant;

  assign active = !empty || from_bank != '0;

  if (hd_pkg::Visit != 0) begin : g_pick
    hd_sched_pick_walk u_pick (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .active_i  (active),
      .can_take_i(can_take),
      .stall_i   (stall_i),
      .valid_o   (grant),
      .granted_o (granted),
      .smx_o     (smx_o)
    );
  end else begin : g_pick
    hd_sched_pick_first u_pick (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .active_i  (active),
      .can_take_i(can_take),
      .stall_i   (stall_i),
      .valid_o   (grant),
      .granted_o (granted),
      .smx_o     (smx_o)
    );
  end

  // ---- The TB ----------------------------------------------------------------------------------
  hd_sched_tb u_tb (
    .clk_i        (clk_i),
    .grant_i      (grant),
    .granted_i    (granted),
    .from_bank_i  (from_bank),
    .bank_i       (bank),
    .bank_front_i (bank_front_i),
    .bank_nextbl_i(bank_nextbl_i),
    .bank_last_i  (bank_last_i),
    .cur_kdei_i   (cur_kdei_i),
    .unit_i       (unit_i),
    .nextbl_i     (nextbl_i),
    .graph_first_i(graph_first),
    .run_kdei_i   (run_kdei_i),
    .graph_index_i(graph_index_i),
    .graph_cta_i  (graph_cta_i),
    .take_valid_o (take_valid_o),
    .take_bank_o  (take_bank_o),
    .take_o       (take_o),
    .take_kdei_o  (take_kdei_o),
    .take_last_o  (take_last_o),
    .cta_o        (cta_o),
    .desc_i       (desc_i),
    .desc_o       (desc_o)
  );

  assign take_spare_o = (granted & from_bank & ~bound_valid) != '0;
  assign grant_sscr_o = (granted & ~from_bank & {NumSmx{!graph_first}}) != '0;
  assign graph_take_o = (granted & ~bound_valid & {NumSmx{graph_first}}) != '0;

  hd_sched_fair u_fair (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .offers_i(offer_valid_i || graph_first),
    .own_i   (grant && !take_valid_o),
    .bank_i  (take_valid_o),
    .turn_o  (turn)
  );

  assign granted_o     = granted;
  assign graph_first_o = graph_first;
  assign blocked_o     = !grant
      && ((cur_valid_i && unit_valid_i) || graph_valid_i || from_bank != '0);

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT(a_grant, $onehot0(granted) && (granted & ~can_take) == '0,
          "A TB is granted to more than one SMX, or to one that cannot take it.")
      `HD_ASSERT(a_source, $onehot0({grant_sscr_o, take_valid_o, graph_take_o}),
          "A TB is taken from more than one of SSCR, banks and graph.")
      if (grant) `HD_ASSERT(a_agei, cta_o.age_valid || graph_take_o || cta_o.agei == '0,
          "A TB with neither an AGE nor a place of the graph is granted with an AGEI.")
      `HD_ASSERT_IN(a_wants, !graph_wants_i || 32'(graph_smx_i) < NumSmx,
          "The graph wants an SMX that does not exist.")
    end
  end
  `HD_ASSERT_PROP_IN(a_graph_stable, graph_valid_i && !graph_take_o |=> !graph_valid_i
      || $stable(run_kdei_i),
      "The offer of the graph changed to another kernel before a TB was taken.")
  `HD_ASSERT_PROP(a_open, (granted & ~open_i & ~bound_valid) == '0,
      "A TB that is not bound to its SMX is granted to a closed SMX.")
  `HD_ASSERT_PROP(a_turn, turn |-> (granted & from_bank & open_i) == '0,
      "In the turn of queue 0 a TB of a bank is granted to an open SMX.")

  // Rare: no SMX has room; a turn of queue 0 waits; a bound TB goes to a closed SMX; the preferred
  // SMX gets the TB of the graph; the graph waits for an older kernel.
  `HD_COVER(c_blocked, blocked_o)
  `HD_COVER(c_turn_waits, turn && !grant && bound_valid_i != '0)
  `HD_COVER(c_bound_on_closed, (granted & ~open_i) != '0)
  `HD_COVER(c_wish, graph_take_o && graph_wants_i && smx_o == graph_smx_i)
  `HD_COVER(c_older, graph_valid_i && !graph_first)
`endif

endmodule
