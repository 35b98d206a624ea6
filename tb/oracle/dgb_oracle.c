/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/dgb_oracle.h"

#include "oracle/dgb_state.h"

enum { SOON = 8, SLACK = 64 };

size_t hd_dgb_oracle_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct dgb_oracle);
}

void hd_dgb_oracle_init(void *o_, const struct hd_cfg *cfg) {
  memset(o_, 0, sizeof(struct dgb_oracle));
  ((struct dgb_oracle *)o_)->cfg = *cfg;
}

/* ---- Offers ---- */

/* Returns the node at a place of the LNA: the window begins with the oldest node that is not done. */
static uint32_t vid_of(const struct dgb_oracle *o, unsigned place) {
  return o->over + ((place - o->over) & (o->cfg.lna - 1));
}

static bool is_in(const uint64_t *set, unsigned smx) {
  return set[smx / 64 % HD_DGB_SMX_WORDS] >> smx % 64 & 1;
}

/* Checks the requested SMX: that of a parent, or none if the node was not in the window at the update. */
static const char *watch_preferred(const struct dgb_oracle *o, const struct dgb_node *n, unsigned smx) {
  if (smx > o->cfg.num_smx) return "a node is offered with an SMX that does not exist";
  const bool none = smx == o->cfg.num_smx;
  if (!none && !is_in(n->from, smx)) return "a node is offered with an SMX on which no parent ran";
  if (!n->sure || n->reported != n->parents) return NULL;
  return none || !is_in(n->last, smx) ? "a node is offered without the SMX of the parent that updated it last" : NULL;
}

/* Returns true if an earlier node without parents is not granted: it must be offered first. */
static bool passes_root(struct dgb_oracle *o, uint32_t vid) {
  while (o->roots < o->nodes_known && (o->node[o->roots].handed || o->node[o->roots].parents)) o->roots++;
  return o->roots < vid;
}

/* Returns true if all updates have certainly arrived and an earlier node is ready. That node is in the window, since a
 * later one is. */
static bool passes_ready(const struct dgb_oracle *o, uint32_t vid) {
  if (o->settled <= SOON || o->cfg.dgb_paper) return false; /* the paper's rule: a walk may wait without memory */
  for (uint32_t v = o->over; v < vid; v++)
    if (!o->node[v].handed && o->node[v].reported >= o->node[v].parents) return true;
  return false;
}

static const char *watch_offer(struct dgb_oracle *o, const struct hd_dgbnode *node, unsigned smx) {
  uint32_t vid = vid_of(o, node->index);
  if (!o->seen) return NULL;
  if (vid >= o->nodes_known) return "a node is offered that was not read";
  const struct dgb_node *n = &o->node[vid];
  if (n->handed) return "a node is offered twice";
  if (n->cta != node->cta) return "a node is offered with another TB id";
  if (n->level != node->level) return "a node is offered with another level";
  if (n->reported < n->parents) return "a node is offered before its parents are done";
  const char *preferred = watch_preferred(o, n, smx);
  if (preferred) return preferred;
  if (o->start.policy != HD_GPOLICY_LRR && n->level > (uint32_t)o->node[o->over].level + o->start.bound)
    return "a node is offered that is too many levels above the oldest";
  if (o->standing && vid > o->offered_vid) return "an offer changes, and not to an earlier node";
  if (passes_root(o, vid) || passes_ready(o, vid)) return "a node is offered before one that was ready earlier";
  return NULL;
}

/* The node and all before it have entered the window, and their updates have left the PUB. */
static void goes_in(struct dgb_oracle *o, uint32_t vid) {
  for (; o->went_in <= vid; o->went_in++) o->away -= o->node[o->went_in].away;
}

static const char *watch_node(struct dgb_oracle *o, const struct hd_dgb_in *in, const struct hd_dgb_out *out) {
  if (!out->node_valid) {
    if (o->standing) o->stopped = 1; /* only an error withdraws an offer: watch_finish() requires one */
    o->standing = 0;
    return NULL;
  }
  if (!o->active || o->finishing) return "a node is offered without a graph";
  if (o->stopped) return "a node is offered after an error";
  const char *rule = watch_offer(o, &out->node, out->wish.smx);
  o->standing = !in->dats_node_ready;
  uint32_t vid = vid_of(o, out->node.index);
  o->offered_vid = vid;
  if (!rule && o->seen) goes_in(o, vid);
  if (rule || !in->dats_node_ready) return rule;
  if (o->seen) {
    o->node[vid].handed = 1;
    o->node[vid].smx = in->dats_node_smx;
  }
  o->vid_at[out->node.index] = (uint16_t)vid;
  o->running++;
  return NULL;
}

