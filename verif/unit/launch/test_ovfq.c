/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Lists of overflowed groups: writing of pointers, addresses of lists, errors, rate. Suspended kernels with lists:
 * test_ovfq_suspend.c. Reading of a list: test_ovfq_walk.c. */
#include "unit/launch/ovfq_fixture.h"

TEST_F(test_empty_after_reset) {
  cycle();
  assert_int_equal(out.room, 1);
  assert_int_equal(out.over.valid || out.mem.valid || out.mem.wbeat.strb || out.fetch, 0);
  assert_int_equal(out.write_fail.valid || out.fetch_fail.valid || out.taken.count, 0);
  for (unsigned k = 0; k < cfg.num_kde; k++) {
    assert_int_equal(out.there[k] || out.one[k] || out.unanswered[k], 0);
    assert_int_equal(arch()->list[k], k);
  }
}

/* Put in t: write requested in t + 2, its beat in t + 3, unanswered from t + 1 on. */
TEST_F(test_write_latency) {
  put(1, true, 3); /* t */
  assert_int_equal(out.there[1] || out.unanswered[1] || out.mem.valid, 0);
  cycle();
  assert_int_equal(out.there[1] && out.one[1] && out.unanswered[1] && !out.mem.valid, 1);
  cycle();
  assert_int_equal(out.mem.valid && out.mem.req.write && out.mem.req.len == 0, 1);
  assert_true(out.mem.req.addr == place(1, 0));
  assert_int_equal(out.mem.wbeat.strb, 0);
  cycle();
  assert_int_equal(out.mem.valid || out.mem.req.write || out.mem.req.addr, 0);
  assert_int_equal(out.mem.wbeat.strb, 0xf);
  assert_true(out.mem.wbeat.lo == 0x80000003 && out.mem.wbeat.hi == 0);
  cycle();
  assert_int_equal(in.mem.b_valid && out.unanswered[1] && !out.mem.wbeat.strb, 1);
  cycle();
  assert_int_equal(out.unanswered[1], 0);
  assert_int_equal(out.there[1] && out.one[1], 1);
}

/* Each pointer has its four bytes, and no other byte is written; kernels do not overlap. */
TEST_F(test_places) {
  for (unsigned n = 0; n < 70; n++) put(n % 2, n % 3 == 0, n % 4);
  settle();
  for (unsigned n = 0; n < 70; n++) assert_int_equal(stored(n % 2, n / 2), (uint32_t)(n % 3 == 0) << 31 | n % 4);
  assert_int_equal(count_bursts(0, 'w'), 70);
  for (unsigned n = 2; n < cfg.num_list; n++) assert_int_equal(stored(n, 0), 0xffffffff);
  for (unsigned n = 0; n < cfg.num_list; n++) assert_int_equal(stored(n, 35), 0xffffffff);
}

/* Addresses wrap at their end. */
TEST_F(test_address_wraps) {
  in.regs_config.list_base = UINT32_MAX;
  put(1, false, 0);
  for (unsigned t = 0; t < 4 && !out.mem.valid; t++) cycle();
  assert_true(out.mem.valid && out.mem.req.addr == 0);
}

/* Rings for the largest number of groups, from 64 places to all. */
TEST_F(test_masks) {
  static const struct {
    uint32_t records, mask;
  } tiny[] = {{0, 63}, {60, 63}, {61, 127}, {124, 127}, {125, 127}, {UINT32_MAX, 127}},
    k20c[] = {{0, 1023}, {1, 2047}, {1024, 2047}, {1025, 4095}, {(1 << 17) - 1024, (1 << 17) - 1}, {1 << 20, 131071}};
  assert_int_equal(m->mask, 127);
  for (unsigned k = 0; k < 6; k++) {
    in.regs_config.rec_count = tiny[k].records;
    cycle();
    assert_int_equal(arch()->mask, tiny[k].mask);
  }
  free(m);
  start_with(ut_cfg("k20c"), 0);
  for (unsigned k = 0; k < 6; k++) {
    in.regs_config.rec_count = k20c[k].records;
    cycle();
    assert_int_equal(arch()->mask, k20c[k].mask);
  }
}

