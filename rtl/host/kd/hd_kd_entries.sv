// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_kd_entries: the fields of each KD entry: size and progress of its kernel, parent record, and
// whether it is suspending or failed.
//
//   kernel, progress --enter--> [size]                 --> need, ctas, level    } 0 while the entry
//   grant, park, unit end ----> [NextBL, ndone]        --> nextbl, ndone        } is free
//   grant, save --------------> [saved list]           --> sav_first, sav_count }
//   birth, save, fail --------> [kin, susp., failed]   --> kin, conditions
//   graph over ---------------> [graph runs]           --> runs
//   a rest stays -------------> a kernel whose native TBs are all handed out, without a record
//
// From dtbl-isca2015 sections 2.2 and 4.2. Parent records, suspension and failure are ours.
// - Size is written when the kernel enters, together with its progress (0 for a new kernel).
// - NextBL is kept here only while the kernel is not in the SSCR: written when it stops within a
//   unit, 0 at the end of a unit. A kernel in a bank of priority queues leaves nothing for the
//   SSCR: ndone is set from the start.
// - The saved list is a ring of SavMax places: a save uses the next place, handing out a saved TB
//   frees the first.
// - The graph of a kernel runs from the kernel's entry until it is over. If it ends with an error
//   the kernel fails.
// - A kernel that fails has no native and no saved TBs left and is no longer suspending. A save
//   that was accepted before and arrives after the failure is lost like the others.
// - A kernel chosen for suspension keeps its state until it has left; a failure in that time makes
//   its rest fail.
// - Events of one cycle apply in this order: enter, fail, save and grant (both: unchanged).
// - Latency: an event at t is visible at t+1. Outputs come from registers, except stirred_o: the
//   kernels to which an event of this cycle adds work.
// - Reset: suspending_o and failed_o 0; the rest has none, all outputs of a free entry are 0.
// Part of hd_kd, whose tests cover it.
`include "common/hd_assert.svh"
module hd_kd_entries (
  input  logic                                         clk_i,
  input  logic                                         rst_ni,
  // A kernel enters; timing: alloc_i, its entry, settles before enter_i
  input  logic                                         enter_i,
  input  logic [hd_pkg::NumKde-1:0]                    entered_i,
  input  logic [hd_pkg::NumKde-1:0]                    alloc_i,
  input  hd_pkg::kernel_t                              kernel_i,
  input  logic                                         enter_queued_i,
  // Entries in use, and those whose kernel leaves
  input  logic [hd_pkg::NumKde-1:0]                    valid_i,
  input  logic [hd_pkg::NumKde-1:0]                    leave_i,
  // A TB is granted; the kernel in the SSCR stops
  input  logic                                         grant_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      grant_kdei_i,
  input  logic [hd_pkg::UnitW-1:0]                     grant_kind_i,
  input  logic                                         unit_end_i,
  input  logic                                         park_valid_i,
  input  logic [hd_pkg::CtasW-1:0]                     park_nextbl_i,
  // A kernel gets a child, a TB is saved, a kernel fails, its graph is over
  input  logic                                         birth_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      birth_kdei_i,
  input  logic [hd_pkg::KinW-1:0]                      birth_kin_i,
  input  logic                                         save_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      save_kdei_i,
  input  logic [hd_pkg::NumFail-1:0]                   fail_valid_i,
  input  logic [hd_pkg::NumFail*hd_pkg::KdeW-1:0]      fail_kdei_i,
  input  logic                                         end_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      end_kdei_i,
  input  logic [hd_pkg::GcodeW-1:0]                    end_code_i,
  // A kernel is chosen for suspension; a rest stays after it has left
  input  logic [hd_pkg::NumKde-1:0]                    chosen_i,
  input  logic [hd_pkg::NumKde-1:0]                    stays_i,
  output logic [hd_pkg::NumKde-1:0]                    stirred_o,
  output logic [hd_pkg::NumKde-1:0]                    runs_o,
  // Size and progress
  output logic [hd_pkg::NumKde*hd_pkg::NeedW-1:0]      need_o,
  output logic [hd_pkg::NumKde*hd_pkg::CtasW-1:0]      ctas_o,
  output logic [hd_pkg::NumKde*hd_pkg::LevelW-1:0]     level_o,
  output logic [hd_pkg::NumKde*hd_pkg::CtasW-1:0]      nextbl_o,
  output logic [hd_pkg::NumKde-1:0]                    ndone_o,
  output logic [hd_pkg::NumKde*hd_pkg::SavW-1:0]       sav_first_o,
  output logic [hd_pkg::NumKde*hd_pkg::SavCountW-1:0]  sav_count_o,
  // Parent records and conditions
  output logic [hd_pkg::NumKde-1:0]                    kin_valid_o,
  output logic [hd_pkg::NumKde*hd_pkg::KinW-1:0]       kin_o,
  output logic [hd_pkg::NumKde-1:0]                    suspending_o,
  output logic [hd_pkg::NumKde-1:0]                    failed_o,
  output logic [hd_pkg::NumKde-1:0]                    eligible_o,
  output logic [hd_pkg::NumKde-1:0]                    save_ok_o,
  // The record of one entry for a suspension; fields not stored here are 0
  input  logic                                         read_i,
  input  logic [hd_pkg::KdeW-1:0]                      read_kdei_i,
  output hd_pkg::kernel_t                              read_o
);

  localparam int NumKde = hd_pkg::NumKde;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int NeedW = hd_pkg::NeedW;
  localparam int CtasW = hd_pkg::CtasW;
  localparam int LevelW = hd_pkg::LevelW;
  localparam int SavW = hd_pkg::SavW;
  localparam int SavCountW = hd_pkg::SavCountW;
  localparam int KinW = hd_pkg::KinW;

  logic [NumKde-1:0] ndone_q, kin_valid_q, suspending_q, failed_q, graph_q, graph_runs_q;
  logic [NumKde*NeedW-1:0] need_q;
  logic [NumKde*CtasW-1:0] ctas_q;
  logic [NumKde*LevelW-1:0] level_q;
  logic [NumKde*CtasW-1:0] nextbl_q;
  logic [NumKde*SavW-1:0] sav_first_q;
  logic [NumKde*SavCountW-1:0] sav_count_q;
  logic [NumKde*KinW-1:0] kin_q;

  // ---- Events of this cycle, by entry -----------------------------------------------------------
  logic [NumKde-1:0] born, saved, over, fails;
  logic [NumKde-1:0] kept;     // saved, and its kernel has not failed
  logic [NumKde-1:0] stops;    // a kernel fails and loses its saved TBs
  logic [NumKde-1:0] here;     // holds a kernel that does not leave; timing: masks two flags early
  logic [NumKde-1:0] current;  // the kernel in the SSCR
  logic is_native, is_saved;

  assign current = {{NumKde - 1{1'b0}}, 1'b1} << grant_kdei_i;
  assign born = {{NumKde - 1{1'b0}}, birth_valid_i} << birth_kdei_i;
  assign saved = {{NumKde - 1{1'b0}}, save_valid_i} << save_kdei_i;
  assign kept = saved & ~failed_q;

  assign over = {{NumKde - 1{1'b0}}, end_valid_i} << end_kdei_i;

  always_comb begin
    fails = over & {NumKde{end_code_i != hd_pkg::GcodeFine}};
    for (int k = 0; k < hd_pkg::NumFail; k++) begin
      fails = fails | ({{NumKde - 1{1'b0}}, fail_valid_i[k]} << fail_kdei_i[k*KdeW+:KdeW]);
    end
  end

  assign here      = valid_i & ~leave_i;
  assign stops     = fails & ~chosen_i;
  assign is_native = grant_kind_i == hd_pkg::UnitNative;
  assign is_saved = grant_kind_i == hd_pkg::UnitSaved;
  assign stirred_o = born | saved | fails;

  // ---- Size -------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (enter_i) begin
      for (int i = 0; i < NumKde; i++) begin
        if (entered_i[i]) begin
          need_q[i*NeedW+:NeedW]    <= kernel_i.need;
          ctas_q[i*CtasW+:CtasW]    <= kernel_i.ctas;
          level_q[i*LevelW+:LevelW] <= kernel_i.level;
        end
      end
    end
  end

  // ---- Progress, parent record, conditions ------------------------------------------------------
  // One adder per count that changes, not one per entry. alloc_i selects the value of an entering
  // kernel.
  logic sav_down, move_nextbl;
  logic [SavW-1:0] first_here, first_up;
  logic [SavCountW-1:0] count_up, count_down;
  logic [CtasW-1:0] nextbl_stop, nextbl_enter;

  assign sav_down    = grant_valid_i && is_saved;
  assign first_here  = sav_first_q[grant_kdei_i*SavW+:SavW];
  assign first_up    = first_here == SavW'(hd_pkg::SavMax - 1) ? '0 : first_here + SavW'(1);
  assign count_up    = sav_count_q[save_kdei_i*SavCountW+:SavCountW] + SavCountW'(1);
  assign count_down  = sav_count_q[grant_kdei_i*SavCountW+:SavCountW] - SavCountW'(1);
  assign move_nextbl = park_valid_i || (unit_end_i && !is_saved);
  assign nextbl_enter = kernel_i.progress.nextbl & ~{CtasW{enter_queued_i}};
  assign nextbl_stop = park_nextbl_i & {CtasW{park_valid_i}};

  logic [NumKde-1:0] moved, less, ended;  // less: a saved TB is handed out
  logic [NumKde-1:0] touched;             // any register below changes
  logic some_event;                       // timing: settles before the entry that changes is known

  assign moved   = entered_i | (current & {NumKde{move_nextbl}});
  assign less    = current & {NumKde{sav_down}};
  assign ended   = current & {NumKde{unit_end_i && is_native}};
  assign some_event = enter_i || move_nextbl || sav_down || birth_valid_i || save_valid_i
      || end_valid_i || fail_valid_i != '0 || stays_i != '0;
  assign touched = moved | less | born | kept | stops | stays_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      suspending_q <= '0;
      failed_q     <= '0;
    end else begin
      suspending_q <= (suspending_q | kept) & here & ~(entered_i | stops | stays_i);
      failed_q     <= ((failed_q | fails) & here & ~entered_i)
          | (entered_i & {NumKde{kernel_i.origin.failed}});
    end
  end

  always_ff @(posedge clk_i) begin
    ndone_q      <= ((ndone_q | fails | ended | stays_i) & ~entered_i)
        | (entered_i & {NumKde{kernel_i.progress.ndone || enter_queued_i}});
    kin_valid_q  <= ((kin_valid_q | born) & ~entered_i & ~stays_i)
        | (entered_i & {NumKde{kernel_i.resumed}});
    graph_q      <= (graph_q & ~entered_i) | (entered_i & {NumKde{kernel_i.graph}});
    graph_runs_q <= (graph_runs_q & ~over & ~entered_i) | (entered_i & {NumKde{kernel_i.graph}});

    if (some_event) begin
      for (int i = 0; i < NumKde; i++) begin
        if (touched[i]) begin
          if (moved[i] || stays_i[i]) begin
            nextbl_q[i*CtasW+:CtasW] <= alloc_i[i] ? nextbl_enter
                : nextbl_stop & ~{CtasW{stays_i[i]}};
          end

          if (entered_i[i] || less[i] || stays_i[i]) begin
            sav_first_q[i*SavW+:SavW] <= alloc_i[i] ? kernel_i.progress.sav_first
                : first_up & ~{SavW{stays_i[i]}};
          end

          if (entered_i[i] || stops[i] || stays_i[i] || kept[i] != less[i]) begin
            sav_count_q[i*SavCountW+:SavCountW] <= alloc_i[i] ? kernel_i.progress.sav_count
                : stops[i] || stays_i[i] ? '0 : kept[i] ? count_up : count_down;
          end

          if (entered_i[i] || born[i]) begin
            kin_q[i*KinW+:KinW] <= alloc_i[i] ? kernel_i.kin : birth_kin_i;
          end
        end
      end
    end
  end

  // ---- Outputs ----------------------------------------------------------------------------------
  always_comb begin
    need_o      = need_q;
    ctas_o      = ctas_q;
    level_o     = level_q;
    nextbl_o    = nextbl_q;
    sav_first_o = sav_first_q;
    sav_count_o = sav_count_q;
    kin_o       = kin_q;
    save_ok_o   = kin_valid_o & ~failed_q & ~graph_q;
    if (valid_i != '1) begin
      for (int i = 0; i < NumKde; i++) begin
        if (!valid_i[i]) begin
          need_o[i*NeedW+:NeedW]              = '0;
          ctas_o[i*CtasW+:CtasW]              = '0;
          level_o[i*LevelW+:LevelW]           = '0;
          nextbl_o[i*CtasW+:CtasW]            = '0;
          sav_first_o[i*SavW+:SavW]           = '0;
          sav_count_o[i*SavCountW+:SavCountW] = '0;
        end
      end
    end
    for (int i = 0; i < NumKde; i++) begin
      if (!kin_valid_o[i]) kin_o[i*KinW+:KinW] = '0;
      if (sav_count_q[i*SavCountW+:SavCountW] == SavCountW'(hd_pkg::SavMax)) save_ok_o[i] = 1'b0;
    end
  end

  // A kernel with saved TBs accepts no groups: a bank might hand them out before its saved TBs when
  // it resumes.
  logic [NumKde-1:0] has_saved;

  always_comb begin
    for (int i = 0; i < NumKde; i++) has_saved[i] = sav_count_q[i*SavCountW+:SavCountW] != '0;
  end

  assign ndone_o      = ndone_q & valid_i;
  assign kin_valid_o  = kin_valid_q & valid_i;
  assign suspending_o = suspending_q;
  assign failed_o     = failed_q;
  assign eligible_o   = valid_i & ~has_saved & ~failed_q & ~graph_q;
  assign runs_o       = graph_runs_q & valid_i;

  always_comb begin
    read_o = '0;
    if (read_i) begin
      read_o.need               = need_q[read_kdei_i*NeedW+:NeedW];
      read_o.ctas               = ctas_q[read_kdei_i*CtasW+:CtasW];
      read_o.level              = level_q[read_kdei_i*LevelW+:LevelW];
      read_o.origin.failed      = failed_q[read_kdei_i];
      read_o.kin                = kin_q[read_kdei_i*KinW+:KinW];
      read_o.progress.ndone     = ndone_q[read_kdei_i];
      read_o.progress.nextbl    = nextbl_q[read_kdei_i*CtasW+:CtasW];
      read_o.progress.sav_first = sav_first_q[read_kdei_i*SavW+:SavW];
      read_o.progress.sav_count = sav_count_q[read_kdei_i*SavCountW+:SavCountW];
    end
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, kernel_i.desc, kernel_i.origin, kernel_i.groups, kernel_i.over};

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      `HD_ASSERT_IN(a_here, ((born | saved) & ~valid_i) == '0 && (saved & ~(save_ok_o | failed_q))
          == '0,
          "A child or save arrives for a free entry, or a save for a kernel that may not save.")
      `HD_ASSERT(a_failed, (suspending_o & failed_o & ~chosen_i) == '0,
          "A kernel that has failed is suspending, but was not chosen for suspension.")
      `HD_ASSERT_IN(a_suspending, (suspending_q & ~has_saved) == '0,
          "A kernel is suspending but has no saved TBs.")
    end
  end

  // Rare: a kernel that fails while suspending, or whose save arrives after its failure.
  `HD_COVER(c_fail_suspending, (fails & suspending_q) != '0)
  `HD_COVER(c_save_failed, (saved & failed_q) != '0)
`endif

endmodule
