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
      .prefetch_depth = cfg->prefetch_depth,
      .next_depth = cfg->next_depth,
      .max_level = cfg->max_level,
      .addr_mask = (UINT64_C(1) << cfg->addr_w) - 1,
  };
  hd_agt_reset(m);
}

void hd_agt_reset(struct hd_agt *m) {
  memset((char *)m + sizeof m->cfg, 0, m->cfg.size - sizeof m->cfg);
}

/* The first group of the walk that the scheduler has not taken; all 0 when it is not known. */
static struct hd_ptr successor(const struct hd_agt *m) {
  if (m->ahead_n) return m->ahead[0].self;
  if (m->rd_valid) return m->rd.self;
  if ((m->fetch.busy && !m->fetch.drop) || m->fetch.full) return m->fetch.ptr;
  return m->cursor_ptr;
}

void hd_agt_eval(const struct hd_agt *m, const struct hd_agt_in *in, struct hd_agt_out *out) {
  out->group_valid = m->wk_valid && m->ahead_n;
  out->group_kdei = out->group_valid ? m->wk_kdei : 0;
  out->group = out->group_valid ? m->ahead[0] : (struct hd_group){0};
  out->succ = successor(m);
  out->fetch_fail_valid = m->fail_valid;
  out->fetch_fail_kdei = m->fail_kdei;
  out->fetch_event = m->fetch_event;
  out->req_valid = m->fetch.req;
  out->req = (struct hd_memreq){0};
  if (!m->fetch.req) return;
  out->req.addr = ((uint64_t)in->rec_base * 256 + (uint64_t)m->fetch.ptr.index * 64) & m->cfg.addr_mask;
  /* The last beat is Next, which the last group of a list does not have yet: it may just be being written. */
  out->req.len = (uint8_t)(HD_RECORD_BEATS - 1 - m->fetch.last);
}

static bool same_ptr(const struct hd_ptr *a, const struct hd_ptr *b) {
  return a->onchip == b->onchip && a->index == b->index;
}

/* Is there a link event of this kernel? */
static bool links(const struct hd_agt_in *in, unsigned kdei) {
  return in->link_valid && in->link_kdei == kdei;
}

static void move_to(struct hd_agt *m, enum hd_agt_cursor cursor, const struct hd_ptr *ptr) {
  m->cursor = (uint8_t)cursor;
  m->cursor_ptr = ptr ? *ptr : (struct hd_ptr){0};
}

/* The last group of the list is being read: the one behind it, if there is one, is just being linked. */
static void move_past_last(struct hd_agt *m, const struct hd_agt_in *in) {
  if (links(in, m->wk_kdei))
    move_to(m, HD_AGT_AT, &in->link_ptr);
  else
    move_to(m, HD_AGT_TAIL, NULL);
}

static void push(struct hd_agt *m, const struct hd_group *g) {
  m->ahead[m->ahead_n++] = *g;
}

static void pop(struct hd_agt *m) {
  memmove(m->ahead, m->ahead + 1, (HD_AGT_AHEAD - 1) * sizeof *m->ahead);
  m->ahead[HD_AGT_AHEAD - 1] = (struct hd_group){0};
  m->ahead_n--;
}

static uint64_t at_most(uint64_t v, uint64_t max) {
  return v < max ? v : max;
}

/* What an AGE would hold of the record: param at byte 8, level at 27, dimensions at 32, TB count at 40. */
static struct hd_group group_of_record(const struct hd_agt *m) {
  const uint64_t *b = m->fetch.beat;
  struct hd_group g = {.self = m->fetch.ptr};
  g.info.param = b[1] >> 6 & ((UINT64_C(1) << 34) - 1);
  g.info.level = (uint8_t)at_most(b[3] >> 24 & 0xff, m->cfg.max_level);
  g.info.grid_x = (uint16_t)b[4];
  g.info.grid_y = (uint16_t)(b[4] >> 32);
  g.info.grid_z = (uint8_t)(b[4] >> 48);
  g.info.ctas = (uint32_t)b[5];
  return g;
}

