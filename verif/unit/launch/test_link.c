/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Linking: AGEs under the three hashes, lists, link and advance, Next writes, failures, suspension. */
#include "launch/link.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_link *m;
static struct hd_link_in in;
static struct hd_link_out out;

static void start(const char *config, unsigned hash) {
  free(m);
  cfg = ut_cfg_with(config, "AgtHash", hash);
  m = ut_new(hd_link_size(&cfg));
  hd_link_init(m, &cfg);
  memset(&in, 0, sizeof in);
  in.rec_base = 0x1000;
}

static int setup(void **state) {
  (void)state;
  start("k20c", HD_AGT_HASH_HWTID);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  free(m);
  m = NULL;
  return 0;
}

/* One cycle; afterwards `out` holds what it showed, and the pulses among the inputs are over. */
static void cycle(void) {
  hd_link_eval(m, &in, &out);
  hd_link_tick(m, &in);
  in.a2_group = in.adv_valid = in.take_valid = in.enter_valid = in.enter_ready = in.free_valid = 0;
  in.fail_valid[0] = in.fail_valid[1] = in.req_ready = in.wbeat_take = in.b_valid = in.b_error = 0;
}

static struct hd_link_arch *arch(void) {
  static struct hd_link_arch a;
  hd_link_arch(m, &a, true);
  return &a;
}

/* A group is in A2. */
static void group(unsigned kdei, unsigned hwtid, unsigned record) {
  in.a2_group = 1;
  in.a2_kdei = (uint8_t)kdei;
  in.a2_smx = 0;
  in.a2_hwtid = (uint16_t)hwtid;
  in.a2_record = record;
}

/* The whole launch: A2, then A3, of which `out` tells. */
static void launch(unsigned kdei, unsigned hwtid, unsigned record) {
  group(kdei, hwtid, record);
  cycle();
  cycle();
}

static void advance(unsigned kdei, bool onchip, unsigned succ) {
  in.adv_valid = 1;
  in.adv_kdei = (uint8_t)kdei;
  in.succ = (struct hd_ptr){.onchip = onchip, .index = succ};
}

static void fail_kernel(unsigned bus, unsigned kdei) {
  in.fail_valid[bus] = 1;
  in.fail_kdei[bus] = (uint8_t)kdei;
}

static void give_back(unsigned index) {
  in.free_valid = 1;
  in.free_index = (uint16_t)index;
}

static void check_ptr(struct hd_ptr p, bool onchip, unsigned index) {
  assert_int_equal(p.onchip, onchip);
  assert_int_equal(p.index, index);
}

/* What the next cycle shows of a list. */
static void check_list(unsigned kdei, bool pending, unsigned nagei, unsigned lagei) {
  hd_link_eval(m, &in, &out);
  assert_int_equal(out.pending[kdei], pending);
  assert_int_equal(out.nagei[kdei].index, nagei);
  assert_int_equal(out.lagei[kdei].index, lagei);
  assert_int_equal(out.single[kdei], pending && nagei == lagei);
}

/* The oldest Next write not yet sent is taken, request and beat. */
static void send(void) {
  in.req_ready = 1;
  cycle();
  assert_int_equal(out.req_valid, 1);
  in.wbeat_take = 1;
  cycle();
  assert_int_equal(out.req_valid, 0);
}

static void answer(bool error) {
  in.b_valid = 1;
  in.b_error = error;
  cycle();
}

static void test_empty_after_reset(void **state) {
  (void)state;
  cycle();
  assert_int_equal(out.next_room, 1);
  assert_int_equal(out.link_valid || out.kept || out.alloc_valid || out.req_valid || out.next_fail_valid, 0);
  assert_int_equal(out.pending[0] || out.single[0] || out.next_busy[0] || out.list.pending, 0);
}

