/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* kd: golden model, random environment and cover points. The environment is a KMU that offers kernels, and a scheduler
 * that marks, hands out and retires TBs of the entries that it saw enter. */
#include "kd.h"

#include "clients.h"
#include "model.h"

HD_TWIN_MODEL(kd)
HD_TWIN_ARCH(kd)

struct stim {
  struct hd_cfg cfg;
  uint8_t valid[HD_MAX_NUM_KDE];
  uint16_t exebl[HD_MAX_NUM_KDE];
  uint8_t hwq_busy[HD_MAX_NUM_HWQ]; /* its kernel was offered and not yet released: a HWQ has one at a time */
  uint32_t serial;
};

static void stim_init(void *s_, const struct hd_cfg *cfg, struct hd_rng *rng) {
  struct stim *s = s_;
  (void)rng;
  s->cfg = *cfg;
}

static void stim_reset(void *s_) {
  struct stim *s = s_;
  memset(s->valid, 0, sizeof s->valid);
  memset(s->exebl, 0, sizeof s->exebl);
  memset(s->hwq_busy, 0, sizeof s->hwq_busy);
}

/* What the cycle before did to the entries. */
static void follow(struct stim *s, const struct hd_kd_in *in, const struct hd_kd_out *out) {
  for (unsigned i = 0; i < s->cfg.num_kde; i++)
    if (s->valid[i] && !in->marked[i] && !s->exebl[i]) s->valid[i] = 0; /* released */
  if (in->grant_valid) s->exebl[in->grant_kdei]++;
  if (in->retire_valid) s->exebl[in->retire_kdei]--;
  if (in->kernel_valid && out->kernel_ready) {
    s->valid[out->alloc_kdei] = 2; /* 2: marked */
    s->exebl[out->alloc_kdei] = 0;
  }
}

static struct hd_kernel random_kernel(struct stim *s, struct hd_rng *rng, unsigned hwq) {
  struct hd_kernel k = {0};
  k.desc = hd_random_desc(rng);
  k.need.warps = (uint8_t)(1 + hd_rng_below(rng, s->cfg.warps_per_smx));
  k.need.regs = (uint16_t)hd_rng_below(rng, s->cfg.reg_units_per_smx + 1);
  k.need.smem = (uint16_t)hd_rng_below(rng, s->cfg.smem_units_per_smx + 1);
  k.ctas = (uint32_t)hd_rng_bits(rng, 32);
  k.ctas += !k.ctas;
  k.origin.host = 1;
  k.origin.hwq = (uint8_t)hwq;
  s->hwq_busy[hwq] = 1;
  k.origin.tag = (uint16_t)(++s->serial * 40503u); /* all 65536 in turn */
  return k;
}

/* A random entry for which ok holds, or num_kde. */
static unsigned choose(struct stim *s, struct hd_rng *rng, bool (*ok)(struct stim *, unsigned)) {
  unsigned n = s->cfg.num_kde, at = hd_rng_below(rng, n), k = 0;
  while (k < n && !ok(s, at)) at = (at + 1) % n, k++;
  return k < n ? at : n;
}

static bool is_marked(struct stim *s, unsigned i) {
  return s->valid[i] == 2;
}
static bool has_running(struct stim *s, unsigned i) {
  return s->valid[i] && s->exebl[i];
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out, const void *now,
                  void *in_) {
  struct stim *s = s_;
  struct hd_kd_in *in = in_;
  unsigned n = s->cfg.num_kde, i;
  const struct hd_kd_out *before = out;
  (void)now;
  bool taken = in->kernel_valid && before->kernel_ready;
  follow(s, in, out);
  for (unsigned h = 0; h < s->cfg.num_hwq; h++) s->hwq_busy[h] &= (uint8_t)!before->reopen[h];
  if (!in->kernel_valid || taken) {
    memset(&in->kernel, 0, sizeof in->kernel);
    unsigned hwq = hd_rng_below(rng, s->cfg.num_hwq);
    in->kernel_valid = !s->hwq_busy[hwq] && hd_rng_p(rng, p->source);
    if (in->kernel_valid) in->kernel = random_kernel(s, rng, hwq);
  }
  in->grant_valid = in->grant_kdei = in->retire_valid = in->retire_kdei = 0;
  if (hd_rng_p(rng, p->source) && (i = choose(s, rng, is_marked)) < n && s->exebl[i] < 1000) {
    in->grant_valid = 1;
    in->grant_kdei = (uint8_t)i;
  } else if (hd_rng_p(rng, p->source)) {
    in->grant_kdei = (uint8_t)hd_rng_below(rng, n); /* the kernel in the SSCR, of which no TB goes out now */
  }
  if (hd_rng_p(rng, p->sink) && (i = choose(s, rng, has_running)) < n) {
    in->retire_valid = 1;
    in->retire_kdei = (uint8_t)i;
  }
  for (unsigned k = 0; k < n; k++) {
    /* Unmarked from the cycle after the last hand-out on. */
    if (s->valid[k] == 2 && !(in->grant_valid && in->grant_kdei == k) && hd_rng_p(rng, p->sink / 8 + 1))
      s->valid[k] = 1;
    in->marked[k] = s->valid[k] == 2;
  }
  in->leave_ready = hd_rng_p(rng, p->sink);
}

