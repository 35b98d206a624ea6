// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_dgb_load: receives nodes from memory and inserts them into the window.
//
//   beats --> checks --> places (here) --> [look: end of the node at head] --> insert (head)
//                                                                               |
//                                            PUB: updates of it <---------------+--> [take]
//
// From wireframe-micro2017 section 4.2.2. Keeping nodes in their LNA places until the LEA has room
// for their edges (the paper's NIB), and inserting a node when the edge start of the next one is
// known, are ours.
// - A beat brings two nodes, eight TB ids, early updates or edges. here_o moves with the last beat
//   of a chunk.
// - look: finds the end of the edges of the node at head. The node is inserted if the LEA has room
//   for them, or if it never will (big); nothing is inserted behind a big node until it has left.
// - take: the PUB's count for a node is subtracted in the cycle after its insertion.
// - Latency: last beat at t, look at t+1, insert at t+2. Rate: one node per cycle. insert_o and its
//   fields come from registers; node_*, ids_*, lea_we_o and errors from the beat.
// - Reset, and a start: no node.
// Part of hd_dgb, whose tests cover it.
`include "common/hd_assert.svh"
module hd_dgb_load (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // The graph
  input  logic                          init_i,
  input  logic                          run_i,
  input  logic [15:0]                   node_count_i,
  input  logic [31:0]                   edge_count_i,
  input  logic [15:0]                   edge_tail_i,
  input  logic                          tail_move_i,
  input  logic [15:0]                   tail_i,
  // A beat
  input  logic                          r_valid_i,
  input  hd_pkg::memdata_t              r_i,
  input  logic [hd_pkg::GreadW-1:0]     kind_i,
  input  logic [2:0]                    beat_i,
  // Two nodes of it go to their places
  output logic [1:0]                    node_we_o,
  output logic [hd_pkg::LnaW-2:0]       node_row_o,
  output logic [1:0]                    node_step_o,
  output logic [15:0]                   last_level_o,
  // TB ids or early updates of it
  output logic                          ids_o,
  output logic                          early_o,
  output logic [hd_pkg::DgbLanes-1:0]   lane_we_o,
  output logic [hd_pkg::LnaW-1:0]       lane_place_o,
  output logic [16*hd_pkg::DgbLanes-1:0] lane_value_o,
  // Edges of it
  output logic                          lea_we_o,
  output logic [12:0]                   rows_here_o,
  output logic [15:0]                   here_o,
  // The edge start of the node behind the one looked at
  output logic [hd_pkg::LnaW-1:0]       look_place_o,
  input  logic [15:0]                   look_start_i,
  // A node is inserted
  output logic                          look_valid_o,
  output logic                          insert_o,
  output logic [15:0]                   head_o,
  output logic [15:0]                   head_next_o,
  output logic                          big_o,
  output logic [15:0]                   big_vid_o,
  output logic                          big_event_o,
  input  logic [hd_pkg::PubCountW-1:0]  pub_count_i,
  output logic                          take_valid_o,
  output logic [hd_pkg::LnaW-1:0]       take_place_o,
  output logic [hd_pkg::PubCountW-1:0]  take_count_o,
  // Errors
  output logic [1:0]                    bad_start_o,
  output logic [1:0]                    bad_level_o,
  output logic [15:0]                   node_vid_o
);

  localparam int Chunk = hd_pkg::DgbChunk;
  localparam int Lanes = hd_pkg::DgbLanes;
  localparam int LnaW = hd_pkg::LnaW;
  localparam int Lea = hd_pkg::Lea;
  localparam int EdgeW = $clog2(hd_pkg::DgbEdges);
  localparam int CountW = hd_pkg::PubCountW;

  logic [15:0] here_q, left, last_vid;
  logic [4:0] nodes;  // nodes of the arriving chunk
  logic whole;        // the chunk is not the last, partial one
  logic [12:0] rows_here_q;
  logic node_beat, last_beat;

  assign left     = node_count_i - here_q;
  assign whole    = left >= 16'(Chunk);
  assign nodes    = whole ? 5'(Chunk) : 5'(left);
  assign last_vid = node_count_i - 16'd1;

  // ---- Nodes of a beat --------------------------------------------------------------------------
  logic [31:0] prev_start_q, even_start, odd_start, even_end, even_up, odd_up;
  logic [15:0] prev_level_q, even_level, odd_level;
  logic [31:0] odd_end;
  logic [1:0] last, bad_start, bad_level;
  logic even_step, odd_step, none_before;

  assign node_beat  = run_i && r_valid_i
      && (kind_i == hd_pkg::GreadNodes || kind_i == hd_pkg::GreadNodesLast);
  assign node_vid_o = here_q | 16'({beat_i, 1'b0});  // a chunk begins at a multiple of its nodes
  assign node_row_o = node_vid_o[LnaW-1:1];
  assign node_we_o  = {node_beat && !last[0], node_beat};

  assign even_start  = r_i.lo[31:0];
  assign even_level  = r_i.lo[63:48];
  assign odd_start   = r_i.hi[31:0];
  assign odd_level   = r_i.hi[63:48];
  assign none_before = node_vid_o == '0;
  assign last        = {(node_vid_o | 16'd1) == last_vid, node_vid_o == last_vid};

  assign even_up   = even_start - prev_start_q;
  assign odd_up    = odd_start - even_start;
  assign even_end  = edge_count_i - even_start;
  assign odd_end   = edge_count_i - odd_start;
  assign even_step = even_level != prev_level_q;
  assign odd_step  = odd_level != even_level;

  assign bad_start[0] = (none_before ? even_start != '0 : even_up[31:16] != '0)
      || even_start > edge_count_i || (last[0] && even_end[31:16] != '0);
  assign bad_start[1] = odd_up[31:16] != '0 || odd_start > edge_count_i
      || (last[1] && odd_end[31:16] != '0);
  assign bad_level[0] = none_before ? even_level != '0
      : even_step && even_level != prev_level_q + 16'd1;
  assign bad_level[1] = odd_step && odd_level != even_level + 16'd1;
  assign bad_start_o  = bad_start & node_we_o;
  assign bad_level_o  = bad_level & node_we_o;
  assign node_step_o  = {odd_step, even_step && !none_before};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      prev_start_q <= '0;
      prev_level_q <= '0;
    end else if (init_i) begin
      prev_start_q <= '0;
      prev_level_q <= '0;
    end else if (node_beat) begin
      prev_start_q <= node_we_o[1] ? odd_start : even_start;
      prev_level_q <= node_we_o[1] ? odd_level : even_level;
    end
  end

  assign last_level_o = prev_level_q;

  // ---- TB ids, early updates, edges of a beat ---------------------------------------------------
  logic [127:0] beat_data;

  assign beat_data    = {r_i.hi, r_i.lo};
  assign ids_o        = run_i && r_valid_i && kind_i == hd_pkg::GreadIds;
  assign early_o      = run_i && r_valid_i && kind_i == hd_pkg::GreadEarly;
  assign lea_we_o     = run_i && r_valid_i && kind_i == hd_pkg::GreadEdges;
  assign lane_place_o = LnaW'(here_q) | LnaW'({beat_i, 3'b0});

  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    assign lane_we_o[l] = 6'({beat_i, 3'(l)}) < 6'(nodes);
  end

  if (Lanes < 8) begin : g_part
    assign lane_value_o = (16*Lanes)'(beat_data >> {here_q[2:0], 4'b0});
  end else begin : g_whole
    assign lane_value_o = beat_data;
  end

  // ---- Loaded nodes and edges ------------------------------------------------------------------
  assign last_beat = run_i && r_valid_i && r_i.last
      && (kind_i == hd_pkg::GreadNodesLast || kind_i == hd_pkg::GreadEarly);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      here_q      <= '0;
      rows_here_q <= '0;
    end else if (init_i) begin
      here_q      <= '0;
      rows_here_q <= '0;
    end else begin
      if (last_beat) here_q <= whole ? here_q + 16'(Chunk) : node_count_i;
      if (lea_we_o) rows_here_q <= rows_here_q + 13'd1;
    end
  end

  // ---- The node at head -------------------------------------------------------------------------
  logic [15:0] head_q, head_start_q, look_end_q, look_count, after, behind;
  logic [15:0] head_1_q, head_2_q;  // head + 1, + 2
  logic look_valid_q, look_ok, few, fits, never, big_q, big_event_q;
  logic [15:0] big_vid_q, tail_floor, own_floor;
  logic [15:0] rows_end, own_end;  // end of its edges, from the LEA's first row and from its own

  // The node behind the one looked at must be loaded, or that one is the last of the graph.
  assign after   = look_valid_q ? head_2_q : head_1_q;
  assign look_ok = after < here_q || (after == node_count_i && here_q == node_count_i);
  assign behind  = after == node_count_i ? edge_count_i[15:0] : look_start_i;
  assign look_place_o = after[LnaW-1:0];

  // Differences of 16 bits. rows_end and own_end are exact if few is set: the window has no more
  // edges than the LEA holds.
  assign look_count = look_end_q - head_start_q;
  assign tail_floor = edge_tail_i >> EdgeW << EdgeW;
  assign own_floor  = head_start_q >> EdgeW << EdgeW;
  assign rows_end   = look_end_q - tail_floor;
  assign own_end    = look_end_q - own_floor;
  assign few      = look_count <= 16'(Lea);
  assign fits       = few && rows_end <= 16'(Lea);
  assign never      = !few || own_end > 16'(Lea);
  assign insert_o   = run_i && look_valid_q && !big_q && (fits || never);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q       <= '0;
      head_1_q     <= 16'd1;
      head_2_q     <= 16'd2;
      head_start_q <= '0;
      look_valid_q <= 1'b0;
      big_q        <= 1'b0;
      big_event_q  <= 1'b0;
    end else begin
      big_event_q <= insert_o && never;
      if (init_i) begin
        head_q       <= '0;
        head_1_q     <= 16'd1;
        head_2_q     <= 16'd2;
        head_start_q <= '0;
        look_valid_q <= 1'b0;
        big_q        <= 1'b0;
      end else if (run_i) begin
        if (!look_valid_q || insert_o) look_valid_q <= look_ok;
        if (insert_o) begin
          head_q       <= head_1_q;
          head_1_q     <= head_2_q;
          head_2_q     <= head_2_q + 16'd1;
          head_start_q <= look_end_q;
        end
        if (insert_o && never) big_q <= 1'b1;
        else if (tail_move_i && tail_i == big_vid_q) big_q <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!look_valid_q || insert_o) look_end_q <= behind;
    if (!big_q) big_vid_q <= head_q;
  end

  // ---- The PUB's count for the inserted node ---------------------------------------------------
  logic take_valid_q;
  logic [LnaW-1:0] take_place_q;
  logic [CountW-1:0] take_count_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) take_valid_q <= 1'b0;
    else if (init_i) take_valid_q <= 1'b0;
    else if (run_i) take_valid_q <= insert_o;
  end

  always_ff @(posedge clk_i) begin
    if (insert_o) begin
      take_place_q <= head_q[LnaW-1:0];
      take_count_q <= pub_count_i;
    end
  end

  assign look_valid_o = look_valid_q;
  assign here_o       = here_q;
  assign rows_here_o  = rows_here_q;
  assign head_o       = head_q;
  assign head_next_o  = head_1_q;
  assign big_o        = big_q;
  assign big_vid_o    = big_vid_q;
  assign big_event_o  = big_event_q;
  assign take_valid_o = take_valid_q;
  assign take_place_o = take_place_q;
  assign take_count_o = take_count_q;

  logic unused_bits;
  assign unused_bits = &{1'b0, r_i.error, even_up, odd_up, even_end, odd_end};

`ifdef HD_ASSERT_ON
  logic [15:0] window;
  assign window = head_start_q - tail_floor;
  always_ff @(posedge clk_i) begin
    if (rst_ni && run_i) begin
      `HD_ASSERT(a_here, head_q <= here_q && here_q <= node_count_i,
          "The head passes the loaded nodes, or more nodes are loaded than the graph has.")
      if (node_beat) `HD_ASSERT_IN(a_node, left != '0,
          "A beat of nodes arrives after all nodes of the graph were loaded.")
      `HD_ASSERT(a_window, big_q || window <= 16'(Lea),
          "The edges of the window exceed the LEA, and none of its nodes is big.")
    end
  end

  // Rare: a node that waits for room in the LEA; one that never fits.
  `HD_COVER(c_waits, run_i && look_valid_q && !big_q && !insert_o)
  `HD_COVER(c_never, insert_o && never)
`endif

endmodule
