// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_fcfs: the FCFS controller: keeps the marked kernels (those with TBs left to hand out) in order
// of arrival.
//
//   KMU/KD enter ---+--> [ .. | 2nd | oldest ] --> to the scheduler: next, marked; KD, dats: marked
//   link: re-mark --'  ^-- rotate --'    '--> unmark: the oldest has nothing left to hand out
// From dtbl-isca2015 sections 2.2 and 4.2; the shift register and rotate (FairEvery) are ours.
// - A kernel that enters is marked and goes behind the youngest. unmark removes the oldest; all
//   others move up by one. rotate makes the oldest the youngest.
// - A group linked to an unmarked kernel marks it again (re-mark).
// - Events of one cycle apply in this order: unmark or rotate, re-mark, enter. So a re-marked
//   kernel is older than a new one, and a kernel unmarked in the cycle of its link stays marked and
//   becomes the youngest.
// - order_q: position 0 is the oldest; positions from count_q on are 0. marked_q has one bit per
//   entry.
// - Latency: one cycle from any event to the outputs, which are all registers. Rate: one event of
//   each kind per cycle.
// - Reset: nothing marked.
// - Never full: there are as many positions as KD entries.
// Ports: fcfs.csv. Model cmodel/host/fcfs, tests verif/unit and verif/equiv test_fcfs, page
// docs/host/fcfs.md.
`include "common/hd_assert.svh"
module hd_fcfs (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  // Kernel entry into the KD (kd, laperm)
  input  hd_pkg::entry_t            kd_entry_i,
  input  hd_pkg::enter_t            laperm_enter_i,
  // End or rotation of the oldest kernel (sched)
  input  logic                      sched_unmark_i,
  input  logic                      sched_rotate_i,
  // Marking of a kernel (link)
  input  hd_pkg::linked_t           link_link_i,
  // Marked kernels, and the two oldest (kd, sched, dats, regs)
  output logic [hd_pkg::NumKde-1:0] marked_o,
  output hd_pkg::entry_t            head_o,
  output hd_pkg::entry_t            next_o
);

  localparam int NumKde = hd_pkg::NumKde;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int CountW = hd_pkg::KdeCountW;
  localparam int OrderW = NumKde * KdeW;

  logic [CountW-1:0] count_q;
  logic [OrderW-1:0] order_q;
  logic [NumKde-1:0] marked_q;

  // timing: sched_unmark_i and sched_rotate_i settle last in the cycle, so the results with and
  // without them
  // are computed in parallel, and they select.
  logic enter, joins, joins_after;  // the linked kernel joins; the same if the oldest leaves first
  logic [NumKde-1:0] entered, unmarked, linked;
  logic [CountW-1:0] count_up, count_up_after;

  assign enter = kd_entry_i.valid && laperm_enter_i.mark;
  assign entered = {{NumKde - 1{1'b0}}, enter} << kd_entry_i.kdei;
  assign linked = {{NumKde - 1{1'b0}}, link_link_i.valid} << link_link_i.kdei;
  assign unmarked = {{NumKde - 1{1'b0}}, sched_unmark_i} << head_o.kdei;
  assign joins = link_link_i.valid && !marked_q[link_link_i.kdei];
  assign joins_after = link_link_i.valid
      && (!marked_q[link_link_i.kdei] || link_link_i.kdei == head_o.kdei);
  assign count_up = count_q + CountW'(joins) + CountW'(enter);
  assign count_up_after = count_q - CountW'(1) + CountW'(joins_after) + CountW'(enter);

  // Positions behind the youngest are 0, so a joining kernel can be ORed into the order.
  logic [NumKde:0] behind;  // position count_q
  logic [NumKde-1:0] at_end, at_last, at_second, at_first;
  logic [KdeW-1:0] enter_kdei, mark_kdei, first, first_after, second;

  assign behind = {{NumKde{1'b0}}, 1'b1} << count_q;
  assign at_end = behind[NumKde-1:0];
  assign at_last = behind[NumKde:1];
  assign at_second = at_end << 1;
  assign at_first = at_last;
  assign enter_kdei = kd_entry_i.kdei & {KdeW{enter}};
  assign mark_kdei = link_link_i.kdei & {KdeW{link_link_i.valid}};
  assign first = joins ? mark_kdei : enter_kdei;
  assign first_after = joins_after ? mark_kdei : enter_kdei;
  assign second = enter_kdei;

  // An order with kdei at the positions marked in at, 0 elsewhere.
  function automatic logic [OrderW-1:0] place(input logic [NumKde-1:0] at,
      input logic [KdeW-1:0] kdei);
    place = '0;
    for (int p = 0; p < NumKde; p++) begin
      place = place | ({OrderW{at[p]}} & (OrderW'(kdei) << (p * KdeW)));
    end
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q  <= '0;
      order_q  <= '0;
      marked_q <= '0;
    end else if (enter || link_link_i.valid || sched_unmark_i || sched_rotate_i) begin
      count_q  <= sched_unmark_i ? count_up_after : count_up;
      marked_q <= (marked_q & ~unmarked) | linked | entered;
      if (sched_unmark_i) begin
        order_q <= (order_q >> KdeW) | place(at_first, first_after)
            | place(at_end & {NumKde{joins_after}}, second);
      end else if (sched_rotate_i) begin
        order_q <= (order_q >> KdeW) | place(at_last, head_o.kdei) | place(at_end, first)
            | place(at_second & {NumKde{joins}}, second);
      end else begin
        order_q <= order_q | place(at_end, first) | place(at_second & {NumKde{joins}}, second);
      end
    end
  end

  assign marked_o     = marked_q;
  assign head_o.valid = count_q != '0;
  assign head_o.kdei  = order_q[KdeW-1:0];

  // With a single KD entry there is no second position.
  if (NumKde > 1) begin : g_next
    assign next_o.valid = count_q > CountW'(1);
    assign next_o.kdei = order_q[2*KdeW-1:KdeW];
  end else begin : g_no_next
    assign next_o.valid = 1'b0;
    assign next_o.kdei = '0;
  end

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (sched_unmark_i || sched_rotate_i) `HD_ASSERT_IN(a_unmark, head_o.valid
          && !(sched_unmark_i && sched_rotate_i),
          "unmark or rotate is set while no kernel is marked, or both are set.")
      if (enter) `HD_ASSERT_IN(a_enter, 32'(count_q) < NumKde && (marked_q & entered) == '0,
          "A kernel enters while all positions are in use, or into an entry that is marked.")
      `HD_ASSERT(a_count, 32'(count_q) == $countones(marked_q),
          "The count of marked kernels differs from the number of mark bits.")
      if (head_o.valid) `HD_ASSERT(a_head, marked_q[head_o.kdei],
          "The oldest kernel is not marked.")
      if (next_o.valid) `HD_ASSERT(a_next, marked_q[next_o.kdei],
          "The second oldest kernel is not marked.")
      `HD_ASSERT(a_zero, order_q >> (32'(count_q) * KdeW) == '0,
          "A position behind the youngest kernel is not 0.")
      `HD_ASSERT_IN(a_link, (entered & linked) == '0,
          "A kernel enters an entry in the cycle in which a group is linked to that entry.")
    end
  end

  // Rare: an entry and an unmark at once; the oldest re-marked as it leaves; a rotation while other
  // kernels join; every entry marked.
  `HD_COVER(c_enter_unmark, enter && sched_unmark_i)
  `HD_COVER(c_remark, sched_unmark_i && (unmarked & linked) != '0)
  `HD_COVER(c_rotate_join, sched_rotate_i && joins && enter)
  `HD_COVER(c_all_marked, &marked_q)
`endif

endmodule
