/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Launches from the device: their outcome, the counters, and each rule that a faulty plane can break. */
#include "sim/children.h"
#include "unit/util.h"

static struct hd_device_regions at;
static struct hd_cfg cfg;

static struct hd_children *make(void) {
  const struct hd_device_sizes n = {.records = 4, .buffers = 4};
  cfg = ut_cfg("k20c");
  assert_int_not_equal(hd_device_place(&cfg, 0x10000, &n, &at), 0);
  struct hd_children *c = hd_children_new(&cfg, &at);
  assert_non_null(c);
  return c;
}

/* A launch of three TBs with its parameters in that buffer, called in cycle 50, offered in 100, by kernel 5. */
static uint32_t add(struct hd_children *c, enum hd_kind kind, uint32_t buffer) {
  struct hd_devlaunch l;
  struct hd_child *k;
  memset(&l, 0, sizeof l);
  l.kind = (uint8_t)kind;
  l.ctas = l.desc.grid_x = 3;
  l.desc.pc = 0x2000;
  l.desc.param = at.buffers + 64 * buffer;
  uint32_t child = hd_children_add(c, &l, 1, &k);
  assert_non_null(k);
  k->kernel = 5;
  k->called = 50;
  k->offered = 100;
  return child;
}

static const char *answer(struct hd_children *c, uint32_t child, enum hd_code code) {
  const struct hd_devanswer a = {.kind = hd_children_get(c, child)->launch.kind, .code = (uint8_t)code};
  return hd_children_answer(c, child, &a);
}

/* A TB of it as the plane should offer it. */
static struct hd_dispatch tb(struct hd_children *c, uint32_t child, uint32_t blkid) {
  struct hd_dispatch t;
  memset(&t, 0, sizeof t);
  t.desc = hd_children_get(c, child)->launch.desc;
  t.blkid = blkid;
  t.level = 1;
  t.group = t.age_valid = hd_children_get(c, child)->launch.kind == HD_KIND_GROUP;
  t.agei = 17;
  return t;
}

static void hand_out(struct hd_children *c, uint32_t child, uint32_t blkid, uint64_t now) {
  struct hd_dispatch t = tb(c, child, blkid);
  uint32_t found;
  const char *broken = hd_children_handed_out(c, now, 0, &t, &found);
  if (broken != NULL) fail_msg("%s", broken);
  assert_int_equal(found, child);
}

static void expect(const char *broken, const char *part) {
  if (broken == NULL || strstr(broken, part) == NULL) fail_msg("'%s' instead of '%s'", broken ? broken : "", part);
}

/* A group from the call to its end, and its counters. */
TEST(test_episode) {
  struct hd_children *c = make();
  bool ended;
  uint32_t child = add(c, HD_KIND_GROUP, 2);
  assert_true(hd_children_has(c, at.buffers + 128));
  assert_false(hd_children_has(c, at.buffers + 256));
  assert_false(hd_children_has(c, 5 << 6));
  assert_null(answer(c, child, HD_CODE_ACCEPTED));
  for (uint32_t b = 0; b < 3; b++) hand_out(c, child, b, 130 + b);
  for (uint32_t b = 0; b < 3; b++) {
    assert_null(hd_children_cta_done(c, child, &ended));
    assert_int_equal(ended, b == 2);
  }
  assert_int_equal(hd_children_open(c), 0);
  struct hd_launch_stats s = hd_children_stats(c);
  assert_int_equal(s.by_code[HD_CODE_ACCEPTED], 1);
  assert_true(s.groups == 1 && s.matched == 1 && s.overflowed == 0 && s.ctas == 3 && s.wait_max == 30);
  assert_true(s.wait_mean == 30 && s.called_mean == 80);
  assert_int_equal(add(c, HD_KIND_GROUP, 2), 1); /* the buffer names another child now */
  hd_children_free(c);
}

/* A group without an eligible kernel: its TBs have no AGE. */
TEST(test_unmatched) {
  struct hd_children *c = make();
  uint32_t child = add(c, HD_KIND_GROUP, 0), found;
  assert_null(answer(c, child, HD_CODE_ACCEPTED));
  struct hd_dispatch t = tb(c, child, 0);
  t.group = t.age_valid = 0, t.agei = 0;
  assert_null(hd_children_handed_out(c, 200, 0, &t, &found));
  assert_int_equal(hd_children_stats(c).matched, 0);
  t = tb(c, child, 1);
  expect(hd_children_handed_out(c, 200, 0, &t, &found), "only some TBs of a launch are dispatched as a group's");
  hd_children_free(c);
}

