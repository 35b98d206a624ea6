/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
#include "work/example.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/config.h"

enum { PC = 0x1000, WARP = 32 };

/* ---- the workload: a kernel, and the launches of two of its TBs ---- */

static bool next(void *ctx, uint64_t now, struct hd_launch *launch) {
  bool *handed_over = ctx;
  (void)now;
  if (*handed_over) return false;
  *handed_over = true;
  launch->desc = (struct hd_desc){
      .pc = PC, .grid_x = HD_EXAMPLE_PARENTS, .grid_y = 1, .grid_z = 1, .cta_x = WARP, .cta_y = 1, .cta_z = 1};
  launch->threads = WARP;
  launch->ctas = HD_EXAMPLE_PARENTS;
  return true;
}

static bool next_at(void *ctx, uint64_t *cycle) {
  *cycle = 0;
  return !*(bool *)ctx;
}

static bool finished(void *ctx) {
  return *(bool *)ctx;
}

static uint64_t duration(void *ctx, uint32_t kernel, uint32_t blkid) {
  (void)ctx, (void)kernel, (void)blkid;
  return HD_EXAMPLE_EPISODE;
}

static uint64_t child_duration(void *ctx, uint32_t kernel, uint32_t item, uint32_t blkid) {
  (void)item;
  return duration(ctx, kernel, blkid);
}

/* A child's item is its number: C0, C1, .. */
static bool warp(void *ctx, uint32_t kernel, uint32_t blkid, uint32_t k, struct hd_work_warp *w) {
  (void)ctx, (void)kernel;
  if (k != 0 || (blkid != 2 && blkid != 4)) return false;
  uint32_t first = blkid == 2 ? 0 : 2;
  *w = (struct hd_work_warp){.before = HD_EXAMPLE_LAUNCH, .calls = blkid == 2 ? 2 : 4};
  for (uint32_t c = 0; c < w->calls; c++)
    w->call[c] = (struct hd_work_call){.lane = c, .item = first + c, .ctas = 1, .alone = HD_EXAMPLE_EPISODE};
  return true;
}

/* Not needed here: the loop counts and checks. */
static void cta_done(void *ctx, uint32_t kernel, uint32_t blkid) {
  (void)ctx, (void)kernel, (void)blkid;
}
static void kernel_done(void *ctx, uint64_t now, uint32_t kernel) {
  (void)ctx, (void)now, (void)kernel;
}
static void child_event(void *ctx, uint32_t kernel, uint32_t item) {
  (void)ctx, (void)kernel, (void)item;
}
static void child_cta_done(void *ctx, uint32_t kernel, uint32_t item, uint32_t blkid) {
  (void)ctx, (void)kernel, (void)item, (void)blkid;
}
static void child_ended(void *ctx, uint64_t now, uint32_t kernel, uint32_t item) {
  (void)ctx, (void)now, (void)kernel, (void)item;
}

static const struct hd_work_device device = {.child = {.cta = {WARP, 1, 1}, .pc = PC},
                                             .warp = warp,
                                             .duration = child_duration,
                                             .launched = child_event,
                                             .alone = child_event,
                                             .cta_done = child_cta_done,
                                             .ended = child_ended};

/* ---- the schedule, as observed ---- */

static void taken(void *ctx, uint32_t smx, const struct hd_resident *r) {
  struct hd_example_schedule *s = ctx;
  if (s->smx[smx].tbs == HD_EXAMPLE_TBS) return; /* the loop reports that a TB was handed out twice */
  struct hd_example_tb *t = &s->smx[smx].tb[s->smx[smx].tbs++];
  snprintf(t->name, sizeof t->name, "%c%" PRIu32, r->child != 0 ? 'C' : 'P', (r->child != 0 ? r->item : r->blkid) % 10);
  t->start = r->dispatched;
}

/* An SMX holds one TB, so the TB that ends is the last one taken. */
static void left(void *ctx, uint64_t now, uint32_t smx, const struct hd_resident *r) {
  struct hd_example_schedule *s = ctx;
  (void)r;
  s->smx[smx].tb[s->smx[smx].tbs - 1].end = now;
}

void hd_example_config(struct hd_cfg *cfg) {
  char err[200];
  hd_config_parse("tiny+NumSmx=4+CtasPerSmx=1", cfg, err, sizeof err);
}

void hd_example_run(struct hd_sim *sim, const struct hd_cfg *cfg, enum hd_policy policy,
                    struct hd_example_schedule *schedule) {
  bool handed_over = false;
  const struct hd_work work = {.ctx = &handed_over,
                               .next = next,
                               .next_at = next_at,
                               .duration = duration,
                               .cta_done = cta_done,
                               .kernel_done = kernel_done,
                               .finished = finished,
                               .device = &device};
  const struct hd_launcher_opts launcher = {
      .cfg = cfg, .kind = HD_KIND_GROUP, .policy = policy, .memory_latency = 1, .records = 16, .buffers = 16};
  memset(schedule, 0, sizeof *schedule);
  const struct hd_loop_opts o = {.cfg = cfg,
                                 .max_cycles = 10000,
                                 .patience = 1000,
                                 .take_every = 1,
                                 .launcher = &launcher,
                                 .taken = taken,
                                 .left = left,
                                 .watcher = schedule};
  schedule->run = hd_loop_run(sim, &work, &o);
}

/* ---- the figure in the paper ---- */

const char *hd_example_paper(enum hd_policy policy, uint32_t smx) {
  static const char *const figure[HD_EXAMPLE_POLICIES][HD_EXAMPLE_SMXS] = {
      [HD_POLICY_RR] = {"P0 P4 C0 C4", "P1 P5 C1 C5", "P2 P6 C2", "P3 P7 C3"},
      [HD_POLICY_TB_PRI] = {"P0 C0 C2 P6", "P1 C1 C3 P7", "P2 P4 C4", "P3 P5 C5"},
      [HD_POLICY_SMX_BIND] = {"P0 P4 C2 C3 C4 C5", "P1 P5 P7", "P2 C0 C1", "P3 P6"},
      [HD_POLICY_ADAPTIVE_BIND] = {"P0 P4 C2 C4", "P1 P5 P7 C5", "P2 C0 C1", "P3 P6 C3"}};
  return figure[policy][smx];
}

void hd_example_row(const struct hd_example_schedule *schedule, uint32_t smx, char *text, size_t text_size) {
  size_t at = 0;
  text[0] = '\0';
  for (uint32_t k = 0; k < schedule->smx[smx].tbs && at < text_size; k++)
    at += (size_t)snprintf(text + at, text_size - at, "%s%s", k != 0 ? " " : "", schedule->smx[smx].tb[k].name);
}

bool hd_example_agrees(enum hd_policy policy, const struct hd_example_schedule *schedule, char *text,
                       size_t text_size) {
  for (uint32_t s = 0; s < HD_EXAMPLE_SMXS; s++) {
    char row[HD_EXAMPLE_TBS * 4];
    const char *paper = hd_example_paper(policy, s);
    hd_example_row(schedule, s, row, sizeof row);
    if (strcmp(row, paper) == 0) continue;
    snprintf(text, text_size, "SMX%" PRIu32 " ran %s; in the paper %s", s, row[0] != '\0' ? row : "nothing", paper);
    return false;
  }
  return true;
}
