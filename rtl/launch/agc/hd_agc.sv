// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_agc: aggregated group counts: counts the TBs of each group that were handed out and that are
// done, frees the group's AGE once all are done, and returns the record of a group that overflowed.
//
//   sched load, grant --> [current group: cur] --last TB--> [u_handed] --+
//   sched retire --> R0: read --> R1: [u_done] + 1 ----------------- equal? --> free (link)
//                    parked? [u_parked]                              |
//   load of an overflowed group --> [u_slots] <----------------------+  --> record_done
//
// From dtbl-isca2015 section 4.2 (ExeBL of an AGE). ExeBL is kept as two counts, handed out and
// done, both modulo 2^ExeHalfW, so that each RAM has one writer. That, the overflow slots (AGEs for
// groups in memory) and the return of records are ours.
// - Load: the group becomes current, with count 0 and no TB done (seen := 0, one cycle later). An
//   overflowed group gets slot_o.slot.
// - Last TB handed out: the count goes to u_handed. A load in the same cycle comes after it.
// - An AGE is over when it is neither current nor parked; u_handed then counts all its TBs.
// - Retire, cycle R0: the rows are read. R1: done + 1 is written; if the AGE is over and the value
//   equals the count handed out, the AGE is freed. The row written by R1 is not read; its value is
//   forwarded.
// - Park (hd_agc_parked): the kernel stops with the group partly handed out. When the kernel has
//   left the KD, an overflow slot is freed without returning its record.
// - record_done (hd_agc_slots): offers the record of an overflowed group that is done.
// - Latency: retire at t, free_o.valid at t+2 (the cycle after R1), record_done_valid_o at t+4. All
//   outputs come from registers.
// - Reset: nothing current, seen or waiting; RAM rows have no reset.
// Ports: agc.csv. Model cmodel/launch/agc, tests verif/unit and verif/equiv test_agc, page
// docs/launch/agc.md.
`include "common/hd_assert.svh"
module hd_agc (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  // Overflow slots (sched)
  output hd_pkg::freeslot_t             slot_o,
  // Current group (sched)
  input  hd_pkg::hand_t             sched_hand_i,
  // Kernels parked (sched) and left the KD (kd)
  input  hd_pkg::entry_t            sched_sscr_i,
  input  logic [hd_pkg::NumKde-1:0] kd_left_i,
  // Retired TB (sched)
  input  hd_pkg::retired_t          sched_retire_i,
  // Freed AGE (link)
  output hd_pkg::ageref_t              free_o,
  // Records returned to software
  output logic                      record_done_valid_o,
  output logic [hd_pkg::RecW-1:0]   record_done_o,
  input  logic                      record_done_ready_i
);

  localparam int NumAge = hd_pkg::NumAge;
  localparam int AgtSize = hd_pkg::AgtSize;
  localparam int AgeW = hd_pkg::AgeW;
  localparam int AgtW = hd_pkg::AgtW;
  localparam int OvfW = hd_pkg::OvfW;
  localparam int CountW = hd_pkg::ExeHalfW;

  logic cur_valid_q;
  logic [AgeW-1:0] cur_agei_q;
  logic [CountW-1:0] cur_count_q;
  logic [NumAge-1:0] seen_q;
  logic r1_valid_q, r1_fwd_q, r1_over_q, r1_seen_q;
  logic [AgeW-1:0] r1_agei_q;
  logic [CountW-1:0] r1_value_q;

  // ---- The current group ------------------------------------------------------------------------
  logic last;
  logic [AgeW-1:0] load_agei;
  logic [CountW-1:0] count_up;
  logic load_slot;

  assign load_slot = sched_hand_i.load && !sched_hand_i.ptr.onchip;
  assign last = sched_hand_i.grant && sched_hand_i.last;
  assign load_agei = sched_hand_i.ptr.onchip ? AgeW'(sched_hand_i.ptr.index)
      : AgeW'(AgtSize) + AgeW'(slot_o.slot);
  assign count_up = cur_count_q + CountW'(1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) cur_valid_q <= 1'b0;
    else cur_valid_q <= sched_hand_i.load || (cur_valid_q && !last && !sched_hand_i.park);
  end

  always_ff @(posedge clk_i) begin
    if (sched_hand_i.load) begin
      cur_agei_q  <= load_agei;
      cur_count_q <= '0;
    end else if (sched_hand_i.grant) begin
      cur_count_q <= count_up;
    end
  end

  // ---- Parked groups ----------------------------------------------------------------------------
  logic is_parked, leaving, back_valid;
  logic [OvfW-1:0] back_slot;

  hd_agc_parked u_parked (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .park_valid_i(sched_hand_i.park),
    .park_kdei_i (sched_sscr_i.kdei),
    .park_agei_i (cur_agei_q),
    .left_i      (kd_left_i),
    .agei_i      (sched_retire_i.tb.agei),
    .parked_o    (is_parked),
    .leaving_o   (leaving),
    .back_valid_o(back_valid),
    .back_slot_o (back_slot)
  );

  // ---- Retired TBs ------------------------------------------------------------------------------
  logic r0, r0_fwd, r0_over, freed;

  logic [CountW-1:0] handed, done, done_before, n;
  logic equal, value_equal, done_equal, may_free, is_slot_r1;
  logic [NumAge-1:0] retired_row;

  assign r0          = sched_retire_i.valid && sched_retire_i.tb.age_valid;
  assign r0_fwd      = r1_valid_q && r1_agei_q == sched_retire_i.tb.agei;
  assign r0_over     = !(cur_valid_q && cur_agei_q == sched_retire_i.tb.agei) && !is_parked;
  assign done_before = r1_fwd_q ? r1_value_q : r1_seen_q ? done : '0;
  assign n           = done_before + CountW'(1);

  // n == handed, without waiting for the choice of done_before. timing: equal is the last signal of
  // the cycle to settle, so everything that it selects is prepared.
  hd_follows #(.W(CountW)) u_value_equal (
    .a_i      (r1_value_q),
    .b_i      (handed),
    .follows_o(value_equal)
  );

  hd_follows #(.W(CountW)) u_done_equal (
    .a_i      (done),
    .b_i      (handed),
    .follows_o(done_equal)
  );

  assign equal = r1_fwd_q ? value_equal : r1_seen_q ? done_equal : handed == CountW'(1);
  assign may_free = r1_valid_q && r1_over_q;
  assign is_slot_r1 = 32'(r1_agei_q) >= AgtSize;
  assign freed = may_free && !is_slot_r1 && equal;
  hd_onehot #(.N(NumAge), .IdxW(AgeW)) u_retired_row (
    .valid_i (r1_valid_q),
    .index_i (r1_agei_q),
    .onehot_o(retired_row)
  );

  logic free_valid_q;
  logic [AgtW-1:0] free_index_q;
  assign free_o = {free_valid_q, free_index_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      r1_valid_q   <= 1'b0;
      free_valid_q <= 1'b0;
    end else begin
      r1_valid_q   <= r0;
      free_valid_q <= freed;
    end
  end

  always_ff @(posedge clk_i) begin
    if (r0) begin
      r1_agei_q <= sched_retire_i.tb.agei;
      r1_fwd_q  <= r0_fwd;
      r1_over_q <= r0_over;
      r1_seen_q <= seen_q[sched_retire_i.tb.agei];
    end
    if (r1_valid_q) r1_value_q <= n;
    free_index_q <= freed ? AgtW'(r1_agei_q) : '0;
  end

  hd_ram_1r1w #(.Width(CountW), .Depth(NumAge), .AddrW(AgeW)) u_handed (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (last),
    .waddr_i(cur_agei_q),
    .wdata_i(count_up),
    .re_i   (r0 && r0_over),
    .raddr_i(sched_retire_i.tb.agei),
    .rdata_o(handed)
  );

  hd_ram_1r1w #(.Width(CountW), .Depth(NumAge), .AddrW(AgeW)) u_done (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (r1_valid_q),
    .waddr_i(r1_agei_q),
    .wdata_i(n),
    .re_i   (r0 && !(r1_valid_q && r1_agei_q == sched_retire_i.tb.agei)),
    .raddr_i(sched_retire_i.tb.agei),
    .rdata_o(done)
  );

  // ---- Rows with at least one TB done ----------------------------------------------------------
  // A loaded group starts without the bit. timing: cleared in the cycle after the load, which
  // arrives late; soon enough, because none of its TBs can be done by then.
  logic fresh_q;
  logic [NumAge-1:0] loaded;

  hd_onehot #(.N(NumAge), .IdxW(AgeW)) u_loaded (
    .valid_i (fresh_q),
    .index_i (cur_agei_q),
    .onehot_o(loaded)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fresh_q <= 1'b0;
      seen_q  <= '0;
    end else begin
      fresh_q <= sched_hand_i.load;
      if (fresh_q || r1_valid_q) seen_q <= (seen_q & ~loaded) | retired_row;
    end
  end

  // ---- Overflow slots, returned records --------------------------------------------------------
  hd_agc_slots u_slots (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .slot_valid_o       (slot_o.valid),
    .slot_o             (slot_o.slot),
    .load_i             (load_slot),
    .record_i           (sched_hand_i.ptr.index),
    .retired_valid_i    (may_free && is_slot_r1),
    .retired_slot_i     (OvfW'(r1_agei_q - AgeW'(AgtSize))),
    .equal_i            (equal),
    .leaving_i          (leaving),
    .back_valid_i       (back_valid),
    .back_slot_i        (back_slot),
    .record_done_valid_o(record_done_valid_o),
    .record_done_o      (record_done_o),
    .record_done_ready_i(record_done_ready_i)
  );

  logic unused_bits;
  assign unused_bits = &{1'b0, sched_retire_i.tb.kdei};

`ifdef HD_ASSERT_ON
  logic [NumAge-1:0] live_q;                  // the group was loaded, and TBs of it may retire
  logic [hd_pkg::NumKde-1:0] stopped_q;       // the kernel has parked a group
  logic [hd_pkg::NumKde*AgeW-1:0] stopped_agei_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      live_q    <= '0;
      stopped_q <= '0;
    end else begin
      if (may_free && equal) live_q[r1_agei_q] <= 1'b0;
      for (int i = 0; i < hd_pkg::NumKde; i++) begin
        if (kd_left_i[i]) stopped_q[i] <= 1'b0;
        if (kd_left_i[i] && stopped_q[i]) live_q[stopped_agei_q[i*AgeW+:AgeW]] <= 1'b0;
      end
      if (sched_hand_i.park) stopped_q[sched_sscr_i.kdei] <= 1'b1;
      if (sched_hand_i.load) live_q[load_agei] <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (sched_hand_i.park) stopped_agei_q[sched_sscr_i.kdei*AgeW+:AgeW] <= cur_agei_q;
    if (rst_ni) begin
      `HD_ASSERT_IN(a_retire, sched_retire_i.valid || sched_retire_i.tb == '0,
          "A TB is on sched_retire_i that does not retire.")
      if (r0) `HD_ASSERT_IN(a_retire_live, live_q[sched_retire_i.tb.agei],
          "A TB retires whose group is complete, or whose kernel has parked it and left.")
      if (sched_hand_i.grant || sched_hand_i.park) `HD_ASSERT_IN(a_grant, cur_valid_q,
          "A TB of a group is granted, or a group is parked, while no group is current.")
      if (sched_hand_i.park) `HD_ASSERT_IN(a_park_end, !sched_hand_i.last,
          "A group is parked in the cycle in which its last TB is handed out.")
      if (sched_hand_i.load) `HD_ASSERT_IN(a_load, !cur_valid_q || last,
          "A group is loaded while another is current and does not end in this cycle.")
      if (r1_valid_q && r1_over_q) begin
        `HD_ASSERT_IN(a_retire_over, 32'(CountW'(handed - n)) <= hd_pkg::Resident,
            "More TBs of a group are done than were handed out, or too many are still to retire.")
      end
      if (r1_valid_q) `HD_ASSERT(a_equal, equal == (n == handed),
          "The fast comparison of TBs done and handed out differs from the exact one.")
      `HD_ASSERT_IN(a_load_quiet, !(fresh_q && r1_valid_q && cur_agei_q == r1_agei_q),
          "A TB of a group retires just as that group is loaded.")
    end
  end

  // Rare: forwarding.
  `HD_COVER(c_forward, r1_valid_q && r1_fwd_q)
`endif

endmodule
