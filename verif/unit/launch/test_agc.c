/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The life of an AGE: counting of TBs, one release, overflow slots, records, parked groups. */
#include "launch/agc.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_agc *m;
static struct hd_agc_in in;
static struct hd_agc_out out;

static int setup(void **state) {
  (void)state;
  cfg = ut_cfg("tiny"); /* 4 AGEs on chip, 5 overflow slots, counts modulo 8 */
  m = ut_new(hd_agc_size(&cfg));
  hd_agc_init(m, &cfg);
  memset(&in, 0, sizeof in);
  in.record_done_ready = 1;
  return 0;
}

static int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

/* One cycle; afterwards `out` holds what it showed, and the pulses among the inputs are over. */
static void cycle(void) {
  hd_agc_eval(m, &in, &out);
  hd_agc_tick(m, &in);
  in.load_valid = in.grant_group = in.grant_end = in.park_valid = in.retire_valid = 0;
  memset(in.left, 0, sizeof in.left);
}

static void load(bool onchip, unsigned index) {
  in.load_valid = 1;
  in.load_ptr = (struct hd_ptr){.onchip = onchip, .index = index};
}

static void grant(bool end) {
  in.grant_group = 1;
  in.grant_end = end;
}

static void retire(unsigned agei) {
  in.retire_valid = 1;
  in.retire = (struct hd_retire){.age_valid = 1, .agei = (uint16_t)agei};
}

static void park(unsigned kdei) {
  in.park_valid = 1;
  in.park_kdei = (uint8_t)kdei;
}

/* A group is loaded and all its n TBs are handed out, one per cycle. */
static void hand_out(bool onchip, unsigned index, unsigned n) {
  load(onchip, index);
  cycle();
  for (unsigned k = 0; k < n; k++) {
    grant(k + 1 == n);
    cycle();
  }
}

/* An overflowed group of one TB runs from its load to its end; it gets this slot. */
static void run_overflowed(unsigned record, unsigned slot) {
  hand_out(false, record, 1);
  cycle();
  cycle();
  retire(cfg.agt_size + slot);
  cycle();
}

static struct hd_agc_arch *arch(void) {
  static struct hd_agc_arch a;
  hd_agc_arch(m, &a, true);
  return &a;
}

/* Cycles until an AGE is given back, from the next one on; -1 when none is within 20. */
static int until_free(void) {
  for (int t = 0; t < 20; t++) {
    cycle();
    if (out.free_valid) return t;
  }
  return -1;
}

static int until_record(void) {
  for (int t = 0; t < 20; t++) {
    cycle();
    if (out.record_done_valid) return t;
  }
  return -1;
}

static void test_empty_after_reset(void **state) {
  (void)state;
  cycle();
  assert_int_equal(out.slot_valid, 1);
  assert_int_equal(out.slot, 0);
  assert_int_equal(out.free_valid, 0);
  assert_int_equal(out.record_done_valid, 0);
  assert_int_equal(arch()->cur_valid, 0);
}

/* Retired in t: counted in t+1, given back in t+2, and told once. */
static void test_free_latency(void **state) {
  (void)state;
  hand_out(true, 3, 1);
  cycle();
  cycle();
  retire(3);
  cycle();
  cycle();
  assert_int_equal(out.free_valid, 0);
  cycle();
  assert_int_equal(out.free_valid, 1);
  assert_int_equal(out.free_index, 3);
  assert_int_equal(until_free(), -1);
}

/* Retired in t: the slot waits from t+2, the record is read in t+3 and offered in t+4; the slot is free with it. */
static void test_record_latency(void **state) {
  (void)state;
  run_overflowed(77, 0);
  cycle();
  cycle();
  assert_int_equal(arch()->ovf_wait[0], 0);
  assert_int_equal(arch()->ovf_used[0], 1);
  cycle();
  assert_int_equal(out.record_done_valid, 0);
  assert_int_equal(out.slot, 1);
  cycle();
  assert_int_equal(out.record_done_valid, 1);
  assert_int_equal(out.record_done, 77);
  assert_int_equal(out.slot, 0);
  assert_int_equal(until_record(), -1);
}

