/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Errors: storms of illegal launches, a memory that answers with errors, a kernel that launches forever. */
#include "unit/dev_model.h"

static void take_tb(unsigned k) {
  unsigned n = tbs;
  host_kernel(k, k / 1000, 1);
  until(&tbs, n + 1, 30);
}

/* ---- storms ---- */

/* Each launch has an expected code, the first that applies; the answers arrive in order, every one is counted, and
 * there is no other effect. */
TEST(bad_launches) {
  begin("tiny");
  take_tb(0);
  ticks(10);
  static struct hd_top_arch before, after;
  hd_top_arch(m, &before, true);
  beat(0, 0, HD_KIND_KERNEL, 1, 1)->desc.grid_x = 0;
  beat(0, 0, HD_KIND_KERNEL, 2, 1)->desc.cta_z = 0;
  beat(0, 0, HD_KIND_GROUP, 3, 1)->threads = 0;
  beat(0, 0, HD_KIND_KERNEL, 4, 0);
  beat(0, 0, HD_KIND_KERNEL, 5, 1)->desc.cta_x = 1025;
  beat(0, 0, HD_KIND_GROUP, 6, 1)->desc.cta_z = 65;
  beat(0, 0, HD_KIND_KERNEL, 7, 1)->threads = 1025;
  beat(0, 0, HD_KIND_GROUP, 8, 1)->record = 256;
  beat(0, 0, 3, 9, 1);
  beat(0, 0, HD_KIND_KERNEL, 10, 1)->threads = 129;
  beat(0, 0, HD_KIND_KERNEL, 11, 1)->smem = 5;
  beat(0, 0, HD_KIND_GROUP, 12, 1)->regs = 33;
  beat(0, 0, HD_KIND_KERNEL, 13, 1)->stream = 4;
  beat(0, 0, HD_KIND_GROUP, 14, 1)->stream = 255;
  beat(0, 1, HD_KIND_KERNEL, 15, 1);
  beat(0, 1, HD_KIND_GROUP, 16, 1);
  beat(0, 1, HD_KIND_SAVE, 17, 1);
  /* Several at once. */
  struct hd_devlaunch *l = beat(0, 1, HD_KIND_GROUP, 18, 1);
  l->desc.grid_x = 0, l->threads = 1025, l->record = 256, l->stream = 255;
  l = beat(0, 1, HD_KIND_GROUP, 19, 1);
  l->threads = 1025, l->smem = 5, l->stream = 255;
  l = beat(0, 1, HD_KIND_GROUP, 20, 1);
  l->smem = 5, l->stream = 255;
  l = beat(0, 1, HD_KIND_GROUP, 21, 1);
  l->stream = 255;
  until(&answers, 21, 200);
  EXPECT_CODES(2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6, 6, 6, 2, 3, 4, 5);
  ticks(10);
  hd_top_arch(m, &after, true);
  assert_memory_equal(&before.kd, &after.kd, sizeof before.kd);
  assert_memory_equal(&before.link, &after.link, sizeof before.link);
  assert_memory_equal(&before.kin, &after.kin, sizeof before.kin);
  assert_memory_equal(&before.pool, &after.pool, sizeof before.pool);
  assert_memory_equal(&before.susp, &after.susp, sizeof before.susp);
  assert_int_equal(COUNT(DEV_BAD), 21);
  assert_int_equal(COUNT(DEV_KERNELS) + COUNT(DEV_GROUPS) + COUNT(DEV_KEPT) + COUNT(DEV_REFUSED), 0);
  assert_int_equal(status(), HD_STATUS_ZERO_DIM | HD_STATUS_OVER_LIMIT | HD_STATUS_NEVER_FITS | HD_STATUS_UNKNOWN_HWQ |
                                 HD_STATUS_EMPTY_SLOT);
  end();
}

/* A TB that waits in its dispatch register cannot have launched anything. */
TEST(launch_from_a_dispatch_register) {
  begin("tiny");
  hold_tbs = true;
  host_kernel(0, 0, 1);
  until(&tbs, 1, 30);
  beat(0, 0, HD_KIND_KERNEL, 1, 1);
  beat(0, 0, HD_KIND_GROUP, 2, 1);
  until(&answers, 2, 30);
  EXPECT_CODES(HD_CODE_EMPTY_SLOT, HD_CODE_EMPTY_SLOT);
  hold_tbs = false;
  ticks(5);
  launch_kernel(0, 0, 3, 1, 0);
  until(&tbs, 2, 60);
  expect_tb(1, 3, 0);
  end();
}

/* Without regions: groups are over the limit, a few kernels fit on chip, no TB is saved. */
TEST(no_regions) {
  begin("tiny");
  regions(0, 0, 0);
  take_tb(0);
  launch_kernel(0, 0, 1, 1, 0);
  beat(0, 0, HD_KIND_GROUP, 2, 1);
  launch_save(0, 0, 0x5000);
  until(&answers, 3, 60);
  EXPECT_CODES(HD_CODE_ACCEPTED, HD_CODE_OVER_LIMIT, HD_CODE_REFUSED);
  end();
  assert_int_equal(tbs, 2);
}

