// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_dgb_pub: the Pending Update Buffer: updates of nodes that are not loaded yet.
//
//   push --> [pub: VIDs, match: VID of the head?] --> count; rows freed
//
// From wireframe-micro2017 section 4.2.2.
// - A push goes to the lowest empty row; VID 0 marks an empty row (no edge leads to node 0).
// - look_i: count_o is the number of rows of head_i. insert_i, in such a cycle, empties them.
// - match: the rows of head_i, computed one cycle ahead from the row pushed and, when a node is
//   inserted, from the next node (next_i).
// - Latency: pushed at t, found at t+1. Rate: one push and one node per cycle. full_o comes from
//   registers.
// - Reset, and a start: empty.
// Part of hd_dgb, whose tests cover it.
`include "common/hd_assert.svh"
module hd_dgb_pub (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic                          init_i,
  // An update
  input  logic                          push_i,
  input  logic [15:0]                   push_vid_i,
  output logic                          full_o,
  output logic                          event_o,
  // A node may be inserted (look_i); it is inserted (insert_i)
  input  logic                          look_i,
  input  logic                          insert_i,
  input  logic [15:0]                   head_i,
  input  logic [15:0]                   next_i,
  output logic [hd_pkg::PubCountW-1:0]  count_o
);

  localparam int Pub = hd_pkg::Pub;
  localparam int CountW = hd_pkg::PubCountW;
  localparam int IndexW = $clog2(Pub);

  logic [Pub*16-1:0] pub_q;
  logic [Pub-1:0] none_q, match_q, leaves, place, is_next;
  logic [IndexW-1:0] index;
  logic some, push_matches;

  for (genvar i = 0; i < Pub; i++) begin : g_row
    assign is_next[i] = pub_q[16*i+:16] == next_i;  // not 0
  end

  hd_find_first #(.N(Pub), .IdxW(IndexW)) u_place (
    .req_i   (none_q),
    .onehot_o(place),
    .index_o (index),
    .valid_o (some)
  );

  always_comb begin
    count_o = '0;
    if (look_i) begin
      for (int i = 0; i < Pub; i++) count_o += CountW'(match_q[i]);
    end
  end

  logic event_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) event_q <= 1'b0;
    else event_q <= push_i;
  end
  assign event_o = event_q;

  assign leaves = insert_i ? match_q : '0;
  assign full_o = !some;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pub_q  <= '0;
      none_q <= '1;
    end else if (init_i) begin
      pub_q  <= '0;
      none_q <= '1;
    end else if (push_i || insert_i) begin
      for (int i = 0; i < Pub; i++) begin
        if (push_i && place[i]) pub_q[16*i+:16] <= push_vid_i;
        else if (leaves[i]) pub_q[16*i+:16] <= '0;
        if (push_i && place[i]) none_q[i] <= 1'b0;
        else if (leaves[i]) none_q[i] <= 1'b1;
      end
    end
  end

  assign push_matches = push_vid_i == next_i ? insert_i : push_vid_i == head_i && !insert_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      match_q <= '0;
    end else if (init_i) begin
      match_q <= '0;
    end else if (push_i || insert_i) begin
      for (int i = 0; i < Pub; i++) begin
        if (push_i && place[i]) match_q[i] <= push_matches;
        else if (insert_i) match_q[i] <= is_next[i];
      end
    end
  end

  logic unused_index;
  assign unused_index = &{1'b0, index};

`ifdef HD_ASSERT_ON
  // sim speed: rows are checked in the cycle after one may have changed.
  logic stirred_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) stirred_q <= 1'b1;
    else stirred_q <= init_i || push_i || insert_i;
  end

  logic [Pub-1:0] found;
  always_comb begin
    found = '0;
    if (look_i) begin
      for (int i = 0; i < Pub; i++) found[i] = pub_q[16*i+:16] == head_i && !none_q[i];
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (push_i) `HD_ASSERT_IN(a_push, some && push_vid_i != '0,
          "An update is pushed into a full PUB, or is for node 0.")
      if (stirred_q) begin
        for (int i = 0; i < Pub; i++) `HD_ASSERT(a_none, none_q[i] == (pub_q[16*i+:16] == '0),
            "The empty flag of a PUB row does not match its VID (0 means empty).")
      end
      if (look_i) `HD_ASSERT_IN(a_match, match_q == found,
          "The rows marked as matches are not those of the node at the head.")
    end
  end

  // Rare: full; several updates of one node; a push while others leave.
  `HD_COVER(c_full, full_o)
  `HD_COVER(c_several, insert_i && count_o > CountW'(1))
  `HD_COVER(c_both, push_i && insert_i && count_o != '0)
`endif

endmodule
