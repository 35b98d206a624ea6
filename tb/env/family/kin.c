/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* kin: golden model, random environment and cover points; the oracle is kin_oracle. The environment consists of a
 * Kernel Distributor (KD) whose kernels launch device kernels, leave, or are suspended; a pool of waiting device
 * kernels, some of which are lost; and the suspension unit, whose memory sometimes fails. */
#include "family/kin.h"

#include "env/common/model.h"
#include "oracle/kin_oracle.h"

HD_BLOCK_DRIVER_MODEL(kin)
HD_BLOCK_DRIVER_ROWS(kin)

enum { POOL = 256, IN_TRANSIT = 16 };

struct kernel {
  struct hd_origin origin;
  uint16_t kin;
  uint8_t valid, kin_valid;
};

struct child {
  uint16_t up;
  uint8_t stream;
};

struct stim {
  struct hd_cfg cfg;
  struct kernel kd[HD_MAX_NUM_KDE];
  struct child pool[POOL];
  unsigned pool_n;
  struct {
    uint16_t kin;
    uint8_t valid, kde, fresh;
  } birth;                             /* in A2; moves to A3 in the next cycle */
  struct kernel saved[HD_MAX_NUM_KIN]; /* suspended kernels, by record */
  struct kernel back;                  /* being read back */
  struct kernel going;                 /* being suspended, while its rest stays in the KD */
  unsigned going_for;                  /* remaining cycles of that */
  uint8_t row_failed[HD_MAX_NUM_KIN];
  uint16_t serial;
  uint8_t hold_pool, hold_done; /* phases: no device kernel is started; no kernel_done is accepted */
  uint8_t hold_back, frail;     /* phases: no kernel is resumed; kernels are often suspended, and often fail then or
                                 * when they are read back */
  uint8_t loyal;                /* phase: only the kernel of entry 0 launches, and it and its children stay */
  uint16_t room;                /* phase: most device kernels that wait */
  uint8_t rested;               /* cycles since a rest stayed, at most 4 */
  uint8_t sparse;               /* launches are 2^sparse times rarer */
  /* The last completion of a device kernel without children, for the cover points. */
  uint16_t done_up;
  uint8_t done_valid, was_done;
  uint16_t was_up;
};

HD_BLOCK_DRIVER_STIM

/* Returns a free entry of the KD, or -1. */
static int free_entry(const struct stim *s) {
  for (unsigned i = 0; i < s->cfg.num_kde; i++)
    if (!s->kd[i].valid) return (int)i;
  return -1;
}

/* Returns a random entry that holds a kernel, or -1. With probability parent / 256 the parent of the child that has
 * just completed. */
static int any_kernel(const struct stim *s, struct hd_rng *rng, unsigned parent) {
  unsigned n = s->cfg.num_kde, at = hd_rng_below(rng, n);
  if (s->was_done && hd_rng_p(rng, parent))
    for (unsigned i = 0; i < n; i++)
      if (s->kd[i].valid && s->kd[i].kin_valid && s->kd[i].kin == s->was_up) return (int)i;
  for (unsigned k = 0; k < n; k++, at = at + 1 == n ? 0 : at + 1)
    if (s->kd[at].valid) return (int)at;
  return -1;
}

/* Limits the pool to what the width of a count of children allows: the plane's pool, and kernels in transit. */
static unsigned pool_room(const struct hd_cfg *cfg) {
  unsigned room = cfg->pool_depth + cfg->pool_rows + IN_TRANSIT;
  return room < POOL ? room : POOL;
}

/* A full pool, or a power of two: the upper bits of a count of that many children have just changed. */
static void choose_room(struct stim *s, struct hd_rng *rng) {
  unsigned most = pool_room(&s->cfg), room = 1u << hd_rng_below(rng, 9);
  s->room = (uint16_t)(room > most || hd_rng_p(rng, 128) ? most : room);
}

static void take_from_pool(struct stim *s, unsigned at) {
  s->pool[at] = s->pool[--s->pool_n];
}

