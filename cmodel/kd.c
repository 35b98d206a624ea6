/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "kd.h"

#include <string.h>

static struct hd_need *need_of(struct hd_kd *m) {
  return (struct hd_need *)(void *)((char *)m + m->cfg.need_at);
}
static uint32_t *ctas_of(struct hd_kd *m) {
  return (uint32_t *)(void *)((char *)m + m->cfg.ctas_at);
}

static size_t ctas_at(const struct hd_cfg *cfg) {
  return sizeof(struct hd_kd) + cfg->num_kde * sizeof(struct hd_kd_entry);
}

static size_t need_at(const struct hd_cfg *cfg) {
  return ctas_at(cfg) + cfg->num_kde * sizeof(uint32_t);
}

size_t hd_kd_size(const struct hd_cfg *cfg) {
  return (need_at(cfg) + cfg->num_kde * sizeof(struct hd_need) + 7) / 8 * 8;
}

void hd_kd_init(struct hd_kd *m, const struct hd_cfg *cfg) {
  memset(m, 0, hd_kd_size(cfg));
  m->cfg = (struct hd_kd_cfg){
      .size = (uint32_t)hd_kd_size(cfg),
      .num_kde = cfg->num_kde,
      .kde_words = HD_WORDS(cfg->num_kde),
      .pend_words = HD_WORDS(2 * cfg->num_kde),
      .num_hwq = cfg->num_hwq,
      .hwq_words = HD_WORDS(cfg->num_hwq),
      .need_at = (uint32_t)need_at(cfg),
      .ctas_at = (uint32_t)ctas_at(cfg),
  };
  hd_kd_reset(m);
}

void hd_kd_reset(struct hd_kd *m) {
  memset((char *)m + sizeof m->cfg, 0, m->cfg.size - sizeof m->cfg);
  for (unsigned i = 0; i < m->cfg.num_kde; i++) hd_bit_set(m->free, i);
}

void hd_kd_eval(const struct hd_kd *m, const struct hd_kd_in *in, struct hd_kd_out *out) {
  (void)in; /* all outputs come from registers */
  int alloc = hd_kd_alloc(m);
  out->kernel_ready = alloc >= 0;
  out->alloc_kdei = (uint8_t)(alloc < 0 ? 0 : alloc);
  memcpy(out->need, hd_kd_need(m), m->cfg.num_kde * sizeof *out->need);
  memcpy(out->ctas, hd_kd_ctas(m), m->cfg.num_kde * sizeof *out->ctas);
  out->desc = m->desc;
  hd_bits_to_bytes(out->reopen, m->reopen, m->cfg.num_hwq);
  out->kernel_done_valid = m->kernel_done_valid;
  out->kernel_done = m->kernel_done;
}

/* An entry is free when it holds no kernel and has a tag row for the next one. */
static void update_free(struct hd_kd *m, unsigned i) {
  hd_bit_put(m->free, i, !hd_bit(m->valid, i) && !(hd_bit(m->pend, 2 * i) && hd_bit(m->pend, 2 * i + 1)));
}

static void enter(struct hd_kd *m, unsigned i, const struct hd_kernel *k) {
  struct hd_kd_entry *e = &m->entry[i];
  hd_bit_set(m->valid, i);
  hd_bit_clear(m->free, i);
  e->desc = k->desc;
  e->hwq = k->hwq;
  e->bank = hd_bit(m->pend, 2 * i);
  e->tag[e->bank] = k->tag;
  need_of(m)[i] = k->need;
  ctas_of(m)[i] = k->ctas;
}

/* The entry's kernel has come to its end: the HWQ may reopen, the tag waits to be reported. */
static void release(struct hd_kd *m, unsigned i) {
  struct hd_kd_entry *e = &m->entry[i];
  hd_bit_clear(m->valid, i);
  hd_bit_clear(m->running, i);
  hd_bit_set(m->pend, 2 * i + e->bank);
  hd_bit_set(m->reopen, e->hwq);
  *e = (struct hd_kd_entry){.tag = {e->tag[0], e->tag[1]}};
  need_of(m)[i] = (struct hd_need){0};
  ctas_of(m)[i] = 0;
  update_free(m, i);
}

