/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The SMX scheduler: round robin, SSCR, head of line, refill, retirement, TBs from banks. */
#include "dispatch/sched.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_sched *m;
static struct hd_sched_in in;
static struct hd_sched_out out;

static void start(struct hd_cfg c) {
  cfg = c;
  m = ut_new(hd_sched_size(&cfg));
  hd_sched_init(m, &cfg);
  memset(&in, 0, sizeof in);
  memset(in.dispatch_ready, 1, sizeof in.dispatch_ready);
}

static int setup(void **state) {
  (void)state;
  start(ut_cfg("k20c"));
  return 0;
}

static int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

/* One cycle; afterwards `out` holds what it showed, and the pulses among the inputs are over. */
static void cycle(void) {
  hd_sched_eval(m, &in, &out);
  hd_sched_tick(m, &in);
  in.enter_valid = in.link_valid = in.steal = 0;
  memset(in.cta_done_valid, 0, sizeof in.cta_done_valid);
}

/* A kernel is in entry kdei of the KD: `ctas` TBs, each of a third, a sixteenth.. of an SMX's shared memory. */
static void in_kd(unsigned kdei, uint32_t ctas, unsigned smem) {
  in.need[kdei] = (struct hd_need){.warps = 1, .regs = 2, .smem = (uint16_t)smem};
  in.ctas[kdei] = ctas;
}

/* It enters in the coming cycle. */
static void enter(unsigned kdei, uint32_t ctas, unsigned smem) {
  in_kd(kdei, ctas, smem);
  in.enter_valid = in.enter_ready = 1;
  in.enter_kdei = (uint8_t)kdei;
  in.enter_need = in.need[kdei];
  in.enter_ctas = ctas;
  in.enter_progress = (struct hd_progress){0};
}

static void next(int kdei) {
  in.next_valid = kdei >= 0;
  in.next_kdei = (uint8_t)(kdei >= 0 ? kdei : 0);
}

static void done(unsigned smx, unsigned slot) {
  in.cta_done_valid[smx] = 1;
  in.cta_done_slot[smx] = (uint8_t)slot;
}

static void expect_grant(int smx) {
  cycle();
  assert_int_equal(out.grant_valid, smx >= 0);
  assert_int_equal(out.grant_smx, smx >= 0 ? smx : 0);
}

/* Enters a kernel and hands out all of its TBs: `ctas` cycles with a grant each. */
static void hand_out(unsigned kdei, uint32_t ctas, unsigned smem) {
  enter(kdei, ctas, smem);
  cycle();
  for (uint32_t i = 0; i < ctas; i++) {
    cycle();
    assert_int_equal(out.grant_valid, 1);
  }
}

/* Nothing happens without a kernel. */
static void test_idle_after_reset(void **state) {
  (void)state;
  cycle();
  assert_int_equal(out.grant_valid || out.blocked || out.retire_valid || out.unmark || out.waiting, 0);
  for (unsigned s = 0; s < cfg.num_smx; s++) assert_int_equal(out.dispatch_valid[s], 0);
}

/* With 13 empty SMXs TB n of the first kernel goes to SMX n mod 13, one each cycle. */
static void test_tb_n_to_smx_n_mod_13(void **state) {
  (void)state;
  enter(3, 100, 1);
  cycle();
  for (unsigned n = 0; n < 100; n++) {
    expect_grant((int)(n % 13));
    assert_int_equal(out.grant_kdei, 3);
    assert_int_equal(out.unmark, n == 99);
    if (n > 0) assert_int_equal(out.dispatch[(n - 1) % 13].blkid, n - 1);
  }
  expect_grant(-1);
  assert_int_equal(out.blocked, 0);
}

/* Round robin by an example: 3 TBs fill an SMX; TB 39 waits; TB 17 on SMX 4 ends first; TB 39 goes to SMX 4. */
static void test_tb_39_goes_to_smx_4(void **state) {
  (void)state;
  enter(0, 40, 64);
  cycle();
  for (unsigned n = 0; n < 39; n++) expect_grant((int)(n % 13));
  for (int t = 0; t < 5; t++) {
    expect_grant(-1);
    assert_int_equal(out.blocked, 1);
  }
  done(4, 1); /* TB 17 = 13 + 4 was the second on SMX 4 */
  expect_grant(-1);
  expect_grant(4);
  assert_int_equal(out.unmark, 1);
  cycle();
  assert_int_equal(out.dispatch_valid[4], 1);
  assert_int_equal(out.dispatch[4].blkid, 39);
  assert_int_equal(out.dispatch[4].slot, 1);
}

/* 13 TBs end in one cycle t: their slots are refilled one per cycle, dispatched from t+2 to t+14. */
static void test_thirteen_at_once(void **state) {
  (void)state;
  enter(0, 39 + 13, 64);
  cycle();
  for (unsigned n = 0; n < 39; n++) expect_grant((int)(n % 13));
  cycle();
  for (unsigned s = 0; s < 13; s++) done(s, 2);
  expect_grant(-1);
  for (unsigned i = 0; i < 13; i++) expect_grant((int)i);
  for (unsigned s = 0; s < 13; s++) assert_int_equal(hd_sched_tbcr(m, s)->free, 0xfff8);
}

/* The first SMX at or after the pointer: after SMX 4 got a TB, SMX 6 comes before SMX 1. */
static void test_pointer_is_winner_plus_one(void **state) {
  (void)state;
  hand_out(0, 39, 64);
  enter(1, 3, 64);
  cycle();
  done(4, 0);
  cycle();
  expect_grant(4);
  done(1, 0);
  done(6, 0);
  cycle();
  expect_grant(6);
  expect_grant(1);
}

/* The pointer is not reset between kernels. */
static void test_pointer_lives_on(void **state) {
  (void)state;
  hand_out(0, 5, 1);
  cycle();
  enter(1, 2, 1);
  cycle();
  expect_grant(5);
  expect_grant(6);
}

/* The next marked kernel follows without a lost cycle, and shares SMXs with the one before. */
static void test_next_kernel_at_once(void **state) {
  (void)state;
  enter(7, 3, 1);
  cycle();
  in_kd(9, 2, 1);
  next(9);
  for (unsigned n = 0; n < 5; n++) {
    expect_grant((int)n);
    assert_int_equal(out.grant_kdei, n < 3 ? 7 : 9);
    assert_int_equal(out.unmark, n == 2 || n == 4);
    if (n == 2) next(-1);
  }
  assert_int_equal(out.dispatch[3].blkid, 0); /* ids begin anew */
}

/* A kernel that enters in the cycle of the last hand-out follows at once, if no other is marked. */
static void test_enter_at_the_last_tb(void **state) {
  (void)state;
  enter(0, 1, 1);
  cycle();
  enter(1, 1, 1);
  expect_grant(0);
  expect_grant(1);
  assert_int_equal(out.grant_kdei, 1);
}

