// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_laperm_order_smx_bind: policy SmxBind. Offers each SMX the front of its own bank, before queue
// 0.
//
// - From laperm-isca2016 section 4: a TB runs on the SMX that launched it.
// - Combinational; all outputs are 0 unless on_i (SmxBind is the policy).
// Has the ports of every hd_laperm_order_*. Tested with laperm.
module hd_laperm_order_smx_bind (
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
  localparam int PerCluster = hd_pkg::SmxPerCluster;
  localparam int BankW = hd_pkg::BankW;
  localparam int NeedW = hd_pkg::NeedW;

  always_comb begin
    bound_valid_o = '0;
    bound_bank_o  = '0;
    bound_need_o  = '0;
    if (on_i) begin
      for (int s = 0; s < NumSmx; s++) begin
        bound_valid_o[s] = bank_valid_i[s/PerCluster];
        bound_bank_o[s*BankW+:BankW] = BankW'(s / PerCluster) & {BankW{bank_valid_i[s/PerCluster]}};
        bound_need_o[s*NeedW+:NeedW] = bank_need_i[s/PerCluster*NeedW+:NeedW];
      end
    end
  end

  assign spare_valid_o = '0;
  assign spare_bank_o  = '0;
  assign spare_need_o  = '0;

  logic unused_bits;
  assign unused_bits = &{1'b0, winner_valid_i, winner_i, winner_need_i, backup_valid_i, backup_i};

endmodule
