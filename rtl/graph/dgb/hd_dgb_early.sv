// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_dgb_early: early updates: counts in memory of done parents, for nodes that are not loaded yet,
// when the PUB is full.
//
//   merge --> [collect: a beat, mask of its eight counts] --> read --> [+ 1] --> write --> answer
//
// Ours: wireframe-micro2017 lets the done node wait, which can deadlock.
// - Updates in the same beat are collected until a cycle brings none; then the beat is read,
//   incremented and written back.
// - spilled_o: this graph had an early update. From the chunk requested next at that time (zero_o)
//   on, early updates are then read with each chunk, and cleared.
// - zero_ok_o: a beat can be cleared (not while a write awaits its answer).
// - Latency: a read or write is wanted in the cycle after the event that it waits for. Outputs come
//   from registers, except merge_ok_o (from child_i).
// - Reset, and a start: none.
// Part of hd_dgb, whose tests cover it.
`include "common/hd_assert.svh"
module hd_dgb_early (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         init_i,
  input  logic         run_i,
  input  logic [15:0]  ask_i,
  // An update: the children that can be merged, the one that is
  input  logic [hd_pkg::ChildLanes*16-1:0] child_i,
  output logic [hd_pkg::ChildLanes-1:0] merge_ok_o,
  input  logic [15:0]  merge_vid_i,
  input  logic         merge_i,
  output logic         idle_o,
  output logic         event_o,
  // Bursts of the updates
  output logic         want_read_o,
  input  logic         read_i,
  output logic         want_write_o,
  input  logic         write_i,
  output logic [12:0]  beat_o,
  output logic [7:0]   mask_o,
  output logic [127:0] data_o,
  input  logic         got_i,
  input  logic [127:0] got_data_i,
  input  logic         written_i,
  // Beats to clear
  output logic         spilled_o,
  output logic         zero_ok_o,
  output logic [15:0]  zero_o,
  input  logic         zero_begins_i,
  input  logic [15:0]  zero_next_i
);

  typedef enum logic [2:0] {
    Idle      = 3'd0,
    Collect   = 3'd1,
    WantRead  = 3'd2,
    Reads     = 3'd3,
    WantWrite = 3'd4,
    Writes    = 3'd5
  } state_e;

  state_e state_q;
  logic [12:0] beat_q;
  logic [7:0] mask_q, merge_bit;
  logic [127:0] data_q;
  logic spilled_q, event_q;
  logic [15:0] zero_q;

  assign merge_bit  = 8'd1 << merge_vid_i[2:0];

  for (genvar l = 0; l < hd_pkg::ChildLanes; l++) begin : g_ok
    assign merge_ok_o[l] = state_q == Idle || (state_q == Collect
        && beat_q == child_i[l*16+3+:13] && !mask_q[child_i[l*16+:3]]);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= Idle;
      spilled_q <= 1'b0;
    end else if (init_i) begin
      state_q   <= Idle;
      spilled_q <= 1'b0;
    end else begin
      case (state_q)
        Idle:      if (merge_i) state_q <= Collect;
        Collect:   if (run_i && !merge_i) state_q <= WantRead;
        WantRead:  if (read_i) state_q <= Reads;
        Reads:     if (run_i && got_i) state_q <= WantWrite;
        WantWrite: if (write_i) state_q <= Writes;
        default:   if (run_i && written_i) state_q <= Idle;
      endcase
      if (merge_i) spilled_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (merge_i) begin
      beat_q <= merge_vid_i[15:3];
      mask_q <= state_q == Idle ? merge_bit : mask_q | merge_bit;
    end
    if (merge_i && !spilled_q) zero_q <= ask_i;
    else if (zero_begins_i) zero_q <= zero_next_i;
  end

  for (genvar i = 0; i < 8; i++) begin : g_value
    always_ff @(posedge clk_i) begin
      if (got_i) data_q[16*i+:16] <= got_data_i[16*i+:16] + 16'(mask_q[i]);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) event_q <= 1'b0;
    else event_q <= merge_i;
  end

  assign event_o      = event_q;
  assign idle_o       = state_q == Idle;
  assign want_read_o  = state_q == WantRead;
  assign want_write_o = state_q == WantWrite;
  assign zero_ok_o    = state_q != Writes;
  assign beat_o       = beat_q;
  assign mask_o       = mask_q;
  assign data_o       = data_q;
  assign spilled_o    = spilled_q;
  assign zero_o       = zero_q;

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (merge_i) `HD_ASSERT_IN(a_merge, merge_ok_o != '0 && merge_vid_i >= ask_i,
          "An early update finds no room, or its node was already requested.")
      if (run_i && got_i) `HD_ASSERT_IN(a_got, state_q == Reads,
          "A beat of early updates arrives that was not requested.")
    end
  end

  // Rare: updates of one beat written together.
  `HD_COVER(c_collect, merge_i && state_q == Collect)
`endif

endmodule
