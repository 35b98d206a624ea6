// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_memq_flight: tracks the bursts of memq in flight: the entry of each put, the entry of each
// get.
//
//   put --> [u_put: queue, place, side of each] --oldest--> its answer
//   get --> [u_get: place, tag of each]         --oldest--> its beats
//
// Several bursts in flight are ours.
// - Up to Flight of each. Answers to writes come in order, and so do the beats of reads.
// - beat_o and error_o: number of the next beat of the oldest get, and whether an earlier beat of
//   it had an error.
// - The oldest row is read again in every cycle; no answer comes before its request is accepted.
// - Latency: started at t, its row is visible at t+2. Rate: one of each per cycle. All outputs come
//   from registers.
// - Reset: nothing in flight; rows have no reset.
// Part of hd_memq, which explains the parameters and whose tests cover it.
`include "common/hd_assert.svh"
module hd_memq_flight #(
  parameter  int QueueW  = 1,
  parameter  int PlaceW  = 1,
  parameter  int SideW   = 1,
  parameter  int TagW    = 1,
  parameter  int Flight  = 2,
  parameter  int Beats   = 8
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // A put starts; its answer
  input  logic               put_i,
  input  logic [QueueW-1:0]  put_queue_i,
  input  logic [PlaceW-1:0]  put_place_i,
  input  logic [SideW-1:0]   put_side_i,
  output logic               puts_full_o,
  input  logic               b_valid_i,
  output logic [QueueW-1:0]  b_queue_o,
  output logic [PlaceW-1:0]  b_place_o,
  output logic [SideW-1:0]   b_side_o,
  // A get starts; its beats
  input  logic               get_i,
  input  logic [PlaceW-1:0]  get_place_i,
  input  logic [TagW-1:0]    get_tag_i,
  output logic               gets_full_o,
  input  logic               r_valid_i,
  input  logic               r_last_i,
  input  logic               r_error_i,
  output logic [PlaceW-1:0]  r_place_o,
  output logic [TagW-1:0]    r_tag_o,
  output logic [2:0]         r_beat_o,
  output logic               r_error_o
);

  localparam int FlightW = $clog2(Flight + 1);
  localparam int FlightPosW = Flight > 1 ? $clog2(Flight) : 1;

  logic [FlightW-1:0] puts_q, gets_q;
  logic [FlightPosW-1:0] first_put_q, first_get_q, next_put, next_get, last_put, last_get;
  logic [2:0] got_beat_q;
  logic error_q, got;

  assign got = r_valid_i && r_last_i;

  // The row behind the youngest: (first + count) mod Flight; the oldest row of the next cycle.
  logic [FlightPosW:0] put_sum, get_sum;

  assign put_sum  = (FlightPosW + 1)'(first_put_q) + (FlightPosW + 1)'(puts_q);
  assign get_sum  = (FlightPosW + 1)'(first_get_q) + (FlightPosW + 1)'(gets_q);
  assign last_put = 32'(put_sum) >= Flight ? FlightPosW'(put_sum - (FlightPosW + 1)'(Flight))
      : FlightPosW'(put_sum);
  assign last_get = 32'(get_sum) >= Flight ? FlightPosW'(get_sum - (FlightPosW + 1)'(Flight))
      : FlightPosW'(get_sum);

  always_comb begin
    next_put = first_put_q;
    next_get = first_get_q;
    if (b_valid_i) begin
      next_put = first_put_q == FlightPosW'(Flight - 1) ? '0 : first_put_q + FlightPosW'(1);
    end
    if (got) begin
      next_get = first_get_q == FlightPosW'(Flight - 1) ? '0 : first_get_q + FlightPosW'(1);
    end
  end

  hd_ram_1r1w #(.Width(QueueW+PlaceW+SideW), .Depth(Flight), .AddrW(FlightPosW),
                .Conflict(1'b1)) u_put (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (put_i),
    .waddr_i(last_put),
    .wdata_i({put_queue_i, put_place_i, put_side_i}),
    .re_i   (puts_q != '0),
    .raddr_i(next_put),
    .rdata_o({b_queue_o, b_place_o, b_side_o})
  );

  hd_ram_1r1w #(.Width(PlaceW+TagW), .Depth(Flight), .AddrW(FlightPosW),
                .Conflict(1'b1)) u_get (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (get_i),
    .waddr_i(last_get),
    .wdata_i({get_place_i, get_tag_i}),
    .re_i   (gets_q != '0),
    .raddr_i(next_get),
    .rdata_o({r_place_o, r_tag_o})
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      puts_q      <= '0;
      gets_q      <= '0;
      first_put_q <= '0;
      first_get_q <= '0;
    end else begin
      if (put_i != b_valid_i) puts_q <= put_i ? puts_q + FlightW'(1) : puts_q - FlightW'(1);
      if (get_i != got) gets_q <= get_i ? gets_q + FlightW'(1) : gets_q - FlightW'(1);
      first_put_q <= next_put;
      first_get_q <= next_get;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      got_beat_q <= '0;
      error_q    <= 1'b0;
    end else if (r_valid_i) begin
      got_beat_q <= r_last_i ? '0 : got_beat_q + 3'd1;
      error_q    <= !r_last_i && (error_q || r_error_i);
    end
  end

  assign puts_full_o = puts_q == FlightW'(Flight);
  assign gets_full_o = gets_q == FlightW'(Flight);
  assign r_beat_o    = got_beat_q;
  assign r_error_o   = error_q;

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (b_valid_i) `HD_ASSERT_IN(a_answer, puts_q != '0,
          "A write is answered while no put is in flight.")
      if (r_valid_i) `HD_ASSERT_IN(a_beat, gets_q != '0 && r_last_i == (got_beat_q
          == 3'(Beats - 1)),
          "A read beat arrives while no get is in flight, or last is at the wrong beat.")
    end
  end

  // Rare: several bursts in each direction.
  `HD_COVER(c_flight, puts_q > FlightW'(1) && gets_q > FlightW'(1))
`endif

endmodule
