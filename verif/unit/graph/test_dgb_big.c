/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The graph buffer: barriers that deadlock under the paper's rules, updates in memory, nodes with more edges than the
 * LEA holds, rates. */
#include "unit/graph/dgb_fixture.h"

static void finish(unsigned code, unsigned nodes) {
  expect_end(code, 0);
  all_ran(nodes);
  assert_true(early_is_clear(nodes));
}

/* All nodes of the first group run before those of the second. */
static void check_barrier(unsigned a, unsigned b) {
  for (unsigned v = 0; v < a; v++) assert_true(turn_of(v) < a);
  for (unsigned v = a; v < a + b; v++) assert_true(turn_of(v) >= a);
}

static void play_barrier(unsigned a, unsigned b, unsigned latency) {
  runs = 0;
  port.latency = latency;
  lay_barrier(a, b);
  begin(HD_GPOLICY_LRR, 0);
  unsigned cycles = run(false);
  print_message("%u by %u, latency %u: %u cycles, %u updates in the PUB, %u in memory\n", a, b, latency, cycles, pubs,
                earlies);
  finish(HD_GCODE_FINE, a + b);
  check_barrier(a, b);
}

/* The paper's own barrier: 64 children each; an LEA of 512 holds those of 8 nodes. All its nodes fit in the LNA; with
 * twice as many some do not. */
TEST_F(test_barrier_64) {
  play_barrier(64, 64, 1);
  play_barrier(64, 64, 120);
  assert_int_equal(pubs, 0);
  play_barrier(64, 128, 1);
  assert_true(pubs >= cfg.pub);
  assert_int_equal(bigs, 0);
}

/* No two of its nodes have room in the LEA at once: the head rule. */
TEST_F(test_barrier_257) {
  play_barrier(257, 257, 1);
  assert_true(pubs > 0 && earlies > 0);
}

/* This many children that are neither in the LNA nor in the PUB. */
TEST_F(test_barrier_spills) {
  play_barrier(120, 400, 10);
  assert_true(earlies > 1000);
  play_barrier(120, 400, 10); /* early updates are clear again */
}

/* The paper's rules: a full PUB stops the walk, and a node that is alone in the window is not handed out. */
static void paper_ends(unsigned a, unsigned b) {
  start_of(ut_cfg_with("k20c", "DgbPaper", 1));
  lay_barrier(a, b);
  begin(HD_GPOLICY_LRR, 0);
  run(false);
  assert_int_equal(out.finish.code, HD_GCODE_STUCK);
  assert_true(runs < a + b);
  assert_int_equal(earlies, 0);
  expect_end(HD_GCODE_STUCK, arch()->tail);
  free(m);
}

TEST(test_paper) {
  paper_ends(64, 64);
  paper_ends(64, 128);
  paper_ends(257, 257);
}

/* The paper's rules run what they can: a chain, and the wavefront of figure 7. */
TEST(test_paper_runs) {
  start_of(ut_cfg_with("k20c", "DgbPaper", 1));
  lay_figure7();
  begin(HD_GPOLICY_LRR, 0);
  run(false);
  finish(HD_GCODE_FINE, 9);
  free(m);
}

/* ---- More edges than the LEA holds ---- */

static void make_star(unsigned before, unsigned children, unsigned distinct) {
  hd_dgb_graph_clear(&graph);
  for (unsigned v = 0; v < before + 2; v++) node(0);
  for (unsigned v = 0; v < distinct; v++) node(1);
  for (unsigned v = 0; v < children; v++) edge(before, before + 2 + v % distinct);
  edge(before + 1, before + 2);
  lay();
}

/* As many as it holds; one more; many more. A child may be named more than once. */
TEST_F(test_star) {
  static const unsigned children[] = {100, 511, 512, 513, 600, 1100, 3000};
  for (unsigned k = 0; k < 7; k++)
    for (unsigned distinct = 10; distinct <= 900; distinct += 890) {
      if (distinct > children[k]) continue;
      unsigned before = bigs;
      runs = 0;
      make_star(3, children[k], distinct);
      begin(HD_GPOLICY_LRR, 0);
      run(true);
      finish(HD_GCODE_FINE, 5 + distinct);
      assert_int_equal(bigs - before, children[k] > 512);
    }
}

