/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* memq: golden model, random environment and cover points; the oracle is memq_oracle. The environment puts entries
 * behind queues, gets readable ones, and is the memory. */
#include "service/memq.h"

#include "env/common/memory.h"
#include "env/common/model.h"
#include "oracle/memq_oracle.h"

HD_BLOCK_DRIVER_MODEL(memq)
HD_BLOCK_DRIVER_ROWS(memq)

enum { REGION = HD_MAX_MEMQ_PLACES * HD_MEMQ_BYTES };

struct stim {
  struct hd_cfg cfg;
  uint32_t base, count;
  uint16_t favourite; /* half of the entries are for this queue, until the region is set again */
  uint16_t queues;    /* phase: entries are for queues 0 to queues - 1 */
  uint8_t started;
  uint8_t alone;   /* all entries are for the favourite */
  uint8_t hold;    /* phase: no gets */
  uint8_t dry;     /* phase: no puts */
  uint8_t keen;    /* phase: every readable queue is read at once */
  uint8_t seen;    /* a place was in use in the previous cycle */
  uint32_t serial; /* of the entry being put */
  struct hd_memory_bursts port;
  uint8_t bytes[REGION];
};

HD_BLOCK_DRIVER_STIM

/* Sets base and size of the region after reset, and sometimes again while no place is in use; often small. The region
 * does not wrap around the end of the address space, but address bits of `base` beyond the width are ignored. */
static void set_region(struct stim *s, struct hd_rng *rng, const struct hd_memq_out *now) {
  const uint32_t all = s->cfg.memq_places;
  const uint32_t power = UINT32_C(1) << hd_rng_below(rng, 32);
  const uint32_t counts[] = {0, 0, 1, 2, 3, 5, 12, all - 1, all, all, all, all + 7, power, hd_huge_count(rng)};
  bool idle = !now->used && now->get_ready; /* otherwise a put may be in progress that has no place yet */
  if (s->started && !(idle && !hd_rng_below(rng, 30))) return;
  s->started = 1;
  s->favourite = (uint16_t)hd_rng_below(rng, s->cfg.memq_queues);
  s->alone = hd_rng_p(rng, 64);
  s->count = counts[hd_rng_below(rng, sizeof counts / sizeof *counts)];
  s->base = (uint32_t)hd_rng_bits(rng, 32);
  if ((((uint64_t)s->base * 256) & hd_memory_mask(&s->cfg)) + REGION - 1 > hd_memory_mask(&s->cfg))
    s->base -= REGION / 256;
}

static void set_phase(struct stim *s, struct hd_rng *rng) {
  if (!s->queues || !hd_rng_below(rng, 400))
    s->queues = (uint16_t)(1 + hd_rng_below(rng, 1 + hd_rng_below(rng, s->cfg.memq_queues)));
  if (!hd_rng_below(rng, 500)) s->hold = hd_rng_p(rng, 60);
  if (!hd_rng_below(rng, 500)) s->dry = hd_rng_p(rng, 60);
  if (!hd_rng_below(rng, 300)) s->keen = hd_rng_p(rng, 128);
  if (!hd_rng_below(rng, 600)) s->port.holds_answers = hd_rng_p(rng, 30);
}

/* Returns a beat of the entry of that number: the number itself, and otherwise data derived from it. */
static struct hd_membeat beat_of(uint32_t serial, unsigned beat) {
  struct hd_rng hash = {(uint64_t)serial << 8 | beat};
  struct hd_membeat b = {.strb = 0xffff};
  b.hi = hd_rng_next(&hash);
  b.lo = beat ? hd_rng_next(&hash) : serial;
  return b;
}

/* An entry is offered until its last beat is accepted. */
static void drive_put(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_memq_out *out,
                      const struct hd_memq_out *now, struct hd_memq_in *in) {
  if (!in->put_valid || out->put_done) {
    in->put_valid = !s->dry && hd_rng_p(rng, p->source);
    in->put_queue = (uint16_t)(s->alone || hd_rng_p(rng, 100) ? s->favourite : hd_rng_below(rng, s->queues));
    in->put_side = (uint16_t)hd_rng_bits(rng, s->cfg.memq_side_w);
    s->serial++;
  }
  in->put_data = beat_of(s->serial, now->put_beat);
  if (in->put_valid) return;
  in->put_queue = 0;
  in->put_side = 0;
  memset(&in->put_data, 0, sizeof in->put_data);
}