/* ---- errors of the memory ---- */

static void spoil(uint64_t base, uint64_t from, uint64_t bytes) {
  assert_true(hd_axi_mem_spoil(mem, base * 256 + from, bytes, HD_AXI_SLVERR));
}

static void spoil_record(unsigned record) {
  spoil(REC_BASE, 64 * (uint64_t)record, 64);
}

/* The lists of groups. */
static void spoil_lists(void) {
  spoil(LIST_BASE, 0, 256 * (uint64_t)cfg.num_list);
}

/* At most one kernel was reported as failed; the rest of the plane continues; the status has exactly this bit. */
static void ends_with(uint32_t bit, bool failed) {
  unsigned before = ended_n;
  host_kernel(3000, 1, 2);
  drain(3000);
  assert_true(ended_n > before);
  unsigned failures = 0;
  for (unsigned k = 0; k < ended_n; k++) failures += ended[k].c.failed;
  assert_int_equal(failures, failed);
  assert_int_equal(status() & (HD_STATUS_MEM_LIST | HD_STATUS_MEM_RECORD | HD_STATUS_MEM_POOL | HD_STATUS_MEM_SUSPEND),
                   bit);
  script_end();
  free(m);
}

/* A full machine: a group in memory with one TB left. */
static void half_a_group(void) {
  begin("tiny");
  take_tb(0);
  launch_group(0, 0, 1, 1, 20, 0);
  until(&tbs, 2, 30);
  launch_group(0, 0, 2, 3, 21, 0);
  until(&tbs, 4, 300);
}

TEST(list_write) {
  half_a_group();
  ticks(10);
  spoil_lists();
  launch_group(0, 0, 3, 1, 22, 0);
  until(&answers, 3, 30);
  ticks(30);
  unsigned was = tbs;
  episode = 1;
  end_tb(tb[2].smx, tb[2].d.slot);
  ticks(50);
  assert_int_equal(tbs, was); /* the kernel hands out no more TBs */
  ends_with(HD_STATUS_MEM_LIST, true);
}

/* Once a kernel has failed, its TBs are not saved, since they would not be restarted. Their kernels still run. */
TEST(launches_of_a_failed_kernel) {
  half_a_group();
  launch_kernel(0, 0, 1005, 1, 0);
  until(&answers, 3, 30);
  spoil_lists();
  launch_group(0, 0, 3, 1, 22, 0);
  until(&answers, 4, 30);
  ticks(30);
  launch_save(0, 0, 0x5000);
  launch_kernel(0, 0, 1006, 1, 0);
  launch_group(0, 0, 7, 1, 23, 0); /* finds no kernel that takes groups */
  until(&answers, 7, 60);
  EXPECT_CODES(0, 7, 0, 7, HD_CODE_REFUSED, 0, 0);
  assert_int_equal(COUNT(DEV_UNMATCHED), 1);
  ends_with(HD_STATUS_MEM_LIST, true);
  assert_int_equal(tbs, 4 + 3 + 2);
}

TEST(record_read) {
  half_a_group();
  spoil_record(22);
  launch_group(0, 0, 3, 1, 22, 0);
  until(&answers, 3, 30);
  ticks(30);
  ends_with(HD_STATUS_MEM_RECORD, true);
  assert_int_equal(tbs, 4 + 2); /* no more TBs of the groups, all of the later kernel */
}

/* A damaged record: no TBs. */
TEST(record_without_tbs) {
  half_a_group();
  launch_group(0, 0, 3, 1, 22, 0);
  static const uint8_t none[4];
  hd_axi_mem_write(mem, REC_BASE * 256 + 64 * 22 + 40, none, 4);
  until(&answers, 3, 30);
  /* The oracle knows only errors; the plane counts this as one. */
  ticks(60);
  assert_true(status() & HD_STATUS_MEM_RECORD);
  script_end();
  free(m);
}

/* Two entries taken, so that kernels go through memory. */
static void through_memory(void) {
  begin("tiny");
  take_tb(0);
  take_tb(1000);
}

TEST(pool_write) {
  through_memory();
  spoil(DEV_BASE, 0, 128);
  for (unsigned k = 0; k < 5; k++) launch_kernel(0, 0, 1 + k, 1, 1);
  until(&answers, 5, 200);
  ticks(300);
  ends_with(HD_STATUS_MEM_POOL, false);
  assert_true(tbs < 2 + 5 + 2);
  assert_int_equal(ended_n, 3);
}

TEST(pool_read) {
  through_memory();
  for (unsigned k = 0; k < 7; k++) launch_kernel(0, 0, 1 + k, 1, 0);
  until(&answers, 7, 200);
  ticks(100);
  assert_int_equal(COUNT(SPILLS), 2);
  spoil(DEV_BASE, 0, 128);
  ends_with(HD_STATUS_MEM_POOL, false);
  assert_int_equal(tbs, 2 + 6 + 2);
}

