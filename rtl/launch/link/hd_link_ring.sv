// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_link_ring: allocates AGT entries in order: first those never used (0, 1, 2, ..), then freed
// ones, first freed first used. For AGTs too large for a ring in flops.
//
// - index_o is the next free entry, valid_o that one exists; pop_i allocates it.
// - Freed entries (push_i) are in a RAM ring. Two registers behind it hide the read latency: a row
//   is read when a register will have room for it. An entry freed at t is available from t+3 on at
//   the earliest.
// - clear_i: all entries become free and never used, as after reset. No other request may come in
//   that cycle.
// - Reset: all entries free and never used; RAM rows have no reset. Outputs come from registers.
// Part of hd_link (AgtHash 2), whose tests cover it.
`include "common/hd_assert.svh"
module hd_link_ring (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     pop_i,
  output logic [hd_pkg::AgtW-1:0]  index_o,
  output logic                     valid_o,
  input  logic                     push_i,
  input  logic [hd_pkg::AgtW-1:0]  index_i,
  input  logic                     clear_i,
  output logic [hd_pkg::AgtW:0]    fresh_o
);

  localparam int AgtSize = hd_pkg::AgtSize;
  localparam int AgtW = hd_pkg::AgtW;
  localparam int CountW = AgtW + 1;

  logic [CountW-1:0] fresh_q;  // entries from here on were never used
  logic [CountW-1:0] count_q;  // rows of the ring not read yet
  logic [AgtW-1:0] first_q;
  logic flight_q;              // a row was read in the last cycle
  logic [1:0] heads_q;         // registers in use; head_q first
  logic [AgtW-1:0] head_q, second_q;

  logic some_fresh, pop_head, read, heads_full, heads_empty;
  logic [AgtW-1:0] last, row;

  assign some_fresh  = fresh_q != CountW'(AgtSize);
  assign pop_head    = pop_i && !some_fresh;
  assign heads_full  = heads_q == 2'd2;
  assign heads_empty = heads_q == 2'd0;
  assign read = count_q != '0
      && (pop_head || !(heads_full || (flight_q && !heads_empty)));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fresh_q  <= '0;
      count_q  <= '0;
      first_q  <= '0;
      flight_q <= 1'b0;
      heads_q  <= '0;
    end else if (clear_i) begin
      fresh_q  <= '0;
      count_q  <= '0;
      first_q  <= '0;
      flight_q <= 1'b0;
      heads_q  <= '0;
    end else begin
      if (pop_i && some_fresh) fresh_q <= fresh_q + CountW'(1);
      if (push_i != read) count_q <= push_i ? count_q + CountW'(1) : count_q - CountW'(1);
      if (read) first_q <= first_q + AgtW'(1);
      flight_q <= read;
      if (flight_q != pop_head) heads_q <= flight_q ? heads_q + 2'd1 : heads_q - 2'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (flight_q && heads_q == {1'b0, pop_head}) head_q <= row;
    else if (pop_head) head_q <= second_q;
    if (flight_q) second_q <= row;
  end

  // AgtSize is a power of two: positions wrap by themselves.
  assign last = first_q + AgtW'(count_q);

  hd_ram_1r1w #(.Width(AgtW), .Depth(AgtSize), .AddrW(AgtW)) u_row (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (push_i),
    .waddr_i(last),
    .wdata_i(index_i),
    .re_i   (read),
    .raddr_i(first_q),
    .rdata_o(row)
  );

  assign valid_o = some_fresh || !heads_empty;
  assign index_o = some_fresh ? AgtW'(fresh_q) : head_q;
  assign fresh_o = fresh_q;

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (pop_i) `HD_ASSERT_IN(a_pop, valid_o, "An AGT entry is popped while none is free.")
      if (push_i) `HD_ASSERT_IN(a_push, 32'(index_i) < 32'(fresh_q) && 32'(count_q) < AgtSize,
          "An AGT entry is freed that was never used, or while the ring is full.")
      if (flight_q) `HD_ASSERT(a_room, !heads_full || pop_head,
          "A row read from the ring finds both registers full.")
    end
  end

  // Rare: rows that wait behind full registers; no free entry; a row read while one is pushed.
  `HD_COVER(c_rows_wait, count_q != '0 && heads_full)
  `HD_COVER(c_none, !valid_o)
  `HD_COVER(c_read_and_push, read && push_i)
`endif

endmodule
