/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the tbcr tests: grants, completions, and the acceptance of a TB by its SMX. */
#ifndef HD_TBCR_FIXTURE_H
#define HD_TBCR_FIXTURE_H

#include "dispatch/tbcr.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_tbcr *m;
static struct hd_tbcr_in in;
static struct hd_tbcr_out out;

static inline void start(struct hd_cfg c) {
  cfg = c;
  m = ut_new(hd_tbcr_size(&cfg));
  hd_tbcr_init(m, &cfg);
  memset(&in, 0, sizeof in);
  in.dispatch_ready = 1;
  for (unsigned i = 0; i < cfg.num_kde; i++) in.need[i] = (struct hd_need){.warps = 1, .regs = 2, .smem = 1};
}

static inline int setup(void **state) {
  (void)state;
  start(ut_cfg("k20c"));
  return 0;
}

static inline int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

/* Runs one cycle; then `out` holds its outputs, and input pulses are cleared. */
static inline void cycle(void) {
  hd_tbcr_eval(m, &in, &out);
  hd_tbcr_tick(m, &in);
  in.grant = in.pop = in.cta_done_valid = 0;
}

/* Requests TB blkid of a kernel in the next cycle. */
static inline void grant(unsigned kdei, uint32_t blkid) {
  in.grant = 1;
  in.grant_kdei = (uint8_t)kdei;
  in.grant_blkid = blkid;
  in.grant_need = in.need[kdei];
}

static inline void done(unsigned slot) {
  in.cta_done_valid = 1;
  in.cta_done_slot = (uint8_t)slot;
}

/* Grants a TB and lets the SMX accept it: two cycles. */
static inline void run_cta(unsigned kdei) {
  grant(kdei, 0);
  cycle();
  cycle();
}

static inline struct hd_tbcr_arch *arch(void) {
  static struct hd_tbcr_arch a;
  hd_tbcr_arch(m, &a, true);
  return &a;
}

#endif
