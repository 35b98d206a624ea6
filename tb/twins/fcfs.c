/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* fcfs: golden model, random environment and cover points. The environment enters entries that are not marked and
 * unmarks while one is. */
#include "fcfs.h"

#include "model.h"

HD_TWIN_MODEL(fcfs)
HD_TWIN_ARCH(fcfs)

struct stim {
  struct hd_cfg cfg;
};

static void stim_init(void *s_, const struct hd_cfg *cfg, struct hd_rng *rng) {
  struct stim *s = s_;
  (void)rng;
  s->cfg = *cfg;
}

static void stim_reset(void *s) {
  (void)s;
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out, const void *now_,
                  void *in_) {
  struct stim *s = s_;
  const struct hd_fcfs_out *now = now_;
  struct hd_fcfs_in *in = in_;
  (void)out;
  uint32_t at = hd_rng_below(rng, s->cfg.num_kde), k = 0;
  while (k < s->cfg.num_kde && now->marked[at]) at = (at + 1) % s->cfg.num_kde, k++;
  in->enter_kdei = (uint8_t)at;
  in->enter_valid = hd_rng_p(rng, p->source);
  in->enter_ready = k < s->cfg.num_kde && hd_rng_p(rng, 200);
  in->unmark = now->head_valid && hd_rng_p(rng, p->sink);
}

static const char *const covers[] = {"event", "full", "unmark_the_only", "enter_and_unmark", "enter_when_empty", NULL};

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  struct stim *s = s_;
  const struct hd_fcfs_in *in = in_;
  const struct hd_fcfs_out *out = out_;
  bool enter = in->enter_valid && in->enter_ready;
  unsigned n = 0;
  for (unsigned k = 0; k < s->cfg.num_kde; k++) n += out->marked[k];
  hits[0] += (unsigned)enter + in->unmark;
  hits[1] += n == s->cfg.num_kde;
  hits[2] += in->unmark && !out->next_valid;
  hits[3] += in->unmark && enter;
  hits[4] += enter && !out->head_valid;
}

/* Oracle: entries leave in the order in which they came. */
struct oracle {
  struct hd_cfg cfg;
  uint8_t order[HD_MAX_NUM_KDE];
  unsigned n;
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
  const struct hd_fcfs_in *in = in_;
  const struct hd_fcfs_out *out = out_;
  (void)cycle;
  if (out->head_valid != (o->n > 0) || (o->n && out->head_kdei != o->order[0]))
    return "the head is not the oldest marked entry";
  if (out->next_valid != (o->n > 1) || (o->n > 1 && out->next_kdei != o->order[1]))
    return "next is not the second oldest entry";
  if (in->unmark && o->n) memmove(o->order, o->order + 1, --o->n);
  if (in->enter_valid && in->enter_ready) o->order[o->n++] = in->enter_kdei;
  return NULL;
}

const struct hd_twin hd_twin_fcfs = {HD_TWIN_MODEL_FIELDS(fcfs), .stim_size = sizeof(struct stim),
                                     .stim_init = stim_init,     .drive = drive,
                                     .stim_reset = stim_reset,   .oracle_size = oracle_size,
                                     .oracle_init = oracle_init, .watch = watch,
                                     .covers = covers,           .cover = cover};
