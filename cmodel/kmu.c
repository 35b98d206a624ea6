/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "kmu.h"

#include <string.h>

static struct hd_kmu_ring *rings(struct hd_kmu *m) {
  return (struct hd_kmu_ring *)(void *)(m->row + m->cfg.num_hwq * m->cfg.hwq_depth);
}

static const struct hd_kmu_ring *rings_of(const struct hd_kmu *m) {
  return (const struct hd_kmu_ring *)(const void *)(m->row + m->cfg.num_hwq * m->cfg.hwq_depth);
}

size_t hd_kmu_size(const struct hd_cfg *cfg) {
  size_t n = sizeof(struct hd_kmu) + cfg->num_hwq * cfg->hwq_depth * sizeof(struct hd_hwqrow);
  n += cfg->num_hwq * sizeof(struct hd_kmu_ring);
  return (n + 7) / 8 * 8;
}

void hd_kmu_init(struct hd_kmu *m, const struct hd_cfg *cfg) {
  memset(m, 0, hd_kmu_size(cfg));
  m->cfg = (struct hd_kmu_cfg){
      .size = (uint32_t)hd_kmu_size(cfg),
      .num_hwq = cfg->num_hwq,
      .hwq_words = HD_WORDS(cfg->num_hwq),
      .hwq_depth = cfg->hwq_depth,
      .smx = hd_check_smx(cfg),
  };
  hd_kmu_reset(m);
}

void hd_kmu_reset(struct hd_kmu *m) {
  memset((char *)m + sizeof m->cfg, 0, m->cfg.size - sizeof m->cfg);
}

enum hd_code hd_kmu_judge(const struct hd_kmu_cfg *cfg, const struct hd_launch *launch, struct hd_need *need) {
  const struct hd_check_tbs tbs = {launch->threads, launch->regs, launch->smem, launch->ctas};
  enum hd_code code = hd_check(&cfg->smx, &launch->desc, &tbs, need);
  if (code == HD_CODE_ACCEPTED && launch->hwq >= cfg->num_hwq) return HD_CODE_UNKNOWN_HWQ;
  return code;
}

/* The open HWQ whose head is next, round robin, or -1. reopen: set of HWQs, or NULL. */
static int next_hwq(const struct hd_kmu *m, const uint64_t *reopen, const uint64_t *reopen_kin) {
  uint64_t open[HD_WORDS(HD_MAX_NUM_HWQ)] = {0};
  for (unsigned k = 0; k < m->cfg.hwq_words; k++) open[k] = m->waiting[k] & (~m->closed[k] | reopen[k] | reopen_kin[k]);
  return hd_bits_rr(open, m->cfg.hwq_words, m->hwq_ptr);
}

/* Puts the head of a HWQ into the output stage and closes the HWQ. */
static void pop(struct hd_kmu *m, unsigned hwq) {
  struct hd_kmu_ring *r = &rings(m)[hwq];
  struct hd_hwqrow *row = &m->row[hwq * m->cfg.hwq_depth + r->first];
  m->kernel = (struct hd_kernel){
      .desc = row->desc, .need = row->need, .ctas = row->ctas, .origin = {.host = 1, .tag = row->tag, .hwq = row->hwq}};
  memset(row, 0, sizeof *row);
  r->count--;
  r->first = (uint8_t)(r->first + 1u == m->cfg.hwq_depth ? 0 : r->first + 1);
  hd_bit_put(m->waiting, hwq, r->count > 0);
  hd_bit_set(m->closed, hwq);
  m->hwq_ptr = (uint8_t)(hwq + 1 == m->cfg.num_hwq ? 0 : hwq + 1);
}

static struct hd_kernel device_kernel(const struct hd_devk *d) {
  return (struct hd_kernel){.desc = d->desc,
                            .need = d->need,
                            .ctas = d->ctas,
                            .level = d->level,
                            .origin = {.up = d->up, .stream = d->stream}};
}

static enum hd_kmu_class pick_class(const struct hd_kmu *m, bool kernel_ready, bool host, bool device, bool suspended) {
  const bool asks[HD_KMU_CLASSES] = {host, device, suspended};
  if (m->kernel_valid && !kernel_ready) return HD_KMU_NONE;
  for (unsigned k = 0; k < HD_KMU_CLASSES; k++) {
    unsigned c = (m->class_ptr + k) % HD_KMU_CLASSES;
    if (asks[c]) return (enum hd_kmu_class)c;
  }
  return HD_KMU_NONE;
}

enum hd_kmu_class hd_kmu_choose(const struct hd_kmu *m, const struct hd_kmu_edge *e) {
  return pick_class(m, e->kernel_ready, next_hwq(m, e->reopen, e->reopen_kin) >= 0, e->device != NULL,
                    e->suspended != NULL);
}

/* Writes an accepted launch behind the others of its HWQ. */
static void push(struct hd_kmu *m, const struct hd_launch *l, const struct hd_need *need) {
  struct hd_kmu_ring *r = &rings(m)[l->hwq];
  unsigned position = (r->first + (unsigned)r->count) % m->cfg.hwq_depth;
  m->row[l->hwq * m->cfg.hwq_depth + position] =
      (struct hd_hwqrow){.desc = l->desc, .need = *need, .ctas = l->ctas, .hwq = l->hwq, .tag = l->tag};
  r->count++;
  hd_bit_set(m->waiting, l->hwq);
}

static void pop_answer(struct hd_kmu *m) {
  m->answer[0] = m->answer[1];
  memset(&m->answer[1], 0, sizeof m->answer[1]);
  m->answer_count--;
}

