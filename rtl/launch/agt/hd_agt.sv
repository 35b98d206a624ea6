// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_agt: the aggregated group table: holds the groups that have an AGE, and walks the list of the
// kernel in the SSCR ahead of the hand-out.
//
//   devq: info, link: alloc --> [u_info] --.                 .--> group, to the scheduler
//   link: Next of the last  --> [u_next] --+--> rd --> [gq] -+
//        nagei, link events --> cursor ----'            ^    '--> succ, to link (next NAGEI)
//                                   ovfq: overflowed ---'
//
// From dtbl-isca2015 section 4.2 (figure 5: AGT, NAGEI, LAGEI, Next; overflowed groups are fetched
// ahead). The walk, its cursor and the tag are ours.
// - The cursor is at the next AGE of the chain, or at its tail. A group is read in one cycle and
//   enqueued in the next; the cursor is then at its Next. The last AGE of the chain has no Next
//   yet: the cursor waits at the tail for the link event. So Next is read only when it exists, and
//   a value read while it is being written is not used.
// - Behind the chain come the groups of the list in memory, from ovfq, each with its record or with
//   the number of an AGE, which is read here. No AGE is linked to the chain before all of these are
//   handed out.
// - Up to three groups are kept ahead. Rate: one on-chip group per cycle, also when each was linked
//   just before.
// - Tag: when another kernel gets into the SSCR, the groups read ahead are dropped and the walk
//   restarts at that kernel's NAGEI. NAGEI only moves when a group is handed out, so nothing is
//   lost.
// - timing: both RAMs are made of banks of 256 rows, because the output of u_next leads to their
//   addresses in the same cycle.
// - Latency: cursor at a group at t, read at t, enqueued at t+1, group_o.valid at t+2. Outputs come
//   from registers, except over_pop_o.
// - Reset: nothing read ahead; rows have no reset.
// Ports: agt.csv. Model cmodel/launch/agt, tests verif/unit and verif/equiv test_agt, page
// docs/launch/agt.md.
`include "common/hd_assert.svh"
module hd_agt (
  input  logic                                      clk_i,
  input  logic                                      rst_ni,
  // AGE allocation (devq A2, link A3)
  input  hd_pkg::a2group_t                          devq_group_i,
  input  hd_pkg::ageref_t                              link_alloc_i,
  // Linking of a group (link A3)
  input  hd_pkg::linked_t                           link_link_i,
  // Group lists of the kernels (link)
  input  logic [hd_pkg::NumKde-1:0]                 link_chained_i,
  input  logic [hd_pkg::NumKde*hd_pkg::AgtW-1:0]    link_nagei_i,
  input  logic [hd_pkg::NumKde*hd_pkg::AgtW-1:0]    link_lagei_i,
  // Kernel in the SSCR (sched)
  input  hd_pkg::entry_t                            sched_sscr_i,
  // Next overflowed group of that kernel (ovfq)
  input  hd_pkg::grouphead_t                        ovfq_over_i,
  output logic                                      over_pop_o,
  // Next group and its successor (sched, link)
  output hd_pkg::grouphead_t                        group_o,
  input  logic                                      sched_group_pop_i,
  output logic [hd_pkg::AgtW-1:0]                   succ_o,
  // Failed kernels (ovfq, susp, spill)
  input  logic [hd_pkg::NumFail*hd_pkg::EntryW-1:0] fails_i
);

  localparam int AgtSize = hd_pkg::AgtSize;
  localparam int AgtW = hd_pkg::AgtW;
  localparam int AgtBanks = hd_pkg::AgtBanks;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int RecW = hd_pkg::RecW;
  localparam int InfoW = hd_pkg::InfoW;
  localparam int CountW = hd_pkg::AgtHeadW;
  localparam int Ahead = 3;

  typedef enum logic [1:0] {
    Idle = 2'd0,
    At   = 2'd1,
    Tail = 2'd2
  } state_e;

  logic wk_valid_q;
  logic [KdeW-1:0] wk_kdei_q;
  state_e state_q, cursor;
  logic [AgtW-1:0] age_q, cursor_age, next_out, rd_age_q;
  logic rd_valid_q;
  logic [CountW-1:0] gq_count_q;
  hd_pkg::group_t gq0_q, gq1_q, gq2_q;

  // ---- Failed kernels ---------------------------------------------------------------------------
  logic [hd_pkg::NumFail-1:0] fail_valid;
  logic [hd_pkg::NumFail*KdeW-1:0] fail_kdei;

  for (genvar k = 0; k < hd_pkg::NumFail; k++) begin : g_fail
    assign {fail_valid[k], fail_kdei[k*KdeW+:KdeW]} = fails_i[k*hd_pkg::EntryW+:hd_pkg::EntryW];
  end

  // ---- Events of this cycle ---------------------------------------------------------------------
  logic flush, fail_here, stop, link_chain, link_here, chained_here, cur_chained;
  logic [AgtW-1:0] nagei_cur, lagei_here, link_age;

  assign flush = !(wk_valid_q == sched_sscr_i.valid
      && (!sched_sscr_i.valid || wk_kdei_q == sched_sscr_i.kdei));

  always_comb begin
    fail_here = 1'b0;
    for (int k = 0; k < hd_pkg::NumFail; k++) begin
      fail_here |= sched_sscr_i.valid && fail_valid[k]
          && fail_kdei[k*KdeW+:KdeW] == sched_sscr_i.kdei;
    end
  end

  assign stop = flush || fail_here;
  assign link_chain = link_link_i.valid && !link_link_i.over;
  assign link_age = AgtW'(link_link_i.ptr.index);
  assign link_here = wk_valid_q && link_chain && link_link_i.kdei == wk_kdei_q;
  assign chained_here = wk_valid_q && link_chained_i[wk_kdei_q];
  assign cur_chained = link_chained_i[sched_sscr_i.kdei];
  assign nagei_cur = link_nagei_i[sched_sscr_i.kdei*AgtW+:AgtW];
  assign lagei_here = link_lagei_i[wk_kdei_q*AgtW+:AgtW];

  // ---- Cursor -----------------------------------------------------------------------------------
  // timing: whether the group read is the last of its chain is decided one cycle later, from LAGEI
  // and the link event of the cycle of the read. So only a multiplexer is between the output of
  // u_next and its address.
  logic read_q;  // a row was read in the previous cycle and determines the cursor
  logic was_link_q, was_last;
  logic [AgtW-1:0] was_link_age_q, was_lagei_q;

  assign was_last = rd_age_q == was_lagei_q;

  always_comb begin
    cursor = state_q;
    if (read_q) cursor = (was_last && !was_link_q) ? Tail : At;
    cursor_age = '0;
    if (read_q && was_last) cursor_age = was_link_q ? was_link_age_q : '0;
    else if (read_q) cursor_age = next_out;
    else if (state_q == At) cursor_age = age_q;
  end

  logic room, read, over, over_read;

  assign room = 32'(gq_count_q) + 32'(rd_valid_q) < Ahead;
  assign read = cursor == At && !stop && room;

  // Behind the chain: only after everything read of the chain is enqueued.
  assign over = ovfq_over_i.valid && ovfq_over_i.kdei == wk_kdei_q && wk_valid_q && !stop
      && !rd_valid_q && room && (state_q == Tail || (state_q == Idle && !chained_here));
  assign over_read  = over && ovfq_over_i.group.self.onchip;
  assign over_pop_o = over;

  state_e state_d;
  logic [AgtW-1:0] age_d;

  always_comb begin
    state_d = cursor;
    age_d   = cursor_age;
    if (fail_here) begin
      state_d = Idle;
    end else if (flush) begin
      state_d = (sched_sscr_i.valid
          && (cur_chained || (link_chain && link_link_i.kdei == sched_sscr_i.kdei)))
          ? At : Idle;
      age_d   = cur_chained ? nagei_cur : link_age;
    end else begin
      case (cursor)
        Idle: begin
          if (link_here || chained_here) state_d = At;
          age_d = link_here ? link_age : nagei_cur;  // no flush: the walk is for that kernel
        end
        Tail: begin
          if (link_here) state_d = At;
          else if (!chained_here) state_d = Idle;
          age_d = link_age;
        end
        default: begin
        end
      endcase
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wk_valid_q <= 1'b0;
      state_q    <= Idle;
      read_q     <= 1'b0;
      rd_valid_q <= 1'b0;
    end else begin
      if (flush) wk_valid_q <= sched_sscr_i.valid;
      state_q    <= state_d;
      read_q     <= read;
      rd_valid_q <= read || over_read;
    end
  end

  logic [AgtW-1:0] row;
  assign row = over ? AgtW'(ovfq_over_i.group.self.index) : cursor_age;

  always_ff @(posedge clk_i) begin
    if (flush) wk_kdei_q <= sched_sscr_i.kdei;
    age_q          <= age_d;
    was_link_q     <= link_here;
    was_link_age_q <= link_age;
    was_lagei_q    <= lagei_here;
    rd_age_q       <= row;
  end

  // ---- The table --------------------------------------------------------------------------------
  hd_pkg::info_t alloc_info_q, info_out;

  always_ff @(posedge clk_i) alloc_info_q <= devq_group_i.info;

  hd_ram_banks #(.Width(InfoW), .Depth(AgtSize), .Banks(AgtBanks)) u_info (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (link_alloc_i.valid),
    .waddr_i(link_alloc_i.index),
    .wdata_i(alloc_info_q),
    .re_i   (read || over_read),
    .raddr_i(row),
    .rdata_o(info_out)
  );

  // The Next of the last group may be written while that group is read; the value read is then not
  // used.
  hd_ram_banks #(.Width(AgtW), .Depth(AgtSize), .Banks(AgtBanks), .Conflict(1'b1)) u_next (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (link_link_i.next),
    .waddr_i(link_link_i.prev),
    .wdata_i(link_age),
    .re_i   (read),
    .raddr_i(cursor_age),
    .rdata_o(next_out)
  );

  // ---- Groups read ahead -----------------------------------------------------------------------
  logic push, pop;
  hd_pkg::group_t pushed;
  logic [CountW-1:0] left;  // groups that remain after a pop

  assign push = rd_valid_q || (over && !over_read);
  always_comb begin
    pushed = ovfq_over_i.group;
    if (rd_valid_q) begin
      pushed.self.onchip = 1'b1;
      pushed.self.index  = RecW'(rd_age_q);
      pushed.info        = info_out;
    end
  end
  assign pop = sched_group_pop_i;
  assign left = gq_count_q - CountW'(pop);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) gq_count_q <= '0;
    else gq_count_q <= stop ? '0 : left + CountW'(push);
  end

  always_ff @(posedge clk_i) begin
    if (pop || (push && left == CountW'(0))) begin
      gq0_q <= (push && left == CountW'(0)) ? pushed : gq1_q;
    end
    if (pop || (push && left == CountW'(1))) begin
      gq1_q <= (push && left == CountW'(1)) ? pushed : gq2_q;
    end
    if (push && left == CountW'(2)) gq2_q <= pushed;
  end

  // ---- Outputs ----------------------------------------------------------------------------------
  logic offers;
  assign offers        = gq_count_q != '0 && wk_valid_q;
  assign group_o.valid = offers;
  assign group_o.kdei  = offers ? wk_kdei_q : '0;
  assign group_o.group = offers ? gq0_q : '0;

  always_comb begin
    succ_o = '0;
    if (gq_count_q != '0) succ_o = AgtW'(gq0_q.self.index);
    else if (rd_valid_q) succ_o = rd_age_q;
    else if (state_q == At) succ_o = age_q;
  end

  logic unused_onchip;
  assign unused_onchip = link_link_i.ptr.onchip;

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (sched_group_pop_i) `HD_ASSERT_IN(a_pop, group_o.valid,
          "A group is popped while none is offered.")
      if (push && !stop) `HD_ASSERT(a_push, 32'(gq_count_q) < Ahead,
          "A group is pushed into the full queue of groups read ahead.")
      if (over) `HD_ASSERT_IN(a_over, !link_here,
          "An AGE is linked to a chain while groups in memory behind it are handed out.")
    end
  end

  // Rare: a group is linked behind the last of its chain while that is read; an overflowed group
  // arrives while AGEs before it are not handed out yet; one with an AGE; three groups are ready.
  `HD_COVER(c_link_in_read, read && link_here && cursor_age == lagei_here)
  `HD_COVER(c_over_behind, over && chained_here)
  `HD_COVER(c_over_read, over_read)
  `HD_COVER(c_full, 32'(gq_count_q) == Ahead)
`endif

endmodule
