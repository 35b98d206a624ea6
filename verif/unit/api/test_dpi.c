/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The plane behind the DPI-C functions: configurations by text, a kernel from launch to end, rejected calls,
   registers. */
#include "api/dpi.h"
#include "gen/hd_regs_map.h"
#include "gen/hd_types.h"
#include "unit/util.h"

static void *plane;

/* A launch of `ctas` TBs of 64 threads in queue 0. */
static uint32_t launch(uint32_t ctas, uint32_t hwq, uint32_t smem) {
  return hd_dpi_launch(plane, hwq, 7, ctas, 1, 1, 64, 1, 1, 16, smem, 0x1000, 0x2000);
}

/* Returns the SMX that is offered a TB, its id in *blkid and its slot in *slot; -1 if none is. */
static int dispatched(uint32_t *blkid, uint32_t *slot) {
  uint32_t kdei;
  uint64_t pc, param;
  for (uint32_t s = 0; s < hd_dpi_param(plane, "NumSmx"); s++) {
    if (!hd_dpi_dispatch(plane, s, slot, &kdei, blkid, &pc, &param)) continue;
    assert_true(pc == 0x1000 && param == 0x2000 && kdei == 0);
    return (int)s;
  }
  return -1;
}

static int setup(void **state) {
  (void)state;
  plane = hd_dpi_new("k20c");
  assert_non_null(plane);
  assert_string_equal(hd_dpi_error(plane), "");
  return 0;
}

static int teardown(void **state) {
  (void)state;
  hd_dpi_free(plane);
  return 0;
}

/* Creates a plane that must be rejected, with this text in the reason. */
static void refused(const char *config, const char *why) {
  void *p = hd_dpi_new(config);
  assert_non_null(p);
  if (!strstr(hd_dpi_error(p), why)) fail_msg("%s: '%s' lacks '%s'", config, hd_dpi_error(p), why);
  hd_dpi_free(p);
}

/* A configuration may include changes; each kind of error in them is reported. */
TEST_F(test_configuration) {
  void *p = hd_dpi_new("tiny+NumSmx=3+CtasPerSmx=4");
  assert_string_equal(hd_dpi_error(p), "");
  assert_int_equal(hd_dpi_param(p, "NumSmx"), 3);
  assert_int_equal(hd_dpi_param(p, "CtasPerSmx"), 4);
  assert_int_equal(hd_dpi_param(p, "NoSuchThing"), 0);
  assert_int_equal(hd_dpi_has_param(p, "NoSuchThing"), 0);
  assert_int_equal(hd_dpi_has_param(p, "Visit"), 1);
  assert_int_equal(hd_dpi_param(p, "Visit"), 0);
  hd_dpi_free(p);
  hd_dpi_free(NULL);
  refused("k21", "no configuration 'k21'");
  refused("", "no configuration ''");
  refused("k20c+NumSmx", "NumSmx");
  refused("k20c+NoSuchThing=1", "NoSuchThing");
  refused("k20c+NumSmx=0", "NumSmx");
  char text[300];
  memset(text, 'x', sizeof text);
  text[sizeof text - 1] = 0;
  refused(text, "longer than");
}

/* A kernel of 40 TBs: first dispatch five cycles after the launch, in order, one a cycle; then its tag. */
TEST_F(test_kernel) {
  uint32_t blkid, slot, tag, code, answers = 0, next = 0;
  assert_int_equal(hd_dpi_launch_ready(plane), 1);
  assert_int_equal(launch(40, 0, 0), HD_CODE_ACCEPTED);
  for (unsigned t = 0; t < 100 && !hd_dpi_kernel_done(plane, &tag); t++) {
    int smx = dispatched(&blkid, &slot);
    assert_int_equal(smx >= 0, t >= 5 && next < 40);
    if (smx >= 0) assert_int_equal(blkid, next++);
    if (hd_dpi_answer(plane, &tag, &code)) {
      assert_true(tag == 7 && code == HD_CODE_ACCEPTED);
      answers++;
    }
    hd_dpi_tick(plane);
    if (smx >= 0) hd_dpi_cta_done(plane, (uint32_t)smx, slot);
  }
  assert_int_equal(next, 40);
  assert_int_equal(answers, 1);
  assert_int_equal(hd_dpi_kernel_done(plane, &tag), 1);
  assert_int_equal(tag, 7);
}

/* An invalid output reads as 0; inputs of an SMX or slot out of range are ignored, and its outputs are never valid. */
TEST_F(test_nothing_is_zero) {
  uint32_t a = 1, b = 1, c = 1;
  uint64_t pc = 1, param = 1;
  assert_int_equal(hd_dpi_answer(plane, &a, &b), 0);
  assert_true(a == 0 && b == 0);
  a = b = 1;
  assert_int_equal(hd_dpi_dispatch(plane, 1000000, &a, &b, &c, &pc, &param), 0);
  assert_true(a == 0 && b == 0 && c == 0 && pc == 0 && param == 0);
  hd_dpi_cta_done(plane, 1000000, 0);
  hd_dpi_cta_done(plane, 0, 1000000);
  hd_dpi_dispatch_ready(plane, 1000000, 1);
  hd_dpi_tick(plane);
}

/* A launch that the runtime rejects is reported at once and not offered. */
TEST_F(test_refusals) {
  uint32_t tag, code;
  assert_int_equal(launch(0, 0, 0), HD_CODE_ZERO_DIM);
  assert_int_equal(launch(1, 32, 0), HD_CODE_UNKNOWN_HWQ);
  assert_int_equal(launch(1, 0, 49153), HD_CODE_NEVER_FITS);
  for (int t = 0; t < 10; t++) {
    hd_dpi_tick(plane);
    assert_int_equal(hd_dpi_answer(plane, &tag, &code), 0);
  }
}

