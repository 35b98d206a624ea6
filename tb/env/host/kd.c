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
                                     NULL};

static void cover_graph(const struct hd_kd_neighbours *s, const struct hd_kd_in *in, const struct hd_kd_out *out,
                        uint64_t *hits) {
  const unsigned end = in->graph_end_kdei;
  hits[0] += in->kernel_valid && out->kernel_ready && in->kernel.graph;
  hits[1] += in->graph_take;
  hits[2] += in->graph_take && in->retire_valid && in->graph_kdei == in->retire_kdei;
  hits[3] += s->graph >= 0 && !s->exebl[s->graph] && !in->graph_take;
  hits[4] += in->graph_end_valid && in->graph_end_code == HD_GCODE_FINE;
  hits[5] += in->graph_end_valid && in->graph_end_code != HD_GCODE_FINE;
  hits[6] += in->graph_end_valid && s->exebl[end] > (in->retire_valid && in->retire_kdei == end);
  hits[7] += s->graph >= 0 && out->kin_valid[s->graph];
}

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  struct hd_kd_neighbours *s = s_;
  const struct hd_kd_in *in = in_;
  const struct hd_kd_out *out = out_;
  unsigned left = 0, used = 0, fails = 0;
  bool enter = in->kernel_valid && out->kernel_ready, leave = out->leave_valid && in->leave_ready;
  bool saved = in->grant_valid && in->grant_kind == HD_UNIT_SAVED;
  for (unsigned k = 0; k < s->cfg.num_kde; k++) {
    used += out->need[k].warps != 0;
    left += out->left[k];
  }
  for (unsigned b = 0; b < HD_MAX_NUM_FAIL; b++) {
    fails += in->fail_valid[b];
    hits[14] += in->fail_valid[b] && out->suspending[in->fail_kdei[b]];
  }
  hits[0] += (unsigned)enter + in->grant_valid + in->retire_valid + leave;
  hits[1] += used == s->cfg.num_kde;
  hits[2] += !out->kernel_ready && used < s->cfg.num_kde;
  hits[3] += in->grant_valid && in->retire_valid && in->grant_kdei == in->retire_kdei;
  hits[4] += left >= 2;
  hits[5] += out->leave_valid && !in->leave_ready;
  hits[6] += left && enter;
  hits[7] += out->suspend_valid;
  hits[8] += out->take_valid && in->pending[out->take_kdei];
  hits[9] += out->steal && leave;
  hits[10] += enter && in->kernel.resumed;
  hits[11] += saved;
  hits[12] += saved && in->save_valid && in->save_kdei == in->grant_kdei;
  hits[13] += fails > 0;
  hits[15] += fails > 1;
  hits[16] += in->park_valid;
  hits[17] += in->hold_valid && !in->marked[in->hold_kdei] && !s->exebl[in->hold_kdei];
  hits[18] += leave && out->leave.kin_valid;
  hits[19] += leave && out->leave.origin.failed;
  hits[20] += in->serve_valid;
  hits[21] += in->serve_last && in->queue_valid && in->serve_kdei == in->queue_kdei;
  hits[22] += enter && in->enter_queued;
  hits[23] += in->serve_valid && out->suspending[in->serve_kdei];
  hits[24] += in->serve_valid && !s->exebl[in->serve_kdei] && !in->marked[in->serve_kdei];
  hits[25] += in->fail_valid[LOST] && in->queue_valid && in->serve_last && in->fail_kdei[LOST] == in->queue_kdei &&
              in->fail_kdei[LOST] == in->serve_kdei;
  hits[26] += in->save_valid && out->failed[in->save_kdei];
  cover_graph(s, in, out, hits + 27);
  const bool large = s->cfg.sav_max > 16; /* too many places to fill the saved list in a test run */
  hits[35] += large || out->rest_valid;
  hits[36] += large || (out->suspend_valid && in->fail_valid[LOST] && (int)in->fail_kdei[LOST] == s->suspended);
  for (unsigned k = 0; k < s->cfg.num_kde; k++) hits[37] += large || (out->sav_full[k] && s->queued[k]);
  hits[38] += out->suspend_valid && out->suspend.origin.rest;
}

const struct hd_block_driver hd_block_driver_kd = {HD_BLOCK_DRIVER_MODEL_FIELDS(kd), HD_BLOCK_DRIVER_ROWS_FIELDS(kd),
                                                   HD_BLOCK_DRIVER_STIM_FIELDS(struct hd_kd_neighbours),
                                                   HD_BLOCK_ORACLE_FIELDS(kd)};
