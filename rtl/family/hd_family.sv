// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_family: parents and children: which kernels still have children, kernels that wait to run, and
// kernels that wait for their children.
//
//   u_kin: a record for each parent; counts its children, reports completed kernels
//   u_pool: kernels that TBs launched, on chip and in memory
//   u_susp: suspended kernels and their saved TBs, in memory
//
// - Contains only wiring, made from the tables by `python3 rtl/hdgen rtl`; latencies and rates are
//   those of the blocks. A port has the name of its wire: the driving block's name, then the
//   output's; or that of the plane's pin without _i or _o.
// Part of hd_top, whose tests cover it. Page docs/family/family.md.
module hd_family (
  input  logic                                        clk_i,
  input  logic                                        rst_ni,
  // The plane's inputs
  input  logic                                        kernel_done_ready,
  // From u_host
  input  logic [hd_pkg::NumKde*hd_pkg::SavCountW-1:0] kd_sav_count,
  input  logic [hd_pkg::NumKde*hd_pkg::KinW-1:0]      kd_kin,
  input  logic [hd_pkg::NumKde*hd_pkg::SavW-1:0]      kd_sav_first,
  input  hd_pkg::parent_t                             kd_rest,
  input  hd_pkg::leave_t                              kd_leave,
  input  logic                                        kmu_pool_pop,
  input  hd_pkg::offer_t                              kd_suspend,
  input  logic                                        kmu_susp_pop,
  // From u_dispatch
  input  hd_pkg::entry_t                              sched_sscr,
  input  logic                                        sched_saved_pop,
  // From u_launch
  input  hd_pkg::birth_t                              devq_birth,
  input  hd_pkg::save_t                               devq_save,
  input  hd_pkg::devoffer_t                           devq_push,
  input  hd_pkg::list_t                               link_list,
  input  hd_pkg::memlist_t                            ovfq_taken,
  // From u_service
  input  hd_pkg::settings_t                           regs_config,
  input  hd_pkg::memdown_t                            memarb_pool,
  input  hd_pkg::memdown_t                            memarb_susp,
  // Driven by u_kin
  output hd_pkg::parent_t                             kin_free,
  output logic                                        kin_leave_ready,
  output logic                                        kin_busy,
  output logic                                        kernel_done_valid,
  output hd_pkg::completion_t                         kernel_done,
  output logic [hd_pkg::NumHwq-1:0]                   kin_reopen,
  // Driven by u_pool
  output hd_pkg::poolroom_t                           pool_room,
  output logic [hd_pkg::NumStreams-1:0]               pool_stream_ok,
  output hd_pkg::devoffer_t                           pool_head,
  output hd_pkg::poolev_t                             pool_events,
  output hd_pkg::memup_t                              pool_mem,
  // Driven by u_susp
  output logic                                        susp_save_room,
  output logic                                        susp_suspend_free,
  output hd_pkg::offer_t                              susp_head,
  output hd_pkg::savedtb_t                            susp_saved,
  output hd_pkg::entry_t                              susp_chunk_fail,
  output hd_pkg::suspev_t                             susp_events,
  output hd_pkg::memup_t                              susp_mem
);

  logic kin_lost_ready, kin_suspended_ready, susp_saving, susp_resume_ready;
  hd_pkg::parent_t kin_resume;
  hd_pkg::streamend_t kin_stream_done;
  hd_pkg::lost_t pool_lost;
  hd_pkg::suspended_t susp_suspended;
  hd_pkg::kinfail_t susp_kin_fail;

  if (hd_pkg::HasLaunch != 0) begin : g_kin
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
      .kernel_done_valid_o(kernel_done_valid),
      .kernel_done_o      (kernel_done),
      .kernel_done_ready_i(kernel_done_ready),
      .reopen_o           (kin_reopen),
      .stream_done_o      (kin_stream_done)
    );
  end else begin : g_no_kin
    assign kin_free = '0;
    assign kin_leave_ready = {kernel_done_ready};
    assign kin_lost_ready = '1;
    assign kin_suspended_ready = '1;
    assign kin_busy = '0;
    assign kin_resume = '0;
    assign kernel_done_valid = {kd_leave.valid};
    assign kernel_done = {kd_leave.origin.tag, kd_leave.origin.failed};
    assign kin_reopen = '0;
    assign kin_stream_done = '0;
  end

  if (hd_pkg::HasLaunch != 0) begin : g_pool
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
      .mem_i            (memarb_pool)
    );
  end else begin : g_no_pool
    assign pool_room = '0;
    assign pool_stream_ok = '0;
    assign pool_head = '0;
    assign pool_lost = '0;
    assign pool_events = '0;
    assign pool_mem = '0;
  end

  if (hd_pkg::HasLaunch != 0) begin : g_susp
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
      .mem_i                (memarb_susp)
    );
  end else begin : g_no_susp
    assign susp_save_room = '0;
    assign susp_saving = '0;
    assign susp_suspend_free = '1;
    assign susp_suspended = '0;
    assign susp_kin_fail = '0;
    assign susp_resume_ready = '0;
    assign susp_head = '0;
    assign susp_saved = '0;
    assign susp_chunk_fail = '0;
    assign susp_events = '0;
    assign susp_mem = '0;
  end

endmodule
