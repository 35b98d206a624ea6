// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_pool: device kernels that wait to run: a queue on chip, behind it a ring in memory, and the
// order of device streams.
//
//   push --+--> [u_front] --> [head] --> allowed by its stream? --> head, to the KMU
//          |        ^  '-- no: rotate, to the youngest end --.
//          '--> [spill] --> memory ring --> [refill] --'  <--'
//
// From dtbl-isca2015 section 2.4 (device kernels wait in the KMU, and in memory). Tickets, rotation
// and the bound of the ring are ours: a head that waits for its stream must not hold up others.
// - A kernel that comes while memory holds none goes to the front if it has a place there, else to
//   memory: so the pool is one queue. The ring keeps one place for a rotation.
// - A stream's kernels carry tickets in the order of their launches; a kernel may run when all
//   before it in its stream are complete. Stream 0 has no order. Tickets compare modulo, so that a
//   kernel that is lost to a memory error can not stop its stream.
// - A head that is not allowed goes behind the others; a turn takes 4 cycles, in which no kernel
//   that devq let pass before can be missed.
// - An error of the memory loses that kernel alone: lost tells its parent record and its stream.
// - Latency: push at t into an empty pool, head_valid t+3; one kernel per 3 cycles out. All outputs
//   come from registers, but head_o from the output of u_front.
// - Reset: empty; rows keep anything.
// Ports: pool.csv. Model cmodel/family/pool, tests verif/unit and verif/equiv test_pool, docs/family/pool.md.
`include "common/hd_fault.svh"
module hd_pool (
  input  logic                                          clk_i,
  input  logic                                          rst_ni,
  // A device kernel is launched (devq A3), and room for it
  input  logic                                          push_valid_i,
  input  hd_pkg::devk_t                                 push_i,
  output logic                                          pool_ready_o,
  output logic                                          pool_full_o,
  output logic [hd_pkg::NumStreams-1:0]                 stream_ok_o,
  // A device kernel that may run (kmu)
  output logic                                          head_valid_o,
  output hd_pkg::devk_t                                 head_o,
  input  logic                                          head_pop_i,
  // A device kernel has completed (kin)
  input  logic                                          stream_done_valid_i,
  input  logic [hd_pkg::StreamW-1:0]                    stream_done_i,
  // A device kernel was lost (kin)
  output logic                                          lost_valid_o,
  output logic [hd_pkg::KinW-1:0]                       lost_up_o,
  output logic [hd_pkg::StreamW-1:0]                    lost_stream_o,
  input  logic                                          lost_ready_i,
  // Its region in memory (regs)
  input  logic [31:0]                                   dev_base_i,
  input  logic [31:0]                                   dev_count_i,
  // What is counted (regs)
  output logic                                          spill_event_o,
  output logic                                          refill_event_o,
  output logic                                          error_event_o,
  // Memory port (memarb)
  output logic                                          req_valid_o,
  output hd_pkg::memreq_t                               req_o,
  input  logic                                          req_ready_i,
  output hd_pkg::membeat_t                              wbeat_o,
  input  logic                                          wbeat_take_i,
  input  logic                                          b_valid_i,
  input  logic                                          b_error_i,
  input  logic                                          r_valid_i,
  input  hd_pkg::memdata_t                              r_i
);

  localparam int Depth = hd_pkg::PoolDepth;
  localparam int Rows = hd_pkg::PoolRows;
  localparam int FrontW = hd_pkg::PoolFrontW;
  localparam int CountW = hd_pkg::PoolCountW;
  localparam int PosW = hd_pkg::PoolPosW;
  localparam int FrontPosW = $clog2(Depth);
  localparam int NumStreams = hd_pkg::NumStreams;
  localparam int StreamW = hd_pkg::StreamW;
  localparam int TicketW = hd_pkg::TicketW;
  localparam int KinW = hd_pkg::KinW;
  localparam int AddrW = hd_pkg::AddrW;

  localparam logic [1:0] HeadNone = 2'd0;
  localparam logic [1:0] HeadReading = 2'd1;
  localparam logic [1:0] HeadThere = 2'd2;

  logic [FrontW-1:0] front_count_q;
  logic [FrontPosW-1:0] front_first_q;
  logic [1:0] head_state_q, turn_q;
  hd_pkg::devk_t spill_q, head;
  logic [StreamW-1:0] head_stream_q;
  logic [TicketW-1:0] head_ticket_q;
  logic spill_busy_q, refill_busy_q, lost_valid_q;
  logic [CountW-1:0] mem_count_q;
  logic [PosW-1:0] mem_first_q;
  logic [NumStreams*TicketW-1:0] issued_q, serving_q;

  // ---- Places -----------------------------------------------------------------------------------
  logic [CountW-1:0] places;
  logic usable, front_free;

  always_comb begin
    places = CountW'(dev_count_i);
    if (dev_count_i >= 32'(Rows)) places = CountW'(Rows);
    if (dev_count_i < 32'd2) places = '0;
  end

  assign front_free   = front_count_q != FrontW'(Depth);
  assign usable       = `HD_FAULT(73, mem_count_q == '0, 1'b1) && !spill_busy_q && !refill_busy_q
      && front_free;
  assign pool_ready_o = !spill_busy_q && turn_q == '0;
  assign pool_full_o  = !usable && 32'(mem_count_q) + `HD_FAULT(74, 1, 0) >= 32'(places);

  // ---- Streams ----------------------------------------------------------------------------------
  logic [TicketW-1:0] push_ticket, head_behind;
  logic allowed;
  hd_pkg::devk_t pushed;

  assign push_ticket = push_i.stream == '0 ? '0 : issued_q[push_i.stream*TicketW+:TicketW];
  assign head_behind = serving_q[head_stream_q*TicketW+:TicketW] - head_ticket_q;
  assign allowed = head_stream_q == '0 || !head_behind[TicketW-1];

  always_comb begin
    pushed        = push_i;
    pushed.ticket = push_ticket;
  end

  assign stream_ok_o[0] = 1'b1;
  for (genvar s = 1; s < NumStreams; s++) begin : g_stream
    logic [TicketW-1:0] open;
    assign open = issued_q[s*TicketW+:TicketW] - serving_q[s*TicketW+:TicketW];
    assign stream_ok_o[s] = !open[TicketW-1];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      issued_q  <= '0;
      serving_q <= '0;
    end else begin
      if (push_valid_i) begin
        for (int s = 1; s < NumStreams; s++) begin
          if (push_i.stream == StreamW'(s)) begin
            issued_q[s*TicketW+:TicketW] <= issued_q[s*TicketW+:TicketW] + TicketW'(1);
          end
        end
      end
      if (stream_done_valid_i) begin
        for (int s = 0; s < NumStreams; s++) begin
          if (stream_done_i == StreamW'(s)) begin
            serving_q[s*TicketW+:TicketW] <= serving_q[s*TicketW+:TicketW] + TicketW'(1);
          end
        end
      end
    end
  end

  // ---- Head and rotation ------------------------------------------------------------------------
  logic head_there, rotate_start, rotate_end, rotate_front, rotate_spill, head_leaves;

  assign head_there   = head_state_q == HeadThere;
  assign rotate_start = head_there && !allowed && 32'(front_count_q) + 32'(mem_count_q) > 1
      && turn_q == '0 && !spill_busy_q && (mem_count_q == '0 || mem_count_q < places);
  assign rotate_end   = turn_q == 2'd1 && (allowed || !spill_busy_q);
  assign rotate_front = rotate_end && `HD_FAULT(50, !allowed, 1'b1)
      && mem_count_q == '0 && !refill_busy_q;
  assign rotate_spill = rotate_end && !allowed && !rotate_front;
  assign head_leaves  = head_pop_i || rotate_front || rotate_spill;

  // ---- Front ------------------------------------------------------------------------------------
  logic push_front, push_spill, refilled, front_we, front_re;
  logic [FrontPosW-1:0] front_last;
  hd_pkg::devk_t refill, front_in;

  assign push_front = push_valid_i && usable;
  assign push_spill = push_valid_i && !usable;
  assign front_we   = push_front || rotate_front || refilled;
  assign front_in   = rotate_front ? head : refilled ? refill : pushed;
  assign front_re   = head_state_q == HeadNone && front_count_q != '0;

  // The head stays at the output of u_front until the next one is read; what is compared first lies
  // in registers. Depth may be any number: (first + count) mod Depth.
  logic [FrontW:0] last_sum;
  assign last_sum = (FrontW + 1)'(front_first_q) + (FrontW + 1)'(front_count_q);
  assign front_last = 32'(last_sum) >= Depth ? FrontPosW'(last_sum - (FrontW + 1)'(Depth))
      : FrontPosW'(last_sum);

  hd_ram_1r1w #(.Width(hd_pkg::DevkW), .Depth(Depth), .AddrW(FrontPosW)) u_front (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (front_we),
    .waddr_i(front_last),
    .wdata_i(`HD_FAULT(115, front_in, rotate_front ? pushed : front_in)),
    .re_i   (front_re),
    .raddr_i(front_first_q),
    .rdata_o(head)
  );

  // ---- Memory: one spill or refill at a time ----------------------------------------------------
  logic idle, start_spill, start_refill, done, error, rdata_valid, spilled;
  logic spilling_q;  // the burst under way is a spill
  logic [2:0] beat;
  logic [CountW:0] end_sum;
  logic [PosW-1:0] mem_end, place;
  hd_pkg::membeat_t wdata;

  assign start_spill = idle && spill_busy_q && !lost_valid_q;
  assign start_refill = idle && !spill_busy_q && mem_count_q != '0 && front_free && !lost_valid_q;
  assign end_sum = (CountW + 1)'(mem_first_q) + (CountW + 1)'(mem_count_q);
  assign mem_end = `HD_FAULT(49, end_sum >= (CountW + 1)'(places), 1'b0)
      ? PosW'(end_sum - (CountW + 1)'(places))
      : PosW'(end_sum);
  assign place = spill_busy_q ? mem_end : mem_first_q;
  assign spilled = done && spilling_q && !error;
  assign refilled = done && !spilling_q && !error;

  hd_burst u_burst (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .start_i      (start_spill || start_refill),
    .write_i      (spill_busy_q),
    .addr_i       (AddrW'({dev_base_i, 8'b0}) + AddrW'({place, 7'b0})),
    .len_i        (3'd7),
    .idle_o       (idle),
    .beat_o       (beat),
    .wdata_i      (wdata),
    .rdata_valid_o(rdata_valid),
    .done_o       (done),
    .error_o      (error),
    .req_valid_o  (req_valid_o),
    .req_o        (req_o),
    .req_ready_i  (req_ready_i),
    .wbeat_o      (wbeat_o),
    .wbeat_take_i (wbeat_take_i),
    .b_valid_i    (b_valid_i),
    .b_error_i    (b_error_i),
    .r_valid_i    (r_valid_i),
    .r_last_i     (r_i.last),
    .r_error_i    (r_i.error)
  );

  hd_pkg::kernel_t spill_kernel, refill_kernel;
  logic [TicketW-1:0] refill_ticket;

  always_comb begin
    spill_kernel               = '0;
    spill_kernel.desc          = spill_q.desc;
    spill_kernel.need          = spill_q.need;
    spill_kernel.ctas          = spill_q.ctas;
    spill_kernel.level         = spill_q.level;
    spill_kernel.origin.stream = spill_q.stream;
    spill_kernel.origin.up     = spill_q.up;
    spill_kernel.origin.smx    = `HD_FAULT(97, spill_q.smx, '0);
  end

  hd_krec_pack u_pack (
    .kernel_i(spill_kernel),
    .ticket_i(spill_q.ticket),
    .beat_i  (beat),
    .hi_o    (wdata.hi),
    .lo_o    (wdata.lo)
  );
  assign wdata.strb = '1;

  hd_krec_unpack u_unpack (
    .clk_i   (clk_i),
    .we_i    (rdata_valid),
    .beat_i  (beat),
    .hi_i    (r_i.hi),
    .lo_i    (r_i.lo),
    .kernel_o(refill_kernel),
    .ticket_o(refill_ticket)
  );

  assign refill.desc   = refill_kernel.desc;
  assign refill.need   = refill_kernel.need;
  assign refill.ctas   = refill_kernel.ctas;
  assign refill.level  = refill_kernel.level;
  assign refill.stream = refill_kernel.origin.stream;
  assign refill.ticket = refill_ticket;
  assign refill.up     = refill_kernel.origin.up;
  assign refill.smx    = refill_kernel.origin.smx;

  // Whose kernel lies at each place of the ring: what is lost with a record that can not be read.
  logic [KinW-1:0] side_up;
  logic [StreamW-1:0] side_stream;

  hd_ram_1r1w #(.Width(KinW + StreamW), .Depth(Rows), .AddrW(PosW)) u_side (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .we_i   (start_spill),
    .waddr_i(mem_end),
    .wdata_i({`HD_FAULT(114, spill_q.up, '0), spill_q.stream}),
    .re_i   (start_refill),
    .raddr_i(mem_first_q),
    .rdata_o({side_up, side_stream})
  );

  // ---- Registers --------------------------------------------------------------------------------
  logic [KinW-1:0] lost_up_q;
  logic [StreamW-1:0] lost_stream_q;
  logic spill_event_q, refill_event_q, error_event_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      front_count_q  <= '0;
      front_first_q  <= '0;
      head_state_q   <= HeadNone;
      turn_q         <= '0;
      spill_busy_q   <= 1'b0;
      refill_busy_q  <= 1'b0;
      mem_count_q    <= '0;
      mem_first_q    <= '0;
      lost_valid_q   <= 1'b0;
      spill_event_q  <= 1'b0;
      refill_event_q <= 1'b0;
      error_event_q  <= 1'b0;
    end else begin
      if (front_we != head_leaves) begin
        front_count_q <= front_we ? front_count_q + FrontW'(1) : front_count_q - FrontW'(1);
      end
      if (head_leaves) begin
        front_first_q <= front_first_q == FrontPosW'(Depth - 1) ? '0
            : front_first_q + FrontPosW'(1);
      end

      if (head_leaves) head_state_q <= HeadNone;
      else if (front_re) head_state_q <= HeadReading;
      else if (head_state_q == HeadReading) head_state_q <= HeadThere;

      if (rotate_start) turn_q <= 2'd3;
      else if (turn_q > 2'd1 || rotate_end) turn_q <= turn_q - 2'd1;

      spill_busy_q  <= (spill_busy_q && !(done && spilling_q)) || push_spill || rotate_spill;
      refill_busy_q <= (refill_busy_q && !done) || start_refill;
      if (spilled) begin
        mem_count_q <= mem_count_q + CountW'(1);
      end else if (done && !spilling_q) begin
        mem_count_q <= mem_count_q - CountW'(1);
        mem_first_q <= mem_count_q == CountW'(1) || 32'(mem_first_q) + 1 >= 32'(places) ? '0
            : mem_first_q + PosW'(1);
      end

      lost_valid_q   <= (lost_valid_q && !lost_ready_i) || error;
      spill_event_q  <= spilled;
      refill_event_q <= refilled;
      error_event_q  <= error;
    end
  end

  always_ff @(posedge clk_i) begin
    if (head_state_q == HeadReading) begin
      head_stream_q <= head.stream;
      head_ticket_q <= head.ticket;
    end
    if (push_spill || rotate_spill) spill_q <= rotate_spill ? head : pushed;
    if (idle) spilling_q <= spill_busy_q;
    if (error) begin
      lost_up_q     <= spilling_q ? spill_q.up : side_up;
      lost_stream_q <= spilling_q ? spill_q.stream : `HD_FAULT(51, side_stream, spill_q.stream);
    end
  end

  assign head_valid_o   = head_there && `HD_FAULT(75, allowed, 1'b1) && turn_q == '0;
  assign head_o         = head_valid_o ? head : '0;
  assign lost_valid_o   = lost_valid_q;
  assign lost_up_o      = lost_valid_q ? lost_up_q : '0;
  assign lost_stream_o  = lost_valid_q ? lost_stream_q : '0;
  assign spill_event_o  = spill_event_q;
  assign refill_event_o = refill_event_q;
  assign error_event_o  = error_event_q;

  logic unused_bits;
  assign unused_bits = &{1'b0, push_i.ticket, refill_kernel};

`ifdef VERILATOR
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // A kernel that comes finds a place.
      if (push_valid_i) a_push : assert (!spill_busy_q && !pool_full_o && turn_q != 2'd1);
      // Only a head that is offered is taken.
      if (head_pop_i) a_pop : assert (head_valid_o);
      // Nothing is put into a full front, but for a rotation of it.
      if (push_front || refilled) a_front : assert (front_free && !rotate_front);
      a_one_writer : assert (!(push_front && refilled));
      // The ring holds what it may.
      if (start_spill) a_ring : assert (mem_count_q < places);
      // An empty ring begins at its first place: its size may change then.
      if (mem_count_q == '0) a_empty : assert (mem_first_q == '0);
      // One kernel is lost at a time.
      if (error) a_lost : assert (!lost_valid_q);
    end
  end
  // The rare: a rotation within a full front, one through memory, a turn that ends because the head
  // may run, a lost kernel.
  c_rotate_full :
  cover property (@(posedge clk_i) rotate_front && !front_free);
  c_rotate_memory :
  cover property (@(posedge clk_i) rotate_spill);
  c_turn_off :
  cover property (@(posedge clk_i) rotate_end && allowed);
  c_lost :
  cover property (@(posedge clk_i) error);
`endif

endmodule
