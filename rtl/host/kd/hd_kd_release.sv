// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_kd_release: decides which KD entries are released in a cycle, and which HWQs reopen.
//
//   idle, no groups, not suspending, not held --> release --> reopen, one cycle later
//   kernel --enter--> [hwq, host] ----------------------'
//
// From dtbl-isca2015 section 2.2 (the HWQ of a completed kernel is inspected again).
// - A kernel is released when it is idle, has no groups and is not suspending; all such kernels in
//   the same cycle. A kernel with a parent record does not reopen its HWQ: kin does so when its
//   children are complete.
// - timing: hold_valid_i settles late; it only keeps an entry from being released. A suspending
//   kernel accepts no group, so a suspension need not look at it.
// - Latency: release_o in the same cycle, reopen_o in the next.
// - Reset: nothing reopens; the fields of a free entry are not used.
// Part of hd_kd, whose tests cover it.
`include "common/hd_assert.svh"
module hd_kd_release (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // A kernel enters
  input  logic                       enter_i,
  input  logic [hd_pkg::NumKde-1:0]  entered_i,
  input  hd_pkg::origin_t            origin_i,
  // A suspended kernel leaves a rest in its entry, which belongs to no HWQ
  input  logic [hd_pkg::NumKde-1:0]  stays_i,
  // Conditions that keep an entry, or suspend it
  input  logic [hd_pkg::NumKde-1:0]  idle_i,
  input  logic [hd_pkg::NumKde-1:0]  pending_i,
  input  logic [hd_pkg::NumKde-1:0]  suspending_i,
  input  logic [hd_pkg::NumKde-1:0]  kin_valid_i,
  input  logic                       hold_valid_i,
  input  logic [hd_pkg::KdeW-1:0]    hold_kdei_i,
  output logic [hd_pkg::NumKde-1:0]  release_o,
  output logic [hd_pkg::NumHwq-1:0]  reopen_o
);

  localparam int NumKde = hd_pkg::NumKde;
  localparam int NumHwq = hd_pkg::NumHwq;
  localparam int HwqW = hd_pkg::HwqW;

  logic [NumKde-1:0] host_q;
  logic [NumKde*HwqW-1:0] hwq_q;
  logic [NumHwq-1:0] reopen_q, reopen_d;

  always_ff @(posedge clk_i) begin
    if (enter_i || stays_i != '0) begin
      for (int i = 0; i < NumKde; i++) begin
        if (entered_i[i]) begin
          hwq_q[i*HwqW+:HwqW] <= origin_i.hwq;
          host_q[i]           <= origin_i.host;
        end else if (stays_i[i]) begin
          hwq_q[i*HwqW+:HwqW] <= '0;
          host_q[i]           <= 1'b0;
        end
      end
    end
  end

  logic [NumKde-1:0] held, may_release, may_reopen;

  assign held        = {{NumKde - 1{1'b0}}, hold_valid_i} << hold_kdei_i;
  assign may_release = idle_i & ~pending_i & ~suspending_i;
  assign may_reopen  = may_release & host_q & ~kin_valid_i;
  assign release_o   = may_release & ~held;

  // timing: the HWQ that each entry reopens is decoded before a late hold cancels it.
  always_comb begin
    reopen_d = '0;
    if (may_release != '0) begin
      for (int i = 0; i < NumKde; i++) begin
        reopen_d = reopen_d | (({{NumHwq - 1{1'b0}}, may_reopen[i]} << hwq_q[i*HwqW+:HwqW])
            & {NumHwq{!held[i]}});
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) reopen_q <= '0;
    else reopen_q <= reopen_d;
  end

  assign reopen_o = reopen_q;

  logic unused_bits;
  assign unused_bits = &{1'b0, origin_i};

`ifdef HD_ASSERT_ON
  // Rare: several released at once; a release delayed by a group in the last moment.
  `HD_COVER(c_many_released, $countones(release_o) > 1)
  `HD_COVER(c_held_back, (may_release & held) != '0)
`endif

endmodule
