/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the dats tests: a kernel of CTAS TBs with a valid descriptor, and its steps from entry to completion. */
#ifndef HD_DATS_FIXTURE_H
#define HD_DATS_FIXTURE_H

#include "env/common/memory.h"
#include "graph/dats.h"
#include "unit/util.h"

enum { KDEI = 3, AT = 0x1234567, CTAS = 600, LEVELS = 5 };
#define EDGES UINT32_C(0x87654320)
static const uint64_t addr[4] = {0x1000, 0xfedcba9880, 0x12380, 0x80};
static const struct hd_need need = {.warps = 5, .regs = 77, .smem = 13};

static struct hd_cfg cfg;
static struct hd_dats *m;
static struct hd_dats_in in;
static struct hd_dats_out out;
static uint8_t bytes[48]; /* the descriptor */

/* Writes a valid descriptor. */
static inline void describe(void) {
  for (unsigned k = 0; k < 4; k++) hd_memory_put(bytes + 8 * k, 8, addr[k]);
  hd_memory_put(bytes + 32, 2, CTAS);
  hd_memory_put(bytes + 34, 2, LEVELS);
  hd_memory_put(bytes + 36, 4, HD_GPOLICY_LVL);
  hd_memory_put(bytes + 40, 8, EDGES);
}

static inline void start_with(struct hd_cfg c) {
  cfg = c;
  m = ut_new(hd_dats_size(&cfg));
  hd_dats_init(m, &cfg);
  memset(&in, 0, sizeof in);
  describe();
}

static inline int setup(void **state) {
  (void)state;
  start_with(ut_cfg("k20c"));
  return 0;
}

static inline int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

static inline const struct hd_dats_arch *arch(void) {
  static struct hd_dats_arch a;
  memset(&a, 0x5a, sizeof a);
  hd_dats_arch(m, &a, true);
  return &a;
}

/* Runs one cycle; then `out` holds its outputs, and all inputs but the marks are cleared. */
static inline void cycle(void) {
  struct hd_dats_in quiet;
  memset(&out, 0x5a, sizeof out);
  hd_dats_eval(m, &in, &out);
  hd_dats_tick(m, &in);
  memset(&quiet, 0, sizeof quiet);
  memcpy(quiet.fcfs_marked, in.fcfs_marked, sizeof in.fcfs_marked);
  in = quiet;
}

static inline void enter_as(unsigned kdei, uint32_t ctas) {
  in.kd_entry.valid = 1;
  in.kd_entry.kdei = (uint8_t)kdei;
  in.kmu_offer.valid = in.kmu_offer.kernel.graph = 1;
  in.kmu_offer.kernel.need = need;
  in.kmu_offer.kernel.ctas = ctas;
  in.kmu_offer.kernel.desc.param = 64 * (uint64_t)AT;
  cycle();
  assert_false(out.busy);
}

static inline void ask(void) {
  in.mem.ready = 1;
  cycle();
  assert_true(out.mem.valid);
}

static inline void beat(unsigned k, bool error) {
  in.mem.r_valid = 1;
  in.mem.r.lo = hd_memory_get(bytes + 16 * k, 8);
  in.mem.r.hi = hd_memory_get(bytes + 16 * k + 8, 8);
  in.mem.r.error = error;
  in.mem.r.last = k == 2;
  cycle();
  assert_false(out.start_valid || out.over.valid);
}

/* Enters a kernel and lets its descriptor be read. */
static inline void read_as(uint32_t ctas) {
  enter_as(KDEI, ctas);
  ask();
  for (unsigned k = 0; k < 3; k++) beat(k, false);
}

static inline void run(void) {
  read_as(CTAS);
  in.dgb_start_ready = 1;
  cycle();
  assert_true(out.start_valid);
}

static inline void finish(unsigned code, unsigned vid) {
  in.dgb_finish_valid = 1;
  in.dgb_finish.code = (uint8_t)code;
  in.dgb_finish.vid = (uint16_t)vid;
  cycle();
  assert_true(out.finish_ready && !out.over.valid);
}

static inline void over(unsigned code, unsigned vid) {
  cycle();
  assert_true(out.busy && out.over.valid && !out.run.valid);
  assert_int_equal(out.over.kdei, KDEI);
  assert_int_equal(out.over.result.code, code);
  assert_int_equal(out.over.result.vid, vid);
  cycle();
  assert_true(!out.busy && !out.over.valid && !out.over.result.code && !out.over.result.vid && !out.over.kdei);
}

#endif
