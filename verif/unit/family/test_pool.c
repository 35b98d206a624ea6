/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Device kernels that wait: rows on chip, queues in memory, streams, the reserve, errors, the rate; the record of a
 * kernel in memory, and the burst engine. */
#include "common/burst.h"
#include "env/common/memory.h"
#include "family/pool.h"
#include "unit/util.h"

/* tiny has 4 rows, of which 1 is the reserve, 16 places and 4 streams. */
enum { PLACES = 6, BASE = 0x20, REGION = HD_MAX_POOL_ROWS * HD_KREC_BYTES };

static struct hd_cfg cfg;
static struct hd_pool *m;
static struct hd_pool_in in;
static struct hd_pool_out out;
static struct hd_memory_many memory;
static uint8_t bytes[REGION];
/* The memory takes no requests; the next answer to a write, or beat number read_fails - 1 of the next read, fails. */
static bool frozen, write_fails;
static unsigned read_fails;
static unsigned requests, spills, refills, errors;

static int setup(void **state) {
  (void)state;
  cfg = ut_cfg("tiny");
  m = ut_new(hd_pool_size(&cfg));
  hd_pool_init(m, &cfg);
  memset(&in, 0, sizeof in);
  memset(&memory, 0, sizeof memory);
  memory.latency = 1;
  in.dev_base = BASE;
  in.dev_count = PLACES;
  frozen = write_fails = false;
  read_fails = requests = spills = refills = errors = 0;
  return 0;
}

static int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

/* The memory's side of the next cycle. */
static void serve(void) {
  const struct hd_memory_asked asked = {out.req_valid, out.req, out.wbeat};
  hd_memory_drive_many(&memory, NULL, NULL, &asked, bytes, BASE * 256, sizeof bytes);
  if (frozen) memory.pins.req_ready = 0;
  memory.pins.b_error = memory.pins.b_valid && write_fails;
  if (memory.pins.b_valid) write_fails = false;
  if (memory.pins.r_valid && read_fails && !--read_fails) memory.pins.r.error = 1;
  in.req_ready = memory.pins.req_ready;
  in.wbeat_take = memory.pins.wbeat_take;
  in.b_valid = memory.pins.b_valid;
  in.b_error = memory.pins.b_error;
  in.r_valid = memory.pins.r_valid;
  in.r = memory.pins.r;
}

/* One cycle; afterwards `out` holds what it showed, and the pulses among the inputs are over. */
static void cycle(void) {
  hd_pool_eval(m, &in, &out);
  hd_pool_tick(m, &in);
  if (out.req_valid) assert_in_range(out.req.addr, BASE * 256, BASE * 256 + in.dev_count * 128 - 1);
  requests += out.req_valid && in.req_ready;
  spills += out.spill_event;
  refills += out.refill_event;
  errors += out.error_event;
  in.push_valid = in.head_pop = in.stream_done_valid = in.lost_ready = 0;
  serve();
}

static void idle(unsigned n) {
  while (n--) cycle();
}

static struct hd_devk kernel(unsigned n, unsigned stream) {
  struct hd_devk k = {.ctas = n, .level = 3, .stream = (uint8_t)stream, .up = 5, .smx = n & 1};
  k.desc = ut_launch(0, n).desc;
  k.need = (struct hd_need){.warps = 1, .regs = 2, .smem = 3};
  return k;
}

static void push(unsigned n, unsigned stream) {
  in.push_valid = 1;
  in.push = kernel(n, stream);
  cycle();
}

static void stream_done(unsigned s) {
  in.stream_done_valid = 1;
  in.stream_done = (uint8_t)s;
}

/* Waits for a kernel, takes it; its number, or -1 when none comes within 100 cycles. */
static int take(void) {
  for (int t = 0; t < 100; t++) {
    hd_pool_eval(m, &in, &out);
    in.head_pop = out.head_valid;
    int n = out.head_valid ? (int)out.head.ctas : -1;
    cycle();
    if (n >= 0) return n;
  }
  return -1;
}

/* Waits for a kernel that is told to be lost, takes it; its stream, or -1 likewise. */
static int take_lost(void) {
  for (int t = 0; t < 100; t++) {
    hd_pool_eval(m, &in, &out);
    in.lost_ready = out.lost_valid;
    int s = out.lost_valid ? out.lost_stream : -1;
    cycle();
    if (s >= 0) return s;
  }
  return -1;
}

