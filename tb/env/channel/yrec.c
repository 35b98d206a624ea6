/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* yrec: golden model, random environment, cover points and oracle. The environment yields wavefronts and frees elements
 * of channels. It models the channel table, which grants or refuses, and the CUs that accept restarts. */
#include "channel/yrec.h"

#include "engine/rng.h"
#include "env/common/model.h"

HD_BLOCK_DRIVER_MODEL(yrec)
HD_BLOCK_DRIVER_ROWS(yrec)

enum { CHANS = HD_MAX_NUM_CHAN, CUS = HD_MAX_NUM_CU };

struct stim {
  struct hd_cfg cfg;
  uint16_t waiting; /* wavefronts */
  uint8_t asked[3]; /* accepted one and two cycles ago */
  uint8_t crowd, favourite, busy[CUS];
};

HD_BLOCK_DRIVER_STIM

static void drive_wait(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, struct hd_yrec_in *in) {
  memset(&in->wait, 0, sizeof in->wait);
  in->wait_valid = s->waiting < s->cfg.chan_recs && hd_rng_p(rng, s->crowd ? p->source : p->source / 16);
  if (!in->wait_valid) return;
  s->waiting++;
  in->wait.cu = (uint8_t)hd_rng_below(rng, s->cfg.num_cu);
  in->wait.own = (uint8_t)hd_rng_below(rng, s->cfg.num_chan);
  in->wait.chan = (uint8_t)(hd_rng_p(rng, 128) ? s->favourite : hd_rng_below(rng, s->cfg.num_chan));
  in->wait.n = (uint16_t)(1 + hd_rng_below(rng, 1u << s->cfg.chan_cap));
  in->wait.ctx = hd_rng_bits(rng, s->cfg.param_w);
}

static void drive_answer(struct stim *s, struct hd_rng *rng, const struct hd_yrec_out *out, struct hd_yrec_in *in) {
  const unsigned luck = hd_rng_below(rng, 256);
  s->asked[1] = s->asked[0];
  s->asked[0] = out->op_valid && in->op_ready;
  in->op_ready = hd_rng_p(rng, 120);
  in->answer_valid = s->asked[1];
  if (!in->answer_valid) { /* another client's answer */
    in->answer.kind = (uint8_t)hd_rng_below(rng, 4);
    in->answer.code = (uint8_t)hd_rng_below(rng, 5);
    in->answer.base = (uint16_t)hd_rng_bits(rng, s->cfg.chan_cap);
    in->answer.slot = (uint8_t)hd_rng_bits(rng, s->cfg.wave_w);
    return;
  }
  memset(&in->answer, 0, sizeof in->answer);
  in->answer.kind = HD_CHOP_TALLOC;
  in->answer.code = luck < 150 ? HD_CHCODE_OK : luck < 250 ? HD_CHCODE_NO_ROOM : HD_CHCODE_FAILED;
  if (in->answer.code == HD_CHCODE_OK) in->answer.base = (uint16_t)hd_rng_bits(rng, s->cfg.chan_cap);
}

static void drive_busy(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_yrec_out *out,
                       const struct hd_yrec_out *now, struct hd_yrec_in *in) {
  for (unsigned u = 0; u < s->cfg.num_cu; u++)
    if (in->back_busy[u] && hd_rng_p(rng, 4 + p->sink / 8u)) in->back_busy[u] = 0;
  if (out->back_valid) in->back_busy[out->back.cu] = 1;
  if (now->back_valid) s->waiting--;
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out_, const void *now_,
                  void *in_) {
  struct stim *s = s_;
  struct hd_yrec_in *in = in_;
  const struct hd_yrec_out *out = out_, *now = now_;
  if (!hd_rng_below(rng, 300)) s->crowd = hd_rng_p(rng, 80);
  if (!hd_rng_below(rng, 100)) s->favourite = (uint8_t)hd_rng_below(rng, s->cfg.num_chan);
  drive_answer(s, rng, out, in);
  drive_busy(s, rng, p, out, now, in);
  drive_wait(s, rng, p, in);
  in->freed_valid = hd_rng_p(rng, 50);
  in->freed_chan = (uint8_t)(in->freed_valid ? hd_rng_below(rng, s->cfg.num_chan) : 0);
  if (!hd_rng_below(rng, 30000)) in->failed[hd_rng_below(rng, s->cfg.num_chan)] = 1;
}