/* A kernel of the host or of the pool enters the KD. */
static void drive_enter(struct stim *s, struct hd_rng *rng, const struct hd_profile *p) {
  int i = free_entry(s);
  if (i < 0 || !hd_rng_p(rng, p->source)) return;
  struct kernel *k = &s->kd[i];
  unsigned at = hd_rng_below(rng, s->pool_n + !s->pool_n);
  bool stays = s->loyal && s->kd[0].kin_valid && s->pool[at].up == s->kd[0].kin;
  if (s->pool_n && !s->hold_pool && !stays && hd_rng_p(rng, 200)) {
    *k = (struct kernel){.valid = 1, .origin = {.up = s->pool[at].up, .stream = s->pool[at].stream}};
    k->origin.smx = (uint8_t)hd_rng_below(rng, s->cfg.num_smx);
    take_from_pool(s, at);
  } else {
    *k = (struct kernel){.valid = 1, .origin = {.host = 1, .tag = (uint16_t)(++s->serial * 40503u)}};
    k->origin.hwq = (uint8_t)hd_rng_below(rng, s->cfg.num_hwq);
  }
  k->origin.failed = hd_rng_p(rng, p->bad / 4);
}

/* A launch is in A2: chooses its parent's record, or a free one. */
static void choose_birth(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_kin_out *now) {
  int i = s->loyal ? (s->kd[0].valid ? 0 : -1) : any_kernel(s, rng, 128);
  if (i < 0 || s->pool_n >= s->room || !hd_rng_p(rng, p->source >> s->sparse)) return;
  const struct kernel *k = &s->kd[i];
  if (!k->kin_valid && !now->free.valid) return;
  s->birth.valid = 1;
  s->birth.kde = (uint8_t)i;
  s->birth.fresh = !k->kin_valid;
  s->birth.kin = k->kin_valid ? k->kin : now->free.kin;
}

static void drive_birth(struct stim *s, struct hd_rng *rng, struct hd_kin_in *in) {
  in->devq_birth.valid = s->birth.valid;
  in->devq_birth.alloc = s->birth.fresh;
  in->devq_birth.kin = s->birth.kin;
  if (!s->birth.valid) return;
  struct kernel *k = &s->kd[s->birth.kde];
  k->kin_valid = 1;
  k->kin = s->birth.kin;
  if (s->birth.fresh) s->row_failed[k->kin] = 0;
  s->pool[s->pool_n++] = (struct child){k->kin, (uint8_t)hd_rng_below(rng, s->cfg.num_streams)};
}

/* Returns true if a launch of the kernel is in A2 or A3. */
static bool launches(const struct stim *s, const struct hd_kin_in *in, unsigned kde) {
  if (s->birth.valid && s->birth.kde == kde) return true;
  return in->devq_birth.valid && s->kd[kde].kin_valid && s->kd[kde].kin == in->devq_birth.kin;
}

/* A kernel completes in the KD. One with a failed record has failed, whether the KD says so or not. */
static void drive_leave(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, struct hd_kin_in *in) {
  if (in->kd_leave.valid) return;
  int i = any_kernel(s, rng, 160);
  if (i < 0 || !hd_rng_p(rng, p->sink / 2)) return;
  struct kernel *k = &s->kd[i];
  if (launches(s, in, (unsigned)i) || (s->loyal && !i)) return;
  if (k->origin.rest && s->rested < 4) return; /* a kernel needs some cycles to leave the KD */
  in->kd_leave.valid = 1;
  in->kd_leave.origin = k->origin;
  in->kd_leave.kin_valid = k->kin_valid;
  in->kd_leave.kin = k->kin_valid ? k->kin : 0;
  if (k->kin_valid && hd_rng_p(rng, 128)) in->kd_leave.origin.failed |= s->row_failed[k->kin];
  memset(k, 0, sizeof *k);
}

/* The record of a kernel is in memory; sometimes with an error of a save, or of the record itself. */
static void suspend(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, struct hd_kin_in *in,
                    struct kernel *k) {
  if (hd_rng_p(rng, s->frail ? 128 : p->bad / 4)) {
    in->susp_kin_fail.valid = 1;
    in->susp_kin_fail.kin = k->kin;
    s->row_failed[k->kin] = 1;
    if (k != &s->going && hd_rng_p(rng, 128)) return;
  }
  in->susp_suspended.valid = 1;
  in->susp_suspended.kin = k->kin;
  in->susp_suspended.origin = k->origin;
  s->saved[k->kin] = *k;
  memset(k, 0, sizeof *k);
}

