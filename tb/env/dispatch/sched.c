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
  memcpy(in->open, s->open, s->cfg.num_smx);
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
  in->look_smx = (uint8_t)hd_rng_below(rng, s->cfg.num_smx);
  in->look_slot = (uint8_t)hd_rng_below(rng, 1u << s->cfg.slot_w);
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
  bool stop = out->cur_valid && (in->suspending[out->grant_kdei] || in->failed[out->grant_kdei]);
  bool linked = in->link_valid && in->link_kdei == out->grant_kdei;
  hits[9] += out->grant_group;
  hits[10] += out->group_pop && out->unit_end && out->grant_kind == HD_UNIT_NATIVE;
  hits[11] += out->group_pop && out->adv_valid;
  hits[12] += out->group_pop && !in->group.self.onchip;
  hits[13] += out->slot_wait;
  hits[14] += out->grant_valid && out->grant_kind == HD_UNIT_SAVED;
  hits[15] += out->unit_end && out->grant_kind == HD_UNIT_SAVED && !in->ndone[out->grant_kdei];
  hits[16] += out->park_valid && !out->park_group;
  hits[17] += out->park_group;
  hits[18] += stop && !out->waiting && out->grant_kind == HD_UNIT_SAVED;
  hits[19] += out->group_pop && !out->adv_valid && in->nextbl[out->grant_kdei];
  hits[20] += in->steal;
  hits[21] += !out->cur_valid && in->link_valid && !in->marked[in->link_kdei];
  hits[22] += out->adv_valid && in->single[out->grant_kdei] && linked;
  hits[23] += out->unmark && linked;
}

/* The end of a native part of very many TBs; a TB near the end of such a group. */
static void cover_far(const struct stim *s, const struct hd_sched_in *in, const struct hd_sched_out *out,
                      uint64_t *hits) {
  const uint32_t far = 1u << 12;
  hits[0] += out->unit_end && out->grant_kind == HD_UNIT_NATIVE && in->nextbl[out->grant_kdei] > far;
  for (unsigned k = 0; k < s->cfg.num_smx; k++)
    hits[1] +=
        out->dispatch_valid[k] && in->dispatch_ready[k] && out->dispatch[k].group && out->dispatch[k].blkid > far;
}

/* The graph and the other sources of TBs. */
static void cover_graph(const struct stim *s, const struct hd_sched_in *in, const struct hd_sched_out *out,
                        uint64_t *hits) {
  const bool older = out->cur_valid && in->older[out->grant_kdei], node = in->graph_valid, first = node && !older;
  const bool none = !out->graph_take && !out->grant_valid && !out->take_valid;
  bool spare = false;
  for (unsigned k = 0; k < s->cfg.num_smx; k++) spare |= in->spare_valid[k];
  hits[0] += out->graph_take;
  hits[1] += out->graph_take && out->cur_valid;
  hits[2] += out->grant_valid && node;
  hits[3] += older && out->waiting && node;
  hits[4] += out->grant_valid && in->run_valid && !older && !node;
  hits[5] += first && none && !in->steal;
  hits[6] += first && in->steal;
  hits[7] += node && !out->cur_valid && spare;
  hits[8] += first && out->take_valid && !out->take_spare;
  hits[9] += out->graph_take && in->graph_wants && out->grant_smx == in->graph_smx;
  hits[10] += out->graph_take && in->graph_wants && out->grant_smx != in->graph_smx;
  hits[11] += out->graph_take && in->graph_wants && in->bound_valid[in->graph_smx];
  hits[12] += out->graph_take && out->group_pop;
  hits[13] += out->graph_take && out->park_valid;
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
  const bool taken = out->grant_valid || out->graph_take || out->take_spare;
  bool closed = false;
  for (unsigned k = 0; k < s->cfg.num_smx; k++) closed |= !in->open[k];
  hits[0] += out->take_valid && !out->take_spare && !in->open[out->grant_smx];
  hits[1] += taken && closed;
  hits[2] += out->blocked && closed && !in->steal;
  hits[3] += out->graph_take && in->graph_wants && !in->open[in->graph_smx];
}

/* FairEvery: TBs of queue 0 on SMXs bound to a bank; events that wait until its turn ends, and events that do not. */
static void cover_turns(struct stim *s, const struct hd_sched_in *in, const struct hd_sched_out *out, uint64_t *hits) {
  const bool own = out->grant_valid || out->graph_take, turn = s->cfg.fair_every && s->passed >= s->cfg.fair_every;
  const bool stops = in->suspending[out->grant_kdei] || in->failed[out->grant_kdei];
  hits[0] += out->grant_valid && in->bound_valid[out->grant_smx];
  hits[1] += out->graph_take && in->bound_valid[out->grant_smx];
  hits[2] += turn && out->blocked && !in->steal;
  hits[3] += turn && out->take_valid;
  hits[4] += turn && out->cur_valid && stops;
  s->passed = own || !out->cur_valid || out->waiting || stops ? 0 : s->passed + out->take_valid;
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
  hits[0] += out->grant_valid + out->take_valid + out->graph_take + done;
  hits[1] += out->blocked;
  hits[2] += out->unmark;
  hits[3] += out->unmark && in->next_valid;
  hits[4] += out->unmark && !in->next_valid && in->enter_valid && in->enter_ready;
  hits[7] += done >= 2;
  hits[8] += full == s->cfg.num_smx;
  cover_units(in, out, hits);
  hits[24] += out->look.valid;
  hits[25] += out->retire_valid && out->retire.age_valid;
  hits[26] += out->take_valid && !out->take_spare;
  hits[27] += out->take_spare;
  hits[28] += out->take_valid && in->bank_front[out->take_bank].kind == HD_UNIT_GROUP;
  hits[29] += out->take_last;
  hits[30] += out->take_valid && out->park_valid;
  hits[31] += out->take_valid && out->cur_valid && !out->waiting;
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
