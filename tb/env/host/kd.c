/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* kd: golden model and cover points; the random environment is kd_neighbours, the oracle kd_oracle. */
#include "host/kd.h"

#include "env/common/model.h"
#include "env/host/kd_neighbours.h"
#include "oracle/kd_oracle.h"

HD_BLOCK_DRIVER_MODEL(kd)
HD_BLOCK_DRIVER_ROWS(kd)
HD_BLOCK_DRIVER_NEIGHBOURS(kd)

enum { LOST = HD_KD_LOST };

static const char *const covers[] = {"event",
                                     "full",
                                     "both_tag_rows_wait",
                                     "grant_and_retire_same",
                                     "release_two",
                                     "report_stalled",
                                     "enter_in_release",
                                     "suspend",
                                     "suspend_with_groups",
                                     "report_ends_in_steal",
                                     "resumed_enters",
                                     "saved_granted",
                                     "save_and_saved_granted",
                                     "fail",
                                     "fail_of_suspending",
                                     "two_fail",
                                     "parked",
                                     "hold_at_the_end",
                                     "leave_of_a_parent",
                                     "leave_failed",
                                     "served",
                                     "queued_and_last_served",
                                     "enters_queued",
                                     "suspending_served",
                                     "only_entries_left",
                                     "lost_queued_and_last_served",
                                     "save_after_fail",
                                     "graph_enters",
                                     "node_handed_out",
                                     "node_handed_out_and_retires",
                                     "graph_keeps_its_entry",
                                     "graph_is_over",
                                     "graph_fails",
                                     "graph_is_over_before_its_tbs",
                                     "parent_with_a_graph",
                                     "rest_stays",
                                     "rest_fails_before_it_stays",
                                     "sav_full",
                                     "rest_is_suspended",
                                     "lost_twice_in_a_row",
                                     "lost_of_the_next_kernel",
                                     NULL};

static void cover_graph(const struct hd_kd_neighbours *s, const struct hd_kd_in *in, const struct hd_kd_out *out,
                        uint64_t *hits) {
  const unsigned end = in->dats_over.kdei;
  hits[0] += in->kmu_offer.valid && out->free.valid && in->kmu_offer.kernel.graph;
  hits[1] += in->sched_graph_take;
  hits[2] += in->sched_graph_take && in->sched_retire.valid && in->dats_run.kdei == in->sched_retire.tb.kdei;
  hits[3] += s->graph >= 0 && !s->exebl[s->graph] && !in->sched_graph_take;
  hits[4] += in->dats_over.valid && in->dats_over.result.code == HD_GCODE_FINE;
  hits[5] += in->dats_over.valid && in->dats_over.result.code != HD_GCODE_FINE;
  hits[6] += in->dats_over.valid && s->exebl[end] > (in->sched_retire.valid && in->sched_retire.tb.kdei == end);
  hits[7] += s->graph >= 0 && out->kin_valid[s->graph];
}

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  struct hd_kd_neighbours *s = s_;
  const struct hd_kd_in *in = in_;
  const struct hd_kd_out *out = out_;
  unsigned left = 0, used = 0, fails = 0;
  bool enter = in->kmu_offer.valid && out->free.valid, leave = out->leave.valid && in->kin_leave_ready;
  bool saved = in->sched_grant.valid && in->sched_grant.kind == HD_UNIT_SAVED;
  for (unsigned k = 0; k < s->cfg.num_kde; k++) {
    used += out->need[k].warps != 0;
    left += out->left[k];
  }
  for (unsigned b = 0; b < HD_MAX_NUM_FAIL; b++) {
    fails += in->fails[b].valid;
    hits[14] += in->fails[b].valid && out->suspending[in->fails[b].kdei];
  }
  hits[0] += (unsigned)enter + in->sched_grant.valid + in->sched_retire.valid + leave;
  hits[1] += used == s->cfg.num_kde;
  hits[2] += !out->free.valid && used < s->cfg.num_kde;
  hits[3] += in->sched_grant.valid && in->sched_retire.valid && in->sched_sscr.kdei == in->sched_retire.tb.kdei;
  hits[4] += left >= 2;
  hits[5] += out->leave.valid && !in->kin_leave_ready;
  hits[6] += left && enter;
  hits[7] += out->suspend.valid;
  hits[8] += out->take.valid && in->link_pending[out->take.kdei];
  hits[9] += out->stall && leave;
  hits[10] += enter && in->kmu_offer.kernel.resumed;
  hits[11] += saved;
  hits[12] += saved && in->devq_save.valid && in->devq_save.kdei == in->sched_sscr.kdei;
  hits[13] += fails > 0;
  hits[15] += fails > 1;
  hits[16] += in->sched_park.valid;
  hits[17] += in->devq_hold.valid && !in->fcfs_marked[in->devq_hold.kdei] && !s->exebl[in->devq_hold.kdei];
  hits[18] += leave && out->leave.kin_valid;
  hits[19] += leave && out->leave.origin.failed;
  hits[20] += in->sched_take.valid;
  hits[21] += in->sched_take.last && in->laperm_push.valid && in->sched_take.kdei == in->laperm_push.kdei;
  hits[22] += enter && in->laperm_enter.bank;
  hits[23] += in->sched_take.valid && out->suspending[in->sched_take.kdei];
  hits[24] += in->sched_take.valid && !s->exebl[in->sched_take.kdei] && !in->fcfs_marked[in->sched_take.kdei];
  hits[25] += in->fails[LOST].valid && in->laperm_push.valid && in->sched_take.last &&
              in->fails[LOST].kdei == in->laperm_push.kdei && in->fails[LOST].kdei == in->sched_take.kdei;
  hits[26] += in->devq_save.valid && out->failed[in->devq_save.kdei];
  cover_graph(s, in, out, hits + 27);
  const bool large = s->cfg.sav_max > 16; /* too many places to fill the saved list in a test run */
  hits[35] += large || out->rest.valid;
  hits[36] += large || (out->suspend.valid && in->fails[LOST].valid && (int)in->fails[LOST].kdei == s->suspended);
  for (unsigned k = 0; k < s->cfg.num_kde; k++) hits[37] += large || (out->sav_full[k] && s->queued[k]);
  hits[38] += out->suspend.valid && out->suspend.kernel.origin.rest;
  const bool again = in->fails[LOST].valid && s->lost >= 0;
  hits[39] += again && in->fails[LOST].kdei == s->lost;
  hits[40] += again && in->fails[LOST].kdei > s->lost;
}

const struct hd_block_driver hd_block_driver_kd = {HD_BLOCK_DRIVER_MODEL_FIELDS(kd), HD_BLOCK_DRIVER_ROWS_FIELDS(kd),
                                                   HD_BLOCK_DRIVER_STIM_FIELDS(struct hd_kd_neighbours),
                                                   HD_BLOCK_ORACLE_FIELDS(kd)};
