/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "graph/dgb.h"

#include <string.h>

#include "graph/dgb_inside.h"

size_t hd_dgb_size(const struct hd_cfg *cfg) {
  size_t rows = 2 * (size_t)cfg->lna + cfg->lea, pub = cfg->pub * sizeof(uint16_t);
  return (sizeof(struct hd_dgb) + cfg->lna * sizeof(struct hd_dgb_place) + rows * sizeof(struct hd_dgb_row) + pub + 7) /
         8 * 8;
}

void hd_dgb_init(struct hd_dgb *m, const struct hd_cfg *cfg) {
  memset(&m->cfg, 0, sizeof m->cfg); /* with padding: models are compared as bytes */
  m->cfg.num_smx = cfg->num_smx;
  m->cfg.lna = cfg->lna;
  m->cfg.lea = cfg->lea;
  m->cfg.pub = cfg->pub;
  m->cfg.lanes = cfg->child_lanes;
  m->cfg.flight = cfg->dgb_flight;
  m->cfg.quiet = cfg->dgb_quiet;
  m->cfg.paper = cfg->dgb_paper;
  m->cfg.chunk = cfg->dgb_chunk;
  m->cfg.id_lanes = cfg->dgb_lanes;
  m->cfg.rows = cfg->dgb_rows;
  m->cfg.edges = cfg->dgb_edges;
  m->cfg.addr_mask = UINT64_MAX >> (64 - cfg->addr_w);
  m->cfg.size = hd_dgb_size(cfg);
  hd_dgb_reset(m);
}

/* Clears all nodes and updates. */
static void clear_places(struct hd_dgb *m) {
  memset(m->place, 0, m->cfg.lna * sizeof *m->place);
  for (unsigned p = 0; p < m->cfg.lna; p++) m->place[p].node_state = HD_GSTATE_DONE;
  for (unsigned k = 0; k < m->cfg.pub; k++) hd_dgb_pub_put(m, k, 0);
}

void hd_dgb_reset(struct hd_dgb *m) {
  memset((char *)m + sizeof m->cfg, 0, m->cfg.size - sizeof m->cfg);
  clear_places(m);
}

/* ---- Outputs ---- */

static uint16_t cand_level(const struct hd_dgb *m) {
  return hd_dgb_rows(m, HD_DGB_LEVELS)[hd_dgb_level_row(m, m->r.cand)].value;
}

static bool node_valid(const struct hd_dgb *m) {
  const struct hd_dgb_regs *r = &m->r;
  if (r->phase != HD_DGB_RUN || !r->cand_valid) return false;
  return r->start.policy == HD_GPOLICY_LRR || cand_level(m) <= r->limit;
}

static void eval_port(const struct hd_dgb *m, struct hd_dgb_out *out) {
  const struct hd_dgb_port *p = &m->r.port;
  if (p->op == HD_DGB_REQUEST) {
    out->mem.valid = 1;
    out->mem.req.write = p->op_write;
    out->mem.req.addr = p->op_addr;
    out->mem.req.len = p->op_len;
  }
  if (!p->op || !p->op_write) return;
  out->mem.wbeat.strb = p->op_strb;
  for (unsigned i = 0; p->op_update && i < HD_DGB_BEAT; i++)
    *(i < 4 ? &out->mem.wbeat.lo : &out->mem.wbeat.hi) |= (uint64_t)m->r.early_value[i] << 16 * (i % 4);
}

void hd_dgb_eval(const struct hd_dgb *m, const struct hd_dgb_in *in, struct hd_dgb_out *out) {
  const struct hd_dgb_regs *r = &m->r;
  (void)in;
  memset(out, 0, sizeof *out);
  out->start_ready = r->phase == HD_DGB_IDLE;
  out->finish_valid = r->phase == HD_DGB_END;
  if (out->finish_valid) {
    out->finish.code = r->finish_code;
    out->finish.vid = r->finish_vid;
  }
  out->node_valid = node_valid(m);
  if (out->node_valid) {
    out->node.index = r->cand;
    out->node.cta = hd_dgb_rows(m, HD_DGB_IDS)[hd_dgb_ids_row(m, r->cand)].value;
    out->node.level = cand_level(m);
  }
  out->wish.valid = r->phase == HD_DGB_RUN && r->cand_valid;
  if (out->wish.valid) out->wish.smx = m->place[r->cand].last_smx;
  out->events.pub = r->pub_event;
  out->events.early = r->early_event;
  out->events.big = r->big_event;
  eval_port(m, out);
}

