// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_agg_chans: the aggregator's state of each channel, and which channels can give a wavefront.
//
//   set ---> [open begins cap level levelized threshold]
//   pub ---> [ready next] -------+--> [enough some] --> can
//   live --> [coming] -----------+--> [alone waits]      ^
//   ends --> [alive active recs]-+--> [spare] -----------'
//
// Head and tail in memory of channels-isca2014 section 3.2 are here counts, updated by events.
// - timing: gives_i, often late, selects between counts prepared before it. An end is delayed by
//   one cycle: its channel is read from a RAM.
// - alone, waits and spare are one cycle old; enough and some are current except for elements given
//   in this cycle. Outputs come from registers, except those of the given wavefront.
// - Reset: no channel is open, counts 0.
// Part of hd_agg; page docs/channel/agg.md, rules A3, A6, A8, A9, A12, A14, A15, A17, A18, A19.
module hd_agg_chans (
  input  logic                                        clk_i,
  input  logic                                        rst_ni,
  // A channel is set up
  input  logic                                        set_i,
  input  hd_pkg::chanset_t                            set_data_i,
  // Elements reserved, done or published
  input  logic                                        live_i,
  input  hd_pkg::chanlive_t                           live_data_i,
  input  logic                                        pub_i,
  input  logic [hd_pkg::ChanW-1:0]                    pub_chan_i,
  input  logic [hd_pkg::ChanLineAtW-1:0]              pub_count_i,
  input  logic [hd_pkg::NumChan-1:0]                  failed_i,
  input  logic                                        quiet_i,
  // A waiter may be given room; one was, and the channel of its elements
  input  logic                                        asking_i,
  input  logic                                        back_i,
  // The level of that channel; the channels of that level and of shallower ones
  input  logic [hd_pkg::ChanW-1:0]                    back_own_i,
  output logic [hd_pkg::ChanLevelW-1:0]               level_o,
  output logic [hd_pkg::NumChan-1:0]                  until_o,
  // A level begins: its channel, which is set up, and all of greater numbers
  output logic [hd_pkg::NumChan-1:0]                  begun_o,
  // Channels that can give a wavefront, full or partial; one gives: control places and count
  output logic [hd_pkg::NumChan-1:0]                  can_o,
  output logic [hd_pkg::NumChan-1:0]                  begins_o,
  input  logic [hd_pkg::NumChan-1:0]                  granted_i,  // the reported channel
  input  logic                                        some_i,     // it gives a wavefront
  input  logic [hd_pkg::NumChan-1:0]                  gives_i,    // both
  output logic [hd_pkg::ChanPosW-1:0]                 start_o,
  output logic [hd_pkg::LanesW-1:0]                   count_o,
  output logic [hd_pkg::ChanCapW-1:0]                 cap_o,    // of the reported channel
  // A wavefront has ended, or yielded
  input  logic                                        ended_i,
  input  logic                                        yielded_i,
  input  logic [hd_pkg::ChanW-1:0]                    left_chan_i
);

  localparam int N = hd_pkg::NumChan;
  localparam int ChanW = hd_pkg::ChanW;
  localparam int PosW = hd_pkg::ChanPosW;
  localparam int CapW = hd_pkg::ChanCapW;
  localparam int LevelW = hd_pkg::ChanLevelW;
  localparam int LanesW = hd_pkg::LanesW;
  localparam int Lanes = hd_pkg::WaveLanes;
  localparam int RecW = hd_pkg::ChanRecW;
  localparam int SumW = (RecW > ChanW ? RecW : ChanW) + 2;
  localparam logic Paper = (hd_pkg::ChanPaper & 4) != 0;  // waiting wavefronts count as active

  // ---- Set up -----------------------------------------------------------------------------------
  logic [N-1:0] set, open_q, begins, begins_q, levelized_q, ends;
  logic [N*CapW-1:0] cap_q;
  logic [N*LevelW-1:0] level_q;
  logic [N*LanesW-1:0] threshold_q;
  logic [LevelW-1:0] deepest_q;
  logic [ChanW-1:0] last_q;
  logic begin_here;  // a level begins with the channel being set up

  hd_onehot #(.N(N), .IdxW(ChanW)) u_set (
    .valid_i (set_i),
    .index_i (set_data_i.chan),
    .onehot_o(set)
  );

  assign begin_here = set_i && set_data_i.level != deepest_q;
  assign begins     = begins_q | (set & {N{begin_here}});
  assign begun_o    = ({N{1'b1}} << set_data_i.chan) & {N{begin_here}};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q      <= '0;
      begins_q    <= '0;
      levelized_q <= '0;
      deepest_q   <= '0;
      last_q      <= '0;
    end else begin
      open_q      <= open_q | set;
      begins_q    <= begins;
      levelized_q <= levelized_q | (set & {N{set_data_i.levelized}});
      if (set_i) deepest_q <= set_data_i.level;
      if (set_i) last_q <= set_data_i.chan;
    end
  end

  for (genvar c = 0; c < N; c++) begin : g_set
    always_ff @(posedge clk_i) begin
      if (set[c]) begin
        cap_q[c*CapW+:CapW]           <= set_data_i.cap;
        level_q[c*LevelW+:LevelW]     <= set_data_i.level;
        threshold_q[c*LanesW+:LanesW] <= set_data_i.threshold;
      end
    end
  end

  assign begins_o = begins_q;
  assign level_o  = level_q[back_own_i*LevelW+:LevelW];

  // Channels of this level and shallower ones: up to the next begin of a level.
  always_comb begin
    ends = begins & ({N{1'b1}} << 1 << back_own_i);
    for (int b = 0; b < $clog2(N); b++) ends = ends | (ends << (1 << b));
  end

  assign until_o = ~ends;

  // ---- Published and given ---------------------------------------------------------------------
  logic [N*PosW-1:0] ready_q, next_q;
  logic [N*LanesW-1:0] count;
  logic [N-1:0] pub, waits_q, spare_q, enough_q, some_q, alone_q, ready_some;
  logic [PosW-1:0] told, published, less;  // less: after giving a whole wavefront

  hd_onehot #(.N(N), .IdxW(ChanW)) u_pub (
    .valid_i (pub_i),
    .index_i (pub_chan_i),
    .onehot_o(pub)
  );

  assign told      = ready_q[pub_chan_i*PosW+:PosW];
  assign published = told + PosW'(pub_count_i);
  assign less      = told + (PosW'(pub_count_i) - PosW'(Lanes));

  for (genvar c = 0; c < N; c++) begin : g_ready
    logic [PosW-1:0] ready, next, stays, gives, left;
    logic whole, more, twice, full, fuller;

    assign ready = ready_q[c*PosW+:PosW];
    assign ready_some[c] = ready != '0;
    assign next  = next_q[c*PosW+:PosW];
    assign whole = {1'b0, ready} >= (PosW + 1)'(Lanes);
    assign more  = {1'b0, ready} > (PosW + 1)'(Lanes);
    assign twice = {2'b0, ready} >= (PosW + 2)'(2 * Lanes);

    // Without a whole wavefront: is the rest enough for a partial one?
    assign full   = LanesW'(ready) != '0 && LanesW'(ready) >= threshold_q[c*LanesW+:LanesW];
    assign fuller = {1'b0, ready[LanesW-2:0]} >= threshold_q[c*LanesW+:LanesW];

    // A channel with a spare record is open.
    assign can_o[c] = !waits_q[c] && spare_q[c] && (enough_q[c] || (some_q[c] && alone_q[c]));

    assign count[c*LanesW+:LanesW] = whole ? LanesW'(Lanes) : LanesW'(ready);

    // stays: if it gives no wavefront; gives: if it does; a whole wavefront leaves the rest.
    assign stays = pub[c] ? published : ready;
    assign left  = pub[c] ? PosW'(pub_count_i) : '0;
    assign gives = !whole ? left : pub[c] ? less : ready - PosW'(Lanes);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        ready_q[c*PosW+:PosW] <= '0;
        next_q[c*PosW+:PosW]  <= '0;
        some_q[c]             <= 1'b0;
        enough_q[c]           <= 1'b0;
      end else begin
        if (gives_i[c]) next_q[c*PosW+:PosW] <= next + PosW'(count[c*LanesW+:LanesW]);
        if (gives_i[c]) ready_q[c*PosW+:PosW] <= gives;
        else ready_q[c*PosW+:PosW] <= stays;
        some_q[c]   <= gives_i[c] ? more : ready != '0;
        enough_q[c] <= gives_i[c] ? twice || (more && fuller) : whole || full;
      end
    end
  end

  always_comb begin
    start_o = '0;
    count_o = '0;
    cap_o   = '0;
    for (int c = 0; c < N; c++) begin
      start_o = start_o | (next_q[c*PosW+:PosW] & {PosW{granted_i[c]}});
      count_o = count_o | (count[c*LanesW+:LanesW] & {LanesW{granted_i[c]}});
      cap_o   = cap_o | (cap_q[c*CapW+:CapW] & {CapW{granted_i[c]}});
    end
  end

  // ---- Reserved, not published -----------------------------------------------------------------
  logic [N*PosW-1:0] coming_q;
  logic [N-1:0] reserves, on_the_way, coming_some;
  logic [PosW-1:0] reserved, goes_on, both;  // new count if reserved, published, both

  hd_onehot #(.N(N), .IdxW(ChanW)) u_reserves (
    .valid_i (live_i && !live_data_i.done),
    .index_i (live_data_i.chan),
    .onehot_o(reserves)
  );

  assign reserved = coming_q[live_data_i.chan*PosW+:PosW] + live_data_i.n;
  assign goes_on  = coming_q[pub_chan_i*PosW+:PosW] - PosW'(pub_count_i);
  assign both     = reserved - PosW'(pub_count_i);

  for (genvar c = 0; c < N; c++) begin : g_coming
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) coming_q[c*PosW+:PosW] <= '0;
      else if (reserves[c]) coming_q[c*PosW+:PosW] <= pub[c] ? both : reserved;
      else if (pub[c]) coming_q[c*PosW+:PosW] <= goes_on;
    end

    assign coming_some[c] = coming_q[c*PosW+:PosW] != '0;
  end

  // If no run is in flight, reserved elements belong to a wavefront that runs or waits.
  assign on_the_way = coming_some & ~failed_i & {N{!quiet_i || pub_i}};

  // ---- Wavefronts that have not ended ----------------------------------------------------------
  logic [N*RecW-1:0] alive_q, active_q;
  logic [N-1:0] gone, left, backs, busy, producer, deeper, fed, spare;
  logic [RecW-1:0] recs_q;
  logic gone_q, left_q;
  logic [ChanW-1:0] left_chan_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      gone_q <= 1'b0;
      left_q <= 1'b0;
    end else begin
      gone_q <= ended_i;
      left_q <= ended_i || yielded_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (ended_i || yielded_i) left_chan_q <= left_chan_i;
  end

  hd_onehot #(.N(N), .IdxW(ChanW)) u_left (
    .valid_i (left_q),
    .index_i (left_chan_q),
    .onehot_o(left)
  );

  assign gone = left & {N{gone_q}};

  hd_onehot #(.N(N), .IdxW(ChanW)) u_restarts (
    .valid_i (back_i),
    .index_i (back_own_i),
    .onehot_o(backs)
  );

  for (genvar c = 0; c < N; c++) begin : g_alive
    logic [RecW-1:0] alive, active, stays;
    assign alive  = alive_q[c*RecW+:RecW];
    assign active = active_q[c*RecW+:RecW];

    // stays: if it gives no wavefront; one more if it does.
    always_comb begin
      stays = active;
      if (backs[c] && !left[c]) stays = active + RecW'(1);
      if (!backs[c] && left[c]) stays = active - RecW'(1);
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) active_q[c*RecW+:RecW] <= '0;
      else active_q[c*RecW+:RecW] <= gives_i[c] ? stays + RecW'(1) : stays;
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) alive_q[c*RecW+:RecW] <= '0;
      else if (gives_i[c] && !gone[c]) alive_q[c*RecW+:RecW] <= alive + RecW'(1);
      else if (!gives_i[c] && gone[c]) alive_q[c*RecW+:RecW] <= alive - RecW'(1);
    end

    assign busy[c] = open_q[c]
        && (((coming_some[c] || ready_some[c]) && !failed_i[c]) || alive != '0);

    // A channel with a spare record is open.
    assign producer[c] = (Paper ? alive != '0 : active != '0)
        || (!waits_q[c] && spare_q[c] && (ready_some[c] || on_the_way[c]));
  end

  hd_agg_upstream u_upstream (
    .producer_i (producer),
    .begins_i   (begins_q),
    .levelized_i(levelized_q),
    .fed_o      (fed)
  );

  hd_agg_deeper u_deeper (
    .some_i  (busy),
    .begins_i(begins_q),
    .deeper_o(deeper)
  );

  // free: unused records, minus one that may be allocated in this cycle. New work leaves one record
  // for each channel behind its own, so only channels from `least` on may give.
  logic [SumW-1:0] free, most, least;

  assign free  = SumW'(hd_pkg::ChanRecs) - SumW'(recs_q);
  assign most  = SumW'(last_q) + SumW'(1) + {{SumW - 1{1'b0}}, |can_o};
  assign least = free >= most ? '0 : most - free;

  for (genvar c = 0; c < N; c++) begin : g_spare
    assign spare[c] = open_q[c] && SumW'(c) >= least;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      recs_q  <= '0;
      alone_q <= '0;
      waits_q <= '0;
      spare_q <= '0;
    end else begin
      if (some_i && !gone_q) recs_q <= recs_q + RecW'(1);
      else if (!some_i && gone_q) recs_q <= recs_q - RecW'(1);
      alone_q <= open_q & ~fed & ~on_the_way & {N{!asking_i && !back_i}};
      waits_q <= deeper & levelized_q;
      spare_q <= spare;
    end
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, set_data_i};

endmodule
