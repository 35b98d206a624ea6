/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* pool: golden model, random environment and cover points. The environment launches device kernels into a few streams,
 * takes those that are offered, lets them end after a while, and is the memory. */
#include "family/pool.h"

#include "env/common/clients.h"
#include "env/common/memory.h"
#include "env/common/model.h"

HD_TWIN_MODEL(pool)
HD_TWIN_ROWS(pool)

enum { RUNNING = 64, REGION = 2048 * HD_KREC_BYTES };

struct stim {
  struct hd_cfg cfg;
  uint32_t dev_base, dev_count;
  struct hd_devk a1, a3; /* the launch in A1 or A2, and the one to be pushed */
  uint8_t a1_valid, a2_valid, a3_valid;
  uint8_t started;
  uint8_t favourite;                  /* until the reset: half of the kernels are of this stream */
  uint8_t streams;                    /* the kernels of this phase are of streams 0 to streams - 1 */
  uint8_t one;                        /* phase: all of the last of these, so that its tickets rise */
  uint8_t hold;                       /* phase: no kernel ends */
  uint8_t running[RUNNING];           /* streams of the kernels that were taken or lost */
  uint8_t served[HD_MAX_NUM_STREAMS]; /* those that ended, by stream */
  unsigned running_n;
  uint32_t serial;
  uint8_t refused; /* in this cycle */
  struct hd_memory port;
  uint8_t bytes[REGION];
};

HD_TWIN_STIM

/* Where the region lies and how large it is: set once after reset, often small. */
static void set_region(struct stim *s, struct hd_rng *rng) {
  const uint32_t counts[] = {0, 1, 2, 3, 5, 12, 12, 40, s->cfg.pool_rows, s->cfg.pool_rows + 7, UINT32_MAX};
  if (s->started) return;
  s->started = 1;
  s->favourite = (uint8_t)hd_rng_below(rng, s->cfg.num_streams);
  s->dev_base = hd_rng_below(rng, UINT32_MAX - REGION / 256);
  s->dev_count = counts[hd_rng_below(rng, sizeof counts / sizeof *counts)];
}

static struct hd_devk random_kernel(struct stim *s, struct hd_rng *rng) {
  struct hd_devk k = {.desc = hd_random_desc(rng)};
  k.desc.param = (k.desc.param & ~(uint64_t)0xffffffff) | ++s->serial * 2654435761u; /* no two are the same */
  k.need.warps = (uint8_t)(1 + hd_rng_below(rng, s->cfg.warps_per_smx));
  k.need.regs = (uint16_t)hd_rng_below(rng, s->cfg.reg_units_per_smx + 1);
  k.need.smem = (uint16_t)hd_rng_below(rng, s->cfg.smem_units_per_smx + 1);
  k.ctas = (uint32_t)hd_rng_bits(rng, 32);
  k.level = (uint8_t)hd_rng_below(rng, s->cfg.max_level + 1);
  k.stream = s->one               ? (uint8_t)(s->streams - 1)
             : hd_rng_p(rng, 128) ? s->favourite
                                  : (uint8_t)hd_rng_below(rng, s->streams ? s->streams : 1);
  k.ticket = (uint8_t)hd_rng_bits(rng, s->cfg.ticket_w); /* the pool gives it another */
  k.up = (uint16_t)hd_rng_below(rng, s->cfg.num_kin);
  k.smx = (uint8_t)hd_rng_below(rng, s->cfg.num_smx);
  return k;
}

/* A launch passes A1 when the pool is ready, is refused in A2 when there is no room, and is pushed in A3. */
static void drive_push(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_pool_out *now,
                       struct hd_pool_in *in) {
  bool busy = s->a2_valid || s->a3_valid;
  in->push_valid = s->a3_valid;
  in->push = s->a3_valid ? s->a3 : (struct hd_devk){0};
  s->refused = s->a2_valid && (now->pool_full || !now->stream_ok[s->a1.stream]);
  s->a3_valid = s->a2_valid && !s->refused;
  s->a3 = s->a1;
  s->a2_valid = 0;
  if (!s->a1_valid && hd_rng_p(rng, p->source)) {
    s->a1 = random_kernel(s, rng);
    s->a1_valid = 1;
  }
  if (!s->a1_valid || busy || !now->pool_ready) return;
  s->a1_valid = 0;
  s->a2_valid = 1;
}

/* Kernels that were taken or lost end in any order; each is told to its stream. */
static void drive_ends(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, struct hd_pool_in *in) {
  in->stream_done_valid = in->stream_done = 0;
  if (s->hold || !s->running_n || !hd_rng_p(rng, p->sink / 4 + 1)) return;
  unsigned at = hd_rng_below(rng, s->running_n);
  in->stream_done = s->running[at];
  in->stream_done_valid = in->stream_done != 0;
  s->served[in->stream_done]++;
  s->running[at] = s->running[--s->running_n];
}

