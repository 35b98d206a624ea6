/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* pool: its architectural state, with the names of rtl/family/pool/pool.csv. */
#include <string.h>

#include "family/pool.h"

void hd_pool_arch_row(const struct hd_pool *m, unsigned row, struct hd_pool_arch *a) {
  if (row >= m->cfg.pool_depth) return;
  a->front_row_valid[row] = m->here >> row & 1;
  a->front_row[row] = a->front_row_valid[row] ? m->row[row] : (struct hd_devk){0};
}

void hd_pool_arch_own(const struct hd_pool *m, struct hd_pool_arch *a, bool tables) {
  a->waiting = m->waiting;
  a->putting = m->putting;
  hd_bits_to_bytes(a->chip_valid, m->chip_valid, m->cfg.num_queues);
  a->join = m->join;
  a->join_queue = m->join_queue;
  for (unsigned q = 0; q < m->cfg.num_queues; q++) {
    a->chip_first[q] = a->chip_valid[q] ? m->first[q] : 0;
    a->chip_last[q] = a->chip_valid[q] ? m->last[q] : 0;
  }
  hd_bits_to_bytes(a->row_used, &m->used, m->cfg.pool_depth);
  hd_bits_to_bytes(a->here, &m->here, m->cfg.pool_depth);
  hd_bits_to_bytes(a->lost, &m->lost, m->cfg.pool_depth);
  hd_bits_to_bytes(a->busy, &m->busy, m->cfg.num_streams);
  a->head = m->head;
  a->head_queue = m->head_queue;
  a->pick_ptr = m->pick_ptr;
  a->get_ptr = m->get_ptr;
  memcpy(a->mem_level, m->mem_level, m->cfg.num_streams);
  for (unsigned row = 0; tables && row < m->cfg.pool_depth; row++) hd_pool_arch_row(m, row, a);
}

void hd_pool_arch(const struct hd_pool *m, struct hd_pool_arch *a, bool tables) {
  hd_pool_arch_own(m, a, tables);
  hd_memq_arch(&m->memq, &a->memq, tables);
}
