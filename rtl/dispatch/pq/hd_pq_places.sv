// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_pq_places: allocates the places of a bank: which are used, and which one the next entry gets.
//
//   push --> lowest free place --> [used, count] <-- place of the front that leaves
//
// - The place of a front that leaves in this cycle is not free yet.
// - Latency: place_o in the cycle of the push; ready_o, two_ready_o, three_ready_o and room_o come
//   from registers.
// - Reset: all free.
// Part of hd_pq, whose model and tests cover it; pq.csv shows the registers.
`include "common/hd_assert.svh"
module hd_pq_places (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         push_i,
  output logic [hd_pkg::PqW-1:0]       place_o,
  input  logic                         leave_i,
  input  logic [hd_pkg::PqW-1:0]       leave_at_i,
  output logic                         ready_o,        // at least one free place
  output logic                         two_ready_o,    // at least two
  output logic                         three_ready_o,  // at least three
  output logic [2:0]                   room_o,         // number of free places; 7: seven or more
  output logic [hd_pkg::PqDepth-1:0]   used_o,
  output logic [hd_pkg::PqCountW-1:0]  used_count_o
);

  localparam int Depth = hd_pkg::PqDepth;
  localparam int PlaceW = hd_pkg::PqW;
  localparam int CountW = hd_pkg::PqCountW;

  logic [Depth-1:0] used_q;
  logic [CountW-1:0] used_count_q;
  logic full_q, two_ready_q, three_ready_q;  // derived from used_count_q

  logic [Depth-1:0] free, freed;
  logic some_free;                     // timing: unused, full_q is available earlier
  logic [31:0] room;

  hd_find_first #(.N(Depth), .IdxW(PlaceW)) u_free (
    .req_i   (~used_q),
    .onehot_o(free),
    .index_o (place_o),
    .valid_o (some_free)
  );

  hd_onehot #(.N(Depth), .IdxW(PlaceW)) u_freed (
    .valid_i (leave_i),
    .index_i (leave_at_i),
    .onehot_o(freed)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      used_count_q  <= '0;
      full_q        <= 1'b0;
      two_ready_q   <= 1'b1;
      three_ready_q <= Depth > 2;
      used_q        <= '0;
    end else if (push_i || leave_i) begin
      used_q <= (used_q | (free & {Depth{push_i}})) & ~freed;
      if (push_i && !leave_i) begin
        used_count_q  <= used_count_q + CountW'(1);
        full_q        <= used_count_q == CountW'(Depth - 1);
        two_ready_q   <= two_ready_q && used_count_q != CountW'(Depth - 2);
        three_ready_q <= three_ready_q && used_count_q != CountW'(Depth - 3);
      end else if (!push_i) begin
        used_count_q  <= used_count_q - CountW'(1);
        full_q        <= 1'b0;
        two_ready_q   <= !full_q;
        three_ready_q <= two_ready_q;
      end
    end
  end

  assign ready_o       = !full_q;
  assign two_ready_o   = two_ready_q;
  assign three_ready_o = three_ready_q;
  assign room          = Depth - 32'(used_count_q);
  assign room_o        = room < 32'd7 ? room[2:0] : 3'd7;
  assign used_o        = used_q;
  assign used_count_o  = used_count_q;

  logic unused_bits;
  assign unused_bits = &{1'b0, some_free};

`ifdef HD_ASSERT_ON
  // sim speed: the state is checked in the cycle after it may have changed.
  logic stirred_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) stirred_q <= 1'b1;
    else stirred_q <= push_i || leave_i;
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni && stirred_q) begin
      `HD_ASSERT(a_count, $countones(used_q) == 32'(used_count_q),
          "The count of used places differs from their flags.")
      `HD_ASSERT(a_ready, full_q == (used_count_q == CountW'(Depth)) && two_ready_q
          == (32'(used_count_q) < Depth - 1) && three_ready_q == (32'(used_count_q) + 2 < Depth),
          "The ready flags disagree with the count of used places.")
    end
  end
`endif

endmodule
