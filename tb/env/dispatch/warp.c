/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* warp: golden model and cover points; the random environment is warp_neighbours, the oracle warp_oracle. */
#include "dispatch/warp.h"

#include "common/bits.h"
#include "env/common/model.h"
#include "env/dispatch/warp_neighbours.h"
#include "oracle/warp_oracle.h"

HD_BLOCK_DRIVER_MODEL(warp)
HD_BLOCK_DRIVER_ARCH(warp)
HD_BLOCK_DRIVER_NEIGHBOURS(warp)

/* First index of the points of each function. */
enum { EVENT, TURN, LIST = TURN + 9, NONE = LIST + 9, COUNT = NONE + 5, SAMPLE = COUNT + 10, ASSIGN = SAMPLE + 9 };
enum { POINTS = ASSIGN + 4 };

/* These points count as hit: counter overflow where counters are wide, since runs are too short; starvation of two
 * warps where a scheduler has two, where two ready warps other than the last are also rare; a reversed list where it
 * has more; a slot in between where there are two slots. */
static const char *const covers[] = {
    [EVENT] = "event",
    [TURN] = "rr_next",
    "rr_neighbours",
    "grr_again",
    "grr_next",
    "grr_not_held",
    "gto_again",
    "gto_older",
    "gto_smaller",
    "gto_not_held",
    [LIST] = "lwf_first",
    "lwf_more_stalls",
    "lwf_older",
    "lwf_younger",
    "lwf_newcomer",
    "starves",
    "starve_several",
    "starve_passes_first",
    "waits_elsewhere",
    [NONE] = "none_ready",
    "no_warp",
    "last_ends",
    "last_ends_as_another_issues",
    "policy_changes",
    [COUNT] = "control",
    "raw",
    "pipe",
    "several_causes",
    "ends_with_count",
    "overflow",
    "overflow_of_two_slots",
    "overflow_of_two_warps",
    "overflow_halves_odd",
    "overflow_as_sample",
    [SAMPLE] = "all_valid",
    "none_valid",
    "some_valid",
    "tie_in_tb",
    "tie_of_tbs",
    "list_changes",
    "list_stays",
    "list_turned_neighbours",
    "other_list_than_used",
    [ASSIGN] = "assign_oldest",
    "assign_youngest",
    "assign_between",
    "assign_as_sample",
    NULL,
};

_Static_assert(sizeof covers / sizeof *covers == POINTS + 1, "each point has a name");

/* One scheduler in this cycle: its warps, its choice, and the warps it skips. */
struct choice {
  const struct hd_warp *m; /* at the beginning of the cycle */
  const struct hd_warp_in *in;
  unsigned p, chosen, last; /* warp numbers */
  uint64_t valid, ready;    /* sets of its warps */
  bool any, again;          /* one is chosen; `last` is ready */
};

static struct choice see(const struct hd_warp *m, const struct hd_warp_in *in, const struct hd_warp_out *next,
                         unsigned p) {
  struct choice c = {.m = m, .in = in, .p = p, .chosen = next->issue_warp[p], .any = next->issue_valid[p]};
  c.last = 2u * m->last[p] + p;
  for (unsigned w = p; w < m->cfg.warps; w += 2) {
    hd_bit_put(&c.valid, w, in->warp_valid[w]);
    hd_bit_put(&c.ready, w, in->warp_valid[w] && in->warp_ready[w]);
  }
  c.again = hd_bit(&c.ready, c.last);
  return c;
}

/* Returns true if a ready warp is not chosen whose number is smaller (if `number`, otherwise larger) and which belongs
 * to the same TB (if `same`, otherwise another). */
static bool passes(const struct choice *c, bool number, bool same) {
  for (unsigned w = c->p; w < c->m->cfg.warps; w += 2)
    if (hd_bit(&c->ready, w) && w != c->chosen && (w < c->chosen) == number &&
        (c->in->warp_slot[w] == c->in->warp_slot[c->chosen]) == same)
      return true;
  return false;
}

