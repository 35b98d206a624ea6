/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The search for an eligible kernel: key, choice, sweep in steps, the result cached for a command, events. */
#include "launch/match.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_match *m;
static struct hd_match_in in;
static struct hd_match_out out;

static bool first; /* the next beat is that of another turn */

/* k20c has 32 entries; `lanes` of them are searched per cycle. */
static void start(unsigned lanes) {
  free(m);
  cfg = ut_cfg_with("k20c", "KdeSearchLanes", lanes);
  m = ut_new(hd_match_size(&cfg));
  hd_match_init(m, &cfg);
  memset(&in, 0, sizeof in);
  first = false;
}

static int setup(void **state) {
  (void)state;
  start(32);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  free(m);
  m = NULL;
  return 0;
}

/* One cycle; a result is taken when there is one. Afterwards `out` holds what it showed. */
static void cycle(void) {
  hd_match_eval(m, &in, &out);
  in.devq_find_take = out.found.valid;
  hd_match_tick(m, &in);
  in.devq_find_take = in.kd_entry.valid = 0;
}

/* One cycle in which no result is taken. */
static void wait(void) {
  hd_match_eval(m, &in, &out);
  hd_match_tick(m, &in);
}

static struct hd_key key(unsigned pc) {
  return (struct hd_key){.pc = pc, .cta_x = 32, .cta_y = 2, .cta_z = 1, .smem = 3};
}

/* The key of the kernel that is offered. */
static void enter_key(struct hd_key k) {
  in.kmu_offer.kernel.desc.pc = k.pc;
  in.kmu_offer.kernel.desc.cta_x = k.cta_x;
  in.kmu_offer.kernel.desc.cta_y = k.cta_y;
  in.kmu_offer.kernel.desc.cta_z = k.cta_z;
  in.kmu_offer.kernel.need.smem = k.smem;
}

/* A kernel of that code enters an entry and can take groups from the next cycle on. */
static void enter(unsigned kdei, struct hd_key k) {
  in.kd_entry.valid = 1;
  in.kd_entry.kdei = (uint8_t)kdei;
  enter_key(k);
  cycle();
  in.kd_eligible[kdei] = 1;
}

/* A group is in A1 from now on; `last`: the next beat is of another turn. */
static void find(struct hd_key k, bool last) {
  in.devq_find.valid = 1;
  in.devq_find.key = k;
  in.devq_find.first = first;
  first = last;
}

static void nothing(void) {
  in.devq_find.valid = in.devq_find.first = 0;
  in.devq_find.key = (struct hd_key){0};
}

/* Searches and takes the result: the entry, or -1. *cycles: how long it took. */
static int search(struct hd_key k, bool last, unsigned *cycles) {
  find(k, last);
  *cycles = 0;
  do {
    cycle();
    ++*cycles;
  } while (!out.found.valid && *cycles < 100);
  nothing();
  return out.found.hit ? out.found.kdei : -1;
}

/* The same, which must take just that long. */
static void check(struct hd_key k, bool last, int kdei, unsigned cycles) {
  unsigned n;
  assert_int_equal(search(k, last, &n), kdei);
  assert_int_equal(n, cycles);
}

static struct hd_match_arch *arch(void) {
  static struct hd_match_arch a;
  hd_match_arch(m, &a, true);
  return &a;
}

TEST_F(test_idle_after_reset) {
  cycle();
  assert_int_equal(out.found.valid || out.found.hit || out.found.kdei || out.events.searched || out.events.compared, 0);
  assert_int_equal(arch()->pos || arch()->res_valid, 0);
}

/* All entries in one cycle: hit, and miss. */
TEST_F(test_one_cycle) {
  enter(31, key(7));
  check(key(7), true, 31, 1);
  check(key(8), true, -1, 1);
}

/* The lowest of several eligible kernels. */
TEST_F(test_lowest) {
  enter(9, key(7));
  enter(4, key(7));
  enter(2, key(8));
  enter(30, key(7));
  check(key(7), true, 4, 1);
  in.kd_eligible[4] = 0;
  check(key(7), true, 9, 1);
}

/* Code, each TB dimension and shared memory must be equal. */
TEST_F(test_every_field_counts) {
  enter(0, key(7));
  struct hd_key k[5] = {key(7), key(7), key(7), key(7), key(6)};
  k[0].cta_x++;
  k[1].cta_y++;
  k[2].cta_z++;
  k[3].smem++;
  for (unsigned i = 0; i < 5; i++) check(k[i], true, -1, 1);
  check(key(7), true, 0, 1);
}

/* A kernel that the KD does not take leaves the key as it is; one that enters counts from the next cycle on. */
TEST_F(test_enter) {
  enter(3, key(7));
  in.kmu_offer.valid = 1;
  in.kd_entry.kdei = 3;
  enter_key(key(9));
  check(key(7), true, 3, 1);
  in.kd_entry.valid = 1;
  check(key(9), true, -1, 1);
  check(key(9), true, 3, 1);
  assert_true(arch()->key_row[3].pc == 9);
}