/* As a launch would: waits until the pool is ready; one that is refused is tried again. */
static void launch(unsigned n, unsigned stream) {
  for (int t = 0; t < 600; t++) {
    cycle();
    if (!out.pool_ready) continue;
    cycle();
    if (out.pool_full || !out.stream_ok[stream]) continue;
    push(n, stream);
    return;
  }
  fail_msg("the pool never takes the kernel");
}

/* Kernels a to b, all of one stream, and what comes of them. */
static void launch_all(unsigned a, unsigned b, unsigned stream) {
  for (unsigned n = a; n <= b; n++) launch(n, stream);
  idle(40);
}

/* They come in this order, from a to b; each ends at once. */
static void expect(unsigned a, unsigned b, unsigned stream) {
  for (unsigned n = a; n <= b; n++) {
    assert_int_equal(take(), n);
    if (stream) stream_done(stream);
  }
}

/* A kernel of this stream runs: the next of it is blocked until stream_done. */
static void block(unsigned stream) {
  launch(99, stream);
  assert_int_equal(take(), 99);
}

static struct hd_pool_arch *arch(void) {
  static struct hd_pool_arch a;
  hd_pool_arch(m, &a, true);
  return &a;
}

static unsigned rows_used(void) {
  unsigned n = 0;
  for (unsigned row = 0; row < cfg.pool_depth; row++) n += arch()->row_used[row];
  return n;
}

static unsigned in_memory(void) {
  return hd_memq_used(hd_pool_memq(m));
}

static void test_empty_after_reset(void **state) {
  (void)state;
  assert_true(hd_pool_quiet(m));
  cycle();
  assert_int_equal(out.pool_ready, 1);
  assert_int_equal(out.pool_full, 0);
  assert_int_equal(out.head_valid || out.lost_valid || out.req_valid, 0);
  for (unsigned s = 0; s < cfg.num_streams; s++) assert_int_equal(out.stream_ok[s], 1);
}

/* Pushed at t into an empty pool: offered at t + 5; the next, three cycles after it was taken. */
static void test_head_latency(void **state) {
  (void)state;
  push(1, 0); /* t */
  push(2, 0);
  for (int t = 2; t < 5; t++) {
    cycle();
    assert_int_equal(out.head_valid, 0);
    assert_int_equal(out.head.ctas, 0);
  }
  in.head_pop = 1;
  cycle(); /* t + 5 */
  assert_int_equal(out.head_valid, 1);
  assert_int_equal(out.head.ctas, 1);
  assert_int_equal(out.head.up, 5);
  assert_int_equal(out.head.smx, 1);
  for (int t = 0; t < 2; t++) {
    cycle();
    assert_int_equal(out.head_valid, 0);
  }
  cycle();
  assert_int_equal(out.head.ctas, 2);
}

/* A kernel stays offered until it is taken. */
static void test_head_holds(void **state) {
  (void)state;
  push(4, 0);
  idle(4);
  for (int t = 0; t < 4; t++) {
    cycle();
    assert_int_equal(out.head.ctas, 4);
  }
}

/* A kernel every three cycles goes through the chip without memory. */
static void test_rate_on_chip(void **state) {
  (void)state;
  unsigned taken = 0;
  for (unsigned t = 0; t < 300; t++) {
    in.push_valid = t % 3 == 0;
    in.push = kernel(t / 3, 0);
    hd_pool_eval(m, &in, &out);
    in.head_pop = out.head_valid;
    if (out.head_valid) assert_int_equal(out.head.ctas, taken++);
    cycle();
    assert_int_equal(out.pool_ready, 1);
  }
  assert_in_range(taken, 98, 100);
  assert_int_equal(requests, 0);
}

/* A row that joins a chain as its only row leaves is the first and the last. */
static void test_joins_as_the_last_leaves(void **state) {
  (void)state;
  push(1, 2);
  idle(2);
  push(2, 2);
  idle(1);
  in.head_pop = 1;
  cycle(); /* 1 leaves, 2 gets the row */
  assert_int_equal(arch()->chip_valid[2], 1);
  assert_int_equal(arch()->chip_first[2], arch()->chip_last[2]);
  assert_int_equal(arch()->busy[2], 1);
  stream_done(2);
  assert_int_equal(take(), 2);
  assert_int_equal(arch()->chip_valid[2], 0);
}

