// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_kd: Kernel Distributor: holds the kernels that execute, counts their TBs, releases and reports
// them.
//
//   KMU kernel --> [entries 0 .. NumKde-1] --> need, ctas, desc to the SMX scheduler
//   grant +1, retire -1 --> [ExeBL]  |  release: reopen to the KMU; [tag rows] --> kernel_done
//
// From dtbl-isca2015 section 2.2, figure 4. The two tag rows per entry are ours: an entry can be
// used again at once while the tag of its last kernel waits to be reported.
// - A kernel enters the lowest free entry. Free: not valid, and one of its two tag rows not
//   pending.
// - A grant raises ExeBL of its kernel, a retired TB lowers it; both for one entry: net 0.
// - Every entry that is valid, unmarked and has ExeBL 0 is released, all in the same cycle; its HWQ
//   reopens in the next.
// - Pending tag rows are reported one per cycle, round robin. A report, a release and an entering
//   kernel do not disturb each other: they see the state of the start of the cycle.
// - Latency: desc one cycle after the grant; kernel_done two after the release. All outputs come
//   from registers.
// - Reset: all entries free, nothing pending; RAM rows keep anything.
// Ports: kd.csv. Model cmodel/kd, tests verif/unit and verif/equiv test_kd, page docs/kd.md.
`include "common/hd_fault.svh"
module hd_kd (
  input  logic                                      clk_i,
  input  logic                                      rst_ni,
  input  logic                                      kernel_valid_i,
  input  hd_pkg::kernel_t                           kernel_i,
  output logic                                      kernel_ready_o,
  output logic [hd_pkg::KdeW-1:0]                   alloc_kdei_o,
  input  logic [hd_pkg::NumKde-1:0]                 marked_i,
  input  logic                                      grant_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                   grant_kdei_i,
  input  logic                                      retire_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                   retire_kdei_i,
  output logic [hd_pkg::NumKde*hd_pkg::NeedW-1:0]   need_o,
  output logic [hd_pkg::NumKde*hd_pkg::CtasW-1:0]   ctas_o,
  output hd_pkg::desc_t                             desc_o,
  output logic [hd_pkg::NumHwq-1:0]                 reopen_o,
  output logic                                      kernel_done_valid_o,
  output logic [hd_pkg::TagW-1:0]                   kernel_done_o,
  input  logic                                      kernel_done_ready_i
);

  localparam int NumKde = hd_pkg::NumKde;
  localparam int NumHwq = hd_pkg::NumHwq;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int HwqW = hd_pkg::HwqW;
  localparam int NeedW = hd_pkg::NeedW;
  localparam int CtasW = hd_pkg::CtasW;
  localparam int ExeW = hd_pkg::ExeW;
  localparam int PendW = hd_pkg::PendW;
  localparam int NumTag = 2 * NumKde;
  localparam int TagRowW = $clog2(NumTag);

  logic [NumKde-1:0] valid_q, bank_q;
  logic [NumKde*NeedW-1:0] need_q, need_d;
  logic [NumKde*CtasW-1:0] ctas_q, ctas_d;
  logic [NumKde*HwqW-1:0] hwq_q, hwq_d;
  logic [NumKde*ExeW-1:0] exebl_q, exebl_d;
  logic [NumTag-1:0] pend_q;
  logic [PendW-1:0] pend_ptr_q;
  logic [NumHwq-1:0] reopen_q, reopen_d;
  logic desc_read_q, done_valid_q;

  // ---- A kernel enters --------------------------------------------------------------------------
  logic enter, enter_bank;
  logic [NumKde-1:0] free, alloc, entered, low_pend;
  logic [TagRowW-1:0] enter_row;

  for (genvar i = 0; i < NumKde; i++) begin : g_free
    assign free[i] = !valid_q[i] && !(&pend_q[2*i+:2]);
    assign low_pend[i] = pend_q[2*i];
  end

  hd_find_first #(.N(NumKde), .IdxW(KdeW)) u_alloc (
    .req_i   (free),
    .onehot_o(alloc),
    .index_o (alloc_kdei_o),
    .valid_o (kernel_ready_o)
  );

  assign enter      = kernel_valid_i && kernel_ready_o;
  assign entered    = alloc & {NumKde{enter}};
  assign enter_bank = |(alloc & low_pend);
  assign enter_row  = TagRowW'({alloc_kdei_o, enter_bank});

  always_comb begin
    need_d = need_q;
    ctas_d = ctas_q;
    hwq_d  = hwq_q;
    for (int i = 0; i < NumKde; i++) begin
      if (alloc[i]) begin
        need_d[i*NeedW+:NeedW] = kernel_i.need;
        ctas_d[i*CtasW+:CtasW] = kernel_i.ctas;
        hwq_d[i*HwqW+:HwqW]    = kernel_i.hwq;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (enter) begin
      need_q <= need_d;
      ctas_q <= ctas_d;
      hwq_q  <= hwq_d;
      bank_q <= (bank_q & ~alloc) | (alloc & {NumKde{enter_bank}});
    end
  end

  // ---- ExeBL ------------------------------------------------------------------------------------
  // grant_valid_i is the last signal of the cycle to settle: it only decides which rows are written,
  // never what.
  logic [ExeW-1:0] exe_up, exe_down;
  logic [NumKde-1:0] granted, retired, counted;

  assign exe_up   = exebl_q[grant_kdei_i*ExeW+:ExeW] + ExeW'(1);
  assign exe_down = exebl_q[retire_kdei_i*ExeW+:ExeW] - ExeW'(1);

  for (genvar i = 0; i < NumKde; i++) begin : g_exebl
    assign granted[i] = grant_valid_i && grant_kdei_i == KdeW'(i);
    assign retired[i] = retire_valid_i && retire_kdei_i == KdeW'(i);
    assign counted[i] = `HD_FAULT(10, granted[i] ^ retired[i], granted[i] || retired[i]);
  end

  always_comb begin
    for (int i = 0; i < NumKde; i++) begin
      exebl_d[i*ExeW+:ExeW] = retired[i] ? exe_down : exe_up;
      if (alloc[i]) exebl_d[i*ExeW+:ExeW] = '0;
      if (!(counted[i] || entered[i])) exebl_d[i*ExeW+:ExeW] = exebl_q[i*ExeW+:ExeW];
    end
  end

  always_ff @(posedge clk_i) begin
    if (enter || grant_valid_i || retire_valid_i) exebl_q <= exebl_d;
  end

  // ---- Release ----------------------------------------------------------------------------------
  logic [NumKde-1:0] release_now;
  logic [NumTag-1:0] pend_set;

  for (genvar i = 0; i < NumKde; i++) begin : g_release
    assign release_now[i] = valid_q[i] && `HD_FAULT(11, !marked_i[i], 1'b1)
        && exebl_q[i*ExeW+:ExeW] == '0;
    assign pend_set[2*i+:2] = {release_now[i] && bank_q[i], release_now[i] && !bank_q[i]};
  end

  always_comb begin
    reopen_d = '0;
    if (|release_now) begin
      for (int i = 0; i < NumKde; i++) begin
        reopen_d = reopen_d | ({{NumHwq - 1{1'b0}}, release_now[i]} << hwq_q[i*HwqW+:HwqW]);
      end
    end
  end

  // ---- Report -----------------------------------------------------------------------------------
  logic stage_free, report, report_any;
  logic [NumTag-1:0] reported;
  logic [TagRowW-1:0] report_row, report_next;

  assign stage_free = !done_valid_q || kernel_done_ready_i;
  assign report = `HD_FAULT(9, stage_free, 1'b1) && report_any;

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
      valid_q      <= '0;
      pend_q       <= '0;
      pend_ptr_q   <= '0;
      reopen_q     <= '0;
      desc_read_q  <= 1'b0;
      done_valid_q <= 1'b0;
    end else begin
      valid_q     <= (valid_q & ~release_now) | entered;
      pend_q      <= (pend_q & ~(reported & {NumTag{report}})) | pend_set;
      reopen_q    <= reopen_d;
      desc_read_q <= grant_valid_i;
      if (report) pend_ptr_q <= `HD_FAULT(12, PendW'(report_next), PendW'(report_row));
      if (stage_free) done_valid_q <= report_any;
    end
  end

  // ---- RAMs -------------------------------------------------------------------------------------
  hd_pkg::desc_t desc;
  logic [hd_pkg::TagW-1:0] tag;

  hd_ram_1r1w #(.Width(hd_pkg::DescW), .Depth(NumKde), .AddrW(KdeW)) u_desc (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (enter),
    .waddr_i(alloc_kdei_o),
    .wdata_i(kernel_i.desc),
    .re_i   (grant_valid_i),
    .raddr_i(grant_kdei_i),
    .rdata_o(desc)
  );

  hd_ram_1r1w #(.Width(hd_pkg::TagW), .Depth(NumTag), .AddrW(TagRowW)) u_tag (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (enter),
    .waddr_i(enter_row),
    .wdata_i(kernel_i.tag),
    .re_i   (report),
    .raddr_i(report_row),
    .rdata_o(tag)
  );

  // ---- Outputs ----------------------------------------------------------------------------------
  for (genvar i = 0; i < NumKde; i++) begin : g_entry
    assign need_o[i*NeedW+:NeedW] = need_q[i*NeedW+:NeedW] & {NeedW{valid_q[i]}};
    assign ctas_o[i*CtasW+:CtasW] = ctas_q[i*CtasW+:CtasW] & {CtasW{valid_q[i]}};
  end
  assign desc_o = desc_read_q ? desc : '0;
  assign reopen_o = reopen_q;
  assign kernel_done_valid_o = done_valid_q;
  assign kernel_done_o = done_valid_q ? tag : '0;

`ifdef VERILATOR
  // A TB is handed out only of a kernel that is here.
  a_grant :
  assert property (@(posedge clk_i) disable iff (!rst_ni) grant_valid_i |-> valid_q[grant_kdei_i]);
  // A TB retires only from a kernel that is here and has TBs in execution.
  a_retire :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      retire_valid_i |-> valid_q[retire_kdei_i] && exebl_q[retire_kdei_i*ExeW+:ExeW] != '0);
  // ExeBL can not wrap: resident TBs are fewer.
  a_exebl_max :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      granted != '0 |-> exe_up != '0);
  // A kernel enters a free entry, with a HWQ that exists, and into a tag row that does not wait to
  // be reported.
  a_enter :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      enter |-> !valid_q[alloc_kdei_o] && 32'(kernel_i.hwq) < NumHwq && !pend_q[enter_row]);
  // A tag row is not made pending twice.
  a_pend_once :
  assert property (@(posedge clk_i) disable iff (!rst_ni) (pend_set & pend_q) == '0);
  // The pointer names a tag row.
  a_ptr :
  assert property (@(posedge clk_i) disable iff (!rst_ni) 32'(pend_ptr_q) < NumTag);
  // An offered report stays until it is taken.
  a_done_stable :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      kernel_done_valid_o && !kernel_done_ready_i
      |=> kernel_done_valid_o && $stable(kernel_done_o));
  // The rare: several released at once, an entry held up by its tag rows alone, all full, ExeBL up
  // and down at once.
  c_many_released :
  cover property (@(posedge clk_i) $countones(release_now) > 1);
  c_tags_full :
  cover property (@(posedge clk_i) (~valid_q & ~free) != '0);
  c_full :
  cover property (@(posedge clk_i) kernel_valid_i && !kernel_ready_o);
  c_net_zero :
  cover property (@(posedge clk_i) (granted & retired) != '0);
`endif

endmodule
