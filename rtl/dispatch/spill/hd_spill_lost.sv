// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_spill_lost: counts the groups of each kernel that wait for their bank, and reports those
// that memory has lost.
//
//   put --> + 1 [count of each kernel] - 1 <-- read without an error
//   failing, gone --> [closed] --all returned--> lost: lowest kernel with a count, - 1
//
// Ours: a lost group does not name its kernel, which therefore follows from the counts.
// - closed_o from a loss on: hd_spill accepts no group until all have returned. Then each group
//   that is still counted was lost, and one of them is reported per cycle, until no count is left.
// - timing: good_i arrives late (the error of a beat).
// - Latency: lost_o in the cycle after the one in which all have returned. Outputs come from
//   registers.
// - Reset: no groups, not closed.
// Part of hd_spill, whose model and tests cover it; spill.csv shows the registers.
`include "common/hd_assert.svh"
module hd_spill_lost (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  // A group is put
  input  logic                     put_i,
  input  logic [hd_pkg::KdeW-1:0]  put_kdei_i,
  // A group was read without an error; its kernel, also valid without good_i
  input  logic                     good_i,
  input  logic [hd_pkg::KdeW-1:0]  good_kdei_i,
  // A group is or was lost; no group is held
  input  logic                     loss_i,
  input  logic                     returned_i,
  output logic                     closed_o,
  output hd_pkg::entry_t           lost_o
);

  localparam int NumKde = hd_pkg::NumKde;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int CountW = hd_pkg::SpillCountW;

  logic [NumKde*CountW-1:0] kernel_count_q;
  logic closed_q, lost_valid_q;
  logic [KdeW-1:0] lost_kdei_q;

  // ---- Losses -----------------------------------------------------------------------------------
  logic [NumKde-1:0] some, lost_at;
  logic [KdeW-1:0] lost_kdei;
  logic report, lost, some_lost;

  assign report = closed_q && returned_i;

  // sim speed: the counts are read only to report.
  always_comb begin
    some = '0;
    if (report) begin
      for (int k = 0; k < NumKde; k++) some[k] = kernel_count_q[k*CountW+:CountW] != '0;
    end
  end

  hd_find_first #(.N(NumKde), .IdxW(KdeW)) u_lost (
    .req_i   (some),
    .onehot_o(lost_at),
    .index_o (lost_kdei),
    .valid_o (some_lost)
  );

  assign lost = report && some_lost;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      closed_q     <= 1'b0;
      lost_valid_q <= 1'b0;
      lost_kdei_q  <= '0;
    end else begin
      closed_q     <= loss_i || (closed_q && !(report && !some_lost));
      lost_valid_q <= lost;
      lost_kdei_q  <= lost_kdei;
    end
  end

  // ---- Groups of each kernel --------------------------------------------------------------------
  logic [NumKde-1:0] put_at, good_at;

  hd_onehot #(.N(NumKde), .IdxW(KdeW)) u_put (
    .valid_i(put_i), .index_i(put_kdei_i), .onehot_o(put_at));
  hd_onehot #(.N(NumKde), .IdxW(KdeW)) u_good (
    .valid_i(good_i), .index_i(good_kdei_i), .onehot_o(good_at));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      kernel_count_q <= '0;
    end else if (put_i || good_i || lost) begin
      for (int k = 0; k < NumKde; k++) begin
        if (put_at[k] != (good_at[k] || lost_at[k])) begin
          kernel_count_q[k*CountW+:CountW] <= put_at[k]
              ? kernel_count_q[k*CountW+:CountW] + CountW'(1)
              : kernel_count_q[k*CountW+:CountW] - CountW'(1);
        end
      end
    end
  end

  assign closed_o     = closed_q;
  assign lost_o.valid = lost_valid_q;
  assign lost_o.kdei  = lost_kdei_q;

`ifdef HD_ASSERT_ON
  logic returned_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) returned_q <= 1'b0;
    else returned_q <= returned_i;
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (put_i) `HD_ASSERT_IN(a_put, put_at != '0, "A group of a kernel that does not exist.")
      if (good_i) `HD_ASSERT_IN(a_good, kernel_count_q[good_kdei_i*CountW+:CountW] != '0,
          "A group was read that its kernel has not put: memory has changed its record.")
      if (returned_i) `HD_ASSERT(a_returned, !put_i && !good_i && !loss_i,
          "All groups have returned, and one is put, read or lost.")
      // sim speed: in the first of such cycles.
      if (returned_i && !returned_q && !closed_q) `HD_ASSERT(a_none, kernel_count_q == '0,
          "All groups have returned, none was lost, and some kernel counts one.")
    end
  end

  // Rare: two groups of one kernel lost; groups of several kernels lost; a put and a return of one
  // kernel in one cycle; a put that was decided before the closing.
  `HD_COVER(c_two, lost && lost_valid_q && lost_kdei == lost_kdei_q)
  `HD_COVER(c_kernels, lost && lost_valid_q && lost_kdei != lost_kdei_q)
  `HD_COVER(c_put_and_good, put_i && good_i && put_kdei_i == good_kdei_i)
  `HD_COVER(c_put_closed, put_i && closed_q)
`endif

endmodule
