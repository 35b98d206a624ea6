/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "family/kin.h"

#include <string.h>

size_t hd_kin_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct hd_kin);
}

void hd_kin_init(struct hd_kin *m, const struct hd_cfg *cfg) {
  memset(m, 0, sizeof *m);
  m->cfg = (struct hd_kin_cfg){.num_kin = cfg->num_kin, .words = HD_WORDS(cfg->num_kin), .num_hwq = cfg->num_hwq};
  hd_kin_reset(m);
}

void hd_kin_reset(struct hd_kin *m) {
  struct hd_kin_cfg cfg = m->cfg;
  memset(m, 0, sizeof *m);
  m->cfg = cfg;
  for (unsigned r = 0; r < cfg.num_kin; r++) hd_bit_set(m->free, r);
}

/* Returns a record whose kernel is complete because its last child is: gone, or suspended and failed. */
static int next_ripe(const struct hd_kin *m) {
  uint64_t ripe[HD_KIN_WORDS] = {0};
  for (unsigned k = 0; k < m->cfg.words; k++)
    ripe[k] = ~m->free[k] & m->alone[k] & (m->gone[k] | (m->susp[k] & m->failed[k]));
  return hd_bits_rr(ripe, m->cfg.words, m->ripe_ptr);
}

/* Returns a record whose suspended kernel may resume. */
static int next_ready(const struct hd_kin *m) {
  uint64_t ready[HD_KIN_WORDS] = {0};
  for (unsigned k = 0; k < m->cfg.words; k++) ready[k] = ~m->free[k] & m->alone[k] & m->susp[k] & ~m->failed[k];
  return hd_bits_rr(ready, m->cfg.words, m->ready_ptr);
}

/* Returns true if C is empty, or its completion leaves in this cycle. */
static bool c_free(const struct hd_kin *m, const struct hd_kin_in *in) {
  return !m->c.valid || !m->c.origin.host || in->kernel_done_ready;
}

/* A failed kernel does not restart its saved TBs, so it may leave while one is still being written to memory. It stays
 * until none is: an error of that write must not fail the next owner of the record. */
static bool leaves_a_save(const struct hd_kin_in *in) {
  return in->kd_leave.kin_valid && in->kd_leave.origin.failed && in->susp_saving;
}

bool hd_kin_busy(const struct hd_kin *m) {
  return hd_bits_count(m->free, m->cfg.words) < m->cfg.num_kin;
}

void hd_kin_eval(const struct hd_kin *m, const struct hd_kin_in *in, struct hd_kin_out *out) {
  int alloc = hd_bits_first(m->free, m->cfg.words);
  bool open = c_free(m, in) && next_ripe(m) < 0;
  out->free.valid = alloc >= 0;
  out->free.kin = (uint16_t)(alloc < 0 ? 0 : alloc);
  out->lost_ready = open;
  out->leave_ready = open && !in->pool_lost.valid && !leaves_a_save(in);
  out->suspended_ready = !in->kd_leave.valid;
  out->busy = hd_kin_busy(m);
  out->resume.valid = m->resume_valid;
  out->resume.kin = m->resume_kin;
  out->kernel_done_valid = m->c.valid && m->c.origin.host;
  out->kernel_done = (struct hd_completion){0};
  if (out->kernel_done_valid) {
    out->kernel_done.tag = m->c.origin.tag;
    out->kernel_done.failed = m->c.origin.failed;
  }
  memset(out->reopen, 0, m->cfg.num_hwq);
  if (m->reopen_valid) out->reopen[m->reopen_hwq] = 1;
  out->stream_done.valid = m->stream_done_valid;
  out->stream_done.stream = m->stream_done;
}

static void set_children(struct hd_kin *m, unsigned r, unsigned n) {
  m->children[r] = (uint16_t)n;
  hd_bit_put(m->alone, r, n == 0);
}

static void free_record(struct hd_kin *m, unsigned r) {
  hd_bit_set(m->free, r);
  set_children(m, r, 0);
}

/* A kernel's first child allocates a record; further ones are counted. */
static void birth(struct hd_kin *m, unsigned r, bool first) {
  if (first) {
    hd_bit_clear(m->free, r);
    hd_bit_clear(m->gone, r);
    hd_bit_clear(m->susp, r);
    hd_bit_clear(m->failed, r);
    m->children[r] = 0;
  }
  set_children(m, r, m->children[r] + 1u);
}

/* A kernel completes; kin: its record, or -1. */
static void complete(struct hd_kin *m, const struct hd_origin *origin, int kin) {
  m->c = (struct hd_kin_completion){.origin = *origin, .valid = 1, .late = kin >= 0};
  if (kin < 0) return;
  m->c.origin.failed |= hd_bit(m->failed, (unsigned)kin);
  free_record(m, (unsigned)kin);
}

/* A kernel leaves the KD; with incomplete children its record remains. */
static void leave(struct hd_kin *m, const struct hd_leave *l, bool alone) {
  if (!l->kin_valid || alone) {
    complete(m, &l->origin, l->kin_valid ? l->kin : -1);
    return;
  }
  hd_bit_set(m->gone, l->kin);
  m->origin[l->kin] = l->origin;
  hd_wrote(&m->wrote[0], l->kin);
}

