// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_ovfq_bursts: issues bursts at the memory port, one after the other: writes of pointers, reads
// of lists and of records.
//
//   push --> [u_write: pointers] --write--> [op] --> request, beat
//            want: list, record --read------^
//
// Lists of overflowed groups are ours.
// - A pointer (4 bytes of a beat) is written to its place in its list. Lists are interleaved in
//   blocks of 64 places: block 0 of every list, then block 1 of every list, and so on; mask_i + 1
//   places each.
// - Writes and reads alternate when both can start; of the reads, a list goes before a record.
//   Nothing is written while an entry gets another list (swapping_i).
// - room_o: three places are free.
// - Latency: push at t, write_o at t+1, mem_o.valid at t+2. Rate: one write per 3 cycles, one read
//   per 2. Outputs come from registers; mem_o.req also depends on the base addresses, write_o,
//   list_o and record_o on want_* and the bursts in flight.
// - Reset: nothing to write, no burst.
// Part of hd_ovfq, whose tests cover it.
`include "common/hd_assert.svh"
module hd_ovfq_bursts (
  input  logic                                        clk_i,
  input  logic                                        rst_ni,
  // A pointer to write
  input  logic                                        push_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                     push_kdei_i,
  input  logic [hd_pkg::ListPosW-1:0]                 push_pos_i,
  input  hd_pkg::ptr_t                                push_ptr_i,
  output logic                                        room_o,
  // Wanted reads
  input  logic                                        want_list_i,
  input  logic [hd_pkg::KdeW-1:0]                     want_kdei_i,
  input  logic [hd_pkg::ListPosW-1:0]                 want_pos_i,
  input  logic [3:0]                                  want_places_i,
  input  logic                                        want_record_i,
  input  logic [hd_pkg::RecW-1:0]                     want_index_i,
  // Location of the lists
  input  logic                                        swapping_i,
  input  logic [hd_pkg::NumKde*hd_pkg::ListNumW-1:0]  list_i,
  input  logic [hd_pkg::ListPosW-1:0]                 mask_i,
  input  logic [31:0]                                 rec_base_i,
  input  logic [31:0]                                 list_base_i,
  // A burst starts
  input  logic                                        write_full_i,
  input  logic                                        read_full_i,
  output logic                                        write_o,
  output logic [hd_pkg::KdeW-1:0]                     write_kdei_o,
  output logic                                        list_o,
  output logic                                        record_o,
  output logic                                        fetch_event_o,
  // Memory port
  output hd_pkg::memup_t                             mem_o,
  input  logic                                        ready_i,  // the burst is accepted
  input  logic                                        take_i    // the beat is accepted
);

  localparam int AddrW = hd_pkg::AddrW;
  localparam int RecW = hd_pkg::RecW;
  localparam int PtrW = hd_pkg::PtrW;
  localparam int ListPosW = hd_pkg::ListPosW;
  localparam int ListNumW = hd_pkg::ListNumW;
  localparam int Lanes = hd_pkg::OvfqLanes;

  logic req_valid;
  hd_pkg::memreq_t req;
  hd_pkg::membeat_t wbeat;
  assign mem_o = {req_valid, req, wbeat};

  typedef enum logic [1:0] {
    OpIdle  = 2'd0,
    OpRead  = 2'd1,
    OpWrite = 2'd2,
    OpBeat  = 2'd3
  } op_e;

  // ---- Pointers that wait to be written --------------------------------------------------------
  hd_pkg::ovfqwrite_t w;
  logic w_done, w_full, w_none;

  // Spare 2: two groups may already be in flight that were promised room.
  hd_fifo #(.Width(hd_pkg::OvfqwriteW), .Depth(hd_pkg::OvfqWrites), .Spare(2)) u_write (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (push_valid_i),
    .write_i(push_valid_i),
    .data_i ({push_kdei_i, push_pos_i, push_ptr_i}),
    .full_o (w_full),
    .pop_i  (w_done),
    .data_o (w),
    .empty_o(w_none)
  );

  assign room_o = !w_full;

  // ---- The next burst --------------------------------------------------------------------------
  op_e op_q;
  logic op_record_q, turn_q, read, can_write, can_read, two_beats, fetch_event_q;
  logic [RecW-1:0] op_index_q;
  logic [ListNumW-1:0] op_list_q;
  logic [ListPosW-1:0] op_pos_q;
  logic [2:0] op_len_q;
  logic [Lanes-1:0] lane_q;  // the pointer of the beat being written

  // Not while an entry gets another list: it may be the pointer's entry.
  assign can_write    = op_q == OpIdle && !w_none && !write_full_i && !swapping_i;
  assign can_read     = op_q == OpIdle && !read_full_i && (want_list_i || want_record_i);
  assign write_o      = can_write && (!can_read || turn_q);
  assign read         = can_read && !write_o;
  assign list_o       = read && want_list_i;
  assign record_o     = read && !want_list_i;
  assign write_kdei_o = w.owner;
  assign w_done       = op_q == OpBeat && take_i;
  assign two_beats    = 4'(want_pos_i[1:0]) + want_places_i > 4'd4;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      op_q          <= OpIdle;
      turn_q        <= 1'b0;
      lane_q        <= '0;
      fetch_event_q <= 1'b0;
    end else begin
      case (op_q)
        OpIdle:  if (write_o || read) op_q <= write_o ? OpWrite : OpRead;
        OpRead:  if (ready_i) op_q <= OpIdle;
        OpWrite: if (ready_i) op_q <= OpBeat;
        default: if (w_done) op_q <= OpIdle;
      endcase
      if (write_o || read) turn_q <= read;
      if (op_q == OpWrite && ready_i) begin
        lane_q <= Lanes'(1) << op_pos_q[1:0];
      end else if (w_done) begin
        lane_q <= '0;
      end
      fetch_event_q <= record_o;
    end
  end

  always_ff @(posedge clk_i) begin
    if (write_o || read) begin
      op_record_q <= record_o;
      op_index_q  <= record_o ? want_index_i : '0;
      op_list_q   <= '0;
      op_pos_q    <= '0;
      op_len_q    <= record_o ? 3'd2 : '0;
      if (write_o) begin
        op_list_q <= list_i[w.owner*ListNumW+:ListNumW];
        op_pos_q  <= w.pos;
      end
      if (list_o) begin
        op_list_q <= list_i[want_kdei_i*ListNumW+:ListNumW];
        op_pos_q  <= want_pos_i;
        op_len_q  <= 3'(two_beats);
      end
    end
  end

  // ---- The burst --------------------------------------------------------------------------------
  logic [ListPosW-7:0] place;  // block of 64 places
  logic [AddrW-9:0] block;  // 256 bytes
  logic [Lanes*PtrW-1:0] data;
  logic [15:0] strobes;

  assign place = op_pos_q[ListPosW-1:6] & mask_i[ListPosW-1:6];
  assign block = (AddrW - 8)'(list_base_i)
      + (AddrW - 8)'(place) * (AddrW - 8)'(hd_pkg::NumList) + (AddrW - 8)'(op_list_q);
  assign req_valid = op_q == OpRead || op_q == OpWrite;

  always_comb begin
    req = '0;
    if (req_valid) begin
      req.write = op_q == OpWrite;
      req.addr  = op_record_q ? AddrW'({rec_base_i, 8'b0}) + AddrW'({op_index_q, 6'b0})
          : {block, op_pos_q[5:2], 4'b0};
      req.len   = op_len_q;
    end
  end

  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    assign data[l*PtrW+:PtrW] = w.ptr & {PtrW{lane_q[l]}};
    assign strobes[4*l+:4]    = {4{lane_q[l]}};
  end
  assign wbeat = {data, strobes};

  assign fetch_event_o = fetch_event_q;

  logic unused_bits;
  assign unused_bits = &{1'b0, mask_i[5:0]};

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (take_i) `HD_ASSERT_IN(a_take, op_q == OpBeat,
          "A write beat is accepted while none is offered.")
    end
  end

  // Rare: no room; both kinds at once.
  `HD_COVER(c_no_room, !room_o)
  `HD_COVER(c_both, can_write && can_read)
`endif

endmodule
