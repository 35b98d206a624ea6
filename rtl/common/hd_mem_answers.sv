// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_mem_answers: counts the bursts that a client of the memory port has in flight, and tells
// which answers the port owes, for the client's assertions. Nothing is synthesized.
//
//   accepted write burst --> [left: beats]  --last beat--> [owed: answers] --> b_valid
//   accepted read burst  --> [reads; their lengths] ------------------------> r_valid, last
//
// - take_ok_o: a write beat is accepted only of a write burst that was accepted before, and no
//   burst is accepted while such beats are left. b_ok_o: an answer comes only for a write whose
//   last beat was accepted before. r_ok_o: a beat comes only for a read that was accepted before,
//   oldest first, and last marks the last of its beats.
// - Kept by hd_memarb, whose memory keeps the rules of hd_axi4_rules, and by the port of hd_apu.
// - Parameters: Reads, Writes: bursts that the client has in flight at most, 1 to 64, asserted
//   here; Beats: of each read, or 0 if the reads of the client have several lengths.
// - Instantiated by the outermost module of a client, inside of `ifdef HD_ASSERT_ON, whose
//   integration assertions name the outputs.
// - Reset: nothing in flight; lengths have no reset.
// verilator coverage_off
`include "common/hd_assert.svh"

module hd_mem_answers #(
  parameter int Reads  = 1,
  parameter int Writes = 1,
  parameter int Beats  = 0
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // The client's port
  input  hd_pkg::memup_t    mem_up_i,
  input  hd_pkg::memdown_t  mem_down_i,
  // The port keeps the rules in this cycle
  output logic              take_ok_o,
  output logic              b_ok_o,
  output logic              r_ok_o
);

`ifdef HD_ASSERT_ON
  localparam int ReadW  = $clog2(Reads + 1);
  localparam int WriteW = $clog2(Writes + 1);
  localparam int RowW   = Reads > 1 ? $clog2(Reads) : 1;

  logic taken, write, read, write_end, read_end, take, b_valid, r_valid;
  logic [3:0] left_q;  // beats of the accepted write that are not accepted
  logic [WriteW-1:0] owed_q;
  logic [ReadW-1:0] reads_q;
  logic [2:0] beat_q, len;

  assign take      = mem_down_i.take;
  assign b_valid   = mem_down_i.b_valid;
  assign r_valid   = mem_down_i.r_valid;
  assign taken     = mem_up_i.valid && mem_down_i.ready;
  assign write     = taken && mem_up_i.req.write;
  assign read      = taken && !mem_up_i.req.write;
  assign write_end = take && left_q == 4'd1;
  assign read_end  = r_valid && mem_down_i.r.last;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q  <= '0;
      owed_q  <= '0;
      reads_q <= '0;
      beat_q  <= '0;
    end else begin
      if (write) left_q <= 4'(mem_up_i.req.len) + 4'd1;
      else if (take) left_q <= left_q - 4'd1;
      if (write_end != b_valid) begin
        owed_q <= write_end ? owed_q + WriteW'(1) : owed_q - WriteW'(1);
      end
      if (read != read_end) reads_q <= read ? reads_q + ReadW'(1) : reads_q - ReadW'(1);
      if (r_valid) beat_q <= mem_down_i.r.last ? '0 : beat_q + 3'd1;
    end
  end

  // ---- The length of the oldest read ------------------------------------------------------------
  if (Beats != 0) begin : g_fixed
    assign len = 3'(Beats - 1);
  end else begin : g_rows
    logic [RowW-1:0] first_q, free_q;
    logic [2:0] len_q[Reads];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        first_q <= '0;
        free_q  <= '0;
      end else begin
        if (read) free_q <= 32'(free_q) == Reads - 1 ? '0 : free_q + RowW'(1);
        if (read_end) first_q <= 32'(first_q) == Reads - 1 ? '0 : first_q + RowW'(1);
      end
    end

    always_ff @(posedge clk_i) begin
      if (read) len_q[free_q] <= mem_up_i.req.len;
    end

    assign len = len_q[first_q];
  end

  assign take_ok_o = (!take || left_q != '0) && (!taken || left_q == '0);
  assign b_ok_o    = !b_valid || owed_q != '0;
  assign r_ok_o    = !r_valid || (reads_q != '0 && mem_down_i.r.last == (beat_q == len));

  logic unused_bits;
  assign unused_bits = &{1'b0, mem_up_i, mem_down_i};

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (read) `HD_ASSERT(a_reads, 32'(reads_q) < Reads && (Beats == 0
          || 32'(mem_up_i.req.len) == Beats - 1),
          "The client reads with more bursts in flight than announced, or with another length.")
      if (write_end) `HD_ASSERT(a_writes, 32'(owed_q) < Writes,
          "The client has more unanswered writes in flight than announced.")
    end
  end
`else
  assign {take_ok_o, b_ok_o, r_ok_o} = '1;
`endif

endmodule
