// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_kmu_need: computes the need of one TB of a launch (warps, registers, shared memory) and
// whether the launch can run at all. Combinational. Used for launches of the host (hd_kmu_check)
// and of TBs (hd_devq).
//
// - code_o, the first that applies: ZeroDim, OverLimit, NeverFits, Accepted.
// - need_o: warps = ceil(threads / 32); registers = warps * (registers of a warp, in units of
//   RegUnit, rounded up); shared memory as launched. Valid only if code_o is Accepted: then it fits
//   its fields.
// Tested with both users.
module hd_kmu_need (
  input  hd_pkg::desc_t                desc_i,
  input  logic [hd_pkg::ThreadsW-1:0]  threads_i,
  input  logic [hd_pkg::RegsW-1:0]     regs_i,
  input  logic [hd_pkg::SmemW-1:0]     smem_i,
  input  logic [hd_pkg::CtasW-1:0]     ctas_i,
  output hd_pkg::code_e                code_o,
  output hd_pkg::need_t                need_o
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

  // A warp takes 32 * regs registers: ceil(regs / RegsPerUnit) units.
  localparam int RegsPerUnit = hd_pkg::RegUnit / 32;
  localparam int RegsPerUnitW = $clog2(RegsPerUnit);
  localparam int RegsSumW = hd_pkg::RegsW + 1;
  localparam int WarpUnitsW = RegsSumW - RegsPerUnitW;
  localparam int ThreadsSumW = ThreadsW + 1;
  localparam int AllWarpsW = ThreadsSumW - 5;

  logic [ThreadsSumW-1:0] threads_up;
  logic [AllWarpsW-1:0] warps;
  logic [RegsSumW-1:0] regs_up;
  logic [WarpUnitsW-1:0] warp_units;
  logic [RegUnitsW-1:0] regs;

  assign threads_up = ThreadsSumW'(threads_i) + ThreadsSumW'(31);
  assign warps      = threads_up[ThreadsSumW-1:5];
  assign regs_up    = RegsSumW'(regs_i) + RegsSumW'(RegsPerUnit - 1);
  assign warp_units = regs_up[RegsSumW-1:RegsPerUnitW];
  assign regs       = RegUnitsW'(warps) * RegUnitsW'(warp_units);

  // timing: the most units that a warp may take in a TB with this number of warps; settles before
  // the product.
  localparam int MaxWarps = MaxThreads / 32;
  localparam int MostW = $clog2(hd_pkg::RegUnitsPerSmx + 1);

  logic zero_dim, over_limit, never_fits;
  logic [MostW-1:0] most_units;

  always_comb begin
    most_units = '0;
    for (int w = 1; w <= MaxWarps; w++) begin
      most_units = most_units
          | (MostW'(hd_pkg::RegUnitsPerSmx / w) & {MostW{warps == AllWarpsW'(w)}});
    end
  end

  assign zero_dim = desc_i.grid_x == '0 || desc_i.grid_y == '0 || desc_i.grid_z == '0
      || desc_i.cta_x == '0 || desc_i.cta_y == '0 || desc_i.cta_z == '0
      || threads_i == '0 || ctas_i == '0;
  assign over_limit = 32'(desc_i.cta_x) > MaxCtaX || 32'(desc_i.cta_y) > MaxCtaY
      || 32'(desc_i.cta_z) > MaxCtaZ || 32'(threads_i) > MaxThreads;
  assign never_fits = 32'(warps) > hd_pkg::WarpsPerSmx || 32'(warp_units) > 32'(most_units)
      || 32'(smem_i) > hd_pkg::SmemUnitsPerSmx;

  always_comb begin
    if (zero_dim) code_o = hd_pkg::CodeZeroDim;
    else if (over_limit) code_o = hd_pkg::CodeOverLimit;
    else if (never_fits) code_o = hd_pkg::CodeNeverFits;
    else code_o = hd_pkg::CodeAccepted;
  end

  assign need_o.warps = WarpsW'(warps);
  assign need_o.regs  = regs;
  assign need_o.smem  = SmemUnitsW'(smem_i);

  logic unused_rounding;
  assign unused_rounding = &{1'b0, desc_i, threads_up[4:0], regs_up[RegsPerUnitW-1:0]};

endmodule