/* Beyond the rows kernels go to memory and come back, in order and unchanged; byte 70 of a record names the SMX that
 * launched the kernel. */
static void test_spill_and_refill(void **state) {
  (void)state;
  launch_all(1, 10, 0);
  assert_int_equal(rows_used(), 4);
  assert_int_equal(in_memory(), 6);
  assert_int_equal(spills, 6);
  for (unsigned n = 5; n <= 10; n++) assert_int_equal(bytes[(n - 5) * 128 + 70], n & 1);
  for (unsigned n = 1; n <= 10; n++) {
    struct hd_devk k = kernel(n, 0);
    for (int t = 0; t < 40 && !out.head_valid; t++) cycle();
    assert_memory_equal(&out.head, &k, sizeof k);
    in.head_pop = 1;
    cycle();
    out.head_valid = 0;
  }
  cycle();
  assert_int_equal(refills, 6);
  assert_true(hd_pool_quiet(m));
}

/* A kernel that is pushed while others of its queue wait in memory does not overtake them, though a row is free. */
static void test_order_past_memory(void **state) {
  (void)state;
  launch_all(1, 6, 0);
  frozen = true;
  assert_int_equal(take(), 1);
  launch(7, 0);
  assert_int_equal(take(), 2);
  idle(5);
  assert_int_equal(rows_used(), 3); /* 3, 4, and 5, which was asked for */
  assert_int_equal(arch()->waiting, 1);
  frozen = false;
  expect(3, 7, 0);
}

/* When all of the queue were asked for it goes on chip, behind them. */
static void test_order_behind_gets(void **state) {
  (void)state;
  launch_all(1, 5, 0);
  frozen = true;
  assert_int_equal(take(), 1);
  launch(6, 0);
  assert_int_equal(take(), 2);
  idle(5);
  assert_int_equal(rows_used(), 4); /* 3, 4, 5, 6 */
  frozen = false;
  expect(3, 6, 0);
}

/* A kernel of another queue does not go behind them. */
static void test_queues_pass_each_other(void **state) {
  (void)state;
  block(1);
  launch_all(1, 5, 1); /* 3 rows, 2 places */
  assert_int_equal(in_memory(), 2);
  unsigned before = requests;
  push(50, 0);
  assert_int_equal(take(), 50);
  assert_int_equal(requests, before);
  stream_done(1);
  expect(1, 5, 1);
}

/* Pushed in t: request in t + 3, held until it is taken; the first beat shows from then on. */
static void test_put_request(void **state) {
  (void)state;
  launch_all(1, 4, 0);
  frozen = true;
  cycle();
  push(9, 0); /* t */
  for (int t = 1; t < 3; t++) {
    cycle();
    assert_int_equal(out.req_valid, 0);
  }
  assert_int_equal(arch()->putting, 1);
  for (int t = 0; t < 3; t++) {
    cycle();
    assert_int_equal(out.req_valid, 1);
    assert_int_equal(out.req.write, 1);
    assert_int_equal(out.req.len, 7);
    assert_true(out.req.addr == BASE * 256);
    assert_true(out.wbeat.lo == 0x1000);      /* PC */
    assert_true(out.wbeat.hi == 0x10000 + 9); /* parameter address */
    assert_int_equal(out.wbeat.strb, 0xffff);
  }
  frozen = false;
  while (arch()->putting) cycle(); /* the last beat is taken: it has left `in` */
  assert_int_equal(arch()->waiting, 0);
  assert_int_equal(spills, 0);
  idle(4);
  assert_int_equal(out.wbeat.strb, 0);
  assert_int_equal(spills, 1);
}

/* Two kernels wait for memory: then the pool is not ready. */
static void test_ready(void **state) {
  (void)state;
  launch_all(1, 4, 0);
  frozen = true;
  launch(5, 0);
  launch(6, 0);
  cycle();
  assert_int_equal(arch()->waiting, 2);
  assert_int_equal(out.pool_ready, 0);
  frozen = false;
  idle(20);
  assert_int_equal(out.pool_ready, 1);
}

