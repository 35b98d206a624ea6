// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_pq: one bank of priority queues: TBs of launched work that wait, the highest level first,
// within a level in the order of arrival.
//
//   push --+--> [list of each level: u_row, u_link, u_nextbl] --fourth--> [third] -> [second]
//          |                                               <--put back--     ^          |  ^
//          |                                                                 |          v  |
//          '-- at once, if it comes before the fourth, third or second ------+------> [front]
//
// From laperm-isca2016 section 4: an SMX's priority queues, whose levels share the places. There a
// new entry searches for its place; lists, with their first three entries read ahead, are ours.
// - Front and second lie in registers, the third in registers or behind the RAMs' reads: the second
//   is known early in the cycle, for what its kernel needs and for hd_oldest. They stay in their
//   lists, so that to put the third back is to write its next TB.
// - With its last TB the front leaves; its place is free in the next cycle. The second becomes
//   front, the third second, and the fourth is read: the next of the third's level, else the head
//   of the next lower.
// - Push and take in one cycle: the take first, then the entry goes behind all of its level and
//   above. push_ready_o does not count the place that is freed.
// - An entry that is linked to the third, or to the row that is read, sets that link by hand.
// - A front that is overtaken by a higher level goes on with its next TB when it comes back.
// - What a TB of the front needs stands in a register: that of an entry that becomes front at once
//   comes with it, that of the second is looked up (need_i).
// - second_level_o (0: there is no second) and second_arrival_o tell hd_oldest what comes if the
//   front leaves. front_level_o (0: there is no front) and front_arrival_o (anything then) are for
//   it as well: front_valid_q gates so much that what it gates comes late. They stand in no table
//   (pq.csv), since they show nothing that a user of one bank would ask for.
// - Latency: pushed at t, front at t+1 if it is first; one push and one take per cycle. All outputs
//   come from registers.
// - Reset: empty, all places free; entries, heads, tails and links keep anything.
// Ports: pq.csv. Model cmodel/dispatch/pq, tests verif/unit and verif/equiv test_pq, page docs/dispatch/pq.md.
`include "common/hd_fault.svh"
module hd_pq (
  input  logic                                        clk_i,
  input  logic                                        rst_ni,
  // An entry is put in
  input  logic                                        push_valid_i,
  input  hd_pkg::pqentry_t                            push_i,
  input  logic [hd_pkg::CtasW-1:0]                    push_nextbl_i,
  input  hd_pkg::need_t                               push_need_i,
  output logic                                        push_ready_o,
  output logic                                        two_ready_o,
  output logic                                        three_ready_o,
  // What TBs need (kd)
  input  logic [hd_pkg::NumKde*hd_pkg::NeedW-1:0]     need_i,
  // The first entry
  output logic                                        front_valid_o,
  output hd_pkg::pqentry_t                            front_o,
  output logic [hd_pkg::CtasW-1:0]                    front_nextbl_o,
  output logic                                        front_last_o,
  output hd_pkg::need_t                               front_need_o,
  // Only in the RTL: level and number of front and second, for hd_oldest; kernel of the second
  output logic [hd_pkg::LevelW-1:0]                   front_level_o,
  output logic [hd_pkg::ArrivalW-1:0]                 front_arrival_o,
  output logic [hd_pkg::LevelW-1:0]                   second_level_o,
  output logic [hd_pkg::ArrivalW-1:0]                 second_arrival_o,
  output logic [hd_pkg::KdeW-1:0]                     second_kdei_o,
  // A TB of the first is handed out
  input  logic                                        take_i
);

  localparam int Depth = hd_pkg::PqDepth;
  localparam int PlaceW = hd_pkg::PqW;
  localparam int CountW = hd_pkg::PqCountW;
  localparam int MaxLevel = hd_pkg::MaxLevel;
  localparam int LevelW = hd_pkg::LevelW;
  localparam int BitsW = $clog2(MaxLevel + 1);  // of a level that there is
  localparam int CtasW = hd_pkg::CtasW;
  localparam int NeedW = hd_pkg::NeedW;
  localparam int EntryW = hd_pkg::PqentryW;

  logic front_valid_q;
  hd_pkg::pqentry_t front_q;
  logic [LevelW-1:0] front_level_q;    // 0: there is none
  logic [PlaceW-1:0] front_place_q;
  logic [CtasW-1:0] front_nextbl_q;
  hd_pkg::need_t front_need_q;

  hd_pkg::pqentry_t second_q;
  logic [LevelW-1:0] second_level_q;   // 0: there is none
  logic [PlaceW-1:0] second_place_q;
  logic [CtasW-1:0] second_nextbl_q;

  logic third_ram_q;                   // entry and next TB stand behind the RAMs, else in registers
  logic third_link_ram_q;              // so does its link
  hd_pkg::pqentry_t third_q;
  logic [LevelW-1:0] third_level_q;    // 0: there is none
  logic [PlaceW-1:0] third_place_q, third_link_q;
  logic [CtasW-1:0] third_nextbl_q;

  hd_pkg::pqentry_t row;               // what the RAMs hold of the row that was read
  logic [PlaceW-1:0] row_link;
  logic [CtasW-1:0] row_nextbl;

  // A bank rests most of the time, and a simulator skips what stands under an event: so what a push
  // or a take changes does, and the fourth is looked for only behind a third.

  // ---- Push and take ----------------------------------------------------------------------------
  logic push, last_tb, last, leave;
  logic before_front, before_second, before_third, before_fourth;
  logic push_front, push_second, push_third, push_behind, overtake, displace, shift;
  logic [LevelW-1:0] fourth_level;     // 0: there is none
  logic [BitsW-1:0] level;             // of the new entry

  // One need of many: a plain AND-OR, where an index would become a shifter.
  function automatic logic [NeedW-1:0] need_at(input logic [hd_pkg::NumKde*NeedW-1:0] need,
      input logic [hd_pkg::KdeW-1:0] at);
    need_at = '0;
    for (int i = 0; i < hd_pkg::NumKde; i++) begin
      if (at == hd_pkg::KdeW'(i)) need_at |= need[i*NeedW+:NeedW];
    end
  endfunction

  assign push  = push_valid_i && push_ready_o;
  assign last  = front_valid_q && last_tb;
  assign leave = take_i && last;

  hd_follows #(.W(CtasW)) u_last (
    .a_i      (front_nextbl_q),
    .b_i      (front_q.ctas),
    .follows_o(last_tb)
  );

  assign level = push_i.level[BitsW-1:0];

  // Where the new entry goes in what the take leaves over.
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
      before_front  = `HD_FAULT(82, !front_valid_q || level > front_q.level[BitsW-1:0],
          !front_valid_q);
      before_second = `HD_FAULT(81, level > second_level_q[BitsW-1:0],
          level >= second_level_q[BitsW-1:0]);
      before_third  = level > third_level_q[BitsW-1:0];
      before_fourth = level > fourth_level[BitsW-1:0];
      push_front    = `HD_FAULT(86, leave, 1'b0) ? before_second : before_front;
      push_second   = !push_front && (leave ? before_third : before_second);
      push_third    = !push_front && !push_second && (leave ? before_fourth : before_third);
      push_behind   = !push_front && !push_second && !push_third;
    end
  end

  assign overtake = push_front && !leave;                   // the front becomes second
  assign displace = (push_front || push_second) && !leave;  // the second becomes third
  assign shift    = leave && !push_front && !push_second && !push_third;  // the fourth does

  // ---- Places and levels ------------------------------------------------------------------------
  logic [PlaceW-1:0] place;
  logic [Depth-1:0] used;              // registers of u_places
  logic [CountW-1:0] used_count;
  logic [MaxLevel-1:0] some;           // element 0: level 1, as of all vectors of levels
  logic [MaxLevel*PlaceW-1:0] head, tail;  // registers of u_levels
  logic [MaxLevel*CountW-1:0] level_count;
  logic [PlaceW-1:0] push_tail;
  logic some_at_push, link;            // the new entry's level has others

  hd_pq_places u_places (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .push_i       (push),
    .place_o      (place),
    .leave_i      (leave),
    .leave_at_i   (front_place_q),
    .ready_o      (push_ready_o),
    .two_ready_o  (two_ready_o),
    .three_ready_o(three_ready_o),
    .used_o       (used),
    .used_count_o (used_count)
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

  assign link = push && some_at_push;

  // ---- The fourth -------------------------------------------------------------------------------
  logic [PlaceW-1:0] fourth, third_tail;
  logic above;                         // a higher level has it
  logic more;                          // the third is not the last of its level

  // It is the next of the third's level, or the first of the next lower one: levels above the
  // third's have front and second alone.
  always_comb begin
    fourth_level = '0;
    fourth       = '0;
    third_tail   = '0;
    above        = 1'b0;
    more         = 1'b0;
    if (third_level_q != '0) begin
      for (int l = MaxLevel - 1; l >= 0; l--) begin
        if (third_level_q == LevelW'(l + 1)) begin
          third_tail |= tail[l*PlaceW+:PlaceW];
        end else if (some[l] && front_q.level != LevelW'(l + 1)
            && second_level_q != LevelW'(l + 1) && !above) begin
          above        = 1'b1;
          fourth_level = LevelW'(l + 1);
          fourth       = head[l*PlaceW+:PlaceW];
        end
      end
      more = third_place_q != third_tail;
      if (more) begin
        fourth_level = third_level_q;
        fourth       = third_link_ram_q ? row_link : third_link_q;
      end
    end
  end

  // ---- Rows -------------------------------------------------------------------------------------
  logic read, behind_third, behind_fourth, by_hand, put_back;

  assign read = shift && fourth_level != '0;

  hd_ram_1r1w #(.Width(EntryW), .Depth(Depth), .AddrW(PlaceW)) u_row (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (push),
    .waddr_i(place),
    .wdata_i(push_i),
    .re_i   (read),
    .raddr_i(fourth),
    .rdata_o(row)
  );

  // All tails are compared before it is known which counts: level and shift come late.
  always_comb begin
    behind_third  = 1'b0;
    behind_fourth = 1'b0;
    for (int l = 0; l < MaxLevel; l++) begin
      if (push_i.level == LevelW'(l + 1)) begin
        behind_third  |= tail[l*PlaceW+:PlaceW] == third_place_q;
        behind_fourth |= tail[l*PlaceW+:PlaceW] == fourth;
      end
    end
  end

  assign by_hand = link && (shift ? `HD_FAULT(85, behind_fourth, behind_third) : behind_third);

  hd_ram_1r1w #(.Width(PlaceW), .Depth(Depth), .AddrW(PlaceW), .Conflict(1'b1)) u_link (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (link),
    .waddr_i(push_tail),
    .wdata_i(place),
    .re_i   (read),
    .raddr_i(fourth),
    .rdata_o(row_link)
  );

  // A new entry that goes into the registers has its next TB there; so u_nextbl is free to take
  // that of the third, if it did not come from there.
  assign put_back = (displace || (push_third && !leave)) && third_level_q != '0 && !third_ram_q;

  hd_ram_1r1w #(.Width(CtasW), .Depth(Depth), .AddrW(PlaceW)) u_nextbl (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (push_behind || `HD_FAULT(117, put_back, 1'b0)),
    .waddr_i(push_behind ? place : third_place_q),
    .wdata_i(push_behind ? push_nextbl_i : third_nextbl_q),
    .re_i   (read),
    .raddr_i(fourth),
    .rdata_o(row_nextbl)
  );

  // ---- Front, second, third: is there one? ------------------------------------------------------
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      front_valid_q  <= 1'b0;
      front_level_q  <= '0;
      second_level_q <= '0;
      third_level_q  <= '0;
    end else if (push || leave) begin
      if (push_front || leave) front_valid_q <= push_front || second_level_q != '0;
      if (push_front || leave) front_level_q <= push_front ? push_i.level : second_level_q;

      if (overtake) second_level_q <= front_o.level;
      else if (push_second) second_level_q <= push_i.level;
      else if (leave && !push_front) second_level_q <= third_level_q;

      if (displace) third_level_q <= second_level_q;
      else if (push_third) third_level_q <= push_i.level;
      else if (shift) third_level_q <= fourth_level;
    end
  end

  // ---- Front ------------------------------------------------------------------------------------
  // take_i comes late: that a front which is overtaken has handed out one more TB in that cycle is
  // kept in a bit of its own, and added when it moves on.
  logic second_more_q;
  logic [CtasW-1:0] second_nextbl;

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

  always_comb begin
    front_o        = '0;
    front_nextbl_o = '0;
    front_need_o   = '0;
    if (front_valid_q) begin
      front_o        = front_q;
      front_nextbl_o = front_nextbl_q;
      front_need_o   = front_need_q;
    end
  end

  assign front_valid_o   = front_valid_q;
  assign front_last_o    = last;
  assign front_level_o   = front_level_q;
  assign front_arrival_o = front_q.arrival;

  // ---- Second -----------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (push || leave) begin
      if (overtake) begin
        second_q        <= front_q;
        second_place_q  <= front_place_q;
        second_nextbl_q <= `HD_FAULT(83, front_nextbl_q, '0);
      end else if (push_second) begin
        second_q        <= push_i;
        second_place_q  <= place;
        second_nextbl_q <= push_nextbl_i;
      end else if (leave && !push_front) begin
        second_q        <= third_ram_q ? row : third_q;
        second_place_q  <= third_place_q;
        second_nextbl_q <= third_ram_q ? row_nextbl : third_nextbl_q;
      end
      if (overtake || push_second || (leave && !push_front)) second_more_q <= overtake && take_i;
    end
  end

  assign second_level_o   = second_level_q;
  assign second_arrival_o = second_q.arrival;
  assign second_kdei_o    = second_q.kdei;

  // ---- Third ------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (push || leave) begin
      if (displace) begin
        third_q        <= second_q;
        third_place_q  <= second_place_q;
        third_nextbl_q <= second_nextbl;
      end else if (push_third) begin
        third_q        <= push_i;
        third_place_q  <= place;
        third_nextbl_q <= push_nextbl_i;
      end else if (shift) begin
        third_place_q  <= fourth;
      end
      if (displace || push_third || shift) third_ram_q <= shift;

      // Of a second that is displaced and has more behind it in its level, that is the third.
      if (displace || by_hand) third_link_q <= displace ? third_place_q : place;
      if (displace || by_hand || shift) third_link_ram_q <= !displace && !by_hand;
    end
  end

`ifdef VERILATOR
  // The registers suit the levels and places.
  a_sizes :
  assert property (@(posedge clk_i) MaxLevel >= 1 && MaxLevel <= 16 && Depth >= 2);

  // The state is checked in the cycle after it may have changed: most banks rest most of the time.
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

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // A TB is taken only while there is one.
      if (take_i) a_take : assert (front_valid_q);
      // What comes has a level that there is, and a TB.
      if (push_valid_i) begin
        a_level : assert (push_i.level != '0 && 32'(push_i.level) <= MaxLevel);
        a_nextbl : assert (push_nextbl_i < push_i.ctas);
      end
      // The short way to compare is right.
      if (take_i) a_last : assert (last == (front_nextbl_q + CtasW'(1) == front_q.ctas));
      // The level that hd_oldest is told is that of the front.
      a_front_level : assert (front_level_q == front_o.level);
      // The need of the front is still that of its kernel.
      if (front_valid_q) a_need : assert (front_need_q == need_i[front_q.kdei*NeedW+:NeedW]);
    end
    if (rst_ni && stirred_q) begin
      // Each entry has a place, and a level counts it.
      a_total : assert (total == used_count);
      // With one entry there is a front, of the highest level; with two there is a second.
      a_front : assert (front_valid_q == (total != '0) && higher == '0);
      a_second : assert ((second_level_q != '0) == (32'(total) > 1));
      a_third : assert ((third_level_q != '0) == (32'(total) > 2));
      // The order of the first four, and no two in one place.
      if (second_level_q != '0) begin
        a_order : assert (front_q.level >= second_level_q && second_level_q >= third_level_q
            && second_q.level == second_level_q);
        a_places : assert (used[front_place_q] && used[second_place_q]
            && front_place_q != second_place_q);
      end
      if (third_level_q != '0) begin
        a_third_order : assert (third_level_q >= fourth_level);
        a_third_place : assert (used[third_place_q] && third_place_q != front_place_q
            && third_place_q != second_place_q);
      end
      // There is a fourth if there are four; it is in no register.
      a_fourth : assert ((fourth_level != '0) == (32'(total) > 3));
      if (fourth_level != '0) begin
        a_fourth_place : assert (used[fourth] && fourth != front_place_q
            && fourth != second_place_q && fourth != third_place_q);
      end
      // What was read of a row is that of the level for which it was read.
      if (third_level_q != '0 && third_ram_q) a_row : assert (row.level == third_level_q);
    end
  end
  // The rare: full; the front overtaken with some TBs handed out, and the third put back so; a link
  // to the row that is read; a new entry before the fourth as the front leaves; the only entry
  // leaves as one comes.
  c_full :
  cover property (@(posedge clk_i) !push_ready_o);
  c_overtake_started :
  cover property (@(posedge clk_i) overtake && front_nextbl_o != '0);
  c_put_back_started :
  cover property (@(posedge clk_i) put_back && third_nextbl_q != '0);
  c_link_read :
  cover property (@(posedge clk_i) by_hand && shift);
  c_before_fourth :
  cover property (@(posedge clk_i) leave && push_third);
  c_last_and_push :
  cover property (@(posedge clk_i) leave && push && second_level_q == '0);
`endif

endmodule
