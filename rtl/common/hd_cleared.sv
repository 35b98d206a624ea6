// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_cleared: marks the KD entries that lose their list of groups in this cycle: kernels failed by
// one of NumFail events, and the kernel being suspended (taken_i). Combinational.
module hd_cleared (
  input  logic [hd_pkg::NumFail-1:0]              fail_valid_i,
  input  logic [hd_pkg::NumFail*hd_pkg::KdeW-1:0] fail_kdei_i,
  input  logic [hd_pkg::NumKde-1:0]               taken_i,
  output logic [hd_pkg::NumKde-1:0]               cleared_o
);

  localparam int NumKde = hd_pkg::NumKde;
  localparam int KdeW = hd_pkg::KdeW;

  localparam int NumFail = hd_pkg::NumFail;

  logic [NumFail*NumKde-1:0] failed;

  for (genvar k = 0; k < NumFail; k++) begin : g_fail
    hd_onehot #(.N(NumKde), .IdxW(KdeW)) u_fail (
      .valid_i (fail_valid_i[k]),
      .index_i (fail_kdei_i[k*KdeW+:KdeW]),
      .onehot_o(failed[k*NumKde+:NumKde])
    );
  end

  always_comb begin
    cleared_o = taken_i;
    for (int k = 0; k < NumFail; k++) cleared_o |= failed[k*NumKde+:NumKde];
  end

endmodule