/* Effects of the completion in C when it leaves. */
static void finish(struct hd_kin *m) {
  const struct hd_origin o = m->c.origin;
  if (o.host) {
    m->reopen_valid = m->c.late;
    m->reopen_hwq = m->c.late ? o.hwq : 0;
  } else {
    set_children(m, o.up, m->children[o.up] - 1u);
    if (o.rest && o.failed) hd_bit_set(m->failed, o.up); /* the rest is a part of that kernel */
    m->stream_done_valid = o.stream != 0;
    m->stream_done = o.stream;
  }
  m->c = (struct hd_kin_completion){0};
}

/* Selects the next completion from the state at the start of the cycle (ripe; `alone`: the kernel that leaves has no
 * children). */
static void take_completion(struct hd_kin *m, const struct hd_kin_in *in, int ripe, bool alone) {
  if (ripe >= 0) {
    m->ripe_ptr = (uint16_t)((unsigned)ripe + 1 == m->cfg.num_kin ? 0 : ripe + 1);
    complete(m, &m->origin[ripe], ripe);
  } else if (in->pool_lost.valid) {
    struct hd_origin lost = {.up = in->pool_lost.up, .stream = in->pool_lost.stream, .failed = 1};
    complete(m, &lost, -1);
  } else if (in->kd_leave.valid && !leaves_a_save(in)) {
    leave(m, &in->kd_leave, alone);
  }
}

static void step_resume(struct hd_kin *m, const struct hd_kin_in *in, int ready) {
  if (m->resume_valid) {
    if (!in->susp_resume_ready) return;
    hd_bit_clear(m->susp, m->resume_kin);
    m->resume_valid = 0;
    m->resume_kin = 0;
  } else if (ready >= 0) {
    m->resume_valid = 1;
    m->resume_kin = (uint16_t)ready;
    m->ready_ptr = (uint16_t)((unsigned)ready + 1 == m->cfg.num_kin ? 0 : ready + 1);
  }
}

void hd_kin_tick(struct hd_kin *m, const struct hd_kin_in *in) {
  int ripe = next_ripe(m), ready = next_ready(m);
  bool open = c_free(m, in), alone = in->kd_leave.valid && hd_bit(m->alone, in->kd_leave.kin);
  m->reopen_valid = m->reopen_hwq = m->stream_done_valid = m->stream_done = 0;
  if (open && m->c.valid) finish(m);
  if (in->devq_birth.valid) {
    birth(m, in->devq_birth.kin, in->devq_birth.alloc);
  } else if (m->rest) {
    birth(m, m->rest_kin, false);
    m->rest = m->rest_kin = 0;
  }
  if (in->kd_rest.valid) {
    m->rest = 1;
    m->rest_kin = in->kd_rest.kin;
  }
  if (open) take_completion(m, in, ripe, alone);
  step_resume(m, in, ready);
  if (in->susp_suspended.valid && !in->kd_leave.valid) {
    hd_bit_set(m->susp, in->susp_suspended.kin);
    m->origin[in->susp_suspended.kin] = in->susp_suspended.origin;
    hd_wrote(&m->wrote[0], in->susp_suspended.kin);
  }
  if (in->susp_kin_fail.valid) {
    hd_bit_set(m->failed, in->susp_kin_fail.kin);
    if (in->susp_kin_fail.back) hd_bit_set(m->susp, in->susp_kin_fail.kin);
  }
}

void hd_kin_arch_row(const struct hd_kin *m, unsigned row, struct hd_kin_arch *a) {
  a->row_valid[row] = hd_bit(m->gone, row) || hd_bit(m->susp, row);
  a->row[row] = a->row_valid[row] ? m->origin[row] : (struct hd_origin){0};
}

void hd_kin_arch(const struct hd_kin *m, struct hd_kin_arch *a, bool tables) {
  unsigned n = m->cfg.num_kin;
  for (unsigned r = 0; r < n; r++) a->valid[r] = !hd_bit(m->free, r);
  hd_bits_to_bytes(a->gone, m->gone, n);
  hd_bits_to_bytes(a->susp, m->susp, n);
  hd_bits_to_bytes(a->failed, m->failed, n);
  memcpy(a->children, m->children, n * sizeof *a->children);
  a->rest = m->rest;
  a->rest_kin = m->rest_kin;
  a->c_valid = m->c.valid;
  a->ready_ptr = m->ready_ptr;
  a->ripe_ptr = m->ripe_ptr;
  for (unsigned r = 0; r < n; r++) a->written[r] = a->gone[r] || a->susp[r];
  for (unsigned r = 0; tables && r < n; r++) hd_kin_arch_row(m, r, a);
}

bool hd_kin_quiet(const struct hd_kin *m) {
  return !m->c.valid && !m->rest && !m->resume_valid && !m->reopen_valid && !m->stream_done_valid && next_ripe(m) < 0 &&
         next_ready(m) < 0;
}
