/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the memring tests: a memory, entries that are put and requested, and the entries that return. */
#ifndef HD_MEMRING_FIXTURE_H
#define HD_MEMRING_FIXTURE_H

#include "env/common/memory.h"
#include "service/memring.h"
#include "unit/util.h"

enum { BASE = 0x40, LOG = 512, BYTES = 1 << 20 };

static struct hd_cfg cfg;
static struct hd_memring *m;
static struct hd_memring_in in;
static struct hd_memring_out out;
/* A memory that accepts every request at once and answers `port.latency` cycles later. */
static struct hd_memory_bursts port;
static uint8_t bytes[BYTES];
static bool stall_requests, stall_beats, fail_write; /* fail_write: the next answer is an error */
static int fail_beat;                                /* this beat of the read that arrives is an error; -1: none */
static uint32_t number;                              /* number of the entry being put */
static unsigned now;                                 /* cycles */
/* Returned entries, and the requests that were accepted, oldest first. */
static struct {
  uint32_t number;
  uint16_t queue;
  uint8_t error;
} got[LOG];
static struct {
  uint64_t entry; /* its place, from the beginning of the region on */
  uint8_t write, entries;
} burst[LOG];
static unsigned gots, taken, bursts, puts_done;
static unsigned beats;   /* of the burst that arrives */
static bool first_error; /* the first beat of the entry that arrives is an error */

/* The region holds rings of that size. */
static inline void set_order(unsigned order) {
  in.count = cfg.ring_queues << order;
}

static inline void start_as(struct hd_cfg c) {
  free(m);
  cfg = c;
  m = ut_new(hd_memring_size(&cfg));
  hd_memring_init(m, &cfg);
  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
  memset(&port, 0, sizeof port);
  port.latency = 1;
  in.base = BASE;
  set_order(cfg.ring_order_min);
  stall_requests = stall_beats = fail_write = false;
  fail_beat = -1;
  now = gots = taken = bursts = puts_done = number = beats = 0;
}

static inline int teardown(void **state) {
  (void)state;
  free(m);
  m = NULL;
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
  if (!in.mem.r_valid) return;
  in.mem.r.error = fail_beat == (int)beats;
  if (in.mem.r.error) fail_beat = -1;
  beats = in.mem.r.last ? 0 : beats + 1;
}

/* Checks that the two beats of an entry arrive in order and unchanged, with its error flag. */
static inline void watch_beat(void) {
  const unsigned beat = (beats + 1) % 2; /* `beats` counts this one, and is 0 after the last */
  const bool error = in.mem.r.error || (beat && first_error);
  assert_int_equal(out.got_beat, beat);
  assert_true(in.mem.r.hi == beat_of((uint32_t)in.mem.r.lo, beat).hi);
  assert_int_equal(out.got_valid, beat);
  first_error = in.mem.r.error;
  if (!out.got_valid) return;
  if (error) assert_int_equal(out.got_error, 1);
  got[gots % LOG].number = (uint32_t)in.mem.r.lo;
  got[gots % LOG].queue = out.got_queue;
  got[gots++ % LOG].error = out.got_error;
}

static inline void watch_burst(void) {
  assert_int_equal(out.mem.req.len % 2, 1);
  burst[bursts % LOG].entry = (out.mem.req.addr - BASE * 256) / HD_MEMRING_BYTES;
  burst[bursts % LOG].write = out.mem.req.write;
  burst[bursts++ % LOG].entries = (uint8_t)((out.mem.req.len + 1) / 2);
}

/* Runs one cycle; then `out` holds its outputs. */
static inline void cycle(void) {
  serve();
  in.put_data = beat_of(number, hd_memring_put_beat(m));
  hd_memring_eval(m, &in, &out);
  if (out.mem.valid && in.mem.ready) watch_burst();
  if (out.got_beat_valid)
    watch_beat();
  else
    assert_int_equal(out.got_beat || out.got_valid || out.got_queue || out.got_error, 0);
  puts_done += out.put_done;
  hd_memring_tick(m, &in);
  now++;
}

static inline void idle(unsigned n) {
  while (n--) cycle();
}

static inline void offer(unsigned queue, uint32_t n) {
  in.put_valid = 1;
  in.put_queue = (uint16_t)queue;
  number = n;
}

static inline void no_offer(void) {
  in.put_valid = in.put_queue = 0;
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

static inline void ask(unsigned queue) {
  in.get_valid = 1;
  in.get_queue = (uint16_t)queue;
}

static inline void no_request(void) {
  in.get_valid = in.get_queue = 0;
}

/* Requests the oldest entries of the queue as soon as they are readable; returns how many. */
static inline unsigned get(unsigned queue) {
  for (unsigned t = 0; t < 600; t++) {
    if (hd_memring_readable(m, queue)) ask(queue);
    cycle();
    if (!in.get_valid || !out.get_ready) continue;
    no_request();
    assert_int_equal(out.asked, 0);
    cycle();
    assert_int_equal(out.asked, 0);
    cycle();
    assert_true(out.asked > 0);
    return out.asked;
  }
  fail_msg("the get is never taken");
  return 0;
}

/* Waits until all answers to writes are counted. */
static inline void settle(void) {
  for (unsigned t = 0; t < 600 && (m->writes || m->op); t++) cycle();
  assert_int_equal(m->writes, 0);
}

/* Expects this entry to be the next one that returns. */
static inline void expect(unsigned queue, uint32_t n, bool error) {
  for (unsigned t = 0; t < 600 && gots == taken; t++) cycle();
  assert_true(gots > taken);
  const unsigned at = taken++ % LOG;
  assert_int_equal(got[at].number, n);
  assert_int_equal(got[at].queue, queue);
  assert_int_equal(got[at].error, error);
}

static inline struct hd_memring_arch *arch(void) {
  static struct hd_memring_arch a;
  memset(&a, 0, sizeof a);
  hd_memring_arch(m, &a, true);
  return &a;
}

#endif
