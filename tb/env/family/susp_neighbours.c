/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "env/family/susp_neighbours.h"

#include <string.h>

#include "env/common/clients.h"
#include "family/susp.h"

static void start(struct hd_susp_neighbours *s, struct hd_rng *rng) {
  if (s->started) return;
  s->started = 1;
  s->sus_base = hd_rng_below(rng, UINT32_MAX - HD_SUSP_REGION / 256);
  s->rows = HD_SUSP_REGION / s->cfg.sus_stride < s->cfg.num_kin ? HD_SUSP_REGION / s->cfg.sus_stride : s->cfg.num_kin;
}

/* Returns a free parent record, or -1. */
static int free_row(const struct hd_susp_neighbours *s) {
  for (unsigned r = 0; r < s->rows; r++)
    if (!s->row[r].used) return (int)r;
  return -1;
}

static int free_entry(const struct hd_susp_neighbours *s) {
  for (unsigned i = 0; i < s->cfg.num_kde; i++)
    if (!s->kd[i].valid) return (int)i;
  return -1;
}

static bool save_under_way(const struct hd_susp_neighbours *s, unsigned kde) {
  return (s->a2.valid && s->a2.kde == kde) || (s->a3.valid && s->a3.kde == kde);
}

static struct hd_kernel random_kernel(struct hd_susp_neighbours *s, struct hd_rng *rng) {
  struct hd_kernel k;
  memset(&k, 0, sizeof k);
  k.desc = hd_numbered_desc(rng, ++s->serial);
  hd_random_need(rng, &s->cfg, &k.need);
  k.ctas = (uint32_t)hd_rng_bits(rng, 32);
  k.level = (uint8_t)hd_rng_below(rng, s->cfg.max_level + 1);
  k.origin.host = hd_rng_p(rng, 128);
  k.origin.failed = hd_rng_p(rng, 16);
  if (k.origin.host) {
    k.origin.tag = (uint16_t)hd_rng_bits(rng, s->cfg.tag_w);
    k.origin.hwq = (uint8_t)hd_rng_below(rng, s->cfg.num_hwq);
  } else {
    k.origin.up = (uint16_t)hd_rng_below(rng, s->cfg.num_kin);
    k.origin.stream = (uint8_t)hd_rng_below(rng, s->cfg.num_streams);
    k.origin.smx = (uint8_t)hd_rng_below(rng, s->cfg.num_smx);
    k.origin.rest = hd_rng_p(rng, 32);
  }
  return k;
}

/* Sets the inputs that come from the KD. */
static void show_kd(const struct hd_susp_neighbours *s, struct hd_susp_in *in) {
  in->sched_sscr.valid = s->cur_valid;
  in->sched_sscr.kdei = s->cur_valid ? s->cur : 0;
  for (unsigned i = 0; i < s->cfg.num_kde; i++) {
    const struct hd_susp_entry *e = &s->kd[i];
    in->kd_kin[i] = e->valid && e->parent ? e->kernel.kin : 0;
    in->kd_sav_first[i] = e->valid ? e->kernel.progress.sav_first : 0;
    in->kd_sav_count[i] = e->valid ? e->kernel.progress.sav_count : 0;
  }
}

/* A TB saves: stages A1 and A2 of devq are modelled here; the save itself is in A3. */
static void drive_save(struct hd_susp_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                       const struct hd_susp_out *now, struct hd_susp_in *in) {
  bool busy = s->a2.valid || s->a3.valid;
  in->devq_save.valid = s->a3.valid;
  in->devq_save.kin = s->a3.valid ? s->kd[s->a3.kde].kernel.kin : 0;
  in->devq_save.pos = s->a3.valid ? s->a3.pos : 0;
  memset(&in->devq_save.tb, 0, sizeof in->devq_save.tb);
  if (s->a3.valid) {
    in->devq_save.tb.ctx = hd_rng_bits(rng, s->cfg.param_w);
    in->devq_save.tb.level = (uint8_t)hd_rng_below(rng, s->cfg.max_level + 1);
    s->kd[s->a3.kde].kernel.progress.sav_count++;
    s->kd[s->a3.kde].suspending = 1;
  }
  memset(&s->a3, 0, sizeof s->a3);
  if (s->a2.valid) {
    const struct hd_susp_entry *e = &s->kd[s->a2.kde];
    if (!e->failed && in->kd_sav_count[s->a2.kde] < s->cfg.sav_max) {
      s->a3.valid = 1;
      s->a3.kde = s->a2.kde;
      s->a3.pos = (uint16_t)((in->kd_sav_first[s->a2.kde] + in->kd_sav_count[s->a2.kde]) % s->cfg.sav_max);
    }
    memset(&s->a2, 0, sizeof s->a2);
  }
  if (busy || !now->save_room || !hd_rng_p(rng, s->keen ? p->source : p->source / 32 + 1)) return;
  unsigned i = s->cur_valid && hd_rng_p(rng, 64) ? s->cur : hd_rng_below(rng, s->cfg.num_kde);
  if (!s->kd[i].valid || !s->kd[i].parent || s->kd[i].failed || (s->leaving && s->leaver == i)) return;
  s->a2.valid = 1;
  s->a2.kde = (uint8_t)i;
}

