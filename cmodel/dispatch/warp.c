/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "dispatch/warp.h"

#include <string.h>

#include "common/bits.h"

/* The warps of scheduler 0; those of scheduler 1 are one bit higher. */
static const uint64_t even = UINT64_C(0x5555555555555555);

size_t hd_warp_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct hd_warp);
}

void hd_warp_init(struct hd_warp *m, const struct hd_cfg *cfg) {
  memset(m, 0, sizeof *m);
  m->cfg.end = UINT32_C(1) << cfg->stall_w;
  m->cfg.wait = (uint16_t)cfg->warp_wait;
  m->cfg.warps = (uint8_t)cfg->warps_per_smx;
  m->cfg.per_sched = (uint8_t)cfg->warps_per_sched;
  m->cfg.slots = (uint8_t)cfg->ctas_per_smx;
  hd_warp_reset(m);
}

void hd_warp_reset(struct hd_warp *m) {
  memset((char *)m + sizeof m->cfg, 0, sizeof *m - sizeof m->cfg);
  for (unsigned s = 0; s < m->cfg.slots; s++) m->rank[s] = (uint8_t)s;
  for (unsigned p = 0; p < HD_WARP_SCHEDS; p++) {
    for (unsigned k = 0; k < m->cfg.per_sched; k++) m->order[p].at[k] = (uint8_t)k;
    m->last[p] = (uint8_t)(m->cfg.per_sched - 1);
  }
}

void hd_warp_eval(const struct hd_warp *m, const struct hd_warp_in *in, struct hd_warp_out *out) {
  (void)in;
  *out = m->shown;
}

/* ---- inputs ---- */

/* Sets of warps; ready and stalls contain only valid ones. */
struct warps {
  uint64_t valid, ready, stalls;
};

static struct warps see(const struct hd_warp *m, const struct hd_warp_in *in) {
  struct warps w = {0};
  uint64_t control = 0, raw = 0, pipe = 0;
  hd_bits_from_bytes(&w.valid, in->warp_valid, m->cfg.warps);
  hd_bits_from_bytes(&w.ready, in->warp_ready, m->cfg.warps);
  hd_bits_from_bytes(&control, in->stall_control, m->cfg.warps);
  hd_bits_from_bytes(&raw, in->stall_raw, m->cfg.warps);
  hd_bits_from_bytes(&pipe, in->stall_pipe, m->cfg.warps);
  w.ready &= w.valid;
  w.stalls = (control | raw | pipe) & w.valid;
  return w;
}

/* ---- the choice ---- */

/* Returns a scheduler's warp in the set, which is not empty: round robin from the one after the last on. */
static unsigned in_turn(const struct hd_warp *m, unsigned p, uint64_t set) {
  const unsigned next = (m->last[p] + 1u) % m->cfg.per_sched;
  return (unsigned)hd_bits_rr(&set, 1, 2 * next + p);
}

/* Returns the lowest warp of the oldest TB. */
static unsigned oldest(const struct hd_warp *m, const struct hd_warp_in *in, uint64_t set) {
  unsigned best = hd_lowest(set);
  for (uint64_t left = set; left; left &= left - 1) {
    const unsigned w = hd_lowest(left);
    if (m->rank[in->warp_slot[w]] < m->rank[in->warp_slot[best]]) best = w;
  }
  return best;
}

static unsigned first_listed(const struct hd_warp *m, unsigned p, uint64_t set) {
  const uint8_t *at = m->order[p].at;
  while (!hd_bit(&set, 2u * *at + p)) at++;
  return 2u * *at + p;
}

/* Returns the ready warps of a scheduler that have waited long enough to go first. */
static uint64_t starving(const struct hd_warp *m, const struct hd_warp_in *in, uint64_t ready) {
  uint64_t set = 0;
  if (in->policy != HD_WPOLICY_LWF) return 0;
  for (; ready; ready &= ready - 1)
    if (m->waited[hd_lowest(ready)] == m->cfg.wait) hd_bit_set(&set, hd_lowest(ready));
  return set;
}

static unsigned choose(const struct hd_warp *m, const struct hd_warp_in *in, unsigned p, uint64_t ready) {
  const unsigned last = 2u * m->last[p] + p;
  const bool again = m->held[p] && hd_bit(&ready, last);
  switch (in->policy) {
    case HD_WPOLICY_RR:
      return in_turn(m, p, ready);
    case HD_WPOLICY_GRR:
      return again ? last : in_turn(m, p, ready);
    case HD_WPOLICY_GTO:
      return again ? last : oldest(m, in, ready);
    default:
      return first_listed(m, p, ready);
  }
}

