/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* fcfs: golden model, random environment and cover points. The environment enters entries that are not marked, unmarks
 * or rotates while there is a head, and marks random entries. */
#include "host/fcfs.h"

#include "env/common/model.h"

HD_BLOCK_DRIVER_MODEL(fcfs)
HD_BLOCK_DRIVER_ARCH(fcfs)

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
  in->unmark = now->head_valid && hd_rng_p(rng, p->sink / 2 + 1);
  in->rotate = now->head_valid && !in->unmark && hd_rng_p(rng, p->sink / 4);
  in->mark_kdei = (uint8_t)hd_rng_below(rng, s->cfg.num_kde);
  if (now->head_valid && hd_rng_p(rng, 40)) in->mark_kdei = now->head_kdei; /* even while it is unmarked */
  bool enters = in->enter_valid && in->enter_ready;
  in->mark_valid = !(enters && in->mark_kdei == in->enter_kdei) && hd_rng_p(rng, p->source / 2);
}

static const char *const covers[] = {
    "event",           "full",       "unmark_the_only",  "enter_and_unmark",     "enter_when_empty", "rotate",
    "rotate_the_only", "mark_joins", "mark_of_a_marked", "mark_of_the_unmarked", "all_at_once",      NULL};

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  struct stim *s = s_;
  const struct hd_fcfs_in *in = in_;
  const struct hd_fcfs_out *out = out_;
  bool enter = in->enter_valid && in->enter_ready;
  unsigned n = 0;
  for (unsigned k = 0; k < s->cfg.num_kde; k++) n += out->marked[k];
  bool marked = in->mark_valid && out->marked[in->mark_kdei];
  bool again = in->unmark && in->mark_valid && in->mark_kdei == out->head_kdei;
  hits[0] += (unsigned)enter + in->unmark + in->rotate;
  hits[1] += n == s->cfg.num_kde;
  hits[2] += in->unmark && !out->next_valid;
  hits[3] += in->unmark && enter;
  hits[4] += enter && !out->head_valid;
  hits[5] += in->rotate && out->next_valid;
  hits[6] += in->rotate && !out->next_valid;
  hits[7] += in->mark_valid && !marked;
  hits[8] += marked && !again;
  hits[9] += again;
  hits[10] += in->unmark && in->mark_valid && (!marked || again) && enter;
}

/* Oracle: entries leave in the order in which they joined. */
struct oracle {
  struct hd_cfg cfg;
  uint8_t order[HD_MAX_NUM_KDE];
  unsigned n;
};

HD_BLOCK_DRIVER_ORACLE

static void join(struct oracle *o, unsigned kdei) {
  for (unsigned k = 0; k < o->n; k++)
    if (o->order[k] == kdei) return;
  o->order[o->n++] = (uint8_t)kdei;
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
  if ((in->unmark || in->rotate) && o->n) {
    memmove(o->order, o->order + 1, --o->n);
    if (in->rotate) join(o, out->head_kdei);
  }
  if (in->mark_valid) join(o, in->mark_kdei);
  if (in->enter_valid && in->enter_ready) join(o, in->enter_kdei);
  return NULL;
}

const struct hd_block_driver hd_block_driver_fcfs = {
    HD_BLOCK_DRIVER_MODEL_FIELDS(fcfs), HD_BLOCK_DRIVER_STIM_FIELDS(struct stim), HD_BLOCK_DRIVER_ORACLE_FIELDS};
