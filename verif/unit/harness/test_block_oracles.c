/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The oracles of sched and regs (and of the round robin in kmu): report no rule for the golden model in its random
 * environment, and report one when an output is changed in one cycle without the model's knowledge. */
#include "gen/hd_regs_ports.h"
#include "gen/hd_sched_ports.h"
#include "unit/harness/oracle_fixture.h"

/* ---- sched ---- */

#define BREACH(name, if_, then)                   \
  static bool name(const void *in_, void *out_) { \
    const struct hd_sched_in *in = in_;           \
    struct hd_sched_out *out = out_;              \
    (void)in;                                     \
    if (!(if_)) return false;                     \
    then;                                         \
    return true;                                  \
  }

/* Returns whether the TB that SMX 0 is offered is one of the graph. */
static bool is_node(const struct hd_sched_in *in, const struct hd_sched_out *out) {
  return out->dispatch_valid[0] && in->dats_run.valid && out->dispatch[0].kdei == in->dats_run.kdei;
}

BREACH(two_at_once, out->grant.valid, out->take.valid = 1)
BREACH(to_none, out->grant.valid, out->grant.smx ^= 1)
BREACH(offer_changes, out->dispatch_valid[0] && !in->dispatch_ready[0], out->dispatch[0].desc.param ^= 64)
BREACH(offer_withdrawn, out->dispatch_valid[0] && in->dispatch_ready[0], out->dispatch_valid[0] = 0)
BREACH(number_skipped,
       out->dispatch_valid[0] && !out->dispatch[0].group && !out->dispatch[0].restart && !is_node(in, out),
       out->dispatch[0].blkid++)
BREACH(ends_early, out->grant.valid && out->grant.kind == HD_UNIT_NATIVE && !out->grant.unit_end,
       out->grant.unit_end = 1)
BREACH(group_too_early, out->grant.valid && out->grant.kind == HD_UNIT_NATIVE && !in->kd_ndone[out->sscr.kdei],
       out->hand.grant = 1;
       out->grant.kind = HD_UNIT_GROUP)
BREACH(wrong_bank, out->take.valid, out->take.bank ^= 1)
BREACH(spare_before_queue_0,
       out->take.valid && !out->take.spare && out->sscr.valid && in->throttle_open[out->grant.smx], out->take.spare = 1)
BREACH(wrong_kernel, out->take.valid, out->take.kdei ^= 1)
BREACH(unmarked_early,
       out->sscr.valid && !out->unmark && !in->kd_suspending[out->sscr.kdei] && !in->kd_failed[out->sscr.kdei] &&
           !in->kd_ndone[out->sscr.kdei] && !out->grant.unit_end,
       out->unmark = 1)
BREACH(retired_never, out->retire.valid, out->retire = (struct hd_retired){0})
BREACH(retired_twice, !out->retire.valid, out->retire.valid = 1)
BREACH(wrong_age, out->retire.valid, out->retire.tb.age_valid ^= 1; out->retire.tb.agei = 3)
BREACH(report_ignored, out->done_ok[0], out->done_ok[0] = 0)
BREACH(report_of_empty, out->done_empty[0], out->done_empty[0] = 0; out->done_ok[0] = 1)
BREACH(report_too_early, out->done_early[0], out->done_early[0] = 0; out->done_empty[0] = 1)
BREACH(wrong_level, out->grant.valid, out->grant.level ^= 1)
BREACH(level_without_unit, !out->sscr.valid, out->grant.level = 1)
BREACH(wrong_look, out->look.valid, out->look.kdei ^= 1)

BREACH(two_with_a_node, out->graph_take, out->grant.valid = 1)
BREACH(no_such_node, !in->dats_tb.valid && !out->grant.valid && !out->take.valid && !in->kd_stall, out->graph_take = 1)
BREACH(node_before_older, in->dats_tb.valid && out->grant.valid, out->grant.valid = 0; out->graph_take = 1)
BREACH(younger_before_node,
       out->graph_take && out->sscr.valid && !out->events.waiting && !in->laperm_bound_valid[out->grant.smx],
       out->graph_take = 0;
       out->grant.valid = 1)
/* While no TB ends, which might prevent it. */
BREACH(preferred_ignored,
       out->graph_take && in->dats_tb.wants && out->grant.smx == in->dats_tb.smx && !in->laperm_bound_valid[0] &&
           !in->laperm_bound_valid[1] && !out->retire.valid && !out->done_ok[0] && !out->done_ok[1],
       out->grant.smx ^= 1)
