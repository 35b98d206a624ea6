// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_top_checks: assertions on several blocks of the plane, and the AXI4 rules of its port; both
// are bound to hd_top.
//
// Not synthesized: without HD_ASSERT_ON this file is empty.
`include "common/hd_assert.svh"
`ifdef HD_ASSERT_ON
module hd_top_checks (
  input logic                        clk_i,
  input logic                        rst_ni,
  // Kernels
  input logic   [hd_pkg::NumKde-1:0] kd_valid_i,
  input logic   [hd_pkg::NumKde-1:0] kd_runs_i,        // entries whose graph runs
  input logic   [hd_pkg::NumKde-1:0] kd_leaves_i,      // of host kernels without parent record
  input logic   [hd_pkg::NumHwq-1:0] kd_reopen_i,
  input logic   [hd_pkg::NumKde-1:0] fcfs_marked_i,
  input hd_pkg::entry_t              fcfs_head_i,
  input hd_pkg::entry_t              sched_sscr_i,
  input logic   [hd_pkg::NumKde-1:0] link_pending_i,
  input logic                        dats_busy_i,
  // Overflow slots
  input logic                        slot_wait_i,      // a group waits for one
  input logic                        record_done_valid_i,
  // TBs
  input logic   [hd_pkg::NumSmx-1:0] dispatch_valid_i,
  input logic   [hd_pkg::NumSmx-1:0] sched_done_ok_i
);

  // A group waits for an overflow slot, and all hand-outs wait with it. If there are more slots
  // than TBs that may run (OvfSlots > Resident), then after 15 cycles a slot can only depend on
  // software accepting an offered record, or on a kernel with a parked group leaving the KD. That
  // these events happen is not asserted.
  logic [3:0] slot_waits_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) slot_waits_q <= '0;
    else if (!slot_wait_i) slot_waits_q <= '0;
    else if (slot_waits_q != '1) slot_waits_q <= slot_waits_q + 4'd1;
  end
  if (hd_pkg::HasGroups != 0) begin : g_groups
    logic [hd_pkg::NumKde-1:0] parked;  // kernels with a parked group, not leaving
    assign parked = hd_top.u_launch.g_agc.u_agc.u_parked.park_valid_q
        & ~hd_top.u_launch.g_agc.u_agc.u_parked.leaving_q;
    `HD_ASSERT_PROP(a_slot_wait, hd_pkg::OvfSlots > hd_pkg::Resident && slot_wait_i
        && slot_waits_q == '1 |-> record_done_valid_i || parked != '0,
        "A group waits for an overflow slot, and no event that frees one is pending.")
  end else begin : g_no_groups
    `HD_ASSERT_PROP(a_no_record, !record_done_valid_i,
        "A record of a group is returned by a plane without groups.")
  end
  `HD_ASSERT_PROP(a_oldest, sched_sscr_i.valid == fcfs_head_i.valid && (!fcfs_head_i.valid
      || sched_sscr_i.kdei == fcfs_head_i.kdei),
      "The SMX scheduler does not work on the oldest marked kernel.")
  `HD_ASSERT_PROP(a_marked, (fcfs_marked_i & ~kd_valid_i) == '0,
      "A marked kernel is not in the KD.")
  `HD_ASSERT_PROP(a_reopen, $countones(kd_reopen_i) == $countones(kd_leaves_i),
      "The number of reopened HWQs differs from that of released host kernels.")
  `HD_ASSERT_PROP(a_graph, $countones(kd_runs_i) <= 1 && (kd_runs_i != '0) == dats_busy_i,
      "More than one KD entry runs a graph, or the KD and dats disagree on whether one runs.")
  `HD_ASSERT_PROP(a_pending, (link_pending_i & ~kd_valid_i) == '0,
      "A kernel with pending groups is not in the KD.")

  // Rare: every SMX is offered a TB at once; all SMXs report a completion at once.
  `HD_COVER(c_all_dispatch, &dispatch_valid_i)
  `HD_COVER(c_all_done, &sched_done_ok_i)

endmodule

bind hd_top hd_top_checks u_checks (
  .clk_i              (clk_i),
  .rst_ni             (rst_ni),
  .kd_valid_i         (u_host.u_kd.valid_q),
  .kd_runs_i          (u_host.u_kd.runs),
  .kd_leaves_i        (u_host.u_kd.release_now & u_host.u_kd.u_release.host_q & ~kd_kin_valid),
  .kd_reopen_i        (u_host.u_kd.u_release.reopen_d),
  .fcfs_marked_i      (fcfs_marked),
  .fcfs_head_i        (u_host.u_fcfs.head_o),
  .sched_sscr_i       (sched_sscr),
  .link_pending_i     (link_pending),
  .dats_busy_i        (dats_busy),
  .slot_wait_i        (sched_events.slot_wait),
  .record_done_valid_i(record_done_valid_o),
  .dispatch_valid_i   (dispatch_valid_o),
  .sched_done_ok_i    (sched_done_ok)
);

bind hd_top hd_axi4_rules #(
  .Ids  (hd_pkg::MemClients),
  .IdW  (hd_pkg::MemIdW),
  .AddrW(hd_pkg::AddrW)
) u_axi4_rules (
  .clk_i       (clk_i),
  .rst_ni      (rst_ni),
  .awvalid_i   (awvalid_o),
  .awid_i      (awid_o),
  .awaddr_i    (awaddr_o),
  .awlen_i     (awlen_o),
  .awsize_i    (awsize_o),
  .awburst_i   (awburst_o),
  .awready_i   (awready_i),
  .wvalid_i    (wvalid_o),
  .wdata_i     (wdata_o),
  .wstrb_i     (wstrb_o),
  .wlast_i     (wlast_o),
  .wready_i    (wready_i),
  .bvalid_i    (bvalid_i),
  .bid_i       (bid_i),
  .bready_i    (bready_o),
  .arvalid_i   (arvalid_o),
  .arid_i      (arid_o),
  .araddr_i    (araddr_o),
  .arlen_i     (arlen_o),
  .arsize_i    (arsize_o),
  .arburst_i   (arburst_o),
  .arready_i   (arready_i),
  .rvalid_i    (rvalid_i),
  .rid_i       (rid_i),
  .rlast_i     (rlast_i),
  .rready_i    (rready_o)
);
`endif
