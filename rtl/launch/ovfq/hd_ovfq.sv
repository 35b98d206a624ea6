// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_ovfq: keeps overflowed groups in order: the list of each kernel's groups, from the first
// overflowed one on, is in memory; records are fetched ahead for the kernel in the SSCR.
//
//   push --> [u_bursts: pointers to write, op] --> memory port --> lists, records
//              |                          ^                           | [u_flight]
//              '--> [u_lists: number, first, count of each entry]     |
//                         |                                           v
//   sscr -> [tag] --> [u_ahead: window of pointers, rows of groups] <-- beats --> next
//
// From dtbl-isca2015 section 4.2 (groups without an entry stay in memory and are fetched ahead of
// need). The paper chains them by a pointer in each; lists, and several fetches in flight, are
// ours.
// - A push is written to its place; up to Flight writes and Flight reads are in flight. A place is
//   read only when its write is answered.
// - The tag follows the SSCR. When it changes, or its kernel fails, prefetched data is dropped.
//   Reading restarts when none of the old reads is in flight any more, at the first group that is
//   not handed out, so nothing is lost.
// - An error of a write, of a list read or of a record read, or a record without TBs, fails the
//   kernel.
// - A list has as many places as there can be records and AGEs, but at most 2^ListPosW; full_o
//   marks a list without a free place, and link then refuses the group in A2.
// - Latency: push at t, mem_o.valid at t+2. Rate: one group in and one out per 8 cycles. Outputs
//   come from registers; mem_o.req also depends on the base addresses, full_o on link_link_i.
// - Reset: all lists empty, entry k has list k; rows have no reset.
// Ports: ovfq.csv. Model cmodel/launch/ovfq, tests verif/unit and verif/equiv test_ovfq, page
// docs/launch/ovfq.md.
`include "common/hd_assert.svh"
module hd_ovfq (
  input  logic                                   clk_i,
  input  logic                                   rst_ni,
  // Push of a group to the list of its kernel (link A3)
  input  hd_pkg::linked_t                        link_link_i,
  output logic                                   room_o,
  // Last TB of the head group handed out (sched, link)
  input  logic                                   sched_advance_i,
  input  hd_pkg::entry_t                         sched_sscr_i,
  input  logic [hd_pkg::NumKde-1:0]              link_chained_i,
  // Lists (link)
  output logic [hd_pkg::NumKde-1:0]              there_o,
  output logic [hd_pkg::NumKde-1:0]              one_o,
  output logic [hd_pkg::NumKde-1:0]              full_o,
  output logic [hd_pkg::NumKde-1:0]              unanswered_o,
  // Failed kernels (susp, spill)
  input  logic [2*hd_pkg::EntryW-1:0]            fails_i,
  // Suspension of a kernel (kd, susp)
  input  hd_pkg::entry_t                         kd_take_i,
  input  logic [hd_pkg::NumKde*hd_pkg::KinW-1:0] kd_kin_i,
  output hd_pkg::memlist_t                       taken_o,
  // Kernel entry into the KD (kmu, kd)
  input  hd_pkg::entry_t                         kd_entry_i,
  input  hd_pkg::offer_t                         kmu_offer_i,
  // Kernel in the SSCR (sched)
  input  hd_pkg::schedev_t                       sched_events_i,
  // Next overflowed group (agt)
  output hd_pkg::grouphead_t                     over_o,
  input  logic                                   agt_over_pop_i,
  // Regions in memory (regs)
  input  hd_pkg::settings_t                      regs_config_i,
  // Failures and counted events (kd, link, agt, regs)
  output hd_pkg::entry_t                         write_fail_o,
  output hd_pkg::entry_t                         fetch_fail_o,
  output logic                                   fetch_o,
  // Memory port (memarb)
  output hd_pkg::memup_t                         mem_o,
  input  hd_pkg::memdown_t                       mem_i
);

  localparam int NumKde = hd_pkg::NumKde;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int RecW = hd_pkg::RecW;
  localparam int PtrW = hd_pkg::PtrW;
  localparam int ListPosW = hd_pkg::ListPosW;
  localparam int ListNumW = hd_pkg::ListNumW;
  localparam int ListCountW = hd_pkg::ListCountW;
  localparam int UnansW = hd_pkg::UnansW;
  localparam int ArgW = hd_pkg::OvfqArgW;
  localparam int SumW = 33;

  // ---- Failed kernels ---------------------------------------------------------------------------
  logic [2-1:0] fail_valid;
  logic [2*KdeW-1:0] fail_kdei;

  for (genvar k = 0; k < 2; k++) begin : g_fail
    assign {fail_valid[k], fail_kdei[k*KdeW+:KdeW]} = fails_i[k*hd_pkg::EntryW+:hd_pkg::EntryW];
  end

  // ---- Lists ------------------------------------------------------------------------------------
  logic enter, swapping;
  logic [NumKde-1:0] cleared;
  logic [ListPosW-1:0] push_pos, mask_q, mask;
  logic [NumKde*ListNumW-1:0] number;
  logic [NumKde*ListPosW-1:0] first;
  logic [NumKde*ListCountW-1:0] count;
  logic [NumKde*UnansW-1:0] unans;
  logic [NumKde-1:0] known;
  logic [NumKde*PtrW-1:0] head;
  logic [KdeW-1:0] wait_kdei;
  logic write_fail_q, fetch_fail_q;
  logic [KdeW-1:0] write_fail_kdei_q, fetch_fail_kdei_q;

  assign enter = kd_entry_i.valid;

  hd_ovfq_lists u_lists (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .push_valid_i   (link_link_i.over),
    .push_kdei_i    (link_link_i.kdei),
    .push_ptr_i     (link_link_i.ptr),
    .push_pos_o     (push_pos),
    .adv_valid_i    (sched_advance_i),
    .adv_kdei_i     (sched_sscr_i.kdei),
    .chained_i      (link_chained_i),
    .answer_valid_i (mem_i.b_valid),
    .answer_kdei_i  (wait_kdei),
    .fail_valid_i   ({fail_valid, write_fail_o.valid, fetch_fail_o.valid}),
    .fail_kdei_i    ({fail_kdei, write_fail_o.kdei, fetch_fail_o.kdei}),
    .take_valid_i   (kd_take_i.valid),
    .take_kdei_i    (kd_take_i.kdei),
    .kin_i          (kd_kin_i),
    .taken_o        (taken_o),
    .enter_valid_i  (enter),
    .enter_kdei_i   (kd_entry_i.kdei),
    .enter_resumed_i(kmu_offer_i.kernel.resumed),
    .enter_kin_i    (kmu_offer_i.kernel.kin),
    .enter_list_i   (kmu_offer_i.kernel.over),
    .mask_i         (mask_q),
    .swapping_o     (swapping),
    .cleared_o      (cleared),
    .there_o        (there_o),
    .one_o          (one_o),
    .full_o         (full_o),
    .unanswered_o   (unanswered_o),
    .list_o         (number),
    .first_o        (first),
    .count_o        (count),
    .unans_o        (unans),
    .known_o        (known),
    .head_o         (head)
  );

  // Mask of list positions: the number of places of a list, a power of two for all records and
  // AGEs, minus one.
  logic [SumW-1:0] last_place;

  assign last_place = SumW'(regs_config_i.rec_count) + SumW'(hd_pkg::AgtSize - 1);
  always_comb begin
    for (int i = 0; i < ListPosW; i++) mask[i] = i < 6 || (last_place >> i) != '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) mask_q <= ListPosW'(63);
    else mask_q <= mask;
  end

  // ---- The kernel whose list is read ahead -----------------------------------------------------
  logic tag_valid_q, flush, stop, start, run;
  logic [KdeW-1:0] tag_kdei_q;
  logic write_full, read_full, read_none;

  assign flush = tag_valid_q != sched_sscr_i.valid
      || (sched_sscr_i.valid && tag_kdei_q != sched_sscr_i.kdei);
  assign stop  = flush || (tag_valid_q && cleared[tag_kdei_q]);
  assign start = !run && !stop && tag_valid_q && read_none && !swapping;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) tag_valid_q <= 1'b0;
    else if (flush) tag_valid_q <= sched_sscr_i.valid;
  end

  always_ff @(posedge clk_i) if (flush) tag_kdei_q <= sched_sscr_i.kdei;

  logic want_list, want_record, list_begin, record_begin, bad, error;
  logic [ListPosW-1:0] want_pos;
  logic [3:0] want_places;
  logic [RecW-1:0] want_index;
  logic [hd_pkg::OvfqRowW-1:0] want_row;
  logic [1:0] beat;
  hd_pkg::ovfqread_t read, reading;
  logic over_valid;
  hd_pkg::group_t over;

  hd_ovfq_ahead u_ahead (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .stop_i        (stop),
    .begin_i       (start),
    .first_i       (first[tag_kdei_q*ListPosW+:ListPosW]),
    .count_i       (count[tag_kdei_q*ListCountW+:ListCountW]),
    .unans_i       (unans[tag_kdei_q*UnansW+:UnansW]),
    .known_i       (known[tag_kdei_q]),
    .head_i        (head[tag_kdei_q*PtrW+:PtrW]),
    .push_i        (link_link_i.over && link_link_i.kdei == tag_kdei_q),
    .push_ptr_i    (link_link_i.ptr),
    .waiting_i     (sched_events_i.waiting),
    .run_o         (run),
    .want_list_o   (want_list),
    .want_pos_o    (want_pos),
    .want_places_o (want_places),
    .want_record_o (want_record),
    .want_index_o  (want_index),
    .want_row_o    (want_row),
    .list_begin_i  (list_begin),
    .record_begin_i(record_begin),
    .r_valid_i     (mem_i.r_valid),
    .r_i           (mem_i.r),
    .read_i        (reading),
    .beat_i        (beat),
    .error_i       (error),
    .bad_o         (bad),
    .over_valid_o  (over_valid),
    .over_o        (over),
    .over_pop_i    (agt_over_pop_i)
  );

  // ---- Bursts -----------------------------------------------------------------------------------
  logic write_begin;
  logic [KdeW-1:0] write_kdei;

  hd_ovfq_bursts u_bursts (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .push_valid_i (link_link_i.over),
    .push_kdei_i  (link_link_i.kdei),
    .push_pos_i   (push_pos),
    .push_ptr_i   (link_link_i.ptr),
    .room_o       (room_o),
    .want_list_i  (want_list),
    .want_kdei_i  (tag_kdei_q),
    .want_pos_i   (want_pos),
    .want_places_i(want_places),
    .want_record_i(want_record),
    .want_index_i (want_index),
    .swapping_i   (swapping),
    .list_i       (number),
    .mask_i       (mask_q),
    .rec_base_i   (regs_config_i.rec_base),
    .list_base_i  (regs_config_i.list_base),
    .write_full_i (write_full),
    .read_full_i  (read_full),
    .write_o      (write_begin),
    .write_kdei_o (write_kdei),
    .list_o       (list_begin),
    .record_o     (record_begin),
    .fetch_event_o(fetch_o),
    .mem_o        (mem_o),
    .ready_i      (mem_i.ready),
    .take_i       (mem_i.take)
  );

  // ---- Bursts in flight ------------------------------------------------------------------------
  assign read.oflist = list_begin;
  assign read.arg    = list_begin ? ArgW'(want_places) : ArgW'(want_row);

  hd_ovfq_flight u_flight (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .write_i     (write_begin),
    .write_kdei_i(write_kdei),
    .write_full_o(write_full),
    .b_valid_i   (mem_i.b_valid),
    .b_kdei_o    (wait_kdei),
    .read_i      (list_begin || record_begin),
    .read_is_i   (read),
    .read_full_o (read_full),
    .read_none_o (read_none),
    .r_valid_i   (mem_i.r_valid),
    .r_last_i    (mem_i.r.last),
    .r_error_i   (mem_i.r.error),
    .r_is_o      (reading),
    .r_beat_o    (beat),
    .r_error_o   (error)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_fail_q <= 1'b0;
      fetch_fail_q <= 1'b0;
    end else begin
      write_fail_q <= mem_i.b_valid && mem_i.b_error;
      fetch_fail_q <= bad;
    end
  end

  always_ff @(posedge clk_i) begin
    write_fail_kdei_q <= wait_kdei;
    fetch_fail_kdei_q <= tag_kdei_q;
  end

  // ---- Outputs ----------------------------------------------------------------------------------
  assign write_fail_o.valid = write_fail_q;
  assign write_fail_o.kdei  = write_fail_q ? write_fail_kdei_q : '0;
  assign fetch_fail_o.valid = fetch_fail_q;
  assign fetch_fail_o.kdei  = fetch_fail_q ? fetch_fail_kdei_q : '0;

  assign over_o.valid = over_valid;
  assign over_o.kdei  = over_valid ? tag_kdei_q : '0;
  assign over_o.group = over;

`ifdef HD_ASSERT_ON
  localparam int Flight = hd_pkg::OvfqFlight;
  localparam int Apart = 8;  // cycles between two takes, and from a resume to the second after it
  localparam int ApartW = $clog2(Apart + 1);

  logic take_ok, b_ok, r_ok, sscr_same, entered, resumed;
  logic [1:0] room_q;                // room_o in the two previous cycles
  logic [ListCountW-1:0] walked_q;   // groups of this walk that were popped and not handed out
  logic [ApartW-1:0] take_q, last_q, before_q;  // cycles since a take; the last resumes

  hd_mem_answers #(.Reads(Flight), .Writes(Flight)) u_answers (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .mem_up_i  (mem_o),
    .mem_down_i(mem_i),
    .take_ok_o (take_ok),
    .b_ok_o    (b_ok),
    .r_ok_o    (r_ok)
  );

  assign sscr_same = tag_valid_q && sched_sscr_i.valid && sched_sscr_i.kdei == tag_kdei_q;
  assign entered   = enter && link_link_i.over && link_link_i.kdei == kd_entry_i.kdei;
  assign resumed   = enter && kmu_offer_i.kernel.resumed;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      room_q   <= '0;
      walked_q <= '0;
      take_q   <= ApartW'(Apart);
      last_q   <= ApartW'(Apart);
      before_q <= ApartW'(Apart);
    end else begin
      room_q <= {room_q[0], room_o};
      if (stop) walked_q <= '0;
      else walked_q <= walked_q + ListCountW'(agt_over_pop_i)
          - ListCountW'(sched_advance_i && !link_chained_i[tag_kdei_q]);
      if (kd_take_i.valid) take_q <= ApartW'(1);
      else if (32'(take_q) != Apart) take_q <= take_q + ApartW'(1);
      if (resumed) last_q <= ApartW'(1);
      else if (32'(last_q) != Apart) last_q <= last_q + ApartW'(1);
      if (resumed) before_q <= 32'(last_q) == Apart ? last_q : last_q + ApartW'(1);
      else if (32'(before_q) != Apart) before_q <= before_q + ApartW'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT_IN(a_port, take_ok,
          "The port accepts a beat that it does not await, or a burst before the last beat.")
      `HD_ASSERT_IN(a_answer, b_ok, "An answer comes for a write that is not written.")
      `HD_ASSERT_IN(a_beats, r_ok,
          "A beat comes that no read awaits, or the last beat of a read is not marked.")
      if (link_link_i.over) begin
        `HD_ASSERT_IN(a_room, room_q[1], "A group is pushed without room two cycles before.")
        `HD_ASSERT_IN(a_places, 32'(count[link_link_i.kdei*ListCountW+:ListCountW]) <= 32'(mask_q),
            "A group is pushed to a list that is full.")
      end
      if (sched_advance_i) begin
        `HD_ASSERT_IN(a_adv, sscr_same,
            "A group is handed out of a kernel whose list is not the one being read.")
        `HD_ASSERT_IN(a_walked, link_chained_i[tag_kdei_q] || walked_q != '0,
            "A group is handed out that is not in the chain of its kernel and was not popped.")
      end
      if (agt_over_pop_i) `HD_ASSERT_IN(a_pop, over_valid,
          "A group is popped while none is offered.")
      if (kd_take_i.valid) begin
        `HD_ASSERT_IN(a_take, !unanswered_o[kd_take_i.kdei]
            && !(sched_sscr_i.valid && sched_sscr_i.kdei == kd_take_i.kdei)
            && !(link_link_i.over && link_link_i.kdei == kd_take_i.kdei),
            "A kernel is suspended that is in the SSCR, or while a group is written to its list.")
        `HD_ASSERT_IN(a_take_apart, 32'(take_q) == Apart,
            "A kernel is suspended less than 8 cycles after another.")
      end
      if (enter) begin
        `HD_ASSERT_IN(a_enter, !there_o[kd_entry_i.kdei] && !unanswered_o[kd_entry_i.kdei]
            && !entered && !cleared[kd_entry_i.kdei]
            && !(sched_sscr_i.valid && sched_sscr_i.kdei == kd_entry_i.kdei),
            "A kernel enters an entry that is in the SSCR, or whose list is not empty or changes.")
      end
      if (resumed) `HD_ASSERT_IN(a_resume_apart, 32'(before_q) == Apart,
          "Three kernels resume within 8 cycles.")
    end
  end

  // Rare: reading waits for dropped bursts; a push fills a list.
  `HD_COVER(c_fills, link_link_i.over && full_o[link_link_i.kdei])
  `HD_COVER(c_waits, !run && tag_valid_q && !stop && !read_none)
`endif

endmodule
