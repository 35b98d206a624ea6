// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_warp_list: of the warps of one issue scheduler that may issue, the first of the list; those
// that have waited long before all others. Combinational.
//
// - may_i: warps that may issue; long_i: they have waited long. order_i: the warp in each place.
// - grant_o: that one, as one-hot; 0 while there is none. starved_o: one of those that have waited.
// Inside hd_warp; page docs/dispatch/warp.md.
`include "common/hd_fault.svh"
module hd_warp_list (
  input  logic [hd_pkg::WarpsPerSched-1:0]                  may_i,
  input  logic [hd_pkg::WarpsPerSched-1:0]                  long_i,
  input  logic [hd_pkg::WarpsPerSched*hd_pkg::WarpPosW-1:0] order_i,
  output logic [hd_pkg::WarpsPerSched-1:0]                  grant_o,
  output logic                                              starved_o
);

  localparam int S = hd_pkg::WarpsPerSched;
  localparam int PosW = hd_pkg::WarpPosW;

  logic [S-1:0] starved, among, place, first;  // place: one of these stands there

  assign starved   = may_i & `HD_FAULT(338, long_i, '0);
  assign starved_o = |starved;
  assign among     = starved_o ? starved : may_i;

  for (genvar q = 0; q < S; q++) begin : g_place
    assign place[q] = among[order_i[q*PosW+:PosW]];
  end

  logic [PosW-1:0] unused_index;
  logic unused_valid;

  hd_find_first #(.N(S), .IdxW(PosW)) u_first (
    .req_i   (place),
    .onehot_o(first),
    .index_o (unused_index),
    .valid_o (unused_valid)
  );

  for (genvar i = 0; i < S; i++) begin : g_grant
    logic [S-1:0] at;  // places that name this warp: one

    for (genvar q = 0; q < S; q++) begin : g_at
      assign at[q] = order_i[q*PosW+:PosW] == PosW'(i);
    end

    assign grant_o[i] = |(first & at);
  end

endmodule
