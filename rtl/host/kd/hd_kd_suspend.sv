// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_kd_suspend: moves kernels that wait for their children out of the KD, one at a time.
//
//   ripe --lowest--> [kdei] --> steal: read descriptor, tag row --> send: the record, to susp
//                                                              '--> its bank entries stay as a rest
//
// Suspension and its order are ours.
// - Ripe: idle and suspending. A ripe kernel is chosen when susp has room (suspend_free_i). Until
//   it has left, no event for it comes from outside.
// - steal_o: the RAMs are read for kdei_o, and no TB is handed out. suspend_valid_o: the rows read
//   and the entry (record_i) go to susp; the entry (sent_o) is free from the next cycle.
// - A kernel with entries in banks (banked_i) is ripe only when its saved list is full. Its KD
//   entry (stays_o) is then kept by the rest, a separate kernel: a child of the suspended one, with
//   origin rest_origin_o. A rest also stays if a memory error makes the kernel fail meanwhile
//   (failed_i).
// - Latency: chosen at t, steal at t+1, send at t+2. Rate: one kernel per 3 cycles. All outputs
//   come from registers and the rows read.
// - Reset: no suspension in progress.
// Part of hd_kd, whose tests cover it.
`include "common/hd_assert.svh"
module hd_kd_suspend (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // Kernels that may be suspended
  input  logic [hd_pkg::NumKde-1:0]  ripe_i,
  input  logic [hd_pkg::NumKde-1:0]  banked_i,
  input  logic [hd_pkg::NumKde-1:0]  failed_i,
  // The kernel being suspended
  output logic                       steal_o,
  output logic [hd_pkg::KdeW-1:0]    kdei_o,
  output logic [hd_pkg::NumKde-1:0]  chosen_o,
  output logic [hd_pkg::NumKde-1:0]  sent_o,
  output logic [hd_pkg::NumKde-1:0]  stays_o,
  output hd_pkg::origin_t            rest_origin_o,
  input  hd_pkg::kernel_t            record_i,
  input  hd_pkg::desc_t              desc_i,
  input  hd_pkg::origin_t            origin_i,
  // It leaves (susp)
  input  logic                       suspend_free_i,
  output logic                       suspend_valid_o,
  output hd_pkg::kernel_t            suspend_o
);

  localparam int NumKde = hd_pkg::NumKde;
  localparam int KdeW = hd_pkg::KdeW;

  typedef enum logic [1:0] {
    SuspIdle  = 2'd0,
    SuspSteal = 2'd1,
    SuspSend  = 2'd2
  } susp_e;

  susp_e susp_state_q;
  logic [KdeW-1:0] susp_kdei_q, susp_index;
  logic [NumKde-1:0] susp_onehot;
  logic susp_any, susp_start, send, stays;

  hd_find_first #(.N(NumKde), .IdxW(KdeW)) u_choose (
    .req_i   (ripe_i),
    .onehot_o(susp_onehot),
    .index_o (susp_index),
    .valid_o (susp_any)
  );

  assign susp_start = susp_state_q == SuspIdle && susp_any && suspend_free_i;
  assign steal_o    = susp_state_q == SuspSteal;
  assign send       = susp_state_q == SuspSend;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) susp_state_q <= SuspIdle;
    else if (susp_start) susp_state_q <= SuspSteal;
    else if (steal_o) susp_state_q <= SuspSend;
    else if (send) susp_state_q <= SuspIdle;
  end

  always_ff @(posedge clk_i) begin
    if (susp_start) susp_kdei_q <= susp_index;
  end

  assign kdei_o = susp_kdei_q;
  assign stays  = send && (banked_i[susp_kdei_q] || failed_i[susp_kdei_q]);
  assign chosen_o = {{NumKde - 1{1'b0}}, steal_o || send} << susp_kdei_q;
  assign sent_o   = {{NumKde - 1{1'b0}}, send && !stays} << susp_kdei_q;
  assign stays_o  = {{NumKde - 1{1'b0}}, stays} << susp_kdei_q;

  assign suspend_valid_o = send;
  always_comb begin
    suspend_o = '0;
    if (send) begin
      suspend_o               = record_i;
      suspend_o.desc          = desc_i;
      suspend_o.origin        = origin_i;
      suspend_o.origin.failed = 1'b0;
    end
  end

  always_comb begin
    rest_origin_o      = '0;
    rest_origin_o.up   = record_i.kin;
    rest_origin_o.smx  = origin_i.smx;
    rest_origin_o.rest = 1'b1;
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, susp_onehot, origin_i.failed, record_i.desc, record_i.origin};

`ifdef HD_ASSERT_ON
  // Rare: a rest stays; a kernel fails before it has left.
  `HD_COVER(c_stays, stays)
  `HD_COVER(c_stays_failed, stays && failed_i[susp_kdei_q])
`endif

endmodule
