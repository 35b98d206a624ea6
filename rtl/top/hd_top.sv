// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_top: the thread-block dispatch plane of a GPU: launches in, TBs out, completions in, finished
// kernels out.
//
//   host_launch --> u_kmu --kernel--> u_kd <-- marked -- u_fcfs
//   host_answer <----'    <--reopen----'| need, ctas, desc    | next kernel
//                                       v                     v
//   kernel_done <------- u_kd <--grant, retire-- u_sched (g_smx[i].u_tbcr) <--> SMXs
//   APB4 <--> u_regs (counts events of all)       u_memarb <--> AXI4 (no client yet)
//
// From dtbl-isca2015 section 2 (figure 2), laperm-isca2016 section II; see the blocks for what is
// ours.
// - Wires only. A kernel that the KMU offers enters KD, FCFS and, if it is idle, the SMX scheduler
//   in the same cycle.
// - Latency: launch taken at t, first dispatch offered at t+5 in an idle machine; then one TB per
//   cycle. A freed slot is dispatched again 2 cycles after its completion.
// - A completion is always taken: cta_done_ready is constant 1.
// - The memory port is idle until device launches use it: its clients are tied to 0.
// Ports: top.csv. Model cmodel/top, tests verif/unit and verif/equiv test_top, page docs/top.md.
`include "common/hd_fault.svh"
module hd_top (
  input  logic                                        clk_i,
  input  logic                                        rst_ni,
  input  logic                                        host_launch_valid_i,
  input  hd_pkg::launch_t                             host_launch_i,
  output logic                                        host_launch_ready_o,
  output logic                                        host_answer_valid_o,
  output hd_pkg::answer_t                             host_answer_o,
  input  logic                                        host_answer_ready_i,
  output logic [hd_pkg::NumSmx-1:0]                   dispatch_valid_o,
  output logic [hd_pkg::NumSmx*hd_pkg::DispatchW-1:0] dispatch_o,
  input  logic [hd_pkg::NumSmx-1:0]                   dispatch_ready_i,
  input  logic [hd_pkg::NumSmx-1:0]                   cta_done_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::SlotW-1:0]     cta_done_slot_i,
  output logic [hd_pkg::NumSmx-1:0]                   cta_done_ready_o,
  output logic                                        kernel_done_valid_o,
  output logic [hd_pkg::TagW-1:0]                     kernel_done_o,
  input  logic                                        kernel_done_ready_i,
  input  logic                                        psel_i,
  input  logic                                        penable_i,
  input  logic                                        pwrite_i,
  input  logic [hd_pkg::ApbAddrW-1:0]                 paddr_i,
  input  logic [31:0]                                 pwdata_i,
  input  logic [3:0]                                  pstrb_i,
  output logic                                        pready_o,
  output logic [31:0]                                 prdata_o,
  output logic                                        pslverr_o,
  output logic                                        awvalid_o,
  output logic [hd_pkg::MemIdW-1:0]                   awid_o,
  output logic [hd_pkg::AddrW-1:0]                    awaddr_o,
  output logic [7:0]                                  awlen_o,
  output logic [2:0]                                  awsize_o,
  output logic [1:0]                                  awburst_o,
  input  logic                                        awready_i,
  output logic                                        wvalid_o,
  output logic [63:0]                                 wdata_hi_o,
  output logic [63:0]                                 wdata_lo_o,
  output logic [15:0]                                 wstrb_o,
  output logic                                        wlast_o,
  input  logic                                        wready_i,
  input  logic                                        bvalid_i,
  input  logic [hd_pkg::MemIdW-1:0]                   bid_i,
  input  logic [1:0]                                  bresp_i,
  output logic                                        bready_o,
  output logic                                        arvalid_o,
  output logic [hd_pkg::MemIdW-1:0]                   arid_o,
  output logic [hd_pkg::AddrW-1:0]                    araddr_o,
  output logic [7:0]                                  arlen_o,
  output logic [2:0]                                  arsize_o,
  output logic [1:0]                                  arburst_o,
  input  logic                                        arready_i,
  input  logic                                        rvalid_i,
  input  logic [hd_pkg::MemIdW-1:0]                   rid_i,
  input  logic [63:0]                                 rdata_hi_i,
  input  logic [63:0]                                 rdata_lo_i,
  input  logic [1:0]                                  rresp_i,
  input  logic                                        rlast_i,
  output logic                                        rready_o
);

  localparam int MemClients = hd_pkg::MemClients;

  logic kernel_valid, kernel_ready;
  hd_pkg::kernel_t kernel;
  logic [hd_pkg::KdeW-1:0] alloc_kdei;
  logic [hd_pkg::NumHwq-1:0] reopen;
  logic [hd_pkg::NumKde-1:0] marked;
  logic [hd_pkg::NumKde*hd_pkg::NeedW-1:0] need;
  logic [hd_pkg::NumKde*hd_pkg::CtasW-1:0] ctas;
  hd_pkg::desc_t desc;
  logic next_valid, head_valid;
  logic [hd_pkg::KdeW-1:0] next_kdei, head_kdei;
  logic grant_valid, grant_last, blocked, retire_valid;
  logic [hd_pkg::KdeW-1:0] grant_kdei, retire_kdei;
  logic [hd_pkg::SmxW-1:0] grant_smx;
  logic [hd_pkg::NumSmx-1:0] done_ok, done_empty, done_early;

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
    .kernel_ready_i     (kernel_ready),
    .reopen_i           (reopen)
  );

  hd_kd u_kd (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .kernel_valid_i     (kernel_valid),
    .kernel_i           (kernel),
    .kernel_ready_o     (kernel_ready),
    .alloc_kdei_o       (alloc_kdei),
    .marked_i           (marked),
    .grant_valid_i      (grant_valid),
    .grant_kdei_i       (grant_kdei),
    .retire_valid_i     (retire_valid),
    .retire_kdei_i      (retire_kdei),
    .need_o             (need),
    .ctas_o             (ctas),
    .desc_o             (desc),
    .reopen_o           (reopen),
    .kernel_done_valid_o(kernel_done_valid_o),
    .kernel_done_o      (kernel_done_o),
    .kernel_done_ready_i(kernel_done_ready_i)
  );

  hd_fcfs u_fcfs (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .enter_valid_i(kernel_valid),
    .enter_ready_i(kernel_ready),
    .enter_kdei_i (alloc_kdei),
    .unmark_i     (grant_last),
    .marked_o     (marked),
    .head_valid_o (head_valid),
    .head_kdei_o  (head_kdei),
    .next_valid_o (next_valid),
    .next_kdei_o  (next_kdei)
  );

  hd_sched u_sched (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .enter_valid_i   (kernel_valid),
    .enter_ready_i   (kernel_ready),
    .enter_kdei_i    (alloc_kdei),
    .enter_need_i    (kernel.need),
    .enter_ctas_i    (kernel.ctas),
    .next_valid_i    (next_valid),
    .next_kdei_i     (next_kdei),
    .need_i          (need),
    .ctas_i          (ctas),
    .desc_i          (desc),
    .grant_valid_o   (grant_valid),
    .grant_kdei_o    (grant_kdei),
    .grant_smx_o     (grant_smx),
    .grant_last_o    (grant_last),
    .blocked_o       (blocked),
    .retire_valid_o  (retire_valid),
    .retire_kdei_o   (retire_kdei),
    .dispatch_valid_o(dispatch_valid_o),
    .dispatch_o      (dispatch_o),
    .dispatch_ready_i(`HD_FAULT(27, dispatch_ready_i, '1)),
    .cta_done_valid_i(cta_done_valid_i),
    .cta_done_slot_i (cta_done_slot_i),
    .done_ok_o       (done_ok),
    .done_empty_o    (done_empty),
    .done_early_o    (done_early)
  );
  assign cta_done_ready_o = '1;

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
    .enter_valid_i      (kernel_valid),
    .enter_ready_i      (kernel_ready),
    .kernel_done_valid_i(kernel_done_valid_o),
    .kernel_done_ready_i(kernel_done_ready_i),
    .grant_valid_i      (`HD_FAULT(28, grant_valid, |dispatch_valid_o)),
    .blocked_i          (blocked),
    .done_ok_i          (done_ok),
    .done_empty_i       (done_empty),
    .done_early_i       (done_early)
  );

  logic [MemClients-1:0] mem_ready, mem_take, mem_b_valid, mem_r_valid;
  logic mem_b_error;
  hd_pkg::memdata_t mem_r;

  hd_memarb u_memarb (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .req_valid_i ({MemClients{1'b0}}),
    .req_i       ({MemClients * hd_pkg::MemreqW{1'b0}}),
    .req_ready_o (mem_ready),
    .wbeat_i     ({MemClients * hd_pkg::MembeatW{1'b0}}),
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
    .wdata_hi_o  (wdata_hi_o),
    .wdata_lo_o  (wdata_lo_o),
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
    .rdata_hi_i  (rdata_hi_i),
    .rdata_lo_i  (rdata_lo_i),
    .rresp_i     (rresp_i),
    .rlast_i     (rlast_i),
    .rready_o    (rready_o)
  );

  // The scheduler learns of the oldest kernel as it enters or as `next`; the SMX of a grant is
  // known to its dispatch.
  logic unused_outputs;
  assign unused_outputs = &{1'b0, head_valid, head_kdei, grant_smx, mem_ready, mem_take,
                            mem_b_valid, mem_b_error, mem_r_valid, mem_r};

`ifdef VERILATOR
  // The SMX scheduler works on the oldest marked kernel, and on one whenever there is one.
  a_oldest :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      u_sched.sscr_valid_q == head_valid && (!head_valid || u_sched.sscr_kdei_q == head_kdei));
  // Only kernels of the KD are marked.
  a_marked :
  assert property (@(posedge clk_i) disable iff (!rst_ni) (marked & ~u_kd.valid_q) == '0);
  // A HWQ has one kernel in the KD at most: each one that is released reopens a HWQ of its own.
  a_reopen :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      $countones(u_kd.reopen_d) == $countones(u_kd.release_now));
  // The memory port stays idle.
  a_memory_idle :
  assert property (@(posedge clk_i) disable iff (!rst_ni) !awvalid_o && !wvalid_o && !arvalid_o);
  // The rare: every SMX is offered a TB at once, all report one at once.
  c_all_dispatch :
  cover property (@(posedge clk_i) &dispatch_valid_o);
  c_all_done :
  cover property (@(posedge clk_i) &done_ok);
`endif

endmodule
