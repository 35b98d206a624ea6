/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the pq tests: pushes and takes entries and reads the remaining ones. An entry is named by its arrival
 * number, from which its kernel follows. */
#ifndef HD_PQ_FIXTURE_H
#define HD_PQ_FIXTURE_H

#include "dispatch/pq.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_pq *m;
static struct hd_pq_in in;
static struct hd_pq_out out;

/* k20c with this many places and levels. */
static inline void start(unsigned depth, unsigned levels) {
  char err[300];
  free(m);
  cfg = ut_cfg_with("k20c", "PqDepth", depth);
  assert_true(hd_cfg_set(&cfg, "MaxLevel", levels, err, sizeof err) && hd_cfg_derive(&cfg, err, sizeof err));
  m = ut_new(hd_pq_size(&cfg));
  hd_pq_init(m, &cfg);
  memset(&in, 0, sizeof in);
}

static inline int setup(void **state) {
  (void)state;
  start(128, 4);
  return 0;
}

static inline int teardown(void **state) {
  (void)state;
  free(m);
  m = NULL;
  return 0;
}

/* Runs one cycle with the present inputs, then clears all but the needs; `out` then holds the outputs of the next
 * cycle. */
static inline void cycle(void) {
  hd_pq_tick(m, &in);
  if (in.push_valid) in.need[in.push.kdei] = in.push_need;
  memset(&in, 0, offsetof(struct hd_pq_in, need));
  in.take = 0;
  hd_pq_eval(m, &in, &out);
}

/* Pushes the entry of that name in the next cycle. */
static inline void offer(unsigned name, unsigned level, unsigned ctas) {
  memset(&in.push, 0, sizeof in.push);
  in.push_valid = 1;
  in.push.kind = HD_UNIT_GROUP;
  in.push.kdei = (uint8_t)(name % cfg.num_kde);
  in.push.grid_x = (uint16_t)ctas;
  in.push.grid_y = in.push.grid_z = 1;
  in.push.param = 0x1000 + name;
  in.push.ctas = ctas;
  in.push.arrival = name;
  in.push.level = (uint8_t)level;
  in.push_need =
      (struct hd_need){.warps = (uint8_t)(1 + in.push.kdei), .regs = 7, .smem = (uint16_t)(2 * in.push.kdei)};
}

static inline void push(unsigned name, unsigned level, unsigned ctas) {
  offer(name, level, ctas);
  cycle();
}

static inline void take(void) {
  in.take = 1;
  cycle();
}

static inline void push_and_take(unsigned name, unsigned level, unsigned ctas) {
  in.take = 1;
  push(name, level, ctas);
}

/* Checks that the entry of that name is the head, with that next TB. */
static inline void expect(unsigned name, unsigned nextbl) {
  assert_int_equal(out.front_valid, 1);
  assert_int_equal(out.front.arrival, name);
  assert_int_equal(out.front_nextbl, nextbl);
  assert_int_equal(out.front_last, nextbl + 1 == out.front.ctas);
  assert_int_equal(out.front_need.warps, 1 + name % cfg.num_kde);
}

/* Checks that these entries remain, with this total of TBs, and takes them. */
static inline void drains(unsigned n, const unsigned *name, unsigned tbs) {
  for (unsigned i = 0; i < n; i++) {
    assert_int_equal(out.front.arrival, name[i]);
    do {
      take();
      tbs--;
    } while (out.front_valid && out.front.arrival == name[i]);
  }
  assert_int_equal(tbs, 0);
  assert_int_equal(out.front_valid, 0);
}

#define DRAINS(tbs, ...) \
  drains(sizeof(unsigned[]){__VA_ARGS__} / sizeof(unsigned), (const unsigned[]){__VA_ARGS__}, tbs)

static inline struct hd_pq_arch *arch(void) {
  static struct hd_pq_arch a;
  hd_pq_arch(m, &a, true);
  return &a;
}

#endif
