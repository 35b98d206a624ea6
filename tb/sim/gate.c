/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "sim/gate.h"

#include <stdlib.h>
#include <string.h>

struct hd_gate {
  struct hd_gate_opts o;
  struct hd_cfg cfg;
  bool binds;
  struct hd_sim *sim;
  struct hd_throttle_in in;
  struct hd_throttle_out now;    /* outputs of the cycle that comes */
  uint8_t lets[HD_MAX_NUM_SMX];  /* the SMX takes what it is offered, though it is closed */
  uint8_t bound[HD_MAX_NUM_SMX]; /* since it is bound */
  uint32_t held[HD_MAX_NUM_SMX]; /* cycles for which it has held a TB back */
  uint32_t holding;              /* SMXs that do */
  struct hd_gate_counts n;
};

struct hd_gate *hd_gate_new(const struct hd_gate_opts *o, const struct hd_cfg *cfg, bool binds, char *text,
                            size_t text_size) {
  struct hd_gate *g = calloc(1, sizeof *g);
  const struct hd_sim_opts so = {.block = "throttle", .cfg = *cfg, .engine = o->engine, .test = "run"};
  if (g == NULL) return NULL;
  *g = (struct hd_gate){.o = *o, .cfg = *cfg, .binds = binds, .n.least = cfg->num_smx};
  g->in.on = 1;
  g->sim = hd_sim_open(&so, text, text_size);
  if (g->sim == NULL) {
    free(g);
    return NULL;
  }
  hd_sim_now(g->sim, &g->in, &g->now);
  return g;
}

void hd_gate_free(struct hd_gate *g) {
  if (g == NULL) return;
  hd_sim_close(g->sim);
  free(g);
}

void hd_gate_drive(struct hd_gate *g, uint8_t *ready) {
  for (uint32_t s = 0; s < g->cfg.num_smx; s++) ready[s] = ready[s] && (g->now.open[s] || g->lets[s]);
}

/* A cycle of the throttle. */
static enum hd_verdict cycle(struct hd_gate *g) {
  const void *out;
  const uint32_t n = g->now.open_count;
  const enum hd_verdict v = hd_sim_cycle(g->sim, &g->in, &out);
  hd_sim_now(g->sim, &g->in, &g->now);
  g->n.open_sum += n;
  g->n.closes += g->now.open_count < n;
  g->n.opens += g->now.open_count > n;
  if (g->now.open_count < g->n.least) g->n.least = g->now.open_count;
  return v;
}

/* A TB is offered to a closed SMX. */
static void look(struct hd_gate *g, uint32_t smx, bool taken, bool bound) {
  if (taken) {
    g->n.bound += g->bound[smx];
    g->n.passed += !g->bound[smx];
    g->lets[smx] = 0;
    g->held[smx] = 0;
    return;
  }
  g->n.held++;
  g->holding += !bound;
  g->bound[smx] = bound;
  g->lets[smx] = bound || (g->binds && ++g->held[smx] >= HD_GATE_HOLD * g->cfg.epoch);
}

enum hd_verdict hd_gate_follow(struct hd_gate *g, uint64_t now, const struct hd_top_in *in,
                               const struct hd_top_out *out, uint64_t dram_full, uint64_t icnt2sm, hd_gate_bound *bound,
                               void *ctx) {
  g->in.unassigned = 0;
  g->in.cycles = (uint32_t)now;
  g->in.dram_full = (uint32_t)dram_full;
  g->in.icnt2sm = (uint32_t)icnt2sm;
  g->holding = 0;
  for (uint32_t s = 0; s < g->cfg.num_smx; s++) {
    if (!out->dispatch_valid[s]) continue;
    const bool own = bound(ctx, s, &out->dispatch[s]), taken = in->dispatch_ready[s];
    if (!own) g->in.unassigned = 1;
    if (!g->now.open[s])
      look(g, s, taken, own);
    else
      g->lets[s] = 0, g->held[s] = 0;
  }
  return cycle(g);
}

enum hd_verdict hd_gate_skip(struct hd_gate *g, uint64_t n) {
  enum hd_verdict v = HD_PASS;
  const uint64_t settles = g->cfg.epoch + 64u; /* then nothing changes any more */
  g->in.unassigned = 0;
  for (uint64_t k = 0; v == HD_PASS && k < n && k < settles; k++) v = cycle(g);
  if (n > settles) g->n.open_sum += (n - settles) * g->now.open_count;
  return v;
}

bool hd_gate_holds(const struct hd_gate *g) {
  return g->holding != 0;
}

bool hd_gate_contention(const struct hd_gate *g, uint64_t now, uint64_t *dram_full, uint64_t *icnt2sm) {
  if (g->o.contention != NULL) g->o.contention(g->o.ctx, now, dram_full, icnt2sm);
  return g->o.contention != NULL;
}

struct hd_gate_counts hd_gate_counts(const struct hd_gate *g) {
  return g->n;
}
