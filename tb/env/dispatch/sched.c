/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* sched: golden model, random environment and cover points. The environment consists of the blocks around the scheduler
 * (sched_neighbours) and SMXs that hold TBs for random times. */
#include "dispatch/sched.h"

#include "dispatch/tbcr.h"
#include "env/common/model.h"
#include "env/common/smxs.h"
#include "env/dispatch/sched_neighbours.h"
#include "env/top/plane_blocks.h"
#include "oracle/sched_oracle.h"

HD_BLOCK_DRIVER_MODEL(sched)

static void sched_arch(const void *m, unsigned group, void *arch, bool tables) {
  struct hd_sched_arch *a = arch;
  if (group)
    hd_tbcr_arch(hd_sched_tbcr(m, group - 1), &a->tbcr[group - 1], tables);
  else
    hd_sched_arch_own(m, a);
}

static const struct hd_wrote *sched_wrote(const void *m, unsigned group) {
  return group ? hd_sched_tbcr(m, group - 1)->wrote : NULL;
}

static void sched_row(const void *m, unsigned group, unsigned row, void *arch) {
  struct hd_sched_arch *a = arch;
  hd_tbcr_arch_row(hd_sched_tbcr(m, group - 1), row, &a->tbcr[group - 1]);
}

static void sched_inner(const void *m, const struct hd_cfg *cfg, const void *in, void *inner) {
  (void)cfg;
  hd_sched_show_inner(m, in, inner);
}

struct stim {
  struct hd_cfg cfg;
  struct hd_smxs smxs;
  struct hd_sched_neighbours plane;
  unsigned hold; /* cycles in which no SMX accepts a TB */
  uint8_t open[HD_MAX_NUM_SMX];
  unsigned passed; /* consecutive TBs of banks while the SSCR offered one */
};

static void stim_reset(void *s_) {
  struct stim *s = s_;
  hd_sched_neighbours_reset(&s->plane);
  hd_smxs_reset(&s->smxs);
  memset(s->open, 1, sizeof s->open);
}

static void stim_init(void *s_, const struct hd_cfg *cfg, struct hd_rng *rng) {
  struct stim *s = s_;
  (void)rng;
  s->cfg = *cfg;
  hd_sched_neighbours_init(&s->plane, cfg);
  hd_smxs_init(&s->smxs, cfg);
  memset(s->open, 1, sizeof s->open);
}

/* Opens SMXs: usually all; in some periods the first ones, as the throttle does, or random ones. */
static void drive_open(struct stim *s, struct hd_rng *rng, struct hd_sched_in *in) {
  if (!hd_rng_below(rng, 300)) {
    const unsigned how = hd_rng_below(rng, 4), n = hd_rng_below(rng, s->cfg.num_smx + 1);
    for (unsigned k = 0; k < s->cfg.num_smx; k++)
      s->open[k] = how < 2 || (how == 2 ? k < n : (uint8_t)hd_rng_below(rng, 2));
  }
  memcpy(in->throttle_open, s->open, s->cfg.num_smx);
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out_, const void *now,
                  void *in_) {
  struct stim *s = s_;
  const struct hd_sched_out *out = out_;
  struct hd_sched_in *in = in_;
  hd_sched_neighbours_edge(&s->plane, rng, in, out);
  hd_smxs_follow(&s->smxs, out->dispatch_valid, out->dispatch, in->dispatch_ready);
  hd_sched_neighbours_drive(&s->plane, rng, p, now, in);
  hd_smxs_drive(&s->smxs, rng, p, in->dispatch_ready, in->cta_done_valid, in->cta_done_slot);
  if (!hd_rng_below(rng, 1000)) s->hold = hd_rng_below(rng, 60);
  if (s->hold && s->hold--) memset(in->dispatch_ready, 0, s->cfg.num_smx);
  drive_open(s, rng, in);
  in->devq_look.smx = (uint8_t)hd_rng_below(rng, s->cfg.num_smx);
  in->devq_look.slot = (uint8_t)hd_rng_below(rng, 1u << s->cfg.slot_w);
}

