// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_dgb_pick: selects the node that is offered: the ready one with the smallest VID.
//
//   ready --first from tail--> [cand] --before reach--> node
//                                 '--> [ids, u_level] --^
//
// From wireframe-micro2017 section 4.3 (LRR, LVL).
// - The choice is repeated in every cycle, so a smaller VID that becomes ready replaces the offer
//   while no SMX accepts it. An offer stays until it is accepted or the graph stops.
// - A candidate too many levels above the oldest node (hd_dgb_reach: at or behind reach) is not
//   offered.
// - If no node is ready, one whose last parent is reported in this cycle goes at once: that of the
//   lowest lane.
// - timing: both choices, with the candidate and without it, and the SMX of each, are made before
//   taken_i, the last signal of the cycle, selects one.
// - smx_o: SMX of the candidate's last parent. It is that of its place, which no longer changes
//   once the node is ready; of a child that goes at once it is the one that is written now.
// - Levels are in RAMs, by lane, as loaded. TB ids are in registers and are looked up when offered
//   (timing: the choice settles late in its cycle).
// - Latency: ready, or last parent reported, at t, offered at t+1. Rate: one node per cycle.
//   Outputs come from registers and RAMs.
// - Reset, and a start: no candidate.
// Part of hd_dgb, whose tests cover it.
`include "common/hd_assert.svh"
module hd_dgb_pick (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // The graph
  input  logic                          init_i,
  input  logic                          run_i,
  input  logic                          closed_i,
  input  logic [hd_pkg::LnaW-1:0]       reach_i,
  input  logic [hd_pkg::LnaW-1:0]       tail_i,
  input  logic [15:0]                   head_i,
  input  logic [15:0]                   node_count_i,
  // Loaded TB ids and levels
  input  logic                          ids_i,
  input  logic [hd_pkg::DgbLanes-1:0]   lane_we_i,
  input  logic [hd_pkg::LnaW-1:0]       lane_place_i,
  input  logic [16*hd_pkg::DgbLanes-1:0] lane_value_i,
  input  logic [1:0]                    node_we_i,
  input  logic [hd_pkg::LnaW-2:0]       node_row_i,
  input  logic [127:0]                  node_data_i,
  // The next node
  input  logic [hd_pkg::Lna-1:0]        ready_i,
  input  logic [hd_pkg::ChildLanes-1:0] last_i,       // the last parent of these is reported
  input  logic [hd_pkg::ChildLanes*hd_pkg::LnaW-1:0] last_place_i,
  input  logic [hd_pkg::DgbSmxW-1:0]    last_smx_i,   // that parent's SMX
  input  logic [hd_pkg::Lna*hd_pkg::DgbSmxW-1:0] smx_i,  // by place
  output logic                          valid_o,
  output logic [hd_pkg::LnaW-1:0]       place_o,
  output logic [15:0]                   id_o,
  output logic [15:0]                   level_o,
  output logic                          next_o,   // valid_o without the check of its level
  output logic [hd_pkg::DgbSmxW-1:0]    smx_o,
  input  logic                          taken_i
);

  localparam int Lna = hd_pkg::Lna;
  localparam int LnaW = hd_pkg::LnaW;
  localparam int Lanes = hd_pkg::DgbLanes;
  localparam int SmxW = hd_pkg::DgbSmxW;

  logic cand_valid_q, some_any, some_other, some_child, choose, next_valid;
  logic [LnaW-1:0] cand_q, first_any, first_other;
  logic [Lna-1:0] cand, held, can;
  logic [hd_pkg::ChildLanes-1:0] goes;  // lanes whose child may go at once
  logic [LnaW-1:0] child, next;
  logic [SmxW-1:0] cand_smx_q, any_smx, other_smx;

  // ---- The next candidate -----------------------------------------------------------------------
  hd_onehot #(.N(Lna), .IdxW(LnaW)) u_cand (
    .valid_i(cand_valid_q), .index_i(cand_q), .onehot_o(cand));

  // The paper's rule: the node at the head is not offered, unless it is the last.
  if (hd_pkg::DgbPaper != 0) begin : g_paper
    logic [15:0] last;
    assign last = head_i - 16'd1;
    hd_onehot #(.N(Lna), .IdxW(LnaW)) u_held (
      .valid_i(head_i != node_count_i), .index_i(last[LnaW-1:0]), .onehot_o(held));
    for (genvar l = 0; l < hd_pkg::ChildLanes; l++) begin : g_goes
      assign goes[l] = last_i[l] && !held[last_place_i[l*LnaW+:LnaW]];
    end
  end else begin : g_known
    logic unused_head;
    assign unused_head = &{1'b0, head_i, node_count_i};
    assign held = '0;
    assign goes = last_i;
  end

  assign can = ready_i & ~held;

  hd_dgb_first #(.N(Lna), .IdxW(LnaW)) u_any (
    .req_i(can), .ptr_i(tail_i), .index_o(first_any), .valid_o(some_any));

  hd_dgb_first #(.N(Lna), .IdxW(LnaW)) u_other (
    .req_i  (can & ~cand),
    .ptr_i  (tail_i),
    .index_o(first_other),
    .valid_o(some_other)
  );

  assign some_child = goes != '0;
  assign choose     = run_i;
  assign next_valid = taken_i ? some_other || some_child : some_any || some_child;
  assign next       = taken_i ? (some_other ? first_other : child) : (some_any ? first_any : child);

  assign any_smx   = some_any ? smx_i[first_any*SmxW+:SmxW] : last_smx_i;
  assign other_smx = some_other ? smx_i[first_other*SmxW+:SmxW] : last_smx_i;

  always_comb begin
    child = '0;
    for (int l = hd_pkg::ChildLanes - 1; l >= 0; l--) begin
      if (goes[l]) child = last_place_i[l*LnaW+:LnaW];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) cand_valid_q <= 1'b0;
    else if (init_i) cand_valid_q <= 1'b0;
    else if (choose) cand_valid_q <= next_valid;
  end

  always_ff @(posedge clk_i) begin
    if (choose) begin
      cand_q     <= next;
      cand_smx_q <= taken_i ? other_smx : any_smx;
    end
  end

  // ---- TB ids and levels ------------------------------------------------------------------------
  logic [Lna*16-1:0] ids_q;  // by place
  logic [31:0] levels;

  always_ff @(posedge clk_i) begin
    if (ids_i) begin
      for (int p = 0; p < Lna; p++) begin
        if (lane_we_i[p%Lanes] && 32'(lane_place_i) / Lanes == p / Lanes) begin
          ids_q[p*16+:16] <= lane_value_i[(p%Lanes)*16+:16];
        end
      end
    end
  end

  for (genvar b = 0; b < 2; b++) begin : g_level
    hd_ram_1r1w #(.Width(16), .Depth(Lna / 2), .AddrW(LnaW - 1)) u_level (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .we_i   (node_we_i[b]),
      .waddr_i(node_row_i),
      .wdata_i(node_data_i[b*64+48+:16]),
      .re_i   (choose && next_valid && 32'(next) % 2 == b),
      .raddr_i(next[LnaW-1:1]),
      .rdata_o(levels[b*16+:16])
    );
  end

  // ---- The offer --------------------------------------------------------------------------------
  logic cand_high, reach_high, nearer;  // high: at or above tail, so before those below it

  assign cand_high  = cand_q >= tail_i;
  assign reach_high = reach_i >= tail_i;
  assign nearer     = cand_high == reach_high ? cand_q < reach_i : cand_high;

  assign next_o  = run_i && cand_valid_q;
  assign valid_o = next_o && (!closed_i || nearer);
  assign place_o = cand_q;
  assign smx_o   = cand_smx_q;
  assign id_o    = ids_q[cand_q*16+:16];
  assign level_o = levels[cand_q[0]*16+:16];

  logic unused_bits;
  assign unused_bits = &{1'b0, node_data_i};

`ifdef HD_ASSERT_ON
  `HD_ASSERT_PROP(a_stays, valid_o && !taken_i |=> !run_i || (valid_o
      && LnaW'(cand_q - $past(tail_i)) <= LnaW'($past(cand_q) - $past(tail_i))),
      "An offer is withdrawn without being accepted, or gives way to a larger VID.")
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (taken_i) `HD_ASSERT_IN(a_taken, valid_o, "A node is taken while none is offered.")
      if (valid_o) `HD_ASSERT(a_ready, ready_i[cand_q], "A node is offered that is not ready.")
    end
  end

  // Rare: a candidate too far above the oldest node; a child offered at once; a node that replaces
  // a candidate or an offer.
  `HD_COVER(c_waits, run_i && cand_valid_q && !valid_o)
  `HD_COVER(c_at_once, run_i && next_valid && !(taken_i ? some_other : some_any))
  `HD_COVER(c_replaced, run_i && cand_valid_q && !valid_o && some_any && first_any != cand_q)
  `HD_COVER(c_gives_way, run_i && valid_o && !taken_i && first_any != cand_q)
`endif

endmodule
