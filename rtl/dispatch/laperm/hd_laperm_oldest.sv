// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_laperm_oldest: finds the bank whose front precedes all other fronts (the winner): of the
// highest level, the one that arrived first.
//
//   all fronts --> compare with each new front -------> [before: a bit per pair] --> best other
//       |                                                                                |
//       '--> the winner's second, both new entries:  before all others? --> leave? <-----'
//                                                                             '--> [winner]
//
// Ours; the order is that of laperm-isca2016 section 4.
// - timing: leave_i arrives last, so all alternatives are prepared: the winner stays unless its own
//   front leaves; then its second wins, or else the best of the other banks.
// - before_q[i*N+j], i < j: the front of bank i precedes that of bank j. A bank whose front has
//   left is compared again, with all fronts at once, in the next cycle (stale_q).
// - Events of one cycle apply in this order: the front of one bank leaves and its second takes its
//   place; a group becomes front of its bank; a kernel or a returning group (come) becomes front of
//   another bank.
// - A new entry has the highest arrival number of its level, so only its level is compared. If both
//   new entries have one level, the group is older.
// - An empty bank has level 0 and any arrival number, and follows all banks that hold an entry
//   (timing: validity arrives late, the numbers are compared before it). A pair of two empty banks
//   means nothing.
// - Latency: an event at t changes the winner at t+1. Outputs come from registers.
// - Without a winner winner_o is 0.
// - Reset: no winner; pairs have no reset.
// - N: 1 or more. Area grows with N * N / 2 flops and 2 * N comparisons of level and arrival
//   number.
// Tested with laperm.
`include "common/hd_assert.svh"
module hd_laperm_oldest (
  input  logic                                            clk_i,
  input  logic                                            rst_ni,
  input  logic [hd_pkg::NumBank-1:0]                      valid_i,
  input  logic [hd_pkg::NumBank*hd_pkg::LevelW-1:0]       level_i,
  input  logic [hd_pkg::NumBank*hd_pkg::ArrivalW-1:0]     arrival_i,
  input  logic [hd_pkg::NumBank-1:0]                      leave_i,
  input  logic [hd_pkg::NumBank*hd_pkg::LevelW-1:0]       second_level_i,
  input  logic [hd_pkg::NumBank*hd_pkg::ArrivalW-1:0]     second_arrival_i,
  input  logic                                            group_i,
  input  logic [hd_pkg::BankW-1:0]                        group_bank_i,
  input  logic [hd_pkg::LevelW-1:0]                       group_level_i,
  input  logic                                            come_i,
  input  logic [hd_pkg::BankW-1:0]                        come_bank_i,
  input  logic [hd_pkg::LevelW-1:0]                       come_level_i,
  output logic                                            winner_valid_o,
  output logic [hd_pkg::BankW-1:0]                        winner_o,
  // The next winner if this one left: its second, or the front of another bank (one-hot, 0: none).
  // For ChoiceLatency 2, otherwise none.
  output logic [hd_pkg::NumBank-1:0]                      then_second_o,
  output logic [hd_pkg::NumBank-1:0]                      then_front_o
);

  localparam int N = hd_pkg::NumBank;
  localparam int BankW = hd_pkg::BankW;
  localparam int LevelW = hd_pkg::LevelW;
  localparam int ArrivalW = hd_pkg::ArrivalW;

  logic [N*N-1:0] before_q;
  logic [N-1:0] stale_q;
  logic winner_valid_q;
  logic [BankW-1:0] winner_q;

  // ---- Fronts, and the new ones among them -----------------------------------------------------
  logic [N-1:0] group, come, winner;              // the bank, one-hot
  logic [LevelW-1:0] winner_level, second_level;
  logic [ArrivalW-1:0] second_arrival;

  for (genvar b = 0; b < N; b++) begin : g_front
    assign group[b]  = group_i && group_bank_i == BankW'(b);
    assign come[b] = come_i && come_bank_i == BankW'(b);
    assign winner[b] = winner_valid_q && winner_q == BankW'(b);
  end

  always_comb begin
    winner_level   = '0;
    second_level   = '0;
    second_arrival = '0;
    for (int b = 0; b < N; b++) begin
      winner_level   |= level_i[b*LevelW+:LevelW] & {LevelW{winner[b]}};
      second_level   |= second_level_i[b*LevelW+:LevelW] & {LevelW{winner[b]}};
      second_arrival |= second_arrival_i[b*ArrivalW+:ArrivalW] & {ArrivalW{winner[b]}};
    end
  end

  // ---- Which front precedes which --------------------------------------------------------------
  // sim speed: functions, so that a simulator compares pairs only on an event. Each handles one row
  // of pairs: a single vector of all pairs makes synthesis very slow.

  // The fronts preceded by an entry of this level and number.
  function automatic logic [N-1:0] wins(input logic [LevelW-1:0] its_level,
      input logic [ArrivalW-1:0] its_arrival, input logic [N*LevelW-1:0] levels,
      input logic [N*ArrivalW-1:0] arrivals);
    for (int b = 0; b < N; b++) begin
      wins[b] = its_level > levels[b*LevelW+:LevelW] || (its_level == levels[b*LevelW+:LevelW]
          && its_arrival < arrivals[b*ArrivalW+:ArrivalW]);
    end
  endfunction

  // The same for a new entry, which follows all entries of its level.
  function automatic logic [N-1:0] new_wins(input logic [LevelW-1:0] its_level,
      input logic [N*LevelW-1:0] levels);
    for (int b = 0; b < N; b++) new_wins[b] = its_level > levels[b*LevelW+:LevelW];
  endfunction

  // The fronts preceded by the front of this bank.
  function automatic logic [N-1:0] bank_wins(input logic [N-1:0] bank,
      input logic [N*LevelW-1:0] levels, input logic [N*ArrivalW-1:0] arrivals);
    logic [LevelW-1:0] its_level;
    logic [ArrivalW-1:0] its_arrival;
    its_level   = '0;
    its_arrival = '0;
    for (int b = 0; b < N; b++) begin
      its_level   |= levels[b*LevelW+:LevelW] & {LevelW{bank[b]}};
      its_arrival |= arrivals[b*ArrivalW+:ArrivalW] & {ArrivalW{bank[b]}};
    end
    bank_wins = wins(its_level, its_arrival, levels, arrivals);
  endfunction

  // The row of pairs of a bank after another front has changed. bank: the bank with the new front
  // (one-hot or 0); its_wins: the fronts that it precedes; mine: the row is that of this bank;
  // loses: the new front precedes the front of the row's bank.
  function automatic logic [N-1:0] with_front(input logic [N-1:0] row, input logic mine,
      input logic loses, input logic [N-1:0] bank, input logic [N-1:0] its_wins);
    with_front = mine ? its_wins : (row & ~bank) | (bank & {N{!loses}});
  endfunction

  // The best of all banks that hold an entry, except for one (but): it precedes all banks above it,
  // and follows none below it. The pairs may contain a stale front.
  function automatic logic [N-1:0] best(input logic [N*N-1:0] pairs, input logic [N-1:0] stale,
      input logic [N-1:0] stale_wins, input logic [N-1:0] valid, input logic [N-1:0] but);
    logic [N-1:0] row, lost, all_after;
    lost = '0;
    for (int i = 0; i < N; i++) begin
      row  = ({N{1'b1}} << (i + 1))
          & with_front(pairs[i*N+:N], stale[i], stale_wins[i], stale, stale_wins);
      lost |= row & {N{!but[i]}};
      all_after[i] = &(row | but | ~({N{1'b1}} << (i + 1)));
    end
    best = all_after & ~lost & ~but & valid;
  endfunction

  function automatic logic [BankW-1:0] index(input logic [N-1:0] bank);
    index = '0;
    for (int b = 0; b < N; b++) index |= BankW'(b) & {BankW{bank[b]}};
  endfunction

  logic [N-1:0] stale_wins, group_wins, come_wins;  // against the front of that bank
  logic [N-1:0] group_front, come_front;            // it becomes front of that bank
  logic come_higher;

  assign come_higher  = come_level_i > group_level_i;
  assign stale_wins   = bank_wins(stale_q, level_i, arrival_i);
  assign group_wins   = new_wins(group_level_i, level_i);
  assign group_front  = group & group_wins;
  assign come_wins    = (new_wins(come_level_i, level_i) & ~group_front)
      | (group_front & {N{come_higher}});
  assign come_front   = come & come_wins;

  for (genvar i = 0; i < N; i++) begin : g_row
    localparam logic [N-1:0] Above = ~({N{1'b1}} >> (N - 1 - i));  // the pairs that exist
    always_ff @(posedge clk_i) begin
      if (stale_q != '0 || group_i || come_i) begin
        before_q[i*N+:N] <= Above & with_front(with_front(with_front(before_q[i*N+:N],
            stale_q[i], stale_wins[i], stale_q, stale_wins),
            group_front[i], group_wins[i], group_front, group_wins),
            come_front[i], come_wins[i], come_front, come_wins);
      end
    end
  end

  // ---- The winner, if it stays and if its front leaves -----------------------------------------
  logic group_now, group_then, come_now, come_then;  // it wins if the winner stays, leaves

  assign group_now   = group_i && group_level_i > winner_level;
  assign group_then  = group_i && group_level_i > second_level && &(group_wins | winner);
  assign come_now    = come_i && come_level_i > winner_level && !(group_i && !come_higher);
  assign come_then   = come_i && come_level_i > second_level && !(group_i && !come_higher)
      && &(come_wins | winner);

  // Of the entries already in banks: the second, if it precedes all other fronts, else the best of
  // them.
  function automatic logic [BankW-1:0] next(input logic [N-1:0] second_wins,
      input logic [N-1:0] others, input logic [N-1:0] but, input logic [BankW-1:0] bank);
    next = &(second_wins | but) ? bank : index(others);
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      winner_valid_q <= 1'b0;
      winner_q       <= '0;
      stale_q        <= '0;
    end else begin
      stale_q <= leave_i;
      if ((leave_i & winner) != '0) begin
        winner_valid_q <= second_level != '0 || (valid_i & ~winner) != '0 || group_i || come_i;
        winner_q       <= come_then ? come_bank_i : group_then ? group_bank_i
            : next(wins(second_level, second_arrival, level_i, arrival_i) & {N{second_level != '0}},
                   best(before_q, stale_q, stale_wins, valid_i, winner),
                   winner, winner_q);
      end else if (group_i || come_i) begin
        winner_valid_q <= 1'b1;
        if (come_now) winner_q <= come_bank_i;
        else if (group_now) winner_q <= group_bank_i;
      end
    end
  end

  assign winner_valid_o = winner_valid_q;
  assign winner_o       = winner_q;

  if (hd_pkg::ChoiceLatency > 1) begin : g_then
    logic [N-1:0] second_wins;
    logic second;

    assign second_wins   = wins(second_level, second_arrival, level_i, arrival_i);
    assign second        = second_level != '0 && &(second_wins | winner);
    assign then_second_o = winner & {N{second}};
    assign then_front_o  = {N{!second}}
        & best(before_q, stale_q, stale_wins, valid_i, winner);
  end else begin : g_then
    assign then_second_o = '0;
    assign then_front_o  = '0;
  end

`ifdef HD_ASSERT_ON
  // Level and inverted arrival number: the larger key goes first.
  logic right, changed_q;
  logic [N-1:0] others;
  logic [LevelW+ArrivalW-1:0] key, first;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) changed_q <= 1'b1;
    else changed_q <= leave_i != '0 || group_i || come_i;
  end
  always_comb begin
    key   = '0;
    first = '0;
    right = winner_valid_q == (valid_i != '0);
    others = '0;
    if (changed_q && valid_i != '0) begin
      others = best(before_q, stale_q, stale_wins, valid_i, winner);
      right = right && valid_i[winner_q];
      first = {level_i[winner_q*LevelW+:LevelW], ~arrival_i[winner_q*ArrivalW+:ArrivalW]};
      for (int b = 0; b < N; b++) begin
        key   = {level_i[b*LevelW+:LevelW], ~arrival_i[b*ArrivalW+:ArrivalW]};
        right = right && (!valid_i[b] || BankW'(b) == winner_q || key < first);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT(a_winner, right, "The winner differs from what a search of all fronts finds.")
      `HD_ASSERT(a_none, winner_valid_q || winner_q == '0, "Without a winner winner_o must be 0.")
      if (changed_q) begin
        `HD_ASSERT(a_best, $onehot0(others) && (others != '0) == ((valid_i & ~winner) != '0),
            "Exactly one other bank must be best if another one holds an entry, else none.")
      end
      `HD_ASSERT_IN(a_leave, $onehot0(leave_i), "More than one front leaves in a cycle.")
      if (group_i && come_i) `HD_ASSERT_IN(a_banks, group_bank_i != come_bank_i,
          "Two new entries go into one bank in one cycle.")
    end
  end

  // Rare: all three events at once; two new fronts; a group enters the bank whose front leaves; the
  // winner's front leaves and its second does not win.
  `HD_COVER(c_three, leave_i != '0 && group_i && come_i)
  `HD_COVER(c_both_front, group_front != '0 && come_front != '0)
  `HD_COVER(c_into_left, (leave_i & group) != '0)
  `HD_COVER(c_other, (leave_i & winner) != '0 && second_level != '0 && winner_level > second_level)
`endif

endmodule
