/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "host/kmu.h"

#include <string.h>

/* Limits of a kernel with a graph: its descriptor's address, its TBs. */
enum { GRAPH_ALIGN = 64, GRAPH_CTAS = 65535 };

size_t hd_kmu_size(const struct hd_cfg *cfg) {
  return sizeof(struct hd_kmu) + cfg->num_hwq * cfg->hwq_depth * sizeof(struct hd_hwqrow);
}

void hd_kmu_init(struct hd_kmu *m, const struct hd_cfg *cfg) {
  memset(m, 0, hd_kmu_size(cfg));
  m->cfg = (struct hd_kmu_cfg){
      .size = (uint32_t)hd_kmu_size(cfg),
      .num_hwq = cfg->num_hwq,
      .hwq_words = HD_WORDS(cfg->num_hwq),
      .hwq_depth = cfg->hwq_depth,
      .fair_every = cfg->fair_every,
      .has_graph = cfg->has_graph,
      .not_graph = ~(UINT64_MAX >> (64 - cfg->addr_w)) | (GRAPH_ALIGN - 1),
      .smx = hd_check_smx(cfg),
  };
  hd_kmu_reset(m);
}

void hd_kmu_reset(struct hd_kmu *m) {
  memset((char *)m + sizeof m->cfg, 0, m->cfg.size - sizeof m->cfg);
}

/* Returns true if the launch at the head of the HWQ has a graph. */
static bool head_has_graph(const struct hd_kmu *m, unsigned hwq) {
  return m->ring[hwq].graph >> m->ring[hwq].first & 1;
}

/* Returns an open HWQ with a head, round robin, or -1. Excludes heads with a graph while a kernel with a graph is in
 * the output stage or the KD, and those of HWQs that were just served. */
static int open_hwq(const struct hd_kmu *m, const struct hd_kmu_requests *a) {
  uint64_t open[HD_WORDS(HD_MAX_NUM_HWQ)] = {0};
  bool no_graphs = a->graph_busy || m->kernel.graph;
  for (unsigned k = 0; k < m->cfg.hwq_words; k++) {
    open[k] = m->waiting[k] & (~m->closed[k] | a->reopen[k]);
    for (uint64_t w = no_graphs ? open[k] : open[k] & m->served[k]; w; w &= w - 1) {
      unsigned h = k * 64 + hd_lowest(w);
      if (head_has_graph(m, h)) hd_bit_clear(open, h);
    }
  }
  return hd_bits_rr(open, m->cfg.hwq_words, m->hwq_ptr);
}

/* FairEvery: enough kernels have gone before the host's, so the classes alternate. */
static bool turns(const struct hd_kmu *m) {
  return m->cfg.fair_every && m->passed == m->cfg.fair_every;
}

struct hd_kmu_pick hd_kmu_pick(const struct hd_kmu *m, const struct hd_kmu_requests *a) {
  struct hd_kmu_pick p = {.from = HD_KMU_NONE, .hwq = -1};
  if (m->kernel_valid && !a->kernel_ready) return p;
  int hwq = open_hwq(m, a);
  const uint64_t asking = (uint64_t)(hwq >= 0) << HD_KMU_HOST | (uint64_t)a->dev_valid << HD_KMU_DEVICE |
                          (uint64_t)a->res_valid << HD_KMU_RESUMED;
  /* LaPerm's policies: device kernels, then suspended ones, then the host's. */
  p.from = hd_bits_rr(&asking, 1, a->policy == HD_POLICY_RR || turns(m) ? m->class_ptr : HD_KMU_DEVICE);
  if (p.from == HD_KMU_HOST) p.hwq = hwq;
  return p;
}

static void reopened(const struct hd_kmu *m, const struct hd_kmu_in *in, uint64_t *reopen) {
  uint64_t late[HD_WORDS(HD_MAX_NUM_HWQ)];
  hd_bits_from_bytes(reopen, in->kd_reopen, m->cfg.num_hwq);
  hd_bits_from_bytes(late, in->kin_reopen, m->cfg.num_hwq);
  for (unsigned k = 0; k < m->cfg.hwq_words; k++) reopen[k] |= late[k];
}

/* reopen: result of reopened(). */
static struct hd_kmu_pick pick(const struct hd_kmu *m, const struct hd_kmu_in *in, const uint64_t *reopen) {
  const struct hd_kmu_requests a = {.policy = in->regs_config.policy,
                                    .reopen = reopen,
                                    .kernel_ready = in->kd_entry.valid,
                                    .dev_valid = in->pool_head.valid,
                                    .res_valid = in->susp_head.valid,
                                    .graph_busy = in->dats_busy};
  return hd_kmu_pick(m, &a);
}

