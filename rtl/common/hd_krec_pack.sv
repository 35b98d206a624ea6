// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_krec_pack: packs a kernel into its 128-byte memory record, one beat of 16 bytes at a time.
// Combinational. hd_krec_unpack is its inverse.
//
//   byte  0 PC 8, parameter address 8
//        16 TB x 2, y 2, z 2, warps 2, registers 2, shared memory 2, level 1, stream 1, up 2
//        32 grid x 4, y 2, z 2, TBs 4, HWQ 1, {rest, host, failed} 1, tag 2
//        48 0, native part done 1, groups pending 1, chained 1, NextBL 4, NAGEI 4, LAGEI 4
//        64 saved TBs: first 2, count 2, parent record 2, SMX that launched it 1, 0,
//        72 groups in memory: first 4, count 4; the rest 0
//
// Little endian; fields are zero-extended. The layout is ours.
module hd_krec_pack (
  input  hd_pkg::kernel_t            kernel_i,
  input  logic [2:0]                 beat_i,
  output logic [63:0]                hi_o,
  output logic [63:0]                lo_o
);

  hd_pkg::desc_t desc;
  hd_pkg::origin_t origin;
  hd_pkg::progress_t progress;
  hd_pkg::list_t groups;

  assign desc = kernel_i.desc;
  assign origin = kernel_i.origin;
  assign progress = kernel_i.progress;
  assign groups = kernel_i.groups;

  always_comb begin
    hi_o = '0;
    lo_o = '0;
    case (beat_i)
      3'd0: begin
        lo_o = 64'(desc.pc);
        hi_o = 64'(desc.param);
      end
      3'd1: begin
        lo_o = {16'(kernel_i.need.warps), 16'(desc.cta_z), 16'(desc.cta_y), 16'(desc.cta_x)};
        hi_o = {16'(origin.up), 8'(origin.stream), 8'(kernel_i.level), 16'(kernel_i.need.smem),
                16'(kernel_i.need.regs)};
      end
      3'd2: begin
        lo_o = {16'(desc.grid_z), 16'(desc.grid_y), 32'(desc.grid_x)};
        hi_o = {16'(origin.tag), 5'b0, origin.rest, origin.host, origin.failed, 8'(origin.hwq),
                32'(kernel_i.ctas)};
      end
      3'd3: begin
        lo_o = {32'(progress.nextbl), 7'b0, groups.chained, 7'b0, groups.pending, 7'b0,
                progress.ndone, 8'b0};
        hi_o = {32'(groups.lagei), 32'(groups.nagei)};
      end
      3'd4: begin
        lo_o = {8'b0, 8'(origin.smx), 16'(kernel_i.kin), 16'(progress.sav_count),
                16'(progress.sav_first)};
        hi_o = {32'(kernel_i.over.count), 32'(kernel_i.over.first)};
      end
      default: begin
      end
    endcase
  end

  logic unused_bits;  // no kernel with a graph goes to memory
  assign unused_bits = &{1'b0, kernel_i.resumed, kernel_i.graph};

endmodule
