// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_laperm_offers: the TB that the banks offer to each SMX under the current policy, and the
// backups.
//
//   grant of a spare TB --> [backups]
//   fronts, winner, backups --> u_rr, u_tb_pri, u_smx_bind, u_adaptive_bind --> OR --> bound, spare
//
// From laperm-isca2016 section 4: one module hd_laperm_order_* per policy; those of other policies
// output 0.
// - Bound: goes before queue 0. Spare: used when queue 0 is empty.
// - Under AdaptiveBind a bank from which an SMX takes a spare TB becomes its backup.
// - Offers are functions of registers, here and in the banks, and of policy_i.
// - Reset: no backups; the backup numbers have no reset.
// Part of hd_laperm, whose model (laperm_order.h) and tests cover it.
`include "common/hd_assert.svh"

module hd_laperm_offers (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  input  logic [hd_pkg::PolicyW-1:0]               policy_i,
  // The banks
  input  logic [hd_pkg::NumBank-1:0]               bank_valid_i,
  input  logic [hd_pkg::NumBank*hd_pkg::NeedW-1:0] bank_need_i,
  input  logic                                     winner_valid_i,
  input  logic [hd_pkg::BankW-1:0]                 winner_i,
  // A TB of a bank is granted
  input  logic                                     take_valid_i,
  input  logic [hd_pkg::BankW-1:0]                 take_bank_i,
  input  logic [hd_pkg::SmxW-1:0]                  take_smx_i,
  input  logic                                     take_spare_i,
  // The offers to each SMX
  output logic [hd_pkg::NumSmx-1:0]                bound_valid_o,
  output logic [hd_pkg::NumSmx*hd_pkg::BankW-1:0]  bound_bank_o,
  output logic [hd_pkg::NumSmx*hd_pkg::NeedW-1:0]  bound_need_o,
  output logic [hd_pkg::NumSmx-1:0]                spare_valid_o,
  output logic [hd_pkg::NumSmx*hd_pkg::BankW-1:0]  spare_bank_o,
  output logic [hd_pkg::NumSmx*hd_pkg::NeedW-1:0]  spare_need_o,
  // The backups
  output logic [hd_pkg::NumSmx-1:0]                backup_valid_o,
  output logic [hd_pkg::NumSmx*hd_pkg::BankW-1:0]  backup_o
);

  localparam int NumSmx = hd_pkg::NumSmx;
  localparam int SmxW = hd_pkg::SmxW;
  localparam int NumBank = hd_pkg::NumBank;
  localparam int BankW = hd_pkg::BankW;
  localparam int NeedW = hd_pkg::NeedW;

  logic [NumSmx-1:0] backup_valid_q;
  logic [NumSmx*BankW-1:0] backup_q;

  // ---- Backups ----------------------------------------------------------------------------------
  logic adopt;

  assign adopt = take_valid_i && take_spare_i && policy_i == hd_pkg::PolicyAdaptiveBind;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) backup_valid_q <= '0;
    else if (adopt) backup_valid_q <= backup_valid_q | (NumSmx'(1) << take_smx_i);
  end

  always_ff @(posedge clk_i) begin
    if (adopt) begin
      for (int s = 0; s < NumSmx; s++) begin
        if (take_smx_i == SmxW'(s)) backup_q[s*BankW+:BankW] <= take_bank_i;
      end
    end
  end

  assign backup_valid_o = backup_valid_q;
  assign backup_o       = backup_q;

  // ---- Offers -----------------------------------------------------------------------------------
  hd_pkg::need_t winner_need;

  always_comb begin
    winner_need = '0;
    for (int b = 0; b < NumBank; b++) begin
      if (winner_i == BankW'(b)) winner_need |= bank_need_i[b*NeedW+:NeedW];
    end
  end

  logic [NumSmx-1:0] rr_bound_valid, rr_spare_valid;
  logic [NumSmx*BankW-1:0] rr_bound_bank, rr_spare_bank;
  logic [NumSmx*NeedW-1:0] rr_bound_need, rr_spare_need;
  logic [NumSmx-1:0] tb_pri_bound_valid, tb_pri_spare_valid;
  logic [NumSmx*BankW-1:0] tb_pri_bound_bank, tb_pri_spare_bank;
  logic [NumSmx*NeedW-1:0] tb_pri_bound_need, tb_pri_spare_need;
  logic [NumSmx-1:0] smx_bind_bound_valid, smx_bind_spare_valid;
  logic [NumSmx*BankW-1:0] smx_bind_bound_bank, smx_bind_spare_bank;
  logic [NumSmx*NeedW-1:0] smx_bind_bound_need, smx_bind_spare_need;
  logic [NumSmx-1:0] adaptive_bound_valid, adaptive_spare_valid;
  logic [NumSmx*BankW-1:0] adaptive_bound_bank, adaptive_spare_bank;
  logic [NumSmx*NeedW-1:0] adaptive_bound_need, adaptive_spare_need;

  hd_laperm_order_rr u_rr (
    .on_i          (policy_i == hd_pkg::PolicyRr),
    .bank_valid_i  (bank_valid_i),
    .bank_need_i   (bank_need_i),
    .winner_valid_i(winner_valid_i),
    .winner_i      (winner_i),
    .winner_need_i (winner_need),
    .backup_valid_i(backup_valid_q),
    .backup_i      (backup_q),
    .bound_valid_o (rr_bound_valid),
    .bound_bank_o  (rr_bound_bank),
    .bound_need_o  (rr_bound_need),
    .spare_valid_o (rr_spare_valid),
    .spare_bank_o  (rr_spare_bank),
    .spare_need_o  (rr_spare_need)
  );

  hd_laperm_order_tb_pri u_tb_pri (
    .on_i          (policy_i == hd_pkg::PolicyTbPri),
    .bank_valid_i  (bank_valid_i),
    .bank_need_i   (bank_need_i),
    .winner_valid_i(winner_valid_i),
    .winner_i      (winner_i),
    .winner_need_i (winner_need),
    .backup_valid_i(backup_valid_q),
    .backup_i      (backup_q),
    .bound_valid_o (tb_pri_bound_valid),
    .bound_bank_o  (tb_pri_bound_bank),
    .bound_need_o  (tb_pri_bound_need),
    .spare_valid_o (tb_pri_spare_valid),
    .spare_bank_o  (tb_pri_spare_bank),
    .spare_need_o  (tb_pri_spare_need)
  );

  hd_laperm_order_smx_bind u_smx_bind (
    .on_i          (policy_i == hd_pkg::PolicySmxBind),
    .bank_valid_i  (bank_valid_i),
    .bank_need_i   (bank_need_i),
    .winner_valid_i(winner_valid_i),
    .winner_i      (winner_i),
    .winner_need_i (winner_need),
    .backup_valid_i(backup_valid_q),
    .backup_i      (backup_q),
    .bound_valid_o (smx_bind_bound_valid),
    .bound_bank_o  (smx_bind_bound_bank),
    .bound_need_o  (smx_bind_bound_need),
    .spare_valid_o (smx_bind_spare_valid),
    .spare_bank_o  (smx_bind_spare_bank),
    .spare_need_o  (smx_bind_spare_need)
  );

  hd_laperm_order_adaptive_bind u_adaptive_bind (
    .on_i          (policy_i == hd_pkg::PolicyAdaptiveBind),
    .bank_valid_i  (bank_valid_i),
    .bank_need_i   (bank_need_i),
    .winner_valid_i(winner_valid_i),
    .winner_i      (winner_i),
    .winner_need_i (winner_need),
    .backup_valid_i(backup_valid_q),
    .backup_i      (backup_q),
    .bound_valid_o (adaptive_bound_valid),
    .bound_bank_o  (adaptive_bound_bank),
    .bound_need_o  (adaptive_bound_need),
    .spare_valid_o (adaptive_spare_valid),
    .spare_bank_o  (adaptive_spare_bank),
    .spare_need_o  (adaptive_spare_need)
  );

  assign bound_valid_o = rr_bound_valid | tb_pri_bound_valid
      | smx_bind_bound_valid | adaptive_bound_valid;
  assign bound_bank_o  = rr_bound_bank | tb_pri_bound_bank
      | smx_bind_bound_bank | adaptive_bound_bank;
  assign bound_need_o  = rr_bound_need | tb_pri_bound_need
      | smx_bind_bound_need | adaptive_bound_need;
  assign spare_valid_o = rr_spare_valid | tb_pri_spare_valid
      | smx_bind_spare_valid | adaptive_spare_valid;
  assign spare_bank_o  = rr_spare_bank | tb_pri_spare_bank
      | smx_bind_spare_bank | adaptive_spare_bank;
  assign spare_need_o  = rr_spare_need | tb_pri_spare_need
      | smx_bind_spare_need | adaptive_spare_need;

`ifdef HD_ASSERT_ON
  for (genvar s = 0; s < NumSmx; s++) begin : g_spare
    always_ff @(posedge clk_i) begin
      if (rst_ni && policy_i == hd_pkg::PolicyAdaptiveBind) begin
        `HD_ASSERT(a_spare, !spare_valid_o[s]
            || 32'(spare_bank_o[s*BankW+:BankW]) != s / hd_pkg::SmxPerCluster,
            "An SMX is offered its own bank as a spare one.")
      end
    end
  end

  // Rare: an SMX replaces an empty backup.
  `HD_COVER(c_other_backup, adopt && backup_valid_q[take_smx_i]
      && backup_q[take_smx_i*BankW+:BankW] != take_bank_i)
`endif

endmodule
