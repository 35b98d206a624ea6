/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The memory behind the plane's port: bytes, latency, order, errors, and the rules of AXI4, each broken once. */
#include "mem/axi_check.h"
#include "mem/axi_mem.h"
#include "unit/util.h"

enum { CLIENTS = 4 };

static const struct hd_axi_profile quick = {
    .name = "quick", .latency_min = 1, .latency_max = 1, .sink = 256, .source = 256};
static const struct hd_axi_profile wild = {
    .name = "wild", .latency_min = 1, .latency_max = 90, .reorder = true, .sink = 100, .source = 150};

/* ---- a manager that keeps the rules ---- */

struct rig {
  struct hd_axi_mem *m;
  struct hd_axi_asked a;
  struct hd_axi_told t;
  uint64_t cycles;
};

static const struct hd_axi_asked idle = {.bready = 1, .rready = 1};

static struct rig make(const struct hd_axi_profile *p, uint64_t seed) {
  struct rig r = {.m = hd_axi_mem_new(p, CLIENTS, seed), .a = idle};
  assert_non_null(r.m);
  return r;
}

static void cycle(struct rig *r) {
  hd_axi_mem_drive(r->m, &r->t);
  const char *rule = hd_axi_mem_follow(r->m, &r->a);
  if (rule != NULL) fail_msg("%s", rule);
  r->cycles++;
}

static void offer_read(struct rig *r, uint8_t id, uint64_t addr, uint8_t beats) {
  r->a.arvalid = 1, r->a.arid = id, r->a.araddr = addr, r->a.arlen = (uint8_t)(beats - 1);
  r->a.arsize = 4, r->a.arburst = 1;
  do cycle(r);
  while (!r->t.arready);
  r->a = idle;
}

/* Address first, then the data, of which each 8 bytes are `first` and one more than those before. */
static void offer_write(struct rig *r, uint8_t id, uint64_t addr, uint8_t beats, uint64_t first, uint16_t strb) {
  r->a.awvalid = 1, r->a.awid = id, r->a.awaddr = addr, r->a.awlen = (uint8_t)(beats - 1);
  r->a.awsize = 4, r->a.awburst = 1;
  do cycle(r);
  while (!r->t.awready);
  r->a = idle;
  for (uint8_t k = 0; k < beats; k++) {
    r->a.wvalid = 1, r->a.wdata_lo = first + 2u * k, r->a.wdata_hi = first + 2u * k + 1, r->a.wstrb = strb;
    r->a.wlast = k + 1 == beats;
    do cycle(r);
    while (!r->t.wready);
  }
  r->a = idle;
}

static void wait_answer(struct rig *r) {
  do cycle(r);
  while (!r->t.bvalid);
}

static void wait_beat(struct rig *r) {
  do cycle(r);
  while (!r->t.rvalid);
}

/* ---- bytes ---- */

/* Bytes of any length at any address come back, across pages. */
static void test_pages(void **state) {
  (void)state;
  struct rig r = make(&quick, 1);
  uint8_t out[10000], in[10000];
  for (unsigned i = 0; i < sizeof out; i++) out[i] = (uint8_t)(i * 7);
  for (uint64_t at = 0xff00000123; at < 0xff00000123 + 100 * 0x10000; at += 0x10000) {
    assert_true(hd_axi_mem_write(r.m, at, out, sizeof out));
    assert_true(hd_axi_mem_read(r.m, at, in, sizeof in));
    assert_memory_equal(in, out, sizeof in);
  }
  hd_axi_mem_free(r.m);
}

/* What nobody wrote is not 0, and is the same in each run. */
static void test_garbage(void **state) {
  (void)state;
  struct rig r = make(&quick, 1), s = make(&wild, 2);
  uint64_t x = 0, y = 0;
  assert_true(hd_axi_mem_read(r.m, 0x5000, &x, 8) && hd_axi_mem_read(s.m, 0x5000, &y, 8));
  assert_true(x == y && x != 0);
  hd_axi_mem_free(r.m);
  hd_axi_mem_free(s.m);
}