BREACH(wrong_node, is_node(in, out), out->dispatch[0].blkid ^= 1)
BREACH(node_with_age, is_node(in, out), out->dispatch[0].agei = 1)
BREACH(level_of_a_node, out->graph_take, out->grant.level = 1)
BREACH(node_not_told, out->node_done[0], out->node_done[0] = 0; out->node_place[0] = 0)
BREACH(node_told_wrong, out->node_done[0], out->node_place[0] ^= 1)
BREACH(other_told_as_node, out->done_ok[0] && !out->node_done[0], out->node_done[0] = 1)

BREACH(to_a_closed_one,
       out->grant.valid && (in->throttle_open[0] != in->throttle_open[1]) && !in->laperm_bound_valid[0] &&
           !in->laperm_bound_valid[1],
       out->grant.smx ^= 1)
/* While no TB ends, which might prevent it. */
BREACH(bound_kept_from_closed,
       out->take.valid && !out->take.spare && !in->throttle_open[out->grant.smx] && !out->retire.valid &&
           !out->done_ok[0] && !out->done_ok[1],
       out->take.valid = 0;
       out->take.bank = 0)
BREACH(unassigned_not_told, out->unassigned, out->unassigned = 0)
BREACH(unassigned_told, !out->unassigned, out->unassigned = 1)

TEST(sched_open) {
  breach *const all[] = {to_a_closed_one, bound_kept_from_closed, unassigned_not_told, unassigned_told};
  for (unsigned k = 0; k < sizeof all / sizeof *all; k++) names("sched", "rule 10:", all[k]);
}

/* In a turn that lasts, and while it could be served, queue 0 gets no grant. */
BREACH(turn_without_a_tb,
       out->grant.valid && in->laperm_bound_valid[out->grant.smx] && !out->grant.unit_end && !out->retire.valid &&
           !out->done_ok[0] && !out->done_ok[1] && !in->dats_tb.valid,
       out->grant.valid = 0;
       out->hand.grant = 0)

/* FairEvery of the model and of the oracle differ: banks overtake queue 0 too often, or queue 0 gets no turn. */
TEST(fair_every) {
  const struct {
    const char *block, *names;
    unsigned model, oracle;
  } is[] = {{"sched", "rule 11: more than FairEvery TBs of banks went ahead of queue 0", 0, 3},
            {"sched", "rule 11: more than FairEvery TBs of banks went ahead of queue 0", 4, 3},
            {"sched", "rule 4:", 3, 0},
            {"sched", "rule ", 2, 3},
            {"kmu", "a class is skipped", 0, 3},
            {"kmu", "a device kernel, or else", 5, 3},
            {"kmu", "a device kernel, or else", 3, 0},
            {"kmu", "a device kernel, or else", 2, 3}};
  for (unsigned k = 0; k < sizeof is / sizeof *is; k++) {
    fair.model = is[k].model;
    fair.oracle = is[k].oracle;
    names(is[k].block, is[k].names, NULL);
  }
  for (fair.model = fair.oracle = 1; fair.model < 4; fair.oracle = ++fair.model) {
    silent("sched");
    silent("kmu");
    names("sched", "rule 11: no TB is granted though an SMX reserved for queue 0 can accept its TB", turn_without_a_tb);
  }
  fair.model = fair.oracle = 0;
}

TEST(sched_graph) {
  names("sched", "rule 1:", two_with_a_node);
  names("sched", "rule 8:", level_of_a_node);
  breach *const all[] = {no_such_node,  node_before_older, younger_before_node, preferred_ignored, wrong_node,
                         node_with_age, node_not_told,     node_told_wrong,     other_told_as_node};
  for (unsigned k = 0; k < sizeof all / sizeof *all; k++) names("sched", "rule 9:", all[k]);
}

TEST(sched) {
  silent("sched");
  names("sched", "rule 1:", two_at_once);
  names("sched", "rule 1:", to_none);
  names("sched", "rule 1:", offer_changes);
  names("sched", "rule 1:", offer_withdrawn);
  names("sched", "rule 3:", number_skipped);
  names("sched", "rule 3:", ends_early);
  names("sched", "rule 3:", group_too_early);
  names("sched", "rule 4:", wrong_bank);
  names("sched", "rule 4:", spare_before_queue_0);
  names("sched", "rule 4:", wrong_kernel);
  names("sched", "rule 5:", unmarked_early);
  names("sched", "rule 6:", retired_never);
  names("sched", "rule 6:", retired_twice);
  names("sched", "rule 6:", wrong_age);
  names("sched", "rule 6:", report_ignored);
  names("sched", "rule 6:", report_of_empty);
  names("sched", "rule 6:", report_too_early);
  names("sched", "rule 7:", wrong_look);
  names("sched", "rule 8:", wrong_level);
  names("sched", "rule 8:", level_without_unit);
}

