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
  in->kd_entry.kdei = (uint8_t)at;
  in->kd_entry.valid = k < s->cfg.num_kde && hd_rng_p(rng, p->source) && hd_rng_p(rng, 200);
  in->laperm_enter.mark = hd_rng_p(rng, 200);
  in->sched_unmark = now->head.valid && hd_rng_p(rng, p->sink / 2 + 1);
  in->sched_rotate = now->head.valid && !in->sched_unmark && hd_rng_p(rng, p->sink / 4);
  in->link_link.kdei = (uint8_t)hd_rng_below(rng, s->cfg.num_kde);
  if (now->head.valid && hd_rng_p(rng, 40)) in->link_link.kdei = now->head.kdei; /* even while it is unmarked */
  bool enters = in->kd_entry.valid && in->laperm_enter.mark;
  in->link_link.valid = !(enters && in->link_link.kdei == in->kd_entry.kdei) && hd_rng_p(rng, p->source / 2);
}

static const char *const covers[] = {
    "event",           "full",       "unmark_the_only",  "enter_and_unmark",     "enter_when_empty", "rotate",
    "rotate_the_only", "mark_joins", "mark_of_a_marked", "mark_of_the_unmarked", "all_at_once",      NULL};

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  struct stim *s = s_;
  const struct hd_fcfs_in *in = in_;
  const struct hd_fcfs_out *out = out_;
  bool enter = in->kd_entry.valid && in->laperm_enter.mark;
  unsigned n = 0;
  for (unsigned k = 0; k < s->cfg.num_kde; k++) n += out->marked[k];
  bool marked = in->link_link.valid && out->marked[in->link_link.kdei];
  bool again = in->sched_unmark && in->link_link.valid && in->link_link.kdei == out->head.kdei;
  hits[0] += (unsigned)enter + in->sched_unmark + in->sched_rotate;
  hits[1] += n == s->cfg.num_kde;
  hits[2] += in->sched_unmark && !out->next.valid;
  hits[3] += in->sched_unmark && enter;
  hits[4] += enter && !out->head.valid;
  hits[5] += in->sched_rotate && out->next.valid;
  hits[6] += in->sched_rotate && !out->next.valid;
  hits[7] += in->link_link.valid && !marked;
  hits[8] += marked && !again;
  hits[9] += again;
  hits[10] += in->sched_unmark && in->link_link.valid && (!marked || again) && enter;
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
  if (out->head.valid != (o->n > 0) || (o->n && out->head.kdei != o->order[0]))
    return "the head is not the oldest marked entry";
  if (out->next.valid != (o->n > 1) || (o->n > 1 && out->next.kdei != o->order[1]))
    return "next is not the second oldest entry";
  if ((in->sched_unmark || in->sched_rotate) && o->n) {
    memmove(o->order, o->order + 1, --o->n);
    if (in->sched_rotate) join(o, out->head.kdei);
  }
  if (in->link_link.valid) join(o, in->link_link.kdei);
  if (in->kd_entry.valid && in->laperm_enter.mark) join(o, in->kd_entry.kdei);
  return NULL;
}

const struct hd_block_driver hd_block_driver_fcfs = {
    HD_BLOCK_DRIVER_MODEL_FIELDS(fcfs), HD_BLOCK_DRIVER_STIM_FIELDS(struct stim), HD_BLOCK_DRIVER_ORACLE_FIELDS};
