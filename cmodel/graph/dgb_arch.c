/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include <string.h>

#include "graph/dgb_inside.h"

static void arch_phase(const struct hd_dgb_regs *r, struct hd_dgb_arch *a) {
  a->phase = r->phase;
  a->start = r->phase ? r->start : (struct hd_dgbstart){0};
  a->finish_code = r->finish_code;
  a->finish_vid = r->finish_vid;
  a->running = r->running;
  a->quiet = r->quiet;
}

static void arch_window(const struct hd_dgb_regs *r, struct hd_dgb_arch *a) {
  a->tail = r->tail;
  a->edge_tail = r->edge_tail;
  a->limit = r->limit;
  a->head = r->head;
  a->head_start = r->head_start;
  a->look_valid = r->look_valid;
  a->look_end = r->look_valid ? r->look_end : 0;
  a->look_count = r->look_valid ? r->look_count : 0;
  a->big = r->big;
  a->big_vid = r->big ? r->big_vid : 0;
  a->take_valid = r->take_valid;
  a->take_place = r->take_valid ? r->take_place : 0;
  a->take_count = r->take_valid ? r->take_count : 0;
  a->here = r->here;
  a->prev_start = r->prev_start;
  a->prev_level = r->prev_level;
  a->rows_here = r->rows_here;
  a->cand_valid = r->cand_valid;
  a->cand = r->cand_valid ? r->cand : 0;
}

static void arch_mem(const struct hd_dgb_regs *r, struct hd_dgb_arch *a) {
  const struct hd_dgb_port *p = &r->port;
  a->ask = r->ask;
  a->chunk = r->part ? r->chunk : 0;
  a->chunk_early = r->part ? r->chunk_early : 0;
  a->part = r->part;
  a->rows_asked = r->rows_asked;
  a->spilled = r->spilled;
  a->zero = r->spilled ? r->zero : 0;
  a->early_state = r->early_state;
  a->early_beat = r->early_state ? r->early_beat : 0;
  a->early_mask = r->early_state ? r->early_mask : 0;
  a->op = p->op;
  a->op_write = p->op ? p->op_write : 0;
  a->op_update = p->op ? p->op_update : 0;
  a->op_addr = p->op ? p->op_addr : 0;
  a->op_len = p->op ? p->op_len : 0;
  a->op_strb = p->op ? p->op_strb : 0;
  a->op_beat = p->op_beat;
  a->writes = p->writes;
  a->reads = p->reads;
  a->first_read = p->first_read;
  a->beat = p->beat;
}

static void arch_walk(const struct hd_dgb *m, struct hd_dgb_arch *a) {
  const struct hd_dgb_regs *r = &m->r;
  a->a_valid = r->a_valid;
  a->a_place = r->a_valid ? r->a_place : 0;
  a->a_pos = r->a_valid ? r->a_pos : 0;
  a->a_left = r->a_valid ? r->a_left : 0;
  a->c_valid = r->c_valid;
  a->c_off = r->c_valid ? r->c_off : 0;
  a->c_count = r->c_valid ? r->c_count : 0;
  a->c_last = r->c_valid ? r->c_last : 0;
  a->c_vid = r->c_valid ? r->c_vid : 0;
  a->c_smx = r->c_valid ? r->c_smx : 0;
  a->d_valid = r->d_valid;
  a->d_last = r->d_valid ? r->d_last : 0;
  a->d_vid = r->d_valid ? r->d_vid : 0;
  a->d_smx = r->d_valid ? r->d_smx : 0;
  for (unsigned i = 0; i < m->cfg.lanes; i++) {
    a->d_lane[i] = r->d_lane[i];
    a->d_child[i] = r->d_lane[i] ? r->d_child[i] : 0;
  }
  memcpy(a->pub, hd_dgb_pub(m), m->cfg.pub * sizeof *a->pub);
}

/* The nodes from tail to here are in the LNA. */
static void arch_nodes(const struct hd_dgb *m, struct hd_dgb_arch *a) {
  const struct hd_dgb_regs *r = &m->r;
  for (unsigned p = 0; p < m->cfg.lna; p++) {
    bool loaded = hd_dgb_place(m, p - r->tail) < (unsigned)(r->here - r->tail);
    const struct hd_dgb_place *q = &m->place[p];
    a->node_state[p] = q->node_state;
    a->loaded[p] = loaded;
    a->parents[p] = loaded ? q->parents : 0;
    a->edge_start[p] = loaded ? q->edge_start : 0;
    a->step[p] = loaded ? q->step : 0;
    a->ids[p] = loaded ? hd_dgb_rows(m, HD_DGB_IDS)[hd_dgb_ids_row(m, p)].value : 0;
    a->last_smx[p] = loaded ? q->last_smx : 0;
  }
}

void hd_dgb_arch_row(const struct hd_dgb *m, unsigned row, struct hd_dgb_arch *a) {
  const struct hd_dgb_port *p = &m->r.port;
  if (row < m->cfg.lna) {
    const struct hd_dgb_row *level = hd_dgb_rows(m, HD_DGB_LEVELS) + row;
    a->level_row_valid[row] = level->wrote;
    a->level_row[row] = level->value;
  }
  if (row < m->cfg.lea) {
    const struct hd_dgb_row *edge = hd_dgb_rows(m, HD_DGB_LEA) + row;
    a->lea_row_valid[row] = edge->wrote;
    a->lea_row[row] = edge->value;
  }
  if (row >= m->cfg.flight) return;
  a->read_row_valid[row] = (row + m->cfg.flight - p->first_read) % m->cfg.flight < p->reads;
  a->read_row[row] = a->read_row_valid[row] ? m->read_row[row] : 0;
}

void hd_dgb_arch(const struct hd_dgb *m, struct hd_dgb_arch *a, bool tables) {
  arch_phase(&m->r, a);
  arch_window(&m->r, a);
  arch_mem(&m->r, a);
  arch_walk(m, a);
  arch_nodes(m, a);
  unsigned rows = m->cfg.lna > m->cfg.lea ? m->cfg.lna : m->cfg.lea;
  if (rows < m->cfg.flight) rows = m->cfg.flight;
  for (unsigned row = 0; tables && row < rows; row++) hd_dgb_arch_row(m, row, a);
}
