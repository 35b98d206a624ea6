// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_top: the thread-block dispatch plane of a GPU. It accepts kernel launches from the host and
// launches of kernels and TB groups from running TBs, dispatches TBs to the SMXs, and reports
// finished kernels.
//
//   host <--launches--> u_host ---- kernels ----> u_dispatch <--TBs--> SMXs
//                       ^  | |                    ^        ^            |
//                       |  | '---> u_graph --TBs--'        | groups     | launches
//            to run     |  | ends                          |            v
//            (again)    |  v                               |            |
//   kernel_done <----- u_family <-- device kernels --- u_launch <-------'
//   APB4, AXI4 <-----> u_service: configuration, counters of events, memory requests
//
// From dtbl-isca2015 sections 2 and 4 (figures 2 and 4), laperm-isca2016 section II,
// cooperative-warp-tb-scheduling-2017 section 4. The headers of the blocks list our own additions.
// - This module connects the clusters, and they connect their blocks; its only logic is at its end.
//   A kernel offered by the KMU enters KD, FCFS, match, link, ovfq, dats, laperm and, if the SSCR
//   is empty, the SMX scheduler, all in the same cycle.
// - Latency: a launch accepted at t is offered for dispatch at t+5 in an idle machine. A freed slot
//   is used again 2 cycles after its completion. A group is linked at the end of the third cycle
//   after the one in which its beat was accepted.
// - Rate: one TB per cycle; one launch beat per cycle.
// - Completions are never stalled: cta_done_ready is constant 1.
// - kernel_done is raised when the kernel and all its descendants (launched directly or indirectly
//   by its TBs) are complete.
// Ports: top.csv. Model cmodel/top, tests verif/unit and verif/equiv test_top, page docs/top.md.
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

  // ---- Wires and clusters: made by `python3 rtl/hdgen rtl`, do not edit ----
  // Driven by u_host
  hd_pkg::offer_t kmu_offer, kd_suspend;
  logic kmu_pool_pop, kmu_susp_pop, kd_busy, kd_stall;
  hd_pkg::entry_t kd_free, kd_entry, kd_take, fcfs_next;
  logic [hd_pkg::NumKde*hd_pkg::NeedW-1:0] kd_need;
  logic [hd_pkg::NumKde*hd_pkg::CtasW-1:0] kd_ctas, kd_nextbl;
  logic [hd_pkg::NumKde*hd_pkg::LevelW-1:0] kd_level;
  logic [hd_pkg::NumKde-1:0] kd_ndone, kd_kin_valid, kd_suspending, kd_failed, kd_eligible,
    kd_save_ok, kd_sav_full, kd_left, fcfs_marked;
  logic [hd_pkg::NumKde*hd_pkg::SavW-1:0] kd_sav_first;
  logic [hd_pkg::NumKde*hd_pkg::SavCountW-1:0] kd_sav_count;
  logic [hd_pkg::NumKde*hd_pkg::KinW-1:0] kd_kin;
  hd_pkg::desc_t kd_desc;
  hd_pkg::parent_t kd_rest;
  hd_pkg::leave_t kd_leave;

  // Driven by u_dispatch
  hd_pkg::take_t sched_take;
  logic sched_graph_take, sched_unmark, sched_rotate, sched_give_way, sched_advance,
    sched_group_pop, sched_saved_pop, laperm_full, laperm_back_ready, laperm_inversion;
  hd_pkg::grant_t sched_grant;
  hd_pkg::entry_t sched_sscr, laperm_push, spill_lost;
  hd_pkg::schedev_t sched_events;
  hd_pkg::hand_t sched_hand;
  hd_pkg::park_t sched_park;
  hd_pkg::look_t sched_look;
  hd_pkg::retired_t sched_retire;
  logic [hd_pkg::NumSmx-1:0] sched_done_ok, sched_done_empty, sched_done_early, sched_node_done;
  logic [hd_pkg::NumSmx*hd_pkg::LnaW-1:0] sched_node_place;
  hd_pkg::enter_t laperm_enter;
  hd_pkg::bankgroup_t laperm_put, spill_back;
  logic [hd_pkg::NumBank*3-1:0] laperm_bank_room;
  logic [hd_pkg::SpillPutsW-1:0] spill_rows;
  hd_pkg::memup_t spill_mem;

  // Driven by u_graph
  logic dats_busy;
  logic [hd_pkg::NumKde-1:0] dats_older;
  hd_pkg::graphtb_t dats_tb;
  hd_pkg::run_t dats_run;
  hd_pkg::over_t dats_over;
  hd_pkg::memup_t dats_mem, dgb_mem;
  hd_pkg::dgbev_t dgb_events;

  // Driven by u_launch
  hd_pkg::entry_t devq_hold, devq_unhold, ovfq_write_fail, ovfq_fetch_fail;
  hd_pkg::lookup_t devq_look;
  hd_pkg::a2group_t devq_group;
  hd_pkg::devoffer_t devq_push;
  hd_pkg::birth_t devq_birth;
  hd_pkg::save_t devq_save;
  logic [6:0] devq_event;
  logic [hd_pkg::CodeW-1:0] devq_code;
  logic [hd_pkg::KindW-1:0] devq_kind;
  hd_pkg::matchev_t match_events;
  hd_pkg::linked_t link_link;
  hd_pkg::list_t link_list;
  logic [hd_pkg::NumKde-1:0] link_pending, link_single, ovfq_unanswered;
  hd_pkg::memlist_t ovfq_taken;
  logic ovfq_fetch;
  hd_pkg::memup_t ovfq_mem;
  hd_pkg::grouphead_t agt_group;
  hd_pkg::freeslot_t agc_slot;

  // Driven by u_family
  hd_pkg::parent_t kin_free;
  logic kin_leave_ready, kin_busy, susp_save_room, susp_suspend_free;
  logic [hd_pkg::NumHwq-1:0] kin_reopen;
  hd_pkg::poolroom_t pool_room;
  logic [hd_pkg::NumStreams-1:0] pool_stream_ok;
  hd_pkg::devoffer_t pool_head;
  hd_pkg::poolev_t pool_events;
  hd_pkg::memup_t pool_mem, susp_mem;
  hd_pkg::offer_t susp_head;
  hd_pkg::savedtb_t susp_saved;
  hd_pkg::entry_t susp_chunk_fail;
  hd_pkg::suspev_t susp_events;

  // Driven by u_service
  hd_pkg::settings_t regs_config;
  hd_pkg::memdown_t memarb_spill, memarb_dats, memarb_dgb, memarb_ovfq, memarb_pool, memarb_susp;

  hd_host u_host (
    .clk_i, .rst_ni,
    // The plane's inputs
    .host_launch_valid(host_launch_valid_i), .host_launch(host_launch_i),
    .host_answer_ready(host_answer_ready_i),
    // From u_dispatch
    .laperm_enter, .laperm_push, .sched_take, .sched_grant, .sched_sscr, .sched_graph_take,
    .sched_park, .sched_retire, .spill_lost, .sched_unmark, .sched_rotate,
    // From u_graph
    .dats_busy, .dats_run, .dats_over,
    // From u_launch
    .link_pending, .ovfq_unanswered, .devq_hold, .devq_unhold, .devq_birth, .devq_save,
    .ovfq_write_fail, .ovfq_fetch_fail, .link_link,
    // From u_family
    .kin_reopen, .pool_head, .susp_head, .susp_chunk_fail, .susp_suspend_free, .kin_leave_ready,
    // From u_service
    .regs_config,
    // Driven by u_kmu
    .host_launch_ready(host_launch_ready_o), .host_answer_valid(host_answer_valid_o),
    .host_answer(host_answer_o), .kmu_offer, .kmu_pool_pop, .kmu_susp_pop,
    // Driven by u_kd
    .kd_free, .kd_entry, .kd_need, .kd_ctas, .kd_level, .kd_nextbl, .kd_ndone, .kd_sav_first,
    .kd_sav_count, .kd_kin_valid, .kd_kin, .kd_suspending, .kd_failed, .kd_eligible, .kd_save_ok,
    .kd_sav_full, .kd_desc, .kd_busy, .kd_left, .kd_stall, .kd_take, .kd_suspend, .kd_rest,
    .kd_leave,
    // Driven by u_fcfs
    .fcfs_marked, .fcfs_next
  );

  hd_dispatch u_dispatch (
    .clk_i, .rst_ni,
    // The plane's inputs
    .dispatch_ready(dispatch_ready_i), .cta_done_valid(cta_done_valid_i),
    .cta_done_slot(cta_done_slot_i), .cycles(cycles_i), .dram_full(dram_full_i),
    .icnt2sm(icnt2sm_i),
    // From u_host
    .kd_entry, .kmu_offer, .fcfs_marked, .fcfs_next, .kd_need, .kd_ctas, .kd_level, .kd_nextbl,
    .kd_ndone, .kd_sav_count, .kd_suspending, .kd_failed, .kd_stall, .kd_desc, .kd_free,
    .kd_sav_full,
    // From u_graph
    .dats_run, .dats_tb, .dats_older,
    // From u_launch
    .link_pending, .link_link, .link_single, .agt_group, .agc_slot, .devq_look, .devq_group,
    // From u_family
    .susp_saved,
    // From u_service
    .regs_config, .memarb_spill,
    // Driven by u_sched
    .sched_take, .sched_graph_take, .sched_grant, .sched_sscr, .sched_unmark, .sched_rotate,
    .sched_give_way, .sched_events, .sched_advance, .sched_group_pop, .sched_hand, .sched_saved_pop,
    .sched_park, .sched_look, .sched_retire, .dispatch_valid(dispatch_valid_o),
    .dispatch(dispatch_o), .sched_done_ok, .sched_done_empty, .sched_done_early, .sched_node_done,
    .sched_node_place,
    // Driven by u_throttle
    .open_count(open_count_o),
    // Driven by u_laperm
    .laperm_full, .laperm_push, .laperm_enter, .laperm_put, .laperm_bank_room, .laperm_back_ready,
    .laperm_inversion,
    // Driven by u_spill
    .spill_rows, .spill_back, .spill_lost, .spill_mem
  );

  hd_graph u_graph (
    .clk_i, .rst_ni,
    // From u_host
    .kd_entry, .kmu_offer, .fcfs_marked,
    // From u_dispatch
    .sched_grant, .sched_sscr, .sched_graph_take, .sched_give_way, .sched_node_done,
    .sched_node_place,
    // From u_service
    .memarb_dats, .memarb_dgb,
    // Driven by u_dats
    .dats_busy, .dats_older, .dats_tb, .dats_run, .dats_over, .dats_mem,
    // Driven by u_dgb
    .dgb_events, .dgb_mem
  );

  hd_launch u_launch (
    .clk_i, .rst_ni,
    // The plane's inputs
    .dev_launch_valid(dev_launch_valid_i), .dev_launch(dev_launch_i),
    .dev_answer_ready(dev_answer_ready_i), .record_done_ready(record_done_ready_i),
    // From u_host
    .kd_entry, .kmu_offer, .kd_sav_count, .kd_failed, .kd_kin_valid, .kd_kin, .kd_save_ok,
    .kd_sav_first, .kd_eligible, .kd_take, .kd_busy, .kd_left,
    // From u_dispatch
    .sched_sscr, .sched_retire, .spill_lost, .sched_look, .laperm_bank_room, .spill_rows,
    .laperm_full, .sched_advance, .sched_events, .sched_group_pop, .sched_hand,
    // From u_family
    .susp_chunk_fail, .pool_room, .pool_stream_ok, .kin_free, .susp_save_room, .kin_busy,
    // From u_service
    .regs_config, .memarb_ovfq,
    // Driven by u_devq
    .dev_launch_ready(dev_launch_ready_o), .dev_answer_valid(dev_answer_valid_o),
    .dev_answer(dev_answer_o), .devq_hold, .devq_look, .devq_group, .devq_unhold, .devq_push,
    .devq_birth, .devq_save, .devq_event, .devq_code, .devq_kind,
    // Driven by u_match
    .match_events,
    // Driven by u_link
    .link_link, .link_list, .link_pending, .link_single,
    // Driven by u_ovfq
    .ovfq_unanswered, .ovfq_taken, .ovfq_write_fail, .ovfq_fetch_fail, .ovfq_fetch, .ovfq_mem,
    // Driven by u_agt
    .agt_group,
    // Driven by u_agc
    .agc_slot, .record_done_valid(record_done_valid_o), .record_done(record_done_o)
  );

  hd_family u_family (
    .clk_i, .rst_ni,
    // The plane's inputs
    .kernel_done_ready(kernel_done_ready_i),
    // From u_host
    .kd_sav_count, .kd_kin, .kd_sav_first, .kd_rest, .kd_leave, .kmu_pool_pop, .kd_suspend,
    .kmu_susp_pop,
    // From u_dispatch
    .sched_sscr, .sched_saved_pop,
    // From u_launch
    .devq_birth, .devq_save, .devq_push, .link_list, .ovfq_taken,
    // From u_service
    .regs_config, .memarb_pool, .memarb_susp,
    // Driven by u_kin
    .kin_free, .kin_leave_ready, .kin_busy, .kernel_done_valid(kernel_done_valid_o),
    .kernel_done(kernel_done_o), .kin_reopen,
    // Driven by u_pool
    .pool_room, .pool_stream_ok, .pool_head, .pool_events, .pool_mem,
    // Driven by u_susp
    .susp_save_room, .susp_suspend_free, .susp_head, .susp_saved, .susp_chunk_fail, .susp_events,
    .susp_mem
  );

  hd_service u_service (
    .clk_i, .rst_ni,
    // The plane's inputs
    .host_answer_ready(host_answer_ready_i), .record_done_ready(record_done_ready_i),
    .kernel_done_ready(kernel_done_ready_i), .psel(psel_i), .penable(penable_i), .pwrite(pwrite_i),
    .paddr(paddr_i), .pwdata(pwdata_i), .pstrb(pstrb_i), .awready(awready_i), .wready(wready_i),
    .bvalid(bvalid_i), .bid(bid_i), .bresp(bresp_i), .arready(arready_i), .rvalid(rvalid_i),
    .rid(rid_i), .rdata(rdata_i), .rresp(rresp_i), .rlast(rlast_i),
    // From u_host
    .kd_entry, .fcfs_next, .kd_busy, .host_answer_valid(host_answer_valid_o),
    .host_answer(host_answer_o),
    // From u_dispatch
    .sched_take, .sched_grant, .sched_graph_take, .spill_lost, .spill_back, .laperm_put,
    .laperm_back_ready, .sched_events, .sched_done_ok, .sched_done_empty, .sched_done_early,
    .laperm_inversion, .spill_mem,
    // From u_graph
    .dats_over, .dgb_events, .dats_mem, .dgb_mem,
    // From u_launch
    .ovfq_write_fail, .ovfq_fetch_fail, .devq_event, .devq_code, .devq_kind, .match_events,
    .ovfq_fetch, .record_done_valid(record_done_valid_o), .ovfq_mem,
    // From u_family
    .kin_busy, .kernel_done_valid(kernel_done_valid_o), .pool_events, .susp_events, .pool_mem,
    .susp_mem,
    // Driven by u_regs
    .pready(pready_o), .prdata(prdata_o), .pslverr(pslverr_o), .regs_config,
    // Driven by u_memarb
    .awvalid(awvalid_o), .awid(awid_o), .awaddr(awaddr_o), .awlen(awlen_o), .awsize(awsize_o),
    .awburst(awburst_o), .wvalid(wvalid_o), .wdata(wdata_o), .wstrb(wstrb_o), .wlast(wlast_o),
    .bready(bready_o), .arvalid(arvalid_o), .arid(arid_o), .araddr(araddr_o), .arlen(arlen_o),
    .arsize(arsize_o), .arburst(arburst_o), .rready(rready_o), .memarb_spill, .memarb_dats,
    .memarb_dgb, .memarb_ovfq, .memarb_pool, .memarb_susp
  );
  // ---- end ----

  assign cta_done_ready_o = '1;
  assign enter_valid_o    = kd_entry.valid;
  assign enter_kdei_o     = kd_entry.kdei & {hd_pkg::KdeW{kd_entry.valid}};
  assign enter_param_o    = kmu_offer.kernel.desc.param & {hd_pkg::ParamW{kd_entry.valid}};

endmodule
