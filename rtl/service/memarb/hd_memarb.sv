// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_memarb: arbitrates the clients of the memory port onto one AXI4 manager, one burst at a time.
//
//   mem_i[c] --> round robin --> [AR] / [AW] [W FIFO, 2] --> AXI4
//   mem_o[c] <-- [B] [R] <---------------------------------- AXI4 (id = client)
//
// All of it is ours.
// - One burst is accepted per cycle, reads and writes by one round-robin pointer, when both address
//   registers are empty and no write burst has beats left. The ready of a client depends on the
//   valid of the others, never on its own.
// - Write beats are accepted from their client, one per cycle, while the FIFO has room; the last is
//   marked.
// - B and R are always ready and registered: an answer reaches its client one cycle later. An id
//   without a client is ignored.
// - Latency: burst accepted at t, AR or AW valid at t+1, first W beat at t+2. AXI outputs come from
//   registers; payloads are 0 while not valid.
// - Reset: everything empty, pointer 0.
// Ports: memarb.csv. Model cmodel/service/memarb, tests verif/unit and verif/equiv test_memarb,
// page docs/service/memarb.md.
`include "common/hd_assert.svh"
module hd_memarb (
  input  logic                                           clk_i,
  input  logic                                           rst_ni,
  // Clients (ovfq, pool, susp, spill, dats, dgb)
  input  logic [hd_pkg::MemClients*hd_pkg::MemupW-1:0]   mem_i,
  output logic [hd_pkg::MemClients*hd_pkg::MemdownW-1:0] mem_o,
  // AXI4: write address
  output logic                                           awvalid_o,
  output logic [hd_pkg::MemIdW-1:0]                      awid_o,
  output logic [hd_pkg::AddrW-1:0]                       awaddr_o,
  output logic [7:0]                                     awlen_o,
  output logic [2:0]                                     awsize_o,
  output logic [1:0]                                     awburst_o,
  input  logic                                           awready_i,
  // AXI4: write data
  output logic                                           wvalid_o,
  output logic [127:0]                                   wdata_o,
  output logic [15:0]                                    wstrb_o,
  output logic                                           wlast_o,
  input  logic                                           wready_i,
  // AXI4: write response
  input  logic                                           bvalid_i,
  input  logic [hd_pkg::MemIdW-1:0]                      bid_i,
  input  logic [1:0]                                     bresp_i,
  output logic                                           bready_o,
  // AXI4: read address
  output logic                                           arvalid_o,
  output logic [hd_pkg::MemIdW-1:0]                      arid_o,
  output logic [hd_pkg::AddrW-1:0]                       araddr_o,
  output logic [7:0]                                     arlen_o,
  output logic [2:0]                                     arsize_o,
  output logic [1:0]                                     arburst_o,
  input  logic                                           arready_i,
  // AXI4: read data
  input  logic                                           rvalid_i,
  input  logic [hd_pkg::MemIdW-1:0]                      rid_i,
  input  logic [127:0]                                   rdata_i,
  input  logic [1:0]                                     rresp_i,
  input  logic                                           rlast_i,
  output logic                                           rready_o
);

  localparam int N = hd_pkg::MemClients;
  localparam int IdW = hd_pkg::MemIdW;
  localparam int AddrW = hd_pkg::AddrW;
  localparam int UpW = hd_pkg::MemupW;
  localparam int DownW = hd_pkg::MemdownW;

  logic [IdW-1:0] ptr_q;
  logic arvalid_q, awvalid_q, w_busy_q;
  logic [IdW-1:0] arid_q, awid_q, w_client_q;
  logic [AddrW-1:0] araddr_q, awaddr_q;
  logic [2:0] arlen_q, awlen_q;
  logic [3:0] w_left_q;

  // ---- Clients ----------------------------------------------------------------------------------
  logic [N-1:0] asks, ready, takes;
  logic [N-1:0] b_valid_q, r_valid_q;
  logic b_error_q;
  hd_pkg::memdata_t r_q, r;

  for (genvar c = 0; c < N; c++) begin : g_client
    hd_pkg::memdown_t down;
    assign asks[c] = mem_i[(c+1)*UpW-1];  // valid, the highest bit
    assign down = {ready[c], takes[c], b_valid_q[c], b_error_q, r_valid_q[c], r};
    assign mem_o[c*DownW+:DownW] = down;
  end

  // ---- Choice of the burst ----------------------------------------------------------------------
  logic can_take, take, take_read, take_write, any;
  logic [N-1:0] chosen, served;
  logic [IdW-1:0] client, client_next;
  hd_pkg::memup_t chosen_up;
  hd_pkg::memreq_t req;

  assign can_take = !arvalid_q && !awvalid_q && !w_busy_q;

  hd_rr_arb #(.N(N), .IdxW(IdW)) u_client (
    .req_i  (asks),
    .ptr_i  (ptr_q),
    .grant_o(chosen),
    .index_o(client),
    .valid_o(any),
    .next_o (client_next)
  );

  hd_rr_ready #(.N(N), .IdxW(IdW)) u_ready (
    .req_i  (asks),
    .ptr_i  (ptr_q),
    .ready_o(served)
  );

  assign ready = served & {N{can_take}};
  assign chosen_up = mem_i[client*UpW+:UpW];
  assign req = chosen_up.req;
  assign take = can_take && any;
  assign take_read = take && !req.write;
  assign take_write = take && req.write;

  // ---- Write beats ------------------------------------------------------------------------------
  logic beats_full, beats_none, beat, beat_last;
  hd_pkg::memup_t writer_up;
  hd_pkg::membeat_t beat_out;

  assign beat = w_busy_q && !beats_full;
  assign beat_last = w_left_q == 4'd1;
  assign writer_up = mem_i[w_client_q*UpW+:UpW];
  assign takes = {{N - 1{1'b0}}, beat} << w_client_q;

  hd_fifo #(.Width(hd_pkg::MembeatW + 1), .Depth(2)) u_wdata (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (beat),
    .write_i(beat),
    .data_i ({writer_up.wbeat, beat_last}),
    .full_o (beats_full),
    .pop_i  (wvalid_o && wready_i),
    .data_o ({beat_out, wlast_o}),
    .empty_o(beats_none)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ptr_q     <= '0;
      arvalid_q <= 1'b0;
      awvalid_q <= 1'b0;
      w_busy_q  <= 1'b0;
    end else begin
      if (take) ptr_q <= client_next;
      arvalid_q <= take_read || (arvalid_q && !arready_i);
      awvalid_q <= take_write || (awvalid_q && !awready_i);
      w_busy_q  <= take_write || (w_busy_q && !(beat && w_left_q == 4'd1));
    end
  end

  always_ff @(posedge clk_i) begin
    if (take_read) begin
      arid_q   <= client;
      araddr_q <= req.addr;
      arlen_q  <= req.len;
    end
    if (take_write) begin
      awid_q     <= client;
      awaddr_q   <= req.addr;
      awlen_q    <= req.len;
      w_client_q <= client;
    end
    if (take_write) w_left_q <= {1'b0, req.len} + 4'd1;
    else if (beat) w_left_q <= w_left_q - 4'd1;
  end

  // ---- Answers ----------------------------------------------------------------------------------
  logic [N-1:0] b_valid_d, r_valid_d;
  hd_pkg::memdata_t r_d;

  // An id beyond the clients shifts the bit out.
  assign b_valid_d = {{N - 1{1'b0}}, bvalid_i} << bid_i;
  assign r_valid_d = {{N - 1{1'b0}}, rvalid_i} << rid_i;
  assign r_d.hi = rdata_i[127:64];
  assign r_d.lo = rdata_i[63:0];
  assign r_d.last = rlast_i;
  assign r_d.error = rresp_i[1];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      b_valid_q <= '0;
      b_error_q <= 1'b0;
      r_valid_q <= '0;
    end else begin
      b_valid_q <= b_valid_d;
      b_error_q <= |b_valid_d && bresp_i[1];
      r_valid_q <= r_valid_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rvalid_i) r_q <= r_d;
  end

  assign r = |r_valid_q ? r_q : '0;

  assign awvalid_o = awvalid_q;
  assign awid_o = awvalid_q ? awid_q : '0;
  assign awaddr_o = awvalid_q ? awaddr_q : '0;
  assign awlen_o = awvalid_q ? 8'(awlen_q) : '0;
  assign awsize_o = 3'd4;
  assign awburst_o = 2'd1;
  assign wvalid_o = !beats_none;
  assign wdata_o = {beat_out.hi, beat_out.lo};
  assign wstrb_o = beat_out.strb;
  assign bready_o = 1'b1;
  assign arvalid_o = arvalid_q;
  assign arid_o = arvalid_q ? arid_q : '0;
  assign araddr_o = arvalid_q ? araddr_q : '0;
  assign arlen_o = arvalid_q ? 8'(arlen_q) : '0;
  assign arsize_o = 3'd4;
  assign arburst_o = 2'd1;
  assign rready_o = 1'b1;

  logic unused_bits;
  assign unused_bits = &{1'b0, chosen, chosen_up, writer_up, bresp_i[0], rresp_i[0]};

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT(a_ready, (asks & ready) == (chosen & {N{take}}),
          "The accepted burst is not that of the client whose valid and ready are 1.")
      if (w_busy_q) `HD_ASSERT(a_left, w_left_q >= 4'd1 && w_left_q <= 4'd8,
          "A write burst in progress has no beats left, or more than eight.")
      `HD_ASSERT(a_one_address, !(arvalid_q && awvalid_q),
          "A read and a write address are pending at once.")
      `HD_ASSERT(a_ptr, 32'(ptr_q) < N, "The round robin pointer names no client.")
    end
  end

  // Rare: a full FIFO stalls a burst; all clients request at once; errors.
  `HD_COVER(c_beats_full, w_busy_q && beats_full)
  `HD_COVER(c_all_ask, &asks && take)
  `HD_COVER(c_errors, b_error_q || (|r_valid_q && r_q.error))
`endif

endmodule
