// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_axi4_rules: checks the AXI4 rules of a manager port and of the memory behind it with
// assertions. Nothing is synthesized.
//
//   manager: an offer stays valid and unchanged until accepted; bursts are INCR, 1 to 8 beats of
//            16 bytes, aligned, within 4 KB, with an ID below Ids; a write has as many beats as
//            its address announces, the last one marked; answers are always accepted at once;
//            fields are 0 while their valid is 0
//   memory:  B only for a write whose address and data were accepted; R only for an accepted
//            read, with the requested number of beats, the last one marked
//
// - Stricter than AXI4, and kept by hd_memarb and its clients: at most 64 reads in flight per ID;
//   at most four writes whose address was accepted before their data; at most one write whose data
//   was accepted before its address.
// verilator coverage_off
`include "common/hd_assert.svh"

module hd_axi4_rules #(
  parameter int Ids = 4,
  parameter int IdW = 2,
  parameter int AddrW = 40
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             awvalid_i,
  input logic [IdW-1:0]   awid_i,
  input logic [AddrW-1:0] awaddr_i,
  input logic [7:0]       awlen_i,
  input logic [2:0]       awsize_i,
  input logic [1:0]       awburst_i,
  input logic             awready_i,
  input logic             wvalid_i,
  input logic [127:0]     wdata_i,
  input logic [15:0]      wstrb_i,
  input logic             wlast_i,
  input logic             wready_i,
  input logic             bvalid_i,
  input logic [IdW-1:0]   bid_i,
  input logic             bready_i,
  input logic             arvalid_i,
  input logic [IdW-1:0]   arid_i,
  input logic [AddrW-1:0] araddr_i,
  input logic [7:0]       arlen_i,
  input logic [2:0]       arsize_i,
  input logic [1:0]       arburst_i,
  input logic             arready_i,
  input logic             rvalid_i,
  input logic [IdW-1:0]   rid_i,
  input logic             rlast_i,
  input logic             rready_i
);

`ifdef HD_ASSERT_ON
  localparam int Fields = IdW + AddrW + 8 + 3 + 2;

  function automatic logic burst_ok(input logic [IdW-1:0] id, input logic [11:0] addr,
      input logic [7:0] len, input logic [2:0] size, input logic [1:0] kind);
    return 32'(id) < Ids && addr[3:0] == 4'd0 && len < 8'd8 && size == 3'd4 && kind == 2'd1
        && 32'(addr[11:4]) + 32'(len) < 256;
  endfunction

  logic [Fields-1:0] aw, ar;
  logic aw_taken, w_taken, w_end, ar_taken;

  assign aw = {awid_i, awaddr_i, awlen_i, awsize_i, awburst_i};
  assign ar = {arid_i, araddr_i, arlen_i, arsize_i, arburst_i};
  assign aw_taken = awvalid_i && awready_i;
  assign w_taken = wvalid_i && wready_i;
  assign w_end = w_taken && wlast_i;
  assign ar_taken = arvalid_i && arready_i;

  // ---- Write bursts whose address was accepted before their data, in order ---------------------
  localparam int Depth = 4;
  logic [2:0] wait_q;  // number of these
  logic [Depth*8-1:0] len_q;
  logic [Depth*IdW-1:0] id_q;
  logic ahead_q;  // data accepted before the address of the burst offered on AW
  logic [7:0] beat_q, len;
  logic [IdW-1:0] id;
  logic push, pop;

  assign push = aw_taken && !ahead_q && !(w_end && wait_q == 3'd0);
  assign pop = w_end && wait_q != 3'd0;
  assign len = wait_q == 3'd0 ? awlen_i : len_q[7:0];
  assign id = wait_q == 3'd0 ? awid_i : id_q[IdW-1:0];

  // ---- Answers owed by memory: to writes, and reads with their beats, by ID --------------------
  localparam int Reads = 64;
  logic [Ids*8-1:0] b_owed_q;
  logic [2:0] r_len_q[Reads << IdW];
  logic [6:0] r_owed_q[1 << IdW];
  logic [5:0] r_first_q[1 << IdW];
  logic [2:0] r_beat_q[1 << IdW];
  logic whole;  // the second of address and data of a write is accepted
  logic [IdW-1:0] whole_id;

  assign whole = w_end ? (wait_q != 3'd0 || aw_taken) : (aw_taken && ahead_q);
  assign whole_id = w_end ? id : awid_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wait_q   <= '0;
      ahead_q  <= 1'b0;
      beat_q   <= '0;
      b_owed_q <= '0;
    end else begin
      wait_q  <= wait_q + 3'(push) - 3'(pop);
      ahead_q <= !aw_taken && (ahead_q || (w_end && wait_q == 3'd0));
      if (w_taken) beat_q <= wlast_i ? '0 : beat_q + 8'd1;
      for (int k = 0; k < Ids; k++) begin
        b_owed_q[k*8+:8] <= b_owed_q[k*8+:8] + 8'(whole && 32'(whole_id) == k)
            - 8'(bvalid_i && 32'(bid_i) == k);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    for (int k = 0; k < Depth; k++) begin
      if (pop && k + 1 < Depth) begin
        len_q[k*8+:8]     <= len_q[(k+1)%Depth*8+:8];
        id_q[k*IdW+:IdW]  <= id_q[(k+1)%Depth*IdW+:IdW];
      end
      if (push && 32'(wait_q) - 32'(pop) == k) begin
        len_q[k*8+:8]    <= awlen_i;
        id_q[k*IdW+:IdW] <= awid_i;
      end
    end
  end

  logic r_end;
  logic [6:0] ar_owed, r_owed;
  logic [5:0] ar_row;
  logic [2:0] r_len, r_beat;

  assign r_end   = rvalid_i && rlast_i;
  assign ar_owed = r_owed_q[arid_i];
  assign ar_row  = r_first_q[arid_i] + 6'(ar_owed);
  assign r_owed  = r_owed_q[rid_i];
  assign r_beat  = r_beat_q[rid_i];
  assign r_len   = r_len_q[{rid_i, r_first_q[rid_i]}];

  for (genvar k = 0; k < 1 << IdW; k++) begin : g_reads
    logic more, less;
    assign more = ar_taken && 32'(arid_i) == k;
    assign less = r_end && 32'(rid_i) == k;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        r_owed_q[k]  <= '0;
        r_first_q[k] <= '0;
        r_beat_q[k]  <= '0;
      end else begin
        if (more != less) r_owed_q[k] <= more ? r_owed_q[k] + 7'd1 : r_owed_q[k] - 7'd1;
        if (less) r_first_q[k] <= r_first_q[k] + 6'd1;
        if (rvalid_i && 32'(rid_i) == k) r_beat_q[k] <= rlast_i ? '0 : r_beat_q[k] + 3'd1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (ar_taken) r_len_q[{arid_i, ar_row}] <= 3'(arlen_i);
  end

  `HD_ASSERT_PROP(a_aw_stays, awvalid_i && !awready_i |=> awvalid_i && $stable(aw),
      "The plane withdrew or changed a write address before it was accepted.")
  `HD_ASSERT_PROP(a_w_stays, wvalid_i && !wready_i |=> wvalid_i
      && $stable({wdata_i, wstrb_i, wlast_i}),
      "The plane withdrew or changed write data before they were accepted.")
  `HD_ASSERT_PROP(a_ar_stays, arvalid_i && !arready_i |=> arvalid_i && $stable(ar),
      "The plane withdrew or changed a read address before it was accepted.")
  `HD_ASSERT_PROP(a_aw_burst, awvalid_i
      |-> burst_ok(awid_i, awaddr_i[11:0], awlen_i, awsize_i, awburst_i),
      "The plane requested an illegal write burst.")
  `HD_ASSERT_PROP(a_ar_burst, arvalid_i
      |-> burst_ok(arid_i, araddr_i[11:0], arlen_i, arsize_i, arburst_i),
      "The plane requested an illegal read burst.")
  `HD_ASSERT_PROP(a_w_beats, wvalid_i |-> (wait_q != 3'd0 || (awvalid_i && !ahead_q))
      && wlast_i == (beat_q == len),
      "The plane sent write data without an address, or last on the wrong beat.")
  `HD_ASSERT_PROP(a_strobes, wvalid_i |-> wstrb_i != '0,
      "The plane sent a beat of write data without a strobe.")
  `HD_ASSERT_PROP(a_answers_taken, bready_i && rready_i,
      "The plane did not accept an answer at once, as the counts here require.")
  `HD_ASSERT_PROP(a_idle_zero, (awvalid_i || {awid_i, awaddr_i, awlen_i} == '0) && (arvalid_i
      || {arid_i, araddr_i, arlen_i} == '0),
      "An address of the plane was not 0 while its valid was 0.")
  `HD_ASSERT_PROP(a_reads, ar_taken |-> 32'(ar_owed) < Reads,
      "The plane had more reads of an ID in flight than allowed.")
  `HD_ASSERT_PROP(a_depth, !(push && 32'(wait_q) == Depth && !pop),
      "The plane had more than four writes in flight whose data were not sent.")
  `HD_ASSERT_PROP_IN(a_b_owed, bvalid_i |-> 32'(bid_i) < Ids && b_owed_q[32'(bid_i)*8+:8] != '0,
      "Memory answered a write that was not in flight.")
  `HD_ASSERT_PROP_IN(a_r_owed, rvalid_i |-> 32'(rid_i) < Ids && r_owed != '0 && rlast_i == (r_beat
      == r_len),
      "Memory sent read data without a read in flight, or last on the wrong beat.")
`endif

endmodule
