// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_spill_held: counts the groups held by hd_spill, per bank and level.
//
//   put --> + 1 [counted] - 1 <-- in its bank, or lost (a cycle later)
//
// Ours.
// - A group is held from its put until it is in its bank, or lost.
// - timing: the error arrives late in its cycle, so counted_q drops a lost group one cycle later;
//   held_o excludes it at once.
// - Latency: an event at t changes held_o at t+1.
// - Reset: none held.
// Part of hd_spill, whose tests cover it; spill.csv shows the counts.
module hd_spill_held (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // A group is put
  input  logic                            put_valid_i,
  input  logic [hd_pkg::BankW-1:0]        put_bank_i,
  input  logic [hd_pkg::LevelW-1:0]       put_level_i,
  // The offered group goes into its bank: its queue, one-hot
  input  logic                            back_taken_i,
  input  logic [hd_pkg::SpillqQueues-1:0] back_at_i,
  // A group is read; with an error it is lost
  input  logic                            got_valid_i,
  input  logic [hd_pkg::BankW-1:0]        got_bank_i,
  input  logic [hd_pkg::LevelW-1:0]       got_level_i,
  input  logic                            got_error_i,
  output logic [hd_pkg::SpillqQueues-1:0] held_o
);

  localparam int NumBank = hd_pkg::NumBank;
  localparam int BankW = hd_pkg::BankW;
  localparam int MaxLevel = hd_pkg::MaxLevel;
  localparam int LevelW = hd_pkg::LevelW;
  localparam int Queues = hd_pkg::SpillqQueues;
  localparam int HeldW = hd_pkg::SpillHeldW;

  logic [Queues*HeldW-1:0] counted_q, held_count;  // with those lost in the last cycle, and without
  logic [Queues-1:0] lost_at, lost_at_q;

  logic [NumBank-1:0] put_to, got_to;
  logic [MaxLevel-1:0] put_on, got_on;

  for (genvar l = 0; l < MaxLevel; l++) begin : g_level
    assign put_on[l] = put_level_i == LevelW'(l + 1);
    assign got_on[l] = got_level_i == LevelW'(l + 1);
  end

  // timing: a lost group is subtracted one cycle later, because the error arrives late.
  always_comb begin
    lost_at = '0;
    if (got_error_i) begin
      for (int q = 0; q < Queues; q++) lost_at[q] = got_to[q/MaxLevel] && got_on[q%MaxLevel];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) lost_at_q <= '0;
    else lost_at_q <= lost_at;
  end

  for (genvar b = 0; b < NumBank; b++) begin : g_bank
    assign put_to[b]  = put_valid_i && put_bank_i == BankW'(b);
    assign got_to[b]  = got_valid_i && got_bank_i == BankW'(b);

    for (genvar l = 0; l < MaxLevel; l++) begin : g_queue
      localparam int Q = b * MaxLevel + l;
      logic up, down;

      assign up   = put_to[b] && put_on[l];
      assign down = back_taken_i && back_at_i[Q];

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          counted_q[Q*HeldW+:HeldW] <= '0;
        end else begin
          counted_q[Q*HeldW+:HeldW] <= counted_q[Q*HeldW+:HeldW] + HeldW'(up)
              - HeldW'(down) - HeldW'(lost_at_q[Q]);
        end
      end

      assign held_count[Q*HeldW+:HeldW] = counted_q[Q*HeldW+:HeldW] - HeldW'(lost_at_q[Q]);
      assign held_o[Q] = held_count[Q*HeldW+:HeldW] != '0;
    end
  end

endmodule