/* A burst is in memory when it is answered, and can be read. */
static void test_write_and_read(void **state) {
  (void)state;
  struct rig r = make(&quick, 1);
  offer_write(&r, 2, 0x1000, 8, 100, 0xffff);
  wait_answer(&r);
  assert_int_equal(r.t.bid, 2);
  assert_int_equal(r.t.bresp, HD_AXI_OKAY);
  offer_read(&r, 1, 0x1000, 8);
  for (unsigned k = 0; k < 8; k++) {
    wait_beat(&r);
    assert_int_equal(r.t.rid, 1);
    assert_true(r.t.rdata_lo == 100 + 2 * k && r.t.rdata_hi == 101 + 2 * k);
    assert_int_equal(r.t.rlast, k == 7);
  }
  hd_axi_mem_free(r.m);
}

/* Strobes: four bytes of a beat, as the plane writes a Next. */
static void test_strobes(void **state) {
  (void)state;
  struct rig r = make(&quick, 1);
  uint8_t bytes[16];
  memset(bytes, 0xee, sizeof bytes);
  assert_true(hd_axi_mem_write(r.m, 0x2030, bytes, 16));
  offer_write(&r, 0, 0x2030, 1, 0x11223344, 0x000f);
  wait_answer(&r);
  assert_true(hd_axi_mem_read(r.m, 0x2030, bytes, 16));
  const uint8_t want[16] = {0x44, 0x33, 0x22, 0x11, 0xee, 0xee, 0xee, 0xee,
                            0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee};
  assert_memory_equal(bytes, want, 16);
  hd_axi_mem_free(r.m);
}

/* A write is not seen before its answer: the bytes change in that cycle. */
static void test_write_is_late(void **state) {
  (void)state;
  const struct hd_axi_profile slow = {.latency_min = 20, .latency_max = 20, .sink = 256, .source = 256};
  struct rig r = make(&slow, 1);
  uint64_t x;
  offer_write(&r, 0, 0x3000, 1, 77, 0xffff);
  for (unsigned k = 1; k < 20; k++) {
    cycle(&r);
    assert_true(!r.t.bvalid && hd_axi_mem_read(r.m, 0x3000, &x, 8) && x != 77);
  }
  cycle(&r);
  assert_true(r.t.bvalid && hd_axi_mem_read(r.m, 0x3000, &x, 8) && x == 77);
  hd_axi_mem_free(r.m);
}

/* A read gives the bytes of the cycle in which its address was taken. */
static void test_read_is_early(void **state) {
  (void)state;
  const struct hd_axi_profile slow = {.latency_min = 5, .latency_max = 5, .sink = 256, .source = 256};
  struct rig r = make(&slow, 1);
  uint64_t x = 1;
  assert_true(hd_axi_mem_write(r.m, 0x40, &x, 8));
  offer_read(&r, 0, 0x40, 1);
  x = 2;
  assert_true(hd_axi_mem_write(r.m, 0x40, &x, 8));
  uint64_t t0 = r.cycles;
  wait_beat(&r);
  assert_int_equal(r.cycles - t0, 5);
  assert_true(r.t.rdata_lo == 1);
  hd_axi_mem_free(r.m);
}

/* ---- time and order ---- */

/* Reads of all IDs under way: each ID's come in order; with reordering some ID overtakes another, without none does. */
static bool overtaken(bool reorder) {
  struct hd_axi_profile p = wild;
  p.reorder = reorder;
  struct rig r = make(&p, 3);
  uint64_t word = 0;
  unsigned taken = 0, ended = 0, next_of[CLIENTS] = {0};
  bool overtook = false;
  for (unsigned i = 0; i < 256; i++, word++) assert_true(hd_axi_mem_write(r.m, 16 * i, &word, 8));
  while (ended < 200) {
    if (taken < 200 && !r.a.arvalid) {
      r.a.arvalid = 1, r.a.arid = (uint8_t)(taken % CLIENTS), r.a.araddr = 16 * taken, r.a.arsize = 4, r.a.arburst = 1;
    }
    cycle(&r);
    if (r.a.arvalid && r.t.arready) taken++, r.a.arvalid = 0;
    if (!r.t.rvalid) continue;
    assert_true(r.t.rdata_lo == next_of[r.t.rid] * CLIENTS + r.t.rid); /* in order within an ID */
    overtook |= r.t.rdata_lo != ended;
    next_of[r.t.rid]++;
    ended++;
  }
  hd_axi_mem_free(r.m);
  return overtook;
}

