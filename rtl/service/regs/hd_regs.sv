// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_regs: the APB4 registers: constants, configuration words, sticky status and performance
// counters.
//
//   events --> [counters, 48 bits] [STATUS] <--> APB4 (no wait states)
//   addresses of memory regions, to the blocks <-- [configuration words] <--'
//
// The address map is regs/map.csv; all of it is ours.
// - prdata and pslverr are computed in the setup phase, valid in the access phase, and 0 in every
//   other cycle.
// - pslverr: address not mapped or not a multiple of 4, or a write to a constant.
// - Reading the low word of a counter latches its high 16 bits in shadow; the high word reads
//   shadow. So reading low, then high gives one consistent value.
// - Writes take effect at the end of the access phase, by byte strobes. STATUS: writing 1 clears a
//   bit; an event of the same cycle sets it again. A counter does not count in the cycle in which
//   it is written.
// - timing: a granted TB, a blocked cycle and a kernel that enters arrive late and are counted one
//   cycle later.
// - While a kernel is in the KD or a device launch is incomplete, a write to a configuration word
//   other than the policy is refused and recorded in STATUS, because the blocks must find their
//   data in the regions again.
// - An access phase without a setup phase is ignored.
// - Reset: configuration words as in the map (ConfigResets); status, counters and shadow 0.
// Ports: regs.csv. Model cmodel/service/regs, tests verif/unit and verif/equiv test_regs, page
// docs/service/regs.md.
`include "common/hd_assert.svh"
module hd_regs (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // APB4
  input  logic                        psel_i,
  input  logic                        penable_i,
  input  logic                        pwrite_i,
  input  logic [hd_pkg::ApbAddrW-1:0] paddr_i,
  input  logic [31:0]                 pwdata_i,
  input  logic [3:0]                  pstrb_i,
  output logic                        pready_o,
  output logic [31:0]                 prdata_o,
  output logic                        pslverr_o,
  // Answers to the host (kmu)
  input  logic                        host_answer_valid_i,
  input  logic                        host_answer_ready_i,
  input  hd_pkg::answer_t             host_answer_i,
  // Kernels entering and completing (kd, kin)
  input  hd_pkg::entry_t              kd_entry_i,
  input  logic                        kernel_done_valid_i,
  input  logic                        kernel_done_ready_i,
  // TBs handed out and completed (sched)
  input  hd_pkg::grant_t              sched_grant_i,
  input  hd_pkg::take_t               sched_take_i,
  input  logic                        sched_graph_take_i,
  input  hd_pkg::schedev_t            sched_events_i,
  input  logic [hd_pkg::NumSmx-1:0]   sched_done_ok_i,
  input  logic [hd_pkg::NumSmx-1:0]   sched_done_empty_i,
  input  logic [hd_pkg::NumSmx-1:0]   sched_done_early_i,
  // Device launches (devq)
  input  logic [6:0]                  devq_event_i,
  input  logic [hd_pkg::CodeW-1:0]    devq_code_i,
  input  logic [hd_pkg::KindW-1:0]    devq_kind_i,
  // Searches (match), record requests (ovfq)
  input  hd_pkg::matchev_t            match_events_i,
  input  logic                        ovfq_fetch_i,
  // Records returned (agc)
  input  logic                        record_done_valid_i,
  input  logic                        record_done_ready_i,
  // Kernels written to memory and read back (pool, susp)
  input  hd_pkg::poolev_t             pool_events_i,
  input  hd_pkg::suspev_t             susp_events_i,
  // Groups spilled and refilled (laperm, spill)
  input  hd_pkg::bankgroup_t          laperm_put_i,
  input  hd_pkg::bankgroup_t          spill_back_i,
  input  logic                        laperm_back_ready_i,
  input  logic                        laperm_inversion_i,
  // Busy states (fcfs, kd, kin)
  input  hd_pkg::entry_t              fcfs_next_i,
  input  logic                        kd_busy_i,
  input  logic                        kin_busy_i,
  // Memory errors (ovfq, spill); those of pool and susp are among their events
  input  hd_pkg::entry_t              ovfq_write_fail_i,
  input  hd_pkg::entry_t              ovfq_fetch_fail_i,
  input  hd_pkg::entry_t              spill_lost_i,
  // End of a graph (dats)
  input  hd_pkg::over_t               dats_over_i,
  // Events of the graph buffer (dgb)
  input  hd_pkg::dgbev_t              dgb_events_i,
  // Configuration words
  output hd_pkg::settings_t           config_o
);

  localparam int AddrW = hd_pkg::ApbAddrW;
  localparam int CounterW = hd_pkg::CounterW;
  localparam int NumCounters = hd_pkg::NumCounters;
  localparam int StatusW = hd_pkg::StatusW;
  localparam int NumConsts = hd_regs_pkg::NumConsts;
  localparam int CounterBase = hd_regs_pkg::CounterBase;
  localparam int ConfigBase = hd_regs_pkg::ConfigBase;
  localparam int NumConfig = hd_pkg::NumConfig;
  localparam int SelW = $clog2(NumCounters);
  localparam int ConfigW = $clog2(NumConfig);
  localparam int ConstW = $clog2(NumConsts);
  localparam int GcodeW = hd_pkg::GcodeW;
  localparam int IncW = $clog2(hd_pkg::NumSmx + 1);

  logic [StatusW-1:0] status_q;
  logic [NumCounters*CounterW-1:0] count_q;
  logic [NumConfig*32-1:0] config_q;
  logic [15:0] shadow_q;
  logic [GcodeW-1:0] graph_code_q;
  logic [15:0] graph_vid_q;
  logic setup_q, pslverr_q;
  logic [31:0] prdata_q;

  // ---- Address ----------------------------------------------------------------------------------
  logic aligned, at_const, at_status, at_graph, at_config, at_region, at_counter, at_high;
  logic mapped, locked;
  logic [AddrW-1:0] counter_off;
  logic [SelW-1:0] sel;
  logic [ConfigW-1:0] config_sel;

  assign aligned     = paddr_i[1:0] == 2'b0;
  assign at_const    = aligned && 32'(paddr_i) < 4 * NumConsts;
  assign at_status   = 32'(paddr_i) == hd_regs_pkg::StatusOffset;
  assign at_graph    = hd_pkg::HasGraph != 0 && 32'(paddr_i) == hd_regs_pkg::GraphOffset;
  assign at_config   = aligned && 32'(paddr_i) >= ConfigBase
      && 32'(paddr_i) < ConfigBase + 4 * NumConfig && hd_pkg::ConfigHas[config_sel];
  assign at_region   = at_config && config_sel != ConfigW'(hd_regs_pkg::ConfigPolicy);
  assign config_sel  = paddr_i[2+:ConfigW];  // ConfigBase is a multiple of their span
  assign counter_off = paddr_i - AddrW'(CounterBase);
  assign at_counter  = aligned && 32'(paddr_i) >= CounterBase
      && 32'(paddr_i) < CounterBase + 8 * NumCounters && hd_pkg::CounterHas[sel];
  assign sel         = counter_off[3+:SelW];
  assign at_high     = counter_off[2];
  assign mapped      = at_const || at_status || at_graph || at_config || at_counter;

  // A kernel may have data in a region, which the blocks must find again.
  assign locked      = at_const || at_graph || (at_region && (kd_busy_i || kin_busy_i));

  // ---- Setup phase: read ------------------------------------------------------------------------
  logic setup;
  logic [CounterW-1:0] counter;
  logic [31:0] word;

  assign setup = psel_i && !penable_i;
  assign counter = count_q[sel*CounterW+:CounterW];

  always_comb begin
    word = '0;
    if (at_const) word = hd_pkg::RegConsts[paddr_i[2+:ConstW]*32+:32];
    if (at_status) word = 32'(status_q);
    if (at_graph) word = 32'({graph_code_q, graph_vid_q});
    if (at_config) word = config_q[config_sel*32+:32];
    if (at_counter) word = counter[31:0];
    if (at_counter && at_high) word = {16'b0, shadow_q};
  end

  // ---- Access phase: write ----------------------------------------------------------------------
  logic write, write_status, write_counter, write_locked;
  logic [31:0] strobes;
  logic [CounterW-1:0] write_mask, written;
  logic [StatusW-1:0] status_clear;

  assign write         = psel_i && penable_i && setup_q && pwrite_i && !pslverr_q;
  assign write_status  = write && at_status;
  assign write_counter = write && at_counter;
  assign write_locked  = psel_i && penable_i && setup_q && pwrite_i && pslverr_q && at_config;
  assign strobes       = {{8{pstrb_i[3]}}, {8{pstrb_i[2]}}, {8{pstrb_i[1]}}, {8{pstrb_i[0]}}};
  assign write_mask    = at_high ? {strobes[15:0], 32'b0} : {16'b0, strobes};
  assign written       = (counter & ~write_mask) | ({pwdata_i[15:0], pwdata_i} & write_mask);
  assign status_clear  = StatusW'(pwdata_i & strobes) & {StatusW{write_status}};

  // ---- Events -----------------------------------------------------------------------------------
  // Which counters rise and by how much, and which STATUS bits are set.
  // timing: an event settles late in the cycle, its increment early, so the sums do not wait for
  // it. The latest events are registered and counted in the next cycle.
  logic granted_q, blocked_q, entered_q;
  logic answered, accepted, refused, zero_dim, over_limit, never_fits, unknown_hwq;
  logic bad_graph;  // a graph ended with an error
  logic [NumCounters-1:0] event_now;
  logic [NumCounters*IncW-1:0] step;  // increment of each counter if its event happens
  logic [StatusW-1:0] status_set;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      granted_q <= 1'b0;
      blocked_q <= 1'b0;
      entered_q <= 1'b0;
    end else begin
      granted_q <= sched_grant_i.valid || sched_take_i.valid || sched_graph_take_i;
      blocked_q <= sched_events_i.blocked;
      entered_q <= kd_entry_i.valid;
    end
  end

  assign answered    = host_answer_valid_i && host_answer_ready_i;
  assign accepted    = answered && host_answer_i.code == hd_pkg::CodeAccepted;
  assign refused     = answered && host_answer_i.code == hd_pkg::CodeRefused;
  assign zero_dim    = answered && host_answer_i.code == hd_pkg::CodeZeroDim;
  assign over_limit  = answered && host_answer_i.code == hd_pkg::CodeOverLimit;
  assign never_fits  = answered && host_answer_i.code == hd_pkg::CodeNeverFits;
  assign unknown_hwq = answered && host_answer_i.code == hd_pkg::CodeUnknownHwq;
  assign bad_graph   = dats_over_i.valid && dats_over_i.result.code != hd_pkg::GcodeFine;

  always_comb begin
    step = {NumCounters{IncW'(1)}};
    step[hd_regs_pkg::CountCtasDone*IncW+:IncW] = IncW'($countones(sched_done_ok_i));
    step[hd_regs_pkg::CountDoneEmpty*IncW+:IncW] = IncW'($countones(sched_done_empty_i));
    step[hd_regs_pkg::CountDoneEarly*IncW+:IncW] = IncW'($countones(sched_done_early_i));

    event_now = '1;  // counters with a step above, and the cycle counter
    event_now[hd_regs_pkg::CountAccepted] = accepted;
    event_now[hd_regs_pkg::CountRefused] = refused;
    event_now[hd_regs_pkg::CountZeroDim] = zero_dim;
    event_now[hd_regs_pkg::CountOverLimit] = over_limit;
    event_now[hd_regs_pkg::CountNeverFits] = never_fits;
    event_now[hd_regs_pkg::CountUnknownHwq] = unknown_hwq;
    event_now[hd_regs_pkg::CountKernelsIn] = entered_q;
    event_now[hd_regs_pkg::CountKernelsDone] = kernel_done_valid_i && kernel_done_ready_i;
    event_now[hd_regs_pkg::CountCtasOut] = granted_q;
    event_now[hd_regs_pkg::CountBlocked] = blocked_q;
    event_now[hd_regs_pkg::CountDevKernels+:7] = devq_event_i;
    event_now[hd_regs_pkg::CountSearches] = match_events_i.searched;
    event_now[hd_regs_pkg::CountSearchCycles] = match_events_i.compared;
    event_now[hd_regs_pkg::CountFetches] = ovfq_fetch_i;
    event_now[hd_regs_pkg::CountFetchWait] = sched_events_i.waiting;
    event_now[hd_regs_pkg::CountSlotWait] = sched_events_i.slot_wait;
    event_now[hd_regs_pkg::CountRecordsDone] = record_done_valid_i && record_done_ready_i;
    event_now[hd_regs_pkg::CountSpills] = pool_events_i.spill;
    event_now[hd_regs_pkg::CountRefills] = pool_events_i.refill;
    event_now[hd_regs_pkg::CountSuspends] = susp_events_i.suspend;
    event_now[hd_regs_pkg::CountResumes] = susp_events_i.resume;
    event_now[hd_regs_pkg::CountOldestWait] = fcfs_next_i.valid;
    event_now[hd_regs_pkg::CountGroupSpills] = laperm_put_i.valid;
    event_now[hd_regs_pkg::CountGroupRefills] = spill_back_i.valid && laperm_back_ready_i;
    event_now[hd_regs_pkg::CountInversions] = laperm_inversion_i;
    event_now[hd_regs_pkg::CountGraphs] = dats_over_i.valid;
    event_now[hd_regs_pkg::CountGraphPub] = dgb_events_i.pub;
    event_now[hd_regs_pkg::CountGraphEarly] = dgb_events_i.early;
    event_now[hd_regs_pkg::CountGraphBig] = dgb_events_i.big;
  end

  logic [hd_pkg::GcodeW-1:0] code;
  assign code = dats_over_i.result.code;

  always_comb begin
    status_set = '0;
    status_set[hd_regs_pkg::StatusRefused] = refused;
    status_set[hd_regs_pkg::StatusZeroDim] = zero_dim || devq_code_i == hd_pkg::CodeZeroDim;
    status_set[hd_regs_pkg::StatusOverLimit] = over_limit || devq_code_i == hd_pkg::CodeOverLimit;
    status_set[hd_regs_pkg::StatusNeverFits] = never_fits || devq_code_i == hd_pkg::CodeNeverFits;
    status_set[hd_regs_pkg::StatusUnknownHwq] = unknown_hwq
        || devq_code_i == hd_pkg::CodeUnknownHwq;
    status_set[hd_regs_pkg::StatusEmptySlot] = devq_code_i == hd_pkg::CodeEmptySlot;
    status_set[hd_regs_pkg::StatusDevRefused] = devq_code_i == hd_pkg::CodeRefused
        && devq_kind_i != hd_pkg::KindSave;
    status_set[hd_regs_pkg::StatusSaveRefused] = devq_code_i == hd_pkg::CodeRefused
        && devq_kind_i == hd_pkg::KindSave;
    status_set[hd_regs_pkg::StatusMemList] = ovfq_write_fail_i.valid;
    status_set[hd_regs_pkg::StatusMemRecord] = ovfq_fetch_fail_i.valid;
    status_set[hd_regs_pkg::StatusMemPool] = pool_events_i.error;
    status_set[hd_regs_pkg::StatusMemSuspend] = susp_events_i.error;
    status_set[hd_regs_pkg::StatusMemSpill] = spill_lost_i.valid;
    status_set[hd_regs_pkg::StatusGraphMemory] = bad_graph && code == hd_pkg::GcodeMemory;
    status_set[hd_regs_pkg::StatusGraphStarts] = bad_graph && code == hd_pkg::GcodeStarts;
    status_set[hd_regs_pkg::StatusGraphLevel] = bad_graph && code == hd_pkg::GcodeLevel;
    status_set[hd_regs_pkg::StatusGraphEdge] = bad_graph && code == hd_pkg::GcodeEdge;
    status_set[hd_regs_pkg::StatusGraphCount] = bad_graph && code == hd_pkg::GcodeCount;
    status_set[hd_regs_pkg::StatusGraphStuck] = bad_graph && code == hd_pkg::GcodeStuck;
    status_set[hd_regs_pkg::StatusGraphDesc] = bad_graph && code == hd_pkg::GcodeGraph;
    status_set[hd_regs_pkg::StatusDoneEmpty] = |sched_done_empty_i;
    status_set[hd_regs_pkg::StatusDoneEarly] = |sched_done_early_i;
    status_set[hd_regs_pkg::StatusConfigLocked] = write_locked;
  end

  // ---- Registers --------------------------------------------------------------------------------
  // A write has priority over an event.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) count_q <= '0;
    else begin
      for (int c = 0; c < NumCounters; c++) begin
        if (event_now[c] && hd_pkg::CounterHas[c]) begin
          count_q[c*CounterW+:CounterW] <= count_q[c*CounterW+:CounterW]
              + CounterW'(step[c*IncW+:IncW]);
        end
      end
      if (write_counter) begin
        for (int c = 0; c < NumCounters; c++) begin
          if (sel == SelW'(c)) count_q[c*CounterW+:CounterW] <= written;
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      status_q  <= '0;
      config_q  <= hd_pkg::RegResets;
      shadow_q  <= '0;
      graph_code_q <= '0;
      graph_vid_q  <= '0;
      setup_q   <= 1'b0;
      prdata_q  <= '0;
      pslverr_q <= 1'b0;
    end else begin
      status_q  <= (status_q & ~status_clear) | status_set;
      if (write && at_config) begin
        for (int w = 0; w < NumConfig; w++) begin
          if (config_sel == ConfigW'(w)) begin
            config_q[w*32+:32] <= (config_q[w*32+:32] & ~strobes) | (pwdata_i & strobes);
          end
        end
      end
      if (setup && !pwrite_i && at_counter && !at_high) shadow_q <= counter[CounterW-1:32];
      if (bad_graph) begin
        graph_code_q <= dats_over_i.result.code;
        graph_vid_q  <= dats_over_i.result.vid;
      end
      setup_q   <= setup;
      prdata_q  <= (setup && !pwrite_i) ? word : '0;
      pslverr_q <= setup && (!mapped || (pwrite_i && locked));
    end
  end

  assign pready_o  = 1'b1;
  assign prdata_o  = prdata_q;
  assign pslverr_o = pslverr_q;

  // A number that names no policy reads as 0, Rr, for the blocks.
  logic [hd_pkg::PolicyW-1:0] policy;
  assign policy = config_q[hd_regs_pkg::ConfigPolicy*32+:hd_pkg::PolicyW];

  always_comb begin
    config_o.rec_base = config_q[hd_regs_pkg::ConfigRecBase*32+:32];
    config_o.rec_count = config_q[hd_regs_pkg::ConfigRecCount*32+:32];
    config_o.dev_base = config_q[hd_regs_pkg::ConfigDevBase*32+:32];
    config_o.dev_count = config_q[hd_regs_pkg::ConfigDevCount*32+:32];
    config_o.sus_base = config_q[hd_regs_pkg::ConfigSusBase*32+:32];
    config_o.sus_count = config_q[hd_regs_pkg::ConfigSusCount*32+:32];
    config_o.list_base = config_q[hd_regs_pkg::ConfigListBase*32+:32];
    config_o.spill_base = config_q[hd_regs_pkg::ConfigSpillBase*32+:32];
    config_o.spill_count = config_q[hd_regs_pkg::ConfigSpillCount*32+:32];
    config_o.throttle = config_q[hd_regs_pkg::ConfigThrottle*32+:1];
    config_o.throttle_epoch = config_q[hd_regs_pkg::ConfigThrottleEpoch*32+:32];
    config_o.throttle_band = config_q[hd_regs_pkg::ConfigThrottleBand*32+:32];
    // An enum takes bits only as part of a concatenation.
    {config_o.policy} = 32'(policy) < hd_pkg::NumPolicy ? policy : '0;
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, counter_off, host_answer_i.tag};

`ifdef HD_ASSERT_ON
  `HD_ASSERT_PARAM(a_base, CounterBase % 8 == 0 && ConfigBase % (4 << ConfigW) == 0,
      "The map must align counters to 8 bytes and configuration words to their span.")
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT_IN(a_dev_event, $onehot0(devq_event_i),
          "More than one answer to a device launch is reported in one cycle.")
      `HD_ASSERT(a_answer, setup_q || (prdata_o == '0 && !pslverr_o),
          "Read data or an error is shown outside of the access phase.")
      if (pslverr_o) `HD_ASSERT(a_error, setup_q && prdata_o == '0,
          "An error is shown outside of the access phase, or together with read data.")
    end
  end
  `HD_ASSERT_PROP(a_set_wins, |status_set |=> (status_q & $past(status_set)) == $past(status_set),
      "A sticky status bit is 0 in the cycle after its event.")

  // Rare: a bit set and cleared at once; a counter written while it would count.
  `HD_COVER(c_set_and_clear, (status_set & status_clear) != '0)
  `HD_COVER(c_write_counter, write_counter && pstrb_i != '0)
`endif

endmodule
