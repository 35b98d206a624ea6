/* SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1 */
/* The plane's oracle: kernels with a graph. Kernel 0 has four nodes: node 0 before nodes 1 and 2, these before node 3;
 * their TBs are 2, 0, 3 and 1. */
#include "unit/oracle_script.h"

enum { NODES = 0x20000, EDGES = 0x20080, IDS = 0x20100, EARLY = 0x20180, BEATS = 3 };

/* A client requests a read, and a beat of it arrives. */
static void ask(unsigned client, uint64_t addr, unsigned beats) {
  out.arvalid = in.arready = 1;
  out.arid = (uint8_t)client;
  out.araddr = addr;
  out.arlen = (uint8_t)(beats - 1);
  cycle();
}

static void beat(unsigned client, uint64_t lo, uint64_t hi, bool last, unsigned resp) {
  in.rvalid = 1;
  in.rid = (uint8_t)client;
  in.rdata[0] = lo;
  in.rdata[1] = hi;
  in.rlast = last;
  in.rresp = (uint8_t)resp;
  cycle();
}

static uint64_t node(uint64_t start, uint64_t parents, uint64_t level) {
  return start | parents << 32 | level << 48;
}

static void launch_graph(unsigned k, unsigned hwq, uint32_t ctas) {
  in.host_launch = ut_launch(hwq, k);
  in.host_launch.desc = kernels[k];
  in.host_launch.ctas = ctas;
  in.host_launch.graph = 1;
  in.host_launch_valid = out.host_launch_ready = 1;
  cycle();
}

static void enters(unsigned k, unsigned kdei) {
  out.enter_valid = 1;
  out.enter_kdei = (uint8_t)kdei;
  out.enter_param = kernels[k].param;
  entered[k] = 1;
  cycle();
}

/* It is launched, accepted, and enters. */
static void graph_kernel(unsigned k, unsigned hwq, unsigned kdei) {
  launch_graph(k, hwq, 4);
  host_answer(k, HD_CODE_ACCEPTED);
  enters(k, kdei);
}

/* Its descriptor is read; `numbers`: the low half of the third beat. */
static void describe_with(unsigned k, uint64_t numbers, unsigned resp) {
  ask(HD_CLIENT_DATS, kernels[k].param, BEATS);
  beat(HD_CLIENT_DATS, NODES, EDGES, false, 0);
  beat(HD_CLIENT_DATS, IDS, EARLY, false, resp);
  beat(HD_CLIENT_DATS, numbers, 4, true, 0);
}

static uint64_t numbers(unsigned policy, unsigned bound) {
  return 4 | (uint64_t)bound << 16 | (uint64_t)policy << 32;
}

/* And the graph; parents: of node 3. */
static void read_graph(unsigned parents) {
  ask(HD_CLIENT_DGB, IDS, 1);
  beat(HD_CLIENT_DGB, 2 | UINT64_C(0) << 16 | UINT64_C(3) << 32 | UINT64_C(1) << 48, 0, true, 0);
  ask(HD_CLIENT_DGB, NODES, 2);
  beat(HD_CLIENT_DGB, node(0, 0, 0), node(2, 1, 1), false, 0);
  beat(HD_CLIENT_DGB, node(3, 1, 1), node(4, parents, 2), true, 0);
  ask(HD_CLIENT_DGB, EDGES, 1);
  beat(HD_CLIENT_DGB, 1 | 2 << 16 | UINT64_C(3) << 32 | UINT64_C(3) << 48, 0, true, 0);
}

static void graph_runs(void) {
  graph_kernel(0, 0, 0);
  describe_with(0, numbers(HD_GPOLICY_LRR, 0), 0);
  read_graph(2);
}

static void node_tb(unsigned smx, unsigned slot, uint32_t blkid) {
  tb(smx, slot, 0, 0, blkid, 0);
}

/* TBs 2, 0 and 3 have run. */
static void run_three(void) {
  node_tb(0, 0, 2);
  done(0, 0);
  node_tb(0, 0, 0);
  node_tb(1, 1, 3);
  done(1, 1);
  done(0, 0);
}

TEST_F(test_a_graph) {
  graph_runs();
  run_three();
  node_tb(1, 0, 1);
  done(1, 0);
  kernel_done(0, false);
  silent();
  for (int t = 0; t < 3; t++) cycle();
  assert_null(hd_plane_oracle_end(oracle, 0));
}

