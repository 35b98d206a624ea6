// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_dgb_first: index of the first requester at or after a position, cyclically. Combinational.
//
// - Two trees, one for requesters at or after ptr_i and one for all; the first is used if it has
//   any. In each tree node the lower of two inputs passes its index on if it has a requester.
//   timing: no index bit waits for the others longer than one node.
// - valid_o: there is a requester. Otherwise index_o is undefined.
// - N: a power of two.
// Part of hd_dgb, whose tests cover it.
module hd_dgb_first #(
  parameter int N    = 4,
  parameter int IdxW = $clog2(N)
) (
  input  logic [N-1:0]    req_i,
  input  logic [IdxW-1:0] ptr_i,
  output logic [IdxW-1:0] index_o,
  output logic            valid_o
);

  logic [N-1:0] after, some_after, some_any;
  logic [N*IdxW-1:0] index_after, index_any;

  assign after = req_i & ({N{1'b1}} << ptr_i);

  // Reduced level by level in place: node i of a level replaces nodes 2 i and 2 i + 1 of the level
  // below.
  always_comb begin
    some_after  = after;
    index_after = '0;
    if (after != '0) begin
      for (int l = 0; l < IdxW; l++) begin
        for (int i = 0; i < (N >> (l + 1)); i++) begin
          index_after[i*IdxW+:IdxW] = some_after[2*i] ? index_after[2*i*IdxW+:IdxW]
              : index_after[(2*i+1)*IdxW+:IdxW] | IdxW'(1 << l);
          some_after[i] = some_after[2*i] | some_after[2*i+1];
        end
      end
    end
  end

  always_comb begin
    some_any  = req_i;
    index_any = '0;
    if (req_i != '0) begin
      for (int l = 0; l < IdxW; l++) begin
        for (int i = 0; i < (N >> (l + 1)); i++) begin
          index_any[i*IdxW+:IdxW] = some_any[2*i] ? index_any[2*i*IdxW+:IdxW]
              : index_any[(2*i+1)*IdxW+:IdxW] | IdxW'(1 << l);
          some_any[i] = some_any[2*i] | some_any[2*i+1];
        end
      end
    end
  end

  assign index_o = some_after[0] ? index_after[IdxW-1:0] : index_any[IdxW-1:0];
  assign valid_o = some_any[0];

  logic unused_bits;
  assign unused_bits = &{1'b0, some_after, some_any, index_after, index_any};

endmodule
