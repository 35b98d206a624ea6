/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "fcfs.h"

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
  (void)in; /* all outputs come from registers */
  hd_bits_to_bytes(out->marked, m->marked, m->cfg.num_kde);
  out->head_valid = m->count > 0;
  out->head_kdei = m->count > 0 ? m->order[0] : 0;
  out->next_valid = m->count > 1;
  out->next_kdei = m->count > 1 ? m->order[1] : 0;
}

void hd_fcfs_step(struct hd_fcfs *m, int enter_kdei, bool unmark) {
  if (unmark) {
    hd_bit_clear(m->marked, m->order[0]);
    m->count--;
    memmove(m->order, m->order + 1, m->count);
    m->order[m->count] = 0;
  }
  if (enter_kdei >= 0) {
    m->order[m->count++] = (uint8_t)enter_kdei;
    hd_bit_set(m->marked, (unsigned)enter_kdei);
  }
}

void hd_fcfs_tick(struct hd_fcfs *m, const struct hd_fcfs_in *in) {
  hd_fcfs_step(m, in->enter_valid && in->enter_ready ? in->enter_kdei : -1, in->unmark);
}

void hd_fcfs_arch(const struct hd_fcfs *m, struct hd_fcfs_arch *a, bool tables) {
  (void)tables;
  a->count = (uint8_t)m->count;
  memcpy(a->order, m->order, m->cfg.num_kde);
}
