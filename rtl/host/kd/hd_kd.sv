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
  input  logic                                        clk_i,
  input  logic                                        rst_ni,
  // Kernel entry (kmu, laperm)
  input  hd_pkg::offer_t                              kmu_offer_i,
  output hd_pkg::entry_t                              free_o,
  output hd_pkg::entry_t                              entry_o,
  input  hd_pkg::enter_t                              laperm_enter_i,
  // Kernels with work left (fcfs, link)
  input  logic [hd_pkg::NumKde-1:0]                   fcfs_marked_i,
  input  logic [hd_pkg::NumKde-1:0]                   link_pending_i,
  input  logic [hd_pkg::NumKde-1:0]                   ovfq_unanswered_i,
  // Banks of priority queues (laperm, sched)
  input  hd_pkg::entry_t                              laperm_push_i,
  input  hd_pkg::take_t                               sched_take_i,
  // Grant of a TB (sched)
  input  hd_pkg::grant_t                              sched_grant_i,
  input  hd_pkg::entry_t                              sched_sscr_i,
  // Grant of a TB of the graph (sched, dats)
  input  logic                                        sched_graph_take_i,
  input  hd_pkg::run_t                                dats_run_i,
  // End of a graph (dats)
  input  hd_pkg::over_t                               dats_over_i,
  // Parking of the kernel in the SSCR (sched)
  input  hd_pkg::park_t                               sched_park_i,
  // Retired TB (sched)
  input  hd_pkg::retired_t                            sched_retire_i,
  // Hold of a kernel for a group between match and link (devq)
  input  hd_pkg::entry_t                              devq_hold_i,
  input  hd_pkg::entry_t                              devq_unhold_i,
  // New child of a kernel (devq)
  input  hd_pkg::birth_t                              devq_birth_i,
  // Saved TB (devq)
  input  hd_pkg::save_t                               devq_save_i,
  // Failed kernels (ovfq, susp, spill)
  input  logic [hd_pkg::NumFail*hd_pkg::EntryW-1:0]   fails_i,
  // Entries: size and progress
  output logic [hd_pkg::NumKde*hd_pkg::NeedW-1:0]     need_o,
  output logic [hd_pkg::NumKde*hd_pkg::CtasW-1:0]     ctas_o,
  output logic [hd_pkg::NumKde*hd_pkg::LevelW-1:0]    level_o,
  output logic [hd_pkg::NumKde*hd_pkg::CtasW-1:0]     nextbl_o,
  output logic [hd_pkg::NumKde-1:0]                   ndone_o,
  output logic [hd_pkg::NumKde*hd_pkg::SavW-1:0]      sav_first_o,
  output logic [hd_pkg::NumKde*hd_pkg::SavCountW-1:0] sav_count_o,
  // Entries: parent records and conditions
  output logic [hd_pkg::NumKde-1:0]                   kin_valid_o,
  output logic [hd_pkg::NumKde*hd_pkg::KinW-1:0]      kin_o,
  output logic [hd_pkg::NumKde-1:0]                   suspending_o,
  output logic [hd_pkg::NumKde-1:0]                   failed_o,
  output logic [hd_pkg::NumKde-1:0]                   eligible_o,
  output logic [hd_pkg::NumKde-1:0]                   save_ok_o,
  output logic [hd_pkg::NumKde-1:0]                   sav_full_o,
  // Descriptor for a TB (sched)
  output hd_pkg::desc_t                               desc_o,
  // Freed entries (kmu, regs, agc)
  output logic [hd_pkg::NumHwq-1:0]                   reopen_o,
  output logic                                        busy_o,
  output logic [hd_pkg::NumKde-1:0]                   left_o,
  // Suspension of a kernel (sched, link, susp)
  output logic                                        stall_o,
  output hd_pkg::entry_t                              take_o,
  input  logic                                        susp_suspend_free_i,
  output hd_pkg::offer_t                              suspend_o,
  // Rest: bank entries of a suspended kernel, counted as its child (kin)
  output hd_pkg::parent_t                             rest_o,
  // Kernel leaving the KD (kin)
  output hd_pkg::leave_t                              leave_o,
  input  logic                                        kin_leave_ready_i
);

  localparam int NumKde = hd_pkg::NumKde;
  localparam int KdeW = hd_pkg::KdeW;

  logic [NumKde-1:0] valid_q, left_q;
  logic desc_read_q;

  // ---- Failed kernels ---------------------------------------------------------------------------
  logic [hd_pkg::NumFail-1:0] fail_valid;
  logic [hd_pkg::NumFail*KdeW-1:0] fail_kdei;

  for (genvar k = 0; k < hd_pkg::NumFail; k++) begin : g_fail
    assign {fail_valid[k], fail_kdei[k*KdeW+:KdeW]} = fails_i[k*hd_pkg::EntryW+:hd_pkg::EntryW];
  end

  // ---- A kernel enters --------------------------------------------------------------------------
  // It waits in the KMU while a group goes into its bank.
  logic offered, enter;
  logic [NumKde-1:0] free, tags_full, alloc, entered;
  logic [KdeW-1:0] alloc_kdei;
  logic some_free, rest;

  assign free = ~valid_q & ~tags_full;

  hd_find_first #(.N(NumKde), .IdxW(KdeW)) u_alloc (
    .req_i   (free),
    .onehot_o(alloc),
    .index_o (alloc_kdei),
    .valid_o (some_free)
  );

  // timing: the entry is known before it is known whether any is free, so entered does not wait for
  // that. In a cycle in which a rest stays its tag row is written, so no kernel enters.
  assign offered = kmu_offer_i.valid && !laperm_enter_i.wait_bank;
  assign enter   = offered && some_free && !rest;
  assign entered = alloc & {NumKde{offered && !rest}};
  assign free_o  = {some_free && !rest, alloc_kdei};
  assign entry_o = {enter, alloc_kdei};

  // ---- Fields of each kernel, and work in flight -----------------------------------------------
  logic [NumKde-1:0] stirred, runs, quiet, banked, still, idle, chosen, stays, release_now, sent;
  logic [KdeW-1:0] susp_kdei;
  hd_pkg::kernel_t record;

  hd_kd_entries u_entries (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .enter_i       (enter),
    .entered_i     (entered),
    .alloc_i       (alloc),
    .kernel_i      (kmu_offer_i.kernel),
    .enter_queued_i(laperm_enter_i.bank),
    .valid_i       (valid_q),
    .leave_i       (release_now | sent),
    .grant_valid_i (sched_grant_i.valid),
    .grant_kdei_i  (sched_sscr_i.kdei),
    .grant_kind_i  (sched_grant_i.kind),
    .unit_end_i    (sched_grant_i.unit_end),
    .park_valid_i  (sched_park_i.valid),
    .park_nextbl_i (sched_park_i.nextbl),
    .birth_valid_i (devq_birth_i.valid),
    .birth_kdei_i  (devq_birth_i.kdei),
    .birth_kin_i   (devq_birth_i.kin),
    .save_valid_i  (devq_save_i.valid),
    .save_kdei_i   (devq_save_i.kdei),
    .fail_valid_i  (fail_valid),
    .fail_kdei_i   (fail_kdei),
    .end_valid_i   (dats_over_i.valid),
    .end_kdei_i    (dats_over_i.kdei),
    .end_code_i    (dats_over_i.result.code),
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
    .read_i        (suspend_o.valid),
    .read_kdei_i   (susp_kdei),
    .read_o        (record)
  );

  assign quiet = valid_q & ~fcfs_marked_i & ~ovfq_unanswered_i & ~stirred & ~runs;

  hd_kd_counts u_counts (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .enter_i       (enter),
    .entered_i     (entered),
    .alloc_i       (alloc),
    .enter_queued_i(laperm_enter_i.bank),
    .grant_valid_i (sched_grant_i.valid),
    .grant_kdei_i  (sched_sscr_i.kdei),
    .serve_valid_i (sched_take_i.valid),
    .serve_kdei_i  (sched_take_i.kdei),
    .graph_take_i  (sched_graph_take_i),
    .graph_kdei_i  (dats_run_i.kdei),
    .retire_valid_i(sched_retire_i.valid),
    .retire_kdei_i (sched_retire_i.tb.kdei),
    .hold_valid_i  (devq_hold_i.valid),
    .hold_kdei_i   (devq_hold_i.kdei),
    .unhold_valid_i(devq_unhold_i.valid),
    .unhold_kdei_i (devq_unhold_i.kdei),
    .queue_valid_i (laperm_push_i.valid),
    .queue_kdei_i  (laperm_push_i.kdei),
    .serve_last_i  (sched_take_i.last),
    .lost_valid_i  (fail_valid[hd_pkg::NumFail-1]),
    .lost_kdei_i   (fail_kdei[hd_pkg::NumFail*KdeW-1-:KdeW]),
    .suspending_i  (suspending_o),
    .sav_count_i   (sav_count_o),
    .sav_full_o    (sav_full_o),
    .quiet_i       (quiet),
    .banked_o      (banked),
    .still_o       (still),
    .idle_o        (idle)
  );

  // ---- Release ----------------------------------------------------------------------------------
  hd_kd_release u_release (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .enter_i     (enter),
    .entered_i   (entered),
    .origin_i    (kmu_offer_i.kernel.origin),
    .stays_i     (stays),
    .idle_i      (idle),
    .pending_i   (link_pending_i),
    .suspending_i(suspending_o),
    .kin_valid_i (kin_valid_o),
    .hold_valid_i(devq_hold_i.valid),
    .hold_kdei_i (devq_hold_i.kdei),
    .release_o   (release_now),
    .reopen_o    (reopen_o)
  );

  // ---- Suspension -------------------------------------------------------------------------------
  // A kernel with entries in banks waits until these are handed out, unless its saved list is full:
  // then they stay behind as a rest.
  logic [NumKde-1:0] full;
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
    .steal_o        (stall_o),
    .kdei_o         (susp_kdei),
    .chosen_o       (chosen),
    .sent_o         (sent),
    .stays_o        (stays),
    .rest_origin_o  (rest_origin),
    .record_i       (record),
    .desc_i         (desc),
    .origin_i       (origin),
    .suspend_free_i (susp_suspend_free_i),
    .suspend_valid_o(suspend_o.valid),
    .suspend_o      (suspend_o.kernel)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q     <= '0;
      left_q      <= '0;
      desc_read_q <= 1'b0;
    end else begin
      valid_q     <= (valid_q & ~release_now & ~sent) | entered;
      left_q      <= release_now | sent | stays;
      desc_read_q <= sched_grant_i.valid || sched_take_i.valid || sched_graph_take_i;
    end
  end

  // ---- Descriptors, tag rows --------------------------------------------------------------------
  hd_ram_1r1w #(.Width(hd_pkg::DescW), .Depth(NumKde), .AddrW(KdeW)) u_desc (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (enter),
    .waddr_i(entry_o.kdei),
    .wdata_i(kmu_offer_i.kernel.desc),
    .re_i   (sched_grant_i.valid || sched_take_i.valid || sched_graph_take_i || stall_o),
    .raddr_i(stall_o ? susp_kdei : sched_take_i.valid ? sched_take_i.kdei
        : sched_graph_take_i ? dats_run_i.kdei : sched_sscr_i.kdei),
    .rdata_o(desc)
  );

  hd_kd_tags u_tags (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .enter_i      (enter),
    .entered_i    (entered),
    .alloc_i      (alloc),
    .alloc_kdei_i (entry_o.kdei),
    .origin_i     (kmu_offer_i.kernel.origin),
    .full_o       (tags_full),
    .release_i    (release_now),
    .kin_valid_i  (kin_valid_o),
    .kin_i        (kin_o),
    .failed_i     (failed_o),
    .steal_i      (stall_o),
    .steal_kdei_i (susp_kdei),
    .origin_o     (origin),
    .rest_i       (rest),
    .rest_origin_i(rest_origin),
    .leave_o      (leave_o),
    .leave_ready_i(kin_leave_ready_i)
  );

  // ---- Outputs ----------------------------------------------------------------------------------
  assign desc_o       = desc_read_q ? desc : '0;
  assign busy_o       = |valid_q;
  assign left_o       = left_q;
  assign rest         = stays != '0;
  assign rest_o.valid = rest;
  assign rest_o.kin   = rest ? suspend_o.kernel.kin : '0;
  assign take_o.valid = stall_o;
  assign take_o.kdei  = stall_o ? susp_kdei : '0;

