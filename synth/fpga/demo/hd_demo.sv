// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_demo: the demonstrator: the plane, SMXs that are timers, a memory, and a host behind a serial
// line. It needs a clock, a reset and two pins.
//
//   rx --> hd_demo_rx --> hd_demo_host --+--> APB4 ------------> hd_top --TBs--> hd_demo_smx, each
//                            |           |--> hd_demo_launches ----^ ^ |            |
//                            | replies   |--> tables of the SMXs     '-|--- done ---'
//                            v           '--> hd_demo_memory <--AXI4---|
//   tx <-- hd_demo_tx <-- hd_demo_send <-- hd_demo_trace <----events---'
//
// - Control word (space 0): bit 0 takes everything but the host out of reset, bit 1 (go) starts the
//   count of cycles and the launches; bits 31 to 16 are the number of launches.
// - Cycle 0 is the first cycle with go. From there on all events are functions of the tables, the
//   memory, the registers and the stalls of the trace, so a model can compute them to the cycle.
// - Events: a TB is handed out, a launch is answered, a kernel is done. The trace takes one per
//   cycle: SMXs go first, in their order, then the answer, then the kernel; the others wait, as
//   does everything during a stall.
// - The throttle's inputs are 0. TBs do not launch.
// Page docs/demo.md, model and host synth/fpga/demo.
module hd_demo #(
  parameter int ClkPerBit = 25,
  parameter int TraceRows = 512,
  parameter int MemoryRows = 4096,
  parameter int MemoryLatency = 20,
  parameter int TableRows = 1024,
  parameter int Launches = 256
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       rx_i,
  output logic       tx_o,
  output logic [7:0] led_o
);

  localparam int CycleW = 40, Spaces = 5, FoldW = 12;
  localparam int SpControl = 0, SpApb = 1, SpMemory = 2, SpTable = 3, SpLaunch = 4;
  localparam logic [3:0] KindTb = 4'd2, KindAnswer = 4'd3, KindDone = 4'd4;

  // ---- The host's port ----
  logic rx_valid, tx_valid, tx_ready;
  logic [7:0] rx_data, tx_data;
  logic [Spaces-1:0] req, ack;
  logic write;
  logic [15:0] row;
  logic [127:0] data, rdata;
  logic reply_valid, reply_ready, trace_valid, trace_ready;
  logic [3:0] reply_kind, trace_kind;
  logic [127:0] reply, trace;

  // ---- The plane ----
  logic rst_nq = 1'b0;  // also before the first edge
  logic run_q, go_q;    // run_q: the same bit for other uses than a reset
  logic [15:0] count_q;
  logic [CycleW-1:0] cycle_q;
  logic launch_valid, launch_ready, answer_valid, answer_ready, done_valid, done_ready;
  hd_pkg::launch_t launch;
  hd_pkg::answer_t answer;
  hd_pkg::completion_t completion;
  logic [hd_pkg::NumSmx-1:0] dispatch_valid, dispatch_ready, take, cta_done_valid;
  logic [hd_pkg::NumSmx*hd_pkg::DispatchW-1:0] dispatch;
  logic [hd_pkg::NumSmx*hd_pkg::SlotW-1:0] cta_done_slot;
  logic psel, penable, pready, pslverr;
  logic [31:0] prdata, prdata_q;
  logic [15:0] next;
  logic overrun, stall;

  hd_demo_rx #(
    .ClkPerBit(ClkPerBit)
  ) u_rx (
    .clk_i, .rst_ni, .rx_i,
    .valid_o(rx_valid), .data_o(rx_data)
  );

  hd_demo_host u_host (
    .clk_i, .rst_ni,
    .rx_valid_i(rx_valid), .rx_i(rx_data),
    .req_o(req), .write_o(write), .row_o(row), .data_o(data),
    .ack_i(ack), .apb_error_i(pslverr), .rdata_i(rdata),
    .reply_valid_o(reply_valid), .reply_kind_o(reply_kind), .reply_o(reply),
    .reply_ready_i(reply_ready)
  );

  hd_demo_send u_send (
    .clk_i, .rst_ni,
    .reply_valid_i(reply_valid), .reply_kind_i(reply_kind), .reply_i(reply),
    .reply_ready_o(reply_ready),
    .trace_valid_i(trace_valid), .trace_kind_i(trace_kind), .trace_i(trace),
    .trace_ready_o(trace_ready),
    .tx_valid_o(tx_valid), .tx_o(tx_data), .tx_ready_i(tx_ready)
  );

  hd_demo_tx #(
    .ClkPerBit(ClkPerBit)
  ) u_tx (
    .clk_i, .rst_ni,
    .valid_i(tx_valid), .data_i(tx_data), .ready_o(tx_ready), .tx_o
  );

  // ---- Control, and the replies of each space ----
  logic [127:0] status, mem_data;
  logic [2:0] space_q;  // of the last access

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rst_nq  <= 1'b0;
      run_q   <= 1'b0;
      go_q    <= 1'b0;
      count_q <= '0;
    end else if (req[SpControl] && write) begin
      rst_nq  <= data[0];
      run_q   <= data[0];
      go_q    <= data[0] && data[1];
      count_q <= data[31:16];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) cycle_q <= '0;
    else if (!go_q) cycle_q <= '0;
    else cycle_q <= cycle_q + CycleW'(1);
  end

  assign ack[SpControl] = 1'b1;
  assign ack[SpTable]   = 1'b1;
  assign ack[SpLaunch]  = 1'b1;

  // 48 44 is "HD".
  assign status = {16'h4844, 8'(hd_pkg::CtasPerSmx), 8'(hd_pkg::NumSmx), 16'(hd_pkg::LaunchW),
                   16'd0, next, 4'd0, stall, overrun, go_q, run_q, cycle_q};

  always_ff @(posedge clk_i) begin
    if (req[SpControl]) space_q <= 3'(SpControl);
    if (req[SpApb]) space_q <= 3'(SpApb);
    if (req[SpMemory]) space_q <= 3'(SpMemory);
    if (req[SpTable]) space_q <= 3'(SpTable);
    if (req[SpLaunch]) space_q <= 3'(SpLaunch);
    if (penable) prdata_q <= prdata;
  end

  always_comb begin
    rdata = '0;
    if (space_q == 3'(SpControl)) rdata = status;
    if (space_q == 3'(SpApb)) rdata = 128'(prdata_q);
    if (space_q == 3'(SpMemory)) rdata = mem_data;
  end

  // APB4: the setup cycle, then the access cycle.
  logic access_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) access_q <= 1'b0;
    else access_q <= psel && !(penable && pready);
  end

  assign psel       = req[SpApb];
  assign penable    = psel && access_q;
  assign ack[SpApb] = penable && pready;

  // ---- The order of events ----
  logic tb_valid, event_valid;
  logic [3:0] event_kind;
  logic [127:0] event_row;
  hd_pkg::dispatch_t tb;
  logic [7:0] tb_smx;
  logic [FoldW-1:0] fold;

  always_comb begin
    take     = '0;
    tb_valid = 1'b0;
    tb       = '0;
    tb_smx   = '0;
    for (int s = 0; s < hd_pkg::NumSmx; s++) begin
      if (dispatch_valid[s] && !tb_valid && !stall) begin
        take[s]  = 1'b1;
        tb_valid = 1'b1;
        tb       = dispatch[s*hd_pkg::DispatchW +: hd_pkg::DispatchW];
        tb_smx   = 8'(s);
      end
    end
  end

  assign dispatch_ready = take;
  assign answer_ready   = !stall && !tb_valid;
  assign done_ready     = !stall && !tb_valid && !answer_valid;

  // The bits of the descriptor, in fewer.
  always_comb begin
    fold = '0;
    for (int k = 0; k < hd_pkg::DescW; k++) begin
      fold[k % FoldW] = fold[k % FoldW] ^ tb.desc[k];
    end
  end

  always_comb begin
    event_valid = tb_valid;
    event_kind  = KindTb;
    event_row   = {tb.restart, tb.group, 2'(tb.level), fold, 16'(tb.desc.param), 32'(tb.blkid),
                   8'(tb.kdei), 8'(tb.slot), tb_smx, cycle_q};
    if (!tb_valid && answer_valid) begin
      event_valid = answer_ready;
      event_kind  = KindAnswer;
      event_row   = 128'({8'(answer.code), 16'(answer.tag), 8'd0, cycle_q});
    end else if (!tb_valid && done_valid) begin
      event_valid = done_ready;
      event_kind  = KindDone;
      event_row   = 128'({7'd0, completion.failed, 16'(completion.tag), 8'd0, cycle_q});
    end
  end

  hd_demo_trace #(
    .Depth(TraceRows),
    .CycleW(CycleW)
  ) u_trace (
    .clk_i, .rst_ni(rst_nq),
    .cycle_i(cycle_q),
    .event_valid_i(event_valid), .event_kind_i(event_kind), .event_i(event_row),
    .stall_o(stall),
    .valid_o(trace_valid), .kind_o(trace_kind), .data_o(trace), .ready_i(trace_ready)
  );

  // ---- Launches, SMXs, memory ----
  hd_demo_launches #(
    .Depth(Launches),
    .CycleW(CycleW)
  ) u_launches (
    .clk_i, .rst_ni(rst_nq),
    .go_i(go_q), .count_i(count_q), .cycle_i(cycle_q),
    .we_i(req[SpLaunch] && write), .row_i(row), .data_i(data),
    .launch_valid_o(launch_valid), .launch_o(launch), .launch_ready_i(launch_ready),
    .answer_i(answer_valid && answer_ready), .code_i(answer.code),
    .kernel_done_i(done_valid && done_ready), .done_tag_i(16'(completion.tag)),
    .next_o(next)
  );

  for (genvar s = 0; s < hd_pkg::NumSmx; s++) begin : g_smx
    hd_demo_smx #(
      .Rows(TableRows)
    ) u_smx (
      .clk_i, .rst_ni(rst_nq),
      .take_i(take[s]), .tb_i(dispatch[s*hd_pkg::DispatchW +: hd_pkg::DispatchW]),
      .done_valid_o(cta_done_valid[s]),
      .done_slot_o(cta_done_slot[s*hd_pkg::SlotW +: hd_pkg::SlotW]),
      .we_i(req[SpTable] && write), .row_i(row), .data_i(data)
    );
  end

  logic awvalid, awready, wvalid, wready, wlast, bvalid, arvalid, arready, rvalid, rlast;
  logic [hd_pkg::MemIdW-1:0] awid, bid, arid, rid;
  logic [hd_pkg::AddrW-1:0] awaddr, araddr;
  logic [7:0] awlen, arlen;
  logic [127:0] wdata;
  logic [15:0] wstrb;

  hd_demo_memory #(
    .Rows(MemoryRows),
    .Latency(MemoryLatency)
  ) u_memory (
    .clk_i, .rst_ni(rst_nq),
    .awvalid_i(awvalid), .awid_i(awid), .awaddr_i(awaddr), .awlen_i(awlen), .awready_o(awready),
    .wvalid_i(wvalid), .wdata_i(wdata), .wstrb_i(wstrb), .wlast_i(wlast), .wready_o(wready),
    .bvalid_o(bvalid), .bid_o(bid),
    .arvalid_i(arvalid), .arid_i(arid), .araddr_i(araddr), .arlen_i(arlen), .arready_o(arready),
    .rvalid_o(rvalid), .rid_o(rid), .rdata_o(mem_data), .rlast_o(rlast),
    .host_req_i(req[SpMemory]), .host_write_i(write), .host_row_i(row), .host_data_i(data),
    .host_ack_o(ack[SpMemory]),
    .overrun_o(overrun)
  );

  hd_top u_top (
    .clk_i, .rst_ni(rst_nq),
    .host_launch_valid_i(launch_valid), .host_launch_i(launch), .host_launch_ready_o(launch_ready),
    .host_answer_valid_o(answer_valid), .host_answer_o(answer), .host_answer_ready_i(answer_ready),
    .dispatch_valid_o(dispatch_valid), .dispatch_o(dispatch), .dispatch_ready_i(dispatch_ready),
    .cta_done_valid_i(cta_done_valid), .cta_done_slot_i(cta_done_slot), .cta_done_ready_o(),
    .kernel_done_valid_o(done_valid), .kernel_done_o(completion), .kernel_done_ready_i(done_ready),
    .dev_launch_valid_i('0), .dev_launch_i('0), .dev_launch_ready_o(),
    .dev_answer_valid_o(), .dev_answer_o(), .dev_answer_ready_i('1),
    .record_done_valid_o(), .record_done_o(), .record_done_ready_i(1'b1),
    .enter_valid_o(), .enter_kdei_o(), .enter_param_o(),
    .cycles_i('0), .dram_full_i('0), .icnt2sm_i('0), .open_count_o(),
    .psel_i(psel), .penable_i(penable), .pwrite_i(write), .paddr_i(row[hd_pkg::ApbAddrW-1:0]),
    .pwdata_i(data[31:0]), .pstrb_i('1), .pready_o(pready), .prdata_o(prdata), .pslverr_o(pslverr),
    .awvalid_o(awvalid), .awid_o(awid), .awaddr_o(awaddr), .awlen_o(awlen), .awsize_o(),
    .awburst_o(), .awready_i(awready),
    .wvalid_o(wvalid), .wdata_o(wdata), .wstrb_o(wstrb), .wlast_o(wlast), .wready_i(wready),
    .bvalid_i(bvalid), .bid_i(bid), .bresp_i('0), .bready_o(),
    .arvalid_o(arvalid), .arid_o(arid), .araddr_o(araddr), .arlen_o(arlen), .arsize_o(),
    .arburst_o(), .arready_i(arready),
    .rvalid_i(rvalid), .rid_i(rid), .rdata_i(rvalid ? mem_data : '0), .rresp_i('0),
    .rlast_i(rlast), .rready_o()
  );

  logic unused;
  assign unused = ^{tb.age_valid, tb.agei, tb.level};

  assign led_o = {cycle_q[23], !tx_o, trace_valid, stall, overrun, next != '0, go_q, run_q};

endmodule
