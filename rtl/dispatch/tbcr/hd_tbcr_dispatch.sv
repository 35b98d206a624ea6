// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_tbcr_dispatch: the dispatch register of an SMX, which holds the TB offered to it.
//
//   grant --> [slot, kernel, group, AGE, level, id] --+--> dispatch, to the SMX
//   desc (KD, one cycle later) --> [desc] ------------'
//
// From dtbl-isca2015 section 2.2.
// - A grant fills it (only while it is empty); it holds the TB until the SMX accepts it.
// - The descriptor of the kernel arrives in the cycle after the grant, the first in which the TB is
//   offered: dispatch_o uses desc_i in that cycle and a copy from the next one on.
// - Latency: offered one cycle after the grant. Rate: a TB every other cycle.
// - dispatch_o is 0 while no TB is offered; slot_o is not.
// - Reset: empty.
// Part of hd_tbcr, whose tests cover it.
module hd_tbcr_dispatch (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  // A TB is granted, into this slot
  input  logic                     grant_i,
  input  logic [hd_pkg::SlotW-1:0] grant_slot_i,
  input  logic [hd_pkg::KdeW-1:0]  grant_kdei_i,
  input  logic                     grant_group_i,
  input  logic                     grant_age_valid_i,
  input  logic [hd_pkg::AgeW-1:0]  grant_agei_i,
  input  logic [hd_pkg::LevelW-1:0] grant_level_i,
  input  logic                     grant_restart_i,
  input  logic [hd_pkg::CtasW-1:0] grant_blkid_i,
  // Descriptor of the kernel granted in the cycle before
  input  hd_pkg::desc_t            desc_i,
  // The TB for the SMX
  output logic                     valid_o,
  output logic [hd_pkg::SlotW-1:0] slot_o,
  output hd_pkg::dispatch_t        dispatch_o,
  input  logic                     ready_i
);

  logic disp_valid_q, fresh_q;
  logic [hd_pkg::SlotW-1:0] disp_slot_q;
  logic [hd_pkg::KdeW-1:0] disp_kdei_q;
  logic disp_group_q, disp_age_valid_q, disp_restart_q;
  logic [hd_pkg::AgeW-1:0] disp_agei_q;
  logic [hd_pkg::LevelW-1:0] disp_level_q;
  logic [hd_pkg::CtasW-1:0] disp_blkid_q;
  hd_pkg::desc_t desc_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      disp_valid_q <= 1'b0;
      fresh_q      <= 1'b0;
    end else begin
      disp_valid_q <= grant_i || (disp_valid_q && !ready_i);
      fresh_q      <= grant_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (grant_i) begin
      disp_slot_q      <= grant_slot_i;
      disp_kdei_q      <= grant_kdei_i;
      disp_group_q     <= grant_group_i;
      disp_age_valid_q <= grant_age_valid_i;
      disp_agei_q      <= grant_agei_i;
      disp_level_q     <= grant_level_i;
      disp_restart_q   <= grant_restart_i;
      disp_blkid_q     <= grant_blkid_i;
    end
    if (fresh_q) desc_q <= desc_i;
  end

  always_comb begin
    dispatch_o = '0;
    if (disp_valid_q) begin
      dispatch_o.slot      = disp_slot_q;
      dispatch_o.kdei      = disp_kdei_q;
      dispatch_o.group     = disp_group_q;
      dispatch_o.age_valid = disp_age_valid_q;
      dispatch_o.agei      = disp_agei_q;
      dispatch_o.level     = disp_level_q;
      dispatch_o.restart   = disp_restart_q;
      dispatch_o.blkid     = disp_blkid_q;
      dispatch_o.desc      = fresh_q ? desc_i : desc_q;
    end
  end

  assign valid_o = disp_valid_q;
  assign slot_o  = disp_slot_q;

endmodule
