// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_devq_none: answers every launch and save of the SMXs with OverLimit. In place of hd_devq in a
// plane without device launches (HasLaunch 0).
//
// - An SMX's port accepts a beat while no answer waits there. Latency 1; rate: one beat of each SMX
//   in 2 cycles. Outputs come from registers, except code_o, which depends on the beats.
// - Reset: no answers.
// Ports: devq.csv (column absent). Model cmodel/launch/devq, tests verif/equiv test_top.
module hd_devq_none (
  input  logic                                         clk_i,
  input  logic                                         rst_ni,
  input  logic [hd_pkg::NumSmx-1:0]                    dev_launch_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::DevlaunchW-1:0] dev_launch_i,
  output logic [hd_pkg::NumSmx-1:0]                    dev_launch_ready_o,
  output logic [hd_pkg::NumSmx-1:0]                    dev_answer_valid_o,
  output logic [hd_pkg::NumSmx*hd_pkg::DevanswerW-1:0] dev_answer_o,
  input  logic [hd_pkg::NumSmx-1:0]                    dev_answer_ready_i,
  output logic [hd_pkg::CodeW-1:0]                     code_o
);

  logic [hd_pkg::NumSmx-1:0] full_q, take;

  assign take = dev_launch_valid_i & ~full_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) full_q <= '0;
    else full_q <= take | (full_q & ~dev_answer_ready_i);
  end

  hd_pkg::devlaunch_t beat;
  logic [hd_pkg::NumSmx*hd_pkg::DevanswerW-1:0] answer, answer_q;

  always_comb begin
    beat = '0;
    answer = '0;
    for (int s = 0; s < hd_pkg::NumSmx; s++) begin
      beat = dev_launch_i[s*hd_pkg::DevlaunchW+:hd_pkg::DevlaunchW];
      answer[s*hd_pkg::DevanswerW+:hd_pkg::DevanswerW]
          = {beat.kind, beat.lane, beat.slot, hd_pkg::CodeOverLimit};
    end
  end

  always_ff @(posedge clk_i) begin
    for (int s = 0; s < hd_pkg::NumSmx; s++) begin
      if (take[s]) begin
        answer_q[s*hd_pkg::DevanswerW+:hd_pkg::DevanswerW]
            <= answer[s*hd_pkg::DevanswerW+:hd_pkg::DevanswerW];
      end
    end
  end

  always_comb begin
    for (int s = 0; s < hd_pkg::NumSmx; s++) begin
      dev_answer_o[s*hd_pkg::DevanswerW+:hd_pkg::DevanswerW]
          = answer_q[s*hd_pkg::DevanswerW+:hd_pkg::DevanswerW]
          & {hd_pkg::DevanswerW{full_q[s]}};
    end
  end

  assign dev_launch_ready_o = ~full_q;
  assign dev_answer_valid_o = full_q;
  assign code_o = take != '0 ? hd_pkg::CodeOverLimit : hd_pkg::CodeAccepted;

  logic unused_bits;
  assign unused_bits = &{1'b0, beat};

endmodule
