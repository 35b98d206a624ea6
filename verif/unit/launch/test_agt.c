/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The Aggregated Group Table: rows, the walk of a list, fetch of overflowed groups, change of kernel, failures. */
#include "launch/agt.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_agt *m;
static struct hd_agt_in in;
static struct hd_agt_out out;
/* What link does at the edge. */
static struct hd_list list_d[HD_MAX_NUM_KDE];

static int setup(void **state) {
  (void)state;
  cfg = ut_cfg("k20c");
  m = ut_new(hd_agt_size(&cfg));
  hd_agt_init(m, &cfg);
  memset(&in, 0, sizeof in);
  memset(list_d, 0, sizeof list_d);
  in.req_ready = 1;
  in.rec_base = 0x1000;
  return 0;
}

static int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

/* One cycle; afterwards `out` holds what it showed, the pulses among the inputs are over and the lists as link has
 * them. */
static void cycle(void) {
  hd_agt_eval(m, &in, &out);
  hd_agt_tick(m, &in);
  in.alloc_valid = in.link_valid = in.group_pop = in.fail_valid[0] = in.fail_valid[1] = in.r_valid = 0;
  for (unsigned i = 0; i < cfg.num_kde; i++) {
    in.pending[i] = list_d[i].pending;
    in.nagei[i] = list_d[i].nagei;
    in.lagei[i] = list_d[i].lagei;
  }
}

static struct hd_ptr onchip(unsigned index) {
  return (struct hd_ptr){.onchip = 1, .index = index};
}
static struct hd_ptr record(unsigned number) {
  return (struct hd_ptr){.index = number};
}

static struct hd_info info(unsigned n) {
  return (struct hd_info){.grid_x = (uint16_t)n, .grid_y = 1, .grid_z = 1, .ctas = n + 1, .param = 100 + n, .level = 2};
}

/* A group of the kernel is in A3; its info was in A2 in the cycle before (`a2` stands there for the next). */
static void link(unsigned kdei, struct hd_ptr p) {
  struct hd_list *l = &list_d[kdei];
  in.link_valid = 1;
  in.link_kdei = (uint8_t)kdei;
  in.link_ptr = p;
  in.link_prev = l->lagei;
  in.link_first = !l->pending;
  in.alloc_valid = p.onchip;
  in.alloc_index = (uint16_t)(p.onchip ? p.index : 0);
  if (!l->pending) l->nagei = p;
  l->pending = 1;
  l->lagei = p;
}

/* A whole launch: A2, then A3. */
static void launch(unsigned kdei, struct hd_ptr p) {
  in.a2_info = info(p.index);
  cycle();
  link(kdei, p);
  in.a2_info = (struct hd_info){0};
  cycle();
}

/* The last TB of the kernel's group is handed out. */
static void advance(unsigned kdei) {
  struct hd_list *l = &list_d[kdei];
  hd_agt_eval(m, &in, &out);
  if (l->nagei.onchip == l->lagei.onchip && l->nagei.index == l->lagei.index)
    memset(l, 0, sizeof *l);
  else
    l->nagei = out.succ;
}

static void current(int kdei) {
  in.cur_valid = kdei >= 0;
  in.cur_kdei = (uint8_t)(kdei < 0 ? 0 : kdei);
}

static struct hd_agt_arch *arch(void) {
  static struct hd_agt_arch a;
  hd_agt_arch(m, &a, true);
  return &a;
}

/* Waits up to 20 cycles for a group and takes it; the index of its pointer, or -1. */
static int take(void) {
  for (int t = 0; t < 20; t++) {
    hd_agt_eval(m, &in, &out);
    in.group_pop = out.group_valid;
    cycle();
    if (out.group_valid) return (int)out.group.self.index;
  }
  return -1;
}

/* One beat of a record's answer. */
static void beat(unsigned k, unsigned ctas, struct hd_ptr next) {
  static const uint64_t level = UINT64_C(9) << 24;
  const uint64_t words[4][2] = {
      {0x1111, 0x4040}, {0x2222, level}, {7 | UINT64_C(3) << 32 | UINT64_C(2) << 48, ctas}, {0, 0x3333}};
  in.r_valid = 1;
  in.r = (struct hd_memdata){.lo = words[k][0], .hi = words[k][1], .last = k == 3};
  if (k == 3) in.r.lo = (uint64_t)next.onchip << 31 | next.index;
}

static void answer(unsigned ctas, struct hd_ptr next) {
  for (unsigned k = 0; k < 4; k++) {
    beat(k, ctas, next);
    cycle();
  }
}

