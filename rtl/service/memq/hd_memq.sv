// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_memq: FIFO queues of records of Beats * 16 bytes in one region of memory.
//
//   put --> [op: idle, look, request, data] <-- get
//               |        [u_ends: first, last place of each queue] [u_next: place behind a place]
//               v
//           memory port: writes answered --> [u_flight] --> answered[queue] + 1, [u_side]
//                        beats read      --> [u_flight] --> got: beats, tag, side; place free
//
// From laperm-isca2016 section 4.4 and dtbl-isca2015 section 4.3. Ours: queues that share the
// places of a region, chained on chip so that an address is known without a read, and several
// bursts in flight.
// - One put or get starts at a time, alternately. Up to Flight of each are in flight.
// - An entry is readable when its write is answered. Data that the user stores with it on chip
//   (side) returns with it, and with the error if its write or its read failed.
// - Free places: those used before are in a free list in u_next, all from fresh on were never used.
//   When no place is in use both restart.
// - Latency: put or get at t, mem_o.valid at t+2. Outputs come from registers, except put_ready_o
//   (from get_valid_i), get_ready_o (from put_valid_i), put_done_o, mem_o.wbeat and got_*.
// - Reset: empty; rows have no reset.
// Ports: memq.csv. Model cmodel/service/memq, tests verif/unit and verif/equiv test_block, page
// docs/service/memq.md.
`include "common/hd_assert.svh"
module hd_memq #(
  parameter  int Queues  = hd_pkg::MemqQueues,
  parameter  int Places  = hd_pkg::MemqPlaces,
  parameter  int SideW   = hd_pkg::MemqSideW,
  parameter  int TagW    = hd_pkg::MemqTagW,
  parameter  int Flight  = hd_pkg::MemqFlight,
  parameter  int Beats   = 8,  // 2, 4 or 8
  localparam int QueueW  = Queues > 1 ? $clog2(Queues) : 1,
  localparam int PlaceW  = Places > 1 ? $clog2(Places) : 1,
  localparam int CountW  = $clog2(Places + 1)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // Put: an entry is written to memory
  input  logic               put_valid_i,
  input  logic [QueueW-1:0]  put_queue_i,
  input  logic [SideW-1:0]   put_side_i,
  output logic               put_ready_o,
  output logic [2:0]         put_beat_o,
  input  hd_pkg::membeat_t   put_data_i,
  output logic               put_done_o,
  // Get: an entry is read back
  input  logic               get_valid_i,
  input  logic [QueueW-1:0]  get_queue_i,
  input  logic [TagW-1:0]    get_tag_i,
  output logic               get_ready_o,
  output logic               got_beat_valid_o,
  output logic [2:0]         got_beat_o,
  output logic               got_valid_o,
  output logic [TagW-1:0]    got_tag_o,
  output logic [SideW-1:0]   got_side_o,
  output logic               got_error_o,
  // Contents of the queues
  output logic [Queues-1:0]  there_o,
  output logic [Queues-1:0]  readable_o,
  output logic [CountW-1:0]  used_o,
  output logic [CountW-1:0]  left_o,
  // Region in memory (regs)
  input  logic [31:0]        base_i,
  input  logic [31:0]        count_i,
  // Memory port (memarb)
  output hd_pkg::memup_t    mem_o,
  input  hd_pkg::memdown_t  mem_i
);

  localparam int AddrW = hd_pkg::AddrW;

  logic req_valid;
  hd_pkg::memreq_t req;
  hd_pkg::membeat_t wbeat;
  assign mem_o = {req_valid, req, wbeat};

  typedef enum logic [1:0] {
    OpIdle = 2'd0,
    OpLook = 2'd1,
    OpReq  = 2'd2,
    OpData = 2'd3
  } op_e;

  op_e op_q;
  logic write_q;
  logic [QueueW-1:0] queue_q;
  logic [SideW-1:0] side_q;
  logic [TagW-1:0] tag_q;
  logic [PlaceW-1:0] place_q;
  logic [2:0] beat_q;
  logic [Queues-1:0] there_q;
  logic [Queues*CountW-1:0] answered_q;

  // ---- Accepted puts and gets ------------------------------------------------------------------
  logic get_taken, put_taken, put_ok, put_first, look_get, look_put;
  logic puts_full, gets_full;  // driven by u_flight below
  logic [CountW-1:0] places;
  logic [31:0] count;

  assign count  = count_i;
  assign places = count >= 32'(Places) ? CountW'(Places) : CountW'(count);

  // Puts and gets alternate when both are offered.
  assign put_ok      = op_q == OpIdle && !puts_full && used_o < places;
  assign put_first   = put_ok && !write_q;
  assign put_ready_o = put_ok && (!get_valid_i || gets_full || put_first);
  assign get_ready_o = op_q == OpIdle && !gets_full && !(put_valid_i && put_first);
  assign get_taken = get_valid_i && get_ready_o;
  assign put_taken = put_valid_i && put_ready_o;
  assign look_get = op_q == OpLook && !write_q;
  assign look_put = op_q == OpLook && write_q;

  // ---- Free places ------------------------------------------------------------------------------
  logic [CountW-1:0] fresh_q;
  logic [PlaceW-1:0] chained_q;  // never all places: they are fresh then
  logic [PlaceW-1:0] free_first_q, free_last_q, freeing_place_q, free_place, behind;
  logic freeing_q, free, free_all, free_link, chain_read, chain_read_q, some_chained;

  assign some_chained = chained_q != '0;
  assign free_place   = some_chained ? free_first_q : PlaceW'(fresh_q);
  assign chain_read   = look_put && chained_q > PlaceW'(1);
  assign free         = freeing_q && !look_put;
  assign free_all     = free && used_o == CountW'(1);
  assign free_link    = free && !free_all && some_chained;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fresh_q   <= '0;
      chained_q <= '0;
      freeing_q <= 1'b0;
    end else begin
      if (free_all) begin
        fresh_q   <= '0;
        chained_q <= '0;
      end else if (free) chained_q <= chained_q + PlaceW'(1);
      else if (look_put) begin
        if (some_chained) chained_q <= chained_q - PlaceW'(1);
        else fresh_q <= fresh_q + CountW'(1);
      end
      freeing_q <= got_valid_o || (freeing_q && !free);
    end
  end

  always_ff @(posedge clk_i) begin
    chain_read_q <= chain_read;
    if (free && !some_chained) free_first_q <= freeing_place_q;
    else if (chain_read_q) free_first_q <= behind;
    if (free) free_last_q <= freeing_place_q;
  end

  // ---- Ends of the queues, chain of the places --------------------------------------------------
  logic had_queue_q, get_more, get_more_q, ends_we;
  logic [PlaceW-1:0] ends_first, ends_last, ends_first_in, ends_last_in, last_q;

  assign get_more = look_get && ends_first != ends_last;
  assign ends_we  = look_put || get_more_q;

  assign ends_first_in = look_put ? (had_queue_q ? ends_first : free_place) : behind;
  assign ends_last_in  = look_put ? free_place : last_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) get_more_q <= 1'b0;
    else get_more_q <= get_more;
  end

  always_ff @(posedge clk_i) begin
    last_q      <= ends_last;
    had_queue_q <= there_q[get_taken ? get_queue_i : put_queue_i];
  end

  hd_ram_1r1w #(.Width(2*PlaceW), .Depth(Queues), .AddrW(QueueW)) u_ends (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (ends_we),
    .waddr_i(queue_q),
    .wdata_i({ends_first_in, ends_last_in}),
    .re_i   (get_taken || put_taken),
    .raddr_i(get_taken ? get_queue_i : put_queue_i),
    .rdata_o({ends_first, ends_last})
  );

  hd_ram_1r1w #(.Width(PlaceW), .Depth(Places), .AddrW(PlaceW)) u_next (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (free_link || (look_put && had_queue_q)),
    .waddr_i(look_put ? ends_last : free_last_q),
    .wdata_i(look_put ? free_place : freeing_place_q),
    .re_i   (get_more || chain_read),
    .raddr_i(look_put ? free_first_q : ends_first),
    .rdata_o(behind)
  );

  // ---- Bursts in flight ------------------------------------------------------------------------
  logic error;
  logic [QueueW-1:0] put_queue;
  logic [PlaceW-1:0] put_place, get_place;
  logic [SideW-1:0] put_side;
  logic [TagW-1:0] get_tag;
  logic [2:0] got_beat;

  hd_memq_flight #(.QueueW(QueueW), .PlaceW(PlaceW), .SideW(SideW), .TagW(TagW),
                   .Flight(Flight), .Beats(Beats)) u_flight (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .put_i      (look_put),
    .put_queue_i(queue_q),
    .put_place_i(free_place),
    .put_side_i (side_q),
    .puts_full_o(puts_full),
    .b_valid_i  (mem_i.b_valid),
    .b_queue_o  (put_queue),
    .b_place_o  (put_place),
    .b_side_o   (put_side),
    .get_i      (look_get),
    .get_place_i(ends_first),
    .get_tag_i  (tag_q),
    .gets_full_o(gets_full),
    .r_valid_i  (mem_i.r_valid),
    .r_last_i   (mem_i.r.last),
    .r_error_i  (mem_i.r.error),
    .r_place_o  (get_place),
    .r_tag_o    (get_tag),
    .r_beat_o   (got_beat),
    .r_error_o  (error)
  );

  // ---- Side data of an entry; beats that return ------------------------------------------------
  logic bad;
  logic [SideW-1:0] side;

  hd_ram_1r1w #(.Width(SideW+1), .Depth(Places), .AddrW(PlaceW)) u_side (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (mem_i.b_valid),
    .waddr_i(put_place),
    .wdata_i({mem_i.b_error, put_side}),
    .re_i   (mem_i.r_valid && got_beat == '0),
    .raddr_i(get_place),
    .rdata_o({bad, side})
  );

  assign got_beat_valid_o = mem_i.r_valid;
  assign got_beat_o       = mem_i.r_valid ? got_beat : '0;
  assign got_valid_o      = mem_i.r_valid && mem_i.r.last;
  assign got_tag_o        = got_valid_o ? get_tag : '0;
  assign got_side_o       = got_valid_o ? side : '0;
  assign got_error_o      = got_valid_o && (bad || error || mem_i.r.error);

  // ---- The operation ----------------------------------------------------------------------------
  logic last_beat;
  assign last_beat = op_q == OpData && mem_i.take && beat_q == 3'(Beats - 1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      op_q    <= OpIdle;
      write_q <= 1'b0;
      beat_q  <= '0;
    end else begin
      case (op_q)
        OpIdle:  if (get_taken || put_taken) op_q <= OpLook;
        OpLook:  op_q <= OpReq;
        OpReq:   if (mem_i.ready) op_q <= write_q ? OpData : OpIdle;
        default: if (last_beat) op_q <= OpIdle;
      endcase
      if (get_taken || put_taken) write_q <= put_taken;
      if (op_q == OpData && mem_i.take) beat_q <= last_beat ? '0 : beat_q + 3'd1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) there_q <= '0;
    else if (look_put) there_q[queue_q] <= 1'b1;
    else if (look_get && !get_more) there_q[queue_q] <= 1'b0;
  end

  // Entries written and not fetched: up with an answer, down with a get.
  logic [Queues-1:0] up, down;
  logic written;
  logic [QueueW-1:0] written_queue;

  assign written = mem_i.b_valid;
  assign written_queue = put_queue;

  hd_onehot #(.N(Queues), .IdxW(QueueW)) u_up (
    .valid_i(written), .index_i(written_queue), .onehot_o(up));
  hd_onehot #(.N(Queues), .IdxW(QueueW)) u_down (
    .valid_i(get_taken), .index_i(get_queue_i), .onehot_o(down));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) answered_q <= '0;
    else if (written || get_taken) begin
      for (int q = 0; q < Queues; q++) begin
        if (up[q] != down[q])
          answered_q[q*CountW+:CountW] <= up[q] ? answered_q[q*CountW+:CountW] + CountW'(1)
              : answered_q[q*CountW+:CountW] - CountW'(1);
      end
    end
  end

  for (genvar q = 0; q < Queues; q++) begin : g_readable
    assign readable_o[q] = answered_q[q*CountW+:CountW] != '0;
  end

  always_ff @(posedge clk_i) begin
    if (get_taken || put_taken) begin
      queue_q <= get_taken ? get_queue_i : put_queue_i;
      side_q  <= put_side_i;
      tag_q   <= get_tag_i;
    end
    if (op_q == OpLook) place_q <= write_q ? free_place : ends_first;
    if (got_valid_o) freeing_place_q <= get_place;
  end

  // ---- Outputs ----------------------------------------------------------------------------------
  assign put_beat_o = beat_q;
  assign put_done_o = last_beat;
  assign there_o    = there_q;
  assign used_o     = fresh_q - CountW'(chained_q) + CountW'(look_put);
  assign left_o     = places > used_o ? places - used_o : '0;
  assign req_valid  = op_q == OpReq;
  assign wbeat      = (req_valid && write_q) || op_q == OpData ? put_data_i : '0;

  always_comb begin
    req = '0;
    if (req_valid) begin
      req.write = write_q;
      req.addr  = AddrW'({base_i, 8'b0}) + AddrW'({place_q, {4 + $clog2(Beats){1'b0}}});
      req.len   = 3'(Beats - 1);
    end
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, mem_i.r.hi, mem_i.r.lo};

`ifdef HD_ASSERT_ON
  logic take_ok, b_ok, r_ok;

  hd_mem_answers #(.Reads(Flight), .Writes(Flight), .Beats(Beats)) u_answers (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .mem_up_i  (mem_o),
    .mem_down_i(mem_i),
    .take_ok_o (take_ok),
    .b_ok_o    (b_ok),
    .r_ok_o    (r_ok)
  );

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT_IN(a_port, take_ok,
          "The port accepts a beat that it does not await, or a burst before the last beat.")
      `HD_ASSERT_IN(a_answer, b_ok,
          "The port answers a write that has no answer pending.")
      `HD_ASSERT_IN(a_beat, r_ok,
          "The port returns a beat of no read, or marks a wrong beat as last.")
      if (put_valid_i) `HD_ASSERT_IN(a_put_queue, 32'(put_queue_i) < Queues,
          "An entry is put into a queue that does not exist.")
      if (get_valid_i) `HD_ASSERT_IN(a_get_queue, 32'(get_queue_i) < Queues,
          "An entry is requested from a queue that does not exist.")
      if (get_valid_i) `HD_ASSERT_IN(a_get, readable_o[get_queue_i] && there_q[get_queue_i],
          "An entry is requested from a queue that has none readable.")
      if (mem_i.take) `HD_ASSERT_IN(a_take, op_q == OpData,
          "The port accepts a write beat outside of a write burst.")
      if (got_valid_o) `HD_ASSERT(a_freeing, !freeing_q || free,
          "An entry is read before the place of the previous one is free.")
      if (look_put) `HD_ASSERT(a_place, used_o <= places && 32'(free_place) < Places,
          "A put finds no free place, or more places are in use than the region has.")
    end
  end

  `HD_ASSERT_PROP_IN(a_region, used_o != '0 |-> $stable({base_i, count_i}),
      "The region changes while a place of it is in use.")

  // Rare: all places used; freeing a place waits for a put; the last place of the free list; an
  // entry lost on its way to memory.
  `HD_COVER(c_full, put_valid_i && used_o == CountW'(Places))
  `HD_COVER(c_free_waits, freeing_q && look_put)
  `HD_COVER(c_one_chained, look_put && chained_q == PlaceW'(1))
  `HD_COVER(c_bad, got_valid_o && bad)
`endif

endmodule
