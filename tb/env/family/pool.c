/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* pool: golden model, random environment, cover points and oracle. The environment launches device kernels into one,
 * few or all streams, takes those that are offered, or none for a while so that all fills up, lets them end in any
 * order, and is the memory. What a record says that the pool must not use, it changes on the way back. */
#include "family/pool.h"

#include "env/common/clients.h"
#include "env/common/memory.h"
#include "env/common/model.h"

HD_TWIN_MODEL(pool)

static void pool_arch(const void *m, unsigned group, void *arch, bool tables) {
  struct hd_pool_arch *a = arch;
  if (group) {
    hd_memq_arch(hd_pool_memq(m), &a->memq, tables);
    return;
  }
  hd_pool_arch_own(m, a);
  for (unsigned row = 0; tables && row < HD_MAX_POOL_DEPTH; row++) hd_pool_arch_row(m, row, a);
}

static const struct hd_wrote *pool_wrote(const void *m, unsigned group) {
  return group ? hd_pool_memq(m)->wrote : ((const struct hd_pool *)m)->wrote;
}

static void pool_row(const void *m, unsigned group, unsigned row, void *arch) {
  struct hd_pool_arch *a = arch;
  if (group)
    hd_memq_arch_row(hd_pool_memq(m), row, &a->memq);
  else
    hd_pool_arch_row(m, row, a);
}

static void pool_inner(const void *m, const struct hd_cfg *cfg, const void *in, void *inner) {
  (void)cfg;
  hd_pool_show_inner(m, in, inner);
}

/* Where a record has what the pool must not use: stream and parent record, and what only a suspended kernel has. */
enum { STREAM_AT = 29, SMX_AT = HD_MEMORY_SMX, SUSPENDED_AT = 44 };
enum { RUNNING = 64, REGION = HD_MAX_POOL_ROWS * HD_KREC_BYTES, SETTLED = 8 };

