// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_dcount_heads: the data head of each channel, and the channels whose head has moved into
// another beat of done counts.
//
//   moved --> [head, look] --> lowest channel with look --> [looking]
//                          --> place of the head of the channel in stage 2
//
// The data head is from channels-isca2014 section 3.2; here it counts grains.
// - A place is the number of a beat of the channel and a lane in it.
// - moved_i at t updates head at the end of t, and sets look unless the beat stays the same;
//   setting look wins over clearing it.
// - Outputs come from registers; those of stage 2 depend on chan_i. Reset: heads 0, no look
//   pending.
// Part of hd_dcount; page docs/channel/dcount.md, rules D2, D6, D10.
`include "common/hd_assert.svh"
module hd_dcount_heads (
  input  logic                                      clk_i,
  input  logic                                      rst_ni,
  // A channel is set up
  input  logic                                      set_i,
  input  logic [hd_pkg::ChanW-1:0]                  set_chan_i,
  input  logic [hd_pkg::ChanCapW-1:0]               set_cap_i,
  // A channel whose head moved into another beat; that was looked up
  output logic                                      looking_o,
  output logic [hd_pkg::ChanW-1:0]                  looking_chan_o,
  output logic [hd_pkg::DoneNoW-1:0]                looking_no_o,
  input  logic                                      look_i,
  // The channel in stage 2: place of its head; whether the next grain is in the same beat
  input  logic [hd_pkg::ChanW-1:0]                  chan_i,
  output logic [hd_pkg::DoneNoW+3:0]                place_o,
  output logic                                      same_beat_o,
  input  logic                                      moved_i,
  output logic [hd_pkg::NumChan*hd_pkg::GrainW-1:0] head_o
);

  localparam int NumChan = hd_pkg::NumChan;
  localparam int ChanW = hd_pkg::ChanW;
  localparam int CapW = hd_pkg::ChanCapW;
  localparam int PosW = hd_pkg::ChanPosW;
  localparam int GrainW = hd_pkg::GrainW;
  localparam int PlaceW = hd_pkg::DoneNoW + 4;

  // The place in which a grain of a channel is counted.
  function automatic logic [PlaceW-1:0] place_of(input logic [GrainW-1:0] grain,
                                                 input logic [CapW-1:0] cap);
    logic [GrainW-1:0] most;  // the largest grain number
    most = GrainW'(~({PosW{1'b1}} << cap) >> (PosW - GrainW));
    place_of = PlaceW'(grain & most);
  endfunction

  logic [NumChan*GrainW-1:0] head_q;
  logic [NumChan*CapW-1:0] cap_q;
  logic [NumChan-1:0] look_q, set, moves, looks, looked;
  logic [GrainW-1:0] head, head_next;
  logic [CapW-1:0] cap;
  logic [PlaceW-1:0] place_next, look_place;
  logic [ChanW-1:0] look_chan, looking_chan_q;
  logic [hd_pkg::DoneNoW-1:0] looking_no_q;
  logic some_look, looking_q, next;

  hd_onehot #(.N(NumChan), .IdxW(ChanW)) u_set (
    .valid_i (set_i),
    .index_i (set_chan_i),
    .onehot_o(set)
  );

  hd_onehot #(.N(NumChan), .IdxW(ChanW)) u_moves (
    .valid_i (moved_i),
    .index_i (chan_i),
    .onehot_o(moves)
  );

  hd_find_first #(.N(NumChan), .IdxW(ChanW)) u_look (
    .req_i   (look_q),
    .onehot_o(looked),
    .index_o (look_chan),
    .valid_o (some_look)
  );

  for (genvar c = 0; c < NumChan; c++) begin : g_chan
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) head_q[c*GrainW+:GrainW] <= '0;
      else if (set[c]) head_q[c*GrainW+:GrainW] <= '0;
      else if (moves[c]) head_q[c*GrainW+:GrainW] <= head_next;
    end
    always_ff @(posedge clk_i) begin
      if (set[c]) cap_q[c*CapW+:CapW] <= set_cap_i;
    end
  end

  assign head        = head_q[chan_i*GrainW+:GrainW];
  assign cap         = cap_q[chan_i*CapW+:CapW];
  assign head_next   = head + GrainW'(1);
  assign place_o     = place_of(head, cap);
  assign place_next  = place_of(head_next, cap);
  assign same_beat_o = place_next[PlaceW-1:4] == place_o[PlaceW-1:4];
  assign looks       = moves & {NumChan{!same_beat_o}};

  assign next = (!looking_q || look_i) && some_look;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      look_q    <= '0;
      looking_q <= 1'b0;
    end else begin
      look_q    <= (look_q & ~(looked & {NumChan{next}})) | looks;
      looking_q <= next || (looking_q && !look_i);
    end
  end

  assign look_place = place_of(head_q[look_chan*GrainW+:GrainW], cap_q[look_chan*CapW+:CapW]);

  always_ff @(posedge clk_i) begin
    if (next) begin
      looking_chan_q <= look_chan;
      looking_no_q   <= look_place[PlaceW-1:4];
    end
  end

  assign looking_o      = looking_q;
  assign looking_chan_o = looking_chan_q;
  assign looking_no_o   = looking_no_q;
  assign head_o         = head_q;

  logic unused_bits;
  assign unused_bits = &{1'b0, place_next[3:0], look_place[3:0]};

`ifdef HD_ASSERT_ON
  // Rare: two channels have a look pending at once.
  `HD_COVER(c_two_looks, look_i && some_look)
`endif

endmodule
