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
  in.a2_group = in.adv_valid = in.take_valid = in.enter_valid = in.enter_ready = in.free_valid = 0;
  memset(in.fail_valid, 0, sizeof in.fail_valid);
}

/* A group is in A2. */
static inline void group(unsigned kdei, unsigned hwtid, unsigned record) {
  in.a2_group = 1;
  in.a2_kdei = (uint8_t)kdei;
  in.a2_smx = 0;
  in.a2_hwtid = (uint16_t)hwtid;
  in.a2_record = record;
}

/* Runs the whole launch: A2, then A3, whose result is in `out`. */
static inline void launch(unsigned kdei, unsigned hwtid, unsigned record) {
  group(kdei, hwtid, record);
  cycle();
  cycle();
}

static inline void advance(unsigned kdei, unsigned succ) {
  in.adv_valid = 1;
  in.adv_kdei = (uint8_t)kdei;
  in.succ = (uint16_t)succ;
}

/* From the next cycle on, n groups of the kernel are in memory. */
static inline void memory(unsigned kdei, unsigned n) {
  in.there[kdei] = n > 0;
  in.one[kdei] = n == 1;
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
  if (in.there[kdei]) return;
  assert_int_equal(out.pending[kdei], chained);
  assert_int_equal(out.single[kdei], chained && nagei == lagei);
}

/* Checks where the group in `out` was linked: to the list in memory, behind an AGE of the chain, or to an empty
 * chain. */
static inline void check_over(void) {
  assert_int_equal(out.link_valid && out.link_over, 1);
  assert_int_equal(out.link_next || out.link_prev, 0);
}
static inline void check_behind(unsigned prev) {
  assert_int_equal(out.link_valid && out.link_next, 1);
  assert_int_equal(out.link_over, 0);
  assert_int_equal(out.link_prev, prev);
}
static inline void check_first(void) {
  assert_int_equal(out.link_valid, 1);
  assert_int_equal(out.link_over || out.link_next || out.link_prev, 0);
}

#endif
