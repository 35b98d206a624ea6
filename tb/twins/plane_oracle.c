/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "plane_oracle.h"

#include <stdio.h>
#include <string.h>

/* The rules:
 *  1  Answers come in the order of the launches, with the code that the launch deserves; "refused" only when its HWQ
 * may be full. 2  An accepted kernel hands out TBs 0, 1, .. ctas - 1, each once, with its own descriptor. 3  Kernels of
 * a HWQ run one after the other, in the order of launch. 4  A kernel hands out no TB before every older one has handed
 * out all of its own. 5  At most one TB is handed out per cycle, to a slot that is empty, within the SMX's warps,
 * registers and shared memory. 6  What is offered stays unchanged until it is taken. 7  kernel_done comes once for each
 * kernel, and not before its last TB is done. */

enum { UNANSWERED = 8, DEEPEST_HWQ = 8 };

struct kernel {
  struct hd_desc desc;
  uint32_t ctas, next, done;
  uint16_t tag;
  uint8_t hwq, active;
  uint32_t warps, regs, smem; /* of one TB */
};

struct slot {
  uint8_t state; /* 0 empty, 1 offered, 2 running */
  uint8_t kdei;
};

struct oracle {
  struct hd_cfg cfg;
  struct hd_launch taken[UNANSWERED];
  uint8_t handed_on[UNANSWERED]; /* its kernel was seen running before the answer was taken */
  unsigned taken_n;
  struct kernel queue[HD_MAX_NUM_HWQ][DEEPEST_HWQ + 2]; /* accepted, not yet running */
  uint8_t queued[HD_MAX_NUM_HWQ];
  uint8_t hwq_busy[HD_MAX_NUM_HWQ];
  struct kernel kde[HD_MAX_NUM_KDE]; /* running, by entry */
  int current;                       /* entry that hands out, -1 none */
  struct kernel finished[4 * HD_MAX_NUM_KDE];
  unsigned finished_n;
  struct slot slot[HD_MAX_NUM_SMX][HD_MAX_CTAS_PER_SMX];
  uint32_t warps[HD_MAX_NUM_SMX], regs[HD_MAX_NUM_SMX], smem[HD_MAX_NUM_SMX];
  uint8_t waits[HD_MAX_NUM_SMX]; /* a TB was offered and not taken in the cycle before */
  struct hd_dispatch was[HD_MAX_NUM_SMX];
  uint8_t answer_waits, done_waits;
  struct hd_answer answer_was;
  uint16_t done_was;
  char text[160];
};

size_t hd_plane_oracle_size(const struct hd_cfg *cfg) {
  (void)cfg;
  return sizeof(struct oracle);
}

void hd_plane_oracle_init(void *o_, const struct hd_cfg *cfg) {
  struct oracle *o = o_;
  memset(o, 0, sizeof *o);
  o->cfg = *cfg;
  o->current = -1;
}

static uint32_t regs_of(const struct hd_cfg *c, const struct hd_launch *l) {
  return (l->threads + 31u) / 32 * ((l->regs * 32u + c->reg_unit - 1) / c->reg_unit);
}

/* Rule 1: what a launch deserves, refusal for a full HWQ aside. */
static unsigned deserved(const struct hd_cfg *c, const struct hd_launch *l) {
  const struct hd_desc *d = &l->desc;
  if (!d->grid_x || !d->grid_y || !d->grid_z || !d->cta_x || !d->cta_y || !d->cta_z || !l->threads || !l->ctas)
    return HD_CODE_ZERO_DIM;
  if (d->cta_x > 1024 || d->cta_y > 1024 || d->cta_z > 64 || l->threads > 1024) return HD_CODE_OVER_LIMIT;
  if (l->threads > c->threads_per_smx || regs_of(c, l) * c->reg_unit > c->regs_per_smx ||
      l->smem * 256u > c->smem_per_smx)
    return HD_CODE_NEVER_FITS;
  if (l->hwq >= c->num_hwq) return HD_CODE_UNKNOWN_HWQ;
  return HD_CODE_ACCEPTED;
}

