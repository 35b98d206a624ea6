/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The inputs of the blocks of launches by TBs, and of the memory port. */
#include <string.h>

#include "hd_regs_map.h"
#include "plane_blocks.h"

#define COPY(to, from, n) memcpy(to, from, (n) * sizeof *(to))

void hd_wire_devq(struct hd_plane_blocks *p) {
  struct hd_devq_in *i = &p->devq_in;
  const struct hd_top_inner *o = &p->out;
  COPY(i->dev_launch_valid, p->in->dev_launch_valid, p->cfg->num_smx);
  COPY(i->dev_launch, p->in->dev_launch, p->cfg->num_smx);
  COPY(i->dev_answer_ready, p->in->dev_answer_ready, p->cfg->num_smx);
  i->found = o->match.found;
  i->found_hit = o->match.found_hit;
  i->found_kdei = o->match.found_kdei;
  i->look = o->sched.look;
  i->next_room = o->link.next_room;
  i->pool_ready = o->pool.pool_ready;
  i->pool_full = o->pool.pool_full;
  COPY(i->stream_ok, o->pool.stream_ok, p->cfg->num_streams);
  i->kin_free = o->kin.kin_free;
  i->kin_alloc = o->kin.kin_alloc;
  COPY(i->kin_valid, o->kd.kin_valid, p->cfg->num_kde);
  COPY(i->kin, o->kd.kin, p->cfg->num_kde);
  COPY(i->save_ok, o->kd.save_ok, p->cfg->num_kde);
  COPY(i->sav_first, o->kd.sav_first, p->cfg->num_kde);
  COPY(i->sav_count, o->kd.sav_count, p->cfg->num_kde);
  i->save_room = o->susp.save_room;
  i->rec_count = o->regs.config[HD_CONFIG_REC_COUNT];
  i->sus_count = o->regs.config[HD_CONFIG_SUS_COUNT];
  i->kept = o->link.kept;
  i->full = o->laperm.full;
}

void hd_wire_match(struct hd_plane_blocks *p) {
  struct hd_match_in *i = &p->match_in;
  const struct hd_top_inner *o = &p->out;
  i->enter_valid = o->kmu.kernel_valid && !o->laperm.enter_wait;
  i->enter_ready = o->kd.kernel_ready;
  i->enter_kdei = o->kd.alloc_kdei;
  i->enter_key = (struct hd_key){0};
  i->enter_key.pc = o->kmu.kernel.desc.pc;
  i->enter_key.cta_x = o->kmu.kernel.desc.cta_x;
  i->enter_key.cta_y = o->kmu.kernel.desc.cta_y;
  i->enter_key.cta_z = o->kmu.kernel.desc.cta_z;
  i->enter_key.smem = o->kmu.kernel.need.smem;
  COPY(i->eligible, o->kd.eligible, p->cfg->num_kde);
  i->find_valid = o->devq.find_valid;
  i->find_key = o->devq.find_key;
  i->find_end = o->devq.find_end;
  i->find_take = o->devq.find_take;
}

void hd_wire_link(struct hd_plane_blocks *p) {
  struct hd_link_in *i = &p->link_in;
  const struct hd_top_inner *o = &p->out;
  i->a2_group = o->devq.a2_group && (o->regs.config[HD_CONFIG_POLICY] & 3) == HD_POLICY_RR;
  i->a2_kdei = o->devq.a2_kdei;
  i->a2_smx = o->devq.a2_smx;
  i->a2_hwtid = o->devq.a2_hwtid;
  i->a2_record = o->devq.a2_record;
  i->adv_valid = o->sched.adv_valid;
  i->adv_kdei = o->sched.grant_kdei;
  i->succ = o->agt.succ;
  COPY(i->failed, o->kd.failed, p->cfg->num_kde);
  i->fail_valid[0] = o->agt.fetch_fail_valid;
  i->fail_kdei[0] = o->agt.fetch_fail_kdei;
  i->fail_valid[1] = o->susp.chunk_fail_valid;
  i->fail_kdei[1] = o->susp.chunk_fail_kdei;
  i->take_valid = o->kd.take_valid;
  i->take_kdei = o->kd.take_kdei;
  i->enter_valid = o->kmu.kernel_valid && !o->laperm.enter_wait;
  i->enter_ready = o->kd.kernel_ready;
  i->enter_kdei = o->kd.alloc_kdei;
  i->enter_list = o->kmu.kernel.groups;
  i->free_valid = o->age.free_valid;
  i->free_index = o->age.free_index;
  i->rec_base = o->regs.config[HD_CONFIG_REC_BASE];
  i->req_ready = o->memarb.req_ready[0];
  i->wbeat_take = o->memarb.wbeat_take[0];
  i->b_valid = o->memarb.b_valid[0];
  i->b_error = o->memarb.b_error;
}