/* A2 in 2, link event in 3, in the list in 4. */
static void test_latency(void **state) {
  (void)state;
  group(5, 70, 9);
  cycle(); /* 2 */
  assert_int_equal(out.link_valid, 0);
  assert_int_equal(arch()->valid[70], 1);
  assert_int_equal(arch()->a3_valid, 1);
  cycle(); /* 3 */
  assert_int_equal(out.link_valid && out.link_first && out.alloc_valid, 1);
  assert_int_equal(out.link_kdei, 5);
  assert_int_equal(out.alloc_index, 70);
  check_ptr(out.link_ptr, true, 70);
  check_ptr(out.link_prev, false, 0);
  assert_int_equal(out.pending[5], 0);
  cycle(); /* 4 */
  assert_int_equal(out.link_valid, 0);
  assert_int_equal(out.pending[5] && out.single[5], 1);
  check_ptr(out.nagei[5], true, 70);
}

/* One group a cycle; each is linked behind the one before. */
static void test_one_per_cycle(void **state) {
  (void)state;
  for (unsigned k = 0; k < 1000; k++) {
    group(1, k, 0);
    cycle();
    assert_int_equal(out.next_room, 1);
    if (k) check_ptr(out.link_ptr, true, k - 1);
    if (k > 1) check_ptr(out.link_prev, true, k - 2);
  }
  cycle();
  check_list(1, true, 0, 999);
}

/* Hash of the paper: the hardware thread index modulo the entries, whatever the SMX. A group whose entry is taken stays
 * in its record. */
static void test_hash_hwtid(void **state) {
  (void)state;
  launch(0, 1024 + 6, 1);
  check_ptr(out.link_ptr, true, 6);
  group(0, 6, 77);
  in.a2_smx = 9;
  cycle();
  cycle();
  assert_int_equal(out.kept, 1);
  assert_int_equal(out.alloc_valid || out.alloc_index, 0);
  check_ptr(out.link_ptr, false, 77);
  check_ptr(out.link_prev, true, 6);
}

/* Folded with the SMX: 1024 / 13 = 78 entries apart. */
static void test_hash_smx(void **state) {
  (void)state;
  start("k20c", HD_AGT_HASH_SMX);
  for (unsigned s = 0; s < 13; s++) {
    group(0, 100, s);
    in.a2_smx = (uint8_t)s;
    cycle();
    cycle();
    check_ptr(out.link_ptr, true, (100 + 78 * s) % 1024);
  }
}

/* An entry that comes free in the cycle of A2 is still taken in it. */
static void test_freed_age(void **state) {
  (void)state;
  launch(0, 6, 1);
  give_back(6);
  group(0, 6, 2);
  cycle();
  group(0, 6, 3);
  cycle();
  assert_int_equal(out.kept, 1);
  cycle();
  assert_int_equal(out.kept, 0);
  check_ptr(out.link_ptr, true, 6);
}

/* Free list: entries never used first, 0, 1, 2 .., then in the order in which they came free. */
static void test_free_list_order(void **state) {
  (void)state;
  start("tiny", HD_AGT_HASH_FREELIST);
  launch(0, 3, 1);
  check_ptr(out.link_ptr, true, 0);
  launch(0, 3, 1);
  check_ptr(out.link_ptr, true, 1);
  assert_int_equal(arch()->fresh, 2);
  give_back(1);
  cycle();
  give_back(0);
  cycle();
  static const unsigned want[] = {2, 3, 1, 0};
  for (unsigned k = 0; k < 4; k++) {
    launch(0, 3, 1);
    check_ptr(out.link_ptr, true, want[k]);
  }
  assert_int_equal(arch()->fresh, 4);
  assert_int_equal(arch()->valid[0], 0);
  launch(0, 3, 88);
  check_ptr(out.link_ptr, false, 88);
}

/* Freed in t: found in t + 3, not before. */
static void test_free_list_latency(void **state) {
  (void)state;
  for (unsigned wait = 1; wait <= 4; wait++) {
    start("tiny", HD_AGT_HASH_FREELIST);
    for (unsigned k = 0; k < 4; k++) launch(0, 0, 1);
    give_back(2);
    for (unsigned t = 0; t < wait; t++) cycle();
    launch(0, 0, 9);
    assert_int_equal(out.link_ptr.onchip, wait >= 3);
    assert_int_equal(out.link_ptr.index, wait >= 3 ? 2 : 9);
  }
}

