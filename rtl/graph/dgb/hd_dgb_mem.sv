// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// hd_dgb_mem: issues the bursts of the graph buffer, one after the other, with several in flight.
//
//   ids, nodes, early updates of a chunk --+
//   edges ---------------------------------+--> [op] --> request, beats
//   early updates: read, add, write; clear-+      '--> [u_reads: kind of each] --oldest--> kind
//
// From wireframe-micro2017 section 4.2.2 (chunks of 128 bytes); several in flight, edges in their
// own order and early updates are ours.
// - A chunk is requested when the LNA has room for it, edges when the LEA has room for them.
// - No chunk is requested while early updates (hd_dgb_early) are on their way to memory.
// - After the first early update (spilled), early updates are read with each chunk and then
//   cleared.
// - Latency: a burst that can start at t is requested at t+1. Rate: one burst per 2 cycles, plus
//   the beats of a write. Outputs come from registers, except merge_ok_o (from child_i).
// - Reset, and a start: nothing requested.
// Part of hd_dgb, whose tests cover it.
`include "common/hd_assert.svh"
module hd_dgb_mem (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // The graph
  input  logic                    init_i,
  input  logic                    run_i,
  input  hd_pkg::dgbstart_t       start_i,
  input  logic [15:0]             tail_i,
  input  logic [15:0]             edge_tail_i,
  input  logic [15:0]             here_i,
  output logic [15:0]             ask_o,
  // An early update
  input  logic [hd_pkg::ChildLanes*16-1:0] child_i,
  output logic [hd_pkg::ChildLanes-1:0] merge_ok_o,
  input  logic [15:0]             merge_vid_i,
  input  logic                    merge_i,
  output logic                    early_event_o,
  // Requested chunks, reads in flight
  output logic [hd_pkg::GreadW-1:0] kind_o,
  output logic [2:0]              beat_o,
  output logic                    idle_o,
  output logic                    settled_o,
  // Memory port
  output hd_pkg::memup_t         mem_o,
  input  hd_pkg::memdown_t       mem_i
);

  localparam int AddrW = hd_pkg::AddrW;
  localparam int Chunk = hd_pkg::DgbChunk;
  localparam int Lna = hd_pkg::Lna;
  localparam int Lea = hd_pkg::Lea;
  localparam int LnaCountW = hd_pkg::LnaCountW;
  localparam int Rows = hd_pkg::DgbRows;
  localparam int EdgeW = $clog2(hd_pkg::DgbEdges);
  localparam int Flight = hd_pkg::DgbFlight;
  localparam int ReadsW = hd_pkg::DgbReadsW;
  localparam int KindW = hd_pkg::GreadW;

  logic req_valid;
  hd_pkg::memreq_t req;
  hd_pkg::membeat_t wbeat;
  assign mem_o = {req_valid, req, wbeat};

  typedef enum logic [1:0] {
    OpIdle = 2'd0,
    OpReq  = 2'd1,
    OpData = 2'd2
  } op_e;

  typedef enum logic [1:0] {
    PartNone  = 2'd0,
    PartNodes = 2'd1,
    PartEarly = 2'd2
  } part_e;

  logic [15:0] ask_q, chunk_q, node_count;
  logic chunk_early_q;
  part_e part_q;
  op_e op_q;
  logic [28:0] rows_asked_q, rows_q;
  logic op_write_q, op_update_q;
  logic [AddrW-1:0] op_addr_q;
  logic [2:0] op_len_q, op_beat_q, beat_q;
  logic [15:0] op_strb_q;
  logic [ReadsW-1:0] writes_q;

  // Early updates, driven by u_early below.
  logic early_idle, want_read, want_write, spilled, zero_ok;
  logic [12:0] early_beat;
  logic [7:0] early_mask;
  logic [15:0] zero;
  logic [127:0] early_data;

  assign node_count = start_i.node_count;

  // ---- Reads in flight -------------------------------------------------------------------------
  logic read_begins, write_begins, reads_full, reads_none, reads_ok, writes_ok, alone;
  logic [KindW-1:0] kind;

  hd_fifo #(.Width(KindW), .Depth(Flight)) u_reads (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (read_begins),
    .write_i(read_begins),
    .data_i (kind),
    .full_o (reads_full),
    .pop_i  (mem_i.r_valid && mem_i.r.last),
    .data_o (kind_o),
    .empty_o(reads_none)
  );

  assign reads_ok  = !reads_full;
  assign writes_ok = writes_q != ReadsW'(Flight);

  // Chunks smaller than a beat share beats, so a read waits until no write is in flight.
  assign alone     = Chunk >= 8 || writes_q == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      writes_q <= '0;
      beat_q   <= '0;
    end else begin
      if (write_begins != mem_i.b_valid) begin
        writes_q <= write_begins ? writes_q + ReadsW'(1) : writes_q - ReadsW'(1);
      end
      if (mem_i.r_valid) beat_q <= mem_i.r.last ? '0 : beat_q + 3'd1;
    end
  end

  // ---- Bursts that can start -------------------------------------------------------------------
  logic some_edges, edges_room, last_edges, lna_room;
  logic [6:0] can, go;  // in the order listed on the page, 1 to 7
  logic [LnaCountW-1:0] asked;
  logic [15:0] edges_asked, edges_floor;

  // Number of edge rows, in two steps (timing). Wrong in the first two cycles of a graph, when only
  // TB ids are requested.
  logic rows_carry_q;
  always_ff @(posedge clk_i) begin
    {rows_carry_q, rows_q[13:0]} <= 15'(start_i.edge_count[16:3])
        + 15'(start_i.edge_count[2:0] != '0);
    rows_q[28:14] <= start_i.edge_count[31:17] + 15'(rows_carry_q);
  end

  assign some_edges  = rows_asked_q != rows_q;
  assign last_edges  = rows_asked_q / 29'(Rows) == rows_q / 29'(Rows);
  assign edges_floor = edge_tail_i >> EdgeW << EdgeW;
  assign edges_asked = {rows_asked_q[12:0], 3'b0} - edges_floor;
  assign edges_room  = edges_asked < 16'(Lea);
  assign asked       = LnaCountW'(ask_q) - LnaCountW'(tail_i);
  assign lna_room    = asked <= LnaCountW'(Lna - Chunk);

  assign can[0] = want_read && reads_ok && alone;
  assign can[1] = want_write && writes_ok;
  assign can[2] = part_q == PartNodes && reads_ok;
  assign can[3] = part_q == PartEarly && reads_ok && alone;
  assign can[4] = part_q == PartNone && ask_q != node_count && lna_room && reads_ok
      && early_idle && !merge_i;
  assign can[5] = some_edges && edges_room && reads_ok;
  assign can[6] = spilled && zero < here_i && zero_ok && writes_ok;

  // The first that can start. timing: each bit depends only on the ones before it.
  for (genvar i = 0; i < 7; i++) begin : g_go
    assign go[i] = run_i && op_q == OpIdle && can[i] && (can & 7'((1 << i) - 1)) == '0;
  end

  assign read_begins  = go[0] || go[2] || go[3] || go[4] || go[5];
  assign write_begins = go[1] || go[6];

  // ---- The burst that starts -------------------------------------------------------------------
  logic [15:0] first, left, zero_left, zero_next, strobes, mask_strobes;
  logic [4:0] nodes, zero_nodes;  // nodes of a chunk
  logic [AddrW-1:0] addr;
  logic [2:0] len, nodes_less;
  logic [5:0] edges_len;

  assign first      = part_q != PartNone ? chunk_q : ask_q;
  assign left       = node_count - first;
  assign nodes      = left >= 16'(Chunk) ? 5'(Chunk) : 5'(left);
  assign zero_left  = node_count - zero;
  assign zero_nodes = zero_left >= 16'(Chunk) ? 5'(Chunk) : 5'(zero_left);
  assign zero_next  = zero_left >= 16'(Chunk) ? zero + 16'(Chunk) : node_count;
  assign nodes_less = 3'((nodes - 5'd1) >> 1);
  assign edges_len  = last_edges ? 6'(rows_q % 29'(Rows)) - 6'd1 : 6'(Rows - 1);

  for (genvar i = 0; i < 8; i++) begin : g_strobe
    assign mask_strobes[2*i+:2] = {2{early_mask[i]}};
  end

  always_comb begin
    addr = start_i.early + AddrW'({chunk_q[15:3], 4'b0});
    len  = 3'((nodes - 5'd1) >> 3);
    kind = hd_pkg::GreadEarly;
    if (go[0] || go[1]) begin
      addr = start_i.early + AddrW'({early_beat, 4'b0});
      len  = '0;
      kind = hd_pkg::GreadUpdate;
    end
    if (go[2]) begin
      addr = start_i.nodes + AddrW'({chunk_q, 3'b0});
      len  = nodes_less;
      kind = chunk_early_q ? hd_pkg::GreadNodes : hd_pkg::GreadNodesLast;
    end
    if (go[6]) begin
      addr = start_i.early + AddrW'({zero[15:3], 4'b0});
      len  = 3'((zero_nodes - 5'd1) >> 3);
    end
    if (go[4]) begin
      addr = start_i.ids + AddrW'({ask_q[15:3], 4'b0});
      kind = hd_pkg::GreadIds;
    end
    if (go[5]) begin
      addr = start_i.edges + AddrW'({rows_asked_q, 4'b0});
      len  = 3'(edges_len);
      kind = hd_pkg::GreadEdges;
    end
  end

  if (Chunk < 8) begin : g_part
    assign strobes = ~({16{1'b1}} << 2 * Chunk) << {zero[2:0], 1'b0};
  end else begin : g_whole
    assign strobes = '1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      op_q      <= OpIdle;
      op_beat_q <= '0;
    end else begin
      case (op_q)
        OpIdle: if (read_begins || write_begins) op_q <= OpReq;
        OpReq:  if (mem_i.ready) op_q <= op_write_q ? OpData : OpIdle;
        default: begin
          if (mem_i.take) begin
            op_beat_q <= op_beat_q + 3'd1;
            if (op_beat_q == op_len_q) begin
              op_q      <= OpIdle;
              op_beat_q <= '0;
            end
          end
        end
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (read_begins || write_begins) begin
      op_write_q  <= write_begins;
      op_update_q <= go[1];
      op_addr_q   <= addr;
      op_len_q    <= len;
      op_strb_q   <= go[1] ? mask_strobes : go[6] ? strobes : '0;
    end
  end

  // ---- Requested chunks and edges --------------------------------------------------------------
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ask_q        <= '0;
      part_q       <= PartNone;
      rows_asked_q <= '0;
    end else if (init_i) begin
      ask_q        <= '0;
      part_q       <= PartNone;
      rows_asked_q <= '0;
    end else begin
      if (go[4]) ask_q <= left >= 16'(Chunk) ? ask_q + 16'(Chunk) : node_count;
      if (go[4]) part_q <= PartNodes;
      else if (go[2]) part_q <= chunk_early_q ? PartEarly : PartNone;
      else if (go[3]) part_q <= PartNone;
      if (go[5]) rows_asked_q <= last_edges ? rows_q : rows_asked_q + 29'(Rows);
    end
  end

  always_ff @(posedge clk_i) begin
    if (go[4]) begin
      chunk_q       <= ask_q;
      chunk_early_q <= spilled;
    end
  end

  // ---- Early updates ----------------------------------------------------------------------------
  hd_dgb_early u_early (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .init_i       (init_i),
    .run_i        (run_i),
    .ask_i        (ask_q),
    .child_i      (child_i),
    .merge_ok_o   (merge_ok_o),
    .merge_vid_i  (merge_vid_i),
    .merge_i      (merge_i),
    .idle_o       (early_idle),
    .event_o      (early_event_o),
    .want_read_o  (want_read),
    .read_i       (go[0]),
    .want_write_o (want_write),
    .write_i      (go[1]),
    .beat_o       (early_beat),
    .mask_o       (early_mask),
    .data_o       (early_data),
    .got_i        (mem_i.r_valid && kind_o == hd_pkg::GreadUpdate),
    .got_data_i   ({mem_i.r.hi, mem_i.r.lo}),
    .written_i    (mem_i.b_valid && writes_q == ReadsW'(1)),
    .spilled_o    (spilled),
    .zero_ok_o    (zero_ok),
    .zero_o       (zero),
    .zero_begins_i(go[6]),
    .zero_next_i  (zero_next)
  );

  // ---- Outputs ----------------------------------------------------------------------------------
  assign ask_o     = ask_q;
  assign beat_o    = beat_q;
  assign idle_o    = op_q == OpIdle && reads_none && writes_q == '0;
  assign settled_o = early_idle && (!spilled || zero == node_count);
  assign req_valid = op_q == OpReq;

  always_comb begin
    req   = '0;
    wbeat = '0;
    if (req_valid) begin
      req.write = op_write_q;
      req.addr  = op_addr_q;
      req.len   = op_len_q;
    end
    if (op_q == OpData || (req_valid && op_write_q)) begin
      wbeat.strb = op_strb_q;
      if (op_update_q) begin
        wbeat.hi = early_data[127:64];
        wbeat.lo = early_data[63:0];
      end
    end
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, tail_i, start_i.policy, start_i.bound, mem_i.b_error, mem_i.r.error,
                         edges_len};

`ifdef HD_ASSERT_ON
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (mem_i.b_valid) `HD_ASSERT_IN(a_answer, writes_q != '0,
          "A write is answered while none is in flight.")
      if (mem_i.r_valid) `HD_ASSERT_IN(a_beat, !reads_none,
          "A read beat arrives while no read is in flight.")
      if (mem_i.take) `HD_ASSERT_IN(a_take, op_q == OpData,
          "The port accepts a write beat outside of a write burst.")
      if (init_i) `HD_ASSERT_IN(a_init, idle_o,
          "A graph starts while memory traffic of the last one is in flight.")
      `HD_ASSERT(a_asked, !run_i || (32'(asked) <= Lna && here_i <= ask_q && ask_q <= node_count),
          "Requested nodes exceed the LNA or the graph, or a node is here without a request.")
    end
  end

  // Rare: a chunk that waits for an early update; the maximum number of reads in flight.
  `HD_COVER(c_chunk_waits, run_i && op_q == OpIdle && part_q == PartNone && lna_room
      && ask_q != node_count && !early_idle)
  `HD_COVER(c_full, reads_full)
`endif

endmodule
