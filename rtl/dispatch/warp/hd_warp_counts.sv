// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_warp_counts: counts the stall cycles of each warp of an SMX.
//
// - stall_i at t: count_o is one more at t+1. If a count would overflow, the counts of all warps of
//   that TB, including this cycle's stalls, are halved; their order stays.
// - The count of an invalid warp is 0 from the next cycle on.
// - in_slot_i[w*CtasPerSmx+s]: warp w belongs to slot s; meaningless while the warp is invalid.
// - Outputs come from registers. Reset: 0.
// Part of hd_warp; page docs/dispatch/warp.md.
`include "common/hd_assert.svh"
module hd_warp_counts (
  input  logic                                               clk_i,
  input  logic                                               rst_ni,
  input  logic [hd_pkg::WarpsPerSmx-1:0]                     valid_i,
  input  logic [hd_pkg::WarpsPerSmx-1:0]                     stall_i,
  input  logic [hd_pkg::WarpsPerSmx*hd_pkg::CtasPerSmx-1:0]  in_slot_i,
  output logic [hd_pkg::WarpsPerSmx*hd_pkg::StallW-1:0]      count_o
);

  localparam int W = hd_pkg::WarpsPerSmx;
  localparam int C = hd_pkg::CtasPerSmx;
  localparam int StallW = hd_pkg::StallW;

  logic [W*StallW-1:0] stalls_q;
  logic [W-1:0] full;  // one more stall would overflow
  logic [C-1:0] over;  // a count of the slot's TB overflows

  always_comb begin
    over = '0;
    for (int w = 0; w < W; w++) begin
      if (valid_i[w] && stall_i[w] && full[w]) over |= in_slot_i[w*C+:C];
    end
  end

  for (genvar w = 0; w < W; w++) begin : g_warp
    logic [StallW-1:0] count;
    logic [StallW:0] sum;
    logic halve;

    assign count   = stalls_q[w*StallW+:StallW];
    assign full[w] = &count;
    assign halve   = |(in_slot_i[w*C+:C] & over);
    assign sum     = {1'b0, count} + (StallW + 1)'(stall_i[w]);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) stalls_q[w*StallW+:StallW] <= '0;
      else if (!valid_i[w]) stalls_q[w*StallW+:StallW] <= '0;
      else if (halve) begin
        stalls_q[w*StallW+:StallW] <= sum[StallW:1];
      end else if (stall_i[w]) stalls_q[w*StallW+:StallW] <= sum[StallW-1:0];
    end
  end

  assign count_o = stalls_q;

`ifdef HD_ASSERT_ON
  // Rare: the counts of a TB are halved.
  `HD_COVER(c_halve, over != '0)
`endif

endmodule
