// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_throttle: how many SMXs take TBs that may go to any.
module hd_throttle (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  // Whether it throttles (regs)
  input  logic                         on_i,
  // TBs are about to be assigned (sched)
  input  logic                         unassigned_i,
  // Contention (memory side)
  input  logic [hd_pkg::ContendW-1:0]  cycles_i,
  input  logic [hd_pkg::ContendW-1:0]  dram_full_i,
  input  logic [hd_pkg::ContendW-1:0]  icnt2sm_i,
  // SMXs that take TBs (sched)
  output logic [hd_pkg::NumSmx-1:0]    open_o,
  output logic [hd_pkg::OpenW-1:0]     open_count_o
);
  assign open_o       = '1;
  assign open_count_o = hd_pkg::OpenW'(hd_pkg::NumSmx);
endmodule
