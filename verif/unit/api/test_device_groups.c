/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* devq, match, link and ovfq wired together: from a beat of an SMX to the list of its kernel. Latency and rate of
 * groups, searches of a warp, and a free pointer for every group that has left A1. */
#include "launch/devq.h"
#include "launch/link.h"
#include "launch/match.h"
#include "launch/ovfq.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_devq *devq;
static struct hd_match *match;
static struct hd_link *linker;
static struct hd_ovfq *ovfq;
static struct hd_devq_in qi;
static struct hd_devq_out qo;
static struct hd_match_in mi;
static struct hd_match_out mo;
static struct hd_link_in li;
static struct hd_link_out lo;
static struct hd_ovfq_in oi;
static struct hd_ovfq_out oo;
static unsigned most_writes; /* pointers that wait at a time */

static void drop(void) {
  free(devq);
  free(match);
  free(linker);
  free(ovfq);
}

/* k20c, with this number of KD entries searched per cycle. */
static void start(unsigned lanes) {
  drop();
  cfg = ut_cfg_but(ut_cfg_hashed("k20c"), "KdeSearchLanes", lanes);
  devq = ut_new(hd_devq_size(&cfg));
  match = ut_new(hd_match_size(&cfg));
  linker = ut_new(hd_link_size(&cfg));
  ovfq = ut_new(hd_ovfq_size(&cfg));
  hd_devq_init(devq, &cfg);
  hd_match_init(match, &cfg);
  hd_link_init(linker, &cfg);
  hd_ovfq_init(ovfq, &cfg);
  memset(&qi, 0, sizeof qi);
  memset(&mi, 0, sizeof mi);
  memset(&li, 0, sizeof li);
  li.kd_busy = 1;
  memset(&oi, 0, sizeof oi);
  qi.sched_look = (struct hd_look){.valid = 1};
  qi.pool_room.ready = qi.pool_room.two = qi.kin_free.valid = 1;
  memset(qi.laperm_bank_room, 7, cfg.num_bank); /* under rr nothing is in the banks */
  qi.regs_config.rec_count = 1u << 20;
  memset(qi.pool_stream_ok, 1, cfg.num_streams);
  memset(qi.dev_answer_ready, 1, cfg.num_smx);
  most_writes = 0;
}

static int setup(void **state) {
  (void)state;
  devq = NULL;
  match = NULL;
  linker = NULL;
  ovfq = NULL;
  start(32);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  drop();
  return 0;
}

/* Outputs that depend only on registers are evaluated first; then the search, the group in A2, and the take. */
static void settle(void) {
  qi.match_found.valid = qi.match_found.hit = qi.match_found.kdei = 0;
  hd_devq_eval(devq, &qi, &qo);
  mi.devq_find = qo.find;
  hd_match_eval(match, &mi, &mo);
  qi.match_found = mo.found;
  li.devq_group.valid = qo.group.valid;
  li.devq_group.kdei = qo.group.kdei;
  li.devq_group.smx = qo.group.smx;
  li.devq_group.hwtid = qo.group.hwtid;
  li.devq_group.record = qo.group.record;
  hd_ovfq_eval(ovfq, &oi, &oo);
  memcpy(li.ovfq_there, oo.there, sizeof li.ovfq_there);
  memcpy(li.ovfq_one, oo.one, sizeof li.ovfq_one);
  hd_link_eval(linker, &li, &lo);
  oi.link_link.over = lo.link.over;
  oi.link_link.kdei = lo.link.kdei;
  oi.link_link.ptr = lo.link.ptr;
  qi.ovfq_room = oo.room;
  qi.link_kept = lo.kept;
  hd_devq_eval(devq, &qi, &qo);
  mi.devq_find_take = qo.find_take;
}

static void cycle(void) {
  settle();
  if (ovfq->w_count > most_writes) most_writes = ovfq->w_count;
  hd_devq_tick(devq, &qi);
  hd_match_tick(match, &mi);
  hd_link_tick(linker, &li);
  hd_ovfq_tick(ovfq, &oi);
  for (unsigned s = 0; s < cfg.num_smx; s++)
    if (qo.dev_launch_ready[s]) qi.dev_launch_valid[s] = 0;
  mi.kd_entry.valid = 0;
}

static struct hd_devlaunch group(unsigned pc, unsigned hwtid, unsigned record, bool last) {
  struct hd_launch l = ut_launch(0, 0);
  struct hd_devlaunch d = {.kind = HD_KIND_GROUP, .last = last, .hwtid = (uint16_t)hwtid, .record = record};
  d.desc = l.desc;
  d.desc.pc = pc;
  d.desc.param = 0;
  d.threads = l.threads;
  d.regs = l.regs;
  d.smem = l.smem;
  d.ctas = l.ctas;
  return d;
}

