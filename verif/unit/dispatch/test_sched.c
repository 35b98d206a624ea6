/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The SMX scheduler: round robin, SSCR, head of line, refill, retirement, and the kernel and level of a slot. */
#include "unit/dispatch/sched_fixture.h"

/* Nothing happens without a kernel. */
TEST_F(test_idle_after_reset) {
  cycle();
  assert_int_equal(out.grant.valid || out.events.blocked || out.retire.valid || out.unmark || out.events.waiting, 0);
  assert_int_equal(out.grant.level, 0);
  for (unsigned s = 0; s < cfg.num_smx; s++) assert_int_equal(out.dispatch_valid[s], 0);
}

/* With 13 empty SMXs TB n of the first kernel goes to SMX n mod 13, one each cycle. */
TEST_F(test_tb_n_to_smx_n_mod_13) {
  enter(3, 100, 1);
  cycle();
  for (unsigned n = 0; n < 100; n++) {
    expect_grant((int)(n % 13));
    assert_int_equal(out.sscr.kdei, 3);
    assert_int_equal(out.unmark, n == 99);
    if (n > 0) assert_int_equal(out.dispatch[(n - 1) % 13].blkid, n - 1);
  }
  expect_grant(-1);
  assert_int_equal(out.events.blocked, 0);
}

/* Round robin by an example: 3 TBs fill an SMX; TB 39 waits; TB 17 on SMX 4 ends first; TB 39 goes to SMX 4. */
TEST_F(test_tb_39_goes_to_smx_4) {
  enter(0, 40, 64);
  cycle();
  for (unsigned n = 0; n < 39; n++) expect_grant((int)(n % 13));
  for (int t = 0; t < 5; t++) {
    expect_grant(-1);
    assert_int_equal(out.events.blocked, 1);
  }
  done(4, 1); /* TB 17 = 13 + 4 was the second on SMX 4 */
  expect_grant(-1);
  expect_grant(4);
  assert_int_equal(out.unmark, 1);
  cycle();
  assert_int_equal(out.dispatch_valid[4], 1);
  assert_int_equal(out.dispatch[4].blkid, 39);
  assert_int_equal(out.dispatch[4].slot, 1);
}

/* 13 TBs end in one cycle t: their slots are refilled one per cycle, dispatched from t+2 to t+14. */
TEST_F(test_thirteen_at_once) {
  enter(0, 39 + 13, 64);
  cycle();
  for (unsigned n = 0; n < 39; n++) expect_grant((int)(n % 13));
  cycle();
  for (unsigned s = 0; s < 13; s++) done(s, 2);
  expect_grant(-1);
  for (unsigned i = 0; i < 13; i++) expect_grant((int)i);
  for (unsigned s = 0; s < 13; s++) assert_int_equal(hd_sched_tbcr(m, s)->free, 0xfff8);
}

/* The first SMX at or after the pointer: after SMX 4 got a TB, SMX 6 comes before SMX 1. */
TEST_F(test_pointer_is_winner_plus_one) {
  hand_out(0, 39, 64);
  enter(1, 3, 64);
  cycle();
  done(4, 0);
  cycle();
  expect_grant(4);
  done(1, 0);
  done(6, 0);
  cycle();
  expect_grant(6);
  expect_grant(1);
}

/* The pointer is not reset between kernels. */
TEST_F(test_pointer_lives_on) {
  hand_out(0, 5, 1);
  cycle();
  enter(1, 2, 1);
  cycle();
  expect_grant(5);
  expect_grant(6);
}

/* The next marked kernel follows without a lost cycle, and shares SMXs with the one before. */
TEST_F(test_next_kernel_at_once) {
  enter(7, 3, 1);
  cycle();
  in_kd(9, 2, 1);
  next(9);
  for (unsigned n = 0; n < 5; n++) {
    expect_grant((int)n);
    assert_int_equal(out.sscr.kdei, n < 3 ? 7 : 9);
    assert_int_equal(out.unmark, n == 2 || n == 4);
    if (n == 2) next(-1);
  }
  assert_int_equal(out.dispatch[3].blkid, 0); /* ids start at 0 again */
}

