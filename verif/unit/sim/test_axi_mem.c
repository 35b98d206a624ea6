/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The memory behind the plane's port: bytes, latency, order, errors. */
#include "unit/sim/axi_fixture.h"

/* ---- bytes ---- */

/* Bytes of any length at any address are read back, across pages. */
TEST(test_pages) {
  struct fixture r = make(&quick, 1);
  uint8_t out[10000], in[10000];
  for (unsigned i = 0; i < sizeof out; i++) out[i] = (uint8_t)(i * 7);
  for (uint64_t at = 0xff00000123; at < 0xff00000123 + 100 * 0x10000; at += 0x10000) {
    assert_true(hd_axi_mem_write(r.m, at, out, sizeof out));
    assert_true(hd_axi_mem_read(r.m, at, in, sizeof in));
    assert_memory_equal(in, out, sizeof in);
  }
  hd_axi_mem_free(r.m);
}

/* Unwritten memory is not 0, and is the same in each run. */
TEST(test_garbage) {
  struct fixture r = make(&quick, 1), s = make(&wild, 2);
  uint64_t x = 0, y = 0;
  assert_true(hd_axi_mem_read(r.m, 0x5000, &x, 8) && hd_axi_mem_read(s.m, 0x5000, &y, 8));
  assert_true(x == y && x != 0);
  hd_axi_mem_free(r.m);
  hd_axi_mem_free(s.m);
}

/* A burst is in memory when it is answered, and can be read. */
TEST(test_write_and_read) {
  struct fixture r = make(&quick, 1);
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
TEST(test_strobes) {
  struct fixture r = make(&quick, 1);
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
TEST(test_write_is_late) {
  const struct hd_axi_profile slow = {.latency_min = 20, .latency_max = 20, .sink = 256, .source = 256};
  struct fixture r = make(&slow, 1);
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
TEST(test_read_is_early) {
  const struct hd_axi_profile slow = {.latency_min = 5, .latency_max = 5, .sink = 256, .source = 256};
  struct fixture r = make(&slow, 1);
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

/* Reads of all IDs in flight: those of each ID return in order; with reordering some ID overtakes another, without it
   none does. */
static bool overtaken(bool reorder) {
  struct hd_axi_profile p = wild;
  p.reorder = reorder;
  struct fixture r = make(&p, 3);
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

TEST(test_order) {
  assert_true(overtaken(true));
  assert_false(overtaken(false));
}

/* The same seed, the same cycles; another seed, others. */
static uint64_t run_some(uint64_t seed) {
  struct fixture r = make(&wild, seed);
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

TEST(test_seed) {
  assert_int_equal(run_some(5), run_some(5));
  assert_int_not_equal(run_some(5), run_some(6));
}

/* ---- errors ---- */

/* At a chosen place: the answer reports it, and no byte is written. */
TEST(test_spoilt) {
  struct fixture r = make(&quick, 1);
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
TEST(test_error_rate) {
  struct hd_axi_profile p = quick;
  p.errors = 16384;
  struct fixture r = make(&p, 9);
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

/* A read of eight beats fails in all of them or in one; the other beats are OKAY or EXOKAY. */
TEST(test_beats_of_an_error) {
  struct hd_axi_profile p = quick;
  p.errors = 32768;
  p.exokay = 64;
  struct fixture r = make(&p, 9);
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

/* A write and a read that fail are answered in the same cycle, in either order; a single one after some time. */
TEST(test_together) {
  struct hd_axi_profile p = quick;
  p.together = true;
  struct fixture r = make(&p, 9);
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

/* A held channel does not move, and then continues where it was. */
TEST(test_hold) {
  struct fixture r = make(&quick, 1);
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

/* After a reset no answer of an earlier request arrives. */
TEST(test_reset) {
  struct fixture r = make(&wild, 1);
  for (unsigned i = 0; i < 4; i++) offer_read(&r, (uint8_t)i, 0, 8);
  hd_axi_mem_reset(r.m);
  for (unsigned i = 0; i < 300; i++) {
    cycle(&r);
    assert_false(r.t.rvalid);
  }
  hd_axi_mem_free(r.m);
}

TEST_MAIN("axi_mem", NULL, NULL)
