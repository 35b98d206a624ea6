// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_sched_turn: whether it is the turn of queue 0, which the banks have passed too often.
//
//   queue 0: offers, handed out --+--> [passed] --> = FairEvery --> [turn]
//   bank: handed out -------------'
//
// Ours: the papers let what is bound to an SMX go first for ever.
// - passed: TBs of banks in a row, while queue 0 offers one; 0 again when queue 0 hands one out, or
//   offers none.
// - turn, FairEvery k: passed is k. While it is, the banks leave the SMXs that are open to queue 0.
// - timing: turn_o is a register, since the offers are the first in the cycle's long path.
// - Latency: the k-th TB in t, turn_o from t+1; queue 0's TB in t, not turn_o from t+1.
// - Reset: no turn. FairEvery 0: never one, no registers.
// Part of hd_sched; its model and tests are there, and sched.csv shows its registers.
`include "common/hd_assert.svh"
module hd_sched_turn (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic offers_i,  // queue 0 offers a TB
  input  logic own_i,     // a TB of queue 0 is handed out
  input  logic bank_i,    // a TB of a bank is
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
  // The rare: the turn ends without a TB of queue 0, which offers none any more.
  `HD_COVER(c_no_offer, turn_q && !offers_i)
`endif

endmodule