/* A kept group runs in an overflow slot, any other one never. */
TEST(test_kept) {
  struct hd_children *c = make();
  uint32_t kept = add(c, HD_KIND_GROUP, 0), other = add(c, HD_KIND_GROUP, 1), found;
  assert_null(answer(c, kept, HD_CODE_KEPT));
  assert_null(answer(c, other, HD_CODE_ACCEPTED));
  struct hd_dispatch t = tb(c, kept, 0);
  expect(hd_children_handed_out(c, 200, 0, &t, &found), "not at the index in its answer");
  t.agei = (uint16_t)cfg.agt_size;
  assert_null(hd_children_handed_out(c, 200, 0, &t, &found));
  t = tb(c, other, 0);
  t.agei = (uint16_t)cfg.agt_size;
  expect(hd_children_handed_out(c, 200, 0, &t, &found), "not at the index in its answer");
  assert_int_equal(hd_children_stats(c).overflowed, 1);
  hd_children_free(c);
}

/* Refused: its buffer has no owner any more. Any other code is a fault of the plane. */
TEST(test_refused) {
  struct hd_children *c = make();
  uint32_t child = add(c, HD_KIND_KERNEL, 0), found;
  struct hd_dispatch t = tb(c, child, 0);
  assert_null(answer(c, child, HD_CODE_REFUSED));
  assert_int_equal(hd_children_get(c, child)->state, HD_CHILD_FAILED);
  expect(hd_children_handed_out(c, 200, 0, &t, &found), "does not exist or has ended");
  expect(answer(c, add(c, HD_KIND_KERNEL, 1), HD_CODE_EMPTY_SLOT), "is legal but was answered: no TB runs");
  hd_children_free(c);
}

/* Each wrong field of an offered TB. */
TEST(test_wrong_tb) {
  struct hd_children *c = make();
  uint32_t child = add(c, HD_KIND_KERNEL, 0), found;
  assert_null(answer(c, child, HD_CODE_ACCEPTED));
  struct hd_dispatch t;
#define EXPECT(change, part) t = tb(c, child, 1), change, expect(hd_children_handed_out(c, 200, 0, &t, &found), part)
  EXPECT(t.desc.grid_x++, "dimensions or PC differ from those of its launch");
  EXPECT(t.desc.pc++, "dimensions or PC differ from those of its launch");
  EXPECT(t.level = 0, "level differs from that of its launch");
  EXPECT(t.restart = 1, "restarted");
  EXPECT(t.group = 1, "a TB of a kernel is dispatched as one of a group");
  EXPECT(t.blkid = 3, "beyond the launch's last");
  hand_out(c, child, 1, 200);
  EXPECT((void)0, "dispatched twice");
#undef EXPECT
  hd_children_free(c);
}

/* A host kernel is not done before the kernels that it launched; groups do not count here. */
TEST(test_kernel_done) {
  struct hd_children *c = make();
  bool ended = false;
  uint32_t child = add(c, HD_KIND_KERNEL, 0);
  assert_null(answer(c, add(c, HD_KIND_GROUP, 1), HD_CODE_ACCEPTED));
  assert_null(hd_children_kernel_done(c, 5));
  assert_null(answer(c, child, HD_CODE_ACCEPTED));
  expect(hd_children_kernel_done(c, 5), "kernel 5 is reported as done while 1 kernels that it launched are not done");
  assert_null(hd_children_kernel_done(c, 4));
  for (uint32_t b = 0; b < 3; b++) hand_out(c, child, b, 300);
  while (!ended) assert_null(hd_children_cta_done(c, child, &ended));
  assert_null(hd_children_kernel_done(c, 5));
  hd_children_free(c);
}

/* SMXs of the TBs, and the wait that 95 of 100 children did not exceed. */
TEST(test_places_and_waits) {
  struct hd_children *c = make();
  static const uint32_t smx[4][3] = {{3, 3, 3}, {3, 1, 1}, {1, 3, 2}, {2, 2, 1}};
  for (uint32_t k = 0; k < 4; k++) {
    uint32_t child = add(c, HD_KIND_GROUP, k), found;
    hd_children_get(c, child)->smx = k < 2 ? 3 : 2;
    assert_null(answer(c, child, HD_CODE_ACCEPTED));
    for (uint32_t b = 0; b < 3; b++) {
      struct hd_dispatch t = tb(c, child, b);
      assert_null(hd_children_handed_out(c, 110 + 10 * k + b, smx[k][b], &t, &found));
    }
  }
  struct hd_launch_stats s = hd_children_stats(c);
  assert_int_equal(s.ctas, 12);
  assert_int_equal(s.own_ctas, 7);
  /* SMX 1 takes from 3 (twice, once counted) and from 2, continues with 2; SMX 3 takes from 2. */
  assert_int_equal(s.helps, 3);
  assert_int_equal(s.wait_p95, 40);
  assert_int_equal(s.wait_max, 40);
  assert_true(s.wait_mean == 25);
  hd_children_free(c);
}

TEST_MAIN("children", NULL, NULL)
