// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_dgb_phase: the phase of a graph (idle, run, stop, end), its first error, and detection of
// stuck graphs.
//
//   start --> Run --error--> Stop --TBs and bursts done--> End --> finish
//              '-------------over--------------------------^
//
// Ours: the paper does not define what happens to a bad graph.
// - The first error is reported; of several in one cycle, the one with the lowest code.
// - Stuck: for DgbQuiet cycles no TB runs, no burst is in flight, and nothing moves.
// - Latency: one cycle. Outputs come from registers.
// - Reset: Idle.
// Part of hd_dgb, whose tests cover it.
`include "common/hd_assert.svh"
module hd_dgb_phase (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // Start and end
  input  logic                        init_i,
  output logic                        run_o,
  output logic                        start_ready_o,
  output logic                        finish_valid_o,
  output hd_pkg::dgbend_t             finish_o,
  input  logic                        finish_ready_i,
  // TBs, progress
  input  logic                        hand_i,
  input  logic [hd_pkg::NumSmx-1:0]   done_valid_i,
  input  logic                        over_i,
  input  logic                        mem_idle_i,
  input  logic                        moves_i,
  // Errors, and where
  input  logic [15:0]                 tail_i,
  input  logic [15:0]                 head_i,
  input  logic [15:0]                 here_i,
  input  logic [15:0]                 told_vid_i,
  input  logic [15:0]                 node_vid_i,
  input  logic [hd_pkg::GreadW-1:0]   kind_i,
  input  logic                        r_error_i,
  input  logic                        b_error_i,
  input  logic [1:0]                  bad_start_i,
  input  logic [1:0]                  bad_level_i,
  input  logic                        bad_edge_i,
  input  logic                        below_hit_i,
  input  logic                        below_take_i,
  input  logic                        below_early_i
);

  localparam int CountW = hd_pkg::LnaCountW;
  localparam int QuietW = hd_pkg::DgbQuietW;

  typedef enum logic [1:0] {
    Idle = 2'd0,
    Run  = 2'd1,
    Stop = 2'd2,
    End  = 2'd3
  } phase_e;

  phase_e phase_q;
  logic run, moves, stuck, below, error;
  hd_pkg::gcode_e finish_code_q, code;
  logic [15:0] finish_vid_q, vid;
  logic [CountW-1:0] running_q, done_count;
  logic [QuietW-1:0] quiet_q;

  assign run = phase_q == Run;

  // ---- Progress ---------------------------------------------------------------------------------
  always_comb begin
    done_count = '0;
    if (done_valid_i != '0) begin
      for (int s = 0; s < hd_pkg::NumSmx; s++) done_count += CountW'(done_valid_i[s]);
    end
  end

  assign moves = running_q != '0 || !mem_idle_i || moves_i;
  assign stuck = run && !moves && quiet_q == QuietW'(hd_pkg::DgbQuiet - 1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_q <= '0;
      quiet_q   <= '0;
    end else if (init_i) begin
      running_q <= '0;
      quiet_q   <= '0;
    end else begin
      running_q <= running_q + CountW'(hand_i) - done_count;
      if (run && moves) quiet_q <= '0;
      else if (run && !stuck) quiet_q <= quiet_q + QuietW'(1);
    end
  end

  // ---- Errors -----------------------------------------------------------------------------------
  assign below = below_hit_i || below_take_i || below_early_i;
  assign error = r_error_i || b_error_i || bad_start_i != '0 || bad_level_i != '0 || bad_edge_i
      || below || stuck;

  always_comb begin
    code = hd_pkg::GcodeStuck;
    vid  = tail_i;
    if (r_error_i || b_error_i) begin
      code = hd_pkg::GcodeMemory;
      if (r_error_i && kind_i != hd_pkg::GreadEdges && kind_i != hd_pkg::GreadUpdate) vid = here_i;
    end else if (bad_start_i != '0) begin
      code = hd_pkg::GcodeStarts;
      vid  = node_vid_i | 16'(!bad_start_i[0]);
    end else if (bad_level_i != '0) begin
      code = hd_pkg::GcodeLevel;
      vid  = node_vid_i | 16'(!bad_level_i[0]);
    end else if (bad_edge_i) begin
      code = hd_pkg::GcodeEdge;
      vid  = told_vid_i;
    end else if (below) begin
      code = hd_pkg::GcodeCount;
      vid  = below_hit_i ? told_vid_i : below_take_i ? head_i - 16'd1 : here_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q       <= Idle;
      finish_code_q <= hd_pkg::GcodeFine;
      finish_vid_q  <= '0;
    end else begin
      case (phase_q)
        Idle: begin
          if (init_i) begin
            phase_q       <= Run;
            finish_code_q <= hd_pkg::GcodeFine;
            finish_vid_q  <= '0;
          end
        end
        Run: begin
          if (error) begin
            phase_q       <= Stop;
            finish_code_q <= code;
            finish_vid_q  <= vid;
          end else if (over_i) begin
            phase_q <= End;
          end
        end
        Stop:    if (running_q == '0 && mem_idle_i) phase_q <= End;
        default: if (finish_ready_i) phase_q <= Idle;
      endcase
    end
  end

  // ---- Outputs ----------------------------------------------------------------------------------
  assign run_o          = run;
  assign start_ready_o  = phase_q == Idle;
  assign finish_valid_o = phase_q == End;

  always_comb begin
    finish_o = '0;
    if (finish_valid_o) begin
      finish_o.code = finish_code_q;
      finish_o.vid  = finish_vid_q;
    end
  end

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT_IN(a_running, running_q >= done_count,
          "More TBs are reported done than are running.")
      if (run && over_i && !error) `HD_ASSERT_IN(a_over, running_q == '0,
          "The graph is over without an error while TBs still run.")
      if (hand_i) `HD_ASSERT_IN(a_hand, run, "A node is handed out while no graph runs.")
    end
  end

  // Rare: stuck; an error while TBs run; several TBs done at once.
  `HD_COVER(c_stuck, stuck)
  `HD_COVER(c_stop_waits, phase_q == Stop && running_q != '0)
  `HD_COVER(c_done, done_count > CountW'(1))
`endif

endmodule
