// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_kd: the Kernel Distributor: holds the kernels being executed, counts their TBs, and releases,
// suspends and reports them.
//
//   KMU kernel --> [u_entries] --> need, ctas, level, progress, desc to the scheduler
//   grant, retire, hold --> [u_counts]
//                                v idle: nothing to hand out, executing or in flight
//          release: reopen to the KMU; [u_tags] --> leave, to kin
//          suspend: [u_suspend]: read the descriptor --> send the record, to susp
//
// From dtbl-isca2015 sections 2.2, 4.2 and figure 4. Parent records, suspension and its order are
// ours, and so are the two tag rows per entry: an entry can be reused at once while the origin of
// its last kernel still waits to be reported.
// - A kernel enters the lowest free entry. Free: not valid, and one of its two tag rows is not
//   pending.
// - Idle: unmarked, ExeBL 0, no hold, no unanswered pointer, and no event of this cycle that adds
//   work. A kernel that is idle, has no groups and is not suspending is released (all such kernels
//   in the same cycle). Its HWQ reopens in the next cycle, unless it has a parent record (then kin
//   reopens it).
// - Of the kernels that are idle and suspending, the lowest one leaves for susp, one at a time. If
//   its saved list is full, banks may still hold entries of it (sav_full_o); these remain in the
//   same KD entry as a rest, a separate kernel that is a child of the suspended one.
// - A kernel whose graph runs is not idle; it accepts no groups, and its TBs are not saved.
// - A failed kernel hands out nothing more, neither native nor saved TBs; link drops its groups.
// - Leaving, releasing and entering in one cycle are independent: each uses the state at the start
//   of the cycle.
// - Latency: desc one cycle after the grant; leave two cycles after the release. All outputs come
//   from registers.
// - Reset: all entries free, nothing pending; RAM rows have no reset.
// Parts: hd_kd_entries (fields of each kernel), hd_kd_counts (work in flight), hd_kd_release,
// hd_kd_suspend, hd_kd_tags (reports of kernels that left). This file allocates the entries.
// Ports: kd.csv. Model cmodel/host/kd, tests verif/unit and verif/equiv test_kd, page
// docs/host/kd.md.
`include "common/hd_assert.svh"
module hd_kd (
  input  logic                                         clk_i,
  input  logic                                         rst_ni,
  // Kernel entry (kmu, laperm)
  input  logic                                         kernel_valid_i,
  input  hd_pkg::kernel_t                              kernel_i,
  output logic                                         kernel_ready_o,
  output logic [hd_pkg::KdeW-1:0]                      alloc_kdei_o,
  input  logic                                         enter_queued_i,
  // Kernels with work left (fcfs, link)
  input  logic [hd_pkg::NumKde-1:0]                    marked_i,
  input  logic [hd_pkg::NumKde-1:0]                    pending_i,
  input  logic [hd_pkg::NumKde-1:0]                    unanswered_i,
  // Banks of priority queues (laperm, sched)
  input  logic                                         queue_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      queue_kdei_i,
  input  logic                                         serve_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      serve_kdei_i,
  input  logic                                         serve_last_i,
  // Grant of a TB (sched)
  input  logic                                         grant_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      grant_kdei_i,
  input  logic [hd_pkg::UnitW-1:0]                     grant_kind_i,
  input  logic                                         unit_end_i,
  // Grant of a TB of the graph (sched, dats)
  input  logic                                         graph_take_i,
  input  logic [hd_pkg::KdeW-1:0]                      graph_kdei_i,
  // End of a graph (dats)
  input  logic                                         graph_end_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      graph_end_kdei_i,
  input  logic [hd_pkg::GcodeW-1:0]                    graph_end_code_i,
  // Parking of the kernel in the SSCR (sched)
  input  logic                                         park_valid_i,
  input  logic [hd_pkg::CtasW-1:0]                     park_nextbl_i,
  // Retired TB (sched)
  input  logic                                         retire_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      retire_kdei_i,
  // Hold of a kernel for a group between match and link (devq)
  input  logic                                         hold_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      hold_kdei_i,
  input  logic                                         unhold_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      unhold_kdei_i,
  // New child of a kernel (devq)
  input  logic                                         birth_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      birth_kdei_i,
  input  logic [hd_pkg::KinW-1:0]                      birth_kin_i,
  // Saved TB (devq)
  input  logic                                         save_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      save_kdei_i,
  // Failed kernels (ovfq, susp, spill)
  input  logic [hd_pkg::NumFail-1:0]                   fail_valid_i,
  input  logic [hd_pkg::NumFail*hd_pkg::KdeW-1:0]      fail_kdei_i,
  // Entries: size and progress
  output logic [hd_pkg::NumKde*hd_pkg::NeedW-1:0]      need_o,
  output logic [hd_pkg::NumKde*hd_pkg::CtasW-1:0]      ctas_o,
  output logic [hd_pkg::NumKde*hd_pkg::LevelW-1:0]     level_o,
  output logic [hd_pkg::NumKde*hd_pkg::CtasW-1:0]      nextbl_o,
  output logic [hd_pkg::NumKde-1:0]                    ndone_o,
  output logic [hd_pkg::NumKde*hd_pkg::SavW-1:0]       sav_first_o,
  output logic [hd_pkg::NumKde*hd_pkg::SavCountW-1:0]  sav_count_o,
  // Entries: parent records and conditions
  output logic [hd_pkg::NumKde-1:0]                    kin_valid_o,
  output logic [hd_pkg::NumKde*hd_pkg::KinW-1:0]       kin_o,
  output logic [hd_pkg::NumKde-1:0]                    suspending_o,
  output logic [hd_pkg::NumKde-1:0]                    failed_o,
  output logic [hd_pkg::NumKde-1:0]                    eligible_o,
  output logic [hd_pkg::NumKde-1:0]                    save_ok_o,
  output logic [hd_pkg::NumKde-1:0]                    sav_full_o,
  // Descriptor for a TB (sched)
  output hd_pkg::desc_t                                desc_o,
  // Freed entries (kmu, regs, agc)
  output logic [hd_pkg::NumHwq-1:0]                    reopen_o,
  output logic                                         kd_busy_o,
  output logic [hd_pkg::NumKde-1:0]                    left_o,
  // Suspension of a kernel (sched, link, susp)
  output logic                                         steal_o,
  output logic                                         take_valid_o,
  output logic [hd_pkg::KdeW-1:0]                      take_kdei_o,
  input  logic                                         suspend_free_i,
  output logic                                         suspend_valid_o,
  output hd_pkg::kernel_t                              suspend_o,
  // Rest: bank entries of a suspended kernel, counted as its child (kin)
  output logic                                         rest_valid_o,
  output logic [hd_pkg::KinW-1:0]                      rest_kin_o,
  // Kernel leaving the KD (kin)
  output logic                                         leave_valid_o,
  output hd_pkg::leave_t                               leave_o,
  input  logic                                         leave_ready_i
);

  localparam int NumKde = hd_pkg::NumKde;
  localparam int KdeW = hd_pkg::KdeW;

  logic [NumKde-1:0] valid_q, left_q;
  logic desc_read_q;

  // ---- A kernel enters --------------------------------------------------------------------------
  logic enter;
  logic [NumKde-1:0] free, tags_full, alloc, entered;
  logic some_free, rest;

  assign free = ~valid_q & ~tags_full;

  hd_find_first #(.N(NumKde), .IdxW(KdeW)) u_alloc (
    .req_i   (free),
    .onehot_o(alloc),
    .index_o (alloc_kdei_o),
    .valid_o (some_free)
  );

  // timing: the entry is known before it is known whether any is free, so entered does not wait for
  // that. In a cycle in which a rest stays its tag row is written, so no kernel enters.
  assign kernel_ready_o = some_free && !rest;
  assign enter   = kernel_valid_i && kernel_ready_o;
  assign entered = alloc & {NumKde{kernel_valid_i && !rest}};

  // ---- Fields of each kernel, and work in flight -----------------------------------------------
  logic [NumKde-1:0] stirred, runs, quiet, banked, still, idle, chosen, stays;
  logic [KdeW-1:0] susp_kdei;
  hd_pkg::kernel_t record;

  hd_kd_entries u_entries (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .enter_i       (enter),
    .entered_i     (entered),
    .alloc_i       (alloc),
    .kernel_i      (kernel_i),
    .enter_queued_i(enter_queued_i),
    .valid_i       (valid_q),
    .grant_valid_i (grant_valid_i),
    .grant_kdei_i  (grant_kdei_i),
    .grant_kind_i  (grant_kind_i),
    .unit_end_i    (unit_end_i),
    .park_valid_i  (park_valid_i),
    .park_nextbl_i (park_nextbl_i),
    .birth_valid_i (birth_valid_i),
    .birth_kdei_i  (birth_kdei_i),
    .birth_kin_i   (birth_kin_i),
    .save_valid_i  (save_valid_i),
    .save_kdei_i   (save_kdei_i),
    .fail_valid_i  (fail_valid_i),
    .fail_kdei_i   (fail_kdei_i),
    .end_valid_i   (graph_end_valid_i),
    .end_kdei_i    (graph_end_kdei_i),
    .end_code_i    (graph_end_code_i),
    .chosen_i      (chosen),
    .stays_i       (stays),
    .stirred_o     (stirred),
    .runs_o        (runs),
    .need_o        (need_o),
    .ctas_o        (ctas_o),
    .level_o       (level_o),
    .nextbl_o      (nextbl_o),
    .ndone_o       (ndone_o),
    .sav_first_o   (sav_first_o),
    .sav_count_o   (sav_count_o),
    .kin_valid_o   (kin_valid_o),
    .kin_o         (kin_o),
    .suspending_o  (suspending_o),
    .failed_o      (failed_o),
    .eligible_o    (eligible_o),
    .save_ok_o     (save_ok_o),
    .read_i        (suspend_valid_o),
    .read_kdei_i   (susp_kdei),
    .read_o        (record)
  );

  assign quiet = valid_q & ~marked_i & ~unanswered_i & ~stirred & ~runs;

  hd_kd_counts u_counts (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .enter_i       (enter),
    .entered_i     (entered),
    .alloc_i       (alloc),
    .enter_queued_i(enter_queued_i),
    .grant_valid_i (grant_valid_i),
    .grant_kdei_i  (grant_kdei_i),
    .serve_valid_i (serve_valid_i),
    .serve_kdei_i  (serve_kdei_i),
    .graph_take_i  (graph_take_i),
    .graph_kdei_i  (graph_kdei_i),
    .retire_valid_i(retire_valid_i),
    .retire_kdei_i (retire_kdei_i),
    .hold_valid_i  (hold_valid_i),
    .hold_kdei_i   (hold_kdei_i),
    .unhold_valid_i(unhold_valid_i),
    .unhold_kdei_i (unhold_kdei_i),
    .queue_valid_i (queue_valid_i),
    .queue_kdei_i  (queue_kdei_i),
    .serve_last_i  (serve_last_i),
    .lost_valid_i  (fail_valid_i[hd_pkg::NumFail-1]),
    .lost_kdei_i   (fail_kdei_i[hd_pkg::NumFail*KdeW-1-:KdeW]),
    .suspending_i  (suspending_o),
    .sav_count_i   (sav_count_o),
    .sav_full_o    (sav_full_o),
    .quiet_i       (quiet),
    .banked_o      (banked),
    .still_o       (still),
    .idle_o        (idle)
  );

  // ---- Release ----------------------------------------------------------------------------------
  logic [NumKde-1:0] release_now;

  hd_kd_release u_release (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .enter_i     (enter),
    .entered_i   (entered),
    .origin_i    (kernel_i.origin),
    .stays_i     (stays),
    .idle_i      (idle),
    .pending_i   (pending_i),
    .suspending_i(suspending_o),
    .kin_valid_i (kin_valid_o),
    .hold_valid_i(hold_valid_i),
    .hold_kdei_i (hold_kdei_i),
    .release_o   (release_now),
    .reopen_o    (reopen_o)
  );

  // ---- Suspension -------------------------------------------------------------------------------
  // A kernel with entries in banks waits until these are handed out, unless its saved list is full:
  // then they stay behind as a rest.
  logic [NumKde-1:0] sent, full;
  hd_pkg::desc_t desc;
  hd_pkg::origin_t origin, rest_origin;

  always_comb begin
    for (int i = 0; i < NumKde; i++) begin
      full[i] = sav_count_o[i*hd_pkg::SavCountW+:hd_pkg::SavCountW]
          >= hd_pkg::SavCountW'(hd_pkg::SavMax - 1);
    end
  end

  hd_kd_suspend u_suspend (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .ripe_i         (suspending_o & (idle | (still & full))),
    .banked_i       (banked),
    .failed_i       (failed_o),
    .steal_o        (steal_o),
    .kdei_o         (susp_kdei),
    .chosen_o       (chosen),
    .sent_o         (sent),
    .stays_o        (stays),
    .rest_origin_o  (rest_origin),
    .record_i       (record),
    .desc_i         (desc),
    .origin_i       (origin),
    .suspend_free_i (suspend_free_i),
    .suspend_valid_o(suspend_valid_o),
    .suspend_o      (suspend_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q     <= '0;
      left_q      <= '0;
      desc_read_q <= 1'b0;
    end else begin
      valid_q     <= (valid_q & ~release_now & ~sent) | entered;
      left_q      <= release_now | sent | stays;
      desc_read_q <= grant_valid_i || serve_valid_i || graph_take_i;
    end
  end

  // ---- Descriptors, tag rows --------------------------------------------------------------------
  hd_ram_1r1w #(.Width(hd_pkg::DescW), .Depth(NumKde), .AddrW(KdeW)) u_desc (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (enter),
    .waddr_i(alloc_kdei_o),
    .wdata_i(kernel_i.desc),
    .re_i   (grant_valid_i || serve_valid_i || graph_take_i || steal_o),
    .raddr_i(steal_o ? susp_kdei : serve_valid_i ? serve_kdei_i
        : graph_take_i ? graph_kdei_i : grant_kdei_i),
    .rdata_o(desc)
  );

  hd_kd_tags u_tags (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .enter_i      (enter),
    .entered_i    (entered),
    .alloc_i      (alloc),
    .alloc_kdei_i (alloc_kdei_o),
    .origin_i     (kernel_i.origin),
    .full_o       (tags_full),
    .release_i    (release_now),
    .kin_valid_i  (kin_valid_o),
    .kin_i        (kin_o),
    .failed_i     (failed_o),
    .steal_i      (steal_o),
    .steal_kdei_i (susp_kdei),
    .origin_o     (origin),
    .rest_i       (rest),
    .rest_origin_i(rest_origin),
    .leave_valid_o(leave_valid_o),
    .leave_o      (leave_o),
    .leave_ready_i(leave_ready_i)
  );

  // ---- Outputs ----------------------------------------------------------------------------------
  assign desc_o       = desc_read_q ? desc : '0;
  assign kd_busy_o    = |valid_q;
  assign left_o       = left_q;
  assign rest         = stays != '0;
  assign rest_valid_o = rest;
  assign rest_kin_o   = rest ? suspend_o.kin : '0;
  assign take_valid_o = steal_o;
  assign take_kdei_o  = steal_o ? susp_kdei : '0;

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (grant_valid_i) begin
        `HD_ASSERT_IN(a_grant, valid_q[grant_kdei_i] && !steal_o && !serve_valid_i,
            "A TB of a kernel not in the KD is granted, or its descriptor cannot be read.")
      end
      if (serve_valid_i) `HD_ASSERT_IN(a_serve, valid_q[serve_kdei_i] && !steal_o,
          "A bank hands out a TB of a kernel not in the KD, or in a stolen cycle.")
      if (retire_valid_i) `HD_ASSERT_IN(a_retire, valid_q[retire_kdei_i],
          "A TB retires from a kernel that is not in the KD.")
      if (graph_take_i) begin
        `HD_ASSERT_IN(a_graph, runs[graph_kdei_i] && !steal_o && !grant_valid_i && !serve_valid_i,
            "A TB of a graph that does not run is taken, in a stolen cycle, or with another TB.")
      end
      if (graph_end_valid_i) `HD_ASSERT_IN(a_graph_end, runs[graph_end_kdei_i],
          "A graph that does not run ends.")
      `HD_ASSERT_IN(a_graph_mark, (runs & (marked_i | pending_i)) == '0,
          "The kernel of a running graph is marked or has groups.")
      `HD_ASSERT_IN(a_chosen, (chosen & ~suspending_o) == '0 && !(retire_valid_i
          && chosen[retire_kdei_i]) && !(serve_valid_i && chosen[serve_kdei_i]) && !(grant_valid_i
          && chosen[grant_kdei_i]) && !(birth_valid_i && chosen[birth_kdei_i]) && !(save_valid_i
          && chosen[save_kdei_i]),
          "A kernel chosen for suspension is not suspending, or has a TB, child or save event.")
      if (serve_valid_i) `HD_ASSERT_IN(a_sav_full, !sav_full_o[serve_kdei_i],
          "A bank hands out a TB of a kernel whose saved list has no room for it.")
      if (enter) begin
        `HD_ASSERT(a_enter, !valid_q[alloc_kdei_o] && 32'(kernel_i.origin.hwq) < hd_pkg::NumHwq,
            "A kernel enters an entry that is in use, or names a HWQ that does not exist.")
      end
      if (hold_valid_i) `HD_ASSERT_IN(a_hold, eligible_o[hold_kdei_i],
          "A group is matched to a kernel that is not eligible.")
      if (unhold_valid_i) `HD_ASSERT_IN(a_unhold, valid_q[unhold_kdei_i],
          "A group is released for a kernel that is not in the KD.")
      if (queue_valid_i) `HD_ASSERT_IN(a_queue, valid_q[queue_kdei_i],
          "A bank gets an entry for a kernel that is not in the KD.")
    end
  end

  // Rare: a free entry blocked only by its tag rows; no free entry.
  `HD_COVER(c_tags_full, (~valid_q & ~free) != '0)
  `HD_COVER(c_full, kernel_valid_i && !kernel_ready_o)
`endif

endmodule
