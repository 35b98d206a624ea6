// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_warp_sort: sorts the warps of one issue scheduler: odd-even transposition, a step a cycle.
//
//   count, class --phase 0--> [keys] --> compare neighbours --> exchange --> rotate by one
//                               ^                                                   |
//                               +---------------------------------------------------+--> order_o
//
// A key is {class, count inverted, number}: a smaller one comes first. cooperative-warp-tb-
// scheduling-2017 (section 4) sorts in no time; the network and its 32 steps are ours.
// - Step k, in the cycle with phase_i = k, compares places (0, 1), (2, 3), .. of the list if k is
//   even, (1, 2), (3, 4), .. if k is odd. In phase 0 the keys are those of the inputs.
// - The list is turned by one place in each step, so that the neighbours that are compared always
//   lie in the same registers: place q of the list in register q - k. Half as many comparators, and
//   no multiplexer between two partners. The pair of the last place and the first is let alone.
// - order_o: number of the warp in each place, as the step of this cycle leaves it. In phase 31 it
//   is the order of what came in in phase 0: N steps sort N, and there are 32 at most.
// - An odd number of warps gets one more key, which stays last.
// - No reset: what is here before phase 0 is not looked at.
// Inside hd_warp; page docs/dispatch/warp.md.
module hd_warp_sort (
  input  logic                                                 clk_i,
  input  logic [hd_pkg::WarpPassW-1:0]                         phase_i,
  input  logic [hd_pkg::WarpsPerSched*hd_pkg::WarpClassW-1:0]  class_i,
  input  logic [hd_pkg::WarpsPerSched*hd_pkg::StallW-1:0]      count_i,
  output logic [hd_pkg::WarpsPerSched*hd_pkg::WarpPosW-1:0]    order_o
);

  localparam int S = hd_pkg::WarpsPerSched;
  localparam int N = S + S % 2;  // keys: an even number
  localparam int Pass = hd_pkg::WarpPass;
  localparam int ClassW = hd_pkg::WarpClassW;
  localparam int StallW = hd_pkg::StallW;
  localparam int PosW = hd_pkg::WarpPosW;
  localparam int KeyW = ClassW + StallW + PosW;

  // Phases in which the pair in registers 2 i and 2 i + 1 is that of the last place and the first.
  function automatic logic [Pass-1:0] apart(input int i);
    for (int k = 0; k < Pass; k++) apart[k] = (2 * i + 1 + k) % N == 0;
  endfunction

  logic [N*KeyW-1:0] key_q, key, sorted;

  for (genvar q = 0; q < N; q++) begin : g_key
    logic [KeyW-1:0] in;

    if (q < S) begin : g_warp
      assign in = {class_i[q*ClassW+:ClassW], ~count_i[q*StallW+:StallW], PosW'(q)};
    end else begin : g_none
      assign in = '1;
    end

    assign key[q*KeyW+:KeyW] = phase_i == '0 ? in : key_q[q*KeyW+:KeyW];
  end

  for (genvar i = 0; i < N / 2; i++) begin : g_pair
    localparam logic [Pass-1:0] Apart = apart(i);
    logic [KeyW-1:0] one, other;
    logic exchange;

    assign one      = key[2*i*KeyW+:KeyW];
    assign other    = key[(2*i+1)*KeyW+:KeyW];
    assign exchange = other < one && !Apart[phase_i];

    assign sorted[2*i*KeyW+:KeyW]     = exchange ? other : one;
    assign sorted[(2*i+1)*KeyW+:KeyW] = exchange ? one : other;
  end

  always_ff @(posedge clk_i) key_q <= {sorted[KeyW-1:0], sorted[N*KeyW-1:KeyW]};

  for (genvar q = 0; q < S; q++) begin : g_order
    localparam int Register = (q + (Pass * N) - (Pass - 1)) % N;
    assign order_o[q*PosW+:PosW] = sorted[Register*KeyW+:PosW];
  end

endmodule