static struct kernel kernel_of(const struct oracle *o, const struct hd_launch *l) {
  struct kernel k = {.desc = l->desc, .ctas = l->ctas, .tag = l->tag, .hwq = l->hwq};
  k.warps = (l->threads + 31u) / 32;
  k.regs = regs_of(&o->cfg, l);
  k.smem = l->smem;
  return k;
}

static const char *answers(struct oracle *o, const struct hd_top_in *in, const struct hd_top_out *out) {
  if (o->answer_waits && (!out->host_answer_valid || memcmp(&o->answer_was, &out->host_answer, sizeof o->answer_was)))
    return "rule 6: an offered answer changed before it was taken";
  o->answer_waits = out->host_answer_valid && !in->host_answer_ready;
  o->answer_was = out->host_answer;
  if (out->host_answer_valid && in->host_answer_ready) {
    struct hd_launch l = o->taken[0];
    bool handed_on = o->handed_on[0];
    if (!o->taken_n || l.tag != out->host_answer.tag) return "rule 1: an answer out of order";
    unsigned code = out->host_answer.code, want = deserved(&o->cfg, &l);
    memmove(o->taken, o->taken + 1, sizeof o->taken - sizeof *o->taken);
    memmove(o->handed_on, o->handed_on + 1, sizeof o->handed_on - 1);
    o->taken_n--;
    if (code != want && !(code == HD_CODE_REFUSED && want == HD_CODE_ACCEPTED && !handed_on))
      return "rule 1: a wrong answer code";
    if (code == HD_CODE_ACCEPTED && !handed_on) {
      if (o->queued[l.hwq] > o->cfg.hwq_depth + 1) return "rule 1: a HWQ accepted more than it can hold";
      o->queue[l.hwq][o->queued[l.hwq]++] = kernel_of(o, &l);
    }
  }
  if (in->host_launch_valid && out->host_launch_ready) {
    if (o->taken_n == UNANSWERED) return "rule 1: more launches unanswered than the plane can hold";
    o->handed_on[o->taken_n] = 0;
    o->taken[o->taken_n++] = in->host_launch;
  }
  return NULL;
}

static bool same_desc(const struct hd_desc *a, const struct hd_desc *b) {
  return !memcmp(a, b, sizeof *a);
}

/* A first TB: find the kernel that it belongs to, at the head of an open HWQ. */
static const char *starts(struct oracle *o, unsigned kdei, const struct hd_dispatch *d) {
  if (o->current >= 0 && o->kde[o->current].active && o->kde[o->current].next < o->kde[o->current].ctas)
    return "rule 4: a kernel started before an older one had handed out its last TB";
  for (unsigned h = 0; h < o->cfg.num_hwq; h++) {
    if (!o->queued[h] || o->hwq_busy[h] || !same_desc(&o->queue[h][0].desc, &d->desc)) continue;
    o->kde[kdei] = o->queue[h][0];
    memmove(&o->queue[h][0], &o->queue[h][1], sizeof o->queue[h] - sizeof o->queue[h][0]);
    o->queued[h]--;
    goto found;
  }
  for (unsigned k = 0; k < o->taken_n; k++) { /* it runs although its answer still waits for the host */
    struct hd_launch *l = &o->taken[k];
    if (o->handed_on[k] || deserved(&o->cfg, l) || o->queued[l->hwq] || o->hwq_busy[l->hwq] ||
        !same_desc(&l->desc, &d->desc))
      continue;
    o->handed_on[k] = 1;
    o->kde[kdei] = kernel_of(o, l);
    goto found;
  }
  return "rule 3: a TB of a kernel that was not launched, or whose HWQ's kernel has not completed";
found:
  o->kde[kdei].active = 1;
  o->hwq_busy[o->kde[kdei].hwq] = 1;
  o->current = (int)kdei;
  return NULL;
}

