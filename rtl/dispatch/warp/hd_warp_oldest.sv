// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_warp_oldest: picks, of the warps of one scheduler that may issue, the lowest-numbered warp of
// the oldest TB. Combinational.
//
// - may_i: warps that may issue. grant_o: the picked warp, one-hot; 0 if there is none.
// - in_slot_i[i*CtasPerSmx+s]: warp i belongs to slot s. older_i[s*CtasPerSmx+t]: the TB in slot t
//   is older than that in slot s.
// Part of hd_warp; page docs/dispatch/warp.md.
module hd_warp_oldest (
  input  logic [hd_pkg::WarpsPerSched-1:0]                    may_i,
  input  logic [hd_pkg::WarpsPerSched*hd_pkg::CtasPerSmx-1:0] in_slot_i,
  input  logic [hd_pkg::CtasPerSmx*hd_pkg::CtasPerSmx-1:0]    older_i,
  output logic [hd_pkg::WarpsPerSched-1:0]                    grant_o
);

  localparam int S = hd_pkg::WarpsPerSched;
  localparam int C = hd_pkg::CtasPerSmx;
  localparam int PosW = hd_pkg::WarpPosW;

  logic [C-1:0] some, first;  // slots with such a warp; the one of them with the oldest TB
  logic [S-1:0] oldest;

  always_comb begin
    some = '0;
    for (int w = 0; w < S; w++) begin
      if (may_i[w]) some |= in_slot_i[w*C+:C];
    end
  end

  for (genvar s = 0; s < C; s++) begin : g_slot
    assign first[s] = !(|(older_i[s*C+:C] & some));
  end

  for (genvar i = 0; i < S; i++) begin : g_warp
    assign oldest[i] = may_i[i] && |(in_slot_i[i*C+:C] & first);
  end

  logic [PosW-1:0] unused_index;
  logic unused_valid;

  hd_find_first #(.N(S), .IdxW(PosW)) u_first (
    .req_i   (oldest),
    .onehot_o(grant_o),
    .index_o (unused_index),
    .valid_o (unused_valid)
  );

endmodule
