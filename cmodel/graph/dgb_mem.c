/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "graph/dgb_inside.h"

enum { BYTES = 16, NODE_BYTES = 8, VID_BYTES = 2 };

/* A burst that begins. */
struct burst {
  uint64_t addr;
  unsigned beats;
  bool write, update;
  uint16_t strb;
  uint8_t kind; /* of a read: enum hd_gread */
};

/* Number of nodes of the chunk from `first` on. */
static unsigned nodes_of(const struct hd_dgb *m, const struct hd_dgb_regs *was, unsigned first) {
  unsigned left = was->start.node_count - first;
  return left < m->cfg.chunk ? left : m->cfg.chunk;
}

static unsigned beats_of(unsigned n, unsigned bytes) {
  return (n * bytes + BYTES - 1) / BYTES;
}

/* ---- Bursts that can begin, in the order of the page ---- */

static bool begin_update_read(struct hd_dgb *m, const struct hd_dgb_regs *was, struct burst *b) {
  if (was->early_state != HD_DGB_TO_READ) return false;
  *b = (struct burst){was->start.early + (uint64_t)BYTES * was->early_beat, .beats = 1, .kind = HD_GREAD_UPDATE};
  m->r.early_state = HD_DGB_READS;
  return true;
}

static bool begin_update_write(struct hd_dgb *m, const struct hd_dgb_regs *was, struct burst *b) {
  if (was->early_state != HD_DGB_TO_WRITE) return false;
  *b = (struct burst){was->start.early + (uint64_t)BYTES * was->early_beat, .beats = 1, .write = true, .update = true};
  for (unsigned i = 0; i < HD_DGB_BEAT; i++)
    if (was->early_mask >> i & 1) b->strb = (uint16_t)(b->strb | 3u << VID_BYTES * i);
  m->r.early_state = HD_DGB_WRITES;
  return true;
}

static bool begin_nodes(struct hd_dgb *m, const struct hd_dgb_regs *was, struct burst *b) {
  if (was->part != HD_DGB_NODES) return false;
  *b = (struct burst){.addr = was->start.nodes + (uint64_t)NODE_BYTES * was->chunk};
  b->beats = beats_of(nodes_of(m, was, was->chunk), NODE_BYTES);
  b->kind = was->chunk_early ? HD_GREAD_NODES : HD_GREAD_NODES_LAST;
  m->r.part = was->chunk_early ? HD_DGB_EARLY : HD_DGB_NO_PART;
  return true;
}

static bool begin_early(struct hd_dgb *m, const struct hd_dgb_regs *was, struct burst *b) {
  if (was->part != HD_DGB_EARLY) return false;
  *b = (struct burst){.addr = was->start.early + (uint64_t)VID_BYTES * was->chunk, .kind = HD_GREAD_EARLY};
  b->beats = beats_of(nodes_of(m, was, was->chunk), VID_BYTES);
  m->r.part = HD_DGB_NO_PART;
  return true;
}

static bool begin_chunk(struct hd_dgb *m, const struct hd_dgb_regs *was, bool merges, struct burst *b) {
  unsigned n = nodes_of(m, was, was->ask);
  bool room = was->ask + m->cfg.chunk <= was->tail + m->cfg.lna;
  if (was->part || was->ask >= was->start.node_count || !room || was->early_state || merges) return false;
  *b = (struct burst){.addr = was->start.ids + (uint64_t)VID_BYTES * was->ask, .kind = HD_GREAD_IDS};
  b->beats = beats_of(n, VID_BYTES);
  m->r.chunk = was->ask;
  m->r.chunk_early = was->spilled;
  m->r.ask = (uint16_t)(was->ask + n);
  m->r.part = HD_DGB_NODES;
  return true;
}

static bool begin_edges(struct hd_dgb *m, const struct hd_dgb_regs *was, struct burst *b) {
  uint64_t rows = ((uint64_t)was->start.edge_count + HD_DGB_BEAT - 1) / HD_DGB_BEAT;
  uint16_t used = (uint16_t)(HD_DGB_BEAT * was->rows_asked - hd_dgb_floor(m, was->edge_tail));
  if (was->rows_asked >= rows || used >= m->cfg.lea) return false;
  uint64_t left = rows - was->rows_asked;
  *b = (struct burst){.addr = was->start.edges + (uint64_t)BYTES * was->rows_asked, .kind = HD_GREAD_EDGES};
  b->beats = left < m->cfg.rows ? (unsigned)left : m->cfg.rows;
  m->r.rows_asked += b->beats;
  return true;
}