void hd_kmu_eval(const struct hd_kmu *m, const struct hd_kmu_in *in, struct hd_kmu_out *out) {
  uint64_t reopen[HD_WORDS(HD_MAX_NUM_HWQ)];
  reopened(m, in, reopen);
  const struct hd_kmu_pick p = pick(m, in, reopen);
  out->host_launch_ready = hd_kmu_launch_ready(m);
  out->host_answer_valid = m->answer_count > 0;
  out->host_answer = m->answer[0];
  out->offer.valid = m->kernel_valid;
  out->offer.kernel = m->kernel;
  out->pool_pop = p.from == HD_KMU_DEVICE;
  out->susp_pop = p.from == HD_KMU_RESUMED;
}

/* Judges the launch register, except for `refused`, which depends on the queue. */
static enum hd_code judge(const struct hd_kmu *m, struct hd_need *need) {
  const struct hd_launch *l = &m->launch;
  const struct hd_check_tbs tbs = {l->threads, l->regs, l->smem, l->ctas};
  enum hd_code code = hd_check(&m->cfg.smx, &l->desc, &tbs, need);
  bool bad_graph = l->graph && (!m->cfg.has_graph || l->ctas > GRAPH_CTAS || l->desc.param & m->cfg.not_graph);
  if (bad_graph && code != HD_CODE_ZERO_DIM) return HD_CODE_OVER_LIMIT;
  if (code == HD_CODE_ACCEPTED && l->hwq >= m->cfg.num_hwq) return HD_CODE_UNKNOWN_HWQ;
  return code;
}

/* The graph of this HWQ, which is closed, was picked: graphs at the heads of open HWQs precede its next one. */
static void grant_graph(struct hd_kmu *m, unsigned hwq) {
  bool others = false;
  for (unsigned k = 0; k < m->cfg.hwq_words; k++)
    for (uint64_t w = m->waiting[k] & ~m->closed[k] & ~m->served[k]; w; w &= w - 1)
      others |= head_has_graph(m, k * 64 + hd_lowest(w));
  if (others)
    hd_bit_set(m->served, hwq);
  else
    memset(m->served, 0, sizeof m->served);
}

/* Takes the head of a HWQ and closes the HWQ. */
static struct hd_kernel pop_hwq(struct hd_kmu *m, unsigned hwq) {
  struct hd_kmu_ring r = m->ring[hwq];
  const unsigned at = hwq * m->cfg.hwq_depth + r.first;
  const struct hd_hwqrow row = m->row[at];
  struct hd_kernel k = {.desc = row.desc, .need = row.need, .ctas = row.ctas};
  k.origin.host = 1;
  k.origin.tag = row.tag;
  k.origin.hwq = row.hwq;
  k.graph = head_has_graph(m, hwq);
  m->row[at] = (struct hd_hwqrow){0};
  r.graph &= (uint8_t) ~(1u << r.first);
  r.count--;
  r.first = (uint8_t)(r.first + 1u == m->cfg.hwq_depth ? 0 : r.first + 1);
  m->ring[hwq] = r;
  hd_bit_put(m->waiting, hwq, r.count > 0);
  hd_bit_set(m->closed, hwq);
  if (k.graph) grant_graph(m, hwq);
  m->hwq_ptr = (uint8_t)(hwq + 1 == m->cfg.num_hwq ? 0 : hwq + 1);
  return k;
}

/* Makes the KD's inputs for a device kernel. */
static struct hd_kernel of_device(const struct hd_devk *d) {
  struct hd_kernel k = {.desc = d->desc, .need = d->need, .ctas = d->ctas, .level = d->level};
  k.origin.up = d->up;
  k.origin.stream = d->stream;
  k.origin.smx = d->smx;
  return k;
}

/* A device kernel that is picked in its turn counts as the first of the next ones that precede the host's. */
static void count_passed(struct hd_kmu *m, enum hd_kmu_class from) {
  if (from == HD_KMU_HOST)
    m->passed = 0;
  else if (from == HD_KMU_DEVICE && turns(m))
    m->passed = 1;
  else if (m->passed < m->cfg.fair_every)
    m->passed++;
}

/* Loads the output stage, which is free, with the kernel that was picked. */
static void load_stage(struct hd_kmu *m, const struct hd_kmu_edge *e) {
  switch (e->pick.from) {
    case HD_KMU_HOST:
      m->kernel = pop_hwq(m, (unsigned)e->pick.hwq);
      break;
    case HD_KMU_DEVICE:
      m->kernel = of_device(e->dev);
      break;
    default:
      m->kernel = *e->res;
      m->kernel.graph = 0;
  }
  m->kernel_valid = 1;
  count_passed(m, e->pick.from);
  m->class_ptr = (uint8_t)(e->pick.from + 1 == HD_KMU_CLASSES ? 0 : e->pick.from + 1);
}