static const char *const covers[] = {"event",
                                     "blocked",
                                     "unmark",
                                     "unmark_and_next",
                                     "unmark_and_enter",
                                     "done_empty",
                                     "done_early",
                                     "two_done",
                                     "all_dispatch_full",
                                     "group_granted",
                                     "group_after_native",
                                     "group_after_group",
                                     "overflowed_group",
                                     "slot_wait",
                                     "saved_granted",
                                     "native_after_saved",
                                     "park_native",
                                     "park_group",
                                     "saved_dropped",
                                     "parked_group_goes_on",
                                     "steal",
                                     "marked_by_a_group",
                                     "link_at_the_end",
                                     "end_and_link",
                                     "look",
                                     "group_retires",
                                     "bound_taken",
                                     "spare_taken",
                                     "group_of_a_bank",
                                     "entry_leaves",
                                     "bank_and_park",
                                     "bank_passes_queue_0",
                                     "far_native",
                                     "far_group",
                                     "node_taken",
                                     "node_beside_the_sscr",
                                     "node_waits_for_older",
                                     "older_waits_and_a_node",
                                     "younger_while_no_node",
                                     "node_blocked",
                                     "node_and_steal",
                                     "node_keeps_spare_away",
                                     "node_and_bound",
                                     "wish_granted",
                                     "wish_can_not_be",
                                     "wish_beside_bound",
                                     "group_loaded_beside_a_node",
                                     "park_beside_a_node",
                                     "node_done",
                                     "two_nodes_done",
                                     "node_and_other_done",
                                     "bound_on_a_closed_one",
                                     "beside_a_closed_one",
                                     "kept_by_closed_ones",
                                     "wish_for_a_closed_one",
                                     "rare_sscr_in_its_turn",
                                     "rare_node_in_its_turn",
                                     "rare_turn_waits",
                                     "rare_bank_on_a_closed_one_in_a_turn",
                                     "rare_stop_in_a_turn",
                                     NULL};

static void cover_units(const struct hd_sched_in *in, const struct hd_sched_out *out, uint64_t *hits) {
  bool stop = out->sscr.valid && (in->kd_suspending[out->sscr.kdei] || in->kd_failed[out->sscr.kdei]);
  bool linked = in->link_link.valid && in->link_link.kdei == out->sscr.kdei;
  hits[9] += out->hand.grant;
  hits[10] += out->group_pop && out->grant.unit_end && out->grant.kind == HD_UNIT_NATIVE;
  hits[11] += out->group_pop && out->advance;
  hits[12] += out->group_pop && !in->agt_group.group.self.onchip;
  hits[13] += out->events.slot_wait;
  hits[14] += out->grant.valid && out->grant.kind == HD_UNIT_SAVED;
  hits[15] += out->grant.unit_end && out->grant.kind == HD_UNIT_SAVED && !in->kd_ndone[out->sscr.kdei];
  hits[16] += out->park.valid && !out->hand.park;
  hits[17] += out->hand.park;
  hits[18] += stop && !out->events.waiting && out->grant.kind == HD_UNIT_SAVED;
  hits[19] += out->group_pop && !out->advance && in->kd_nextbl[out->sscr.kdei];
  hits[20] += in->kd_stall;
  hits[21] += !out->sscr.valid && in->link_link.valid && !in->fcfs_marked[in->link_link.kdei];
  hits[22] += out->advance && in->link_single[out->sscr.kdei] && linked;
  hits[23] += out->unmark && linked;
}

/* The end of a native part of very many TBs; a TB near the end of such a group. */
static void cover_far(const struct stim *s, const struct hd_sched_in *in, const struct hd_sched_out *out,
                      uint64_t *hits) {
  const uint32_t far = 1u << 12;
  hits[0] += out->grant.unit_end && out->grant.kind == HD_UNIT_NATIVE && in->kd_nextbl[out->sscr.kdei] > far;
  for (unsigned k = 0; k < s->cfg.num_smx; k++)
    hits[1] +=
        out->dispatch_valid[k] && in->dispatch_ready[k] && out->dispatch[k].group && out->dispatch[k].blkid > far;
}

/* The graph and the other sources of TBs. */
static void cover_graph(const struct stim *s, const struct hd_sched_in *in, const struct hd_sched_out *out,
                        uint64_t *hits) {
  const bool older = out->sscr.valid && in->dats_older[out->sscr.kdei], node = in->dats_tb.valid,
             first = node && !older;
  const bool none = !out->graph_take && !out->grant.valid && !out->take.valid;
  bool spare = false;
  for (unsigned k = 0; k < s->cfg.num_smx; k++) spare |= in->laperm_spare_valid[k];
  hits[0] += out->graph_take;
  hits[1] += out->graph_take && out->sscr.valid;
  hits[2] += out->grant.valid && node;
  hits[3] += older && out->events.waiting && node;
  hits[4] += out->grant.valid && in->dats_run.valid && !older && !node;
  hits[5] += first && none && !in->kd_stall;
  hits[6] += first && in->kd_stall;
  hits[7] += node && !out->sscr.valid && spare;
  hits[8] += first && out->take.valid && !out->take.spare;
  hits[9] += out->graph_take && in->dats_tb.wants && out->grant.smx == in->dats_tb.smx;
  hits[10] += out->graph_take && in->dats_tb.wants && out->grant.smx != in->dats_tb.smx;
  hits[11] += out->graph_take && in->dats_tb.wants && in->laperm_bound_valid[in->dats_tb.smx];
  hits[12] += out->graph_take && out->group_pop;
  hits[13] += out->graph_take && out->park.valid;
}

