/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the agc tests: groups that are loaded, handed out, retired and parked, and the entries that are freed. */
#ifndef HD_AGC_FIXTURE_H
#define HD_AGC_FIXTURE_H

#include "launch/agc.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_agc *m;
static struct hd_agc_in in;
static struct hd_agc_out out;

static inline int setup(void **state) {
  (void)state;
  cfg = ut_cfg("tiny"); /* 4 AGEs on chip, 5 overflow slots, counts modulo 8 */
  m = ut_new(hd_agc_size(&cfg));
  hd_agc_init(m, &cfg);
  memset(&in, 0, sizeof in);
  in.record_done_ready = 1;
  return 0;
}

static inline int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

/* Runs one cycle; then `out` holds its outputs, and input pulses are cleared. */
static inline void cycle(void) {
  hd_agc_eval(m, &in, &out);
  hd_agc_tick(m, &in);
  in.sched_hand.load = in.sched_hand.grant = in.sched_hand.last = in.sched_hand.park = in.sched_retire.valid = 0;
  memset(in.kd_left, 0, sizeof in.kd_left);
}

static inline void load(bool onchip, unsigned index) {
  in.sched_hand.load = 1;
  in.sched_hand.ptr = (struct hd_ptr){.onchip = onchip, .index = index};
}

static inline void grant(bool end) {
  in.sched_hand.grant = 1;
  in.sched_hand.last = end;
}

static inline void retire(unsigned agei) {
  in.sched_retire.valid = 1;
  in.sched_retire.tb = (struct hd_retire){.age_valid = 1, .agei = (uint16_t)agei};
}

static inline void park(unsigned kdei) {
  in.sched_hand.park = 1;
  in.sched_sscr.kdei = (uint8_t)kdei;
}

/* Loads a group and hands out all its n TBs, one per cycle. */
static inline void hand_out(bool onchip, unsigned index, unsigned n) {
  load(onchip, index);
  cycle();
  for (unsigned k = 0; k < n; k++) {
    grant(k + 1 == n);
    cycle();
  }
}

/* Runs an overflowed group of one TB from its load to its end; it gets this slot. */
static inline void run_overflowed(unsigned record, unsigned slot) {
  hand_out(false, record, 1);
  cycle();
  cycle();
  retire(cfg.agt_size + slot);
  cycle();
}

static inline struct hd_agc_arch *arch(void) {
  static struct hd_agc_arch a;
  hd_agc_arch(m, &a, true);
  return &a;
}

/* Returns the number of cycles until an AGE is freed, counted from the next one; -1 if none is freed within 20. */
static inline int until_free(void) {
  for (int t = 0; t < 20; t++) {
    cycle();
    if (out.free.valid) return t;
  }
  return -1;
}

#endif
