// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_link: gives a new group its place: allocates an AGE, appends it to the list of its kernel, and
// writes the Next field of groups that live in memory.
//
//   devq A2 --> [AGT entry free?] --> [A3] --link event--> agt, fcfs, sched
//   agc free -->  valid bits            |
//                                       +--> [NAGEI, LAGEI of each KDE] --> agt, sched
//                                       +--> [next queue] --> memarb
//
// From dtbl-isca2015 section 4.2: the AGEI is hw_tid modulo the AGT's size, and a group that finds
// its entry taken stays in memory. The hash with the SMX, the free list, and the queue of Next
// writes are ours.
// - A2: AgtHash 0: hw_tid modulo AgtSize; 1: hw_tid + SMX * SmxStep modulo AgtSize; 2: the next of
//   the free list. Free at the start of the cycle: the group is on chip (alloc_*); else it
//   overflows (kept_o) and is known by its record.
// - A3: the link event. The group is the last of its kernel's list from now on. If the one before
//   it is in memory, its Next field is to be written there. A failed kernel takes no group.
// - Next queue: up to NextDepth writes that wait or are not answered, in order. An answer with an
//   error: fail event of the kernel in the next cycle.
// - next_room_o: a group that leaves A1 in this cycle will find a place in the next queue.
// - Latency: A2 at t, link event t + 1, list t + 2; a group per cycle. next_room_o looks at the
//   register in front of A2; all other outputs come from registers.
// - Reset: all AGT entries free, lists and next queue empty.
// Ports: link.csv. Model cmodel/launch/link, tests verif/unit and verif/equiv test_link, page
// docs/launch/link.md.
`include "common/hd_fault.svh"
module hd_link (
  input  logic                                          clk_i,
  input  logic                                          rst_ni,
  // A2: a group that is to be linked (devq)
  input  logic                                          a2_group_i,
  input  logic [hd_pkg::KdeW-1:0]                       a2_kdei_i,
  input  logic [hd_pkg::SmxW-1:0]                       a2_smx_i,
  input  logic [hd_pkg::HwtidW-1:0]                     a2_hwtid_i,
  input  logic [hd_pkg::RecW-1:0]                       a2_record_i,
  // Room, and none (devq)
  output logic                                          next_room_o,
  output logic                                          kept_o,
  // A3: an AGE is allocated (agt)
  output logic                                          alloc_valid_o,
  output logic [hd_pkg::AgtW-1:0]                       alloc_index_o,
  // A3: the group is linked (fcfs, sched, agt)
  output logic                                          link_valid_o,
  output logic [hd_pkg::KdeW-1:0]                       link_kdei_o,
  output hd_pkg::ptr_t                                  link_ptr_o,
  output hd_pkg::ptr_t                                  link_prev_o,
  output logic                                          link_first_o,
  // The last TB of a group is handed out (sched, agt)
  input  logic                                          adv_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                       adv_kdei_i,
  input  hd_pkg::ptr_t                                  succ_i,
  // A kernel fails (kd, agt, susp)
  input  logic [hd_pkg::NumKde-1:0]                     failed_i,
  input  logic [1:0]                                    fail_valid_i,
  input  logic [2*hd_pkg::KdeW-1:0]                     fail_kdei_i,
  // A kernel is suspended (kd, susp)
  input  logic                                          take_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                       take_kdei_i,
  output hd_pkg::list_t                                 list_o,
  // A kernel enters the KD (kmu, kd)
  input  logic                                          enter_valid_i,
  input  logic                                          enter_ready_i,
  input  logic [hd_pkg::KdeW-1:0]                       enter_kdei_i,
  input  hd_pkg::list_t                                 enter_list_i,
  // The kernels' lists of groups
  output logic [hd_pkg::NumKde-1:0]                     pending_o,
  output logic [hd_pkg::NumKde-1:0]                     single_o,
  output logic [hd_pkg::NumKde*hd_pkg::PtrW-1:0]        nagei_o,
  output logic [hd_pkg::NumKde*hd_pkg::PtrW-1:0]        lagei_o,
  // An AGE is free again (agc)
  input  logic                                          free_valid_i,
  input  logic [hd_pkg::AgtW-1:0]                       free_index_i,
  // Next writes (agt, agc, kd)
  input  logic [31:0]                                   rec_base_i,
  output logic [hd_pkg::NextDepth-1:0]                  next_valid_o,
  output logic [hd_pkg::NextDepth*hd_pkg::RecW-1:0]     next_record_o,
  output logic [hd_pkg::NumKde-1:0]                     next_busy_o,
  output logic                                          next_fail_valid_o,
  output logic [hd_pkg::KdeW-1:0]                       next_fail_kdei_o,
  // Memory port (memarb)
  output logic                                          req_valid_o,
  output hd_pkg::memreq_t                               req_o,
  input  logic                                          req_ready_i,
  output hd_pkg::membeat_t                              wbeat_o,
  input  logic                                          wbeat_take_i,
  input  logic                                          b_valid_i,
  input  logic                                          b_error_i
);

  localparam int NumKde = hd_pkg::NumKde;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int AgtSize = hd_pkg::AgtSize;
  localparam int AgtW = hd_pkg::AgtW;
  localparam int RecW = hd_pkg::RecW;
  localparam int PtrW = hd_pkg::PtrW;
  localparam int AddrW = hd_pkg::AddrW;
  localparam int Depth = hd_pkg::NextDepth;
  localparam int CountW = 3;
  localparam int PosW = 2;

  logic [AgtSize-1:0] valid_q;
  logic [31:0] fresh_q;
  logic a3_valid_q;
  logic [KdeW-1:0] a3_kdei_q;
  hd_pkg::ptr_t a3_ptr_q;
  logic [CountW-1:0] next_count_q, next_sent_q;
  logic [PosW-1:0] next_first_q;

  // ---- A2: an AGT entry -------------------------------------------------------------------------
  logic [AgtW-1:0] index;
  logic onchip;

  if (hd_pkg::AgtHash == 2) begin : g_ring
    logic [AgtW:0] fresh;

    hd_link_ring u_ring (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .pop_i  (a2_group_i && onchip),
      .index_o(index),
      .valid_o(onchip),
      .push_i (free_valid_i),
      .index_i(free_index_i),
      .fresh_o(fresh)
    );
    assign valid_q = '0;
    assign fresh_q = 32'(fresh);

    logic unused_hash;
    assign unused_hash = &{1'b0, a2_smx_i, a2_hwtid_i, valid_q, fresh_q};
  end else begin : g_hash
    // Valid bits as a matrix of rows and columns: an index is decoded in two halves.
    localparam int Cols = 1 << (AgtW / 2);
    localparam int Rows = AgtSize / Cols;
    logic [Rows-1:0] set_row, clear_row;
    logic [Cols-1:0] set_col, clear_col;

    assign index = AgtW'(a2_hwtid_i)
        + (hd_pkg::AgtHash == 1 ? AgtW'(32'(a2_smx_i) * hd_pkg::SmxStep) : '0);
    assign onchip = !valid_q[index];

    assign set_row   = {{Rows - 1{1'b0}}, a2_group_i} << (index / AgtW'(Cols));
    assign set_col   = {{Cols - 1{1'b0}}, 1'b1} << (index % AgtW'(Cols));
    assign clear_row = {{Rows - 1{1'b0}}, free_valid_i} << (free_index_i / AgtW'(Cols));
    assign clear_col = {{Cols - 1{1'b0}}, 1'b1} << (free_index_i % AgtW'(Cols));

    // A group asks for a taken entry in the cycle in which that is freed: it overflows, and the
    // entry is free afterwards.
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        valid_q <= '0;
      end else if (a2_group_i || free_valid_i) begin
        for (int r = 0; r < Rows; r++) begin
          valid_q[r*Cols+:Cols] <= `HD_FAULT(40,
              (valid_q[r*Cols+:Cols] | (set_col & {Cols{set_row[r]}}))
                  & ~(clear_col & {Cols{clear_row[r]}}),
              (valid_q[r*Cols+:Cols] & ~(clear_col & {Cols{clear_row[r]}}))
                  | (set_col & {Cols{set_row[r]}}));
        end
      end
    end
    assign fresh_q = '0;

    logic unused_hash;
    assign unused_hash = &{1'b0, a2_smx_i, a2_hwtid_i, fresh_q};
  end

  // ---- A3: the link event -----------------------------------------------------------------------
  logic link, link_first;
  hd_pkg::ptr_t link_prev;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) a3_valid_q <= 1'b0;
    else a3_valid_q <= a2_group_i;
  end

  always_ff @(posedge clk_i) begin
    if (a2_group_i) begin
      a3_kdei_q       <= a2_kdei_i;
      a3_ptr_q.onchip <= onchip;
      a3_ptr_q.index  <= onchip ? RecW'(index) : a2_record_i;
    end
  end

  assign link = a3_valid_q && !failed_i[a3_kdei_q];

  assign kept_o        = a3_valid_q && !a3_ptr_q.onchip;
  assign alloc_valid_o = a3_valid_q && a3_ptr_q.onchip;
  assign alloc_index_o = AgtW'(a3_ptr_q.index) & {AgtW{alloc_valid_o}};
  assign link_valid_o  = link;
  assign link_kdei_o   = a3_kdei_q & {KdeW{link}};
  assign link_ptr_o    = a3_ptr_q & {PtrW{link}};
  assign link_prev_o   = link_prev & {PtrW{link}};
  assign link_first_o  = link_first && link;

  hd_link_lists u_lists (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .link_valid_i (link),
    .link_kdei_i  (a3_kdei_q),
    .link_ptr_i   (a3_ptr_q),
    .prev_o       (link_prev),
    .first_o      (link_first),
    .adv_valid_i  (adv_valid_i),
    .adv_kdei_i   (adv_kdei_i),
    .succ_i       (succ_i),
    .fail_valid_i ({fail_valid_i, next_fail_valid_o}),
    .fail_kdei_i  ({fail_kdei_i, next_fail_kdei_o}),
    .take_valid_i (take_valid_i),
    .take_kdei_i  (take_kdei_i),
    .list_o       (list_o),
    .enter_valid_i(enter_valid_i && enter_ready_i),
    .enter_kdei_i (enter_kdei_i),
    .enter_list_i (enter_list_i),
    .pending_o    (pending_o),
    .single_o     (single_o),
    .nagei_o      (nagei_o),
    .lagei_o      (lagei_o)
  );

  // ---- Next queue -------------------------------------------------------------------------------
  // Three parts of each row: the record whose Next is written, what is written, for which kernel.
  // Depth is 4: positions wrap by themselves.
  logic [Depth*RecW-1:0] next_record_q;
  logic [Depth*PtrW-1:0] next_ptr_q;
  logic [Depth*KdeW-1:0] next_kdei_q;
  logic push, answered, some_to_send, w_wait_q;
  logic next_fail_valid_q;
  logic [KdeW-1:0] next_fail_kdei_q;
  logic [PosW-1:0] push_pos, send_pos;
  logic [RecW-1:0] send_record;

  assign answered     = `HD_FAULT(41, b_valid_i, b_valid_i && !wbeat_take_i);
  assign push         = link && !link_first && !link_prev.onchip;
  assign push_pos     = next_first_q + PosW'(next_count_q);
  assign send_pos     = next_first_q + PosW'(next_sent_q);
  assign some_to_send = next_sent_q != next_count_q;
  assign next_room_o  = next_count_q + CountW'(a2_group_i) + CountW'(a3_valid_q)
      < `HD_FAULT(39, CountW'(Depth), CountW'(Depth + 1));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      next_count_q      <= '0;
      next_sent_q       <= '0;
      next_first_q      <= '0;
      w_wait_q          <= 1'b0;
      next_fail_valid_q <= 1'b0;
    end else begin
      next_count_q <= next_count_q + CountW'(push) - CountW'(b_valid_i);
      next_sent_q  <= next_sent_q + CountW'(wbeat_take_i) - CountW'(answered);
      next_first_q <= next_first_q + PosW'(b_valid_i);
      w_wait_q     <= (w_wait_q && !wbeat_take_i) || (req_valid_o && req_ready_i);
      next_fail_valid_q <= b_valid_i && b_error_i;
    end
  end

  always_ff @(posedge clk_i) begin
    for (int k = 0; k < Depth; k++) begin
      if (push && push_pos == PosW'(k)) begin
        next_record_q[k*RecW+:RecW] <= link_prev.index;
        next_ptr_q[k*PtrW+:PtrW]    <= a3_ptr_q;
        next_kdei_q[k*KdeW+:KdeW]   <= a3_kdei_q;
      end
    end
    next_fail_kdei_q <= next_kdei_q[next_first_q*KdeW+:KdeW];
  end

  for (genvar k = 0; k < Depth; k++) begin : g_next
    assign next_valid_o[k] = CountW'(PosW'(PosW'(k) - next_first_q)) < next_count_q;
    assign next_record_o[k*RecW+:RecW] = next_record_q[k*RecW+:RecW] & {RecW{next_valid_o[k]}};
  end

  assign next_fail_valid_o = next_fail_valid_q;
  assign next_fail_kdei_o  = next_fail_kdei_q & {KdeW{next_fail_valid_q}};

  always_comb begin
    next_busy_o = '0;
    for (int k = 0; k < Depth; k++) begin
      next_busy_o = next_busy_o
          | ({{NumKde - 1{1'b0}}, next_valid_o[k]} << next_kdei_q[k*KdeW+:KdeW]);
    end
  end

  // Bytes 48 to 51 of a record of 64.
  assign send_record = next_record_q[send_pos*RecW+:RecW];
  assign req_valid_o = some_to_send && !w_wait_q;
  assign req_o.write = req_valid_o;
  assign req_o.addr = ((AddrW'(rec_base_i) << 8) + ((AddrW'(send_record) << 6) | AddrW'(48)))
      & {AddrW{req_valid_o}};
  assign req_o.len = '0;
  assign wbeat_o.hi = '0;
  assign wbeat_o.lo = 64'(next_ptr_q[send_pos*PtrW+:PtrW]) & {64{some_to_send}};
  assign wbeat_o.strb = 16'h000f & {16{some_to_send}};

`ifdef VERILATOR
  // An AGE is freed only if it was taken.
  if (hd_pkg::AgtHash != 2) begin : g_check
    a_free :
    assert property (@(posedge clk_i) disable iff (!rst_ni)
        free_valid_i |-> valid_q[free_index_i]);
  end
  // The queue has the rows that the positions are made for, and a push finds room.
  a_depth :
  assert property (@(posedge clk_i) Depth == 4);
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (push) a_push : assert (32'(next_count_q) < Depth);
      // Sent are no more than there are; an answer is that of a write that was sent.
      a_sent : assert (next_sent_q <= next_count_q);
      if (b_valid_i) a_answer : assert (next_sent_q != '0);
      // A beat is taken only after its request was.
      if (wbeat_take_i) a_beat : assert (w_wait_q);
    end
  end
  // An offered request stays until it is taken.
  a_req_stable :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      req_valid_o && !req_ready_i && $stable(rec_base_i) |=>
      req_valid_o && ($stable(req_o) || !$stable(rec_base_i)));
  // The rare: no room, overflow, a group of a failed kernel, an AGE freed while a group asks for
  // it, beat and answer in one cycle, a write that fails.
  c_no_room :
  cover property (@(posedge clk_i) !next_room_o);
  c_overflow :
  cover property (@(posedge clk_i) kept_o);
  c_failed :
  cover property (@(posedge clk_i) a3_valid_q && !link);
  c_free_and_ask :
  cover property (@(posedge clk_i) a2_group_i && free_valid_i && free_index_i == index);
  c_beat_and_answer :
  cover property (@(posedge clk_i) wbeat_take_i && b_valid_i);
  c_next_fails :
  cover property (@(posedge clk_i) next_fail_valid_o);
`endif

endmodule
