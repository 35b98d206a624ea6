/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* unwind: 20
 * uses: service/memq common/krec
 * sets: PoolRows=4 PoolDepth=2 */
#define MEMQ(name) u_memq_##name
#define FIXED_INSIDE memq.cfg
#include "memq_proof.h"
static struct ghost {
  struct memq_ghost memq;
  struct order rows;   /* NONE: free; else ROWS + its queue */
  unsigned passed[16]; /* under Rr: kernels chosen since the stream has one that may run */
} ghost;
enum { ROWS = 1 };

/* A queue number and a kernel in an entry of `in`. */
static _Bool same_in(const BIT *entry, const MODEL *m, unsigned i) {
  const unsigned kernel = sizeof rtl_u_in_u_fifo2_head_q - cfg.pool_queue_w;
  return same_devk(entry, &m->in[i]) && get(entry + kernel, cfg.pool_queue_w) == m->in_queue[i];
}

/* The oldest kernel of `in` is being written exactly while memq writes. */
static void in_invariant(const MODEL *m) {
  const struct hd_memq *q = &m->memq;
  const _Bool writes = q->op && q->write;
  CHECK(m->waiting <= HD_POOL_IN && m->putting <= 1, "kernels in `in`");
  for (unsigned i = 0; i < HD_POOL_IN; i++)
    if (i < m->waiting) CHECK(m->in_queue[i] < cfg.pool_queues, "queue");
  if (m->waiting) CHECK(same_in(rtl_u_in_u_fifo2_head_q, m, 0), "the oldest");
  if (m->waiting > 1) CHECK(same_in(rtl_u_in_u_fifo2_tail_q, m, 1), "the other");
  CHECK(m->putting == writes, "put");
  if (writes) CHECK(m->waiting && q->queue == m->in_queue[0], "its queue");
  if (writes && q->op == HD_MEMQ_READ_NEXT) CHECK(q->put_side == m->in[0].up, "its parent");
}

static void join_invariant(const MODEL *m) {
  CHECK(m->join <= HD_POOL_MEMORY, "join");
  if (!m->join) return;
  CHECK(hd_lowest(~m->used) < cfg.pool_depth, "a free row");
  CHECK(m->join_queue < cfg.pool_queues, "queue");
  if (m->join == HD_POOL_IN_OLDEST) CHECK(m->waiting && !m->putting && m->in_queue[0] == m->join_queue, "oldest");
  if (m->join == HD_POOL_MEMORY) CHECK(hd_memq_readable(&m->memq, m->join_queue), "readable");
}

/* Reads of memq, accepted or looked up, whose kernel will have this row. */
static unsigned reads_to(const struct hd_memq *q, unsigned row) {
  unsigned n = looks(q, 0) && q->tag == row;
  for (unsigned i = 0; i < cfg.memq_flight; i++) n += i < q->gets && q->get[ring(q->first_get, i)].tag == row;
  return n;
}

static unsigned rank(unsigned level) {
  return level < cfg.max_level ? level : cfg.max_level;
}

static void row_invariant(const MODEL *m, unsigned row) {
  const unsigned list = ghost.rows.list[row], rank_w = cfg.pool_rank_w, row_w = cfg.pool_front_pos_w;
  const _Bool used = m->used >> row & 1, here = m->here >> row & 1;
  CHECK(used == (list != NONE) && list < ROWS + cfg.pool_queues, "its queue");
  CHECK(reads_to(&m->memq, row) == (used && !here), "read from memory");
  CHECK(used || !here, "here");
  CHECK(here || !(m->lost >> row & 1), "lost");
  if (here) CHECK(m->row[row].smx < cfg.num_smx && m->row[row].stream < cfg.num_streams, "range");
  if (here) CHECK(REGS(u_chains_level_q, row, rank_w) == rank(m->row[row].level), "level");
  if (!used) return;
  const unsigned q = list - ROWS;
  chain_invariant(&ghost.rows, cfg.pool_depth, row, m->first[q], m->last[q], m->next[row], 1);
  if (row != m->last[q]) CHECK(REGS(u_chains_row_behind_q, row, row_w) == m->next[row], "behind");
}

