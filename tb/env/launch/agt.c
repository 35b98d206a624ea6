/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* agt: golden model, cover points and oracle; the random environment is agt_around. */
#include "launch/agt.h"

#include "env/common/model.h"
#include "env/launch/agt_around.h"

HD_TWIN_MODEL(agt)
HD_TWIN_ROWS(agt)
HD_TWIN_AROUND(agt)

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
  const struct hd_agt_around *s = s_;
  const struct hd_agt_in *in = in_;
  const struct hd_agt_out *out = out_;
  bool chained = in->cur_valid && in->chained[in->cur_kdei], same = in->cur_valid && in->over_kdei == in->cur_kdei;
  bool joins = in->cur_valid && in->link_valid && !in->link_over && in->link_kdei == in->cur_kdei;
  bool fails = false;
  for (unsigned k = 0; k < HD_MAX_NUM_FAIL; k++) fails |= in->fail_valid[k] && in->fail_kdei[k] == in->over_kdei;
  hits[0] += in->link_valid + in->group_pop + out->over_pop;
  hits[1] += in->group_pop;
  hits[2] += s->pops_in_a_row;
  hits[3] += s->links_behind_last;
  hits[4] += s->adv_and_link;
  hits[5] += s->rotates;
  hits[6] += out->over_pop && !in->over.self.onchip;
  hits[7] += out->over_pop && in->over.self.onchip;
  hits[8] += out->over_pop && s->over_popped;
  hits[9] += out->over_pop && chained;
  hits[10] += out->over_pop && !chained;
  hits[11] += in->over_valid && !out->over_pop && same && !fails;
  hits[12] += in->over_valid && (!same || fails);
  hits[13] += in->fail_valid[0] + in->fail_valid[1];
  hits[14] += in->fail_valid[2];
  hits[15] += s->stops;
  hits[16] += s->resumes;
  hits[17] += joins && !chained && s->chain_ended;
}

/* Oracle: the groups of the kernel in the SSCR are offered each once: from NAGEI on in the order in which they were
 * linked to the chain, each with what its launch said, and then those taken from the list in memory, in order, with
 * what came with them, or what the launch said of those with an AGE; a chain goes on behind each group; a group that
 * could be read comes soon. */
enum { SOON = 6, TAKEN = 4 };

struct seen_age {
  struct hd_info info; /* of its launch */
  uint16_t behind;     /* the AGE linked behind it, if .. */
  uint8_t has_behind;
};

struct oracle {
  struct hd_cfg cfg;
  struct seen_age age[HD_MAX_AGT_SIZE];
  struct hd_agt_in was; /* the cycle before */
  uint8_t started;      /* the kernel has a chain, or had one since it came into the SSCR .. */
  uint8_t more;         /* .. of which `expected` is the next group */
  uint16_t expected;
  struct hd_group taken[TAKEN]; /* from the list in memory, not yet by the scheduler; the oldest first */
  unsigned taken_n;
  uint32_t waited;
};

HD_TWIN_ORACLE

/* A chain moves on only to the group that was linked behind. */
static const char *watch_chains(const struct oracle *o, const struct hd_agt_in *in) {
  for (unsigned i = 0; i < o->cfg.num_kde; i++) {
    unsigned a = o->was.nagei[i], b = in->nagei[i];
    if (!in->chained[i] || !o->was.chained[i] || a == b) continue;
    if (!o->age[a].has_behind || o->age[a].behind != b)
      return "the chain does not go on with the group that was linked behind";
  }
  return NULL;
}

static bool failing(const struct hd_agt_in *in) {
  bool any = false;
  for (unsigned k = 0; k < HD_MAX_NUM_FAIL; k++) any |= in->fail_valid[k] && in->fail_kdei[k] == in->cur_kdei;
  return any;
}

/* The kernel of the cycle before is no longer there, or fails: what was read ahead of it does not count. */
static void forget(struct oracle *o) {
  o->started = o->more = 0;
  o->taken_n = o->waited = 0;
}

static const char *watch_over(struct oracle *o, const struct hd_agt_in *in, const struct hd_agt_out *out, bool stop) {
  if (!out->over_pop) return NULL;
  if (!in->over_valid || stop || in->over_kdei != in->cur_kdei)
    return "an overflowed group is taken that is not there, or of a kernel that stops";
  if (o->taken_n == TAKEN - 1) return "more groups are read ahead than there is room for";
  struct hd_group *g = &o->taken[o->taken_n++];
  *g = in->over;
  if (g->self.onchip) g->info = o->age[g->self.index].info;
  return NULL;
}

/* The group that is offered is the next of the chain, else the oldest from memory. */
static const char *watch_group(const struct oracle *o, const struct hd_agt_out *out) {
  const struct hd_group *g = &out->group;
  struct hd_group next = {.self = {.onchip = 1, .index = o->expected}, .info = o->age[o->expected].info};
  if (!o->more) {
    if (!o->taken_n) return "a group that was never linked";
    next = o->taken[0];
  }
  if (g->self.onchip != next.self.onchip || g->self.index != next.self.index) return "a group out of order, or twice";
  if (memcmp(&g->info, &next.info, sizeof next.info)) return "a group is not what its launch or its record said";
  if (o->more && out->succ != o->expected) return "the group offered is not the one told as successor";
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
  bool other = in->cur_valid != o->was.cur_valid || in->cur_kdei != o->was.cur_kdei, fails = failing(in);
  const char *rule = NULL;
  if (other || !in->cur_valid) {
    forget(o);
    return watch_over(o, in, out, true);
  }
  if (!o->started && in->chained[in->cur_kdei]) {
    o->expected = in->nagei[in->cur_kdei];
    o->started = o->more = 1;
  }
  if (out->group_valid) rule = out->group_kdei == in->cur_kdei ? watch_group(o, out) : "a group of another kernel";
  if (!rule && in->group_pop) take_group(o);
  if (!rule) rule = watch_over(o, in, out, fails);
  bool waits = !out->group_valid && (o->more || (in->over_valid && in->over_kdei == in->cur_kdei));
  o->waited = waits ? o->waited + 1 : 0;
  if (fails) forget(o);
  return rule ? rule : o->waited > SOON ? "a kernel waits for a group that could be read" : NULL;
}

static void note_launch(struct oracle *o, const struct hd_agt_in *in) {
  unsigned age = in->link_ptr.index;
  if (in->alloc_valid) {
    o->age[in->alloc_index].info = o->was.a2_info;
    o->age[in->alloc_index].has_behind = 0;
  }
  if (in->link_next) {
    o->age[in->link_prev].behind = (uint16_t)age;
    o->age[in->link_prev].has_behind = 1;
  }
  if (!in->link_valid || in->link_over || !in->cur_valid || in->link_kdei != in->cur_kdei) return;
  if (!o->started || o->more) return;
  o->expected = (uint16_t)age; /* the walk stands behind the last group of the chain */
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

const struct hd_twin hd_twin_agt = {HD_TWIN_MODEL_FIELDS(agt), HD_TWIN_ROWS_FIELDS(agt),
                                    HD_TWIN_STIM_FIELDS(struct hd_agt_around), HD_TWIN_ORACLE_FIELDS};