/* A parent is suspended: its record is written to memory. Often a child completes in that cycle, so that two kernels
 * are ready at once. */
static void drive_suspend(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, struct hd_kin_in *in) {
  in->susp_kin_fail.valid = in->susp_kin_fail.back = 0;
  in->susp_kin_fail.kin = 0;
  in->kd_rest.valid = 0;
  in->kd_rest.kin = 0;
  if (in->susp_suspended.valid) return;
  if (s->going.valid) {
    if (s->going_for--) return;
    suspend(s, rng, p, in, &s->going);
    return;
  }
  int i = any_kernel(s, rng, 0);
  if (i < 0 || !hd_rng_p(rng, s->frail || s->done_valid ? 64 : p->source / 8 + 1)) return;
  struct kernel *k = &s->kd[i];
  if (!k->kin_valid || launches(s, in, (unsigned)i) || (s->loyal && !i)) return;
  if (hd_rng_p(rng, 64)) { /* its entries in banks stay in the KD */
    s->going = *k;
    s->going_for = 3 + hd_rng_below(rng, 40);
    in->kd_rest.valid = 1;
    in->kd_rest.kin = k->kin;
    *k = (struct kernel){.valid = 1, .origin = {.up = s->going.kin, .smx = s->going.origin.smx, .rest = 1}};
    k->origin.failed = hd_rng_p(rng, p->bad);
    return;
  }
  suspend(s, rng, p, in, k);
}

/* A record that was read returns to the KD, or could not be read. */
static void drive_back(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, struct hd_kin_in *in) {
  int i = free_entry(s);
  if (s->back.valid && hd_rng_p(rng, p->sink / 8 + 1)) {
    if (hd_rng_p(rng, s->frail ? 128 : p->bad / 2) && !in->susp_kin_fail.valid) {
      in->susp_kin_fail.valid = in->susp_kin_fail.back = 1;
      in->susp_kin_fail.kin = s->back.kin;
      s->row_failed[s->back.kin] = 1;
      s->back.valid = 0;
    } else if (i >= 0) {
      s->kd[i] = s->back;
      s->back.valid = 0;
    }
  }
  in->susp_resume_ready = !s->back.valid && !s->hold_back && hd_rng_p(rng, p->sink);
}

static void drive_lost(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, struct hd_kin_in *in) {
  if (in->pool_lost.valid || !s->pool_n || !hd_rng_p(rng, p->bad / 8)) return;
  in->pool_lost.valid = 1;
  in->pool_lost.up = s->pool[0].up;
  in->pool_lost.stream = s->pool[0].stream;
  take_from_pool(s, 0);
}

