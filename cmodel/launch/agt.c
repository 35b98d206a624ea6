/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "launch/agt.h"

#include <string.h>

size_t hd_agt_size(const struct hd_cfg *cfg) {
  return sizeof(struct hd_agt) + cfg->agt_size * sizeof(struct hd_agt_entry);
}

void hd_agt_init(struct hd_agt *m, const struct hd_cfg *cfg) {
  memset(m, 0, hd_agt_size(cfg));
  m->cfg = (struct hd_agt_cfg){
      .size = (uint32_t)hd_agt_size(cfg),
      .agt_size = cfg->agt_size,
      .age_mask = (1u << cfg->agt_w) - 1,
  };
  hd_agt_reset(m);
}

void hd_agt_reset(struct hd_agt *m) {
  memset((char *)m + sizeof m->cfg, 0, m->cfg.size - sizeof m->cfg);
}

/* ---- outputs ---- */

/* Returns the AGE of the group after the scheduler's, 0 if unknown. The value is not used for a group without an
 * AGE. */
static uint16_t successor(const struct hd_agt *m) {
  if (m->ahead_n) return (uint16_t)(m->ahead[0].self.index & m->cfg.age_mask);
  if (m->rd_valid) return (uint16_t)m->rd.self.index;
  return m->cursor_age;
}

/* Returns true if the walk belongs to the kernel in the SSCR. */
static bool walks(const struct hd_agt *m, const struct hd_agt_in *in) {
  return m->wk_valid == in->sched_sscr.valid && (!in->sched_sscr.valid || m->wk_kdei == in->sched_sscr.kdei);
}

/* Returns true if the kernel in the SSCR fails: its list is gone. */
static bool fails(const struct hd_agt_in *in) {
  bool any = false;
  for (unsigned k = 0; k < HD_MAX_NUM_FAIL; k++) any |= in->fails[k].valid && in->fails[k].kdei == in->sched_sscr.kdei;
  return any && in->sched_sscr.valid;
}

/* An overflowed group follows the whole chain. */
bool hd_agt_pops_over(const struct hd_agt *m, const struct hd_agt_in *in) {
  if (!in->ovfq_over.valid || !m->wk_valid || in->ovfq_over.kdei != m->wk_kdei) return false;
  if (m->rd_valid || m->ahead_n == HD_AGT_AHEAD || !walks(m, in) || fails(in)) return false;
  return m->cursor == HD_AGT_TAIL || (m->cursor == HD_AGT_IDLE && !in->link_chained[m->wk_kdei]);
}

void hd_agt_eval(const struct hd_agt *m, const struct hd_agt_in *in, struct hd_agt_out *out) {
  out->over_pop = hd_agt_pops_over(m, in);
  out->group.valid = m->wk_valid && m->ahead_n;
  out->group.kdei = out->group.valid ? m->wk_kdei : 0;
  out->group.group = out->group.valid ? m->ahead[0] : (struct hd_group){0};
  out->succ = successor(m);
}

/* ---- the walk ---- */

/* Returns true if a group joins the chain of this kernel. */
static bool links(const struct hd_agt_in *in, unsigned kdei) {
  return in->link_link.valid && in->link_link.kdei == kdei && !in->link_link.over;
}

static void move_to(struct hd_agt *m, enum hd_agt_cursor cursor, unsigned age) {
  m->cursor = (uint8_t)cursor;
  m->cursor_age = (uint16_t)age;
}

static void push(struct hd_agt *m, const struct hd_group *g) {
  m->ahead[m->ahead_n++] = *g;
}

static void pop(struct hd_agt *m) {
  memmove(m->ahead, m->ahead + 1, (HD_AGT_AHEAD - 1) * sizeof *m->ahead);
  m->ahead[HD_AGT_AHEAD - 1] = (struct hd_group){0};
  m->ahead_n--;
}

/* Discards everything read ahead. */
static void stop(struct hd_agt *m) {
  memset(m->ahead, 0, sizeof m->ahead);
  m->ahead_n = 0;
  m->rd_valid = 0;
  m->rd = (struct hd_group){0};
  move_to(m, HD_AGT_IDLE, 0);
}

/* Moves the walk to the kernel in the SSCR; without a chain, or if it fails, the walk is idle. */
static void change_kernel(struct hd_agt *m, const struct hd_agt_in *in, bool fail) {
  unsigned kdei = in->sched_sscr.kdei;
  m->wk_valid = in->sched_sscr.valid;
  m->wk_kdei = in->sched_sscr.valid ? in->sched_sscr.kdei : 0;
  if (!in->sched_sscr.valid || fail) return;
  if (in->link_chained[kdei])
    move_to(m, HD_AGT_AT, in->link_nagei[kdei]);
  else if (links(in, kdei))
    move_to(m, HD_AGT_AT, in->link_link.ptr.index);
}