/* Full when the next would have no place in memory, those on their way counted. */
static void test_full(void **state) {
  (void)state;
  launch_all(1, 4 + PLACES - 1, 0);
  assert_int_equal(out.pool_full, 0);
  assert_int_equal(in_memory(), PLACES - 1);
  frozen = true;
  push(20, 0);
  cycle();
  assert_int_equal(out.pool_full, 1);
  frozen = false;
  idle(40);
  assert_int_equal(out.pool_full, 1);
  assert_int_equal(out.stream_ok[0], 0);
  assert_int_equal(in_memory(), PLACES);
  assert_int_equal(take(), 1);
  idle(40);
  assert_int_equal(out.pool_full, 0); /* one has come back */
}

/* Without a region the rows are all; a region of one place keeps one kernel. */
static void test_small_regions(void **state) {
  (void)state;
  for (unsigned count = 0; count < 2; count++) {
    hd_pool_reset(m);
    in.dev_count = count;
    cycle();
    assert_int_equal(out.pool_full, 0);
    launch_all(1, 4 + count, 0);
    assert_int_equal(out.pool_full, 1);
    assert_int_equal(in_memory(), count);
    assert_int_equal(take(), 1);
    idle(40);
    assert_int_equal(out.pool_full, 0);
    expect(2, 4 + count, 0);
  }
}

/* Without a region: the last row is not for a kernel that could not run. */
static void test_stream_ok(void **state) {
  (void)state;
  in.dev_count = 0;
  block(1);
  launch_all(1, 3, 1);
  launch_all(50, 50, 2);
  assert_int_equal(take(), 50);
  idle(2);
  assert_int_equal(rows_used(), 3);
  assert_int_equal(out.pool_full, 0);
  assert_int_equal(out.stream_ok[0], 1);
  assert_int_equal(out.stream_ok[1], 0); /* three have rows */
  assert_int_equal(out.stream_ok[2], 0); /* one runs */
  assert_int_equal(out.stream_ok[3], 1); /* none runs or waits */
  stream_done(2);
  idle(2);
  assert_int_equal(out.stream_ok[2], 1);
}

/* Kernels of one stream run one after the other, those of another beside them. */
static void test_streams_in_order(void **state) {
  (void)state;
  launch(1, 2);
  launch(2, 2);
  launch(3, 1);
  assert_int_equal(take(), 1);
  assert_int_equal(take(), 3);
  assert_int_equal(take(), -1);
  stream_done(2);
  assert_int_equal(take(), 2);
  stream_done(2);
  cycle();
  stream_done(1);
  launch(4, 2);
  assert_int_equal(take(), 4);
}

/* A blocked kernel holds up nobody, at no cost: H waits for P, P waits for its child C, which came after H. */
static void test_blocked_kernel_gives_way(void **state) {
  (void)state;
  launch(1, 3); /* P */
  launch(2, 3); /* H */
  assert_int_equal(take(), 1);
  idle(50);
  assert_int_equal(out.head_valid, 0);
  launch(3, 0); /* C */
  assert_int_equal(take(), 3);
  stream_done(3);
  assert_int_equal(take(), 2);
  assert_int_equal(requests, 0);
}

/* Queues whose heads may run take turns. */
static void test_turns(void **state) {
  (void)state;
  launch(1, 0);
  launch(2, 0);
  launch(3, 3);
  launch(4, 2);
  idle(10);
  assert_int_equal(take(), 1);
  assert_int_equal(take(), 4);
  assert_int_equal(take(), 3);
  assert_int_equal(take(), 2);
}

/* So do queues in memory whose kernels may have a row. */
static void test_turns_in_memory(void **state) {
  (void)state;
  const unsigned then[] = {1, 3, 0, 1}; /* the queue after 0, 2, 3, 0 */
  launch_all(1, 6, 0);
  launch_all(7, 7, 2);
  launch_all(8, 8, 3);
  for (unsigned n = 0; n < 4; n++) {
    assert_true(take() > 0);
    idle(40);
    assert_int_equal(arch()->get_ptr, then[n]);
  }
}

