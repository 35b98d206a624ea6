/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The graph buffer: errors of a graph or its memory are reported with the node; the next graph runs; the failed graph
 * is left unmodified. */
#include "unit/graph/dgb_fixture.h"

enum { N = 60, BOUND = 1024 + 400 };

/* Layers of 6 nodes, each with two parents. */
static void make(void) {
  hd_dgb_graph_clear(&graph);
  for (unsigned v = 0; v < N; v++) node(v / 6);
  for (unsigned v = 6; v < N; v++) {
    edge(v - 6, v);
    edge(v - 1 - v % 6, v);
  }
  lay();
}

/* Nodes in memory run up to that end, which is soon reached; then a valid graph runs. */
static void expect(unsigned code, unsigned vid) {
  begin(HD_GPOLICY_LRR, 0);
  assert_true(run(false) < 500 + (code == HD_GCODE_STUCK ? BOUND : 0));
  expect_end(code, vid);
  in.sched_node_done[0] = 0;
  make();
  fail_at = 0;
  runs = 0;
  begin(HD_GPOLICY_LRR, 0);
  run(true);
  expect_end(HD_GCODE_FINE, 0);
  all_ran(N);
}

TEST_F(test_fine) {
  make();
  expect(HD_GCODE_FINE, 0);
}

/* A count that is too high is waited for: the graph is stuck at the first such node. */
TEST_F(test_stuck) {
  static const uint8_t vids[] = {0, 5, 6, 33, N - 1};
  for (unsigned k = 0; k < 5; k++) {
    make();
    graph.parents[vids[k]]++;
    if (vids[k] < N - 1) graph.parents[N - 1] = 0xffff;
    relay();
    expect(HD_GCODE_STUCK, vids[k]);
  }
}

/* It is reported after DgbQuiet cycles without progress, and not while a TB runs. */
TEST_F(test_stuck_when) {
  node(0);
  node(0);
  node(1);
  edge(0, 2);
  edge(1, 2);
  lay();
  graph.parents[2] = 3;
  relay();
  begin(HD_GPOLICY_LRR, 0);
  take(0, 0);
  take(1, 1);
  done(1, 1);
  idle(3 * cfg.dgb_quiet);
  assert_int_equal(out.finish_valid, 0);
  unsigned t = now;
  done(0, 0);
  while (!out.finish_valid) cycle();
  assert_true(now - t >= cfg.dgb_quiet);
  assert_true(now - t < cfg.dgb_quiet + 20);
  expect_end(HD_GCODE_STUCK, 2);
}

/* A count that is too low goes below 0: the parent of the last update is reported. */
TEST_F(test_count) {
  make();
  graph.parents[20] = 1;
  relay();
  expect(HD_GCODE_COUNT, 17); /* 14 and 17 are its parents: the later one */
  graph.parents[6] = 0;
  relay();
  expect(HD_GCODE_COUNT, 0);
}

/* The same for a node whose updates the PUB, or memory, held: it, or the first of its chunk, is reported. */
TEST_F(test_count_late) {
  for (unsigned children = 150; children <= 300; children += 150) {
    hd_dgb_graph_clear(&graph);
    node(0);
    for (unsigned v = 1; v <= children; v++) node(1);
    for (unsigned v = 1; v <= children; v++) edge(0, v);
    lay();
    unsigned low = children == 150 ? 140 : 300; /* in the PUB: nodes 129 on, 64 of them at most */
    graph.parents[low] = 0;
    relay();
    begin(HD_GPOLICY_LRR, 0);
    run(false);
    assert_int_equal(out.finish.code, HD_GCODE_COUNT);
    assert_int_equal(out.finish.vid, low == 140 ? 140 : 288);
    expect_end(HD_GCODE_COUNT, out.finish.vid);
  }
}

/* An edge to an earlier node, to its own node, or outside the graph; the node at which it begins is reported. */
TEST_F(test_edges) {
  static const uint16_t to[] = {0, 13, 14, N, N + 1, 0xffff};
  for (unsigned k = 0; k < 6; k++) {
    make();
    graph.to[graph.first[14]] = to[k];
    relay();
    expect(HD_GCODE_EDGE, 14);
  }
}

/* A cycle: with VIDs by level one of its edges leads to an earlier node; counted as a parent only, it is stuck. */
TEST_F(test_cycle) {
  make();
  graph.to[graph.first[30]] = 24;
  graph.parents[24]++;
  relay();
  expect(HD_GCODE_STUCK, 24);
}

