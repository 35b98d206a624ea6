/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* memring: golden model, random environment and cover points; the oracle is memring_oracle. The environment puts
 * entries behind queues, gets readable ones, and is the memory. In phases it fills rings up to their margin and puts
 * all late entries that are allowed, drains them, and uses one queue or several. A region has rings of any size, or
 * none. */
#include "service/memring.h"

#include "env/common/memory.h"
#include "env/common/model.h"
#include "env/common/rings.h"
#include "oracle/memring_oracle.h"

HD_BLOCK_DRIVER_MODEL(memring)
HD_BLOCK_DRIVER_ROWS(memring)

struct stim {
  struct hd_cfg cfg;
  uint8_t started;
  uint8_t settling;                      /* cycles since the region was set, up to 2 */
  uint16_t queues;                       /* phase: entries are for the first ones of them */
  unsigned left;                         /* remaining cycles of this phase */
  uint16_t put, get;                     /* phase: factors (of 256) on the profile's probability of an offer */
  uint8_t alone;                         /* phase: all entries are for the first queue */
  uint8_t late;                          /* phase: puts although a ring reports no room */
  uint16_t bad;                          /* phase: as in hd_profile, for the memory; 0 in some phases */
  uint8_t lose;                          /* phase: once all writes are in flight, errors .. */
  uint8_t answers, pauses;               /* .. which they are; one now and then, with requests between them */
  uint8_t lost;                          /* failed writes since the last request */
  uint8_t late_puts[HD_RINGS_USED];      /* puts since the ring had room */
  uint8_t failing_puts;                  /* puts since an entry is known to be lost */
  uint32_t entries[HD_RINGS_USED];       /* in the queue or being read */
  uint32_t serial;                       /* of the entry being put */
  uint8_t seen, was_failing, was_answer; /* of the previous cycle */
  uint8_t taken;                         /* the put was accepted, its last beat was not */
  uint8_t looks;                         /* of a put or get: 3 in the cycle after it was accepted, then down to 0 */
  uint16_t asked_queue;                  /* queue of the last get, as a position in `use` */
  uint8_t reads[HD_MEMORY_FLIGHT];       /* entries of the reads in flight */
  uint16_t read_of[HD_MEMORY_FLIGHT];    /* their queues */
  unsigned reading;                      /* reads in flight */
  uint8_t got_error;                     /* an entry of this read was lost */
  struct hd_memory_bursts port;
  struct hd_rings rings;
};

HD_BLOCK_DRIVER_STIM

/* ---- region and phases ---- */

/* Sets the region after reset, and sometimes again while it holds no entry. */
static void set_region(struct stim *s, struct hd_rng *rng, const struct hd_memring_in *in,
                       const struct hd_memring_out *now) {
  const bool idle = !now->used && !s->reading && !in->put_valid && !s->looks;
  s->settling += s->settling < 2;
  if (s->started && !(idle && !hd_rng_below(rng, hd_rings_order(&s->cfg, s->rings.count) < 0 ? 30 : 200))) return;
  s->started = 1;
  s->settling = 0;
  hd_rings_choose(&s->rings, rng, &s->cfg);
}

/* Fills all rings. */
static void fill_all(struct stim *s) {
  s->alone = s->late = s->bad = 0;
  s->queues = (uint16_t)s->rings.uses;
  s->left = 14000;
}

