/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/graph/dgb_neighbours.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGN = 128, GAPS = 4 };

void hd_dgb_neighbours_reset(struct hd_dgb_neighbours *s) {
  struct hd_cfg cfg = s->cfg;
  hd_dgb_neighbours_free(s);
  memset(s, 0, sizeof *s);
  s->cfg = cfg;
  s->before_smx = (uint8_t)cfg.num_smx;
}

void hd_dgb_neighbours_free(struct hd_dgb_neighbours *s) {
  free(s->image);
  s->image = NULL;
}

/* ---- Graphs ---- */

/* Places the four arrays with gaps; the edges last, so that no array follows them. */
static void place_arrays(struct hd_dgb_neighbours *s, struct hd_rng *rng) {
  uint64_t mask = hd_memory_mask(&s->cfg), at = 0;
  uint64_t *const addr[3] = {&s->start.nodes, &s->start.ids, &s->start.early};
  const uint32_t bytes[3] = {8 * HD_DGB_MAX_NODES + 8, 2 * HD_DGB_MAX_NODES, 2 * HD_DGB_MAX_NODES};
  unsigned turn = hd_rng_below(rng, 3);
  s->base = hd_rng_next(rng) & mask & ~(uint64_t)(ALIGN - 1);
  if (s->base + HD_DGB_IMAGE - 1 > mask) s->base = mask + 1 - HD_DGB_IMAGE;
  for (unsigned k = 0; k < 3; k++) {
    unsigned which = (k + turn) % 3;
    *addr[which] = s->base + at;
    at += (bytes[which] + ALIGN - 1) / ALIGN * ALIGN + ALIGN * hd_rng_below(rng, GAPS);
  }
  s->start.edges = s->base + at;
}

/* Makes the first graph of profile "large". */
static bool make_large(struct hd_dgb_neighbours *s, struct hd_rng *rng, const struct hd_profile *p) {
  if (s->reported || strcmp(p->name, "large") != 0) return false;
  hd_dgb_large_make(s, rng);
  s->start.policy = HD_GPOLICY_LVL;
  s->start.bound = 65535;
  s->wrong = HD_DGB_LEVEL_JUMPS;
  s->sound = s->reported = 1;
  return true;
}

/* Two parallel chains: while no SMX accepts the last node of one, that of the other may become ready before it. */
static void make_pair(struct hd_dgb_graph *g, struct hd_rng *rng) {
  hd_dgb_graph_clear(g);
  hd_dgb_graph_chains(g, 2, 4 + 2 * hd_rng_below(rng, 3));
  hd_dgb_graph_sort(g);
  for (unsigned v = 0; v < g->nodes; v++) g->cta[v] = (uint16_t)hd_rng_bits(rng, 16);
}

static void make_graph(struct hd_dgb_neighbours *s, struct hd_rng *rng, const struct hd_profile *p) {
  hd_dgb_neighbours_free(s);
  if (make_large(s, rng, p)) return;
  place_arrays(s, rng);
  hd_dgb_graph_random(&s->graph, &s->cfg, rng);
  s->pair = !hd_rng_below(rng, 8);
  if (s->pair) make_pair(&s->graph, rng);
  hd_dgb_graph_lay(&s->graph, &s->start, s->bytes, s->base);
  s->widest_in = hd_dgb_graph_widest_in(&s->graph);
  s->widest_out = hd_dgb_graph_widest_out(&s->graph);
  s->wrong = HD_DGB_RIGHT;
  if (p->bad && hd_rng_p(rng, p->bad + 50)) {
    unsigned k = hd_rng_below(rng, HD_DGB_WRONGS + 5); /* errors that prevent the start are less frequent */
    s->wrong = (uint8_t)(k < HD_DGB_WRONGS - 1 ? 1 + k : 1 + k % 4);
  }
  hd_dgb_graph_spoil(&s->graph, s->wrong, rng, &s->start, s->bytes, s->base);
  s->start.policy = (uint8_t)hd_rng_below(rng, 3);
  s->start.bound = (uint16_t)(hd_rng_p(rng, 20) ? hd_rng_bits(rng, 16) : hd_rng_below(rng, 3));
  s->reported = 1;
}

/* The graph is done. After an error software clears the early updates. */
static void clear_early(struct hd_dgb_neighbours *s) {
  memset((s->image ? s->image : s->bytes) + (s->start.early - s->base), 0, (2u * s->graph.nodes + 15) / 16 * 16);
}

static void drive_start(struct hd_dgb_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                        struct hd_dgb_in *in) {
  if (in->dats_start_valid) return;
  if (s->active) {
    /* The same graph, offered before the running one is done. */
    in->dats_start_valid = s->again = !s->image && !hd_rng_below(rng, 2000);
  } else if (hd_rng_p(rng, p->source)) {
    s->again = s->reported && !s->image && hd_rng_p(rng, 50);
    s->sound = hd_rng_p(rng, 110);
    if (!s->again) make_graph(s, rng, p);
    in->dats_start_valid = 1;
  }
  memset(&in->dats_start, 0, sizeof in->dats_start);
  if (in->dats_start_valid) in->dats_start = s->start;
}

