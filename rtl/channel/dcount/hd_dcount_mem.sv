// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_dcount_mem: reads beats of done counts from memory and writes them back.
//
//   new entry --> [u_ask] --> read --> [u_await] --> the entry of the next beat
//   counts that leave --> [out] --> write --> [u_writes] --> the entry that is free again
//
// Done counts in memory are from channels-isca2014 section 3.2; beats on chip are ours.
// - Many reads may be in flight; answers come in order. A write goes before reads.
// - Outputs come from registers, except mem_o.req, whose address comes from RAM.
// - Reset: nothing in flight; addresses have no reset.
// Part of hd_dcount; page docs/channel/dcount.md, rules D7 and D8.
`include "common/hd_assert.svh"
module hd_dcount_mem (
  input  logic                                      clk_i,
  input  logic                                      rst_ni,
  // A channel is set up
  input  logic                                      set_i,
  input  logic [hd_pkg::ChanW-1:0]                  set_chan_i,
  input  logic [hd_pkg::ChanBaseW-1:0]              set_done_i,
  // The beats of the entries
  input  logic [hd_pkg::DoneRows*hd_pkg::ChanW-1:0]   entry_chan_i,
  input  logic [hd_pkg::DoneRows*hd_pkg::DoneNoW-1:0] entry_no_i,
  // An entry is new
  input  logic                                      new_i,
  input  logic [hd_pkg::DoneEntryW-1:0]             new_entry_i,
  // Counts leave
  input  logic                                      out_i,
  input  logic [hd_pkg::DoneEntryW-1:0]             out_entry_i,
  input  logic [127:0]                              out_counts_i,
  output logic                                      out_full_o,
  // A beat arrives for this entry; the beat of one is in memory
  output logic [hd_pkg::DoneEntryW-1:0]             r_entry_o,
  output logic [hd_pkg::DoneEntryW-1:0]             b_entry_o,
  output logic [hd_pkg::NumChan-1:0]                fail_o,       // channels that lose counts
  // Memory port
  output hd_pkg::memup_t                           mem_o,
  input  hd_pkg::memdown_t                         mem_i
);

  localparam int EntryW = hd_pkg::DoneEntryW;
  localparam int Rows = hd_pkg::DoneRows;
  localparam int ChanW = hd_pkg::ChanW;
  localparam int NoW = hd_pkg::DoneNoW;
  localparam int BaseW = hd_pkg::ChanBaseW;

  logic req_valid;
  hd_pkg::memreq_t req;
  hd_pkg::membeat_t wbeat;
  assign mem_o = {req_valid, req, wbeat};

  typedef enum logic [1:0] {
    AskIdle  = 2'd0,
    AskRead  = 2'd1,
    AskWrite = 2'd2,
    AskBeat  = 2'd3
  } ask_e;

  ask_e ask_q;
  logic out_q, asks_none, none_awaited, none_written, read, write, asked, out_taken;
  logic asks_full, awaits_full, writes_full;
  logic [EntryW-1:0] ask_entry, out_entry_q, entry;
  logic [127:0] out_counts_q;

  // ---- Queues ----------------------------------------------------------------------------------
  hd_fifo #(.Width(EntryW), .Depth(Rows)) u_ask (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (new_i),
    .write_i(new_i),
    .data_i (new_entry_i),
    .full_o (asks_full),
    .pop_i  (read),
    .data_o (ask_entry),
    .empty_o(asks_none)
  );

  hd_fifo #(.Width(EntryW), .Depth(Rows)) u_await (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (read),
    .write_i(read),
    .data_i (ask_entry),
    .full_o (awaits_full),
    .pop_i  (mem_i.r_valid),
    .data_o (r_entry_o),
    .empty_o(none_awaited)
  );

  hd_fifo #(.Width(EntryW), .Depth(Rows)) u_writes (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (write),
    .write_i(write),
    .data_i (out_entry_q),
    .full_o (writes_full),
    .pop_i  (mem_i.b_valid),
    .data_o (b_entry_o),
    .empty_o(none_written)
  );

  // ---- Errors -----------------------------------------------------------------------------------
  logic [hd_pkg::NumChan-1:0] fail_q, read_fails, write_fails;

  hd_onehot #(.N(hd_pkg::NumChan), .IdxW(ChanW)) u_read_fails (
    .valid_i (mem_i.r_valid && mem_i.r.error),
    .index_i (entry_chan_i[r_entry_o*ChanW+:ChanW]),
    .onehot_o(read_fails)
  );

  hd_onehot #(.N(hd_pkg::NumChan), .IdxW(ChanW)) u_write_fails (
    .valid_i (mem_i.b_valid && mem_i.b_error),
    .index_i (entry_chan_i[b_entry_o*ChanW+:ChanW]),
    .onehot_o(write_fails)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fail_q <= '0;
    else fail_q <= read_fails | write_fails;
  end

  assign fail_o = fail_q;

  // ---- The port ---------------------------------------------------------------------------------
  assign asked     = ask_q == AskIdle && (out_q || !asks_none);
  assign read      = ask_q == AskRead && mem_i.ready;
  assign write     = ask_q == AskWrite && mem_i.ready;
  assign out_taken = ask_q == AskBeat && mem_i.take;
  assign entry     = out_q && ask_q != AskRead ? out_entry_q : ask_entry;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ask_q <= AskIdle;
      out_q <= 1'b0;
    end else begin
      case (ask_q)
        AskIdle: if (asked) ask_q <= out_q ? AskWrite : AskRead;
        AskRead: if (mem_i.ready) ask_q <= AskIdle;
        AskWrite: if (mem_i.ready) ask_q <= AskBeat;
        default: if (mem_i.take) ask_q <= AskIdle;
      endcase
      out_q <= out_i || (out_q && !out_taken);
    end
  end

  always_ff @(posedge clk_i) begin
    if (out_i) begin
      out_entry_q  <= out_entry_i;
      out_counts_q <= out_counts_i;
    end
  end

  assign out_full_o = out_q;

  logic [BaseW-1:0] base;
  logic [BaseW+2:0] beat;  // address in beats

  hd_ram_1r1w #(.Width(BaseW), .Depth(hd_pkg::NumChan), .AddrW(ChanW)) u_base (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (set_i),
    .waddr_i(set_chan_i),
    .wdata_i(set_done_i),
    .re_i   (asked),
    .raddr_i(entry_chan_i[entry*ChanW+:ChanW]),
    .rdata_o(base)
  );

  assign beat      = {base, 3'b0} | (BaseW + 3)'(entry_no_i[entry*NoW+:NoW]);  // base is aligned
  assign req_valid = ask_q == AskRead || ask_q == AskWrite;

  always_comb begin
    req   = '0;
    wbeat = '0;
    if (req_valid) begin
      req.write = ask_q == AskWrite;
      req.addr  = {beat, 4'b0};
    end
    if (ask_q == AskWrite || ask_q == AskBeat) begin
      {wbeat.hi, wbeat.lo} = out_counts_q;
      wbeat.strb = '1;
    end
  end

  // Each FIFO holds an entry at most once, so none is ever too full.
  logic unused_bits;
  assign unused_bits = &{1'b0, asks_full, awaits_full, writes_full};

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (mem_i.r_valid) `HD_ASSERT_IN(a_read, !none_awaited,
          "A read beat arrives while no read is in flight.")
      if (mem_i.b_valid) `HD_ASSERT_IN(a_written, !none_written,
          "A write is answered while none is in flight.")
      if (out_i) `HD_ASSERT_IN(a_out, !out_q,
          "Counts leave while the previous ones still wait to be written.")
    end
  end

  // Rare: a write goes before a read; both kinds of answers at once.
  `HD_COVER(c_write_first, asked && out_q && !asks_none)
  `HD_COVER(c_answers, mem_i.r_valid && mem_i.b_valid)
`endif

endmodule