static void test_order(void **state) {
  (void)state;
  assert_true(overtaken(true));
  assert_false(overtaken(false));
}

/* The same seed, the same cycles; another seed, others. */
static uint64_t run_some(uint64_t seed) {
  struct rig r = make(&wild, seed);
  for (unsigned i = 0; i < 50; i++) {
    offer_write(&r, i % CLIENTS, 256 * i, 1 + i % 8, i, 0xffff);
    wait_answer(&r);
    offer_read(&r, i % CLIENTS, 256 * i, 1);
    wait_beat(&r);
    assert_true(r.t.rdata_lo == i);
  }
  hd_axi_mem_free(r.m);
  return r.cycles;
}

static void test_seed(void **state) {
  (void)state;
  assert_int_equal(run_some(5), run_some(5));
  assert_int_not_equal(run_some(5), run_some(6));
}

/* ---- errors ---- */

/* At a chosen place: the answer says so, and nothing is written. */
static void test_spoilt(void **state) {
  (void)state;
  struct rig r = make(&quick, 1);
  uint64_t x;
  assert_true(hd_axi_mem_spoil(r.m, 0x1040, 1, HD_AXI_SLVERR) && hd_axi_mem_spoil(r.m, 0x9000, 64, HD_AXI_DECERR));
  offer_write(&r, 0, 0x1000, 8, 55, 0xffff);
  wait_answer(&r);
  assert_int_equal(r.t.bresp, HD_AXI_SLVERR);
  assert_true(hd_axi_mem_read(r.m, 0x1000, &x, 8) && x != 55);
  offer_read(&r, 0, 0x9030, 1);
  wait_beat(&r);
  assert_int_equal(r.t.rresp, HD_AXI_DECERR);
  offer_read(&r, 0, 0x9040, 1);
  wait_beat(&r);
  assert_int_equal(r.t.rresp, HD_AXI_OKAY);
  assert_int_equal(hd_axi_mem_counts(r.m).errors, 2);
  hd_axi_mem_free(r.m);
}

/* At a rate: a quarter of 400 bursts, about. */
static void test_error_rate(void **state) {
  (void)state;
  struct hd_axi_profile p = quick;
  p.errors = 16384;
  struct rig r = make(&p, 9);
  unsigned of_resp[4] = {0};
  for (unsigned i = 0; i < 400; i++) {
    offer_read(&r, 0, 0, 1);
    wait_beat(&r);
    of_resp[r.t.rresp]++;
  }
  assert_in_range(of_resp[HD_AXI_SLVERR] + of_resp[HD_AXI_DECERR], 70, 130);
  assert_true(of_resp[HD_AXI_SLVERR] > 10 && of_resp[HD_AXI_DECERR] > 10 && of_resp[1] == 0);
  hd_axi_mem_free(r.m);
}

/* A read of eight beats fails in all of them or in one; what does not fail is OKAY or EXOKAY. */
static void test_beats_of_an_error(void **state) {
  (void)state;
  struct hd_axi_profile p = quick;
  p.errors = 32768;
  p.exokay = 64;
  struct rig r = make(&p, 9);
  unsigned by_beats[9] = {0}, exokay = 0;
  for (unsigned i = 0; i < 200; i++) {
    unsigned bad = 0;
    offer_read(&r, 0, 0, 8);
    for (unsigned k = 0; k < 8; k++) {
      wait_beat(&r);
      bad += r.t.rresp >> 1;
      exokay += r.t.rresp == HD_AXI_EXOKAY;
    }
    by_beats[bad]++;
  }
  assert_int_equal(by_beats[0] + by_beats[1] + by_beats[8], 200);
  assert_true(by_beats[0] > 50 && by_beats[1] > 20 && by_beats[8] > 20);
  assert_in_range(exokay, 150, 450);
  hd_axi_mem_free(r.m);
}

