/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Groups that overflow to memory and return: cycles, order, lines, destination. */
#include "unit/dispatch/spill_fixture.h"

/* Waits until all groups that were put are in memory, and readable. */
static void written(void) {
  for (unsigned t = 0; t < 600 && (m->puts || m->memring.writes); t++) cycle();
  assert_int_equal(m->puts || m->memring.writes, 0);
}

/* Requests groups of this bank once. */
static void request_once(unsigned bank) {
  open_bank(bank, true);
  do cycle();
  while (!out.reserve[bank]);
  close_all();
}

/* Put in t, requested to be written in t + 4. Requested in t: places are reserved in t, the read is requested in t + 3,
 * and the places for which there is no group are given up then. The last beat in t, offered in t + 1. */
TEST_F(test_latencies) {
  close_all();
  const unsigned put_at = now;
  put_now(1, 3, 7);
  idle(20);
  assert_int_equal(writes, 1);
  assert_int_equal(write_at, put_at + 4);
  assert_int_equal(reads, 0);
  assert_int_equal(arch()->puts, 0);
  open_bank(1, true);
  const unsigned requested_at = now;
  expect(1, 3, 7);
  assert_int_equal(reads, 1);
  assert_int_equal(reserved_at, requested_at);
  assert_int_equal(read[0].at, requested_at + 3);
  assert_int_equal(released_at, requested_at + 3);
  assert_int_equal(release, 1);
  assert_int_equal(back_at, last_beat_at + 1);
  idle(2);
  expect_quiet();
}

/* The record in memory has the documented format. */
TEST_F(test_record) {
  const struct hd_info g = group_of(9, 2);
  const uint8_t *at = bytes + 32 * 16; /* queue 1, rings of 16 */
  close_all();
  put_now(0, 2, 9);
  idle(20);
  assert_int_equal(hd_memory_get(at, 4), g.ctas);
  assert_int_equal(hd_memory_get(at + 4, 2), g.grid_x);
  assert_int_equal(hd_memory_get(at + 6, 2), g.grid_y);
  assert_true(hd_memory_get(at + 8, 8) == g.grid_z);
  assert_true(hd_memory_get(at + 16, 8) == g.param);
  assert_true(hd_memory_get(at + 24, 8) == kernel_of(9));
  assert_int_equal(kernel_of(9), 1);
}

/* Bits beyond a field are not returned. */
TEST_F(test_beyond_the_fields) {
  uint8_t *at = bytes + 32 * 16 * 3;
  close_all();
  put_now(0, 4, 11);
  idle(20);
  memset(at + 9, 0xff, 7);
  hd_memory_put(at + 16, 8, group_of(11, 4).param | ~(UINT64_MAX >> (64 - cfg.param_units_w)));
  hd_memory_put(at + 24, 8, kernel_of(11) | ~(UINT64_MAX >> (64 - cfg.kde_w)));
  open_bank(0, true);
  expect(0, 4, 11);
}

/* A queue is first in, first out, also with puts to others in between. */
TEST_F(test_order) {
  close_all();
  for (unsigned n = 0; n < 10; n++) put(n % 2, 2, n);
  idle(20);
  open_bank(1, true);
  for (unsigned n = 1; n < 10; n += 2) expect(1, 2, n);
  expect_nothing();
  open_bank(0, true);
  for (unsigned n = 0; n < 10; n += 2) expect(0, 2, n);
}

/* For each bank the highest level goes first, and in it the oldest. */
TEST_F(test_highest_level) {
  close_all();
  for (unsigned n = 0; n < 8; n++) put(0, 1 + n % 4, n);
  idle(20);
  open_bank(0, true);
  for (unsigned level = 4; level > 0; level--) {
    expect(0, level, level - 1);
    expect(0, level, level + 3);
  }
  assert_int_equal(reads, 4);
}

/* A higher level that is still being written to memory is not waited for. */
TEST_F(test_not_waited_for) {
  close_all();
  put(0, 1, 1);
  idle(20);
  port.latency = 40;
  put(0, 4, 2);
  idle(10);
  assert_int_equal(writes, 2);
  open_bank(0, true);
  expect(0, 1, 1);
  expect(0, 4, 2);
}

/* The banks are served round robin, from the last request on. */
TEST_F(test_turns) {
  start_as(ut_cfg_with("tiny", "NumSmx", 4));
  close_all();
  for (unsigned n = 0; n < 12; n++) put(n / 3, 1 + n % 3, n);
  idle(20);
  request_once(2);
  assert_int_equal(arch()->bank_ptr, 3);
  expect(2, 3, 8);
  open_all();
  expect(3, 3, 11);
  expect(0, 3, 2);
  expect(1, 3, 5);
  expect(2, 2, 7);
  expect(3, 2, 10);
}

