/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/common/memory.h"
#include "oracle/dgb_state.h"

enum { BEAT = 16 };

/* Returns the distance in bytes from the start of an array to an address. */
static uint64_t apart(const struct dgb_oracle *o, uint64_t addr, uint64_t array) {
  return (addr - array) & hd_memory_mask(&o->cfg);
}

static uint64_t beats_of(uint64_t bytes) {
  return (bytes + BEAT - 1) / BEAT * BEAT;
}

static bool inside(const struct dgb_oracle *o, const struct dgb_burst *b, uint64_t array, uint64_t bytes) {
  uint64_t at = apart(o, b->addr, array);
  return at < beats_of(bytes) && at + (uint64_t)BEAT * b->left <= beats_of(bytes);
}

static bool in_early(const struct dgb_oracle *o, const struct dgb_burst *b) {
  return inside(o, b, o->start.early, 2u * o->start.node_count);
}

/* ---- Requests ---- */

void hd_dgb_seen_begin(struct dgb_oracle *o, const struct hd_dgbstart *start) {
  struct hd_cfg cfg = o->cfg;
  hd_dgb_oracle_init(o, &cfg);
  o->start = *start;
  o->active = 1;
  o->seen = start->node_count <= HD_DGB_NODES_SEEN && start->edge_count <= HD_DGB_EDGES_SEEN;
}

const char *hd_dgb_seen_read(struct dgb_oracle *o, uint64_t addr, uint32_t beats) {
  const struct hd_dgbstart *s = &o->start;
  const struct dgb_burst burst = {addr, beats}, *b = &burst;
  bool known = inside(o, b, s->nodes, 8u * (uint64_t)s->node_count) || inside(o, b, s->ids, 2u * s->node_count) ||
               inside(o, b, s->edges, 2 * (uint64_t)s->edge_count) || in_early(o, b);
  if (!known) return "a read outside the graph";
  if (o->reads >= o->cfg.dgb_flight) return "more reads are open than DgbFlight";
  o->read[o->reads++] = *b;
  return NULL;
}

bool hd_dgb_seen_may_write(const struct dgb_oracle *o, uint64_t addr, uint32_t beats) {
  const struct dgb_burst b = {addr, beats};
  return in_early(o, &b);
}

static const char *begin_write(struct dgb_oracle *o, const struct dgb_burst *b) {
  if (!in_early(o, b)) return "a burst writes outside the early updates";
  if (o->writes >= o->cfg.dgb_flight) return "more writes are open than DgbFlight";
  o->write = *b;
  o->data = 1;
  o->writes++;
  return NULL;
}

/* Checks that edges are read no further than Lea from the first edge of the oldest node. The edges of the window begin
 * there, or later while a big node updates its children. */
static const char *watch_ahead(const struct dgb_oracle *o, const struct dgb_burst *b) {
  if (!o->seen || o->bad_node || !inside(o, b, o->start.edges, 2 * (uint64_t)o->start.edge_count)) return NULL;
  const uint32_t first = o->over ? hd_dgb_seen_end(o, o->over - 1) : 0;
  const uint64_t end = apart(o, b->addr, o->start.edges) / 2 + BEAT / 2 * (uint64_t)b->left;
  return end > first - first % o->cfg.dgb_edges + o->cfg.lea ? "edges are read beyond the capacity of the LEA" : NULL;
}

static const char *watch_request(struct dgb_oracle *o, const struct hd_dgb_in *in, const struct hd_dgb_out *out) {
  if (o->asked && (!out->mem.valid || memcmp(&o->req, &out->mem.req, sizeof o->req)))
    return "a request is withdrawn or changes";
  o->asked = out->mem.valid && !in->mem.ready;
  o->req = out->mem.req;
  if (!out->mem.valid || !in->mem.ready) return NULL;
  if (!o->active) return "a burst without a graph";
  if (o->data) return "a request before the last beat of a write";
  const struct dgb_burst b = {out->mem.req.addr, out->mem.req.len + 1u};
  if (out->mem.req.write) return begin_write(o, &b);
  const char *ahead = watch_ahead(o, &b), *rule = hd_dgb_seen_read(o, b.addr, b.left);
  return rule ? rule : ahead;
}

/* ---- Beats that are written ---- */

static const char *watch_value(struct dgb_oracle *o, uint64_t vid, unsigned value) {
  if (!o->seen || vid >= o->start.node_count) return NULL;
  struct dgb_node *n = &o->node[vid];
  if (value && value != n->early + 1u) return "an early update is neither incremented by one nor cleared";
  n->early = (uint16_t)value;
  if (value) o->update = WRITTEN;
  return NULL;
}

static const char *watch_data(struct dgb_oracle *o, const struct hd_dgb_in *in, const struct hd_dgb_out *out) {
  if (!in->mem.take) return NULL;
  if (!o->data) return "a beat without a write";
  uint64_t vid = apart(o, o->write.addr, o->start.early) / 2;
  for (unsigned i = 0; i < BEAT / 2; i++) {
    unsigned strb = out->mem.wbeat.strb >> 2 * i & 3;
    if (strb == 1 || strb == 2) return "half of an early update is written";
    const char *rule = NULL;
    if (strb)
      rule = watch_value(o, vid + i, (uint16_t)((i < 4 ? out->mem.wbeat.lo : out->mem.wbeat.hi) >> 16 * (i % 4)));
    if (rule) return rule;
  }
  o->write.addr += BEAT;
  if (!--o->write.left) o->data = 0;
  return NULL;
}

/* ---- Beats that are read ---- */

