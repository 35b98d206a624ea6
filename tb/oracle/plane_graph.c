/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Rule 15 of plane_oracle.c: kernels with a graph. The oracle learns the graph as the plane does, from the read data of
 * clients 4 (the descriptor) and 5 (the arrays). A TB identifies its node by its linear id. */
#include <string.h>

#include "oracle/plane_state.h"

/* Beats of a descriptor; cycles within which an error stops the graph; cycles (plus 2 x lea) that a node may wait
 * though it could be granted; alignment of the arrays in bytes. */
enum { BEATS = 3, STOPS_WITHIN = 16, SLACK = 200, ALIGN = 128 };

/* Returns the kernel of the current graph, or 0. */
static uint32_t owner(struct hd_plane_oracle *o) {
  const struct hd_oracle_owner *k = &o->graph.kernel;
  return hd_oracle_work(o, k->work)->number == k->number ? k->work : 0;
}

static void fails(struct hd_plane_oracle *o, uint32_t kernel) {
  hd_oracle_work(o, kernel)->hit = hd_oracle_work(o, kernel)->doomed = 1;
}

static void stops(struct hd_plane_oracle *o) {
  struct hd_work *k = hd_oracle_work(o, owner(o));
  if (!owner(o)) return;
  fails(o, owner(o));
  if (!k->stop_at) k->stop_at = o->now + STOPS_WITHIN;
}

/* ---- a graph begins and ends ---- */

const char *hd_oracle_graph_enters(struct hd_plane_oracle *o, uint32_t kernel) {
  struct hd_oracle_graph *g = &o->graph;
  const uint32_t before = owner(o);
  const struct hd_work *b = hd_oracle_work(o, before);
  hd_oracle_check_graph(o, before);
  if (before && b->running) return "rule 15: a kernel with a graph entered while TBs of the previous one run";
  if (before && b->next < b->ctas && !b->hit)
    return "rule 15: a kernel with a graph entered before the previous graph was complete";
  memset(g, 0, offsetof(struct hd_oracle_graph, seen));
  g->kernel = (struct hd_oracle_owner){kernel, hd_oracle_work(o, kernel)->number};
  g->seen.cfg = o->cfg;
  g->at = o->now;
  return NULL;
}

static bool stuck(const struct dgb_oracle *s) {
  const struct dgb_node *n = &s->node[s->over];
  return s->over < s->nodes_known && !n->handed && n->reported < n->parents;
}

static bool has_bad_edge(const struct dgb_oracle *s) {
  for (uint32_t v = 0; v < s->nodes_known; v++)
    if (s->node[v].done && s->node[v].bad_edge) return true;
  return false;
}

void hd_oracle_check_graph(struct hd_plane_oracle *o, uint32_t kernel) {
  const struct hd_oracle_graph *g = &o->graph;
  const struct dgb_oracle *s = &g->seen;
  struct hd_work *k = hd_oracle_work(o, kernel);
  if (!kernel || owner(o) != kernel) return;
  bool wrong = g->wrong || g->error;
  if (g->begun) wrong |= s->bad_node || s->memory_error;
  if (g->begun && s->seen) wrong |= s->more || has_bad_edge(s) || (!k->running && k->next < k->ctas && stuck(s));
  if (wrong) fails(o, kernel);
  if (g->begun && !s->seen) k->hit = 1; /* too large to be tracked */
}

/* ---- TBs ---- */

/* Returns true if the native part of a kernel that entered before the graph must be granted first. */
static bool goes_first(const struct hd_plane_oracle *o, const struct hd_work *k) {
  return k->started && !k->closed && !k->stopped && !k->saving && !k->hit && !k->graph && k->next < k->ctas &&
         k->entered < o->graph.at && !(o->banked && k->level > 0);
}

static const char *find_node(struct hd_plane_oracle *o, uint32_t blkid, struct hd_oracle_slot *slot) {
  struct dgb_oracle *s = &o->graph.seen;
  uint32_t v = s->over;
  while (v < s->nodes_known && (s->node[v].cta != blkid || s->node[v].handed)) v++;
  if (v == s->nodes_known) return "rule 15: a TB was granted whose node the plane has not read";
  struct dgb_node *n = &s->node[v];
  if (n->reported < n->parents) return "rule 15: a node was granted before all its parents were done";
  if (v >= s->over + o->cfg.lna) return "rule 15: a node was granted that is not in the LNA";
  if (s->start.policy != HD_GPOLICY_LRR && n->level > (uint32_t)s->node[s->over].level + s->start.bound)
    return "rule 15: a node was granted that is too many levels above the oldest";
  n->handed = 1;
  slot->node = 1;
  slot->vid = (uint16_t)v;
  return NULL;
}

const char *hd_oracle_node(struct hd_plane_oracle *o, const struct hd_dispatch *d, struct hd_oracle_slot *slot) {
  struct hd_oracle_graph *g = &o->graph;
  struct hd_work *k = hd_oracle_work(o, slot->kernel);
  uint8_t *out = &g->out[d->blkid / 8 % sizeof g->out], bit = (uint8_t)(1u << d->blkid % 8);
  if (owner(o) != slot->kernel || !g->begun) return "rule 15: a TB was granted of a kernel whose graph does not run";
  if (k->stop_at && o->now > k->stop_at) return "rule 15: a TB was granted of a graph that an error has stopped";
  if (d->level || d->age_valid || d->agei) return "rule 2: a TB was granted with a wrong level, or with an AGE";
  if (d->blkid >= k->ctas) return "rule 2: a TB was granted past the end of its grid";
  if (*out & bit) return "rule 15: a node was granted twice";
  for (unsigned e = 0; e < o->cfg.num_kde; e++)
    if (o->book.kde[e] && goes_first(o, hd_oracle_work(o, o->book.kde[e])))
      return "rule 15: a TB of a graph was granted before those of an older kernel";
  *out |= bit;
  k->next++;
  g->waits = 0;
  return g->seen.seen ? find_node(o, d->blkid, slot) : NULL;
}