static void drive_memory(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_pool_out *out,
                         struct hd_pool_in *in) {
  const struct hd_memory_asked asked = {out->req_valid, out->req, out->wbeat};
  hd_memory_drive(&s->port, rng, p, &asked, s->bytes, (uint64_t)s->dev_base * 256, sizeof s->bytes);
  hd_memory_damage(&s->port, rng, p, s->bytes, (uint64_t)s->dev_base * 256, sizeof s->bytes, HD_MEMORY_FIELDS);
  in->req_ready = s->port.pins.req_ready;
  in->wbeat_take = s->port.pins.wbeat_take;
  in->b_valid = s->port.pins.b_valid;
  in->b_error = s->port.pins.b_error;
  in->r_valid = s->port.pins.r_valid;
  in->r = s->port.pins.r;
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out_, const void *now_,
                  void *in_) {
  struct stim *s = s_;
  struct hd_pool_in *in = in_;
  const struct hd_pool_out *out = out_, *now = now_;
  if (out->lost_valid && in->lost_ready) s->running[s->running_n++] = out->lost_stream;
  set_region(s, rng);
  if (!s->streams || !hd_rng_below(rng, 400)) {
    s->streams = (uint8_t)(1 + hd_rng_below(rng, 1 + hd_rng_below(rng, s->cfg.num_streams)));
    s->one = hd_rng_p(rng, 128);
  }
  if (!hd_rng_below(rng, 400)) s->hold = hd_rng_p(rng, 40);
  in->dev_base = s->dev_base;
  in->dev_count = s->dev_count;
  drive_memory(s, rng, p, out, in);
  /* What `now` says of pool_full may be of another DEV_COUNT in the first cycle: nothing is in A2 then. */
  drive_push(s, rng, p, now, in);
  drive_ends(s, rng, p, in);
  in->head_pop = now->head_valid && s->running_n < RUNNING - 2 && hd_rng_p(rng, p->sink);
  if (in->head_pop) s->running[s->running_n++] = now->head.stream;
  in->lost_ready = s->running_n < RUNNING - 1 && hd_rng_p(rng, p->sink);
}

static const char *const covers[] = {
    "event",       "on_chip",    "spill",        "refill",  "lost",        "lost_stalled",
    "refused",     "head_taken", "head_stalled", "blocked", "stream_done", "request_stalled",
    "past_a_loss", NULL};

/* Its stream serves a later ticket: one of its kernels was lost. */
static bool past_its_turn(const struct stim *s, const struct hd_devk *k) {
  return ((s->served[k->stream] - k->ticket) & ((1u << s->cfg.ticket_w) - 1)) != 0;
}

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct stim *s = s_;
  const struct hd_pool_in *in = in_;
  const struct hd_pool_out *out = out_;
  bool req = out->req_valid && in->req_ready;
  hits[0] += in->push_valid + in->head_pop + req;
  hits[1] += in->push_valid && !out->req_valid;
  hits[2] += out->spill_event;
  hits[3] += out->refill_event;
  hits[4] += out->lost_valid && in->lost_ready;
  hits[5] += out->lost_valid && !in->lost_ready;
  hits[6] += s->refused;
  hits[7] += in->head_pop;
  hits[8] += out->head_valid && !in->head_pop;
  hits[9] += !out->pool_ready && !out->req_valid && !out->head_valid;
  hits[10] += in->stream_done_valid;
  hits[11] += out->req_valid && !in->req_ready;
  hits[12] += in->head_pop && out->head.stream && past_its_turn(s, &out->head);
}

/* Oracle: each kernel that was pushed is offered once, unchanged but for the damage that its record took, or lost once;
 * kernels of a stream in order and one at a time, until one of the stream is lost; kernels of no stream in order;
 * memory is used only inside the region; a stream, or none, of which kernels wait and none runs gets its turn before
 * long. */
enum { WAITING = HD_MAX_POOL_ROWS + 64, PATIENCE = 6000 };

struct oracle {
  struct hd_cfg cfg;
  struct hd_devk waiting[WAITING];  /* oldest first */
  uint64_t param[HD_MAX_POOL_ROWS]; /* names the kernel in each place of memory */
  uint64_t lost_param;
  uint32_t n, place;
  uint32_t queued[HD_MAX_NUM_STREAMS]; /* kernels of the stream that wait, and since when: */
  uint32_t waited[HD_MAX_NUM_STREAMS]; /* cycles in which one might have been offered */
  uint8_t running[HD_MAX_NUM_STREAMS]; /* kernels of the stream that were taken or lost and have not ended */
  uint8_t lossy[HD_MAX_NUM_STREAMS];   /* one was lost */
  uint8_t beats, error;
  uint8_t lost_waits;
};

HD_TWIN_ORACLE

static void forget(struct oracle *o, unsigned at) {
  o->queued[o->waiting[at].stream]--;
  o->waited[o->waiting[at].stream] = 0;
  memmove(o->waiting + at, o->waiting + at + 1, (--o->n - at) * sizeof *o->waiting);
}

