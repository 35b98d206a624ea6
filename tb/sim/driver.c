/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "sim/driver.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/fit.h"

#define NONE UINT32_MAX
/* Parameters of kernels are 64 bytes apart, so the address in a TB's descriptor identifies its kernel. */
enum { PARAM_SHIFT = 6 };

struct queue {
  uint32_t first, last; /* queue of kernels not offered yet, linked by `after` */
  uint32_t unanswered;  /* launches offered or taken, and not answered */
  uint32_t outstanding; /* kernels accepted and not reported */
  bool full;            /* the last answer was a refusal, and no kernel was reported since */
};

struct hd_driver {
  struct hd_cfg cfg;
  struct queue queue[256];
  const int8_t *priority; /* of each queue, or NULL */
  uint64_t may_offer[4];  /* set of queues */
  struct hd_kernel_info *kernel;
  uint32_t n, cap, reported;
  uint64_t refused;
  uint32_t *of_tag; /* kernel, or NONE */
  uint32_t tags, tags_used, next_tag;
  uint32_t offered; /* kernel, or NONE */
  char text[256];
};

struct hd_driver *hd_driver_new(const struct hd_cfg *cfg) {
  struct hd_driver *d = calloc(1, sizeof *d);
  if (d == NULL) return NULL;
  d->cfg = *cfg;
  d->offered = NONE;
  d->tags = cfg->tag_w >= 16 ? 1u << 16 : 1u << cfg->tag_w;
  d->of_tag = malloc(d->tags * sizeof *d->of_tag);
  if (d->of_tag == NULL) {
    free(d);
    return NULL;
  }
  for (uint32_t i = 0; i < d->tags; i++) d->of_tag[i] = NONE;
  for (unsigned i = 0; i < 256; i++) d->queue[i].first = d->queue[i].last = NONE;
  return d;
}

void hd_driver_free(struct hd_driver *d) {
  if (d == NULL) return;
  for (uint32_t i = 0; i < d->n; i++) free(d->kernel[i].handed_out);
  free(d->kernel);
  free(d->of_tag);
  free(d);
}

static void note_queue(struct hd_driver *d, uint8_t hwq) {
  const struct queue *q = &d->queue[hwq];
  bool cannot_be_full = q->outstanding + q->unanswered < d->cfg.hwq_depth;
  bool may = q->first != NONE && !q->full && (q->unanswered == 0 || cannot_be_full);
  uint64_t bit = (uint64_t)1 << (hwq % 64);
  if (may)
    d->may_offer[hwq / 64] |= bit;
  else
    d->may_offer[hwq / 64] &= ~bit;
}

bool hd_driver_add(struct hd_driver *d, const struct hd_launch *launch, char *text, size_t text_size) {
  if (d->n == d->cap) {
    uint32_t cap = d->cap != 0 ? d->cap * 2 : 256;
    struct hd_kernel_info *grown = cap > d->cap ? realloc(d->kernel, cap * sizeof *grown) : NULL;
    if (grown == NULL) {
      snprintf(text, text_size, "out of memory after %" PRIu32 " kernels", d->n);
      return false;
    }
    d->kernel = grown;
    d->cap = cap;
  }
  struct hd_kernel_info *k = &d->kernel[d->n];
  *k = (struct hd_kernel_info){.launch = *launch, .after = NONE};
  k->launch.desc.param = (uint64_t)d->n << PARAM_SHIFT;
  if (!hd_fit_widths(&d->cfg, &k->launch, text, text_size)) return false;
  struct queue *q = &d->queue[launch->hwq];
  if (q->first == NONE)
    q->first = d->n;
  else
    d->kernel[q->last].after = d->n;
  q->last = d->n++;
  note_queue(d, launch->hwq);
  return true;
}

void hd_driver_priorities(struct hd_driver *d, const int8_t *priority) {
  d->priority = priority;
}

/* Returns, among the heads of the queues that may offer, the kernel with the lowest priority number; on ties the one
 * added first. */
static uint32_t choose(const struct hd_driver *d) {
  uint32_t first = NONE;
  int best = INT8_MAX;
  for (unsigned w = 0; w < 4; w++)
    for (uint64_t bits = d->may_offer[w]; bits != 0; bits &= bits - 1) {
      const unsigned q = w * 64 + (unsigned)__builtin_ctzll(bits);
      const int priority = d->priority != NULL ? d->priority[q] : 0;
      if (priority > best || (priority == best && d->queue[q].first > first)) continue;
      first = d->queue[q].first;
      best = priority;
    }
  return first;
}

const struct hd_launch *hd_driver_offer(struct hd_driver *d) {
  if (d->offered != NONE) return &d->kernel[d->offered].launch;
  if ((d->may_offer[0] | d->may_offer[1] | d->may_offer[2] | d->may_offer[3]) == 0) return NULL;
  if (d->tags_used == d->tags) return NULL;
  uint32_t k = choose(d);
  while (d->of_tag[d->next_tag] != NONE) d->next_tag = (d->next_tag + 1) % d->tags;
  struct hd_kernel_info *info = &d->kernel[k];
  struct queue *q = &d->queue[info->launch.hwq];
  info->launch.tag = (uint16_t)d->next_tag;
  info->state = HD_KERNEL_OFFERED;
  d->of_tag[d->next_tag] = k;
  d->next_tag = (d->next_tag + 1) % d->tags;
  d->tags_used++;
  d->offered = k;
  q->first = info->after;
  if (q->first == NONE) q->last = NONE;
  q->unanswered++;
  note_queue(d, info->launch.hwq);
  return &info->launch;
}

