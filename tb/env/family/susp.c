/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* susp: golden model, random environment and cover points. The environment is a Kernel Distributor (KD) whose TBs save,
 * the SMX scheduler that takes saved TBs, the parent records, the KMU, and the memory. */
#include "family/susp.h"

#include "env/common/clients.h"
#include "env/common/memory.h"
#include "env/common/model.h"

HD_TWIN_MODEL(susp)
HD_TWIN_ARCH(susp)

enum { REGION = 256 * 1024 };

struct entry {
  struct hd_kernel kernel; /* kin, and of progress the saved TBs, as they are now */
  uint8_t valid, parent;   /* parent: it has a parent record */
  uint8_t suspending, failed;
};

struct stim {
  struct hd_cfg cfg;
  uint32_t sus_base, rows; /* parent records that have room in memory */
  uint8_t started;
  struct entry kd[HD_MAX_NUM_KDE];
  struct {
    uint8_t used, suspended, failed;
  } row[HD_MAX_NUM_KIN];
  struct {
    uint8_t valid, kde;
    uint16_t pos;
  } a2, a3; /* a save on its way through devq */
  uint8_t cur_valid, cur;
  uint8_t loaded;          /* the SSCR has a saved TB that is not handed out */
  uint8_t leaving, leaver; /* 2 and 1 cycles before an entry is suspended */
  uint8_t resume_valid;    /* kin asks for this record */
  uint8_t reading;         /* a record is being read */
  uint8_t entering;        /* the KMU has a resumed kernel */
  uint8_t hold, keen;      /* phases: no kernel is resumed; TBs save whenever they can */
  uint16_t resume_row;
  struct hd_kernel back;
  uint32_t serial;
  struct hd_memory port;
  uint8_t tag_valid, tag;               /* the list that the block follows: to see it change */
  uint8_t dropped, wrapped, next_chunk; /* in this cycle */
  uint8_t bytes[REGION];
};

HD_TWIN_STIM

static void start(struct stim *s, struct hd_rng *rng) {
  if (s->started) return;
  s->started = 1;
  s->sus_base = hd_rng_below(rng, UINT32_MAX - REGION / 256);
  s->rows = REGION / s->cfg.sus_stride < s->cfg.num_kin ? REGION / s->cfg.sus_stride : s->cfg.num_kin;
}

/* A free parent record, or -1. */
static int free_row(const struct stim *s) {
  for (unsigned r = 0; r < s->rows; r++)
    if (!s->row[r].used) return (int)r;
  return -1;
}

static int free_entry(const struct stim *s) {
  for (unsigned i = 0; i < s->cfg.num_kde; i++)
    if (!s->kd[i].valid) return (int)i;
  return -1;
}

static bool save_under_way(const struct stim *s, unsigned kde) {
  return (s->a2.valid && s->a2.kde == kde) || (s->a3.valid && s->a3.kde == kde);
}

static struct hd_kernel random_kernel(struct stim *s, struct hd_rng *rng) {
  struct hd_kernel k;
  memset(&k, 0, sizeof k);
  k.desc = hd_random_desc(rng);
  k.desc.param = (k.desc.param & ~(uint64_t)0xffffffff) | ++s->serial * 2654435761u;
  k.need.warps = (uint8_t)(1 + hd_rng_below(rng, s->cfg.warps_per_smx));
  k.need.regs = (uint16_t)hd_rng_below(rng, s->cfg.reg_units_per_smx + 1);
  k.need.smem = (uint16_t)hd_rng_below(rng, s->cfg.smem_units_per_smx + 1);
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
  }
  return k;
}

static struct hd_ptr random_ptr(struct stim *s, struct hd_rng *rng) {
  struct hd_ptr p = {.onchip = hd_rng_p(rng, 128)};
  p.index = p.onchip ? hd_rng_below(rng, s->cfg.agt_size) : (uint32_t)hd_rng_bits(rng, s->cfg.rec_w);
  return p;
}