/* Also 1-TB kernels follow each other at one TB per cycle. */
static void test_one_tb_kernels(void **state) {
  (void)state;
  for (unsigned i = 0; i < 8; i++) in_kd(i, 1, 1);
  enter(0, 1, 1);
  cycle();
  for (unsigned i = 0; i < 8; i++) {
    next(i < 7 ? (int)i + 1 : -1);
    expect_grant((int)i);
    assert_int_equal(out.grant_kdei, i);
    assert_int_equal(out.unmark, 1);
  }
}

/* A kernel that enters while another hands out waits in the FCFS, not in the SSCR. */
static void test_enter_does_not_disturb(void **state) {
  (void)state;
  enter(0, 4, 1);
  cycle();
  enter(1, 4, 1);
  for (unsigned n = 0; n < 4; n++) {
    expect_grant((int)n);
    assert_int_equal(out.grant_kdei, 0);
  }
  expect_grant(-1);
}

/* Head of line: a younger kernel that would fit does not pass the oldest, which does not. */
static void test_head_of_line(void **state) {
  (void)state;
  hand_out(0, 13, 100);
  enter(1, 1, 100); /* no SMX has 100 units left */
  cycle();
  in_kd(2, 1, 1);
  next(2);
  for (int t = 0; t < 20; t++) {
    expect_grant(-1);
    assert_int_equal(out.blocked, 1);
  }
  done(12, 0);
  cycle();
  expect_grant(12);
  assert_int_equal(out.grant_kdei, 1);
  cycle();
  assert_int_equal(out.grant_kdei, 2);
}

/* Each of the limits of an SMX blocks by itself: slots, warps, registers, shared memory. */
static void test_each_limit_blocks(void **state) {
  (void)state;
  static const struct {
    struct hd_need need;
    unsigned fit;
  } limit[] = {{{.warps = 1}, 16}, {{.warps = 32}, 2}, {{.warps = 1, .regs = 128}, 2}, {{.warps = 1, .smem = 48}, 4}};
  for (unsigned i = 0; i < 4; i++) {
    hd_sched_reset(m);
    enter(0, 1000, 0);
    in.enter_need = in.need[0] = limit[i].need;
    cycle();
    for (unsigned n = 0; n < 13 * limit[i].fit; n++) expect_grant((int)(n % 13));
    expect_grant(-1);
    assert_int_equal(out.blocked, 1);
  }
}

/* An SMX that does not take its dispatch gets no other TB; the rest go on. */
static void test_full_dispatch_register_is_passed(void **state) {
  (void)state;
  in.dispatch_ready[2] = 0;
  enter(0, 30, 1);
  cycle();
  for (unsigned s = 0; s < 13; s++) expect_grant((int)s);
  expect_grant(0);
  expect_grant(1);
  expect_grant(3);
  assert_int_equal(out.dispatch_valid[2], 1);
  assert_int_equal(out.dispatch[2].blkid, 2);
}

/* A dispatch register that is emptied in a cycle counts as full in it: one SMX takes a TB every second cycle. */
static void test_emptied_counts_as_full(void **state) {
  (void)state;
  free(m);
  start(ut_cfg_with("k20c", "NumSmx", 1));
  enter(0, 16, 1);
  cycle();
  for (unsigned i = 0; i < 4; i++) {
    expect_grant(0);
    expect_grant(-1);
    assert_int_equal(out.dispatch_valid[0], 1);
    assert_int_equal(out.blocked, 1);
  }
}

/* The descriptor of the dispatch is that which the KD shows in the cycle after the grant. */
static void test_dispatch_desc(void **state) {
  (void)state;
  in.dispatch_ready[0] = 0;
  enter(0, 1, 1);
  cycle();
  cycle();
  in.desc = ut_launch(0, 5).desc;
  cycle();
  assert_true(out.dispatch[0].desc.param == 0x10000 + 5);
  memset(&in.desc, 0, sizeof in.desc);
  cycle();
  assert_true(out.dispatch[0].desc.param == 0x10000 + 5);
}

/* Completions of all SMXs are accepted in one cycle and retire one per cycle, round robin; the KD hears one cycle
 * later.
 */
static void test_retire_round_robin(void **state) {
  (void)state;
  hand_out(4, 13, 1);
  cycle();
  done(8, 0);
  cycle();
  cycle(); /* SMX 8 retires: the pointer is at 9 */
  assert_int_equal(out.retire_valid, 0);
  assert_int_equal(hd_sched_tbcr(m, 8)->done_count, 0);
  for (unsigned s = 0; s < 13; s++) {
    if (s != 8) done(s, 0);
  }
  cycle();
  assert_int_equal(out.retire_valid, 1);
  for (unsigned i = 0; i < 12; i++) {
    cycle();
    for (unsigned s = 0; s < 13; s++) assert_int_equal(out.done_ok[s], i == 0 && s != 8);
    assert_int_equal(out.retire_valid, i > 0);
    assert_int_equal(out.retire.kdei, i > 0 ? 4 : 0);
    assert_int_equal(hd_sched_tbcr(m, (9 + i) % 13)->done_count, 0);
  }
  cycle();
  assert_int_equal(out.retire_valid, 1);
  cycle();
  assert_int_equal(out.retire_valid, 0);
}

/* Wrong completions are told SMX by SMX. */
static void test_wrong_completions(void **state) {
  (void)state;
  in.dispatch_ready[0] = 0;
  hand_out(0, 2, 1);
  cycle();
  done(0, 0); /* not taken yet */
  done(1, 0);
  done(2, 0); /* nothing there */
  cycle();
  cycle();
  for (unsigned s = 0; s < 13; s++) {
    assert_int_equal(out.done_early[s], s == 0);
    assert_int_equal(out.done_ok[s], s == 1);
    assert_int_equal(out.done_empty[s], s == 2);
  }
}

/* Visit = 1, LaPerm's literal walk: one SMX is looked at per cycle; a lone slot waits for the pointer to come round. */
static void test_visit_walks(void **state) {
  (void)state;
  free(m);
  start(ut_cfg_with("k20c", "Visit", 1));
  hand_out(0, 39, 64); /* pointer 0 again */
  enter(1, 2, 64);
  done(12, 0);
  cycle();
  for (unsigned s = 0; s < 12; s++) expect_grant(-1);
  expect_grant(12);
}

/* Without a kernel the walk stands still. */
static void test_visit_rests_without_a_kernel(void **state) {
  (void)state;
  free(m);
  start(ut_cfg_with("k20c", "Visit", 1));
  for (int t = 0; t < 5; t++) cycle();
  enter(0, 1, 1);
  cycle();
  expect_grant(0);
}

/* More SMXs than a 64-bit word has bits: the round goes through all 132. */
static void test_132_smxs(void **state) {
  (void)state;
  free(m);
  start(ut_cfg("big"));
  enter(0, 140, 1);
  cycle();
  for (unsigned n = 0; n < 140; n++) expect_grant((int)(n % 132));
  cycle();
  done(131, 0);
  done(63, 0);
  done(64, 0);
  cycle();
  cycle();
  for (int i = 0; i < 3; i++) {
    cycle();
    assert_int_equal(out.retire_valid, 1);
  }
  cycle();
  assert_int_equal(out.retire_valid, 0);
}