/* A parent that has a child and is about to be saved; the child stays. */
static void with_a_child(void) {
  begin("tiny");
  host_kernel(0, 0, 3);
  until(&tbs, 3, 30);
  launch_kernel(0, 0, 1, 1, 0);
  until(&tbs, 4, 60);
}

static void save_and_end(void) {
  unsigned n = answers;
  launch_save(tb[0].smx, tb[0].d.slot, 0x5000);
  until(&answers, n + 1, 30);
  assert_int_equal(answer[n].a.code, HD_CODE_ACCEPTED);
  for (unsigned k = 0; k < 3; k++) end_tb(tb[k].smx, tb[k].d.slot);
}

TEST(save_write) {
  with_a_child();
  spoil(SUS_BASE, 128, 16);
  save_and_end();
  ticks(100);
  assert_int_equal(ended_n, 0); /* its child still runs */
  ends_with(HD_STATUS_MEM_SUSPEND, true);
  assert_int_equal(tbs, 4 + 2);
}

TEST(suspension_record) {
  with_a_child();
  spoil(SUS_BASE, 0, 128);
  save_and_end();
  ticks(100);
  assert_int_equal(ended_n, 0);
  ends_with(HD_STATUS_MEM_SUSPEND, true);
  assert_int_equal(tbs, 4 + 2);
}

TEST(resume_read) {
  with_a_child();
  save_and_end();
  ticks(100);
  assert_int_equal(COUNT(SUSPENDS), 1);
  spoil(SUS_BASE, 0, 128);
  ends_with(HD_STATUS_MEM_SUSPEND, true);
  assert_int_equal(tbs, 4 + 2);
}

TEST(saved_chunk) {
  with_a_child();
  save_and_end();
  ticks(100);
  spoil(SUS_BASE, 128, 128);
  ends_with(HD_STATUS_MEM_SUSPEND, true);
  assert_int_equal(tbs, 4 + 2);
}

/* A pointer of one kernel's list is not written, and the record of another is not read, both in one cycle: these two
 * fail, and no other. */
TEST(two_kernels_in_one_cycle) {
  struct hd_axi_profile together = fast;
  together.together = true;
  begin_with(ut_cfg_hashed("tiny"), &together);
  host_kernel(0, 0, 1);
  until(&tbs, 1, 30);
  launch_kernel(0, 0, 2000, 1, 0);
  until(&tbs, 2, 60); /* its child, which stays */
  launch_save(tb[0].smx, tb[0].d.slot, 0x5000);
  until(&answers, 2, 30);
  end_tb(tb[0].smx, tb[0].d.slot);
  ticks(100);
  assert_int_equal(COUNT(SUSPENDS), 1);
  host_kernel(1000, 1, 1);
  until(&tbs, 3, 30);
  const struct logged_tb *parent = &tb[2];
  launch_group(parent->smx, parent->d.slot, 1001, 1, 20, 0);
  until(&tbs, 4, 30);
  spoil_lists();
  spoil(SUS_BASE, 0, 128);
  episode = 1;
  launch_group(parent->smx, parent->d.slot, 1002, 1, 21, 0);
  end_tb(tb[1].smx, tb[1].d.slot);
  bool both = false;
  for (unsigned n = 0; n < 200; n++) {
    tick();
    both |= in.bvalid && in.bresp & 2 && in.rvalid && in.rlast && in.rresp & 2;
  }
  assert_true(both);
  host_kernel(3000, 1, 2);
  end_tb(parent->smx, parent->d.slot), end_tb(tb[3].smx, tb[3].d.slot);
  unsigned pairs = 0;
  for (unsigned n = 0; n < 500; n++) {
    tick();
    pairs += hd_plane_oracle_pair(oracle);
  }
  drain(3000);
  assert_int_equal(pairs, 1);
  assert_int_equal(ended_n, 3);
  for (unsigned k = 0; k < ended_n; k++) assert_int_equal(ended[k].c.failed, ended[k].c.tag != 3000);
  script_end();
  free(m);
}

/* ---- fairness ---- */

/* Returns the TBs of a kernel that are handed out before another kernel's, once that has arrived. */
static unsigned tbs_ahead(unsigned fair_every) {
  begin_with(ut_cfg_with("k20c", "FairEvery", fair_every), &fast);
  take_tb(0);
  episode = 3;
  for (unsigned g = 0; g < 300; g++) launch_group(0, 0, 1 + g, 2, 0, g);
  until(&tbs, 100, 400);
  host_kernel(1000, 1, 1);
  unsigned from = tbs, at;
  for (;;) {
    tick();
    for (at = from; at < tbs && tb[at].d.desc.pc != desc_of(1000, 1).pc; at++) {
    }
    if (at < tbs) break;
  }
  end();
  return at - from;
}

TEST(a_kernel_that_goes_on_for_ever) {
  assert_int_equal(tbs_ahead(0), 1 + 600 - 100);
  assert_in_range(tbs_ahead(4), 1, 5 + 4 + 2); /* those of the launch latency, then at most 4 and the end of a group */
  assert_in_range(tbs_ahead(1), 1, 5 + 1 + 2);
}

TEST_MAIN("dev_errors", NULL, NULL)
