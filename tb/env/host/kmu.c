/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* kmu: golden model, random environment and cover points. The environment consists of a host, a pool of device kernels,
 * suspended kernels, and a Kernel Distributor that holds kernels for a random time, and one with a graph until the
 * graph is done. */
#include "host/kmu.h"

#include "env/common/clients.h"
#include "env/common/model.h"

HD_BLOCK_DRIVER_MODEL(kmu)
HD_BLOCK_DRIVER_ROWS(kmu)

struct stim {
  struct hd_cfg cfg;
  uint32_t serial;
  uint8_t open[HD_MAX_NUM_HWQ]; /* 1: a kernel of this HWQ is in the KD */
  uint8_t graph_hwq;            /* the HWQ whose kernel has the running graph, while dats_busy */
  unsigned graphs;              /* phase: probability (of 256) that a launch has a graph */
};

static void stim_init(void *s_, const struct hd_cfg *cfg, struct hd_rng *rng) {
  struct stim *s = s_;
  (void)rng;
  s->cfg = *cfg;
}

static void stim_reset(void *s_) {
  struct stim *s = s_;
  memset(s->open, 0, sizeof s->open);
}

static struct hd_devk random_devk(struct stim *s, struct hd_rng *rng) {
  struct hd_devk d = {.desc = hd_random_desc(rng), .ctas = (uint32_t)hd_rng_bits(rng, 32)};
  d.need.warps = (uint8_t)hd_rng_below(rng, s->cfg.warps_per_smx + 1);
  d.need.regs = (uint16_t)hd_rng_below(rng, s->cfg.reg_units_per_smx + 1);
  d.need.smem = (uint16_t)hd_rng_below(rng, s->cfg.smem_units_per_smx + 1);
  d.level = (uint8_t)hd_rng_below(rng, s->cfg.max_level + 1);
  d.stream = (uint8_t)hd_rng_below(rng, s->cfg.num_streams);
  d.up = (uint16_t)hd_rng_below(rng, s->cfg.num_kin);
  d.smx = (uint8_t)hd_rng_below(rng, s->cfg.num_smx);
  return d;
}

/* A kernel as it was when suspended; all fields but its HWQ are arbitrary. */
static struct hd_kernel random_resumed(struct stim *s, struct hd_rng *rng) {
  struct hd_devk d = random_devk(s, rng);
  struct hd_kernel k = {.desc = d.desc, .need = d.need, .ctas = d.ctas, .level = d.level};
  k.origin.host = hd_rng_p(rng, 128);
  k.origin.tag = (uint16_t)hd_rng_bits(rng, 16);
  k.origin.hwq = (uint8_t)hd_rng_below(rng, s->cfg.num_hwq);
  k.origin.up = d.up;
  k.origin.stream = d.stream;
  k.origin.smx = d.smx;
  k.origin.failed = hd_rng_p(rng, 10);
  k.resumed = 1;
  k.kin = (uint16_t)hd_rng_below(rng, s->cfg.num_kin);
  k.progress.ndone = hd_rng_p(rng, 128);
  k.progress.nextbl = (uint32_t)hd_rng_bits(rng, 32);
  k.progress.sav_first = (uint16_t)hd_rng_below(rng, s->cfg.sav_max);
  k.progress.sav_count = (uint16_t)hd_rng_below(rng, s->cfg.sav_max + 1);
  k.groups.pending = hd_rng_p(rng, 128);
  k.groups.chained = hd_rng_p(rng, 128);
  k.groups.nagei = (uint16_t)hd_rng_below(rng, s->cfg.agt_size);
  k.groups.lagei = (uint16_t)hd_rng_below(rng, s->cfg.agt_size);
  k.graph = hd_rng_p(rng, 8); /* not part of the stored kernel; it must be ignored */
  k.over.first = (uint32_t)hd_rng_bits(rng, s->cfg.list_pos_w);
  k.over.count = (uint32_t)hd_rng_bits(rng, s->cfg.list_count_w);
  return k;
}