static void test_empty_after_reset(void **state) {
  (void)state;
  cycle();
  assert_int_equal(out.group_valid, 0);
  assert_int_equal(out.req_valid, 0);
  assert_int_equal(out.succ.onchip || out.succ.index, 0);
  assert_int_equal(arch()->cursor, HD_AGT_IDLE);
}

/* Link event at 3, SSCR has the kernel at 4: tag at 4, read at 5, pushed at 6, offered at 7. */
static void test_first_group_latency(void **state) {
  (void)state;
  in.a2_info = info(5);
  cycle(); /* 2 */
  link(1, onchip(5));
  cycle(); /* 3 */
  current(1);
  for (unsigned t = 4; t < 7; t++) {
    cycle();
    assert_int_equal(out.group_valid, 0);
    assert_int_equal(arch()->gq_count, t == 6);
  }
  cycle();
  assert_int_equal(out.group_valid, 1);
  assert_int_equal(out.group_kdei, 1);
  assert_int_equal(out.group.self.index, 5);
  assert_int_equal(out.group.info.ctas, 6);
  assert_true(out.group.info.param == 105);
}

/* A backlog of 500 groups: one per cycle, in order of link. */
static void test_one_group_per_cycle(void **state) {
  (void)state;
  for (unsigned k = 0; k < 500; k++) launch(2, onchip(k * 7 % 1024));
  current(2);
  for (unsigned t = 0; t < 5; t++) cycle();
  for (unsigned k = 0; k < 500; k++) {
    hd_agt_eval(m, &in, &out);
    assert_int_equal(out.group_valid, 1);
    assert_int_equal(out.group.self.index, k * 7 % 1024);
    in.group_pop = 1;
    if (k) advance(2);
    cycle();
  }
  cycle();
  assert_int_equal(out.group_valid, 0);
  assert_int_equal(arch()->cursor, HD_AGT_TAIL);
}

/* The walk at the tail: each group is linked in a cycle, and offered three cycles later: one per cycle. */
static void test_rate_at_the_tail(void **state) {
  (void)state;
  current(0);
  cycle();
  for (unsigned t = 0; t < 500; t++) {
    in.a2_info = info(t + 1);
    if (t) link(0, onchip(t));
    hd_agt_eval(m, &in, &out);
    assert_int_equal(out.group_valid, t >= 4);
    if (t >= 4) assert_int_equal(out.group.self.index, t - 3);
    if (t >= 4) assert_int_equal(out.group.info.ctas, t - 2);
    in.group_pop = out.group_valid;
    if (t > 4) list_d[0].nagei = onchip(t - 3); /* the group taken in the cycle before is handed out */
    cycle();
  }
}

/* No more than three groups are read ahead of the scheduler. */
static void test_three_ahead(void **state) {
  (void)state;
  for (unsigned k = 0; k < 6; k++) launch(0, onchip(k));
  current(0);
  for (unsigned t = 0; t < 10; t++) cycle();
  assert_int_equal(arch()->gq_count, 3);
  assert_int_equal(arch()->cursor_ptr.index, 3);
  for (int k = 0; k < 6; k++) assert_int_equal(take(), k);
  assert_int_equal(take(), -1);
}

/* A group linked in the very cycle in which the last row of the list is read is not lost. */
static void test_link_while_the_last_is_read(void **state) {
  (void)state;
  for (unsigned at = 0; at < 8; at++) {
    hd_agt_reset(m);
    memset(list_d, 0, sizeof list_d);
    current(-1);
    cycle();
    launch(3, onchip(10));
    in.a2_info = info(11);
    current(3);
    for (unsigned t = 0; t < 8; t++) {
      if (t == at) link(3, onchip(11));
      cycle();
    }
    assert_int_equal(take(), 10);
    assert_int_equal(take(), 11);
    assert_int_equal(take(), -1);
  }
}

/* The successor of the current group is told before, while and after it is read. */
static void test_successor(void **state) {
  (void)state;
  launch(0, onchip(1));
  launch(0, onchip(2));
  current(0);
  assert_int_equal(take(), 1);
  for (unsigned t = 0; t < 4; t++) {
    cycle();
    assert_int_equal(out.succ.onchip, 1);
    assert_int_equal(out.succ.index, 2);
  }
  assert_int_equal(take(), 2);
  cycle();
  assert_int_equal(out.succ.onchip, 0);
}

/* The list was handed out to its end; the kernel stays and gets a new one. */
static void test_list_after_list(void **state) {
  (void)state;
  current(0);
  launch(0, onchip(4));
  assert_int_equal(take(), 4);
  advance(0);
  cycle();
  cycle();
  assert_int_equal(arch()->cursor, HD_AGT_IDLE);
  launch(0, onchip(5));
  assert_int_equal(take(), 5);
}

