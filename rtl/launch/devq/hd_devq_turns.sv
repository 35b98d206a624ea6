// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_devq_turns: whose turn it is to launch: one beat a cycle, of one SMX.
//
//   dev_launch[s], open[s] --round robin, lock--> taken[s] --> beat, SMX, to the queue
//
// The stage A0 of devq; ours.
// - Round robin over the SMXs that offer a beat and have a place for its answer (open_i). A command
//   of several beats keeps its SMX: the lock goes with the last beat, with the 32nd, and in a cycle
//   without a beat. The pointer then stands behind the SMX.
// - A full queue takes nothing, and keeps the lock.
// - first_o: the beat is the first of a turn.
// - Latency: none; a beat per cycle. dev_launch_ready_o depends on the other SMXs' valid.
// - Reset: no lock, the pointer at SMX 0.
// Part of hd_devq; its rules are tested there.
`include "common/hd_fault.svh"
module hd_devq_turns (
  input  logic                                          clk_i,
  input  logic                                          rst_ni,
  // Launch commands of the SMXs
  input  logic [hd_pkg::NumSmx-1:0]                     dev_launch_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::DevlaunchW-1:0]  dev_launch_i,
  output logic [hd_pkg::NumSmx-1:0]                     dev_launch_ready_o,
  // Places for answers
  input  logic [hd_pkg::NumSmx-1:0]                     open_i,
  output logic [hd_pkg::NumSmx-1:0]                     taken_o,
  // The beat that is taken
  input  logic                                          full_i,
  output logic                                          push_o,
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

  // ---- Whose turn it is -------------------------------------------------------------------------
  logic [NumSmx-1:0] asks, from_ptr, behind, behind_from_ptr, turn;
  logic [SmxW-1:0] lock_base;

  assign asks = dev_launch_valid_i & open_i;
  assign from_ptr = {NumSmx{1'b1}} << ptr_q;

  // behind: some lower SMX asks; behind_from_ptr: one at or after the pointer.
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
  assign dev_launch_ready_o = open_i & turn & {NumSmx{!full_i}};
  assign taken_o = dev_launch_valid_i & dev_launch_ready_o;
  assign push_o = taken_o != '0;
  assign first_o = !lock_valid_q;

  always_comb begin
    smx_o  = '0;
    beat_o = '0;
    for (int s = 0; s < NumSmx; s++) begin
      if (taken_o[s]) begin
        smx_o  = smx_o | SmxW'(s);
        beat_o = beat_o | dev_launch_i[s*LaunchW+:LaunchW];
      end
    end
  end

  // ---- Lock and pointer -------------------------------------------------------------------------
  // A silent SMX does not hold up the others.
  assign lock_base = lock_valid_q ? lock_smx_q : smx_o;
  assign lock_valid_d = `HD_FAULT(31, push_o
      ? !beat_o.last && (!lock_valid_q || lock_left_q != LaneW'(`HD_FAULT(166, 1, 2)))
      : lock_valid_q && full_i,
      1'b0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lock_valid_q <= 1'b0;
      ptr_q        <= '0;
    end else begin
      lock_valid_q <= lock_valid_d;
      if ((push_o || lock_valid_q) && !lock_valid_d) begin
        ptr_q <= (lock_base == SmxW'(NumSmx - 1)) ? '0 : lock_base + SmxW'(1);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (push_o) begin
      lock_smx_q  <= lock_base;
      lock_left_q <= lock_valid_q ? lock_left_q - LaneW'(1) : LaneW'(31);
    end
  end

`ifdef VERILATOR
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // One beat a cycle, of an SMX that has a place for its answer.
      a_one : assert ($onehot0(taken_o) && (taken_o & ~open_i) == '0);
      // The pointer and the lock name an SMX.
      a_range : assert (32'(ptr_q) < NumSmx && (!lock_valid_q || 32'(lock_smx_q) < NumSmx));
    end
  end
  // The rare: a lock that a silent SMX loses, one that ends with the 32nd beat.
  c_lock_lost :
  cover property (@(posedge clk_i) lock_valid_q && !full_i && !push_o);
  c_lock_long :
  cover property (@(posedge clk_i) push_o && lock_valid_q && !beat_o.last && !lock_valid_d);
`endif

endmodule
