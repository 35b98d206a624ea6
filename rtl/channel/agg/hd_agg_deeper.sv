// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_agg_deeper: marks each channel for which some_i has a bit set in a deeper level.
// Combinational.
//
// - Channels are numbered by level; begins_i[c]: c is the first of its level. A set bit above c is
//   of a deeper level if a level begins between them, or at it.
// - A parallel prefix over spans of channels: a bit is set in the span, a level begins in it, a bit
//   is set behind the first such begin. Depth grows with log2 of NumChan.
// Part of hd_agg; page docs/channel/agg.md, rules A4 and A14.
module hd_agg_deeper (
  input  logic [hd_pkg::NumChan-1:0] some_i,
  input  logic [hd_pkg::NumChan-1:0] begins_i,
  output logic [hd_pkg::NumChan-1:0] deeper_o
);

  localparam int N = hd_pkg::NumChan;

  logic [N-1:0] some, splits, behind;  // of c and those above it covered so far

  // splits: a level begins right above a channel of the span.
  always_comb begin
    some   = some_i;
    splits = begins_i >> 1;
    behind = '0;
    for (int b = 0; b < $clog2(N); b++) begin
      behind = behind | (behind >> (1 << b)) | (splits & (some >> (1 << b)));
      some   = some | (some >> (1 << b));
      splits = splits | (splits >> (1 << b));
    end
  end

  assign deeper_o = behind;

endmodule
