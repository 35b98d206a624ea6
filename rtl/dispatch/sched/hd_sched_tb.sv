// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_sched_tb: selects the TB that is handed out, depending on the SMX that gets one, and makes its
// descriptor one cycle later.
//
//   granted --> first entry of its bank ---+
//   SSCR: unit --+--> queue 0's TB --------+--> cta    --> [given] --+--> desc
//   graph -------'                                    KD: kernel's --'
//
// From dtbl-isca2015 section 4.2; banks from laperm-isca2016, TBs of a graph from
// wireframe-micro2017.
// - timing: granted_i settles last in the cycle, so it only selects; the TB of queue 0 is prepared
//   before it.
// - A TB of a bank has no AGE. A TB of the graph has no AGE and level 0; its agei is its place in
//   the LNA.
// - The descriptor comes from the KD. For a TB of a group, the group's dimensions and parameter
//   address replace the kernel's; for a saved TB, its context pointer replaces the parameter
//   address.
// - Latency: cta_o and take_* in the cycle of granted_i, desc_o one cycle later.
// - Reset: none; desc_o is valid only in the cycle after a grant.
// Part of hd_sched, whose tests cover it.
module hd_sched_tb (
  input  logic                                        clk_i,
  // The SMX that gets a TB
  input  logic                                        grant_i,
  input  logic [hd_pkg::NumSmx-1:0]                   granted_i,
  // From the banks
  input  logic [hd_pkg::NumSmx-1:0]                   from_bank_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::BankW-1:0]     bank_i,
  input  logic [hd_pkg::NumBank*hd_pkg::PqentryW-1:0] bank_front_i,
  input  logic [hd_pkg::NumBank*hd_pkg::CtasW-1:0]    bank_nextbl_i,
  input  logic [hd_pkg::NumBank-1:0]                  bank_last_i,
  // From queue 0: the SSCR, or the graph
  input  logic [hd_pkg::KdeW-1:0]                     cur_kdei_i,
  input  hd_pkg::sscrunit_t                           unit_i,
  input  logic [hd_pkg::CtasW-1:0]                    nextbl_i,
  input  logic                                        graph_first_i,
  input  logic [hd_pkg::KdeW-1:0]                     run_kdei_i,
  input  logic [hd_pkg::LnaW-1:0]                     graph_index_i,
  input  logic [hd_pkg::CtasW-1:0]                    graph_cta_i,
  // The bank
  output logic                                        take_valid_o,
  output logic [hd_pkg::BankW-1:0]                    take_bank_o,
  output logic [hd_pkg::NumBank-1:0]                  take_o,
  output logic [hd_pkg::KdeW-1:0]                     take_kdei_o,
  output logic                                        take_last_o,
  // The TB
  output hd_pkg::cta_t                                cta_o,
  // Its descriptor
  input  hd_pkg::desc_t                               desc_i,
  output hd_pkg::desc_t                               desc_o
);

  localparam int NumSmx = hd_pkg::NumSmx;
  localparam int NumBank = hd_pkg::NumBank;
  localparam int BankW = hd_pkg::BankW;
  localparam int CtasW = hd_pkg::CtasW;
  localparam int AgeiW = hd_pkg::AgeiW;
  localparam int PqentryW = hd_pkg::PqentryW;

  // ---- From a bank ------------------------------------------------------------------------------
  // timing: the source of the granted SMX, as AND and OR, because the grant arrives late.
  hd_pkg::pqentry_t front;
  logic [PqentryW-1:0] front_bits;
  logic [CtasW-1:0] front_nextbl;

  always_comb begin
    take_o      = '0;
    take_bank_o = '0;
    for (int i = 0; i < NumSmx; i++) begin
      take_bank_o |= bank_i[i*BankW+:BankW] & {BankW{granted_i[i] && from_bank_i[i]}};
      take_o |= (NumBank'(1) << bank_i[i*BankW+:BankW])
          & {NumBank{granted_i[i] && from_bank_i[i]}};
    end
  end

  // sim speed: skipped if no SMX is offered a TB of a bank; changes no gate.
  always_comb begin
    front_bits   = '0;
    front_nextbl = '0;
    if (from_bank_i != '0) begin
      for (int b = 0; b < NumBank; b++) begin
        front_bits   |= bank_front_i[b*PqentryW+:PqentryW] & {PqentryW{take_o[b]}};
        front_nextbl |= bank_nextbl_i[b*CtasW+:CtasW] & {CtasW{take_o[b]}};
      end
    end
  end

  assign front        = front_bits;
  assign take_valid_o = (granted_i & from_bank_i) != '0;
  assign take_kdei_o  = front.kdei;
  assign take_last_o  = (take_o & bank_last_i) != '0;

  // ---- From queue 0 -----------------------------------------------------------------------------
  hd_pkg::sscrunit_t own;
  logic own_group, own_saved;
  logic [hd_pkg::KdeW-1:0] own_kdei;
  logic [AgeiW-1:0] own_agei;
  logic [CtasW-1:0] own_blkid;

  assign own       = graph_first_i ? '0 : unit_i;  // native unit: the descriptor is the kernel's
  assign own_group = !graph_first_i && unit_i.kind == hd_pkg::UnitGroup;
  assign own_saved = !graph_first_i && unit_i.kind == hd_pkg::UnitSaved;
  assign own_kdei  = graph_first_i ? run_kdei_i : cur_kdei_i;
  assign own_agei  = graph_first_i ? AgeiW'(graph_index_i) : AgeiW'(unit_i.agei);
  assign own_blkid = graph_first_i ? graph_cta_i : nextbl_i;

  // ---- The TB -----------------------------------------------------------------------------------
  hd_pkg::sscrunit_t given, given_q;

  assign cta_o.kdei      = take_valid_o ? front.kdei : own_kdei;
  assign cta_o.group     = take_valid_o ? front.kind == hd_pkg::UnitGroup : own_group;
  assign cta_o.age_valid = own_group && !take_valid_o;
  assign cta_o.agei      = take_valid_o ? '0 : own_agei;
  assign cta_o.level     = take_valid_o ? front.level : own.level;
  assign cta_o.restart   = own_saved && !take_valid_o;
  assign cta_o.blkid     = take_valid_o ? front_nextbl : own_blkid;

  always_comb begin
    given = own;
    if (take_valid_o) begin
      given        = '0;
      given.kind   = front.kind;
      given.grid_x = front.grid_x;
      given.grid_y = front.grid_y;
      given.grid_z = front.grid_z;
      given.param  = {front.param, 6'b0};
    end
  end

  // ---- The descriptor, one cycle later ---------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (grant_i) given_q <= given;
  end

  always_comb begin
    desc_o = desc_i;
    if (given_q.kind == hd_pkg::UnitGroup) begin
      desc_o.grid_x = hd_pkg::GridXW'(given_q.grid_x);
      desc_o.grid_y = hd_pkg::GridYW'(given_q.grid_y);
      desc_o.grid_z = hd_pkg::GridZW'(given_q.grid_z);
    end
    if (given_q.kind != hd_pkg::UnitNative) desc_o.param = given_q.param;
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, given_q.agei, given_q.level, front.ctas, front.arrival};

endmodule
