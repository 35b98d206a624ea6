/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Premature ends of a run, and its progress line. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "sim/loop_inside.h"

void hd_loop_end(struct hd_loop *l, enum hd_verdict v, const char *fmt, ...) {
  if (l->r.verdict != HD_PASS) return;
  l->r.verdict = v;
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(l->r.text, sizeof l->r.text, fmt, ap);
  va_end(ap);
}

void hd_loop_break_rule(struct hd_loop *l, const char *rule) {
  hd_loop_end(l, HD_ORACLE, "cycle %" PRIu64 ": %s", l->now, rule);
}

/* Describes everything that is outstanding, so that the reader can find out why nothing moves. */
static void describe_stuck(struct hd_loop *l) {
  struct hd_loop_result *r = &l->r;
  uint32_t n = hd_driver_kernels(l->driver);
  hd_loop_end(l, HD_STUCK,
              "cycle %" PRIu64 ": nothing has moved for %" PRIu64 " cycles; %" PRIu32 " of %" PRIu32
              " kernels are not done, %" PRIu32 " TBs are on SMXs%s",
              l->now, l->now - l->moved, n - hd_driver_reported(l->driver), n, hd_array_residents(l->array),
              l->in.host_launch_valid ? ", a launch is offered but not accepted" : "");
  if (l->launcher != NULL) {
    size_t at = strlen(r->text);
    at += (size_t)snprintf(r->text + at, sizeof r->text - at, "\n  ");
    hd_launcher_describe(l->launcher, r->text + at, sizeof r->text - at);
  }
  static const char *const states[] = {"not launched", "launched and not answered", "accepted"};
  unsigned shown = 0;
  for (uint32_t k = 0; k < n && shown < 6; k++) {
    const struct hd_kernel_info *i = hd_driver_kernel(l->driver, k);
    if (i->state == HD_KERNEL_REPORTED) continue;
    size_t at = strlen(r->text);
    snprintf(r->text + at, sizeof r->text - at,
             "\n  kernel %" PRIu32 ", tag %u, HWQ %u: %s; of %" PRIu32 " TBs %" PRIu32 " dispatched, %" PRIu32 " ended",
             k, i->launch.tag, i->launch.hwq, states[i->state], i->launch.ctas, i->ctas_out, i->ctas_done);
    shown++;
  }
}

/* Nothing has moved for a while: stuck, unless a TB is running or a kernel is still to arrive. */
static void judge_quiet(struct hd_loop *l) {
  uint64_t next;
  if (hd_array_next_end(l->array, &next) && next >= l->now) return;
  if (l->launcher != NULL && hd_launcher_next(l->launcher, &next) && next >= l->now) return;
  if (l->gpu != NULL && hd_gpu_next(l->gpu, &next)) return;
  bool all_done = hd_driver_reported(l->driver) == hd_driver_kernels(l->driver);
  if (all_done && l->due != UINT64_MAX && l->due >= l->now) return;
  describe_stuck(l);
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void hd_loop_watch_fills(struct hd_loop *l) {
  struct hd_fills *f = l->o->fills;
  const struct hd_top_arch *a = f != NULL && l->now != 0 ? hd_sim_state(l->sim) : NULL;
  if (a != NULL) hd_fills_add(f, l->now - 1, a, l->o->cfg);
}

static void show_progress(struct hd_loop *l) {
  double t = seconds();
  l->looked = l->now;
  if (l->shown == 0) l->shown = t + 0.8; /* no progress line for runs that end within a second */
  if (t - l->shown < 0.2) return;
  l->shown = t;
  fprintf(stderr, "\r\033[Kcycle %" PRIu64 ", %" PRIu32 " kernels done, %" PRIu64 " TBs", l->now,
          hd_driver_reported(l->driver), l->r.ctas);
  if (l->work->share != NULL) fprintf(stderr, ", about %.0f %%", 100 * l->work->share(l->work->ctx));
}

void hd_loop_watch_graph(struct hd_loop *l) {
  const struct hd_top_arch *a = hd_sim_part_state(l->sim, l->graph_part);
  const uint32_t rows = hd_fills_pub(&a->dgb, l->o->cfg);
  if (rows > l->r.graph.pub_most) l->r.graph.pub_most = rows;
}

/* Describes the rule that blocks the oldest node of a stuck window. The buffer keeps its state until the next graph. */
static void describe_graph(const struct hd_loop *l, const struct hd_dgb_arch *g, uint32_t nodes, char *text,
                           size_t size) {
  const struct hd_cfg *c = l->o->cfg;
  if (c->dgb_paper && g->d_valid && hd_fills_pub(g, c) == c->pub) {
    uint32_t lane = 0;
    while (lane + 1 < c->child_lanes && !g->d_lane[lane]) lane++;
    snprintf(text, size,
             "by the paper's own rule (DgbPaper) the update of node %u by node %u waits for a row of the PUB, and all "
             "%" PRIu32 " hold updates of nodes that enter the window only when node %u has left",
             g->d_child[lane], g->d_vid, c->pub, g->tail);
  } else if (c->dgb_paper && g->head == (uint16_t)(g->tail + 1) && g->head != (uint16_t)nodes) {
    snprintf(text, size,
             "by the paper's own rule (DgbPaper) it is not issued before node %u enters the window, which has no room "
             "for the edges of that node",
             g->head);
  } else {
    snprintf(text, size, "its count of parents is %u though all nodes before it are done",
             g->parents[g->tail & (c->lna - 1)]);
  }
}

void hd_loop_kernel_failed(struct hd_loop *l) {
  const struct hd_kernel_info *k = l->work->graph != NULL ? hd_driver_kernel(l->driver, 0) : NULL;
  const struct hd_top_arch *a = k != NULL && l->out->kernel_done.tag == k->launch.tag ? hd_sim_state(l->sim) : NULL;
  const struct hd_dgb_arch *g = a != NULL ? &a->dgb : NULL;
  if (g == NULL || g->finish_code != HD_GCODE_STUCK) {
    hd_loop_break_rule(l, "a kernel is reported as failed, but the memory returned no error");
    return;
  }
  char why[300];
  describe_graph(l, g, k->launch.ctas, why, sizeof why);
  hd_loop_end(l, HD_STUCK,
              "cycle %" PRIu64 ": the graph of kernel 0 is stuck at node (VID) %u: %s; %" PRIu32 " of %" PRIu32
              " TBs have ended",
              l->now, g->finish_vid, why, k->ctas_done, k->launch.ctas);
}

void hd_loop_watch(struct hd_loop *l) {
  if (l->o->stop != NULL && *l->o->stop != 0) hd_loop_end(l, HD_LIMIT, "cycle %" PRIu64 ": interrupted", l->now);
  if (l->o->max_cycles != 0 && l->now >= l->o->max_cycles)
    hd_loop_end(l, HD_LIMIT, "the limit of %" PRIu64 " cycles was reached first", l->o->max_cycles);
  if (l->now - l->moved > l->o->patience) judge_quiet(l);
  if (l->o->progress && l->now - l->looked >= 4096) show_progress(l);
}
