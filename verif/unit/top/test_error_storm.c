/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Ten thousand memory errors in one run between two resets: at the end every entry of every table is free. */
#include "unit/storm.h"

static void ten_thousand_errors(void **state) {
  (void)state;
  storm_of(HD_ENGINE_MODEL, "tiny", 4, 10000); /* a seed whose memory fails reads and writes in the same cycle */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ten_thousand_errors)};
  return cmocka_run_group_tests_name("error_storm", tests, NULL, NULL);
}
