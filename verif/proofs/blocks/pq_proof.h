/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* unwind: 7
 * sets: PqDepth=5 MaxLevel=3 */
#define HAS_GHOST
#include "../need.h"
static struct ghost {
  uint8_t list[HD_MAX_PQ_DEPTH + 1];   /* the places of the entries, the first one first */
  struct hd_need need[HD_MAX_NUM_KDE]; /* of the kernels that the entries name */
} ghost;

/* The level of the i-th entry, 0 without one. */
static unsigned level_of(const MODEL *m, unsigned i) {
  return i < m->used ? m->row[ghost.list[i]].entry.level : 0;
}

/* The list has each used place once, in the order of the levels. */
static void list_invariant(const MODEL *m) {
  unsigned used = 0;
  for (unsigned p = 0; p < cfg.pq_depth; p++) used += !hd_bit(m->free, p);
  CHECK(m->used == used && !(m->free[0] >> cfg.pq_depth), "used places");
  for (unsigned i = 0; i < cfg.pq_depth; i++) {
    const unsigned p = ghost.list[i], level = level_of(m, i);
    if (i >= m->used) continue;
    CHECK(p < cfg.pq_depth && !hd_bit(m->free, p), "a used place");
    CHECK(level >= 1 && level <= cfg.max_level && level >= level_of(m, i + 1), "highest level first");
    CHECK(m->row[p].entry.kdei < cfg.num_kde, "a kernel");
    for (unsigned j = 0; j < i; j++) CHECK(ghost.list[j] != p, "each place once");
  }
}

/* Each level has its part of the list. */
static void level_invariant(const MODEL *m) {
  for (unsigned l = 0; l < cfg.max_level; l++) {
    const struct hd_pq_queue *q = &m->queue[l];
    unsigned n = 0;
    for (unsigned i = 0; i < cfg.pq_depth; i++) n += level_of(m, i) == l + 1;
    CHECK(q->count == n && (m->levels >> l & 1) == (n > 0), "entries of a level");
    CHECK(!n || (REGS(u_levels_head_q, l, cfg.pq_w) == q->head && REGS(u_levels_tail_q, l, cfg.pq_w) == q->tail),
          "head and tail in the RTL");
  }
  CHECK(!(m->levels >> cfg.max_level), "levels");
  for (unsigned i = 0; i < cfg.pq_depth; i++) {
    const unsigned level = level_of(m, i), p = ghost.list[i];
    if (!level) continue;
    CHECK((i && level_of(m, i - 1) == level ? m->row[ghost.list[i - 1]].next : m->queue[level - 1].head) == p,
          "head or next");
    CHECK(level == level_of(m, i + 1) || m->queue[level - 1].tail == p, "tail");
  }
}

/* The first three entries are read ahead: this is the i-th, at place p. */
static void ahead_invariant(const MODEL *m, unsigned i, unsigned p) {
  const struct hd_pq_row *e = &m->row[p];
  const _Bool ram = REG(u_rows_third_ram_q);
  if (i == 0) {
    CHECK(REG(front_place_q) == p && REG(front_level_q) == e->entry.level, "the first");
    for (unsigned k = 0; k < cfg.num_kde; k++)
      CHECK(e->entry.kdei != k || same_need(rtl_front_need_q, &ghost.need[k]), "its need");
  } else if (i == 1) {
    CHECK(REG(second_place_q) == p && REG(second_level_q) == e->entry.level, "the second");
    CHECK((uint32_t)(REG(second_nextbl_q) + REG(second_more_q)) == e->nextbl, "its next TB");
  } else if (i == 2) {
    CHECK(REG(u_rows_third_place_q) == p && REG(u_rows_third_level_q) == e->entry.level, "the third");
    CHECK(ram ? same_pqentry(rtl_u_rows_u_row_rdata_q, &e->entry) : same_pqentry(rtl_u_rows_third_q, &e->entry),
          "its entry");
    CHECK((ram ? REG(u_rows_u_nextbl_rdata_q) : REG(u_rows_third_nextbl_q)) == e->nextbl, "its next TB");
    CHECK(!ram || get(rtl_u_rows_u_nextbl_mem_q[p], cfg.ctas_w) == e->nextbl, "and in its row");
    CHECK((REG(u_rows_third_link_ram_q) ? REG(u_rows_u_link_rdata_q) : REG(u_rows_third_link_q)) == e->next ||
              level_of(m, 3) != e->entry.level,
          "its link");
  }
}

static void invariant(const MODEL *m) {
  CHECK(m->used + m->kept <= cfg.pq_depth, "places");
  CHECK(REG(u_places_room_q) == cfg.pq_depth - m->used - m->kept && REG(kept_q) == m->kept, "room");
  list_invariant(m);
  level_invariant(m);
  for (unsigned i = 0; i < 3; i++)
    for (unsigned p = 0; p < cfg.pq_depth; p++)
      if (i < m->used && ghost.list[i] == p) ahead_invariant(m, i, p);
}

/* The list after this cycle. */
static void follow(const MODEL *m, const IN *in, _Bool push, _Bool leave) {
  unsigned at = m->used - leave;
  for (unsigned i = 0; leave && i < cfg.pq_depth; i++) ghost.list[i] = ghost.list[i + 1];
  if (!push) return;
  for (unsigned i = cfg.pq_depth; i-- > 0;) {
    if (i >= m->used - leave || m->row[ghost.list[i]].entry.level >= in->push.level) continue;
    ghost.list[i + 1] = ghost.list[i];
    at = i;
  }
  ghost.list[at] = (uint8_t)hd_bits_first(m->free, HD_PQ_WORDS);
}

static void contract(const MODEL *m, const IN *in) {
  const _Bool push = in->push_valid && (in->push_kept || hd_pq_room(m) > 0);
  const _Bool leave = in->take && hd_pq_any(m) && hd_pq_last(m);
  ASSUME(!in->push_valid || in->push.kdei < cfg.num_kde);
  for (unsigned k = 0; k < cfg.num_kde; k++) {
    _Bool named = 0;
    for (unsigned p = 0; p < cfg.pq_depth; p++) named |= !hd_bit(m->free, p) && m->row[p].entry.kdei == k;
    ASSUME(!named || equal_need(&in->need[k], &ghost.need[k]));
    if (!push || in->push.kdei != k) continue;
    ASSUME(!named || equal_need(&in->push_need, &ghost.need[k]));
    ghost.need[k] = in->push_need;
  }
  follow(m, in, push, leave);
}
