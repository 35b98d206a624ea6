/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Read-ahead of a list of overflowed groups: latency, order, the places that are read, the window and the rows, groups
 * that bypass the list, and changes and failures of the kernel at each point of a walk. */
#include "unit/launch/ovfq_fixture.h"

/* Put in t, behind an empty list that is read to its end: the pointer is examined in t + 1 and t + 2, written in t + 2
 * and t + 3; its record is requested in t + 5, and the group offered two cycles after the last beat. */
TEST_F(test_record_latency) {
  current(0);
  settle();
  put(0, false, 9); /* t */
  idle(4);
  assert_int_equal(out.mem.valid, 0);
  cycle();
  assert_int_equal(out.mem.valid && !out.mem.req.write && out.mem.req.len == 2 && out.fetch, 1);
  assert_true(out.mem.req.addr == (uint64_t)in.regs_config.rec_base * 256 + 64 * 9);
  for (unsigned beat = 0; beat < 3; beat++) {
    cycle();
    assert_int_equal(in.mem.r_valid && in.mem.r.last == (beat == 2) && !out.over.valid && !out.fetch, 1);
  }
  cycle();
  assert_int_equal(out.over.valid, 0);
  cycle();
  assert_int_equal(out.over.valid, 1); /* and taken */
  assert_int_equal(out.over.group.self.index, 9);
  cycle();
  assert_int_equal(out.over.valid || !out.there[0], 0);
  cycle();
  assert_int_equal(out.there[0], 0);
}

/* One with an AGE needs only its place in the list, no record from memory. */
TEST_F(test_age_latency) {
  current(0);
  settle();
  put(0, true, 2); /* t */
  idle(3);
  assert_int_equal(out.over.valid, 0);
  cycle();
  assert_int_equal(out.over.valid && out.over.group.self.onchip && out.over.group.self.index == 2, 1);
  settle();
  assert_int_equal(events, 0);
}

/* It stays until it is taken; the next is offered in the cycle after if it was ready. */
TEST_F(test_offer_stays) {
  keen = false;
  current(0);
  for (unsigned n = 0; n < 3; n++) put(0, n != 1, n);
  settle();
  idle(20);
  for (unsigned t = 0; t < 10; t++, cycle()) assert_int_equal(out.over.valid && out.over.group.self.index == 0, 1);
  keen = true;
  for (unsigned n = 0; n < 3; n++) {
    cycle();
    assert_int_equal(out.over.valid && out.over.group.self.index == n, 1);
  }
  cycle();
  assert_int_equal(out.over.valid, 0);
}

/* Lists of several kernels, each in its own order, records and AGEs mixed. */
TEST_F(test_order) {
  free(m);
  start_with(ut_cfg("k20c"), 100);
  for (unsigned n = 0; n < 120; n++) put(n % 4, n % 5 == 3, n % 5 == 3 ? n * 8 : n % 100);
  for (unsigned k = 4; k-- > 0;) {
    current(k);
    drain(k);
  }
  assert_int_equal(seen, 120);
  assert_int_equal(events, 96);
}

/* No place is read before the answer to its write. The first pointer of a list is known without a read. */
TEST_F(test_unanswered) {
  port.latency = 60;
  put_records(0, 1, 3);
  current(0);
  idle(50);
  assert_int_equal(count_bursts(0, 'l'), 0);
  assert_int_equal(events, 1);
  assert_int_equal(out.unanswered[0], 1);
  drain(0);
  assert_int_equal(count_bursts(0, 'r'), 3);
}

/* From each place of a group of eight on, as many places as there are: one or two beats, and no place twice. The first
 * is known. */
TEST_F(test_places_that_are_read) {
  for (unsigned first = 0; first < 8; first++)
    for (unsigned n = 1; n <= 16; n++) {
      free(m);
      start_with(small(), 100);
      put_records(0, 50, first);
      current(0);
      drain(0);
      no_current();
      put_records(0, 10, n);
      settle();
      unsigned from = bursts;
      current(0);
      drain(0);
      unsigned p = first + 1, b = from;
      while (p < first + n) {
        unsigned take = 8 - p % 8 < first + n - p ? 8 - p % 8 : first + n - p;
        while (burst[b].addr >= BASE + lists_size()) b++; /* records */
        assert_true(burst[b].addr == (place(0, p) & ~UINT64_C(15)));
        assert_int_equal(burst[b++].len, (p % 4 + take - 1) / 4);
        p += take;
      }
      assert_int_equal(count_bursts(b, 'l'), 0);
    }
}

