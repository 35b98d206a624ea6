// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_ram_1r1w: the wrapper of every RAM: one synchronous write port, one synchronous read port. The
// body is behavioural; replace it here, and only here, by a technology macro, a RAM with ECC or an
// FPGA block RAM.
//
// - Write: we_i, waddr_i, wdata_i at t; the row can be read from t+1 on.
// - Read: re_i, raddr_i at t; rdata_o is valid from t+1 on and holds while re_i is 0.
// - Reading the row that is written in the same cycle is forbidden (asserted), so no bypass is
//   needed. With Conflict 1 it is allowed; the value read is then undefined and the user must not
//   use it.
// - No reset: rows and rdata_o start with any value. Only the assertions use rst_ni.
`include "common/hd_assert.svh"
module hd_ram_1r1w #(
  parameter int Width = 8,
  parameter int Depth = 4,
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

  (* no_rw_check *) logic [Width-1:0] mem_q[Depth];
  logic [Width-1:0] rdata_q;

  always_ff @(posedge clk_i) begin
    if (we_i) mem_q[waddr_i] <= wdata_i;
  end

  logic re;
  assign re = re_i;

  always_ff @(posedge clk_i) begin
`ifndef SYNTHESIS
    // In simulation the undefined value is the complement of the old row, so a use of it shows.
    if (re) rdata_q <= we_i && waddr_i == raddr_i ? ~mem_q[raddr_i] : mem_q[raddr_i];
`else
    if (re) rdata_q <= mem_q[raddr_i];
`endif
  end

  assign rdata_o = rdata_q;

  logic unused_reset;
  assign unused_reset = rst_ni;

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT_IN(a_no_conflict, Conflict || !(we_i && re_i && waddr_i == raddr_i),
          "A row is read and written in the same cycle.")
      if (we_i) `HD_ASSERT_IN(a_write_range, 32'(waddr_i) < Depth,
          "The write address is beyond the last row.")
      if (re_i) `HD_ASSERT_IN(a_read_range, 32'(raddr_i) < Depth,
          "The read address is beyond the last row.")
    end
  end

  // Both ports active at once.
  `HD_COVER(c_read_and_write, we_i && re_i)
`endif

endmodule
