/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Fixture of the sched tests for TBs of graphs. */
#ifndef HD_SCHED_NODE_FIXTURE_H
#define HD_SCHED_NODE_FIXTURE_H

#include "unit/dispatch/sched_fixture.h"

enum { GRAPH = 9 };

/* Offers a node: TB `cta`, at that place of the LNA. */
static inline void node(unsigned place, uint32_t cta, unsigned smem) {
  in.graph_valid = in.run_valid = 1;
  in.run_kdei = GRAPH;
  in.graph_index = (uint16_t)place;
  in.graph_cta = cta;
  in.run_need = in.need[GRAPH] = (struct hd_need){.warps = 1, .regs = 2, .smem = (uint16_t)smem};
}

static inline void wants(unsigned smx) {
  in.graph_wants = 1;
  in.graph_smx = (uint8_t)smx;
}

static inline void no_node(void) {
  in.graph_valid = in.graph_wants = 0;
  in.graph_smx = 0;
  in.graph_index = 0;
  in.graph_cta = 0;
}

/* Checks that the SMX gets the node's TB in this cycle and no SMX gets a TB of the SSCR or of a bank; -1: no grant at
   all. */
static inline void expect_node(int smx) {
  cycle();
  assert_int_equal(out.graph_take, smx >= 0);
  assert_int_equal(out.grant_smx, smx >= 0 ? smx : 0);
  assert_int_equal(out.grant_valid || out.unit_end || out.adv_valid || out.grant_group || out.grant_end, 0);
  assert_int_equal(out.take_valid || out.take_bank || out.take_spare || out.take_kdei || out.take_last, 0);
}

static inline void expect_own(int smx) {
  expect_sscr(smx);
  assert_int_equal(out.graph_take, 0);
}

#endif