static void set_phase(struct stim *s, struct hd_rng *rng, const struct hd_profile *p) {
  /* random, fill, drain, pass through, many wait, slow, lose */
  static const struct {
    uint16_t put, get;
  } weights[] = {{0, 0}, {256, 0}, {10, 256}, {256, 256}, {256, 24}, {100, 16}, {256, 0}};
  if (!s->queues || s->queues > s->rings.uses || !hd_rng_below(rng, 400))
    s->queues = (uint16_t)(1 + hd_rng_below(rng, 1 + hd_rng_below(rng, s->rings.uses)));
  if (!hd_rng_below(rng, 600)) s->port.holds_answers = hd_rng_p(rng, 20);
  if (!hd_rng_below(rng, 600)) s->port.holds_reads = hd_rng_p(rng, 20);
  if (s->lose && s->port.writes >= s->cfg.ring_flight) s->answers = 1;
  if (s->lose) s->port.holds_answers = !s->answers || (s->pauses && hd_rng_p(rng, 240));
  if (s->lose && s->answers && s->pauses && !hd_rng_below(rng, 64)) s->get = s->get ? 0 : 60;
  if (s->left--) return;
  const unsigned k = hd_rng_below(rng, sizeof weights / sizeof *weights);
  s->put = k ? weights[k].put : (uint16_t)hd_rng_below(rng, 257);
  s->get = k ? weights[k].get : (uint16_t)hd_rng_below(rng, 257);
  s->alone = hd_rng_p(rng, k == 1 ? 170 : 64);
  s->late = hd_rng_p(rng, 128);
  s->bad = (uint16_t)(hd_rng_p(rng, 100) ? 0 : hd_rng_p(rng, 128) ? 6 * p->bad : p->bad);
  s->left = k == 1 ? 16u << s->cfg.ring_order_min : 20 + hd_rng_below(rng, hd_rng_p(rng, 128) ? 200 : 1000);
  if (k == 1) s->port.holds_answers = 0;
  if (k == 1 && !hd_rng_below(rng, 40)) fill_all(s);
  s->lose = k == 6 && p->bad;
  if (!s->lose) return;
  s->bad = 12 * 256;
  s->pauses = hd_rng_p(rng, 128);
  s->left = (s->pauses ? 60 : 20) * s->cfg.ring_bad;
  s->answers = 0;
}

/* ---- the user ---- */

/* Returns a beat of the entry of that number: the number itself, and otherwise data derived from it. */
static struct hd_membeat beat_of(uint32_t serial, unsigned beat) {
  struct hd_rng hash = {(uint64_t)serial << 8 | beat};
  struct hd_membeat b = {.strb = 0xffff};
  b.hi = hd_rng_next(&hash);
  b.lo = beat ? hd_rng_next(&hash) : serial;
  return b;
}

/* Processes the previous cycle. The put with which a ring loses its room is the first of RingLate. */
static void account(struct stim *s, const struct hd_memring_in *in, const struct hd_memring_out *out) {
  const bool put = in->put_valid && out->put_ready, get = in->get_valid && out->get_ready;
  s->seen = out->used > 0;
  if ((s->was_failing && !out->failing) || out->asked) s->lost = 0;
  s->lost += in->mem.b_valid && in->mem.b_error;
  s->was_failing = out->failing;
  s->was_answer = in->mem.b_valid;
  for (unsigned k = 0; k < s->rings.uses; k++)
    if (out->room[s->rings.use[k]]) s->late_puts[k] = 0;
  if (!out->failing) s->failing_puts = 0;
  s->looks -= s->looks > 0;
  if (put || get) s->looks = 3;
  s->taken = put || (s->taken && !out->put_done);
  if (get) s->asked_queue = (uint16_t)hd_rings_find(&s->rings, in->get_queue);
  if (out->asked && s->reading < HD_MEMORY_FLIGHT) {
    s->read_of[s->reading] = s->asked_queue;
    s->reads[s->reading++] = out->asked;
  }
  if (put) {
    const unsigned k = hd_rings_find(&s->rings, in->put_queue);
    s->entries[k]++;
    s->late_puts[k] += !out->room[in->put_queue];
    s->failing_puts += out->failing;
  }
  s->got_error |= out->got_valid && out->got_error;
  if (!in->mem.r_valid || !in->mem.r.last || !s->reading) return;
  s->entries[s->read_of[0]] -= s->reads[0];
  s->reading--;
  memmove(s->reads, s->reads + 1, s->reading * sizeof *s->reads);
  memmove(s->read_of, s->read_of + 1, s->reading * sizeof *s->read_of);
  s->got_error = 0;
}

/* Returns true if an entry may be put behind that queue. */
static bool may_put(const struct stim *s, const struct hd_memring_out *now, unsigned k) {
  if (s->settling < 2) return false;
  if (now->failing && s->failing_puts >= s->cfg.ring_late) return false;
  if (!hd_rings_stores(&s->rings, &s->cfg, s->entries[k])) return false;
  return now->room[s->rings.use[k]] || (s->late && s->late_puts[k] + 1u < s->cfg.ring_late);
}

