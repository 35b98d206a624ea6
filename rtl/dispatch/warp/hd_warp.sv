// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_warp: the warp schedulers of an SMX: each cycle issues one even and one odd warp.
//
//   stalls --> u_counts --> class, count --> u_sort (of each scheduler) --> [order] --+
//   assign --> u_ages ------^                                                        v
//   valid, ready, slot ------------> u_waits: waited long? --------------------> u_pick --> [issue]
//
// From cooperative-warp-tb-scheduling-2017, sections 3 and 4; the page lists our additions.
// - The choice at t uses warp_valid_i and warp_ready_i of t; issue_valid_o and issue_warp_o follow
//   at t+1. Rate: one warp per scheduler and cycle under every policy.
// - Stall counts at the start of a cycle with phase 0 affect the order 32 to 63 cycles later.
// - Outputs come from registers. Reset: no warp issues, counters 0, lists ordered by warp number.
// Ports: warp.csv. Model cmodel/dispatch/warp, tests verif/unit test_warp, page
// docs/dispatch/warp.md.
`include "common/hd_assert.svh"
module hd_warp (
  input  logic                                               clk_i,
  input  logic                                               rst_ni,
  // Policy (regs)
  input  logic [hd_pkg::WpolicyW-1:0]                        policy_i,
  input  logic                                               one_list_i,
  // Assignment of a TB to a slot (SMX)
  input  logic                                               assign_valid_i,
  input  logic [hd_pkg::SlotW-1:0]                           assign_slot_i,
  // Warps (SMX)
  input  logic [hd_pkg::WarpsPerSmx-1:0]                     warp_valid_i,
  input  logic [hd_pkg::WarpsPerSmx-1:0]                     warp_ready_i,
  input  logic [hd_pkg::WarpsPerSmx*hd_pkg::SlotW-1:0]       warp_slot_i,
  input  logic [hd_pkg::WarpsPerSmx-1:0]                     stall_control_i,
  input  logic [hd_pkg::WarpsPerSmx-1:0]                     stall_raw_i,
  input  logic [hd_pkg::WarpsPerSmx-1:0]                     stall_pipe_i,
  // Issued warp of each scheduler (SMX)
  output logic [hd_pkg::WarpScheds-1:0]                      issue_valid_o,
  output logic [hd_pkg::WarpScheds*hd_pkg::WarpW-1:0]        issue_warp_o,
  // Events for the counters (regs)
  output logic [hd_pkg::WarpScheds-1:0]                      stalled_o,
  output logic [hd_pkg::WarpScheds-1:0]                      starved_o
);

  localparam int W = hd_pkg::WarpsPerSmx;
  localparam int S = hd_pkg::WarpsPerSched;
  localparam int Scheds = hd_pkg::WarpScheds;
  localparam int C = hd_pkg::CtasPerSmx;
  localparam int SlotW = hd_pkg::SlotW;
  localparam int WarpW = hd_pkg::WarpW;
  localparam int PosW = hd_pkg::WarpPosW;
  localparam int StallW = hd_pkg::StallW;
  localparam int ClassW = hd_pkg::WarpClassW;
  localparam int PassW = hd_pkg::WarpPassW;
  localparam logic [ClassW-1:0] NoTb = ClassW'(C);

  logic [PassW-1:0] phase_q;
  logic [Scheds*S*PosW-1:0] order_q;
  logic [Scheds*PosW-1:0] last_q;
  logic [Scheds-1:0] held_q, issue_valid_q, stalled_q, starved_q;

  // ---- The pass ---------------------------------------------------------------------------------
  logic done;  // the order is complete at the end of this cycle

  assign done = phase_q == PassW'(hd_pkg::WarpPass - 1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) phase_q <= '0;
    else phase_q <= phase_q + PassW'(1);
  end

  // ---- Ages, stall cycles, waits ----------------------------------------------------------------
  logic [C*SlotW-1:0] rank;
  logic [C*C-1:0] older;
  logic [W*C-1:0] in_slot;
  logic [W*StallW-1:0] count;
  logic [W-1:0] may, has_waited, chosen;

  assign may = warp_valid_i & warp_ready_i;

  for (genvar w = 0; w < W; w++) begin : g_slot
    for (genvar s = 0; s < C; s++) begin : g_in
      assign in_slot[w*C+s] = warp_slot_i[w*SlotW+:SlotW] == SlotW'(s);
    end
  end

  hd_warp_ages u_ages (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .assign_valid_i(assign_valid_i),
    .assign_slot_i (assign_slot_i),
    .rank_o        (rank),
    .older_o       (older)
  );

  hd_warp_counts u_counts (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .valid_i  (warp_valid_i),
    .stall_i  (stall_control_i | stall_raw_i | stall_pipe_i),
    .in_slot_i(in_slot),
    .count_o  (count)
  );

  hd_warp_waits u_waits (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (warp_valid_i),
    .ready_i (warp_ready_i),
    .chosen_i(chosen),
    .long_o  (has_waited)
  );

  // ---- The schedulers ---------------------------------------------------------------------------
  for (genvar p = 0; p < Scheds; p++) begin : g_sched
    logic [S-1:0] here, ready, has_waited_here, chosen_here;
    logic [S*C-1:0] in_slot_here;
    logic [S*ClassW-1:0] classes;
    logic [S*StallW-1:0] counts;
    logic [S*PosW-1:0] order;
    logic [PosW-1:0] last, index;
    logic valid, starved, gone;

    for (genvar i = 0; i < S; i++) begin : g_warp
      localparam int Warp = i * Scheds + p;
      if (Warp < W) begin : g_there
        logic [ClassW-1:0] age;  // age rank of its TB

        always_comb begin
          age = '0;
          for (int s = 0; s < C; s++) begin
            if (in_slot[Warp*C+s]) age |= ClassW'(rank[s*SlotW+:SlotW]);
          end
        end

        assign here[i]                    = warp_valid_i[Warp];
        assign ready[i]                   = may[Warp];
        assign has_waited_here[i]         = has_waited[Warp];
        assign in_slot_here[i*C+:C]       = in_slot[Warp*C+:C];
        assign classes[i*ClassW+:ClassW]  = !here[i] ? NoTb : (one_list_i ? '0 : age);
        assign counts[i*StallW+:StallW]   = here[i] ? count[Warp*StallW+:StallW] : '0;
        assign chosen[Warp]               = chosen_here[i];
      end else begin : g_none
        assign here[i]                    = 1'b0;
        assign ready[i]                   = 1'b0;
        assign has_waited_here[i]         = 1'b0;
        assign in_slot_here[i*C+:C]       = '0;
        assign classes[i*ClassW+:ClassW]  = NoTb;
        assign counts[i*StallW+:StallW]   = '0;

        logic unused_chosen;
        assign unused_chosen = chosen_here[i];
      end
    end

    hd_warp_sort u_sort (
      .clk_i  (clk_i),
      .phase_i(phase_q),
      .class_i(classes),
      .count_i(counts),
      .order_o(order)
    );

    hd_warp_pick u_pick (
      .policy_i (policy_i),
      .may_i    (ready),
      .long_i   (has_waited_here),
      .order_i  (order_q[p*S*PosW+:S*PosW]),
      .in_slot_i(in_slot_here),
      .older_i  (older),
      .last_i   (last),
      .held_i   (held_q[p]),
      .valid_o  (valid),
      .index_o  (index),
      .chosen_o (chosen_here),
      .starved_o(starved)
    );

    assign last = last_q[p*PosW+:PosW];
    assign gone = !here[last];

    for (genvar q = 0; q < S; q++) begin : g_place
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) order_q[(p*S+q)*PosW+:PosW] <= PosW'(q);
        else if (done) order_q[(p*S+q)*PosW+:PosW] <= order[q*PosW+:PosW];
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        last_q[p*PosW+:PosW] <= PosW'(S - 1);
        held_q[p]            <= 1'b0;
      end else if (valid) begin
        last_q[p*PosW+:PosW] <= index;
        held_q[p]            <= 1'b1;
      end else if (gone) begin
        held_q[p] <= 1'b0;
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        issue_valid_q[p] <= 1'b0;
        stalled_q[p]     <= 1'b0;
        starved_q[p]     <= 1'b0;
      end else begin
        issue_valid_q[p] <= valid;
        stalled_q[p]     <= !valid && here != '0;
        starved_q[p]     <= starved;
      end
    end

    assign issue_warp_o[p*WarpW+:WarpW] =
        issue_valid_q[p] ? WarpW'({last, 1'(p)}) : '0;
  end

  assign issue_valid_o = issue_valid_q;
  assign stalled_o     = stalled_q;
  assign starved_o     = starved_q;

`ifdef HD_ASSERT_ON
  for (genvar w = 0; w < W; w++) begin : g_assert
    always_ff @(posedge clk_i) begin
      if (rst_ni) begin
        if (assign_valid_i && warp_valid_i[w])
          `HD_ASSERT_IN(a_assign, warp_slot_i[w*SlotW+:SlotW] != assign_slot_i,
            "A TB is assigned to a slot in which warps are still valid.")
        if (warp_valid_i[w]) `HD_ASSERT_IN(a_slot, 32'(warp_slot_i[w*SlotW+:SlotW]) < C,
            "A valid warp names a slot that does not exist.")
      end
    end
  end
`endif

endmodule
