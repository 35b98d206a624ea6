// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_kd_tags: two tag rows per KD entry: the origin of its current kernel, and that of the previous
// one if it still waits to be reported. So an entry can be reused at once.
//
//   enter ----> [u_tag: origin x 2 NumKde] --read--> leave, to kin
//   release --> [pending x 2 NumKde] --round robin--'
//
// Ours: dtbl-isca2015 does not define how the host learns of the end of a kernel.
// - A kernel that enters uses the row of its entry that is not pending (bank), the lower one if
//   neither is. full_o: both rows of the entry are pending, so no kernel may enter it.
// - Release: the row becomes pending, with the kernel's parent record and failure flag. For a
//   suspension the row is only read (steal_i); this has priority over a report.
// - Pending rows leave one per cycle, round robin. Releases and entries in the same cycle are
//   independent of it: all use the state at the start of the cycle.
// - Latency: leave_o.valid two cycles after the release, origin_o one after steal_i. All outputs
//   come from registers and the row read.
// - leave_*: stays valid and unchanged until it is accepted.
// - Reset: nothing pending; rows have no reset.
// Part of hd_kd, whose tests cover it.
`include "common/hd_assert.svh"
module hd_kd_tags (
  input  logic                                    clk_i,
  input  logic                                    rst_ni,
  // A kernel enters; timing: alloc_i, its entry, settles before enter_i
  input  logic                                    enter_i,
  input  logic [hd_pkg::NumKde-1:0]               entered_i,
  input  logic [hd_pkg::NumKde-1:0]               alloc_i,
  input  logic [hd_pkg::KdeW-1:0]                 alloc_kdei_i,
  input  hd_pkg::origin_t                         origin_i,
  output logic [hd_pkg::NumKde-1:0]               full_o,
  // Kernels that are released
  input  logic [hd_pkg::NumKde-1:0]               release_i,
  input  logic [hd_pkg::NumKde-1:0]               kin_valid_i,
  input  logic [hd_pkg::NumKde*hd_pkg::KinW-1:0]  kin_i,
  input  logic [hd_pkg::NumKde-1:0]               failed_i,
  // The row of a suspended kernel, and the origin of its rest, written there in the next cycle; no
  // kernel enters in that cycle
  input  logic                                    steal_i,
  input  logic [hd_pkg::KdeW-1:0]                 steal_kdei_i,
  output hd_pkg::origin_t                         origin_o,
  input  logic                                    rest_i,
  input  hd_pkg::origin_t                         rest_origin_i,
  // A kernel has left (kin)
  output hd_pkg::leave_t                          leave_o,
  input  logic                                    leave_ready_i
);

  localparam int NumKde = hd_pkg::NumKde;
  localparam int KinW = hd_pkg::KinW;
  localparam int PendW = hd_pkg::PendW;
  localparam int NumTag = 2 * NumKde;
  localparam int TagRowW = $clog2(NumTag);

  logic [NumKde-1:0] bank_q;
  logic [NumTag-1:0] pend_q, pend_kin_valid_q, pend_failed_q;
  logic [NumTag*KinW-1:0] pend_kin_q;
  logic [PendW-1:0] pend_ptr_q;
  logic leave_valid_q;

  // ---- A kernel enters --------------------------------------------------------------------------
  logic enter_bank;
  logic [NumKde-1:0] low_pend;
  logic [TagRowW-1:0] enter_row;

  always_comb begin
    for (int i = 0; i < NumKde; i++) begin
      full_o[i]   = &pend_q[2*i+:2];
      low_pend[i] = pend_q[2*i];
    end
  end

  assign enter_bank = |(alloc_i & low_pend);
  assign enter_row  = TagRowW'({alloc_kdei_i, enter_bank});

  always_ff @(posedge clk_i) begin
    if (enter_i) begin
      for (int i = 0; i < NumKde; i++) if (entered_i[i]) bank_q[i] <= low_pend[i];
    end
  end

  // ---- Kernels that are released ----------------------------------------------------------------
  logic [NumTag-1:0] pend_set;

  always_comb begin
    pend_set = '0;
    if (release_i != '0) begin
      for (int i = 0; i < NumKde; i++) begin
        if (release_i[i]) pend_set[2*i+:2] = {bank_q[i], !bank_q[i]};
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (release_i != '0) begin
      for (int i = 0; i < NumKde; i++) begin
        for (int b = 0; b < 2; b++) begin
          if (pend_set[2*i+b]) begin
            pend_kin_valid_q[2*i+b]        <= kin_valid_i[i];
            pend_kin_q[(2*i+b)*KinW+:KinW] <= kin_i[i*KinW+:KinW];
            pend_failed_q[2*i+b]           <= failed_i[i];
          end
        end
      end
    end
  end

  // ---- Kernels that leave -----------------------------------------------------------------------
  logic stage_free, report, report_any;
  logic [NumTag-1:0] reported;
  logic [TagRowW-1:0] report_row, report_next;

  assign stage_free = !leave_valid_q || leave_ready_i;
  assign report = stage_free && report_any && !steal_i;

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
      pend_q        <= '0;
      pend_ptr_q    <= '0;
      leave_valid_q <= 1'b0;
    end else begin
      pend_q <= (pend_q & ~(reported & {NumTag{report}})) | pend_set;
      if (report) pend_ptr_q <= PendW'(report_next);
      if (stage_free) leave_valid_q <= report;
    end
  end

  logic [TagRowW-1:0] steal_row;

  assign steal_row = TagRowW'({steal_kdei_i, bank_q[steal_kdei_i]});

  hd_ram_1r1w #(.Width(hd_pkg::OriginW), .Depth(NumTag), .AddrW(TagRowW)) u_tag (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (enter_i || rest_i),
    .waddr_i(rest_i ? steal_row : enter_row),
    .wdata_i(rest_i ? rest_origin_i : origin_i),
    .re_i   (report || steal_i),
    .raddr_i(steal_i ? steal_row : report_row),
    .rdata_o(origin_o)
  );

  // The kernel that leaves is the row that was read, plus the row's flops. While it waits, a
  // suspension may read another row; a copy is used from then on.
  logic leave_kept_q, leave_kin_valid_q, leave_failed_q;
  logic [KinW-1:0] leave_kin_q;
  hd_pkg::origin_t leave_origin, leave_origin_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) leave_kept_q <= 1'b0;
    else leave_kept_q <= !stage_free && (leave_kept_q || steal_i);
  end

  // timing: the row's flops, selected by the arbiter's one-hot, which settles before its index.
  logic [KinW-1:0] report_kin;

  always_comb begin
    report_kin = '0;
    if (report_any) begin
      for (int r = 0; r < NumTag; r++) begin
        if (reported[r]) report_kin = report_kin | pend_kin_q[r*KinW+:KinW];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (steal_i) leave_origin_q <= leave_origin;
    if (report) begin
      leave_kin_valid_q <= |(pend_kin_valid_q & reported);
      leave_kin_q       <= report_kin;
      leave_failed_q    <= |(pend_failed_q & reported);
    end
  end

  assign leave_origin = leave_kept_q ? leave_origin_q : origin_o;

  always_comb begin
    leave_o = '0;
    if (leave_valid_q) begin
      leave_o.valid         = 1'b1;
      leave_o.origin        = leave_origin;
      leave_o.origin.failed = leave_failed_q;
      leave_o.kin_valid     = leave_kin_valid_q;
      leave_o.kin           = leave_kin_q;
    end
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, leave_origin.failed};

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (enter_i) `HD_ASSERT_IN(a_enter, !pend_q[enter_row] && !rest_i,
          "A kernel enters while both its tag rows are pending, or while a rest is written.")
      `HD_ASSERT_IN(a_pend_once, (pend_set & pend_q) == '0,
          "A kernel is released whose tag row is already pending.")
      `HD_ASSERT(a_ptr, 32'(pend_ptr_q) < NumTag,
          "The round-robin pointer is beyond the last tag row.")
    end
  end
  `HD_ASSERT_PROP(a_leave_stable, leave_o.valid && !leave_ready_i |=> leave_o.valid
      && $stable(leave_o),
      "A kernel that leaves changes or is withdrawn before it is accepted.")

  // Rare: a suspension while a kernel waits to leave.
  `HD_COVER(c_kept, leave_kept_q)
`endif

endmodule
