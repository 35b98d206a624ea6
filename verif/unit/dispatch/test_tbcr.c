/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The TB control registers of one SMX: slots, resources, dispatch, and the kernel and level of a slot. */
#include "unit/dispatch/tbcr_fixture.h"

/* After reset the SMX is empty: all its resources are free. */
TEST_F(test_empty_after_reset) {
  cycle();
  assert_int_equal(out.slot_free && out.done_room, 1);
  assert_int_equal(out.free_warps, 64);
  assert_int_equal(out.free_regs, 256);
  assert_int_equal(out.free_smem, 192);
  assert_int_equal(out.retire_valid || out.dispatch_valid, 0);
}

/* Granted in t, offered to the SMX from t+1 on; the descriptor comes from the KD in t+1. */
TEST_F(test_dispatch_follows_the_grant) {
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
TEST_F(test_dispatch_holds) {
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
TEST_F(test_lowest_free_slot) {
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

/* All 16 slots in use: none is free, with any other resources left. */
TEST_F(test_slots_run_out) {
  for (unsigned i = 0; i < cfg.ctas_per_smx; i++) {
    cycle();
    assert_int_equal(out.slot_free, 1);
    run_cta(0);
  }
  cycle();
  assert_int_equal(out.slot_free, 0);
  assert_int_equal(out.free_warps, 64 - 16);
}

/* A TB allocates its need and frees the need in its kernel's entry, in the cycle of its completion. */
TEST_F(test_resources_come_back) {
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
TEST_F(test_grant_and_completion_at_once) {
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

/* A TB of a group, and a saved TB: the scheduler's fields reach the SMX; the AGE accompanies the completion. */
TEST_F(test_group_and_level) {
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

/* A TB of a group is marked as such for the SMX, with its AGE if it was linked, without one from a bank; a group
 * without an AGE retires as its kernel alone. */
TEST_F(test_group_with_and_without_an_age) {
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

/* A slot requested in t is reported in t+1: kernel and level of its TB, from its acceptance by the SMX until it
   ends. */
TEST_F(test_look) {
  static const uint8_t expect[] = {0, 0, 0, 0, 1, 1, 0, 0}; /* slot 0 is requested in each cycle */
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

/* A slot that does not exist runs no TB. */
TEST_F(test_look_beyond_the_slots) {
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

/* Reset with work in flight leaves the state of a new model, byte for byte. */
TEST_F(test_reset) {
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
TEST_F(test_extreme_slot_counts) {
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

TEST_MAIN("tbcr", NULL, NULL)