/* Link events of other kernels do not move the walk; their lists are there when their turn comes. */
static void test_three_kernels(void **state) {
  (void)state;
  for (unsigned n = 0; n < 12; n++) launch(n % 3, onchip(n));
  for (unsigned i = 0; i < 3; i++) {
    current((int)i);
    for (unsigned n = i; n < 12; n += 3) assert_int_equal(take(), n);
    assert_int_equal(take(), -1);
  }
}

/* Another kernel in the SSCR: what was read ahead is thrown away; back again the walk starts at NAGEI. */
static void test_change_of_kernel(void **state) {
  (void)state;
  for (unsigned n = 0; n < 4; n++) launch(0, onchip(n));
  launch(1, onchip(9));
  current(0);
  assert_int_equal(take(), 0);
  for (unsigned t = 0; t < 5; t++) cycle();
  current(1);
  cycle();
  cycle();
  assert_int_equal(out.group_valid, 0);
  assert_int_equal(take(), 9);
  current(0); /* group 0 was not handed out completely */
  cycle();
  for (int n = 0; n < 4; n++) assert_int_equal(take(), n);
}

/* A row read in the cycle before the change does not join the next kernel's groups. */
static void test_change_while_a_row_is_read(void **state) {
  (void)state;
  launch(0, onchip(1));
  launch(0, onchip(2));
  launch(1, onchip(9));
  current(0);
  cycle();
  cycle();
  assert_int_equal(arch()->rd_valid, 1);
  current(1);
  cycle();
  assert_int_equal(arch()->gq_count, 0);
  assert_int_equal(take(), 9);
}

/* The kernel's first group is linked in the cycle in which the walk changes over to it. */
static void test_link_in_the_change(void **state) {
  (void)state;
  in.a2_info = info(6);
  cycle();
  current(2);
  link(2, onchip(6));
  cycle();
  assert_int_equal(arch()->cursor, HD_AGT_AT);
  assert_int_equal(take(), 6);
}

/* Cursor at a record at t: request t + 1; last beat at r: here at r + 1, offered at r + 2, with what the record says.
 */
static void test_fetch(void **state) {
  (void)state;
  launch(0, record(5));
  launch(0, onchip(3));
  current(0);
  cycle();
  cycle(); /* t */
  assert_int_equal(out.req_valid, 0);
  cycle();
  assert_int_equal(out.req_valid, 1);
  assert_true(out.req.addr == 0x1000 * 256 + 5 * 64);
  assert_int_equal(out.req.len, 3);
  assert_int_equal(out.req.write, 0);
  cycle();
  assert_int_equal(out.req_valid, 0);
  assert_int_equal(out.fetch_event, 1);
  assert_int_equal(arch()->cursor, HD_AGT_WAIT);
  answer(21, onchip(3)); /* r */
  assert_int_equal(arch()->fetch_full, 1);
  assert_int_equal(out.fetch_event, 0);
  cycle();
  cycle();
  assert_int_equal(out.group_valid, 1);
  assert_int_equal(out.group.self.onchip, 0);
  assert_int_equal(out.group.self.index, 5);
  assert_int_equal(out.group.info.grid_x, 7);
  assert_int_equal(out.group.info.grid_y, 3);
  assert_int_equal(out.group.info.grid_z, 2);
  assert_int_equal(out.group.info.ctas, 21);
  assert_true(out.group.info.param == 0x4040 / 64);
  assert_int_equal(out.group.info.level, cfg.max_level); /* 9 in the record */
  assert_int_equal(take(), 5);
  assert_int_equal(take(), 3);
}

/* The last group of its list has no Next yet: the beat of it is not asked for, since it may just be being written. */
static void test_fetch_of_the_last_leaves_next_out(void **state) {
  (void)state;
  launch(0, record(5));
  current(0);
  cycle();
  link(0, record(6)); /* in the cycle of the decision: the cursor stands there then */
  cycle();            /* t */
  assert_int_equal(arch()->cursor, HD_AGT_AT);
  assert_int_equal(arch()->cursor_ptr.index, 6);
  cycle();
  assert_int_equal(out.req_valid, 1);
  assert_int_equal(out.req.len, 2);
  cycle();
  for (unsigned k = 0; k < 3; k++) {
    beat(k, 4, record(0));
    in.r.last = k == 2;
    cycle();
  }
  assert_int_equal(arch()->fetch_full, 1);
  assert_int_equal(take(), 5);
}

