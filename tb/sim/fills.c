/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "sim/fills.h"

#include <stdlib.h>
#include <string.h>

#include "common/bits.h"

uint32_t hd_fills_pub(const struct hd_dgb_arch *a, const struct hd_cfg *c) {
  uint32_t rows = 0;
  for (uint32_t k = 0; k < c->pub; k++) rows += a->pub[k] != 0;
  return rows;
}

static uint32_t entries(const struct hd_laperm_arch *a, const struct hd_cfg *c) {
  uint32_t sum = 0;
  for (uint32_t level = 0; level < c->max_level; level++) sum += a->live[level];
  return sum;
}

static uint32_t overflowed(const struct hd_ovfq_arch *a, const struct hd_cfg *c) {
  uint32_t sum = 0;
  for (uint32_t k = 0; k < c->num_kde; k++) sum += a->count[k];
  return sum;
}

/* Returns the number of used places in memory. */
static uint32_t places(const struct hd_memq_arch *a) {
  return (uint32_t)(a->fresh - a->chained);
}

/* With a ring of freed entries (hash 2) the number of used entries is not visible; counts entries ever used instead. */
static uint32_t groups(const struct hd_link_arch *a, const struct hd_cfg *c) {
  return c->agt_hash == 2 ? a->fresh : hd_bytes_sum(a->valid, c->agt_size);
}

static const char *groups_name(const struct hd_cfg *c) {
  return c->agt_hash == 2 ? "AGT entries used so far" : "AGT entries in use";
}

/* One row per table: block, name, capacity (of configuration c), occupancy (of state a). These are the occupancies that
 * waveform views show (rtl/pkg/views.csv), and those of queues in memory. */
#define TABLES(X)                                                                                                   \
  X("kmu", "launches in the HWQs", (uint64_t)c->num_hwq * c->hwq_depth, hd_bytes_sum(a->kmu.hwq_count, c->num_hwq)) \
  X("kd", "kernels in the KD", c->num_kde, hd_bytes_sum(a->kd.valid, c->num_kde))                                   \
  X("fcfs", "kernels with TBs to hand out", c->num_kde, a->fcfs.count)                                              \
  X("laperm", "entries in priority queues", (uint64_t)c->num_bank * c->pq_depth, entries(&a->laperm, c))            \
  X("spill", "groups in memory for banks", 0, a->spill.memring.used)                                                \
  X("spill", "groups being read back", c->spill_flight, a->spill.outs)                                              \
  X("link", groups_name(c), c->agt_hash == 2 ? 0 : c->agt_size, groups(&a->link, c))                                \
  X("agt", "groups read ahead", 3, a->agt.gq_count)                                                                 \
  X("agc", "overflow slots in use", c->ovf_slots, hd_bytes_sum(a->agc.ovf_used, c->ovf_slots))                      \
  X("ovfq", "overflowed groups", 0, overflowed(&a->ovfq, c))                                                        \
  X("ovfq", "overflowed groups on chip", c->ovfq_rows, a->ovfq.used)                                                \
  X("kin", "parent records", c->num_kin, hd_bytes_sum(a->kin.valid, c->num_kin))                                    \
  X("pool", "launched device kernels without a row", 2, a->pool.waiting)                                            \
  X("pool", "device kernels on chip", c->pool_depth, hd_bytes_sum(a->pool.row_used, c->pool_depth))                 \
  X("pool", "device kernels in memory", c->pool_rows, places(&a->pool.memq))                                        \
  X("susp", "saves without an answer", 2, a->susp.save_count)                                                       \
  X("dgb", "nodes in the LNA", c->lna, hd_bytes_sum(a->dgb.loaded, c->lna))                                         \
  X("dgb", "rows of the PUB in use", c->pub, hd_fills_pub(&a->dgb, c))                                              \
  X("dgb", "TBs of a graph that run", c->resident, a->dgb.running)

bool hd_fills_open(struct hd_fills *f, const struct hd_cfg *c) {
#define TABLE(block, what, of, in) {block, what, of},
  *f = (struct hd_fills){.table = {TABLES(TABLE)}, .every = 1};
#undef TABLE
  f->sample = calloc(HD_FILLS_MOST, sizeof *f->sample);
  return f->sample != NULL;
}

static void larger(uint32_t *of, const uint32_t *and) {
  for (unsigned t = 0; t < HD_FILLS_TABLES; t++)
    if (and[t] > of[t]) of[t] = and[t];
}

/* Merges pairs of samples: half as many, each of twice as many cycles. */
static void halve(struct hd_fills *f) {
  for (uint32_t k = 0; k < f->n; k += 2) {
    memmove(f->sample[k / 2], f->sample[k], sizeof *f->sample);
    if (k + 1 < f->n) larger(f->sample[k / 2], f->sample[k + 1]);
  }
  f->n = (f->n + 1) / 2;
  f->every *= 2;
}

void hd_fills_add(struct hd_fills *f, uint64_t now, const struct hd_top_arch *a, const struct hd_cfg *c) {
#define IN(block, what, of, in) (uint32_t)(in),
  const uint32_t in[] = {TABLES(IN)};
#undef IN
  _Static_assert(sizeof in == sizeof f->most, "one number per table");
  while (now / f->every >= HD_FILLS_MOST) halve(f);
  if (f->next < f->n * f->every) larger(f->sample[f->n - 1], in);
  while (f->n <= now / f->every) memcpy(f->sample[f->n++], in, sizeof in);
  larger(f->most, in);
  f->next = now + 1;
}

void hd_fills_free(struct hd_fills *f) {
  free(f->sample);
  *f = (struct hd_fills){0};
}
