/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* RTL of kmu against its golden model with FairEvery, so that the round robin of the classes occurs under every
   policy. */
#include "equiv/cases.h"

TEST(turns) {
  static const char *const covers[] = {"rare_host_before_a_device_kernel", "rare_resumed_before_a_device_kernel", NULL};
  hd_case_rare("kmu", "tiny+FairEvery=3", "random", 200000, covers);
}

TEST_MAIN("kmu", NULL, NULL)
