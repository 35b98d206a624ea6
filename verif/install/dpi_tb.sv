// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// dpi_tb: the RTL plane and the golden model (through DPI-C) in lockstep in a SystemVerilog bench:
// both receive the same launches, completions and backpressure; every output of the model is
// compared in every cycle.
//
// All actions are at the falling edge: outputs come from registers, so they are compared first,
// then the inputs of the cycle are chosen and passed to both, and the model ticks; the RTL follows
// at the rising edge. The bench plays the SMXs: an accepted TB is done 5 to 40 cycles later.
//
// With +wrong one ready goes to the model alone: the bench must detect it. Ends with one line, by
// $fatal on a difference.
module dpi_tb;
  import hd_dpi_pkg::*;

  localparam int NumSmx = hd_pkg::NumSmx;
  localparam int Slots = hd_pkg::CtasPerSmx;
  localparam int Kernels = 6;
  localparam int Tbs = 150;  // TBs of each kernel

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  logic launch_valid = 1'b0, launch_ready, answer_valid, kernel_done_valid;
  logic answer_ready = 1'b1, kernel_done_ready = 1'b1;
  hd_pkg::launch_t launch = '0;
  hd_pkg::answer_t answer;
  logic [NumSmx-1:0] dispatch_valid, done_ready;
  logic [NumSmx-1:0] dispatch_ready = '0, done_valid = '0;
  logic [NumSmx*hd_pkg::DispatchW-1:0] dispatch;
  logic [NumSmx*hd_pkg::SlotW-1:0] done_slot = '0;
  hd_pkg::completion_t kernel_done;

  hd_top u_top (
    .clk_i              (clk),
    .rst_ni             (rst_n),
    .host_launch_valid_i(launch_valid),
    .host_launch_i      (launch),
    .host_launch_ready_o(launch_ready),
    .host_answer_valid_o(answer_valid),
    .host_answer_o      (answer),
    .host_answer_ready_i(answer_ready),
    .dispatch_valid_o   (dispatch_valid),
    .dispatch_o         (dispatch),
    .dispatch_ready_i   (dispatch_ready),
    .cta_done_valid_i   (done_valid),
    .cta_done_slot_i    (done_slot),
    .cta_done_ready_o   (done_ready),
    .kernel_done_valid_o(kernel_done_valid),
    .kernel_done_o      (kernel_done),
    .kernel_done_ready_i(kernel_done_ready),
    .dev_launch_valid_i (NumSmx'(0)),
    .dev_launch_i       ('0),
    .dev_launch_ready_o (),
    .dev_answer_valid_o (),
    .dev_answer_o       (),
    .dev_answer_ready_i (NumSmx'(0)),
    .record_done_valid_o(),
    .record_done_o      (),
    .record_done_ready_i(1'b0),
    .enter_valid_o      (),
    .enter_kdei_o       (),
    .enter_param_o      (),
    .cycles_i           ('0),
    .dram_full_i        ('0),
    .icnt2sm_i          ('0),
    .open_count_o       (),
    .psel_i             (1'b0),
    .penable_i          (1'b0),
    .pwrite_i           (1'b0),
    .paddr_i            ('0),
    .pwdata_i           ('0),
    .pstrb_i            ('0),
    .pready_o           (),
    .prdata_o           (),
    .pslverr_o          (),
    .awvalid_o          (),
    .awid_o             (),
    .awaddr_o           (),
    .awlen_o            (),
    .awsize_o           (),
    .awburst_o          (),
    .awready_i          (1'b0),
    .wvalid_o           (),
    .wdata_o            (),
    .wstrb_o            (),
    .wlast_o            (),
    .wready_i           (1'b0),
    .bvalid_i           (1'b0),
    .bid_i              ('0),
    .bresp_i            ('0),
    .bready_o           (),
    .arvalid_o          (),
    .arid_o             (),
    .araddr_o           (),
    .arlen_o            (),
    .arsize_o           (),
    .arburst_o          (),
    .arready_i          (1'b0),
    .rvalid_i           (1'b0),
    .rid_i              ('0),
    .rdata_i            ('0),
    .rresp_i            ('0),
    .rlast_i            (1'b0),
    .rready_o           ()
  );

  always #5 clk = ~clk;

  chandle plane;
  bit wrong;
  int unsigned cycle = 0, launched = 0, taken = 0, finished = 0;
  int unsigned left[NumSmx][Slots];  // cycles until the TB of a slot is done; 0: the slot is empty
  bit seen[Kernels][Tbs];            // TBs that were accepted

  function automatic void same(input string what, input longint unsigned rtl, input longint unsigned model);
    if (rtl != model) $fatal(1, "dpi_tb: cycle %0d: %s: RTL %0d, model %0d", cycle, what, rtl, model);
  endfunction

  function automatic hd_pkg::dispatch_t of_smx(input int s);
    return dispatch[s*hd_pkg::DispatchW+:hd_pkg::DispatchW];
  endfunction

  function automatic void compare();
    int unsigned a, b, c;
    longint unsigned pc, param;
    same("launch ready", 64'(launch_ready), 64'(hd_dpi_launch_ready(plane)));
    same("answer valid", 64'(answer_valid), 64'(hd_dpi_answer(plane, a, b)));
    same("answer tag", 64'(answer.tag), 64'(a));
    same("answer code", 64'(answer.code), 64'(b));
    same("kernel_done valid", 64'(kernel_done_valid), 64'(hd_dpi_kernel_done(plane, a)));
    same("kernel_done tag", 64'(kernel_done.tag), 64'(a));
    for (int s = 0; s < NumSmx; s++) begin
      automatic hd_pkg::dispatch_t d = of_smx(s);
      same($sformatf("dispatch[%0d] valid", s), 64'(dispatch_valid[s]),
           64'(hd_dpi_dispatch(plane, s, a, b, c, pc, param)));
      same($sformatf("dispatch[%0d] slot", s), 64'(d.slot), 64'(a));
      same($sformatf("dispatch[%0d] kdei", s), 64'(d.kdei), 64'(b));
      same($sformatf("dispatch[%0d] blkid", s), 64'(d.blkid), 64'(c));
      same($sformatf("dispatch[%0d] pc", s), 64'(d.desc.pc), pc);
      same($sformatf("dispatch[%0d] param", s), 64'(d.desc.param), param);
    end
  endfunction

  // Kernel k: Tbs TBs of 32 * (k + 1) threads, 16 registers each, k KB of shared memory, in queue k
  // % 4.
  function automatic hd_pkg::launch_t kernel(input int unsigned k);
    kernel = '0;
    kernel.desc.pc = 'h1000 + hd_pkg::PcW'(k);
    kernel.desc.param = 'h20000 + 64 * hd_pkg::ParamW'(k);
    kernel.desc.grid_x = hd_pkg::GridXW'(Tbs);
    kernel.desc.grid_y = 1;
    kernel.desc.grid_z = 1;
    kernel.desc.cta_x = hd_pkg::CtaXW'(32 * (k + 1));
    kernel.desc.cta_y = 1;
    kernel.desc.cta_z = 1;
    kernel.threads = hd_pkg::ThreadsW'(32 * (k + 1));
    kernel.regs = 16;
    kernel.smem = hd_pkg::SmemW'(4 * k);
    kernel.hwq = hd_pkg::HwqIdW'(k % 4);
    kernel.ctas = Tbs;
    kernel.tag = hd_pkg::TagW'(k);
  endfunction

  function automatic void tell_launch(input int unsigned k);
    automatic hd_pkg::launch_t l = kernel(k);
    same("launch code", 0,
         64'(hd_dpi_launch(plane, k % 4, k, Tbs, 1, 1, 32 * (k + 1), 1, 1, 16, 1024 * k, 64'(l.desc.pc),
                           64'(l.desc.param))));
  endfunction

  // The slot whose TB the SMX reports as done in this cycle, or -1: at most one, the lowest.
  function automatic int done_of(input int s);
    done_of = -1;
    for (int i = 0; i < Slots; i++) begin
      if (left[s][i] > 1) left[s][i]--;
      else if (left[s][i] == 1 && done_of < 0) done_of = i;
    end
    if (done_of < 0) return -1;
    left[s][done_of] = 0;
    hd_dpi_cta_done(plane, s, done_of);
  endfunction

  function automatic void take(input int s);
    automatic hd_pkg::dispatch_t d = of_smx(s);
    same("TB taken before", 0, 64'(seen[int'(d.desc.pc-'h1000)][d.blkid]));
    seen[int'(d.desc.pc-'h1000)][d.blkid] = 1'b1;
    left[s][d.slot] = $urandom_range(40, 5);
    taken++;
  endfunction

  initial begin
    wrong = $test$plusargs("wrong") != 0;
    plane = hd_dpi_new($sformatf("k20c+NumSmx=%0d", NumSmx));
    if (hd_dpi_error(plane) != "") $fatal(1, "dpi_tb: %s", hd_dpi_error(plane));
    same("NumSmx", 64'(NumSmx), 64'(hd_dpi_param(plane, "NumSmx")));
    #32 rst_n = 1'b1;  // between two edges
  end

  always @(negedge clk) begin
    if (rst_n) begin
      compare();
      if (kernel_done_valid) finished++;
      launch_valid <= (launched < Kernels);
      launch <= kernel(launched);
      if (launched < Kernels) begin
        tell_launch(launched);
        if (launch_ready) launched++;
      end
      for (int s = 0; s < NumSmx; s++) begin
        automatic int slot = done_of(s);
        automatic bit ready = ($urandom_range(3) != 0);  // accepted in three cycles of four
        done_valid[s] <= (slot >= 0);
        done_slot[s*hd_pkg::SlotW+:hd_pkg::SlotW] <= hd_pkg::SlotW'(slot);
        dispatch_ready[s] <= ready;
        hd_dpi_dispatch_ready(plane, s, wrong && taken == 50 ? !ready : ready);
        if (dispatch_valid[s] && ready) take(s);
      end
      hd_dpi_tick(plane);
      cycle++;
      if (cycle > 20000) $fatal(1, "dpi_tb: %0d of %0d kernels done after %0d cycles", finished, Kernels, cycle);
      if (finished == Kernels) begin
        same("TBs taken", 64'(taken), 64'(Kernels * Tbs));
        $display("dpi_tb: %0d cycles compared, %0d TBs of %0d kernels, no difference", cycle, taken, Kernels);
        hd_dpi_free(plane);
        $finish;
      end
    end
  end

endmodule