/* Turns *l into a launch with a graph: usually a valid one; otherwise its numbers are at their limits, or arbitrary. */
static void add_graph(const struct stim *s, struct hd_rng *rng, struct hd_launch *l) {
  const uint64_t mask = UINT64_MAX >> (64 - s->cfg.addr_w);
  l->graph = 1;
  if (hd_rng_below(rng, 8)) l->desc.param &= mask & ~UINT64_C(63);
  if (!hd_rng_below(rng, 16)) l->desc.param |= UINT64_C(1) << hd_rng_below(rng, s->cfg.param_w);
  if (hd_rng_below(rng, 8) && l->ctas) l->ctas = 1 + l->ctas % 65535;
  if (!hd_rng_below(rng, 16)) l->ctas = 65534 + hd_rng_below(rng, 4);
  if (!hd_rng_below(rng, 32)) l->ctas = UINT32_C(1) << (16 + hd_rng_below(rng, s->cfg.ctas_w - 16));
}

static struct hd_launch any_launch(struct stim *s, struct hd_rng *rng, const struct hd_profile *p) {
  struct hd_launch l = hd_random_launch(rng, p, &s->cfg, ++s->serial, UINT32_MAX);
  if (hd_rng_p(rng, 100)) l.hwq &= 1; /* a few queues fill up */
  if (!hd_rng_below(rng, 300)) s->graphs = hd_rng_p(rng, 60) ? 256 : hd_rng_below(rng, 100);
  if (hd_rng_p(rng, s->graphs)) add_graph(s, rng, &l);
  return l;
}

/* At most one kernel with a graph is in the KD, until its graph is done. */
static void drive_graph(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_kmu_out *out,
                        struct hd_kmu_in *in) {
  if (in->dats_busy && hd_rng_p(rng, p->sink / 8 + 1)) in->dats_busy = 0;
  if (!out->offer.valid || !in->kd_entry.valid || !out->offer.kernel.graph) return;
  in->dats_busy = 1;
  s->graph_hwq = out->offer.kernel.origin.hwq;
}

/* Kernels of the other classes wait until they are picked. */
static void drive_classes(struct stim *s, struct hd_rng *rng, const struct hd_profile *p, const struct hd_kmu_out *out,
                          struct hd_kmu_in *in) {
  if (!in->pool_head.valid || out->pool_pop) {
    in->pool_head.valid = hd_rng_p(rng, p->source / 3);
    in->pool_head.kernel = in->pool_head.valid ? random_devk(s, rng) : (struct hd_devk){0};
  }
  if (!in->susp_head.valid || out->susp_pop) {
    in->susp_head.valid = hd_rng_p(rng, p->source / 6);
    in->susp_head.kernel = in->susp_head.valid ? random_resumed(s, rng) : (struct hd_kernel){0};
  }
}

static void drive(void *s_, struct hd_rng *rng, const struct hd_profile *p, const void *out_, const void *now,
                  void *in_) {
  struct stim *s = s_;
  const struct hd_kmu_out *out = out_;
  struct hd_kmu_in *in = in_;
  (void)now;
  if (out->offer.valid && in->kd_entry.valid && out->offer.kernel.origin.host && !out->offer.kernel.resumed)
    s->open[out->offer.kernel.origin.hwq] = 1;
  if (!in->host_launch_valid || out->host_launch_ready) {
    memset(&in->host_launch, 0, sizeof in->host_launch);
    in->host_launch_valid = hd_rng_p(rng, p->source);
    if (in->host_launch_valid) in->host_launch = any_launch(s, rng, p);
  }
  if (!hd_rng_below(rng, 100))
    in->regs_config.policy = hd_rng_p(rng, 128) ? HD_POLICY_RR : (uint8_t)hd_rng_bits(rng, s->cfg.policy_w);
  drive_classes(s, rng, p, out, in);
  drive_graph(s, rng, p, out, in);
  in->host_answer_ready = hd_rng_p(rng, p->sink);
  in->kd_entry.valid = hd_rng_p(rng, p->sink);
  for (unsigned h = 0; h < s->cfg.num_hwq; h++) {
    bool stays = in->dats_busy && s->graph_hwq == h;
    bool opens = s->open[h] && !stays && hd_rng_p(rng, p->sink / 8 + 1), late = opens && hd_rng_p(rng, 64);
    in->kd_reopen[h] = opens && !late;
    in->kin_reopen[h] = late;
    if (opens) s->open[h] = 0;
  }
}

