// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_demo_ulx3s: the demonstrator on a ULX3S board, at the 25 MHz of its oscillator. The serial
// line is that of the USB connector, at 1 Mbit/s. Button 0 resets.
//
// LEDs, from the lowest: out of reset, go, a launch was answered, a queue of the memory was full,
// the trace stalls, the trace has rows, a byte is sent, bit 23 of the cycle.
// Pins: ulx3s.lpf, with the names of the board. Page docs/demo.md.
module hd_demo_ulx3s (
  input  logic       clk_25mhz,
  input  logic       btn0,      // 0 while pressed
  input  logic       ftdi_txd,  // from the host
  output logic       ftdi_rxd,  // to the host
  output logic [7:0] led
);

  // Starts at 0, so the first cycles are a reset.
  logic [3:0] rst_q = '0;

  always_ff @(posedge clk_25mhz) rst_q <= {rst_q[2:0], btn0};

  hd_demo u_demo (
    .clk_i (clk_25mhz),
    .rst_ni(rst_q[3]),
    .rx_i  (ftdi_txd),
    .tx_o  (ftdi_rxd),
    .led_o (led)
  );

endmodule
