// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_host: the kernels: accepts launches from the host, chooses which kernel runs next, holds the
// kernels that run, and keeps the order of those that have TBs to hand out.
//
//   u_kmu: queues of launches; offers a kernel, from the host, the pool or a suspension
//   u_kd: the Kernel Distributor: holds kernels, counts their TBs, releases or suspends them
//   u_fcfs: the marked kernels, oldest first
//
// - Contains only wiring, made from the tables by `python3 rtl/hdgen rtl`; latencies and rates are
//   those of the blocks. A port has the name of its wire: the driving block's name, then the
//   output's; or that of the plane's pin without _i or _o.
// Part of hd_top, whose tests cover it. Page docs/host/host.md.
module hd_host (
  input  logic                                        clk_i,
  input  logic                                        rst_ni,
  // The plane's inputs
  input  logic                                        host_launch_valid,
  input  hd_pkg::launch_t                             host_launch,
  input  logic                                        host_answer_ready,
  // From u_dispatch
  input  hd_pkg::enter_t                              laperm_enter,
  input  hd_pkg::entry_t                              laperm_push,
  input  hd_pkg::take_t                               sched_take,
  input  hd_pkg::grant_t                              sched_grant,
  input  hd_pkg::entry_t                              sched_sscr,
  input  logic                                        sched_graph_take,
  input  hd_pkg::park_t                               sched_park,
  input  hd_pkg::retired_t                            sched_retire,
  input  hd_pkg::entry_t                              spill_lost,
  input  logic                                        sched_unmark,
  input  logic                                        sched_rotate,
  // From u_graph
  input  logic                                        dats_busy,
  input  hd_pkg::run_t                                dats_run,
  input  hd_pkg::over_t                               dats_over,
  // From u_launch
  input  logic [hd_pkg::NumKde-1:0]                   link_pending,
  input  logic [hd_pkg::NumKde-1:0]                   ovfq_unanswered,
  input  hd_pkg::entry_t                              devq_hold,
  input  hd_pkg::entry_t                              devq_unhold,
  input  hd_pkg::birth_t                              devq_birth,
  input  hd_pkg::save_t                               devq_save,
  input  hd_pkg::entry_t                              ovfq_write_fail,
  input  hd_pkg::entry_t                              ovfq_fetch_fail,
  input  hd_pkg::linked_t                             link_link,
  // From u_family
  input  logic [hd_pkg::NumHwq-1:0]                   kin_reopen,
  input  hd_pkg::devoffer_t                           pool_head,
  input  hd_pkg::offer_t                              susp_head,
  input  hd_pkg::entry_t                              susp_chunk_fail,
  input  logic                                        susp_suspend_free,
  input  logic                                        kin_leave_ready,
  // From u_service
  input  hd_pkg::settings_t                           regs_config,
  // Driven by u_kmu
  output logic                                        host_launch_ready,
  output logic                                        host_answer_valid,
  output hd_pkg::answer_t                             host_answer,
  output hd_pkg::offer_t                              kmu_offer,
  output logic                                        kmu_pool_pop,
  output logic                                        kmu_susp_pop,
  // Driven by u_kd
  output hd_pkg::entry_t                              kd_free,
  output hd_pkg::entry_t                              kd_entry,
  output logic [hd_pkg::NumKde*hd_pkg::NeedW-1:0]     kd_need,
  output logic [hd_pkg::NumKde*hd_pkg::CtasW-1:0]     kd_ctas,
  output logic [hd_pkg::NumKde*hd_pkg::LevelW-1:0]    kd_level,
  output logic [hd_pkg::NumKde*hd_pkg::CtasW-1:0]     kd_nextbl,
  output logic [hd_pkg::NumKde-1:0]                   kd_ndone,
  output logic [hd_pkg::NumKde*hd_pkg::SavW-1:0]      kd_sav_first,
  output logic [hd_pkg::NumKde*hd_pkg::SavCountW-1:0] kd_sav_count,
  output logic [hd_pkg::NumKde-1:0]                   kd_kin_valid,
  output logic [hd_pkg::NumKde*hd_pkg::KinW-1:0]      kd_kin,
  output logic [hd_pkg::NumKde-1:0]                   kd_suspending,
  output logic [hd_pkg::NumKde-1:0]                   kd_failed,
  output logic [hd_pkg::NumKde-1:0]                   kd_eligible,
  output logic [hd_pkg::NumKde-1:0]                   kd_save_ok,
  output logic [hd_pkg::NumKde-1:0]                   kd_sav_full,
  output hd_pkg::desc_t                               kd_desc,
  output logic                                        kd_busy,
  output logic [hd_pkg::NumKde-1:0]                   kd_left,
  output logic                                        kd_stall,
  output hd_pkg::entry_t                              kd_take,
  output hd_pkg::offer_t                              kd_suspend,
  output hd_pkg::parent_t                             kd_rest,
  output hd_pkg::leave_t                              kd_leave,
  // Driven by u_fcfs
  output logic [hd_pkg::NumKde-1:0]                   fcfs_marked,
  output hd_pkg::entry_t                              fcfs_next
);

  logic [hd_pkg::NumHwq-1:0] kd_reopen;

  hd_kmu u_kmu (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .host_launch_valid_i(host_launch_valid),
    .host_launch_i      (host_launch),
    .host_launch_ready_o(host_launch_ready),
    .host_answer_valid_o(host_answer_valid),
    .host_answer_o      (host_answer),
    .host_answer_ready_i(host_answer_ready),
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
    .head_o        (),
    .next_o        (fcfs_next)
  );

endmodule
