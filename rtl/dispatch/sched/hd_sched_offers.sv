// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_sched_offers: computes the TB offered to each SMX (of the bank to which it is bound, of queue
// 0, or of a spare bank), and whether the SMX can take it.
//
//   laperm: bound ----+
//   SSCR, graph ------+--> source --> need --> fits? --> can_take
//   laperm: spare ----'                         ^ free resources, slot, dispatch register
//
// From laperm-isca2016 section 4, and for the graph wireframe-micro2017 section 4.1 (DATS). That
// only emptiness of a source decides, alternating the graph with other kernels, and the preferred
// SMX are ours.
// - Queue 0 offers the TB of the graph, unless there is none or the kernel in the SSCR is older.
//   Age alone decides, not which TB fits.
// - A closed SMX (open_i 0) takes only TBs bound to it: none of queue 0, no spare ones.
// - A decision uses the state at the start of the cycle: slot, place for the completion, empty
//   dispatch register, resources.
// - Latency: combinational; with ChoiceLatency 2 fitting is decided one cycle ahead (u_fits).
// - Reset: nothing fits (ChoiceLatency 2).
// Part of hd_sched, whose model and tests cover it.
module hd_sched_offers (
  input  logic                                         clk_i,
  input  logic                                         rst_ni,
  // The kernel in the SSCR, and the kernel that would be next
  input  logic                                         cur_valid_i,
  input  logic [hd_pkg::KdeW-1:0]                      cur_kdei_i,
  input  logic                                         offer_valid_i,
  input  hd_pkg::need_t                                need_i,
  input  logic                                         new_valid_i,
  input  hd_pkg::need_t                                new_need_i,
  // Banks of priority queues (laperm)
  input  logic [hd_pkg::NumSmx-1:0]                    bound_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::BankW-1:0]      bound_bank_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::NeedW-1:0]      bound_need_i,
  input  logic [hd_pkg::NumSmx-1:0]                    spare_valid_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::BankW-1:0]      spare_bank_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::NeedW-1:0]      spare_need_i,
  input  logic                                         then_valid_i,
  input  hd_pkg::need_t                                then_need_i,
  // The next TB of the graph (dats)
  input  logic                                         graph_valid_i,
  input  logic                                         graph_wants_i,
  input  logic [hd_pkg::SmxW-1:0]                      graph_smx_i,
  input  logic [hd_pkg::NumKde-1:0]                    older_i,
  input  logic                                         run_valid_i,
  input  hd_pkg::need_t                                run_need_i,
  // Open SMXs: those that accept TBs not bound to an SMX (throttle)
  input  logic [hd_pkg::NumSmx-1:0]                    open_i,
  // The SMXs: slot and done FIFO place, an empty dispatch register, free resources
  input  logic [hd_pkg::NumSmx-1:0]                    slot_i,
  input  logic [hd_pkg::NumSmx-1:0]                    ready_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::WarpsW-1:0]     free_warps_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::RegUnitsW-1:0]  free_regs_i,
  input  logic [hd_pkg::NumSmx*hd_pkg::SmemUnitsW-1:0] free_smem_i,
  // The source of each SMX's next TB, its need, and whether the SMX can take it
  output logic [hd_pkg::NumSmx-1:0]                    from_bank_o,
  output logic [hd_pkg::NumSmx*hd_pkg::BankW-1:0]      bank_o,
  output logic [hd_pkg::NumSmx*hd_pkg::NeedW-1:0]      need_o,
  output logic                                         graph_first_o,
  output logic                                         empty_o,
  output logic [hd_pkg::NumSmx-1:0]                    can_take_o
);

  localparam int NumSmx = hd_pkg::NumSmx;
  localparam int BankW = hd_pkg::BankW;
  localparam int NeedW = hd_pkg::NeedW;
  localparam int WarpsW = hd_pkg::WarpsW;
  localparam int RegUnitsW = hd_pkg::RegUnitsW;
  localparam int SmemUnitsW = hd_pkg::SmemUnitsW;

  // ---- Sources ----------------------------------------------------------------------------------
  // Source of the next TB of SMX i: its bound bank, then queue 0 (which is empty only if there is
  // neither a kernel in the SSCR nor a TB of the graph), then its spare bank. Emptiness alone
  // decides; a TB that does not fit waits.
  logic [NumSmx-1:0] from_bank, offered;
  logic graph_first, empty;

  assign empty = !cur_valid_i && !graph_valid_i;

  for (genvar i = 0; i < NumSmx; i++) begin : g_source
    assign from_bank[i] = bound_valid_i[i] || (empty && spare_valid_i[i]);
    assign offered[i] = bound_valid_i[i]
        || (open_i[i] && ((empty && spare_valid_i[i]) || (offer_valid_i && !graph_first)));
    assign bank_o[i*BankW+:BankW] = bound_valid_i[i] ? bound_bank_i[i*BankW+:BankW]
        : spare_bank_i[i*BankW+:BankW];
  end

  // ---- The graph --------------------------------------------------------------------------------
  // An SMX that is not bound to a bank can take the graph's TB if it could take any TB (slot, done
  // FIFO place, dispatch register) and has room, or had it one cycle ago (ChoiceLatency 2). If the
  // preferred SMX can take it, no other SMX may.
  // timing: room for the graph's TB is compared separately from room for TBs of the SSCR and banks,
  // so that it does not wait for the choice among those.
  logic [NumSmx-1:0] node_room, node_fits, node_can, node_wanted, node_takes;
  logic granted_wish;

  assign graph_first = graph_valid_i && !(cur_valid_i && older_i[cur_kdei_i]);

  // sim speed: nothing is compared while no graph runs. timing: whether the graph has a TB to offer
  // arrives late in the cycle and is not used here.
  always_comb begin
    node_room = '0;
    if (run_valid_i) begin
      for (int i = 0; i < NumSmx; i++) begin
        node_room[i] = run_need_i.warps <= free_warps_i[i*WarpsW+:WarpsW]
            && run_need_i.regs <= free_regs_i[i*RegUnitsW+:RegUnitsW]
            && run_need_i.smem <= free_smem_i[i*SmemUnitsW+:SmemUnitsW];
      end
    end
  end

  assign node_can     = node_fits & ready_i & open_i & ~bound_valid_i;
  assign node_wanted  = {{NumSmx - 1{1'b0}}, graph_wants_i} << graph_smx_i;
  assign granted_wish = (node_can & node_wanted) != '0;
  assign node_takes   = node_can & {NumSmx{graph_first}}
      & (node_wanted | {NumSmx{!granted_wish}});

  // ---- Room -------------------------------------------------------------------------------------
  logic [NumSmx-1:0] room, fits;

  for (genvar i = 0; i < NumSmx; i++) begin : g_smx
    // Need of the offered TB: warps, registers, shared memory, from the top.
    logic [NeedW-1:0] own_need, grant_need;

    assign need_o[i*NeedW+:NeedW] = grant_need;
    assign own_need = bound_valid_i[i] ? bound_need_i[i*NeedW+:NeedW]
        : cur_valid_i ? need_i : spare_need_i[i*NeedW+:NeedW];
    assign grant_need = (graph_first && !bound_valid_i[i]) ? run_need_i : own_need;

    assign room[i] = own_need[SmemUnitsW+RegUnitsW+:WarpsW] <= free_warps_i[i*WarpsW+:WarpsW]
        && own_need[SmemUnitsW+:RegUnitsW] <= free_regs_i[i*RegUnitsW+:RegUnitsW]
        && own_need[SmemUnitsW-1:0] <= free_smem_i[i*SmemUnitsW+:SmemUnitsW];
  end

  // Does it fit? Compared in this cycle, or in the previous one.
  if (hd_pkg::ChoiceLatency > 1) begin : g_fits
    logic some_bound, own_next, then_next;
    hd_pkg::need_t next_need;

    // A guess of the need of the next TB, for SMXs that are all offered the same: the next winner
    // of the banks; the kernel in the SSCR if a bank is bound or the graph goes first; otherwise
    // the kernel that would follow.
    assign some_bound = bound_valid_i != '0;
    assign own_next   = cur_valid_i && (some_bound || graph_first);
    assign then_next  = then_valid_i && (some_bound || !cur_valid_i);

    always_comb begin
      next_need = new_need_i;
      if (own_next) next_need = need_i;
      if (then_next) next_need = then_need_i;
    end

    hd_sched_fits u_fits (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .offered_i   (from_bank | {NumSmx{!empty}}),
      .need_i      (need_o),
      .room_i      ((node_room & ~bound_valid_i & {NumSmx{graph_first}})
          | (room & (bound_valid_i | {NumSmx{!graph_first}}))),
      .next_valid_i(new_valid_i || own_next || then_next),
      .next_need_i (next_need),
      .slot_i      (slot_i),
      .free_warps_i(free_warps_i),
      .free_regs_i (free_regs_i),
      .free_smem_i (free_smem_i),
      .fits_o      (fits)
    );
    assign node_fits = fits;
  end else begin : g_fits
    logic unused;

    assign fits = slot_i & room;
    assign node_fits = slot_i & node_room;
    assign unused = &{1'b0, clk_i, rst_ni, new_valid_i, new_need_i, then_valid_i, then_need_i};
  end

  assign can_take_o    = (fits & ready_i & offered) | node_takes;
  assign from_bank_o   = from_bank;
  assign graph_first_o = graph_first;
  assign empty_o       = empty;

endmodule
