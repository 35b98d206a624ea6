// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// match32: 32 keys of 32 bits in flops, all compared with one key in each cycle; returns the lowest
// match as an index. A reference for the area report with a known cost (test_area.py).
module match32 (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        we_i,
  input  logic [4:0]  waddr_i,
  input  logic [31:0] wdata_i,
  input  logic [31:0] key_i,
  output logic        hit_o,
  output logic [4:0]  index_o
);

  logic [32*32-1:0] key_q, key_d;
  logic [31:0] valid_q, match;
  logic hit, hit_q;
  logic [4:0] index, index_q;

  always_comb begin
    key_d = key_q;
    for (int i = 0; i < 32; i++) begin
      if (we_i && waddr_i == 5'(i)) key_d[i*32+:32] = wdata_i;
      match[i] = valid_q[i] && key_q[i*32+:32] == key_i;
    end
  end

  hd_find_first #(.N(32), .IdxW(5)) u_first (
    .req_i   (match),
    .onehot_o(),
    .index_o (index),
    .valid_o (hit)
  );

  always_ff @(posedge clk_i) begin
    key_q   <= key_d;
    index_q <= index;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      hit_q   <= 1'b0;
    end else begin
      if (we_i) valid_q[waddr_i] <= 1'b1;
      hit_q <= hit;
    end
  end

  assign hit_o = hit_q;
  assign index_o = index_q;

endmodule
