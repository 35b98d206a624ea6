/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "sim/warps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/hd_warp_ports.h"

enum {
  SCHEDS = 2,
  PASS = 32,       /* cycles per pass of the sorter */
  EMPTY = 2 * PASS /* after this many cycles without warps only the position in the pass changes */
};

struct smx {
  struct hd_sim *sim;
  struct hd_warp_in in;
  uint64_t next; /* next cycle */
};

struct hd_warps {
  struct hd_warps_opts o;
  struct hd_cfg cfg;
  struct smx *smx;
  uint64_t starved;
  enum hd_verdict verdict;
  uint32_t failed; /* SMX of the first failure */
};

struct hd_warps *hd_warps_new(const struct hd_warps_opts *o, const struct hd_cfg *cfg, char *text, size_t text_size) {
  struct hd_warps *w = calloc(1, sizeof *w);
  bool good = w != NULL;
  snprintf(text, text_size, "out of memory");
  if (good) {
    *w = (struct hd_warps){.o = *o, .cfg = *cfg, .smx = calloc(cfg->num_smx, sizeof *w->smx)};
    good = w->smx != NULL;
  }
  for (uint32_t s = 0; good && s < cfg->num_smx; s++) {
    const struct hd_sim_opts so = {.block = "warp", .cfg = *cfg, .engine = o->engine, .test = "run"};
    w->smx[s].sim = hd_sim_open(&so, text, text_size);
    good = w->smx[s].sim != NULL;
  }
  if (good) return w;
  hd_warps_free(w);
  return NULL;
}

void hd_warps_free(struct hd_warps *w) {
  if (w == NULL) return;
  for (uint32_t s = 0; w->smx != NULL && s < w->cfg.num_smx; s++) hd_sim_close(w->smx[s].sim);
  free(w->smx);
  free(w);
}

static void cycle(struct hd_warps *w, uint32_t smx) {
  struct smx *s = &w->smx[smx];
  const void *out;
  enum hd_verdict v = hd_sim_cycle(s->sim, &s->in, &out);
  if (v == HD_PASS)
    for (unsigned p = 0; p < SCHEDS; p++) w->starved += ((const struct hd_warp_out *)out)->starved[p];
  if (v != HD_PASS && w->verdict == HD_PASS) {
    w->verdict = v;
    w->failed = smx;
  }
  s->next++;
}

/* Simulates the skipped cycles up to `now`. */
static void make_up(struct hd_warps *w, uint32_t smx, uint64_t now) {
  struct smx *s = &w->smx[smx];
  if (s->next >= now) return;
  memset(&s->in, 0, sizeof s->in);
  if (now - s->next > EMPTY + PASS) s->next += (now - s->next - EMPTY) / PASS * PASS;
  while (s->next < now) cycle(w, smx);
}

static uint64_t issued(void *ctx, uint32_t smx, uint64_t now) {
  struct hd_warps *w = ctx;
  struct hd_warp_out out;
  uint64_t set = 0;
  make_up(w, smx, now);
  hd_sim_now(w->smx[smx].sim, &w->smx[smx].in, &out);
  for (unsigned p = 0; p < SCHEDS; p++)
    if (out.issue_valid[p]) set |= UINT64_C(1) << out.issue_warp[p];
  return set;
}

static void spread(uint8_t *bytes, uint64_t set, uint32_t n) {
  for (uint32_t k = 0; k < n; k++) bytes[k] = set >> k & 1;
}

static void show(void *ctx, uint32_t smx, uint64_t now, const struct hd_choice_record *seen) {
  struct hd_warps *w = ctx;
  struct hd_warp_in *in = &w->smx[smx].in;
  const uint32_t n = w->cfg.warps_per_smx;
  (void)now;
  in->policy = (uint8_t)w->o.policy;
  in->one_list = w->o.one_list;
  in->assign_valid = seen->assigned != HD_CHOICE_NO_SLOT;
  in->assign_slot = in->assign_valid ? (uint8_t)seen->assigned : 0;
  spread(in->warp_valid, seen->valid, n);
  spread(in->warp_ready, seen->ready, n);
  spread(in->stall_control, seen->control, n);
  spread(in->stall_raw, seen->raw, n);
  spread(in->stall_pipe, seen->pipe, n);
  memcpy(in->warp_slot, seen->slot, n);
  cycle(w, smx);
}

struct hd_choice hd_warps_choice(struct hd_warps *w) {
  return (struct hd_choice){.ctx = w, .issued = issued, .show = show};
}

enum hd_verdict hd_warps_verdict(const struct hd_warps *w, char *text, size_t text_size) {
  if (w->verdict != HD_PASS) {
    const struct hd_failure f = hd_sim_failure(w->smx[w->failed].sim);
    snprintf(text, text_size, "warp scheduler of SMX %" PRIu32 ", its cycle %" PRIu64 ": %s: %s, not %s", w->failed,
             f.cycle, f.label, f.actual, f.expected);
  }
  return w->verdict;
}

uint64_t hd_warps_starved(const struct hd_warps *w) {
  return w->starved;
}

uint64_t hd_warps_compared(const struct hd_warps *w) {
  uint64_t n = 0;
  for (uint32_t s = 0; s < w->cfg.num_smx; s++) n += hd_sim_compared(w->smx[s].sim);
  return n;
}
