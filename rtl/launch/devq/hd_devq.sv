// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_devq: takes the launches of all SMXs, one beat a cycle, and carries each to its kernel, to the
// pool, or to the saved TBs.
//
//   dev_launch[s] --A0--> [queue of 2] --A1: check, search (match)--> [A2: slot (sched), room] --+
//   dev_answer[s] <-- [FIFO of each SMX] <-- [A3: link, pool, kin, kd, susp] <-------------------+
//
// From dtbl-isca2015 section 4.2 and dynamic-parallelism launches of CUDA. A group that finds no
// kernel, or does not fit an AGE, goes on as a device kernel (section 4.2). The stages, the codes,
// and saves in the launch stream are ours.
// - A0: round robin over the SMXs; a command of several beats keeps its SMX, for up to 32 beats and
//   as long as it offers one. A beat is taken only if a place for its answer is reserved (owed).
// - A1 waits for the search, and for room behind: a group for the next queue, a kernel or save for
//   the one before it to leave A3, and for the pool or the save FIFO. A2 and A3 never wait.
// - The KD holds the kernel that was found from A1 (hold_*) to A3 (unhold_*).
// - A2: a launch must come from a slot with a running TB; a kernel needs a stream place, a place in
//   the pool and a parent record, a save a parent record with place in memory.
// - A3 tells everyone (pulses) and answers.
// - Latency: taken at t, in A3 at t + 3, answer offered at t + 4; one group per cycle, one kernel
//   or save per 3 cycles. find_take_o and hold_* depend on match in the same cycle, a2_group_o and
//   a2_info_o on look_i, dev_launch_ready_o on the other SMXs' valid; all other outputs come from
//   registers.
// - Reset: all stages and FIFOs empty, nothing owed.
// Ports: devq.csv. Model cmodel/launch/devq, tests verif/unit and verif/equiv test_devq, page
// docs/launch/devq.md.
`include "common/hd_fault.svh"
module hd_devq (
  input  logic                                             clk_i,
  input  logic                                             rst_ni,
  // Launch commands of the SMXs
  input  logic [hd_pkg::NumSmx-1:0]                        dev_launch_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::DevlaunchW-1:0]     dev_launch_i,
  output logic [hd_pkg::NumSmx-1:0]                        dev_launch_ready_o,
  // Answers to the SMXs
  output logic [hd_pkg::NumSmx-1:0]                        dev_answer_valid_o,
  output logic [hd_pkg::NumSmx*hd_pkg::DevanswerW-1:0]     dev_answer_o,
  input  logic [hd_pkg::NumSmx-1:0]                        dev_answer_ready_i,
  // A1: search for a kernel (match)
  output logic                                             find_valid_o,
  output hd_pkg::key_t                                     find_key_o,
  output logic                                             find_first_o,
  output logic                                             find_take_o,
  input  logic                                             found_i,
  input  logic                                             found_hit_i,
  input  logic [hd_pkg::KdeW-1:0]                          found_kdei_i,
  // A1: the kernel is held (kd)
  output logic                                             hold_valid_o,
  output logic [hd_pkg::KdeW-1:0]                          hold_kdei_o,
  // A1: the slot of the launching TB (sched)
  output logic [hd_pkg::SmxW-1:0]                          look_smx_o,
  output logic [hd_pkg::SlotW-1:0]                         look_slot_o,
  input  hd_pkg::look_t                                    look_i,
  // Room for what comes (link, pool, kin)
  input  logic                                             next_room_i,
  input  logic                                             pool_ready_i,
  input  logic                                             pool_full_i,
  input  logic [hd_pkg::NumStreams-1:0]                    stream_ok_i,
  input  logic                                             kin_free_i,
  input  logic [hd_pkg::KinW-1:0]                          kin_alloc_i,
  // The kernels of the KD: parent records, saved lists (kd)
  input  logic [hd_pkg::NumKde-1:0]                        kin_valid_i,
  input  logic [hd_pkg::NumKde*hd_pkg::KinW-1:0]           kin_i,
  input  logic [hd_pkg::NumKde-1:0]                        save_ok_i,
  input  logic [hd_pkg::NumKde*hd_pkg::SavW-1:0]           sav_first_i,
  input  logic [hd_pkg::NumKde*hd_pkg::SavCountW-1:0]      sav_count_i,
  // Room for saves (susp), sizes of the regions (regs)
  input  logic                                             save_room_i,
  input  logic [31:0]                                      rec_count_i,
  input  logic [31:0]                                      sus_count_i,
  // A2: a group on its way (link, laperm, agt)
  output logic                                             a2_group_o,
  output logic [hd_pkg::KdeW-1:0]                          a2_kdei_o,
  output logic [hd_pkg::SmxW-1:0]                          a2_smx_o,
  output logic [hd_pkg::HwtidW-1:0]                        a2_hwtid_o,
  output logic [hd_pkg::RecW-1:0]                          a2_record_o,
  output hd_pkg::info_t                                    a2_info_o,
  // A3: what became of the group (link, laperm, kd)
  input  logic                                             kept_i,
  input  logic                                             full_i,
  output logic                                             unhold_valid_o,
  output logic [hd_pkg::KdeW-1:0]                          unhold_kdei_o,
  // A3: a device kernel (pool)
  output logic                                             push_valid_o,
  output hd_pkg::devk_t                                    push_o,
  // A3: a kernel gets a child (kd, kin)
  output logic                                             birth_valid_o,
  output logic [hd_pkg::KdeW-1:0]                          birth_kdei_o,
  output logic [hd_pkg::KinW-1:0]                          birth_kin_o,
  output logic                                             birth_new_o,
  // A3: a TB is saved (kd, susp)
  output logic                                             save_valid_o,
  output logic [hd_pkg::KdeW-1:0]                          save_kdei_o,
  output logic [hd_pkg::KinW-1:0]                          save_kin_o,
  output logic [hd_pkg::SavW-1:0]                          save_pos_o,
  output hd_pkg::saved_t                                   save_entry_o,
  // A3: what is counted (regs)
  output logic [6:0]                                       dev_event_o,
  output logic [hd_pkg::CodeW-1:0]                         dev_code_o,
  output logic [hd_pkg::KindW-1:0]                         dev_kind_o
);

  localparam int NumSmx = hd_pkg::NumSmx;
  localparam int AnsDepth = hd_pkg::AnsDepth;
  localparam int SmxW = hd_pkg::SmxW;
  localparam int SlotW = hd_pkg::SlotW;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int KindW = hd_pkg::KindW;
  localparam int KinW = hd_pkg::KinW;
  localparam int LaneW = hd_pkg::LaneW;
  localparam int LevelW = hd_pkg::LevelW;
  localparam int CodeW = hd_pkg::CodeW;
  localparam int StreamW = hd_pkg::StreamW;
  localparam int SavW = hd_pkg::SavW;
  localparam int SavCountW = hd_pkg::SavCountW;
  localparam int LaunchW = hd_pkg::DevlaunchW;
  localparam int AnswerW = hd_pkg::DevanswerW;
  localparam int AnsCountW = hd_pkg::AnsCountW;
  localparam int SavSumW = SavCountW + 1;

  logic lock_valid_q, lock_valid_d;
  logic [SmxW-1:0] lock_smx_q;
  logic [LaneW-1:0] lock_left_q;
  logic [SmxW-1:0] ptr_q;
  logic [NumSmx*AnsCountW-1:0] owed_q;
  logic a2_valid_q, a3_valid_q;

  // ---- A0: one beat of one SMX ------------------------------------------------------------------
  logic q_full, q_empty, q_push, q_pop;
  logic [NumSmx-1:0] open, asks, from_ptr, behind, behind_from_ptr, turn, taken, given;
  logic [SmxW-1:0] taken_smx, lock_base;
  hd_pkg::devlaunch_t taken_beat;

  for (genvar s = 0; s < NumSmx; s++) begin : g_open
    assign open[s] = owed_q[s*AnsCountW+:AnsCountW]
        < AnsCountW'(`HD_FAULT(167, AnsDepth, AnsDepth + 1));
  end

  assign asks = dev_launch_valid_i & open;
  assign from_ptr = {NumSmx{1'b1}} << ptr_q;

  // behind: some lower SMX asks; behind_from_ptr: one at or after the pointer.
  always_comb begin
    behind = asks << 1;
    behind_from_ptr = (asks & from_ptr) << 1;
    for (int b = 0; b < SmxW; b++) begin
      behind = behind | (behind << (1 << b));
      behind_from_ptr = behind_from_ptr | (behind_from_ptr << (1 << b));
    end
  end

  assign turn = lock_valid_q ? ({{NumSmx - 1{1'b0}}, 1'b1} << lock_smx_q)
      : (from_ptr & ~behind_from_ptr)
      | (~from_ptr & ~behind & {NumSmx{(asks & from_ptr) == '0}});
  assign dev_launch_ready_o = open & turn & {NumSmx{!q_full}};
  assign taken = dev_launch_valid_i & dev_launch_ready_o;
  assign q_push = taken != '0;
  assign given = dev_answer_valid_o & dev_answer_ready_i;

  always_comb begin
    taken_smx  = '0;
    taken_beat = '0;
    for (int s = 0; s < NumSmx; s++) begin
      if (taken[s]) begin
        taken_smx  = taken_smx | SmxW'(s);
        taken_beat = taken_beat | dev_launch_i[s*LaunchW+:LaunchW];
      end
    end
  end

  // The lock goes with the last beat, with the 32nd, and in a cycle without a beat: a silent SMX
  // does not hold up the others.
  assign lock_base = lock_valid_q ? lock_smx_q : taken_smx;
  assign lock_valid_d = `HD_FAULT(31, q_push
      ? !taken_beat.last && (!lock_valid_q || lock_left_q != LaneW'(`HD_FAULT(166, 1, 2)))
      : lock_valid_q && q_full,
      1'b0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lock_valid_q <= 1'b0;
      ptr_q        <= '0;
      owed_q       <= '0;
    end else begin
      lock_valid_q <= lock_valid_d;
      if ((taken | given) != '0) begin
        for (int s = 0; s < NumSmx; s++) begin
          if (taken[s] && !given[s]) begin
            owed_q[s*AnsCountW+:AnsCountW] <= owed_q[s*AnsCountW+:AnsCountW] + AnsCountW'(1);
          end else if (`HD_FAULT(32, !taken[s], 1'b1) && given[s]) begin
            owed_q[s*AnsCountW+:AnsCountW] <= owed_q[s*AnsCountW+:AnsCountW] - AnsCountW'(1);
          end
        end
      end
      if ((q_push || lock_valid_q) && !lock_valid_d) begin
        ptr_q <= (lock_base == SmxW'(NumSmx - 1)) ? '0 : lock_base + SmxW'(1);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (q_push) begin
      lock_smx_q  <= lock_base;
      lock_left_q <= lock_valid_q ? lock_left_q - LaneW'(1) : LaneW'(31);
    end
  end

  // ---- A1: check and search ---------------------------------------------------------------------
  hd_pkg::devlaunch_t a1;
  logic [SmxW-1:0] a1_smx;
  logic a1_first;  // of the beats that an SMX sends without another in between
  logic a1_group, a1_save, a1_bad, over_record, unknown_stream, fits;
  logic is_group, is_kernel, is_save, one_at_a_time, may_go, take;
  hd_pkg::code_e need_code, a1_code;
  hd_pkg::need_t a1_need;

  hd_pair #(.Width(1 + SmxW + LaunchW)) u_q (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (q_push),
    .data_i ({!lock_valid_q, taken_smx, taken_beat}),
    .full_o (q_full),
    .pop_i  (q_pop),
    .data_o ({a1_first, a1_smx, a1}),
    .empty_o(q_empty)
  );

  hd_kmu_need u_need (
    .desc_i   (a1.desc),
    .threads_i(a1.threads),
    .regs_i   (a1.regs),
    .smem_i   (a1.smem),
    .ctas_i   (a1.ctas),
    .code_o   (need_code),
    .need_o   (a1_need)
  );

  // Whether the oldest beat is a group's is kept beside the queue: the search begins with it.
  logic head_group_q, tail_group_q, taken_group;

  assign taken_group = q_push && taken_beat.kind == hd_pkg::KindGroup;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) head_group_q <= 1'b0;
    else if (q_empty || q_pop) head_group_q <= q_full ? tail_group_q : taken_group;
  end

  always_ff @(posedge clk_i) begin
    if (q_push) tail_group_q <= taken_group;
  end

  assign a1_group = head_group_q;
  assign a1_save = !q_empty && a1.kind == hd_pkg::KindSave;
  assign over_record = a1_group && 32'(a1.record) >= rec_count_i;
  assign unknown_stream = 32'(a1.stream) >= hd_pkg::NumStreams;

  // Of the kinds one is not defined: its launches are over a limit.
  always_comb begin
    if (a1.kind == hd_pkg::KindSave) a1_code = hd_pkg::CodeAccepted;
    else if (a1.kind > hd_pkg::KindSave) a1_code = hd_pkg::CodeOverLimit;
    else if (need_code == hd_pkg::CodeZeroDim) a1_code = need_code;
    else if (over_record) a1_code = hd_pkg::CodeOverLimit;
    else if (need_code != hd_pkg::CodeAccepted) a1_code = need_code;
    else if (unknown_stream) a1_code = hd_pkg::CodeUnknownHwq;
    else a1_code = hd_pkg::CodeAccepted;
  end

  // What an AGE can hold; anything else goes on as a kernel.
  assign fits = 32'(a1.desc.grid_x) >> hd_pkg::GroupXW == '0
      && 32'(a1.desc.grid_y) >> hd_pkg::GroupYW == '0
      && 32'(a1.desc.grid_z) >> hd_pkg::GroupZW == '0 && a1.desc.param[5:0] == '0;

  // The key does not wait for the check, which takes a multiplication: find_valid_o does.
  assign a1_bad       = a1_code != hd_pkg::CodeAccepted;
  assign find_valid_o = a1_group && !a1_bad && fits;
  assign find_key_o   = {a1.desc.pc, a1.desc.cta_x, a1.desc.cta_y, a1.desc.cta_z,
      hd_pkg::SmemUnitsW'(a1.smem)} & {hd_pkg::KeyW{a1_group}};
  assign look_smx_o   = a1_smx & {SmxW{!q_empty}};
  assign look_slot_o  = a1.slot & {SlotW{!q_empty}};

  assign is_group  = find_valid_o && found_hit_i;
  assign is_save   = a1_save;
  assign is_kernel = !q_empty && !a1_save && !a1_bad && !is_group;

  // A kernel or save finds in A3 what it saw in A2: no other may be between.
  assign may_go = is_group ? next_room_i
      : a1_bad || (!one_at_a_time && (is_save ? save_room_i : pool_ready_i));
  assign take = !q_empty && (!find_valid_o || found_i) && may_go;
  assign q_pop = take;
  assign find_take_o = take && find_valid_o;
  assign find_first_o = a1_first && !q_empty;
  assign hold_valid_o = take && is_group;
  assign hold_kdei_o = found_kdei_i & {KdeW{hold_valid_o}};

  // ---- A2: who launches, and is there room ------------------------------------------------------
  // Registers of A2 and A3 follow in every cycle; only the valid bits tell. What belongs to a
  // kernel or save alone (one_q) stays for both stages, as there is one at a time.
  logic a2_is_group_q, a2_is_kernel_q, a2_is_save_q, a3_is_group_q, a3_is_kernel_q, a3_is_save_q;
  hd_pkg::devanswer_t a2_answer_q, a3_answer_q, a3_answer;
  logic [SmxW-1:0] a2_smx_q, a3_smx_q;
  logic [KdeW-1:0] a2_kdei_q, a3_kdei_q;
  logic [hd_pkg::HwtidW-1:0] a2_hwtid_q;
  logic [hd_pkg::RecW-1:0] a2_record_q;
  hd_pkg::info_t a2_info_q, a2_info;
  hd_pkg::devk_t one_q;

  assign one_at_a_time = a2_is_kernel_q || a2_is_save_q || a3_is_kernel_q || a3_is_save_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      a2_valid_q     <= 1'b0;
      a2_is_group_q  <= 1'b0;
      a2_is_kernel_q <= 1'b0;
      a2_is_save_q   <= 1'b0;
      a3_valid_q     <= 1'b0;
      a3_is_group_q  <= 1'b0;
      a3_is_kernel_q <= 1'b0;
      a3_is_save_q   <= 1'b0;
    end else begin
      a2_valid_q     <= take;
      a2_is_group_q  <= hold_valid_o;
      a2_is_kernel_q <= take && is_kernel;
      a2_is_save_q   <= take && is_save;
      a3_valid_q     <= a2_valid_q;
      a3_is_group_q  <= a2_is_group_q;
      a3_is_kernel_q <= a2_is_kernel_q;
      a3_is_save_q   <= a2_is_save_q;
    end
  end

  always_ff @(posedge clk_i) begin
    a2_answer_q      <= {a1.kind, a1.lane, a1.slot, a1_code};
    a2_smx_q         <= a1_smx;
    a2_kdei_q        <= found_kdei_i;
    a2_hwtid_q       <= a1.hwtid;
    a2_record_q      <= a1.record;
    a2_info_q.grid_x <= hd_pkg::GroupXW'(a1.desc.grid_x);
    a2_info_q.grid_y <= hd_pkg::GroupYW'(a1.desc.grid_y);
    a2_info_q.grid_z <= hd_pkg::GroupZW'(a1.desc.grid_z);
    a2_info_q.ctas   <= a1.ctas;
    a2_info_q.param  <= hd_pkg::ParamUnitsW'(a1.desc.param >> 6);
    a2_info_q.level  <= '0;
    if (`HD_FAULT(168, !one_at_a_time, 1'b1)) begin
      one_q.desc   <= a1.desc;
      one_q.need   <= a1_need;
      one_q.ctas   <= a1.ctas;
      one_q.level  <= '0;
      one_q.stream <= StreamW'(a1.stream);
      one_q.up     <= '0;
      one_q.smx    <= '0;
    end
  end

  logic has_kin, refused;
  logic [KinW-1:0] its_kin, up;
  logic [LevelW-1:0] child_level, level;
  logic [SavSumW-1:0] sav_sum;
  logic [SavW-1:0] sav_pos;
  hd_pkg::code_e a2_code;

  assign has_kin = kin_valid_i[look_i.kdei];
  assign its_kin = kin_i[look_i.kdei*KinW+:KinW];
  assign up      = has_kin ? its_kin : kin_alloc_i;

  assign child_level = (32'(look_i.level) < `HD_FAULT(42, hd_pkg::MaxLevel, hd_pkg::MaxLevel + 1))
      ? look_i.level + LevelW'(1) : LevelW'(hd_pkg::MaxLevel);
  assign level = a2_is_save_q ? look_i.level : child_level;

  // The saved list is a ring of SavMax places.
  assign sav_sum = SavSumW'(sav_first_i[look_i.kdei*SavW+:SavW])
      + SavSumW'(sav_count_i[look_i.kdei*SavCountW+:SavCountW]);
  assign sav_pos = (sav_sum >= SavSumW'(hd_pkg::SavMax)) ? SavW'(sav_sum - SavSumW'(hd_pkg::SavMax))
      : SavW'(sav_sum);

  always_comb begin
    refused = 1'b0;
    if (a2_is_kernel_q) begin
      refused = !stream_ok_i[one_q.stream] || pool_full_i || (!has_kin && !kin_free_i);
    end
    if (a2_is_save_q) refused = !save_ok_i[look_i.kdei] || 32'(its_kin) >= sus_count_i;
  end

  always_comb begin
    a2_code = a2_answer_q.code;
    if (a2_is_group_q || a2_is_kernel_q || a2_is_save_q) begin
      if (!look_i.valid) a2_code = hd_pkg::CodeEmptySlot;
      else if (refused) a2_code = hd_pkg::CodeRefused;
    end
  end

  always_comb begin
    a2_info = a2_info_q;
    a2_info.level = level;
  end

  assign a2_group_o  = a2_is_group_q && look_i.valid;
  assign a2_kdei_o   = a2_kdei_q & {KdeW{a2_group_o}};
  assign a2_smx_o    = a2_smx_q & {SmxW{a2_group_o}};
  assign a2_hwtid_o  = a2_hwtid_q & {hd_pkg::HwtidW{a2_group_o}};
  assign a2_record_o = a2_record_q & {hd_pkg::RecW{a2_group_o}};
  assign a2_info_o   = a2_group_o ? a2_info : '0;

  // ---- A3: everyone is told ---------------------------------------------------------------------
  logic a3_new_q, accepted, was_refused, from_group, group_taken, group_full;
  logic [KinW-1:0] a3_up_q;
  logic [LevelW-1:0] a3_level_q;
  logic [SavW-1:0] a3_pos_q;

  always_ff @(posedge clk_i) begin
    a3_answer_q      <= a2_answer_q;
    a3_answer_q.code <= a2_code;
    a3_smx_q         <= a2_smx_q;
    a3_kdei_q        <= a2_is_group_q ? a2_kdei_q : look_i.kdei;
    a3_new_q         <= !has_kin;
    a3_up_q          <= up;
    a3_level_q       <= level;
    a3_pos_q         <= sav_pos;
  end

  assign group_full  = a3_is_group_q && accepted && full_i;
  assign group_taken = a3_is_group_q && accepted && !full_i;
  assign accepted = a3_valid_q && a3_answer_q.code == hd_pkg::CodeAccepted;

  always_comb begin
    a3_answer = a3_answer_q;
    if (group_taken && kept_i) a3_answer.code = hd_pkg::CodeKept;
    if (group_full) a3_answer.code = hd_pkg::CodeRefused;
  end

  // An empty slot ends the hold of the group's kernel, too.
  assign unhold_valid_o = a3_is_group_q
      && `HD_FAULT(33, 1'b1, a3_answer_q.code != hd_pkg::CodeEmptySlot);
  assign unhold_kdei_o  = a3_kdei_q & {KdeW{unhold_valid_o}};

  assign push_valid_o  = a3_is_kernel_q && accepted;
  assign birth_valid_o = push_valid_o;
  assign birth_kdei_o  = a3_kdei_q & {KdeW{push_valid_o}};
  assign birth_kin_o   = a3_up_q & {KinW{push_valid_o}};
  assign birth_new_o   = a3_new_q && push_valid_o;

  always_comb begin
    push_o = '0;
    if (push_valid_o) begin
      push_o = one_q;
      push_o.level = a3_level_q;
      push_o.up = a3_up_q;
      push_o.smx = a3_smx_q;
    end
  end

  assign save_valid_o = a3_is_save_q && accepted;
  assign save_kdei_o  = a3_kdei_q & {KdeW{save_valid_o}};
  assign save_kin_o   = a3_up_q & {KinW{save_valid_o}};
  assign save_pos_o   = a3_pos_q & {SavW{save_valid_o}};
  assign save_entry_o = save_valid_o ? {one_q.desc.param, a3_level_q} : '0;

  // bad, refused, save, unmatched, kept, group, kernel
  assign was_refused = (a3_valid_q && a3_answer_q.code == hd_pkg::CodeRefused) || group_full;
  assign from_group  = a3_answer_q.kind == hd_pkg::KindGroup;
  assign dev_event_o = {a3_valid_q && !accepted && !was_refused, was_refused, save_valid_o,
      push_valid_o && from_group, group_taken && kept_i, group_taken && !kept_i, push_valid_o && !from_group};
  assign dev_code_o  = a3_answer.code & {CodeW{a3_valid_q}};
  assign dev_kind_o  = a3_answer_q.kind & {KindW{a3_valid_q}};

  // ---- Answers ----------------------------------------------------------------------------------
  logic [NumSmx-1:0] answer_full, answer_empty;

  for (genvar s = 0; s < NumSmx; s++) begin : g_answer
    hd_fifo #(.Width(AnswerW), .Depth(AnsDepth)) u_answer (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .push_i (a3_valid_q && a3_smx_q == SmxW'(s)),
      .data_i (a3_answer),
      .full_o (answer_full[s]),
      .pop_i  (dev_answer_valid_o[s] && dev_answer_ready_i[s]),
      .data_o (dev_answer_o[s*AnswerW+:AnswerW]),
      .empty_o(answer_empty[s])
    );
  end
  assign dev_answer_valid_o = ~answer_empty;

  // owed_q keeps a place for each answer; the last beat of a command ends its turn in A0.
  logic unused_bits;
  assign unused_bits = &{1'b0, answer_full, a1.last};

`ifdef VERILATOR
  logic [NumSmx-1:0] waiting_q;  // an answer was offered in the last cycle and not taken
  logic [NumSmx*AnswerW-1:0] offered_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waiting_q <= '0;
    else waiting_q <= dev_answer_valid_o & ~dev_answer_ready_i;
  end

  always_ff @(posedge clk_i) begin
    offered_q <= dev_answer_o;
    if (rst_ni) begin
      // The bit beside the queue is right.
      a_head_group : assert (head_group_q == (!q_empty && a1.kind == hd_pkg::KindGroup));
      // One beat a cycle, of an SMX that has a place for its answer.
      a_one : assert ($onehot0(taken) && (taken & ~open) == '0);
      // The pointer and the lock name an SMX.
      a_range : assert (32'(ptr_q) < NumSmx && (!lock_valid_q || 32'(lock_smx_q) < NumSmx));
      // A beat in A2 or A3 is at most one of the three; one kernel or save at a time.
      a_mode : assert ($onehot0({a2_is_group_q, a2_is_kernel_q, a2_is_save_q})
          && $onehot0({a2_is_kernel_q, a2_is_save_q, a3_is_kernel_q, a3_is_save_q}));
      // A search answers a question; a hit comes with the answer.
      a_found : assert ((!found_i || find_valid_o) && (!found_hit_i || found_i));
      // A kernel that can keep a save has a parent record.
      a_save_ok : assert ((save_ok_i & ~kin_valid_i) == '0);
      // One event for each answer.
      a_event : assert ($countones(dev_event_o) == 32'(a3_valid_q));
      // An offered answer stays until it is taken.
      a_answer_waits : assert ((waiting_q & ~dev_answer_valid_o) == '0);
      for (int s = 0; s < NumSmx; s++) begin
        if (waiting_q[s]) begin
          a_answer_stable : assert (dev_answer_o[s*AnswerW+:AnswerW] == offered_q[s*AnswerW+:AnswerW]);
        end
      end
    end
  end
  // The rare: a lock that a silent SMX loses, one that ends with the 32nd beat, an SMX without a
  // place for answers, A1 waits for each reason, a save whose place wraps.
  c_lock_lost :
  cover property (@(posedge clk_i) lock_valid_q && !q_full && !q_push);
  c_lock_long :
  cover property (@(posedge clk_i) q_push && lock_valid_q && !taken_beat.last && !lock_valid_d);
  c_owed :
  cover property (@(posedge clk_i) open != '1);
  c_wait_search :
  cover property (@(posedge clk_i) find_valid_o && !found_i);
  c_wait_room :
  cover property (@(posedge clk_i) is_group && !next_room_i);
  c_wait_turn :
  cover property (@(posedge clk_i) (is_kernel || is_save) && one_at_a_time);
  c_wrap :
  cover property (@(posedge clk_i) save_valid_o && 32'(sav_sum) >= hd_pkg::SavMax);
`endif

endmodule