void hd_wire_agt(struct hd_plane_blocks *p) {
  struct hd_agt_in *i = &p->agt_in;
  const struct hd_top_inner *o = &p->out;
  i->a2_info = o->devq.a2_info;
  i->alloc_valid = o->link.alloc_valid;
  i->alloc_index = o->link.alloc_index;
  i->link_valid = o->link.link_valid;
  i->link_kdei = o->link.link_kdei;
  i->link_ptr = o->link.link_ptr;
  i->link_prev = o->link.link_prev;
  i->link_first = o->link.link_first;
  COPY(i->pending, o->link.pending, p->cfg->num_kde);
  COPY(i->nagei, o->link.nagei, p->cfg->num_kde);
  COPY(i->lagei, o->link.lagei, p->cfg->num_kde);
  COPY(i->next_valid, o->link.next_valid, p->cfg->next_depth);
  COPY(i->next_record, o->link.next_record, p->cfg->next_depth);
  i->cur_valid = o->sched.cur_valid;
  i->cur_kdei = o->sched.grant_kdei;
  i->waiting = o->sched.waiting;
  i->group_pop = o->sched.group_pop;
  i->rec_base = o->regs.config[HD_CONFIG_REC_BASE];
  i->fail_valid[0] = o->link.next_fail_valid;
  i->fail_kdei[0] = o->link.next_fail_kdei;
  i->fail_valid[1] = o->susp.chunk_fail_valid;
  i->fail_kdei[1] = o->susp.chunk_fail_kdei;
  i->req_ready = o->memarb.req_ready[1];
  i->r_valid = o->memarb.r_valid[1];
  i->r = o->memarb.r;
}

void hd_wire_age(struct hd_plane_blocks *p) {
  struct hd_age_in *i = &p->age_in;
  const struct hd_top_inner *o = &p->out;
  i->load_valid = o->sched.load_valid;
  i->load_ptr = o->sched.load_ptr;
  i->grant_group = o->sched.grant_group;
  i->grant_end = o->sched.grant_end;
  i->park_valid = o->sched.park_group;
  i->park_kdei = o->sched.grant_kdei;
  COPY(i->left, o->kd.left, p->cfg->num_kde);
  i->retire_valid = o->sched.retire_valid;
  i->retire = o->sched.retire;
  COPY(i->next_valid, o->link.next_valid, p->cfg->next_depth);
  COPY(i->next_record, o->link.next_record, p->cfg->next_depth);
  i->record_done_ready = p->in->record_done_ready;
}

void hd_wire_kin(struct hd_plane_blocks *p) {
  struct hd_kin_in *i = &p->kin_in;
  const struct hd_top_inner *o = &p->out;
  i->birth_valid = o->devq.birth_valid;
  i->birth_kin = o->devq.birth_kin;
  i->birth_new = o->devq.birth_new;
  i->leave_valid = o->kd.leave_valid;
  i->leave = o->kd.leave;
  i->lost_valid = o->pool.lost_valid;
  i->lost_up = o->pool.lost_up;
  i->lost_stream = o->pool.lost_stream;
  i->suspended_valid = o->susp.suspended_valid;
  i->suspended_kin = o->susp.suspended_kin;
  i->suspended = o->susp.suspended;
  i->kin_fail_valid = o->susp.kin_fail_valid;
  i->kin_fail_kin = o->susp.kin_fail_kin;
  i->kin_fail_back = o->susp.kin_fail_back;
  i->resume_ready = o->susp.resume_ready;
  i->kernel_done_ready = p->in->kernel_done_ready;
}

