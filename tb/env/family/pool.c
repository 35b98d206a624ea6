/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* pool: golden model, random environment and cover points; the oracle is pool_oracle. The environment launches device
 * kernels into one, few or all streams and sometimes changes the policy. It accepts the offered kernels, or none for
 * some time so that the pool fills up, and lets them end in any order. It is also the memory, and changes the parts of
 * records that the pool must not use before they are read back. */
#include "family/pool.h"

#include "env/common/clients.h"
#include "env/common/memory.h"
#include "env/common/model.h"
#include "gen/hd_policies.h"
#include "oracle/pool_oracle.h"

HD_BLOCK_DRIVER_MODEL(pool)

static void pool_arch(const void *m, unsigned group, void *arch, bool tables) {
  struct hd_pool_arch *a = arch;
  if (group) {
    hd_memq_arch(hd_pool_memq(m), &a->memq, tables);
    return;
  }
  hd_pool_arch_own(m, a, tables);
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

/* Bytes of a record that the pool must not use: stream and parent record, and the fields of suspended kernels. */
enum { STREAM_AT = 29, SUSPENDED_AT = 44 };
/* A kernel's parameter address is its number times a constant (hd_numbered_desc); SERIAL is the inverse of that
 * constant. */
enum { SERIAL = 244002641 };
enum { RUNNING = 64, REGION = HD_MAX_POOL_ROWS * HD_KREC_BYTES, SETTLED = 8 };

struct stim {
  struct hd_cfg cfg;
  uint32_t dev_base, dev_count;
  struct hd_devk a1, a3; /* the launch in A1 or A2, and the one to be pushed */
  uint8_t a1_valid, a2_valid, a3_valid;
  uint8_t started;
  uint8_t favourite;        /* until the reset: half of the kernels are of this stream */
  uint8_t streams;          /* phase: kernels use streams 0 to streams - 1 */
  uint8_t one;              /* phase: all kernels use the last of these */
  uint8_t hold;             /* phase: no kernel of a stream ends */
  uint8_t stall;            /* phase: the KMU accepts no kernel */
  uint8_t few;              /* phase: no launches while more than one kernel waits */
  uint8_t policy;           /* phase */
  uint8_t running[RUNNING]; /* streams of the kernels that were accepted or lost */
  unsigned running_n;
  uint32_t serial;
  struct hd_memory_bursts port;
  /* For cover points: waiting and running kernels by stream; all waiting kernels; those in memory; cycles since a push;
   * whether a memory request was made since then; and events of this cycle. */
  uint16_t queued[HD_MAX_NUM_STREAMS], busy[HD_MAX_NUM_STREAMS];
  unsigned waiting, in_memory, since_push;
  uint8_t asked, pushed_stream;
  uint8_t refused, yields, joins, changes;
  uint8_t taken_level, taken_bank; /* of the kernel without a stream that was accepted last */
  uint8_t smx_turn;                /* one of the same level but another bank is accepted */
  uint32_t youngest;               /* highest number of the accepted kernels without a stream */
  uint8_t overtakes;               /* one is accepted after a younger one */
  uint8_t bytes[REGION];
};

HD_BLOCK_DRIVER_STIM

/* Sets base and size of the region once after reset; often small. */
static void set_region(struct stim *s, struct hd_rng *rng) {
  const uint32_t counts[] = {0, 1, 2, 3, 5, 12, 12, 40, s->cfg.pool_rows, s->cfg.pool_rows + 7, hd_huge_count(rng)};
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
  s->changes = 0;
  if (!hd_rng_below(rng, 300)) {
    const uint8_t policy = (uint8_t)(hd_rng_p(rng, 100) ? HD_POLICY_RR : hd_rng_below(rng, HD_NUM_POLICY));
    s->changes = s->waiting && (policy == HD_POLICY_RR) != (s->policy == HD_POLICY_RR);
    s->policy = policy;
  }
  if (!hd_rng_below(rng, s->hold ? 3000 : 2000)) s->hold = !s->hold;
  if (!hd_rng_below(rng, s->stall ? 200 : 1000)) s->stall = !s->stall;
  if (!hd_rng_below(rng, s->few ? 500 : 4000)) s->few = !s->few;
}

static struct hd_devk random_kernel(struct stim *s, struct hd_rng *rng) {
  struct hd_devk k = {.desc = hd_numbered_desc(rng, ++s->serial)};
  hd_random_need(rng, &s->cfg, &k.need);
  k.ctas = (uint32_t)hd_rng_bits(rng, 32);
  /* Sometimes a level above the maximum, if the field has room for it. */
  k.level = (uint8_t)hd_rng_below(rng, s->cfg.max_level + 1 + !hd_rng_below(rng, 20));
  k.level &= (uint8_t)((1u << s->cfg.level_w) - 1);
  k.stream = s->one               ? (uint8_t)(s->streams - 1)
             : hd_rng_p(rng, 100) ? s->favourite
                                  : (uint8_t)hd_rng_below(rng, s->streams);
  k.up = (uint16_t)hd_rng_below(rng, s->cfg.num_kin);
  k.smx = (uint8_t)hd_rng_below(rng, s->cfg.num_smx);
  return k;
}

/* A launch passes A1 if the pool is ready, is refused in A2 if there is no room, and is pushed in A3. */
static void drive_push(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_pool_out *now,
                       struct hd_pool_in *in) {
  bool busy = s->a2_valid || s->a3_valid;
  in->devq_push.valid = s->a3_valid;
  in->devq_push.kernel = s->a3_valid ? s->a3 : (struct hd_devk){0};
  s->refused = s->a2_valid && (now->room.full || !now->stream_ok[s->a1.stream]);
  s->a3_valid = s->a2_valid && !s->refused;
  s->a3 = s->a1;
  s->a2_valid = 0;
  if (!s->a1_valid && hd_rng_p(rng, p->source)) {
    s->a1 = random_kernel(s, rng);
    s->a1_valid = 1;
  }
  if (!s->a1_valid || busy || !now->room.ready || (s->few && s->waiting > 1)) return;
  s->a1_valid = 0;
  s->a2_valid = 1;
}

/* Kernels that were accepted or lost end in any order; each is reported to its stream. */
static void drive_ends(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, struct hd_pool_in *in) {
  in->kin_stream_done.valid = in->kin_stream_done.stream = 0;
  if (!s->running_n || !hd_rng_p(rng, p->sink / 4 + 1)) return;
  unsigned at = hd_rng_below(rng, s->running_n);
  if (s->hold && s->running[at]) return;
  in->kin_stream_done.stream = s->running[at];
  in->kin_stream_done.valid = in->kin_stream_done.stream != 0;
  s->busy[in->kin_stream_done.stream]--;
  s->running[at] = s->running[--s->running_n];
}

/* A kernel was accepted or lost. */
static void start(struct stim *s, unsigned stream) {
  s->running[s->running_n++] = (uint8_t)stream;
  s->busy[stream]++;
  s->queued[stream]--;
  s->waiting--;
}

/* Records the pool's state before this cycle's inputs change it. */
static void note(struct stim *s, const struct hd_pool_out *now, const struct hd_pool_in *in) {
  const unsigned head = now->head.kernel.stream;
  const uint32_t serial = (uint32_t)now->head.kernel.desc.param * (uint32_t)SERIAL;
  s->overtakes = in->kmu_pool_pop && !head && serial < s->youngest;
  if (in->kmu_pool_pop && !head && !s->overtakes) s->youngest = serial;
  const uint8_t bank = now->head.kernel.smx / (uint8_t)s->cfg.smx_per_cluster;
  s->smx_turn = in->kmu_pool_pop && !head && s->policy != HD_POLICY_RR && now->head.kernel.level == s->taken_level &&
                bank != s->taken_bank;
  if (in->kmu_pool_pop && !head) {
    s->taken_level = now->head.kernel.level;
    s->taken_bank = bank;
  }
  s->yields = s->joins = 0;
  s->since_push++;
  s->asked |= now->mem.valid;
  if (!now->head.valid || s->in_memory || s->asked) return;
  for (unsigned q = 1; q < s->cfg.num_streams && s->since_push >= SETTLED; q++)
    s->yields |= q != head && s->queued[q] && s->busy[q];
  s->joins =
      in->kmu_pool_pop && s->since_push == 1 && s->pushed_stream == head && s->queued[head] == 2 && s->waiting == 2;
}

/* A record is about to be read: sometimes changes its SMX, or fields that must not be used. */
static void damage(struct hd_rng *rng, const struct hd_profile *p, uint8_t *at) {
  if (hd_rng_p(rng, p->bad / 12)) at[HD_MEMORY_SMX] = (uint8_t)hd_rng_bits(rng, 8);
  if (!hd_rng_p(rng, 32)) return;
  for (unsigned k = STREAM_AT; k < HD_KREC_BYTES; k++) {
    bool used = k > STREAM_AT + 2 && k < SUSPENDED_AT;
    if (!used && k != HD_MEMORY_SMX) at[k] = (uint8_t)hd_rng_bits(rng, 8);
  }
}

static void drive_memory(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_pool_out *out,
                         struct hd_pool_in *in) {
  const uint64_t base = (uint64_t)s->dev_base * 256, at = out->mem.req.addr - base;
  bool taken = out->mem.valid && s->port.pins.ready;
  if (taken && !out->mem.req.write && at + HD_KREC_BYTES <= REGION) damage(rng, p, s->bytes + at);
  s->in_memory += taken && out->mem.req.write;
  s->in_memory -= s->port.pins.r_valid && s->port.pins.r.last;
  hd_memory_drive_bursts(&s->port, rng, p, &out->mem, s->bytes, base, sizeof s->bytes);
  in->mem = s->port.pins;
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out_, const void *now_,
                  void *in_) {
  struct stim *s = s_;
  struct hd_pool_in *in = in_;
  const struct hd_pool_out *out = out_, *now = now_;
  if (out->lost.valid && in->kin_lost_ready) start(s, out->lost.stream);
  set_region(s, rng);
  choose_phase(s, rng);
  in->regs_config.policy = s->policy;
  in->regs_config.dev_base = s->dev_base;
  in->regs_config.dev_count = s->dev_count;
  drive_memory(s, rng, p, out, in);
  bool takes = !s->stall && s->running_n < RUNNING - 2 && hd_rng_p(rng, p->sink);
  in->kmu_pool_pop = now->head.valid && takes;
  note(s, now, in);
  /* In the first cycle room.full in `now` may be computed from another DEV_COUNT; A2 is empty then. */
  drive_push(s, rng, p, now, in);
  drive_ends(s, rng, p, in);
  if (in->kmu_pool_pop) start(s, now->head.kernel.stream);
  in->kin_lost_ready = s->running_n < RUNNING - 1 && hd_rng_p(rng, p->sink);
  if (!in->devq_push.valid) return;
  s->queued[in->devq_push.kernel.stream]++;
  s->waiting++;
  s->since_push = s->asked = 0;
  s->pushed_stream = in->devq_push.kernel.stream;
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
                                     "overtakes",
                                     "policy_changes",
                                     "smx_turn",
                                     NULL};

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct stim *s = s_;
  const struct hd_pool_in *in = in_;
  const struct hd_pool_out *out = out_;
  bool req = out->mem.valid && in->mem.ready;
  hits[0] += in->devq_push.valid + in->kmu_pool_pop + req;
  hits[1] += s->since_push == SETTLED && !s->asked && s->waiting;
  hits[2] += out->events.spill;
  hits[3] += out->events.refill;
  hits[4] += out->lost.valid && in->kin_lost_ready;
  hits[5] += out->lost.valid && !in->kin_lost_ready;
  hits[6] += s->refused;
  hits[7] += in->kmu_pool_pop;
  hits[8] += out->head.valid && !in->kmu_pool_pop;
  hits[9] += in->kin_stream_done.valid;
  hits[10] += out->mem.valid && !in->mem.ready;
  hits[11] += s->yields;
  hits[12] += s->port.reads > 1;
  hits[13] += s->port.writes > 1;
  hits[14] += s->joins;
  hits[15] += s->overtakes;
  hits[16] += s->changes;
  hits[17] += s->smx_turn;
}

const struct hd_block_driver hd_block_driver_pool = {
    HD_BLOCK_DRIVER_MODEL_FIELDS(pool),         HD_BLOCK_DRIVER_ROWS_FIELDS(pool),
    .inner_size = sizeof(struct hd_pool_inner), .inner = pool_inner,
    HD_BLOCK_DRIVER_STIM_FIELDS(struct stim),   HD_BLOCK_ORACLE_FIELDS(pool)};