/* A full circle: one entry comes free and one is found in each cycle. */
static void test_free_list_rate(void **state) {
  (void)state;
  start("k20c", HD_AGT_HASH_FREELIST);
  for (unsigned k = 0; k < 4; k++) launch(k, 0, 0);
  for (unsigned t = 0; t < 3000; t++) {
    give_back(t % 1024);
    if (t >= 3) group(0, 0, 0);
    cycle();
    if (t > 3) check_ptr(out.link_ptr, true, t < 1024 ? t : t % 1024);
  }
}

/* The list of a kernel is handed out to its end and begins again. */
static void test_advance(void **state) {
  (void)state;
  for (unsigned k = 1; k <= 3; k++) launch(2, k, 0);
  cycle();
  check_list(2, true, 1, 3);
  advance(2, true, 2);
  cycle();
  check_list(2, true, 2, 3);
  advance(2, true, 3);
  cycle();
  check_list(2, true, 3, 3);
  advance(2, true, 999); /* nothing is behind the last: what agt says does not count */
  cycle();
  check_list(2, false, 0, 0);
  launch(2, 8, 0);
  assert_int_equal(out.link_first, 1);
  check_list(2, true, 8, 8);
}

/* The last TB of LAGEI goes out in the cycle of a link event: the new group is first, the kernel stays pending. */
static void test_advance_and_link(void **state) {
  (void)state;
  launch(2, 1, 0);
  group(2, 4, 0);
  cycle();
  advance(2, true, 999);
  cycle();
  assert_int_equal(out.link_first, 0);
  check_ptr(out.link_prev, true, 1);
  check_list(2, true, 4, 4);
  group(2, 5, 0); /* two groups: both move on */
  cycle();
  cycle();
  group(2, 6, 0);
  cycle();
  advance(2, true, 5);
  cycle();
  check_list(2, true, 5, 6);
}

/* A link event of another kernel does not keep the list of this one. */
static void test_advance_and_link_of_another(void **state) {
  (void)state;
  launch(2, 1, 0);
  group(3, 4, 0);
  cycle();
  advance(2, true, 999);
  cycle();
  check_list(2, false, 0, 0);
  check_list(3, true, 4, 4);
}

/* A list that was handed out is not continued: the AGE of its last group may be another kernel's by now. */
static void test_stale_lagei(void **state) {
  (void)state;
  launch(1, 3, 0);
  advance(1, true, 0);
  cycle();
  give_back(3);
  cycle();
  launch(2, 3, 0);
  launch(1, 9, 0);
  assert_int_equal(out.link_first, 1);
  check_ptr(out.link_prev, false, 0);
  check_list(1, true, 9, 9);
  check_list(2, true, 3, 3);
}

/* Three kernels interleaved: each list in order of arrival. */
static void test_three_kernels(void **state) {
  (void)state;
  for (unsigned k = 0; k < 300; k++) {
    launch(k % 3, k, 0);
    if (k >= 3) check_ptr(out.link_prev, true, k - 3);
  }
  for (unsigned i = 0; i < 3; i++) check_list(i, true, i, 297 + i);
}

/* Behind a record: request in the cycle after the link event, at byte 48 of the record; one beat with four bytes. */
static void test_next_write(void **state) {
  (void)state;
  launch(0, 7, 0);
  launch(0, 7, 21);
  assert_int_equal(out.kept, 1);
  launch(0, 30, 0); /* link event in t */
  check_ptr(out.link_prev, false, 21);
  assert_int_equal(out.req_valid, 0);
  cycle();
  assert_int_equal(out.req_valid && out.req.write, 1);
  assert_true(out.req.addr == 0x1000 * 256 + 21 * 64 + 48);
  assert_int_equal(out.req.len, 0);
  assert_true(out.wbeat.lo == (UINT64_C(1) << 31 | 30) && out.wbeat.hi == 0);
  assert_int_equal(out.wbeat.strb, 0xf);
  assert_int_equal(out.next_valid[0], 1);
  assert_int_equal(out.next_record[0], 21);
  assert_int_equal(out.next_busy[0], 1);
  send();
  cycle();
  assert_int_equal(out.req_valid || out.wbeat.strb, 0);
  assert_int_equal(out.next_valid[0], 1); /* until it is answered */
  answer(false);
  cycle();
  assert_int_equal(out.next_valid[0] || out.next_record[0] || out.next_busy[0] || out.next_fail_valid, 0);
  assert_int_equal(arch()->next_first, 1);
}

