// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_devq_check: checks a launch as far as possible without other blocks. Combinational.
//
//   beat --> the checks of host launches (hd_kmu_need), record, stream --> code
//        '-> grid, parameters: does it fit an AGE
//        '-> key for the search
//
// The stage A1 of devq. From dtbl-isca2015 section 4.2: the contents of an AGE, and the properties
// that a kernel and its groups must share. The codes and their order are ours.
// - Nothing is checked for a save. One value of kind is undefined; such launches get OverLimit.
// - group_i: the beat is a group; known before the kind is decoded.
// - timing: the key does not wait for the check, which includes a multiplication.
// Part of hd_devq, whose tests cover it.
module hd_devq_check (
  input  hd_pkg::devlaunch_t  beat_i,
  input  logic                group_i,
  input  logic [31:0]         rec_count_i,
  output hd_pkg::code_e       code_o,
  output hd_pkg::need_t       need_o,
  output logic                fits_o,
  output hd_pkg::key_t        key_o
);

  logic over_record, unknown_stream;
  hd_pkg::code_e need_code;

  hd_kmu_need u_need (
    .desc_i   (beat_i.desc),
    .threads_i(beat_i.threads),
    .regs_i   (beat_i.regs),
    .smem_i   (beat_i.smem),
    .ctas_i   (beat_i.ctas),
    .code_o   (need_code),
    .need_o   (need_o)
  );

  assign over_record = group_i && 32'(beat_i.record) >= rec_count_i;
  assign unknown_stream = 32'(beat_i.stream) >= hd_pkg::NumStreams;

  always_comb begin
    if (beat_i.kind == hd_pkg::KindSave) code_o = hd_pkg::CodeAccepted;
    else if (beat_i.kind > hd_pkg::KindSave) code_o = hd_pkg::CodeOverLimit;
    else if (need_code == hd_pkg::CodeZeroDim) code_o = need_code;
    else if (over_record) code_o = hd_pkg::CodeOverLimit;
    else if (need_code != hd_pkg::CodeAccepted) code_o = need_code;
    else if (unknown_stream) code_o = hd_pkg::CodeUnknownHwq;
    else code_o = hd_pkg::CodeAccepted;
  end

  // The limits of an AGE; a group beyond them becomes a kernel.
  assign fits_o = 32'(beat_i.desc.grid_x) >> hd_pkg::GroupXW == '0
      && 32'(beat_i.desc.grid_y) >> hd_pkg::GroupYW == '0
      && 32'(beat_i.desc.grid_z) >> hd_pkg::GroupZW == '0 && beat_i.desc.param[5:0] == '0;

  assign key_o = {beat_i.desc.pc, beat_i.desc.cta_x, beat_i.desc.cta_y, beat_i.desc.cta_z,
      hd_pkg::SmemUnitsW'(beat_i.smem)} & {hd_pkg::KeyW{group_i}};

  logic unused_bits;
  assign unused_bits = &{1'b0, beat_i.lane, beat_i.slot, beat_i.hwtid, beat_i.last};

endmodule
