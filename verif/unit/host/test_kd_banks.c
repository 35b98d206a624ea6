/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The Kernel Distributor: kernels with entries in banks of priority queues. */
#include "unit/host/kd_fixture.h"

/* A kernel enters whose native part, from some TB on, goes into a bank; it is not marked. Returns its entry. */
static unsigned enter_bank(unsigned hwq, unsigned tag) {
  in.laperm_enter.bank = in.kmu_offer.valid = 1;
  in.kmu_offer.kernel = ut_kernel(hwq, tag);
  in.kmu_offer.kernel.progress.nextbl = 3;
  cycle();
  assert_int_equal(out.free.valid, 1);
  return out.entry.kdei;
}

/* A group of the kernel goes into a bank. */
static void queue(unsigned kdei) {
  in.laperm_push.valid = 1;
  in.laperm_push.kdei = (uint8_t)kdei;
}

/* A TB of it is handed out from a bank; last: the last one of its entry. */
static void serve(unsigned kdei, bool last) {
  in.sched_take.valid = 1;
  in.sched_take.kdei = (uint8_t)kdei;
  in.sched_take.last = last;
}

/* A kernel whose native part goes into a bank has no more work for the SSCR at once: no TBs, and no place within a
 * unit. It stays, unmarked and idle, until the last TB of its entry has ended. */
TEST_F(test_native_part_in_a_bank) {
  assert_int_equal(enter_bank(4, 44), 0);
  cycle();
  assert_int_equal(out.ndone[0], 1);
  assert_int_equal(out.nextbl[0], 0);
  assert_int_equal(out.ctas[0], 4);
  assert_int_equal(out.eligible[0], 1);
  assert_int_equal(queued_of(0), 1);
  for (int t = 0; t < 5; t++) cycle();
  assert_int_equal(arch()->valid[0], 1);
  serve(0, false);
  cycle();
  assert_int_equal(exebl_of(0), 1);
  assert_int_equal(queued_of(0), 1);
  retire(0);
  cycle();
  for (int t = 0; t < 5; t++) cycle();
  assert_int_equal(arch()->valid[0], 1); /* nothing runs, an entry waits */
  serve(0, true);
  cycle();
  assert_int_equal(queued_of(0), 0);
  for (int t = 0; t < 5; t++) cycle();
  assert_int_equal(arch()->valid[0], 1); /* the last one runs */
  retire(0);
  cycle();
  cycle();
  assert_int_equal(arch()->valid[0], 0);
  cycle();
  assert_int_equal(out.reopen[4] && out.left[0], 1);
}

/* The next kernel in the same entry is not one in a bank. */
TEST_F(test_next_kernel_is_not_in_a_bank) {
  enter_bank(4, 44);
  serve(0, true);
  cycle();
  retire(0);
  for (int t = 0; t < 3; t++) cycle();
  assert_int_equal(enter(5, 55), 0);
  cycle();
  assert_int_equal(out.ndone[0], 0);
  assert_int_equal(queued_of(0), 0);
  in.fcfs_marked[0] = 0;
  cycle();
  assert_int_equal(arch()->valid[0], 0);
}

/* A resumed kernel without saved TBs: the rest of its native part goes into a bank, with the place within it. */
TEST_F(test_resumed_kernel_in_a_bank) {
  in.kmu_offer.valid = in.laperm_enter.bank = 1;
  in.kmu_offer.kernel = ut_kernel(2, 22);
  in.kmu_offer.kernel.resumed = 1;
  in.kmu_offer.kernel.kin = 12;
  in.kmu_offer.kernel.progress = (struct hd_progress){.nextbl = 2, .sav_first = 5};
  cycle();
  cycle();
  assert_int_equal(out.ndone[0] && out.kin_valid[0], 1);
  assert_int_equal(out.nextbl[0], 0);
  assert_int_equal(out.sav_first[0], 5);
  for (int t = 0; t < 4; t++) cycle();
  assert_int_equal(arch()->valid[0], 1);
  assert_int_equal(queued_of(0), 1);
}

/* Groups in banks are counted, each until its last TB; they keep the kernel. */
TEST_F(test_groups_in_banks) {
  enter(0, 1);
  for (int i = 0; i < 3; i++) {
    queue(0);
    cycle();
  }
  assert_int_equal(queued_of(0), 3);
  in.fcfs_marked[0] = 0;
  for (int i = 0; i < 3; i++) {
    for (int t = 0; t < 3; t++) cycle();
    assert_int_equal(arch()->valid[0], 1);
    serve(0, false);
    cycle();
    assert_int_equal(queued_of(0), 3 - i);
    serve(0, true);
    cycle();
    assert_int_equal(queued_of(0), 2 - i);
    assert_int_equal(exebl_of(0), 2);
    retire(0);
    cycle();
    retire(0);
    cycle();
  }
  cycle();
  assert_int_equal(arch()->valid[0], 0);
}

/* A group is queued in the cycle in which the last TB of another one is handed out: the count does not change. For two
 * kernels each count changes. A kernel that enters with its native part in a bank in the same cycle is counted too. */
TEST_F(test_queue_and_last_serve_at_once) {
  enter(0, 1);
  enter(1, 2);
  queue(0);
  cycle();
  queue(0);
  serve(0, true);
  cycle();
  assert_int_equal(queued_of(0), 1);
  assert_int_equal(exebl_of(0), 1);
  queue(1);
  serve(0, true);
  assert_int_equal(enter_bank(2, 3), 2);
  static const unsigned queued[] = {0, 1, 1};
  for (unsigned i = 0; i < 3; i++) assert_int_equal(queued_of(i), queued[i]);
  in.fcfs_marked[0] = in.fcfs_marked[1] = 0;
  retire(0);
  cycle();
  retire(0);
  cycle();
  cycle();
  for (unsigned i = 0; i < 3; i++) assert_int_equal(arch()->valid[i], i != 0);
}

