// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_kin_counts: counts the incomplete device children of each parent record.
//
//   birth + 1 --> [children x NumKin] --> childless
//   a child is complete --> [down] - 1 --'
//
// From dtbl-isca2015 section 2.4 (a parent is complete when its children are).
// - A completed child is subtracted from its parent's count one cycle later (timing: no count
//   lookup behind a RAM read). Until then down marks the row whose count is one too large.
// - Two bits are stored with each count: few (it is 0 or 1) and odd; timing: childless_o then needs
//   no comparison.
// - A birth and a completion of one row in one cycle: unchanged. The first birth of a row sets 1.
// - Latency: birth at t, childless_o at t+1; completion at t, childless_o at t+1. Rate: one of both
//   per cycle. Outputs come from registers, except fresh_o.
// - Reset: no completion pending; the count of a row has no reset and is set by its first birth.
// Part of hd_kin, whose tests cover it.
`include "common/hd_assert.svh"
module hd_kin_counts (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // A kernel gets a child; fresh_o: its row is new
  input  logic                       birth_valid_i,
  input  logic [hd_pkg::KinW-1:0]    birth_kin_i,
  input  logic                       birth_new_i,
  output logic [hd_pkg::NumKin-1:0]  fresh_o,
  // A child is complete
  input  logic                       done_valid_i,
  input  logic [hd_pkg::KinW-1:0]    done_kin_i,
  // No child is incomplete
  output logic [hd_pkg::NumKin-1:0]  childless_o
);

  localparam int NumKin = hd_pkg::NumKin;
  localparam int KinW = hd_pkg::KinW;
  localparam int ChildW = hd_pkg::ChildW;

  logic [NumKin*ChildW-1:0] children_q;
  logic [NumKin-1:0] few_q, odd_q;  // the count is 0 or 1; the count is odd
  logic down_valid_q;
  logic [KinW-1:0] down_kin_q;
  logic [NumKin-1:0] born, down;

  hd_onehot #(.N(NumKin), .IdxW(KinW)) u_born (
    .valid_i (birth_valid_i),
    .index_i (birth_kin_i),
    .onehot_o(born)
  );

  hd_onehot #(.N(NumKin), .IdxW(KinW)) u_down (
    .valid_i (down_valid_q),
    .index_i (down_kin_q),
    .onehot_o(down)
  );

  assign fresh_o = born & {NumKin{birth_new_i}};
  assign childless_o = few_q & ~(odd_q ^ down);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) down_valid_q <= 1'b0;
    else down_valid_q <= done_valid_i;
  end

  always_ff @(posedge clk_i) down_kin_q <= done_kin_i;

  // ---- The counts -------------------------------------------------------------------------------
  // The new count of a row is computed once for all rows. sim speed: chunks of rows without an
  // event are skipped; changes no gate.
  localparam int Chunk = 32;
  localparam int NumChunks = (NumKin + Chunk - 1) / Chunk;

  logic [NumKin-1:0] counted;
  logic [NumChunks*ChildW-1:0] chunk_born_of, chunk_down_of;
  logic [ChildW-1:0] born_of, down_of, children_up, children_down;
  logic up_few, down_few;

  assign counted = born ^ down;

  for (genvar c = 0; c < NumChunks; c++) begin : g_chunk
    localparam int First = c * Chunk;
    localparam int Rows = NumKin - First < Chunk ? NumKin - First : Chunk;

    always_comb begin
      chunk_born_of[c*ChildW+:ChildW] = '0;
      chunk_down_of[c*ChildW+:ChildW] = '0;
      if (born[First+:Rows] != '0) begin
        for (int r = First; r < First + Rows; r++) begin
          chunk_born_of[c*ChildW+:ChildW] |= children_q[r*ChildW+:ChildW] & {ChildW{born[r]}};
        end
      end
      if (down[First+:Rows] != '0) begin
        for (int r = First; r < First + Rows; r++) begin
          chunk_down_of[c*ChildW+:ChildW] |= children_q[r*ChildW+:ChildW] & {ChildW{down[r]}};
        end
      end
    end

    always_ff @(posedge clk_i) begin
      if (counted[First+:Rows] != '0) begin
        for (int r = First; r < First + Rows; r++) begin
          if (counted[r]) begin
            children_q[r*ChildW+:ChildW] <= born[r] ? children_up : children_down;
            odd_q[r] <= born[r] ? children_up[0] : children_down[0];
            few_q[r] <= born[r] ? up_few : down_few;
          end
        end
      end
    end
  end

  always_comb begin
    born_of = '0;
    down_of = '0;
    for (int c = 0; c < NumChunks; c++) begin
      born_of |= chunk_born_of[c*ChildW+:ChildW];
      down_of |= chunk_down_of[c*ChildW+:ChildW];
    end
  end

  assign children_up   = birth_new_i ? ChildW'(1) : born_of + ChildW'(1);
  assign children_down = down_of - ChildW'(1);
  assign up_few        = children_up[ChildW-1:1] == '0;
  assign down_few      = children_down[ChildW-1:1] == '0;

`ifdef HD_ASSERT_ON
  // The counts with the pending completion included; for waveforms only.
  logic [NumKin*ChildW-1:0] children;
  logic unused_children;
  assign unused_children = &{1'b0, children};
  always_comb begin
    children = children_q;
    if (down_valid_q) children[32'(down_kin_q)*ChildW+:ChildW] = children_down;
  end

  `HD_ASSERT_PROP_IN(a_fresh, birth_valid_i && birth_new_i |-> !down[birth_kin_i],
      "A row gets its first child while a completed child is still to be subtracted from it.")
  `HD_ASSERT_PROP_IN(a_children_max, birth_valid_i && !birth_new_i |-> children_up != '0,
      "A child is born to a parent whose count of children is at its maximum.")
  `HD_ASSERT_PROP(a_few, birth_valid_i && !birth_new_i |-> few_q[birth_kin_i] == (born_of <= 1)
      && odd_q[birth_kin_i] == born_of[0],
      "The bits few and odd of a row differ from its count of children.")

  // Rare: a birth as another child completes.
  `HD_COVER(c_net_zero, birth_valid_i && down[birth_kin_i])
`endif

endmodule
