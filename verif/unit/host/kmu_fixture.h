/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the kmu tests: launches, their answers, and the kernels that they produce. */
#ifndef HD_KMU_FIXTURE_H
#define HD_KMU_FIXTURE_H

#include "host/kmu.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_kmu *m;
static struct hd_kmu_in in;
static struct hd_kmu_out out;

static inline void start_with(struct hd_cfg c) {
  cfg = c;
  m = ut_new(hd_kmu_size(&cfg));
  hd_kmu_init(m, &cfg);
  memset(&in, 0, sizeof in);
  in.host_answer_ready = 1;
}

static inline void start(const char *config) {
  start_with(ut_cfg(config));
}

static inline int setup(void **state) {
  (void)state;
  start("k20c");
  return 0;
}

static inline int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

/* Runs one cycle; then `out` holds its outputs, and input pulses are cleared. */
static inline void cycle(void) {
  hd_kmu_eval(m, &in, &out);
  hd_kmu_tick(m, &in);
  in.host_launch_valid = 0;
  memset(in.kd_reopen, 0, sizeof in.kd_reopen);
  memset(in.kin_reopen, 0, sizeof in.kin_reopen);
}

static inline void offer(struct hd_launch l) {
  in.host_launch_valid = 1;
  in.host_launch = l;
}

/* Launches and returns the code of the answer, which must arrive two cycles later. */
static inline unsigned answer_to(struct hd_launch l) {
  offer(l);
  cycle();
  assert_int_equal(out.host_launch_ready, 1);
  cycle();
  assert_int_equal(out.host_answer_valid, 0);
  cycle();
  assert_int_equal(out.host_answer_valid, 1);
  assert_int_equal(out.host_answer.tag, l.tag);
  return out.host_answer.code;
}

/* Runs up to 8 cycles until a kernel is offered, and takes it. Returns its tag, or -1. */
static inline int next_kernel(void) {
  for (int t = 0; t < 8; t++) {
    in.kd_entry.valid = 1;
    cycle();
    if (out.offer.valid) return out.offer.kernel.origin.tag;
  }
  return -1;
}

#endif
