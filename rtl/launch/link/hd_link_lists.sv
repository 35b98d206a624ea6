// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_link_lists: for each KD entry, the chain of AGEs that wait: chained (not empty), NAGEI (the
// next one to hand out) and LAGEI (the last one). ovfq keeps the list behind it: there_i (not
// empty), one_i (a single group).
//
// From dtbl-isca2015 section 4.2. The bit chained is ours: a NAGEI or LAGEI that was not cleared
// may name an AGE that was freed and reused, so only a bit can mark an empty chain.
// - Link: the AGE becomes the last, and also the next if the chain is empty.
// - Advance: the next AGE is fully handed out. Its successor follows: succ_i, or, if the chain had
//   one AGE, the AGE linked in this cycle. Without either the chain is empty. An advance without a
//   chain belongs to ovfq.
// - A kernel that fails or is suspended loses its list, whatever else happens; list_o shows the
//   list of the suspended one in the next cycle. A kernel that enters brings its own list.
// - An empty chain reads as 0; the registers keep any value, so they need no reset.
// - prev_o and first_o: last AGE and emptiness of the chain of link_kdei_i before the link.
//   pending_o and single_o count both parts of a list.
// Part of hd_link, whose tests cover it.
`include "common/hd_assert.svh"
module hd_link_lists (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  input  logic                                     link_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                  link_kdei_i,
  input  logic [hd_pkg::AgtW-1:0]                  link_age_i,
  output logic [hd_pkg::AgtW-1:0]                  prev_o,
  output logic                                     first_o,
  input  logic                                     adv_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                  adv_kdei_i,
  input  logic [hd_pkg::AgtW-1:0]                  succ_i,
  input  logic [hd_pkg::NumKde-1:0]                there_i,
  input  logic [hd_pkg::NumKde-1:0]                one_i,
  input  logic [hd_pkg::NumFail-1:0]               fail_valid_i,
  input  logic [hd_pkg::NumFail*hd_pkg::KdeW-1:0]  fail_kdei_i,
  input  logic                                     take_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                  take_kdei_i,
  output hd_pkg::list_t                            list_o,
  input  logic                                     enter_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                  enter_kdei_i,
  input  hd_pkg::list_t                            enter_list_i,
  output logic [hd_pkg::NumKde-1:0]                pending_o,
  output logic [hd_pkg::NumKde-1:0]                single_o,
  output logic [hd_pkg::NumKde-1:0]                chained_o,
  output logic [hd_pkg::NumKde*hd_pkg::AgtW-1:0]   nagei_o,
  output logic [hd_pkg::NumKde*hd_pkg::AgtW-1:0]   lagei_o
);

  localparam int NumKde = hd_pkg::NumKde;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int AgtW = hd_pkg::AgtW;

  logic [NumKde-1:0] chained_q, chained_d;
  logic [NumKde*AgtW-1:0] nagei_q, lagei_q;
  logic list_valid_q;
  hd_pkg::list_t list_q;

  // ---- Events of each entry --------------------------------------------------------------------
  logic [NumKde-1:0] linked, handed_out, advanced, entered, cleared, taken, alone;

  hd_onehot #(.N(NumKde), .IdxW(KdeW)) u_link (
    .valid_i (link_valid_i),
    .index_i (link_kdei_i),
    .onehot_o(linked)
  );

  hd_onehot #(.N(NumKde), .IdxW(KdeW)) u_adv (
    .valid_i (adv_valid_i),
    .index_i (adv_kdei_i),
    .onehot_o(handed_out)
  );
  assign advanced = handed_out & chained_q;

  hd_onehot #(.N(NumKde), .IdxW(KdeW)) u_enter (
    .valid_i (enter_valid_i),
    .index_i (enter_kdei_i),
    .onehot_o(entered)
  );

  hd_onehot #(.N(NumKde), .IdxW(KdeW)) u_take (
    .valid_i (take_valid_i),
    .index_i (take_kdei_i),
    .onehot_o(taken)
  );

  hd_cleared u_cleared (
    .fail_valid_i(fail_valid_i),
    .fail_kdei_i (fail_kdei_i),
    .taken_i     (taken),
    .cleared_o   (cleared)
  );

  // ---- The lists --------------------------------------------------------------------------------
  // timing: adv_valid_i settles last in the cycle, so it only selects. The new NAGEI of a list of
  // several groups can only be succ_i; that of any other list is the linked group.
  logic [NumKde-1:0] several, to_succ, to_link, new_nagei, new_lagei;

  assign several   = chained_q & ~alone;
  assign to_succ   = advanced & several;
  assign to_link   = (advanced & ~several) | (linked & ~chained_q);
  assign new_nagei = to_succ | to_link | entered;
  assign new_lagei = linked | entered;

  always_comb begin
    chained_d = (chained_q & ~(advanced & alone)) | linked;
    chained_d = (chained_d & ~cleared & ~entered) | (entered & {NumKde{enter_list_i.chained}});
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      chained_q    <= '0;
      list_valid_q <= 1'b0;
    end else begin
      chained_q    <= chained_d;
      list_valid_q <= take_valid_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (adv_valid_i || link_valid_i || enter_valid_i) begin
      for (int i = 0; i < NumKde; i++) begin
        if (new_nagei[i]) begin
          nagei_q[i*AgtW+:AgtW] <= (succ_i & {AgtW{to_succ[i]}}) | (link_age_i & {AgtW{to_link[i]}})
              | (enter_list_i.nagei & {AgtW{entered[i]}});
        end
        if (new_lagei[i]) begin
          lagei_q[i*AgtW+:AgtW] <= (link_age_i & {AgtW{linked[i]}})
              | (enter_list_i.lagei & {AgtW{entered[i]}});
        end
      end
    end
    list_q.pending <= pending_o[take_kdei_i];
    list_q.chained <= chained_q[take_kdei_i];
    list_q.nagei   <= nagei_o[take_kdei_i*AgtW+:AgtW];
    list_q.lagei   <= lagei_o[take_kdei_i*AgtW+:AgtW];
  end

  // ---- Outputs ----------------------------------------------------------------------------------
  always_comb begin
    nagei_o = nagei_q;
    lagei_o = lagei_q;
    alone   = chained_q;
    for (int i = 0; i < NumKde; i++) begin
      if (chained_q[i]) begin
        alone[i] = nagei_q[i*AgtW+:AgtW] == lagei_q[i*AgtW+:AgtW];
      end else begin
        nagei_o[i*AgtW+:AgtW] = '0;
        lagei_o[i*AgtW+:AgtW] = '0;
      end
    end
  end

  assign chained_o = chained_q;
  assign pending_o = chained_q | there_i;
  assign single_o  = (alone & ~there_i) | (one_i & ~chained_q);
  assign prev_o    = lagei_o[link_kdei_i*AgtW+:AgtW];
  assign first_o   = !chained_q[link_kdei_i];
  assign list_o    = list_valid_q ? list_q : '0;

  logic unused_pending;
  assign unused_pending = enter_list_i.pending;

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (adv_valid_i) `HD_ASSERT_IN(a_adv, pending_o[adv_kdei_i],
          "A group is handed out of a kernel that has no groups pending.")
      if (link_valid_i) `HD_ASSERT_IN(a_link, !there_i[link_kdei_i],
          "An AGE is linked to a chain that has groups in memory behind it.")
      if (take_valid_i) `HD_ASSERT_IN(a_take, !linked[take_kdei_i] && !handed_out[take_kdei_i],
          "A kernel is suspended in the cycle of a link to it or of a hand-out of its group.")
      if (enter_valid_i) begin
        `HD_ASSERT_IN(a_enter, !pending_o[enter_kdei_i] && (entered & (linked | cleared)) == '0,
            "A kernel enters an entry whose list is not empty or still changes.")
        `HD_ASSERT_IN(a_chain, enter_list_i.chained
            || {enter_list_i.nagei, enter_list_i.lagei} == '0,
            "A list without a chain names an AGE.")
      end
    end
  end

  // Rare: a link to a list whose only group ends; to an empty list; to a long one; a kernel that
  // fails in the cycle of a link; a kernel that resumes with a list.
  `HD_COVER(c_link_and_adv, (linked & advanced & alone) != '0)
  `HD_COVER(c_link_first, (linked & ~chained_q) != '0)
  `HD_COVER(c_link_long, (linked & chained_q & ~single_o) != '0)
  `HD_COVER(c_link_fails, (linked & cleared) != '0)
  `HD_COVER(c_resumed, enter_valid_i && enter_list_i.chained)
`endif

endmodule