/* A kernel that enters in the cycle of the last hand-out follows at once, if no other is marked. */
TEST_F(test_enter_at_the_last_tb) {
  enter(0, 1, 1);
  cycle();
  enter(1, 1, 1);
  expect_grant(0);
  expect_grant(1);
  assert_int_equal(out.sscr.kdei, 1);
}

/* Kernels of one TB follow each other at one TB per cycle, too. */
TEST_F(test_one_tb_kernels) {
  for (unsigned i = 0; i < 8; i++) in_kd(i, 1, 1);
  enter(0, 1, 1);
  cycle();
  for (unsigned i = 0; i < 8; i++) {
    next(i < 7 ? (int)i + 1 : -1);
    expect_grant((int)i);
    assert_int_equal(out.sscr.kdei, i);
    assert_int_equal(out.unmark, 1);
  }
}

/* A kernel that enters while another hands out waits in the FCFS, not in the SSCR. */
TEST_F(test_enter_does_not_disturb) {
  enter(0, 4, 1);
  cycle();
  enter(1, 4, 1);
  for (unsigned n = 0; n < 4; n++) {
    expect_grant((int)n);
    assert_int_equal(out.sscr.kdei, 0);
  }
  expect_grant(-1);
}

/* Head of line: a younger kernel that would fit does not pass the oldest, which does not. */
TEST_F(test_head_of_line) {
  hand_out(0, 13, 100);
  enter(1, 1, 100); /* no SMX has 100 units left */
  cycle();
  in_kd(2, 1, 1);
  next(2);
  for (int t = 0; t < 20; t++) {
    expect_grant(-1);
    assert_int_equal(out.events.blocked, 1);
  }
  done(12, 0);
  cycle();
  expect_grant(12);
  assert_int_equal(out.sscr.kdei, 1);
  cycle();
  assert_int_equal(out.sscr.kdei, 2);
}

/* Each of the limits of an SMX blocks by itself: slots, warps, registers, shared memory. */
TEST_F(test_each_limit_blocks) {
  static const struct {
    struct hd_need need;
    unsigned fit;
  } limit[] = {{{.warps = 1}, 16}, {{.warps = 32}, 2}, {{.warps = 1, .regs = 128}, 2}, {{.warps = 1, .smem = 48}, 4}};
  for (unsigned i = 0; i < 4; i++) {
    hd_sched_reset(m);
    enter(0, 1000, 0);
    in.kmu_offer.kernel.need = in.kd_need[0] = limit[i].need;
    cycle();
    for (unsigned n = 0; n < 13 * limit[i].fit; n++) expect_grant((int)(n % 13));
    expect_grant(-1);
    assert_int_equal(out.events.blocked, 1);
  }
}

/* An SMX that does not accept its dispatch gets no other TB; the rest continue. */
TEST_F(test_full_dispatch_register_is_passed) {
  in.dispatch_ready[2] = 0;
  enter(0, 30, 1);
  cycle();
  for (unsigned s = 0; s < 13; s++) expect_grant((int)s);
  expect_grant(0);
  expect_grant(1);
  expect_grant(3);
  assert_int_equal(out.dispatch_valid[2], 1);
  assert_int_equal(out.dispatch[2].blkid, 2);
}

/* A dispatch register that is emptied in a cycle counts as full in it: one SMX takes a TB every second cycle. */
TEST_F(test_emptied_counts_as_full) {
  free(m);
  start(ut_cfg_with("k20c", "NumSmx", 1));
  enter(0, 16, 1);
  cycle();
  for (unsigned i = 0; i < 4; i++) {
    expect_grant(0);
    expect_grant(-1);
    assert_int_equal(out.dispatch_valid[0], 1);
    assert_int_equal(out.events.blocked, 1);
  }
}

/* The descriptor of the dispatch is that which the KD shows in the cycle after the grant. */
TEST_F(test_dispatch_desc) {
  in.dispatch_ready[0] = 0;
  enter(0, 1, 1);
  cycle();
  cycle();
  in.kd_desc = ut_launch(0, 5).desc;
  cycle();
  assert_true(out.dispatch[0].desc.param == 0x10000 + 5);
  memset(&in.kd_desc, 0, sizeof in.kd_desc);
  cycle();
  assert_true(out.dispatch[0].desc.param == 0x10000 + 5);
}

/* Completions of all SMXs are accepted in one cycle and retire one per cycle, round robin; the KD is informed one cycle
 * later. */
