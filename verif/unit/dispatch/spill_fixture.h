/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the spill tests: a memory, groups that are put, and the groups that return. A group is named by a
 * small number from which all its fields follow. */
#ifndef HD_SPILL_FIXTURE_H
#define HD_SPILL_FIXTURE_H

#include "dispatch/spill.h"
#include "env/common/memory.h"
#include "unit/util.h"

enum { BASE = 0x40, LOG = 512, BYTES = 1 << 20 };

static struct hd_cfg cfg;
static struct hd_spill *m;
static struct hd_spill_in in;
static struct hd_spill_out out;
/* A memory that accepts every request at once and answers `port.latency` cycles later. */
static struct hd_memory_bursts port;
static uint8_t bytes[BYTES];
static bool stall_requests;
static unsigned fail_writes;                       /* set of the next answers that are errors, bit 0 the first */
static unsigned fail_beats;                        /* set of the beats of the next burst that are errors */
static unsigned now;                               /* cycles */
static bool was_room[HD_MAX_RING_QUEUES];          /* in the previous cycle */
static int kept[HD_MAX_NUM_BANK];                  /* reserved places of the banks */
static unsigned reserved_at, released_at, release; /* cycles of the last ones, and how many */
static unsigned beats;                             /* of the burst that arrives */
/* Groups that were returned and taken, oldest first; reads that were requested; kernels with a loss. */
static struct { unsigned bank, level, name; } got[LOG];
static struct { unsigned groups, at; } read[LOG];
static struct { unsigned kdei, at; } loss[LOG];
static unsigned gots, taken, losses, writes, reads, write_at, last_beat_at, back_at;

static inline void cycle(void);
static inline void idle(unsigned n) {
  while (n--) cycle();
}

static inline unsigned queue_of(unsigned bank, unsigned level) {
  return bank * cfg.max_level + level - 1;
}

/* Every bank has places, and the region holds the smallest rings. */
static inline void start_as(struct hd_cfg c) {
  free(m);
  cfg = c;
  m = ut_new(hd_spill_size(&cfg));
  hd_spill_init(m, &cfg);
  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
  memset(&port, 0, sizeof port);
  memset(kept, 0, sizeof kept);
  port.latency = 1;
  in.regs_config.spill_base = BASE;
  in.regs_config.spill_count = cfg.ring_queues << cfg.ring_order_min;
  in.laperm_back_ready = 1;
  memset(in.laperm_place, 1, cfg.num_bank);
  stall_requests = false;
  fail_writes = fail_beats = beats = 0;
  now = gots = taken = losses = writes = reads = 0;
  idle(2); /* the rings have their size */
}

/* 2 banks, 4 levels, rings of 16 places; 3 groups may wait, 3 may be out, 2 are requested at once. */
static inline int setup(void **state) {
  (void)state;
  start_as(ut_cfg("tiny"));
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
  if (in.mem.b_valid) {
    in.mem.b_error = fail_writes & 1;
    fail_writes >>= 1;
  }
  if (!in.mem.r_valid) return;
  in.mem.r.error = fail_beats >> beats++ & 1;
  if (in.mem.r.last) beats = fail_beats = 0;
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
  assert_true(kept[out.back.bank]-- > 0);
  got[gots % LOG].bank = out.back.bank;
  got[gots % LOG].level = out.back.info.level;
  got[gots++ % LOG].name = name;
}

/* Counts the reserved places; they are only reserved where there are some, and only given up where there are some. */
static inline void watch_places(void) {
  unsigned banks = 0;
  for (unsigned b = 0; b < cfg.num_bank; b++) {
    banks += out.reserve[b];
    if (out.reserve[b]) reserved_at = now;
    if (out.release[b]) released_at = now, release = out.release[b];
    assert_true(!out.reserve[b] || in.laperm_place[b]);
    kept[b] += (int)(out.reserve[b] * cfg.spill_line) - out.release[b];
    assert_true(kept[b] >= 0);
  }
  assert_true(banks <= 1);
}

static inline void watch_port(void) {
  if (!out.mem.valid || !in.mem.ready) return;
  if (out.mem.req.write) {
    writes++, write_at = now;
    assert_int_equal(out.mem.req.len, 1);
    return;
  }
  assert_int_equal(out.mem.req.len % 2, 1);
  read[reads % LOG].groups = (out.mem.req.len + 1u) / 2;
  read[reads++ % LOG].at = now;
}

/* Runs one cycle; then `out` holds its outputs. */
static inline void cycle(void) {
  serve();
  for (unsigned q = 0; q < cfg.ring_queues; q++) was_room[q] = out.room[q];
  hd_spill_eval(m, &in, &out);
  watch_back();
  watch_places();
  watch_port();
  if (in.mem.r_valid && in.mem.r.last) last_beat_at = now;
  if (out.lost.valid) loss[losses % LOG].kdei = out.lost.kdei, loss[losses++ % LOG].at = now;
  if (!out.lost.valid) assert_int_equal(out.lost.kdei, 0);
  hd_spill_tick(m, &in);
  now++;
}

static inline bool room(unsigned bank, unsigned level) {
  return out.room[queue_of(bank, level)];
}

static inline bool held(unsigned bank, unsigned level) {
  return out.held[queue_of(bank, level)];
}

/* Sets the inputs of a put in the next cycle. */
static inline void offer(unsigned bank, unsigned level, unsigned name) {
  in.laperm_put.valid = 1;
  in.laperm_put.bank = (uint8_t)bank;
  in.laperm_put.kdei = (uint8_t)kernel_of(name);
  in.laperm_put.info = group_of(name, level);
}

/* Puts a group in one cycle; requires room in the cycle before, and a row. */
static inline void put_now(unsigned bank, unsigned level, unsigned name) {
  assert_true(room(bank, level));
  offer(bank, level, name);
  cycle();
  assert_true(out.rows > 0);
  in.laperm_put.valid = 0;
}

/* Puts a group as soon as there is room. */
static inline void put(unsigned bank, unsigned level, unsigned name) {
  for (unsigned t = 0; t < 600 && !(room(bank, level) && hd_spill_rows(m)); t++) cycle();
  put_now(bank, level, name);
}

static inline void open_bank(unsigned bank, bool open) {
  in.laperm_place[bank] = open;
}

static inline void open_all(void) {
  memset(in.laperm_place, 1, cfg.num_bank);
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

/* Everything is over: nothing is held, and no place is reserved. */
static inline void expect_quiet(void) {
  assert_true(hd_spill_quiet(m, in.regs_config.spill_count));
  for (unsigned b = 0; b < cfg.num_bank; b++) assert_int_equal(kept[b], 0);
}

static inline struct hd_spill_arch *arch(void) {
  static struct hd_spill_arch a;
  memset(&a, 0, sizeof a);
  hd_spill_arch(m, &a, true);
  return &a;
}

#endif
