// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_susp_saved: prefetches the saved TBs of the kernel in the SSCR, 16 at a time.
//
//   SSCR, saved lists --> [tag: kernel, place, TBs left] --------------> the next burst
//                                                                        | beats
//                              sv, to sched <-- [chunk: 16 saved TBs] <--'
//
// Ours. hd_susp describes the layout of a saved list.
// - next_o: a burst is wanted, for the chunk of 16 that contains pos_o. stale_o: the SSCR has
//   changed, so it is not wanted; the tag is updated at the end of the cycle.
// - A burst in flight when the SSCR changes is dropped at its end (wanted_o is 0), with its errors.
// - A chunk is valid until its last saved TB is popped or the SSCR changes. A list wraps at SavMax.
// - chunk_fail: a wanted burst had an error; one cycle later.
// - Latency: tag one cycle after the SSCR; sv_* one cycle after the end of a burst, and after
//   sv_pop_i. All outputs are registers, except stale_o and wanted_o.
// - Reset: no tag, no chunk.
// Part of hd_susp, whose tests cover it.
module hd_susp_saved (
  input  logic                                         clk_i,
  input  logic                                         rst_ni,
  // The kernel in the SSCR, the saved lists
  input  logic                                         cur_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      cur_kdei_i,
  input  logic [hd_pkg::NumKde*hd_pkg::SavW-1:0]       sav_first_i,
  input  logic [hd_pkg::NumKde*hd_pkg::SavCountW-1:0]  sav_count_i,
  // The next burst
  output logic                                         next_o,
  output logic                                         stale_o,
  output logic [hd_pkg::KdeW-1:0]                      kdei_o,
  output logic [hd_pkg::SavW-1:0]                      pos_o,
  // The burst in flight; reading_i: it reads saved TBs
  input  logic                                         reading_i,
  input  logic                                         beat_valid_i,
  input  logic [2:0]                                   beat_i,
  input  hd_pkg::memdata_t                             r_i,
  input  logic                                         done_i,
  input  logic                                         error_i,
  output logic                                         wanted_o,
  // The next saved TB
  output logic                                         sv_valid_o,
  output logic [hd_pkg::KdeW-1:0]                      sv_kdei_o,
  output hd_pkg::saved_t                               sv_o,
  input  logic                                         sv_pop_i,
  // A list cannot be read
  output logic                                         chunk_fail_valid_o,
  output logic [hd_pkg::KdeW-1:0]                      chunk_fail_kdei_o
);

  localparam int KdeW = hd_pkg::KdeW;
  localparam int SavW = hd_pkg::SavW;
  localparam int SavCountW = hd_pkg::SavCountW;
  localparam int EntryW = hd_pkg::SavedW;
  localparam int ChunkPosW = 4;

  logic sv_tag_q, chunk_valid_q, drop_q;
  logic [KdeW-1:0] sv_kdei_q;
  logic [SavW-1:0] sv_pos_q;
  logic [SavCountW-1:0] sv_left_q;
  logic [16*EntryW-1:0] chunk_q;
  logic chunk_fail_q;
  logic [KdeW-1:0] chunk_fail_kdei_q;

  // ---- The kernel of the saved TBs -------------------------------------------------------------
  logic want, flush, pop;
  logic [SavCountW-1:0] cur_count;

  assign cur_count = sav_count_i[cur_kdei_i*SavCountW+:SavCountW];
  assign want  = cur_valid_i && cur_count != '0;
  assign flush = !(sv_tag_q == want && (!want || sv_kdei_q == cur_kdei_i));
  assign pop   = sv_pop_i && !flush;

  assign next_o  = sv_tag_q && sv_left_q != '0 && !chunk_valid_q;
  assign stale_o = flush;
  assign kdei_o  = sv_kdei_q;
  assign pos_o   = sv_pos_q;

  always_ff @(posedge clk_i) begin
    if (flush) begin
      sv_kdei_q <= cur_kdei_i;
      sv_pos_q  <= sav_first_i[cur_kdei_i*SavW+:SavW];
      sv_left_q <= cur_count;
    end else if (pop) begin
      sv_pos_q  <= sv_pos_q == SavW'(hd_pkg::SavMax - 1) ? '0
          : sv_pos_q + SavW'(1);
      sv_left_q <= sv_left_q - SavCountW'(1);
    end
  end

  // ---- The chunk --------------------------------------------------------------------------------
  logic [EntryW-1:0] entry_even, entry_odd;

  assign entry_even = {hd_pkg::ParamW'(r_i.lo), hd_pkg::LevelW'(r_i.lo >> 40)};
  assign entry_odd  = {hd_pkg::ParamW'(r_i.hi), hd_pkg::LevelW'(r_i.hi >> 40)};

  for (genvar b = 0; b < 8; b++) begin : g_chunk
    always_ff @(posedge clk_i) begin
      if (beat_valid_i && reading_i && beat_i == 3'(b)) begin
        chunk_q[2*b*EntryW+:EntryW]     <= entry_even;
        chunk_q[(2*b+1)*EntryW+:EntryW] <= entry_odd;
      end
    end
  end

  assign wanted_o = reading_i && !drop_q && !flush;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sv_tag_q      <= 1'b0;
      chunk_valid_q <= 1'b0;
      drop_q        <= 1'b0;
      chunk_fail_q  <= 1'b0;
    end else begin
      if (flush) sv_tag_q <= want;
      if (flush || (pop && sv_pos_q[ChunkPosW-1:0] == 4'd15)) begin
        chunk_valid_q <= 1'b0;
      end else if (done_i && wanted_o && !error_i) chunk_valid_q <= 1'b1;
      drop_q       <= reading_i && !done_i && (drop_q || flush);
      chunk_fail_q <= error_i && wanted_o;
    end
  end

  always_ff @(posedge clk_i) begin
    if (done_i) chunk_fail_kdei_q <= sv_kdei_q;
  end

  // ---- Outputs ----------------------------------------------------------------------------------
  assign sv_valid_o = sv_tag_q && sv_left_q != '0 && chunk_valid_q;
  assign sv_kdei_o  = sv_valid_o ? sv_kdei_q : '0;
  assign sv_o       = sv_valid_o ? chunk_q[sv_pos_q[ChunkPosW-1:0]*EntryW+:EntryW] : '0;
  assign chunk_fail_valid_o = chunk_fail_q;
  assign chunk_fail_kdei_o  = chunk_fail_q ? chunk_fail_kdei_q : '0;

  logic unused_bits;
  assign unused_bits = &{1'b0, r_i};

endmodule
