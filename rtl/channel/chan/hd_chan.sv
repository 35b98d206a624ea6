// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_chan: the channel table: the pointers of all channels, one operation on them per cycle, and
// their control arrays.
//
//   set ------------------+
//   op[c] --> u_arb ------+-> [stage 1] -> [stage 2] -> u_execute -> answer, done; [live, yield]
//                         |        u_row --+--^   ^            |
//                         +--> address     +------+-<----------+-> u_lines -> memory port, pub
//
// From channels-isca2014 section 3.2 (pointers of a channel) and section 6 (yield). One message per
// operation of a wavefront, the pipeline and the bypass are ours.
// - Latency: operation accepted at t; row and head in t+1, answer and done in t+2, at whose end the
//   row is written; live and yield in t+3. Operations on the same channel may follow each other
//   directly: they bypass the row of the operation before. Rate: one operation per cycle.
// - op_ready_o depends on the op_valid_i of the other clients, on the kinds of all offered
//   operations, on done_room_i and set_valid_i; other outputs come from registers.
// - Reset: no channel is open, nothing in flight; rows have no reset.
// Ports: chan.csv. Model cmodel/channel/chan, tests verif/unit test_chan, page
// docs/channel/chan.md.
`include "common/hd_assert.svh"
module hd_chan (
  input  logic                                           clk_i,
  input  logic                                           rst_ni,
  // Channel configuration (host)
  input  logic                                           set_valid_i,
  input  hd_pkg::chanset_t                               set_i,
  // Operations of wavefronts (CUs, yrec)
  input  logic [hd_pkg::ChanClients-1:0]                 op_valid_i,
  input  logic [hd_pkg::ChanClients*hd_pkg::ChanopW-1:0] op_i,
  output logic [hd_pkg::ChanClients-1:0]                 op_ready_o,
  // Answers to operations
  output logic [hd_pkg::ChanClients-1:0]                 answer_valid_o,
  output hd_pkg::chananswer_t                            answer_o,
  // Yield of a wavefront (yrec)
  output logic                                           yield_valid_o,
  output hd_pkg::chanyield_t                             yield_o,
  // Completed elements (dcount)
  output logic                                           done_valid_o,
  output hd_pkg::donerun_t                               done_o,
  input  logic                                           done_room_i,
  input  logic [hd_pkg::NumChan*hd_pkg::GrainW-1:0]      head_i,
  input  logic [hd_pkg::NumChan-1:0]                     fail_i,
  // Published elements (agg)
  output logic                                           pub_valid_o,
  output logic [hd_pkg::ChanW-1:0]                       pub_chan_o,
  output logic [hd_pkg::ChanLineAtW-1:0]                 pub_count_o,
  // Progress of elements (agg)
  output logic                                           live_valid_o,
  output hd_pkg::chanlive_t                              live_o,
  output logic                                           quiet_o,
  // State of the channels (regs)
  output logic [hd_pkg::NumChan-1:0]                     open_o,
  output logic [hd_pkg::NumChan-1:0]                     failed_o,
  output logic [hd_pkg::NumChan-1:0]                     never_o,
  // Memory port (memarb)
  output hd_pkg::memup_t                                mem_o,
  input  hd_pkg::memdown_t                              mem_i
);

  localparam int N = hd_pkg::ChanClients;
  localparam int ClientW = hd_pkg::ChanClientW;
  localparam int OpW = hd_pkg::ChanopW;
  localparam int ChanW = hd_pkg::ChanW;
  localparam int PosW = hd_pkg::ChanPosW;
  localparam int GrainW = hd_pkg::GrainW;
  localparam int RowW = hd_pkg::ChanrowW;

  // ---- The choice ------------------------------------------------------------------------------
  // Each kind waits only for the room that it needs, so elements are freed while publications wait
  // for memory. At most two operations are in flight, hence three places.
  logic [ClientW-1:0] client;
  logic [N-1:0] room;
  logic [N*N-1:0] ahead;
  logic take, runs_full;
  hd_pkg::chanop_t offered;

  always_comb begin
    offered = '0;
    room    = '0;
    for (int c = 0; c < N; c++) begin
      offered = op_i[c*OpW+:OpW];
      case (offered.kind)
        hd_pkg::ChopEnq: room[c] = !set_valid_i && !runs_full;
        hd_pkg::ChopYield: room[c] = !set_valid_i;
        default: room[c] = !set_valid_i && done_room_i;
      endcase
    end
  end

  hd_chan_arb #(.N(N), .IdxW(ClientW)) u_arb (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (op_valid_i),
    .room_i  (room),
    .ready_o (op_ready_o),
    .index_o (client),
    .any_o   (take),
    .ahead_o (ahead)
  );

  // ---- Stage 1: the row is read, the head is looked up -----------------------------------------
  logic valid1_q, set1_q;
  logic [ClientW-1:0] client1_q;
  hd_pkg::chanop_t op1, op1_q;
  logic [hd_pkg::ChanCapW-1:0] cap1_q;
  logic [ChanW-1:0] chan1;
  logic [PosW-1:0] head1;

  always_comb begin
    op1 = op_i[client*OpW+:OpW];
    if (set_valid_i) op1.chan = set_i.chan;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid1_q <= 1'b0;
      set1_q   <= 1'b0;
    end else begin
      valid1_q <= take;
      set1_q   <= set_valid_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take || set_valid_i) op1_q <= op1;
    if (take) client1_q <= client;
    if (set_valid_i) cap1_q <= set_i.cap;
  end

  assign chan1 = op1_q.chan;
  assign head1 = {head_i[chan1*GrainW+:GrainW], {PosW - GrainW{1'b0}}};

  // ---- The row: from the table, or from one of the two operations before -----------------------
  logic write, from_written_q, from_judge;
  hd_pkg::chanrow_t row_read, row1, row2_q, row_judged, row_write, row_written_q;
  hd_pkg::chanop_t op2_q;

  hd_ram_1r1w #(.Width(RowW), .Depth(hd_pkg::NumChan), .AddrW(ChanW), .Conflict(1'b1)) u_row (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (write),
    .waddr_i(op2_q.chan),
    .wdata_i(row_write),
    .re_i   (take),
    .raddr_i(op1.chan),
    .rdata_o(row_read)
  );

  assign from_judge = write && op2_q.chan == chan1;

  always_comb begin
    row1 = from_written_q ? row_written_q : row_read;
    if (from_judge) row1 = row_write;
  end

  // ---- Stage 2: the operation is judged, the row is written ------------------------------------
  logic valid2_q, set2_q, open2_q, failed2_q;
  logic [ClientW-1:0] client2_q;
  logic [PosW-1:0] mask2_q, less2_q, back2_q, gain2_q;
  logic [PosW:0] last2_q;
  logic [hd_pkg::ChanCapW-1:0] cap2_q;
  logic [hd_pkg::NumChan-1:0] open_q, failed_q, never_q, lost, opens, nevers;
  logic enq, done, yield, never;
  hd_pkg::chcode_e answer_code;
  logic [PosW-1:0] answer_base, done_off, done_n;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid2_q <= 1'b0;
      set2_q   <= 1'b0;
    end else begin
      valid2_q <= valid1_q;
      set2_q   <= set1_q;
    end
  end

  // State that changes at the end of this cycle counts in the next one.
  always_ff @(posedge clk_i) begin
    from_written_q <= write && op2_q.chan == op1.chan;
    if (write) row_written_q <= row_write;
    if (valid1_q || set1_q) begin
      op2_q     <= op1_q;
      client2_q <= client1_q;
      cap2_q    <= cap1_q;
      row2_q    <= row1;
      mask2_q   <= ~({PosW{1'b1}} << row1.cap);
      less2_q   <= op1_q.n - PosW'(1);
      last2_q   <= {1'b0, op1_q.off} + {1'b0, op1_q.n} - (PosW + 1)'(1);
      back2_q   <= ~head1;
      gain2_q   <= op1_q.n + ~head1;
      open2_q   <= open_q[chan1] || opens[chan1];
      failed2_q <= failed_q[chan1] || fail_i[chan1] || lost[chan1];
    end
  end

  assign write = set2_q || valid2_q;

  always_comb begin
    row_write = row_judged;
    if (set2_q) begin
      row_write     = '0;
      row_write.cap = cap2_q;
    end
  end

  hd_chan_execute u_execute (
    .valid_i   (valid2_q),
    .restart_i (client2_q == ClientW'(N - 1)),
    .op_i      (op2_q),
    .row_i     (row2_q),
    .open_i    (open2_q),
    .failed_i  (failed2_q),
    .mask_i    (mask2_q),
    .less_i    (less2_q),
    .last_i    (last2_q),
    .back_i    (back2_q),
    .gain_i    (gain2_q),
    .code_o    (answer_code),
    .base_o    (answer_base),
    .row_o     (row_judged),
    .enq_o     (enq),
    .done_o    (done),
    .done_off_o(done_off),
    .done_n_o  (done_n),
    .yield_o   (yield),
    .never_o   (never)
  );

  // ---- Results ---------------------------------------------------------------------------------
  hd_onehot #(.N(N), .IdxW(ClientW)) u_answer (
    .valid_i (valid2_q),
    .index_i (client2_q),
    .onehot_o(answer_valid_o)
  );

  assign done_valid_o = done;
  always_comb begin
    answer_o = '0;
    done_o   = '0;
    if (valid2_q) begin
      answer_o.kind = op2_q.kind;
      answer_o.code = answer_code;
      answer_o.base = answer_base;
      answer_o.slot = op2_q.slot;
    end
    if (done) begin
      done_o.chan = op2_q.chan;
      done_o.off  = done_off;
      done_o.n    = done_n;
    end
  end

  // ---- Stage 3: the operation is reported to the aggregator ------------------------------------
  // Rule C11: in the cycle after its answer, elements reserved or done, or a wavefront that yields.
  // Payloads are 0 without their valid.
  logic live3_q, yield3_q;
  logic [hd_pkg::CuW-1:0] cu3_q;
  hd_pkg::chanop_t op3_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      live3_q  <= 1'b0;
      yield3_q <= 1'b0;
    end else begin
      live3_q  <= valid2_q && answer_code == hd_pkg::ChcodeOk
          && (op2_q.kind == hd_pkg::ChopTalloc || op2_q.kind == hd_pkg::ChopTfree);
      yield3_q <= yield;
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid2_q) begin
      cu3_q <= client2_q[hd_pkg::CuW-1:0];
      op3_q <= op2_q;
    end
  end

  assign live_valid_o  = live3_q;
  assign yield_valid_o = yield3_q;

  always_comb begin
    yield_o = '0;
    live_o  = '0;
    if (yield3_q) begin
      yield_o.cu   = cu3_q;
      yield_o.slot = op3_q.slot;
      yield_o.chan = op3_q.chan;
      yield_o.n    = op3_q.n;
      yield_o.ctx  = op3_q.ctx;
    end
    if (live3_q) begin
      live_o.chan = op3_q.chan;
      live_o.n    = op3_q.n;
      live_o.done = op3_q.kind == hd_pkg::ChopTfree;
    end
  end

  // ---- State of the channels -------------------------------------------------------------------
  hd_onehot #(.N(hd_pkg::NumChan), .IdxW(ChanW)) u_opens (
    .valid_i (set2_q),
    .index_i (op2_q.chan),
    .onehot_o(opens)
  );

  hd_onehot #(.N(hd_pkg::NumChan), .IdxW(ChanW)) u_nevers (
    .valid_i (never),
    .index_i (op2_q.chan),
    .onehot_o(nevers)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q   <= '0;
      failed_q <= '0;
      never_q  <= '0;
    end else begin
      open_q   <= open_q | opens;
      failed_q <= failed_q | lost | fail_i;
      never_q  <= never_q | nevers;
    end
  end

  assign open_o   = open_q;
  assign failed_o = failed_q;
  assign never_o  = never_q;

  // ---- Control arrays ---------------------------------------------------------------------------
  hd_chan_lines u_lines (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .set_i        (set_valid_i),
    .set_chan_i   (set_i.chan),
    .set_control_i(set_i.control),
    .run_i        (enq),
    .run_chan_i   (op2_q.chan),
    .run_cap_i    (row2_q.cap),
    .run_off_i    (op2_q.off),
    .run_place_i  (row2_q.reserve & {mask2_q[PosW-2:0], 1'b1}),
    .run_n_i      (op2_q.n),
    .runs_full_o  (runs_full),
    .failed_i     (failed_q),
    .lost_o       (lost),
    .pub_valid_o  (pub_valid_o),
    .pub_chan_o   (pub_chan_o),
    .pub_count_o  (pub_count_o),
    .quiet_o      (quiet_o),
    .mem_o        (mem_o),
    .mem_i        (mem_i)
  );

  logic unused_bits;
  assign unused_bits = &{1'b0, ahead, offered, set_i, op3_q.off};

`ifdef HD_ASSERT_ON
  logic [PosW-1:0] used, most;  // elements in use after it; capacity

  assign used = row_judged.tail + back2_q + PosW'(1);
  assign most = mask2_q + PosW'(1);

  logic take_ok, b_ok, r_ok;

  hd_mem_answers #(.Reads(1), .Writes(hd_pkg::ChanFlight), .Beats(1)) u_answers (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .mem_up_i  (mem_o),
    .mem_down_i(mem_i),
    .take_ok_o (take_ok),
    .b_ok_o    (b_ok),
    .r_ok_o    (r_ok)
  );

  // Channels that were set up; of each channel the previous head, the elements that are done and
  // not passed by the head, and those that are published and not freed.
  localparam int NumChan = hd_pkg::NumChan;
  logic [NumChan-1:0] set_q;
  logic [NumChan*GrainW-1:0] head_q;
  logic [NumChan*PosW-1:0] done_q, live_q;
  logic frees;

  assign frees = done && op2_q.kind == hd_pkg::ChopTfree;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      set_q  <= '0;
      head_q <= '0;
      done_q <= '0;
      live_q <= '0;
    end else begin
      if (set_valid_i) set_q[set_i.chan] <= 1'b1;
      head_q <= head_i;
      if (done || head_i != head_q) begin
        for (int c = 0; c < NumChan; c++) begin
          done_q[c*PosW+:PosW] <= done_q[c*PosW+:PosW]
              + (done && op2_q.chan == ChanW'(c) ? done_n : '0)
              - (head_i[c*GrainW+:GrainW] != head_q[c*GrainW+:GrainW]
                  ? PosW'(hd_pkg::DoneGrain) : '0);
        end
      end
      if (frees || pub_valid_o) begin
        for (int c = 0; c < NumChan; c++) begin
          live_q[c*PosW+:PosW] <= live_q[c*PosW+:PosW]
              + (pub_valid_o && pub_chan_o == ChanW'(c) ? PosW'(pub_count_o) : '0)
              - (frees && op2_q.chan == ChanW'(c) ? op2_q.n : '0);
        end
      end
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
      `HD_ASSERT_IN(a_port, take_ok,
          "The port accepts a beat that it does not await, or a burst before the last beat.")
      `HD_ASSERT_IN(a_answer, b_ok, "The port answers a write that has no answer pending.")
      `HD_ASSERT_IN(a_beat, r_ok, "The port returns a beat, though nothing is read.")
      if (frees) `HD_ASSERT_IN(a_free, op2_q.n <= live_q[op2_q.chan*PosW+:PosW],
          "More elements are freed than are published and in use.")
      if (head_i != head_q) begin
        for (int c = 0; c < NumChan; c++) begin
          if (head_i[c*GrainW+:GrainW] != head_q[c*GrainW+:GrainW]) `HD_ASSERT_IN(a_head,
              head_i[c*GrainW+:GrainW] == head_q[c*GrainW+:GrainW] + GrainW'(1)
              && 32'(done_q[c*PosW+:PosW]) >= hd_pkg::DoneGrain,
              "A data head moves by more than one grain, or over elements that are not done.")
        end
      end
      if (valid2_q && open2_q) `HD_ASSERT(a_capacity, used <= most && row_judged.pending <= used,
          "More elements are in use than the channel holds, or more are pending than in use.")
    end
  end

  // Rare: an operation directly behind one on its channel; one after another; a skip; one refused
  // for good; one that waits for a set-up.
  `HD_COVER(c_behind, valid1_q && from_judge)
  `HD_COVER(c_after, valid1_q && from_written_q && !from_judge)
  `HD_COVER(c_skip, done && op2_q.kind == hd_pkg::ChopTalloc)
  `HD_COVER(c_never, never)
  `HD_COVER(c_set, set_valid_i && op_valid_i != '0)
`endif

endmodule
