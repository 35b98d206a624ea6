// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_sched_smxs: the TB slots of all SMXs: resident TBs, free resources, and completed TBs.
//
//   granted, the TB --> [g_smx[i].u_tbcr] --+--> dispatch, to SMX i
//   cta_done of SMX i ------'               +--> slot, free: to the choice
//                                           +--> done FIFOs --> [u_retire] --> KD, agc
//                                           +--> node_done, to dgb; look, to devq
//
// From dtbl-isca2015 section 2.3. Rates, units and the retire path are ours.
// - A slot is looked up at t (look_*); look_o shows its contents at t+1.
// - u_retire retires one completed TB of all SMXs per cycle.
// - Outputs come from registers, except dispatch_o.desc in the first cycle of a dispatch.
// - Reset: SMXs empty, pointer 0.
// Part of hd_sched, whose model and tests cover it.
`include "common/hd_assert.svh"

module hd_sched_smxs (
  input  logic                                         clk_i,
  input  logic                                         rst_ni,
  // The TB that is granted, and its descriptor in the next cycle
  input  logic [hd_pkg::NumSmx-1:0]                    granted_i,
  input  hd_pkg::cta_t                                 cta_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::NeedW-1:0]      needs_i,
  input  hd_pkg::desc_t                                desc_i,
  // The need of a TB of each kernel (kd), the kernel whose TBs are nodes of the graph (dats)
  input  logic [hd_pkg::NumKde*hd_pkg::NeedW-1:0]      need_i,
  input  logic                                         run_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      run_kdei_i,
  // Free resources of each SMX
  output logic [hd_pkg::NumSmx-1:0]                    slot_o,
  output logic [hd_pkg::NumSmx*hd_pkg::WarpsW-1:0]     free_warps_o,
  output logic [hd_pkg::NumSmx*hd_pkg::RegUnitsW-1:0]  free_regs_o,
  output logic [hd_pkg::NumSmx*hd_pkg::SmemUnitsW-1:0] free_smem_o,
  // Lookup of a TB slot (devq)
  input  logic [hd_pkg::SmxW-1:0]                      look_smx_i,
  input  logic [hd_pkg::SlotW-1:0]                     look_slot_i,
  output hd_pkg::look_t                                look_o,
  // A retired TB (kd, agc)
  output logic                                         retire_valid_o,
  output hd_pkg::retire_t                              retire_o,
  // TBs to the SMXs
  output logic [hd_pkg::NumSmx-1:0]                    dispatch_valid_o,
  output logic [hd_pkg::NumSmx*hd_pkg::DispatchW-1:0]  dispatch_o,
  input  logic [hd_pkg::NumSmx-1:0]                    dispatch_ready_i,
  // Completions of the SMXs, and their verdicts (regs)
  input  logic [hd_pkg::NumSmx-1:0]                    cta_done_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::SlotW-1:0]      cta_done_slot_i,
  output logic [hd_pkg::NumSmx-1:0]                    done_ok_o,
  output logic [hd_pkg::NumSmx-1:0]                    done_empty_o,
  output logic [hd_pkg::NumSmx-1:0]                    done_early_o,
  // Completed nodes of the graph (dgb)
  output logic [hd_pkg::NumSmx-1:0]                    node_done_o,
  output logic [hd_pkg::NumSmx*hd_pkg::LnaW-1:0]       node_place_o
);

  localparam int NumSmx = hd_pkg::NumSmx;
  localparam int SmxW = hd_pkg::SmxW;
  localparam int SlotW = hd_pkg::SlotW;
  localparam int NeedW = hd_pkg::NeedW;
  localparam int LnaW = hd_pkg::LnaW;
  localparam int DispatchW = hd_pkg::DispatchW;
  localparam int WarpsW = hd_pkg::WarpsW;
  localparam int RegUnitsW = hd_pkg::RegUnitsW;
  localparam int SmemUnitsW = hd_pkg::SmemUnitsW;
  localparam int LookW = hd_pkg::LookW;
  localparam int RetireW = hd_pkg::RetireW;

  // ---- The SMXs ---------------------------------------------------------------------------------
  logic [NumSmx-1:0] slot_free, done_room, done_valid, popped;
  logic [NumSmx*RetireW-1:0] done;
  logic [NumSmx*LookW-1:0] look;

  for (genvar i = 0; i < NumSmx; i++) begin : g_smx
    hd_tbcr u_tbcr (
      .clk_i            (clk_i),
      .rst_ni           (rst_ni),
      .grant_i          (granted_i[i]),
      .grant_kdei_i     (cta_i.kdei),
      .grant_group_i    (cta_i.group),
      .grant_age_valid_i(cta_i.age_valid),
      .grant_agei_i     (cta_i.agei),
      .grant_level_i    (cta_i.level),
      .grant_restart_i  (cta_i.restart),
      .grant_blkid_i    (cta_i.blkid),
      .grant_need_i     (needs_i[i*NeedW+:NeedW]),
      .need_i           (need_i),
      .desc_i           (desc_i),
      .run_valid_i      (run_valid_i),
      .run_kdei_i       (run_kdei_i),
      .pop_i            (popped[i]),
      .look_slot_i      (look_slot_i),
      .look_o           (look[i*LookW+:LookW]),
      .slot_free_o      (slot_free[i]),
      .done_room_o      (done_room[i]),
      .free_warps_o     (free_warps_o[i*WarpsW+:WarpsW]),
      .free_regs_o      (free_regs_o[i*RegUnitsW+:RegUnitsW]),
      .free_smem_o      (free_smem_o[i*SmemUnitsW+:SmemUnitsW]),
      .retire_valid_o   (done_valid[i]),
      .retire_o         (done[i*RetireW+:RetireW]),
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

  assign slot_o = slot_free & done_room;

  // ---- Lookup of a TB slot ---------------------------------------------------------------------
  logic [SmxW-1:0] look_smx_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) look_smx_q <= '0;  // always a valid SMX number
    else look_smx_q <= look_smx_i;
  end

  assign look_o = look[look_smx_q*LookW+:LookW];

  // ---- Retired TBs ------------------------------------------------------------------------------
  hd_sched_retire u_retire (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .done_valid_i  (done_valid),
    .done_i        (done),
    .pop_o         (popped),
    .retire_valid_o(retire_valid_o),
    .retire_o      (retire_o)
  );

`ifdef HD_ASSERT_ON
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
    if (rst_ni && granted_i != '0) begin
      `HD_ASSERT_IN(a_outstanding, outstanding + 1 - 32'(popped != '0) <= hd_pkg::Resident,
          "More TBs than the SMXs have slots are handed out and not yet retired.")
    end
  end

  // Rare: every done FIFO holds a completion.
  `HD_COVER(c_many_done, &done_valid)
`endif

endmodule