static bool begin_zeros(struct hd_dgb *m, const struct hd_dgb_regs *was, struct burst *b) {
  if (!was->spilled || was->zero >= was->here || was->early_state == HD_DGB_WRITES) return false;
  unsigned n = nodes_of(m, was, was->zero), all = (1u << VID_BYTES * m->cfg.chunk % 32) - 1;
  *b = (struct burst){.addr = was->start.early + (uint64_t)VID_BYTES * was->zero, .write = true, .strb = 0xffff};
  b->beats = beats_of(n, VID_BYTES);
  if (m->cfg.chunk < HD_DGB_BEAT) b->strb = (uint16_t)(all << VID_BYTES * (was->zero % HD_DGB_BEAT));
  m->r.zero = (uint16_t)(was->zero + n);
  return true;
}

/* Selects the first that can begin. Chunks smaller than a beat share it with others, which are written too. */
static bool choose(struct hd_dgb *m, const struct hd_dgb_step *s, struct burst *b) {
  const struct hd_dgb_regs *was = s->was;
  bool reads = was->port.reads < m->cfg.flight, writes = was->port.writes < m->cfg.flight;
  bool alone = m->cfg.chunk >= HD_DGB_BEAT || !was->port.writes;
  if (reads && alone && begin_update_read(m, was, b)) return true;
  if (writes && begin_update_write(m, was, b)) return true;
  if (reads && begin_nodes(m, was, b)) return true;
  if (reads && alone && begin_early(m, was, b)) return true;
  if (reads && begin_chunk(m, was, s->merges, b)) return true;
  if (reads && begin_edges(m, was, b)) return true;
  return writes && begin_zeros(m, was, b);
}

void hd_dgb_mem_begin(struct hd_dgb *m, const struct hd_dgb_in *in, const struct hd_dgb_step *s) {
  const struct hd_dgb_regs *was = s->was;
  struct hd_dgb_port *p = &m->r.port;
  struct burst b = {0};
  if (was->early_state == HD_DGB_COLLECTS && !s->merges) m->r.early_state = HD_DGB_TO_READ;
  if (was->early_state == HD_DGB_WRITES && in->mem.b_valid && was->port.writes == 1)
    m->r.early_state = HD_DGB_NO_UPDATE;
  if (was->port.op || !choose(m, s, &b)) return;
  p->op = HD_DGB_REQUEST;
  p->op_write = b.write;
  p->op_update = b.update;
  p->op_addr = (b.addr & ~UINT64_C(15)) & m->cfg.addr_mask;
  p->op_len = (uint8_t)(b.beats - 1);
  p->op_strb = b.strb;
  p->op_beat = 0;
  if (b.write) {
    p->writes++;
    return;
  }
  unsigned row = (was->port.first_read + was->port.reads) % m->cfg.flight;
  m->read_row[row] = b.kind;
  hd_wrote(&m->wrote[READ_ROW], row);
  p->reads++;
}

/* ---- Bursts in flight ---- */

static void step_op(struct hd_dgb *m, const struct hd_dgb_in *in, const struct hd_dgb_port *was) {
  struct hd_dgb_port *p = &m->r.port;
  if (was->op == HD_DGB_REQUEST && in->mem.ready) p->op = was->op_write ? HD_DGB_DATA : HD_DGB_NO_OP;
  if (was->op != HD_DGB_DATA || !in->mem.take) return;
  p->op_beat++;
  if (was->op_beat != was->op_len) return;
  p->op = HD_DGB_NO_OP;
  p->op_beat = 0;
}

/* Returns the node to which a beat's error is attributed. */
static unsigned blame(const struct hd_dgb_regs *was, unsigned kind) {
  return kind == HD_GREAD_EDGES || kind == HD_GREAD_UPDATE ? was->tail : was->here;
}

static void step_beat(struct hd_dgb *m, const struct hd_dgb_in *in, struct hd_dgb_step *s) {
  const struct hd_dgb_regs *was = s->was;
  struct hd_dgb_port *p = &m->r.port;
  if (was->phase == HD_DGB_RUN) {
    if (in->mem.r.error) hd_dgb_fail(s, HD_GCODE_MEMORY, blame(was, m->read_row[was->port.first_read]));
    hd_dgb_beat(m, &in->mem.r, s);
  }
  p->beat++;
  if (!in->mem.r.last) return;
  p->beat = 0;
  p->first_read = (uint8_t)((p->first_read + 1) % m->cfg.flight);
  p->reads--;
}

void hd_dgb_mem_step(struct hd_dgb *m, const struct hd_dgb_in *in, struct hd_dgb_step *s) {
  const struct hd_dgb_regs *was = s->was;
  step_op(m, in, &was->port);
  if (in->mem.r_valid) step_beat(m, in, s);
  if (!in->mem.b_valid) return;
  m->r.port.writes--;
  if (in->mem.b_error && was->phase == HD_DGB_RUN) hd_dgb_fail(s, HD_GCODE_MEMORY, was->tail);
}
