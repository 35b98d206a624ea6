// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_sched: SMX scheduler: hands out the TBs of the oldest marked kernel, one per cycle, each to
// the next SMX with room.
//
//   KMU/KD enter --> [SSCR] --> fits? --> round robin --> g_smx[i].u_tbcr --> dispatch to SMX i
//   FCFS next ---'                             |             |   ^----------- cta_done of SMX i
//   KD: ExeBL + 1, desc <--------- grant ------'             v
//   KD: ExeBL - 1 <--------------- retire <-- round robin over the done FIFOs
//
// From dtbl-isca2015 sections 2.2, 2.3 and laperm-isca2016 section II; rates, pointer rules and the
// retire path are ours.
// - A decision sees the state at the start of the cycle: slot, place for the completion, empty
//   dispatch register, resources.
// - Visit 0: the first SMX at or after smx_ptr that can take the TB. Visit 1: only the SMX at
//   smx_ptr, which advances in every cycle with a kernel (LaPerm's literal walk).
// - The last TB of a kernel loads the SSCR with the second oldest at the same edge, or with a
//   kernel that enters in this cycle: one TB per cycle also across a change of kernel. The SSCR
//   holds a copy of need and ctas.
// - One completed TB of all SMXs is retired per cycle, round robin; the KD is told one cycle later,
//   so that this choice and the count there each have a cycle of their own.
// - Latency: kernel enters at t, decision t+1, dispatch t+2. grant_* are functions of
//   registers.
// - Reset: SSCR empty, pointers 0.
// Ports: sched.csv. Model cmodel/sched, tests verif/unit and verif/equiv test_sched, page
// docs/sched.md.
`include "common/hd_fault.svh"
module hd_sched (
  input  logic                                        clk_i,
  input  logic                                        rst_ni,
  input  logic                                        enter_valid_i,
  input  logic                                        enter_ready_i,
  input  logic [hd_pkg::KdeW-1:0]                     enter_kdei_i,
  input  hd_pkg::need_t                               enter_need_i,
  input  logic [hd_pkg::CtasW-1:0]                    enter_ctas_i,
  input  logic                                        next_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                     next_kdei_i,
  input  logic [hd_pkg::NumKde*hd_pkg::NeedW-1:0]     need_i,
  input  logic [hd_pkg::NumKde*hd_pkg::CtasW-1:0]     ctas_i,
  input  hd_pkg::desc_t                               desc_i,
  output logic                                        grant_valid_o,
  output logic [hd_pkg::KdeW-1:0]                     grant_kdei_o,
  output logic [hd_pkg::SmxW-1:0]                     grant_smx_o,
  output logic                                        grant_last_o,
  output logic                                        blocked_o,
  output logic                                        retire_valid_o,
  output logic [hd_pkg::KdeW-1:0]                     retire_kdei_o,
  output logic [hd_pkg::NumSmx-1:0]                   dispatch_valid_o,
  output logic [hd_pkg::NumSmx*hd_pkg::DispatchW-1:0] dispatch_o,
  input  logic [hd_pkg::NumSmx-1:0]                   dispatch_ready_i,
  input  logic [hd_pkg::NumSmx-1:0]                   cta_done_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::SlotW-1:0]     cta_done_slot_i,
  output logic [hd_pkg::NumSmx-1:0]                   done_ok_o,
  output logic [hd_pkg::NumSmx-1:0]                   done_empty_o,
  output logic [hd_pkg::NumSmx-1:0]                   done_early_o
);

  localparam int NumSmx = hd_pkg::NumSmx;
  localparam int SmxW = hd_pkg::SmxW;
  localparam int SlotW = hd_pkg::SlotW;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int NeedW = hd_pkg::NeedW;
  localparam int CtasW = hd_pkg::CtasW;
  localparam int DispatchW = hd_pkg::DispatchW;
  localparam int WarpsW = hd_pkg::WarpsW;
  localparam int RegUnitsW = hd_pkg::RegUnitsW;
  localparam int SmemUnitsW = hd_pkg::SmemUnitsW;

  logic sscr_valid_q;
  logic [KdeW-1:0] sscr_kdei_q;
  hd_pkg::need_t sscr_need_q;
  logic [CtasW-1:0] sscr_ctas_q, sscr_nextbl_q;
  logic [SmxW-1:0] smx_ptr_q, retire_ptr_q;
  logic retired_valid_q;
  logic [KdeW-1:0] retired_kdei_q;

  // ---- The SMXs ---------------------------------------------------------------------------------
  logic [NumSmx-1:0] can_take, granted, retire_valid, retired;
  logic [NumSmx-1:0] slot_free, done_room, room;
  logic [NumSmx*WarpsW-1:0] free_warps;
  logic [NumSmx*RegUnitsW-1:0] free_regs;
  logic [NumSmx*SmemUnitsW-1:0] free_smem;
  logic [NumSmx*KdeW-1:0] retire_kdei;

  for (genvar i = 0; i < NumSmx; i++) begin : g_smx
    hd_tbcr u_tbcr (
      .clk_i           (clk_i),
      .rst_ni          (rst_ni),
      .grant_i         (granted[i]),
      .grant_kdei_i    (sscr_kdei_q),
      .grant_blkid_i   (sscr_nextbl_q),
      .grant_need_i    (sscr_need_q),
      .need_i          (need_i),
      .desc_i          (desc_i),
      .retire_i        (retired[i]),
      .slot_free_o     (slot_free[i]),
      .done_room_o     (done_room[i]),
      .free_warps_o    (free_warps[i*WarpsW+:WarpsW]),
      .free_regs_o     (free_regs[i*RegUnitsW+:RegUnitsW]),
      .free_smem_o     (free_smem[i*SmemUnitsW+:SmemUnitsW]),
      .retire_valid_o  (retire_valid[i]),
      .retire_kdei_o   (retire_kdei[i*KdeW+:KdeW]),
      .dispatch_valid_o(dispatch_valid_o[i]),
      .dispatch_o      (dispatch_o[i*DispatchW+:DispatchW]),
      .dispatch_ready_i(dispatch_ready_i[i]),
      .cta_done_valid_i(cta_done_valid_i[i]),
      .cta_done_slot_i (cta_done_slot_i[i*SlotW+:SlotW]),
      .done_ok_o       (done_ok_o[i]),
      .done_empty_o    (done_empty_o[i]),
      .done_early_o    (done_early_o[i])
    );

    assign room[i] = sscr_need_q.warps <= free_warps[i*WarpsW+:WarpsW]
        && sscr_need_q.regs <= free_regs[i*RegUnitsW+:RegUnitsW]
        && `HD_FAULT(18, sscr_need_q.smem <= free_smem[i*SmemUnitsW+:SmemUnitsW],
                         sscr_need_q.smem < free_smem[i*SmemUnitsW+:SmemUnitsW]);
  end

  assign can_take = slot_free & done_room & ~dispatch_valid_o & room & {NumSmx{sscr_valid_q}};

  // ---- Choice of the SMX ------------------------------------------------------------------------
  logic [NumSmx-1:0] candidates;
  logic [SmxW-1:0] smx, smx_next, smx_ptr_d;
  logic grant, last;

  hd_rr_arb #(.N(NumSmx), .IdxW(SmxW)) u_smx (
    .req_i  (candidates),
    .ptr_i  (smx_ptr_q),
    .grant_o(granted),
    .index_o(smx),
    .valid_o(grant),
    .next_o (smx_next)
  );

  if (hd_pkg::Visit != 0) begin : g_visit
    assign candidates = can_take & ({{NumSmx - 1{1'b0}}, 1'b1} << smx_ptr_q);
    assign smx_ptr_d  = (smx_ptr_q == SmxW'(NumSmx - 1)) ? '0 : smx_ptr_q + SmxW'(1);
    logic unused_next;
    assign unused_next = &{1'b0, smx_next};
  end else begin : g_first
    assign candidates = can_take;
    assign smx_ptr_d  = grant ? `HD_FAULT(29, smx_next, smx) : smx_ptr_q;
  end

  assign last = grant && sscr_nextbl_q + CtasW'(1) == sscr_ctas_q;

  // ---- SSCR -------------------------------------------------------------------------------------
  logic enter, load_next, load_enter;

  assign enter      = enter_valid_i && enter_ready_i;
  assign load_next  = last && next_valid_i;
  assign load_enter = enter && (`HD_FAULT(19, last, 1'b0) ? !next_valid_i : !sscr_valid_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sscr_valid_q    <= 1'b0;
      smx_ptr_q       <= '0;
      retire_ptr_q    <= '0;
      retired_valid_q <= 1'b0;
    end else begin
      if (last || !sscr_valid_q) sscr_valid_q <= load_next || load_enter;
      if (sscr_valid_q) smx_ptr_q <= smx_ptr_d;
      if (retire_any) retire_ptr_q <= `HD_FAULT(20, retire_next, '0);
      retired_valid_q <= retire_any;
    end
  end

  always_ff @(posedge clk_i) begin
    if (load_next) begin
      sscr_kdei_q <= next_kdei_i;
      sscr_need_q <= need_i[next_kdei_i*NeedW+:NeedW];
      sscr_ctas_q <= ctas_i[next_kdei_i*CtasW+:CtasW];
    end else if (load_enter) begin
      sscr_kdei_q <= enter_kdei_i;
      sscr_need_q <= enter_need_i;
      sscr_ctas_q <= enter_ctas_i;
    end
    if (`HD_FAULT(30, load_next, 1'b0) || load_enter) sscr_nextbl_q <= '0;
    else if (grant) sscr_nextbl_q <= sscr_nextbl_q + CtasW'(1);
  end

  // ---- Retired TBs ------------------------------------------------------------------------------
  logic [SmxW-1:0] retire_smx, retire_next;
  logic retire_any;

  hd_rr_arb #(.N(NumSmx), .IdxW(SmxW)) u_retire (
    .req_i  (retire_valid),
    .ptr_i  (retire_ptr_q),
    .grant_o(retired),
    .index_o(retire_smx),
    .valid_o(retire_any),
    .next_o (retire_next)
  );

  always_ff @(posedge clk_i) retired_kdei_q <= retire_kdei[retire_smx*KdeW+:KdeW];

  assign retire_valid_o = retired_valid_q;
  assign retire_kdei_o  = retired_valid_q ? retired_kdei_q : '0;

  assign grant_valid_o = grant;
  assign grant_kdei_o  = sscr_valid_q ? sscr_kdei_q : '0;
  assign grant_smx_o   = smx;
  assign grant_last_o  = last;
  assign blocked_o     = sscr_valid_q && !grant;

`ifdef VERILATOR
  // One SMX at most gets the TB, and only one that can take it.
  a_grant :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      $onehot0(granted) && (granted & ~can_take) == '0);
  // One done FIFO at most is popped.
  a_retire :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      $onehot0(retired) && (retired & ~retire_valid) == '0);
  // A kernel in the SSCR has TBs left.
  a_left :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      sscr_valid_q && sscr_ctas_q != '0 |-> sscr_nextbl_q < sscr_ctas_q);
  // The pointers name SMXs.
  a_ptr :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      32'(smx_ptr_q) < NumSmx && 32'(retire_ptr_q) < NumSmx);
  // The rare: a kernel follows in the same cycle, one that enters follows at once, nobody has room,
  // completions queue up.
  c_next_follows :
  cover property (@(posedge clk_i) load_next);
  c_enter_follows :
  cover property (@(posedge clk_i) last && load_enter);
  c_blocked :
  cover property (@(posedge clk_i) blocked_o);
  c_many_done :
  cover property (@(posedge clk_i) &retire_valid);
`endif

endmodule
