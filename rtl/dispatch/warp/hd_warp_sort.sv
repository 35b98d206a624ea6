// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_warp_sort: sorts the warps of one scheduler by odd-even transposition, one step per cycle.
//
//   count, class --phase 0--> [keys] --> compare neighbours --> exchange --> rotate by one
//                               ^                                                   |
//                               +---------------------------------------------------+--> order_o
//
// A key is {class, inverted count, number}; smaller keys come first.
// cooperative-warp-tb-scheduling-2017 (section 4) sorts in no time; the network and its 32 steps
// are ours.
// - Step k, in the cycle with phase_i = k, compares places (0, 1), (2, 3), .. of the list if k is
//   even, and (1, 2), (3, 4), .. if k is odd. In phase 0 the keys are loaded from the inputs.
// - The list rotates by one place per step (place q of the list is in register q - k), so the same
//   pairs of registers are compared in every step. This halves the comparators and avoids
//   multiplexers between partners. The pair of the last place and the first is never exchanged.
// - order_o: number of the warp at each place after this cycle's step. In phase 31 it is the order
//   of the keys loaded in phase 0: N steps sort N keys, and N is at most 32.
// - With an odd number of warps an additional key is added, which stays last.
// - No reset: the state before phase 0 is not used.
// Part of hd_warp; page docs/dispatch/warp.md.
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

  // Phases in which registers 2 i and 2 i + 1 hold the last place and the first, which are not
  // compared.
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
