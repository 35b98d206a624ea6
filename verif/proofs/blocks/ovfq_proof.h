/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* unwind: 70
 * open: step */
#define HAS_GHOST
#include "launch/ovfq_inside.h"
/* Numbers instead of sums, which are hard for the solver: each row has what came before it. */
static struct ghost {
  uint8_t pushed[HD_MAX_NUM_KDE], answered[HD_MAX_NUM_KDE]; /* pointers, modulo 256 */
  uint8_t before_write[HD_MAX_NUM_KDE][HD_MAX_OVFQ_WRITES]; /* pushed before that of the row */
  uint8_t before_wait[HD_MAX_NUM_KDE][HD_MAX_OVFQ_FLIGHT];
  unsigned at[HD_MAX_OVFQ_FLIGHT];    /* first place of a read of the list */
  unsigned read_of[HD_MAX_OVFQ_ROWS]; /* the read of a row's record */
} ghost;

/* Places from b to a. */
static unsigned places(unsigned a, unsigned b) {
  return (a - b) & ((1u << cfg.list_pos_w) - 1);
}

static unsigned first_of_beat(unsigned place) {
  return place - place % HD_OVFQ_LANES;
}

static unsigned flight(unsigned first, unsigned n) {
  return (first + n) % cfg.ovfq_flight;
}

static _Bool writes(const MODEL *m) {
  return m->op == HD_OVFQ_WRITE || m->op == HD_OVFQ_BEAT;
}

/* ---- lists ---- */

/* Cycles until the list that is moved next to a resumed kernel is there. */
static unsigned until_in(const MODEL *m) {
  if (m->swap) return m->swap_in ? 1 : 3;
  return m->out_pending ? 4 : 2;
}

static void swap_invariant(const MODEL *m) {
  const unsigned apart = 8, take = REG(take_q), last = REG(last_q), before = REG(before_q), in = until_in(m);
  const unsigned kin = m->swap_in ? m->in_kin : m->out_kin;
  CHECK(take <= apart && last <= apart && before <= apart, "cycles since");
  CHECK(!m->swap || (m->swap_in ? m->in_pending : m->out_pending), "a swap is pending");
  CHECK(!m->late_pending || m->in_pending, "the second one waits for the first");
  CHECK(!m->out_pending || take <= (!m->swap ? 2u : m->swap_in ? 1u : 3u), "the list of a suspended kernel moves soon");
  CHECK(!m->in_pending || m->late_pending || last + in <= apart, "the list of a resumed kernel moves soon");
  CHECK(!m->late_pending || (before + in <= apart && last + in + 4 <= apart), "those of two move soon");
  if (m->swap && hd_bit(m->given, kin)) CHECK(REG(u_lists_u_kin_rdata_q) == m->kin_row[kin], "a list's number");
}

/* The bits of a mask: those of the last of all places, and all below, at least 6. */
static void mask_invariant(const MODEL *m) {
  const uint64_t last = m->rec_count + cfg.agt_size - 1;
  unsigned mask = HD_OVFQ_CHUNK - 1;
  for (unsigned i = 6; i < cfg.list_pos_w; i++) mask |= (unsigned)(last >> i != 0) << i;
  if (m->rec_count == UINT64_MAX) mask = HD_OVFQ_CHUNK - 1;
  CHECK(m->mask == mask && (m->rec_count == UINT64_MAX || m->rec_count >> 32 == 0), "mask");
}

/* A kernel's pointers without an answer: those in flight, then those queued; that of the operation is both. */
static void unanswered_invariant(const MODEL *m, unsigned k) {
  const unsigned queued = m->w_count - writes(m);
  uint8_t next = ghost.answered[k];
  for (unsigned i = 0; i < cfg.ovfq_flight; i++) {
    const unsigned row = flight(m->wait_first, i);
    if (i >= m->w_flight) continue;
    CHECK(ghost.before_wait[k][row] == next, "pointers before one in flight");
    next = (uint8_t)(ghost.before_wait[k][row] + (m->wait_row[row] == k));
  }
  for (unsigned i = 0; i < cfg.ovfq_writes; i++) {
    const unsigned row = (m->w_first + writes(m) + i) % cfg.ovfq_writes;
    if (i >= queued) continue;
    CHECK(ghost.before_write[k][row] == next, "pointers before one queued");
    next = (uint8_t)(ghost.before_write[k][row] + (m->write_row[row].owner == k));
  }
  CHECK(ghost.pushed[k] == next, "all pointers");
  CHECK(m->unans[k] == (uint8_t)(ghost.pushed[k] - ghost.answered[k]), "pointers without an answer");
  CHECK(m->unans[k] <= queued + m->w_flight, "no more than there are");
  if (writes(m)) {
    const unsigned last = flight(m->wait_first, m->w_flight - 1);
    CHECK(ghost.before_wait[k][last] == ghost.before_write[k][m->w_first], "the pointer written");
  }
}

