// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_warp_waits: counts the cycles in which each warp of an SMX was ready but did not issue.
//
// - ready_i without chosen_i at t: one more at t+1, up to WarpWait. chosen_i, or an invalid warp,
//   resets the count to 0. A valid warp that is not ready keeps its count.
// - long_o: the warp has waited for WarpWait cycles. Comes from registers. Reset: 0.
// Part of hd_warp; page docs/dispatch/warp.md.
module hd_warp_waits (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic [hd_pkg::WarpsPerSmx-1:0] valid_i,
  input  logic [hd_pkg::WarpsPerSmx-1:0] ready_i,
  input  logic [hd_pkg::WarpsPerSmx-1:0] chosen_i,
  output logic [hd_pkg::WarpsPerSmx-1:0] long_o
);

  localparam int W = hd_pkg::WarpsPerSmx;
  localparam int WaitW = hd_pkg::WarpWaitW;
  localparam logic [WaitW-1:0] Longest = WaitW'(hd_pkg::WarpWait);

  logic [W*WaitW-1:0] waited_q;

  for (genvar w = 0; w < W; w++) begin : g_warp
    logic [WaitW-1:0] waited;

    assign waited    = waited_q[w*WaitW+:WaitW];
    assign long_o[w] = waited >= Longest;  // if WarpWait is a power of two: the top bit

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) waited_q[w*WaitW+:WaitW] <= '0;
      else if (!valid_i[w] || chosen_i[w]) waited_q[w*WaitW+:WaitW] <= '0;
      else if (ready_i[w] && !long_o[w]) waited_q[w*WaitW+:WaitW] <= waited + WaitW'(1);
    end
  end

endmodule
