/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The rates that the plane promises, counted in cycles of the RTL, in lockstep with the model. An argument names
 * another configuration with the SMXs of k20c. */
#include "equiv/plane_fixture.h"

static const char *plane = "k20c";

/* A host launch reaches its first dispatch in 5 cycles in an idle machine: accepted at t, dispatch valid at t + 5. */
TEST(launch_to_dispatch_in_five_cycles) {
  struct fixture r;
  fixture_open(&r, plane, HD_ENGINE_BOTH);
  for (int k = 0; k < 20; k++) fixture_step(&r);
  fixture_launch(&r, 0, 1, 32);
  fixture_until(&r, &r.valid_seen, 1, 20);
  assert_int_equal(r.first_valid - r.taken_at[0], 5);
  fixture_close(&r);
}

/* One TB per cycle of a kernel of this many TBs, TB n to SMX n mod `smxs`. */
static void expect_round_robin(struct fixture *r, uint64_t tbs, unsigned smxs) {
  fixture_launch(r, 0, (unsigned)tbs, 32);
  fixture_until(r, &r->valid_seen, 1, 20);
  for (uint64_t n = 0; n < tbs - 1; n++) {
    assert_int_equal(r->last_smx, n % smxs);
    assert_int_equal(r->valid_seen, n + 1);
    fixture_step(r);
  }
  assert_int_equal(r->last_valid - r->first_valid, tbs - 1);
}

/* One TB per cycle to 13 empty SMXs. */
TEST(one_cta_per_cycle_round_robin) {
  struct fixture r;
  fixture_open(&r, plane, HD_ENGINE_BOTH);
  expect_round_robin(&r, 208, 13);
  fixture_close(&r);
}

/* The same with 132 SMXs of one slot each: a choice among all of them in every cycle, as long as slots are freed in
 * time. TBs that run for less than a round leave each SMX free by its turn. */
TEST(one_cta_per_cycle_to_132_smxs) {
  struct fixture r;
  fixture_open(&r, "tiny+NumSmx=132+CtasPerSmx=1", HD_ENGINE_BOTH);
  r.episode = 100;
  expect_round_robin(&r, 1000, 132);
  fixture_close(&r);
}

/* The rate holds across a change of kernel, down to kernels of a single TB in 32 HWQs. */
TEST(one_cta_per_cycle_across_kernels) {
  for (uint32_t ctas = 1; ctas <= 6; ctas++) {
    struct fixture r;
    fixture_open(&r, plane, HD_ENGINE_BOTH);
    for (unsigned h = 0; h < 32; h++) fixture_launch(&r, h, ctas, 32);
    fixture_until(&r, &r.valid_seen, 32 * ctas, 300);
    assert_int_equal(r.last_valid - r.first_valid + 1, 32 * ctas);
    fixture_close(&r);
  }
}

/* 1.000 TBs per cycle with TBs of 1, 4, 8 and 32 warps as long as there is room: until the machine is full, and in a
 * steady state in which TBs end as fast as they start. */
TEST(rate_does_not_depend_on_warps) {
  static const unsigned warps[] = {1, 4, 8, 32};
  for (unsigned k = 0; k < 4; k++) {
    struct fixture r;
    fixture_open(&r, plane, HD_ENGINE_BOTH);
    unsigned room = 13 * (64 / warps[k] < 16 ? 64 / warps[k] : 16);
    r.episode = room > 100 ? 64 : 8; /* shorter than the room: there is always a free SMX */
    fixture_launch(&r, 0, 5000, 32 * warps[k]);
    fixture_until(&r, &r.valid_seen, 5000, 6000);
    double rate = 5000.0 / (double)(r.last_valid - r.first_valid + 1);
    print_message("TBs of %2u warps: %.3f TBs per cycle\n", warps[k], rate);
    assert_int_equal(r.last_valid - r.first_valid + 1, 5000);
    fixture_close(&r);
  }
}

/* Fills the machine with TBs that do not end; more wait. */
static void fill(struct fixture *r, uint32_t ctas) {
  fixture_launch(r, 0, ctas, 32);
  fixture_until(r, &r->taken, 208, 300);
  for (int k = 0; k < 10; k++) fixture_step(r);
  assert_int_equal(r->taken, 208);
}