/* As many records are fetched as there are rows, and pointers as there are in the window; then each when there is
 * room. */
TEST_F(test_window) {
  put_records(0, 0, 90);
  settle();
  keen = false;
  current(0);
  idle(300);
  assert_int_equal(arch()->used, cfg.ovfq_rows);
  assert_int_equal(count_bursts(0, 'r'), cfg.ovfq_rows);
  assert_int_equal(count_bursts(0, 'l'), cfg.ovfq_window / 8);
  assert_int_equal(arch()->asked, cfg.ovfq_window);
  keen = true;
  drain(0);
  assert_int_equal(count_bursts(0, 'r'), 90);
  assert_int_equal(count_bursts(0, 'l'), 12);
}

/* Groups that arrive while a list is read wait for their turn; after its end they bypass the list to the reader. */
TEST_F(test_straight_away) {
  current(0);
  settle();
  keen = false;
  put_records(0, 0, 12);
  settle();
  assert_int_equal(count_bursts(0, 'l'), 0);
  put_records(0, 12, 30);
  settle();
  assert_int_equal(arch()->asked, cfg.ovfq_rows + cfg.ovfq_window); /* no more fit */
  keen = true;
  drain(0);
  assert_true(count_bursts(0, 'l') > 0);
  unsigned from = bursts;
  put_records(0, 50, 10);
  drain(0);
  assert_int_equal(count_bursts(from, 'l'), 0);
}

/* With and without groups that are handed out late, at any latency. */
TEST_F(test_mixed) {
  static const unsigned latencies[] = {1, 7, 60};
  uint64_t seed = 5;
  for (unsigned k = 0; k < 3; k++) {
    port.latency = latencies[k];
    current(0);
    for (unsigned t = 0; t < 4000; t++) {
      if (room[1] && ut_below(&seed, 6) == 0 && list[0].n - list[0].first < 100)
        offer(0, ut_below(&seed, 4) == 0, ut_below(&seed, 4));
      keen = ut_below(&seed, 200) ? keen : !keen;
      lazy = ut_below(&seed, 100) ? lazy : !lazy && keen;
      cycle();
    }
    keen = true;
    lazy = false;
    drain(0);
  }
  assert_true(seen > 500);
}

/* Two lists with groups of both kinds; the first is walked for this many cycles before an event. */
static void walk_for(unsigned cycles) {
  for (unsigned n = 0; n < 10; n++) put(0, n == 3, n);
  for (unsigned n = 0; n < 4; n++) put(1, n == 1, 20 + n % 4);
  settle();
  current(0);
  idle(cycles);
}

/* The SSCR changes at each point of a walk, and returns: no group is lost or handed out twice. */
TEST_F(test_change_at_each_point) {
  static const unsigned latencies[] = {1, 12}, away[] = {1, 2, 9, 50};
  for (unsigned k = 0; k < 2; k++)
    for (unsigned cycles = 0; cycles < 60; cycles++) {
      port.latency = latencies[k];
      walk_for(cycles);
      if (cycles % 3)
        no_current();
      else
        current(1);
      idle(away[cycles % 4]);
      assert_int_equal(hd_ovfq_over_valid(m) && hd_ovfq_over_kdei(m) == 0, 0);
      current(0);
      drain(0);
      current(1);
      drain(1);
      no_current();
      idle(1);
    }
  assert_int_equal(seen, 2 * 60 * 14);
}

/* Groups that were taken and not handed out are offered again. */
TEST_F(test_popped_comes_again) {
  lazy = true;
  walk_for(60);
  assert_true(list[0].next >= 4);
  assert_int_equal(list[0].first, 0);
  no_current();
  cycle();
  assert_int_equal(list[0].next, 0);
  lazy = false;
  current(0);
  drain(0);
  assert_int_equal(seen, 10);
}

/* The kernel fails at each point: its list is empty, and reads in flight are dropped. */
TEST_F(test_fail_at_each_point) {
  static const unsigned latencies[] = {1, 12};
  for (unsigned k = 0; k < 2; k++)
    for (unsigned cycles = 0; cycles < 60; cycles++) {
      port.latency = latencies[k];
      walk_for(cycles);
      in.fails[0].valid = 1;
      cycle();
      cycle();
      assert_int_equal(out.there[0] || out.over.valid, 0);
      put_records(0, 40, 1 + cycles % 9);
      drain(0);
      current(1);
      drain(1);
      no_current();
      idle(1);
    }
  assert_int_equal(write_fails || fetch_fails, 0);
}

