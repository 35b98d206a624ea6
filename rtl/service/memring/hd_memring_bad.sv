// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_memring_bad: remembers the entries of memring whose write failed, until they are requested.
//
//   error of a write --> lowest row that is not valid --> [bad: queue, index] --match--> request
//
// Ours.
// - An entry that is requested is compared with all rows in parallel; its row becomes invalid.
// - The user of memring puts at most RingLate entries after failing_o, so the rows suffice.
// - Latency: an entry added at t matches from t+1 on; hit_o in the cycle of the request. failing_o
//   comes from registers.
// - Reset: no row is valid; rows have no reset.
// Part of hd_memring, whose model and tests cover it; memring.csv shows the registers.
`include "common/hd_assert.svh"
module hd_memring_bad (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  // The write of an entry failed
  input  logic                           add_i,
  input  logic [hd_pkg::RingW-1:0]       add_queue_i,
  input  logic [hd_pkg::RingIndexW-1:0]  add_index_i,
  // The oldest entry of a queue is requested
  input  logic                           get_i,
  input  logic [hd_pkg::RingW-1:0]       get_queue_i,
  input  logic [hd_pkg::RingIndexW-1:0]  get_index_i,
  output logic                           hit_o,  // its write had failed; only with get_i
  output logic                           failing_o
);

  localparam int Rows = hd_pkg::RingBad;
  localparam int RowW = hd_pkg::RingbadW;

  logic [Rows-1:0] bad_valid_q, hit, next;
  logic [Rows*RowW-1:0] bad_q;         // ringbad_t
  logic [hd_pkg::clog2(Rows)-1:0] next_index;
  logic some_free;

  hd_find_first #(.N(Rows), .IdxW(hd_pkg::clog2(Rows))) u_next (
    .req_i   (~bad_valid_q),
    .onehot_o(next),
    .index_o (next_index),
    .valid_o (some_free)
  );

  // sim speed: nothing is compared while no row is valid.
  always_comb begin
    hit = '0;
    if (get_i && bad_valid_q != '0) begin
      for (int i = 0; i < Rows; i++) begin
        hit[i] = bad_valid_q[i] && bad_q[i*RowW+:RowW] == {get_queue_i, get_index_i};
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) bad_valid_q <= '0;
    else if (add_i || get_i) bad_valid_q <= (bad_valid_q | (next & {Rows{add_i}})) & ~hit;
  end

  always_ff @(posedge clk_i) begin
    if (add_i) begin
      for (int i = 0; i < Rows; i++) begin
        if (next[i]) bad_q[i*RowW+:RowW] <= {add_queue_i, add_index_i};
      end
    end
  end

  assign hit_o     = hit != '0;
  assign failing_o = bad_valid_q != '0;

  logic unused_bits;
  assign unused_bits = &{1'b0, next_index, some_free};

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (add_i) `HD_ASSERT_IN(a_row, some_free,
          "A write failed and no row is free: too many entries were put after an earlier failure.")
      if (hit != '0) `HD_ASSERT(a_hit, $countones(hit) == 1 && !add_i,
          "Two rows name one entry, or a row is added and removed in one cycle.")
    end
  end

  // Rare: several failed entries at once; a request while another entry has failed.
  `HD_COVER(c_several, $countones(bad_valid_q) > 2)
  `HD_COVER(c_other, get_i && failing_o && hit == '0)
`endif

endmodule
