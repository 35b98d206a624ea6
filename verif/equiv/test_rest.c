/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Drains the plane before resets: work that never ends is found without comparing with a model. */
#include <inttypes.h>
#include <string.h>

#include "equiv/cases.h"

enum { SEEDS = 24, SOUND = 10, CYCLES = 100000 };

/* Runs the RTL with its oracle and without a model; returns the first of these seeds that does not pass. If all pass,
 * drains were about half as many as resets: at least one per seed. */
static struct hd_equiv_result rtl_alone(unsigned fault, unsigned seeds) {
  struct hd_equiv_result r = {0};
  uint64_t drains = 0;
  for (uint64_t seed = 1; seed <= seeds && !r.verdict; seed++) {
    r = hd_case_rtl_alone(fault, seed, CYCLES);
    if (r.verdict == HD_CONFIG) fail_msg("%s", r.error);
    drains += r.drains;
  }
  if (!r.verdict) {
    print_message("%" PRIu64 " times at rest\n", drains);
    assert_true(drains >= seeds);
  }
  return r;
}

/* Planted faults that break no rule but that of progress, or that lose state on which all work finally waits. */
TEST(what_never_ends_is_found) {
  const struct hd_case_faults lost = hd_case_faults("end");
  for (unsigned k = 0; k < lost.n; k++) {
    struct hd_equiv_result r = rtl_alone(lost.id[k], SEEDS);
    print_message("fault %2u: %s cycle %" PRIu64 " %s\n", lost.id[k], hd_verdict_name(r.verdict), r.failure.cycle,
                  r.failure.label);
    const bool waits = r.verdict == HD_ORACLE && !strncmp(r.failure.label, "rule 18: ", 9);
    assert_true(waits || r.verdict == HD_STUCK);
  }
}

TEST(sound_rtl_comes_to_rest) {
  assert_int_equal(rtl_alone(0, SOUND).verdict, HD_PASS);
}

TEST_MAIN("rest", NULL, NULL)
