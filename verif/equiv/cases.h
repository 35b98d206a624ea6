/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* cases: what the equivalence tests share. A case is a random lockstep run that must end without a difference; its seed
 * is printed and can be set by HD_SEED. */
#ifndef HD_CASES_H
#define HD_CASES_H

/* cmocka.h wants the others before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <stdio.h>
#include <stdlib.h>

#include "config.h"
#include "equiv.h"
#include "sim.h"

struct hd_cfg hd_case_cfg(const char *config);

/* The planted faults of which verif/faults.csv says that the plane's oracle alone sees that much (rule, end). */
struct hd_case_faults {
  unsigned id[256];
  unsigned n; /* at least one */
};
struct hd_case_faults hd_case_faults(const char *plane);

/* Lockstep of the RTL for that many cycles; every cover point must be hit if `covers`. */
void hd_case(const char *block, const char *config, uint64_t cycles, bool covers);
/* The same against what synthesis made of it: variant netlist (generic gates) or mapped (standard cells). */
void hd_case_gates(const char *block, const char *config, const char *variant, uint64_t cycles);
/* One profile. */
void hd_case_profile(const char *block, const char *config, const char *profile, uint64_t cycles);
/* Every profile (free, idle source, stalled sink, ..) by itself. */
void hd_case_profiles(const char *block, const char *config, uint64_t cycles);
/* One stimulus with several random initial values of all unreset flops and RAMs: the same outputs after reset. */
void hd_case_initial_values(const char *block, const char *config, uint64_t cycles);

/* Must the random tests hit every cover point? A test file may say no before it includes this. */
#ifndef HD_CASE_COVERS
#define HD_CASE_COVERS true
#endif

/* The tests that the plane has as well. BLOCK is the stem without quotes. */
#define HD_PLANE_TESTS(BLOCK)                         \
  static void tiny_random(void **state) {             \
    (void)state;                                      \
    hd_case(#BLOCK, "tiny", 200000, HD_CASE_COVERS);  \
  }                                                   \
  static void k20c_random(void **state) {             \
    (void)state;                                      \
    hd_case(#BLOCK, "k20c", 200000, HD_CASE_COVERS);  \
  }                                                   \
  static void tiny_profiles(void **state) {           \
    (void)state;                                      \
    hd_case_profiles(#BLOCK, "tiny", 20000);          \
  }                                                   \
  static void k20c_profiles(void **state) {           \
    (void)state;                                      \
    hd_case_profiles(#BLOCK, "k20c", 20000);          \
  }                                                   \
  static void tiny_initial_values(void **state) {     \
    (void)state;                                      \
    hd_case_initial_values(#BLOCK, "tiny", 20000);    \
  }                                                   \
  static void k20c_initial_values(void **state) {     \
    (void)state;                                      \
    hd_case_initial_values(#BLOCK, "k20c", 20000);    \
  }                                                   \
  static void tiny_netlist(void **state) {            \
    (void)state;                                      \
    hd_case_gates(#BLOCK, "tiny", "netlist", 100000); \
  }

/* What synthesis made of a block in k20c: as generic gates, or (blocks without RAM) as standard cells. The plane's
 * million gates are in `make test-long`. */
#define HD_GATES_TEST(BLOCK, VARIANT)               \
  static void k20c_gates(void **state) {            \
    (void)state;                                    \
    hd_case_gates(#BLOCK, "k20c", VARIANT, 100000); \
  }

/* The tests that every block has. */
#define HD_BLOCK_TESTS(BLOCK) HD_PLANE_TESTS(BLOCK) HD_GATES_TEST(BLOCK, "netlist")
#define HD_MAPPED_BLOCK_TESTS(BLOCK) HD_PLANE_TESTS(BLOCK) HD_GATES_TEST(BLOCK, "mapped")

#define HD_PLANE_TEST_LIST                                                                                           \
  cmocka_unit_test(tiny_random), cmocka_unit_test(k20c_random), cmocka_unit_test(tiny_profiles),                     \
      cmocka_unit_test(k20c_profiles), cmocka_unit_test(tiny_initial_values), cmocka_unit_test(k20c_initial_values), \
      cmocka_unit_test(tiny_netlist)
#define HD_BLOCK_TEST_LIST HD_PLANE_TEST_LIST, cmocka_unit_test(k20c_gates)

#endif