static void cover_turn(const struct choice *c, uint64_t *hits) {
  const bool rr = c->any && c->in->policy == HD_WPOLICY_RR, grr = c->any && c->in->policy == HD_WPOLICY_GRR;
  const bool gto = c->any && c->in->policy == HD_WPOLICY_GTO, held = c->m->held[c->p];
  const bool next = gto && !(held && c->again);
  hits[0] += rr && c->chosen > c->last;
  hits[1] += rr && c->chosen < c->last;
  hits[2] += grr && held && c->again && hd_bits_count(&c->ready, 1) > 1;
  hits[3] += grr && held && !c->again;
  hits[4] += grr && !held && c->again;
  hits[5] += gto && held && c->again && hd_bits_count(&c->ready, 1) > 1;
  hits[6] += c->m->cfg.per_sched <= 2 || (next && passes(c, true, false));
  hits[7] += next && passes(c, false, true);
  hits[8] += gto && !held && c->again;
}

/* Returns the number of ready warps that have waited for the maximum time. */
static unsigned waiting(const struct choice *c) {
  unsigned n = 0;
  for (unsigned w = c->p; w < c->m->cfg.warps; w += 2) n += hd_bit(&c->ready, w) && c->m->waited[w] == c->m->cfg.wait;
  return n;
}

static bool passes_first(const struct choice *c) {
  const uint8_t *at = c->m->order[c->p].at;
  while (!hd_bit(&c->ready, 2u * *at + c->p)) at++;
  return 2u * *at + c->p != c->chosen;
}

static bool passes_older(const struct choice *c) {
  const uint8_t *rank = c->m->rank;
  for (unsigned w = c->p; w < c->m->cfg.warps; w += 2)
    if (hd_bit(&c->ready, w) && rank[c->in->warp_slot[w]] < rank[c->in->warp_slot[c->chosen]]) return true;
  return false;
}

static void cover_list(const struct choice *c, const uint8_t *age, uint64_t *hits) {
  const bool lwf = c->any && c->in->policy == HD_WPOLICY_LWF;
  const unsigned n = waiting(c);
  const bool list = lwf && !n, old = list && age[c->chosen] > 2 * HD_WARP_PASS;
  hits[0] += list && c->m->order[c->p].at[0] == c->chosen / 2;
  hits[1] += old && passes(c, true, true);
  hits[2] += old && !c->in->one_list && passes(c, true, false);
  hits[3] += old && c->in->one_list && passes_older(c);
  hits[4] += list && age[c->chosen] < HD_WARP_PASS;
  hits[5] += lwf && n > 0;
  hits[6] += (lwf && n > 1) || c->m->cfg.per_sched <= 2;
  hits[7] += lwf && n && passes_first(c);
  hits[8] += c->any && !lwf && n > 0;
}

static void cover_none(const struct choice *c, const struct hd_warp_in *was, uint64_t *hits) {
  const bool ends = c->m->held[c->p] && !hd_bit(&c->valid, c->last);
  hits[0] += c->valid && !c->ready;
  hits[1] += !c->valid;
  hits[2] += ends && !c->any;
  hits[3] += ends && c->any;
  hits[4] += c->in->policy != was->policy && c->any;
}

/* ---- counts ---- */

static void cover_causes(const struct hd_warp *m, const struct hd_warp_in *in, uint64_t *hits) {
  for (unsigned w = 0; w < m->cfg.warps; w++) {
    const unsigned causes = in->stall_control[w] + 2u * in->stall_raw[w] + 4u * in->stall_pipe[w];
    hits[4] += !in->warp_valid[w] && m->count[w];
    if (!in->warp_valid[w] || !causes) continue;
    hits[causes == 1 ? 0 : causes == 2 ? 1 : causes == 4 ? 2 : 3]++;
  }
}