static void follow_graph(struct hd_dgb_neighbours *s, const struct hd_dgb_out *out, struct hd_dgb_in *in) {
  if (out->finish_valid && in->dats_finish_ready) {
    s->active = 0;
    if (out->finish.code) clear_early(s);
  }
  if (in->dats_start_valid && out->start_ready) {
    s->active = 1;
    in->dats_start_valid = 0;
  }
}

/* ---- TBs ---- */

static void set_phase(struct hd_dgb_neighbours *s, struct hd_rng *rng) {
  if (!hd_rng_below(rng, 300)) s->hold = hd_rng_p(rng, 40);
  if (!hd_rng_below(rng, 500)) s->alone = hd_rng_p(rng, 60);
  if (!hd_rng_below(rng, s->full ? 60 : 400)) s->full = !s->full;
  if (!hd_rng_below(rng, 300)) s->port.holds_answers = hd_rng_p(rng, 30);
  if (!hd_rng_below(rng, 400)) s->slow = (uint16_t)(hd_rng_p(rng, 100) ? 1 + hd_rng_below(rng, 60) : 0);
  if (!hd_rng_below(rng, 400)) s->oldest = (uint16_t)(hd_rng_p(rng, 100) ? 1 + hd_rng_below(rng, 400) : 0);
}

static void follow_node(struct hd_dgb_neighbours *s, struct hd_rng *rng, const struct hd_dgb_out *out,
                        const struct hd_dgb_in *in) {
  s->before_smx = (uint8_t)s->cfg.num_smx;
  if (!out->node_valid || !in->dats_node_ready) return;
  struct hd_dgb_tb *tb = &s->tb[s->running++ % HD_MAX_LNA];
  *tb = (struct hd_dgb_tb){.due = s->now, .index = out->node.index, .smx = in->dats_node_smx};
  s->before_smx = in->dats_node_smx;
  s->before_index = out->node.index;
  if (s->slow || s->pair) tb->due += hd_rng_below(rng, s->pair ? 100 : s->slow);
  if (s->oldest && !hd_rng_below(rng, 8)) tb->due += hd_rng_below(rng, s->oldest);
}

/* Completes at most one TB per SMX, in random order. */
static void drive_done(struct hd_dgb_neighbours *s, struct hd_rng *rng, struct hd_dgb_in *in) {
  memset(in->sched_node_done, 0, sizeof in->sched_node_done);
  memset(in->sched_node_place, 0, sizeof in->sched_node_place);
  if (!s->running || (s->hold && s->running < s->cfg.lna && hd_rng_below(rng, 100))) return;
  unsigned at = hd_rng_below(rng, s->running);
  for (unsigned left = s->running; left && s->running; left--) {
    if (at >= s->running) at = 0;
    struct hd_dgb_tb *tb = &s->tb[at];
    if ((!s->hold && (int32_t)(s->now - tb->due) < 0) || in->sched_node_done[tb->smx]) {
      at++;
      continue;
    }
    in->sched_node_done[tb->smx] = 1;
    in->sched_node_place[tb->smx] = tb->index;
    *tb = s->tb[--s->running];
  }
}

static void drive_node(struct hd_dgb_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                       struct hd_dgb_in *in) {
  in->dats_node_ready = hd_rng_p(rng, s->full || s->pair ? 8 : p->sink);
  in->dats_node_smx = s->alone ? 0 : (uint8_t)hd_rng_below(rng, s->cfg.num_smx);
  if (s->hold) in->dats_node_smx = (uint8_t)(s->running % s->cfg.num_smx); /* so that all can be done in one cycle */
}

void hd_dgb_neighbours_drive(struct hd_dgb_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                             const struct hd_dgb_out *out, const struct hd_dgb_out *now, struct hd_dgb_in *in) {
  struct hd_profile memory = *p;
  (void)now;
  memory.bad = s->sound ? 0 : 2 * p->bad;
  s->now++;
  s->early_before = out->events.early;
  s->stood = out->node_valid && !in->dats_node_ready;
  s->stood_index = out->node.index;
  s->unoffered = out->node_valid || !s->running ? 0 : s->unoffered + 1;
  set_phase(s, rng);
  follow_graph(s, out, in);
  follow_node(s, rng, out, in);
  if (s->image)
    hd_memory_drive_bursts(&s->port, rng, &memory, &out->mem, s->image, s->base, s->image_size);
  else
    hd_memory_drive_bursts(&s->port, rng, &memory, &out->mem, s->bytes, s->base, sizeof s->bytes);
  in->mem = s->port.pins;
  drive_start(s, rng, p, in);
  drive_done(s, rng, in);
  drive_node(s, rng, p, in);
  in->dats_finish_ready = hd_rng_p(rng, p->sink);
}
