/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "graph/dgb_inside.h"

enum { NOWHERE = -1 };

/* ---- D: a group of children ---- */

static bool is_bad(const struct hd_dgb_regs *was, unsigned child) {
  return child <= was->d_vid || child >= was->start.node_count;
}

/* Returns true if the child's count can be decremented in place. */
static bool is_direct(const struct hd_dgb *m, const struct hd_dgb_step *s, unsigned child) {
  const struct hd_dgb_regs *was = s->was;
  if (!m->cfg.paper) return child < was->here;
  return child < was->head || (child == was->head && s->inserts);
}

static int free_row(const struct hd_dgb *m, const struct hd_dgb_step *s) {
  for (unsigned k = 0; k < m->cfg.pub; k++)
    if (!s->pub[k]) return (int)k;
  return NOWHERE;
}

/* Returns true if an update can be merged with those that go to memory: its chunk was not requested yet, and they are
 * in one beat. */
static bool can_merge(const struct hd_dgb *m, const struct hd_dgb_regs *was, unsigned child) {
  bool same = was->early_beat == child / HD_DGB_BEAT && !(was->early_mask >> child % HD_DGB_BEAT & 1);
  bool open = was->early_state == HD_DGB_NO_UPDATE || (was->early_state == HD_DGB_COLLECTS && same);
  return open && child >= was->ask && !m->cfg.paper;
}

static void merge(struct hd_dgb *m, struct hd_dgb_step *s, unsigned child) {
  const struct hd_dgb_regs *was = s->was;
  unsigned mask = was->early_state ? was->early_mask : 0;
  s->merges = true;
  m->r.early_event = 1;
  m->r.early_state = HD_DGB_COLLECTS;
  m->r.early_beat = (uint16_t)(child / HD_DGB_BEAT);
  m->r.early_mask = (uint8_t)(mask | 1u << child % HD_DGB_BEAT);
  if (was->spilled) return;
  m->r.spilled = 1;
  m->r.zero = was->ask;
}

/* Stores the update of a child that is not loaded. Returns false if it has to wait. */
static bool keep(struct hd_dgb *m, struct hd_dgb_step *s, unsigned child) {
  int row = free_row(m, s);
  if (row != NOWHERE) {
    hd_dgb_pub_put(m, (unsigned)row, (uint16_t)child);
    m->r.pub_event = 1;
    return true;
  }
  if (!can_merge(m, s->was, child)) return false;
  merge(m, s, child);
  return true;
}

/* Decrements the child's parent count. The PUB's updates of a node that was just inserted are counted in the same
 * cycle. */
static void report(struct hd_dgb *m, struct hd_dgb_step *s, unsigned child) {
  struct hd_dgb_place *p = &m->place[hd_dgb_place(m, child)];
  if (!p->parents) hd_dgb_fail(s, HD_GCODE_COUNT, s->was->d_vid);
  p->parents--;
  p->last_smx = s->was->d_smx;
}

/* Applies the updates for the node inserted in the previous cycle. */
static void take(struct hd_dgb *m, struct hd_dgb_step *s) {
  const struct hd_dgb_regs *was = s->was;
  if (!was->take_valid) return;
  struct hd_dgb_place *p = &m->place[was->take_place];
  bool below = p->parents < was->take_count, reported = false;
  for (unsigned i = 0; i < m->cfg.lanes; i++)
    reported |= was->d_lane[i] && !is_bad(was, was->d_child[i]) && is_direct(m, s, was->d_child[i]) &&
                hd_dgb_place(m, was->d_child[i]) == was->take_place;
  if (below) hd_dgb_fail(s, HD_GCODE_COUNT, reported ? was->d_vid : was->head - 1u);
  p->parents = (uint16_t)(p->parents - was->take_count);
}

/* Updates the children of D. Returns true if none is left. */
static bool step_children(struct hd_dgb *m, struct hd_dgb_step *s) {
  const struct hd_dgb_regs *was = s->was;
  bool kept = false, left = false;
  for (unsigned i = 0; i < m->cfg.lanes; i++) {
    unsigned child = was->d_child[i];
    bool done = true;
    if (!was->d_lane[i]) continue;
    if (is_bad(was, child)) {
      hd_dgb_fail(s, HD_GCODE_EDGE, was->d_vid);
    } else if (is_direct(m, s, child)) {
      report(m, s, child);
    } else {
      done = !kept && keep(m, s, child);
      kept = true; /* only the lowest */
    }
    m->r.d_lane[i] = !done;
    s->moves |= done;
    left |= !done;
  }
  return !left;
}

/* Returns the place of a child whose last parent D reports in this cycle, the one of the lowest lane, or NOWHERE. A
 * node that was just inserted is skipped: its PUB updates are counted in this cycle. */
int hd_dgb_ready_at_once(const struct hd_dgb *m, const struct hd_dgb_step *s) {
  const struct hd_dgb_regs *was = s->was;
  /* the end of the edges of the node at head is known */
  const bool known = !m->cfg.paper || was->head == was->start.node_count;
  for (unsigned i = 0; i < m->cfg.lanes; i++) {
    const unsigned child = was->d_child[i], place = hd_dgb_place(m, child);
    if (!was->d_lane[i] || is_bad(was, child) || child >= was->head || (!known && child + 1 == was->head)) continue;
    if (was->take_valid && was->take_place == place) continue;
    if (s->place[place].node_state == HD_GSTATE_HELD && s->place[place].parents == 1) return (int)place;
  }
  return NOWHERE;
}

