// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_dcount_counts: the done counts on chip, 16 per row; adds to one row per cycle.
//
//   entry (t) --> u_count --> (t+1) + beat, or + k in one lane --> a full count at the head
//                    ^--------------------------------------------|  is cleared
//
// All of it is ours.
// - Latency: a row requested at t is read, added to and written in t+1. The next request may be for
//   the same row. A new row starts at 0.
// - Outputs come from registers and RAM, in t+1; full_o and the write depend on head_lane_i, the
//   write on clear_i.
// - Reset: nothing in flight; rows have no reset.
// Part of hd_dcount; page docs/channel/dcount.md, rule D6.
`include "common/hd_assert.svh"
module hd_dcount_counts (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // In t: a row is read; it is added to
  input  logic                          read_i,
  input  logic                          add_i,
  input  logic [hd_pkg::DoneEntryW-1:0] entry_i,
  input  logic                          new_i,
  // The increment: a beat, or k in one lane
  input  logic                          fill_i,
  input  logic [127:0]                  beat_i,
  input  logic [7:0]                    k_i,
  input  logic [3:0]                    lane_i,
  // In t+1
  output logic                          add_o,
  output logic [hd_pkg::DoneEntryW-1:0] entry_o,
  output logic [127:0]                  counts_o,   // as read
  input  logic [3:0]                    head_lane_i,
  output logic                          full_o,     // of the lane of the head
  input  logic                          clear_i     // set it to 0
);

  localparam int EntryW = hd_pkg::DoneEntryW;

  logic add_q, new_q, fill_q, bypass_q;
  logic [EntryW-1:0] entry_q;
  logic [127:0] beat_q, written_q, counts, sum, counts_next;
  logic [7:0] k_q, at_head;
  logic [3:0] lane_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) add_q <= 1'b0;
    else add_q <= add_i;
  end

  always_ff @(posedge clk_i) begin
    if (read_i) entry_q <= entry_i;
    if (add_i) begin
      new_q    <= new_i;
      fill_q   <= fill_i;
      k_q      <= k_i;
      lane_q   <= lane_i;
      bypass_q <= add_q && entry_q == entry_i;
    end
    if (fill_i) beat_q <= beat_i;
    if (add_q) written_q <= counts_next;
  end

  hd_ram_1r1w #(.Width(128), .Depth(hd_pkg::DoneRows), .AddrW(EntryW), .Conflict(1'b1)) u_count (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (add_q),
    .waddr_i(entry_q),
    .wdata_i(counts_next),
    .re_i   (read_i),
    .raddr_i(entry_i),
    .rdata_o(counts_o)
  );

  assign counts = bypass_q ? written_q : counts_o & {128{!new_q}};

  for (genvar l = 0; l < 16; l++) begin : g_lane
    assign sum[l*8+:8] = counts[l*8+:8]
        + (fill_q ? beat_q[l*8+:8] : k_q & {8{lane_q == 4'(l)}});
    assign counts_next[l*8+:8] = sum[l*8+:8] & {8{!(clear_i && head_lane_i == 4'(l))}};
  end

  assign at_head = sum[head_lane_i*8+:8];
  assign full_o  = at_head == 8'(hd_pkg::DoneGrain);
  assign add_o   = add_q;
  assign entry_o = entry_q;

`ifdef HD_ASSERT_ON
  // Rare: the same row twice in a row.
  `HD_COVER(c_bypass, add_q && bypass_q)
`endif

endmodule
