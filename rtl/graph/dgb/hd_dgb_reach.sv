// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_dgb_reach: finds how far the bound on levels reaches: the first node above the limit.
//
//   level of the last loaded node, limit -- --> [closed, reach] <--first step behind it-- limit + 1
//
// Ours: nodes are in level order, so one place separates the nodes within the bound from those
// above it, and no level of a candidate needs to be compared.
// - closed: a node above the limit has been loaded; reach is the first such node, where a level
//   begins (a step).
// - When the limit goes up, reach moves to the next loaded step. If there is none, all loaded nodes
//   are within the bound, until one above it is loaded.
// - Latency: one cycle from the limit, two from a beat (its nodes become candidates two cycles
//   later still). Outputs come from registers.
// - Reset, and a start: no node is above the limit.
// Part of hd_dgb, whose tests cover it.
module hd_dgb_reach (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        init_i,
  input  logic                        bounded_i,
  // The limit, and whether it goes up
  input  logic [16:0]                 limit_i,
  input  logic                        up_i,
  // Loaded nodes
  input  logic [1:0]                  node_we_i,
  input  logic [hd_pkg::LnaW-2:0]     node_row_i,
  input  logic [1:0]                  node_step_i,
  input  logic [15:0]                 last_level_i,
  input  logic [hd_pkg::Lna-1:0]      step_i,
  // The first node above it
  output logic                        closed_o,
  output logic [hd_pkg::LnaW-1:0]     reach_o
);

  localparam int Lna = hd_pkg::Lna;
  localparam int LnaW = hd_pkg::LnaW;

  // ---- The last beat of nodes -------------------------------------------------------------------
  logic [LnaW-2:0] beat_row_q;
  logic beat_odd_q, beat_step_q;  // the beat had two nodes; the second one is a step

  always_ff @(posedge clk_i) begin
    if (node_we_i != '0) begin
      beat_row_q      <= node_row_i;
      beat_odd_q      <= node_we_i[1];
      beat_step_q <= node_step_i[1];
    end
  end

  // ---- The first node above the limit in a beat ------------------------------------------------
  // Valid if no earlier node is above, and the last node of the beat is.
  logic [17:0] above;  // of the last node, in levels: at most 2 if none before it is above
  logic over, by_one, odd_first;

  assign above     = {2'b0, last_level_i} - {1'b0, limit_i};
  assign over      = !above[17] && (above[17:1] != '0 || (above[0] && !up_i));
  assign by_one    = up_i ? above[1] && !above[0] : above[0];
  assign odd_first = beat_odd_q && beat_step_q && by_one;

  // ---- The next loaded step behind reach -------------------------------------------------------
  logic closed_q, wraps, some_high, some_low;
  logic [LnaW-1:0] reach_q, last, index_high, index_low;
  logic [Lna-1:0] behind, until_last, high, low, unused_high, unused_low;

  assign last  = {beat_row_q, beat_odd_q};
  assign wraps = last < reach_q;

  always_comb begin
    behind     = '0;
    until_last = '0;
    if (closed_q) begin
      for (int p = 0; p < Lna; p++) begin
        behind[p]     = LnaW'(p) > reach_q;
        until_last[p] = LnaW'(p) <= last;
      end
    end
  end

  assign high = step_i & behind & (until_last | {Lna{wraps}});
  assign low  = step_i & until_last;

  hd_find_first #(.N(Lna), .IdxW(LnaW)) u_high (
    .req_i(high), .onehot_o(unused_high), .index_o(index_high), .valid_o(some_high));
  hd_find_first #(.N(Lna), .IdxW(LnaW)) u_low (
    .req_i(low), .onehot_o(unused_low), .index_o(index_low), .valid_o(some_low));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) closed_q <= 1'b0;
    else if (init_i) closed_q <= 1'b0;
    else if (!closed_q) closed_q <= over && bounded_i;
    else if (up_i) closed_q <= some_high || (wraps && some_low);
  end

  always_ff @(posedge clk_i) begin
    if (!closed_q) reach_q <= {beat_row_q, odd_first};
    else if (up_i) reach_q <= some_high ? index_high : index_low;
  end

  assign closed_o = closed_q;
  assign reach_o  = reach_q;

  logic unused_bits;
  assign unused_bits = &{1'b0, unused_high, unused_low, node_step_i};

endmodule
