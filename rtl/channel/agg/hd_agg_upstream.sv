// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_agg_upstream: marks the channels to which a producer may still add elements. Combinational.
//
// - producer_i[d]: a wavefront of channel d runs, or may start. It may put elements into the
//   channels of deeper levels, and into the levelized channels behind d in its own level.
// - Channels are numbered by level; begins_i[c]: c is the first of its level. A set bit below c is
//   of another level if a level begins between them, or at c.
// - A parallel prefix over spans of channels, as in hd_agg_deeper; depth grows with log2 of
//   NumChan.
// Part of hd_agg; page docs/channel/agg.md, rule A19.
module hd_agg_upstream (
  input  logic [hd_pkg::NumChan-1:0] producer_i,
  input  logic [hd_pkg::NumChan-1:0] begins_i,
  input  logic [hd_pkg::NumChan-1:0] levelized_i,
  output logic [hd_pkg::NumChan-1:0] fed_o
);

  localparam int N = hd_pkg::NumChan;

  logic [N-1:0] some, splits, shallower;  // of c and those below it covered so far

  // splits: a level begins at a channel of the span, so the span below is of another level.
  always_comb begin
    some      = producer_i;
    splits    = begins_i;
    shallower = '0;
    for (int b = 0; b < $clog2(N); b++) begin
      shallower = shallower | (shallower << (1 << b)) | (splits & (some << (1 << b)));
      some      = some | (some << (1 << b));
      splits    = splits | (splits << (1 << b));
    end
  end

  assign fed_o = shallower | (levelized_i & (some << 1));

endmodule
