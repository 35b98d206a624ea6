/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* kmu: golden model, random environment and cover points. The environment is a host and a Kernel Distributor that
 * holds kernels for a random time. */
#include "kmu.h"

#include "clients.h"
#include "model.h"

HD_TWIN_MODEL(kmu)
HD_TWIN_ARCH(kmu)

struct stim {
  struct hd_cfg cfg;
  uint32_t serial;
  uint8_t open[HD_MAX_NUM_HWQ]; /* 1: a kernel of this HWQ is in the KD */
};

static void stim_init(void *s_, const struct hd_cfg *cfg, struct hd_rng *rng) {
  struct stim *s = s_;
  (void)rng;
  s->cfg = *cfg;
}

static void stim_reset(void *s_) {
  struct stim *s = s_;
  memset(s->open, 0, sizeof s->open);
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out_, const void *now,
                  void *in_) {
  struct stim *s = s_;
  const struct hd_kmu_out *out = out_;
  struct hd_kmu_in *in = in_;
  (void)now;
  if (out->kernel_valid && in->kernel_ready) s->open[out->kernel.hwq] = 1;
  if (!in->host_launch_valid || out->host_launch_ready) {
    memset(&in->host_launch, 0, sizeof in->host_launch);
    in->host_launch_valid = hd_rng_p(rng, p->source);
    if (in->host_launch_valid) in->host_launch = hd_random_launch(rng, p, &s->cfg, ++s->serial, UINT32_MAX);
    if (in->host_launch_valid && hd_rng_p(rng, 100)) in->host_launch.hwq &= 1; /* a few queues fill up */
  }
  in->host_answer_ready = hd_rng_p(rng, p->sink);
  in->kernel_ready = hd_rng_p(rng, p->sink);
  for (unsigned h = 0; h < s->cfg.num_hwq; h++) {
    in->reopen[h] = s->open[h] && hd_rng_p(rng, p->sink / 8 + 1);
    if (in->reopen[h]) s->open[h] = 0;
  }
}

static const char *const covers[] = {
    "event",       "launch_stalled", "refused",        "zero_dim",       "over_limit",           "never_fits",
    "unknown_hwq", "accepted",       "kernel_stalled", "answer_stalled", "back_to_back_kernels", NULL};

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct hd_kmu_in *in = in_;
  const struct hd_kmu_out *out = out_;
  (void)s_;
  bool answer = out->host_answer_valid && in->host_answer_ready, kernel = out->kernel_valid && in->kernel_ready;
  hits[0] += (in->host_launch_valid && out->host_launch_ready) + answer + kernel;
  hits[1] += in->host_launch_valid && !out->host_launch_ready;
  static const uint8_t at[] = {7, 2, 3, 4, 5, 6};
  if (answer && out->host_answer.code < sizeof at) hits[at[out->host_answer.code]]++;
  hits[8] += out->kernel_valid && !in->kernel_ready;
  hits[9] += out->host_answer_valid && !in->host_answer_ready;
  hits[10] += kernel && in->host_launch_valid && out->host_launch_ready;
}

enum { DEEPEST_HWQ = 8 };

/* Oracle: the launches of a HWQ come out in order, each accepted one once, one of a HWQ at a time, answers in order of
 * arrival. */
struct oracle {
  struct hd_cfg cfg;
  struct hd_launch taken[8]; /* launches that wait for their answer */
  unsigned taken_n;
  struct hd_launch queue[HD_MAX_NUM_HWQ][DEEPEST_HWQ + 2]; /* accepted, not yet seen at the KD */
  uint8_t n[HD_MAX_NUM_HWQ], busy[HD_MAX_NUM_HWQ];
  uint8_t was_valid, was_taken;
  struct hd_kernel was;
};

static size_t oracle_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct oracle);
}

static void oracle_init(void *o_, const struct hd_cfg *cfg) {
  struct oracle *o = o_;
  memset(o, 0, sizeof *o);
  o->cfg = *cfg;
}

static const char *watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_kmu_in *in = in_;
  const struct hd_kmu_out *out = out_;
  (void)cycle;
  for (unsigned h = 0; h < o->cfg.num_hwq; h++)
    if (in->reopen[h]) o->busy[h] = 0;
  if (o->was_valid && !o->was_taken && (!out->kernel_valid || memcmp(&o->was, &out->kernel, sizeof o->was)))
    return "an offered kernel changed before it was taken";
  o->was_valid = out->kernel_valid;
  o->was_taken = in->kernel_ready;
  o->was = out->kernel;
  if (out->kernel_valid && in->kernel_ready) {
    unsigned h = out->kernel.hwq;
    if (h >= o->cfg.num_hwq || o->busy[h]) return "a kernel of a HWQ whose kernel has not completed";
    /* Its answer may still wait: then it is the oldest unanswered launch of this HWQ. */
    if (!o->n[h]) {
      unsigned k = 0;
      while (k < o->taken_n && (o->taken[k].hwq != h || o->taken[k].tag != out->kernel.tag ||
                                memcmp(&o->taken[k].desc, &out->kernel.desc, sizeof out->kernel.desc)))
        k++;
      if (k == o->taken_n) return "a kernel that nobody launched, or out of order";
      o->taken[k].threads = 0; /* handed on before it was answered */
    } else {
      if (o->queue[h][0].tag != out->kernel.tag ||
          memcmp(&o->queue[h][0].desc, &out->kernel.desc, sizeof out->kernel.desc))
        return "kernels of a HWQ out of order, or changed";
      memmove(&o->queue[h][0], &o->queue[h][1], sizeof o->queue[h] - sizeof o->queue[h][0]);
      o->n[h]--;
    }
    o->busy[h] = 1;
  }
  if (out->host_answer_valid && in->host_answer_ready) {
    if (!o->taken_n || o->taken[0].tag != out->host_answer.tag) return "an answer out of order";
    struct hd_launch l = o->taken[0];
    memmove(&o->taken[0], &o->taken[1], sizeof o->taken - sizeof o->taken[0]);
    o->taken_n--;
    if (out->host_answer.code == HD_CODE_ACCEPTED && l.threads) {
      if (o->n[l.hwq] >= o->cfg.hwq_depth + 1) return "a HWQ holds more than its depth";
      o->queue[l.hwq][o->n[l.hwq]++] = l;
    }
  }
  if (in->host_launch_valid && out->host_launch_ready) {
    if (o->taken_n == 4) return "more launches unanswered than there is room for";
    o->taken[o->taken_n++] = in->host_launch;
  }
  return NULL;
}

const struct hd_twin hd_twin_kmu = {HD_TWIN_MODEL_FIELDS(kmu),  .stim_size = sizeof(struct stim),
                                    .stim_init = stim_init,     .drive = drive,
                                    .stim_reset = stim_reset,   .oracle_size = oracle_size,
                                    .oracle_init = oracle_init, .watch = watch,
                                    .covers = covers,           .cover = cover};
