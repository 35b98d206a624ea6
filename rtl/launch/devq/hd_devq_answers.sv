// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_devq_answers: the answer FIFO of each SMX, and the reservation of places for answers to come.
//
//   taken[s] +1 --> [owed x NumSmx] --> open[s]
//                      ^ -1
//   answer (A3) --> [FIFO x NumSmx] --> dev_answer[s]
//
// Ours.
// - An SMX may have as many beats in flight (owed) as its FIFO has places (open_o), so an answer
//   always finds a place. A beat accepted and an answer delivered in one cycle: unchanged.
// - Answers reach their SMX in the order of its beats, one per cycle; each stays valid until it is
//   accepted.
// - Latency: one cycle. All outputs come from registers.
// - Reset: nothing owed, all FIFOs empty.
// Part of hd_devq, whose tests cover it.
`include "common/hd_assert.svh"
module hd_devq_answers (
  input  logic                                          clk_i,
  input  logic                                          rst_ni,
  // Accepted beats (hd_devq_arb)
  input  logic [hd_pkg::NumSmx-1:0]                     taken_i,
  output logic [hd_pkg::NumSmx-1:0]                     open_o,
  // The answer to a beat (A3)
  input  logic                                          answer_valid_i,
  input  logic [hd_pkg::SmxW-1:0]                       answer_smx_i,
  input  hd_pkg::devanswer_t                            answer_i,
  // Answers to the SMXs
  output logic [hd_pkg::NumSmx-1:0]                     dev_answer_valid_o,
  output logic [hd_pkg::NumSmx*hd_pkg::DevanswerW-1:0]  dev_answer_o,
  input  logic [hd_pkg::NumSmx-1:0]                     dev_answer_ready_i
);

  localparam int NumSmx = hd_pkg::NumSmx;
  localparam int AnsDepth = hd_pkg::AnsDepth;
  localparam int SmxW = hd_pkg::SmxW;
  localparam int AnswerW = hd_pkg::DevanswerW;
  localparam int AnsCountW = hd_pkg::AnsCountW;

  logic [NumSmx*AnsCountW-1:0] owed_q;

  // ---- Places -----------------------------------------------------------------------------------
  logic [NumSmx-1:0] given;

  for (genvar s = 0; s < NumSmx; s++) begin : g_open
    assign open_o[s] = owed_q[s*AnsCountW+:AnsCountW] < AnsCountW'(AnsDepth);
  end

  assign given = dev_answer_valid_o & dev_answer_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      owed_q <= '0;
    end else if ((taken_i | given) != '0) begin
      for (int s = 0; s < NumSmx; s++) begin
        if (taken_i[s] && !given[s]) begin
          owed_q[s*AnsCountW+:AnsCountW] <= owed_q[s*AnsCountW+:AnsCountW] + AnsCountW'(1);
        end else if (!taken_i[s] && given[s]) begin
          owed_q[s*AnsCountW+:AnsCountW] <= owed_q[s*AnsCountW+:AnsCountW] - AnsCountW'(1);
        end
      end
    end
  end

  // ---- Answers ----------------------------------------------------------------------------------
  logic [NumSmx-1:0] answer_full, answer_empty;

  for (genvar s = 0; s < NumSmx; s++) begin : g_answer
    hd_fifo #(.Width(AnswerW), .Depth(AnsDepth)) u_answer (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .push_i (answer_valid_i && answer_smx_i == SmxW'(s)),
      .write_i(answer_valid_i && answer_smx_i == SmxW'(s)),
      .data_i (answer_i),
      .full_o (answer_full[s]),
      .pop_i  (given[s]),
      .data_o (dev_answer_o[s*AnswerW+:AnswerW]),
      .empty_o(answer_empty[s])
    );
  end
  assign dev_answer_valid_o = ~answer_empty;

  // owed_q reserves a place for each answer.
  logic unused_bits;
  assign unused_bits = &{1'b0, answer_full};

`ifdef HD_ASSERT_ON
  logic [NumSmx-1:0] waiting_q;  // an answer was offered in the last cycle and not accepted
  logic [NumSmx*AnswerW-1:0] offered_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waiting_q <= '0;
    else waiting_q <= dev_answer_valid_o & ~dev_answer_ready_i;
  end

  always_ff @(posedge clk_i) begin
    offered_q <= dev_answer_o;
    if (rst_ni) begin
      `HD_ASSERT(a_answer_waits, (waiting_q & ~dev_answer_valid_o) == '0,
          "An offered answer is withdrawn before it is accepted.")
    end
  end
  for (genvar s = 0; s < NumSmx; s++) begin : g_stable
    always_ff @(posedge clk_i) begin
      if (rst_ni && waiting_q[s]) begin
        `HD_ASSERT(a_answer_stable, dev_answer_o[s*AnswerW+:AnswerW]
            == offered_q[s*AnswerW+:AnswerW],
            "An offered answer changes before it is accepted.")
      end
    end
  end

  // Rare: an SMX without a place for answers.
  `HD_COVER(c_owed, open_o != '1)
`endif

endmodule
