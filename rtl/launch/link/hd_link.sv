// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_link: allocates an AGE for a new group, and appends the group to the list of its kernel: to
// the chain of AGEs, or to the list in memory behind it (ovfq).
//
//   devq A2 --> [AGT entry free?] --> [A3] --link event--> agt, fcfs, sched, ovfq
//   agc free -->  valid bits            |
//                                       +--> [NAGEI, LAGEI of each KDE] --> agt, sched
//
// From dtbl-isca2015 section 4.2: the AGEI is hw_tid modulo the AGT's size, and a group whose entry
// is in use stays in memory. The hash with the SMX and the free list are ours, and so is the list
// in memory; the paper continues the chain in memory.
// - A2, choice of the entry: AgtHash 0: hw_tid modulo AgtSize; 1: hw_tid + SMX * SmxStep modulo
//   AgtSize; 2: the next of the free list. If it is free at the start of the cycle the group is on
//   chip (alloc_o); otherwise it overflows (kept_o) and is identified by its record. If the list in
//   memory is full (ovfq_full_i), the group gets neither and is not linked (refused_o).
// - A3: the link event. The group becomes the last of its kernel's list. It goes to the list in
//   memory (link_o.over) if it overflowed or if that list is not empty; otherwise it is chained
//   behind link_o.prev. A failed kernel accepts no group.
// - Idle: in the eighth cycle in a row without a kernel in the KD and without a parent record, all
//   AGEs are freed, including those left behind by failed kernels.
// - Latency: A2 at t, link event at t+1, list at t+2. Rate: one group per cycle. Outputs come from
//   registers.
// - Reset: all AGT entries free, lists empty.
// Ports: link.csv. Model cmodel/launch/link, tests verif/unit and verif/equiv test_link, page
// docs/launch/link.md.
`include "common/hd_assert.svh"
module hd_link (
  input  logic                                      clk_i,
  input  logic                                      rst_ni,
  // A2: group to link (devq)
  input  hd_pkg::a2group_t                          devq_group_i,
  input  hd_pkg::settings_t                         regs_config_i,
  // Result of the group (devq)
  output logic                                      kept_o,
  output logic                                      refused_o,
  // A3: AGE allocation (agt)
  output hd_pkg::ageref_t                           alloc_o,
  // A3: linking of the group (fcfs, sched, agt, ovfq)
  output hd_pkg::linked_t                           link_o,
  // Last TB of a group handed out (sched, agt)
  input  logic                                      sched_advance_i,
  input  hd_pkg::entry_t                            sched_sscr_i,
  input  logic [hd_pkg::AgtW-1:0]                   agt_succ_i,
  // Failed kernels (kd, ovfq, susp, spill)
  input  logic [hd_pkg::NumKde-1:0]                 kd_failed_i,
  input  logic [hd_pkg::NumFail*hd_pkg::EntryW-1:0] fails_i,
  // Suspension of a kernel (kd, susp)
  input  hd_pkg::entry_t                            kd_take_i,
  output hd_pkg::list_t                             list_o,
  // Kernel entry into the KD (kmu, kd)
  input  hd_pkg::entry_t                            kd_entry_i,
  input  hd_pkg::offer_t                            kmu_offer_i,
  // Lists in memory (ovfq)
  input  logic [hd_pkg::NumKde-1:0]                 ovfq_there_i,
  input  logic [hd_pkg::NumKde-1:0]                 ovfq_one_i,
  input  logic [hd_pkg::NumKde-1:0]                 ovfq_full_i,
  // Group lists of the kernels
  output logic [hd_pkg::NumKde-1:0]                 pending_o,
  output logic [hd_pkg::NumKde-1:0]                 single_o,
  output logic [hd_pkg::NumKde-1:0]                 chained_o,
  output logic [hd_pkg::NumKde*hd_pkg::AgtW-1:0]    nagei_o,
  output logic [hd_pkg::NumKde*hd_pkg::AgtW-1:0]    lagei_o,
  // Freed AGE (agc)
  input  hd_pkg::ageref_t                           agc_free_i,
  // Kernels present (kd, kin)
  input  logic                                      kd_busy_i,
  input  logic                                      kin_busy_i
);

  localparam int KdeW = hd_pkg::KdeW;
  localparam int AgtSize = hd_pkg::AgtSize;
  localparam int AgtW = hd_pkg::AgtW;
  localparam int RecW = hd_pkg::RecW;
  localparam int PtrW = hd_pkg::PtrW;

  logic [AgtSize-1:0] valid_q;
  logic [31:0] fresh_q;
  logic place, a3_valid_q, a3_refused_q;
  logic [KdeW-1:0] a3_kdei_q;
  hd_pkg::ptr_t a3_ptr_q;

  // ---- Failed kernels ---------------------------------------------------------------------------
  logic [hd_pkg::NumFail-1:0] fail_valid;
  logic [hd_pkg::NumFail*KdeW-1:0] fail_kdei;

  for (genvar k = 0; k < hd_pkg::NumFail; k++) begin : g_fail
    assign {fail_valid[k], fail_kdei[k*KdeW+:KdeW]} = fails_i[k*hd_pkg::EntryW+:hd_pkg::EntryW];
  end

  // ---- Idle -------------------------------------------------------------------------------------
  // Long enough for agc to have freed every AGE that it will free.
  localparam logic [3:0] Idle = 4'd8;
  logic [3:0] idle_q;
  logic busy, sweep;

  assign busy  = kd_busy_i || kin_busy_i;
  assign sweep = !busy && idle_q == Idle - 4'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) idle_q <= '0;
    else if (busy) idle_q <= '0;
    else if (idle_q != Idle) idle_q <= idle_q + 4'd1;
  end

  // Under all policies but Rr groups go to the banks.
  logic ask;
  assign ask = devq_group_i.valid && regs_config_i.policy == hd_pkg::PolicyRr;

  // ---- A2: an AGT entry -------------------------------------------------------------------------
  logic [AgtW-1:0] index;
  logic onchip;

  // A full list is not empty, so this group would have to go there, with or without an AGE.
  assign place = ask && !ovfq_full_i[devq_group_i.kdei];

  if (hd_pkg::AgtHash == 2) begin : g_ring
    logic [AgtW:0] fresh;

    hd_link_ring u_ring (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .pop_i  (place && onchip),
      .index_o(index),
      .valid_o(onchip),
      .push_i (agc_free_i.valid),
      .index_i(agc_free_i.index),
      .clear_i(sweep),
      .fresh_o(fresh)
    );
    assign valid_q = '0;
    assign fresh_q = 32'(fresh);

    logic unused_hash;
    assign unused_hash = &{1'b0, devq_group_i.smx, devq_group_i.hwtid, valid_q, fresh_q};
  end else begin : g_hash
    // Valid bits as a matrix of rows and columns, so an index is decoded in two halves.
    localparam int Cols = 1 << (AgtW / 2);
    localparam int Rows = AgtSize / Cols;
    logic [Rows-1:0] set_row, clear_row;
    logic [Cols-1:0] set_col, clear_col;

    assign index = AgtW'(devq_group_i.hwtid)
        + (hd_pkg::AgtHash == 1 ? AgtW'(32'(devq_group_i.smx) * hd_pkg::SmxStep) : '0);
    assign onchip = !valid_q[index];

    assign set_row   = {{Rows - 1{1'b0}}, place} << (index / AgtW'(Cols));
    assign set_col   = {{Cols - 1{1'b0}}, 1'b1} << (index % AgtW'(Cols));
    assign clear_row = {{Rows - 1{1'b0}}, agc_free_i.valid} << (agc_free_i.index / AgtW'(Cols));
    assign clear_col = {{Cols - 1{1'b0}}, 1'b1} << (agc_free_i.index % AgtW'(Cols));

    // If a group requests an entry in the cycle in which that entry is freed, it overflows, and the
    // entry is free afterwards.
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        valid_q <= '0;
      end else if (sweep) begin
        valid_q <= '0;
      end else if (place || agc_free_i.valid) begin
        for (int r = 0; r < Rows; r++) begin
          valid_q[r*Cols+:Cols] <= (valid_q[r*Cols+:Cols] | (set_col & {Cols{set_row[r]}}))
              & ~(clear_col & {Cols{clear_row[r]}});
        end
      end
    end
    assign fresh_q = '0;

    logic unused_hash;
    assign unused_hash = &{1'b0, devq_group_i.smx, devq_group_i.hwtid, fresh_q};
  end

  // ---- A3: the link event -----------------------------------------------------------------------
  logic link, over, first;
  logic [AgtW-1:0] prev;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      a3_valid_q   <= 1'b0;
      a3_refused_q <= 1'b0;
    end else begin
      a3_valid_q   <= place;
      a3_refused_q <= ask && !place;
    end
  end

  always_ff @(posedge clk_i) begin
    if (ask) begin
      a3_kdei_q       <= devq_group_i.kdei;
      a3_ptr_q.onchip <= onchip;
      a3_ptr_q.index  <= onchip ? RecW'(index) : devq_group_i.record;
    end
  end

  assign link = a3_valid_q && !kd_failed_i[a3_kdei_q];
  assign over = link && (!a3_ptr_q.onchip || ovfq_there_i[a3_kdei_q]);

  logic onchip_a3, behind;

  assign kept_o        = a3_valid_q && !a3_ptr_q.onchip;
  assign refused_o     = a3_refused_q;
  assign onchip_a3     = a3_valid_q && a3_ptr_q.onchip;
  assign alloc_o.valid = onchip_a3;
  assign alloc_o.index = AgtW'(a3_ptr_q.index) & {AgtW{onchip_a3}};
  assign link_o.valid  = link;
  assign link_o.kdei   = a3_kdei_q & {KdeW{link}};
  assign link_o.ptr    = a3_ptr_q & {PtrW{link}};
  assign link_o.over   = over;
  assign behind        = link && !over && !first;
  assign link_o.next   = behind;
  assign link_o.prev   = prev & {AgtW{behind}};

  hd_link_lists u_lists (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .link_valid_i (link && !over),
    .link_kdei_i  (a3_kdei_q),
    .link_age_i   (AgtW'(a3_ptr_q.index)),
    .prev_o       (prev),
    .first_o      (first),
    .adv_valid_i  (sched_advance_i),
    .adv_kdei_i   (sched_sscr_i.kdei),
    .succ_i       (agt_succ_i),
    .there_i      (ovfq_there_i),
    .one_i        (ovfq_one_i),
    .fail_valid_i (fail_valid),
    .fail_kdei_i  (fail_kdei),
    .take_valid_i (kd_take_i.valid),
    .take_kdei_i  (kd_take_i.kdei),
    .list_o       (list_o),
    .enter_valid_i(kd_entry_i.valid),
    .enter_kdei_i (kd_entry_i.kdei),
    .enter_list_i (kmu_offer_i.kernel.groups),
    .pending_o    (pending_o),
    .single_o     (single_o),
    .chained_o    (chained_o),
    .nagei_o      (nagei_o),
    .lagei_o      (lagei_o)
  );

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni && sweep) `HD_ASSERT_IN(a_sweep, !ask && !a3_valid_q && !agc_free_i.valid,
        "An AGE is allocated or freed in the cycle in which all AGEs are freed.")
    if (rst_ni && ask) `HD_ASSERT_IN(a_busy, kd_busy_i,
        "A group arrives while no kernel is in the KD.")
  end
  if (hd_pkg::AgtHash != 2) begin : g_check
    `HD_ASSERT_PROP_IN(a_free, agc_free_i.valid |-> valid_q[agc_free_i.index],
        "An AGE is freed that is not allocated.")
  end else begin : g_check_ring
    logic [AgtSize-1:0] in_use_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) in_use_q <= '0;
      else if (sweep) in_use_q <= '0;
      else begin
        if (place && onchip) in_use_q[index] <= 1'b1;
        if (agc_free_i.valid) in_use_q[agc_free_i.index] <= 1'b0;
      end
    end
    `HD_ASSERT_PROP_IN(a_free, agc_free_i.valid |-> in_use_q[agc_free_i.index],
        "An AGE is freed that is not allocated.")
  end

  // Rare: a kernel that arrives just before all AGEs would be freed; overflow; an AGE that goes
  // into the list in memory; a group of a failed kernel; one that is refused; an AGE freed while a
  // group requests it.
  `HD_COVER(c_late, busy && idle_q == Idle - 4'd1)
  `HD_COVER(c_overflow, kept_o)
  `HD_COVER(c_behind, over && a3_ptr_q.onchip)
  `HD_COVER(c_failed, a3_valid_q && !link)
  `HD_COVER(c_refused, refused_o)
  `HD_COVER(c_free_and_ask, ask && agc_free_i.valid && agc_free_i.index == index)
`endif

endmodule
