// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_pool_record: converts device kernels to and from memory records, beat by beat.
//
// The record is that of all kernels in memory (hd_krec_pack); a device kernel uses a part of it.
// - put_*: the beat put_beat_i of a kernel. Combinational.
// - back_o: the kernel whose beats were received; valid in the cycle of the last beat, because its
//   last fields arrive in an earlier one. It does not contain the stream; the parent record comes
//   from memq (side_i).
// Part of hd_pool, whose tests cover it.
module hd_pool_record (
  input  logic                     clk_i,
  // A kernel goes to memory
  input  hd_pkg::devk_t            put_i,
  input  logic [2:0]               put_beat_i,
  output hd_pkg::membeat_t         put_data_o,
  // One returns
  input  logic                     beat_valid_i,
  input  logic [2:0]               beat_i,
  input  hd_pkg::memdata_t         r_i,
  input  logic [hd_pkg::KinW-1:0]  side_i,
  output hd_pkg::devk_t            back_o
);

  hd_pkg::kernel_t put_kernel, got_kernel;

  always_comb begin
    put_kernel               = '0;
    put_kernel.desc          = put_i.desc;
    put_kernel.need          = put_i.need;
    put_kernel.ctas          = put_i.ctas;
    put_kernel.level         = put_i.level;
    put_kernel.origin.stream = put_i.stream;
    put_kernel.origin.up     = put_i.up;
    put_kernel.origin.smx    = put_i.smx;
  end

  hd_krec_pack u_pack (
    .kernel_i(put_kernel),
    .beat_i  (put_beat_i),
    .hi_o    (put_data_o.hi),
    .lo_o    (put_data_o.lo)
  );
  assign put_data_o.strb = '1;

  hd_krec_unpack u_unpack (
    .clk_i   (clk_i),
    .we_i    (beat_valid_i),
    .beat_i  (beat_i),
    .hi_i    (r_i.hi),
    .lo_i    (r_i.lo),
    .kernel_o(got_kernel)
  );

  always_comb begin
    back_o       = '0;
    back_o.desc  = got_kernel.desc;
    back_o.need  = got_kernel.need;
    back_o.ctas  = got_kernel.ctas;
    back_o.level = got_kernel.level;
    back_o.up    = side_i;
    back_o.smx   = got_kernel.origin.smx;
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, got_kernel, r_i};

endmodule