`ifdef HD_ASSERT_ON
  // What the neighbours have of each kernel: TBs handed out and not retired (sched), entries of
  // banks (laperm, spill), groups between match and link (devq).
  localparam int MostOut = hd_pkg::NumSmx * hd_pkg::DoneDepth + 1;  // one is on its way to retire
  localparam int OutW = $clog2(MostOut + 1);
  localparam int BankedW = hd_pkg::QueuedW;
  localparam int MostBanked = (hd_pkg::RingQueues << hd_pkg::RingPosW)
      + hd_pkg::NumBank * hd_pkg::PqDepth + hd_pkg::SpillDepth + hd_pkg::SpillFlight;

  logic [NumKde*OutW-1:0] out_q;
  logic [NumKde*BankedW-1:0] banked_q;
  logic hand, lost_valid, last_lost;
  logic [KdeW-1:0] hand_kdei, lost_kdei;
  logic [NumKde-1:0] handed, retired, more, less, lost, could_save_q;
  logic [NumKde-1:0] failing;  // but for the loss of an entry of a bank
  hd_pkg::entry_t hold_1_q, hold_2_q;

  assign hand      = sched_grant_i.valid || sched_take_i.valid || sched_graph_take_i;
  assign hand_kdei = sched_grant_i.valid ? sched_sscr_i.kdei
      : sched_take_i.valid ? sched_take_i.kdei : dats_run_i.kdei;
  assign handed    = {{NumKde - 1{1'b0}}, hand} << hand_kdei;
  assign retired   = {{NumKde - 1{1'b0}}, sched_retire_i.valid} << sched_retire_i.tb.kdei;

  assign lost_valid = fail_valid[hd_pkg::NumFail-1];
  assign lost_kdei  = fail_kdei[hd_pkg::NumFail*KdeW-1-:KdeW];
  assign more = ({{NumKde - 1{1'b0}}, laperm_push_i.valid} << laperm_push_i.kdei)
      | (entered & {NumKde{enter && laperm_enter_i.bank}});
  assign less = {{NumKde - 1{1'b0}}, sched_take_i.valid && sched_take_i.last} << sched_take_i.kdei;
  assign lost = {{NumKde - 1{1'b0}}, lost_valid} << lost_kdei;
  assign last_lost = (less & lost) != '0
      && banked_q[lost_kdei*BankedW+:BankedW] == BankedW'(1);

  always_comb begin
    failing = '0;
    for (int k = 0; k < hd_pkg::NumFail - 1; k++) begin
      failing = failing | ({{NumKde - 1{1'b0}}, fail_valid[k]} << fail_kdei[k*KdeW+:KdeW]);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      out_q        <= '0;
      banked_q     <= '0;
      hold_1_q     <= '0;
      hold_2_q     <= '0;
      could_save_q <= '0;
    end else begin
      hold_1_q     <= devq_hold_i;
      hold_2_q     <= hold_1_q;
      could_save_q <= save_ok_o;
      if (hand || sched_retire_i.valid) begin
        for (int i = 0; i < NumKde; i++) begin
          if (handed[i] != retired[i]) begin
            out_q[i*OutW+:OutW] <= handed[i] ? out_q[i*OutW+:OutW] + OutW'(1)
                : out_q[i*OutW+:OutW] - OutW'(1);
          end
        end
      end
      if ((more | less | lost) != '0) begin
        for (int i = 0; i < NumKde; i++) begin
          banked_q[i*BankedW+:BankedW] <= banked_q[i*BankedW+:BankedW] + BankedW'(more[i])
              - BankedW'(less[i]) - BankedW'(lost[i]);
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (hand) `HD_ASSERT_IN(a_most_out, 32'(out_q[hand_kdei*OutW+:OutW]) < MostOut
          || retired[hand_kdei],
          "More TBs of a kernel are handed out than the SMXs and their done FIFOs hold.")
      if (sched_retire_i.valid) begin
        `HD_ASSERT_IN(a_retire_out, out_q[sched_retire_i.tb.kdei*OutW+:OutW] != '0,
            "A TB retires that was not handed out.")
      end
      if (sched_grant_i.valid) begin
        `HD_ASSERT_IN(a_grant_marked, fcfs_marked_i[sched_sscr_i.kdei],
            "A TB of a kernel that is not marked is granted.")
        `HD_ASSERT_IN(a_stopped, !suspending_o[sched_sscr_i.kdei] && !failed_o[sched_sscr_i.kdei],
            "A TB of a kernel that is suspending or has failed is granted.")
        `HD_ASSERT_IN(a_grant_saved, sched_grant_i.kind != hd_pkg::UnitSaved
            || sav_count_o[sched_sscr_i.kdei*hd_pkg::SavCountW+:hd_pkg::SavCountW] != '0,
            "A saved TB is granted of a kernel that has none.")
      end
      if (enter) begin
        `HD_ASSERT_IN(a_enter_saved,
            32'(kmu_offer_i.kernel.progress.sav_count) <= (laperm_enter_i.bank ? 0 : hd_pkg::SavMax)
            && 32'(kmu_offer_i.kernel.progress.sav_first) < hd_pkg::SavMax
            && !(laperm_enter_i.bank && kmu_offer_i.kernel.graph),
            "A kernel enters with too many saved TBs, or a bank although it has some, or a graph.")
      end
      if (devq_birth_i.valid) `HD_ASSERT_IN(a_birth, out_q[devq_birth_i.kdei*OutW+:OutW] != '0,
          "A kernel gets a child while none of its TBs is in execution.")
      if (devq_save_i.valid) begin
        `HD_ASSERT_IN(a_save, out_q[devq_save_i.kdei*OutW+:OutW] != '0
            && could_save_q[devq_save_i.kdei],
            "A TB is saved of a kernel without a TB, or whose save_ok was 0 one cycle before.")
        `HD_ASSERT_IN(a_save_place, 32'(sav_count_o[devq_save_i.kdei*hd_pkg::SavCountW
            +:hd_pkg::SavCountW]) < hd_pkg::SavMax,
            "A TB is saved while the saved list of its kernel is full.")
      end
      `HD_ASSERT_IN(a_hold_ends, devq_unhold_i == hold_2_q,
          "The hold of a group does not end two cycles after it began.")
      if (laperm_push_i.valid) begin
        `HD_ASSERT_IN(a_push, devq_unhold_i.valid && devq_unhold_i.kdei == laperm_push_i.kdei
            && 32'(banked_q[laperm_push_i.kdei*BankedW+:BankedW]) < MostBanked,
            "A bank gets an entry that is not the group whose hold ends, or has no place for it.")
      end
      if (sched_take_i.valid) begin
        `HD_ASSERT_IN(a_take_banked, banked_q[sched_take_i.kdei*BankedW+:BankedW] != '0,
            "A bank hands out a TB of a kernel although all of its entries have left the banks.")
      end
      if (lost_valid) `HD_ASSERT_IN(a_lost,
          banked_q[lost_kdei*BankedW+:BankedW] != '0 && !last_lost,
          "An entry of a bank is lost that the bank does not have, or that is handed out.")
      if (sched_grant_i.valid) begin
        `HD_ASSERT_IN(a_grant, valid_q[sched_sscr_i.kdei] && !stall_o && !sched_take_i.valid,
            "A TB of a kernel not in the KD is granted, or its descriptor cannot be read.")
      end
      if (sched_take_i.valid) `HD_ASSERT_IN(a_serve, valid_q[sched_take_i.kdei] && !stall_o,
          "A bank hands out a TB of a kernel not in the KD, or in a stolen cycle.")
      `HD_ASSERT_IN(a_fail, ((failing | lost) & ~valid_q) == '0
          && !(suspend_o.valid && (failing & chosen) != '0),
          "A kernel fails that is not in the KD or is just sent to susp, and not by a lost entry.")
      if (sched_park_i.valid || sched_grant_i.unit_end) begin
        `HD_ASSERT_IN(a_park, valid_q[sched_sscr_i.kdei],
            "A kernel that is not in the KD is parked, or a unit of it ends.")
      end
      if (sched_retire_i.valid) `HD_ASSERT_IN(a_retire, valid_q[sched_retire_i.tb.kdei],
          "A TB retires from a kernel that is not in the KD.")
      if (sched_graph_take_i) begin
        `HD_ASSERT_IN(a_graph, runs[dats_run_i.kdei] && !stall_o && !sched_grant_i.valid
            && !sched_take_i.valid,
            "A TB of a graph that does not run is taken, in a stolen cycle, or with another TB.")
      end
      if (dats_over_i.valid) `HD_ASSERT_IN(a_graph_end, runs[dats_over_i.kdei],
          "A graph that does not run ends.")
      `HD_ASSERT_IN(a_graph_mark, (runs & (fcfs_marked_i | link_pending_i)) == '0,
          "The kernel of a running graph is marked or has groups.")
      `HD_ASSERT_IN(a_chosen, (chosen & ~suspending_o) == '0
          && !(sched_retire_i.valid && chosen[sched_retire_i.tb.kdei])
          && !(sched_take_i.valid && chosen[sched_take_i.kdei])
          && !(sched_grant_i.valid && chosen[sched_sscr_i.kdei])
          && !(devq_birth_i.valid && chosen[devq_birth_i.kdei])
          && !(devq_save_i.valid && chosen[devq_save_i.kdei]),
          "A kernel chosen for suspension is not suspending, or has a TB, child or save event.")
      if (sched_take_i.valid) `HD_ASSERT_IN(a_sav_full, !sav_full_o[sched_take_i.kdei],
          "A bank hands out a TB of a kernel whose saved list has no room for it.")
      if (enter) begin
        `HD_ASSERT(a_enter, !valid_q[alloc_kdei]
            && 32'(kmu_offer_i.kernel.origin.hwq) < hd_pkg::NumHwq,
            "A kernel enters an entry that is in use, or names a HWQ that does not exist.")
      end
      if (devq_hold_i.valid) `HD_ASSERT_IN(a_hold, eligible_o[devq_hold_i.kdei],
          "A group is matched to a kernel that is not eligible.")
      if (devq_unhold_i.valid) `HD_ASSERT_IN(a_unhold, valid_q[devq_unhold_i.kdei],
          "A group is released for a kernel that is not in the KD.")
      if (laperm_push_i.valid) `HD_ASSERT_IN(a_queue, valid_q[laperm_push_i.kdei],
          "A bank gets an entry for a kernel that is not in the KD.")
    end
  end

  // Rare: a free entry blocked only by its tag rows; no free entry.
  `HD_COVER(c_tags_full, (~valid_q & ~free) != '0)
  `HD_COVER(c_full, offered && !enter)
`endif

endmodule
