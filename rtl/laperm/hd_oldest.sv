// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_oldest: the bank whose front comes before all other fronts: of the highest level the one that
// arrived first.
//
//   take: second of the bank that a front leaves --+
//   A3: a group's bank and level ------------------+--> compare --> [before: a bit per pair]
//   enter: a kernel's bank and level --------------'       ^             |
//                                                   all fronts           '--> [winner]
//
// Ours; the order is that of laperm-isca2016 section 4.
// - before_q[i*N+j], i < j: the front of bank i comes before that of bank j. Only what comes anew
//   is compared, with all fronts at once: as deep as one comparison, with as many of them as banks.
// - In one cycle, in this order: the front of one bank leaves and its second stands there; a group
//   becomes front of its bank; a kernel, of another bank, does.
// - A new entry has the highest arrival number of its level: it is compared by its level alone.
//   Kernel and group of one level: the group is the older one.
// - An empty bank has level 0 and comes after those that hold something; what stands there for two
//   empty banks means nothing.
// - Latency: an event at t, the winner that follows from it at t+1. Outputs come from registers.
// - Reset: no winner; pairs keep anything.
// - N: 1 or more. Area grows with N * N / 2 flops, and N comparisons of level and arrival number.
// Tested with laperm.
`include "common/hd_fault.svh"
module hd_oldest (
  input  logic                                       clk_i,
  input  logic                                       rst_ni,
  input  logic [hd_pkg::NumSmx-1:0]                  valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::PqentryW-1:0] front_i,
  input  logic                                       leave_i,
  input  logic [hd_pkg::SmxW-1:0]                    leave_bank_i,
  input  logic [hd_pkg::LevelW-1:0]                  second_level_i,
  input  logic [hd_pkg::ArrivalW-1:0]                second_arrival_i,
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

  logic [N*N-1:0] before_q, before_d;
  logic winner_valid_q;
  logic [SmxW-1:0] winner_q;

  logic change;
  logic [N-1:0] leave, group, kernel;             // the bank
  logic [N-1:0] second_wins, group_wins, kernel_wins;  // against that bank's front
  logic [N-1:0] group_front, kernel_front;        // it becomes front of that bank
  logic [N-1:0] valid_d, lost, all_after, first;  // with what this cycle brings
  logic group_second, kernel_second, kernel_group;
  logic [N-1:0] row;
  logic [SmxW-1:0] winner_d;
  logic [LevelW-1:0] level;                       // of the front of one bank
  logic [ArrivalW-1:0] arrival;

  assign change        = leave_i || group_i || kernel_i;
  assign group_second  = group_level_i > second_level_i;
  assign kernel_second = kernel_level_i > second_level_i;
  assign kernel_group  = kernel_level_i > group_level_i;

  // The condition is for a simulator: nothing of this is looked at without a change.
  always_comb begin
    level        = '0;
    arrival      = '0;
    leave        = '0;
    group        = '0;
    kernel       = '0;
    second_wins  = '0;
    group_wins   = '0;
    kernel_wins  = '0;
    group_front  = '0;
    kernel_front = '0;
    before_d     = before_q;
    row          = '0;
    valid_d      = '0;
    lost         = '0;
    all_after    = '0;
    first        = '0;
    winner_d     = '0;
    if (change) begin
      for (int b = 0; b < N; b++) begin
        // The last fields of the entry.
        {arrival, level} = front_i[b*EntryW+:ArrivalW+LevelW];

        leave[b]       = leave_i && leave_bank_i == SmxW'(b);
        group[b]       = group_i && group_bank_i == SmxW'(b);
        kernel[b]      = kernel_i && kernel_bank_i == SmxW'(b);
        second_wins[b] = second_level_i > level || (second_level_i == level
            && `HD_FAULT(91, second_arrival_i < arrival, 1'b1));
        group_wins[b]  = leave[b] ? group_second
            : `HD_FAULT(93, group_level_i > level, group_level_i < level);
        group_front[b] = group[b] && group_wins[b];
        kernel_wins[b] = group_front[b] ? kernel_group : leave[b] ? kernel_second
            : kernel_level_i > level;
      end
      // The group stands where the kernel does not.
      kernel_front = kernel & kernel_wins;

      // Row i: whom the front of bank i comes before. The one that is new is compared with all.
      for (int i = 0; i < N; i++) begin
        row = before_q[i*N+:N];
        row = leave[i] ? second_wins : (row & ~leave) | (leave & {N{!second_wins[i]}});
        row = group_front[i] ? group_wins
            : (row & ~group_front) | (group_front & {N{!group_wins[i]}});
        row = kernel_front[i] ? kernel_wins
            : (row & ~kernel_front) | (kernel_front & {N{!kernel_wins[i]}});
        before_d[i*N+:N] = row & Upper[i*N+:N];
      end

      // First is who comes before all banks above, and after none below.
      for (int i = 0; i < N; i++) begin
        lost |= before_d[i*N+:N];
        all_after[i] = &(before_d[i*N+:N] | ~({N{1'b1}} << (i + 1)));
      end
      valid_d = (valid_i & ~(leave & {N{second_level_i == '0}})) | group | kernel;
      first   = all_after & ~lost & valid_d;
      for (int b = 0; b < N; b++) winner_d |= SmxW'(b) & {SmxW{first[b]}};
    end
  end

  always_ff @(posedge clk_i) begin
    if (change) before_q <= before_d;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      winner_valid_q <= 1'b0;
      winner_q       <= '0;
    end else if (change) begin
      winner_valid_q <= valid_d != '0;
      winner_q       <= winner_d;
    end
  end

  assign winner_valid_o = winner_valid_q;
  assign winner_o       = winner_q;

`ifdef VERILATOR
  // Level and arrival number so that the higher one comes first.
  logic right, changed_q;
  logic [LevelW+ArrivalW-1:0] key, best;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) changed_q <= 1'b1;
    else changed_q <= change;
  end
  always_comb begin
    key   = '0;
    best  = '0;
    right = winner_valid_q == (valid_i != '0);
    if (changed_q && valid_i != '0) begin
      right = right && valid_i[winner_q];
      best  = {front_i[winner_q*EntryW+:LevelW], ~front_i[winner_q*EntryW+LevelW+:ArrivalW]};
      for (int b = 0; b < N; b++) begin
        key   = {front_i[b*EntryW+:LevelW], ~front_i[b*EntryW+LevelW+:ArrivalW]};
        right = right && (!valid_i[b] || SmxW'(b) == winner_q || key < best);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // The winner is what a search of all fronts finds; no two have one arrival number.
      a_winner : assert (right);
      // Without a change nobody is first, with one just one bank, if there is an entry.
      a_first : assert ($onehot0(first) && (first != '0) == (valid_d != '0));
      // Group and kernel go into two banks.
      if (group_i && kernel_i) a_banks : assert (group_bank_i != kernel_bank_i);
    end
  end
  // The rare: all three at once, and one of them in a bank whose front leaves.
  c_three :
  cover property (@(posedge clk_i) leave_i && group_i && kernel_i);
  c_both_front :
  cover property (@(posedge clk_i) group_front != '0 && kernel_front != '0);
  c_into_left :
  cover property (@(posedge clk_i) leave_i && group_i && group_bank_i == leave_bank_i);
  c_same_level :
  cover property (@(posedge clk_i) leave_i && second_level_i != '0 && !first[leave_bank_i]);
`endif

endmodule
