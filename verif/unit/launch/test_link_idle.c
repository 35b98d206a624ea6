/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Linking: AGEs that failed kernels leave behind are freed when no kernel has been present for eight cycles. */
#include "unit/launch/link_fixture.h"

/* n cycles without a kernel. */
static void idle(unsigned cycles) {
  in.kd_busy = in.kin_busy = 0;
  while (cycles--) cycle();
  in.kd_busy = 1;
}

/* n AGEs are taken by groups of kernel 1, which then fails. Returns the first of them. */
static unsigned lose(unsigned ages) {
  unsigned first = 0;
  for (unsigned k = 0; k < ages; k++) {
    launch(1, k, k);
    assert_int_equal(out.alloc.valid, 1);
    if (!k) first = out.alloc.index;
  }
  in.fails[0].valid = 1;
  in.fails[0].kdei = 1;
  cycle();
  check_list(1, false, 0, 0);
  return first;
}

/* Seven cycles are too few, eight free all; with each hash. */
TEST_F(test_eight_cycles) {
  for (unsigned hash = 0; hash < 3; hash++) {
    start("tiny", hash);
    lose(cfg.agt_size);
    launch(2, 0, 0);
    assert_int_equal(out.kept, 1);
    idle(7);
    launch(2, 0, 0);
    assert_int_equal(out.kept, 1);
    idle(8);
    for (unsigned k = 0; k < cfg.agt_size; k++) {
      launch(2, k, 0);
      assert_int_equal(out.alloc.valid, 1);
      assert_int_equal(out.alloc.index, k);
    }
    launch(2, 0, 0);
    assert_int_equal(out.kept, 1);
  }
}

/* Either kind of kernel restarts the count. */
TEST_F(test_either_kernel) {
  start("tiny", HD_AGT_HASH_FREELIST);
  lose(cfg.agt_size);
  for (unsigned round = 0; round < 4; round++) {
    idle(6);
    in.kd_busy = round % 2 == 0;
    in.kin_busy = round % 2 == 1;
    cycle();
    in.kd_busy = 1;
  }
  launch(2, 0, 0);
  assert_int_equal(out.kept, 1);
  in.kd_busy = 0;
  in.kin_busy = 1;
  for (unsigned k = 0; k < 20; k++) cycle();
  in.kd_busy = 1;
  launch(2, 0, 0);
  assert_int_equal(out.kept, 1);
}

/* Freed AGEs in the RAM, in flight and in the registers behind it: after the eight cycles none of them is there
 * twice. */
TEST_F(test_given_back) {
  start("tiny", HD_AGT_HASH_FREELIST);
  lose(cfg.agt_size);
  for (unsigned n = 0; n <= cfg.agt_size; n++) {
    for (unsigned k = 0; k < n; k++) {
      in.agc_free.valid = 1;
      in.agc_free.index = (uint16_t)(cfg.agt_size - 1 - k);
      cycle();
    }
    idle(8);
    assert_int_equal(lose(cfg.agt_size), 0);
    launch(2, 0, 0);
    assert_int_equal(out.kept, 1);
  }
}

/* Any longer time gives the same state: that of reset. */
TEST_F(test_as_after_reset) {
  size_t size = hd_link_size(&cfg);
  struct hd_link *fresh = ut_new(size);
  hd_link_init(fresh, &cfg);
  lose(5);
  idle(100);
  in.kd_busy = 1;
  cycle();
  memset(m->wrote, 0, sizeof m->wrote);
  assert_memory_equal(m, fresh, size);
  free(fresh);
}

TEST_MAIN("link_idle", NULL, NULL)