/* A kernel other than that which is read. */
TEST_F(test_another_fails) {
  walk_for(20);
  in.fails[1].valid = in.fails[1].kdei = 1;
  cycle();
  assert_int_equal(arch()->run && !arch()->count[1], 1);
  drain(0);
  assert_int_equal(seen, 10);
}

/* A new walk begins when the last read of the previous one has arrived. */
TEST_F(test_begin_waits) {
  port.latency = 50;
  walk_for(6);
  assert_int_equal(m->r_flight > 0, 1);
  current(1);
  while (m->r_flight) {
    cycle();
    assert_int_equal(arch()->run, 0);
  }
  cycle();
  assert_int_equal(arch()->run, 1);
  drain(1);
}

/* PrefetchDepth 0: a record is read when the SSCR waits for it, and not earlier. */
TEST_F(test_on_demand) {
  free(m);
  start_with(ut_cfg_with("tiny", "PrefetchDepth", 0), 100);
  assert_int_equal(cfg.ovfq_rows, 2);
  keen = false;
  put_records(0, 1, 2);
  put(0, true, 1);
  put_records(0, 3, 2);
  current(0);
  idle(100);
  assert_int_equal(events, 0);
  in.sched_events.waiting = 1;
  idle(100);
  assert_int_equal(events, 1);
  assert_int_equal(out.over.valid && out.over.group.self.index == 1, 1);
  in.sched_events.waiting = 0;
  keen = true;
  idle(100);
  assert_int_equal(events == 1 && !out.over.valid, 1);
  in.sched_events.waiting = 1;
  drain(0);
  assert_int_equal(events, 4);
}

/* One record ahead is two rows: the one that is offered, and the next. */
TEST_F(test_depths) {
  static const unsigned depths[][3] = {{0, 2, 16}, {1, 2, 16}, {2, 2, 16}, {8, 8, 16}, {9, 9, 32}, {56, 56, 64}};
  for (unsigned k = 0; k < 6; k++) {
    free(m);
    start_with(ut_cfg_with("tiny", "PrefetchDepth", depths[k][0]), 100);
    assert_int_equal(cfg.ovfq_rows, depths[k][1]);
    assert_int_equal(cfg.ovfq_window, depths[k][2]);
    in.sched_events.waiting = 1;
    keen = false;
    put_records(0, 0, 100);
    current(0);
    idle(600);
    assert_int_equal(arch()->used, depths[k][0] ? depths[k][1] : 1);
    keen = true;
    drain(0);
  }
}

/* Valid rows of the tables. */
TEST_F(test_rows) {
  keen = false;
  current(0);
  settle();
  for (unsigned n = 0; n < 8; n++) put(0, n == 1, n);
  settle();
  struct hd_ovfq_arch *a = arch();
  assert_int_equal(a->fetch_pos == 4 && a->here == 8 && a->asked == 8 && a->at == 0, 1);
  for (unsigned row = 0; row < 4; row++) {
    assert_int_equal(a->self_row_valid[row] && a->self_row[row].index == row && a->done[row], 1);
    assert_int_equal(a->info_row_valid[row], row != 1);
  }
  assert_int_equal(a->info_row[2].ctas, 3);
  for (unsigned lane = 0; lane < 4; lane++) {
    assert_int_equal(a->ptr_row_valid[4 * lane + 1] && a->ptr_row[4 * lane + 1].index == 4 + lane, 1);
    assert_int_equal(a->ptr_row_valid[4 * lane] || a->ptr_row_valid[4 * lane + 2] || a->ptr_row[4 * lane].index, 0);
  }
  for (unsigned row = 0; row < 8; row++) assert_int_equal(a->write_row_valid[row], 0);
  for (unsigned row = 0; row < cfg.ovfq_flight; row++)
    assert_int_equal(a->wait_row_valid[row] || a->read_row_valid[row], 0);
  in.fails[1].valid = 1;
  cycle();
  cycle();
  a = arch();
  for (unsigned row = 0; row < 4; row++) assert_int_equal(a->self_row_valid[row] || a->done[row], 0);
  assert_int_equal(a->row_in || a->row_out || a->used, 0);
}

TEST_MAIN("ovfq_walk", NULL, NULL)