/* ---- The edge: the offer ---- */

static bool is_ready(const struct hd_dgb *m, const struct hd_dgb_step *s, unsigned place) {
  const struct hd_dgb_regs *was = s->was;
  if (s->place[place].node_state != HD_GSTATE_HELD || s->place[place].parents) return false;
  bool at_head = place == hd_dgb_place(m, was->head - 1u);
  return !(m->cfg.paper && at_head && was->head != was->start.node_count);
}

/* Selects the next node: the first ready one from the oldest on, except the one just handed out; if there is none, a
 * child whose last parent is reported in this cycle. */
static void pick(struct hd_dgb *m, const struct hd_dgb_step *s, bool handed) {
  const struct hd_dgb_regs *was = s->was;
  const int child = hd_dgb_ready_at_once(m, s);
  for (unsigned v = was->tail; v < was->head; v++) {
    unsigned place = hd_dgb_place(m, v);
    if (!is_ready(m, s, place) || (handed && place == was->cand)) continue;
    m->r.cand_valid = 1;
    m->r.cand = (uint16_t)place;
    return;
  }
  m->r.cand_valid = child >= 0;
  if (child >= 0) m->r.cand = (uint16_t)child;
}

static void step_offer(struct hd_dgb *m, const struct hd_dgb_in *in, const struct hd_dgb_step *s) {
  const bool handed = s->node && in->dats_node_ready;
  if (handed) {
    m->place[s->was->cand].node_state = HD_GSTATE_PROCESSING;
    m->place[s->was->cand].last_smx = in->dats_node_smx;
  }
  pick(m, s, handed);
}

static void step_running(struct hd_dgb *m, const struct hd_dgb_in *in, const struct hd_dgb_step *s) {
  unsigned done = 0;
  for (unsigned k = 0; k < m->cfg.num_smx; k++) done += in->sched_node_done[k];
  m->r.running = (uint16_t)(m->r.running + (s->node && in->dats_node_ready) - done);
}

/* ---- The edge: the window ---- */

static void step_tail(struct hd_dgb *m, struct hd_dgb_step *s) {
  const struct hd_dgb_regs *was = s->was;
  unsigned next = was->tail + 1u;
  if (was->tail == was->head || s->place[hd_dgb_place(m, was->tail)].node_state != HD_GSTATE_DONE) return;
  m->r.tail = (uint16_t)next;
  m->r.edge_tail = hd_dgb_end(m, s, was->tail);
  if (next < was->start.node_count) m->r.limit += s->place[hd_dgb_place(m, next)].step;
  if (was->big && was->big_vid == was->tail) m->r.big = 0;
  s->moves = true;
}

/* Returns true if all edges of the node at head have room in the LEA; never_fits(): if they can never have. */
static bool fits(const struct hd_dgb *m, const struct hd_dgb_regs *was) {
  uint16_t used = (uint16_t)(was->head_start - hd_dgb_floor(m, was->edge_tail));
  return (uint32_t)used + was->look_count <= m->cfg.lea;
}

static bool never_fits(const struct hd_dgb *m, const struct hd_dgb_regs *was) {
  return (uint32_t)was->head_start % m->cfg.edges + was->look_count > m->cfg.lea;
}

/* Inserts the node at head, with its updates in the PUB. */
static void step_insert(struct hd_dgb *m, struct hd_dgb_step *s) {
  const struct hd_dgb_regs *was = s->was;
  bool never = never_fits(m, was);
  s->inserts = was->look_valid && !was->big && (never || fits(m, was));
  m->r.take_valid = s->inserts;
  if (!s->inserts) return;
  s->moves = true;
  if (never) {
    m->r.big = m->r.big_event = 1;
    m->r.big_vid = was->head;
  }
  m->place[hd_dgb_place(m, was->head)].node_state = HD_GSTATE_HELD;
  m->r.head++;
  m->r.head_start = was->look_end;
  m->r.take_place = (uint16_t)hd_dgb_place(m, was->head);
  m->r.take_count = 0;
  for (unsigned k = 0; k < m->cfg.pub; k++) {
    if (!s->pub[k] || s->pub[k] != was->head) continue;
    m->r.take_count++;
    hd_dgb_pub_put(m, k, 0);
  }
}

