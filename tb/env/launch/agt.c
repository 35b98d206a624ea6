/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* agt: golden model, cover points and oracle; the random environment is agt_neighbours. */
#include "launch/agt.h"

#include "env/common/model.h"
#include "env/launch/agt_neighbours.h"

HD_BLOCK_DRIVER_MODEL(agt)
HD_BLOCK_DRIVER_ROWS(agt)
HD_BLOCK_DRIVER_NEIGHBOURS(agt)

static const char *const covers[] = {"event",
                                     "group_taken",
                                     "taken_in_a_row",
                                     "link_behind_last",
                                     "end_and_link",
                                     "next_given",
                                     "over_record",
                                     "over_age",
                                     "over_in_a_row",
                                     "over_at_tail",
                                     "over_when_idle",
                                     "over_waits",
                                     "over_stopped",
                                     "ovfq_failed",
                                     "susp_failed",
                                     "kernel_stops",
                                     "list_resumed",
                                     "link_after_end",
                                     NULL};

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct hd_agt_neighbours *s = s_;
  const struct hd_agt_in *in = in_;
  const struct hd_agt_out *out = out_;
  bool chained = in->sched_sscr.valid && in->link_chained[in->sched_sscr.kdei],
       same = in->sched_sscr.valid && in->ovfq_over.kdei == in->sched_sscr.kdei;
  bool joins =
      in->sched_sscr.valid && in->link_link.valid && !in->link_link.over && in->link_link.kdei == in->sched_sscr.kdei;
  bool fails = false;
  for (unsigned k = 0; k < HD_MAX_NUM_FAIL; k++) fails |= in->fails[k].valid && in->fails[k].kdei == in->ovfq_over.kdei;
  hits[0] += in->link_link.valid + in->sched_group_pop + out->over_pop;
  hits[1] += in->sched_group_pop;
  hits[2] += s->pops_in_a_row;
  hits[3] += s->links_behind_last;
  hits[4] += s->adv_and_link;
  hits[5] += s->rotates;
  hits[6] += out->over_pop && !in->ovfq_over.group.self.onchip;
  hits[7] += out->over_pop && in->ovfq_over.group.self.onchip;
  hits[8] += out->over_pop && s->over_popped;
  hits[9] += out->over_pop && chained;
  hits[10] += out->over_pop && !chained;
  hits[11] += in->ovfq_over.valid && !out->over_pop && same && !fails;
  hits[12] += in->ovfq_over.valid && (!same || fails);
  hits[13] += in->fails[0].valid + in->fails[1].valid;
  hits[14] += in->fails[2].valid;
  hits[15] += s->stops;
  hits[16] += s->resumes;
  hits[17] += joins && !chained && s->chain_ended;
}

/* Oracle:
 * 1. Each group of the kernel in the SSCR is offered exactly once: first the chain, from NAGEI on, in link order; then
 *    the groups popped from the list in memory, in order.
 * 2. Its data is that of its launch, or for a group without an AGE the data that came with it from memory.
 * 3. A chain continues with the group linked behind.
 * 4. A group that can be read is offered within SOON cycles. */
enum { SOON = 6, TAKEN = 4 };

struct seen_age {
  struct hd_info info; /* from its launch */
  uint16_t behind;     /* the AGE linked behind it, if has_behind */
  uint8_t has_behind;
};

struct oracle {
  struct hd_cfg cfg;
  struct seen_age age[HD_MAX_AGT_SIZE];
  struct hd_agt_in was; /* of the previous cycle */
  uint8_t started;      /* the kernel has a chain, or had one since it entered the SSCR */
  uint8_t more;         /* `expected` is the next group of that chain */
  uint16_t expected;
  struct hd_group taken[TAKEN]; /* popped from the list in memory, not yet popped by the scheduler; the oldest first */
  unsigned taken_n;
  uint32_t waited;
};

HD_BLOCK_DRIVER_ORACLE

/* A chain advances only to the group that was linked behind. */
static const char *watch_chains(const struct oracle *o, const struct hd_agt_in *in) {
  for (unsigned i = 0; i < o->cfg.num_kde; i++) {
    unsigned a = o->was.link_nagei[i], b = in->link_nagei[i];
    if (!in->link_chained[i] || !o->was.link_chained[i] || a == b) continue;
    if (!o->age[a].has_behind || o->age[a].behind != b)
      return "the chain does not continue with the group that was linked behind";
  }
  return NULL;
}

static bool failing(const struct hd_agt_in *in) {
  bool any = false;
  for (unsigned k = 0; k < HD_MAX_NUM_FAIL; k++) any |= in->fails[k].valid && in->fails[k].kdei == in->sched_sscr.kdei;
  return any;
}