/* Each node once, none before its parents, and only nodes that were read. */
TEST_F(test_order) {
  graph_runs();
  node_tb(0, 0, 0);
  breaks(15);
  graph_runs();
  node_tb(0, 0, 2);
  node_tb(0, 1, 0); /* 2 runs */
  breaks(15);
  graph_runs();
  node_tb(0, 0, 2);
  done(0, 0);
  node_tb(0, 0, 0);
  done(0, 0);
  node_tb(0, 0, 1); /* one of two parents is done */
  breaks(15);
  graph_runs();
  node_tb(0, 0, 2);
  node_tb(1, 0, 2);
  breaks(15);
  graph_kernel(0, 0, 0);
  describe_with(0, numbers(HD_GPOLICY_LRR, 0), 0);
  node_tb(0, 0, 2);
  breaks(15);
  graph_runs();
  tb(0, 0, 0, 0, 4, 0);
  breaks(2);
}

/* A TB of a graph is of level 0 and has no AGE. */
TEST_F(test_tb) {
  graph_runs();
  tb(0, 0, 0, 1, 2, 0);
  breaks(2);
  graph_runs();
  offer(0, 0, 0, 0, 2, &kernels[0])->agei = 1;
  take(0);
  breaks(2);
}

/* It ends before all its nodes are done; it fails though it is valid. */
TEST_F(test_end) {
  graph_runs();
  run_three();
  kernel_done(0, false);
  breaks(7);
  graph_runs();
  run_three();
  kernel_done(0, true);
  breaks(7);
  graph_runs();
  run_three();
  node_tb(1, 0, 1);
  done(1, 0);
  kernel_done(0, true);
  breaks(7);
}

static void count_too_high(void) {
  graph_kernel(0, 0, 0);
  describe_with(0, numbers(HD_GPOLICY_LRR, 0), 0);
  read_graph(3);
  run_three();
}

static void no_such_policy(void) {
  graph_kernel(0, 0, 0);
  describe_with(0, numbers(3, 0), 0);
}

static void descriptor_not_read(void) {
  graph_kernel(0, 0, 0);
  describe_with(0, numbers(HD_GPOLICY_LRR, 0), 2);
}

/* An invalid graph or descriptor, or a memory error: the kernel must fail. */
TEST_F(test_failures) {
  void (*const story[])(void) = {count_too_high, no_such_policy, descriptor_not_read};
  for (unsigned k = 0; k < 3; k++) {
    story[k]();
    kernel_done(0, true);
    silent();
    start_anew();
    write_regions();
    story[k]();
    kernel_done(0, false);
    breaks(7);
  }
}

/* A count that is too low: the node may run early, and the kernel fails. */
TEST_F(test_low_count) {
  graph_kernel(0, 0, 0);
  describe_with(0, numbers(HD_GPOLICY_LRR, 0), 0);
  read_graph(1);
  node_tb(0, 0, 2);
  done(0, 0);
  node_tb(0, 0, 0);
  done(0, 0);
  node_tb(0, 1, 1);
  node_tb(1, 1, 3);
  done(0, 1);
  done(1, 1);
  silent();
  kernel_done(0, false);
  breaks(7);
}

/* A kernel stopped by an error hands out no more TBs. */
TEST_F(test_stopped) {
  graph_runs();
  ask(HD_CLIENT_DGB, EARLY, 1);
  beat(HD_CLIENT_DGB, 0, 0, true, 2);
  for (int t = 0; t < 20; t++) cycle();
  node_tb(0, 0, 2);
  breaks(7);
  graph_kernel(0, 0, 0);
  describe_with(0, numbers(HD_GPOLICY_LRR, 0) + 1, 0); /* five nodes */
  node_tb(0, 0, 2);
  breaks(15);
}

/* Levels above the oldest. */
TEST_F(test_bound) {
  for (unsigned bound = 0; bound < 2; bound++) {
    graph_kernel(0, 0, 0);
    describe_with(0, numbers(HD_GPOLICY_LVL, bound), 0);
    read_graph(1);
    node_tb(0, 0, 2);
    done(0, 0);
    node_tb(0, 0, 3);
    done(0, 0);
    node_tb(0, 0, 1); /* node 3 is of level 2, node 1 of level 1 */
    if (bound)
      silent();
    else
      breaks(15);
  }
}

