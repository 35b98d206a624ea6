/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the sched tests: enters kernels, offers groups and bank TBs, ends TBs. */
#ifndef HD_SCHED_FIXTURE_H
#define HD_SCHED_FIXTURE_H

#include "dispatch/sched.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_sched *m;
static struct hd_sched_in in;
static struct hd_sched_out out;

static inline void start(struct hd_cfg c) {
  cfg = c;
  m = ut_new(hd_sched_size(&cfg));
  hd_sched_init(m, &cfg);
  memset(&in, 0, sizeof in);
  memset(in.dispatch_ready, 1, sizeof in.dispatch_ready);
  memset(in.throttle_open, 1, sizeof in.throttle_open);
  in.laperm_enter.mark = 1;
}

static inline int setup(void **state) {
  (void)state;
  start(ut_cfg("k20c"));
  return 0;
}

static inline int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

/* Runs one cycle; then `out` holds its outputs, and input pulses are cleared. */
static inline void cycle(void) {
  hd_sched_eval(m, &in, &out);
  hd_sched_tick(m, &in);
  in.kd_entry.valid = in.link_link.valid = in.kd_stall = 0;
  memset(in.cta_done_valid, 0, sizeof in.cta_done_valid);
}

/* Puts a kernel into entry kdei of the KD: `ctas` TBs, each of a third, a sixteenth.. of an SMX's shared memory. */
static inline void in_kd(unsigned kdei, uint32_t ctas, unsigned smem) {
  in.kd_need[kdei] = (struct hd_need){.warps = 1, .regs = 2, .smem = (uint16_t)smem};
  in.kd_ctas[kdei] = ctas;
}

/* Lets it enter in the next cycle. */
static inline void enter(unsigned kdei, uint32_t ctas, unsigned smem) {
  in_kd(kdei, ctas, smem);
  in.kd_entry.valid = 1;
  in.kd_entry.kdei = (uint8_t)kdei;
  in.kmu_offer.kernel.need = in.kd_need[kdei];
  in.kmu_offer.kernel.ctas = ctas;
  in.kmu_offer.kernel.progress = (struct hd_progress){0};
}

static inline void next(int kdei) {
  in.fcfs_next.valid = kdei >= 0;
  in.fcfs_next.kdei = (uint8_t)(kdei >= 0 ? kdei : 0);
}

static inline void done(unsigned smx, unsigned slot) {
  in.cta_done_valid[smx] = 1;
  in.cta_done_slot[smx] = (uint8_t)slot;
}

static inline void expect_grant(int smx) {
  cycle();
  assert_int_equal(out.grant.valid, smx >= 0);
  assert_int_equal(out.grant.smx, smx >= 0 ? smx : 0);
}

/* Enters a kernel and hands out all of its TBs: `ctas` cycles with a grant each. */
static inline void hand_out(unsigned kdei, uint32_t ctas, unsigned smem) {
  enter(kdei, ctas, smem);
  cycle();
  for (uint32_t i = 0; i < ctas; i++) {
    cycle();
    assert_int_equal(out.grant.valid, 1);
  }
}

/* Offers a group of `ctas` TBs in AGE `index` as the kernel's next group; -1: no group. */
static inline void offer_group(unsigned kdei, unsigned index, uint32_t ctas) {
  in.agt_group.valid = 1;
  in.agt_group.kdei = (uint8_t)kdei;
  in.agt_group.group = (struct hd_group){.self = {.onchip = 1, .index = index}};
  in.agt_group.group.info =
      (struct hd_info){.grid_x = 7, .grid_y = 8, .grid_z = 9, .ctas = ctas, .param = 0x1000 + index, .level = 2};
}

static inline void no_group(void) {
  in.agt_group.valid = in.agt_group.kdei = 0;
  in.agt_group.group = (struct hd_group){0};
}

static inline void link_event(unsigned kdei) {
  in.link_link.valid = 1;
  in.link_link.kdei = (uint8_t)kdei;
}

/* Bank b offers TB nextbl of an entry of `ctas` TBs: a group of kernel kdei, or its native part. */
static inline void fill_bank(unsigned b, unsigned kind, unsigned kdei, uint32_t ctas, uint32_t nextbl) {
  struct hd_pqentry *e = &in.laperm_bank_front[b];
  *e = (struct hd_pqentry){.kind = (uint8_t)kind, .kdei = (uint8_t)kdei, .ctas = ctas, .arrival = 99, .level = 3};
  if (kind == HD_UNIT_GROUP) {
    e->grid_x = 7;
    e->grid_y = 8;
    e->grid_z = 9;
    e->param = 0x1000 + b;
  }
  in.laperm_bank_nextbl[b] = nextbl;
  in.laperm_bank_last[b] = nextbl + 1 == ctas;
}

static inline void bound(unsigned smx, unsigned b, unsigned smem) {
  in.laperm_bound_valid[smx] = 1;
  in.laperm_bound_bank[smx] = (uint8_t)b;
  in.laperm_bound_need[smx] = (struct hd_need){.warps = 1, .regs = 2, .smem = (uint16_t)smem};
}

static inline void spare(unsigned smx, unsigned b, unsigned smem) {
  in.laperm_spare_valid[smx] = 1;
  in.laperm_spare_bank[smx] = (uint8_t)b;
  in.laperm_spare_need[smx] = (struct hd_need){.warps = 1, .regs = 2, .smem = (uint16_t)smem};
}

/* Checks that the SMX gets a TB of bank b in this cycle and no SMX gets a TB of the SSCR. */
static inline void expect_take(unsigned smx, unsigned b, bool is_fallback) {
  cycle();
  assert_int_equal(out.take.valid, 1);
  assert_int_equal(out.take.bank, b);
  assert_int_equal(out.take.spare, is_fallback);
  assert_int_equal(out.take.kdei, in.laperm_bank_front[b].kdei);
  assert_int_equal(out.take.last, in.laperm_bank_last[b]);
  assert_int_equal(out.grant.valid, 0);
  assert_int_equal(out.grant.smx, smx);
  assert_int_equal(out.events.blocked, 0);
}

/* Checks that the SMX (-1: no SMX) gets the next TB of the SSCR and no bank is popped. */
static inline void expect_sscr(int smx) {
  expect_grant(smx);
  assert_int_equal(out.take.valid || out.take.bank || out.take.spare || out.take.kdei || out.take.last, 0);
}

#endif
