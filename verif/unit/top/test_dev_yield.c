/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* TBs that wait for their launches: save, suspension, resumption, restart. */
#include "unit/dev_model.h"

static const struct hd_axi_profile some = {
    .name = "some", .latency_min = 6, .latency_max = 6, .sink = 256, .source = 256};

/* Saves the n-th TB that was handed out; it ends. */
static void save_tb(unsigned n, uint64_t ctx) {
  unsigned asked = answers;
  launch_save(tb[n].smx, tb[n].d.slot, ctx);
  until(&answers, asked + 1, 30);
  assert_int_equal(answer[asked].a.code, HD_CODE_ACCEPTED);
  end_tb(tb[n].smx, tb[n].d.slot);
}

/* On a full machine a kernel of 5 TBs with one TB left, and with a group behind it; two of its TBs have launched and
 * are saved. */
static void half_way(void) {
  begin("tiny");
  host_kernel(0, 0, 5);
  until(&tbs, 4, 30);
  launch_kernel(0, 0, 1, 1, 0);
  launch_group(0, 0, 2, 1, 20, 1);
  until(&answers, 2, 30);
  save_tb(0, 0x5000);
  save_tb(1, 0x5100);
}

/* No TB of a kernel is handed out from its first save on, and it is suspended when its last TB has ended. Resumed, when
 * the child has ended: the saved TBs in their order, the rest of the native part, the group. */
TEST(saved_native_group) {
  half_way();
  ticks(50);
  assert_int_equal(tbs, 5);
  expect_tb(4, 1, 0);
  assert_int_equal(COUNT(SUSPENDS), 0);
  end_nth(2);
  end_nth(3);
  ticks(100);
  assert_int_equal(tbs, 5);
  assert_int_equal(COUNT(SUSPENDS), 1);
  end_nth(4);
  until(&tbs, 9, 300);
  expect_restart(5, 0x5000);
  expect_restart(6, 0x5100);
  assert_int_equal(tb[5].d.level, 0);
  expect_tb(7, 0, 4);
  expect_tb(8, 2, 0);
  assert_int_equal(ended_n, 0);
  end();
  assert_int_equal(ended_n, 1);
}

/* The children end before the parent is suspended: it resumes at once. */
TEST(children_first) {
  half_way();
  until(&tbs, 5, 200); /* the child runs at the same time: there is a second entry */
  end_nth(4);
  ticks(50);
  end_nth(2);
  end_nth(3);
  until(&tbs, 9, 300);
  expect_restart(5, 0x5000);
  expect_restart(6, 0x5100);
  expect_tb(7, 0, 4);
  expect_tb(8, 2, 0);
  end();
}

/* The child ends in each of the cycles around those in which the parent is suspended, or finally leaves the KD. */
static void child_ends_around(bool saves) {
  for (int off = -30; off <= 30; off++) {
    begin("k20c");
    host_kernel(0, 0, 1);
    until(&tbs, 1, 20);
    launch_kernel(0, 0, 1, 1, 0);
    until(&tbs, 2, 60);
    if (saves) launch_save(0, 0, 0x5000);
    ticks(40);
    uint64_t parent_ends = now + 40;
    slot[0][0].ends = parent_ends;
    slot[tb[1].smx][tb[1].d.slot].ends = parent_ends + (uint64_t)(int64_t)off;
    until(&dones, 2, 100);
    if (saves) {
      until(&tbs, 3, 200);
      expect_restart(2, 0x5000);
    }
    end();
    assert_int_equal(tbs, saves ? 3 : 2);
    assert_int_equal(ended_n, 1);
  }
}

TEST(child_ends_at_any_time) {
  child_ends_around(true);
  child_ends_around(false);
}

/* From the last TB's retirement to the first saved TB, on an idle port whose bursts take m cycles from the transfer at
 * the arbiter to the answer at the client. */
