// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_laperm_levels: for each priority level, the arrival number of its next entry, and the number
// of its entries in all banks.
//
//   group, come --> + 1, + 2 --> [number] --> arrival numbers, open
//   leave --> - 1, of the front's level --> [live] --0--> number back to 0
//
// Ours: one order over all banks. In vectors of levels element 0 is level 1.
// - Numbers count within a level, restarting at 0 once no bank holds an entry of it. If two entries
//   of one level come in one cycle, the one from A3 (group) gets the lower number. A level whose
//   numbers are used up is closed. wide_o: every level has at least eight numbers left, so entries
//   judged in the next cycle find all levels open.
// - Latency: numbers in the same cycle; open_o and live_o come from registers.
// - Reset: numbers 0, no entries.
// Part of hd_laperm, whose model and tests cover it; laperm.csv shows the registers.
`include "common/hd_assert.svh"
module hd_laperm_levels (
  input  logic                                        clk_i,
  input  logic                                        rst_ni,
  output logic [hd_pkg::MaxLevel-1:0]                 open_o,          // the level accepts entries
  output logic                                        wide_o,  // every level accepts some more
  // A group goes into its bank
  input  logic                                        group_i,
  input  logic [hd_pkg::LevelW-1:0]                   group_level_i,
  output logic [hd_pkg::ArrivalW-1:0]                 group_arrival_o,
  // A kernel or a returning group enters its bank; its level, one-hot, also valid without come_i
  input  logic                                        come_i,
  input  logic [hd_pkg::MaxLevel-1:0]                 come_level_i,
  output logic [hd_pkg::ArrivalW-1:0]                 come_arrival_o,
  // The front of a bank leaves
  input  logic [hd_pkg::NumBank-1:0]                  leave_i,
  input  logic [hd_pkg::NumBank*hd_pkg::LevelW-1:0]   front_level_i,
  output logic [hd_pkg::MaxLevel*hd_pkg::LiveW-1:0]   live_o
);

  localparam int NumBank = hd_pkg::NumBank;
  localparam int MaxLevel = hd_pkg::MaxLevel;
  localparam int LevelW = hd_pkg::LevelW;
  localparam int ArrivalW = hd_pkg::ArrivalW;
  localparam int LiveW = hd_pkg::LiveW;

  // A level stays open while the number of its next entry is at most this. Three more entries may
  // follow before the closing is seen: from A3, from come, and from A2.
  localparam logic [ArrivalW-1:0] LastOpen = {ArrivalW{1'b1}} - ArrivalW'(3);

  localparam logic [ArrivalW-1:0] LastWide = {ArrivalW{1'b1}} - ArrivalW'(7);

  logic [MaxLevel*ArrivalW-1:0] number_q;
  logic [MaxLevel*LiveW-1:0] live_q;
  logic [MaxLevel-1:0] open_q;         // of number_q
  logic [MaxLevel-1:0] group_at, come_at, leave_at;

  for (genvar l = 0; l < MaxLevel; l++) begin : g_level
    logic [ArrivalW-1:0] number;
    logic [LiveW-1:0] live;
    logic [NumBank-1:0] front_at;

    assign number      = number_q[l*ArrivalW+:ArrivalW];
    assign live        = live_q[l*LiveW+:LiveW];
    assign group_at[l] = group_i && group_level_i == LevelW'(l + 1);
    assign come_at[l]  = come_i && come_level_i[l];

    // timing: leave_i arrives last.
    for (genvar b = 0; b < NumBank; b++) begin : g_of
      assign front_at[b] = front_level_i[b*LevelW+:LevelW] == LevelW'(l + 1);
    end
    assign leave_at[l] = (leave_i & front_at) != '0;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        number_q[l*ArrivalW+:ArrivalW] <= '0;
        open_q[l]                      <= 1'b1;
      end else if (group_at[l] || come_at[l]) begin
        number_q[l*ArrivalW+:ArrivalW] <= number
            + (group_at[l] && come_at[l] ? ArrivalW'(2) : ArrivalW'(1));
        if (number == LastOpen || (number == LastOpen - ArrivalW'(1) && group_at[l] && come_at[l]))
          open_q[l]                    <= 1'b0;
      end else if (live == '0) begin
        number_q[l*ArrivalW+:ArrivalW] <= '0;
        open_q[l]                      <= 1'b1;
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        live_q[l*LiveW+:LiveW] <= '0;
      end else if (group_at[l] || come_at[l] || leave_at[l]) begin
        live_q[l*LiveW+:LiveW] <= leave_at[l]
            ? live + LiveW'(group_at[l]) + LiveW'(come_at[l]) - LiveW'(1)
            : live + LiveW'(group_at[l]) + LiveW'(come_at[l]);
      end
    end
  end

  always_comb begin
    group_arrival_o  = '0;
    come_arrival_o = '0;
    for (int l = 0; l < MaxLevel; l++) begin
      if (group_at[l]) group_arrival_o |= number_q[l*ArrivalW+:ArrivalW];
      if (come_level_i[l]) begin
        come_arrival_o |= number_q[l*ArrivalW+:ArrivalW] + ArrivalW'(group_at[l]);
      end
    end
  end

  assign open_o = open_q;

  // All levels stay open, whatever enters in this cycle and the next.
  always_comb begin
    wide_o = ArrivalW > 3;
    for (int l = 0; l < MaxLevel; l++) begin
      if (number_q[l*ArrivalW+:ArrivalW] > LastWide) wide_o = 1'b0;
    end
  end

  assign live_o = live_q;

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      for (int l = 0; l < MaxLevel; l++) begin
        `HD_ASSERT_IN(a_round, !((group_at[l] || come_at[l]) && &number_q[l*ArrivalW+:ArrivalW]),
            "An entry enters a level that has no arrival number left.")
        `HD_ASSERT(a_open, open_q[l] == (number_q[l*ArrivalW+:ArrivalW] <= LastOpen),
            "The open flag of a level disagrees with its next arrival number.")
      end
    end
  end

  // Rare: two entries of one level at once.
  `HD_COVER(c_both, (group_at & come_at) != '0)
`endif

endmodule