/* ---- Completed TBs ---- */

/* Returns an upper bound of the cycles in which its children are updated, one per cycle. */
static uint32_t walk_of(const struct dgb_oracle *o, uint32_t vid) {
  return 1 + hd_dgb_seen_end(o, vid) - o->node[vid].first;
}

/* Returns true if the LEA never has room for all edges of the node. */
static bool is_big(const struct dgb_oracle *o, uint32_t vid) {
  const uint32_t first = o->node[vid].first;
  return first % o->cfg.dgb_edges + hd_dgb_seen_end(o, vid) - first > o->cfg.lea;
}

static void watch_done(struct dgb_oracle *o, const struct hd_dgb_in *in) {
  const bool rests = o->settled > SOON && !o->big && !o->cfg.dgb_paper;
  if (o->seen && rests && memchr(in->sched_node_done, 1, o->cfg.num_smx)) {
    o->round++;
    o->here = o->nodes_known;
  }
  for (unsigned s = 0; s < o->cfg.num_smx; s++) {
    if (!in->sched_node_done[s]) continue;
    const uint32_t vid = o->vid_at[in->sched_node_place[s]];
    o->running--;
    if (!o->seen) continue;
    hd_dgb_seen_done(o, vid, s);
    o->walk += walk_of(o, vid);
    o->settled = 0;
    if (is_big(o, vid)) o->big = vid + 1;
  }
  if (!o->big || o->over < o->big) return;
  o->walk += walk_of(o, o->big - 1);
  o->settled = o->big = 0;
}

/* An update goes to memory only if no row of the PUB is free. Both are reported one cycle later. */
static const char *watch_pub(struct dgb_oracle *o, const struct hd_dgb_out *out) {
  if (!o->seen || !o->active) return NULL;
  if (out->events.early && o->pub < o->cfg.pub) return "an update goes to memory while the PUB has a free row";
  o->pub += out->events.pub;
  if (o->pub > o->away) o->pub = o->away;
  return NULL;
}

/* A child is updated in each cycle, unless edges are read or an early update is in flight, which is collected with
 * others, read, and written. */
static void watch_walk(struct dgb_oracle *o, const struct hd_dgb_in *in, const struct hd_dgb_out *out) {
  if (out->events.early) o->update = COLLECTED;
  if (o->update == WRITTEN && !o->writes) o->update = 0;
  if (o->reads || o->writes || o->update || out->mem.valid || in->mem.r_valid || in->mem.b_valid)
    o->calm = o->settled = 0;
  else if (++o->calm <= SOON)
    return;
  else if (o->walk)
    o->walk--;
  else
    o->settled++;
}

/* ---- The end ---- */

static const char *watch_fine(const struct dgb_oracle *o) {
  if (o->memory_error || o->bad_node || o->stopped) return "a graph ends without error though one occurred";
  if (o->ending.vid) return "a graph ends without error, but with a VID";
  if (!o->seen) return NULL;
  if (o->over != o->start.node_count) return "a graph ends without error before all nodes are done";
  if (o->known_edges != o->start.edge_count) return "a graph ends without error before all edges are read";
  for (uint32_t v = 0; v < o->start.node_count; v++) {
    const struct dgb_node *n = &o->node[v];
    if (n->reported != n->parents || n->bad_edge) return "a graph ends without error whose counts or edges are wrong";
    if (n->early) return "early updates are not 0 after a graph without error";
  }
  return NULL;
}

static const char *watch_stuck(const struct dgb_oracle *o) {
  uint32_t vid = o->ending.vid;
  if (o->quiet + 1 < o->cfg.dgb_quiet) return "a graph is reported as stuck too soon";
  if (!o->seen) return NULL;
  if (o->cfg.dgb_paper)
    return vid > o->over ? "a graph is reported as stuck at a wrong node" : NULL; /* it may deadlock */
  if (vid != o->over || vid >= o->nodes_known) return "a graph is reported as stuck at a wrong node";
  return o->node[vid].handed || o->node[vid].reported >= o->node[vid].parents
             ? "a graph is reported as stuck at a node that is ready"
             : NULL;
}