/* Kernels that could not run leave the reserve free, in memory as on chip; one that could has it. */
static void test_reserve(void **state) {
  (void)state;
  block(1);
  launch_all(1, 5, 1);
  assert_int_equal(rows_used(), 3);
  assert_int_equal(in_memory(), 2);
  unsigned before = requests;
  idle(100);
  assert_int_equal(requests, before); /* they stay where they are */
  launch_all(6, 6, 2);
  assert_int_equal(rows_used(), 4);
  launch_all(7, 7, 3); /* no row is left */
  assert_int_equal(in_memory(), 3);
  assert_int_equal(take(), 6);
  assert_int_equal(take(), 7); /* it may run: it gets the reserve */
}

/* A write that fails: the kernel is told to be lost when its turn comes; the others go on. */
static void test_spill_error(void **state) {
  (void)state;
  launch_all(1, 4, 0);
  write_fails = true;
  launch_all(5, 5, 2);
  launch_all(6, 6, 0);
  assert_int_equal(spills, 1);
  assert_int_equal(out.lost_valid, 0); /* it is in memory */
  assert_int_equal(in_memory(), 2);
  unsigned before = errors;
  expect(1, 4, 0);
  expect(6, 6, 0);
  for (int t = 0; t < 40 && !out.lost_valid; t++) cycle();
  assert_int_equal(errors - before, 1);
  assert_int_equal(out.head_valid, 0);
  assert_int_equal(out.lost_up, 5);
  assert_int_equal(out.lost_stream, 2);
  in.lost_ready = 1;
  cycle();
  cycle();
  assert_int_equal(out.lost_valid || out.lost_up || out.lost_stream, 0);
  assert_int_equal(arch()->busy[2], 1);
}

/* A read that fails, in any of its beats: likewise. */
static void test_refill_error(void **state) {
  (void)state;
  for (unsigned beat = 0; beat < 8; beat++) {
    hd_pool_reset(m);
    launch_all(1, 6, 0);
    refills = 0;
    read_fails = beat + 1;
    expect(1, 4, 0);
    assert_int_equal(take_lost(), 0);
    assert_int_equal(take(), 6);
    assert_int_equal(refills, 1);
    cycle();
    assert_true(hd_pool_quiet(m));
  }
}

/* 1 runs, 2 is on chip, 3 is lost in memory, 4 behind it: 3 is told after 2 has ended, 4 offered after 3 has. */
static void test_lost_in_a_stream(void **state) {
  (void)state;
  launch_all(50, 52, 0);
  launch(1, 3);
  idle(3);
  write_fails = true;
  launch_all(3, 4, 3); /* no row is left for them */
  assert_int_equal(in_memory(), 2);
  expect(50, 50, 0);
  assert_int_equal(take(), 1);
  expect(51, 52, 0);
  assert_int_equal(take_lost(), -1);
  stream_done(3);
  assert_int_equal(take_lost(), 3);
  assert_int_equal(take(), -1);
  stream_done(3);
  assert_int_equal(take(), 4);
}

/* Of a record neither stream nor parent record is used; an SMX that there is not is 0. */
static void test_damaged_record(void **state) {
  (void)state;
  cfg = ut_cfg_with("tiny", "NumSmx", 3);
  hd_pool_init(m, &cfg);
  launch_all(1, 4, 0);
  launch_all(5, 5, 2);
  memset(bytes + 29, 0xff, 3);
  memset(bytes + 44, 0xff, 84);
  expect(1, 4, 0);
  do cycle();
  while (!out.head_valid);
  struct hd_devk k = kernel(5, 2);
  k.smx = 0;
  assert_memory_equal(&out.head, &k, sizeof k);
}

/* With the last kernel of memory gone the region begins anew. */
static void test_region_begins_anew(void **state) {
  (void)state;
  for (unsigned turn = 0; turn < 5; turn++) {
    launch_all(1, 7, 0);
    assert_int_equal(in_memory(), 3);
    assert_int_equal(bytes[2 * 128 + 40], 7); /* TBs */
    expect(1, 7, 0);
    assert_int_equal(in_memory(), 0);
    memset(bytes, 0, sizeof bytes);
  }
}