/* The kernel of the previous cycle has left or fails: discards the groups read ahead. */
static void forget(struct oracle *o) {
  o->started = o->more = 0;
  o->taken_n = o->waited = 0;
}

static const char *watch_over(struct oracle *o, const struct hd_agt_in *in, const struct hd_agt_out *out, bool stop) {
  if (!out->over_pop) return NULL;
  if (!in->ovfq_over.valid || stop || in->ovfq_over.kdei != in->sched_sscr.kdei)
    return "an overflowed group is popped that is not valid, or whose kernel stops";
  if (o->taken_n == TAKEN - 1) return "more groups are read ahead than fit";
  struct hd_group *g = &o->taken[o->taken_n++];
  *g = in->ovfq_over.group;
  if (g->self.onchip) g->info = o->age[g->self.index].info;
  return NULL;
}

/* Checks that the offered group is the next of the chain, otherwise the oldest popped from memory. */
static const char *watch_group(const struct oracle *o, const struct hd_agt_out *out) {
  const struct hd_group *g = &out->group.group;
  struct hd_group next = {.self = {.onchip = 1, .index = o->expected}, .info = o->age[o->expected].info};
  if (!o->more) {
    if (!o->taken_n) return "a group is offered that was never linked";
    next = o->taken[0];
  }
  if (g->self.onchip != next.self.onchip || g->self.index != next.self.index)
    return "a group is offered out of order, or twice";
  if (memcmp(&g->info, &next.info, sizeof next.info))
    return "the data of a group differs from its launch or its record";
  if (o->more && out->succ != o->expected) return "the offered group is not the reported successor";
  return NULL;
}

static void take_group(struct oracle *o) {
  if (o->more) {
    o->more = o->age[o->expected].has_behind;
    o->expected = o->age[o->expected].behind;
  } else {
    memmove(o->taken, o->taken + 1, --o->taken_n * sizeof *o->taken);
  }
}

static const char *watch_kernel(struct oracle *o, const struct hd_agt_in *in, const struct hd_agt_out *out) {
  bool other = in->sched_sscr.valid != o->was.sched_sscr.valid || in->sched_sscr.kdei != o->was.sched_sscr.kdei,
       fails = failing(in);
  const char *rule = NULL;
  if (other || !in->sched_sscr.valid) {
    forget(o);
    return watch_over(o, in, out, true);
  }
  if (!o->started && in->link_chained[in->sched_sscr.kdei]) {
    o->expected = in->link_nagei[in->sched_sscr.kdei];
    o->started = o->more = 1;
  }
  if (out->group.valid)
    rule = out->group.kdei == in->sched_sscr.kdei ? watch_group(o, out) : "a group of another kernel is offered";
  if (!rule && in->sched_group_pop) take_group(o);
  if (!rule) rule = watch_over(o, in, out, fails);
  bool waits = !out->group.valid && (o->more || (in->ovfq_over.valid && in->ovfq_over.kdei == in->sched_sscr.kdei));
  o->waited = waits ? o->waited + 1 : 0;
  if (fails) forget(o);
  return rule ? rule : o->waited > SOON ? "a kernel waits for a group that can be read" : NULL;
}

static void note_launch(struct oracle *o, const struct hd_agt_in *in) {
  unsigned age = in->link_link.ptr.index;
  if (in->link_alloc.valid) {
    o->age[in->link_alloc.index].info = o->was.devq_group.info;
    o->age[in->link_alloc.index].has_behind = 0;
  }
  if (in->link_link.next) {
    o->age[in->link_link.prev].behind = (uint16_t)age;
    o->age[in->link_link.prev].has_behind = 1;
  }
  if (!in->link_link.valid || in->link_link.over || !in->sched_sscr.valid || in->link_link.kdei != in->sched_sscr.kdei)
    return;
  if (!o->started || o->more) return;
  o->expected = (uint16_t)age; /* the walk is past the last group of the chain */
  o->more = 1;
}

static const char *watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_agt_in *in = in_;
  const struct hd_agt_out *out = out_;
  (void)cycle;
  const char *rule = watch_chains(o, in);
  if (!rule) rule = watch_kernel(o, in, out);
  note_launch(o, in);
  o->was = *in;
  return rule;
}

const struct hd_block_driver hd_block_driver_agt = {HD_BLOCK_DRIVER_MODEL_FIELDS(agt), HD_BLOCK_DRIVER_ROWS_FIELDS(agt),
                                                    HD_BLOCK_DRIVER_STIM_FIELDS(struct hd_agt_neighbours),
                                                    HD_BLOCK_DRIVER_ORACLE_FIELDS};
