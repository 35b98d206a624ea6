/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Queues that go on in memory: latency, order, places, errors, bursts under way, back pressure, rate. */
#include "env/common/memory.h"
#include "service/memq.h"
#include "unit/util.h"

enum { BASE = 0x40, LOG = 64 };

static struct hd_cfg cfg;
static struct hd_memq *m;
static struct hd_memq_in in;
static struct hd_memq_out out;
/* A memory that takes everything at once and answers `port.latency` cycles later. */
static struct hd_memory_many port;
static uint8_t bytes[HD_MAX_MEMQ_PLACES * HD_MEMQ_BYTES];
static bool stall_requests, stall_beats, fail_write; /* fail_write: the next answer is an error */
static int fail_beat;                                /* so is this beat of the next entry; -1: none */
static uint32_t number;                              /* of the entry that is put */
/* What came back, and the places that were written, oldest first. */
static struct {
  uint32_t number;
  uint16_t side;
  uint8_t tag, error;
} got[LOG];
static unsigned gots, taken, places[LOG], writes, puts_done;

static void start(const char *config) {
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

static int setup(void **state) {
  (void)state;
  start("tiny"); /* 4 queues, 16 places, 4 bursts under way each way */
  return 0;
}

static int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

static struct hd_membeat beat_of(uint32_t n, unsigned beat) {
  return (struct hd_membeat){.lo = n, .hi = (uint64_t)n * 1000003 + beat, .strb = 0xffff};
}

static void serve(void) {
  const struct hd_memory_asked asked = {out.req_valid, out.req, out.wbeat};
  hd_memory_drive_many(&port, NULL, NULL, &asked, bytes, BASE * 256, sizeof bytes);
  if (stall_requests) port.pins.req_ready = 0;
  if (stall_beats) port.pins.wbeat_take = 0;
  in.req_ready = port.pins.req_ready;
  in.wbeat_take = port.pins.wbeat_take;
  in.b_valid = port.pins.b_valid;
  in.b_error = in.b_valid && fail_write;
  if (in.b_valid) fail_write = false;
  in.r_valid = port.pins.r_valid;
  in.r = port.pins.r;
}

/* Beats of an entry come in order and as they were put, the error as it was. */
static void watch_beat(void) {
  static unsigned beat;
  static bool error;
  if (out.got_beat == 0) error = false;
  if (out.got_beat) assert_int_equal(out.got_beat, beat + 1);
  beat = out.got_beat;
  error |= in.r.error;
  assert_true(in.r.hi == beat_of((uint32_t)in.r.lo, beat).hi);
  assert_int_equal(out.got_valid, beat == HD_MEMQ_BEATS - 1);
  if (!out.got_valid) return;
  if (error) assert_int_equal(out.got_error, 1);
  got[gots % LOG].number = (uint32_t)in.r.lo;
  got[gots % LOG].side = out.got_side;
  got[gots % LOG].tag = out.got_tag;
  got[gots++ % LOG].error = out.got_error;
}

/* One cycle; afterwards `out` holds what it showed. */
static void cycle(void) {
  serve();
  if (in.r_valid && fail_beat == (int)m->got_beat) {
    in.r.error = 1;
    fail_beat = -1;
  }
  in.put_data = beat_of(number, hd_memq_put_beat(m));
  hd_memq_eval(m, &in, &out);
  if (out.req_valid && in.req_ready && out.req.write)
    places[writes++ % LOG] = (unsigned)(out.req.addr - BASE * 256) / HD_MEMQ_BYTES;
  if (out.got_beat_valid)
    watch_beat();
  else
    assert_int_equal(out.got_beat || out.got_valid || out.got_tag || out.got_side || out.got_error, 0);
  puts_done += out.put_done;
  hd_memq_tick(m, &in);
}

static void idle(unsigned n) {
  while (n--) cycle();
}

static void offer(unsigned queue, uint32_t n) {
  in.put_valid = 1;
  in.put_queue = (uint8_t)queue;
  in.put_side = (uint16_t)(n % 8);
  number = n;
}

static void no_offer(void) {
  in.put_valid = in.put_queue = in.put_side = 0;
}

static void put(unsigned queue, uint32_t n) {
  offer(queue, n);
  for (unsigned t = 0; t < 600; t++) {
    cycle();
    if (!out.put_done) continue;
    no_offer();
    return;
  }
  fail_msg("the entry is never taken");
}

static void ask(unsigned queue, unsigned tag) {
  in.get_valid = 1;
  in.get_queue = (uint8_t)queue;
  in.get_tag = (uint8_t)tag;
}

static void no_ask(void) {
  in.get_valid = in.get_queue = in.get_tag = 0;
}

/* Asks for the oldest entry of the queue, as soon as it is readable. */
static void get(unsigned queue, unsigned tag) {
  for (unsigned t = 0; t < 600; t++) {
    if (hd_memq_readable(m, queue)) ask(queue, tag);
    cycle();
    if (!in.get_valid || !out.get_ready) continue;
    no_ask();
    return;
  }
  fail_msg("the get is never taken");
}

/* The next entry that comes back is this one. */
static void expect(uint32_t n, unsigned tag, bool error) {
  for (unsigned t = 0; t < 600 && gots == taken; t++) cycle();
  assert_true(gots > taken);
  unsigned at = taken++ % LOG;
  assert_int_equal(got[at].number, n);
  assert_int_equal(got[at].side, n % 8);
  assert_int_equal(got[at].tag, tag);
  assert_int_equal(got[at].error, error);
}

static struct hd_memq_arch *arch(void) {
  static struct hd_memq_arch a;
  hd_memq_arch(m, &a, true);
  return &a;
}

static void test_empty_after_reset(void **state) {
  (void)state;
  cycle();
  assert_int_equal(out.put_ready && out.get_ready, 1);
  assert_int_equal(out.put_done || out.req_valid || out.used || out.wbeat.strb, 0);
  assert_int_equal(out.left, 12);
  for (unsigned q = 0; q < cfg.memq_queues; q++) assert_int_equal(out.there[q] || out.readable[q], 0);
  assert_true(hd_memq_quiet(m));
}

/* Taken in t, asked for in t + 2, a beat a cycle from then on; readable in the cycle after the answer. */
static void test_put_latency(void **state) {
  (void)state;
  offer(2, 77);
  cycle(); /* t */
  assert_int_equal(out.put_ready, 1);
  cycle();
  assert_int_equal(out.put_ready || out.get_ready || out.req_valid || out.there[2] || out.wbeat.strb, 0);
  assert_int_equal(out.used, 1);
  cycle();
  assert_int_equal(out.req_valid && out.req.write && out.req.len == 7 && out.there[2] && out.used == 1, 1);
  assert_true(out.req.addr == BASE * 256);
  assert_true(out.wbeat.hi == beat_of(77, 0).hi);
  for (unsigned k = 0; k < 8; k++) {
    cycle();
    assert_int_equal(out.req_valid || out.req.write || out.put_ready || out.get_ready, 0);
    assert_int_equal(out.put_beat, k);
    assert_true(out.wbeat.hi == beat_of(77, k).hi);
    assert_int_equal(out.put_done, k == 7);
  }
  no_offer();
  cycle(); /* the answer */
  assert_int_equal(in.b_valid && out.put_ready && out.there[2], 1);
  assert_int_equal(out.readable[2] || out.put_beat || out.wbeat.strb, 0);
  cycle();
  assert_int_equal(out.readable[2], 1);
}

/* Taken in t, asked for in t + 2; the place is free two cycles after the last beat. */
static void test_get_latency(void **state) {
  (void)state;
  put(3, 9);
  idle(2);
  ask(3, 2);
  cycle(); /* t */
  assert_int_equal(out.get_ready && out.readable[3], 1);
  assert_int_equal(out.put_ready, 0);
  no_ask();
  cycle();
  assert_int_equal(out.req_valid || out.readable[3], 0);
  assert_int_equal(out.there[3], 1);
  cycle();
  assert_int_equal(out.req_valid && !out.req.write && out.req.len == 7 && !out.there[3], 1);
  for (unsigned k = 0; k < 8; k++) {
    cycle();
    assert_int_equal(out.get_ready, 1);
    assert_int_equal(out.got_beat_valid, 1);
    assert_int_equal(out.got_beat, k);
    assert_int_equal(out.got_valid, k == 7);
  }
  expect(9, 2, false);
  cycle();
  assert_int_equal(out.used, 1);
  assert_int_equal(arch()->freeing, 0);
  cycle();
  assert_int_equal(out.used, 0);
  assert_true(hd_memq_quiet(m));
}

/* A queue is first in, first out, whatever is put behind others. */
static void test_order(void **state) {
  (void)state;
  for (unsigned n = 0; n < 12; n++) put(n % 3, 100 + n);
  assert_int_equal(writes, 12);
  for (unsigned q = 3; q-- > 0;)
    for (unsigned n = q; n < 12; n += 3) {
      get(q, n % 4);
      expect(100 + n, n % 4, false);
    }
}

/* Entries go behind a queue of which others are read. */
static void test_puts_between_gets(void **state) {
  (void)state;
  put(1, 0);
  put(1, 1);
  for (unsigned n = 0; n < 40; n++) {
    get(1, n % 4);
    put(1, n + 2);
    expect(n, n % 4, false);
  }
  assert_int_equal(out.used <= 3, 1);
}

/* The last entry of a queue is asked for, and another is put before it has come. */
static void test_queue_empty_again(void **state) {
  (void)state;
  port.latency = 30;
  put(0, 5);
  get(0, 1);
  put(0, 6); /* its place is another: the first is not read yet */
  assert_int_equal(places[1], 1);
  get(0, 2);
  expect(5, 1, false);
  expect(6, 2, false);
}

/* Places that were used go first, in the order in which they became free. */
static void test_places(void **state) {
  (void)state;
  for (unsigned n = 0; n < 4; n++) put(n, n);
  get(2, 0);
  expect(2, 0, false);
  get(0, 0);
  expect(0, 0, false);
  get(3, 0);
  expect(3, 0, false);
  idle(3);
  assert_int_equal(arch()->fresh, 4);
  assert_int_equal(arch()->chained, 3);
  assert_int_equal(arch()->free_first, 2);
  assert_int_equal(arch()->free_last, 3);
  for (unsigned n = 4; n < 8; n++) put(0, n);
  static const unsigned expected[] = {0, 1, 2, 3, 2, 0, 3, 4};
  for (unsigned n = 0; n < 8; n++) assert_int_equal(places[n], expected[n]);
  assert_int_equal(arch()->chained, 0);
}

/* All places are used, none is left; when all entries were read, it begins with place 0. */
static void test_full_and_empty(void **state) {
  (void)state;
  in.count = 3;
  for (unsigned n = 0; n < 3; n++) put(n % 2, n);
  offer(0, 3);
  for (unsigned t = 0; t < 20; t++) {
    cycle();
    assert_int_equal(out.put_ready || out.left, 0);
    assert_int_equal(out.used, 3);
  }
  no_offer();
  get(1, 0);
  get(0, 1);
  get(0, 2);
  expect(1, 0, false);
  expect(0, 1, false);
  expect(2, 2, false);
  idle(3);
  assert_int_equal(out.left, 3);
  assert_int_equal(arch()->fresh || arch()->chained, 0);
  put(3, 4);
  assert_int_equal(places[3], 0);
}

/* `count` beyond what the block has, and none at all. */
static void test_region(void **state) {
  (void)state;
  in.count = 0;
  offer(0, 1);
  idle(10);
  assert_int_equal(out.put_ready || out.left || out.used, 0);
  no_offer();
  in.count = UINT32_MAX;
  for (unsigned n = 0; n < cfg.memq_places; n++) {
    put(n % 4, n);
    assert_int_equal(places[n], n);
  }
  idle(1);
  assert_int_equal(out.left || out.put_ready, 0);
  assert_int_equal(out.used, cfg.memq_places);
}

/* Addresses go round at the end. */
static void test_address_wraps(void **state) {
  (void)state;
  in.base = UINT32_MAX;
  for (unsigned n = 0; n < 3; n++) {
    offer(0, n);
    do cycle();
    while (!out.req_valid);
    assert_true(out.req.addr == (UINT64_C(0xffffffff00) + n * 128) % (UINT64_C(1) << cfg.addr_w));
    while (!out.put_done) cycle();
    no_offer();
  }
}

/* A write that failed costs that entry alone; its side comes back in its turn. */
static void test_write_error(void **state) {
  (void)state;
  put(1, 1);
  idle(2);
  fail_write = true;
  put(1, 2);
  put(1, 3);
  for (unsigned n = 1; n <= 3; n++) get(1, n);
  for (unsigned n = 1; n <= 3; n++) expect(n, n, n == 2);
  /* The place is good again. */
  put(1, 4);
  get(1, 0);
  expect(4, 0, false);
}

/* So does a read of which any beat failed. */
static void test_read_error(void **state) {
  (void)state;
  port.latency = 10;
  for (int k = 0; k < 8; k++) {
    put(0, 10);
    put(0, 11);
    get(0, 1);
    get(0, 2);
    fail_beat = k;
    expect(10, 1, true);
    assert_int_equal(arch()->got_error_before, 0);
    expect(11, 2, false);
  }
}

/* As many puts are unanswered as there is room for, then as many gets; rows of the rings are used in turn. */
static void test_bursts_under_way(void **state) {
  (void)state;
  port.latency = 200;
  for (unsigned n = 0; n < cfg.memq_flight; n++) put(n % 2, n);
  assert_int_equal(arch()->puts, cfg.memq_flight);
  offer(0, 50);
  for (unsigned t = 0; t < 50; t++) {
    cycle();
    assert_int_equal(out.put_ready || out.readable[0] || out.readable[1], 0);
  }
  for (unsigned n = 0; n < cfg.memq_flight; n++) assert_int_equal(arch()->put_row_valid[n], 1);
  while (!out.put_done) cycle();
  no_offer();
  while (arch()->puts) cycle();
  for (unsigned n = 0; n < cfg.memq_flight; n++) get(n % 2, n);
  cycle(); /* the last one's look */
  assert_int_equal(arch()->gets, cfg.memq_flight);
  ask(0, 0);
  for (unsigned t = 0; t < 50; t++) {
    cycle();
    assert_int_equal(out.get_ready, 0);
  }
  for (unsigned n = 0; n < cfg.memq_flight; n++) assert_int_equal(arch()->get_row_valid[n], 1);
  get(0, 0);
  for (unsigned n = 0; n < cfg.memq_flight; n++) expect(n, n, false);
  expect(50, 0, false);
}

static void test_rings_wrap(void **state) {
  (void)state;
  port.latency = 25;
  unsigned asked = 0, n = 0;
  for (; n < 5 * cfg.memq_flight + 1; n++) {
    put(n % 4, n);
    if (n > 2) get(asked % 4, asked % 4), asked++;
  }
  for (; asked < n; asked++) get(asked % 4, asked % 4);
  for (unsigned k = 0; k < n; k++) expect(k, k % 4, false);
  assert_int_equal(arch()->first_put, n % cfg.memq_flight);
  assert_int_equal(arch()->first_get, n % cfg.memq_flight);
}

/* A request stands until it is taken, a beat too. */
static void test_back_pressure(void **state) {
  (void)state;
  put(1, 3);
  stall_requests = stall_beats = true;
  offer(1, 4);
  idle(2);
  for (unsigned t = 0; t < 10; t++) {
    cycle();
    assert_int_equal(out.req_valid && out.req.write, 1);
    assert_true(out.req.addr == BASE * 256 + 128);
  }
  stall_requests = false;
  cycle();
  for (unsigned t = 0; t < 10; t++) {
    cycle();
    assert_int_equal(out.req_valid || out.put_beat || out.put_done, 0);
    assert_true(out.wbeat.hi == beat_of(4, 0).hi);
  }
  stall_beats = false;
  while (!out.put_done) cycle();
  no_offer();
  stall_requests = true;
  get(1, 0);
  cycle();
  for (unsigned t = 0; t < 10; t++) {
    cycle();
    assert_int_equal(out.req_valid && !out.req.write && out.there[1], 1);
  }
  stall_requests = false;
  get(1, 1);
  expect(3, 0, false);
  expect(4, 1, false);
}

/* A get goes before a put, also one that is not taken. */
static void test_get_first(void **state) {
  (void)state;
  put(0, 1);
  put(0, 2);
  idle(2);
  offer(1, 3);
  ask(0, 0);
  cycle();
  assert_int_equal(out.get_ready && !out.put_ready, 1);
  idle(2);
  cycle();
  assert_int_equal(out.get_ready && !out.put_ready, 1);
  no_ask();
  while (!out.put_done) cycle();
  no_offer();
  expect(1, 0, false);
  expect(2, 0, false);
}

/* A place becomes free one cycle later when a put looks for one just then. */
static void test_freeing_waits(void **state) {
  (void)state;
  put(0, 1);
  put(0, 2);
  get(0, 0);
  while (m->got_beat != 7) cycle();
  offer(1, 3);
  cycle();
  assert_int_equal(out.got_valid && out.put_ready, 1);
  assert_int_equal(arch()->freeing, 1);
  cycle(); /* look */
  assert_int_equal(arch()->freeing, 1);
  assert_int_equal(arch()->fresh, 3);
  cycle();
  assert_int_equal(arch()->freeing || arch()->freeing_place, 0);
  assert_int_equal(arch()->chained, 1);
  while (!out.put_done) cycle();
  assert_int_equal(places[2], 2);
}

/* An answer and a get of the same queue in one cycle. */
static void test_answer_with_get(void **state) {
  (void)state;
  port.latency = 3;
  put(2, 1);
  idle(4);
  put(2, 2);
  idle(2);
  ask(2, 1);
  cycle();
  assert_int_equal(in.b_valid && out.get_ready, 1);
  no_ask();
  assert_int_equal(arch()->answered[2], 1);
  get(2, 2);
  expect(1, 1, false);
  expect(2, 2, false);
}

/* Reset in mid-burst leaves the state of a fresh one, byte for byte. */
static void test_reset(void **state) {
  (void)state;
  struct hd_memq *fresh = ut_new(hd_memq_size(&cfg));
  hd_memq_init(fresh, &cfg);
  port.latency = 50;
  put(1, 1);
  get(1, 1);
  put(2, 2);
  offer(3, 3);
  idle(6);
  assert_int_equal(arch()->op, HD_MEMQ_DATA);
  assert_memory_not_equal(m, fresh, hd_memq_size(&cfg));
  hd_memq_reset(m);
  assert_memory_equal(m, fresh, hd_memq_size(&cfg));
  free(fresh);
}

/* Which rows of the tables count. */
static void test_rows(void **state) {
  (void)state;
  put(1, 1);
  put(1, 2);
  idle(2);
  struct hd_memq_arch *a = arch();
  assert_int_equal(a->ends_row_valid[1] && !a->ends_row_valid[0], 1);
  assert_int_equal(a->ends_row[1].first, 0);
  assert_int_equal(a->ends_row[1].last, 1);
  assert_int_equal(a->next_row_valid[0] && !a->next_row_valid[1], 1);
  assert_int_equal(a->next_row[0], 1);
  assert_int_equal(a->side_row_valid[0] && a->side_row_valid[1] && !a->side_row_valid[2], 1);
  assert_int_equal(a->side_row[1].side, 2);
  assert_int_equal(a->put_row_valid[0] || a->get_row_valid[0], 0);
}

/* One queue, or all in turn, full speed: cycles for an entry in and one out. */
static double cycles_per_entry(unsigned latency, unsigned queues) {
  unsigned puts = 0, gets = 0, tags = 0, warm = 4 * latency + 2000, span = 30000;
  start("k20c");
  in.count = UINT32_MAX;
  port.latency = latency;
  offer(0, 0);
  for (unsigned t = 0; t < warm + span; t++) {
    if (t == warm) puts = puts_done, gets = gots;
    if (hd_memq_readable(m, tags % queues))
      ask(tags % queues, tags % 32);
    else
      no_ask();
    cycle();
    if (in.get_valid && out.get_ready) tags++;
    if (out.put_done) offer(puts_done % queues, puts_done);
    for (; taken < gots; taken++) {
      assert_int_equal(got[taken % LOG].number, taken);
      assert_int_equal(got[taken % LOG].tag, taken % 32);
    }
  }
  free(m);
  unsigned in_and_out = gots - gets < puts_done - puts ? gots - gets : puts_done - puts;
  return (double)span / in_and_out;
}

/* 11 cycles for a put and 3 for a get, however late the memory answers. */
static void test_rate(void **state) {
  static const unsigned latencies[] = {1, 40, 120, 400};
  (void)state;
  for (unsigned k = 0; k < 4; k++)
    for (unsigned queues = 1; queues <= 32; queues += 31) {
      double n = cycles_per_entry(latencies[k], queues);
      print_message("latency %u, %u queues: %.2f cycles\n", latencies[k], queues, n);
      assert_true(n <= 15);
      assert_true(n >= 13.9);
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_empty_after_reset),
      TEST(test_put_latency),
      TEST(test_get_latency),
      TEST(test_order),
      TEST(test_puts_between_gets),
      TEST(test_queue_empty_again),
      TEST(test_places),
      TEST(test_full_and_empty),
      TEST(test_region),
      TEST(test_address_wraps),
      TEST(test_write_error),
      TEST(test_read_error),
      TEST(test_bursts_under_way),
      TEST(test_rings_wrap),
      TEST(test_back_pressure),
      TEST(test_get_first),
      TEST(test_freeing_waits),
      TEST(test_answer_with_get),
      TEST(test_reset),
      TEST(test_rows),
      cmocka_unit_test(test_rate),
  };
  return cmocka_run_group_tests_name("memq", tests, NULL, NULL);
}