/* The start of its edges counts: 500 fit from the beginning of a chunk on, not from the middle. */
TEST_F(test_star_in_a_chunk) {
  for (unsigned offset = 0; offset < 64; offset += 9) {
    unsigned before = bigs;
    hd_dgb_graph_clear(&graph);
    for (unsigned v = 0; v < 2; v++) node(0);
    for (unsigned v = 0; v < 100; v++) node(1);
    for (unsigned v = 0; v < offset; v++) edge(0, 2 + v);
    for (unsigned v = 0; v < 500; v++) edge(1, 2 + v % 100);
    lay();
    runs = 0;
    begin(HD_GPOLICY_LRR, 0);
    run(false);
    finish(HD_GCODE_FINE, 102);
    assert_int_equal(bigs - before, offset + 500 > 512);
  }
}

/* A big node waits until it is the oldest; no node enters behind it. */
TEST_F(test_big_waits) {
  make_star(1, 600, 20);
  begin(HD_GPOLICY_LRR, 0);
  idle(200);
  assert_int_equal(arch()->head, 2);
  assert_int_equal(arch()->big, 1);
  assert_int_equal(arch()->big_vid, 1);
  take(0, 0);
  take(1, 1);
  done(1, 1);
  idle(50);
  assert_int_equal(arch()->node_state[1], HD_GSTATE_FINISHED);
  assert_int_equal(arch()->a_valid, 0);
  done(0, 0);
  idle(10);
  assert_int_equal(arch()->tail, 1);
  run(false);
  finish(HD_GCODE_FINE, 23);
}

/* ---- Rates ---- */

/* One node a cycle from a memory of one beat a cycle, as long as the LNA covers its latency. */
TEST_F(test_rate_nodes) {
  for (unsigned v = 0; v < 1200; v++) node(0);
  lay();
  for (unsigned latency = 1; latency <= 121; latency += 40) {
    runs = 0;
    port.latency = latency;
    begin(HD_GPOLICY_LRR, 0);
    unsigned cycles = run(false);
    finish(HD_GCODE_FINE, 1200);
    print_message("latency %u: %u cycles for 1200 nodes\n", latency, cycles);
    assert_true(cycles < (latency < 100 ? 1200 : 1600) + latency + 40);
  }
}

/* ChildLanes children in the window in each cycle. */
TEST_F(test_rate_children) {
  lay_barrier(8, 64);
  begin(HD_GPOLICY_LRR, 0);
  for (unsigned v = 0; v < 8; v++) take(v, v);
  idle(300);
  for (unsigned v = 0; v < 8; v++) ends(v, v);
  step();
  unsigned began = now;
  while (arch()->parents[8 + 63]) cycle();
  print_message("512 children: %u cycles\n", now - began);
  assert_true(now - began <= 512 / cfg.child_lanes + 5);
  assert_int_equal(cfg.child_lanes, 4);
}

/* The tail advances by one node in each cycle, and a completion of each SMX is accepted in each. */
TEST_F(test_rate_tail) {
  for (unsigned v = 0; v < 100; v++) node(0);
  lay();
  begin(HD_GPOLICY_LRR, 0);
  for (unsigned v = 0; v < 100; v++) take(v, v % cfg.num_smx);
  for (unsigned v = 1; v < 100; v++) done(v, v % cfg.num_smx);
  idle(20);
  assert_int_equal(arch()->tail, 0);
  done(0, 0);
  while (!arch()->tail) cycle();
  unsigned began = now;
  while (arch()->tail != 100) cycle();
  assert_int_equal(now - began, 99);
  expect_end(HD_GCODE_FINE, 0);
}

TEST_MAIN("dgb_big", NULL, NULL)
