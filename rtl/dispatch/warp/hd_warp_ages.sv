// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_warp_ages: ranks the TB slots of an SMX by the age of their TBs (order of assignment).
//
// - rank_o[s]: 0 (oldest) to CtasPerSmx - 1 (youngest); always a permutation. A freed slot keeps
//   its rank.
// - assign_valid_i at t: from t+1 on assign_slot_i is the youngest, and the slots that were younger
//   have moved up by one.
// - older_o[s*CtasPerSmx+t]: the TB in slot t is older than that in slot s.
// - Reset: the rank of slot s is s.
// Part of hd_warp; page docs/dispatch/warp.md.
`include "common/hd_assert.svh"
module hd_warp_ages (
  input  logic                                             clk_i,
  input  logic                                             rst_ni,
  input  logic                                             assign_valid_i,
  input  logic [hd_pkg::SlotW-1:0]                         assign_slot_i,
  output logic [hd_pkg::CtasPerSmx*hd_pkg::SlotW-1:0]      rank_o,
  output logic [hd_pkg::CtasPerSmx*hd_pkg::CtasPerSmx-1:0] older_o
);

  localparam int C = hd_pkg::CtasPerSmx;
  localparam int SlotW = hd_pkg::SlotW;
  localparam logic [SlotW-1:0] Youngest = SlotW'(C - 1);

  logic [C*SlotW-1:0] rank_q;
  logic [SlotW-1:0] old;  // old rank of the assigned slot

  always_comb begin
    old = '0;
    for (int s = 0; s < C; s++) begin
      if (assign_slot_i == SlotW'(s)) old |= rank_q[s*SlotW+:SlotW];
    end
  end

  for (genvar s = 0; s < C; s++) begin : g_slot
    logic [SlotW-1:0] rank;

    assign rank = rank_q[s*SlotW+:SlotW];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) rank_q[s*SlotW+:SlotW] <= SlotW'(s);
      else if (assign_valid_i) begin
        if (assign_slot_i == SlotW'(s)) rank_q[s*SlotW+:SlotW] <= Youngest;
        else if (rank > old) rank_q[s*SlotW+:SlotW] <= rank - SlotW'(1);
      end
    end

    for (genvar t = 0; t < C; t++) begin : g_other
      if (t == s) begin : g_self
        assign older_o[s*C+t] = 1'b0;
      end else if (t < s) begin : g_pair
        assign older_o[s*C+t] = rank_q[t*SlotW+:SlotW] < rank;
        assign older_o[t*C+s] = !(rank_q[t*SlotW+:SlotW] < rank);
      end
    end
  end

  assign rank_o = rank_q;

`ifdef HD_ASSERT_ON
  logic [C-1:0] there;  // ranks in use

  always_comb begin
    there = '0;
    for (int i = 0; i < C; i++) there |= C'(1) << rank_q[i*SlotW+:SlotW];
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni && assign_valid_i) `HD_ASSERT(a_permutation, &there,
        "Two slots have the same rank of age.")
  end
`endif

endmodule
