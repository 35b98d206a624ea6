/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the susp tests: a memory, saves, and the current kernel. */
#ifndef HD_SUSP_FIXTURE_H
#define HD_SUSP_FIXTURE_H

#include "family/susp.h"
#include "unit/util.h"

enum { BASE = 0x30, REGION = 256 * 1024 };

static struct hd_cfg cfg;
static struct hd_susp *m;
static struct hd_susp_in in;
static struct hd_susp_out out;
/* A memory that answers at once; fail: the next answer is an error. */
static uint8_t memory[REGION];
static enum { IDLE, WRITE, ANSWER, READ } port;
static uint64_t at;
static unsigned left, fail, frozen, bursts;

static inline void start(const char *config) {
  cfg = ut_cfg(config);
  m = ut_new(hd_susp_size(&cfg));
  hd_susp_init(m, &cfg);
  memset(&in, 0, sizeof in);
  memset(memory, 0, sizeof memory);
  in.regs_config.sus_base = BASE;
  port = IDLE;
  left = fail = frozen = bursts = 0;
}

static inline int setup(void **state) {
  (void)state;
  start("tiny"); /* 8 parent records, 2 entries, lists of 16 saved TBs (one chunk) */
  return 0;
}

static inline int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

static inline uint64_t word_at(uint64_t byte) {
  uint64_t v = 0;
  for (unsigned k = 8; k--;) v = v << 8 | memory[byte + k];
  return v;
}

static inline void take_beat(void) {
  for (unsigned k = 0; k < 16; k++)
    if (out.mem.wbeat.strb >> k & 1)
      memory[at + k] = (uint8_t)((k < 8 ? out.mem.wbeat.lo : out.mem.wbeat.hi) >> 8 * (k % 8));
  in.mem.take = 1;
  at += 16;
  if (!--left) port = ANSWER;
}

static inline void drive_beat(void) {
  in.mem.r_valid = 1;
  in.mem.r =
      (struct hd_memdata){.lo = word_at(at), .hi = word_at(at + 8), .last = left == 1, .error = fail && left == 3};
  if (in.mem.r.error) fail = 0;
  at += 16;
  if (!--left) port = IDLE;
}

/* Sets the memory's inputs of a cycle from the outputs of that cycle. */
static inline void serve(void) {
  in.mem.take = in.mem.b_valid = in.mem.b_error = in.mem.r_valid = in.mem.ready = 0;
  in.mem.r = (struct hd_memdata){0};
  if (frozen) return;
  if (port == WRITE) {
    take_beat();
  } else if (port == READ) {
    drive_beat();
  } else if (port == ANSWER) {
    in.mem.b_valid = 1;
    in.mem.b_error = fail != 0;
    fail = 0;
    port = IDLE;
  } else {
    in.mem.ready = 1;
    if (!out.mem.valid) return;
    assert_in_range(out.mem.req.addr, BASE * 256, BASE * 256 + REGION - 1);
    at = out.mem.req.addr - BASE * 256;
    left = out.mem.req.len + 1u;
    port = out.mem.req.write ? WRITE : READ;
    bursts++;
  }
}

/* Runs one cycle; then `out` holds its outputs, and input pulses are cleared. */
static inline void cycle(void) {
  hd_susp_eval(m, &in, &out);
  serve();
  hd_susp_tick(m, &in);
  in.devq_save.valid = in.kd_suspend.valid = in.kmu_susp_pop = in.sched_saved_pop = in.kin_suspended_ready = 0;
}

static inline void idle(unsigned n) {
  while (n--) cycle();
}

static inline void save(unsigned kin, unsigned pos, uint64_t ctx) {
  in.devq_save.valid = 1;
  in.devq_save.kin = (uint16_t)kin;
  in.devq_save.pos = (uint16_t)pos;
  in.devq_save.tb.ctx = ctx;
  in.devq_save.tb.level = (uint8_t)(ctx % 5);
  cycle();
}

/* The kernel in this entry is current, with this many saved TBs. */
static inline void current(unsigned kdei, unsigned kin, unsigned first, unsigned count) {
  in.sched_sscr.valid = 1;
  in.sched_sscr.kdei = (uint8_t)kdei;
  in.kd_kin[kdei] = (uint16_t)kin;
  in.kd_sav_first[kdei] = (uint16_t)first;
  in.kd_sav_count[kdei] = (uint16_t)count;
}

static inline struct hd_susp_arch *arch(void) {
  static struct hd_susp_arch a;
  hd_susp_arch(m, &a, true);
  return &a;
}

#endif