/* The kernel in the SSCR stops, or its saved TBs are loaded and handed out one after the other. */
static void drive_current(struct hd_susp_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                          const struct hd_susp_out *now, struct hd_susp_in *in) {
  struct hd_susp_entry *e = &s->kd[s->cur];
  in->sched_saved_pop = 0;
  s->wrapped = s->next_chunk = 0;
  if (!s->cur_valid || e->suspending || e->failed) return;
  unsigned left = in->kd_sav_count[s->cur];
  if (s->loaded && hd_rng_p(rng, p->sink)) {
    e->kernel.progress.sav_first = (uint16_t)((e->kernel.progress.sav_first + 1u) % s->cfg.sav_max);
    e->kernel.progress.sav_count--;
    s->loaded = 0;
    left--;
  }
  if (s->loaded || !left || !now->saved.valid || now->saved.kdei != s->cur || !hd_rng_p(rng, 230)) return;
  unsigned pos = (in->kd_sav_first[s->cur] + in->kd_sav_count[s->cur] - left) % s->cfg.sav_max;
  in->sched_saved_pop = 1;
  s->loaded = 1;
  s->wrapped = pos + 1 == s->cfg.sav_max && left > 1;
  s->next_chunk = pos % HD_SUSP_CHUNK == HD_SUSP_CHUNK - 1 && left > 1;
}

/* Another kernel enters the SSCR once the current one has stopped, or has no saved TBs left and ends. */
static void next_current(struct hd_susp_neighbours *s, struct hd_rng *rng, const struct hd_susp_in *in) {
  if (in->sched_sscr.valid) {
    const struct hd_susp_entry *e = &s->kd[in->sched_sscr.kdei];
    bool stop = (e->suspending || e->failed) && !in->devq_save.valid;
    bool end = !in->kd_sav_count[in->sched_sscr.kdei] && !s->loaded && hd_rng_p(rng, 30);
    if (!stop && !end) return;
  }
  s->cur_valid = s->loaded = 0;
  unsigned i = hd_rng_below(rng, s->cfg.num_kde), n = s->cfg.num_kde;
  while (n-- && !s->kd[i].kernel.progress.sav_count && hd_rng_p(rng, 240)) i = i + 1 == s->cfg.num_kde ? 0 : i + 1;
  if (!s->kd[i].valid || s->kd[i].suspending || s->kd[i].failed || (in->sched_sscr.valid && i == in->sched_sscr.kdei))
    return;
  s->cur_valid = hd_rng_p(rng, 200);
  s->cur = (uint8_t)i;
}

/* Returns true if an entry whose TBs have ended may be freed. */
static bool idle(const struct hd_susp_neighbours *s, unsigned i, const struct hd_susp_out *now,
                 const struct hd_susp_in *in) {
  bool current = (s->cur_valid && s->cur == i) || (in->sched_sscr.valid && in->sched_sscr.kdei == i);
  bool fails = now->chunk_fail.valid && now->chunk_fail.kdei == i;
  return s->kd[i].valid && !current && !save_under_way(s, i) && !fails;
}

