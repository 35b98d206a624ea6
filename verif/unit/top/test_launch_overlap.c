/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Launches of one SMX that have to wait do not delay those of another SMX, except in the cycles in which one of their
 * beats is accepted. */
#include "unit/top/policies_fixture.h"

enum {
  GROUPS = 100,
  KERNELS_OF_OTHER = 50, /* they find room in the KD and on chip */
  BANK = 128,            /* entries of a bank of k20c */
  BUSY = 0,              /* the SMX whose launches wait */
  OTHER = 5,
  SLACK = 8
};

/* Kinds of launches of the busy SMX. */
enum beside { NOTHING, GROUPS_OF_A_FULL_BANK, KERNELS, GROUPS_WITHOUT_KERNEL };

static const unsigned latencies[] = {1, 121, 241};

/* A full machine under smx-bind, with room in memory for waiting groups. */
static void full_machine_with(unsigned latency) {
  static struct hd_axi_profile p = {.name = "latency", .sink = 256, .source = 256};
  p.latency_min = p.latency_max = latency;
  begin_with(ut_cfg("k20c"), &p);
  spill_region(2048);
  fill(HD_POLICY_SMX_BIND, 208);
}

/* A group that finds no kernel of its key. */
static void launch_unmatched(unsigned smx, unsigned g) {
  launch_group(smx, 0, g, 1, 0, 0)->desc.pc = 0x777000;
}

static void launch_overlapping(enum beside beside, unsigned g) {
  if (beside == GROUPS_OF_A_FULL_BANK) launch_group(BUSY, 0, g, 1, 0, 0);
  if (beside == KERNELS) launch_kernel(BUSY, 0, g, 1, 0);
  if (beside == GROUPS_WITHOUT_KERNEL) launch_unmatched(BUSY, g);
}

/* Launches of the busy SMX until further ones have to wait: its bank is full, or the KD and the pool's rows. */
static void make_busy(enum beside beside) {
  if (beside == NOTHING) return;
  for (unsigned g = 1; g <= BANK; g++) launch_overlapping(beside, g);
  until(&answers, BANK, 200000);
  ticks(400);
}

/* Answers of an SMX from answer `from` on. */
static unsigned answers_of(unsigned smx, unsigned from) {
  unsigned n = 0;
  for (unsigned a = from; a < answers; a++) n += answer[a].smx == smx;
  return n;
}

/* Both launch in the same cycle: cycles until all launches of the other SMX are answered, and accepted beats of the
 * busy SMX in that time. `kernels`: the other launches kernels, which take 3 cycles each. */
static unsigned cycles_of_the_other(unsigned latency, enum beside beside, bool kernels, unsigned *taken) {
  full_machine_with(latency);
  make_busy(beside);
  const unsigned from = answers, before = port[BUSY].taken, n = kernels ? KERNELS_OF_OTHER : GROUPS;
  const uint64_t start = now;
  for (unsigned g = 0; g < n; g++) {
    launch_overlapping(beside, 200 + g);
    if (kernels)
      launch_kernel(OTHER, 0, 400 + g, 1, 0);
    else
      launch_group(OTHER, 0, 400 + g, 1, 0, 0);
  }
  for (unsigned k = 0; k < 20000 && answers_of(OTHER, from) < n; k++) tick();
  const unsigned cycles = (unsigned)(now - start);
  assert_int_equal(answers_of(OTHER, from), n);
  for (unsigned a = from; a < answers; a++) assert_int_equal(answer[a].a.code, HD_CODE_ACCEPTED);
  *taken = port[BUSY].taken - before;
  script_end();
  free(m);
  return cycles;
}

/* Groups are delayed only by the cycles in which the busy SMX has a beat accepted; kernels have three cycles each,
 * which leaves room for both. */
static void expect_full_rate(enum beside beside, bool kernels) {
  for (unsigned k = 0; k < 3; k++) {
    unsigned none, taken;
    const unsigned alone = cycles_of_the_other(latencies[k], NOTHING, kernels, &none);
    const unsigned both = cycles_of_the_other(latencies[k], beside, kernels, &taken);
    print_message("memory latency %u: %u cycles alone, %u beside %u launches that wait\n", latencies[k], alone, both,
                  taken);
    assert_int_equal(none, 0);
    const unsigned least = kernels ? 3 * KERNELS_OF_OTHER : GROUPS;
    assert_in_range(alone, least, least + SLACK);
    assert_in_range(both, alone, kernels ? alone + alone / 10 + SLACK : alone + taken + SLACK);
    assert_in_range(both, alone, alone + alone / 3); /* no more than its share of memory time */
  }
}

TEST(groups_beside_a_full_bank) {
  expect_full_rate(GROUPS_OF_A_FULL_BANK, false);
}

TEST(groups_beside_kernels) {
  expect_full_rate(KERNELS, false);
}

TEST(groups_beside_groups_without_kernel) {
  expect_full_rate(GROUPS_WITHOUT_KERNEL, false);
}

TEST(kernels_beside_a_full_bank) {
  expect_full_rate(GROUPS_OF_A_FULL_BANK, true);
}

TEST_MAIN("launch_overlapping", NULL, NULL)