/* The group behind it, at byte 48. */
static struct hd_ptr next_of_record(const struct hd_agt *m) {
  uint32_t next = (uint32_t)m->fetch.beat[6];
  return (struct hd_ptr){.onchip = next >> 31, .index = next & 0x7fffffff};
}

static void end_fetch(struct hd_agt *m) {
  m->fetch = (struct hd_agt_fetch){0};
}

/* Request and beats of a fetch; true when its last beat has come. They go on whatever happens to the walk. */
static bool fetch_goes_on(struct hd_agt *m, const struct hd_agt_in *in) {
  struct hd_agt_fetch *f = &m->fetch;
  m->fetch_event = f->req && in->req_ready;
  if (m->fetch_event) f->req = 0;
  if (!f->busy || !in->r_valid) return false;
  if (f->beats < HD_RECORD_BEATS) {
    f->beat[2 * f->beats] = in->r.lo;
    f->beat[2 * f->beats + 1] = in->r.hi;
    f->beats++;
  }
  f->error |= in->r.error;
  return in->r.last;
}

/* What was read ahead is not wanted any more. */
static void flush(struct hd_agt *m, bool fetch_ends) {
  memset(m->ahead, 0, sizeof m->ahead);
  m->ahead_n = 0;
  m->rd_valid = 0;
  m->rd = (struct hd_group){0};
  if (fetch_ends || !m->fetch.busy)
    end_fetch(m);
  else
    m->fetch.drop = 1;
}

/* The walk changes over to the kernel in the SSCR. */
static void change_kernel(struct hd_agt *m, const struct hd_agt_in *in) {
  unsigned kdei = in->cur_kdei;
  m->wk_valid = in->cur_valid;
  m->wk_kdei = in->cur_valid ? in->cur_kdei : 0;
  move_to(m, HD_AGT_IDLE, NULL);
  if (!in->cur_valid) return;
  if (in->pending[kdei])
    move_to(m, HD_AGT_AT, &in->nagei[kdei]);
  else if (links(in, kdei))
    move_to(m, HD_AGT_AT, &in->link_ptr);
}

/* A kernel without groups gets one, or the list was handed out completely. */
static void wait_for_link(struct hd_agt *m, const struct hd_agt_in *in) {
  unsigned kdei = m->wk_kdei;
  if (!m->wk_valid) return;
  if (m->cursor == HD_AGT_TAIL && !in->pending[kdei])
    move_to(m, HD_AGT_IDLE, NULL);
  else if (links(in, kdei))
    move_to(m, HD_AGT_AT, &in->link_ptr);
  else if (m->cursor == HD_AGT_IDLE && in->pending[kdei])
    move_to(m, HD_AGT_AT, &in->nagei[kdei]);
}

static void read_row(struct hd_agt *m, const struct hd_agt_in *in) {
  struct hd_ptr p = m->cursor_ptr;
  m->rd_valid = 1;
  m->rd = (struct hd_group){.self = p, .info = m->entry[p.index].info};
  if (same_ptr(&p, &in->lagei[m->wk_kdei]))
    move_past_last(m, in);
  else
    move_to(m, HD_AGT_AT, &m->entry[p.index].next);
}

static void start_fetch(struct hd_agt *m, const struct hd_agt_in *in) {
  struct hd_ptr p = m->cursor_ptr;
  bool last = same_ptr(&p, &in->lagei[m->wk_kdei]);
  m->fetch = (struct hd_agt_fetch){.ptr = p, .busy = 1, .req = 1, .last = last};
  if (last)
    move_past_last(m, in);
  else
    move_to(m, HD_AGT_WAIT, NULL);
}

/* The last beat of a wanted record is here. */
static void take_record(struct hd_agt *m) {
  bool good = !m->fetch.error && (uint32_t)m->fetch.beat[5] != 0;
  if (!good) {
    m->fail_valid = 1;
    m->fail_kdei = m->wk_kdei;
    move_to(m, HD_AGT_IDLE, NULL);
    end_fetch(m);
    return;
  }
  if (m->cursor == HD_AGT_WAIT) {
    struct hd_ptr next = next_of_record(m);
    move_to(m, HD_AGT_AT, &next);
  }
  m->fetch.busy = 0;
  m->fetch.full = 1;
}

