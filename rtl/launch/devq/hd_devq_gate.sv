// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_devq_gate: decides which SMXs wait at their port, so that no beat waits in A1 and blocks the
// others.
//
//   kinds of the beats offered --> alone, row, free --> wait[s], to the turns
//   bank_room - [fly] --> roomy    rows - [promised]    pool, save
//
// Ours. The beat offered by an SMX is of one of three sorts:
// - free: a group whose bank is roomy, i.e. has at least two places beyond those for the launches
//   of its SMXs in flight (fly). This block never holds it back.
// - row: any other group. It needs a row of spill, which is promised to it when it is accepted.
// - alone: a kernel, a save, or a group of an SMX whose last group found no kernel. The queue and
//   A2 hold at most one, and only while pool or susp has room for it.
// - Among the row beats, and among the alone beats, SMXs that were skipped go first.
// - A1: a group without a promise leaves if its bank has a place for each launch in flight and one
//   for a kernel that enters, or if an unpromised row is left.
// - Latency: none. wait_o depends on the beats of the SMXs, everything else on registers.
// - Reset: nothing in flight or promised, no SMX skipped, the last group of each SMX counts as
//   found.
// Part of hd_devq, whose tests cover it; devq.csv shows the registers.
`include "common/hd_assert.svh"
module hd_devq_gate (
  input  logic                                          clk_i,
  input  logic                                          rst_ni,
  // Launch commands of the SMXs, places for their answers
  input  logic [hd_pkg::NumSmx-1:0]                     dev_launch_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::DevlaunchW-1:0]  dev_launch_i,
  input  logic [hd_pkg::NumSmx-1:0]                     open_i,
  // The SMXs that wait; the sort of the accepted beat
  output logic [hd_pkg::NumSmx-1:0]                     wait_o,
  input  logic [hd_pkg::NumSmx-1:0]                     taken_i,
  output logic                                          alone_o,
  output logic                                          row_o,
  // Room in the banks, spill, pool and susp
  input  logic [hd_pkg::NumBank*3-1:0]                  bank_room_i,
  input  logic [hd_pkg::SpillPutsW-1:0]                 rows_i,
  input  logic                                          pool_ready_i,
  input  logic                                          pool_two_i,
  input  logic                                          save_room_i,
  // The beat in A1; whether it leaves, as a group that found its kernel (joins) or did not (lone)
  input  logic [hd_pkg::SmxW-1:0]                       a1_smx_i,
  input  logic                                          a1_group_i,
  input  logic                                          a1_alone_i,
  input  logic                                          a1_row_i,
  input  logic                                          a1_take_i,
  input  logic                                          a1_joins_i,
  input  logic                                          a1_lone_i,
  output logic                                          group_ok_o,
  // A2 holds a kernel or save, A3 a kernel, a save; a beat leaves A3
  input  logic                                          a2_one_i,
  input  logic                                          a3_kernel_i,
  input  logic                                          a3_save_i,
  input  logic                                          gone_valid_i,
  input  logic [hd_pkg::SmxW-1:0]                       gone_smx_i
);

  localparam int NumSmx = hd_pkg::NumSmx;
  localparam int NumBank = hd_pkg::NumBank;
  localparam int LaunchW = hd_pkg::DevlaunchW;
  localparam int KindW = hd_pkg::KindW;  // the kind is the first field of a beat

  logic [NumBank*3-1:0] fly_q;         // launches of each bank's SMXs in the queue, A2 and A3
  logic [2:0] promised_q;              // rows of spill promised to them
  logic alone_q;                       // the queue holds an alone beat
  logic a2_row_q, a3_row_q;            // the group in A2, A3 has a promise
  logic [NumSmx-1:0] passed_q;         // skipped, and waits
  logic [NumSmx-1:0] lone_q;           // its last group found no kernel

  // ---- Banks and rows ---------------------------------------------------------------------------
  logic [NumBank-1:0] roomy, sure, a1_at, gone_at, taken_at;
  logic row_left, a1_asks, sure_a1;

  for (genvar b = 0; b < NumBank; b++) begin : g_bank
    localparam int First = b * hd_pkg::SmxPerCluster;
    localparam int Last = First + hd_pkg::SmxPerCluster < NumSmx
        ? First + hd_pkg::SmxPerCluster : NumSmx;
    logic [2:0] room, fly;

    assign room        = bank_room_i[b*3+:3];
    assign fly         = fly_q[b*3+:3];
    assign sure[b]     = room > fly;
    assign roomy[b]    = sure[b] && room != fly + 3'd1;
    assign a1_at[b]    = 32'(a1_smx_i) / hd_pkg::SmxPerCluster == b;
    assign gone_at[b]  = gone_valid_i && 32'(gone_smx_i) / hd_pkg::SmxPerCluster == b;
    assign taken_at[b] = taken_i[Last-1:First] != '0;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) fly_q[b*3+:3] <= '0;
      else if (taken_at[b] != gone_at[b]) fly_q[b*3+:3] <= taken_at[b] ? fly + 3'd1 : fly - 3'd1;
    end
  end

  // A group in A1 without a promise may use a row.
  assign sure_a1    = (a1_at & sure) != '0;
  assign a1_asks    = a1_group_i && !a1_row_i && !sure_a1;
  assign row_left   = 32'(rows_i) > 32'(promised_q) + 32'(a1_asks);
  assign group_ok_o = a1_row_i || sure_a1 || 32'(rows_i) > 32'(promised_q);

  // ---- SMXs that wait --------------------------------------------------------------------------
  logic [NumSmx-1:0] asks, save, alone, row, may;
  logic alone_left, kernel_left, save_left, alone_passed, row_passed;

  assign asks = dev_launch_valid_i & open_i;

  for (genvar s = 0; s < NumSmx; s++) begin : g_smx
    logic [KindW-1:0] kind;
    logic group, lone;

    assign kind     = dev_launch_i[(s+1)*LaunchW-1-:KindW];
    assign group    = kind == hd_pkg::KindGroup;
    assign lone     = lone_q[s];
    assign save[s]  = kind == hd_pkg::KindSave;
    assign alone[s] = asks[s] && (!group || lone);
    assign row[s]   = asks[s] && group && !lone && !roomy[s/hd_pkg::SmxPerCluster];
  end

  // pool_ready_i does not count a kernel in A3 yet.
  assign alone_left  = !alone_q && !a2_one_i;
  assign kernel_left = alone_left && (pool_two_i || (pool_ready_i && !a3_kernel_i));
  assign save_left   = alone_left && save_room_i && !a3_save_i;

  assign alone_passed = (passed_q & alone) != '0;
  assign row_passed   = (passed_q & row) != '0;

  assign may = (alone & ((save & {NumSmx{save_left}}) | (~save & {NumSmx{kernel_left}}))
                & (passed_q | {NumSmx{!alone_passed}}))
      | (row & {NumSmx{row_left}} & (passed_q | {NumSmx{!row_passed}}));
  assign wait_o  = (alone | row) & ~may;
  assign alone_o = (taken_i & alone) != '0;
  assign row_o   = (taken_i & row) != '0;

  // ---- In flight --------------------------------------------------------------------------------
  logic a1_gets, a1_drops;             // A1 uses a row; it returns its promise

  assign a1_gets  = a1_joins_i && a1_asks;
  assign a1_drops = a1_take_i && a1_row_i && !a1_joins_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      promised_q <= '0;
      alone_q    <= 1'b0;
      a2_row_q   <= 1'b0;
      a3_row_q   <= 1'b0;
      passed_q   <= '0;
      lone_q     <= '0;
    end else begin
      promised_q <= promised_q + 3'(row_o) + 3'(a1_gets) - 3'(a1_drops) - 3'(a3_row_q);
      alone_q    <= alone_o || (alone_q && !(a1_take_i && a1_alone_i));
      a2_row_q   <= a1_joins_i && (a1_row_i || !sure_a1);
      a3_row_q   <= a2_row_q;
      passed_q   <= ((alone & (passed_q | {NumSmx{!alone_passed}}))
                     | (row & (passed_q | {NumSmx{!row_passed}}))) & ~taken_i;
      for (int s = 0; s < NumSmx; s++) begin
        if (a1_smx_i == hd_pkg::SmxW'(s) && (a1_joins_i || a1_lone_i)) lone_q[s] <= a1_lone_i;
      end
    end
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, dev_launch_i};

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT(a_sort, (alone & row) == '0,
          "The beat of an SMX counts both as an alone beat and as one that needs a row.")
      `HD_ASSERT(a_alone, !(alone_q && alone_o) || (a1_take_i && a1_alone_i),
          "An alone beat is accepted while the queue still holds another one.")
      `HD_ASSERT(a_promised, promised_q <= 3'd4 && 32'(promised_q) <= 32'(rows_i),
          "More spill rows are promised than four, or than are free.")
    end
  end

  // Rare: SMXs of both sorts were skipped; a group in A1 whose bank lost its room.
  `HD_COVER(c_passed, alone_passed && row_passed)
  `HD_COVER(c_gets, a1_gets)
`endif

endmodule
