// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_agg_slots: the wavefront slots of the CUs, and the channel of the wavefront in each slot.
//
//   ends -> round robin -+-> [slot] --> [room, lowest free slot of each CU]
//   yield ---------------+     ^           ^
//                        |   take (late) --+
//                        +-> u_own --> channel of the freed slot
//                  go --------^
//
// Slots of a CU are ours (channels-isca2014 gives work to any CU).
// - take_i[u], often late: allocates the lowest free slot of CU u. Its row of u_own is written in
//   the next cycle, from go_i; a wavefront freed in that cycle gets that channel as well (bypass).
// - timing: the next free slot of a CU is a register; take_i selects between the lowest free slot
//   and the next one.
// - A slot freed at t can be taken at t+2; its row is read at t, and reported at t+1.
// - end_ready_o depends on yield_i and on the end_valid_i of the other CUs; room_o and free_o come
//   from registers.
// - Reset: all slots are free.
// Part of hd_agg; page docs/channel/agg.md, rules A1, A7, A10, A11, A18.
`include "common/hd_assert.svh"
module hd_agg_slots (
  input  logic                                  clk_i,
  input  logic                                  rst_ni,
  // A wavefront ends
  input  logic [hd_pkg::NumCu-1:0]              end_valid_i,
  input  logic [hd_pkg::NumCu*hd_pkg::WaveW-1:0] end_slot_i,
  output logic [hd_pkg::NumCu-1:0]              end_ready_o,
  // A wavefront yields
  input  logic                                  yield_i,
  input  logic [hd_pkg::CuW-1:0]                yield_cu_i,
  input  logic [hd_pkg::WaveW-1:0]              yield_slot_i,
  // One cycle later: an end, a yield; the channel of its elements
  output logic                                  ended_o,
  output logic                                  yielded_o,
  output logic [hd_pkg::ChanW-1:0]              own_o,
  output logic                                  bad_o,
  // Free slots; one is allocated
  output logic [hd_pkg::NumCu-1:0]              room_o,
  output logic [hd_pkg::NumCu*hd_pkg::WaveW-1:0] free_o,
  input  logic [hd_pkg::NumCu-1:0]              take_i,
  // The wavefront that got it, one cycle later
  input  logic                                  go_i,
  input  logic [hd_pkg::CuW-1:0]                go_cu_i,
  input  logic [hd_pkg::WaveW-1:0]              go_slot_i,
  input  logic [hd_pkg::ChanW-1:0]              go_own_i
);

  localparam int NumCu = hd_pkg::NumCu;
  localparam int CuW = hd_pkg::CuW;
  localparam int Waves = hd_pkg::WavesPerCu;
  localparam int WaveW = hd_pkg::WaveW;
  localparam int Slots = hd_pkg::ChanSlots;
  localparam int RowW = $clog2(Slots);

  logic [Slots-1:0] slot_q, taken, freed;
  logic [NumCu-1:0] room_q;
  logic [NumCu*WaveW-1:0] low_q;

  // ---- Free slots ------------------------------------------------------------------------------
  for (genvar u = 0; u < NumCu; u++) begin : g_cu
    logic [Waves-1:0] free, first, second, offered;
    logic [WaveW-1:0] first_low, second_low;
    logic some, other;

    assign free = ~slot_q[u*Waves+:Waves];

    hd_onehot #(.N(Waves), .IdxW(WaveW)) u_offered (
      .valid_i (room_q[u]),
      .index_i (low_q[u*WaveW+:WaveW]),
      .onehot_o(offered)
    );

    hd_find_first #(.N(Waves), .IdxW(WaveW)) u_first (
      .req_i   (free),
      .onehot_o(first),
      .index_o (first_low),
      .valid_o (some)
    );

    hd_find_first #(.N(Waves), .IdxW(WaveW)) u_second (
      .req_i   (free & ~offered),
      .onehot_o(second),
      .index_o (second_low),
      .valid_o (other)
    );

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        room_q[u]             <= 1'b0;
        low_q[u*WaveW+:WaveW] <= '0;
      end else begin
        room_q[u]             <= take_i[u] ? other : some;
        low_q[u*WaveW+:WaveW] <= take_i[u] ? second_low : first_low;
      end
    end

    assign taken[u*Waves+:Waves] = offered & {Waves{take_i[u]}};

    logic unused_first;
    assign unused_first = &{1'b0, first, second};
  end

  assign room_o = room_q;
  assign free_o = low_q;

  // ---- A slot is freed -------------------------------------------------------------------------
  // timing: the slot of each CU is looked up in parallel with the choice of the CU.
  logic [CuW-1:0] end_ptr_q, end_cu, end_next;
  logic [NumCu-1:0] end_grant, end_free, yields, leaves, there;
  logic [NumCu*RowW-1:0] rows;
  logic [RowW-1:0] row;
  logic some_end, some, runs, bad_q, ended_q, yielded_q;

  hd_rr_arb #(.N(NumCu), .IdxW(CuW)) u_end (
    .req_i  (end_valid_i),
    .ptr_i  (end_ptr_q),
    .grant_o(end_grant),
    .index_o(end_cu),
    .valid_o(some_end),
    .next_o (end_next)
  );

  hd_rr_ready #(.N(NumCu), .IdxW(CuW)) u_ready (
    .req_i  (end_valid_i),
    .ptr_i  (end_ptr_q),
    .ready_o(end_free)
  );

  assign end_ready_o = end_free & {NumCu{!yield_i}};
  assign some        = yield_i || some_end;
  assign leaves      = yields | (end_grant & {NumCu{!yield_i}});
  assign runs        = (leaves & there) != '0;

  hd_onehot #(.N(NumCu), .IdxW(CuW)) u_yields (
    .valid_i (yield_i),
    .index_i (yield_cu_i),
    .onehot_o(yields)
  );

  for (genvar u = 0; u < NumCu; u++) begin : g_leave
    logic [Waves-1:0] its;
    logic [WaveW-1:0] slot;

    assign slot = yields[u] ? yield_slot_i : end_slot_i[u*WaveW+:WaveW];

    hd_onehot #(.N(Waves), .IdxW(WaveW)) u_its (
      .valid_i (1'b1),
      .index_i (slot),
      .onehot_o(its)
    );

    assign there[u]              = (its & slot_q[u*Waves+:Waves]) != '0;
    assign freed[u*Waves+:Waves] = its & slot_q[u*Waves+:Waves] & {Waves{leaves[u]}};
    assign rows[u*RowW+:RowW]    = RowW'(u * Waves) + RowW'(slot);
  end

  always_comb begin
    row = '0;
    for (int u = 0; u < NumCu; u++) row = row | (rows[u*RowW+:RowW] & {RowW{leaves[u]}});
  end

  // ---- The channel of its elements -------------------------------------------------------------
  logic [RowW-1:0] go_row;
  logic [hd_pkg::ChanW-1:0] own_read, own_written_q;
  logic from_written_q;

  assign go_row = RowW'(go_cu_i) * RowW'(Waves) + RowW'(go_slot_i);

  hd_ram_1r1w #(
    .Width   (hd_pkg::ChanW),
    .Depth   (Slots),
    .AddrW   (RowW),
    .Conflict(1'b1)
  ) u_own (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (go_i),
    .waddr_i(go_row),
    .wdata_i(go_own_i),
    .re_i   (runs),
    .raddr_i(row),
    .rdata_o(own_read)
  );

  always_ff @(posedge clk_i) begin
    from_written_q <= go_i && row == go_row;
    own_written_q  <= go_own_i;
  end

  assign own_o = from_written_q ? own_written_q : own_read;

  for (genvar u = 0; u < NumCu; u++) begin : g_slot
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) slot_q[u*Waves+:Waves] <= '0;
      else begin
        slot_q[u*Waves+:Waves] <= (slot_q[u*Waves+:Waves] | taken[u*Waves+:Waves])
            & ~freed[u*Waves+:Waves];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      end_ptr_q <= '0;
      ended_q   <= 1'b0;
      yielded_q <= 1'b0;
      bad_q     <= 1'b0;
    end else begin
      if (some_end && !yield_i) end_ptr_q <= end_next;
      ended_q   <= runs && !yield_i;
      yielded_q <= runs && yield_i;
      bad_q     <= bad_q || (some && !runs);
    end
  end

  assign ended_o   = ended_q;
  assign yielded_o = yielded_q;
  assign bad_o     = bad_q;

  logic unused_bits;
  assign unused_bits = &{1'b0, end_cu};

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT_IN(a_take, $onehot0(take_i) && (take_i & ~room_q) == '0 && (taken & slot_q) == '0,
          "More than one slot is taken in a cycle, or one that is not free.")
    end
  end

  // Rare: an end that waits for a yield.
  `HD_COVER(c_both, yield_i && some_end)
`endif

endmodule