static void cover_nodes_done(const struct stim *s, const struct hd_sched_out *out, uint64_t *hits) {
  unsigned nodes = 0, done = 0;
  for (unsigned k = 0; k < s->cfg.num_smx; k++) {
    nodes += out->node_done[k];
    done += out->done_ok[k];
  }
  hits[0] += nodes;
  hits[1] += nodes >= 2;
  hits[2] += nodes && done > nodes;
}

/* TBs granted while some SMX is closed. */
static void cover_closed(const struct stim *s, const struct hd_sched_in *in, const struct hd_sched_out *out,
                         uint64_t *hits) {
  const bool taken = out->grant.valid || out->graph_take || out->take.spare;
  bool closed = false;
  for (unsigned k = 0; k < s->cfg.num_smx; k++) closed |= !in->throttle_open[k];
  hits[0] += out->take.valid && !out->take.spare && !in->throttle_open[out->grant.smx];
  hits[1] += taken && closed;
  hits[2] += out->events.blocked && closed && !in->kd_stall;
  hits[3] += out->graph_take && in->dats_tb.wants && !in->throttle_open[in->dats_tb.smx];
}

/* FairEvery: TBs of queue 0 on SMXs bound to a bank; events that wait until its turn ends, and events that do not. */
static void cover_turns(struct stim *s, const struct hd_sched_in *in, const struct hd_sched_out *out, uint64_t *hits) {
  const bool own = out->grant.valid || out->graph_take, turn = s->cfg.fair_every && s->passed >= s->cfg.fair_every;
  const bool stops = in->kd_suspending[out->sscr.kdei] || in->kd_failed[out->sscr.kdei];
  hits[0] += out->grant.valid && in->laperm_bound_valid[out->grant.smx];
  hits[1] += out->graph_take && in->laperm_bound_valid[out->grant.smx];
  hits[2] += turn && out->events.blocked && !in->kd_stall;
  hits[3] += turn && out->take.valid;
  hits[4] += turn && out->sscr.valid && stops;
  s->passed = own || !out->sscr.valid || out->events.waiting || stops ? 0 : s->passed + out->take.valid;
}

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  struct stim *s = s_;
  const struct hd_sched_in *in = in_;
  const struct hd_sched_out *out = out_;
  unsigned done = 0, full = 0;
  for (unsigned k = 0; k < s->cfg.num_smx; k++) {
    done += out->done_ok[k];
    full += out->dispatch_valid[k];
    hits[5] += out->done_empty[k];
    hits[6] += out->done_early[k];
  }
  hits[0] += out->grant.valid + out->take.valid + out->graph_take + done;
  hits[1] += out->events.blocked;
  hits[2] += out->unmark;
  hits[3] += out->unmark && in->fcfs_next.valid;
  hits[4] += out->unmark && !in->fcfs_next.valid && in->kd_entry.valid;
  hits[7] += done >= 2;
  hits[8] += full == s->cfg.num_smx;
  cover_units(in, out, hits);
  hits[24] += out->look.valid;
  hits[25] += out->retire.valid && out->retire.tb.age_valid;
  hits[26] += out->take.valid && !out->take.spare;
  hits[27] += out->take.spare;
  hits[28] += out->take.valid && in->laperm_bank_front[out->take.bank].kind == HD_UNIT_GROUP;
  hits[29] += out->take.last;
  hits[30] += out->take.valid && out->park.valid;
  hits[31] += out->take.valid && out->sscr.valid && !out->events.waiting;
  cover_far(s, in, out, hits + 32);
  cover_graph(s, in, out, hits + 34);
  cover_nodes_done(s, out, hits + 48);
  cover_closed(s, in, out, hits + 51);
  cover_turns(s, in, out, hits + 55);
}

const struct hd_block_driver hd_block_driver_sched = {HD_BLOCK_DRIVER_MODEL_FIELDS(sched),
                                                      HD_BLOCK_DRIVER_ROWS_FIELDS(sched),
                                                      .inner_size = sizeof(struct hd_sched_inner),
                                                      .inner = sched_inner,
                                                      HD_BLOCK_ORACLE_FIELDS(sched),
                                                      HD_BLOCK_DRIVER_STIM_FIELDS(struct stim)};