/* ---- groups, saved TBs, kernels that stop ---- */

/* A group of `ctas` TBs in AGE `index`, as the next one of the kernel; -1 for none. */
static void offer_group(unsigned kdei, unsigned index, uint32_t ctas) {
  in.group_valid = 1;
  in.group_kdei = (uint8_t)kdei;
  in.group = (struct hd_group){.self = {.onchip = 1, .index = index}};
  in.group.info =
      (struct hd_info){.grid_x = 7, .grid_y = 8, .grid_z = 9, .ctas = ctas, .param = 0x1000 + index, .level = 2};
}

static void no_group(void) {
  in.group_valid = in.group_kdei = 0;
  in.group = (struct hd_group){0};
}

static void link_event(unsigned kdei) {
  in.link_valid = 1;
  in.link_kdei = (uint8_t)kdei;
}

/* The next saved TB of the kernel. */
static void offer_saved(unsigned kdei, uint64_t ctx) {
  in.sv_valid = 1;
  in.sv_kdei = (uint8_t)kdei;
  in.sv = (struct hd_saved){.ctx = ctx, .level = 3};
}

/* When the native TBs end, the group that is there follows in the next cycle; its TBs count from 0, with its own
 * dimensions, parameter address, AGE and level; the rest of the descriptor is the kernel's. */
static void test_group_follows_the_native_part(void **state) {
  (void)state;
  enter(3, 2, 1);
  cycle();
  in.pending[3] = in.single[3] = 1;
  offer_group(3, 55, 2);
  expect_grant(0);
  assert_int_equal(out.group_pop || out.unit_end, 0);
  assert_int_equal(out.grant_kind, HD_UNIT_NATIVE);
  expect_grant(1);
  assert_int_equal(out.unit_end, 1);
  assert_int_equal(out.unmark || out.adv_valid || out.grant_group, 0);
  assert_int_equal(out.group_pop && out.load_valid, 1);
  assert_int_equal(out.load_ptr.onchip, 1);
  assert_int_equal(out.load_ptr.index, 55);
  in.ndone[3] = 1;
  no_group();
  expect_grant(2);
  assert_int_equal(out.grant_kind, HD_UNIT_GROUP);
  assert_int_equal(out.grant_group, 1);
  assert_int_equal(out.unit_end || out.grant_end || out.adv_valid || out.load_valid, 0);
  in.desc = ut_launch(0, 5).desc;
  in.dispatch_ready[2] = 0;
  expect_grant(3);
  assert_int_equal(out.unit_end && out.grant_end && out.adv_valid && out.unmark, 1);
  struct hd_dispatch want = {
      .kdei = 3, .group = 1, .age_valid = 1, .agei = 55, .level = 2, .blkid = 0, .desc = in.desc};
  want.desc.grid_x = 7;
  want.desc.grid_y = 8;
  want.desc.grid_z = 9;
  want.desc.param = (0x1000 + 55) * 64;
  assert_memory_equal(&out.dispatch[2], &want, sizeof want);
  assert_int_equal(out.dispatch[1].age_valid, 0);
  memset(&in.desc, 0, sizeof in.desc);
  in.pending[3] = in.single[3] = 0;
  cycle(); /* what is not taken stays */
  assert_memory_equal(&out.dispatch[2], &want, sizeof want);
  assert_int_equal(out.dispatch[3].blkid, 1);
  assert_int_equal(out.cur_valid, 0);
}

/* Groups of one TB each follow each other in every cycle, those that overflowed among them. */
static void test_one_tb_groups(void **state) {
  (void)state;
  enter(0, 1, 1);
  cycle();
  in.pending[0] = 1;
  in.slot_valid = 1;
  in.slot = 17;
  for (unsigned n = 0; n < 200; n++) {
    offer_group(0, n, 1);
    if (n % 3 == 0) in.group.self.onchip = 0;
    if (n == 1) in.ndone[0] = 1;
    expect_grant((int)(n % 13));
    assert_int_equal(out.group_pop, 1);
    assert_int_equal(out.adv_valid, n > 0);
    if (n < 2) continue;
    const struct hd_dispatch *d = &out.dispatch[(n - 1) % 13]; /* of the group loaded two cycles before */
    assert_int_equal(d->agei, (n - 2) % 3 == 0 ? cfg.agt_size + 17 : n - 2);
    done((n - 1) % 13, d->slot);
  }
}

/* A group that overflowed waits for a slot; the wait is told. */
static void test_group_waits_for_a_slot(void **state) {
  (void)state;
  enter(0, 1, 1);
  cycle();
  in.pending[0] = in.single[0] = 1;
  offer_group(0, 900, 1);
  in.group.self.onchip = 0;
  expect_grant(0);
  assert_int_equal(out.group_pop || out.waiting, 0);
  in.ndone[0] = 1;
  for (int t = 0; t < 3; t++) {
    expect_grant(-1);
    assert_int_equal(out.waiting && out.slot_wait, 1);
    assert_int_equal(out.blocked || out.group_pop || out.unmark, 0);
  }
  in.slot_valid = 1;
  in.slot = 3;
  expect_grant(-1);
  assert_int_equal(out.group_pop, 1);
  assert_int_equal(out.load_ptr.onchip, 0);
  assert_int_equal(out.load_ptr.index, 900);
  assert_int_equal(out.slot_wait, 0);
  expect_grant(1);
  assert_int_equal(out.waiting, 0);
  cycle();
  assert_int_equal(out.dispatch[1].agei, cfg.agt_size + 3);
}

/* Another kernel's group, or none: the SSCR waits without a unit, and is not blocked. */
static void test_waits_for_its_own_group(void **state) {
  (void)state;
  enter(0, 1, 1);
  cycle();
  in.pending[0] = in.single[0] = 1;
  offer_group(1, 4, 1);
  expect_grant(0);
  in.ndone[0] = 1;
  for (int t = 0; t < 3; t++) {
    expect_grant(-1);
    assert_int_equal(out.waiting, 1);
    assert_int_equal(out.slot_wait || out.group_pop || out.blocked, 0);
    assert_int_equal(out.grant_kdei, 0);
    assert_int_equal(out.cur_valid, 1);
  }
  offer_group(0, 4, 1);
  expect_grant(-1);
  expect_grant(1);
  assert_int_equal(out.unmark, 1);
}

/* A group that is linked in the very cycle in which the last one ends: the kernel stays. */
static void test_link_at_the_last_tb(void **state) {
  (void)state;
  enter(0, 1, 1);
  cycle();
  in.pending[0] = in.single[0] = 1;
  offer_group(0, 4, 1);
  expect_grant(0);
  in.ndone[0] = 1;
  no_group();
  link_event(0);
  expect_grant(1);
  assert_int_equal(out.adv_valid, 1);
  assert_int_equal(out.unmark, 0);
  expect_grant(-1);
  assert_int_equal(out.waiting, 1);
  offer_group(0, 5, 1);
  expect_grant(-1);
  expect_grant(2);
  assert_int_equal(out.unmark, 1);
}

