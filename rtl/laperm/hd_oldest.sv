// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_oldest: the bank whose front comes before all other fronts: of the highest level the one that
// arrived first.
//
//   all fronts --> compare with the one that is new --> [before: a bit per pair] --> best other
//       |                                                                                |
//       '--> the winner's second, a group, a kernel: before all others? --> leave? <-----'
//                                                                             '--> [winner]
//
// Ours; the order is that of laperm-isca2016 section 4.
// - What leaves is known last, so all is ready for it: the winner goes on unless its own front
//   leaves; then its second wins, or else the best of the other banks.
// - before_q[i*N+j], i < j: the front of bank i comes before that of bank j. A bank whose front has
//   left is compared anew, with all fronts at once, in the cycle after (stale_q).
// - In one cycle, in this order: the front of one bank leaves and its second stands there; a group
//   becomes front of its bank; a kernel, of another bank, does.
// - A new entry has the highest arrival number of its level: it is compared by its level alone.
//   Kernel and group of one level: the group is the older one.
// - An empty bank has level 0 and comes after those that hold something; what stands there for two
//   empty banks means nothing.
// - Latency: an event at t, the winner that follows from it at t+1. Outputs come from registers.
// - Reset: no winner; pairs keep anything.
// - N: 1 or more. Area grows with N * N / 2 flops, and 2 * N comparisons of level and arrival
//   number.
// Tested with laperm.
`include "common/hd_fault.svh"
module hd_oldest (
  input  logic                                       clk_i,
  input  logic                                       rst_ni,
  input  logic [hd_pkg::NumSmx-1:0]                  valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::PqentryW-1:0] front_i,
  input  logic [hd_pkg::NumSmx-1:0]                  leave_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::LevelW-1:0]   second_level_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::ArrivalW-1:0] second_arrival_i,
  input  logic                                       group_i,
  input  logic [hd_pkg::SmxW-1:0]                    group_bank_i,
  input  logic [hd_pkg::LevelW-1:0]                  group_level_i,
  input  logic                                       kernel_i,
  input  logic [hd_pkg::SmxW-1:0]                    kernel_bank_i,
  input  logic [hd_pkg::LevelW-1:0]                  kernel_level_i,
  output logic                                       winner_valid_o,
  output logic [hd_pkg::SmxW-1:0]                    winner_o
);

  localparam int N = hd_pkg::NumSmx;
  localparam int SmxW = hd_pkg::SmxW;
  localparam int EntryW = hd_pkg::PqentryW;
  localparam int LevelW = hd_pkg::LevelW;
  localparam int ArrivalW = hd_pkg::ArrivalW;

  // The pairs that there are.
  function automatic logic [N*N-1:0] upper();
    for (int i = 0; i < N; i++) begin
      for (int j = 0; j < N; j++) upper[i*N+j] = i < j;
    end
  endfunction
  localparam logic [N*N-1:0] Upper = upper();

  logic [N*N-1:0] before_q, before_d, ahead;  // ahead: with the new front of a stale bank
  logic [N-1:0] stale_q;
  logic stale_valid_q;
  logic winner_valid_q;
  logic [SmxW-1:0] winner_q;

  // ---- Fronts, and who is new among them --------------------------------------------------------
  logic [N-1:0] group, kernel, winner;            // the bank
  logic [N*LevelW-1:0] level;                     // of the fronts
  logic [N*ArrivalW-1:0] arrival;
  logic [LevelW-1:0] stale_level, winner_level, second_level;
  logic [ArrivalW-1:0] stale_arrival, second_arrival;

  for (genvar b = 0; b < N; b++) begin : g_front
    // The last fields of the entry.
    assign {arrival[b*ArrivalW+:ArrivalW], level[b*LevelW+:LevelW]} =
        front_i[b*EntryW+:ArrivalW+LevelW];
    assign group[b]  = group_i && group_bank_i == SmxW'(b);
    assign kernel[b] = kernel_i && kernel_bank_i == SmxW'(b);
    assign winner[b] = winner_valid_q && winner_q == SmxW'(b);
  end

  always_comb begin
    stale_level    = '0;
    stale_arrival  = '0;
    winner_level   = '0;
    second_level   = '0;
    second_arrival = '0;
    if (winner_valid_q) begin
      for (int b = 0; b < N; b++) begin
        stale_level    |= level[b*LevelW+:LevelW] & {LevelW{stale_q[b]}};
        stale_arrival  |= arrival[b*ArrivalW+:ArrivalW] & {ArrivalW{stale_q[b]}};
        winner_level   |= level[b*LevelW+:LevelW] & {LevelW{winner[b]}};
        second_level   |= second_level_i[b*LevelW+:LevelW] & {LevelW{winner[b]}};
        second_arrival |= second_arrival_i[b*ArrivalW+:ArrivalW] & {ArrivalW{winner[b]}};
      end
    end
  end

  // ---- Who comes before whom --------------------------------------------------------------------
  logic [N-1:0] stale_wins, group_wins, kernel_wins, second_wins;  // against that bank's front
  logic [N-1:0] group_front, kernel_front;        // it becomes front of that bank
  logic [N-1:0] row, best;                        // best: first of all banks but the winner
  logic [N-1:0] lost, all_after;
  logic kernel_group;

  assign kernel_group = kernel_level_i > group_level_i;

  // The conditions are for a simulator.
  always_comb begin
    stale_wins   = '0;
    group_wins   = '0;
    kernel_wins  = '0;
    second_wins  = '0;
    group_front  = '0;
    kernel_front = '0;
    ahead        = before_q;
    before_d     = before_q;
    row          = '0;
    lost         = '0;
    all_after    = '0;
    best         = '0;
    if (winner_valid_q || group_i || kernel_i) begin
      for (int b = 0; b < N; b++) begin
        stale_wins[b]  = stale_level > level[b*LevelW+:LevelW]
            || (stale_level == level[b*LevelW+:LevelW]
            && stale_arrival < arrival[b*ArrivalW+:ArrivalW]);
        second_wins[b] = second_level > level[b*LevelW+:LevelW]
            || (second_level == level[b*LevelW+:LevelW]
            && `HD_FAULT(91, second_arrival < arrival[b*ArrivalW+:ArrivalW], 1'b1));
        group_wins[b]  = group_level_i > level[b*LevelW+:LevelW];
        kernel_wins[b] = kernel_level_i > level[b*LevelW+:LevelW];
      end
      group_front  = group & group_wins;
      kernel_front = kernel & kernel_wins;
      kernel_wins  = (kernel_wins & ~group_front) | (group_front & {N{kernel_group}});

      // Row i: whom the front of bank i comes before. The one that is new is compared with all.
      for (int i = 0; i < N; i++) begin
        row = before_q[i*N+:N];
        if (stale_valid_q) begin
          row = stale_q[i] ? stale_wins : (row & ~stale_q) | (stale_q & {N{!stale_wins[i]}});
        end
        ahead[i*N+:N] = row & Upper[i*N+:N];
        row = group_front[i] ? group_wins
            : (row & ~group_front) | (group_front & {N{!group_wins[i]}});
        row = kernel_front[i] ? kernel_wins
            : (row & ~kernel_front) | (kernel_front & {N{!kernel_wins[i]}});
        before_d[i*N+:N] = row & Upper[i*N+:N];
      end

      // First is who comes before all banks above, and after none below; the winner stands aside.
      for (int i = 0; i < N; i++) begin
        if (!winner[i]) lost |= ahead[i*N+:N];
        all_after[i] = &(ahead[i*N+:N] | winner | ~({N{1'b1}} << (i + 1)));
      end
      best = all_after & ~lost & ~winner & valid_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (stale_valid_q || group_i || kernel_i) before_q <= before_d;
    if (leave_i != '0) stale_q <= leave_i;
  end

  // ---- The winner, if it stays and if its front leaves ------------------------------------------
  logic second_best, group_goes, group_comes, kernel_goes, kernel_comes, some_left;
  logic [SmxW-1:0] best_bank, goes, comes;        // winner if its front leaves, and if it does not

  always_comb begin
    best_bank = '0;
    for (int b = 0; b < N; b++) best_bank |= SmxW'(b) & {SmxW{best[b]}};
  end

  assign second_best  = second_level != '0 && &(second_wins | winner);
  assign some_left    = second_level != '0 || (valid_i & ~winner) != '0;
  assign group_comes  = group_i
      && `HD_FAULT(93, group_level_i > winner_level, group_level_i < winner_level);
  assign group_goes   = group_i && group_level_i > second_level && &(group_wins | winner);
  assign kernel_comes = kernel_i && kernel_level_i > winner_level && !(group_i && !kernel_group);
  assign kernel_goes  = kernel_i && kernel_level_i > second_level && !(group_i && !kernel_group)
      && &(kernel_wins | winner);
  assign comes = kernel_comes ? kernel_bank_i : group_comes ? group_bank_i : winner_q;
  assign goes  = kernel_goes ? kernel_bank_i : group_goes ? group_bank_i
      : second_best ? winner_q : best_bank;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      winner_valid_q <= 1'b0;
      winner_q       <= '0;
      stale_valid_q  <= 1'b0;
    end else begin
      stale_valid_q <= leave_i != '0;
      if ((leave_i & winner) != '0) begin
        winner_valid_q <= some_left || group_i || kernel_i;
        winner_q       <= goes;
      end else if (group_i || kernel_i) begin
        winner_valid_q <= 1'b1;
        winner_q       <= comes;
      end
    end
  end

  assign winner_valid_o = winner_valid_q;
  assign winner_o       = winner_q;

`ifdef VERILATOR
  // Level and arrival number so that the higher one comes first.
  logic right, changed_q;
  logic [LevelW+ArrivalW-1:0] key, first;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) changed_q <= 1'b1;
    else changed_q <= leave_i != '0 || group_i || kernel_i;
  end
  always_comb begin
    key   = '0;
    first = '0;
    right = winner_valid_q == (valid_i != '0);
    if (changed_q && valid_i != '0) begin
      right = right && valid_i[winner_q];
      first = {front_i[winner_q*EntryW+:LevelW], ~front_i[winner_q*EntryW+LevelW+:ArrivalW]};
      for (int b = 0; b < N; b++) begin
        key   = {front_i[b*EntryW+:LevelW], ~front_i[b*EntryW+LevelW+:ArrivalW]};
        right = right && (!valid_i[b] || SmxW'(b) == winner_q || key < first);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // The winner is what a search of all fronts finds; no two have one arrival number.
      a_winner : assert (right);
      // Of the other banks just one is best, if they hold an entry.
      if (changed_q) begin
        a_best : assert ($onehot0(best) && (best != '0) == ((valid_i & ~winner) != '0));
      end
      // One front leaves at a time; group and kernel go into two banks.
      a_leave : assert ($onehot0(leave_i));
      if (group_i && kernel_i) a_banks : assert (group_bank_i != kernel_bank_i);
    end
  end
  // The rare: all three at once, two new fronts, a group in the bank whose front leaves; the winner
  // leaves and its second does not win.
  c_three :
  cover property (@(posedge clk_i) leave_i != '0 && group_i && kernel_i);
  c_both_front :
  cover property (@(posedge clk_i) group_front != '0 && kernel_front != '0);
  c_into_left :
  cover property (@(posedge clk_i) (leave_i & group) != '0);
  c_other :
  cover property (@(posedge clk_i) (leave_i & winner) != '0 && second_level != '0 && !second_best);
`endif

endmodule
