/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* What goes on and what stops when software takes no records, or no kernel_done; and that all goes on when it does. */
#include "unit/dev_model.h"

/* Kernel 0, whose TB stays, with so many groups of one AGE that all overflow slots are used. */
static void all_slots_used(void) {
  begin("tiny");
  host_kernel(0, 0, 1);
  until(&tbs, 1, 30);
  launch_group(0, 0, 1, 1, 20, 0);
  until(&tbs, 2, 30); /* it keeps AGE 0 */
  hold_records = true;
  life = 1;
  for (unsigned g = 0; g < 10; g++) launch_group(0, 0, 2 + g, 1, 21 + g, 0);
  ticks(500);
  assert_int_equal(tbs, 2 + cfg.ovf_slots + 1);
}

/* Without record_done no kernel hands out once a group waits for a slot, the host's behind it neither. What runs goes
 * on: launches of TBs and of the host are answered. One record that is taken lets the next group go. */
static void records(void **state) {
  (void)state;
  all_slots_used();
  unsigned were = tbs, answered = answers;
  host_kernel(2000, 1, 1);
  launch_kernel(0, 0, 1001, 1, 0);
  launch_group(0, 0, 50, 1, 40, 1);
  ticks(3000);
  assert_int_equal(host.taken, 2);
  assert_int_equal(COUNT(ACCEPTED), 2);
  assert_int_equal(answers, answered + 2);
  assert_int_equal(answer[answered].a.code, HD_CODE_ACCEPTED);
  assert_int_equal(tbs, were);
  assert_true(COUNT(SLOT_WAIT) > 3000);
  hold_records = false;
  tick();
  hold_records = true;
  ticks(100);
  assert_int_equal(tbs, were + 1);
  hold_records = false;
  until(&tbs, 2 + 10 + 3, 500);
  end();
}

/* Without kernel_done the kernels in the KD go on, with all that their TBs launch; that of a kernel whose launcher goes
 * on too. Each KD entry takes two kernels that end, then no other begins. */
static void completions(void **state) {
  (void)state;
  begin("tiny");
  host_kernel(0, 0, 1);
  until(&tbs, 1, 30); /* it stays */
  hold_told = true;
  life = 1;
  for (unsigned k = 1; k < 8; k++) host_kernel(1000 * k, k % cfg.num_hwq, 1);
  ticks(2000);
  unsigned were = tbs, answered = answers;
  assert_in_range(were, 4, 7); /* in the other entry: two that wait, one told, one in its way there */
  launch_group(0, 0, 1, 3, 20, 0);
  launch_kernel(0, 0, 8001, 1, 0);
  ticks(2000);
  assert_int_equal(answers, answered + 2);
  assert_int_equal(tbs, were + 3);
  assert_int_equal(tolds, 1);
  hold_told = false;
  ticks(500);
  end();
  assert_int_equal(tbs, 8 + 3 + 1);
  assert_int_equal(tolds, 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(records), cmocka_unit_test(completions)};
  return cmocka_run_group_tests_name("withheld", tests, NULL, NULL);
}
