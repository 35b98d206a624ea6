// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_demo_smx: an SMX that is a timer for each TB slot. It has a table of durations, which the host
// writes; the program counter of a TB's kernel is its place in the table.
//
//   TB taken --> [slot, place] --> table --> [cycles left, per slot] --> completion
//
// - The place of a TB is the low 16 bits of its PC, plus its id unless bit 16 of the PC is 1: then
//   all TBs of the kernel have the same duration.
// - Four places of 32 bits are a row. Bits 23 to 0 are the duration in cycles; less than 3 counts
//   as 3.
// - A TB taken in cycle t with duration d is reported in cycle t + d, or in the first later cycle
//   in which no lower slot is reported.
// - The table is not changed by reset.
// Part of the demonstrator (docs/demo.md).
`include "common/hd_assert.svh"
module hd_demo_smx #(
  parameter int Rows = 1024
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  // The TB that is taken in this cycle
  input  logic                     take_i,
  input  hd_pkg::dispatch_t        tb_i,
  // Completions
  output logic                     done_valid_o,
  output logic [hd_pkg::SlotW-1:0] done_slot_o,
  // Writes of the table
  input  logic                     we_i,
  input  logic [15:0]              row_i,
  input  logic [127:0]             data_i
);

  localparam int AddrW = $clog2(Rows), DurationW = 24;

  logic take_q, read_q;
  logic [hd_pkg::SlotW-1:0] slot_q, read_slot_q;
  logic [AddrW+1:0] place, place_q;
  logic [1:0] lane_q;
  logic [127:0] row;
  logic [DurationW-1:0] duration, left;
  logic [hd_pkg::CtasPerSmx-1:0] busy_q, due_q, load, done;
  logic [DurationW-1:0] left_q[hd_pkg::CtasPerSmx];

  // The cycle of the hand-out, then that in which the row is read.
  assign place = tb_i.desc.pc[AddrW+1:0] + (tb_i.desc.pc[16] ? '0 : tb_i.blkid[AddrW+1:0]);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      take_q <= 1'b0;
      read_q <= 1'b0;
    end else begin
      take_q <= take_i;
      read_q <= take_q;
    end
  end

  always_ff @(posedge clk_i) begin
    slot_q      <= tb_i.slot;
    place_q     <= place;
    read_slot_q <= slot_q;
    lane_q      <= place_q[1:0];
  end

  hd_ram_1r1w #(
    .Width(128),
    .Depth(Rows),
    .Conflict(1'b1)
  ) u_row (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .we_i    (we_i),
    .waddr_i (row_i[AddrW-1:0]),
    .wdata_i (data_i),
    .re_i    (take_q),
    .raddr_i (place_q[AddrW+1:2]),
    .rdata_o (row)
  );

  // The third cycle: the slot's timer starts.
  assign duration = row[32*lane_q +: DurationW];
  assign left     = duration < DurationW'(3) ? '0 : duration - DurationW'(3);

  always_comb begin
    load = '0;
    for (int s = 0; s < hd_pkg::CtasPerSmx; s++) begin
      load[s] = read_q && read_slot_q == hd_pkg::SlotW'(s);
    end
  end

  assign done = due_q & (~due_q + hd_pkg::CtasPerSmx'(1));  // the lowest slot

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= '0;
      due_q  <= '0;
    end else begin
      for (int s = 0; s < hd_pkg::CtasPerSmx; s++) begin
        if (load[s]) begin
          busy_q[s] <= 1'b1;
          due_q[s]  <= left == '0;
        end else if (done[s]) begin
          busy_q[s] <= 1'b0;
          due_q[s]  <= 1'b0;
        end else if (busy_q[s] && left_q[s] == DurationW'(1)) begin
          due_q[s] <= 1'b1;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    for (int s = 0; s < hd_pkg::CtasPerSmx; s++) begin
      if (load[s]) left_q[s] <= left;
      else if (left_q[s] != '0) left_q[s] <= left_q[s] - DurationW'(1);
    end
  end

  assign done_valid_o = due_q != '0;

  always_comb begin
    done_slot_o = '0;
    for (int s = 0; s < hd_pkg::CtasPerSmx; s++) begin
      if (done[s]) done_slot_o = hd_pkg::SlotW'(s);
    end
  end

  logic unused;
  assign unused = ^{tb_i, row, row_i};

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT_IN(a_free, (load & busy_q) == '0, "A TB is handed out to an occupied slot.")
    end
  end
`endif

endmodule
