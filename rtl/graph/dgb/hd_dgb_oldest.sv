// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_dgb_oldest: finds the first requester at or after a position, cyclically, as two results
// available in parallel: the first of each group, and which group. Combinational.
//
// - lowest_o: the first requester of each group of 16, one bit per group that has one; in the group
//   of ptr_i the first at or after ptr_i, if there is one. group_o: the group with the first of
//   all. A lookup selects within the groups by lowest_o and among them by group_o.
// - index_o, valid_o: the first of all; index_o is 0 while there is none.
// - N: a power of two.
// Part of hd_dgb, whose tests cover it.
module hd_dgb_oldest #(
  parameter int N     = 4,
  parameter int IdxW  = $clog2(N),
  parameter int Group = N < 16 ? N : 16,
  parameter int Num   = N / Group
) (
  input  logic [N-1:0]    req_i,
  input  logic [IdxW-1:0] ptr_i,
  output logic [N-1:0]    lowest_o,
  output logic [Num-1:0]  group_o,
  output logic [IdxW-1:0] index_o,
  output logic            valid_o
);

  localparam int LowW = $clog2(Group);
  localparam int HighW = Num > 1 ? $clog2(Num) : 1;

  logic [Group-1:0] behind;  // places of a group at or after that of ptr
  logic [Num-1:0] at, above, some, ahead, some_above, some_below, first_above, first_below;
  logic [HighW-1:0] unused_above, unused_below;
  logic any_above, any_below;
  logic [Group-1:0] overlaid;

  assign behind = {Group{1'b1}} << ptr_i[LowW-1:0];
  assign at     = Num'(1) << ({1'b0, ptr_i} >> LowW);
  assign above  = ~(at | (at - Num'(1)));

  // timing: for each group, the first at or after ptr and the first of all, before it is known
  // which is needed.
  for (genvar g = 0; g < Num; g++) begin : g_group
    logic [Group-1:0] req, req_behind, lower, lower_behind;

    assign req        = req_i[g*Group+:Group];
    assign req_behind = req & behind;
    assign some[g]    = req != '0;
    assign ahead[g]   = at[g] && req_behind != '0;

    always_comb begin
      lower        = '0;
      lower_behind = '0;
      if (some[g]) begin
        lower        = req << 1;
        lower_behind = req_behind << 1;
        for (int b = 0; b < LowW; b++) begin
          lower        = lower | (lower << (1 << b));
          lower_behind = lower_behind | (lower_behind << (1 << b));
        end
      end
    end
    assign lowest_o[g*Group+:Group] = ahead[g] ? req_behind & ~lower_behind : req & ~lower;
  end

  // Order of the groups: that of ptr from there on, those above, those below, the rest of that of
  // ptr.
  assign some_above = some & above;
  assign some_below = some & ~above & ~at;

  hd_find_first #(.N(Num), .IdxW(HighW)) u_above (
    .req_i(some_above), .onehot_o(first_above), .index_o(unused_above), .valid_o(any_above));
  hd_find_first #(.N(Num), .IdxW(HighW)) u_below (
    .req_i(some_below), .onehot_o(first_below), .index_o(unused_below), .valid_o(any_below));

  assign group_o = ahead != '0 ? at
      : any_above ? first_above
      : any_below ? first_below : at & some;
  assign valid_o = some != '0;

  always_comb begin
    overlaid = '0;
    index_o  = '0;
    if (valid_o) begin
      for (int g = 0; g < Num; g++) begin
        overlaid |= lowest_o[g*Group+:Group] & {Group{group_o[g]}};
        if (group_o[g]) index_o |= IdxW'(g * Group);
      end
      for (int i = 0; i < Group; i++) begin
        if (overlaid[i]) index_o |= IdxW'(i);
      end
    end
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, unused_above, unused_below};

endmodule