static void write_invariant(const MODEL *m) {
  const unsigned room = REG(room_q);
  CHECK(m->w_count + (room & 1 ? 2u : room >> 1) <= cfg.ovfq_writes, "room");
  CHECK(m->w_first < cfg.ovfq_writes && m->w_flight <= cfg.ovfq_flight && m->wait_first < cfg.ovfq_flight, "rows");
  for (unsigned i = 0; i < cfg.ovfq_writes; i++)
    CHECK(i >= m->w_count || m->write_row[(m->w_first + i) % cfg.ovfq_writes].owner < cfg.num_kde, "owner");
  for (unsigned i = 0; i < cfg.ovfq_flight; i++)
    CHECK(i >= m->w_flight || m->wait_row[flight(m->wait_first, i)] < cfg.num_kde, "owner");
  for (unsigned k = 0; k < cfg.num_kde; k++) unanswered_invariant(m, k);
  CHECK(REG(u_answers_owed_q) == m->w_flight - writes(m), "answers");
  CHECK(REG(u_answers_left_q) == (m->op == HD_OVFQ_BEAT), "beats");
  if (REG(u_answers_owed_q)) CHECK(REG(u_flight_u_wait_rdata_q) == m->wait_row[m->wait_first], "the oldest");
}

static void operation_invariant(const MODEL *m) {
  const struct hd_ovfqwrite w = m->write_row[m->w_first];
  const unsigned lane = m->op_pos % HD_OVFQ_LANES;
  CHECK(REG(u_bursts_lane_q) == (m->op == HD_OVFQ_BEAT ? 1u << lane : 0), "lane");
  if (writes(m)) {
    CHECK(m->w_count && m->w_flight && m->op_pos == w.pos && !m->op_record && !m->op_len, "the pointer written");
    CHECK(m->wait_row[flight(m->wait_first, m->w_flight - 1)] == w.owner, "its entry");
  }
  if (!m->op) CHECK(!m->op_record && !m->op_len && !m->op_list && !m->op_index && !m->op_pos, "idle");
  if (m->op == HD_OVFQ_READ) CHECK(m->r_flight, "a read");
}

/* ---- reading ahead ---- */

/* A list is read, and does not stop in this cycle because a read failed. */
static _Bool walks(const MODEL *m) {
  return m->run && !m->fetch_fail_valid;
}

/* Beats less one of a read of n places. */
static unsigned length_of(unsigned place, unsigned n) {
  return (place % HD_OVFQ_LANES + n - 1) / HD_OVFQ_LANES;
}

static _Bool in_use(const MODEL *m, unsigned row) {
  return hd_ovfq_in_ring(row, m->row_out, m->used, cfg.ovfq_rows);
}

/* The row waits for its record. */
static _Bool waits(const MODEL *m, unsigned row) {
  return in_use(m, row) && !(m->done >> row & 1);
}

