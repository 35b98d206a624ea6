/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The TB control registers of one SMX: slots, resources, dispatch, completions, done FIFO. */
#include "dispatch/tbcr.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_tbcr *m;
static struct hd_tbcr_in in;
static struct hd_tbcr_out out;

static void start(struct hd_cfg c) {
  cfg = c;
  m = ut_new(hd_tbcr_size(&cfg));
  hd_tbcr_init(m, &cfg);
  memset(&in, 0, sizeof in);
  in.dispatch_ready = 1;
  for (unsigned i = 0; i < cfg.num_kde; i++) in.need[i] = (struct hd_need){.warps = 1, .regs = 2, .smem = 1};
}

static int setup(void **state) {
  (void)state;
  start(ut_cfg("k20c"));
  return 0;
}

static int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

/* One cycle; afterwards `out` holds what it showed, and the pulses among the inputs are over. */
static void cycle(void) {
  hd_tbcr_eval(m, &in, &out);
  hd_tbcr_tick(m, &in);
  in.grant = in.pop = in.cta_done_valid = 0;
}

/* Asks for TB blkid of a kernel in the coming cycle. */
static void grant(unsigned kdei, uint32_t blkid) {
  in.grant = 1;
  in.grant_kdei = (uint8_t)kdei;
  in.grant_blkid = blkid;
  in.grant_need = in.need[kdei];
}

static void done(unsigned slot) {
  in.cta_done_valid = 1;
  in.cta_done_slot = (uint8_t)slot;
}

/* Grants a TB and lets the SMX take it: two cycles. */
static void run_cta(unsigned kdei) {
  grant(kdei, 0);
  cycle();
  cycle();
}

static struct hd_tbcr_arch *arch(void) {
  static struct hd_tbcr_arch a;
  hd_tbcr_arch(m, &a, true);
  return &a;
}

/* After reset the SMX is empty: all of it is free. */
static void test_empty_after_reset(void **state) {
  (void)state;
  cycle();
  assert_int_equal(out.slot_free && out.done_room, 1);
  assert_int_equal(out.free_warps, 64);
  assert_int_equal(out.free_regs, 256);
  assert_int_equal(out.free_smem, 192);
  assert_int_equal(out.retire_valid || out.dispatch_valid, 0);
}

/* Granted in t, offered to the SMX from t+1 on; the descriptor comes from the KD in t+1. */
static void test_dispatch_follows_the_grant(void **state) {
  (void)state;
  grant(5, 1234);
  cycle();
  assert_int_equal(out.dispatch_valid, 0);
  in.desc = ut_launch(0, 9).desc;
  cycle();
  assert_int_equal(out.dispatch_valid, 1);
  assert_int_equal(out.dispatch.slot, 0);
  assert_int_equal(out.dispatch.kdei, 5);
  assert_int_equal(out.dispatch.blkid, 1234);
  assert_memory_equal(&out.dispatch.desc, &in.desc, sizeof in.desc);
  cycle();
  assert_int_equal(out.dispatch_valid, 0);
}

/* A dispatch that is not taken stays as it is, though the KD's output moves on. */
static void test_dispatch_holds(void **state) {
  (void)state;
  in.dispatch_ready = 0;
  grant(1, 7);
  cycle();
  in.desc = ut_launch(0, 9).desc;
  for (int t = 0; t < 4; t++) {
    cycle();
    assert_int_equal(out.dispatch_valid, 1);
    assert_true(out.dispatch.desc.param == 0x10000 + 9);
    memset(&in.desc, 0, sizeof in.desc);
  }
  in.dispatch_ready = 1;
  cycle();
  cycle();
  const struct hd_dispatch none = {0};
  assert_memory_equal(&out.dispatch, &none, sizeof none);
}

