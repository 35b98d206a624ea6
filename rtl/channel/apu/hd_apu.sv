// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_apu: channels between CUs and memory; this module only connects their blocks.
//
//   op, answer <--> chan --done--> dcount --freed--> yrec
//                   | ^ <--head, fail--'            | ^ |
//     live, pub     | '------- op, answer ----------' | | back
//     quiet, failed v                            wait | v
//   go <-- end -->  agg <------- yield (chan) ---------'
//   chan: client 0 of memarb, dcount: client 1 --> AXI4
//
// From channels-isca2014 (CUs, channels, aggregator); the division into blocks is ours.
// - Outputs, latency and rate are those of the blocks; answer_o is 0 in a cycle without an answer
//   to a CU.
// - Reset: as in the blocks.
// Ports: apu.csv. Model cmodel/channel/apu, tests verif/unit test_apu, page docs/channel/apu.md.
`include "common/hd_assert.svh"
module hd_apu (
  input  logic                                          clk_i,
  input  logic                                          rst_ni,
  // Channel configuration (host)
  input  logic                                          set_valid_i,
  input  hd_pkg::chanset_t                              set_i,
  // Operations of wavefronts (CUs)
  input  logic [hd_pkg::NumCu-1:0]                      op_valid_i,
  input  logic [hd_pkg::NumCu*hd_pkg::ChanopW-1:0]      op_i,
  output logic [hd_pkg::NumCu-1:0]                      op_ready_o,
  // Answers to operations
  output logic [hd_pkg::NumCu-1:0]                      answer_valid_o,
  output hd_pkg::chananswer_t                           answer_o,
  // Wavefronts start and end (CUs)
  output logic                                          go_valid_o,
  output hd_pkg::chango_t                               go_o,
  input  logic [hd_pkg::NumCu-1:0]                      end_valid_i,
  input  logic [hd_pkg::NumCu*hd_pkg::WaveW-1:0]        end_slot_i,
  output logic [hd_pkg::NumCu-1:0]                      end_ready_o,
  // State of the channels (host)
  output logic [hd_pkg::NumChan-1:0]                    open_o,
  output logic [hd_pkg::NumChan-1:0]                    failed_o,
  output logic [hd_pkg::NumChan-1:0]                    never_o,
  output logic                                          bad_o,
  // AXI4: write address
  output logic                                          awvalid_o,
  output logic [hd_pkg::MemIdW-1:0]                     awid_o,
  output logic [hd_pkg::AddrW-1:0]                      awaddr_o,
  output logic [7:0]                                    awlen_o,
  output logic [2:0]                                    awsize_o,
  output logic [1:0]                                    awburst_o,
  input  logic                                          awready_i,
  // AXI4: write data
  output logic                                          wvalid_o,
  output logic [127:0]                                  wdata_o,
  output logic [15:0]                                   wstrb_o,
  output logic                                          wlast_o,
  input  logic                                          wready_i,
  // AXI4: write response
  input  logic                                          bvalid_i,
  input  logic [hd_pkg::MemIdW-1:0]                     bid_i,
  input  logic [1:0]                                    bresp_i,
  output logic                                          bready_o,
  // AXI4: read address
  output logic                                          arvalid_o,
  output logic [hd_pkg::MemIdW-1:0]                     arid_o,
  output logic [hd_pkg::AddrW-1:0]                      araddr_o,
  output logic [7:0]                                    arlen_o,
  output logic [2:0]                                    arsize_o,
  output logic [1:0]                                    arburst_o,
  input  logic                                          arready_i,
  // AXI4: read data
  input  logic                                          rvalid_i,
  input  logic [hd_pkg::MemIdW-1:0]                     rid_i,
  input  logic [127:0]                                  rdata_i,
  input  logic [1:0]                                    rresp_i,
  input  logic                                          rlast_i,
  output logic                                          rready_o
);

  localparam int NumCu = hd_pkg::NumCu;
  localparam int NumChan = hd_pkg::NumChan;
  localparam int ChanW = hd_pkg::ChanW;
  localparam int Clients = hd_pkg::MemClients;

  // ---- Memory port: client 0 is chan, client 1 dcount, the others are unused -------------------
  hd_pkg::memup_t chan_mem, dcount_mem;
  logic [Clients*hd_pkg::MemdownW-1:0] mem;

  hd_memarb u_memarb (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .mem_i       ({{(Clients - 2) * hd_pkg::MemupW{1'b0}}, dcount_mem, chan_mem}),
    .mem_o       (mem),
    .awvalid_o   (awvalid_o),
    .awid_o      (awid_o),
    .awaddr_o    (awaddr_o),
    .awlen_o     (awlen_o),
    .awsize_o    (awsize_o),
    .awburst_o   (awburst_o),
    .awready_i   (awready_i),
    .wvalid_o    (wvalid_o),
    .wdata_o     (wdata_o),
    .wstrb_o     (wstrb_o),
    .wlast_o     (wlast_o),
    .wready_i    (wready_i),
    .bvalid_i    (bvalid_i),
    .bid_i       (bid_i),
    .bresp_i     (bresp_i),
    .bready_o    (bready_o),
    .arvalid_o   (arvalid_o),
    .arid_o      (arid_o),
    .araddr_o    (araddr_o),
    .arlen_o     (arlen_o),
    .arsize_o    (arsize_o),
    .arburst_o   (arburst_o),
    .arready_i   (arready_i),
    .rvalid_i    (rvalid_i),
    .rid_i       (rid_i),
    .rdata_i     (rdata_i),
    .rresp_i     (rresp_i),
    .rlast_i     (rlast_i),
    .rready_o    (rready_o)
  );

  // ---- Channel table: clients 0 to NumCu - 1 are the CUs, the last one is yrec -----------------
  logic yrec_op_valid, yrec_op_ready, yrec_answer_valid;
  hd_pkg::chanop_t yrec_op;
  hd_pkg::chananswer_t answer;
  logic yield_valid, done_valid, run_room, pub_valid, live_valid, quiet;
  hd_pkg::chanyield_t yield;
  hd_pkg::donerun_t done;
  logic [NumChan*hd_pkg::GrainW-1:0] head;
  logic [NumChan-1:0] fail;
  logic [ChanW-1:0] pub_chan, freed_chan;
  logic [hd_pkg::ChanLineAtW-1:0] pub_count;
  hd_pkg::chanlive_t live;

  hd_chan u_chan (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .set_valid_i   (set_valid_i),
    .set_i         (set_i),
    .op_valid_i    ({yrec_op_valid, op_valid_i}),
    .op_i          ({yrec_op, op_i}),
    .op_ready_o    ({yrec_op_ready, op_ready_o}),
    .answer_valid_o({yrec_answer_valid, answer_valid_o}),
    .answer_o      (answer),
    .yield_valid_o (yield_valid),
    .yield_o       (yield),
    .done_valid_o  (done_valid),
    .done_o        (done),
    .done_room_i   (run_room),
    .head_i        (head),
    .fail_i        (fail),
    .pub_valid_o   (pub_valid),
    .pub_chan_o    (pub_chan),
    .pub_count_o   (pub_count),
    .live_valid_o  (live_valid),
    .live_o        (live),
    .quiet_o       (quiet),
    .open_o        (open_o),
    .failed_o      (failed_o),
    .never_o       (never_o),
    .mem_o         (chan_mem),
    .mem_i         (mem[0*hd_pkg::MemdownW+:hd_pkg::MemdownW])
  );

  assign answer_o = answer & {hd_pkg::ChananswerW{answer_valid_o != '0}};

  // ---- Done counts ------------------------------------------------------------------------------
  logic freed_valid;

  hd_dcount u_dcount (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .set_valid_i  (set_valid_i),
    .set_i        (set_i),
    .run_valid_i  (done_valid),
    .run_i        (done),
    .run_room_o   (run_room),
    .head_o       (head),
    .fail_o       (fail),
    .freed_valid_o(freed_valid),
    .freed_chan_o (freed_chan),
    .mem_o        (dcount_mem),
    .mem_i        (mem[1*hd_pkg::MemdownW+:hd_pkg::MemdownW])
  );

  // ---- Wavefronts that start and that wait -----------------------------------------------------
  logic wait_valid, back_valid, asking;
  hd_pkg::chanwait_t waits;
  hd_pkg::chanback_t back;
  logic [NumCu-1:0] back_busy;

  hd_agg u_agg (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .set_valid_i  (set_valid_i),
    .set_i        (set_i),
    .live_valid_i (live_valid),
    .live_i       (live),
    .pub_valid_i  (pub_valid),
    .pub_chan_i   (pub_chan),
    .pub_count_i  (pub_count),
    .failed_i     (failed_o),
    .quiet_i      (quiet),
    .end_valid_i  (end_valid_i),
    .end_slot_i   (end_slot_i),
    .end_ready_o  (end_ready_o),
    .yield_valid_i(yield_valid),
    .yield_i      (yield),
    .wait_valid_o (wait_valid),
    .wait_o       (waits),
    .back_valid_i (back_valid),
    .back_i       (back),
    .back_busy_o  (back_busy),
    .asking_i     (asking),
    .go_valid_o   (go_valid_o),
    .go_o         (go_o),
    .bad_o        (bad_o)
  );

  hd_yrec u_yrec (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .wait_valid_i  (wait_valid),
    .wait_i        (waits),
    .freed_valid_i (freed_valid),
    .freed_chan_i  (freed_chan),
    .failed_i      (failed_o),
    .op_valid_o    (yrec_op_valid),
    .op_o          (yrec_op),
    .op_ready_i    (yrec_op_ready),
    .answer_valid_i(yrec_answer_valid),
    .answer_i      (answer),
    .back_busy_i   (back_busy),
    .back_valid_o  (back_valid),
    .back_o        (back),
    .asking_o      (asking)
  );

  logic unused_bits;
  assign unused_bits = &{1'b0, mem[Clients*hd_pkg::MemdownW-1:2*hd_pkg::MemdownW]};

`ifdef HD_ASSERT_ON
  hd_axi4_rules #(
    .Ids  (hd_pkg::MemClients),
    .IdW  (hd_pkg::MemIdW),
    .AddrW(hd_pkg::AddrW)
  ) u_axi4_rules (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .awvalid_i   (awvalid_o),
    .awid_i      (awid_o),
    .awaddr_i    (awaddr_o),
    .awlen_i     (awlen_o),
    .awsize_i    (awsize_o),
    .awburst_i   (awburst_o),
    .awready_i   (awready_i),
    .wvalid_i    (wvalid_o),
    .wdata_i     (wdata_o),
    .wstrb_i     (wstrb_o),
    .wlast_i     (wlast_o),
    .wready_i    (wready_i),
    .bvalid_i    (bvalid_i),
    .bid_i       (bid_i),
    .bready_i    (bready_o),
    .arvalid_i   (arvalid_o),
    .arid_i      (arid_o),
    .araddr_i    (araddr_o),
    .arlen_i     (arlen_o),
    .arsize_i    (arsize_o),
    .arburst_i   (arburst_o),
    .arready_i   (arready_i),
    .rvalid_i    (rvalid_i),
    .rid_i       (rid_i),
    .rlast_i     (rlast_i),
    .rready_i    (rready_o)
  );
`endif

endmodule
