/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "oracle/ovfq_oracle.h"

#include "oracle/ovfq_state.h"

enum { PATIENCE = 16 };

size_t hd_ovfq_oracle_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct hd_ovfq_oracle);
}

void hd_ovfq_oracle_init(void *o_, const struct hd_cfg *cfg) {
  struct hd_ovfq_oracle *o = o_;
  memset(o, 0, sizeof *o);
  o->cfg = *cfg;
  for (unsigned k = 0; k < cfg->num_kde; k++) o->list[k] = k;
  for (unsigned r = 0; r < cfg->num_kin; r++) o->kin_list[r] = cfg->num_kde + r;
}

/* ---- Groups ---- */

static const char *watch_group(struct hd_ovfq_oracle *o, const struct hd_ovfq_in *in, const struct hd_ovfq_out *out) {
  static const struct hd_group nothing;
  const struct hd_ovfq_walk *w = &o->walk;
  if (o->shown && !out->over.valid) return "an offered group is withdrawn";
  if (o->stopped && out->over.valid) return "a group is offered of a walk that is over";
  o->shown = out->over.valid && !in->agt_over_pop;
  if (!out->over.valid)
    return out->over.kdei || memcmp(&out->over.group, &nothing, sizeof nothing)
               ? "over is not 0 while no group is offered"
               : NULL;
  if (!w->tag_valid || out->over.kdei != w->tag_kdei || o->popped >= o->count[w->tag_kdei])
    return "a group is offered that does not exist";
  uint32_t word = hd_ovfq_word_in(o, w, w->next);
  if (hd_ovfq_word_of(out->over.group.self) != word) return "a group is offered out of order";
  bool record = !(word >> 31);
  if (record && (!o->infos || o->number[0] != word)) return "a group is offered whose record was not read";
  if (memcmp(&out->over.group.info, record ? &o->info[0] : &nothing.info, sizeof nothing.info))
    return "a group is offered with other data than its record";
  if (!in->agt_over_pop) return NULL;
  o->popped++;
  if (!record) return NULL;
  o->infos--;
  memmove(o->info, o->info + 1, o->infos * sizeof *o->info);
  memmove(o->number, o->number + 1, o->infos * sizeof *o->number);
  return NULL;
}

static const char *watch_outputs(const struct hd_ovfq_oracle *o, const struct hd_ovfq_in *in,
                                 const struct hd_ovfq_out *out) {
  for (unsigned k = 0; k < o->cfg.num_kde; k++) {
    uint32_t then = o->count[k] + (in->link_link.over && in->link_link.kdei == k);
    if (then > o->mask + 1) return "a group is appended to a full list";
    if (out->full[k] != (then == o->mask + 1)) return "output full is wrong";
    if (out->there[k] != (o->count[k] > 0)) return "output there is wrong";
    if (out->one[k] != (o->count[k] == 1)) return "output one is wrong";
    if (out->unanswered[k] != (o->unans[k] > 0)) return "output unanswered is wrong";
  }
  if (out->room != (o->puts + 3 <= o->cfg.ovfq_writes)) return "output room is wrong";
  if (memcmp(&out->taken, &o->taken, sizeof o->taken)) return "output taken is wrong";
  if (out->write_fail.valid != o->write_fail || out->write_fail.kdei != o->write_fail_kdei)
    return "write_fail does not follow an error of a write, or is set without one";
  if (out->fetch_fail.valid != o->fetch_fail || out->fetch_fail.kdei != (o->fetch_fail ? o->walk.tag_kdei : 0))
    return "fetch_fail does not follow an error of a read, or is set without one";
  return NULL;
}

/* ---- The lists ---- */

/* Exchanges the list of a KD entry with that of a parent record. */
static void exchange(struct hd_ovfq_oracle *o, unsigned k, unsigned kin) {
  uint32_t n = o->list[k];
  o->list[k] = o->kin_list[kin];
  o->kin_list[kin] = n;
  o->given[kin] = 1;
}

static const char *put(struct hd_ovfq_oracle *o, const struct hd_ovfq_in *in) {
  unsigned k = in->link_link.kdei;
  if (o->puts == o->cfg.ovfq_writes || o->count[k] - o->old[k] == HD_OVFQ_LONGEST)
    return "more pointers are put than the oracle can hold";
  uint32_t pos = (o->first[k] + o->count[k]) & ((1u << o->cfg.list_pos_w) - 1);
  o->put[o->puts++] = (struct hd_ovfqwrite){.owner = in->link_link.kdei, .pos = pos, .ptr = in->link_link.ptr};
  *hd_ovfq_word_at(o, o->list[k], pos) = hd_ovfq_word_of(in->link_link.ptr);
  o->count[k]++;
  o->unans[k]++;
  return NULL;
}

/* The first group leaves the list. `covered` and `record` count from the new first group, even if the reader never read
 * the old one. */
static void advance(struct hd_ovfq_oracle *o, unsigned k) {
  o->walk.covered -= o->walk.covered > 0;
  o->walk.record -= o->walk.record > 0;
  o->first[k] = (o->first[k] + 1) & ((1u << o->cfg.list_pos_w) - 1);
  o->count[k]--;
  o->old[k] -= o->old[k] > 0;
  o->popped--;
}

