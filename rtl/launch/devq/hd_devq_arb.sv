// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_devq_arb: accepts one launch beat per cycle, of one SMX, into the queue of A1.
//
//   dev_launch[s], open[s], wait[s] --round robin, lock--> taken[s] --> [2 beats] --> A1
//
// The stage A0 of devq; ours.
// - Round robin over the SMXs that offer a beat, have a place for its answer (open_i), and need not
//   wait (wait_i, hd_devq_gate). A command of several beats keeps its SMX (lock). The lock ends
//   with the last beat, with the 32nd, with one that might have had to wait (alone_i, row_i), and
//   in a cycle without a beat. The pointer is then behind that SMX.
// - A full queue accepts nothing and keeps the lock.
// - first_o: the beat is the first of a turn.
// - Latency: a beat accepted at t is in A1 at t+1. Rate: one beat per cycle. dev_launch_ready_o
//   depends on the beats of the other SMXs.
// - Reset: no lock, pointer at SMX 0, queue empty.
// Part of hd_devq, whose tests cover it.
`include "common/hd_assert.svh"
module hd_devq_arb (
  input  logic                                          clk_i,
  input  logic                                          rst_ni,
  // Launch commands of the SMXs
  input  logic [hd_pkg::NumSmx-1:0]                     dev_launch_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::DevlaunchW-1:0]  dev_launch_i,
  output logic [hd_pkg::NumSmx-1:0]                     dev_launch_ready_o,
  // SMXs with a place for an answer
  input  logic [hd_pkg::NumSmx-1:0]                     open_i,
  output logic [hd_pkg::NumSmx-1:0]                     taken_o,
  // SMXs that have to wait, and the sort of the accepted beat (hd_devq_gate)
  input  logic [hd_pkg::NumSmx-1:0]                     wait_i,
  input  logic                                          alone_i,
  input  logic                                          row_i,
  // The oldest beat in the queue (A1)
  input  logic                                          pop_i,
  output logic                                          empty_o,
  output logic                                          group_o,
  output logic                                          alone_o,
  output logic                                          row_o,
  output logic                                          first_o,
  output logic [hd_pkg::SmxW-1:0]                       smx_o,
  output hd_pkg::devlaunch_t                            beat_o
);

  localparam int NumSmx = hd_pkg::NumSmx;
  localparam int SmxW = hd_pkg::SmxW;
  localparam int LaneW = hd_pkg::LaneW;
  localparam int LaunchW = hd_pkg::DevlaunchW;

  logic lock_valid_q, lock_valid_d;
  logic [SmxW-1:0] lock_smx_q;
  logic [LaneW-1:0] lock_left_q;
  logic [SmxW-1:0] ptr_q;

  // ---- Round robin -----------------------------------------------------------------------------
  logic [NumSmx-1:0] asks, from_ptr, behind, behind_from_ptr, turn;
  logic [SmxW-1:0] lock_base, smx;
  logic full, push;
  hd_pkg::devlaunch_t beat;

  assign asks = dev_launch_valid_i & open_i & ~wait_i;
  assign from_ptr = {NumSmx{1'b1}} << ptr_q;

  // behind: some lower SMX requests; behind_from_ptr: some lower one at or after the pointer.
  always_comb begin
    behind = asks << 1;
    behind_from_ptr = (asks & from_ptr) << 1;
    for (int b = 0; b < SmxW; b++) begin
      behind = behind | (behind << (1 << b));
      behind_from_ptr = behind_from_ptr | (behind_from_ptr << (1 << b));
    end
  end

  assign turn = lock_valid_q ? ({{NumSmx - 1{1'b0}}, 1'b1} << lock_smx_q)
      : (from_ptr & ~behind_from_ptr)
      | (~from_ptr & ~behind & {NumSmx{(asks & from_ptr) == '0}});
  assign dev_launch_ready_o = open_i & ~wait_i & turn & {NumSmx{!full}};
  assign taken_o = dev_launch_valid_i & dev_launch_ready_o;
  assign push = taken_o != '0;

  always_comb begin
    smx  = '0;
    beat = '0;
    for (int s = 0; s < NumSmx; s++) begin
      if (taken_o[s]) begin
        smx  = smx | SmxW'(s);
        beat = beat | dev_launch_i[s*LaunchW+:LaunchW];
      end
    end
  end

  // ---- Lock and pointer -------------------------------------------------------------------------
  // An SMX without a beat loses the lock, so it does not block the others.
  assign lock_base = lock_valid_q ? lock_smx_q : smx;
  assign lock_valid_d = push
      ? !beat.last && !alone_i && !row_i
          && (!lock_valid_q || lock_left_q != LaneW'(1))
      : lock_valid_q && full;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lock_valid_q <= 1'b0;
      ptr_q        <= '0;
    end else begin
      lock_valid_q <= lock_valid_d;
      if ((push || lock_valid_q) && !lock_valid_d) begin
        ptr_q <= (lock_base == SmxW'(NumSmx - 1)) ? '0 : lock_base + SmxW'(1);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (push) begin
      lock_smx_q  <= lock_base;
      lock_left_q <= lock_valid_q ? lock_left_q - LaneW'(1) : LaneW'(31);
    end
  end

  // ---- The queue --------------------------------------------------------------------------------
  // timing: a separate bit marks whether the oldest beat is a group, because the search starts with
  // it.
  logic head_group_q, tail_group_q, taken_group;

  hd_fifo2 #(.Width(3 + SmxW + LaunchW)) u_q (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (push),
    .data_i ({alone_i, row_i, !lock_valid_q, smx, beat}),
    .full_o (full),
    .pop_i  (pop_i),
    .data_o ({alone_o, row_o, first_o, smx_o, beat_o}),
    .empty_o(empty_o)
  );

  assign taken_group = push && beat.kind == hd_pkg::KindGroup;
  assign group_o     = head_group_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) head_group_q <= 1'b0;
    else if (empty_o || pop_i) head_group_q <= full ? tail_group_q : taken_group;
  end

  always_ff @(posedge clk_i) begin
    if (push) tail_group_q <= taken_group;
  end

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT(a_one, $onehot0(taken_o) && (taken_o & ~open_i) == '0,
          "Two beats are accepted at once, or one of an SMX without a place for its answer.")
      `HD_ASSERT(a_range, 32'(ptr_q) < NumSmx && (!lock_valid_q || 32'(lock_smx_q) < NumSmx),
          "The pointer or the lock names an SMX that does not exist.")
      `HD_ASSERT(a_head_group, head_group_q == (!empty_o && beat_o.kind == hd_pkg::KindGroup),
          "The bit for a group at the head differs from the kind of the oldest beat.")
    end
  end

  // Rare: a lock lost by an SMX without a beat; one that ends with the 32nd beat.
  `HD_COVER(c_lock_lost, lock_valid_q && !full && !push)
  `HD_COVER(c_lock_long, push && lock_valid_q && !beat.last && !lock_valid_d)
`endif

endmodule
