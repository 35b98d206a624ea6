// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_pq_places: allocates the places of a bank: which are used, which one the next entry gets, and
// how many are kept for entries from memory.
//
//   push --> lowest unused place --> [used] <-- place of the front that leaves
//   push, leave, reserve, release --> [kept, room]
//
// Kept places are ours; the paper does not say how entries return from memory.
// - A place is used, kept or free. Kept places are only counted: the entry that uses one gets the
//   lowest unused place, as any other.
// - reserve_i keeps SpillLine more places, release_i gives that number up, a push with push_kept_i
//   uses one. All of these, and a push and a leave, may happen in one cycle.
// - The place of a front that leaves in this cycle is not free yet, nor is one that is released.
// - Latency: place_o in the cycle of the push; ready_o and room_o come from registers.
// - Reset: all free.
// Part of hd_pq, whose model and tests cover it; pq.csv shows the registers.
`include "common/hd_assert.svh"
module hd_pq_places (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // An entry is pushed; into a kept place
  input  logic                       push_i,
  input  logic                       push_kept_i,
  output logic [hd_pkg::PqW-1:0]     place_o,
  // The front leaves
  input  logic                       leave_i,
  input  logic [hd_pkg::PqW-1:0]     leave_at_i,
  // Places are kept, and given up
  input  logic                       reserve_i,
  input  logic [2:0]                 release_i,
  output logic                       ready_o,  // at least one place is free
  output logic [2:0]                 room_o,   // number of free places; 7: seven or more
  output logic [hd_pkg::PqDepth-1:0] used_o
);

  localparam int Depth = hd_pkg::PqDepth;
  localparam int PlaceW = hd_pkg::PqW;
  localparam int CountW = hd_pkg::PqCountW;
  localparam logic [CountW-1:0] Line = CountW'(hd_pkg::SpillLine);

  logic [Depth-1:0] used_q;
  logic [CountW-1:0] kept_q;           // only compared and asserted: synthesis removes it
  logic [CountW-1:0] room_q;           // free places: the others are in used_q or kept_q

  // ---- Used places ------------------------------------------------------------------------------
  logic [Depth-1:0] lowest, freed;
  logic some_unused;

  hd_find_first #(.N(Depth), .IdxW(PlaceW)) u_free (
    .req_i   (~used_q),
    .onehot_o(lowest),
    .index_o (place_o),
    .valid_o (some_unused)
  );

  hd_onehot #(.N(Depth), .IdxW(PlaceW)) u_freed (
    .valid_i (leave_i),
    .index_i (leave_at_i),
    .onehot_o(freed)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) used_q <= '0;
    else if (push_i || leave_i) used_q <= (used_q | (lowest & {Depth{push_i}})) & ~freed;
  end

  // ---- Kept and free places ---------------------------------------------------------------------
  // timing: leave_i arrives last, so it selects between two sums.
  logic [CountW-1:0] kept, room, room_and_1;
  logic push_free;

  assign push_free  = push_i && !push_kept_i;
  assign kept       = kept_q + (Line & {CountW{reserve_i}}) - CountW'(release_i)
      - CountW'(push_i && push_kept_i);
  assign room       = room_q - (Line & {CountW{reserve_i}}) + CountW'(release_i)
      - CountW'(push_free);
  assign room_and_1 = room + CountW'(1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      kept_q <= '0;
      room_q <= CountW'(Depth);
    end else if (push_i || leave_i || reserve_i || release_i != '0) begin
      kept_q <= kept;
      room_q <= leave_i ? room_and_1 : room;
    end
  end

  // ---- Outputs ----------------------------------------------------------------------------------
  logic [31:0] free;

  assign free    = 32'(room_q);
  assign ready_o = room_q != '0;
  assign room_o  = free < 32'd7 ? free[2:0] : 3'd7;
  assign used_o  = used_q;

  logic unused_bits;
  assign unused_bits = &{1'b0, some_unused};

`ifdef HD_ASSERT_ON
  // sim speed: the state is checked in the cycle after it may have changed.
  logic stirred_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) stirred_q <= 1'b1;
    else stirred_q <= push_i || leave_i || reserve_i || release_i != '0;
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (stirred_q) `HD_ASSERT(a_sum,
          $countones(used_q) + 32'(kept_q) + 32'(room_q) == Depth,
          "The used, the kept and the free places do not add up to PqDepth.")
      if (reserve_i) `HD_ASSERT_IN(a_reserve,
          32'(room_q) >= hd_pkg::SpillLine + 32'(push_free),
          "Places are reserved that are not free: room_o is below SpillLine, or a push uses one.")
      if (push_i || release_i != '0) `HD_ASSERT_IN(a_kept,
          32'(kept_q) >= 32'(release_i) + 32'(push_i && push_kept_i),
          "More kept places are used or released than are kept.")
      if (push_i) `HD_ASSERT(a_unused, some_unused,
          "An entry is pushed while all places are used: free or kept ones do not exist.")
    end
  end

  // Rare: an entry uses a kept place while no place is free; places are reserved as others are
  // released, or as an entry uses a kept one.
  `HD_COVER(c_kept_full, push_i && push_kept_i && !ready_o)
  `HD_COVER(c_reserve_and_release, reserve_i && release_i != '0)
  `HD_COVER(c_reserve_and_back, reserve_i && push_i && push_kept_i)
`endif

endmodule
