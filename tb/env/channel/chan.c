/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* chan: golden model, random environment and cover points; the oracle is chan_oracle. The environment sets up channels
 * and models the wavefronts of all CUs, the aggregator (which dispatches published elements), the done counts and the
 * memory. */
#include "channel/chan.h"

#include <stddef.h>

#include "engine/rng.h"
#include "env/common/memory.h"
#include "env/common/model.h"
#include "oracle/chan_oracle.h"
#include "oracle/channel_rules.h"

HD_BLOCK_DRIVER_MODEL(chan)
HD_BLOCK_DRIVER_ROWS(chan)

enum { CHANS = HD_MAX_NUM_CHAN, MOST = HD_CHANNEL_RULES_MOST, STRIDE = 4 * MOST, LEAST_GRAIN = 4 };

struct elements {
  uint32_t seam;      /* control place (never wrapped) of elements enqueued after some of another channel */
  uint8_t busy[MOST]; /* an operation with this element is in flight */
  uint16_t grain_done[MOST / LEAST_GRAIN];
  struct hd_channel_rules rules;
};

struct stim {
  struct hd_cfg cfg;
  struct hd_memory_bursts port;
  uint64_t base;
  uint8_t began, chans, next, favourite, errors, most; /* most: log2 of the largest capacity in this run */
  uint8_t whole, pause, turn; /* whole: all operations are on whole channels; pause: between set-ups; turn: order of
                               * their places */
  struct hd_chanop late[3];   /* accepted one and two cycles ago */
  uint8_t late_valid[3];
  uint8_t enqueued;                      /* 1 + the channel of the previous enq */
  uint8_t burst[HD_MAX_CHAN_FLIGHT + 1]; /* channels of unanswered bursts, the oldest first */
  uint8_t bursts;
  uint8_t beats, ended;               /* remaining beats of the burst; the last beat was accepted in the previous cycle
                                       * */
  uint8_t shut;                       /* cycles without room for done elements */
  uint8_t waits[HD_MAX_CHAN_CLIENTS]; /* cycles for which the client's operation has been offered */
  uint16_t head[CHANS];
  struct elements chan[CHANS];
};

static void stim_init(void *s, const struct hd_cfg *cfg, struct hd_rng *rng) {
  (void)rng;
  ((struct stim *)s)->cfg = *cfg;
}

/* sim speed: channels that the configuration does not have are never touched, since they are large. */
static void stim_reset(void *s_) {
  struct stim *s = s_;
  const struct hd_cfg cfg = s->cfg;
  memset(s, 0, offsetof(struct stim, chan) + cfg.num_chan * sizeof *s->chan);
  s->cfg = cfg;
}

/* ---- the previous cycle ---- */

/* Counts done elements, after any delay. */
static void count_done(struct stim *s, const struct hd_donerun *d) {
  for (unsigned k = 0; k < d->n; k++) s->chan[d->chan].grain_done[(d->off + k) / s->cfg.done_grain]++;
}

static void move_heads(struct stim *s, struct hd_rng *rng, struct hd_chan_in *in) {
  for (unsigned c = 0; c < s->next; c++) {
    const unsigned grains = s->chan[c].rules.capacity / s->cfg.done_grain;
    uint16_t *done = &s->chan[c].grain_done[s->head[c] & (grains - 1)];
    if (*done == s->cfg.done_grain && hd_rng_p(rng, 100)) {
      *done = 0;
      s->head[c] = (uint16_t)((s->head[c] + 1) & ((1u << s->cfg.grain_w) - 1));
    }
    in->head[c] = s->head[c];
  }
}

static void follow_answer(struct stim *s, const struct hd_chanop *op, const struct hd_chananswer *a) {
  struct hd_channel_rules *r = &s->chan[op->chan].rules;
  const bool ok = a->code == HD_CHCODE_OK;
  if (op->kind == HD_CHOP_TALLOC && ok) hd_channel_reserve(r, a->base, op->n);
  if (op->kind == HD_CHOP_ENQ && ok) {
    if (s->enqueued != op->chan + 1) s->chan[op->chan].seam = r->reserved;
    s->enqueued = (uint8_t)(op->chan + 1);
    hd_channel_enqueue(r, op->off, op->n);
  }
  if (op->kind == HD_CHOP_TFREE && ok) hd_channel_done(r, op->off, op->n);
  const bool too_much = op->kind == HD_CHOP_ENQ && a->code == HD_CHCODE_BAD && op->off + op->n <= r->capacity;
  if ((ok && (op->kind == HD_CHOP_ENQ || op->kind == HD_CHOP_TFREE)) || too_much)
    memset(&s->chan[op->chan].busy[op->off], 0, op->n);
}

