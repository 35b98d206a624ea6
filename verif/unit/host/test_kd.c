/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The Kernel Distributor: entries, ExeBL, release, completion reports. */
#include "unit/host/kd_fixture.h"

/* After reset all entries are free and read as 0. */
TEST_F(test_empty_after_reset) {
  cycle();
  assert_int_equal(out.free.valid, 1);
  assert_int_equal(out.entry.kdei, 0);
  assert_int_equal(out.leave.valid, 0);
  for (unsigned i = 0; i < cfg.num_kde; i++) {
    assert_int_equal(out.ctas[i], 0);
    assert_int_equal(out.need[i].warps, 0);
  }
}

/* Kernels take the lowest free entry; what one TB needs and the TB count are shown from the next cycle on. */
TEST_F(test_enter_takes_the_lowest) {
  assert_int_equal(enter(0, 10), 0);
  assert_int_equal(enter(1, 11), 1);
  cycle();
  assert_int_equal(out.entry.kdei, 2);
  assert_int_equal(out.ctas[1], 4);
  assert_int_equal(out.need[1].regs, 2);
  assert_int_equal(out.ctas[2], 0);
}

/* 32 kernels fill the KD; the next is not taken. */
TEST_F(test_full) {
  for (unsigned i = 0; i < cfg.num_kde; i++) assert_int_equal(enter(i, i), i);
  assert_int_equal(enter(0, 99), -1);
  assert_int_equal(out.entry.kdei, 0);
  assert_int_equal(arch()->tag_row[0].tag, 0);
  assert_int_equal(arch()->tag_row[2 * 31].tag, 31);
}

/* The descriptor of the kernel granted in t is shown in t+1, and only then. */
TEST_F(test_desc_follows_the_grant) {
  const struct hd_desc want = ut_launch(3, 33).desc, none = {0};
  enter(2, 22);
  enter(3, 33);
  grant(1);
  cycle();
  assert_memory_equal(&out.desc, &none, sizeof none);
  cycle();
  assert_memory_equal(&out.desc, &want, sizeof want);
  cycle();
  assert_memory_equal(&out.desc, &none, sizeof none);
}

/* ExeBL counts hand-outs up and retirements down; both for one entry in a cycle are the net. */
TEST_F(test_exebl) {
  enter(0, 1);
  enter(1, 2);
  for (unsigned i = 0; i < 3; i++) {
    grant(0);
    cycle();
  }
  assert_int_equal(exebl_of(0), 3);
  assert_int_equal(arch()->exebl[0], 2); /* the registers count a TB one cycle late */
  grant(0);
  retire(0);
  cycle();
  assert_int_equal(exebl_of(0), 3);
  grant(1);
  retire(0);
  cycle();
  assert_int_equal(exebl_of(0), 2);
  assert_int_equal(exebl_of(1), 1);
}

/* A marked kernel stays with no TB in execution, an unmarked one stays while one is. */
TEST_F(test_no_release_too_early) {
  enter(0, 1);
  for (int t = 0; t < 4; t++) cycle();
  assert_int_equal(arch()->valid[0], 1);
  grant(0);
  cycle();
  in.fcfs_marked[0] = 0;
  for (int t = 0; t < 4; t++) cycle();
  assert_int_equal(arch()->valid[0], 1);
  retire(0);
  cycle();
  assert_int_equal(arch()->valid[0], 1); /* the test sees the start of the cycle */
  cycle();
  assert_int_equal(arch()->valid[0], 0);
}

/* Released in t: reopen in t+1 for one cycle, the report in t+2. */
TEST_F(test_release_latency) {
  enter(17, 1234);
  in.fcfs_marked[0] = 0;
  cycle(); /* released */
  assert_int_equal(out.reopen[17], 0);
  cycle();
  for (unsigned h = 0; h < cfg.num_hwq; h++) assert_int_equal(out.reopen[h], h == 17);
  assert_int_equal(out.leave.valid, 0);
  cycle();
  assert_int_equal(out.reopen[17], 0);
  assert_int_equal(out.leave.valid, 1);
  assert_int_equal(out.leave.origin.tag, 1234);
  cycle();
  assert_int_equal(out.leave.valid, 0);
  const struct hd_leave none = {0};
  assert_memory_equal(&out.leave, &none, sizeof none);
}

/* All that qualify are released in the same cycle; their reports follow one per cycle, from the pointer on. */
TEST_F(test_release_of_many) {
  for (unsigned i = 0; i < 5; i++) enter(i, 50 + i);
  memset(in.fcfs_marked, 0, sizeof in.fcfs_marked);
  cycle();
  for (unsigned i = 0; i < 5; i++) assert_int_equal(arch()->valid[i], 0);
  cycle();
  for (unsigned h = 0; h < 5; h++) assert_int_equal(out.reopen[h], 1);
  for (unsigned i = 0; i < 5; i++) {
    cycle();
    assert_int_equal(out.leave.origin.tag, 50 + i);
  }
}

/* Reports go round robin over the tag rows: after row 2 the pointer is at 3, so row 4 comes before row 0. */
TEST_F(test_report_round_robin) {
  for (unsigned i = 0; i < 3; i++) enter(i, 70 + i);
  in.fcfs_marked[1] = 0;
  cycle(); /* entry 1, row 2, is released */
  in.fcfs_marked[0] = in.fcfs_marked[2] = 0;
  cycle(); /* row 2 is picked; entries 0 and 2 are released */
  cycle();
  assert_int_equal(out.leave.origin.tag, 71);
  cycle();
  assert_int_equal(out.leave.origin.tag, 72);
  cycle();
  assert_int_equal(out.leave.origin.tag, 70);
}

