// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_chan_arb: arbiter for operations: of the clients whose operation has room, serves the least
// recently served one. Combinational, except for the stored order of the clients.
//
//   valid, room --+--> ready (independent of the client's own valid)
//   [ahead] ------+--> chosen, index, any
//
// Equals round robin with a pointer if all operations have room. A pointer alone could starve a
// client without room: it moves on as others are served, and may have just passed the client each
// time there is room.
// - A client waits for every other client at most once, counted in cycles in which it has room.
// - ahead_o[c * N + j]: client j was served longer ago than c. One bit is stored per pair.
// - ready_o depends on the valid_i of the other clients and on room_i.
// - Reset: client 0 is the least recently served one, then 1, and so on.
// Part of hd_chan; page docs/channel/chan.md, rule C1.
`include "common/hd_assert.svh"
module hd_chan_arb #(
  parameter int N    = 3,
  parameter int IdxW = 2
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic [N-1:0]    valid_i,
  input  logic [N-1:0]    room_i,   // there is room for its operation, offered or not
  output logic [N-1:0]    ready_o,
  output logic [IdxW-1:0] index_o,
  output logic            any_o,
  output logic [N*N-1:0]  ahead_o
);

  logic [N-1:0] asks, chosen;
  logic [N*N-1:0] ahead;

  assign asks = valid_i & room_i;

  for (genvar c = 0; c < N; c++) begin : g_client
    assign ready_o[c]     = room_i[c] && (asks & ahead[c*N+:N]) == '0;
    assign ahead[c*N + c] = 1'b0;

    for (genvar j = 0; j < c; j++) begin : g_pair
      logic ahead_q;  // j is ahead of c

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) ahead_q <= 1'b1;
        else if (chosen[c]) ahead_q <= 1'b1;
        else if (chosen[j]) ahead_q <= 1'b0;
      end

      assign ahead[c*N + j] = ahead_q;
      assign ahead[j*N + c] = !ahead_q;
    end
  end

  assign chosen = valid_i & ready_o;
  assign any_o    = |asks;
  assign ahead_o  = ahead;

  always_comb begin
    index_o = '0;
    for (int c = 0; c < N; c++) index_o = index_o | (IdxW'(c) & {IdxW{chosen[c]}});
  end

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT(a_one, $onehot0(chosen) && any_o == |chosen,
          "Several clients are served, or none although one has room, in one cycle.")
    end
  end

  // Rare: a client is served while one that waited longer has no room.
  `HD_COVER(c_overtakes, any_o && (valid_i & ~room_i) != '0)
`endif

endmodule