/* Lists wrap in rings of 64 places, and places at 2^ListPosW; so do the rows of all queues. */
TEST_F(test_rings_wrap) {
  free(m);
  start_with(small(), 60);
  current(0);
  settle();
  unsigned writes = 0;
  for (unsigned n = 0, from = 0; n < 60; n++) {
    for (unsigned j = 0; j < 1 + n % 7; j++) put(0, j == 3, (n * 5 + j) % (j == 3 ? 4 : 60));
    drain(0);
    settle();
    for (unsigned k = from; k < bursts; k++)
      if (burst[k % BURSTS].write) assert_true(burst[k % BURSTS].addr == (place(0, writes++) & ~UINT64_C(15)));
    from = bursts;
  }
  assert_int_equal(writes, list[0].n);
  assert_int_equal(arch()->first[0], writes % 128);
  assert_int_equal(arch()->w_first, writes % 8);
  assert_int_equal(arch()->wait_first, writes % cfg.ovfq_flight);
  assert_int_equal(arch()->row_out, writes % cfg.ovfq_rows);
}

/* Three more may arrive after the queue last showed room; then it is full. */
TEST_F(test_room) {
  stall_requests = true;
  for (unsigned t = 0; t < 20; t++) {
    if (room[1]) offer(0, false, t);
    cycle();
    assert_int_equal(out.room, arch()->w_count <= 5 || (t < 6 && out.room));
  }
  assert_int_equal(arch()->w_count, 8);
  for (unsigned n = 0; n < 8; n++) assert_int_equal(arch()->write_row_valid[n] && arch()->write_row[n].pos == n, 1);
  stall_requests = false;
  current(0);
  drain(0);
}

/* A request stays until it is accepted, and so does a beat. */
TEST_F(test_back_pressure) {
  stall_requests = stall_beats = true;
  put(0, false, 9);
  idle(2);
  for (unsigned t = 0; t < 10; t++, cycle())
    assert_true(out.mem.valid && out.mem.req.write && out.mem.req.addr == place(0, 0));
  stall_requests = false;
  idle(2);
  for (unsigned t = 0; t < 10; t++, cycle())
    assert_true(!out.mem.valid && out.mem.wbeat.strb == 0xf && out.mem.wbeat.lo == 9);
  stall_beats = false;
  settle();
  stall_requests = true;
  current(0);
  for (unsigned t = 0; t < 10 && !out.mem.valid; t++) cycle();
  uint64_t addr = out.mem.req.addr;
  for (unsigned t = 0; t < 10; t++, cycle())
    assert_true(out.mem.valid && !out.mem.req.write && out.mem.req.addr == addr);
  stall_requests = false;
  drain(0);
}

/* Writes wait for answers when the limit of writes in flight is reached. */
TEST_F(test_writes_under_way) {
  port.latency = 300;
  put_records(0, 0, cfg.ovfq_flight + 6);
  idle(30);
  assert_int_equal(arch()->w_flight, cfg.ovfq_flight);
  assert_int_equal(arch()->w_count, 6);
  assert_int_equal(arch()->unans[0], cfg.ovfq_flight + 6);
  for (unsigned k = 0; k < cfg.ovfq_flight; k++) assert_int_equal(arch()->wait_row_valid[k], 1);
  settle();
  assert_int_equal(out.unanswered[0], 0);
}

/* Reads and writes alternate while both are pending. */
TEST_F(test_turns) {
  put_records(0, 0, 20);
  settle();
  current(0);
  for (unsigned t = 0; t < 10 && !out.mem.valid; t++) cycle();
  stall_requests = true;
  idle(1);
  for (unsigned n = 0; n < 5; n++) put(1, false, n);
  stall_requests = false;
  unsigned from = bursts;
  idle(16);
  for (unsigned k = from + 1; k < from + 6; k++) assert_int_equal(burst[k].write, !burst[k - 1].write);
  drain(0);
}

/* ---- Errors ---- */

/* The kernel of a pointer that could not be written fails in the next cycle, and no other. */
TEST_F(test_write_error) {
  put_records(0, 1, 2);
  put_records(1, 5, 2);
  while (!m->w_flight || m->wait_row[m->wait_first] != 0) cycle();
  fail_write = true;
  while (fail_write) cycle();
  assert_int_equal(in.mem.b_error && !out.write_fail.valid, 1);
  cycle();
  assert_int_equal(out.write_fail.valid && out.write_fail.kdei == 0, 1);
  cycle();
  assert_int_equal(out.write_fail.valid || out.there[0], 0);
  settle();
  assert_int_equal(write_fails, 1);
  current(1);
  drain(1);
  put_records(0, 20, 3);
  current(0);
  drain(0);
}

/* So does the kernel whose list is read, if a beat of the list or of a record is an error. */
TEST_F(test_read_error) {
  for (unsigned straight = 0; straight < 2; straight++)
    for (int beat = 0; beat < (straight ? 3 : 2); beat++) {
      put_records(1, 50, 2);
      if (straight) current(0);
      settle();
      fetch_fails = 0;
      put_records(0, 10, straight ? 1 : 8);
      if (!straight) settle();
      fail_beat = beat;
      current(0);
      for (unsigned t = 0; t < 100 && !fetch_fails; t++) cycle();
      assert_int_equal(out.fetch_fail.valid && out.fetch_fail.kdei == 0, 1);
      settle();
      assert_int_equal(fetch_fails, 1);
      assert_int_equal(out.there[0] || arch()->error, 0);
      put_records(0, 30, 3);
      drain(0);
      current(1);
      drain(1);
      no_current();
      idle(1);
    }
}