/* Does a Next write of the record wait or lack its answer? */
static bool next_write_waits(const struct hd_agt *m, const struct hd_agt_in *in, uint32_t record) {
  for (unsigned k = 0; k < m->cfg.next_depth; k++)
    if (in->next_valid[k] && in->next_record[k] == record) return true;
  return false;
}

/* One step of the walk. Decisions look at the state at the start of the cycle. */
static void walk(struct hd_agt *m, const struct hd_agt_in *in, bool fetch_ends) {
  bool room = m->ahead_n + m->rd_valid < HD_AGT_AHEAD, idle = !m->fetch.busy && !m->fetch.full;
  bool was_read = m->rd_valid, wanted = in->waiting && !m->ahead_n;
  bool arrives = m->fetch.full && room;
  struct hd_group read = m->rd;
  m->rd_valid = 0;
  m->rd = (struct hd_group){0};
  if (m->cursor == HD_AGT_IDLE || m->cursor == HD_AGT_TAIL) {
    wait_for_link(m, in);
  } else if (m->cursor == HD_AGT_AT && idle) {
    if (m->cursor_ptr.onchip) {
      if (room) read_row(m, in);
    } else if (!was_read && (m->cfg.prefetch_depth || wanted) && !next_write_waits(m, in, m->cursor_ptr.index)) {
      start_fetch(m, in);
    }
  }
  if (in->group_pop) pop(m);
  if (was_read) push(m, &read);
  if (arrives) {
    read = group_of_record(m);
    push(m, &read);
    end_fetch(m);
  }
  if (!fetch_ends) return;
  if (m->fetch.drop)
    end_fetch(m);
  else
    take_record(m);
}

/* The kernel in the SSCR fails: it has no list any more. */
static bool fails(const struct hd_agt *m, const struct hd_agt_in *in) {
  bool any = m->fail_valid && m->fail_kdei == in->cur_kdei;
  for (unsigned k = 0; k < 2; k++) any |= in->fail_valid[k] && in->fail_kdei[k] == in->cur_kdei;
  return any && in->cur_valid;
}

/* Rows are written whatever the walk does; it never uses a row of the cycle in which it is written. */
static void write_rows(struct hd_agt *m, const struct hd_agt_in *in) {
  if (in->alloc_valid) {
    m->entry[in->alloc_index].info = m->a2_info;
    m->entry[in->alloc_index].has_info = 1;
    hd_wrote(&m->wrote[0], in->alloc_index);
  }
  if (in->link_valid && !in->link_first && in->link_prev.onchip) {
    m->entry[in->link_prev.index].next = in->link_ptr;
    m->entry[in->link_prev.index].has_next = 1;
    hd_wrote(&m->wrote[1], in->link_prev.index);
  }
  m->a2_info = in->a2_info;
}

void hd_agt_tick(struct hd_agt *m, const struct hd_agt_in *in) {
  bool same = m->wk_valid == in->cur_valid && (!in->cur_valid || m->wk_kdei == in->cur_kdei);
  bool fail = fails(m, in);
  bool fetch_ends = fetch_goes_on(m, in);
  m->fail_valid = m->fail_kdei = 0;
  if (!same) {
    flush(m, fetch_ends);
    change_kernel(m, in);
    if (fail) move_to(m, HD_AGT_IDLE, NULL);
  } else if (fail) {
    flush(m, fetch_ends);
    move_to(m, HD_AGT_IDLE, NULL);
  } else {
    walk(m, in, fetch_ends);
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
  a->cursor_ptr = m->cursor_ptr;
  a->fetch_busy = m->fetch.busy;
  a->fetch_drop = m->fetch.drop;
  a->fetch_full = m->fetch.full;
  for (unsigned row = 0; tables && row < m->cfg.agt_size; row++) hd_agt_arch_row(m, row, a);
}