/* A result that is not taken follows the kernels as they are. */
TEST_F(test_not_taken) {
  enter(5, key(7));
  enter(6, key(7));
  find(key(7), true);
  wait();
  assert_int_equal(out.found.kdei, 5);
  in.kd_eligible[5] = 0;
  wait();
  assert_int_equal(out.found.kdei, 6);
  in.kd_eligible[6] = 0;
  cycle();
  assert_int_equal(out.found.valid, 1);
  assert_int_equal(out.found.hit, 0);
}

/* One entry a cycle: the kernel in entry 31 is found in the 32nd; the other 31 lanes take one cycle each. */
TEST_F(test_warp_of_one_key) {
  start(1);
  enter(31, key(7));
  check(key(7), false, 31, 32);
  for (unsigned lane = 1; lane < 32; lane++) check(key(7), lane == 31, 31, 1);
  check(key(7), true, 31, 32); /* another turn */
}

/* The same when no kernel is eligible: 32 cycles once. */
TEST_F(test_warp_without_kernel) {
  start(1);
  check(key(7), false, -1, 32);
  for (unsigned lane = 1; lane < 32; lane++) check(key(7), lane == 31, -1, 1);
}

/* A sweep ends at the first step with a hit, and takes the lowest entry of that step. */
TEST_F(test_steps) {
  start(4);
  enter(11, key(7));
  enter(10, key(7));
  enter(13, key(7));
  check(key(7), true, 10, 3);
  check(key(8), true, -1, 8);
  assert_int_equal(arch()->pos, 0);
}

/* Steps that do not divide the entries: the last one searches the remaining ones. */
TEST_F(test_odd_steps) {
  start(5);
  enter(31, key(7));
  check(key(7), true, 31, 7);
  check(key(8), true, -1, 7);
}

/* In another turn no result is kept. */
TEST_F(test_another_turn) {
  start(4);
  enter(31, key(7));
  check(key(7), false, 31, 8);
  check(key(7), true, 31, 1);
  check(key(7), true, 31, 8);
}

/* Nor is it if the first beat requests no search: it is no group, or an illegal one. */
TEST_F(test_first_asks_nothing) {
  start(4);
  enter(31, key(7));
  check(key(7), false, 31, 8);
  in.devq_find.first = 1;
  wait();
  in.devq_find.first = 0;
  assert_int_equal(arch()->res_valid, 0);
  check(key(7), true, 31, 8);
}

/* Another key sweeps, and its result is kept instead. */
TEST_F(test_other_key) {
  start(4);
  enter(31, key(7));
  enter(8, key(8));
  check(key(7), false, 31, 8);
  check(key(8), false, 8, 3);
  check(key(8), false, 8, 1);
  check(key(7), true, 31, 8);
}

/* A kept kernel that can take no more groups is not used: the sweep starts again. */
TEST_F(test_kept_kernel_stops) {
  start(4);
  enter(3, key(7));
  enter(30, key(7));
  check(key(7), false, 3, 1);
  in.kd_eligible[3] = 0;
  check(key(7), false, 30, 8);
  check(key(7), true, 30, 1);
}

/* A kernel that becomes eligible within the command does not change a kept miss. */
TEST_F(test_kept_miss) {
  start(4);
  check(key(7), false, -1, 8);
  enter(0, key(7));
  check(key(7), false, -1, 1);
  check(key(7), true, -1, 1);
  check(key(7), true, 0, 1);
}

/* The step holds while a result is not taken, and continues when it is gone. */
TEST_F(test_step_holds) {
  start(4);
  enter(9, key(7));
  find(key(7), true);
  for (unsigned t = 0; t < 2; t++) wait();
  for (unsigned t = 0; t < 3; t++) {
    wait();
    assert_int_equal(out.found.valid && out.found.kdei == 9, 1);
    assert_int_equal(arch()->pos, 2);
  }
  in.kd_eligible[9] = 0;
  wait();
  assert_int_equal(out.found.valid, 0);
  assert_int_equal(arch()->pos, 3);
}

/* searched follows each take, search each cycle of a search, by one cycle. */
TEST_F(test_events) {
  start(16);
  enter(20, key(7));
  static const struct {
    uint8_t last, searched, search;
  } want[] = {{0, 0, 0}, {0, 0, 1}, {0, 1, 1}, {1, 1, 0}, {1, 1, 0}, {1, 0, 1}, {1, 1, 1}};
  for (unsigned t = 0; t < sizeof want / sizeof *want; t++) {
    if (t == 6) nothing(); /* the second command's search ended in 5 */
    if (t < 6) find(key(7), want[t].last);
    cycle();
    assert_int_equal(out.events.searched, want[t].searched);
    assert_int_equal(out.events.compared, want[t].search);
  }
  cycle();
  assert_int_equal(out.events.searched || out.events.compared, 0);
}

/* Reset in the middle of a sweep: all state is cleared. */
TEST_F(test_reset) {
  start(4);
  enter(31, key(7));
  check(key(7), false, 31, 8);
  find(key(8), false);
  cycle();
  hd_match_reset(m);
  struct hd_match *fresh = ut_new(hd_match_size(&cfg));
  hd_match_init(fresh, &cfg);
  assert_memory_equal(m, fresh, hd_match_size(&cfg));
  free(fresh);
}

TEST_MAIN("match", NULL, NULL)