static void drop(struct hd_ovfq_oracle *o, unsigned k) {
  o->count[k] = o->old[k] = 0;
}

/* A kernel enters. If it is resumed and its suspension was not seen, it was suspended before the reset. */
static void enter(struct hd_ovfq_oracle *o, const struct hd_ovfq_in *in) {
  unsigned k = in->kd_entry.kdei, kin = in->kmu_offer.kernel.kin;
  o->first[k] = in->kmu_offer.kernel.over.first;
  o->count[k] = in->kmu_offer.kernel.over.count;
  if (!in->kmu_offer.kernel.resumed) return;
  o->old[k] = o->given[kin] ? o->kin_old[kin] : o->count[k];
  exchange(o, k, kin);
}

static const char *watch_lists(struct hd_ovfq_oracle *o, const struct hd_ovfq_in *in, const struct hd_ovfq_out *out) {
  unsigned taken = in->kd_take.kdei;
  const char *rule = in->link_link.over ? put(o, in) : NULL;
  o->taken = (struct hd_memlist){0};
  if (in->kd_take.valid) o->taken = (struct hd_memlist){o->first[taken], o->count[taken]};
  if (in->sched_advance && !in->link_chained[in->sched_sscr.kdei]) advance(o, in->sched_sscr.kdei);
  if (in->kd_take.valid) {
    o->kin_old[in->kd_kin[taken]] = o->old[taken];
    exchange(o, taken, in->kd_kin[taken]);
    drop(o, taken);
  }
  for (unsigned k = 0; k < sizeof in->fails / sizeof in->fails[0]; k++)
    if (in->fails[k].valid) drop(o, in->fails[k].kdei);
  if (out->write_fail.valid) drop(o, out->write_fail.kdei);
  if (out->fetch_fail.valid) drop(o, out->fetch_fail.kdei);
  if (in->kd_entry.valid) enter(o, in);
  return rule;
}

/* Limits the time for which a pointer could be written, or the next group fetched, while nothing else proceeds. The
 * reader need not read behind pointers whose writes are not answered. */
static const char *watch_patience(struct hd_ovfq_oracle *o, const struct hd_ovfq_in *in,
                                  const struct hd_ovfq_out *out) {
  bool busy = out->mem.valid || o->data;
  bool due = o->walk.tag_valid && !out->over.valid && o->walk.next < o->walk.end && !o->reads &&
             !o->unans[o->walk.tag_kdei] && (o->cfg.prefetch_depth || in->sched_events.waiting);
  o->idle = busy || !o->puts || o->writes == o->cfg.ovfq_flight ? 0 : o->idle + 1;
  if (!busy) o->unshown = due ? o->unshown + 1 : 0;
  if (o->idle > PATIENCE) return "a waiting pointer is not written though the port is free";
  return o->unshown > PATIENCE ? "the next group is not fetched though no burst is open" : NULL;
}

/* Sets the position of the walk at the start of the cycle. */
static void begin_cycle(struct hd_ovfq_oracle *o) {
  struct hd_ovfq_walk *w = &o->walk;
  unsigned k = w->tag_kdei;
  uint32_t unans = o->unans[k] < o->count[k] ? o->unans[k] : o->count[k];
  w->list = o->list[k];
  w->first = o->first[k];
  w->next = o->popped;
  w->behind = o->count[k];
  w->end = w->behind - unans;
  w->old = o->old[k];
}

static void end_cycle(struct hd_ovfq_oracle *o, const struct hd_ovfq_in *in, bool stop) {
  struct hd_ovfq_walk *w = &o->walk;
  o->stopped = stop;
  if (!stop) return;
  w->id++;
  w->tag_valid = in->sched_sscr.valid;
  w->tag_kdei = in->sched_sscr.kdei;
  w->covered = w->record = o->popped = o->infos = o->shown = o->unshown = 0;
}

const char *hd_ovfq_oracle_watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct hd_ovfq_oracle *o = o_;
  const struct hd_ovfq_in *in = in_;
  const struct hd_ovfq_out *out = out_;
  const struct hd_ovfq_walk *w = &o->walk;
  bool flush = w->tag_valid != in->sched_sscr.valid || w->tag_kdei != in->sched_sscr.kdei;
  bool stop = flush || (w->tag_valid && hd_list_cleared(in, out, w->tag_kdei));
  (void)cycle;
  o->mask = hd_lists_mask(&o->cfg, in->regs_config.rec_count);
  begin_cycle(o);
  const char *rule = watch_outputs(o, in, out);
  if (!rule) rule = hd_ovfq_watch_request(o, in, out);
  o->before = o->walk;
  o->before.waited = in->sched_events.waiting;
  if (!rule) rule = watch_patience(o, in, out);
  if (!rule) rule = hd_ovfq_watch_data(o, in, out);
  if (!rule) rule = hd_ovfq_watch_answer(o, in);
  if (!rule) rule = watch_group(o, in, out);
  if (!rule) rule = hd_ovfq_watch_beat(o, in, stop);
  if (!rule) rule = watch_lists(o, in, out);
  end_cycle(o, in, stop);
  return rule;
}