static const char *const covers[] = {"event",
                                     "launch_stalled",
                                     "refused",
                                     "zero_dim",
                                     "over_limit",
                                     "never_fits",
                                     "unknown_hwq",
                                     "accepted",
                                     "kernel_stalled",
                                     "answer_stalled",
                                     "back_to_back_kernels",
                                     "device",
                                     "resumed",
                                     "all_classes_ask",
                                     "reopened_late",
                                     "device_before_its_turn",
                                     "device_after_device",
                                     "graph",
                                     "graph_waits",
                                     "graph_passed_by_a_host_kernel",
                                     "graph_after_graph",
                                     "graph_over_limit",
                                     "graph_of_most_tbs",
                                     "rare_host_before_a_device_kernel",
                                     "rare_resumed_before_a_device_kernel",
                                     NULL};

/* Kernels with a graph: launches and offers. */
static void cover_graphs(const struct hd_kmu_in *in, const struct hd_kmu_out *out, uint64_t *hits) {
  const struct hd_launch *l = &in->host_launch;
  const bool kernel = out->offer.valid && in->kd_entry.valid, taken = in->host_launch_valid && out->host_launch_ready;
  hits[0] += kernel && out->offer.kernel.graph;
  hits[1] += in->dats_busy && !out->offer.valid;
  hits[2] += in->dats_busy && kernel && out->offer.kernel.origin.host && !out->offer.kernel.resumed;
  hits[3] += out->offer.valid && out->offer.kernel.graph && in->kd_entry.valid && taken && l->graph;
  hits[4] += taken && l->graph && (l->ctas > 65535 || l->desc.param % 64);
  hits[5] += taken && l->graph && l->ctas == 65535;
}

static void cover(void *s_, const void *in_, const void *out_, uint64_t *hits) {
  const struct hd_kmu_in *in = in_;
  const struct hd_kmu_out *out = out_;
  const struct stim *s = s_;
  bool answer = out->host_answer_valid && in->host_answer_ready, kernel = out->offer.valid && in->kd_entry.valid;
  hits[0] += (in->host_launch_valid && out->host_launch_ready) + answer + kernel;
  hits[1] += in->host_launch_valid && !out->host_launch_ready;
  static const uint8_t at[] = {7, 2, 3, 4, 5, 6};
  if (answer && out->host_answer.code < sizeof at) hits[at[out->host_answer.code]]++;
  hits[8] += out->offer.valid && !in->kd_entry.valid;
  hits[9] += out->host_answer_valid && !in->host_answer_ready;
  hits[10] += kernel && in->host_launch_valid && out->host_launch_ready;
  hits[11] += out->pool_pop;
  hits[12] += out->susp_pop;
  hits[13] += in->pool_head.valid && in->susp_head.valid && kernel;
  for (unsigned h = 0; h < s->cfg.num_hwq; h++) hits[14] += in->kin_reopen[h];
  hits[15] += in->regs_config.policy != HD_POLICY_RR && out->pool_pop && in->susp_head.valid;
  cover_graphs(in, out, hits + 17);
  const bool passes =
      in->regs_config.policy != HD_POLICY_RR && in->pool_head.valid && (!out->offer.valid || in->kd_entry.valid);
  hits[23] += passes && !out->pool_pop && !out->susp_pop;
  hits[24] += passes && out->susp_pop;
  hits[16] += in->regs_config.policy != HD_POLICY_RR && out->pool_pop && kernel && !out->offer.kernel.resumed &&
              !out->offer.kernel.origin.host;
}

enum { DEEPEST_HWQ = 8 };

/* Oracle:
 * 1. Each accepted launch of a HWQ is offered once, in order, one of a HWQ at a time.
 * 2. Answers are in the order of arrival.
 * 3. A kernel taken from pool or suspension is the next one offered, unchanged.
 * 4. Under Rr no class is skipped three times in a row.
 * 5. Under the other policies no class goes before a device kernel, and no host kernel before a suspended one, until
 *    FairEvery of these two were picked in a row. With FairEvery, a device kernel is skipped at most twice in a row,
 *    the other classes at most FairEvery + 1 times.
 * 6. A kernel has a graph if and only if its launch has one, and none with a graph is picked while another one is in
 *    the KD or offered. */
