// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_demo_send: sends frames of 18 bytes: 0x50 + kind, 16 bytes of data, the lowest first, and a
// check byte with which the xor of all 18 is 0xa5.
//
//   replies --+--> frame --> bytes --> hd_demo_tx
//   trace ----'
//
// - A reply goes before the rows of the trace. A frame that has begun is sent to its end.
// - A frame is accepted in a cycle in which its valid and ready are 1.
// Part of the demonstrator (docs/demo.md).
module hd_demo_send (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Replies of the host's port
  input  logic         reply_valid_i,
  input  logic [3:0]   reply_kind_i,
  input  logic [127:0] reply_i,
  output logic         reply_ready_o,
  // Rows of the trace
  input  logic         trace_valid_i,
  input  logic [3:0]   trace_kind_i,
  input  logic [127:0] trace_i,
  output logic         trace_ready_o,
  // Bytes
  output logic         tx_valid_o,
  output logic [7:0]   tx_o,
  input  logic         tx_ready_i
);

  localparam int Bytes = 18;

  logic [8*(Bytes-1)-1:0] frame_q;  // the next byte is the lowest
  logic [4:0] left_q;               // bytes still to send
  logic [7:0] check_q;
  logic idle;
  logic [3:0] kind;
  logic [127:0] data;

  assign idle          = left_q == '0;
  assign reply_ready_o = idle;
  assign trace_ready_o = idle && !reply_valid_i;
  assign kind          = reply_valid_i ? reply_kind_i : trace_kind_i;
  assign data          = reply_valid_i ? reply_i : trace_i;
  assign tx_valid_o    = !idle;
  assign tx_o          = left_q == 5'd1 ? check_q : frame_q[7:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) left_q <= '0;
    else if (idle && (reply_valid_i || trace_valid_i)) left_q <= 5'(Bytes);
    else if (!idle && tx_ready_i) left_q <= left_q - 5'd1;
  end

  always_ff @(posedge clk_i) begin
    if (idle) begin
      frame_q <= {data, 4'h5, kind};
      check_q <= 8'ha5;
    end else if (tx_ready_i) begin
      frame_q <= {8'h00, frame_q[8*(Bytes-1)-1:8]};
      check_q <= check_q ^ frame_q[7:0];
    end
  end

endmodule