struct stim {
  struct hd_cfg cfg;
  uint32_t dev_base, dev_count;
  struct hd_devk a1, a3; /* the launch in A1 or A2, and the one to be pushed */
  uint8_t a1_valid, a2_valid, a3_valid;
  uint8_t started;
  uint8_t favourite;        /* until the reset: half of the kernels are of this stream */
  uint8_t streams;          /* the kernels of this phase are of streams 0 to streams - 1 */
  uint8_t one;              /* phase: all of the last of these */
  uint8_t hold;             /* phase: no kernel of a stream ends */
  uint8_t stall;            /* phase: the KMU takes none */
  uint8_t running[RUNNING]; /* streams of the kernels that were taken or lost */
  unsigned running_n;
  uint32_t serial;
  struct hd_memory_many port;
  /* For cover points: kernels that wait and that run, by stream; all that wait, those in memory, cycles since a push,
   * whether memory was asked for anything since, and in this cycle: */
  uint16_t queued[HD_MAX_NUM_STREAMS], busy[HD_MAX_NUM_STREAMS];
  unsigned waiting, in_memory, since_push;
  uint8_t asked, pushed_stream;
  uint8_t refused, gives_way, joins;
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

static void choose_phase(struct stim *s, struct hd_rng *rng) {
  if (!s->streams || !hd_rng_below(rng, 400)) {
    unsigned most = hd_rng_p(rng, 80) ? s->cfg.num_streams : 1 + hd_rng_below(rng, s->cfg.num_streams);
    s->streams = (uint8_t)(hd_rng_p(rng, 80) ? most : 1 + hd_rng_below(rng, most));
    s->one = hd_rng_p(rng, 90);
  }
  if (!hd_rng_below(rng, s->hold ? 3000 : 2000)) s->hold = !s->hold;
  if (!hd_rng_below(rng, s->stall ? 200 : 1000)) s->stall = !s->stall;
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
             : hd_rng_p(rng, 100) ? s->favourite
                                  : (uint8_t)hd_rng_below(rng, s->streams);
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
  if (!s->running_n || !hd_rng_p(rng, p->sink / 4 + 1)) return;
  unsigned at = hd_rng_below(rng, s->running_n);
  if (s->hold && s->running[at]) return;
  in->stream_done = s->running[at];
  in->stream_done_valid = in->stream_done != 0;
  s->busy[in->stream_done]--;
  s->running[at] = s->running[--s->running_n];
}

/* A kernel was taken or lost. */
static void start(struct stim *s, unsigned stream) {
  s->running[s->running_n++] = (uint8_t)stream;
  s->busy[stream]++;
  s->queued[stream]--;
  s->waiting--;
}

/* What the environment sees of the pool's state, before this cycle's inputs change it. */
static void note(struct stim *s, const struct hd_pool_out *now, const struct hd_pool_in *in) {
  const unsigned head = now->head.stream;
  s->gives_way = s->joins = 0;
  s->since_push++;
  s->asked |= now->req_valid;
  if (!now->head_valid || s->in_memory || s->asked) return;
  for (unsigned q = 1; q < s->cfg.num_streams && s->since_push >= SETTLED; q++)
    s->gives_way |= q != head && s->queued[q] && s->busy[q];
  s->joins = in->head_pop && s->since_push == 1 && s->pushed_stream == head && s->queued[head] == 2 && s->waiting == 2;
}

/* A record is about to be read: now and then it names another SMX, or says other things that are not to be used. */
static void damage(struct hd_rng *rng, const struct hd_profile *p, uint8_t *at) {
  if (hd_rng_p(rng, p->bad / 12)) at[SMX_AT] = (uint8_t)hd_rng_bits(rng, 8);
  if (!hd_rng_p(rng, 32)) return;
  for (unsigned k = STREAM_AT; k < HD_KREC_BYTES; k++) {
    bool used = k > STREAM_AT + 2 && k < SUSPENDED_AT;
    if (!used && k != SMX_AT) at[k] = (uint8_t)hd_rng_bits(rng, 8);
  }
}

static void drive_memory(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_pool_out *out,
                         struct hd_pool_in *in) {
  const struct hd_memory_asked asked = {out->req_valid, out->req, out->wbeat};
  const uint64_t base = (uint64_t)s->dev_base * 256, at = out->req.addr - base;
  bool taken = out->req_valid && s->port.pins.req_ready;
  if (taken && !out->req.write && at + HD_KREC_BYTES <= REGION) damage(rng, p, s->bytes + at);
  s->in_memory += taken && out->req.write;
  s->in_memory -= s->port.pins.r_valid && s->port.pins.r.last;
  hd_memory_drive_many(&s->port, rng, p, &asked, s->bytes, base, sizeof s->bytes);
  HD_MEMORY_TELL(in, s->port.pins);
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out_, const void *now_,
                  void *in_) {
  struct stim *s = s_;
  struct hd_pool_in *in = in_;
  const struct hd_pool_out *out = out_, *now = now_;
  if (out->lost_valid && in->lost_ready) start(s, out->lost_stream);
  set_region(s, rng);
  choose_phase(s, rng);
  in->dev_base = s->dev_base;
  in->dev_count = s->dev_count;
  drive_memory(s, rng, p, out, in);
  bool takes = !s->stall && s->running_n < RUNNING - 2 && hd_rng_p(rng, p->sink);
  in->head_pop = now->head_valid && takes;
  note(s, now, in);
  /* What `now` says of pool_full may be of another DEV_COUNT in the first cycle: nothing is in A2 then. */
  drive_push(s, rng, p, now, in);
  drive_ends(s, rng, p, in);
  if (in->head_pop) start(s, now->head.stream);
  in->lost_ready = s->running_n < RUNNING - 1 && hd_rng_p(rng, p->sink);
  if (!in->push_valid) return;
  s->queued[in->push.stream]++;
  s->waiting++;
  s->since_push = s->asked = 0;
  s->pushed_stream = in->push.stream;
}

/* ---- cover points ---- */

static const char *const covers[] = {"event",
                                     "on_chip",
                                     "put",
                                     "got",
                                     "lost",
                                     "lost_stalled",
                                     "refused",
                                     "head_taken",
                                     "head_stalled",
                                     "stream_done",
                                     "request_stalled",
                                     "blocked_gives_way",
                                     "several_gets",
                                     "several_puts",
                                     "joins_as_the_last_leaves",
                                     NULL};

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct stim *s = s_;
  const struct hd_pool_in *in = in_;
  const struct hd_pool_out *out = out_;
  bool req = out->req_valid && in->req_ready;
  hits[0] += in->push_valid + in->head_pop + req;
  hits[1] += s->since_push == SETTLED && !s->asked && s->waiting;
  hits[2] += out->spill_event;
  hits[3] += out->refill_event;
  hits[4] += out->lost_valid && in->lost_ready;
  hits[5] += out->lost_valid && !in->lost_ready;
  hits[6] += s->refused;
  hits[7] += in->head_pop;
  hits[8] += out->head_valid && !in->head_pop;
  hits[9] += in->stream_done_valid;
  hits[10] += out->req_valid && !in->req_ready;
  hits[11] += s->gives_way;
  hits[12] += s->port.reads > 1;
  hits[13] += s->port.writes > 1;
  hits[14] += s->joins;
}