/* The reads in flight: without a walk, those of the last one. */
static void reads_invariant(const MODEL *m) {
  const unsigned n = cfg.ovfq_flight, asks = m->op == HD_OVFQ_READ, accepted = m->r_flight - asks;
  unsigned next = m->here, lengths[HD_MAX_OVFQ_FLIGHT];
  CHECK(m->r_flight <= n && m->read_first < n && REG(u_answers_reads_q) == accepted, "reads");
  CHECK(REG(u_answers_g_rows_first_q) == m->read_first, "the oldest");
  CHECK(REG(u_answers_g_rows_free_q) == flight(m->read_first, accepted), "row of the next read");
  CHECK(REG(u_answers_beat_q) == m->beat && (accepted || (!m->beat && !m->error)), "beat");
  if (accepted) {
    const struct hd_ovfqread oldest = m->read_row[m->read_first];
    CHECK(same_ovfqread(rtl_u_flight_u_read_rdata_q, &oldest), "the oldest");
  }
  for (unsigned row = 0; row < n; row++) lengths[row] = get(rtl_u_answers_g_rows_len_q[row], 3);
  for (unsigned i = 0; i < n; i++) {
    const unsigned row = flight(m->read_first, i), place = ghost.at[row];
    const struct hd_ovfqread read = m->read_row[row];
    const unsigned length = i < accepted ? lengths[row] : m->op_len;
    if (i >= m->r_flight) continue;
    CHECK(length < HD_OVFQ_RECORD_BEATS && (i || !accepted || m->beat <= length), "length");
    if (!walks(m)) continue;
    if (!read.oflist) {
      CHECK(length == HD_OVFQ_RECORD_BEATS - 1 && read.arg < cfg.ovfq_rows, "a record");
      CHECK(waits(m, read.arg) && ghost.read_of[read.arg] == row, "its row");
      continue;
    }
    const unsigned last = place + read.arg - 1;
    CHECK(place == next, "places before a read");
    CHECK(read.arg && read.arg <= 8 - place % 8 && length == length_of(place, read.arg), "places");
    CHECK(places(first_of_beat(last) + HD_OVFQ_LANES, first_of_beat(m->fetch_pos)) <= cfg.ovfq_window, "in the window");
    next = places(last + 1, 0);
  }
  if (!walks(m)) return;
  CHECK(next == m->asked, "places requested");
  for (unsigned row = 0; row < cfg.ovfq_rows; row++) {
    const unsigned read = ghost.read_of[row];
    CHECK(in_use(m, row) || !(m->done >> row & 1), "done");
    if (!waits(m, row)) continue;
    CHECK(!m->self_row[row].onchip && read < n && hd_ovfq_in_ring(read, m->read_first, m->r_flight, n),
          "a record is read");
    CHECK(!m->read_row[read].oflist && m->read_row[read].arg == row, "that of the row");
  }
}

/* A pointer of the window in the RTL. */
static _Bool same_row(const MODEL *m, unsigned lane, unsigned row) {
  const BIT *rtl = lane == 0   ? rtl_u_ahead_g_lane_0__u_ptr_mem_q[row]
                   : lane == 1 ? rtl_u_ahead_g_lane_1__u_ptr_mem_q[row]
                   : lane == 2 ? rtl_u_ahead_g_lane_2__u_ptr_mem_q[row]
                               : rtl_u_ahead_g_lane_3__u_ptr_mem_q[row];
  const struct hd_ptr ptr = m->ptr_row[lane * cfg.ovfq_beats + row];
  return same_ptr(rtl, &ptr);
}

/* The first beat of a list's read has arrived, the second has not; or beats of a record. */
static void half_invariant(const MODEL *m) {
  const struct hd_ovfqread read = m->read_row[m->read_first];
  if (!m->beat || !walks(m)) return;
  if (!read.oflist) {
    CHECK(REG(u_ahead_param_q) == m->param, "parameter");
    CHECK(m->beat < 2 || (REG(u_ahead_level_q) == m->level && m->level <= cfg.max_level), "level");
    return;
  }
  for (unsigned lane = 0; lane < HD_OVFQ_LANES; lane++)
    for (unsigned row = 0; row < cfg.ovfq_beats; row++)
      if (m->here / HD_OVFQ_LANES % cfg.ovfq_beats == row && m->here % HD_OVFQ_LANES <= lane)
        CHECK(same_row(m, lane, row), "places that have arrived");
}