static void queue_invariant(const MODEL *m, unsigned q) {
  const unsigned rank_w = cfg.pool_rank_w, row = m->first[q];
  unsigned rows = 0;
  for (unsigned r = 0; r < cfg.pool_depth; r++) rows += ghost.rows.list[r] == ROWS + q;
  CHECK(hd_bit(m->chip_valid, q) == (rows > 0), "rows of the queue");
  if (!rows) return;
  CHECK(row < cfg.pool_depth && (REG(u_chains_first_here_q) >> q & 1) == (m->here >> row & 1), "the first is here");
  if (q < cfg.num_streams && (m->here >> row & 1))
    CHECK(REGS(u_chains_first_level_q, q, rank_w) == rank(m->row[row].level), "level of the first");
}

static void chains_invariant(const MODEL *m) {
  const unsigned n = cfg.pool_depth;
  unsigned used = 0;
  order_invariant(&ghost.rows, n, ROWS);
  CHECK(!((m->used | m->here | m->lost) >> n) && !(m->busy >> cfg.num_streams) && !(m->busy & 1), "range");
  CHECK(!(m->chip_valid[0] >> cfg.pool_queues), "no other queues");
  for (unsigned row = 0; row < n; row++) {
    used += m->used >> row & 1;
    row_invariant(m, row);
  }
  CHECK(REG(u_chains_rows_used_q) == used, "rows");
  for (unsigned q = 0; q < cfg.pool_queues; q++) queue_invariant(m, q);
  for (unsigned s = 0; s < cfg.num_streams; s++) CHECK(m->mem_level[s] <= cfg.max_level, "level in memory");
}

static void head_invariant(const MODEL *m) {
  const unsigned q = m->head_queue, row = m->first[q];
  CHECK(m->head <= HD_POOL_THERE && q < cfg.pool_queues, "head");
  CHECK(m->pick_ptr < cfg.pool_turns && m->get_ptr < cfg.pool_turns, "turns");
  if (m->head == HD_POOL_NONE) return;
  CHECK(hd_bit(m->chip_valid, q) && row < cfg.pool_depth && (m->here >> row & 1), "it is here");
  CHECK(q >= cfg.num_streams || !(m->busy >> q & 1), "its stream is not busy");
  if (m->head != HD_POOL_THERE) return;
  CHECK(REG(u_chains_head_row_q) == row, "its row");
  CHECK(same_devk(rtl_u_front_rdata_q, &m->row[row]), "it was read");
}

/* The queue's first kernel may be chosen; the distance of its turn. */
static _Bool may_go(const MODEL *m, unsigned q) {
  return hd_bit(m->chip_valid, q) && (m->here >> m->first[q] & 1) && (q >= cfg.num_streams || !(m->busy >> q & 1));
}

static unsigned distance_of(const MODEL *m, unsigned q) {
  const unsigned turn = q < cfg.num_streams ? q : cfg.num_streams + (q - cfg.num_streams) / cfg.max_level;
  return (turn + cfg.pool_turns - m->pick_ptr) % cfg.pool_turns;
}

static void progress_invariant(const MODEL *m) {
  const unsigned n = cfg.pool_turns;
  for (unsigned s = 0; s < cfg.num_streams; s++)
    CHECK(ghost.passed[s] < n && ghost.passed[s] + distance_of(m, s) < n, "a stream has its turn");
}

