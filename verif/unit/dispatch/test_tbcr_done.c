/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The TB control registers of one SMX: valid and invalid completions, and the done FIFO. */
#include "unit/dispatch/tbcr_fixture.h"

/* An accepted completion is reported in the next cycle, and retires as its kernel. */
TEST_F(test_done_ok) {
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

/* A completion of an empty slot, or of one that does not exist, changes no state and is reported. */
TEST_F(test_done_empty) {
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
TEST_F(test_done_twice) {
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
TEST_F(test_done_in_the_cycle_of_the_grant) {
  grant(0, 0);
  done(0);
  cycle();
  cycle();
  assert_int_equal(out.done_empty, 1);
  assert_int_equal(arch()->valid[0], 1);
}

/* A completion of a TB that is still in the dispatch register is ignored, even if it is taken in that cycle. */
TEST_F(test_done_early) {
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
TEST_F(test_done_beside_a_dispatch) {
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
TEST_F(test_retire_order) {
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

/* A completion and a retirement in one cycle: one is pushed, the oldest is popped. */
TEST_F(test_completion_and_retire_at_once) {
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
 * when resident and queued TBs reach DoneDepth, though all slots are free; each retirement allows one more. */
TEST_F(test_owed_bounds_the_done_fifo) {
  assert_int_equal(turn_around(), cfg.done_depth);
  assert_true(arch()->done_count > cfg.ctas_per_smx); /* a FIFO of one place per slot would have lost some */
  assert_int_equal(arch()->done_count, cfg.done_depth);
  assert_int_equal(out.slot_free, 1);
  in.pop = 1;
  cycle();
  assert_int_equal(turn_around(), 1);
}

/* The bound is DoneDepth = CtasPerSmx + DoneSlack, for any slack. */
TEST_F(test_bound_follows_done_slack) {
  for (uint32_t slack = 1; slack <= 20; slack += 19) {
    free(m);
    start(ut_cfg_with("k20c", "DoneSlack", slack));
    assert_int_equal(turn_around(), 16 + slack);
  }
}

/* The bound counts resident TBs too, so that each of them finds a place when it ends. */
TEST_F(test_residents_are_owed) {
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

/* Empty rows of the done FIFO read as 0 and are marked as empty. */
TEST_F(test_arch_tables) {
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

TEST_MAIN("tbcr_done", NULL, NULL)
