// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_graph: kernels whose TBs depend on each other: reads the graph and offers the TBs that are
// ready.
//
//   u_dats: the kernel with the graph, from its entry to its end
//   u_dgb: the dependency graph buffer
//
// - Contains only wiring, made from the tables by `python3 rtl/hdgen rtl`; latencies and rates are
//   those of the blocks. A port has the name of its wire: the driving block's name, then the
//   output's; or that of the plane's pin without _i or _o.
// Part of hd_top, whose tests cover it. Page docs/graph/graph.md.
module hd_graph (
  input  logic                                   clk_i,
  input  logic                                   rst_ni,
  // From u_host
  input  hd_pkg::entry_t                         kd_entry,
  input  hd_pkg::offer_t                         kmu_offer,
  input  logic [hd_pkg::NumKde-1:0]              fcfs_marked,
  // From u_dispatch
  input  hd_pkg::grant_t                         sched_grant,
  input  hd_pkg::entry_t                         sched_sscr,
  input  logic                                   sched_graph_take,
  input  logic                                   sched_give_way,
  input  logic [hd_pkg::NumSmx-1:0]              sched_node_done,
  input  logic [hd_pkg::NumSmx*hd_pkg::LnaW-1:0] sched_node_place,
  // From u_service
  input  hd_pkg::memdown_t                       memarb_dats,
  input  hd_pkg::memdown_t                       memarb_dgb,
  // Driven by u_dats
  output logic                                   dats_busy,
  output logic [hd_pkg::NumKde-1:0]              dats_older,
  output hd_pkg::graphtb_t                       dats_tb,
  output hd_pkg::run_t                           dats_run,
  output hd_pkg::over_t                          dats_over,
  output hd_pkg::memup_t                         dats_mem,
  // Driven by u_dgb
  output hd_pkg::dgbev_t                         dgb_events,
  output hd_pkg::memup_t                         dgb_mem
);

  logic dats_start_valid, dats_finish_ready, dats_node_ready, dgb_start_ready, dgb_finish_valid,
    dgb_node_valid;
  hd_pkg::dgbstart_t dats_start;
  logic [hd_pkg::SmxW-1:0] dats_node_smx;
  hd_pkg::dgbend_t dgb_finish;
  hd_pkg::dgbnode_t dgb_node;
  hd_pkg::wish_t dgb_wish;

  if (hd_pkg::HasGraph != 0) begin : g_dats
    hd_dats u_dats (
      .clk_i             (clk_i),
      .rst_ni            (rst_ni),
      .kd_entry_i        (kd_entry),
      .kmu_offer_i       (kmu_offer),
      .busy_o            (dats_busy),
      .fcfs_marked_i     (fcfs_marked),
      .sched_give_way_i  (sched_give_way),
      .sched_sscr_i      (sched_sscr),
      .older_o           (dats_older),
      .start_valid_o     (dats_start_valid),
      .start_o           (dats_start),
      .dgb_start_ready_i (dgb_start_ready),
      .dgb_finish_valid_i(dgb_finish_valid),
      .dgb_finish_i      (dgb_finish),
      .finish_ready_o    (dats_finish_ready),
      .dgb_node_valid_i  (dgb_node_valid),
      .dgb_node_i        (dgb_node),
      .node_ready_o      (dats_node_ready),
      .node_smx_o        (dats_node_smx),
      .dgb_wish_i        (dgb_wish),
      .tb_o              (dats_tb),
      .sched_graph_take_i(sched_graph_take),
      .sched_grant_i     (sched_grant),
      .run_o             (dats_run),
      .over_o            (dats_over),
      .mem_o             (dats_mem),
      .mem_i             (memarb_dats)
    );
  end else begin : g_no_dats
    assign dats_busy = '0;
    assign dats_older = '0;
    assign dats_start_valid = '0;
    assign dats_start = '0;
    assign dats_finish_ready = '0;
    assign dats_node_ready = '0;
    assign dats_node_smx = '0;
    assign dats_tb = '0;
    assign dats_run = '0;
    assign dats_over = '0;
    assign dats_mem = '0;
  end

  if (hd_pkg::HasGraph != 0) begin : g_dgb
    hd_dgb u_dgb (
      .clk_i              (clk_i),
      .rst_ni             (rst_ni),
      .dats_start_valid_i (dats_start_valid),
      .dats_start_i       (dats_start),
      .start_ready_o      (dgb_start_ready),
      .finish_valid_o     (dgb_finish_valid),
      .finish_o           (dgb_finish),
      .dats_finish_ready_i(dats_finish_ready),
      .node_valid_o       (dgb_node_valid),
      .node_o             (dgb_node),
      .dats_node_ready_i  (dats_node_ready),
      .dats_node_smx_i    (dats_node_smx),
      .wish_o             (dgb_wish),
      .sched_node_done_i  (sched_node_done),
      .sched_node_place_i (sched_node_place),
      .events_o           (dgb_events),
      .mem_o              (dgb_mem),
      .mem_i              (memarb_dgb)
    );
  end else begin : g_no_dgb
    assign dgb_start_ready = '0;
    assign dgb_finish_valid = '0;
    assign dgb_finish = '0;
    assign dgb_node_valid = '0;
    assign dgb_node = '0;
    assign dgb_wish = '0;
    assign dgb_events = '0;
    assign dgb_mem = '0;
  end

endmodule
