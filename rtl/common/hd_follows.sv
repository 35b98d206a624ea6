// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_follows: is b the number after a? b_i == a_i + 1, round the end too. Combinational.
//
// - Of a + ~b + 1 all bits are ones then, and each of these needs no carry but that of the bit
//   below it: as deep as a comparison, where an adder and a comparison would follow each other.
// - W: 1 or more.
// Used for the last TB of what is handed out. Tested with the blocks that use it.
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
