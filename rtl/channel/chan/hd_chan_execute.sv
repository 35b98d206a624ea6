// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_chan_execute: computes the effect of an operation on its channel, and the answer.
// Combinational.
//
//   {cap, tail, reserve, pending}, n - head, open, failed
//     --> code, base, row, enq, done, yield, never
//
// From channels-isca2014 sections 3.2 and 6; contiguous grants and skips are ours.
// - A grant that would cross the end of the data array starts at 0; the elements between are done
//   at once (skip). If there is no room for both, only the skip is made, so the grant fits once all
//   elements before it are done.
// - Positions are modulo twice the largest capacity. timing: C is a power of two, and x < C if no
//   bit of x above those of C - 1 is set, so every condition is one addition, all in parallel.
// Part of hd_chan; page docs/channel/chan.md, rules C4 and C5.
module hd_chan_execute (
  input  logic                          valid_i,
  input  logic                          restart_i,  // the client is yrec
  input  hd_pkg::chanop_t               op_i,
  input  hd_pkg::chanrow_t              row_i,
  input  logic                          open_i,
  input  logic                          failed_i,
  // Of the channel: C - 1. Of the operation: n - 1, off + n - 1. Of both: - 1 - head, n - 1 - head.
  // All in elements.
  input  logic [hd_pkg::ChanPosW-1:0]   mask_i,
  input  logic [hd_pkg::ChanPosW-1:0]   less_i,
  input  logic [hd_pkg::ChanPosW:0]     last_i,
  input  logic [hd_pkg::ChanPosW-1:0]   back_i,
  input  logic [hd_pkg::ChanPosW-1:0]   gain_i,
  // The answer
  output hd_pkg::chcode_e               code_o,
  output logic [hd_pkg::ChanPosW-1:0]   base_o,
  // Effects
  output hd_pkg::chanrow_t              row_o,
  output logic                          enq_o,
  output logic                          done_o,
  output logic [hd_pkg::ChanPosW-1:0]   done_off_o,
  output logic [hd_pkg::ChanPosW-1:0]   done_n_o,
  output logic                          yield_o,
  output logic                          never_o
);

  localparam int PosW = hd_pkg::ChanPosW;
  localparam logic Paper = (hd_pkg::ChanPaper & 1) != 0;

  // ---- Sums -------------------------------------------------------------------------------------
  logic [PosW-1:0] at, lap;                    // offset of the tail; start of its lap
  logic [PosW:0] end_at, left_pending;         // offset of the last element; pending - n
  logic [PosW-1:0] used_last, over_at, used_over_at;  // used + n - 1; this - at; used - 1 - at
  logic [PosW-1:0] next, next_lap, next_begun;  // tail + n; start of the next lap; that + n

  assign at           = row_i.tail & mask_i;
  assign lap          = row_i.tail & ~mask_i;
  assign end_at       = {1'b0, at} + {1'b0, less_i};
  assign used_last    = row_i.tail + gain_i;
  assign over_at      = lap + gain_i;
  assign used_over_at = lap + back_i;
  assign next         = row_i.tail + op_i.n;
  assign next_lap     = (row_i.tail | mask_i) + PosW'(1);
  assign next_begun   = (row_i.tail | mask_i) + op_i.n + PosW'(1);
  assign left_pending = {1'b0, row_i.pending} - {1'b0, op_i.n};

  // ---- Refusals ---------------------------------------------------------------------------------
  logic talloc, enq, tfree, yield, bad, never, beyond, good;

  assign talloc = op_i.kind == hd_pkg::ChopTalloc;
  assign enq    = op_i.kind == hd_pkg::ChopEnq;
  assign tfree  = op_i.kind == hd_pkg::ChopTfree;
  assign yield  = op_i.kind == hd_pkg::ChopYield;
  assign beyond = (enq || tfree) && (last_i & {1'b1, ~mask_i}) != '0
      || (enq && left_pending[PosW]);
  assign bad    = !open_i || op_i.n == '0 || (restart_i && yield) || beyond;
  assign never  = !bad && (talloc || yield) && (less_i & ~mask_i) != '0;
  assign good   = valid_i && !bad && !never && !(failed_i && !tfree);

  // ---- A grant ----------------------------------------------------------------------------------
  // Of numbers below C the top bit of a difference tells which one is smaller.
  logic crosses, enough, fits, skip;

  assign crosses = (end_at & {1'b1, ~mask_i}) != '0;
  assign enough  = (used_last & ~mask_i) == '0;
  assign fits    = enough && (!crosses || over_at[PosW-1]);
  assign skip    = crosses && (Paper ? fits : used_over_at[PosW-1]);

  always_comb begin
    if (bad) code_o = hd_pkg::ChcodeBad;
    else if (never) code_o = hd_pkg::ChcodeNever;
    else if (failed_i && !tfree) code_o = hd_pkg::ChcodeFailed;
    else if (talloc && !fits) code_o = hd_pkg::ChcodeNoRoom;
    else code_o = hd_pkg::ChcodeOk;
  end

  assign base_o  = good && talloc && fits && !crosses ? at : '0;
  assign enq_o   = good && enq;
  assign yield_o = good && yield;
  assign never_o = valid_i && never;

  always_comb begin
    row_o = row_i;
    if (good && talloc) begin
      if (fits) row_o.pending = row_i.pending + op_i.n;
      if (fits) row_o.tail = crosses ? next_begun : next;
      else if (skip) row_o.tail = next_lap;
    end
    if (enq_o) begin
      row_o.pending = left_pending[PosW-1:0];
      row_o.reserve = row_i.reserve + op_i.n;
    end
  end

  // ---- Done elements ---------------------------------------------------------------------------
  logic skips;
  assign skips      = talloc && skip;
  assign done_o     = good && (skips || tfree);
  assign done_off_o = talloc ? at : op_i.off;
  assign done_n_o   = talloc ? (~row_i.tail & mask_i) + PosW'(1) : op_i.n;

  logic unused_bits;
  assign unused_bits = &{1'b0, op_i.chan, op_i.slot, op_i.ctx, over_at, used_over_at};

endmodule
