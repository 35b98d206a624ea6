// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_pq_levels: the levels of a bank: the number of entries of each, and head and tail of its list.
//
//   push (level, place) --> [count, head, tail] <-- the front leaves
//
// In vectors of levels element 0 is level 1.
// - The head of a level is its first entry behind front and second.
// - Latency: an event at t changes the state at t+1; push_* in the cycle of the push.
// - Reset: counts 0; head and tail have no reset.
// Part of hd_pq, whose model and tests cover it; pq.csv shows the registers.
module hd_pq_levels (
  input  logic                                         clk_i,
  input  logic                                         rst_ni,
  // An entry is pushed
  input  logic                                         push_i,
  input  logic [hd_pkg::LevelW-1:0]                    push_level_i,
  input  logic [hd_pkg::PqW-1:0]                       place_i,
  // The front leaves; the first and the second
  input  logic                                         leave_i,
  input  logic [hd_pkg::LevelW-1:0]                    front_level_i,
  input  logic [hd_pkg::LevelW-1:0]                    second_level_i,
  input  logic [hd_pkg::PqW-1:0]                       second_place_i,
  // The levels; the level of the entry that may be pushed
  output logic [hd_pkg::MaxLevel-1:0]                  some_o,
  output logic [hd_pkg::MaxLevel*hd_pkg::PqW-1:0]      head_o,
  output logic [hd_pkg::MaxLevel*hd_pkg::PqW-1:0]      tail_o,
  output logic                                         push_some_o,
  output logic [hd_pkg::PqW-1:0]                       push_tail_o,
  output logic [hd_pkg::MaxLevel*hd_pkg::PqCountW-1:0] count_o
);

  localparam int PlaceW = hd_pkg::PqW;
  localparam int CountW = hd_pkg::PqCountW;
  localparam int MaxLevel = hd_pkg::MaxLevel;
  localparam int LevelW = hd_pkg::LevelW;
  localparam int BitsW = $clog2(MaxLevel + 1);  // bits of a level

  logic [MaxLevel*CountW-1:0] level_count_q;
  logic [MaxLevel*PlaceW-1:0] head_q, tail_q;

  logic [MaxLevel-1:0] push_on;        // this level is pushed to

  for (genvar l = 0; l < MaxLevel; l++) begin : g_level
    assign push_on[l] = push_level_i[BitsW-1:0] == BitsW'(l + 1);
    assign some_o[l]  = level_count_q[l*CountW+:CountW] != '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      level_count_q <= '0;
    end else if (push_i || leave_i) begin
      for (int l = 0; l < MaxLevel; l++) begin
        if (push_i && push_on[l] && !(leave_i && front_level_i == LevelW'(l + 1))) begin
          level_count_q[l*CountW+:CountW] <= level_count_q[l*CountW+:CountW] + CountW'(1);
        end else if (leave_i && front_level_i == LevelW'(l + 1)
            && !(push_i && push_on[l])) begin
          level_count_q[l*CountW+:CountW] <= level_count_q[l*CountW+:CountW] - CountW'(1);
        end
      end
    end
  end

  // If the front's level has more entries, the one behind the front is the second.
  always_ff @(posedge clk_i) begin
    if (push_i || leave_i) begin
      for (int l = 0; l < MaxLevel; l++) begin
        if ((leave_i && front_level_i == LevelW'(l + 1))
            || (push_i && push_on[l] && !some_o[l])) begin
          head_q[l*PlaceW+:PlaceW] <= front_level_i == LevelW'(l + 1)
              && second_level_i == LevelW'(l + 1) ? second_place_i : place_i;
        end
        if (push_i && push_on[l]) tail_q[l*PlaceW+:PlaceW] <= place_i;
      end
    end
  end

  always_comb begin
    push_tail_o = '0;
    push_some_o = 1'b0;
    if (push_level_i != '0) begin
      for (int l = 0; l < MaxLevel; l++) begin
        if (push_on[l]) begin
          push_tail_o |= tail_q[l*PlaceW+:PlaceW];
          push_some_o |= some_o[l];
        end
      end
    end
  end

  assign head_o  = head_q;
  assign tail_o  = tail_q;
  assign count_o = level_count_q;

  logic unused_bits;
  assign unused_bits = &{1'b0, push_level_i};

endmodule
