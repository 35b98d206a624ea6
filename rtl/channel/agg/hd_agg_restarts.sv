// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_agg_restarts: holds restarts that wait for a slot, one per CU, and selects the one that goes
// first.
//
// - Of those that can go (busy, and room_i of their CU), the deepest level wins, and there the
//   first at or after back_ptr: go_cu_o, go_o. If it goes (gone_i) the pointer moves.
// - covers_o: channels of the level of a restart that can go, or of a shallower level.
// - level_i is the level of the channel of an arriving restart, until_i the channels of that level
//   and of shallower ones; a restart that arrives at t is stored at t+1. Numbers without a channel
//   are covered until a level begins below them.
// - Reset: none waits.
// Part of hd_agg; page docs/channel/agg.md, rules A2, A4, A5, A13.
`include "common/hd_assert.svh"
module hd_agg_restarts (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // A restart arrives
  input  logic                          back_i,
  input  hd_pkg::chanback_t             back_data_i,
  input  logic [hd_pkg::ChanLevelW-1:0] level_i,
  input  logic [hd_pkg::NumChan-1:0]    until_i,
  output logic [hd_pkg::NumCu-1:0]      busy_o,
  // A level begins: its channel, which is set up, and all of greater numbers
  input  logic [hd_pkg::NumChan-1:0]    begun_i,
  // A restart can go
  input  logic [hd_pkg::NumCu-1:0]      room_i,
  output logic [hd_pkg::NumChan-1:0]    covers_o,
  output logic                          some_o,
  output logic [hd_pkg::NumCu-1:0]      go_cu_o,  // one-hot
  output hd_pkg::chanback_t             go_o,
  input  logic                          gone_i
);

  localparam int NumCu = hd_pkg::NumCu;
  localparam int CuW = hd_pkg::CuW;
  localparam int NumChan = hd_pkg::NumChan;
  localparam int LevelW = hd_pkg::ChanLevelW;
  localparam int RowW = hd_pkg::ChanbackW;

  logic [NumCu-1:0] busy_q, comes, can, first, top;
  logic [NumCu*RowW-1:0] row_q;
  logic [NumCu*LevelW-1:0] level_q;
  logic [CuW-1:0] ptr_q, ptr_next, index;
  logic [NumCu*NumChan-1:0] until_q;

  assign can = busy_q & room_i;

  hd_onehot #(.N(NumCu), .IdxW(CuW)) u_comes (
    .valid_i (back_i),
    .index_i (back_data_i.cu),
    .onehot_o(comes)
  );

  for (genvar u = 0; u < NumCu; u++) begin : g_cu
    logic [NumCu-1:0] deeper;

    always_comb begin
      for (int v = 0; v < NumCu; v++) begin
        deeper[v] = can[v] && level_q[v*LevelW+:LevelW] > level_q[u*LevelW+:LevelW];
      end
    end

    assign top[u] = can[u] && deeper == '0;

    always_ff @(posedge clk_i) begin
      if (comes[u]) begin
        row_q[u*RowW+:RowW]       <= back_data_i;
        level_q[u*LevelW+:LevelW] <= level_i;
        until_q[u*NumChan+:NumChan] <= until_i;
      end else begin
        until_q[u*NumChan+:NumChan] <= until_q[u*NumChan+:NumChan] & ~begun_i;
      end
    end
  end

  hd_rr_arb #(.N(NumCu), .IdxW(CuW)) u_first (
    .req_i  (top),
    .ptr_i  (ptr_q),
    .grant_o(first),
    .index_o(index),
    .valid_o(some_o),
    .next_o (ptr_next)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= '0;
      ptr_q  <= '0;
    end else begin
      busy_q <= (busy_q | comes) & ~(first & {NumCu{gone_i}});
      if (gone_i) ptr_q <= ptr_next;
    end
  end

  always_comb begin
    covers_o = '0;
    go_o     = '0;
    for (int u = 0; u < NumCu; u++) begin
      covers_o = covers_o | (until_q[u*NumChan+:NumChan] & {NumChan{can[u]}});
      go_o     = go_o | (row_q[u*RowW+:RowW] & {RowW{first[u]}});
    end
  end

  assign busy_o  = busy_q;
  assign go_cu_o = first;

  logic unused_bits;
  assign unused_bits = &{1'b0, index};

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT_IN(a_room, (comes & busy_q) == '0,
          "A restart arrives for a CU whose previous restart still waits.")
    end
  end

  // Rare: restarts of different levels.
  `HD_COVER(c_levels, (can & ~top) != '0)
`endif

endmodule
