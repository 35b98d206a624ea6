// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_dgb_window: the window of nodes from the oldest one that is not done: their places, the tail,
// and the node offered next.
//
//   beats, insert, children --> [u_nodes: places] --ready--> [u_pick] --> node
//                                     '--Done--> [tail, edge_tail, limit] --> [u_reach] --^
//
// From wireframe-micro2017 sections 4.2.1, 4.2.2 and 4.3.
// - tail moves past nodes that are done and whose children are updated, one per cycle; edge_tail
//   moves with it, and also past edges of a big node that were read (free_*).
// - limit: the level of the oldest node plus the bound of the policy.
// - Latency: one cycle; a node ready at t, or whose last parent is reported at t, is offered at
//   t+1. Outputs come from registers and RAMs; reads are combinational.
// - Reset, and a start: no node.
// Part of hd_dgb, whose tests cover it.
`include "common/hd_assert.svh"
module hd_dgb_window (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic                              init_i,
  input  logic                              run_i,
  input  hd_pkg::dgbstart_t                 graph_i,
  input  logic [15:0]                       bound_i,
  // Position of the window
  output logic [15:0]                       tail_o,
  output logic [15:0]                       edge_tail_o,
  output logic                              tail_move_o,
  input  logic [15:0]                       head_i,
  input  logic [15:0]                       here_i,
  input  logic                              free_valid_i,
  input  logic [15:0]                       free_edge_i,
  // A beat
  input  logic [1:0]                        node_we_i,
  input  logic [hd_pkg::LnaW-2:0]           node_row_i,
  input  logic [1:0]                        node_step_i,
  input  logic [15:0]                       last_level_i,
  input  logic [127:0]                      beat_data_i,
  input  logic                              ids_i,
  input  logic                              early_i,
  input  logic [hd_pkg::DgbLanes-1:0]       lane_we_i,
  input  logic [hd_pkg::LnaW-1:0]           lane_place_i,
  input  logic [16*hd_pkg::DgbLanes-1:0]    lane_value_i,
  // A node is inserted; the PUB's count for it
  input  logic                              insert_i,
  input  logic                              take_i,
  input  logic [hd_pkg::LnaW-1:0]           take_place_i,
  input  logic [hd_pkg::PubCountW-1:0]      take_count_i,
  // The next node
  output logic                              node_valid_o,
  output hd_pkg::dgbnode_t                  node_o,
  output logic                              wish_valid_o,
  output logic [hd_pkg::DgbSmxW-1:0]        wish_smx_o,
  input  logic                              hand_i,
  input  logic [hd_pkg::SmxW-1:0]           node_smx_i,
  // Nodes that are done, or whose walk ends
  input  logic [hd_pkg::NumSmx-1:0]         done_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::LnaW-1:0] done_index_i,
  input  logic                              done_kept_i,
  input  logic [hd_pkg::Lna-1:0]            pick_i,
  input  logic                              told_i,
  input  logic [hd_pkg::LnaW-1:0]           told_place_i,
  output logic [hd_pkg::Lna-1:0]            finished_o,
  // Children being updated
  input  logic [hd_pkg::ChildLanes-1:0]     hit_i,
  input  logic [hd_pkg::ChildLanes*3-1:0]   hit_times_i,
  input  logic [hd_pkg::ChildLanes*hd_pkg::LnaW-1:0] hit_place_i,
  input  logic [hd_pkg::DgbSmxW-1:0]        hit_smx_i,
  output logic                              below_hit_o,
  output logic                              below_take_o,
  output logic                              below_early_o,
  // Reads
  input  logic [hd_pkg::LnaW-1:0]           look_place_i,
  output logic [15:0]                       look_start_o,
  input  logic                              walk_some_i,
  input  logic [hd_pkg::Lna-1:0]            walk_lowest_i,
  input  logic [hd_pkg::Lna-1:0]            walk_group_i,
  input  logic [hd_pkg::LnaW-1:0]           walk_straight_i,
  input  logic [hd_pkg::LnaW-1:0]           walk_place_i,
  output logic [15:0]                       walk_start_o,
  output logic [15:0]                       walk_behind_o,
  output logic [hd_pkg::DgbSmxW-1:0]        walk_smx_o
);

  localparam int LnaW = hd_pkg::LnaW;

  logic [15:0] tail_q, next_q;  // next: the node behind the tail
  logic [15:0] edge_tail_q, next_start, id, level, node_count;
  logic [16:0] limit_q;
  logic [LnaW-1:0] cand;
  logic [hd_pkg::Lna-1:0] ready;
  logic [hd_pkg::ChildLanes-1:0] last;
  logic [hd_pkg::DgbSmxW-1:0] last_smx;                 // of the candidate's last parent
  logic [hd_pkg::Lna*hd_pkg::DgbSmxW-1:0] node_smx;  // of each place's last parent
  logic tail_done, next_step, next_last, limit_up, closed;
  logic [LnaW-1:0] reach;
  logic [hd_pkg::Lna-1:0] steps;

  assign node_count = graph_i.node_count;
  assign next_last  = next_q == node_count;

  hd_dgb_nodes u_nodes (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .init_i        (init_i),
    .run_i         (run_i),
    .tail_i        (tail_q),
    .here_i        (here_i),
    .node_we_i     (node_we_i),
    .node_row_i    (node_row_i),
    .node_step_i   (node_step_i),
    .node_data_i   (beat_data_i),
    .early_i       (early_i),
    .lane_we_i     (lane_we_i),
    .lane_place_i  (lane_place_i),
    .lane_value_i  (lane_value_i),
    .insert_i      (insert_i),
    .insert_place_i(head_i[LnaW-1:0]),
    .take_i        (take_i),
    .take_place_i  (take_place_i),
    .take_count_i  (take_count_i),
    .hand_i        (hand_i),
    .hand_place_i  (cand),
    .hand_smx_i    (node_smx_i),
    .done_valid_i  (done_valid_i),
    .done_index_i  (done_index_i),
    .done_kept_i   (done_kept_i),
    .pick_i        (pick_i),
    .told_i        (told_i),
    .told_place_i  (told_place_i),
    .ready_o       (ready),
    .finished_o    (finished_o),
    .hit_i         (hit_i),
    .hit_times_i   (hit_times_i),
    .hit_place_i   (hit_place_i),
    .hit_smx_i     (hit_smx_i),
    .last_o        (last),
    .below_hit_o   (below_hit_o),
    .below_take_o  (below_take_o),
    .below_early_o (below_early_o),
    .look_place_i  (look_place_i),
    .look_start_o  (look_start_o),
    .next_place_i  (next_q[LnaW-1:0]),
    .next_start_o  (next_start),
    .next_step_o   (next_step),
    .step_o        (steps),
    .tail_done_o   (tail_done),
    .walk_some_i   (walk_some_i),
    .walk_lowest_i (walk_lowest_i),
    .walk_group_i  (walk_group_i),
    .walk_straight_i(walk_straight_i),
    .walk_place_i  (walk_place_i),
    .walk_start_o  (walk_start_o),
    .walk_behind_o (walk_behind_o),
    .walk_smx_o    (walk_smx_o),
    .smx_o         (node_smx)
  );

  hd_dgb_reach u_reach (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .init_i      (init_i),
    .bounded_i   (graph_i.policy != hd_pkg::GpolicyLrr),
    .limit_i     (limit_q),
    .up_i        (limit_up),
    .node_we_i   (node_we_i),
    .node_row_i  (node_row_i),
    .node_step_i (node_step_i),
    .last_level_i(last_level_i),
    .step_i      (steps),
    .closed_o    (closed),
    .reach_o     (reach)
  );

  hd_dgb_pick u_pick (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .init_i      (init_i),
    .run_i       (run_i),
    .closed_i    (closed),
    .reach_i     (reach),
    .tail_i      (tail_q[LnaW-1:0]),
    .head_i      (head_i),
    .node_count_i(node_count),
    .ids_i       (ids_i),
    .lane_we_i   (lane_we_i),
    .lane_place_i(lane_place_i),
    .lane_value_i(lane_value_i),
    .node_we_i   (node_we_i),
    .node_row_i  (node_row_i),
    .node_data_i (beat_data_i),
    .ready_i     (ready),
    .last_i      (last),
    .last_place_i(hit_place_i),
    .last_smx_i  (hit_smx_i),
    .smx_i       (node_smx),
    .valid_o     (node_valid_o),
    .place_o     (cand),
    .id_o        (id),
    .level_o     (level),
    .next_o      (wish_valid_o),
    .smx_o       (last_smx),
    .taken_i     (hand_i)
  );

  always_comb begin
    node_o = '0;
    if (node_valid_o) begin
      node_o.index = cand;
      node_o.cta   = id;
      node_o.level = level;
    end
  end

  assign wish_smx_o = last_smx & {hd_pkg::DgbSmxW{wish_valid_o}};

  // ---- The oldest node --------------------------------------------------------------------------
  assign tail_move_o = run_i && tail_q != head_i && tail_done;
  assign limit_up    = tail_move_o && next_step && !next_last;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tail_q      <= '0;
      next_q      <= 16'd1;
      edge_tail_q <= '0;
      limit_q     <= '0;
    end else if (init_i) begin
      tail_q      <= '0;
      next_q      <= 16'd1;
      edge_tail_q <= '0;
      limit_q     <= 17'(bound_i);
    end else if (tail_move_o) begin
      tail_q      <= next_q;
      next_q      <= next_q + 16'd1;
      edge_tail_q <= next_last ? graph_i.edge_count[15:0] : next_start;
      if (limit_up) limit_q <= limit_q + 17'd1;
    end else if (free_valid_i) begin
      edge_tail_q <= free_edge_i;
    end
  end

  assign tail_o      = tail_q;
  assign edge_tail_o = edge_tail_q;

  logic unused_bits;
  assign unused_bits = &{1'b0, graph_i};

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni && run_i) begin
      `HD_ASSERT_IN(a_order, tail_q <= head_i && head_i <= here_i,
          "The tail passes the head, or the head passes the loaded nodes.")
    end
  end

  // Rare: a node is handed out as the tail moves past another.
  `HD_COVER(c_both, hand_i && tail_move_o)
`endif

endmodule