uint32_t hd_dgb_seen_end(const struct dgb_oracle *o, uint32_t vid) {
  if (vid + 1 == o->start.node_count) return o->start.edge_count;
  return o->node[vid + 1].first;
}

void hd_dgb_seen_known(struct dgb_oracle *o, unsigned child, unsigned smx) {
  struct dgb_node *n = &o->node[child];
  n->reported++;
  n->from[smx / 64 % HD_DGB_SMX_WORDS] |= UINT64_C(1) << smx % 64;
  if (n->round != o->round) memset(n->last, 0, sizeof n->last);
  n->round = o->round;
  n->sure = child < o->here;
  n->last[smx / 64 % HD_DGB_SMX_WORDS] |= UINT64_C(1) << smx % 64;
  n->away += !n->sure;
  o->away += !n->sure && child >= o->went_in;
  if (child < o->nodes_known && n->reported == n->parents + 1) o->more++;
}

void hd_dgb_seen_done(struct dgb_oracle *o, uint32_t vid, unsigned smx) {
  o->node[vid].done = 1;
  o->node[vid].smx = (uint8_t)smx;
  for (uint32_t e = o->node[vid].first; e < hd_dgb_seen_end(o, vid) && e < o->known_edges; e++)
    if (o->edge[e] > vid && o->edge[e] < o->start.node_count) hd_dgb_seen_known(o, o->edge[e], smx);
  while (o->over < o->start.node_count && o->node[o->over].done) o->over++;
}

/* Learns an entry of the node array, and whether it is invalid. */
static void learn_node(struct dgb_oracle *o, uint32_t v, uint64_t entry) {
  struct dgb_node *n = &o->node[v];
  uint32_t before = v ? o->node[v - 1].first : 0, last = o->start.edge_count - (uint32_t)entry;
  unsigned level = v ? o->node[v - 1].level : 0;
  if (v >= o->start.node_count || v != o->nodes_known || o->bad_node) return;
  n->first = (uint32_t)entry;
  n->parents = (uint16_t)(entry >> 32);
  n->level = (uint16_t)(entry >> 48);
  if (n->reported > n->parents) o->more++;
  o->bad_starts = n->first - before > UINT16_MAX || n->first > o->start.edge_count || (!v && n->first);
  if (v + 1 == o->start.node_count && last > UINT16_MAX) o->bad_starts = 1;
  o->bad_level = n->level != level && (!v || n->level != level + 1);
  o->bad_node = o->bad_starts || o->bad_level;
  o->bad_vid = (uint16_t)v;
  if (!o->bad_node) o->nodes_known++;
}

/* Processes the edges of completed nodes as soon as their source and target are known. */
static void report_edges(struct dgb_oracle *o) {
  const uint32_t n = o->start.node_count;
  while (o->known_edges < o->edges_known && !o->bad_node) {
    uint32_t from = o->known_from, child = o->edge[o->known_edges];
    if (from >= n || (from + 1 >= o->nodes_known && from + 1 != n) || from >= o->nodes_known) return;
    if (hd_dgb_seen_end(o, from) <= o->known_edges) {
      o->known_from++;
      continue;
    }
    o->known_edges++;
    if (child <= from || child >= n)
      o->node[from].bad_edge = 1;
    else if (o->node[from].done)
      hd_dgb_seen_known(o, child, o->node[from].smx);
  }
}

static void learn(struct dgb_oracle *o, uint64_t addr, const struct hd_memdata *r) {
  const struct hd_dgbstart *s = &o->start;
  const struct dgb_burst b = {addr, 1};
  const uint64_t half[2] = {r->lo, r->hi};
  if (!o->seen) return;
  if (inside(o, &b, s->nodes, 8u * (uint64_t)s->node_count)) {
    uint32_t v = (uint32_t)(apart(o, addr, s->nodes) / 8);
    learn_node(o, v, r->lo);
    learn_node(o, v + 1, r->hi);
  } else if (inside(o, &b, s->ids, 2u * s->node_count)) {
    uint32_t v = (uint32_t)(apart(o, addr, s->ids) / 2);
    for (unsigned i = 0; i < 8 && v + i < s->node_count; i++)
      o->node[v + i].cta = (uint16_t)(half[i / 4] >> 16 * (i % 4));
  } else if (!in_early(o, &b)) {
    uint32_t e = (uint32_t)(apart(o, addr, s->edges) / 2);
    for (unsigned i = 0; i < 8 && e + i < s->edge_count && e + i < HD_DGB_EDGES_SEEN; i++) {
      o->edge[e + i] = (uint16_t)(half[i / 4] >> 16 * (i % 4));
      o->edges_known = e + i + 1;
    }
  }
  report_edges(o);
}

const char *hd_dgb_seen_beat(struct dgb_oracle *o, const struct hd_memdata *r) {
  struct dgb_burst *b = &o->read[0];
  if (!o->reads) return "a beat arrives without a read";
  learn(o, b->addr, r);
  o->memory_error |= r->error;
  b->addr += BEAT;
  if (--b->left) return NULL;
  memmove(o->read, o->read + 1, --o->reads * sizeof *o->read);
  return NULL;
}

const char *hd_dgb_seen_port(struct dgb_oracle *o, const struct hd_dgb_in *in, const struct hd_dgb_out *out) {
  const char *rule = watch_data(o, in, out);
  if (!rule && in->mem.r_valid) rule = hd_dgb_seen_beat(o, &in->mem.r);
  if (!rule) rule = watch_request(o, in, out);
  if (rule || !in->mem.b_valid) return rule;
  if (!o->writes) return "an answer without a write";
  o->writes--;
  o->memory_error |= in->mem.b_error;
  return NULL;
}