/* A request reads up to a line of four, of the groups that are written, and gives up the other places. */
TEST(test_lines) {
  for (unsigned offset = 0; offset < 4; offset++)
    for (unsigned n = 1; n <= 6; n++) {
      start_as(ut_cfg("k20c"));
      for (unsigned k = 0; k < offset; k++) put(3, 1, k), expect(3, 1, k);
      close_all();
      for (unsigned k = 0; k < n; k++) put(3, 1, 100 + k);
      written();
      reads = 0;
      for (unsigned at = 0; at < n; at += read[reads - 1].groups) {
        const unsigned line = 4 - (offset + at) % 4, want = line < n - at ? line : n - at;
        released_at = 0;
        request_once(3);
        assert_int_equal(arch()->out[3 * 4], 4);
        assert_int_equal(arch()->outs, 4);
        idle(3);
        assert_int_equal(released_at, want < 4 ? reserved_at + 3 : 0);
        if (want < 4) assert_int_equal(release, 4 - want);
        assert_int_equal(arch()->out[3 * 4], want);
        assert_int_equal(arch()->outs, want);
        for (unsigned k = 0; k < want; k++) expect(3, 1, 100 + at + k);
        assert_int_equal(read[reads - 1].groups, want);
      }
      idle(2);
      expect_quiet();
    }
  free(m);
  m = NULL;
}

/* Several reads are under way, of one bank or of several: SpillFlight groups in total. */
static void under_way(unsigned banks) {
  start_as(ut_cfg("k20c"));
  close_all();
  const unsigned most = cfg.spill_flight / 4;
  for (unsigned n = 0; n < (4 * most + 8) * banks; n++) put(n % banks, 2, n);
  written();
  port.latency = 100;
  open_all();
  idle(90);
  assert_int_equal(reads, most);
  for (unsigned k = 0; k < most; k++) assert_int_equal(read[k].groups, 4);
  for (unsigned k = 1; k < most; k++) assert_int_equal(read[k].at, read[0].at + 4 * k);
  assert_int_equal(arch()->outs, cfg.spill_flight);
  for (unsigned k = 0; k < most; k++)
    for (unsigned g = 0; g < 4; g++) expect(k % banks, 2, banks * (4 * (k / banks) + g) + k % banks);
}

TEST(test_reads_under_way) {
  under_way(1);
  under_way(2);
  under_way(4);
  free(m);
  m = NULL;
}

/* The groups that wait for their bank count, and the places that a request has not given up yet. */
TEST_F(test_flight) {
  start_as(ut_cfg("k20c"));
  in.laperm_back_ready = 0;
  close_all();
  const unsigned most = cfg.spill_flight - 3; /* a request reserves four places, and gives three up */
  for (unsigned n = 0; n < 52; n++) put(n % 13, 1 + n / 13, n);
  written();
  open_all();
  idle(300);
  assert_int_equal(reads, most);
  assert_int_equal(arch()->backs, most);
  assert_int_equal(arch()->outs, most);
  in.laperm_back_ready = 1;
  cycle();
  in.laperm_back_ready = 0;
  idle(50);
  assert_int_equal(reads, most + 1);
  in.laperm_back_ready = 1;
  for (unsigned n = 0; n < 13; n++) expect(n, 4, 39 + n);
  for (unsigned n = 0; n < 13; n++) expect(n, 3, 26 + n);
  for (unsigned n = 0; n < 13; n++) expect(n, 2, 13 + n);
  for (unsigned n = 0; n < 13; n++) expect(n, 1, n);
  idle(2);
  expect_quiet();
}

/* .. up to SpillFlight groups, no more. */
TEST_F(test_flight_is_full) {
  start_as(ut_cfg("k20c"));
  in.laperm_back_ready = 0;
  close_all();
  const unsigned most = cfg.spill_flight;
  for (unsigned n = 0; n < most + 8; n++) put(7, 3, n);
  written();
  open_all();
  idle(200);
  assert_int_equal(reads, most / 4);
  assert_int_equal(arch()->backs, most);
  assert_int_equal(arch()->out[7 * 4 + 2], most);
  in.laperm_back_ready = 1;
  for (unsigned n = 0; n < most + 8; n++) expect(7, 3, n);
}

/* No request is made while the bank has no places; a requested group is delivered even if none are reported. */
TEST_F(test_place) {
  close_all();
  open_bank(1, true);
  put(0, 2, 1);
  expect_nothing();
  assert_int_equal(reads, 0);
  open_bank(0, true);
  cycle();
  close_all();
  assert_int_equal(out.reserve[0], 1);
  expect(0, 2, 1);
}

/* Nothing is reserved while a request is not accepted. */
TEST_F(test_reserve_with_the_request) {
  close_all();
  put(0, 2, 1);
  written();
  put(0, 2, 2);
  while (m->memring.op == HD_MEMRING_IDLE) cycle();
  open_all();
  while (m->memring.op != HD_MEMRING_IDLE) {
    cycle();
    assert_int_equal(out.reserve[0] || out.reserve[1], 0);
  }
  expect(0, 2, 1);
  expect(0, 2, 2);
}

