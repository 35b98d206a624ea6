/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the spill tests: a memory, groups that are put, and the groups that return. A group is named by a small
 * number from which all its fields follow. */
#ifndef HD_SPILL_FIXTURE_H
#define HD_SPILL_FIXTURE_H

#include "dispatch/spill.h"
#include "env/common/memory.h"
#include "unit/util.h"

enum { BASE = 0x40, LOG = 512 };

static struct hd_cfg cfg;
static struct hd_spill *m;
static struct hd_spill_in in;
static struct hd_spill_out out;
/* A memory that accepts every request at once and answers `port.latency` cycles later. */
static struct hd_memory_bursts port;
static uint8_t bytes[HD_MAX_SPILLQ_PLACES * HD_SPILL_BYTES];
static bool stall_requests, fail_write; /* fail_write: the next answer is an error */
static int fail_beat;                   /* this beat of the next group is an error; -1: none */
static unsigned now;                    /* cycles */
/* Groups that were returned and taken, oldest first. */
static struct { unsigned bank, level, name; } got[LOG];
static unsigned gots, taken, losts, lost_kdei, writes, reads, write_at, read_at, last_beat_at, back_at;

static inline void start_as(struct hd_cfg c) {
  free(m);
  cfg = c;
  m = ut_new(hd_spill_size(&cfg));
  hd_spill_init(m, &cfg);
  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
  memset(&port, 0, sizeof port);
  port.latency = 1;
  in.regs_config.spill_base = BASE;
  in.regs_config.spill_count = 12;
  in.laperm_back_ready = 1;
  memset(in.laperm_place, 1, cfg.num_bank);
  stall_requests = fail_write = false;
  fail_beat = -1;
  now = gots = taken = losts = writes = reads = 0;
}

static inline int setup(void **state) {
  (void)state;
  start_as(ut_cfg("tiny")); /* 2 banks, 4 levels, 16 places; 2 groups may wait, 3 may be in flight */
  return 0;
}

static inline int teardown(void **state) {
  (void)state;
  free(m);
  m = NULL;
  return 0;
}

static inline struct hd_info group_of(unsigned name, unsigned level) {
  struct hd_info g;
  memset(&g, 0, sizeof g);
  g.grid_x = (uint16_t)(0x8001 + name);
  g.grid_y = (uint16_t)(0xc000 + 3 * name);
  g.grid_z = (uint8_t)(0x80 + name % 64);
  g.ctas = 0xf0000000 + name;
  g.param = UINT64_C(0x300000000) + 5 * name;
  g.level = (uint8_t)level;
  return g;
}

static inline unsigned kernel_of(unsigned name) {
  return name % cfg.num_kde;
}

static inline void serve(void) {
  hd_memory_drive_bursts(&port, NULL, NULL, &out.mem, bytes, BASE * 256, sizeof bytes);
  if (stall_requests) port.pins.ready = 0;
  in.mem = port.pins;
  in.mem.b_error = in.mem.b_valid && fail_write;
  if (in.mem.b_valid) fail_write = false;
  if (!in.mem.r_valid || fail_beat != in.mem.r.last) return;
  in.mem.r.error = 1;
  fail_beat = -1;
}

/* Checks that the offered group equals the one that was put, and records it if it is taken. */
static inline void watch_back(void) {
  const struct hd_info none = {0};
  if (!out.back.valid) {
    assert_int_equal(out.back.bank || out.back.kdei, 0);
    assert_memory_equal(&out.back.info, &none, sizeof none);
    return;
  }
  const unsigned name = out.back.info.ctas - 0xf0000000;
  const struct hd_info g = group_of(name, out.back.info.level);
  assert_memory_equal(&out.back.info, &g, sizeof g);
  assert_int_equal(out.back.kdei, kernel_of(name));
  back_at = now;
  if (!in.laperm_back_ready) return;
  got[gots % LOG].bank = out.back.bank;
  got[gots % LOG].level = out.back.info.level;
  got[gots++ % LOG].name = name;
}

/* Runs one cycle; then `out` holds its outputs. */
static inline void cycle(void) {
  serve();
  hd_spill_eval(m, &in, &out);
  watch_back();
  if (out.mem.valid && out.mem.req.write && in.mem.ready) writes++, write_at = now;
  if (out.mem.valid && !out.mem.req.write && in.mem.ready) reads++, read_at = now;
  if (in.mem.r_valid && in.mem.r.last) last_beat_at = now;
  if (out.lost.valid) losts++, lost_kdei = out.lost.kdei;
  if (!out.lost.valid) assert_int_equal(out.lost.kdei, 0);
  hd_spill_tick(m, &in);
  now++;
}

static inline void idle(unsigned n) {
  while (n--) cycle();
}

/* Sets the inputs of a put in the next cycle. */
static inline void offer(unsigned bank, unsigned level, unsigned name) {
  in.laperm_put.valid = 1;
  in.laperm_put.bank = (uint8_t)bank;
  in.laperm_put.kdei = (uint8_t)kernel_of(name);
  in.laperm_put.info = group_of(name, level);
}

/* Puts a group in one cycle; requires room. */
static inline void put_now(unsigned bank, unsigned level, unsigned name) {
  offer(bank, level, name);
  cycle();
  assert_int_equal(out.put_ready, 1);
  in.laperm_put.valid = 0;
}

/* Puts a group as soon as there is room. */
static inline void put(unsigned bank, unsigned level, unsigned name) {
  for (unsigned t = 0; t < 600 && !hd_spill_put_ready(m, in.regs_config.spill_count); t++) cycle();
  put_now(bank, level, name);
}

static inline void open_bank(unsigned bank, bool open) {
  in.laperm_place[bank] = open;
}

static inline void close_all(void) {
  memset(in.laperm_place, 0, sizeof in.laperm_place);
}

/* Expects this group to be the next one that returns. */
static inline void expect(unsigned bank, unsigned level, unsigned name) {
  for (unsigned t = 0; t < 600 && gots == taken; t++) cycle();
  assert_true(gots > taken);
  unsigned at = taken++ % LOG;
  assert_int_equal(got[at].name, name);
  assert_int_equal(got[at].bank, bank);
  assert_int_equal(got[at].level, level);
}

static inline void expect_nothing(void) {
  for (unsigned t = 0; t < 100; t++) {
    cycle();
    assert_int_equal(gots, taken);
  }
}

static inline bool held(unsigned bank, unsigned level) {
  return out.held[bank * cfg.max_level + level - 1];
}

static inline struct hd_spill_arch *arch(void) {
  static struct hd_spill_arch a;
  memset(&a, 0, sizeof a);
  hd_spill_arch(m, &a, true);
  return &a;
}

#endif
