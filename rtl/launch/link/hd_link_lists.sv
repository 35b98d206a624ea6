// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_link_lists: of each KD entry the list of groups that wait: pending, NAGEI (the next to be
// handed out) and LAGEI (the last).
//
// From dtbl-isca2015 section 4.2. The pending bit is ours: an AGE that was freed and used again can
// stand in a NAGEI or LAGEI that has not been cleared, so that only a bit tells an empty list.
// - Link: the group becomes the last, and also the next if the list is empty.
// - Advance: the next is done; the one behind it follows: succ_i, or the group linked in that cycle
//   if the list had one group. None: the list is empty.
// - A failed kernel, or one that is suspended, loses its list, whatever else happens; list_o shows
//   that of the suspended one in the next cycle. A kernel that enters brings its own.
// - An empty list reads as 0: the registers keep anything, so that they need no reset.
// - prev_o and first_o: the list of link_kdei_i before the link.
// Part of hd_link; its rules are tested there.
`include "common/hd_fault.svh"
module hd_link_lists (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  input  logic                                     link_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                  link_kdei_i,
  input  hd_pkg::ptr_t                             link_ptr_i,
  output hd_pkg::ptr_t                             prev_o,
  output logic                                     first_o,
  input  logic                                     adv_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                  adv_kdei_i,
  input  hd_pkg::ptr_t                             succ_i,
  input  logic [2:0]                               fail_valid_i,
  input  logic [3*hd_pkg::KdeW-1:0]                fail_kdei_i,
  input  logic                                     take_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                  take_kdei_i,
  output hd_pkg::list_t                            list_o,
  input  logic                                     enter_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                  enter_kdei_i,
  input  hd_pkg::list_t                            enter_list_i,
  output logic [hd_pkg::NumKde-1:0]                pending_o,
  output logic [hd_pkg::NumKde-1:0]                single_o,
  output logic [hd_pkg::NumKde*hd_pkg::PtrW-1:0]   nagei_o,
  output logic [hd_pkg::NumKde*hd_pkg::PtrW-1:0]   lagei_o
);

  localparam int NumKde = hd_pkg::NumKde;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int PtrW = hd_pkg::PtrW;

  logic [NumKde-1:0] pending_q, pending_d;
  logic [NumKde*PtrW-1:0] nagei_q, lagei_q;
  logic list_valid_q;
  hd_pkg::list_t list_q;

  // ---- What happens to each entry ---------------------------------------------------------------
  logic [NumKde-1:0] linked, advanced, entered, cleared, taken;
  logic [3*NumKde-1:0] failed;

  hd_onehot #(.N(NumKde), .IdxW(KdeW)) u_link (
    .valid_i (link_valid_i),
    .index_i (link_kdei_i),
    .onehot_o(linked)
  );

  hd_onehot #(.N(NumKde), .IdxW(KdeW)) u_adv (
    .valid_i (adv_valid_i),
    .index_i (adv_kdei_i),
    .onehot_o(advanced)
  );

  hd_onehot #(.N(NumKde), .IdxW(KdeW)) u_enter (
    .valid_i (enter_valid_i),
    .index_i (enter_kdei_i),
    .onehot_o(entered)
  );

  hd_onehot #(.N(NumKde), .IdxW(KdeW)) u_take (
    .valid_i (take_valid_i),
    .index_i (take_kdei_i),
    .onehot_o(taken)
  );

  for (genvar k = 0; k < 3; k++) begin : g_fail
    hd_onehot #(.N(NumKde), .IdxW(KdeW)) u_fail (
      .valid_i (fail_valid_i[k]),
      .index_i (fail_kdei_i[k*KdeW+:KdeW]),
      .onehot_o(failed[k*NumKde+:NumKde])
    );
  end
  assign cleared = taken | failed[NumKde-1:0] | failed[2*NumKde-1:NumKde]
      | failed[3*NumKde-1:2*NumKde];

  // ---- The lists --------------------------------------------------------------------------------
  // adv_valid_i is the last signal of the cycle to settle: it only chooses. The NAGEI of a list of
  // several groups can only become succ_i; that of any other list, the group that is linked.
  logic [NumKde-1:0] several, to_succ, to_link, new_nagei, new_lagei;

  assign several   = pending_q & ~single_o;
  assign to_succ   = advanced & several;
  assign to_link   = (advanced & ~several) | (linked & ~pending_q);
  assign new_nagei = to_succ | to_link | entered;
  assign new_lagei = linked | entered;

  always_comb begin
    pending_d = `HD_FAULT(38, (pending_q & ~(advanced & single_o)) | linked,
        (pending_q | linked) & ~(advanced & single_o));
    pending_d = (pending_d & ~cleared & ~entered) | (entered & {NumKde{enter_list_i.pending}});
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q    <= '0;
      list_valid_q <= 1'b0;
    end else begin
      pending_q    <= pending_d;
      list_valid_q <= take_valid_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (adv_valid_i || link_valid_i || enter_valid_i) begin
      for (int i = 0; i < NumKde; i++) begin
        if (new_nagei[i]) begin
          nagei_q[i*PtrW+:PtrW] <= (succ_i & {PtrW{to_succ[i]}}) | (link_ptr_i & {PtrW{to_link[i]}})
              | (enter_list_i.nagei & {PtrW{entered[i]}});
        end
        if (new_lagei[i]) begin
          lagei_q[i*PtrW+:PtrW] <= (link_ptr_i & {PtrW{linked[i]}})
              | (`HD_FAULT(118, enter_list_i.lagei, '0) & {PtrW{entered[i]}});
        end
      end
    end
    list_q.pending <= pending_q[take_kdei_i];
    list_q.nagei   <= nagei_o[take_kdei_i*PtrW+:PtrW];
    list_q.lagei   <= lagei_o[take_kdei_i*PtrW+:PtrW];
  end

  // ---- Outputs ----------------------------------------------------------------------------------
  always_comb begin
    nagei_o  = nagei_q;
    lagei_o  = lagei_q;
    single_o = pending_q;
    for (int i = 0; i < NumKde; i++) begin
      if (pending_q[i]) begin
        single_o[i] = nagei_q[i*PtrW+:PtrW] == lagei_q[i*PtrW+:PtrW];
      end else begin
        nagei_o[i*PtrW+:PtrW] = '0;
        lagei_o[i*PtrW+:PtrW] = '0;
      end
    end
  end

  assign pending_o = pending_q;
  assign prev_o    = lagei_o[link_kdei_i*PtrW+:PtrW];
  assign first_o   = !pending_q[link_kdei_i];
  assign list_o    = list_valid_q ? list_q : '0;

`ifdef VERILATOR
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // Only a group of a list is handed out.
      if (adv_valid_i) a_adv : assert (pending_q[adv_kdei_i]);
      // A kernel that is suspended has no launch on its way; one that enters finds an empty list.
      if (take_valid_i) a_take : assert (!linked[take_kdei_i] && !advanced[take_kdei_i]);
      if (enter_valid_i) begin
        a_enter : assert (!pending_q[enter_kdei_i] && (entered & (linked | cleared)) == '0);
      end
    end
  end
  // The rare: a link to the list whose only group ends, a link to an empty list and to a long one,
  // a kernel that fails in the cycle of a link, one that brings its list.
  c_link_and_adv :
  cover property (@(posedge clk_i) (linked & advanced & single_o) != '0);
  c_link_first :
  cover property (@(posedge clk_i) (linked & ~pending_q) != '0);
  c_link_long :
  cover property (@(posedge clk_i) (linked & pending_q & ~single_o) != '0);
  c_link_fails :
  cover property (@(posedge clk_i) (linked & cleared) != '0);
  c_resumed :
  cover property (@(posedge clk_i) enter_valid_i && enter_list_i.pending);
`endif

endmodule