/* An entry that was accepted stays until its last beat is, another one usually. */
static void drive_put(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_memring_out *now,
                      struct hd_memring_in *in) {
  const bool stays =
      s->taken || (in->put_valid && may_put(s, now, hd_rings_find(&s->rings, in->put_queue)) && hd_rng_p(rng, 240));
  if (!stays) {
    const unsigned k = s->alone || hd_rng_p(rng, 100) ? 0 : hd_rng_below(rng, s->queues);
    in->put_valid = may_put(s, now, k) && hd_rng_p(rng, p->source * s->put / 256);
    in->put_queue = s->rings.use[k];
    s->serial++;
  }
  in->put_data = beat_of(s->serial, now->put_beat);
  if (in->put_valid) return;
  in->put_queue = 0;
  memset(&in->put_data, 0, sizeof in->put_data);
}

/* Returns a readable queue, or -1. Between failures the first queue keeps its entries. */
static int readable(const struct stim *s, struct hd_rng *rng, const struct hd_memring_out *now) {
  const bool keeps = s->lose && s->pauses;
  const unsigned first = !keeps && hd_rng_p(rng, 100) ? 0 : hd_rng_below(rng, s->rings.uses);
  for (unsigned k = 0; k < s->rings.uses; k++) {
    const unsigned use = (first + k) % s->rings.uses, q = s->rings.use[use];
    if (now->readable[q] && (use || !keeps)) return (int)q;
  }
  return -1;
}

/* A get that is not accepted usually stays. */
static void drive_get(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_memring_out *out,
                      const struct hd_memring_out *now, struct hd_memring_in *in) {
  if (in->get_valid && !out->get_ready && now->readable[in->get_queue] && hd_rng_p(rng, 240)) return;
  in->get_valid = in->get_queue = 0;
  int q = readable(s, rng, now);
  if (q < 0 || !hd_rng_p(rng, p->source * s->get / 256)) return;
  in->get_valid = 1;
  in->get_queue = (uint16_t)q;
}

/* ---- the memory ---- */

static void drive_memory(struct stim *s, struct hd_rng *rng, const struct hd_profile *p,
                         const struct hd_memring_out *out, struct hd_memring_in *in) {
  const struct hd_profile own = {p->name, p->source, p->sink, s->bad};
  struct hd_memup asked = out->mem;
  if (asked.valid) asked.req.addr = hd_rings_at(&s->rings, &s->cfg, out->mem.req.addr);
  hd_memory_drive_bursts(&s->port, rng, &own, &asked, s->rings.bytes, 0, sizeof s->rings.bytes);
  in->mem = s->port.pins;
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out_, const void *now_,
                  void *in_) {
  struct stim *s = s_;
  struct hd_memring_in *in = in_;
  const struct hd_memring_out *out = out_, *now = now_;
  account(s, in, out);
  drive_memory(s, rng, p, out, in);
  set_region(s, rng, in, now);
  set_phase(s, rng, p);
  in->base = s->rings.base;
  in->count = s->rings.count;
  drive_put(s, rng, p, now, in);
  drive_get(s, rng, p, out, now, in);
}

/* ---- cover points ---- */

/* With lines of one entry, those about longer ones count as hit. */
static const char *const covers[] = {"event",
                                     "no_region",
                                     "region_too_small",
                                     "smallest_rings",
                                     "larger_rings",
                                     "largest_rings",
                                     "no_room",
                                     "late",
                                     "all_late",
                                     "emptied",
                                     "all_requested",
                                     "ring_wraps",
                                     "region_wraps",
                                     "whole_line",
                                     "end_of_a_line",
                                     "rest_is_not_written",
                                     "one_while_failing",
                                     "put_while_failing",
                                     "fails_no_more",
                                     "get_before_put",
                                     "get_refused",
                                     "puts_full",
                                     "gets_full",
                                     "request_stalled",
                                     "beat_stalled",
                                     "answer_and_beat",
                                     "answer_and_get",
                                     "answer_and_look",
                                     "answer_and_step",
                                     "answers_in_a_row",
                                     "write_error",
                                     "error_of_first_beat",
                                     "error_of_second_beat",
                                     "lost",
                                     "one_of_a_line_is_lost",
                                     "unwritten",
                                     "back_to_back",
                                     "all_rows_lost",
                                     "rare_many_entries",
                                     NULL};

static bool any(const uint8_t *v, unsigned n) {
  return memchr(v, 1, n) != NULL;
}