/* Waits for the first group of a kernel without a chain, for a successor of the last group, or for the end of a chain
 * that is completely handed out. */
static void wait_for_link(struct hd_agt *m, const struct hd_agt_in *in) {
  unsigned kdei = m->wk_kdei;
  if (!m->wk_valid) return;
  if (links(in, kdei))
    move_to(m, HD_AGT_AT, in->link_link.ptr.index);
  else if (m->cursor == HD_AGT_TAIL && !in->link_chained[kdei])
    move_to(m, HD_AGT_IDLE, 0);
  else if (m->cursor == HD_AGT_IDLE && in->link_chained[kdei])
    move_to(m, HD_AGT_AT, in->link_nagei[kdei]);
}

/* The row of an AGE joins the groups read ahead in the next cycle. */
static void read_info(struct hd_agt *m, struct hd_ptr self) {
  m->rd_valid = 1;
  m->rd = (struct hd_group){.self = self, .info = m->entry[self.index].info};
}

/* Reads the group at the cursor. The successor of the last one may just be being linked. */
static void read_row(struct hd_agt *m, const struct hd_agt_in *in) {
  unsigned age = m->cursor_age;
  read_info(m, (struct hd_ptr){.onchip = 1, .index = age});
  if (age != in->link_lagei[m->wk_kdei])
    move_to(m, HD_AGT_AT, m->entry[age].next);
  else if (links(in, m->wk_kdei))
    move_to(m, HD_AGT_AT, in->link_link.ptr.index);
  else
    move_to(m, HD_AGT_TAIL, 0);
}

/* One step of the walk, decided from the state at the start of the cycle. */
static void walk(struct hd_agt *m, const struct hd_agt_in *in) {
  bool room = m->ahead_n + m->rd_valid < HD_AGT_AHEAD, over = hd_agt_pops_over(m, in);
  bool was_read = m->rd_valid;
  struct hd_group read = m->rd;
  m->rd_valid = 0;
  m->rd = (struct hd_group){0};
  if (m->cursor != HD_AGT_AT)
    wait_for_link(m, in);
  else if (room)
    read_row(m, in);
  if (over && in->ovfq_over.group.self.onchip) read_info(m, in->ovfq_over.group.self);
  if (in->sched_group_pop) pop(m);
  if (was_read) push(m, &read);
  if (over && !in->ovfq_over.group.self.onchip) push(m, &in->ovfq_over.group);
}

/* Rows are written regardless of the walk, which never uses a row in the cycle of its write. */
static void write_rows(struct hd_agt *m, const struct hd_agt_in *in) {
  if (in->link_alloc.valid) {
    m->entry[in->link_alloc.index].info = m->a2_info;
    m->entry[in->link_alloc.index].has_info = 1;
    hd_wrote(&m->wrote[0], in->link_alloc.index);
  }
  if (in->link_link.next) {
    m->entry[in->link_link.prev].next = (uint16_t)in->link_link.ptr.index;
    m->entry[in->link_link.prev].has_next = 1;
    hd_wrote(&m->wrote[1], in->link_link.prev);
  }
  m->a2_info = in->devq_group.info;
}

void hd_agt_tick(struct hd_agt *m, const struct hd_agt_in *in) {
  bool same = walks(m, in), fail = fails(in);
  if (same && !fail) {
    walk(m, in);
  } else {
    stop(m);
    if (!same) change_kernel(m, in, fail);
  }
  write_rows(m, in);
}

void hd_agt_arch_row(const struct hd_agt *m, unsigned row, struct hd_agt_arch *a) {
  a->info_row[row] = m->entry[row].info;
  a->info_row_valid[row] = m->entry[row].has_info;
  a->next_row[row] = m->entry[row].next;
  a->next_row_valid[row] = m->entry[row].has_next;
}

void hd_agt_arch(const struct hd_agt *m, struct hd_agt_arch *a, bool tables) {
  a->wk_valid = m->wk_valid;
  a->wk_kdei = m->wk_kdei;
  a->gq_count = m->ahead_n;
  a->rd_valid = m->rd_valid;
  a->cursor = m->cursor;
  a->cursor_age = m->cursor_age;
  for (unsigned row = 0; tables && row < m->cfg.agt_size; row++) hd_agt_arch_row(m, row, a);
}
