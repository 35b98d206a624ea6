/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* RTL and model in lockstep through memory errors without a reset: 500, or ten thousand (equiv_storm long). For the
 * model alone `make test` has ten thousand (verif/unit/top/test_error_storm.c). */
#include "unit/storm.h"

static uint64_t errors = 500;

TEST(errors_in_a_row) {
  storm_of(HD_ENGINE_BOTH, "tiny", 4, errors);
}

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "long")) errors = 10000;
  return TEST_RUN("storm", NULL, NULL);
}
