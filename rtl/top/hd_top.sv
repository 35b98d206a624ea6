// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_top: the thread-block dispatch plane of a GPU. It accepts kernel launches from the host and
// launches of kernels and TB groups from running TBs, dispatches TBs to the SMXs, and reports
// finished kernels.
//
//   host_launch --> u_kmu --kernel--> u_kd <-- marked -- u_fcfs <-- re-mark -- u_link
//   host_answer <----' ^ ^ ^--reopen----'| need, ctas, desc    | next kernel
//                      | |               v                     v
//                      | |   u_kd <--grant, retire-- u_sched (a tbcr for each) <--> SMXs
//                      | |                              ^ groups    ^ saved TBs    |
//                      | |                            u_agt       u_susp           | retire
//                      | |                              ^ links                    v
//   dev_launch --> u_devq (u_match) -- groups ------> u_link                     u_agc
//   dev_answer <----' | '-- kernels --> u_pool                                     '--> record_done
//                     '-- children --> u_kin --> kernel_done, resume --> u_susp
//   contention --> u_throttle --> u_sched: the SMXs that accept TBs not bound to an SMX
//   APB4 <--> u_regs (event counters, base addresses of the memory regions)
//   u_laperm --groups that do not fit in their bank--> u_spill
//   graph kernels: u_kmu, u_kd --> u_dats <--> u_dgb; their TBs: u_dats --> u_sched --> u_dgb
//   u_ovfq, u_pool, u_susp, u_spill, u_dats, u_dgb <--> u_memarb <--> AXI4
//
// From dtbl-isca2015 sections 2 and 4 (figures 2 and 4), laperm-isca2016 section II,
// cooperative-warp-tb-scheduling-2017 section 4. The headers of the blocks list our own additions.
// - This module only connects the blocks. A kernel offered by the KMU enters KD, FCFS, match, link
//   and, if it is idle, the SMX scheduler in the same cycle.
// - Latency: a launch accepted at t is offered for dispatch at t+5 in an idle machine. A freed slot
//   is used again 2 cycles after its completion. A group is linked at the end of the third cycle
//   after the one in which its beat was accepted.
// - Rate: one TB per cycle; one launch beat per cycle.
// - Completions are never stalled: cta_done_ready is constant 1.
// - kernel_done is raised when the kernel and all its descendants (launched directly or indirectly
//   by its TBs) are complete.
// Ports: top.csv. Model cmodel/top, tests verif/unit and verif/equiv test_top, page docs/top.md.
`include "common/hd_assert.svh"
module hd_top (
  input  logic                                         clk_i,
  input  logic                                         rst_ni,
  // Launches from the host
  input  logic                                         host_launch_valid_i,
  input  hd_pkg::launch_t                              host_launch_i,
  output logic                                         host_launch_ready_o,
  // Answers to the host
  output logic                                         host_answer_valid_o,
  output hd_pkg::answer_t                              host_answer_o,
  input  logic                                         host_answer_ready_i,
  // TBs to the SMXs
  output logic [hd_pkg::NumSmx-1:0]                    dispatch_valid_o,
  output logic [hd_pkg::NumSmx*hd_pkg::DispatchW-1:0]  dispatch_o,
  input  logic [hd_pkg::NumSmx-1:0]                    dispatch_ready_i,
  // Completions from the SMXs
  input  logic [hd_pkg::NumSmx-1:0]                    cta_done_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::SlotW-1:0]      cta_done_slot_i,
  output logic [hd_pkg::NumSmx-1:0]                    cta_done_ready_o,
  // Finished kernels
  output logic                                         kernel_done_valid_o,
  output hd_pkg::completion_t                          kernel_done_o,
  input  logic                                         kernel_done_ready_i,
  // Launch commands from the SMXs
  input  logic [hd_pkg::NumSmx-1:0]                    dev_launch_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::DevlaunchW-1:0] dev_launch_i,
  output logic [hd_pkg::NumSmx-1:0]                    dev_launch_ready_o,
  // Answers to the SMXs
  output logic [hd_pkg::NumSmx-1:0]                    dev_answer_valid_o,
  output logic [hd_pkg::NumSmx*hd_pkg::DevanswerW-1:0] dev_answer_o,
  input  logic [hd_pkg::NumSmx-1:0]                    dev_answer_ready_i,
  // Records returned to software
  output logic                                         record_done_valid_o,
  output logic [hd_pkg::RecW-1:0]                      record_done_o,
  input  logic                                         record_done_ready_i,
  // Kernel entry into the KD, for traces
  output logic                                         enter_valid_o,
  output logic [hd_pkg::KdeW-1:0]                      enter_kdei_o,
  output logic [hd_pkg::ParamW-1:0]                    enter_param_o,
  // Contention
  input  logic [hd_pkg::ContendW-1:0]                  cycles_i,
  input  logic [hd_pkg::ContendW-1:0]                  dram_full_i,
  input  logic [hd_pkg::ContendW-1:0]                  icnt2sm_i,
  output logic [hd_pkg::OpenW-1:0]                     open_count_o,
  // APB4: registers
  input  logic                                         psel_i,
  input  logic                                         penable_i,
  input  logic                                         pwrite_i,
  input  logic [hd_pkg::ApbAddrW-1:0]                  paddr_i,
  input  logic [31:0]                                  pwdata_i,
  input  logic [3:0]                                   pstrb_i,
  output logic                                         pready_o,
  output logic [31:0]                                  prdata_o,
  output logic                                         pslverr_o,
  // AXI4: write address
  output logic                                         awvalid_o,
  output logic [hd_pkg::MemIdW-1:0]                    awid_o,
  output logic [hd_pkg::AddrW-1:0]                     awaddr_o,
  output logic [7:0]                                   awlen_o,
  output logic [2:0]                                   awsize_o,
  output logic [1:0]                                   awburst_o,
  input  logic                                         awready_i,
  // AXI4: write data
  output logic                                         wvalid_o,
  output logic [127:0]                                 wdata_o,
  output logic [15:0]                                  wstrb_o,
  output logic                                         wlast_o,
  input  logic                                         wready_i,
  // AXI4: write response
  input  logic                                         bvalid_i,
  input  logic [hd_pkg::MemIdW-1:0]                    bid_i,
  input  logic [1:0]                                   bresp_i,
  output logic                                         bready_o,
  // AXI4: read address
  output logic                                         arvalid_o,
  output logic [hd_pkg::MemIdW-1:0]                    arid_o,
  output logic [hd_pkg::AddrW-1:0]                     araddr_o,
  output logic [7:0]                                   arlen_o,
  output logic [2:0]                                   arsize_o,
  output logic [1:0]                                   arburst_o,
  input  logic                                         arready_i,
  // AXI4: read data
  input  logic                                         rvalid_i,
  input  logic [hd_pkg::MemIdW-1:0]                    rid_i,
  input  logic [127:0]                                 rdata_i,
  input  logic [1:0]                                   rresp_i,
  input  logic                                         rlast_i,
  output logic                                         rready_o
);

  hd_limits u_limits ();

  // Clients of the memory port.
  localparam int MemOvfq = 0;
  localparam int MemPool = 1;
  localparam int MemSusp = 2;
  localparam int MemSpill = 3;
  localparam int MemDats = 4;
  localparam int MemDgb = 5;

  // ---- Wires, by the block that drives them ----------------------------------------------------

  // u_kmu
  hd_pkg::offer_t kmu_offer;
  logic kmu_pool_pop, kmu_susp_pop;

  // u_kd
  hd_pkg::entry_t kd_free, kd_entry, kd_take;
  logic [hd_pkg::NumKde*hd_pkg::NeedW-1:0] kd_need;
  logic [hd_pkg::NumKde*hd_pkg::CtasW-1:0] kd_ctas, kd_nextbl;
  logic [hd_pkg::NumKde*hd_pkg::LevelW-1:0] kd_level;
  logic [hd_pkg::NumKde-1:0] kd_ndone, kd_kin_valid, kd_suspending, kd_failed, kd_eligible,
    kd_save_ok, kd_sav_full, kd_left;
  logic [hd_pkg::NumKde*hd_pkg::SavW-1:0] kd_sav_first;
  logic [hd_pkg::NumKde*hd_pkg::SavCountW-1:0] kd_sav_count;
  logic [hd_pkg::NumKde*hd_pkg::KinW-1:0] kd_kin;
  hd_pkg::desc_t kd_desc;
  logic [hd_pkg::NumHwq-1:0] kd_reopen;
  logic kd_busy, kd_stall;
  hd_pkg::offer_t kd_suspend;
  hd_pkg::parent_t kd_rest;
  hd_pkg::leave_t kd_leave;

  // u_fcfs
  logic [hd_pkg::NumKde-1:0] fcfs_marked;
  hd_pkg::entry_t fcfs_head, fcfs_next;

  // u_sched
  hd_pkg::take_t sched_take;
  logic [hd_pkg::NumBank-1:0] sched_take_banks;
  logic sched_graph_take, sched_unmark, sched_rotate, sched_give_way, sched_advance,
    sched_group_pop, sched_saved_pop, sched_unassigned;
  hd_pkg::grant_t sched_grant;
  hd_pkg::entry_t sched_sscr;
  hd_pkg::schedev_t sched_events;
  hd_pkg::hand_t sched_hand;
  hd_pkg::park_t sched_park;
  hd_pkg::look_t sched_look;
  hd_pkg::retired_t sched_retire;
  logic [hd_pkg::NumSmx-1:0] sched_done_ok, sched_done_empty, sched_done_early, sched_node_done;
  logic [hd_pkg::NumSmx*hd_pkg::LnaW-1:0] sched_node_place;

  // u_throttle
  logic [hd_pkg::NumSmx-1:0] throttle_open;

  // u_laperm
  logic laperm_full, laperm_back_ready, laperm_inversion;
  hd_pkg::entry_t laperm_push;
  hd_pkg::enter_t laperm_enter;
  logic [hd_pkg::NumBank-1:0] laperm_bank_valid, laperm_bank_last, laperm_place;
  logic [hd_pkg::NumBank*hd_pkg::PqentryW-1:0] laperm_bank_front;
  logic [hd_pkg::NumBank*hd_pkg::CtasW-1:0] laperm_bank_nextbl;
  logic [hd_pkg::NumSmx-1:0] laperm_bound_valid, laperm_spare_valid;
  logic [hd_pkg::NumSmx*hd_pkg::BankW-1:0] laperm_bound_bank, laperm_spare_bank;
  logic [hd_pkg::NumSmx*hd_pkg::NeedW-1:0] laperm_bound_need, laperm_spare_need;
  hd_pkg::then_t laperm_then;
  hd_pkg::bankgroup_t laperm_put;
  logic [hd_pkg::NumBank*3-1:0] laperm_bank_room;

  // u_spill
  logic spill_put_ready;
  logic [hd_pkg::SpillPutsW-1:0] spill_rows;
  logic [hd_pkg::SpillqQueues-1:0] spill_held;
  hd_pkg::bankgroup_t spill_back;
  hd_pkg::entry_t spill_lost;
  hd_pkg::memup_t spill_mem;

  // u_dats
  logic dats_busy, dats_start_valid, dats_finish_ready, dats_node_ready;
  logic [hd_pkg::NumKde-1:0] dats_older;
  hd_pkg::dgbstart_t dats_start;
  logic [hd_pkg::SmxW-1:0] dats_node_smx;
  hd_pkg::graphtb_t dats_tb;
  hd_pkg::run_t dats_run;
  hd_pkg::over_t dats_over;
  hd_pkg::memup_t dats_mem;

  // u_dgb
  logic dgb_start_ready, dgb_finish_valid, dgb_node_valid;
  hd_pkg::dgbend_t dgb_finish;
  hd_pkg::dgbnode_t dgb_node;
  hd_pkg::wish_t dgb_wish;
  hd_pkg::dgbev_t dgb_events;
  hd_pkg::memup_t dgb_mem;

  // u_devq
  hd_pkg::find_t devq_find;
  logic devq_find_take;
  hd_pkg::entry_t devq_hold, devq_unhold;
  hd_pkg::lookup_t devq_look;
  hd_pkg::a2group_t devq_group;
  hd_pkg::devoffer_t devq_push;
  hd_pkg::birth_t devq_birth;
  hd_pkg::save_t devq_save;
  logic [6:0] devq_event;
  logic [hd_pkg::CodeW-1:0] devq_code;
  logic [hd_pkg::KindW-1:0] devq_kind;

  // u_match
  hd_pkg::found_t match_found;
  hd_pkg::matchev_t match_events;

  // u_link
  logic link_kept, link_refused;
  hd_pkg::ageref_t link_alloc;
  hd_pkg::linked_t link_link;
  hd_pkg::list_t link_list;
  logic [hd_pkg::NumKde-1:0] link_pending, link_single, link_chained;
  logic [hd_pkg::NumKde*hd_pkg::AgtW-1:0] link_nagei, link_lagei;

  // u_ovfq
  logic ovfq_room, ovfq_fetch;
  logic [hd_pkg::NumKde-1:0] ovfq_there, ovfq_one, ovfq_full, ovfq_unanswered;
  hd_pkg::memlist_t ovfq_taken;
  hd_pkg::grouphead_t ovfq_over;
  hd_pkg::entry_t ovfq_write_fail, ovfq_fetch_fail;
  hd_pkg::memup_t ovfq_mem;

  // u_agt
  logic agt_over_pop;
  hd_pkg::grouphead_t agt_group;
  logic [hd_pkg::AgtW-1:0] agt_succ;

  // u_agc
  hd_pkg::freeslot_t agc_slot;
  hd_pkg::ageref_t agc_free;

  // u_kin
  hd_pkg::parent_t kin_free, kin_resume;
  logic kin_leave_ready, kin_lost_ready, kin_suspended_ready, kin_busy;
  logic [hd_pkg::NumHwq-1:0] kin_reopen;
  hd_pkg::streamend_t kin_stream_done;

  // u_pool
  hd_pkg::poolroom_t pool_room;
  logic [hd_pkg::NumStreams-1:0] pool_stream_ok;
  hd_pkg::devoffer_t pool_head;
  hd_pkg::lost_t pool_lost;
  hd_pkg::poolev_t pool_events;
  hd_pkg::memup_t pool_mem;

  // u_susp
  logic susp_save_room, susp_saving, susp_suspend_free, susp_resume_ready;
  hd_pkg::suspended_t susp_suspended;
  hd_pkg::kinfail_t susp_kin_fail;
  hd_pkg::offer_t susp_head;
  hd_pkg::savedtb_t susp_saved;
  hd_pkg::entry_t susp_chunk_fail;
  hd_pkg::suspev_t susp_events;
  hd_pkg::memup_t susp_mem;

  // u_regs
  hd_pkg::settings_t regs_config;

  // u_memarb
  logic [hd_pkg::MemClients*hd_pkg::MemdownW-1:0] memarb_mem;

  // ---- The blocks ------------------------------------------------------------------------------

  hd_kmu u_kmu (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .host_launch_valid_i(host_launch_valid_i),
    .host_launch_i      (host_launch_i),
    .host_launch_ready_o(host_launch_ready_o),
    .host_answer_valid_o(host_answer_valid_o),
    .host_answer_o      (host_answer_o),
    .host_answer_ready_i(host_answer_ready_i),
    .offer_o            (kmu_offer),
    .kd_entry_i         (kd_entry),
    .kd_reopen_i        (kd_reopen),
    .kin_reopen_i       (kin_reopen),
    .regs_config_i      (regs_config),
    .dats_busy_i        (dats_busy),
    .pool_head_i        (pool_head),
    .pool_pop_o         (kmu_pool_pop),
    .susp_head_i        (susp_head),
    .susp_pop_o         (kmu_susp_pop)
  );

  hd_kd u_kd (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .kmu_offer_i        (kmu_offer),
    .free_o             (kd_free),
    .entry_o            (kd_entry),
    .laperm_enter_i     (laperm_enter),
    .fcfs_marked_i      (fcfs_marked),
    .link_pending_i     (link_pending),
    .ovfq_unanswered_i  (ovfq_unanswered),
    .laperm_push_i      (laperm_push),
    .sched_take_i       (sched_take),
    .sched_grant_i      (sched_grant),
    .sched_sscr_i       (sched_sscr),
    .sched_graph_take_i (sched_graph_take),
    .dats_run_i         (dats_run),
    .dats_over_i        (dats_over),
    .sched_park_i       (sched_park),
    .sched_retire_i     (sched_retire),
    .devq_hold_i        (devq_hold),
    .devq_unhold_i      (devq_unhold),
    .devq_birth_i       (devq_birth),
    .devq_save_i        (devq_save),
    .fails_i            ({spill_lost, susp_chunk_fail, ovfq_fetch_fail, ovfq_write_fail}),
    .need_o             (kd_need),
    .ctas_o             (kd_ctas),
    .level_o            (kd_level),
    .nextbl_o           (kd_nextbl),
    .ndone_o            (kd_ndone),
    .sav_first_o        (kd_sav_first),
    .sav_count_o        (kd_sav_count),
    .kin_valid_o        (kd_kin_valid),
    .kin_o              (kd_kin),
    .suspending_o       (kd_suspending),
    .failed_o           (kd_failed),
    .eligible_o         (kd_eligible),
    .save_ok_o          (kd_save_ok),
    .sav_full_o         (kd_sav_full),
    .desc_o             (kd_desc),
    .reopen_o           (kd_reopen),
    .busy_o             (kd_busy),
    .left_o             (kd_left),
    .stall_o            (kd_stall),
    .take_o             (kd_take),
    .susp_suspend_free_i(susp_suspend_free),
    .suspend_o          (kd_suspend),
    .rest_o             (kd_rest),
    .leave_o            (kd_leave),
    .kin_leave_ready_i  (kin_leave_ready)
  );

  hd_fcfs u_fcfs (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .kd_entry_i    (kd_entry),
    .laperm_enter_i(laperm_enter),
    .sched_unmark_i(sched_unmark),
    .sched_rotate_i(sched_rotate),
    .link_link_i   (link_link),
    .marked_o      (fcfs_marked),
    .head_o        (fcfs_head),
    .next_o        (fcfs_next)
  );

  hd_sched u_sched (
    .clk_i               (clk_i),
    .rst_ni              (rst_ni),
    .kd_entry_i          (kd_entry),
    .kmu_offer_i         (kmu_offer),
    .laperm_enter_i      (laperm_enter),
    .fcfs_next_i         (fcfs_next),
    .fcfs_marked_i       (fcfs_marked),
    .kd_need_i           (kd_need),
    .kd_ctas_i           (kd_ctas),
    .kd_level_i          (kd_level),
    .kd_nextbl_i         (kd_nextbl),
    .kd_ndone_i          (kd_ndone),
    .kd_sav_count_i      (kd_sav_count),
    .kd_suspending_i     (kd_suspending),
    .kd_failed_i         (kd_failed),
    .kd_stall_i          (kd_stall),
    .kd_desc_i           (kd_desc),
    .link_pending_i      (link_pending),
    .link_single_i       (link_single),
    .link_link_i         (link_link),
    .agt_group_i         (agt_group),
    .agc_slot_i          (agc_slot),
    .susp_saved_i        (susp_saved),
    .laperm_bank_front_i (laperm_bank_front),
    .laperm_bank_nextbl_i(laperm_bank_nextbl),
    .laperm_bank_last_i  (laperm_bank_last),
    .laperm_bound_valid_i(laperm_bound_valid),
    .laperm_bound_bank_i (laperm_bound_bank),
    .laperm_bound_need_i (laperm_bound_need),
    .laperm_spare_valid_i(laperm_spare_valid),
    .laperm_spare_bank_i (laperm_spare_bank),
    .laperm_spare_need_i (laperm_spare_need),
    .laperm_then_i       (laperm_then),
    .dats_tb_i           (dats_tb),
    .dats_older_i        (dats_older),
    .dats_run_i          (dats_run),
    .take_o              (sched_take),
    .take_banks_o        (sched_take_banks),
    .graph_take_o        (sched_graph_take),
    .grant_o             (sched_grant),
    .sscr_o              (sched_sscr),
    .unmark_o            (sched_unmark),
    .rotate_o            (sched_rotate),
    .give_way_o          (sched_give_way),
    .events_o            (sched_events),
    .advance_o           (sched_advance),
    .group_pop_o         (sched_group_pop),
    .hand_o              (sched_hand),
    .saved_pop_o         (sched_saved_pop),
    .park_o              (sched_park),
    .throttle_open_i     (throttle_open),
    .unassigned_o        (sched_unassigned),
    .devq_look_i         (devq_look),
    .look_o              (sched_look),
    .retire_o            (sched_retire),
    .dispatch_valid_o    (dispatch_valid_o),
    .dispatch_o          (dispatch_o),
    .dispatch_ready_i    (dispatch_ready_i),
    .cta_done_valid_i    (cta_done_valid_i),
    .cta_done_slot_i     (cta_done_slot_i),
    .done_ok_o           (sched_done_ok),
    .done_empty_o        (sched_done_empty),
    .done_early_o        (sched_done_early),
    .node_done_o         (sched_node_done),
    .node_place_o        (sched_node_place)
  );

  hd_throttle u_throttle (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .regs_config_i     (regs_config),
    .sched_unassigned_i(sched_unassigned),
    .cycles_i          (cycles_i),
    .dram_full_i       (dram_full_i),
    .icnt2sm_i         (icnt2sm_i),
    .open_o            (throttle_open),
    .open_count_o      (open_count_o)
  );

  hd_laperm u_laperm (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .regs_config_i     (regs_config),
    .devq_group_i      (devq_group),
    .full_o            (laperm_full),
    .push_o            (laperm_push),
    .kmu_offer_i       (kmu_offer),
    .kd_free_i         (kd_free),
    .enter_o           (laperm_enter),
    .kd_need_i         (kd_need),
    .kd_sav_full_i     (kd_sav_full),
    .bank_valid_o      (laperm_bank_valid),
    .bank_front_o      (laperm_bank_front),
    .bank_nextbl_o     (laperm_bank_nextbl),
    .bank_last_o       (laperm_bank_last),
    .bound_valid_o     (laperm_bound_valid),
    .bound_bank_o      (laperm_bound_bank),
    .bound_need_o      (laperm_bound_need),
    .spare_valid_o     (laperm_spare_valid),
    .spare_bank_o      (laperm_spare_bank),
    .spare_need_o      (laperm_spare_need),
    .then_o            (laperm_then),
    .sched_take_i      (sched_take),
    .sched_graph_take_i(sched_graph_take),
    .sched_take_banks_i(sched_take_banks),
    .sched_grant_i     (sched_grant),
    .spill_put_ready_i (spill_put_ready),
    .put_o             (laperm_put),
    .bank_room_o       (laperm_bank_room),
    .spill_held_i      (spill_held),
    .place_o           (laperm_place),
    .spill_back_i      (spill_back),
    .back_ready_o      (laperm_back_ready),
    .inversion_o       (laperm_inversion)
  );

  hd_spill u_spill (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .laperm_put_i       (laperm_put),
    .put_ready_o        (spill_put_ready),
    .rows_o             (spill_rows),
    .held_o             (spill_held),
    .laperm_place_i     (laperm_place),
    .back_o             (spill_back),
    .laperm_back_ready_i(laperm_back_ready),
    .lost_o             (spill_lost),
    .regs_config_i      (regs_config),
    .mem_o              (spill_mem),
    .mem_i              (memarb_mem[MemSpill*hd_pkg::MemdownW+:hd_pkg::MemdownW])
  );

  hd_dats u_dats (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .kd_entry_i        (kd_entry),
    .kmu_offer_i       (kmu_offer),
    .busy_o            (dats_busy),
    .fcfs_marked_i     (fcfs_marked),
    .sched_give_way_i  (sched_give_way),
    .sched_sscr_i      (sched_sscr),
    .older_o           (dats_older),
    .start_valid_o     (dats_start_valid),
    .start_o           (dats_start),
    .dgb_start_ready_i (dgb_start_ready),
    .dgb_finish_valid_i(dgb_finish_valid),
    .dgb_finish_i      (dgb_finish),
    .finish_ready_o    (dats_finish_ready),
    .dgb_node_valid_i  (dgb_node_valid),
    .dgb_node_i        (dgb_node),
    .node_ready_o      (dats_node_ready),
    .node_smx_o        (dats_node_smx),
    .dgb_wish_i        (dgb_wish),
    .tb_o              (dats_tb),
    .sched_graph_take_i(sched_graph_take),
    .sched_grant_i     (sched_grant),
    .run_o             (dats_run),
    .over_o            (dats_over),
    .mem_o             (dats_mem),
    .mem_i             (memarb_mem[MemDats*hd_pkg::MemdownW+:hd_pkg::MemdownW])
  );

  hd_dgb u_dgb (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .dats_start_valid_i (dats_start_valid),
    .dats_start_i       (dats_start),
    .start_ready_o      (dgb_start_ready),
    .finish_valid_o     (dgb_finish_valid),
    .finish_o           (dgb_finish),
    .dats_finish_ready_i(dats_finish_ready),
    .node_valid_o       (dgb_node_valid),
    .node_o             (dgb_node),
    .dats_node_ready_i  (dats_node_ready),
    .dats_node_smx_i    (dats_node_smx),
    .wish_o             (dgb_wish),
    .sched_node_done_i  (sched_node_done),
    .sched_node_place_i (sched_node_place),
    .events_o           (dgb_events),
    .mem_o              (dgb_mem),
    .mem_i              (memarb_mem[MemDgb*hd_pkg::MemdownW+:hd_pkg::MemdownW])
  );

  hd_devq u_devq (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .dev_launch_valid_i(dev_launch_valid_i),
    .dev_launch_i      (dev_launch_i),
    .dev_launch_ready_o(dev_launch_ready_o),
    .dev_answer_valid_o(dev_answer_valid_o),
    .dev_answer_o      (dev_answer_o),
    .dev_answer_ready_i(dev_answer_ready_i),
    .find_o            (devq_find),
    .find_take_o       (devq_find_take),
    .match_found_i     (match_found),
    .hold_o            (devq_hold),
    .look_o            (devq_look),
    .sched_look_i      (sched_look),
    .ovfq_room_i       (ovfq_room),
    .laperm_bank_room_i(laperm_bank_room),
    .spill_rows_i      (spill_rows),
    .pool_room_i       (pool_room),
    .pool_stream_ok_i  (pool_stream_ok),
    .kin_free_i        (kin_free),
    .kd_kin_valid_i    (kd_kin_valid),
    .kd_kin_i          (kd_kin),
    .kd_save_ok_i      (kd_save_ok),
    .kd_sav_first_i    (kd_sav_first),
    .kd_sav_count_i    (kd_sav_count),
    .susp_save_room_i  (susp_save_room),
    .regs_config_i     (regs_config),
    .group_o           (devq_group),
    .link_kept_i       (link_kept),
    .laperm_full_i     (laperm_full),
    .link_refused_i    (link_refused),
    .unhold_o          (devq_unhold),
    .push_o            (devq_push),
    .birth_o           (devq_birth),
    .save_o            (devq_save),
    .event_o           (devq_event),
    .code_o            (devq_code),
    .kind_o            (devq_kind)
  );

  hd_match u_match (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .kd_entry_i      (kd_entry),
    .kmu_offer_i     (kmu_offer),
    .kd_eligible_i   (kd_eligible),
    .devq_find_i     (devq_find),
    .devq_find_take_i(devq_find_take),
    .found_o         (match_found),
    .events_o        (match_events)
  );

  hd_link u_link (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .devq_group_i   (devq_group),
    .regs_config_i  (regs_config),
    .kept_o         (link_kept),
    .refused_o      (link_refused),
    .alloc_o        (link_alloc),
    .link_o         (link_link),
    .sched_advance_i(sched_advance),
    .sched_sscr_i   (sched_sscr),
    .agt_succ_i     (agt_succ),
    .kd_failed_i    (kd_failed),
    .fails_i        ({spill_lost, susp_chunk_fail, ovfq_fetch_fail, ovfq_write_fail}),
    .kd_take_i      (kd_take),
    .list_o         (link_list),
    .kd_entry_i     (kd_entry),
    .kmu_offer_i    (kmu_offer),
    .ovfq_there_i   (ovfq_there),
    .ovfq_one_i     (ovfq_one),
    .ovfq_full_i    (ovfq_full),
    .pending_o      (link_pending),
    .single_o       (link_single),
    .chained_o      (link_chained),
    .nagei_o        (link_nagei),
    .lagei_o        (link_lagei),
    .agc_free_i     (agc_free),
    .kd_busy_i      (kd_busy),
    .kin_busy_i     (kin_busy)
  );

  hd_ovfq u_ovfq (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .link_link_i    (link_link),
    .room_o         (ovfq_room),
    .sched_advance_i(sched_advance),
    .sched_sscr_i   (sched_sscr),
    .link_chained_i (link_chained),
    .there_o        (ovfq_there),
    .one_o          (ovfq_one),
    .full_o         (ovfq_full),
    .unanswered_o   (ovfq_unanswered),
    .fails_i        ({spill_lost, susp_chunk_fail}),
    .kd_take_i      (kd_take),
    .kd_kin_i       (kd_kin),
    .taken_o        (ovfq_taken),
    .kd_entry_i     (kd_entry),
    .kmu_offer_i    (kmu_offer),
    .sched_events_i (sched_events),
    .over_o         (ovfq_over),
    .agt_over_pop_i (agt_over_pop),
    .regs_config_i  (regs_config),
    .write_fail_o   (ovfq_write_fail),
    .fetch_fail_o   (ovfq_fetch_fail),
    .fetch_o        (ovfq_fetch),
    .mem_o          (ovfq_mem),
    .mem_i          (memarb_mem[MemOvfq*hd_pkg::MemdownW+:hd_pkg::MemdownW])
  );

  hd_agt u_agt (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .devq_group_i     (devq_group),
    .link_alloc_i     (link_alloc),
    .link_link_i      (link_link),
    .link_chained_i   (link_chained),
    .link_nagei_i     (link_nagei),
    .link_lagei_i     (link_lagei),
    .sched_sscr_i     (sched_sscr),
    .ovfq_over_i      (ovfq_over),
    .over_pop_o       (agt_over_pop),
    .group_o          (agt_group),
    .sched_group_pop_i(sched_group_pop),
    .succ_o           (agt_succ),
    .fails_i          ({spill_lost, susp_chunk_fail, ovfq_fetch_fail, ovfq_write_fail})
  );

  hd_agc u_agc (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .slot_o             (agc_slot),
    .sched_hand_i       (sched_hand),
    .sched_sscr_i       (sched_sscr),
    .kd_left_i          (kd_left),
    .sched_retire_i     (sched_retire),
    .free_o             (agc_free),
    .record_done_valid_o(record_done_valid_o),
    .record_done_o      (record_done_o),
    .record_done_ready_i(record_done_ready_i)
  );

  hd_kin u_kin (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .free_o             (kin_free),
    .devq_birth_i       (devq_birth),
    .kd_rest_i          (kd_rest),
    .kd_leave_i         (kd_leave),
    .susp_saving_i      (susp_saving),
    .leave_ready_o      (kin_leave_ready),
    .pool_lost_i        (pool_lost),
    .lost_ready_o       (kin_lost_ready),
    .susp_suspended_i   (susp_suspended),
    .suspended_ready_o  (kin_suspended_ready),
    .susp_kin_fail_i    (susp_kin_fail),
    .busy_o             (kin_busy),
    .resume_o           (kin_resume),
    .susp_resume_ready_i(susp_resume_ready),
    .kernel_done_valid_o(kernel_done_valid_o),
    .kernel_done_o      (kernel_done_o),
    .kernel_done_ready_i(kernel_done_ready_i),
    .reopen_o           (kin_reopen),
    .stream_done_o      (kin_stream_done)
  );

  hd_pool u_pool (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .devq_push_i      (devq_push),
    .room_o           (pool_room),
    .stream_ok_o      (pool_stream_ok),
    .regs_config_i    (regs_config),
    .head_o           (pool_head),
    .kmu_pool_pop_i   (kmu_pool_pop),
    .kin_stream_done_i(kin_stream_done),
    .lost_o           (pool_lost),
    .kin_lost_ready_i (kin_lost_ready),
    .events_o         (pool_events),
    .mem_o            (pool_mem),
    .mem_i            (memarb_mem[MemPool*hd_pkg::MemdownW+:hd_pkg::MemdownW])
  );

  hd_susp u_susp (
    .clk_i                (clk_i),
    .rst_ni               (rst_ni),
    .devq_save_i          (devq_save),
    .save_room_o          (susp_save_room),
    .saving_o             (susp_saving),
    .suspend_free_o       (susp_suspend_free),
    .kd_suspend_i         (kd_suspend),
    .link_list_i          (link_list),
    .ovfq_taken_i         (ovfq_taken),
    .suspended_o          (susp_suspended),
    .kin_suspended_ready_i(kin_suspended_ready),
    .kin_fail_o           (susp_kin_fail),
    .kin_resume_i         (kin_resume),
    .resume_ready_o       (susp_resume_ready),
    .head_o               (susp_head),
    .kmu_susp_pop_i       (kmu_susp_pop),
    .sched_sscr_i         (sched_sscr),
    .kd_kin_i             (kd_kin),
    .kd_sav_first_i       (kd_sav_first),
    .kd_sav_count_i       (kd_sav_count),
    .saved_o              (susp_saved),
    .sched_saved_pop_i    (sched_saved_pop),
    .chunk_fail_o         (susp_chunk_fail),
    .regs_config_i        (regs_config),
    .events_o             (susp_events),
    .mem_o                (susp_mem),
    .mem_i                (memarb_mem[MemSusp*hd_pkg::MemdownW+:hd_pkg::MemdownW])
  );

  hd_regs u_regs (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .psel_i             (psel_i),
    .penable_i          (penable_i),
    .pwrite_i           (pwrite_i),
    .paddr_i            (paddr_i),
    .pwdata_i           (pwdata_i),
    .pstrb_i            (pstrb_i),
    .pready_o           (pready_o),
    .prdata_o           (prdata_o),
    .pslverr_o          (pslverr_o),
    .host_answer_valid_i(host_answer_valid_o),
    .host_answer_ready_i(host_answer_ready_i),
    .host_answer_i      (host_answer_o),
    .kd_entry_i         (kd_entry),
    .kernel_done_valid_i(kernel_done_valid_o),
    .kernel_done_ready_i(kernel_done_ready_i),
    .sched_grant_i      (sched_grant),
    .sched_take_i       (sched_take),
    .sched_graph_take_i (sched_graph_take),
    .sched_events_i     (sched_events),
    .sched_done_ok_i    (sched_done_ok),
    .sched_done_empty_i (sched_done_empty),
    .sched_done_early_i (sched_done_early),
    .devq_event_i       (devq_event),
    .devq_code_i        (devq_code),
    .devq_kind_i        (devq_kind),
    .match_events_i     (match_events),
    .ovfq_fetch_i       (ovfq_fetch),
    .record_done_valid_i(record_done_valid_o),
    .record_done_ready_i(record_done_ready_i),
    .pool_events_i      (pool_events),
    .susp_events_i      (susp_events),
    .laperm_put_i       (laperm_put),
    .spill_back_i       (spill_back),
    .laperm_back_ready_i(laperm_back_ready),
    .laperm_inversion_i (laperm_inversion),
    .fcfs_next_i        (fcfs_next),
    .kd_busy_i          (kd_busy),
    .kin_busy_i         (kin_busy),
    .ovfq_write_fail_i  (ovfq_write_fail),
    .ovfq_fetch_fail_i  (ovfq_fetch_fail),
    .spill_lost_i       (spill_lost),
    .dats_over_i        (dats_over),
    .dgb_events_i       (dgb_events),
    .config_o           (regs_config)
  );

  hd_memarb u_memarb (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .mem_i    ({dgb_mem, dats_mem, spill_mem, susp_mem, pool_mem, ovfq_mem}),
    .mem_o    (memarb_mem),
    .awvalid_o(awvalid_o),
    .awid_o   (awid_o),
    .awaddr_o (awaddr_o),
    .awlen_o  (awlen_o),
    .awsize_o (awsize_o),
    .awburst_o(awburst_o),
    .awready_i(awready_i),
    .wvalid_o (wvalid_o),
    .wdata_o  (wdata_o),
    .wstrb_o  (wstrb_o),
    .wlast_o  (wlast_o),
    .wready_i (wready_i),
    .bvalid_i (bvalid_i),
    .bid_i    (bid_i),
    .bresp_i  (bresp_i),
    .bready_o (bready_o),
    .arvalid_o(arvalid_o),
    .arid_o   (arid_o),
    .araddr_o (araddr_o),
    .arlen_o  (arlen_o),
    .arsize_o (arsize_o),
    .arburst_o(arburst_o),
    .arready_i(arready_i),
    .rvalid_i (rvalid_i),
    .rid_i    (rid_i),
    .rdata_i  (rdata_i),
    .rresp_i  (rresp_i),
    .rlast_i  (rlast_i),
    .rready_o (rready_o)
  );

  assign cta_done_ready_o = '1;
  assign enter_valid_o    = kd_entry.valid;
  assign enter_kdei_o     = kd_entry.kdei & {hd_pkg::KdeW{kd_entry.valid}};
  assign enter_param_o    = kmu_offer.kernel.desc.param & {hd_pkg::ParamW{kd_entry.valid}};

  // Unused: u_fcfs reports the oldest kernel, but the scheduler gets it when it enters or as
  // `next`. Banks report whether they hold an entry, but the offers already include that.
  logic unused_outputs;
  assign unused_outputs = &{1'b0, fcfs_head, laperm_bank_valid};

`ifdef HD_ASSERT_ON
  hd_axi4_rules #(
    .Ids  (hd_pkg::MemClients),
    .IdW  (hd_pkg::MemIdW),
    .AddrW(hd_pkg::AddrW)
  ) u_axi4_rules (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .awvalid_i   (awvalid_o),
    .awid_i      (awid_o),
    .awaddr_i    (awaddr_o),
    .awlen_i     (awlen_o),
    .awsize_i    (awsize_o),
    .awburst_i   (awburst_o),
    .awready_i   (awready_i),
    .wvalid_i    (wvalid_o),
    .wdata_i     (wdata_o),
    .wstrb_i     (wstrb_o),
    .wlast_i     (wlast_o),
    .wready_i    (wready_i),
    .bvalid_i    (bvalid_i),
    .bid_i       (bid_i),
    .bready_i    (bready_o),
    .arvalid_i   (arvalid_o),
    .arid_i      (arid_o),
    .araddr_i    (araddr_o),
    .arlen_i     (arlen_o),
    .arsize_i    (arsize_o),
    .arburst_i   (arburst_o),
    .arready_i   (arready_i),
    .rvalid_i    (rvalid_i),
    .rid_i       (rid_i),
    .rlast_i     (rlast_i),
    .rready_i    (rready_o)
  );

  // A group waits for an overflow slot, and all hand-outs wait with it. If there are more slots
  // than TBs that may run (OvfSlots > Resident), then after 15 cycles a slot can only depend on
  // software accepting an offered record, or on a kernel with a parked group leaving the KD. That
  // these events happen is not asserted.
  logic [3:0] slot_waits_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) slot_waits_q <= '0;
    else if (!sched_events.slot_wait) slot_waits_q <= '0;
    else if (slot_waits_q != '1) slot_waits_q <= slot_waits_q + 4'd1;
  end
  `HD_ASSERT_PROP(a_slot_wait, hd_pkg::OvfSlots > hd_pkg::Resident && sched_events.slot_wait
      && slot_waits_q == '1 |-> record_done_valid_o
      || (u_agc.u_parked.park_valid_q & ~u_agc.u_parked.leaving_q) != '0,
      "A group waits for an overflow slot, and no event that frees one is pending.")
  `HD_ASSERT_PROP(a_oldest, sched_sscr.valid == fcfs_head.valid && (!fcfs_head.valid
      || sched_sscr.kdei == fcfs_head.kdei),
      "The SMX scheduler does not work on the oldest marked kernel.")
  `HD_ASSERT_PROP(a_marked, (fcfs_marked & ~u_kd.valid_q) == '0,
      "A marked kernel is not in the KD.")
  `HD_ASSERT_PROP(a_reopen, $countones(u_kd.u_release.reopen_d)
      == $countones(u_kd.release_now & u_kd.u_release.host_q & ~u_kd.kin_valid_o),
      "The number of reopened HWQs differs from that of released host kernels.")
  `HD_ASSERT_PROP(a_graph, $countones(u_kd.runs) <= 1 && (u_kd.runs != '0) == dats_busy,
      "More than one KD entry runs a graph, or the KD and dats disagree on whether one runs.")
  `HD_ASSERT_PROP(a_pending, (link_pending & ~u_kd.valid_q) == '0,
      "A kernel with pending groups is not in the KD.")

  // Rare: every SMX is offered a TB at once; all SMXs report a completion at once.
  `HD_COVER(c_all_dispatch, &dispatch_valid_o)
  `HD_COVER(c_all_done, &sched_done_ok)
`endif

endmodule
