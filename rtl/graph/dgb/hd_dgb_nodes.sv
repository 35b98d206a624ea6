// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_dgb_nodes: the places of the LNA: state, parents that are not done, edge start, level step and
// SMX of each node (the paper's Node State Table, but TB id and level, which lie in RAMs).
//
//   nodes of a beat, early updates --> [count, start, step] --count 0, Held--> ready
//   insert, hand-out, done, pick, told --> [state] --Finished--> finished
//   children that are told (hits), updates that the PUB held (take) --> count less
//
// From wireframe-micro2017 section 4.2.1. The SMX of the parent that was done last, for lvl-bind,
// is ours.
// - Of one node in one cycle: its count goes down by the lanes that name it and by take, or by its
//   early updates, which come before it can be told.
// - state: insert Held, hand-out Processing, done Finished, pick Processing, told Done; never two
//   of these for one node in a cycle.
// - below_*: a count would go below 0: of a child that is told, of take, of an early update.
// - Latency: one cycle. Reads are combinational. ready_o, finished_o come from registers.
// - Reset, and a start: all Done; the rest keeps anything.
// Part of hd_dgb; its rules are tested there.
`include "common/hd_fault.svh"
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
  // A node goes in; what the PUB held for it, in the next cycle
  input  logic                              insert_i,
  input  logic [hd_pkg::LnaW-1:0]           insert_place_i,
  input  logic                              take_i,
  input  logic [hd_pkg::LnaW-1:0]           take_place_i,
  input  logic [hd_pkg::PubCountW-1:0]      take_count_i,
  // It is handed out, done, picked, told
  input  logic                              hand_i,
  input  logic [hd_pkg::LnaW-1:0]           hand_place_i,
  input  logic [hd_pkg::SmxW-1:0]           hand_smx_i,
  input  logic [hd_pkg::NumSmx-1:0]         done_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::LnaW-1:0] done_index_i,
  input  logic [hd_pkg::Lna-1:0]            pick_i,
  input  logic                              told_i,
  input  logic [hd_pkg::LnaW-1:0]           told_place_i,
  output logic [hd_pkg::Lna-1:0]            ready_o,
  output logic [hd_pkg::Lna-1:0]            finished_o,
  // Children that are told
  input  logic [hd_pkg::ChildLanes-1:0]     hit_i,
  input  logic [hd_pkg::ChildLanes*hd_pkg::LnaW-1:0] hit_place_i,
  input  logic [hd_pkg::DgbSmxW-1:0]        hit_smx_i,
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
  output logic [hd_pkg::DgbSmxW-1:0]        hand_smx_o
);

  localparam int Lna = hd_pkg::Lna;
  localparam int LnaW = hd_pkg::LnaW;
  localparam int Group = Lna < 16 ? Lna : 16;  // as in hd_dgb_walk
  localparam int Groups = Lna / Group;
  localparam int NumSmx = hd_pkg::NumSmx;
  localparam int Lanes = hd_pkg::ChildLanes;
  localparam int IdLanes = hd_pkg::DgbLanes;
  localparam int SmxW = hd_pkg::DgbSmxW;
  localparam int StateW = hd_pkg::GstateW;

  logic [Lna*StateW-1:0] state_q;
  logic [Lna*16-1:0] parents_q, start_q;
  logic [Lna*SmxW-1:0] smx_q;
  logic [Lna-1:0] step_q;

  // ---- State ------------------------------------------------------------------------------------
  logic [Lna-1:0] insert, hand, told, done, nonzero;
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

  always_comb begin
    done = '0;
    if (done_valid_i != '0) begin
      for (int s = 0; s < NumSmx; s++) done |= done_places[s*Lna+:Lna];
    end
  end

  logic state_moves;
  assign state_moves = insert_i || hand_i || told_i || done_valid_i != '0 || pick_i != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= {Lna{hd_pkg::GstateDone}};
    end else if (init_i) begin
      state_q <= {Lna{hd_pkg::GstateDone}};
    end else if (state_moves) begin
      for (int p = 0; p < Lna; p++) begin
        if (insert[p]) state_q[p*StateW+:StateW] <= hd_pkg::GstateHeld;
        if (hand[p] || pick_i[p]) state_q[p*StateW+:StateW] <= hd_pkg::GstateProcessing;
        if (done[p]) state_q[p*StateW+:StateW] <= hd_pkg::GstateFinished;
        if (told[p]) state_q[p*StateW+:StateW] <= hd_pkg::GstateDone;
      end
    end
  end

  for (genvar p = 0; p < Lna; p++) begin : g_flags
    assign nonzero[p]    = parents_q[p*16+:16] != '0;
    assign ready_o[p]    = state_q[p*StateW+:StateW] == hd_pkg::GstateHeld && !nonzero[p];
    assign finished_o[p] = state_q[p*StateW+:StateW] == hd_pkg::GstateFinished;
  end

  // ---- Parents that are not done ----------------------------------------------------------------
  logic [Lanes*Lna-1:0] hit_places;
  logic [Lna-1:0] hit, take;
  logic [Lna*16-1:0] less;
  logic [15:0] base;
  logic [2:0] hits;
  logic lessens;

  for (genvar l = 0; l < Lanes; l++) begin : g_hit
    hd_onehot #(.N(Lna), .IdxW(LnaW)) u_hit (
      .valid_i (hit_i[l]),
      .index_i (hit_place_i[l*LnaW+:LnaW]),
      .onehot_o(hit_places[l*Lna+:Lna])
    );
  end

  hd_onehot #(.N(Lna), .IdxW(LnaW)) u_take (
    .valid_i(take_i && run_i), .index_i(take_place_i), .onehot_o(take));

  // What is taken off by number is taken off once, not at each place: what the PUB held for a node,
  // early updates of a beat.
  logic [16:0] take_to;
  logic [IdLanes*16-1:0] early_to;
  logic [IdLanes-1:0] early_below;
  logic [LnaW-1:0] early_row;

  assign take_to   = 17'(parents_q[take_place_i*16+:16]) - 17'(take_count_i);
  assign early_row = LnaW'(32'(lane_place_i) / IdLanes * IdLanes);

  for (genvar i = 0; i < IdLanes; i++) begin : g_early
    logic [LnaW-1:0] place;
    logic [16:0] to;
    assign place = early_row + LnaW'(i);
    assign to    = 17'(parents_q[place*16+:16]) - 17'(lane_value_i[i*16+:16]);
    assign early_to[i*16+:16] = to[15:0];
    assign early_below[i] = early_i && lane_we_i[i] && to[16];
  end

  assign lessens = hit_i != '0 || (take_i && run_i) || early_i;

  always_comb begin
    hit  = '0;
    less = parents_q;
    hits = '0;
    base = '0;
    if (lessens) begin
      for (int l = 0; l < Lanes; l++) hit |= hit_places[l*Lna+:Lna];
      for (int p = 0; p < Lna; p++) begin
        hits = '0;
        for (int l = 0; l < Lanes; l++) hits = hits + 3'(hit_places[l*Lna+p]);
        base = parents_q[p*16+:16];
        if (take[p] && `HD_FAULT(222, 1'b1, !hit[p])) base = take_to[15:0];
        less[p*16+:16] = base - 16'(hits);
        if (early_i && 32'(lane_place_i) / IdLanes == p / IdLanes && lane_we_i[p%IdLanes]) begin
          less[p*16+:16] = early_to[(p%IdLanes)*16+:16];
        end
      end
    end
  end

  // ---- Counts that go below 0 -------------------------------------------------------------------
  // Of a child by its lane: it has fewer parents left than there are lanes that name it.
  logic [Lna*3-1:0] few;  // of each place: fewer than four parents, how many
  logic [Lanes-1:0] below_lane;
  logic take_few;

  for (genvar p = 0; p < Lna; p++) begin : g_few
    assign few[p*3+:3] = {parents_q[p*16+2+:14] == '0, parents_q[p*16+:2]};
  end

  assign take_few = take_to[15:2] == '0;

  for (genvar l = 0; l < Lanes; l++) begin : g_below
    logic [LnaW-1:0] place;
    logic [2:0] left, named;
    logic taken;

    assign place = hit_place_i[l*LnaW+:LnaW];
    assign left  = few[place*3+:3];
    assign taken = take_i && run_i && place == take_place_i;

    always_comb begin
      named = '0;
      if (hit_i != '0) begin
        for (int m = 0; m < Lanes; m++) begin
          named = named + 3'(hit_i[m] && hit_place_i[m*LnaW+:LnaW] == place);
        end
      end
    end

    assign below_lane[l] = hit_i[l] && (taken
        ? take_to[16] || (take_few && named > {1'b0, take_to[1:0]})
        : left[2] && named > {1'b0, left[1:0]});
  end

  assign below_hit_o   = below_lane != '0;
  assign below_take_o  = take_i && run_i && take_to[16];
  assign below_early_o = early_below != '0;

  always_ff @(posedge clk_i) begin
    for (int p = 0; p < Lna; p++) begin
      if (lessens) parents_q[p*16+:16] <= less[p*16+:16];
      if (node_we_i[p%2] && 32'(node_row_i) == p / 2) begin
        parents_q[p*16+:16] <= node_data_i[(p%2)*64+32+:16];
      end
    end
  end

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
        else if (`HD_FAULT(223, hit[p], hit_places[p])) smx_q[p*SmxW+:SmxW] <= hit_smx_i;
        else if (node_we_i[p%2] && 32'(node_row_i) == p / 2) begin
          smx_q[p*SmxW+:SmxW] <= SmxW'(NumSmx);
        end
      end
    end
  end

  // ---- Reads ------------------------------------------------------------------------------------
  logic [LnaW-1:0] straight_next;

  assign straight_next = walk_straight_i + LnaW'(1);

  // Of the node that is chosen by one bit in its group, and by the group (a bit for each place of
  // it), which come later.
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
    end else begin
      walk_start_o  = start_q[walk_straight_i*16+:16];
      walk_behind_o = start_q[straight_next*16+:16];
    end
  end

  assign look_start_o  = start_q[look_place_i*16+:16];
  assign next_start_o  = start_q[next_place_i*16+:16];
  assign next_step_o   = step_q[next_place_i];
  assign step_o        = step_q;
  assign walk_smx_o    = smx_q[walk_place_i*SmxW+:SmxW];
  assign hand_smx_o    = smx_q[hand_place_i*SmxW+:SmxW];
  assign tail_done_o   = state_q[tail_i[LnaW-1:0]*StateW+:StateW] == hd_pkg::GstateDone;

  // Which places hold a node: for who compares.
  logic [Lna-1:0] loaded;
  logic [LnaW-1:0] distance;

  always_comb begin
    loaded   = '0;
    distance = '0;
    for (int p = 0; p < Lna; p++) begin
      distance = LnaW'(p) - tail_i[LnaW-1:0];
      loaded[p] = 16'(distance) < here_i - tail_i;
    end
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, loaded, node_data_i};

`ifdef VERILATOR
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // A node that is handed out was ready, one that is done or told was handed out.
      if (run_i && hand_i) a_hand : assert (ready_o[hand_place_i]);
      a_done : assert ((done & (ready_o | finished_o)) == '0);
      if (told_i) begin
        a_told : assert (state_q[told_place_i*StateW+:StateW] == hd_pkg::GstateProcessing);
      end
      // Events of one node's state do not meet.
      a_apart : assert ((hand & insert) == '0 && (done & (pick_i | told)) == '0);
    end
  end
  // The rare: a child that is told twice, PUB and child at once.
  c_hit_take :
  cover property (@(posedge clk_i) (hit & take) != '0);
`endif

endmodule
