// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_memring: FIFO queues of records of 32 bytes, each in a ring of its own in one region of
// memory; written one by one, read back up to RingLine at once.
//
//   put --> [op: idle, look, step, request, data] <-- get
//               |        |
//               |   [u_ends: first, done, last] <-- + 1 -- [u_writes: queues] [u_answers: errors]
//               v                                                       '--> [u_bad: queue, index]
//           memory port: beats --> [u_reads: queue, entries, bad] --> got
//
// From laperm-isca2016 section 4.4 (entries overflow to memory). Rings, several entries per read
// and several bursts in flight are ours.
// - Entry i of queue q is in place q * 2^order + i mod 2^order of the region. Places of a ring that
//   are side by side are side by side in memory, so one burst reads up to the end of a line.
// - One put or get starts at a time, alternately if both are offered. Up to RingFlight of each are
//   in flight.
// - The row of a queue in u_ends is read in op 1 and written in op 2. The answer of a write is
//   counted in three cycles that read and write u_ends as well, so no count starts as a put or get
//   is accepted, nor in op 1 or 2, and none is accepted during a count.
// - room_o leaves RingMargin places unused, for entries put late and for those being read.
// - An entry that is lost (its write or one of its beats failed) returns in its turn, with
//   got_error_o. While the write of a waiting entry has failed (failing_o) requests read one entry.
// - Latency: put or get accepted at t, asked_o at t+2, mem_o.valid at t+3. Outputs come from
//   registers, except put_ready_o (from get_valid_i), get_ready_o (from put_valid_i), asked_o,
//   put_done_o, got_* and mem_o.wbeat.
// - Reset: all queues empty; rows have no reset.
// Ports: memring.csv. Model cmodel/service/memring, tests verif/unit test_memring and verif/equiv
// test_block, page docs/service/memring.md.
`include "common/hd_assert.svh"
module hd_memring (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  // Put: an entry is written to memory
  input  logic                           put_valid_i,
  input  logic [hd_pkg::RingW-1:0]       put_queue_i,
  output logic                           put_ready_o,
  output logic [2:0]                     put_beat_o,
  input  hd_pkg::membeat_t               put_data_i,
  output logic                           put_done_o,
  // Get: entries are read back
  input  logic                           get_valid_i,
  input  logic [hd_pkg::RingW-1:0]       get_queue_i,
  output logic                           get_ready_o,
  output logic [2:0]                     asked_o,
  output logic                           got_beat_valid_o,
  output logic [2:0]                     got_beat_o,
  output logic                           got_valid_o,
  output logic [hd_pkg::RingW-1:0]       got_queue_o,
  output logic                           got_error_o,
  // Contents of the queues
  output logic [hd_pkg::RingQueues-1:0]  there_o,
  output logic [hd_pkg::RingQueues-1:0]  readable_o,
  output logic [hd_pkg::RingQueues-1:0]  room_o,
  output logic [hd_pkg::RingUsedW-1:0]   used_o,
  output logic                           failing_o,
  // Region in memory (regs)
  input  logic [31:0]                    base_i,
  input  logic [31:0]                    count_i,
  // Memory port (memarb)
  output hd_pkg::memup_t                 mem_o,
  input  hd_pkg::memdown_t               mem_i
);

  localparam int AddrW = hd_pkg::AddrW;
  localparam int Queues = hd_pkg::RingQueues;
  localparam int QueueW = hd_pkg::RingW;
  localparam int IndexW = hd_pkg::RingIndexW;
  localparam int OrderW = hd_pkg::RingOrderW;
  localparam int PosW = hd_pkg::RingPosW;
  localparam int PlaceW = QueueW + PosW;  // width of a place in the region
  localparam int UsedW = hd_pkg::RingUsedW;
  localparam int Line = hd_pkg::RingLine;
  localparam int Flight = hd_pkg::RingFlight;

  typedef enum logic [2:0] {
    OpIdle = 3'd0,
    OpLook = 3'd1,
    OpStep = 3'd2,
    OpReq  = 3'd3,
    OpData = 3'd4
  } op_e;

  op_e op_q;
  logic write_q;
  logic [QueueW-1:0] queue_q;
  logic [2:0] beat_q;
  logic [OrderW-1:0] order_q;
  logic fits_q;
  logic [1:0] counting_q;  // 0: none, 1: the row was read, 2: it is written
  logic [Queues-1:0] given_q, there_q, readable_q, room_q;
  logic [UsedW-1:0] used_q;
  logic [PlaceW-1:0] place_q;  // of the burst
  logic [2:0] len_q;           // its beats minus one

  // ---- Size of the rings ------------------------------------------------------------------------
  logic [OrderW-1:0] order;
  logic fits;

  always_comb begin
    order = '0;
    fits  = 1'b0;
    for (int k = hd_pkg::RingOrderMin; k <= PosW; k++) begin
      if (count_i >= (32'(Queues) << k)) begin
        order = OrderW'(k);
        fits  = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      order_q <= '0;
      fits_q  <= 1'b0;
    end else begin
      order_q <= order;
      fits_q  <= fits;
    end
  end

  // ---- Accepted puts and gets ------------------------------------------------------------------
  logic get_taken, put_taken, taken, get_can, put_can, ready, look, step, step_get, step_put;
  logic writes_full, writes_none, answers_full, answers_none, reads_full, reads_none;

  assign ready       = op_q == OpIdle && counting_q == 2'd0;
  assign get_can     = ready && !reads_full;
  assign put_can     = ready && !writes_full;
  assign get_ready_o = get_can && (!put_valid_i || !put_can || write_q);
  assign put_ready_o = put_can && (!get_valid_i || !get_can || !write_q);
  assign get_taken   = get_valid_i && get_ready_o;
  assign put_taken   = put_valid_i && put_ready_o;
  assign taken       = get_taken || put_taken;
  assign look        = op_q == OpLook;
  assign step        = op_q == OpStep;
  assign step_get    = step && !write_q;
  assign step_put    = step && write_q;

  // ---- Ends of the rings ------------------------------------------------------------------------
  logic count_starts, counted;
  logic [QueueW-1:0] counted_queue, ends_queue;
  hd_pkg::ringends_t row, ends_q, ends_in;
  logic answer_error;

  assign count_starts = counting_q == 2'd0 && !answers_none && !look && !step && !taken;
  assign counted      = counting_q == 2'd2;

  hd_ram_1r1w #(.Width(hd_pkg::RingendsW), .Depth(Queues), .AddrW(QueueW)) u_ends (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (step || counted),
    .waddr_i(ends_queue),
    .wdata_i(ends_in),
    .re_i   (taken || count_starts),
    .raddr_i(count_starts ? counted_queue : get_taken ? get_queue_i : put_queue_i),
    .rdata_o(row)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) counting_q <= 2'd0;
    else counting_q <= count_starts ? 2'd1 : {counting_q[0], 1'b0};
  end

  // A row is valid from its first put on. An answer belongs to a put, so its row is given.
  always_ff @(posedge clk_i) begin
    if (look) ends_q <= given_q[queue_q] ? row : '0;
    else if (counting_q[0]) ends_q <= row;
  end

  assign ends_queue = counted ? counted_queue : queue_q;

  // ---- The step: entries of the burst, and what they leave behind ------------------------------
  // timing: the lengths of the queue are compared with each number of entries that may be asked,
  // since that number settles late. Lengths count modulo 2^IndexW; none exceeds 2^PosW.
  logic [IndexW-1:0] size, length, length_done, over;  // over: length more than room_o permits
  logic [2:0] to_line_end, written, n;
  logic failing, bad;

  assign size        = IndexW'(1) << order_q;
  assign length      = ends_q.last - ends_q.first;
  assign length_done = ends_q.done - ends_q.first;
  assign over        = ends_q.last - ends_q.first - size + IndexW'(hd_pkg::RingMargin);
  assign to_line_end = 3'(Line) - (ends_q.first[2:0] & 3'(Line - 1));
  assign written     = length_done >= IndexW'(Line) ? 3'(Line) : length_done[2:0];

  always_comb begin
    if (failing) n = 3'd1;
    else n = written < to_line_end ? written : to_line_end;
  end

  // What holds after a get of i + 1 entries.
  logic [Line-1:0] get_n, get_there, get_readable, get_room;

  for (genvar i = 0; i < Line; i++) begin : g_get
    assign get_n[i]        = n == 3'(i + 1);
    assign get_there[i]    = length != IndexW'(i + 1);
    assign get_readable[i] = length_done != IndexW'(i + 1);
    assign get_room[i]     = $signed(over) <= $signed(IndexW'(i + 1));
  end

  logic there, readable, room;

  always_comb begin
    if (counted) begin
      there    = 1'b1;
      readable = 1'b1;
      room     = 1'b0;  // not used
    end else if (write_q) begin
      there    = 1'b1;
      readable = 1'b0;  // not used
      room     = $signed(over) < $signed(IndexW'(0));
    end else begin
      there    = (get_n & get_there) != '0;
      readable = (get_n & get_readable) != '0;
      room     = (get_n & get_room) != '0;
    end
  end

  always_comb begin
    ends_in = ends_q;
    if (counted) ends_in.done = ends_q.done + IndexW'(1);
    else if (write_q) ends_in.last = ends_q.last + IndexW'(1);
    else ends_in.first = ends_q.first + IndexW'(n);
  end

  assign asked_o = step_get ? n : '0;

  // ---- Flags of the queues ----------------------------------------------------------------------
  logic [Queues-1:0] at;

  hd_onehot #(.N(Queues), .IdxW(QueueW)) u_at (
    .valid_i (step || counted),
    .index_i (ends_queue),
    .onehot_o(at)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      given_q    <= '0;
      there_q    <= '0;
      readable_q <= '0;
      room_q     <= '1;
      used_q     <= '0;
    end else if (step || counted) begin
      if (step_put) given_q <= given_q | at;
      if (step) there_q <= (there_q & ~at) | (at & {Queues{there}});
      if (step) room_q <= (room_q & ~at) | (at & {Queues{room}});
      if (!step_put) readable_q <= (readable_q & ~at) | (at & {Queues{readable}});
      if (step_put) used_q <= used_q + UsedW'(1);
      else if (step) used_q <= used_q - UsedW'(n);
    end
  end

  // ---- Bursts in flight ------------------------------------------------------------------------
  logic add_bad, got_last;
  hd_pkg::ringread_t read_in, read;

  hd_fifo #(.Width(QueueW), .Depth(Flight)) u_writes (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (step_put),
    .write_i(step_put),
    .data_i (queue_q),
    .full_o (writes_full),
    .pop_i  (counted),
    .data_o (counted_queue),
    .empty_o(writes_none)
  );

  hd_fifo #(.Width(1), .Depth(Flight)) u_answers (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (mem_i.b_valid),
    .write_i(mem_i.b_valid),
    .data_i (mem_i.b_error),
    .full_o (answers_full),
    .pop_i  (counted),
    .data_o (answer_error),
    .empty_o(answers_none)
  );

  assign add_bad = counted && answer_error;

  hd_memring_bad u_bad (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .add_i      (add_bad),
    .add_queue_i(counted_queue),
    .add_index_i(ends_q.done),
    .get_i      (step_get),
    .get_queue_i(queue_q),
    .get_index_i(ends_q.first),
    .hit_o      (bad),
    .failing_o  (failing)
  );

  assign read_in.queue_no = queue_q;
  assign read_in.count    = n;
  assign read_in.bad      = bad;

  hd_fifo #(.Width(hd_pkg::RingreadW), .Depth(Flight)) u_reads (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (step_get),
    .write_i(step_get),
    .data_i (read_in),
    .full_o (reads_full),
    .pop_i  (got_last),
    .data_o (read),
    .empty_o(reads_none)
  );

  // ---- Beats that are read ----------------------------------------------------------------------
  logic got_second_q;                  // the next beat is the second of its entry
  logic got_error_q;                   // its first beat had an error
  logic [2:0] got_count_q;             // entries of the oldest request that have arrived
  logic got;

  assign got      = mem_i.r_valid && got_second_q;
  assign got_last = mem_i.r_valid && mem_i.r.last;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      got_second_q <= 1'b0;
      got_error_q  <= 1'b0;
      got_count_q  <= '0;
    end else if (mem_i.r_valid) begin
      got_second_q <= !got_second_q;
      got_error_q  <= !got_second_q && mem_i.r.error;
      if (got_last) got_count_q <= '0;
      else if (got) got_count_q <= got_count_q + 3'd1;
    end
  end

  assign got_beat_valid_o = mem_i.r_valid;
  assign got_beat_o       = {2'b0, got};
  assign got_valid_o      = got;
  assign got_queue_o      = got ? read.queue_no : '0;
  assign got_error_o      = got && (read.bad || got_error_q || mem_i.r.error);

  // ---- The operation ----------------------------------------------------------------------------
  logic last_beat;
  assign last_beat = op_q == OpData && mem_i.take && beat_q == 3'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      op_q    <= OpIdle;
      write_q <= 1'b0;
      beat_q  <= '0;
    end else begin
      case (op_q)
        OpIdle:  if (taken) op_q <= OpLook;
        OpLook:  op_q <= OpStep;
        OpStep:  op_q <= OpReq;
        OpReq:   if (mem_i.ready) op_q <= write_q ? OpData : OpIdle;
        default: if (last_beat) op_q <= OpIdle;
      endcase
      if (taken) write_q <= put_taken;
      if (op_q == OpData && mem_i.take) beat_q <= last_beat ? '0 : beat_q + 3'd1;
    end
  end

  // The index modulo the size of a ring has bits below those of its first place.
  logic [PosW-1:0] position;
  assign position = PosW'(write_q ? ends_q.last : ends_q.first) & PosW'(size - IndexW'(1));

  always_ff @(posedge clk_i) begin
    if (taken) queue_q <= get_taken ? get_queue_i : put_queue_i;
    if (step) begin
      place_q <= (PlaceW'(queue_q) << order_q) | PlaceW'(position);
      len_q   <= write_q ? 3'd1 : 3'({n, 1'b0} - 4'd1);
    end
  end

  // ---- Outputs ----------------------------------------------------------------------------------
  logic req_valid;
  hd_pkg::memreq_t req;
  hd_pkg::membeat_t wbeat;

  assign put_beat_o = beat_q;
  assign put_done_o = last_beat;
  assign there_o    = there_q;
  assign readable_o = readable_q;
  assign room_o     = room_q & {Queues{fits_q}};
  assign used_o     = used_q;
  assign failing_o  = failing;
  assign req_valid  = op_q == OpReq;
  assign wbeat      = (req_valid && write_q) || op_q == OpData ? put_data_i : '0;
  assign mem_o      = {req_valid, req, wbeat};

  always_comb begin
    req = '0;
    if (req_valid) begin
      req.write = write_q;
      req.addr  = AddrW'({base_i, 8'b0}) + AddrW'({place_q, 5'b0});
      req.len   = len_q;
    end
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, writes_none, answers_full, reads_none, read.count, mem_i.r.hi,
      mem_i.r.lo};

`ifdef HD_ASSERT_ON
  `HD_ASSERT_PARAM(a_sizes, Line == 1 || Line == 2 || Line == 4,
      "A line must have 1, 2 or 4 entries.")

  logic [31:0] base_before_q, count_before_q;
  logic [31:0] unanswered_q;           // puts whose beats were accepted, without an answer yet

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) unanswered_q <= '0;
    else unanswered_q <= unanswered_q + 32'(last_beat) - 32'(mem_i.b_valid);
  end

  always_ff @(posedge clk_i) begin
    base_before_q  <= base_i;
    count_before_q <= count_i;
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // Of the user.
      if (get_valid_i) `HD_ASSERT_IN(a_get, 32'(get_queue_i) < Queues && readable_q[get_queue_i],
          "Entries are requested from a queue that is not readable, or does not exist.")
      if (put_valid_i) `HD_ASSERT_IN(a_put, 32'(put_queue_i) < Queues,
          "An entry is put into a queue that does not exist.")
      if (op_q != OpIdle && write_q) `HD_ASSERT_IN(a_put_stays, put_valid_i
          && put_queue_i == queue_q,
          "A put is withdrawn, or its queue changes, before it is done.")
      if (step_put) `HD_ASSERT_IN(a_late, fits_q
          && 32'(length) + 32'd1 + Flight * Line <= 32'(size),
          "An entry is put into a full ring: more than RingLate were put after room was 0.")
      if (op_q != OpIdle || used_q != '0 || !writes_none || !reads_none) `HD_ASSERT_IN(a_region,
          base_i == base_before_q && count_i == count_before_q,
          "The region changes while it holds entries, or while one is put or requested.")
      // Of the memory.
      if (mem_i.take) `HD_ASSERT_IN(a_take, op_q == OpData,
          "The port accepts a write beat outside of a write burst.")
      if (mem_i.b_valid) `HD_ASSERT_IN(a_answer, unanswered_q != '0,
          "A write is answered before its beats were accepted.")
      if (mem_i.r_valid) `HD_ASSERT_IN(a_beat, !reads_none && mem_i.r.last
          == (got_second_q && got_count_q + 3'd1 == read.count),
          "A read beat arrives while no read is in flight, or last is at the wrong beat.")
      // Of this block.
      `HD_ASSERT(a_ram, !((look || step) && (count_starts || counting_q != 2'd0)),
          "The count of an answer uses the ends of the rings together with a put or a get.")
      `HD_ASSERT(a_flags, (readable_q & ~there_q) == '0 && (there_q & ~given_q) == '0
          && (there_q == '0) == (used_q == '0),
          "A queue is readable without entries, or the number of entries disagrees with the flags.")
      if (count_starts) `HD_ASSERT(a_answered, !writes_none,
          "An answer is counted while no put waits for one.")
      if (counted) `HD_ASSERT(a_counted, ends_q.done != ends_q.last && given_q[counted_queue]
          && there_q[counted_queue],
          "An answer is counted for a queue all of whose entries are written.")
      if (step) `HD_ASSERT(a_ends, length_done <= length && 32'(length) <= 32'(size)
          && there_q[queue_q] == (length != '0) && readable_q[queue_q] == (length_done != '0),
          "The ends of a ring are out of order, or disagree with the flags of its queue.")
      if (step_get) `HD_ASSERT(a_asked, $onehot(get_n) && n <= to_line_end && n <= written,
          "A request reads no entry, or entries beyond the end of a line.")
    end
  end

  // Rare: a ring becomes full; an entry is put after that; the indices of a ring wrap, and its
  // places do; a request ends at the end of a line, at the last written entry, or reads one entry
  // because a write failed; a count delays a put or get, or takes place during a burst; several
  // bursts of each kind in flight; a lost entry, by its write and by each beat.
  `HD_COVER(c_full, step_put && !room && room_q[queue_q])
  `HD_COVER(c_late, step_put && !room_q[queue_q])
  `HD_COVER(c_wrap_index, step_put && &ends_q.last)
  `HD_COVER(c_wrap_ring, step_get && ends_q.first != '0
      && (ends_in.first & (size - IndexW'(1))) == '0)
  `HD_COVER(c_line_end, step_get && !failing && to_line_end < written)
  `HD_COVER(c_last_written, step_get && !failing && length_done < length && written < to_line_end)
  `HD_COVER(c_single, step_get && failing && !bad && written > 3'd1 && to_line_end > 3'd1)
  `HD_COVER(c_delay, op_q == OpIdle && !ready && (put_valid_i || get_valid_i))
  `HD_COVER(c_meanwhile, counted && op_q == OpReq)
  `HD_COVER(c_flight, writes_full && reads_full)
  `HD_COVER(c_bad, got && read.bad)
  `HD_COVER(c_first_error, got && got_error_q)
  `HD_COVER(c_second_error, got && mem_i.r.error && !got_error_q)
`endif

endmodule
