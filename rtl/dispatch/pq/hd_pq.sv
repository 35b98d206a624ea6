// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_pq: one bank of priority queues: waiting TBs of launched work, highest level first, and within
// a level in order of arrival.
//
//   push --+--> [list of each level, in u_rows] --fourth--> [u_rows: third] -> [second]
//          |                                     <--put back--               ^          |  ^
//          |                                                                 |          v  |
//          '-- at once, if it precedes the fourth, third or second ----------+------> [front]
//
// From laperm-isca2016 section 4: the priority queues of an SMX, whose levels share the places. In
// the paper a new entry searches for its place; lists whose first three entries are read ahead are
// ours.
// - Front and second are in registers. timing: the second is needed early in the cycle, for the
//   need of its kernel and for hd_laperm_oldest. Both stay in their lists.
// - The front leaves with its last TB; its place is free in the next cycle. The second becomes
//   front, the third becomes second, and the fourth is read.
// - Push and take in one cycle: first the take, then the entry goes behind all entries of its level
//   and above. push_ready_o and room_o do not count the place that is being freed.
// - Places can be kept for entries that return from memory (reserve_i, release_i). Such an entry is
//   pushed with push_kept_i, and accepted without push_ready_o.
// - A front that is overtaken by a higher level resumes with its next TB when it becomes front
//   again.
// - The need of a TB of the front is in a register: a pushed entry brings its own (push_need_i),
//   that of the second is looked up (need_i).
// - front_level_o, second_level_o (0: no such entry) and the arrival numbers with them (any value
//   then) are for hd_laperm_oldest. timing: front_valid_q gates many signals, so gated values would
//   arrive late. These ports are not in pq.csv: a user of a single bank does not need them.
// - Latency: an entry pushed at t can be front at t+1. Rate: one push and one take per cycle. All
//   outputs come from registers.
// - Reset: empty, all places free; entries, heads, tails and links have no reset.
// Ports: pq.csv. Model cmodel/dispatch/pq, tests verif/unit and verif/equiv test_pq, page
// docs/dispatch/pq.md.
`include "common/hd_assert.svh"
module hd_pq (
  input  logic                                        clk_i,
  input  logic                                        rst_ni,
  // Push of an entry
  input  logic                                        push_valid_i,
  input  hd_pkg::pqentry_t                            push_i,
  input  logic [hd_pkg::CtasW-1:0]                    push_nextbl_i,
  input  hd_pkg::need_t                               push_need_i,
  input  logic                                        push_kept_i,
  output logic                                        push_ready_o,
  output logic [2:0]                                  room_o,
  // Places kept for entries from memory
  input  logic                                        reserve_i,
  input  logic [2:0]                                  release_i,
  // Resources per TB (kd)
  input  logic [hd_pkg::NumKde*hd_pkg::NeedW-1:0]     need_i,
  // Head entry
  output logic                                        front_valid_o,
  output hd_pkg::pqentry_t                            front_o,
  output logic [hd_pkg::CtasW-1:0]                    front_nextbl_o,
  output logic                                        front_last_o,
  output hd_pkg::need_t                               front_need_o,
  // Only in the RTL: level and number of front and second, for hd_laperm_oldest; their kernels
  output logic [hd_pkg::LevelW-1:0]                   front_level_o,
  output logic [hd_pkg::KdeW-1:0]                     front_kdei_o,
  output logic [hd_pkg::ArrivalW-1:0]                 front_arrival_o,
  output logic [hd_pkg::LevelW-1:0]                   second_level_o,
  output logic [hd_pkg::ArrivalW-1:0]                 second_arrival_o,
  output logic [hd_pkg::KdeW-1:0]                     second_kdei_o,
  // Grant of a TB of the head entry
  input  logic                                        take_i
);

  localparam int Depth = hd_pkg::PqDepth;
  localparam int PlaceW = hd_pkg::PqW;
  localparam int CountW = hd_pkg::PqCountW;
  localparam int MaxLevel = hd_pkg::MaxLevel;
  localparam int LevelW = hd_pkg::LevelW;
  localparam int BitsW = $clog2(MaxLevel + 1);  // bits of a valid level
  localparam int CtasW = hd_pkg::CtasW;
  localparam int NeedW = hd_pkg::NeedW;

  logic front_valid_q;
  hd_pkg::pqentry_t front_q;
  logic [LevelW-1:0] front_level_q;    // 0: no front
  logic [PlaceW-1:0] front_place_q;
  logic [CtasW-1:0] front_nextbl_q;
  hd_pkg::need_t front_need_q;

  hd_pkg::pqentry_t second_q;
  logic [LevelW-1:0] second_level_q;   // 0: no second
  logic [PlaceW-1:0] second_place_q;
  logic [CtasW-1:0] second_nextbl_q, second_nextbl, third_nextbl;
  logic second_more_q;                 // to be added to second_nextbl_q

  hd_pkg::pqentry_t third;             // the third, and the place of the fourth
  logic [LevelW-1:0] third_level, fourth_level;  // 0: no such entry
  logic [PlaceW-1:0] third_place, fourth;

  // sim speed: a bank is idle in most cycles, so next-state logic is gated by push and take.

  // ---- Push and take ----------------------------------------------------------------------------
  logic push, last_tb, last, leave;
  logic [BitsW-1:0] push_level;
  logic before_front, before_second, before_third, before_fourth;
  logic push_front, push_second, push_third, push_behind, overtake, displace, shift;

  // Selects the need of one entry. A plain AND-OR; an index would become a shifter.
  function automatic logic [NeedW-1:0] need_at(input logic [hd_pkg::NumKde*NeedW-1:0] need,
      input logic [hd_pkg::KdeW-1:0] at);
    need_at = '0;
    for (int i = 0; i < hd_pkg::NumKde; i++) begin
      if (at == hd_pkg::KdeW'(i)) need_at |= need[i*NeedW+:NeedW];
    end
  endfunction

  assign push       = push_valid_i && (push_ready_o || push_kept_i);
  assign push_level = push_i.level[BitsW-1:0];
  assign last       = front_valid_q && last_tb;
  assign leave      = take_i && last;

  hd_follows #(.W(CtasW)) u_last (
    .a_i      (front_nextbl_q),
    .b_i      (front_q.ctas),
    .follows_o(last_tb)
  );

  // Position of the new entry, behind all entries of its level and above: it becomes front, second
  // or third, or goes behind them. The front may leave in this cycle.
  // timing: leave arrives late, so all comparisons are made before it selects among them.
  always_comb begin
    before_front  = 1'b0;
    before_second = 1'b0;
    before_third  = 1'b0;
    before_fourth = 1'b0;
    push_front    = 1'b0;
    push_second   = 1'b0;
    push_third    = 1'b0;
    push_behind   = 1'b0;
    if (push) begin
      before_front  = !front_valid_q || push_level > front_q.level[BitsW-1:0];
      before_second = push_level > second_level_q[BitsW-1:0];
      before_third  = push_level > third_level[BitsW-1:0];
      before_fourth = push_level > fourth_level[BitsW-1:0];
      push_front    = leave ? before_second : before_front;
      push_second   = !push_front && (leave ? before_third : before_second);
      push_third    = !push_front && !push_second && (leave ? before_fourth : before_third);
      push_behind   = !push_front && !push_second && !push_third;
    end
  end

  assign overtake = push_front && !leave;                   // the front becomes second
  assign displace = (push_front || push_second) && !leave;  // the second becomes third
  assign shift    = leave && !push_front && !push_second && !push_third;  // fourth to third

  // ---- Places and levels ------------------------------------------------------------------------
  logic [PlaceW-1:0] place;
  logic [Depth-1:0] used;              // registers of u_places
  logic [MaxLevel-1:0] some;           // element 0 is level 1, as in all vectors of levels
  logic [MaxLevel*PlaceW-1:0] head, tail;  // registers of u_levels
  logic [MaxLevel*CountW-1:0] level_count;
  logic [PlaceW-1:0] push_tail;
  logic some_at_push;                  // the new entry's level is not empty

  hd_pq_places u_places (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .push_i     (push),
    .push_kept_i(push_kept_i),
    .place_o    (place),
    .leave_i    (leave),
    .leave_at_i (front_place_q),
    .reserve_i  (reserve_i),
    .release_i  (release_i),
    .ready_o    (push_ready_o),
    .room_o     (room_o),
    .used_o     (used)
  );

  hd_pq_levels u_levels (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .push_i        (push),
    .push_level_i  (push_i.level),
    .place_i       (place),
    .leave_i       (leave),
    .front_level_i (front_q.level),
    .second_level_i(second_level_q),
    .second_place_i(second_place_q),
    .some_o        (some),
    .head_o        (head),
    .tail_o        (tail),
    .push_some_o   (some_at_push),
    .push_tail_o   (push_tail),
    .count_o       (level_count)
  );

  // ---- Behind the second ------------------------------------------------------------------------
  hd_pq_rows u_rows (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .push_i         (push),
    .push_entry_i   (push_i),
    .push_nextbl_i  (push_nextbl_i),
    .place_i        (place),
    .push_third_i   (push_third),
    .push_behind_i  (push_behind),
    .link_i         (push && some_at_push),
    .push_tail_i    (push_tail),
    .leave_i        (leave),
    .shift_i        (shift),
    .displace_i     (displace),
    .front_level_i  (front_q.level),
    .second_i       (second_q),
    .second_level_i (second_level_q),
    .second_place_i (second_place_q),
    .second_nextbl_i(second_nextbl),
    .some_i         (some),
    .head_i         (head),
    .tail_i         (tail),
    .third_o        (third),
    .third_level_o  (third_level),
    .third_place_o  (third_place),
    .third_nextbl_o (third_nextbl),
    .fourth_level_o (fourth_level),
    .fourth_o       (fourth)
  );

  // ---- Front and second: do they exist? --------------------------------------------------------
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      front_valid_q  <= 1'b0;
      front_level_q  <= '0;
      second_level_q <= '0;
    end else if (push || leave) begin
      if (push_front || leave) front_valid_q <= push_front || second_level_q != '0;
      if (push_front || leave) front_level_q <= push_front ? push_i.level : second_level_q;

      if (overtake) second_level_q <= front_o.level;
      else if (push_second) second_level_q <= push_i.level;
      else if (leave && !push_front) second_level_q <= third_level;
    end
  end

  // ---- Front ------------------------------------------------------------------------------------
  // timing: take_i arrives late. If a front is overtaken in the cycle in which it hands out one
  // more TB, that TB is recorded in second_more_q and added when the entry moves on.
  assign second_nextbl = second_nextbl_q + CtasW'(second_more_q);

  always_ff @(posedge clk_i) begin
    if (push || take_i) begin
      if (push_front) begin
        front_q        <= push_i;
        front_place_q  <= place;
        front_nextbl_q <= push_nextbl_i;
        front_need_q   <= push_need_i;
      end else if (leave) begin
        front_q        <= second_q;
        front_place_q  <= second_place_q;
        front_nextbl_q <= second_nextbl;
        front_need_q   <= need_at(need_i, second_q.kdei);
      end else if (take_i) begin
        front_nextbl_q <= front_nextbl_q + CtasW'(1);
      end
    end
  end

  assign front_o         = front_valid_q ? front_q : '0;
  assign front_nextbl_o  = front_valid_q ? front_nextbl_q : '0;
  assign front_need_o    = front_valid_q ? front_need_q : '0;
  assign front_valid_o   = front_valid_q;
  assign front_last_o    = last;
  assign front_level_o   = front_level_q;
  assign front_kdei_o    = front_q.kdei;
  assign front_arrival_o = front_q.arrival;

  // ---- Second -----------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (push || leave) begin
      if (overtake) begin
        second_q        <= front_q;
        second_place_q  <= front_place_q;
        second_nextbl_q <= front_nextbl_q;
      end else if (push_second) begin
        second_q        <= push_i;
        second_place_q  <= place;
        second_nextbl_q <= push_nextbl_i;
      end else if (leave && !push_front) begin
        second_q        <= third;
        second_place_q  <= third_place;
        second_nextbl_q <= third_nextbl;
      end
      if (overtake || push_second || (leave && !push_front)) begin
        second_more_q <= overtake && take_i;
      end
    end
  end

  assign second_level_o   = second_level_q;
  assign second_arrival_o = second_q.arrival;
  assign second_kdei_o    = second_q.kdei;

`ifdef HD_ASSERT_ON
  `HD_ASSERT_PARAM(a_sizes, MaxLevel >= 1 && MaxLevel <= 16 && Depth >= 2,
      "MaxLevel must be 1 to 16, and PqDepth at least 2.")

  // sim speed: the state is checked in the cycle after it may have changed, since most banks are
  // idle.
  logic stirred_q;
  logic [CountW-1:0] total;
  logic [MaxLevel-1:0] higher;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) stirred_q <= 1'b1;
    else stirred_q <= push_valid_i || take_i;
  end
  always_comb begin
    total = '0;
    higher = '0;
    if (stirred_q) begin
      for (int l = 0; l < MaxLevel; l++) begin
        total   += level_count[l*CountW+:CountW];
        higher[l] = some[l] && l + 1 > 32'(front_o.level);
      end
    end
  end

  // The places kept for entries from memory: reserved, neither used nor released yet.
  logic [CountW-1:0] kept_q;
  logic push_kept;
  assign push_kept = push_valid_i && push_kept_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) kept_q <= '0;
    else if (reserve_i || release_i != '0 || push_kept) begin
      kept_q <= kept_q + CountW'(reserve_i ? hd_pkg::SpillLine : 0) - CountW'(release_i)
          - CountW'(push_kept);
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (take_i) `HD_ASSERT_IN(a_take, front_valid_q, "A TB is taken from an empty bank.")
      if (push_valid_i) begin
        `HD_ASSERT_IN(a_level, push_i.level != '0 && 32'(push_i.level) <= MaxLevel,
            "An entry is pushed with level 0 or one above MaxLevel.")
        `HD_ASSERT_IN(a_nextbl, push_nextbl_i < push_i.ctas,
            "An entry is pushed without a TB left to hand out.")
      end
      if (reserve_i) `HD_ASSERT_IN(a_reserve,
          32'(room_o) >= hd_pkg::SpillLine + 32'(push && !push_kept_i),
          "A line of places is reserved that room_o and an entry pushed at once do not leave.")
      if (push_kept || release_i != '0) `HD_ASSERT_IN(a_kept,
          32'(kept_q) >= 32'(release_i) + 32'(push_kept),
          "More kept places are used or released than were reserved.")
      if (take_i) `HD_ASSERT(a_last, last == (front_nextbl_q + CtasW'(1) == front_q.ctas),
          "The flag of the front's last TB disagrees with its next TB and its number of TBs.")
      `HD_ASSERT(a_front_level, front_level_q == front_o.level,
          "front_level_o differs from the level of front_o.")
      if (front_valid_q) `HD_ASSERT_IN(a_need, front_need_q == need_i[front_q.kdei*NeedW+:NeedW],
          "The need stored for the front differs from that of its kernel in need_i.")
    end
    if (rst_ni && stirred_q) begin
      `HD_ASSERT(a_total, 32'(total) == $countones(used),
          "The counts of the levels do not add up to the number of used places.")
      `HD_ASSERT(a_front, front_valid_q == (total != '0) && higher == '0,
          "A front must exist exactly if the bank holds an entry, and be of the highest level.")
      `HD_ASSERT(a_second, (second_level_q != '0) == (32'(total) > 1),
          "A second entry must exist exactly if the bank holds two or more.")
      `HD_ASSERT(a_third, (third_level != '0) == (32'(total) > 2),
          "A third entry must exist exactly if the bank holds three or more.")
      if (second_level_q != '0) begin
        `HD_ASSERT(a_order, front_q.level >= second_level_q && second_level_q >= third_level
            && second_q.level == second_level_q,
            "The first three entries are not in the order of their levels.")
        `HD_ASSERT(a_places, used[front_place_q] && used[second_place_q]
            && front_place_q != second_place_q,
            "Front and second must have two different used places.")
      end
      if (third_level != '0) begin
        `HD_ASSERT(a_third_place, used[third_place] && third_place != front_place_q
            && third_place != second_place_q,
            "The third must have a used place, other than those of front and second.")
      end
      `HD_ASSERT(a_fourth, (fourth_level != '0) == (32'(total) > 3),
          "A fourth entry must exist exactly if the bank holds four or more.")
      if (fourth_level != '0) begin
        `HD_ASSERT(a_fourth_place, used[fourth] && fourth != front_place_q
            && fourth != second_place_q && fourth != third_place,
            "The fourth must have a used place, other than those of the first three.")
      end
    end
  end

  // Rare: no free place; a front overtaken after it handed out TBs; a new entry before the fourth
  // as the front leaves; the only entry leaves as another one is pushed.
  `HD_COVER(c_full, !push_ready_o)
  `HD_COVER(c_overtake_started, overtake && front_nextbl_o != '0)
  `HD_COVER(c_before_fourth, leave && push_third)
  `HD_COVER(c_last_and_push, leave && push && second_level_q == '0)
`endif

endmodule