/* Slots are taken lowest first; a freed one is the next if it is the lowest. */
static void test_lowest_free_slot(void **state) {
  (void)state;
  for (unsigned i = 0; i < 4; i++) {
    grant(0, i);
    cycle();
    cycle();
    assert_int_equal(out.dispatch.slot, i);
  }
  done(2);
  cycle();
  done(1);
  cycle();
  grant(0, 9);
  cycle();
  cycle();
  assert_int_equal(out.dispatch.slot, 1);
}

/* All 16 slots in use: none is free, whatever else is. */
static void test_slots_run_out(void **state) {
  (void)state;
  for (unsigned i = 0; i < cfg.ctas_per_smx; i++) {
    cycle();
    assert_int_equal(out.slot_free, 1);
    run_cta(0);
  }
  cycle();
  assert_int_equal(out.slot_free, 0);
  assert_int_equal(out.free_warps, 64 - 16);
}

/* A TB takes what it needs and gives back what its kernel's entry says, in the cycle of its completion. */
static void test_resources_come_back(void **state) {
  (void)state;
  in.need[3] = (struct hd_need){.warps = 8, .regs = 40, .smem = 64};
  run_cta(3);
  done(0);
  cycle();
  assert_int_equal(out.free_warps, 56);
  assert_int_equal(out.free_regs, 216);
  assert_int_equal(out.free_smem, 128);
  cycle();
  assert_int_equal(out.free_warps, 64);
  assert_int_equal(out.free_regs, 256);
  assert_int_equal(out.free_smem, 192);
}

/* Grant and completion in one cycle: resources are the net, and the slot that is freed is not the one granted. */
static void test_grant_and_completion_at_once(void **state) {
  (void)state;
  in.need[1] = (struct hd_need){.warps = 4, .regs = 8, .smem = 2};
  run_cta(0);
  grant(1, 5);
  done(0);
  cycle();
  cycle();
  assert_int_equal(out.dispatch.slot, 1);
  assert_int_equal(out.done_ok, 1);
  assert_int_equal(out.free_warps, 60);
  assert_int_equal(out.free_regs, 248);
  assert_int_equal(out.free_smem, 190);
}

/* An accepted completion is told in the next cycle, and retires as its kernel. */
static void test_done_ok(void **state) {
  (void)state;
  run_cta(9);
  done(0);
  cycle();
  assert_int_equal(out.done_ok, 0);
  cycle();
  assert_int_equal(out.done_ok, 1);
  assert_int_equal(out.retire_valid, 1);
  assert_int_equal(out.retire.kdei, 9);
  in.pop = 1;
  cycle();
  assert_int_equal(out.done_ok, 0);
  cycle();
  assert_int_equal(out.retire_valid, 0);
  assert_int_equal(out.retire.kdei, 0);
}

/* A completion of an empty slot, or of one that does not exist, changes nothing and is told. */
static void test_done_empty(void **state) {
  (void)state;
  static const uint8_t slots[] = {1, 15, 16, 31, 255};
  run_cta(0);
  for (unsigned i = 0; i < sizeof slots; i++) {
    done(slots[i]);
    cycle();
    cycle();
    assert_int_equal(out.done_empty, 1);
    assert_int_equal(out.done_ok || out.done_early || out.retire_valid, 0);
    assert_int_equal(out.free_warps, 63);
  }
}

/* Reported twice: the second finds an empty slot. */
static void test_done_twice(void **state) {
  (void)state;
  run_cta(0);
  done(0);
  cycle();
  done(0);
  cycle();
  cycle();
  assert_int_equal(out.done_empty, 1);
  assert_int_equal(arch()->done_count, 1);
}

/* A slot that is granted in the cycle of the completion was empty when it began. */
static void test_done_in_the_cycle_of_the_grant(void **state) {
  (void)state;
  grant(0, 0);
  done(0);
  cycle();
  cycle();
  assert_int_equal(out.done_empty, 1);
  assert_int_equal(arch()->valid[0], 1);
}

