// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_agg_order: selects the channel that gives a wavefront (of those that can, the deepest level,
// and there the first at or after a pointer), and whether a restart of that level or a deeper one
// can go instead. Combinational.
//
// - begins_i[c]: c is the first channel of its level. covers_i: channels of the level of a restart
//   that can go, or of a shallower level.
// - grant_o ignores the restarts. before_o, which settles earlier: the granted channel goes before
//   all restarts, because some channel that can give is not covered.
// - timing: deeper levels, channels of the same level, and the first of them are found in parallel,
//   as parallel prefixes that end where a level begins; depth grows with log2 of NumChan.
// - All outputs are 0 if no channel can give.
// Part of hd_agg; page docs/channel/agg.md, rule A4.
module hd_agg_order (
  input  logic [hd_pkg::NumChan-1:0] can_i,
  input  logic [hd_pkg::NumChan-1:0] covers_i,
  input  logic [hd_pkg::NumChan-1:0] begins_i,
  input  logic [hd_pkg::ChanW-1:0]   ptr_i,
  output logic [hd_pkg::NumChan-1:0] grant_o,
  output logic                       before_o
);

  localparam int N = hd_pkg::NumChan;

  logic [N-1:0] from, after, deeper;
  logic [N-1:0] low, low_after, high_after;  // within the level
  logic [N-1:0] low_end, high_end, first_any, first_after;

  assign from  = {N{1'b1}} << ptr_i;
  assign after = can_i & from;

  hd_agg_deeper u_deeper (
    .some_i  (can_i),
    .begins_i(begins_i),
    .deeper_o(deeper)
  );

  // low: the channel or one below it requests, within its level; high: the channel or one above it.
  always_comb begin
    low        = can_i;
    low_after  = after;
    high_after = after;
    low_end    = begins_i;
    high_end   = begins_i >> 1;
    for (int b = 0; b < $clog2(N); b++) begin
      low        = low | ((low << (1 << b)) & ~low_end);
      low_after  = low_after | ((low_after << (1 << b)) & ~low_end);
      high_after = high_after | ((high_after >> (1 << b)) & ~high_end);
      low_end    = low_end | (low_end << (1 << b));
      high_end   = high_end | (high_end >> (1 << b));
    end
  end

  assign first_any   = can_i & ~((low << 1) & ~begins_i);
  assign first_after = after & ~((low_after << 1) & ~begins_i);
  assign grant_o     = (first_after | (first_any & ~high_after)) & ~deeper;

  assign before_o    = (can_i & ~covers_i) != '0;

endmodule
