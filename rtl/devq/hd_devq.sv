// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_devq: takes the launch commands of all SMXs, one beat per cycle, judges each beat and answers
// it.
//
//   dev_launch[s] --> round robin, --> [u_q] --> A1 --> [A2] --------> [A3] --> [u_answer] of SMX s
//    (a lane a beat)  kept to `last`    (2)      |        |              |
//                                     match: kernel?  sched: slot?    link: Kept?
//                                     hold of its KDE  link: AGE       push, birth, save, unhold
//
// From dtbl-isca2015 sections 4.1 and 4.2 (aggregation commands, processed in lane order); the
// pipeline, the codes, the answers and the command `save` are ours.
// - A command is one beat per lane, the last one marked. The grant stays with the SMX until then,
//   for 32 beats at most, or until it offers nothing: a silent SMX does not hold up the others.
// - owed[s] counts the beats of SMX s whose answer is not taken: fewer than the answer FIFO has
//   places. So A2 and A3 never stall, and an SMX that does not take its answers stops only itself.
// - A1: the codes that need no other block; a group that fits an AGE searches for an eligible kernel.
//   Found: the kernel is held. Not found, or it does not fit: it goes on as a device kernel.
// - A2: the TB that launches must run. A kernel needs a place in the pool, its stream and a parent
//   record; a save a place in memory and in the kernel's list. Kernels and saves go one at a time
//   through A2 and A3, so that what A2 reads holds in A3; groups follow each other in each cycle.
// - A3: the launch takes place; the answer is queued.
// - Latency: beat taken at t, A1 t+1 (idle pipe), A3 t+3, answer offered t+4. One group per cycle.
//   dev_launch_ready depends on other SMXs' valid, never on its own; find_*, hold_* and look_* on
//   the head of u_q and on match; other outputs come from registers.
// - Reset: nothing taken, nothing owed, pointer 0.
// Ports: devq.csv. Model cmodel/devq, tests verif/unit and verif/equiv test_devq, page docs/devq.md.
`include "common/hd_fault.svh"
module hd_devq (
  input  logic                                          clk_i,
  input  logic                                          rst_ni,
  input  logic [hd_pkg::NumSmx-1:0]                     dev_launch_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::DevlaunchW-1:0]  dev_launch_i,
  output logic [hd_pkg::NumSmx-1:0]                     dev_launch_ready_o,
  output logic [hd_pkg::NumSmx-1:0]                     dev_answer_valid_o,
  output logic [hd_pkg::NumSmx*hd_pkg::DevanswerW-1:0]  dev_answer_o,
  input  logic [hd_pkg::NumSmx-1:0]                     dev_answer_ready_i,
  output logic                                          find_valid_o,
  output hd_pkg::key_t                                  find_key_o,
  output logic                                          find_last_o,
  output logic                                          find_take_o,
  input  logic                                          found_i,
  input  logic                                          found_hit_i,
  input  logic [hd_pkg::KdeW-1:0]                       found_kdei_i,
  output logic                                          hold_valid_o,
  output logic [hd_pkg::KdeW-1:0]                       hold_kdei_o,
  output logic [hd_pkg::SmxW-1:0]                       look_smx_o,
  output logic [hd_pkg::SlotW-1:0]                      look_slot_o,
  input  hd_pkg::look_t                                 look_i,
  input  logic                                          next_room_i,
  input  logic                                          pool_ready_i,
  input  logic                                          pool_full_i,
  input  logic [hd_pkg::NumStreams-1:0]                 stream_ok_i,
  input  logic                                          kin_free_i,
  input  logic [hd_pkg::KinW-1:0]                       kin_alloc_i,
  input  logic [hd_pkg::NumKde-1:0]                     kin_valid_i,
  input  logic [hd_pkg::NumKde*hd_pkg::KinW-1:0]        kin_i,
  input  logic [hd_pkg::NumKde-1:0]                     save_ok_i,
  input  logic [hd_pkg::NumKde*hd_pkg::SavW-1:0]        sav_first_i,
  input  logic [hd_pkg::NumKde*hd_pkg::SavCountW-1:0]   sav_count_i,
  input  logic                                          save_room_i,
  input  logic [31:0]                                   rec_count_i,
  input  logic [31:0]                                   sus_count_i,
  output logic                                          a2_group_o,
  output logic [hd_pkg::KdeW-1:0]                       a2_kdei_o,
  output logic [hd_pkg::SmxW-1:0]                       a2_smx_o,
  output logic [hd_pkg::HwtidW-1:0]                     a2_hwtid_o,
  output logic [hd_pkg::RecW-1:0]                       a2_record_o,
  output hd_pkg::info_t                                 a2_info_o,
  input  logic                                          kept_i,
  output logic                                          unhold_valid_o,
  output logic [hd_pkg::KdeW-1:0]                       unhold_kdei_o,
  output logic                                          push_valid_o,
  output hd_pkg::devk_t                                 push_o,
  output logic                                          birth_valid_o,
  output logic [hd_pkg::KdeW-1:0]                       birth_kdei_o,
  output logic [hd_pkg::KinW-1:0]                       birth_kin_o,
  output logic                                          birth_new_o,
  output logic                                          save_valid_o,
  output logic [hd_pkg::KdeW-1:0]                       save_kdei_o,
  output logic [hd_pkg::KinW-1:0]                       save_kin_o,
  output logic [hd_pkg::SavW-1:0]                       save_pos_o,
  output hd_pkg::saved_t                                save_entry_o,
  output logic [6:0]                                    dev_event_o,
  output logic [hd_pkg::CodeW-1:0]                      dev_code_o,
  output logic [hd_pkg::KindW-1:0]                      dev_kind_o
);

  localparam int NumSmx = hd_pkg::NumSmx;
  localparam int SmxW = hd_pkg::SmxW;
  localparam int LaneW = hd_pkg::LaneW;
  localparam int LaunchW = hd_pkg::DevlaunchW;
  localparam int AnswerW = hd_pkg::DevanswerW;
  localparam int OwedW = hd_pkg::AnsCountW;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int KinW = hd_pkg::KinW;
  localparam int LevelW = hd_pkg::LevelW;
  localparam int SavW = hd_pkg::SavW;
  localparam int SavCountW = hd_pkg::SavCountW;
  localparam int StreamW = hd_pkg::StreamW;
  localparam int SavSumW = SavCountW + 1;

  // What becomes of a beat.
  localparam logic [1:0] ModeBad = 2'd0;
  localparam logic [1:0] ModeKernel = 2'd1;
  localparam logic [1:0] ModeGroup = 2'd2;
  localparam logic [1:0] ModeSave = 2'd3;

  logic lock_valid_q;
  logic [SmxW-1:0] lock_smx_q, ptr_q;
  logic [LaneW-1:0] lock_left_q;
  logic [NumSmx*OwedW-1:0] owed_q;
  logic a2_valid_q, a3_valid_q;

  // ---- A0: choice of the SMX --------------------------------------------------------------------
  logic can, some_taken;
  logic [NumSmx-1:0] open, requests, after, ahead_low, ahead_after, ready, taken, answered;
  logic [SmxW-1:0] taken_smx, taken_next;
  hd_pkg::devlaunch_t taken_beat;
  logic [NumSmx-1:0] taken_onehot;

  for (genvar s = 0; s < NumSmx; s++) begin : g_owed
    assign open[s] = 32'(owed_q[s*OwedW+:OwedW]) < hd_pkg::AnsDepth;
  end

  // ahead_x[s]: some SMX below s asks. Those at or after the pointer come first.
  assign requests = dev_launch_valid_i & open;
  assign after = requests & ({NumSmx{1'b1}} << ptr_q);
  always_comb begin
    ahead_low   = requests << 1;
    ahead_after = after << 1;
    for (int b = 0; b < SmxW; b++) begin
      ahead_low   = ahead_low | (ahead_low << (1 << b));
      ahead_after = ahead_after | (ahead_after << (1 << b));
    end
  end

  for (genvar s = 0; s < NumSmx; s++) begin : g_ready
    assign ready[s] = lock_valid_q ? lock_smx_q == SmxW'(s)
        : 32'(ptr_q) <= s ? !ahead_after[s] : !(|after) && !ahead_low[s];
  end
  assign dev_launch_ready_o = ready & open & {NumSmx{can}};
  assign taken = dev_launch_valid_i & dev_launch_ready_o;

  hd_rr_arb #(.N(NumSmx), .IdxW(SmxW)) u_taken (
    .req_i  (taken),  // one at most: only its index is made here
    .ptr_i  ('0),
    .grant_o(taken_onehot),
    .index_o(taken_smx),
    .valid_o(some_taken),
    .next_o (taken_next)
  );

  assign taken_beat = dev_launch_i[taken_smx*LaunchW+:LaunchW];

  logic keep, lost;  // the grant stays with the SMX; it is lost because nothing comes
  assign keep = !taken_beat.last && !(lock_valid_q && lock_left_q == LaneW'(1));
  assign lost = lock_valid_q && can && !some_taken;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lock_valid_q <= 1'b0;
      ptr_q        <= '0;
    end else begin
      if (some_taken) lock_valid_q <= `HD_FAULT(70, keep, 1'b0);
      else if (lost) lock_valid_q <= 1'b0;
      if (some_taken && !keep) ptr_q <= taken_next;
      else if (lost) ptr_q <= (lock_smx_q == SmxW'(NumSmx - 1)) ? '0 : lock_smx_q + SmxW'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (some_taken) begin
      lock_smx_q  <= taken_smx;
      lock_left_q <= lock_valid_q ? lock_left_q - LaneW'(1) : '1;
    end
  end

  for (genvar s = 0; s < NumSmx; s++) begin : g_count
    assign answered[s] = dev_answer_valid_o[s] && dev_answer_ready_i[s];
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        owed_q[s*OwedW+:OwedW] <= '0;
      end else if (taken[s] != answered[s]) begin
        owed_q[s*OwedW+:OwedW] <= taken[s] ? owed_q[s*OwedW+:OwedW] + OwedW'(1)
            : owed_q[s*OwedW+:OwedW] - OwedW'(1);
      end
    end
  end

  // ---- A1: judge and search ---------------------------------------------------------------------
  logic q_full, q_empty, take;
  logic [SmxW-1:0] a1_smx;
  hd_pkg::devlaunch_t a1;

  assign can = !q_full;

  hd_fifo #(.Width(SmxW + LaunchW), .Depth(2)) u_q (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (some_taken),
    .data_i ({taken_smx, taken_beat}),
    .full_o (q_full),
    .pop_i  (take),
    .data_o ({a1_smx, a1}),
    .empty_o(q_empty)
  );

  hd_pkg::launch_t a1_launch;
  hd_pkg::hwqrow_t a1_kernel;
  hd_pkg::code_e checked;
  hd_pkg::code_e code1;
  logic is_group, is_save, fits, search, alone;
  logic [1:0] mode;

  always_comb begin
    a1_launch         = '0;
    a1_launch.desc    = a1.desc;
    a1_launch.threads = a1.threads;
    a1_launch.regs    = a1.regs;
    a1_launch.smem    = a1.smem;
    a1_launch.ctas    = a1.ctas;
  end

  hd_kmu_check u_check (
    .launch_i  (a1_launch),
    .hwq_full_i(1'b0),
    .code_o    (checked),
    .kernel_o  (a1_kernel)
  );

  assign is_group = a1.kind == hd_pkg::KindGroup;
  assign is_save  = a1.kind == hd_pkg::KindSave;

  always_comb begin
    if (is_save) code1 = hd_pkg::CodeAccepted;
    else if (!is_group && a1.kind != hd_pkg::KindKernel) code1 = hd_pkg::CodeOverLimit;
    else if (checked == hd_pkg::CodeZeroDim) code1 = hd_pkg::CodeZeroDim;
    else if (is_group && 32'(a1.record) >= rec_count_i) code1 = hd_pkg::CodeOverLimit;
    else if (checked != hd_pkg::CodeAccepted) code1 = checked;
    else if (32'(a1.stream) >= hd_pkg::NumStreams) code1 = hd_pkg::CodeUnknownHwq;
    else code1 = hd_pkg::CodeAccepted;
  end

  assign fits = a1.desc.grid_x[hd_pkg::GridXW-1:hd_pkg::GroupXW] == '0
      && 32'(a1.desc.grid_y) < 1 << hd_pkg::GroupYW && 32'(a1.desc.grid_z) < 1 << hd_pkg::GroupZW
      && a1.desc.param[5:0] == '0;
  assign search = !q_empty && is_group && code1 == hd_pkg::CodeAccepted && fits;

  assign find_valid_o = search;
  always_comb begin
    find_key_o = '0;
    if (search) begin
      find_key_o.pc    = a1.desc.pc;
      find_key_o.cta_x = a1.desc.cta_x;
      find_key_o.cta_y = a1.desc.cta_y;
      find_key_o.cta_z = a1.desc.cta_z;
      find_key_o.smem  = a1_kernel.need.smem;
    end
  end
  assign find_last_o = search && a1.last;

  always_comb begin
    if (code1 != hd_pkg::CodeAccepted) mode = ModeBad;
    else if (is_save) mode = ModeSave;
    else if (search && found_hit_i) mode = ModeGroup;
    else mode = ModeKernel;
  end

  always_comb begin
    case (mode)
      ModeBad: take = 1'b1;
      ModeGroup: take = next_room_i;
      ModeSave: take = alone && save_room_i;
      default: take = alone && pool_ready_i;
    endcase
    take = take && !q_empty && (!search || found_i);
  end

  assign find_take_o  = take && search;
  assign hold_valid_o = take && mode == ModeGroup;
  assign hold_kdei_o  = hold_valid_o ? found_kdei_i : '0;
  assign look_smx_o   = a1_smx;
  assign look_slot_o  = a1.slot;

  // ---- A2: the launching TB, and places ---------------------------------------------------------
  logic [1:0] a2_mode_q;
  logic [SmxW-1:0] a2_smx_q;
  logic [KdeW-1:0] a2_kdei_q;
  hd_pkg::devlaunch_t a2_q;
  hd_pkg::need_t a2_need_q;
  hd_pkg::code_e a2_code_q, code2;

  always_ff @(posedge clk_i) begin
    if (take) begin
      a2_mode_q <= mode;
      a2_smx_q  <= a1_smx;
      a2_kdei_q <= found_kdei_i;
      a2_q      <= a1;
      a2_need_q <= a1_kernel.need;
      a2_code_q <= code1;
    end
  end

  logic parent_kin_valid, no_kernel, no_save;
  logic [KinW-1:0] parent_kin;
  logic [LevelW-1:0] level;
  logic [SavSumW-1:0] sav_sum;

  assign parent_kin_valid = kin_valid_i[look_i.kdei];
  assign parent_kin = kin_i[look_i.kdei*KinW+:KinW];
  assign no_kernel = !stream_ok_i[StreamW'(a2_q.stream)] || pool_full_i
      || (!parent_kin_valid && !kin_free_i);
  assign no_save = !save_ok_i[look_i.kdei] || 32'(parent_kin) >= sus_count_i;
  assign level = (a2_mode_q == ModeSave || 32'(look_i.level) >= hd_pkg::MaxLevel) ? look_i.level
      : look_i.level + LevelW'(1);
  assign sav_sum = SavSumW'(sav_first_i[look_i.kdei*SavW+:SavW])
      + SavSumW'(sav_count_i[look_i.kdei*SavCountW+:SavCountW]);

  always_comb begin
    code2 = hd_pkg::CodeAccepted;
    if (a2_mode_q == ModeBad) code2 = a2_code_q;
    else if (!look_i.valid) code2 = hd_pkg::CodeEmptySlot;
    else if (a2_mode_q == ModeKernel && no_kernel) code2 = hd_pkg::CodeRefused;
    else if (a2_mode_q == ModeSave && no_save) code2 = hd_pkg::CodeRefused;
  end

  assign a2_group_o  = a2_valid_q && a2_mode_q == ModeGroup && look_i.valid;
  assign a2_kdei_o   = a2_group_o ? a2_kdei_q : '0;
  assign a2_smx_o    = a2_group_o ? a2_smx_q : '0;
  assign a2_hwtid_o  = a2_group_o ? a2_q.hwtid : '0;
  assign a2_record_o = a2_group_o ? a2_q.record : '0;
  always_comb begin
    a2_info_o = '0;
    if (a2_group_o) begin
      a2_info_o.grid_x = hd_pkg::GroupXW'(a2_q.desc.grid_x);
      a2_info_o.grid_y = hd_pkg::GroupYW'(a2_q.desc.grid_y);
      a2_info_o.grid_z = hd_pkg::GroupZW'(a2_q.desc.grid_z);
      a2_info_o.ctas   = a2_q.ctas;
      a2_info_o.param  = a2_q.desc.param[hd_pkg::ParamW-1:6];
      a2_info_o.level  = level;
    end
  end

  // ---- A3: the launch takes place ---------------------------------------------------------------
  logic [1:0] a3_mode_q;
  logic [SmxW-1:0] a3_smx_q;
  logic [KdeW-1:0] a3_kdei_q, a3_parent_q;
  hd_pkg::devanswer_t a3_answer_q, a3_answer;
  hd_pkg::devk_t a3_devk_q;  // of a save: the context pointer is its param
  logic a3_new_q;
  logic [SavW-1:0] a3_pos_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      a2_valid_q <= 1'b0;
      a3_valid_q <= 1'b0;
    end else begin
      a2_valid_q <= take;
      a3_valid_q <= a2_valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (a2_valid_q) begin
      a3_mode_q        <= a2_mode_q;
      a3_smx_q         <= a2_smx_q;
      a3_kdei_q        <= a2_kdei_q;
      a3_parent_q      <= look_i.kdei;
      a3_answer_q.kind <= a2_q.kind;
      a3_answer_q.lane <= a2_q.lane;
      a3_answer_q.slot <= a2_q.slot;
      a3_answer_q.code <= code2;
      a3_devk_q.desc   <= a2_q.desc;
      a3_devk_q.need   <= a2_need_q;
      a3_devk_q.ctas   <= a2_q.ctas;
      a3_devk_q.level  <= level;
      a3_devk_q.stream <= StreamW'(a2_q.stream);
      a3_devk_q.ticket <= '0;
      a3_devk_q.up     <= parent_kin_valid ? parent_kin : kin_alloc_i;
      a3_new_q         <= !parent_kin_valid;
      a3_pos_q         <= 32'(sav_sum) >= hd_pkg::SavMax
          ? SavW'(sav_sum - SavSumW'(hd_pkg::SavMax)) : SavW'(sav_sum);
    end
  end

  // Kernels and saves have A2 and A3 for themselves.
  assign alone = !(a2_valid_q && (a2_mode_q == ModeKernel || a2_mode_q == ModeSave))
      && !(a3_valid_q && (a3_mode_q == ModeKernel || a3_mode_q == ModeSave));

  logic accepted, kernel_now, save_now;

  assign accepted = a3_valid_q && a3_answer_q.code == hd_pkg::CodeAccepted;
  assign kernel_now = accepted && a3_mode_q == ModeKernel;
  assign save_now = accepted && a3_mode_q == ModeSave;

  assign unhold_valid_o = a3_valid_q && a3_mode_q == ModeGroup
      && `HD_FAULT(71, 1'b1, a3_answer_q.code == hd_pkg::CodeAccepted);
  assign unhold_kdei_o = unhold_valid_o ? a3_kdei_q : '0;
  assign push_valid_o  = kernel_now;
  assign push_o        = kernel_now ? a3_devk_q : '0;
  assign birth_valid_o = kernel_now;
  assign birth_kdei_o  = kernel_now ? a3_parent_q : '0;
  assign birth_kin_o   = kernel_now ? a3_devk_q.up : '0;
  assign birth_new_o   = kernel_now && a3_new_q;
  assign save_valid_o  = save_now;
  assign save_kdei_o   = save_now ? a3_parent_q : '0;
  assign save_kin_o    = save_now ? a3_devk_q.up : '0;
  assign save_pos_o    = save_now ? a3_pos_q : '0;
  always_comb begin
    save_entry_o = '0;
    if (save_now) begin
      save_entry_o.ctx   = a3_devk_q.desc.param;
      save_entry_o.level = a3_devk_q.level;
    end
  end

  always_comb begin
    a3_answer = a3_answer_q;
    if (accepted && a3_mode_q == ModeGroup && kept_i) a3_answer.code = hd_pkg::CodeKept;
  end

  assign dev_code_o = a3_valid_q ? a3_answer.code : '0;
  assign dev_kind_o = a3_valid_q ? a3_answer_q.kind : '0;
  assign dev_event_o[0] = kernel_now && a3_answer_q.kind == hd_pkg::KindKernel;
  assign dev_event_o[1] = accepted && a3_mode_q == ModeGroup && !kept_i;
  assign dev_event_o[2] = accepted && a3_mode_q == ModeGroup && kept_i;
  assign dev_event_o[3] = kernel_now && a3_answer_q.kind != hd_pkg::KindKernel;
  assign dev_event_o[4] = save_now;
  assign dev_event_o[5] = a3_valid_q && a3_answer_q.code == hd_pkg::CodeRefused;
  assign dev_event_o[6] = a3_valid_q && !accepted && a3_answer_q.code != hd_pkg::CodeRefused;

  // ---- Answers ----------------------------------------------------------------------------------
  logic [NumSmx-1:0] answers_full;

  for (genvar s = 0; s < NumSmx; s++) begin : g_answer
    logic answers_empty;
    hd_fifo #(.Width(AnswerW), .Depth(hd_pkg::AnsDepth)) u_answer (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .push_i (a3_valid_q && a3_smx_q == SmxW'(s)),
      .data_i (a3_answer),
      .full_o (answers_full[s]),
      .pop_i  (answered[s]),
      .data_o (dev_answer_o[s*AnswerW+:AnswerW]),
      .empty_o(answers_empty)
    );
    assign dev_answer_valid_o[s] = !answers_empty;
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, taken_onehot, answers_full, a1_kernel.desc, a1_kernel.ctas,
                         a1_kernel.hwq, a1_kernel.tag, a2_q.last, a2_q.threads, a2_q.regs,
                         a2_q.smem};

`ifdef VERILATOR
  // One beat is taken per cycle at most, and only from the SMX that has the grant.
  a_taken :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      $onehot0(taken) && (!lock_valid_q || !some_taken || taken_smx == lock_smx_q));
  // There is always a place for an answer.
  a_place :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      a3_valid_q |-> !answers_full[a3_smx_q]);
  // An answer that is offered stays until it is taken.
  a_answer_stable :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      ($past(dev_answer_valid_o & ~dev_answer_ready_i) & ~dev_answer_valid_o) == '0);
  // Kernels and saves go alone.
  a_alone :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      !(a2_valid_q && a3_valid_q && a2_mode_q[0] && a3_mode_q[0]));
  // Each beat tells one event.
  a_event :
  assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(dev_event_o)
      && (dev_event_o != '0) == a3_valid_q);
  // The rare: a command cut by silence, or by its 32nd beat; no place left at an SMX; a group that
  // waits for the next queue.
  c_silent :
  cover property (@(posedge clk_i) lost);
  c_cut :
  cover property (@(posedge clk_i) some_taken && lock_valid_q && !taken_beat.last && !keep);
  c_owed :
  cover property (@(posedge clk_i) open != '1);
  c_next_wait :
  cover property (@(posedge clk_i) search && found_i && mode == ModeGroup && !next_room_i);
`endif

endmodule