static void follow_port(struct stim *s, const struct hd_chan_in *in, const struct hd_chan_out *out) {
  if (in->mem.b_valid) memmove(s->burst, s->burst + 1, --s->bursts);
  if (out->mem.valid && in->mem.ready) {
    s->beats = (uint8_t)(out->mem.req.len + 1);
    s->burst[s->bursts++] = (uint8_t)((out->mem.req.addr - s->base) / STRIDE ^ s->turn);
  }
  s->beats = (uint8_t)(s->beats - in->mem.take);
  s->ended = in->mem.take && !s->beats;
}

static void follow(struct stim *s, struct hd_rng *rng, const struct hd_chan_in *in, const struct hd_chan_out *out) {
  if (out->done_valid) count_done(s, &out->done);
  if (s->late_valid[1]) follow_answer(s, &s->late[1], &out->answer);
  if (out->pub_valid) hd_channel_publish(&s->chan[out->pub_chan].rules, out->pub_count);
  s->late[1] = s->late[0];
  s->late_valid[1] = s->late_valid[0];
  s->late_valid[0] = 0;
  for (unsigned c = 0; c < s->cfg.chan_clients; c++) {
    if (!in->op_valid[c] || !out->op_ready[c]) continue;
    s->late[0] = in->op[c];
    s->late_valid[0] = 1;
  }
  struct hd_channel_rules *r = &s->chan[hd_rng_below(rng, s->chans)].rules;
  if (r->capacity && hd_channel_ready(r))
    hd_channel_dispatch(r, r->dispatched & (2 * r->capacity - 1), 1 + hd_rng_below(rng, hd_channel_ready(r)));
}

/* ---- operations ---- */

/* Finds up to `most` consecutive elements in this state without an operation in flight. */
static bool find_run(struct stim *s, struct hd_rng *rng, struct hd_chanop *op, enum hd_ce state, unsigned most) {
  const struct hd_channel_rules *r = &s->chan[op->chan].rules;
  uint8_t *busy = s->chan[op->chan].busy;
  if (s->whole && (r->element[0] != state || busy[0])) return false;
  unsigned from = s->whole ? 0 : hd_rng_below(rng, r->capacity), k = 0, n = 0;
  while (k < r->capacity && (r->element[from] != state || busy[from])) k++, from = (from + 1) & (r->capacity - 1);
  if (k == r->capacity) return false;
  while (n < most && from + n < r->capacity && r->element[from + n] == state && !busy[from + n]) n++;
  if (s->whole && n != r->capacity) return false;
  memset(busy + from, 1, n);
  op->off = (uint16_t)from;
  op->n = (uint16_t)n;
  return true;
}

/* Makes an operation that must be refused. */
static void spoil(struct stim *s, struct hd_rng *rng, struct hd_chanop *op) {
  const unsigned c = s->chan[op->chan].rules.capacity, all = 1u << s->cfg.chan_pos_w;
  op->kind = (uint8_t)hd_rng_below(rng, 4);
  if (op->kind == HD_CHOP_ENQ && c != 0 && memchr(s->chan[op->chan].busy, 1, c) == NULL) {
    memset(s->chan[op->chan].busy, 1, c); /* the whole channel: all of its reserved elements, or more */
    op->off = 0;
    op->n = (uint16_t)c;
    return;
  }
  op->off = (uint16_t)hd_rng_bits(rng, s->cfg.chan_pos_w);
  op->n = (uint16_t)(c + 1 + hd_rng_below(rng, all - c - 1));
  if (hd_rng_p(rng, 60)) op->n = 0;
  if (c > 1 && (op->kind == HD_CHOP_ENQ || op->kind == HD_CHOP_TFREE) && hd_rng_p(rng, 60)) { /* across the end */
    op->n = (uint16_t)(2 + hd_rng_below(rng, c - 1));
    op->off = (uint16_t)(c - 1 - hd_rng_below(rng, op->n - 1u));
  }
  if (s->chans < s->cfg.num_chan && hd_rng_p(rng, 60)) {
    op->chan = (uint8_t)(s->chans + hd_rng_below(rng, s->cfg.num_chan - s->chans));
    op->n = (uint16_t)hd_rng_bits(rng, s->cfg.chan_pos_w);
  }
}

