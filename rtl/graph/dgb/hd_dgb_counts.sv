// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_dgb_counts: for each place of the LNA, the number of parents of its node that are not done.
//
//   beat of nodes --> [parents] <-- minus: updates of children (hits), PUB count (take),
//                         |                early updates
//                         '--not 0--> nonzero
//
// From wireframe-micro2017 section 4.2.2.
// - The count of a node goes down in one cycle by the number of lanes that name it and by take, or
//   by its early updates, which come before any lane can name it.
// - A child named by several lanes is hit once, with the number of times (1 to 4). timing: a count
//   then needs two bits of arithmetic, plus a decrement of the upper bits. hit_i arrives last, so
//   each lane decides before it, for each place, whether the upper bits are decremented.
// - Larger amounts (take, early updates) are subtracted once, not at each place. The count of a
//   node that is inserted is read in that cycle for take in the next.
// - last_o: the child of a lane is Held and has one parent left, the one now done. Not for the
//   child of take, whose count goes down by more.
// - below_*: a count would go below 0: of a child, of take, of an early update.
// - Latency: one cycle. nonzero_o comes from registers. While no graph runs, no child is hit.
// - Reset: none.
// Part of hd_dgb, whose tests cover it.
`include "common/hd_assert.svh"
module hd_dgb_counts (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic                              run_i,
  // Two nodes of a beat
  input  logic [1:0]                        node_we_i,
  input  logic [hd_pkg::LnaW-2:0]           node_row_i,
  input  logic [31:0]                       node_parents_i,
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
  // Children being updated: number of times, places; also one bit per lane and place, set whether
  // hit or not
  input  logic [hd_pkg::ChildLanes-1:0]     hit_i,
  input  logic [hd_pkg::ChildLanes*3-1:0]   hit_times_i,
  input  logic [hd_pkg::ChildLanes*hd_pkg::LnaW-1:0] hit_place_i,
  input  logic [hd_pkg::ChildLanes*hd_pkg::Lna-1:0] hit_places_i,
  input  logic [hd_pkg::Lna-1:0]            held_i,
  output logic [hd_pkg::ChildLanes-1:0]     last_o,
  output logic [hd_pkg::Lna-1:0]            nonzero_o,
  output logic                              below_hit_o,
  output logic                              below_take_o,
  output logic                              below_early_o
);

  localparam int Lna = hd_pkg::Lna;
  localparam int LnaW = hd_pkg::LnaW;
  localparam int Lanes = hd_pkg::ChildLanes;
  localparam int IdLanes = hd_pkg::DgbLanes;

  logic [Lna*16-1:0] parents_q;

  // Subtracts 0 to 4 from a count: `times` are the low two bits, `borrow` says whether the upper
  // bits are decremented. timing: both arrive late. With `other` the result is `instead`.
  function automatic logic [15:0] less_by(input logic [15:0] count, input logic [1:0] times,
                                          input logic borrow, input logic other,
                                          input logic [15:0] instead);
    less_by[1:0]  = other ? instead[1:0] : count[1:0] - times[1:0];
    less_by[15:2] = borrow ? (other ? instead[15:2] : count[15:2] - 14'd1)
        : (other ? instead[15:2] : count[15:2]);
  endfunction

  function automatic logic too_few(input logic [1:0] count, input logic [2:0] times);
    too_few = times > {1'b0, count};
  endfunction

  for (genvar p = 0; p < Lna; p++) begin : g_nonzero
    assign nonzero_o[p] = parents_q[p*16+:16] != '0;
  end

  // ---- Updates of the two nodes at the head ----------------------------------------------------
  logic [Lanes-1:0] at_insert, at_take;
  logic [2:0] insert_times, take_times;

  for (genvar l = 0; l < Lanes; l++) begin : g_head
    assign at_insert[l] = hit_place_i[l*LnaW+:LnaW] == insert_place_i;
    assign at_take[l]   = take_i && hit_place_i[l*LnaW+:LnaW] == take_place_i;
  end

  always_comb begin
    insert_times = '0;
    take_times   = '0;
    for (int l = 0; l < Lanes; l++) begin
      insert_times |= hit_times_i[l*3+:3] & {3{at_insert[l] && hit_i[l]}};
      take_times   |= hit_times_i[l*3+:3] & {3{at_take[l] && hit_i[l]}};
    end
  end

  // ---- Larger amounts: take and early updates --------------------------------------------------
  logic [15:0] insert_from, take_from_q, take_less;
  logic [16:0] take_to;
  logic [IdLanes*16-1:0] early_to;
  logic [IdLanes-1:0] early_below;
  logic [LnaW-1:0] early_row;
  logic [Lna-1:0] take;

  assign insert_from = parents_q[insert_place_i*16+:16];
  always_ff @(posedge clk_i) begin
    if (insert_i) begin
      take_from_q <= less_by(insert_from, insert_times[1:0],
                             too_few(insert_from[1:0], insert_times), 1'b0, 16'd0);
    end
  end

  hd_onehot #(.N(Lna), .IdxW(LnaW)) u_take (
    .valid_i(take_i), .index_i(take_place_i), .onehot_o(take));

  assign take_to   = 17'(take_from_q) - 17'(take_count_i);
  assign take_less = less_by(take_to[15:0], take_times[1:0], too_few(take_to[1:0], take_times),
                             1'b0, 16'd0);
  assign early_row = LnaW'(32'(lane_place_i) / IdLanes * IdLanes);

  for (genvar i = 0; i < IdLanes; i++) begin : g_early
    logic [LnaW-1:0] place;
    logic [16:0] to;
    assign place = early_row | LnaW'(i);
    always_comb begin
      to = '0;
      if (early_i) to = 17'(parents_q[place*16+:16]) - 17'(lane_value_i[i*16+:16]);
    end
    assign early_to[i*16+:16] = to[15:0];
    assign early_below[i] = early_i && lane_we_i[i] && to[16];
  end

  // ---- The counts -------------------------------------------------------------------------------
  logic [Lna*16-1:0] less;
  logic [Lna-1:0] hit;
  logic [15:0] instead;
  logic [2:0] times;
  logic borrow, lessens, comes, taken;  // lessens: a count may change; timing: settles early

  assign lessens = (run_i && hit_times_i != '0) || take_i || early_i;

  always_comb begin
    hit     = '0;
    less    = parents_q;
    times   = '0;
    borrow  = 1'b0;
    comes   = 1'b0;
    taken   = 1'b0;
    instead = '0;
    if (lessens) begin
      for (int l = 0; l < Lanes; l++) hit |= hit_places_i[l*Lna+:Lna] & {Lna{hit_i[l]}};
      for (int p = 0; p < Lna; p++) begin
        times  = '0;
        borrow = 1'b0;
        for (int l = 0; l < Lanes; l++) begin
          times  |= hit_times_i[l*3+:3] & {3{hit_places_i[l*Lna+p]}} & {3{hit_i[l]}};
          borrow |= hit_i[l] & (hit_places_i[l*Lna+p]
              & too_few(parents_q[p*16+:2], hit_times_i[l*3+:3]));
        end
        comes   = early_i && 32'(lane_place_i) / IdLanes == p / IdLanes && lane_we_i[p%IdLanes];
        taken   = take[p];
        instead = comes ? early_to[(p%IdLanes)*16+:16] : take_less;
        less[p*16+:16] = less_by(parents_q[p*16+:16], times[1:0], borrow, comes || taken,
                                     instead);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (lessens) parents_q <= less;
    if (node_we_i != '0) begin
      for (int p = 0; p < Lna; p++) begin
        if (node_we_i[p%2] && 32'(node_row_i) == p / 2) begin
          parents_q[p*16+:16] <= node_parents_i[(p%2)*16+:16];
        end
      end
    end
  end

  // ---- Counts that go below 0 ------------------------------------------------------------------
  // For the child of each lane: fewer parents left than updates.
  logic [Lna*3-1:0] few;  // per place: fewer than four parents, and how many
  logic [Lna-1:0] one;    // per place: Held, with one parent
  logic [Lanes-1:0] below_lane;
  logic take_few;

  always_comb begin
    few = '0;
    one = '0;
    if (run_i) begin
      for (int p = 0; p < Lna; p++) begin
        few[p*3+:3] = {parents_q[p*16+2+:14] == '0, parents_q[p*16+:2]};
        one[p]      = held_i[p] && few[p*3+:3] == 3'b101;
      end
    end
  end

  assign take_few = take_to[15:2] == '0;

  for (genvar l = 0; l < Lanes; l++) begin : g_below
    logic [2:0] left, named;

    assign left  = few[hit_place_i[l*LnaW+:LnaW]*3+:3];
    assign named = hit_times_i[l*3+:3];
    assign below_lane[l] = hit_i[l] && (at_take[l]
        ? take_to[16] || (take_few && named > {1'b0, take_to[1:0]})
        : left[2] && named > {1'b0, left[1:0]});
    assign last_o[l] = hit_i[l] && !at_take[l] && one[hit_place_i[l*LnaW+:LnaW]];
  end

  assign below_hit_o   = below_lane != '0;
  assign below_take_o  = take_i && take_to[16];
  assign below_early_o = early_below != '0;

  logic unused_reset;  // only assertions use it
  assign unused_reset = rst_ni;

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      for (int l = 0; l < Lanes; l++) begin
        for (int m = 0; m < l; m++) begin
          if (hit_i[l] && hit_i[m]) begin
            `HD_ASSERT_IN(a_once, hit_place_i[l*LnaW+:LnaW] != hit_place_i[m*LnaW+:LnaW],
                "Two lanes hit the same child in one cycle.")
          end
        end
      end
      if (take_i) `HD_ASSERT_IN(a_take, take_from_q == parents_q[take_place_i*16+:16],
          "The count that take starts from differs from the stored count of its node.")
    end
  end

  // Rare: a child updated in the cycle in which its PUB count is subtracted.
  `HD_COVER(c_hit_take, (hit & take) != '0)
`endif

endmodule
