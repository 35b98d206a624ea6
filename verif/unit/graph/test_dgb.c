/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The graph buffer: loading, the paper's example step by step, offers and policies, latency. */
#include "unit/graph/dgb_fixture.h"

/* After reset a graph is accepted, and no other output is set. */
TEST_F(test_idle) {
  static const struct hd_dgb_out nothing = {.start_ready = 1};
  for (unsigned t = 0; t < 20; t++) {
    cycle();
    assert_memory_equal(&out, &nothing, sizeof out);
  }
  for (unsigned p = 0; p < cfg.lna; p++) assert_int_equal(arch()->node_state[p], HD_GSTATE_DONE);
}

/* One node; its arrays are requested two cycles after the start. */
TEST_F(test_one_node) {
  node(0);
  lay();
  begin(HD_GPOLICY_LRR, 0);
  cycle();
  assert_int_equal(out.mem.valid || out.start_ready, 0);
  cycle();
  assert_int_equal(out.mem.valid, 1);
  assert_true(out.mem.req.addr == IDS_AT && out.mem.req.len == 0 && !out.mem.req.write);
  cycle();
  cycle();
  assert_int_equal(out.mem.valid, 1);
  assert_true(out.mem.req.addr == NODES_AT && out.mem.req.len == 0);
  take(0, 5);
  assert_int_equal(out.node.level, 0);
  assert_int_equal(out.wish.smx, cfg.num_smx);
  cycle();
  assert_int_equal(out.node_valid || out.node.cta || out.node.index, 0);
  idle(50);
  assert_int_equal(out.finish_valid, 0);
  done(0, 5);
  expect_end(HD_GCODE_FINE, 0);
}

/* A whole chunk: TB ids, nodes, and the first edges, 128 bytes at most each. */
TEST_F(test_chunks) {
  unsigned ids = 0, nodes = 0, edges = 0;
  for (unsigned v = 0; v < 40; v++) node(v > 0);
  for (unsigned v = 1; v < 40; v++) edge(0, v);
  lay();
  begin(HD_GPOLICY_LRR, 0);
  for (unsigned t = 0; t < 60; t++) {
    cycle();
    if (!out.mem.valid) continue;
    uint64_t a = out.mem.req.addr;
    assert_int_equal(out.mem.req.write, 0);
    if (a < IDS_AT) {
      assert_true(a == NODES_AT + 128 * nodes++);
      assert_int_equal(out.mem.req.len, nodes == 3 ? 3 : 7);
    } else if (a < EARLY_AT) {
      assert_true(a == IDS_AT + 32 * ids++);
      assert_int_equal(out.mem.req.len, nodes == 2 ? 0 : 1);
    } else {
      assert_true(a == EDGES_AT + 128 * edges++);
      assert_int_equal(out.mem.req.len, 4);
    }
  }
  assert_int_equal(ids, 3);
  assert_int_equal(nodes, 3);
  assert_int_equal(edges, 1);
  assert_int_equal(arch()->here, 40);
  assert_int_equal(arch()->head, 40);
}

static unsigned in_pub(unsigned vid) {
  unsigned n = 0;
  for (unsigned k = 0; k < cfg.pub; k++) n += arch()->pub[k] == vid;
  return n;
}

/* wireframe-micro2017 figure 7: LNA of 4, chunks of 2. */
TINY(test_figure7) {
  assert_int_equal(cfg.lna, 4);
  assert_int_equal(cfg.dgb_chunk, 2);
  lay_figure7();
  begin(HD_GPOLICY_LRR, 0);
  idle(60);
  assert_int_equal(arch()->here, 4); /* nodes 0 to 3 */
  assert_int_equal(arch()->head, 3); /* the edges of 3 end where those of 4 begin, and 4 is not loaded */
  assert_int_equal(arch()->parents[1], 1);
  assert_int_equal(arch()->parents[3], 1);
  take(0, 0);
  idle(20);
  assert_int_equal(out.node_valid, 0);
  /* 0 completes: 1 and 2 are ready, the tail is at 1. */
  done(0, 0);
  idle(20);
  assert_int_equal(arch()->tail, 1);
  assert_int_equal(arch()->parents[1] || arch()->parents[2], 0);
  take(1, 0);
  take(2, 1);
  /* 2 completes before 1: the PUB gets 4 and 5. */
  done(2, 1);
  idle(20);
  assert_int_equal(arch()->tail, 1);
  assert_int_equal(arch()->node_state[2], HD_GSTATE_DONE);
  assert_int_equal(in_pub(4), 1);
  assert_int_equal(in_pub(5), 1);
  /* 1 completes: the count of 3 is 0, the PUB gets 4 again; the tail goes to 3. */
  ends(1, 0);
  step();
  idle(5);
  assert_int_equal(in_pub(4), 2);
  assert_int_equal(arch()->parents[3], 0);
  /* The chunk of 4 and 5 is loaded: 4 takes two entries and is ready. The edges of 5 end where those of 6 begin, and 6
   * is not loaded before 3 has left. */
  idle(40);
  assert_int_equal(arch()->tail, 3);
  assert_int_equal(arch()->here, 6);
  assert_int_equal(arch()->head, 5);
  assert_int_equal(in_pub(4), 0);
  assert_int_equal(in_pub(5), 1);
  assert_int_equal(arch()->parents[0], 0);
  assert_int_equal(arch()->parents[1], 1);
  /* Their edges begin at 7 and 9 (figure 7's 9, modulo 8, is 1). */
  assert_int_equal(arch()->edge_start[0], 7);
  assert_int_equal(arch()->edge_start[1], 9);
  take(3, 0);
  take(4, 1);
  idle(10);
  done(3, 0);
  /* Then 5 takes its entry and is ready. */
  take(5, 0);
  assert_int_equal(in_pub(5), 0);
  assert_int_equal(arch()->tail, 4);
  done(4, 1);
  done(5, 0);
  take(6, 0);
  take(7, 1);
  ends(6, 0);
  ends(7, 1);
  step();
  take(8, 0);
  assert_int_equal(out.node.level, 4);
  done(8, 0);
  expect_end(HD_GCODE_FINE, 0);
  all_ran(9);
}

