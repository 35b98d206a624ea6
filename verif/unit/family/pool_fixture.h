/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the pool tests: a memory, kernels that are launched and taken, and counts of waiting kernels. */
#ifndef HD_POOL_FIXTURE_H
#define HD_POOL_FIXTURE_H

#include "common/burst.h"
#include "env/common/memory.h"
#include "family/pool.h"
#include "unit/util.h"

/* tiny has 4 rows (one in reserve), 16 places and 4 streams. */
enum { PLACES = 6, BASE = 0x20, REGION = HD_MAX_POOL_ROWS * HD_KREC_BYTES };

static struct hd_cfg cfg;
static struct hd_pool *m;
static struct hd_pool_in in;
static struct hd_pool_out out;
static struct hd_memory_bursts memory;
static uint8_t bytes[REGION];
/* The memory refuses requests; the next write answer, or beat read_fails - 1 of the next read, is an error. */
static bool frozen, write_fails;
static unsigned read_fails;
static unsigned level; /* level of the kernels launched from now on */
static unsigned requests, spills, refills, errors;

static inline int setup(void **state) {
  (void)state;
  cfg = ut_cfg("tiny");
  m = ut_new(hd_pool_size(&cfg));
  hd_pool_init(m, &cfg);
  memset(&in, 0, sizeof in);
  memset(&memory, 0, sizeof memory);
  memory.latency = 1;
  in.regs_config.dev_base = BASE;
  in.regs_config.dev_count = PLACES;
  frozen = write_fails = false;
  level = 3;
  read_fails = requests = spills = refills = errors = 0;
  return 0;
}

static inline int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

/* Sets the memory's inputs of the next cycle. */
static inline void serve(void) {
  hd_memory_drive_bursts(&memory, NULL, NULL, &out.mem, bytes, BASE * 256, sizeof bytes);
  if (frozen) memory.pins.ready = 0;
  memory.pins.b_error = memory.pins.b_valid && write_fails;
  if (memory.pins.b_valid) write_fails = false;
  if (memory.pins.r_valid && read_fails && !--read_fails) memory.pins.r.error = 1;
  in.mem = memory.pins;
}

/* Runs one cycle; then `out` holds its outputs, and input pulses are cleared. */
static inline void cycle(void) {
  hd_pool_eval(m, &in, &out);
  hd_pool_tick(m, &in);
  if (out.mem.valid) assert_in_range(out.mem.req.addr, BASE * 256, BASE * 256 + in.regs_config.dev_count * 128 - 1);
  requests += out.mem.valid && in.mem.ready;
  spills += out.events.spill;
  refills += out.events.refill;
  errors += out.events.error;
  in.devq_push.valid = in.kmu_pool_pop = in.kin_stream_done.valid = in.kin_lost_ready = 0;
  serve();
}

static inline void idle(unsigned n) {
  while (n--) cycle();
}

static inline struct hd_devk kernel(unsigned n, unsigned stream) {
  struct hd_devk k = {.ctas = n, .level = 3, .stream = (uint8_t)stream, .up = 5, .smx = n & 1};
  k.desc = ut_launch(0, n).desc;
  k.need = (struct hd_need){.warps = 1, .regs = 2, .smem = 3};
  return k;
}

static inline void push(unsigned n, unsigned stream) {
  in.devq_push.valid = 1;
  in.devq_push.kernel = kernel(n, stream);
  in.devq_push.kernel.level = (uint8_t)level;
  cycle();
}

static inline void stream_done(unsigned s) {
  in.kin_stream_done.valid = 1;
  in.kin_stream_done.stream = (uint8_t)s;
}

/* Waits for a kernel and takes it. Returns its number, or -1 if none is offered within 100 cycles. */
static inline int take(void) {
  for (int t = 0; t < 100; t++) {
    hd_pool_eval(m, &in, &out);
    in.kmu_pool_pop = out.head.valid;
    int n = out.head.valid ? (int)out.head.kernel.ctas : -1;
    cycle();
    if (n >= 0) return n;
  }
  return -1;
}

/* Launches a kernel: waits until the pool is ready, and retries if it is refused. */
static inline void launch(unsigned n, unsigned stream) {
  for (int t = 0; t < 600; t++) {
    cycle();
    if (!out.room.ready) continue;
    cycle();
    if (out.room.full || !out.stream_ok[stream]) continue;
    push(n, stream);
    return;
  }
  fail_msg("the pool never takes the kernel");
}

/* Launches kernels a to b, all of one stream, and records what is offered. */
static inline void launch_all(unsigned a, unsigned b, unsigned stream) {
  for (unsigned n = a; n <= b; n++) launch(n, stream);
  idle(40);
}

/* Expects them to be offered in this order, from a to b; each ends at once. */
static inline void expect(unsigned a, unsigned b, unsigned stream) {
  for (unsigned n = a; n <= b; n++) {
    assert_int_equal(take(), n);
    if (stream) stream_done(stream);
  }
}

/* A kernel of this stream runs: the next of the stream is blocked until stream_done. */
static inline void block(unsigned stream) {
  launch(99, stream);
  assert_int_equal(take(), 99);
}

static inline struct hd_pool_arch *arch(void) {
  static struct hd_pool_arch a;
  hd_pool_arch(m, &a, true);
  return &a;
}

static inline unsigned rows_used(void) {
  unsigned n = 0;
  for (unsigned row = 0; row < cfg.pool_depth; row++) n += arch()->row_used[row];
  return n;
}

static inline unsigned in_memory(void) {
  return hd_memq_used(hd_pool_memq(m));
}

#endif
