// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_krec_unpack: collects a kernel from the beats of its memory record (hd_krec_pack).
//
// - A beat written at t is visible from t+1 on. Beats 0 to 4 hold the whole kernel. Bytes above a
//   field's width are ignored; an SMX number out of range (a damaged record) becomes 0. resumed is
//   1, graph 0.
// - No reset: the fields start with any value. Fields that a user does not read cost nothing.
module hd_krec_unpack (
  input  logic                       clk_i,
  input  logic                       we_i,
  input  logic [2:0]                 beat_i,
  input  logic [63:0]                hi_i,
  input  logic [63:0]                lo_i,
  output hd_pkg::kernel_t            kernel_o
);

  hd_pkg::kernel_t kernel_q;
  logic [hd_pkg::SmxW-1:0] smx_read, smx;

  assign smx_read = hd_pkg::SmxW'(lo_i >> 48);
  if (hd_pkg::NumSmx == 1 << hd_pkg::SmxW) begin : g_every_smx
    assign smx = smx_read;
  end else begin : g_some_smx
    assign smx = 32'(smx_read) < hd_pkg::NumSmx ? smx_read : '0;
  end

  always_ff @(posedge clk_i) begin
    kernel_q.resumed <= 1'b1;
    kernel_q.graph   <= 1'b0;  // no kernel with a graph goes to memory
    if (we_i && beat_i == 3'd0) begin
      kernel_q.desc.pc    <= hd_pkg::PcW'(lo_i);
      kernel_q.desc.param <= hd_pkg::ParamW'(hi_i);
    end
    if (we_i && beat_i == 3'd1) begin
      kernel_q.desc.cta_x    <= hd_pkg::CtaXW'(lo_i);
      kernel_q.desc.cta_y    <= hd_pkg::CtaYW'(lo_i >> 16);
      kernel_q.desc.cta_z    <= hd_pkg::CtaZW'(lo_i >> 32);
      kernel_q.need.warps    <= hd_pkg::WarpsW'(lo_i >> 48);
      kernel_q.need.regs     <= hd_pkg::RegUnitsW'(hi_i);
      kernel_q.need.smem     <= hd_pkg::SmemUnitsW'(hi_i >> 16);
      kernel_q.level         <= hd_pkg::LevelW'(hi_i >> 32);
      kernel_q.origin.stream <= hd_pkg::StreamW'(hi_i >> 40);
      kernel_q.origin.up     <= hd_pkg::KinW'(hi_i >> 48);
    end
    if (we_i && beat_i == 3'd2) begin
      kernel_q.desc.grid_x   <= hd_pkg::GridXW'(lo_i);
      kernel_q.desc.grid_y   <= hd_pkg::GridYW'(lo_i >> 32);
      kernel_q.desc.grid_z   <= hd_pkg::GridZW'(lo_i >> 48);
      kernel_q.ctas          <= hd_pkg::CtasW'(hi_i);
      kernel_q.origin.hwq    <= hd_pkg::HwqW'(hi_i >> 32);
      kernel_q.origin.failed <= hi_i[40];
      kernel_q.origin.host   <= hi_i[41];
      kernel_q.origin.rest   <= hi_i[42];
      kernel_q.origin.tag    <= hd_pkg::TagW'(hi_i >> 48);
    end
    if (we_i && beat_i == 3'd3) begin
      kernel_q.progress.ndone  <= lo_i[8];
      kernel_q.groups.pending  <= lo_i[16];
      kernel_q.progress.nextbl <= hd_pkg::CtasW'(lo_i >> 32);
      kernel_q.groups.chained  <= lo_i[24];
      kernel_q.groups.nagei    <= hd_pkg::AgtW'(hi_i);
      kernel_q.groups.lagei    <= hd_pkg::AgtW'(hi_i >> 32);
    end
    if (we_i && beat_i == 3'd4) begin
      kernel_q.progress.sav_first <= hd_pkg::SavW'(lo_i);
      kernel_q.progress.sav_count <= hd_pkg::SavCountW'(lo_i >> 16);
      kernel_q.kin                <= hd_pkg::KinW'(lo_i >> 32);
      kernel_q.origin.smx         <= smx;
      kernel_q.over.first         <= hd_pkg::ListPosW'(hi_i);
      kernel_q.over.count         <= hd_pkg::ListCountW'(hi_i >> 32);
    end
  end

  assign kernel_o = kernel_q;

  logic unused_bits;
  assign unused_bits = &{1'b0, hi_i, lo_i};

endmodule