/* The kernel of that parameter address, which no two share; o->n when it does not wait. */
static unsigned find(const struct oracle *o, uint64_t param) {
  unsigned at = 0;
  while (at < o->n && o->waiting[at].desc.param != param) at++;
  return at;
}

static const char *watch_head(struct oracle *o, const struct hd_devk *head, bool taken) {
  unsigned at = find(o, head->desc.param);
  if (at == o->n) return "a kernel is offered that nobody launched, or a second time";
  struct hd_devk k = o->waiting[at];
  k.ticket = head->ticket;
  if (memcmp(&k, head, sizeof k)) return "a kernel changed while it waited";
  for (unsigned i = 0; i < at; i++)
    if (o->waiting[i].stream == k.stream && !o->lossy[k.stream])
      return "kernels of one stream, or of none, out of order";
  if (o->running[k.stream] && !o->lossy[k.stream]) return "a kernel is offered while the one ahead in its stream runs";
  if (!taken) return NULL;
  o->running[k.stream] += k.stream != 0;
  forget(o, at);
  return NULL;
}

/* A beat of a record: whose it is, and which SMX it names as the one that launched the kernel. */
static const char *watch_beat(struct oracle *o, uint64_t hi, uint64_t lo, bool written) {
  unsigned beat = o->beats++;
  if (beat == 0 && written) o->param[o->place] = hi;
  if (beat != HD_MEMORY_SMX / 16) return NULL;
  unsigned at = find(o, o->param[o->place]);
  if (at == o->n) return NULL; /* it is told as one that nobody launched if it is offered */
  if (written && o->waiting[at].smx != (lo >> 48 & 0xff)) return "a kernel goes to memory with another SMX";
  o->waiting[at].smx = hd_memory_smx(&o->cfg, lo);
  return NULL;
}

/* Memory: which kernel is where, and which one an error hits. */
static const char *watch_memory(struct oracle *o, const struct hd_pool_in *in, const struct hd_pool_out *out) {
  if (out->req_valid) {
    uint64_t at = out->req.addr - (uint64_t)in->dev_base * 256;
    uint32_t rows = in->dev_count < o->cfg.pool_rows ? in->dev_count : o->cfg.pool_rows;
    if (at % HD_KREC_BYTES || at / HD_KREC_BYTES >= rows || out->req.len != 7) return "a burst outside the region";
    o->place = (uint32_t)(at / HD_KREC_BYTES);
    o->beats = o->error = 0;
  }
  const char *rule = in->wbeat_take ? watch_beat(o, out->wbeat.hi, out->wbeat.lo, true) : NULL;
  if (in->r_valid) rule = watch_beat(o, in->r.hi, in->r.lo, false);
  o->error |= (in->r_valid && in->r.error) | (in->b_valid && in->b_error);
  if (o->error && (in->b_valid || (in->r_valid && in->r.last))) o->lost_param = o->param[o->place];
  return rule;
}

static const char *watch_lost(struct oracle *o, const struct hd_pool_out *out) {
  unsigned at = find(o, o->lost_param);
  if (at == o->n || o->waiting[at].up != out->lost_up || o->waiting[at].stream != out->lost_stream)
    return "a kernel is lost that memory did not fail";
  o->lossy[out->lost_stream] = out->lost_stream != 0;
  o->running[out->lost_stream] += out->lost_stream != 0;
  forget(o, at);
  return NULL;
}

/* A head that the KMU leaves there holds up the others. */
static const char *watch_turns(struct oracle *o, const struct hd_pool_in *in, const struct hd_pool_out *out) {
  if (out->head_valid && !in->head_pop) return NULL;
  for (unsigned s = 0; s < o->cfg.num_streams; s++) {
    o->waited[s] = o->queued[s] && !o->running[s] ? o->waited[s] + 1 : 0;
    if (o->waited[s] > PATIENCE + 200 * o->n) return "a kernel that may run is not offered";
  }
  return NULL;
}

static const char *watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_pool_in *in = in_;
  const struct hd_pool_out *out = out_;
  const char *rule = out->head_valid ? watch_head(o, &out->head, in->head_pop) : NULL;
  (void)cycle;
  if (!rule && out->lost_valid && !o->lost_waits) rule = watch_lost(o, out); /* told until it is taken */
  o->lost_waits = out->lost_valid && !in->lost_ready;
  if (!rule) rule = watch_memory(o, in, out);
  if (!rule) rule = watch_turns(o, in, out);
  if (rule) return rule;
  if (in->stream_done_valid) o->running[in->stream_done]--;
  if (in->push_valid && o->n == WAITING) return "more kernels wait than there is room for";
  if (in->push_valid) {
    o->waiting[o->n++] = in->push;
    o->queued[in->push.stream]++;
  }
  return NULL;
}

const struct hd_twin hd_twin_pool = {HD_TWIN_MODEL_FIELDS(pool), HD_TWIN_ROWS_FIELDS(pool),
                                     HD_TWIN_STIM_FIELDS(struct stim), HD_TWIN_ORACLE_FIELDS};
