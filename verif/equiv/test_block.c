/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* RTL of a block against its golden model: the tests that every block has. The longer run of the plane with one seed is
 * in test_top.c.
 *   equiv_block BLOCK GATES     GATES: output of synthesis in k20c to test here: netlist, mapped, or none */
#include <string.h>

#include "equiv/cases.h"

static const char *block, *gates;

/* Every cover point must be hit. */
TEST(tiny_random) {
  hd_case(block, "tiny", 200000);
}

TEST(k20c_random) {
  hd_case(block, "k20c", 250000);
}

TEST(tiny_netlist) {
  hd_case_gates(block, "tiny", "netlist", 100000);
}

TEST(tiny_profiles) {
  hd_case_profiles(block, "tiny", 20000);
}

TEST(k20c_profiles) {
  hd_case_profiles(block, "k20c", 20000);
}

TEST(tiny_initial_values) {
  hd_case_initial_values(block, "tiny", 20000);
}

TEST(k20c_initial_values) {
  hd_case_initial_values(block, "k20c", 20000);
}

TEST(k20c_gates) {
  hd_case_gates(block, "k20c", gates, 20000);
}

/* Removes a test of the list. */
static void drop(CMUnitTestFunction test) {
  size_t n = 0;
  for (size_t k = 0; k < hd_tests_n; k++)
    if (hd_tests[k].test_func != test) hd_tests[n++] = hd_tests[k];
  hd_tests_n = n;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: equiv_block BLOCK netlist|mapped|none\n");
    return 2;
  }
  block = argv[1];
  gates = argv[2];
  const bool plane = !strcmp(block, "top");
  if (plane || !strcmp(gates, "none")) drop(k20c_gates);
  if (plane) {
    drop(tiny_random);
    drop(k20c_random);
    drop(tiny_netlist);
  }
  return TEST_RUN(block, NULL, NULL);
}
