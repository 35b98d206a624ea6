/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the warp tests: an SMX whose warps keep the state that the test sets, TB assignment, single cycles. */
#ifndef HD_WARP_FIXTURE_H
#define HD_WARP_FIXTURE_H

#include "dispatch/warp.h"
#include "unit/util.h"

enum { PASS = HD_WARP_PASS };

static struct hd_cfg cfg;
static struct hd_warp *m;
static struct hd_warp_in in;
static struct hd_warp_out out;

static inline void start_with(struct hd_cfg c) {
  cfg = c;
  m = ut_new(hd_warp_size(&cfg));
  hd_warp_init(m, &cfg);
  memset(&in, 0, sizeof in);
}

/* The paper's machine: 32 warps, 8 slots. */
static inline int setup(void **state) {
  (void)state;
  start_with(ut_cfg("gtx480ws"));
  return 0;
}

static inline int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

static inline void start_anew(struct hd_cfg c) {
  free(m);
  start_with(c);
}

static inline const struct hd_warp_arch *arch(void) {
  static struct hd_warp_arch a;
  memset(&a, 0x5a, sizeof a);
  hd_warp_arch(m, &a, true);
  return &a;
}

/* Runs one cycle; then `out` holds its outputs. Only the assignment is cleared. */
static inline void cycle(void) {
  memset(&out, 0x5a, sizeof out);
  hd_warp_eval(m, &in, &out);
  hd_warp_tick(m, &in);
  in.assign_valid = 0;
}

static inline void cycles(unsigned n) {
  while (n--) cycle();
}

/* Runs one cycle, then checks that scheduler p issues this warp, or none (-1). */
static inline void issues(unsigned p, int warp) {
  hd_warp_eval(m, &in, &out);
  assert_int_equal(out.issue_valid[p] ? out.issue_warp[p] : -1, warp);
  if (warp < 0) assert_int_equal(out.issue_warp[p], 0);
}

/* Checks that scheduler 0 chooses this warp in a cycle with these inputs. */
static inline void chooses(int warp) {
  cycle();
  issues(0, warp);
}

static inline void assign(unsigned slot) {
  in.assign_valid = 1;
  in.assign_slot = (uint8_t)slot;
  cycle();
}

/* Makes warps first, first + step, .. of the slot valid. */
static inline void put(unsigned slot, unsigned first, unsigned step, unsigned n) {
  for (unsigned w = first; n; w += step, n--) {
    in.warp_valid[w] = 1;
    in.warp_slot[w] = (uint8_t)slot;
  }
}

/* Assigns a TB of these warps and makes them valid. */
static inline void tb(unsigned slot, unsigned first, unsigned n) {
  assign(slot);
  put(slot, first, 1, n);
}

/* Sets the ready warps: those of the list, which ends with -1. */
static inline void ready(const int *warps) {
  memset(in.warp_ready, 0, sizeof in.warp_ready);
  for (; *warps >= 0; warps++) in.warp_ready[*warps] = 1;
}

#define READY(...) ready((const int[]){__VA_ARGS__, -1})

static inline void all_ready(void) {
  memset(in.warp_ready, 1, cfg.warps_per_smx);
}

/* The warp alone stalls in the next n cycles. */
static inline void stall(unsigned warp, unsigned n) {
  in.stall_raw[warp] = 1;
  cycles(n);
  in.stall_raw[warp] = 0;
}

/* Returns the number of cycles to the next one with phase 0. */
static inline void to_sample(void) {
  while (arch()->phase) cycle();
}

/* Waits until all valid warps are in the order that is used. */
static inline void settle(void) {
  to_sample();
  cycles(PASS);
}

#endif
