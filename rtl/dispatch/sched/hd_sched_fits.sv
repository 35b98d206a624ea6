// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_sched_fits: decides one cycle ahead (ChoiceLatency 2) whether each SMX has room for the TB
// that it is offered.
//
//   t:    offer to each SMX ------> fits? --> [fit, its need] -----------------+
//         guess of next offer ----> fits? --> [fit_next, one need for all] ----+
//   t+1:  offer to each SMX --------------------- same need? ------------------+--> fits
//
// Ours. timing: with ChoiceLatency 1 the comparison and the choice of the SMX share one cycle.
// - Room depends on the need alone: a result is valid for any TB with the same need, also of
//   another entry or kernel.
// - A result of t is still true in t+1: an SMX only gains room, unless it gets a TB in t; then its
//   dispatch register is full in t+1 and the choice skips it.
// - next_need_i guesses the need of the next TB. A wrong guess costs one cycle, nothing else.
// - Latency: a TB offered at t is tested at t and can be handed out at t+1.
// - Reset: nothing fits; the stored needs have no reset.
// Part of hd_sched, whose model and tests cover it.
module hd_sched_fits (
  input  logic                                         clk_i,
  input  logic                                         rst_ni,
  input  logic [hd_pkg::NumSmx-1:0]                    offered_i,     // a TB is, or may be, offered
  input  logic [hd_pkg::NumSmx*hd_pkg::NeedW-1:0]      need_i,        // its need
  input  logic [hd_pkg::NumSmx-1:0]                    room_i,        // there is room for it
  input  logic                                         next_valid_i,
  input  hd_pkg::need_t                                next_need_i,
  input  logic [hd_pkg::NumSmx-1:0]                    slot_i,        // slot and done FIFO place
  input  logic [hd_pkg::NumSmx*hd_pkg::WarpsW-1:0]     free_warps_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::RegUnitsW-1:0]  free_regs_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::SmemUnitsW-1:0] free_smem_i,
  output logic [hd_pkg::NumSmx-1:0]                    fits_o
);

  localparam int NumSmx = hd_pkg::NumSmx;
  localparam int NeedW = hd_pkg::NeedW;
  localparam int WarpsW = hd_pkg::WarpsW;
  localparam int RegUnitsW = hd_pkg::RegUnitsW;
  localparam int SmemUnitsW = hd_pkg::SmemUnitsW;

  logic [NumSmx-1:0] fit_q, fit_next_q, next_room;
  logic [NumSmx*NeedW-1:0] fit_need_q;
  logic [NeedW-1:0] next, next_need_q;

  assign next = next_need_i;

  for (genvar i = 0; i < NumSmx; i++) begin : g_smx
    assign next_room[i] = next[SmemUnitsW+RegUnitsW+:WarpsW] <= free_warps_i[i*WarpsW+:WarpsW]
        && next[SmemUnitsW+:RegUnitsW] <= free_regs_i[i*RegUnitsW+:RegUnitsW]
        && next[SmemUnitsW-1:0] <= free_smem_i[i*SmemUnitsW+:SmemUnitsW];

    assign fits_o[i] = (fit_q[i]
            && need_i[i*NeedW+:NeedW] == fit_need_q[i*NeedW+:NeedW])
        || (fit_next_q[i] && need_i[i*NeedW+:NeedW] == next_need_q);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fit_q      <= '0;
      fit_next_q <= '0;
    end else begin
      fit_q      <= offered_i & room_i & slot_i;
      fit_next_q <= next_room & slot_i & {NumSmx{next_valid_i}};
    end
  end

  always_ff @(posedge clk_i) begin
    fit_need_q  <= need_i;
    next_need_q <= next;
  end

endmodule
