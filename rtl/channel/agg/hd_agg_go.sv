// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_agg_go: the output register of a wavefront that starts, for the CUs.
//
//   new work or a restart, CU, free slot of each CU --> [go] --> go
//
// - Latency: chosen at t, on go at t+1. Outputs come from registers.
// - Reset: nothing starts.
// Part of hd_agg; page docs/channel/agg.md.
module hd_agg_go (
  input  logic                                   clk_i,
  input  logic                                   rst_ni,
  // New work goes; a restart does
  input  logic                                   new_i,
  input  logic                                   restart_i,
  // The CU, and the free slot of each CU
  input  logic [hd_pkg::NumCu-1:0]               cu_i,
  input  logic [hd_pkg::NumCu*hd_pkg::WaveW-1:0] free_i,
  // New work: its channel, its start before wrapping, the capacity, the count
  input  logic [hd_pkg::ChanW-1:0]               own_i,
  input  logic [hd_pkg::ChanPosW-1:0]            start_i,
  input  logic [hd_pkg::ChanCapW-1:0]            cap_i,
  input  logic [hd_pkg::LanesW-1:0]              count_i,
  // The restart
  input  hd_pkg::chanback_t                      back_i,
  // The wavefront that starts
  output logic                                   go_valid_o,
  output hd_pkg::chango_t                        go_o
);

  localparam int NumCu = hd_pkg::NumCu;
  localparam int CuW = hd_pkg::CuW;
  localparam int WaveW = hd_pkg::WaveW;

  logic go_q, restart_q;
  logic [hd_pkg::ChanPosW-1:0] start_q, last;
  logic [hd_pkg::ChanCapW-1:0] cap_q;
  logic [hd_pkg::LanesW-1:0] count_q;
  logic [NumCu-1:0] cu_q;
  logic [NumCu*WaveW-1:0] free_q;
  logic [hd_pkg::ChanW-1:0] own_q;
  hd_pkg::chanback_t back_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) go_q <= 1'b0;
    else go_q <= new_i || restart_i;
  end

  always_ff @(posedge clk_i) begin
    restart_q <= restart_i;
    start_q   <= start_i;
    cap_q     <= cap_i;
    count_q   <= count_i;
    cu_q      <= cu_i;
    free_q    <= free_i;
    own_q     <= own_i;
    back_q    <= back_i;
  end

  assign go_valid_o = go_q;
  assign last       = ~({hd_pkg::ChanPosW{1'b1}} << 1 << cap_q);  // the last control place

  always_comb begin
    go_o = '0;
    for (int u = 0; u < NumCu; u++) begin
      go_o.cu   = go_o.cu | (CuW'(u) & {CuW{go_q && cu_q[u]}});
      go_o.slot = go_o.slot | (free_q[u*WaveW+:WaveW] & {WaveW{go_q && cu_q[u]}});
    end
    if (go_q && restart_q) begin
      go_o.restart = 1'b1;
      go_o.own     = back_q.own;
      go_o.chan    = back_q.chan;
      go_o.base    = back_q.base;
      go_o.code    = back_q.code;
      go_o.ctx     = back_q.ctx;
    end else if (go_q) begin
      go_o.own   = own_q;
      go_o.start = start_q & last;
      go_o.count = count_q;
    end
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, back_q.cu};

endmodule
