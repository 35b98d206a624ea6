// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// queue128: a priority queue of 128 entries x 192 bits as a shift register of flops: an entry is
// inserted behind those of its key or a smaller one, and the first is removed, both in one cycle. A
// reference for the area report with a known cost (test_area.py).
module queue128 (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         push_i,
  input  logic [191:0] data_i,  // key in the low 16 bits
  input  logic         pop_i,
  output logic         valid_o,
  output logic [191:0] data_o
);

  localparam int N = 128;
  localparam int W = 192;

  logic [N-1:0] valid_q, before;  // before: the entry stays ahead of the inserted one
  logic [N*W-1:0] row_q, row_d;
  logic [N-1:0] valid_d;

  always_comb begin
    for (int i = 0; i < N; i++) before[i] = valid_q[i] && row_q[i*W+:16] <= data_i[15:0];
  end

  // Next content of an entry: its own, its neighbour's, or the inserted entry.
  for (genvar i = 0; i < N; i++) begin : g_row
    logic [W-1:0] own, next, prev;
    logic own_valid, next_valid, prev_valid, own_before, next_before, prev_before;
    assign own = row_q[i*W+:W];
    assign own_valid = valid_q[i];
    assign own_before = before[i];
    if (i < N - 1) begin : g_next
      assign next = row_q[(i+1)*W+:W];
      assign next_valid = valid_q[i+1];
      assign next_before = before[i+1];
    end else begin : g_last
      assign next = '0;
      assign next_valid = 1'b0;
      assign next_before = 1'b0;
    end
    if (i > 0) begin : g_prev
      assign prev = row_q[(i-1)*W+:W];
      assign prev_valid = valid_q[i-1];
      assign prev_before = before[i-1];
    end else begin : g_first
      assign prev = '0;
      assign prev_valid = 1'b0;
      assign prev_before = 1'b1;
    end
    logic take_next, take_prev, take_data, keep;
    assign take_next = pop_i && (!push_i || next_before);
    assign take_data = push_i
        && (pop_i ? !next_before && (own_before || i == 0) : !own_before && prev_before);
    assign take_prev = push_i && !pop_i && !own_before && !prev_before;
    assign keep = !(take_next || take_data || take_prev);
    assign row_d[i*W+:W] = (own & {W{keep}}) | (next & {W{take_next}}) | (prev & {W{take_prev}})
        | (data_i & {W{take_data}});
    assign valid_d[i] = (own_valid && keep) || (next_valid && take_next)
        || (prev_valid && take_prev) || take_data;
  end

  always_ff @(posedge clk_i) row_q <= row_d;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= valid_d;
  end

  assign valid_o = valid_q[0];
  assign data_o = row_q[W-1:0];

endmodule