static const char *handed_out(struct oracle *o, unsigned s, const struct hd_dispatch *d) {
  if (d->kdei >= o->cfg.num_kde || d->slot >= o->cfg.ctas_per_smx)
    return "rule 5: a slot or an entry that does not exist";
  struct slot *slot = &o->slot[s][d->slot];
  struct kernel *k = &o->kde[d->kdei];
  if (slot->state) return "rule 5: a TB was put into a slot that holds one";
  if (!k->active) {
    const char *rule = starts(o, d->kdei, d);
    if (rule) return rule;
  }
  if (!same_desc(&k->desc, &d->desc)) return "rule 2: a TB with another kernel's descriptor";
  if (d->blkid != k->next) return "rule 2: TBs of a kernel not in increasing order";
  if (d->blkid >= k->ctas) return "rule 2: a TB past the end of the grid";
  if (o->current != d->kdei) return "rule 4: a kernel hands out while another has not finished handing out";
  k->next++;
  slot->state = 1;
  slot->kdei = d->kdei;
  o->warps[s] += k->warps;
  o->regs[s] += k->regs;
  o->smem[s] += k->smem;
  if (o->warps[s] * 32 > o->cfg.threads_per_smx || o->regs[s] * o->cfg.reg_unit > o->cfg.regs_per_smx ||
      o->smem[s] * 256 > o->cfg.smem_per_smx)
    return "rule 5: an SMX holds more than it has";
  return NULL;
}

static const char *dispatches(struct oracle *o, const struct hd_top_in *in, const struct hd_top_out *out) {
  unsigned fresh = 0;
  for (unsigned s = 0; s < o->cfg.num_smx; s++) {
    if (o->waits[s]) {
      if (!out->dispatch_valid[s] || memcmp(&o->was[s], &out->dispatch[s], sizeof o->was[s]))
        return "rule 6: an offered TB changed before it was taken";
    } else if (out->dispatch_valid[s]) {
      const char *rule = handed_out(o, s, &out->dispatch[s]);
      if (rule) return rule;
      if (++fresh > 1) return "rule 5: two TBs handed out in one cycle";
    }
    o->waits[s] = out->dispatch_valid[s] && !in->dispatch_ready[s];
    if (o->waits[s]) o->was[s] = out->dispatch[s];
  }
  return NULL;
}

static void completions(struct oracle *o, const struct hd_top_in *in, const struct hd_top_out *out) {
  for (unsigned s = 0; s < o->cfg.num_smx; s++) {
    unsigned j = in->cta_done_slot[s];
    if (in->cta_done_valid[s] && j < o->cfg.ctas_per_smx && o->slot[s][j].state == 2) {
      struct kernel *k = &o->kde[o->slot[s][j].kdei];
      o->slot[s][j].state = 0;
      o->warps[s] -= k->warps;
      o->regs[s] -= k->regs;
      o->smem[s] -= k->smem;
      if (++k->done == k->ctas) {
        k->active = 0;
        o->finished[o->finished_n++] = *k;
        /* The HWQ reopens only after the release, some cycles on; from here on another kernel of it may be seen. */
        o->hwq_busy[k->hwq] = 0;
      }
    }
    if (out->dispatch_valid[s] && in->dispatch_ready[s]) o->slot[s][out->dispatch[s].slot].state = 2;
  }
}

static const char *reports(struct oracle *o, const struct hd_top_in *in, const struct hd_top_out *out) {
  if (o->done_waits && (!out->kernel_done_valid || o->done_was != out->kernel_done.tag))
    return "rule 6: an offered kernel_done changed before it was taken";
  o->done_waits = out->kernel_done_valid && !in->kernel_done_ready;
  o->done_was = out->kernel_done.tag;
  if (!out->kernel_done_valid || !in->kernel_done_ready) return NULL;
  unsigned k = 0;
  while (k < o->finished_n && o->finished[k].tag != out->kernel_done.tag) k++;
  if (k == o->finished_n) return "rule 7: kernel_done of a kernel that has not finished, or a second time";
  memmove(&o->finished[k], &o->finished[k + 1], (size_t)(--o->finished_n - k) * sizeof *o->finished);
  return NULL;
}

const char *hd_plane_oracle_watch(void *o_, uint64_t cycle, const void *in, const void *out) {
  struct oracle *o = o_;
  (void)cycle;
  const char *rule = reports(o, in, out);
  if (!rule) rule = dispatches(o, in, out);
  if (!rule) completions(o, in, out);
  if (!rule) rule = answers(o, in, out);
  if (!rule && o->finished_n + o->cfg.num_kde > sizeof o->finished / sizeof *o->finished)
    rule = "rule 7: kernel_done is missing";
  return rule;
}
