/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The banks of all SMXs: arrival numbers, and the winner among the bank heads. */
#include "unit/dispatch/laperm_fixture.h"

/* Group and kernel in one cycle take two numbers of their level, the group the lower one. */
TEST_F(test_numbers_of_two) {
  push(0, 0, 2, 9);
  group(1, 1, 2, 1);
  cycle();
  kernel(2, 2, 2, 1);
  cycle();
  assert_int_equal(out.bank_front[0].arrival, 0);
  assert_int_equal(out.bank_front[1].arrival, 1);
  assert_int_equal(out.bank_front[2].arrival, 2);
  assert_int_equal(arch()->number[1], 3);
  assert_int_equal(arch()->live[1], 3);
}

/* .. of different levels one each. */
TEST_F(test_numbers_of_levels) {
  group(1, 1, 2, 1);
  cycle();
  kernel(2, 2, 4, 1);
  cycle();
  assert_int_equal(arch()->number[1] == 1 && arch()->number[3] == 1, 1);
  assert_int_equal(arch()->number[0] || arch()->number[2], 0);
}

/* The number goes back to 0 one cycle after the last entry of the level has left, unless one comes. */
TEST_F(test_number_goes_back) {
  push(0, 0, 1, 1);
  push(1, 1, 1, 1);
  take(0, 0, false);
  cycle();
  assert_int_equal(arch()->number[0], 2);
  take(1, 1, false);
  assert_int_equal(arch()->live[0], 0);
  assert_int_equal(arch()->number[0], 2);
  cycle();
  assert_int_equal(arch()->number[0], 0);
  assert_true(hd_laperm_quiet(m));
}

/* The last entry leaves while one arrives, or one arrives in the cycle after: the numbers continue. */
TEST_F(test_number_goes_on) {
  push(0, 0, 1, 1);
  kernel(1, 1, 1, 1);
  take(0, 0, false);
  assert_int_equal(out.bank_front[1].arrival, 1);
  group(2, 2, 1, 1);
  take(1, 1, false);
  assert_int_equal(arch()->live[0], 0);
  cycle();
  assert_int_equal(out.bank_front[2].arrival, 2);
  assert_int_equal(arch()->number[0], 3);
}

/* A level whose numbers run out refuses groups and does not bind kernels, until it is empty; other levels are not
   affected. */
TEST_F(test_numbers_run_out) {
  start("k20c", 4, 16, 4);
  push(0, 0, 1, 99);
  for (unsigned n = 1; n < 13; n++) push(n, 1, 1, 1);
  assert_int_equal(arch()->number[0], 13);
  group(13, 2, 1, 1);
  kernel(14, 3, 1, 1);
  assert_int_equal(out.enter.mark && !out.enter.bank, 1);
  cycle();
  assert_int_equal(out.full, 1);
  group(13, 2, 2, 1);
  cycle();
  assert_int_equal(out.push.valid, 1);
  cycle();
  for (unsigned n = 0; n < 99; n++) take(0, 0, false);
  for (unsigned n = 0; n < 12; n++) take(1, 1, false);
  cycle();
  assert_int_equal(arch()->number[0], 0);
  push(13, 2, 1, 1);
  assert_int_equal(arch()->number[0], 1);
}

/* Three entries may follow the last number at which a level is open: the group in A3, a kernel, the group in A2. They
 * do not wrap. */
TEST_F(test_numbers_do_not_go_round) {
  start("k20c", 4, 16, 4);
  for (unsigned n = 0; n < 12; n++) push(n, 0, 1, 1);
  group(12, 1, 1, 1);
  cycle();
  group(13, 2, 1, 1);
  kernel(14, 3, 1, 1); /* number 12 is shown */
  cycle();
  assert_int_equal(out.push.valid, 1);
  assert_int_equal(arch()->number[0], 14);
  group(15, 3, 1, 1);
  cycle();
  assert_int_equal(out.full, 1);
  assert_int_equal(arch()->number[0], 15);
  assert_int_equal(out.bank_front[1].arrival, 12);
  assert_int_equal(out.bank_front[3].arrival, 13);
  assert_int_equal(out.bank_front[2].arrival, 14);
}

/* The winner: the highest level, then the oldest, in any bank. */
TEST_F(test_winner) {
  winner_is(-1);
  push(0, 2, 1, 2);
  winner_is(2);
  push(1, 0, 1, 2);
  winner_is(2);
  push(2, 3, 2, 1);
  winner_is(3);
  push(3, 1, 2, 1);
  winner_is(3);
  take(3, 3, false);
  winner_is(1);
  take(1, 1, false);
  winner_is(2);
  take(2, 2, false);
  winner_is(2);
  take(2, 2, false);
  winner_is(0);
}

/* The winner leaves while others come: into its own bank, elsewhere, and both at once. */
TEST_F(test_winner_leaves_as_others_come) {
  push(0, 0, 3, 1);
  push(1, 1, 1, 1);
  group(2, 0, 1, 1);
  cycle();
  take(0, 0, false);
  winner_is(1); /* number 0 before 1 */
  group(3, 3, 2, 1);
  cycle();
  kernel(4, 2, 2, 1);
  take(1, 1, false);
  winner_is(3); /* the group before the kernel */
  kernel(5, 0, 4, 1);
  take(3, 3, false);
  winner_is(0);
}

/* The winner is overtaken in its own bank, and still wins. */
TEST_F(test_winner_overtaken) {
  push(0, 0, 2, 5);
  push(1, 1, 2, 5);
  push(2, 0, 3, 1);
  winner_is(0);
  front(0, 2, 0);
  take(0, 0, false);
  winner_is(0);
  push(3, 1, 3, 1);
  winner_is(1);
}

static void then_is(int kdei) {
  look();
  assert_int_equal(out.then.valid, kdei >= 0);
  assert_int_equal(out.then.need.warps, kdei >= 0 ? kdei + 1 : 0);
}

/* The next winner if the winner left: its second entry, of its level or a lower one, or another bank's head. */
TEST_F(test_then) {
  push(0, 2, 1, 2);
  push(1, 2, 1, 2);
  then_is(-1); /* no request */
  free(m);
  cfg = ut_cfg_but(cfg, "ChoiceLatency", 2);
  m = ut_new(hd_laperm_size(&cfg));
  hd_laperm_init(m, &cfg);
  then_is(-1);
  push(2, 2, 1, 2);
  then_is(-1);
  push(3, 2, 1, 1);
  then_is(3);
  push(4, 2, 3, 1); /* the winner now, before the two of level 1 */
  then_is(2);
  push(5, 0, 2, 1);
  then_is(5);
  push(6, 2, 2, 1); /* second of the winner's bank, and younger than that of bank 0 */
  then_is(5);
  take(2, 2, false);
  winner_is(0);
  then_is(6);
  take(0, 0, false);
  winner_is(2);
  then_is(2);
}

TEST_MAIN("laperm_numbers", NULL, NULL)
