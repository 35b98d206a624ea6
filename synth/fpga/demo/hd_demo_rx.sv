// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_demo_rx: receives bytes from a serial line: a start bit, eight bits, the lowest first, a stop
// bit.
//
// - The line is sampled in the middle of each bit, ClkPerBit cycles apart.
// - valid_o is 1 for one cycle, with the byte. A byte without a stop bit is dropped.
// - Reset: idle.
// Part of the demonstrator (docs/demo.md).
module hd_demo_rx #(
  parameter int ClkPerBit = 25
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       rx_i,      // asynchronous
  output logic       valid_o,
  output logic [7:0] data_o
);

  localparam int WaitW = $clog2(ClkPerBit);

  logic [1:0] line_q;
  logic busy_q, valid_q;
  logic [WaitW-1:0] wait_q;
  logic [3:0] bit_q;       // 0: start bit; 1 to 8: data; 9: stop bit
  logic [7:0] data_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      line_q  <= '1;
      busy_q  <= 1'b0;
      valid_q <= 1'b0;
      wait_q  <= '0;
      bit_q   <= '0;
    end else begin
      line_q  <= {line_q[0], rx_i};
      valid_q <= 1'b0;
      if (!busy_q) begin
        busy_q <= !line_q[1];
        wait_q <= WaitW'(ClkPerBit / 2 - 1);
        bit_q  <= '0;
      end else if (wait_q != '0) begin
        wait_q <= wait_q - WaitW'(1);
      end else begin
        wait_q <= WaitW'(ClkPerBit - 1);
        bit_q  <= bit_q + 4'd1;
        if (bit_q == 4'd0 && line_q[1]) busy_q <= 1'b0;  // a glitch
        if (bit_q == 4'd9) begin
          busy_q  <= 1'b0;
          valid_q <= line_q[1];
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (busy_q && wait_q == '0 && bit_q != 4'd9) data_q <= {line_q[1], data_q[7:1]};
  end

  assign valid_o = valid_q;
  assign data_o  = data_q;

endmodule
