// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_kd_suspend: takes kernels that wait for their children out of the KD, one at a time.
//
//   ripe --lowest--> [kdei] --> steal: read descriptor, tag row --> send: the record, to susp
//
// Suspension and its order are ours.
// - Ripe: idle and suspending. Chosen when susp can take a kernel (suspend_free_i); nothing happens
//   to it until it has left: no event for it comes from outside.
// - steal_o: the RAMs are read for kdei_o, and no TB is handed out. suspend_valid_o: what was read,
//   and the entry (record_i), go to susp; the entry (sent_o) is free from the next cycle.
// - Latency: chosen at t, steal t + 1, send t + 2; a kernel per 3 cycles. All outputs come from
//   registers and the rows that were read.
// - Reset: nothing is under suspension.
// Part of hd_kd; its rules are tested there.
module hd_kd_suspend (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // Kernels that may be suspended
  input  logic [hd_pkg::NumKde-1:0]  ripe_i,
  // The one that is
  output logic                       steal_o,
  output logic [hd_pkg::KdeW-1:0]    kdei_o,
  output logic [hd_pkg::NumKde-1:0]  sent_o,
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

  localparam logic [1:0] SuspIdle = 2'd0;
  localparam logic [1:0] SuspSteal = 2'd1;
  localparam logic [1:0] SuspSend = 2'd2;

  logic [1:0] susp_state_q;
  logic [KdeW-1:0] susp_kdei_q, susp_index;
  logic [NumKde-1:0] susp_onehot;
  logic susp_any, susp_start, send;

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
  assign sent_o = {{NumKde - 1{1'b0}}, send} << susp_kdei_q;

  assign suspend_valid_o = send;
  always_comb begin
    suspend_o = '0;
    if (send) begin
      suspend_o               = record_i;
      suspend_o.desc          = desc_i;
      suspend_o.origin        = origin_i;
      suspend_o.origin.failed = record_i.origin.failed;
    end
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, susp_onehot, origin_i.failed, record_i.desc, record_i.origin};

`ifdef VERILATOR
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // The kernel under suspension stays ripe until it has left.
      if (steal_o || send) a_suspend : assert (ripe_i[susp_kdei_q]);
    end
  end
`endif

endmodule