/* A completion of a TB that is still in the dispatch register is ignored, even if it is taken in that cycle. */
static void test_done_early(void **state) {
  (void)state;
  in.dispatch_ready = 0;
  grant(0, 0);
  cycle();
  for (int taken = 0; taken < 2; taken++) {
    done(0);
    in.dispatch_ready = (uint8_t)taken;
    cycle();
    hd_tbcr_eval(m, &in, &out);
    assert_int_equal(out.done_early, 1);
    assert_int_equal(out.done_ok || out.done_empty, 0);
    assert_int_equal(arch()->valid[0], 1);
  }
  done(0); /* now it runs */
  cycle();
  cycle();
  assert_int_equal(out.done_ok, 1);
}

/* While one TB waits in the dispatch register, the others may end. */
static void test_done_beside_a_dispatch(void **state) {
  (void)state;
  run_cta(0);
  in.dispatch_ready = 0;
  grant(0, 1);
  cycle();
  done(0);
  cycle();
  cycle();
  assert_int_equal(out.done_ok, 1);
  assert_int_equal(out.dispatch_valid, 1);
}

/* Retirement is in the order of completion; the ring wraps. */
static void test_retire_order(void **state) {
  (void)state;
  for (unsigned round = 0; round < 12; round++) {
    for (unsigned i = 0; i < 3; i++) run_cta((round + i) % cfg.num_kde);
    for (unsigned i = 0; i < 3; i++) {
      done(2 - i);
      cycle();
    }
    for (unsigned i = 0; i < 3; i++) {
      in.pop = 1;
      cycle();
      assert_int_equal(out.retire.kdei, (round + 2 - i) % cfg.num_kde);
    }
  }
  assert_int_equal(arch()->done_first, 36 % cfg.done_depth);
}

/* A completion and a retirement in one cycle: one goes in, the oldest goes out. */
static void test_completion_and_retire_at_once(void **state) {
  (void)state;
  run_cta(4);
  run_cta(5);
  done(0);
  cycle();
  done(1);
  in.pop = 1;
  cycle();
  assert_int_equal(out.retire.kdei, 4);
  cycle();
  assert_int_equal(out.retire.kdei, 5);
  assert_int_equal(arch()->done_count, 1);
  assert_int_equal(arch()->owed, 1);
}

/* Turns TBs around in three cycles as fast as done_room allows, with retirements withheld; returns how many. */
static unsigned turn_around(void) {
  unsigned n = 0;
  for (int t = 0; t < 50; t++) {
    cycle();
    if (!out.done_room) break;
    run_cta(0);
    done(0);
    cycle();
    n++;
  }
  return n;
}

/* Why `owed` exists: TBs turned around quickly while their retirements wait would overflow any FIFO. Hand-outs stop
 * when resident and queued TBs reach DoneDepth, though all slots are free; each retirement lets one more through. */
static void test_owed_bounds_the_done_fifo(void **state) {
  (void)state;
  assert_int_equal(turn_around(), cfg.done_depth);
  assert_true(arch()->done_count > cfg.ctas_per_smx); /* a FIFO of one place per slot would have lost some */
  assert_int_equal(arch()->done_count, cfg.done_depth);
  assert_int_equal(out.slot_free, 1);
  in.pop = 1;
  cycle();
  assert_int_equal(turn_around(), 1);
}

/* The bound is DoneDepth = CtasPerSmx + DoneSlack, for any slack. */
static void test_bound_follows_done_slack(void **state) {
  (void)state;
  for (uint32_t slack = 1; slack <= 20; slack += 19) {
    free(m);
    start(ut_cfg_with("k20c", "DoneSlack", slack));
    assert_int_equal(turn_around(), 16 + slack);
  }
}