/* All TBs out so far are done, but the last is not handed out: the AGE stays. */
static void test_current(void **state) {
  (void)state;
  load(true, 1);
  cycle();
  for (unsigned k = 0; k < 2; k++) {
    grant(false);
    cycle();
  }
  retire(1);
  cycle();
  retire(1);
  assert_int_equal(until_free(), -1);
  grant(true);
  cycle();
  cycle();
  retire(1);
  assert_int_equal(until_free(), 2);
}

/* The last TB but one is retired in the very cycle in which the last is handed out: the AGE waits for the last. */
static void test_retire_in_the_end(void **state) {
  (void)state;
  load(true, 0);
  cycle();
  grant(false);
  cycle();
  cycle();
  grant(true);
  retire(0);
  cycle();
  assert_int_equal(arch()->handed_row[0], 2);
  assert_int_equal(until_free(), -1);
  retire(0);
  assert_int_equal(until_free(), 2);
}

/* TBs of one AGE retired in cycles on end are all counted. */
static void test_retire_back_to_back(void **state) {
  (void)state;
  hand_out(true, 2, 4);
  for (unsigned k = 0; k < 4; k++) {
    retire(2);
    cycle();
    assert_int_equal(out.free_valid, 0);
  }
  assert_int_equal(arch()->done_row[2], 3);
  cycle();
  assert_int_equal(arch()->done_row[2], 4);
  assert_int_equal(until_free(), 0);
}

/* TBs of three AGEs retired in turn. */
static void test_retire_in_turn(void **state) {
  (void)state;
  unsigned freed = 0;
  for (unsigned i = 0; i < 3; i++) hand_out(true, i, 2);
  for (unsigned k = 0; k < 9; k++) {
    if (k < 6) retire(k % 3);
    cycle();
    if (out.free_valid) assert_int_equal(out.free_index, freed++);
  }
  assert_int_equal(freed, 3);
}

/* More TBs than the counts can tell apart, never more than fit in the SMXs at a time. */
static void test_counts_wrap(void **state) {
  (void)state;
  load(true, 1);
  cycle();
  for (unsigned k = 0; k < 27; k++) {
    grant(k == 26);
    if (k >= 3) retire(1);
    cycle();
    assert_int_equal(out.free_valid, 0);
  }
  assert_int_equal(arch()->handed_row[1], 27 % 8);
  for (unsigned k = 0; k < 3; k++) {
    assert_int_equal(out.free_valid, 0);
    retire(1);
    cycle();
  }
  assert_int_equal(until_free(), 1);
}

/* The TBs of a native part belong to no AGE. */
static void test_native_ctas(void **state) {
  (void)state;
  hand_out(true, 0, 1);
  in.retire_valid = 1;
  in.retire = (struct hd_retire){0};
  assert_int_equal(until_free(), -1);
  assert_int_equal(arch()->r1_valid, 0);
}

/* An AGE given back is used again in the closest cycles: what it counted before is forgotten. */
static void test_reuse(void **state) {
  (void)state;
  hand_out(true, 2, 3);
  for (unsigned k = 0; k < 3; k++) {
    retire(2);
    cycle();
  }
  assert_int_equal(until_free(), 1);
  assert_int_equal(arch()->seen[2], 1);
  load(true, 2);
  cycle(); /* loaded .. */
  cycle(); /* .. and forgotten */
  assert_int_equal(arch()->seen[2], 0);
  for (unsigned k = 0; k < 2; k++) {
    grant(k == 1);
    cycle();
  }
  cycle();
  retire(2);
  assert_int_equal(until_free(), -1);
  retire(2);
  assert_int_equal(until_free(), 2);
}

