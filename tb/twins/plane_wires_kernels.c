/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The inputs of the blocks that kernels and TBs go through, and of the registers. */
#include <string.h>

#include "hd_regs_map.h"
#include "plane_blocks.h"

#define COPY(to, from, n) memcpy(to, from, (n) * sizeof *(to))

void hd_wire_kmu(struct hd_plane_blocks *p) {
  struct hd_kmu_in *i = &p->kmu_in;
  const struct hd_top_inner *o = &p->out;
  i->host_launch_valid = p->in->host_launch_valid;
  i->host_launch = p->in->host_launch;
  i->host_answer_ready = p->in->host_answer_ready;
  i->kernel_ready = o->kd.kernel_ready && !o->laperm.enter_wait;
  COPY(i->reopen, o->kd.reopen, p->cfg->num_hwq);
  COPY(i->reopen_kin, o->kin.reopen, p->cfg->num_hwq);
  i->dev_valid = o->pool.head_valid;
  i->dev = o->pool.head;
  i->res_valid = o->susp.head_valid;
  i->res = o->susp.head;
}

void hd_wire_kd(struct hd_plane_blocks *p) {
  struct hd_kd_in *i = &p->kd_in;
  const struct hd_top_inner *o = &p->out;
  i->kernel_valid = o->kmu.kernel_valid && !o->laperm.enter_wait;
  i->kernel = o->kmu.kernel;
  COPY(i->marked, o->fcfs.marked, p->cfg->num_kde);
  COPY(i->pending, o->link.pending, p->cfg->num_kde);
  COPY(i->next_busy, o->link.next_busy, p->cfg->num_kde);
  i->enter_queued = o->laperm.enter_bank;
  i->queue_valid = o->laperm.push_valid;
  i->queue_kdei = o->laperm.push_kdei;
  i->serve_valid = o->sched.take_valid;
  i->serve_kdei = o->sched.take_kdei;
  i->serve_last = o->sched.take_last;
  i->grant_valid = o->sched.grant_valid;
  i->grant_kdei = o->sched.grant_kdei;
  i->grant_kind = o->sched.grant_kind;
  i->unit_end = o->sched.unit_end;
  i->park_valid = o->sched.park_valid;
  i->park_nextbl = o->sched.park_nextbl;
  i->retire_valid = o->sched.retire_valid;
  i->retire_kdei = o->sched.retire.kdei;
  i->hold_valid = o->devq.hold_valid;
  i->hold_kdei = o->devq.hold_kdei;
  i->unhold_valid = o->devq.unhold_valid;
  i->unhold_kdei = o->devq.unhold_kdei;
  i->birth_valid = o->devq.birth_valid;
  i->birth_kdei = o->devq.birth_kdei;
  i->birth_kin = o->devq.birth_kin;
  i->save_valid = o->devq.save_valid;
  i->save_kdei = o->devq.save_kdei;
  i->fail_valid[0] = o->link.next_fail_valid;
  i->fail_kdei[0] = o->link.next_fail_kdei;
  i->fail_valid[1] = o->agt.fetch_fail_valid;
  i->fail_kdei[1] = o->agt.fetch_fail_kdei;
  i->fail_valid[2] = o->susp.chunk_fail_valid;
  i->fail_kdei[2] = o->susp.chunk_fail_kdei;
  i->suspend_free = o->susp.suspend_free;
  i->leave_ready = o->kin.leave_ready;
}

void hd_wire_fcfs(struct hd_plane_blocks *p) {
  struct hd_fcfs_in *i = &p->fcfs_in;
  const struct hd_top_inner *o = &p->out;
  i->enter_valid = o->laperm.enter_mark;
  i->enter_ready = o->kd.kernel_ready;
  i->enter_kdei = o->kd.alloc_kdei;
  i->unmark = o->sched.unmark;
  i->rotate = o->sched.rotate;
  i->mark_valid = o->link.link_valid;
  i->mark_kdei = o->link.link_kdei;
}

