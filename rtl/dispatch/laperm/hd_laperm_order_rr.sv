// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_laperm_order_rr: policy Rr. Banks come last: each SMX is offered the winner when queue 0 is
// empty.
//
// - Under Rr nothing goes into a bank; this drains entries left there by another policy.
// - Combinational; all outputs are 0 unless on_i (Rr is the policy). Without a winner winner_i and
//   winner_need_i are 0.
// Ours. Has the ports of every hd_laperm_order_*. Tested with laperm.
module hd_laperm_order_rr (
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

  always_comb begin
    spare_valid_o = '0;
    spare_bank_o  = '0;
    spare_need_o  = '0;
    if (on_i) begin
      spare_valid_o = {NumSmx{winner_valid_i}};
      spare_bank_o  = {NumSmx{winner_i}};
      spare_need_o  = {NumSmx{winner_need_i}};
    end
  end

  assign bound_valid_o = '0;
  assign bound_bank_o  = '0;
  assign bound_need_o  = '0;

  logic unused_bits;
  assign unused_bits = &{1'b0, bank_valid_i, bank_need_i, backup_valid_i, backup_i};

endmodule