/* The next group is loaded in the cycle in which the current one ends: one TB per cycle across groups. */
static void test_load_in_the_end(void **state) {
  (void)state;
  load(true, 0);
  cycle();
  for (unsigned i = 0; i < 4; i++) {
    grant(true);
    if (i < 3) load(true, i + 1);
    cycle();
  }
  assert_int_equal(arch()->cur_valid, 0);
  for (unsigned i = 0; i < 4; i++) {
    retire(i);
    cycle();
    assert_int_equal(out.free_valid, i >= 2);
  }
  assert_int_equal(until_free(), 0);
  assert_int_equal(until_free(), 0);
}

/* Slow software: the slots are used up; completions go on; each record comes out once, and its slot with it. */
static void test_slots_exhausted(void **state) {
  (void)state;
  unsigned seen[5] = {0};
  in.record_done_ready = 0;
  for (unsigned i = 0; i < 5; i++) hand_out(false, 100 + i, 1);
  cycle();
  assert_int_equal(out.slot_valid, 0);
  assert_int_equal(out.slot, 0);
  for (unsigned i = 0; i < 5; i++) {
    retire(cfg.agt_size + i);
    cycle();
  }
  for (unsigned k = 0; k < 10; k++) cycle();
  assert_int_equal(out.slot_valid, 1); /* that of the record offered */
  for (unsigned k = 0, n = 0; k < 60; k++) {
    in.record_done_ready = k % 5 == 4;
    cycle();
    if (out.record_done_valid && in.record_done_ready) {
      assert_in_range(out.record_done, 100, 104);
      seen[out.record_done - 100]++, n++;
    }
    assert_true(n <= 5);
  }
  for (unsigned i = 0; i < 5; i++) assert_int_equal(seen[i], 1);
}

/* Slots that wait are looked at from the pointer on. */
static void test_records_round_robin(void **state) {
  (void)state;
  in.record_done_ready = 0;
  for (unsigned i = 0; i < 4; i++) hand_out(false, 10 + i, 1);
  static const unsigned ended[] = {2, 0, 3, 1}, expected[] = {12, 10, 11, 13};
  for (unsigned k = 0; k < 4; k++) {
    retire(cfg.agt_size + ended[k]);
    cycle();
  }
  for (unsigned k = 0; k < 4; k++) cycle();
  in.record_done_ready = 1;
  for (unsigned k = 0; k < 4; k++) {
    cycle();
    assert_int_equal(out.record_done_valid, 1);
    assert_int_equal(out.record_done, expected[k]);
  }
}

/* A record offered stays until it is taken. */
static void test_record_holds(void **state) {
  (void)state;
  in.record_done_ready = 0;
  run_overflowed(9, 0);
  until_record();
  for (int t = 0; t < 5; t++) {
    cycle();
    assert_int_equal(out.record_done, 9);
  }
  in.record_done_ready = 1;
  cycle();
  cycle();
  assert_int_equal(out.record_done_valid, 0);
  assert_int_equal(out.record_done, 0);
}

/* A record whose Next write is unanswered is not returned yet, though its slot is free; those behind it wait. */
static void test_record_waits_for_its_next(void **state) {
  (void)state;
  in.next_valid[2] = 1;
  in.next_record[2] = 55;
  run_overflowed(55, 0);
  for (int t = 0; t < 4; t++) cycle();
  assert_int_equal(out.slot, 0);
  run_overflowed(66, 0);
  assert_int_equal(until_record(), -1);
  assert_int_equal(out.record_done, 0);
  in.next_record[2] = 56;
  assert_int_equal(until_record(), 0);
  assert_int_equal(out.record_done, 55);
  assert_int_equal(until_record(), 0);
  assert_int_equal(out.record_done, 66);
}

/* A parked group on chip: no TB that ends frees its AGE; when its kernel has come back it counts from the start. */
static void test_park_onchip(void **state) {
  (void)state;
  load(true, 1);
  cycle();
  for (unsigned k = 0; k < 2; k++) {
    grant(false);
    cycle();
  }
  park(1);
  cycle();
  assert_int_equal(arch()->park_agei[1], 1);
  retire(1);
  cycle();
  retire(1);
  assert_int_equal(until_free(), -1);
  in.left[1] = 1;
  cycle();
  assert_int_equal(arch()->park_valid[1], 0);
  assert_int_equal(until_free(), -1);
  hand_out(true, 1, 1);
  cycle();
  retire(1);
  assert_int_equal(until_free(), 2);
}