/* The bound counts resident TBs too, so that each of them finds a place when it ends. */
static void test_residents_are_owed(void **state) {
  (void)state;
  for (unsigned i = 0; i < cfg.ctas_per_smx; i++) run_cta(0);
  for (unsigned i = 0; i < cfg.done_slack; i++) { /* turn slot 0 around */
    done(0);
    cycle();
    run_cta(0);
  }
  cycle();
  assert_int_equal(out.done_room, 0);
  for (unsigned i = 0; i < cfg.ctas_per_smx; i++) {
    done(i);
    cycle();
  }
  assert_int_equal(arch()->done_count, cfg.done_depth);
}

/* Rows of the done FIFO that hold nothing read as 0 and are marked so. */
static void test_arch_tables(void **state) {
  (void)state;
  run_cta(7);
  run_cta(8);
  done(0);
  cycle();
  done(1);
  in.pop = 1;
  cycle();
  struct hd_tbcr_arch *a = arch();
  for (unsigned i = 0; i < cfg.done_depth; i++) {
    assert_int_equal(a->done_row_valid[i], i == 1);
    assert_int_equal(a->done_row[i].kdei, i == 1 ? 8 : 0);
  }
  for (unsigned j = 0; j < cfg.ctas_per_smx; j++) assert_int_equal(a->kdei[j], 0);
}

/* A TB of a group, and a saved TB: what the scheduler says of them reaches the SMX; the AGE goes with the completion.
 */
static void test_group_and_level(void **state) {
  (void)state;
  grant(3, 5);
  in.grant_age_valid = 1;
  in.grant_agei = 1030;
  in.grant_level = 2;
  cycle();
  in.grant_age_valid = in.grant_agei = 0;
  in.grant_level = 1;
  in.grant_restart = 1;
  cycle();
  assert_int_equal(out.dispatch.age_valid, 1);
  assert_int_equal(out.dispatch.agei, 1030);
  assert_int_equal(out.dispatch.level, 2);
  assert_int_equal(out.dispatch.restart, 0);
  run_cta(4);
  assert_int_equal(out.dispatch.age_valid, 0);
  assert_int_equal(out.dispatch.restart, 1);
  assert_int_equal(out.dispatch.level, 1);
  assert_int_equal(arch()->agei[0], 1030);
  assert_int_equal(arch()->level[1], 1);
  done(1);
  cycle();
  done(0);
  in.pop = 1;
  cycle();
  assert_int_equal(out.retire.kdei, 4);
  assert_int_equal(out.retire.age_valid, 0);
  cycle();
  assert_int_equal(out.retire.kdei, 3);
  assert_int_equal(out.retire.age_valid, 1);
  assert_int_equal(out.retire.agei, 1030);
  assert_int_equal(arch()->age_valid[0] || arch()->agei[0] || arch()->level[1], 0);
}

/* A TB of a group is told to the SMX as one, with its AGE when it was linked, without one out of a bank; a group
 * without an AGE retires as its kernel alone. */
static void test_group_with_and_without_an_age(void **state) {
  (void)state;
  in.dispatch_ready = 0;
  for (unsigned n = 0; n < 3; n++) { /* native; linked; out of a bank */
    grant(3, n);
    in.grant_group = n > 0;
    in.grant_age_valid = n == 1;
    in.grant_agei = n == 1 ? 77 : 0;
    cycle();
    in.grant_group = n == 0; /* of a TB that is not granted */
    in.grant_age_valid = in.grant_agei = 0;
    for (int t = 0; t < 3; t++) {
      in.dispatch_ready = t == 2;
      cycle();
      assert_int_equal(out.dispatch_valid, 1);
      assert_int_equal(out.dispatch.group, n > 0);
      assert_int_equal(out.dispatch.age_valid, n == 1);
      assert_int_equal(out.dispatch.agei, n == 1 ? 77 : 0);
    }
    in.dispatch_ready = 0;
    cycle();
    assert_int_equal(out.dispatch_valid || out.dispatch.group, 0);
  }
  for (unsigned n = 0; n < 3; n++) {
    done(n);
    cycle();
    in.pop = 1;
    cycle();
    assert_int_equal(out.retire.kdei, 3);
    assert_int_equal(out.retire.age_valid, n == 1);
    assert_int_equal(out.retire.agei, n == 1 ? 77 : 0);
  }
}

