// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_warp_list: picks the first warp of a scheduler's list that may issue; warps that have waited
// long go before all others. Combinational.
//
// - may_i: warps that may issue. long_i: warps that have waited long. order_i: the warp at each
//   place of the list.
// - grant_o: the picked warp, one-hot; 0 if there is none. starved_o: it is one that has waited
//   long.
// Part of hd_warp; page docs/dispatch/warp.md.
module hd_warp_list (
  input  logic [hd_pkg::WarpsPerSched-1:0]                  may_i,
  input  logic [hd_pkg::WarpsPerSched-1:0]                  long_i,
  input  logic [hd_pkg::WarpsPerSched*hd_pkg::WarpPosW-1:0] order_i,
  output logic [hd_pkg::WarpsPerSched-1:0]                  grant_o,
  output logic                                              starved_o
);

  localparam int S = hd_pkg::WarpsPerSched;
  localparam int PosW = hd_pkg::WarpPosW;

  logic [S*S-1:0] at;  // place q names warp i
  logic [S-1:0] starved;
  logic [S-1:0] may_here, starved_here;  // bit of the warp at each place
  logic [S-1:0] first_may, first_starved, first;

  assign starved   = may_i & long_i;
  assign starved_o = |starved;

  // timing: the first of both kinds is found while it is decided whether any warp has waited long.
  for (genvar q = 0; q < S; q++) begin : g_place
    for (genvar i = 0; i < S; i++) begin : g_at
      assign at[q*S+i] = order_i[q*PosW+:PosW] == PosW'(i);
    end

    assign may_here[q]     = |(may_i & at[q*S+:S]);
    assign starved_here[q] = |(starved & at[q*S+:S]);
  end

  logic [2*PosW-1:0] unused_index;
  logic [1:0] unused_valid;

  hd_find_first #(.N(S), .IdxW(PosW)) u_may (
    .req_i   (may_here),
    .onehot_o(first_may),
    .index_o (unused_index[0+:PosW]),
    .valid_o (unused_valid[0])
  );

  hd_find_first #(.N(S), .IdxW(PosW)) u_starved (
    .req_i   (starved_here),
    .onehot_o(first_starved),
    .index_o (unused_index[PosW+:PosW]),
    .valid_o (unused_valid[1])
  );

  assign first = starved_o ? first_starved : first_may;

  always_comb begin
    grant_o = '0;
    for (int q = 0; q < S; q++) begin
      if (first[q]) grant_o |= at[q*S+:S];
    end
  end

endmodule