/* Places are used again in any order; the queues keep theirs. */
static void test_order_through_memory(void **state) {
  (void)state;
  unsigned next = 1, last = 8;
  launch_all(1, last, 0);
  while (next <= 60) {
    assert_int_equal(take(), next++);
    if (last < 60) launch(++last, 0);
    idle(last % 7 * 5);
  }
}

/* Every field of a kernel record has its bytes; what is above a field is ignored. */
static void test_record(void **state) {
  (void)state;
  struct hd_cfg k20c = ut_cfg("k20c");
  struct hd_krec_widths w = hd_krec_widths(&k20c);
  struct hd_kernel all, back;
  memset(&all, 0, sizeof all);
  all.desc = (struct hd_desc){.pc = 0x123456789a, .grid_x = 0x7fffffff, .grid_y = 0xfedc, .grid_z = 0xba98};
  all.desc.cta_x = 0x7ff;
  all.desc.cta_y = 0x555;
  all.desc.cta_z = 0x7f;
  all.desc.param = 0xa987654321;
  all.need = (struct hd_need){.warps = 0x41, .regs = 0x1ff, .smem = 0xff};
  all.ctas = 0xdeadbeef;
  all.level = 0x1f;
  all.kin = 0x7f;
  all.origin = (struct hd_origin){.host = 1, .tag = 0x8765, .hwq = 0x1f, .up = 0x55, .stream = 0x1e, .failed = 1};
  all.origin.smx = 0xc;
  all.progress = (struct hd_progress){.ndone = 1, .nextbl = 0xcafebabe, .sav_first = 0x81, .sav_count = 0x42};
  all.groups = (struct hd_list){.pending = 1, .nagei = {.onchip = 1, .index = 77}, .lagei = {.index = 0x7ffffffe}};
  uint64_t word[HD_KREC_WORDS];
  hd_krec_pack(&all, word);
  assert_true(word[0] == 0x123456789a && word[3] >> 48 == 0x55 && word[8] >> 48 == 0xc &&
              word[7] == UINT64_C(0x7ffffffe8000004d));
  for (unsigned k = 9; k < HD_KREC_WORDS; k++) assert_true(word[k] == 0);
  hd_krec_unpack(word, &w, &back);
  assert_memory_equal(&all, &back, sizeof all);
  word[0] |= UINT64_C(0xff) << 40;
  word[3] |= UINT64_C(0x80) << 48;
  word[8] |= UINT64_C(0xfff0) << 48;
  hd_krec_unpack(word, &w, &back);
  assert_memory_equal(&all, &back, sizeof all);
}

/* Whatever stands in a damaged record, the SMX that is read is one that there is: 0 if it would not be. */
static void test_record_of_no_smx(void **state) {
  (void)state;
  static const char *const configs[] = {"tiny", "k20c", "big"}; /* 2, 13 and 132 SMXs */
  for (unsigned c = 0; c < 3; c++) {
    struct hd_cfg of = ut_cfg(configs[c]);
    struct hd_krec_widths w = hd_krec_widths(&of);
    for (unsigned byte = 0; byte < 256; byte++) {
      uint64_t word[HD_KREC_WORDS] = {[8] = (uint64_t)byte << 48};
      struct hd_kernel k;
      unsigned smx = byte & ((1u << of.smx_w) - 1);
      hd_krec_unpack(word, &w, &k);
      assert_int_equal(k.origin.smx, smx < of.num_smx ? smx : 0);
    }
  }
}

/* The burst engine alone: a write of one beat, then a read of two whose first beat is an error. */
static void test_burst(void **state) {
  (void)state;
  struct hd_burst b = {.word = {7, 8}};
  struct hd_burst_pins p = {0};
  struct hd_memreq req;
  assert_true(hd_burst_idle(&b));
  hd_burst_start(&b, true, 0x40, 1, 0xff00);
  assert_true(hd_burst_req(&b, &req));
  assert_int_equal(req.len, 0);
  assert_true(hd_burst_wbeat(&b).lo == 7);
  p.req_ready = 1;
  assert_int_equal(hd_burst_step(&b, &p), HD_BURST_GOES_ON);
  assert_false(hd_burst_req(&b, &req));
  p = (struct hd_burst_pins){.wbeat_take = 1};
  assert_int_equal(hd_burst_wbeat(&b).strb, 0xff00);
  assert_int_equal(hd_burst_step(&b, &p), HD_BURST_GOES_ON);
  assert_int_equal(hd_burst_wbeat(&b).strb, 0);
  p = (struct hd_burst_pins){.b_valid = 1};
  assert_int_equal(hd_burst_step(&b, &p), HD_BURST_DONE);
  hd_burst_start(&b, false, 0x80, 2, 0);
  assert_int_equal(hd_burst_wbeat(&b).lo, 0);
  p = (struct hd_burst_pins){.req_ready = 1};
  hd_burst_step(&b, &p);
  p = (struct hd_burst_pins){.r_valid = 1, .r = {.lo = 1, .error = 1}};
  assert_int_equal(hd_burst_step(&b, &p), HD_BURST_GOES_ON);
  p.r = (struct hd_memdata){.lo = 2, .last = 1};
  assert_int_equal(hd_burst_step(&b, &p), HD_BURST_FAILED);
  assert_true(hd_burst_idle(&b));
}

