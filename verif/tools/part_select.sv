// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// The construct that synth/banned.tsv bans as a part select that is a target in a function:
// Verilator 5.032 reads the temporary of such an assignment before writing it, so q gets bits that
// v never had. verif/tools tries it with every Verilator.
module part_select (
    input  logic       clk_i,
    input  logic [2:0] at_i,
    input  logic [1:0] v_i,
    input  logic [5:0] flip_i,
    output logic [5:0] q_o
);

  function automatic logic [5:0] place(input logic [2:0] at, input logic [1:0] v);
    place = '0;
    for (int p = 0; p < 3; p++) if (at[p]) place[p*2+:2] = v;
  endfunction

  always_ff @(posedge clk_i) q_o <= flip_i ^ place(at_i, v_i);
endmodule