static bool make_op(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, unsigned client,
                    struct hd_chanop *op) {
  const unsigned wave = s->cfg.wave_lanes;
  memset(op, 0, sizeof *op);
  op->chan = (uint8_t)(hd_rng_p(rng, 128) && s->favourite < s->next ? s->favourite : hd_rng_below(rng, s->next));
  op->slot = (uint8_t)hd_rng_below(rng, s->cfg.waves_per_cu);
  const unsigned c = s->chan[op->chan].rules.capacity, least = wave < c ? wave : c;
  op->ctx = hd_rng_bits(rng, s->cfg.param_w);
  op->kind = (uint8_t)(hd_rng_p(rng, 20) ? HD_CHOP_YIELD : hd_rng_below(rng, 3));
  op->n = (uint16_t)(s->whole ? c : 1 + hd_rng_below(rng, hd_rng_p(rng, 150) ? least : c));
  if (client == s->cfg.num_cu && hd_rng_p(rng, 250)) op->kind = HD_CHOP_TALLOC;
  if (hd_rng_p(rng, p->bad)) {
    spoil(s, rng, op);
    return true;
  }
  if (op->kind == HD_CHOP_ENQ) return find_run(s, rng, op, HD_CE_RESERVED, op->n);
  if (op->kind == HD_CHOP_TFREE) return find_run(s, rng, op, HD_CE_DISPATCHED, op->n);
  return true;
}

static void drive_ops(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_chan_out *out,
                      struct hd_chan_in *in) {
  for (unsigned c = 0; c < s->cfg.chan_clients; c++) {
    if (in->op_valid[c] && !out->op_ready[c]) {
      if (s->waits[c] < UINT8_MAX) s->waits[c]++;
      continue;
    }
    s->waits[c] = 0;
    in->op_valid[c] = s->next && hd_rng_p(rng, p->source) && make_op(s, rng, p, c, &in->op[c]);
    if (!in->op_valid[c]) memset(&in->op[c], 0, sizeof in->op[c]);
  }
}

static void set_up(struct stim *s, struct hd_rng *rng, struct hd_chan_in *in) {
  const unsigned least = (unsigned)__builtin_ctz(s->cfg.done_grain);
  in->set_valid = s->next < s->chans && !(s->next && hd_rng_below(rng, 1u + s->pause));
  memset(&in->set, 0, sizeof in->set);
  if (!in->set_valid) return;
  in->set.chan = s->next;
  in->set.cap = (uint8_t)(s->whole ? s->most : least + hd_rng_below(rng, s->most - least + 1));
  in->set.level = (uint8_t)hd_rng_bits(rng, s->cfg.chan_level_w);
  in->set.levelized = hd_rng_p(rng, 128);
  in->set.threshold = (uint8_t)(1 + hd_rng_below(rng, s->cfg.wave_lanes));
  in->set.control =
      hd_memory_place(rng, s->base + (s->next ^ s->turn) * (uint64_t)STRIDE, STRIDE, UINT64_C(4) << in->set.cap) / 128;
  in->set.done = hd_rng_bits(rng, s->cfg.chan_base_w);
  hd_channel_rules_init(&s->chan[s->next].rules, 1u << in->set.cap, s->cfg.done_grain);
  s->next++;
}

