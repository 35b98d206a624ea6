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
// - Latency: enter at t, mem_o.valid at t+1; last beat at t, start_valid_o at t+1; finish at t,
//   over_o.valid at t+1. Rate: one TB per cycle. Outputs come from registers, except those passed
//   to and from the buffer.
// - Reset: no graph; the other registers have no reset.
// Ports: dats.csv. Model cmodel/graph/dats, tests verif/unit test_dats, page docs/graph/dats.md.
`include "common/hd_assert.svh"
module hd_dats (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  // Entry of a kernel with a graph into the KD (kmu, kd)
  input  hd_pkg::entry_t            kd_entry_i,
  input  hd_pkg::offer_t            kmu_offer_i,
  output logic                      busy_o,
  // Order among the marked kernels (fcfs; sched)
  input  logic [hd_pkg::NumKde-1:0] fcfs_marked_i,
  input  logic                      sched_give_way_i,
  input  hd_pkg::entry_t            sched_sscr_i,
  output logic [hd_pkg::NumKde-1:0] older_o,
  // Graph buffer (dgb)
  output logic                      start_valid_o,
  output hd_pkg::dgbstart_t         start_o,
  input  logic                      dgb_start_ready_i,
  input  logic                      dgb_finish_valid_i,
  input  hd_pkg::dgbend_t           dgb_finish_i,
  output logic                      finish_ready_o,
  input  logic                      dgb_node_valid_i,
  input  hd_pkg::dgbnode_t          dgb_node_i,
  output logic                      node_ready_o,
  output logic [hd_pkg::SmxW-1:0]   node_smx_o,
  input  hd_pkg::wish_t             dgb_wish_i,
  // Next TB of the graph (sched)
  output hd_pkg::graphtb_t          tb_o,
  input  logic                      sched_graph_take_i,
  input  hd_pkg::grant_t            sched_grant_i,
  // TBs of the graph in execution (sched)
  output hd_pkg::run_t              run_o,
  // End of the graph (kd, regs)
  output hd_pkg::over_t             over_o,
  // Memory port (memarb)
  output hd_pkg::memup_t            mem_o,
  input  hd_pkg::memdown_t          mem_i
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

  assign enter = kd_entry_i.valid && kmu_offer_i.kernel.graph;
  assign reads = phase_q == Read && mem_i.r_valid;
  assign run   = phase_q == Run;

  // ---- The descriptor --------------------------------------------------------------------------
  logic wrong_addr, wrong_size, wrong, error;

  assign wrong_addr = mem_i.r.lo[6:0] != '0 || mem_i.r.hi[6:0] != '0
      || mem_i.r.lo[63:AddrW] != '0 || mem_i.r.hi[63:AddrW] != '0;
  assign wrong_size = {16'b0, mem_i.r.lo[15:0]} != ctas_q
      || mem_i.r.lo[39:32] > 8'(hd_pkg::GpolicyLvlBind) || mem_i.r.lo[63:40] != '0
      || mem_i.r.hi[31:0] > MostEdges || mem_i.r.hi[63:32] != '0;
  assign wrong = wrong_q || (beat_q == 2'd2 ? wrong_size : wrong_addr);
  assign error = error_q || mem_i.r.error;

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
          nodes_q <= mem_i.r.lo[AddrW-1:0];
          edges_q <= mem_i.r.hi[AddrW-1:0];
        end
        2'd1: begin
          ids_q   <= mem_i.r.lo[AddrW-1:0];
          early_q <= mem_i.r.hi[AddrW-1:0];
        end
        default: begin
          node_count_q <= mem_i.r.lo[15:0];
          bound_q      <= mem_i.r.lo[31:16];
          policy_q     <= mem_i.r.lo[32+:hd_pkg::GpolicyW];
          edge_count_q <= mem_i.r.hi[31:0];
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
        Ask: if (mem_i.ready) phase_q <= Read;
        Read: if (mem_i.r_valid && mem_i.r.last) phase_q <= (error || wrong) ? Over : Start;
        Start: if (dgb_start_ready_i) phase_q <= Run;
        Run: if (dgb_finish_valid_i) phase_q <= Over;
        default: phase_q <= Idle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (enter) begin
      code_q <= '0;
      vid_q  <= '0;
    end else if (reads && mem_i.r.last && (error || wrong)) begin
      code_q <= error ? hd_pkg::GcodeMemory : hd_pkg::GcodeGraph;
    end else if (run && dgb_finish_valid_i) begin
      code_q <= dgb_finish_i.code;
      vid_q  <= dgb_finish_i.vid;
    end
  end

  // ---- The kernel, and the older kernels -------------------------------------------------------
  logic [NumKde-1:0] rotated;

  assign rotated = {{NumKde - 1{1'b0}}, sched_give_way_i} << sched_sscr_i.kdei;

  always_ff @(posedge clk_i) begin
    if (enter) begin
      kdei_q  <= kd_entry_i.kdei;
      need_q  <= kmu_offer_i.kernel.need;
      ctas_q  <= kmu_offer_i.kernel.ctas;
      at_q    <= GraphW'(kmu_offer_i.kernel.desc.param >> 6);
      older_q <= fcfs_marked_i & ~rotated;
    end else if (phase_q != Idle) begin
      older_q <= older_q & fcfs_marked_i & ~rotated;
    end
  end

  // ---- Outputs ----------------------------------------------------------------------------------
  logic offers, ends;
  logic wants;
  hd_pkg::memreq_t req;

  assign busy_o  = phase_q != Idle;
  assign older_o = older_q & {NumKde{busy_o}};

  assign start_valid_o  = phase_q == Start;
  assign start_o        = start_valid_o ? graph : '0;
  assign finish_ready_o = run;
  assign node_ready_o   = sched_graph_take_i;
  assign node_smx_o     = sched_grant_i.smx;

  assign offers     = run && dgb_node_valid_i;
  assign tb_o.valid = offers;
  assign tb_o.index = dgb_node_i.index & {LnaW{offers}};
  assign tb_o.cta   = {{CtasW - 16{1'b0}}, dgb_node_i.cta & {16{offers}}};

  // timing: the preferred SMX does not wait for dgb_node_valid_i, which arrives late.
  assign wants = run && dgb_wish_i.valid && policy_q == hd_pkg::GpolicyLvlBind
      && 32'(dgb_wish_i.smx) < hd_pkg::NumSmx;
  assign tb_o.wants = wants;
  assign tb_o.smx   = dgb_wish_i.smx[SmxW-1:0] & {SmxW{wants}};

  assign run_o.valid = run;
  assign run_o.kdei  = kdei_q & {KdeW{run}};
  assign run_o.need  = need_q & {NeedW{run}};

  assign ends          = phase_q == Over;
  assign over_o.valid  = ends;
  assign over_o.kdei   = kdei_q & {KdeW{ends}};
  assign over_o.result = {code_q, vid_q} & {EndW{ends}};

  assign req.write   = 1'b0;
  assign req.addr    = {at_q, 6'b0};
  assign req.len     = Beats;
  assign mem_o.valid = phase_q == Ask;
  assign mem_o.req   = phase_q == Ask ? req : '0;
  assign mem_o.wbeat = '0;

  logic unused_bits;
  assign unused_bits = &{1'b0, kmu_offer_i.kernel.desc.param, dgb_node_i, mem_i.take,
      mem_i.b_valid, mem_i.b_error};

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (enter) `HD_ASSERT_IN(a_enter, !busy_o,
          "A graph kernel enters while dats still has another one.")
      if (sched_graph_take_i) `HD_ASSERT_IN(a_take, tb_o.valid,
          "The scheduler takes a TB of the graph that dats does not offer.")
      `HD_ASSERT_IN(a_buffer, run
          || (!dgb_node_valid_i && !dgb_wish_i.valid && !dgb_finish_valid_i),
          "The buffer offers or announces a node, or finishes, while no graph runs.")
      `HD_ASSERT_IN(a_next, dgb_wish_i.valid || !dgb_node_valid_i,
          "The buffer offers a node without announcing it as the next one.")
      if (mem_i.r_valid) `HD_ASSERT_IN(a_beat, phase_q == Read && mem_i.r.last == (beat_q == 2'd2),
          "A read beat arrives unexpectedly, or last is not at the third beat of the descriptor.")
      `HD_ASSERT_IN(a_write, !mem_i.b_valid && !mem_i.take,
          "dats never writes, but the port accepts a write beat or answers a write.")
    end
  end

  // Rare: errors in the descriptor; an older kernel rotates.
  `HD_COVER(c_wrong, reads && mem_i.r.last && wrong && !error)
  `HD_COVER(c_error, reads && mem_i.r.last && error)
  `HD_COVER(c_rotated, busy_o && (older_q & rotated) != '0)
`endif

endmodule