static const char *const covers[] = {"event",       "full",           "both_tag_rows_wait", "grant_and_retire_same",
                                     "release_two", "report_stalled", "enter_in_release",   NULL};

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  struct stim *s = s_;
  const struct hd_kd_in *in = in_;
  const struct hd_kd_out *out = out_;
  unsigned released = 0;
  for (unsigned k = 0; k < s->cfg.num_kde; k++) released += s->valid[k] && !in->marked[k] && !s->exebl[k];
  bool enter = in->kernel_valid && out->kernel_ready;
  unsigned used = 0;
  for (unsigned k = 0; k < s->cfg.num_kde; k++) used += s->valid[k] != 0;
  hits[0] += enter + in->grant_valid + in->retire_valid + (out->leave_valid && in->leave_ready);
  hits[1] += used == s->cfg.num_kde;
  hits[2] += !out->kernel_ready && used < s->cfg.num_kde;
  hits[3] += in->grant_valid && in->retire_valid && in->grant_kdei == in->retire_kdei;
  hits[4] += released >= 2;
  hits[5] += out->leave_valid && !in->leave_ready;
  hits[6] += released && enter;
}

/* Oracle: each kernel that entered is reported as done once, not before its TBs are done, and nobody else is. */
struct oracle {
  struct hd_cfg cfg;
  uint8_t state[65536]; /* by tag: 0 not here, 1 in the KD, 2 released */
  uint16_t tag[HD_MAX_NUM_KDE];
  uint16_t exebl[HD_MAX_NUM_KDE];
  uint8_t valid[HD_MAX_NUM_KDE];
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
  const struct hd_kd_in *in = in_;
  const struct hd_kd_out *out = out_;
  (void)cycle;
  if (out->leave_valid && in->leave_ready) {
    if (o->state[out->leave.origin.tag] != 2) return "kernel_done of a kernel that is not finished, or a second time";
    o->state[out->leave.origin.tag] = 0;
  }
  if (in->kernel_valid && out->kernel_ready && o->valid[out->alloc_kdei])
    return "an entry in use was given to a new kernel";
  for (unsigned i = 0; i < o->cfg.num_kde; i++)
    if (o->valid[i] && !in->marked[i] && !o->exebl[i]) {
      o->valid[i] = 0;
      o->state[o->tag[i]] = 2;
    }
  if (in->grant_valid) o->exebl[in->grant_kdei]++;
  if (in->retire_valid) o->exebl[in->retire_kdei]--;
  if (in->kernel_valid && out->kernel_ready) {
    unsigned i = out->alloc_kdei;
    o->valid[i] = 1;
    o->exebl[i] = 0;
    o->tag[i] = in->kernel.origin.tag;
    o->state[in->kernel.origin.tag] = 1;
  }
  return NULL;
}

const struct hd_twin hd_twin_kd = {HD_TWIN_MODEL_FIELDS(kd),   .stim_size = sizeof(struct stim),
                                   .stim_init = stim_init,     .drive = drive,
                                   .stim_reset = stim_reset,   .oracle_size = oracle_size,
                                   .oracle_init = oracle_init, .watch = watch,
                                   .covers = covers,           .cover = cover};