/* Returns a number of groups in memory; sometimes as many as there are places. */
static uint32_t random_count(const struct hd_susp_neighbours *s, struct hd_rng *rng) {
  return hd_rng_p(rng, 16) ? UINT32_C(1) << s->cfg.list_pos_w : (uint32_t)hd_rng_bits(rng, s->cfg.list_pos_w);
}

/* Chooses a suspending kernel without TBs, and hands it over two cycles later. */
static void drive_suspend(struct hd_susp_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                          const struct hd_susp_out *now, struct hd_susp_in *in) {
  in->kd_suspend.valid = s->leaving == 1;
  memset(&in->kd_suspend.kernel, 0, sizeof in->kd_suspend.kernel);
  memset(&in->link_list, 0, sizeof in->link_list);
  memset(&in->ovfq_taken, 0, sizeof in->ovfq_taken);
  if (in->kd_suspend.valid) {
    struct hd_susp_entry *e = &s->kd[s->leaver];
    in->kd_suspend.kernel = e->kernel;
    in->kd_suspend.kernel.progress.ndone = hd_rng_p(rng, 128);
    in->kd_suspend.kernel.progress.nextbl = (uint32_t)hd_rng_bits(rng, 32);
    in->link_list.pending = hd_rng_p(rng, 128);
    in->link_list.chained = in->link_list.pending && hd_rng_p(rng, 128);
    if (in->link_list.chained) {
      in->link_list.nagei = (uint16_t)hd_rng_below(rng, s->cfg.agt_size);
      in->link_list.lagei = (uint16_t)hd_rng_below(rng, s->cfg.agt_size);
    }
    in->ovfq_taken.first = (uint32_t)hd_rng_bits(rng, s->cfg.list_pos_w);
    in->ovfq_taken.count = in->link_list.pending ? random_count(s, rng) : 0;
    memset(e, 0, sizeof *e);
  }
  if (s->leaving) {
    s->leaving--;
    return;
  }
  unsigned i = hd_rng_below(rng, s->cfg.num_kde);
  if (!now->suspend_free || !idle(s, i, now, in) || !s->kd[i].suspending || in->devq_save.valid) return;
  if (!hd_rng_p(rng, s->keen ? 6 : p->sink / 4 + 1)) return;
  s->leaving = 2;
  s->leaver = (uint8_t)i;
}

static void forget_row(struct hd_susp_neighbours *s, unsigned r) {
  memset(&s->row[r], 0, sizeof s->row[r]);
}

/* Models the parent records. A kernel whose record failed ends instead of being resumed. */
static void drive_rows(struct hd_susp_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                       const struct hd_susp_out *now, struct hd_susp_in *in) {
  in->kin_suspended_ready = hd_rng_p(rng, p->sink);
  if (now->kin_fail.valid) {
    s->row[now->kin_fail.kin].failed = 1;
    if (now->kin_fail.back) s->reading = 0, forget_row(s, now->kin_fail.kin);
  }
  if (now->suspended.valid && in->kin_suspended_ready) {
    s->row[now->suspended.kin].suspended = 1;
    if (s->row[now->suspended.kin].failed) forget_row(s, now->suspended.kin);
  }
  in->kin_resume.valid = s->resume_valid;
  in->kin_resume.kin = s->resume_valid ? s->resume_row : 0;
  if (s->resume_valid) {
    if (!now->resume_ready) return;
    s->resume_valid = 0;
    s->reading = 1;
    s->row[s->resume_row].suspended = 0;
    return;
  }
  unsigned r = hd_rng_below(rng, s->rows);
  if (s->hold || !s->row[r].suspended || !hd_rng_p(rng, p->source)) return;
  s->resume_valid = 1;
  s->resume_row = (uint16_t)r;
}