TEST(cycles_of_suspend_and_resume) {
  begin_with(ut_cfg_hashed("k20c"), &some);
  host_kernel(0, 0, 1);
  until(&tbs, 1, 20);
  launch_kernel(0, 0, 1, 1, 0);
  until(&tbs, 2, 60);
  end_nth(1);
  launch_save(0, 0, 0x5000);
  until(&answers, 2, 30);
  ticks(60);
  end_tb(0, 0);
  uint64_t t = now + 1 + 3; /* ExeBL is 0: popped, reported, counted */
  uint64_t asked[4] = {0}, ended[4] = {0};
  unsigned a = 0, e = 0;
  for (unsigned c = 0; tbs < 3; c++) {
    assert_true(c < 300);
    tick();
    if ((out.awvalid && in.awready) || (out.arvalid && in.arready)) asked[a++] = now;
    if (in.bvalid || (in.rvalid && in.rlast)) ended[e++] = now;
  }
  assert_int_equal(a, 3); /* record, record, saved TBs */
  assert_int_equal(e, 3);
  /* Chosen t, Steal, Send, latched t + 3, request t + 4, address t + 5. */
  assert_int_equal(asked[0], t + 5);
  /* An answer is at the client one cycle later: done. kin is informed and records it; resume register, which is latched
   * as soon as it is valid; request, address. */
  assert_int_equal(asked[1], ended[0] + 1 + 2 + 1 + 1 + 1);
  /* done, head, offered to the KD, SSCR, tag of the list, request, address */
  assert_int_equal(asked[2], ended[1] + 1 + 1 + 1 + 1 + 1 + 1 + 1);
  /* done, unit loaded, granted, offered */
  assert_int_equal(tb[2].cycle, ended[2] + 1 + 1 + 1 + 1);
  end();
}

/* A kernel that stops in the middle of a group, on chip or from memory: the group continues with its next TB, and a
 * record is returned once. */
static void in_the_middle_of_a_group(bool kept) {
  begin("tiny");
  host_kernel(0, 0, 1);
  until(&tbs, 1, 20);
  unsigned first = 1;
  if (kept) { /* a group that holds AGE 1 */
    launch_group(0, 0, 9, 1, 9, 1);
    until(&tbs, 2, 30);
    first = 2;
  }
  launch_group(0, 0, 2, 7, 20, 1);
  until(&tbs, 4, 200); /* the machine is full */
  unsigned out_now = 4 - first;
  launch_kernel(0, 0, 1, 1, 0);
  until(&answers, 2 + kept, 40);
  save_tb(0, 0x5000);
  for (unsigned n = 1; n < 4; n++) end_nth(n);
  until(&tbs, 5, 300);
  expect_tb(4, 1, 0);
  assert_int_equal(returneds, 0);
  end_nth(4);
  episode = 1;
  until(&tbs, 5 + 1 + 7 - out_now, 600);
  expect_restart(5, 0x5000);
  for (unsigned b = out_now; b < 7; b++) {
    const struct logged_tb *t = expect_tb(6 + b - out_now, 2, b);
    assert_int_equal(t->d.agei >= cfg.agt_size, kept);
  }
  ticks(60);
  assert_int_equal(returneds, kept);
  end();
}

TEST(groups_go_on) {
  in_the_middle_of_a_group(false);
  in_the_middle_of_a_group(true);
}

/* Restarted TBs save again while others of the list still wait: those come first at the next resumption, then the new
 * ones, across the wrap of the ring. */
TEST(saved_again) {
  begin("tiny");
  host_kernel(0, 0, 4);
  until(&tbs, 4, 30);
  launch_kernel(0, 0, 1, 1, 0);
  until(&answers, 1, 30);
  for (unsigned n = 0; n < 4; n++) save_tb(n, 0x5000 + n);
  until(&tbs, 5, 200);
  end_nth(4);
  unsigned next = 4; /* the oldest context that has not been saved again */
  for (unsigned round = 0; round < 12; round++) {
    unsigned n = tbs;
    until(&tbs, n + 4, 400);
    unsigned child = 10 + round;
    launch_kernel(tb[n].smx, tb[n].d.slot, child, 1, 0);
    until(&answers, answers + 1, 60);
    for (unsigned k = 0; k < 4; k++) {
      expect_restart(n + k, 0x5000 + next - 4 + k);
      save_tb(n + k, 0x5000 + next + k);
    }
    next += 4;
    until(&tbs, n + 5, 400);
    expect_tb(n + 4, child, 0);
    end_nth(n + 4);
  }
  episode = 1;
  until(&ended_n, 1, 500);
  assert_int_equal(COUNT(SUSPENDS), 13);
  end();
}

