// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_tbcr_free: the free resources of an SMX: warps, registers, shared memory.
//
//   grant: need --- - ---> [free] --> to the scheduler
//   done: back ---- + -------^
//
// From dtbl-isca2015 section 2.2.
// - A grant subtracts the need of a TB; a completion adds it back. Both may happen in one cycle.
// - timing: grant_i settles last in the cycle, so it selects between two sums.
// - Latency: one cycle. Outputs are registers.
// - Reset: all is free.
// Part of hd_tbcr, whose tests cover it.
`include "common/hd_assert.svh"
module hd_tbcr_free (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  // A TB is granted
  input  logic                         grant_i,
  input  hd_pkg::need_t                need_i,
  // A TB completes
  input  logic                         done_i,
  input  hd_pkg::need_t                back_i,
  output logic [hd_pkg::WarpsW-1:0]    free_warps_o,
  output logic [hd_pkg::RegUnitsW-1:0] free_regs_o,
  output logic [hd_pkg::SmemUnitsW-1:0] free_smem_o
);

  localparam int WarpsW = hd_pkg::WarpsW;
  localparam int RegUnitsW = hd_pkg::RegUnitsW;
  localparam int SmemUnitsW = hd_pkg::SmemUnitsW;

  logic [WarpsW-1:0] free_warps_q, warps_less;
  logic [RegUnitsW-1:0] free_regs_q, regs_less;
  logic [SmemUnitsW-1:0] free_smem_q, smem_less;
  hd_pkg::need_t back;

  // timing: resources left if a TB is granted, computed before the completed TB's are added.
  assign back       = done_i ? back_i : '0;
  assign warps_less = free_warps_q - need_i.warps;
  assign regs_less  = free_regs_q - need_i.regs;
  assign smem_less  = free_smem_q - need_i.smem;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      free_warps_q <= WarpsW'(hd_pkg::WarpsPerSmx);
      free_regs_q  <= RegUnitsW'(hd_pkg::RegUnitsPerSmx);
      free_smem_q  <= SmemUnitsW'(hd_pkg::SmemUnitsPerSmx);
    end else if (grant_i || done_i) begin
      free_warps_q <= grant_i ? warps_less + back.warps : free_warps_q + back.warps;
      free_regs_q  <= grant_i ? regs_less + back.regs : free_regs_q + back.regs;
      free_smem_q  <= grant_i ? smem_less + back.smem : free_smem_q + back.smem;
    end
  end

  assign free_warps_o = free_warps_q;
  assign free_regs_o  = free_regs_q;
  assign free_smem_o  = free_smem_q;

`ifdef HD_ASSERT_ON
  logic moved_q;  // a change in the last cycle

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) moved_q <= 1'b1;
    else moved_q <= grant_i || done_i;
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (grant_i) begin
        `HD_ASSERT_IN(a_fits, need_i.warps <= free_warps_q && need_i.regs <= free_regs_q
            && need_i.smem <= free_smem_q,
            "A TB is granted that needs more than is free.")
      end
      if (moved_q) begin
        `HD_ASSERT(a_free_range, 32'(free_warps_q) <= hd_pkg::WarpsPerSmx
            && 32'(free_regs_q) <= hd_pkg::RegUnitsPerSmx
            && 32'(free_smem_q) <= hd_pkg::SmemUnitsPerSmx,
            "More warps, registers or shared memory are free than an SMX has.")
      end
    end
  end
`endif

endmodule
