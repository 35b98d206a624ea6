// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_demo_memory: the memory behind the plane's AXI4 port, in block RAM, with a port for the host.
//
//   AR --> [reads] --------------> RAM --> R
//   AW --> [writes], [write ids] --^ |
//   W  --> [beats] ----------------' '---> the host
//
// - Rows of 16 bytes. Addresses wrap at the size of the memory.
// - A read returns its first beat Latency cycles after its address was accepted, a write its answer
//   Latency cycles after its address and its last beat were; or later, behind older answers of that
//   direction: bursts are answered in order, one beat per cycle. This is the memory of the golden
//   model's functions for simulators (hd_dpi_device), as long as no queue is full.
// - overrun_o stays 1 once a queue was full: the times then differ from the model's.
// - The host's access waits for a cycle in which the plane uses neither port of the RAM.
// - Reset drops all bursts; the contents stay.
// Part of the demonstrator (docs/demo.md).
`include "common/hd_assert.svh"
module hd_demo_memory #(
  parameter int Rows = 4096,
  parameter int Latency = 20  // 2 or more
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // AXI4
  input  logic                       awvalid_i,
  input  logic [hd_pkg::MemIdW-1:0]  awid_i,
  input  logic [hd_pkg::AddrW-1:0]   awaddr_i,
  input  logic [7:0]                 awlen_i,
  output logic                       awready_o,
  input  logic                       wvalid_i,
  input  logic [127:0]               wdata_i,
  input  logic [15:0]                wstrb_i,
  input  logic                       wlast_i,
  output logic                       wready_o,
  output logic                       bvalid_o,
  output logic [hd_pkg::MemIdW-1:0]  bid_o,
  input  logic                       arvalid_i,
  input  logic [hd_pkg::MemIdW-1:0]  arid_i,
  input  logic [hd_pkg::AddrW-1:0]   araddr_i,
  input  logic [7:0]                 arlen_i,
  output logic                       arready_o,
  output logic                       rvalid_o,
  output logic [hd_pkg::MemIdW-1:0]  rid_o,
  output logic [127:0]               rdata_o,
  output logic                       rlast_o,
  // Accesses of the host; the row that was read follows in the next cycle, on rdata_o
  input  logic                       host_req_i,
  input  logic                       host_write_i,
  input  logic [15:0]                host_row_i,
  input  logic [127:0]               host_data_i,
  output logic                       host_ack_o,
  // State
  output logic                       overrun_o
);

  localparam int RowW = $clog2(Rows), IdW = hd_pkg::MemIdW, TimeW = 12;
  localparam int Bursts = 16, Beats = 32;
  localparam int ReadW = IdW + RowW + 8 + TimeW;

  logic [TimeW-1:0] now_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) now_q <= '0;
    else now_q <= now_q + TimeW'(1);
  end

  // ---- Reads: a beat is read from the RAM in the cycle before it is returned ----
  logic read_full, read_empty, read_pop, read_issue, read_due;
  logic [IdW-1:0] read_id;
  logic [RowW-1:0] read_row;
  logic [7:0] read_len, read_at_q;
  logic [TimeW-1:0] read_time, read_late;
  logic rvalid_q, rlast_q;
  logic [IdW-1:0] rid_q;

  hd_fifo #(
    .Width(ReadW),
    .Depth(Bursts)
  ) u_reads (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .push_i  (arvalid_i && !read_full),
    .write_i (arvalid_i && !read_full),
    .data_i  ({arid_i, araddr_i[RowW+3:4], arlen_i, now_q + TimeW'(Latency - 1)}),
    .full_o  (read_full),
    .pop_i   (read_pop),
    .data_o  ({read_id, read_row, read_len, read_time}),
    .empty_o (read_empty)
  );

  assign arready_o  = !read_full;
  assign read_late  = now_q - read_time;
  assign read_due   = !read_late[TimeW-1];
  assign read_issue = !read_empty && (read_due || read_at_q != '0);
  assign read_pop   = read_issue && read_at_q == read_len;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_at_q <= '0;
      rvalid_q  <= 1'b0;
    end else begin
      if (read_issue) read_at_q <= read_pop ? '0 : read_at_q + 8'd1;
      rvalid_q <= read_issue;
    end
  end

  always_ff @(posedge clk_i) begin
    rid_q   <= read_id;
    rlast_q <= read_pop;
  end

  assign rvalid_o = rvalid_q;
  assign rid_o    = rid_q & {IdW{rvalid_q}};
  assign rlast_o  = rlast_q && rvalid_q;

  // ---- Writes: a beat enters the RAM as soon as its address is known ----
  logic write_full, write_empty, write_pop, beat_full, beat_empty, beat_last;
  logic [RowW-1:0] write_row;
  logic [7:0] write_at_q;
  logic [15:0] beat_strb;
  logic [127:0] beat_data;

  hd_fifo #(
    .Width(RowW),
    .Depth(Bursts)
  ) u_writes (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .push_i  (awvalid_i && awready_o),
    .write_i (awvalid_i && awready_o),
    .data_i  (awaddr_i[RowW+3:4]),
    .full_o  (write_full),
    .pop_i   (write_pop && beat_last),
    .data_o  (write_row),
    .empty_o (write_empty)
  );

  hd_fifo #(
    .Width(1 + 16 + 128),
    .Depth(Beats)
  ) u_beats (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .push_i  (wvalid_i && !beat_full),
    .write_i (wvalid_i && !beat_full),
    .data_i  ({wlast_i, wstrb_i, wdata_i}),
    .full_o  (beat_full),
    .pop_i   (write_pop),
    .data_o  ({beat_last, beat_strb, beat_data}),
    .empty_o (beat_empty)
  );

  assign wready_o  = !beat_full;
  assign write_pop = !write_empty && !beat_empty;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) write_at_q <= '0;
    else if (write_pop) write_at_q <= beat_last ? '0 : write_at_q + 8'd1;
  end

  // ---- Answers to writes: for each address and last beat that have arrived ----
  logic id_full, id_empty, answer_full, answer_empty, complete;
  logic [IdW-1:0] id, answer_id;
  logic [5:0] lasts_q;              // last beats of bursts that are not complete
  logic [TimeW-1:0] answer_time, answer_late;

  hd_fifo #(
    .Width(IdW),
    .Depth(Bursts)
  ) u_ids (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .push_i  (awvalid_i && awready_o),
    .write_i (awvalid_i && awready_o),
    .data_i  (awid_i),
    .full_o  (id_full),
    .pop_i   (complete),
    .data_o  (id),
    .empty_o (id_empty)
  );

  hd_fifo #(
    .Width(IdW + TimeW),
    .Depth(Bursts)
  ) u_answers (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .push_i  (complete),
    .write_i (complete),
    .data_i  ({id, now_q + TimeW'(Latency - 1)}),
    .full_o  (answer_full),
    .pop_i   (bvalid_o),
    .data_o  ({answer_id, answer_time}),
    .empty_o (answer_empty)
  );

  assign awready_o   = !write_full && !id_full;
  assign complete    = !id_empty && lasts_q != '0 && !answer_full;
  assign answer_late = now_q - answer_time;
  assign bvalid_o    = !answer_empty && !answer_late[TimeW-1];
  assign bid_o       = answer_id & {IdW{bvalid_o}};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) lasts_q <= '0;
    else lasts_q <= lasts_q + 6'(wvalid_i && wready_o && wlast_i) - 6'(complete);
  end

  // ---- The RAM, a byte of a row each ----
  logic host_get, host_put;
  logic [RowW-1:0] write_to, read_from;
  logic [15:0] strb;
  logic [127:0] wdata, rdata;

  assign host_get   = host_req_i && !host_write_i && !read_issue && !write_pop;
  assign host_put   = host_req_i && host_write_i && !read_issue && !write_pop;
  assign host_ack_o = host_get || host_put;
  assign write_to   = write_pop ? write_row + RowW'(write_at_q) : host_row_i[RowW-1:0];
  assign read_from  = read_issue ? read_row + RowW'(read_at_q) : host_row_i[RowW-1:0];
  assign strb       = write_pop ? beat_strb : {16{host_put}};
  assign wdata      = write_pop ? beat_data : host_data_i;

  for (genvar k = 0; k < 16; k++) begin : g_byte
    hd_ram_1r1w #(
      .Width(8),
      .Depth(Rows),
      .Conflict(1'b1)
    ) u_byte (
      .clk_i   (clk_i),
      .rst_ni  (rst_ni),
      .we_i    (strb[k]),
      .waddr_i (write_to),
      .wdata_i (wdata[8*k +: 8]),
      .re_i    (read_issue || host_get),
      .raddr_i (read_from),
      .rdata_o (rdata[8*k +: 8])
    );
  end

  assign rdata_o = rdata;

  logic overrun_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) overrun_q <= 1'b0;
    else if ((arvalid_i && !arready_o) || (awvalid_i && !awready_o) || (wvalid_i && !wready_o)
        || answer_full) overrun_q <= 1'b1;
  end
  assign overrun_o = overrun_q;

  logic unused;
  assign unused = ^{awaddr_i, awlen_i, araddr_i, read_late, answer_late, host_row_i};

endmodule
