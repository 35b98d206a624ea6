// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_ram_banks: a RAM of many rows built from banks. timing: the access time of a RAM grows with
// its rows; 256 rows take 3/4 of the time of 1024.
//
// - Behaves like hd_ram_1r1w (each bank is one): one write port, one read port, rdata_o valid from
//   t+1 on and held while re_i is 0; the same Conflict. The upper address bits select the bank; a
//   bank that is not read stays idle.
// - Depth: a multiple of Banks, with a power of two rows per bank.
// - No reset: rows and rdata_o start with any value.
`include "common/hd_assert.svh"
module hd_ram_banks #(
  parameter int Width = 8,
  parameter int Depth = 512,
  parameter int Banks = 2,
  parameter int AddrW = Depth > 1 ? $clog2(Depth) : 1,
  parameter bit Conflict = 1'b0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             we_i,
  input  logic [AddrW-1:0] waddr_i,
  input  logic [Width-1:0] wdata_i,
  input  logic             re_i,
  input  logic [AddrW-1:0] raddr_i,
  output logic [Width-1:0] rdata_o
);

  localparam int Rows = Depth / Banks;
  localparam int RowW = Rows > 1 ? $clog2(Rows) : 1;

  logic [Banks-1:0] we, re, out_q;  // out_q: the bank read last
  logic [Banks*Width-1:0] rdata;

  for (genvar b = 0; b < Banks; b++) begin : g_bank
    assign we[b] = we_i && 32'(waddr_i) / Rows == b;
    assign re[b] = re_i && 32'(raddr_i) / Rows == b;

    hd_ram_1r1w #(.Width(Width), .Depth(Rows), .AddrW(RowW), .Conflict(Conflict)) u_ram (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .we_i   (we[b]),
      .waddr_i(RowW'(32'(waddr_i) % Rows)),
      .wdata_i(wdata_i),
      .re_i   (re[b]),
      .raddr_i(RowW'(32'(raddr_i) % Rows)),
      .rdata_o(rdata[b*Width+:Width])
    );
  end

  always_ff @(posedge clk_i) begin
    if (re_i) out_q <= re;
  end

  always_comb begin
    rdata_o = '0;
    for (int b = 0; b < Banks; b++) rdata_o |= rdata[b*Width+:Width] & {Width{out_q[b]}};
  end

`ifdef HD_ASSERT_ON
  // A write and a read of different banks.
  `HD_COVER(c_apart, we_i && re_i && we != re)
`endif

endmodule