/* A kernel that groups with that PC can join. */
static void enter(unsigned kdei, unsigned pc) {
  mi.kd_entry.valid = 1;
  mi.kd_entry.kdei = (uint8_t)kdei;
  mi.kmu_offer.kernel.desc = (struct hd_desc){.pc = pc, .cta_x = 32, .cta_y = 1, .cta_z = 1};
  mi.kmu_offer.kernel.need.smem = 1;
  cycle();
  mi.kd_eligible[kdei] = 1;
}

static void offer(unsigned smx, struct hd_devlaunch d) {
  qi.dev_launch_valid[smx] = 1;
  qi.dev_launch[smx] = d;
}

/* Taken in 0, linked in 3, part of the list and answered in 4. */
TEST_F(test_latency) {
  enter(9, 7);
  offer(1, group(7, 5, 0, true));
  for (unsigned t = 0; t < 5; t++) {
    cycle();
    assert_int_equal(lo.link.valid, t == 3);
    assert_int_equal(qo.unhold.valid, t == 3);
    assert_int_equal(lo.pending[9], t == 4);
    assert_int_equal(qo.dev_answer_valid[1], t == 4);
  }
  assert_int_equal(lo.nagei[9], 5);
}

/* One group accepted, and one linked, in each of 1000 cycles, by warps of several SMXs. */
TEST_F(test_rate) {
  enter(9, 7);
  for (unsigned t = 0; t < 1000; t++) {
    for (unsigned s = 0; s < cfg.num_smx; s++)
      if (!qi.dev_launch_valid[s]) offer(s, group(7, t, 0, t % 32 == 31));
    qi.dev_launch[t / 32 % cfg.num_smx].hwtid = (uint16_t)t;
    qi.dev_launch[t / 32 % cfg.num_smx].last = t % 32 == 31;
    cycle();
    assert_int_equal(qo.dev_launch_ready[t / 32 % cfg.num_smx], 1);
    assert_int_equal(lo.alloc.valid, t >= 3);
  }
}

/* The cycle, from that of the first beat on, in which the last of 32 lanes leaves A1. */
static unsigned warp(unsigned keys) {
  unsigned left = 0, lane = 0;
  for (unsigned t = 0; t < 2000; t++) {
    if (lane < 32 && !qi.dev_launch_valid[0]) {
      offer(0, group(100 + lane % keys, lane, lane, lane == 31));
      lane++;
    }
    cycle();
    left += qo.find_take;
    if (left == 32) return t;
  }
  return 0;
}

/* One entry a cycle, the kernel in the last one: 32 cycles for the first lane, one for each other. */
TEST_F(test_search_of_a_warp) {
  start(1);
  enter(31, 100);
  assert_int_equal(warp(1), 32 + 31);
  start(4);
  enter(31, 100);
  assert_int_equal(warp(1), 8 + 31);
  start(32);
  enter(31, 100);
  assert_int_equal(warp(1), 32);
}

/* Three keys in turn: each lane sweeps up to its kernel; all are linked, each list in the order of the lanes. */
TEST_F(test_warp_of_three_keys) {
  start(4);
  enter(3, 100); /* 1 cycle */
  enter(4, 101); /* 2 */
  enter(8, 102); /* 3 */
  assert_int_equal(warp(3), 11 * 1 + 11 * 2 + 10 * 3);
  for (unsigned t = 0; t < 4; t++) cycle();
  assert_int_equal(lo.nagei[3], 0);
  assert_int_equal(lo.lagei[3], 30);
  assert_int_equal(lo.lagei[4], 31);
  assert_int_equal(lo.lagei[8], 29);
}

/* The pointer in the beat that is written. */
static uint32_t written_pointer(void) {
  uint64_t half = oo.mem.wbeat.strb & 0xff ? oo.mem.wbeat.lo : oo.mem.wbeat.hi;
  return (uint32_t)(oo.mem.wbeat.strb & 0xf0f0 ? half >> 32 : half);
}

/* Every group but the first overflows, and the memory is slow: groups wait in A1, none is lost, the list is written in
 * order. */
TEST_F(test_overflow_waits) {
  uint64_t seed = 99;
  unsigned offered = 0, written = 0, unanswered = 0, beat_due = 0;
  enter(0, 7);
  for (unsigned t = 0; t < 6000 && written < 399; t++) {
    if (offered < 400 && !qi.dev_launch_valid[3]) offer(3, group(7, 12, 1000 + offered++, false));
    settle();
    oi.mem.ready = !beat_due && ut_below(&seed, 3) == 0;
    oi.mem.take = beat_due && ut_below(&seed, 2) == 0;
    oi.mem.b_valid = unanswered && ut_below(&seed, 6) == 0;
    if (oi.mem.take) assert_true(written_pointer() == 1001 + written), written++;
    unanswered += oi.mem.take - oi.mem.b_valid;
    beat_due = (beat_due || (oo.mem.valid && oi.mem.ready)) && !oi.mem.take;
    cycle();
  }
  assert_int_equal(written, 399);
  assert_int_equal(most_writes, cfg.ovfq_writes);
}

TEST_MAIN("device groups", NULL, NULL)
