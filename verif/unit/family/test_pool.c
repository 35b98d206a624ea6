/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Device kernels that wait: front, head, ring in memory, streams, rotation, errors; the burst engine and the kernel
 * record that it uses. */
#include "family/pool.h"
#include "unit/util.h"

enum { PLACES = 6, BASE = 0x20, DEEPEST = 300 };

static struct hd_cfg cfg;
static struct hd_pool *m;
static struct hd_pool_in in;
static struct hd_pool_out out;
/* A memory that answers at once; fail: the next answer is an error. */
static uint64_t memory[DEEPEST][16];
static unsigned place, beats_left, reading, fail, frozen;

static int setup(void **state) {
  (void)state;
  cfg = ut_cfg("tiny"); /* 2 kernels on chip, 16 in memory, 4 streams */
  m = ut_new(hd_pool_size(&cfg));
  hd_pool_init(m, &cfg);
  memset(&in, 0, sizeof in);
  in.dev_base = BASE;
  in.dev_count = PLACES;
  beats_left = reading = fail = frozen = 0;
  return 0;
}

static int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

/* The memory's side of a cycle, from what the cycle shows. */
static void serve(void) {
  in.wbeat_take = in.b_valid = in.b_error = in.r_valid = in.req_ready = 0;
  in.r = (struct hd_memdata){0};
  if (frozen) return;
  if (beats_left) {
    unsigned k = 8 - beats_left;
    if (reading) {
      in.r_valid = 1;
      in.r = (struct hd_memdata){.lo = memory[place][2 * k], .hi = memory[place][2 * k + 1], .last = beats_left == 1};
      in.r.error = fail && beats_left == 3;
      if (in.r.error) fail = 0;
    } else {
      in.wbeat_take = 1;
      memory[place][2 * k] = out.wbeat.lo;
      memory[place][2 * k + 1] = out.wbeat.hi;
      assert_int_equal(out.wbeat.strb, 0xffff);
    }
    beats_left--;
    if (!beats_left) reading = reading ? 0 : 2; /* 2: the answer of a write is due */
    return;
  }
  if (reading == 2) {
    in.b_valid = 1;
    in.b_error = fail != 0;
    reading = fail = 0;
    return;
  }
  in.req_ready = 1;
  if (!out.req_valid) return;
  assert_int_equal(out.req.len, 7);
  assert_in_range(out.req.addr, BASE * 256, BASE * 256 + in.dev_count * 128 - 1);
  place = (unsigned)(out.req.addr - BASE * 256) / 128;
  reading = !out.req.write;
  beats_left = 8;
}