/* A write and a read that fail are answered in one cycle, whichever was first; alone, after a while. */
static void test_together(void **state) {
  (void)state;
  struct hd_axi_profile p = quick;
  p.together = true;
  struct rig r = make(&p, 9);
  assert_true(hd_axi_mem_spoil(r.m, 0x1000, 64, HD_AXI_SLVERR) && hd_axi_mem_spoil(r.m, 0x2000, 64, HD_AXI_SLVERR));
  for (unsigned k = 0; k < 2; k++) {
    if (k == 0) offer_write(&r, 0, 0x1000, 1, 55, 0xffff);
    if (k == 1) offer_read(&r, 1, 0x2000, 2);
    for (unsigned n = 0; n < 50; n++) {
      cycle(&r);
      assert_true(!r.t.bvalid && !(r.t.rvalid && r.t.rlast));
    }
    if (k == 0) offer_read(&r, 1, 0x2000, 2);
    if (k == 1) offer_write(&r, 0, 0x1000, 1, 55, 0xffff);
    wait_answer(&r);
    assert_int_equal(r.t.bresp, HD_AXI_SLVERR);
    assert_true(r.t.rvalid && r.t.rlast && r.t.rresp == HD_AXI_SLVERR);
  }
  offer_write(&r, 0, 0x1000, 1, 55, 0xffff);
  uint64_t from = r.cycles;
  wait_answer(&r);
  assert_in_range(r.cycles - from, HD_AXI_PATIENCE, HD_AXI_PATIENCE + 2);
  hd_axi_mem_free(r.m);
}

/* Nothing moves on a channel that is held, and it goes on where it was. */
static void test_hold(void **state) {
  (void)state;
  struct rig r = make(&quick, 1);
  hd_axi_mem_hold(r.m, HD_AXI_HOLD_AW | HD_AXI_HOLD_W | HD_AXI_HOLD_AR);
  for (unsigned i = 0; i < 50; i++) {
    cycle(&r);
    assert_false(r.t.awready || r.t.wready || r.t.arready);
  }
  hd_axi_mem_hold(r.m, HD_AXI_HOLD_R | HD_AXI_HOLD_B);
  offer_write(&r, 0, 0x1000, 2, 55, 0xffff);
  offer_read(&r, 1, 0x2000, 2);
  for (unsigned i = 0; i < 50; i++) {
    cycle(&r);
    assert_false(r.t.rvalid || r.t.bvalid);
  }
  hd_axi_mem_hold(r.m, HD_AXI_HOLD_R);
  wait_answer(&r);
  hd_axi_mem_hold(r.m, 0);
  wait_beat(&r);
  hd_axi_mem_free(r.m);
}

/* After a reset nothing comes of what was under way. */
static void test_reset(void **state) {
  (void)state;
  struct rig r = make(&wild, 1);
  for (unsigned i = 0; i < 4; i++) offer_read(&r, (uint8_t)i, 0, 8);
  hd_axi_mem_reset(r.m);
  for (unsigned i = 0; i < 300; i++) {
    cycle(&r);
    assert_false(r.t.rvalid);
  }
  hd_axi_mem_free(r.m);
}

/* ---- broken rules ---- */

/* A burst that keeps them all. */
static const struct hd_axi_asked good = {.awvalid = 1,
                                         .awaddr = 0x1000,
                                         .awid = 1,
                                         .awlen = 1,
                                         .awsize = 4,
                                         .awburst = 1,
                                         .wvalid = 1,
                                         .wdata_lo = 5,
                                         .wstrb = 0xffff,
                                         .arvalid = 1,
                                         .araddr = 0x2000,
                                         .arid = 2,
                                         .arlen = 3,
                                         .arsize = 4,
                                         .arburst = 1,
                                         .bready = 1,
                                         .rready = 1};
static const struct hd_axi_told all_ready = {.awready = 1, .wready = 1, .arready = 1};

static void expect_rule(const char *rule, const char *part) {
  if (rule == NULL) fail_msg("no rule broken; '%s' was to be", part);
  if (strstr(rule, part) == NULL || strchr(rule, '\n') != NULL) fail_msg("'%s' instead of '%s'", rule, part);
}