/* A request stays until it is taken. */
static void test_request_holds(void **state) {
  (void)state;
  in.req_ready = 0;
  launch(0, record(1));
  current(0);
  for (unsigned t = 0; t < 3; t++) cycle();
  for (unsigned t = 0; t < 4; t++) {
    assert_int_equal(out.req_valid, 1);
    assert_int_equal(out.fetch_event, 0);
    cycle();
  }
  in.req_ready = 1;
  cycle();
  cycle();
  assert_int_equal(out.req_valid, 0);
  assert_int_equal(out.fetch_event, 1);
}

/* On chip, in memory, on chip, in memory: handed out in order of link. */
static void test_alternating(void **state) {
  (void)state;
  launch(0, onchip(1));
  launch(0, record(2));
  launch(0, onchip(3));
  launch(0, record(4));
  current(0);
  assert_int_equal(take(), 1);
  cycle();
  cycle();
  answer(1, onchip(3));
  assert_int_equal(take(), 2);
  assert_int_equal(take(), 3);
  cycle();
  cycle();
  answer(1, onchip(0));
  assert_int_equal(take(), 4);
  assert_int_equal(arch()->cursor, HD_AGT_TAIL);
}

/* The record of a predecessor whose Next write waits or is unanswered is not fetched. */
static void test_fetch_waits_for_next(void **state) {
  (void)state;
  launch(0, record(8));
  launch(0, onchip(1));
  in.next_valid[3] = 1;
  in.next_record[3] = 8;
  current(0);
  for (unsigned t = 0; t < 10; t++) {
    cycle();
    assert_int_equal(out.req_valid, 0);
  }
  in.next_valid[3] = 0;
  cycle();
  cycle();
  assert_int_equal(out.req_valid, 1);
}

/* The last record of a list gets its successor from the link event while it is fetched, not from its Next. */
static void test_link_while_fetching_the_last(void **state) {
  (void)state;
  launch(0, record(8));
  current(0);
  for (unsigned t = 0; t < 4; t++) cycle();
  launch(0, onchip(2));
  in.next_valid[0] = 1; /* not yet in memory */
  in.next_record[0] = 8;
  answer(1, record(999));
  assert_int_equal(take(), 8);
  assert_int_equal(take(), 2);
}

/* PrefetchDepth 0: a record is fetched only when the scheduler waits and nothing is read ahead. */
static void test_no_prefetch(void **state) {
  (void)state;
  free(m);
  cfg = ut_cfg_with("k20c", "PrefetchDepth", 0);
  m = ut_new(hd_agt_size(&cfg));
  hd_agt_init(m, &cfg);
  launch(0, onchip(1));
  launch(0, record(2));
  current(0);
  for (unsigned t = 0; t < 8; t++) cycle();
  assert_int_equal(out.req_valid, 0);
  in.waiting = 1;
  for (unsigned t = 0; t < 3; t++) cycle();
  assert_int_equal(out.req_valid, 0);
  assert_int_equal(take(), 1);
  cycle();
  cycle();
  assert_int_equal(out.fetch_event || out.req_valid, 1);
}

/* The kernel changes while a record is on its way: the fetch ends, its data are dropped. */
static void test_fetch_dropped(void **state) {
  (void)state;
  launch(0, record(2));
  launch(1, onchip(7));
  launch(1, record(8));
  current(0);
  for (unsigned t = 0; t < 4; t++) cycle();
  current(1);
  cycle();
  assert_int_equal(arch()->fetch_drop, 1);
  for (unsigned t = 0; t < 4; t++) cycle();
  assert_int_equal(arch()->gq_count, 0); /* reading waits for the end of the fetch */
  answer(1, onchip(99));
  assert_int_equal(arch()->fetch_busy || arch()->fetch_full || arch()->fetch_drop, 0);
  assert_int_equal(take(), 7);
  cycle();
  cycle();
  answer(1, onchip(0));
  assert_int_equal(take(), 8);
}

/* The same before the request was taken: it is still made. The same in the cycle of the last beat: nothing is left. */
static void test_fetch_dropped_at_its_ends(void **state) {
  (void)state;
  in.req_ready = 0;
  launch(0, record(2));
  current(0);
  for (unsigned t = 0; t < 3; t++) cycle();
  current(-1);
  cycle();
  cycle();
  assert_int_equal(out.req_valid, 1);
  in.req_ready = 1;
  cycle();
  answer(1, onchip(0));
  assert_int_equal(arch()->fetch_busy, 0);
  current(0);
  for (unsigned t = 0; t < 4; t++) cycle();
  for (unsigned k = 0; k < 4; k++) {
    beat(k, 1, onchip(0));
    if (k == 3) current(-1);
    cycle();
  }
  assert_int_equal(arch()->fetch_busy || arch()->fetch_full || arch()->fetch_drop, 0);
}