/* Another graph's kernel enters while this one runs, or is not complete. */
TEST_F(test_one_at_a_time) {
  kernels[1].param = 0x40000;
  graph_runs();
  graph_kernel(1, 1, 1);
  breaks(15);
  graph_runs();
  run_three();
  node_tb(1, 0, 1);
  graph_kernel(1, 1, 1);
  breaks(15);
  graph_runs();
  run_three();
  node_tb(1, 0, 1);
  done(1, 0);
  graph_kernel(1, 1, 1);
  kernel_done(0, false);
  describe_with(1, numbers(HD_GPOLICY_LRR, 0), 0);
  silent();
  tb(0, 0, 1, 0, 2, 1); /* its graph was not read */
  breaks(15);
}

/* A kernel that entered earlier goes first, for its native part. */
TEST_F(test_older_first) {
  host_kernel(3, 1, 2);
  enters(3, 1);
  graph_runs();
  tb(1, 1, 1, 0, 0, 3);
  tb(1, 0, 1, 0, 1, 3);
  node_tb(0, 0, 2);
  silent();
  start_anew();
  write_regions();
  host_kernel(3, 1, 2);
  enters(3, 1);
  graph_runs();
  tb(1, 1, 1, 0, 0, 3);
  node_tb(0, 0, 2);
  breaks(15);
}

/* One that enters later may go first, but not while a node of the graph waits for long. */
TEST_F(test_younger_waits) {
  for (unsigned wait = 0; wait < 2; wait++) {
    graph_runs();
    host_kernel(3, 1, 2);
    enters(3, 1);
    for (unsigned t = 0; t < (wait ? 250 : 20); t++) cycle();
    tb(1, 1, 1, 0, 0, 3);
    if (wait)
      breaks(15);
    else
      silent();
    start_anew();
    write_regions();
  }
}

/* No TB of it is saved, no group joins it. */
TEST_F(test_neither_saved_nor_joined) {
  graph_runs();
  node_tb(0, 0, 2);
  device_kernel(5, 1, 0);
  save(0x777);
  breaks(15);
  graph_runs();
  node_tb(0, 0, 2);
  device_kernel(5, 1, 0);
  const struct hd_desc desc = {.param = 0x777};
  dev_launch(0, 0, HD_KIND_SAVE, &desc, 0, 0, 0);
  dev_answer(0, 0, HD_KIND_SAVE, HD_CODE_REFUSED);
  silent();
  group(1, 1, 1, HD_CODE_ACCEPTED);
  group_tb(1, 1, 0, 0, 0, 1, 0);
  breaks(15);
}

/* Illegal launches. */
TEST_F(test_launch) {
  launch_graph(0, 0, 65536);
  host_answer(0, HD_CODE_ACCEPTED);
  breaks(1);
  launch_graph(0, 0, 65536);
  host_answer(0, HD_CODE_OVER_LIMIT);
  launch_graph(3, 0, 4); /* its address is no multiple of 64 */
  host_answer(3, HD_CODE_OVER_LIMIT);
  silent();
  launch_graph(0, 0, 4);
  host_answer(0, HD_CODE_OVER_LIMIT);
  breaks(1);
}

/* The memory port: the descriptor once, the arrays, nothing else; only early updates are written. */
TEST_F(test_memory) {
  ask(HD_CLIENT_DATS, kernels[0].param, BEATS);
  breaks(11);
  graph_kernel(0, 0, 0);
  ask(HD_CLIENT_DATS, kernels[0].param + 64, BEATS);
  breaks(11);
  graph_kernel(0, 0, 0);
  ask(HD_CLIENT_DGB, NODES, 2);
  breaks(11);
  graph_runs();
  ask(HD_CLIENT_DGB, NODES + 32, 1);
  breaks(11);
  graph_runs();
  out.awvalid = in.awready = 1;
  out.awid = HD_CLIENT_DGB;
  out.awaddr = EDGES;
  cycle();
  breaks(11);
  graph_runs();
  out.awvalid = in.awready = 1;
  out.awid = HD_CLIENT_DGB;
  out.awaddr = EARLY;
  cycle();
  silent();
}

/* The status reports memory errors that did not occur. */
TEST_F(test_status) {
  assert_non_null(hd_plane_oracle_end(oracle, HD_STATUS_GRAPH_MEMORY));
  assert_null(hd_plane_oracle_end(oracle, 0));
}

TEST_MAIN("plane_graph", NULL, NULL)
