// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_kd: Kernel Distributor: holds the kernels that execute, counts their TBs, releases, suspends
// and reports them.
//
//   KMU kernel --> [entries 0 .. NumKde-1] --> need, ctas, level, progress, desc to the scheduler
//   grant +1, retire -1 --> [ExeBL]    | idle: nothing to hand out, in execution or on its way
//   devq: hold +1, -1; birth; save     v
//          release: reopen to the KMU; [tag rows] --> leave, to kin
//          suspend: steal a read of the descriptor --> send the record, to susp
//
// From dtbl-isca2015 sections 2.2, 4.2 and figure 4. Parent records, suspension and its order are
// ours, as are the two tag rows per entry: an entry can be used again at once while the origin of
// its last kernel waits to be told.
// - A kernel enters the lowest free entry. Free: not valid, and one of its two tag rows not
//   pending.
// - A grant raises ExeBL of its kernel, a retired TB lowers it; both for one entry: net 0. So it is
//   with hold, which counts the groups between match and link.
// - NextBL is kept here only while the kernel is not in the SSCR: written when it stops within a
//   unit, 0 at the end of one.
// - Idle: unmarked, ExeBL 0, no hold, no unanswered Next write, and no event of this cycle that
//   gives it more to do. Idle and no groups and not suspending: released, all such in the same
//   cycle; its HWQ reopens in the next, unless it has a parent record (then kin reopens it).
// - Idle and suspending: one at a time, the lowest: chosen, steal (reads descriptor and origin, no
//   TB is handed out), send. The entry is free from the cycle after send.
// - A failed kernel hands out nothing more: no native TBs, no saved TBs; link drops its groups.
// - Pending tag rows leave one per cycle, round robin. What leaves, is released and enters in one
//   cycle do not disturb each other: they see the state of the start of the cycle.
// - Latency: desc one cycle after the grant; leave two after the release. All outputs come from
//   registers.
// - Reset: all entries free, nothing pending; RAM rows keep anything.
// Ports: kd.csv. Model cmodel/host/kd, tests verif/unit and verif/equiv test_kd, page docs/host/kd.md.
`include "common/hd_fault.svh"
module hd_kd (
  input  logic                                         clk_i,
  input  logic                                         rst_ni,
  // A kernel enters (kmu, laperm)
  input  logic                                         kernel_valid_i,
  input  hd_pkg::kernel_t                              kernel_i,
  output logic                                         kernel_ready_o,
  output logic [hd_pkg::KdeW-1:0]                      alloc_kdei_o,
  input  logic                                         enter_queued_i,
  // Kernels with something left (fcfs, link)
  input  logic [hd_pkg::NumKde-1:0]                    marked_i,
  input  logic [hd_pkg::NumKde-1:0]                    pending_i,
  input  logic [hd_pkg::NumKde-1:0]                    next_busy_i,
  // Banks of priority queues (laperm, sched)
  input  logic                                         queue_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      queue_kdei_i,
  input  logic                                         serve_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      serve_kdei_i,
  input  logic                                         serve_last_i,
  // A TB is handed out (sched)
  input  logic                                         grant_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      grant_kdei_i,
  input  logic [hd_pkg::UnitW-1:0]                     grant_kind_i,
  input  logic                                         unit_end_i,
  // The kernel in the SSCR stops (sched)
  input  logic                                         park_valid_i,
  input  logic [hd_pkg::CtasW-1:0]                     park_nextbl_i,
  // A TB is done (sched)
  input  logic                                         retire_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      retire_kdei_i,
  // A group between match and link (devq)
  input  logic                                         hold_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      hold_kdei_i,
  input  logic                                         unhold_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      unhold_kdei_i,
  // A kernel gets a child (devq)
  input  logic                                         birth_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      birth_kdei_i,
  input  logic [hd_pkg::KinW-1:0]                      birth_kin_i,
  // A TB is saved (devq)
  input  logic                                         save_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      save_kdei_i,
  // A kernel fails (link, agt, susp)
  input  logic [2:0]                                   fail_valid_i,
  input  logic [3*hd_pkg::KdeW-1:0]                    fail_kdei_i,
  // The entries: size and progress
  output logic [hd_pkg::NumKde*hd_pkg::NeedW-1:0]      need_o,
  output logic [hd_pkg::NumKde*hd_pkg::CtasW-1:0]      ctas_o,
  output logic [hd_pkg::NumKde*hd_pkg::LevelW-1:0]     level_o,
  output logic [hd_pkg::NumKde*hd_pkg::CtasW-1:0]      nextbl_o,
  output logic [hd_pkg::NumKde-1:0]                    ndone_o,
  output logic [hd_pkg::NumKde*hd_pkg::SavW-1:0]       sav_first_o,
  output logic [hd_pkg::NumKde*hd_pkg::SavCountW-1:0]  sav_count_o,
  // The entries: parent records and conditions
  output logic [hd_pkg::NumKde-1:0]                    kin_valid_o,
  output logic [hd_pkg::NumKde*hd_pkg::KinW-1:0]       kin_o,
  output logic [hd_pkg::NumKde-1:0]                    suspending_o,
  output logic [hd_pkg::NumKde-1:0]                    failed_o,
  output logic [hd_pkg::NumKde-1:0]                    eligible_o,
  output logic [hd_pkg::NumKde-1:0]                    save_ok_o,
  // Descriptor for a TB (sched)
  output hd_pkg::desc_t                                desc_o,
  // Entries that are free again (kmu, regs, agc)
  output logic [hd_pkg::NumHwq-1:0]                    reopen_o,
  output logic                                         kd_busy_o,
  output logic [hd_pkg::NumKde-1:0]                    left_o,
  // A kernel is suspended (sched, link, susp)
  output logic                                         steal_o,
  output logic                                         take_valid_o,
  output logic [hd_pkg::KdeW-1:0]                      take_kdei_o,
  input  logic                                         suspend_free_i,
  output logic                                         suspend_valid_o,
  output hd_pkg::kernel_t                              suspend_o,
  // A kernel has left (kin)
  output logic                                         leave_valid_o,
  output hd_pkg::leave_t                               leave_o,
  input  logic                                         leave_ready_i
);

  localparam int NumKde = hd_pkg::NumKde;
  localparam int NumHwq = hd_pkg::NumHwq;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int HwqW = hd_pkg::HwqW;
  localparam int NeedW = hd_pkg::NeedW;
  localparam int CtasW = hd_pkg::CtasW;
  localparam int LevelW = hd_pkg::LevelW;
  localparam int SavW = hd_pkg::SavW;
  localparam int SavCountW = hd_pkg::SavCountW;
  localparam int KinW = hd_pkg::KinW;
  localparam int HoldW = hd_pkg::HoldW;
  localparam int ExeW = hd_pkg::ExeW;
  localparam int LiveW = hd_pkg::LiveW;
  localparam int PendW = hd_pkg::PendW;
  localparam int NumTag = 2 * NumKde;
  localparam int TagRowW = $clog2(NumTag);

  localparam logic [1:0] SuspIdle = 2'd0;
  localparam logic [1:0] SuspSteal = 2'd1;
  localparam logic [1:0] SuspSend = 2'd2;

  // An entry.
  logic [NumKde-1:0] valid_q, bank_q, host_q, ndone_q, kin_valid_q, suspending_q, failed_q;
  logic [NumKde*NeedW-1:0] need_q;
  logic [NumKde*CtasW-1:0] ctas_q;
  logic [NumKde*LevelW-1:0] level_q;
  logic [NumKde*HwqW-1:0] hwq_q;
  logic [NumKde*ExeW-1:0] exebl_q;
  logic [NumKde*HoldW-1:0] hold_q;
  logic [NumKde*LiveW-1:0] queued_q;
  logic [NumKde*CtasW-1:0] nextbl_q;
  logic [NumKde*SavW-1:0] sav_first_q;
  logic [NumKde*SavCountW-1:0] sav_count_q;
  logic [NumKde*KinW-1:0] kin_q;
  // A tag row.
  logic [NumTag-1:0] pend_q, pend_kin_valid_q, pend_failed_q;
  logic [NumTag*KinW-1:0] pend_kin_q;
  logic [PendW-1:0] pend_ptr_q;

  logic [NumHwq-1:0] reopen_q, reopen_d;
  logic [NumKde-1:0] left_q;
  logic desc_read_q, leave_valid_q;
  logic [1:0] susp_state_q;
  logic [KdeW-1:0] susp_kdei_q;
  logic steal, send;

  assign steal = susp_state_q == SuspSteal;
  assign send = susp_state_q == SuspSend;

  // ---- A kernel enters --------------------------------------------------------------------------
  logic enter, enter_bank;
  logic [NumKde-1:0] free, alloc, entered, low_pend;
  logic [TagRowW-1:0] enter_row;

  always_comb begin
    free = ~valid_q;
    for (int i = 0; i < NumKde; i++) begin
      if (&pend_q[2*i+:2]) free[i] = 1'b0;
      low_pend[i] = pend_q[2*i];
    end
  end

  hd_find_first #(.N(NumKde), .IdxW(KdeW)) u_alloc (
    .req_i   (free),
    .onehot_o(alloc),
    .index_o (alloc_kdei_o),
    .valid_o (kernel_ready_o)
  );

  // The entry is known before it is known whether any is free: entered does not wait for that.
  assign enter      = kernel_valid_i && kernel_ready_o;
  assign entered    = alloc & {NumKde{kernel_valid_i}};
  assign enter_bank = |(alloc & low_pend);
  assign enter_row  = TagRowW'({alloc_kdei_o, enter_bank});

  always_ff @(posedge clk_i) begin
    if (kernel_valid_i) begin
      for (int i = 0; i < NumKde; i++) begin
        if (entered[i]) begin
          need_q[i*NeedW+:NeedW]    <= kernel_i.need;
          ctas_q[i*CtasW+:CtasW]    <= kernel_i.ctas;
          level_q[i*LevelW+:LevelW] <= kernel_i.level;
          hwq_q[i*HwqW+:HwqW]       <= kernel_i.origin.hwq;
          bank_q[i]                 <= low_pend[i];
          host_q[i]                 <= kernel_i.origin.host;
        end
      end
    end
  end

  // ---- Events of this cycle, by entry -----------------------------------------------------------
  logic [NumKde-1:0] current;  // the kernel in the SSCR
  logic [NumKde-1:0] held, unheld, born, saved, fails;
  logic is_native, is_saved;

  assign current = {{NumKde - 1{1'b0}}, 1'b1} << grant_kdei_i;
  assign held = {{NumKde - 1{1'b0}}, hold_valid_i} << hold_kdei_i;
  assign unheld = {{NumKde - 1{1'b0}}, unhold_valid_i} << unhold_kdei_i;
  assign born = {{NumKde - 1{1'b0}}, birth_valid_i} << birth_kdei_i;
  assign saved = {{NumKde - 1{1'b0}}, save_valid_i} << save_kdei_i;
  assign fails = ({{NumKde - 1{1'b0}}, fail_valid_i[0]} << fail_kdei_i[KdeW-1:0])
      | ({{NumKde - 1{1'b0}}, fail_valid_i[1]} << fail_kdei_i[2*KdeW-1:KdeW])
      | ({{NumKde - 1{1'b0}}, fail_valid_i[2]} << fail_kdei_i[3*KdeW-1:2*KdeW]);
  assign is_native = grant_kind_i == hd_pkg::UnitNative;
  assign is_saved = grant_kind_i == hd_pkg::UnitSaved;

  // ---- ExeBL, entries in banks ------------------------------------------------------------------
  // grant_valid_i and serve_*_i are the last signals of the cycle to settle: they only decide which
  // rows are written, never what.
  logic [ExeW-1:0] exe_down;
  logic [NumKde-1:0] granted, served, retired, counted, queued, unqueued;

  assign exe_down = exebl_q[retire_kdei_i*ExeW+:ExeW] - ExeW'(1);

  assign served   = {{NumKde - 1{1'b0}}, serve_valid_i} << serve_kdei_i;
  assign granted  = (current & {NumKde{grant_valid_i}}) | served;
  assign retired  = {{NumKde - 1{1'b0}}, retire_valid_i} << retire_kdei_i;
  assign counted  = `HD_FAULT(10, granted ^ retired, granted | retired);
  assign queued   = {{NumKde - 1{1'b0}}, queue_valid_i} << queue_kdei_i;
  assign unqueued = served & {NumKde{serve_last_i}};

  always_ff @(posedge clk_i) begin
    if (enter || grant_valid_i || serve_valid_i || retire_valid_i) begin
      for (int i = 0; i < NumKde; i++) begin
        if (counted[i] || entered[i]) begin
          exebl_q[i*ExeW+:ExeW] <= alloc[i] ? '0 : retired[i] ? exe_down
              : exebl_q[i*ExeW+:ExeW] + ExeW'(1);
        end
      end
    end
    if (enter || queue_valid_i || serve_last_i) begin
      for (int i = 0; i < NumKde; i++) begin
        if (entered[i]) queued_q[i*LiveW+:LiveW] <= LiveW'(enter_queued_i);
        else if (queued[i] != unqueued[i]) begin
          queued_q[i*LiveW+:LiveW] <= queued[i] ? queued_q[i*LiveW+:LiveW] + LiveW'(1)
              : queued_q[i*LiveW+:LiveW] - LiveW'(1);
        end
      end
    end
  end

  // ---- Progress, hold, parent record ------------------------------------------------------------
  // One adder for each count that moves, not one for each entry. What enters is chosen by alloc,
  // which is known before it is known whether it enters.
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
  logic [NumKde-1:0] touched;             // anything below changes
  logic some_event;                       // known before it is known which entry is touched

  assign moved   = entered | (current & {NumKde{move_nextbl}});
  assign less    = current & {NumKde{sav_down}};
  assign ended   = current & {NumKde{unit_end_i && is_native}};
  assign some_event = kernel_valid_i || move_nextbl || sav_down || hold_valid_i || unhold_valid_i
      || birth_valid_i || save_valid_i || fail_valid_i != '0;
  assign touched = moved | less | held | unheld | born | saved | fails;

  always_ff @(posedge clk_i) begin
    ndone_q      <= ((ndone_q | fails | ended) & ~entered)
        | (entered & {NumKde{kernel_i.progress.ndone || enter_queued_i}});
    suspending_q <= (suspending_q | saved) & ~(entered | fails);
    failed_q     <= ((failed_q | fails) & ~entered) | (entered & {NumKde{kernel_i.origin.failed}});
    kin_valid_q  <= ((kin_valid_q | born) & ~entered) | (entered & {NumKde{kernel_i.resumed}});

    if (some_event) begin
      for (int i = 0; i < NumKde; i++) begin
        if (touched[i]) begin
          if (moved[i]) begin
            nextbl_q[i*CtasW+:CtasW] <= alloc[i] ? nextbl_enter : nextbl_stop;
          end

          if (entered[i] || less[i]) begin
            sav_first_q[i*SavW+:SavW] <= alloc[i] ? kernel_i.progress.sav_first : first_up;
          end

          if (entered[i] || fails[i] || saved[i] != less[i]) begin
            sav_count_q[i*SavCountW+:SavCountW] <= alloc[i] ? kernel_i.progress.sav_count
                : fails[i] ? '0 : saved[i] ? count_up : count_down;
          end

          if (entered[i] || born[i]) begin
            kin_q[i*KinW+:KinW] <= alloc[i] ? kernel_i.kin : birth_kin_i;
          end

          if (entered[i]) begin
            hold_q[i*HoldW+:HoldW] <= '0;
          end else if (held[i] != unheld[i]) begin
            hold_q[i*HoldW+:HoldW] <= held[i] ? hold_q[i*HoldW+:HoldW] + HoldW'(1)
                : hold_q[i*HoldW+:HoldW] - HoldW'(1);
          end
        end
      end
    end
  end

  // ---- Release ----------------------------------------------------------------------------------
  // hold_valid_i settles late: it only keeps an entry from being released. A kernel that is under
  // suspension takes no group, so that a suspension need not look at it.
  logic [NumKde-1:0] quiet, idle, may_release, may_reopen, release_now;
  logic [NumTag-1:0] pend_set;

  assign quiet = valid_q & `HD_FAULT(11, ~marked_i, '1) & ~next_busy_i & ~born & ~saved & ~fails;

  always_comb begin
    idle = '0;
    for (int i = 0; i < NumKde; i++) begin
      if (quiet[i]) begin
        idle[i] = exebl_q[i*ExeW+:ExeW] == '0
            && `HD_FAULT(100, queued_q[i*LiveW+:LiveW] == '0, 1'b1)
            && `HD_FAULT(60, hold_q[i*HoldW+:HoldW] == '0, 1'b1);
      end
    end
  end

  assign may_release = idle & `HD_FAULT(61, ~pending_i, '1) & ~suspending_q;
  assign may_reopen  = may_release & host_q & ~kin_valid_q;
  assign release_now = may_release & ~held;

  // Which HWQ each entry reopens is known before a late hold keeps it.
  always_comb begin
    pend_set = '0;
    reopen_d = '0;
    if (may_release != '0) begin
      for (int i = 0; i < NumKde; i++) begin
        if (release_now[i]) pend_set[2*i+:2] = {bank_q[i], !bank_q[i]};
        reopen_d = reopen_d | (({{NumHwq - 1{1'b0}}, may_reopen[i]} << hwq_q[i*HwqW+:HwqW])
            & {NumHwq{!held[i]}});
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (release_now != '0) begin
      for (int i = 0; i < NumKde; i++) begin
        for (int b = 0; b < 2; b++) begin
          if (pend_set[2*i+b]) begin
            pend_kin_valid_q[2*i+b]        <= kin_valid_q[i];
            pend_kin_q[(2*i+b)*KinW+:KinW] <= kin_q[i*KinW+:KinW] & {KinW{kin_valid_q[i]}};
            pend_failed_q[2*i+b]           <= failed_q[i];
          end
        end
      end
    end
  end

  // ---- Suspension -------------------------------------------------------------------------------
  logic susp_any, susp_start;
  logic [KdeW-1:0] susp_index;
  logic [NumKde-1:0] susp_onehot, sent;

  hd_find_first #(.N(NumKde), .IdxW(KdeW)) u_susp (
    .req_i   (idle & suspending_q),
    .onehot_o(susp_onehot),
    .index_o (susp_index),
    .valid_o (susp_any)
  );

  assign susp_start = susp_state_q == SuspIdle && susp_any && suspend_free_i;
  assign sent = {{NumKde - 1{1'b0}}, send} << susp_kdei_q;

  always_ff @(posedge clk_i) begin
    if (susp_start) susp_kdei_q <= susp_index;
  end

  // ---- Kernels that leave -----------------------------------------------------------------------
  logic stage_free, report, report_any;
  logic [NumTag-1:0] reported;
  logic [TagRowW-1:0] report_row, report_next;

  assign stage_free = !leave_valid_q || leave_ready_i;
  assign report = `HD_FAULT(9, stage_free, 1'b1) && report_any && !steal;

  hd_rr_arb #(.N(NumTag), .IdxW(TagRowW)) u_report (
    .req_i  (pend_q),
    .ptr_i  (TagRowW'(pend_ptr_q)),
    .grant_o(reported),
    .index_o(report_row),
    .valid_o(report_any),
    .next_o (report_next)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q       <= '0;
      pend_q        <= '0;
      pend_ptr_q    <= '0;
      reopen_q      <= '0;
      left_q        <= '0;
      desc_read_q   <= 1'b0;
      leave_valid_q <= 1'b0;
      susp_state_q  <= SuspIdle;
    end else begin
      valid_q     <= (valid_q & ~release_now & ~sent) | entered;
      pend_q      <= (pend_q & ~(reported & {NumTag{report}})) | pend_set;
      reopen_q    <= reopen_d;
      left_q      <= release_now | sent;
      desc_read_q <= grant_valid_i || serve_valid_i;
      if (report) pend_ptr_q <= `HD_FAULT(12, PendW'(report_next), PendW'(report_row));
      if (stage_free) leave_valid_q <= report;
      if (susp_start) susp_state_q <= SuspSteal;
      else if (steal) susp_state_q <= SuspSend;
      else if (send) susp_state_q <= SuspIdle;
    end
  end

  // ---- RAMs -------------------------------------------------------------------------------------
  hd_pkg::desc_t desc;
  hd_pkg::origin_t origin;

  hd_ram_1r1w #(.Width(hd_pkg::DescW), .Depth(NumKde), .AddrW(KdeW)) u_desc (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (enter),
    .waddr_i(alloc_kdei_o),
    .wdata_i(kernel_i.desc),
    .re_i   (grant_valid_i || serve_valid_i || steal),
    .raddr_i(steal ? susp_kdei_q : serve_valid_i ? serve_kdei_i : grant_kdei_i),
    .rdata_o(desc)
  );

  hd_ram_1r1w #(.Width(hd_pkg::OriginW), .Depth(NumTag), .AddrW(TagRowW)) u_tag (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (enter),
    .waddr_i(enter_row),
    .wdata_i(kernel_i.origin),
    .re_i   (report || steal),
    .raddr_i(steal ? TagRowW'({susp_kdei_q, bank_q[susp_kdei_q]}) : report_row),
    .rdata_o(origin)
  );

  // A kernel that leaves is the row that was read, but for what the row's flops say. While it waits,
  // a suspension may read another row: a copy stands in from then on.
  logic leave_kept_q, leave_kin_valid_q, leave_failed_q;
  logic [KinW-1:0] leave_kin_q;
  hd_pkg::origin_t leave_origin, leave_origin_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) leave_kept_q <= 1'b0;
    else leave_kept_q <= !stage_free && (leave_kept_q || steal);
  end

  always_ff @(posedge clk_i) begin
    if (steal) leave_origin_q <= leave_origin;
    if (report) begin
      leave_kin_valid_q <= pend_kin_valid_q[report_row];
      leave_kin_q       <= pend_kin_q[report_row*KinW+:KinW];
      leave_failed_q    <= pend_failed_q[report_row];
    end
  end

  assign leave_origin = leave_kept_q ? leave_origin_q : origin;

  // ---- Outputs ----------------------------------------------------------------------------------
  always_comb begin
    need_o      = need_q;
    ctas_o      = ctas_q;
    level_o     = level_q;
    nextbl_o    = nextbl_q;
    sav_first_o = sav_first_q;
    sav_count_o = sav_count_q;
    kin_o       = kin_q;
    save_ok_o   = kin_valid_o & ~failed_q;
    if (valid_q != '1) begin
      for (int i = 0; i < NumKde; i++) begin
        if (!valid_q[i]) begin
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
  assign ndone_o      = ndone_q & valid_q;
  assign kin_valid_o  = kin_valid_q & valid_q;
  assign suspending_o = suspending_q & valid_q;
  assign failed_o     = failed_q & valid_q;
  assign eligible_o   = valid_q & ~suspending_q & ~failed_q;
  assign desc_o       = desc_read_q ? desc : '0;
  assign reopen_o     = reopen_q;
  assign kd_busy_o    = |valid_q;
  assign left_o       = left_q;
  assign steal_o      = steal;
  assign take_valid_o = steal;
  assign take_kdei_o  = steal ? susp_kdei_q : '0;

  assign suspend_valid_o = send;
  always_comb begin
    suspend_o = '0;
    if (send) begin
      suspend_o.desc               = desc;
      suspend_o.need               = need_q[susp_kdei_q*NeedW+:NeedW];
      suspend_o.ctas               = ctas_q[susp_kdei_q*CtasW+:CtasW];
      suspend_o.level              = level_q[susp_kdei_q*LevelW+:LevelW];
      suspend_o.origin             = origin;
      suspend_o.origin.failed      = failed_q[susp_kdei_q];
      suspend_o.kin                = kin_q[susp_kdei_q*KinW+:KinW];
      suspend_o.progress.ndone     = ndone_q[susp_kdei_q];
      suspend_o.progress.nextbl    = nextbl_q[susp_kdei_q*CtasW+:CtasW];
      suspend_o.progress.sav_first = sav_first_q[susp_kdei_q*SavW+:SavW];
      suspend_o.progress.sav_count = sav_count_q[susp_kdei_q*SavCountW+:SavCountW];
    end
  end

  assign leave_valid_o = leave_valid_q;
  always_comb begin
    leave_o = '0;
    if (leave_valid_q) begin
      leave_o.origin        = leave_origin;
      leave_o.origin.failed = leave_failed_q;
      leave_o.kin_valid     = leave_kin_valid_q;
      leave_o.kin           = leave_kin_q;
    end
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, susp_onehot, origin.failed, leave_origin.failed, kernel_i.groups};

`ifdef VERILATOR
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // A TB is handed out only of a kernel that is here, and not while its descriptor can not be
      // read.
      if (grant_valid_i) begin
        a_grant : assert (valid_q[grant_kdei_i] && !steal && !serve_valid_i);
      end
      if (serve_valid_i) begin
        a_serve : assert (valid_q[serve_kdei_i] && !steal
            && queued_q[serve_kdei_i*LiveW+:LiveW] != '0);
      end
      // A TB retires only from a kernel that is here and has TBs in execution.
      if (retire_valid_i) begin
        a_retire : assert (valid_q[retire_kdei_i] && exebl_q[retire_kdei_i*ExeW+:ExeW] != '0);
      end
      // ExeBL can not wrap: resident TBs are fewer.
      if (grant_valid_i) a_exebl_max : assert (exebl_q[grant_kdei_i*ExeW+:ExeW] != '1);
      if (serve_valid_i) a_exebl_serve : assert (exebl_q[serve_kdei_i*ExeW+:ExeW] != '1);
      // A kernel enters a free entry, with a HWQ that exists, and into a tag row that does not wait
      // to leave.
      if (enter) begin
        a_enter : assert (!valid_q[alloc_kdei_o] && 32'(kernel_i.origin.hwq) < NumHwq
            && !pend_q[enter_row]);
      end
      // Groups, children and saved TBs come only for kernels that are here; those of a saved TB
      // have a parent record, and a place in the list, unless they have failed since the save was
      // accepted.
      a_here : assert (((held | unheld | born | saved | queued) & ~valid_q) == '0
          && (saved & ~(save_ok_o | failed_q)) == '0);
      // hold can not wrap: two groups at most are on their way.
      if (unhold_valid_i) a_hold : assert (hold_q[unhold_kdei_i*HoldW+:HoldW] != '0);
      if (hold_valid_i) begin
        a_hold_max : assert (hold_q[hold_kdei_i*HoldW+:HoldW] != '1 && eligible_o[hold_kdei_i]);
      end
      // A kernel under suspension has nothing in execution and stays as it is.
      if (steal || send) begin
        a_suspend : assert (valid_q[susp_kdei_q] && suspending_q[susp_kdei_q]
            && !marked_i[susp_kdei_q] && queued_q[susp_kdei_q*LiveW+:LiveW] == '0
            && exebl_q[susp_kdei_q*ExeW+:ExeW] == '0
            && ((held | unheld | born | saved | fails) & (NumKde'(1) << susp_kdei_q)) == '0);
      end
      // A tag row is not made pending twice.
      a_pend_once : assert ((pend_set & pend_q) == '0);
      // The pointer names a tag row.
      a_ptr : assert (32'(pend_ptr_q) < NumTag);
    end
  end
  // A kernel that leaves is offered until it is taken.
  a_leave_stable :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      leave_valid_o && !leave_ready_i |=> leave_valid_o && $stable(leave_o));
  // The rare: several released at once, an entry held up by its tag rows alone, all full, ExeBL up
  // and down at once, a release put off by a group in the last moment, a suspension while a kernel
  // waits to leave, a kernel that fails as it is saved.
  c_many_released :
  cover property (@(posedge clk_i) $countones(release_now) > 1);
  c_tags_full :
  cover property (@(posedge clk_i) (~valid_q & ~free) != '0);
  c_full :
  cover property (@(posedge clk_i) kernel_valid_i && !kernel_ready_o);
  c_net_zero :
  cover property (@(posedge clk_i) (granted & retired) != '0);
  c_held_back :
  cover property (@(posedge clk_i) hold_valid_i && valid_q[hold_kdei_i] && !marked_i[hold_kdei_i]
      && exebl_q[hold_kdei_i*ExeW+:ExeW] == '0 && hold_q[hold_kdei_i*HoldW+:HoldW] == '0);
  c_kept :
  cover property (@(posedge clk_i) leave_kept_q);
  c_fail_suspending :
  cover property (@(posedge clk_i) (fails & suspending_q) != '0);
`endif

endmodule
