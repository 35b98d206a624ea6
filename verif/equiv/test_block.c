/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* RTL of a block against its golden model: the tests that every block has.
 *   equiv_block BLOCK GATES     GATES: what synthesis made of it in k20c, netlist or mapped; none: not here
 */
#include <string.h>

#include "equiv/cases.h"

static const char *block, *gates;

/* Every cover point must be hit; of the plane that takes longer (test_top.c). */
static void random_run(const char *config) {
  hd_case(block, config, 200000, strcmp(block, "top") != 0);
}

static void tiny_random(void **state) {
  (void)state;
  random_run("tiny");
}

static void k20c_random(void **state) {
  (void)state;
  random_run("k20c");
}

static void tiny_profiles(void **state) {
  (void)state;
  hd_case_profiles(block, "tiny", 20000);
}

static void k20c_profiles(void **state) {
  (void)state;
  hd_case_profiles(block, "k20c", 20000);
}

static void tiny_initial_values(void **state) {
  (void)state;
  hd_case_initial_values(block, "tiny", 20000);
}

static void k20c_initial_values(void **state) {
  (void)state;
  hd_case_initial_values(block, "k20c", 20000);
}

static void tiny_netlist(void **state) {
  (void)state;
  hd_case_gates(block, "tiny", "netlist", 100000);
}

static void k20c_gates(void **state) {
  (void)state;
  hd_case_gates(block, "k20c", gates, 20000);
}

int main(int argc, char **argv) {
#define RTL                                                                                                          \
  cmocka_unit_test(tiny_random), cmocka_unit_test(k20c_random), cmocka_unit_test(tiny_profiles),                     \
      cmocka_unit_test(k20c_profiles), cmocka_unit_test(tiny_initial_values), cmocka_unit_test(k20c_initial_values), \
      cmocka_unit_test(tiny_netlist)
  const struct CMUnitTest rtl[] = {RTL}, all[] = {RTL, cmocka_unit_test(k20c_gates)};
  if (argc != 3) {
    fprintf(stderr, "usage: equiv_block BLOCK netlist|mapped|none\n");
    return 2;
  }
  block = argv[1];
  gates = argv[2];
  if (!strcmp(gates, "none")) return cmocka_run_group_tests_name(block, rtl, NULL, NULL);
  return cmocka_run_group_tests_name(block, all, NULL, NULL);
}
