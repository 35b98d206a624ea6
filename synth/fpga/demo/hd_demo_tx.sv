// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_demo_tx: sends bytes on a serial line: a start bit, eight bits, the lowest first, a stop bit.
//
// - A byte is accepted in a cycle in which valid_i and ready_o are 1. It takes 10 * ClkPerBit
//   cycles; the next one follows without a gap.
// - tx_o comes from a flop. Reset: idle, the line is 1.
// Part of the demonstrator (docs/demo.md).
module hd_demo_tx #(
  parameter int ClkPerBit = 25
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       valid_i,
  input  logic [7:0] data_i,
  output logic       ready_o,
  output logic       tx_o
);

  localparam int WaitW = $clog2(ClkPerBit);

  logic [9:0] bits_q;      // the bit on the line is the lowest
  logic [3:0] left_q;      // bits still to send, that on the line included
  logic [WaitW-1:0] wait_q;
  logic last;              // the last cycle of the last bit

  assign last    = left_q == 4'd1 && wait_q == '0;
  assign ready_o = left_q == 4'd0 || last;
  assign tx_o    = bits_q[0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      bits_q <= '1;
      left_q <= '0;
      wait_q <= '0;
    end else if (valid_i && ready_o) begin
      bits_q <= {1'b1, data_i, 1'b0};
      left_q <= 4'd10;
      wait_q <= WaitW'(ClkPerBit - 1);
    end else if (wait_q != '0) begin
      wait_q <= wait_q - WaitW'(1);
    end else if (left_q != '0) begin
      bits_q <= {1'b1, bits_q[9:1]};
      left_q <= left_q - 4'd1;
      wait_q <= last ? '0 : WaitW'(ClkPerBit - 1);
    end
  end

endmodule
