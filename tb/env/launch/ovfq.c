/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* ovfq: golden model and cover points; the random environment is ovfq_neighbours, the oracle ovfq_oracle. */
#include "launch/ovfq.h"

#include "env/common/model.h"
#include "env/common/over_lists.h"
#include "env/launch/ovfq_parts.h"
#include "oracle/ovfq_oracle.h"

HD_BLOCK_DRIVER_MODEL(ovfq)
HD_BLOCK_DRIVER_ROWS(ovfq)
HD_BLOCK_DRIVER_NEIGHBOURS(ovfq)

static const char *const covers[] = {"event",
                                     "emptied",
                                     "no_room",
                                     "longer_than_window",
                                     "push_and_adv",
                                     "age",
                                     "record",
                                     "pops_in_a_row",
                                     "change_in_walk",
                                     "change_while_shown",
                                     "fail_in_walk",
                                     "adv_in_stop",
                                     "pop_in_stop",
                                     "write_error",
                                     "read_error",
                                     "write_fail",
                                     "fetch_fail",
                                     "take_with_groups",
                                     "resume_with_groups",
                                     "take_and_resume",
                                     "taken_and_fails",
                                     "request_stalled",
                                     "beat_stalled",
                                     "answer_and_beat",
                                     "part_of_a_beat",
                                     "two_beats",
                                     "writes_under_way",
                                     "reads_under_way",
                                     "unanswered_handed_out",
                                     "adv_of_the_chain",
                                     "old_list",
                                     "high_record",
                                     "full",
                                     "push_fills",
                                     NULL};

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct hd_ovfq_neighbours *s = s_;
  const struct hd_ovfq_in *in = in_;
  const struct hd_ovfq_out *out = out_;
  const struct hd_memory_bursts *m = &s->port;
  unsigned tag = s->tag_kdei;
  bool adv = in->sched_advance && !in->link_chained[in->sched_sscr.kdei];
  bool change = in->sched_sscr.valid != s->tag_valid || in->sched_sscr.kdei != tag, entered = in->kd_entry.valid;
  bool fails = s->tag_valid && hd_list_cleared(in, out, tag),
       list = out->mem.valid && !out->mem.req.write && out->mem.req.len < 2;
  hits[0] += (unsigned)in->link_link.over + in->agt_over_pop + adv;
  hits[1] += s->was_live && !s->live;
  hits[2] += !out->room;
  hits[3] += in->link_link.over && hd_ovfq_length(&s->kernel[in->link_link.kdei].groups) > s->cfg.ovfq_window;
  hits[4] += in->link_link.over && adv && in->link_link.kdei == in->sched_sscr.kdei;
  hits[5] += in->agt_over_pop && out->over.group.self.onchip;
  hits[6] += in->agt_over_pop && !out->over.group.self.onchip;
  hits[7] += in->agt_over_pop && s->popped > 2;
  hits[8] += change && s->tag_valid && m->reads;
  hits[9] += change && out->over.valid;
  hits[10] += fails && m->reads;
  hits[11] += (change || fails) && adv;
  hits[12] += (change || fails) && in->agt_over_pop;
  hits[13] += in->mem.b_valid && in->mem.b_error;
  hits[14] += in->mem.r_valid && in->mem.r.error;
  hits[15] += out->write_fail.valid;
  hits[16] += out->fetch_fail.valid;
  hits[17] += out->taken.count > 0;
  hits[18] += entered && in->kmu_offer.kernel.over.count > 0;
  hits[19] += entered && in->kmu_offer.kernel.resumed && in->kd_take.valid;
  hits[20] += in->kd_take.valid && hd_list_fails(in, out, in->kd_take.kdei);
  hits[21] += out->mem.valid && !in->mem.ready;
  hits[22] += out->mem.wbeat.strb && !in->mem.take;
  hits[23] += in->mem.b_valid && in->mem.r_valid;
  hits[24] += list && out->mem.req.len == 0;
  hits[25] += list && out->mem.req.len == 1;
  hits[26] += m->writes > 4;
  hits[27] += m->reads >= 4;
  hits[28] += s->tag_valid && out->unanswered[tag] && !out->there[tag];
  hits[29] += in->sched_advance && !adv;
  hits[30] += s->kernel[tag].groups.old && in->agt_over_pop;
  hits[32] += memchr(out->full, 1, s->cfg.num_kde) != NULL;
  hits[33] += in->link_link.over && out->full[in->link_link.kdei];
  hits[31] += in->agt_over_pop && !out->over.group.self.onchip && out->over.group.self.index >> (s->cfg.rec_w - 1);
}

const struct hd_block_driver hd_block_driver_ovfq = {
    HD_BLOCK_DRIVER_MODEL_FIELDS(ovfq), HD_BLOCK_DRIVER_ROWS_FIELDS(ovfq),
    HD_BLOCK_DRIVER_STIM_FIELDS(struct hd_ovfq_neighbours), HD_BLOCK_ORACLE_FIELDS(ovfq)};
