/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* susp: golden model and cover points; its oracle is susp_oracle, the random environment susp_neighbours. */
#include "family/susp.h"

#include "env/common/model.h"
#include "env/family/susp_neighbours.h"
#include "oracle/susp_oracle.h"

HD_BLOCK_DRIVER_MODEL(susp)
HD_BLOCK_DRIVER_ARCH(susp)
HD_BLOCK_DRIVER_NEIGHBOURS(susp)

static const char *const covers[] = {
    "event",       "saves_wait", "suspended",     "suspended_stalled", "resumed",   "resume_stalled",
    "save_failed", "not_read",   "list_failed",   "saved_cta",         "cta_waits", "list_wraps",
    "next_chunk",  "dropped",    "save_with_pop", "head_stalled",      NULL};

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct hd_susp_neighbours *s = s_;
  const struct hd_susp_in *in = in_;
  const struct hd_susp_out *out = out_;
  hits[0] += in->devq_save.valid + in->kd_suspend.valid + in->kmu_susp_pop + in->sched_saved_pop;
  hits[1] += !out->save_room;
  hits[2] += out->suspended.valid && in->kin_suspended_ready;
  hits[3] += out->suspended.valid && !in->kin_suspended_ready;
  hits[4] += in->kmu_susp_pop;
  hits[5] += in->kin_resume.valid && !out->resume_ready;
  hits[6] += out->kin_fail.valid && !out->kin_fail.back;
  hits[7] += out->kin_fail.back;
  hits[8] += out->chunk_fail.valid;
  hits[9] += in->sched_saved_pop;
  hits[10] += out->saved.valid && !in->sched_saved_pop;
  hits[11] += s->wrapped;
  hits[12] += s->next_chunk;
  hits[13] += s->dropped;
  hits[14] += in->devq_save.valid && in->sched_saved_pop;
  hits[15] += out->head.valid && !in->kmu_susp_pop;
}

const struct hd_block_driver hd_block_driver_susp = {HD_BLOCK_DRIVER_MODEL_FIELDS(susp),
                                                     HD_BLOCK_DRIVER_STIM_FIELDS(struct hd_susp_neighbours),
                                                     HD_BLOCK_ORACLE_FIELDS(susp)};
