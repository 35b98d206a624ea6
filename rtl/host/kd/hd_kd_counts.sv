// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_kd_counts: counts the work in flight of each KD entry: TBs in execution (ExeBL), groups
// between match and link (hold), and entries in banks of priority queues or in memory for them
// (queued). A kernel whose counts are all 0 and that has no other work (quiet_i) is idle.
//
//   handed out +1, retire -1 ----> [exebl x NumKde]  --+
//   hold +1, unhold -1 ----------> [hold x NumKde]   --+--> all 0 and quiet: idle
//   queue +1, last, lost -1 -----> [queued x NumKde] --+
//   exebl, saved TBs ------------> [list full x NumKde]
//
// From dtbl-isca2015 section 2.2 (ExeBL); the other two counts are ours.
// - Up and down of one entry in one cycle: unchanged.
// - A kernel that enters starts with 0, or with one entry in a bank (enter_queued_i).
// - still_o: idle, ignoring entries in banks (banked_o).
// - sav_full_o: the kernel is suspending, and its saved list may have no place left for another
//   running TB (running plus saved TBs near SavMax). Registered: up to two TBs may have been handed
//   out since, so the limit is one lower.
// - timing: grant_*_i, serve_*_i and graph_*_i settle last in the cycle. They are registered: exebl
//   and queued count a TB that is handed out one cycle late, the outputs do not.
// - Latency: an event at t affects idle_o at t+1; quiet_i in the same cycle.
// - Reset: no TB handed out, sav_full_o 0; the counts have no reset, since quiet_i is 0 for a free
//   entry.
// Part of hd_kd, whose tests cover it.
`include "common/hd_assert.svh"
module hd_kd_counts (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  // A kernel enters; timing: alloc_i, its entry, settles before enter_i
  input  logic                         enter_i,
  input  logic [hd_pkg::NumKde-1:0]    entered_i,
  input  logic [hd_pkg::NumKde-1:0]    alloc_i,
  input  logic                         enter_queued_i,
  // TBs: granted by the SSCR, by a bank, of the graph; retired
  input  logic                         grant_valid_i,
  input  logic [hd_pkg::KdeW-1:0]      grant_kdei_i,
  input  logic                         serve_valid_i,
  input  logic [hd_pkg::KdeW-1:0]      serve_kdei_i,
  input  logic                         graph_take_i,
  input  logic [hd_pkg::KdeW-1:0]      graph_kdei_i,
  input  logic                         retire_valid_i,
  input  logic [hd_pkg::KdeW-1:0]      retire_kdei_i,
  // Groups between match and link
  input  logic                         hold_valid_i,
  input  logic [hd_pkg::KdeW-1:0]      hold_kdei_i,
  input  logic                         unhold_valid_i,
  input  logic [hd_pkg::KdeW-1:0]      unhold_kdei_i,
  // Entries in banks, or in memory for them; loss of one of those
  input  logic                         queue_valid_i,
  input  logic [hd_pkg::KdeW-1:0]      queue_kdei_i,
  input  logic                         serve_last_i,
  input  logic                         lost_valid_i,
  input  logic [hd_pkg::KdeW-1:0]      lost_kdei_i,
  // Saved TBs of suspending kernels
  input  logic [hd_pkg::NumKde-1:0]                    suspending_i,
  input  logic [hd_pkg::NumKde*hd_pkg::SavCountW-1:0]  sav_count_i,
  output logic [hd_pkg::NumKde-1:0]                    sav_full_o,
  // No work in flight
  input  logic [hd_pkg::NumKde-1:0]                    quiet_i,
  output logic [hd_pkg::NumKde-1:0]                    banked_o,
  output logic [hd_pkg::NumKde-1:0]                    still_o,
  output logic [hd_pkg::NumKde-1:0]                    idle_o
);

  localparam int NumKde = hd_pkg::NumKde;
  localparam int ExeW = hd_pkg::ExeW;
  localparam int HoldW = hd_pkg::HoldW;
  localparam int QueuedW = hd_pkg::QueuedW;

  logic [NumKde*ExeW-1:0] exebl_q;
  logic [NumKde*HoldW-1:0] hold_q;
  logic [NumKde*QueuedW-1:0] queued_q;

  // ---- TBs handed out in the previous cycle -----------------------------------------------------
  logic grant_valid_q, serve_valid_q, serve_last_q, graph_take_q;
  logic [hd_pkg::KdeW-1:0] grant_kdei_q, serve_kdei_q, graph_kdei_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      grant_valid_q <= 1'b0;
      serve_valid_q <= 1'b0;
      serve_last_q  <= 1'b0;
      graph_take_q  <= 1'b0;
    end else begin
      grant_valid_q <= grant_valid_i;
      serve_valid_q <= serve_valid_i;
      serve_last_q  <= serve_valid_i && serve_last_i;
      graph_take_q  <= graph_take_i;
    end
  end

  always_ff @(posedge clk_i) begin
    grant_kdei_q <= grant_kdei_i;
    serve_kdei_q <= serve_kdei_i;
    graph_kdei_q <= graph_kdei_i;
  end

  // ---- TBs in execution -------------------------------------------------------------------------
  logic [ExeW-1:0] exe_down;
  logic [NumKde-1:0] current, ofgraph, granted, served, retired, counted;

  assign exe_down = exebl_q[retire_kdei_i*ExeW+:ExeW] - ExeW'(1);

  assign current = {{NumKde - 1{1'b0}}, grant_valid_q} << grant_kdei_q;
  assign served  = {{NumKde - 1{1'b0}}, serve_valid_q && hd_pkg::HasBanks != 0} << serve_kdei_q;
  assign ofgraph = {{NumKde - 1{1'b0}}, graph_take_q && hd_pkg::HasGraph != 0} << graph_kdei_q;
  assign granted = current | served | ofgraph;
  assign retired = {{NumKde - 1{1'b0}}, retire_valid_i} << retire_kdei_i;
  assign counted = granted ^ retired;

  always_ff @(posedge clk_i) begin
    if (enter_i || granted != '0 || retire_valid_i) begin
      for (int i = 0; i < NumKde; i++) begin
        if (counted[i] || entered_i[i]) begin
          exebl_q[i*ExeW+:ExeW] <= alloc_i[i] ? '0 : retired[i] ? exe_down
              : exebl_q[i*ExeW+:ExeW] + ExeW'(1);
        end
      end
    end
  end

  // ---- Entries in banks -------------------------------------------------------------------------
  logic [NumKde-1:0] queued, unqueued, lost;
  logic [NumKde*QueuedW-1:0] queue_step;  // change of the count, except by hand-outs

  assign queued   = {{NumKde - 1{1'b0}}, queue_valid_i} << queue_kdei_i;
  assign unqueued = served & {NumKde{serve_last_q}};
  assign lost     = {{NumKde - 1{1'b0}}, lost_valid_i} << lost_kdei_i;

  for (genvar i = 0; i < NumKde; i++) begin : g_queue_step
    assign queue_step[i*QueuedW+:QueuedW] = QueuedW'(queued[i]) - QueuedW'(lost[i]);
  end

  always_ff @(posedge clk_i) begin
    if (enter_i || queue_valid_i || serve_last_q || lost_valid_i) begin
      for (int i = 0; i < NumKde; i++) begin
        if (entered_i[i]) queued_q[i*QueuedW+:QueuedW] <= QueuedW'(enter_queued_i);
        else if (queued[i] || unqueued[i] || lost[i]) begin
          queued_q[i*QueuedW+:QueuedW] <= unqueued[i]
              ? queued_q[i*QueuedW+:QueuedW] + queue_step[i*QueuedW+:QueuedW] - QueuedW'(1)
              : queued_q[i*QueuedW+:QueuedW] + queue_step[i*QueuedW+:QueuedW];
        end
      end
    end
  end

  // ---- Groups between match and link ------------------------------------------------------------
  logic [NumKde-1:0] held, unheld;

  assign held   = {{NumKde - 1{1'b0}}, hold_valid_i} << hold_kdei_i;
  assign unheld = {{NumKde - 1{1'b0}}, unhold_valid_i} << unhold_kdei_i;

  always_ff @(posedge clk_i) begin
    if (enter_i || hold_valid_i || unhold_valid_i) begin
      for (int i = 0; i < NumKde; i++) begin
        if (entered_i[i]) hold_q[i*HoldW+:HoldW] <= '0;
        else if (held[i] != unheld[i]) begin
          hold_q[i*HoldW+:HoldW] <= held[i] ? hold_q[i*HoldW+:HoldW] + HoldW'(1)
              : hold_q[i*HoldW+:HoldW] - HoldW'(1);
        end
      end
    end
  end

  // ---- No work in flight -----------------------------------------------------------------------
  always_comb begin
    still_o = '0;
    for (int i = 0; i < NumKde; i++) begin
      banked_o[i] = hd_pkg::HasBanks != 0
          && queued_q[i*QueuedW+:QueuedW] != QueuedW'(unqueued[i]);
      if (quiet_i[i]) begin
        still_o[i] = exebl_q[i*ExeW+:ExeW] == '0 && !granted[i] && hold_q[i*HoldW+:HoldW] == '0;
      end
    end
  end
  assign idle_o = still_o & ~banked_o;

  // ---- Room in the saved list ------------------------------------------------------------------
  localparam int SumW = (ExeW > hd_pkg::SavCountW ? ExeW : hd_pkg::SavCountW) + 1;

  logic [NumKde-1:0] sav_full_q, sav_full_d;

  always_comb begin
    sav_full_d = '0;
    if (suspending_i != '0) begin
      for (int i = 0; i < NumKde; i++) begin
        sav_full_d[i] = suspending_i[i] && SumW'(exebl_q[i*ExeW+:ExeW]) + SumW'(granted[i])
            + SumW'(sav_count_i[i*hd_pkg::SavCountW+:hd_pkg::SavCountW])
            >= SumW'(hd_pkg::SavMax - 1);
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) sav_full_q <= '0;
    else sav_full_q <= sav_full_d;
  end

  assign sav_full_o = sav_full_q;

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (retire_valid_i) `HD_ASSERT_IN(a_retire, exebl_q[retire_kdei_i*ExeW+:ExeW] != '0
          || granted[retire_kdei_i],
          "A TB retires from a kernel that has no TBs in execution.")
      if (grant_valid_q) `HD_ASSERT_IN(a_exebl_max, exebl_q[grant_kdei_q*ExeW+:ExeW] != '1,
          "ExeBL is at its maximum when a TB is granted: it would wrap.")
      if (serve_valid_q) `HD_ASSERT_IN(a_exebl_serve, exebl_q[serve_kdei_q*ExeW+:ExeW] != '1,
          "ExeBL is at its maximum when a bank hands out a TB: it would wrap.")
      if (graph_take_q) `HD_ASSERT_IN(a_exebl_graph, exebl_q[graph_kdei_q*ExeW+:ExeW] != '1,
          "ExeBL is at its maximum when a TB of a graph is taken: it would wrap.")
      if (serve_valid_i) `HD_ASSERT_IN(a_serve, banked_o[serve_kdei_i],
          "A bank hands out a TB of a kernel that has no entry in a bank.")
      if (lost_valid_i) `HD_ASSERT_IN(a_lost, banked_o[lost_kdei_i],
          "An entry of a bank is lost for a kernel that has none there.")
      if (unhold_valid_i) `HD_ASSERT_IN(a_hold, hold_q[unhold_kdei_i*HoldW+:HoldW] != '0,
          "A group is released for a kernel that holds none: hold would wrap.")
      if (hold_valid_i) `HD_ASSERT_IN(a_hold_max, hold_q[hold_kdei_i*HoldW+:HoldW] != '1,
          "Hold is at its maximum when a group is matched: it would wrap.")
    end
  end

  // Rare: ExeBL up and down at once.
  `HD_COVER(c_net_zero, (granted & retired) != '0)
`endif

endmodule