/* The same with the native part: it ends, and its first group comes. */
static void test_link_at_the_last_native_tb(void **state) {
  (void)state;
  enter(0, 1, 1);
  cycle();
  link_event(0);
  expect_grant(0);
  assert_int_equal(out.unmark, 0);
  in.ndone[0] = in.pending[0] = in.single[0] = 1;
  expect_grant(-1);
  assert_int_equal(out.waiting, 1);
}

/* A kernel that was unmarked comes back with a group: the SSCR has it in the next cycle, without a unit; its native TBs
 * do not start anew. Loaded at the end of 7, granted in 8, if the link event is in 3. */
static void test_marked_again(void **state) {
  (void)state;
  in_kd(6, 5, 1);
  in.ndone[6] = 1;
  link_event(6);
  cycle(); /* 3 */
  in.marked[6] = in.pending[6] = in.single[6] = 1;
  for (int t = 4; t < 7; t++) {
    expect_grant(-1);
    assert_int_equal(out.cur_valid && out.waiting, 1);
    assert_int_equal(out.grant_kdei, 6);
  }
  offer_group(6, 1, 1);
  expect_grant(-1); /* 7 */
  assert_int_equal(out.group_pop, 1);
  expect_grant(0); /* 8 */
  assert_int_equal(out.grant_kind, HD_UNIT_GROUP);
}

/* A group for a kernel that is marked, or while another hands out, changes nothing in the SSCR. */
static void test_link_elsewhere(void **state) {
  (void)state;
  in_kd(6, 5, 1);
  in.ndone[6] = in.marked[6] = 1;
  link_event(6); /* marked: it will come from the FCFS controller */
  cycle();
  cycle();
  assert_int_equal(out.cur_valid, 0);
  enter(0, 3, 1);
  cycle();
  in.marked[6] = 0;
  for (unsigned n = 0; n < 2; n++) {
    link_event(6);
    expect_grant((int)n);
    assert_int_equal(out.grant_kdei, 0);
  }
  link_event(6);
  expect_grant(2); /* the last TB: now it follows */
  assert_int_equal(out.unmark, 1);
  expect_grant(-1);
  assert_int_equal(out.grant_kdei, 6);
  assert_int_equal(out.waiting, 1);
}

/* At a kernel's end: the next marked kernel before one that a group marks, and that before one that enters. */
static void test_who_comes_next(void **state) {
  (void)state;
  for (unsigned missing = 0; missing < 3; missing++) {
    hd_sched_reset(m);
    memset(in.ndone, 0, sizeof in.ndone);
    enter(0, 1, 1);
    cycle();
    in_kd(1, 2, 1);
    in_kd(2, 2, 1);
    in.ndone[2] = 1;
    next(missing > 0 ? -1 : 1);
    if (missing < 2) link_event(2);
    enter(3, 2, 1);
    expect_grant(0);
    next(-1);
    cycle();
    assert_int_equal(out.grant_kdei, missing + 1);
    assert_int_equal(out.waiting, missing == 1);
  }
}

/* A kernel that comes back from its suspension: saved TBs first, each dispatched with its context pointer; then the
 * native part where it stopped. */
static void test_saved_tbs_first(void **state) {
  (void)state;
  enter(2, 10, 1);
  in.enter_progress = (struct hd_progress){.nextbl = 8, .sav_first = 5, .sav_count = 2};
  cycle();
  in.sav_count[2] = 2;
  in.nextbl[2] = 8;
  expect_grant(-1);
  assert_int_equal(out.waiting, 1);
  assert_int_equal(out.sv_pop, 0);
  offer_saved(1, 99); /* another kernel's */
  expect_grant(-1);
  assert_int_equal(out.sv_pop, 0);
  offer_saved(2, 0x111);
  expect_grant(-1);
  assert_int_equal(out.sv_pop, 1);
  offer_saved(2, 0x222);
  expect_grant(0);
  assert_int_equal(out.grant_kind, HD_UNIT_SAVED);
  assert_int_equal(out.unit_end, 1);
  assert_int_equal(out.sv_pop, 1);
  assert_int_equal(out.adv_valid || out.grant_group || out.unmark, 0);
  in.sav_count[2] = 1;
  in.sv_valid = 0;
  in.desc = ut_launch(0, 7).desc;
  expect_grant(1);
  assert_int_equal(out.dispatch[0].restart, 1);
  assert_int_equal(out.dispatch[0].level, 3);
  assert_true(out.dispatch[0].desc.param == 0x111);
  assert_int_equal(out.dispatch[0].desc.grid_x, 4);
  in.sav_count[2] = 0;
  expect_grant(2);
  assert_int_equal(out.grant_kind, HD_UNIT_NATIVE);
  assert_true(out.dispatch[1].desc.param == 0x222);
  expect_grant(3);
  assert_int_equal(out.dispatch[2].blkid, 8);
  assert_int_equal(out.dispatch[2].restart, 0);
  assert_true(out.dispatch[2].desc.param == 0x10000 + 7);
  assert_int_equal(out.unmark, 1);
}

/* The last saved TB is handed out, nothing else is left: the kernel ends. With natives done, its groups follow. */
static void test_end_after_saved_tbs(void **state) {
  (void)state;
  for (unsigned groups = 0; groups < 2; groups++) {
    hd_sched_reset(m);
    enter(2, 10, 1);
    in.enter_progress = (struct hd_progress){.ndone = 1, .nextbl = 3, .sav_count = 1};
    offer_saved(2, 1);
    cycle();
    in.sav_count[2] = in.ndone[2] = 1;
    in.nextbl[2] = 3; /* a group was parked */
    in.pending[2] = in.single[2] = (uint8_t)groups;
    if (groups) offer_group(2, 9, 5);
    expect_grant(-1);
    expect_grant(0);
    assert_int_equal(out.unmark, !groups);
    assert_int_equal(out.group_pop, groups);
    in.sav_count[2] = 0;
    no_group();
    expect_grant(groups ? 1 : -1);
  }
  expect_grant(2);
  assert_int_equal(out.dispatch[1].blkid, 3); /* it goes on where it was parked */
  assert_int_equal(out.unit_end, 1);
}

/* A kernel that is to be suspended stops in this very cycle: the place within its unit is told, it is unmarked, the
 * next one follows. */
static void test_stop_in_the_native_part(void **state) {
  (void)state;
  for (unsigned why = 0; why < 2; why++) {
    hd_sched_reset(m);
    enter(2, 10, 1);
    cycle();
    expect_grant(0);
    expect_grant(1);
    in_kd(4, 3, 1);
    next(4);
    (why ? in.failed : in.suspending)[2] = 1;
    expect_grant(-1);
    assert_int_equal(out.park_valid, 1);
    assert_int_equal(out.park_nextbl, 2);
    assert_int_equal(out.park_group, 0);
    assert_int_equal(out.unmark, 1);
    assert_int_equal(out.blocked, 1);
    next(-1);
    expect_grant(2);
    assert_int_equal(out.grant_kdei, 4);
    assert_int_equal(out.park_valid, 0);
    in.suspending[2] = in.failed[2] = 0;
  }
}