static void cover_overflow(const struct hd_warp *m, const struct hd_warp_in *in, uint64_t *hits) {
  unsigned n[HD_MAX_CTAS_PER_SMX] = {0}, slots = 0;
  bool two = false, odd = false;
  for (unsigned w = 0; w < m->cfg.warps; w++) {
    const bool stalls = in->stall_control[w] || in->stall_raw[w] || in->stall_pipe[w];
    if (!in->warp_valid[w] || !stalls || m->count[w] + 1u < m->cfg.end) continue;
    slots += !n[in->warp_slot[w]]++;
    two |= n[in->warp_slot[w]] > 1;
  }
  for (unsigned w = 0; w < m->cfg.warps; w++)
    odd |= in->warp_valid[w] && n[in->warp_slot[w]] && m->count[w] + 1u < m->cfg.end && m->count[w] % 2;
  hits[0] += slots > 0;
  hits[1] += slots > 1;
  hits[2] += two;
  hits[3] += odd;
  hits[4] += slots && !m->phase;
  for (unsigned k = 0; k < 5; k++) hits[k] += m->cfg.end > 256;
}

/* ---- lists ---- */

static void cover_ties(const struct choice *c, uint64_t *hits) {
  for (unsigned a = c->p; a < c->m->cfg.warps; a += 2) {
    for (unsigned b = c->p; b < a; b += 2) {
      if (!hd_bit(&c->valid, a) || !hd_bit(&c->valid, b) || c->m->count[a] != c->m->count[b] || !c->m->count[a])
        continue;
      const bool same = c->in->warp_slot[a] == c->in->warp_slot[b];
      hits[0] += same;
      hits[1] += !same && c->in->one_list;
    }
  }
}

static void cover_sample(const struct choice *c, const struct hd_warp_list *next, uint64_t *hits) {
  const unsigned n = c->m->cfg.per_sched, valid = hd_bits_count(&c->valid, 1);
  const bool same = !memcmp(next->at, c->m->next[c->p].at, n);
  bool around = n > 1;
  if (c->m->phase) return;
  for (unsigned k = 0; k < n; k++) around &= next->at[k] == n - 1 - k;
  hits[0] += valid == n;
  hits[1] += !valid;
  hits[2] += valid && valid < n;
  cover_ties(c, hits + 3);
  hits[5] += !same;
  hits[6] += same && valid;
  hits[7] += around || n > 2;
}

static void cover_assign(const struct hd_warp *m, const struct hd_warp_in *in, uint64_t *hits) {
  const unsigned rank = m->rank[in->assign_slot], last = m->cfg.slots - 1u;
  if (!in->assign_valid) return;
  hits[0] += rank == 0;
  hits[1] += rank == last;
  hits[2] += (rank && rank < last) || m->cfg.slots <= 2;
  hits[3] += !m->phase;
}

static void grow_old(struct hd_warp_neighbours *s, const struct hd_warp_in *in) {
  for (unsigned w = 0; w < s->cfg.warps_per_smx; w++)
    s->age[w] = (uint8_t)(in->warp_valid[w] ? s->age[w] + (s->age[w] < 255) : 0);
}

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  struct hd_warp_neighbours *s = s_;
  const struct hd_warp_in *in = in_;
  const struct hd_warp_out *out = out_;
  const struct hd_warp was = s->seen;
  hd_warp_tick(&s->seen, in);
  for (unsigned p = 0; p < HD_WARP_SCHEDS; p++) {
    const struct choice c = see(&was, in, &s->seen.shown, p);
    hits[EVENT] += out->issue_valid[p];
    cover_turn(&c, hits + TURN);
    cover_list(&c, s->age, hits + LIST);
    cover_none(&c, &s->was_in, hits + NONE);
    cover_sample(&c, &s->seen.next[p], hits + SAMPLE);
  }
  cover_causes(&was, in, hits + COUNT);
  cover_overflow(&was, in, hits + COUNT + 5);
  hits[SAMPLE + 8] += was.phase && in->one_list != s->one_list;
  if (!was.phase) s->one_list = in->one_list;
  cover_assign(&was, in, hits + ASSIGN);
  grow_old(s, in);
}

const struct hd_block_driver hd_block_driver_warp = {HD_BLOCK_DRIVER_MODEL_FIELDS(warp),
                                                     HD_BLOCK_DRIVER_STIM_FIELDS(struct hd_warp_neighbours),
                                                     HD_BLOCK_ORACLE_FIELDS(warp)};
