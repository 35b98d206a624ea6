/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* top: the composed golden model, the random environment and the cover points of the whole plane. The environment
 * consists of a host that launches valid and invalid kernels, SMXs whose TBs launch and save, an APB master, and a
 * memory. */
#include "top/top.h"

#include "env/common/clients.h"
#include "env/common/dev_clients.h"
#include "env/common/model.h"
#include "env/top/contention.h"
#include "env/top/plane_blocks.h"
#include "env/top/top_covers.h"
#include "gen/hd_policies.h"
#include "gen/hd_regs_map.h"
#include "oracle/plane_rest.h"
#include "top/skip.h"

HD_BLOCK_DRIVER_MODEL(top)

static void top_cycle(void *m, const void *in, void *out) {
  hd_top_cycle(m, in, out);
}

static size_t top_last_size(const struct hd_cfg *cfg) {
  return hd_top_last_size(cfg);
}

static bool top_is_idle(const void *m, void *last) {
  return hd_top_is_idle(m, last);
}

static void top_skip(void *m, void *last, uint64_t n) {
  hd_top_skip(m, last, n);
}

/* The part of the plane to which a state group belongs, and its number for blocks that exist several times. */
#define PART(b) PART_##b,
#define INNER(b, in) PART_##in##_##b,
#define PARTS(b, in, number) PART_##in##_##b,
enum part { PART_own, HD_TOP_PARTS(PART, INNER, PARTS) };
#undef PART
#undef INNER
#undef PARTS

struct place {
  enum part part;
  unsigned n;
};

