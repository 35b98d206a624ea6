// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_laperm_order_adaptive_bind: policy AdaptiveBind. Offers each SMX the front of its own bank
// (its cluster's) before queue 0. If that bank is empty, the front of another bank after queue 0:
// its backup, or the next bank.
//
// - From laperm-isca2016 section 4: an SMX without TBs of its own adopts a backup and keeps it
//   until that is empty too. Keeping it also while it is empty is ours.
// - The next bank is the first one after the SMX's own, in cyclic order, that holds an entry. It is
//   found for all banks together in log2 steps: the next of 1, 2, 4, .. banks.
// - Combinational; all outputs are 0 unless on_i (AdaptiveBind is the policy).
// Has the ports of every hd_laperm_order_*. Tested with laperm.
module hd_laperm_order_adaptive_bind (
  input  logic                                     on_i,
  input  logic [hd_pkg::NumBank-1:0]               bank_valid_i,
  input  logic [hd_pkg::NumBank*hd_pkg::NeedW-1:0] bank_need_i,
  input  logic                                     winner_valid_i,
  input  logic [hd_pkg::BankW-1:0]                 winner_i,
  input  hd_pkg::need_t                            winner_need_i,
  input  logic [hd_pkg::NumSmx-1:0]                backup_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::BankW-1:0]  backup_i,
  output logic [hd_pkg::NumSmx-1:0]                bound_valid_o,
  output logic [hd_pkg::NumSmx*hd_pkg::BankW-1:0]  bound_bank_o,
  output logic [hd_pkg::NumSmx*hd_pkg::NeedW-1:0]  bound_need_o,
  output logic [hd_pkg::NumSmx-1:0]                spare_valid_o,
  output logic [hd_pkg::NumSmx*hd_pkg::BankW-1:0]  spare_bank_o,
  output logic [hd_pkg::NumSmx*hd_pkg::NeedW-1:0]  spare_need_o
);

  localparam int NumSmx = hd_pkg::NumSmx;
  localparam int NumBank = hd_pkg::NumBank;
  localparam int PerCluster = hd_pkg::SmxPerCluster;
  localparam int BankW = hd_pkg::BankW;
  localparam int NeedW = hd_pkg::NeedW;

  // ---- Backups ----------------------------------------------------------------------------------
  logic [NumSmx-1:0] stay;                       // the backup holds an entry
  logic [NumSmx*NeedW-1:0] stay_need;            // need of its front

  for (genvar s = 0; s < NumSmx; s++) begin : g_smx
    hd_laperm_backup u_backup (
      .valid_i     (on_i && backup_valid_i[s]),
      .bank_i      (backup_i[s*BankW+:BankW]),
      .bank_valid_i(bank_valid_i),
      .bank_need_i (bank_need_i),
      .stay_o      (stay[s]),
      .need_o      (stay_need[s*NeedW+:NeedW])
    );
  end

  // ---- The next bank, and the offer to each SMX ------------------------------------------------
  // For each bank:
  logic [NumBank-1:0] some, some_d;              // one of the banks looked at holds an entry
  logic [NumBank*BankW-1:0] next, next_d;        // the first of them that does
  logic [NumBank*NeedW-1:0] next_need, next_need_d;  // need of its front
  logic [BankW-1:0] bank;

  always_comb begin
    bound_valid_o = '0;
    bound_bank_o  = '0;
    bound_need_o  = '0;
    spare_valid_o = '0;
    spare_bank_o  = '0;
    spare_need_o  = '0;
    some   = '0;
    some_d = '0;
    next   = '0;
    next_d = '0;
    next_need   = '0;
    next_need_d = '0;
    bank   = '0;
    if (on_i) begin
      for (int b = 0; b < NumBank; b++) begin
        some[b] = bank_valid_i[(b+1)%NumBank];
        next[b*BankW+:BankW] = BankW'((b + 1) % NumBank);
        next_need[b*NeedW+:NeedW] = bank_need_i[(b+1)%NumBank*NeedW+:NeedW];
      end
      for (int d = 0; d < $clog2(NumBank); d++) begin
        some_d = some;
        next_d = next;
        next_need_d = next_need;
        for (int b = 0; b < NumBank; b++) begin
          if (!some[b]) begin
            some_d[b] = some[(b+(1<<d))%NumBank];
            next_d[b*BankW+:BankW] = next[(b+(1<<d))%NumBank*BankW+:BankW];
            next_need_d[b*NeedW+:NeedW] = next_need[(b+(1<<d))%NumBank*NeedW+:NeedW];
          end
        end
        some = some_d;
        next = next_d;
        next_need = next_need_d;
      end
      for (int s = 0; s < NumSmx; s++) begin
        bound_valid_o[s] = bank_valid_i[s/PerCluster];
        bound_bank_o[s*BankW+:BankW] = BankW'(s / PerCluster) & {BankW{bank_valid_i[s/PerCluster]}};
        bound_need_o[s*NeedW+:NeedW] = bank_need_i[s/PerCluster*NeedW+:NeedW];
        bank = stay[s] ? backup_i[s*BankW+:BankW] : next[s/PerCluster*BankW+:BankW];
        // Its own bank is the last one looked at.
        if (stay[s] || (some[s/PerCluster] && bank != BankW'(s / PerCluster))) begin
          spare_valid_o[s] = 1'b1;
          spare_bank_o[s*BankW+:BankW] = bank;
          spare_need_o[s*NeedW+:NeedW] = stay[s] ? stay_need[s*NeedW+:NeedW]
              : next_need[s/PerCluster*NeedW+:NeedW];
        end
      end
    end
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, winner_valid_i, winner_i, winner_need_i};

endmodule
