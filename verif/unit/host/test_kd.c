/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The Kernel Distributor: entries, ExeBL, release, completion reports, entries in banks. */
#include "host/kd.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_kd *m;
static struct hd_kd_in in;
static struct hd_kd_out out;

static int setup(void **state) {
  (void)state;
  cfg = ut_cfg("k20c");
  m = ut_new(hd_kd_size(&cfg));
  hd_kd_init(m, &cfg);
  memset(&in, 0, sizeof in);
  in.leave_ready = 1;
  return 0;
}

static int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

/* One cycle; afterwards `out` holds what it showed, and the pulses among the inputs are over. */
static void cycle(void) {
  hd_kd_eval(m, &in, &out);
  hd_kd_tick(m, &in);
  in.kernel_valid = in.grant_valid = in.retire_valid = in.unit_end = in.park_valid = 0;
  in.hold_valid = in.unhold_valid = in.birth_valid = in.save_valid = 0;
  in.enter_queued = in.queue_valid = in.serve_valid = in.serve_last = 0;
  memset(in.fail_valid, 0, sizeof in.fail_valid);
}

/* A kernel enters; it is marked from then on. Returns its entry, or -1 when none was free. */
static int enter(unsigned hwq, unsigned tag) {
  in.kernel_valid = 1;
  in.kernel = ut_kernel(hwq, tag);
  cycle();
  if (!out.kernel_ready) return -1;
  in.marked[out.alloc_kdei] = 1;
  return out.alloc_kdei;
}

static void grant(unsigned kdei) {
  in.grant_valid = 1;
  in.grant_kdei = (uint8_t)kdei;
}

static void retire(unsigned kdei) {
  in.retire_valid = 1;
  in.retire_kdei = (uint8_t)kdei;
}

/* A TB of the kernel launches a device kernel. */
static void birth(unsigned kdei, unsigned kin) {
  in.birth_valid = 1;
  in.birth_kdei = (uint8_t)kdei;
  in.birth_kin = (uint16_t)kin;
}

static void save(unsigned kdei) {
  in.save_valid = 1;
  in.save_kdei = (uint8_t)kdei;
}

static void fail_event(unsigned bus, unsigned kdei) {
  in.fail_valid[bus] = 1;
  in.fail_kdei[bus] = (uint8_t)kdei;
}

static struct hd_kd_arch *arch(void) {
  static struct hd_kd_arch a;
  hd_kd_arch(m, &a, true);
  return &a;
}

/* After reset all entries are free and read as nothing. */
static void test_empty_after_reset(void **state) {
  (void)state;
  cycle();
  assert_int_equal(out.kernel_ready, 1);
  assert_int_equal(out.alloc_kdei, 0);
  assert_int_equal(out.leave_valid, 0);
  for (unsigned i = 0; i < cfg.num_kde; i++) {
    assert_int_equal(out.ctas[i], 0);
    assert_int_equal(out.need[i].warps, 0);
  }
}

/* Kernels take the lowest free entry; what one TB needs and the TB count are shown from the next cycle on. */
static void test_enter_takes_the_lowest(void **state) {
  (void)state;
  assert_int_equal(enter(0, 10), 0);
  assert_int_equal(enter(1, 11), 1);
  cycle();
  assert_int_equal(out.alloc_kdei, 2);
  assert_int_equal(out.ctas[1], 4);
  assert_int_equal(out.need[1].regs, 2);
  assert_int_equal(out.ctas[2], 0);
}

/* 32 kernels fill the KD; the next is not taken. */
static void test_full(void **state) {
  (void)state;
  for (unsigned i = 0; i < cfg.num_kde; i++) assert_int_equal(enter(i, i), i);
  assert_int_equal(enter(0, 99), -1);
  assert_int_equal(out.alloc_kdei, 0);
  assert_int_equal(arch()->tag_row[0].tag, 0);
  assert_int_equal(arch()->tag_row[2 * 31].tag, 31);
}