/* ---- oracle ---- */

/* Each kernel that was pushed is offered once, unchanged but for the damage that its record took, or told to be lost,
 * once, if and only if memory failed it; all of a queue in the order of their launches, and of a stream one at a time;
 * what is offered or told stays until it is taken; memory is used only inside the region, a place by one kernel; a
 * stream, or none, of which kernels wait and none runs gets its turn before long; and room is refused only if it may be
 * short. */
enum { WAITING = HD_MAX_POOL_ROWS + 128, PATIENCE = 4000 };

struct waits {
  struct hd_devk k;
  uint8_t failed; /* memory gave an error */
};

struct place {
  uint64_t param; /* names the kernel */
  uint8_t used;   /* 1 on its way there 2 there 3 on its way back */
};

/* Places of the bursts under way, oldest first. */
struct bursts {
  unsigned n, beats; /* beats: of the one whose data is moved */
  uint16_t place[HD_MEMORY_FLIGHT];
};

struct oracle {
  struct hd_cfg cfg;
  struct waits waiting[WAITING]; /* oldest first */
  unsigned n;
  struct place place[HD_MAX_POOL_ROWS];
  struct bursts writes, reads;
  unsigned in_memory;
  unsigned since_push, not_ready;
  uint32_t queued[HD_MAX_NUM_STREAMS]; /* kernels of the stream that wait, and since when: */
  uint32_t waited[HD_MAX_NUM_STREAMS]; /* cycles in which one might have been offered */
  uint8_t running[HD_MAX_NUM_STREAMS]; /* a kernel of the stream was taken or lost and has not ended */
  uint8_t offered, told;               /* in the cycle before, and not taken: */
  uint64_t offered_param;
  uint8_t told_stream;
};

HD_TWIN_ORACLE

static void forget(struct oracle *o, unsigned at) {
  unsigned stream = o->waiting[at].k.stream;
  o->queued[stream]--;
  o->waited[stream] = 0;
  o->running[stream] = stream != 0;
  memmove(o->waiting + at, o->waiting + at + 1, (--o->n - at) * sizeof *o->waiting);
}

/* The kernel of that parameter address, which no two share; o->n when it does not wait. */
static unsigned find(const struct oracle *o, uint64_t param) {
  unsigned at = 0;
  while (at < o->n && o->waiting[at].k.desc.param != param) at++;
  return at;
}

/* The oldest kernel of the stream. */
static unsigned find_first(const struct oracle *o, unsigned stream) {
  unsigned at = 0;
  while (at < o->n && o->waiting[at].k.stream != stream) at++;
  return at;
}

