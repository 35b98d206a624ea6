/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The blocks of the plane as loose models, wired port by port: what hd_top does faster. For one test program. */
#ifndef HD_UNIT_PLANE_BLOCKS_H
#define HD_UNIT_PLANE_BLOCKS_H

#include "top.h"
#include "util.h"

#define HD_BLOCKS(X) \
  X(kmu)             \
  X(kd) X(fcfs) X(sched) X(laperm) X(devq) X(match) X(link) X(agt) X(age) X(kin) X(pool) X(susp) X(regs) X(memarb)

#define PORTS(B)                    \
  static struct hd_##B *B##_model;  \
  static struct hd_##B##_in B##_in; \
  static struct hd_##B##_out B##_out;
HD_BLOCKS(PORTS)
#undef PORTS

static inline void blocks_start(const struct hd_cfg *cfg) {
#define START(B)                          \
  B##_model = ut_new(hd_##B##_size(cfg)); \
  hd_##B##_init(B##_model, cfg);          \
  memset(&B##_in, 0, sizeof B##_in);      \
  memset(&B##_out, 0, sizeof B##_out);
  HD_BLOCKS(START)
#undef START
}

static inline void blocks_free(void) {
#define FREE(B) free(B##_model);
  HD_BLOCKS(FREE)
#undef FREE
}

#define COPY(to, from, n) memcpy(to, from, (n) * sizeof *(to))

static inline void wire_kernels(const struct hd_cfg *cfg, const struct hd_top_in *in) {
  kmu_in.host_launch_valid = in->host_launch_valid;
  kmu_in.host_launch = in->host_launch;
  kmu_in.host_answer_ready = in->host_answer_ready;
  kmu_in.kernel_ready = kd_out.kernel_ready && !laperm_out.enter_wait;
  COPY(kmu_in.reopen, kd_out.reopen, cfg->num_hwq);
  COPY(kmu_in.reopen_kin, kin_out.reopen, cfg->num_hwq);
  kmu_in.dev_valid = pool_out.head_valid;
  kmu_in.dev = pool_out.head;
  kmu_in.res_valid = susp_out.head_valid;
  kmu_in.res = susp_out.head;
  kd_in.kernel_valid = kmu_out.kernel_valid && !laperm_out.enter_wait;
  kd_in.kernel = kmu_out.kernel;
  COPY(kd_in.marked, fcfs_out.marked, cfg->num_kde);
  COPY(kd_in.pending, link_out.pending, cfg->num_kde);
  COPY(kd_in.next_busy, link_out.next_busy, cfg->num_kde);
  kd_in.enter_queued = laperm_out.enter_bank;
  kd_in.queue_valid = laperm_out.push_valid;
  kd_in.queue_kdei = laperm_out.push_kdei;
  kd_in.serve_valid = sched_out.take_valid;
  kd_in.serve_kdei = sched_out.take_kdei;
  kd_in.serve_last = sched_out.take_last;
  kd_in.grant_valid = sched_out.grant_valid;
  kd_in.grant_kdei = sched_out.grant_kdei;
  kd_in.grant_kind = sched_out.grant_kind;
  kd_in.unit_end = sched_out.unit_end;
  kd_in.park_valid = sched_out.park_valid;
  kd_in.park_nextbl = sched_out.park_nextbl;
  kd_in.retire_valid = sched_out.retire_valid;
  kd_in.retire_kdei = sched_out.retire.kdei;
  kd_in.hold_valid = devq_out.hold_valid;
  kd_in.hold_kdei = devq_out.hold_kdei;
  kd_in.unhold_valid = devq_out.unhold_valid;
  kd_in.unhold_kdei = devq_out.unhold_kdei;
  kd_in.birth_valid = devq_out.birth_valid;
  kd_in.birth_kdei = devq_out.birth_kdei;
  kd_in.birth_kin = devq_out.birth_kin;
  kd_in.save_valid = devq_out.save_valid;
  kd_in.save_kdei = devq_out.save_kdei;
  kd_in.fail_valid[0] = link_out.next_fail_valid;
  kd_in.fail_kdei[0] = link_out.next_fail_kdei;
  kd_in.fail_valid[1] = agt_out.fetch_fail_valid;
  kd_in.fail_kdei[1] = agt_out.fetch_fail_kdei;
  kd_in.fail_valid[2] = susp_out.chunk_fail_valid;
  kd_in.fail_kdei[2] = susp_out.chunk_fail_kdei;
  kd_in.suspend_free = susp_out.suspend_free;
  kd_in.leave_ready = kin_out.leave_ready;
}

static inline void wire_sched(const struct hd_cfg *cfg, const struct hd_top_in *in) {
  fcfs_in.enter_valid = sched_in.enter_valid = laperm_out.enter_mark;
  fcfs_in.enter_ready = sched_in.enter_ready = kd_out.kernel_ready;
  fcfs_in.enter_kdei = sched_in.enter_kdei = kd_out.alloc_kdei;
  fcfs_in.unmark = sched_out.unmark;
  fcfs_in.rotate = sched_out.rotate;
  fcfs_in.mark_valid = sched_in.link_valid = link_out.link_valid;
  fcfs_in.mark_kdei = sched_in.link_kdei = link_out.link_kdei;
  sched_in.enter_need = kmu_out.kernel.need;
  sched_in.enter_ctas = kmu_out.kernel.ctas;
  sched_in.enter_level = kmu_out.kernel.level;
  sched_in.enter_progress = kmu_out.kernel.progress;
  sched_in.enter_progress.ndone |= laperm_out.enter_bank;
  sched_in.next_valid = fcfs_out.next_valid;
  sched_in.next_kdei = fcfs_out.next_kdei;
  COPY(sched_in.marked, fcfs_out.marked, cfg->num_kde);
  COPY(sched_in.need, kd_out.need, cfg->num_kde);
  COPY(sched_in.ctas, kd_out.ctas, cfg->num_kde);
  COPY(sched_in.level, kd_out.level, cfg->num_kde);
  COPY(sched_in.nextbl, kd_out.nextbl, cfg->num_kde);
  COPY(sched_in.ndone, kd_out.ndone, cfg->num_kde);
  COPY(sched_in.sav_count, kd_out.sav_count, cfg->num_kde);
  COPY(sched_in.suspending, kd_out.suspending, cfg->num_kde);
  COPY(sched_in.failed, kd_out.failed, cfg->num_kde);
  sched_in.steal = kd_out.steal;
  sched_in.desc = kd_out.desc;
  COPY(sched_in.pending, link_out.pending, cfg->num_kde);
  COPY(sched_in.single, link_out.single, cfg->num_kde);
  sched_in.group_valid = agt_out.group_valid;
  sched_in.group_kdei = agt_out.group_kdei;
  sched_in.group = agt_out.group;
  sched_in.slot_valid = age_out.slot_valid;
  sched_in.slot = age_out.slot;
  sched_in.sv_valid = susp_out.sv_valid;
  sched_in.sv_kdei = susp_out.sv_kdei;
  sched_in.sv = susp_out.sv;
  COPY(sched_in.bank_front, laperm_out.bank_front, cfg->num_smx);
  COPY(sched_in.bank_nextbl, laperm_out.bank_nextbl, cfg->num_smx);
  COPY(sched_in.bank_last, laperm_out.bank_last, cfg->num_smx);
  COPY(sched_in.bound_valid, laperm_out.bound_valid, cfg->num_smx);
  COPY(sched_in.bound_bank, laperm_out.bound_bank, cfg->num_smx);
  COPY(sched_in.bound_need, laperm_out.bound_need, cfg->num_smx);
  COPY(sched_in.spare_valid, laperm_out.spare_valid, cfg->num_smx);
  COPY(sched_in.spare_bank, laperm_out.spare_bank, cfg->num_smx);
  COPY(sched_in.spare_need, laperm_out.spare_need, cfg->num_smx);
  sched_in.look_smx = devq_out.look_smx;
  sched_in.look_slot = devq_out.look_slot;
  COPY(sched_in.dispatch_ready, in->dispatch_ready, cfg->num_smx);
  COPY(sched_in.cta_done_valid, in->cta_done_valid, cfg->num_smx);
  COPY(sched_in.cta_done_slot, in->cta_done_slot, cfg->num_smx);
}

static inline void wire_laperm(const struct hd_cfg *cfg) {
  laperm_in.policy = regs_out.config[HD_CONFIG_POLICY] & 3;
  laperm_in.a2_group = devq_out.a2_group;
  laperm_in.a2_kdei = devq_out.a2_kdei;
  laperm_in.a2_smx = devq_out.a2_smx;
  laperm_in.a2_info = devq_out.a2_info;
  laperm_in.enter_valid = kmu_out.kernel_valid;
  laperm_in.enter_ready = kd_out.kernel_ready;
  laperm_in.enter_kdei = kd_out.alloc_kdei;
  laperm_in.enter_need = kmu_out.kernel.need;
  laperm_in.enter_ctas = kmu_out.kernel.ctas;
  laperm_in.enter_level = kmu_out.kernel.level;
  laperm_in.enter_smx = kmu_out.kernel.origin.smx;
  laperm_in.enter_progress = kmu_out.kernel.progress;
  laperm_in.enter_pending = kmu_out.kernel.groups.pending;
  COPY(laperm_in.need, kd_out.need, cfg->num_kde);
  laperm_in.take_valid = sched_out.take_valid;
  laperm_in.take_bank = sched_out.take_bank;
  COPY(laperm_in.take, sched_out.take, cfg->num_smx);
  laperm_in.take_smx = sched_out.grant_smx;
  laperm_in.take_spare = sched_out.take_spare;
}

static inline void wire_devq(const struct hd_cfg *cfg, const struct hd_top_in *in) {
  COPY(devq_in.dev_launch_valid, in->dev_launch_valid, cfg->num_smx);
  COPY(devq_in.dev_launch, in->dev_launch, cfg->num_smx);
  COPY(devq_in.dev_answer_ready, in->dev_answer_ready, cfg->num_smx);
  devq_in.found = match_out.found;
  devq_in.found_hit = match_out.found_hit;
  devq_in.found_kdei = match_out.found_kdei;
  devq_in.look = sched_out.look;
  devq_in.next_room = link_out.next_room;
  devq_in.pool_ready = pool_out.pool_ready;
  devq_in.pool_full = pool_out.pool_full;
  COPY(devq_in.stream_ok, pool_out.stream_ok, cfg->num_streams);
  devq_in.kin_free = kin_out.kin_free;
  devq_in.kin_alloc = kin_out.kin_alloc;
  COPY(devq_in.kin_valid, kd_out.kin_valid, cfg->num_kde);
  COPY(devq_in.kin, kd_out.kin, cfg->num_kde);
  COPY(devq_in.save_ok, kd_out.save_ok, cfg->num_kde);
  COPY(devq_in.sav_first, kd_out.sav_first, cfg->num_kde);
  COPY(devq_in.sav_count, kd_out.sav_count, cfg->num_kde);
  devq_in.save_room = susp_out.save_room;
  devq_in.rec_count = regs_out.config[HD_CONFIG_REC_COUNT];
  devq_in.sus_count = regs_out.config[HD_CONFIG_SUS_COUNT];
  devq_in.kept = link_out.kept;
  devq_in.full = laperm_out.full;
  match_in.enter_valid = kmu_out.kernel_valid && !laperm_out.enter_wait;
  match_in.enter_ready = kd_out.kernel_ready;
  match_in.enter_kdei = kd_out.alloc_kdei;
  match_in.enter_key = (struct hd_key){0};
  match_in.enter_key.pc = kmu_out.kernel.desc.pc;
  match_in.enter_key.cta_x = kmu_out.kernel.desc.cta_x;
  match_in.enter_key.cta_y = kmu_out.kernel.desc.cta_y;
  match_in.enter_key.cta_z = kmu_out.kernel.desc.cta_z;
  match_in.enter_key.smem = kmu_out.kernel.need.smem;
  COPY(match_in.eligible, kd_out.eligible, cfg->num_kde);
  match_in.find_valid = devq_out.find_valid;
  match_in.find_key = devq_out.find_key;
  match_in.find_last = devq_out.find_last;
  match_in.find_take = devq_out.find_take;
}

static inline void wire_link(const struct hd_cfg *cfg) {
  link_in.a2_group = devq_out.a2_group && (regs_out.config[HD_CONFIG_POLICY] & 3) == HD_POLICY_RR;
  link_in.a2_kdei = devq_out.a2_kdei;
  link_in.a2_smx = devq_out.a2_smx;
  link_in.a2_hwtid = devq_out.a2_hwtid;
  link_in.a2_record = devq_out.a2_record;
  link_in.adv_valid = sched_out.adv_valid;
  link_in.adv_kdei = sched_out.grant_kdei;
  link_in.succ = agt_out.succ;
  COPY(link_in.failed, kd_out.failed, cfg->num_kde);
  link_in.fail_valid[0] = agt_out.fetch_fail_valid;
  link_in.fail_kdei[0] = agt_out.fetch_fail_kdei;
  link_in.fail_valid[1] = susp_out.chunk_fail_valid;
  link_in.fail_kdei[1] = susp_out.chunk_fail_kdei;
  link_in.take_valid = kd_out.take_valid;
  link_in.take_kdei = kd_out.take_kdei;
  link_in.enter_valid = kmu_out.kernel_valid && !laperm_out.enter_wait;
  link_in.enter_ready = kd_out.kernel_ready;
  link_in.enter_kdei = kd_out.alloc_kdei;
  link_in.enter_list = kmu_out.kernel.groups;
  link_in.free_valid = age_out.free_valid;
  link_in.free_index = age_out.free_index;
  link_in.rec_base = regs_out.config[HD_CONFIG_REC_BASE];
  link_in.req_ready = memarb_out.req_ready[0];
  link_in.wbeat_take = memarb_out.wbeat_take[0];
  link_in.b_valid = memarb_out.b_valid[0];
  link_in.b_error = memarb_out.b_error;
}

static inline void wire_groups(const struct hd_cfg *cfg, const struct hd_top_in *in) {
  agt_in.a2_info = devq_out.a2_info;
  agt_in.alloc_valid = link_out.alloc_valid;
  agt_in.alloc_index = link_out.alloc_index;
  agt_in.link_valid = link_out.link_valid;
  agt_in.link_kdei = link_out.link_kdei;
  agt_in.link_ptr = link_out.link_ptr;
  agt_in.link_prev = link_out.link_prev;
  agt_in.link_first = link_out.link_first;
  COPY(agt_in.pending, link_out.pending, cfg->num_kde);
  COPY(agt_in.nagei, link_out.nagei, cfg->num_kde);
  COPY(agt_in.lagei, link_out.lagei, cfg->num_kde);
  COPY(agt_in.next_valid, link_out.next_valid, cfg->next_depth);
  COPY(agt_in.next_record, link_out.next_record, cfg->next_depth);
  agt_in.cur_valid = sched_out.cur_valid;
  agt_in.cur_kdei = sched_out.grant_kdei;
  agt_in.waiting = sched_out.waiting;
  agt_in.group_pop = sched_out.group_pop;
  agt_in.rec_base = regs_out.config[HD_CONFIG_REC_BASE];
  agt_in.fail_valid[0] = link_out.next_fail_valid;
  agt_in.fail_kdei[0] = link_out.next_fail_kdei;
  agt_in.fail_valid[1] = susp_out.chunk_fail_valid;
  agt_in.fail_kdei[1] = susp_out.chunk_fail_kdei;
  agt_in.req_ready = memarb_out.req_ready[1];
  agt_in.r_valid = memarb_out.r_valid[1];
  agt_in.r = memarb_out.r;
  age_in.load_valid = sched_out.load_valid;
  age_in.load_ptr = sched_out.load_ptr;
  age_in.grant_group = sched_out.grant_group;
  age_in.grant_end = sched_out.grant_end;
  age_in.park_valid = sched_out.park_group;
  age_in.park_kdei = sched_out.grant_kdei;
  COPY(age_in.left, kd_out.left, cfg->num_kde);
  age_in.retire_valid = sched_out.retire_valid;
  age_in.retire = sched_out.retire;
  COPY(age_in.next_valid, link_out.next_valid, cfg->next_depth);
  COPY(age_in.next_record, link_out.next_record, cfg->next_depth);
  age_in.record_done_ready = in->record_done_ready;
}

static inline void wire_families(const struct hd_top_in *in) {
  kin_in.birth_valid = devq_out.birth_valid;
  kin_in.birth_kin = devq_out.birth_kin;
  kin_in.birth_new = devq_out.birth_new;
  kin_in.leave_valid = kd_out.leave_valid;
  kin_in.leave = kd_out.leave;
  kin_in.lost_valid = pool_out.lost_valid;
  kin_in.lost_up = pool_out.lost_up;
  kin_in.lost_stream = pool_out.lost_stream;
  kin_in.suspended_valid = susp_out.suspended_valid;
  kin_in.suspended_kin = susp_out.suspended_kin;
  kin_in.suspended = susp_out.suspended;
  kin_in.kin_fail_valid = susp_out.kin_fail_valid;
  kin_in.kin_fail_kin = susp_out.kin_fail_kin;
  kin_in.kin_fail_back = susp_out.kin_fail_back;
  kin_in.resume_ready = susp_out.resume_ready;
  kin_in.kernel_done_ready = in->kernel_done_ready;
  pool_in.push_valid = devq_out.push_valid;
  pool_in.push = devq_out.push;
  pool_in.head_pop = kmu_out.dev_pop;
  pool_in.stream_done_valid = kin_out.stream_done_valid;
  pool_in.stream_done = kin_out.stream_done;
  pool_in.lost_ready = kin_out.lost_ready;
  pool_in.dev_base = regs_out.config[HD_CONFIG_DEV_BASE];
  pool_in.dev_count = regs_out.config[HD_CONFIG_DEV_COUNT];
  pool_in.req_ready = memarb_out.req_ready[2];
  pool_in.wbeat_take = memarb_out.wbeat_take[2];
  pool_in.b_valid = memarb_out.b_valid[2];
  pool_in.b_error = memarb_out.b_error;
  pool_in.r_valid = memarb_out.r_valid[2];
  pool_in.r = memarb_out.r;
}

static inline void wire_susp(const struct hd_cfg *cfg) {
  susp_in.save_valid = devq_out.save_valid;
  susp_in.save_kin = devq_out.save_kin;
  susp_in.save_pos = devq_out.save_pos;
  susp_in.save_entry = devq_out.save_entry;
  susp_in.suspend_valid = kd_out.suspend_valid;
  susp_in.suspend = kd_out.suspend;
  susp_in.list = link_out.list;
  susp_in.suspended_ready = kin_out.suspended_ready;
  susp_in.resume_valid = kin_out.resume_valid;
  susp_in.resume_kin = kin_out.resume_kin;
  susp_in.head_pop = kmu_out.res_pop;
  susp_in.cur_valid = sched_out.cur_valid;
  susp_in.cur_kdei = sched_out.grant_kdei;
  COPY(susp_in.kin, kd_out.kin, cfg->num_kde);
  COPY(susp_in.sav_first, kd_out.sav_first, cfg->num_kde);
  COPY(susp_in.sav_count, kd_out.sav_count, cfg->num_kde);
  susp_in.sv_pop = sched_out.sv_pop;
  susp_in.sus_base = regs_out.config[HD_CONFIG_SUS_BASE];
  susp_in.req_ready = memarb_out.req_ready[3];
  susp_in.wbeat_take = memarb_out.wbeat_take[3];
  susp_in.b_valid = memarb_out.b_valid[3];
  susp_in.b_error = memarb_out.b_error;
  susp_in.r_valid = memarb_out.r_valid[3];
  susp_in.r = memarb_out.r;
}

static inline void wire_regs(const struct hd_cfg *cfg, const struct hd_top_in *in) {
  regs_in.psel = in->psel;
  regs_in.penable = in->penable;
  regs_in.pwrite = in->pwrite;
  regs_in.paddr = in->paddr;
  regs_in.pwdata = in->pwdata;
  regs_in.pstrb = in->pstrb;
  regs_in.answer_valid = kmu_out.host_answer_valid;
  regs_in.answer_ready = in->host_answer_ready;
  regs_in.answer = kmu_out.host_answer;
  regs_in.enter_valid = kmu_out.kernel_valid && !laperm_out.enter_wait;
  regs_in.enter_ready = kd_out.kernel_ready;
  regs_in.kernel_done_valid = kin_out.kernel_done_valid;
  regs_in.kernel_done_ready = in->kernel_done_ready;
  regs_in.grant_valid = sched_out.grant_valid || sched_out.take_valid;
  regs_in.blocked = sched_out.blocked;
  COPY(regs_in.done_ok, sched_out.done_ok, cfg->num_smx);
  COPY(regs_in.done_empty, sched_out.done_empty, cfg->num_smx);
  COPY(regs_in.done_early, sched_out.done_early, cfg->num_smx);
  memcpy(regs_in.dev_event, devq_out.dev_event, sizeof regs_in.dev_event);
  regs_in.dev_code = devq_out.dev_code;
  regs_in.dev_kind = devq_out.dev_kind;
  regs_in.searched = match_out.searched;
  regs_in.search = match_out.search;
  regs_in.fetch = agt_out.fetch_event;
  regs_in.waiting = sched_out.waiting;
  regs_in.slot_wait = sched_out.slot_wait;
  regs_in.record_done_valid = age_out.record_done_valid;
  regs_in.record_done_ready = in->record_done_ready;
  regs_in.spill = pool_out.spill_event;
  regs_in.refill = pool_out.refill_event;
  regs_in.suspend = susp_out.suspend_event;
  regs_in.resume = susp_out.resume_event;
  regs_in.oldest_wait = fcfs_out.next_valid;
  regs_in.error[0] = link_out.next_fail_valid;
  regs_in.error[1] = agt_out.fetch_fail_valid;
  regs_in.error[2] = pool_out.error_event;
  regs_in.error[3] = susp_out.error_event;
}

static inline void wire_memarb(const struct hd_top_in *in) {
  memarb_in.req_valid[0] = link_out.req_valid;
  memarb_in.req_valid[1] = agt_out.req_valid;
  memarb_in.req_valid[2] = pool_out.req_valid;
  memarb_in.req_valid[3] = susp_out.req_valid;
  memarb_in.req[0] = link_out.req;
  memarb_in.req[1] = agt_out.req;
  memarb_in.req[2] = pool_out.req;
  memarb_in.req[3] = susp_out.req;
  memarb_in.wbeat[0] = link_out.wbeat;
  memarb_in.wbeat[2] = pool_out.wbeat;
  memarb_in.wbeat[3] = susp_out.wbeat;
  memarb_in.awready = in->awready;
  memarb_in.wready = in->wready;
  memarb_in.bvalid = in->bvalid;
  memarb_in.bid = in->bid;
  memarb_in.bresp = in->bresp;
  memarb_in.arready = in->arready;
  memarb_in.rvalid = in->rvalid;
  memarb_in.rid = in->rid;
  memarb_in.rdata_hi = in->rdata_hi;
  memarb_in.rdata_lo = in->rdata_lo;
  memarb_in.rresp = in->rresp;
  memarb_in.rlast = in->rlast;
}

/* All outputs of this cycle. Each round brings outputs one block further; the longest way is sched (look) - devq - link
 * (next_room) - devq - kd. */
static inline void blocks_eval(const struct hd_cfg *cfg, const struct hd_top_in *in) {
  for (int round = 0; round < 6; round++) {
    wire_kernels(cfg, in);
    wire_sched(cfg, in);
    wire_laperm(cfg);
    wire_devq(cfg, in);
    wire_link(cfg);
    wire_groups(cfg, in);
    wire_families(in);
    wire_susp(cfg);
    wire_regs(cfg, in);
    wire_memarb(in);
#define EVAL(B) hd_##B##_eval(B##_model, &B##_in, &B##_out);
    HD_BLOCKS(EVAL)
#undef EVAL
  }
}

/* The edge that ends the cycle of blocks_eval(). */
static inline void blocks_tick(void) {
#define TICK(B) hd_##B##_tick(B##_model, &B##_in);
  HD_BLOCKS(TICK)
#undef TICK
}

#undef COPY

#endif