/* Groups behind records only, the first of them behind AGE 7: so many Next writes are under way. */
static void overflow(unsigned kdei, unsigned writes) {
  launch(kdei, 7, 0);
  for (unsigned k = 0; k <= writes; k++) launch(kdei, 7, 100 + k);
  cycle();
}

/* Four writes may be unanswered; they are sent and answered in order. */
static void test_next_writes_in_order(void **state) {
  (void)state;
  overflow(0, 4);
  assert_int_equal(arch()->next_count, 4);
  for (unsigned k = 0; k < 4; k++) {
    hd_link_eval(m, &in, &out);
    assert_true(out.req.addr == 0x1000 * 256 + (100 + k) * 64 + 48);
    assert_true(out.wbeat.lo == 101 + k);
    send();
    assert_int_equal(arch()->next_sent, k + 1);
  }
  cycle();
  assert_int_equal(out.req_valid, 0);
  for (unsigned k = 0; k < 4; k++) {
    answer(false);
    assert_int_equal(arch()->next_count, 3 - k);
    assert_int_equal(arch()->next_sent, 3 - k);
  }
}

/* An answer and the beat of another write in one cycle. */
static void test_answer_and_beat(void **state) {
  (void)state;
  overflow(0, 2);
  send();
  in.req_ready = 1;
  cycle();
  in.wbeat_take = 1;
  answer(false);
  assert_int_equal(arch()->next_count, 1);
  assert_int_equal(arch()->next_sent, 1);
  answer(false);
  assert_int_equal(arch()->next_count, 0);
}

/* A group may leave A1 only when A2, A3 and it together find room: 4 places. */
static void test_next_room(void **state) {
  (void)state;
  overflow(0, 1);
  hd_link_eval(m, &in, &out);
  assert_int_equal(out.next_room, 1); /* 1 + 0 + 0 + 1 */
  group(0, 7, 50);
  cycle();
  assert_int_equal(out.next_room, 1); /* 1 + 1 + 0 + 1 */
  group(0, 7, 51);
  cycle();
  assert_int_equal(out.next_room, 1); /* 1 + 1 + 1 + 1: the group of the next cycle */
  group(0, 7, 52);
  cycle();
  assert_int_equal(out.next_room, 0); /* 2 + 1 + 1 + 1 */
  cycle();
  assert_int_equal(out.next_room, 0); /* 3 + 0 + 1 + 1 */
  cycle();
  assert_int_equal(arch()->next_count, 4);
  assert_int_equal(out.next_room, 0);
  send();
  answer(false);
  cycle();
  assert_int_equal(out.next_room, 1);
}

/* The answer is an error: fail event in the next cycle, which empties the list. Writes behind it go on. */
static void test_next_error(void **state) {
  (void)state;
  overflow(3, 2);
  send();
  answer(true);
  check_list(3, true, 7, 102);
  cycle();
  assert_int_equal(out.next_fail_valid, 1);
  assert_int_equal(out.next_fail_kdei, 3);
  check_list(3, false, 0, 0);
  assert_int_equal(out.next_fail_valid, 0);
  assert_int_equal(out.next_busy[3], 1);
  send();
  answer(false);
  cycle();
  assert_int_equal(out.next_busy[3], 0);
}

/* Fail events of the other blocks; both at once; together with a link event and an advance. */
static void test_fail_events(void **state) {
  (void)state;
  launch(1, 1, 0);
  launch(2, 2, 0);
  launch(2, 3, 0);
  fail_kernel(0, 1);
  fail_kernel(1, 2);
  group(4, 5, 0);
  advance(2, true, 3);
  cycle();
  check_list(1, false, 0, 0);
  check_list(2, false, 0, 0);
  fail_kernel(1, 4);
  cycle();
  assert_int_equal(out.link_valid, 1);
  check_list(4, false, 0, 0);
}

