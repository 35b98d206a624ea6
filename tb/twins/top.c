/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* top: the composed golden model, random environment and cover points of the whole plane. The environment is a host
 * that launches kernels, good and bad, SMXs, an APB master, and a memory that is never asked. */
#include "top.h"

#include "clients.h"
#include "model.h"
#include "plane_oracle.h"
#include "smxs.h"

HD_TWIN_MODEL(top)

static void top_cycle(void *m, const void *in, void *out) {
  hd_top_cycle(m, in, out);
}

/* Groups in the order of rtl/top/top.csv: own, kmu, kd, fcfs, sched, a tbcr per SMX, devq and what follows it. */
static void top_arch(const void *m_, unsigned group, void *arch, bool tables) {
  const struct hd_top *m = m_;
  struct hd_top_arch *a = arch;
  unsigned n = m->num_smx;
  if (group == 1) hd_kmu_arch(hd_top_kmu(m), &a->kmu, tables);
  if (group == 2) hd_kd_arch(hd_top_kd(m), &a->kd, tables);
  if (group == 3) hd_fcfs_arch(hd_top_fcfs(m), &a->fcfs, tables);
  if (group == 4) hd_sched_arch_own(hd_top_sched(m), &a->sched);
  if (group > 4 && group <= 4 + n)
    hd_tbcr_arch(hd_sched_tbcr(hd_top_sched(m), group - 5), &a->sched.tbcr[group - 5], tables);
  if (group == 5 + n) hd_devq_arch(hd_top_devq(m), &a->devq, tables);
  if (group == 6 + n) hd_match_arch(hd_top_match(m), &a->match, tables);
  if (group == 7 + n) hd_link_arch(hd_top_link(m), &a->link, tables);
  if (group == 8 + n) hd_agt_arch(hd_top_agt(m), &a->agt, tables);
  if (group == 9 + n) hd_age_arch(hd_top_age(m), &a->age, tables);
  if (group == 10 + n) hd_kin_arch(hd_top_kin(m), &a->kin, tables);
  if (group == 11 + n) hd_pool_arch(hd_top_pool(m), &a->pool, tables);
  if (group == 12 + n) hd_susp_arch(hd_top_susp(m), &a->susp, tables);
  if (group == 13 + n) hd_regs_arch(hd_top_regs(m), &a->regs, tables);
  if (group == 14 + n) hd_memarb_arch(hd_top_memarb(m), &a->memarb, tables);
}

/* The SMXs are many and mostly idle: what a tbcr keeps beyond its configuration, done FIFO rows aside. */
static const void *top_raw(const void *m_, unsigned group, size_t *bytes) {
  const struct hd_top *m = m_;
  *bytes = 0;
  if (group <= 4 || group > 4 + m->num_smx) return NULL;
  const struct hd_tbcr *t = hd_sched_tbcr(hd_top_sched(m), group - 5);
  *bytes = (size_t)((const char *)(t->row + t->cfg.slots) - (const char *)&t->free);
  return &t->free;
}

struct stim {
  struct hd_cfg cfg;
  struct hd_smxs smxs;
  struct hd_apb_master apb;
  struct hd_apb_pins pins;
  uint32_t serial;
};

static void stim_reset(void *s_) {
  struct stim *s = s_;
  hd_smxs_reset(&s->smxs);
  memset(&s->apb, 0, sizeof s->apb);
  memset(&s->pins, 0, sizeof s->pins);
}

static void stim_init(void *s_, const struct hd_cfg *cfg, struct hd_rng *rng) {
  struct stim *s = s_;
  (void)rng;
  s->cfg = *cfg;
  hd_smxs_init(&s->smxs, cfg);
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out_, const void *now,
                  void *in_) {
  struct stim *s = s_;
  const struct hd_top_out *out = out_;
  struct hd_top_in *in = in_;
  (void)now;
  hd_smxs_follow(&s->smxs, out->dispatch_valid, out->dispatch, in->dispatch_ready);
  if (!in->host_launch_valid || out->host_launch_ready) {
    memset(&in->host_launch, 0, sizeof in->host_launch);
    in->host_launch_valid = hd_rng_p(rng, p->source / 4 + 1);
    if (in->host_launch_valid)
      in->host_launch = hd_random_launch(rng, p, &s->cfg, ++s->serial, 1u << hd_rng_below(rng, 7));
  }
  in->host_answer_ready = hd_rng_p(rng, p->sink);
  in->kernel_done_ready = hd_rng_p(rng, p->sink);
  hd_smxs_drive(&s->smxs, rng, p, in->dispatch_ready, in->cta_done_valid, in->cta_done_slot);
  hd_random_apb(&s->apb, rng, p, &s->pins);
  in->psel = s->pins.psel;
  in->penable = s->pins.penable;
  in->pwrite = s->pins.pwrite;
  in->paddr = s->pins.paddr;
  in->pwdata = s->pins.pwdata;
  in->pstrb = s->pins.pstrb;
  in->awready = in->arready = in->wready = hd_rng_p(rng, p->sink);
}

static const char *const covers[] = {"event",
                                     "launch_stalled",
                                     "refused",
                                     "zero_dim",
                                     "over_limit",
                                     "never_fits",
                                     "unknown_hwq",
                                     "accepted",
                                     "tb_taken",
                                     "tb_stalled",
                                     "two_done",
                                     "kernel_done",
                                     "done_stalled",
                                     "answer_stalled",
                                     "apb_read",
                                     "apb_error",
                                     "launch_in_answer_stall",
                                     NULL};

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  struct stim *s = s_;
  const struct hd_top_in *in = in_;
  const struct hd_top_out *out = out_;
  static const uint8_t at[] = {7, 2, 3, 4, 5, 6};
  bool launch = in->host_launch_valid && out->host_launch_ready,
       answer = out->host_answer_valid && in->host_answer_ready;
  unsigned taken = 0, done = 0;
  for (unsigned k = 0; k < s->cfg.num_smx; k++) {
    taken += out->dispatch_valid[k] && in->dispatch_ready[k];
    done += in->cta_done_valid[k];
    hits[9] += out->dispatch_valid[k] && !in->dispatch_ready[k];
  }
  hits[0] += (unsigned)launch + answer + taken + done;
  hits[1] += in->host_launch_valid && !out->host_launch_ready;
  if (answer && out->host_answer.code < sizeof at) hits[at[out->host_answer.code]]++;
  hits[8] += taken;
  hits[10] += done >= 2;
  hits[11] += out->kernel_done_valid && in->kernel_done_ready;
  hits[12] += out->kernel_done_valid && !in->kernel_done_ready;
  hits[13] += out->host_answer_valid && !in->host_answer_ready;
  hits[14] += in->psel && in->penable && !in->pwrite && out->prdata;
  hits[15] += out->pslverr;
  hits[16] += launch && out->host_answer_valid && !in->host_answer_ready;
}

const struct hd_twin hd_twin_top = {HD_TWIN_MODEL_FIELDS(top),
                                    .cycle = top_cycle,
                                    .raw = top_raw,
                                    .stim_size = sizeof(struct stim),
                                    .stim_init = stim_init,
                                    .drive = drive,
                                    .stim_reset = stim_reset,
                                    .oracle_size = hd_plane_oracle_size,
                                    .oracle_init = hd_plane_oracle_init,
                                    .watch = hd_plane_oracle_watch,
                                    .covers = covers,
                                    .cover = cover};
