/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the kd tests: kernels that enter, TBs that are handed out and retire, launches, saves and failures. */
#ifndef HD_KD_FIXTURE_H
#define HD_KD_FIXTURE_H

#include "host/kd.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_kd *m;
static struct hd_kd_in in;
static struct hd_kd_out out;

static inline int setup(void **state) {
  (void)state;
  cfg = ut_cfg("k20c");
  m = ut_new(hd_kd_size(&cfg));
  hd_kd_init(m, &cfg);
  memset(&in, 0, sizeof in);
  in.leave_ready = 1;
  return 0;
}

static inline int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

/* Runs one cycle; then `out` holds its outputs, and input pulses are cleared. */
static inline void cycle(void) {
  hd_kd_eval(m, &in, &out);
  hd_kd_tick(m, &in);
  in.kernel_valid = in.grant_valid = in.retire_valid = in.unit_end = in.park_valid = 0;
  in.hold_valid = in.unhold_valid = in.birth_valid = in.save_valid = 0;
  in.enter_queued = in.queue_valid = in.serve_valid = in.serve_last = 0;
  memset(in.fail_valid, 0, sizeof in.fail_valid);
}

/* Enters a kernel, which is then marked. Returns its entry, or -1 if none was free. */
static inline int enter(unsigned hwq, unsigned tag) {
  in.kernel_valid = 1;
  in.kernel = ut_kernel(hwq, tag);
  cycle();
  if (!out.kernel_ready) return -1;
  in.marked[out.alloc_kdei] = 1;
  return out.alloc_kdei;
}

static inline void grant(unsigned kdei) {
  in.grant_valid = 1;
  in.grant_kdei = (uint8_t)kdei;
}

static inline void retire(unsigned kdei) {
  in.retire_valid = 1;
  in.retire_kdei = (uint8_t)kdei;
}

/* A TB of the kernel launches a device kernel. */
static inline void birth(unsigned kdei, unsigned kin) {
  in.birth_valid = 1;
  in.birth_kdei = (uint8_t)kdei;
  in.birth_kin = (uint16_t)kin;
}

static inline void save(unsigned kdei) {
  in.save_valid = 1;
  in.save_kdei = (uint8_t)kdei;
}

static inline void fail_event(unsigned bus, unsigned kdei) {
  in.fail_valid[bus] = 1;
  in.fail_kdei[bus] = (uint8_t)kdei;
}

static inline struct hd_kd_arch *arch(void) {
  static struct hd_kd_arch a;
  hd_kd_arch(m, &a, true);
  return &a;
}

/* Runs a kernel without TBs through its entry, and returns the entry. */
static inline int pass_through(unsigned tag) {
  int i = enter(0, tag);
  if (i >= 0) in.marked[i] = 0;
  cycle();
  return i;
}

/* A kernel with two saved TBs, unmarked, one TB still in execution. */
static inline void two_saved(void) {
  enter(5, 55);
  for (int i = 0; i < 3; i++) {
    grant(0);
    cycle();
  }
  birth(0, 7);
  cycle();
  for (int i = 0; i < 2; i++) {
    save(0);
    cycle();
    retire(0);
    cycle();
    in.marked[0] = 0;
  }
}

#endif
