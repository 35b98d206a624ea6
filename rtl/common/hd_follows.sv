// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_follows: tests whether b is the successor of a: b_i == a_i + 1 modulo 2^W. Combinational.
//
// - timing: the sum a + ~b + 1 is then all ones, and each bit needs only the carry of the bit below
//   it. The depth is that of a comparison, not of an adder followed by a comparison.
// - W: 1 or more.
// Used to detect the last TB of a unit or entry. Tested with the blocks that use it.
module hd_follows #(
  parameter int W = 4
) (
  input  logic [W-1:0] a_i,
  input  logic [W-1:0] b_i,
  output logic         follows_o
);

  logic [W-1:0] sum, carry;

  assign sum       = a_i ^ ~b_i ^ W'(1);
  assign carry     = (a_i & ~b_i) | ((a_i | ~b_i) & W'(1));
  assign follows_o = &(sum ^ (carry << 1));

endmodule