/* The same in a group, whose AGE is parked; a saved TB that was not handed out is dropped: the KD's list still has it;
 * without a unit there is nothing to park. */
static void test_stop_in_other_units(void **state) {
  (void)state;
  enter(2, 10, 1);
  in.enter_progress.ndone = 1;
  cycle();
  in.ndone[2] = in.pending[2] = in.single[2] = 1;
  offer_group(2, 9, 5);
  expect_grant(-1);
  no_group();
  expect_grant(0);
  in.suspending[2] = 1;
  expect_grant(-1);
  assert_int_equal(out.park_valid && out.park_group && out.unmark, 1);
  assert_int_equal(out.park_nextbl, 1);
  expect_grant(-1);
  assert_int_equal(out.cur_valid, 0);
  in.suspending[2] = 0;
  enter(2, 10, 1);
  in.enter_progress = (struct hd_progress){.ndone = 1, .sav_count = 1};
  cycle();
  in.sav_count[2] = 1;
  offer_saved(2, 1);
  expect_grant(-1);
  in.sv_valid = 0;
  in.suspending[2] = 1;
  expect_grant(-1);
  assert_int_equal(out.unmark, 1);
  assert_int_equal(out.park_valid || out.park_group || out.park_nextbl, 0);
  in.suspending[2] = 0;
  enter(2, 10, 1);
  in.enter_progress = (struct hd_progress){.ndone = 1, .sav_count = 1};
  cycle();
  in.failed[2] = 1;
  in.sav_count[2] = 0;
  expect_grant(-1);
  assert_int_equal(out.unmark, 1);
  assert_int_equal(out.park_valid || out.blocked, 0);
}

/* A stopped kernel to which a group is linked in that cycle comes back, without a unit, and stops again. */
static void test_stop_and_link(void **state) {
  (void)state;
  enter(2, 10, 1);
  cycle();
  in.suspending[2] = in.marked[2] = 1;
  link_event(2);
  expect_grant(-1);
  assert_int_equal(out.unmark, 1);
  expect_grant(-1);
  assert_int_equal(out.cur_valid && out.waiting && out.unmark, 1);
  assert_int_equal(out.park_valid, 0);
  expect_grant(-1);
  assert_int_equal(out.cur_valid, 0);
}

/* In a cycle in which the KD's table is read for a suspension nothing is handed out; a unit may be loaded. */
static void test_steal(void **state) {
  (void)state;
  enter(2, 2, 1);
  cycle();
  in.steal = 1;
  expect_grant(-1);
  assert_int_equal(out.blocked, 1);
  assert_int_equal(out.unmark, 0);
  expect_grant(0);
  in.pending[2] = in.single[2] = 1;
  expect_grant(1);
  in.ndone[2] = 1;
  in.steal = 1;
  offer_group(2, 1, 1);
  expect_grant(-1);
  assert_int_equal(out.group_pop, 1);
  expect_grant(2);
}

/* A group that was parked goes on where it stopped; a place behind its end, from a damaged record, is its last TB. */
static void test_parked_group(void **state) {
  (void)state;
  for (unsigned damaged = 0; damaged < 2; damaged++) {
    hd_sched_reset(m);
    enter(2, 10, 1);
    in.enter_progress = (struct hd_progress){.ndone = 1, .nextbl = damaged ? 5 : 3};
    cycle();
    in.nextbl[2] = in.enter_progress.nextbl;
    in.ndone[2] = in.pending[2] = in.single[2] = 1;
    offer_group(2, 9, 5);
    expect_grant(-1);
    expect_grant(0);
    assert_int_equal(out.unit_end, damaged);
    expect_grant(damaged ? -1 : 1);
    assert_int_equal(out.dispatch[0].blkid, damaged ? 4 : 3);
  }
}

/* With FairEvery = 4 a kernel goes behind the others at the end of the group in which it has handed out 4 TBs. */
static void test_rotation(void **state) {
  (void)state;
  free(m);
  start(ut_cfg_with("k20c", "FairEvery", 4));
  enter(0, 2, 1);
  cycle();
  in.pending[0] = 1;
  in_kd(1, 9, 1);
  next(1);
  static const uint8_t ctas[] = {1, 2}; /* 2 native TBs, 1, 2: the fifth TB ends the group */
  for (unsigned n = 0, g = 0; n < 5; n++) {
    offer_group(0, n, g < 2 ? ctas[g] : 9);
    if (n == 2) in.ndone[0] = 1;
    expect_grant((int)n);
    assert_int_equal(out.rotate, n == 4);
    assert_int_equal(out.unmark, 0);
    g += out.group_pop;
    if (n == 4) assert_int_equal(out.group_pop || out.load_valid, 0); /* it is loaded when the kernel comes back */
  }
  next(-1);
  expect_grant(5);
  assert_int_equal(out.grant_kdei, 1);
}

/* No rotation without another marked kernel, within the native part, or when nothing is left. */
static void test_no_rotation(void **state) {
  (void)state;
  free(m);
  start(ut_cfg_with("k20c", "FairEvery", 1));
  enter(0, 2, 1);
  cycle();
  next(1);
  in_kd(1, 9, 1);
  in.pending[0] = 1;
  offer_group(0, 1, 1);
  for (unsigned n = 0; n < 2; n++) {
    expect_grant((int)n);
    assert_int_equal(out.rotate, 0);
  }
  in.ndone[0] = 1;
  next(-1);
  expect_grant(2);
  assert_int_equal(out.rotate || out.unmark, 0);
  assert_int_equal(out.group_pop, 1);
  in.single[0] = 1;
  next(1);
  expect_grant(3);
  assert_int_equal(out.rotate, 0);
  assert_int_equal(out.unmark, 1);
  struct hd_sched_arch *a = calloc(1, sizeof *a);
  hd_sched_arch(m, a, false);
  assert_int_equal(a->fair, 0); /* counts anew for the next kernel */
  free(a);
}

/* The slot of an SMX asked for in t is told in t+1. */
static void test_look(void **state) {
  (void)state;
  hand_out(4, 13, 1);
  cycle();
  cycle();
  in.look_smx = 5;
  cycle();
  assert_int_equal(out.look.valid, 1); /* asked for SMX 0 in the cycle before */
  in.look_slot = 1;
  cycle();
  assert_int_equal(out.look.valid, 1);
  assert_int_equal(out.look.kdei, 4);
  cycle();
  assert_int_equal(out.look.valid, 0);
}

/* A completed TB of a group tells its AGE when it retires. */
static void test_retire_tells_the_age(void **state) {
  (void)state;
  enter(3, 1, 1);
  cycle();
  in.pending[3] = in.single[3] = 1;
  offer_group(3, 55, 1);
  cycle();
  no_group();
  cycle();
  in.pending[3] = 0;
  for (int t = 0; t < 2; t++) cycle();
  done(1, 0);
  for (int t = 0; t < 2; t++) cycle();
  assert_int_equal(out.retire_valid, 0);
  cycle();
  assert_int_equal(out.retire_valid, 1);
  assert_int_equal(out.retire.kdei, 3);
  assert_int_equal(out.retire.age_valid, 1);
  assert_int_equal(out.retire.agei, 55);
}