/* A ready that was taken away holds its stream until it is given back, or until reset. */
TEST_F(test_ready_stays) {
  uint32_t blkid, slot, tag, code;
  hd_dpi_dispatch_ready(plane, 0, 0);
  hd_dpi_answer_ready(plane, 0);
  assert_int_equal(launch(1, 0, 0), HD_CODE_ACCEPTED);
  for (int t = 0; t < 20; t++) hd_dpi_tick(plane);
  assert_int_equal(dispatched(&blkid, &slot), 0);
  assert_int_equal(hd_dpi_answer(plane, &tag, &code), 1);
  hd_dpi_dispatch_ready(plane, 0, 1);
  hd_dpi_answer_ready(plane, 1);
  hd_dpi_tick(plane);
  assert_int_equal(dispatched(&blkid, &slot), -1);
  assert_int_equal(hd_dpi_answer(plane, &tag, &code), 0);
  hd_dpi_kernel_done_ready(plane, 0);
  hd_dpi_cta_done(plane, 0, 0);
  for (int t = 0; t < 20; t++) hd_dpi_tick(plane);
  assert_int_equal(hd_dpi_kernel_done(plane, &tag), 1);
  hd_dpi_reset(plane);
  assert_int_equal(hd_dpi_kernel_done(plane, &tag), 0);
}

/* The registers: the identification, and an error for an unmapped address. */
TEST_F(test_apb) {
  uint32_t data;
  hd_dpi_apb(plane, 1, 0, 0, HD_REG_ID, 0, 0);
  hd_dpi_tick(plane);
  hd_dpi_apb(plane, 1, 1, 0, HD_REG_ID, 0, 0);
  assert_int_equal(hd_dpi_apb_read(plane, &data), 0);
  assert_int_equal(data, 0x4844444c);
  hd_dpi_tick(plane);
  hd_dpi_apb(plane, 1, 0, 0, 0xffc, 0, 0);
  hd_dpi_tick(plane);
  hd_dpi_apb(plane, 1, 1, 0, 0xffc, 0, 0);
  assert_int_equal(hd_dpi_apb_read(plane, &data), 1);
}

/* An address beyond the 12 wires does not alias a lower register, and does not reach the plane. */
TEST_F(test_apb_beyond) {
  uint32_t data = 1;
  for (uint32_t beyond = 0x1000; beyond != 0; beyond <<= 1) {
    hd_dpi_apb(plane, 1, 0, 1, beyond | HD_REG_POLICY, 1, 15);
    hd_dpi_tick(plane);
    hd_dpi_apb(plane, 1, 1, 1, beyond | HD_REG_POLICY, 1, 15);
    assert_int_equal(hd_dpi_apb_read(plane, &data), 1);
    assert_int_equal(data, 0);
    hd_dpi_tick(plane);
  }
  hd_dpi_apb(plane, 1, 0, 0, HD_REG_POLICY, 0, 0);
  assert_int_equal(hd_dpi_apb_read(plane, &data), 0);
  hd_dpi_tick(plane);
  hd_dpi_apb(plane, 1, 1, 0, HD_REG_POLICY, 0, 0);
  assert_int_equal(hd_dpi_apb_read(plane, &data), 0);
  assert_int_equal(data, HD_POLICY_RR);
}

/* Every function, with a handle of no plane. */
static void nothing(void *p) {
  uint32_t a = 1, b = 1, c = 1;
  uint64_t pc = 1, param = 1;
  assert_string_not_equal(hd_dpi_error(p), "");
  assert_int_equal(hd_dpi_has_param(p, "NumSmx"), 0);
  assert_int_equal(hd_dpi_param(p, "NumSmx"), 0);
  hd_dpi_reset(p);
  assert_int_equal(hd_dpi_launch(p, 0, 7, 1, 1, 1, 64, 1, 1, 16, 0, 0, 0), HD_CODE_REFUSED);
  assert_int_equal(hd_dpi_launch_ready(p), 0);
  assert_int_equal(hd_dpi_answer(p, &a, &b), 0);
  assert_true(a == 0 && b == 0);
  a = b = 1;
  assert_int_equal(hd_dpi_dispatch(p, 0, &a, &b, &c, &pc, &param), 0);
  assert_true(a == 0 && b == 0 && c == 0 && pc == 0 && param == 0);
  a = b = 1;
  assert_int_equal(hd_dpi_kernel_done(p, &a), 0);
  assert_int_equal(a, 0);
  hd_dpi_answer_ready(p, 1);
  hd_dpi_dispatch_ready(p, 0, 1);
  hd_dpi_kernel_done_ready(p, 1);
  hd_dpi_cta_done(p, 0, 0);
  hd_dpi_apb(p, 1, 1, 0, 0, 0, 0);
  assert_int_equal(hd_dpi_apb_read(p, &b), 1);
  assert_int_equal(b, 0);
  hd_dpi_tick(p);
  hd_dpi_free(p);
}

TEST_F(test_no_plane) {
  nothing(NULL);
  nothing(hd_dpi_new(NULL));
  nothing(hd_dpi_new("nosuch"));
  nothing(hd_dpi_new("tiny+NumSmx=0"));
}

TEST_MAIN("dpi", NULL, NULL)