/* Of eight saved TBs four are restarted, which fill the room; the first of them saves again. */
TEST(saved_again_in_the_saved_phase) {
  begin("k20c");
  host_kernel(0, 0, 208);
  until(&tbs, 208, 300);
  launch_kernel(0, 0, 1, 1, 0);
  until(&answers, 1, 30);
  for (unsigned n = 0; n < 40; n++) save_tb(n, 0x5000 + n);
  for (unsigned n = 40; n < 208; n++) end_nth(n);
  until(&tbs, 209, 1000);
  /* Another kernel takes all slots but four. */
  host_kernel(1000, 1, 204);
  until(&tbs, 413, 400);
  end_nth(208);
  until(&tbs, 417, 400);
  for (unsigned n = 0; n < 4; n++) expect_restart(413 + n, 0x5000 + n);
  launch_kernel(tb[413].smx, tb[413].d.slot, 2, 1, 0);
  until(&answers, 42, 60);
  save_tb(413, 0x6000);
  for (unsigned n = 414; n < 417; n++) end_nth(n);
  until(&tbs, 418, 400);
  expect_tb(417, 2, 0);
  end_nth(417);
  episode = 1;
  until(&tbs, 418 + 36 + 1, 1000);
  for (unsigned n = 0; n < 36; n++) expect_restart(418 + n, 0x5004 + n);
  expect_restart(418 + 36, 0x6000);
  end();
}

/* A save is refused if there is no child to wait for, or no room: the TB continues. */
TEST(refused) {
  begin("tiny");
  regions(16, 8, 1);
  host_kernel(0, 0, 1);
  host_kernel(1000, 1, 1);
  until(&tbs, 2, 30);
  launch_save(tb[0].smx, tb[0].d.slot, 0x5000); /* no child */
  until(&answers, 1, 30);
  launch_kernel(tb[0].smx, tb[0].d.slot, 1, 1, 0); /* parent record 0 */
  until(&answers, 2, 30);
  launch_kernel(tb[1].smx, tb[1].d.slot, 1001, 1, 0); /* parent record 1: beyond the region */
  until(&answers, 3, 30);
  launch_save(tb[1].smx, tb[1].d.slot, 0x5100);
  until(&answers, 4, 30);
  EXPECT_CODES(HD_CODE_REFUSED, HD_CODE_ACCEPTED, HD_CODE_ACCEPTED, HD_CODE_REFUSED);
  assert_true(status() & HD_STATUS_SAVE_REFUSED);
  assert_false(status() & (HD_STATUS_REFUSED | HD_STATUS_DEV_REFUSED));
  save_tb(0, 0x5000);
  end();
  assert_int_equal(ended_n, 2);
}

/* While a kernel is to be suspended no group joins it: a group that would continues as a kernel. */
TEST(no_groups_join) {
  begin("k20c");
  host_kernel(0, 0, 2);
  host_kernel(1000, 1, 1);
  until(&tbs, 3, 30);
  launch_kernel(0, 0, 2000, 1, 0);
  until(&answers, 1, 30);
  save_tb(0, 0x5000);
  ticks(10);
  launch_group(tb[2].smx, tb[2].d.slot, 2, 1, 5, 5); /* kernel 0's program */
  until(&tbs, 5, 100);
  assert_int_equal(COUNT(DEV_UNMATCHED), 1);
  for (unsigned n = 3; n < 5; n++) assert_int_equal(tb[n].d.age_valid, 0);
  end();
}

TEST_MAIN("dev_yield", NULL, NULL)
