/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#define HAS_GHOST
static struct ghost {
  uint8_t late[HD_MAX_WARPS_PER_SMX]; /* cycles in which the warp went behind another, though it had waited enough */
} ghost;

enum { KEYS = 2 * ((HD_MAX_WARPS_PER_SCHED + 1) / 2) };

/* Each number below n is there once. */
static void permutation_invariant(const uint8_t *number, unsigned n) {
  uint64_t there = 0;
  for (unsigned i = 0; i < n; i++) {
    CHECK(number[i] < n && !(there >> number[i] & 1), "each once");
    there |= UINT64_C(1) << number[i];
  }
}

/* The steps of the network that remain sort its keys as the model did in phase 0. */
static void sort_invariant(const MODEL *m, const BIT *key_q, unsigned p) {
  const unsigned n = cfg.warps_per_sched + cfg.warps_per_sched % 2;
  const unsigned w = cfg.warp_class_w + cfg.stall_w + cfg.warp_pos_w;
  uint64_t key[KEYS];
  for (unsigned q = 0; q < n; q++) key[q] = get(key_q + (q + m->phase * (n - 1)) % n * w, w);
  for (unsigned k = m->phase; k < n; k++) {
    for (unsigned q = k % 2; q + 1 < n; q += 2) {
      if (key[q] <= key[q + 1]) continue;
      const uint64_t first = key[q + 1];
      key[q + 1] = key[q];
      key[q] = first;
    }
  }
  for (unsigned q = 0; q < n; q++) {
    CHECK(!q || key[q - 1] <= key[q], "sorted");
    CHECK(q >= cfg.warps_per_sched || (key[q] & ((1u << cfg.warp_pos_w) - 1)) == m->next[p].at[q], "as in the model");
  }
}

/* Progress: under lwf, a warp that has waited for WarpWait cycles goes behind each other warp of its scheduler once at
 * most. Those that went before it have waited for fewer cycles since. */
static void progress_invariant(const MODEL *m) {
  for (unsigned w = 0; w < cfg.warps_per_smx; w++) {
    unsigned gone = 0;
    for (unsigned k = w % HD_WARP_SCHEDS; k < cfg.warps_per_smx; k += HD_WARP_SCHEDS)
      gone += k != w && m->waited[k] < ghost.late[w];
    CHECK(ghost.late[w] <= gone && gone < cfg.warps_per_sched, "behind each other warp once");
    CHECK(!ghost.late[w] || m->waited[w] == cfg.warp_wait, "it has waited");
  }
}

static void invariant(const MODEL *m) {
  permutation_invariant(m->rank, cfg.ctas_per_smx);
  CHECK(m->phase < HD_WARP_PASS, "phase");
  for (unsigned w = 0; w < cfg.warps_per_smx; w++)
    CHECK(m->count[w] < 1u << cfg.stall_w && m->waited[w] <= cfg.warp_wait, "counts");
  for (unsigned p = 0; p < HD_WARP_SCHEDS; p++) {
    CHECK(m->last[p] < cfg.warps_per_sched && m->held[p] <= 1, "the last");
    permutation_invariant(m->order[p].at, cfg.warps_per_sched);
    if (!m->phase) continue;
    permutation_invariant(m->next[p].at, cfg.warps_per_sched);
    sort_invariant(m, p ? rtl_g_sched_1__u_sort_key_q : rtl_g_sched_0__u_sort_key_q, p);
  }
  progress_invariant(m);
}

static void contract(const MODEL *m, const IN *in) {
  MODEL after = *m;
  hd_warp_tick(&after, in);
  for (unsigned w = 0; w < cfg.warps_per_smx; w++) {
    const _Bool ready = in->warp_valid[w] && in->warp_ready[w], waited = m->waited[w] == cfg.warp_wait;
    const _Bool late = in->policy == HD_WPOLICY_LWF && ready && waited && after.waited[w];
    ghost.late[w] = late ? ghost.late[w] + 1 : 0;
  }
}
