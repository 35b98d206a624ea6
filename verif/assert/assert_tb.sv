// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Pops an empty hd_fifo once: its contract is broken in cycle 3. For any simulator that runs
// `initial`.
module assert_tb;
  logic clk, rst_n, pop;
  logic [7:0] data;
  logic empty, full;

  hd_fifo u_fifo (
    .clk_i  (clk),
    .rst_ni (rst_n),
    .push_i (1'b0),
    .write_i(1'b0),
    .data_i (8'd0),
    .pop_i  (pop),
    .data_o (data),
    .empty_o(empty),
    .full_o (full)
  );

  initial begin
    clk = 1'b0;
    rst_n = 1'b0;
    pop = 1'b0;
    for (int i = 0; i < 5; i++) begin
      #1 clk = 1'b1;
      #1 clk = 1'b0;
      rst_n = 1'b1;
      pop = i == 2 && !$test$plusargs("legal");
    end
    $finish;
  end
endmodule