/* One cycle; afterwards `out` holds what it showed, and the pulses among the inputs are over. */
static void cycle(void) {
  hd_pool_eval(m, &in, &out);
  serve();
  hd_pool_tick(m, &in);
  in.push_valid = in.head_pop = in.stream_done_valid = in.lost_ready = 0;
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

static void idle(unsigned n) {
  while (n--) cycle();
}

/* As a launch would: waits until the pool is ready; one that is refused is tried again. */
static void launch(unsigned n, unsigned stream) {
  for (int t = 0; t < 600; t++) {
    cycle();
    if (!out.pool_ready) continue;
    cycle();
    if (out.pool_full) continue;
    push(n, stream);
    return;
  }
  fail_msg("the pool never takes the kernel");
}

static struct hd_pool_arch *arch(void) {
  static struct hd_pool_arch a;
  hd_pool_arch(m, &a, true);
  return &a;
}

static void test_empty_after_reset(void **state) {
  (void)state;
  cycle();
  assert_int_equal(out.pool_ready, 1);
  assert_int_equal(out.pool_full, 0);
  assert_int_equal(out.head_valid || out.lost_valid || out.req_valid, 0);
  for (unsigned s = 0; s < cfg.num_streams; s++) assert_int_equal(out.stream_ok[s], 1);
}

/* Pushed at t into an empty pool: offered at t + 3; the next, three cycles after it was taken. */
static void test_head_latency(void **state) {
  (void)state;
  push(1, 0); /* t */
  push(2, 0);
  cycle();
  assert_int_equal(out.head_valid, 0);
  assert_int_equal(out.head.ctas, 0);
  in.head_pop = 1;
  cycle(); /* t + 3 */
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
  idle(2);
  for (int t = 0; t < 4; t++) {
    cycle();
    assert_int_equal(out.head.ctas, 4);
  }
}

/* Beyond the places on chip kernels go to memory and come back, in order and unchanged; byte 70 of a record names the
 * SMX that launched the kernel. */
static void test_spill_and_refill(void **state) {
  (void)state;
  unsigned spills = 0, refills = 0;
  for (unsigned n = 1; n <= 7; n++) {
    launch(n, 0);
    for (int t = 0; t < 14; t++) {
      cycle();
      spills += out.spill_event;
    }
  }
  assert_int_equal(arch()->front_count, 2);
  assert_int_equal(arch()->mem_count, 5);
  assert_int_equal(spills, 5);
  for (unsigned n = 3; n <= 7; n++) assert_int_equal(memory[n - 3][8] >> 48, n & 1);
  for (unsigned n = 1; n <= 7; n++) {
    struct hd_devk k = kernel(n, 0);
    for (int t = 0; t < 30 && !out.head_valid; t++) {
      cycle();
      refills += out.refill_event;
    }
    assert_memory_equal(&out.head, &k, sizeof k);
    in.head_pop = 1;
    cycle();
    refills += out.refill_event;
    out.head_valid = 0;
  }
  assert_int_equal(refills, 5);
  assert_int_equal(arch()->mem_count, 0);
}

/* A kernel that is pushed while others wait in memory does not overtake them. */
static void test_order_past_memory(void **state) {
  (void)state;
  for (unsigned n = 1; n <= 3; n++) launch(n, 0);
  idle(20);
  frozen = 1;
  assert_int_equal(take(), 1);
  launch(4, 0); /* room on chip, but 3 is in memory */
  assert_int_equal(arch()->spill_busy, 1);
  frozen = 0;
  for (int n = 2; n <= 4; n++) assert_int_equal(take(), n);
}

/* Request in the cycle after next, held until it is taken; the first beat shows from then on. */
static void test_spill_request(void **state) {
  (void)state;
  push(1, 0);
  push(2, 0);
  frozen = 1;
  push(9, 0); /* t */
  cycle();
  assert_int_equal(out.pool_ready, 0);
  assert_int_equal(out.req_valid, 0);
  for (int t = 0; t < 3; t++) {
    cycle();
    assert_int_equal(out.req_valid, 1);
    assert_int_equal(out.req.write, 1);
    assert_true(out.req.addr == BASE * 256);
    assert_true(out.wbeat.lo == 0x1000);      /* PC */
    assert_true(out.wbeat.hi == 0x10000 + 9); /* parameter address */
  }
  frozen = 0;
  for (int t = 0; t < 9; t++) cycle(); /* transfer, 8 beats */
  assert_int_equal(arch()->spill_busy, 1);
  cycle(); /* B */
  assert_int_equal(arch()->spill_busy, 0);
  assert_int_equal(arch()->mem_count, 1);
  assert_int_equal(out.wbeat.strb, 0);
  cycle();
  assert_int_equal(out.spill_event, 1);
}

/* Full when the next would take the last place in memory; without a region when the chip is full. */
static void test_full(void **state) {
  (void)state;
  for (unsigned n = 1; n <= 2 + PLACES - 1; n++) launch(n, 0);
  idle(20);
  assert_int_equal(out.pool_full, 1);
  assert_int_equal(arch()->mem_count, PLACES - 1);
  for (unsigned count = 0; count < 2; count++) { /* one place could not turn */
    hd_pool_reset(m);
    in.dev_count = count;
    cycle();
    assert_int_equal(out.pool_full, 0);
    push(1, 0);
    push(2, 0);
    cycle();
    assert_int_equal(out.pool_full, 1);
    assert_int_equal(take(), 1);
    cycle();
    assert_int_equal(out.pool_full, 0);
  }
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
  stream_done(1);
  launch(4, 2);
  assert_int_equal(arch()->issued[2], 3);
  assert_int_equal(take(), -1);
  stream_done(2);
  assert_int_equal(take(), 4);
}

/* A blocked head holds up nobody: H waits for P, P waits for its child C, which stands behind H. */
static void test_blocked_head_gives_way(void **state) {
  (void)state;
  launch(1, 3); /* P */
  launch(2, 3); /* H */
  assert_int_equal(take(), 1);
  launch(3, 0); /* C */
  assert_int_equal(take(), 3);
  stream_done(3);
  assert_int_equal(take(), 2);
}

/* A kernel of this stream runs: the next of it is blocked until stream_done. */
static void block(unsigned stream) {
  launch(99, stream);
  assert_int_equal(take(), 99);
}

/* Cycle by cycle: blocked at t, turn 3, 2, 1 from t + 1 on, behind the others at t + 4. */
static void test_rotation_cycles(void **state) {
  (void)state;
  block(1);
  push(1, 1);
  push(2, 0);
  while (arch()->head != HD_POOL_THERE) cycle();
  for (unsigned turn = 3; turn; turn--) {
    cycle();
    assert_int_equal(arch()->turn, turn);
    assert_int_equal(arch()->head, HD_POOL_THERE);
  }
  cycle();
  assert_int_equal(arch()->turn, 0);
  assert_int_equal(arch()->head, HD_POOL_NONE);
  assert_int_equal(arch()->front_count, 2);
  assert_int_equal(take(), 2);
}

/* A launch on its way when a rotation is prepared is pushed before it happens. */
static void test_push_in_rotation(void **state) {
  (void)state;
  block(1);
  push(1, 1);
  push(2, 0);
  while (arch()->turn != 2) cycle();
  push(3, 0);
  assert_int_equal(arch()->turn, 1);
  assert_int_equal(arch()->spill_busy, 1);
  for (int t = 0; t < 5; t++) cycle();
  assert_int_equal(arch()->turn, 1); /* the head waits for the spill .. */
  assert_int_equal(take(), 2);
  assert_int_equal(take(), 3); /* .. and goes behind it */
}

/* The head may run after all when its turn has come: it stays. */
static void test_rotation_called_off(void **state) {
  (void)state;
  push(1, 1);
  assert_int_equal(take(), 1);
  push(2, 1);
  push(3, 0);
  while (arch()->turn != 2) cycle();
  stream_done(1);
  cycle();
  cycle();
  assert_int_equal(arch()->turn, 0);
  assert_int_equal(arch()->head, HD_POOL_THERE);
  assert_int_equal(take(), 2);
}

/* All on chip and in memory blocked but the last: it comes to the front, though there is no room for another. */
static void test_rotation_when_full(void **state) {
  (void)state;
  block(1);
  launch(1, 0); /* while it is offered nothing moves */
  for (unsigned n = 2; n <= PLACES; n++) launch(n, 1);
  launch(50, 0);
  idle(20);
  assert_int_equal(out.pool_full, 1);
  assert_int_equal(take(), 1);
  int got = -1;
  for (int t = 0; t < 8 && got < 0; t++) got = take();
  assert_int_equal(got, 50);
  for (int n = 2; n <= PLACES; n++) {
    stream_done(1);
    cycle();
    for (int t = 0; t < 20 && (got = take()) < 0;) t++;
    assert_int_equal(got, n);
  }
}

/* A stream has at most 128 kernels that are not complete, half of its tickets. */
static void test_stream_ok(void **state) {
  (void)state;
  free(m);
  cfg = ut_cfg("k20c");
  m = ut_new(hd_pool_size(&cfg));
  hd_pool_init(m, &cfg);
  in.dev_count = DEEPEST;
  for (unsigned n = 1; n <= 128; n++) {
    cycle();
    assert_int_equal(out.stream_ok[2], 1);
    launch(n, 2);
  }
  cycle();
  assert_int_equal(out.stream_ok[2], 0);
  assert_int_equal(out.stream_ok[0] && out.stream_ok[1], 1);
  stream_done(2);
  cycle();
  cycle();
  assert_int_equal(out.stream_ok[2], 1);
}

/* A write that fails: the kernel is lost, its parent and stream are told; the others go on. */
static void test_spill_error(void **state) {
  (void)state;
  push(1, 0);
  push(2, 0);
  fail = 1;
  push(3, 2);
  for (int t = 0; t < 30 && !out.error_event; t++) cycle();
  assert_int_equal(out.error_event, 1);
  assert_int_equal(out.lost_valid, 1);
  assert_int_equal(out.lost_up, 5);
  assert_int_equal(out.lost_stream, 2);
  assert_int_equal(arch()->mem_count, 0);
  in.lost_ready = 1;
  cycle();
  cycle();
  assert_int_equal(out.lost_valid || out.lost_up || out.lost_stream || out.error_event, 0);
  for (int n = 1; n <= 2; n++) assert_int_equal(take(), n);
}

/* A read that fails, in any of its beats: likewise. */
static void test_refill_error(void **state) {
  (void)state;
  for (unsigned n = 1; n <= 4; n++) launch(n, n == 3 ? 1 : 0);
  idle(20);
  fail = 1;
  assert_int_equal(take(), 1);
  for (int t = 0; t < 30 && !out.lost_valid; t++) cycle();
  assert_int_equal(out.lost_stream, 1);
  assert_int_equal(arch()->mem_count, 1);
  assert_int_equal(arch()->mem_first, 1);
  for (int t = 0; t < 20; t++) {
    cycle();
    assert_int_equal(out.req_valid, 0); /* nothing is moved until the lost one is told */
  }
  in.lost_ready = 1;
  assert_int_equal(take(), 2);
  assert_int_equal(take(), 4);
}

/* Ticket 0 runs, 1 waits, 2 is lost; 0 completes before 1 has been offered: 1 runs nevertheless, and what follows. */
static void test_lost_in_a_stream(void **state) {
  (void)state;
  block(3);
  push(1, 0); /* offered, not taken: it holds up the next, of ticket 1 */
  push(2, 3);
  fail = 1;
  push(3, 3);
  for (int t = 0; t < 30 && !out.lost_valid; t++) cycle();
  assert_int_equal(out.lost_stream, 3);
  in.lost_ready = 1;
  cycle();
  stream_done(3); /* of the lost one */
  cycle();
  stream_done(3); /* of ticket 0 */
  cycle();
  assert_int_equal(arch()->serving[3], 2);
  launch(4, 3);
  launch(5, 3);
  for (int n = 1; n <= 2; n++) assert_int_equal(take(), n);
  assert_int_equal(take(), -1); /* 4 waits for 2 */
  for (int n = 4; n <= 5; n++) {
    stream_done(3);
    assert_int_equal(take(), n);
  }
  stream_done(3);
  cycle();
  assert_int_equal(arch()->serving[3], arch()->issued[3]);
}

/* The ring in memory goes round. */
static void test_ring_wraps(void **state) {
  (void)state;
  unsigned next = 1;
  for (unsigned n = 1; n <= 4; n++) launch(n, 0);
  for (unsigned n = 5; n <= 40; n++) {
    assert_int_equal(take(), next++);
    launch(n, 0);
    idle(30);
  }
  while (next <= 40) assert_int_equal(take(), next++);
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
  hd_krec_pack(&all, 0xc3, word);
  assert_true(word[0] == 0x123456789a && word[3] >> 48 == 0x55 && word[8] >> 48 == 0xc &&
              word[7] == UINT64_C(0x7ffffffe8000004d));
  for (unsigned k = 9; k < HD_KREC_WORDS; k++) assert_true(word[k] == 0);
  assert_int_equal(hd_krec_unpack(word, &w, &back), 0xc3);
  assert_memory_equal(&all, &back, sizeof all);
  word[0] |= UINT64_C(0xff) << 40;
  word[3] |= UINT64_C(0x80) << 48;
  word[8] |= UINT64_C(0xfff0) << 48;
  assert_int_equal(hd_krec_unpack(word, &w, &back), 0xc3);
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
  for (unsigned n = 0; n < 4; n++) launch(n, n);
  cycle();
  assert_memory_not_equal(m, fresh, hd_pool_size(&cfg));
  hd_pool_reset(m);
  assert_memory_equal(m, fresh, hd_pool_size(&cfg));
  free(fresh);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_empty_after_reset),
      TEST(test_head_latency),
      TEST(test_head_holds),
      TEST(test_spill_and_refill),
      TEST(test_order_past_memory),
      TEST(test_spill_request),
      TEST(test_full),
      TEST(test_streams_in_order),
      TEST(test_blocked_head_gives_way),
      TEST(test_rotation_cycles),
      TEST(test_push_in_rotation),
      TEST(test_rotation_called_off),
      TEST(test_rotation_when_full),
      TEST(test_stream_ok),
      TEST(test_spill_error),
      TEST(test_refill_error),
      TEST(test_lost_in_a_stream),
      TEST(test_ring_wraps),
      TEST(test_record),
      TEST(test_record_of_no_smx),
      TEST(test_burst),
      TEST(test_reset),
  };
  return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
