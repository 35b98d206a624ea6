/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "graph/dats.h"

#include <string.h>

size_t hd_dats_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct hd_dats);
}

void hd_dats_init(struct hd_dats *m, const struct hd_cfg *cfg) {
  memset(m, 0, sizeof *m);
  m->cfg.addr_mask = UINT64_MAX >> (64 - cfg->addr_w);
  m->cfg.num_kde = cfg->num_kde;
  m->cfg.num_smx = cfg->num_smx;
}

void hd_dats_reset(struct hd_dats *m) {
  memset((char *)m + sizeof m->cfg, 0, sizeof *m - sizeof m->cfg);
}

/* ---- outputs ---- */

static void eval_tb(const struct hd_dats *m, const struct hd_dats_in *in, struct hd_dats_out *out) {
  out->node_ready = in->sched_graph_take;
  out->node_smx = in->sched_grant.smx;
  out->run.valid = m->phase == HD_DATS_RUN;
  if (!out->run.valid) return;
  out->finish_ready = 1;
  out->run.kdei = m->kdei;
  out->run.need = m->need;
  out->tb.wants = in->dgb_wish.valid && m->graph.policy == HD_GPOLICY_LVL_BIND && in->dgb_wish.smx < m->cfg.num_smx;
  if (out->tb.wants) out->tb.smx = in->dgb_wish.smx;
  out->tb.valid = in->dgb_node_valid;
  if (!out->tb.valid) return;
  out->tb.index = in->dgb_node.index;
  out->tb.cta = in->dgb_node.cta;
}

void hd_dats_eval(const struct hd_dats *m, const struct hd_dats_in *in, struct hd_dats_out *out) {
  memset(out, 0, sizeof *out);
  out->busy = m->phase != HD_DATS_IDLE;
  if (out->busy) hd_bits_to_bytes(out->older, m->older, m->cfg.num_kde);
  eval_tb(m, in, out);
  if (m->phase == HD_DATS_REQUEST) {
    out->mem.valid = 1;
    out->mem.req.addr = m->at * HD_DATS_BYTES;
    out->mem.req.len = HD_DATS_BEATS - 1;
  } else if (m->phase == HD_DATS_START) {
    out->start_valid = 1;
    out->start = m->graph;
  } else if (m->phase == HD_DATS_OVER) {
    out->over.valid = 1;
    out->over.kdei = m->kdei;
    out->over.result.code = m->code;
    out->over.result.vid = m->vid;
  }
}

/* ---- the edge ---- */

/* A kernel becomes the youngest in this cycle. */
static void rotate(struct hd_dats *m, const struct hd_dats_in *in) {
  if (in->sched_give_way) hd_bit_clear(m->older, in->sched_sscr.kdei);
}

static void enter(struct hd_dats *m, const struct hd_dats_in *in) {
  *m = (struct hd_dats){.cfg = m->cfg,
                        .at = (in->kmu_offer.kernel.desc.param & m->cfg.addr_mask) / HD_DATS_BYTES,
                        .ctas = in->kmu_offer.kernel.ctas,
                        .need = in->kmu_offer.kernel.need,
                        .phase = HD_DATS_REQUEST,
                        .kdei = in->kd_entry.kdei};
  for (unsigned k = 0; k < m->cfg.num_kde; k++) hd_bit_put(m->older, k, in->fcfs_marked[k]);
  rotate(m, in);
}

/* A kernel that is no longer marked loses its place. */
static void age(struct hd_dats *m, const struct hd_dats_in *in) {
  for (unsigned k = 0; k < m->cfg.num_kde; k++)
    if (!in->fcfs_marked[k]) hd_bit_clear(m->older, k);
  rotate(m, in);
}

static bool bad_addr(const struct hd_dats *m, uint64_t addr) {
  return addr % HD_DATS_ALIGN != 0 || (addr & ~m->cfg.addr_mask) != 0;
}

static bool judge_addrs(const struct hd_dats *m, const struct hd_memdata *r) {
  return bad_addr(m, r->lo) || bad_addr(m, r->hi);
}

/* Checks the beat with the numbers; the upper half of `lo` is the policy and zero bytes. */
static bool judge_numbers(const struct hd_dats *m, const struct hd_memdata *r) {
  return (r->lo & 0xffff) != m->ctas || r->lo >> 32 > HD_GPOLICY_LVL_BIND || r->hi > HD_DATS_MAX_EDGES;
}

static void take_beat(struct hd_dats *m, const struct hd_memdata *r) {
  struct hd_dgbstart *g = &m->graph;
  if (m->beat == 0) {
    g->nodes = r->lo & m->cfg.addr_mask;
    g->edges = r->hi & m->cfg.addr_mask;
  } else if (m->beat == 1) {
    g->ids = r->lo & m->cfg.addr_mask;
    g->early = r->hi & m->cfg.addr_mask;
  } else {
    g->node_count = (uint16_t)r->lo;
    g->bound = (uint16_t)(r->lo >> 16);
    g->policy = r->lo >> 32 & 3;
    g->edge_count = (uint32_t)r->hi;
  }
  m->wrong |= m->beat < 2 ? judge_addrs(m, r) : judge_numbers(m, r);
  m->error |= r->error;
  m->beat = (m->beat + 1) & 3;
}

static void end(struct hd_dats *m, unsigned code, unsigned vid) {
  m->phase = HD_DATS_OVER;
  m->code = (uint8_t)code;
  m->vid = (uint16_t)vid;
}

static void read_descriptor(struct hd_dats *m, const struct hd_dats_in *in) {
  if (!in->mem.r_valid) return;
  take_beat(m, &in->mem.r);
  if (!in->mem.r.last) return;
  if (m->error || m->wrong)
    end(m, m->error ? HD_GCODE_MEMORY : HD_GCODE_GRAPH, 0);
  else
    m->phase = HD_DATS_START;
}

void hd_dats_tick(struct hd_dats *m, const struct hd_dats_in *in) {
  if (m->phase != HD_DATS_IDLE) age(m, in);
  switch (m->phase) {
    case HD_DATS_IDLE:
      if (in->kd_entry.valid && in->kmu_offer.kernel.graph) enter(m, in);
      break;
    case HD_DATS_REQUEST:
      if (in->mem.ready) m->phase = HD_DATS_READ;
      break;
    case HD_DATS_READ:
      read_descriptor(m, in);
      break;
    case HD_DATS_START:
      if (in->dgb_start_ready) m->phase = HD_DATS_RUN;
      break;
    case HD_DATS_RUN:
      if (in->dgb_finish_valid) end(m, in->dgb_finish.code, in->dgb_finish.vid);
      break;
    default:
      m->phase = HD_DATS_IDLE;
  }
}

void hd_dats_arch(const struct hd_dats *m, struct hd_dats_arch *a, bool tables) {
  (void)tables;
  memset(a, 0, sizeof *a);
  a->phase = m->phase;
  if (m->phase == HD_DATS_IDLE) return;
  a->kdei = m->kdei;
  a->need = m->need;
  a->ctas = m->ctas;
  a->at = m->at;
  a->beat = m->beat;
  a->graph = m->graph;
  a->wrong = m->wrong;
  a->error = m->error;
  a->code = m->code;
  a->vid = m->vid;
}
