// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_dats: controls the kernel with a graph, from its entry into the KD to its end: reads its
// descriptor, starts the Dependency Graph Buffer, and offers ready nodes as TBs.
//
//   kernel enters --> [kdei need ctas at] --> read --> [graph] --> start --> (dgb) --> node --> TB
//                     [older]                                                  '--> finish --> over
//
// DATS is from wireframe-micro2017 section 4.1. The descriptor in memory, and the graph's place by
// age among the kernels handed out of the SSCR, are ours.
// - One graph kernel at a time; phases idle, ask, read, start, run, over.
// - older_o: kernels that were marked when the graph's kernel entered, are marked ever since, and
//   have not rotated.
// - Latency: enter at t, req_valid_o at t+1; last beat at t, start_valid_o at t+1; finish at t,
//   over_valid_o at t+1. Rate: one TB per cycle. Outputs come from registers, except those passed
//   to and from the buffer.
// - Reset: no graph; the other registers have no reset.
// Ports: dats.csv. Model cmodel/graph/dats, tests verif/unit test_dats, page docs/graph/dats.md.
`include "common/hd_assert.svh"
module hd_dats (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  // Entry of a kernel with a graph into the KD (kmu, kd)
  input  logic                      enter_valid_i,
  input  logic                      enter_ready_i,
  input  logic [hd_pkg::KdeW-1:0]   enter_kdei_i,
  input  hd_pkg::need_t             enter_need_i,
  input  logic [hd_pkg::CtasW-1:0]  enter_ctas_i,
  input  logic [hd_pkg::ParamW-1:0] enter_param_i,
  output logic                      busy_o,
  // Order among the marked kernels (fcfs; sched)
  input  logic [hd_pkg::NumKde-1:0] marked_i,
  input  logic                      rotate_i,
  input  logic [hd_pkg::KdeW-1:0]   rotate_kdei_i,
  output logic [hd_pkg::NumKde-1:0] older_o,
  // Graph buffer (dgb)
  output logic                      start_valid_o,
  output hd_pkg::dgbstart_t         start_o,
  input  logic                      start_ready_i,
  input  logic                      finish_valid_i,
  input  hd_pkg::dgbend_t           finish_i,
  output logic                      finish_ready_o,
  input  logic                      node_valid_i,
  input  hd_pkg::dgbnode_t          node_i,
  output logic                      node_ready_o,
  output logic [hd_pkg::SmxW-1:0]   node_smx_o,
  input  logic                      wish_valid_i,
  input  logic [hd_pkg::DgbSmxW-1:0] wish_smx_i,
  // Next TB of the graph (sched)
  output logic                      graph_valid_o,
  output logic [hd_pkg::LnaW-1:0]   graph_index_o,
  output logic [hd_pkg::CtasW-1:0]  graph_cta_o,
  output logic                      graph_wants_o,
  output logic [hd_pkg::SmxW-1:0]   graph_smx_o,
  input  logic                      graph_take_i,
  input  logic [hd_pkg::SmxW-1:0]   graph_take_smx_i,
  // TBs of the graph in execution (sched)
  output logic                      run_valid_o,
  output logic [hd_pkg::KdeW-1:0]   run_kdei_o,
  output hd_pkg::need_t             run_need_o,
  // End of the graph (kd, regs)
  output logic                      over_valid_o,
  output logic [hd_pkg::KdeW-1:0]   over_kdei_o,
  output hd_pkg::dgbend_t           over_o,
  // Memory port (memarb)
  output logic                      req_valid_o,
  output hd_pkg::memreq_t           req_o,
  input  logic                      req_ready_i,
  output hd_pkg::membeat_t          wbeat_o,
  input  logic                      wbeat_take_i,
  input  logic                      b_valid_i,
  input  logic                      b_error_i,
  input  logic                      r_valid_i,
  input  hd_pkg::memdata_t          r_i
);

  localparam int NumKde = hd_pkg::NumKde;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int NeedW = hd_pkg::NeedW;
  localparam int CtasW = hd_pkg::CtasW;
  localparam int LnaW = hd_pkg::LnaW;
  localparam int SmxW = hd_pkg::SmxW;
  localparam int AddrW = hd_pkg::AddrW;
  localparam int GraphW = hd_pkg::GraphW;
  localparam int EndW = hd_pkg::DgbendW;
  localparam int GcodeW = hd_pkg::GcodeW;

  typedef enum logic [2:0] {
    Idle  = 3'd0,
    Ask   = 3'd1,
    Read  = 3'd2,
    Start = 3'd3,
    Run   = 3'd4,
    Over  = 3'd5
  } phase_e;

  localparam logic [2:0] Beats = 3'd2;              // beats of the descriptor, minus one
  localparam logic [31:0] MostEdges = 32'hffff_fff8;

  phase_e phase_q;
  logic [KdeW-1:0] kdei_q;
  hd_pkg::need_t need_q;
  logic [CtasW-1:0] ctas_q;
  logic [GraphW-1:0] at_q;
  logic [NumKde-1:0] older_q;
  logic [1:0] beat_q;
  logic [AddrW-1:0] nodes_q, edges_q, ids_q, early_q;
  logic [15:0] node_count_q, bound_q;
  logic [31:0] edge_count_q;
  logic [hd_pkg::GpolicyW-1:0] policy_q;
  logic wrong_q, error_q;
  logic [GcodeW-1:0] code_q;
  logic [15:0] vid_q;

  logic enter, reads, run;

  assign enter = enter_valid_i && enter_ready_i;
  assign reads = phase_q == Read && r_valid_i;
  assign run   = phase_q == Run;

  // ---- The descriptor --------------------------------------------------------------------------
  logic wrong_addr, wrong_size, wrong, error;

  assign wrong_addr = r_i.lo[6:0] != '0 || r_i.hi[6:0] != '0
      || r_i.lo[63:AddrW] != '0 || r_i.hi[63:AddrW] != '0;
  assign wrong_size = {16'b0, r_i.lo[15:0]} != ctas_q || r_i.lo[39:32] > 8'(hd_pkg::GpolicyLvlBind)
      || r_i.lo[63:40] != '0 || r_i.hi[31:0] > MostEdges || r_i.hi[63:32] != '0;
  assign wrong      = wrong_q || (beat_q == 2'd2 ? wrong_size : wrong_addr);
  assign error      = error_q || r_i.error;

  always_ff @(posedge clk_i) begin
    if (enter) begin
      beat_q       <= '0;
      wrong_q      <= 1'b0;
      error_q      <= 1'b0;
      nodes_q      <= '0;
      edges_q      <= '0;
      ids_q        <= '0;
      early_q      <= '0;
      node_count_q <= '0;
      edge_count_q <= '0;
      policy_q     <= '0;
      bound_q      <= '0;
    end else if (reads) begin
      beat_q  <= beat_q + 2'd1;
      wrong_q <= wrong;
      error_q <= error;
      case (beat_q)
        2'd0: begin
          nodes_q <= r_i.lo[AddrW-1:0];
          edges_q <= r_i.hi[AddrW-1:0];
        end
        2'd1: begin
          ids_q   <= r_i.lo[AddrW-1:0];
          early_q <= r_i.hi[AddrW-1:0];
        end
        default: begin
          node_count_q <= r_i.lo[15:0];
          bound_q      <= r_i.lo[31:16];
          policy_q     <= r_i.lo[32+:hd_pkg::GpolicyW];
          edge_count_q <= r_i.hi[31:0];
        end
      endcase
    end
  end

  hd_pkg::dgbstart_t graph;

  assign graph = {nodes_q, edges_q, ids_q, early_q, node_count_q, edge_count_q, policy_q, bound_q};

  // ---- Phases -----------------------------------------------------------------------------------
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) phase_q <= Idle;
    else begin
      case (phase_q)
        Idle: if (enter) phase_q <= Ask;
        Ask: if (req_ready_i) phase_q <= Read;
        Read: if (r_valid_i && r_i.last) phase_q <= (error || wrong) ? Over : Start;
        Start: if (start_ready_i) phase_q <= Run;
        Run: if (finish_valid_i) phase_q <= Over;
        default: phase_q <= Idle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (enter) begin
      code_q <= '0;
      vid_q  <= '0;
    end else if (reads && r_i.last && (error || wrong)) begin
      code_q <= error ? hd_pkg::GcodeMemory : hd_pkg::GcodeGraph;
    end else if (run && finish_valid_i) begin
      code_q <= finish_i.code;
      vid_q  <= finish_i.vid;
    end
  end

  // ---- The kernel, and the older kernels -------------------------------------------------------
  logic [NumKde-1:0] rotated;

  assign rotated = {{NumKde - 1{1'b0}}, rotate_i} << rotate_kdei_i;

  always_ff @(posedge clk_i) begin
    if (enter) begin
      kdei_q  <= enter_kdei_i;
      need_q  <= enter_need_i;
      ctas_q  <= enter_ctas_i;
      at_q    <= GraphW'(enter_param_i >> 6);
      older_q <= marked_i & ~rotated;
    end else if (phase_q != Idle) begin
      older_q <= older_q & marked_i & ~rotated;
    end
  end

  // ---- Outputs ----------------------------------------------------------------------------------
  logic wants;
  hd_pkg::memreq_t req;

  assign busy_o  = phase_q != Idle;
  assign older_o = older_q & {NumKde{busy_o}};

  assign start_valid_o  = phase_q == Start;
  assign start_o        = start_valid_o ? graph : '0;
  assign finish_ready_o = run;
  assign node_ready_o   = graph_take_i;
  assign node_smx_o     = graph_take_smx_i;

  assign graph_valid_o = run && node_valid_i;
  assign graph_index_o = node_i.index & {LnaW{graph_valid_o}};
  assign graph_cta_o   = {{CtasW - 16{1'b0}}, node_i.cta & {16{graph_valid_o}}};

  // timing: the preferred SMX does not wait for node_valid_i, which arrives late.
  assign wants         = run && wish_valid_i && policy_q == hd_pkg::GpolicyLvlBind
      && 32'(wish_smx_i) < hd_pkg::NumSmx;
  assign graph_wants_o = wants;
  assign graph_smx_o   = wish_smx_i[SmxW-1:0] & {SmxW{wants}};

  assign run_valid_o = run;
  assign run_kdei_o  = kdei_q & {KdeW{run}};
  assign run_need_o  = need_q & {NeedW{run}};

  assign over_valid_o = phase_q == Over;
  assign over_kdei_o  = kdei_q & {KdeW{over_valid_o}};
  assign over_o       = {code_q, vid_q} & {EndW{over_valid_o}};

  assign req.write   = 1'b0;
  assign req.addr    = {at_q, 6'b0};
  assign req.len     = Beats;
  assign req_valid_o = phase_q == Ask;
  assign req_o       = req_valid_o ? req : '0;
  assign wbeat_o     = '0;

  logic unused_bits;
  assign unused_bits = &{1'b0, enter_param_i, node_i, wbeat_take_i, b_valid_i, b_error_i};

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (enter_valid_i) `HD_ASSERT_IN(a_enter, !busy_o,
          "A graph kernel enters while dats still has another one.")
      if (graph_take_i) `HD_ASSERT_IN(a_take, graph_valid_o,
          "The scheduler takes a TB of the graph that dats does not offer.")
      `HD_ASSERT_IN(a_buffer, run || (!node_valid_i && !wish_valid_i && !finish_valid_i),
          "The buffer offers or announces a node, or finishes, while no graph runs.")
      `HD_ASSERT_IN(a_next, wish_valid_i || !node_valid_i,
          "The buffer offers a node without announcing it as the next one.")
      if (r_valid_i) `HD_ASSERT_IN(a_beat, phase_q == Read && r_i.last == (beat_q == 2'd2),
          "A read beat arrives unexpectedly, or last is not at the third beat of the descriptor.")
      `HD_ASSERT_IN(a_write, !b_valid_i && !wbeat_take_i,
          "dats never writes, but the port accepts a write beat or answers a write.")
    end
  end

  // Rare: errors in the descriptor; an older kernel rotates.
  `HD_COVER(c_wrong, reads && r_i.last && wrong && !error)
  `HD_COVER(c_error, reads && r_i.last && error)
  `HD_COVER(c_rotated, busy_o && (older_q & rotated) != '0)
`endif

endmodule