/* The descriptor of the kernel granted in t is shown in t+1, and only then. */
static void test_desc_follows_the_grant(void **state) {
  (void)state;
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
static void test_exebl(void **state) {
  (void)state;
  enter(0, 1);
  enter(1, 2);
  for (unsigned i = 0; i < 3; i++) {
    grant(0);
    cycle();
  }
  assert_int_equal(arch()->exebl[0], 3);
  grant(0);
  retire(0);
  cycle();
  assert_int_equal(arch()->exebl[0], 3);
  grant(1);
  retire(0);
  cycle();
  assert_int_equal(arch()->exebl[0], 2);
  assert_int_equal(arch()->exebl[1], 1);
}

/* A marked kernel stays with no TB in execution, an unmarked one stays while one is. */
static void test_no_release_too_early(void **state) {
  (void)state;
  enter(0, 1);
  for (int t = 0; t < 4; t++) cycle();
  assert_int_equal(arch()->valid[0], 1);
  grant(0);
  cycle();
  in.marked[0] = 0;
  for (int t = 0; t < 4; t++) cycle();
  assert_int_equal(arch()->valid[0], 1);
  retire(0);
  cycle();
  assert_int_equal(arch()->valid[0], 1); /* the test sees the start of the cycle */
  cycle();
  assert_int_equal(arch()->valid[0], 0);
}

/* Released in t: reopen in t+1 for one cycle, the report in t+2. */
static void test_release_latency(void **state) {
  (void)state;
  enter(17, 1234);
  in.marked[0] = 0;
  cycle(); /* released */
  assert_int_equal(out.reopen[17], 0);
  cycle();
  for (unsigned h = 0; h < cfg.num_hwq; h++) assert_int_equal(out.reopen[h], h == 17);
  assert_int_equal(out.leave_valid, 0);
  cycle();
  assert_int_equal(out.reopen[17], 0);
  assert_int_equal(out.leave_valid, 1);
  assert_int_equal(out.leave.origin.tag, 1234);
  cycle();
  assert_int_equal(out.leave_valid, 0);
  const struct hd_leave none = {0};
  assert_memory_equal(&out.leave, &none, sizeof none);
}

/* All that qualify are released in the same cycle; their reports follow one per cycle, from the pointer on. */
static void test_release_of_many(void **state) {
  (void)state;
  for (unsigned i = 0; i < 5; i++) enter(i, 50 + i);
  memset(in.marked, 0, sizeof in.marked);
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
static void test_report_round_robin(void **state) {
  (void)state;
  for (unsigned i = 0; i < 3; i++) enter(i, 70 + i);
  in.marked[1] = 0;
  cycle(); /* entry 1, row 2, is released */
  in.marked[0] = in.marked[2] = 0;
  cycle(); /* row 2 is picked; entries 0 and 2 are released */
  cycle();
  assert_int_equal(out.leave.origin.tag, 71);
  cycle();
  assert_int_equal(out.leave.origin.tag, 72);
  cycle();
  assert_int_equal(out.leave.origin.tag, 70);
}

/* A report stays until it is taken. */
static void test_report_holds(void **state) {
  (void)state;
  in.leave_ready = 0;
  enter(0, 5);
  in.marked[0] = 0;
  cycle();
  cycle();
  for (int t = 0; t < 5; t++) {
    cycle();
    assert_int_equal(out.leave_valid, 1);
    assert_int_equal(out.leave.origin.tag, 5);
  }
  in.leave_ready = 1;
  cycle();
  assert_int_equal(out.leave.origin.tag, 5);
  cycle();
  assert_int_equal(out.leave_valid, 0);
}

/* Runs a kernel through the entry that it gets, without any TB, and returns the entry. */
static int pass_through(unsigned tag) {
  int i = enter(0, tag);
  if (i >= 0) in.marked[i] = 0;
  cycle();
  return i;
}

/* A tag that waits does not keep the next kernel out of the entry: it uses the other tag row. Both waiting do. */
static void test_two_tag_banks(void **state) {
  (void)state;
  in.leave_ready = 0;
  assert_int_equal(pass_through(1), 0);
  cycle(); /* tag 1 stands at the output */
  assert_int_equal(pass_through(2), 0);
  assert_int_equal(pass_through(3), 0);
  assert_int_equal(arch()->pend[0] && arch()->pend[1], 1);
  assert_int_equal(pass_through(4), 1); /* entry 0 is blocked by its reports */
  in.leave_ready = 1;
  cycle();
  assert_int_equal(out.alloc_kdei, 1); /* full stays full: the row that leaves now frees the entry for the next cycle */
  cycle();
  assert_int_equal(out.alloc_kdei, 0);
}

/* No completion is lost or told twice when nobody takes reports for long: then the KD fills up and takes no kernel. */
static void test_report_back_pressure(void **state) {
  (void)state;
  unsigned in_count = 0, seen[100] = {0};
  in.leave_ready = 0;
  for (int t = 0; t < 300; t++) in_count += pass_through(in_count) >= 0;
  assert_int_equal(in_count, 2 * cfg.num_kde + 1); /* both rows of each entry, and the output stage */
  in.leave_ready = 1;
  for (int t = 0; t < 100; t++) {
    cycle();
    if (out.leave_valid) seen[out.leave.origin.tag]++;
  }
  for (unsigned tag = 0; tag < in_count; tag++) assert_int_equal(seen[tag], 1);
}

/* Rows of the RAMs count as valid while they hold something; all others read as 0. */
static void test_arch_tables(void **state) {
  (void)state;
  in.leave_ready = 0;
  enter(4, 44);
  struct hd_kd_arch *a = arch();
  assert_int_equal(a->desc_row_valid[0], 1);
  assert_true(a->desc_row[0].param == 0x10000 + 44);
  assert_int_equal(a->tag_row_valid[0], 1);
  assert_int_equal(a->tag_row_valid[1], 0);
  assert_int_equal(a->hwq[0], 4);
  in.marked[0] = 0;
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
static void test_progress(void **state) {
  (void)state;
  enter(0, 1);
  enter(1, 2);
  grant(1);
  cycle();
  assert_int_equal(out.ndone[1], 0);
  in.grant_kdei = 1;
  in.park_valid = 1;
  in.park_nextbl = 3;
  cycle();
  cycle();
  assert_int_equal(out.nextbl[1], 3);
  grant(1);
  in.grant_kind = HD_UNIT_NATIVE;
  in.unit_end = 1;
  cycle();
  cycle();
  assert_int_equal(out.ndone[1], 1);
  assert_int_equal(out.nextbl[1], 0);
  assert_int_equal(out.ndone[0], 0);
  in.park_valid = 1;
  in.park_nextbl = 7;
  cycle();
  grant(1);
  in.grant_kind = HD_UNIT_GROUP;
  cycle();
  assert_int_equal(out.nextbl[1], 7);
  grant(1);
  in.unit_end = 1;
  cycle();
  assert_int_equal(out.nextbl[1], 7);
  cycle();
  assert_int_equal(out.nextbl[1], 0);
}

/* Groups linked, on their way from A1 to A3, or a Next write unanswered: each alone keeps an unmarked kernel. */
static void test_what_keeps_a_kernel(void **state) {
  (void)state;
  enter(0, 1);
  in.hold_valid = 1;
  cycle();
  in.marked[0] = 0;
  in.pending[0] = 1;
  cycle();
  in.unhold_valid = 1;
  cycle();
  cycle();
  in.next_busy[0] = 1;
  in.pending[0] = 0;
  cycle();
  in.next_busy[0] = 0;
  in.hold_valid = 1; /* in this very cycle */
  cycle();
  assert_int_equal(arch()->hold[0], 1);
  cycle();
  in.unhold_valid = 1; /* counts at the end of the cycle */
  cycle();
  assert_int_equal(arch()->valid[0], 1);
  cycle();
  assert_int_equal(arch()->valid[0], 0);
  cycle();
  assert_int_equal(out.left[0], 1);
  cycle();
  assert_int_equal(out.left[0], 0);
}

/* Two groups of a kernel in A2 and A3, a third one leaves A1 while the first leaves A3: the count stands. */
static void test_hold_is_net(void **state) {
  (void)state;
  enter(0, 1);
  for (int t = 0; t < 2; t++) {
    in.hold_valid = 1;
    cycle();
  }
  in.hold_valid = in.unhold_valid = 1;
  cycle();
  assert_int_equal(arch()->hold[0], 2);
  for (int t = 0; t < 2; t++) {
    in.unhold_valid = 1;
    cycle();
  }
  assert_int_equal(arch()->hold[0], 0);
}

/* A kernel with a parent record keeps its HWQ closed and tells the record when it leaves. */
static void test_parent_leaves(void **state) {
  (void)state;
  enter(9, 77);
  grant(0);
  cycle();
  birth(0, 21);
  cycle();
  cycle();
  assert_int_equal(out.kin_valid[0], 1);
  assert_int_equal(out.kin[0], 21);
  assert_int_equal(out.save_ok[0], 1);
  in.marked[0] = 0;
  retire(0);
  cycle();
  cycle();
  assert_int_equal(arch()->pend_kin_valid[0], 1);
  assert_int_equal(arch()->pend_kin[0], 21);
  cycle();
  assert_int_equal(out.reopen[9], 0);
  assert_int_equal(out.left[0], 1);
  assert_int_equal(out.kin_valid[0] || out.kin[0] || out.save_ok[0], 0);
  cycle();
  assert_int_equal(out.leave_valid, 1);
  assert_int_equal(out.leave.origin.tag, 77);
  assert_int_equal(out.leave.kin_valid, 1);
  assert_int_equal(out.leave.kin, 21);
  assert_int_equal(out.leave.origin.failed, 0);
}

/* A device kernel has no HWQ to reopen. */
static void test_device_kernel_leaves(void **state) {
  (void)state;
  in.kernel_valid = 1;
  in.kernel = ut_kernel(0, 0);
  in.kernel.origin = (struct hd_origin){.up = 9, .stream = 3, .smx = 1};
  in.kernel.level = 2;
  cycle();
  in.marked[0] = 1;
  cycle();
  assert_int_equal(out.level[0], 2);
  in.marked[0] = 0;
  cycle();
  cycle();
  assert_int_equal(out.reopen[0], 0);
  cycle();
  assert_int_equal(out.leave_valid, 1);
  assert_int_equal(out.leave.origin.host, 0);
  assert_int_equal(out.leave.origin.up, 9);
  assert_int_equal(out.leave.origin.stream, 3);
  assert_int_equal(out.leave.origin.smx, 1);
  assert_int_equal(out.leave.kin_valid, 0);
}

/* A kernel with two saved TBs, unmarked, one TB still in execution. */
static void two_saved(void) {
  enter(5, 55);
  for (int i = 0; i < 3; i++) {
    grant(0);
    cycle();
  }
  birth(0, 7);
  cycle();
  for (int i = 0; i < 2; i++) {
    save(0);
    cycle();
    retire(0);
    cycle();
    in.marked[0] = 0;
  }
}

/* Saved TBs are counted; the kernel hands out nothing more and takes no groups until it is suspended. */
static void test_save(void **state) {
  (void)state;
  two_saved();
  cycle();
  assert_int_equal(out.sav_count[0], 2);
  assert_int_equal(out.suspending[0], 1);
  assert_int_equal(out.eligible[0], 0);
  assert_int_equal(out.save_ok[0], 1);
  for (int t = 0; t < 5; t++) cycle(); /* the third TB runs on */
  assert_int_equal(arch()->susp_state, 0);
  assert_int_equal(arch()->valid[0], 1);
}

/* Suspension: idle in t, Steal t+1, Send t+2, the entry is left in t+3. Nothing is reported, no HWQ reopens. */
static void test_suspension(void **state) {
  (void)state;
  two_saved();
  in.park_valid = 1;
  in.park_nextbl = 3;
  in.suspend_free = 1;
  in.pending[0] = 1; /* its groups go with it */
  retire(0);
  cycle();
  cycle(); /* t */
  assert_int_equal(out.steal || out.suspend_valid, 0);
  cycle();
  assert_int_equal(out.steal, 1);
  assert_int_equal(out.take_valid, 1);
  assert_int_equal(out.take_kdei, 0);
  in.pending[0] = 0;
  cycle();
  assert_int_equal(out.steal || out.take_valid, 0);
  assert_int_equal(out.suspend_valid, 1);
  struct hd_kernel want = ut_kernel(5, 55);
  want.kin = 7;
  want.progress = (struct hd_progress){.nextbl = 3, .sav_count = 2};
  assert_memory_equal(&out.suspend, &want, sizeof want);
  assert_int_equal(arch()->valid[0], 0);
  assert_int_equal(arch()->tag_row_valid[0], 0);
  cycle();
  assert_int_equal(out.suspend_valid, 0);
  assert_int_equal(out.left[0], 1);
  for (int t = 0; t < 4; t++) {
    assert_int_equal(out.leave_valid || out.reopen[5], 0);
    cycle();
  }
  assert_int_equal(out.alloc_kdei, 0);
}

/* It waits while susp is busy. Of two, the lower entry goes first, the other after it. */
static void test_suspensions_in_turn(void **state) {
  (void)state;
  for (unsigned i = 0; i < 3; i++) {
    enter(i, i);
    grant(i);
    cycle();
    birth(i, i);
    cycle();
    if (i == 0) continue;
    save(i);
    cycle();
    in.marked[i] = 0;
    retire(i);
    cycle();
  }
  for (int t = 0; t < 5; t++) cycle();
  assert_int_equal(out.steal || out.suspend_valid, 0);
  in.suspend_free = 1;
  for (int t = 0; t < 7; t++) {
    cycle();
    assert_int_equal(out.steal, t == 1 || t == 4);
    assert_int_equal(out.suspend_valid, t == 2 || t == 5);
    assert_int_equal(out.suspend.kin, t == 2 ? 1 : t == 5 ? 2 : 0);
  }
}

/* In Steal the tag RAM is taken: no report begins, one that is taken is over. */
static void test_no_report_in_steal(void **state) {
  (void)state;
  in.leave_ready = 0;
  pass_through(1);
  pass_through(2);
  pass_through(3); /* one at the output, two wait */
  enter(5, 50);
  const unsigned i = out.alloc_kdei;
  grant(i);
  cycle();
  birth(i, 3);
  cycle();
  save(i);
  cycle();
  in.marked[i] = 0;
  retire(i);
  in.suspend_free = 1;
  cycle();
  cycle();
  in.leave_ready = 1;
  cycle();
  assert_int_equal(out.steal, 1);
  assert_int_equal(out.leave.origin.tag, 1);
  cycle();
  assert_int_equal(out.leave_valid, 0);
  cycle();
  assert_int_equal(out.leave_valid, 1);
  assert_int_equal(out.leave.origin.tag, 2);
}

/* A kernel that comes back has its progress and its record; saved TBs go out first, around the ring. */
static void test_resumed_kernel(void **state) {
  (void)state;
  in.kernel_valid = 1;
  in.kernel = ut_kernel(2, 22);
  in.kernel.resumed = 1;
  in.kernel.kin = 12;
  in.kernel.progress =
      (struct hd_progress){.ndone = 1, .nextbl = 2, .sav_first = (uint16_t)(cfg.sav_max - 1), .sav_count = 2};
  cycle();
  in.marked[0] = 1;
  cycle();
  assert_int_equal(out.kin_valid[0], 1);
  assert_int_equal(out.kin[0], 12);
  assert_int_equal(out.ndone[0], 1);
  assert_int_equal(out.nextbl[0], 2);
  assert_int_equal(out.sav_first[0], cfg.sav_max - 1);
  assert_int_equal(out.sav_count[0], 2);
  assert_int_equal(out.suspending[0], 0);
  assert_int_equal(out.eligible[0], 1);
  in.grant_kind = HD_UNIT_SAVED;
  grant(0);
  in.unit_end = 1;
  cycle();
  cycle();
  assert_int_equal(out.sav_first[0], 0);
  assert_int_equal(out.sav_count[0], 1);
  assert_int_equal(out.nextbl[0], 2); /* the place in the parked unit stays */
  grant(0);
  in.unit_end = 1;
  save(0); /* one leaves, one comes */
  cycle();
  cycle();
  assert_int_equal(out.sav_first[0], 1);
  assert_int_equal(out.sav_count[0], 1);
  assert_int_equal(out.suspending[0], 1);
}

/* The saved list has room for all TBs that can be resident, and no more are saved. */
static void test_save_ok_ends_at_sav_max(void **state) {
  (void)state;
  enter(0, 1);
  grant(0);
  cycle();
  cycle();
  assert_int_equal(out.save_ok[0], 0); /* it has launched nothing that it could wait for */
  birth(0, 1);
  cycle();
  for (unsigned i = 0; i < cfg.sav_max; i++) {
    cycle();
    assert_int_equal(out.save_ok[0], 1);
    save(0);
    cycle();
  }
  cycle();
  assert_int_equal(out.sav_count[0], cfg.sav_max);
  assert_int_equal(out.save_ok[0], 0);
}

/* A failed kernel hands out nothing more, is not suspended, and says so when it leaves; the event wins over a save. */
static void test_fail_event(void **state) {
  (void)state;
  for (unsigned bus = 0; bus < 3; bus++) {
    hd_kd_reset(m);
    memset(in.marked, 0, sizeof in.marked);
    two_saved();
    in.suspend_free = 1;
    save(0);
    fail_event(bus, 0);
    cycle();
    cycle();
    assert_int_equal(out.failed[0], 1);
    assert_int_equal(out.ndone[0], 1);
    assert_int_equal(out.sav_count[0], 0);
    assert_int_equal(out.suspending[0], 0);
    assert_int_equal(out.eligible[0] || out.save_ok[0], 0);
    retire(0);
    cycle();
    cycle();
    assert_int_equal(arch()->pend_failed[0], 1);
    cycle();
    cycle();
    assert_int_equal(out.leave_valid, 1);
    assert_int_equal(out.leave.origin.failed, 1);
    assert_int_equal(out.leave.kin, 7);
    assert_int_equal(out.steal, 0);
  }
}

/* A kernel that is idle is neither released nor suspended in the cycle of its fail event; several may fail at once. */
static void test_fail_event_holds_an_idle_kernel(void **state) {
  (void)state;
  for (unsigned i = 0; i < 3; i++) enter(i, i);
  memset(in.marked, 0, sizeof in.marked);
  for (unsigned i = 0; i < 3; i++) fail_event(i, i);
  cycle();
  for (unsigned i = 0; i < 3; i++) assert_int_equal(arch()->valid[i], 1);
  cycle();
  for (unsigned i = 0; i < 3; i++) {
    assert_int_equal(arch()->valid[i], 0);
    assert_int_equal(arch()->pend_failed[2 * i], 1);
  }
}

/* ---- entries in banks of priority queues ---- */

/* A kernel enters whose native part, from some TB on, goes into a bank; it is not marked. Returns its entry. */
static unsigned enter_bank(unsigned hwq, unsigned tag) {
  in.enter_queued = in.kernel_valid = 1;
  in.kernel = ut_kernel(hwq, tag);
  in.kernel.progress.nextbl = 3;
  cycle();
  assert_int_equal(out.kernel_ready, 1);
  return out.alloc_kdei;
}

/* A group of the kernel goes into a bank. */
static void queue(unsigned kdei) {
  in.queue_valid = 1;
  in.queue_kdei = (uint8_t)kdei;
}

/* A TB of it is handed out of a bank; the last one of its entry? */
static void serve(unsigned kdei, bool last) {
  in.serve_valid = 1;
  in.serve_kdei = (uint8_t)kdei;
  in.serve_last = last;
}

/* A kernel whose native part goes into a bank has nothing more for the SSCR, as soon as it is there: no TBs, and no
 * place within a unit. It stays, unmarked and idle, until the last TB of its entry has ended. */
static void test_native_part_in_a_bank(void **state) {
  (void)state;
  assert_int_equal(enter_bank(4, 44), 0);
  cycle();
  assert_int_equal(out.ndone[0], 1);
  assert_int_equal(out.nextbl[0], 0);
  assert_int_equal(out.ctas[0], 4);
  assert_int_equal(out.eligible[0], 1);
  assert_int_equal(arch()->queued[0], 1);
  for (int t = 0; t < 5; t++) cycle();
  assert_int_equal(arch()->valid[0], 1);
  serve(0, false);
  cycle();
  assert_int_equal(arch()->exebl[0], 1);
  assert_int_equal(arch()->queued[0], 1);
  retire(0);
  cycle();
  for (int t = 0; t < 5; t++) cycle();
  assert_int_equal(arch()->valid[0], 1); /* nothing runs, an entry waits */
  serve(0, true);
  cycle();
  assert_int_equal(arch()->queued[0], 0);
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
static void test_next_kernel_is_not_in_a_bank(void **state) {
  (void)state;
  enter_bank(4, 44);
  serve(0, true);
  cycle();
  retire(0);
  for (int t = 0; t < 3; t++) cycle();
  assert_int_equal(enter(5, 55), 0);
  cycle();
  assert_int_equal(out.ndone[0], 0);
  assert_int_equal(arch()->queued[0], 0);
  in.marked[0] = 0;
  cycle();
  assert_int_equal(arch()->valid[0], 0);
}

/* A resumed kernel: the rest of its native part goes into a bank, with the place within it; its saved TBs go out by the
 * SSCR, and count here. */
static void test_resumed_kernel_in_a_bank(void **state) {
  (void)state;
  in.kernel_valid = in.enter_queued = 1;
  in.kernel = ut_kernel(2, 22);
  in.kernel.resumed = 1;
  in.kernel.kin = 12;
  in.kernel.progress = (struct hd_progress){.nextbl = 2, .sav_first = 5, .sav_count = 1};
  cycle();
  in.marked[0] = 1;
  cycle();
  assert_int_equal(out.ndone[0] && out.kin_valid[0], 1);
  assert_int_equal(out.nextbl[0], 0);
  assert_int_equal(out.sav_first[0], 5);
  assert_int_equal(out.sav_count[0], 1);
  in.grant_kind = HD_UNIT_SAVED;
  grant(0);
  in.unit_end = 1;
  cycle();
  in.marked[0] = 0;
  retire(0);
  for (int t = 0; t < 4; t++) cycle();
  assert_int_equal(arch()->valid[0], 1);
  assert_int_equal(arch()->queued[0], 1);
}

/* Groups in banks are counted, each until its last TB; they keep the kernel. */
static void test_groups_in_banks(void **state) {
  (void)state;
  enter(0, 1);
  for (int i = 0; i < 3; i++) {
    queue(0);
    cycle();
  }
  assert_int_equal(arch()->queued[0], 3);
  in.marked[0] = 0;
  for (int i = 0; i < 3; i++) {
    for (int t = 0; t < 3; t++) cycle();
    assert_int_equal(arch()->valid[0], 1);
    serve(0, false);
    cycle();
    assert_int_equal(arch()->queued[0], 3 - i);
    serve(0, true);
    cycle();
    assert_int_equal(arch()->queued[0], 2 - i);
    assert_int_equal(arch()->exebl[0], 2);
    retire(0);
    cycle();
    retire(0);
    cycle();
  }
  cycle();
  assert_int_equal(arch()->valid[0], 0);
}

/* A group comes as the last TB of another one goes: the count stands; of two kernels, each has its own. A kernel that
 * enters with its native part for a bank in the same cycle is counted too. */
static void test_queue_and_last_serve_at_once(void **state) {
  (void)state;
  enter(0, 1);
  enter(1, 2);
  queue(0);
  cycle();
  queue(0);
  serve(0, true);
  cycle();
  assert_int_equal(arch()->queued[0], 1);
  assert_int_equal(arch()->exebl[0], 1);
  queue(1);
  serve(0, true);
  assert_int_equal(enter_bank(2, 3), 2);
  static const unsigned queued[] = {0, 1, 1};
  for (unsigned i = 0; i < 3; i++) assert_int_equal(arch()->queued[i], queued[i]);
  in.marked[0] = in.marked[1] = 0;
  retire(0);
  cycle();
  retire(0);
  cycle();
  cycle();
  for (unsigned i = 0; i < 3; i++) assert_int_equal(arch()->valid[i], i != 0);
}

/* ExeBL counts TBs of banks as those of the SSCR: a retirement in the cycle is the net. */
static void test_exebl_of_served_tbs(void **state) {
  (void)state;
  enter(0, 1);
  enter(1, 2);
  in.grant_kdei = 0; /* the SSCR's */
  for (int i = 0; i < 3; i++) {
    serve(1, false);
    cycle();
  }
  assert_int_equal(arch()->exebl[0], 0);
  assert_int_equal(arch()->exebl[1], 3);
  serve(1, false);
  retire(1);
  cycle();
  assert_int_equal(arch()->exebl[1], 3);
  assert_int_equal(out.ndone[1], 0);
  serve(0, false);
  retire(1);
  cycle();
  assert_int_equal(arch()->exebl[0], 1);
  assert_int_equal(arch()->exebl[1], 2);
}

/* The descriptor of a kernel a TB of which is served in t is shown in t+1, whichever kernel is in the SSCR. */
static void test_desc_follows_the_serve(void **state) {
  (void)state;
  const struct hd_desc want[] = {ut_launch(2, 22).desc, ut_launch(3, 33).desc}, none = {0};
  enter(2, 22);
  enter(3, 33);
  in.grant_kdei = 0;
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

/* A kernel that is to be suspended waits until banks hold nothing of it: its entries are still served; and until what
 * was served has ended. Its place in the unit that the SSCR stopped in is not touched by that. */
static void test_suspension_waits_for_banks(void **state) {
  (void)state;
  two_saved(); /* one TB runs */
  in.suspend_free = 1;
  in.park_valid = 1;
  in.park_nextbl = 3;
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
  assert_int_equal(out.steal, 1);
  cycle();
  assert_int_equal(out.suspend_valid, 1);
  assert_int_equal(out.suspend.progress.nextbl, 3);
  assert_int_equal(out.suspend.progress.ndone, 0);
  assert_int_equal(out.suspend.progress.sav_count, 2);
  assert_int_equal(arch()->queued[0], 0);
}

/* A kernel that stops in the SSCR in the cycle in which a TB of another one comes from a bank: each its own. */
static void test_park_beside_a_serve(void **state) {
  (void)state;
  enter(2, 22);
  enter(3, 33);
  queue(1);
  cycle();
  in.grant_kdei = 0;
  in.park_valid = 1;
  in.park_nextbl = 2;
  serve(1, true);
  cycle();
  cycle();
  assert_int_equal(out.nextbl[0], 2);
  assert_int_equal(out.nextbl[1], 0);
  assert_int_equal(arch()->exebl[0], 0);
  assert_int_equal(arch()->exebl[1], 1);
}

/* What is in a bank outlives the failure of its kernel, which leaves when it is served. */
static void test_failed_kernel_in_a_bank(void **state) {
  (void)state;
  enter_bank(6, 66);
  fail_event(0, 0);
  for (int t = 0; t < 4; t++) cycle();
  assert_int_equal(out.failed[0], 1);
  assert_int_equal(arch()->valid[0], 1);
  serve(0, true);
  cycle();
  retire(0);
  for (int t = 0; t < 4; t++) cycle();
  assert_int_equal(out.leave_valid, 1);
  assert_int_equal(out.leave.origin.tag, 66);
  assert_int_equal(out.leave.origin.failed, 1);
}

/* Reset in mid-flight leaves the state of a fresh one, byte for byte. */
static void test_reset(void **state) {
  (void)state;
  struct hd_kd *fresh = ut_new(hd_kd_size(&cfg));
  hd_kd_init(fresh, &cfg);
  for (unsigned i = 0; i < 6; i++) enter(i, i + 1);
  grant(3);
  in.marked[0] = 0;
  cycle();
  birth(3, 30);
  save(3);
  in.hold_valid = 1;
  in.hold_kdei = 4;
  cycle();
  fail_event(1, 5);
  cycle();
  assert_memory_not_equal(m, fresh, hd_kd_size(&cfg));
  hd_kd_reset(m);
  assert_memory_equal(m, fresh, hd_kd_size(&cfg));
  free(fresh);
}

/* An odd number of entries: allocation and the report pointer wrap at it. */
static void test_three_entries(void **state) {
  (void)state;
  free(m);
  cfg = ut_cfg_with("tiny", "NumKde", 3);
  m = ut_new(hd_kd_size(&cfg));
  hd_kd_init(m, &cfg);
  for (unsigned i = 0; i < 3; i++) assert_int_equal(enter(i % 2, i), i);
  assert_int_equal(enter(0, 9), -1);
  memset(in.marked, 0, sizeof in.marked);
  for (int t = 0; t < 2; t++) cycle();
  for (unsigned i = 0; i < 3; i++) {
    cycle();
    assert_int_equal(out.leave.origin.tag, i);
  }
  assert_int_equal(arch()->pend_ptr, 5);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_empty_after_reset),
      TEST(test_enter_takes_the_lowest),
      TEST(test_full),
      TEST(test_desc_follows_the_grant),
      TEST(test_exebl),
      TEST(test_no_release_too_early),
      TEST(test_release_latency),
      TEST(test_release_of_many),
      TEST(test_report_round_robin),
      TEST(test_report_holds),
      TEST(test_two_tag_banks),
      TEST(test_report_back_pressure),
      TEST(test_arch_tables),
      TEST(test_progress),
      TEST(test_what_keeps_a_kernel),
      TEST(test_hold_is_net),
      TEST(test_parent_leaves),
      TEST(test_device_kernel_leaves),
      TEST(test_save),
      TEST(test_suspension),
      TEST(test_suspensions_in_turn),
      TEST(test_no_report_in_steal),
      TEST(test_resumed_kernel),
      TEST(test_save_ok_ends_at_sav_max),
      TEST(test_fail_event),
      TEST(test_fail_event_holds_an_idle_kernel),
      TEST(test_native_part_in_a_bank),
      TEST(test_next_kernel_is_not_in_a_bank),
      TEST(test_resumed_kernel_in_a_bank),
      TEST(test_groups_in_banks),
      TEST(test_queue_and_last_serve_at_once),
      TEST(test_exebl_of_served_tbs),
      TEST(test_desc_follows_the_serve),
      TEST(test_suspension_waits_for_banks),
      TEST(test_park_beside_a_serve),
      TEST(test_failed_kernel_in_a_bank),
      TEST(test_reset),
      TEST(test_three_entries),
  };
  return cmocka_run_group_tests_name("kd", tests, NULL, NULL);
}