void hd_wire_sched(struct hd_plane_blocks *p) {
  struct hd_sched_in *i = &p->sched_in;
  const struct hd_top_inner *o = &p->out;
  i->enter_valid = o->laperm.enter_mark;
  i->enter_ready = o->kd.kernel_ready;
  i->enter_kdei = o->kd.alloc_kdei;
  i->link_valid = o->link.link_valid;
  i->link_kdei = o->link.link_kdei;
  i->enter_need = o->kmu.kernel.need;
  i->enter_ctas = o->kmu.kernel.ctas;
  i->enter_level = o->kmu.kernel.level;
  i->enter_progress = o->kmu.kernel.progress;
  i->enter_progress.ndone |= o->laperm.enter_bank;
  i->next_valid = o->fcfs.next_valid;
  i->next_kdei = o->fcfs.next_kdei;
  COPY(i->marked, o->fcfs.marked, p->cfg->num_kde);
  COPY(i->need, o->kd.need, p->cfg->num_kde);
  COPY(i->ctas, o->kd.ctas, p->cfg->num_kde);
  COPY(i->level, o->kd.level, p->cfg->num_kde);
  COPY(i->nextbl, o->kd.nextbl, p->cfg->num_kde);
  COPY(i->ndone, o->kd.ndone, p->cfg->num_kde);
  COPY(i->sav_count, o->kd.sav_count, p->cfg->num_kde);
  COPY(i->suspending, o->kd.suspending, p->cfg->num_kde);
  COPY(i->failed, o->kd.failed, p->cfg->num_kde);
  i->steal = o->kd.steal;
  i->desc = o->kd.desc;
  COPY(i->pending, o->link.pending, p->cfg->num_kde);
  COPY(i->single, o->link.single, p->cfg->num_kde);
  i->group_valid = o->agt.group_valid;
  i->group_kdei = o->agt.group_kdei;
  i->group = o->agt.group;
  i->slot_valid = o->age.slot_valid;
  i->slot = o->age.slot;
  i->sv_valid = o->susp.sv_valid;
  i->sv_kdei = o->susp.sv_kdei;
  i->sv = o->susp.sv;
  COPY(i->bank_front, o->laperm.bank_front, p->cfg->num_smx);
  COPY(i->bank_nextbl, o->laperm.bank_nextbl, p->cfg->num_smx);
  COPY(i->bank_last, o->laperm.bank_last, p->cfg->num_smx);
  COPY(i->bound_valid, o->laperm.bound_valid, p->cfg->num_smx);
  COPY(i->bound_bank, o->laperm.bound_bank, p->cfg->num_smx);
  COPY(i->bound_need, o->laperm.bound_need, p->cfg->num_smx);
  COPY(i->spare_valid, o->laperm.spare_valid, p->cfg->num_smx);
  COPY(i->spare_bank, o->laperm.spare_bank, p->cfg->num_smx);
  COPY(i->spare_need, o->laperm.spare_need, p->cfg->num_smx);
  i->look_smx = o->devq.look_smx;
  i->look_slot = o->devq.look_slot;
  COPY(i->dispatch_ready, p->in->dispatch_ready, p->cfg->num_smx);
  COPY(i->cta_done_valid, p->in->cta_done_valid, p->cfg->num_smx);
  COPY(i->cta_done_slot, p->in->cta_done_slot, p->cfg->num_smx);
}

void hd_wire_laperm(struct hd_plane_blocks *p) {
  struct hd_laperm_in *i = &p->laperm_in;
  const struct hd_top_inner *o = &p->out;
  i->policy = o->regs.config[HD_CONFIG_POLICY] & 3;
  i->a2_group = o->devq.a2_group;
  i->a2_kdei = o->devq.a2_kdei;
  i->a2_smx = o->devq.a2_smx;
  i->a2_info = o->devq.a2_info;
  i->enter_valid = o->kmu.kernel_valid;
  i->enter_ready = o->kd.kernel_ready;
  i->enter_kdei = o->kd.alloc_kdei;
  i->enter_need = o->kmu.kernel.need;
  i->enter_ctas = o->kmu.kernel.ctas;
  i->enter_level = o->kmu.kernel.level;
  i->enter_smx = o->kmu.kernel.origin.smx;
  i->enter_progress = o->kmu.kernel.progress;
  i->enter_pending = o->kmu.kernel.groups.pending;
  COPY(i->need, o->kd.need, p->cfg->num_kde);
  i->take_valid = o->sched.take_valid;
  i->take_bank = o->sched.take_bank;
  COPY(i->take, o->sched.take, p->cfg->num_smx);
  i->take_smx = o->sched.grant_smx;
  i->take_spare = o->sched.take_spare;
}

void hd_wire_regs(struct hd_plane_blocks *p) {
  struct hd_regs_in *i = &p->regs_in;
  const struct hd_top_inner *o = &p->out;
  i->psel = p->in->psel;
  i->penable = p->in->penable;
  i->pwrite = p->in->pwrite;
  i->paddr = p->in->paddr;
  i->pwdata = p->in->pwdata;
  i->pstrb = p->in->pstrb;
  i->answer_valid = o->kmu.host_answer_valid;
  i->answer_ready = p->in->host_answer_ready;
  i->answer = o->kmu.host_answer;
  i->enter_valid = o->kmu.kernel_valid && !o->laperm.enter_wait;
  i->enter_ready = o->kd.kernel_ready;
  i->kernel_done_valid = o->kin.kernel_done_valid;
  i->kernel_done_ready = p->in->kernel_done_ready;
  i->grant_valid = o->sched.grant_valid || o->sched.take_valid;
  i->blocked = o->sched.blocked;
  COPY(i->done_ok, o->sched.done_ok, p->cfg->num_smx);
  COPY(i->done_empty, o->sched.done_empty, p->cfg->num_smx);
  COPY(i->done_early, o->sched.done_early, p->cfg->num_smx);
  memcpy(i->dev_event, o->devq.dev_event, sizeof i->dev_event);
  i->dev_code = o->devq.dev_code;
  i->dev_kind = o->devq.dev_kind;
  i->searched = o->match.searched;
  i->search = o->match.search;
  i->fetch = o->agt.fetch_event;
  i->waiting = o->sched.waiting;
  i->slot_wait = o->sched.slot_wait;
  i->record_done_valid = o->age.record_done_valid;
  i->record_done_ready = p->in->record_done_ready;
  i->spill = o->pool.spill_event;
  i->refill = o->pool.refill_event;
  i->suspend = o->susp.suspend_event;
  i->resume = o->susp.resume_event;
  i->oldest_wait = o->fcfs.next_valid;
  i->kd_busy = o->kd.kd_busy;
  i->kin_busy = o->kin.kin_busy;
  i->error[0] = o->link.next_fail_valid;
  i->error[1] = o->agt.fetch_fail_valid;
  i->error[2] = o->pool.error_event;
  i->error[3] = o->susp.error_event;
}