/* ---- TBs from banks ---- */

/* Bank b offers TB nextbl of an entry: of a group of kernel kdei, or of its native part, of `ctas` TBs. */
static void fill_bank(unsigned b, unsigned kind, unsigned kdei, uint32_t ctas, uint32_t nextbl) {
  struct hd_pqentry *e = &in.bank_front[b];
  *e = (struct hd_pqentry){.kind = (uint8_t)kind, .kdei = (uint8_t)kdei, .ctas = ctas, .arrival = 99, .level = 3};
  if (kind == HD_UNIT_GROUP) {
    e->grid_x = 7;
    e->grid_y = 8;
    e->grid_z = 9;
    e->param = 0x1000 + b;
  }
  in.bank_nextbl[b] = nextbl;
  in.bank_last[b] = nextbl + 1 == ctas;
}

static void bound(unsigned smx, unsigned b, unsigned smem) {
  in.bound_valid[smx] = 1;
  in.bound_bank[smx] = (uint8_t)b;
  in.bound_need[smx] = (struct hd_need){.warps = 1, .regs = 2, .smem = (uint16_t)smem};
}

static void spare(unsigned smx, unsigned b, unsigned smem) {
  in.spare_valid[smx] = 1;
  in.spare_bank[smx] = (uint8_t)b;
  in.spare_need[smx] = (struct hd_need){.warps = 1, .regs = 2, .smem = (uint16_t)smem};
}

/* The SMX gets a TB of bank b in this cycle, and nobody one of the SSCR's. */
static void expect_take(unsigned smx, unsigned b, bool is_spare) {
  cycle();
  assert_int_equal(out.take_valid, 1);
  assert_int_equal(out.take_bank, b);
  assert_int_equal(out.take_spare, is_spare);
  assert_int_equal(out.take_kdei, in.bank_front[b].kdei);
  assert_int_equal(out.take_last, in.bank_last[b]);
  assert_int_equal(out.grant_valid, 0);
  assert_int_equal(out.grant_smx, smx);
  assert_int_equal(out.blocked, 0);
}

/* The SMX gets the next TB of the SSCR, or with -1 no SMX gets any; nothing is taken from a bank. */
static void expect_sscr(int smx) {
  expect_grant(smx);
  assert_int_equal(out.take_valid || out.take_bank || out.take_spare || out.take_kdei || out.take_last, 0);
}

/* What is bound to an SMX comes before the kernel in the SSCR, whose TBs the others get; that kernel's place within its
 * unit stands still meanwhile. */
static void test_bound_before_queue_0(void **state) {
  (void)state;
  enter(4, 3, 1);
  cycle();
  fill_bank(6, HD_UNIT_GROUP, 9, 5, 2);
  bound(1, 6, 1);
  expect_sscr(0);
  expect_take(1, 6, false);
  assert_int_equal(out.grant_kdei, 4); /* still the SSCR's */
  assert_int_equal(out.unit_end || out.unmark, 0);
  expect_sscr(2);
  assert_int_equal(out.unit_end || out.unmark, 0);
  expect_sscr(3);
  assert_int_equal(out.unit_end && out.unmark, 1);
  assert_int_equal(out.dispatch[2].blkid, 1);
}

/* The last TB of an entry is told, and is not the last one of the SSCR's unit, of which one TB is left too. */
static void test_take_ends_no_unit(void **state) {
  (void)state;
  enter(4, 1, 1);
  cycle();
  fill_bank(0, HD_UNIT_GROUP, 9, 3, 2);
  bound(0, 0, 1);
  expect_take(0, 0, false);
  assert_int_equal(out.take_last, 1);
  assert_int_equal(out.unit_end || out.adv_valid || out.grant_group || out.grant_end || out.unmark, 0);
  expect_sscr(1);
  assert_int_equal(out.unmark, 1);
}

/* Without a kernel in the SSCR what is bound is handed out all the same; the pointer moves on from the SMX that got it.
 */
static void test_bound_without_a_kernel(void **state) {
  (void)state;
  fill_bank(9, HD_UNIT_GROUP, 2, 100, 0);
  bound(9, 9, 1);
  expect_take(9, 9, false);
  bound(8, 8, 1);
  fill_bank(8, HD_UNIT_GROUP, 3, 100, 0);
  expect_take(8, 8, false); /* round from 10 */
  expect_take(9, 9, false);
  memset(in.bound_valid, 0, sizeof in.bound_valid);
  enter(0, 1, 1);
  expect_sscr(-1);
  expect_sscr(10);
}

/* Queue 0 comes before what is spare, in the very cycle of its last TB too; then the spare TBs go out. */
static void test_queue_0_before_spare(void **state) {
  (void)state;
  enter(4, 2, 1);
  cycle();
  for (unsigned s = 0; s < 13; s++) spare(s, 12 - s, 1);
  for (unsigned b = 0; b < 13; b++) fill_bank(b, HD_UNIT_GROUP, b, 9, 1);
  expect_sscr(0);
  expect_sscr(1);
  assert_int_equal(out.unmark, 1);
  for (unsigned s = 2; s < 13; s++) expect_take(s, 12 - s, true);
  enter(5, 1, 1);
  expect_take(0, 12, true); /* it is there from the next cycle on */
  expect_sscr(1);
  expect_take(2, 10, true);
}

/* Bound before spare, where an SMX has both. */
static void test_bound_before_spare(void **state) {
  (void)state;
  fill_bank(0, HD_UNIT_GROUP, 1, 9, 0);
  fill_bank(5, HD_UNIT_GROUP, 2, 9, 0);
  bound(0, 0, 1);
  spare(0, 5, 1);
  expect_take(0, 0, false);
  expect_sscr(-1); /* its dispatch register was full when the cycle began */
  assert_int_equal(out.blocked, 1);
  in.bound_valid[0] = 0;
  expect_take(0, 5, true);
}

/* A kernel in the SSCR that waits for its group keeps queue 0 from being empty: nothing spare is handed out, what is
 * bound is. */
static void test_no_spare_while_the_sscr_waits(void **state) {
  (void)state;
  enter(4, 1, 1);
  cycle();
  in.pending[4] = in.single[4] = 1;
  expect_sscr(0);
  in.ndone[4] = 1;
  spare(1, 7, 1);
  fill_bank(7, HD_UNIT_GROUP, 1, 9, 0);
  for (int t = 0; t < 3; t++) {
    expect_sscr(-1);
    assert_int_equal(out.waiting, 1);
    assert_int_equal(out.blocked, 0);
  }
  bound(2, 7, 1);
  expect_take(2, 7, false);
  assert_int_equal(out.waiting, 1);
}

/* A stage is passed over only when it is empty: a bound TB that does not fit keeps its SMX from the small TBs of queue
 * 0, which the others get. */
