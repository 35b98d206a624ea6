// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_throttle: sets the number n of SMXs that accept TBs not bound to an SMX: one less while memory
// contention grows, one more while it does not, all if there is none.
//
//   counters --> - [last] --> [stalls span] --> hd_throttle_cross --> n --> open_o, open_count_o
//                  [band] --> [last_stalls last_span] --^
//
// From cooperative-warp-tb-scheduling-2017, section 4, algorithm 2 as in its text; the epoch, the
// dead band, the recovery, and comparing without a divider are ours.
// - A sample is taken at t if a TB waits and an epoch has passed since the last one. The new degree
//   of contention is stalls / span, from the changes of the counters modulo 2^ContendW. It is
//   compared in t+1 to t+41; the verdict, and n with it, follow at the end of t+63.
// - Rest: two epochs since the last sample (no TB waited in the second). Then n is NumSmx; the TB
//   that ends the rest only stores the counters, nothing is compared. A sample without stalls sets
//   n to NumSmx at its verdict. (Both with Recovers.)
// - A span of 0 cycles between two samples: the last degree stays, and n too unless there were no
//   stalls.
// - While the throttle is off (regs_config_i.throttle is 0), every cycle stores the counters
//   without effect, and n is NumSmx.
// - Outputs come from registers. Reset: n is NumSmx, the stored counters are 0.
// Ports: throttle.csv. Model cmodel/dispatch/throttle, tests verif/unit test_throttle, page
// docs/dispatch/throttle.md.
`include "common/hd_assert.svh"
module hd_throttle (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // Enable and parameters (regs)
  input  hd_pkg::settings_t           regs_config_i,
  // Waiting TBs (sched)
  input  logic                        sched_unassigned_i,
  // Contention (memory side)
  input  logic [hd_pkg::ContendW-1:0] cycles_i,
  input  logic [hd_pkg::ContendW-1:0] dram_full_i,
  input  logic [hd_pkg::ContendW-1:0] icnt2sm_i,
  // Open SMXs (sched)
  output logic [hd_pkg::NumSmx-1:0]   open_o,
  output logic [hd_pkg::OpenW-1:0]    open_count_o
);

  localparam int NumSmx = hd_pkg::NumSmx;
  localparam int OpenW = hd_pkg::OpenW;
  localparam int EpochW = hd_pkg::EpochW;
  localparam int SinceW = hd_pkg::SinceW;
  localparam int BandW = hd_pkg::BandW;
  localparam int ContendW = hd_pkg::ContendW;
  localparam int SumW = hd_pkg::ContendSumW;

  localparam logic [SinceW-1:0] Verdict = SinceW'(63);  // cycles from a sample to its verdict
  localparam logic [OpenW-1:0] Most = OpenW'(NumSmx);
  localparam logic [OpenW-1:0] Least = NumSmx < 2 ? Most : OpenW'(2);
  localparam logic EqualHolds = hd_pkg::EqualHolds != 0;
  localparam logic Recovers = hd_pkg::Recovers != 0;

  logic [SinceW-1:0] since_q;
  logic busy_q;
  logic [BandW-1:0] band_q;
  logic [OpenW-1:0] open_count_q;
  logic [ContendW-1:0] last_cycles_q, last_dram_full_q, last_icnt2sm_q;
  logic [SumW-1:0] stalls_q, last_stalls_q;
  logic [ContendW-1:0] span_q, last_span_q;

  // ---- Epoch and dead band from software, limited ----------------------------------------------
  logic [EpochW-1:0] epoch;
  logic [BandW-1:0] band;

  always_comb begin
    epoch = regs_config_i.throttle_epoch[EpochW-1:0];
    // The verdict precedes the next sample.
    if (regs_config_i.throttle_epoch[EpochW-1:6] == '0) epoch = EpochW'(64);
    if (regs_config_i.throttle_epoch[31:EpochW] != '0) epoch = '1;
    band = regs_config_i.throttle_band[BandW-1:0];
    if (regs_config_i.throttle_band[31:BandW] != '0) band = '1;
  end

  logic sample, verdict, counts, rests;  // counts: a verdict that updates n

  assign sample  = sched_unassigned_i && since_q >= {1'b0, epoch};
  assign verdict = busy_q && since_q == Verdict;
  assign counts  = verdict && span_q != '0;
  assign rests   = since_q >= {epoch, 1'b0};

  // ---- Samples ----------------------------------------------------------------------------------
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) since_q <= '0;
    else if (!regs_config_i.throttle || sample) since_q <= SinceW'(1);
    else if (!rests) since_q <= since_q + SinceW'(1);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) busy_q <= 1'b0;
    else if (!regs_config_i.throttle) busy_q <= 1'b0;
    else if (sample) busy_q <= !(Recovers && rests);
    else if (verdict) busy_q <= 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      last_cycles_q    <= '0;
      last_dram_full_q <= '0;
      last_icnt2sm_q   <= '0;
    end else if (!regs_config_i.throttle || sample) begin
      last_cycles_q    <= cycles_i;
      last_dram_full_q <= dram_full_i;
      last_icnt2sm_q   <= icnt2sm_i;
    end
  end

  logic [ContendW-1:0] dram_full_change, icnt2sm_change;
  logic [SumW-1:0] stalls;

  assign dram_full_change = dram_full_i - last_dram_full_q;
  assign icnt2sm_change   = icnt2sm_i - last_icnt2sm_q;
  assign stalls           = {1'b0, dram_full_change} + {1'b0, icnt2sm_change};

  always_ff @(posedge clk_i) begin
    if (sample) begin
      stalls_q <= stalls;
      span_q   <= cycles_i - last_cycles_q;
      band_q   <= band;
    end
  end

  // ---- Compare the new degree with the last one ------------------------------------------------
  logic higher, equal;

  hd_throttle_cross u_cross (
    .clk_i        (clk_i),
    .clear_i      (sample),
    .since_i      (since_q[5:0]),
    .busy_i       (busy_q),
    .band_i       (band_q),
    .stalls_i     (stalls_q),
    .span_i       (span_q),
    .last_stalls_i(last_stalls_q),
    .last_span_i  (last_span_q),
    .higher_o     (higher),
    .equal_o      (equal)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      last_stalls_q <= '0;
      last_span_q   <= ContendW'(1);
    end else if (!regs_config_i.throttle) begin
      last_stalls_q <= '0;
      last_span_q   <= ContendW'(1);
    end else if (counts) begin
      last_stalls_q <= stalls_q;
      last_span_q   <= span_q;
    end
  end

  // ---- n ----------------------------------------------------------------------------------------
  logic fewer, more, all;

  assign fewer = higher && open_count_q != Least;
  assign more  = !higher && !(EqualHolds && equal) && open_count_q != Most;
  assign all = Recovers && (rests || (verdict && stalls_q == '0));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) open_count_q <= Most;
    else if (!regs_config_i.throttle || all) open_count_q <= Most;
    else if (counts && fewer) open_count_q <= open_count_q - OpenW'(1);
    else if (counts && more) open_count_q <= open_count_q + OpenW'(1);
  end

  assign open_count_o = open_count_q;

  for (genvar i = 0; i < NumSmx; i++) begin : g_open
    assign open_o[i] = OpenW'(i) < open_count_q;
  end

`ifdef HD_ASSERT_ON
  logic [31:0] n;

  assign n = 32'(open_count_q);

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT(a_range, n == NumSmx || (n >= 2 && n < NumSmx),
          "n must be 2 to NumSmx, or NumSmx if there are no more than two SMXs.")
      if (sample) `HD_ASSERT(a_apart, !busy_q,
          "A sample is taken before the verdict of the last one.")
      `HD_ASSERT(a_fraction, last_span_q != '0, "The last degree has a span of 0 cycles.")
    end
  end
  `HD_ASSERT_PROP(a_still, regs_config_i.throttle && !verdict && !all |=> $stable(open_count_q),
      "n changed without a verdict, although the throttle is on and n was not set to NumSmx.")

  // Rare: no cycle between samples; equal degrees; the minimum of SMXs; the two ways to all SMXs.
  `HD_COVER(c_no_cycle, verdict && span_q == '0)
  `HD_COVER(c_equal, counts && equal && stalls_q != '0)
  `HD_COVER(c_least, counts && higher && open_count_q == Least)
  `HD_COVER(c_rests, regs_config_i.throttle && all && !verdict && open_count_q != Most)
  `HD_COVER(c_silent, regs_config_i.throttle && all && verdict && open_count_q != Most)
`endif

endmodule
