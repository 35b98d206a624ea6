// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_laperm_admit: decides where groups and kernels go (their bank, memory, queue 0), and when a
// group in memory returns to its bank.
//
//   devq A2 --behind? open? a place? memory?--> [A3] --into--> group --> its bank
//                                                '-----put--> spill, or refused (full)
//   KMU enter --binds?--waits?--+--> come --> its bank
//   spill back ----open?-------'
//
// From laperm-isca2016 section IV.E (a full queue overflows to memory); the rules are ours.
// - The bank of an SMX is SMX / SmxPerCluster, i.e. that of its cluster; the last cluster may have
//   fewer SMXs.
// - Behind: groups of this bank and level are in memory (held), or A3's group is going there. Such
//   a group or kernel does not enter the bank: within a level of a bank nothing overtakes.
// - spill reads SpillLine groups of a bank at once (a line). Their places are kept from the request
//   on (hd_pq_places), so a returning group always has one. place_o: a line can be requested.
// - While a level of a bank is held, SpillLine more places stay free for the next line.
// - A2: a group goes into its bank if its level is open, it is not behind, and a place is free
//   besides A3's and those for the next line. Otherwise it goes to memory if that has room for its
//   bank and level; if not, it is refused. Under Rr groups go to link.
// - Enter: the native part of a device kernel goes into the bank of the SMX that launched it if it
//   is not behind and two places are free besides those for the next line (the second is for the
//   group that may be in A2). A kernel that does not go into a bank, or that has groups, is marked;
//   so is a kernel that returns with saved TBs, since these go before its native ones.
// - Each bank accepts one entry per cycle. A3's group goes first; a kernel or a returning group
//   waits. At most one of these two (come) enters a bank per cycle; the returning group goes first.
// - Latency: group in A2 at t, group_o, put_valid_o or full_o at t+1; the rest in the same cycle.
//   Outputs are functions of registers and inputs; full_o, push_*, put_* and group_* come from
//   registers, except the need of the group's TBs.
// - bank_room_o: the number of groups that surely find a place in the bank, whatever their level. A
//   kernel may take one of these places. devq uses it to judge a group before it knows the level.
// - Reset: A3 empty.
// Part of hd_laperm, whose model and tests cover it; laperm.csv shows the registers. In vectors of
// levels element 0 is level 1.
`include "common/hd_assert.svh"
module hd_laperm_admit (
  input  logic                                        clk_i,
  input  logic                                        rst_ni,
  input  logic [hd_pkg::PolicyW-1:0]                  policy_i,
  // A group is in A2
  input  logic                                        a2_group_i,
  input  logic [hd_pkg::KdeW-1:0]                     a2_kdei_i,
  input  logic [hd_pkg::SmxW-1:0]                     a2_smx_i,
  input  hd_pkg::info_t                               a2_info_i,
  // Memory has room for groups of this bank and level
  input  logic [hd_pkg::RingQueues-1:0]               memory_i,
  // The group goes into its bank or to memory, or is refused, in A3
  output logic                                        full_o,
  output logic                                        push_valid_o,
  output logic [hd_pkg::KdeW-1:0]                     push_kdei_o,
  output logic                                        put_valid_o,
  output logic [hd_pkg::BankW-1:0]                    put_bank_o,
  output logic [hd_pkg::KdeW-1:0]                     put_kdei_o,
  output hd_pkg::info_t                               put_info_o,
  // A kernel that is offered, and where it goes; enter_ready_i: the KD has a free entry
  input  logic                                        enter_valid_i,
  input  logic                                        enter_ready_i,
  input  logic [hd_pkg::KdeW-1:0]                     enter_kdei_i,
  input  hd_pkg::need_t                               enter_need_i,
  input  logic [hd_pkg::CtasW-1:0]                    enter_ctas_i,
  input  logic [hd_pkg::LevelW-1:0]                   enter_level_i,
  input  logic [hd_pkg::SmxW-1:0]                     enter_smx_i,
  input  hd_pkg::progress_t                           enter_progress_i,
  input  logic                                        enter_pending_i,
  input  logic                                        enter_graph_i,
  output logic                                        enter_wait_o,
  output logic                                        enter_bank_o,
  output logic                                        enter_mark_o,
  // A group returns from memory
  input  logic [hd_pkg::RingQueues-1:0]               held_i,
  output logic [hd_pkg::NumBank-1:0]                  place_o,
  output logic [hd_pkg::NumBank*3-1:0]                bank_room_o,
  input  logic                                        back_valid_i,
  input  logic [hd_pkg::BankW-1:0]                    back_bank_i,
  input  logic [hd_pkg::KdeW-1:0]                     back_kdei_i,
  input  hd_pkg::info_t                               back_info_i,
  output logic                                        back_ready_o,
  // State of banks, levels and kernels
  input  logic [hd_pkg::NumBank*3-1:0]                room_i,  // free places; 7: seven or more
  input  logic [hd_pkg::MaxLevel-1:0]                 open_i,
  input  logic                                        wide_i,         // also open next cycle
  input  logic [hd_pkg::NumKde*hd_pkg::NeedW-1:0]     need_i,
  // The group of A3 enters its bank; entries have no arrival number yet
  output logic                                        group_o,
  output logic [hd_pkg::NumBank-1:0]                  group_at_o,     // the bank, one-hot; 0: none
  output logic [hd_pkg::BankW-1:0]                    group_bank_o,
  output hd_pkg::pqentry_t                            group_entry_o,
  output hd_pkg::need_t                               group_need_o,
  // A kernel or a returning group enters its bank; its fields are valid before come_o is known
  output logic                                        come_o,
  output logic [hd_pkg::NumBank-1:0]                  come_at_o,      // the bank, one-hot; 0: none
  output logic [hd_pkg::NumBank-1:0]                  back_at_o,      // the same, if it is a group
  output logic [hd_pkg::BankW-1:0]                    come_bank_o,
  output logic [hd_pkg::MaxLevel-1:0]                 come_level_o,
  output hd_pkg::pqentry_t                            come_entry_o,
  output logic [hd_pkg::CtasW-1:0]                    come_nextbl_o,
  output hd_pkg::need_t                               come_need_o
);

  localparam int SmxW = hd_pkg::SmxW;
  localparam int NumBank = hd_pkg::NumBank;
  localparam int BankW = hd_pkg::BankW;
  localparam int KdeW = hd_pkg::KdeW;
  localparam int NeedW = hd_pkg::NeedW;
  localparam int MaxLevel = hd_pkg::MaxLevel;
  localparam int LevelW = hd_pkg::LevelW;
  localparam logic [2:0] Line = 3'(hd_pkg::SpillLine);

  logic a3_valid_q;
  logic a3_into_q, a3_put_q, a3_full_q;  // exactly one of them is set if a3_valid_q
  logic [KdeW-1:0] a3_kdei_q;
  logic [BankW-1:0] a3_bank_q;
  logic [NumBank-1:0] a3_at_q;         // a3_bank_q one-hot, 0 unless a3_into_q
  hd_pkg::info_t a3_info_q;

  // The bank of an SMX.
  function automatic logic [BankW-1:0] bank_of(input logic [SmxW-1:0] smx);
    bank_of = BankW'(32'(smx) / hd_pkg::SmxPerCluster);
  endfunction

  // Selects the need of one kernel. A plain AND-OR; an index would become a shifter.
  function automatic logic [NeedW-1:0] need_at(input logic [hd_pkg::NumKde*NeedW-1:0] need,
      input logic [KdeW-1:0] at);
    need_at = '0;
    for (int i = 0; i < hd_pkg::NumKde; i++) begin
      if (at == KdeW'(i)) need_at |= need[i*NeedW+:NeedW];
    end
  endfunction

  // ---- Banks and levels -------------------------------------------------------------------------
  logic [BankW-1:0] a2_bank, enter_bank;
  logic [NumBank-1:0] a2_at, enter_at, back_at;
  logic [MaxLevel-1:0] a2_level, enter_level, back_level;
  logic [NumBank-1:0] a2_fits, enter_fits;  // its own bank would be: open, not held, a place free
  logic [NumBank-1:0] a2_memory;       // memory has room for it, if this is its bank
  logic a3_away;                       // the group in A3 does not go into its bank

  assign a2_bank    = bank_of(a2_smx_i);
  assign enter_bank = bank_of(enter_smx_i);
  assign a3_away    = a3_put_q || a3_full_q;

  // 0 for level 0.
  for (genvar l = 0; l < MaxLevel; l++) begin : g_level
    assign a2_level[l]    = a2_info_i.level == LevelW'(l + 1);
    assign enter_level[l] = enter_level_i == LevelW'(l + 1);
    assign back_level[l]  = back_info_i.level == LevelW'(l + 1);
  end

  // timing: every bank is judged in parallel, by comparisons of its room with constants; which bank
  // it is arrives last.
  for (genvar b = 0; b < NumBank; b++) begin : g_bank
    logic [MaxLevel-1:0] held;
    logic [2:0] room;
    logic some_held, into, above_1, above_line, above_line_1;

    assign held         = held_i[b*MaxLevel+:MaxLevel];
    assign some_held    = held != '0;
    assign into         = a3_at_q[b];
    assign room         = room_i[b*3+:3];
    assign above_1      = room > 3'd1;
    assign above_line   = room > Line;
    assign above_line_1 = room > Line + 3'd1;

    assign a2_at[b]    = a2_bank == BankW'(b);
    assign enter_at[b] = enter_bank == BankW'(b);
    assign back_at[b]  = back_bank_i == BankW'(b);

    assign a2_fits[b]    = (a2_level & open_i & ~held) != '0
        && (some_held ? (into ? above_line_1 : above_line) : (into ? above_1 : room != '0));
    assign enter_fits[b] = (enter_level & open_i & ~held) != '0
        && (some_held ? above_line_1 : above_1);
    assign a2_memory[b]  = (a2_level & memory_i[b*MaxLevel+:MaxLevel]) != '0;
    assign bank_room_o[b*3+:3] = room
        & {3{wide_i && !some_held && !(a3_away && a3_bank_q == BankW'(b))}};
    assign place_o[b]    = above_line || (room == Line && !a3_at_q[b]);
  end

  // ---- A2: does the group go into its bank, or to memory? ---------------------------------------
  logic a2, a2_can, a2_behind;         // behind the group of A3
  logic a2_may;                        // memory has room for it

  assign a2        = a2_group_i && policy_i != hd_pkg::PolicyRr;
  assign a2_behind = a3_put_q && a3_bank_q == a2_bank && a3_info_q.level == a2_info_i.level;
  assign a2_can    = (a2_at & a2_fits) != '0 && !a2_behind;
  assign a2_may    = (a2_at & a2_memory) != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      a3_valid_q <= 1'b0;
      a3_into_q  <= 1'b0;
      a3_put_q   <= 1'b0;
      a3_full_q  <= 1'b0;
      a3_at_q    <= '0;
    end else begin
      a3_valid_q <= a2;
      a3_into_q  <= a2 && a2_can;
      a3_put_q   <= a2 && !a2_can && a2_may;
      a3_full_q  <= a2 && !a2_can && !a2_may;
      a3_at_q    <= a2_at & {NumBank{a2 && a2_can}};
    end
  end

  always_ff @(posedge clk_i) begin
    if (a2) begin
      a3_kdei_q <= a2_kdei_i;
      a3_bank_q <= a2_bank;
      a3_info_q <= a2_info_i;
    end
  end

  // ---- A3: into the bank, to memory, or refused ------------------------------------------------
  assign full_o       = a3_full_q;
  assign put_valid_o  = a3_put_q;
  assign push_valid_o = a3_into_q || a3_put_q;
  assign push_kdei_o  = a3_kdei_q & {KdeW{push_valid_o}};
  assign put_bank_o   = a3_bank_q & {BankW{a3_put_q}};
  assign put_kdei_o   = a3_kdei_q & {KdeW{a3_put_q}};
  assign put_info_o   = a3_put_q ? a3_info_q : '0;

  assign group_o      = a3_into_q;
  assign group_at_o   = a3_at_q;
  assign group_bank_o = a3_bank_q;
  assign group_need_o = a3_into_q ? need_at(need_i, a3_kdei_q) : '0;

  always_comb begin
    group_entry_o        = '0;
    group_entry_o.kind   = hd_pkg::UnitGroup;
    group_entry_o.kdei   = a3_kdei_q;
    group_entry_o.grid_x = a3_info_q.grid_x;
    group_entry_o.grid_y = a3_info_q.grid_y;
    group_entry_o.grid_z = a3_info_q.grid_z;
    group_entry_o.param  = a3_info_q.param;
    group_entry_o.ctas   = a3_info_q.ctas;
    group_entry_o.level  = a3_info_q.level;
  end

  // ---- A group returns from memory -------------------------------------------------------------
  logic back_open;

  // timing: a bit per bank, because it selects the entry pushed into that bank.
  assign back_open    = (back_level & open_i) != '0;
  assign back_at_o    = back_at & ~a3_at_q & {NumBank{back_valid_i}} & {NumBank{back_open}};
  assign back_ready_o = back_valid_i && back_open && !(a3_into_q && a3_bank_q == back_bank_i);

  // ---- Enter: does the native part of the kernel go into its bank? ------------------------------
  logic enter_behind, may, binds, waits, kernel;
  logic [NumBank-1:0] into;            // a group goes into this bank

  assign enter_behind = a3_put_q && a3_bank_q == enter_bank && a3_info_q.level == enter_level_i;
  assign may   = policy_i != hd_pkg::PolicyRr && !enter_progress_i.ndone
      && enter_progress_i.sav_count == '0 && !enter_behind;
  assign binds = may && (enter_at & enter_fits) != '0;
  assign into  = a3_at_q;
  assign waits = (enter_at & into) != '0 || back_ready_o;

  assign enter_wait_o = enter_valid_i && binds && waits;
  assign enter_bank_o = enter_valid_i && binds && !waits;
  assign enter_mark_o = enter_valid_i && !enter_graph_i && (!binds || (!waits && enter_pending_i));
  assign kernel       = enter_bank_o && enter_ready_i;

  // ---- A kernel or a returning group enters its bank -------------------------------------------
  assign come_o       = kernel || back_ready_o;
  assign come_at_o    = back_at_o | (enter_at & enter_fits & ~into
      & {NumBank{enter_valid_i && enter_ready_i && may && !back_ready_o}});

  // timing: the same value as back_ready_o, but from a3_at_q. back_ready_o stops the kernel; this
  // one settles later and selects many bits.
  logic back;

  assign back         = back_at_o != '0;
  assign come_bank_o  = back ? back_bank_i : enter_bank;
  assign come_level_o = back ? back_level : enter_level;

  always_comb begin
    come_entry_o  = '0;
    come_nextbl_o = '0;
    come_need_o   = '0;
    if (back) begin
      come_entry_o.kind   = hd_pkg::UnitGroup;
      come_entry_o.kdei   = back_kdei_i;
      come_entry_o.grid_x = back_info_i.grid_x;
      come_entry_o.grid_y = back_info_i.grid_y;
      come_entry_o.grid_z = back_info_i.grid_z;
      come_entry_o.param  = back_info_i.param;
      come_entry_o.ctas   = back_info_i.ctas;
      come_entry_o.level  = back_info_i.level;
      come_need_o         = need_at(need_i, back_kdei_i);
    end else if (enter_valid_i) begin
      come_entry_o.kind   = hd_pkg::UnitNative;
      come_entry_o.kdei   = enter_kdei_i;
      come_entry_o.ctas   = enter_ctas_i;
      come_entry_o.level  = enter_level_i;
      come_nextbl_o       = enter_progress_i.nextbl;
      come_need_o         = enter_need_i;
    end
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, enter_progress_i};

`ifdef HD_ASSERT_ON
  logic [NumBank-1:0] held_at;         // banks with a held level
  logic [NumBank-1:0] some_at, one_at;  // banks with a free place, with exactly one
  logic [NumBank-1:0] line_at, line_1_at;  // with more than SpillLine, with one more than these
  logic [MaxLevel-1:0] back_held;      // held levels of the bank of the returning group
  always_comb begin
    back_held = '0;
    for (int b = 0; b < NumBank; b++) begin
      held_at[b]   = held_i[b*MaxLevel+:MaxLevel] != '0;
      some_at[b]   = room_i[b*3+:3] != '0;
      one_at[b]    = room_i[b*3+:3] == 3'd1;
      line_at[b]   = room_i[b*3+:3] > Line;
      line_1_at[b] = room_i[b*3+:3] > Line + 3'd1;
      if (back_at[b]) back_held |= held_i[b*MaxLevel+:MaxLevel];
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (a2) begin
        `HD_ASSERT_IN(a_level, a2_info_i.level != '0 && 32'(a2_info_i.level) <= MaxLevel,
            "A group arrives with level 0 or one above MaxLevel.")
        `HD_ASSERT_IN(a_ctas, a2_info_i.ctas != '0,
            "A group arrives without a TB.")
        `HD_ASSERT_IN(a_smx, 32'(a2_smx_i) < hd_pkg::NumSmx,
            "A group arrives from an SMX that does not exist.")
      end
      if (enter_bank_o) `HD_ASSERT_IN(a_enter_nextbl, enter_progress_i.nextbl < enter_ctas_i,
          "A kernel enters a bank and has no native TB left.")
      `HD_ASSERT(a_enter, enter_valid_i == (enter_wait_o || enter_bank_o || enter_mark_o
          || (enter_valid_i && enter_graph_i)) && !(enter_wait_o && (enter_bank_o || enter_mark_o)),
          "A kernel that enters must either wait, or go into its bank or be marked.")
      `HD_ASSERT(a_a3, a3_at_q == NumBank'(a3_into_q) << a3_bank_q
          && 2'(a3_into_q) + 2'(a3_put_q) + 2'(a3_full_q) == 2'(a3_valid_q),
          "The flags of A3 disagree: a group goes into its bank, or to memory, or is refused.")
      `HD_ASSERT(a_places, ((group_at_o | (come_at_o & ~back_at_o)) & ~some_at) == '0,
          "A group or a kernel goes into a bank without a free place.")
      `HD_ASSERT(a_line, (come_at_o & ~back_at_o & held_at & ~line_1_at) == '0,
          "A kernel goes into a bank with a held level, and leaves no places for the next line.")
      `HD_ASSERT(a_one, come_at_o == NumBank'(come_o) << come_bank_o && (group_at_o & come_at_o)
          == '0 && back == back_ready_o,
          "Two entries go into one bank, or come_at_o disagrees with come_o or back_ready_o.")
      if (back_valid_i) `HD_ASSERT_IN(a_back, (back_held & back_level) != '0,
          "A group returns to a bank and level that have none in memory.")
    end
  end

  // Rare: a kernel that waits for a group, or for a returning group; one that is both in a bank and
  // marked; a group without a place, because of A3's or because of those for the next line, or
  // without room in memory as well; a kernel without a place because of the next line; a group
  // behind groups in memory, or behind A3's; a returning group that waits.
  `HD_COVER(c_wait, enter_wait_o && !back_ready_o)
  `HD_COVER(c_wait_back, enter_wait_o && back_ready_o)
  `HD_COVER(c_bank_and_mark, enter_bank_o && enter_mark_o)
  `HD_COVER(c_full, a2 && (a2_at & ~some_at) != '0)
  `HD_COVER(c_full_a3, a2 && (a2_at & a3_at_q & one_at) != '0)
  `HD_COVER(c_line, a2 && (a2_at & held_at & ~a3_at_q & some_at & ~line_at) != '0)
  `HD_COVER(c_refused, full_o)
  `HD_COVER(c_kernel_line, enter_valid_i
      && (enter_at & held_at & some_at & ~one_at & ~line_1_at) != '0)
  `HD_COVER(c_behind, a2 && (a2_at & held_at & line_1_at & ~a2_fits) != '0)
  `HD_COVER(c_behind_a3, a2 && a2_behind && (a2_at & a2_fits) != '0)
  `HD_COVER(c_back_waits, back_valid_i && !back_ready_o)
`endif

endmodule
