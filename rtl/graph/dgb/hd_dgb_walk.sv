// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_dgb_walk: walks the edges of nodes that are done and updates their children.
//
//   Finished, done --> [A: node, next edges] --> [LEA: 8 banks] --> [C] --> [D: children]
//                                      counts, PUB, early updates <------------'
//
// From wireframe-micro2017 section 4.2.2. Several children per cycle, and the handling of a full
// PUB, are ours.
// - A: selects the finished node with the smallest VID; if there is none, a node that is done in
//   this cycle. A big node only when it is the oldest; its edges are freed as they are read.
// - D: updates all children that are loaded in one cycle, the others one by one.
// - Latency: done at t, A at t+1, C at t+2, D at t+3. Rate: ChildLanes children per cycle. Outputs
//   come from registers and the LEA.
// - Reset, and a start: nothing to walk.
// Part of hd_dgb, whose tests cover it.
`include "common/hd_assert.svh"
module hd_dgb_walk (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  // The graph
  input  logic                              init_i,
  input  logic                              run_i,
  input  logic [15:0]                       node_count_i,
  input  logic [15:0]                       edge_count_i,
  input  logic [15:0]                       tail_i,
  input  logic [15:0]                       head_i,
  input  logic                              insert_i,
  input  logic [15:0]                       here_i,
  input  logic [15:0]                       ask_i,
  input  logic                              big_i,
  input  logic [15:0]                       big_vid_i,
  // Nodes that are done
  input  logic [hd_pkg::Lna-1:0]            finished_i,
  input  logic [hd_pkg::NumSmx-1:0]         done_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::LnaW-1:0] done_index_i,
  output logic                              done_kept_o,
  output logic [hd_pkg::Lna-1:0]            pick_o,
  // Their edges
  output logic                              walk_some_o,
  output logic [hd_pkg::Lna-1:0]            walk_lowest_o,
  output logic [hd_pkg::Lna-1:0]            walk_group_o,
  output logic [hd_pkg::LnaW-1:0]           walk_straight_o,
  output logic [hd_pkg::LnaW-1:0]           walk_place_o,
  input  logic [15:0]                       walk_start_i,
  input  logic [15:0]                       walk_behind_i,
  input  logic [hd_pkg::DgbSmxW-1:0]        walk_smx_i,
  input  logic                              lea_we_i,
  input  logic [127:0]                      lea_data_i,
  input  logic [12:0]                       rows_here_i,
  output logic                              free_valid_o,
  output logic [15:0]                       free_edge_o,
  // Children
  output logic [hd_pkg::ChildLanes-1:0]     hit_o,
  output logic [hd_pkg::ChildLanes*3-1:0]   hit_times_o,
  output logic [hd_pkg::ChildLanes*hd_pkg::LnaW-1:0] hit_place_o,
  output logic [hd_pkg::DgbSmxW-1:0]        hit_smx_o,
  output logic [15:0]                       vid_o,
  output logic                              bad_o,
  output logic                              told_o,
  output logic                              step_o,
  // Children that are not loaded
  output logic [hd_pkg::ChildLanes*16-1:0]  child_o,
  input  logic [hd_pkg::ChildLanes-1:0]     merge_ok_i,
  input  logic                              pub_full_i,
  output logic [15:0]                       other_o,
  output logic                              push_o,
  output logic                              merge_o
);

  localparam int Lna = hd_pkg::Lna;
  localparam int LnaW = hd_pkg::LnaW;
  localparam int Group = Lna < 16 ? Lna : 16;  // places that are chosen from at once
  localparam int Groups = Lna / Group;
  localparam int NumSmx = hd_pkg::NumSmx;
  localparam int Lanes = hd_pkg::ChildLanes;
  localparam int SmxW = hd_pkg::DgbSmxW;
  localparam int BankRows = hd_pkg::Lea / 8;
  localparam int BankW = BankRows > 1 ? $clog2(BankRows) : 1;

  // ---- A: the node to walk ---------------------------------------------------------------------
  logic a_valid_q, a_free, a_go, a_last, some_finished, unused_some, big_waits, straight;
  logic [LnaW-1:0] a_place_q, distance, finished_place, straight_place, next_place, final_place;
  logic final_node;
  logic [15:0] a_pos_q, a_end_q;
  logic [Lna-1:0] big_place, candidates, others_than_big, lowest, final_bit;
  logic [Groups-1:0] group;
  logic [NumSmx-1:0] first_done;

  assign big_waits  = big_i && tail_i != big_vid_i;

  // Decoded in every cycle on purpose. timing: with an enable, Yosys merges this decoder with
  // another one whose select arrives late, and lengthens the path.
  hd_onehot #(.N(Lna), .IdxW(LnaW)) u_big (
    .valid_i(1'b1), .index_i(big_vid_i[LnaW-1:0]), .onehot_o(big_place));
  assign candidates = finished_i;

  // A big node is the last in the window, so it is the oldest only if there is no other.
  assign others_than_big = candidates & ~(big_place & {Lna{big_waits}});
  assign some_finished   = others_than_big != '0;

  hd_dgb_oldest #(.N(Lna), .IdxW(LnaW), .Group(Group), .Num(Groups)) u_finished (
    .req_i   (candidates),
    .ptr_i   (tail_i[LnaW-1:0]),
    .lowest_o(lowest),
    .group_o (group),
    .index_o (finished_place),
    .valid_o (unused_some)
  );

  assign first_done = done_valid_i & ~(done_valid_i - NumSmx'(1));
  always_comb begin
    straight_place = '0;
    if (done_valid_i != '0) begin
      for (int s = 0; s < NumSmx; s++) begin
        straight_place |= done_index_i[s*LnaW+:LnaW] & {LnaW{first_done[s]}};
      end
    end
  end

  assign a_free      = run_i && (!a_valid_q || (a_go && a_last));
  assign straight    = a_free && !some_finished && !big_i;
  assign done_kept_o = straight;

  for (genvar g = 0; g < Groups; g++) begin : g_group
    assign walk_group_o[g*Group+:Group] = {Group{group[g]}};
    assign pick_o[g*Group+:Group] = lowest[g*Group+:Group]
        & {Group{group[g] && some_finished && a_free}};
  end

  // final_node: the selected node is the last of the graph. Among finished nodes it is selected
  // only if there is no other.
  assign next_place      = some_finished ? finished_place : straight_place;
  assign final_place     = node_count_i[LnaW-1:0] - LnaW'(1);
  hd_onehot #(.N(Lna), .IdxW(LnaW)) u_final (
    .valid_i(1'b1), .index_i(final_place), .onehot_o(final_bit));
  assign final_node      = head_i == node_count_i
      && (some_finished ? (candidates & ~final_bit) == '0 : straight_place == final_place);
  assign walk_some_o     = some_finished;
  assign walk_lowest_o   = lowest;
  assign walk_straight_o = straight_place;

  // ---- Its edges --------------------------------------------------------------------------------
  logic [15:0] left, ahead, beyond, a_vid, pos_next;
  logic [2:0] count;
  logic here, c_free;

  assign walk_place_o = a_place_q;
  assign distance = a_place_q - tail_i[LnaW-1:0];
  assign a_vid   = tail_i + 16'(distance);
  assign left     = a_end_q - a_pos_q;
  assign a_last   = left <= 16'(Lanes);
  assign count    = a_last ? 3'(left) : 3'(Lanes);

  // here: all its edges are loaded, or at least Lanes of them. The number of edges of a big node
  // may exceed 16 bits.
  assign ahead    = {rows_here_i, 3'b0} - a_pos_q;
  assign beyond   = {rows_here_i, 3'b0} - a_end_q;
  assign here     = left == '0 || (!beyond[15] && (a_last || !big_i || big_waits))
      || (!ahead[15] && ahead >= 16'(Lanes));
  assign a_go     = run_i && a_valid_q && here && c_free;
  assign pos_next = a_last ? a_end_q : a_pos_q + 16'(Lanes);

  assign free_valid_o = a_go && big_i && !big_waits;
  assign free_edge_o  = pos_next;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      a_valid_q <= 1'b0;
    end else if (init_i) begin
      a_valid_q <= 1'b0;
    end else if (a_free) begin
      a_valid_q <= some_finished || (straight && done_valid_i != '0);
    end
  end

  always_ff @(posedge clk_i) begin
    if (a_free) begin
      a_place_q <= next_place;
      a_pos_q   <= walk_start_i;
      a_end_q   <= final_node ? edge_count_i : walk_behind_i;
    end else if (a_go) begin
      a_pos_q <= pos_next;
    end
  end

  // ---- The LEA ----------------------------------------------------------------------------------
  logic [127:0] edges;  // eight edges, by their number mod 8

  for (genvar b = 0; b < 8; b++) begin : g_lea
    logic [BankW-1:0] row;  // row of pos in this bank, or the next one
    assign row = BankW'((a_pos_q + 16'(7 - b)) >> 3);

    hd_ram_1r1w #(.Width(16), .Depth(BankRows), .AddrW(BankW), .Conflict(1'b1)) u_lea (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .we_i   (lea_we_i),
      .waddr_i(BankW'(rows_here_i)),
      .wdata_i(lea_data_i[b*16+:16]),
      .re_i   (a_go),
      .raddr_i(row),
      .rdata_o(edges[b*16+:16])
    );
  end

  // ---- C: edges read ---------------------------------------------------------------------------
  logic c_valid_q, c_last_q, c_go, d_free;
  logic [2:0] c_off_q, c_count_q;
  logic [15:0] c_vid_q;
  logic [SmxW-1:0] c_smx_q;

  assign c_go   = run_i && c_valid_q && d_free;
  assign c_free = !c_valid_q || d_free;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) c_valid_q <= 1'b0;
    else if (init_i) c_valid_q <= 1'b0;
    else if (run_i) c_valid_q <= a_go || (c_valid_q && !d_free);
  end

  always_ff @(posedge clk_i) begin
    if (a_go) begin
      c_off_q   <= a_pos_q[2:0];
      c_count_q <= count;
      c_last_q  <= a_last;
      c_vid_q   <= a_vid;
      c_smx_q   <= walk_smx_i;
    end
  end

  // ---- D: children ------------------------------------------------------------------------------
  logic d_valid_q, d_last_q, d_ends;
  logic [Lanes-1:0] d_lane_q, bad, direct, far, others, waits, first_other, done, again;
  logic [Lanes*16-1:0] d_child_q;
  logic [15:0] d_vid_q;
  logic [SmxW-1:0] d_smx_q;
  logic handled;

  for (genvar l = 0; l < Lanes; l++) begin : g_child
    logic [15:0] child;
    logic [2:0] lane;
    logic near;

    assign lane  = c_off_q + 3'(l);
    assign child = d_child_q[l*16+:16];
    assign near  = hd_pkg::DgbPaper == 0 ? child < here_i
        : child < head_i || (child == head_i && insert_i);
    assign bad[l]    = d_lane_q[l] && (child <= d_vid_q || child >= node_count_i);
    assign direct[l] = d_lane_q[l] && child > d_vid_q && near;  // near: below node_count
    assign others[l] = d_lane_q[l] && child < node_count_i && !near;  // not near: above d_vid
    assign far[l]    = hd_pkg::DgbPaper == 0 && child >= ask_i && merge_ok_i[l];
    assign hit_place_o[l*LnaW+:LnaW] = child[LnaW-1:0];

    always_ff @(posedge clk_i) begin
      if (c_go) d_child_q[l*16+:16] <= edges[lane*16+:16];
    end
  end

  assign first_other = others & ~(others - Lanes'(1));

  // Several lanes may name one child: the first of them updates it that many times.
  always_comb begin
    again       = '0;
    hit_times_o = '0;
    for (int l = 0; l < Lanes; l++) begin
      for (int m = 0; m < Lanes; m++) begin
        if (d_lane_q[m] && d_child_q[m*16+:16] == d_child_q[l*16+:16]) begin
          hit_times_o[l*3+:3] = hit_times_o[l*3+:3] + 3'd1;
          if (m < l) again[l] = 1'b1;
        end
      end
    end
  end

  always_comb begin
    other_o = '0;
    for (int l = 0; l < Lanes; l++) other_o |= d_child_q[l*16+:16] & {16{first_other[l]}};
  end

  assign push_o  = run_i && others != '0 && !pub_full_i;
  assign merge_o = run_i && pub_full_i && (first_other & far) != '0;
  assign handled = !pub_full_i || (first_other & far) != '0;
  assign done    = bad | direct | (first_other & {Lanes{handled}});

  // D ends if at most one child that is not loaded is left, and none waits. timing: tests all
  // lanes, not only the first one.
  assign waits   = others & {Lanes{pub_full_i}} & ~far;
  assign d_ends  = d_valid_q && (others & (others - Lanes'(1))) == '0 && waits == '0;
  assign d_free  = !d_valid_q || d_ends;

  assign child_o   = d_child_q;
  assign hit_o     = run_i ? direct & ~again : '0;
  assign hit_smx_o = d_smx_q;
  assign vid_o     = d_vid_q;
  assign bad_o     = run_i && bad != '0;
  assign told_o    = run_i && d_ends && d_last_q;
  assign step_o    = run_i && d_valid_q && (d_ends || done != '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      d_valid_q <= 1'b0;
      d_lane_q  <= '0;
    end else if (init_i) begin
      d_valid_q <= 1'b0;
      d_lane_q  <= '0;
    end else if (run_i) begin
      d_valid_q <= c_go || (d_valid_q && !d_ends);
      if (c_go) begin
        for (int l = 0; l < Lanes; l++) d_lane_q[l] <= 3'(l) < c_count_q;
      end else begin
        d_lane_q <= d_lane_q & ~done;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (c_go) begin
      d_last_q <= c_last_q;
      d_vid_q  <= c_vid_q;
      d_smx_q  <= c_smx_q;
    end
  end

  logic unused_next;
  assign unused_next = &{1'b0, beyond};

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni && run_i) begin
      if (a_go) `HD_ASSERT(a_big, !big_waits || a_vid != big_vid_i,
          "Edges of a big node are read while it is not the oldest node.")
      `HD_ASSERT(a_lanes, d_valid_q || d_lane_q == '0,
          "A child lane is valid while stage D is empty.")
      if (push_o) `HD_ASSERT(a_push, other_o != '0,
          "An update is pushed for node 0, which has no parents.")
    end
  end

  // Rare: children wait while their node is being loaded; several nodes done at once; a big node
  // waits to be the oldest.
  `HD_COVER(c_waits, others != '0 && !handled)
  `HD_COVER(c_several, (done_valid_i & ~first_done) != '0)
  `HD_COVER(c_big_waits, big_waits && (finished_i & big_place) != '0)
`endif

endmodule
