/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Kernels that TBs launch: the pool on chip and in memory, device streams, nesting, and full tables. */
#include "unit/dev_model.h"

static void take_tb(unsigned k, uint32_t ctas) {
  unsigned n = tbs;
  host_kernel(k, k / 1000, ctas);
  until(&tbs, n + ctas, 30);
}

/* Kernels leave the pool in the order of their launch: through the places on chip, memory, and back. */
TEST(in_order_through_memory) {
  begin("tiny");
  take_tb(0, 1);
  take_tb(1000, 1); /* both entries are taken */
  for (unsigned k = 0; k < 12; k++) launch_kernel(0, 0, 1 + k, 1, 0);
  until(&answers, 12, 400);
  for (unsigned k = 0; k < 12; k++) assert_int_equal(answer[k].a.code, HD_CODE_ACCEPTED);
  ticks(100);
  assert_int_equal(tbs, 2);
  assert_true(COUNT(SPILLS) >= 12 - cfg.pool_depth - 1);
  episode = 1;
  end_tb(tb[1].smx, tb[1].d.slot);
  until(&tbs, 14, 1000);
  for (unsigned k = 0; k < 12; k++) assert_int_equal(expect_tb(2 + k, 1 + k, 0)->d.level, 1);
  assert_int_equal(ended_n, 1);
  end_tb(0, 0);
  until(&ended_n, 2, 100);
  assert_int_equal(COUNT(SPILLS), COUNT(REFILLS));
  end();
}

/* Returns the number of launches that are ever answered by a KMU that, as in the paper, stalls the SMX until there is
 * room, while TBs that wait for their answers hold all entries: only those for which there is room. */
static unsigned literal_answers(unsigned launches, unsigned room) {
  unsigned answered = 0;
  while (answered < launches && answered < room) answered++; /* room appears only when a TB ends */
  return answered;
}

/* The region is full: further kernels are refused and shown in the status, no SMX waits for them, and accepted kernels
 * run. */
TEST(region_full) {
  for (unsigned places = 0; places < 6; places++) {
    begin("tiny");
    regions(16, places, 8);
    take_tb(0, 1);
    take_tb(1000, 1);
    for (unsigned k = 0; k < 12; k++) launch_kernel(0, 0, 1 + k, 1, 0);
    until(&answers, 12, 400);
    unsigned accepted = 0;
    for (unsigned k = 0; k < 12; k++) accepted += answer[k].a.code == HD_CODE_ACCEPTED;
    /* One at the KMU, those on chip, and all places in memory. */
    assert_int_equal(accepted, 1 + cfg.pool_depth + places);
    assert_true(literal_answers(12, accepted) < answers);
    assert_true(status() & HD_STATUS_DEV_REFUSED);
    assert_false(status() & HD_STATUS_REFUSED);
    end();
    assert_int_equal(tbs, 2 + accepted);
    assert_int_equal(ended_n, 2);
  }
}

/* No parent record is free: the first child of a kernel is refused, further children of a kernel with a record are
   not. */
TEST(no_parent_record) {
  begin_with(ut_cfg_with("tiny", "NumKin", 1), &fast);
  take_tb(0, 1);
  take_tb(1000, 1);
  launch_kernel(0, 0, 1, 1, 0);
  until(&answers, 1, 20);
  unsigned s = tb[1].smx, j = tb[1].d.slot;
  launch_kernel(s, j, 1001, 1, 0);
  until(&answers, 2, 20);
  launch_kernel(0, 0, 2, 1, 0);
  until(&answers, 3, 20);
  EXPECT_CODES(HD_CODE_ACCEPTED, HD_CODE_REFUSED, HD_CODE_ACCEPTED);
  end();
}

/* ---- streams ---- */

/* Kernels of one stream run one after the other, in order; those of other streams run concurrently. */
TEST(one_after_the_other) {
  begin("k20c");
  take_tb(0, 1);
  for (unsigned k = 0; k < 3; k++) launch_kernel(0, 0, 1 + k, 1, 5);
  for (unsigned k = 3; k < 5; k++) launch_kernel(0, 0, 1 + k, 1, 6 + k);
  ticks(200);
  assert_int_equal(tbs, 4);
  expect_tb(1, 1, 0);
  expect_tb(2, 4, 0);
  expect_tb(3, 5, 0);
  for (unsigned k = 1; k < 3; k++) {
    unsigned at = k == 1 ? 1 : 2 + k;
    end_tb(tb[at].smx, tb[at].d.slot);
    until(&tbs, 4 + k, 60);
    expect_tb(3 + k, 1 + k, 0);
  }
  end();
}

