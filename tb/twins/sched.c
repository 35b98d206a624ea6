/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* sched: golden model, random environment and cover points. The environment is the golden Kernel Distributor and FCFS
 * controller, a KMU that offers random kernels, and SMXs that hold TBs for random times. */
#include "sched.h"

#include <stdlib.h>

#include "clients.h"
#include "fcfs.h"
#include "kd.h"
#include "model.h"
#include "smxs.h"
#include "tbcr.h"

HD_TWIN_MODEL(sched)

static void sched_arch(const void *m, unsigned group, void *arch, bool tables) {
  struct hd_sched_arch *a = arch;
  if (group)
    hd_tbcr_arch(hd_sched_tbcr(m, group - 1), &a->tbcr[group - 1], tables);
  else
    hd_sched_arch_own(m, a);
}

enum { KD_BYTES = 65536 };

struct stim {
  struct hd_cfg cfg;
  struct hd_kd_in kd_in;
  struct hd_kd_out kd_out;
  struct hd_fcfs_in fcfs_in;
  struct hd_fcfs_out fcfs_out;
  struct hd_smxs smxs;
  uint32_t serial;
  _Alignas(8) unsigned char kd[KD_BYTES];
  _Alignas(8) unsigned char fcfs[4096];
};

static void stim_reset(void *s_) {
  struct stim *s = s_;
  hd_kd_reset((struct hd_kd *)s->kd);
  hd_fcfs_reset((struct hd_fcfs *)s->fcfs);
  memset(&s->kd_in, 0, sizeof s->kd_in);
  memset(&s->fcfs_in, 0, sizeof s->fcfs_in);
  hd_smxs_reset(&s->smxs);
}

static void stim_init(void *s_, const struct hd_cfg *cfg, struct hd_rng *rng) {
  struct stim *s = s_;
  (void)rng;
  s->cfg = *cfg;
  if (hd_kd_size(cfg) > sizeof s->kd || hd_fcfs_size(cfg) > sizeof s->fcfs) abort();
  hd_kd_init((struct hd_kd *)s->kd, cfg);
  hd_fcfs_init((struct hd_fcfs *)s->fcfs, cfg);
  hd_smxs_init(&s->smxs, cfg);
  stim_reset(s);
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out_, const void *now_,
                  void *in_) {
  struct stim *s = s_;
  const struct hd_sched_out *out = out_, *now = now_;
  struct hd_sched_in *in = in_;
  (void)now;
  /* The edge that ended the cycle before. */
  bool taken = s->kd_in.kernel_valid && s->kd_out.kernel_ready;
  s->kd_in.grant_valid = out->grant_valid;
  s->kd_in.grant_kdei = out->grant_kdei;
  s->kd_in.grant_kind = out->grant_kind;
  s->kd_in.unit_end = out->unit_end;
  s->kd_in.retire_valid = out->retire_valid;
  s->kd_in.retire_kdei = out->retire.kdei;
  s->fcfs_in.unmark = out->unmark;
  if (s->serial) {
    hd_kd_tick((struct hd_kd *)s->kd, &s->kd_in);
    hd_fcfs_tick((struct hd_fcfs *)s->fcfs, &s->fcfs_in);
  }
  hd_smxs_follow(&s->smxs, out->dispatch_valid, out->dispatch, in->dispatch_ready);
  /* The cycle to come. */
  if (!s->kd_in.kernel_valid || taken) {
    memset(&s->kd_in.kernel, 0, sizeof s->kd_in.kernel);
    s->kd_in.kernel_valid = hd_rng_p(rng, p->source);
    if (s->kd_in.kernel_valid) {
      struct hd_profile good = {.source = p->source, .sink = p->sink};
      struct hd_launch l = hd_random_launch(rng, &good, &s->cfg, ++s->serial, 1u << hd_rng_below(rng, 6));
      uint32_t warps = (l.threads + 31u) / 32, unit = (l.regs * 32u + s->cfg.reg_unit - 1) / s->cfg.reg_unit;
      s->kd_in.kernel.desc = l.desc;
      s->kd_in.kernel.need.warps = (uint8_t)warps;
      s->kd_in.kernel.need.regs = (uint16_t)(warps * unit <= s->cfg.reg_units_per_smx ? warps * unit : 0);
      s->kd_in.kernel.need.smem = l.smem;
      s->kd_in.kernel.ctas = l.ctas;
      s->kd_in.kernel.origin.host = 1;
      s->kd_in.kernel.origin.tag = l.tag;
    }
  }
  s->serial += !s->serial;
  s->kd_in.leave_ready = 1;
  hd_fcfs_eval((struct hd_fcfs *)s->fcfs, &s->fcfs_in, &s->fcfs_out);
  memcpy(s->kd_in.marked, s->fcfs_out.marked, s->cfg.num_kde);
  hd_kd_eval((struct hd_kd *)s->kd, &s->kd_in, &s->kd_out);
  s->fcfs_in.enter_valid = in->enter_valid = s->kd_in.kernel_valid;
  s->fcfs_in.enter_ready = in->enter_ready = s->kd_out.kernel_ready;
  s->fcfs_in.enter_kdei = in->enter_kdei = s->kd_out.alloc_kdei;
  in->enter_need = s->kd_in.kernel.need;
  in->enter_ctas = s->kd_in.kernel.ctas;
  in->next_valid = s->fcfs_out.next_valid;
  memcpy(in->marked, s->fcfs_out.marked, s->cfg.num_kde);
  memcpy(in->level, s->kd_out.level, s->cfg.num_kde);
  memcpy(in->nextbl, s->kd_out.nextbl, s->cfg.num_kde * sizeof *in->nextbl);
  memcpy(in->ndone, s->kd_out.ndone, s->cfg.num_kde);
  in->next_kdei = s->fcfs_out.next_kdei;
  memcpy(in->need, s->kd_out.need, s->cfg.num_kde * sizeof *in->need);
  memcpy(in->ctas, s->kd_out.ctas, s->cfg.num_kde * sizeof *in->ctas);
  in->desc = s->kd_out.desc;
  hd_smxs_drive(&s->smxs, rng, p, in->dispatch_ready, in->cta_done_valid, in->cta_done_slot);
}

static const char *const covers[] = {"event",      "blocked",    "last",     "last_and_next",     "last_and_enter",
                                     "done_empty", "done_early", "two_done", "all_dispatch_full", NULL};

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
  hits[0] += out->grant_valid + done;
  hits[1] += out->blocked;
  hits[2] += out->unmark;
  hits[3] += out->unmark && in->next_valid;
  hits[4] += out->unmark && in->enter_valid && in->enter_ready;
  hits[7] += done >= 2;
  hits[8] += full == s->cfg.num_smx;
}

const struct hd_twin hd_twin_sched = {HD_TWIN_MODEL_FIELDS(sched),
                                      .stim_size = sizeof(struct stim),
                                      .stim_init = stim_init,
                                      .drive = drive,
                                      .stim_reset = stim_reset,
                                      .covers = covers,
                                      .cover = cover};