/* Loads the output stage with the next tag to report, if there is one. */
static void report(struct hd_kd *m) {
  int row = hd_bits_rr(m->pend, m->cfg.pend_words, m->pend_ptr);
  m->kernel_done_valid = row >= 0;
  m->kernel_done = 0;
  if (row < 0) return;
  unsigned i = (unsigned)row / 2;
  m->kernel_done = m->entry[i].tag[row % 2];
  m->entry[i].tag[row % 2] = 0;
  hd_bit_clear(m->pend, (unsigned)row);
  m->pend_ptr = (uint8_t)((unsigned)row + 1 == 2 * m->cfg.num_kde ? 0 : row + 1);
  update_free(m, i);
}

/* Counts TBs in execution; up and down for one entry are the net. */
static void count_exebl(struct hd_kd *m, int grant_kdei, int retire_kdei) {
  if (grant_kdei >= 0) {
    m->entry[grant_kdei].exebl++;
    hd_bit_set(m->running, (unsigned)grant_kdei);
  }
  if (retire_kdei >= 0) {
    m->entry[retire_kdei].exebl--;
    hd_bit_put(m->running, (unsigned)retire_kdei, m->entry[retire_kdei].exebl > 0);
  }
}

void hd_kd_step(struct hd_kd *m, const struct hd_kernel *kernel, const uint64_t *marked, int grant_kdei,
                int retire_kdei, bool kernel_done_ready) {
  int alloc = kernel ? hd_kd_alloc(m) : -1;
  uint64_t ended[HD_WORDS(HD_MAX_NUM_KDE)] = {0};
  for (unsigned k = 0; k < m->cfg.kde_words; k++) ended[k] = m->valid[k] & ~marked[k] & ~m->running[k];
  for (unsigned k = 0; k < m->cfg.hwq_words; k++) m->reopen[k] = 0;

  if (grant_kdei >= 0) {
    m->desc = m->entry[grant_kdei].desc;
    m->desc_valid = 1;
  } else if (m->desc_valid) {
    m->desc = (struct hd_desc){0};
    m->desc_valid = 0;
  }
  count_exebl(m, grant_kdei, retire_kdei);
  if (alloc >= 0) enter(m, (unsigned)alloc, kernel); /* before report: a row that leaves now is not free yet */
  if (!m->kernel_done_valid || kernel_done_ready) report(m);
  for (unsigned k = 0; k < m->cfg.kde_words; k++) {
    for (uint64_t w = ended[k]; w; w &= w - 1) release(m, k * 64 + hd_lowest(w));
  }
}

void hd_kd_tick(struct hd_kd *m, const struct hd_kd_in *in) {
  uint64_t marked[HD_WORDS(HD_MAX_NUM_KDE)];
  hd_bits_from_bytes(marked, in->marked, m->cfg.num_kde);
  hd_kd_step(m, in->kernel_valid ? &in->kernel : NULL, marked, in->grant_valid ? in->grant_kdei : -1,
             in->retire_valid ? in->retire_kdei : -1, in->kernel_done_ready);
}

void hd_kd_arch(const struct hd_kd *m, struct hd_kd_arch *a, bool tables) {
  unsigned n = m->cfg.num_kde;
  hd_bits_to_bytes(a->valid, m->valid, n);
  hd_bits_to_bytes(a->pend, m->pend, 2 * n);
  a->pend_ptr = m->pend_ptr;
  for (unsigned i = 0; i < n; i++) {
    a->exebl[i] = m->entry[i].exebl;
    a->hwq[i] = m->entry[i].hwq;
    a->bank[i] = m->entry[i].bank;
  }
  if (!tables) return;
  for (unsigned i = 0; i < n; i++) {
    const struct hd_kd_entry *e = &m->entry[i];
    a->desc_row[i] = e->desc;
    a->desc_row_valid[i] = a->valid[i];
    for (unsigned b = 0; b < 2; b++) {
      a->tag_row[2 * i + b] = e->tag[b];
      a->tag_row_valid[2 * i + b] = a->pend[2 * i + b] || (a->valid[i] && e->bank == b);
    }
  }
}
