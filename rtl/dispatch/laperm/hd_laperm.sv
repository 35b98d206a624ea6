// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_laperm: LaPerm's banks of priority queues, one per SMX: takes in what TBs launch, and offers
// each SMX a TB of them as the policy says.
//
//   devq A2 --> [A3: group] --full, push--> devq, KD
//                    |                                                 u_rr
//                    v                                                 u_tb_pri
//   KMU enter --> arrival number --> g_bank[b].u_pq --> fronts --+---> u_smx_bind --> offers
//                 [number, live]          ^                      |     u_adaptive_bind   |
//                                         |      u_oldest <------+       ^               v
//   sched take ---------------------------+      [winner] -------------->+ [backup]    sched
//
// From laperm-isca2016 section 4. There a priority queue holds pointers; entries that hold all that
// a TB needs, and the rules for a full bank, are ours.
// - A2: a group goes into its SMX's bank if that has a place beside the one that A3 takes, and its
//   level is open; else it is refused. Under Rr the groups are link's.
// - Enter: the native part of a device kernel goes into the bank of the SMX that launched it if
//   that has two places, the second of which is for the group that may be in A2. Into one bank goes
//   one entry per cycle: the group first, the kernel waits. What does not go into a bank, or has
//   saved TBs or groups beside, is marked: queue 0.
// - Arrival numbers count within a level, from 0 while nothing of it is in any bank. Of two entries
//   of one level in one cycle the group has the lower one. A level whose numbers are used up is not
//   open.
// - Offers: bound, before queue 0; spare, when that is empty.
// - A bank that an SMX takes a TB from as a spare one under AdaptiveBind is its backup from then
//   on.
// - Latency: group in A2 at t, front at t+2; kernel that enters at t, front at t+1. One group, one
//   kernel and one take per cycle. enter_* are functions of registers and inputs; all other outputs
//   come from registers.
// - Reset: banks and A3 empty, numbers 0, no winner and no backups.
// Ports: laperm.csv. Model cmodel/dispatch/laperm, tests verif/unit and verif/equiv test_laperm, page
// docs/dispatch/laperm.md.
`include "common/hd_fault.svh"
module hd_laperm (
  input  logic                                        clk_i,
  input  logic                                        rst_ni,
  // The policy (regs)
  input  logic [hd_pkg::PolicyW-1:0]                  policy_i,
  // A group is in A2 (devq)
  input  logic                                        a2_group_i,
  input  logic [hd_pkg::KdeW-1:0]                     a2_kdei_i,
  input  logic [hd_pkg::SmxW-1:0]                     a2_smx_i,
  input  hd_pkg::info_t                               a2_info_i,
  // It goes into its bank, or is refused, in A3 (devq, kd)
  output logic                                        full_o,
  output logic                                        push_valid_o,
  output logic [hd_pkg::KdeW-1:0]                     push_kdei_o,
  // A kernel enters the KD (kmu, kd)
  input  logic                                        enter_valid_i,
  input  logic                                        enter_ready_i,
  input  logic [hd_pkg::KdeW-1:0]                     enter_kdei_i,
  input  hd_pkg::need_t                               enter_need_i,
  input  logic [hd_pkg::CtasW-1:0]                    enter_ctas_i,
  input  logic [hd_pkg::LevelW-1:0]                   enter_level_i,
  input  logic [hd_pkg::SmxW-1:0]                     enter_smx_i,
  input  hd_pkg::progress_t                           enter_progress_i,
  input  logic                                        enter_pending_i,
  // Where it goes (kmu, kd, fcfs)
  output logic                                        enter_wait_o,
  output logic                                        enter_bank_o,
  output logic                                        enter_mark_o,
  // The banks: first entries (sched)
  input  logic [hd_pkg::NumKde*hd_pkg::NeedW-1:0]     need_i,
  output logic [hd_pkg::NumSmx-1:0]                   bank_valid_o,
  output logic [hd_pkg::NumSmx*hd_pkg::PqentryW-1:0]  bank_front_o,
  output logic [hd_pkg::NumSmx*hd_pkg::CtasW-1:0]     bank_nextbl_o,
  output logic [hd_pkg::NumSmx-1:0]                   bank_last_o,
  // What each SMX takes from the banks (sched)
  output logic [hd_pkg::NumSmx-1:0]                   bound_valid_o,
  output logic [hd_pkg::NumSmx*hd_pkg::SmxW-1:0]      bound_bank_o,
  output logic [hd_pkg::NumSmx*hd_pkg::NeedW-1:0]     bound_need_o,
  output logic [hd_pkg::NumSmx-1:0]                   spare_valid_o,
  output logic [hd_pkg::NumSmx*hd_pkg::SmxW-1:0]      spare_bank_o,
  output logic [hd_pkg::NumSmx*hd_pkg::NeedW-1:0]     spare_need_o,
  // A TB from a bank is handed out (sched)
  input  logic                                        take_valid_i,
  input  logic [hd_pkg::SmxW-1:0]                     take_bank_i,
  input  logic [hd_pkg::NumSmx-1:0]                   take_i,
  input  logic [hd_pkg::SmxW-1:0]                     take_smx_i,
  input  logic                                        take_spare_i
);

  localparam int NumSmx = hd_pkg::NumSmx;
  localparam int SmxW = hd_pkg::SmxW;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int NeedW = hd_pkg::NeedW;
  localparam int CtasW = hd_pkg::CtasW;
  localparam int EntryW = hd_pkg::PqentryW;
  localparam int MaxLevel = hd_pkg::MaxLevel;
  localparam int LevelW = hd_pkg::LevelW;
  localparam int ArrivalW = hd_pkg::ArrivalW;
  localparam int LiveW = hd_pkg::LiveW;

  // A level stays open up to this arrival number of the next entry: three may follow, of A3, a
  // kernel and A2, before it is seen that it is not.
  localparam logic [ArrivalW-1:0] LastOpen = {ArrivalW{1'b1}} - ArrivalW'(3);

  logic a3_valid_q, a3_full_q;
  logic [KdeW-1:0] a3_kdei_q;
  logic [SmxW-1:0] a3_smx_q;
  hd_pkg::info_t a3_info_q;
  logic [MaxLevel*ArrivalW-1:0] number_q;
  logic [MaxLevel*LiveW-1:0] live_q;
  logic [NumSmx-1:0] backup_valid_q;
  logic [NumSmx*SmxW-1:0] backup_q;
  logic winner_valid_q;                // registers of u_oldest
  logic [SmxW-1:0] winner_q;

  logic [NumSmx-1:0] one_ready, two_ready;
  logic [MaxLevel-1:0] open;           // element 0: level 1, as of all vectors of levels

  // ---- A2: does the group go into its bank? -----------------------------------------------------
  logic a2, a2_can, a2_same;
  logic [MaxLevel-1:0] a2_at;

  assign a2      = a2_group_i && policy_i != hd_pkg::PolicyRr;
  assign a2_same = a3_valid_q && a3_smx_q == a2_smx_i;
  assign a2_can  = (`HD_FAULT(89, a2_same, 1'b0) ? two_ready[a2_smx_i] : one_ready[a2_smx_i])
      && (open & a2_at) != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      a3_valid_q <= 1'b0;
      a3_full_q  <= 1'b0;
    end else begin
      a3_valid_q <= a2 && a2_can;
      a3_full_q  <= a2 && !a2_can;
    end
  end

  always_ff @(posedge clk_i) begin
    if (a2) begin
      a3_kdei_q <= a2_kdei_i;
      a3_smx_q  <= a2_smx_i;
      a3_info_q <= a2_info_i;
    end
  end

  assign full_o       = a3_full_q;
  assign push_valid_o = a3_valid_q;
  assign push_kdei_o  = a3_kdei_q & {KdeW{a3_valid_q}};

  // ---- Enter: does the native part of the kernel? -----------------------------------------------
  logic binds, meets, kernel;
  logic [MaxLevel-1:0] enter_at;

  // enter_at is 0 for level 0.
  assign binds = policy_i != hd_pkg::PolicyRr && !enter_progress_i.ndone && two_ready[enter_smx_i]
      && (open & enter_at) != '0;
  assign meets = `HD_FAULT(94, a3_valid_q && a3_smx_q == enter_smx_i, 1'b0);

  assign enter_wait_o = enter_valid_i && binds && meets;
  assign enter_bank_o = enter_valid_i && binds && !meets;
  assign enter_mark_o = enter_valid_i && (binds
      ? !meets && (enter_progress_i.sav_count != '0 || enter_pending_i) : 1'b1);
  assign kernel       = enter_bank_o && enter_ready_i;

  // ---- Levels: arrival numbers, and who is there ------------------------------------------------
  logic [MaxLevel-1:0] group_at, kernel_at, leave_at;
  logic [ArrivalW-1:0] group_arrival, kernel_arrival;
  logic [NumSmx-1:0] leave;            // from which bank an entry leaves

  for (genvar l = 0; l < MaxLevel; l++) begin : g_level
    logic [ArrivalW-1:0] number;
    logic [LiveW-1:0] live;
    logic [NumSmx-1:0] front_at;

    assign number       = number_q[l*ArrivalW+:ArrivalW];
    assign live         = live_q[l*LiveW+:LiveW];
    assign open[l]      = number <= LastOpen;
    assign a2_at[l]     = a2_info_i.level == LevelW'(l + 1);
    assign enter_at[l]  = enter_level_i == LevelW'(l + 1);
    assign group_at[l]  = a3_valid_q && a3_info_q.level == LevelW'(l + 1);
    assign kernel_at[l] = kernel && enter_at[l];

    // What leaves is known last.
    for (genvar b = 0; b < NumSmx; b++) begin : g_of
      assign front_at[b] = bank_front_o[b*EntryW+:LevelW] == LevelW'(l + 1);
    end
    assign leave_at[l] = (leave & front_at) != '0;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        number_q[l*ArrivalW+:ArrivalW] <= '0;
      end else if (group_at[l] || kernel_at[l]) begin
        number_q[l*ArrivalW+:ArrivalW] <= number
            + (`HD_FAULT(90, group_at[l] && kernel_at[l], 1'b0) ? ArrivalW'(2) : ArrivalW'(1));
      end else if (`HD_FAULT(96, live == '0, 1'b0)) begin
        number_q[l*ArrivalW+:ArrivalW] <= '0;
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        live_q[l*LiveW+:LiveW] <= '0;
      end else if (group_at[l] || kernel_at[l] || leave_at[l]) begin
        live_q[l*LiveW+:LiveW] <= leave_at[l]
            ? live + LiveW'(group_at[l]) + LiveW'(kernel_at[l]) - LiveW'(1)
            : live + LiveW'(group_at[l]) + LiveW'(kernel_at[l]);
      end
    end
  end

  always_comb begin
    group_arrival  = '0;
    kernel_arrival = '0;
    for (int l = 0; l < MaxLevel; l++) begin
      if (group_at[l]) group_arrival |= number_q[l*ArrivalW+:ArrivalW];
      if (enter_at[l]) begin
        kernel_arrival |= number_q[l*ArrivalW+:ArrivalW] + ArrivalW'(group_at[l]);
      end
    end
  end

  // ---- Banks ------------------------------------------------------------------------------------
  hd_pkg::pqentry_t group_entry, kernel_entry;
  hd_pkg::need_t group_need;
  logic [NumSmx*NeedW-1:0] bank_need;
  logic [NumSmx*LevelW-1:0] second_level;
  logic [NumSmx*ArrivalW-1:0] second_arrival;

  always_comb begin
    group_entry         = '0;
    group_entry.kind    = hd_pkg::UnitGroup;
    group_entry.kdei    = a3_kdei_q;
    group_entry.grid_x  = a3_info_q.grid_x;
    group_entry.grid_y  = a3_info_q.grid_y;
    group_entry.grid_z  = a3_info_q.grid_z;
    group_entry.param   = a3_info_q.param;
    group_entry.ctas    = a3_info_q.ctas;
    group_entry.arrival = group_arrival;
    group_entry.level   = a3_info_q.level;

    kernel_entry         = '0;
    kernel_entry.kind    = hd_pkg::UnitNative;
    kernel_entry.kdei    = enter_kdei_i;
    kernel_entry.ctas    = enter_ctas_i;
    kernel_entry.arrival = kernel_arrival;
    kernel_entry.level   = enter_level_i;
  end

  assign group_need = need_i[a3_kdei_q*NeedW+:NeedW];

  for (genvar b = 0; b < NumSmx; b++) begin : g_bank
    logic group_here, kernel_here;
    hd_pkg::pqentry_t push;
    logic [CtasW-1:0] push_nextbl;
    hd_pkg::need_t push_need;

    assign group_here  = a3_valid_q && a3_smx_q == SmxW'(b);
    assign kernel_here = kernel && enter_smx_i == SmxW'(b);

    // What is pushed is known before it is known whether.
    always_comb begin
      push        = '0;
      push_nextbl = '0;
      push_need   = '0;
      if (group_here) begin
        push        = group_entry;
        push_need   = group_need;
      end else if (enter_valid_i && enter_smx_i == SmxW'(b)) begin
        push        = kernel_entry;
        push_nextbl = enter_progress_i.nextbl;
        push_need   = enter_need_i;
      end
    end

    hd_pq u_pq (
      .clk_i           (clk_i),
      .rst_ni          (rst_ni),
      .push_valid_i    (group_here || kernel_here),
      .push_i          (push),
      .push_nextbl_i   (push_nextbl),
      .push_need_i     (push_need),
      .push_ready_o    (one_ready[b]),
      .two_ready_o     (two_ready[b]),
      .need_i          (need_i),
      .front_valid_o   (bank_valid_o[b]),
      .front_o         (bank_front_o[b*EntryW+:EntryW]),
      .front_nextbl_o  (bank_nextbl_o[b*CtasW+:CtasW]),
      .front_last_o    (bank_last_o[b]),
      .front_need_o    (bank_need[b*NeedW+:NeedW]),
      .second_level_o  (second_level[b*LevelW+:LevelW]),
      .second_arrival_o(second_arrival[b*ArrivalW+:ArrivalW]),
      .take_i          (take_i[b])
    );
  end

  // ---- What leaves, and the winner --------------------------------------------------------------
  assign leave = take_i & bank_last_o;

  hd_oldest u_oldest (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .valid_i         (bank_valid_o),
    .front_i         (bank_front_o),
    .leave_i         (leave),
    .second_level_i  (second_level),
    .second_arrival_i(second_arrival),
    .group_i         (a3_valid_q),
    .group_bank_i    (a3_smx_q),
    .group_level_i   (a3_info_q.level),
    .kernel_i        (kernel),
    .kernel_bank_i   (enter_smx_i),
    .kernel_level_i  (enter_level_i),
    .winner_valid_o  (winner_valid_q),
    .winner_o        (winner_q)
  );

  // ---- Backups ----------------------------------------------------------------------------------
  logic adopt;

  assign adopt = take_valid_i && take_spare_i && policy_i == hd_pkg::PolicyAdaptiveBind;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) backup_valid_q <= '0;
    else if (adopt) backup_valid_q <= backup_valid_q | (NumSmx'(1) << take_smx_i);
  end

  always_ff @(posedge clk_i) begin
    if (adopt) begin
      for (int s = 0; s < NumSmx; s++) begin
        if (take_smx_i == SmxW'(s)) backup_q[s*SmxW+:SmxW] <= take_bank_i;
      end
    end
  end

  // ---- Offers: those of the policy; the others' are 0 -------------------------------------------
  hd_pkg::need_t winner_need;

  always_comb begin
    winner_need = '0;
    for (int b = 0; b < NumSmx; b++) begin
      if (winner_q == SmxW'(b)) winner_need |= bank_need[b*NeedW+:NeedW];
    end
  end

  logic [NumSmx-1:0] rr_bound_valid, rr_spare_valid;
  logic [NumSmx*SmxW-1:0] rr_bound_bank, rr_spare_bank;
  logic [NumSmx*NeedW-1:0] rr_bound_need, rr_spare_need;
  logic [NumSmx-1:0] tb_pri_bound_valid, tb_pri_spare_valid;
  logic [NumSmx*SmxW-1:0] tb_pri_bound_bank, tb_pri_spare_bank;
  logic [NumSmx*NeedW-1:0] tb_pri_bound_need, tb_pri_spare_need;
  logic [NumSmx-1:0] smx_bind_bound_valid, smx_bind_spare_valid;
  logic [NumSmx*SmxW-1:0] smx_bind_bound_bank, smx_bind_spare_bank;
  logic [NumSmx*NeedW-1:0] smx_bind_bound_need, smx_bind_spare_need;
  logic [NumSmx-1:0] adaptive_bound_valid, adaptive_spare_valid;
  logic [NumSmx*SmxW-1:0] adaptive_bound_bank, adaptive_spare_bank;
  logic [NumSmx*NeedW-1:0] adaptive_bound_need, adaptive_spare_need;

  hd_order_rr u_rr (
    .on_i          (policy_i == hd_pkg::PolicyRr),
    .bank_valid_i  (bank_valid_o),
    .bank_need_i   (bank_need),
    .winner_valid_i(winner_valid_q),
    .winner_i      (winner_q),
    .winner_need_i (winner_need),
    .backup_valid_i(backup_valid_q),
    .backup_i      (backup_q),
    .bound_valid_o (rr_bound_valid),
    .bound_bank_o  (rr_bound_bank),
    .bound_need_o  (rr_bound_need),
    .spare_valid_o (rr_spare_valid),
    .spare_bank_o  (rr_spare_bank),
    .spare_need_o  (rr_spare_need)
  );

  hd_order_tb_pri u_tb_pri (
    .on_i          (policy_i == hd_pkg::PolicyTbPri),
    .bank_valid_i  (bank_valid_o),
    .bank_need_i   (bank_need),
    .winner_valid_i(winner_valid_q),
    .winner_i      (winner_q),
    .winner_need_i (winner_need),
    .backup_valid_i(backup_valid_q),
    .backup_i      (backup_q),
    .bound_valid_o (tb_pri_bound_valid),
    .bound_bank_o  (tb_pri_bound_bank),
    .bound_need_o  (tb_pri_bound_need),
    .spare_valid_o (tb_pri_spare_valid),
    .spare_bank_o  (tb_pri_spare_bank),
    .spare_need_o  (tb_pri_spare_need)
  );

  hd_order_smx_bind u_smx_bind (
    .on_i          (policy_i == hd_pkg::PolicySmxBind),
    .bank_valid_i  (bank_valid_o),
    .bank_need_i   (bank_need),
    .winner_valid_i(winner_valid_q),
    .winner_i      (winner_q),
    .winner_need_i (winner_need),
    .backup_valid_i(backup_valid_q),
    .backup_i      (backup_q),
    .bound_valid_o (smx_bind_bound_valid),
    .bound_bank_o  (smx_bind_bound_bank),
    .bound_need_o  (smx_bind_bound_need),
    .spare_valid_o (smx_bind_spare_valid),
    .spare_bank_o  (smx_bind_spare_bank),
    .spare_need_o  (smx_bind_spare_need)
  );

  hd_order_adaptive_bind u_adaptive_bind (
    .on_i          (policy_i == hd_pkg::PolicyAdaptiveBind),
    .bank_valid_i  (bank_valid_o),
    .bank_need_i   (bank_need),
    .winner_valid_i(winner_valid_q),
    .winner_i      (winner_q),
    .winner_need_i (winner_need),
    .backup_valid_i(backup_valid_q),
    .backup_i      (backup_q),
    .bound_valid_o (adaptive_bound_valid),
    .bound_bank_o  (adaptive_bound_bank),
    .bound_need_o  (adaptive_bound_need),
    .spare_valid_o (adaptive_spare_valid),
    .spare_bank_o  (adaptive_spare_bank),
    .spare_need_o  (adaptive_spare_need)
  );

  assign bound_valid_o = rr_bound_valid | tb_pri_bound_valid
      | smx_bind_bound_valid | adaptive_bound_valid;
  assign bound_bank_o  = rr_bound_bank | tb_pri_bound_bank
      | smx_bind_bound_bank | adaptive_bound_bank;
  assign bound_need_o  = rr_bound_need | tb_pri_bound_need
      | smx_bind_bound_need | adaptive_bound_need;
  assign spare_valid_o = rr_spare_valid | tb_pri_spare_valid
      | smx_bind_spare_valid | adaptive_spare_valid;
  assign spare_bank_o  = rr_spare_bank | tb_pri_spare_bank
      | smx_bind_spare_bank | adaptive_spare_bank;
  assign spare_need_o  = rr_spare_need | tb_pri_spare_need
      | smx_bind_spare_need | adaptive_spare_need;

  logic unused_bits;
  assign unused_bits = &{1'b0, enter_progress_i};

`ifdef VERILATOR
  logic [NumSmx-1:0] bound_taken, spare_taken;
  logic [LiveW-1:0] live;

  always_comb begin
    bound_taken = '0;
    spare_taken = '0;
    if (take_valid_i) begin
      for (int s = 0; s < NumSmx; s++) begin
        bound_taken[s] = bound_valid_o[s] && bound_bank_o[s*SmxW+:SmxW] == take_bank_i;
        spare_taken[s] = spare_valid_o[s] && spare_bank_o[s*SmxW+:SmxW] == take_bank_i;
      end
    end
    live = '0;
    for (int l = 0; l < MaxLevel; l++) live += live_q[l*LiveW+:LiveW];
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // What comes has a level that there is, a TB, and an SMX that there is.
      if (a2) begin
        a_level : assert (a2_info_i.level != '0 && 32'(a2_info_i.level) <= MaxLevel);
        a_ctas : assert (a2_info_i.ctas != '0);
        a_smx : assert (32'(a2_smx_i) < NumSmx);
      end
      if (enter_bank_o) a_enter_nextbl : assert (enter_progress_i.nextbl < enter_ctas_i);
      // A kernel goes into its bank, or is marked, or waits.
      a_enter : assert (enter_valid_i == (enter_wait_o || enter_bank_o || enter_mark_o)
          && !(enter_wait_o && (enter_bank_o || enter_mark_o)));
      // What goes into a bank finds a place there.
      if (a3_valid_q) a_group_place : assert (one_ready[a3_smx_q]);
      if (kernel) a_kernel_place : assert (one_ready[enter_smx_i]);
      // Arrival numbers never go round.
      for (int l = 0; l < MaxLevel; l++) begin
        a_round : assert (!((group_at[l] || kernel_at[l])
            && &number_q[l*ArrivalW+:ArrivalW]));
      end
      // There is an entry of some level if there is a winner.
      a_live : assert (winner_valid_q == (live != '0));
      // The two names of the bank agree.
      a_take_bank : assert (take_i == {{NumSmx - 1{1'b0}}, take_valid_i} << take_bank_i);
      // A TB is taken that was offered.
      if (take_valid_i) begin
        a_take : assert (take_spare_i ? spare_taken[take_smx_i] : bound_taken[take_smx_i]);
      end
      // Nobody is offered its own bank as a spare one; only Rr and AdaptiveBind have spare ones.
      if (policy_i == hd_pkg::PolicyAdaptiveBind) begin
        for (int s = 0; s < NumSmx; s++) begin
          a_spare : assert (!spare_valid_o[s] || spare_bank_o[s*SmxW+:SmxW] != SmxW'(s));
        end
      end
    end
  end
  // The rare: group and kernel of one level, a kernel that waits, one that is both in a bank and
  // marked; a group refused for its place, and for A3's; a backup that is empty and gives way.
  c_both :
  cover property (@(posedge clk_i) (group_at & kernel_at) != '0);
  c_wait :
  cover property (@(posedge clk_i) enter_wait_o);
  c_bank_and_mark :
  cover property (@(posedge clk_i) enter_bank_o && enter_mark_o);
  c_full :
  cover property (@(posedge clk_i) a2 && !one_ready[a2_smx_i]);
  c_full_a3 :
  cover property (@(posedge clk_i) a2 && a2_same && one_ready[a2_smx_i] && !two_ready[a2_smx_i]);
  c_other_backup :
  cover property (@(posedge clk_i) adopt && backup_valid_q[take_smx_i]
      && backup_q[take_smx_i*SmxW+:SmxW] != take_bank_i);
`endif

endmodule
