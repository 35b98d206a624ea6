/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* dcount: golden model, random environment, cover points and oracle. The environment sets up channels and models their
 * consumers and the memory. Consumers finish each element once per lap, none beyond the data head. */
#include "channel/dcount.h"

#include "engine/rng.h"
#include "env/common/memory.h"
#include "env/common/model.h"

HD_BLOCK_DRIVER_MODEL(dcount)
HD_BLOCK_DRIVER_ROWS(dcount)

enum { CHANS = HD_MAX_NUM_CHAN, STRIDE = 8192, REGION = CHANS * STRIDE, PLACES = 1 << HD_MAX_CHAN_CAP };

struct stim {
  struct hd_cfg cfg;
  struct hd_memory_bursts port;
  uint64_t base;
  uint8_t began, room[2];                /* run_room of the previous cycles */
  uint8_t chans, next;                   /* channels used in this run; channels set up so far */
  uint8_t favourite, whole, pause, turn; /* whole: a channel is done at once; pause: between set-ups; turn: order of
                                          * places */
  uint8_t crossed, since;                /* 1 + the channel whose head last moved to another beat; cycles since */
  uint8_t wide;                          /* all channels have the largest capacity, and are done beat by beat */
  uint8_t cap[CHANS];
  uint16_t head[CHANS]; /* in grains, as last seen */
  uint8_t bytes[REGION];
  uint8_t done[CHANS][PLACES / 8];
};

HD_BLOCK_DRIVER_STIM

static bool is_done(const struct stim *s, unsigned chan, unsigned place) {
  return s->done[chan][place / 8] >> place % 8 & 1;
}

/* Grains passed by the heads can be done again. */
static void follow(struct stim *s, const struct hd_dcount_out *now) {
  const unsigned g = s->cfg.done_grain;
  for (unsigned c = 0; c < s->next; c++) {
    const unsigned grains = (1u << s->cap[c]) / g;
    for (; s->head[c] != now->head[c]; s->head[c] = (uint16_t)((s->head[c] + 1) & ((1u << s->cfg.grain_w) - 1)))
      for (unsigned k = 0; k < g; k++) {
        const unsigned place = s->head[c] % grains * g + k;
        s->done[c][place / 8] &= (uint8_t) ~(1u << place % 8);
      }
  }
}

/* Returns the channel whose head moved to another beat of counts, or -1. */
static int crosses(const struct stim *s, const struct hd_dcount_out *out) {
  const unsigned grains = (1u << s->cap[out->freed_chan]) / s->cfg.done_grain;
  return out->freed_valid && grains > 16 && out->head[out->freed_chan] % 16 == 0 ? out->freed_chan : -1;
}

static void follow_crossings(struct stim *s, const struct hd_dcount_out *out) {
  if (s->since < UINT8_MAX) s->since++;
  if (crosses(s, out) < 0) return;
  s->crossed = (uint8_t)(crosses(s, out) + 1);
  s->since = 0;
}

static void set_up(struct stim *s, struct hd_rng *rng, struct hd_dcount_in *in) {
  const unsigned least = (unsigned)__builtin_ctz(s->cfg.done_grain), most = s->cfg.chan_cap;
  in->set_valid = s->next < s->chans && !(s->next && hd_rng_below(rng, 1u + s->pause));
  memset(&in->set, 0, sizeof in->set);
  if (!in->set_valid) return;
  s->cap[s->next] = (uint8_t)(s->wide ? most : least + hd_rng_below(rng, 1 + hd_rng_below(rng, most - least + 1)));
  in->set.chan = s->next;
  in->set.cap = s->cap[s->next];
  in->set.level = (uint8_t)hd_rng_bits(rng, s->cfg.chan_level_w);
  in->set.levelized = hd_rng_p(rng, 128);
  in->set.threshold = (uint8_t)(1 + hd_rng_below(rng, s->cfg.wave_lanes));
  in->set.control = hd_rng_bits(rng, s->cfg.chan_base_w);
  in->set.done = hd_memory_place(rng, s->base + (s->next ^ s->turn) * (uint64_t)STRIDE, STRIDE,
                                 (1u << in->set.cap) / s->cfg.done_grain) /
                 128;
  s->next++;
}