/* A slot asked for in t is told in t+1: kernel and level of its TB, once the SMX has taken it and until it ends. */
static void test_look(void **state) {
  (void)state;
  static const uint8_t expect[] = {0, 0, 0, 0, 1, 1, 0, 0}; /* asked in each cycle for slot 0 */
  in.grant_level = 3;
  in.dispatch_ready = 0;
  for (int t = 0; t < 8; t++) {
    if (t == 0) grant(6, 0);
    if (t == 2) in.dispatch_ready = 1; /* taken in 2: it runs from 3 on */
    if (t == 4) done(0);               /* and not in 5 any more */
    cycle();
    assert_int_equal(out.look.valid, expect[t]);
    assert_int_equal(out.look.kdei, expect[t] ? 6 : 0);
    assert_int_equal(out.look.level, expect[t] ? 3 : 0);
  }
}

/* A slot that does not exist runs nothing. */
static void test_look_beyond_the_slots(void **state) {
  (void)state;
  run_cta(1);
  for (unsigned slot = 1; slot < 256; slot++) {
    in.look_slot = (uint8_t)slot;
    cycle();
    hd_tbcr_eval(m, &in, &out);
    assert_int_equal(out.look.valid, 0);
  }
  in.look_slot = 0;
  cycle();
  cycle();
  assert_int_equal(out.look.valid, 1);
}

/* Reset in mid-flight leaves the state of a fresh one, byte for byte. */
static void test_reset(void **state) {
  (void)state;
  struct hd_tbcr *fresh = ut_new(hd_tbcr_size(&cfg));
  hd_tbcr_init(fresh, &cfg);
  run_cta(3);
  done(0);
  grant(2, 4);
  cycle();
  assert_memory_not_equal(m, fresh, hd_tbcr_size(&cfg));
  hd_tbcr_reset(m);
  assert_memory_equal(m, fresh, hd_tbcr_size(&cfg));
  free(fresh);
}

/* An SMX of 32 slots and one of a single slot. */
static void test_extreme_slot_counts(void **state) {
  (void)state;
  free(m);
  start(ut_cfg("big"));
  for (unsigned i = 0; i < 32; i++) run_cta(0);
  cycle();
  assert_int_equal(out.slot_free, 0);
  done(31);
  cycle();
  cycle();
  assert_int_equal(out.done_ok, 1);
  free(m);
  start(ut_cfg_with("tiny", "CtasPerSmx", 1));
  run_cta(1);
  cycle();
  assert_int_equal(out.slot_free, 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_empty_after_reset),
      TEST(test_dispatch_follows_the_grant),
      TEST(test_dispatch_holds),
      TEST(test_lowest_free_slot),
      TEST(test_slots_run_out),
      TEST(test_resources_come_back),
      TEST(test_grant_and_completion_at_once),
      TEST(test_done_ok),
      TEST(test_done_empty),
      TEST(test_done_twice),
      TEST(test_done_in_the_cycle_of_the_grant),
      TEST(test_done_early),
      TEST(test_done_beside_a_dispatch),
      TEST(test_retire_order),
      TEST(test_completion_and_retire_at_once),
      TEST(test_owed_bounds_the_done_fifo),
      TEST(test_bound_follows_done_slack),
      TEST(test_residents_are_owed),
      TEST(test_arch_tables),
      TEST(test_group_and_level),
      TEST(test_group_with_and_without_an_age),
      TEST(test_look),
      TEST(test_look_beyond_the_slots),
      TEST(test_reset),
      TEST(test_extreme_slot_counts),
  };
  return cmocka_run_group_tests_name("tbcr", tests, NULL, NULL);
}
