// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_laperm_order_tb_pri: policy TbPri. Offers each SMX the winner of all banks, before queue 0.
//
// - From laperm-isca2016 section 4: the highest level first, regardless of the SMX that launched
//   it.
// - Combinational; all outputs are 0 unless on_i (TbPri is the policy). Without a winner winner_i
//   and winner_need_i are 0.
// Has the ports of every hd_laperm_order_*. Tested with laperm.
module hd_laperm_order_tb_pri (
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
  localparam int BankW = hd_pkg::BankW;

  always_comb begin
    bound_valid_o = '0;
    bound_bank_o  = '0;
    bound_need_o  = '0;
    if (on_i) begin
      bound_valid_o = {NumSmx{winner_valid_i}};
      bound_need_o  = {NumSmx{winner_need_i}};
      for (int s = 0; s < NumSmx; s++) begin
        bound_bank_o[s*BankW+:BankW] = winner_i;
      end
    end
  end

  assign spare_valid_o = '0;
  assign spare_bank_o  = '0;
  assign spare_need_o  = '0;

  logic unused_bits;
  assign unused_bits = &{1'b0, bank_valid_i, bank_need_i, backup_valid_i, backup_i};

endmodule