static const char *watch_head(struct oracle *o, const struct hd_devk *head, bool taken) {
  unsigned at = find(o, head->desc.param);
  if (o->offered && o->offered_param != head->desc.param) return "another kernel is offered before one was taken";
  o->offered = !taken;
  o->offered_param = head->desc.param;
  if (at == o->n) return "a kernel is offered that nobody launched, or a second time";
  if (memcmp(&o->waiting[at].k, head, sizeof *head)) return "a kernel changed while it waited";
  if (o->waiting[at].failed) return "a kernel is offered though memory failed it";
  if (at != find_first(o, head->stream)) return "kernels of one stream, or of none, out of order";
  if (o->running[head->stream]) return "a kernel is offered while the one ahead in its stream runs";
  if (taken) forget(o, at);
  return NULL;
}

static const char *watch_lost(struct oracle *o, unsigned stream, unsigned up, bool taken) {
  unsigned at = find_first(o, stream);
  if (o->told && o->told_stream != stream) return "another kernel is told to be lost before one was taken";
  o->told = !taken;
  o->told_stream = (uint8_t)stream;
  if (at == o->n || !o->waiting[at].failed) return "a kernel is lost that memory did not fail, or not in its turn";
  if (o->waiting[at].k.up != up) return "a kernel is lost, and another parent record told";
  if (o->running[stream]) return "a kernel is told to be lost while the one ahead in its stream runs";
  if (taken) forget(o, at);
  return NULL;
}

static const char *watch_offers(struct oracle *o, const struct hd_pool_in *in, const struct hd_pool_out *out) {
  if ((o->offered && !out->head_valid) || (o->told && !out->lost_valid)) return "an offer is taken back";
  const char *rule = out->head_valid ? watch_head(o, &out->head, in->head_pop) : NULL;
  if (rule || !out->lost_valid) return rule;
  return watch_lost(o, out->lost_stream, out->lost_up, in->lost_ready);
}

/* Places of the region. */
static uint32_t places(const struct oracle *o, const struct hd_pool_in *in) {
  return in->dev_count < o->cfg.pool_rows ? in->dev_count : o->cfg.pool_rows;
}

/* A request: where it goes. */
static const char *watch_request(struct oracle *o, const struct hd_pool_in *in, const struct hd_pool_out *out) {
  const uint64_t at = out->req.addr - (uint64_t)in->dev_base * 256;
  if (at % HD_KREC_BYTES || at / HD_KREC_BYTES >= places(o, in) || out->req.len != 7)
    return "a burst outside the region";
  if (!in->req_ready) return NULL;
  struct place *p = &o->place[at / HD_KREC_BYTES];
  struct bursts *b = out->req.write ? &o->writes : &o->reads;
  if (out->req.write && p->used) return "a kernel goes to a place that is used";
  if (!out->req.write && p->used != 2) return "a place is read that no kernel is at";
  if (b->n == HD_MEMORY_FLIGHT) return "more bursts are under way than may be";
  b->place[b->n++] = (uint16_t)(at / HD_KREC_BYTES);
  if (out->req.write) b->beats = 0;
  p->used = out->req.write ? 1 : 3;
  o->in_memory += out->req.write;
  return NULL;
}

/* A beat of a record: whose it is, and which SMX it names as the one that launched the kernel. */
static const char *watch_beat(struct oracle *o, struct place *p, unsigned beat, uint64_t hi, uint64_t lo,
                              bool written) {
  if (beat == 0 && written) p->param = hi;
  unsigned at = find(o, p->param);
  if (at == o->n) return "a kernel is in memory that nobody launched, or that was offered";
  if (beat != SMX_AT / 16) return NULL;
  if (written && o->waiting[at].k.smx != (lo >> 48 & 0xff)) return "a kernel goes to memory with another SMX";
  o->waiting[at].k.smx = hd_memory_smx(&o->cfg, lo);
  return NULL;
}

/* An answer, or the last beat: the oldest burst is over. */
static struct place *end_burst(struct oracle *o, struct bursts *b) {
  struct place *p = &o->place[b->place[0]];
  memmove(b->place, b->place + 1, --b->n * sizeof *b->place);
  return p;
}

static void fail(struct oracle *o, const struct place *p) {
  unsigned at = find(o, p->param);
  if (at < o->n) o->waiting[at].failed = 1;
}

