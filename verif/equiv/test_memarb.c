/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* RTL of memarb against its golden model. */
#include "cases.h"

HD_MAPPED_BLOCK_TESTS(memarb)

int main(void) {
  const struct CMUnitTest tests[] = {HD_BLOCK_TEST_LIST};
  return cmocka_run_group_tests_name("memarb", tests, NULL, NULL);
}
