// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_warp_pick: picks the warp that one scheduler issues, under each policy. Combinational.
//
//   may --> the last one, if it is held             (grr, gto) --+--> index_o, chosen_o
//      '--> the first after the last one            (rr, grr) ---+
//      '--> hd_warp_oldest: the oldest TB's         (gto) -------+
//      '--> hd_warp_list: the first of the list     (lwf) -------+
//
// - valid_o: a warp was picked; index_o and chosen_o name it, as number and as one-hot (0: none).
//   starved_o: under lwf, it had waited long.
// Policies: cooperative-warp-tb-scheduling-2017, sections 3, 4 and 6.
// Part of hd_warp; page docs/dispatch/warp.md.
module hd_warp_pick (
  input  logic [hd_pkg::WpolicyW-1:0]                         policy_i,
  input  logic [hd_pkg::WarpsPerSched-1:0]                    may_i,
  input  logic [hd_pkg::WarpsPerSched-1:0]                    long_i,
  input  logic [hd_pkg::WarpsPerSched*hd_pkg::WarpPosW-1:0]   order_i,
  input  logic [hd_pkg::WarpsPerSched*hd_pkg::CtasPerSmx-1:0] in_slot_i,
  input  logic [hd_pkg::CtasPerSmx*hd_pkg::CtasPerSmx-1:0]    older_i,
  input  logic [hd_pkg::WarpPosW-1:0]                         last_i,
  input  logic                                                held_i,
  output logic                                                valid_o,
  output logic [hd_pkg::WarpPosW-1:0]                         index_o,
  output logic [hd_pkg::WarpsPerSched-1:0]                    chosen_o,
  output logic                                                starved_o
);

  localparam int S = hd_pkg::WarpsPerSched;
  localparam int PosW = hd_pkg::WarpPosW;

  // ---- One choice for each policy ---------------------------------------------------------------
  logic [S-1:0] in_turn, oldest, listed, same;  // same: the last one
  logic [PosW-1:0] after, unused_index, unused_next;  // after: the warp behind the last one
  logic starved;

  assign after = last_i == PosW'(S - 1) ? '0 : last_i + PosW'(1);

  hd_rr_arb #(.N(S), .IdxW(PosW)) u_turn (
    .req_i  (may_i),
    .ptr_i  (after),
    .grant_o(in_turn),
    .index_o(unused_index),
    .valid_o(valid_o),
    .next_o (unused_next)
  );

  hd_warp_oldest u_oldest (
    .may_i    (may_i),
    .in_slot_i(in_slot_i),
    .older_i  (older_i),
    .grant_o  (oldest)
  );

  hd_warp_list u_list (
    .may_i    (may_i),
    .long_i   (long_i),
    .order_i  (order_i),
    .grant_o  (listed),
    .starved_o(starved)
  );

  for (genvar i = 0; i < S; i++) begin : g_same
    assign same[i] = last_i == PosW'(i);
  end

  // ---- The choice of the policy ----------------------------------------------------------------
  logic lwf, gto, greedy;

  assign lwf    = policy_i == hd_pkg::WpolicyLwf;
  assign gto    = policy_i == hd_pkg::WpolicyGto;
  assign greedy = (gto || policy_i == hd_pkg::WpolicyGrr) && held_i && |(may_i & same);

  assign chosen_o  = ({S{lwf}} & listed) | ({S{greedy}} & same)
      | ({S{gto && !greedy}} & oldest) | ({S{!lwf && !gto && !greedy}} & in_turn);
  assign starved_o = lwf && starved;

  always_comb begin
    index_o = '0;
    for (int w = 0; w < S; w++) begin
      if (chosen_o[w]) index_o |= PosW'(w);
    end
  end

endmodule