/* A parked group in a slot gives the slot back in the cycle after its kernel has left, without its record. */
static void test_park_overflowed(void **state) {
  (void)state;
  load(false, 31);
  cycle();
  grant(false);
  cycle();
  park(0);
  cycle();
  retire(cfg.agt_size);
  for (int t = 0; t < 4; t++) cycle();
  in.left[1] = 1; /* another kernel */
  cycle();
  cycle();
  assert_int_equal(out.slot, 1);
  in.left[0] = 1;
  cycle();
  assert_int_equal(arch()->leaving[0] && arch()->park_valid[0] && arch()->ovf_used[0], 1);
  cycle();
  assert_int_equal(out.slot_valid || out.slot, 0);
  cycle();
  assert_int_equal(out.slot_valid, 1);
  assert_int_equal(out.slot, 0);
  assert_int_equal(arch()->leaving[0] || arch()->park_valid[0], 0);
  assert_int_equal(until_record(), -1);
}

/* Kernels that leave together give their slots back one per cycle; meanwhile no slot is given out. */
static void test_leave_together(void **state) {
  (void)state;
  for (unsigned i = 0; i < 2; i++) {
    load(false, 40 + i);
    cycle();
    park(i);
    cycle();
  }
  in.left[0] = in.left[1] = 1;
  cycle();
  for (unsigned i = 0; i < 2; i++) {
    assert_int_equal(arch()->ovf_used[0] + arch()->ovf_used[1], 2 - i);
    cycle();
    assert_int_equal(out.slot_valid, 0);
  }
  cycle();
  assert_int_equal(out.slot_valid, 1);
  assert_int_equal(out.slot, 0);
}

/* The same group goes on after its kernel was resumed: its record is returned once. */
static void test_parked_goes_on(void **state) {
  (void)state;
  load(false, 31);
  cycle();
  grant(false);
  cycle();
  park(0);
  cycle();
  retire(cfg.agt_size);
  for (int t = 0; t < 4; t++) cycle();
  in.left[0] = 1;
  cycle();
  cycle();
  run_overflowed(31, 0);
  assert_int_equal(until_record(), 3);
  assert_int_equal(out.record_done, 31);
  assert_int_equal(until_record(), -1);
}

/* Reset in mid-flight leaves the state of a fresh one, byte for byte. */
static void test_reset(void **state) {
  (void)state;
  struct hd_agc *fresh = ut_new(hd_agc_size(&cfg));
  hd_agc_init(fresh, &cfg);
  run_overflowed(5, 0);
  hand_out(true, 1, 2);
  load(false, 6);
  cycle();
  park(1);
  retire(1);
  cycle();
  assert_memory_not_equal(m, fresh, hd_agc_size(&cfg));
  hd_agc_reset(m);
  assert_memory_equal(m, fresh, hd_agc_size(&cfg));
  free(fresh);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_empty_after_reset),
      TEST(test_free_latency),
      TEST(test_record_latency),
      TEST(test_current),
      TEST(test_retire_in_the_end),
      TEST(test_retire_back_to_back),
      TEST(test_retire_in_turn),
      TEST(test_counts_wrap),
      TEST(test_native_ctas),
      TEST(test_reuse),
      TEST(test_load_in_the_end),
      TEST(test_slots_exhausted),
      TEST(test_records_round_robin),
      TEST(test_record_holds),
      TEST(test_record_waits_for_its_next),
      TEST(test_park_onchip),
      TEST(test_park_overflowed),
      TEST(test_leave_together),
      TEST(test_parked_goes_on),
      TEST(test_reset),
  };
  return cmocka_run_group_tests_name("agc", tests, NULL, NULL);
}
