/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* RTL of tbcr against its golden model. */
#include "cases.h"

HD_BLOCK_TESTS(tbcr)
HD_MAPPED_TEST(tbcr)

int main(void) {
  const struct CMUnitTest tests[] = {HD_BLOCK_TEST_LIST, cmocka_unit_test(k20c_mapped)};
  return cmocka_run_group_tests_name("tbcr", tests, NULL, NULL);
}