static void test_bound_that_does_not_fit_blocks(void **state) {
  (void)state;
  hand_out(0, 13, 100); /* 92 units are left everywhere */
  enter(1, 100, 1);
  cycle();
  fill_bank(0, HD_UNIT_NATIVE, 2, 9, 0);
  for (unsigned s = 0; s < 13; s++) bound(s, 0, 93);
  for (int t = 0; t < 3; t++) {
    expect_sscr(-1);
    assert_int_equal(out.blocked, 1);
  }
  in.bound_valid[5] = 0;
  expect_sscr(5);
  expect_sscr(-1);
  bound(7, 0, 92);
  expect_take(7, 0, false);
  expect_sscr(5);
}

/* A spare TB that does not fit is waited for too; it is what the SMX's own need that counts. */
static void test_spare_that_does_not_fit(void **state) {
  (void)state;
  hand_out(0, 13, 100);
  cycle();
  fill_bank(3, HD_UNIT_NATIVE, 2, 9, 0);
  spare(0, 3, 93);
  expect_sscr(-1);
  assert_int_equal(out.blocked, 1);
  spare(4, 3, 92);
  expect_take(4, 3, true);
  done(0, 0);
  expect_sscr(-1);
  expect_take(0, 3, true);
}

/* The SMX gives what the TB of the bank needs, not what one of the SSCR's kernel does. */
static void test_take_needs(void **state) {
  (void)state;
  fill_bank(2, HD_UNIT_NATIVE, 7, 9, 0);
  bound(0, 2, 50);
  spare(1, 2, 60);
  expect_take(0, 2, false);
  in.bound_valid[0] = 0;
  expect_take(1, 2, true);
  enter(4, 9, 11);
  in.spare_valid[1] = 0;
  expect_sscr(-1);
  bound(2, 2, 70);
  expect_take(2, 2, false);
  expect_sscr(3);
  static const unsigned smem[] = {50, 60, 70, 11};
  for (unsigned s = 0; s < 4; s++) assert_int_equal(hd_sched_tbcr(m, s)->smem, 192 - smem[s]);
}

/* A TB of a bank takes room from the kernel in the SSCR: that is looked at anew. */
static void test_take_leaves_less_room(void **state) {
  (void)state;
  free(m);
  start(ut_cfg_with("k20c", "NumSmx", 1));
  enter(4, 9, 100);
  cycle();
  fill_bank(0, HD_UNIT_NATIVE, 7, 9, 0);
  bound(0, 0, 100);
  expect_take(0, 0, false);
  in.bound_valid[0] = 0;
  for (int t = 0; t < 4; t++) {
    expect_sscr(-1);
    assert_int_equal(out.blocked, 1);
  }
  in.need[7] = (struct hd_need){.warps = 1, .regs = 2, .smem = 100};
  done(0, 0);
  expect_sscr(-1);
  expect_sscr(0);
}

/* An SMX whose dispatch register is full gets nothing bound to it; the next one in cyclic order does. */
static void test_bound_waits_for_the_dispatch_register(void **state) {
  (void)state;
  in.dispatch_ready[3] = 0;
  fill_bank(0, HD_UNIT_GROUP, 2, 100, 0);
  bound(3, 0, 1);
  expect_take(3, 0, false);
  for (int t = 0; t < 3; t++) {
    expect_sscr(-1);
    assert_int_equal(out.blocked, 1);
  }
  bound(2, 0, 1);
  expect_take(2, 0, false);
  in.dispatch_ready[3] = 1;
  expect_sscr(-1);
  expect_take(3, 0, false);
}

/* The kernel in the SSCR stops in a cycle in which a bank hands out a TB: both happen. */
static void test_stop_beside_a_take(void **state) {
  (void)state;
  enter(2, 10, 1);
  cycle();
  expect_sscr(0);
  fill_bank(5, HD_UNIT_GROUP, 2, 4, 1); /* even one of its own: what is in a bank goes on */
  bound(6, 5, 1);
  in.suspending[2] = 1;
  expect_take(6, 5, false);
  assert_int_equal(out.park_valid && out.unmark, 1);
  assert_int_equal(out.park_nextbl, 1);
  assert_int_equal(out.unit_end, 0);
  in.suspending[2] = 0;
  expect_sscr(-1);
  assert_int_equal(out.cur_valid, 0);
  expect_take(6, 5, false);
}

/* What is spare waits in the cycle of a stop: the kernel is still there. */
static void test_nothing_spare_in_the_cycle_of_a_stop(void **state) {
  (void)state;
  enter(2, 10, 1);
  cycle();
  fill_bank(5, HD_UNIT_GROUP, 3, 4, 1);
  spare(0, 5, 1);
  in.suspending[2] = 1;
  expect_sscr(-1);
  assert_int_equal(out.park_valid && out.unmark && out.blocked, 1);
  in.suspending[2] = 0;
  expect_take(0, 5, true);
}

/* When the KD's table is read for a suspension, banks wait too. */
static void test_steal_holds_up_banks(void **state) {
  (void)state;
  fill_bank(5, HD_UNIT_GROUP, 3, 4, 1);
  bound(1, 5, 1);
  spare(2, 5, 1);
  in.steal = 1;
  expect_sscr(-1);
  assert_int_equal(out.blocked, 1);
  expect_take(1, 5, false);
  in.steal = 1;
  expect_sscr(-1);
  expect_take(2, 5, true);
}

/* A TB of a group out of a bank: the entry's dimensions, parameter address, level and next TB; a group without an AGE.
 * The rest is the descriptor of its kernel, which the KD shows in the next cycle; all stays until it is taken. */
static void test_dispatch_of_a_group_in_a_bank(void **state) {
  (void)state;
  enter(2, 10, 1);
  cycle();
  fill_bank(5, HD_UNIT_GROUP, 3, 40, 33);
  bound(0, 5, 1);
  in.dispatch_ready[0] = 0;
  expect_take(0, 5, false);
  in.bound_valid[0] = 0;
  memset(in.bank_front, 0, sizeof in.bank_front);
  in.desc = ut_launch(0, 5).desc;
  struct hd_dispatch want = {.kdei = 3, .group = 1, .level = 3, .blkid = 33, .desc = in.desc};
  want.desc.grid_x = 7;
  want.desc.grid_y = 8;
  want.desc.grid_z = 9;
  want.desc.param = (0x1000 + 5) * 64;
  for (int t = 0; t < 3; t++) {
    cycle();
    assert_int_equal(out.dispatch_valid[0], 1);
    assert_memory_equal(&out.dispatch[0], &want, sizeof want);
    memset(&in.desc, 0, sizeof in.desc);
    if (t == 1) assert_int_equal(out.dispatch[1].kdei, 2); /* and the SSCR goes on with its own */
  }
}