/* Reset in mid-flight leaves the state of a fresh one, byte for byte. */
static void test_reset(void **state) {
  (void)state;
  struct hd_pool *fresh = ut_new(hd_pool_size(&cfg));
  hd_pool_init(fresh, &cfg);
  for (unsigned n = 0; n < 8; n++) launch(n, n % 4);
  cycle();
  assert_memory_not_equal(m, fresh, hd_pool_size(&cfg));
  hd_pool_reset(m);
  assert_memory_equal(m, fresh, hd_pool_size(&cfg));
  free(fresh);
}

/* A client that launches whenever it may, and a KMU that takes whenever more wait than at first: cycles for `n` kernels
 * in and out. */
static unsigned cycles_for(unsigned n) {
  unsigned a2 = 0, a3 = 0, serial = 0, pushed = 0, taken = 0, t = 0;
  for (; taken < n && t < 100 * n; t++) {
    hd_pool_eval(m, &in, &out);
    in.head_pop = out.head_valid && taken < pushed;
    taken += in.head_pop;
    bool judged = a2 && !out.pool_full && out.stream_ok[0], ready = out.pool_ready && !a2 && !a3;
    in.push_valid = a3 != 0;
    if (a3) in.push = kernel(++serial, 0);
    pushed += a3;
    a3 = judged;
    a2 = ready;
    cycle();
  }
  return t;
}

/* The rows are full and hundreds wait in memory: a kernel in and one out per 16 cycles, however slow the memory. */
static void test_rate_through_memory(void **state) {
  (void)state;
  const unsigned latencies[] = {1, 40, 120, 400};
  free(m);
  cfg = ut_cfg("k20c");
  m = ut_new(hd_pool_size(&cfg));
  for (unsigned k = 0; k < 4; k++) {
    hd_pool_init(m, &cfg);
    memset(&memory, 0, sizeof memory);
    memory.latency = latencies[k];
    in.dev_count = cfg.pool_rows;
    for (unsigned n = 0; n < 300; n++) launch(n, 0);
    idle(600);
    assert_int_equal(rows_used(), 32);
    cycles_for(200);
    unsigned t = cycles_for(400);
    assert_in_range(t, 1, 16 * 400);
  }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_empty_after_reset),
      TEST(test_head_latency),
      TEST(test_head_holds),
      TEST(test_rate_on_chip),
      TEST(test_joins_as_the_last_leaves),
      TEST(test_spill_and_refill),
      TEST(test_order_past_memory),
      TEST(test_order_behind_gets),
      TEST(test_queues_pass_each_other),
      TEST(test_put_request),
      TEST(test_ready),
      TEST(test_full),
      TEST(test_small_regions),
      TEST(test_stream_ok),
      TEST(test_streams_in_order),
      TEST(test_blocked_kernel_gives_way),
      TEST(test_turns),
      TEST(test_turns_in_memory),
      TEST(test_reserve),
      TEST(test_spill_error),
      TEST(test_refill_error),
      TEST(test_lost_in_a_stream),
      TEST(test_damaged_record),
      TEST(test_region_begins_anew),
      TEST(test_order_through_memory),
      TEST(test_record),
      TEST(test_record_of_no_smx),
      TEST(test_burst),
      TEST(test_reset),
      TEST(test_rate_through_memory),
  };
  return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
