/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The Kernel Distributor: kernels with a graph. */
#include "unit/host/kd_fixture.h"

/* A kernel with a graph enters: it is not marked. Returns its entry. */
static unsigned enter_graph(unsigned hwq, unsigned tag) {
  in.kmu_offer.valid = 1;
  in.kmu_offer.kernel = ut_kernel(hwq, tag);
  in.kmu_offer.kernel.graph = 1;
  cycle();
  assert_int_equal(out.free.valid, 1);
  return out.entry.kdei;
}

/* In the coming cycle: a TB of it is handed out; the graph is over. */
static void take(unsigned kdei) {
  in.sched_graph_take = 1;
  in.dats_run.kdei = (uint8_t)kdei;
}

static void over(unsigned kdei, unsigned code) {
  in.dats_over.valid = 1;
  in.dats_over.kdei = (uint8_t)kdei;
  in.dats_over.result.code = (uint8_t)code;
}

static void graph_cycle(void) {
  cycle();
  in.sched_graph_take = in.dats_over.valid = 0;
}

static void idle_cycles(int n) {
  while (n--) graph_cycle();
}

/* It stays, unmarked, with nothing in execution, until its graph is over. */
TEST_F(test_stays_until_it_is_over) {
  assert_int_equal(enter_graph(4, 44), 0);
  idle_cycles(6);
  assert_int_equal(arch()->valid[0] && arch()->graph[0] && arch()->graph_runs[0], 1);
  assert_int_equal(out.ndone[0], 0);
  over(0, HD_GCODE_FINE);
  graph_cycle();
  assert_int_equal(arch()->valid[0] && arch()->graph[0], 1);
  assert_int_equal(arch()->graph_runs[0], 0);
  graph_cycle(); /* released */
  assert_int_equal(arch()->valid[0], 0);
  graph_cycle();
  assert_int_equal(out.reopen[4] && out.left[0], 1);
  graph_cycle();
  assert_int_equal(out.leave.valid, 1);
  assert_int_equal(out.leave.origin.tag, 44);
  assert_int_equal(out.leave.origin.failed || out.leave.kin_valid, 0);
}

/* Its TBs count, and their descriptor follows. */
TEST_F(test_counts_tbs) {
  enter(0, 1);
  assert_int_equal(enter_graph(4, 44), 1);
  const struct hd_desc desc = in.kmu_offer.kernel.desc;
  for (unsigned n = 1; n <= 3; n++) {
    take(1);
    graph_cycle();
    assert_int_equal(exebl_of(1), n);
    assert_int_equal(exebl_of(0), 0);
  }
  graph_cycle();
  assert_memory_equal(&out.desc, &desc, sizeof desc);
  graph_cycle();
  assert_int_equal(out.desc.pc, 0);
  take(1);
  retire(1);
  graph_cycle();
  assert_int_equal(exebl_of(1), 3);
}

/* The graph is over, some of its TBs are not retired: released behind the last of them. */
TEST_F(test_over_before_its_tbs) {
  enter_graph(4, 44);
  take(0);
  graph_cycle();
  over(0, HD_GCODE_FINE);
  graph_cycle();
  idle_cycles(4);
  assert_int_equal(arch()->valid[0], 1);
  retire(0);
  graph_cycle();
  assert_int_equal(arch()->valid[0], 1);
  graph_cycle();
  assert_int_equal(arch()->valid[0], 0);
}

/* With any code but Fine the kernel fails, in the same cycle, and is reported as failed. */
TEST_F(test_fails) {
  for (unsigned code = HD_GCODE_MEMORY; code <= HD_GCODE_GRAPH; code++) {
    assert_int_equal(enter_graph(4, code), 0);
    take(0);
    graph_cycle();
    over(0, code);
    graph_cycle();
    graph_cycle();
    assert_int_equal(out.failed[0] && out.ndone[0], 1);
    retire(0);
    graph_cycle();
    idle_cycles(2);
    assert_int_equal(out.reopen[4], 1);
    graph_cycle();
    assert_int_equal(out.leave.valid && out.leave.origin.failed, 1);
    assert_int_equal(out.leave.origin.tag, code);
    graph_cycle();
  }
}

/* No group joins it and no TB of it is saved, also when its graph is over; other kernels are unaffected. */
TEST_F(test_neither_joined_nor_saved) {
  enter(0, 1);
  enter_graph(4, 44);
  for (unsigned k = 0; k < 2; k++) {
    take(1);
    graph_cycle();
    grant(0);
    birth(k, 3 + k);
    graph_cycle();
  }
  graph_cycle();
  assert_int_equal(out.kin_valid[1] && out.kin_valid[0], 1);
  assert_int_equal(out.eligible[1] || out.save_ok[1], 0);
  assert_int_equal(out.eligible[0] && out.save_ok[0], 1);
  over(1, HD_GCODE_FINE);
  graph_cycle();
  graph_cycle();
  assert_int_equal(arch()->valid[1], 1);
  assert_int_equal(out.eligible[1] || out.save_ok[1], 0);
}

/* A parent: it leaves with its record, and its HWQ is reopened by kin. */
TEST_F(test_parent) {
  enter_graph(4, 44);
  take(0);
  graph_cycle();
  birth(0, 7);
  graph_cycle();
  retire(0);
  over(0, HD_GCODE_FINE);
  graph_cycle();
  graph_cycle();
  assert_int_equal(arch()->valid[0], 0);
  graph_cycle();
  assert_int_equal(out.reopen[4], 0);
  graph_cycle();
  assert_int_equal(out.leave.valid && out.leave.kin_valid, 1);
  assert_int_equal(out.leave.kin, 7);
}

/* The entry's next kernel has none. */
TEST_F(test_next_in_the_entry) {
  enter_graph(4, 44);
  over(0, HD_GCODE_STUCK);
  graph_cycle();
  graph_cycle();
  assert_int_equal(enter(5, 55), 0);
  graph_cycle();
  assert_int_equal(arch()->graph[0] || arch()->graph_runs[0] || out.failed[0], 0);
  assert_int_equal(out.eligible[0], 1);
  in.fcfs_marked[0] = 0;
  graph_cycle();
  assert_int_equal(arch()->valid[0], 0);
}

/* Inputs are ignored while they are not valid. */
TEST_F(test_payloads_without_valid) {
  enter_graph(4, 44);
  in.dats_run.kdei = in.dats_over.kdei = 0;
  in.dats_over.result.code = HD_GCODE_EDGE;
  idle_cycles(3);
  assert_int_equal(arch()->graph_runs[0], 1);
  assert_int_equal(exebl_of(0) || out.failed[0], 0);
}

TEST_MAIN("kd_graph", NULL, NULL)
