// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_devq_room: checks that a running TB sent the launch, and that the launch has room.
//
//   launch --> [A2] --group--> a2_*, to link
//                | look: the TB's kernel, level --> parent record, level, place of the saved TB
//                '------------------------------> code: as judged, empty slot, or refused
//
// The stage A2 of devq. From CUDA's dynamic parallelism; parent records and saved TBs are ours.
// - Every launch must come from a slot with a running TB; otherwise CodeEmptySlot.
// - A kernel needs room in its stream, a place in the pool, and a parent record (that of its
//   parent, or a free one). A save needs a parent record with space in memory. Otherwise
//   CodeRefused. Room for a group is known only in A3.
// - A child is one level deeper than its parent, up to MaxLevel; a saved TB keeps its level.
// - The saved list is a ring of SavMax places; sav_pos_o is the place behind its last entry.
// - Data registers load every cycle; only the valid bits qualify them. Data of a kernel or save
//   (one_o) is also kept for A3 (one_stays_i), since there is one at a time.
// - Latency: one cycle. Rate: one launch per cycle. Outputs depend on the room inputs and on
//   look_i.
// - Reset: empty.
// Part of hd_devq, whose tests cover it.
`include "common/hd_assert.svh"
module hd_devq_room (
  input  logic                                         clk_i,
  input  logic                                         rst_ni,
  // The launch as it leaves A1; if none of the three kinds, it is illegal
  input  logic                                         valid_i,
  input  logic                                         is_group_i,
  input  logic                                         is_kernel_i,
  input  logic                                         is_save_i,
  input  logic [hd_pkg::SmxW-1:0]                      smx_i,
  input  hd_pkg::devlaunch_t                           beat_i,
  input  hd_pkg::need_t                                need_i,
  input  hd_pkg::code_e                                code_i,
  input  logic [hd_pkg::KdeW-1:0]                      kdei_i,
  input  logic                                         one_stays_i,
  // The slot of the launching TB (sched)
  input  hd_pkg::look_t                                look_i,
  // Room for a kernel (pool, kin)
  input  logic                                         pool_full_i,
  input  logic [hd_pkg::NumStreams-1:0]                stream_ok_i,
  input  logic                                         kin_free_i,
  input  logic [hd_pkg::KinW-1:0]                      kin_alloc_i,
  // The kernels of the KD: parent records, saved lists (kd); size of the region (regs)
  input  logic [hd_pkg::NumKde-1:0]                    kin_valid_i,
  input  logic [hd_pkg::NumKde*hd_pkg::KinW-1:0]       kin_i,
  input  logic [hd_pkg::NumKde-1:0]                    save_ok_i,
  input  logic [hd_pkg::NumKde*hd_pkg::SavW-1:0]       sav_first_i,
  input  logic [hd_pkg::NumKde*hd_pkg::SavCountW-1:0]  sav_count_i,
  input  logic [31:0]                                  sus_count_i,
  // A group in flight (link, laperm, agt)
  output logic                                         a2_group_o,
  output logic [hd_pkg::KdeW-1:0]                      a2_kdei_o,
  output logic [hd_pkg::SmxW-1:0]                      a2_smx_o,
  output logic [hd_pkg::HwtidW-1:0]                    a2_hwtid_o,
  output logic [hd_pkg::RecW-1:0]                      a2_record_o,
  output hd_pkg::info_t                                a2_info_o,
  // The launch as it leaves A2
  output logic                                         valid_o,
  output logic                                         is_group_o,
  output logic                                         is_kernel_o,
  output logic                                         is_save_o,
  output logic [hd_pkg::SmxW-1:0]                      smx_o,
  output hd_pkg::devanswer_t                           answer_o,
  output logic [hd_pkg::KdeW-1:0]                      kdei_o,
  output logic                                         new_o,
  output logic [hd_pkg::KinW-1:0]                      up_o,
  output logic [hd_pkg::LevelW-1:0]                    level_o,
  output logic [hd_pkg::SavW-1:0]                      sav_pos_o,
  output hd_pkg::devk_t                                one_o
);

  localparam int SmxW = hd_pkg::SmxW;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int KinW = hd_pkg::KinW;
  localparam int HwtidW = hd_pkg::HwtidW;
  localparam int RecW = hd_pkg::RecW;
  localparam int LevelW = hd_pkg::LevelW;
  localparam int SavW = hd_pkg::SavW;
  localparam int SavCountW = hd_pkg::SavCountW;
  localparam int SavSumW = SavCountW + 1;

  // ---- The launch -------------------------------------------------------------------------------
  logic a2_valid_q, a2_is_group_q, a2_is_kernel_q, a2_is_save_q;
  hd_pkg::devanswer_t a2_answer_q;
  logic [SmxW-1:0] a2_smx_q;
  logic [KdeW-1:0] a2_kdei_q;
  logic [HwtidW-1:0] a2_hwtid_q;
  logic [RecW-1:0] a2_record_q;
  hd_pkg::info_t a2_info_q, a2_info;
  hd_pkg::devk_t one_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      a2_valid_q     <= 1'b0;
      a2_is_group_q  <= 1'b0;
      a2_is_kernel_q <= 1'b0;
      a2_is_save_q   <= 1'b0;
    end else begin
      a2_valid_q     <= valid_i;
      a2_is_group_q  <= is_group_i;
      a2_is_kernel_q <= is_kernel_i;
      a2_is_save_q   <= is_save_i;
    end
  end

  always_ff @(posedge clk_i) begin
    a2_answer_q      <= {beat_i.kind, beat_i.lane, beat_i.slot, code_i};
    a2_smx_q         <= smx_i;
    a2_kdei_q        <= kdei_i;
    a2_hwtid_q       <= beat_i.hwtid;
    a2_record_q      <= beat_i.record;
    a2_info_q.grid_x <= hd_pkg::GroupXW'(beat_i.desc.grid_x);
    a2_info_q.grid_y <= hd_pkg::GroupYW'(beat_i.desc.grid_y);
    a2_info_q.grid_z <= hd_pkg::GroupZW'(beat_i.desc.grid_z);
    a2_info_q.ctas   <= beat_i.ctas;
    a2_info_q.param  <= hd_pkg::ParamUnitsW'(beat_i.desc.param >> 6);
    a2_info_q.level  <= '0;
    if (!one_stays_i) begin
      one_q.desc   <= beat_i.desc;
      one_q.need   <= need_i;
      one_q.ctas   <= beat_i.ctas;
      one_q.level  <= '0;
      one_q.stream <= hd_pkg::StreamW'(beat_i.stream);
      one_q.up     <= '0;
      one_q.smx    <= '0;
    end
  end

  // ---- Parent record and level -----------------------------------------------------------------
  logic has_kin;
  logic [KinW-1:0] its_kin;
  logic [LevelW-1:0] child_level;

  assign has_kin = kin_valid_i[look_i.kdei];
  assign its_kin = kin_i[look_i.kdei*KinW+:KinW];
  assign up_o    = has_kin ? its_kin : kin_alloc_i;
  assign new_o   = !has_kin;

  assign child_level = (32'(look_i.level) < hd_pkg::MaxLevel)
      ? look_i.level + LevelW'(1) : LevelW'(hd_pkg::MaxLevel);
  assign level_o = a2_is_save_q ? look_i.level : child_level;

  // ---- Place in the saved list -----------------------------------------------------------------
  logic [SavSumW-1:0] sav_sum;

  assign sav_sum = SavSumW'(sav_first_i[look_i.kdei*SavW+:SavW])
      + SavSumW'(sav_count_i[look_i.kdei*SavCountW+:SavCountW]);
  assign sav_pos_o = (sav_sum >= SavSumW'(hd_pkg::SavMax))
      ? SavW'(sav_sum - SavSumW'(hd_pkg::SavMax)) : SavW'(sav_sum);

  // ---- Refusal ---------------------------------------------------------------------------------
  logic refused;

  always_comb begin
    refused = 1'b0;
    if (a2_is_kernel_q) begin
      refused = !stream_ok_i[one_q.stream] || pool_full_i || (!has_kin && !kin_free_i);
    end
    if (a2_is_save_q) begin
      refused = !save_ok_i[look_i.kdei] || 32'(its_kin) >= sus_count_i;
    end
  end

  always_comb begin
    answer_o = a2_answer_q;
    if (a2_is_group_q || a2_is_kernel_q || a2_is_save_q) begin
      if (!look_i.valid) answer_o.code = hd_pkg::CodeEmptySlot;
      else if (refused) answer_o.code = hd_pkg::CodeRefused;
    end
  end

  // ---- Outputs ----------------------------------------------------------------------------------
  always_comb begin
    a2_info = a2_info_q;
    a2_info.level = level_o;
  end

  assign a2_group_o  = a2_is_group_q && look_i.valid;
  assign a2_kdei_o   = a2_kdei_q & {KdeW{a2_group_o}};
  assign a2_smx_o    = a2_smx_q & {SmxW{a2_group_o}};
  assign a2_hwtid_o  = a2_hwtid_q & {HwtidW{a2_group_o}};
  assign a2_record_o = a2_record_q & {RecW{a2_group_o}};
  assign a2_info_o   = a2_group_o ? a2_info : '0;

  assign valid_o     = a2_valid_q;
  assign is_group_o  = a2_is_group_q;
  assign is_kernel_o = a2_is_kernel_q;
  assign is_save_o   = a2_is_save_q;
  assign smx_o       = a2_smx_q;
  assign kdei_o      = a2_is_group_q ? a2_kdei_q : look_i.kdei;
  assign one_o       = one_q;

  logic unused_bits;
  assign unused_bits = &{1'b0, beat_i};

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT_IN(a_mode, $onehot0({a2_is_group_q, a2_is_kernel_q, a2_is_save_q}),
          "A launch in A2 is more than one of group, kernel and save.")
      `HD_ASSERT_IN(a_save_ok, (save_ok_i & ~kin_valid_i) == '0,
          "save_ok_i is set for a kernel without a parent record.")
    end
  end

  // Rare: a save whose place wraps.
  `HD_COVER(c_wrap, a2_is_save_q && answer_o.code == hd_pkg::CodeAccepted
      && 32'(sav_sum) >= hd_pkg::SavMax)
`endif

endmodule