const char *hd_oracle_check_overlap(struct hd_plane_oracle *o, uint32_t kernel) {
  const struct hd_oracle_graph *g = &o->graph;
  if (!owner(o) || hd_oracle_work(o, kernel)->entered <= g->at || g->waits <= 2 * o->cfg.lea + SLACK) return NULL;
  return "rule 15: a kernel younger than a graph granted a TB while a node of the graph could be granted";
}

void hd_oracle_node_done(struct hd_plane_oracle *o, unsigned smx, const struct hd_oracle_slot *slot) {
  if (slot->node && owner(o) == slot->kernel) hd_dgb_seen_done(&o->graph.seen, slot->vid, smx);
}

/* ---- memory of a graph ---- */

const char *hd_oracle_graph_burst(struct hd_plane_oracle *o, unsigned client, uint64_t addr, unsigned beats,
                                  bool write) {
  struct hd_oracle_graph *g = &o->graph;
  const struct hd_work *k = hd_oracle_work(o, owner(o));
  if (!owner(o)) return "a burst of a graph client while no kernel with a graph is in the KD";
  if (client == HD_CLIENT_DATS) {
    bool right = !write && !g->asked && addr == k->desc.param && beats == BEATS;
    g->asked = 1;
    return right ? NULL : "a descriptor is read twice, or at a wrong address";
  }
  if (!g->begun) return "a graph is read before its descriptor, or its descriptor is invalid";
  if (write)
    return hd_dgb_seen_may_write(&g->seen, addr, beats) ? NULL : "a write outside the early updates of the graph";
  return hd_dgb_seen_read(&g->seen, addr, beats);
}

static bool bad_addr(const struct hd_plane_oracle *o, uint64_t addr) {
  return addr % ALIGN || (o->cfg.addr_w < 64 && addr >> o->cfg.addr_w);
}

/* Decodes the next beat of the descriptor. */
static void describe(struct hd_plane_oracle *o, uint64_t lo, uint64_t hi) {
  struct hd_oracle_graph *g = &o->graph;
  struct hd_dgbstart *s = &g->start;
  const unsigned beat = g->beats++;
  if (beat == 0) s->nodes = lo, s->edges = hi;
  if (beat == 1) s->ids = lo, s->early = hi;
  if (beat < 2) g->wrong |= bad_addr(o, lo) || bad_addr(o, hi);
  if (beat != 2) return;
  s->node_count = (uint16_t)lo;
  s->bound = (uint16_t)(lo >> 16);
  s->policy = lo >> 32 & 3;
  s->edge_count = (uint32_t)hi;
  g->wrong |=
      s->node_count != hd_oracle_work(o, owner(o))->ctas || lo >> 32 > HD_GPOLICY_LVL_BIND || hi > UINT32_MAX - 7;
}

static void described(struct hd_plane_oracle *o) {
  struct hd_oracle_graph *g = &o->graph;
  if (g->wrong || g->error) {
    stops(o);
    return;
  }
  hd_dgb_seen_begin(&g->seen, &g->start);
  g->begun = 1;
}

const char *hd_oracle_graph_beat(struct hd_plane_oracle *o, const struct hd_top_in *in) {
  struct hd_oracle_graph *g = &o->graph;
  if (!in->rvalid || !owner(o)) return NULL;
  if (in->rid == HD_CLIENT_DATS) {
    g->error |= in->rresp >> 1 & 1;
    describe(o, in->rdata[0], in->rdata[1]);
    if (in->rlast) described(o);
  }
  if (in->rid != HD_CLIENT_DGB || !g->begun) return NULL;
  const struct hd_memdata r = {.lo = in->rdata[0], .hi = in->rdata[1], .last = in->rlast, .error = in->rresp >> 1 & 1};
  const char *rule = hd_dgb_seen_beat(&g->seen, &r);
  if (g->seen.bad_node || g->seen.memory_error) stops(o);
  return rule;
}

void hd_oracle_graph_error(struct hd_plane_oracle *o) {
  o->graph.error = 1;
  stops(o);
}

/* Returns true if the oldest node could be granted: its parents are done, and no burst is open or offered. */
static bool may_go(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out) {
  const struct dgb_oracle *s = &o->graph.seen;
  const struct dgb_node *n = &s->node[s->over];
  const bool asked = (out->arvalid && !in->arready) || (out->awvalid && !in->awready) || (out->wvalid && !in->wready);
  if (!owner(o) || !o->graph.begun || !s->seen || s->bad_node || s->more || o->graph.error || o->cfg.dgb_paper)
    return false;
  if (asked || s->reads || hd_oracle_work(o, owner(o))->hit) return false;
  for (uint32_t i = 0; i < o->axi.writes; i++)
    if (o->axi.write[i].id == HD_CLIENT_DGB) return false;
  bool end_known = s->over + 1 < s->nodes_known || s->over + 1 == s->start.node_count;
  return s->over < s->nodes_known && end_known && !n->handed && n->reported >= n->parents && !has_bad_edge(s);
}

void hd_oracle_graph_cycle(struct hd_plane_oracle *o, const struct hd_top_in *in, const struct hd_top_out *out) {
  o->graph.waits = o->graph.kernel.work && may_go(o, in, out) ? o->graph.waits + 1 : 0;
}