/* Kernels enter the KD, from the host or after suspension, and leave it when they end. */
static void drive_kernels(struct hd_susp_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                          const struct hd_susp_out *now, struct hd_susp_in *in) {
  unsigned gone = hd_rng_below(rng, s->cfg.num_kde);
  struct hd_susp_entry *g = &s->kd[gone];
  if (idle(s, gone, now, in) && !g->suspending && !g->kernel.progress.sav_count &&
      hd_rng_p(rng, g->failed || now->head.valid ? 60 : 8)) {
    if (g->parent) forget_row(s, g->kernel.kin);
    memset(g, 0, sizeof *g);
  }
  int i = free_entry(s), r = free_row(s);
  if (i >= 0 && s->entering && hd_rng_p(rng, 128)) {
    s->kd[i] = (struct hd_susp_entry){.kernel = s->back, .valid = 1, .parent = 1};
    s->entering = 0;
  } else if (i >= 0 && !s->entering && hd_rng_p(rng, now->head.valid ? 2 : p->source / 4 + 1)) {
    s->kd[i] = (struct hd_susp_entry){.kernel = random_kernel(s, rng), .valid = 1};
    /* The list starts at a random place, as after a suspension, so that it soon wraps. */
    s->kd[i].kernel.progress.sav_first = (uint16_t)hd_rng_below(rng, s->cfg.sav_max);
  }
  unsigned parent = hd_rng_below(rng, s->cfg.num_kde); /* it launches its first child */
  if (r >= 0 && s->kd[parent].valid && !s->kd[parent].parent) {
    forget_row(s, (unsigned)r);
    s->row[r].used = 1;
    s->kd[parent].parent = 1;
    s->kd[parent].kernel.kin = (uint16_t)r;
  }
  in->kmu_susp_pop = now->head.valid && !s->entering && hd_rng_p(rng, p->sink);
  if (!in->kmu_susp_pop) return;
  s->entering = 1;
  s->back = now->head.kernel;
}

/* Detects that a chunk was being read for a list that is no longer needed. */
static void watch_tag(struct hd_susp_neighbours *s, const struct hd_susp_in *in) {
  bool has = in->sched_sscr.valid && in->kd_sav_count[in->sched_sscr.kdei];
  bool flush = s->tag_valid != has || (has && s->tag != in->sched_sscr.kdei);
  s->dropped = flush && s->port.state == 3 && !s->reading;
  s->tag_valid = has;
  s->tag = has ? in->sched_sscr.kdei : 0;
}

static void drive_memory(struct hd_susp_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                         const struct hd_susp_out *out, struct hd_susp_in *in) {
  hd_memory_drive(&s->port, rng, p, &out->mem, s->bytes, (uint64_t)s->sus_base * 256, sizeof s->bytes);
  /* Saved TBs are read in bursts of the same length. */
  bool record = (s->port.addr - (uint64_t)s->sus_base * 256) % s->cfg.sus_stride == 0;
  hd_memory_damage(&s->port, rng, p, s->bytes, (uint64_t)s->sus_base * 256, sizeof s->bytes,
                   record ? HD_MEMORY_FIELDS : 16 * HD_MEMORY_KERNEL_BEATS);
  in->regs_config.sus_base = s->sus_base;
  in->mem = s->port.pins;
}

/* Fail event of a saved list: the KD drops the rest of the kernel. */
static void fail_list(struct hd_susp_neighbours *s, const struct hd_susp_out *now) {
  if (!now->chunk_fail.valid) return;
  struct hd_susp_entry *e = &s->kd[now->chunk_fail.kdei];
  e->failed = 1;
  e->suspending = 0;
  e->kernel.progress.sav_count = 0;
}

void hd_susp_neighbours_reset(struct hd_susp_neighbours *s) {
  struct hd_cfg cfg = s->cfg;
  memset(s, 0, sizeof *s);
  s->cfg = cfg;
}

void hd_susp_neighbours_drive(struct hd_susp_neighbours *s, struct hd_rng *rng, const struct hd_profile *p,
                              const struct hd_susp_out *out, const struct hd_susp_out *now, struct hd_susp_in *in) {
  start(s, rng);
  if (!hd_rng_below(rng, 500)) s->hold = hd_rng_p(rng, 60);
  if (!hd_rng_below(rng, 500)) s->keen = hd_rng_p(rng, 40);
  drive_memory(s, rng, p, out, in);
  show_kd(s, in);
  watch_tag(s, in);
  drive_current(s, rng, p, now, in);
  drive_save(s, rng, p, now, in);
  drive_suspend(s, rng, p, now, in);
  next_current(s, rng, in);
  drive_rows(s, rng, p, now, in);
  drive_kernels(s, rng, p, now, in);
  fail_list(s, now);
  if (now->events.resume) s->reading = 0;
}
