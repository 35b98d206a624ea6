// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_tbcr: thread block control registers of one SMX: its slots, free resources, dispatch register
// and done FIFO.
//
//   grant --+--> [slots: valid, KDEI,    <--+-- cta_done, from the SMX
//           |      AGEI, level] --> look    |
//           +--> [u_free: resources] <------+--> node done (graph buffer)
//           +--> u_dispatch --> SMX         +--> [done FIFO] --> retire (ExeBL - 1 of KDE and AGE)
//
// From dtbl-isca2015 sections 2.2, 4.2; level, look, done FIFO, owed count and error rules are
// ours.
// - A grant allocates the lowest free slot and the resources, and fills the dispatch register,
//   which holds the TB until the SMX accepts it.
// - A completion frees slot and resources (usable in the next cycle) and enqueues its KDEI and
//   AGEI. A completion for an empty slot, or for the TB still in the dispatch register (even if the
//   SMX accepts it in this cycle), is ignored and reported.
// - Grant and completion in one cycle: both happen; a slot freed at t is not granted at t.
// - owed counts resident TBs and done FIFO entries. A TB is granted only if the done FIFO has a
//   place for its completion (done_room), so completions never wait.
// - A completed TB of the running graph's kernel is reported as a node one cycle later; its AGEI is
//   the place of the node in the LNA. In done FIFO and dispatch register such a TB has no AGEI.
// - look returns, one cycle later, the kernel that runs in a slot and its nesting level: 0 for a
//   slot without a TB, or whose TB is still in the dispatch register.
// - Latency: dispatch one cycle after the grant; done_* one after the completion. Outputs are
//   registers, except for the choice between desc_i (first cycle of a dispatch) and its copy.
// - Reset: no TBs, all resources free.
// Ports: tbcr.csv. Model cmodel/dispatch/tbcr, tests verif/unit and verif/equiv test_tbcr, page
// docs/dispatch/tbcr.md.
`include "common/hd_assert.svh"
module hd_tbcr (
  input  logic                                    clk_i,
  input  logic                                    rst_ni,
  // Grant of a TB (sched)
  input  logic                                    grant_i,
  input  logic [hd_pkg::KdeW-1:0]                 grant_kdei_i,
  input  logic                                    grant_group_i,
  input  logic                                    grant_age_valid_i,
  input  logic [hd_pkg::AgeiW-1:0]                grant_agei_i,
  input  logic [hd_pkg::LevelW-1:0]               grant_level_i,
  input  logic                                    grant_restart_i,
  input  logic [hd_pkg::CtasW-1:0]                grant_blkid_i,
  input  hd_pkg::need_t                           grant_need_i,
  // Kernels (kd)
  input  logic [hd_pkg::NumKde*hd_pkg::NeedW-1:0] need_i,
  input  hd_pkg::desc_t                           desc_i,
  // Running graph (dats)
  input  logic                                    run_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                 run_kdei_i,
  // Read of the done FIFO (sched)
  input  logic                                    pop_i,
  // Lookup of a TB slot (devq)
  input  logic [hd_pkg::SlotW-1:0]                look_slot_i,
  output hd_pkg::look_t                           look_o,
  // Free resources (sched)
  output logic                                    slot_free_o,
  output logic                                    done_room_o,
  output logic [hd_pkg::WarpsW-1:0]               free_warps_o,
  output logic [hd_pkg::RegUnitsW-1:0]            free_regs_o,
  output logic [hd_pkg::SmemUnitsW-1:0]           free_smem_o,
  // Retired TB (sched)
  output logic                                    retire_valid_o,
  output hd_pkg::retire_t                         retire_o,
  // TBs to the SMX
  output logic                                    dispatch_valid_o,
  output hd_pkg::dispatch_t                       dispatch_o,
  input  logic                                    dispatch_ready_i,
  // Completions of the SMX, and their checks (regs)
  input  logic                                    cta_done_valid_i,
  input  logic [hd_pkg::SlotW-1:0]                cta_done_slot_i,
  output logic                                    done_ok_o,
  output logic                                    done_empty_o,
  output logic                                    done_early_o,
  // Completed graph node (dgb)
  output logic                                    node_done_o,
  output logic [hd_pkg::LnaW-1:0]                 node_place_o
);

  localparam int Slots = hd_pkg::CtasPerSmx;
  localparam int SlotW = hd_pkg::SlotW;
  localparam int NumKde = hd_pkg::NumKde;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int AgeW = hd_pkg::AgeW;
  localparam int AgeiW = hd_pkg::AgeiW;
  localparam int LnaW = hd_pkg::LnaW;
  localparam int LevelW = hd_pkg::LevelW;
  localparam int NeedW = hd_pkg::NeedW;
  localparam int OwedW = hd_pkg::DoneCountW;
  localparam int ResidentW = $clog2(Slots + 1);
  localparam int NamedW = 1 << SlotW;

  logic [Slots-1:0] valid_q;
  logic [Slots*KdeW-1:0] kdei_q;
  logic [Slots-1:0] age_valid_q;
  logic [Slots*AgeiW-1:0] agei_q;
  logic [Slots*LevelW-1:0] level_q;
  logic [OwedW-1:0] owed_q;
  logic [ResidentW-1:0] resident_q;  // timing: bits of valid_q; shows a free slot earlier
  logic [SlotW-1:0] disp_slot;       // slot of the TB in the dispatch register
  logic done_ok_q, done_empty_q, done_early_q;

  // ---- Slots ------------------------------------------------------------------------------------
  logic [Slots-1:0] slot, freed;
  logic [SlotW-1:0] slot_index;
  logic some_slot;

  hd_find_first #(.N(Slots), .IdxW(SlotW)) u_slot (
    .req_i   (~valid_q),
    .onehot_o(slot),
    .index_o (slot_index),
    .valid_o (some_slot)
  );

  // ---- Completion -------------------------------------------------------------------------------
  logic [NamedW-1:0] named;  // resident TBs by every slot number that the SMX can send
  logic resident, early, done_ok;
  logic [KdeW-1:0] done_kdei;
  logic done_age_valid;
  logic [AgeiW-1:0] done_agei;
  hd_pkg::retire_t finished;
  logic [NumKde-1:0] done_kde;
  hd_pkg::need_t done_need;

  assign named = NamedW'(valid_q);
  assign resident = named[cta_done_slot_i];
  assign early = resident && disp_slot == cta_done_slot_i && dispatch_valid_o;
  assign done_ok = cta_done_valid_i && resident && !early;
  assign freed = {{Slots - 1{1'b0}}, done_ok} << cta_done_slot_i;
  always_comb begin
    {done_kdei, done_age_valid, done_agei} = '0;
    if (cta_done_valid_i) begin
      done_kdei      = kdei_q[cta_done_slot_i*KdeW+:KdeW];
      done_age_valid = age_valid_q[cta_done_slot_i];
      done_agei      = agei_q[cta_done_slot_i*AgeiW+:AgeiW];
    end
  end
  assign finished.kdei = done_kdei;
  assign finished.age_valid = done_age_valid;
  assign finished.agei = done_agei[AgeW-1:0] & {AgeW{done_age_valid}};

  // The kernel's need is given back: AND and OR with its decoded index, at two thirds of the area
  // of a multiplexer.
  hd_onehot #(.N(NumKde), .IdxW(KdeW)) u_done_kde (
    .valid_i (cta_done_valid_i),
    .index_i (done_kdei),
    .onehot_o(done_kde)
  );

  always_comb begin
    done_need = '0;
    if (cta_done_valid_i) begin
      for (int k = 0; k < NumKde; k++) begin
        done_need = done_need | (need_i[k*NeedW+:NeedW] & {NeedW{done_kde[k]}});
      end
    end
  end

  // ---- Lookup of a slot ------------------------------------------------------------------------
  logic look_running, look_valid_q;
  logic [KdeW-1:0] look_kdei_q;
  logic [LevelW-1:0] look_level_q;

  assign look_running = named[look_slot_i] && !(dispatch_valid_o && disp_slot == look_slot_i);

  always_ff @(posedge clk_i) begin
    if (look_running) begin
      look_kdei_q  <= kdei_q[look_slot_i*KdeW+:KdeW];
      look_level_q <= level_q[look_slot_i*LevelW+:LevelW];
    end
  end

  assign look_o.valid = look_valid_q;
  assign look_o.kdei = look_kdei_q & {KdeW{look_valid_q}};
  assign look_o.level = look_level_q & {LevelW{look_valid_q}};

  // ---- A node of the graph ----------------------------------------------------------------------
  logic node_done_q;
  logic [LnaW-1:0] node_place_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) node_done_q <= 1'b0;
    else begin
      node_done_q <= done_ok && run_valid_i && done_kdei == run_kdei_i;
    end
  end

  always_ff @(posedge clk_i) if (done_ok) node_place_q <= done_agei[LnaW-1:0];

  assign node_done_o  = node_done_q;
  assign node_place_o = node_place_q & {LnaW{node_done_q}};

  // ---- Resources --------------------------------------------------------------------------------
  hd_tbcr_free u_free (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .grant_i     (grant_i),
    .need_i      (grant_need_i),
    .done_i      (done_ok),
    .back_i      (done_need),
    .free_warps_o(free_warps_o),
    .free_regs_o (free_regs_o),
    .free_smem_o (free_smem_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q      <= '0;
      owed_q       <= '0;
      resident_q   <= '0;
      done_ok_q    <= 1'b0;
      done_empty_q <= 1'b0;
      done_early_q <= 1'b0;
      look_valid_q <= 1'b0;
    end else begin
      valid_q <= (valid_q & ~freed) | (slot & {Slots{grant_i}});
      if (grant_i != pop_i) begin
        owed_q <= grant_i ? owed_q + OwedW'(1) : owed_q - OwedW'(1);
      end
      if (grant_i != done_ok) begin
        resident_q <= grant_i ? resident_q + ResidentW'(1) : resident_q - ResidentW'(1);
      end
      done_ok_q    <= done_ok;
      done_empty_q <= cta_done_valid_i && !resident;
      done_early_q <= cta_done_valid_i && early;
      look_valid_q <= look_running;
    end
  end

  always_ff @(posedge clk_i) begin
    if (grant_i) begin
      for (int j = 0; j < Slots; j++) begin
        if (slot[j]) begin
          kdei_q[j*KdeW+:KdeW]      <= grant_kdei_i;
          age_valid_q[j]            <= grant_age_valid_i;
          agei_q[j*AgeiW+:AgeiW]    <= grant_agei_i;
          level_q[j*LevelW+:LevelW] <= grant_level_i;
        end
      end
    end
  end

  // ---- Dispatch register ------------------------------------------------------------------------
  hd_tbcr_dispatch u_dispatch (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .grant_i          (grant_i),
    .grant_slot_i     (slot_index),
    .grant_kdei_i     (grant_kdei_i),
    .grant_group_i    (grant_group_i),
    .grant_age_valid_i(grant_age_valid_i),
    .grant_agei_i     (grant_agei_i[AgeW-1:0] & {AgeW{grant_age_valid_i}}),
    .grant_level_i    (grant_level_i),
    .grant_restart_i  (grant_restart_i),
    .grant_blkid_i    (grant_blkid_i),
    .desc_i           (desc_i),
    .valid_o          (dispatch_valid_o),
    .slot_o           (disp_slot),
    .dispatch_o       (dispatch_o),
    .ready_i          (dispatch_ready_i)
  );

  // ---- Done FIFO --------------------------------------------------------------------------------
  logic done_full, done_none;

  hd_fifo #(.Width(hd_pkg::RetireW), .Depth(hd_pkg::DoneDepth)) u_done (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (done_ok),
    .write_i(done_ok),
    .data_i (finished),
    .full_o (done_full),
    .pop_i  (pop_i),
    .data_o (retire_o),
    .empty_o(done_none)
  );

  assign retire_valid_o   = !done_none;
  assign slot_free_o      = resident_q != ResidentW'(Slots);
  assign done_room_o      = owed_q < OwedW'(hd_pkg::DoneDepth);
  assign done_ok_o        = done_ok_q;
  assign done_empty_o     = done_empty_q;
  assign done_early_o     = done_early_q;

  logic unused_full;
  assign unused_full = done_full;  // owed is below DoneDepth before a grant: always room
  logic unused_slot;
  assign unused_slot = some_slot;  // same as slot_free_o

`ifdef HD_ASSERT_ON
  logic [Slots-1:0] aged;  // TBs of the graph's kernel that have an AGE
  for (genvar j = 0; j < Slots; j++) begin : g_aged
    assign aged[j] = valid_q[j] && age_valid_q[j] && kdei_q[j*KdeW+:KdeW] == run_kdei_i;
  end

  // What each TB was granted.
  logic [Slots*NeedW-1:0] lent_q;
  logic [NeedW-1:0] lent;

  assign lent = lent_q[cta_done_slot_i*NeedW+:NeedW];

  always_ff @(posedge clk_i) begin
    if (grant_i) lent_q[slot_index*NeedW+:NeedW] <= grant_need_i;
  end

  logic moved_q, waiting_q;  // a change in the last cycle; a TB was offered and not accepted
  hd_pkg::dispatch_t offered_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      moved_q   <= 1'b1;
      waiting_q <= 1'b0;
    end else begin
      moved_q   <= grant_i || done_ok || pop_i;
      waiting_q <= dispatch_valid_o && !dispatch_ready_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (dispatch_valid_o && !dispatch_ready_i) offered_q <= dispatch_o;
    if (rst_ni) begin
      if (grant_i) begin
        `HD_ASSERT_IN(a_grant, slot_free_o && done_room_o && !dispatch_valid_o,
            "A TB is granted without a free slot, done FIFO place or dispatch register.")
        `HD_ASSERT_IN(a_agei, grant_age_valid_i || 32'(grant_agei_i) < hd_pkg::Lna,
            "A TB without an AGE is granted with an AGEI that is no place of the LNA.")
        `HD_ASSERT_IN(a_level, 32'(grant_level_i) <= hd_pkg::MaxLevel,
            "A TB is granted with a level above MaxLevel.")
      end
      if (pop_i) `HD_ASSERT_IN(a_retire, retire_valid_o,
          "The done FIFO is popped while it is empty.")
      if (run_valid_i) `HD_ASSERT_IN(a_run, aged == '0,
          "The kernel of the running graph has a resident TB with an AGE.")
      if (done_ok) `HD_ASSERT_IN(a_need, done_need == lent,
          "The need of a kernel is not what its TB was granted.")
      if (done_ok) `HD_ASSERT(a_done_place, !done_full,
          "A TB completes while the done FIFO is full.")
      if (moved_q) begin
        `HD_ASSERT(a_resident, 32'(resident_q) == $countones(valid_q),
            "The count of resident TBs differs from the number of valid slots.")
        `HD_ASSERT(a_owed, 32'(owed_q) == $countones(valid_q) + 32'(u_done.count_q),
            "owed must be the number of resident TBs plus that of entries in the done FIFO.")
        `HD_ASSERT(a_owed_range, 32'(owed_q) <= hd_pkg::DoneDepth,
            "owed exceeds the places of the done FIFO.")
        if (valid_q == '0) begin
          `HD_ASSERT(a_all_back, 32'(free_warps_o) == hd_pkg::WarpsPerSmx && 32'(free_regs_o)
              == hd_pkg::RegUnitsPerSmx && 32'(free_smem_o) == hd_pkg::SmemUnitsPerSmx,
              "No TB is resident, but not all resources are free.")
        end
      end
      if (dispatch_valid_o) `HD_ASSERT(a_disp_resident, named[disp_slot],
          "The TB in the dispatch register is not resident.")
      if (waiting_q) `HD_ASSERT(a_disp_stable, dispatch_valid_o && dispatch_o == offered_q,
          "A TB in the dispatch register changed or left before the SMX took it.")
    end
  end

  // Rare: grant and completion at once; all slots in use; no place for another completion; illegal
  // completions.
  `HD_COVER(c_grant_done, grant_i && done_ok)
  `HD_COVER(c_slots_full, &valid_q)
  `HD_COVER(c_no_room, slot_free_o && !done_room_o)
  `HD_COVER(c_early, cta_done_valid_i && early)
  `HD_COVER(c_taken_early, cta_done_valid_i && early && dispatch_ready_i)
`endif

endmodule