/* A TB of a native part out of a bank: its kernel's descriptor as it is, and not one of a group. */
static void test_dispatch_of_a_native_part_in_a_bank(void **state) {
  (void)state;
  fill_bank(5, HD_UNIT_NATIVE, 3, 40, 39);
  spare(0, 5, 1);
  expect_take(0, 5, true);
  in.spare_valid[0] = 0;
  in.desc = ut_launch(0, 5).desc;
  const struct hd_dispatch want = {.kdei = 3, .level = 3, .blkid = 39, .desc = in.desc};
  cycle();
  assert_memory_equal(&out.dispatch[0], &want, sizeof want);
  done(0, 0);
  for (int t = 0; t < 2; t++) cycle();
  assert_int_equal(out.retire_valid, 0);
  cycle();
  assert_int_equal(out.retire_valid, 1);
  assert_int_equal(out.retire.kdei, 3);
  assert_int_equal(out.retire.age_valid, 0);
}

/* Visit = 1: what is bound waits for the pointer too, which walks as long as any SMX is offered a TB. */
static void test_visit_walks_past_banks(void **state) {
  (void)state;
  free(m);
  start(ut_cfg_with("k20c", "Visit", 1));
  for (int t = 0; t < 5; t++) expect_sscr(-1); /* nothing on offer: it stands */
  fill_bank(9, HD_UNIT_GROUP, 3, 40, 0);
  bound(3, 9, 1);
  for (unsigned round = 0; round < 2; round++) {
    for (unsigned s = 0; s < 13; s++) {
      if (s == 3) {
        expect_take(3, 9, false);
      } else {
        expect_sscr(-1);
        assert_int_equal(out.blocked, 1);
      }
    }
  }
  in.bound_valid[3] = 0;
  for (int t = 0; t < 3; t++) expect_sscr(-1); /* it stands again, at 0 */
  assert_int_equal(out.blocked, 0);
  spare(0, 9, 1);
  expect_take(0, 9, true);
}

/* Visit = 1 with a kernel in the SSCR: an SMX whose bound TB does not fit is passed, and gets none of queue 0. */
static void test_visit_passes_a_blocked_smx(void **state) {
  (void)state;
  free(m);
  start(ut_cfg_with("k20c", "Visit", 1));
  enter(4, 30, 1);
  cycle();
  fill_bank(9, HD_UNIT_GROUP, 3, 40, 0);
  bound(1, 9, 193);
  expect_sscr(0);
  expect_sscr(-1);
  assert_int_equal(out.blocked, 1);
  for (int s = 2; s < 13; s++) expect_sscr(s);
  expect_sscr(0);
}

/* With FairEvery = 2 a kernel gives up its place after two TBs of its own: those of banks do not count. */
static void test_takes_do_not_count_for_rotation(void **state) {
  (void)state;
  free(m);
  start(ut_cfg_with("k20c", "FairEvery", 2));
  enter(0, 1, 1);
  in.enter_progress.ndone = 1;
  cycle();
  in_kd(1, 9, 1);
  next(1);
  in.ndone[0] = in.pending[0] = 1;
  offer_group(0, 5, 1);
  expect_sscr(-1);
  fill_bank(9, HD_UNIT_GROUP, 3, 40, 0);
  for (unsigned s = 0; s < 3; s++) {
    bound(s, 9, 1);
    expect_take(s, 9, false);
    in.bound_valid[s] = 0;
  }
  expect_sscr(3);
  assert_int_equal(out.rotate, 0);
  expect_sscr(4);
  assert_int_equal(out.rotate, 1);
}

/* More SMXs than a word has bits: each gets what its own bank offers. */
static void test_banks_of_132_smxs(void **state) {
  (void)state;
  free(m);
  start(ut_cfg("big"));
  for (unsigned s = 0; s < 132; s++) {
    fill_bank(s, HD_UNIT_GROUP, s % 100, 40, 0);
    bound(s, s, 1);
  }
  for (unsigned s = 0; s < 140; s++) expect_take(s % 132, s % 132, false);
}

/* Reset in mid-flight leaves the state of a fresh one, byte for byte. */
static void test_reset(void **state) {
  (void)state;
  struct hd_sched *fresh = ut_new(hd_sched_size(&cfg));
  hd_sched_init(fresh, &cfg);
  hand_out(0, 20, 1);
  done(3, 0);
  enter(1, 4, 1);
  cycle();
  assert_memory_not_equal(m, fresh, hd_sched_size(&cfg));
  hd_sched_reset(m);
  assert_memory_equal(m, fresh, hd_sched_size(&cfg));
  free(fresh);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_idle_after_reset),
      TEST(test_tb_n_to_smx_n_mod_13),
      TEST(test_tb_39_goes_to_smx_4),
      TEST(test_thirteen_at_once),
      TEST(test_pointer_is_winner_plus_one),
      TEST(test_pointer_lives_on),
      TEST(test_next_kernel_at_once),
      TEST(test_enter_at_the_last_tb),
      TEST(test_one_tb_kernels),
      TEST(test_enter_does_not_disturb),
      TEST(test_head_of_line),
      TEST(test_each_limit_blocks),
      TEST(test_full_dispatch_register_is_passed),
      TEST(test_emptied_counts_as_full),
      TEST(test_dispatch_desc),
      TEST(test_retire_round_robin),
      TEST(test_wrong_completions),
      TEST(test_visit_walks),
      TEST(test_visit_rests_without_a_kernel),
      TEST(test_132_smxs),
      TEST(test_group_follows_the_native_part),
      TEST(test_one_tb_groups),
      TEST(test_group_waits_for_a_slot),
      TEST(test_waits_for_its_own_group),
      TEST(test_link_at_the_last_tb),
      TEST(test_link_at_the_last_native_tb),
      TEST(test_marked_again),
      TEST(test_link_elsewhere),
      TEST(test_who_comes_next),
      TEST(test_saved_tbs_first),
      TEST(test_end_after_saved_tbs),
      TEST(test_stop_in_the_native_part),
      TEST(test_stop_in_other_units),
      TEST(test_stop_and_link),
      TEST(test_steal),
      TEST(test_parked_group),
      TEST(test_rotation),
      TEST(test_no_rotation),
      TEST(test_look),
      TEST(test_retire_tells_the_age),
      TEST(test_bound_before_queue_0),
      TEST(test_take_ends_no_unit),
      TEST(test_bound_without_a_kernel),
      TEST(test_queue_0_before_spare),
      TEST(test_bound_before_spare),
      TEST(test_no_spare_while_the_sscr_waits),
      TEST(test_bound_that_does_not_fit_blocks),
      TEST(test_spare_that_does_not_fit),
      TEST(test_take_needs),
      TEST(test_take_leaves_less_room),
      TEST(test_bound_waits_for_the_dispatch_register),
      TEST(test_stop_beside_a_take),
      TEST(test_nothing_spare_in_the_cycle_of_a_stop),
      TEST(test_steal_holds_up_banks),
      TEST(test_dispatch_of_a_group_in_a_bank),
      TEST(test_dispatch_of_a_native_part_in_a_bank),
      TEST(test_visit_walks_past_banks),
      TEST(test_visit_passes_a_blocked_smx),
      TEST(test_takes_do_not_count_for_rotation),
      TEST(test_banks_of_132_smxs),
      TEST(test_reset),
  };
  return cmocka_run_group_tests_name("sched", tests, NULL, NULL);
}
