// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_spill_ask: of which bank a group is asked for in memory, and from which of its queues.
//
//   readable, out, place --> [highest level of each bank] --> [banks in turn] --> get
//
// A place that is kept free for what comes back, and banks that take turns, are ours.
// - A bank may if none of its groups is out, it has a place, and one of its queues can be read; the
//   queue is that of its highest level. None may unless room_i.
// - The first that may at or after bank_ptr_i; next_o is the bank after it. All 0 if none may.
// - Combinational.
// Part of hd_spill; its rules are tested there.
module hd_spill_ask (
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
  output logic [hd_pkg::NumBank*hd_pkg::LevelW-1:0] level_o  // of each bank
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
