/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "sim/children.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/runtime.h"

#define NONE UINT32_MAX

struct hd_children {
  struct hd_cfg cfg;
  struct hd_device_regions at;
  struct hd_child *child;
  uint32_t n, cap, open;
  uint32_t *of_buffer;  /* child by parameter buffer, or NONE */
  uint32_t *incomplete; /* by host kernel: incomplete kernels that it launched */
  uint32_t kernels;
  uint32_t helped[HD_MAX_NUM_SMX]; /* by SMX: the other SMX whose children it took last, + 1; 0: none */
  struct hd_launch_stats stats;    /* means are sums until hd_children_stats() */
  uint64_t waits;
  char text[256];
};

struct hd_children *hd_children_new(const struct hd_cfg *cfg, const struct hd_device_regions *at) {
  struct hd_children *c = calloc(1, sizeof *c);
  if (c == NULL) return NULL;
  c->cfg = *cfg;
  c->at = *at;
  c->of_buffer = malloc(at->n.buffers * sizeof *c->of_buffer + 1);
  if (c->of_buffer == NULL) {
    free(c);
    return NULL;
  }
  for (uint32_t i = 0; i < at->n.buffers; i++) c->of_buffer[i] = NONE;
  return c;
}

void hd_children_free(struct hd_children *c) {
  if (c == NULL) return;
  for (uint32_t i = 0; i < c->n; i++) free(c->child[i].handed_out);
  free(c->child);
  free(c->of_buffer);
  free(c->incomplete);
  free(c);
}

static const char *say(struct hd_children *c, uint32_t child, const char *what, uint64_t number) {
  snprintf(c->text, sizeof c->text, "%s (launch %" PRIu32 " from the device, %" PRIu64 ")", what, child, number);
  return c->text;
}

bool hd_children_has(const struct hd_children *c, uint64_t param) {
  return param >= c->at.buffers && param < c->at.buffers + (uint64_t)c->at.n.buffers * c->at.n.buffer_bytes;
}

static uint32_t *of_param(struct hd_children *c, uint64_t param) {
  return &c->of_buffer[(param - c->at.buffers) / c->at.n.buffer_bytes];
}

uint32_t hd_children_add(struct hd_children *c, const struct hd_devlaunch *launch, uint8_t level,
                         struct hd_child **child) {
  *child = NULL;
  if (c->n == c->cap) {
    uint32_t cap = c->cap != 0 ? 2 * c->cap : 256;
    struct hd_child *grown = realloc(c->child, cap * sizeof *grown);
    if (grown == NULL) return 0;
    c->child = grown;
    c->cap = cap;
  }
  *child = &c->child[c->n];
  **child = (struct hd_child){.launch = *launch, .level = level};
  *of_param(c, launch->desc.param) = c->n;
  c->open++;
  return c->n++;
}

struct hd_child *hd_children_get(struct hd_children *c, uint32_t child) {
  return &c->child[child];
}

/* Returns the count of `kernel`, or NULL if out of memory. */
static uint32_t *incomplete_of(struct hd_children *c, uint32_t kernel) {
  if (kernel >= c->kernels) {
    uint32_t n = kernel + 256;
    uint32_t *grown = realloc(c->incomplete, n * sizeof *grown);
    if (grown == NULL) return NULL;
    memset(grown + c->kernels, 0, (n - c->kernels) * sizeof *grown);
    c->incomplete = grown;
    c->kernels = n;
  }
  return &c->incomplete[kernel];
}

static void end_child(struct hd_children *c, struct hd_child *k, enum hd_child_state state) {
  k->state = state;
  *of_param(c, k->launch.desc.param) = NONE;
  free(k->handed_out);
  k->handed_out = NULL;
  c->open--;
}

const char *hd_children_answer(struct hd_children *c, uint32_t child, const struct hd_devanswer *a) {
  struct hd_child *k = &c->child[child];
  if (a->code < HD_CHILD_CODES) c->stats.by_code[a->code]++;
  k->answered = true;
  switch (a->code) {
    case HD_CODE_ACCEPTED:
    case HD_CODE_KEPT:
      k->kept = a->code == HD_CODE_KEPT;
      if (k->launch.kind == HD_KIND_KERNEL) {
        uint32_t *incomplete = incomplete_of(c, k->kernel);
        if (incomplete == NULL) return say(c, child, "out of memory; kernel", k->kernel);
        c->stats.kernels++;
        ++*incomplete;
      } else {
        c->stats.groups++;
      }
      c->stats.overflowed += k->kept;
      c->stats.matched += k->kept; /* for other groups the first TB shows it */
      k->state = HD_CHILD_RUNS;
      return NULL;
    case HD_CODE_REFUSED:
      if (k->ctas_out != 0) return say(c, child, "a launch was refused, but its TBs run; TBs", k->ctas_out);
      end_child(c, k, HD_CHILD_FAILED);
      return NULL;
    default:
      snprintf(c->text, sizeof c->text, "launch %" PRIu32 " from the device is legal but was answered: %s", child,
               hd_code_text(a->code));
      return c->text;
  }
}

