// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_fcfs: FCFS controller: keeps the marked kernels (those with TBs left to hand out) in order of
// arrival.
//
//   KMU/KD enter --> [ .. | 2nd | oldest ] --> head, next to the SMX scheduler; marked to the KD
//                                     ^ unmark: the scheduler handed out the oldest's last TB
//
// From dtbl-isca2015 section 2.2; the shift register is ours.
// - A kernel that enters goes behind the youngest and is marked; unmark removes the oldest, all
//   others move up by one.
// - Both in one cycle: pop, then push.
// - order_q: position 0 is the oldest; positions from count_q on are 0. marked_q has one bit per
//   entry.
// - Latency: one cycle from enter or unmark to the outputs, which are all registers; one of each
//   per cycle.
// - Reset: nothing marked.
// - Never full: there are as many positions as KD entries.
// Ports: fcfs.csv. Model cmodel/fcfs, tests verif/unit and verif/equiv test_fcfs, page
// docs/fcfs.md.
`include "common/hd_fault.svh"
module hd_fcfs (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      enter_valid_i,
  input  logic                      enter_ready_i,
  input  logic [hd_pkg::KdeW-1:0]   enter_kdei_i,
  input  logic                      unmark_i,
  output logic [hd_pkg::NumKde-1:0] marked_o,
  output logic                      head_valid_o,
  output logic [hd_pkg::KdeW-1:0]   head_kdei_o,
  output logic                      next_valid_o,
  output logic [hd_pkg::KdeW-1:0]   next_kdei_o
);

  localparam int NumKde = hd_pkg::NumKde;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int CountW = hd_pkg::KdeCountW;
  localparam int OrderW = NumKde * KdeW;

  logic [CountW-1:0] count_q;
  logic [OrderW-1:0] order_q, order_d;
  logic [NumKde-1:0] marked_q;

  logic enter;
  logic [CountW-1:0] place;  // where the kernel that enters goes
  logic [NumKde-1:0] entered, unmarked;

  assign enter = enter_valid_i && enter_ready_i;
  assign place = `HD_FAULT(7, unmark_i, 1'b0) ? count_q - CountW'(1) : count_q;
  assign entered = {{NumKde - 1{1'b0}}, enter} << enter_kdei_i;
  assign unmarked = {{NumKde - 1{1'b0}}, unmark_i} << `HD_FAULT(8, head_kdei_o, next_kdei_o);

  // Places behind the youngest hold 0, so the new kernel can be written over what moved up.
  always_comb begin
    order_d = unmark_i ? order_q >> KdeW : order_q;
    for (int p = 0; p < NumKde; p++) begin
      if (enter && place == CountW'(p)) order_d[p*KdeW+:KdeW] = enter_kdei_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q  <= '0;
      order_q  <= '0;
      marked_q <= '0;
    end else if (enter || unmark_i) begin
      if (enter != unmark_i) count_q <= enter ? count_q + CountW'(1) : count_q - CountW'(1);
      order_q  <= order_d;
      marked_q <= (marked_q & ~unmarked) | entered;
    end
  end

  assign marked_o     = marked_q;
  assign head_valid_o = count_q != '0;
  assign head_kdei_o  = order_q[KdeW-1:0];

  // A machine with one KD entry has no second position.
  if (NumKde > 1) begin : g_next
    assign next_valid_o = count_q > CountW'(1);
    assign next_kdei_o = order_q[2*KdeW-1:KdeW];
  end else begin : g_no_next
    assign next_valid_o = 1'b0;
    assign next_kdei_o = '0;
  end

`ifdef VERILATOR
  // The oldest leaves only if there is one.
  a_unmark :
  assert property (@(posedge clk_i) disable iff (!rst_ni) unmark_i |-> head_valid_o);
  // A kernel enters only while there is a place, and into an entry that is not marked.
  a_enter :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      enter |-> 32'(count_q) < NumKde && (marked_q & entered) == '0);
  // As many bits as the count says, and no other.
  a_count :
  assert property (@(posedge clk_i) disable iff (!rst_ni) 32'(count_q) == $countones(marked_q));
  // The oldest and the second are marked.
  a_head :
  assert property (@(posedge clk_i) disable iff (!rst_ni) head_valid_o |-> marked_q[head_kdei_o]);
  a_next :
  assert property (@(posedge clk_i) disable iff (!rst_ni) next_valid_o |-> marked_q[next_kdei_o]);
  // Positions from the count on are 0.
  a_zero :
  assert property (@(posedge clk_i) disable iff (!rst_ni) order_q >> (32'(count_q) * KdeW) == '0);
  // The rare: both at once, every entry marked.
  c_enter_unmark :
  cover property (@(posedge clk_i) enter && unmark_i);
  c_all_marked :
  cover property (@(posedge clk_i) &marked_q);
`endif

endmodule