static void walk_invariant(const MODEL *m) {
  const unsigned k = m->tag_kdei, walked = REG(walked_q), beat = first_of_beat(m->fetch_pos);
  CHECK(k < cfg.num_kde && (m->tag_valid || !k), "tag");
  if (!m->run) {
    CHECK(!walked && !m->planned && !m->at && !m->row_in && !m->row_out && !m->used && !m->over_valid, "no walk");
    CHECK(!m->fetch_pos && !m->here && !m->asked && !m->done, "no walk");
    CHECK(!REG(u_ahead_row_in_q) && !REG(u_ahead_row_out_q), "the first row is next");
    return;
  }
  CHECK(m->tag_valid && (!m->fetch_fail_valid || m->fetch_fail_kdei == k), "whose list it is");
  CHECK(places(m->fetch_pos, m->first[k]) == m->used + walked, "groups out of the window");
  CHECK(places(m->asked, m->first[k]) <= m->count[k], "places of the list");
  CHECK(places(m->here, m->fetch_pos) + places(m->asked, m->here) == places(m->asked, m->fetch_pos), "here");
  CHECK(places(m->fetch_pos, m->first[k]) + places(m->asked, m->fetch_pos) == places(m->asked, m->first[k]), "first");
  CHECK(places(m->asked, m->fetch_pos) <= cfg.ovfq_window && places(m->asked, beat) <= cfg.ovfq_window, "window");
  CHECK(m->planned <= m->count[k] - places(m->asked, m->first[k]), "planned places are in the list");
  CHECK(!m->planned || m->planned <= 8 - m->asked % 8, "within two beats");
  CHECK(!m->planned || places(m->asked + 8 - m->asked % 8, beat) <= cfg.ovfq_window, "planned in the window");
  CHECK(m->used <= cfg.ovfq_rows && m->row_out < cfg.ovfq_rows, "rows");
  CHECK(m->row_in == (m->row_out + m->used) % cfg.ovfq_rows && !(m->done >> cfg.ovfq_rows), "rows");
  CHECK(!m->over_valid || (m->used && (m->done >> m->row_out & 1)), "the group offered");
  if (!m->at) return;
  CHECK(m->fetch_pos != m->here && m->used < cfg.ovfq_rows, "the pointer looked at");
  const BIT *lane[HD_OVFQ_LANES] = {rtl_u_ahead_g_lane_0__u_ptr_rdata_q, rtl_u_ahead_g_lane_1__u_ptr_rdata_q,
                                    rtl_u_ahead_g_lane_2__u_ptr_rdata_q, rtl_u_ahead_g_lane_3__u_ptr_rdata_q};
  for (unsigned l = 0; l < HD_OVFQ_LANES; l++)
    if (m->fetch_pos % HD_OVFQ_LANES == l) CHECK(same_ptr(lane[l], &m->ptr), "the pointer looked at");
}

static void invariant(const MODEL *m) {
  for (unsigned k = 0; k < cfg.num_kde; k++) {
    CHECK(!m->known[k] || m->count[k], "a known head is in the list");
    CHECK(m->count[k] <= 1u << cfg.list_pos_w, "no more groups than places");
  }
  swap_invariant(m);
  mask_invariant(m);
  write_invariant(m);
  operation_invariant(m);
  reads_invariant(m);
  half_invariant(m);
  walk_invariant(m);
}

/* Follows the pointers that are pushed and answered, and the bursts that begin. */
static void follow(const MODEL *m, const IN *in) {
  const _Bool swaps = m->out_pending || m->in_pending, reads = !m->op && m->run && m->r_flight < cfg.ovfq_flight;
  const _Bool list = reads && hd_ovfq_ahead_wants_list(m), record = reads && hd_ovfq_ahead_wants_record(m, in);
  const _Bool write = !m->op && m->w_count && m->w_flight < cfg.ovfq_flight && !swaps && (m->turn || !(list || record));
  const unsigned row = flight(m->read_first, m->r_flight);
  if (list && !write) ghost.at[row] = m->asked;
  if (record && !list && !write) ghost.read_of[m->row_in] = row;
  if (in->mem.b_valid) ghost.answered[m->wait_row[m->wait_first]]++;
  for (unsigned k = 0; k < cfg.num_kde; k++) {
    const unsigned last = (m->w_first + m->w_count) % cfg.ovfq_writes;
    if (write) ghost.before_wait[k][flight(m->wait_first, m->w_flight)] = ghost.before_write[k][m->w_first];
    if (in->link_link.over) ghost.before_write[k][last] = ghost.pushed[k];
  }
  if (in->link_link.over) ghost.pushed[in->link_link.kdei]++;
}

static void contract(const MODEL *m, const IN *in) {
  follow(m, in);
  ASSUME(REG(walked_q) <= HD_OVFQ_CHUNK); /* agt holds few groups that are not handed out: no list is walked around */
  ASSUME(!in->kd_entry.valid || in->kmu_offer.kernel.over.count <= 1u << cfg.list_pos_w);
}
