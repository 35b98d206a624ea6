// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_pq_rows: the entries of a bank behind the second: the RAM rows of all places, the third
// entry, which is read ahead, and the place of the fourth.
//
//   a push that goes behind --> [u_row, u_link, u_nextbl] --fourth--> [third] --> the second
//                                                         <--put back--     ^--- the second, a push
//
// - The third is in registers or at the read port of the RAMs. It stays in its list, so putting it
//   back only writes its next TB.
// - When the third moves up, the fourth is read: the next entry of the third's level, else the head
//   of the next lower level.
// - An entry linked behind the third, or behind the row being read, sets that link in the register
//   (the RAM read would return the old link).
// - Latency: an event at t changes the third at t+1; fourth_o in the same cycle.
// - Reset: no third; the rows have no reset.
// Part of hd_pq, whose model and tests cover it; pq.csv shows the registers.
`include "common/hd_assert.svh"
module hd_pq_rows (
  input  logic                                       clk_i,
  input  logic                                       rst_ni,
  // A pushed entry is written to its row, and becomes third or goes behind the third
  input  logic                                       push_i,
  input  hd_pkg::pqentry_t                           push_entry_i,
  input  logic [hd_pkg::CtasW-1:0]                   push_nextbl_i,
  input  logic [hd_pkg::PqW-1:0]                     place_i,
  input  logic                                       push_third_i,
  input  logic                                       push_behind_i,
  // It is linked behind the last entry of its level
  input  logic                                       link_i,
  input  logic [hd_pkg::PqW-1:0]                     push_tail_i,
  // The front leaves: the fourth becomes third; or the second becomes third
  input  logic                                       leave_i,
  input  logic                                       shift_i,
  input  logic                                       displace_i,
  input  logic [hd_pkg::LevelW-1:0]                  front_level_i,
  input  hd_pkg::pqentry_t                           second_i,
  input  logic [hd_pkg::LevelW-1:0]                  second_level_i,
  input  logic [hd_pkg::PqW-1:0]                     second_place_i,
  input  logic [hd_pkg::CtasW-1:0]                   second_nextbl_i,
  // The levels
  input  logic [hd_pkg::MaxLevel-1:0]                some_i,
  input  logic [hd_pkg::MaxLevel*hd_pkg::PqW-1:0]    head_i,
  input  logic [hd_pkg::MaxLevel*hd_pkg::PqW-1:0]    tail_i,
  // The third and the fourth; level 0: no such entry
  output hd_pkg::pqentry_t                           third_o,
  output logic [hd_pkg::LevelW-1:0]                  third_level_o,
  output logic [hd_pkg::PqW-1:0]                     third_place_o,
  output logic [hd_pkg::CtasW-1:0]                   third_nextbl_o,
  output logic [hd_pkg::LevelW-1:0]                  fourth_level_o,
  output logic [hd_pkg::PqW-1:0]                     fourth_o
);

  localparam int Depth = hd_pkg::PqDepth;
  localparam int PlaceW = hd_pkg::PqW;
  localparam int MaxLevel = hd_pkg::MaxLevel;
  localparam int LevelW = hd_pkg::LevelW;
  localparam int CtasW = hd_pkg::CtasW;
  localparam int EntryW = hd_pkg::PqentryW;

  logic third_ram_q;  // entry and next TB are at the RAM outputs, else in registers
  logic third_link_ram_q;              // its link is at the RAM output
  hd_pkg::pqentry_t third_q;
  logic [LevelW-1:0] third_level_q;    // 0: no third
  logic [PlaceW-1:0] third_place_q, third_link_q;
  logic [CtasW-1:0] third_nextbl_q;

  hd_pkg::pqentry_t row;               // RAM outputs of the row that was read
  logic [PlaceW-1:0] row_link;
  logic [CtasW-1:0] row_nextbl;

  // ---- The fourth -------------------------------------------------------------------------------
  logic [PlaceW-1:0] fourth, third_tail;
  logic [LevelW-1:0] fourth_level;     // 0: no fourth
  logic above;                         // a higher level has the fourth
  logic more;                          // the third is not the last of its level

  // The fourth is the next of the third's level, or the first of the next lower level: levels above
  // the third's hold front and second alone.
  always_comb begin
    fourth_level = '0;
    fourth       = '0;
    third_tail   = '0;
    above        = 1'b0;
    more         = 1'b0;
    if (third_level_q != '0) begin
      for (int l = MaxLevel - 1; l >= 0; l--) begin
        if (third_level_q == LevelW'(l + 1)) begin
          third_tail |= tail_i[l*PlaceW+:PlaceW];
        end else if (some_i[l] && front_level_i != LevelW'(l + 1)
            && second_level_i != LevelW'(l + 1) && !above) begin
          above        = 1'b1;
          fourth_level = LevelW'(l + 1);
          fourth       = head_i[l*PlaceW+:PlaceW];
        end
      end
      more = third_place_q != third_tail;
      if (more) begin
        fourth_level = third_level_q;
        fourth       = third_link_ram_q ? row_link : third_link_q;
      end
    end
  end

  // ---- Rows -------------------------------------------------------------------------------------
  logic read, behind_third, behind_fourth, by_hand, put_back;

  assign read = shift_i && fourth_level != '0;

  hd_ram_1r1w #(.Width(EntryW), .Depth(Depth), .AddrW(PlaceW)) u_row (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (push_i),
    .waddr_i(place_i),
    .wdata_i(push_entry_i),
    .re_i   (read),
    .raddr_i(fourth),
    .rdata_o(row)
  );

  // timing: all tails are compared before the level and shift_i, which arrive late, select.
  always_comb begin
    behind_third  = 1'b0;
    behind_fourth = 1'b0;
    for (int l = 0; l < MaxLevel; l++) begin
      if (push_entry_i.level == LevelW'(l + 1)) begin
        behind_third  |= tail_i[l*PlaceW+:PlaceW] == third_place_q;
        behind_fourth |= tail_i[l*PlaceW+:PlaceW] == fourth;
      end
    end
  end

  assign by_hand = link_i && (shift_i ? behind_fourth : behind_third);

  hd_ram_1r1w #(.Width(PlaceW), .Depth(Depth), .AddrW(PlaceW), .Conflict(1'b1)) u_link (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (link_i),
    .waddr_i(push_tail_i),
    .wdata_i(place_i),
    .re_i   (read),
    .raddr_i(fourth),
    .rdata_o(row_link)
  );

  // An entry pushed into the registers has its next TB there, so the write port of u_nextbl is free
  // for the next TB of the third, if that is not in the RAM already.
  assign put_back = (displace_i || (push_third_i && !leave_i)) && third_level_q != '0
      && !third_ram_q;

  hd_ram_1r1w #(.Width(CtasW), .Depth(Depth), .AddrW(PlaceW)) u_nextbl (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (push_behind_i || put_back),
    .waddr_i(push_behind_i ? place_i : third_place_q),
    .wdata_i(push_behind_i ? push_nextbl_i : third_nextbl_q),
    .re_i   (read),
    .raddr_i(fourth),
    .rdata_o(row_nextbl)
  );

  // ---- The third --------------------------------------------------------------------------------
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      third_level_q <= '0;
    end else if (push_i || leave_i) begin
      if (displace_i) third_level_q <= second_level_i;
      else if (push_third_i) third_level_q <= push_entry_i.level;
      else if (shift_i) third_level_q <= fourth_level;
    end
  end

  always_ff @(posedge clk_i) begin
    if (push_i || leave_i) begin
      if (displace_i) begin
        third_q        <= second_i;
        third_place_q  <= second_place_i;
        third_nextbl_q <= second_nextbl_i;
      end else if (push_third_i) begin
        third_q        <= push_entry_i;
        third_place_q  <= place_i;
        third_nextbl_q <= push_nextbl_i;
      end else if (shift_i) begin
        third_place_q  <= fourth;
      end
      if (displace_i || push_third_i || shift_i) third_ram_q <= shift_i;

      // A displaced second that has more entries behind it in its level links to the old third.
      if (displace_i || by_hand) third_link_q <= displace_i ? third_place_q : place_i;
      if (displace_i || by_hand || shift_i) third_link_ram_q <= !displace_i && !by_hand;
    end
  end

  assign third_o        = third_ram_q ? row : third_q;
  assign third_level_o  = third_level_q;
  assign third_place_o  = third_place_q;
  assign third_nextbl_o = third_ram_q ? row_nextbl : third_nextbl_q;
  assign fourth_level_o = fourth_level;
  assign fourth_o       = fourth;

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni && third_level_q != '0) begin
      `HD_ASSERT(a_third_order, third_level_q >= fourth_level,
          "The third entry has a lower level than the fourth.")
      if (third_ram_q) `HD_ASSERT(a_row, row.level == third_level_q,
          "The row read for the third entry has another level than the third entry.")
    end
  end

  // Rare: an overtaken third that had handed out TBs; a link to the row being read.
  `HD_COVER(c_put_back_started, put_back && third_nextbl_q != '0)
  `HD_COVER(c_link_read, by_hand && shift_i)
`endif

endmodule