/* Finds the edges of the node that will be at head. */
static void step_look(struct hd_dgb *m, const struct hd_dgb_step *s) {
  const struct hd_dgb_regs *was = s->was;
  unsigned n = (unsigned)was->head + was->look_valid, first = was->look_valid ? was->look_end : was->head_start;
  if (was->look_valid && !s->inserts) return;
  m->r.look_valid = n < was->here && (n + 1 < was->here || n + 1 == was->start.node_count);
  if (!m->r.look_valid) return;
  m->r.look_end = hd_dgb_end(m, s, n);
  m->r.look_count = (uint16_t)(m->r.look_end - first);
}

/* ---- The edge: phases ---- */

static void begin(struct hd_dgb *m, const struct hd_dgbstart *start) {
  struct hd_dgb_port port = m->r.port;
  memset(&m->r, 0, sizeof m->r);
  clear_places(m);
  m->r.port = port;
  m->r.start = *start;
  m->r.limit = start->bound;
  m->r.phase = HD_DGB_RUN;
}

static bool bursts_under_way(const struct hd_dgb_regs *was) {
  return was->port.op || was->port.reads || was->port.writes;
}

static void watch_quiet(struct hd_dgb *m, struct hd_dgb_step *s) {
  const struct hd_dgb_regs *was = s->was;
  bool longest = was->quiet == m->cfg.quiet - 1;
  s->moves |= was->running || s->node || bursts_under_way(was);
  if (s->moves)
    m->r.quiet = 0;
  else if (longest)
    hd_dgb_fail(s, HD_GCODE_STUCK, was->tail);
  else
    m->r.quiet++;
}

static void step_phase(struct hd_dgb *m, const struct hd_dgb_in *in, const struct hd_dgb_step *s) {
  const struct hd_dgb_regs *was = s->was;
  bool bursts = bursts_under_way(was), cleared = !was->spilled || was->zero == was->start.node_count;
  switch (was->phase) {
    case HD_DGB_RUN:
      if (s->code) {
        m->r.phase = HD_DGB_STOP;
        m->r.finish_code = s->code;
        m->r.finish_vid = s->vid;
      } else if (was->tail == was->start.node_count && !was->early_state && !bursts && cleared) {
        m->r.phase = HD_DGB_END;
      }
      break;
    case HD_DGB_STOP:
      if (!was->running && !bursts) m->r.phase = HD_DGB_END;
      break;
    case HD_DGB_END:
      if (in->dats_finish_ready) m->r.phase = HD_DGB_IDLE;
      break;
    default:
      break;
  }
}

/* A step of a running graph, except for the bursts in flight. Parent counts: those decremented, then those loaded; each
 * checks `was` for errors, and both may concern one node. */
static void run(struct hd_dgb *m, const struct hd_dgb_in *in, struct hd_dgb_step *s) {
  step_tail(m, s);
  step_insert(m, s);
  step_look(m, s);
  hd_dgb_walk_step(m, in, s); /* after the insert, whose result it uses */
  step_offer(m, in, s);
  hd_dgb_mem_begin(m, in, s);
}

void hd_dgb_tick(struct hd_dgb *m, const struct hd_dgb_in *in) {
  const struct hd_dgb_regs was = m->r;
  struct hd_dgb_place place[HD_MAX_LNA]; /* only lna entries are used */
  uint16_t pub[HD_MAX_PUB];
  struct hd_dgb_step s = {.was = &was, .place = place, .pub = pub, .node = node_valid(m)};
  if (was.phase == HD_DGB_IDLE) {
    if (in->dats_start_valid) begin(m, &in->dats_start);
    m->r.pub_event = m->r.early_event = m->r.big_event = 0;
    return;
  }
  memcpy(place, m->place, m->cfg.lna * sizeof *place);
  memcpy(pub, hd_dgb_pub(m), m->cfg.pub * sizeof *pub);
  m->r.pub_event = m->r.early_event = m->r.big_event = 0;
  if (was.phase == HD_DGB_RUN) run(m, in, &s);
  if (was.phase != HD_DGB_END) step_running(m, in, &s);
  hd_dgb_mem_step(m, in, &s);
  if (was.phase == HD_DGB_RUN) watch_quiet(m, &s);
  step_phase(m, in, &s);
}
