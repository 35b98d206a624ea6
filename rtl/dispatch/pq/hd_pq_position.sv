// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_pq_position: finds the position of a new entry among the first of a bank, whose front may
// leave in this cycle: behind all entries of its level and above. Combinational.
//
// - The inputs are the levels of the first four entries; 0: no such entry.
// - timing: leave_i arrives late, so all comparisons are made before it selects among them.
// Part of hd_pq, whose model and tests cover it.
module hd_pq_position #(
  parameter int BitsW = $clog2(hd_pkg::MaxLevel + 1)  // bits of a valid level
) (
  input  logic             push_i,
  input  logic [BitsW-1:0] level_i,
  input  logic             leave_i,
  input  logic             front_valid_i,
  input  logic [BitsW-1:0] front_level_i,
  input  logic [BitsW-1:0] second_level_i,
  input  logic [BitsW-1:0] third_level_i,
  input  logic [BitsW-1:0] fourth_level_i,
  // It becomes one of these, or goes behind them
  output logic             front_o,
  output logic             second_o,
  output logic             third_o,
  output logic             behind_o
);

  logic before_front, before_second, before_third, before_fourth;

  always_comb begin
    before_front  = 1'b0;
    before_second = 1'b0;
    before_third  = 1'b0;
    before_fourth = 1'b0;
    front_o       = 1'b0;
    second_o      = 1'b0;
    third_o       = 1'b0;
    behind_o      = 1'b0;
    if (push_i) begin
      before_front  = !front_valid_i || level_i > front_level_i;
      before_second = level_i > second_level_i;
      before_third  = level_i > third_level_i;
      before_fourth = level_i > fourth_level_i;
      front_o       = leave_i ? before_second : before_front;
      second_o      = !front_o && (leave_i ? before_third : before_second);
      third_o       = !front_o && !second_o && (leave_i ? before_fourth : before_third);
      behind_o      = !front_o && !second_o && !third_o;
    end
  end

endmodule
