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
  in.kin_leave_ready = 1;
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
  in.kmu_offer.valid = in.sched_grant.valid = in.sched_retire.valid = in.sched_grant.unit_end = in.sched_park.valid = 0;
  in.devq_hold.valid = in.devq_unhold.valid = in.devq_birth.valid = in.devq_save.valid = 0;
  in.laperm_enter.bank = in.laperm_push.valid = in.sched_take.valid = in.sched_take.last = 0;
  memset(in.fails, 0, sizeof in.fails);
}

/* Enters a kernel, which is then marked. Returns its entry, or -1 if none was free. */
static inline int enter(unsigned hwq, unsigned tag) {
  in.kmu_offer.valid = 1;
  in.kmu_offer.kernel = ut_kernel(hwq, tag);
  cycle();
  if (!out.free.valid) return -1;
  in.fcfs_marked[out.entry.kdei] = 1;
  return out.entry.kdei;
}

static inline void grant(unsigned kdei) {
  in.sched_grant.valid = 1;
  in.sched_sscr.kdei = (uint8_t)kdei;
}

static inline void retire(unsigned kdei) {
  in.sched_retire.valid = 1;
  in.sched_retire.tb.kdei = (uint8_t)kdei;
}

/* A TB of the kernel launches a device kernel. */
static inline void birth(unsigned kdei, unsigned kin) {
  in.devq_birth.valid = 1;
  in.devq_birth.kdei = (uint8_t)kdei;
  in.devq_birth.kin = (uint16_t)kin;
}

static inline void save(unsigned kdei) {
  in.devq_save.valid = 1;
  in.devq_save.kdei = (uint8_t)kdei;
}

static inline void fail_event(unsigned bus, unsigned kdei) {
  in.fails[bus].valid = 1;
  in.fails[bus].kdei = (uint8_t)kdei;
}

static inline struct hd_kd_arch *arch(void) {
  static struct hd_kd_arch a;
  hd_kd_arch(m, &a, true);
  return &a;
}

/* TBs of an entry in execution, and its entries in banks; the arch shows those without the last hand-out. */
static inline unsigned exebl_of(unsigned kdei) {
  return m->shown[kdei].exebl;
}

static inline unsigned queued_of(unsigned kdei) {
  return m->shown[kdei].queued;
}

/* Runs a kernel without TBs through its entry, and returns the entry. */
static inline int pass_through(unsigned tag) {
  int i = enter(0, tag);
  if (i >= 0) in.fcfs_marked[i] = 0;
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
    in.fcfs_marked[0] = 0;
  }
}

#endif
