/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* Graph kernels with an invalid graph or a memory error: the kernel fails, the status reports the cause and the node,
 * and the next graph runs. */
#include "unit/top/nodes_fixture.h"

static const struct hd_dim3 square = {4, 4, 1};

static void begin_graph(void) {
  begin("tiny");
  episode = 10;
  launch_pattern(0, 0, square, HD_DEPLINKS_WAVEFRONT, HD_DEPLINKS_LRR, 0);
}

/* It fails with that code, at that node; the next graph runs without error. */
static void expect_failure(unsigned code, unsigned vid) {
  until(&ended_n, 1, 8000);
  expect_end(0, 0, true);
  assert_int_equal(status(), UINT32_C(1) << (14 + code));
  assert_int_equal(graph_word(), code << 16 | vid);
  const unsigned before = tbs;
  launch_pattern(3, 0, square, HD_DEPLINKS_WAVEFRONT, HD_DEPLINKS_LVL, 2);
  until(&ended_n, 2, 8000);
  expect_end(1, 3, false);
  assert_int_equal(tbs, before + 16);
  assert_int_equal(graph_word(), code << 16 | vid); /* of the last one that failed */
  assert_int_equal(COUNT(GRAPHS), 2);
  end();
}

TEST(test_descriptor) {
  static const struct {
    unsigned at, n;
    uint64_t value;
  } wrong[] = {{32, 2, 15}, {36, 1, 3}, {37, 1, 1}, {0, 8, ARRAYS + 64}, {8, 8, UINT64_C(1) << 40}, {44, 1, 1}};
  for (unsigned k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    begin_graph();
    overwrite(desc_of(0, 1).param + wrong[k].at, wrong[k].n, wrong[k].value);
    expect_failure(HD_GCODE_GRAPH, 0);
  }
}

TEST(test_descriptor_not_read) {
  begin_graph();
  hd_axi_mem_spoil(mem, desc_of(0, 1).param, 16, HD_AXI_SLVERR);
  expect_failure(HD_GCODE_MEMORY, 0);
}

/* The second chunk of nodes (of two in tiny) cannot be read: the first two nodes may have run. */
TEST(test_nodes_not_read) {
  begin_graph();
  hd_axi_mem_spoil(mem, at.node + 16, 16, HD_AXI_SLVERR);
  expect_failure(HD_GCODE_MEMORY, 2);
}

TEST(test_starts) {
  begin_graph();
  overwrite(at.node + 8 * 5, 4, 1);
  expect_failure(HD_GCODE_STARTS, 5);
}

TEST(test_levels) {
  begin_graph();
  overwrite(at.node + 8 * 7 + 6, 2, 9);
  expect_failure(HD_GCODE_LEVEL, 7);
}

TEST(test_edge) {
  begin_graph();
  overwrite(at.edge, 2, 0); /* the first edge of node 0 leads to itself */
  expect_failure(HD_GCODE_EDGE, 0);
}

/* The last node waits for one more than it has. */
TEST(test_stuck) {
  begin_graph();
  overwrite(at.node + 8 * 15 + 4, 2, 3);
  expect_failure(HD_GCODE_STUCK, 15);
}

/* It has one parent more than its count: it runs, and then too many updates arrive. The reported VID is that of a
   parent. */
TEST(test_count) {
  begin_graph();
  overwrite(at.node + 8 * 15 + 4, 2, 0);
  until(&ended_n, 1, 8000);
  expect_end(0, 0, true);
  assert_int_equal(status(), HD_STATUS_GRAPH_COUNT);
  assert_int_equal(graph_word() >> 16, HD_GCODE_COUNT);
  end();
}

/* Running TBs end normally; then the kernel is reported. */
TEST(test_running_tbs) {
  begin("tiny");
  launch_pattern(0, 0, square, HD_DEPLINKS_WAVEFRONT, HD_DEPLINKS_LRR, 0);
  until(&tbs, 1, 200);
  overwrite(at.node + 8 * 2 + 6, 2, 9); /* perhaps not read yet: then there is no error */
  overwrite(at.edge, 2, 0);
  ticks(200);
  assert_int_equal(ended_n, 0);
  end_tb(tb[0].smx, tb[0].d.slot);
  drain(3000);
  script_end();
  free(m);
}

/* Rejected launches: too many TBs, an address that is no multiple of 64. */
TEST(test_launch) {
  begin("tiny");
  host_kernel(1, 0, 65536);
  host.launch[0].graph = 1;
  host_kernel(2, 0, 4);
  host.launch[1].graph = 1;
  host.launch[1].desc.param += 8;
  ticks(30);
  assert_int_equal(COUNT(OVER_LIMIT), 2);
  assert_int_equal(COUNT(KERNELS_IN), 0);
  end();
}

/* In tiny the PUB and the LNA are small: updates go to memory and return; they are counted. */
TEST(test_early_updates) {
  begin("tiny");
  episode = 3;
  launch_pattern(0, 0, (struct hd_dim3){6, 4, 1}, HD_DEPLINKS_BARRIER, HD_DEPLINKS_LRR, 0);
  until(&ended_n, 1, 30000);
  expect_end(0, 0, false);
  assert_int_equal(tbs, 24);
  assert_true(COUNT(GRAPH_PUB) > 0 && COUNT(GRAPH_EARLY) > 0);
  end();
}

/* A node with more edges than the LEA holds. */
TEST(test_big_node) {
  begin("tiny");
  episode = 3;
  launch_pattern(0, 0, (struct hd_dim3){60, 1, 1}, HD_DEPLINKS_STAR, HD_DEPLINKS_LRR, 0);
  until(&ended_n, 1, 30000);
  expect_end(0, 0, false);
  assert_int_equal(COUNT(GRAPH_BIG), 1);
  end();
}

TEST_MAIN("graph_errors", NULL, NULL)
