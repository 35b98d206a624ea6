// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_demo_launches: a table of launches, which the host writes, and the driver that offers them to
// the plane.
//
//   Fetch --> Offer --> Answer --> Fetch, the next launch
//               ^          | the HWQ was full
//               '-- Full <-'
//
// - A launch is three parts of 128 bits. Part k of launch n is row 4 * n + k. From the lowest bit:
//   launch_t in 296 bits, its first cycle in 40 bits, and in 16 bits 1 + the tag of a kernel that
//   must be done before it, or 0.
// - Launches are offered in the order of the table, each from its first cycle on, from the cycle
//   behind the end of that kernel on, and two cycles after the answer of the launch before it. One
//   that is refused because its HWQ is full is offered again from the cycle behind the next
//   finished kernel on.
// - Reset: begins with the first launch; the table stays.
// Part of the demonstrator (docs/demo.md).
`include "common/hd_assert.svh"
module hd_demo_launches #(
  parameter int Depth = 256,
  parameter int CycleW = 40
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               go_i,
  input  logic [15:0]        count_i,    // launches in the table
  input  logic [CycleW-1:0]  cycle_i,
  // Writes of the table
  input  logic               we_i,
  input  logic [15:0]        row_i,
  input  logic [127:0]       data_i,
  // Launches
  output logic               launch_valid_o,
  output hd_pkg::launch_t    launch_o,
  input  logic               launch_ready_i,
  // Answers and finished kernels, in the cycle in which they are accepted
  input  logic               answer_i,
  input  hd_pkg::code_e      code_i,
  input  logic               kernel_done_i,
  input  logic [15:0]        done_tag_i,
  // State
  output logic [15:0]        next_o      // launches that the plane has answered for good
);

  localparam int AddrW = $clog2(Depth), Parts = 3, LaunchRoom = 296;

  typedef enum logic [1:0] {StFetch, StOffer, StAnswer, StFull} state_e;

  state_e state_q;
  logic [15:0] next_q, after;
  logic [Depth-1:0] done_q;         // kernels that are done, by tag
  logic [CycleW-1:0] first;
  logic [LaunchRoom-1:0] launch;
  logic [128*Parts-1:0] row;
  logic more, ready;

  for (genvar k = 0; k < Parts; k++) begin : g_part
    hd_ram_1r1w #(
      .Width(128),
      .Depth(Depth),
      .Conflict(1'b1)
    ) u_part (
      .clk_i   (clk_i),
      .rst_ni  (rst_ni),
      .we_i    (we_i && row_i[1:0] == 2'(k)),
      .waddr_i (row_i[AddrW+1:2]),
      .wdata_i (data_i),
      .re_i    (state_q == StFetch),
      .raddr_i (next_q[AddrW-1:0]),
      .rdata_o (row[128*k +: 128])
    );
  end

  assign launch         = row[LaunchRoom-1:0];
  assign first          = row[LaunchRoom +: CycleW];
  assign after          = row[LaunchRoom+40 +: 16];
  assign more           = go_i && next_q < count_i;
  assign ready          = after == '0 || done_q[AddrW'(after - 16'd1)];
  assign launch_valid_o = state_q == StOffer && cycle_i >= first && ready;
  assign launch_o       = launch[hd_pkg::LaunchW-1:0];
  assign next_o         = next_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StFetch;
      next_q  <= '0;
      done_q  <= '0;
    end else begin
      if (kernel_done_i) done_q[done_tag_i[AddrW-1:0]] <= 1'b1;
      unique case (state_q)
        StFetch: if (more) state_q <= StOffer;
        StOffer: if (launch_valid_o && launch_ready_i) state_q <= StAnswer;
        StAnswer: if (answer_i) begin
          state_q <= code_i == hd_pkg::CodeRefused ? StFull : StFetch;
          if (code_i != hd_pkg::CodeRefused) next_q <= next_q + 16'd1;
        end
        default: if (kernel_done_i) state_q <= StOffer;
      endcase
    end
  end

  logic unused;
  assign unused = ^{launch, row, row_i, done_tag_i};

`ifdef HD_ASSERT_ON
  `HD_ASSERT_PARAM(p_launch, hd_pkg::LaunchW <= LaunchRoom, "A launch does not fit into its row.")
`endif

endmodule