/* A returned group waits for its bank unchanged, with others behind it; the rings wrap. */
TEST_F(test_back_waits) {
  start_as(ut_cfg_with("tiny", "SpillFlight", 5));
  for (unsigned n = 0; n < 20; n += 2) {
    in.laperm_back_ready = 0;
    put(0, 1, n);
    idle(30);
    put(1, 2, n + 1);
    idle(30);
    assert_int_equal(arch()->backs, 2);
    assert_int_equal(arch()->first_back, n % 5);
    for (unsigned row = 0; row < 5; row++)
      assert_int_equal(arch()->back_row_valid[row], row == n % 5 || row == (n + 1) % 5);
    assert_int_equal(out.back.info.ctas - 0xf0000000, n);
    in.laperm_back_ready = 1;
    expect(0, 1, n);
    expect(1, 2, n + 1);
  }
}

enum { WAITING = 280, MEASURED = 1000 };

/* Returns the cycles for one group in and one out, while WAITING groups are in memory and not requested. */
static double cycles_with_backlog(unsigned latency, unsigned banks) {
  unsigned n = 0, from = 0;
  start_as(ut_cfg("k20c"));
  in.regs_config.spill_count = cfg.ring_queues << 9;
  port.latency = latency;
  idle(2);
  close_all();
  for (; n < WAITING; n++) put(n % banks, 1, n);
  written();
  while (gots < 200 + MEASURED) {
    unsigned here = n - gots;
    for (unsigned b = 0; b < cfg.num_bank; b++) here -= (unsigned)kept[b];
    if (gots < 200) from = now;
    memset(in.laperm_place, here > WAITING, cfg.num_bank);
    in.laperm_put.valid = 0;
    if (here < WAITING + 4 && room(n % banks, 1) && hd_spill_rows(m)) offer(n % banks, 1, n), n++;
    cycle();
  }
  assert_in_range(n - WAITING, gots - 10, gots + 50); /* as many in */
  return (double)(now - from) / MEASURED;
}

/* Four puts of 6 cycles and a request of 4 for four groups, and 2 in which answers are counted; at any latency that
 * SpillFlight covers, of one bank or all. */
TEST(test_rate_with_backlog) {
  static const unsigned banks[] = {1, 6, 13};
  for (unsigned k = 0; k < 3; k++)
    for (unsigned latency = 1; latency <= 301; latency += 30) {
      const double n = cycles_with_backlog(latency, banks[k]);
      assert_true(n >= 7.4 && n <= 7.7);
    }
  free(m);
  m = NULL;
}

/* Puts as many groups of the banks as there is room for; returns the cycles for one in and one out. */
static double cycles_per_group(unsigned latency, unsigned banks, unsigned levels) {
  unsigned puts = 0, gone = 0, n = 0;
  start_as(ut_cfg("k20c"));
  in.regs_config.spill_count = cfg.ring_queues << 9;
  port.latency = latency;
  idle(2);
  for (unsigned t = 0; t < 3000; t++) {
    const unsigned bank = n % banks, level = 1 + n / banks % levels;
    if (t == 1000) puts = n, gone = gots;
    in.laperm_put.valid = 0;
    if (room(bank, level) && hd_spill_rows(m)) offer(bank, level, n++);
    cycle();
  }
  puts = n - puts;
  gone = gots - gone;
  return 2000.0 / (puts < gone ? puts : gone);
}

/* Without a backlog each request finds one group: a put and a request alternate, 6 and 4 cycles, and up to two in which
 * an answer is counted. */
TEST(test_rate_without_backlog) {
  for (unsigned latency = 1; latency <= 301; latency += 60) {
    assert_true(cycles_per_group(latency, 1, 1) <= 12.1);
    assert_true(cycles_per_group(latency, 13, 4) <= 12.1);
  }
  free(m);
  m = NULL;
}

/* Groups that only return: a line of four takes as long as its beats. */
TEST(test_rate_of_returns) {
  for (unsigned latency = 1; latency <= 17; latency += 8) {
    start_as(ut_cfg("k20c"));
    in.regs_config.spill_count = cfg.ring_queues << 9;
    idle(2);
    close_all();
    for (unsigned n = 0; n < WAITING; n++) put(2, 2, n);
    written();
    port.latency = latency;
    open_all();
    const unsigned from = now;
    for (unsigned n = 0; n < WAITING; n++) expect(2, 2, n);
    assert_in_range(now - from, 2 * WAITING, 2 * WAITING + 30 + latency);
  }
  free(m);
  m = NULL;
}

TEST_MAIN("spill", NULL, NULL)