static const char *const covers[] = {"event", "waits", "goes_on", "refused", "lost", "freed_refused",
                                     "full",  "many",  "asked",   "held",    NULL};

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct stim *s = s_;
  const struct hd_yrec_in *in = in_;
  const struct hd_yrec_out *out = out_;
  const bool refused = in->answer_valid && in->answer.code == HD_CHCODE_NO_ROOM;
  hits[0] += (unsigned)in->wait_valid + out->back_valid;
  hits[1] += in->wait_valid;
  hits[2] += out->back_valid;
  hits[3] += refused;
  hits[4] += out->back_valid && out->back.code == HD_CHCODE_FAILED;
  hits[5] += refused && in->freed_valid;
  hits[6] += s->waiting == s->cfg.chan_recs;
  hits[7] += s->waiting > s->cfg.num_chan;
  hits[8] += out->op_valid && in->op_ready;
  hits[9] += s->waiting && !out->asking && memchr(in->back_busy, 1, s->cfg.num_cu);
}

/* Oracle:
 * 1. Wavefronts that wait for a channel restart in order, each once, with its grant, on a CU that accepts it.
 * 2. After a refusal no request is made before an element was freed; after that, one is.
 * 3. The first of a list is requested within TURN cycles per list, counted from the time at which it may succeed and
 *    its CU has no waiting restart. Cycles in which its operation is not accepted, or a wavefront arrives, do not
 *    count.
 * 4. `asking` is not set for wavefronts whose CU has a restart: each such list is examined once, within VISIT cycles
 *    per list. Cycles in which another one is requested do not count. */
enum { TURN = 12, VISIT = 3 };

struct oracle {
  struct hd_cfg cfg;
  struct hd_chanwait who[HD_MAX_CHAN_RECS]; /* the oldest first */
  uint32_t waiting;
  struct hd_chanwait asks; /* the operation in flight */
  struct hd_chananswer answer;
  uint16_t late[CHANS]; /* cycles in which the first could have been requested */
  uint16_t held[CHANS]; /* cycles in which it could not, and its list could have been examined */
  uint8_t asked;        /* an operation has no answer yet */
  uint8_t answered, hope[CHANS], busy[CUS], failed[CHANS];
};

HD_BLOCK_DRIVER_ORACLE

/* Returns the index of the first that waits for the channel; `waiting` if none. */
static uint32_t first_of(const struct oracle *o, unsigned chan) {
  uint32_t k = 0;
  while (k < o->waiting && o->who[k].chan != chan) k++;
  return k;
}

static const char *watch_back(struct oracle *o, const struct hd_yrec_out *out) {
  const struct hd_chanback *b = &out->back;
  if (!out->back_valid) return NULL;
  const uint32_t k = first_of(o, b->chan);
  if (!o->answered || k == o->waiting) return "a wavefront restarts without a grant";
  const struct hd_chanwait *w = &o->who[k];
  if (o->busy[b->cu]) return "a wavefront restarts whose CU has no room";
  if (b->cu != w->cu || b->own != w->own || b->ctx != w->ctx || b->base != o->answer.base || b->code != o->answer.code)
    return "a wavefront restarts that is not the first of its list, or with other data than granted";
  o->answered = o->held[b->chan] = 0;
  memmove(&o->who[k], &o->who[k + 1], (--o->waiting - k) * sizeof *w);
  return NULL;
}

/* Returns true if the first of the list may succeed, and restart. */
static bool may_request(const struct oracle *o, unsigned c) {
  const uint32_t k = first_of(o, c);
  return o->hope[c] && k < o->waiting && !o->busy[o->who[k].cu];
}

