// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_devq_effects: sends the effects of a launch to the other blocks as pulses, and the answer to
// its SMX.
//
//   A2 --> [A3] --group--> end of the hold --> kd
//                 |            ^ kept (link), full (laperm)
//                 kernel --> push --> pool; birth --> kd, kin
//                 save ----> save --> kd, susp
//                 any -----> answer; event --> regs
//
// The stage A3 of devq; ours.
// - Carries out a launch accepted in A2: a kernel goes to the pool as a child of the TB's kernel; a
//   TB is saved. For a group, kept_i reports that it overflowed, and full_i that its bank has no
//   room, in which case it is refused.
// - A group from an empty slot ends the hold of its kernel, too.
// - one_i: data of a kernel or save; unchanged since A2.
// - Latency: one cycle. Rate: one launch per cycle. All outputs come from registers, except
//   answer_o and the events, which depend on kept_i and full_i.
// - Reset: empty.
// Part of hd_devq, whose tests cover it.
`include "common/hd_assert.svh"
module hd_devq_effects (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // The launch as it leaves A2
  input  logic                        valid_i,
  input  logic                        is_group_i,
  input  logic                        is_kernel_i,
  input  logic                        is_save_i,
  input  hd_pkg::devanswer_t          answer_i,
  input  logic [hd_pkg::SmxW-1:0]     smx_i,
  input  logic [hd_pkg::KdeW-1:0]     kdei_i,
  input  logic                        new_i,
  input  logic [hd_pkg::KinW-1:0]     up_i,
  input  logic [hd_pkg::LevelW-1:0]   level_i,
  input  logic [hd_pkg::SavW-1:0]     sav_pos_i,
  input  hd_pkg::devk_t               one_i,
  output logic                        is_one_o,
  // Fate of the group (link, laperm, kd)
  input  logic                        kept_i,
  input  logic                        full_i,
  output logic                        unhold_valid_o,
  output logic [hd_pkg::KdeW-1:0]     unhold_kdei_o,
  // A device kernel (pool)
  output logic                        push_valid_o,
  output hd_pkg::devk_t               push_o,
  // A kernel gets a child (kd, kin)
  output logic                        birth_valid_o,
  output logic [hd_pkg::KdeW-1:0]     birth_kdei_o,
  output logic [hd_pkg::KinW-1:0]     birth_kin_o,
  output logic                        birth_new_o,
  // A TB is saved (kd, susp)
  output logic                        save_valid_o,
  output logic [hd_pkg::KdeW-1:0]     save_kdei_o,
  output logic [hd_pkg::KinW-1:0]     save_kin_o,
  output logic [hd_pkg::SavW-1:0]     save_pos_o,
  output hd_pkg::saved_t              save_entry_o,
  // Events (regs)
  output logic [6:0]                  dev_event_o,
  output logic [hd_pkg::CodeW-1:0]    dev_code_o,
  output logic [hd_pkg::KindW-1:0]    dev_kind_o,
  // The answer
  output logic                        answer_valid_o,
  output logic [hd_pkg::SmxW-1:0]     answer_smx_o,
  output hd_pkg::devanswer_t          answer_o
);

  localparam int SmxW = hd_pkg::SmxW;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int KindW = hd_pkg::KindW;
  localparam int KinW = hd_pkg::KinW;
  localparam int LevelW = hd_pkg::LevelW;
  localparam int CodeW = hd_pkg::CodeW;
  localparam int SavW = hd_pkg::SavW;

  logic a3_valid_q, a3_is_group_q, a3_is_kernel_q, a3_is_save_q;
  hd_pkg::devanswer_t a3_answer_q;
  logic [SmxW-1:0] a3_smx_q;
  logic [KdeW-1:0] a3_kdei_q;
  logic a3_new_q;
  logic [KinW-1:0] a3_up_q;
  logic [LevelW-1:0] a3_level_q;
  logic [SavW-1:0] a3_pos_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      a3_valid_q     <= 1'b0;
      a3_is_group_q  <= 1'b0;
      a3_is_kernel_q <= 1'b0;
      a3_is_save_q   <= 1'b0;
    end else begin
      a3_valid_q     <= valid_i;
      a3_is_group_q  <= is_group_i;
      a3_is_kernel_q <= is_kernel_i;
      a3_is_save_q   <= is_save_i;
    end
  end

  always_ff @(posedge clk_i) begin
    a3_answer_q <= answer_i;
    a3_smx_q    <= smx_i;
    a3_kdei_q   <= kdei_i;
    a3_new_q    <= new_i;
    a3_up_q     <= up_i;
    a3_level_q  <= level_i;
    a3_pos_q    <= sav_pos_i;
  end

  assign is_one_o = a3_is_kernel_q || a3_is_save_q;

  // ---- A group ----------------------------------------------------------------------------------
  logic accepted, was_refused, from_group, group_taken, group_full;

  assign group_full  = a3_is_group_q && accepted && full_i;
  assign group_taken = a3_is_group_q && accepted && !full_i;
  assign accepted = a3_valid_q && a3_answer_q.code == hd_pkg::CodeAccepted;

  assign unhold_valid_o = a3_is_group_q;
  assign unhold_kdei_o  = a3_kdei_q & {KdeW{unhold_valid_o}};

  // ---- A kernel ---------------------------------------------------------------------------------
  assign push_valid_o  = a3_is_kernel_q && accepted;
  assign birth_valid_o = push_valid_o;
  assign birth_kdei_o  = a3_kdei_q & {KdeW{push_valid_o}};
  assign birth_kin_o   = a3_up_q & {KinW{push_valid_o}};
  assign birth_new_o   = a3_new_q && push_valid_o;

  always_comb begin
    push_o = '0;
    if (push_valid_o) begin
      push_o = one_i;
      push_o.level = a3_level_q;
      push_o.up = a3_up_q;
      push_o.smx = a3_smx_q;
    end
  end

  // ---- A saved TB -------------------------------------------------------------------------------
  assign save_valid_o = a3_is_save_q && accepted;
  assign save_kdei_o  = a3_kdei_q & {KdeW{save_valid_o}};
  assign save_kin_o   = a3_up_q & {KinW{save_valid_o}};
  assign save_pos_o   = a3_pos_q & {SavW{save_valid_o}};
  assign save_entry_o = save_valid_o ? {one_i.desc.param, a3_level_q} : '0;

  // ---- The answer, and events ------------------------------------------------------------------
  assign answer_valid_o = a3_valid_q;
  assign answer_smx_o   = a3_smx_q;

  always_comb begin
    answer_o = a3_answer_q;
    if (group_taken && kept_i) answer_o.code = hd_pkg::CodeKept;
    if (group_full) answer_o.code = hd_pkg::CodeRefused;
  end

  // Bits: bad, refused, save, unmatched, kept, group, kernel.
  assign was_refused = (a3_valid_q && a3_answer_q.code == hd_pkg::CodeRefused) || group_full;
  assign from_group  = a3_answer_q.kind == hd_pkg::KindGroup;
  assign dev_event_o = {a3_valid_q && !accepted && !was_refused, was_refused, save_valid_o,
      push_valid_o && from_group, group_taken && kept_i, group_taken && !kept_i,
      push_valid_o && !from_group};
  assign dev_code_o  = answer_o.code & {CodeW{a3_valid_q}};
  assign dev_kind_o  = a3_answer_q.kind & {KindW{a3_valid_q}};

  logic unused_bits;
  assign unused_bits = &{1'b0, one_i};

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT_IN(a_mode, $onehot0({a3_is_group_q, a3_is_kernel_q, a3_is_save_q}),
          "A launch in A3 is more than one of group, kernel and save.")
      `HD_ASSERT(a_event, $countones(dev_event_o) == 32'(a3_valid_q),
          "An answer sets no event or several, or an event is set without an answer.")
    end
  end
`endif

endmodule
