// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_regs_events: computes the increments of the counters and the STATUS bits set by a cycle.
//
//   events of the plane --> which counters rise, by how much (counters)
//                       '-> bits that are set (STATUS)
//
// - timing: an event settles late in the cycle, its increment early, so the sums do not wait for
//   it.
// - timing: a granted TB and a blocked cycle settle so late that they are registered and counted in
//   the next cycle.
// - Latency: same cycle, except for these two.
// - Reset: neither of these two is pending.
// Part of hd_regs, whose tests cover it.
`include "common/hd_assert.svh"
module hd_regs_events (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  // Answers to the host (kmu)
  input  logic                         answer_valid_i,
  input  logic                         answer_ready_i,
  input  hd_pkg::answer_t              answer_i,
  // Kernels that enter and that complete (kmu, kd, kin)
  input  logic                         enter_valid_i,
  input  logic                         enter_ready_i,
  input  logic                         kernel_done_valid_i,
  input  logic                         kernel_done_ready_i,
  // TBs granted and completed (sched)
  input  logic                         grant_valid_i,
  input  logic                         blocked_i,
  input  logic [hd_pkg::NumSmx-1:0]    done_ok_i,
  input  logic [hd_pkg::NumSmx-1:0]    done_empty_i,
  input  logic [hd_pkg::NumSmx-1:0]    done_early_i,
  // Device launches (devq)
  input  logic [6:0]                   dev_event_i,
  input  logic [hd_pkg::CodeW-1:0]     dev_code_i,
  input  logic [hd_pkg::KindW-1:0]     dev_kind_i,
  // Searches (match), records fetched (ovfq)
  input  logic                         searched_i,
  input  logic                         search_i,
  input  logic                         fetch_i,
  // The SSCR waits (sched)
  input  logic                         waiting_i,
  input  logic                         slot_wait_i,
  // Returned records (agc)
  input  logic                         record_done_valid_i,
  input  logic                         record_done_ready_i,
  // Kernels spilled and refilled (pool), suspended and resumed (susp)
  input  logic                         spill_i,
  input  logic                         refill_i,
  input  logic                         suspend_i,
  input  logic                         resume_i,
  // Groups spilled and refilled, inversions (laperm)
  input  logic                         group_spill_i,
  input  logic                         group_refill_i,
  input  logic                         inversion_i,
  // A second kernel is marked (fcfs)
  input  logic                         oldest_wait_i,
  // Memory errors (ovfq, pool, susp, spill)
  input  logic [4:0]                   error_i,
  // A graph is over (dats)
  input  logic                         over_valid_i,
  input  hd_pkg::dgbend_t              over_i,
  // Events of the graph buffer (dgb)
  input  logic                         pub_event_i,
  input  logic                         early_event_i,
  input  logic                         big_event_i,
  // Counters and STATUS
  output logic [hd_pkg::NumCounters-1:0] event_now_o,
  output logic [hd_pkg::NumCounters*$clog2(hd_pkg::NumSmx+1)-1:0] step_o,  // of each counter
  output logic [hd_pkg::StatusW-1:0]   status_set_o,
  output logic                         bad_graph_o   // a graph ended with an error
);

  localparam int NumCounters = hd_pkg::NumCounters;
  localparam int IncW = $clog2(hd_pkg::NumSmx + 1);

  logic granted_q, blocked_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      granted_q <= 1'b0;
      blocked_q <= 1'b0;
    end else begin
      granted_q <= grant_valid_i;
      blocked_q <= blocked_i;
    end
  end

  logic answered, accepted, refused, zero_dim, over_limit, never_fits, unknown_hwq;

  assign answered    = answer_valid_i && answer_ready_i;
  assign accepted    = answered && answer_i.code == hd_pkg::CodeAccepted;
  assign refused     = answered && answer_i.code == hd_pkg::CodeRefused;
  assign zero_dim    = answered && answer_i.code == hd_pkg::CodeZeroDim;
  assign over_limit  = answered && answer_i.code == hd_pkg::CodeOverLimit;
  assign never_fits  = answered && answer_i.code == hd_pkg::CodeNeverFits;
  assign unknown_hwq = answered && answer_i.code == hd_pkg::CodeUnknownHwq;
  assign bad_graph_o = over_valid_i && over_i.code != hd_pkg::GcodeFine;

  always_comb begin
    step_o = {NumCounters{IncW'(1)}};
    step_o[hd_regs_pkg::CountCtasDone*IncW+:IncW] = IncW'($countones(done_ok_i));
    step_o[hd_regs_pkg::CountDoneEmpty*IncW+:IncW] = IncW'($countones(done_empty_i));
    step_o[hd_regs_pkg::CountDoneEarly*IncW+:IncW] = IncW'($countones(done_early_i));

    event_now_o = '1;  // counters with a step above, and the cycle counter
    event_now_o[hd_regs_pkg::CountAccepted] = accepted;
    event_now_o[hd_regs_pkg::CountRefused] = refused;
    event_now_o[hd_regs_pkg::CountZeroDim] = zero_dim;
    event_now_o[hd_regs_pkg::CountOverLimit] = over_limit;
    event_now_o[hd_regs_pkg::CountNeverFits] = never_fits;
    event_now_o[hd_regs_pkg::CountUnknownHwq] = unknown_hwq;
    event_now_o[hd_regs_pkg::CountKernelsIn] = enter_valid_i && enter_ready_i;
    event_now_o[hd_regs_pkg::CountKernelsDone] = kernel_done_valid_i && kernel_done_ready_i;
    event_now_o[hd_regs_pkg::CountCtasOut] = granted_q;
    event_now_o[hd_regs_pkg::CountBlocked] = blocked_q;
    event_now_o[hd_regs_pkg::CountDevKernels+:7] = dev_event_i;
    event_now_o[hd_regs_pkg::CountSearches] = searched_i;
    event_now_o[hd_regs_pkg::CountSearchCycles] = search_i;
    event_now_o[hd_regs_pkg::CountFetches] = fetch_i;
    event_now_o[hd_regs_pkg::CountFetchWait] = waiting_i;
    event_now_o[hd_regs_pkg::CountSlotWait] = slot_wait_i;
    event_now_o[hd_regs_pkg::CountRecordsDone] = record_done_valid_i && record_done_ready_i;
    event_now_o[hd_regs_pkg::CountSpills] = spill_i;
    event_now_o[hd_regs_pkg::CountRefills] = refill_i;
    event_now_o[hd_regs_pkg::CountSuspends] = suspend_i;
    event_now_o[hd_regs_pkg::CountResumes] = resume_i;
    event_now_o[hd_regs_pkg::CountOldestWait] = oldest_wait_i;
    event_now_o[hd_regs_pkg::CountGroupSpills] = group_spill_i;
    event_now_o[hd_regs_pkg::CountGroupRefills] = group_refill_i;
    event_now_o[hd_regs_pkg::CountInversions] = inversion_i;
    event_now_o[hd_regs_pkg::CountGraphs] = over_valid_i;
    event_now_o[hd_regs_pkg::CountGraphPub] = pub_event_i;
    event_now_o[hd_regs_pkg::CountGraphEarly] = early_event_i;
    event_now_o[hd_regs_pkg::CountGraphBig] = big_event_i;

    status_set_o = '0;
    status_set_o[hd_regs_pkg::StatusRefused] = refused;
    status_set_o[hd_regs_pkg::StatusZeroDim] = zero_dim || dev_code_i == hd_pkg::CodeZeroDim;
    status_set_o[hd_regs_pkg::StatusOverLimit] = over_limit || dev_code_i == hd_pkg::CodeOverLimit;
    status_set_o[hd_regs_pkg::StatusNeverFits] = never_fits || dev_code_i == hd_pkg::CodeNeverFits;
    status_set_o[hd_regs_pkg::StatusUnknownHwq] = unknown_hwq
        || dev_code_i == hd_pkg::CodeUnknownHwq;
    status_set_o[hd_regs_pkg::StatusEmptySlot] = dev_code_i == hd_pkg::CodeEmptySlot;
    status_set_o[hd_regs_pkg::StatusDevRefused] = dev_code_i == hd_pkg::CodeRefused
        && dev_kind_i != hd_pkg::KindSave;
    status_set_o[hd_regs_pkg::StatusSaveRefused] = dev_code_i == hd_pkg::CodeRefused
        && dev_kind_i == hd_pkg::KindSave;
    status_set_o[hd_regs_pkg::StatusMemList] = error_i[0];
    status_set_o[hd_regs_pkg::StatusMemRecord] = error_i[1];
    status_set_o[hd_regs_pkg::StatusMemPool] = error_i[2];
    status_set_o[hd_regs_pkg::StatusMemSuspend] = error_i[3];
    status_set_o[hd_regs_pkg::StatusMemSpill] = error_i[4];
    status_set_o[hd_regs_pkg::StatusGraphMemory] = bad_graph_o
        && over_i.code == hd_pkg::GcodeMemory;
    status_set_o[hd_regs_pkg::StatusGraphStarts] = bad_graph_o
        && over_i.code == hd_pkg::GcodeStarts;
    status_set_o[hd_regs_pkg::StatusGraphLevel] = bad_graph_o && over_i.code == hd_pkg::GcodeLevel;
    status_set_o[hd_regs_pkg::StatusGraphEdge] = bad_graph_o && over_i.code == hd_pkg::GcodeEdge;
    status_set_o[hd_regs_pkg::StatusGraphCount] = bad_graph_o && over_i.code == hd_pkg::GcodeCount;
    status_set_o[hd_regs_pkg::StatusGraphStuck] = bad_graph_o && over_i.code == hd_pkg::GcodeStuck;
    status_set_o[hd_regs_pkg::StatusGraphDesc] = bad_graph_o && over_i.code == hd_pkg::GcodeGraph;
    status_set_o[hd_regs_pkg::StatusDoneEmpty] = |done_empty_i;
    status_set_o[hd_regs_pkg::StatusDoneEarly] = |done_early_i;
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, answer_i.tag, over_i.vid};

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) `HD_ASSERT_IN(a_dev_event, $onehot0(dev_event_i),
        "More than one answer to a device launch is reported in one cycle.")
  end
`endif

endmodule
