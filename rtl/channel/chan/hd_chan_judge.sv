// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_chan_judge: what an operation does to its channel, and what is answered. Combinational.
//
//   {cap, tail, reserve, pending}, head, open, failed --> code, base, row, enq, done, yield, never
//
// channels-isca2014 sections 3.2 and 6; contiguity and its skip are ours.
// - A grant that would crosses the end of the data array begins at 0; what lies between is done at
//   once. If there is no room for both, the skip alone is made, so that it never waits for ever.
// - Positions are modulo twice the largest capacity.
// Inside hd_chan; page docs/channel/chan.md, rules C4 and C5.
`include "common/hd_fault.svh"
module hd_chan_judge (
  input  logic                          valid_i,
  input  logic                          restart_i,  // the client is yrec
  input  hd_pkg::chanop_t               op_i,
  input  hd_pkg::chanrow_t              row_i,
  input  logic [hd_pkg::GrainW-1:0]     head_i,
  input  logic                          open_i,
  input  logic                          failed_i,
  output hd_pkg::chcode_e               code_o,
  output logic [hd_pkg::ChanPosW-1:0]   base_o,
  output hd_pkg::chanrow_t              row_o,
  output logic                          enq_o,
  output logic                          done_o,
  output logic [hd_pkg::ChanPosW-1:0]   done_off_o,
  output logic [hd_pkg::ChanPosW-1:0]   done_n_o,
  output logic                          yield_o,
  output logic                          never_o
);

  localparam int PosW = hd_pkg::ChanPosW;
  localparam int GrainBits = hd_pkg::ChanPosW - hd_pkg::GrainW;
  localparam logic Paper = hd_pkg::ChanPaper != 0;

  // ---- The channel ------------------------------------------------------------------------------
  logic [PosW:0] cap, n;                  // capacity C; elements
  logic [PosW-1:0] at, used, left;        // offset of the tail; elements in use; from it to the end
  logic [PosW:0] at_n, used_n, off_n;     // sums

  assign cap    = {{PosW{1'b0}}, 1'b1} << row_i.cap;
  assign n      = {1'b0, op_i.n};
  assign at     = row_i.tail & (cap[PosW-1:0] - PosW'(1));
  assign used   = row_i.tail - {head_i, {GrainBits{1'b0}}};
  assign left   = cap[PosW-1:0] - at;
  assign at_n   = {1'b0, at} + n;
  assign used_n = {1'b0, used} + n;
  assign off_n  = {1'b0, op_i.off} + n;

  // ---- Refusals ---------------------------------------------------------------------------------
  logic talloc, bad, never, beyond, good;

  assign talloc = op_i.kind == hd_pkg::ChopTalloc;
  assign beyond = (op_i.kind == hd_pkg::ChopEnq || op_i.kind == hd_pkg::ChopTfree)
      && (off_n > cap || (op_i.kind == hd_pkg::ChopEnq && `HD_FAULT(350, op_i.n > row_i.pending, 1'b0)));
  assign bad    = !open_i || op_i.n == '0 || (restart_i && op_i.kind == hd_pkg::ChopYield) || beyond;
  assign never  = !bad && (talloc || op_i.kind == hd_pkg::ChopYield) && n > cap;
  assign good   = valid_i && !bad && !never && !(failed_i && op_i.kind != hd_pkg::ChopTfree);

  // ---- A grant ----------------------------------------------------------------------------------
  logic crosses, fits, skip;

  assign crosses = at_n > cap;
  assign fits  = crosses ? used_n <= `HD_FAULT(351, {1'b0, at}, cap) : used_n <= cap;
  assign skip  = crosses && (fits || (!Paper && used <= at));

  always_comb begin
    if (bad) code_o = hd_pkg::ChcodeBad;
    else if (never) code_o = hd_pkg::ChcodeNever;
    else if (failed_i && op_i.kind != hd_pkg::ChopTfree) code_o = hd_pkg::ChcodeFailed;
    else if (talloc && !fits) code_o = hd_pkg::ChcodeNoRoom;
    else code_o = hd_pkg::ChcodeOk;
  end

  assign base_o  = good && talloc && fits && !crosses ? at : '0;
  assign enq_o   = good && op_i.kind == hd_pkg::ChopEnq;
  assign yield_o = good && op_i.kind == hd_pkg::ChopYield;
  assign never_o = valid_i && never;

  always_comb begin
    row_o = row_i;
    if (good && talloc) begin
      if (fits) row_o.pending = row_i.pending + op_i.n;
      row_o.tail = row_i.tail + (skip ? left : '0) + (fits ? op_i.n : '0);
    end
    if (enq_o) begin
      row_o.pending = row_i.pending - op_i.n;
      row_o.reserve = row_i.reserve + op_i.n;
    end
  end

  // ---- What is done -----------------------------------------------------------------------------
  logic skips;
  assign skips      = talloc && `HD_FAULT(352, skip, skip && fits);
  assign done_o     = good && (skips || op_i.kind == hd_pkg::ChopTfree);
  assign done_off_o = talloc ? at : op_i.off;
  assign done_n_o   = talloc ? left : op_i.n;

  logic unused_bits;
  assign unused_bits = &{1'b0, op_i.chan, op_i.slot, op_i.ctx};

endmodule
