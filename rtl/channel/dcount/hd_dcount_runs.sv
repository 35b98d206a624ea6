// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_dcount_runs: FIFO of runs of done elements that are not counted yet, delivered grain by grain.
//
//   run --> [u_runs] --> [counting] --> k elements at a place
//                            ^--+ k--|
//
// All of it is ours.
// - Outputs come from registers. Reset: empty. Rate: one grain per cycle.
// Part of hd_dcount; page docs/channel/dcount.md, rules D4 and D9.
`include "common/hd_assert.svh"
module hd_dcount_runs (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // Elements are done
  input  logic                       run_i,
  input  hd_pkg::donerun_t           run_data_i,
  output logic                       room_o,
  // The oldest elements that are not counted, of one grain
  output logic                       valid_o,
  output logic [hd_pkg::ChanW-1:0]   chan_o,
  output logic [hd_pkg::DoneNoW+3:0] place_o,
  output logic [7:0]                 k_o,
  input  logic                       count_i
);

  localparam int ChanW = hd_pkg::ChanW;
  localparam int PosW = hd_pkg::ChanPosW;
  localparam int GrainW = hd_pkg::GrainW;
  localparam int GrainBits = PosW - GrainW;
  localparam int Grain = hd_pkg::DoneGrain;

  logic none, full, valid_q, leaves, next;
  logic [ChanW-1:0] chan_q;
  logic [PosW-1:0] off_q, n_q;
  logic [PosW:0] left;  // elements to the end of the grain
  hd_pkg::donerun_t oldest;

  hd_fifo #(.Width(hd_pkg::DonerunW), .Depth(hd_pkg::ChanRuns), .Spare(2)) u_runs (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (run_i),
    .write_i(run_i),
    .data_i (run_data_i),
    .full_o (full),
    .pop_i  (next),
    .data_o (oldest),
    .empty_o(none)
  );

  assign left    = (PosW + 1)'(Grain) - {{GrainW + 1{1'b0}}, off_q[GrainBits-1:0]};
  assign k_o     = {1'b0, n_q} < left ? 8'(n_q) : 8'(left);
  assign leaves  = count_i && {1'b0, n_q} <= left;
  assign next    = (!valid_q || leaves) && !none;
  assign valid_o = valid_q;
  assign chan_o  = chan_q;
  assign place_o = (hd_pkg::DoneNoW + 4)'(off_q[PosW-1:GrainBits]);
  assign room_o  = !full;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else valid_q <= next || (valid_q && !leaves);
  end

  always_ff @(posedge clk_i) begin
    if (next) begin
      chan_q <= oldest.chan;
      off_q  <= oldest.off;
      n_q    <= oldest.n;
    end else if (count_i) begin
      off_q <= off_q + PosW'(k_o);
      n_q   <= n_q - PosW'(k_o);
    end
  end

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (valid_q) `HD_ASSERT_IN(a_run, n_q != '0, "A run without elements was pushed.")
      if (count_i) `HD_ASSERT_IN(a_count, valid_q, "Elements are counted while no run is offered.")
    end
  end

  // Rare: a run of more than one grain.
  `HD_COVER(c_grains, count_i && !leaves)
`endif

endmodule
