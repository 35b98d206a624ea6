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
//   chip (alloc_*); otherwise it overflows (kept_o) and is identified by its record. If the list in
//   memory is full (full_i), the group gets neither and is not linked (refused_o).
// - A3: the link event. The group becomes the last of its kernel's list. It goes to the list in
//   memory (link_over_o) if it overflowed or if that list is not empty; otherwise it is chained
//   behind link_prev_o. A failed kernel accepts no group.
// - Idle: in the eighth cycle in a row without a kernel in the KD and without a parent record, all
//   AGEs are freed, including those left behind by failed kernels.
// - Latency: A2 at t, link event at t+1, list at t+2. Rate: one group per cycle. Outputs come from
//   registers.
// - Reset: all AGT entries free, lists empty.
// Ports: link.csv. Model cmodel/launch/link, tests verif/unit and verif/equiv test_link, page
// docs/launch/link.md.
`include "common/hd_assert.svh"
module hd_link (
  input  logic                                          clk_i,
  input  logic                                          rst_ni,
  // A2: group to link (devq)
  input  logic                                          a2_group_i,
  input  logic [hd_pkg::KdeW-1:0]                       a2_kdei_i,
  input  logic [hd_pkg::SmxW-1:0]                       a2_smx_i,
  input  logic [hd_pkg::HwtidW-1:0]                     a2_hwtid_i,
  input  logic [hd_pkg::RecW-1:0]                       a2_record_i,
  // Result of the group (devq)
  output logic                                          kept_o,
  output logic                                          refused_o,
  // A3: AGE allocation (agt)
  output logic                                          alloc_valid_o,
  output logic [hd_pkg::AgtW-1:0]                       alloc_index_o,
  // A3: linking of the group (fcfs, sched, agt, ovfq)
  output logic                                          link_valid_o,
  output logic [hd_pkg::KdeW-1:0]                       link_kdei_o,
  output hd_pkg::ptr_t                                  link_ptr_o,
  output logic                                          link_over_o,
  output logic                                          link_next_o,
  output logic [hd_pkg::AgtW-1:0]                       link_prev_o,
  // Last TB of a group handed out (sched, agt)
  input  logic                                          adv_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                       adv_kdei_i,
  input  logic [hd_pkg::AgtW-1:0]                       succ_i,
  // Failed kernels (kd, ovfq, susp, spill)
  input  logic [hd_pkg::NumKde-1:0]                     failed_i,
  input  logic [hd_pkg::NumFail-1:0]                    fail_valid_i,
  input  logic [hd_pkg::NumFail*hd_pkg::KdeW-1:0]       fail_kdei_i,
  // Suspension of a kernel (kd, susp)
  input  logic                                          take_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                       take_kdei_i,
  output hd_pkg::list_t                                 list_o,
  // Kernel entry into the KD (kmu, kd)
  input  logic                                          enter_valid_i,
  input  logic                                          enter_ready_i,
  input  logic [hd_pkg::KdeW-1:0]                       enter_kdei_i,
  input  hd_pkg::list_t                                 enter_list_i,
  // Lists in memory (ovfq)
  input  logic [hd_pkg::NumKde-1:0]                     there_i,
  input  logic [hd_pkg::NumKde-1:0]                     one_i,
  input  logic [hd_pkg::NumKde-1:0]                     full_i,
  // Group lists of the kernels
  output logic [hd_pkg::NumKde-1:0]                     pending_o,
  output logic [hd_pkg::NumKde-1:0]                     single_o,
  output logic [hd_pkg::NumKde-1:0]                     chained_o,
  output logic [hd_pkg::NumKde*hd_pkg::AgtW-1:0]        nagei_o,
  output logic [hd_pkg::NumKde*hd_pkg::AgtW-1:0]        lagei_o,
  // Freed AGE (agc)
  input  logic                                          free_valid_i,
  input  logic [hd_pkg::AgtW-1:0]                       free_index_i,
  // Kernels present (kd, kin)
  input  logic                                          kd_busy_i,
  input  logic                                          kin_busy_i
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

  // ---- A2: an AGT entry -------------------------------------------------------------------------
  logic [AgtW-1:0] index;
  logic onchip;

  // A full list is not empty, so this group would have to go there, with or without an AGE.
  assign place = a2_group_i && !full_i[a2_kdei_i];

  if (hd_pkg::AgtHash == 2) begin : g_ring
    logic [AgtW:0] fresh;

    hd_link_ring u_ring (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .pop_i  (place && onchip),
      .index_o(index),
      .valid_o(onchip),
      .push_i (free_valid_i),
      .index_i(free_index_i),
      .clear_i(sweep),
      .fresh_o(fresh)
    );
    assign valid_q = '0;
    assign fresh_q = 32'(fresh);

    logic unused_hash;
    assign unused_hash = &{1'b0, a2_smx_i, a2_hwtid_i, valid_q, fresh_q};
  end else begin : g_hash
    // Valid bits as a matrix of rows and columns, so an index is decoded in two halves.
    localparam int Cols = 1 << (AgtW / 2);
    localparam int Rows = AgtSize / Cols;
    logic [Rows-1:0] set_row, clear_row;
    logic [Cols-1:0] set_col, clear_col;

    assign index = AgtW'(a2_hwtid_i)
        + (hd_pkg::AgtHash == 1 ? AgtW'(32'(a2_smx_i) * hd_pkg::SmxStep) : '0);
    assign onchip = !valid_q[index];

    assign set_row   = {{Rows - 1{1'b0}}, place} << (index / AgtW'(Cols));
    assign set_col   = {{Cols - 1{1'b0}}, 1'b1} << (index % AgtW'(Cols));
    assign clear_row = {{Rows - 1{1'b0}}, free_valid_i} << (free_index_i / AgtW'(Cols));
    assign clear_col = {{Cols - 1{1'b0}}, 1'b1} << (free_index_i % AgtW'(Cols));

    // If a group requests an entry in the cycle in which that entry is freed, it overflows, and the
    // entry is free afterwards.
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        valid_q <= '0;
      end else if (sweep) begin
        valid_q <= '0;
      end else if (place || free_valid_i) begin
        for (int r = 0; r < Rows; r++) begin
          valid_q[r*Cols+:Cols] <= (valid_q[r*Cols+:Cols] | (set_col & {Cols{set_row[r]}}))
              & ~(clear_col & {Cols{clear_row[r]}});
        end
      end
    end
    assign fresh_q = '0;

    logic unused_hash;
    assign unused_hash = &{1'b0, a2_smx_i, a2_hwtid_i, fresh_q};
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
      a3_refused_q <= a2_group_i && !place;
    end
  end

  always_ff @(posedge clk_i) begin
    if (a2_group_i) begin
      a3_kdei_q       <= a2_kdei_i;
      a3_ptr_q.onchip <= onchip;
      a3_ptr_q.index  <= onchip ? RecW'(index) : a2_record_i;
    end
  end

  assign link = a3_valid_q && !failed_i[a3_kdei_q];
  assign over = link && (!a3_ptr_q.onchip || there_i[a3_kdei_q]);

  assign kept_o        = a3_valid_q && !a3_ptr_q.onchip;
  assign refused_o     = a3_refused_q;
  assign alloc_valid_o = a3_valid_q && a3_ptr_q.onchip;
  assign alloc_index_o = AgtW'(a3_ptr_q.index) & {AgtW{alloc_valid_o}};
  assign link_valid_o  = link;
  assign link_kdei_o   = a3_kdei_q & {KdeW{link}};
  assign link_ptr_o    = a3_ptr_q & {PtrW{link}};
  assign link_over_o   = over;
  assign link_next_o   = link && !over && !first;
  assign link_prev_o   = prev & {AgtW{link_next_o}};

  hd_link_lists u_lists (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .link_valid_i (link && !over),
    .link_kdei_i  (a3_kdei_q),
    .link_age_i   (AgtW'(a3_ptr_q.index)),
    .prev_o       (prev),
    .first_o      (first),
    .adv_valid_i  (adv_valid_i),
    .adv_kdei_i   (adv_kdei_i),
    .succ_i       (succ_i),
    .there_i      (there_i),
    .one_i        (one_i),
    .fail_valid_i (fail_valid_i),
    .fail_kdei_i  (fail_kdei_i),
    .take_valid_i (take_valid_i),
    .take_kdei_i  (take_kdei_i),
    .list_o       (list_o),
    .enter_valid_i(enter_valid_i && enter_ready_i),
    .enter_kdei_i (enter_kdei_i),
    .enter_list_i (enter_list_i),
    .pending_o    (pending_o),
    .single_o     (single_o),
    .chained_o    (chained_o),
    .nagei_o      (nagei_o),
    .lagei_o      (lagei_o)
  );

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni && sweep) `HD_ASSERT_IN(a_sweep, !a2_group_i && !a3_valid_q && !free_valid_i,
        "An AGE is allocated or freed in the cycle in which all AGEs are freed.")
  end
  if (hd_pkg::AgtHash != 2) begin : g_check
    `HD_ASSERT_PROP_IN(a_free, free_valid_i |-> valid_q[free_index_i],
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
  `HD_COVER(c_free_and_ask, a2_group_i && free_valid_i && free_index_i == index)
`endif

endmodule
