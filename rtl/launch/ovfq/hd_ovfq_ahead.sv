// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_ovfq_ahead: reads the list of one kernel ahead: pointers into a window, records into rows.
//
//   list beats, push --> [u_ptr: 4 lanes] --look--> pointer --take--> [u_self, done] --> next
//                                                      |                [u_info] --------^
//                                                      '--> record is wanted    ^-- record beats
//
// From dtbl-isca2015 section 4.2 (overflowed groups are fetched ahead); several at once are ours.
// - Three positions in the list: fetch (looked at next), here (behind those in the window), asked
//   (behind those requested).
// - At most eight places are read at once, up to the next multiple of eight, and only those whose
//   writes memory has answered. A read is planned in one cycle and starts in a later one. A push to
//   a list that was read to its end goes directly into the window.
// - Each pointer that leaves the window gets a row. A pointer to an AGE is done at once, a record
//   when its last beat has arrived. Rows leave in order.
// - stop_i drops everything. begin_i starts at the first group of the list, which goes into the
//   window if it is known; no read is in flight then.
// - Latency: pointer in the window at t, read from it in t+1, record wanted in t+2; last beat at t,
//   over_valid_o at t+2. Rate: at most one group per two cycles. Outputs come from registers,
//   except want_*.
// - Reset: nothing is read.
// Part of hd_ovfq, whose tests cover it.
`include "common/hd_assert.svh"
module hd_ovfq_ahead (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  // The list
  input  logic                              stop_i,
  input  logic                              begin_i,
  input  logic [hd_pkg::ListPosW-1:0]          first_i,
  input  logic [hd_pkg::ListCountW-1:0]     count_i,
  input  logic [hd_pkg::UnansW-1:0]         unans_i,
  input  logic                              known_i,
  input  hd_pkg::ptr_t                      head_i,
  input  logic                              push_i,
  input  hd_pkg::ptr_t                      push_ptr_i,
  input  logic                              waiting_i,
  output logic                              run_o,
  // Reads wanted from memory
  output logic                              want_list_o,
  output logic [hd_pkg::ListPosW-1:0]          want_pos_o,
  output logic [3:0]                        want_places_o,
  output logic                              want_record_o,
  output logic [hd_pkg::RecW-1:0]           want_index_o,
  output logic [hd_pkg::OvfqRowW-1:0]       want_row_o,
  input  logic                              list_begin_i,
  input  logic                              record_begin_i,
  // Read beats
  input  logic                              r_valid_i,
  input  hd_pkg::memdata_t                  r_i,
  input  hd_pkg::ovfqread_t                 read_i,
  input  logic [1:0]                        beat_i,
  input  logic                              error_i,
  output logic                              bad_o,
  // The next group
  output logic                              over_valid_o,
  output hd_pkg::group_t                    over_o,
  input  logic                              over_pop_i
);

  localparam int ListPosW = hd_pkg::ListPosW;
  localparam int ListCountW = hd_pkg::ListCountW;
  localparam int Window = hd_pkg::OvfqWindow;
  localparam int Lanes = hd_pkg::OvfqLanes;
  localparam int Beats = hd_pkg::OvfqBeats;
  localparam int BeatW = hd_pkg::OvfqBeatW;
  localparam int Rows = hd_pkg::OvfqRows;
  localparam int RowW = hd_pkg::OvfqRowW;
  localparam int RowsW = hd_pkg::OvfqRowsW;
  localparam int PtrW = hd_pkg::PtrW;
  localparam int LevelW = hd_pkg::LevelW;
  localparam int MaxLevel = hd_pkg::MaxLevel;

  logic run_q, at_q, over_valid_q;
  logic [ListPosW-1:0] fetch_q, here_q, asked_q;
  logic [RowW-1:0] row_in_q, row_out_q, behind_in, behind_out;
  logic [RowsW-1:0] used_q;
  logic [Rows-1:0] done_q;

  logic go;
  assign go = run_q && !stop_i;

  // ---- Places to read --------------------------------------------------------------------------
  // A read is planned in one cycle and starts in a later one. A plan that ends within a beat is
  // dropped while a pointer is being written, since it may belong to a place in that beat.
  logic [ListCountW-1:0] unread_q, answered, readable;  // unread: count minus the places requested
  logic [1:0] in_part, plan_end;  // places of the last beat
  logic [ListPosW-1:0] span;                  // places from the row of `fetch` to `asked`
  logic [3:0] to_bound, places, planned_q;
  logic straight, plan, drop;

  // A beat with a place still to be written is not read.
  assign answered = unread_q > ListCountW'(unans_i) ? unread_q - ListCountW'(unans_i) : '0;
  assign in_part  = (asked_q[1:0] + answered[1:0]) & {2{unans_i != '0}};
  assign readable = answered > ListCountW'(in_part) ? answered - ListCountW'(in_part) : '0;
  assign span     = asked_q - {fetch_q[ListPosW-1:2], 2'b00};
  assign to_bound = 4'd8 - 4'(asked_q[2:0]);
  assign places   = readable < ListCountW'(to_bound) ? 4'(readable) : to_bound;
  assign plan     = run_q && planned_q == '0 && readable != '0
      && span + ListPosW'(to_bound) <= ListPosW'(Window);

  assign plan_end = asked_q[1:0] + planned_q[1:0];
  assign drop     = unans_i != '0 && plan_end != '0;

  assign want_list_o   = run_q && planned_q != '0 && !drop;
  assign want_pos_o    = asked_q;
  assign want_places_o = planned_q;
  assign straight      = push_i && go && unread_q == '0
      && here_q == asked_q && span < ListPosW'(Window);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) planned_q <= '0;
    else if (stop_i || list_begin_i || (planned_q != '0 && drop)) planned_q <= '0;
    else if (plan) planned_q <= places;
  end

  always_ff @(posedge clk_i) begin
    if (begin_i) unread_q <= count_i + ListCountW'(push_i) - ListCountW'(known_i);
    else unread_q <= unread_q + ListCountW'(push_i && !straight)
        - (list_begin_i ? ListCountW'(planned_q) : '0);
  end

  // ---- The window -------------------------------------------------------------------------------
  logic look, list_beat, list_last;
  logic bad;  // a failed read ends: of a list or, below, of a record
  logic [BeatW-1:0] beat_row, in_row, out_row;
  logic [Lanes*PtrW-1:0] beat, rows;
  hd_pkg::ptr_t pointer;

  assign look      = go && !at_q && fetch_q != here_q && used_q != RowsW'(Rows);
  assign list_beat = go && r_valid_i && read_i.oflist;
  assign list_last = list_beat && r_i.last;
  assign beat      = {r_i.hi, r_i.lo};
  assign beat_row  = BeatW'(here_q >> 2) + BeatW'(beat_i);
  assign in_row    = begin_i ? BeatW'(first_i >> 2) : list_beat ? beat_row : BeatW'(asked_q >> 2);
  assign out_row   = BeatW'(fetch_q >> 2);

  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    // Does not overwrite places before `here`, which may be looked at in this cycle.
    logic begin_here, straight_here, beat_here;
    assign begin_here    = begin_i && known_i && first_i[1:0] == 2'(l);
    assign straight_here = straight && asked_q[1:0] == 2'(l);
    assign beat_here     = list_beat && (beat_i != '0 || 3'(here_q[1:0]) < 3'(l + 1));

    hd_ram_1r1w #(.Width(PtrW), .Depth(Beats), .AddrW(BeatW)) u_ptr (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .we_i   (begin_here || beat_here || straight_here),
      .waddr_i(in_row),
      .wdata_i(begin_i ? head_i : list_beat ? beat[l*PtrW+:PtrW] : push_ptr_i),
      .re_i   (look && fetch_q[1:0] == 2'(l)),
      .raddr_i(out_row),
      .rdata_o(rows[l*PtrW+:PtrW])
    );
  end
  assign pointer = rows[fetch_q[1:0]*PtrW+:PtrW];

  // ---- A row for the pointer -------------------------------------------------------------------
  logic take, take_age;

  assign want_record_o = run_q && at_q && !pointer.onchip
      && (hd_pkg::PrefetchDepth != 0 || (waiting_i && used_q == '0));
  assign want_index_o  = pointer.index;
  assign want_row_o    = row_in_q;
  assign take_age      = go && at_q && pointer.onchip;
  assign take          = take_age || record_begin_i;
  assign behind_in     = row_in_q == RowW'(Rows - 1) ? '0 : row_in_q + RowW'(1);
  assign behind_out    = row_out_q == RowW'(Rows - 1) ? '0 : row_out_q + RowW'(1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      run_q <= 1'b0;
      at_q  <= 1'b0;
    end else if (stop_i) begin
      run_q <= 1'b0;
      at_q  <= 1'b0;
    end else begin
      if (begin_i) run_q <= 1'b1;
      if (look) at_q <= 1'b1;
      else if (take) at_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (begin_i) begin
      fetch_q <= first_i;
      here_q  <= first_i + ListPosW'(known_i);
      asked_q <= first_i + ListPosW'(known_i);
    end else begin
      if (take) fetch_q <= fetch_q + ListPosW'(1);
      if (straight) here_q <= here_q + ListPosW'(1);
      else if (list_last && !bad) here_q <= here_q + ListPosW'(read_i.arg);
      if (straight) asked_q <= asked_q + ListPosW'(1);
      else if (list_begin_i) asked_q <= asked_q + ListPosW'(planned_q);
    end
  end

  // ---- Records ----------------------------------------------------------------------------------
  hd_pkg::info_t info, info_out;
  logic [hd_pkg::ParamUnitsW-1:0] param_q;
  logic [LevelW-1:0] level_q;
  logic record_last, good, none;
  hd_pkg::ptr_t self_out;
  logic read;
  logic [RowW-1:0] read_row;

  assign record_last = go && r_valid_i && r_i.last && !read_i.oflist;
  assign none = info.ctas == '0;
  assign bad  = go && r_valid_i && r_i.last && (error_i || r_i.error || (!read_i.oflist && none));
  assign good = record_last && !bad;

  always_ff @(posedge clk_i) begin
    if (r_valid_i && beat_i == 2'd0) param_q <= r_i.hi[hd_pkg::ParamW-1:6];
    if (r_valid_i && beat_i == 2'd1) begin
      level_q <= 32'(r_i.hi[31:24]) > MaxLevel ? LevelW'(MaxLevel) : LevelW'(r_i.hi[31:24]);
    end
  end

  always_comb begin
    info.param  = param_q;
    info.level  = level_q;
    info.grid_x = r_i.lo[hd_pkg::GroupXW-1:0];
    info.grid_y = r_i.lo[32+:hd_pkg::GroupYW];
    info.grid_z = r_i.lo[48+:hd_pkg::GroupZW];
    info.ctas   = r_i.hi[hd_pkg::CtasW-1:0];
  end

  hd_ram_1r1w #(.Width(PtrW), .Depth(Rows), .AddrW(RowW)) u_self (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (take),
    .waddr_i(row_in_q),
    .wdata_i(pointer),
    .re_i   (read),
    .raddr_i(read_row),
    .rdata_o(self_out)
  );

  hd_ram_1r1w #(.Width(hd_pkg::InfoW), .Depth(Rows), .AddrW(RowW)) u_info (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (good),
    .waddr_i(RowW'(read_i.arg)),
    .wdata_i(info),
    .re_i   (read),
    .raddr_i(read_row),
    .rdata_o(info_out)
  );

  // ---- The next group ---------------------------------------------------------------------------
  assign read_row = over_valid_q ? behind_out : row_out_q;
  assign read = go && used_q > RowsW'(over_valid_q) && done_q[read_row]
      && (!over_valid_q || over_pop_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      over_valid_q <= 1'b0;
      used_q       <= '0;
      row_in_q     <= '0;
      row_out_q    <= '0;
      done_q       <= '0;
    end else if (stop_i) begin
      over_valid_q <= 1'b0;
      used_q       <= '0;
      row_in_q     <= '0;
      row_out_q    <= '0;
      done_q       <= '0;
    end else begin
      over_valid_q <= read || (over_valid_q && !over_pop_i);
      if (take != over_pop_i) used_q <= take ? used_q + RowsW'(1) : used_q - RowsW'(1);
      if (take) row_in_q <= behind_in;
      if (over_pop_i) row_out_q <= behind_out;
      if (take_age) done_q[row_in_q] <= 1'b1;
      if (good) done_q[RowW'(read_i.arg)] <= 1'b1;
      if (over_pop_i) done_q[row_out_q] <= 1'b0;
    end
  end

  always_comb begin
    over_o = '0;
    if (over_valid_q) begin
      over_o.self = self_out;
      if (!self_out.onchip) over_o.info = info_out;
    end
  end

  assign run_o        = run_q;
  assign bad_o        = bad;
  assign over_valid_o = over_valid_q;

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (over_pop_i) `HD_ASSERT_IN(a_pop, over_valid_q,
          "A group is popped while none is offered.")
      if (list_begin_i) `HD_ASSERT_IN(a_list, want_list_o,
          "A read of list places begins that was not requested.")
      if (record_begin_i) `HD_ASSERT_IN(a_record, want_record_o,
          "A read of a record begins that was not requested.")
      if (run_q) begin
        `HD_ASSERT(a_window, span <= ListPosW'(Window),
            "More list places were requested than fit in the window.")
        `HD_ASSERT(a_unread, unread_q == count_i - ListCountW'(ListPosW'(asked_q - first_i)),
            "The count of unread places differs from the length of the list less those requested.")
        `HD_ASSERT(a_rows, $signed(32'(used_q)) - Rows <= 0,
            "More record rows are in use than exist.")
      end
      if (good) `HD_ASSERT_IN(a_done, !done_q[RowW'(read_i.arg)] && used_q != '0,
          "A record arrives for a row that does not wait for one.")
      if (begin_i) `HD_ASSERT_IN(a_begin, !run_q && !stop_i,
          "Reading ahead begins while it already runs, or in the cycle in which it stops.")
    end
  end

  // Rare: the window is full; all rows are full; a push directly into the window; one that misses
  // it; a list read in parts; beats of dropped reads.
  `HD_COVER(c_window, run_q && readable != '0 && planned_q == '0 && !plan)
  `HD_COVER(c_rows, used_q == RowsW'(Rows))
  `HD_COVER(c_straight, straight)
  `HD_COVER(c_missed, push_i && go && !straight)
  `HD_COVER(c_part, list_begin_i && planned_q < to_bound)
  `HD_COVER(c_dropped, r_valid_i && !go)
`endif

endmodule