void hd_wire_pool(struct hd_plane_blocks *p) {
  struct hd_pool_in *i = &p->pool_in;
  const struct hd_top_inner *o = &p->out;
  i->push_valid = o->devq.push_valid;
  i->push = o->devq.push;
  i->head_pop = o->kmu.dev_pop;
  i->stream_done_valid = o->kin.stream_done_valid;
  i->stream_done = o->kin.stream_done;
  i->lost_ready = o->kin.lost_ready;
  i->dev_base = o->regs.config[HD_CONFIG_DEV_BASE];
  i->dev_count = o->regs.config[HD_CONFIG_DEV_COUNT];
  i->req_ready = o->memarb.req_ready[2];
  i->wbeat_take = o->memarb.wbeat_take[2];
  i->b_valid = o->memarb.b_valid[2];
  i->b_error = o->memarb.b_error;
  i->r_valid = o->memarb.r_valid[2];
  i->r = o->memarb.r;
}

void hd_wire_susp(struct hd_plane_blocks *p) {
  struct hd_susp_in *i = &p->susp_in;
  const struct hd_top_inner *o = &p->out;
  i->save_valid = o->devq.save_valid;
  i->save_kin = o->devq.save_kin;
  i->save_pos = o->devq.save_pos;
  i->save_entry = o->devq.save_entry;
  i->suspend_valid = o->kd.suspend_valid;
  i->suspend = o->kd.suspend;
  i->list = o->link.list;
  i->suspended_ready = o->kin.suspended_ready;
  i->resume_valid = o->kin.resume_valid;
  i->resume_kin = o->kin.resume_kin;
  i->head_pop = o->kmu.res_pop;
  i->cur_valid = o->sched.cur_valid;
  i->cur_kdei = o->sched.grant_kdei;
  COPY(i->kin, o->kd.kin, p->cfg->num_kde);
  COPY(i->sav_first, o->kd.sav_first, p->cfg->num_kde);
  COPY(i->sav_count, o->kd.sav_count, p->cfg->num_kde);
  i->sv_pop = o->sched.sv_pop;
  i->sus_base = o->regs.config[HD_CONFIG_SUS_BASE];
  i->req_ready = o->memarb.req_ready[3];
  i->wbeat_take = o->memarb.wbeat_take[3];
  i->b_valid = o->memarb.b_valid[3];
  i->b_error = o->memarb.b_error;
  i->r_valid = o->memarb.r_valid[3];
  i->r = o->memarb.r;
}

void hd_wire_memarb(struct hd_plane_blocks *p) {
  struct hd_memarb_in *i = &p->memarb_in;
  const struct hd_top_inner *o = &p->out;
  i->req_valid[0] = o->link.req_valid;
  i->req_valid[1] = o->agt.req_valid;
  i->req_valid[2] = o->pool.req_valid;
  i->req_valid[3] = o->susp.req_valid;
  i->req[0] = o->link.req;
  i->req[1] = o->agt.req;
  i->req[2] = o->pool.req;
  i->req[3] = o->susp.req;
  i->wbeat[0] = o->link.wbeat;
  i->wbeat[2] = o->pool.wbeat;
  i->wbeat[3] = o->susp.wbeat;
  i->awready = p->in->awready;
  i->wready = p->in->wready;
  i->bvalid = p->in->bvalid;
  i->bid = p->in->bid;
  i->bresp = p->in->bresp;
  i->arready = p->in->arready;
  i->rvalid = p->in->rvalid;
  i->rid = p->in->rid;
  i->rdata_hi = p->in->rdata_hi;
  i->rdata_lo = p->in->rdata_lo;
  i->rresp = p->in->rresp;
  i->rlast = p->in->rlast;
}
