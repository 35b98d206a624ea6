/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include <string.h>

#include "env/dispatch/sched_parts.h"

/* ---- the clock edge ---- */

static void enters(struct hd_sched_neighbours *s, struct hd_rng *rng, const struct hd_sched_in *in) {
  struct hd_sched_graph *g = &s->graph;
  g->here = 1;
  g->runs = g->ready = g->ends = 0;
  g->kdei = s->kd_out.entry.kdei;
  g->binds = hd_rng_p(rng, 100);
  g->wait = hd_rng_below(rng, 12);
  g->left = hd_rng_below(rng, hd_rng_p(rng, 60) ? 100 : 12); /* 0: its descriptor is invalid */
  memcpy(g->older, in->fcfs_marked, s->cfg.num_kde);
}

/* A kernel that is no longer marked, or that gives way, no longer counts as older. */
static void age(struct hd_sched_neighbours *s, const struct hd_sched_in *in, const struct hd_sched_out *out) {
  for (unsigned k = 0; k < s->cfg.num_kde; k++) s->graph.older[k] &= in->fcfs_marked[k];
  if (out->give_way) s->graph.older[out->sscr.kdei] = 0;
}

static void follow_nodes(struct hd_sched_neighbours *s, const struct hd_sched_out *out) {
  struct hd_sched_graph *g = &s->graph;
  for (unsigned k = 0; k < s->cfg.num_smx; k++) {
    if (!out->node_done[k] || !g->running) continue;
    g->in_place[out->node_place[k] % s->cfg.lna] = 0;
    g->running--;
  }
  if (!out->graph_take) return;
  g->ready = 0;
  g->in_place[g->index] = 1;
  g->left--;
  g->running++;
}

void hd_sched_graph_edge(struct hd_sched_neighbours *s, struct hd_rng *rng, const struct hd_sched_in *in,
                         const struct hd_sched_out *out) {
  struct hd_sched_graph *g = &s->graph;
  follow_nodes(s, out);
  if (g->ends) g->here = g->ends = 0;
  if (s->kd_in.kmu_offer.valid && s->kd_in.kmu_offer.kernel.graph && s->kd_out.free.valid) enters(s, rng, in);
  if (g->here) age(s, in, out);
}

/* ---- the next cycle ---- */

static void run(struct hd_sched_graph *g, struct hd_rng *rng) {
  if (g->wait) {
    g->wait--;
  } else if (!g->runs) {
    g->runs = g->left > 0;
    g->ends = !g->runs;
    g->wait = hd_rng_below(rng, 20);
  } else if (!g->left && !g->running) {
    g->runs = 0;
    g->ends = 1;
  }
}

/* A node in a free place becomes ready. It stays on offer until it is handed out or the buffer finds an error; an
 * earlier node that becomes ready meanwhile replaces it. */
static void offer(struct hd_sched_neighbours *s, struct hd_rng *rng) {
  struct hd_sched_graph *g = &s->graph;
  const unsigned place = hd_rng_below(rng, s->cfg.lna);
  if (!hd_rng_below(rng, 60)) g->rate = hd_rng_p(rng, 128) ? 256 : hd_rng_below(rng, 60);
  if (!hd_rng_below(rng, 400)) g->left = g->ready = 0; /* an error */
  if (g->ready && hd_rng_below(rng, 8)) return;
  g->smx = g->binds && hd_rng_p(rng, 200) ? (int)hd_rng_below(rng, s->cfg.num_smx) : -1; /* set even before it is ready
                                                                                          * */
  if (!g->runs || !g->left || g->in_place[place] || (!g->ready && !hd_rng_p(rng, g->rate))) return;
  g->ready = 1;
  g->index = (uint16_t)place;
  g->cta = (uint32_t)hd_rng_bits(rng, 32);
}

static void show_node(const struct hd_sched_neighbours *s, struct hd_sched_in *in) {
  const struct hd_sched_graph *g = &s->graph;
  in->dats_tb.valid = g->ready;
  in->dats_tb.index = (uint16_t)(g->ready ? g->index : 0);
  in->dats_tb.cta = g->ready ? g->cta : 0;
  in->dats_tb.wants = g->runs && g->smx >= 0;
  in->dats_tb.smx = (uint8_t)(in->dats_tb.wants ? g->smx : 0);
}

void hd_sched_graph_show(struct hd_sched_neighbours *s, struct hd_rng *rng, struct hd_sched_in *in) {
  struct hd_sched_graph *g = &s->graph;
  const struct hd_need none = {0};
  if (g->here) run(g, rng);
  s->kd_in.dats_over.valid = g->ends;
  s->kd_in.dats_over.kdei = g->kdei;
  s->kd_in.dats_over.result.code = (uint8_t)(hd_rng_p(rng, 200) ? HD_GCODE_FINE : HD_GCODE_GRAPH);
  offer(s, rng);
  show_node(s, in);
  for (unsigned k = 0; k < s->cfg.num_kde; k++) in->dats_older[k] = g->here && g->older[k];
  in->dats_run.valid = g->runs;
  in->dats_run.kdei = (uint8_t)(g->runs ? g->kdei : 0);
  in->dats_run.need = g->runs ? s->kd_out.need[g->kdei] : none;
}
