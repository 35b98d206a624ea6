// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_spill_fetch: selects the bank that reads groups from memory, and the queue of that bank.
//
//   readable, place --> [highest level of each bank] --> [round robin over banks] --> get
//
// The places reserved for returning groups and the round robin over banks are ours.
// - A bank may read if it has places for a line of groups and one of its queues can be read; the
//   queue is that of its highest level. No bank may unless room_i.
// - Selects the first bank that may at or after bank_ptr_i; next_o is the bank after it. All
//   outputs are 0 if no bank may.
// - Combinational.
// Part of hd_spill, whose tests cover it.
module hd_spill_fetch (
  input  logic [hd_pkg::RingQueues-1:0] readable_i,
  input  logic [hd_pkg::NumBank-1:0]    place_i,
  input  logic                          room_i,  // u_backs has rows for a line of groups
  input  logic [hd_pkg::BankW-1:0]      bank_ptr_i,
  output logic                          valid_o,
  output logic [hd_pkg::NumBank-1:0]    bank_o,      // one-hot
  output logic [hd_pkg::BankW-1:0]      next_o,
  output logic [hd_pkg::RingW-1:0]      queue_o,
  output logic [hd_pkg::RingQueues-1:0] queue_at_o   // the same, one-hot
);

  localparam int NumBank = hd_pkg::NumBank;
  localparam int BankW = hd_pkg::BankW;
  localparam int MaxLevel = hd_pkg::MaxLevel;
  localparam int QueueW = hd_pkg::RingW;

  logic [NumBank-1:0] may;
  logic [NumBank*MaxLevel-1:0] highest;  // of each bank, one-hot; 0: none can be read
  logic [NumBank*QueueW-1:0] queue;
  logic [BankW-1:0] index;

  for (genvar b = 0; b < NumBank; b++) begin : g_bank
    always_comb begin
      highest[b*MaxLevel+:MaxLevel] = '0;
      queue[b*QueueW+:QueueW]       = '0;
      for (int l = 0; l < MaxLevel; l++) begin
        if (readable_i[b*MaxLevel+l]) begin
          highest[b*MaxLevel+:MaxLevel] = MaxLevel'(1) << l;
          queue[b*QueueW+:QueueW]       = QueueW'(b * MaxLevel + l);
        end
      end
    end

    assign may[b] = room_i && place_i[b] && readable_i[b*MaxLevel+:MaxLevel] != '0;
    assign queue_at_o[b*MaxLevel+:MaxLevel] = highest[b*MaxLevel+:MaxLevel]
        & {MaxLevel{bank_o[b]}};
  end

  hd_rr_arb #(.N(NumBank), .IdxW(BankW)) u_banks (
    .req_i  (may),
    .ptr_i  (bank_ptr_i),
    .grant_o(bank_o),
    .index_o(index),
    .valid_o(valid_o),
    .next_o (next_o)
  );

  always_comb begin
    queue_o = '0;
    for (int b = 0; b < NumBank; b++) begin
      if (bank_o[b]) queue_o |= queue[b*QueueW+:QueueW];
    end
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, index};

endmodule