static void cover_region(const struct stim *s, const struct hd_memring_in *in, const struct hd_memring_out *out,
                         uint64_t *hits) {
  const int order = hd_rings_order(&s->cfg, in->count);
  const bool put = in->put_valid && out->put_ready;
  hits[0] += !in->count;
  hits[1] += in->count && order < 0;
  hits[2] += put && order == (int)s->cfg.ring_order_min;
  hits[3] += put && order > (int)s->cfg.ring_order_min;
  hits[4] += put && order == (int)s->cfg.ring_pos_w;
  hits[5] += order >= 0 && !out->room[s->rings.use[0]];
  const unsigned k = put ? hd_rings_find(&s->rings, in->put_queue) : 0;
  hits[6] += put && !out->room[in->put_queue];
  hits[7] += put && !out->room[in->put_queue] && s->late_puts[k] + 2u == s->cfg.ring_late;
  hits[8] += s->seen && !out->used;
  hits[9] += put && !out->there[in->put_queue] && s->entries[k];
}

static void cover_requests(const struct stim *s, const struct hd_memring_in *in, const struct hd_memring_out *out,
                           uint64_t *hits) {
  const uint64_t base = ((uint64_t)in->base * 256) & hd_memory_mask(&s->cfg);
  const unsigned line = s->cfg.ring_line, n = (out->mem.req.len + 1u) / HD_RING_BEATS;
  const int order = hd_rings_order(&s->cfg, in->count);
  if (!out->mem.valid || order < 0) return;
  const uint64_t at = ((out->mem.req.addr - base) & hd_memory_mask(&s->cfg)) / HD_RING_BYTES;
  const bool read = !out->mem.req.write;
  hits[0] += !read && (at + 1) % (UINT64_C(1) << order) == 0;
  hits[1] += out->mem.req.addr < base;
  hits[2] += read && n == line;
  hits[3] += line == 1 || (read && n < line && at % line + n == line);
  hits[4] += line == 1 || (read && !out->failing && at % line + n < line);
}

static void cover_port(const struct stim *s, const struct hd_memring_in *in, const struct hd_memring_out *out,
                       uint64_t *hits) {
  const bool put = in->put_valid && out->put_ready, get = in->get_valid && out->get_ready;
  hits[0] += s->cfg.ring_line == 1 || (out->asked == 1 && out->failing && s->entries[s->asked_queue] > 1);
  hits[1] += put && out->failing;
  hits[2] += s->was_failing && !out->failing;
  hits[3] += get && in->put_valid;
  hits[4] += in->get_valid && !out->get_ready;
  hits[5] += s->port.writes >= s->cfg.ring_flight && in->put_valid && !s->taken && !out->put_ready;
  hits[6] += s->port.reads == s->cfg.ring_flight && in->get_valid;
  hits[7] += out->mem.valid && !in->mem.ready;
  hits[8] += in->put_valid && out->put_beat && !in->mem.take;
  hits[9] += in->mem.b_valid && in->mem.r_valid;
  hits[10] += in->mem.b_valid && get;
  hits[11] += in->mem.b_valid && s->looks == 3;
  hits[12] += in->mem.b_valid && s->looks == 2;
  hits[13] += in->mem.b_valid && s->was_answer;
  hits[14] += in->mem.b_valid && in->mem.b_error;
  hits[15] += in->mem.r_valid && in->mem.r.error && !out->got_beat;
  hits[16] += in->mem.r_valid && in->mem.r.error && out->got_beat;
  hits[17] += out->got_valid && out->got_error;
  hits[18] += s->cfg.ring_line == 1 || (out->got_valid && !out->got_error && s->got_error);
  hits[19] += any(out->there, s->cfg.ring_queues) && !any(out->readable, s->cfg.ring_queues);
  hits[20] += out->got_beat_valid && out->got_beat == 0 && put;
  hits[21] += s->lost == s->cfg.ring_bad;
  hits[22] += out->used >= 512;
}

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct stim *s = s_;
  const struct hd_memring_in *in = in_;
  const struct hd_memring_out *out = out_;
  hits[0] += (unsigned)(in->put_valid && out->put_ready) + (in->get_valid && out->get_ready) + out->got_valid;
  cover_region(s, in, out, hits + 1);
  cover_requests(s, in, out, hits + 11);
  cover_port(s, in, out, hits + 16);
}

const struct hd_block_driver hd_block_driver_memring = {
    HD_BLOCK_DRIVER_MODEL_FIELDS(memring), HD_BLOCK_DRIVER_ROWS_FIELDS(memring),
    HD_BLOCK_DRIVER_STIM_FIELDS(struct stim), HD_BLOCK_ORACLE_FIELDS(memring)};
