// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_laperm_inversions: reports TBs that were handed out while a group in memory should have gone
// first.
//
//   take (from a bank), grant (from the SSCR) --> [ran: level, bank, passed] --held?--> inversion
//
// Ours: measures the cost of ordering only the entries on chip by priority.
// - Under TbPri, where an SMX takes from any bank, a higher level of any bank counts. Otherwise the
//   bank from which the TB came counts or, for a TB of the SSCR, the bank of its SMX. Nothing
//   counts under Rr.
// - Under AdaptiveBind a spare TB of another bank passes the bank of its SMX, and the SMX's backup
//   if that is a third one: any level of theirs counts.
// - held_i is sampled one cycle after the TB was handed out.
// - Latency: a TB at t, inversion_o at t+1, a function of registers and held_i. Rate: one TB per
//   cycle.
// - Reset: no TB.
// Part of hd_laperm, whose model and tests cover it; laperm.csv shows the registers.
`include "common/hd_assert.svh"
module hd_laperm_inversions (
  input  logic                                      clk_i,
  input  logic                                      rst_ni,
  input  logic [hd_pkg::PolicyW-1:0]                policy_i,
  // A TB is granted: from a bank, or from the SSCR
  input  logic                                      take_valid_i,
  input  logic [hd_pkg::BankW-1:0]                  take_bank_i,
  input  logic [hd_pkg::NumBank-1:0]                take_i,
  input  logic [hd_pkg::SmxW-1:0]                   take_smx_i,
  input  logic                                      take_spare_i,
  input  logic [hd_pkg::NumBank*hd_pkg::LevelW-1:0] front_level_i,
  input  logic                                      grant_valid_i,
  input  logic [hd_pkg::LevelW-1:0]                 grant_level_i,
  // Backup of each SMX
  input  logic [hd_pkg::NumSmx-1:0]                 backup_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::BankW-1:0]   backup_i,
  // Levels in memory
  input  logic [hd_pkg::RingQueues-1:0]             held_i,
  output logic                                      inversion_o
);

  localparam int NumSmx = hd_pkg::NumSmx;
  localparam int SmxW = hd_pkg::SmxW;
  localparam int NumBank = hd_pkg::NumBank;
  localparam int BankW = hd_pkg::BankW;
  localparam int MaxLevel = hd_pkg::MaxLevel;
  localparam int LevelW = hd_pkg::LevelW;

  logic ran_q, ran_any_q;
  logic [BankW-1:0] ran_bank_q;
  logic [LevelW-1:0] ran_level_q;
  logic [NumBank-1:0] passed_q;        // banks that the TB passed

  logic [LevelW-1:0] take_level;
  logic [BankW-1:0] own, backup;       // bank and backup of the SMX
  logic has_backup, spare;
  logic [NumBank-1:0] passed;

  assign own   = BankW'(32'(take_smx_i) / hd_pkg::SmxPerCluster);
  assign spare = take_valid_i && take_spare_i && policy_i == hd_pkg::PolicyAdaptiveBind;

  always_comb begin
    take_level = '0;
    if (take_valid_i) begin
      for (int b = 0; b < NumBank; b++) begin
        if (take_i[b]) take_level |= front_level_i[b*LevelW+:LevelW];
      end
    end
  end

  always_comb begin
    has_backup = 1'b0;
    backup     = '0;
    passed     = '0;
    if (spare) begin
      for (int s = 0; s < NumSmx; s++) begin
        if (take_smx_i == SmxW'(s)) begin
          has_backup |= backup_valid_i[s];
          backup     |= backup_i[s*BankW+:BankW];
        end
      end
      for (int b = 0; b < NumBank; b++) begin
        passed[b] = !take_i[b] && (own == BankW'(b) || (has_backup && backup == BankW'(b)));
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ran_q    <= 1'b0;
      passed_q <= '0;
    end else begin
      ran_q    <= (take_valid_i || grant_valid_i) && policy_i != hd_pkg::PolicyRr;
      passed_q <= passed;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take_valid_i || grant_valid_i) begin
      ran_any_q   <= policy_i == hd_pkg::PolicyTbPri;
      ran_bank_q  <= grant_valid_i ? own : take_bank_i;
      ran_level_q <= grant_valid_i ? grant_level_i : take_level;
    end
  end

  logic [NumBank-1:0] over;            // a group of this bank is held that should have gone first

  always_comb begin
    over = '0;
    if (ran_q) begin
      for (int b = 0; b < NumBank; b++) begin
        for (int l = 0; l < MaxLevel; l++) begin
          if (LevelW'(l + 1) > ran_level_q) over[b] |= held_i[b*MaxLevel+l];
        end
        if (BankW'(b) != ran_bank_q && !ran_any_q) over[b] = 1'b0;
        if (passed_q[b]) over[b] = held_i[b*MaxLevel+:MaxLevel] != '0;
      end
    end
  end

  assign inversion_o = over != '0;

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT_IN(a_one, !(take_valid_i && grant_valid_i),
          "A TB of a bank and one of the SSCR are handed out in one cycle.")
      `HD_ASSERT_IN(a_bank, take_i == NumBank'(take_valid_i) << take_bank_i,
          "take_i disagrees with take_valid_i and take_bank_i.")
    end
  end

  // Rare: the higher level is in another bank only; a TB of the SSCR; a group of the SMX's backup.
  `HD_COVER(c_other_bank, inversion_o && ran_any_q && !over[ran_bank_q])
  `HD_COVER(c_level_0, inversion_o && ran_level_q == '0)
  `HD_COVER(c_backup, spare && has_backup && backup != take_bank_i
      && held_i[backup*MaxLevel+:MaxLevel] != '0)
`endif

endmodule