/* One cycle of a fresh checker with one thing changed. */
static void expect_in_one(const struct hd_axi_asked *a, const char *part) {
  struct hd_axi_check c = {.clients = CLIENTS};
  expect_rule(hd_axi_check(&c, a, &all_ready), part);
}

/* A cycle in which nothing is taken, then one with one thing changed. */
static void expect_in_two(const struct hd_axi_asked *a, const char *part) {
  struct hd_axi_check c = {.clients = CLIENTS};
  const struct hd_axi_told none = {0};
  assert_null(hd_axi_check(&c, &good, &none));
  assert_null(hd_axi_check(&c, &good, &none));
  expect_rule(hd_axi_check(&c, a, &none), part);
}

#define CHANGED(field, value) (changed = good, changed.field = (value), &changed)

static void test_good(void **state) {
  (void)state;
  struct hd_axi_check c = {.clients = CLIENTS};
  struct hd_axi_asked a = good;
  assert_null(hd_axi_check(&c, &a, &all_ready));
  a.awvalid = a.arvalid = 0;
  a.wlast = 1;
  assert_null(hd_axi_check(&c, &a, &all_ready));
  const struct hd_axi_told answer = {.bvalid = 1, .bid = 1};
  assert_null(hd_axi_check(&c, &idle, &answer));
}

static void test_bad_address(void **state) {
  (void)state;
  struct hd_axi_asked changed;
  expect_in_one(CHANGED(awaddr, 0x1008), "awaddr 0x1008 is not a multiple of 16");
  expect_in_one(CHANGED(araddr, 0x2001), "araddr 0x2001 is not a multiple of 16");
  expect_in_one(CHANGED(araddr, 0x2fd0), "4 beats from araddr 0x2fd0 cross a 4 KB boundary");
  expect_in_one(CHANGED(awaddr, 0x1ff0), "2 beats from awaddr 0x1ff0 cross a 4 KB boundary");
  expect_in_one(CHANGED(awlen, 8), "awlen is 8");
  expect_in_one(CHANGED(arlen, 255), "arlen is 255");
  expect_in_one(CHANGED(awsize, 3), "awsize is 3");
  expect_in_one(CHANGED(arburst, 0), "arburst is 0");
  expect_in_one(CHANGED(awid, 4), "awid is 4; there are 4 clients");
}

static void test_not_stable(void **state) {
  (void)state;
  struct hd_axi_asked changed;
  expect_in_two(CHANGED(awvalid, 0), "awvalid fell");
  expect_in_two(CHANGED(arvalid, 0), "arvalid fell");
  expect_in_two(CHANGED(wvalid, 0), "wvalid fell");
  expect_in_two(CHANGED(awaddr, 0x1010), "AW changed");
  expect_in_two(CHANGED(awid, 0), "AW changed");
  expect_in_two(CHANGED(arlen, 2), "AR changed");
  expect_in_two(CHANGED(wdata_hi, 1), "W changed");
  expect_in_two(CHANGED(wstrb, 0xff), "W changed");
  expect_in_two(CHANGED(wlast, 1), "W changed");
}

static void test_not_ready(void **state) {
  (void)state;
  struct hd_axi_asked changed;
  expect_in_one(CHANGED(bready, 0), "bready is 0");
  expect_in_one(CHANGED(rready, 0), "rready is 0");
}

/* The number of beats, with the address first and with the data first. */
static void test_last_beat(void **state) {
  (void)state;
  struct hd_axi_check c = {.clients = CLIENTS};
  struct hd_axi_asked changed;
  expect_in_one(CHANGED(wlast, 1), "wlast at beat 1 of the write of 2 beats");
  changed = good;
  changed.awvalid = changed.arvalid = 0;
  changed.wlast = 1;
  assert_null(hd_axi_check(&c, &changed, &all_ready));
  changed = good;
  changed.wvalid = 0;
  expect_rule(hd_axi_check(&c, &changed, &all_ready), "wlast at beat 1 of the write of 2 beats at 0x1000");
  c = (struct hd_axi_check){.clients = CLIENTS};
  changed = good;
  assert_null(hd_axi_check(&c, &changed, &all_ready));
  changed.awvalid = changed.arvalid = 0;
  expect_rule(hd_axi_check(&c, &changed, &all_ready), "no wlast at the last of 2 beats of the write at 0x1000");
  c = (struct hd_axi_check){.clients = CLIENTS};
  for (unsigned k = 0; k < 7; k++) assert_null(hd_axi_check(&c, &changed, &all_ready));
  expect_rule(hd_axi_check(&c, &changed, &all_ready), "8 beats of write data without wlast");
}