/* A kernel is complete, for its stream, when its own children are. */
TEST(a_stream_waits_for_children) {
  begin("k20c");
  take_tb(0, 1);
  launch_kernel(0, 0, 1, 1, 5);
  launch_kernel(0, 0, 2, 1, 5);
  until(&tbs, 2, 60);
  launch_kernel(tb[1].smx, tb[1].d.slot, 3, 1, 0);
  until(&tbs, 3, 60);
  end_tb(tb[1].smx, tb[1].d.slot);
  ticks(100);
  assert_int_equal(tbs, 3);
  end_tb(tb[2].smx, tb[2].d.slot);
  until(&tbs, 4, 60);
  expect_tb(3, 2, 0);
  end();
}

/* Returns how many of the kernels in the pool finally run: P runs and waits for its child C, H is behind P in the
 * stream. `passes`: a head that must wait lets the next go first. */
static unsigned untimed_pool(bool passes) {
  enum { H, C };
  unsigned queue[2] = {H, C}, n = 2, ran = 0;
  bool p_done = false;
  for (unsigned turns = 0; turns < 10 && n; turns++) {
    bool allowed = queue[0] == C || p_done;
    if (!allowed && !passes) break;
    unsigned head = queue[0];
    queue[0] = queue[1];
    if (!allowed) {
      queue[n - 1] = head;
      continue;
    }
    n--;
    ran++;
    if (head == C) p_done = true; /* P is resumed and ends */
  }
  return ran;
}

/* P and H in one stream, H in the pool ahead of the child for which P waits. A pool that waits at its head never
   ends. */
TEST(child_behind_the_stream_of_its_parent) {
  assert_int_equal(untimed_pool(true), 2);
  assert_int_equal(untimed_pool(false), 0);
  begin("k20c");
  take_tb(0, 1);
  launch_kernel(0, 0, 1, 1, 5); /* P */
  launch_kernel(0, 0, 2, 1, 5); /* H */
  until(&tbs, 2, 60);
  ticks(20);
  unsigned s = tb[1].smx, j = tb[1].d.slot;
  launch_kernel(s, j, 3, 1, 13); /* C */
  launch_save(s, j, 0x5000);
  until(&answers, 4, 30);
  EXPECT_CODES(0, 0, 0, 0);
  end_tb(s, j);
  until(&tbs, 3, 200);
  expect_tb(2, 3, 0);
  end_tb(tb[2].smx, tb[2].d.slot);
  until(&tbs, 4, 200);
  expect_restart(3, 0x5000);
  end_tb(tb[3].smx, tb[3].d.slot);
  until(&tbs, 5, 200);
  expect_tb(4, 2, 0);
  end();
}

/* The same with the pool's memory full: blocked kernels stay, and the others overtake. */
TEST(blocked_kernels_and_a_full_region) {
  begin("tiny");
  regions(16, 4, 8);
  take_tb(0, 1);
  take_tb(1000, 1);
  unsigned s = tb[1].smx, j = tb[1].d.slot;
  launch_kernel(0, 0, 1, 1, 1); /* waits at the KMU */
  until(&answers, 1, 30);
  ticks(10);
  launch_kernel(0, 0, 2, 1, 1);
  launch_kernel(0, 0, 3, 1, 1);
  for (unsigned k = 0; k < 7; k++) launch_kernel(0, 0, 4 + k, 1, 0);
  until(&answers, 10, 400);
  unsigned others = 0;
  for (unsigned n = 3; n < 10; n++) others += answer[n].a.code == HD_CODE_ACCEPTED;
  assert_int_equal(others, cfg.pool_depth - 2 + 4); /* the rows that 2 and 3 leave, and the places */
  end_tb(s, j);
  until(&tbs, 3, 100);
  expect_tb(2, 1, 0); /* it stays: 2 and 3 must wait */
  end_tb(0, 0);
  episode = 1;
  until(&tbs, 3 + others, 2000);
  for (unsigned k = 0; k < others; k++)
    assert_in_range(tb[3 + k].d.desc.param, desc_of(4, 1).param, desc_of(9, 1).param);
  ticks(100);
  assert_int_equal(tbs, 3 + others);
  end_tb(tb[2].smx, tb[2].d.slot);
  until(&tbs, 5 + others, 1000);
  expect_tb(3 + others, 2, 0);
  expect_tb(4 + others, 3, 0);
  end();
}

