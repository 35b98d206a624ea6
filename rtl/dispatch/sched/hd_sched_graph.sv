// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_sched_graph: decides whether queue 0 offers the TB of the graph, and which SMXs can take it.
// Combinational.
//
//   kernel in the SSCR, older --> first?
//   need, free resources --> room
//   could, bound --> preferred SMX, if it can --> takes
//
// From wireframe-micro2017 section 4.1 (DATS). Alternating with other kernels and the preferred SMX
// are ours.
// - The graph goes first unless the kernel in the SSCR is older. Age alone decides, not which TB
//   fits.
// - An SMX that is not bound to a bank can take the graph's TB if it could take any TB (could_i:
//   slot, done FIFO place, dispatch register) and has room, or had it one cycle ago (ChoiceLatency
//   2). If the preferred SMX can take it, no other SMX may.
// - timing: room for the graph's TB is compared separately from room for TBs of the SSCR and banks,
//   so that it does not wait for the choice among those.
// Part of hd_sched, whose tests cover it.
module hd_sched_graph (
  // The graph, its TB (dats)
  input  logic                                        run_valid_i,
  input  hd_pkg::need_t                               run_need_i,
  input  logic                                        graph_valid_i,
  input  logic                                        graph_wants_i,
  input  logic [hd_pkg::SmxW-1:0]                     graph_smx_i,
  input  logic [hd_pkg::NumKde-1:0]                   older_i,
  // The kernel in the SSCR
  input  logic                                        cur_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                     cur_kdei_i,
  // The SMXs
  input  logic [hd_pkg::NumSmx-1:0]                   bound_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::WarpsW-1:0]    free_warps_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::RegUnitsW-1:0] free_regs_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::SmemUnitsW-1:0] free_smem_i,
  output logic [hd_pkg::NumSmx-1:0]                   room_o,
  input  logic [hd_pkg::NumSmx-1:0]                   could_i,
  output logic                                        first_o,
  output logic [hd_pkg::NumSmx-1:0]                   takes_o
);

  localparam int NumSmx = hd_pkg::NumSmx;
  localparam int WarpsW = hd_pkg::WarpsW;
  localparam int RegUnitsW = hd_pkg::RegUnitsW;
  localparam int SmemUnitsW = hd_pkg::SmemUnitsW;

  logic [NumSmx-1:0] can, wanted;
  logic granted_wish;

  assign first_o = graph_valid_i && !(cur_valid_i && older_i[cur_kdei_i]);

  // sim speed: nothing is compared while no graph runs. timing: whether the graph has a TB to offer
  // arrives late in the cycle and is not used here.
  always_comb begin
    room_o = '0;
    if (run_valid_i) begin
      for (int i = 0; i < NumSmx; i++) begin
        room_o[i] = run_need_i.warps <= free_warps_i[i*WarpsW+:WarpsW]
            && run_need_i.regs <= free_regs_i[i*RegUnitsW+:RegUnitsW]
            && run_need_i.smem <= free_smem_i[i*SmemUnitsW+:SmemUnitsW];
      end
    end
  end

  assign can = could_i & ~bound_valid_i;
  assign wanted = {{NumSmx - 1{1'b0}}, graph_wants_i} << graph_smx_i;
  assign granted_wish = (can & wanted) != '0;
  assign takes_o = can & {NumSmx{first_o}} & (wanted | {NumSmx{!granted_wish}});

endmodule