/* D ends: its node is done, if these were its last children. */
static bool step_d(struct hd_dgb *m, struct hd_dgb_step *s) {
  const struct hd_dgb_regs *was = s->was;
  if (!was->d_valid || !step_children(m, s)) return false;
  s->moves = true;
  m->r.d_valid = 0;
  if (was->d_last) m->place[hd_dgb_place(m, was->d_vid)].node_state = HD_GSTATE_DONE;
  return true;
}

/* ---- C: edges just read ---- */

static void step_c(struct hd_dgb *m, const struct hd_dgb_step *s) {
  const struct hd_dgb_regs *was = s->was;
  m->r.d_valid = 1;
  m->r.d_last = was->c_last;
  m->r.d_vid = was->c_vid;
  m->r.d_smx = was->c_smx;
  for (unsigned i = 0; i < m->cfg.lanes; i++) {
    m->r.d_lane[i] = i < was->c_count;
    m->r.d_child[i] = was->c_edge[(was->c_off + i) % HD_DGB_BEAT];
  }
  m->r.c_valid = 0;
}

/* ---- A: a node ---- */

/* Reads eight edges from pos on, by bank. */
static void read_edges(struct hd_dgb *m, uint16_t pos) {
  for (unsigned i = 0; i < HD_DGB_BEAT; i++)
    m->r.c_edge[(pos + i) % HD_DGB_BEAT] = hd_dgb_rows(m, HD_DGB_LEA)[hd_dgb_lea_row(m, pos + i)].value;
}

/* Moves the next group of A to C, if its edges are loaded. Returns true if it was the last. */
static bool step_group(struct hd_dgb *m, const struct hd_dgb_step *s, bool c_free) {
  const struct hd_dgb_regs *was = s->was;
  uint16_t pos = was->a_pos, left = was->a_left;
  uint16_t n = left < m->cfg.lanes ? left : (uint16_t)m->cfg.lanes;
  bool here = (int16_t)(uint16_t)(HD_DGB_BEAT * was->rows_here - pos) >= (int)n, last = left <= m->cfg.lanes;
  if (!c_free || (n && !here)) return false;
  read_edges(m, pos);
  m->r.c_valid = 1;
  m->r.c_off = pos % HD_DGB_BEAT;
  m->r.c_count = (uint8_t)n;
  m->r.c_last = last;
  m->r.c_vid = hd_dgb_vid(m, was, was->a_place);
  m->r.c_smx = s->place[was->a_place].last_smx;
  m->r.a_pos = (uint16_t)(pos + n);
  m->r.a_left = (uint16_t)(left - n);
  if (was->big && was->tail == was->big_vid) m->r.edge_tail = (uint16_t)(pos + n);
  return last;
}

/* Returns the finished node with the smallest VID; a big one only if it is the oldest. */
static int find_finished(const struct hd_dgb *m, const struct hd_dgb_step *s) {
  const struct hd_dgb_regs *was = s->was;
  for (unsigned v = was->tail; v < was->head; v++) {
    unsigned place = hd_dgb_place(m, v);
    bool waits = was->big && was->tail != was->big_vid && place == hd_dgb_place(m, was->big_vid);
    if (s->place[place].node_state == HD_GSTATE_FINISHED && !waits) return (int)place;
  }
  return NOWHERE;
}

static int find_done(const struct hd_dgb *m, const struct hd_dgb_in *in) {
  for (unsigned s = 0; s < m->cfg.num_smx; s++)
    if (in->sched_node_done[s]) return in->sched_node_place[s];
  return NOWHERE;
}

/* A takes the next finished node, if there is one; otherwise one that is done in this cycle. */
static void take_node(struct hd_dgb *m, const struct hd_dgb_in *in, const struct hd_dgb_step *s) {
  int place = find_finished(m, s);
  if (place == NOWHERE && !s->was->big) place = find_done(m, in);
  m->r.a_valid = place != NOWHERE;
  if (!m->r.a_valid) return;
  m->r.a_place = (uint16_t)place;
  m->r.a_pos = s->place[place].edge_start;
  m->r.a_left = (uint16_t)(hd_dgb_end(m, s, hd_dgb_vid(m, s->was, (unsigned)place)) - m->r.a_pos);
  m->place[place].node_state = HD_GSTATE_PROCESSING;
}

void hd_dgb_walk_step(struct hd_dgb *m, const struct hd_dgb_in *in, struct hd_dgb_step *s) {
  const struct hd_dgb_regs *was = s->was;
  bool d_free = step_d(m, s) || !was->d_valid, c_goes = was->c_valid && d_free;
  take(m, s);
  if (c_goes) step_c(m, s);
  bool a_free = !was->a_valid || step_group(m, s, !was->c_valid || c_goes);
  for (unsigned k = 0; k < m->cfg.num_smx; k++)
    if (in->sched_node_done[k]) m->place[in->sched_node_place[k]].node_state = HD_GSTATE_FINISHED;
  if (a_free) take_node(m, in, s);
}
