/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "host/fcfs.h"

#include <string.h>

size_t hd_fcfs_size(const struct hd_cfg *cfg) {
  return (sizeof(struct hd_fcfs) + cfg->num_kde + 7) / 8 * 8;
}

void hd_fcfs_init(struct hd_fcfs *m, const struct hd_cfg *cfg) {
  memset(m, 0, hd_fcfs_size(cfg));
  m->cfg = (struct hd_fcfs_cfg){.size = (uint32_t)hd_fcfs_size(cfg), .num_kde = cfg->num_kde};
  hd_fcfs_reset(m);
}

void hd_fcfs_reset(struct hd_fcfs *m) {
  memset((char *)m + sizeof m->cfg, 0, m->cfg.size - sizeof m->cfg);
}

void hd_fcfs_eval(const struct hd_fcfs *m, const struct hd_fcfs_in *in, struct hd_fcfs_out *out) {
  (void)in; /* all outputs are registered */
  hd_bits_to_bytes(out->marked, m->marked, m->cfg.num_kde);
  out->head.valid = m->count > 0;
  out->head.kdei = m->count > 0 ? m->order[0] : 0;
  out->next.valid = m->count > 1;
  out->next.kdei = m->count > 1 ? m->order[1] : 0;
}

/* Removes the oldest from the queue. */
static unsigned pop(struct hd_fcfs *m) {
  unsigned kdei = m->order[0];
  hd_bit_clear(m->marked, kdei);
  m->count--;
  memmove(m->order, m->order + 1, m->count);
  m->order[m->count] = 0;
  return kdei;
}

static void push(struct hd_fcfs *m, unsigned kdei) {
  m->order[m->count++] = (uint8_t)kdei;
  hd_bit_set(m->marked, kdei);
}

void hd_fcfs_step(struct hd_fcfs *m, const struct hd_fcfs_edge *e) {
  if (e->unmark) pop(m);
  if (e->rotate) push(m, pop(m));
  if (e->mark_kdei >= 0 && !hd_bit(m->marked, (unsigned)e->mark_kdei)) push(m, (unsigned)e->mark_kdei);
  if (e->enter_kdei >= 0) push(m, (unsigned)e->enter_kdei);
}

void hd_fcfs_tick(struct hd_fcfs *m, const struct hd_fcfs_in *in) {
  const struct hd_fcfs_edge e = {.unmark = in->sched_unmark,
                                 .rotate = in->sched_rotate,
                                 .mark_kdei = in->link_link.valid ? in->link_link.kdei : -1,
                                 .enter_kdei = in->kd_entry.valid && in->laperm_enter.mark ? in->kd_entry.kdei : -1};
  hd_fcfs_step(m, &e);
}

void hd_fcfs_arch(const struct hd_fcfs *m, struct hd_fcfs_arch *a, bool tables) {
  (void)tables;
  a->count = (uint8_t)m->count;
  memcpy(a->order, m->order, m->cfg.num_kde);
}
