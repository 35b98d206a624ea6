// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_agt: aggregated group table: holds the groups that were allocated an AGE, and walks the list
// of the kernel in the SSCR ahead of the hand-out.
//
//   devq: info, link: alloc --> [u_info] --.                 .--> group, to the scheduler
//   link: Next of the last  --> [u_next] --+--> rd --> [gq] -+
//        nagei, link events --> cursor ----'            ^    '--> succ, to link (NAGEI moves on)
//                                  '-- off chip: [fetch] (one record from memory)
//
// From dtbl-isca2015 section 4.2 (figure 5: AGT, NAGEI, LAGEI, Next; overflowed groups are fetched
// ahead). The walk, its cursor and the tag are ours.
// - The cursor stands at the next group of the list, at its tail, or waits for a record. A group on
//   chip is read in one cycle and queued in the next; the cursor then stands at its Next. The last
//   group of the list has no Next yet: the cursor waits at the tail for the link event. So Next is
//   never read in vain, and what is read while it is written is not used.
// - A group in memory is fetched when the cursor gets there, one at a time, and not while a Next
//   write to it is under way. PrefetchDepth 0: only when the scheduler waits for it. Of the last
//   group of a list all is read but the beat of Next, which may be written at that very time.
// - Three groups are kept ahead. One per cycle out, on chip, also when each was just linked.
// - Tag: when another kernel comes into the SSCR, what was read ahead is dropped and the walk
//   begins at that kernel's NAGEI. NAGEI moves only as groups are handed out: nothing is lost.
// - Both RAMs are made of banks of 256 rows: the output of u_next leads to their addresses in the
//   same cycle.
// - An error of the memory, or a record without TBs, fails the kernel.
// - Latency: cursor at a group t, read t, queued t+1, group_valid t+2. Outputs come from registers.
// - Reset: nothing read ahead; rows keep anything.
// Ports: agt.csv. Model cmodel/launch/agt, tests verif/unit and verif/equiv test_agt, page docs/launch/agt.md.
`include "common/hd_fault.svh"
module hd_agt (
  input  logic                                      clk_i,
  input  logic                                      rst_ni,
  // A group gets an AGE (devq A2, link A3)
  input  hd_pkg::info_t                             a2_info_i,
  input  logic                                      alloc_valid_i,
  input  logic [hd_pkg::AgtW-1:0]                   alloc_index_i,
  // A group is linked (link A3)
  input  logic                                      link_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                   link_kdei_i,
  input  hd_pkg::ptr_t                              link_ptr_i,
  input  hd_pkg::ptr_t                              link_prev_i,
  input  logic                                      link_first_i,
  // The kernels' lists of groups (link)
  input  logic [hd_pkg::NumKde-1:0]                 pending_i,
  input  logic [hd_pkg::NumKde*hd_pkg::PtrW-1:0]    nagei_i,
  input  logic [hd_pkg::NumKde*hd_pkg::PtrW-1:0]    lagei_i,
  // Next writes under way (link)
  input  logic [hd_pkg::NextDepth-1:0]              next_valid_i,
  input  logic [hd_pkg::NextDepth*hd_pkg::RecW-1:0] next_record_i,
  // The kernel in the SSCR (sched)
  input  logic                                      cur_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                   cur_kdei_i,
  input  logic                                      waiting_i,
  // The groups behind (sched, link)
  output logic                                      group_valid_o,
  output logic [hd_pkg::KdeW-1:0]                   group_kdei_o,
  output hd_pkg::group_t                            group_o,
  input  logic                                      group_pop_i,
  output hd_pkg::ptr_t                              succ_o,
  // Records in memory, failures (regs, kd, link, susp)
  input  logic [31:0]                               rec_base_i,
  input  logic [1:0]                                fail_valid_i,
  input  logic [2*hd_pkg::KdeW-1:0]                 fail_kdei_i,
  output logic                                      fetch_fail_valid_o,
  output logic [hd_pkg::KdeW-1:0]                   fetch_fail_kdei_o,
  output logic                                      fetch_event_o,
  // Memory port (memarb)
  output logic                                      req_valid_o,
  output hd_pkg::memreq_t                           req_o,
  input  logic                                      req_ready_i,
  input  logic                                      r_valid_i,
  input  hd_pkg::memdata_t                          r_i
);

  localparam int AgtSize = hd_pkg::AgtSize;
  localparam int AgtW = hd_pkg::AgtW;
  localparam int AgtBanks = hd_pkg::AgtBanks;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int PtrW = hd_pkg::PtrW;
  localparam int RecW = hd_pkg::RecW;
  localparam int InfoW = hd_pkg::InfoW;
  localparam int LevelW = hd_pkg::LevelW;
  localparam int CountW = hd_pkg::AgtHeadW;
  localparam int AddrW = hd_pkg::AddrW;
  localparam int Ahead = 3;

  localparam logic [1:0] Idle = 2'd0;
  localparam logic [1:0] At = 2'd1;
  localparam logic [1:0] Tail = 2'd2;
  localparam logic [1:0] Wait = 2'd3;

  logic wk_valid_q;
  logic [KdeW-1:0] wk_kdei_q;
  logic [1:0] state_q, cursor;
  hd_pkg::ptr_t ptr_q, cursor_ptr, next_out;
  logic rd_valid_q;
  hd_pkg::ptr_t rd_ptr_q;
  logic [CountW-1:0] gq_count_q;
  hd_pkg::group_t gq0_q, gq1_q, gq2_q;
  logic fetch_busy_q, fetch_drop_q, fetch_full_q, fetch_asked_q, fetch_error_q, fetch_last_q;
  hd_pkg::ptr_t fetch_ptr_q;
  hd_pkg::info_t fetch_info_q;
  logic [1:0] fetch_beat_q;

  // ---- Events of this cycle ---------------------------------------------------------------------
  logic flush, fail_here, stop, link_here, pending_here, cur_pending;
  hd_pkg::ptr_t nagei_cur, lagei_here;
  logic fetch_fail_q;
  logic [KdeW-1:0] fetch_fail_kdei_q;

  assign flush = !(wk_valid_q == cur_valid_i && (!cur_valid_i || wk_kdei_q == cur_kdei_i));
  assign fail_here = cur_valid_i
      && ((fetch_fail_q && fetch_fail_kdei_q == cur_kdei_i)
          || (fail_valid_i[0] && fail_kdei_i[KdeW-1:0] == cur_kdei_i)
          || (fail_valid_i[1] && fail_kdei_i[2*KdeW-1:KdeW] == cur_kdei_i));
  assign stop = flush || fail_here;
  assign link_here = wk_valid_q && link_valid_i && link_kdei_i == wk_kdei_q;
  assign pending_here = wk_valid_q && pending_i[wk_kdei_q];
  assign cur_pending = pending_i[cur_kdei_i];
  assign nagei_cur = nagei_i[cur_kdei_i*PtrW+:PtrW];
  assign lagei_here = lagei_i[wk_kdei_q*PtrW+:PtrW];

  // ---- Cursor -----------------------------------------------------------------------------------
  // Whether the group that is read is the last of its list is found out in the cycle after, from
  // LAGEI and the link event of the cycle of the read: so nothing but a multiplexer stands between
  // the output of u_next and its address.
  logic read_q;  // a row was read in the cycle before: where the cursor stands follows from it
  logic was_link_q, was_last;
  hd_pkg::ptr_t was_link_ptr_q, was_lagei_q;

  assign was_last = `HD_FAULT(45, rd_ptr_q == was_lagei_q, 1'b0);

  always_comb begin
    cursor = state_q;
    if (read_q) cursor = (was_last && !was_link_q) ? Tail : At;
    cursor_ptr = '0;
    if (read_q && was_last) cursor_ptr = was_link_q ? was_link_ptr_q : '0;
    else if (read_q) cursor_ptr = next_out;
    else if (state_q == At) cursor_ptr = ptr_q;
  end

  logic room, read, fetch_start, fetch_end, fetch_good, fetch_bad, in_next;

  assign room = 32'(gq_count_q) + 32'(rd_valid_q) < Ahead;
  assign read = cursor == At && !stop && !fetch_busy_q && !fetch_full_q && room
      && cursor_ptr.onchip;

  // A pointer that was just read is looked at by the fetch one cycle later, from its register.
  always_comb begin
    in_next = 1'b0;
    for (int k = 0; k < hd_pkg::NextDepth; k++) begin
      in_next = in_next || (next_valid_i[k] && next_record_i[k*RecW+:RecW] == ptr_q.index);
    end
  end
  assign fetch_start = state_q == At && !read_q && !ptr_q.onchip && !stop && !fetch_busy_q
      && !fetch_full_q && !rd_valid_q && `HD_FAULT(79, !in_next, 1'b1)
      && (hd_pkg::PrefetchDepth != 0 || (waiting_i && gq_count_q == '0));

  logic [1:0] state_d;
  hd_pkg::ptr_t ptr_d, fetch_next;
  logic fetch_last;

  assign fetch_last = ptr_q == lagei_here;

  always_comb begin
    state_d = cursor;
    ptr_d   = cursor_ptr;
    if (fail_here || (fetch_bad && !flush)) begin
      state_d = Idle;
    end else if (flush) begin
      state_d = (cur_valid_i && (cur_pending || (link_valid_i && link_kdei_i == cur_kdei_i)))
          ? At : Idle;
      ptr_d   = cur_pending ? nagei_cur : link_ptr_i;
    end else begin
      case (cursor)
        Idle: begin
          if (link_here || pending_here) state_d = At;
          ptr_d = link_here ? link_ptr_i : nagei_cur;  // no flush: the walk is for that kernel
        end
        Tail: begin
          if (!pending_here) state_d = Idle;
          else if (link_here) state_d = At;
          ptr_d = link_ptr_i;
        end
        Wait: begin
          if (fetch_good) state_d = At;
          ptr_d = fetch_next;
        end
        default: begin
          if (fetch_start) begin
            if (!fetch_last) state_d = Wait;
            else state_d = link_here ? At : Tail;
            ptr_d = link_ptr_i;
          end
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
      if (flush) wk_valid_q <= cur_valid_i;
      state_q    <= state_d;
      read_q     <= read;
      rd_valid_q <= read;
    end
  end

  always_ff @(posedge clk_i) begin
    if (flush) wk_kdei_q <= cur_kdei_i;
    ptr_q          <= ptr_d;
    was_link_q     <= link_here;
    was_link_ptr_q <= link_ptr_i;
    was_lagei_q    <= lagei_here;
    rd_ptr_q       <= cursor_ptr;
  end

  // ---- The table --------------------------------------------------------------------------------
  hd_pkg::info_t alloc_info_q, info_out;

  always_ff @(posedge clk_i) alloc_info_q <= a2_info_i;

  hd_ram_banks #(.Width(InfoW), .Depth(AgtSize), .Banks(AgtBanks)) u_info (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (`HD_FAULT(112, alloc_valid_i, alloc_valid_i || link_valid_i)),
    .waddr_i(alloc_index_i),
    .wdata_i(alloc_info_q),
    .re_i   (read),
    .raddr_i(AgtW'(cursor_ptr.index)),
    .rdata_o(info_out)
  );

  // The Next of the last group may be written while that group is read: it is then not used.
  hd_ram_banks #(.Width(PtrW), .Depth(AgtSize), .Banks(AgtBanks), .Conflict(1'b1)) u_next (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (link_valid_i && !link_first_i && link_prev_i.onchip
      && `HD_FAULT(111, 1'b1, link_ptr_i.onchip)),
    .waddr_i(AgtW'(link_prev_i.index)),
    .wdata_i(link_ptr_i),
    .re_i   (read),
    .raddr_i(AgtW'(cursor_ptr.index)),
    .rdata_o(next_out)
  );

  // ---- Fetch of a record ------------------------------------------------------------------------
  logic [hd_pkg::CtasW-1:0] fetch_ctas;  // it comes in the beat before Next

  assign fetch_end  = fetch_busy_q && r_valid_i && r_i.last;
  assign fetch_good = fetch_end && !fetch_drop_q && !fetch_error_q && !r_i.error
      && `HD_FAULT(48, fetch_ctas != '0, 1'b1);
  assign fetch_ctas = fetch_last_q ? r_i.hi[hd_pkg::CtasW-1:0] : fetch_info_q.ctas;
  assign fetch_bad  = fetch_end && !fetch_drop_q && !fetch_good;
  assign fetch_next.onchip = r_i.lo[31];
  assign fetch_next.index = r_i.lo[RecW-1:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fetch_busy_q  <= 1'b0;
      fetch_drop_q  <= 1'b0;
      fetch_full_q  <= 1'b0;
      fetch_asked_q <= 1'b0;
      fetch_fail_q  <= 1'b0;
      fetch_event_o <= 1'b0;
    end else begin
      fetch_busy_q  <= fetch_start || (fetch_busy_q && !fetch_end);
      fetch_drop_q  <= fetch_busy_q && !fetch_end && (fetch_drop_q || `HD_FAULT(47, stop, 1'b0));
      fetch_full_q  <= !stop && (fetch_good || (fetch_full_q && !room));
      fetch_asked_q <= fetch_start || (fetch_asked_q && !req_ready_i);
      fetch_fail_q  <= fetch_bad && !stop;
      fetch_event_o <= fetch_asked_q && req_ready_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (fetch_start) begin
      fetch_ptr_q   <= ptr_q;
      fetch_last_q  <= fetch_last;
      fetch_beat_q  <= '0;
      fetch_error_q <= 1'b0;
    end else if (fetch_busy_q && r_valid_i) begin
      fetch_beat_q <= fetch_beat_q + 2'd1;
      if (r_i.error) fetch_error_q <= 1'b1;
    end
    if (r_valid_i && fetch_beat_q == 2'd0) fetch_info_q.param <= r_i.hi[hd_pkg::ParamW-1:6];
    if (r_valid_i && fetch_beat_q == 2'd1) begin
      fetch_info_q.level <= 32'(r_i.hi[31:24]) > hd_pkg::MaxLevel ? LevelW'(hd_pkg::MaxLevel)
          : LevelW'(r_i.hi[31:24]);
    end
    if (r_valid_i && fetch_beat_q == 2'd2) begin
      fetch_info_q.grid_x <= r_i.lo[hd_pkg::GroupXW-1:0];
      fetch_info_q.grid_y <= r_i.lo[32+:hd_pkg::GroupYW];
      fetch_info_q.grid_z <= r_i.lo[48+:hd_pkg::GroupZW];
      fetch_info_q.ctas   <= r_i.hi[hd_pkg::CtasW-1:0];
    end
    fetch_fail_kdei_q <= wk_kdei_q;
  end

  assign req_valid_o = fetch_asked_q;
  always_comb begin
    req_o = '0;
    if (fetch_asked_q) begin
      req_o.addr = AddrW'({rec_base_i, 8'b0}) + AddrW'({fetch_ptr_q.index, 6'b0});
      req_o.len  = fetch_last_q ? 3'd2 : 3'd3;
    end
  end

  // ---- Groups read ahead ------------------------------------------------------------------------
  logic push, pop;
  hd_pkg::group_t pushed;
  logic [CountW-1:0] left;  // groups that stay

  assign push = rd_valid_q || (fetch_full_q && room);
  assign pushed.self = rd_valid_q ? rd_ptr_q : fetch_ptr_q;
  assign pushed.info = rd_valid_q ? info_out : fetch_info_q;
  assign pop = group_pop_i;
  assign left = gq_count_q - CountW'(pop);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) gq_count_q <= '0;
    else gq_count_q <= `HD_FAULT(46, stop, flush) ? '0 : left + CountW'(push);
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
  assign group_valid_o = gq_count_q != '0 && wk_valid_q;
  assign group_kdei_o = group_valid_o ? wk_kdei_q : '0;
  assign group_o = group_valid_o ? gq0_q : '0;

  always_comb begin
    succ_o = '0;
    if (gq_count_q != '0) succ_o = gq0_q.self;
    else if (rd_valid_q) succ_o = `HD_FAULT(80, rd_ptr_q, next_out);
    else if ((fetch_busy_q && !fetch_drop_q) || fetch_full_q) succ_o = fetch_ptr_q;
    else if (state_q == At) succ_o = ptr_q;
  end

  assign fetch_fail_valid_o = fetch_fail_q;
  assign fetch_fail_kdei_o = fetch_fail_q ? fetch_fail_kdei_q : '0;

  logic unused_bits;
  assign unused_bits = &{1'b0, r_i.lo, r_i.hi, link_prev_i.index};

`ifdef VERILATOR
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // Groups are taken only from a queue that holds some, and none is queued in vain.
      if (group_pop_i) a_pop : assert (group_valid_o);
      if (push && !stop) a_push : assert (32'(gq_count_q) < Ahead && !(rd_valid_q && fetch_full_q));
      // The cursor stands at groups of the table, or at records.
      if (read) a_index : assert (32'(cursor_ptr.index) < AgtSize);
      // The last group of a list is handed out as its kernel leaves the SSCR: no walk at the end of a
      // list finds it empty.
      if (cursor == Tail && !stop) a_tail : assert (pending_here);
      // A row that was read is queued in the next cycle, where the cursor stands behind it.
      if (read_q) a_read : assert (rd_valid_q);
      // Beats come only when they are awaited.
      if (r_valid_i) begin
        a_data : assert (fetch_busy_q && !fetch_asked_q
            && r_i.last == (fetch_beat_q == (fetch_last_q ? 2'd2 : 2'd3)));
      end
    end
  end
  // A group is linked behind the last of its list while that is read, or as it is about to be
  // fetched; a fetch waits for a Next write and is dropped; the cursor waits for a record; three
  // groups stand ready.
  c_link_in_read :
  cover property (@(posedge clk_i) read && link_here && cursor_ptr == lagei_here);
  c_link_in_fetch :
  cover property (@(posedge clk_i) fetch_start && fetch_last && link_here);
  c_next_wait :
  cover property (@(posedge clk_i) state_q == At && !ptr_q.onchip && in_next);
  c_dropped :
  cover property (@(posedge clk_i) fetch_end && fetch_drop_q);
  c_wait :
  cover property (@(posedge clk_i) cursor == Wait && fetch_good);
  c_full :
  cover property (@(posedge clk_i) 32'(gq_count_q) == Ahead);
`endif

endmodule