static const char *watch_late(struct oracle *o, const struct hd_yrec_in *in, const struct hd_yrec_out *out) {
  const char *rule = NULL;
  const bool stands = in->wait_valid || (out->op_valid && !in->op_ready);
  for (unsigned c = 0; c < o->cfg.num_chan; c++) {
    if (!may_request(o, c) || (out->op_valid && out->op.chan == c)) o->late[c] = 0;
    if (may_request(o, c) && !stands && ++o->late[c] > TURN * (o->cfg.num_chan + 1))
      rule = "a wavefront that may restart is not requested";
  }
  return rule;
}

static const char *watch_requests(struct oracle *o, const struct hd_yrec_in *in, const struct hd_yrec_out *out) {
  bool hope = o->answered;
  for (unsigned c = 0; c < o->cfg.num_chan; c++) hope |= may_request(o, c) && o->late[c] > 2;
  if (hope && !out->asking) return "there may be room, but asking is not set";
  if (in->answer_valid && in->answer.code == HD_CHCODE_NO_ROOM) o->hope[o->asks.chan] = o->failed[o->asks.chan];
  if (in->answer_valid && in->answer.code != HD_CHCODE_NO_ROOM) {
    o->answered = 1;
    o->answer = in->answer;
  }
  if (!out->op_valid) return NULL;
  const uint32_t k = first_of(o, out->op.chan);
  if (k == o->waiting || out->op.n != o->who[k].n || out->op.kind != HD_CHOP_TALLOC)
    return "the request is not that of the first wavefront of the list";
  if (!o->hope[out->op.chan]) return "it requests again although nothing became free";
  o->asks = o->who[k];
  return NULL;
}

/* A list whose first wavefront's CU has had a restart for long enough that the list was examined does not justify
 * `asking`. */
static const char *watch_held(struct oracle *o, const struct hd_yrec_in *in, const struct hd_yrec_out *out) {
  const bool asks = out->op_valid || o->asked || in->answer_valid || o->answered || out->back_valid;
  bool may = asks, fell = false;
  for (unsigned u = 0; u < o->cfg.num_cu; u++) fell |= o->busy[u] && !in->back_busy[u];
  for (unsigned c = 0; c < o->cfg.num_chan; c++) {
    const uint32_t k = first_of(o, c);
    const bool wants = k < o->waiting && o->hope[c];
    if (!wants || !o->busy[o->who[k].cu] || fell)
      o->held[c] = 0;
    else if (!asks && o->held[c] < UINT16_MAX)
      o->held[c]++;
    may |= wants && o->held[c] <= VISIT * (o->cfg.num_chan + 1);
  }
  o->asked = (o->asked || (out->op_valid && in->op_ready)) && !in->answer_valid;
  return out->asking && !may ? "asking is set, but no wavefront may be granted room" : NULL;
}

static const char *watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_yrec_in *in = in_;
  const struct hd_yrec_out *out = out_;
  (void)cycle;
  const char *held = watch_held(o, in, out), *back = watch_back(o, out), *late = watch_late(o, in, out),
             *ask = watch_requests(o, in, out);
  if (in->wait_valid) {
    if (first_of(o, in->wait.chan) == o->waiting) o->hope[in->wait.chan] = 1;
    o->who[o->waiting++] = in->wait;
  }
  if (in->freed_valid) o->hope[in->freed_chan] = 1;
  for (unsigned c = 0; c < o->cfg.num_chan; c++) o->hope[c] |= in->failed[c];
  memcpy(o->failed, in->failed, sizeof o->failed);
  memcpy(o->busy, in->back_busy, sizeof o->busy);
  return back ? back : ask ? ask : late ? late : held;
}

const struct hd_block_driver hd_block_driver_yrec = {
    HD_BLOCK_DRIVER_MODEL_FIELDS(yrec), HD_BLOCK_DRIVER_ROWS_FIELDS(yrec), HD_BLOCK_DRIVER_STIM_FIELDS(struct stim),
    HD_BLOCK_DRIVER_ORACLE_FIELDS};