/* Processes the previous cycle. */
static void follow(struct stim *s, struct hd_kin_in *in, const struct hd_kin_out *out) {
  s->was_done = s->done_valid;
  s->was_up = s->done_up;
  s->done_valid = 0;
  if (in->kd_leave.valid && out->leave_ready) {
    s->done_valid = !in->kd_leave.origin.host && !in->kd_leave.kin_valid;
    s->done_up = in->kd_leave.origin.up;
    in->kd_leave.valid = 0;
    in->kd_leave = (struct hd_leave){0};
  }
  if (in->pool_lost.valid && out->lost_ready) {
    in->pool_lost.valid = in->pool_lost.stream = 0;
    in->pool_lost.up = 0;
  }
  if (in->susp_suspended.valid && out->suspended_ready) {
    in->susp_suspended.valid = 0;
    in->susp_suspended.kin = 0;
    in->susp_suspended.origin = (struct hd_origin){0};
  }
  if (out->resume.valid && in->susp_resume_ready) s->back = s->saved[out->resume.kin];
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out, const void *now,
                  void *in_) {
  struct stim *s = s_;
  struct hd_kin_in *in = in_;
  follow(s, in, out);
  s->rested = in->kd_rest.valid ? 1 : s->rested < 4 ? s->rested + 1 : 4;
  if (!s->room || !hd_rng_below(rng, 600)) {
    s->loyal = hd_rng_p(rng, 40);
    s->hold_pool = !s->loyal && hd_rng_p(rng, 100);
    choose_room(s, rng);
  }
  if (!hd_rng_below(rng, 600)) s->sparse = (uint8_t)hd_rng_below(rng, 6);
  if (!hd_rng_below(rng, 200)) s->hold_done = hd_rng_p(rng, 40);
  if (!hd_rng_below(rng, 400)) s->hold_back = hd_rng_p(rng, 64);
  if (!hd_rng_below(rng, 400)) s->frail = p->bad && hd_rng_p(rng, 40);
  drive_birth(s, rng, in);
  memset(&s->birth, 0, sizeof s->birth);
  if (!in->devq_birth.valid) choose_birth(s, rng, p, now); /* at most one launch of a kernel in A2 and A3 */
  drive_leave(s, rng, p, in);
  drive_suspend(s, rng, p, in);
  drive_back(s, rng, p, in);
  drive_lost(s, rng, p, in);
  drive_enter(s, rng, p);
  in->susp_saving = hd_rng_p(rng, p->bad);
  in->kernel_done_ready = !s->hold_done && hd_rng_p(rng, p->sink);
}

static const char *const covers[] = {"event",
                                     "rows_full",
                                     "birth_and_done",
                                     "goes_on_without_kd",
                                     "reopen",
                                     "lost",
                                     "suspended",
                                     "resumed",
                                     "not_read",
                                     "suspended_waits",
                                     "done_stalled",
                                     "stream",
                                     "leave_stalled",
                                     "leaves_with_child",
                                     "leaves_no_save",
                                     "rest",
                                     "rest_and_birth",
                                     "rest_fails",
                                     NULL};

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct stim *s = s_;
  const struct hd_kin_in *in = in_;
  const struct hd_kin_out *out = out_;
  bool leave = in->kd_leave.valid && out->leave_ready, done = out->kernel_done_valid && in->kernel_done_ready;
  hits[0] += in->devq_birth.valid + leave + done;
  hits[1] += !out->free.valid;
  /* A device kernel accepted in the previous cycle completes in this one. */
  hits[2] += s->done_valid && in->devq_birth.valid && in->devq_birth.kin == s->done_up;
  hits[3] += leave && in->kd_leave.kin_valid;
  for (unsigned h = 0; h < s->cfg.num_hwq; h++) hits[4] += out->reopen[h];
  hits[5] += in->pool_lost.valid && out->lost_ready;
  hits[6] += in->susp_suspended.valid && out->suspended_ready;
  hits[7] += out->resume.valid && in->susp_resume_ready;
  hits[8] += in->susp_kin_fail.valid && in->susp_kin_fail.back;
  hits[9] += in->susp_suspended.valid && !out->suspended_ready;
  hits[10] += out->kernel_done_valid && !in->kernel_done_ready;
  hits[11] += out->stream_done.valid;
  hits[12] += in->kd_leave.valid && !out->leave_ready;
  hits[14] += in->kd_leave.valid && in->kd_leave.kin_valid && in->kd_leave.origin.failed && in->susp_saving &&
              !in->pool_lost.valid;
  hits[15] += in->kd_rest.valid;
  hits[16] += s->rested == 1 && in->devq_birth.valid;
  hits[17] += leave && in->kd_leave.origin.rest && in->kd_leave.origin.failed;
  hits[13] += s->done_valid && leave && in->kd_leave.kin_valid && in->kd_leave.kin == s->done_up;
}

const struct hd_block_driver hd_block_driver_kin = {HD_BLOCK_DRIVER_MODEL_FIELDS(kin), HD_BLOCK_DRIVER_ROWS_FIELDS(kin),
                                                    HD_BLOCK_DRIVER_STIM_FIELDS(struct stim),
                                                    HD_BLOCK_ORACLE_FIELDS(kin)};
