/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the memq tests: a memory, entries that are put and requested, and the entries that return. */
#ifndef HD_MEMQ_FIXTURE_H
#define HD_MEMQ_FIXTURE_H

#include "env/common/memory.h"
#include "service/memq.h"
#include "unit/util.h"

enum { BASE = 0x40, LOG = 64 };

static struct hd_cfg cfg;
static struct hd_memq *m;
static struct hd_memq_in in;
static struct hd_memq_out out;
/* A memory that accepts every request at once and answers `port.latency` cycles later. */
static struct hd_memory_bursts port;
static uint8_t bytes[HD_MAX_MEMQ_PLACES * HD_MEMQ_BYTES];
static bool stall_requests, stall_beats, fail_write; /* fail_write: the next answer is an error */
static int fail_beat;                                /* this beat of the next entry is an error; -1: none */
static uint32_t number;                              /* number of the next entry to put */
/* Returned entries, and the places that were written, oldest first. */
static struct {
  uint32_t number;
  uint16_t side;
  uint8_t tag, error;
} got[LOG];
static unsigned gots, taken, places[LOG], writes, puts_done;

static inline void start(const char *config) {
  cfg = ut_cfg(config);
  m = ut_new(hd_memq_size(&cfg));
  hd_memq_init(m, &cfg);
  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
  memset(&port, 0, sizeof port);
  port.latency = 1;
  in.base = BASE;
  in.count = 12;
  stall_requests = stall_beats = fail_write = false;
  fail_beat = -1;
  gots = taken = writes = puts_done = number = 0;
}

static inline int setup(void **state) {
  (void)state;
  start("tiny"); /* 4 queues, 16 places, 4 bursts in flight in each direction */
  return 0;
}

static inline int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

static inline struct hd_membeat beat_of(uint32_t n, unsigned beat) {
  return (struct hd_membeat){.lo = n, .hi = (uint64_t)n * 1000003 + beat, .strb = 0xffff};
}

static inline void serve(void) {
  hd_memory_drive_bursts(&port, NULL, NULL, &out.mem, bytes, BASE * 256, sizeof bytes);
  if (stall_requests) port.pins.ready = 0;
  if (stall_beats) port.pins.take = 0;
  in.mem = port.pins;
  in.mem.b_error = in.mem.b_valid && fail_write;
  if (in.mem.b_valid) fail_write = false;
}

/* Checks that the beats of an entry arrive in order and unchanged, with its error flag. */
static inline void watch_beat(void) {
  static unsigned beat;
  static bool error;
  if (out.got_beat == 0) error = false;
  if (out.got_beat) assert_int_equal(out.got_beat, beat + 1);
  beat = out.got_beat;
  error |= in.mem.r.error;
  assert_true(in.mem.r.hi == beat_of((uint32_t)in.mem.r.lo, beat).hi);
  assert_int_equal(out.got_valid, beat == HD_MEMQ_BEATS - 1);
  if (!out.got_valid) return;
  if (error) assert_int_equal(out.got_error, 1);
  got[gots % LOG].number = (uint32_t)in.mem.r.lo;
  got[gots % LOG].side = out.got_side;
  got[gots % LOG].tag = out.got_tag;
  got[gots++ % LOG].error = out.got_error;
}

/* Runs one cycle; then `out` holds its outputs. */
static inline void cycle(void) {
  serve();
  if (in.mem.r_valid && fail_beat == (int)m->got_beat) {
    in.mem.r.error = 1;
    fail_beat = -1;
  }
  in.put_data = beat_of(number, hd_memq_put_beat(m));
  hd_memq_eval(m, &in, &out);
  if (out.mem.valid && in.mem.ready && out.mem.req.write)
    places[writes++ % LOG] = (unsigned)(out.mem.req.addr - BASE * 256) / HD_MEMQ_BYTES;
  if (out.got_beat_valid)
    watch_beat();
  else
    assert_int_equal(out.got_beat || out.got_valid || out.got_tag || out.got_side || out.got_error, 0);
  puts_done += out.put_done;
  hd_memq_tick(m, &in);
}

static inline void idle(unsigned n) {
  while (n--) cycle();
}

static inline void offer(unsigned queue, uint32_t n) {
  in.put_valid = 1;
  in.put_queue = (uint8_t)queue;
  in.put_side = (uint16_t)(n % 8);
  number = n;
}

static inline void no_offer(void) {
  in.put_valid = in.put_queue = in.put_side = 0;
}

static inline void put(unsigned queue, uint32_t n) {
  offer(queue, n);
  for (unsigned t = 0; t < 600; t++) {
    cycle();
    if (!out.put_done) continue;
    no_offer();
    return;
  }
  fail_msg("the entry is never taken");
}

static inline void ask(unsigned queue, unsigned tag) {
  in.get_valid = 1;
  in.get_queue = (uint8_t)queue;
  in.get_tag = (uint8_t)tag;
}

static inline void no_request(void) {
  in.get_valid = in.get_queue = in.get_tag = 0;
}

/* Requests the oldest entry of the queue as soon as it is readable. */
static inline void get(unsigned queue, unsigned tag) {
  for (unsigned t = 0; t < 600; t++) {
    if (hd_memq_readable(m, queue)) ask(queue, tag);
    cycle();
    if (!in.get_valid || !out.get_ready) continue;
    no_request();
    return;
  }
  fail_msg("the get is never taken");
}

/* Expects this entry to be the next one that returns. */
static inline void expect(uint32_t n, unsigned tag, bool error) {
  for (unsigned t = 0; t < 600 && gots == taken; t++) cycle();
  assert_true(gots > taken);
  unsigned at = taken++ % LOG;
  assert_int_equal(got[at].number, n);
  assert_int_equal(got[at].side, n % 8);
  assert_int_equal(got[at].tag, tag);
  assert_int_equal(got[at].error, error);
}

static inline struct hd_memq_arch *arch(void) {
  static struct hd_memq_arch a;
  hd_memq_arch(m, &a, true);
  return &a;
}

#endif
