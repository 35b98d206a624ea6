// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_agg: the aggregator: forms wavefronts from ready elements of the channels, deepest level
// first, and starts them, as well as wavefronts that resume after a yield, one per cycle.
//
//   set, live, pub --> [u_chans: counts] -- can --> [u_order] --+--> [go] --> CUs
//   back ------------> [u_restarts] ------------------- can -------+
//                                                     ^         |
//   end, yield ------> [u_slots] ---- room -----------+--<------+
//                          +--> ended --> u_chans;  yielded --> wait
//
// From channels-isca2014 section 3.3 (aggregator) and 6 (yield), where it is firmware; slots,
// records and the rule for partial wavefronts are ours.
// - Latency: elements published at t can start at t+2 and appear on go at t+3. A slot freed at t is
//   reused at t+2 at the earliest. Rate: one wavefront per cycle.
// - Outputs come from registers, except end_ready_o (also from yield_valid_i and the end_valid_i of
//   the other CUs); wait_o contains data read from u_own.
// - Reset: no channel is open, nothing runs, none waits.
// Ports: agg.csv. Model cmodel/channel/agg, tests verif/unit test_agg, page docs/channel/agg.md.
`include "common/hd_assert.svh"
module hd_agg (
  input  logic                                   clk_i,
  input  logic                                   rst_ni,
  // Channel configuration (host)
  input  logic                                   set_valid_i,
  input  hd_pkg::chanset_t                       set_i,
  // Progress of elements (chan)
  input  logic                                   live_valid_i,
  input  hd_pkg::chanlive_t                      live_i,
  input  logic                                   pub_valid_i,
  input  logic [hd_pkg::ChanW-1:0]               pub_chan_i,
  input  logic [hd_pkg::ChanLineAtW-1:0]         pub_count_i,
  input  logic [hd_pkg::NumChan-1:0]             failed_i,
  input  logic                                   quiet_i,
  // End of a wavefront (CUs)
  input  logic [hd_pkg::NumCu-1:0]               end_valid_i,
  input  logic [hd_pkg::NumCu*hd_pkg::WaveW-1:0] end_slot_i,
  output logic [hd_pkg::NumCu-1:0]               end_ready_o,
  // Yield of a wavefront (chan)
  input  logic                                   yield_valid_i,
  input  hd_pkg::chanyield_t                     yield_i,
  // Yielded wavefront (yrec)
  output logic                                   wait_valid_o,
  output hd_pkg::chanwait_t                      wait_o,
  // Restart of a waiting wavefront (yrec)
  input  logic                                   back_valid_i,
  input  hd_pkg::chanback_t                      back_i,
  output logic [hd_pkg::NumCu-1:0]               back_busy_o,
  input  logic                                   asking_i,
  // Start of a wavefront (CUs)
  output logic                                   go_valid_o,
  output hd_pkg::chango_t                        go_o,
  // Errors (regs)
  output logic                                   bad_o
);

  localparam int NumCu = hd_pkg::NumCu;
  localparam int CuW = hd_pkg::CuW;
  localparam int NumChan = hd_pkg::NumChan;
  localparam int ChanW = hd_pkg::ChanW;
  localparam int PosW = hd_pkg::ChanPosW;
  localparam int WaveW = hd_pkg::WaveW;

  // ---- Channels ---------------------------------------------------------------------------------
  logic [NumChan-1:0] can, begins, granted, gives, begun, back_until;
  logic [PosW-1:0] start;
  logic [hd_pkg::ChanCapW-1:0] cap;
  logic [hd_pkg::LanesW-1:0] count;
  logic [hd_pkg::ChanLevelW-1:0] back_level;
  logic some_room, gives_some, ended, yielded;
  logic [ChanW-1:0] own;

  hd_agg_chans u_chans (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .set_i       (set_valid_i),
    .set_data_i  (set_i),
    .live_i      (live_valid_i),
    .live_data_i (live_i),
    .pub_i       (pub_valid_i),
    .pub_chan_i  (pub_chan_i),
    .pub_count_i (pub_count_i),
    .failed_i    (failed_i),
    .quiet_i     (quiet_i),
    .asking_i    (asking_i),
    .back_i      (back_valid_i),
    .back_own_i  (back_i.own),
    .level_o     (back_level),
    .until_o     (back_until),
    .begun_o     (begun),
    .can_o       (can),
    .begins_o    (begins),
    .granted_i   (granted),
    .some_i      (gives_some),
    .gives_i     (gives),
    .start_o     (start),
    .count_o     (count),
    .cap_o       (cap),
    .ended_i     (ended),
    .yielded_i   (yielded),
    .left_chan_i (own)
  );

  // ---- Slots and restarts -----------------------------------------------------------------------
  logic [NumCu-1:0] room, take, back_cu, new_cu;
  logic [NumCu*WaveW-1:0] free;
  logic [NumChan-1:0] covers;
  logic [CuW-1:0] cu_ptr_q, cu_next, new_cu_index;
  logic some_back, restarts;
  logic [ChanW-1:0] granted_chan;
  hd_pkg::chanback_t back;

  hd_agg_slots u_slots (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .end_valid_i (end_valid_i),
    .end_slot_i  (end_slot_i),
    .end_ready_o (end_ready_o),
    .yield_i     (yield_valid_i),
    .yield_cu_i  (yield_i.cu),
    .yield_slot_i(yield_i.slot),
    .ended_o     (ended),
    .yielded_o   (yielded),
    .own_o       (own),
    .bad_o       (bad_o),
    .room_o      (room),
    .free_o      (free),
    .take_i      (take),
    .go_i        (go_valid_o),
    .go_cu_i     (go_o.cu),
    .go_slot_i   (go_o.slot),
    .go_own_i    (go_o.own)
  );

  hd_agg_restarts u_restarts (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .back_i     (back_valid_i),
    .back_data_i(back_i),
    .level_i    (back_level),
    .until_i    (back_until),
    .begun_i    (begun),
    .busy_o     (back_busy_o),
    .room_i     (room),
    .covers_o   (covers),
    .some_o     (some_back),
    .go_cu_o    (back_cu),
    .go_o       (back),
    .gone_i     (restarts)
  );

  // ---- The choice ------------------------------------------------------------------------------
  logic [ChanW-1:0] chan_ptr_q, chan_next;
  logic ahead;

  hd_agg_order u_order (
    .can_i   (can),
    .covers_i(covers),
    .begins_i(begins),
    .ptr_i   (chan_ptr_q),
    .grant_o (granted),
    .before_o(ahead)
  );

  hd_rr_arb #(.N(NumCu), .IdxW(CuW)) u_cu (
    .req_i  (room),
    .ptr_i  (cu_ptr_q),
    .grant_o(new_cu),
    .index_o(new_cu_index),
    .valid_o(some_room),
    .next_o (cu_next)
  );

  // Restarts can go only if some CU has room.
  assign gives_some = ahead && some_room;
  assign gives      = granted & {NumChan{gives_some}};
  assign restarts   = some_back && !ahead;
  assign take       = (new_cu & {NumCu{gives_some}}) | (back_cu & {NumCu{restarts}});

  // Of the granted channel, whether it gives or not.
  always_comb begin
    granted_chan = '0;
    chan_next    = '0;
    for (int c = 0; c < NumChan; c++) begin
      granted_chan = granted_chan | (ChanW'(c) & {ChanW{granted[c]}});
      chan_next    = chan_next | (ChanW'((c + 1) % NumChan) & {ChanW{granted[c]}});
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      chan_ptr_q <= '0;
      cu_ptr_q   <= '0;
    end else if (gives_some) begin
      chan_ptr_q <= chan_next;
      cu_ptr_q   <= cu_next;
    end
  end

  // ---- The wavefront that starts ---------------------------------------------------------------
  hd_agg_go u_go (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .new_i     (gives_some),
    .restart_i (restarts),
    .cu_i      (take),
    .free_i    (free),
    .own_i     (granted_chan),
    .start_i   (start),
    .cap_i     (cap),
    .count_i   (count),
    .back_i    (back),
    .go_valid_o(go_valid_o),
    .go_o      (go_o)
  );

  // ---- The wavefront that waits ----------------------------------------------------------------
  hd_pkg::chanyield_t yield_q;

  always_ff @(posedge clk_i) begin
    if (yield_valid_i) yield_q <= yield_i;
  end

  assign wait_valid_o = yielded;

  always_comb begin
    wait_o = '0;
    if (yielded) begin
      wait_o.cu   = yield_q.cu;
      wait_o.own  = own;
      wait_o.chan = yield_q.chan;
      wait_o.n    = yield_q.n;
      wait_o.ctx  = yield_q.ctx;
    end
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, new_cu_index, yield_q.slot};

`ifdef HD_ASSERT_ON
  localparam int RecW = hd_pkg::ChanRecW;
  logic [NumChan-1:0] opened_q;  // channels that were set up
  logic [hd_pkg::ChanLevelW-1:0] set_level_q;
  logic [NumChan*RecW-1:0] waiting_q;  // wavefronts with elements of each channel that wait

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      opened_q    <= '0;
      set_level_q <= '0;
    end else if (set_valid_i) begin
      opened_q    <= opened_q | NumChan'(1) << set_i.chan;
      set_level_q <= set_i.level;
    end
  end

  for (genvar c = 0; c < NumChan; c++) begin : g_waiting
    logic comes, leaves;
    assign comes  = yielded && own == ChanW'(c);
    assign leaves = back_valid_i && back_i.own == ChanW'(c);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) waiting_q[c*RecW+:RecW] <= '0;
      else if (comes != leaves) begin
        waiting_q[c*RecW+:RecW] <= comes ? waiting_q[c*RecW+:RecW] + RecW'(1)
            : waiting_q[c*RecW+:RecW] - RecW'(1);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT(a_one, $onehot0(gives) && (gives & ~can) == '0 && (gives != '0) == gives_some,
          "More than one channel gives, one that cannot gives, or choice and grant differ.")
      `HD_ASSERT(a_goes, (gives_some || restarts) == (some_room && (can != '0 || some_back)),
          "No wavefront starts although one can, or one starts that cannot.")
      if (set_valid_i) begin
        `HD_ASSERT_IN(a_level, 32'(set_i.level) < hd_pkg::NumChan && set_i.level >= set_level_q,
            "A channel has a level below that of the one before, or one that is not below NumChan.")
        `HD_ASSERT_IN(a_order, opened_q >> set_i.chan == '0,
            "Channels are not set up in the order of their numbers.")
        `HD_ASSERT_IN(a_threshold, 32'(set_i.threshold) <= hd_pkg::WaveLanes,
            "A channel waits for more elements than a wavefront takes.")
      end
      `HD_ASSERT_IN(a_open, (!live_valid_i || opened_q[live_i.chan])
          && (!pub_valid_i || opened_q[pub_chan_i]),
          "Elements are reserved, done or published of a channel that was not set up.")
      if (back_valid_i) begin
        `HD_ASSERT_IN(a_back, 32'(back_i.cu) < NumCu && !back_busy_o[back_i.cu],
            "A wavefront restarts in a CU that does not exist, or whose last restart still waits.")
        `HD_ASSERT_IN(a_waiting, waiting_q[back_i.own*RecW+:RecW] != '0,
            "A wavefront restarts that does not wait.")
      end
    end
  end

  // Rare: new work while a restart can go; a restart while new work can go.
  `HD_COVER(c_deeper, gives_some && some_back)
  `HD_COVER(c_restart, restarts && can != '0)
`endif

endmodule
