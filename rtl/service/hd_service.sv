// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_service: registers with counters and status, and the memory port, for the other clusters.
//
//   u_regs: APB4, configuration, counters, status
//   u_memarb: the clients of the memory, one AXI4 manager
//
// - Contains only wiring, made from the tables by `python3 rtl/hdgen rtl`; latencies and rates are
//   those of the blocks. A port has the name of its wire: the driving block's name, then the
//   output's; or that of the plane's pin without _i or _o.
// Part of hd_top, whose tests cover it. Page docs/service/service.md.
module hd_service (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // The plane's inputs
  input  logic                        host_answer_ready,
  input  logic                        record_done_ready,
  input  logic                        kernel_done_ready,
  input  logic                        psel,
  input  logic                        penable,
  input  logic                        pwrite,
  input  logic [hd_pkg::ApbAddrW-1:0] paddr,
  input  logic [31:0]                 pwdata,
  input  logic [3:0]                  pstrb,
  input  logic                        awready,
  input  logic                        wready,
  input  logic                        bvalid,
  input  logic [hd_pkg::MemIdW-1:0]   bid,
  input  logic [1:0]                  bresp,
  input  logic                        arready,
  input  logic                        rvalid,
  input  logic [hd_pkg::MemIdW-1:0]   rid,
  input  logic [127:0]                rdata,
  input  logic [1:0]                  rresp,
  input  logic                        rlast,
  // From u_host
  input  hd_pkg::entry_t              kd_entry,
  input  hd_pkg::entry_t              fcfs_next,
  input  logic                        kd_busy,
  input  logic                        host_answer_valid,
  input  hd_pkg::answer_t             host_answer,
  // From u_dispatch
  input  hd_pkg::take_t               sched_take,
  input  hd_pkg::grant_t              sched_grant,
  input  logic                        sched_graph_take,
  input  hd_pkg::entry_t              spill_lost,
  input  hd_pkg::bankgroup_t          spill_back,
  input  hd_pkg::bankgroup_t          laperm_put,
  input  logic                        laperm_back_ready,
  input  hd_pkg::schedev_t            sched_events,
  input  logic [hd_pkg::NumSmx-1:0]   sched_done_ok,
  input  logic [hd_pkg::NumSmx-1:0]   sched_done_empty,
  input  logic [hd_pkg::NumSmx-1:0]   sched_done_early,
  input  logic                        laperm_inversion,
  input  hd_pkg::memup_t              spill_mem,
  // From u_graph
  input  hd_pkg::over_t               dats_over,
  input  hd_pkg::dgbev_t              dgb_events,
  input  hd_pkg::memup_t              dats_mem,
  input  hd_pkg::memup_t              dgb_mem,
  // From u_launch
  input  hd_pkg::entry_t              ovfq_write_fail,
  input  hd_pkg::entry_t              ovfq_fetch_fail,
  input  logic [6:0]                  devq_event,
  input  logic [hd_pkg::CodeW-1:0]    devq_code,
  input  logic [hd_pkg::KindW-1:0]    devq_kind,
  input  hd_pkg::matchev_t            match_events,
  input  logic                        ovfq_fetch,
  input  logic                        record_done_valid,
  input  hd_pkg::memup_t              ovfq_mem,
  // From u_family
  input  logic                        kin_busy,
  input  logic                        kernel_done_valid,
  input  hd_pkg::poolev_t             pool_events,
  input  hd_pkg::suspev_t             susp_events,
  input  hd_pkg::memup_t              pool_mem,
  input  hd_pkg::memup_t              susp_mem,
  // Driven by u_regs
  output logic                        pready,
  output logic [31:0]                 prdata,
  output logic                        pslverr,
  output hd_pkg::settings_t           regs_config,
  // Driven by u_memarb
  output logic                        awvalid,
  output logic [hd_pkg::MemIdW-1:0]   awid,
  output logic [hd_pkg::AddrW-1:0]    awaddr,
  output logic [7:0]                  awlen,
  output logic [2:0]                  awsize,
  output logic [1:0]                  awburst,
  output logic                        wvalid,
  output logic [127:0]                wdata,
  output logic [15:0]                 wstrb,
  output logic                        wlast,
  output logic                        bready,
  output logic                        arvalid,
  output logic [hd_pkg::MemIdW-1:0]   arid,
  output logic [hd_pkg::AddrW-1:0]    araddr,
  output logic [7:0]                  arlen,
  output logic [2:0]                  arsize,
  output logic [1:0]                  arburst,
  output logic                        rready,
  output hd_pkg::memdown_t            memarb_spill,
  output hd_pkg::memdown_t            memarb_dats,
  output hd_pkg::memdown_t            memarb_dgb,
  output hd_pkg::memdown_t            memarb_ovfq,
  output hd_pkg::memdown_t            memarb_pool,
  output hd_pkg::memdown_t            memarb_susp
);

  logic [hd_pkg::MemClients*hd_pkg::MemdownW-1:0] memarb_mem;

  assign memarb_ovfq = memarb_mem[0*hd_pkg::MemdownW+:hd_pkg::MemdownW];
  assign memarb_pool = memarb_mem[1*hd_pkg::MemdownW+:hd_pkg::MemdownW];
  assign memarb_susp = memarb_mem[2*hd_pkg::MemdownW+:hd_pkg::MemdownW];
  assign memarb_spill = memarb_mem[3*hd_pkg::MemdownW+:hd_pkg::MemdownW];
  assign memarb_dats = memarb_mem[4*hd_pkg::MemdownW+:hd_pkg::MemdownW];
  assign memarb_dgb = memarb_mem[5*hd_pkg::MemdownW+:hd_pkg::MemdownW];

  hd_regs u_regs (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .psel_i             (psel),
    .penable_i          (penable),
    .pwrite_i           (pwrite),
    .paddr_i            (paddr),
    .pwdata_i           (pwdata),
    .pstrb_i            (pstrb),
    .pready_o           (pready),
    .prdata_o           (prdata),
    .pslverr_o          (pslverr),
    .host_answer_valid_i(host_answer_valid),
    .host_answer_ready_i(host_answer_ready),
    .host_answer_i      (host_answer),
    .kd_entry_i         (kd_entry),
    .kernel_done_valid_i(kernel_done_valid),
    .kernel_done_ready_i(kernel_done_ready),
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
    .record_done_valid_i(record_done_valid),
    .record_done_ready_i(record_done_ready),
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
    .awvalid_o(awvalid),
    .awid_o   (awid),
    .awaddr_o (awaddr),
    .awlen_o  (awlen),
    .awsize_o (awsize),
    .awburst_o(awburst),
    .awready_i(awready),
    .wvalid_o (wvalid),
    .wdata_o  (wdata),
    .wstrb_o  (wstrb),
    .wlast_o  (wlast),
    .wready_i (wready),
    .bvalid_i (bvalid),
    .bid_i    (bid),
    .bresp_i  (bresp),
    .bready_o (bready),
    .arvalid_o(arvalid),
    .arid_o   (arid),
    .araddr_o (araddr),
    .arlen_o  (arlen),
    .arsize_o (arsize),
    .arburst_o(arburst),
    .arready_i(arready),
    .rvalid_i (rvalid),
    .rid_i    (rid),
    .rdata_i  (rdata),
    .rresp_i  (rresp),
    .rlast_i  (rlast),
    .rready_o (rready)
  );

endmodule