static struct place place_of(const struct hd_top *m, unsigned group) {
  unsigned at = 1;
#define PART(b) \
  if (group == at++) return (struct place){PART_##b, 0};
#define INNER(b, in) \
  if (group == at++) return (struct place){PART_##in##_##b, 0};
#define PARTS(b, in, number)                                                                       \
  if (group < at + hd_top_##in(m)->cfg.number) return (struct place){PART_##in##_##b, group - at}; \
  at += hd_top_##in(m)->cfg.number;
  if (group > 0) {
    HD_TOP_PARTS(PART, INNER, PARTS)
  }
  return (struct place){PART_own, 0};
#undef PART
#undef INNER
#undef PARTS
}

static const struct hd_tbcr *tbcr_of(const struct hd_top *m, struct place at) {
  return hd_sched_tbcr(hd_top_sched(m), at.n);
}

static const struct hd_pq *bank_of(const struct hd_top *m, struct place at) {
  return hd_laperm_bank(hd_top_laperm(m), at.n);
}

/* Returns true if the plane is built without the block of a group. */
static bool left_out(const struct hd_top *m, struct place at) {
#define OUTER(b) \
  if (at.part == PART_##b) return HD_TOP_LEFT_OUT(m, b);
#define INNER(b, outer) \
  if (at.part == PART_##outer##_##b) return HD_TOP_LEFT_OUT(m, outer);
#define EACH(b, outer, n) INNER(b, outer)
  HD_TOP_PARTS(OUTER, INNER, EACH)
#undef OUTER
#undef INNER
#undef EACH
  return false;
}

static void top_arch(const void *m_, unsigned group, void *arch, bool tables) {
  const struct hd_top *m = m_;
  struct hd_top_arch *a = arch;
  const struct place at = place_of(m, group);
  if (at.part != PART_own && left_out(m, at)) return;
  switch (at.part) {
    case PART_own:
      break;
    case PART_sched: /* without its TBCRs */
      hd_sched_arch_own(hd_top_sched(m), &a->sched);
      break;
    case PART_sched_tbcr:
      hd_tbcr_arch(tbcr_of(m, at), &a->sched.tbcr[at.n], tables);
      break;
    case PART_laperm: /* without its banks */
      hd_laperm_arch_own(hd_top_laperm(m), &a->laperm);
      break;
    case PART_laperm_pq:
      hd_pq_arch(bank_of(m, at), &a->laperm.pq[at.n], tables);
      break;
    case PART_pool: /* without its memq */
      hd_pool_arch_own(hd_top_pool(m), &a->pool, tables);
      break;
    case PART_pool_memq:
      hd_memq_arch(hd_pool_memq(hd_top_pool(m)), &a->pool.memq, tables);
      break;
    case PART_spill: /* without its memring */
      hd_spill_arch_own(hd_top_spill(m), &a->spill, tables);
      break;
    case PART_spill_memring:
      hd_memring_arch(hd_spill_memring(hd_top_spill(m)), &a->spill.memring, tables);
      break;
    default:
#define ARCH(b) \
  if (at.part == PART_##b) hd_##b##_arch(hd_top_##b(m), &a->b, tables);
      HD_TOP_BLOCKS(ARCH)
#undef ARCH
  }
}

/* The parts whose model reports the rows that it wrote to its tables; the others have no tables. */
#define PARTS_WITH_TABLES(X) X(kmu) X(kd) X(link) X(ovfq) X(agt) X(agc) X(kin) X(pool) X(spill) X(dgb)

static const struct hd_wrote *top_wrote(const void *m_, unsigned group) {
  const struct hd_top *m = m_;
  const struct place at = place_of(m, group);
  switch (at.part) {
#define CASE(b)  \
  case PART_##b: \
    return hd_top_##b(m)->wrote;
    PARTS_WITH_TABLES(CASE)
#undef CASE
    case PART_sched_tbcr:
      return tbcr_of(m, at)->wrote;
    case PART_laperm_pq:
      return bank_of(m, at)->wrote;
    case PART_pool_memq:
      return hd_pool_memq(hd_top_pool(m))->wrote;
    case PART_spill_memring:
      return hd_spill_memring(hd_top_spill(m))->wrote;
    default:
      return NULL;
  }
}

static void top_row(const void *m_, unsigned group, unsigned row, void *arch) {
  const struct hd_top *m = m_;
  struct hd_top_arch *a = arch;
  const struct place at = place_of(m, group);
  switch (at.part) {
#define CASE(b)                                   \
  case PART_##b:                                  \
    hd_##b##_arch_row(hd_top_##b(m), row, &a->b); \
    break;
    PARTS_WITH_TABLES(CASE)
#undef CASE
    case PART_sched_tbcr:
      hd_tbcr_arch_row(tbcr_of(m, at), row, &a->sched.tbcr[at.n]);
      break;
    case PART_laperm_pq:
      hd_pq_arch_row(bank_of(m, at), row, &a->laperm.pq[at.n]);
      break;
    case PART_pool_memq:
      hd_memq_arch_row(hd_pool_memq(hd_top_pool(m)), row, &a->pool.memq);
      break;
    case PART_spill_memring:
      hd_memring_arch_row(hd_spill_memring(hd_top_spill(m)), row, &a->spill.memring);
      break;
    default:
      return;
  }
}

static void top_inner(const void *m, const struct hd_cfg *cfg, const void *in, void *inner) {
  hd_plane_blocks_of(inner, m, cfg);
  hd_plane_blocks_settle(inner, in);
  struct hd_top_inner *out = &((struct hd_plane_blocks *)inner)->out; /* what the plane is without shows nothing */
#define HIDE(b) \
  if (!HD_TOP_HAS_##b(cfg)) memset(&out->b, 0, sizeof out->b);
  HD_TOP_BLOCKS(HIDE)
#undef HIDE
#define OWN(b)
#define INNER(b, outer) \
  if (!HD_TOP_HAS_##outer(cfg)) memset(&out->outer##_inner, 0, sizeof out->outer##_inner);
#define EACH(b, outer, n) INNER(b, outer)
  HD_TOP_PARTS(OWN, INNER, EACH)
#undef OWN
#undef INNER
#undef EACH
}

/* Returns `from` and the number of bytes between two members of a block's state. */
static const void *part(const void *from, const void *to, size_t *bytes) {
  *bytes = (size_t)((const char *)to - (const char *)from);
  return from;
}

/* sim speed: for parts that are large and rarely change (TBCR of each SMX, KD, AGEs, parent records), the raw bytes of
 * the block's state, without configuration and table rows. */
static const void *top_raw(const void *m_, unsigned group, size_t *bytes) {
  const struct hd_top *m = m_;
  const struct place at = place_of(m, group);
  const struct hd_kd *kd = hd_top_kd(m);
  const struct hd_kin *kin = hd_top_kin(m);
  *bytes = 0;
  switch (at.part) {
    case PART_sched_tbcr: {
      const struct hd_tbcr *t = tbcr_of(m, at);
      return part(&t->free, t->row + t->cfg.slots, bytes);
    }
    case PART_laperm_pq:
      return part(bank_of(m, at)->free, bank_of(m, at)->row, bytes);
    case PART_kd:
      return part(kd->valid, kd->shown + kd->cfg.num_kde, bytes);
    case PART_link:
      return part(&hd_top_link(m)->idle, hd_top_link(m)->freed, bytes);
    case PART_agc:
      return part(&hd_top_agc(m)->cur_valid, hd_top_agc(m)->record, bytes);
    case PART_kin:
      return part(&kin->ready_ptr, kin->children + kin->cfg.num_kin, bytes);
    default:
      return NULL;
  }
}

enum { UNSET = 255, ENDLESS = 1000 }; /* ENDLESS: kernels with more TBs end only by reset */

struct stim {
  struct hd_cfg cfg;
  struct hd_dev dev;
  struct hd_apb_master apb;
  struct hd_apb_pins pins;
  struct hd_top_history seen;
  struct hd_contention contention;
  uint8_t ends; /* this run ends by a drain */
  uint8_t drains;
  uint8_t keep; /* policy to write until the next reset (enum hd_policy); a higher number: any policy; UNSET: not chosen
                 * yet */
};

static void stim_reset(void *s_) {
  struct stim *s = s_;
  hd_dev_reset(&s->dev);
  memset(&s->apb, 0, sizeof s->apb);
  memset(&s->pins, 0, sizeof s->pins);
  hd_top_history_init(&s->seen, &s->cfg);
  s->ends = s->drains = s->dev.quiet = 0;
  s->keep = UNSET;
}

static enum hd_drain drain(void *s_) {
  struct stim *s = s_;
  s->drains = s->dev.quiet = s->ends && s->dev.illegal_client != HD_DEV_STREAMS;
  return !s->drains ? HD_DRAIN_NONE : s->dev.illegal_client ? HD_DRAIN_MAY : HD_DRAIN_MUST;
}

/* After a drain: software writes the region registers again. The plane accepts that, and all records return to
 * software. */
static void again(void *s_) {
  struct stim *s = s_;
  s->drains = s->dev.quiet = 0;
  hd_dev_again(&s->dev);
}

static void stim_init(void *s_, const struct hd_cfg *cfg, struct hd_rng *rng) {
  struct stim *s = s_;
  (void)rng;
  s->cfg = *cfg;
  s->keep = UNSET;
  hd_top_history_init(&s->seen, cfg);
  hd_dev_init(&s->dev, cfg);
}

static void stim_free(void *s_) {
  struct stim *s = s_;
  hd_dev_free(&s->dev);
}

/* Returns the policy of this run, or a higher number: any. It does not change while a large AGT or large banks are
 * being filled. */
static unsigned policy_of(const struct stim *s) {
  if (!s->dev.hoard || s->keep < HD_NUM_POLICY) return s->keep;
  const unsigned k = s->keep - HD_NUM_POLICY;
  return k < HD_NUM_POLICY / 2 ? HD_POLICY_RR : k;
}

/* Accesses any register. The region registers are rewritten only in some runs; in the others such a write goes to the
 * policy register instead. In half of the runs the policy is constant; in the others it is random. A run that ends by a
 * drain does not clear the status, since the drain polls it. */
static void random_apb(struct stim *s, struct hd_rng *rng, const struct hd_profile *p) {
  struct hd_apb_pins *pins = &s->pins;
  hd_random_apb(&s->apb, rng, p, pins);
  unsigned word = (pins->paddr - HD_REG_REC_BASE) / 4;
  if (pins->pwrite && pins->paddr >= HD_REG_REC_BASE && word < s->cfg.num_config && !s->dev.moves)
    pins->paddr = HD_REG_POLICY;
  else if (pins->pwrite && pins->paddr >= HD_REG_REC_BASE && word < s->cfg.num_config && word != HD_CONFIG_POLICY &&
           !pins->penable)
    pins->pwdata = hd_dev_region(&s->dev, rng, word), pins->pstrb = 15;
  const unsigned keep = policy_of(s);
  if (pins->paddr == HD_REG_POLICY && keep < HD_NUM_POLICY) pins->pwdata = (pins->pwdata & ~HD_POLICY_MASK) | keep;
  if (s->ends && pins->paddr == HD_REG_STATUS) pins->pwrite = 0;
}

static void drive_apb(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, struct hd_top_in *in) {
  if (s->drains)
    s->pins = (struct hd_apb_pins){.psel = 1, .penable = s->pins.psel && !s->pins.penable, .paddr = HD_REG_STATUS};
  else
    random_apb(s, rng, p);
  in->psel = s->pins.psel;
  in->penable = s->pins.penable;
  in->pwrite = s->pins.pwrite;
  in->paddr = s->pins.paddr;
  in->pwdata = s->pins.pwdata;
  in->pstrb = s->pins.pstrb;
}

/* Chooses the properties of a run between two resets. With profile "overflow" the policy changes all the time. */
static void begin(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, struct hd_top_in *in) {
  s->keep = (uint8_t)hd_rng_below(rng, 2 * HD_NUM_POLICY);
  if (!strcmp(p->name, "overflow")) s->keep = HD_NUM_POLICY;
  s->ends = hd_rng_p(rng, 128);
  hd_contention_begin(&s->contention, rng, in, s->dev.config);
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out_, const void *now,
                  void *in_) {
  struct stim *s = s_;
  const struct hd_top_out *out = out_;
  struct hd_top_in *in = in_;
  (void)now;
  if (s->keep == UNSET) begin(s, rng, p, in);
  bool reported = hd_dev_drive(&s->dev, rng, p, out, in);
  if (!in->host_launch_valid || out->host_launch_ready) {
    memset(&in->host_launch, 0, sizeof in->host_launch);
    in->host_launch_valid = reported && hd_dev_host_offers(&s->dev, rng, p);
    if (in->host_launch_valid) in->host_launch = hd_dev_host_launch(&s->dev, rng, p, 1u << hd_rng_below(rng, 7));
    if (s->ends && in->host_launch.ctas > ENDLESS && !in->host_launch.graph) in->host_launch.ctas = 1;
  }
  in->host_answer_ready = hd_rng_p(rng, p->sink) && !hd_held(&s->dev.holds, HD_HOLD_HOST_ANSWER, 0);
  in->kernel_done_ready = hd_rng_p(rng, p->sink) && !hd_held(&s->dev.holds, HD_HOLD_KERNEL_DONE, 0);
  hd_contention_drive(&s->contention, in);
  if (reported) drive_apb(s, rng, p, in);
}

static void cover(void *s_, const void *in, const void *out, uint64_t *hits) {
  struct stim *s = s_;
  hd_top_cover(&s->seen, in, out, hits);
  hits[HD_COVER_DRAIN] += s->drains;
  for (unsigned k = 1; k < HD_DEV_ILLEGAL; k++) hits[HD_COVER_ILLEGAL] += s->dev.did[k];
  hits[HD_COVER_PARENTS] += s->dev.did[HD_DEV_POLITE];
}

static void cover_oracle(const void *oracle, uint64_t *hits) {
  hits[HD_COVER_TWO_FAIL] += hd_plane_rest_pair(oracle);
  hits[HD_COVER_PARENTS + 1] += hd_plane_rest_stayed(oracle);
}

const struct hd_block_driver hd_block_driver_top = {HD_BLOCK_DRIVER_MODEL_FIELDS(top),
                                                    .cycle = top_cycle,
                                                    .raw = top_raw,
                                                    .last_size = top_last_size,
                                                    .still = top_is_idle,
                                                    .skip = top_skip,
                                                    HD_BLOCK_DRIVER_ROWS_FIELDS(top),
                                                    .inner_size = sizeof(struct hd_plane_blocks),
                                                    .inner = top_inner,
                                                    .rests = true,
                                                    .stim_size = sizeof(struct stim),
                                                    .stim_init = stim_init,
                                                    .drive = drive,
                                                    .stim_reset = stim_reset,
                                                    .stim_free = stim_free,
                                                    .drain = drain,
                                                    .again = again,
                                                    .oracle_size = hd_plane_rest_size,
                                                    .oracle_init = hd_plane_rest_init,
                                                    .watch = hd_plane_rest_watch,
                                                    .stuck = hd_plane_rest_stuck,
                                                    .over = hd_plane_rest_over,
                                                    .covers = hd_top_covers,
                                                    .cover = cover,
                                                    .cover_oracle = cover_oracle};
