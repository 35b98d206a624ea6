// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_kin: parent records: counts the incomplete device kernels launched by each kernel, and
// completes a kernel when they are complete.
//
//   devq: birth + 1 --> [row: valid, children, gone, susp] -- ripe, ready --.
//   KD: leave ---.        ^ origin of waiting kernels: [u_row]              |
//   pool: lost --+--> [C register] --> host: kernel_done, reopen            '--> ready: resume
//   ripe rows ---'                 '--> device: parent's children - 1, stream_done
//
// From dtbl-isca2015 section 2.4 (a parent is complete when its children are); records are ours.
// - A kernel gets a row with its first child. If it leaves the KD with incomplete children, the row
//   is gone, and ripe when they are complete. If it is suspended, the row is susp, and ready when
//   they are complete, or ripe if a memory error lost part of it (failed).
// - One completion at a time passes the C register: first a ripe row (round robin), then a lost
//   device kernel, then a kernel that leaves the KD. A completion of a host kernel stays until it
//   is accepted, one of a device kernel for one cycle.
// - A rest is a child like any other; it is counted in the next cycle without a birth. If a rest
//   fails, the suspended kernel that it was part of fails too.
// - Children are counted in hd_kin_counts: a birth and a completion of a child of one row in one
//   cycle leave its count unchanged.
// - A failed kernel with a save still on its way to memory waits until no save is in flight, so
//   that an error of that save cannot fail the next owner of its row.
// - late: the kernel had a row when it left the KD, so its HWQ is not reopened yet.
// - Latency: leave at t, kernel_done at t+1; last child's completion at t (in C), ripe at t+1, in C
//   at t+2. *_ready_o depend on registers and on other valids; other outputs come from registers.
// - Reset: no rows; RAM rows have no reset.
// Ports: kin.csv. Model cmodel/family/kin, tests verif/unit and verif/equiv test_kin, page
// docs/family/kin.md.
`include "common/hd_assert.svh"
module hd_kin (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  // Next parent record (devq)
  output hd_pkg::parent_t           free_o,
  // New child of a kernel (devq)
  input  hd_pkg::birth_t            devq_birth_i,
  // Rest: bank entries of a suspended kernel, counted as its child (kd)
  input  hd_pkg::parent_t           kd_rest_i,
  // Kernel leaving the KD (kd)
  input  hd_pkg::leave_t            kd_leave_i,
  input  logic                      susp_saving_i,
  output logic                      leave_ready_o,
  // Lost device kernel (pool)
  input  hd_pkg::lost_t             pool_lost_i,
  output logic                      lost_ready_o,
  // Suspended kernel (susp)
  input  hd_pkg::suspended_t        susp_suspended_i,
  output logic                      suspended_ready_o,
  // Failed suspended kernel (susp)
  input  hd_pkg::kinfail_t          susp_kin_fail_i,
  // Incomplete device kernels (regs)
  output logic                      busy_o,
  // Resumption of a suspended kernel (susp)
  output hd_pkg::parent_t           resume_o,
  input  logic                      susp_resume_ready_i,
  // Finished kernels
  output logic                      kernel_done_valid_o,
  output hd_pkg::completion_t       kernel_done_o,
  input  logic                      kernel_done_ready_i,
  // HWQs (kmu) and streams (pool) of completed kernels
  output logic [hd_pkg::NumHwq-1:0] reopen_o,
  output hd_pkg::streamend_t        stream_done_o
);

  localparam int NumKin = hd_pkg::NumKin;
  localparam int NumHwq = hd_pkg::NumHwq;
  localparam int KinW = hd_pkg::KinW;
  localparam int StreamW = hd_pkg::StreamW;

  logic [NumKin-1:0] valid_q, gone_q, susp_q, failed_q, written;
  logic [KinW-1:0] ready_ptr_q, ripe_ptr_q;
  logic c_valid_q, c_late_q, c_failed_q, c_from_row_q;
  hd_pkg::origin_t c_origin_q, c_origin, row;
  logic resume_valid_q;
  logic [KinW-1:0] resume_kin_q;

  // ---- Allocation -------------------------------------------------------------------------------
  logic [NumKin-1:0] alloc;

  hd_find_first #(.N(NumKin), .IdxW(KinW)) u_alloc (
    .req_i   (~valid_q),
    .onehot_o(alloc),
    .index_o (free_o.kin),
    .valid_o (free_o.valid)
  );

  // ---- Ripe and ready rows ---------------------------------------------------------------------
  logic c_device;  // a child is complete
  logic [NumKin-1:0] fresh, childless, ripe, ready, ripe_row, ready_row;
  logic some_ripe, some_ready;
  logic rest_q;                // a rest is not counted yet
  logic [KinW-1:0] rest_kin_q;
  logic [KinW-1:0] ripe_kin, ripe_next, ready_kin, ready_next;

  hd_kin_counts u_counts (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .birth_valid_i(devq_birth_i.valid || rest_q),
    .birth_kin_i  (devq_birth_i.valid ? devq_birth_i.kin : rest_kin_q),
    .birth_new_i  (devq_birth_i.valid && devq_birth_i.alloc),
    .fresh_o      (fresh),
    .done_valid_i (c_device),
    .done_kin_i   (c_origin.up),
    .childless_o  (childless)
  );

  assign written = gone_q | susp_q;
  assign ripe  = valid_q & childless & (gone_q | (susp_q & failed_q));
  assign ready = valid_q & childless & susp_q & ~failed_q;

  hd_rr_arb #(.N(NumKin), .IdxW(KinW)) u_ripe (
    .req_i  (ripe),
    .ptr_i  (ripe_ptr_q),
    .grant_o(ripe_row),
    .index_o(ripe_kin),
    .valid_o(some_ripe),
    .next_o (ripe_next)
  );

  hd_rr_arb #(.N(NumKin), .IdxW(KinW)) u_ready (
    .req_i  (ready),
    .ptr_i  (ready_ptr_q),
    .grant_o(ready_row),
    .index_o(ready_kin),
    .valid_o(some_ready),
    .next_o (ready_next)
  );

  // ---- One completion at a time -----------------------------------------------------------------
  logic c_free, take_ripe, take_lost, take_leave, leave_waits, leave_done, c_host_done;

  assign c_origin = c_from_row_q ? row : c_origin_q;
  assign c_free   = !c_valid_q || !c_origin.host || kernel_done_ready_i;
  assign c_device = c_valid_q && !c_origin.host;

  assign lost_ready_o  = c_free && !some_ripe;
  assign leave_ready_o = c_free && !some_ripe && !pool_lost_i.valid
      && !(kd_leave_i.kin_valid && kd_leave_i.origin.failed && susp_saving_i);

  assign take_ripe   = c_free && some_ripe;
  assign take_lost   = pool_lost_i.valid && lost_ready_o;
  assign take_leave  = kd_leave_i.valid && leave_ready_o;
  assign leave_waits = take_leave && kd_leave_i.kin_valid && !childless[kd_leave_i.kin];
  assign leave_done  = take_leave && !leave_waits;

  always_ff @(posedge clk_i) begin
    if (c_free) begin
      c_from_row_q <= some_ripe;
      c_late_q     <= some_ripe || (!pool_lost_i.valid && kd_leave_i.kin_valid);
      if (some_ripe) c_failed_q <= (failed_q & ripe_row) != '0;
      else if (pool_lost_i.valid) c_failed_q <= 1'b1;
      else c_failed_q <= kd_leave_i.kin_valid && failed_q[kd_leave_i.kin];
      c_origin_q <= kd_leave_i.origin;
      if (pool_lost_i.valid) begin
        c_origin_q        <= '0;
        c_origin_q.up     <= pool_lost_i.up;
        c_origin_q.stream <= pool_lost_i.stream;
        c_origin_q.failed <= 1'b1;
      end
    end
  end

  // ---- Rows ------------------------------------------------------------------------------------
  logic [NumKin-1:0] left, ended, suspended, fails, rest_fails, resumed, waits;

  hd_onehot #(.N(NumKin), .IdxW(KinW)) u_waits (
    .valid_i (leave_waits),
    .index_i (kd_leave_i.kin),
    .onehot_o(waits)
  );
  hd_onehot #(.N(NumKin), .IdxW(KinW)) u_left (
    .valid_i (leave_done && kd_leave_i.kin_valid),
    .index_i (kd_leave_i.kin),
    .onehot_o(left)
  );
  hd_onehot #(.N(NumKin), .IdxW(KinW)) u_suspended (
    .valid_i (susp_suspended_i.valid && suspended_ready_o),
    .index_i (susp_suspended_i.kin),
    .onehot_o(suspended)
  );
  hd_onehot #(.N(NumKin), .IdxW(KinW)) u_fails (
    .valid_i (susp_kin_fail_i.valid),
    .index_i (susp_kin_fail_i.kin),
    .onehot_o(fails)
  );
  hd_onehot #(.N(NumKin), .IdxW(KinW)) u_rest_fails (
    .valid_i (c_device && c_origin.rest && (c_origin.failed || c_failed_q)),
    .index_i (c_origin.up),
    .onehot_o(rest_fails)
  );
  hd_onehot #(.N(NumKin), .IdxW(KinW)) u_resumed (
    .valid_i (resume_valid_q && susp_resume_ready_i),
    .index_i (resume_kin_q),
    .onehot_o(resumed)
  );

  assign ended = left | (ripe_row & {NumKin{c_free}});

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q        <= '0;
      gone_q         <= '0;
      susp_q         <= '0;
      failed_q       <= '0;
      ready_ptr_q    <= '0;
      ripe_ptr_q     <= '0;
      c_valid_q      <= 1'b0;
      resume_valid_q <= 1'b0;
      rest_q         <= 1'b0;
    end else begin
      valid_q  <= (valid_q & ~ended) | fresh;
      gone_q   <= (gone_q & ~fresh) | waits;
      susp_q   <= (susp_q & ~fresh & ~resumed) | suspended
          | (fails & {NumKin{susp_kin_fail_i.back}});
      failed_q <= (failed_q & ~fresh) | fails | rest_fails;
      rest_q   <= kd_rest_i.valid || (rest_q && devq_birth_i.valid);
      if (take_ripe) ripe_ptr_q <= ripe_next;
      if (!resume_valid_q && some_ready) ready_ptr_q <= ready_next;
      if (c_free) c_valid_q <= take_ripe || take_lost || leave_done;
      resume_valid_q <= resume_valid_q ? !susp_resume_ready_i : some_ready;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!resume_valid_q) resume_kin_q <= ready_kin;
    if (kd_rest_i.valid) rest_kin_q <= kd_rest_i.kin;
  end

  // ---- Origins of waiting kernels --------------------------------------------------------------
  assign suspended_ready_o = !kd_leave_i.valid;

  hd_ram_1r1w #(.Width(hd_pkg::OriginW), .Depth(NumKin), .AddrW(KinW)) u_row (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (leave_waits || (susp_suspended_i.valid && suspended_ready_o)),
    .waddr_i(kd_leave_i.valid ? kd_leave_i.kin : susp_suspended_i.kin),
    .wdata_i(kd_leave_i.valid ? kd_leave_i.origin : susp_suspended_i.origin),
    .re_i   (take_ripe),
    .raddr_i(ripe_kin),
    .rdata_o(row)
  );

  // ---- Outputs ----------------------------------------------------------------------------------
  logic [NumHwq-1:0] reopen_q;
  logic stream_done_q;
  logic [StreamW-1:0] stream_q;

  assign kernel_done_valid_o = c_valid_q && c_origin.host;
  assign c_host_done = kernel_done_valid_o && kernel_done_ready_i;

  always_comb begin
    kernel_done_o = '0;
    if (kernel_done_valid_o) begin
      kernel_done_o.tag    = c_origin.tag;
      kernel_done_o.failed = c_origin.failed || c_failed_q;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reopen_q      <= '0;
      stream_done_q <= 1'b0;
    end else begin
      reopen_q      <= {{NumHwq - 1{1'b0}}, c_host_done && c_late_q} << c_origin.hwq;
      stream_done_q <= c_device && c_origin.stream != '0;
    end
  end

  always_ff @(posedge clk_i) stream_q <= c_origin.stream;

  assign busy_o               = |valid_q;
  assign resume_o.valid       = resume_valid_q;
  assign resume_o.kin         = resume_valid_q ? resume_kin_q : '0;
  assign reopen_o             = reopen_q;
  assign stream_done_o.valid  = stream_done_q;
  assign stream_done_o.stream = stream_done_q ? stream_q : '0;

  logic unused_bits;
  assign unused_bits = &{1'b0, alloc, ready_row, c_origin.smx};

`ifdef HD_ASSERT_ON
  `HD_ASSERT_PROP_IN(a_birth, devq_birth_i.valid |-> valid_q[devq_birth_i.kin]
      == !devq_birth_i.alloc,
      "A birth names a free row, or is marked as the first of a row in use.")
  `HD_ASSERT_PROP_IN(a_child, c_device |-> valid_q[c_origin.up] && !childless[c_origin.up],
      "A child completes whose parent has a free row or no children left.")
  `HD_ASSERT_PROP_IN(a_rest, kd_rest_i.valid |-> valid_q[kd_rest_i.kin] && !written[kd_rest_i.kin]
      && !(rest_q && devq_birth_i.valid),
      "The parent row of a rest is free, gone or suspended, or the previous rest is uncounted.")
  `HD_ASSERT_PROP_IN(a_leave, kd_leave_i.valid && kd_leave_i.kin_valid |-> valid_q[kd_leave_i.kin]
      && !written[kd_leave_i.kin],
      "A kernel leaves whose row is free, or that is already gone or suspended.")
  `HD_ASSERT_PROP_IN(a_suspended, susp_suspended_i.valid |-> valid_q[susp_suspended_i.kin]
      && !written[susp_suspended_i.kin],
      "A kernel is suspended whose row is free, or that is already gone or suspended.")
  `HD_ASSERT_PROP_IN(a_birth_here, devq_birth_i.valid && !devq_birth_i.alloc
      |-> !written[devq_birth_i.kin],
      "A child is born to a kernel that is gone or suspended.")
  `HD_ASSERT_PROP_IN(a_fail, susp_kin_fail_i.valid |-> valid_q[susp_kin_fail_i.kin]
      && !written[susp_kin_fail_i.kin],
      "A kernel fails whose row is free, or that is gone or suspended.")
  `HD_ASSERT_PROP_IN(a_rest_leaves, (kd_leave_i.valid && kd_leave_i.kin_valid) |->
      !(kd_rest_i.valid && kd_rest_i.kin == kd_leave_i.kin)
      && !(rest_q && rest_kin_q == kd_leave_i.kin),
      "A kernel leaves before its rest is counted.")
  `HD_ASSERT_PROP_IN(a_rest_suspended, susp_suspended_i.valid |->
      !(kd_rest_i.valid && kd_rest_i.kin == susp_suspended_i.kin)
      && !(rest_q && rest_kin_q == susp_suspended_i.kin),
      "A kernel is suspended before its rest is counted.")
  `HD_ASSERT_PROP(a_done_stable, kernel_done_valid_o && !kernel_done_ready_i
      |=> kernel_done_valid_o && $stable(kernel_done_o),
      "The offered kernel_done changes or is withdrawn before it is accepted.")

  // Rare: a kernel that leaves as its last child completes; a rest that waits for a birth; a rest
  // that fails; a lost kernel; several ripe at once; a kernel that could not be read back.
  `HD_COVER(c_last_child, leave_waits && c_device && kd_leave_i.kin == c_origin.up)
  `HD_COVER(c_rest_waits, rest_q && devq_birth_i.valid)
  `HD_COVER(c_rest_fails, rest_fails != '0)
  `HD_COVER(c_lost, take_lost)
  `HD_COVER(c_many_ripe, $countones(ripe) > 1)
  `HD_COVER(c_back, susp_kin_fail_i.valid && susp_kin_fail_i.back)
`endif

endmodule
