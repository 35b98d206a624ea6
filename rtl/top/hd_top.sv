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
  localparam int MemClients = hd_pkg::MemClients;
  localparam int MemOvfq = 0;
  localparam int MemPool = 1;
  localparam int MemSusp = 2;
  localparam int MemSpill = 3;
  localparam int MemDats = 4;
  localparam int MemDgb = 5;

  // ---- Wires, by the block that drives them ----------------------------------------------------

  // Clients of the memory port, by number, and the answers to them
  logic [MemClients-1:0] mem_req_valid, mem_ready, mem_take, mem_b_valid, mem_r_valid;
  logic [MemClients*hd_pkg::MemreqW-1:0] mem_req;
  logic [MemClients*hd_pkg::MembeatW-1:0] mem_wbeat;
  logic mem_b_error;
  hd_pkg::memdata_t mem_r;

  // u_kmu: a kernel that enters; pops of u_pool and u_susp
  logic kernel_valid, pool_pop, susp_pop;
  hd_pkg::kernel_t kernel;

  // u_kd: the kernel enters
  logic kernel_ready;
  logic [hd_pkg::KdeW-1:0] alloc_kdei;

  // u_kd: the entries
  logic [hd_pkg::NumKde*hd_pkg::NeedW-1:0] need;
  logic [hd_pkg::NumKde*hd_pkg::CtasW-1:0] ctas, nextbl;
  logic [hd_pkg::NumKde*hd_pkg::LevelW-1:0] level;
  logic [hd_pkg::NumKde*hd_pkg::SavW-1:0] sav_first;
  logic [hd_pkg::NumKde*hd_pkg::SavCountW-1:0] sav_count;
  logic [hd_pkg::NumKde*hd_pkg::KinW-1:0] kin;
  logic [hd_pkg::NumKde-1:0] ndone, kin_valid, suspending, failed, eligible, save_ok, sav_full;
  hd_pkg::desc_t desc;

  // u_kd: freed entries, a suspension, a kernel that leaves
  logic kd_busy, steal, take_valid, suspend_valid, rest_valid, leave_valid;
  logic [hd_pkg::KinW-1:0] rest_kin;
  logic [hd_pkg::NumHwq-1:0] reopen;
  logic [hd_pkg::NumKde-1:0] left;
  logic [hd_pkg::KdeW-1:0] take_kdei;
  hd_pkg::kernel_t suspend;
  hd_pkg::leave_t leave;

  // u_fcfs: marked kernels
  logic [hd_pkg::NumKde-1:0] marked;
  logic head_valid, next_valid;
  logic [hd_pkg::KdeW-1:0] head_kdei, next_kdei;

  // u_sched: a TB of the SSCR is granted
  logic grant_valid, unit_end;
  logic [hd_pkg::KdeW-1:0] grant_kdei;
  logic [hd_pkg::SmxW-1:0] grant_smx;
  logic [hd_pkg::UnitW-1:0] grant_kind;
  logic [hd_pkg::LevelW-1:0] grant_level;

  // u_sched: the SSCR
  logic unmark, rotate, blocked, cur_valid, waiting, slot_wait, adv_valid, group_pop, load_valid;
  logic grant_group, grant_end, sv_pop, park_valid, park_group;
  hd_pkg::ptr_t load_ptr;
  logic [hd_pkg::CtasW-1:0] park_nextbl;

  // u_sched: a TB of a bank is granted
  logic serve_valid, serve_spare, serve_last;
  logic [hd_pkg::KdeW-1:0] serve_kdei;
  logic [hd_pkg::BankW-1:0] serve_bank;
  logic [hd_pkg::NumBank-1:0] serve;

  // u_sched: TB slots and completions
  hd_pkg::look_t look;
  logic retire_valid;
  hd_pkg::retire_t retire;
  logic [hd_pkg::NumSmx-1:0] done_ok, done_empty, done_early;

  // u_sched: TBs of the graph
  logic graph_take, give_way;
  logic [hd_pkg::NumSmx-1:0] node_done;
  logic [hd_pkg::NumSmx*hd_pkg::LnaW-1:0] node_place;

  // u_sched: a TB not bound to an SMX waits; u_throttle: the SMXs that accept such TBs
  logic unassigned;
  logic [hd_pkg::NumSmx-1:0] open;

  // u_laperm: where a group and a kernel that enters go
  logic group_full, queue_valid, enter_wait, enter_bank, enter_mark;
  logic [hd_pkg::KdeW-1:0] queue_kdei;

  // u_laperm: the banks, and the offers to each SMX
  logic [hd_pkg::NumBank-1:0] bank_valid, bank_last;
  logic [hd_pkg::NumSmx-1:0] bound_valid, spare_valid;
  logic [hd_pkg::NumBank*hd_pkg::PqentryW-1:0] bank_front;
  logic [hd_pkg::NumBank*hd_pkg::CtasW-1:0] bank_nextbl;
  logic [hd_pkg::NumSmx*hd_pkg::BankW-1:0] bound_bank, spare_bank;
  logic [hd_pkg::NumSmx*hd_pkg::NeedW-1:0] bound_need, spare_need;
  logic then_valid;
  hd_pkg::need_t then_need;

  // u_laperm: groups to and from memory, inversions
  logic put_valid, back_ready, inversion;
  logic [hd_pkg::BankW-1:0] put_bank;
  logic [hd_pkg::KdeW-1:0] put_kdei;
  hd_pkg::info_t put_info;
  logic [hd_pkg::NumBank-1:0] place;

  // u_spill: groups in memory
  logic [hd_pkg::NumBank*3-1:0] bank_room;
  logic [hd_pkg::SpillPutsW-1:0] rows;
  logic put_ready, back_valid, group_lost_valid, spill_req_valid;
  logic [hd_pkg::SpillqQueues-1:0] held;
  logic [hd_pkg::BankW-1:0] back_bank;
  logic [hd_pkg::KdeW-1:0] back_kdei, group_lost_kdei;
  hd_pkg::info_t back_info;
  hd_pkg::memreq_t spill_req;
  hd_pkg::membeat_t spill_wbeat;

  // u_dats: the kernel of the graph, its next TB, its running TBs, its end
  logic graph_busy, graph_valid, graph_wants, run_valid, graph_over_valid;
  logic [hd_pkg::NumKde-1:0] older;
  logic [hd_pkg::KdeW-1:0] run_kdei, graph_over_kdei;
  hd_pkg::need_t run_need;
  logic [hd_pkg::LnaW-1:0] graph_index;
  logic [hd_pkg::CtasW-1:0] graph_cta;
  logic [hd_pkg::SmxW-1:0] graph_smx;
  hd_pkg::dgbend_t graph_over;

  // u_dats: the graph to the buffer; memory
  logic start_valid, finish_ready, node_ready, dats_req_valid;
  logic [hd_pkg::SmxW-1:0] node_smx;
  hd_pkg::dgbstart_t start;
  hd_pkg::memreq_t dats_req;
  hd_pkg::membeat_t dats_wbeat;

  // u_dgb: nodes, the end; events; memory
  logic start_ready, finish_valid, node_valid, wish_valid, pub_event, early_event, big_event;
  logic dgb_req_valid;
  hd_pkg::dgbend_t finish;
  hd_pkg::dgbnode_t node;
  logic [hd_pkg::DgbSmxW-1:0] wish_smx;
  hd_pkg::memreq_t dgb_req;
  hd_pkg::membeat_t dgb_wbeat;

  // u_devq, A1: search, hold, the slot of the TB that launches
  logic find_valid, find_first, find_take, hold_valid;
  hd_pkg::key_t find_key;
  logic [hd_pkg::KdeW-1:0] hold_kdei;
  logic [hd_pkg::SmxW-1:0] look_smx;
  logic [hd_pkg::SlotW-1:0] look_slot;

  // u_devq, A2: a group
  logic a2_group;
  logic [hd_pkg::KdeW-1:0] a2_kdei;
  logic [hd_pkg::SmxW-1:0] a2_smx;
  logic [hd_pkg::HwtidW-1:0] a2_hwtid;
  logic [hd_pkg::RecW-1:0] a2_record;
  hd_pkg::info_t a2_info;

  // u_devq, A3: end of a group's hold, a kernel, a child, a saved TB; events
  logic unhold_valid, push_valid, birth_valid, birth_new, save_valid;
  logic [hd_pkg::KdeW-1:0] unhold_kdei, birth_kdei, save_kdei;
  hd_pkg::devk_t push;
  logic [hd_pkg::KinW-1:0] birth_kin, save_kin;
  logic [hd_pkg::SavW-1:0] save_pos;
  hd_pkg::saved_t save_entry;
  logic [6:0] dev_event;
  logic [hd_pkg::CodeW-1:0] dev_code;
  logic [hd_pkg::KindW-1:0] dev_kind;

  // u_match: the search
  logic found, found_hit, searched, search;
  logic [hd_pkg::KdeW-1:0] found_kdei;

  // u_link: a group is linked, or overflows
  logic kept, refused, alloc_valid, link_valid, link_over, link_next;
  logic [hd_pkg::AgtW-1:0] alloc_index, link_prev;
  logic [hd_pkg::KdeW-1:0] link_kdei;
  hd_pkg::ptr_t link_ptr;

  // u_link: the kernels' lists
  hd_pkg::list_t taken_list;
  logic [hd_pkg::NumKde-1:0] pending, single, chained;
  logic [hd_pkg::NumKde*hd_pkg::AgtW-1:0] nagei, lagei;

  // u_ovfq: the lists in memory, records read ahead
  logic room, over_valid, write_fail_valid, fetch_fail_valid, fetch, ovfq_req_valid;
  logic [hd_pkg::NumKde-1:0] there, one, full, unanswered;
  hd_pkg::memlist_t taken;
  logic [hd_pkg::KdeW-1:0] over_kdei, write_fail_kdei, fetch_fail_kdei;
  hd_pkg::group_t over;
  hd_pkg::memreq_t ovfq_req;
  hd_pkg::membeat_t ovfq_wbeat;

  // u_agt: groups read ahead
  logic group_valid, over_pop;
  logic [hd_pkg::KdeW-1:0] group_kdei;
  hd_pkg::group_t group;
  logic [hd_pkg::AgtW-1:0] succ;

  // u_agc: overflow slots, freed AGEs
  logic slot_valid, free_valid;
  logic [hd_pkg::OvfW-1:0] slot;
  logic [hd_pkg::AgtW-1:0] free_index;

  // u_kin: parent records, completions
  logic kin_free, kin_busy, leave_ready, lost_ready, suspended_ready, resume_valid;
  logic stream_done_valid;
  logic [hd_pkg::KinW-1:0] kin_alloc, resume_kin;
  logic [hd_pkg::NumHwq-1:0] reopen_kin;
  logic [hd_pkg::StreamW-1:0] stream_done;

  // u_pool: device kernels
  logic pool_ready, pool_two, pool_full, pool_valid, lost_valid, spill, refill, pool_error;
  logic pool_req_valid;
  logic [hd_pkg::NumStreams-1:0] stream_ok;
  hd_pkg::devk_t pool_head;
  logic [hd_pkg::KinW-1:0] lost_up;
  logic [hd_pkg::StreamW-1:0] lost_stream;
  hd_pkg::memreq_t pool_req;
  hd_pkg::membeat_t pool_wbeat;

  // u_susp: suspended kernels
  logic suspend_free, suspended_valid, kin_fail_valid, kin_fail_back, resume_ready, susp_valid;
  logic [hd_pkg::KinW-1:0] suspended_kin, kin_fail_kin;
  hd_pkg::origin_t suspended;
  hd_pkg::kernel_t susp_head;

  // u_susp: saved TBs
  logic save_room, saving, sv_valid, chunk_fail_valid;
  logic [hd_pkg::KdeW-1:0] sv_kdei, chunk_fail_kdei;
  hd_pkg::saved_t sv;

  // u_susp: memory, events
  logic suspended_event, resumed_event, susp_error, susp_req_valid;
  hd_pkg::memreq_t susp_req;
  hd_pkg::membeat_t susp_wbeat;

  // u_regs: configuration words
  logic [hd_pkg::NumConfig*32-1:0] config_word;
  logic [hd_pkg::PolicyW-1:0] policy;

  // ---- A kernel enters -------------------------------------------------------------------------

  // A kernel waits in the KMU while a group goes into the kernel's bank. TBs queued in a bank count
  // as already handed out for the SSCR.
  logic enter_valid, enter_ready;
  hd_pkg::progress_t enter_progress;

  assign enter_valid = kernel_valid && !enter_wait;
  assign enter_ready = kernel_ready && !enter_wait;
  always_comb begin
    enter_progress = kernel.progress;
    enter_progress.ndone = kernel.progress.ndone || enter_bank;
  end
  assign enter_valid_o = enter_valid && kernel_ready;
  assign enter_kdei_o  = alloc_kdei & {hd_pkg::KdeW{enter_valid_o}};
  assign enter_param_o = kernel.desc.param & {hd_pkg::ParamW{enter_valid_o}};

  // The key that a group must share with the kernel to join it.
  hd_pkg::key_t kernel_key;
  assign kernel_key.pc = kernel.desc.pc;
  assign kernel_key.cta_x = kernel.desc.cta_x;
  assign kernel_key.cta_y = kernel.desc.cta_y;
  assign kernel_key.cta_z = kernel.desc.cta_z;
  assign kernel_key.smem = kernel.need.smem;

  // ---- The blocks ------------------------------------------------------------------------------

  assign policy = config_word[hd_regs_pkg::ConfigPolicy*32+:hd_pkg::PolicyW];

  hd_kmu u_kmu (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .host_launch_valid_i(host_launch_valid_i),
    .host_launch_i      (host_launch_i),
    .host_launch_ready_o(host_launch_ready_o),
    .host_answer_valid_o(host_answer_valid_o),
    .host_answer_o      (host_answer_o),
    .host_answer_ready_i(host_answer_ready_i),
    .kernel_valid_o     (kernel_valid),
    .kernel_o           (kernel),
    .kernel_ready_i     (enter_ready),
    .reopen_i           (reopen),
    .reopen_kin_i       (reopen_kin),
    .policy_i           (policy),
    .graph_busy_i       (graph_busy),
    .dev_valid_i        (pool_valid),
    .dev_i              (pool_head),
    .dev_pop_o          (pool_pop),
    .res_valid_i        (susp_valid),
    .res_i              (susp_head),
    .res_pop_o          (susp_pop)
  );

  hd_kd u_kd (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .kernel_valid_i (enter_valid),
    .kernel_i       (kernel),
    .kernel_ready_o (kernel_ready),
    .alloc_kdei_o   (alloc_kdei),
    .enter_queued_i (enter_bank),
    .marked_i       (marked),
    .pending_i      (pending),
    .unanswered_i   (unanswered),
    .queue_valid_i  (queue_valid),
    .queue_kdei_i   (queue_kdei),
    .serve_valid_i  (serve_valid),
    .serve_kdei_i   (serve_kdei),
    .serve_last_i   (serve_last),
    .grant_valid_i  (grant_valid),
    .grant_kdei_i   (grant_kdei),
    .grant_kind_i   (grant_kind),
    .unit_end_i     (unit_end),
    .graph_take_i   (graph_take),
    .graph_kdei_i   (run_kdei),
    .graph_end_valid_i(graph_over_valid),
    .graph_end_kdei_i(graph_over_kdei),
    .graph_end_code_i(graph_over.code),
    .park_valid_i   (park_valid),
    .park_nextbl_i  (park_nextbl),
    .retire_valid_i (retire_valid),
    .retire_kdei_i  (retire.kdei),
    .hold_valid_i   (hold_valid),
    .hold_kdei_i    (hold_kdei),
    .unhold_valid_i (unhold_valid),
    .unhold_kdei_i  (unhold_kdei),
    .birth_valid_i  (birth_valid),
    .birth_kdei_i   (birth_kdei),
    .birth_kin_i    (birth_kin),
    .save_valid_i   (save_valid),
    .save_kdei_i    (save_kdei),
    .fail_valid_i   ({group_lost_valid, chunk_fail_valid, fetch_fail_valid,
                       write_fail_valid}),
    .fail_kdei_i    ({group_lost_kdei, chunk_fail_kdei, fetch_fail_kdei, write_fail_kdei}),
    .need_o         (need),
    .ctas_o         (ctas),
    .level_o        (level),
    .nextbl_o       (nextbl),
    .ndone_o        (ndone),
    .sav_first_o    (sav_first),
    .sav_count_o    (sav_count),
    .kin_valid_o    (kin_valid),
    .kin_o          (kin),
    .suspending_o   (suspending),
    .failed_o       (failed),
    .eligible_o     (eligible),
    .save_ok_o      (save_ok),
    .sav_full_o     (sav_full),
    .desc_o         (desc),
    .reopen_o       (reopen),
    .kd_busy_o      (kd_busy),
    .left_o         (left),
    .steal_o        (steal),
    .take_valid_o   (take_valid),
    .take_kdei_o    (take_kdei),
    .suspend_free_i (suspend_free),
    .suspend_valid_o(suspend_valid),
    .suspend_o      (suspend),
    .rest_valid_o   (rest_valid),
    .rest_kin_o     (rest_kin),
    .leave_valid_o  (leave_valid),
    .leave_o        (leave),
    .leave_ready_i  (leave_ready)
  );

  hd_fcfs u_fcfs (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .enter_valid_i(enter_mark && !kernel.graph),
    .enter_ready_i(kernel_ready),
    .enter_kdei_i (alloc_kdei),
    .unmark_i     (unmark),
    .rotate_i     (rotate),
    .mark_valid_i (link_valid),
    .mark_kdei_i  (link_kdei),
    .marked_o     (marked),
    .head_valid_o (head_valid),
    .head_kdei_o  (head_kdei),
    .next_valid_o (next_valid),
    .next_kdei_o  (next_kdei)
  );

  hd_sched u_sched (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .enter_valid_i   (enter_mark && !kernel.graph),
    .enter_ready_i   (kernel_ready),
    .enter_kdei_i    (alloc_kdei),
    .enter_need_i    (kernel.need),
    .enter_ctas_i    (kernel.ctas),
    .enter_level_i   (kernel.level),
    .enter_progress_i(enter_progress),
    .next_valid_i    (next_valid),
    .next_kdei_i     (next_kdei),
    .marked_i        (marked),
    .need_i          (need),
    .ctas_i          (ctas),
    .level_i         (level),
    .nextbl_i        (nextbl),
    .ndone_i         (ndone),
    .sav_count_i     (sav_count),
    .suspending_i    (suspending),
    .failed_i        (failed),
    .steal_i         (steal),
    .desc_i          (desc),
    .pending_i       (pending),
    .single_i        (single),
    .link_valid_i    (link_valid),
    .link_kdei_i     (link_kdei),
    .group_valid_i   (group_valid),
    .group_kdei_i    (group_kdei),
    .group_i         (group),
    .slot_valid_i    (slot_valid),
    .slot_i          (slot),
    .sv_valid_i      (sv_valid),
    .sv_kdei_i       (sv_kdei),
    .sv_i            (sv),
    .bank_front_i    (bank_front),
    .bank_nextbl_i   (bank_nextbl),
    .bank_last_i     (bank_last),
    .bound_valid_i   (bound_valid),
    .bound_bank_i    (bound_bank),
    .bound_need_i    (bound_need),
    .spare_valid_i   (spare_valid),
    .spare_bank_i    (spare_bank),
    .spare_need_i    (spare_need),
    .then_valid_i    (then_valid),
    .then_need_i     (then_need),
    .graph_valid_i   (graph_valid),
    .graph_index_i   (graph_index),
    .graph_cta_i     (graph_cta),
    .graph_wants_i   (graph_wants),
    .graph_smx_i     (graph_smx),
    .older_i         (older),
    .run_valid_i     (run_valid),
    .run_kdei_i      (run_kdei),
    .run_need_i      (run_need),
    .take_valid_o    (serve_valid),
    .take_bank_o     (serve_bank),
    .take_o          (serve),
    .take_spare_o    (serve_spare),
    .take_kdei_o     (serve_kdei),
    .take_last_o     (serve_last),
    .graph_take_o    (graph_take),
    .grant_valid_o   (grant_valid),
    .grant_kdei_o    (grant_kdei),
    .grant_smx_o     (grant_smx),
    .grant_kind_o    (grant_kind),
    .grant_level_o   (grant_level),
    .unit_end_o      (unit_end),
    .unmark_o        (unmark),
    .rotate_o        (rotate),
    .give_way_o      (give_way),
    .blocked_o       (blocked),
    .cur_valid_o     (cur_valid),
    .waiting_o       (waiting),
    .slot_wait_o     (slot_wait),
    .adv_valid_o     (adv_valid),
    .group_pop_o     (group_pop),
    .load_valid_o    (load_valid),
    .load_ptr_o      (load_ptr),
    .grant_group_o   (grant_group),
    .grant_end_o     (grant_end),
    .sv_pop_o        (sv_pop),
    .park_valid_o    (park_valid),
    .park_nextbl_o   (park_nextbl),
    .park_group_o    (park_group),
    .open_i          (open),
    .unassigned_o    (unassigned),
    .look_smx_i      (look_smx),
    .look_slot_i     (look_slot),
    .look_o          (look),
    .retire_valid_o  (retire_valid),
    .retire_o        (retire),
    .dispatch_valid_o(dispatch_valid_o),
    .dispatch_o      (dispatch_o),
    .dispatch_ready_i(dispatch_ready_i),
    .cta_done_valid_i(cta_done_valid_i),
    .cta_done_slot_i (cta_done_slot_i),
    .done_ok_o       (done_ok),
    .done_empty_o    (done_empty),
    .done_early_o    (done_early),
    .node_done_o     (node_done),
    .node_place_o    (node_place)
  );

  hd_throttle u_throttle (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .on_i        (config_word[hd_regs_pkg::ConfigThrottle*32+:1]),
    .epoch_i     (config_word[hd_regs_pkg::ConfigThrottleEpoch*32+:32]),
    .band_i      (config_word[hd_regs_pkg::ConfigThrottleBand*32+:32]),
    .unassigned_i(unassigned),
    .cycles_i    (cycles_i),
    .dram_full_i (dram_full_i),
    .icnt2sm_i   (icnt2sm_i),
    .open_o      (open),
    .open_count_o(open_count_o)
  );

  hd_laperm u_laperm (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .policy_i        (policy),
    .a2_group_i      (a2_group),
    .a2_kdei_i       (a2_kdei),
    .a2_smx_i        (a2_smx),
    .a2_info_i       (a2_info),
    .full_o          (group_full),
    .push_valid_o    (queue_valid),
    .push_kdei_o     (queue_kdei),
    .enter_valid_i   (kernel_valid),
    .enter_ready_i   (kernel_ready),
    .enter_kdei_i    (alloc_kdei),
    .enter_need_i    (kernel.need),
    .enter_ctas_i    (kernel.ctas),
    .enter_level_i   (kernel.level),
    .enter_smx_i     (kernel.origin.smx),
    .enter_progress_i(kernel.progress),
    .enter_pending_i (kernel.groups.pending),
    .enter_wait_o    (enter_wait),
    .enter_bank_o    (enter_bank),
    .enter_mark_o    (enter_mark),
    .need_i          (need),
    .sav_full_i     (sav_full),
    .bank_valid_o    (bank_valid),
    .bank_front_o    (bank_front),
    .bank_nextbl_o   (bank_nextbl),
    .bank_last_o     (bank_last),
    .bound_valid_o   (bound_valid),
    .bound_bank_o    (bound_bank),
    .bound_need_o    (bound_need),
    .spare_valid_o   (spare_valid),
    .spare_bank_o    (spare_bank),
    .spare_need_o    (spare_need),
    .then_valid_o    (then_valid),
    .then_need_o     (then_need),
    .take_valid_i    (serve_valid),
    .take_bank_i     (serve_bank),
    .take_i          (serve),
    .take_smx_i      (grant_smx),
    .take_spare_i    (serve_spare),
    .grant_valid_i   (grant_valid || graph_take),
    .grant_level_i   (grant_level),
    .put_ready_i     (put_ready),
    .put_valid_o     (put_valid),
    .put_bank_o      (put_bank),
    .put_kdei_o      (put_kdei),
    .put_info_o      (put_info),
    .held_i          (held),
    .place_o         (place),
    .bank_room_o     (bank_room),
    .back_valid_i    (back_valid),
    .back_bank_i     (back_bank),
    .back_kdei_i     (back_kdei),
    .back_info_i     (back_info),
    .back_ready_o    (back_ready),
    .inversion_o     (inversion)
  );

  hd_spill u_spill (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .put_valid_i (put_valid),
    .put_bank_i  (put_bank),
    .put_kdei_i  (put_kdei),
    .put_info_i  (put_info),
    .put_ready_o (put_ready),
    .rows_o      (rows),
    .held_o      (held),
    .place_i     (place),
    .back_valid_o(back_valid),
    .back_bank_o (back_bank),
    .back_kdei_o (back_kdei),
    .back_info_o (back_info),
    .back_ready_i(back_ready),
    .lost_valid_o(group_lost_valid),
    .lost_kdei_o (group_lost_kdei),
    .base_i      (config_word[hd_regs_pkg::ConfigSpillBase*32+:32]),
    .count_i     (config_word[hd_regs_pkg::ConfigSpillCount*32+:32]),
    .req_valid_o (spill_req_valid),
    .req_o       (spill_req),
    .req_ready_i (mem_ready[MemSpill]),
    .wbeat_o     (spill_wbeat),
    .wbeat_take_i(mem_take[MemSpill]),
    .b_valid_i   (mem_b_valid[MemSpill]),
    .b_error_i   (mem_b_error),
    .r_valid_i   (mem_r_valid[MemSpill]),
    .r_i         (mem_r)
  );

  hd_dats u_dats (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .enter_valid_i   (enter_valid && kernel.graph),
    .enter_ready_i   (kernel_ready),
    .enter_kdei_i    (alloc_kdei),
    .enter_need_i    (kernel.need),
    .enter_ctas_i    (kernel.ctas),
    .enter_param_i   (kernel.desc.param),
    .busy_o          (graph_busy),
    .marked_i        (marked),
    .rotate_i        (give_way),
    .rotate_kdei_i   (grant_kdei),
    .older_o         (older),
    .start_valid_o   (start_valid),
    .start_o         (start),
    .start_ready_i   (start_ready),
    .finish_valid_i  (finish_valid),
    .finish_i        (finish),
    .finish_ready_o  (finish_ready),
    .node_valid_i    (node_valid),
    .node_i          (node),
    .node_ready_o    (node_ready),
    .node_smx_o      (node_smx),
    .wish_valid_i    (wish_valid),
    .wish_smx_i      (wish_smx),
    .graph_valid_o   (graph_valid),
    .graph_index_o   (graph_index),
    .graph_cta_o     (graph_cta),
    .graph_wants_o   (graph_wants),
    .graph_smx_o     (graph_smx),
    .graph_take_i    (graph_take),
    .graph_take_smx_i(grant_smx),
    .run_valid_o     (run_valid),
    .run_kdei_o      (run_kdei),
    .run_need_o      (run_need),
    .over_valid_o    (graph_over_valid),
    .over_kdei_o     (graph_over_kdei),
    .over_o          (graph_over),
    .req_valid_o     (dats_req_valid),
    .req_o           (dats_req),
    .req_ready_i     (mem_ready[MemDats]),
    .wbeat_o         (dats_wbeat),
    .wbeat_take_i    (mem_take[MemDats]),
    .b_valid_i       (mem_b_valid[MemDats]),
    .b_error_i       (mem_b_error),
    .r_valid_i       (mem_r_valid[MemDats]),
    .r_i             (mem_r)
  );

  hd_dgb u_dgb (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .start_valid_i (start_valid),
    .start_i       (start),
    .start_ready_o (start_ready),
    .finish_valid_o(finish_valid),
    .finish_o      (finish),
    .finish_ready_i(finish_ready),
    .node_valid_o  (node_valid),
    .node_o        (node),
    .node_ready_i  (node_ready),
    .node_smx_i    (node_smx),
    .wish_valid_o  (wish_valid),
    .wish_smx_o    (wish_smx),
    .done_valid_i  (node_done),
    .done_index_i  (node_place),
    .pub_event_o   (pub_event),
    .early_event_o (early_event),
    .big_event_o   (big_event),
    .req_valid_o   (dgb_req_valid),
    .req_o         (dgb_req),
    .req_ready_i   (mem_ready[MemDgb]),
    .wbeat_o       (dgb_wbeat),
    .wbeat_take_i  (mem_take[MemDgb]),
    .b_valid_i     (mem_b_valid[MemDgb]),
    .b_error_i     (mem_b_error),
    .r_valid_i     (mem_r_valid[MemDgb]),
    .r_i           (mem_r)
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
    .find_valid_o      (find_valid),
    .find_key_o        (find_key),
    .find_first_o      (find_first),
    .find_take_o       (find_take),
    .found_i           (found),
    .found_hit_i       (found_hit),
    .found_kdei_i      (found_kdei),
    .hold_valid_o      (hold_valid),
    .hold_kdei_o       (hold_kdei),
    .look_smx_o        (look_smx),
    .look_slot_o       (look_slot),
    .look_i            (look),
    .room_i            (room),
    .bank_room_i       (bank_room),
    .rows_i            (rows),
    .pool_ready_i      (pool_ready),
    .pool_two_i        (pool_two),
    .pool_full_i       (pool_full),
    .stream_ok_i       (stream_ok),
    .kin_free_i        (kin_free),
    .kin_alloc_i       (kin_alloc),
    .kin_valid_i       (kin_valid),
    .kin_i             (kin),
    .save_ok_i         (save_ok),
    .sav_first_i       (sav_first),
    .sav_count_i       (sav_count),
    .save_room_i       (save_room),
    .rec_count_i       (config_word[hd_regs_pkg::ConfigRecCount*32+:32]),
    .sus_count_i       (config_word[hd_regs_pkg::ConfigSusCount*32+:32]),
    .a2_group_o        (a2_group),
    .a2_kdei_o         (a2_kdei),
    .a2_smx_o          (a2_smx),
    .a2_hwtid_o        (a2_hwtid),
    .a2_record_o       (a2_record),
    .a2_info_o         (a2_info),
    .kept_i            (kept),
    .full_i            (group_full || refused),
    .unhold_valid_o    (unhold_valid),
    .unhold_kdei_o     (unhold_kdei),
    .push_valid_o      (push_valid),
    .push_o            (push),
    .birth_valid_o     (birth_valid),
    .birth_kdei_o      (birth_kdei),
    .birth_kin_o       (birth_kin),
    .birth_new_o       (birth_new),
    .save_valid_o      (save_valid),
    .save_kdei_o       (save_kdei),
    .save_kin_o        (save_kin),
    .save_pos_o        (save_pos),
    .save_entry_o      (save_entry),
    .dev_event_o       (dev_event),
    .dev_code_o        (dev_code),
    .dev_kind_o        (dev_kind)
  );

  hd_match u_match (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .enter_valid_i(enter_valid),
    .enter_ready_i(kernel_ready),
    .enter_kdei_i (alloc_kdei),
    .enter_key_i  (kernel_key),
    .eligible_i   (eligible),
    .find_valid_i (find_valid),
    .find_key_i   (find_key),
    .find_first_i (find_first),
    .find_take_i  (find_take),
    .found_o      (found),
    .found_hit_o  (found_hit),
    .found_kdei_o (found_kdei),
    .searched_o   (searched),
    .search_o     (search)
  );

  hd_link u_link (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .a2_group_i   (a2_group && policy == hd_pkg::PolicyRr),
    .a2_kdei_i    (a2_kdei),
    .a2_smx_i     (a2_smx),
    .a2_hwtid_i   (a2_hwtid),
    .a2_record_i  (a2_record),
    .kept_o       (kept),
    .refused_o    (refused),
    .alloc_valid_o(alloc_valid),
    .alloc_index_o(alloc_index),
    .link_valid_o (link_valid),
    .link_kdei_o  (link_kdei),
    .link_ptr_o   (link_ptr),
    .link_over_o  (link_over),
    .link_next_o  (link_next),
    .link_prev_o  (link_prev),
    .adv_valid_i  (adv_valid),
    .adv_kdei_i   (grant_kdei),
    .succ_i       (succ),
    .failed_i     (failed),
    .fail_valid_i ({group_lost_valid, chunk_fail_valid, fetch_fail_valid,
                       write_fail_valid}),
    .fail_kdei_i  ({group_lost_kdei, chunk_fail_kdei, fetch_fail_kdei, write_fail_kdei}),
    .take_valid_i (take_valid),
    .take_kdei_i  (take_kdei),
    .list_o       (taken_list),
    .enter_valid_i(enter_valid),
    .enter_ready_i(kernel_ready),
    .enter_kdei_i (alloc_kdei),
    .enter_list_i (kernel.groups),
    .there_i      (there),
    .one_i        (one),
    .full_i       (full),
    .pending_o    (pending),
    .single_o     (single),
    .chained_o    (chained),
    .nagei_o      (nagei),
    .lagei_o      (lagei),
    .free_valid_i (free_valid),
    .free_index_i (free_index),
    .kd_busy_i    (kd_busy),
    .kin_busy_i   (kin_busy)
  );

  hd_ovfq u_ovfq (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .push_valid_i      (link_over),
    .push_kdei_i       (link_kdei),
    .push_ptr_i        (link_ptr),
    .room_o            (room),
    .adv_valid_i       (adv_valid),
    .adv_kdei_i        (grant_kdei),
    .chained_i         (chained),
    .there_o           (there),
    .one_o             (one),
    .full_o            (full),
    .unanswered_o      (unanswered),
    .fail_valid_i      ({group_lost_valid, chunk_fail_valid}),
    .fail_kdei_i       ({group_lost_kdei, chunk_fail_kdei}),
    .take_valid_i      (take_valid),
    .take_kdei_i       (take_kdei),
    .kin_i             (kin),
    .taken_o           (taken),
    .enter_valid_i     (enter_valid),
    .enter_ready_i     (kernel_ready),
    .enter_kdei_i      (alloc_kdei),
    .enter_resumed_i   (kernel.resumed),
    .enter_kin_i       (kernel.kin),
    .enter_list_i      (kernel.over),
    .cur_valid_i       (cur_valid),
    .cur_kdei_i        (grant_kdei),
    .waiting_i         (waiting),
    .over_valid_o      (over_valid),
    .over_kdei_o       (over_kdei),
    .over_o            (over),
    .over_pop_i        (over_pop),
    .rec_base_i        (config_word[hd_regs_pkg::ConfigRecBase*32+:32]),
    .rec_count_i       (config_word[hd_regs_pkg::ConfigRecCount*32+:32]),
    .list_base_i       (config_word[hd_regs_pkg::ConfigListBase*32+:32]),
    .write_fail_valid_o(write_fail_valid),
    .write_fail_kdei_o (write_fail_kdei),
    .fetch_fail_valid_o(fetch_fail_valid),
    .fetch_fail_kdei_o (fetch_fail_kdei),
    .fetch_event_o     (fetch),
    .req_valid_o       (ovfq_req_valid),
    .req_o             (ovfq_req),
    .req_ready_i       (mem_ready[MemOvfq]),
    .wbeat_o           (ovfq_wbeat),
    .wbeat_take_i      (mem_take[MemOvfq]),
    .b_valid_i         (mem_b_valid[MemOvfq]),
    .b_error_i         (mem_b_error),
    .r_valid_i         (mem_r_valid[MemOvfq]),
    .r_i               (mem_r)
  );

  hd_agt u_agt (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .a2_info_i    (a2_info),
    .alloc_valid_i(alloc_valid),
    .alloc_index_i(alloc_index),
    .link_valid_i (link_valid),
    .link_kdei_i  (link_kdei),
    .link_ptr_i   (link_ptr),
    .link_over_i  (link_over),
    .link_next_i  (link_next),
    .link_prev_i  (link_prev),
    .chained_i    (chained),
    .nagei_i      (nagei),
    .lagei_i      (lagei),
    .cur_valid_i  (cur_valid),
    .cur_kdei_i   (grant_kdei),
    .over_valid_i (over_valid),
    .over_kdei_i  (over_kdei),
    .over_i       (over),
    .over_pop_o   (over_pop),
    .group_valid_o(group_valid),
    .group_kdei_o (group_kdei),
    .group_o      (group),
    .group_pop_i  (group_pop),
    .succ_o       (succ),
    .fail_valid_i ({group_lost_valid, chunk_fail_valid, fetch_fail_valid,
                       write_fail_valid}),
    .fail_kdei_i  ({group_lost_kdei, chunk_fail_kdei, fetch_fail_kdei, write_fail_kdei})
  );

  hd_agc u_agc (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .slot_valid_o       (slot_valid),
    .slot_o             (slot),
    .load_valid_i       (load_valid),
    .load_ptr_i         (load_ptr),
    .grant_group_i      (grant_group),
    .grant_end_i        (grant_end),
    .park_valid_i       (park_group),
    .park_kdei_i        (grant_kdei),
    .left_i             (left),
    .retire_valid_i     (retire_valid),
    .retire_i           (retire),
    .free_valid_o       (free_valid),
    .free_index_o       (free_index),
    .record_done_valid_o(record_done_valid_o),
    .record_done_o      (record_done_o),
    .record_done_ready_i(record_done_ready_i)
  );

  hd_kin u_kin (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .kin_free_o         (kin_free),
    .kin_alloc_o        (kin_alloc),
    .birth_valid_i      (birth_valid),
    .birth_kin_i        (birth_kin),
    .birth_new_i        (birth_new),
    .rest_valid_i       (rest_valid),
    .rest_kin_i         (rest_kin),
    .leave_valid_i      (leave_valid),
    .leave_i            (leave),
    .saving_i           (saving),
    .leave_ready_o      (leave_ready),
    .lost_valid_i       (lost_valid),
    .lost_up_i          (lost_up),
    .lost_stream_i      (lost_stream),
    .lost_ready_o       (lost_ready),
    .suspended_valid_i  (suspended_valid),
    .suspended_kin_i    (suspended_kin),
    .suspended_i        (suspended),
    .suspended_ready_o  (suspended_ready),
    .kin_fail_valid_i   (kin_fail_valid),
    .kin_fail_kin_i     (kin_fail_kin),
    .kin_fail_back_i    (kin_fail_back),
    .kin_busy_o         (kin_busy),
    .resume_valid_o     (resume_valid),
    .resume_kin_o       (resume_kin),
    .resume_ready_i     (resume_ready),
    .kernel_done_valid_o(kernel_done_valid_o),
    .kernel_done_o      (kernel_done_o),
    .kernel_done_ready_i(kernel_done_ready_i),
    .reopen_o           (reopen_kin),
    .stream_done_valid_o(stream_done_valid),
    .stream_done_o      (stream_done)
  );

  hd_pool u_pool (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .push_valid_i       (push_valid),
    .push_i             (push),
    .pool_ready_o       (pool_ready),
    .pool_two_o         (pool_two),
    .pool_full_o        (pool_full),
    .stream_ok_o        (stream_ok),
    .policy_i           (policy),
    .head_valid_o       (pool_valid),
    .head_o             (pool_head),
    .head_pop_i         (pool_pop),
    .stream_done_valid_i(stream_done_valid),
    .stream_done_i      (stream_done),
    .lost_valid_o       (lost_valid),
    .lost_up_o          (lost_up),
    .lost_stream_o      (lost_stream),
    .lost_ready_i       (lost_ready),
    .dev_base_i         (config_word[hd_regs_pkg::ConfigDevBase*32+:32]),
    .dev_count_i        (config_word[hd_regs_pkg::ConfigDevCount*32+:32]),
    .spill_event_o      (spill),
    .refill_event_o     (refill),
    .error_event_o      (pool_error),
    .req_valid_o        (pool_req_valid),
    .req_o              (pool_req),
    .req_ready_i        (mem_ready[MemPool]),
    .wbeat_o            (pool_wbeat),
    .wbeat_take_i       (mem_take[MemPool]),
    .b_valid_i          (mem_b_valid[MemPool]),
    .b_error_i          (mem_b_error),
    .r_valid_i          (mem_r_valid[MemPool]),
    .r_i                (mem_r)
  );

  hd_susp u_susp (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .save_valid_i      (save_valid),
    .save_kin_i        (save_kin),
    .save_pos_i        (save_pos),
    .save_entry_i      (save_entry),
    .save_room_o       (save_room),
    .saving_o          (saving),
    .suspend_free_o    (suspend_free),
    .suspend_valid_i   (suspend_valid),
    .suspend_i         (suspend),
    .list_i            (taken_list),
    .taken_i           (taken),
    .suspended_valid_o (suspended_valid),
    .suspended_kin_o   (suspended_kin),
    .suspended_o       (suspended),
    .suspended_ready_i (suspended_ready),
    .kin_fail_valid_o  (kin_fail_valid),
    .kin_fail_kin_o    (kin_fail_kin),
    .kin_fail_back_o   (kin_fail_back),
    .resume_valid_i    (resume_valid),
    .resume_kin_i      (resume_kin),
    .resume_ready_o    (resume_ready),
    .head_valid_o      (susp_valid),
    .head_o            (susp_head),
    .head_pop_i        (susp_pop),
    .cur_valid_i       (cur_valid),
    .cur_kdei_i        (grant_kdei),
    .kin_i             (kin),
    .sav_first_i       (sav_first),
    .sav_count_i       (sav_count),
    .sv_valid_o        (sv_valid),
    .sv_kdei_o         (sv_kdei),
    .sv_o              (sv),
    .sv_pop_i          (sv_pop),
    .chunk_fail_valid_o(chunk_fail_valid),
    .chunk_fail_kdei_o (chunk_fail_kdei),
    .sus_base_i        (config_word[hd_regs_pkg::ConfigSusBase*32+:32]),
    .suspend_event_o   (suspended_event),
    .resume_event_o    (resumed_event),
    .error_event_o     (susp_error),
    .req_valid_o       (susp_req_valid),
    .req_o             (susp_req),
    .req_ready_i       (mem_ready[MemSusp]),
    .wbeat_o           (susp_wbeat),
    .wbeat_take_i      (mem_take[MemSusp]),
    .b_valid_i         (mem_b_valid[MemSusp]),
    .b_error_i         (mem_b_error),
    .r_valid_i         (mem_r_valid[MemSusp]),
    .r_i               (mem_r)
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
    .answer_valid_i     (host_answer_valid_o),
    .answer_ready_i     (host_answer_ready_i),
    .answer_i           (host_answer_o),
    .enter_valid_i      (enter_valid),
    .enter_ready_i      (kernel_ready),
    .kernel_done_valid_i(kernel_done_valid_o),
    .kernel_done_ready_i(kernel_done_ready_i),
    .grant_valid_i      (grant_valid || serve_valid || graph_take),
    .blocked_i          (blocked),
    .done_ok_i          (done_ok),
    .done_empty_i       (done_empty),
    .done_early_i       (done_early),
    .dev_event_i        (dev_event),
    .dev_code_i         (dev_code),
    .dev_kind_i         (dev_kind),
    .searched_i         (searched),
    .search_i           (search),
    .fetch_i            (fetch),
    .waiting_i          (waiting),
    .slot_wait_i        (slot_wait),
    .record_done_valid_i(record_done_valid_o),
    .record_done_ready_i(record_done_ready_i),
    .spill_i            (spill),
    .refill_i           (refill),
    .suspend_i          (suspended_event),
    .resume_i           (resumed_event),
    .group_spill_i      (put_valid),
    .group_refill_i     (back_valid && back_ready),
    .inversion_i        (inversion),
    .oldest_wait_i      (next_valid),
    .kd_busy_i          (kd_busy),
    .kin_busy_i         (kin_busy),
    .error_i            ({group_lost_valid, susp_error, pool_error, fetch_fail_valid,
                           write_fail_valid}),
    .over_valid_i       (graph_over_valid),
    .over_i             (graph_over),
    .pub_event_i        (pub_event),
    .early_event_i      (early_event),
    .big_event_i        (big_event),
    .config_o           (config_word)
  );

  assign cta_done_ready_o = '1;

  assign mem_req_valid = {dgb_req_valid, dats_req_valid, spill_req_valid, susp_req_valid,
                          pool_req_valid, ovfq_req_valid};
  assign mem_req = {dgb_req, dats_req, spill_req, susp_req, pool_req, ovfq_req};
  assign mem_wbeat = {dgb_wbeat, dats_wbeat, spill_wbeat, susp_wbeat, pool_wbeat, ovfq_wbeat};

  hd_memarb u_memarb (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .req_valid_i (mem_req_valid),
    .req_i       (mem_req),
    .req_ready_o (mem_ready),
    .wbeat_i     (mem_wbeat),
    .wbeat_take_o(mem_take),
    .b_valid_o   (mem_b_valid),
    .b_error_o   (mem_b_error),
    .r_valid_o   (mem_r_valid),
    .r_o         (mem_r),
    .awvalid_o   (awvalid_o),
    .awid_o      (awid_o),
    .awaddr_o    (awaddr_o),
    .awlen_o     (awlen_o),
    .awsize_o    (awsize_o),
    .awburst_o   (awburst_o),
    .awready_i   (awready_i),
    .wvalid_o    (wvalid_o),
    .wdata_o     (wdata_o),
    .wstrb_o     (wstrb_o),
    .wlast_o     (wlast_o),
    .wready_i    (wready_i),
    .bvalid_i    (bvalid_i),
    .bid_i       (bid_i),
    .bresp_i     (bresp_i),
    .bready_o    (bready_o),
    .arvalid_o   (arvalid_o),
    .arid_o      (arid_o),
    .araddr_o    (araddr_o),
    .arlen_o     (arlen_o),
    .arsize_o    (arsize_o),
    .arburst_o   (arburst_o),
    .arready_i   (arready_i),
    .rvalid_i    (rvalid_i),
    .rid_i       (rid_i),
    .rdata_i     (rdata_i),
    .rresp_i     (rresp_i),
    .rlast_i     (rlast_i),
    .rready_o    (rready_o)
  );

  // Unused: u_fcfs reports the oldest kernel, but the scheduler gets it when it enters or as
  // `next`. Banks report whether they hold an entry, but the offers already include that.
  logic unused_outputs;
  assign unused_outputs = &{1'b0, head_valid, head_kdei, bank_valid,
                            config_word[hd_regs_pkg::ConfigPolicy*32+31-:32-hd_pkg::PolicyW],
                            config_word[hd_regs_pkg::ConfigThrottle*32+31-:31]};

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
    else if (!slot_wait) slot_waits_q <= '0;
    else if (slot_waits_q != '1) slot_waits_q <= slot_waits_q + 4'd1;
  end
  `HD_ASSERT_PROP(a_slot_wait, hd_pkg::OvfSlots > hd_pkg::Resident && slot_wait && slot_waits_q
      == '1 |-> record_done_valid_o
      || (u_agc.u_parked.park_valid_q & ~u_agc.u_parked.leaving_q) != '0,
      "A group waits for an overflow slot, and no event that frees one is pending.")
  `HD_ASSERT_PROP(a_oldest, u_sched.cur_valid == head_valid && (!head_valid || u_sched.cur_kdei
      == head_kdei),
      "The SMX scheduler does not work on the oldest marked kernel.")
  `HD_ASSERT_PROP(a_marked, (marked & ~u_kd.valid_q) == '0,
      "A marked kernel is not in the KD.")
  `HD_ASSERT_PROP(a_reopen, $countones(u_kd.u_release.reopen_d)
      == $countones(u_kd.release_now & u_kd.u_release.host_q & ~u_kd.kin_valid_o),
      "The number of reopened HWQs differs from that of released host kernels.")
  `HD_ASSERT_PROP(a_graph, $countones(u_kd.runs) <= 1 && (u_kd.runs != '0) == graph_busy,
      "More than one KD entry runs a graph, or the KD and dats disagree on whether one runs.")
  `HD_ASSERT_PROP(a_pending, (pending & ~u_kd.valid_q) == '0,
      "A kernel with pending groups is not in the KD.")

  // Rare: every SMX is offered a TB at once; all SMXs report a completion at once.
  `HD_COVER(c_all_dispatch, &dispatch_valid_o)
  `HD_COVER(c_all_done, &done_ok)
`endif

endmodule