/* The edge for a waiting launch: its answer, and its row if it is accepted. `full`: its HWQ was full when the cycle
 * began. */
static void answer_launch(struct hd_kmu *m, enum hd_code code, const struct hd_need *need, bool full) {
  if (code == HD_CODE_ACCEPTED && full) code = HD_CODE_REFUSED;
  m->answer[m->answer_count++] = (struct hd_answer){.tag = m->launch.tag, .code = (uint8_t)code};
  if (code == HD_CODE_ACCEPTED) push(m, &m->launch, need);
}

/* The next kernel goes into the output stage, or the one that was taken leaves it. */
static void move_stage(struct hd_kmu *m, const struct hd_kmu_edge *e) {
  int hwq = next_hwq(m, e->reopen, e->reopen_kin);
  enum hd_kmu_class c = hd_kmu_choose(m, e);
  for (unsigned k = 0; k < m->cfg.hwq_words; k++) m->closed[k] &= ~(e->reopen[k] | e->reopen_kin[k]);
  if (m->kernel_valid && !e->kernel_ready) return;
  if (c == HD_KMU_HOST)
    pop(m, (unsigned)hwq);
  else if (c == HD_KMU_DEVICE)
    m->kernel = device_kernel(e->device);
  else if (c == HD_KMU_SUSPENDED)
    m->kernel = *e->suspended;
  else if (m->kernel_valid)
    memset(&m->kernel, 0, sizeof m->kernel);
  m->kernel_valid = c != HD_KMU_NONE;
  if (c != HD_KMU_NONE) m->class_ptr = (uint8_t)((c + 1) % HD_KMU_CLASSES);
}

void hd_kmu_step(struct hd_kmu *m, const struct hd_kmu_edge *e) {
  bool taken = e->launch && hd_kmu_launch_ready(m);
  bool judging = m->launch_valid && m->answer_count < HD_KMU_ANSWERS;
  struct hd_need need;
  enum hd_code code = HD_CODE_ACCEPTED;
  bool full = false;
  if (judging) { /* before the pick: what leaves in this cycle makes no room in it */
    code = hd_kmu_judge(&m->cfg, &m->launch, &need);
    full = code == HD_CODE_ACCEPTED && rings(m)[m->launch.hwq].count == m->cfg.hwq_depth;
  }
  move_stage(m, e);
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

/* The ports of a cycle as an edge; reopen and reopen_kin: room for sets of HWQs. */
static struct hd_kmu_edge edge_of(const struct hd_kmu *m, const struct hd_kmu_in *in, uint64_t *reopen,
                                  uint64_t *reopen_kin) {
  hd_bits_from_bytes(reopen, in->reopen, m->cfg.num_hwq);
  hd_bits_from_bytes(reopen_kin, in->reopen_kin, m->cfg.num_hwq);
  return (struct hd_kmu_edge){.launch = in->host_launch_valid ? &in->host_launch : NULL,
                              .answer_ready = in->host_answer_ready,
                              .kernel_ready = in->kernel_ready,
                              .reopen = reopen,
                              .reopen_kin = reopen_kin,
                              .device = in->dev_valid ? &in->dev : NULL,
                              .suspended = in->res_valid ? &in->res : NULL};
}

void hd_kmu_eval(const struct hd_kmu *m, const struct hd_kmu_in *in, struct hd_kmu_out *out) {
  uint64_t reopen[HD_WORDS(HD_MAX_NUM_HWQ)], reopen_kin[HD_WORDS(HD_MAX_NUM_HWQ)];
  const struct hd_kmu_edge e = edge_of(m, in, reopen, reopen_kin);
  enum hd_kmu_class c = hd_kmu_choose(m, &e);
  out->host_launch_ready = hd_kmu_launch_ready(m);
  out->host_answer_valid = m->answer_count > 0;
  out->host_answer = m->answer[0];
  out->kernel_valid = m->kernel_valid;
  out->kernel = m->kernel;
  out->dev_pop = c == HD_KMU_DEVICE;
  out->res_pop = c == HD_KMU_SUSPENDED;
}

void hd_kmu_tick(struct hd_kmu *m, const struct hd_kmu_in *in) {
  uint64_t reopen[HD_WORDS(HD_MAX_NUM_HWQ)], reopen_kin[HD_WORDS(HD_MAX_NUM_HWQ)];
  const struct hd_kmu_edge e = edge_of(m, in, reopen, reopen_kin);
  hd_kmu_step(m, &e);
}

void hd_kmu_arch(const struct hd_kmu *m, struct hd_kmu_arch *a, bool tables) {
  const struct hd_kmu_ring *r = rings_of(m);
  a->launch_valid = m->launch_valid;
  a->launch = m->launch;
  a->answer_count = m->answer_count;
  a->hwq_ptr = m->hwq_ptr;
  a->class_ptr = m->class_ptr;
  hd_bits_to_bytes(a->hwq_closed, m->closed, m->cfg.num_hwq);
  for (unsigned h = 0; h < m->cfg.num_hwq; h++) {
    a->hwq_count[h] = r[h].count;
    a->hwq_first[h] = r[h].first;
  }
  if (!tables) return;
  unsigned depth = m->cfg.hwq_depth;
  memcpy(a->hwq_row, m->row, m->cfg.num_hwq * depth * sizeof *m->row);
  for (unsigned h = 0; h < m->cfg.num_hwq; h++) {
    for (unsigned i = 0; i < depth; i++) { /* depth is a power of two */
      a->hwq_row_valid[h * depth + i] = ((i - r[h].first) & (depth - 1)) < r[h].count;
    }
  }
}
