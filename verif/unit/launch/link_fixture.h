/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the link tests: groups that are launched and handed out, and the place where each was linked. */
#ifndef HD_LINK_FIXTURE_H
#define HD_LINK_FIXTURE_H

#include "launch/link.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_link *m;
static struct hd_link_in in;
static struct hd_link_out out;

static inline void start(const char *config, unsigned hash) {
  free(m);
  cfg = ut_cfg_with(config, "AgtHash", hash);
  m = ut_new(hd_link_size(&cfg));
  hd_link_init(m, &cfg);
  memset(&in, 0, sizeof in);
  in.kd_busy = 1;
}

static inline int setup(void **state) {
  (void)state;
  start("k20c", HD_AGT_HASH_HWTID);
  return 0;
}

static inline int teardown(void **state) {
  (void)state;
  free(m);
  m = NULL;
  return 0;
}

/* Runs one cycle; then `out` holds its outputs, and input pulses are cleared. */
static inline void cycle(void) {
  hd_link_eval(m, &in, &out);
  hd_link_tick(m, &in);
  in.devq_group.valid = in.sched_advance = in.kd_take.valid = in.kd_entry.valid = in.agc_free.valid = 0;
  memset(in.fails, 0, sizeof in.fails);
}

/* A group is in A2. */
static inline void group(unsigned kdei, unsigned hwtid, unsigned record) {
  in.devq_group.valid = 1;
  in.devq_group.kdei = (uint8_t)kdei;
  in.devq_group.smx = 0;
  in.devq_group.hwtid = (uint16_t)hwtid;
  in.devq_group.record = record;
}

/* Runs the whole launch: A2, then A3, whose result is in `out`. */
static inline void launch(unsigned kdei, unsigned hwtid, unsigned record) {
  group(kdei, hwtid, record);
  cycle();
  cycle();
}

static inline void advance(unsigned kdei, unsigned succ) {
  in.sched_advance = 1;
  in.sched_sscr.kdei = (uint8_t)kdei;
  in.agt_succ = (uint16_t)succ;
}

/* From the next cycle on, n groups of the kernel are in memory. */
static inline void memory(unsigned kdei, unsigned n) {
  in.ovfq_there[kdei] = n > 0;
  in.ovfq_one[kdei] = n == 1;
}

static inline void check_ptr(struct hd_ptr p, bool onchip, unsigned index) {
  assert_int_equal(p.onchip, onchip);
  assert_int_equal(p.index, index);
}

/* Checks the kernel's chain in the next cycle; none of its groups is in memory. */
static inline void check_list(unsigned kdei, bool chained, unsigned nagei, unsigned lagei) {
  hd_link_eval(m, &in, &out);
  assert_int_equal(out.chained[kdei], chained);
  assert_int_equal(out.nagei[kdei], nagei);
  assert_int_equal(out.lagei[kdei], lagei);
  if (in.ovfq_there[kdei]) return;
  assert_int_equal(out.pending[kdei], chained);
  assert_int_equal(out.single[kdei], chained && nagei == lagei);
}

/* Checks where the group in `out` was linked: to the list in memory, behind an AGE of the chain, or to an empty
 * chain. */
static inline void check_over(void) {
  assert_int_equal(out.link.valid && out.link.over, 1);
  assert_int_equal(out.link.next || out.link.prev, 0);
}
static inline void check_behind(unsigned prev) {
  assert_int_equal(out.link.valid && out.link.next, 1);
  assert_int_equal(out.link.over, 0);
  assert_int_equal(out.link.prev, prev);
}
static inline void check_first(void) {
  assert_int_equal(out.link.valid, 1);
  assert_int_equal(out.link.over || out.link.next || out.link.prev, 0);
}

#endif
