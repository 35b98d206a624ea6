// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_match: the eligibility search: finds the kernel of the KD that a new group can join.
//
//   enter (KMU) --> [key row of each KD entry] --compare--> lowest --> found (devq, kd)
//   find (devq) ----------------------------------^
//
// From dtbl-isca2015 section 4.2: a kernel is eligible if it has the entry PC and the TB
// configuration of the group. The paper searches one entry per cycle; searching KdeSearchLanes
// entries per cycle and keeping the result are ours.
// - A KD entry matches if its key equals devq_find_i.key and the KD marks it eligible.
// - KdeSearchLanes >= NumKde: finds the lowest matching entry in the cycle of the request.
// - Fewer lanes: a sweep from entry 0, KdeSearchLanes entries per cycle, which ends at the first
//   step with a match, or with the last step. The result is kept for the beats of one turn: the
//   same key is answered at once, as long as the entry still matches, or if there was no match.
// - A result stays until it is consumed (devq_find_take_i).
// - Latency: 0 (feed-through), or up to ceil(NumKde / KdeSearchLanes) cycles. Rate: up to one
//   search per cycle. events_o comes from registers, found_o does not.
// - Reset: no result kept, sweep at its start; key rows have no reset.
// Ports: match.csv. Model cmodel/launch/match, tests verif/unit and verif/equiv test_match, page
// docs/launch/match.md.
`include "common/hd_assert.svh"
module hd_match (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  // Kernels of the KD (kmu, kd)
  input  hd_pkg::entry_t            kd_entry_i,
  input  hd_pkg::offer_t            kmu_offer_i,
  input  logic [hd_pkg::NumKde-1:0] kd_eligible_i,
  // A1: search (devq)
  input  hd_pkg::find_t             devq_find_i,
  input  logic                      devq_find_take_i,
  output hd_pkg::found_t            found_o,
  // Events for the counters (regs)
  output hd_pkg::matchev_t          events_o
);

  localparam int NumKde = hd_pkg::NumKde;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int KeyW = hd_pkg::KeyW;
  localparam int PosW = hd_pkg::KdeCountW;
  localparam bit Sweep = hd_pkg::KdeSearchLanes < NumKde;
  localparam int Lanes = Sweep ? hd_pkg::KdeSearchLanes : NumKde;
  localparam int Steps = (NumKde + Lanes - 1) / Lanes;
  localparam int LaneW = Lanes > 1 ? $clog2(Lanes) : 1;

  logic [NumKde*KeyW-1:0] key_q;
  logic [NumKde-1:0] key_valid_q;  // written since reset; only for checks, removed by synthesis
  logic [PosW-1:0] pos_q;
  logic res_valid_q, res_hit_q;
  logic [KdeW-1:0] res_kdei_q;
  hd_pkg::key_t res_key_q;

  // ---- Keys of the kernels ----------------------------------------------------------------------
  // A kernel that enters writes its attributes that a group must share with it.
  logic enter;
  hd_pkg::key_t enter_key;

  assign enter           = kd_entry_i.valid;
  assign enter_key.pc    = kmu_offer_i.kernel.desc.pc;
  assign enter_key.cta_x = kmu_offer_i.kernel.desc.cta_x;
  assign enter_key.cta_y = kmu_offer_i.kernel.desc.cta_y;
  assign enter_key.cta_z = kmu_offer_i.kernel.desc.cta_z;
  assign enter_key.smem  = kmu_offer_i.kernel.need.smem;

  always_ff @(posedge clk_i) begin
    if (enter) begin
      for (int i = 0; i < NumKde; i++) begin
        if (kd_entry_i.kdei == KdeW'(i)) key_q[i*KeyW+:KeyW] <= enter_key;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) key_valid_q <= '0;
    else if (enter) key_valid_q <= key_valid_q | ({{NumKde - 1{1'b0}}, 1'b1} << kd_entry_i.kdei);
  end

  // ---- One step: Lanes entries from pos_q * Lanes on -------------------------------------------
  // Nonexistent entries fill the last step; they are never eligible.
  logic [Steps*Lanes*KeyW-1:0] rows;
  logic [Steps*Lanes-1:0] rows_eligible;
  logic [Lanes*KeyW-1:0] lane_key;
  logic [Lanes-1:0] lane_eligible, match, lowest;
  logic [PosW-1:0] step;
  logic [LaneW-1:0] lane;
  logic hit;

  assign rows          = {{(Steps * Lanes - NumKde) * KeyW{1'b0}}, key_q};
  assign rows_eligible = {{Steps * Lanes - NumKde{1'b0}}, kd_eligible_i};
  assign step          = Sweep ? pos_q : '0;
  assign lane_key      = rows[step*Lanes*KeyW+:Lanes*KeyW];
  assign lane_eligible = rows_eligible[step*Lanes+:Lanes];

  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    logic [KeyW-1:0] row;
    assign row = lane_key[l*KeyW+:KeyW];
    assign match[l] = lane_eligible[l] && row == devq_find_i.key;
  end

  hd_find_first #(.N(Lanes), .IdxW(LaneW)) u_lowest (
    .req_i   (match),
    .onehot_o(lowest),
    .index_o (lane),
    .valid_o (hit)
  );

  // ---- The result, and the kept result ---------------------------------------------------------
  // timing: devq_find_i.valid and devq_find_take_i settle late, so they only select.
  logic kept, last_step;
  logic [KdeW-1:0] kdei;
  logic res_same_q;  // the row of res_kdei_q still holds res_key_q

  assign kept = res_valid_q && !devq_find_i.first && res_key_q == devq_find_i.key
      && (!res_hit_q || (res_same_q && kd_eligible_i[res_kdei_q]));
  assign last_step = step == PosW'(Steps - 1);
  assign kdei = kept ? res_kdei_q : hit ? KdeW'(step * Lanes) + KdeW'(lane) : '0;

  assign found_o.valid = devq_find_i.valid && (kept || hit || last_step);
  assign found_o.hit = devq_find_i.valid && (kept ? res_hit_q : hit);
  assign found_o.kdei = kdei & {KdeW{devq_find_i.valid}};

  logic keep;
  assign keep = Sweep && devq_find_take_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pos_q             <= '0;
      res_valid_q       <= 1'b0;
      events_o.searched <= 1'b0;
      events_o.compared <= 1'b0;
    end else begin
      if (devq_find_take_i) pos_q <= '0;
      else if (!devq_find_i.valid) pos_q <= '0;
      else if (!found_o.valid) pos_q <= pos_q + PosW'(1);
      if (Sweep && (devq_find_take_i || devq_find_i.first)) res_valid_q <= devq_find_take_i;
      events_o.searched <= devq_find_take_i;
      events_o.compared <= devq_find_i.valid && !kept;
    end
  end

  always_ff @(posedge clk_i) begin
    if (keep) begin
      res_hit_q  <= found_o.hit;
      res_kdei_q <= kdei;
      res_key_q  <= devq_find_i.key;
    end
    // If the entry is written in this cycle, its new key is compared.
    if (keep || (enter && kd_entry_i.kdei == res_kdei_q)) begin
      res_same_q <= !(enter && kd_entry_i.kdei == (keep ? kdei : res_kdei_q))
          || enter_key == (keep ? devq_find_i.key : res_key_q);
    end
  end

  logic unused_checks;
  assign unused_checks = &{1'b0, lowest, key_valid_q};

`ifdef HD_ASSERT_ON
  `HD_ASSERT_PARAM(a_lanes, Lanes >= 1 && Steps * Lanes >= NumKde,
      "The search needs at least one lane, and its steps must cover all KD entries.")
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT_IN(a_eligible, (kd_eligible_i & ~key_valid_q) == '0,
          "An entry is eligible that no kernel has entered.")
      if (devq_find_take_i) `HD_ASSERT_IN(a_take, found_o.valid,
          "The result of a search is consumed before it is valid.")
      `HD_ASSERT(a_pos, 32'(pos_q) < Steps,
          "The position of the search is beyond its last step.")
      if (found_o.hit) `HD_ASSERT(a_hit, 32'(found_o.kdei) < NumKde && kd_eligible_i[found_o.kdei],
          "The search hit an entry that does not exist or is not eligible.")
    end
  end
  `HD_ASSERT_PROP_IN(a_find_stable, devq_find_i.valid && !devq_find_take_i |=> !devq_find_i.valid
      || $stable(devq_find_i.key),
      "The key of a search changes before its result is consumed.")

  // Rare: no kernel for the group; several; a result that waits; a result kept from the last beat;
  // a kept hit that is no longer valid.
  `HD_COVER(c_miss, found_o.valid && !found_o.hit)
  `HD_COVER(c_several, devq_find_i.valid && (match & ~lowest) != '0)
  `HD_COVER(c_wait, found_o.valid && !devq_find_take_i)
  `HD_COVER(c_kept, devq_find_take_i && kept)
  `HD_COVER(c_kept_gone, devq_find_i.valid && res_valid_q && res_hit_q && !kept && res_key_q
      == devq_find_i.key)
`endif

endmodule
