// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_chan_lines: writes the control arrays: gathers runs of offsets in lines of 128 bytes, and
// publishes the elements of a line when its write is answered.
//
//   run --> [u_runs] --8 entries a cycle--> [u_line: Lines x 8 beats] --> memory port
//                                                                          |
//   pub <-- [u_flight: channel, entries of each burst] <------ answer ------+
//
// From channels-isca2014 section 3.2 (control array, tail and reserveTail); lines are ours.
// - A line is open until it is full or sent; runs of its channel are appended to it, whatever other
//   channels do. The port sends the oldest line as soon as it is idle and no run is being appended
//   to that line.
// - Bursts follow each other without an idle cycle.
// - Writes are answered in order, so elements are published in the order of their reservation.
// - Latency: answer at t, pub_valid_o at t+1. Rate: 8 entries per cycle. Outputs come from
//   registers, except mem_o.req and mem_o.wbeat, which come from RAM.
// - Reset: empty; rows have no reset.
// Part of hd_chan; page docs/channel/chan.md, rules C6 to C9.
`include "common/hd_assert.svh"
module hd_chan_lines (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // A channel is set up
  input  logic                            set_i,
  input  logic [hd_pkg::ChanW-1:0]        set_chan_i,
  input  logic [hd_pkg::ChanBaseW-1:0]    set_control_i,
  // Elements to publish
  input  logic                            run_i,
  input  logic [hd_pkg::ChanW-1:0]        run_chan_i,
  input  logic [hd_pkg::ChanCapW-1:0]     run_cap_i,
  input  logic [hd_pkg::ChanPosW-1:0]     run_off_i,
  input  logic [hd_pkg::ChanPosW-1:0]     run_place_i,  // place of the first element
  input  logic [hd_pkg::ChanPosW-1:0]     run_n_i,
  output logic                            runs_full_o,  // no room for three
  // Published and lost elements
  input  logic [hd_pkg::NumChan-1:0]      failed_i,
  output logic [hd_pkg::NumChan-1:0]      lost_o,
  output logic                            pub_valid_o,
  output logic [hd_pkg::ChanW-1:0]        pub_chan_o,
  output logic [hd_pkg::ChanLineAtW-1:0]  pub_count_o,
  output logic                            quiet_o,
  // Memory port
  output hd_pkg::memup_t                 mem_o,
  input  hd_pkg::memdown_t               mem_i
);

  localparam int ChanW = hd_pkg::ChanW;
  localparam int CapW = hd_pkg::ChanCapW;
  localparam int PosW = hd_pkg::ChanPosW;
  localparam int BaseW = hd_pkg::ChanBaseW;
  localparam int Lines = hd_pkg::ChanLines;
  localparam int LineW = hd_pkg::ChanLineW;
  localparam int LinesW = hd_pkg::ChanLinesW;
  localparam int NoW = hd_pkg::ChanLineNoW;
  localparam int AtW = hd_pkg::ChanLineAtW;

  logic req_valid;
  hd_pkg::memreq_t req;
  hd_pkg::membeat_t wbeat;
  assign mem_o = {req_valid, req, wbeat};

  typedef enum logic [1:0] {
    SendIdle = 2'd0,
    SendReq  = 2'd1,
    SendData = 2'd2
  } send_e;

  // ---- The oldest run, and its progress --------------------------------------------------------
  logic none, leaves, placed, part_q;
  logic [ChanW-1:0] chan;
  logic [CapW-1:0] cap;
  logic [PosW-1:0] off, p, n, first_off, first_p, first_n, part_off_q, part_p_q, part_n_q;

  hd_fifo #(.Width(ChanW + CapW + 3*PosW), .Depth(hd_pkg::ChanRuns), .Spare(2)) u_runs (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (run_i),
    .write_i(run_i),
    .data_i ({run_chan_i, run_cap_i, run_off_i, run_place_i, run_n_i}),
    .full_o (runs_full_o),
    .pop_i  (leaves),
    .data_o ({chan, cap, first_off, first_p, first_n}),
    .empty_o(none)
  );

  assign off = part_q ? part_off_q : first_off;
  assign p   = part_q ? part_p_q : first_p;
  assign n   = part_q ? part_n_q : first_n;

  // ---- Its next entries: k of them, from `at` on in line `no` ----------------------------------
  logic [PosW:0] twice;     // entries of the control array
  logic [PosW:0] behind;    // p + k
  logic [NoW-1:0] no;
  logic [5:0] at;
  logic [3:0] k, free;
  logic [AtW-1:0] to;
  logic last_entry;

  assign twice      = {{PosW - 1{1'b0}}, 2'b10} << cap;
  assign at         = 6'(p);
  assign free       = 4'd8 - {1'b0, p[2:0]};
  assign k          = n < PosW'(free) ? 4'(n) : free;
  assign behind     = {1'b0, p} + (PosW + 1)'(k);
  assign to         = {1'b0, at} + AtW'(k);
  assign leaves     = placed && n <= PosW'(free);
  assign last_entry = to == AtW'(64) || behind == twice;

  if (PosW > 6) begin : g_no
    assign no = NoW'(p[PosW-1:6]);
  end else begin : g_one
    assign no = '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) part_q <= 1'b0;
    else if (placed) part_q <= !leaves;
  end

  always_ff @(posedge clk_i) begin
    if (placed) begin
      part_off_q <= off + PosW'(k);
      part_p_q   <= behind[PosW-1:0] & (twice[PosW-1:0] - PosW'(1));
      part_n_q   <= n - PosW'(k);
    end
  end

  // ---- Lines: a channel has at most one open line ----------------------------------------------
  logic [LinesW-1:0] lines_q;
  logic [LineW-1:0] first_line_q, first_line_next, coming, begun, line;
  logic [Lines-1:0] line_open_q, joined, begun_hot, started;
  logic joins, begins, starts, sent;
  logic [Lines*ChanW-1:0] line_chan_q;
  logic [Lines*NoW-1:0] line_no_q;
  logic [Lines*6-1:0] line_from_q;
  logic [Lines*AtW-1:0] line_to_q;
  logic [LineW:0] begun_sum;
  logic [127:0] entries;  // the beat being written
  logic [Lines*128-1:0] entries_q;

  assign begun_sum = {1'b0, first_line_q} + (LineW + 1)'(lines_q);
  assign begun = begun_sum >= (LineW + 1)'(Lines) ? LineW'(begun_sum - (LineW + 1)'(Lines))
      : LineW'(begun_sum);

  assign joins  = |joined;
  assign begins = !none && !joins && lines_q != LinesW'(Lines);
  assign placed = joins || begins;

  always_comb begin
    line = begun & {LineW{!joins}};
    for (int i = 0; i < Lines; i++) line = line | (LineW'(i) & {LineW{joined[i]}});
  end

  hd_onehot #(.N(Lines), .IdxW(LineW)) u_begun (
    .valid_i (begins),
    .index_i (begun),
    .onehot_o(begun_hot)
  );

  hd_onehot #(.N(Lines), .IdxW(LineW)) u_started (
    .valid_i (starts),
    .index_i (coming),
    .onehot_o(started)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lines_q      <= '0;
      first_line_q <= '0;
    end else begin
      if (begins != sent) lines_q <= begins ? lines_q + LinesW'(1) : lines_q - LinesW'(1);
      if (sent) first_line_q <= first_line_next;
    end
  end

  for (genvar i = 0; i < Lines; i++) begin : g_line
    assign joined[i] = !none && line_open_q[i] && line_chan_q[i*ChanW+:ChanW] == chan;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) line_open_q[i] <= 1'b0;
      else if (begun_hot[i] || joined[i]) line_open_q[i] <= !last_entry;
      else if (started[i]) line_open_q[i] <= 1'b0;
    end

    always_ff @(posedge clk_i) begin
      if (begun_hot[i] || joined[i]) begin
        line_to_q[i*AtW+:AtW]  <= to;
        entries_q[i*128+:128] <= entries;
      end
      if (begun_hot[i]) begin
        line_chan_q[i*ChanW+:ChanW] <= chan;
        line_no_q[i*NoW+:NoW]       <= no;
        line_from_q[i*6+:6]         <= at;
      end
    end
  end

  // ---- Beats of the lines: old entries, the new entries, and zeros -----------------------------
  // The last beat of each line is also kept in registers; it is written to the RAM again when more
  // entries join it.
  logic [127:0] kept, beat_out;
  logic [12:0] high, high_next;  // offset without its last 3 bits
  logic [7:0] after, upto;       // entries of the beat at or after p; before p + k
  logic read;
  logic [LineW+2:0] read_beat;

  assign high      = 13'({3'b0, off[PosW-1:3]});
  assign high_next = high + 13'd1;
  assign after     = 8'hff << p[2:0];
  assign upto      = ~(8'hff << ({1'b0, p[2:0]} + k));

  always_comb begin
    kept = '0;
    for (int i = 0; i < Lines; i++) kept = kept | (entries_q[i*128+:128] & {128{joined[i]}});
  end

  for (genvar j = 0; j < 8; j++) begin : g_entry
    logic [3:0] low;

    assign low = {1'b0, off[2:0]} + {1'b0, 3'(j) - p[2:0]};
    assign entries[j*16+:16] = after[j] && upto[j] ? {low[3] ? high_next : high, low[2:0]}
        : kept[j*16+:16] & {16{!after[j]}};
  end

  hd_ram_1r1w #(.Width(128), .Depth(Lines*8), .AddrW(LineW + 3)) u_line (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (placed),
    .waddr_i({line, p[5:3]}),
    .wdata_i(entries),
    .re_i   (read),
    .raddr_i(read_beat),
    .rdata_o(beat_out)
  );

  // ---- Sending the oldest line -----------------------------------------------------------------
  // The next line, `coming`, starts when the last beat of the previous one is accepted: its first
  // beat is read then, and its fields are copied.
  send_e send_q;
  logic [2:0] beat_q, first_beat, last_beat, next_beat;
  logic idles, taken, flights_full;
  logic [ChanW-1:0] send_chan_q;
  logic [NoW-1:0] send_no_q;
  logic [5:0] send_from_q;
  logic [AtW-1:0] send_to_q;
  logic [BaseW-1:0] base, line_addr;

  assign first_line_next = first_line_q == LineW'(Lines - 1) ? '0 : first_line_q + LineW'(1);
  assign coming          = send_q == SendIdle ? first_line_q : first_line_next;

  assign first_beat = send_from_q[5:3];
  assign last_beat  = 3'((send_to_q - AtW'(1)) >> 3);

  assign taken  = send_q == SendReq && mem_i.ready;
  assign sent   = send_q == SendData && mem_i.take && beat_q == last_beat;
  assign idles  = send_q == SendIdle || sent;
  assign starts = idles && lines_q > LinesW'(send_q != SendIdle) && !flights_full
      && !joined[coming];
  assign next_beat = starts ? line_from_q[coming*6+3+:3] : beat_q + 3'd1;
  assign read      = starts || (send_q == SendData && mem_i.take && !sent);
  assign read_beat = {starts ? coming : first_line_q, next_beat};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      send_q <= SendIdle;
    end else begin
      case (send_q)
        SendIdle: if (starts) send_q <= SendReq;
        SendReq: if (mem_i.ready) send_q <= SendData;
        default: if (sent) send_q <= starts ? SendReq : SendIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (read) beat_q <= next_beat;
    if (starts) begin
      send_chan_q <= line_chan_q[coming*ChanW+:ChanW];
      send_no_q   <= line_no_q[coming*NoW+:NoW];
      send_from_q <= line_from_q[coming*6+:6];
      send_to_q   <= line_to_q[coming*AtW+:AtW];
    end
  end

  hd_ram_1r1w #(.Width(BaseW), .Depth(hd_pkg::NumChan), .AddrW(ChanW)) u_base (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (set_i),
    .waddr_i(set_chan_i),
    .wdata_i(set_control_i),
    .re_i   (starts),
    .raddr_i(line_chan_q[coming*ChanW+:ChanW]),
    .rdata_o(base)
  );

  assign line_addr = base | BaseW'(send_no_q);  // base is aligned
  assign req_valid = send_q == SendReq;

  always_comb begin
    req   = '0;
    wbeat = '0;
    if (req_valid) begin
      req.write = 1'b1;
      req.addr  = {line_addr, first_beat, 4'b0};
      req.len   = last_beat - first_beat;
    end
    if (send_q != SendIdle) begin
      {wbeat.hi, wbeat.lo} = beat_out;
      for (int j = 0; j < 8; j++) begin
        wbeat.strb[2*j+:2] = {2{{beat_q, 3'(j)} >= send_from_q
            && {1'b0, beat_q, 3'(j)} < send_to_q}};
      end
      for (int j = 0; j < 8; j++) begin
        if (!wbeat.strb[2*j]) begin
          if (j < 4) wbeat.lo[j%4*16+:16] = '0;
          else wbeat.hi[j%4*16+:16] = '0;
        end
      end
    end
  end

  // ---- Answers ----------------------------------------------------------------------------------
  logic [ChanW-1:0] flight_chan;
  logic [AtW-1:0] flight_count;
  logic no_flight;

  hd_fifo #(.Width(ChanW + AtW), .Depth(hd_pkg::ChanFlight)) u_flight (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (taken),
    .write_i(taken),
    .data_i ({send_chan_q, send_to_q - {1'b0, send_from_q}}),
    .full_o (flights_full),
    .pop_i  (mem_i.b_valid),
    .data_o ({flight_chan, flight_count}),
    .empty_o(no_flight)
  );

  hd_onehot #(.N(hd_pkg::NumChan), .IdxW(ChanW)) u_lost (
    .valid_i (mem_i.b_valid && mem_i.b_error),
    .index_i (flight_chan),
    .onehot_o(lost_o)
  );

  logic pub, pub_valid_q;
  logic [ChanW-1:0] pub_chan_q;
  logic [AtW-1:0] pub_count_q;

  assign pub = mem_i.b_valid && !mem_i.b_error && !failed_i[flight_chan];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) pub_valid_q <= 1'b0;
    else pub_valid_q <= pub;
  end

  always_ff @(posedge clk_i) begin
    if (pub) begin
      pub_chan_q  <= flight_chan;
      pub_count_q <= flight_count;
    end
  end

  assign pub_valid_o = pub_valid_q;
  assign pub_chan_o  = pub_valid_q ? pub_chan_q : '0;
  assign pub_count_o = pub_valid_q ? pub_count_q : '0;
  assign quiet_o     = none && lines_q == '0 && no_flight;

  // Unused: channels are not read.
  logic unused_bits;
  assign unused_bits = &{1'b0, mem_i.r_valid, mem_i.r};

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (!none) `HD_ASSERT(a_one, $onehot0(joined), "A channel has more than one open line.")
      for (int i = 0; i < Lines; i++) if (joined[i]) `HD_ASSERT_IN(a_follows, line_to_q[i*AtW+:AtW]
          == {1'b0, at} && line_no_q[i*NoW+:NoW] == no,
          "A run joins an open line but does not continue where the line ends.")
      if (mem_i.b_valid) `HD_ASSERT_IN(a_answer, !no_flight,
          "A write is answered while none is in flight.")
      if (send_q != SendIdle) `HD_ASSERT(a_entries, {1'b0, send_from_q} < send_to_q,
          "A line without entries is sent.")
    end
  end

  // Rare: a run joins a line while another one is open; no line is free; back-to-back bursts; the
  // maximum number of bursts in flight.
  `HD_COVER(c_joins, joins && !part_q && (line_open_q & ~joined) != '0)
  `HD_COVER(c_no_line, !none && !placed)
  `HD_COVER(c_back_to_back, sent && starts)
  `HD_COVER(c_flights, flights_full && lines_q != '0)
`endif

endmodule
