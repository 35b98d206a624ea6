// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_yrec: holds wavefronts that have yielded their slot until the channel that they wait for has
// room, and requests that room for them.
//
//   wait --> lowest free place --> [u_rec] [u_next]   [first last] of each channel's list
//                                     |
//   freed --> [hope held] --> round robin -+-> [ask: look, ask, answer, leave] --> back
//                                                   |  ^
//                                                   op answer (chan)
//
// From channels-isca2014 section 6 (restart queues, which are channels in memory there); lists on
// chip are ours.
// - Rate: one request at a time; a restart takes 8 cycles if no wavefront yields meanwhile.
// - An arriving wavefront is written at once; the one that leaves waits for it.
// - Outputs come from registers, or from data read from u_rec. Reset: none waits.
// Ports: yrec.csv. Model cmodel/channel/yrec, tests verif/unit test_yrec, page
// docs/channel/yrec.md.
`include "common/hd_assert.svh"
module hd_yrec (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // Waiting wavefront (agg)
  input  logic                       wait_valid_i,
  input  hd_pkg::chanwait_t          wait_i,
  // Events that may make room (dcount, chan)
  input  logic                       freed_valid_i,
  input  logic [hd_pkg::ChanW-1:0]   freed_chan_i,
  input  logic [hd_pkg::NumChan-1:0] failed_i,
  // Operation for a waiting wavefront (chan)
  output logic                       op_valid_o,
  output hd_pkg::chanop_t            op_o,
  input  logic                       op_ready_i,
  input  logic                       answer_valid_i,
  input  hd_pkg::chananswer_t        answer_i,
  // Restart of a wavefront (agg)
  input  logic [hd_pkg::NumCu-1:0]   back_busy_i,
  output logic                       back_valid_o,
  output hd_pkg::chanback_t          back_o,
  output logic                       asking_o
);

  localparam int NumChan = hd_pkg::NumChan;
  localparam int ChanW = hd_pkg::ChanW;
  localparam int PosW = hd_pkg::ChanPosW;
  localparam int Places = hd_pkg::ChanRecs;
  localparam int PlaceW = hd_pkg::ChanPlaceW;

  localparam logic Paper = (hd_pkg::ChanPaper & 2) != 0;  // a refused wavefront resumes in any case

  typedef enum logic [2:0] {
    AskIdle   = 3'd0,
    AskLook   = 3'd1,
    AskOp     = 3'd2,
    AskWay    = 3'd3,
    AskAnswer = 3'd4,
    AskFetch  = 3'd5,
    AskLeave  = 3'd6
  } ask_e;

  // ---- A wavefront arrives ---------------------------------------------------------------------
  logic [Places-1:0] used_q, first_free, leaving;
  logic [NumChan*PlaceW-1:0] first_q, last_q;
  logic [NumChan-1:0] listed_q, hope_q, wait_chan, ask_chan_hot;
  logic [PlaceW-1:0] place, ask_first, next;
  logic some_free, joins;
  hd_pkg::chanrec_t wait_rec, rec;

  hd_find_first #(.N(Places), .IdxW(PlaceW)) u_free (
    .req_i   (~used_q),
    .onehot_o(first_free),
    .index_o (place),
    .valid_o (some_free)
  );

  hd_onehot #(.N(NumChan), .IdxW(ChanW)) u_wait (
    .valid_i (wait_valid_i),
    .index_i (wait_i.chan),
    .onehot_o(wait_chan)
  );

  assign joins = wait_valid_i && listed_q[wait_i.chan];

  always_comb begin
    wait_rec.cu  = wait_i.cu;
    wait_rec.own = wait_i.own;
    wait_rec.n   = wait_i.n;
    wait_rec.ctx = wait_i.ctx;
  end

  // ---- The next request ------------------------------------------------------------------------
  logic [NumChan-1:0] wants, wanted, hopes, held_q;
  logic [hd_pkg::NumCu-1:0] busy_q;
  logic [ChanW-1:0] want_chan, want_next, ask_chan_q, ask_ptr_q;
  ask_e ask_q;
  logic some_wants, picks, holds, releases, refused, fetch, leaves, only, back_q;

  assign wants = listed_q & hope_q & ~held_q;

  hd_rr_arb #(.N(NumChan), .IdxW(ChanW)) u_want (
    .req_i  (wants),
    .ptr_i  (ask_ptr_q),
    .grant_o(wanted),
    .index_o(want_chan),
    .valid_o(some_wants),
    .next_o (want_next)
  );

  assign ask_first = first_q[ask_chan_q*PlaceW+:PlaceW];
  assign only      = ask_first == last_q[ask_chan_q*PlaceW+:PlaceW];
  assign picks     = ask_q == AskIdle && some_wants;
  assign holds     = ask_q == AskLook && back_busy_i[rec.cu];
  assign releases  = (busy_q & ~back_busy_i) != '0;
  assign refused   = !Paper && ask_q == AskAnswer && answer_valid_i
      && answer_i.code == hd_pkg::ChcodeNoRoom;
  assign fetch     = ask_q == AskFetch && !wait_valid_i;
  assign leaves    = ask_q == AskLeave && !wait_valid_i;

  hd_ram_1r1w #(.Width(hd_pkg::ChanrecW), .Depth(Places), .AddrW(PlaceW)) u_rec (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (wait_valid_i),
    .waddr_i(place),
    .wdata_i(wait_rec),
    .re_i   (picks),
    .raddr_i(first_q[want_chan*PlaceW+:PlaceW]),
    .rdata_o(rec)
  );

  hd_ram_1r1w #(.Width(PlaceW), .Depth(Places), .AddrW(PlaceW)) u_next (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (joins),
    .waddr_i(last_q[wait_i.chan*PlaceW+:PlaceW]),
    .wdata_i(place),
    .re_i   (fetch),
    .raddr_i(ask_first),
    .rdata_o(next)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ask_q      <= AskIdle;
      ask_chan_q <= '0;
      ask_ptr_q  <= '0;
      back_q     <= 1'b0;
    end else begin
      case (ask_q)
        AskIdle: if (some_wants) ask_q <= AskLook;
        AskLook: ask_q <= holds ? AskIdle : AskOp;
        AskOp: if (op_ready_i) ask_q <= AskWay;
        AskWay: ask_q <= AskAnswer;
        AskAnswer: ask_q <= refused ? AskIdle : AskFetch;
        AskFetch: if (!wait_valid_i) ask_q <= AskLeave;
        default: ask_q <= leaves ? AskIdle : AskFetch;
      endcase
      if (picks) begin
        ask_chan_q <= want_chan;
        ask_ptr_q  <= want_next;
      end
      back_q <= leaves;
    end
  end

  // ---- Lists ------------------------------------------------------------------------------------
  logic [NumChan-1:0] freed;

  hd_onehot #(.N(NumChan), .IdxW(ChanW)) u_freed (
    .valid_i (freed_valid_i),
    .index_i (freed_chan_i),
    .onehot_o(freed)
  );

  hd_onehot #(.N(NumChan), .IdxW(ChanW)) u_ask_chan (
    .valid_i (1'b1),
    .index_i (ask_chan_q),
    .onehot_o(ask_chan_hot)
  );

  hd_onehot #(.N(Places), .IdxW(PlaceW)) u_leaving (
    .valid_i (leaves),
    .index_i (ask_first),
    .onehot_o(leaving)
  );

  assign hopes = freed | (wait_chan & ~listed_q) | failed_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      used_q   <= '0;
      listed_q <= '0;
      hope_q   <= '0;
      held_q   <= '0;
      busy_q   <= '0;
    end else begin
      used_q   <= (used_q | (first_free & {Places{wait_valid_i}})) & ~leaving;
      listed_q <= (listed_q & ~(ask_chan_hot & {NumChan{leaves && only}})) | wait_chan;
      hope_q   <= (hope_q & ~(ask_chan_hot & {NumChan{refused}})) | hopes;
      held_q   <= (held_q & {NumChan{!releases}}) | (ask_chan_hot & {NumChan{holds}});
      busy_q   <= back_busy_i;
    end
  end

  for (genvar c = 0; c < NumChan; c++) begin : g_list
    always_ff @(posedge clk_i) begin
      if (wait_chan[c] && !listed_q[c]) first_q[c*PlaceW+:PlaceW] <= place;
      else if (leaves && !only && ask_chan_hot[c]) first_q[c*PlaceW+:PlaceW] <= next;
      if (wait_chan[c]) last_q[c*PlaceW+:PlaceW] <= place;
    end
  end

  // ---- Outputs ----------------------------------------------------------------------------------
  hd_pkg::chcode_e code_q;

  // timing: cu, own and n of rec are registers; the RAM output would arrive late in the cycle at
  // chan and agg.
  logic [PosW-1:0] base_q, n_q;
  logic [hd_pkg::CuW-1:0] cu_q;
  logic [ChanW-1:0] own_q;

  always_ff @(posedge clk_i) begin
    if (ask_q == AskLook) begin
      cu_q  <= rec.cu;
      own_q <= rec.own;
      n_q   <= rec.n;
    end
    if (ask_q == AskAnswer) begin
      code_q <= answer_i.code;
      base_q <= answer_i.base;
    end
  end

  assign op_valid_o   = ask_q == AskOp;
  assign back_valid_o = back_q;
  assign asking_o     = ask_q != AskIdle || some_wants;

  always_comb begin
    op_o   = '0;
    back_o = '0;
    if (op_valid_o) begin
      op_o.kind = hd_pkg::ChopTalloc;
      op_o.chan = ask_chan_q;
      op_o.n    = n_q;
    end
    if (back_q) begin
      back_o.cu   = cu_q;
      back_o.own  = own_q;
      back_o.chan = ask_chan_q;
      back_o.base = base_q;
      back_o.code = code_q;
      back_o.ctx  = rec.ctx;
    end
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, wanted, some_free, answer_i};

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (wait_valid_i) `HD_ASSERT_IN(a_place, some_free,
          "A wavefront starts to wait while all places are in use.")
      if (ask_q != AskIdle) `HD_ASSERT(a_waits, listed_q[ask_chan_q] && used_q[ask_first],
          "A retry runs for a channel on which no wavefront waits.")
      if (ask_q == AskAnswer) `HD_ASSERT_IN(a_answer, answer_valid_i,
          "No answer arrives two cycles after the operation was accepted.")
    end
  end

  // Rare: one arrives as another leaves; room is freed as one is refused; a CU that has a restart.
  `HD_COVER(c_gives_way, ask_q == AskLeave && wait_valid_i)
  `HD_COVER(c_hope, refused && (freed & ask_chan_hot) != '0)
  `HD_COVER(c_busy, holds)
`endif

endmodule
