/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "dispatch/throttle.h"

#include <string.h>

size_t hd_throttle_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct hd_throttle);
}

void hd_throttle_init(struct hd_throttle *m, const struct hd_cfg *cfg) {
  memset(m, 0, sizeof *m);
  m->cfg.num_smx = cfg->num_smx;
  m->cfg.equal_holds = (uint8_t)cfg->equal_holds;
  m->cfg.recovers = (uint8_t)cfg->recovers;
  hd_throttle_reset(m);
}

static void open_all(struct hd_throttle *m) {
  m->n = (uint8_t)m->cfg.num_smx;
}

static void begin(struct hd_throttle *m) {
  open_all(m);
  m->last.stalls = 0;
  m->last.span = 1;
}

void hd_throttle_reset(struct hd_throttle *m) {
  memset((char *)m + sizeof m->cfg, 0, sizeof *m - sizeof m->cfg);
  begin(m);
}

void hd_throttle_eval(const struct hd_throttle *m, const struct hd_throttle_in *in, struct hd_throttle_out *out) {
  (void)in;
  memset(out, 0, sizeof *out);
  for (unsigned k = 0; k < m->n; k++) out->open[k] = 1;
  out->open_count = m->n;
}

/* ---- the edge ---- */

static void remember(struct hd_throttle *m, const struct hd_throttle_in *in) {
  m->cycles = in->cycles;
  m->dram_full = in->dram_full;
  m->icnt2sm = in->icnt2sm;
  m->since = 1;
}

static void forget_degree(struct hd_throttle *m) {
  m->busy = 0;
  m->band = 0;
  memset(&m->degree, 0, sizeof m->degree);
}

static void judge(struct hd_throttle *m) {
  const struct hd_degree degree = m->degree, last = m->last;
  const unsigned band = m->band;
  forget_degree(m);
  if (degree.span) m->last = degree;
  if (!degree.stalls && m->cfg.recovers) {
    open_all(m);
  } else if (degree.span) {
    const int how = hd_degree_compare(degree, last, band);
    if (how > 0)
      m->n -= m->n > HD_THROTTLE_LEAST;
    else if (how < 0 || !m->cfg.equal_holds)
      m->n += m->n < m->cfg.num_smx;
  }
}

/* Changes are modulo 2^32, since counters may wrap. */
static void sample(struct hd_throttle *m, const struct hd_throttle_in *in) {
  const uint32_t dram_full = in->dram_full - m->dram_full, icnt2sm = in->icnt2sm - m->icnt2sm;
  m->degree.stalls = (uint64_t)dram_full + icnt2sm;
  m->degree.span = in->cycles - m->cycles;
  m->busy = 1;
  m->band = (uint8_t)(in->regs_config.throttle_band < HD_THROTTLE_BAND_MOST ? in->regs_config.throttle_band
                                                                            : HD_THROTTLE_BAND_MOST);
  remember(m, in);
}

static void switch_off(struct hd_throttle *m, const struct hd_throttle_in *in) {
  remember(m, in);
  forget_degree(m);
  begin(m);
}

static uint32_t epoch_of(const struct hd_throttle_in *in) {
  if (in->regs_config.throttle_epoch < HD_THROTTLE_EPOCH_LEAST) return HD_THROTTLE_EPOCH_LEAST;
  return in->regs_config.throttle_epoch < HD_THROTTLE_EPOCH_MOST ? in->regs_config.throttle_epoch
                                                                 : HD_THROTTLE_EPOCH_MOST;
}

void hd_throttle_tick(struct hd_throttle *m, const struct hd_throttle_in *in) {
  if (!in->regs_config.throttle) {
    switch_off(m, in);
    return;
  }
  const uint32_t epoch = epoch_of(in);
  const bool rests = m->since >= 2 * epoch;
  if (m->busy && m->since == HD_THROTTLE_VERDICT) judge(m);
  if (rests && m->cfg.recovers) open_all(m);
  if (in->sched_unassigned && rests && m->cfg.recovers)
    remember(m, in); /* refusals before the pause must not count */
  else if (in->sched_unassigned && m->since >= epoch)
    sample(m, in);
  else
    m->since += !rests;
}

void hd_throttle_arch(const struct hd_throttle *m, struct hd_throttle_arch *a, bool tables) {
  (void)tables;
  memset(a, 0, sizeof *a);
  a->since = m->since;
  a->busy = m->busy;
  a->band = m->band;
  a->last_cycles = m->cycles;
  a->last_dram_full = m->dram_full;
  a->last_icnt2sm = m->icnt2sm;
  a->stalls = m->degree.stalls;
  a->span = m->degree.span;
  a->last_stalls = m->last.stalls;
  a->last_span = m->last.span;
}