/* A freed slot is refilled 2 cycles later. */
TEST(freed_slot_is_refilled_in_two_cycles) {
  struct fixture r;
  fixture_open(&r, plane, HD_ENGINE_BOTH);
  fill(&r, 1000);
  r.ends[4][7] = r.cycle + 1;
  uint64_t seen = r.valid_seen, at = r.cycle + 1;
  fixture_until(&r, &r.valid_seen, seen + 1, 10);
  assert_int_equal(r.last_valid - at, 2);
  assert_int_equal(r.last_smx, 4);
  fixture_close(&r);
}

/* 13 completions are accepted in one cycle, and the 13 SMXs are refilled one per cycle from the second cycle on. */
TEST(thirteen_completions_in_one_cycle) {
  struct fixture r;
  fixture_open(&r, plane, HD_ENGINE_BOTH);
  fill(&r, 1000);
  for (unsigned s = 0; s < 13; s++) r.ends[s][s] = r.cycle + 1;
  uint64_t seen = r.valid_seen, at = r.cycle + 1;
  for (unsigned k = 0; k < 13; k++) {
    fixture_until(&r, &r.valid_seen, seen + k + 1, 10);
    assert_int_equal(r.last_valid - at, 2 + k);
  }
  fixture_close(&r);
}

/* Every SMX reports a TB in every cycle for 16 cycles: all are accepted, and the plane continues at one TB per
   cycle. */
TEST(a_completion_per_smx_and_cycle) {
  struct fixture r;
  fixture_open(&r, plane, HD_ENGINE_BOTH);
  fill(&r, 2000);
  for (unsigned s = 0; s < 13; s++)
    for (unsigned j = 0; j < 16; j++) r.ends[s][j] = r.cycle + 1 + j;
  uint64_t seen = r.valid_seen, at = r.cycle + 1;
  fixture_until(&r, &r.done, 208, 16);
  fixture_until(&r, &r.valid_seen, seen + 208, 400);
  assert_int_equal(r.last_valid - at, 2 + 207);
  fixture_close(&r);
}

/* Example of round robin: 13 SMXs, 3 TBs fill one; TB 39 waits; TB 17 on SMX4 ends first; TB 39 goes to SMX4. */
TEST(worked_example) {
  struct fixture r;
  fixture_open(&r, "k20c+ThreadsPerSmx=96", HD_ENGINE_MODEL);
  fixture_launch(&r, 0, 40, 32);
  fixture_until(&r, &r.taken, 39, 100);
  for (int k = 0; k < 20; k++) fixture_step(&r);
  assert_int_equal(r.taken, 39);
  r.ends[4][1] = r.cycle + 1; /* TB 17: the second of SMX4 */
  fixture_until(&r, &r.valid_seen, 40, 10);
  assert_int_equal(r.last_smx, 4);
  assert_int_equal(r.out->dispatch[4].blkid, 39);
  fixture_close(&r);
}

/* The same on the RTL, with TBs that need a third of the threads of an SMX of k20c. */
TEST(worked_example_in_rtl) {
  struct fixture r;
  fixture_open(&r, plane, HD_ENGINE_BOTH);
  fixture_launch(&r, 0, 40, 672);
  fixture_until(&r, &r.taken, 39, 100);
  for (int k = 0; k < 20; k++) fixture_step(&r);
  assert_int_equal(r.taken, 39);
  r.ends[4][1] = r.cycle + 1;
  fixture_until(&r, &r.valid_seen, 40, 10);
  assert_int_equal(r.last_smx, 4);
  assert_int_equal(r.out->dispatch[4].blkid, 39);
  fixture_close(&r);
}

/* A HWQ reopens the cycle after its kernel's release: the last completion at t, the next kernel's first TB at t + 7. */
TEST(hwq_reopens_after_release) {
  struct fixture r;
  fixture_open(&r, plane, HD_ENGINE_BOTH);
  fixture_launch(&r, 3, 1, 32);
  fixture_launch(&r, 3, 1, 32);
  fixture_until(&r, &r.taken, 1, 20);
  for (int k = 0; k < 20; k++) fixture_step(&r);
  assert_int_equal(r.taken, 1);
  uint64_t at = r.cycle + 1;
  r.ends[0][0] = at;
  fixture_until(&r, &r.valid_seen, 2, 20);
  assert_int_equal(r.last_valid - at, 7);
  fixture_close(&r);
}

int main(int argc, char **argv) {
  if (argc > 1) plane = argv[1];
  return TEST_RUN("rates", NULL, NULL);
}