TEST_F(test_retire_round_robin) {
  hand_out(4, 13, 1);
  cycle();
  done(8, 0);
  cycle();
  cycle(); /* SMX 8 retires: the pointer is at 9 */
  assert_int_equal(out.retire.valid, 0);
  assert_int_equal(hd_sched_tbcr(m, 8)->done_count, 0);
  for (unsigned s = 0; s < 13; s++) {
    if (s != 8) done(s, 0);
  }
  cycle();
  assert_int_equal(out.retire.valid, 1);
  for (unsigned i = 0; i < 12; i++) {
    cycle();
    for (unsigned s = 0; s < 13; s++) assert_int_equal(out.done_ok[s], i == 0 && s != 8);
    assert_int_equal(out.retire.valid, i > 0);
    assert_int_equal(out.retire.tb.kdei, i > 0 ? 4 : 0);
    assert_int_equal(hd_sched_tbcr(m, (9 + i) % 13)->done_count, 0);
  }
  cycle();
  assert_int_equal(out.retire.valid, 1);
  cycle();
  assert_int_equal(out.retire.valid, 0);
}

/* Invalid completions are reported per SMX. */
TEST_F(test_wrong_completions) {
  in.dispatch_ready[0] = 0;
  hand_out(0, 2, 1);
  cycle();
  done(0, 0); /* not taken yet */
  done(1, 0);
  done(2, 0); /* nothing there */
  cycle();
  cycle();
  for (unsigned s = 0; s < 13; s++) {
    assert_int_equal(out.done_early[s], s == 0);
    assert_int_equal(out.done_ok[s], s == 1);
    assert_int_equal(out.done_empty[s], s == 2);
  }
}

/* Visit = 1, LaPerm's literal walk: one SMX is looked at per cycle; a lone slot waits for the pointer to come round. */
TEST_F(test_visit_walks) {
  free(m);
  start(ut_cfg_with("k20c", "Visit", 1));
  hand_out(0, 39, 64); /* pointer 0 again */
  enter(1, 2, 64);
  done(12, 0);
  cycle();
  for (unsigned s = 0; s < 12; s++) expect_grant(-1);
  expect_grant(12);
}

/* Without a kernel the pointer does not move. */
TEST_F(test_visit_rests_without_a_kernel) {
  free(m);
  start(ut_cfg_with("k20c", "Visit", 1));
  for (int t = 0; t < 5; t++) cycle();
  enter(0, 1, 1);
  cycle();
  expect_grant(0);
}

/* More SMXs than a 64-bit word has bits: the round goes through all 132. */
TEST_F(test_132_smxs) {
  free(m);
  start(ut_cfg("big"));
  enter(0, 140, 1);
  cycle();
  for (unsigned n = 0; n < 140; n++) expect_grant((int)(n % 132));
  cycle();
  done(131, 0);
  done(63, 0);
  done(64, 0);
  cycle();
  cycle();
  for (int i = 0; i < 3; i++) {
    cycle();
    assert_int_equal(out.retire.valid, 1);
  }
  cycle();
  assert_int_equal(out.retire.valid, 0);
}

/* The slot of an SMX requested in t is reported in t+1. */
TEST_F(test_look) {
  hand_out(4, 13, 1);
  cycle();
  cycle();
  in.devq_look.smx = 5;
  cycle();
  assert_int_equal(out.look.valid, 1); /* SMX 0 was requested in the previous cycle */
  in.devq_look.slot = 1;
  cycle();
  assert_int_equal(out.look.valid, 1);
  assert_int_equal(out.look.kdei, 4);
  cycle();
  assert_int_equal(out.look.valid, 0);
}

/* Reset with work in flight leaves the state of a new model, byte for byte. */
TEST_F(test_reset) {
  struct hd_sched *fresh = ut_new(hd_sched_size(&cfg));
  hd_sched_init(fresh, &cfg);
  hand_out(0, 20, 1);
  done(3, 0);
  enter(1, 4, 1);
  cycle();
  assert_memory_not_equal(m, fresh, hd_sched_size(&cfg));
  hd_sched_reset(m);
  assert_memory_equal(m, fresh, hd_sched_size(&cfg));
  free(fresh);
}

TEST_MAIN("sched", NULL, NULL)