struct oracle {
  struct hd_cfg cfg;
  struct hd_launch taken[8]; /* launches waiting for their answer */
  unsigned taken_n;
  struct hd_launch queue[HD_MAX_NUM_HWQ][DEEPEST_HWQ + 2]; /* accepted, not yet offered to the KD */
  uint8_t n[HD_MAX_NUM_HWQ], busy[HD_MAX_NUM_HWQ];
  uint8_t was_valid, was_taken;
  struct hd_kernel was;
  uint8_t popped;       /* a kernel of pool or suspension was taken in the previous cycle: it must be offered now */
  struct hd_kernel pop; /* that kernel */
  unsigned passed[3];   /* per class: kernels of other classes picked while one waited */
  uint8_t waited[3];    /* one waited in the previous cycle */
  unsigned ahead;       /* kernels picked in a row that are not of the host */
  uint8_t was_policy;   /* of the previous cycle */
  uint8_t was_busy;     /* a graph was in the KD in the previous cycle */
};

HD_BLOCK_DRIVER_ORACLE

/* Checks a kernel that is offered since this cycle, so was picked in the previous one. */
static const char *graph_comes(const struct oracle *o, const struct hd_kernel *kernel) {
  if (!kernel->graph) return NULL;
  if (!kernel->origin.host || kernel->resumed) return "a kernel is offered with a graph although its launch had none";
  if (o->was_busy || (o->was_valid && o->was.graph))
    return "a kernel with a graph was picked while another one is active";
  return NULL;
}

/* A host kernel is offered to the KD: checks that it was launched, and the order. */
static const char *leaves_hwq(struct oracle *o, const struct hd_kernel *kernel) {
  unsigned h = kernel->origin.hwq;
  if (h >= o->cfg.num_hwq || o->busy[h]) return "a kernel is offered of a HWQ whose kernel has not completed";
  /* Its answer may be outstanding: then it is the oldest unanswered launch of this HWQ. */
  if (!o->n[h]) {
    unsigned k = 0;
    while (k < o->taken_n && (o->taken[k].hwq != h || o->taken[k].tag != kernel->origin.tag ||
                              memcmp(&o->taken[k].desc, &kernel->desc, sizeof kernel->desc)))
      k++;
    if (k == o->taken_n || o->taken[k].graph != kernel->graph)
      return "a kernel is offered that was not launched, or is out of order";
    o->taken[k].threads = 0; /* offered before it was answered */
  } else {
    if (o->queue[h][0].tag != kernel->origin.tag || o->queue[h][0].graph != kernel->graph ||
        memcmp(&o->queue[h][0].desc, &kernel->desc, sizeof kernel->desc))
      return "kernels of a HWQ are offered out of order, or changed";
    memmove(&o->queue[h][0], &o->queue[h][1], sizeof o->queue[h] - sizeof o->queue[h][0]);
    o->n[h]--;
  }
  o->busy[h] = 1;
  return NULL;
}

/* Checks the pick of a kernel of this class. */
static const char *class_of(struct oracle *o, unsigned class) {
  const bool rr = o->was_policy == HD_POLICY_RR, fair = o->cfg.fair_every,
             turns = fair && o->ahead >= o->cfg.fair_every;
  for (unsigned c = 0; c < HD_KMU_CLASSES; c++) {
    const unsigned most = rr || c == HD_KMU_DEVICE ? 2 : o->cfg.fair_every + 1;
    o->passed[c] = class == c || !o->waited[c] ? 0 : o->passed[c] + 1;
    if ((rr || fair) && o->passed[c] > most) return "a class is skipped too often";
  }
  if (!rr && !turns && class != HD_KMU_DEVICE && (o->waited[HD_KMU_DEVICE] || (!class && o->waited[HD_KMU_RESUMED])))
    return "a device kernel, or else a suspended one, should have been picked first";
  o->ahead = class == HD_KMU_HOST ? 0 : class == HD_KMU_DEVICE && turns ? 1 : o->ahead + 1;
  return NULL;
}

/* Returns true if a host launch that may be picked is certainly at the head of an open HWQ. */
static bool some_head(const struct oracle *o, const struct hd_kmu_out *out) {
  const bool offered = out->offer.valid && out->offer.kernel.origin.host && !out->offer.kernel.resumed;
  for (unsigned h = 0; h < o->cfg.num_hwq; h++)
    if (o->n[h] && !o->busy[h] && !o->queue[h][0].graph && !(offered && out->offer.kernel.origin.hwq == h)) return true;
  return false;
}