/* Returns a readable queue, or -1. */
static int readable(const struct stim *s, struct hd_rng *rng, const struct hd_memq_out *now) {
  unsigned first = hd_rng_p(rng, 100) ? s->favourite : hd_rng_below(rng, s->cfg.memq_queues);
  for (unsigned k = 0; k < s->cfg.memq_queues; k++) {
    unsigned q = (first + k) % s->cfg.memq_queues;
    if (now->readable[q]) return (int)q;
  }
  return -1;
}

/* A get that is not accepted usually stays. */
static void drive_get(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_memq_out *out,
                      const struct hd_memq_out *now, struct hd_memq_in *in) {
  if (in->get_valid && !out->get_ready && now->readable[in->get_queue] && hd_rng_p(rng, 240)) return;
  in->get_valid = in->get_queue = in->get_tag = 0;
  int q = readable(s, rng, now);
  if (q < 0 || s->hold || !hd_rng_p(rng, s->keen ? 256 : p->source / 16 + 1)) return;
  in->get_valid = 1;
  in->get_queue = (uint16_t)q;
  in->get_tag = (uint8_t)hd_rng_bits(rng, s->cfg.memq_tag_w);
}

static void drive_memory(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_memq_out *out,
                         struct hd_memq_in *in) {
  uint64_t base = ((uint64_t)s->base * 256) & hd_memory_mask(&s->cfg);
  hd_memory_drive_bursts(&s->port, rng, p, &out->mem, s->bytes, base, sizeof s->bytes);
  in->mem = s->port.pins;
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out_, const void *now_,
                  void *in_) {
  struct stim *s = s_;
  struct hd_memq_in *in = in_;
  const struct hd_memq_out *out = out_, *now = now_;
  s->seen = out->used > 0;
  set_region(s, rng, now);
  set_phase(s, rng);
  in->base = s->base;
  in->count = s->count;
  drive_memory(s, rng, p, out, in);
  drive_put(s, rng, p, out, now, in);
  drive_get(s, rng, p, out, now, in);
}

static const char *const covers[] = {"event",
                                     "full",
                                     "emptied",
                                     "no_places",
                                     "get_before_put",
                                     "get_refused",
                                     "puts_full",
                                     "gets_full",
                                     "request_stalled",
                                     "beat_stalled",
                                     "answer_and_beat",
                                     "answer_and_get",
                                     "write_error",
                                     "read_error",
                                     "lost",
                                     "free_as_put_looks",
                                     "unwritten",
                                     "back_to_back",
                                     NULL};

static bool any(const uint8_t *v, unsigned n) {
  return memchr(v, 1, n) != NULL;
}

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct stim *s = s_;
  const struct hd_memq_in *in = in_;
  const struct hd_memq_out *out = out_;
  bool put = in->put_valid && out->put_ready, get = in->get_valid && out->get_ready;
  unsigned queues = s->cfg.memq_queues;
  hits[0] += (unsigned)put + get + out->got_valid;
  hits[1] += in->put_valid && out->used && !out->left;
  hits[2] += s->seen && !out->used;
  hits[3] += in->put_valid && !in->count;
  hits[4] += get && in->put_valid;
  hits[5] += in->get_valid && !out->get_ready;
  hits[6] += s->port.writes == s->cfg.memq_flight && in->put_valid && !out->mem.valid && out->left;
  hits[7] += s->port.reads == s->cfg.memq_flight && in->get_valid;
  hits[8] += out->mem.valid && !in->mem.ready;
  hits[9] += in->put_valid && out->put_beat && !in->mem.take;
  hits[10] += in->mem.b_valid && in->mem.r_valid;
  hits[11] += in->mem.b_valid && get;
  hits[12] += in->mem.b_valid && in->mem.b_error;
  hits[13] += in->mem.r_valid && in->mem.r.error;
  hits[14] += out->got_valid && out->got_error;
  hits[15] += out->got_valid && put;
  hits[16] += any(out->there, queues) && !any(out->readable, queues);
  hits[17] += out->got_beat_valid && out->got_beat == 0 && put;
}

const struct hd_block_driver hd_block_driver_memq = {
    HD_BLOCK_DRIVER_MODEL_FIELDS(memq), HD_BLOCK_DRIVER_ROWS_FIELDS(memq), HD_BLOCK_DRIVER_STIM_FIELDS(struct stim),
    HD_BLOCK_ORACLE_FIELDS(memq)};
