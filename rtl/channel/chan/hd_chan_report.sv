// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_chan_report: reports an operation to the aggregator in the cycle after its answer: elements
// reserved or done, or a wavefront that yields.
//
// - Latency: valid_i, op_i, cu_i, code_i, yield_i at t, outputs at t+1, from registers. Payloads
//   are 0 without their valid. Reset: nothing reported.
// Part of hd_chan; page docs/channel/chan.md, rule C11.
module hd_chan_report (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // The operation being judged
  input  logic                   valid_i,
  input  hd_pkg::chanop_t        op_i,
  input  logic [hd_pkg::CuW-1:0] cu_i,
  input  hd_pkg::chcode_e        code_i,
  input  logic                   yield_i,
  // A wavefront yields
  output logic                   yield_valid_o,
  output hd_pkg::chanyield_t     yield_o,
  // Elements reserved or done
  output logic                   live_valid_o,
  output hd_pkg::chanlive_t      live_o
);

  logic live_q, yield_q;
  logic [hd_pkg::CuW-1:0] cu_q;
  hd_pkg::chanop_t op_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      live_q  <= 1'b0;
      yield_q <= 1'b0;
    end else begin
      live_q  <= valid_i && code_i == hd_pkg::ChcodeOk
          && (op_i.kind == hd_pkg::ChopTalloc || op_i.kind == hd_pkg::ChopTfree);
      yield_q <= yield_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      cu_q <= cu_i;
      op_q <= op_i;
    end
  end

  assign live_valid_o  = live_q;
  assign yield_valid_o = yield_q;

  always_comb begin
    yield_o = '0;
    live_o  = '0;
    if (yield_q) begin
      yield_o.cu   = cu_q;
      yield_o.slot = op_q.slot;
      yield_o.chan = op_q.chan;
      yield_o.n    = op_q.n;
      yield_o.ctx  = op_q.ctx;
    end
    if (live_q) begin
      live_o.chan = op_q.chan;
      live_o.n    = op_q.n;
      live_o.done = op_q.kind == hd_pkg::ChopTfree;
    end
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, op_q.off};

endmodule
