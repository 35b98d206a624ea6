// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_burst: issues one burst at a time on the memory port, for a client that moves whole records.
//
//   start --> [Idle] --> [Req] --> write: [Beats] --> [WaitB] --> done
//                          '-----> read:  [WaitR] --------------> done
//
// - start_i while idle_o: the burst is latched, and requested from the next cycle on.
// - Write: the client drives wdata_i for beat_o, which is 0 from start until the first beat is
//   accepted. Read: rdata_valid_o marks r_i as beat beat_o.
// - done_o is 1 in the cycle of the answer (write) or of the last beat (read); error_o is then 1 if
//   any beat had an error. The next burst can start in the next cycle.
// - Latency: start at t, mem_o.valid at t+1. Outputs are registers, except done_o, error_o and
//   rdata_valid_o.
// - Reset: idle.
// Ours. Tested with the blocks that use it.
`include "common/hd_assert.svh"
module hd_burst (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     start_i,
  input  logic                     write_i,
  input  logic [hd_pkg::AddrW-1:0] addr_i,
  input  logic [2:0]               len_i,
  output logic                     idle_o,
  output logic [2:0]               beat_o,
  input  hd_pkg::membeat_t         wdata_i,
  output logic                     rdata_valid_o,
  output logic                     done_o,
  output logic                     error_o,
  output hd_pkg::memup_t          mem_o,
  input  hd_pkg::memdown_t        mem_i
);

  logic req_valid;
  hd_pkg::memreq_t req;
  hd_pkg::membeat_t wbeat;
  assign mem_o = {req_valid, req, wbeat};

  typedef enum logic [2:0] {
    Idle  = 3'd0,
    Req   = 3'd1,
    Beats = 3'd2,
    WaitB = 3'd3,
    WaitR = 3'd4
  } state_e;

  state_e state_q;
  hd_pkg::memreq_t req_q;
  logic [2:0] beat_q;
  logic error_q;  // an earlier beat had an error

  assign done_o = (state_q == WaitB && mem_i.b_valid)
      || (state_q == WaitR && mem_i.r_valid && mem_i.r.last);
  assign error_o = done_o && (state_q == WaitB ? mem_i.b_error : error_q || mem_i.r.error);

  logic [2:0] last_beat;
  assign last_beat = req_q.len;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Idle;
    end else begin
      case (state_q)
        Idle: if (start_i) state_q <= Req;
        Req: if (mem_i.ready) state_q <= req_q.write ? Beats : WaitR;
        Beats: if (mem_i.take && beat_q == last_beat) state_q <= WaitB;
        default: if (done_o) state_q <= Idle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == Idle && start_i) begin
      req_q.write <= write_i;
      req_q.addr  <= addr_i;
      req_q.len   <= len_i;
      beat_q      <= '0;
      error_q     <= 1'b0;
    end else begin
      if ((state_q == Beats && mem_i.take) || rdata_valid_o) beat_q <= beat_q + 3'd1;
      if (rdata_valid_o && mem_i.r.error) error_q <= 1'b1;
    end
  end

  assign idle_o        = state_q == Idle;
  assign beat_o        = beat_q;
  assign rdata_valid_o = state_q == WaitR && mem_i.r_valid;
  assign req_valid     = state_q == Req;
  assign req           = req_valid ? req_q : '0;
  assign wbeat         = ((req_valid && req_q.write) || state_q == Beats) ? wdata_i : '0;

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (mem_i.b_valid) `HD_ASSERT_IN(a_answer, state_q == WaitB,
          "A write is answered while the burst awaits no answer.")
      if (mem_i.r_valid) `HD_ASSERT_IN(a_data, state_q == WaitR,
          "A read beat arrives while no read is in flight.")
      if (mem_i.take) `HD_ASSERT_IN(a_take, state_q == Beats,
          "The port accepts a write beat outside of a write burst.")
      if (rdata_valid_o) `HD_ASSERT_IN(a_last, mem_i.r.last == (beat_q == req_q.len),
          "A read returns more or fewer beats than requested.")
    end
  end
`endif

endmodule
