// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_order_adaptive_bind: policy AdaptiveBind: each SMX is offered the front of its own bank,
// before queue 0; and when that is empty, of another SMX's: of its backup's, or the next one's.
//
// - From laperm-isca2016 section 4: an SMX with nothing left takes a backup and stays with it until
//   it is empty too. That the backup is kept while it is empty is ours.
// - The next bank: the first after the SMX's own, in cyclic order, that holds an entry. Found for
//   all SMXs together, in log2 steps: the next of 1, 2, 4, .. banks.
// - Combinational; all outputs are 0 unless on_i (AdaptiveBind is the policy).
// The ports are those of every hd_order_*. Tested with laperm.
`include "common/hd_fault.svh"
module hd_order_adaptive_bind (
  input  logic                                     on_i,
  input  logic [hd_pkg::NumSmx-1:0]                bank_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::NeedW-1:0]  bank_need_i,
  input  logic                                     winner_valid_i,
  input  logic [hd_pkg::SmxW-1:0]                  winner_i,
  input  hd_pkg::need_t                            winner_need_i,
  input  logic [hd_pkg::NumSmx-1:0]                backup_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::SmxW-1:0]   backup_i,
  output logic [hd_pkg::NumSmx-1:0]                bound_valid_o,
  output logic [hd_pkg::NumSmx*hd_pkg::SmxW-1:0]   bound_bank_o,
  output logic [hd_pkg::NumSmx*hd_pkg::NeedW-1:0]  bound_need_o,
  output logic [hd_pkg::NumSmx-1:0]                spare_valid_o,
  output logic [hd_pkg::NumSmx*hd_pkg::SmxW-1:0]   spare_bank_o,
  output logic [hd_pkg::NumSmx*hd_pkg::NeedW-1:0]  spare_need_o
);

  localparam int NumSmx = hd_pkg::NumSmx;
  localparam int SmxW = hd_pkg::SmxW;
  localparam int NeedW = hd_pkg::NeedW;

  // One need of many: a plain AND-OR, where an index would become a shifter.
  function automatic logic [NeedW-1:0] need_at(input logic [NumSmx*NeedW-1:0] need,
      input logic [SmxW-1:0] at);
    need_at = '0;
    for (int i = 0; i < NumSmx; i++) begin
      if (at == SmxW'(i)) need_at |= need[i*NeedW+:NeedW];
    end
  endfunction

  logic [NumSmx-1:0] some, some_d;               // one of the banks looked at holds an entry
  logic [NumSmx*SmxW-1:0] next, next_d;          // the first one that does
  logic [NumSmx*NeedW-1:0] next_need, next_need_d;  // what its front needs
  logic [SmxW-1:0] backup, bank;
  logic stay;

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
    backup = '0;
    bank   = '0;
    stay   = 1'b0;
    if (on_i) begin
      bound_valid_o = bank_valid_i;
      bound_need_o  = bank_need_i;
      for (int s = 0; s < NumSmx; s++) begin
        bound_bank_o[s*SmxW+:SmxW] = SmxW'(s) & {SmxW{bank_valid_i[s]}};
        some[s] = bank_valid_i[(s+1)%NumSmx];
        next[s*SmxW+:SmxW] = SmxW'((s + 1) % NumSmx);
        next_need[s*NeedW+:NeedW] = bank_need_i[(s+1)%NumSmx*NeedW+:NeedW];
      end
      for (int d = 0; d < $clog2(NumSmx); d++) begin
        some_d = some;
        next_d = next;
        next_need_d = next_need;
        for (int s = 0; s < NumSmx; s++) begin
          if (!some[s]) begin
            some_d[s] = some[(s+(1<<d))%NumSmx];
            next_d[s*SmxW+:SmxW] = next[(s+(1<<d))%NumSmx*SmxW+:SmxW];
            next_need_d[s*NeedW+:NeedW] = next_need[(s+(1<<d))%NumSmx*NeedW+:NeedW];
          end
        end
        some = some_d;
        next = next_d;
        next_need = next_need_d;
      end
      for (int s = 0; s < NumSmx; s++) begin
        backup = backup_i[s*SmxW+:SmxW];
        stay   = `HD_FAULT(92, backup_valid_i[s] && bank_valid_i[backup], 1'b0);
        bank   = stay ? backup : next[s*SmxW+:SmxW];
        // Its own is the last that was looked at.
        if (stay || (some[s] && bank != SmxW'(s))) begin
          spare_valid_o[s] = 1'b1;
          spare_bank_o[s*SmxW+:SmxW] = bank;
          spare_need_o[s*NeedW+:NeedW] = stay ? need_at(bank_need_i, backup)
              : next_need[s*NeedW+:NeedW];
        end
      end
    end
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, winner_valid_i, winner_i, winner_need_i};

endmodule
