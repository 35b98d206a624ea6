/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the kin tests: births, kernels that leave, are suspended or fail, and kernel_done. */
#ifndef HD_KIN_FIXTURE_H
#define HD_KIN_FIXTURE_H

#include "family/kin.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_kin *m;
static struct hd_kin_in in;
static struct hd_kin_out out;

static inline int setup(void **state) {
  (void)state;
  cfg = ut_cfg("tiny"); /* 8 records */
  m = ut_new(hd_kin_size(&cfg));
  hd_kin_init(m, &cfg);
  memset(&in, 0, sizeof in);
  in.kernel_done_ready = 1;
  return 0;
}

static inline int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

/* Runs one cycle; then `out` holds its outputs, and input pulses are cleared. */
static inline void cycle(void) {
  hd_kin_eval(m, &in, &out);
  hd_kin_tick(m, &in);
  in.devq_birth.valid = in.kd_rest.valid = in.kd_leave.valid = in.pool_lost.valid = in.susp_suspended.valid =
      in.susp_kin_fail.valid = 0;
}

static inline void birth(unsigned row, bool first) {
  in.devq_birth.valid = 1;
  in.devq_birth.kin = (uint16_t)row;
  in.devq_birth.alloc = first;
}

static inline struct hd_origin host(unsigned tag, unsigned hwq) {
  return (struct hd_origin){.host = 1, .tag = (uint16_t)tag, .hwq = (uint8_t)hwq};
}
static inline struct hd_origin device(unsigned up, unsigned stream) {
  return (struct hd_origin){.up = (uint16_t)up, .stream = (uint8_t)stream};
}

/* A kernel leaves the KD; row: its parent record, or -1. */
static inline void leave(struct hd_origin origin, int row) {
  in.kd_leave =
      (struct hd_leave){.valid = 1, .origin = origin, .kin_valid = row >= 0, .kin = (uint16_t)(row < 0 ? 0 : row)};
}

static inline void suspend(unsigned row, struct hd_origin origin) {
  in.susp_suspended.valid = 1;
  in.susp_suspended.kin = (uint16_t)row;
  in.susp_suspended.origin = origin;
}

/* Returns the number of cycles until kernel_done, counted from the next one; -1 if it does not arrive within 10. */
static inline int until_done(void) {
  for (int t = 0; t < 10; t++) {
    cycle();
    if (out.kernel_done_valid) return t;
  }
  return -1;
}

static inline struct hd_kin_arch *arch(void) {
  static struct hd_kin_arch a;
  hd_kin_arch(m, &a, true);
  return &a;
}

#endif
