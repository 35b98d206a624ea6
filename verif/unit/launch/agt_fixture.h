/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the agt tests: the lists of a link model, launches, groups that ovfq offers, a scheduler that takes
 * groups. */
#ifndef HD_AGT_FIXTURE_H
#define HD_AGT_FIXTURE_H

#include "launch/agt.h"
#include "unit/util.h"

static struct hd_cfg cfg;
static struct hd_agt *m;
static struct hd_agt_in in;
static struct hd_agt_out out;
/* Updates of link at the clock edge. */
static struct hd_list list_d[HD_MAX_NUM_KDE];

static inline int setup(void **state) {
  (void)state;
  cfg = ut_cfg("k20c");
  m = ut_new(hd_agt_size(&cfg));
  hd_agt_init(m, &cfg);
  memset(&in, 0, sizeof in);
  memset(list_d, 0, sizeof list_d);
  return 0;
}

static inline int teardown(void **state) {
  (void)state;
  free(m);
  return 0;
}

/* Runs one cycle; then `out` holds its outputs, input pulses are cleared and the lists are those of link. */
static inline void cycle(void) {
  hd_agt_eval(m, &in, &out);
  hd_agt_tick(m, &in);
  in.link_alloc.valid = in.link_link.valid = in.link_link.over = in.link_link.next = in.sched_group_pop = 0;
  memset(in.fails, 0, sizeof in.fails);
  for (unsigned i = 0; i < cfg.num_kde; i++) {
    in.link_chained[i] = list_d[i].chained;
    in.link_nagei[i] = list_d[i].nagei;
    in.link_lagei[i] = list_d[i].lagei;
  }
}

static inline struct hd_ptr onchip(unsigned index) {
  return (struct hd_ptr){.onchip = 1, .index = index};
}
static inline struct hd_ptr record(unsigned number) {
  return (struct hd_ptr){.index = number};
}

static inline struct hd_info info(unsigned n) {
  return (struct hd_info){.grid_x = (uint16_t)n, .grid_y = 1, .grid_z = 1, .ctas = n + 1, .param = 100 + n, .level = 2};
}

/* A group with an AGE joins the chain of the kernel: it is in A3, and its info was in A2 one cycle earlier (`a2` holds
 * that of the next). */
static inline void link(unsigned kdei, unsigned index) {
  struct hd_list *l = &list_d[kdei];
  in.link_link.valid = 1;
  in.link_link.kdei = (uint8_t)kdei;
  in.link_link.ptr = onchip(index);
  in.link_link.next = l->chained;
  in.link_link.prev = l->chained ? l->lagei : 0;
  in.link_alloc.valid = 1;
  in.link_alloc.index = (uint16_t)index;
  if (!l->chained) l->nagei = (uint16_t)index;
  l->chained = 1;
  l->lagei = (uint16_t)index;
}

/* Puts it into the list in memory, with an AGE or without. */
static inline void link_over(unsigned kdei, struct hd_ptr p) {
  in.link_link.valid = in.link_link.over = 1;
  in.link_link.kdei = (uint8_t)kdei;
  in.link_link.ptr = p;
  in.link_alloc.valid = p.onchip;
  in.link_alloc.index = (uint16_t)(p.onchip ? p.index : 0);
}

/* Runs a whole launch: A2, then A3. */
static inline void launch(unsigned kdei, unsigned index) {
  in.devq_group.info = info(index);
  cycle();
  link(kdei, index);
  in.devq_group.info = (struct hd_info){0};
  cycle();
}
static inline void launch_over(unsigned kdei, struct hd_ptr p) {
  in.devq_group.info = info(p.index);
  cycle();
  link_over(kdei, p);
  in.devq_group.info = (struct hd_info){0};
  cycle();
}

/* ovfq offers this group of the kernel from the next cycle on; or no group. */
static inline void offer(unsigned kdei, struct hd_ptr p) {
  in.ovfq_over.valid = 1;
  in.ovfq_over.kdei = (uint8_t)kdei;
  in.ovfq_over.group = (struct hd_group){.self = p};
  if (!p.onchip) in.ovfq_over.group.info = info(p.index);
}
static inline void withdraw(void) {
  in.ovfq_over.valid = in.ovfq_over.kdei = 0;
  in.ovfq_over.group = (struct hd_group){0};
}

/* In the next cycle the scheduler takes the offered group, or does not. */
static inline void check_pop(bool pops) {
  cycle();
  assert_int_equal(out.over_pop, pops);
  if (pops) withdraw();
}

/* The last TB of the kernel's group in this AGE is handed out. */
static inline void advance(unsigned kdei) {
  struct hd_list *l = &list_d[kdei];
  hd_agt_eval(m, &in, &out);
  if (l->nagei == l->lagei)
    memset(l, 0, sizeof *l);
  else
    l->nagei = out.succ;
}

static inline void current(int kdei) {
  in.sched_sscr.valid = kdei >= 0;
  in.sched_sscr.kdei = (uint8_t)(kdei < 0 ? 0 : kdei);
}

static inline struct hd_agt_arch *arch(void) {
  static struct hd_agt_arch a;
  hd_agt_arch(m, &a, true);
  return &a;
}

/* Waits up to 20 cycles for a group and takes it; returns the index of its pointer, or -1. */
static inline int take(void) {
  for (int t = 0; t < 20; t++) {
    hd_agt_eval(m, &in, &out);
    in.sched_group_pop = out.group.valid;
    cycle();
    if (out.group.valid) return (int)out.group.group.self.index;
  }
  return -1;
}

static inline void idle(unsigned cycles) {
  for (unsigned t = 0; t < cycles; t++) cycle();
}

/* Returns the group that is offered to the scheduler. */
static inline void check_group(struct hd_ptr p) {
  hd_agt_eval(m, &in, &out);
  assert_int_equal(out.group.valid, 1);
  assert_int_equal(out.group.group.self.onchip, p.onchip);
  assert_int_equal(out.group.group.self.index, p.index);
  struct hd_info i = info(p.index);
  assert_memory_equal(&out.group.group.info, &i, sizeof i);
}

static inline void check_cursor(unsigned cursor, unsigned age) {
  assert_int_equal(arch()->cursor, cursor);
  assert_int_equal(arch()->cursor_age, age);
}

#endif
