/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the sched tests for TBs of graphs. */
#ifndef HD_SCHED_NODE_FIXTURE_H
#define HD_SCHED_NODE_FIXTURE_H

#include "unit/dispatch/sched_fixture.h"

enum { GRAPH = 9 };

/* Offers a node: TB `cta`, at that place of the LNA. */
static inline void node(unsigned place, uint32_t cta, unsigned smem) {
  in.dats_tb.valid = in.dats_run.valid = 1;
  in.dats_run.kdei = GRAPH;
  in.dats_tb.index = (uint16_t)place;
  in.dats_tb.cta = cta;
  in.dats_run.need = in.kd_need[GRAPH] = (struct hd_need){.warps = 1, .regs = 2, .smem = (uint16_t)smem};
}

static inline void wants(unsigned smx) {
  in.dats_tb.wants = 1;
  in.dats_tb.smx = (uint8_t)smx;
}

static inline void no_node(void) {
  in.dats_tb.valid = in.dats_tb.wants = 0;
  in.dats_tb.smx = 0;
  in.dats_tb.index = 0;
  in.dats_tb.cta = 0;
}

/* Checks that the SMX gets the node's TB in this cycle and no SMX gets a TB of the SSCR or of a bank; -1: no grant at
   all. */
static inline void expect_node(int smx) {
  cycle();
  assert_int_equal(out.graph_take, smx >= 0);
  assert_int_equal(out.grant.smx, smx >= 0 ? smx : 0);
  assert_int_equal(out.grant.valid || out.grant.unit_end || out.advance || out.hand.grant || out.hand.last, 0);
  assert_int_equal(out.take.valid || out.take.bank || out.take.spare || out.take.kdei || out.take.last, 0);
}

static inline void expect_own(int smx) {
  expect_sscr(smx);
  assert_int_equal(out.graph_take, 0);
}

#endif