TEST_F(test_starts) {
  make();
  graph.first[0] = 2;
  relay();
  expect(HD_GCODE_STARTS, 0);
  graph.first[17] = graph.first[16] - 1;
  relay();
  expect(HD_GCODE_STARTS, 17);
  graph.first[18] += 70000;
  relay();
  expect(HD_GCODE_STARTS, 18);
  graph.first[N - 1] = graph.edges + 1;
  relay();
  expect(HD_GCODE_STARTS, N - 1);
  /* Truncated: the first node whose edges begin behind the last edge. */
  where.edge_count = graph.first[30] - 1;
  expect(HD_GCODE_STARTS, 30);
  where.edge_count = graph.edges + 65536;
  expect(HD_GCODE_STARTS, N - 1);
}

TEST_F(test_levels) {
  static const uint8_t vids[] = {0, 7, 18, 40, N - 1};
  for (unsigned k = 0; k < 5; k++) {
    make();
    graph.level[vids[k]] = (uint16_t)(graph.level[vids[k]] + 2);
    relay();
    expect(HD_GCODE_LEVEL, vids[k]);
  }
  graph.level[20] = 2;
  relay();
  expect(HD_GCODE_LEVEL, 20);
}

/* Starts go before levels, of one beat; of two nodes the first. */
TEST_F(test_first_error) {
  make();
  graph.level[22] = 9;
  graph.first[23] = 0;
  relay();
  expect(HD_GCODE_STARTS, 23);
  graph.level[22] = 9;
  graph.level[23] = 20;
  relay();
  expect(HD_GCODE_LEVEL, 22);
}

/* A beat of each array, and the node that is reported with its error. */
TEST_F(test_memory) {
  make();
  fail_at = IDS_AT;
  expect(HD_GCODE_MEMORY, 0);
  fail_at = IDS_AT + 16;
  expect(HD_GCODE_MEMORY, 0);
  fail_at = NODES_AT + 8 * 40;
  expect(HD_GCODE_MEMORY, 32);
  fail_at = IDS_AT + 2 * 48;
  expect(HD_GCODE_MEMORY, 48);
  fail_at = EDGES_AT;
  expect(HD_GCODE_MEMORY, 0);
}

/* A write that failed, and failed reads of early updates. */
TEST_F(test_memory_early) {
  for (unsigned k = 0; k < 3; k++) {
    lay_barrier(40, 300);
    begin(HD_GPOLICY_LRR, 0);
    fail_answer = k == 0;
    fail_at = k == 1 ? EARLY_AT + 2 * 200 : k == 2 ? EARLY_AT + 2 * 336 : 0;
    run(false);
    assert_int_equal(out.finish.code, HD_GCODE_MEMORY);
    assert_int_equal(out.finish.vid, arch()->tail);
    expect_end(HD_GCODE_MEMORY, arch()->tail);
    memset(bytes, 0, sizeof bytes);
    fail_at = 0;
  }
}

/* After an error no node is offered, but the end waits for running TBs and for beats. */
TEST_F(test_stop) {
  make();
  port.latency = 30;
  fail_at = IDS_AT + 2 * 32;
  begin(HD_GPOLICY_LRR, 0);
  while (!next()->node_valid) cycle();
  take(0, 0);
  take(1, 3);
  while (arch()->phase == 1) cycle();
  assert_int_equal(arch()->phase, 2);
  for (unsigned t = 0; t < 100; t++) {
    assert_int_equal(next()->node_valid || next()->finish_valid, 0);
    cycle();
  }
  assert_int_equal(arch()->reads, 0);
  done(1, 3);
  idle(10);
  assert_int_equal(out.finish_valid, 0);
  done(0, 0);
  cycle();
  cycle();
  assert_int_equal(out.finish_valid, 1);
  for (unsigned t = 0; t < 10; t++) { /* it stays */
    cycle();
    assert_int_equal(out.finish_valid && out.finish.code == HD_GCODE_MEMORY && out.finish.vid == 32, 1);
    assert_int_equal(out.start_ready, 0);
  }
  expect_end(HD_GCODE_MEMORY, 32);
}

/* The same graph twice: the same hand-outs in as many cycles; memory is as it was, byte by byte. */
TEST_F(test_twice) {
  static uint8_t before[IMAGE];
  static uint16_t first[MOST];
  lay_barrier(100, 200);
  memcpy(before, bytes, sizeof before);
  begin(HD_GPOLICY_LRR, 0);
  unsigned cycles = run(false), n = runs;
  expect_end(HD_GCODE_FINE, 0);
  assert_true(earlies > 0);
  assert_memory_equal(bytes, before, sizeof before);
  memcpy(first, ran, sizeof first);
  runs = 0;
  begin(HD_GPOLICY_LRR, 0);
  assert_int_equal(run(false), cycles);
  expect_end(HD_GCODE_FINE, 0);
  assert_int_equal(runs, n);
  assert_memory_equal(ran, first, n * sizeof *ran);
  assert_memory_equal(bytes, before, sizeof before);
}

TEST_MAIN("dgb_errors", NULL, NULL)
