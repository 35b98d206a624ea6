// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_agc_parked: the groups of kernels that stopped with a group partly handed out.
//
//   park --> [AGEI x NumKde] --> is an AGE parked?
//   left --> on chip: dropped; overflow slot: [leaving] --lowest, one per cycle--> slot back
//
// Ours: kernels stop when they are suspended and when they fail.
// - A kernel parks one group at a time. When it has left the KD, an AGE of the AGT is dropped, and
//   an overflow slot is freed, the lowest entry first.
// - Latency: one cycle. parked_o refers to agei_i of the same cycle; all other outputs come from
//   registers.
// - Reset: none parked.
// Part of hd_agc, whose tests cover it.
`include "common/hd_assert.svh"
module hd_agc_parked (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // A kernel stops, or has left the KD
  input  logic                       park_valid_i,
  input  logic [hd_pkg::KdeW-1:0]    park_kdei_i,
  input  logic [hd_pkg::AgeW-1:0]    park_agei_i,
  input  logic [hd_pkg::NumKde-1:0]  left_i,
  // Is an AGE parked?
  input  logic [hd_pkg::AgeW-1:0]    agei_i,
  output logic                       parked_o,
  // An overflow slot is freed
  output logic                       leaving_o,
  output logic                       back_valid_o,
  output logic [hd_pkg::OvfW-1:0]    back_slot_o
);

  localparam int AgtSize = hd_pkg::AgtSize;
  localparam int NumKde = hd_pkg::NumKde;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int AgeW = hd_pkg::AgeW;

  logic [NumKde-1:0] park_valid_q, leaving_q;
  logic [NumKde*AgeW-1:0] park_agei_q;
  logic [NumKde-1:0] parked, is_slot, is_parked, back;
  logic some_back;
  logic [KdeW-1:0] back_kdei;
  logic [AgeW-1:0] back_agei;

  assign parked = {{NumKde - 1{1'b0}}, park_valid_i} << park_kdei_i;

  // sim speed: looked at only if some group is parked, which is rare.
  always_comb begin
    is_slot   = '0;
    is_parked = '0;
    if (park_valid_q != '0) begin
      for (int i = 0; i < NumKde; i++) begin
        is_slot[i] = park_valid_q[i] && 32'(park_agei_q[i*AgeW+:AgeW]) >= AgtSize;
        is_parked[i] = park_valid_q[i] && park_agei_q[i*AgeW+:AgeW] == agei_i;
      end
    end
  end

  assign parked_o = is_parked != '0;

  hd_find_first #(.N(NumKde), .IdxW(KdeW)) u_back (
    .req_i   (leaving_q),
    .onehot_o(back),
    .index_o (back_kdei),
    .valid_o (some_back)
  );

  assign back_agei    = park_agei_q[back_kdei*AgeW+:AgeW];
  assign leaving_o    = leaving_q != '0;
  assign back_valid_o = some_back;
  assign back_slot_o  = hd_pkg::OvfW'(back_agei - AgeW'(AgtSize));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      park_valid_q <= '0;
      leaving_q    <= '0;
    end else begin
      park_valid_q <= (park_valid_q & ~(left_i & ~is_slot) & ~back) | parked;
      leaving_q    <= (leaving_q & ~back) | (left_i & is_slot);
    end
  end

  always_ff @(posedge clk_i) begin
    if (park_valid_i) begin
      for (int i = 0; i < NumKde; i++) begin
        if (parked[i]) park_agei_q[i*AgeW+:AgeW] <= park_agei_i;
      end
    end
  end

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT_IN(a_park, (parked & park_valid_q) == '0,
          "A kernel parks a group while it already has one parked.")
      `HD_ASSERT_IN(a_left, (left_i & leaving_q) == '0,
          "A kernel leaves while the slot of an earlier kernel of its entry is being freed.")
    end
  end
`endif

endmodule
