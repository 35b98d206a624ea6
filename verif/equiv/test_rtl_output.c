/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Output of RTL that fails its assertions in thousands of cycles: the first lines, with their cycle, and a note that
 * there are more. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "equiv/cases.h"

enum { FAULT = 8, LINES = 40 };

/* Runs the RTL alone for this many cycles and returns its output on stderr. */
static FILE *output_of(unsigned fault, uint64_t cycles) {
  FILE *output = tmpfile();
  const int was = dup(STDERR_FILENO);
  assert_non_null(output);
  dup2(fileno(output), STDERR_FILENO);
  const struct hd_equiv_result r = hd_case_rtl_alone(fault, 1, cycles);
  fflush(stderr);
  dup2(was, STDERR_FILENO);
  close(was);
  if (r.verdict == HD_CONFIG) fail_msg("%s", r.error);
  rewind(output);
  return output;
}

TEST(the_first_lines_are_shown) {
  FILE *output = output_of(FAULT, 20000);
  char line[500], last[500] = "";
  unsigned lines = 0, assertions = 0;
  while (fgets(line, sizeof line, output)) {
    if (lines++ == 0) assert_int_equal(strncmp(line, "[cycle ", 7), 0);
    assertions += strstr(line, "Assertion failed in top.hd_top.") != NULL;
    strcpy(last, line);
  }
  fclose(output);
  assert_int_equal(lines, LINES + 1);
  assert_in_range(assertions, LINES / 2, LINES);
  assert_non_null(strstr(last, "only the first 40 lines that the RTL prints are shown\n"));
}

TEST(sound_rtl_says_nothing) {
  FILE *output = output_of(0, 20000);
  assert_int_equal(fgetc(output), EOF);
  fclose(output);
}

TEST_MAIN("rtl_output", NULL, NULL)
