// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_laperm_backup: the TB offered to an SMX by its backup bank: the front of that bank, if it
// holds one.
//
// - From laperm-isca2016 section 4: an SMX keeps its backup as long as that bank holds entries.
// - A plain AND-OR over all banks; an index would become a shifter. With N SMXs this is the part of
//   laperm whose area grows with N * N.
// - Combinational; all outputs are 0 while valid_i is 0 or the bank is empty.
// Part of hd_laperm_order_adaptive_bind, one per SMX. Tested with laperm.
module hd_laperm_backup (
  input  logic                                     valid_i,      // the SMX has a backup
  input  logic [hd_pkg::BankW-1:0]                 bank_i,
  input  logic [hd_pkg::NumBank-1:0]               bank_valid_i,
  input  logic [hd_pkg::NumBank*hd_pkg::NeedW-1:0] bank_need_i,
  output logic                                     stay_o,
  output hd_pkg::need_t                            need_o
);

  localparam int NumBank = hd_pkg::NumBank;
  localparam int BankW = hd_pkg::BankW;
  localparam int NeedW = hd_pkg::NeedW;

  logic stay;
  logic [NeedW-1:0] need;

  // sim speed: skipped without a backup; changes no gate.
  always_comb begin
    stay = 1'b0;
    need = '0;
    if (valid_i) begin
      for (int b = 0; b < NumBank; b++) begin
        stay |= bank_valid_i[b] && bank_i == BankW'(b);
        need |= bank_need_i[b*NeedW+:NeedW] & {NeedW{bank_valid_i[b] && bank_i == BankW'(b)}};
      end
    end
  end

  assign stay_o = stay;
  assign need_o = need;

endmodule