static void drive_run(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, struct hd_dcount_in *in) {
  in->run_valid = 0;
  memset(&in->run, 0, sizeof in->run);
  const unsigned chans = s->next - in->set_valid; /* those that were set up before this cycle */
  if (!chans || !s->room[1] || !hd_rng_p(rng, p->source)) return;
  const unsigned c = !s->wide && hd_rng_p(rng, 128) && s->favourite < chans ? s->favourite : hd_rng_below(rng, chans);
  const unsigned size = 1u << s->cap[c];
  const unsigned grain = s->head[c] & (size / s->cfg.done_grain - 1);
  unsigned off = hd_rng_p(rng, 160) ? grain * s->cfg.done_grain : hd_rng_below(rng, size), n = 0;
  if (s->whole && (is_done(s, c, 0) || is_done(s, c, size - 1))) return;
  if (s->whole) off = 0;
  const unsigned beat = 16 * s->cfg.done_grain;
  const unsigned most = s->whole  ? size
                        : s->wide ? beat - (off & (beat - 1))
                                  : 1 + hd_rng_below(rng, hd_rng_p(rng, 200) ? 2 * s->cfg.done_grain : size);
  for (unsigned k = 0; k < size && is_done(s, c, off); k++) off = (off + 1) & (size - 1);
  for (; n < most && off + n < size && !is_done(s, c, off + n); n++)
    s->done[c][(off + n) / 8] |= (uint8_t)(1u << (off + n) % 8);
  if (!n) return;
  in->run_valid = 1;
  in->run = (struct hd_donerun){.chan = (uint8_t)c, .off = (uint16_t)off, .n = (uint16_t)n};
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out_, const void *now_,
                  void *in_) {
  struct stim *s = s_;
  struct hd_dcount_in *in = in_;
  const struct hd_dcount_out *out = out_, *now = now_;
  if (!s->began) {
    s->began = 1;
    s->chans = (uint8_t)(hd_rng_p(rng, 60) ? s->cfg.num_chan : 1 + hd_rng_below(rng, s->cfg.num_chan));
    s->whole = hd_rng_p(rng, 40);
    s->wide = hd_rng_p(rng, 50);
    s->pause = hd_rng_p(rng, 128) ? 60 : 0;
    s->turn = (uint8_t)hd_rng_bits(rng, s->cfg.chan_w);
    s->base = hd_memory_region(rng, &s->cfg, (uint64_t)STRIDE << s->cfg.chan_w);
  }
  if (!hd_rng_below(rng, 100)) s->favourite = (uint8_t)hd_rng_below(rng, s->chans);
  follow(s, now);
  follow_crossings(s, out);
  set_up(s, rng, in);
  drive_run(s, rng, p, in);
  s->room[1] = s->room[0];
  s->room[0] = now->run_room;
  hd_memory_drive_bursts(&s->port, rng, p, &out->mem, s->bytes, s->base, sizeof s->bytes);
  in->mem = s->port.pins;
}

static const char *const covers[] = {"event", "no_room",  "read_error", "write_error", "fill_and_run",
                                     "lap",   "wide_run", "two_cross",  NULL};

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct stim *s = s_;
  const struct hd_dcount_in *in = in_;
  const struct hd_dcount_out *out = out_;
  hits[0] += (unsigned)in->run_valid + out->freed_valid;
  hits[1] += !out->run_room;
  hits[2] += in->mem.r_valid && in->mem.r.error;
  hits[3] += in->mem.b_valid && in->mem.b_error;
  hits[4] += in->mem.r_valid && in->run_valid;
  hits[5] +=
      out->freed_valid && out->head[out->freed_chan] % ((1u << s->cap[out->freed_chan]) / s->cfg.done_grain) == 0;
  hits[6] += in->run_valid && in->run.n > s->cfg.done_grain;
  hits[7] += crosses(s, out) >= 0 && s->crossed && s->crossed != crosses(s, out) + 1 && s->since < 16;
}

/* Oracle:
 * 1. A head moves one grain at a time, and only over grains whose elements were all reported as done; each move is
 *    reported in the next cycle.
 * 2. A head does move over such a grain: once no memory answer is outstanding and no request was made for some cycles,
 *    each cycle takes a step, and with no step left some head moves within some cycles.
 * 3. A channel fails in the cycle after an error in a beat of its done counts, and in no other.
 * SETTLED: cycles from a run to its count, or from a beat to the memory port. STEPS: count a grain, look, look again.
 */
enum { BURSTS = HD_MAX_DONE_ROWS, SETTLED = 8, STEPS = 3 };

/* Channels of the unanswered bursts, the oldest first. */
struct flight {
  uint8_t n, chan[BURSTS];
};

struct oracle {
  struct hd_cfg cfg;
  uint8_t cap[CHANS], fail[CHANS], lost[CHANS]; /* fail: in this cycle; lost: it has failed before */
  uint64_t base[CHANS];
  struct flight reads, writes;
  uint16_t head[CHANS];
  uint32_t still, owed; /* cycles without an outstanding answer or a moving head; maximum remaining steps */
  uint32_t done[CHANS][PLACES / 4];
};

