// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_sched_fair: gives queue 0 a turn when banks have been served before it too often.
//
//   queue 0: offers, handed out --+--> [passed] --> = FairEvery --> [turn]
//   bank: handed out -------------'
//
// Ours: in the papers, TBs bound to an SMX always go first.
// - passed: number of TBs of banks in a row while queue 0 offers a TB; cleared when queue 0 hands
//   one out or offers none.
// - turn: set when passed reaches k = FairEvery. During a turn the banks leave the open SMXs to
//   queue 0.
// - timing: turn_o is a register, since the offers start the longest path of the cycle.
// - Latency: the k-th TB at t sets turn_o at t+1; a TB of queue 0 at t clears it at t+1.
// - Reset: no turn. With FairEvery 0 there is never a turn, and there are no registers.
// Part of hd_sched, whose model and tests cover it; sched.csv shows its registers.
`include "common/hd_assert.svh"
module hd_sched_fair (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic offers_i,  // queue 0 offers a TB
  input  logic own_i,     // a TB of queue 0 is granted
  input  logic bank_i,    // a TB of a bank is granted
  output logic turn_o
);

  localparam int FairW = hd_pkg::FairW;
  localparam int FairEvery = hd_pkg::FairEvery;

  logic turn_q, passes, last;
  logic [FairW-1:0] passed_q;

  assign passes = FairEvery != 0 && offers_i && !own_i;
  assign last   = 32'(passed_q) + 1 == FairEvery;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      passed_q <= '0;
      turn_q   <= 1'b0;
    end else begin
      passed_q <= !passes ? '0 : (bank_i && !turn_q) ? passed_q + FairW'(1) : passed_q;
      turn_q   <= passes && (turn_q || (bank_i && last));
    end
  end

  assign turn_o = turn_q;

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT(a_turn, turn_q == (FairEvery != 0 && 32'(passed_q) == FairEvery),
          "The turn of queue 0 disagrees with its count of passed TBs.")
      `HD_ASSERT_IN(a_one, !(own_i && bank_i),
          "A TB of queue 0 and one of a bank are granted in one cycle.")
    end
  end

  // Rare: the turn ends without a TB of queue 0, because it offers none any more.
  `HD_COVER(c_no_offer, turn_q && !offers_i)
`endif

endmodule
