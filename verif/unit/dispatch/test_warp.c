/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* A register for one number. */
#include "dispatch/warp.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_warp *m;
static struct hd_warp_out out;

static int setup(void **state) {
  (void)state;
  cfg = ut_cfg("k20c");
  m = ut_new(hd_warp_size(&cfg));
  hd_warp_init(m, &cfg);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

static void cycle(bool valid, uint32_t number, bool ready) {
  const struct hd_warp_in in = {.in_valid = valid, .in_number = number, .out_ready = ready};
  hd_warp_eval(m, &in, &out);
  hd_warp_tick(m, &in);
}

/* A number is offered one cycle after it came, until it goes. */
static void test_one(void **state) {
  (void)state;
  cycle(true, 7, false);
  assert_true(out.in_ready && !out.out_valid);
  for (unsigned t = 0; t < 3; t++) {
    cycle(true, 8, false);
    assert_true(!out.in_ready && out.out_valid);
    assert_int_equal(out.out_number, 7);
  }
  cycle(false, 0, true);
  assert_int_equal(out.out_number, 7);
  cycle(false, 0, true);
  assert_int_equal(out.out_valid, 0);
}

/* One comes and one goes in each cycle. */
static void test_one_per_cycle(void **state) {
  (void)state;
  for (unsigned t = 0; t < 10; t++) {
    cycle(true, t, true);
    assert_int_equal(out.in_ready, 1);
    if (t > 0) assert_int_equal(out.out_number, t - 1);
  }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(test_one), TEST(test_one_per_cycle)};
  return cmocka_run_group_tests_name("warp", tests, NULL, NULL);
}