/* Inputs that the environment changes without the scheduler's knowledge: an SMX with less room than it has, a kernel
 * that is not marked, or stops. */
static bool less_room(const void *in_, void *out_) {
  const struct hd_sched_out *out = out_;
  struct hd_sched_in *in = (struct hd_sched_in *)(uintptr_t)in_;
  if (!out->grant.valid) return false;
  in->kd_need[out->sscr.kdei].warps = (uint8_t)(cfg.warps_per_smx + 1);
  return true;
}

static bool stops(const void *in_, void *out_) {
  const struct hd_sched_out *out = out_;
  struct hd_sched_in *in = (struct hd_sched_in *)(uintptr_t)in_;
  if (!out->grant.valid) return false;
  in->kd_failed[out->sscr.kdei] = 1;
  return true;
}

static bool steals(const void *in_, void *out_) {
  const struct hd_sched_out *out = out_;
  struct hd_sched_in *in = (struct hd_sched_in *)(uintptr_t)in_;
  if (!out->grant.valid) return false;
  in->kd_stall = 1;
  return true;
}

static bool has_saved(const void *in_, void *out_) {
  const struct hd_sched_out *out = out_;
  struct hd_sched_in *in = (struct hd_sched_in *)(uintptr_t)in_;
  if (!out->grant.valid || out->grant.kind == HD_UNIT_SAVED) return false;
  in->kd_sav_count[out->sscr.kdei] = 1;
  return true;
}

/* A node is offered, and the scheduler ignores it. */
static bool node_unseen(const void *in_, void *out_) {
  const struct hd_sched_out *out = out_;
  struct hd_sched_in *in = (struct hd_sched_in *)(uintptr_t)in_;
  if (!out->take.spare) return false;
  in->dats_tb.valid = 1;
  return true;
}

TEST(sched_inputs) {
  names("sched", "rule 9:", node_unseen);
  names("sched", "rule 2:", less_room);
  names("sched", "rule 3:", stops);
  names("sched", "rule 1:", steals);
  names("sched", "rule 3:", has_saved);
}

/* ---- regs ---- */

#define REGS_BREACH(name, if_, then)              \
  static bool name(const void *in_, void *out_) { \
    const struct hd_regs_in *in = in_;            \
    struct hd_regs_out *out = out_;               \
    (void)in;                                     \
    if (!(if_)) return false;                     \
    then;                                         \
    return true;                                  \
  }

REGS_BREACH(wrong_word, out->prdata, out->prdata ^= 1)
REGS_BREACH(word_too_late, !in->psel, out->prdata = 1)
REGS_BREACH(no_error, out->pslverr, out->pslverr = 0)
REGS_BREACH(an_error, in->psel && in->penable && !out->pslverr, out->pslverr = 1)
REGS_BREACH(not_ready, true, out->pready = 0)
REGS_BREACH(wrong_config, true, out->config.rec_count ^= 0x100)

/* An event that the block has missed: the counter or the bit is wrong from then on, and a read shows it. */
#define MISSED(name, event)                                      \
  static bool name(const void *in_, void *out_) {                \
    struct hd_regs_in *in = (struct hd_regs_in *)(uintptr_t)in_; \
    (void)out_;                                                  \
    if (event) return false;                                     \
    event = 1;                                                   \
    return true;                                                 \
  }
static bool missed_grant(const void *in_, void *out_) {
  struct hd_regs_in *in = (struct hd_regs_in *)(uintptr_t)in_;
  (void)out_;
  if (in->sched_grant.valid || in->sched_take.valid || in->sched_graph_take) return false;
  in->sched_take.valid = 1;
  return true;
}
MISSED(missed_spill, in->pool_events.spill)
MISSED(missed_completion, in->sched_done_ok[1])
MISSED(missed_group, in->devq_event[1])

TEST(regs) {
  silent("regs");
  breach *const all[] = {wrong_word,   word_too_late, no_error,          an_error,    not_ready,
                         missed_grant, missed_spill,  missed_completion, missed_group};
  for (unsigned k = 0; k < sizeof all / sizeof *all; k++) names("regs", "rule", all[k]);
  names("regs", "rule 3", wrong_config);
}

TEST_MAIN("block_oracles", NULL, NULL)