/* A fail event does not hold back the Next write of a group that is being linked. */
static void test_fail_event_and_next(void **state) {
  (void)state;
  launch(1, 7, 0);
  launch(1, 7, 21);
  group(1, 9, 0);
  cycle();
  fail_kernel(0, 1);
  cycle();
  check_list(1, false, 0, 0);
  assert_int_equal(out.next_busy[1], 1);
}

/* A group for a kernel that has failed is lost: its AGE stays taken; no link event, no list, no Next write. */
static void test_group_of_failed_kernel(void **state) {
  (void)state;
  in.failed[1] = 1;
  launch(1, 9, 0);
  assert_int_equal(out.link_valid || out.link_first || out.link_kdei || out.link_ptr.onchip, 0);
  assert_int_equal(out.alloc_valid, 1);
  check_list(1, false, 0, 0);
  launch(1, 9, 33);
  assert_int_equal(out.kept, 1);
  assert_int_equal(out.link_valid, 0);
  check_list(1, false, 0, 0);
  assert_int_equal(arch()->next_count, 0);
}

/* A suspended kernel takes its list along, for one cycle to be seen, and brings it back into another entry. */
static void test_take_and_enter(void **state) {
  (void)state;
  launch(6, 4, 0);
  launch(6, 5, 0);
  in.take_valid = 1;
  in.take_kdei = 6;
  cycle();
  assert_int_equal(out.list.pending, 0);
  cycle();
  struct hd_list list = out.list;
  assert_int_equal(list.pending, 1);
  check_ptr(list.nagei, true, 4);
  check_ptr(list.lagei, true, 5);
  check_list(6, false, 0, 0);
  assert_int_equal(out.list.pending || out.list.lagei.onchip, 0);
  in.enter_valid = 1;
  in.enter_kdei = 9;
  in.enter_list = list;
  cycle(); /* not taken by the KD */
  check_list(9, false, 0, 0);
  in.enter_valid = in.enter_ready = 1;
  cycle();
  check_list(9, true, 4, 5);
  launch(9, 8, 0);
  check_ptr(out.link_prev, true, 5);
}

/* A kernel that is not resumed begins with an empty list. */
static void test_enter_empty(void **state) {
  (void)state;
  in.enter_valid = in.enter_ready = 1;
  in.enter_kdei = 2;
  in.enter_list = (struct hd_list){0};
  cycle();
  check_list(2, false, 0, 0);
}

/* Reset with a group in A3 and a write under way: nothing is left. */
static void test_reset(void **state) {
  (void)state;
  start("tiny", HD_AGT_HASH_FREELIST);
  overflow(0, 2);
  group(1, 0, 5);
  in.req_ready = 1;
  cycle();
  hd_link_reset(m);
  struct hd_link *fresh = ut_new(hd_link_size(&cfg));
  hd_link_init(fresh, &cfg);
  assert_memory_equal(m, fresh, hd_link_size(&cfg));
  free(fresh);
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      T(test_empty_after_reset),
      T(test_latency),
      T(test_one_per_cycle),
      T(test_hash_hwtid),
      T(test_hash_smx),
      T(test_freed_age),
      T(test_free_list_order),
      T(test_free_list_latency),
      T(test_free_list_rate),
      T(test_advance),
      T(test_advance_and_link),
      T(test_advance_and_link_of_another),
      T(test_stale_lagei),
      T(test_three_kernels),
      T(test_next_write),
      T(test_next_writes_in_order),
      T(test_answer_and_beat),
      T(test_next_room),
      T(test_next_error),
      T(test_fail_events),
      T(test_fail_event_and_next),
      T(test_group_of_failed_kernel),
      T(test_take_and_enter),
      T(test_enter_empty),
      T(test_reset),
  };
  return cmocka_run_group_tests_name("link", tests, NULL, NULL);
}