/* Appends an accepted launch to its HWQ. */
static void push(struct hd_kmu *m, const struct hd_launch *l, const struct hd_need *need) {
  struct hd_kmu_ring r = m->ring[l->hwq];
  const unsigned at = (r.first + (unsigned)r.count) % m->cfg.hwq_depth, row = l->hwq * m->cfg.hwq_depth + at;
  m->row[row] = (struct hd_hwqrow){.desc = l->desc, .need = *need, .ctas = l->ctas, .hwq = l->hwq, .tag = l->tag};
  hd_wrote(&m->wrote[0], row);
  r.graph |= (uint8_t)((unsigned)l->graph << at);
  r.count++;
  m->ring[l->hwq] = r;
  hd_bit_set(m->waiting, l->hwq);
}

static void pop_answer(struct hd_kmu *m) {
  m->answer[0] = m->answer[1];
  memset(&m->answer[1], 0, sizeof m->answer[1]);
  m->answer_count--;
}

/* The edge of a waiting launch: its answer, and its row if it is accepted. `full`: its HWQ was full at the start of the
 * cycle. */
static void answer_launch(struct hd_kmu *m, enum hd_code code, const struct hd_need *need, bool full) {
  if (code == HD_CODE_ACCEPTED && full) code = HD_CODE_REFUSED;
  m->answer[m->answer_count++] = (struct hd_answer){.tag = m->launch.tag, .code = (uint8_t)code};
  if (code == HD_CODE_ACCEPTED) push(m, &m->launch, need);
}

void hd_kmu_step(struct hd_kmu *m, const struct hd_kmu_edge *e) {
  bool taken = e->launch && hd_kmu_launch_ready(m);
  bool judging = m->launch_valid && m->answer_count < HD_KMU_ANSWERS;
  struct hd_need need;
  enum hd_code code = HD_CODE_ACCEPTED;
  bool full = false;
  if (judging) { /* before the pick, which frees its place only for the next cycle */
    code = judge(m, &need);
    full = code == HD_CODE_ACCEPTED && m->ring[m->launch.hwq].count == m->cfg.hwq_depth;
  }
  for (unsigned k = 0; k < m->cfg.hwq_words; k++) m->closed[k] &= ~e->reopen[k];
  if (e->pick.from != HD_KMU_NONE) {
    load_stage(m, e);
  } else if (m->kernel_valid && e->kernel_ready) {
    m->kernel_valid = 0;
    memset(&m->kernel, 0, sizeof m->kernel);
  }
  if (e->answer_ready && m->answer_count) pop_answer(m);
  if (judging) answer_launch(m, code, &need, full);
  if (taken) {
    m->launch = *e->launch;
    m->launch_valid = 1;
  } else if (judging) {
    m->launch_valid = 0;
    memset(&m->launch, 0, sizeof m->launch);
  }
}

void hd_kmu_tick(struct hd_kmu *m, const struct hd_kmu_in *in) {
  uint64_t reopen[HD_WORDS(HD_MAX_NUM_HWQ)];
  reopened(m, in, reopen);
  const struct hd_kmu_edge e = {
      .pick = pick(m, in, reopen),
      .launch = in->host_launch_valid ? &in->host_launch : NULL,
      .dev = &in->pool_head.kernel,
      .res = &in->susp_head.kernel,
      .reopen = reopen,
      .answer_ready = in->host_answer_ready,
      .kernel_ready = in->kd_entry.valid,
  };
  hd_kmu_step(m, &e);
}

void hd_kmu_arch_row(const struct hd_kmu *m, unsigned row, struct hd_kmu_arch *a) {
  unsigned depth = m->cfg.hwq_depth; /* a power of two */
  const struct hd_kmu_ring r = m->ring[row / depth];
  a->hwq_row[row] = m->row[row];
  a->hwq_row_valid[row] = ((row - r.first) & (depth - 1)) < r.count;
}

void hd_kmu_arch(const struct hd_kmu *m, struct hd_kmu_arch *a, bool tables) {
  a->launch_valid = m->launch_valid;
  a->launch = m->launch;
  a->answer_count = m->answer_count;
  a->hwq_ptr = m->hwq_ptr;
  a->class_ptr = m->class_ptr;
  a->passed = m->passed;
  hd_bits_to_bytes(a->hwq_closed, m->closed, m->cfg.num_hwq);
  hd_bits_to_bytes(a->graph_served, m->served, m->cfg.num_hwq);
  for (unsigned h = 0; h < m->cfg.num_hwq; h++) {
    a->hwq_count[h] = m->ring[h].count;
    a->hwq_first[h] = m->ring[h].first;
  }
  for (unsigned i = 0; i < m->cfg.num_hwq * m->cfg.hwq_depth; i++) {
    const struct hd_kmu_ring r = m->ring[i / m->cfg.hwq_depth];
    a->hwq_graph[i] = r.graph >> (r.first + i) % m->cfg.hwq_depth & 1;
  }
  a->kernel_graph = m->kernel.graph;
  for (unsigned i = 0; tables && i < m->cfg.num_hwq * m->cfg.hwq_depth; i++) hd_kmu_arch_row(m, i, a);
}
