/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* plane_fixture: a plane (RTL and model in lockstep) with a client for directed tests: launches are queued, and SMXs
 * accept every TB at once and hold it for the time that the test sets. */
#ifndef HD_PLANE_FIXTURE_H
#define HD_PLANE_FIXTURE_H

#include <string.h>

#include "api/runtime.h"
#include "common/hd_cfg.h"
#include "equiv/cases.h"
#include "gen/hd_regs_map.h"
#include "gen/hd_top_ports.h"

enum { FIXTURE_NEVER = 0x7fffffff };

struct fixture {
  struct hd_cfg cfg;
  struct hd_sim *sim;
  struct hd_top_in in;
  const struct hd_top_out *out;
  uint64_t cycle;               /* the last step */
  struct hd_launch queue[4096]; /* launches to offer, in order */
  unsigned queued, offered;
  unsigned load[HD_MAX_NUM_HWQ]; /* launches of a HWQ that have not completed; a full HWQ would refuse */
  uint64_t taken_at[4096];       /* cycle in which launch k was accepted */
  uint64_t ends[HD_MAX_NUM_SMX][HD_MAX_CTAS_PER_SMX]; /* cycle in which the TB of a slot ends */
  uint64_t episode;                                   /* run time of a TB in cycles, from the cycle of its acceptance */
  uint64_t valid_seen, taken, done, kernels_done, answers;
  bool was_valid[HD_MAX_NUM_SMX];
  uint64_t first_valid; /* cycle in which the first TB was offered */
  uint64_t last_valid;
  uint32_t last_smx; /* SMX of the last newly offered TB */
};

static inline void fixture_open(struct fixture *r, const char *config, enum hd_engine engine) {
  char err[512];
  memset(r, 0, sizeof *r);
  r->cfg = hd_case_cfg(config);
  struct hd_sim_opts o = {
      .block = "top", .cfg = r->cfg, .engine = engine, .seed = 1, .test = "directed", .oracle = true};
  r->sim = hd_sim_open(&o, err, sizeof err);
  if (!r->sim) fail_msg("%s", err);
  memset(r->ends, 0xff, sizeof r->ends);
  r->episode = FIXTURE_NEVER;
  r->cycle = (uint64_t)-1;
}

static inline void fixture_close(struct fixture *r) {
  assert_int_equal(hd_sim_finish(r->sim), HD_PASS);
  hd_sim_close(r->sim);
}

/* A kernel of `ctas` TBs of `threads` threads. */
static inline void fixture_launch(struct fixture *r, unsigned hwq, uint32_t ctas, uint32_t threads) {
  struct hd_launch *l = &r->queue[r->queued];
  l->desc.pc = 0x1000;
  l->desc.param = r->queued;
  l->desc.grid_x = ctas;
  l->desc.grid_y = l->desc.grid_z = 1;
  l->desc.cta_x = (uint16_t)threads;
  l->desc.cta_y = l->desc.cta_z = 1;
  l->threads = (uint16_t)threads;
  l->hwq = (uint8_t)hwq;
  l->ctas = ctas;
  l->tag = (uint16_t)r->queued++;
}

static inline void fixture_follow(struct fixture *r) {
  for (unsigned s = 0; s < r->cfg.num_smx; s++) {
    if (r->out->dispatch_valid[s] && !r->was_valid[s]) {
      if (!r->valid_seen++) r->first_valid = r->cycle;
      r->last_valid = r->cycle;
      r->last_smx = s;
    }
    bool taken = r->out->dispatch_valid[s] && r->in.dispatch_ready[s];
    r->was_valid[s] = r->out->dispatch_valid[s] && !taken;
    if (!taken) continue;
    r->taken++;
    r->ends[s][r->out->dispatch[s].slot] = r->cycle + r->episode;
  }
  if (r->in.host_launch_valid && r->out->host_launch_ready) {
    r->load[r->in.host_launch.hwq]++;
    r->taken_at[r->offered++] = r->cycle;
  }
  if (r->out->host_answer_valid && r->in.host_answer_ready) {
    assert_int_equal(r->out->host_answer.code, HD_CODE_ACCEPTED);
    assert_int_equal(r->out->host_answer.tag, r->answers++);
  }
  if (r->out->kernel_done_valid && r->in.kernel_done_ready) {
    r->load[r->queue[r->out->kernel_done.tag].hwq]--;
    r->kernels_done++;
  }
}

/* Sets the host's inputs of the next cycle, and the TBs that end in it. */
static inline void fixture_clients(struct fixture *r) {
  r->cycle++;
  r->in.host_launch_valid = r->offered < r->queued && r->load[r->queue[r->offered].hwq] < r->cfg.hwq_depth;
  memset(&r->in.host_launch, 0, sizeof r->in.host_launch);
  if (r->in.host_launch_valid) r->in.host_launch = r->queue[r->offered];
  r->in.host_answer_ready = r->in.kernel_done_ready = 1;
  for (unsigned s = 0; s < r->cfg.num_smx; s++) {
    r->in.cta_done_valid[s] = r->in.cta_done_slot[s] = 0;
    for (unsigned j = 0; j < r->cfg.ctas_per_smx && !r->in.cta_done_valid[s]; j++) {
      if (r->ends[s][j] > r->cycle) continue;
      r->in.cta_done_valid[s] = 1;
      r->in.cta_done_slot[s] = (uint8_t)j;
      r->ends[s][j] = (uint64_t)-1;
      r->done++;
    }
  }
}

/* Runs the cycle as prepared in r->in. */
static inline void fixture_cycle(struct fixture *r) {
  const void *out;
  enum hd_verdict v = hd_sim_cycle(r->sim, &r->in, &out);
  if (v) {
    hd_sim_print_diff(r->sim, stderr);
    struct hd_failure f = hd_sim_failure(r->sim);
    fail_msg("%s in cycle %llu: %s", hd_verdict_name(v), (unsigned long long)f.cycle, f.label);
  }
  r->out = out;
  fixture_follow(r);
}

/* Runs one cycle with SMXs that accept every TB at once. */
static inline void fixture_step(struct fixture *r) {
  fixture_clients(r);
  for (unsigned s = 0; s < r->cfg.num_smx; s++) r->in.dispatch_ready[s] = 1;
  fixture_cycle(r);
}

/* Steps until `*count` reaches n; fails after `limit` cycles. */
static inline void fixture_until(struct fixture *r, const uint64_t *count, uint64_t n, uint64_t limit) {
  for (uint64_t c = 0; *count < n; c++) {
    if (c == limit)
      fail_msg("no progress: %llu of %llu after %llu cycles", (unsigned long long)*count, (unsigned long long)n,
               (unsigned long long)limit);
    fixture_step(r);
  }
}

#endif
