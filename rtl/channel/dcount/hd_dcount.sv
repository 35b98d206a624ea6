// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_dcount: counts the done elements of channels, grain by grain, and frees grains in order.
//
//   run --> u_runs ---grain by grain---+
//   u_heads: look; check --------------+--> [stage 1] --> [stage 2: u_counts + ] --> head, freed
//   a beat from memory ----------------+
//   u_mem: memory port: read beats of new entries, write beats of entries that leave
//
// From channels-isca2014 section 3.2 (done counts, one for 64 elements, in memory). Counting in an
// on-chip beat before the beat from memory has arrived and is added is ours.
// - Rate: one event per cycle: a beat that arrives, a head that moved into another beat, a head
//   that moved within its beat, a grain of a run, or a beat that leaves.
// - Latency: a run counted at t moves the head at the end of t+1.
// - Outputs come from registers, except those of the memory port (hd_dcount_mem).
// - Reset: nothing on chip; rows have no reset.
// Ports: dcount.csv. Model cmodel/channel/dcount, tests verif/unit test_dcount, page
// docs/channel/dcount.md.
`include "common/hd_assert.svh"
module hd_dcount (
  input  logic                                      clk_i,
  input  logic                                      rst_ni,
  // Channel configuration (host)
  input  logic                                      set_valid_i,
  input  hd_pkg::chanset_t                          set_i,
  // Completed elements (chan)
  input  logic                                      run_valid_i,
  input  hd_pkg::donerun_t                          run_i,
  output logic                                      run_room_o,
  output logic [hd_pkg::NumChan*hd_pkg::GrainW-1:0] head_o,
  output logic [hd_pkg::NumChan-1:0]                fail_o,
  // Freed elements (yrec)
  output logic                                      freed_valid_o,
  output logic [hd_pkg::ChanW-1:0]                  freed_chan_o,
  // Memory port (memarb)
  output hd_pkg::memup_t                           mem_o,
  input  hd_pkg::memdown_t                         mem_i
);

  localparam int ChanW = hd_pkg::ChanW;
  localparam int Rows = hd_pkg::DoneRows;
  localparam int EntryW = hd_pkg::DoneEntryW;
  localparam int NoW = hd_pkg::DoneNoW;
  localparam int PlaceW = NoW + 4;  // number of a beat, lane in it
  localparam logic [1:0] Free = 2'd0;
  localparam logic [1:0] Reading = 2'd1;
  localparam logic [1:0] Held = 2'd2;
  localparam logic [1:0] Writing = 2'd3;

  // ---- Entries: beats on chip ------------------------------------------------------------------
  logic [Rows*2-1:0] entry_q;
  logic [Rows*ChanW-1:0] entry_chan_q;
  logic [Rows*NoW-1:0] entry_no_q;
  logic [Rows-1:0] check_q, free, reading, held, writing;

  for (genvar e = 0; e < Rows; e++) begin : g_state
    assign free[e]    = entry_q[e*2+:2] == Free;
    assign reading[e] = entry_q[e*2+:2] == Reading;
    assign held[e]    = entry_q[e*2+:2] == Held;
    assign writing[e] = entry_q[e*2+:2] == Writing;
  end

  // ---- D2: a head that moved into another beat; D4: a grain of the oldest run ------------------
  logic looking, look_found, look_can, some_run, run_found, run_can;
  logic [ChanW-1:0] look_chan, run_chan, chan2_q;
  logic [PlaceW-1:0] run_place, place2;
  logic [NoW-1:0] look_no;
  logic [Rows-1:0] look_hit, run_hit;
  logic look, count, moved, same_beat;
  logic [7:0] k;

  hd_dcount_heads u_heads (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .set_i         (set_valid_i),
    .set_chan_i    (set_i.chan),
    .set_cap_i     (set_i.cap),
    .looking_o     (looking),
    .looking_chan_o(look_chan),
    .looking_no_o  (look_no),
    .look_i        (look),
    .chan_i        (chan2_q),
    .place_o       (place2),
    .same_beat_o   (same_beat),
    .moved_i       (moved),
    .head_o        (head_o)
  );

  hd_dcount_runs u_runs (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .run_i     (run_valid_i),
    .run_data_i(run_i),
    .room_o    (run_room_o),
    .valid_o   (some_run),
    .chan_o    (run_chan),
    .place_o   (run_place),
    .k_o       (k),
    .count_i   (count)
  );

  assign look_found = |look_hit;
  assign look_can   = looking && (look_found ? (look_hit & writing) == '0 : |free);
  assign run_found  = |run_hit;
  assign run_can    = some_run && (run_found ? (run_hit & writing) == '0 : |free);

  for (genvar e = 0; e < Rows; e++) begin : g_hit
    assign look_hit[e] = !free[e] && entry_chan_q[e*ChanW+:ChanW] == look_chan
        && entry_no_q[e*NoW+:NoW] == look_no;
    assign run_hit[e] = !free[e] && entry_chan_q[e*ChanW+:ChanW] == run_chan
        && entry_no_q[e*NoW+:NoW] == run_place[PlaceW-1:4];
  end

  // ---- D5: a beat that leaves -------------------------------------------------------------------
  logic [Rows-1:0] may_leave, in_stage2, gone;
  logic [EntryW-1:0] evict_ptr_q, gone_entry, evict_next;
  logic [EntryW:0] spare;
  logic some_may_leave, leave_can, out_full, leaving_q;
  logic adds2;
  logic [EntryW-1:0] entry2;

  hd_onehot #(.N(Rows), .IdxW(EntryW)) u_in_stage2 (
    .valid_i (adds2),
    .index_i (entry2),
    .onehot_o(in_stage2)
  );

  assign may_leave = held & ~in_stage2;  // an entry with check set does not leave

  hd_rr_arb #(.N(Rows), .IdxW(EntryW)) u_leave (
    .req_i  (may_leave),
    .ptr_i  (evict_ptr_q),
    .grant_o(gone),
    .index_o(gone_entry),
    .valid_o(some_may_leave),
    .next_o (evict_next)
  );

  always_comb begin
    spare = '0;
    for (int e = 0; e < Rows; e++) spare = spare + {{EntryW{1'b0}}, free[e] | writing[e]};
  end

  assign leave_can = some_may_leave && spare < (EntryW + 1)'(hd_pkg::DoneSpare) && !out_full
      && !leaving_q;

  // ---- Stage 1: the first event that can go ----------------------------------------------------
  logic fill, check, leave, some_check, some_free, news, adds;
  logic [Rows-1:0] first_check, first_free, entry1_hot, fill_hot;
  logic [EntryW-1:0] check_entry, free_entry, fill_entry, entry1;
  logic [ChanW-1:0] chan1;
  logic [NoW-1:0] no1;

  hd_find_first #(.N(Rows), .IdxW(EntryW)) u_check (
    .req_i   (check_q),
    .onehot_o(first_check),
    .index_o (check_entry),
    .valid_o (some_check)
  );

  hd_find_first #(.N(Rows), .IdxW(EntryW)) u_free (
    .req_i   (free),
    .onehot_o(first_free),
    .index_o (free_entry),
    .valid_o (some_free)
  );

  hd_onehot #(.N(Rows), .IdxW(EntryW)) u_fill (
    .valid_i (fill),
    .index_i (fill_entry),
    .onehot_o(fill_hot)
  );

  assign fill  = mem_i.r_valid;
  assign look  = !fill && look_can;
  assign check = !fill && !look_can && some_check;
  assign count = !fill && !look_can && !some_check && run_can;
  assign leave = !fill && !look_can && !some_check && !run_can && leave_can;
  assign news  = (look && !look_found) || (count && !run_found);
  assign adds  = fill || check || count || (look && (look_hit & reading) == '0);

  assign entry1_hot = fill_hot | ({Rows{look}} & (look_found ? look_hit : first_free))
      | ({Rows{check}} & first_check) | ({Rows{count}} & (run_found ? run_hit : first_free))
      | ({Rows{leave}} & gone);

  always_comb begin
    entry1 = '0;
    for (int e = 0; e < Rows; e++) entry1 = entry1 | (EntryW'(e) & {EntryW{entry1_hot[e]}});
  end

  always_comb begin
    chan1 = run_chan;
    no1   = run_place[PlaceW-1:4];
    if (fill) begin
      chan1 = entry_chan_q[fill_entry*ChanW+:ChanW];
      no1   = entry_no_q[fill_entry*NoW+:NoW];
    end else if (look_can) begin
      chan1 = look_chan;
      no1   = look_no;
    end else if (some_check) begin
      chan1 = entry_chan_q[check_entry*ChanW+:ChanW];
      no1   = entry_no_q[check_entry*NoW+:NoW];
    end
  end

  // ---- Stage 2: the count is added; a full grain at the head is freed --------------------------
  logic full2;
  logic [NoW-1:0] no2_q;
  logic [127:0] counts_read;

  always_ff @(posedge clk_i) begin
    if (adds) begin
      chan2_q <= chan1;
      no2_q   <= no1;
    end
  end

  hd_dcount_counts u_counts (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .read_i     (adds || leave),
    .add_i      (adds),
    .entry_i    (entry1),
    .new_i      (news),
    .fill_i     (fill),
    .beat_i     ({mem_i.r.hi, mem_i.r.lo} & {128{!mem_i.r.error}}),
    .k_i        (k & {8{count}}),
    .lane_i     (run_place[3:0]),
    .add_o      (adds2),
    .entry_o    (entry2),
    .counts_o   (counts_read),
    .head_lane_i(place2[3:0]),
    .full_o     (full2),
    .clear_i    (moved)
  );

  assign moved = adds2 && held[entry2] && no2_q == place2[PlaceW-1:4] && full2;

  // ---- State of the entries --------------------------------------------------------------------
  logic [Rows-1:0] freed_hot, checks;
  logic [EntryW-1:0] b_entry;

  hd_onehot #(.N(Rows), .IdxW(EntryW)) u_freed (
    .valid_i (mem_i.b_valid),
    .index_i (b_entry),
    .onehot_o(freed_hot)
  );

  assign checks = in_stage2 & {Rows{moved && same_beat}};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      check_q     <= '0;
      evict_ptr_q <= '0;
      leaving_q   <= 1'b0;
    end else begin
      check_q   <= (check_q & ~(first_check & {Rows{check}})) | checks;
      leaving_q <= leave;
      if (leave) evict_ptr_q <= evict_next;
    end
  end

  for (genvar e = 0; e < Rows; e++) begin : g_entry
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) entry_q[e*2+:2] <= Free;
      else if (fill_hot[e]) entry_q[e*2+:2] <= Held;
      else if (news && first_free[e]) entry_q[e*2+:2] <= Reading;
      else if (leave && gone[e]) entry_q[e*2+:2] <= Writing;
      else if (freed_hot[e]) entry_q[e*2+:2] <= Free;
    end
    always_ff @(posedge clk_i) begin
      if (news && first_free[e]) begin
        entry_chan_q[e*ChanW+:ChanW] <= chan1;
        entry_no_q[e*NoW+:NoW]       <= no1;
      end
    end
  end

  // ---- Outputs ----------------------------------------------------------------------------------
  logic freed_q;
  logic [ChanW-1:0] freed_chan_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) freed_q <= 1'b0;
    else freed_q <= moved;
  end

  always_ff @(posedge clk_i) begin
    if (moved) freed_chan_q <= chan2_q;
  end

  assign freed_valid_o = freed_q;
  assign freed_chan_o  = freed_q ? freed_chan_q : '0;

  hd_dcount_mem u_mem (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .set_i       (set_valid_i),
    .set_chan_i  (set_i.chan),
    .set_done_i  (set_i.done),
    .entry_chan_i(entry_chan_q),
    .entry_no_i  (entry_no_q),
    .new_i       (news),
    .new_entry_i (free_entry),
    .out_i       (leaving_q),
    .out_entry_i (entry2),
    .out_counts_i(counts_read),
    .out_full_o  (out_full),
    .r_entry_o   (fill_entry),
    .b_entry_o   (b_entry),
    .fail_o      (fail_o),
    .mem_o       (mem_o),
    .mem_i       (mem_i)
  );

  logic unused_bits;
  assign unused_bits = &{1'b0, set_i, mem_i.r.last, some_free, gone_entry};

`ifdef HD_ASSERT_ON
  logic take_ok, b_ok, r_ok;

  hd_mem_answers #(.Reads(Rows), .Writes(Rows), .Beats(1)) u_answers (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .mem_up_i  (mem_o),
    .mem_down_i(mem_i),
    .take_ok_o (take_ok),
    .b_ok_o    (b_ok),
    .r_ok_o    (r_ok)
  );

  // Channels that were set up, and their capacities; room in the two cycles before.
  localparam int PosW = hd_pkg::ChanPosW;
  logic [hd_pkg::NumChan-1:0] set_q;
  logic [hd_pkg::NumChan*hd_pkg::ChanCapW-1:0] cap_q;
  logic [1:0] room_q;
  logic [PosW:0] run_end;
  logic [hd_pkg::ChanCapW-1:0] run_cap;

  assign run_end = {1'b0, run_i.off} + {1'b0, run_i.n};
  assign run_cap = cap_q[run_i.chan*hd_pkg::ChanCapW+:hd_pkg::ChanCapW];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      set_q  <= '0;
      cap_q  <= '0;
      room_q <= '0;
    end else begin
      if (set_valid_i) begin
        set_q[set_i.chan] <= 1'b1;
        cap_q[set_i.chan*hd_pkg::ChanCapW+:hd_pkg::ChanCapW] <= set_i.cap;
      end
      room_q <= {room_q[0], run_room_o};
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (set_valid_i) begin
        `HD_ASSERT_IN(a_set_once, !set_q[set_i.chan], "A channel is set up twice.")
        `HD_ASSERT_IN(a_cap, 32'(set_i.cap) >= $clog2(hd_pkg::DoneGrain)
            && $signed(32'(set_i.cap)) - hd_pkg::ChanCap <= 0,
            "A channel is set up with a capacity below DoneGrain or above 2^ChanCap.")
      end
      if (run_valid_i) begin
        `HD_ASSERT_IN(a_room, room_q[1],
            "A run of done elements arrives though run_room was 0 two cycles before.")
        `HD_ASSERT_IN(a_run, set_q[run_i.chan] && run_i.n != '0
            && run_end <= (PosW + 1)'(1) << run_cap,
            "A run of done elements is empty, or not within a channel that was set up.")
      end
      `HD_ASSERT_IN(a_port, take_ok,
          "The port accepts a beat that it does not await, or a burst before the last beat.")
      `HD_ASSERT_IN(a_answer, b_ok, "The port answers a write that has no answer pending.")
      `HD_ASSERT_IN(a_beat, r_ok,
          "The port returns a beat of no read, or does not mark it as the last.")
      `HD_ASSERT(a_check, (check_q & ~held) == '0,
          "An entry that must be checked again is not held on chip.")
      `HD_ASSERT(a_one, $onehot0(look_hit) && $onehot0(run_hit),
          "Two entries hold the same beat of done counts.")
    end
  end

  // Rare: a head moves into a beat that is not on chip; the beat of a run is being written to
  // memory; a head moves within its beat.
  `HD_COVER(c_look, look && !look_found)
  `HD_COVER(c_writing, some_run && (run_hit & writing) != '0)
  `HD_COVER(c_check, check)
`endif

endmodule