/* The kernel picked in the previous cycle is offered now; counts how often waiting classes are skipped. */
static const char *classes(struct oracle *o, const struct hd_kmu_in *in, const struct hd_kmu_out *out) {
  bool fresh = out->offer.valid && (!o->was_valid || o->was_taken);
  const char *rule = fresh ? graph_comes(o, &out->offer.kernel) : NULL;
  if (rule) return rule;
  if (o->popped && (!fresh || memcmp(&o->pop, &out->offer.kernel, sizeof o->pop)))
    return "a kernel taken from pool or suspension is not offered, or has changed";
  if (fresh) rule = class_of(o, !o->popped ? HD_KMU_HOST : out->offer.kernel.resumed ? HD_KMU_RESUMED : HD_KMU_DEVICE);
  if (rule) return rule;
  if ((o->was_policy == HD_POLICY_RR) != (in->regs_config.policy == HD_POLICY_RR))
    memset(o->passed, 0, sizeof o->passed);
  o->was_policy = in->regs_config.policy;
  o->was_busy = in->dats_busy;
  o->waited[HD_KMU_HOST] = some_head(o, out);
  o->waited[HD_KMU_DEVICE] = in->pool_head.valid;
  o->waited[HD_KMU_RESUMED] = in->susp_head.valid;
  o->popped = out->pool_pop || out->susp_pop;
  o->pop = in->susp_head.kernel;
  o->pop.graph = 0;
  if (out->pool_pop && out->susp_pop) return "two kernels are taken in one cycle";
  if ((out->pool_pop && !in->pool_head.valid) || (out->susp_pop && !in->susp_head.valid))
    return "a kernel is taken that is not valid";
  if (out->pool_pop) {
    o->pop = (struct hd_kernel){.desc = in->pool_head.kernel.desc,
                                .need = in->pool_head.kernel.need,
                                .ctas = in->pool_head.kernel.ctas,
                                .level = in->pool_head.kernel.level};
    o->pop.origin.up = in->pool_head.kernel.up;
    o->pop.origin.stream = in->pool_head.kernel.stream;
    o->pop.origin.smx = in->pool_head.kernel.smx;
  }
  return NULL;
}

static const char *watch(void *o_, uint64_t cycle, const void *in_, const void *out_) {
  struct oracle *o = o_;
  const struct hd_kmu_in *in = in_;
  const struct hd_kmu_out *out = out_;
  (void)cycle;
  for (unsigned h = 0; h < o->cfg.num_hwq; h++)
    if (in->kd_reopen[h] || in->kin_reopen[h]) o->busy[h] = 0;
  if (o->was_valid && !o->was_taken && (!out->offer.valid || memcmp(&o->was, &out->offer.kernel, sizeof o->was)))
    return "an offered kernel changed before it was accepted";
  const char *rule = classes(o, in, out);
  if (rule) return rule;
  o->was_valid = out->offer.valid;
  o->was_taken = in->kd_entry.valid;
  o->was = out->offer.kernel;
  if (out->offer.valid && in->kd_entry.valid && out->offer.kernel.origin.host && !out->offer.kernel.resumed) {
    rule = leaves_hwq(o, &out->offer.kernel);
    if (rule) return rule;
  }
  if (out->host_answer_valid && in->host_answer_ready) {
    if (!o->taken_n || o->taken[0].tag != out->host_answer.tag) return "an answer is out of order";
    struct hd_launch l = o->taken[0];
    memmove(&o->taken[0], &o->taken[1], sizeof o->taken - sizeof o->taken[0]);
    o->taken_n--;
    if (out->host_answer.code == HD_CODE_ACCEPTED && l.threads) {
      if (o->n[l.hwq] >= o->cfg.hwq_depth + 1) return "a HWQ holds more than its depth";
      o->queue[l.hwq][o->n[l.hwq]++] = l;
    }
  }
  if (in->host_launch_valid && out->host_launch_ready) {
    if (o->taken_n == 4) return "more launches are unanswered than fit";
    o->taken[o->taken_n++] = in->host_launch;
  }
  return NULL;
}

const struct hd_block_driver hd_block_driver_kmu = {HD_BLOCK_DRIVER_MODEL_FIELDS(kmu), HD_BLOCK_DRIVER_ROWS_FIELDS(kmu),
                                                    HD_BLOCK_DRIVER_STIM_FIELDS(struct stim),
                                                    HD_BLOCK_DRIVER_ORACLE_FIELDS};
