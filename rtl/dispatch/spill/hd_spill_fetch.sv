// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_spill_fetch: selects the bank that fetches a group from memory, and the queue of that bank.
//
//   readable, out, place --> [highest level of each bank] --> [round robin over banks] --> get
//
// The place kept free for returning groups and the round robin over banks are ours.
// - A bank may fetch if none of its groups is out, it has a place, and one of its queues can be
//   read; the queue is that of its highest level. No bank may unless room_i.
// - Selects the first bank that may at or after bank_ptr_i; next_o is the bank after it. All
//   outputs are 0 if no bank may.
// - Combinational.
// Part of hd_spill, whose tests cover it.
module hd_spill_fetch (
  input  logic [hd_pkg::SpillqQueues-1:0]           readable_i,
  input  logic [hd_pkg::NumBank-1:0]                out_valid_i,
  input  logic [hd_pkg::NumBank-1:0]                place_i,
  input  logic                                      room_i,
  input  logic [hd_pkg::BankW-1:0]                  bank_ptr_i,
  output logic                                      valid_o,
  output logic [hd_pkg::NumBank-1:0]                asked_o,
  output logic [hd_pkg::BankW-1:0]                  bank_o,
  output logic [hd_pkg::BankW-1:0]                  next_o,
  output logic [hd_pkg::SpillqW-1:0]                queue_o,
  output logic [hd_pkg::NumBank*hd_pkg::LevelW-1:0] level_o  // level of each bank's queue
);

  localparam int NumBank = hd_pkg::NumBank;
  localparam int BankW = hd_pkg::BankW;
  localparam int MaxLevel = hd_pkg::MaxLevel;
  localparam int LevelW = hd_pkg::LevelW;
  localparam int QueueW = hd_pkg::SpillqW;

  logic [NumBank-1:0] may;
  logic [NumBank*QueueW-1:0] queue;

  for (genvar b = 0; b < NumBank; b++) begin : g_bank
    always_comb begin
      queue[b*QueueW+:QueueW]   = '0;
      level_o[b*LevelW+:LevelW] = '0;
      for (int l = 0; l < MaxLevel; l++) begin
        if (readable_i[b*MaxLevel+l]) begin
          queue[b*QueueW+:QueueW]   = QueueW'(b * MaxLevel + l);
          level_o[b*LevelW+:LevelW] = LevelW'(l + 1);
        end
      end
    end

    assign may[b] = room_i && !out_valid_i[b] && place_i[b]
        && readable_i[b*MaxLevel+:MaxLevel] != '0;
  end

  hd_rr_arb #(.N(NumBank), .IdxW(BankW)) u_banks (
    .req_i  (may),
    .ptr_i  (bank_ptr_i),
    .grant_o(asked_o),
    .index_o(bank_o),
    .valid_o(valid_o),
    .next_o (next_o)
  );

  always_comb begin
    queue_o = '0;
    for (int b = 0; b < NumBank; b++) begin
      if (asked_o[b]) queue_o |= queue[b*QueueW+:QueueW];
    end
  end

endmodule