/* The KD as the block sees it in this cycle. */
static void show_kd(const struct stim *s, struct hd_susp_in *in) {
  in->cur_valid = s->cur_valid;
  in->cur_kdei = s->cur_valid ? s->cur : 0;
  for (unsigned i = 0; i < s->cfg.num_kde; i++) {
    const struct entry *e = &s->kd[i];
    in->kin[i] = e->valid && e->parent ? e->kernel.kin : 0;
    in->sav_first[i] = e->valid ? e->kernel.progress.sav_first : 0;
    in->sav_count[i] = e->valid ? e->kernel.progress.sav_count : 0;
  }
}

/* A TB saves: A1 and A2 of devq here, the save itself in A3. */
static void drive_save(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_susp_out *now,
                       struct hd_susp_in *in) {
  bool busy = s->a2.valid || s->a3.valid;
  in->save_valid = s->a3.valid;
  in->save_kin = s->a3.valid ? s->kd[s->a3.kde].kernel.kin : 0;
  in->save_pos = s->a3.valid ? s->a3.pos : 0;
  memset(&in->save_entry, 0, sizeof in->save_entry);
  if (s->a3.valid) {
    in->save_entry.ctx = hd_rng_bits(rng, s->cfg.param_w);
    in->save_entry.level = (uint8_t)hd_rng_below(rng, s->cfg.max_level + 1);
    s->kd[s->a3.kde].kernel.progress.sav_count++;
    s->kd[s->a3.kde].suspending = 1;
  }
  memset(&s->a3, 0, sizeof s->a3);
  if (s->a2.valid) {
    const struct entry *e = &s->kd[s->a2.kde];
    if (!e->failed && in->sav_count[s->a2.kde] < s->cfg.sav_max) {
      s->a3.valid = 1;
      s->a3.kde = s->a2.kde;
      s->a3.pos = (uint16_t)((in->sav_first[s->a2.kde] + in->sav_count[s->a2.kde]) % s->cfg.sav_max);
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
static void drive_current(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_susp_out *now,
                          struct hd_susp_in *in) {
  struct entry *e = &s->kd[s->cur];
  in->sv_pop = 0;
  s->wrapped = s->next_chunk = 0;
  if (!s->cur_valid || e->suspending || e->failed) return;
  unsigned left = in->sav_count[s->cur];
  if (s->loaded && hd_rng_p(rng, p->sink)) {
    e->kernel.progress.sav_first = (uint16_t)((e->kernel.progress.sav_first + 1u) % s->cfg.sav_max);
    e->kernel.progress.sav_count--;
    s->loaded = 0;
    left--;
  }
  if (s->loaded || !left || !now->sv_valid || now->sv_kdei != s->cur || !hd_rng_p(rng, 230)) return;
  unsigned pos = (in->sav_first[s->cur] + in->sav_count[s->cur] - left) % s->cfg.sav_max;
  in->sv_pop = 1;
  s->loaded = 1;
  s->wrapped = pos + 1 == s->cfg.sav_max && left > 1;
  s->next_chunk = pos % HD_SUSP_CHUNK == HD_SUSP_CHUNK - 1 && left > 1;
}

/* Another kernel comes into the SSCR, when the one there has stopped or has no saved TBs left and is at its end. */
static void next_current(struct stim *s, struct hd_rng *rng, const struct hd_susp_in *in) {
  if (in->cur_valid) {
    const struct entry *e = &s->kd[in->cur_kdei];
    bool stop = (e->suspending || e->failed) && !in->save_valid;
    bool end = !in->sav_count[in->cur_kdei] && !s->loaded && hd_rng_p(rng, 30);
    if (!stop && !end) return;
  }
  s->cur_valid = s->loaded = 0;
  unsigned i = hd_rng_below(rng, s->cfg.num_kde), n = s->cfg.num_kde;
  while (n-- && !s->kd[i].kernel.progress.sav_count && hd_rng_p(rng, 240)) i = i + 1 == s->cfg.num_kde ? 0 : i + 1;
  if (!s->kd[i].valid || s->kd[i].suspending || s->kd[i].failed || (in->cur_valid && i == in->cur_kdei)) return;
  s->cur_valid = hd_rng_p(rng, 200);
  s->cur = (uint8_t)i;
}

/* May an entry whose TBs have ended be left? */
static bool idle(const struct stim *s, unsigned i, const struct hd_susp_out *now, const struct hd_susp_in *in) {
  bool current = (s->cur_valid && s->cur == i) || (in->cur_valid && in->cur_kdei == i);
  bool fails = now->chunk_fail_valid && now->chunk_fail_kdei == i;
  return s->kd[i].valid && !current && !save_under_way(s, i) && !fails;
}

/* A suspending kernel without TBs is chosen, and handed over two cycles later. */
static void drive_suspend(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_susp_out *now,
                          struct hd_susp_in *in) {
  in->suspend_valid = s->leaving == 1;
  memset(&in->suspend, 0, sizeof in->suspend);
  memset(&in->list, 0, sizeof in->list);
  if (in->suspend_valid) {
    struct entry *e = &s->kd[s->leaver];
    in->suspend = e->kernel;
    in->suspend.progress.ndone = hd_rng_p(rng, 128);
    in->suspend.progress.nextbl = (uint32_t)hd_rng_bits(rng, 32);
    in->list.pending = hd_rng_p(rng, 128);
    if (in->list.pending) {
      in->list.nagei = random_ptr(s, rng);
      in->list.lagei = random_ptr(s, rng);
    }
    memset(e, 0, sizeof *e);
  }
  if (s->leaving) {
    s->leaving--;
    return;
  }
  unsigned i = hd_rng_below(rng, s->cfg.num_kde);
  if (!now->suspend_free || !idle(s, i, now, in) || !s->kd[i].suspending || in->save_valid) return;
  if (!hd_rng_p(rng, s->keen ? 6 : p->sink / 4 + 1)) return;
  s->leaving = 2;
  s->leaver = (uint8_t)i;
}

static void forget_row(struct stim *s, unsigned r) {
  memset(&s->row[r], 0, sizeof s->row[r]);
}

/* The parent records. One that failed ends instead of being resumed. */
static void drive_rows(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_susp_out *now,
                       struct hd_susp_in *in) {
  in->suspended_ready = hd_rng_p(rng, p->sink);
  if (now->kin_fail_valid) {
    s->row[now->kin_fail_kin].failed = 1;
    if (now->kin_fail_back) s->reading = 0, forget_row(s, now->kin_fail_kin);
  }
  if (now->suspended_valid && in->suspended_ready) {
    s->row[now->suspended_kin].suspended = 1;
    if (s->row[now->suspended_kin].failed) forget_row(s, now->suspended_kin);
  }
  in->resume_valid = s->resume_valid;
  in->resume_kin = s->resume_valid ? s->resume_row : 0;
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

/* Kernels enter the KD, from the host or from their suspension, and leave it at their end. */
static void drive_kernels(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_susp_out *now,
                          struct hd_susp_in *in) {
  unsigned gone = hd_rng_below(rng, s->cfg.num_kde);
  struct entry *g = &s->kd[gone];
  if (idle(s, gone, now, in) && !g->suspending && !g->kernel.progress.sav_count &&
      hd_rng_p(rng, g->failed || now->head_valid ? 60 : 8)) {
    if (g->parent) forget_row(s, g->kernel.kin);
    memset(g, 0, sizeof *g);
  }
  int i = free_entry(s), r = free_row(s);
  if (i >= 0 && s->entering && hd_rng_p(rng, 128)) {
    s->kd[i] = (struct entry){.kernel = s->back, .valid = 1, .parent = 1};
    s->entering = 0;
  } else if (i >= 0 && !s->entering && hd_rng_p(rng, now->head_valid ? 2 : p->source / 4 + 1)) {
    s->kd[i] = (struct entry){.kernel = random_kernel(s, rng), .valid = 1};
    /* As if it had been suspended before: the list soon wraps. */
    s->kd[i].kernel.progress.sav_first = (uint16_t)hd_rng_below(rng, s->cfg.sav_max);
  }
  unsigned parent = hd_rng_below(rng, s->cfg.num_kde); /* it launches its first child */
  if (r >= 0 && s->kd[parent].valid && !s->kd[parent].parent) {
    forget_row(s, (unsigned)r);
    s->row[r].used = 1;
    s->kd[parent].parent = 1;
    s->kd[parent].kernel.kin = (uint16_t)r;
  }
  in->head_pop = now->head_valid && !s->entering && hd_rng_p(rng, p->sink);
  if (!in->head_pop) return;
  s->entering = 1;
  s->back = now->head;
}

/* Was a chunk under way for a list that is not followed any more? */
static void watch_tag(struct stim *s, const struct hd_susp_in *in) {
  bool has = in->cur_valid && in->sav_count[in->cur_kdei];
  bool flush = s->tag_valid != has || (has && s->tag != in->cur_kdei);
  s->dropped = flush && s->port.state == 3 && !s->reading;
  s->tag_valid = has;
  s->tag = has ? in->cur_kdei : 0;
}

static void drive_memory(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_susp_out *out,
                         struct hd_susp_in *in) {
  const struct hd_memory_asked asked = {out->req_valid, out->req, out->wbeat};
  hd_memory_drive(&s->port, rng, p, &asked, s->bytes, (uint64_t)s->sus_base * 256, sizeof s->bytes);
  /* Saved TBs are read in bursts of as many beats. */
  bool record = (s->port.addr - (uint64_t)s->sus_base * 256) % s->cfg.sus_stride == 0;
  hd_memory_damage(&s->port, rng, p, s->bytes, (uint64_t)s->sus_base * 256, sizeof s->bytes,
                   record ? HD_MEMORY_FIELDS : 16 * HD_MEMORY_KERNEL_BEATS);
  in->sus_base = s->sus_base;
  HD_MEMORY_TELL(in, s->port.pins);
}

/* Fail event of a saved list: the KD drops what is left of the kernel. */
static void fail_list(struct stim *s, const struct hd_susp_out *now) {
  if (!now->chunk_fail_valid) return;
  struct entry *e = &s->kd[now->chunk_fail_kdei];
  e->failed = 1;
  e->suspending = 0;
  e->kernel.progress.sav_count = 0;
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out, const void *now_,
                  void *in_) {
  struct stim *s = s_;
  struct hd_susp_in *in = in_;
  const struct hd_susp_out *now = now_;
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
  if (now->resume_event) s->reading = 0;
}

static const char *const covers[] = {
    "event",       "saves_wait", "suspended",     "suspended_stalled", "resumed",   "resume_stalled",
    "save_failed", "not_read",   "list_failed",   "saved_cta",         "cta_waits", "list_wraps",
    "next_chunk",  "dropped",    "save_with_pop", "head_stalled",      NULL};

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct stim *s = s_;
  const struct hd_susp_in *in = in_;
  const struct hd_susp_out *out = out_;
  hits[0] += in->save_valid + in->suspend_valid + in->head_pop + in->sv_pop;
  hits[1] += !out->save_room;
  hits[2] += out->suspended_valid && in->suspended_ready;
  hits[3] += out->suspended_valid && !in->suspended_ready;
  hits[4] += in->head_pop;
  hits[5] += in->resume_valid && !out->resume_ready;
  hits[6] += out->kin_fail_valid && !out->kin_fail_back;
  hits[7] += out->kin_fail_back;
  hits[8] += out->chunk_fail_valid;
  hits[9] += in->sv_pop;
  hits[10] += out->sv_valid && !in->sv_pop;
  hits[11] += s->wrapped;
  hits[12] += s->next_chunk;
  hits[13] += s->dropped;
  hits[14] += in->save_valid && in->sv_pop;
  hits[15] += out->head_valid && !in->head_pop;
}

/* Oracle: a kernel comes back as it was suspended, but for the damage that its record took, once, unless memory failed,
 * which is told; the saved TBs of the current kernel are offered in order and unchanged; each record and its list keep
 * to their room; whatever is wanted comes before long, once no TB saves any more. */
enum { PATIENCE = 2000 };

struct oracle_row {
  struct hd_kernel kernel;
  uint8_t state; /* 0 none 1 given 2 told to kin 3 asked for */
};

struct oracle {
  struct hd_cfg cfg;
  struct oracle_row row[HD_MAX_NUM_KIN];
  uint64_t addr;                       /* of the burst under way */
  uint32_t record_at, resume_at, list; /* cycles that something has been wanted */
  uint16_t resume_row, pos, left;      /* the list of the current kernel from here on */
  uint8_t tag_valid, tag;
  uint8_t record, beat;            /* the burst is of a record; its next beat */
  uint8_t reading;                 /* a record is read, not a list */
  uint8_t error;                   /* in a beat of the read under way */
  uint8_t wrong_write, wrong_read; /* in the cycle before: a burst ended with an error */
  struct hd_saved saved[];         /* by parent record and place */
};

static size_t oracle_size(const struct hd_cfg *cfg) {
  return sizeof(struct oracle) + (size_t)cfg->num_kin * cfg->sav_max * sizeof(struct hd_saved);
}

static void oracle_init(void *o_, const struct hd_cfg *cfg) {
  struct oracle *o = o_;
  memset(o, 0, oracle_size(cfg));
  o->cfg = *cfg;
}

static struct hd_saved *saved_at(struct oracle *o, unsigned row, unsigned pos) {
  return &o->saved[(size_t)row * o->cfg.sav_max + pos];
}

static const char *watch_list(struct oracle *o, const struct hd_susp_in *in, const struct hd_susp_out *out) {
  bool has = in->cur_valid && in->sav_count[in->cur_kdei];
  if (o->tag_valid != has || (has && o->tag != in->cur_kdei)) {
    o->tag_valid = has;
    o->tag = in->cur_kdei;
    o->pos = in->sav_first[in->cur_kdei];
    o->left = has ? in->sav_count[in->cur_kdei] : 0;
    o->list = 0;
    return NULL;
  }
  if (out->sv_valid) {
    if (!has || !o->left || out->sv_kdei != o->tag) return "a saved TB is offered of a kernel that has none left";
    const struct hd_saved *s = saved_at(o, in->kin[o->tag], o->pos);
    if (s->ctx != out->sv.ctx || s->level != out->sv.level) return "saved TBs out of order, or changed";
  }
  o->list = o->left && !out->sv_valid && !in->save_valid ? o->list + 1 : 0;
  if (o->list > PATIENCE) return "a saved TB is not offered";
  if (!in->sv_pop) return NULL;
  o->pos = (uint16_t)((o->pos + 1u) % o->cfg.sav_max);
  o->left--;
  return NULL;
}

/* A beat of a record: which SMX it names as the one that launched the kernel. */
static const char *watch_beat(struct oracle *o, const struct hd_susp_in *in, uint64_t lo, bool written) {
  if (!o->record || o->beat++ != HD_MEMORY_SMX / 16) return NULL;
  struct hd_origin *origin = &o->row[(o->addr - (uint64_t)in->sus_base * 256) / o->cfg.sus_stride].kernel.origin;
  if (written && origin->smx != (lo >> 48 & 0xff)) return "a kernel goes to memory with another SMX";
  origin->smx = hd_memory_smx(&o->cfg, lo);
  return NULL;
}

static const char *watch_burst(struct oracle *o, const struct hd_susp_in *in, const struct hd_susp_out *out) {
  if (out->req_valid) {
    uint64_t at = out->req.addr - (uint64_t)in->sus_base * 256, in_row = at % o->cfg.sus_stride;
    bool record = in_row == 0 && out->req.len == 7;
    bool list = out->req.write ? in_row >= 128 && in_row % 16 == 0 && out->req.len == 0
                               : in_row >= 128 && in_row % 128 == 0 && out->req.len == 7;
    if (at / o->cfg.sus_stride >= o->cfg.num_kin || !(record || list)) return "a burst outside its room";
    o->addr = out->req.addr;
    o->reading = !out->req.write && record;
    o->record = record;
    o->beat = o->error = 0;
  }
  o->error |= in->r_valid && in->r.error;
  if (in->wbeat_take) return watch_beat(o, in, out->wbeat.lo, true);
  return in->r_valid ? watch_beat(o, in, in->r.lo, false) : NULL;
}

/* An error that ended a burst in the cycle before is told now, and nothing else. */
static const char *watch_errors(struct oracle *o, const struct hd_susp_in *in, const struct hd_susp_out *out) {
  unsigned row = (unsigned)((o->addr - (uint64_t)in->sus_base * 256) / o->cfg.sus_stride);
  bool back = o->wrong_read && o->reading, lost = o->wrong_write || back;
  if (out->kin_fail_valid != lost || out->kin_fail_back != back)
    return "a parent record is not told that memory failed";
  if (lost && out->kin_fail_kin != row) return "another parent record is told that memory failed";
  if (out->chunk_fail_valid && !(o->wrong_read && !o->reading)) return "a list failed without memory";
  if (out->error_event != (out->kin_fail_valid || out->chunk_fail_valid)) return "an error without its status";
  if (back) o->row[row].state = 0, o->resume_at = 0;
  o->wrong_write = in->b_valid && in->b_error;
  o->wrong_read = in->r_valid && in->r.last && (o->error || in->r.error);
  return NULL;
}

static const char *watch_head(struct oracle *o, const struct hd_susp_in *in, const struct hd_susp_out *out) {
  struct oracle_row *r = &o->row[out->head.kin];
  struct hd_kernel k = r->kernel;
  k.resumed = 1;
  o->resume_at = 0;
  if (r->state != 3) return "a kernel comes back that was not asked for, or a second time";
  if (memcmp(&k, &out->head, sizeof k)) return "a kernel changed while it was suspended";
  if (in->head_pop) r->state = 0;
  return NULL;
}

static const char *watch_records(struct oracle *o, const struct hd_susp_in *in, const struct hd_susp_out *out) {
  if (out->suspended_valid) {
    struct oracle_row *r = &o->row[out->suspended_kin];
    if (r->state != 1 || memcmp(&r->kernel.origin, &out->suspended, sizeof out->suspended))
      return "a kernel is told as suspended that was not, or a second time";
    o->record_at = 0;
    if (in->suspended_ready) r->state = 2;
  }
  if (out->head_valid) {
    const char *rule = watch_head(o, in, out);
    if (rule) return rule;
  }
  if (o->record_at) o->record_at = in->save_valid ? 1 : o->record_at + 1;
  if (o->resume_at) o->resume_at = in->save_valid ? 1 : o->resume_at + 1;
  if (o->record_at > PATIENCE || o->resume_at > PATIENCE) return "a record is not written or read";
  if (in->resume_valid && !o->resume_at && !out->head_valid && o->row[in->resume_kin].state == 2) o->resume_at = 1;
  if (in->resume_valid && out->resume_ready) o->row[in->resume_kin].state = 3;
  if (in->suspend_valid) {
    struct oracle_row *r = &o->row[in->suspend.kin];
    r->kernel = in->suspend;
    r->kernel.groups = in->list;
    r->state = 1;
    o->record_at = 1;
  }
  return NULL;
}

static const char *watch(void *o_, uint64_t cycle, const void *in, const void *out) {
  struct oracle *o = o_;
  const struct hd_susp_in *i = in;
  (void)cycle;
  const char *rule = watch_errors(o, in, out);
  if (!rule) rule = watch_burst(o, in, out);
  if (!rule) rule = watch_list(o, in, out);
  if (!rule) rule = watch_records(o, in, out);
  if (i->save_valid) *saved_at(o, i->save_kin, i->save_pos) = i->save_entry;
  return rule;
}

const struct hd_twin hd_twin_susp = {HD_TWIN_MODEL_FIELDS(susp), HD_TWIN_STIM_FIELDS(struct stim),
                                     HD_TWIN_ORACLE_FIELDS};