/* The choice of one scheduler; adds the chosen warp to *issued. */
static void issue(struct hd_warp *m, const struct hd_warp_in *in, const struct warps *w, unsigned p, uint64_t *issued) {
  const uint64_t ready = w->ready & even << p, first = starving(m, in, ready);
  m->shown.issue_valid[p] = ready != 0;
  m->shown.issue_warp[p] = 0;
  m->shown.starved[p] = first != 0;
  m->shown.stalled[p] = !ready && (w->valid & even << p);
  if (ready) {
    const unsigned warp = choose(m, in, p, first ? first : ready);
    m->shown.issue_warp[p] = (uint8_t)warp;
    m->last[p] = (uint8_t)(warp / 2);
    m->held[p] = 1;
    hd_bit_set(issued, warp);
  } else if (!hd_bit(&w->valid, 2u * m->last[p] + p)) {
    m->held[p] = 0;
  }
}

/* ---- lists ---- */

/* Returns true if a precedes b in a list made in this cycle. */
static bool before(const struct hd_warp *m, const struct hd_warp_in *in, uint64_t valid, unsigned a, unsigned b) {
  const bool valid_a = hd_bit(&valid, a), valid_b = hd_bit(&valid, b);
  if (valid_a != valid_b) return valid_a;
  if (valid_a) {
    const unsigned rank_a = m->rank[in->warp_slot[a]], rank_b = m->rank[in->warp_slot[b]];
    if (!in->one_list && rank_a != rank_b) return rank_a < rank_b;
    if (m->count[a] != m->count[b]) return m->count[a] > m->count[b];
  }
  return a < b;
}

static void sort(struct hd_warp *m, const struct hd_warp_in *in, uint64_t valid, unsigned p) {
  uint8_t *at = m->next[p].at;
  for (unsigned i = 0; i < m->cfg.per_sched; i++) {
    unsigned k = i;
    for (; k && before(m, in, valid, 2 * i + p, 2u * at[k - 1] + p); k--) at[k] = at[k - 1];
    at[k] = (uint8_t)i;
  }
}

/* A sample is taken in the first cycle of a pass, and used from the end of its last cycle on. */
static void pass(struct hd_warp *m, const struct hd_warp_in *in, uint64_t valid) {
  for (unsigned p = 0; p < HD_WARP_SCHEDS; p++) {
    if (m->phase == 0) sort(m, in, valid, p);
    if (m->phase == HD_WARP_PASS - 1) m->order[p] = m->next[p];
  }
  m->phase = (m->phase + 1) % HD_WARP_PASS;
}

/* ---- counts ---- */

static void wait(struct hd_warp *m, const struct warps *w, uint64_t issued) {
  for (unsigned k = 0; k < m->cfg.warps; k++) {
    if (!hd_bit(&w->valid, k) || hd_bit(&issued, k))
      m->waited[k] = 0;
    else if (hd_bit(&w->ready, k))
      m->waited[k] += m->waited[k] < m->cfg.wait;
  }
}

/* Returns the slots with a warp whose count would overflow: the counts of all their warps are halved. */
static uint64_t overflows(const struct hd_warp *m, const struct hd_warp_in *in, uint64_t stalls) {
  uint64_t slots = 0;
  for (; stalls; stalls &= stalls - 1) {
    const unsigned w = hd_lowest(stalls);
    if (m->count[w] + 1u == m->cfg.end) hd_bit_set(&slots, in->warp_slot[w]);
  }
  return slots;
}

static void count(struct hd_warp *m, const struct hd_warp_in *in, const struct warps *w) {
  const uint64_t halved = overflows(m, in, w->stalls);
  for (unsigned k = 0; k < m->cfg.warps; k++) {
    uint32_t sum = hd_bit(&w->valid, k) ? m->count[k] : 0;
    sum += hd_bit(&w->stalls, k);
    if (sum && hd_bit(&halved, in->warp_slot[k])) sum /= 2;
    m->count[k] = (uint16_t)sum;
  }
}

/* ---- the edge ---- */

/* The slot's TB becomes the youngest. */
static void assign(struct hd_warp *m, unsigned slot) {
  const unsigned rank = m->rank[slot];
  for (unsigned s = 0; s < m->cfg.slots; s++) m->rank[s] -= m->rank[s] > rank;
  m->rank[slot] = (uint8_t)(m->cfg.slots - 1);
}

void hd_warp_tick(struct hd_warp *m, const struct hd_warp_in *in) {
  const struct warps w = see(m, in);
  uint64_t issued = 0;
  for (unsigned p = 0; p < HD_WARP_SCHEDS; p++) issue(m, in, &w, p, &issued);
  pass(m, in, w.valid);
  wait(m, &w, issued);
  count(m, in, &w);
  if (in->assign_valid) assign(m, in->assign_slot);
}

void hd_warp_arch(const struct hd_warp *m, struct hd_warp_arch *a, bool tables) {
  const unsigned n = m->cfg.per_sched;
  (void)tables;
  memset(a, 0, sizeof *a);
  a->phase = m->phase;
  memcpy(a->rank, m->rank, sizeof m->rank);
  memcpy(a->count, m->count, sizeof m->count);
  memcpy(a->waited, m->waited, sizeof m->waited);
  for (unsigned p = 0; p < HD_WARP_SCHEDS; p++) memcpy(a->order + p * n, m->order[p].at, n);
  memcpy(a->last, m->last, sizeof m->last);
  memcpy(a->held, m->held, sizeof m->held);
}
