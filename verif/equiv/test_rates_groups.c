/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The rates that the plane promises for groups that TBs launch, counted in cycles of the RTL (the model runs beside it
 * in lockstep). */
#include "plane_rig.h"

enum { GROUPS = 1000 }; /* fewer than the AGT has entries: none overflows */

/* A write of the APB4 port: two cycles. */
static void write_register(struct rig *r, unsigned addr, uint32_t data) {
  r->in.psel = r->in.pwrite = 1;
  r->in.paddr = (uint16_t)addr;
  r->in.pwdata = data;
  r->in.pstrb = 15;
  rig_step(r);
  r->in.penable = 1;
  rig_step(r);
  r->in.psel = r->in.penable = r->in.pwrite = 0;
}

/* A plane whose 13 SMXs run a TB each of one kernel, which has no more of its own; TBs to come live for 8 cycles. */
static void open_with_parents(struct rig *r) {
  rig_open(r, "k20c", HD_ENGINE_BOTH);
  memset(r->in.dev_answer_ready, 1, sizeof r->in.dev_answer_ready);
  r->in.record_done_ready = 1;
  write_register(r, HD_REG_REC_COUNT, 4096);
  rig_launch(r, 0, 13, 32);
  rig_until(r, &r->taken, 13, 60);
  for (int k = 0; k < 10; k++) rig_step(r);
  r->life = 8;
}

/* Group n of one TB, as the TB in slot 0 launches it; `last` of its command. */
static struct hd_devlaunch group(unsigned n, bool last) {
  struct hd_devlaunch g = {.kind = HD_KIND_GROUP, .last = last, .lane = n % 32, .threads = 32, .ctas = 1};
  g.hwtid = (uint16_t)(n % 1024);
  g.record = n;
  g.desc.pc = 0x1000;
  g.desc.grid_x = g.desc.grid_y = g.desc.grid_z = 1;
  g.desc.cta_x = 32;
  g.desc.cta_y = g.desc.cta_z = 1;
  g.desc.param = 0x10000 + 64 * (uint64_t)n;
  return g;
}

/* SMX s offers it in the coming cycle. */
static void offer(struct rig *r, unsigned s, struct hd_devlaunch g) {
  r->in.dev_launch_valid[s] = 1;
  r->in.dev_launch[s] = g;
}

/* The answers of a cycle, all of which must say that the group got an entry of the AGT. */
static unsigned answers(const struct rig *r) {
  unsigned n = 0;
  for (unsigned s = 0; s < r->cfg.num_smx; s++) {
    if (!r->out->dev_answer_valid[s]) continue;
    assert_int_equal(r->out->dev_answer[s].code, HD_CODE_ACCEPTED);
    n++;
  }
  return n;
}

/* All groups are dispatched, one TB per cycle from the first on. */
static void expect_one_per_cycle(struct rig *r, uint64_t before, uint64_t first) {
  rig_until(r, &r->valid_seen, before + GROUPS, GROUPS + 100);
  assert_int_equal(r->last_valid - first + 1, GROUPS);
  for (int k = 0; k < 40; k++) rig_step(r);
}

/* One SMX launches in commands of 32 lanes: a group is taken in every cycle, linked, and its TB dispatched in every
 * cycle. */
static void a_group_per_cycle_from_one_smx(void **state) {
  (void)state;
  struct rig r;
  open_with_parents(&r);
  uint64_t before = r.valid_seen, first = 0;
  unsigned answered = 0;
  for (unsigned n = 0; n < GROUPS; n++) {
    offer(&r, 3, group(n, n % 32 == 31));
    rig_step(&r);
    assert_int_equal(r.out->dev_launch_ready[3], 1);
    answered += answers(&r);
    if (!first && r.valid_seen > before) first = r.last_valid;
  }
  r.in.dev_launch_valid[3] = 0;
  for (unsigned k = 0; k < 4; k++) {
    rig_step(&r);
    answered += answers(&r);
  }
  assert_int_equal(answered, GROUPS);
  expect_one_per_cycle(&r, before, first);
  rig_close(&r);
}

/* All 13 SMXs offer commands of a single lane all the time: they take turns, one group is taken in every cycle. */
static void a_group_per_cycle_from_all_smxs(void **state) {
  (void)state;
  struct rig r;
  unsigned sent = 0;
  open_with_parents(&r);
  uint64_t before = r.valid_seen, first = 0;
  for (unsigned s = 0; s < 13; s++) offer(&r, s, group(sent++, true));
  for (unsigned n = 0; n < GROUPS; n++) {
    unsigned fired = 0;
    rig_step(&r);
    for (unsigned s = 0; s < 13; s++) {
      if (!r.in.dev_launch_valid[s] || !r.out->dev_launch_ready[s]) continue;
      assert_int_equal(s, n % 13);
      fired++;
      r.in.dev_launch_valid[s] = 0;
      if (sent < GROUPS) offer(&r, s, group(sent++, true));
    }
    assert_int_equal(fired, 1);
    answers(&r);
    if (!first && r.valid_seen > before) first = r.last_valid;
  }
  expect_one_per_cycle(&r, before, first);
  rig_close(&r);
}

/* A group for a kernel that has nothing else to hand out, in an idle plane: taken at t, linked at the end of t + 3,
 * granted in t + 8, its TB offered in t + 9. */
static void group_launch_to_dispatch_in_nine_cycles(void **state) {
  (void)state;
  struct rig r;
  open_with_parents(&r);
  uint64_t before = r.valid_seen;
  for (unsigned n = 0; n < 5; n++) {
    offer(&r, 2, group(n, true));
    rig_step(&r);
    uint64_t at = r.cycle;
    assert_int_equal(r.out->dev_launch_ready[2], 1);
    r.in.dev_launch_valid[2] = 0;
    rig_until(&r, &r.valid_seen, before + n + 1, 20);
    assert_int_equal(r.last_valid - at, 9);
    for (int k = 0; k < 30; k++) rig_step(&r);
  }
  rig_close(&r);
}

/* Groups that are linked while their kernel still hands out its own TBs follow these without a lost cycle. */
static void no_gap_behind_the_native_part(void **state) {
  (void)state;
  struct rig r;
  open_with_parents(&r);
  r.queue[r.queued].smem = 1; /* so that the groups are of this kernel alone */
  rig_launch(&r, 1, 60, 32);
  uint64_t before = r.valid_seen;
  rig_until(&r, &r.valid_seen, before + 2, 20);
  uint64_t first = r.last_valid - 1;
  for (unsigned n = 0; n < 20; n++) {
    struct hd_devlaunch g = group(n, n == 19);
    g.smem = 1;
    offer(&r, 0, g);
    rig_step(&r);
    assert_int_equal(r.out->dev_launch_ready[0], 1);
  }
  r.in.dev_launch_valid[0] = 0;
  rig_until(&r, &r.valid_seen, before + 60 + 20, 120);
  assert_int_equal(r.last_valid - first + 1, 60 + 20);
  rig_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_group_per_cycle_from_one_smx),
      cmocka_unit_test(a_group_per_cycle_from_all_smxs),
      cmocka_unit_test(group_launch_to_dispatch_in_nine_cycles),
      cmocka_unit_test(no_gap_behind_the_native_part),
  };
  return cmocka_run_group_tests_name("rates_groups", tests, NULL, NULL);
}
