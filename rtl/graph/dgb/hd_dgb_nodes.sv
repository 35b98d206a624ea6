// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_dgb_nodes: the places of the LNA: state, count of parents not done, edge start, level step and
// SMX of each node (the paper's Node State Table, except TB id and level, which are in RAMs).
//
//   nodes of a beat --> [start, step]
//   hits, take, early updates --> [u_counts] --0, Held--> ready
//   insert, hand-out, done, pick, told --> [state] --Finished--> finished
//
// From wireframe-micro2017 section 4.2.1. Storing the SMX of the parent that was done last, for
// lvl-bind, is ours.
// - state: insert Held, hand-out Processing, done Finished (except a node that is walked at once,
//   done_kept), pick Processing, told Done; at most one of these per node and cycle.
// - Latency: one cycle. Reads are combinational. ready_o and finished_o come from registers;
//   finished_o is 0 while no graph runs.
// - Reset, and a start: all Done; the rest has no reset.
// Part of hd_dgb, whose tests cover it.
`include "common/hd_assert.svh"
module hd_dgb_nodes (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic                              init_i,
  input  logic                              run_i,
  input  logic [15:0]                       tail_i,
  input  logic [15:0]                       here_i,
  // Two nodes of a beat
  input  logic [1:0]                        node_we_i,
  input  logic [hd_pkg::LnaW-2:0]           node_row_i,
  input  logic [1:0]                        node_step_i,
  input  logic [127:0]                      node_data_i,
  // Early updates of a beat
  input  logic                              early_i,
  input  logic [hd_pkg::DgbLanes-1:0]       lane_we_i,
  input  logic [hd_pkg::LnaW-1:0]           lane_place_i,
  input  logic [16*hd_pkg::DgbLanes-1:0]    lane_value_i,
  // A node is inserted; the PUB's count for it, in the next cycle
  input  logic                              insert_i,
  input  logic [hd_pkg::LnaW-1:0]           insert_place_i,
  input  logic                              take_i,
  input  logic [hd_pkg::LnaW-1:0]           take_place_i,
  input  logic [hd_pkg::PubCountW-1:0]      take_count_i,
  // It is handed out, done, picked, or its walk ends
  input  logic                              hand_i,
  input  logic [hd_pkg::LnaW-1:0]           hand_place_i,
  input  logic [hd_pkg::SmxW-1:0]           hand_smx_i,
  input  logic [hd_pkg::NumSmx-1:0]         done_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::LnaW-1:0] done_index_i,
  input  logic                              done_kept_i,
  input  logic [hd_pkg::Lna-1:0]            pick_i,
  input  logic                              told_i,
  input  logic [hd_pkg::LnaW-1:0]           told_place_i,
  output logic [hd_pkg::Lna-1:0]            ready_o,
  output logic [hd_pkg::Lna-1:0]            finished_o,
  // Children being updated
  input  logic [hd_pkg::ChildLanes-1:0]     hit_i,
  input  logic [hd_pkg::ChildLanes*3-1:0]   hit_times_i,
  input  logic [hd_pkg::ChildLanes*hd_pkg::LnaW-1:0] hit_place_i,
  input  logic [hd_pkg::DgbSmxW-1:0]        hit_smx_i,
  output logic [hd_pkg::ChildLanes-1:0]     last_o,
  output logic                              below_hit_o,
  output logic                              below_take_o,
  output logic                              below_early_o,
  // Reads
  input  logic [hd_pkg::LnaW-1:0]           look_place_i,
  output logic [15:0]                       look_start_o,
  input  logic [hd_pkg::LnaW-1:0]           next_place_i,
  output logic [15:0]                       next_start_o,
  output logic                              next_step_o,
  output logic [hd_pkg::Lna-1:0]            step_o,
  output logic                              tail_done_o,
  input  logic                              walk_some_i,
  input  logic [hd_pkg::Lna-1:0]            walk_lowest_i,
  input  logic [hd_pkg::Lna-1:0]            walk_group_i,
  input  logic [hd_pkg::LnaW-1:0]           walk_straight_i,
  input  logic [hd_pkg::LnaW-1:0]           walk_place_i,
  output logic [15:0]                       walk_start_o,
  output logic [15:0]                       walk_behind_o,
  output logic [hd_pkg::DgbSmxW-1:0]        walk_smx_o,
  output logic [hd_pkg::Lna*hd_pkg::DgbSmxW-1:0] smx_o
);

  localparam int Lna = hd_pkg::Lna;
  localparam int LnaW = hd_pkg::LnaW;
  localparam int Group = Lna < 16 ? Lna : 16;  // as in hd_dgb_walk
  localparam int Groups = Lna / Group;
  localparam int NumSmx = hd_pkg::NumSmx;
  localparam int Lanes = hd_pkg::ChildLanes;
  localparam int SmxW = hd_pkg::DgbSmxW;
  localparam int StateW = hd_pkg::GstateW;

  logic [Lna*StateW-1:0] state_q;
  logic [Lna*16-1:0] start_q;
  logic [Lna*SmxW-1:0] smx_q;
  logic [Lna-1:0] step_q;

  // ---- State ------------------------------------------------------------------------------------
  logic [Lna-1:0] insert, hand, told, done, kept, held, nonzero;
  logic [NumSmx*Lna-1:0] done_places;

  hd_onehot #(.N(Lna), .IdxW(LnaW)) u_insert (
    .valid_i(insert_i), .index_i(insert_place_i), .onehot_o(insert));
  hd_onehot #(.N(Lna), .IdxW(LnaW)) u_hand (
    .valid_i(hand_i), .index_i(hand_place_i), .onehot_o(hand));
  hd_onehot #(.N(Lna), .IdxW(LnaW)) u_told (
    .valid_i(told_i), .index_i(told_place_i), .onehot_o(told));

  for (genvar s = 0; s < NumSmx; s++) begin : g_done
    hd_onehot #(.N(Lna), .IdxW(LnaW)) u_done (
      .valid_i (done_valid_i[s]),
      .index_i (done_index_i[s*LnaW+:LnaW]),
      .onehot_o(done_places[s*Lna+:Lna])
    );
  end

  // timing: whether a done node is walked at once settles late, which one it is early.
  hd_onehot #(.N(Lna), .IdxW(LnaW)) u_kept (
    .valid_i(done_valid_i != '0), .index_i(walk_straight_i), .onehot_o(kept));

  always_comb begin
    done = '0;
    if (done_valid_i != '0) begin
      for (int s = 0; s < NumSmx; s++) done |= done_places[s*Lna+:Lna];
      done &= ~(kept & {Lna{done_kept_i}});
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= {Lna{hd_pkg::GstateDone}};
    end else if (init_i) begin
      state_q <= {Lna{hd_pkg::GstateDone}};
    end else if (insert_i || hand_i || told_i || done_valid_i != '0 || walk_some_i) begin
      for (int p = 0; p < Lna; p++) begin
        if (insert[p]) state_q[p*StateW+:StateW] <= hd_pkg::GstateHeld;
        if (hand[p] || pick_i[p]) state_q[p*StateW+:StateW] <= hd_pkg::GstateProcessing;
        if (done[p]) state_q[p*StateW+:StateW] <= hd_pkg::GstateFinished;
        if (told[p]) state_q[p*StateW+:StateW] <= hd_pkg::GstateDone;
      end
    end
  end

  for (genvar p = 0; p < Lna; p++) begin : g_flags
    assign held[p]    = state_q[p*StateW+:StateW] == hd_pkg::GstateHeld;
    assign ready_o[p] = held[p] && !nonzero[p];
  end

  // sim speed: not computed while no graph runs; not used then.
  always_comb begin
    finished_o = '0;
    if (run_i) begin
      for (int p = 0; p < Lna; p++) begin
        finished_o[p] = state_q[p*StateW+:StateW] == hd_pkg::GstateFinished;
      end
    end
  end

  // ---- Count of parents that are not done ------------------------------------------------------
  logic [Lanes*Lna-1:0] hit_places;  // place of each lane's child, hit or not
  logic [Lna-1:0] hit;

  for (genvar l = 0; l < Lanes; l++) begin : g_hit
    hd_onehot #(.N(Lna), .IdxW(LnaW)) u_hit (
      .valid_i (hit_times_i[l*3+:3] != '0),
      .index_i (hit_place_i[l*LnaW+:LnaW]),
      .onehot_o(hit_places[l*Lna+:Lna])
    );
  end

  always_comb begin
    hit = '0;
    if (hit_i != '0) begin
      for (int l = 0; l < Lanes; l++) hit |= hit_places[l*Lna+:Lna] & {Lna{hit_i[l]}};
    end
  end

  hd_dgb_counts u_counts (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .run_i         (run_i),
    .node_we_i     (node_we_i),
    .node_row_i    (node_row_i),
    .node_parents_i({node_data_i[111:96], node_data_i[47:32]}),
    .early_i       (early_i),
    .lane_we_i     (lane_we_i),
    .lane_place_i  (lane_place_i),
    .lane_value_i  (lane_value_i),
    .insert_i      (insert_i),
    .insert_place_i(insert_place_i),
    .take_i        (take_i && run_i),
    .take_place_i  (take_place_i),
    .take_count_i  (take_count_i),
    .hit_i         (hit_i),
    .hit_times_i   (hit_times_i),
    .hit_place_i   (hit_place_i),
    .hit_places_i  (hit_places),
    .held_i        (held),
    .last_o        (last_o),
    .nonzero_o     (nonzero),
    .below_hit_o   (below_hit_o),
    .below_take_o  (below_take_o),
    .below_early_o (below_early_o)
  );

  // ---- Edge start, step, SMX --------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (node_we_i != '0) begin
      for (int p = 0; p < Lna; p++) begin
        if (node_we_i[p%2] && 32'(node_row_i) == p / 2) begin
          start_q[p*16+:16] <= node_data_i[(p%2)*64+:16];
          step_q[p]         <= node_step_i[p%2];
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (node_we_i != '0 || hand_i || hit_i != '0) begin
      for (int p = 0; p < Lna; p++) begin
        if (hand[p]) smx_q[p*SmxW+:SmxW] <= SmxW'(hand_smx_i);
        else if (hit[p]) begin
          smx_q[p*SmxW+:SmxW] <= hit_smx_i;
        end else if (node_we_i[p%2] && 32'(node_row_i) == p / 2) begin
          smx_q[p*SmxW+:SmxW] <= SmxW'(NumSmx);
        end
      end
    end
  end

  // ---- Reads ------------------------------------------------------------------------------------
  // Edge start of the walked node, and of the node behind it. timing: the node is selected by one
  // bit in its group, then by the group (one bit per place), which settles later.
  logic [Groups*16-1:0] group_start, group_behind;

  always_comb begin
    group_start   = '0;
    group_behind  = '0;
    walk_start_o  = '0;
    walk_behind_o = '0;
    if (walk_some_i) begin
      for (int p = 0; p < Lna; p++) begin
        group_start[p/Group*16+:16] |= start_q[p*16+:16] & {16{walk_lowest_i[p]}};
        group_behind[p/Group*16+:16] |= start_q[(p+1)%Lna*16+:16] & {16{walk_lowest_i[p]}};
      end
      for (int g = 0; g < Groups; g++) begin
        walk_start_o  |= group_start[g*16+:16] & {16{walk_group_i[g*Group]}};
        walk_behind_o |= group_behind[g*16+:16] & {16{walk_group_i[g*Group]}};
      end
    end else if (done_valid_i != '0) begin
      for (int p = 0; p < Lna; p++) begin
        walk_start_o  |= start_q[p*16+:16] & {16{kept[p]}};
        walk_behind_o |= start_q[(p+1)%Lna*16+:16] & {16{kept[p]}};
      end
    end
  end

  assign look_start_o  = start_q[look_place_i*16+:16];
  assign next_start_o  = start_q[next_place_i*16+:16];
  assign next_step_o   = step_q[next_place_i];
  assign step_o        = step_q;
  assign walk_smx_o    = smx_q[walk_place_i*SmxW+:SmxW];
  assign smx_o         = smx_q;
  assign tail_done_o   = state_q[tail_i[LnaW-1:0]*StateW+:StateW] == hd_pkg::GstateDone;

  // The places that hold a node; for comparison only.
  logic [Lna-1:0] loaded;
  logic [LnaW-1:0] distance;

  always_comb begin
    loaded   = '0;
    distance = '0;
    if (here_i != tail_i) begin
      for (int p = 0; p < Lna; p++) begin
        distance = LnaW'(p) - tail_i[LnaW-1:0];
        loaded[p] = 16'(distance) < here_i - tail_i;
      end
    end
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, loaded, node_data_i};

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (run_i && hand_i) `HD_ASSERT_IN(a_hand, ready_o[hand_place_i],
          "A node is handed out that is not ready.")
      `HD_ASSERT_IN(a_done, (done & (ready_o | finished_o)) == '0,
          "A node is reported done that is still ready, or is done already.")
      if (told_i) begin
        `HD_ASSERT_IN(a_told, state_q[told_place_i*StateW+:StateW] == hd_pkg::GstateProcessing,
            "The walk of a node ends, but the node is not in state Processing.")
      end
      `HD_ASSERT_IN(a_apart, (hand & insert) == '0 && (done & (pick_i | told)) == '0,
          "Two events change the state of one node in the same cycle.")
    end
  end
`endif

endmodule
