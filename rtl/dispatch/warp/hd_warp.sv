// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_warp: which warps of an SMX issue.
module hd_warp (
  input  logic                                               clk_i,
  input  logic                                               rst_ni,
  // Policy (regs)
  input  logic [hd_pkg::WpolicyW-1:0]                        policy_i,
  input  logic                                               one_list_i,
  // A TB is assigned to a slot (SMX)
  input  logic                                               assign_valid_i,
  input  logic [hd_pkg::SlotW-1:0]                           assign_slot_i,
  // Warps (SMX)
  input  logic [hd_pkg::WarpsPerSmx-1:0]                     warp_valid_i,
  input  logic [hd_pkg::WarpsPerSmx-1:0]                     warp_ready_i,
  input  logic [hd_pkg::WarpsPerSmx*hd_pkg::SlotW-1:0]       warp_slot_i,
  input  logic [hd_pkg::WarpsPerSmx-1:0]                     stall_control_i,
  input  logic [hd_pkg::WarpsPerSmx-1:0]                     stall_raw_i,
  input  logic [hd_pkg::WarpsPerSmx-1:0]                     stall_pipe_i,
  // The warp of each scheduler that issues (SMX)
  output logic [hd_pkg::WarpScheds-1:0]                      issue_valid_o,
  output logic [hd_pkg::WarpScheds*hd_pkg::WarpW-1:0]        issue_warp_o,
  // What is counted (regs)
  output logic [hd_pkg::WarpScheds-1:0]                      stalled_o,
  output logic [hd_pkg::WarpScheds-1:0]                      starved_o
);
  assign issue_valid_o = '0;
  assign issue_warp_o  = '0;
  assign stalled_o     = '0;
  assign starved_o     = '0;
endmodule