/* A child that waited only for a TB is offered four cycles after that was done. */
TEST_F(test_latency) {
  node(0);
  node(1);
  edge(0, 1);
  lay();
  begin(HD_GPOLICY_LRR, 0);
  take(0, 3);
  idle(30);
  unsigned t = now;
  done(0, 3);
  while (!out.node_valid) cycle();
  assert_int_equal(now - 1 - t, 4);
  assert_int_equal(out.wish.smx, 3);
  take(1, 0);
  done(1, 0);
  expect_end(HD_GCODE_FINE, 0);
}

/* The smallest ready node is offered; it replaces a larger one that no SMX has taken. */
TEST_F(test_order) {
  for (unsigned v = 0; v < 4; v++) node(0);
  for (unsigned v = 4; v < 8; v++) node(1);
  for (unsigned v = 4; v < 8; v++) edge(v - 4, v);
  lay();
  begin(HD_GPOLICY_LRR, 0);
  for (unsigned v = 0; v < 4; v++) take(v, v);
  done(3, 3);
  await(7);
  done(2, 2);
  idle(20);
  await(6);
  unsigned t = now;
  done(0, 0);
  while (out.node.cta != 4 + CTA) {
    cycle();
    assert_true(out.node_valid); /* the offer is never withdrawn */
  }
  assert_int_equal(now - 1 - t, 5); /* one cycle later than a child without other waiting nodes */
  take(4, 0);
  assert_int_equal(out.wish.smx, 0);
  take(6, 0);
  assert_int_equal(out.wish.smx, 2);
  await(7);
  done(1, 1);
  idle(20);
  take(5, 1);
  take(7, 3);
  assert_int_equal(out.wish.smx, 3);
  for (unsigned v = 4; v < 6; v++) ends(v, v - 4);
  step();
  done(6, 0);
  done(7, 3);
  expect_end(HD_GCODE_FINE, 0);
}

/* Several TBs are done in one cycle, on all SMXs: none is lost. */
TEST_F(test_done_together) {
  unsigned n = cfg.num_smx;
  for (unsigned v = 0; v < n; v++) node(0);
  node(1);
  for (unsigned v = 0; v < n; v++) edge(v, n);
  lay();
  begin(HD_GPOLICY_LRR, 0);
  for (unsigned v = 0; v < n; v++) take(v, n - 1 - v);
  assert_int_equal(arch()->running, n);
  for (unsigned v = 0; v < n; v++) ends(v, n - 1 - v);
  step();
  assert_int_equal(arch()->running, 0);
  take(n, 0);
  done(n, 0);
  expect_end(HD_GCODE_FINE, 0);
}

/* With a bound no node is offered that is more levels above the oldest; without a bound it is. */
static void check_levels(unsigned policy, unsigned bound, unsigned reach) {
  hd_dgb_graph_clear(&graph);
  node(0); /* still runs; the others are a chain next to it */
  node(0);
  for (unsigned v = 2; v < 8; v++) node(v - 1);
  for (unsigned v = 2; v < 8; v++) edge(v - 1, v);
  lay();
  runs = 0;
  begin(policy, bound);
  take(0, 0);
  for (unsigned v = 1; v < 8; v++) {
    if (v - 1 > reach) break;
    take(v, 1);
    done(v, 1);
  }
  idle(100);
  assert_int_equal(next()->node_valid, 0);
  done(0, 0);
  for (unsigned v = reach + 2; v < 8; v++) {
    take(v, 1);
    done(v, 1);
  }
  expect_end(HD_GCODE_FINE, 0);
  all_ran(8);
}

TEST_F(test_levels) {
  check_levels(HD_GPOLICY_LRR, 0, 6);
  check_levels(HD_GPOLICY_LVL, 0, 0);
  check_levels(HD_GPOLICY_LVL, 2, 2);
  check_levels(HD_GPOLICY_LVL_BIND, 3, 3);
  check_levels(HD_GPOLICY_LVL, 65535, 6);
}

/* The SMX of the parent whose update was made last. */
TEST_F(test_parent_smx) {
  for (unsigned v = 0; v < 3; v++) node(0);
  node(1);
  for (unsigned v = 0; v < 3; v++) edge(v, 3);
  lay();
  begin(HD_GPOLICY_LVL_BIND, 4);
  for (unsigned v = 0; v < 3; v++) take(v, 4 + v);
  done(2, 6);
  idle(20);
  done(0, 4);
  idle(20);
  done(1, 5);
  await(3);
  assert_int_equal(next()->wish.smx, 5);
  take(3, 5);
  done(3, 5);
  expect_end(HD_GCODE_FINE, 0);
}

TEST_MAIN("dgb", NULL, NULL)