/* A report stays until it is taken. */
TEST_F(test_report_holds) {
  in.kin_leave_ready = 0;
  enter(0, 5);
  in.fcfs_marked[0] = 0;
  cycle();
  cycle();
  for (int t = 0; t < 5; t++) {
    cycle();
    assert_int_equal(out.leave.valid, 1);
    assert_int_equal(out.leave.origin.tag, 5);
  }
  in.kin_leave_ready = 1;
  cycle();
  assert_int_equal(out.leave.origin.tag, 5);
  cycle();
  assert_int_equal(out.leave.valid, 0);
}

/* A tag that waits does not keep the next kernel out of the entry: it uses the other tag row. Both waiting do. */
TEST_F(test_two_tag_banks) {
  in.kin_leave_ready = 0;
  assert_int_equal(pass_through(1), 0);
  cycle(); /* tag 1 is at the output */
  assert_int_equal(pass_through(2), 0);
  assert_int_equal(pass_through(3), 0);
  assert_int_equal(arch()->pend[0] && arch()->pend[1], 1);
  assert_int_equal(pass_through(4), 1); /* entry 0 is blocked by its reports */
  in.kin_leave_ready = 1;
  cycle();
  assert_int_equal(out.entry.kdei, 1); /* full stays full: the row that leaves now frees the entry for the next cycle */
  cycle();
  assert_int_equal(out.entry.kdei, 0);
}

/* No completion is lost or reported twice when reports are not taken for long: then the KD fills up and accepts no
   kernel. */
TEST_F(test_report_back_pressure) {
  unsigned in_count = 0, seen[100] = {0};
  in.kin_leave_ready = 0;
  for (int t = 0; t < 300; t++) in_count += pass_through(in_count) >= 0;
  assert_int_equal(in_count, 2 * cfg.num_kde + 1); /* both rows of each entry, and the output stage */
  in.kin_leave_ready = 1;
  for (int t = 0; t < 100; t++) {
    cycle();
    if (out.leave.valid) seen[out.leave.origin.tag]++;
  }
  for (unsigned tag = 0; tag < in_count; tag++) assert_int_equal(seen[tag], 1);
}

/* Rows of the RAMs are valid while in use; all others read as 0. */
TEST_F(test_arch_tables) {
  in.kin_leave_ready = 0;
  enter(4, 44);
  struct hd_kd_arch *a = arch();
  assert_int_equal(a->desc_row_valid[0], 1);
  assert_true(a->desc_row[0].param == 0x10000 + 44);
  assert_int_equal(a->tag_row_valid[0], 1);
  assert_int_equal(a->tag_row_valid[1], 0);
  assert_int_equal(a->hwq[0], 4);
  in.fcfs_marked[0] = 0;
  cycle();
  a = arch();
  assert_int_equal(a->desc_row_valid[0], 0);
  assert_true(a->desc_row[0].param == 0);
  assert_int_equal(a->tag_row_valid[0], 1); /* still to be reported */
  assert_int_equal(a->hwq[0], 0);
}

/* The last TB of the native part ends it; the place within a unit is kept when the kernel stops, and is 0 after its
 * end.
 */
TEST_F(test_progress) {
  enter(0, 1);
  enter(1, 2);
  grant(1);
  cycle();
  assert_int_equal(out.ndone[1], 0);
  in.sched_sscr.kdei = 1;
  in.sched_park.valid = 1;
  in.sched_park.nextbl = 3;
  cycle();
  cycle();
  assert_int_equal(out.nextbl[1], 3);
  grant(1);
  in.sched_grant.kind = HD_UNIT_NATIVE;
  in.sched_grant.unit_end = 1;
  cycle();
  cycle();
  assert_int_equal(out.ndone[1], 1);
  assert_int_equal(out.nextbl[1], 0);
  assert_int_equal(out.ndone[0], 0);
  in.sched_park.valid = 1;
  in.sched_park.nextbl = 7;
  cycle();
  grant(1);
  in.sched_grant.kind = HD_UNIT_GROUP;
  cycle();
  assert_int_equal(out.nextbl[1], 7);
  grant(1);
  in.sched_grant.unit_end = 1;
  cycle();
  assert_int_equal(out.nextbl[1], 7);
  cycle();
  assert_int_equal(out.nextbl[1], 0);
}

/* Reset with work in flight leaves the state of a new model, byte for byte. */
TEST_F(test_reset) {
  struct hd_kd *fresh = ut_new(hd_kd_size(&cfg));
  hd_kd_init(fresh, &cfg);
  for (unsigned i = 0; i < 6; i++) enter(i, i + 1);
  grant(3);
  in.fcfs_marked[0] = 0;
  cycle();
  birth(3, 30);
  save(3);
  in.devq_hold.valid = 1;
  in.devq_hold.kdei = 4;
  cycle();
  fail_event(1, 5);
  cycle();
  assert_memory_not_equal(m, fresh, hd_kd_size(&cfg));
  hd_kd_reset(m);
  assert_memory_equal(m, fresh, hd_kd_size(&cfg));
  free(fresh);
}

/* An odd number of entries: allocation and the report pointer wrap at it. */
TEST_F(test_three_entries) {
  free(m);
  cfg = ut_cfg_with("tiny", "NumKde", 3);
  m = ut_new(hd_kd_size(&cfg));
  hd_kd_init(m, &cfg);
  for (unsigned i = 0; i < 3; i++) assert_int_equal(enter(i % 2, i), i);
  assert_int_equal(enter(0, 9), -1);
  memset(in.fcfs_marked, 0, sizeof in.fcfs_marked);
  for (int t = 0; t < 2; t++) cycle();
  for (unsigned i = 0; i < 3; i++) {
    cycle();
    assert_int_equal(out.leave.origin.tag, i);
  }
  assert_int_equal(arch()->pend_ptr, 5);
}

TEST_MAIN("kd", NULL, NULL)
