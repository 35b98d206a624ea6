// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_agc_slots: overflow slots, i.e. the AGEs of groups in memory, and the records of these groups,
// which are returned to software.
//
//   load --> [used, u_rec] --group done--> [wait] --round robin--> [S1: read] --> [S2] --> out
//              ^--- slot free -------------------------------------------'
//
// Ours: dtbl-isca2015 section 4.2 gives no AGE to a group fetched from memory.
// - A load allocates the lowest free slot, slot_o, and stores the record number.
// - A slot whose group is done waits (retired_*, equal_i), reads its record number (S1), and is
//   free when that moves to S2, where it is offered until it is accepted.
// - back_*: the slot of a parked group is freed without returning its record, one per cycle. While
//   such slots remain (leaving_i) no slot is offered, so a kernel cannot park in an entry whose
//   previous kernel's slot is not freed yet.
// - Latency: done at t, record offered at t+3. Rate: one record per cycle. All outputs come from
//   registers.
// - Reset: no slot in use.
// Part of hd_agc, whose tests cover it.
`include "common/hd_assert.svh"
module hd_agc_slots (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  // A group that overflowed is loaded
  output logic                     slot_valid_o,
  output logic [hd_pkg::OvfW-1:0]  slot_o,
  input  logic                     load_i,
  input  logic [hd_pkg::RecW-1:0]  record_i,
  // A TB of such a group is done; the last one if equal_i
  input  logic                     retired_valid_i,
  input  logic [hd_pkg::OvfW-1:0]  retired_slot_i,
  input  logic                     equal_i,
  // A parked slot is freed
  input  logic                     leaving_i,
  input  logic                     back_valid_i,
  input  logic [hd_pkg::OvfW-1:0]  back_slot_i,
  // A record is returned to software
  output logic                     record_done_valid_o,
  output logic [hd_pkg::RecW-1:0]  record_done_o,
  input  logic                     record_done_ready_i
);

  localparam int Slots = hd_pkg::OvfSlots;
  localparam int OvfW = hd_pkg::OvfW;
  localparam int RecW = hd_pkg::RecW;

  logic [Slots-1:0] ovf_used_q, ovf_wait_q;
  logic [OvfW-1:0] ret_ptr_q;

  // ---- A free slot ------------------------------------------------------------------------------
  logic [Slots-1:0] slot;
  logic [OvfW-1:0] free_slot;
  logic some_slot;

  hd_find_first #(.N(Slots), .IdxW(OvfW)) u_slot (
    .req_i   (~ovf_used_q),
    .onehot_o(slot),
    .index_o (free_slot),
    .valid_o (some_slot)
  );

  assign slot_valid_o = some_slot && !leaving_i;
  assign slot_o = free_slot & {OvfW{slot_valid_o}};

  // ---- Freed slots, returned records -----------------------------------------------------------
  logic [Slots-1:0] slot_back, retired_slot, waiting_new, chosen, stays, slot_done;
  logic s1_valid_q, s1_move, s1_take, s2_taken, some_wait;
  logic [OvfW-1:0] choice, choice_next, s1_slot_q;
  logic s2_valid_q;
  logic [RecW-1:0] s1_record, s2_record_q;

  hd_onehot #(.N(Slots), .IdxW(OvfW)) u_slot_back (
    .valid_i (back_valid_i),
    .index_i (back_slot_i),
    .onehot_o(slot_back)
  );

  // timing: equal_i is the last signal of the cycle to settle.
  hd_onehot #(.N(Slots), .IdxW(OvfW)) u_retired_slot (
    .valid_i (retired_valid_i),
    .index_i (retired_slot_i),
    .onehot_o(retired_slot)
  );
  assign waiting_new = retired_slot & {Slots{equal_i}};
  assign stays = ovf_used_q & ~(slot_done | slot_back);

  hd_rr_arb #(.N(Slots), .IdxW(OvfW)) u_return (
    .req_i  (ovf_wait_q),
    .ptr_i  (ret_ptr_q),
    .grant_o(chosen),
    .index_o(choice),
    .valid_o(some_wait),
    .next_o (choice_next)
  );

  assign s2_taken = record_done_valid_o && record_done_ready_i;
  assign s1_move = s1_valid_q && (!s2_valid_q || s2_taken);
  assign s1_take = some_wait && (!s1_valid_q || s1_move);
  hd_onehot #(.N(Slots), .IdxW(OvfW)) u_slot_done (
    .valid_i (s1_move),
    .index_i (s1_slot_q),
    .onehot_o(slot_done)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ovf_used_q <= '0;
      ovf_wait_q <= '0;
      ret_ptr_q  <= '0;
      s1_valid_q <= 1'b0;
      s2_valid_q <= 1'b0;
    end else begin
      ovf_used_q <= load_i ? stays | slot : stays;
      ovf_wait_q <= (ovf_wait_q & ~(chosen & {Slots{s1_take}})) | waiting_new;
      if (s1_take) ret_ptr_q <= choice_next;
      s1_valid_q <= s1_take || (s1_valid_q && !s1_move);
      s2_valid_q <= s1_move || (s2_valid_q && !s2_taken);
    end
  end

  always_ff @(posedge clk_i) begin
    if (s1_take) s1_slot_q <= choice;
    if (s1_move) s2_record_q <= s1_record;
  end

  hd_ram_1r1w #(.Width(RecW), .Depth(Slots), .AddrW(OvfW)) u_rec (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (load_i),
    .waddr_i(slot_o),
    .wdata_i(record_i),
    .re_i   (s1_take),
    .raddr_i(choice),
    .rdata_o(s1_record)
  );

  assign record_done_valid_o = s2_valid_q;
  assign record_done_o = record_done_valid_o ? s2_record_q : '0;

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (load_i) `HD_ASSERT_IN(a_load_slot, slot_valid_o,
          "An overflowed group is loaded while no slot is free.")
      `HD_ASSERT_IN(a_wait_used, (ovf_wait_q & ~ovf_used_q) == '0,
          "A slot waits to return its record but is not in use.")
    end
  end
  `HD_ASSERT_PROP(a_record_stable, record_done_valid_o && !record_done_ready_i
      |=> record_done_valid_o && $stable(record_done_o),
      "The offered record changes or is withdrawn before it is accepted.")

  // Rare: no slot left; a slot freed without its record.
  `HD_COVER(c_no_slot, !slot_valid_o)
  `HD_COVER(c_slot_back, slot_back != '0)
`endif

endmodule
