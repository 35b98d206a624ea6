// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_ovfq_flight: tracks the bursts of ovfq in flight: the kernel of each write, the target of each
// read.
//
//   write --> [u_wait: kernel of each] --oldest--> its answer
//   read ---> [u_read: target of each] --oldest--> its beats
//
// Ours: the paper fetches one group at a time.
// - Up to OvfqFlight of each kind. Answers and beats come in order.
// - beat_o and error_o: number of the next beat of the oldest read, and whether an earlier beat of
//   it had an error.
// - Flight is a power of two, so row numbers wrap. The oldest row is read again in every cycle; no
//   answer comes before its request is accepted.
// - Latency: started at t, its row is visible at t+2. Rate: one of each per cycle. All outputs come
//   from registers.
// - Reset: nothing in flight; rows have no reset.
// Part of hd_ovfq, whose tests cover it.
`include "common/hd_assert.svh"
module hd_ovfq_flight (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  // A write starts; its answer
  input  logic                     write_i,
  input  logic [hd_pkg::KdeW-1:0]  write_kdei_i,
  output logic                     write_full_o,
  input  logic                     b_valid_i,
  output logic [hd_pkg::KdeW-1:0]  b_kdei_o,
  // A read starts; its beats
  input  logic                     read_i,
  input  hd_pkg::ovfqread_t        read_is_i,
  output logic                     read_full_o,
  output logic                     read_none_o,
  input  logic                     r_valid_i,
  input  logic                     r_last_i,
  input  logic                     r_error_i,
  output hd_pkg::ovfqread_t        r_is_o,
  output logic [1:0]               r_beat_o,
  output logic                     r_error_o
);

  localparam int KdeW = hd_pkg::KdeW;
  localparam int Flight = hd_pkg::OvfqFlight;
  localparam int FlightW = hd_pkg::OvfqFlightW;
  localparam int FlightPosW = hd_pkg::OvfqFlightPosW;

  logic [FlightW-1:0] w_flight_q, r_flight_q;
  logic [FlightPosW-1:0] wait_first_q, read_first_q;
  logic [1:0] beat_q;
  logic error_q, r_last;

  assign r_last = r_valid_i && r_last_i;

  hd_ram_1r1w #(.Width(KdeW), .Depth(Flight), .AddrW(FlightPosW), .Conflict(1'b1)) u_wait (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (write_i),
    .waddr_i(wait_first_q + FlightPosW'(w_flight_q)),
    .wdata_i(write_kdei_i),
    .re_i   (w_flight_q != '0),
    .raddr_i(wait_first_q + FlightPosW'(b_valid_i)),
    .rdata_o(b_kdei_o)
  );

  hd_ram_1r1w #(.Width(hd_pkg::OvfqreadW), .Depth(Flight), .AddrW(FlightPosW),
                .Conflict(1'b1)) u_read (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (read_i),
    .waddr_i(read_first_q + FlightPosW'(r_flight_q)),
    .wdata_i(read_is_i),
    .re_i   (r_flight_q != '0),
    .raddr_i(read_first_q + FlightPosW'(r_last)),
    .rdata_o(r_is_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      w_flight_q   <= '0;
      r_flight_q   <= '0;
      wait_first_q <= '0;
      read_first_q <= '0;
      beat_q       <= '0;
      error_q      <= 1'b0;
    end else begin
      if (write_i != b_valid_i) begin
        w_flight_q <= write_i ? w_flight_q + FlightW'(1) : w_flight_q - FlightW'(1);
      end
      if (read_i != r_last) begin
        r_flight_q <= read_i ? r_flight_q + FlightW'(1) : r_flight_q - FlightW'(1);
      end
      if (b_valid_i) wait_first_q <= wait_first_q + FlightPosW'(1);
      if (r_last) read_first_q <= read_first_q + FlightPosW'(1);
      if (r_valid_i) begin
        beat_q  <= r_last_i ? '0 : beat_q + 2'd1;
        error_q <= !r_last_i && (error_q || r_error_i);
      end
    end
  end

  assign write_full_o = w_flight_q == FlightW'(Flight);
  assign read_full_o  = r_flight_q == FlightW'(Flight);
  assign read_none_o  = r_flight_q == '0;
  assign r_beat_o     = beat_q;
  assign r_error_o    = error_q;

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (b_valid_i) `HD_ASSERT_IN(a_answer, w_flight_q != '0,
          "A write answer arrives while no write is in flight.")
      if (r_valid_i) `HD_ASSERT_IN(a_beat, r_flight_q != '0,
          "A read beat arrives while no read is in flight.")
    end
  end

  // Rare: the maximum number of writes in flight.
  `HD_COVER(c_writes, w_flight_q == FlightW'(Flight))
`endif

endmodule