static const char *watch_reason(const struct dgb_oracle *o) {
  uint32_t vid = o->ending.vid;
  switch (o->ending.code) {
    case HD_GCODE_FINE:
      return watch_fine(o);
    case HD_GCODE_MEMORY:
      return o->memory_error ? NULL : "a memory error is reported that did not occur";
    case HD_GCODE_STARTS:
      return !o->seen || (o->bad_starts && o->bad_vid == vid) ? NULL
                                                              : "a wrong start of edges is reported that is right";
    case HD_GCODE_LEVEL:
      return !o->seen || (o->bad_level && o->bad_vid == vid) ? NULL : "a wrong level is reported that is right";
    case HD_GCODE_EDGE:
      return !o->seen || (vid < o->start.node_count && o->node[vid].done && o->node[vid].bad_edge)
                 ? NULL
                 : "a wrong edge is reported that is right";
    case HD_GCODE_COUNT:
      return !o->seen || o->more ? NULL : "a wrong parent count is reported that is right";
    case HD_GCODE_STUCK:
      return watch_stuck(o);
    default:
      return "a graph ends with a code that does not exist";
  }
}

static const char *watch_finish(struct dgb_oracle *o, const struct hd_dgb_in *in, const struct hd_dgb_out *out) {
  bool first = out->finish_valid && !o->finishing;
  if (!out->finish_valid) return o->finishing ? "an end is withdrawn" : NULL;
  if (!o->active) return "an end is reported without a graph";
  if (o->finishing && memcmp(&o->ending, &out->finish, sizeof o->ending)) return "an end changes before it is accepted";
  o->ending = out->finish;
  o->finishing = !in->dats_finish_ready;
  if (first && o->running) return "a graph ends while TBs run";
  if (first && (o->reads || o->writes || out->mem.valid)) return "a graph ends while bursts are open";
  const char *rule = first ? watch_reason(o) : NULL;
  if (in->dats_finish_ready) o->active = 0;
  return rule;
}

/* ---- Time ---- */

/* Returns the number of cycles within which a graph continues or ends: a node enters the window, or a child is updated,
 * in each cycle. */
static uint64_t patience(const struct dgb_oracle *o) {
  return UINT64_C(0) + o->cfg.dgb_quiet + SLACK + 2u * o->start.node_count + o->start.edge_count;
}

/* Limits the time for which no TB runs, no burst is open, and nothing is offered. */
static const char *watch_time(struct dgb_oracle *o, const struct hd_dgb_in *in, const struct hd_dgb_out *out) {
  bool busy =
      o->running || o->reads || o->writes || out->mem.valid || out->node_valid || in->mem.r_valid || in->mem.b_valid;
  bool rests = o->active && !busy && !out->finish_valid;
  o->idle = rests ? o->idle + 1 : 0;
  o->quiet = o->active && !busy ? o->quiet + 1 : 0;
  if ((o->memory_error || o->bad_node) && o->idle > SOON) return "an error is not reported";
  if (o->idle > patience(o)) return "a graph makes no progress and does not end";
  return NULL;
}

const char *hd_dgb_oracle_watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct dgb_oracle *o = o_;
  const struct hd_dgb_in *in = in_;
  const struct hd_dgb_out *out = out_;
  (void)cycle;
  bool was_active = o->active;
  if (out->start_ready && o->active) return "a graph is accepted before the end of the previous one";
  const char *pub = watch_pub(o, out), *rule = watch_finish(o, in, out);
  if (!rule) rule = pub;
  if (!rule && was_active) rule = watch_node(o, in, out);
  if (!rule && was_active) rule = watch_time(o, in, out);
  if (!rule) rule = hd_dgb_seen_port(o, in, out);
  if (rule) return rule;
  watch_walk(o, in, out);
  watch_done(o, in);
  if (o->memory_error || o->bad_node) o->stopped = 1;
  if (in->dats_start_valid && out->start_ready) hd_dgb_seen_begin(o, &in->dats_start);
  return NULL;
}
