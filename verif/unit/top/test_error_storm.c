/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Ten thousand memory errors in one run between two resets: at the end every entry of every table is free. */
#include "unit/storm.h"

TEST(ten_thousand_errors) {
  storm_of(HD_ENGINE_MODEL, "tiny", 4, 10000); /* a seed whose memory fails reads and writes in the same cycle */
}

TEST_MAIN("error_storm", NULL, NULL)