/* A record that can not be read, or says that it has no TBs: fail event in the next cycle, the walk stops. */
static void check_bad_record(unsigned ctas, int bad_beat) {
  launch(4, record(2));
  current(4);
  for (unsigned t = 0; t < 4; t++) cycle();
  for (unsigned k = 0; k < 4; k++) {
    beat(k, ctas, onchip(0));
    in.r.error = (int)k == bad_beat;
    cycle();
    assert_int_equal(out.fetch_fail_valid, 0);
  }
  memset(&list_d[4], 0, sizeof list_d[4]);
  cycle();
  assert_int_equal(out.fetch_fail_valid, 1);
  assert_int_equal(out.fetch_fail_kdei, 4);
  for (unsigned t = 0; t < 8; t++) {
    cycle();
    assert_int_equal(out.fetch_fail_valid || out.group_valid || out.req_valid, 0);
  }
  assert_int_equal(arch()->cursor, HD_AGT_IDLE);
}

static void test_record_error(void **state) {
  (void)state;
  check_bad_record(1, 3);
}
static void test_record_error_in_an_early_beat(void **state) {
  (void)state;
  check_bad_record(1, 1);
}
static void test_record_without_ctas(void **state) {
  (void)state;
  check_bad_record(0, -1);
}

/* A fail event of the kernel from elsewhere throws away what was read ahead; one of another kernel does not. */
static void test_fail_events(void **state) {
  (void)state;
  for (unsigned n = 0; n < 3; n++) launch(5, onchip(n));
  current(5);
  for (unsigned t = 0; t < 6; t++) cycle();
  in.fail_valid[1] = 1;
  in.fail_kdei[1] = 6;
  cycle();
  assert_int_equal(arch()->gq_count, 3);
  in.fail_valid[0] = 1;
  in.fail_kdei[0] = 5;
  memset(&list_d[5], 0, sizeof list_d[5]);
  cycle();
  assert_int_equal(arch()->gq_count, 0);
  assert_int_equal(take(), -1);
}

/* Rows count from their first write on. */
static void test_arch_tables(void **state) {
  (void)state;
  launch(0, onchip(3));
  launch(0, record(77));
  struct hd_agt_arch *a = arch();
  assert_int_equal(a->info_row_valid[3], 1);
  assert_int_equal(a->info_row[3].ctas, 4);
  assert_int_equal(a->next_row_valid[3], 1);
  assert_int_equal(a->next_row[3].index, 77);
  assert_int_equal(a->info_row_valid[4] || a->next_row_valid[4], 0);
}

/* Reset in mid-flight leaves the state of a fresh one, byte for byte. */
static void test_reset(void **state) {
  (void)state;
  struct hd_agt *fresh = ut_new(hd_agt_size(&cfg));
  hd_agt_init(fresh, &cfg);
  launch(0, onchip(3));
  launch(0, record(1));
  current(0);
  for (unsigned t = 0; t < 6; t++) cycle();
  beat(0, 1, onchip(0));
  cycle();
  assert_memory_not_equal(m, fresh, hd_agt_size(&cfg));
  hd_agt_reset(m);
  assert_memory_equal(m, fresh, hd_agt_size(&cfg));
  free(fresh);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_empty_after_reset),
      TEST(test_first_group_latency),
      TEST(test_one_group_per_cycle),
      TEST(test_rate_at_the_tail),
      TEST(test_three_ahead),
      TEST(test_link_while_the_last_is_read),
      TEST(test_successor),
      TEST(test_list_after_list),
      TEST(test_three_kernels),
      TEST(test_change_of_kernel),
      TEST(test_change_while_a_row_is_read),
      TEST(test_link_in_the_change),
      TEST(test_fetch),
      TEST(test_fetch_of_the_last_leaves_next_out),
      TEST(test_request_holds),
      TEST(test_alternating),
      TEST(test_fetch_waits_for_next),
      TEST(test_link_while_fetching_the_last),
      TEST(test_no_prefetch),
      TEST(test_fetch_dropped),
      TEST(test_fetch_dropped_at_its_ends),
      TEST(test_record_error),
      TEST(test_record_error_in_an_early_beat),
      TEST(test_record_without_ctas),
      TEST(test_fail_events),
      TEST(test_arch_tables),
      TEST(test_reset),
  };
  return cmocka_run_group_tests_name("agt", tests, NULL, NULL);
}
