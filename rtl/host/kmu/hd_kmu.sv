// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_kmu: the Kernel Management Unit: checks host launches, queues them in hardware work queues
// (HWQs), and offers their heads, device kernels and resumed kernels to the KD.
//
//   host_launch --> [launch register] --> judge --+--> [HWQ rows] --> round robin --+
//   host_answer <-- [answer FIFO, 2] <------------+      (RAM)             ^        v
//   pool: device kernel -------------------------------------------------- | --> class --> kernel
//   susp: suspended kernel ----------------------------------------------- | --> (round     |
//                                                  reopen, from KD and kin     robin)   to KD, FCFS
//
// From dtbl-isca2015 section 2.2; the codes, the depth of a HWQ, the order of the classes and the
// timing are ours.
// - A launch is checked when the answer FIFO has room (hd_kmu_check); its answer is enqueued, and
//   an accepted launch enters its HWQ.
// - A HWQ is closed from the pick of its head until that kernel is released, so the KD holds at
//   most one kernel per HWQ. If a HWQ is picked and reopened in one cycle, it is closed again (a
//   pick may use a reopen of the same cycle). The kernel reopens its HWQ when it leaves the KD
//   (kd_reopen_i) or, if it has launched device kernels, when it and they are complete
//   (kin_reopen_i).
// - A head with a graph is not picked while a graph runs or a kernel with a graph is on offer;
//   other HWQs continue. A HWQ whose graph was picked gets no second graph pick while other open
//   HWQs have graphs waiting that were not picked since, so none starves.
// - Host heads, device kernels and suspended kernels are served round robin. Under LaPerm's
//   policies device kernels go first, then suspended kernels, then host heads; a round-robin choice
//   is made only after FairEvery device or suspended kernels in a row.
// - Push and pop of one HWQ in one cycle: both happen. A HWQ that is full at the start of the cycle
//   refuses.
// - Latency: launch accepted at t, offer_o.valid at t+3. Rate: one launch and one kernel per cycle.
//   All outputs come from registers.
// - Reset: launch register, answers, HWQs, pointers and output stage empty; rows have no reset.
// Ports: kmu.csv. Model cmodel/host/kmu, tests verif/unit and verif/equiv test_kmu, page
// docs/host/kmu.md.
`include "common/hd_assert.svh"
module hd_kmu (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  // Launches from the host
  input  logic                      host_launch_valid_i,
  input  hd_pkg::launch_t           host_launch_i,
  output logic                      host_launch_ready_o,
  // Answers to the host
  output logic                      host_answer_valid_o,
  output hd_pkg::answer_t           host_answer_o,
  input  logic                      host_answer_ready_i,
  // Kernel entry into the KD (kd)
  output hd_pkg::offer_t            offer_o,
  input  hd_pkg::entry_t            kd_entry_i,
  // HWQs that may launch again (kd, kin)
  input  logic [hd_pkg::NumHwq-1:0] kd_reopen_i,
  input  logic [hd_pkg::NumHwq-1:0] kin_reopen_i,
  // Policy: order of the classes (regs)
  input  hd_pkg::settings_t         regs_config_i,
  // Running graph (dats)
  input  logic                      dats_busy_i,
  // Device kernels (pool)
  input  hd_pkg::devoffer_t         pool_head_i,
  output logic                      pool_pop_o,
  // Suspended kernels (susp)
  input  hd_pkg::offer_t            susp_head_i,
  output logic                      susp_pop_o
);

  localparam int NumHwq = hd_pkg::NumHwq;
  localparam int HwqDepth = hd_pkg::HwqDepth;
  localparam int HwqW = hd_pkg::HwqW;
  localparam int CountW = hd_pkg::HwqCountW;
  localparam int PosW = hd_pkg::HwqPosW;
  localparam int FairW = hd_pkg::FairW;
  localparam int FairEvery = hd_pkg::FairEvery;
  localparam int Rows = NumHwq * HwqDepth;
  localparam int RowW = $clog2(Rows);

  logic launch_valid_q;
  hd_pkg::launch_t launch_q;
  logic [NumHwq*CountW-1:0] hwq_count_q;
  logic [NumHwq*PosW-1:0] hwq_first_q;
  logic [NumHwq-1:0] hwq_closed_q;
  logic [HwqW-1:0] hwq_ptr_q;
  logic [NumHwq-1:0] graph_served_q;
  logic [1:0] class_ptr_q;
  logic [FairW-1:0] passed_q;
  logic kernel_valid_q, kernel_host_q, kernel_graph_q;
  logic [Rows-1:0] hwq_graph_q;
  hd_pkg::kernel_t kernel_q;  // a device or suspended kernel

  // ---- Launch register and check ---------------------------------------------------------------
  logic take, judge, push;
  logic answers_full, answers_empty;
  hd_pkg::code_e code;
  hd_pkg::hwqrow_t new_kernel;
  hd_pkg::answer_t answer;
  logic [NumHwq-1:0] full, waiting;
  logic [HwqW-1:0] push_hwq;
  logic [PosW-1:0] push_pos;

  assign judge = launch_valid_q && !answers_full;
  assign host_launch_ready_o = !launch_valid_q || !answers_full;
  assign take = host_launch_valid_i && host_launch_ready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) launch_valid_q <= 1'b0;
    else launch_valid_q <= take || (launch_valid_q && !judge);
  end

  always_ff @(posedge clk_i) begin
    if (take) launch_q <= host_launch_i;
  end

  assign push_hwq = new_kernel.hwq;
  assign push_pos = hwq_first_q[push_hwq*PosW+:PosW] + PosW'(hwq_count_q[push_hwq*CountW+:CountW]);

  hd_kmu_check u_check (
    .launch_i  (launch_q),
    .hwq_full_i(full[push_hwq]),
    .code_o    (code),
    .kernel_o  (new_kernel)
  );

  assign push = judge && code == hd_pkg::CodeAccepted;
  assign answer.tag = launch_q.tag;
  assign answer.code = code;

  hd_fifo #(.Width(hd_pkg::AnswerW), .Depth(2)) u_answer (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (judge),
    .write_i(judge),
    .data_i (answer),
    .full_o (answers_full),
    .pop_i  (host_answer_valid_o && host_answer_ready_i),
    .data_o (host_answer_o),
    .empty_o(answers_empty)
  );
  assign host_answer_valid_o = !answers_empty;

  // ---- Choice among the heads -------------------------------------------------------------------
  logic [NumHwq-1:0] eligible, picked, pushed, head_graph, open, graphs_unserved;
  logic graph_wait, pick_graph;
  logic pick_any, pick, stage_free;
  logic [HwqW-1:0] pick_hwq, pick_next;
  logic [PosW-1:0] pick_pos;

  // The depth is a power of two: the top bit of a count means that the HWQ is full.
  for (genvar h = 0; h < NumHwq; h++) begin : g_hwq
    assign full[h] = hwq_count_q[h*CountW+CountW-1];
    assign waiting[h] = |hwq_count_q[h*CountW+:CountW];
    assign head_graph[h] = hwq_graph_q[h*HwqDepth];
  end

  logic [NumHwq-1:0] reopened;

  assign reopened = kd_reopen_i | kin_reopen_i;
  assign graph_wait = dats_busy_i || (kernel_valid_q && kernel_graph_q);
  assign open = waiting & (~hwq_closed_q | reopened);
  assign eligible = open & ~(head_graph & ({NumHwq{graph_wait}} | graph_served_q));
  assign pick_graph = pick && (picked & head_graph) != '0;
  assign graphs_unserved = open & head_graph & ~graph_served_q & ~picked;

  hd_rr_arb #(.N(NumHwq), .IdxW(HwqW)) u_pick (
    .req_i  (eligible),
    .ptr_i  (hwq_ptr_q),
    .grant_o(picked),
    .index_o(pick_hwq),
    .valid_o(pick_any),
    .next_o (pick_next)
  );

  // ---- Choice among host heads, device kernels and suspended kernels ----------------------------
  logic [2:0] picked_class;
  logic [1:0] class_next, unused_class;
  logic class_any, turns;

  // LaPerm: device kernels go first, then suspended kernels, then host kernels.
  localparam logic [1:0] DeviceFirst = 2'd1;

  assign turns = FairEvery != 0 && 32'(passed_q) == FairEvery;

  hd_rr_arb #(.N(3), .IdxW(2)) u_class (
    .req_i  ({susp_head_i.valid, pool_head_i.valid, pick_any}),
    .ptr_i  ((regs_config_i.policy == hd_pkg::PolicyRr || turns) ? class_ptr_q : DeviceFirst),
    .grant_o(picked_class),
    .index_o(unused_class),
    .valid_o(class_any),
    .next_o (class_next)
  );

  assign stage_free = !kernel_valid_q || kd_entry_i.valid;
  assign pick = stage_free && picked_class[0];
  assign pool_pop_o = stage_free && picked_class[1];
  assign susp_pop_o = stage_free && picked_class[2];

  hd_pkg::kernel_t dev_kernel;

  always_comb begin
    dev_kernel               = '0;
    dev_kernel.desc          = pool_head_i.kernel.desc;
    dev_kernel.need          = pool_head_i.kernel.need;
    dev_kernel.ctas          = pool_head_i.kernel.ctas;
    dev_kernel.level         = pool_head_i.kernel.level;
    dev_kernel.origin.up     = pool_head_i.kernel.up;
    dev_kernel.origin.stream = pool_head_i.kernel.stream;
    dev_kernel.origin.smx    = pool_head_i.kernel.smx;
  end

  always_ff @(posedge clk_i) begin
    if (stage_free) kernel_host_q <= picked_class[0];
    if (pool_pop_o || susp_pop_o) kernel_q <= susp_pop_o ? susp_head_i.kernel : dev_kernel;
  end

  // ---- HWQs -------------------------------------------------------------------------------------
  assign pick_pos = hwq_first_q[pick_hwq*PosW+:PosW];
  assign pushed   = {{NumHwq - 1{1'b0}}, push} << push_hwq;

  // A bit for each queued launch with a graph. The bits shift with the head, so the head's bit has
  // a fixed place (timing).
  logic [Rows-1:0] graph_left, graph_new;
  logic [NumHwq-1:0] popped;

  assign popped = picked & {NumHwq{pick}};

  always_comb begin
    graph_left = hwq_graph_q;
    graph_new  = '0;
    if (push || pick) begin
      for (int h = 0; h < NumHwq; h++) begin
        for (int p = 0; p < HwqDepth; p++) begin
          if (popped[h]) begin
            graph_left[h*HwqDepth+p] = p + 1 < HwqDepth && hwq_graph_q[h*HwqDepth+(p+1)%HwqDepth];
          end
          graph_new[h*HwqDepth+p] = pushed[h] && launch_q.graph
              && hwq_count_q[h*CountW+:CountW] == CountW'(p) + CountW'(popped[h]);
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      hwq_count_q    <= '0;
      hwq_first_q    <= '0;
      hwq_closed_q   <= '0;
      hwq_ptr_q      <= '0;
      graph_served_q <= '0;
      class_ptr_q    <= '0;
      passed_q       <= '0;
      kernel_valid_q <= 1'b0;
      kernel_graph_q <= 1'b0;
      hwq_graph_q    <= '0;
    end else begin
      if (push || pick) begin
        for (int h = 0; h < NumHwq; h++) begin
          if (pushed[h] && !(pick && picked[h])) begin
            hwq_count_q[h*CountW+:CountW] <= hwq_count_q[h*CountW+:CountW] + CountW'(1);
          end else if (pick && picked[h] && !pushed[h]) begin
            hwq_count_q[h*CountW+:CountW] <= hwq_count_q[h*CountW+:CountW] - CountW'(1);
          end
        end
      end
      if (pick) begin
        for (int h = 0; h < NumHwq; h++) begin
          if (picked[h]) hwq_first_q[h*PosW+:PosW] <= hwq_first_q[h*PosW+:PosW] + PosW'(1);
        end
      end
      hwq_closed_q <= (hwq_closed_q & ~reopened) | (picked & {NumHwq{pick}});
      if (pick_graph) begin
        graph_served_q <= graphs_unserved == '0 ? '0 : graph_served_q | picked;
      end
      if (pick) hwq_ptr_q <= pick_next;
      if (stage_free && class_any) class_ptr_q <= class_next;
      if (stage_free) kernel_valid_q <= class_any;
      // When round robin picks a device kernel, it counts as the first of the next FairEvery.
      if (pick || FairEvery == 0) passed_q <= '0;
      else if (pool_pop_o && turns) passed_q <= FairW'(1);
      else if ((pool_pop_o || susp_pop_o) && !turns) passed_q <= passed_q + FairW'(1);
      if (stage_free) kernel_graph_q <= pick_graph;
      if (push || pick) hwq_graph_q <= graph_left | graph_new;
    end
  end

  // ---- Rows of all HWQs, and the kernel read from them -----------------------------------------
  hd_pkg::hwqrow_t row;
  hd_pkg::kernel_t host_kernel;

  hd_ram_1r1w #(.Width(hd_pkg::HwqrowW), .Depth(Rows), .AddrW(RowW)) u_row (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (push),
    .waddr_i(RowW'({push_hwq, push_pos})),
    .wdata_i(new_kernel),
    .re_i   (pick),
    .raddr_i(RowW'({pick_hwq, pick_pos})),
    .rdata_o(row)
  );

  always_comb begin
    host_kernel             = '0;
    host_kernel.desc        = row.desc;
    host_kernel.need        = row.need;
    host_kernel.ctas        = row.ctas;
    host_kernel.origin.host = 1'b1;
    host_kernel.origin.tag  = row.tag;
    host_kernel.origin.hwq  = row.hwq;
  end

  assign offer_o.valid = kernel_valid_q;
  always_comb begin
    offer_o.kernel       = !kernel_valid_q ? '0 : kernel_host_q ? host_kernel : kernel_q;
    offer_o.kernel.graph = kernel_valid_q && kernel_graph_q;  // only host launches have graphs
  end

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (push) `HD_ASSERT(a_push_room, !full[push_hwq] && 32'(push_hwq) < NumHwq,
          "A launch was accepted for a HWQ that is full or does not exist.")
      if (push) begin
        `HD_ASSERT(a_fits, 32'(new_kernel.need.warps) <= hd_pkg::WarpsPerSmx
            && 32'(new_kernel.need.regs) <= hd_pkg::RegUnitsPerSmx
            && 32'(new_kernel.need.smem) <= hd_pkg::SmemUnitsPerSmx,
            "A kernel was accepted that does not fit an empty SMX.")
      end
      if (pick) begin
        `HD_ASSERT(a_pick, (picked & ~waiting) == '0 && (picked & hwq_closed_q & ~reopened) == '0,
            "A launch is picked from a HWQ that is empty or closed.")
      end
      if (offer_o.kernel.graph) `HD_ASSERT(a_graph, !dats_busy_i,
          "A kernel with a graph is offered while another graph runs.")
      `HD_ASSERT(a_heads, (head_graph & ~waiting) == '0,
          "The bit for a graph at the head is set for an empty HWQ.")
      `HD_ASSERT(a_served, graph_served_q == '0
          || (waiting & ~hwq_closed_q & head_graph & ~graph_served_q) != '0,
          "All graphs that wait in open HWQs count as served: none could be picked.")
      `HD_ASSERT_IN(a_reopen, (reopened & ~hwq_closed_q) == '0
          && (kd_reopen_i & kin_reopen_i) == '0,
          "A HWQ is reopened that is not closed, or by both kd_reopen_i and kin_reopen_i.")
      `HD_ASSERT(a_ptr, 32'(hwq_ptr_q) < NumHwq && class_ptr_q < 2'd3,
          "The HWQ pointer or the class pointer is out of range.")
    end
  end
  `HD_ASSERT_PROP_IN(a_busy, offer_o.kernel.graph && kd_entry_i.valid |=> dats_busy_i,
      "A kernel with a graph was accepted, but dats_busy_i is not set in the next cycle.")
  `HD_ASSERT_PROP_IN(a_idle, !dats_busy_i && !(offer_o.kernel.graph && kd_entry_i.valid)
      |=> !dats_busy_i,
      "dats_busy_i becomes 1 although no kernel with a graph was accepted.")
  `HD_ASSERT_PROP(a_kernel_stable, offer_o.valid && !kd_entry_i.valid |=> offer_o.valid
      && $stable(offer_o.kernel),
      "The offered kernel changes or is withdrawn before it is accepted.")
  `HD_ASSERT_PROP(a_answer_stable, host_answer_valid_o && !host_answer_ready_i
      |=> host_answer_valid_o && $stable(host_answer_o),
      "The offered answer to the host changes or is withdrawn before it is accepted.")

  // Rare: a full HWQ refuses; push and pop of one HWQ at once; a pick in the cycle of its reopen;
  // the answer FIFO is full; and others.
  `HD_COVER(c_refused, judge && code == hd_pkg::CodeRefused)
  `HD_COVER(c_push_pop, pick && (picked & pushed) != '0)
  `HD_COVER(c_reopen_pick, pick && (picked & reopened) != '0)
  `HD_COVER(c_all_classes, stage_free && pick_any && pool_head_i.valid && susp_head_i.valid)
  `HD_COVER(c_host_turn, pick && turns && pool_head_i.valid
      && regs_config_i.policy != hd_pkg::PolicyRr)
  `HD_COVER(c_graph_waits, (waiting & ~hwq_closed_q & head_graph) != '0 && graph_wait)
  `HD_COVER(c_graph_served, (open & head_graph & graph_served_q) != '0 && !graph_wait)
  `HD_COVER(c_answers_back_up, launch_valid_q && answers_full)
`endif

endmodule