static const char *watch_answers(struct oracle *o, const struct hd_pool_in *in, const struct hd_pool_out *out) {
  const char *rule = NULL;
  if (in->wbeat_take)
    rule = watch_beat(o, &o->place[o->writes.place[o->writes.n - 1]], o->writes.beats++, out->wbeat.hi, out->wbeat.lo,
                      true);
  if (in->b_valid) {
    struct place *p = end_burst(o, &o->writes);
    p->used = 2;
    if (in->b_error) fail(o, p);
  }
  if (rule || !in->r_valid) return rule;
  struct place *p = &o->place[o->reads.place[0]];
  rule = watch_beat(o, p, o->reads.beats++, in->r.hi, in->r.lo, false);
  if (in->r.error) fail(o, p);
  if (!in->r.last) return rule;
  end_burst(o, &o->reads)->used = 0;
  o->reads.beats = 0;
  o->in_memory--;
  return rule;
}

/* A head that the KMU leaves there holds up the others. */
static const char *watch_turns(struct oracle *o, const struct hd_pool_in *in, const struct hd_pool_out *out) {
  o->not_ready = out->pool_ready ? 0 : o->not_ready + 1;
  if (o->not_ready > PATIENCE) return "the pool takes no kernel";
  if ((out->head_valid && !in->head_pop) || (out->lost_valid && !in->lost_ready)) return NULL;
  for (unsigned s = 0; s < o->cfg.num_streams; s++) {
    o->waited[s] = o->queued[s] && !o->running[s] ? o->waited[s] + 1 : 0;
    if (o->waited[s] > PATIENCE) return "a kernel that may run is not offered";
  }
  return NULL;
}

/* Must there be a place in memory? Up to two kernels are on their way there, one of which may have its place already,
 * and one that came back may still have it. */
static bool place_is_left(const struct oracle *o, const struct hd_pool_in *in) {
  return places(o, in) > o->in_memory + 4 || places(o, in) > o->n + 2;
}

/* Must a kernel of the stream get a row? Only judged without a region, when the last kernel has got its own. */
static bool row_is_left(const struct oracle *o, unsigned stream) {
  unsigned reserve = o->cfg.pool_depth < 4 ? 1 : o->cfg.pool_depth / 4;
  bool runnable = stream == 0 || (!o->queued[stream] && !o->running[stream]);
  return o->n + (runnable ? 0 : reserve) < o->cfg.pool_depth;
}

static const char *watch_room(const struct oracle *o, const struct hd_pool_in *in, const struct hd_pool_out *out) {
  bool place = place_is_left(o, in), rows = !places(o, in) && o->since_push > SETTLED;
  if (out->pool_full && (place || (rows && o->n < o->cfg.pool_depth))) return "room is refused that there is";
  for (unsigned s = 0; s < o->cfg.num_streams; s++)
    if (!out->stream_ok[s] && (place || (rows && row_is_left(o, s))))
      return "room for a stream is refused that there is";
  return NULL;
}

static const char *watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_pool_in *in = in_;
  const struct hd_pool_out *out = out_;
  (void)cycle;
  const char *rule = watch_room(o, in, out);
  if (!rule) rule = watch_offers(o, in, out);
  if (!rule) rule = watch_answers(o, in, out);
  if (!rule && out->req_valid) rule = watch_request(o, in, out);
  if (!rule) rule = watch_turns(o, in, out);
  if (rule) return rule;
  o->since_push++;
  if (in->stream_done_valid) o->running[in->stream_done] = 0;
  if (!in->push_valid) return NULL;
  if (o->n == WAITING) return "more kernels wait than there is room for";
  o->waiting[o->n++] = (struct waits){.k = in->push};
  o->queued[in->push.stream]++;
  o->since_push = 0;
  return NULL;
}

const struct hd_twin hd_twin_pool = {
    HD_TWIN_MODEL_FIELDS(pool), HD_TWIN_ROWS_FIELDS(pool),        .inner_size = sizeof(struct hd_pool_inner),
    .inner = pool_inner,        HD_TWIN_STIM_FIELDS(struct stim), HD_TWIN_ORACLE_FIELDS};
