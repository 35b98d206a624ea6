/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* RTL of kmu against its golden model with FairEvery, so that the round robin of the classes occurs under every
   policy. */
#include "equiv/cases.h"

static void turns(void **state) {
  (void)state;
  static const char *const covers[] = {"rare_host_before_a_device_kernel", "rare_resumed_before_a_device_kernel", NULL};
  hd_case_rare("kmu", "tiny+FairEvery=3", "random", 200000, covers);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(turns)};
  return cmocka_run_group_tests_name("kmu", tests, NULL, NULL);
}
