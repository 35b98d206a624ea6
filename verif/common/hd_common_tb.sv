// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_common_tb: every small part of rtl/common in six sizes, among them one entry and numbers that
// are no power of two.
//
// Each instance is a slot: part * 6 + size number. in_i goes to slot_i, 0 to all other slots; out_o
// is the output of slot_i. Bits 63:56 of the outputs report the size, so the test need not know the
// list. Layout of a slot, by part:
//   0 hd_fifo        in 12:0 data, 16 push, 17 pop              out 12:0 data, 16 full, 17 empty
//      (Width = Depth)
//   1 hd_rr_arb      in 12:0 req, 19:16 ptr                     out 12:0 grant, 19:16 index, 23:20
//     next, 24 valid
//   2 hd_find_first  in 12:0 req                                out 12:0 onehot, 19:16 index, 24
//     valid (IdxW wider than
//                                                               needed)
//   3 hd_free_list   in 0 pop, 1 push, 7:4 index                out 3:0 index, 4 valid
//   4 hd_ram_1r1w    in 12:0 wdata, 16 we, 17 re, 23:20 waddr, 27:24 raddr    out 12:0 rdata
//        (Width = Depth)
//   5 hd_ram_banks   as 4; banks of four rows if the size allows, otherwise of one
//   6 hd_onehot      in 3:0 index, 4 valid                      out 12:0 onehot
//   7 hd_fifo2        as 0, of two entries; data 0 while empty
//   8 hd_follows     in 12:0 a, 28:16 b                         out 0 follows
//   9 hd_fifo_ram    as 0
module hd_common_tb (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [5:0]  slot_i,
  input  logic [63:0] in_i,
  output logic [63:0] out_o
);

  logic [60*64-1:0] outs;
  assign out_o = outs[slot_i*64+:64];

  function automatic int size_of(input int k);
    case (k)
      0: size_of = 1;
      1: size_of = 2;
      2: size_of = 3;
      3: size_of = 5;
      4: size_of = 8;
      default: size_of = 13;
    endcase
  endfunction

  for (genvar k = 0; k < 6; k++) begin : g_size
    localparam int N = size_of(k);
    localparam int W = N > 1 ? $clog2(N) : 1;
    logic [63:0] fifo_in, arb_in, first_in, list_in, ram_in, banks_in, onehot_in, pair_in, follows_in;
    logic [63:0] rows_in;
    assign fifo_in  = (slot_i == 6'(k)) ? in_i : '0;
    assign arb_in   = (slot_i == 6'(6+k)) ? in_i : '0;
    assign first_in = (slot_i == 6'(12+k)) ? in_i : '0;
    assign list_in  = (slot_i == 6'(18+k)) ? in_i : '0;
    assign ram_in   = (slot_i == 6'(24+k)) ? in_i : '0;
    assign banks_in = (slot_i == 6'(30+k)) ? in_i : '0;
    assign onehot_in = (slot_i == 6'(36+k)) ? in_i : '0;
    assign pair_in  = (slot_i == 6'(42+k)) ? in_i : '0;
    assign follows_in = (slot_i == 6'(48+k)) ? in_i : '0;
    assign rows_in = (slot_i == 6'(54+k)) ? in_i : '0;

    logic [N-1:0] fifo_data;
    logic fifo_full, fifo_empty;
    hd_fifo #(.Width(N), .Depth(N)) u_fifo (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .push_i (fifo_in[16]),
      .write_i(fifo_in[18]),
      .data_i (fifo_in[N-1:0]),
      .full_o (fifo_full),
      .pop_i  (fifo_in[17]),
      .data_o (fifo_data),
      .empty_o(fifo_empty)
    );
    assign outs[k*64+:64] = {8'(N), 38'b0, fifo_empty, fifo_full, 16'(fifo_data)};

    logic [N-1:0] arb_grant;
    logic [W-1:0] arb_index, arb_next;
    logic arb_valid;
    hd_rr_arb #(.N(N)) u_arb (
      .req_i  (arb_in[N-1:0]),
      .ptr_i  (arb_in[16+:W]),
      .grant_o(arb_grant),
      .index_o(arb_index),
      .valid_o(arb_valid),
      .next_o (arb_next)
    );
    assign outs[(6+k)*64+:64] = {8'(N), 31'b0, arb_valid, 4'(arb_next), 4'(arb_index), 16'(arb_grant)};

    logic [N-1:0] first_onehot;
    logic [3:0] first_index;
    logic first_valid;
    hd_find_first #(.N(N), .IdxW(4)) u_first (
      .req_i   (first_in[N-1:0]),
      .onehot_o(first_onehot),
      .index_o (first_index),
      .valid_o (first_valid)
    );
    assign outs[(12+k)*64+:64] = {8'(N), 31'b0, first_valid, 4'b0, first_index, 16'(first_onehot)};

    logic [W-1:0] list_index;
    logic list_valid;
    hd_free_list #(.N(N)) u_list (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .pop_i  (list_in[0]),
      .index_o(list_index),
      .valid_o(list_valid),
      .push_i (list_in[1]),
      .index_i(list_in[4+:W])
    );
    assign outs[(18+k)*64+:64] = {8'(N), 51'b0, list_valid, 4'(list_index)};

    logic [N-1:0] ram_data;
    hd_ram_1r1w #(.Width(N), .Depth(N)) u_ram (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .we_i   (ram_in[16]),
      .waddr_i(ram_in[20+:W]),
      .wdata_i(ram_in[N-1:0]),
      .re_i   (ram_in[17]),
      .raddr_i(ram_in[24+:W]),
      .rdata_o(ram_data)
    );
    assign outs[(24+k)*64+:64] = {8'(N), 40'b0, 16'(ram_data)};

    logic [N-1:0] banks_data;
    hd_ram_banks #(.Width(N), .Depth(N), .Banks(N % 4 == 0 ? N / 4 : N)) u_banks (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .we_i   (banks_in[16]),
      .waddr_i(banks_in[20+:W]),
      .wdata_i(banks_in[N-1:0]),
      .re_i   (banks_in[17]),
      .raddr_i(banks_in[24+:W]),
      .rdata_o(banks_data)
    );
    assign outs[(30+k)*64+:64] = {8'(N), 40'b0, 16'(banks_data)};

    logic [N-1:0] onehot;
    hd_onehot #(.N(N), .IdxW(4)) u_onehot (
      .valid_i (onehot_in[4]),
      .index_i (onehot_in[3:0]),
      .onehot_o(onehot)
    );
    assign outs[(36+k)*64+:64] = {8'(N), 40'b0, 16'(onehot)};

    logic [N-1:0] pair_data;
    logic pair_full, pair_empty;
    hd_fifo2 #(.Width(N)) u_fifo2 (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .push_i (pair_in[16]),
      .data_i (pair_in[N-1:0]),
      .full_o (pair_full),
      .pop_i  (pair_in[17]),
      .data_o (pair_data),
      .empty_o(pair_empty)
    );
    assign outs[(42+k)*64+:64] = {8'(N), 38'b0, pair_empty, pair_full, pair_empty ? 16'b0 : 16'(pair_data)};

    logic follows;
    hd_follows #(.W(N)) u_follows (
      .a_i      (follows_in[N-1:0]),
      .b_i      (follows_in[16+:N]),
      .follows_o(follows)
    );
    assign outs[(48+k)*64+:64] = {8'(N), 55'b0, follows};

    logic [N-1:0] rows_data;
    logic rows_full, rows_empty;
    hd_fifo_ram #(.Width(N), .Depth(N)) u_fifo_ram (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .push_i (rows_in[16]),
      .write_i(rows_in[18]),
      .data_i (rows_in[N-1:0]),
      .full_o (rows_full),
      .pop_i  (rows_in[17]),
      .data_o (rows_data),
      .empty_o(rows_empty)
    );
    assign outs[(54+k)*64+:64] = {8'(N), 38'b0, rows_empty, rows_full, 16'(rows_data)};

    logic unused_in;
    assign unused_in = &{1'b0, fifo_in, arb_in, first_in, list_in, ram_in, banks_in, onehot_in, pair_in, follows_in,
                        rows_in};
  end

endmodule