/* The beats of a record that have arrived. */
static void record_invariant(const MODEL *m) {
  const unsigned beats = m->memq.got_beat;
  struct hd_kernel rtl = {0}, k;
  kernel_from(rtl_u_record_u_unpack_kernel_q, &rtl);
  hd_krec_unpack(m->word, &m->cfg.widths, &k);
  if (beats > 0) CHECK(rtl.desc.pc == k.desc.pc && rtl.desc.param == k.desc.param, "beat 0");
  if (beats > 1) {
    CHECK(rtl.desc.cta_x == k.desc.cta_x && rtl.desc.cta_y == k.desc.cta_y && rtl.desc.cta_z == k.desc.cta_z, "beat 1");
    CHECK(rtl.need.warps == k.need.warps && rtl.need.regs == k.need.regs && rtl.need.smem == k.need.smem, "beat 1");
    CHECK(rtl.level == k.level, "beat 1");
  }
  if (beats > 2) {
    CHECK(rtl.desc.grid_x == k.desc.grid_x && rtl.desc.grid_y == k.desc.grid_y, "beat 2");
    CHECK(rtl.desc.grid_z == k.desc.grid_z && rtl.ctas == k.ctas, "beat 2");
  }
  if (beats > 4) CHECK(rtl.origin.smx == k.origin.smx, "beat 4");
}

/* The output of memq that is no compared register; what the pool asserts of its port, and what memq does. */
static void inside_invariant(const struct hd_memq *q) {
  for (unsigned i = 0; i < cfg.memq_queues; i++) CHECK((REG(u_memq_there_q) >> i & 1) == q->there[i], "there");
  CHECK(REG(u_answers_left_q) == REG(u_memq_u_answers_left_q), "beats");
  CHECK(REG(u_answers_owed_q) == REG(u_memq_u_answers_owed_q), "answers");
  CHECK(REG(u_answers_reads_q) == REG(u_memq_u_answers_reads_q), "reads");
  CHECK(REG(u_answers_beat_q) == REG(u_memq_u_answers_beat_q), "beat of a read");
}

static void invariant(const MODEL *m) {
  memq_invariant(&m->memq, &ghost.memq);
  in_invariant(m);
  join_invariant(m);
  chains_invariant(m);
  head_invariant(m);
  progress_invariant(m);
  record_invariant(m);
  inside_invariant(&m->memq);
  CHECK((m->spill_event | m->refill_event | m->error_event) <= 1, "events");
}

/* Follows which rows get and lose a kernel in this cycle. */
static void rows_follow(const MODEL *m, const IN *in) {
  struct hd_pool_inner inner = {0};
  hd_pool_show_inner(m, in, &inner);
  const _Bool here = m->join == HD_POOL_IN_OLDEST && !inner.memq.got_valid;
  const _Bool read = m->join == HD_POOL_MEMORY && inner.memq.get_ready;
  const unsigned row = hd_lowest(~m->used), first = m->first[m->head_queue];
  const _Bool lost = m->lost >> first & 1;
  if (m->head == HD_POOL_THERE && (lost ? in->kin_lost_ready : in->kmu_pool_pop)) order_leave(&ghost.rows, first, NONE);
  if (here || read) order_append(&ghost.rows, cfg.pool_depth, row, ROWS + m->join_queue);
}

/* Follows which stream is passed by in a choice. */
static void turns_follow(const MODEL *m, const IN *in) {
  for (unsigned s = 0; s < cfg.num_streams; s++) {
    const _Bool waits = may_go(m, s) && in->regs_config.policy == HD_POLICY_RR;
    _Bool other = 0;
    for (unsigned q = 0; q < cfg.pool_queues; q++) other |= may_go(m, q) && distance_of(m, q) < distance_of(m, s);
    if (!waits || (m->head == HD_POOL_NONE && !other))
      ghost.passed[s] = 0;
    else
      ghost.passed[s] += m->head == HD_POOL_NONE;
  }
}

static void contract(const MODEL *m, const IN *in) {
  const _Bool waits = m->waiting || hd_memq_used(&m->memq);
  ASSUME(!waits || in->regs_config.dev_count == ghost.memq.count);
  memq_follow(&m->memq, in->regs_config.dev_count, &in->mem, &ghost.memq);
  turns_follow(m, in);
  rows_follow(m, in);
}