/* Checks the descriptor of a dispatched TB against its launch. */
static const char *check_told(struct hd_children *c, uint32_t child, const struct hd_dispatch *t) {
  const struct hd_child *k = &c->child[child];
  if (memcmp(&t->desc, &k->launch.desc, sizeof t->desc) != 0)
    return say(c, child, "a TB's dimensions or PC differ from those of its launch; TB", t->blkid);
  if (t->level != k->level) return say(c, child, "a TB's level differs from that of its launch; level", t->level);
  if (t->restart) return say(c, child, "a TB that was never saved is restarted; TB", t->blkid);
  if (t->group && k->launch.kind == HD_KIND_KERNEL)
    return say(c, child, "a TB of a kernel is dispatched as one of a group; TB", t->blkid);
  if (k->ctas_out != 0 && t->group != k->as_group)
    return say(c, child, "only some TBs of a launch are dispatched as a group's; TB", t->blkid);
  if (k->answered && t->age_valid && (t->agei >= c->cfg.agt_size) != k->kept)
    return say(c, child, "a group's AGE is not at the index in its answer; AGE", t->agei);
  return NULL;
}

static void count_first(struct hd_children *c, struct hd_child *k, uint64_t now) {
  uint64_t wait = k->waited = now - k->offered;
  c->stats.wait_mean += (double)wait;
  c->stats.called_mean += (double)(now - k->called);
  if (wait > c->stats.wait_max) c->stats.wait_max = wait;
  c->stats.matched += k->as_group && !k->kept;
  c->waits++;
}

/* Counts TBs by whether they run on the SMX of their parent. */
static void count_place(struct hd_children *c, const struct hd_child *k, uint32_t smx) {
  c->stats.ctas++;
  c->stats.own_ctas += smx == k->smx;
  if (smx == k->smx) return;
  c->stats.helps += c->helped[smx] != k->smx + 1;
  c->helped[smx] = k->smx + 1;
}

const char *hd_children_handed_out(struct hd_children *c, uint64_t now, uint32_t smx, const struct hd_dispatch *t,
                                   uint32_t *child) {
  uint32_t i = *of_param(c, t->desc.param);
  if (i == NONE) return say(c, i, "a TB of a launch that does not exist or has ended; TB", t->blkid);
  struct hd_child *k = &c->child[i];
  const char *broken = check_told(c, i, t);
  if (broken != NULL) return broken;
  if (t->blkid >= k->launch.ctas) return say(c, i, "a TB beyond the launch's last; TB", t->blkid);
  if (k->handed_out == NULL) k->handed_out = calloc(k->launch.ctas / 64 + 1, sizeof *k->handed_out);
  if (k->handed_out == NULL) return say(c, i, "out of memory for the list of TBs; TBs", k->launch.ctas);
  uint64_t bit = (uint64_t)1 << (t->blkid % 64);
  if (k->handed_out[t->blkid / 64] & bit) return say(c, i, "a TB is dispatched twice; TB", t->blkid);
  k->handed_out[t->blkid / 64] |= bit;
  k->as_group = t->group;
  if (k->ctas_out++ == 0) count_first(c, k, now);
  count_place(c, k, smx);
  *child = i;
  return NULL;
}

const char *hd_children_cta_done(struct hd_children *c, uint32_t child, bool *ended) {
  struct hd_child *k = &c->child[child];
  *ended = ++k->ctas_done == k->launch.ctas;
  if (!*ended) return NULL;
  /* The SMXs of the loop accept answers at once, and a group is answered before its first TB is handed out. */
  if (!k->answered) return say(c, child, "all TBs of a launch ended before it was answered; TBs", k->ctas_done);
  if (k->launch.kind == HD_KIND_KERNEL) --*incomplete_of(c, k->kernel);
  end_child(c, k, HD_CHILD_ENDED);
  return NULL;
}

const char *hd_children_kernel_done(struct hd_children *c, uint32_t kernel) {
  if (kernel >= c->kernels || c->incomplete[kernel] == 0) return NULL;
  snprintf(c->text, sizeof c->text,
           "kernel %" PRIu32 " is reported as done while %" PRIu32 " kernels that it launched are not done", kernel,
           c->incomplete[kernel]);
  return c->text;
}

uint32_t hd_children_all(const struct hd_children *c) {
  return c->n;
}

uint32_t hd_children_open(const struct hd_children *c) {
  return c->open;
}

static int by_size(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* Returns 0 if out of memory. */
static uint64_t wait_p95(const struct hd_children *c) {
  uint64_t *wait = malloc(c->n * sizeof *wait + 1), n = 0;
  if (wait == NULL) return 0;
  for (uint32_t i = 0; i < c->n; i++)
    if (c->child[i].ctas_out != 0) wait[n++] = c->child[i].waited;
  qsort(wait, n, sizeof *wait, by_size);
  uint64_t p = n != 0 ? wait[(n * 95 + 99) / 100 - 1] : 0;
  free(wait);
  return p;
}

struct hd_launch_stats hd_children_stats(const struct hd_children *c) {
  struct hd_launch_stats s = c->stats;
  if (c->waits != 0) {
    s.wait_mean /= (double)c->waits;
    s.called_mean /= (double)c->waits;
    s.wait_p95 = wait_p95(c);
  }
  return s;
}