/* ---- nesting ---- */

/* Every first TB of kernel k, k % 10 < depth, launches kernel k + 1 and saves itself; restarted ones end. */
static void nest(unsigned depth, unsigned kernels, unsigned limit) {
  unsigned seen = 0, answered = 0, saved = 0, restarted = 0;
  for (unsigned c = 0; ended_n < kernels; c++) {
    if (c == limit) fail_msg("%u of %u kernels after %u cycles", ended_n, kernels, limit);
    tick();
    for (; seen < tbs; seen++) {
      struct hd_dispatch *d = &tb[seen].d;
      unsigned k = (unsigned)((d->desc.param - desc_of(0, 1).param) / 64);
      restarted += d->restart;
      if (d->restart || k % 10 == depth) {
        slot[tb[seen].smx][d->slot].ends = now + 4;
        continue;
      }
      launch_kernel(tb[seen].smx, d->slot, k + 1, 1, 0);
      launch_save(tb[seen].smx, d->slot, 0x1000000 + k);
    }
    for (; answered < answers; answered++) {
      assert_int_equal(answer[answered].a.code, HD_CODE_ACCEPTED);
      if (answer[answered].a.kind != HD_KIND_SAVE) continue;
      slot[answer[answered].smx][answer[answered].a.slot].ends = now + 1;
      saved++;
    }
  }
  assert_int_equal(saved, depth * kernels);
  assert_int_equal(restarted, depth * kernels);
}

/* Nested 4 deep with every entry of the KD taken by a waiting parent, and with the smallest sufficient tables. */
TEST(nested_with_all_entries_taken) {
  begin("tiny");
  for (unsigned k = 0; k < 2; k++) host_kernel(1000 * k, k, 1);
  nest(4, 2, 3000);
  assert_int_equal(COUNT(SUSPENDS), 8);
  assert_int_equal(COUNT(RESUMES), 8);
  end();
  begin_with(ut_cfg_with("tiny", "NumKde", 1), &fast);
  host_kernel(0, 0, 1);
  nest(4, 1, 3000);
  end();
  begin("k20c");
  for (unsigned k = 0; k < 32; k++) host_kernel(10 * k, k, 1);
  nest(3, 32, 20000);
  end();
}

/* 32 parents that never wait, each with a child in the pool: entries are freed as the parents end, the children run,
 * and only then are the parents reported. */
TEST(parents_that_do_not_wait) {
  begin("k20c");
  for (unsigned k = 0; k < 32; k++) host_kernel(10 * k, k, 1);
  until(&tbs, 32, 60);
  for (unsigned k = 0; k < 32; k++) launch_kernel(tb[k].smx, tb[k].d.slot, 10 * k + 1, 1, 0);
  until(&answers, 32, 600);
  ticks(300);
  assert_int_equal(tbs, 32); /* no entry is free */
  for (unsigned k = 0; k < 32; k++) end_tb(tb[k].smx, tb[k].d.slot);
  until(&tbs, 64, 2000);
  assert_int_equal(ended_n, 0);
  assert_int_equal(answers, 32);
  for (unsigned k = 0; k < 32; k++) end_tb(tb[32 + k].smx, tb[32 + k].d.slot);
  until(&ended_n, 32, 200);
  end();
}

/* Kernel without children: reported 4 cycles after its last TB was retired. A child: its parent's count decreases in
 * the same cycle, the parent is ripe in the next, and reported after it. */
TEST(cycles_of_the_end) {
  begin("k20c");
  take_tb(0, 1);
  launch_kernel(0, 0, 1, 1, 0);
  until(&tbs, 2, 60);
  end_tb(0, 0);
  ticks(20);
  end_tb(tb[1].smx, tb[1].d.slot);
  uint64_t retired = now + 1 + 2;
  until(&ended_n, 1, 20);
  assert_int_equal(ended[0].cycle, retired + 6);
  take_tb(1000, 1);
  end_tb(tb[2].smx, tb[2].d.slot);
  retired = now + 1 + 2;
  until(&ended_n, 2, 20);
  assert_int_equal(ended[1].cycle, retired + 4);
  end();
}

TEST_MAIN("dev_kernels", NULL, NULL)
