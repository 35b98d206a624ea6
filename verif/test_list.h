/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* test_list: registers the tests of a program where they are defined, in that order:
 *
 *   TEST(what_it_shows) { .. }                         a test of cmocka
 *   TEST_WITH(what_it_shows, setup, teardown) { .. }   the same between two functions; NULL: none
 *   TEST_F(what_it_shows) { .. }                       the same between the file's setup and teardown
 *   TEST_MAIN("name", NULL, NULL)                      at the end: runs them, between two functions for all
 *   return TEST_RUN("name", NULL, NULL);               the same in a main() of the file's own */
#ifndef HD_TEST_LIST_H
#define HD_TEST_LIST_H

/* cmocka.h requires the others before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

enum { HD_MOST_TESTS = 200 };
/* Unused in files that only help tests. */
static struct CMUnitTest hd_tests[HD_MOST_TESTS] __attribute__((unused));
static size_t hd_tests_n __attribute__((unused));

#define TEST_WITH(NAME, SETUP, TEARDOWN)                                                  \
  static void NAME(void **state);                                                         \
  __attribute__((constructor)) static void NAME##_is_a_test(void) {                       \
    if (hd_tests_n < HD_MOST_TESTS)                                                       \
      hd_tests[hd_tests_n] = (struct CMUnitTest){#NAME, NAME, (SETUP), (TEARDOWN), NULL}; \
    hd_tests_n++;                                                                         \
  }                                                                                       \
  static void NAME(void **state __attribute__((unused)))
#define TEST(NAME) TEST_WITH(NAME, NULL, NULL)
#define TEST_F(NAME) TEST_WITH(NAME, setup, teardown)

#define TEST_RUN(NAME, SETUP, TEARDOWN) \
  (hd_tests_n > HD_MOST_TESTS ? 1 : _cmocka_run_group_tests(NAME, hd_tests, hd_tests_n, SETUP, TEARDOWN))
#define TEST_MAIN(NAME, SETUP, TEARDOWN)    \
  int main(void) {                          \
    return TEST_RUN(NAME, SETUP, TEARDOWN); \
  }

#endif
