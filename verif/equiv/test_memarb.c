/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* RTL of memarb against its golden model. */
#include "cases.h"

HD_BLOCK_TESTS(memarb)
HD_MAPPED_TEST(memarb)

int main(void) {
  const struct CMUnitTest tests[] = {HD_BLOCK_TEST_LIST, cmocka_unit_test(k20c_mapped)};
  return cmocka_run_group_tests_name("memarb", tests, NULL, NULL);
}