HD_BLOCK_DRIVER_ORACLE

static uint32_t grains(const struct oracle *o, unsigned chan) {
  return (1u << o->cap[chan]) / o->cfg.done_grain;
}

static const char *watch_heads(struct oracle *o, const struct hd_dcount_out *out) {
  for (unsigned c = 0; c < o->cfg.num_chan; c++) {
    const bool moves = out->head[c] != o->head[c], reported = out->freed_valid && out->freed_chan == c;
    if (moves != reported) return "a head moves without being reported, or is reported and does not move";
    if (!moves) continue;
    if (out->head[c] != ((o->head[c] + 1) & ((1u << o->cfg.grain_w) - 1))) return "a head moves by more than one grain";
    uint32_t *done = &o->done[c][o->head[c] % grains(o, c)];
    if (*done != o->cfg.done_grain) return "a grain is freed that is not done";
    *done = 0;
    o->head[c] = out->head[c];
  }
  return NULL;
}

/* Returns the channel whose done counts include this address. */
static unsigned channel_at(const struct oracle *o, uint64_t addr) {
  unsigned c = 0;
  while (c < o->cfg.num_chan && !(o->cap[c] && addr - 128 * o->base[c] < (grains(o, c) + 15) / 16 * 16)) c++;
  return c;
}

static void answer(struct oracle *o, struct flight *f, bool valid, bool error) {
  if (!valid || !f->n) return;
  if (error) o->fail[f->chan[0]] = o->lost[f->chan[0]] = 1;
  memmove(f->chan, f->chan + 1, --f->n);
}

static const char *watch_memory(struct oracle *o, const struct hd_dcount_in *in, const struct hd_dcount_out *out) {
  const bool fails = memcmp(out->fail, o->fail, o->cfg.num_chan) != 0;
  struct flight *f = out->mem.req.write ? &o->writes : &o->reads;
  memset(o->fail, 0, sizeof o->fail);
  answer(o, &o->reads, in->mem.r_valid, in->mem.r.error);
  answer(o, &o->writes, in->mem.b_valid, in->mem.b_error);
  if (fails) return "fail is missing after an error, or occurs without one";
  if (!out->mem.valid || !in->mem.ready) return NULL;
  const unsigned c = channel_at(o, out->mem.req.addr);
  if (c == o->cfg.num_chan) return "a burst outside the done counts";
  if (f->n == BURSTS) return "more bursts than beats on chip";
  f->chan[f->n++] = (uint8_t)c;
  return NULL;
}

/* Uses the state at the beginning of the cycle. */
static const char *watch_idle(struct oracle *o, const struct hd_dcount_out *out) {
  const bool still = !out->mem.valid && !out->freed_valid && !o->reads.n && !o->writes.n;
  o->still = still ? o->still + 1 : 0;
  if (o->still > SETTLED && o->owed) o->owed--;
  if (o->owed || o->still <= SETTLED + o->cfg.num_chan + o->cfg.done_rows) return NULL;
  for (unsigned c = 0; c < o->cfg.num_chan; c++)
    if (o->cap[c] && !o->lost[c] && o->done[c][o->head[c] % grains(o, c)] == o->cfg.done_grain)
      return "a head does not move although its grain is done and no memory answer is outstanding";
  return NULL;
}

static void learn(struct oracle *o, const struct hd_dcount_in *in) {
  const struct hd_donerun *r = &in->run;
  if (in->set_valid) {
    o->cap[in->set.chan] = in->set.cap;
    o->base[in->set.chan] = in->set.done;
  }
  if (!in->run_valid) return;
  o->owed += SETTLED + STEPS * ((r->off + r->n - 1u) / o->cfg.done_grain - r->off / o->cfg.done_grain + 1);
  const uint32_t most = (o->cfg.chan_runs + 1) * (SETTLED + STEPS * ((1u << o->cfg.chan_cap) / o->cfg.done_grain));
  if (o->owed > most) o->owed = most;
  for (unsigned k = 0; k < r->n; k++) o->done[r->chan][(r->off + k) / o->cfg.done_grain]++;
}

static const char *watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  (void)cycle;
  const char *head = watch_heads(o, out_), *still = watch_idle(o, out_), *memory = watch_memory(o, in_, out_);
  learn(o, in_);
  return head ? head : memory ? memory : still;
}

const struct hd_block_driver hd_block_driver_dcount = {
    HD_BLOCK_DRIVER_MODEL_FIELDS(dcount), HD_BLOCK_DRIVER_ROWS_FIELDS(dcount), HD_BLOCK_DRIVER_STIM_FIELDS(struct stim),
    HD_BLOCK_DRIVER_ORACLE_FIELDS};
