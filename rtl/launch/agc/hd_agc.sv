// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_agc: aggregated group counts, the life of an AGE: counts the TBs of each group that were handed
// out and are done, gives the AGE back once, and returns the record of a group that overflowed.
//
//   sched load, grant --> [current group: cur] --last TB--> [u_handed] --+
//   sched retire --> R0: read --> R1: [u_done] + 1 ----------------- equal? --> free (link)
//                                                                    |
//   load of an overflowed group --> [u_rec], slot                    +--> ovf_wait --> record_done
//
// From dtbl-isca2015 section 4.2 (ExeBL of an AGE). ExeBL is kept as two counts, handed out and
// done, both modulo 2^ExeHalfW, so that each RAM has one writer; that, the overflow slots (AGEs for
// groups that live in memory) and the return of records are ours.
// - Load: the group becomes current, with count 0 and no TB done (seen := 0, a cycle later);
//   an overflowed one takes slot_o.
// - The last TB: the count goes to u_handed. A load in that cycle follows.
// - An AGE is over when it is neither current nor parked: then u_handed holds all its TBs.
// - Retire, cycle R0: the rows are read. R1: done + 1 is written; over and equal to what was
//   handed out: the AGE is free. The row that R1 writes is not read: its value is forwarded.
// - Park: its kernel stops with the group half handed out. When the kernel has left the KD, an
//   overflow slot is given back without its record, one per cycle, the lowest entry first; no slot
//   is offered meanwhile.
// - record_done: a slot whose group is done reads its record (S1) and is free when the record moves
//   to S2, from where it is offered while no Next write to it is under way.
// - Latency: retire at t, free_valid_o t+2 (in R1's next cycle), record_done_valid_o t+4. All
//   outputs come from registers.
// - Reset: nothing current, seen or waiting; RAM rows keep anything.
// Ports: agc.csv. Model cmodel/launch/agc, tests verif/unit and verif/equiv test_agc, page docs/launch/agc.md.
`include "common/hd_fault.svh"
module hd_agc (
  input  logic                                          clk_i,
  input  logic                                          rst_ni,
  // Overflow slots (sched)
  output logic                                          slot_valid_o,
  output logic [hd_pkg::OvfW-1:0]                       slot_o,
  // The current group (sched)
  input  logic                                          load_valid_i,
  input  hd_pkg::ptr_t                                  load_ptr_i,
  input  logic                                          grant_group_i,
  input  logic                                          grant_end_i,
  // Its kernel stops (sched), or has left the KD (kd)
  input  logic                                          park_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                       park_kdei_i,
  input  logic [hd_pkg::NumKde-1:0]                     left_i,
  // A TB is done (sched)
  input  logic                                          retire_valid_i,
  input  hd_pkg::retire_t                               retire_i,
  // An AGE is free again (link)
  output logic                                          free_valid_o,
  output logic [hd_pkg::AgtW-1:0]                       free_index_o,
  // Next writes under way (link)
  input  logic [hd_pkg::NextDepth-1:0]                  next_valid_i,
  input  logic [hd_pkg::NextDepth*hd_pkg::RecW-1:0]     next_record_i,
  // A record is software's again
  output logic                                          record_done_valid_o,
  output logic [hd_pkg::RecW-1:0]                       record_done_o,
  input  logic                                          record_done_ready_i
);

  localparam int NumAge = hd_pkg::NumAge;
  localparam int AgtSize = hd_pkg::AgtSize;
  localparam int NumKde = hd_pkg::NumKde;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int Slots = hd_pkg::OvfSlots;
  localparam int AgeW = hd_pkg::AgeW;
  localparam int AgtW = hd_pkg::AgtW;
  localparam int OvfW = hd_pkg::OvfW;
  localparam int RecW = hd_pkg::RecW;
  localparam int CountW = hd_pkg::ExeHalfW;

  logic cur_valid_q;
  logic [AgeW-1:0] cur_agei_q;
  logic [CountW-1:0] cur_count_q;
  logic [NumAge-1:0] seen_q;
  logic [Slots-1:0] ovf_used_q, ovf_wait_q;
  logic [NumKde-1:0] park_valid_q;
  logic [NumKde*AgeW-1:0] park_agei_q;
  logic [OvfW-1:0] ret_ptr_q;
  logic r1_valid_q, r1_fwd_q, r1_over_q, r1_seen_q;
  logic [AgeW-1:0] r1_agei_q;
  logic [CountW-1:0] r1_value_q;

  // ---- Overflow slots ---------------------------------------------------------------------------
  logic [Slots-1:0] slot;
  logic [OvfW-1:0] free_slot;
  logic some_slot;
  logic load_slot;

  hd_find_first #(.N(Slots), .IdxW(OvfW)) u_slot (
    .req_i   (~ovf_used_q),
    .onehot_o(slot),
    .index_o (free_slot),
    .valid_o (some_slot)
  );

  // Not while slots are given back: so a kernel can not park in an entry whose last kernel's slot
  // has still to be given back.
  assign slot_valid_o = some_slot && leaving_q == '0;
  assign slot_o = free_slot & {OvfW{slot_valid_o}};

  assign load_slot = load_valid_i && !load_ptr_i.onchip;

  // ---- The current group ------------------------------------------------------------------------
  logic last;
  logic [AgeW-1:0] load_agei;
  logic [CountW-1:0] count_up;

  assign last = grant_group_i && grant_end_i;
  assign load_agei = load_ptr_i.onchip ? AgeW'(load_ptr_i.index) : AgeW'(AgtSize) + AgeW'(slot_o);
  assign count_up = cur_count_q + CountW'(1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) cur_valid_q <= 1'b0;
    else cur_valid_q <= load_valid_i || (cur_valid_q && !last && !park_valid_i);
  end

  always_ff @(posedge clk_i) begin
    if (load_valid_i) begin
      cur_agei_q  <= load_agei;
      cur_count_q <= '0;
    end else if (grant_group_i) begin
      cur_count_q <= count_up;
    end
  end

  // ---- Parked groups ----------------------------------------------------------------------------
  logic [NumKde-1:0] parked, is_slot, leaving_q, back;
  logic [Slots-1:0] slot_back;  // the slot of a kernel that left
  logic some_back;
  logic [KdeW-1:0] back_kdei;
  logic [AgeW-1:0] back_agei;

  assign parked = {{NumKde - 1{1'b0}}, park_valid_i} << park_kdei_i;

  // Of those that are parked; mostly there are none, and a simulator does not look.
  always_comb begin
    is_slot = '0;
    if (park_valid_q != '0) begin
      for (int i = 0; i < NumKde; i++) begin
        is_slot[i] = park_valid_q[i] && 32'(park_agei_q[i*AgeW+:AgeW]) >= AgtSize;
      end
    end
  end

  hd_find_first #(.N(NumKde), .IdxW(KdeW)) u_back (
    .req_i   (leaving_q),
    .onehot_o(back),
    .index_o (back_kdei),
    .valid_o (some_back)
  );

  assign back_agei = park_agei_q[back_kdei*AgeW+:AgeW];

  hd_onehot #(.N(Slots), .IdxW(OvfW)) u_slot_back (
    .valid_i (`HD_FAULT(69, some_back, 1'b0)),
    .index_i (OvfW'(back_agei - AgeW'(AgtSize))),
    .onehot_o(slot_back)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      park_valid_q <= '0;
      leaving_q    <= '0;
    end else begin
      park_valid_q <= (park_valid_q & ~(left_i & ~is_slot) & ~back) | parked;
      leaving_q    <= (leaving_q & ~back) | (left_i & is_slot);
    end
  end

  always_ff @(posedge clk_i) begin
    if (park_valid_i) begin
      for (int i = 0; i < NumKde; i++) begin
        if (parked[i]) park_agei_q[i*AgeW+:AgeW] <= cur_agei_q;
      end
    end
  end

  // ---- Retired TBs ------------------------------------------------------------------------------
  logic r0, r0_fwd, r0_over, freed;

  logic [NumKde-1:0] is_parked;
  logic [CountW-1:0] handed, done, done_before, n;
  logic equal, value_equal, done_equal, may_free, is_slot_r1;
  logic [NumAge-1:0] retired_row;

  assign r0         = retire_valid_i && retire_i.age_valid;
  assign r0_fwd     = `HD_FAULT(66, r1_valid_q && r1_agei_q == retire_i.agei, 1'b0);
  always_comb begin
    is_parked = '0;
    if (park_valid_q != '0) begin
      for (int i = 0; i < NumKde; i++) begin
        is_parked[i] = park_valid_q[i] && park_agei_q[i*AgeW+:AgeW] == retire_i.agei;
      end
    end
  end
  assign r0_over = !(cur_valid_q && cur_agei_q == retire_i.agei)
      && `HD_FAULT(65, is_parked == '0, 1'b1);
  assign done_before = r1_fwd_q ? r1_value_q : r1_seen_q ? done : '0;
  assign n = done_before + CountW'(1);

  // n == handed without waiting for the choice of done_before. It is the last signal of the cycle to
  // settle: what it decides stands ready.
  hd_follows #(.W(CountW)) u_value_equal (
    .a_i      (r1_value_q),
    .b_i      (handed),
    .follows_o(value_equal)
  );

  hd_follows #(.W(CountW)) u_done_equal (
    .a_i      (done),
    .b_i      (handed),
    .follows_o(done_equal)
  );

  assign equal = r1_fwd_q ? value_equal : r1_seen_q ? done_equal : handed == CountW'(1);
  assign may_free = r1_valid_q && r1_over_q;
  assign is_slot_r1 = 32'(r1_agei_q) >= AgtSize;
  assign freed = may_free && !is_slot_r1 && equal;
  hd_onehot #(.N(NumAge), .IdxW(AgeW)) u_retired_row (
    .valid_i (r1_valid_q),
    .index_i (r1_agei_q),
    .onehot_o(retired_row)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      r1_valid_q   <= 1'b0;
      free_valid_o <= 1'b0;
    end else begin
      r1_valid_q   <= r0;
      free_valid_o <= freed;
    end
  end

  always_ff @(posedge clk_i) begin
    if (r0) begin
      r1_agei_q <= retire_i.agei;
      r1_fwd_q  <= r0_fwd;
      r1_over_q <= r0_over;
      r1_seen_q <= seen_q[retire_i.agei];
    end
    if (r1_valid_q) r1_value_q <= n;
    free_index_o <= freed ? AgtW'(r1_agei_q) : '0;
  end

  hd_ram_1r1w #(.Width(CountW), .Depth(NumAge), .AddrW(AgeW)) u_handed (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (last),
    .waddr_i(cur_agei_q),
    .wdata_i(`HD_FAULT(113, count_up, cur_count_q)),
    .re_i   (r0 && r0_over),
    .raddr_i(retire_i.agei),
    .rdata_o(handed)
  );

  hd_ram_1r1w #(.Width(CountW), .Depth(NumAge), .AddrW(AgeW)) u_done (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (r1_valid_q),
    .waddr_i(r1_agei_q),
    .wdata_i(n),
    .re_i   (r0 && !(r1_valid_q && r1_agei_q == retire_i.agei)),
    .raddr_i(retire_i.agei),
    .rdata_o(done)
  );

  // ---- Seen -------------------------------------------------------------------------------------
  // A group that was loaded starts without it: in the cycle after, because the load is late, and
  // soon enough, because none of its TBs can be done by then.
  logic fresh_q;
  logic [NumAge-1:0] loaded;

  hd_onehot #(.N(NumAge), .IdxW(AgeW)) u_loaded (
    .valid_i (fresh_q),
    .index_i (cur_agei_q),
    .onehot_o(loaded)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fresh_q <= 1'b0;
      seen_q  <= '0;
    end else begin
      fresh_q <= `HD_FAULT(67, load_valid_i, 1'b0);
      if (fresh_q || r1_valid_q) seen_q <= (seen_q & ~loaded) | retired_row;
    end
  end

  // ---- Records that go back ---------------------------------------------------------------------
  logic [Slots-1:0] retired_slot, waiting_new, chosen, stays;
  logic s1_valid_q, s1_move, s1_take, s2_taken, some_wait, in_next;
  logic [OvfW-1:0] choice, choice_next, s1_slot_q;
  logic s2_valid_q;
  logic [RecW-1:0] s1_record, s2_record_q;
  logic [Slots-1:0] slot_done;

  hd_onehot #(.N(Slots), .IdxW(OvfW)) u_retired_slot (
    .valid_i (may_free && is_slot_r1),
    .index_i (OvfW'(r1_agei_q - AgeW'(AgtSize))),
    .onehot_o(retired_slot)
  );
  assign waiting_new = retired_slot & {Slots{equal}};
  assign stays = ovf_used_q & ~(`HD_FAULT(68, slot_done, waiting_new) | slot_back);

  hd_rr_arb #(.N(Slots), .IdxW(OvfW)) u_return (
    .req_i  (ovf_wait_q),
    .ptr_i  (ret_ptr_q),
    .grant_o(chosen),
    .index_o(choice),
    .valid_o(some_wait),
    .next_o (choice_next)
  );

  always_comb begin
    in_next = 1'b0;
    for (int k = 0; k < hd_pkg::NextDepth; k++) begin
      in_next = in_next || (next_valid_i[k] && next_record_i[k*RecW+:RecW] == s2_record_q);
    end
  end

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
      ovf_used_q <= load_slot ? stays | slot : stays;
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
    .we_i   (load_slot),
    .waddr_i(slot_o),
    .wdata_i(load_ptr_i.index),
    .re_i   (s1_take),
    .raddr_i(choice),
    .rdata_o(s1_record)
  );

  assign record_done_valid_o = s2_valid_q && !`HD_FAULT(72, in_next, 1'b0);
  assign record_done_o = record_done_valid_o ? s2_record_q : '0;

  logic unused_bits;
  assign unused_bits = &{1'b0, retire_i.kdei};

`ifdef VERILATOR
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // A TB is granted, and a group ends or is parked, only while a group is current.
      if (grant_group_i || park_valid_i) a_grant : assert (cur_valid_q);
      // A group is loaded when none is current, or in the cycle of its end.
      if (load_valid_i) a_load : assert (!cur_valid_q || last);
      // An overflowed group finds a slot.
      if (load_slot) a_load_slot : assert (slot_valid_o);
      // Never more TBs done than handed out: an AGE that is over is freed by the one that makes
      // both equal.
      if (r1_valid_q && r1_over_q) begin
        a_retire_over : assert (32'(CountW'(handed - n)) <= hd_pkg::Resident);
      end
      // The short way to compare is right.
      if (r1_valid_q) a_equal : assert (equal == (n == handed));
      // No TB of a group is in execution when the group is loaded.
      a_load_quiet : assert (!(fresh_q && r1_valid_q && cur_agei_q == r1_agei_q));
      // A kernel parks one group at a time.
      a_park : assert ((parked & park_valid_q) == '0);
      // A slot that waits to return its record is in use.
      a_wait_used : assert ((ovf_wait_q & ~ovf_used_q) == '0);
    end
  end
  // A record that is offered stays until it is taken.
  a_record_stable :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      record_done_valid_o && !record_done_ready_i
      |=> record_done_valid_o && $stable(record_done_o));
  // The rare: forwarding, a record that waits for its Next write, no slot left, a slot given back
  // without its record.
  c_forward :
  cover property (@(posedge clk_i) r1_valid_q && r1_fwd_q);
  c_next_wait :
  cover property (@(posedge clk_i) s2_valid_q && in_next);
  c_no_slot :
  cover property (@(posedge clk_i) !slot_valid_o);
  c_slot_back :
  cover property (@(posedge clk_i) slot_back != '0);
`endif

endmodule