/* ExeBL counts TBs of banks as those of the SSCR: a retirement in the cycle is the net. */
TEST_F(test_exebl_of_served_tbs) {
  enter(0, 1);
  enter(1, 2);
  in.sched_sscr.kdei = 0; /* the SSCR's */
  for (int i = 0; i < 3; i++) {
    serve(1, false);
    cycle();
  }
  assert_int_equal(exebl_of(0), 0);
  assert_int_equal(exebl_of(1), 3);
  serve(1, false);
  retire(1);
  cycle();
  assert_int_equal(exebl_of(1), 3);
  assert_int_equal(out.ndone[1], 0);
  serve(0, false);
  retire(1);
  cycle();
  assert_int_equal(exebl_of(0), 1);
  assert_int_equal(exebl_of(1), 2);
}

/* The descriptor of a kernel whose TB is served in t is shown in t+1, whichever kernel is in the SSCR. */
TEST_F(test_desc_follows_the_serve) {
  const struct hd_desc want[] = {ut_launch(2, 22).desc, ut_launch(3, 33).desc}, none = {0};
  enter(2, 22);
  enter(3, 33);
  in.sched_sscr.kdei = 0;
  serve(1, true);
  queue(1);
  cycle();
  assert_memory_equal(&out.desc, &none, sizeof none);
  grant(0);
  cycle();
  assert_memory_equal(&out.desc, &want[1], sizeof none);
  serve(1, true);
  cycle();
  assert_memory_equal(&out.desc, &want[0], sizeof none);
  cycle();
  assert_memory_equal(&out.desc, &want[1], sizeof none);
  cycle();
  assert_memory_equal(&out.desc, &none, sizeof none);
}

/* A kernel that is to be suspended waits until banks hold no entry of it, which are still served, and until the served
 * TBs have ended. This does not change its place in the unit in which the SSCR stopped. */
TEST_F(test_suspension_waits_for_banks) {
  two_saved(); /* one TB runs */
  in.susp_suspend_free = 1;
  in.sched_park.valid = 1;
  in.sched_park.nextbl = 3;
  queue(0);
  cycle();
  queue(0);
  retire(0);
  cycle();
  for (unsigned n = 0; n < 2; n++) {
    for (int t = 0; t < 4; t++) cycle();
    assert_int_equal(arch()->susp_state, 0);
    assert_int_equal(arch()->valid[0], 1);
    assert_int_equal(out.suspending[0], 1);
    serve(0, false);
    cycle();
    serve(0, true);
    cycle();
    for (int t = 0; t < 4; t++) cycle();
    assert_int_equal(arch()->susp_state, 0);
    retire(0);
    cycle();
    retire(0);
    cycle();
  }
  cycle(); /* idle */
  cycle();
  assert_int_equal(out.stall, 1);
  cycle();
  assert_int_equal(out.suspend.valid, 1);
  assert_int_equal(out.suspend.kernel.progress.nextbl, 3);
  assert_int_equal(out.suspend.kernel.progress.ndone, 0);
  assert_int_equal(out.suspend.kernel.progress.sav_count, 2);
  assert_int_equal(queued_of(0), 0);
}

/* A kernel that stops in the SSCR in the cycle in which a TB of another one comes from a bank: each its own. */
TEST_F(test_park_beside_a_serve) {
  enter(2, 22);
  enter(3, 33);
  queue(1);
  cycle();
  in.sched_sscr.kdei = 0;
  in.sched_park.valid = 1;
  in.sched_park.nextbl = 2;
  serve(1, true);
  cycle();
  cycle();
  assert_int_equal(out.nextbl[0], 2);
  assert_int_equal(out.nextbl[1], 0);
  assert_int_equal(exebl_of(0), 0);
  assert_int_equal(exebl_of(1), 1);
}

/* Bank entries remain when their kernel fails; the kernel leaves when they have been served. */
TEST_F(test_failed_kernel_in_a_bank) {
  enter_bank(6, 66);
  fail_event(0, 0);
  for (int t = 0; t < 4; t++) cycle();
  assert_int_equal(out.failed[0], 1);
  assert_int_equal(arch()->valid[0], 1);
  serve(0, true);
  cycle();
  retire(0);
  for (int t = 0; t < 4; t++) cycle();
  assert_int_equal(out.leave.valid, 1);
  assert_int_equal(out.leave.origin.tag, 66);
  assert_int_equal(out.leave.origin.failed, 1);
}

/* As many entries of a kernel as a region in memory holds: their number exceeds 16 bits, and the kernel stays until the
 * last one. */
TEST_F(test_many_entries) {
  const unsigned many = (1 << 16) + 3;
  assert_int_equal(enter_bank(4, 44), 0);
  cycle();
  for (unsigned n = 0; n < many; n++) {
    queue(0);
    cycle();
  }
  assert_int_equal(queued_of(0), many + 1);
  for (unsigned n = 0; n <= many; n++) {
    assert_int_equal(arch()->valid[0], 1);
    serve(0, true);
    cycle();
    retire(0);
    cycle();
    if (n == (1 << 16)) assert_int_equal(queued_of(0), 3);
  }
  assert_int_equal(queued_of(0), 0);
  for (int t = 0; t < 5; t++) cycle();
  assert_int_equal(arch()->valid[0], 0);
}

TEST_MAIN("kd_banks", NULL, NULL)
