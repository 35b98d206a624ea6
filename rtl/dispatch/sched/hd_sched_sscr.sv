// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_sched_sscr: SMX scheduler control registers: the oldest marked kernel and the unit of it that
// is being handed out.
//
//   KMU/KD enter --+-> [kernel: KDEI, need] --> unit --> [unit: kind, AGEI, TBs, NextBL] --> offer
//   FCFS next -----+    ^ saved TBs (susp)                    ^                         <-- grant
//   link: re-mark -'    | native part (KD)                    '-- the next unit, the next kernel
//                       ' groups (agt)
//
// From dtbl-isca2015 sections 2.2 and 4.2; units are ours.
// - A unit is a range of TBs handed out in increasing BLKID: one saved TB, the native part of a
//   kernel, or one group. A kernel hands out its saved TBs first, then the rest of its native part,
//   then its groups in link order. The next unit is loaded at the edge that ends the previous one,
//   so one TB per cycle also holds across groups of one TB.
// - A kernel whose list has ended is unmarked, unless a group is linked to it in the same cycle. A
//   kernel whose next unit has not arrived yet keeps the SSCR (waiting).
// - A kernel that is suspending or failed stops at once: it is unmarked, and the rest of its unit
//   is parked: NextBL goes to the KD, the AGE to agc. A saved TB that was not handed out is still
//   in its list.
// - The last TB of a kernel loads the SSCR at the same edge with the second oldest kernel, or with
//   a kernel that is linked or enters in this cycle. The SSCR holds a copy of need and ctas.
// - FairEvery k: a kernel that has handed out k TBs goes behind the others at the end of a group,
//   and behind the graph (give_way_o, also without another kernel).
// - Latency: kernel enters at t, offer at t+1. Rate: one TB per cycle. The offer comes from
//   registers; offer_valid_o is 0 while the kernel stops. timing: the grant settles last in the
//   cycle, so it only selects among prepared values.
// - Reset: no kernel.
// Part of hd_sched, whose model and tests cover it; sched.csv shows its registers.
`include "common/hd_assert.svh"
module hd_sched_sscr (
  input  logic                                         clk_i,
  input  logic                                         rst_ni,
  // The next kernel: enters (KMU, KD), second oldest (FCFS), marked by a group (link)
  input  logic                                         enter_i,
  input  logic [hd_pkg::KdeW-1:0]                      enter_kdei_i,
  input  hd_pkg::need_t                                enter_need_i,
  input  logic [hd_pkg::CtasW-1:0]                     enter_ctas_i,
  input  logic [hd_pkg::LevelW-1:0]                    enter_level_i,
  input  hd_pkg::progress_t                            enter_progress_i,
  input  logic                                         next_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      next_kdei_i,
  input  logic                                         link_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      link_kdei_i,
  // State of the kernels (FCFS, KD, link)
  input  logic [hd_pkg::NumKde-1:0]                    marked_i,
  input  logic [hd_pkg::NumKde*hd_pkg::NeedW-1:0]      need_i,
  input  logic [hd_pkg::NumKde*hd_pkg::CtasW-1:0]      ctas_i,
  input  logic [hd_pkg::NumKde*hd_pkg::LevelW-1:0]     level_i,
  input  logic [hd_pkg::NumKde*hd_pkg::CtasW-1:0]      nextbl_i,
  input  logic [hd_pkg::NumKde-1:0]                    ndone_i,
  input  logic [hd_pkg::NumKde*hd_pkg::SavCountW-1:0]  sav_count_i,
  input  logic [hd_pkg::NumKde-1:0]                    suspending_i,
  input  logic [hd_pkg::NumKde-1:0]                    failed_i,
  input  logic [hd_pkg::NumKde-1:0]                    pending_i,
  input  logic [hd_pkg::NumKde-1:0]                    single_i,
  // Available groups (agt, agc) and saved TBs (susp)
  input  logic                                         group_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      group_kdei_i,
  input  hd_pkg::group_t                               group_i,
  input  logic                                         slot_valid_i,
  input  logic [hd_pkg::OvfW-1:0]                      slot_i,
  input  logic                                         sv_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      sv_kdei_i,
  input  hd_pkg::saved_t                               sv_i,
  // The TB on offer
  output logic                                         cur_valid_o,
  output logic [hd_pkg::KdeW-1:0]                      cur_kdei_o,
  output logic [hd_pkg::KdeW-1:0]                      shown_kdei_o,  // the same; 0: no kernel
  output logic                                         unit_valid_o,
  output hd_pkg::sscrunit_t                            unit_o,
  output logic                                         offer_valid_o,
  output hd_pkg::need_t                                need_o,
  output logic [hd_pkg::CtasW-1:0]                     nextbl_o,
  output logic                                         last_o,
  input  logic                                         grant_i,
  // Effects on other blocks
  output logic                                         unmark_o,
  output logic                                         rotate_o,
  output logic                                         give_way_o,
  output logic                                         group_pop_o,
  output logic                                         sv_pop_o,
  output logic                                         park_valid_o,
  // The kernel that would be next (for ChoiceLatency 2, otherwise none)
  output logic                                         new_valid_o,
  output hd_pkg::need_t                                new_need_o
);

  localparam int KdeW = hd_pkg::KdeW;
  localparam int NeedW = hd_pkg::NeedW;
  localparam int CtasW = hd_pkg::CtasW;
  localparam int LevelW = hd_pkg::LevelW;
  localparam int SavCountW = hd_pkg::SavCountW;
  localparam int AgeW = hd_pkg::AgeW;
  localparam int FairW = hd_pkg::FairW;
  localparam int FairEvery = hd_pkg::FairEvery;

  logic sscr_valid_q;
  logic [KdeW-1:0] sscr_kdei_q, shown_kdei_q;
  hd_pkg::need_t sscr_need_q;
  logic sscr_unit_valid_q;
  hd_pkg::sscrunit_t sscr_unit_q;
  logic [CtasW-1:0] sscr_ctas_q, sscr_nextbl_q;
  logic [FairW-1:0] fair_q;

  logic is_native, is_group, is_saved;  // the unit in the SSCR
  logic stop;

  assign is_native = sscr_unit_q.kind == hd_pkg::UnitNative;
  assign is_group = sscr_unit_q.kind == hd_pkg::UnitGroup;
  assign is_saved = sscr_unit_q.kind == hd_pkg::UnitSaved;
  assign stop = sscr_valid_q && (suspending_i[sscr_kdei_q] || failed_i[sscr_kdei_q]);

  // ---- The next unit, and the next kernel ------------------------------------------------------
  // timing: x_end applies if this unit ends in this cycle, x_none if there is no unit. Both settle
  // before the grant does.
  logic link_here, pending_here, ndone_here, saved_more, last_tb;
  logic more_end, more_none, stop_none, fair_over, give_way_end, rotate_end;
  logic next_unit_end, next_unit_none;
  logic kernel_end, next_unit;
  logic [SavCountW-1:0] sav_count;

  assign link_here    = link_valid_i && link_kdei_i == sscr_kdei_q;
  assign pending_here = pending_i[sscr_kdei_q];
  assign ndone_here   = ndone_i[sscr_kdei_q];
  assign sav_count    = sav_count_i[sscr_kdei_q*SavCountW+:SavCountW];
  assign saved_more   = (sscr_unit_valid_q && is_saved) ? sav_count > SavCountW'(1)
      : sav_count != '0;

  hd_follows #(.W(CtasW)) u_last_tb (
    .a_i      (sscr_nextbl_q),
    .b_i      (sscr_ctas_q),
    .follows_o(last_tb)
  );

  always_comb begin
    more_end = pending_here || link_here;
    if (is_group) more_end = !single_i[sscr_kdei_q] || link_here;
    if (is_saved) more_end = saved_more || !ndone_here || pending_here || link_here;
  end
  assign more_none = saved_more || !ndone_here || pending_here || link_here;

  assign fair_over  = FairEvery != 0 && 32'(fair_q) + 1 >= FairEvery;
  assign give_way_end = last_tb && is_group && more_end && fair_over;
  assign rotate_end = give_way_end && next_valid_i;
  assign next_unit_end = last_tb && more_end && !rotate_end && !stop;
  assign next_unit_none = sscr_valid_q && !sscr_unit_valid_q && !stop && more_none;
  assign stop_none = stop || (sscr_valid_q && !sscr_unit_valid_q && !more_none);

  assign kernel_end = stop_none || (grant_i && last_tb && !more_end);
  assign rotate_o   = grant_i && rotate_end;
  assign give_way_o = grant_i && give_way_end;
  assign next_unit  = next_unit_none || (grant_i && next_unit_end);

  // The next unit of the kernel: a saved TB, the native part, or an available group.
  logic take_saved, take_native, take_group, native_left;
  logic [CtasW-1:0] group_nextbl;

  assign native_left = !ndone_here && !(sscr_unit_valid_q && is_native);
  assign take_saved  = saved_more && sv_valid_i && sv_kdei_i == sscr_kdei_q;
  assign take_native = !saved_more && native_left;
  assign take_group  = !saved_more && !native_left && group_valid_i && group_kdei_i == sscr_kdei_q
      && (group_i.self.onchip || slot_valid_i);

  // The next kernel: the second oldest, one that is linked and so marked in this cycle, or one that
  // enters. Its native part is loaded with it.
  logic take_link, load_kernel, switch_kernel, native_at_once;
  logic [KdeW-1:0] marked_kdei, new_kdei, read_kdei;
  hd_pkg::need_t read_need;
  logic read_own;
  logic [CtasW-1:0] read_ctas, next_nextbl, own_nextbl;
  logic [LevelW-1:0] read_level;

  assign take_link = link_valid_i && (!marked_i[link_kdei_i] || (stop && link_here));
  assign marked_kdei = next_valid_i ? next_kdei_i : link_kdei_i;
  assign new_kdei = (next_valid_i || take_link) ? marked_kdei : enter_kdei_i;
  assign load_kernel = next_valid_i || take_link || enter_i;
  assign switch_kernel = kernel_end || rotate_o || !sscr_valid_q;

  // timing: one read port of the KD's fields serves both the kernel in the SSCR and the next one.
  // Its index waits neither for the grant nor for the end of the unit: the native part of the
  // kernel in the SSCR can follow only if there is no unit, or behind a saved TB.
  assign read_own  = sscr_valid_q && !stop
      && (sscr_unit_valid_q ? is_saved && more_end : more_none);
  assign read_kdei = read_own ? sscr_kdei_q : next_kdei_i;
  assign read_need   = need_i[marked_kdei*NeedW+:NeedW];  // timing: enter_kdei_i arrives late
  assign read_ctas   = ctas_i[read_kdei*CtasW+:CtasW];
  assign next_nextbl = nextbl_i[next_kdei_i*CtasW+:CtasW];
  assign own_nextbl  = nextbl_i[sscr_kdei_q*CtasW+:CtasW];  // timing: compared next
  assign read_level  = level_i[read_kdei*LevelW+:LevelW];

  always_comb begin
    if (next_valid_i) begin
      native_at_once = !ndone_i[next_kdei_i]
          && sav_count_i[next_kdei_i*SavCountW+:SavCountW] == '0;
    end else begin
      native_at_once = !take_link && !enter_progress_i.ndone && enter_progress_i.sav_count == '0;
    end
  end

  // ---- SSCR -------------------------------------------------------------------------------------
  // timing: the first unit of a new kernel and the next unit of the current one are both prepared
  // before the grant selects.
  hd_pkg::sscrunit_t first_unit, follow_unit;
  logic [CtasW-1:0] first_ctas, first_nextbl, follow_ctas, follow_nextbl;

  always_comb begin
    first_unit       = '0;
    first_unit.kind  = hd_pkg::UnitNative;
    first_unit.level = next_valid_i ? read_level : enter_level_i;
    first_ctas       = next_valid_i ? read_ctas : enter_ctas_i;
    first_nextbl     = next_valid_i ? next_nextbl : enter_progress_i.nextbl;
  end

  assign group_nextbl = (sscr_unit_valid_q && !is_saved) ? '0 : own_nextbl;

  always_comb begin
    follow_unit = '0;
    if (take_saved) begin
      follow_unit.kind  = hd_pkg::UnitSaved;
      follow_unit.level = sv_i.level;
      follow_unit.param = sv_i.ctx;
      follow_ctas       = CtasW'(1);
      follow_nextbl     = '0;
    end else if (take_group) begin
      follow_unit.kind   = hd_pkg::UnitGroup;
      follow_unit.agei   = group_i.self.onchip ? AgeW'(group_i.self.index)
          : AgeW'(hd_pkg::AgtSize) + AgeW'(slot_i);
      follow_unit.level  = group_i.info.level;
      follow_unit.grid_x = group_i.info.grid_x;
      follow_unit.grid_y = group_i.info.grid_y;
      follow_unit.grid_z = group_i.info.grid_z;
      follow_unit.param  = {group_i.info.param, 6'b0};
      follow_ctas        = group_i.info.ctas;
      // A record modified by software while in use: at least never a TB beyond its end.
      follow_nextbl      = group_nextbl < group_i.info.ctas ? group_nextbl
          : group_i.info.ctas - CtasW'(1);
    end else begin
      follow_unit.kind  = hd_pkg::UnitNative;
      follow_unit.level = read_level;
      follow_ctas       = read_ctas;
      follow_nextbl     = own_nextbl;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sscr_valid_q      <= 1'b0;
      sscr_unit_valid_q <= 1'b0;
      shown_kdei_q      <= '0;
      fair_q            <= '0;
    end else begin
      if (switch_kernel) begin
        sscr_valid_q      <= load_kernel;
        shown_kdei_q      <= new_kdei & {KdeW{load_kernel}};  // timing: for the other blocks
        sscr_unit_valid_q <= load_kernel && native_at_once;
      end else if (next_unit) begin
        sscr_unit_valid_q <= take_saved || take_native || take_group;
      end
      if (switch_kernel && load_kernel) fair_q <= '0;
      else if (grant_i && 32'(fair_q) != FairEvery) fair_q <= fair_q + FairW'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (switch_kernel) begin
      sscr_kdei_q <= new_kdei;
      sscr_need_q <= (next_valid_i || take_link) ? read_need : enter_need_i;
    end
    if (switch_kernel || next_unit) begin
      sscr_unit_q <= switch_kernel ? first_unit : follow_unit;
      sscr_ctas_q <= switch_kernel ? first_ctas : follow_ctas;
    end
    if (switch_kernel) sscr_nextbl_q <= first_nextbl;
    else if (next_unit) sscr_nextbl_q <= follow_nextbl;
    else if (grant_i) sscr_nextbl_q <= sscr_nextbl_q + CtasW'(1);
  end

  // ---- Outputs ----------------------------------------------------------------------------------
  assign cur_valid_o   = sscr_valid_q;
  assign cur_kdei_o    = sscr_kdei_q;
  assign shown_kdei_o  = shown_kdei_q;
  assign unit_valid_o  = sscr_unit_valid_q;
  assign unit_o        = sscr_unit_q;
  assign offer_valid_o = sscr_valid_q && sscr_unit_valid_q && !stop;
  assign need_o        = sscr_need_q;
  assign nextbl_o      = sscr_nextbl_q;
  assign last_o        = last_tb;
  assign unmark_o      = kernel_end;
  assign group_pop_o   = next_unit && take_group;
  assign sv_pop_o      = next_unit && take_saved;
  assign park_valid_o  = stop && sscr_unit_valid_q && !is_saved;

  if (hd_pkg::ChoiceLatency > 1) begin : g_new
    assign new_valid_o = next_valid_i || take_link || enter_i;
    assign new_need_o  = (next_valid_i || take_link) ? read_need : enter_need_i;
  end else begin : g_new
    assign new_valid_o = 1'b0;
    assign new_need_o  = '0;
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, enter_progress_i.sav_first};

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (grant_i) `HD_ASSERT_IN(a_grant, offer_valid_o,
          "A TB of the SSCR is granted while it offers none.")
      if (sscr_valid_q && sscr_unit_valid_q && sscr_ctas_q != '0) begin
        `HD_ASSERT(a_left, sscr_nextbl_q < sscr_ctas_q, "A unit in the SSCR has no TB left.")
      end
      if (sscr_unit_valid_q && is_group) `HD_ASSERT(a_group_last, ndone_here || stop,
          "A group is in the SSCR before the native part of its kernel has ended.")
      if (sscr_unit_valid_q) `HD_ASSERT(a_unit, sscr_valid_q,
          "A unit is in the SSCR without a kernel.")
      if (sscr_valid_q) `HD_ASSERT_IN(a_marked, marked_i[sscr_kdei_q],
          "The kernel in the SSCR is not marked.")
      `HD_ASSERT(a_leave_once, !(unmark_o && rotate_o),
          "The kernel in the SSCR leaves and goes behind the others in one cycle.")
    end
  end
  `HD_ASSERT_PROP(a_pop, group_pop_o || sv_pop_o |=> sscr_unit_valid_q,
      "A group or saved TB was popped and is not in the SSCR.")

  // Rare: the next kernel follows in the same cycle; a kernel that enters follows at once; and
  // others.
  `HD_COVER(c_next_follows, grant_i && kernel_end && next_valid_i)
  `HD_COVER(c_enter_follows, grant_i && kernel_end && load_kernel && !next_valid_i)
  `HD_COVER(c_group_follows, grant_i && last_tb && is_group && group_pop_o)
  `HD_COVER(c_link_at_end, grant_i && last_tb && is_group && link_here)
  `HD_COVER(c_parked, park_valid_o && is_group)
  `HD_COVER(c_rotate, rotate_o)
`endif

endmodule