void hd_driver_taken(struct hd_driver *d, uint64_t now) {
  d->kernel[d->offered].queued = now;
  d->offered = NONE;
}

static void free_tag(struct hd_driver *d, uint16_t tag) {
  d->of_tag[tag] = NONE;
  d->tags_used--;
}

static const char *say(struct hd_driver *d, const char *what, uint32_t kernel, uint32_t number) {
  snprintf(d->text, sizeof d->text, "%s (kernel %" PRIu32 ", %" PRIu32 ")", what, kernel, number);
  return d->text;
}

const char *hd_driver_answer(struct hd_driver *d, const struct hd_answer *a) {
  uint32_t k = a->tag < d->tags ? d->of_tag[a->tag] : NONE;
  if (k == NONE || k == d->offered || d->kernel[k].state != HD_KERNEL_OFFERED)
    return say(d, "an answer to a launch that was not offered; tag", k, a->tag);
  struct hd_kernel_info *info = &d->kernel[k];
  struct queue *q = &d->queue[info->launch.hwq];
  if (a->code != HD_CODE_ACCEPTED && a->code != HD_CODE_REFUSED)
    return say(d, "a legal launch was answered with an error; code", k, a->code);
  q->unanswered--;
  if (a->code == HD_CODE_ACCEPTED) {
    info->state = HD_KERNEL_ACCEPTED;
    q->outstanding++;
  } else {
    if (q->outstanding < d->cfg.hwq_depth)
      return say(d, "a launch was refused though its HWQ cannot be full; HWQ", k, info->launch.hwq);
    d->refused++;
    free_tag(d, a->tag);
    info->state = HD_KERNEL_WAITS;
    info->after = q->first;
    q->first = k;
    if (q->last == NONE) q->last = k;
    q->full = true;
  }
  note_queue(d, info->launch.hwq);
  return NULL;
}

const char *hd_driver_handed_out(struct hd_driver *d, const struct hd_dispatch *t, uint32_t *kernel) {
  uint64_t k = t->desc.param >> PARAM_SHIFT;
  if (k >= d->n || d->kernel[k].state != HD_KERNEL_ACCEPTED)
    return say(d, "a TB of a kernel that is not running; TB", (uint32_t)k, t->blkid);
  struct hd_kernel_info *info = &d->kernel[k];
  if (memcmp(&t->desc, &info->launch.desc, sizeof t->desc) != 0)
    return say(d, "a TB's dimensions or PC differ from those of its launch; TB", (uint32_t)k, t->blkid);
  if (t->level != 0 || t->group || t->restart)
    return say(d, "a TB of a host kernel is dispatched with a level, an AGE or a restart; TB", (uint32_t)k, t->blkid);
  if (t->blkid >= info->launch.ctas) return say(d, "a TB beyond the kernel's last; TB", (uint32_t)k, t->blkid);
  if (info->handed_out == NULL) info->handed_out = calloc(info->launch.ctas / 64 + 1, sizeof *info->handed_out);
  if (info->handed_out == NULL) return say(d, "out of memory for the list of TBs; TBs", (uint32_t)k, info->launch.ctas);
  uint64_t bit = (uint64_t)1 << (t->blkid % 64);
  if (info->handed_out[t->blkid / 64] & bit) return say(d, "a TB is dispatched twice; TB", (uint32_t)k, t->blkid);
  info->handed_out[t->blkid / 64] |= bit;
  info->ctas_out++;
  *kernel = (uint32_t)k;
  return NULL;
}

const char *hd_driver_kernel_done(struct hd_driver *d, uint16_t tag, uint32_t *kernel) {
  uint32_t k = tag < d->tags ? d->of_tag[tag] : NONE;
  if (k == NONE || d->kernel[k].state != HD_KERNEL_ACCEPTED)
    return say(d, "a kernel that is not running is reported as done; tag", k, tag);
  struct hd_kernel_info *info = &d->kernel[k];
  if (info->ctas_done != info->launch.ctas)
    return say(d, "a kernel is reported as done before its last TB; TBs ended", k, info->ctas_done);
  info->state = HD_KERNEL_REPORTED;
  free(info->handed_out);
  info->handed_out = NULL;
  free_tag(d, tag);
  d->reported++;
  struct queue *q = &d->queue[info->launch.hwq];
  q->outstanding--;
  q->full = false;
  note_queue(d, info->launch.hwq);
  *kernel = k;
  return NULL;
}

struct hd_kernel_info *hd_driver_kernel(struct hd_driver *d, uint32_t kernel) {
  return &d->kernel[kernel];
}
uint32_t hd_driver_kernels(const struct hd_driver *d) {
  return d->n;
}
uint32_t hd_driver_reported(const struct hd_driver *d) {
  return d->reported;
}
uint64_t hd_driver_refused(const struct hd_driver *d) {
  return d->refused;
}