static void begin(struct stim *s, struct hd_rng *rng) {
  const unsigned few = s->cfg.chan_cap < 10 ? s->cfg.chan_cap : 10;
  s->began = 1;
  s->chans = (uint8_t)(hd_rng_p(rng, 60) ? s->cfg.num_chan : 1 + hd_rng_below(rng, s->cfg.num_chan));
  s->whole = hd_rng_p(rng, 50);
  s->pause = hd_rng_p(rng, 128) ? 60 : 0;
  s->turn = (uint8_t)hd_rng_bits(rng, s->cfg.chan_w);
  s->base = hd_memory_region(rng, &s->cfg, (uint64_t)STRIDE << s->cfg.chan_w);
  s->errors = hd_rng_p(rng, 120);
  s->most = (uint8_t)(hd_rng_p(rng, s->whole ? 100 : 30) ? s->cfg.chan_cap : few);
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out_, const void *now,
                  void *in_) {
  struct stim *s = s_;
  struct hd_chan_in *in = in_;
  const struct hd_chan_out *out = out_;
  (void)now;
  if (!s->began) begin(s, rng);
  if (!hd_rng_below(rng, 60)) s->favourite = (uint8_t)hd_rng_below(rng, s->chans);
  follow(s, rng, in, out);
  follow_port(s, in, out);
  move_heads(s, rng, in);
  memset(in->fail, 0, sizeof in->fail);
  if (s->shut) s->shut--;
  if (!hd_rng_below(rng, 400)) s->shut = (uint8_t)hd_rng_below(rng, 100);
  in->done_room = !s->shut && hd_rng_p(rng, 200 + p->sink / 5);
  drive_ops(s, rng, p, out, in);
  set_up(s, rng, in);
  const struct hd_profile good = {p->name, p->source, p->sink, 0};
  hd_memory_drive_bursts(&s->port, rng, s->errors ? p : &good, &out->mem, NULL, 0, 0); /* chan does not read */
  in->mem = s->port.pins;
  if (s->errors && s->next && !hd_rng_below(rng, 3000)) in->fail[hd_rng_below(rng, s->next)] = 1;
  if (s->errors && in->mem.b_valid && !hd_rng_below(rng, 150)) in->fail[s->burst[0]] = 1;
}

static const char *const covers[] = {
    "event",       "ok",    "no_room",      "never",           "bad",         "failed",    "skip_granted",
    "skip_alone",  "yield", "published",    "passes_enq",      "write_error", "line_full", "request_waits",
    "passes_done", "seam",  "back_to_back", "lost_as_written", NULL};

/* Returns true if the elements published at once were enqueued by two operations, with one of another channel in
 * between. */
static bool has_seam(const struct stim *s, const struct hd_chan_out *out) {
  const struct elements *e = &s->chan[out->pub_chan];
  const uint32_t first = e->rules.published;
  return out->pub_valid && e->seam > first && e->seam < first + out->pub_count;
}

/* Returns the operation accepted in this cycle, or NULL. */
static const struct hd_chanop *taken(const struct stim *s, const struct hd_chan_in *in, const struct hd_chan_out *out) {
  for (unsigned c = 0; c < s->cfg.chan_clients; c++)
    if (in->op_valid[c] && out->op_ready[c]) return &in->op[c];
  return NULL;
}

/* Returns true if an operation of this kind has been offered for at least `cycles`. */
static bool waits(const struct stim *s, const struct hd_chan_in *in, enum hd_chop kind, unsigned cycles) {
  for (unsigned c = 0; c < s->cfg.chan_clients; c++)
    if (in->op_valid[c] && in->op[c].kind == kind && s->waits[c] >= cycles) return true;
  return false;
}

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct stim *s = s_;
  const struct hd_chan_in *in = in_;
  const struct hd_chan_out *out = out_;
  const bool any = memchr(out->answer_valid, 1, s->cfg.chan_clients) != NULL;
  const bool skip = out->done_valid && out->answer.kind == HD_CHOP_TALLOC;
  hits[0] += any;
  if (any) hits[1 + out->answer.code]++;
  hits[6] += skip && out->answer.code == HD_CHCODE_OK;
  hits[7] += skip && out->answer.code == HD_CHCODE_NO_ROOM;
  hits[8] += out->yield_valid;
  hits[9] += out->pub_valid;
  const struct hd_chanop *op = taken(s, in, out);
  hits[10] += op && in->done_room && waits(s, in, HD_CHOP_ENQ, 4 * s->cfg.chan_clients); /* long enough that other
                                                                                          * clients are not the only
                                                                                          * reason */
  hits[11] += in->mem.b_valid && in->mem.b_error;
  hits[12] += out->mem.valid && out->mem.req.len == 7;
  hits[13] += out->mem.valid && !in->mem.ready;
  hits[14] += op && !in->done_room && waits(s, in, HD_CHOP_TFREE, 0);
  hits[15] += has_seam(s, out);
  hits[16] += s->ended && out->mem.valid;
  hits[17] += in->mem.b_valid && !in->mem.b_error && in->fail[s->burst[0]] && !out->failed[s->burst[0]];
}

const struct hd_block_driver hd_block_driver_chan = {
    HD_BLOCK_DRIVER_MODEL_FIELDS(chan), HD_BLOCK_DRIVER_ROWS_FIELDS(chan), HD_BLOCK_DRIVER_STIM_FIELDS(struct stim),
    HD_BLOCK_ORACLE_FIELDS(chan)};