/* A read of what is being written: after the answer it is right. */
static void test_read_before_answer(void **state) {
  (void)state;
  struct hd_axi_check c = {.clients = CLIENTS};
  struct hd_axi_asked write = good, read = good;
  write.arvalid = 0, write.awlen = 0, write.wlast = 1;
  read.awvalid = read.wvalid = 0, read.araddr = 0x0fd0, read.arlen = 2;
  assert_null(hd_axi_check(&c, &write, &all_ready));
  assert_null(hd_axi_check(&c, &read, &all_ready)); /* up to 0x0fff */
  read.araddr = 0x1000;
  expect_rule(hd_axi_check(&c, &read, &all_ready), "client 2 reads 0x1000 before the write of client 1 to 0x1000");
  c = (struct hd_axi_check){.clients = CLIENTS};
  const struct hd_axi_told answer = {.arready = 1, .bvalid = 1, .bid = 1};
  assert_null(hd_axi_check(&c, &write, &all_ready));
  assert_null(hd_axi_check(&c, &idle, &answer));
  assert_null(hd_axi_check(&c, &read, &all_ready));
}

/* Through the memory: the rule comes with its cycle; regions are of one client each. */
static void test_memory_tells(void **state) {
  (void)state;
  struct rig r = make(&quick, 1);
  for (unsigned k = 0; k < 7; k++) cycle(&r);
  r.a = good;
  r.a.awaddr = 1;
  hd_axi_mem_drive(r.m, &r.t);
  expect_rule(hd_axi_mem_follow(r.m, &r.a), "AXI4, cycle 7: awaddr 0x1 is not a multiple of 16");
  hd_axi_mem_free(r.m);
  r = make(&quick, 1);
  assert_true(hd_axi_mem_allow(r.m, 1, 0x4000, 64) && hd_axi_mem_allow(r.m, 2, 0x8000, 64));
  offer_read(&r, 1, 0x4000, 4);
  r.a.arvalid = 1, r.a.arid = 1, r.a.araddr = 0x8000, r.a.arsize = 4, r.a.arburst = 1;
  hd_axi_mem_drive(r.m, &r.t);
  expect_rule(hd_axi_mem_follow(r.m, &r.a), "client 1 reads 1 beats at 0x8000, not a region of it");
  hd_axi_mem_free(r.m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_pages),
                                     cmocka_unit_test(test_garbage),
                                     cmocka_unit_test(test_write_and_read),
                                     cmocka_unit_test(test_strobes),
                                     cmocka_unit_test(test_write_is_late),
                                     cmocka_unit_test(test_read_is_early),
                                     cmocka_unit_test(test_order),
                                     cmocka_unit_test(test_seed),
                                     cmocka_unit_test(test_spoilt),
                                     cmocka_unit_test(test_error_rate),
                                     cmocka_unit_test(test_beats_of_an_error),
                                     cmocka_unit_test(test_together),
                                     cmocka_unit_test(test_hold),
                                     cmocka_unit_test(test_reset),
                                     cmocka_unit_test(test_good),
                                     cmocka_unit_test(test_bad_address),
                                     cmocka_unit_test(test_not_stable),
                                     cmocka_unit_test(test_not_ready),
                                     cmocka_unit_test(test_last_beat),
                                     cmocka_unit_test(test_read_before_answer),
                                     cmocka_unit_test(test_memory_tells)};
  return cmocka_run_group_tests_name("axi_mem", tests, NULL, NULL);
}
