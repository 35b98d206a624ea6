// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_laperm: LaPerm's banks of priority queues, one per cluster of SMXs. It stores the work
// launched by TBs, and offers each SMX a TB of it according to the policy.
//
//   devq A2 ----> u_admit: [A3] --full, push--> devq, KD; --put--> spill
//   KMU enter ----^  ^ |
//   spill back ------' '--> u_levels: number --> g_bank[b].u_pq --> fronts --+-> u_offers --> sched
//                                                    ^       u_oldest <------+      ^
//   sched take, grant -+-----------------------------'          '--> [winner] ------+
//                      '--> u_inversions --> regs
//
// From laperm-isca2016 section 4. In the paper a priority queue holds pointers; entries that hold
// everything a TB needs, and the rules for a full bank, are ours.
// - u_admit decides what goes into a bank or to memory, and when a group returns. At most two
//   entries per cycle enter banks: the group of A3, and a kernel or a returning group.
// - Places for groups that spill reads are kept in their bank from spill_reserve_i on, until the
//   group enters it (back) or spill_release_i gives the place up.
// - If the saved list of a front's kernel could overflow (kd_sav_full_i), its need is shown as more
//   than any SMX has, so it waits until TBs of its kernel are done.
// - u_levels numbers entries by arrival within a level. u_offers computes the TB offered to each
//   SMX, and its backup.
// - Latency: group in A2 at t, front at t+2; a kernel that enters or a group that returns at t,
//   front at t+1. Rate: one group, one kernel or returning group, and one take per cycle. Outputs
//   to sched are functions of registers and regs_config_i.policy.
// - Reset: banks and A3 empty, numbers 0, no winner, no backups.
// Ports: laperm.csv. Model cmodel/dispatch/laperm, tests verif/unit and verif/equiv test_laperm,
// page docs/dispatch/laperm.md.
`include "common/hd_assert.svh"
module hd_laperm (
  input  logic                                        clk_i,
  input  logic                                        rst_ni,
  // Policy (regs)
  input  hd_pkg::settings_t                           regs_config_i,
  // Group in stage A2 (devq)
  input  hd_pkg::a2group_t                            devq_group_i,
  // Result of the group in stage A3 (devq, kd)
  output logic                                        full_o,
  output hd_pkg::entry_t                              push_o,
  // Kernel entry into the KD (kmu, kd)
  input  hd_pkg::offer_t                              kmu_offer_i,
  input  hd_pkg::entry_t                              kd_free_i,
  // Destination of the entering kernel (kd, fcfs, sched)
  output hd_pkg::enter_t                              enter_o,
  // Heads of the banks (sched)
  input  logic [hd_pkg::NumKde*hd_pkg::NeedW-1:0]     kd_need_i,
  input  logic [hd_pkg::NumKde-1:0]                   kd_sav_full_i,
  output logic [hd_pkg::NumBank-1:0]                  bank_valid_o,
  output logic [hd_pkg::NumBank*hd_pkg::PqentryW-1:0] bank_front_o,
  output logic [hd_pkg::NumBank*hd_pkg::CtasW-1:0]    bank_nextbl_o,
  output logic [hd_pkg::NumBank-1:0]                  bank_last_o,
  // Bank offers to each SMX (sched)
  output logic [hd_pkg::NumSmx-1:0]                   bound_valid_o,
  output logic [hd_pkg::NumSmx*hd_pkg::BankW-1:0]     bound_bank_o,
  output logic [hd_pkg::NumSmx*hd_pkg::NeedW-1:0]     bound_need_o,
  output logic [hd_pkg::NumSmx-1:0]                   spare_valid_o,
  output logic [hd_pkg::NumSmx*hd_pkg::BankW-1:0]     spare_bank_o,
  output logic [hd_pkg::NumSmx*hd_pkg::NeedW-1:0]     spare_need_o,
  output hd_pkg::then_t                               then_o,
  // Grant of a TB from a bank (sched)
  input  hd_pkg::take_t                               sched_take_i,
  input  logic                                        sched_graph_take_i,
  input  logic [hd_pkg::NumBank-1:0]                  sched_take_banks_i,
  input  hd_pkg::grant_t                              sched_grant_i,
  // Groups spilled to memory (spill)
  input  logic [hd_pkg::RingQueues-1:0]               spill_room_i,
  output hd_pkg::bankgroup_t                          put_o,
  output logic [hd_pkg::NumBank*3-1:0]                bank_room_o,
  // Groups refilled from memory (spill)
  input  logic [hd_pkg::RingQueues-1:0]               spill_held_i,
  output logic [hd_pkg::NumBank-1:0]                  place_o,
  input  logic [hd_pkg::NumBank-1:0]                  spill_reserve_i,
  input  logic [hd_pkg::NumBank*3-1:0]                spill_release_i,
  input  hd_pkg::bankgroup_t                          spill_back_i,
  output logic                                        back_ready_o,
  // Events for the counters (regs)
  output logic                                        inversion_o
);

  localparam int NumBank = hd_pkg::NumBank;
  localparam int BankW = hd_pkg::BankW;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int NeedW = hd_pkg::NeedW;
  localparam int CtasW = hd_pkg::CtasW;
  localparam int EntryW = hd_pkg::PqentryW;
  localparam int MaxLevel = hd_pkg::MaxLevel;
  localparam int LevelW = hd_pkg::LevelW;
  localparam int ArrivalW = hd_pkg::ArrivalW;
  localparam int LiveW = hd_pkg::LiveW;

  logic winner_valid_q;                // registers of u_oldest
  logic [BankW-1:0] winner_q;

  // ---- Entries that go into a bank -------------------------------------------------------------
  logic [NumBank*3-1:0] room;
  logic [MaxLevel-1:0] open, come_level;  // element 0 is level 1, as in all vectors of levels
  logic wide, group, come;  // A3's group enters its bank; a kernel or a returning group does
  logic [NumBank-1:0] group_at, come_at, back_at;
  logic [BankW-1:0] group_bank, come_bank;
  logic [EntryW-1:0] group_entry, come_entry;  // pqentry_t, whose last fields are
  logic [ArrivalW-1:0] group_arrival, come_arrival;  // arrival number (not assigned yet) and level
  hd_pkg::need_t group_need, come_need;
  logic [CtasW-1:0] come_nextbl;

  hd_laperm_admit u_admit (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .policy_i        (regs_config_i.policy),
    .a2_group_i      (devq_group_i.valid),
    .a2_kdei_i       (devq_group_i.kdei),
    .a2_smx_i        (devq_group_i.smx),
    .a2_info_i       (devq_group_i.info),
    .memory_i        (spill_room_i),
    .full_o          (full_o),
    .push_valid_o    (push_o.valid),
    .push_kdei_o     (push_o.kdei),
    .put_valid_o     (put_o.valid),
    .put_bank_o      (put_o.bank),
    .put_kdei_o      (put_o.kdei),
    .put_info_o      (put_o.info),
    .enter_valid_i   (kmu_offer_i.valid),
    .enter_ready_i   (kd_free_i.valid),
    .enter_kdei_i    (kd_free_i.kdei),
    .enter_need_i    (kmu_offer_i.kernel.need),
    .enter_ctas_i    (kmu_offer_i.kernel.ctas),
    .enter_level_i   (kmu_offer_i.kernel.level),
    .enter_smx_i     (kmu_offer_i.kernel.origin.smx),
    .enter_progress_i(kmu_offer_i.kernel.progress),
    .enter_pending_i (kmu_offer_i.kernel.groups.pending),
    .enter_graph_i   (kmu_offer_i.kernel.graph),
    .enter_wait_o    (enter_o.wait_bank),
    .enter_bank_o    (enter_o.bank),
    .enter_mark_o    (enter_o.mark),
    .held_i          (spill_held_i),
    .place_o         (place_o),
    .bank_room_o     (bank_room_o),
    .back_valid_i    (spill_back_i.valid),
    .back_bank_i     (spill_back_i.bank),
    .back_kdei_i     (spill_back_i.kdei),
    .back_info_i     (spill_back_i.info),
    .back_ready_o    (back_ready_o),
    .room_i          (room),
    .open_i          (open),
    .wide_i          (wide),
    .need_i          (kd_need_i),
    .group_o         (group),
    .group_at_o      (group_at),
    .group_bank_o    (group_bank),
    .group_entry_o   (group_entry),
    .group_need_o    (group_need),
    .come_o          (come),
    .come_at_o       (come_at),
    .back_at_o       (back_at),
    .come_bank_o     (come_bank),
    .come_level_o    (come_level),
    .come_entry_o    (come_entry),
    .come_nextbl_o   (come_nextbl),
    .come_need_o     (come_need)
  );

  // ---- Levels: arrival numbers and number of entries -------------------------------------------
  logic [NumBank-1:0] leave;           // the banks from which an entry leaves
  logic [NumBank*LevelW-1:0] front_level, second_level;
  logic [MaxLevel*LiveW-1:0] live;     // registers of u_levels

  hd_laperm_levels u_levels (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .open_o         (open),
    .wide_o         (wide),
    .group_i        (group),
    .group_level_i  (group_entry[LevelW-1:0]),
    .group_arrival_o(group_arrival),
    .come_i         (come),
    .come_level_i   (come_level),
    .come_arrival_o (come_arrival),
    .leave_i        (leave),
    .front_level_i  (front_level),
    .live_o         (live)
  );

  // ---- Banks ------------------------------------------------------------------------------------
  logic [NumBank*NeedW-1:0] front_need, bank_need;
  logic [NumBank*ArrivalW-1:0] front_arrival, second_arrival;
  logic [NumBank*KdeW-1:0] front_kdei, second_kdei;
  logic [NumBank-1:0] push_ready;      // unused: u_admit looks at room

  for (genvar b = 0; b < NumBank; b++) begin : g_bank
    logic [EntryW-1:0] push;

    // timing: the entry is selected before push is known, and its level first, because it
    // determines the entry's position. Entries of other banks do not affect it.
    assign push = {group_at[b] ? {group_entry[EntryW-1:LevelW+ArrivalW], group_arrival}
                       : {come_entry[EntryW-1:LevelW+ArrivalW], come_arrival},
                   back_at[b] ? spill_back_i.info.level
                       : group_at[b] ? group_entry[LevelW-1:0] : kmu_offer_i.kernel.level};

    hd_pq u_pq (
      .clk_i           (clk_i),
      .rst_ni          (rst_ni),
      .push_valid_i    (group_at[b] || come_at[b]),
      .push_i          (push),
      .push_nextbl_i   (group_at[b] ? '0 : come_nextbl),
      .push_need_i     (group_at[b] ? group_need : come_need),
      .push_kept_i     (back_at[b]),
      .push_ready_o    (push_ready[b]),
      .room_o          (room[b*3+:3]),
      .reserve_i       (spill_reserve_i[b]),
      .release_i       (spill_release_i[b*3+:3]),
      .need_i          (kd_need_i),
      .front_valid_o   (bank_valid_o[b]),
      .front_o         (bank_front_o[b*EntryW+:EntryW]),
      .front_nextbl_o  (bank_nextbl_o[b*CtasW+:CtasW]),
      .front_last_o    (bank_last_o[b]),
      .front_need_o    (front_need[b*NeedW+:NeedW]),
      .front_level_o   (front_level[b*LevelW+:LevelW]),
      .front_kdei_o    (front_kdei[b*KdeW+:KdeW]),
      .front_arrival_o (front_arrival[b*ArrivalW+:ArrivalW]),
      .second_level_o  (second_level[b*LevelW+:LevelW]),
      .second_arrival_o(second_arrival[b*ArrivalW+:ArrivalW]),
      .second_kdei_o   (second_kdei[b*KdeW+:KdeW]),
      .take_i          (sched_take_banks_i[b])
    );

    // timing: a TB that must wait is held back through its need, because the need is known early in
    // the cycle.
    assign bank_need[b*NeedW+:NeedW] = front_need[b*NeedW+:NeedW]
        | {NeedW{bank_valid_o[b] && kd_sav_full_i[front_kdei[b*KdeW+:KdeW]]}};
  end

  // ---- Leaving entries, the winner, and the next winner ----------------------------------------
  logic [NumBank-1:0] then_second, then_front;
  logic [KdeW-1:0] then_kdei;          // kernel of the winner's second
  logic [NeedW-1:0] then_need;         // need of the other bank's front

  assign leave = sched_take_banks_i & bank_last_o;

  hd_laperm_oldest u_oldest (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .valid_i         (bank_valid_o),
    .level_i         (front_level),
    .arrival_i       (front_arrival),
    .leave_i         (leave),
    .second_level_i  (second_level),
    .second_arrival_i(second_arrival),
    .group_i         (group),
    .group_bank_i    (group_bank),
    .group_level_i   (group_entry[LevelW-1:0]),
    .come_i          (come),
    .come_bank_i     (come_bank),
    .come_level_i    (come_entry[LevelW-1:0]),
    .winner_valid_o  (winner_valid_q),
    .winner_o        (winner_q),
    .then_second_o   (then_second),
    .then_front_o    (then_front)
  );

  logic then_some;
  assign then_some = (then_second | then_front) != '0;
  assign then_o.valid = then_some;

  // sim speed: skipped without a next winner.
  always_comb begin
    then_kdei = '0;
    then_need = '0;
    if (then_some) begin
      for (int b = 0; b < NumBank; b++) begin
        if (then_front[b]) then_need |= front_need[b*NeedW+:NeedW];
        if (then_second[b]) then_kdei |= second_kdei[b*KdeW+:KdeW];
      end
    end
    then_o.need = then_second != '0 ? kd_need_i[then_kdei*NeedW+:NeedW] : then_need;
  end

  // ---- Offers -----------------------------------------------------------------------------------
  logic [hd_pkg::NumSmx-1:0] backup_valid;  // registers of u_offers
  logic [hd_pkg::NumSmx*BankW-1:0] backup;

  hd_laperm_offers u_offers (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .policy_i      (regs_config_i.policy),
    .bank_valid_i  (bank_valid_o),
    .bank_need_i   (bank_need),
    .winner_valid_i(winner_valid_q),
    .winner_i      (winner_q),
    .take_valid_i  (sched_take_i.valid),
    .take_bank_i   (sched_take_i.bank),
    .take_smx_i    (sched_grant_i.smx),
    .take_spare_i  (sched_take_i.spare),
    .bound_valid_o (bound_valid_o),
    .bound_bank_o  (bound_bank_o),
    .bound_need_o  (bound_need_o),
    .spare_valid_o (spare_valid_o),
    .spare_bank_o  (spare_bank_o),
    .spare_need_o  (spare_need_o),
    .backup_valid_o(backup_valid),
    .backup_o      (backup)
  );

  // ---- Inversions -------------------------------------------------------------------------------
  hd_laperm_inversions u_inversions (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .policy_i      (regs_config_i.policy),
    .take_valid_i  (sched_take_i.valid),
    .take_bank_i   (sched_take_i.bank),
    .take_i        (sched_take_banks_i),
    .take_smx_i    (sched_grant_i.smx),
    .take_spare_i  (sched_take_i.spare),
    .front_level_i (front_level),
    .grant_valid_i (sched_grant_i.valid || sched_graph_take_i),
    .grant_level_i (sched_grant_i.level),
    .backup_valid_i(backup_valid),
    .backup_i      (backup),
    .held_i        (spill_held_i),
    .inversion_o   (inversion_o)
  );

  logic unused_bits;
  assign unused_bits = &{1'b0, group_entry, come_entry, push_ready};

`ifdef HD_ASSERT_ON
  logic [LiveW-1:0] all_live;
  logic [NumBank-1:0] held_at;         // banks with a held level

  always_comb begin
    for (int b = 0; b < NumBank; b++) held_at[b] = spill_held_i[b*MaxLevel+:MaxLevel] != '0;
    all_live = '0;
    for (int l = 0; l < MaxLevel; l++) all_live += live[l*LiveW+:LiveW];
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT(a_push, ((come_at & back_at) == '0
          || come_entry[LevelW-1:0] == spill_back_i.info.level)
          && ((come_at & ~back_at) == '0 || come_entry[LevelW-1:0] == kmu_offer_i.kernel.level),
          "An entry is pushed with a level other than that of its kernel or group.")
      `HD_ASSERT(a_live, winner_valid_q == (all_live != '0),
          "A winner must exist exactly if some level counts an entry.")
      `HD_ASSERT_IN(a_reserve, (spill_reserve_i & ~(place_o & held_at)) == '0,
          "spill reserves places of a bank without room (place_o), or without a held level.")
      if (sched_take_i.valid) begin
        `HD_ASSERT_IN(a_take, sched_take_i.spare ? spare_valid_o[sched_grant_i.smx]
            && spare_bank_o[sched_grant_i.smx*BankW+:BankW] == sched_take_i.bank
          : bound_valid_o[sched_grant_i.smx]
            && bound_bank_o[sched_grant_i.smx*BankW+:BankW] == sched_take_i.bank,
            "A TB is taken from a bank that was not offered to its SMX.")
      end
    end
  end
`endif

endmodule
