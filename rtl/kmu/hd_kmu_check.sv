// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_kmu_check: judges a launch, and makes of it the kernel that is queued. Combinational.
//
// - code_o, first that applies: ZeroDim, OverLimit, NeverFits, UnknownHwq, Refused (its HWQ is
//   full), Accepted.
// - kernel_o.need: warps = ceil(threads / 32); registers = warps * (units of RegUnit that a warp
//   takes, rounded up); shared memory as launched. It counts only for an accepted launch, whose
//   need fits the narrower fields.
// Part of hd_kmu; its rules are tested there.
`include "common/hd_fault.svh"
module hd_kmu_check (
  input  hd_pkg::launch_t launch_i,
  input  logic            hwq_full_i,
  output hd_pkg::code_e   code_o,
  output hd_pkg::hwqrow_t kernel_o
);

  // Limits of CUDA's TB dimensions.
  localparam int MaxCtaX = 1024;
  localparam int MaxCtaY = 1024;
  localparam int MaxCtaZ = 64;
  localparam int MaxThreads = 1024;

  localparam int ThreadsW = hd_pkg::ThreadsW;
  localparam int WarpsW = hd_pkg::WarpsW;
  localparam int RegUnitsW = hd_pkg::RegUnitsW;
  localparam int SmemUnitsW = hd_pkg::SmemUnitsW;
  localparam int HwqW = hd_pkg::HwqW;
  // A warp takes 32 * regs registers: ceil(regs / RegsPerUnit) units.
  localparam int RegsPerUnit = hd_pkg::RegUnit / 32;
  localparam int RegsPerUnitW = $clog2(RegsPerUnit);
  localparam int RegsSumW = hd_pkg::RegsW + 1;
  localparam int WarpUnitsW = RegsSumW - RegsPerUnitW;
  localparam int ThreadsSumW = ThreadsW + 1;
  localparam int AllWarpsW = ThreadsSumW - 5;
  localparam int ProductW = AllWarpsW + WarpUnitsW;

  logic [ThreadsSumW-1:0] threads_up;
  logic [AllWarpsW-1:0] warps;
  logic [RegsSumW-1:0] regs_up;
  logic [WarpUnitsW-1:0] warp_units;
  logic [ProductW-1:0] regs;

  assign threads_up = ThreadsSumW'(launch_i.threads) + ThreadsSumW'(31);
  assign warps      = threads_up[ThreadsSumW-1:5];
  assign regs_up    = RegsSumW'(launch_i.regs) + RegsSumW'(RegsPerUnit - 1);
  assign warp_units = regs_up[RegsSumW-1:RegsPerUnitW];
  assign regs       = ProductW'(warps) * ProductW'(warp_units);

  logic zero_dim, over_limit, never_fits, unknown_hwq;

  assign zero_dim = launch_i.desc.grid_x == '0 || launch_i.desc.grid_y == '0
      || launch_i.desc.grid_z == '0
      || launch_i.desc.cta_x == '0 || launch_i.desc.cta_y == '0
      || launch_i.desc.cta_z == '0
      || launch_i.threads == '0 || launch_i.ctas == '0;
  assign over_limit = 32'(launch_i.desc.cta_x) > MaxCtaX || 32'(launch_i.desc.cta_y) > MaxCtaY
      || 32'(launch_i.desc.cta_z) > MaxCtaZ || 32'(launch_i.threads) > MaxThreads;
  assign never_fits = 32'(warps) > hd_pkg::WarpsPerSmx || 32'(regs) > hd_pkg::RegUnitsPerSmx
      || 32'(launch_i.smem) > hd_pkg::SmemUnitsPerSmx;
  assign unknown_hwq = 32'(launch_i.hwq) >= hd_pkg::NumHwq;

  always_comb begin
    if (zero_dim) code_o = hd_pkg::CodeZeroDim;
    else if (over_limit) code_o = hd_pkg::CodeOverLimit;
    else if (never_fits) code_o = hd_pkg::CodeNeverFits;
    else if (unknown_hwq) code_o = `HD_FAULT(2, hd_pkg::CodeUnknownHwq, hd_pkg::CodeRefused);
    else if (hwq_full_i) code_o = hd_pkg::CodeRefused;
    else code_o = hd_pkg::CodeAccepted;
  end

  assign kernel_o.desc = launch_i.desc;
  assign kernel_o.need.warps =
      WarpsW'(`HD_FAULT(1, warps, AllWarpsW'(launch_i.threads[ThreadsW-1:5])));
  assign kernel_o.need.regs = RegUnitsW'(`HD_FAULT(3, regs, ProductW'(warp_units)));
  assign kernel_o.need.smem = SmemUnitsW'(launch_i.smem);
  assign kernel_o.ctas = launch_i.ctas;
  assign kernel_o.hwq = HwqW'(launch_i.hwq);
  assign kernel_o.tag = launch_i.tag;

  logic unused_rounding;
  assign unused_rounding = &{1'b0, threads_up[4:0], regs_up[RegsPerUnitW-1:0]};

endmodule