/* The fail event comes in the cycle after the last beat, also if the error was before. */
TEST_F(test_record_without_tbs) {
  current(0);
  settle();
  write_record(7, 0);
  put(0, false, 7);
  while (!in.mem.r_valid || !in.mem.r.last) cycle();
  assert_int_equal(out.fetch_fail.valid, 0);
  cycle();
  assert_int_equal(out.fetch_fail.valid && out.fetch_fail.kdei == 0 && out.there[0], 1);
  assert_int_equal(arch()->run, 0);
  cycle();
  assert_int_equal(out.fetch_fail.valid || out.there[0] || out.over.valid, 0);
}

/* An error of a read of a finished walk fails no kernel. */
TEST_F(test_error_of_a_dropped_read) {
  port.latency = 20;
  put_records(0, 1, 6);
  settle();
  for (int beat = 0; beat < 2; beat++) {
    current(0);
    while (!m->r_flight) cycle();
    fail_beat = beat;
    no_current();
    settle();
    assert_int_equal(fail_beat, -1);
    assert_int_equal(fetch_fails || arch()->error, 0);
  }
  current(0);
  drain(0);
}

/* Reset in mid-burst leaves the state of a new model, byte for byte. */
TEST_F(test_reset) {
  struct hd_ovfq *fresh = ut_new(hd_ovfq_size(&cfg));
  hd_ovfq_init(fresh, &cfg);
  port.latency = 30;
  put_records(0, 0, 30);
  settle();
  take(0);
  cycle();
  put_records(1, 0, 12);
  current(1);
  idle(60);
  assert_int_equal(m->r_flight && m->run, 1);
  assert_memory_not_equal(m, fresh, hd_ovfq_size(&cfg));
  hd_ovfq_reset(m);
  assert_memory_equal(m, fresh, hd_ovfq_size(&cfg));
  free(fresh);
}

/* ---- Rates ---- */

enum { WAITING = 300, GROUPS = 2000 };

static uint32_t number;

/* Puts one if there may be more than `most` then; the numbers of all waiting groups differ. */
static void feed(unsigned most) {
  if (room[1] && list[0].n - list[0].first < most) offer(0, false, number++ % 1000);
}

static unsigned hand_out(unsigned groups, unsigned waiting, bool feeds, unsigned every) {
  unsigned from = seen, start = now;
  while (seen - from < groups) {
    if (feeds && now % every == 0) feed(900);
    keen = list[0].n - list[0].next > waiting;
    cycle();
    if (now - start > 100 * groups) fail_msg("groups come too slowly");
  }
  return now - start;
}

static void begin_rate(unsigned latency, unsigned waiting) {
  number = 0;
  start_with(ut_cfg("k20c"), 1000);
  port.latency = latency;
  while (list[0].n < waiting) put(0, false, number++ % 1000);
  current(0);
  keen = false;
  idle(3 * latency + 200);
}

/* A long list; a list that stays long while groups arrive and leave; groups that arrive every 8 cycles and leave at
   once. */
TEST(test_rate) {
  static const unsigned latencies[] = {1, 40, 120, 400};
  for (unsigned k = 0; k < 4; k++) {
    begin_rate(latencies[k], 900);
    hand_out(100, 0, false, 1); /* those that were fetched ahead */
    unsigned drained = hand_out(600, 0, false, 1);
    free(m);
    begin_rate(latencies[k], WAITING);
    hand_out(500, WAITING, true, 1);
    unsigned both = hand_out(GROUPS, WAITING, true, 1);
    free(m);
    begin_rate(latencies[k], 0);
    hand_out(200, 0, true, 8);
    unsigned straight = hand_out(GROUPS, 0, true, 8);
    assert_true(list[0].n - list[0].first <= latencies[k] / 8 + 6); /* no group waits longer than necessary */
    free(m);
    print_message("latency %3u: %.2f cycles for a group of a long list, %.2f while others come, %.2f straight away\n",
                  latencies[k], drained / 600.0, (double)both / GROUPS, (double)straight / GROUPS);
    assert_true(drained <= 8 * 600 && both <= 8 * GROUPS && straight <= 8 * GROUPS + 8);
  }
}

TEST_MAIN("ovfq", NULL, NULL)
