/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "dispatch/pq.h"

#include <string.h>

/* Bytes of a bank with `depth` places. */
static size_t bytes(uint32_t depth) {
  return sizeof(struct hd_pq) + depth * sizeof(struct hd_pq_row);
}

size_t hd_pq_size(const struct hd_cfg *cfg) {
  return bytes(cfg->pq_depth);
}

void hd_pq_init(struct hd_pq *m, const struct hd_cfg *cfg) {
  m->cfg = (struct hd_pq_cfg){.depth = cfg->pq_depth, .max_level = cfg->max_level, .line = cfg->spill_line};
  hd_pq_reset(m);
}

void hd_pq_reset(struct hd_pq *m) {
  memset((char *)m + sizeof m->cfg, 0, bytes(m->cfg.depth) - sizeof m->cfg);
  for (unsigned i = 0; i < m->cfg.depth; i++) hd_bit_set(m->free, i);
}

void hd_pq_eval(const struct hd_pq *m, const struct hd_pq_in *in, struct hd_pq_out *out) {
  memset(out, 0, sizeof *out);
  out->push_ready = hd_pq_room(m) > 0;
  out->room = (uint8_t)hd_pq_room(m);
  out->front_valid = hd_pq_any(m);
  if (!out->front_valid) return;
  out->front = *hd_pq_front(m);
  out->front_nextbl = hd_pq_nextbl(m);
  out->front_last = hd_pq_last(m);
  out->front_need = in->need[out->front.kdei];
}

/* Hands out a TB of the first entry; with its last TB the entry leaves its level and its place. */
static void hand_out(struct hd_pq *m) {
  unsigned level = hd_pq_level(m), place = hd_pq_place(m);
  struct hd_pq_queue *q = &m->queue[level - 1];
  struct hd_pq_row *r = &m->row[place];
  if (!hd_pq_last(m)) {
    r->nextbl++;
    return;
  }
  q->head = r->next;
  if (!--q->count) {
    q->tail = 0;
    m->levels &= ~(1u << (level - 1));
  }
  memset(r, 0, sizeof *r);
  hd_bit_set(m->free, place);
  m->used--;
}

/* Sets the places of the first four entries. Returns how many exist. */
static unsigned first_four(const struct hd_pq *m, unsigned *place) {
  unsigned n = 0;
  for (unsigned l = m->cfg.max_level; l-- > 0;) {
    unsigned p = m->queue[l].head;
    for (unsigned k = 0; k < m->queue[l].count && n < 4; k++) {
      place[n++] = p;
      p = m->row[p].next;
    }
  }
  return n;
}

/* The RTL keeps the next TBs of the first three entries in registers; a new entry among them moves the third to its
 * row. */
static void wrote_nextbl(struct hd_pq *m, unsigned place) {
  unsigned first[4], n = first_four(m, first);
  if (n < 4) return;
  bool among = place == first[0] || place == first[1] || place == first[2];
  hd_wrote(&m->wrote[2], among ? first[3] : place);
}

/* Appends an entry as the last of its level. */
static void append(struct hd_pq *m, const struct hd_pqentry *e, uint32_t nextbl, unsigned place) {
  unsigned i = (e->level - 1u) % HD_MAX_MAX_LEVEL; /* always within bounds */
  struct hd_pq_queue *q = &m->queue[i];
  if (q->count++) {
    m->row[q->tail].next = (uint8_t)place;
    hd_wrote(&m->wrote[1], q->tail);
  } else {
    q->head = (uint8_t)place;
    m->levels |= 1u << i;
  }
  q->tail = (uint8_t)place;
  m->row[place].entry = *e;
  hd_wrote(&m->wrote[0], place);
  m->row[place].nextbl = nextbl;
  hd_bit_clear(m->free, place);
  m->used++;
  wrote_nextbl(m, place);
}

void hd_pq_step(struct hd_pq *m, const struct hd_pqentry *push, uint32_t nextbl, bool push_kept, bool take) {
  const bool accepted = push && (push_kept || hd_pq_room(m) > 0);
  /* before the take, which frees its place only for the next cycle */
  const int place = accepted ? hd_bits_first(m->free, HD_PQ_WORDS) : -1;
  if (take && hd_pq_any(m)) hand_out(m);
  if (place < 0) return;
  append(m, push, nextbl, (unsigned)place);
  m->kept = (uint8_t)(m->kept - push_kept);
}

void hd_pq_keep(struct hd_pq *m, bool reserve, unsigned release) {
  m->kept = (uint8_t)(m->kept + (reserve ? m->cfg.line : 0) - release);
}

void hd_pq_tick(struct hd_pq *m, const struct hd_pq_in *in) {
  hd_pq_step(m, in->push_valid ? &in->push : NULL, in->push_nextbl, in->push_kept, in->take);
  hd_pq_keep(m, in->reserve, in->release);
}

void hd_pq_arch_row(const struct hd_pq *m, unsigned row, struct hd_pq_arch *a) {
  const struct hd_pq_row *r = &m->row[row];
  unsigned first[4], n = first_four(m, first);
  bool used = !hd_bit(m->free, row), here = true;
  for (unsigned k = 0; k < n && k < 3; k++) here &= row != first[k];
  a->row_valid[row] = used;
  a->row[row] = r->entry;
  a->link_row_valid[row] = used && m->queue[r->entry.level - 1].tail != row;
  a->link_row[row] = r->next;
  a->nextbl_row_valid[row] = used && here;
  a->nextbl_row[row] = used && here ? r->nextbl : 0;
}

void hd_pq_arch(const struct hd_pq *m, struct hd_pq_arch *a, bool tables) {
  uint64_t used[HD_PQ_WORDS];
  for (unsigned k = 0; k < HD_PQ_WORDS; k++) used[k] = ~m->free[k];
  hd_bits_to_bytes(a->used, used, m->cfg.depth);
  a->kept = m->kept;
  for (unsigned l = 0; l < m->cfg.max_level; l++) a->level_count[l] = m->queue[l].count;
  unsigned first[4] = {0}, n = first_four(m, first);
  const struct hd_pqentry *second = &m->row[first[1]].entry;
  a->front_valid = n > 0;
  a->front_place = (uint8_t)first[0];
  a->second_level = n > 1 ? second->level : 0;
  a->second_place = (uint8_t)first[1];
  a->second = n > 1 ? *second : (struct hd_pqentry){0};
  a->third_level = n > 2 ? m->row[first[2]].entry.level : 0;
  a->third_place = (uint8_t)first[2];
  for (unsigned row = 0; tables && row < m->cfg.depth; row++) hd_pq_arch_row(m, row, a);
}
