// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_demo_host: executes the commands of the host: reads and writes of rows in five spaces.
//
//   bytes --> frame --> access to a space --> reply --> hd_demo_send
//
// - A command is a frame of 20 bytes: 0x50 + 8 * write + space, the row (16 bits), 16 bytes of data
//   (ignored by a read), the lowest byte first, and a check byte with which the xor of all 20 is
//   0xa5. Each frame whose first byte has that form is answered.
// - Replies: kind 0 done, with the row that was read; 1 error, with a code in the lowest byte: 1
//   the check byte is wrong, 2 no such space, 3 the plane answered with pslverr.
// - A frame that stops for 2^IdleW cycles is dropped, so that both sides agree again on where a
//   frame begins.
// - A space accepts an access in a cycle in which its req_o and ack_i are 1, and gives rdata_i in
//   the next one.
// - The next command may arrive while a reply waits: a reply waits for one frame at most, and a
//   command takes longer than a frame.
// Part of the demonstrator (docs/demo.md).
module hd_demo_host #(
  parameter int IdleW = 17
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Bytes
  input  logic         rx_valid_i,
  input  logic [7:0]   rx_i,
  // Accesses, one bit of req_o and ack_i for each space; APB4 is space 1
  output logic [4:0]   req_o,
  output logic         write_o,
  output logic [15:0]  row_o,
  output logic [127:0] data_o,
  input  logic [4:0]   ack_i,
  input  logic         apb_error_i,  // valid with its ack
  input  logic [127:0] rdata_i,
  // Replies
  output logic         reply_valid_o,
  output logic [3:0]   reply_kind_o,
  output logic [127:0] reply_o,
  input  logic         reply_ready_i
);

  localparam int Bytes = 20, Spaces = 5;
  localparam logic [7:0] CheckError = 8'd1, SpaceError = 8'd2, ApbError = 8'd3;

  typedef enum logic [1:0] {StReceive, StAccess, StReply} state_e;

  state_e state_q;
  logic [8*(Bytes-1)-1:0] frame_q;  // without the check byte; the first byte is the lowest
  logic [4:0] count_q;              // bytes received
  logic [7:0] check_q;
  logic [IdleW-1:0] idle_q;
  logic [7:0] error_q;              // 0: none
  logic reply_valid_q, reply_bad_q;
  logic [127:0] reply_q;
  logic last, good, known, acked;
  logic [2:0] space;

  assign space   = frame_q[2:0];
  assign known   = space < 3'(Spaces);
  assign write_o = frame_q[3];
  assign row_o   = frame_q[23:8];
  assign data_o  = frame_q[151:24];
  assign last    = rx_valid_i && count_q == 5'(Bytes - 1);
  assign good    = (check_q ^ rx_i) == 8'h00;

  always_comb begin
    req_o = '0;
    for (int s = 0; s < Spaces; s++) req_o[s] = state_q == StAccess && space == 3'(s);
  end
  assign acked = (req_o & ack_i) != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q       <= StReceive;
      count_q       <= '0;
      idle_q        <= '0;
      error_q       <= '0;
      reply_valid_q <= 1'b0;
    end else begin
      if (reply_ready_i) reply_valid_q <= 1'b0;
      idle_q <= rx_valid_i ? '0 : idle_q + IdleW'(1);
      if (rx_valid_i) begin
        if (last) count_q <= '0;
        else if (count_q != '0 || rx_i[7:4] == 4'h5) count_q <= count_q + 5'd1;
      end else if (idle_q == '1) begin
        count_q <= '0;
      end
      unique case (state_q)
        StReceive: if (last) begin
          state_q <= good && known ? StAccess : StReply;
          error_q <= !good ? CheckError : !known ? SpaceError : '0;
        end
        StAccess: if (acked) begin
          state_q <= StReply;
          error_q <= req_o[1] && apb_error_i ? ApbError : '0;
        end
        default: begin
          state_q       <= StReceive;
          reply_valid_q <= 1'b1;
        end
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (rx_valid_i && !last) begin
      frame_q <= {rx_i, frame_q[8*(Bytes-1)-1:8]};
      check_q <= (count_q == '0 ? 8'ha5 : check_q) ^ rx_i;
    end
    if (state_q == StReply) begin
      reply_bad_q <= error_q != '0;
      reply_q     <= error_q != '0 ? 128'(error_q) : write_o ? '0 : rdata_i;
    end
  end

  logic unused;
  assign unused = ^frame_q[7:4];

  assign reply_valid_o = reply_valid_q;
  assign reply_kind_o  = 4'(reply_bad_q);
  assign reply_o       = reply_q;

endmodule
