/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* RTL of tbcr against its golden model. */
#include "cases.h"

HD_MAPPED_BLOCK_TESTS(tbcr)

int main(void) {
  const struct CMUnitTest tests[] = {HD_BLOCK_TEST_LIST};
  return cmocka_run_group_tests_name("tbcr", tests, NULL, NULL);
}
