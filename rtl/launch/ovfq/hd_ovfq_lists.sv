// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_ovfq_lists: the list in memory of each KD entry: its number, the place of its first group, the
// number of groups, and how many of their writes are not answered yet.
//
//   push, adv, cleared, taken, entered --> [first, count, unans] x NumKde
//   take, enter --> pending --> swap --> [list] x NumKde <--> [u_kin: list of each parent record]
//
// Lists of overflowed groups are ours (dtbl-isca2015 section 4.2 chains the groups themselves).
// - A push takes place first + count of its list (push_pos_o, for push_kdei_i).
// - A suspended kernel leaves with its list: the KD entry and the parent record exchange their
//   lists, and exchange again when the kernel resumes. So every entry always has a list, and none
//   is lost. A swap reads the row of the parent record, and writes it in the next cycle.
// - full_o: no place of mask_i + 1 is free, counting the push of this cycle; a group now in link's
//   A2 could not be pushed in the next cycle.
// - known: the first pointer of a list is also kept here, from its push to the empty list until its
//   hand-out, so a list with a single group needs no read.
// - given: the row of a parent record was written; before that its list is NumKde + parent record.
// - Reset: entry k has list k; all lists empty.
// Part of hd_ovfq, whose tests cover it.
`include "common/hd_assert.svh"
module hd_ovfq_lists (
  input  logic                                      clk_i,
  input  logic                                      rst_ni,
  input  logic                                      push_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                   push_kdei_i,
  input  hd_pkg::ptr_t                                 push_ptr_i,
  output logic [hd_pkg::ListPosW-1:0]                  push_pos_o,
  input  logic                                      adv_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                   adv_kdei_i,
  input  logic [hd_pkg::NumKde-1:0]                 chained_i,
  input  logic                                      answer_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                   answer_kdei_i,
  input  logic [hd_pkg::NumFail-1:0]                fail_valid_i,
  input  logic [hd_pkg::NumFail*hd_pkg::KdeW-1:0]   fail_kdei_i,
  input  logic                                      take_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                   take_kdei_i,
  input  logic [hd_pkg::NumKde*hd_pkg::KinW-1:0]    kin_i,
  output hd_pkg::memlist_t                          taken_o,
  input  logic                                      enter_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                   enter_kdei_i,
  input  logic                                      enter_resumed_i,
  input  logic [hd_pkg::KinW-1:0]                   enter_kin_i,
  input  hd_pkg::memlist_t                          enter_list_i,
  input  logic [hd_pkg::ListPosW-1:0]               mask_i,
  output logic                                      swapping_o,
  output logic [hd_pkg::NumKde-1:0]                 cleared_o,
  output logic [hd_pkg::NumKde-1:0]                 there_o,
  output logic [hd_pkg::NumKde-1:0]                 one_o,
  output logic [hd_pkg::NumKde-1:0]                 full_o,
  output logic [hd_pkg::NumKde-1:0]                 unanswered_o,
  output logic [hd_pkg::NumKde*hd_pkg::ListNumW-1:0]   list_o,
  output logic [hd_pkg::NumKde*hd_pkg::ListPosW-1:0]      first_o,
  output logic [hd_pkg::NumKde*hd_pkg::ListCountW-1:0] count_o,
  output logic [hd_pkg::NumKde*hd_pkg::UnansW-1:0]     unans_o,
  output logic [hd_pkg::NumKde-1:0]                    known_o,
  output logic [hd_pkg::NumKde*hd_pkg::PtrW-1:0]       head_o
);

  localparam int NumKde = hd_pkg::NumKde;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int NumKin = hd_pkg::NumKin;
  localparam int KinW = hd_pkg::KinW;
  localparam int ListPosW = hd_pkg::ListPosW;
  localparam int ListNumW = hd_pkg::ListNumW;
  localparam int ListCountW = hd_pkg::ListCountW;
  localparam int UnansW = hd_pkg::UnansW;
  localparam int PtrW = hd_pkg::PtrW;

  logic [NumKde*ListNumW-1:0] list_q;
  logic [NumKde*ListPosW-1:0] place_q;
  logic [NumKde*ListCountW-1:0] groups_q;
  logic [NumKde*UnansW-1:0] unans_q;
  logic [NumKde-1:0] known_q;
  logic [NumKde*PtrW-1:0] head_q;

  // ---- Events of each entry --------------------------------------------------------------------
  logic [NumKde-1:0] pushed, handed_out, advanced, answered, taken, entered, swapped;
  logic swap_q;

  hd_onehot #(.N(NumKde), .IdxW(KdeW)) u_push (
    .valid_i (push_valid_i),
    .index_i (push_kdei_i),
    .onehot_o(pushed)
  );

  hd_onehot #(.N(NumKde), .IdxW(KdeW)) u_adv (
    .valid_i (adv_valid_i),
    .index_i (adv_kdei_i),
    .onehot_o(handed_out)
  );
  assign advanced = handed_out & ~chained_i;

  hd_onehot #(.N(NumKde), .IdxW(KdeW)) u_answer (
    .valid_i (answer_valid_i),
    .index_i (answer_kdei_i),
    .onehot_o(answered)
  );

  hd_onehot #(.N(NumKde), .IdxW(KdeW)) u_take (
    .valid_i (take_valid_i),
    .index_i (take_kdei_i),
    .onehot_o(taken)
  );

  hd_onehot #(.N(NumKde), .IdxW(KdeW)) u_enter (
    .valid_i (enter_valid_i),
    .index_i (enter_kdei_i),
    .onehot_o(entered)
  );

  hd_cleared u_cleared (
    .fail_valid_i(fail_valid_i),
    .fail_kdei_i (fail_kdei_i),
    .taken_i     (taken),
    .cleared_o   (cleared_o)
  );

  // ---- Places and counts ------------------------------------------------------------------------
  for (genvar i = 0; i < NumKde; i++) begin : g_entry
    logic [ListCountW-1:0] count;
    logic [UnansW-1:0] unans;

    assign count = groups_q[i*ListCountW+:ListCountW];
    assign unans = unans_q[i*UnansW+:UnansW];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        groups_q[i*ListCountW+:ListCountW] <= '0;
      end else if (entered[i]) begin
        groups_q[i*ListCountW+:ListCountW] <= enter_list_i.count;
      end else if (cleared_o[i]) begin
        groups_q[i*ListCountW+:ListCountW] <= '0;
      end else if (pushed[i] != advanced[i]) begin
        groups_q[i*ListCountW+:ListCountW] <= pushed[i] ? count + ListCountW'(1)
            : count - ListCountW'(1);
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) place_q[i*ListPosW+:ListPosW] <= '0;
      else if (entered[i]) place_q[i*ListPosW+:ListPosW] <= enter_list_i.first;
      else if (advanced[i]) begin
        place_q[i*ListPosW+:ListPosW] <= place_q[i*ListPosW+:ListPosW] + ListPosW'(1);
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        unans_q[i*UnansW+:UnansW] <= '0;
      end else if (pushed[i] != answered[i]) begin
        unans_q[i*UnansW+:UnansW] <= pushed[i] ? unans + UnansW'(1) : unans - UnansW'(1);
      end
    end

    logic becomes_first;
    assign becomes_first = pushed[i] && (count == '0 || (one_o[i] && advanced[i]));

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) known_q[i] <= 1'b0;
      else if (entered[i] || cleared_o[i]) known_q[i] <= 1'b0;
      else if (becomes_first) known_q[i] <= 1'b1;
      else if (advanced[i]) known_q[i] <= 1'b0;
    end

    always_ff @(posedge clk_i) if (becomes_first) head_q[i*PtrW+:PtrW] <= push_ptr_i;

    assign there_o[i]      = count != '0;
    assign one_o[i]        = count == ListCountW'(1);
    assign unanswered_o[i] = unans != '0;
    // A hand-out of this cycle is not counted yet.
    assign full_o[i]       = count > ListCountW'(mask_i)
        || (count == ListCountW'(mask_i) && pushed[i]);
  end

  assign push_pos_o = place_q[push_kdei_i*ListPosW+:ListPosW]
      + ListPosW'(groups_q[push_kdei_i*ListCountW+:ListCountW]);

  hd_pkg::memlist_t taken_q;
  logic taken_valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) taken_valid_q <= 1'b0;
    else taken_valid_q <= take_valid_i;
  end

  always_ff @(posedge clk_i) begin
    taken_q.first <= place_q[take_kdei_i*ListPosW+:ListPosW];
    taken_q.count <= groups_q[take_kdei_i*ListCountW+:ListCountW];
  end
  assign taken_o = taken_valid_q ? taken_q : '0;

  // ---- Numbers of the lists --------------------------------------------------------------------
  logic [NumKin-1:0] given_q;
  logic out_pending_q, in_pending_q, late_pending_q, swap_in_q, swap_read, resumed, in_done;
  logic [KdeW-1:0] out_kdei_q, in_kdei_q, late_kdei_q, swap_kdei;
  logic [KinW-1:0] out_kin_q, in_kin_q, late_kin_q, read_kin, swap_kin;
  logic [ListNumW-1:0] kin_row, kin_list;

  assign resumed   = enter_valid_i && enter_resumed_i;
  assign in_done   = swap_q && swap_in_q;
  assign swap_read = !swap_q && (out_pending_q || in_pending_q);
  assign read_kin  = out_pending_q ? out_kin_q : in_kin_q;
  assign swap_kdei = swap_in_q ? in_kdei_q : out_kdei_q;
  assign swap_kin  = swap_in_q ? in_kin_q : out_kin_q;
  assign kin_list  = given_q[swap_kin] ? kin_row : ListNumW'(NumKde) + ListNumW'(swap_kin);

  hd_onehot #(.N(NumKde), .IdxW(KdeW)) u_swap (
    .valid_i (swap_q),
    .index_i (swap_kdei),
    .onehot_o(swapped)
  );

  hd_ram_1r1w #(.Width(ListNumW), .Depth(NumKin), .AddrW(KinW)) u_kin (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (swap_q),
    .waddr_i(swap_kin),
    .wdata_i(list_q[swap_kdei*ListNumW+:ListNumW]),
    .re_i   (swap_read),
    .raddr_i(read_kin),
    .rdata_o(kin_row)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      out_pending_q <= 1'b0;
      in_pending_q  <= 1'b0;
      late_pending_q <= 1'b0;
      swap_q        <= 1'b0;
      given_q       <= '0;
    end else begin
      out_pending_q <= take_valid_i || (out_pending_q && !(swap_q && !swap_in_q));
      in_pending_q   <= resumed || late_pending_q || (in_pending_q && !in_done);
      late_pending_q <= (resumed && in_pending_q && (late_pending_q || !in_done))
          || (late_pending_q && !in_done);
      swap_q        <= swap_read;
      if (swap_q) given_q[swap_kin] <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (swap_read) swap_in_q <= !out_pending_q;
    if (take_valid_i) begin
      out_kdei_q <= take_kdei_i;
      out_kin_q  <= kin_i[take_kdei_i*KinW+:KinW];
    end
    // Two kernels may resume directly after each other: the second waits behind the first.
    if (in_done || !in_pending_q) begin
      in_kdei_q <= late_pending_q ? late_kdei_q : enter_kdei_i;
      in_kin_q  <= late_pending_q ? late_kin_q : enter_kin_i;
    end
    if (resumed) begin
      late_kdei_q <= enter_kdei_i;
      late_kin_q  <= enter_kin_i;
    end
  end

  for (genvar i = 0; i < NumKde; i++) begin : g_list
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) list_q[i*ListNumW+:ListNumW] <= ListNumW'(i);
      else if (swapped[i]) list_q[i*ListNumW+:ListNumW] <= kin_list;
    end
  end

  // ---- Outputs ----------------------------------------------------------------------------------
  assign swapping_o = out_pending_q || in_pending_q;
  assign list_o     = list_q;
  assign first_o    = place_q;
  assign count_o    = groups_q;
  assign unans_o    = unans_q;
  assign known_o    = known_q;
  assign head_o     = head_q;

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (adv_valid_i) `HD_ASSERT_IN(a_adv, there_o[adv_kdei_i] || chained_i[adv_kdei_i],
          "A group is handed out of a kernel that has no groups in its chain or list.")
      if (answer_valid_i) `HD_ASSERT_IN(a_answer, unanswered_o[answer_kdei_i],
          "A write answer arrives for a kernel that has no unanswered writes.")
      if (take_valid_i) begin
        `HD_ASSERT_IN(a_take, !unanswered_o[take_kdei_i] && (taken & (pushed | handed_out)) == '0,
            "A kernel is suspended while a group of it is written, pushed or handed out.")
        `HD_ASSERT_IN(a_out, !out_pending_q,
            "A kernel is suspended while the list of the last one is still being swapped out.")
      end
      if (enter_valid_i) begin
        `HD_ASSERT_IN(a_enter, !there_o[enter_kdei_i] && !unanswered_o[enter_kdei_i]
            && (entered & (pushed | cleared_o)) == '0,
            "A kernel enters an entry whose list is not empty or still changes.")
        `HD_ASSERT_IN(a_in, !(enter_resumed_i && late_pending_q),
            "A kernel resumes while two resumed kernels already wait for their lists.")
      end
    end
  end

  // Rare: a suspension and a resume at once; two resumed kernels; a parent record whose list was
  // swapped before; a kernel that leaves with groups; a push as the last group is handed out; a
  // push to a kernel that fails.
  `HD_COVER(c_both, out_pending_q && in_pending_q)
  `HD_COVER(c_late, late_pending_q)
  `HD_COVER(c_again, swap_q && given_q[swap_kin])
  `HD_COVER(c_taken, taken_o.count != '0)
  `HD_COVER(c_push_adv, (pushed & advanced & one_o) != '0)
  `HD_COVER(c_push_cleared, (pushed & cleared_o) != '0)
`endif

endmodule
