// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_dgb: the Dependency Graph Buffer: a sliding window over a graph of thread blocks in memory,
// which finds the nodes that may run.
//
//   start --> [u_mem: bursts] <--> memory port
//                  |
//               [u_load] --here, head--> [u_nodes: places] --ready--> [u_pick] --> node
//                  |                        ^                                       |
//               [u_pub] <- not loaded - [u_walk: children] <-- done <-- (SMXs) <----'
//
// From wireframe-micro2017 section 4.2. Early updates in memory when the PUB is full, nodes with
// more edges than the LEA holds, several children per cycle and reports of bad graphs are ours.
// - A graph runs from start to finish; one at a time.
// - tail moves past nodes that are done and whose children have been updated.
// - The first error stops the graph: no new TB is offered, and finish comes when the TBs already
//   handed out and all bursts are complete. A graph in which nothing moves for DgbQuiet cycles
//   stops as well.
// - Latency: done at t, a child that waited for it alone is offered at t+4; start at t, first
//   request at t+2. Rate per cycle: one node out, one in, and one completion per SMX. Outputs come
//   from registers and RAMs.
// - Reset: no graph.
// Ports: dgb.csv. Model cmodel/graph/dgb, tests test_dgb, page docs/graph/dgb.md.
`include "common/hd_assert.svh"
module hd_dgb (
  input  logic                                   clk_i,
  input  logic                                   rst_ni,
  // Start of a graph
  input  logic                                   dats_start_valid_i,
  input  hd_pkg::dgbstart_t                      dats_start_i,
  output logic                                   start_ready_o,
  // End of a graph
  output logic                                   finish_valid_o,
  output hd_pkg::dgbend_t                        finish_o,
  input  logic                                   dats_finish_ready_i,
  // Next node (dats)
  output logic                                   node_valid_o,
  output hd_pkg::dgbnode_t                       node_o,
  input  logic                                   dats_node_ready_i,
  input  logic [hd_pkg::SmxW-1:0]                dats_node_smx_i,
  output hd_pkg::wish_t                          wish_o,
  // Completed TBs
  input  logic [hd_pkg::NumSmx-1:0]              sched_node_done_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::LnaW-1:0] sched_node_place_i,
  // Events for the counters
  output hd_pkg::dgbev_t                         events_o,
  // Memory port (memarb)
  output hd_pkg::memup_t                         mem_o,
  input  hd_pkg::memdown_t                       mem_i
);

  localparam int LnaW = hd_pkg::LnaW;
  localparam int Lanes = hd_pkg::ChildLanes;
  localparam int NumSmx = hd_pkg::NumSmx;

  hd_pkg::dgbstart_t start_q;
  logic [15:0] tail, edge_tail, node_count;
  logic init, run;

  assign init       = dats_start_valid_i && start_ready_o;
  assign node_count = start_q.node_count;

  // ---- Memory -----------------------------------------------------------------------------------
  logic [15:0] here, ask, other;
  logic [Lanes*16-1:0] child;
  logic [Lanes-1:0] merge_ok;
  logic merge, mem_idle, settled;
  logic [hd_pkg::GreadW-1:0] kind;
  logic [2:0] beat;

  hd_dgb_mem u_mem (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .init_i       (init),
    .run_i        (run),
    .start_i      (start_q),
    .tail_i       (tail),
    .edge_tail_i  (edge_tail),
    .here_i       (here),
    .ask_o        (ask),
    .child_i      (child),
    .merge_ok_o   (merge_ok),
    .merge_vid_i  (other),
    .merge_i      (merge),
    .early_event_o(events_o.early),
    .kind_o       (kind),
    .beat_o       (beat),
    .idle_o       (mem_idle),
    .settled_o    (settled),
    .mem_o        (mem_o),
    .mem_i        (mem_i)
  );

  // ---- Loaded nodes ----------------------------------------------------------------------------
  logic [127:0] beat_data;
  logic [1:0] node_we, node_step, bad_start, bad_level;
  logic [LnaW-2:0] node_row;
  logic ids, early, lea_we, look_valid, insert, big, take, tail_move;
  logic [hd_pkg::DgbLanes-1:0] lane_we;
  logic [LnaW-1:0] lane_place, look_place, take_place;
  logic [16*hd_pkg::DgbLanes-1:0] lane_value;
  logic [12:0] rows_here;
  logic [15:0] look_start, head, head_next, big_vid, node_vid, last_level;
  logic [hd_pkg::PubCountW-1:0] pub_count, take_count;

  assign beat_data = {mem_i.r.hi, mem_i.r.lo};
  hd_dgb_load u_load (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .init_i      (init),
    .run_i       (run),
    .node_count_i(node_count),
    .edge_count_i(start_q.edge_count),
    .edge_tail_i (edge_tail),
    .tail_move_i (tail_move),
    .tail_i      (tail),
    .r_valid_i   (mem_i.r_valid),
    .r_i         (mem_i.r),
    .kind_i      (kind),
    .beat_i      (beat),
    .node_we_o   (node_we),
    .node_row_o  (node_row),
    .node_step_o (node_step),
    .last_level_o(last_level),
    .ids_o       (ids),
    .early_o     (early),
    .lane_we_o   (lane_we),
    .lane_place_o(lane_place),
    .lane_value_o(lane_value),
    .lea_we_o    (lea_we),
    .rows_here_o (rows_here),
    .here_o      (here),
    .look_place_o(look_place),
    .look_start_i(look_start),
    .look_valid_o(look_valid),
    .insert_o    (insert),
    .head_o      (head),
    .head_next_o (head_next),
    .big_o       (big),
    .big_vid_o   (big_vid),
    .big_event_o (events_o.big),
    .pub_count_i (pub_count),
    .take_valid_o(take),
    .take_place_o(take_place),
    .take_count_o(take_count),
    .bad_start_o (bad_start),
    .bad_level_o (bad_level),
    .node_vid_o  (node_vid)
  );

  logic push, pub_full, done_kept;
  hd_dgb_pub u_pub (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .init_i    (init),
    .push_i    (push),
    .push_vid_i(other),
    .full_o    (pub_full),
    .event_o   (events_o.pub),
    .look_i    (look_valid),
    .insert_i  (insert),
    .head_i    (head),
    .next_i    (head_next),
    .count_o   (pub_count)
  );

  // ---- Places, children, the next node ----------------------------------------------------------
  logic hand, told, below_hit, below_take, below_early, free_valid, bad_edge, step, walk_some;
  logic [NumSmx-1:0] done;
  logic [hd_pkg::Lna-1:0] pick, finished, walk_lowest, walk_group;
  logic [Lanes-1:0] hit;
  logic [Lanes*3-1:0] hit_times;
  logic [Lanes*LnaW-1:0] hit_place;
  logic [hd_pkg::DgbSmxW-1:0] hit_smx, walk_smx;
  logic [15:0] walk_start, walk_behind, free_edge, told_vid;
  logic [LnaW-1:0] walk_place, walk_straight;

  assign hand = node_valid_o && dats_node_ready_i;
  assign done = run ? sched_node_done_i : '0;

  hd_dgb_window u_window (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .init_i        (init),
    .run_i         (run),
    .graph_i       (start_q),
    .bound_i       (dats_start_i.bound),
    .tail_o        (tail),
    .edge_tail_o   (edge_tail),
    .tail_move_o   (tail_move),
    .head_i        (head),
    .here_i        (here),
    .free_valid_i  (free_valid),
    .free_edge_i   (free_edge),
    .node_we_i     (node_we),
    .node_row_i    (node_row),
    .node_step_i   (node_step),
    .last_level_i  (last_level),
    .beat_data_i   (beat_data),
    .ids_i         (ids),
    .early_i       (early),
    .lane_we_i     (lane_we),
    .lane_place_i  (lane_place),
    .lane_value_i  (lane_value),
    .insert_i      (insert),
    .take_i        (take),
    .take_place_i  (take_place),
    .take_count_i  (take_count),
    .node_valid_o  (node_valid_o),
    .node_o        (node_o),
    .wish_valid_o  (wish_o.valid),
    .wish_smx_o    (wish_o.smx),
    .hand_i        (hand),
    .node_smx_i    (dats_node_smx_i),
    .done_valid_i  (done),
    .done_index_i  (sched_node_place_i),
    .done_kept_i   (done_kept),
    .pick_i        (pick),
    .told_i        (told),
    .told_place_i  (told_vid[LnaW-1:0]),
    .finished_o    (finished),
    .hit_i         (hit),
    .hit_times_i   (hit_times),
    .hit_place_i   (hit_place),
    .hit_smx_i     (hit_smx),
    .below_hit_o   (below_hit),
    .below_take_o  (below_take),
    .below_early_o (below_early),
    .look_place_i  (look_place),
    .look_start_o  (look_start),
    .walk_some_i   (walk_some),
    .walk_lowest_i (walk_lowest),
    .walk_group_i  (walk_group),
    .walk_straight_i(walk_straight),
    .walk_place_i  (walk_place),
    .walk_start_o  (walk_start),
    .walk_behind_o (walk_behind),
    .walk_smx_o    (walk_smx)
  );

  hd_dgb_walk u_walk (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .init_i       (init),
    .run_i        (run),
    .node_count_i (node_count),
    .edge_count_i (start_q.edge_count[15:0]),
    .tail_i       (tail),
    .head_i       (head),
    .insert_i     (insert),
    .here_i       (here),
    .ask_i        (ask),
    .big_i        (big),
    .big_vid_i    (big_vid),
    .finished_i   (finished),
    .done_valid_i (done),
    .done_index_i (sched_node_place_i),
    .done_kept_o  (done_kept),
    .pick_o       (pick),
    .walk_some_o  (walk_some),
    .walk_lowest_o(walk_lowest),
    .walk_group_o (walk_group),
    .walk_straight_o(walk_straight),
    .walk_place_o (walk_place),
    .walk_start_i (walk_start),
    .walk_behind_i(walk_behind),
    .walk_smx_i   (walk_smx),
    .lea_we_i     (lea_we),
    .lea_data_i   (beat_data),
    .rows_here_i  (rows_here),
    .free_valid_o (free_valid),
    .free_edge_o  (free_edge),
    .hit_o        (hit),
    .hit_times_o  (hit_times),
    .hit_place_o  (hit_place),
    .hit_smx_o    (hit_smx),
    .vid_o        (told_vid),
    .bad_o        (bad_edge),
    .told_o       (told),
    .step_o       (step),
    .child_o      (child),
    .merge_ok_i   (merge_ok),
    .pub_full_i   (pub_full),
    .other_o      (other),
    .push_o       (push),
    .merge_o      (merge)
  );

  // ---- Start, progress, errors, end -------------------------------------------------------------
  hd_dgb_phase u_phase (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .init_i        (init),
    .run_o         (run),
    .start_ready_o (start_ready_o),
    .finish_valid_o(finish_valid_o),
    .finish_o      (finish_o),
    .finish_ready_i(dats_finish_ready_i),
    .hand_i        (hand),
    .done_valid_i  (sched_node_done_i),
    .over_i        (tail == node_count && mem_idle && settled),
    .mem_idle_i    (mem_idle),
    .moves_i       (node_valid_o || insert || tail_move || step),
    .tail_i        (tail),
    .head_i        (head),
    .here_i        (here),
    .told_vid_i    (told_vid),
    .node_vid_i    (node_vid),
    .kind_i        (kind),
    .r_error_i     (mem_i.r_valid && mem_i.r.error),
    .b_error_i     (mem_i.b_valid && mem_i.b_error),
    .bad_start_i   (bad_start),
    .bad_level_i   (bad_level),
    .bad_edge_i    (bad_edge),
    .below_hit_i   (below_hit),
    .below_take_i  (below_take),
    .below_early_i (below_early)
  );

  always_ff @(posedge clk_i) begin
    if (init) start_q <= dats_start_i;
  end

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (init) begin
        `HD_ASSERT_IN(a_start, dats_start_i.node_count != '0 && dats_start_i.nodes[6:0] == '0
            && dats_start_i.edges[6:0] == '0 && dats_start_i.ids[6:0] == '0
                && dats_start_i.early[6:0] == '0,
            "A graph starts without nodes, or an array is not aligned to 128 bytes.")
      end
    end
  end
`endif

endmodule
