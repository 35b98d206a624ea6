/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "top/skip.h"

#include <string.h>

/* The blocks' states are laid out as in struct hd_top. The copy of a block that was not stepped is still up to date. */
struct hd_top_last {
  struct hd_regs regs, before; /* at the last call, and at the one before it */
  uint64_t edges[HD_TOP_NUMBERS], edges_before[HD_TOP_NUMBERS];
  uint64_t block[];
};

size_t hd_top_last_size(const struct hd_cfg *cfg) {
  return sizeof(struct hd_top_last) + hd_top_size(cfg) - sizeof(struct hd_top);
}

/* Returns how many bytes of a block's state are copied. For these blocks only the beginning is: it changes with each
 * change of the rows after it (kmu, agt, agc, the memq of pool and the memring of spill count the rows that they
 * write, laperm the steps of its banks; a kernel that leaves its row of the kmu closes its queue, which was open). */
static size_t kept(const struct hd_top *m, uint32_t at, size_t bytes) {
  if (at == m->kmu_at) return offsetof(struct hd_kmu, row);
  if (at == m->pool_at) return offsetof(struct hd_pool, memq.there);
  if (at == m->spill_at) return offsetof(struct hd_spill, memring.bad_valid);
  if (at == m->laperm_at) return offsetof(struct hd_laperm, bank);
  if (at == m->agt_at) return offsetof(struct hd_agt, entry);
  if (at == m->agc_at) return offsetof(struct hd_agc, handed);
  return bytes;
}

/* Copies a block to the words from `at` on, piece by piece. Returns true if it has not changed. */
static bool same(const struct hd_top *m, struct hd_top_last *last, uint32_t at, uint32_t end) {
  enum { PIECE = 512 };
  const char *now = (const char *)(m->block + at);
  char *was = (char *)(last->block + at);
  bool same = true;
  for (size_t left = kept(m, at, 8 * (size_t)(end - at)), n; left > 0; left -= n, now += n, was += n) {
    n = left < PIECE ? left : PIECE;
    if (memcmp(was, now, n) == 0) continue;
    memcpy(was, now, n);
    same = false;
  }
  return same;
}

/* Compares all registers but the counters; the cycle counter shows whether the last call was one cycle ago. */
static bool regs_same(const struct hd_regs *regs, const struct hd_regs *was) {
  struct hd_regs then = *was;
  const bool next = regs->count[HD_COUNT_CYCLES] == was->count[HD_COUNT_CYCLES] + 1;
  memcpy(then.count, regs->count, sizeof then.count);
  return next && memcmp(&then, regs, sizeof then) == 0;
}

bool hd_top_is_idle(const struct hd_top *m, struct hd_top_last *last) {
  const uint32_t end = (m->size - (uint32_t)sizeof *m) / 8;
#define AT(b) m->b##_at,
  const uint32_t at[] = {HD_TOP_BLOCKS(AT) end};
#undef AT
  last->before = last->regs;
  last->regs = *hd_top_regs(m);
  bool still = regs_same(&last->regs, &last->before);
  for (unsigned k = 0; k < HD_TOP_NUMBERS; k++) {
    last->edges_before[k] = last->edges[k];
    if (last->edges[k] == m->edges[k] || k == HD_TOP_NUMBER_regs) continue;
    still &= same(m, last, at[k], at[k + 1]);
  }
  memcpy(last->edges, m->edges, sizeof last->edges);
  return still;
}

void hd_top_skip(struct hd_top *m, struct hd_top_last *last, uint64_t n) {
  struct hd_regs *regs = (struct hd_regs *)(void *)(m->block + m->regs_at);
  hd_regs_skip(regs, &last->before, n);
  last->regs = *regs;
  for (unsigned k = 0; k < HD_TOP_NUMBERS; k++) m->edges[k] += n * (m->edges[k] - last->edges_before[k]);
  memcpy(last->edges, m->edges, sizeof last->edges);
}
