/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* RTL of a block against its golden model: the tests that every block has. The longer run of the plane with one seed is
 * in test_top.c.
 *   equiv_block BLOCK GATES     GATES: output of synthesis in k20c to test here: netlist, mapped, or none */
#include <string.h>

#include "equiv/cases.h"

static const char *block, *gates;

/* Every cover point must be hit. */
static void tiny_random(void **state) {
  (void)state;
  hd_case(block, "tiny", 200000);
}

static void k20c_random(void **state) {
  (void)state;
  hd_case(block, "k20c", 200000);
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
#define RUNS cmocka_unit_test(tiny_random), cmocka_unit_test(k20c_random), cmocka_unit_test(tiny_netlist)
#define EACH                                                                                               \
  cmocka_unit_test(tiny_profiles), cmocka_unit_test(k20c_profiles), cmocka_unit_test(tiny_initial_values), \
      cmocka_unit_test(k20c_initial_values)
  const struct CMUnitTest plane[] = {EACH}, rtl[] = {RUNS, EACH}, all[] = {RUNS, EACH, cmocka_unit_test(k20c_gates)};
  if (argc != 3) {
    fprintf(stderr, "usage: equiv_block BLOCK netlist|mapped|none\n");
    return 2;
  }
  block = argv[1];
  gates = argv[2];
  if (!strcmp(block, "top")) return cmocka_run_group_tests_name(block, plane, NULL, NULL);
  if (!strcmp(gates, "none")) return cmocka_run_group_tests_name(block, rtl, NULL, NULL);
  return cmocka_run_group_tests_name(block, all, NULL, NULL);
}
